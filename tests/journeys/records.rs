//! The fixtures' records: right ones, traps, ones without offsets, lines that are none.
//!
//! Deliberately not here: placing on real documents (the corpus).

use crate::{counts, elements, text};
use pincite_tests::{World, tree};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn import(world: &World, code: i32, file: &str, options: &[&str]) -> Vec<Value> {
    let path = tree::fixture("records").join(file).display().to_string();
    world.lines(code, [&["record", "import", &path][..], options].concat())
}

#[test]
fn right_records_are_verified_as_given() {
    let world = World::with_documents();
    let imported = import(&world, 0, "right.jsonl", &[]);
    assert_eq!(imported.len(), 32);
    let citations: Vec<&Value> = imported.iter().flat_map(|line| elements(&line["citations"])).collect();
    assert_eq!(citations.len(), 30);
    for citation in citations {
        assert_eq!(
            (text(citation, "state"), &citation["placed"], &citation["placing"]),
            ("verified", &json!(false), &Value::Null),
            "{citation}"
        );
    }
    for verified in world.lines(0, ["verify", "--all"]) {
        assert_eq!(text(&verified, "state"), "verified", "{verified}");
    }
    // The same citations as a file of their own.
    let listed = world.lines(0, ["record", "list"]);
    let file: String = listed
        .iter()
        .flat_map(|record| elements(&record["provenance"]))
        .map(|citation| format!("{citation}\n"))
        .collect();
    let path = world.file("citations.jsonl", file);
    let checked = world.lines(0, ["verify", &path]);
    assert_eq!(checked.len(), 30);
    assert!(checked.iter().all(|answer| text(answer, "state") == "verified"
        && answer["carriage"] == json!("same")
        && answer["standing"] == "unknown"));
}

#[test]
fn each_trap_is_caught_for_its_own_reason() {
    let world = World::with_documents();
    let expected: BTreeMap<String, Value> =
        serde_json::from_str(&tree::fixture_text("records/traps-expected.json")).expect("expectations are JSON");
    let imported = import(&world, 1, "traps.jsonl", &[]);
    assert_eq!(imported.len(), expected.len());
    for line in &imported {
        let name = text(line, "record_id");
        let wanted = &expected[name];
        let (outcome, reason) = (text(line, "outcome"), &line["reason"]);
        let drawn = name == "trap-absent" && outcome == "queued" && *reason == json!("check_value");
        assert!(
            drawn || (outcome == text(wanted, "outcome") && *reason == wanted["reason"]),
            "{name}: {line}, wanted {wanted}"
        );
        let reasons: Vec<&Value> = elements(&line["citations"])
            .iter()
            .map(|citation| &citation["reason"])
            .collect();
        assert_eq!(
            reasons,
            elements(&wanted["citations"]).iter().collect::<Vec<_>>(),
            "{name}"
        );
        for citation in elements(&line["citations"]) {
            assert_eq!(
                text(citation, "state") == "verified",
                citation["reason"].is_null(),
                "{name}"
            );
        }
    }
    let listed = world.lines(0, ["record", "list"]);
    assert_eq!(listed.len(), expected.len(), "every record is kept, queued or not");
    let claimed = listed
        .iter()
        .find(|record| text(record, "record_id") == "trap-claims-verified")
        .expect("it is kept");
    assert_eq!(
        text(&claimed["provenance"][0], "state"),
        "failed",
        "an imported quote_verified is a claim, and is ignored"
    );
}

#[test]
fn placing_places_what_has_one_place_and_nothing_else() {
    let world = World::with_documents();
    let imported = import(&world, 1, "traps.jsonl", &["--place"]);
    let of = |name: &str| {
        imported
            .iter()
            .find(|line| text(line, "record_id") == name)
            .map(|line| line["citations"][0].clone())
            .expect("a trap")
    };
    for name in ["trap-no-offsets", "trap-shifted-offsets"] {
        assert_eq!(
            (text(&of(name), "state"), text(&of(name), "placing")),
            ("verified", "placed"),
            "{name}"
        );
    }
    assert_eq!(
        (
            text(&of("trap-ambiguous-quote"), "placing"),
            text(&of("trap-ambiguous-quote"), "reason")
        ),
        ("ambiguous", "no_offsets")
    );
    for name in [
        "dropped-not",
        "rounded-number",
        "ellipsis",
        "skipped-column",
        "claims-verified",
        "over-page-break",
    ] {
        let citation = of(&format!("trap-{name}"));
        assert_eq!(
            (text(&citation, "state"), text(&citation, "placing")),
            ("failed", "not_found"),
            "{name}: {citation}"
        );
    }
    for name in ["wrong-page", "wrong-locator", "unknown-bytes"] {
        assert_eq!(
            of(&format!("trap-{name}"))["placing"],
            Value::Null,
            "{name}: its offsets are right, so there is nothing to look for"
        );
    }
}

/// What two readings of one page have in common: letters and digits, without white space, hyphens or case.
fn bare(text: &str) -> String {
    text.chars()
        .filter(|character| {
            !character.is_whitespace() && !matches!(character, '-' | '\u{ad}' | '\u{2010}' | '\u{200b}')
        })
        .flat_map(char::to_lowercase)
        .collect()
}

