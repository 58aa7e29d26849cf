//! Thresholds and audit shares: what they let through, what they draw, and that routing again only adds people's eyes.
//!
//! Deliberately not here: the rule itself, case by case (the core's own tests).

use crate::{elements, number, text};
use pincite_tests::{World, tree};
use serde_json::{Value, json};

/// Shares so small that nothing in the fixtures is drawn; 0 is refused.
const HARDLY_EVER: &str = "{\"show\":1e-9,\"flag\":1e-9,\"abstain\":1e-9}";

fn record_lines(file: &str) -> Vec<Value> {
    // NaN is no JSON: the one line that has it is left out.
    tree::fixture_text(file)
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

fn set_shares(world: &World, shares: &str) {
    let _ = world.json(["settings", "set", "audit_shares", shares, "--why", "a test"]);
}

fn set_threshold(world: &World, field: &str, show: f64, flag: f64) -> Value {
    let (show, flag) = (show.to_string(), flag.to_string());
    let of = [
        "--model",
        "ext-large",
        "--prompt-version",
        "ext-3.5",
        "--tau-show",
        &show,
        "--tau-flag",
        &flag,
    ];
    world.json([&["threshold", "set", field, "--why", "a test"][..], &of].concat())
}

/// Three fields whose one record in right.jsonl is to be shown, flagged and reviewed, with that record's confidence.
fn three_fields(records: &[Value]) -> Vec<(String, f64)> {
    let present = records
        .iter()
        .filter(|record| text(record, "status") == "present" && text(record, "doc_id") == "pliego-2026-014");
    present
        .take(3)
        .map(|record| {
            (
                text(record, "field").to_owned(),
                record["confidence"].as_f64().expect("a number"),
            )
        })
        .collect()
}

#[test]
fn thresholds_show_flag_and_review_and_raised_shares_draw_more() {
    let world = World::with_documents();
    set_shares(&world, HARDLY_EVER);
    let records = record_lines("records/right.jsonl");
    let fields = three_fields(&records);
    let [(shown, at), (flagged, badge), (reviewed, under)] = fields.as_slice() else {
        panic!("three fields: {fields:?}")
    };
    // Equal is enough: confidence >= tau.
    let kept = set_threshold(&world, shown, *at, *at);
    assert_eq!(
        (kept["tau_show"].as_f64(), text(&kept, "why"), text(&kept, "set_by")),
        (Some(*at), "a test", "tester")
    );
    let _ = set_threshold(&world, flagged, 1.0, *badge);
    let _ = set_threshold(&world, reviewed, 1.0, (under + 1.0) / 2.0);
    let imported = world.lines(
        0,
        [
            "record",
            "import",
            &tree::fixture("records/right.jsonl").display().to_string(),
        ],
    );
    let outcome_of = |field: &str| {
        let at = records
            .iter()
            .position(|record| text(record, "field") == field)
            .expect("the field has a record");
        text(&imported[at], "outcome").to_owned()
    };
    assert_eq!(
        [outcome_of(shown), outcome_of(flagged), outcome_of(reviewed)],
        ["shown", "flagged", "queued"]
    );
    let abstained = imported
        .iter()
        .filter(|line| text(line, "outcome") == "abstained")
        .count();
    let absent = records
        .iter()
        .filter(|record| text(record, "status") == "absent")
        .count();
    assert_eq!(abstained, absent);
    assert!(
        imported
            .iter()
            .filter(|line| text(line, "outcome") != "queued")
            .all(|line| line["item"].is_null()),
        "what is shown is not queued"
    );
    // What is shown is in the export, with its value.
    let resolved = world.lines(0, ["record", "export", "--resolved"]);
    let of = |field: &str| {
        resolved
            .iter()
            .find(|record| text(record, "field") == field)
            .expect("the field is exported")
            .clone()
    };
    assert_eq!(
        (
            text(&of(shown), "resolved_outcome"),
            of(shown)["resolved_value"].is_null()
        ),
        ("shown", false)
    );
    assert_eq!(text(&of(flagged), "resolved_outcome"), "flagged");
    assert_eq!(
        (text(&of(reviewed), "resolved_outcome"), &of(reviewed)["resolved_value"]),
        ("in_review", &Value::Null)
    );

    // Raised shares draw at once from what was passed before; each stratum by its own share.
    let open = || number(&world.json(["queue", "stats"]), "open");
    let before = open();
    set_shares(&world, "{\"show\":1,\"flag\":1e-9,\"abstain\":1e-9}");
    assert_eq!(open(), before + 1, "the one that was shown");
    set_shares(&world, "{\"show\":1,\"flag\":1,\"abstain\":1}");
    assert_eq!(open(), before + 2 + i64::try_from(absent).expect("a small number"));
    let unblind = world.json(["queue", "list", "--unblind"]);
    let drawn = elements(&unblind)
        .iter()
        .filter(|item| text(item, "reason") == "sample_audit")
        .count();
    assert_eq!(drawn, 2 + absent);
    let blind = world.json(["queue", "list"]);
    assert!(
        elements(&blind)
            .iter()
            .all(|item| text(item, "reason") == "check_value"),
        "audits and low confidence read the same"
    );
    // A lowered share takes nobody's work away.
    set_shares(&world, HARDLY_EVER);
    assert_eq!(open(), before + 2 + i64::try_from(absent).expect("a small number"));
    assert_eq!(
        world.json(["settings", "show"])["audit_shares"],
        json!({"show": 1e-9, "flag": 1e-9, "abstain": 1e-9})
    );
}

#[test]
fn a_draw_is_the_same_in_every_workspace_and_a_raised_share_contains_the_lower_one() {
    let drawn = |share: &str| {
        let world = World::with_documents();
        set_shares(
            &world,
            &format!("{{\"show\":{share},\"flag\":{share},\"abstain\":{share}}}"),
        );
        let path = world.file("absent.jsonl", absent_records());
        let imported = world.lines(0, ["record", "import", &path]);
        let names = imported
            .iter()
            .filter(|line| text(line, "outcome") == "queued")
            .map(|line| text(line, "record_id").to_owned());
        names.collect::<Vec<_>>()
    };
    let (third, again, half) = (drawn("0.3"), drawn("0.3"), drawn("0.5"));
    assert_eq!(third, again, "anyone can redraw it");
    assert!(
        third.iter().all(|name| half.contains(name)),
        "a raised share contains the lower one"
    );
    assert!(
        (30..=90).contains(&third.len()) && half.len() > third.len(),
        "{} and {} of 200",
        third.len(),
        half.len()
    );
}

/// Two hundred records that rightly say "not stated", each of another prompt version.
fn absent_records() -> String {
    let absent = record_lines("records/right.jsonl")
        .into_iter()
        .find(|record| text(record, "status") == "absent")
        .expect("an absent record");
    let mut lines = String::new();
    for number in 0..200 {
        let mut record = absent.clone();
        record["record_id"] = json!(format!("absent-{number}"));
        record["extractor"]["prompt_version"] = json!(format!("p-{number}"));
        lines.push_str(&format!("{record}\n"));
    }
    lines
}

#[test]
fn thresholds_of_another_prompt_version_show_nothing_plainly() {
    let world = World::with_documents();
    set_shares(&world, HARDLY_EVER);
    let catalogue = world.json(["catalogue", "show"]);
    let catalogue = &catalogue["field"];
    let fields = catalogue.as_object().expect("fields");
    for field in fields.keys() {
        let _ = set_threshold(&world, field, 0.0, 0.0);
    }
    let imported = world.lines(
        0,
        [
            "record",
            "import",
            &tree::fixture("records/demo.jsonl").display().to_string(),
        ],
    );
    let records = record_lines("records/demo.jsonl");
    let mut seen = [0, 0, 0];
    for (record, line) in records.iter().zip(&imported) {
        // Values that are not of their type, and the like, are reviewed whatever the threshold.
        let plain = line["reason"].is_null() || text(line, "reason") == "check_value";
        if text(record, "status") != "present" || !plain {
            continue;
        }
        let hard = catalogue[text(record, "field")]["hard"].as_bool().unwrap_or_default();
        let (place, wanted) = match (text(&record["extractor"], "prompt_version"), hard) {
            ("ext-3.5", _) => (0, "shown"),
            (_, true) => (1, "queued"),
            (_, false) => (2, "flagged"),
        };
        seen[place] += 1;
        assert_eq!(text(line, "outcome"), wanted, "{record}");
    }
    assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
    // Measured on another prompt version, and said so where the curve is shown.
    for curve in elements(&world.json(["calibrate"])) {
        let stale = text(curve, "prompt_version") != "ext-3.5" || text(curve, "model") != "ext-large";
        if text(curve, "of") == "present" && catalogue[text(curve, "field")].is_object() {
            assert_eq!(curve["threshold"]["stale"], json!(stale), "{curve}");
        }
    }
}
