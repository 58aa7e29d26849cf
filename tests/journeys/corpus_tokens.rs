//! Where words stand, held against boxes that somebody else's program found: the token files beside some documents.
//!
//! A word here is code points between white space, on one line. A token is paired with the word of the same text whose box
//! shares most of it. Edges and overlap are judged over the pairs; how many tokens found no partner is told.
//!
//! Deliberately not here: tops and bottoms. Tight boxes, loose boxes and line boxes differ in them by definition.

use crate::Outcome;
use crate::corpus_documents::{Corpus, Document};
use crate::corpus_measure::{kept, with_workspace};
use pincite_core::text::Rect;
use serde_json::Value;
use std::collections::HashMap;
use std::path::PathBuf;

/// How far an edge may be from the token's, in points.
const EDGE: f32 = 1.5;
/// The share of a token's height that its word's box must share.
const OVERLAP: f32 = 0.6;
/// The share of pairs for which that must hold.
pub(crate) const WANTED: f64 = 0.97;
/// The share of tokens that must have a partner, or the comparison says nothing.
const PAIRED: f64 = 0.9;

/// What came of one document.
#[derive(Debug, Default)]
pub(crate) struct Tokens {
    pub(crate) name: String,
    pub(crate) tokens: usize,
    pub(crate) paired: usize,
    /// Pairs whose left and right edges agree, and pairs that overlap enough from top to bottom.
    pub(crate) edges: usize,
    pub(crate) overlapping: usize,
}

/// The words of each page with their boxes.
fn words(document: &Document, boxes: &[Option<Rect>]) -> Vec<HashMap<String, Vec<Rect>>> {
    let mut pages = vec![HashMap::new()];
    let mut open: Option<(String, Rect)> = None;
    for (character, rect) in document.layer.iter().zip(boxes) {
        let (Some(rect), false) = (rect, character.is_whitespace()) else {
            if let Some((word, rect)) = open.take() {
                add(&mut pages, word, rect);
            }
            if *character == '\u{c}' {
                pages.push(HashMap::new());
            }
            continue;
        };
        open = Some(match open.take() {
            Some((word, whole)) => (format!("{word}{character}"), whole.union(*rect)),
            None => (character.to_string(), *rect),
        });
    }
    if let Some((word, rect)) = open {
        add(&mut pages, word, rect);
    }
    pages
}

fn add(pages: &mut [HashMap<String, Vec<Rect>>], word: String, rect: Rect) {
    if let Some(page) = pages.last_mut() {
        page.entry(word).or_default().push(rect);
    }
}

fn token(value: &Value) -> Option<(String, Rect)> {
    #[expect(clippy::cast_possible_truncation, reason = "points on a page")]
    let side = |key: &str| value[key].as_f64().map(|side| side as f32);
    let (x, y) = (side("x")?, side("y")?);
    let rect = Rect {
        x0: x,
        y0: y,
        x1: x + side("width")?,
        y1: y + side("height")?,
    };
    Some((value["text"].as_str()?.trim().to_owned(), rect))
}

fn shared(one: f32, other: f32, from: f32, to: f32) -> f32 {
    (other.min(to) - one.max(from)).max(0.0)
}

fn judge_page(words: &HashMap<String, Vec<Rect>>, tokens: &[Value], found: &mut Tokens) {
    for (text, rect) in tokens.iter().filter_map(token).filter(|(text, _)| !text.is_empty()) {
        found.tokens += 1;
        let common =
            |word: &Rect| shared(word.x0, word.x1, rect.x0, rect.x1) * shared(word.y0, word.y1, rect.y0, rect.y1);
        let partner = words
            .get(&text)
            .into_iter()
            .flatten()
            .filter(|word| common(word) > 0.0)
            .max_by(|one, other| common(one).total_cmp(&common(other)));
        let Some(word) = partner else { continue };
        found.paired += 1;
        found.edges += usize::from((word.x0 - rect.x0).abs() <= EDGE && (word.x1 - rect.x1).abs() <= EDGE);
        found.overlapping += usize::from(shared(word.y0, word.y1, rect.y0, rect.y1) >= OVERLAP * rect.height());
    }
}

/// The token file beside a document: `NAME.pawls.json` beside `NAME.pdf`.
fn token_file(corpus: &Corpus, document: &Document) -> Option<PathBuf> {
    let taken = corpus.taken.iter().find(|taken| taken.name == document.doc_id)?;
    Some(taken.path.with_extension("pawls.json")).filter(|path| path.is_file())
}

/// Every document that has a token file.
pub(crate) fn compared(corpus: &Corpus) -> Result<Vec<Tokens>, Box<dyn std::error::Error>> {
    with_workspace(corpus, async |workspace| {
        let mut all = Vec::new();
        for document in corpus.documents()? {
            let Some(file) = token_file(corpus, document) else {
                continue;
            };
            let pages: Value = serde_json::from_slice(&std::fs::read(file)?)?;
            let boxes = kept(workspace, document).await?.boxes.into_boxes();
            let mut found = Tokens {
                name: document.doc_id.clone(),
                ..Tokens::default()
            };
            // The files count pages from 0 or from 1; they list them in order.
            for (words, page) in words(document, &boxes)
                .iter()
                .zip(pages.as_array().into_iter().flatten())
            {
                judge_page(words, page["tokens"].as_array().map_or(&[], Vec::as_slice), &mut found);
            }
            all.push(found);
        }
        Ok(all)
    })
}

/// That the pairs agree.
pub(crate) fn judge(all: &[Tokens]) -> Outcome {
    for one in all {
        eprintln!(
            "{}: {} of {} tokens paired; edges agree for {}, heights overlap for {}",
            one.name, one.paired, one.tokens, one.edges, one.overlapping
        );
        let reached = |count: usize, of: usize, share: f64| count as f64 >= share * of as f64;
        let good = reached(one.paired, one.tokens, PAIRED)
            && reached(one.edges, one.paired, WANTED)
            && reached(one.overlapping, one.paired, WANTED);
        if !good {
            return Err(format!("{}: too few agree: {one:?}", one.name).into());
        }
    }
    Ok(())
}

#[test]
fn words_stand_where_another_reading_found_them() -> Outcome {
    let Some(corpus) = crate::corpus_documents::corpus()? else {
        return Ok(());
    };
    judge(&compared(&corpus)?)
}
