//! Sweeps over every stored citation: each class by itself, going on after a stop, alarms, claims without a citation, and what
//! reading by hand would find.
//!
//! Deliberately not here: what a class is (the core's own tests), and a great archive (`sweep_speed`).

use crate::answers::{answer, bytes_of, cited, import, policies};
use crate::contract::assert_keys;
use crate::{assert_refused, elements, number, text};
use pincite_tests::{World, database};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const SWEEP: &str = "sweep_id kind complete valid_at who started_at versions checked by_check intact drifted superseded carried \
    unresolved for_review families alarms seconds";
const FINDING: &str = "number id doc_id doc_sha256 class reason standing start end shift";
const ALARM: &str =
    "alarm_id kind family drifted checked share limit sweep_id recorded_at acknowledged_by why acknowledged_at";

/// A citation `by` code points away from where it should be.
fn moved(mut citation: Value, by: i64) -> Value {
    for key in ["char_start", "char_end"] {
        let at = citation[key].as_i64().expect("an offset") + by;
        citation[key] = json!(at);
    }
    citation
}

fn said(mut citation: Value, quote: &str) -> Value {
    citation["quote"] = json!(quote);
    citation
}

/// What a sweep says of each citation that is not simply intact: class, reason, shift.
fn findings(world: &World, sweep: &str) -> BTreeMap<String, (String, Option<String>, Option<i64>)> {
    world
        .lines(0, ["sweep", "findings", sweep])
        .iter()
        .map(|line| {
            assert_keys(line, FINDING, "");
            let reason = line["reason"].as_str().map(str::to_owned);
            (
                text(line, "id").to_owned(),
                (text(line, "class").to_owned(), reason, line["shift"].as_i64()),
            )
        })
        .collect()
}

