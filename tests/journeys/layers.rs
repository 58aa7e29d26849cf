//! Other programs' texts of the same bytes: kept as they are, cited by their own offsets, carried into ours, never mistaken
//! for it.
//!
//! Deliberately not here: how often a quote of another program is found in ours (`corpus_locate`).

use crate::{assert_refused, counts, elements, number, text};
use pincite_tests::World;
use serde_json::{Value, json};

const DOCUMENT: &str = "drug-label";

/// The text as pdftotext might have it: other white space, a form feed after each page.
fn as_another_program(ours: &str) -> String {
    let pages: Vec<String> = ours
        .split('\u{c}')
        .map(|page| {
            let lines: Vec<String> = page.lines().map(|line| format!("  {}", line.trim_end())).collect();
            lines.join("\n\n") + "\n\u{c}"
        })
        .collect();
    pages.concat()
}

struct Foreign {
    world: World,
    ours: Value,
    added: Value,
    text: Vec<char>,
}

fn with_foreign_layer() -> Foreign {
    let world = World::with_documents();
    let ours = world.json(["document", "show", DOCUMENT]);
    let other = as_another_program(&world.run(["document", "text", DOCUMENT]).out);
    let path = world.file("label.txt", &other);
    let added = world.json(["layer", "add", DOCUMENT, "--text", &path, "--name", "pdftotext 24.02"]);
    Foreign {
        world,
        ours,
        added,
        text: other.chars().collect(),
    }
}

impl Foreign {
    fn citation(&self, quote: &str) -> Value {
        let wanted: Vec<char> = quote.chars().collect();
        let start = self
            .text
            .windows(wanted.len())
            .position(|window| window == wanted)
            .expect("the quote is there");
        json!({
            "doc_id": DOCUMENT, "doc_sha256": self.ours["doc_sha256"], "layer_sha256": self.added["layer_sha256"],
            "char_start": start, "char_end": start + wanted.len(), "quote": quote
        })
    }

    fn verified(&self, citations: &[Value]) -> Vec<String> {
        let lines: Vec<String> = citations.iter().map(Value::to_string).collect();
        let path = self.world.file("citations.jsonl", lines.join("\n"));
        let answer = self.world.run(["verify", &path, "--json"]);
        answer
            .lines()
            .iter()
            .map(|line| line["reason"].as_str().unwrap_or(text(line, "state")).to_owned())
            .collect()
    }

    fn import(&self, name: &str, citation: &Value, options: &[&str]) -> Value {
        let record = json!({
            "record_id": name, "doc_id": DOCUMENT, "doc_sha256": self.ours["doc_sha256"],
            "field": "dose.max_single_adult", "value": {"amount": 400, "unit": "mg"}, "status": "present",
            "confidence": 0.9, "provenance": [citation],
            "extractor": {"model": "m", "prompt_version": name, "run_id": "r"}, "due_at": null
        });
        let path = self.world.file("records.jsonl", record.to_string());
        let mut arguments = vec!["record", "import", &path, "--json"];
        arguments.extend(options);
        self.world.run(arguments).lines().remove(0)
    }

    fn kept(&self, record: &str) -> Value {
        self.world.json(["record", "show", record])["provenance"][0].clone()
    }
}

fn with(citation: &Value, key: &str, value: impl Into<Value>) -> Value {
    let mut citation = citation.clone();
    citation[key] = value.into();
    citation
}

