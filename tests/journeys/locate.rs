//! `pincite locate` as other programs use it, and placing by the same rule.
//!
//! Deliberately not here: real documents (`corpus_locate`), and the rule word by word (`pincite_core::locate`).

use crate::{assert_refused, text};
use pincite_tests::World;
use serde_json::{Value, json};

const TEXT: &str = "Batch records are kept for 5 years.\u{c}The reten\u{ad}\ntion period is \u{201c}5 years\u{201d}.\nDose A: 10 mg daily.\nDose B: 10 mg daily.\n";

fn lines(world: &World, code: i32, quotes: &[Value]) -> Vec<Value> {
    let text = world.file("text.txt", TEXT);
    let quotes: Vec<String> = quotes.iter().map(Value::to_string).collect();
    let quotes = world.file("quotes.jsonl", quotes.join("\n"));
    world.lines(code, ["locate", "--text", &text, "--quotes", &quotes])
}

#[test]
fn each_quote_has_an_answer_with_the_keys_of_the_contract() {
    // No workspace was made, and none is needed.
    let world = World::new();
    let answers = lines(
        &world,
        1,
        &[
            json!({"id": "found", "quote": "RETENTION period", "hint": 0}),
            json!({"id": 7, "quote": "10 mg daily"}),
            json!({"id": "context", "quote": "10 mg daily", "prefix": "Dose B: ", "suffix": "."}),
            json!({"id": "lost", "quote": "kept for 7 years"}),
            json!({"quote": "Batch records", "prefix": null, "suffix": null, "hint": null}),
            json!({"id": "nothing", "quote": "  "}),
        ],
    );
    let at = |wanted: &str, skip: usize| -> usize {
        let (byte, _) = TEXT.match_indices(wanted).nth(skip).expect("it is in the text");
        TEXT[..byte].chars().count()
    };
    let retention = at("reten", 0);
    assert_eq!(
        answers[0],
        json!({"id": "found", "outcome": "found", "start": retention, "end": retention + 18, "score": 1.0, "equal": true, "shift": retention, "candidates": [], "count": 1})
    );
    let (one, other) = (at("10 mg", 0), at("10 mg", 1));
    let candidate = |start: usize| json!({"start": start, "end": start + 11, "score": 1.0});
    assert_eq!(
        answers[1],
        json!({"id": 7, "outcome": "ambiguous", "start": null, "end": null, "score": null, "equal": null, "shift": null, "candidates": [candidate(one), candidate(other)], "count": 2})
    );
    assert_eq!(
        (&answers[2]["outcome"], &answers[2]["start"]),
        (&json!("found"), &json!(other))
    );
    assert_eq!(
        (&answers[3]["outcome"], &answers[3]["candidates"]),
        (&json!("lost"), &json!([]))
    );
    assert_eq!(
        (&answers[4]["id"], &answers[4]["shift"]),
        (&json!("5"), &Value::Null),
        "a line without id has its number"
    );
    assert_eq!(answers[5]["outcome"], "lost");
    // Where each is found in one place, nothing was found wrong.
    assert_eq!(
        lines(&world, 0, &[json!({"id": "a", "quote": "Batch records"})]).len(),
        1
    );
    assert!(!world.workspace().exists(), "no workspace came to be");
}

#[test]
fn bad_input_is_one_line_each() {
    let world = World::new();
    let text_file = world.file("text.txt", TEXT);
    let latin = world.file("latin.txt", b"caf\xe9");
    let quotes = world.file(
        "quotes.jsonl",
        "{\"id\": \"1\"}\nnot json\n{\"id\":\"3\",\"quote\":\"Batch records\"}\n{\"quote\":\"x\",\"hint\":\"y\"}\n",
    );
    let answer = world.run(["locate", "--text", &text_file, "--quotes", &quotes]);
    assert_eq!(answer.code, 1, "{answer:?}");
    assert_eq!(answer.out.lines().count(), 1, "{answer:?}");
    for number in [1, 2, 4] {
        let line = format!("line {number}: it is no quote");
        assert_eq!(answer.err.matches(&line).count(), 1, "{}", answer.err);
    }
    assert_eq!(answer.err.lines().count(), 3, "{}", answer.err);
    let missing = world.path("missing").display().to_string();
    let folder = world.home().display().to_string();
    for (text, quotes, says) in [
        (&latin, &quotes, "the text is not UTF-8"),
        (&missing, &quotes, "there is no such file"),
        (&text_file, &missing, "there is no such file"),
        (&folder, &quotes, "this is a folder"),
    ] {
        assert_refused(&world.run(["locate", "--text", text, "--quotes", quotes]), 2, &[says]);
    }
}

