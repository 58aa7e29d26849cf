//! A layer cut into lines, with what is known of each: where it stands, how high its type is, how it is drawn, how the
//! PDF tags it.
//!
//! A line is what stands between two line breaks of the layer. Its height is its font's size where the extractor said how
//! the page is drawn, else the median height of its boxes. Lines keep the layer's order.
//!
//! Deliberately not here: columns and reading order. A line knows its place, not its neighbours on paper.

use super::drawn::Drawn;
use super::sections::ParseInput;
use crate::text::{CharOffset, PAGE_JOIN, Rect, Tag};
use std::collections::BTreeMap;

/// One line with something on it.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// Index of the first code point that is no space.
    pub(super) start: usize,
    /// Index after the last code point that is no space.
    pub(super) end: usize,
    /// Where its words begin: `start`, or after a heading's marks; `end` where no word of it opens a section or an item.
    pub(super) words: usize,
    /// Page, from 1.
    pub(super) page: u32,
    /// Around all boxes; `None` where no code point has one.
    pub(super) frame: Option<Rect>,
    /// Size of most of its type, or median height of its boxes, in points; 0 without either.
    pub(super) height: f32,
    /// How it is drawn; `None` where nobody said.
    pub(super) face: Option<Face>,
    /// What the PDF says it is, and the element of its page that says so.
    pub(super) tag: Option<(Tag, u32)>,
    /// Code points before a gap wider than words have between them: the line is a row of several. The last such gap.
    pub(super) gap: Option<usize>,
    /// A running head or foot, a page number.
    pub(super) furniture: bool,
    /// In a table of contents.
    pub(super) contents: bool,
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Face {
    /// Most of it is bold.
    pub(super) bold: bool,
    /// Most of it is slanted.
    pub(super) italic: bool,
    /// Code points from the line's start that are bold.
    pub(super) bold_start: usize,
}

impl Line {
    /// Whether the line belongs to the text proper.
    pub(super) const fn is_text(&self) -> bool {
        !self.furniture && !self.contents
    }
}

/// The lines of a layer and the measures most of them share.
#[derive(Debug)]
pub(super) struct Layout<'a> {
    pub(super) characters: &'a [char],
    pub(super) lines: Vec<Line>,
    /// Height of most of the type, in points; 0 where unknown.
    pub(super) body_height: f32,
    /// Left edge of most lines.
    pub(super) left: f32,
    /// Right edge that a tenth of the lines reach.
    pub(super) right: f32,
    /// Left and right edges of the columns, from left to right; one where the text has none.
    pub(super) columns: Vec<(f32, f32)>,
    /// Distance from one line's top to the next in running text.
    pub(super) pitch: f32,
    /// Characters that a tenth of the lines reach, where no line has a frame; else 0.
    pub(super) line_length: f32,
    /// Whether most of the text is bold, and whether it is slanted: what stands out can't be told by that then.
    pub(super) body_bold: bool,
    pub(super) body_italic: bool,
    /// Height of most of a page's type, by page; less than the document's where an annex is set smaller.
    pub(super) page_heights: Vec<f32>,
}

