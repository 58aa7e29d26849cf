//! Quotes as another extractor reads them, found again in our layer: `pincite locate` on the corpus.
//!
//! `other_quotes.py` cuts them from what pdftotext (poppler) and, in the long form, pdfminer.six read, and says for each
//! how often it stands in our layer and where its letters stand, without anything of Pincite's. Held here: a quote that
//! stands once is found, at that place; one that stands more often is never found; nor is one whose text was removed or
//! whose number, unit or negation was changed. Once means once in either text: of a quote that stands twice in the other
//! reader's and once in ours, because ours has one of the two in another order, nobody can say which it was.
//!
//! The long form (`soak_locate`) cuts 10,000 quotes from each reader; pdfminer.six comes from PyPI into a folder of its
//! own. `bench_locate` measures against rapidfuzz and edlib, which come the same way.
//!
//! Deliberately not here: the rule itself (`pincite_core::locate`).

use crate::Outcome;
use crate::corpus_documents::{Corpus, Document, corpus, pincite, run};
use pincite_tests::World;
use pincite_tests::tree;
use serde_json::Value;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Of the quotes that stand once, the share that must be found at their place.
const SHARE_FOUND: f64 = 0.995;
/// Of a found quote's letters whose place is known, the share that must lie in the place found: its neighbours are right.
const SHARE_INSIDE: f64 = 0.75;

/// How often a measurement is made, the best of them being told.
const ROUNDS: usize = 3;

/// How the judged quotes fared.
#[derive(Debug, Default)]
struct Tally {
    once: usize,
    found: usize,
    more: usize,
    /// Standing once here and more often there: found, and of these in a place that is not theirs.
    more_there: usize,
    more_there_found: usize,
    more_there_elsewhere: usize,
    none: usize,
    none_found: usize,
    changed: usize,
    removed: usize,
    /// Found in a place that is not theirs.
    wrong: Vec<String>,
    /// Standing once, and not found.
    missed: Vec<String>,
    /// Standing more than once by the other count, and found in one place (dashes and white space told them apart).
    told_apart: usize,
    /// Removed or changed, and found in a place that reads nearly alike.
    raised: Vec<String>,
}

/// Reads a document's text by another program; `None` where it can't.
type Reader<'a> = &'a dyn Fn(&Path) -> Option<String>;

fn poppler(path: &Path) -> Option<String> {
    let said = run(Command::new("pdftotext").arg(path).arg("-")).ok()?;
    (said.code == Some(0)).then(|| String::from_utf8_lossy(&said.stdout).into_owned())
}

fn has_poppler() -> bool {
    run(Command::new("pdftotext").arg("-v")).is_ok()
}

fn answers(world: &World, text: &Path, quotes: &Path) -> Result<Vec<Value>, String> {
    let arguments = ["locate", "--text"].map(OsStr::new);
    let said = pincite(
        world,
        &[
            arguments[0],
            arguments[1],
            text.as_os_str(),
            OsStr::new("--quotes"),
            quotes.as_os_str(),
        ],
    )?;
    match said.code {
        Some(0 | 1) => said.lines(),
        _ => Err(format!("exit {:?}: {}", said.code, said.stderr)),
    }
}

fn read_lines(path: &Path) -> Result<Vec<Value>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    text.lines()
        .map(|line| serde_json::from_str(line).map_err(|error| error.to_string()))
        .collect()
}

