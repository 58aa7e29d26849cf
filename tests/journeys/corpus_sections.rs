//! Sections of real documents: against the outlines of their PDFs, which the parser was not shown; against a list of
//! clauses that was read from the pages by hand (`corpus_clauses.tsv`); and what holds of any structure.
//!
//! In the list a locator is the last part of the parser's own (`2.1` of `Capítulo III > 2.1`, `(1)` of a step below a
//! heading without a number), with the page and the first words. A mark in the margin that is no numbering (the lone `T`
//! of one procedure) and the numbered points of a decree that the tender quotes are no clauses.
//!
//! Deliberately not here: headings without a number, and documents whose outline has few numbers.

use crate::Outcome;
use crate::corpus_documents::{Corpus, Document, Taken, corpus, library, pincite_text};
use pincite_core::structure::{Locator, Structure};
use pincite_core::text::{CharOffset, Layer};
use pincite_pdf::{Limits, Worker, WorkerProgram};
use pincite_tests::programs::program;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;

/// Precision and recall wanted of the documents below.
const ENOUGH: f64 = 0.97;
/// Documents for which the figures must be reached, by what their names hold; others are printed.
const MEASURED: [&str; 3] = ["nist-sp-800-223", "atorvastatin", "warfarin"];
/// An outline is a measure from so many numbered entries on.
const LEAST_ENTRIES: usize = 10;

/// A number as its document has it, without the stop after it, and its page.
type Place = (String, u64);

/// The number at the beginning of an outline's title, read without any of the parser's code: `2.1`, `A.1`, and the word
/// and letter of an appendix. `None` where there is none.
fn number_of(title: &str) -> Option<String> {
    let mut words = title.split_whitespace();
    let first = words.next()?;
    let second = words.next()?;
    let bare = |word: &str| word.trim_end_matches(['.', ':', ')']).to_owned();
    if ["appendix", "annex", "anexo"].contains(&first.to_lowercase().as_str()) {
        return Some(format!("{first} {}", bare(second)));
    }
    let number = bare(first);
    let mut parts = number.split('.');
    let digits = |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let head = parts.next()?;
    let lettered = number.contains('.') && head.len() == 1 && head.bytes().all(|byte| byte.is_ascii_uppercase());
    ((digits(head) || lettered) && parts.all(digits)).then_some(number)
}

/// Depth and kind of a number: what an outline that has one such number has all of.
fn kind(number: &str) -> (bool, bool, usize) {
    let lettered = number.starts_with(|first: char| first.is_ascii_uppercase());
    (number.contains(' '), lettered, number.matches('.').count())
}

/// The numbered entries of a PDF's outline. A number that comes twice (an outline may list a table of contents too) counts
/// where it comes last.
fn outline(taken: &Taken) -> Result<BTreeSet<Place>, Box<dyn std::error::Error>> {
    let programs = WorkerProgram {
        program: program("pincite-pdf-worker"),
        library: library()?,
    };
    let mut worker = Worker::open(&programs, File::open(&taken.path)?, None, Limits::default())?;
    let mut last = BTreeMap::new();
    for item in worker.outline()? {
        if let (Some(number), Some(page)) = (number_of(&item.title), item.page) {
            last.insert(number, u64::from(page));
        }
    }
    Ok(last.into_iter().collect())
}

fn sections(corpus: &Corpus, name: &str, arguments: &[&str]) -> Result<Vec<Value>, String> {
    let mut all = vec!["document", "sections", name];
    all.extend(arguments);
    let said = pincite_text(&corpus.world, &all)?.value()?;
    Ok(said.as_array().cloned().unwrap_or_default())
}

fn last_part(section: &Value) -> &str {
    let locator = section["locator"].as_str().unwrap_or_default();
    locator.rsplit(" > ").next().unwrap_or_default()
}

#[test]
fn sections_are_those_of_the_outline_though_it_was_withheld() -> Outcome {
    let Some(corpus) = corpus()? else { return Ok(()) };
    let mut measured = 0;
    for taken in &corpus.taken {
        if taken.answer()?["outcome"] != "added" || taken.with_passwords.is_some() {
            continue;
        }
        let wanted = outline(taken)?;
        if wanted.len() < LEAST_ENTRIES {
            continue;
        }
        let kinds: BTreeSet<_> = wanted.iter().map(|(number, _)| kind(number)).collect();
        for arguments in [&["--without-outline"][..], &[]] {
            let found: BTreeSet<Place> = sections(&corpus, &taken.name, arguments)?
                .iter()
                .map(|section| (last_part(section).to_owned(), section["page"].as_u64().unwrap_or(0)))
                .filter(|(number, _)| number_of(&format!("{number} x")).is_some_and(|own| own == *number))
                .filter(|(number, _)| kinds.contains(&kind(number)))
                .collect();
            let right = found.intersection(&wanted).count() as f64;
            let (precision, recall) = (right / (found.len().max(1) as f64), right / wanted.len() as f64);
            eprintln!(
                "{} {arguments:?}: {} of the outline's numbers, precision {precision:.3}, recall {recall:.3}",
                taken.name,
                wanted.len()
            );
            if MEASURED.iter().any(|name| taken.name.contains(name)) {
                measured += 1;
                assert!(
                    precision >= ENOUGH && recall >= ENOUGH,
                    "{}: missing {:?}, too many {:?}",
                    taken.name,
                    wanted.difference(&found).collect::<Vec<_>>(),
                    found.difference(&wanted).collect::<Vec<_>>()
                );
            }
        }
    }
    eprintln!("{measured} of {} measurements that have a floor", MEASURED.len() * 2);
    Ok(())
}

