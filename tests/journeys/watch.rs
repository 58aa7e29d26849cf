//! What is watched: every figure on a store whose failures are known one by one, and nothing where nothing was counted.
//!
//! Deliberately not here: the checks and the curves that the figures count.

use crate::contract::assert_keys;
use crate::incidents::decide_items;
use crate::{assert_refused, claim, decide_arguments, elements, number, text};
use pincite_app::wire::Verdict;
use pincite_tests::{World, database};
use serde_json::{Value, json};

const TOTAL: &str = "slip.total";
const NOTE: &str = "slip.note";
const FIGURES: [&str; 3] = ["citations_resolving", "quotes_verified", "abstentions_agreed"];

fn slip(number: usize) -> String {
    format!("The total of this slip is {number}.\n")
}

fn record(number: usize, field: &str, value: Value, provenance: Value) -> String {
    let status = if value.is_null() { "absent" } else { "present" };
    let record = json!({
        "record_id": format!("{field}-{number}"), "doc_id": format!("slip-{number}"),
        "doc_sha256": pincite_core::sha256_hex(slip(number).as_bytes()), "field": field, "value": value, "status": status,
        "confidence": 0.5, "provenance": provenance,
        "extractor": {"model": "m", "prompt_version": "p", "run_id": "r"}, "due_at": null
    });
    format!("{record}\n")
}

fn cited(quote: &str) -> Value {
    json!([{"quote": quote, "char_start": 0, "char_end": quote.chars().count()}])
}

/// Slips 0 to 8; 8 is not here yet. Totals: 0 to 4 cite what is there; 5 has no offsets, and its quote is nowhere; 6 quotes
/// what its place does not say; 7 points past the end; 8 cites bytes that nobody knows. Every slip has no note.
fn world() -> World {
    let world = World::empty();
    let fields = format!("[field.\"{TOTAL}\"]\ntype = \"number\"\n[field.\"{NOTE}\"]\ntype = \"text\"\n");
    let catalogue = world.file("catalogue.toml", fields);
    let _ = world.json(["catalogue", "set", &catalogue]);
    let shares = "{\"show\":1,\"flag\":1,\"abstain\":1}";
    let _ = world.json(["settings", "set", "audit_shares", shares, "--why", "a test"]);
    let mut ingest = vec!["ingest".to_owned()];
    for number in 0..8 {
        ingest.push(world.file(&format!("slip-{number}.txt"), slip(number)));
    }
    let _ = world.lines(0, &ingest);
    let mut records = String::new();
    for number in 0..5 {
        records.push_str(&record(number, TOTAL, json!(number), cited(slip(number).trim())));
    }
    records.push_str(&record(
        5,
        TOTAL,
        json!(5),
        json!([{"quote": "The sum of this slip is 5."}]),
    ));
    records.push_str(&record(6, TOTAL, json!(6), cited("The total of that slip is 6.")));
    let past = json!([{"quote": slip(7).trim(), "char_start": 20, "char_end": 4_000}]);
    records.push_str(&record(7, TOTAL, json!(7), past));
    records.push_str(&record(8, TOTAL, json!(8), cited(slip(8).trim())));
    for number in 0..8 {
        records.push_str(&record(number, NOTE, Value::Null, json!([])));
    }
    let path = world.file("records.jsonl", records);
    let imported = world.lines(1, ["record", "import", &path]);
    assert!(imported.iter().all(|line| line["outcome"] == "queued"), "{imported:?}");
    world
}

fn figure(view: &Value, name: &str) -> (i64, i64) {
    let figure = &view[name];
    assert_keys(figure, "passed of share", name);
    let (passed, of) = (number(figure, "passed"), number(figure, "of"));
    match figure["share"].as_f64() {
        Some(share) => assert!((share - passed as f64 / of as f64).abs() < 1e-12, "{figure}"),
        None => assert_eq!(of, 0, "{figure}"),
    }
    (passed, of)
}