#[test]
fn each_citation_has_one_class_and_nothing_replaced_is_moved() {
    let world = policies();
    let old = bytes_of(&world, "expenses-policy", 1);
    let new = bytes_of(&world, "expenses-policy", 2);
    let at = |bytes: &str, quote: &str| cited(&world, "expenses-policy", bytes, quote);
    let zurich = at(&old, "Zurich: CHF 60 a day");
    let claims = at(&new, "Claims are handed in within 30 days of the return");
    let rate = at(&new, "Zurich: CHF 85 a day");
    let nobody =
        json!({ "doc_id": "nobody", "doc_sha256": "00".repeat(32), "char_start": 0, "char_end": 4, "quote": "Keep" });
    let lines: Vec<String> = [
        ("intact", claims.clone()),
        (
            "typography",
            said(
                at(&new, "for the company, and for guests"),
                "for the company,  and for guests",
            ),
        ),
        ("carried", at(&old, "Rail is second class.")),
        ("superseded", zurich.clone()),
        // It stands elsewhere in its own bytes. What it quotes was replaced, so it is not moved.
        ("superseded-and-moved", moved(zurich, 7)),
        ("moved", moved(claims.clone(), -12)),
        ("past-the-end", moved(rate.clone(), 100_000)),
        ("ambiguous", moved(at(&new, "CHF"), 3)),
        (
            "another-number",
            said(claims.clone(), "Claims are handed in within 90 days of the return"),
        ),
        (
            "without-not",
            said(at(&new, "It is paid without receipts."), "It is paid with receipts."),
        ),
        ("nobody", nobody),
    ]
    .into_iter()
    .map(|(id, citation)| answer(id, "2026-03-15", &citation, json!({})))
    .collect();
    let imported = import(&world, &lines);
    assert!(imported.iter().all(|line| line["outcome"] == "added"), "{imported:?}");

    let file = world.path("findings.jsonl");
    let swept = world.run(["sweep", "run", "--json", "--findings", &file.display().to_string()]);
    assert_eq!(swept.code, 1, "{}", swept.err);
    let sweep: Value = serde_json::from_str(&swept.out).expect("JSON");
    assert_keys(&sweep, SWEEP, "");
    let found = findings(&world, text(&sweep, "sweep_id"));
    let expected =
        |class: &str, reason: Option<&str>, shift: Option<i64>| (class.to_owned(), reason.map(str::to_owned), shift);
    let length = |id: &str| found.get(&format!("{id}#1.1")).cloned();
    for (id, finding) in [
        ("carried", expected("carried", None, None)),
        ("superseded", expected("superseded", Some("superseded"), None)),
        ("superseded-and-moved", expected("superseded", Some("superseded"), None)),
        ("moved", expected("drifted", Some("moved"), Some(12))),
        ("past-the-end", expected("drifted", Some("moved"), Some(-100_000))),
        ("ambiguous", expected("drifted", Some("ambiguous"), None)),
        ("another-number", expected("drifted", Some("lost"), None)),
        ("without-not", expected("drifted", Some("lost"), None)),
        ("nobody", expected("unresolved", Some("bytes_unknown"), None)),
    ] {
        assert_eq!(length(id), Some(finding), "{id}");
    }
    assert_eq!(found.len(), 9, "what is intact is no finding: {found:?}");
    // The same in a file, line by line.
    let written = std::fs::read_to_string(&file).expect("the findings");
    assert_eq!(written.lines().count(), 9);

    // Three numbers, and no key that adds them.
    assert_eq!(
        (
            &sweep["checked"],
            &sweep["intact"],
            &sweep["for_review"],
            &sweep["complete"]
        ),
        (&json!(11), &json!(2), &json!(3), &json!(true))
    );
    assert_eq!(sweep["drifted"], json!({ "n": 5, "shifts": { "-100000": 1, "12": 1 } }));
    assert_eq!(
        (&sweep["superseded"]["n"], &sweep["carried"]["n"]),
        (&json!(2), &json!(1))
    );
    let checks = &sweep["by_check"];
    assert_eq!(checks["resolves"], json!({ "passed": 10, "failed": 1 }));
    assert_eq!(checks["in_bounds"], json!({ "passed": 9, "failed": 1 }));
    assert_eq!(checks["quote_match"], json!({ "passed": 4, "failed": 6 }));
    assert_eq!(checks["version"], json!({ "passed": 8, "failed": 2 }));
    assert_eq!(checks["entailment"], Value::Null, "no model, no number");
    // Listed by class, in pages.
    let sweep_id = text(&sweep, "sweep_id");
    let drifted = world.lines(0, ["sweep", "findings", sweep_id, "--class", "drifted", "--limit", "2"]);
    let after = number(drifted.last().expect("a finding"), "number").to_string();
    let rest = world.lines(
        0,
        ["sweep", "findings", sweep_id, "--class", "drifted", "--after", &after],
    );
    assert_eq!((drifted.len(), rest.len()), (2, 3));
    // A sweep changes no citation.
    let again = world.run(["sweep", "run", "--json"]);
    let again: Value = serde_json::from_str(&again.out).expect("JSON");
    for key in ["checked", "by_check", "drifted", "superseded", "carried"] {
        assert_eq!(again[key], sweep[key], "{key}");
    }
    let listed = world.run(["sweep", "list", "--json"]);
    let listed: Value = serde_json::from_str(&listed.out).expect("JSON");
    assert_eq!(
        text(elements(&listed).first().expect("a sweep"), "sweep_id"),
        text(&again, "sweep_id")
    );
    assert_eq!(world.run(["audit", "verify"]).code, 0);
}