impl Layout<'_> {
    /// The words of a line, trimmed.
    pub(super) fn text(&self, line: usize) -> &[char] {
        self.lines
            .get(line)
            .and_then(|line| self.characters.get(line.words..line.end))
            .unwrap_or_default()
    }

    /// The nearest line of text before or after, skipping furniture and contents.
    pub(super) fn neighbour(&self, line: usize, forward: bool) -> Option<usize> {
        let near = |index: &usize| self.lines.get(*index).is_some_and(Line::is_text);
        // Bounded, so that a layer of nothing but furniture stays linear.
        if forward {
            (line + 1..self.lines.len()).take(40).find(near)
        } else {
            (0..line).rev().take(40).find(near)
        }
    }

    /// Height below which type is smaller than the text around it: the document's, or the page's where that is less.
    pub(super) fn least_height(&self, page: u32) -> f32 {
        let page = (page as usize)
            .checked_sub(1)
            .and_then(|page| self.page_heights.get(page));
        page.map_or(self.body_height, |height| height.min(self.body_height))
    }

    /// Whether two lines are set alike.
    pub(super) fn alike(&self, one: usize, other: usize) -> bool {
        self.lines
            .get(one)
            .zip(self.lines.get(other))
            .is_some_and(|(one, other)| {
                let face = |line: &Line| line.face.map(|face| (face.bold, face.italic));
                (one.height - other.height).abs() < 0.15 && face(one) == face(other)
            })
    }

    /// Whether a line begins bold in a text that isn't: its label at least, or so many code points.
    pub(super) fn begins_bold(&self, line: usize, least: usize) -> bool {
        !self.body_bold
            && self
                .lines
                .get(line)
                .and_then(|line| line.face)
                .is_some_and(|face| face.bold_start >= least.max(1))
    }

    /// Whether a line's type is larger than the text's, or bold or slanted where the text isn't. `None` where nobody
    /// said how it is drawn.
    pub(super) fn stands_out(&self, line: usize, label: usize) -> Option<bool> {
        let entry = self.lines.get(line)?;
        let face = entry.face?;
        Some(
            self.body_height > 0.0 && entry.height > self.body_height * 1.03
                || self.begins_bold(line, label)
                || face.italic && !self.body_italic,
        )
    }

    /// Left and right edge of the column that a line stands in; a line across columns has the text's.
    pub(super) fn column(&self, line: usize) -> (f32, f32) {
        const HANGING: f32 = 12.0;
        let whole = (self.left, self.right);
        let Some(frame) = self.lines.get(line).and_then(|line| line.frame) else {
            return whole;
        };
        let column = self.columns.iter().rev().find(|(left, _)| *left <= frame.x0 + HANGING);
        column
            .filter(|(_, right)| self.columns.len() > 1 && frame.x1 <= right + HANGING)
            .copied()
            .unwrap_or(whole)
    }

    /// How much of its column's width a line fills, 0 to 1; 0 where unknown. A text without
    /// boxes is measured in characters.
    pub(super) fn fill(&self, line: usize) -> f32 {
        if self.line_length > 0.0 {
            let length = self.lines.get(line).map_or(0, |line| line.end - line.start);
            return (length as f32 / self.line_length).clamp(0.0, 1.0);
        }
        let (left, right) = self.column(line);
        let width = right - left;
        let frame = self.lines.get(line).and_then(|line| line.frame);
        frame
            .filter(|_| width > 1.0)
            .map_or(0.0, |frame| ((frame.x1 - left) / width).clamp(0.0, 1.0))
    }

    /// From the top of `line` to the top of `next`, where both stand on one page and `next` is lower.
    pub(super) fn drop(&self, line: usize, next: usize) -> Option<f32> {
        let (upper, lower) = (self.lines.get(line)?, self.lines.get(next)?);
        let drop = lower.frame?.y0 - upper.frame?.y0;
        (upper.page == lower.page && drop > 0.0).then_some(drop)
    }
}

/// Cuts the layer of `input` into lines and measures them.
pub(super) fn cut<'a>(input: &ParseInput<'a>) -> Layout<'a> {
    let characters = input.layer.characters();
    let mut lines = Vec::new();
    let (mut from, mut page) = (0, 1_u32);
    let mut drawn = Drawn::new(input.details);
    for at in 0..=characters.len() {
        let character = characters.get(at).copied();
        if !matches!(character, None | Some('\n' | PAGE_JOIN)) {
            continue;
        }
        lines.extend(measure(input, from, at, page).map(|line| drawn.describe(line, characters)));
        if character == Some(PAGE_JOIN) {
            page = page.saturating_add(1);
            drawn.next_page(at + 1);
        }
        from = at + 1;
    }
    let mut cut = Layout {
        characters,
        lines,
        body_height: 0.0,
        left: 0.0,
        right: 0.0,
        columns: Vec::new(),
        pitch: 0.0,
        line_length: 0.0,
        body_bold: false,
        body_italic: false,
        page_heights: Vec::new(),
    };
    measure_body(&mut cut);
    cut
}