fn behind(world: &World, figure: &str) -> Vec<Value> {
    let lines = world.lines(0, ["watch", "--behind", figure]);
    for line in &lines {
        assert_keys(
            line,
            "failing doc_id doc_sha256 field record_id citation item decision state reason due_at recorded_at",
            figure,
        );
    }
    // What speaks against the figure stands first.
    assert!(
        lines.is_sorted_by_key(|line| line["failing"] != json!(true)),
        "{lines:?}"
    );
    lines
}

fn failing(lines: &[Value]) -> Vec<(&str, &str)> {
    let failing = lines.iter().filter(|line| line["failing"] == json!(true));
    failing
        .map(|line| (text(line, "doc_id"), line["reason"].as_str().unwrap_or("")))
        .collect()
}

/// Claims this slip's item of a field.
fn claimed(world: &World, field: &str, number: usize, who: &str) -> Value {
    let items = world.json(["queue", "list"]);
    let wanted = format!("slip-{number}");
    let item = elements(&items)
        .iter()
        .find(|item| text(item, "field") == field && text(item, "doc_id") == wanted)
        .unwrap_or_else(|| panic!("an open item of {wanted}"));
    world.json(["queue", "claim", text(item, "item"), "--as", who])
}

#[test]
fn citations_resolve_or_not_and_were_verified_or_not() {
    let world = world();
    let view = world.json(["watch"]);
    assert_keys(
        &view,
        "field fields citations_resolving quotes_verified abstentions_agreed errors queue_age",
        "watch",
    );
    // Six of nine point somewhere, of which five say what they claim.
    assert_eq!(figure(&view, "citations_resolving"), (6, 9));
    assert_eq!(figure(&view, "quotes_verified"), (5, 9));
    let resolving = behind(&world, "citations_resolving");
    assert_eq!(resolving.len(), 9);
    assert_eq!(
        failing(&resolving),
        [
            ("slip-5", "no_offsets"),
            ("slip-7", "out_of_bounds"),
            ("slip-8", "bytes_unknown")
        ]
    );
    assert!(text(&resolving[0], "citation").len() > 8 && resolving[0]["item"].is_null());
    let verified = behind(&world, "quotes_verified");
    assert_eq!(
        failing(&verified),
        [
            ("slip-5", "no_offsets"),
            ("slip-6", "quote_mismatch"),
            ("slip-7", "out_of_bounds"),
            ("slip-8", "bytes_unknown")
        ]
    );

    // The missing document comes: its citation resolves by the next check, and was not verified when it came in.
    let late = world.file("slip-8.txt", slip(8));
    let _ = world.json(["ingest", &late]);
    assert_eq!(figure(&world.json(["watch"]), "citations_resolving"), (6, 9));
    let _ = world.lines(1, ["verify", "--all"]);
    let view = world.json(["watch"]);
    assert_eq!(figure(&view, "citations_resolving"), (7, 9));
    assert_eq!(figure(&view, "quotes_verified"), (5, 9));

    // Only the field that was asked for.
    let notes = world.json(["watch", "--field", NOTE]);
    assert_eq!(
        (text(&notes, "field"), figure(&notes, "citations_resolving")),
        (NOTE, (0, 0))
    );
    assert_eq!(number(&notes["queue_age"], "open"), 8);
    assert_refused(&world.run(["watch", "--field", "slip.nothing"]), 2, &["slip.nothing"]);
    assert_refused(
        &world.run(["watch", "--behind", "everything"]),
        2,
        &["everything", "citations_resolving", "queue_age"],
    );
    let limited = world.lines(0, ["watch", "--behind", "citations_resolving", "--limit", "2"]);
    assert_eq!(limited, resolving_now(&world)[..2]);
    let words = world.run(["watch"]);
    assert!(words.out.contains("7 of 9, 77.8 %"), "{}", words.out);
}

fn resolving_now(world: &World) -> Vec<Value> {
    behind(world, "citations_resolving")
}