#[test]
fn quotes_without_offsets_are_placed_where_they_stand() {
    let world = World::with_documents();
    let path = tree::fixture("records/no-offsets.jsonl").display().to_string();
    let answer = world.run(["record", "import", "--place", "--json", &path]);
    assert_eq!(answer.code, 0, "{}", answer.err);
    let imported = answer.lines();
    let citations: Vec<&Value> = imported.iter().flat_map(|line| elements(&line["citations"])).collect();
    assert_eq!(citations.len(), 28);
    for citation in &citations {
        assert_eq!(
            (text(citation, "state"), &citation["placed"]),
            ("verified", &json!(true)),
            "{citation}"
        );
    }
    assert!(
        answer
            .err
            .contains("0 verified as given, 28 placed, 0 ambiguous, 0 not found, 0 failed"),
        "{}",
        answer.err
    );
    // Held against the layer by another rule than the one that placed them.
    let mut layers: BTreeMap<String, Vec<char>> = BTreeMap::new();
    for record in world.lines(0, ["record", "list"]) {
        for citation in elements(&record["provenance"]) {
            let document = format!("{}@{}", text(citation, "doc_id"), text(citation, "doc_sha256"));
            let layer = layers
                .entry(document.clone())
                .or_insert_with(|| world.run(["document", "text", &document]).out.chars().collect());
            let end = |key: &str| usize::try_from(crate::number(citation, key)).expect("an offset");
            let slice: String = layer[end("char_start")..end("char_end")].iter().collect();
            assert_eq!(bare(&slice), bare(text(citation, "quote")), "{document}");
            let page = 1 + layer[..end("char_start")]
                .iter()
                .filter(|character| **character == '\u{c}')
                .count();
            assert_eq!(citation["page"], json!(page));
            assert!(citation["locator"].is_string(), "{citation}");
        }
    }
    // Without being asked, nothing is placed.
    let other = World::with_documents();
    let unplaced = import(&other, 1, "no-offsets.jsonl", &[]);
    assert!(
        unplaced
            .iter()
            .flat_map(|line| elements(&line["citations"]))
            .all(|citation| citation["reason"] == json!("no_offsets"))
    );
}

#[test]
fn what_is_no_record_is_refused_and_the_rest_is_kept() {
    let world = World::with_documents();
    let before = counts(&world);
    let path = tree::fixture("records/refused.jsonl").display().to_string();
    let answer = world.run(["record", "import", "--json", &path]);
    assert_eq!(answer.code, 1, "{answer:?}");
    let lines = answer.lines();
    assert_eq!(lines.len(), 3);
    for (number, line) in (1..).zip(&lines) {
        assert_eq!(
            (crate::number(line, "line"), text(line, "outcome")),
            (number, "refused")
        );
        assert!(
            answer.err.contains(&format!("{path}: line {number}: ")),
            "{}",
            answer.err
        );
    }
    assert_eq!(counts(&world), before);
    // With good lines around them.
    let right = tree::fixture_text("records/right.jsonl");
    let mixed = world.file(
        "mixed.jsonl",
        format!("{}not json\n{right}", tree::fixture_text("records/refused.jsonl")),
    );
    let answer = world.run(["record", "import", "--strict", &mixed]);
    crate::assert_refused(&answer, 2, &[&mixed, "line 1", "nothing of the file was kept"]);
    assert_eq!(counts(&world), before, "nothing half written");
    let late = world.file("late.jsonl", format!("{right}not json"));
    let answer = world.run(["record", "import", "--strict", &late]);
    crate::assert_refused(&answer, 2, &[&late, "line 33", "nothing of the file was kept"]);
    assert_eq!(counts(&world), before, "nothing half written, even by the last line");
    let answer = world.run(["record", "import", "--json", &mixed]);
    assert_eq!(answer.code, 1);
    let kept = answer
        .lines()
        .iter()
        .filter(|line| text(line, "outcome") != "refused")
        .count();
    assert_eq!((kept, answer.lines().len()), (32, 36));
    assert_eq!(counts(&world).0, 32);
}

#[test]
fn importing_again_changes_nothing() {
    let world = World::with_documents();
    for file in ["right.jsonl", "traps.jsonl", "demo.jsonl"] {
        let code = i32::from(file == "traps.jsonl");
        let first = import(&world, code, file, &["--place"]);
        let (before, listed) = (counts(&world), world.lines(0, ["record", "list"]));
        let again = import(&world, code, file, &["--place"]);
        assert_eq!(counts(&world), before, "{file}: no second record, item or audit entry");
        assert_eq!(world.lines(0, ["record", "list"]), listed, "{file}");
        let told = |lines: &[Value]| {
            lines
                .iter()
                .map(|line| (line["record_id"].clone(), line["outcome"].clone(), line["item"].clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(told(&first), told(&again), "{file}");
    }
    // Another value under the same id is another record, and a candidate is never overwritten.
    let mut record: Value = tree::fixture_text("records/right.jsonl")
        .lines()
        .next()
        .and_then(|line| serde_json::from_str(line).ok())
        .expect("a record");
    record["confidence"] = json!(0.123);
    let path = world.file("changed.jsonl", record.to_string());
    let answer = world.run(["record", "import", &path]);
    assert_eq!(answer.code, 1);
    assert!(
        answer.err.contains("line 1") && answer.err.contains("never overwritten"),
        "{}",
        answer.err
    );
}
