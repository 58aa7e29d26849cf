//! Selections dragged down the columns of real pages, held against what a person read there.
//!
//! Each truth names a page and, of each of its columns, words of some lines from its first to its last, read off the page.
//! A drag from the first words of a column to its last ones must take all of that column's and none of the other's. Truths
//! of documents that are not there are passed over.
//!
//! Deliberately not here: pages of one column, whose order is the layer's by property tests of the core.

use crate::Outcome;
use crate::corpus_documents::{Corpus, Document};
use crate::corpus_measure::{kept, page_spans, with_workspace};
use pincite_app::documents;
use std::ops::Range;

/// A page that a person read: document (the end of its name), page, words of the left and of the right column.
struct Truth {
    document: &'static str,
    page: usize,
    columns: [&'static [&'static str]; 2],
}

const TRUTHS: [Truth; 4] = [
    Truth {
        document: "unstructured__multi-column.pdf",
        page: 2,
        columns: [
            &[
                "QA datasets, it also suffers from two",
                "are good surrogates of questions",
                "of diversified topics. More",
            ],
            &[
                "the extractive QA setting, in which",
                "real-valued vectors and builds an index",
                "natural paragraphs in our preliminary",
            ],
        ],
    },
    Truth {
        document: "pdfjs__tracemonkey.pdf",
        page: 2,
        columns: [
            &[
                "Hence, recording and compiling a trace",
                "duplication.",
                "This paper makes the following contributions",
                "JavaScript is described in Section 6.",
            ],
            &[
                "a set of industry benchmarks.",
                "transitions between the loops.",
                "the first iteration.",
            ],
        ],
    },
    Truth {
        document: "tabula__us-025.pdf",
        page: 1,
        columns: [
            &[
                "death in the United States",
                "disease and 5.7% from stroke (1).",
                "Preliminary data for 2008 indicate",
            ],
            &[
                "occlusion and stenosis of cerebral",
                "used as an indicator of statistical",
                "per 100,000 population (Utah)",
            ],
        ],
    },
    Truth {
        document: "docling__2206.01062_pg3.pdf",
        page: 1,
        columns: [
            &[
                "information value, but are often hard",
                "documents or photographs showing",
            ],
            &[
                "the same document are spread over train",
                "documents, the original source document is not",
                "and performed exams for quality assurance.",
            ],
        ],
    },
];

/// Where words stand on a page: code points of the layer. White space counts as none, since line ends
/// differ, and neither does what stands for no known character.
fn place(layer: &[char], page: &Range<usize>, words: &str) -> Option<Range<usize>> {
    let solid: Vec<(usize, char)> = page
        .clone()
        .filter_map(|index| Some((index, *layer.get(index)?)))
        .filter(|(_, character)| !character.is_whitespace() && *character != '\u{fffd}')
        .collect();
    let wanted: Vec<char> = words.chars().filter(|character| !character.is_whitespace()).collect();
    let found = solid
        .windows(wanted.len())
        .find(|window| window.iter().map(|(_, character)| character).eq(&wanted))?;
    Some(found.first()?.0..found.last()?.0 + 1)
}

fn document<'a>(corpus: &'a Corpus, truth: &Truth) -> Result<Option<&'a Document>, String> {
    let documents = corpus.documents()?;
    Ok(documents
        .iter()
        .find(|document| document.doc_id.ends_with(truth.document)))
}

/// Drags of all truths: how many there were, how many were right, and what went wrong.
pub(crate) fn dragged(corpus: &Corpus) -> Result<(usize, usize, Vec<String>), Box<dyn std::error::Error>> {
    with_workspace(corpus, async |workspace| {
        let (mut drags, mut right, mut wrong) = (0, 0, Vec::new());
        for truth in &TRUTHS {
            let Some(document) = document(corpus, truth)? else {
                continue;
            };
            let boxes = kept(workspace, document).await?.boxes.into_boxes();
            let page = page_spans(&document.layer)[truth.page - 1].clone();
            let name = format!("{} page {}", truth.document, truth.page);
            let places = truth.columns.map(|words| {
                let places = words.iter().map(|words| (*words, place(&document.layer, &page, words)));
                places.collect::<Vec<_>>()
            });
            for (words, found) in places.iter().flatten() {
                if found.is_none() {
                    wrong.push(format!("{name}: \"{words}\" is not there"));
                }
            }
            for (own, other) in [(&places[0], &places[1]), (&places[1], &places[0])] {
                let known = |places: &[(&'static str, Option<Range<usize>>)]| -> Vec<(&'static str, Range<usize>)> {
                    places
                        .iter()
                        .filter_map(|(words, place)| Some((*words, place.clone()?)))
                        .collect()
                };
                let (own, other) = (known(own), known(other));
                let ends = own.first().zip(own.last()).and_then(|((_, first), (_, last))| {
                    Some((boxes[first.start]?.centre(), boxes[last.end - 1]?.centre()))
                });
                let Some((from, to)) = ends else { continue };
                let (bytes, layer) = (&document.doc_sha256, &document.layer_sha256);
                let number = u32::try_from(truth.page)?;
                let selected = documents::select(workspace, bytes, layer, number, from, to).await?;
                let spans = selected.map(|selected| selected.spans).unwrap_or_default();
                let takes = |place: &Range<usize>| {
                    let one = |index: usize| {
                        spans
                            .iter()
                            .any(|span| (span.start as usize..span.end as usize).contains(&index))
                    };
                    place.clone().filter(|index| one(*index)).count()
                };
                drags += 1;
                let before = wrong.len();
                for (words, place) in &own {
                    if takes(place) != place.len() {
                        wrong.push(format!("{name}: a drag down its own column leaves \"{words}\""));
                    }
                }
                for (words, place) in &other {
                    if takes(place) != 0 {
                        wrong.push(format!("{name}: a drag down the other column takes \"{words}\""));
                    }
                }
                right += usize::from(wrong.len() == before);
            }
        }
        Ok((drags, right, wrong))
    })
}

#[test]
fn a_drag_down_one_column_leaves_the_other_alone() -> Outcome {
    let Some(corpus) = crate::corpus_documents::corpus()? else {
        return Ok(());
    };
    let (drags, right, wrong) = dragged(&corpus)?;
    eprintln!("columns: {drags} drags, {right} right");
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("\n").into())
    }
}
