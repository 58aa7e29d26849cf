//! Answers that people were given: the gate over them on the dates of their questions, the two rates, and who sees them.
//!
//! Deliberately not here: what reviewers say of them (`answers_labelled`), the rules of the gate and of a jump (the core's own
//! tests), and how a line is read (`pincite_app::answers`).

use crate::answers_labelled::label;
use crate::contract::assert_keys;
use crate::{assert_refused, elements, number, text};
use pincite_tests::{World, database, postgres, tree};
use serde_json::{Value, json};

const IMPORTED: &str = "line answer_id outcome reason citations failed stale";

/// A world with the fixtures' policies registered.
pub(crate) fn policies() -> World {
    let world = World::empty();
    let manifest = tree::fixture("policies/manifest.toml").display().to_string();
    let lines = world.lines(0, ["registry", "import", &manifest, "--why", "the policies"]);
    assert!(lines.iter().all(|line| line["outcome"] == "added"), "{lines:?}");
    world
}

/// The bytes of a registered revision.
pub(crate) fn bytes_of(world: &World, doc_id: &str, seq: i64) -> String {
    let shown = world.json(["registry", "show", doc_id]);
    let found = elements(&shown).iter().find(|one| one["seq"] == seq);
    text(found.expect("a revision"), "doc_sha256").to_owned()
}

/// A citation of these words where they first stand.
pub(crate) fn cited(world: &World, doc_id: &str, doc_sha256: &str, quote: &str) -> Value {
    let layer = world.run(["document", "text", &format!("{doc_id}@{doc_sha256}")]).out;
    let at = layer.find(quote).expect("the document says it");
    let start = layer.get(..at).unwrap_or_default().chars().count();
    json!({
        "id": format!("c-{quote}"), "doc_id": doc_id, "doc_sha256": doc_sha256,
        "char_start": start, "char_end": start + quote.chars().count(), "quote": quote
    })
}

/// An answer about a day with one claim; `more` are keys that it has, too.
pub(crate) fn answer(id: &str, valid_at: &str, citation: &Value, more: Value) -> String {
    let mut line = json!({
        "answer_id": id, "question": "What is the daily rate in Zurich?", "valid_at": valid_at,
        "claims": [{ "text": "It is CHF so much.", "citations": [citation] }]
    });
    if let (Some(line), Value::Object(more)) = (line.as_object_mut(), more) {
        line.extend(more);
    }
    line.to_string()
}

pub(crate) fn import(world: &World, lines: &[String]) -> Vec<Value> {
    let file = world.file("answers.jsonl", lines.join("\n"));
    world.lines(0, ["answer", "import", &file])
}

/// What the gate decides of each answer, by id; exit code 1 where any is stopped.
fn decisions(world: &World, arguments: &[&str]) -> Vec<(String, String)> {
    let given: Vec<&str> = [&["answer", "gate", "--mode", "block"][..], arguments].concat();
    let ended = world.run(given.iter().copied().chain(["--json"]));
    let lines = ended.lines();
    let found: Vec<(String, String)> = lines
        .iter()
        .map(|line| (text(line, "answer").to_owned(), text(line, "decision").to_owned()))
        .collect();
    let stopped = found.iter().any(|(_, decision)| decision == "block");
    assert_eq!(ended.code, i32::from(stopped), "{found:?}: {}", ended.err);
    found
}

fn decided(world: &World, answer: &str, more: &[&str]) -> String {
    let found = decisions(world, &[&[answer][..], more].concat());
    found.first().expect("an answer").1.clone()
}

/// The rate of last year with another text from March 2025 on, as somebody says only now.
fn said_late(world: &World) {
    let policy = std::fs::read_to_string(tree::fixture("policies/expenses-policy-2025.md")).expect("a fixture");
    let late = world.file("late.md", policy.replace("CHF 60", "CHF 70"));
    let taken = world.json(["ingest", "--doc-id", "expenses-policy", &late]);
    let version = format!("expenses-policy@{}", text(&taken, "doc_sha256"));
    let _ = world.json([
        "registry",
        "add",
        &version,
        "--revision",
        "2025 corrected",
        "--effective",
        "2025-03-01",
        "--approved",
        "2026-03-01",
        "--changed",
        "2.1",
        "--owner",
        "Travel office",
        "--class",
        "documentation",
        "--why",
        "found in a drawer",
    ]);
}

