//! Index lag: what an index outside says that it holds, held against what the registry recorded, without any question asked.
//!
//! Deliberately not here: since when access waits, case by case (the core's own tests).

use crate::answers::{bytes_of, policies};
use crate::contract::assert_keys;
use crate::{assert_refused, elements, number, text};
use pincite_tests::World;
use serde_json::{Value, json};

const COPY: &str = "expenses-policy-on-the-shared-drive";

fn report(world: &World, code: i32, build: &str, lines: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    let file = world.file("indexed.jsonl", lines.join("\n"));
    world.lines(code, ["registry", "indexed", &file, "--build", build])
}

/// How far an index lags, and that the exit code says so.
fn lag(world: &World, more: &[&str]) -> Value {
    let ended = world.run([&["registry", "lag", "--json"][..], more].concat());
    let view = ended.lines().pop().expect("an answer");
    assert_eq!(ended.code, i32::from(view["alarm"] == true), "{view}: {}", ended.err);
    view
}

fn waiting(view: &Value) -> (i64, i64, i64) {
    (
        number(view, "indexed"),
        number(view, "waiting_revisions"),
        number(view, "waiting_access"),
    )
}

#[test]
fn an_index_lags_by_what_was_recorded_since_it_took_a_document_in() {
    let world = policies();
    let (old, new, copy) = (
        bytes_of(&world, "expenses-policy", 1),
        bytes_of(&world, "expenses-policy", 2),
        bytes_of(&world, COPY, 1),
    );
    // Nobody reported anything: all of it waits, since it was recorded.
    let nothing = lag(&world, &[]);
    assert_keys(
        &nothing,
        "build indexed waiting_revisions waiting_access oldest_recorded_at oldest_age_ms alarm revisions access \
         + reported_at alarm_hours",
        "registry lag",
    );
    assert_eq!((waiting(&nothing), &nothing["alarm"]), ((0, 3, 0), &json!(true)));
    assert!(nothing["build"].is_null() && text(&nothing, "oldest_recorded_at").starts_with("2024-12-0"));
    let first = &nothing["revisions"][0];
    assert_keys(first, "doc_id seq revision recorded_at", "registry lag: a revision");
    assert_eq!((text(first, "doc_id"), number(first, "seq")), ("expenses-policy", 1));

    // An index that took two of them in: by their bytes, or by their place in the order.
    let lines = report(
        &world,
        0,
        "b-1",
        &[
            json!({ "doc_id": "expenses-policy", "doc_sha256": old }),
            json!({ "doc_id": "expenses-policy", "seq": 2 }),
        ],
    );
    for line in &lines {
        assert_keys(line, "line doc_id outcome reason", "registry indexed");
        assert_eq!(
            (text(line, "outcome"), text(line, "doc_id")),
            ("kept", "expenses-policy")
        );
    }
    let one = lag(&world, &[]);
    assert_eq!((text(&one, "build"), waiting(&one)), ("b-1", (2, 1, 0)));
    assert_eq!(text(&one["revisions"][0], "doc_id"), COPY);
    assert_eq!(one["alarm"], true, "it was recorded in 2025");
    // Reports of a build add up; an older day says nothing of what came after it.
    let stamped = |at: &str| json!({ "doc_id": COPY, "doc_sha256": copy, "indexed_at": at });
    let _ = report(&world, 0, "b-1", &[stamped("2025-05-31")]);
    assert_eq!(waiting(&lag(&world, &[])), (2, 1, 0));
    let _ = report(&world, 0, "b-1", &[stamped("2025-06-02")]);
    let all = lag(&world, &[]);
    assert_eq!((waiting(&all), &all["alarm"]), ((3, 0, 0), &json!(false)));
    assert!(all["oldest_age_ms"].is_null() && all["oldest_recorded_at"].is_null());

    // An event of a revision waits like a revision; it alarms once it waits for longer than it may.
    let _ = world.json([
        "registry",
        "withdraw",
        "expenses-policy",
        "--seq",
        "2",
        "--why",
        "a wrong rate",
    ]);
    let event = lag(&world, &[]);
    assert_eq!((waiting(&event), &event["alarm"]), ((2, 1, 0), &json!(false)));
    assert_eq!(number(&event["revisions"][0], "seq"), 2);
    let hours = |value: &str| {
        let set = world.json(["settings", "set", "index_lag_alarm_hours", value, "--why", "a test"]);
        assert_eq!(set["index_lag_alarm_hours"].to_string(), value);
    };
    assert_eq!(number(&event, "alarm_hours"), 24);
    hours("0");
    assert_eq!(lag(&world, &[])["alarm"], true);
    hours("24");
    for value in ["1.5", "x", "100000"] {
        let set = ["settings", "set", "index_lag_alarm_hours", value, "--why", "a test"];
        assert_refused(&world.run(set), 2, &["index_lag_alarm_hours", "whole number"]);
    }
    let _ = report(
        &world,
        0,
        "b-1",
        &[json!({ "doc_id": "expenses-policy", "doc_sha256": new })],
    );
    assert_eq!(waiting(&lag(&world, &[])), (3, 0, 0));

    // Another build says for itself; the one that reported last speaks where none is named.
    let _ = report(&world, 0, "b-2", &[json!({ "doc_id": COPY, "seq": 1 })]);
    assert_eq!(
        (waiting(&lag(&world, &[])), waiting(&lag(&world, &["--build", "b-1"]))),
        ((1, 2, 0), (3, 0, 0))
    );
    assert_refused(
        &world.run(["registry", "lag", "--build", "b-3"]),
        2,
        &["no index reported a build b-3"],
    );
    let entries = world.lines(0, ["audit", "log"]);
    assert_eq!(
        entries.iter().filter(|entry| entry["action"] == "index.report").count(),
        5
    );
    assert!(world.json(["audit", "verify"])["fault"].is_null());
}

