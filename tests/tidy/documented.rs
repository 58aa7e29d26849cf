//! Rule 8, and what `make test` must go on doing: public items documented, tests that write below a temporary folder only,
//! generated types compared.
//!
//! Deliberately not here: reading the documentation; `missing_docs` says where there is none.

use crate::code::{code_only, contains_word};
use crate::no_findings;
use pincite_tests::tree;

#[test]
fn nobody_switches_the_documentation_lint_off() {
    let mut findings = Vec::new();
    for source in tree::sources().iter().filter(|source| source.extension() == "rs") {
        for (number, line) in (1..).zip(code_only(&source.text).lines()) {
            let off = line.contains("allow(missing_docs")
                || line.contains("expect(missing_docs")
                || line.contains("allow(warnings");
            if off || line.contains("#![allow(") {
                findings.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
    }
    no_findings(
        &findings,
        "document it; where a lint is wrong once, #[expect(..., reason = \"...\")] at that one place",
    );
}

#[test]
fn make_test_compares_the_generated_types() {
    let makefile = std::fs::read_to_string(tree::root().join("Makefile")).expect("the Makefile");
    let test = makefile
        .lines()
        .find(|line| line.starts_with("test:"))
        .expect("a target test");
    for wanted in ["setup", "lint", "ui-test", "gen-check", "build"] {
        assert!(
            test.split_whitespace().any(|word| word == wanted),
            "make test no longer does {wanted}"
        );
    }
    let check = makefile
        .split("\ngen-check:")
        .nth(1)
        .and_then(|rest| rest.split("\n\n").next())
        .expect("a target gen-check");
    assert!(check.contains("diff -r"), "gen-check compares nothing");
    assert!(
        makefile.contains("clippy") && makefile.contains("-D warnings"),
        "clippy's warnings no longer fail make lint"
    );
    assert!(
        makefile.contains("cargo fmt --all --check"),
        "make lint no longer checks the formatting"
    );
}

#[test]
fn tests_write_below_a_temporary_folder_only() {
    // Worlds are temporary folders, and a program under test gets a home inside one. What would write into the source tree
    // shows by where its path comes from.
    let writes = [
        "fs::write",
        "File::create",
        "create_dir",
        "create_dir_all",
        "fs::rename",
        "remove_dir_all",
        "remove_file",
    ];
    let tree = [
        "tree::",
        "root(",
        "fixture(",
        "CARGO_MANIFEST_DIR",
        "current_dir",
        "home_dir",
    ];
    let mut findings = Vec::new();
    for source in tree::sources()
        .iter()
        .filter(|source| source.path.starts_with("tests/") && source.extension() == "rs")
    {
        for (number, line) in (1..).zip(code_only(&source.text).lines()) {
            let written = writes.iter().find(|name| contains_word(line, name));
            if let Some(name) = written.filter(|_| tree.iter().any(|name| line.contains(name))) {
                findings.push(format!("{}:{number}: {name}", source.path));
            }
        }
    }
    no_findings(&findings, "write into a World or a TempDir");
}