#[test]
fn todays_question_citing_60_is_stopped_and_last_marchs_stays_as_it_was() {
    let world = policies();
    let old = cited(
        &world,
        "expenses-policy",
        &bytes_of(&world, "expenses-policy", 1),
        "CHF 60 a day",
    );
    let new = cited(
        &world,
        "expenses-policy",
        &bytes_of(&world, "expenses-policy", 2),
        "CHF 85 a day",
    );
    let march = json!({ "asked_at": "2025-03-20T09:00:00+01:00" });
    let frozen = json!({
        "asked_at": "2025-03-20T09:00:00+01:00", "known_at": "2025-03-20",
        "index_build": { "embedding": "m-1", "chunker": "c-2" }, "class": "travel"
    });
    let lines = [
        answer("today", "2026-11-30", &old, json!({})),
        answer("today-85", "2026-11-30", &new, json!({})),
        answer("march", "2025-03-15", &old, march.clone()),
        answer("march-frozen", "2025-03-15", &old, frozen),
        answer(
            "march-kept-back",
            "2025-03-15",
            &old,
            json!({ "asked_at": "2025-03-20", "delivered": false }),
        ),
    ];
    let imported = import(&world, &lines);
    for line in &imported {
        assert_keys(line, IMPORTED, "answer import");
        assert_eq!(
            (text(line, "outcome"), number(line, "citations"), number(line, "failed")),
            ("added", 1, 0)
        );
        assert_eq!(number(line, "stale"), i64::from(line["answer_id"] == "today"), "{line}");
    }
    assert!(import(&world, &lines).iter().all(|line| line["outcome"] == "known"));

    // Measured, nothing is stopped, and what is stale is named all the same.
    let measured = world.lines(0, ["answer", "gate"]);
    assert_eq!(measured.len(), 5);
    for line in &measured {
        assert_keys(line, "answer decision valid_at known_at claims stale", "answer gate");
        assert_eq!(line["decision"], "pass");
    }
    let today = measured.first().expect("the first that came in");
    assert_eq!(today["claims"], json!([{ "claim": 1, "citations": 1, "stale": 1 }]));
    let stale = &today["stale"][0];
    assert_keys(
        stale,
        "claim citation id doc_id standing since in_force reason",
        "a stale citation",
    );
    assert_eq!(
        (text(stale, "standing"), text(stale, "since"), text(stale, "id")),
        ("superseded", "2026-02-01", "c-CHF 60 a day")
    );
    assert_eq!(stale["in_force"]["revision"], "2026");
    let stopped: Vec<String> = decisions(&world, &[])
        .into_iter()
        .filter_map(|(answer, decision)| (decision == "block").then_some(answer))
        .collect();
    assert_eq!(stopped, ["today"]);
    // On other dates than their own.
    let now = ["--valid-at", "2026-11-30", "--known-at", "2026-11-30"];
    assert_eq!(decided(&world, "march-frozen", &now), "block");
    assert_eq!(
        decided(&world, "march-frozen", &now[..2]),
        "pass",
        "nobody knew of 2026 then"
    );
    assert_eq!(decided(&world, "today", &["--valid-at", "2025-06-01"]), "pass");

    let shown = world.json(["answer", "show", "march-frozen"]);
    assert_keys(
        &shown,
        "answer_id question asked_at valid_at known_at index_build class delivered recorded_at claims labels labels_hidden",
        "answer show",
    );
    assert_eq!(shown["index_build"], json!({ "embedding": "m-1", "chunker": "c-2" }));
    let citation = &shown["claims"][0]["citations"][0];
    assert_keys(
        citation,
        "id doc_id doc_sha256 layer_sha256 structure_id locator page char_start char_end quote prefix suffix \
         + state reason gate",
        "answer show: a citation",
    );
    assert_eq!(
        (text(citation, "state"), text(&citation["gate"], "standing")),
        ("verified", "in_force")
    );
    let list = world.json(["answer", "show"]);
    assert_keys(
        &elements(&list)[0],
        "answer_id question asked_at valid_at known_at class delivered claims citations recorded_at",
        "answer show: the list",
    );
    let rest = world.json(["answer", "show", "--after", "today-85", "--limit", "2"]);
    let names: Vec<&str> = elements(&rest).iter().map(|one| text(one, "answer_id")).collect();
    assert_eq!(names, ["march", "march-frozen"]);
    assert_refused(&world.run(["answer", "show", "june"]), 2, &["there is no answer june"]);
    assert_refused(
        &world.run(["answer", "gate", "today", "--valid-at", "soon"]),
        2,
        &["soon"],
    );

    // What somebody says late changes what an open question comes to, and nothing for one that froze its clock.
    said_late(&world);
    assert_eq!(decided(&world, "march-frozen", &[]), "pass");
    assert_eq!(decided(&world, "march", &[]), "block");
    assert_eq!(decided(&world, "march", &["--known-at", "2026-01-31"]), "pass");
    // Two rates, never one: no gate could have stopped it when it was asked, and it reached a reader all the same.
    let rates = world.json(["registry", "rates", "--from", "2025-03-20", "--to", "2025-03-20"]);
    assert_keys(&rates, "stale_cite delivered_wrong_version", "registry rates");
    for series in [&rates["stale_cite"], &rates["delivered_wrong_version"]] {
        assert_keys(
            series,
            "found of share days newest baseline alarm chance",
            "registry rates: a series",
        );
        assert_keys(
            &series["days"][0],
            "day found of share unknown",
            "registry rates: a day",
        );
        assert!(series["baseline"].is_null() && series["alarm"] == false, "{series}");
    }
    assert_eq!(
        rates["stale_cite"]["days"],
        json!([{ "day": "2025-03-20", "found": 0, "of": 3, "share": 0.0, "unknown": 0 }])
    );
    assert_eq!(
        rates["delivered_wrong_version"]["days"],
        json!([{ "day": "2025-03-20", "found": 1, "of": 2, "share": 0.5, "unknown": 0 }])
    );
    let before = world.json(["registry", "rates", "--known-at", "2026-01-31", "--to", "2025-12-31"]);
    assert_eq!(number(&before["delivered_wrong_version"], "found"), 0);
    assert!(world.json(["audit", "verify"])["fault"].is_null());
}

