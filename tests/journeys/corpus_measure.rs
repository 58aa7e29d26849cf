//! Random spans of real documents, measured: whether their rectangles cover their ink, and lead back to them.
//!
//! A span begins and ends at a code point that has a box, since a rectangle knows no other. The same span is the same
//! start and end, or code points that no rectangle can tell from it: each of its rectangles is then also that of what it
//! led to (the letters of a ligature, a mark on its letter, text drawn twice at one place). Both shares are kept.
//!
//! Deliberately not here: what ink is (`corpus_ink`); tokens with a truth of their own (`corpus_tokens`).

use crate::corpus_documents::{Corpus, Document, Taken, pincite_text};
use crate::corpus_ink::{Area, Cover, DPI, each_page};
use crate::{Dice, Outcome};
use pincite_app::Workspace;
use pincite_app::documents;
use pincite_app::wire::{RectView, SelectionView};
use pincite_core::text::{LayerBoxes, PageDetail, PageSize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Lengths of spans.
const SHORTEST: usize = 1;
const LONGEST: usize = 400;
/// One span in so many is laid over the end of a page.
const OVER_PAGES: usize = 10;
/// Pages whose pictures would be larger are not drawn (A0 at 144 dpi is 32 million pixels).
const MOST_PIXELS: f32 = 40e6;
/// Coordinates are the same within this many points.
const SAME: f32 = 0.02;

/// What is wanted of spans.
pub(crate) const WANTED: f64 = 0.995;

/// How much is tried.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effort {
    /// Spans of a document at most.
    pub(crate) spans: usize,
    /// Pages of a document at most.
    pub(crate) pages: usize,
}

/// What came of one document.
#[derive(Debug, Default, Clone)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) facts: Value,
    pub(crate) spans: usize,
    /// Spans whose glyphs have ink, and how many of them are covered.
    pub(crate) inked: usize,
    pub(crate) covered: usize,
    /// Spans that are led back to exactly, and as far as rectangles can tell.
    pub(crate) exact: usize,
    pub(crate) same: usize,
    /// Pages that are read in another order than the layer's.
    pub(crate) columns: usize,
    /// Spans that rectangles can't tell from what they lead back to, for people.
    pub(crate) alike: Vec<String>,
    /// What went wrong, for people.
    pub(crate) wrong: Vec<String>,
}

impl Row {
    /// The sum of several.
    pub(crate) fn all(rows: &[Self]) -> Self {
        rows.iter().fold(Self::default(), |sum, row| Self {
            spans: sum.spans + row.spans,
            inked: sum.inked + row.inked,
            covered: sum.covered + row.covered,
            exact: sum.exact + row.exact,
            same: sum.same + row.same,
            columns: sum.columns + row.columns,
            alike: [sum.alike, row.alike.clone()].concat(),
            wrong: [sum.wrong, row.wrong.clone()].concat(),
            ..sum
        })
    }
}

/// The code points of each page, by number from 1.
pub(crate) fn page_spans(layer: &[char]) -> Vec<Range<usize>> {
    let mut spans = Vec::new();
    let mut start = 0;
    for (index, character) in layer.iter().enumerate() {
        if *character == '\u{c}' {
            spans.push(start..index);
            start = index + 1;
        }
    }
    spans.push(start..layer.len());
    spans
}