#[test]
fn abstentions_are_agreed_with_or_not_and_haste_agrees_with_nothing() {
    let world = world();
    let decide = |number: usize, verdict: &[&str]| {
        let claim = claimed(&world, NOTE, number, "bea");
        world.json(decide_arguments(&claim, "bea", &format!("note {number}"), verdict))
    };
    let _ = decide(0, &["--accept"]);
    let _ = decide(1, &["--abstain", "not_stated"]);
    let _ = decide(2, &["--correct", "\"paid\""]);
    let undone = decide(3, &["--reject", "wrong_passage"]);
    let view = world.json(["watch"]);
    assert_eq!(figure(&view, "abstentions_agreed"), (2, 4));
    assert_eq!(
        failing(&behind(&world, "abstentions_agreed")),
        [("slip-2", ""), ("slip-3", "wrong_passage")]
    );
    let undo = [
        "queue",
        "undo",
        text(&undone, "decision"),
        "--as",
        "bea",
        "--key",
        "undone",
    ];
    let _ = world.json(undo);
    assert_eq!(figure(&world.json(["watch"]), "abstentions_agreed"), (2, 3));

    // Five in a row that nobody read: none of them agrees with anything, until somebody keeps them.
    let items: Vec<String> = [3, 4, 5, 6, 7]
        .iter()
        .map(|number| text(&claimed(&world, NOTE, *number, "ada"), "item").to_owned())
        .collect();
    decide_items(&world, "ada", &items, &Verdict::Accept, 700);
    assert_eq!(figure(&world.json(["watch"]), "abstentions_agreed"), (2, 3));
    let id = text(&world.json(["incident", "list"])[0], "incident").to_owned();
    let _ = world.json(["incident", "keep", &id, "--why", "asked", "--as", "cleo"]);
    assert_eq!(figure(&world.json(["watch"]), "abstentions_agreed"), (7, 8));
}

#[test]
fn errors_stand_by_bin_and_the_wrong_ones_first() {
    let world = world();
    for (slip, verdict) in [
        (0, &["--accept"][..]),
        (1, &["--accept"]),
        (2, &["--correct", "99"]),
        (3, &["--correct", "3"]),
    ] {
        let claim = claimed(&world, TOTAL, slip, "bea");
        let _ = world.json(decide_arguments(&claim, "bea", &format!("total {slip}"), verdict));
    }
    let view = world.json(["watch"]);
    let [errors] = elements(&view["errors"]) else {
        panic!("one curve has labels: {view}");
    };
    assert_keys(errors, "field title model prompt_version of bins", "errors");
    assert_eq!((text(errors, "field"), text(errors, "of")), (TOTAL, "present"));
    let bins = elements(&errors["bins"]);
    assert_eq!((bins.len(), number(&bins[0], "n")), (5, 4));
    assert_keys(&bins[0], "from to n error", "a bin of errors");
    assert!(
        (bins[0]["error"].as_f64().expect("an error") - 0.25).abs() < 1e-12,
        "{errors}"
    );
    for empty in &bins[1..] {
        assert_eq!((number(empty, "n"), &empty["error"]), (0, &Value::Null));
    }
    let lines = behind(&world, "errors");
    assert_eq!((lines.len(), failing(&lines)), (4, vec![("slip-2", "")]));
    assert_eq!(text(&lines[0], "state"), "correct");
    assert!(lines[0]["decision"].is_string() && lines[0]["item"].is_string());
}