#[test]
fn a_line_that_is_no_answer_is_named_and_the_rest_is_kept() {
    let world = policies();
    let bytes = bytes_of(&world, "expenses-policy", 2);
    let good = cited(&world, "expenses-policy", &bytes, "CHF 85 a day");
    let nowhere = json!({ "doc_id": "nowhere", "doc_sha256": "00", "char_start": 0, "char_end": 1, "quote": "x" });
    let day = "2026-11-30";
    let lines = [
        answer("one", day, &good, json!({})),
        "{\"answer_id\": \"two\", ".to_owned(),
        answer("three", "2026-02-30", &good, json!({})),
        answer("four", day, &good, json!({ "know_at": "2026-11-30" })),
        answer("one", "2026-11-29", &good, json!({})),
        answer("one", day, &good, json!({ "delivered": true })),
        answer("six", day, &nowhere, json!({})),
        answer("seven", day, &good, json!({ "claims": [] })),
        answer("eight", day, &good, json!({ "asked_at": "2126-01-01" })),
    ];
    let file = world.file("answers.jsonl", lines.join("\n"));
    let found = world.lines(1, ["answer", "import", &file]);
    let expected = [
        ("added", 0, ""),
        ("refused", 0, "it is no answer"),
        ("refused", 0, "2026-02-30"),
        ("refused", 0, "unknown field `know_at`"),
        ("refused", 0, "with another content"),
        ("known", 0, ""),
        ("added", 1, ""),
        ("added", 0, ""),
        ("refused", 0, "has not come yet"),
    ];
    assert_eq!(found.len(), expected.len());
    for ((line, (outcome, stale, reason)), place) in found.iter().zip(expected).zip(1..) {
        assert_eq!(number(line, "line"), place);
        assert_eq!(
            (text(line, "outcome"), number(line, "stale")),
            (outcome, stale),
            "{line}"
        );
        assert_eq!(line["reason"].is_null(), outcome != "refused");
        assert!(line["reason"].as_str().unwrap_or_default().contains(reason), "{line}");
    }
    assert!(found.get(1).is_some_and(|line| line["answer_id"].is_null()));
    let list = world.json(["answer", "show"]);
    let names: Vec<&str> = elements(&list).iter().map(|one| text(one, "answer_id")).collect();
    assert_eq!(names, ["one", "six", "seven"]);
    // What is not here is kept, fails its check and is worth nothing that anybody knows.
    let six = world.json(["answer", "show", "six"]);
    let citation = &six["claims"][0]["citations"][0];
    assert_eq!(
        (text(citation, "reason"), text(&citation["gate"], "standing")),
        ("bytes_unknown", "unknown")
    );
    assert_eq!(decided(&world, "seven", &[]), "pass", "it cites nothing");
    let bad = world.file("bad.jsonl", "[]\n");
    assert_eq!(world.lines(1, ["answer", "import", &bad]).len(), 1);
    assert_refused(
        &world.run(["answer", "import", "missing.jsonl"]),
        2,
        &["missing.jsonl", "no such file"],
    );
    assert_refused(
        &world.run(["answer", "matrix", "--from", "2026-02-02", "--to", "2026-02-01"]),
        2,
        &["lies before"],
    );
    // Nothing of it is ever altered, whoever asks.
    for (statement, word) in [
        ("UPDATE answers SET question = ''", "never changes"),
        ("UPDATE answer_citations SET citation = ''", "never changes"),
    ] {
        let said = database::refusal(&world, statement);
        assert!(said.contains(word), "{statement}: {said}");
    }
    assert!(world.json(["audit", "verify"])["fault"].is_null());
}

