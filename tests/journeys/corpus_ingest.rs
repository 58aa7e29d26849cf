//! Every PDF of the corpus: taken in, or refused in one line; what was read is what a second reader reads.
//!
//! Deliberately not here: whether the text is what a person would read (a layer is what one extractor read).

use crate::Outcome;
use crate::corpus_documents::{Corpus, Said, Taken, corpus, library, pincite_text, repository, run};
use pincite_tests::World;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::Command;

/// Files that no reader should open, and a word that their refusal must hold (the corpus's README).
const MUST_FAIL: [(&str, &str); 3] = [
    ("html-named-pdf", "HTML"),
    ("parser_rebuildxref_error_notrailer", "damaged"),
    ("trailer_unterminated", "damaged"),
];

/// `FPDF_ERR_PASSWORD` (fpdfview.h).
const WANTS_PASSWORD: i64 = 4;

/// A refusal: exit code 1, one line that names the file and says why.
fn refused(taken: &Taken, said: &Said) -> Result<Value, String> {
    let answer = said.value().map_err(|error| format!("{}: {error}", taken.name))?;
    let reason = answer["reason"].as_str().unwrap_or_default();
    let path = taken.path.display().to_string();
    let cause = reason
        .strip_prefix(&path)
        .and_then(|rest| rest.strip_prefix(": "))
        .unwrap_or_default();
    if said.code != Some(1) || answer["outcome"] != "refused" {
        return Err(format!(
            "{}: refusing is exit code 1: {:?}, {answer}",
            taken.name, said.code
        ));
    }
    if cause.len() < 8 || reason.lines().count() != 1 || reason.len() > path.len() + 300 {
        return Err(format!(
            "{}: this is not one clear line with the file and the cause: {reason:?}",
            taken.name
        ));
    }
    Ok(answer)
}

fn added(taken: &Taken, said: &Said) -> Result<Value, String> {
    let answer = said.value().map_err(|error| format!("{}: {error}", taken.name))?;
    if said.code == Some(0) && answer["outcome"] == "added" {
        Ok(answer)
    } else {
        Err(format!("{}: {:?}, {answer}, {}", taken.name, said.code, said.stderr))
    }
}

/// What the second reader says of a file.
fn second_reader(taken: &Taken, library: &std::path::Path) -> Result<Value, String> {
    let mut command = Command::new("python3");
    command
        .arg(repository().join("tests/journeys/independent_layer.py"))
        .arg(library)
        .arg(&taken.path);
    command.args(&taken.password_file);
    let said = run(&mut command)?;
    said.value()
        .map_err(|error| format!("{}: the second reader failed: {error}", taken.name))
}

/// Every difference between the two readers of one file.
fn differences(corpus: &Corpus, taken: &Taken, library: &std::path::Path) -> Result<Vec<String>, String> {
    let answer = taken.answer()?;
    let second = second_reader(taken, library)?;
    let opened = answer["outcome"] == "added";
    let mut found = Vec::new();
    // A document without a page is no document here, though the library opens it.
    if (second["error"].is_null() && second["pages"] != 0) != opened {
        found.push(format!(
            "{}: {} here, the second reader says {second}",
            taken.name, answer["outcome"]
        ));
    }
    if second["error"] == WANTS_PASSWORD && answer["password_needed"] != true {
        found.push(format!("{}: no password was asked for: {answer}", taken.name));
    }
    if !opened {
        return Ok(found);
    }
    let shown = pincite_text(&corpus.world, &["document", "show", &taken.name])?.value()?;
    let here = json!({
        "pages": answer["pages"], "chars": answer["chars"], "boxed": answer["boxed"], "unboxed": shown["trust"]["unboxed"],
        "layer_sha256": answer["layer_sha256"], "scanned": answer["scanned_pages"],
    });
    if second["error"].is_null() && here != second {
        found.push(format!("{}: {here} here, {second} there", taken.name));
    }
    let scanned = answer["scanned_pages"]
        .as_array()
        .is_some_and(|pages| !pages.is_empty());
    if scanned
        && !answer["reason"]
            .as_str()
            .is_some_and(|reason| reason.contains("without text"))
    {
        found.push(format!("{}: scanned pages are not said in words: {answer}", taken.name));
    }
    Ok(found)
}

