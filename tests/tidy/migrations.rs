//! Rule 7: SQL. Merged migrations never change, both databases count them alike, and every write is a transaction with a
//! checked commit.
//!
//! Deliberately not here: what the schema means; the migrations say that.

use crate::code::without_comments;
use crate::no_findings;
use pincite_tests::tree::{self, Source};
use std::collections::BTreeMap;

/// The file that pins migrations: a hash and a path a line.
const PINNED: &str = "tests/tidy/migrations.txt";

fn migrations() -> Vec<Source> {
    tree::sources()
        .into_iter()
        .filter(|source| source.path.starts_with("migrations/") && source.extension() == "sql")
        .collect()
}

#[test]
fn merged_migrations_never_change() {
    let text = std::fs::read_to_string(tree::root().join(PINNED)).unwrap_or_else(|error| panic!("{PINNED}: {error}"));
    let mut pinned: BTreeMap<&str, &str> = BTreeMap::new();
    for line in text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let (hash, path) = line
            .split_once("  ")
            .unwrap_or_else(|| panic!("{PINNED}: {line:?}: write HASH, two blanks, PATH"));
        pinned.insert(path, hash);
    }
    let mut findings = Vec::new();
    for migration in migrations() {
        let hash = pincite_core::sha256_hex(migration.text.as_bytes());
        match pinned.remove(migration.path.as_str()) {
            Some(held) if held == hash => {}
            Some(_) => findings.push(format!("{}: it is no longer what was merged", migration.path)),
            None => findings.push(format!(
                "{}: it is not pinned yet; add the line\n{hash}  {}",
                migration.path, migration.path
            )),
        }
    }
    findings.extend(pinned.keys().map(|path| format!("{path}: it was merged and is gone")));
    no_findings(
        &findings,
        &format!("change the schema by a new migration; pin it in {PINNED} when it is merged"),
    );
}

#[test]
fn both_databases_count_their_migrations_alike() {
    let mut by_database: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut findings = Vec::new();
    for migration in migrations() {
        let mut parts = migration.path.split('/').skip(1);
        let (database, name) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        if !matches!(database, "sqlite" | "postgres") || name.is_empty() {
            findings.push(format!(
                "{}: migrations are migrations/sqlite/NNNN_name.sql and migrations/postgres/NNNN_name.sql",
                migration.path
            ));
        }
        by_database
            .entry(database.to_owned())
            .or_default()
            .push(name.to_owned());
    }
    for (database, names) in &by_database {
        for (number, name) in (1..).zip(names) {
            if !name.starts_with(&format!("{number:04}_")) {
                findings.push(format!(
                    "migrations/{database}/{name}: it should begin with {number:04}_"
                ));
            }
        }
    }
    if let (Some(sqlite), Some(postgres)) = (by_database.get("sqlite"), by_database.get("postgres"))
        && sqlite != postgres
    {
        findings.push(format!("sqlite has {sqlite:?}, postgres has {postgres:?}"));
    }
    no_findings(&findings, "the same numbers and the same names, from 0001 up");
}

#[test]
fn every_write_is_a_transaction_with_a_checked_commit() {
    // An autocommit INSERT ... RETURNING read by fetch_one can say Ok and have lost the row: the commit's error is
    // swallowed when the statement is reset. So nothing here returns rows from a write; they are read back by key.
    let mut findings = Vec::new();
    for source in tree::sources()
        .iter()
        .filter(|source| source.path.starts_with("crates/pincite-store/src/") && source.extension() == "rs")
    {
        let code = without_comments(&source.text);
        for (number, line) in (1..).zip(code.lines()) {
            if line
                .to_uppercase()
                .split(|character: char| !character.is_alphanumeric())
                .any(|word| word == "RETURNING")
            {
                findings.push(format!("{}:{number}: RETURNING", source.path));
            }
            if line.contains(".execute(&")
                && (line.contains("writer") || line.contains("readers") || line.contains("pool"))
            {
                findings.push(format!("{}:{number}: a write on a bare pool", source.path));
            }
            // PostgreSQL knows no other; on SQLite it fails when another wrote meanwhile.
            if line.contains(".begin()") && !line.contains("writers") {
                findings.push(format!("{}:{number}: a deferred transaction", source.path));
            }
        }
    }
    // What each database needs so that an acknowledged write lasts.
    for (file, wanted) in [
        ("database.rs", "\"BEGIN IMMEDIATE\""),
        ("database.rs", "uncancelled(async move"),
        ("sqlite.rs", "SqliteSynchronous::Full"),
        ("sqlite.rs", "SqliteJournalMode::Wal"),
        ("sqlite.rs", ".foreign_keys(true)"),
        ("sqlite.rs", "make_durable"),
        ("postgres.rs", "pg_advisory_xact_lock"),
    ] {
        let path = format!("crates/pincite-store/src/{file}");
        let text = std::fs::read_to_string(tree::root().join(&path)).expect("a file of the store");
        if !text.contains(wanted) {
            findings.push(format!("{path}: {wanted} is gone"));
        }
    }
    no_findings(
        &findings,
        "write inside Store::write() ... commit().await?, and read back by key (design: field notes on databases)",
    );
}

#[test]
fn sql_is_in_the_store_alone() {
    let mut findings = Vec::new();
    for source in tree::sources().iter().filter(|source| source.extension() == "rs") {
        if source.path.starts_with("crates/pincite-store/") || source.path.starts_with("tests/") {
            continue;
        }
        for (number, line) in (1..).zip(without_comments(&source.text).lines()) {
            let statement = ["SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM "]
                .iter()
                .any(|word| line.contains(&format!("\"{word}")));
            if statement {
                findings.push(format!("{}:{number}: {}", source.path, line.trim()));
            }
        }
    }
    no_findings(&findings, "give the store a function for it");
}