impl Tally {
    /// Cuts `count` quotes from what the reader read of a document, and judges what became of them.
    fn document(
        &mut self,
        world: &World,
        document: &Document,
        other: &str,
        count: usize,
        seed: usize,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir_in(world.path(""))?;
        let file = |name: &str| folder.path().join(name);
        let layer: String = document.layer.iter().collect();
        std::fs::write(file("layer.txt"), &layer)?;
        std::fs::write(file("other.txt"), other)?;
        let program = tree::root().join("tests/journeys/other_quotes.py");
        let said = run(Command::new("python3")
            .arg(program)
            .args([file("layer.txt"), file("other.txt"), folder.path().to_owned()])
            .args([count.to_string(), seed.to_string()]))?;
        if said.code != Some(0) {
            return Err(format!("other_quotes.py: {}", said.stderr).into());
        }
        let quotes: HashMap<String, String> = ["quotes", "changed"]
            .iter()
            .filter_map(|name| read_lines(&file(&format!("{name}.jsonl"))).ok())
            .flatten()
            .map(|line| (word(&line, "id"), word(&line, "quote")))
            .collect();
        let truths = read_lines(&file("truth.jsonl"))?;
        let found = answers(world, &file("layer.txt"), &file("quotes.jsonl"))?;
        if found.len() != truths.len() {
            return Err("not an answer for each quote".into());
        }
        for (answer, truth) in found.iter().zip(&truths) {
            self.judge(document, answer, truth, &quotes);
        }
        for answer in answers(world, &file("layer.txt"), &file("changed.jsonl"))? {
            self.changed += 1;
            self.absent(document, &answer, "changed", &quotes);
        }
        for answer in answers(world, &file("removed.txt"), &file("gone.jsonl"))? {
            self.removed += 1;
            self.absent(document, &answer, "removed", &quotes);
        }
        Ok(())
    }

    fn judge(&mut self, document: &Document, answer: &Value, truth: &Value, quotes: &HashMap<String, String>) {
        let quote = quotes.get(&word(answer, "id")).cloned().unwrap_or_default();
        let found = answer["outcome"] == "found";
        let line = format!("{} page {}: {quote:?}: {answer}", document.doc_id, truth["page"]);
        let elsewhere = found && !is_there(document, answer, truth);
        let occurrences = truth["occurrences"].as_u64();
        if occurrences == Some(1) && truth["in_other"] != 1 {
            self.more_there += 1;
            self.more_there_found += usize::from(found);
            self.more_there_elsewhere += usize::from(elsewhere);
            return;
        }
        if elsewhere {
            self.wrong.push(line.clone());
        }
        match occurrences {
            Some(0) => {
                self.none += 1;
                self.none_found += usize::from(found);
            }
            Some(1) => {
                self.once += 1;
                self.found += usize::from(found);
                if !found {
                    self.missed.push(line);
                }
            }
            _ => {
                self.more += 1;
                self.told_apart += usize::from(found);
            }
        }
    }

    fn absent(&mut self, document: &Document, answer: &Value, why: &str, quotes: &HashMap<String, String>) {
        if answer["outcome"] == "found" {
            let quote = quotes.get(&word(answer, "id"));
            self.raised
                .push(format!("{} {why}: {quote:?}: {answer}", document.doc_id));
        }
    }

    fn report(&self, reader: &str) -> String {
        let mut report = format!(
            "{reader}: {} quotes stand once, {} of them found ({:.2} %); {} stand more often ({} told apart by their dashes), \
             {} in the other text alone ({} found, {} elsewhere), {} not in one piece ({} found); {} wrong places; of {} changed and {} removed, {} found",
            self.once,
            self.found,
            100.0 * self.found as f64 / self.once.max(1) as f64,
            self.more,
            self.told_apart,
            self.more_there,
            self.more_there_found,
            self.more_there_elsewhere,
            self.none,
            self.none_found,
            self.wrong.len(),
            self.changed,
            self.removed,
            self.raised.len(),
        );
        for (what, lines) in [
            ("wrong", &self.wrong),
            ("missed", &self.missed),
            ("raised", &self.raised),
        ] {
            for line in lines.iter().take(40) {
                let _ = write!(report, "\n  {what}: {line}");
            }
        }
        report
    }
}

