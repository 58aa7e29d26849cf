//! The demo from end to end, and a whole pass over its queue by a reviewer who knows the truth.
//!
//! Deliberately not here: whether the curve's numbers are right; the core is asked that with numbers that can be checked by
//! hand.

use crate::{claim, counts, decide_arguments, elements, number, text};
use pincite_tests::{World, tree, world::files_below};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn sort_key(item: &Value) -> (bool, String, String, String) {
    let due = item["due_at"].as_str().map_or_else(|| "9".to_owned(), str::to_owned);
    (
        !item["hard"].as_bool().unwrap_or_default(),
        due,
        text(item, "created_at").to_owned(),
        text(item, "item").to_owned(),
    )
}

#[test]
fn the_demo_is_worked_from_its_queue_to_a_curve() {
    let world = World::new();
    let made = world.json(["init", "--demo"]);
    assert_eq!(made["demo"], json!(true));
    assert_eq!(number(&made["counts"], "lines"), 328);
    assert_eq!(number(&made["counts"], "refused_lines"), 0);
    let queue = world.json(["queue", "list"]);
    let queue = elements(&queue);
    let stats = world.json(["queue", "stats"]);
    assert_eq!(
        number(&stats, "open"),
        i64::try_from(queue.len()).expect("a small number")
    );
    let order: Vec<_> = queue.iter().map(sort_key).collect();
    assert!(
        order.is_sorted(),
        "hard first, then the nearest due date, then the oldest, then by id"
    );
    let places: BTreeSet<String> = queue
        .iter()
        .map(|item| format!("{} {} {}", item["doc_id"], item["doc_sha256"], item["field"]))
        .collect();
    assert_eq!(places.len(), queue.len(), "one item a field of a version");

    // Accept: the next item is the first of the list, and the decision's value is the candidate's.
    let next = world.json(["queue", "next"]);
    assert_eq!(next["item"], queue[0]["item"]);
    let first = claim(&world, "ada").expect("an item");
    assert_eq!(first["item"], next["item"]);
    assert_ne!(
        world.json(["queue", "next"])["item"],
        next["item"],
        "held items are not next"
    );
    let labels = |curves: &Value| {
        elements(curves)
            .iter()
            .map(|curve| number(curve, "labels"))
            .sum::<i64>()
    };
    let before = world.json(["calibrate"]);
    let accepted = world.json(decide_arguments(&first, "ada", "k-accept", &["--accept"]));
    let shown = world.json(["queue", "show", text(&first, "item")]);
    assert_eq!(accepted["value"], shown["candidate"]["value"]);
    assert_eq!(accepted["standing"], json!(true));
    assert_eq!(
        accepted["confidence"].as_f64().map(|confidence| confidence > 0.0),
        Some(true),
        "what was blind is shown now"
    );
    // It waited for a citation that does not hold: what was decided on it says nothing about confidence.
    assert!(text(&next, "reason") == "unverified_citation");
    let between = world.json(["calibrate"]);
    assert_eq!(labels(&before), labels(&between));

    // Correct: every candidate is measured against the value that was stated.
    let turnover = queue
        .iter()
        .find(|item| text(item, "field") == "solvency.min_annual_turnover_lot2")
        .expect("the field is in the queue");
    let held = world.json(["queue", "claim", text(turnover, "item"), "--as", "ada"]);
    let corrected = world.json(decide_arguments(
        &held,
        "ada",
        "k-correct",
        &["--correct", "{\"amount\": 275000, \"currency\": \"EUR\"}"],
    ));
    assert_eq!(corrected["value"], json!({"amount": 275_000, "currency": "EUR"}));
    let after = world.json(["calibrate"]);
    assert!(
        labels(&after) > labels(&between),
        "a decision labels its candidate, and the others of its field"
    );
    // Reject and abstain state no value, and say why.
    let third = claim(&world, "ada").expect("an item");
    let rejected = world.json(decide_arguments(
        &third,
        "ada",
        "k-reject",
        &["--reject", "wrong_passage", "--note", "the annex prevails"],
    ));
    assert_eq!(
        (&rejected["value"], text(&rejected, "reason"), text(&rejected, "note")),
        (&Value::Null, "wrong_passage", "the annex prevails")
    );
    let fourth = claim(&world, "ada").expect("an item");
    let abstained = world.json(decide_arguments(
        &fourth,
        "ada",
        "k-abstain",
        &["--abstain", "not_stated"],
    ));
    assert_eq!(
        (&abstained["value"], text(&abstained, "kind")),
        (&Value::Null, "abstain")
    );
    let still = world.json(["queue", "list"]);
    for decided in [&first, &held, &third, &fourth] {
        assert!(
            elements(&still).iter().all(|item| item["item"] != decided["item"]),
            "a decided item leaves the queue"
        );
    }

    // Undo: a new decision that names the one it replaces; the item is open again, and its version has moved on.
    let undone = world.json([
        "queue",
        "undo",
        text(&abstained, "decision"),
        "--as",
        "ada",
        "--key",
        "k-undo",
    ]);
    assert_eq!(
        (text(&undone, "kind"), &undone["replaces"], &undone["value"]),
        ("undo", &abstained["decision"], &Value::Null)
    );
    let again = world.json(["queue", "claim", text(&fourth, "item"), "--as", "ada"]);
    assert!(number(&again, "item_version") > number(&fourth, "item_version"));
    assert!(number(&again, "token") > number(&fourth, "token"));
    let decisions = world.lines(0, ["decision", "list"]);
    let kinds: Vec<&str> = decisions.iter().map(|decision| text(decision, "kind")).collect();
    assert_eq!(kinds, ["accept", "correct", "reject", "abstain", "undo"]);
    let standing: Vec<bool> = decisions
        .iter()
        .map(|decision| decision["standing"].as_bool().unwrap_or_default())
        .collect();
    assert_eq!(standing, [true, true, true, false, false]);

    // What the Fields view and an export say now.
    let resolved = world.lines(0, ["record", "export", "--resolved"]);
    let of = |item: &Value| {
        resolved
            .iter()
            .find(|record| record["item"] == *item)
            .expect("the item's field is exported")
    };
    assert_eq!(of(&held["item"])["resolved_value"], corrected["value"]);
    assert_eq!(
        (
            text(of(&held["item"]), "decision"),
            text(of(&held["item"]), "resolved_outcome")
        ),
        ("correct", "decided")
    );
    assert_eq!(text(of(&fourth["item"]), "resolved_outcome"), "in_review");
    assert_eq!(
        of(&fourth["item"])["resolved_value"],
        Value::Null,
        "a value in review is not shown as fact"
    );
    let places: BTreeSet<String> = resolved
        .iter()
        .map(|record| format!("{} {} {}", record["doc_id"], record["doc_sha256"], record["field"]))
        .collect();
    assert_eq!(places.len(), resolved.len(), "one line a field of a version");

    let actions: Vec<String> = world
        .lines(0, ["audit", "log"])
        .iter()
        .map(|entry| text(entry, "action").to_owned())
        .collect();
    let count = |name: &str| actions.iter().filter(|action| *action == name).count();
    assert_eq!(
        (
            count("queue.decide"),
            count("queue.undo"),
            count("document.ingest"),
            count("record.import")
        ),
        (4, 1, 49, 328)
    );
    assert!(world.json(["audit", "verify"])["fault"].is_null());
}

