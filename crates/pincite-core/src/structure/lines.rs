//! A layer cut into lines, with what their geometry says: where they stand, how high their type is.
//!
//! A line is what stands between two line breaks of the layer. Its height is the median height of its boxes: a stand-in
//! for the font size, which a layer doesn't keep. Lines keep the layer's order.
//!
//! Deliberately not here: columns and reading order. A line knows its place, not its neighbours on paper.

use super::sections::ParseInput;
use crate::text::{CharOffset, PAGE_JOIN, Rect};
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
    /// Median height of the boxes in points; 0 without any.
    pub(super) height: f32,
    /// A running head or foot, a page number.
    pub(super) furniture: bool,
    /// In a table of contents.
    pub(super) contents: bool,
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
    /// Distance from one line's top to the next in running text.
    pub(super) pitch: f32,
    /// Characters that a tenth of the lines reach, where no line has a frame; else 0.
    pub(super) columns: f32,
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

    /// How much of the text's width a line fills, 0 to 1; 0 where unknown. A text without boxes is measured in characters.
    pub(super) fn fill(&self, line: usize) -> f32 {
        if self.columns > 0.0 {
            let length = self.lines.get(line).map_or(0, |line| line.end - line.start);
            return (length as f32 / self.columns).clamp(0.0, 1.0);
        }
        let width = self.right - self.left;
        let frame = self.lines.get(line).and_then(|line| line.frame);
        frame
            .filter(|_| width > 1.0)
            .map_or(0.0, |frame| ((frame.x1 - self.left) / width).clamp(0.0, 1.0))
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
    for at in 0..=characters.len() {
        let character = characters.get(at).copied();
        if !matches!(character, None | Some('\n' | PAGE_JOIN)) {
            continue;
        }
        lines.extend(measure(input, from, at, page));
        page = page.saturating_add(u32::from(character == Some(PAGE_JOIN)));
        from = at + 1;
    }
    let mut cut = Layout {
        characters,
        lines,
        body_height: 0.0,
        left: 0.0,
        right: 0.0,
        pitch: 0.0,
        columns: 0.0,
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
        furniture: false,
        contents: false,
    })
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

/// Finds the measures of running text; called again once furniture is known.
pub(super) fn measure_body(layout: &mut Layout<'_>) {
    let (mut heights, mut lefts, mut rights, mut pitches) =
        (Tally::default(), Tally::default(), Tally::default(), Tally::default());
    for line in layout.lines.iter().filter(|line| line.is_text()) {
        heights.add(line.height, line.end - line.start);
    }
    layout.body_height = heights.most().unwrap_or(0.0);
    layout.columns = if layout.lines.iter().any(|line| line.frame.is_some()) {
        0.0
    } else {
        let mut lengths = Tally::default();
        for line in layout.lines.iter().filter(|line| line.is_text()) {
            lengths.add((line.end - line.start) as f32, 1);
        }
        lengths.reached_by(10).unwrap_or(0.0)
    };
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
}