fn word(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

/// Whether a place is where most of the quote's letters are known to stand; without such letters, on its page.
fn is_there(document: &Document, answer: &Value, truth: &Value) -> bool {
    let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
    let (Some(start), Some(end)) = (number(&answer["start"]), number(&answer["end"])) else {
        return false;
    };
    let page = |at: usize| {
        1 + document
            .layer
            .iter()
            .take(at)
            .filter(|character| **character == '\u{c}')
            .count()
    };
    let on_page = number(&truth["page"]).is_some_and(|truth| (page(start)..=page(end)).contains(&truth));
    let places: Vec<usize> = truth["places"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(number)
        .collect();
    let inside = places.iter().filter(|place| (start..end).contains(place)).count();
    let known = places.len() * 2 >= number(&truth["letters"]).unwrap_or(0) && !places.is_empty();
    on_page && (!known || inside as f64 >= SHARE_INSIDE * places.len() as f64)
}

/// Quotes of one reader over the whole corpus, as many from each document as its share of the text.
fn measure(
    corpus: &Corpus,
    reader: Reader<'_>,
    count: usize,
    seed: usize,
) -> Result<Tally, Box<dyn std::error::Error>> {
    let mut tally = Tally::default();
    let documents = corpus.documents()?;
    let total: usize = documents.iter().map(|document| document.layer.len()).sum();
    for document in documents {
        let Some(taken) = corpus.taken.iter().find(|taken| taken.name == document.doc_id) else {
            continue;
        };
        let share = (count * document.layer.len()).div_ceil(total.max(1));
        if let Some(other) = reader(&taken.path) {
            tally.document(&corpus.world, document, &other, share, seed)?;
        }
    }
    Ok(tally)
}

#[test]
fn quotes_of_pdftotext_are_found_where_they_came_from() -> Outcome {
    let Some(corpus) = corpus()? else { return Ok(()) };
    if !has_poppler() {
        eprintln!("skipped: no pdftotext (Debian: poppler-utils)");
        return Ok(());
    }
    let tally = measure(&corpus, &poppler, 500, 11)?;
    let report = tally.report("pdftotext");
    eprintln!("{report}");
    assert!(tally.once > 100, "{report}");
    // Few quotes: a handful of pages whose order the readers see differently must not decide.
    assert!(tally.found as f64 >= 0.98 * tally.once as f64, "{report}");
    assert!(tally.wrong.len() * 200 <= tally.once, "{report}");
    assert!(tally.raised.len() * 100 <= tally.changed + tally.removed, "{report}");
    Ok(())
}

/// A virtual environment with these packages, made below the world; its Python.
fn python_with(world: &World, packages: &[&str]) -> Result<PathBuf, Box<dyn std::error::Error>> {
    let folder = world.path("python");
    let python = folder.join("bin/python");
    if !python.is_file() {
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    }
    let said = run(Command::new(&python)
        .args(["-m", "pip", "install", "--quiet"])
        .args(packages))?;
    if said.code == Some(0) {
        Ok(python)
    } else {
        Err(format!("pip: {}", said.stderr).into())
    }
}

#[test]
#[ignore = "the long form: `make soak`"]
fn soak_locate_quotes_of_two_other_readers() -> Outcome {
    let Some(corpus) = corpus()? else { return Ok(()) };
    let python = python_with(&corpus.world, &["pdfminer.six"])?;
    let pdfminer = |path: &Path| {
        let program = "import sys\nfrom pdfminer.high_level import extract_text\nsys.stdout.buffer.write(extract_text(sys.argv[1]).encode('utf-8', 'replace'))";
        let said = run(Command::new(&python).args(["-c", program]).arg(path)).ok()?;
        (said.code == Some(0)).then(|| String::from_utf8_lossy(&said.stdout).into_owned())
    };
    let readers: [(&str, Reader<'_>); 2] = [("pdftotext", &poppler), ("pdfminer.six", &pdfminer)];
    let mut failed = Vec::new();
    for (name, reader) in readers {
        let tally = measure(&corpus, reader, 10_000, 1)?;
        let report = tally.report(name);
        eprintln!("{report}");
        let found = tally.found as f64 >= SHARE_FOUND * tally.once as f64;
        if !(found && tally.wrong.is_empty() && tally.raised.is_empty()) {
            failed.push(report);
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    Ok(())
}

/// A text of so many code points from the corpus: documents one after another, again from the first where they end.
fn text_of(documents: &[Document], length: usize) -> Vec<char> {
    let every = documents.iter().flat_map(|document| document.layer.iter().copied());
    let mut text: Vec<char> = every.collect();
    let once = text.len().max(1);
    // What comes again is made different, or every quote would stand twice.
    while text.len() < length && once > 1 {
        let round = text.len() / once;
        let letter = |character: char| match character {
            'a'..='z' => char::from(
                b'a' + (u8::try_from(u32::from(character)).unwrap_or(b'a') - b'a'
                    + u8::try_from(round % 25 + 1).unwrap_or(1))
                    % 26,
            ),
            other => other,
        };
        let next: Vec<char> = text
            .iter()
            .take((length - text.len()).min(once))
            .map(|character| letter(*character))
            .collect();
        text.extend(next);
    }
    text.truncate(length);
    text
}

#[test]
#[ignore = "a measurement: `make bench`"]
#[expect(clippy::print_stdout, reason = "what was measured")]
fn bench_locate() -> Outcome {
    use pincite_core::locate::{FoldedLayer, Located, Wanted, locate};
    let Some(corpus) = corpus()? else { return Ok(()) };
    let python = python_with(&corpus.world, &["rapidfuzz", "edlib"])?;
    for length in [100_000, 2_000_000] {
        let text = text_of(corpus.documents()?, length);
        let layer = pincite_core::text::Layer::new(&text.iter().collect::<String>())?;
        let began = std::time::Instant::now();
        let folded = FoldedLayer::new(&layer);
        println!(
            "{length} code points folded and indexed in {:.1} ms",
            began.elapsed().as_secs_f64() * 1e3
        );
        let mut dice = crate::Dice::named(5, "bench");
        for (kind, least) in [("exact", 8), ("approximate", 60)] {
            let mut quotes = Vec::new();
            while quotes.len() < 200 {
                let size = dice.log_uniform(least, 400);
                let start = dice.below(text.len() - size);
                let mut quote: Vec<char> = text[start..start + size].to_vec();
                if kind == "approximate" {
                    // One letter in the middle of a word is lost.
                    let middle = (size / 3..size * 2 / 3).find(|at| {
                        quote[at - 3..at + 4]
                            .iter()
                            .all(|character| character.is_ascii_lowercase())
                    });
                    let Some(at) = middle else { continue };
                    quote.remove(at);
                }
                quotes.push(quote.into_iter().collect::<String>());
            }
            // The best of a few rounds, here and there: what else the machine did is no part of it.
            let (mut found, mut ours) = (0, f64::INFINITY);
            for _ in 0..ROUNDS {
                let began = std::time::Instant::now();
                let not_lost = quotes.iter().filter(|quote| {
                    let wanted = Wanted {
                        quote,
                        ..Wanted::default()
                    };
                    !matches!(locate(&folded, &wanted), Located::Lost)
                });
                found = not_lost.count();
                ours = ours.min(began.elapsed().as_secs_f64() * 1e6 / quotes.len() as f64);
            }
            println!("  {kind}: {ours:.1} µs a find ({found} of {} found)", quotes.len());
            let file = corpus.world.path("bench.json");
            std::fs::write(&file, serde_json::to_vec(&(layer.text(), &quotes))?)?;
            let said = run(Command::new(&python)
                .arg(tree::root().join("tests/journeys/bench_others.py"))
                .arg(&file))?;
            for line in String::from_utf8_lossy(&said.stdout).lines() {
                let (name, theirs) = line.split_once(' ').unwrap_or((line, ""));
                match theirs.parse::<f64>() {
                    Ok(theirs) => println!(
                        "  {kind}: {name} {theirs:.1} µs a find: {:.0} times as long",
                        theirs / ours
                    ),
                    Err(_) => println!("  {name} did not run: {}", said.stderr),
                }
            }
        }
    }
    Ok(())
}
