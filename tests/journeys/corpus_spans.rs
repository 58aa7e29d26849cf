//! Citations made from random spans of real layers: each holds; each of four changes makes it fail as a mismatch.
//!
//! Whether a change matters under VerifyFold is decided by `corpus_fold`, never by the program under test.
//!
//! Deliberately not here: near misses, which no check may forgive.

use crate::corpus_documents::{Document, corpus, pincite};
use crate::corpus_fold::Definition;
use crate::{Dice, Outcome};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;

/// Spans of one document at most, and their lengths.
const SPANS: usize = 200;
const SHORTEST: usize = 8;
const LONGEST: usize = 400;
/// How many of each change a corpus of real size must give.
const ENOUGH: usize = 1_000;
/// Citations from which a corpus is of real size.
const REAL_SIZE: usize = 8_000;

/// The four changes, by name.
const CHANGES: [&str; 4] = ["word dropped", "digits swapped", "ellipsis", "shifted by one"];

fn spans(document: &Document, definition: &Definition, dice: &mut Dice) -> BTreeSet<(usize, usize)> {
    let length = document.layer.len();
    let mut spans = BTreeSet::new();
    for _ in 0..SPANS * 20 {
        if spans.len() == SPANS || length < SHORTEST {
            break;
        }
        let size = dice.log_uniform(SHORTEST, LONGEST.min(length));
        let start = dice.below(length - size + 1);
        if !definition.fold(&document.layer[start..start + size]).is_empty() {
            spans.insert((start, start + size));
        }
    }
    spans
}

/// The deepest section at a place, or any that encloses it.
fn locator<'a>(document: &'a Document, at: usize, dice: &mut Dice) -> Option<&'a str> {
    let mut around: Vec<_> = document
        .sections
        .iter()
        .filter(|section| section.start <= at && at < section.end)
        .collect();
    around.sort_by_key(|section| std::cmp::Reverse((section.level, section.start)));
    let chosen = if dice.below(2) == 0 {
        0
    } else {
        dice.below(around.len())
    };
    around.get(chosen).map(|section| section.locator.as_str())
}

fn citation(document: &Document, id: String, (start, end): (usize, usize), quote: &[char], dice: &mut Dice) -> Value {
    let page = 1 + document.layer[..start]
        .iter()
        .filter(|character| **character == '\u{c}')
        .count();
    let mut citation = json!({
        "id": id, "doc_id": document.doc_id, "doc_sha256": document.doc_sha256, "page": page,
        "char_start": start, "char_end": end, "quote": quote.iter().collect::<String>(),
    });
    if let Some(locator) = locator(document, start, dice) {
        citation["locator"] = json!(locator);
    }
    // A citation names its layer and its structure, or means the default ones.
    if dice.below(2) == 0 {
        citation["layer_sha256"] = json!(document.layer_sha256);
        citation["structure_id"] = json!(document.structure_id);
    }
    citation
}

fn without_a_word(quote: &[char], dice: &mut Dice) -> Option<Vec<char>> {
    let text: String = quote.iter().collect();
    let words: Vec<&str> = text.split(' ').collect();
    let dropped = dice.below(words.len());
    let rest = words
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != dropped)
        .map(|(_, word)| *word);
    (words.len() > 1).then(|| rest.collect::<Vec<_>>().join(" ").chars().collect())
}

fn with_digits_swapped(quote: &[char], dice: &mut Dice) -> Option<Vec<char>> {
    let digits: Vec<usize> = (0..quote.len()).filter(|index| quote[*index].is_numeric()).collect();
    let first = *digits.get(dice.below(digits.len()))?;
    // The nearest digit that differs: 450.000 becomes 540.000, the way a person or a model errs.
    let second = digits
        .iter()
        .copied()
        .filter(|index| quote[*index] != quote[first])
        .min_by_key(|index| index.abs_diff(first))?;
    let mut swapped = quote.to_vec();
    swapped.swap(first, second);
    Some(swapped)
}

fn with_an_ellipsis(quote: &[char], dice: &mut Dice) -> Vec<char> {
    let from = 1 + dice.below(quote.len() - 1);
    let left_out = dice.below(quote.len() - from);
    let ellipsis = dice.one_of(&["…", " … ", "...", " ... ", " [...] ", "[…]"]);
    quote[..from]
        .iter()
        .copied()
        .chain(ellipsis.chars())
        .chain(quote[from + left_out..].iter().copied())
        .collect()
}