#[test]
fn every_clause_read_by_hand_is_found_and_nothing_else() -> Outcome {
    let Some(corpus) = corpus()? else { return Ok(()) };
    let mut wanted: BTreeMap<&str, Vec<(&str, u64, &str)>> = BTreeMap::new();
    for line in include_str!("corpus_clauses.tsv").lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [document, locator, page, words] = cells[..] else {
            return Err(format!("{line}: four cells were expected").into());
        };
        wanted
            .entry(document)
            .or_default()
            .push((locator, page.parse()?, words));
    }
    for (name, clauses) in wanted {
        let Some(document) = corpus
            .documents()?
            .iter()
            .find(|document| document.doc_id.contains(name))
        else {
            eprintln!("skipped: {name} is not in this corpus");
            continue;
        };
        let mut faults = Vec::new();
        let found = sections(&corpus, &document.doc_id, &[])?;
        let mut numbered = found.iter().filter(|section| is_number(last_part(section)));
        for (locator, page, words) in &clauses {
            // Both are in the document's order.
            let Some(section) = numbered.next() else {
                faults.push(format!("{locator} on page {page} is missing"));
                break;
            };
            let start = usize::try_from(section["start"].as_u64().unwrap_or(0))?;
            let begins: String = document.layer.iter().skip(start).take(120).collect();
            let (begins, words) = (squashed(&begins), squashed(words));
            let same = last_part(section) == *locator && section["page"] == *page && begins.contains(&words);
            if !same {
                faults.push(format!(
                    "{locator} on page {page} was expected, and {} on page {} is there: {begins}",
                    section["locator"], section["page"]
                ));
                break;
            }
        }
        faults.extend(numbered.map(|section| format!("{} is no clause", section["locator"])));
        assert!(faults.is_empty(), "{name}: {faults:#?}");
        eprintln!("{name}: {} clauses", clauses.len());
    }
    Ok(())
}

/// Whether a part of a locator is a number: it has a digit, or is a letter or a numeral, alone or after a word.
fn is_number(part: &str) -> bool {
    let last = part.split(' ').next_back().unwrap_or_default();
    let head = last.split(['.', '(']).next().unwrap_or_default();
    let numeral = !head.is_empty() && head.bytes().all(|byte| matches!(byte, b'I' | b'V' | b'X'));
    let digits = part.split(' ').count() <= 2 && last.starts_with(|first: char| first.is_ascii_digit() || first == '(');
    digits && !part.contains(", ") || numeral || head.len() == 1 && head.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Letters and digits alone: spaces between letters are an accident of setting.
fn squashed(text: &str) -> String {
    text.chars().filter(|character| character.is_alphanumeric()).collect()
}

#[test]
fn no_section_is_an_entry_of_a_table_of_contents_or_a_running_head() -> Outcome {
    let Some(corpus) = corpus()? else { return Ok(()) };
    for document in corpus.documents()? {
        // The pages on which a line is a heading, word for word; `Panel, 10 mg` and `Panel, 20 mg` are two headings.
        let mut lines: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
        for section in &document.sections {
            let line: String = document.layer[section.start..]
                .iter()
                .take_while(|character| !matches!(character, '\n' | '\u{c}'))
                .collect();
            assert!(
                !line.contains(". . . .") && !line.contains("....."),
                "{}: an entry of a table of contents: {line}",
                document.doc_id
            );
            let page = document.layer[..section.start]
                .iter()
                .filter(|page| **page == '\u{c}')
                .count();
            // Items have nothing but a label to tell them from a running head.
            if !section.locator.ends_with(')') && line.chars().filter(|letter| letter.is_alphabetic()).count() > 12 {
                lines.entry(line).or_default().insert(page);
            }
        }
        let running = lines.iter().find(|(_, pages)| pages.len() > 3);
        assert!(running.is_none(), "{}: a running head: {running:?}", document.doc_id);
    }
    Ok(())
}

#[test]
fn offsets_lead_to_locators_and_locators_back() -> Outcome {
    let Some(corpus) = corpus()? else { return Ok(()) };
    let (mut structures, mut offsets) = (0, 0);
    for document in corpus.documents()? {
        let structure = structure(&corpus, document)?;
        let layer = Layer::new(&document.layer.iter().collect::<String>())?;
        let mut names = BTreeSet::new();
        for section in &structure.sections {
            let printed = section.locator.to_string();
            assert!(names.insert(printed.clone()), "{}: {printed} twice", document.doc_id);
            let read = Locator::parse(&printed)?;
            assert_eq!(read, section.locator, "{}", document.doc_id);
            assert_eq!(structure.find(&read), Some(section), "{}: {printed}", document.doc_id);
            assert_eq!(layer.page_of(section.span.start()), section.page);
            for offset in section.own.iter().flat_map(|own| own.range()) {
                let at = structure.locator_at(CharOffset::from_index(offset));
                assert_eq!(at, Some(section), "{}: {printed} at {offset}", document.doc_id);
                offsets += 1;
            }
        }
        structures += 1;
    }
    eprintln!("{offsets} offsets in {structures} structures");
    Ok(())
}

/// The structure in use, as it was recorded: read again from the same layer, boxes and details.
fn structure(corpus: &Corpus, document: &Document) -> Result<Structure, Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let content = runtime.block_on(async {
        let store = pincite_store::Store::open(corpus.world.place()).await?;
        let mut reading = store.read().await?;
        pincite_store::documents::structure(&mut reading, &document.doc_sha256, &document.structure_id).await
    })?;
    let row = content.ok_or("the structure in use is not in the workspace")?;
    Ok(serde_json::from_slice(&row.content)?)
}