#[test]
fn what_cites_names_its_layer_from_the_day_it_came_in() {
    let world = policies();
    let new = bytes_of(&world, "expenses-policy", 2);
    let doc = format!("expenses-policy@{new}");
    let citation = cited(&world, "expenses-policy", &new, "Rail is second class.");
    let _ = import(&world, &[answer("ours", "2026-03-15", &citation, json!({}))]);
    let kept = database::ask(&world, "SELECT citation FROM answer_citations");
    let ours = text(&world.json(["document", "show", &doc]), "layer_sha256").to_owned();
    // PostgreSQL prints bytes as hexadecimal digits.
    let printed: String = ours.bytes().map(|byte| format!("{byte:02x}")).collect();
    assert!(
        kept.contains(&ours) || kept.contains(&printed),
        "what it was read in is part of it, whatever the default is one day: {kept}"
    );
    // Another program's reading of the same bytes, and a citation into it.
    let layer = world.run(["document", "text", &doc]).out;
    let other = world.file("other.txt", format!("A line that the other reading has.\n{layer}"));
    let _ = world.json(["layer", "add", &doc, "--text", &other, "--name", "another reading"]);
    let layers = world.json(["layer", "list", &doc]);
    let foreign = elements(&layers)
        .iter()
        .find(|one| one["extractor"] == "another reading");
    let mut theirs = moved(citation, 35);
    theirs["layer_sha256"] = foreign.expect("a layer")["layer_sha256"].clone();
    let _ = import(&world, &[answer("theirs", "2026-03-15", &theirs, json!({}))]);
    let sweep: Value =
        serde_json::from_str(&world.run(["sweep", "run", "--after-reindex", "--json"]).out).expect("JSON");
    assert_eq!(
        sweep["drifted"],
        json!({ "n": 1, "shifts": { "-35": 1 } }),
        "it holds where it was read, and moved in ours"
    );
    assert_eq!((text(&sweep, "kind"), &sweep["intact"]), ("after_reindex", &json!(1)));
}

/// Answers about so many copies of a text, the first `wrong` of which cite it three code points off.
fn many(world: &World, copies: usize, wrong: usize) {
    let text = "Keep every record for seven years. Then shred it, unless the owner says otherwise in writing.";
    let quote = "Then shred it, unless the owner says otherwise";
    let mut lines = Vec::with_capacity(copies);
    for copy in 0..copies {
        let file = world.file(&format!("copy-{copy}.txt"), format!("Copy {copy}. {text}"));
        let taken = world.json(["ingest", &file]);
        let citation = cited(world, text_of(&taken, "doc_id"), text_of(&taken, "doc_sha256"), quote);
        let citation = if copy < wrong { moved(citation, 3) } else { citation };
        lines.push(answer(&format!("a{copy}"), "2026-03-15", &citation, json!({})));
    }
    let _ = import(world, &lines);
}

fn text_of<'a>(value: &'a Value, key: &str) -> &'a str {
    text(value, key)
}

#[test]
fn a_sweep_that_was_cut_short_goes_on_behind_what_it_kept() {
    let world = World::empty();
    many(&world, 12, 2);
    let whole: Value = serde_json::from_str(&world.run(["sweep", "run", "--json"]).out).expect("JSON");
    assert_eq!(
        (number(&whole, "checked"), &whole["drifted"]["shifts"]),
        (12, &json!({ "-3": 2 }))
    );
    // One that was killed behind its fourth document: so much of it is kept, and no end.
    database::tamper(
        &world,
        "INSERT INTO sweeps (sweep_id, kind, valid_at, who, recorded_at) SELECT 'cut', kind, valid_at, who, recorded_at FROM sweeps; \
         INSERT INTO sweep_parts (sweep_id, doc_id, doc_sha256, family, checked, unregistered, recorded_at) \
         SELECT 'cut', doc_id, doc_sha256, family, checked, unregistered, recorded_at FROM sweep_parts ORDER BY number DESC LIMIT 4",
    );
    let shown: Value = serde_json::from_str(&world.run(["sweep", "show", "cut", "--json"]).out).expect("JSON");
    assert_eq!(
        (&shown["complete"], &shown["versions"], &shown["seconds"]),
        (&json!(false), &json!(4), &Value::Null)
    );
    let last: i64 = database::ask(&world, "SELECT max(number) FROM sweep_parts")
        .parse()
        .expect("a number");
    let ended = world.run(["sweep", "run", "--json"]);
    assert!(ended.err.contains("going on with sweep cut"), "{}", ended.err);
    let resumed: Value = serde_json::from_str(&ended.out).expect("JSON");
    assert_eq!(
        (text(&resumed, "sweep_id"), &resumed["complete"]),
        ("cut", &json!(true))
    );
    assert_eq!((&resumed["checked"], &resumed["versions"]), (&json!(12), &json!(12)));
    let added = database::ask(
        &world,
        &format!("SELECT count(*) FROM sweep_parts WHERE number > {last}"),
    );
    assert_eq!(added, "8", "what it was done with is left alone");
    // Nothing to go on with, and one of another day is left where it is.
    let next: Value = serde_json::from_str(&world.run(["sweep", "run", "--json"]).out).expect("JSON");
    assert_ne!(text(&next, "sweep_id"), "cut");
    database::tamper(
        &world,
        "INSERT INTO sweeps (sweep_id, kind, valid_at, who, recorded_at) SELECT 'old', kind, '2020-01-01', who, recorded_at FROM sweeps \
         WHERE sweep_id = 'cut'",
    );
    let ended = world.run(["sweep", "run", "--json"]);
    assert!(ended.err.contains("too old to go on with"), "{}", ended.err);
}

