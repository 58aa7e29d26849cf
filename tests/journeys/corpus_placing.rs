//! Quotes cut from the corpus, written as another extractor would write them, without offsets: placed where they came
//! from, or called ambiguous; never placed anywhere else.
//!
//! In how many places a quote stands is counted by `corpus_fold`, never by the program under test.
//!
//! Deliberately not here: quotes with foreign offsets or wrong words (the fixtures' traps have them).

use crate::corpus_documents::{Document, corpus, pincite, pincite_text};
use crate::corpus_fold::{Countable, Definition, Folded};
use crate::{Dice, Outcome};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ffi::OsStr;

/// Quotes in all.
const QUOTES: usize = 1_000;
/// Of the quotes with one place, the share that must be placed there.
const SHARE_PLACED: f64 = 0.99;

const CATALOGUE: &str = "[field.\"corpus.quote\"]\ntitle = \"A quote\"\nguidance = \"Any.\"\ntype = \"text\"\n";

struct Quote<'a> {
    document: &'a Document,
    start: usize,
    end: usize,
    text: String,
    occurrences: usize,
}

impl Quote<'_> {
    /// The layer's own text, as it was cut.
    fn cut(&self) -> String {
        self.document.layer[self.start..self.end].iter().collect()
    }
}

/// The text as another extractor gives it: its own white space, its own way with a line-end hyphen.
fn rewritten(text: &[char], dice: &mut Dice) -> String {
    let hyphen = dice.one_of(&["", "-\n", "- ", "-"]);
    let keeps_lines = dice.below(3) == 0;
    let mut written = String::new();
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            '\u{ad}' if text.get(at + 1) == Some(&'\n') => {
                written.push_str(hyphen);
                at += 1;
            }
            '\n' if keeps_lines => written.push_str(dice.one_of(&["\n", "\r\n", " \n"])),
            '\n' => written.push_str(dice.one_of(&[" ", " ", "  ", "\u{a0}"])),
            '\u{c}' => written.push_str(dice.one_of(&["\n", "\n\n", " ", "\u{c}"])),
            ' ' => written.push_str(match dice.below(20) {
                0 => "\u{a0}",
                1 => "  ",
                2 => "\n",
                3 => "\t",
                _ => " ",
            }),
            other => written.push(other),
        }
        at += 1;
    }
    written
}

fn quotes<'a>(documents: &'a [Document], definition: &Definition) -> Vec<Quote<'a>> {
    let total: usize = documents.iter().map(|document| document.layer.len()).sum();
    let mut quotes = Vec::new();
    let mut passed = 0;
    for document in documents {
        let length = document.layer.len();
        passed += length;
        let until = passed * QUOTES / total.max(1);
        let mut countable = None;
        let mut dice = Dice::named(77, &document.doc_id);
        for _ in 0..QUOTES * 4 {
            if quotes.len() >= until || length < 8 {
                break;
            }
            let size = dice.log_uniform(8, 400.min(length));
            let start = dice.below(length - size + 1);
            let text = rewritten(&document.layer[start..start + size], &mut dice);
            let folded: Folded = definition.fold(&text.chars().collect::<Vec<char>>());
            if folded.is_empty() {
                continue;
            }
            let countable = countable.get_or_insert_with(|| Countable::new(definition.fold(&document.layer)));
            quotes.push(Quote {
                document,
                start,
                end: start + size,
                text,
                occurrences: countable.occurrences(&folded),
            });
        }
    }
    quotes
}

fn record(number: usize, quote: &Quote<'_>) -> Value {
    json!({
        "record_id": format!("corpus-{number}"), "doc_id": quote.document.doc_id, "doc_sha256": quote.document.doc_sha256,
        "field": "corpus.quote", "value": format!("quote {number}"), "status": "present", "confidence": 0.5,
        "provenance": [{ "quote": quote.text }],
        "extractor": { "model": "another", "prompt_version": "1", "run_id": "corpus" }, "due_at": null,
    })
}

/// A span without what no comparison sees at its ends.
fn trimmed(layer: &[char], start: usize, end: usize) -> (usize, usize) {
    let unseen = |character: &char| {
        character.is_whitespace() || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
    };
    let slice = layer.get(start..end).unwrap_or_default();
    let front = slice.iter().take_while(|character| unseen(character)).count();
    let back = slice.iter().rev().take_while(|character| unseen(character)).count();
    (start + front, (end - back).max(start + front))
}

