//! Documents set in code, for this folder's tests: sheets of lines with their boxes.
//!
//! Deliberately not here: anything that a test expects.

use super::{OutlineEntry, ParseInput, Structure, parse_sections};
use crate::text::{Layer, LayerBoxes, PageDetail, PageSize, Rect, Run, StyleRun, Tag, TagRun};

/// A page of lines: (left edge, height of type, text). Lines follow each other at 1.2 heights; a blank line is a space.
pub(super) type Sheet<'a> = Vec<(f32, f32, &'a str)>;

pub(super) const SIZE: PageSize = PageSize {
    width: 600.0,
    height: 800.0,
};

pub(super) fn set(pages: &[Sheet<'_>]) -> (Layer, LayerBoxes, Vec<PageSize>) {
    let (mut text, mut boxes) = (String::new(), Vec::new());
    for (number, page) in pages.iter().enumerate() {
        if number > 0 {
            text.push('\u{c}');
            boxes.push(None);
        }
        let mut top = 40.0;
        for (index, (left, height, line)) in page.iter().enumerate() {
            // The last line of a sheet that starts with "foot:" stands at the foot.
            let (line, at) = line.strip_prefix("foot:").map_or((*line, top), |line| (line, 770.0));
            if line.is_empty() {
                top += height * 0.8;
                continue;
            }
            if index > 0 && !text.ends_with(['\n', '\u{c}']) {
                text.push('\n');
                boxes.push(None);
            }
            let mut x = *left;
            for character in line.chars() {
                text.push(character);
                boxes.push(Some(Rect {
                    x0: x,
                    y0: at,
                    x1: x + height * 0.45,
                    y1: at + height,
                }));
                x += height * 0.45;
            }
            top = at + height * 1.2;
        }
    }
    let layer = Layer::new(&text).unwrap_or_else(|error| unreachable!("{error}"));
    (layer, LayerBoxes::new(boxes), vec![SIZE; pages.len()])
}

pub(super) fn parse_with(pages: &[Sheet<'_>], outline: &[OutlineEntry]) -> (Layer, Structure) {
    let (layer, boxes, page_sizes) = set(pages);
    let structure = parse_sections(&ParseInput {
        layer: &layer,
        boxes: &boxes,
        page_sizes: &page_sizes,
        details: &[],
        outline,
    });
    (layer, structure)
}

pub(super) fn parse(pages: &[Sheet<'_>]) -> (Layer, Structure) {
    parse_with(pages, &[])
}

pub(super) fn listed(structure: &Structure) -> Vec<String> {
    structure
        .sections
        .iter()
        .map(|section| format!("{} | {} | {}", section.locator, section.title, section.page))
        .collect()
}

pub(super) const BODY: (f32, f32, &str) = (
    60.0,
    10.0,
    "Records are kept where they can be found, and they are kept for as long as the period states, no longer than that,",
);
pub(super) const MORE: (f32, f32, &str) = (
    60.0,
    10.0,
    "and whoever needs one asks the archive for it in writing and gives a reason for the request that was made.",
);

pub(super) fn head(text: &str) -> (f32, f32, &str) {
    (60.0, 12.0, text)
}

pub(super) fn line(text: &str) -> (f32, f32, &str) {
    (60.0, 10.0, text)
}

pub(super) const GAP: (f32, f32, &str) = (60.0, 10.0, "");

/// How a line of a drawn sheet is set and tagged.
#[derive(Clone, Copy, Default)]
pub(super) struct Drawing {
    /// So many of its code points are bold, from its first.
    pub(super) bold: usize,
    pub(super) tag: Option<Tag>,
}

/// A sheet whose lines are drawn: (left edge, height of type, text, drawing).
pub(super) type Drawn<'a> = Vec<(f32, f32, &'a str, Drawing)>;

pub(super) fn bold(text: &str) -> (f32, f32, &str, Drawing) {
    let drawing = Drawing {
        bold: text.chars().count(),
        tag: None,
    };
    (60.0, 10.0, text, drawing)
}

pub(super) fn plain((left, height, text): (f32, f32, &str)) -> (f32, f32, &str, Drawing) {
    (left, height, text, Drawing::default())
}

/// Parses pages of drawn lines.
pub(super) fn parse_drawn(pages: &[Drawn<'_>]) -> (Layer, Structure) {
    let sheets: Vec<Sheet<'_>> = pages
        .iter()
        .map(|page| {
            page.iter()
                .map(|(left, height, text, _)| (*left, *height, *text))
                .collect()
        })
        .collect();
    let (layer, boxes, page_sizes) = set(&sheets);
    let details: Vec<PageDetail> = pages.iter().map(|page| detail(page)).collect();
    let structure = parse_sections(&ParseInput {
        layer: &layer,
        boxes: &boxes,
        page_sizes: &page_sizes,
        details: &details,
        outline: &[],
    });
    (layer, structure)
}

fn detail(page: &Drawn<'_>) -> PageDetail {
    let mut detail = PageDetail::default();
    let mut start = 0;
    for (element, (_, size, text, drawing)) in page.iter().filter(|(_, _, text, _)| !text.is_empty()).enumerate() {
        let length = text.strip_prefix("foot:").unwrap_or(text).chars().count();
        let run = |from: usize, to: usize| Run {
            start: u32::try_from(start + from).unwrap_or(u32::MAX),
            end: u32::try_from(start + to).unwrap_or(u32::MAX),
        };
        for (from, to, weight) in [
            (0, drawing.bold.min(length), 700),
            (drawing.bold.min(length), length, 400),
        ] {
            if from < to {
                detail.styles.push(StyleRun {
                    run: run(from, to),
                    size: *size,
                    weight,
                    italic: false,
                    font: 0,
                });
            }
        }
        if let Some(tag) = drawing.tag {
            detail.tags.push(TagRun {
                run: run(0, length),
                tag,
                element: u32::try_from(element).unwrap_or(0),
            });
        }
        start += length + 1;
    }
    detail
}
