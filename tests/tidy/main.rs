//! The rules of the house, each as a test: what a reviewer would otherwise have to remember.
//!
//! A failure names the file, the line where there is one, and the remedy. The rules and their reasons are in
//! docs/ARCHITECTURE.md; what the compiler or clippy can say (missing docs, unsafe code, unwraps) is in Cargo.toml.
//!
//! Deliberately not here: formatting, lints, types and generated files; `make test` runs their own tools.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a proof that can't go on says so by panicking"
)]

mod both_schemas;
mod code;
mod dependencies;
mod documented;
mod headers;
mod migrations;
mod network;
mod pure;
mod shapes;

/// Fails with every finding, one a line.
fn no_findings(findings: &[String], remedy: &str) {
    assert!(
        findings.is_empty(),
        "{} finding(s):\n  {}\nremedy: {remedy}",
        findings.len(),
        findings.join("\n  ")
    );
}