/// Distinct spans drawn for a document: their logarithmic length uniform, some of them over the end of a page.
fn drawn_spans(
    layer: &[char],
    pages: &[Range<usize>],
    effort: Effort,
) -> impl FnMut(&mut Dice) -> Option<Range<usize>> {
    // With few pages to look at, from the middle: covers and indexes stand at the ends.
    let middle = pages.len().saturating_sub(effort.pages) / 2;
    let looked_at = pages
        .get(middle..(middle + effort.pages).min(pages.len()))
        .unwrap_or_default();
    let from = looked_at.first().map_or(0, |page| page.start);
    let to = looked_at.last().map_or(layer.len(), |page| page.end);
    let ends: Vec<usize> = looked_at.iter().map(|page| page.end).filter(|end| *end < to).collect();
    let mut drawn = BTreeSet::new();
    let mut tries = effort.spans * 20;
    move |dice| {
        while tries > 0 && drawn.len() < effort.spans && from < to {
            tries -= 1;
            let size = dice.log_uniform(SHORTEST, LONGEST.min(to - from));
            let start = if dice.below(OVER_PAGES) == 0 && size > 1 && !ends.is_empty() {
                (ends[dice.below(ends.len())] + 1)
                    .saturating_sub(dice.below(size).max(1))
                    .max(from)
            } else {
                from + dice.below(to - from - size + 1)
            };
            let span = start..(start + size).min(to);
            if drawn.insert((span.start, span.end)) {
                return Some(span);
            }
        }
        None
    }
}

/// One span on the way through.
struct Tried {
    span: Range<usize>,
    rects: Vec<RectView>,
}

/// Measures one document.
pub(crate) async fn measure(
    corpus: &Corpus,
    workspace: &Workspace,
    taken: &Taken,
    document: &Document,
    effort: Effort,
) -> Result<Row, Box<dyn std::error::Error>> {
    let mut row = Row {
        name: document.doc_id.clone(),
        facts: pincite_text(&corpus.world, &["document", "show", &document.doc_id])?.value()?,
        ..Row::default()
    };
    let pages = page_spans(&document.layer);
    let kept = kept(workspace, document).await?;
    row.columns = kept.details.iter().filter(|page| !page.order.is_empty()).count();
    let boxed: Vec<bool> = kept.boxes.into_boxes().iter().map(Option::is_some).collect();
    let mut dice = Dice::named(20_260_301, &document.doc_id);
    let mut next = drawn_spans(&document.layer, &pages, effort);
    let mut tried: BTreeMap<(usize, usize), Tried> = BTreeMap::new();
    while let Some(span) = next(&mut dice) {
        let Some(span) = trimmed(span, &boxed) else { continue };
        if tried.contains_key(&(span.start, span.end)) {
            continue;
        }
        let rects = rects(workspace, &document.doc_id, &span).await?;
        tried.insert((span.start, span.end), Tried { span, rects });
    }
    row.spans = tried.len();
    for one in tried.values() {
        reselect(workspace, document, one, &mut row).await?;
    }
    cover(taken, &pages, &kept.sizes, &tried, &mut row)?;
    Ok(row)
}

/// What is kept of a document beside its text.
pub(crate) struct Kept {
    pub(crate) boxes: LayerBoxes,
    pub(crate) details: Vec<PageDetail>,
    pub(crate) sizes: Vec<PageSize>,
}

/// Reads it back.
pub(crate) async fn kept(workspace: &Workspace, document: &Document) -> Result<Kept, Box<dyn std::error::Error>> {
    let mut reading = workspace.store.read().await?;
    let version = documents::resolve(&mut reading, &document.doc_id).await?;
    let (bytes, layer) = (&document.doc_sha256, &document.layer_sha256);
    let boxes = pincite_store::documents::layer_boxes(&mut reading, bytes, layer).await?;
    let details = pincite_store::documents::layer_details(&mut reading, bytes, layer).await?;
    Ok(Kept {
        boxes: LayerBoxes::from_bytes(&boxes.unwrap_or_default()).ok_or("boxes that can't be read back")?,
        details: details.map_or_else(|| Ok(Vec::new()), |details| serde_json::from_slice(&details))?,
        sizes: documents::pages(&version)?.iter().map(|page| page.size).collect(),
    })
}

fn trimmed(span: Range<usize>, boxed: &[bool]) -> Option<Range<usize>> {
    let first = span.clone().find(|index| boxed[*index])?;
    let last = span.rev().find(|index| boxed[*index])?;
    Some(first..last + 1)
}