#[test]
fn a_pass_over_the_whole_queue_ends_with_null_and_curves() {
    let world = World::demo();
    let mut truth: BTreeMap<String, Value> = BTreeMap::new();
    for file in ["records/demo-truth.json", "records/slips-truth.json"] {
        let part: BTreeMap<String, Value> = serde_json::from_str(&tree::fixture_text(file)).expect("the truth is JSON");
        truth.extend(part);
    }
    let mut decided = 0;
    while let Some(claim) = claim(&world, "mara") {
        let shown = world.json(["queue", "show", text(&claim, "item")]);
        let (item, candidate) = (&shown, &shown["candidate"]);
        let true_value = truth.get(&format!(
            "{}|{}|{}",
            text(item, "doc_id"),
            text(item, "doc_sha256"),
            text(item, "field")
        ));
        let key = format!("pass-{decided}");
        let stated;
        let verdict: Vec<&str> = match true_value {
            None => vec!["--reject", "wrong_document"],
            Some(Value::Null) => vec!["--abstain", "not_stated"],
            Some(value) if *value == candidate["value"] && text(candidate, "status") == "present" => vec!["--accept"],
            Some(value) => {
                stated = value.to_string();
                vec!["--correct", &stated]
            }
        };
        let _ = world.json(decide_arguments(&claim, "mara", &key, &verdict));
        decided += 1;
    }
    assert!(decided > 160, "{decided}");
    let empty = world.run(["queue", "claim", "--as", "mara", "--json"]);
    assert_eq!(
        (empty.code, empty.out.trim()),
        (0, "null"),
        "an empty queue is no error"
    );
    assert!(empty.err.contains("0 open"), "{}", empty.err);
    assert_eq!(elements(&world.json(["queue", "list", "--as", "mara"])).len(), 0);
    let stats = world.json(["queue", "stats", "--as", "mara"]);
    assert_eq!(
        (
            number(&stats, "open"),
            number(&stats, "decided"),
            number(&stats, "decided_today")
        ),
        (0, decided, decided)
    );
    let (_, items, decisions, _) = counts(&world);
    assert_eq!(
        (items, i64::try_from(decisions).expect("a small number")),
        (decided, decided)
    );

    // Forty slips, one label each: the only curves with labels enough.
    let curves = world.json(["calibrate"]);
    let calibrated: Vec<(&str, i64)> = elements(&curves)
        .iter()
        .filter(|curve| curve["state"] == "calibrated")
        .map(|curve| (text(curve, "field"), number(curve, "labels")))
        .collect();
    assert_eq!(
        calibrated,
        [("slip.amount", 40), ("slip.retention", 40), ("slip.signed_on", 40)]
    );

    // Every true value is now what the export says.
    for record in world.lines(0, ["record", "export", "--resolved"]) {
        let place = format!(
            "{}|{}|{}",
            text(&record, "doc_id"),
            text(&record, "doc_sha256"),
            text(&record, "field")
        );
        let (Some(value), "decided") = (truth.get(&place), text(&record, "resolved_outcome")) else {
            continue;
        };
        assert_eq!(record["resolved_value"], *value, "{place}");
    }
    let curves = world.json(["calibrate"]);
    let labels: i64 = elements(&curves).iter().map(|curve| number(curve, "labels")).sum();
    let derived: i64 = elements(&curves).iter().map(|curve| number(curve, "derived")).sum();
    assert!(
        labels > decided && derived > 0,
        "{labels} labels, {derived} of them derived"
    );
    for curve in elements(&curves) {
        assert_eq!(number(curve, "pending"), 0, "nothing waits any more: {curve}");
        for bin in elements(&curve["bins"]) {
            let (count, right) = (number(bin, "n"), bin["right"].as_f64());
            assert_eq!(count > 0, right.is_some(), "an empty bin has no share: {bin}");
            assert!(right.is_none_or(|right| (0.0..=1.0).contains(&right)), "{bin}");
        }
    }
    let suggestion = world.json([
        "threshold",
        "suggest",
        "retention.period",
        "--model",
        "ext-large",
        "--prompt-version",
        "ext-3.5",
    ]);
    assert_eq!(
        suggestion["tau_show"],
        Value::Null,
        "a handful of labels supports no threshold: {suggestion}"
    );
    assert!(number(&suggestion, "labels_needed") > 0, "{suggestion}");
}