/// A document of so many clauses, and a citation of each; the first `wrong` are cited five code points off.
fn clauses(world: &World, count: usize, wrong: usize) -> Vec<Value> {
    let quotes: Vec<String> = (0..count)
        .map(|at| format!("Clause number {at} says that it holds."))
        .collect();
    let file = world.file("rules.txt", quotes.join("\n"));
    let taken = world.json(["ingest", &file]);
    let layer = world.run(["document", "text", "rules"]).out;
    let citation = |(at, quote): (usize, &String)| {
        let start = layer.find(quote.as_str()).expect("it says so") + if at < wrong { 5 } else { 0 };
        json!({
            "doc_id": "rules", "doc_sha256": text(&taken, "doc_sha256"),
            "char_start": start, "char_end": start + quote.len(), "quote": quote
        })
    };
    quotes.iter().enumerate().map(citation).collect()
}

#[test]
fn what_is_checked_as_it_comes_rings_once_in_fifteen_minutes() {
    let world = World::empty();
    let citations = clauses(&world, 200, 5);
    let lines = |citations: &[Value]| -> Vec<u8> {
        let lines: Vec<String> = citations.iter().map(Value::to_string).collect();
        lines.join("\n").into_bytes()
    };
    // One in fifty is no alarm; 5 of 200 are over 2 %, and are said once.
    let few = world.file("few.jsonl", lines(citations.get(4..54).expect("fifty")));
    assert_eq!(world.run(["verify", &few]).code, 1, "one does not hold");
    assert_eq!(world.run(["alarm", "list"]).code, 0);
    let all = world.file("all.jsonl", lines(&citations));
    let ended = world.run(["verify", &all]);
    assert!(
        ended.err.contains("ALARM") && ended.err.contains("unregistered"),
        "{}",
        ended.err
    );
    let again = world.run(["verify", &all]);
    assert!(!again.err.contains("ALARM"), "{}", again.err);
    let listed: Value = serde_json::from_str(&world.run(["alarm", "list", "--json"]).out).expect("JSON");
    let alarm = elements(&listed).first().expect("an alarm");
    assert_eq!(elements(&listed).len(), 1);
    assert_eq!(
        (
            text(alarm, "kind"),
            &alarm["sweep_id"],
            number(alarm, "drifted"),
            number(alarm, "checked")
        ),
        ("inline", &Value::Null, 6, 250)
    );
    assert_eq!(world.run(["audit", "verify"]).code, 0);
}