#[test]
fn the_queue_is_counted_by_age_and_due_time() {
    let world = world();
    // Hours in the queue, and hours to its due time; the other items have none.
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .expect("it is later than 1970")
        .as_millis();
    for (slip, queued, due) in [
        (0, 200, -30),
        (1, 90, -1),
        (2, 40, 23),
        (3, 1, 71),
        (4, 25, 73),
        (5, 170, 400),
    ] {
        let due = format!("{now} + {due} * 3600000");
        database::alter(
            &world,
            &format!(
                "UPDATE items SET created_at = {now} - {queued} * 3600000, due_at = {due}, due_order = {due} \
                 WHERE field = '{TOTAL}' AND doc_id = 'slip-{slip}';"
            ),
        );
    }
    let queue = &world.json(["watch", "--field", TOTAL])["queue_age"];
    assert_keys(queue, "open with_due_time past_due oldest_at ages", "queue_age");
    let counted = ["open", "with_due_time", "past_due"].map(|key| number(queue, key));
    assert_eq!(counted, [9, 6, 2]);
    let ages: Vec<(&str, [i64; 5])> = elements(&queue["ages"])
        .iter()
        .map(|age| {
            assert_keys(
                age,
                "age past_due within_1_day within_3_days later no_due_time",
                "an age",
            );
            let due = ["past_due", "within_1_day", "within_3_days", "later", "no_due_time"];
            (text(age, "age"), due.map(|key| number(age, key)))
        })
        .collect();
    assert_eq!(
        ages,
        [
            ("under_1_day", [0, 0, 1, 0, 3]),
            ("under_3_days", [0, 1, 0, 1, 0]),
            ("under_7_days", [1, 0, 0, 0, 0]),
            ("from_7_days", [1, 0, 0, 1, 0])
        ]
    );
    let lines = world.lines(0, ["watch", "--behind", "queue_age", "--field", TOTAL]);
    assert_eq!(failing(&lines), [("slip-0", ""), ("slip-1", "")]);
    let order: Vec<&str> = lines[..6].iter().map(|line| text(line, "doc_id")).collect();
    assert_eq!(order, ["slip-0", "slip-1", "slip-2", "slip-3", "slip-4", "slip-5"]);
    assert!(lines[6..].iter().all(|line| line["due_at"].is_null()));

    // What is decided waits no more.
    let claim = claimed(&world, TOTAL, 0, "bea");
    let _ = world.json(decide_arguments(&claim, "bea", "one", &["--accept"]));
    let queue = &world.json(["watch", "--field", TOTAL])["queue_age"];
    assert_eq!((number(queue, "open"), number(queue, "past_due")), (8, 1));
}

#[test]
fn nothing_counted_is_no_figure() {
    let world = World::empty();
    assert!(claim(&world, "ada").is_none());
    let view = world.json(["watch"]);
    for name in FIGURES {
        assert_eq!(figure(&view, name), (0, 0));
        assert_eq!(world.lines(0, ["watch", "--behind", name]), Vec::<Value>::new());
    }
    assert_eq!(
        (view["errors"].clone(), &view["queue_age"]["oldest_at"]),
        (json!([]), &Value::Null)
    );
    let words = world.run(["watch"]);
    assert_eq!(words.code, 0);
    assert_eq!(words.out.matches("none yet").count(), 4, "{}", words.out);
    assert!(!words.out.contains('%'), "{}", words.out);
}

/// What would wait past its due time in fourteen days, by threshold; null where it is not measured.
fn past_due(world: &World) -> Vec<(f64, Option<f64>)> {
    let rows = world.json(["workload", "--field", TOTAL]);
    let of = |row: &Value| {
        (
            row["items_per_day"].as_f64().expect("a rate"),
            row["past_due_in_14_days"].as_f64(),
        )
    };
    elements(&rows).iter().map(of).collect()
}

#[test]
fn what_will_wait_past_its_due_time_is_projected_once_a_pace_and_due_times_are_there() {
    let world = world();
    assert!(past_due(&world).iter().all(|(_, late)| late.is_none()), "no pace yet");
    let queue = world.json(["queue", "list"]);
    let of_field: Vec<_> = elements(&queue).iter().filter(|item| item["field"] == TOTAL).collect();
    let open = of_field.len() - 1;
    let item = text(of_field[0], "item");
    let claim = world.json(["queue", "claim", item, "--as", "ada"]);
    let _ = world.json(decide_arguments(&claim, "ada", "a key", &["--accept"]));
    assert!(
        past_due(&world).iter().all(|(_, late)| late.is_none()),
        "nothing has a due time"
    );
    database::alter(
        &world,
        "UPDATE items SET due_at = created_at + 3 * 86400000, due_order = created_at + 3 * 86400000",
    );
    let rows = past_due(&world);
    // One was decided in the one day that there is. What comes in for eleven of the fourteen days is due by their end.
    let expected = |rate: f64| ((open as f64 + (rate - 1.0) * 11.0).max(0.0) - 3.0).max(0.0);
    for (rate, late) in &rows {
        let late = late.expect("a projection");
        assert!((late - expected(*rate)).abs() < 1e-6, "{rows:?}");
    }
    assert!(
        rows.iter().any(|(_, late)| late.is_some_and(|late| late > 1.0)),
        "{rows:?}"
    );
}