/// The changed citations of a span that really differ, with the change's place in [`CHANGES`].
fn changed(
    document: &Document,
    definition: &Definition,
    (start, end): (usize, usize),
    dice: &mut Dice,
) -> Vec<(usize, (usize, usize), Vec<char>)> {
    let quote = &document.layer[start..end];
    let by = if (dice.below(2) == 0 || start == 0) && end < document.layer.len() {
        1
    } else {
        -1
    };
    let shifted = (start.saturating_add_signed(by), end.saturating_add_signed(by));
    let candidates = [
        (0, (start, end), without_a_word(quote, dice)),
        (1, (start, end), with_digits_swapped(quote, dice)),
        (2, (start, end), Some(with_an_ellipsis(quote, dice))),
        (
            3,
            shifted,
            (shifted.0 < start || start < shifted.0).then(|| quote.to_vec()),
        ),
    ];
    let differs = |span: (usize, usize), quote: &[char]| {
        !definition.fold(quote).is_empty() && !definition.equal(&document.layer[span.0..span.1], quote)
    };
    candidates
        .into_iter()
        .filter_map(|(change, span, quote)| Some((change, span, quote.filter(|quote| differs(span, quote))?)))
        .collect()
}

#[test]
fn a_citation_made_from_a_span_verifies_and_a_changed_one_does_not() -> Outcome {
    let Some(corpus) = corpus()? else { return Ok(()) };
    let definition = Definition::new()?;
    let mut lines = String::new();
    let mut expected: HashMap<String, Option<usize>> = HashMap::new();
    let mut write = |value: Value, change: Option<usize>| {
        expected.insert(value["id"].as_str().unwrap_or_default().to_owned(), change);
        lines.push_str(&value.to_string());
        lines.push('\n');
    };
    for document in corpus.documents()? {
        let mut dice = Dice::named(20_260_114, &document.doc_id);
        for span in spans(document, &definition, &mut dice) {
            let id = format!("{} {}-{}", document.doc_id, span.0, span.1);
            write(
                citation(document, id.clone(), span, &document.layer[span.0..span.1], &mut dice),
                None,
            );
            for (change, moved, quote) in changed(document, &definition, span, &mut dice) {
                write(
                    citation(document, format!("{id} {}", CHANGES[change]), moved, &quote, &mut dice),
                    Some(change),
                );
            }
        }
    }
    let file = corpus.world.path("spans.jsonl");
    std::fs::write(&file, &lines)?;
    let said = pincite(&corpus.world, &[OsStr::new("verify"), file.as_os_str()])?;
    let answers = said.lines()?;
    let mut wrong = Vec::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for answer in &answers {
        let id = answer["id"].as_str().unwrap_or_default();
        let Some(change) = expected.remove(id) else {
            return Err(format!("{id} was never asked, or answered twice").into());
        };
        let (state, reason, name) = match change {
            None => (json!("verified"), Value::Null, "as they stand"),
            Some(change) => (json!("failed"), json!("quote_mismatch"), CHANGES[change]),
        };
        *counts.entry(name).or_default() += 1;
        if answer["state"] != state || answer["reason"] != reason {
            wrong.push(answer.to_string());
        }
    }
    eprintln!("spans: {counts:?}, {} wrong", wrong.len());
    assert!(
        wrong.is_empty(),
        "{} of {} are wrong, such as\n{}",
        wrong.len(),
        answers.len(),
        wrong.iter().take(20).cloned().collect::<Vec<_>>().join("\n")
    );
    assert!(expected.is_empty(), "{} citations were not answered", expected.len());
    assert_eq!(said.code, Some(1), "a changed citation is a finding: {}", said.stderr);
    if counts
        .get("as they stand")
        .is_some_and(|citations| *citations >= REAL_SIZE)
    {
        for change in CHANGES {
            assert!(
                counts.get(change).is_some_and(|count| *count >= ENOUGH),
                "{change}: fewer than {ENOUGH} in {counts:?}"
            );
        }
    }
    Ok(())
}