#[test]
fn a_foreign_layer_is_kept_exactly_and_listed_beside_ours() {
    let foreign = with_foreign_layer();
    let world = &foreign.world;
    let text_given: String = foreign.text.iter().collect();
    let hash = text(&foreign.added, "layer_sha256");
    assert_eq!(hash, pincite_core::sha256_hex(text_given.as_bytes()));
    assert_eq!(
        (
            text(&foreign.added, "outcome"),
            text(&foreign.added, "kind"),
            &foreign.added["default"],
            &foreign.added["reason"]
        ),
        ("added", "foreign", &json!(false), &Value::Null)
    );
    assert_eq!(
        number(&foreign.added, "pages"),
        number(&foreign.ours, "pages"),
        "a form feed after each page"
    );
    assert_eq!(
        world.run(["document", "text", DOCUMENT, "--layer", hash]).out,
        text_given
    );
    let list = world.json(["layer", "list", DOCUMENT]);
    let found: Vec<(&str, &str, bool)> = elements(&list)
        .iter()
        .map(|layer| {
            (
                text(layer, "extractor"),
                text(layer, "kind"),
                layer["default"] == json!(true),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (text(&foreign.ours, "extractor"), "text", true),
            ("pdftotext 24.02", "foreign", false)
        ]
    );
    // Bytes are kept as they are: a mark, CR LF, control characters, no line end.
    let odd = "\u{feff}a\r\nb\u{0}\u{c}c";
    let path = world.file("odd.txt", odd);
    let added = world.json(["layer", "add", "sop-114@1ea2cda9", "--text", &path, "--name", "odd 1"]);
    assert_eq!(
        world
            .run([
                "document",
                "text",
                "sop-114@1ea2cda9",
                "--layer",
                text(&added, "layer_sha256")
            ])
            .out,
        odd
    );
    let reason = text(&added, "reason");
    for says in ["byte order mark", "CR LF", "1 form feeds", "can't be checked"] {
        assert!(reason.contains(says), "{says}: {reason}");
    }
    assert_eq!((number(&added, "chars"), &added["pages"]), (8, &Value::Null));
    let actions: Vec<String> = world
        .lines(0, ["audit", "log"])
        .iter()
        .filter(|entry| text(entry, "action").starts_with("layer."))
        .map(|entry| format!("{} {}", text(entry, "action"), text(&entry["payload"], "extractor")))
        .collect();
    assert_eq!(actions, ["layer.add pdftotext 24.02", "layer.add odd 1"]);
}

#[test]
fn a_citation_is_checked_on_the_layer_that_it_names() {
    let foreign = with_foreign_layer();
    let quote = "The maximum single dose in adults is 400 mg, and";
    let cited = foreign.citation(quote);
    let structure = text(&foreign.ours, "structure_id");
    let mut ours = with(&cited, "layer_sha256", foreign.ours["layer_sha256"].clone());
    let elsewhere = foreign.verified(&[ours.clone()]);
    assert_eq!(elsewhere, ["quote_mismatch"], "its offsets mean nothing in ours");
    ours["char_start"] = json!(720);
    ours["char_end"] = json!(768);
    ours["structure_id"] = json!(structure);
    ours["locator"] = json!("2.1");
    assert_eq!(
        foreign.verified(&[
            cited.clone(),
            with(&cited, "page", 1),
            with(&cited, "page", 2),
            with(&cited, "quote", "The maximum single dose in adults is 800 mg, and"),
            with(&cited, "locator", "2.1"),
            // Ours first, so that its structure is known when the next names it for the other layer.
            ours,
            with(&with(&cited, "structure_id", structure), "locator", "2.1"),
            with(&cited, "structure_id", structure),
            with(&cited, "char_end", 10_000_000),
        ]),
        [
            "verified",
            "verified",
            "page_mismatch",
            "quote_mismatch",
            "structure_unknown",
            "verified",
            "structure_unknown",
            "structure_unknown",
            "out_of_bounds"
        ]
    );
    // The same text is no layer of other bytes.
    let other = foreign.world.json(["document", "show", "pliego-2026-014"]);
    let stray = with(
        &with(&cited, "doc_id", "pliego-2026-014"),
        "doc_sha256",
        other["doc_sha256"].clone(),
    );
    assert_eq!(foreign.verified(&[stray]), ["layer_unknown"]);
}

#[test]
fn a_page_that_the_layer_does_not_tell_is_not_verified() {
    let mut foreign = with_foreign_layer();
    let whole: String = foreign
        .text
        .iter()
        .map(|character| if *character == '\u{c}' { '\n' } else { *character })
        .collect();
    let path = foreign.world.file("whole.txt", &whole);
    foreign.added = foreign
        .world
        .json(["layer", "add", DOCUMENT, "--text", &path, "--name", "one-page 1"]);
    assert_eq!(foreign.added["pages"], Value::Null);
    assert!(text(&foreign.added, "reason").contains("can't be checked"));
    foreign.text = whole.chars().collect();
    let cited = foreign.citation("The maximum single dose in adults is 400 mg, and");
    assert_eq!(
        foreign.verified(&[cited.clone(), with(&cited, "page", 1), with(&cited, "page", 3)]),
        ["verified", "page_unknown", "page_unknown"]
    );
    // Nothing fills in a page that nobody knows.
    let imported = foreign.import("no-page", &cited, &[]);
    assert_eq!(text(&imported["citations"][0], "state"), "verified");
    let kept = foreign.kept("no-page");
    assert_eq!((&kept["page"], &kept["locator"]), (&Value::Null, &Value::Null));
    assert_eq!(foreign.world.lines(0, ["verify", "--all"]).len(), 1);
}

#[test]
fn records_keep_a_foreign_layer_or_are_placed_in_ours() {
    let foreign = with_foreign_layer();
    let quote = "The maximum single dose in adults is 400 mg, and";
    let cited = foreign.citation(quote);
    let imported = foreign.import("kept", &cited, &[]);
    assert_eq!(
        (
            text(&imported["citations"][0], "state"),
            &imported["citations"][0]["placed"]
        ),
        ("verified", &json!(false))
    );
    let kept = foreign.kept("kept");
    assert_eq!(
        (
            text(&kept, "layer_sha256"),
            number(&kept, "char_start"),
            number(&kept, "page"),
            &kept["locator"]
        ),
        (
            text(&foreign.added, "layer_sha256"),
            number(&cited, "char_start"),
            1,
            &Value::Null
        )
    );
    let imported = foreign.import("placed", &cited, &["--place"]);
    assert_eq!(
        (
            text(&imported["citations"][0], "placing"),
            text(&imported["citations"][0], "state")
        ),
        ("placed", "verified")
    );
    let placed = foreign.kept("placed");
    assert_eq!(
        (
            text(&placed, "layer_sha256"),
            number(&placed, "char_start"),
            text(&placed, "locator"),
            text(&placed, "structure_id")
        ),
        (
            text(&foreign.ours, "layer_sha256"),
            720,
            "2.1",
            text(&foreign.ours, "structure_id")
        )
    );
    // Words that the other program made of its own have no place in ours: the citation stays where it holds.
    let spaced = foreign.citation("mg, and\n\n  no more than 800 mg");
    let broken = with(
        &with(&spaced, "quote", "mg, and no more than 900 mg"),
        "locator",
        Value::Null,
    );
    let imported = foreign.import("wrong", &broken, &["--place"]);
    assert_eq!(
        (
            text(&imported["citations"][0], "reason"),
            &imported["citations"][0]["placing"]
        ),
        ("quote_mismatch", &Value::Null),
        "offsets that name a known layer are meant, and wrong"
    );
}

#[test]
fn what_would_confuse_layers_is_refused() {
    let foreign = with_foreign_layer();
    let world = &foreign.world;
    let before = counts(world);
    let good = world.file("good.txt", "another text");
    let latin = world.file("latin.txt", b"Zins f\xFCr alle");
    let empty = world.file("empty.txt", "");
    let folder = world.path("").display().to_string();
    let add = |document: &str, path: &str, name: &str, says: &[&str]| {
        assert_refused(
            &world.run(["layer", "add", document, "--text", path, "--name", name]),
            2,
            says,
        );
    };
    add(
        DOCUMENT,
        &good,
        "pdftotext 24.02",
        &[DOCUMENT, "pdftotext 24.02", "never changes"],
    );
    add(
        DOCUMENT,
        &good,
        text(&foreign.ours, "extractor"),
        &["pincite-", "own extractors"],
    );
    add(DOCUMENT, &good, "Pincite-layer-9", &["pincite-", "own extractors"]);
    add(DOCUMENT, &good, "", &["--name"]);
    add(DOCUMENT, &good, "two\nlines", &["--name"]);
    add(DOCUMENT, &latin, "latin", &[&latin, "byte 6", "UTF-8"]);
    add(DOCUMENT, &empty, "empty", &[&empty, "empty"]);
    add(DOCUMENT, "no-such-file", "none", &["no-such-file"]);
    add(DOCUMENT, &folder, "folder", &[&folder, "folder"]);
    add("no-such-document", &good, "none", &["no-such-document"]);
    add("sop-114", &good, "none", &["sop-114", "4 versions"]);
    assert_refused(
        &world.run(["layer", "default", DOCUMENT, "pdftotext 24.02"]),
        2,
        &[DOCUMENT, "pdftotext 24.02", "no boxes"],
    );
    assert_refused(
        &world.run(["layer", "default", DOCUMENT, "deadbeef"]),
        2,
        &["deadbeef", "layer list"],
    );
    assert_eq!(counts(world), before, "nothing was done");
    // The same text under the same name again is known; the default stays what it is.
    let path = world.path("label.txt").display().to_string();
    let again = world.json(["layer", "add", DOCUMENT, "--text", &path, "--name", "pdftotext 24.02"]);
    assert_eq!(text(&again, "outcome"), "known");
    let short = text(&foreign.ours, "layer_sha256").get(..12).expect("a hash");
    for arguments in [
        &["layer", "default", DOCUMENT][..],
        &["layer", "default", DOCUMENT, short],
    ] {
        assert_eq!(
            text(&world.json(arguments), "layer_sha256"),
            text(&foreign.ours, "layer_sha256")
        );
    }
    assert_eq!(counts(world), before, "and nothing of it is a change");
}

#[test]
fn a_citation_of_another_program_is_carried_into_our_layer() {
    let foreign = with_foreign_layer();
    let ours: Vec<char> = foreign.world.run(["document", "text", DOCUMENT]).out.chars().collect();
    let quote = "The maximum single dose in adults is 400 mg";
    let cited = foreign.citation(quote);
    let path = foreign.world.file("foreign.jsonl", cited.to_string());
    let answer = foreign.world.lines(0, ["verify", &path]).remove(0);
    assert_eq!(
        (text(&answer, "state"), text(&answer, "carriage")),
        ("verified", "drifted")
    );
    let start = cited["char_start"]
        .as_i64()
        .and_then(|start| start.checked_add(answer["shift"].as_i64()?));
    let start = usize::try_from(start.expect("a shift")).expect("an offset");
    let carried: String = ours[start..start + quote.len()].iter().collect();
    assert_eq!(carried, quote);
    // A quote that our layer has nowhere is lost, not moved to the nearest place.
    let mut wrong = with(&cited, "quote", json!("The maximum single dose in adults is 900 mg"));
    wrong = with(&wrong, "layer_sha256", foreign.ours["layer_sha256"].clone());
    let path = foreign.world.file("wrong.jsonl", wrong.to_string());
    let answer = foreign.world.lines(1, ["verify", &path]).remove(0);
    assert_eq!((text(&answer, "state"), text(&answer, "carriage")), ("failed", "lost"));
}
