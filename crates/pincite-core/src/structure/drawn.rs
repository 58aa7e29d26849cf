//! How lines are drawn and tagged: the runs of a page's detail, gathered line by line.
//!
//! Lines and runs are both in the layer's order, so that one walk over each page's runs is enough. What the extractor
//! left out (no details, a page without any) leaves a line as its boxes describe it.
//!
//! Deliberately not here: what a face or a tag is worth.

use super::lines::{Face, Line};
use crate::text::{PageDetail, Run, Tag};

/// A weight from which type is bold (CSS: 600 is semi-bold).
const BOLD: u16 = 600;
/// So many faces of one line are told apart.
const MOST_FACES: usize = 8;

/// A walk over the details of all pages.
pub(super) struct Drawn<'a> {
    details: &'a [PageDetail],
    page: usize,
    /// Where the page begins in the layer.
    start: usize,
    bold_fonts: Vec<bool>,
    style: usize,
    tag: usize,
}

impl<'a> Drawn<'a> {
    pub(super) fn new(details: &'a [PageDetail]) -> Self {
        let mut drawn = Self {
            details,
            page: 0,
            start: 0,
            bold_fonts: Vec::new(),
            style: 0,
            tag: 0,
        };
        drawn.read_fonts();
        drawn
    }

    /// Goes on to the next page, which begins at `start`.
    pub(super) fn next_page(&mut self, start: usize) {
        self.page += 1;
        self.start = start;
        self.style = 0;
        self.tag = 0;
        self.read_fonts();
    }

    /// Some files say nothing of a font's weight but in its name.
    fn read_fonts(&mut self) {
        let named_bold = |name: &String| {
            let name = name.to_lowercase();
            ["bold", "black", "heavy", "demi"]
                .iter()
                .any(|word| name.contains(word))
        };
        self.bold_fonts = self
            .details
            .get(self.page)
            .map(|detail| detail.fonts.iter().map(named_bold).collect())
            .unwrap_or_default();
    }

    /// The line with its size, face and tag.
    pub(super) fn describe(&mut self, mut line: Line, characters: &[char]) -> Line {
        let Some(detail) = self.details.get(self.page) else {
            return line;
        };
        let (from, to) = (line.start - self.start, line.end - self.start);
        // Letters and digits only: a publisher's signs come from fonts of their own.
        let visible = |run: Run| -> usize {
            let (first, last) = ((run.start as usize).max(from), (run.end as usize).min(to));
            characters
                .get(self.start + first..self.start + last.max(first))
                .unwrap_or_default()
                .iter()
                .filter(|character| character.is_alphanumeric())
                .count()
        };
        // (size, bold, italic), code points.
        let mut faces: Vec<((f32, bool, bool), usize)> = Vec::new();
        let mut bold_start = None;
        self.style += skipped(
            detail.styles.get(self.style..).unwrap_or_default(),
            |style| style.run,
            from,
        );
        for style in detail.styles.get(self.style..).unwrap_or_default() {
            if style.run.start as usize >= to {
                break;
            }
            let count = visible(style.run);
            if count == 0 {
                continue;
            }
            let named = self.bold_fonts.get(usize::from(style.font)).copied().unwrap_or(false);
            let bold = named || style.weight >= BOLD;
            if !bold && bold_start.is_none() {
                bold_start = Some((style.run.start as usize).max(from) - from);
            }
            let key = (style.size, bold, style.italic);
            if let Some((_, known)) = faces.iter_mut().find(|(known, _)| same_face(*known, key)) {
                *known += count;
            } else if faces.len() < MOST_FACES && style.size.is_finite() {
                faces.push((key, count));
            }
        }
        let all: usize = faces.iter().map(|(_, count)| count).sum();
        let share = |wanted: fn(&(f32, bool, bool)) -> bool| {
            let counted: usize = faces
                .iter()
                .filter(|(face, _)| wanted(face))
                .map(|(_, count)| count)
                .sum();
            counted * 2 > all
        };
        if let Some(((size, ..), _)) = faces.iter().max_by_key(|(_, count)| *count) {
            line.height = if *size > 0.0 { *size } else { line.height };
            line.face = Some(Face {
                bold: share(|face| face.1),
                italic: share(|face| face.2),
                bold_start: bold_start.unwrap_or(to - from),
            });
        }
        self.tag += skipped(detail.tags.get(self.tag..).unwrap_or_default(), |tag| tag.run, from);
        let mut best: Option<(usize, (Tag, u32))> = None;
        for tag in detail.tags.get(self.tag..).unwrap_or_default() {
            if tag.run.start as usize >= to {
                break;
            }
            let count = visible(tag.run);
            if count > best.map_or(0, |(most, _)| most) {
                best = Some((count, (tag.tag, tag.element)));
            }
        }
        line.tag = best.map(|(_, tag)| tag);
        line
    }
}

fn same_face(one: (f32, bool, bool), other: (f32, bool, bool)) -> bool {
    (one.0 - other.0).abs() < 0.1 && one.1 == other.1 && one.2 == other.2
}

/// How many runs end before `from`.
fn skipped<T>(runs: &[T], run: impl Fn(&T) -> Run, from: usize) -> usize {
    runs.iter().take_while(|entry| run(entry).end as usize <= from).count()
}