#[test]
fn every_pdf_is_taken_in_or_refused_in_one_line() -> Outcome {
    let Some(corpus) = corpus()? else { return Ok(()) };
    let mut counts = (0, 0, 0);
    let mut wrong: Vec<String> = Vec::new();
    let mut added_ids = BTreeSet::new();
    for taken in &corpus.taken {
        wrong.extend(
            taken
                .left_behind
                .iter()
                .map(|path| format!("{}: left behind: {path}", taken.name)),
        );
        let answer = match (
            &taken.with_passwords,
            MUST_FAIL.iter().find(|(part, _)| taken.name.contains(part)),
        ) {
            (_, Some((_, word))) => refused(taken, &taken.plain).and_then(|answer| {
                if answer["reason"].as_str().is_some_and(|reason| reason.contains(word)) {
                    Ok(answer)
                } else {
                    Err(format!("no {word:?} in {answer}"))
                }
            }),
            (Some((with_wrong, with_right)), _) => refused(taken, &taken.plain)
                .and_then(|answer| {
                    if answer["password_needed"] == true {
                        refused(taken, with_wrong)
                    } else {
                        Err(format!("no password asked for: {answer}"))
                    }
                })
                .and_then(|_| added(taken, with_right)),
            (None, None) if taken.plain.code == Some(0) => added(taken, &taken.plain),
            (None, None) => refused(taken, &taken.plain),
        };
        match answer {
            Ok(answer) if answer["outcome"] == "added" => {
                counts.0 += 1;
                counts.2 += usize::from(
                    answer["scanned_pages"]
                        .as_array()
                        .is_some_and(|pages| !pages.is_empty()),
                );
                added_ids.insert(taken.name.clone());
            }
            Ok(answer) => {
                counts.1 += 1;
                eprintln!("refused: {}", answer["reason"].as_str().unwrap_or_default());
            }
            Err(error) => wrong.push(error),
        }
    }
    let listed = pincite_text(&corpus.world, &["document", "list"])?.value()?;
    let listed: BTreeSet<String> = listed
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|view| Some(view["doc_id"].as_str()?.to_owned()))
        .collect();
    eprintln!(
        "corpus: {} files, {} taken in ({} with scanned pages), {} refused",
        corpus.taken.len(),
        counts.0,
        counts.2,
        counts.1
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        listed, added_ids,
        "a refused file leaves no document, an added one is there"
    );
    assert!(counts.0 > 0, "a corpus in which nothing opens proves nothing");
    Ok(())
}

#[test]
fn the_layer_is_what_a_second_reader_reads() -> Outcome {
    let Some(corpus) = corpus()? else { return Ok(()) };
    let library = library()?;
    let mut wrong = Vec::new();
    let (mut characters, mut boxed) = (0, 0);
    for taken in &corpus.taken {
        wrong.extend(differences(&corpus, taken, &library)?);
        let answer = taken.answer()?;
        characters += answer["chars"].as_u64().unwrap_or(0);
        boxed += answer["boxed"].as_u64().unwrap_or(0);
    }
    eprintln!(
        "layers: {characters} code points, {boxed} with a box, {} differences",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}

#[test]
fn what_is_no_file_at_all_is_refused_at_once() -> Outcome {
    let world = World::empty();
    let empty = world.file("empty.pdf", "");
    let text = world.file("text.pdf", "%PDF-1.7 and then only words");
    for (path, word) in [
        ("/dev/zero", "device"),
        (empty.as_str(), "empty file"),
        (text.as_str(), "damaged"),
    ] {
        let said = pincite_text(&world, &["ingest", path])?;
        let answer = said.value()?;
        let reason = answer["reason"].as_str().unwrap_or_default();
        assert!(
            said.code == Some(1) && reason.contains(word) && reason.contains(path),
            "{path}: {:?} {answer}",
            said.code
        );
    }
    let left: Vec<_> = world
        .workspace_files()
        .into_iter()
        .filter(|(path, _)| path.components().any(|part| part.as_os_str() == "blobs"))
        .collect();
    assert!(left.is_empty(), "left behind: {left:?}");
    Ok(())
}