/// A record that cites by a quote alone.
fn record(id: &str, document: &Value, quote: &str, prefix: Option<&str>) -> String {
    json!({
        "record_id": id, "doc_id": "doc", "doc_sha256": document["doc_sha256"], "field": "retention.period",
        "value": "x", "status": "present", "confidence": 0.9, "provenance": [{ "quote": quote, "prefix": prefix }],
        "extractor": { "model": "m", "prompt_version": "1", "run_id": "r" }, "due_at": null,
    })
    .to_string()
}

#[test]
fn placing_points_to_what_reads_alike_and_never_calls_it_verified() {
    let world = World::empty();
    let catalogue = world.file(
        "catalogue.toml",
        "[field.\"retention.period\"]\ntitle = \"t\"\nguidance = \"g\"\ntype = \"text\"\n",
    );
    let _ = world.json(["catalogue", "set", &catalogue]);
    let pdf = pincite_tests::tree::fixture("documents/drug-label.pdf")
        .display()
        .to_string();
    let document = world.lines(0, ["ingest", "--doc-id", "doc", &pdf]).remove(0);
    let layer = world.run(["document", "text", "doc"]).out;
    // A long line of the label, its apostrophes and dashes as somebody else types them, or one letter lost.
    let characters: Vec<char> = layer.chars().collect();
    let long: String = characters[400..640].iter().collect();
    assert_eq!(layer.matches(&long).count(), 1, "the passage stands once");
    let worn = {
        let word = long
            .split_whitespace()
            .find(|word| word.len() > 7 && word.chars().all(|letter| letter.is_ascii_lowercase()))
            .expect("a long word");
        long.replacen(word, &format!("{}{}", &word[..3], &word[4..]), 1)
    };
    let changed = long.replacen("mg", "mcg", 1);
    let file = world.file(
        "records.jsonl",
        [
            record("same", &document, &long, None),
            record("worn", &document, &worn, None),
            record("changed", &document, &format!("{changed} not"), None),
        ]
        .join("\n"),
    );
    let answers = world.lines(1, ["record", "import", "--place", &file]);
    let of = |index: usize| &answers[index]["citations"][0];
    assert_eq!(
        (of(0)["placed"].clone(), text(of(0), "state")),
        (json!(true), "verified"),
        "{answers:?}"
    );
    assert_eq!(
        (of(1)["placed"].clone(), text(of(1), "state")),
        (json!(true), "failed"),
        "{answers:?}"
    );
    assert_eq!(text(of(1), "reason"), "quote_mismatch");
    assert_eq!(
        text(&answers[1], "outcome"),
        "queued",
        "a person sees the place and the difference"
    );
    assert_eq!(
        (of(2)["placed"].clone(), text(of(2), "reason")),
        (json!(false), "no_offsets"),
        "{answers:?}"
    );
    let export = world.run(["record", "export"]).out;
    let place = |id: &str| -> (Value, Value) {
        let line = export
            .lines()
            .find(|line| line.contains(&format!("\"{id}\"")))
            .expect("the record is exported");
        let record: Value = serde_json::from_str(line).expect("a line of JSON");
        (
            record["provenance"][0]["char_start"].clone(),
            record["provenance"][0]["char_end"].clone(),
        )
    };
    assert_eq!(place("worn"), place("same"), "both point to one place");
}