#[test]
fn a_rate_over_its_limit_rings_until_somebody_takes_note() {
    let world = World::empty();
    let lines: Vec<String> = (0..)
        .zip(clauses(&world, 320, 4))
        .map(|(at, citation): (usize, Value)| answer(&format!("a{at}"), "2026-03-15", &citation, json!({})))
        .collect();
    let _ = import(&world, &lines);
    // 4 of 320 are 1.25 %: too many after documents were read anew; in an ordinary sweep too few citations to say anything.
    let usual: Value = serde_json::from_str(&world.run(["sweep", "run", "--json"]).out).expect("JSON");
    assert_eq!((&usual["drifted"]["n"], &usual["alarms"]), (&json!(4), &json!([])));
    assert_eq!(world.run(["alarm", "list"]).code, 0);
    let swept = world.run(["sweep", "run", "--after-reindex", "--json"]);
    let swept: Value = serde_json::from_str(&swept.out).expect("JSON");
    let alarm = elements(&swept["alarms"]).first().expect("an alarm");
    assert_keys(alarm, ALARM, "");
    assert_eq!(
        (
            text(alarm, "kind"),
            text(alarm, "family"),
            number(alarm, "drifted"),
            number(alarm, "checked")
        ),
        ("after_reindex", "unregistered", 4, 320)
    );
    let listed = world.run(["alarm", "list", "--json"]);
    assert_eq!(listed.code, 1, "a command's exit code tells of it");
    let id = text(alarm, "alarm_id");
    assert_refused(&world.run(["alarm", "acknowledge", id, "--why", " "]), 2, &["--why"]);
    assert_refused(
        &world.run(["alarm", "acknowledge", "x", "--why", "y"]),
        2,
        &["no alarm x"],
    );
    let noted = world.json(["alarm", "acknowledge", id, "--why", "the four were written by hand"]);
    assert_eq!(text(&noted, "why"), "the four were written by hand");
    assert_refused(
        &world.run(["alarm", "acknowledge", id, "--why", "again"]),
        2,
        &["was acknowledged"],
    );
    assert_eq!(world.run(["alarm", "list"]).code, 0);
    let all: Value = serde_json::from_str(&world.run(["alarm", "list", "--all", "--json"]).out).expect("JSON");
    assert_eq!(elements(&all).len(), 1);
}

#[test]
fn claims_without_a_citation_are_found() {
    let world = policies();
    let new = bytes_of(&world, "expenses-policy", 2);
    let citation = cited(&world, "expenses-policy", &new, "Rail is second class.");
    let line = json!({
        "answer_id": "a", "question": "Rail?", "valid_at": "2026-03-15",
        "claims": [
            { "text": "Here is what I found:", "citations": [] },
            { "text": "Rail is second class.", "citations": [citation] },
            { "text": "Flights over six hours may be booked in premium economy. Let me know if you need more.", "citations": [] }
        ]
    });
    let _ = import(&world, &[line.to_string()]);
    let uncited = world.lines(1, ["sweep", "uncited"]);
    assert_eq!(
        uncited,
        [json!({ "answer": "a", "claim": 3, "sentence": "Flights over six hours may be booked in premium economy." })]
    );
    let sweep: Value = serde_json::from_str(&world.run(["sweep", "run", "--json"]).out).expect("JSON");
    assert_eq!(sweep["by_check"]["coverage"], json!({ "passed": 1, "failed": 1 }));
}

#[test]
fn reading_by_hand_is_priced() {
    let world = World::empty();
    let plan = world.json(["sample", "plan", "--answers", "250"]);
    assert_keys(&plan, "read affected flags hours missed_probability last_sweep", "");
    let near = |key: &str, value: f64| (plan[key].as_f64().expect("a number") - value).abs() < 0.05;
    assert!(
        near("read", 650.0) && near("affected", 52.0) && near("flags", 13.0) && near("hours", 10.8),
        "{plan}"
    );
    assert_eq!(plan["last_sweep"], Value::Null);
    let fifty = world.json(["sample", "plan", "--answers", "50"]);
    assert!((fifty["missed_probability"].as_f64().expect("a number") - 0.056).abs() < 0.001);
    assert_refused(
        &world.run(["sample", "plan", "--answers", "5", "--detection", "2"]),
        2,
        &["--detection 2"],
    );
    let _ = world.json(["sweep", "run"]);
    let plan = world.json(["sample", "plan", "--answers", "50"]);
    assert_eq!(plan["last_sweep"]["checked"], 0);
}