#[test]
fn nothing_is_written_but_below_the_workspace() {
    let world = World::demo();
    let held = claim(&world, "ada").expect("an item");
    let _ = world.json(decide_arguments(&held, "ada", "k", &["--accept"]));
    let right = tree::fixture("records/right.jsonl").display().to_string();
    let _ = world.lines(1, ["verify", "--all"]);
    let _ = world.lines(0, ["record", "import", "--place", &right]);
    let _ = world.run(["ingest", "no-such-file.pdf"]);
    let _ = world.json(["calibrate"]);
    for folder in [world.home(), world.temporary(), world.path("")] {
        assert_eq!(files_below(&folder), [], "{}", folder.display());
    }
    let names: BTreeSet<String> = world
        .workspace_files()
        .iter()
        .filter_map(|(path, _)| {
            path.strip_prefix(world.workspace())
                .ok()?
                .components()
                .next()
                .map(|part| part.as_os_str().to_string_lossy().into_owned())
        })
        .collect();
    let known = [
        "blobs",
        "pincite.sqlite",
        "pincite.sqlite-shm",
        "pincite.sqlite-wal",
        "turn-next.lock",
        "turn-writes.lock",
    ];
    assert!(names.iter().all(|name| known.contains(&name.as_str())), "{names:?}");
    // Where no workspace is named, it is in the user's data folder, as the platform has it, or where the variable says.
    let mut command = world.bare_command();
    let missing = command.args(["queue", "list"]).output().expect("pincite starts");
    let words = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(
        missing.status.code() == Some(2) && words.contains(&world.home().join("data/pincite").display().to_string()),
        "{words}"
    );
    assert_eq!(
        files_below(&world.home()),
        [],
        "a command other than init makes no workspace"
    );
    let mut command = world.bare_command();
    let named = command
        .env("PINCITE_WORKSPACE", world.workspace_argument())
        .envs(world.session("tester").map(|token| ("PINCITE_SESSION", token)))
        .args(["queue", "stats"])
        .output()
        .expect("pincite starts");
    assert_eq!(named.status.code(), Some(0));
}
