//! From a document's bytes to its layer, boxes, pages and sections, through one worker.
//!
//! Deliberately not here: keeping any of it.

use crate::error::AppError;
use crate::trust::PageRecord;
use pincite_core::structure::{OutlineEntry, ParseInput, Structure, parse_sections};
use pincite_core::text::{Layer, LayerBoxes, PAGE_JOIN, PageDetail, PageSize, Rect, doubled, reading_order};
use pincite_pdf::{OutlineItem, Worker, WorkerError};

/// Everything one pass over a document found.
#[derive(Debug, Clone)]
pub struct Extracted {
    /// The text.
    pub layer: Layer,
    /// A box or none for each of its code points.
    pub boxes: LayerBoxes,
    /// One entry a page.
    pub pages: Vec<PageRecord>,
    /// What each page says beside its text; one entry a page.
    pub details: Vec<PageDetail>,
    /// The document's own outline.
    pub outline: Vec<OutlineEntry>,
    /// The document information's title.
    pub title: Option<String>,
}

/// A document with more pages that can't be read than this is none: a page tree of 200 bytes can say that it has a million.
const MOST_DAMAGED: usize = 1000;
/// More code points than this are not held in memory with their boxes (some 500 MB); pages may be one page many times over.
const MOST_CHARACTERS: usize = 20_000_000;

/// Reads a whole document. `visit` hears of each page (done, all) and answers whether to go on.
///
/// # Errors
/// The worker's death; cancellation; a text too long for a layer. A page that can't be read is no error, it is kept as
/// damaged; a thousand of them are.
pub fn extract(worker: &mut Worker, visit: &mut dyn FnMut(u32, u32) -> bool) -> Result<Extracted, AppError> {
    let count = worker.pages();
    let mut text = String::new();
    let mut boxes: Vec<Option<Rect>> = Vec::new();
    let mut pages = Vec::new();
    let mut details = Vec::new();
    let mut damaged = 0;
    for number in 1..=count {
        if !visit(number - 1, count) {
            return Err(AppError::cancelled());
        }
        if number > 1 {
            text.push(PAGE_JOIN);
            boxes.push(None);
        }
        match worker.page(number) {
            Ok((mut page, rects)) => {
                let characters: Vec<char> = page.text.chars().collect();
                page.detail.doubled = doubled(&characters, &rects, &page.detail.shared);
                pages.push(PageRecord::of(&page, &characters, &rects));
                text.push_str(&page.text);
                page.detail.order = reading_order(&characters, &rects, &page.detail.rulings);
                boxes.extend(rects);
                if boxes.len() > MOST_CHARACTERS {
                    return Err(AppError::bad_input(format!(
                        "its text is too long: over {MOST_CHARACTERS} characters by page {number} of {count}; split it"
                    )));
                }
                details.push(page.detail);
            }
            Err(WorkerError::Failed(_)) => {
                damaged += 1;
                if damaged > MOST_DAMAGED {
                    return Err(AppError::bad_input(format!(
                        "the PDF is damaged: over {MOST_DAMAGED} of the {count} pages it says it has can't be read"
                    )));
                }
                details.push(PageDetail::default());
                pages.push(PageRecord::damaged());
            }
            Err(other) => return Err(other.into()),
        }
    }
    let outline = worker.outline()?.into_iter().map(entry).collect();
    let layer = Layer::new(&text).map_err(|error| AppError::bad_input(error.to_string()))?;
    Ok(Extracted {
        layer,
        boxes: LayerBoxes::new(boxes),
        pages,
        details,
        outline,
        title: worker.title().map(str::to_owned),
    })
}

fn entry(item: OutlineItem) -> OutlineEntry {
    OutlineEntry {
        title: item.title,
        level: item.level,
        page: item.page,
        y: item.y,
    }
}

/// The sections of what was read; `outline` as it may be believed (empty: not at all).
#[must_use]
pub fn sections(
    layer: &Layer,
    boxes: &LayerBoxes,
    pages: &[PageRecord],
    details: &[PageDetail],
    outline: &[OutlineEntry],
) -> Structure {
    let page_sizes: Vec<PageSize> = pages.iter().map(|page| page.size).collect();
    parse_sections(&ParseInput {
        layer,
        boxes,
        page_sizes: &page_sizes,
        details,
        outline,
    })
}