/// Everything that tells of answers, as one person sees it.
fn seen(world: &World, who: &str) -> Vec<String> {
    let ask = |arguments: &[&str]| {
        let answer = world.run(arguments.iter().copied().chain(["--json", "--as", who]));
        assert!(answer.code < 2, "{arguments:?}: {}", answer.err);
        answer.out
    };
    [
        &["answer", "show"][..],
        &["answer", "gate"],
        &["answer", "matrix"],
        &["registry", "rates"],
        &["audit", "log"],
    ]
    .into_iter()
    .map(ask)
    .collect()
}

#[test]
fn an_answer_is_closed_to_whoever_may_not_read_all_that_it_cites() {
    let world = policies();
    let bytes = bytes_of(&world, "expenses-policy", 2);
    let closed = cited(&world, "expenses-policy", &bytes, "CHF 85 a day");
    let copy = "expenses-policy-on-the-shared-drive";
    let open = cited(&world, copy, &bytes_of(&world, copy, 1), "CHF 60 a day");
    let elsewhere = json!({ "doc_id": "another-name", "doc_sha256": bytes, "quote": "CHF 85 a day" });
    let both = json!([{ "text": "Both say so.", "citations": [open, closed] }]);
    let lines = [
        answer(
            "of-the-open",
            "2026-11-30",
            &open,
            json!({ "question": "What does the copy say?" }),
        ),
        answer(
            "of-the-closed",
            "2026-11-30",
            &closed,
            json!({ "question": "What does SECRET say?" }),
        ),
        answer(
            "of-both",
            "2026-11-30",
            &open,
            json!({ "question": "SECRET or not?", "claims": both }),
        ),
        answer(
            "by-its-bytes",
            "2026-11-30",
            &elsewhere,
            json!({ "question": "Is it SECRET?" }),
        ),
    ];
    let _ = import(&world, &lines);
    let _ = label(
        &world,
        "of-the-closed",
        "bea",
        &["--faithful", "yes", "--correct", "yes"],
    );
    let _ = world.json(["user", "group", "add", "travel", "--why", "a test"]);
    for who in ["bea", "tester"] {
        let _ = world.session(who);
        let _ = world.json(["user", "group", "join", "travel", who, "--why", "a test"]);
    }
    let _ = world.session("ada");
    let before = seen(&world, "ada");
    assert!(before.iter().all(|answer| !answer.is_empty()));
    let close = [
        "document",
        "groups",
        "expenses-policy",
        "--set",
        "travel",
        "--why",
        "confidential",
    ];
    let _ = world.json(close);

    let (hers, his) = (seen(&world, "ada"), seen(&world, "bea"));
    for (ada, bea) in hers.iter().zip(&his) {
        assert_ne!(ada, bea);
        for word in ["SECRET", "\"of-both\"", "CHF 85"] {
            let in_the_chain = ada.contains("\"action\":\"answer.import\"");
            assert!(
                in_the_chain && word == "\"of-both\"" || !ada.contains(word),
                "{word}: {ada}"
            );
        }
    }
    assert!(hers.first().is_some_and(|list| list.contains("of-the-open")));
    // The chain has every entry for everybody, and not what it says.
    let told = |log: Option<&String>| {
        let entries = log.map(|log| {
            log.lines()
                .map(|line| serde_json::from_str(line).expect("JSON"))
                .collect()
        });
        let entries: Vec<Value> = entries.unwrap_or_default();
        let of = |entry: &&Value| text(entry, "action").starts_with("answer.") && entry["subject"] != "of-the-open";
        let answers: Vec<&Value> = entries.iter().filter(of).collect();
        (
            answers.len(),
            answers.iter().filter(|entry| entry["payload"].is_null()).count(),
        )
    };
    assert_eq!((told(hers.last()), told(his.last())), ((4, 4), (4, 0)));
    for id in ["of-the-closed", "of-both", "by-its-bytes"] {
        let word = format!("there is no answer {id}");
        assert_refused(&world.run(["answer", "show", id, "--as", "ada"]), 2, &[&word]);
        assert_refused(&world.run(["answer", "gate", id, "--as", "ada"]), 2, &[&word]);
        let label = [
            "answer",
            "label",
            id,
            "--faithful",
            "yes",
            "--correct",
            "yes",
            "--why",
            "x",
            "--as",
            "ada",
        ];
        assert_refused(&world.run(label), 2, &[&word]);
    }
    // Nor does she take in what she may not read, nor learn by its id what is there.
    let file = world.file(
        "hers.jsonl",
        [
            answer("new", "2026-11-30", &closed, json!({})),
            answer("of-both", "2026-11-30", &open, json!({})),
            answer("hers", "2026-11-30", &open, json!({})),
        ]
        .join("\n"),
    );
    let found = world.lines(1, ["answer", "import", &file, "--as", "ada"]);
    let outcomes: Vec<&str> = found.iter().map(|line| text(line, "outcome")).collect();
    assert_eq!(outcomes, ["refused", "refused", "added"]);
    for (line, word) in found.iter().zip(["closed to you", "is taken"]) {
        assert!(text(line, "reason").contains(word), "{line}");
    }
    if let Some(session) = world.database().and_then(|_| world.session("ada")) {
        // What a program could forget, the database does not.
        let member = world.workspace_argument().into_string().expect("an address");
        let hers = format!("{member}%20-c%20pincite.session%3D{session}");
        for (table, wanted) in [
            ("answers", "2"),
            ("answer_claims", "2"),
            ("answer_citations", "2"),
            ("answer_labels", "0"),
        ] {
            let count = postgres::ask(&hers, &format!("SELECT count(*) FROM {table}"));
            assert_eq!(count, wanted, "{table}");
        }
        let forged = "INSERT INTO answer_labels (answer_id, faithful, correct, why, who, recorded_at) \
                      VALUES ('of-the-open', true, true, '', 'bea', 1)";
        assert!(postgres::refusal(&hers, forged).contains("row-level security"));
    }
    let _ = world.json([
        "document",
        "groups",
        "expenses-policy",
        "--everybody",
        "--why",
        "published",
    ]);
    assert_eq!(elements(&world.json(["answer", "show", "--as", "ada"])).len(), 5);
}