fn measure(input: &ParseInput<'_>, from: usize, to: usize, page: u32) -> Option<Line> {
    let blank = |character: &char| character.is_whitespace() || character.is_control() || *character == '\u{FEFF}';
    let text = input.layer.characters().get(from..to)?;
    let start = from + text.iter().position(|character| !blank(character))?;
    let end = from + text.iter().rposition(|character| !blank(character))? + 1;
    let mut frame: Option<Rect> = None;
    let mut heights = Vec::new();
    for index in start..end {
        let Some(rect) = input.boxes.get(CharOffset::from_index(index)) else {
            continue;
        };
        if ![rect.x0, rect.y0, rect.x1, rect.y1].iter().all(|side| side.is_finite()) {
            continue;
        }
        frame = Some(frame.map_or(rect, |frame| frame.union(rect)));
        if input
            .layer
            .characters()
            .get(index)
            .is_some_and(|character| !character.is_whitespace())
        {
            heights.push(rect.y1 - rect.y0);
        }
    }
    let middle = heights.len() / 2;
    let height = if heights.is_empty() {
        0.0
    } else {
        *heights.select_nth_unstable_by(middle, f32::total_cmp).1
    };
    Some(Line {
        start,
        end,
        words: start,
        page,
        frame,
        height,
        face: None,
        tag: None,
        gap: gap(input, start, end, height),
        furniture: false,
        contents: false,
    })
}

/// Where a line that runs from left to right has its last wide gap.
fn gap(input: &ParseInput<'_>, start: usize, end: usize, height: f32) -> Option<usize> {
    const WIDE: f32 = 2.5;
    let mut reached: Option<f32> = None;
    let mut found = None;
    for index in start..end {
        let space = input
            .layer
            .characters()
            .get(index)
            .is_none_or(|sign| sign.is_whitespace());
        let Some(rect) = input.boxes.get(CharOffset::from_index(index)).filter(|_| !space) else {
            continue;
        };
        if height > 1.0 && reached.is_some_and(|reached| rect.x0 - reached > height * WIDE) {
            found = Some(index - start);
        }
        reached = Some(reached.map_or(rect.x1, |reached| reached.max(rect.x1)));
    }
    found
}

/// Counts measures in half points.
#[derive(Default)]
pub(super) struct Tally(BTreeMap<u32, usize>);

impl Tally {
    /// Counts a measure; what is negative or no number is left out.
    pub(super) fn add(&mut self, measure: f32, times: usize) {
        if measure.is_finite() && measure >= 0.0 {
            // The bits of floats that are not negative sort as the floats do.
            *self.0.entry((measure * 2.0).round().to_bits()).or_default() += times;
        }
    }

    /// The measure counted most often; the smallest of several.
    pub(super) fn most(&self) -> Option<f32> {
        let (bits, _) = self.0.iter().rev().max_by_key(|(_, count)| **count)?;
        Some(f32::from_bits(*bits) / 2.0)
    }

    /// The wanted measure counted most often, and how often.
    fn most_counted(&self, wanted: impl Fn(f32) -> bool) -> Option<(f32, usize)> {
        self.0
            .iter()
            .map(|(bits, count)| (f32::from_bits(*bits) / 2.0, *count))
            .filter(|(measure, _)| wanted(*measure))
            .max_by_key(|(_, count)| *count)
    }

    /// The largest measure that at least one in `share` reaches.
    pub(super) fn reached_by(&self, share: usize) -> Option<f32> {
        let wanted = self.0.values().sum::<usize>() / share.max(1);
        let mut seen = 0;
        for (bits, count) in self.0.iter().rev() {
            seen += count;
            if seen > wanted {
                return Some(f32::from_bits(*bits) / 2.0);
            }
        }
        None
    }
}