async fn rects(
    workspace: &Workspace,
    doc: &str,
    span: &Range<usize>,
) -> Result<Vec<RectView>, Box<dyn std::error::Error>> {
    let (start, end) = (i64::try_from(span.start)?, i64::try_from(span.end)?);
    Ok(documents::boxes(workspace, doc, start, end).await?.rects)
}

/// Selects by each rectangle of a span in turn; together that must be the span.
async fn reselect(workspace: &Workspace, document: &Document, one: &Tried, row: &mut Row) -> Outcome {
    let mut hits: Vec<SelectionView> = Vec::new();
    for rect in &one.rects {
        let area = documents::area(rect.x0, rect.y0, rect.x1, rect.y1);
        hits.extend(documents::hit(workspace, &document.doc_id, rect.page, area).await.ok());
    }
    let back = hits
        .first()
        .zip(hits.last())
        .map(|(first, last)| first.start as usize..last.end as usize);
    let inside = |back: &Range<usize>| {
        hits.iter()
            .all(|hit| hit.spans.len() == 1 && back.start <= hit.start as usize && hit.end as usize <= back.end)
    };
    let Some(back) = back.filter(|back| back.start < back.end && inside(back)) else {
        let parts: Vec<_> = hits.iter().map(|hit| (hit.start, hit.end, hit.spans.len())).collect();
        row.wrong
            .push(format!("{} {:?} leads back to {parts:?}", row.name, one.span));
        return Ok(());
    };
    let exact = back == one.span;
    // Not to be told apart: each rectangle is also the one around what it led to.
    let mut same = exact || hits.len() == one.rects.len();
    for (hit, rect) in hits.iter().zip(&one.rects).filter(|_| !exact) {
        let again = rects(workspace, &document.doc_id, &(hit.start as usize..hit.end as usize)).await?;
        same &= around(&again).is_some_and(|again| alike(&again, rect));
    }
    if same && !exact {
        row.alike
            .push(format!("{} {:?} leads back to {back:?}", row.name, one.span));
    }
    row.exact += usize::from(exact);
    row.same += usize::from(same);
    if !same {
        row.wrong
            .push(format!("{} {:?} leads back to {back:?}", row.name, one.span));
    }
    Ok(())
}

/// The rectangle around several of one page.
fn around(rects: &[RectView]) -> Option<RectView> {
    let first = rects.first()?;
    let one_page = rects.iter().all(|rect| rect.page == first.page);
    one_page.then(|| {
        rects.iter().fold(*first, |sum, rect| RectView {
            page: sum.page,
            x0: sum.x0.min(rect.x0),
            y0: sum.y0.min(rect.y0),
            x1: sum.x1.max(rect.x1),
            y1: sum.y1.max(rect.y1),
        })
    })
}

fn alike(one: &RectView, other: &RectView) -> bool {
    one.page == other.page
        && [
            (one.x0, other.x0),
            (one.y0, other.y0),
            (one.x1, other.x1),
            (one.y1, other.y1),
        ]
        .iter()
        .all(|(one, other)| (one - other).abs() <= SAME)
}