#[test]
fn a_day_of_stale_citations_alarms_against_the_days_before_it() {
    let world = policies();
    let old = cited(
        &world,
        "expenses-policy",
        &bytes_of(&world, "expenses-policy", 1),
        "CHF 60 a day",
    );
    let new = cited(
        &world,
        "expenses-policy",
        &bytes_of(&world, "expenses-policy", 2),
        "CHF 85 a day",
    );
    let of_day = |day: u32, stale: usize| {
        let citations: Vec<&Value> = (0..60).map(|at| if at < stale { &old } else { &new }).collect();
        let claims = json!([{ "text": "Many say so.", "citations": citations }]);
        let date = format!("2026-10-{day:02}");
        answer(&date, &date, &new, json!({ "asked_at": date, "claims": claims }))
    };
    let mut lines: Vec<String> = (1..=9).map(|day| of_day(day, 1)).collect();
    let _ = import(&world, &lines);
    let quiet = world.json(["registry", "rates"]);
    assert_eq!(quiet["stale_cite"]["alarm"], false, "{quiet}");
    lines = vec![of_day(10, 20)];
    let _ = import(&world, &lines);
    let stale = &world.lines(1, ["registry", "rates"])[0]["stale_cite"];
    assert_eq!((&stale["alarm"], text(stale, "newest")), (&json!(true), "2026-10-10"));
    assert!(stale["chance"].as_f64().is_some_and(|chance| chance < 0.001));
    assert_eq!((number(stale, "found"), number(stale, "of")), (29, 600));
    // The same against the days before it, which are not listed then.
    let alone = &world.lines(1, ["registry", "rates", "--from", "2026-10-10"])[0]["stale_cite"];
    assert_eq!((number(alone, "of"), elements(&alone["days"]).len()), (60, 1));
    assert_eq!(alone["baseline"], stale["baseline"]);
    assert_eq!(world.run(["registry", "rates", "--to", "2026-10-09"]).code, 0);
}