#[test]
fn a_change_of_who_may_read_a_document_waits_until_every_version_has_it() {
    let world = policies();
    let (old, new) = (
        bytes_of(&world, "expenses-policy", 1),
        bytes_of(&world, "expenses-policy", 2),
    );
    let of = |hash: &str, groups: Option<Value>| match groups {
        Some(groups) => json!({ "doc_id": "expenses-policy", "doc_sha256": hash, "groups": groups }),
        None => json!({ "doc_id": "expenses-policy", "doc_sha256": hash }),
    };
    let copied = json!({ "doc_id": COPY, "seq": 1 });
    let _ = report(&world, 0, "b", &[of(&old, None), of(&new, None), copied]);
    let _ = world.json(["user", "group", "add", "travel", "--why", "a test"]);
    let _ = world.session("bea");
    let _ = world.json(["user", "group", "join", "travel", "bea", "--why", "a test"]);
    let _ = world.json(["user", "group", "join", "travel", "tester", "--why", "a test"]);
    let set = |groups: &[&str]| {
        let command = ["document", "groups", "expenses-policy", "--why", "a test"];
        let _ = world.json([&command[..], groups].concat());
    };
    set(&["--set", "travel"]);
    let closed = lag(&world, &[]);
    assert_eq!((waiting(&closed), &closed["alarm"]), ((3, 0, 1), &json!(false)));
    assert_keys(&closed["access"][0], "doc_id recorded_at", "registry lag: a document");
    assert_eq!(text(&closed["access"][0], "doc_id"), "expenses-policy");
    // One version that keeps the old groups is enough to let somebody read it.
    let _ = report(&world, 0, "b", &[of(&new, None)]);
    assert_eq!(waiting(&lag(&world, &[])), (3, 0, 1));
    let _ = report(&world, 0, "b", &[of(&old, Some(json!(["travel"])))]);
    assert_eq!(waiting(&lag(&world, &[])), (3, 0, 0));
    // What it says of its groups decides, whenever it says so.
    let _ = report(&world, 0, "b", &[of(&old, Some(json!([])))]);
    assert_eq!(waiting(&lag(&world, &[])), (3, 0, 1));
    // Whoever may not read it hears nothing of it: neither of its revisions nor of its groups.
    let _ = world.session("ada");
    let hers = lag(&world, &["--as", "ada"]);
    assert_eq!(waiting(&hers), (1, 0, 0));
    let file = world.file("hers.jsonl", of(&old, None).to_string());
    let found = world.lines(1, ["registry", "indexed", &file, "--build", "b", "--as", "ada"]);
    assert!(
        text(&found[0], "reason").contains("there is no document expenses-policy"),
        "{found:?}"
    );
    set(&["--everybody"]);
    assert_eq!(
        waiting(&lag(&world, &[])),
        (3, 0, 1),
        "the other version is held as for travel"
    );
    let _ = report(&world, 0, "b", &[of(&new, Some(json!([])))]);
    assert_eq!(waiting(&lag(&world, &[])), (3, 0, 0));
}

#[test]
fn a_line_that_names_nothing_is_named_and_the_rest_is_kept() {
    let world = policies();
    let (old, new) = (
        bytes_of(&world, "expenses-policy", 1),
        bytes_of(&world, "expenses-policy", 2),
    );
    let found = report(
        &world,
        1,
        "b",
        &[
            json!({ "doc_id": "expenses-policy", "doc_sha256": old.get(..12) }),
            json!({ "doc_id": "nowhere", "doc_sha256": old }),
            json!({ "doc_id": "expenses-policy", "seq": 9 }),
            json!({ "doc_id": "expenses-policy" }),
            json!({ "doc_id": "expenses-policy", "seq": 1, "doc_sha256": new }),
            json!({ "doc_id": "expenses-policy", "seq": 1, "indexed_at": "2126-01-01" }),
            json!({ "doc_id": "expenses-policy", "seq": 1, "index_at": "2026-01-01" }),
            json!(["expenses-policy"]),
        ],
    );
    let expected = [
        ("kept", ""),
        ("refused", "there is no document nowhere"),
        ("refused", "no registered revision of seq 9"),
        ("refused", "names no version"),
        ("refused", "other bytes"),
        ("refused", "has not come yet"),
        ("refused", "unknown field `index_at`"),
        ("refused", "it is no entry"),
    ];
    assert_eq!(elements(&json!(found)).len(), expected.len());
    for ((line, (outcome, reason)), place) in found.iter().zip(expected).zip(1..) {
        assert_eq!(
            (number(line, "line"), text(line, "outcome")),
            (place, outcome),
            "{line}"
        );
        assert!(line["reason"].as_str().unwrap_or_default().contains(reason), "{line}");
    }
    assert_eq!(waiting(&lag(&world, &[])), (1, 2, 0));
    let file = world.file("none.jsonl", "");
    assert_eq!(world.lines(0, ["registry", "indexed", &file, "--build", "c"]).len(), 0);
    assert_refused(
        &world.run(["registry", "lag", "--build", "c"]),
        2,
        &["no index reported a build c"],
    );
    assert_refused(
        &world.run(["registry", "indexed", &file, "--build", " "]),
        2,
        &["no name of a build"],
    );
}