/// Where each record's citation stands now, by the record's id.
fn places(export: &[Value]) -> HashMap<String, (Option<usize>, Option<usize>)> {
    let offset = |citation: &Value, key: &str| citation[key].as_u64().and_then(|offset| usize::try_from(offset).ok());
    let place = |record: &Value| {
        let citation = record["provenance"].get(0)?;
        Some((
            record["record_id"].as_str()?.to_owned(),
            (offset(citation, "char_start"), offset(citation, "char_end")),
        ))
    };
    export.iter().filter_map(place).collect()
}

#[test]
fn quotes_of_another_extractor_are_placed_where_they_came_from() -> Outcome {
    let Some(corpus) = corpus()? else { return Ok(()) };
    let definition = Definition::new()?;
    let quotes = quotes(corpus.documents()?, &definition);
    let catalogue = corpus.world.path("catalogue.toml");
    std::fs::write(&catalogue, CATALOGUE)?;
    let set = pincite(
        &corpus.world,
        &[OsStr::new("catalogue"), OsStr::new("set"), catalogue.as_os_str()],
    )?;
    assert_eq!(set.code, Some(0), "{}", set.stderr);
    let file = corpus.world.path("quotes.jsonl");
    let lines: Vec<String> = quotes
        .iter()
        .enumerate()
        .map(|(number, quote)| record(number, quote).to_string())
        .collect();
    std::fs::write(&file, lines.join("\n"))?;
    let said = pincite(
        &corpus.world,
        &[
            OsStr::new("record"),
            OsStr::new("import"),
            OsStr::new("--place"),
            file.as_os_str(),
        ],
    )?;
    // A quote with two places is a finding; every line is a record.
    assert_eq!(said.code, Some(1), "{}", said.stderr);
    assert!(said.stderr.contains(" 0 refused"), "{}", said.stderr);
    let answers = said.lines()?;
    assert_eq!(answers.len(), quotes.len(), "a line for a line");
    let places = places(&pincite_text(&corpus.world, &["record", "export"])?.lines()?);

    let mut wrong = Vec::new();
    let (mut one, mut there, mut ambiguous, mut none) = (0, 0, 0, 0);
    for (number, (quote, answer)) in quotes.iter().zip(&answers).enumerate() {
        let citation = &answer["citations"][0];
        let placing = citation["placing"].as_str().unwrap_or_default();
        let own = trimmed(&quote.document.layer, quote.start, quote.end);
        let placed = citation["placed"] == true;
        let at = match places.get(&format!("corpus-{number}")) {
            Some((Some(start), Some(end))) => Some(trimmed(&quote.document.layer, *start, *end)),
            _ => None,
        };
        let is_there = placed && at == Some(own) && citation["state"] == "verified";
        let fails = match quote.occurrences {
            0 => placed,
            1 => placed && !is_there,
            _ => placing != "ambiguous",
        };
        if fails || placed != at.is_some() {
            let found = format!("placed at {at:?}, cut at {own:?}");
            wrong.push(format!(
                "{} has {} places: {citation}, {found}: {:?}",
                quote.document.doc_id, quote.occurrences, quote.text
            ));
        }
        match quote.occurrences {
            0 => none += 1,
            1 => {
                one += 1;
                there += usize::from(is_there);
                if !is_there {
                    eprintln!(
                        "not placed: {} {}-{} {citation} {:?}",
                        quote.document.doc_id, quote.start, quote.end, quote.text
                    );
                }
            }
            _ => ambiguous += 1,
        }
    }
    eprintln!(
        "quotes: {} in all, {one} with one place ({there} placed there), {ambiguous} with more (all ambiguous), {none} altered out of recognition, {} wrong",
        quotes.len(),
        wrong.len()
    );
    let hyphens = quotes.iter().filter(|quote| quote.cut().contains("\u{ad}\n")).count();
    let summary = said.stderr.lines().last().unwrap_or_default();
    eprintln!("{hyphens} of them over a line-end hyphen; {summary}");
    assert!(
        wrong.is_empty(),
        "{} wrong, such as\n{}",
        wrong.len(),
        wrong.iter().take(10).cloned().collect::<Vec<_>>().join("\n")
    );
    assert!(
        there as f64 >= SHARE_PLACED * one as f64,
        "{there} of {one} quotes with one place were placed there"
    );
    assert!(
        none * 100 <= quotes.len(),
        "{none} of {} quotes were altered out of recognition: the test alters too much",
        quotes.len()
    );
    Ok(())
}
