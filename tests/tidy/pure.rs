//! Rule 1: pincite-core has no I/O, no clock, no randomness, no async. Dates, ids and seeds are arguments.
//!
//! Deliberately not here: what core means.

use crate::code::{code_only, lines_with};
use crate::no_findings;
use pincite_tests::tree;

/// Names that reach outside, and why each is not for the core.
const OUTSIDE: [(&str, &str); 19] = [
    ("std::fs", "reads or writes files"),
    ("std::net", "opens connections"),
    ("std::io", "reads or writes"),
    ("std::env", "asks the machine"),
    ("std::process", "starts or ends programs"),
    ("std::thread", "starts threads"),
    ("std::os", "depends on the system"),
    ("SystemTime", "reads the clock"),
    ("Instant", "reads the clock"),
    ("Utc::now", "reads the clock"),
    ("Local", "reads the clock's zone"),
    ("async", "waits"),
    ("await", "waits"),
    ("tokio", "waits"),
    ("rand", "is random"),
    ("getrandom", "is random"),
    ("RandomState", "is random"),
    ("println", "writes"),
    ("eprintln", "writes"),
];

/// What the core may be made of: parts that compute. A new one is written here with its reason.
const PARTS: [&str; 15] = [
    "caseless",
    "chrono",
    "ed25519-dalek",
    "jsonschema",
    "rapidfuzz",
    "serde",
    "serde_json",
    "sha2",
    "similar",
    "thiserror",
    "toml",
    "triple_accel",
    "unicode-normalization",
    "unicode-segmentation",
    "proptest",
];

#[test]
fn the_core_reaches_for_nothing_outside() {
    let mut findings = Vec::new();
    for source in tree::sources()
        .iter()
        .filter(|source| source.path.starts_with("crates/pincite-core/") && source.extension() == "rs")
    {
        // Tests may measure; they are no part of the core.
        if source.path.ends_with("_tests.rs") {
            continue;
        }
        let code = code_only(&source.text);
        for (name, why) in OUTSIDE {
            for line in lines_with(&code, name) {
                findings.push(format!("{}:{line}: {name} {why}", source.path));
            }
        }
        // `use std::{fs, ...}` and its kin.
        for (line, text) in (1..)
            .zip(code.lines())
            .filter(|(_, text)| text.trim_start().starts_with("use std::{"))
        {
            for name in ["fs", "io", "net", "env", "process", "thread", "time"] {
                if crate::code::contains_word(text, name) {
                    findings.push(format!("{}:{line}: std::{name}", source.path));
                }
            }
        }
    }
    no_findings(
        &findings,
        "hand it to the core as an argument; the edges fetch (docs/ARCHITECTURE.md)",
    );
}

#[test]
fn the_core_is_made_of_parts_that_compute() {
    let manifest =
        std::fs::read_to_string(tree::root().join("crates/pincite-core/Cargo.toml")).expect("the core's Cargo.toml");
    let manifest: toml::Table = manifest.parse().expect("a Cargo.toml is TOML");
    let findings: Vec<String> = ["dependencies", "dev-dependencies", "build-dependencies"]
        .iter()
        .filter_map(|table| manifest.get(*table)?.as_table())
        .flat_map(toml::Table::keys)
        .filter(|name| !PARTS.contains(&name.as_str()))
        .map(|name| format!("crates/pincite-core/Cargo.toml: {name}"))
        .collect();
    no_findings(
        &findings,
        "use it in an edge; or, where it only computes, add it to PARTS in tests/tidy/pure.rs",
    );
    let workspace = std::fs::read_to_string(tree::root().join("Cargo.toml")).expect("the workspace's Cargo.toml");
    let workspace: toml::Table = workspace.parse().expect("a Cargo.toml is TOML");
    let chrono = workspace
        .get("workspace")
        .and_then(|table| table.get("dependencies")?.get("chrono"));
    let features = chrono
        .and_then(|chrono| chrono.get("features")?.as_array())
        .expect("chrono's features are listed");
    assert!(
        features.iter().all(|feature| feature.as_str() != Some("clock")),
        "chrono with a clock is for pincite-app alone"
    );
}
