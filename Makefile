# Two commands are all that most people need: `make run` and `make test`. Both install what is missing, say what they
# are doing, and are safe to run twice. Everything below is what they are made of.
#
#   CARGO_TARGET_DIR   where cargo builds (target/)            PROFILE         dev or release (dev)
#   PINCITE_NATIVE     the native libraries (native/)          PINCITE_CORPUS  a folder of real documents, for bench, soak
#   PINCITE_TEST_POSTGRES  a database for the tests (one that is made and removed: tools/postgres)
#
# Set what you like in the environment or behind `make`. What is deliberately not here: how anything is installed
# (tools/setup) and what the demo shows (tools/run).

.DEFAULT_GOAL := help
# One thing after the other: cargo and npm share two cores well enough by themselves, and the output stays readable.
.NOTPARALLEL:
.SUFFIXES:
MAKEFLAGS += --no-print-directory

# Relative to here, never to where cargo runs a test. (Written so that a folder name may contain a space.)
absolute = $(if $(filter /%,$(1)),$(1),$(CURDIR)/$(1))
PROFILE ?= dev
override CARGO_TARGET_DIR := $(call absolute,$(or $(CARGO_TARGET_DIR),target))
override PINCITE_NATIVE := $(call absolute,$(or $(PINCITE_NATIVE),native))
# The programs that were just built: tests/ and tools/run start these. (`=`: bench and soak have a PROFILE of their own.)
override PINCITE_BIN_DIR = $(CARGO_TARGET_DIR)/$(if $(filter dev,$(PROFILE)),debug,$(PROFILE))
# ts-rs writes here whenever the tests of pincite-app run, so that no test ever writes into the tree.
override TS_RS_EXPORT_DIR := $(CARGO_TARGET_DIR)/generated
export CARGO_TARGET_DIR PINCITE_NATIVE PINCITE_BIN_DIR TS_RS_EXPORT_DIR

GENERATED := ui/src/lib/generated
# On CI the lock file is law; elsewhere cargo may bring it up to date with an edited Cargo.toml.
LOCKED := $(if $(CI),--locked)
# Nothing for dev: then a plain `cargo test` by hand shares every compiled crate.
FLAGS = $(LOCKED) $(if $(filter dev,$(PROFILE)),,--profile $(PROFILE))
EXPORT = rm -rf '$(TS_RS_EXPORT_DIR)' && cargo test --quiet $(FLAGS) -p pincite-app export_bindings
# nextest where it is installed, because it is faster and ends a test that hangs; it knows no doc tests.
NEXTEST := $(shell command -v cargo-nextest 2>/dev/null)

say = @printf '\n== %s\n' '$(1)'

.PHONY: help run test lint gen gen-check bench pictures soak corpus setup fixtures build ui ui-test

help: ## Lists the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-10s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

run: setup ui ## Builds everything and opens the window; without a display, does the same job in a demo
	$(call say,building Pincite ($(PROFILE)))
	cargo build $(FLAGS) -p pincite-cli -p pincite-pdf-worker -p pincite-desktop
	@python3 tools/run

# The cheap checks come first, the cargo tests last: their closing lines are what a CI reads. Journeys are made on both databases.
# One PostgreSQL serves all tests of a run, because nextest gives every test a process of its own; it starts and ends without a word.
test: setup lint ui-test gen-check build ## Every check there is
	$(call say,cargo tests)
	cargo test $(FLAGS) --workspace --doc
	$(call say,journeys in a workspace of a team)
	! tools/postgres programs >/dev/null || PINCITE_TEST_ON=postgres tools/postgres run $(if $(NEXTEST),cargo nextest run $(subst --profile,--cargo-profile,$(FLAGS)) -p pincite-tests --test journeys,cargo test $(FLAGS) -p pincite-tests --test journeys)
	$(call say,all tests)
	tools/postgres run $(if $(NEXTEST),cargo nextest run $(subst --profile,--cargo-profile,$(FLAGS)) --workspace,cargo test $(FLAGS) --workspace --lib --bins --tests)

# ui/dist comes first: the window's code has the built pages inside, and does not compile without them.
lint: setup ui ## Formatting, clippy, and the type checks of ui/
	$(call say,formatting)
	cargo fmt --all --check
	$(call say,type checks of ui/)
	cd ui && npm run --silent check
	$(call say,clippy)
	cargo clippy $(FLAGS) --workspace --all-targets -- -D warnings

gen: ## Writes the TypeScript types of ui/src/lib/generated anew from the Rust ones
	$(EXPORT)
	@# A type that is gone takes its file with it; and nothing is removed unless the new ones are there.
	@rm -rf '$(GENERATED)' && mkdir -p '$(GENERATED)' && cp -R '$(TS_RS_EXPORT_DIR)/.' '$(GENERATED)/'

gen-check:
	$(call say,generated TypeScript types)
	$(EXPORT)
	@diff -r '$(GENERATED)' '$(TS_RS_EXPORT_DIR)' || \
		{ echo 'gen-check: $(GENERATED) is not what the Rust types say. Remedy: make gen, and commit it' >&2; exit 1; }

bench: setup build ## Measures the speeds that the documentation promises (release build)
	$(call say,measurements)
	cargo test $(FLAGS) -p pincite-tests -- --ignored --nocapture --test-threads=1 bench_

pictures: setup build ## Keeps new pictures of the screens in docs/pictures, to be looked at and committed
	$(call say,pictures)
	PINCITE_PICTURES=keep cargo test $(FLAGS) -p pincite-tests --test window -- --nocapture every_desk_looks

soak: setup build ## Works the queue and the documents for long, and looks for losses (release build)
	$(call say,soak)
	cargo test $(FLAGS) -p pincite-tests -- --ignored --nocapture --test-threads=1 soak_

corpus: setup build ## Measures everything on the corpus and writes docs/CORPUS.md
	$(call say,corpus)
	cargo test $(FLAGS) -p pincite-tests --test corpus -- --ignored --nocapture --test-threads=1 corpus_table::

bench soak: PROFILE := release

setup: ## Installs what is missing: Debian packages, native libraries, npm packages
	@tools/setup

# The compiler of the documents is a Python wheel; it is unpacked beside what cargo builds, not installed.
fixtures: export PYTHONPATH := $(CARGO_TARGET_DIR)/fixtures-python
fixtures: export PYTHONDONTWRITEBYTECODE := 1
fixtures: export PIP_ROOT_USER_ACTION := ignore
fixtures: ## Makes the documents and records of fixtures/ anew from their sources
	python3 -m pip install --quiet --upgrade --target '$(PYTHONPATH)' typst==0.15.2 pypdfium2==5.15.2
	python3 fixtures/build.py
	python3 fixtures/records/build.py

build:
	$(call say,building every program ($(PROFILE)))
	cargo build $(FLAGS) --workspace --bins

ui: setup
	$(call say,building ui/)
	cd ui && npm run --silent build

ui-test: setup
	$(call say,tests of ui/)
	cd ui && npm test