/// Looks at the ink of every span on every page it stands on.
fn cover(
    taken: &Taken,
    pages: &[Range<usize>],
    sizes: &[PageSize],
    tried: &BTreeMap<(usize, usize), Tried>,
    row: &mut Row,
) -> Outcome {
    let mut wanted: BTreeMap<u32, Vec<&Tried>> = BTreeMap::new();
    for one in tried.values() {
        let on: BTreeSet<u32> = one.rects.iter().map(|rect| rect.page).collect();
        for page in on {
            wanted.entry(page).or_default().push(one);
        }
    }
    let scale = DPI as f32 / 72.0;
    let fits = |page: u32| {
        let size = sizes.get(page as usize - 1);
        size.is_some_and(|size| size.width * size.height * scale * scale <= MOST_PIXELS)
    };
    let numbers: BTreeSet<u32> = wanted.keys().copied().filter(|page| fits(*page)).collect();
    let mut bare: BTreeMap<(usize, usize), Option<usize>> = BTreeMap::new();
    each_page(taken, &numbers, |number, ink| {
        let page = pages.get(number as usize - 1).cloned().unwrap_or_default();
        if ink.boxes.len() != page.len() {
            return Err(format!(
                "{} page {number}: {} code points here, {} to the second reader",
                taken.name,
                page.len(),
                ink.boxes.len()
            ));
        }
        for one in wanted.get(&number).into_iter().flatten() {
            let rects: Vec<Area> = one
                .rects
                .iter()
                .filter(|rect| rect.page == number)
                .map(|rect| Area {
                    x0: rect.x0 * scale,
                    y0: rect.y0 * scale,
                    x1: rect.x1 * scale,
                    y1: rect.y1 * scale,
                })
                .collect();
            let on_page = one.span.start.max(page.start) - page.start..one.span.end.min(page.end) - page.start;
            let before = bare.get(&(one.span.start, one.span.end)).copied().flatten();
            let so_far = match ink.cover(on_page, &rects) {
                Cover::NoInk => before,
                Cover::Covered => before.or(Some(0)),
                Cover::Bare(pixels) => Some(before.unwrap_or(0) + pixels),
            };
            bare.insert((one.span.start, one.span.end), so_far);
        }
        Ok(())
    })?;
    for ((start, end), pixels) in bare {
        row.inked += usize::from(pixels.is_some());
        row.covered += usize::from(pixels == Some(0));
        if let Some(pixels @ 1..) = pixels {
            row.wrong
                .push(format!("{} {start}..{end}: {pixels} pixels bare", row.name));
        }
    }
    Ok(())
}

/// A runtime and the corpus' workspace, opened beside the programs.
pub(crate) fn with_workspace<T>(
    corpus: &Corpus,
    work: impl AsyncFnOnce(&Workspace) -> Result<T, Box<dyn std::error::Error>>,
) -> Result<T, Box<dyn std::error::Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let workspace = Workspace::open(corpus.world.place()).await?;
        work(&workspace).await
    })
}

/// Measures every document of the corpus, or every so-manieth.
pub(crate) fn measured(corpus: &Corpus, every: usize, effort: Effort) -> Result<Vec<Row>, Box<dyn std::error::Error>> {
    with_workspace(corpus, async |workspace| {
        let mut rows = Vec::new();
        for document in corpus.documents()?.iter().step_by(every) {
            let taken = corpus.taken.iter().find(|taken| taken.name == document.doc_id);
            let taken = taken.ok_or("a document that was never taken in")?;
            let row = measure(corpus, workspace, taken, document, effort).await?;
            eprintln!("{}: {} spans", row.name, row.spans);
            rows.push(row);
        }
        Ok(rows)
    })
}

/// That the spans of all documents together reach what is wanted.
pub(crate) fn judge(rows: &[Row]) -> Outcome {
    let all = Row::all(rows);
    eprintln!(
        "spans: {}; of {} with ink {} covered; {} led back to exactly, {} as far as rectangles can tell",
        all.spans, all.inked, all.covered, all.exact, all.same
    );
    let reached = |count: usize, of: usize| count as f64 >= WANTED * of as f64;
    let good = reached(all.covered, all.inked) && reached(all.same, all.spans);
    let shown: Vec<&String> = all.wrong.iter().take(30).collect();
    if good {
        Ok(())
    } else {
        Err(format!("too many spans are wrong: {shown:#?}").into())
    }
}

#[test]
fn rectangles_cover_the_ink_and_lead_back() -> Outcome {
    let Some(corpus) = crate::corpus_documents::corpus()? else {
        return Ok(());
    };
    let rows = measured(&corpus, 3, Effort { spans: 12, pages: 2 })?;
    judge(&rows)
}
