//! Rules 3 and 4: offsets say their unit, abstention and relocation are values, and what is kept is not what crosses.
//!
//! Deliberately not here: whether the generated TypeScript is current; `make gen-check` writes it anew and compares.

use crate::code::code_only;
use crate::no_findings;
use pincite_tests::tree;

#[test]
fn an_offset_says_its_unit() {
    // Published formats have plain numbers, and the one place that takes such numbers in checks them.
    let edges = [
        "crates/pincite-core/src/citation/model.rs",
        "crates/pincite-core/src/citation/verify.rs",
        "crates/pincite-core/src/citation/link.rs",
        "crates/pincite-core/src/record/provenance.rs",
        "crates/pincite-core/src/text/offset.rs",
    ];
    let names = ["start", "end", "offset", "char_start", "char_end", "shift"];
    let plain = ["usize", "u32", "u64", "i32", "i64", "Option<i64>", "Option<u32>"];
    let mut findings = Vec::new();
    for source in tree::sources()
        .iter()
        .filter(|source| source.path.starts_with("crates/pincite-core/src/") && source.extension() == "rs")
    {
        if edges.contains(&source.path.as_str()) {
            continue;
        }
        for (number, line) in (1..)
            .zip(code_only(&source.text).lines())
            .filter(|(_, line)| line.trim_start().starts_with("pub "))
        {
            for name in names {
                for kind in plain {
                    let typed = format!("{name}: {kind}");
                    if crate::code::contains_word(line, &typed) {
                        findings.push(format!("{}:{number}: {typed}", source.path));
                    }
                }
            }
        }
    }
    let offset =
        std::fs::read_to_string(tree::root().join("crates/pincite-core/src/text/offset.rs")).expect("offset.rs");
    assert!(
        offset.contains("pub struct CharOffset("),
        "CharOffset is a type of its own"
    );
    no_findings(
        &findings,
        "CharOffset or CharSpan; UTF-8 bytes and UTF-16 units exist only at an edge",
    );
}

#[test]
fn no_row_crosses_and_no_wire_type_is_kept() {
    let mut findings = Vec::new();
    for source in tree::sources().iter().filter(|source| source.extension() == "rs") {
        let code = code_only(&source.text);
        let (in_store, in_wire) = (
            source.path.starts_with("crates/pincite-store/"),
            source.path.starts_with("crates/pincite-app/src/wire/"),
        );
        for (number, line) in (1..).zip(code.lines()) {
            let derives = |name: &str| line.contains("derive(") && crate::code::contains_word(line, name);
            if derives("FromRow") && (!in_store || derives("Serialize")) {
                findings.push(format!("{}:{number}: a row of the database that crosses", source.path));
            }
            if (derives("TS") || line.contains("#[ts(export)]")) && !in_wire {
                findings.push(format!(
                    "{}:{number}: a wire type outside crates/pincite-app/src/wire",
                    source.path
                ));
            }
        }
    }
    no_findings(
        &findings,
        "rows live in pincite-store, wire types in pincite-app/src/wire, and a use case maps one to the other",
    );
}

#[test]
fn every_wire_type_has_its_generated_file_and_none_is_left_over() {
    let sources = tree::sources();
    let mut wire: Vec<String> = Vec::new();
    for source in sources
        .iter()
        .filter(|source| source.path.starts_with("crates/pincite-app/src/wire/"))
    {
        let mut exported = false;
        for line in source.text.lines() {
            exported |= line.contains("#[ts(export");
            let named = ["pub struct ", "pub enum "]
                .iter()
                .find_map(|start| line.strip_prefix(start));
            if let Some(rest) = named {
                let name: String = rest
                    .chars()
                    .take_while(|character| character.is_alphanumeric())
                    .collect();
                if exported {
                    wire.push(name);
                }
                exported = false;
            }
        }
    }
    wire.sort();
    let generated: Vec<String> = sources
        .iter()
        .filter_map(|source| {
            source
                .path
                .strip_prefix("ui/src/lib/generated/")?
                .strip_suffix(".ts")
                .map(str::to_owned)
        })
        .filter(|name| !name.contains('/'))
        .collect();
    assert_eq!(wire, generated, "run `make gen` and commit what it writes");
    assert!(
        wire.iter().any(|name| name == "ErrorCode") && wire.iter().any(|name| name == "ErrorView"),
        "errors cross as code and message"
    );
}

#[test]
fn relocation_and_abstention_are_values() {
    // A quote's place: found, ambiguous, or not there; never an error, never a guess.
    let text =
        |path: &str| std::fs::read_to_string(tree::root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let place = code_only(&text("crates/pincite-core/src/citation/place.rs"));
    let placement = place
        .split("pub enum Placement")
        .nth(1)
        .and_then(|rest| rest.split('}').next())
        .expect("Placement is an enumeration");
    for value in ["Placed", "Ambiguous", "NotFound"] {
        assert!(placement.contains(value), "Placement has no {value}");
    }
    let decide = code_only(&text("crates/pincite-core/src/record/decide.rs"));
    let outcome = decide
        .split("pub enum Outcome")
        .nth(1)
        .and_then(|rest| rest.split('}').next())
        .expect("Outcome is an enumeration");
    for value in ["Show", "Flag", "Abstain", "Review"] {
        assert!(outcome.contains(value), "Outcome has no {value}");
    }
}