/// Height of most of the type on each page; the document's on a page of few words.
fn page_heights(layout: &Layout<'_>) -> Vec<f32> {
    const ENOUGH: usize = 400;
    let mut heights = Vec::new();
    let mut rest = layout.lines.as_slice();
    while let Some(first) = rest.first() {
        let (page, after) = rest.split_at(rest.partition_point(|line| line.page <= first.page));
        let mut tally = Tally::default();
        for line in page.iter().filter(|line| line.is_text()) {
            tally.add(line.height, line.end - line.start);
        }
        let words: usize = page.iter().map(|line| line.end - line.start).sum();
        heights.resize(
            (first.page as usize).saturating_sub(1).min(layout.characters.len()),
            layout.body_height,
        );
        heights.push(tally.most().filter(|_| words >= ENOUGH).unwrap_or(layout.body_height));
        rest = after;
    }
    heights
}

/// Finds the measures of running text; called again once furniture is known.
pub(super) fn measure_body(layout: &mut Layout<'_>) {
    let (mut heights, mut lefts, mut rights, mut pitches) =
        (Tally::default(), Tally::default(), Tally::default(), Tally::default());
    let (mut all, mut bold, mut italic) = (0, 0, 0);
    for line in layout.lines.iter().filter(|line| line.is_text()) {
        let length = line.end - line.start;
        heights.add(line.height, length);
        if let Some(face) = line.face {
            all += length;
            bold += if face.bold { length } else { 0 };
            italic += if face.italic { length } else { 0 };
        }
    }
    layout.body_height = heights.most().unwrap_or(0.0);
    layout.line_length = if layout.lines.iter().any(|line| line.frame.is_some()) {
        0.0
    } else {
        let mut lengths = Tally::default();
        for line in layout.lines.iter().filter(|line| line.is_text()) {
            lengths.add((line.end - line.start) as f32, 1);
        }
        lengths.reached_by(10).unwrap_or(0.0)
    };
    layout.page_heights = page_heights(layout);
    layout.body_bold = bold * 2 > all;
    layout.body_italic = italic * 2 > all;
    let mut last: Option<&Line> = None;
    for line in layout
        .lines
        .iter()
        .filter(|line| line.is_text() && (line.height - layout.body_height).abs() <= 0.6)
    {
        let Some(frame) = line.frame else { continue };
        if line.end - line.start > 20 {
            lefts.add(frame.x0, 1);
            rights.add(frame.x1, 1);
        }
        if let Some((above, upper)) = last.and_then(|above| Some((above, above.frame?)))
            && above.page == line.page
            && frame.y0 > upper.y0
        {
            pitches.add(frame.y0 - upper.y0, 1);
        }
        last = Some(line);
    }
    layout.left = lefts.most().unwrap_or(0.0);
    layout.right = rights.reached_by(10).unwrap_or(0.0);
    layout.pitch = pitches.most().unwrap_or(0.0);
    layout.columns = columns(layout, &lefts);
}

/// Two columns where lines begin at two places far apart about as often.
fn columns(layout: &Layout<'_>, lefts: &Tally) -> Vec<(f32, f32)> {
    let far = (layout.right - layout.left) * 0.3;
    let (most, count) = lefts.most_counted(|_| true).unwrap_or((layout.left, 0));
    let other = lefts.most_counted(|left| (left - most).abs() > far);
    let Some((other, _)) = other.filter(|(_, times)| far > 36.0 && times * 5 >= count * 2) else {
        return vec![(layout.left, layout.right)];
    };
    let (first, second) = (most.min(other), most.max(other));
    let (mut inner, mut outer) = (Tally::default(), Tally::default());
    for frame in layout
        .lines
        .iter()
        .filter(|line| line.is_text())
        .filter_map(|line| line.frame)
    {
        if frame.x0 >= second - 4.0 {
            outer.add(frame.x1, 1);
        } else if frame.x1 < second {
            inner.add(frame.x1, 1);
        }
    }
    vec![
        (first, inner.reached_by(10).unwrap_or(second)),
        (second, outer.reached_by(10).unwrap_or(layout.right)),
    ]
}
