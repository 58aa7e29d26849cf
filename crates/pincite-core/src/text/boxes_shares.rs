//! Which part of a glyph's box is a code point's own: a ligature is one glyph and several code points with one box.
//!
//! A box is kept as the extractor gave it. Where neighbours in the layer share one, each gets an equal part of it, in the
//! order in which the line runs, so that a rectangle can tell them apart; all of them together have the whole box. Where a
//! letter really ends inside its ligature is known to the font alone: a part is an estimate of where to draw, never of
//! what was selected.
//!
//! Deliberately not here: lines and rectangles of a span (`boxes_selection`).

use super::boxes::{LayerBoxes, Rect};
use super::boxes_selection::{in_one_pile, on_one_line};
use super::offset::CharOffset;

/// The narrowest part, in points, that coordinates which travel as decimal text still tell from its neighbours.
const NARROWEST: f32 = 0.2;
/// Code points of one glyph at most: the longest that Unicode decomposes one into (U+FDFA).
const LONGEST: usize = 18;

/// Which way code points follow one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    Right,
    Left,
    Down,
    Up,
}

impl LayerBoxes {
    /// The part of its glyph's box that is a code point's own, in points; all of it, where it shares it with no neighbour.
    pub(super) fn share(&self, index: usize) -> Option<Rect> {
        let rect = self.box_at(index)?;
        let alike = |at: &usize| self.box_at(*at) == Some(rect);
        let before = (0..index).rev().take_while(alike).take(LONGEST).count();
        let after = (index + 1..self.len()).take_while(alike).take(LONGEST).count();
        let (parts, first) = (before + after + 1, index - before);
        if parts == 1 || parts > LONGEST {
            return Some(rect);
        }
        Some(part(rect, before, parts, self.way(rect, first, first + parts)))
    }

    fn box_at(&self, index: usize) -> Option<Rect> {
        self.get(CharOffset::from_index(index))
    }

    /// Which way the line runs at a glyph whose code points are `first..end`, as its neighbours say.
    fn way(&self, rect: Rect, first: usize, end: usize) -> Way {
        let before = first.checked_sub(1).and_then(|at| self.box_at(at));
        let steps = [
            before.map(|before| (before, rect)),
            self.box_at(end).map(|after| (rect, after)),
        ];
        let said = |(from, to): (Rect, Rect)| {
            let ((from_x, from_y), (to_x, to_y)) = (from.centre(), to.centre());
            if on_one_line(from, to) {
                Some(if to_x < from_x { Way::Left } else { Way::Right })
            } else if in_one_pile(from, to) {
                Some(if to_y < from_y { Way::Up } else { Way::Down })
            } else {
                None
            }
        };
        steps.into_iter().flatten().find_map(said).unwrap_or(Way::Right)
    }
}

/// Part number `at` (from 0) of `parts` equal ones of a box.
fn part(rect: Rect, at: usize, parts: usize, way: Way) -> Rect {
    let long = if matches!(way, Way::Right | Way::Left) {
        rect.width()
    } else {
        rect.height()
    };
    // Both are at most LONGEST, so the conversions are exact.
    let size = long / parts as f32;
    if size < NARROWEST {
        return rect;
    }
    let at = if matches!(way, Way::Left | Way::Up) {
        parts - 1 - at
    } else {
        at
    };
    // The outer sides are the box's own, to the last bit.
    let from = |low: f32| if at == 0 { low } else { low + size * at as f32 };
    let to = |low: f32, high: f32| {
        if at + 1 == parts {
            high
        } else {
            low + size * (at + 1) as f32
        }
    };
    match way {
        Way::Right | Way::Left => Rect {
            x0: from(rect.x0),
            x1: to(rect.x0, rect.x1),
            ..rect
        },
        Way::Down | Way::Up => Rect {
            y0: from(rect.y0),
            y1: to(rect.y0, rect.y1),
            ..rect
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x0: f32, y0: f32, x1: f32, y1: f32) -> Option<Rect> {
        Some(Rect { x0, y0, x1, y1 })
    }

    fn shares(boxes: Vec<Option<Rect>>) -> Vec<Option<Rect>> {
        let boxes = LayerBoxes::new(boxes);
        (0..boxes.len()).map(|index| boxes.share(index)).collect()
    }

    #[test]
    fn parts_follow_the_line_and_make_up_the_box() {
        let (office, other) = (rect(10.0, 0.0, 19.0, 8.0), rect(19.0, 0.0, 24.0, 8.0));
        // "ffi" and the letter after it, to the right.
        assert_eq!(
            shares(vec![office, office, office, other]),
            [
                rect(10.0, 0.0, 13.0, 8.0),
                rect(13.0, 0.0, 16.0, 8.0),
                rect(16.0, 0.0, 19.0, 8.0),
                other
            ]
        );
        // The same glyph in a line that runs to the left: the letter before it stands right of it.
        assert_eq!(
            shares(vec![other, office, office]),
            [other, rect(14.5, 0.0, 19.0, 8.0), rect(10.0, 0.0, 14.5, 8.0)]
        );
        // Downwards, and upwards.
        let (upper, lower) = (rect(0.0, 0.0, 8.0, 6.0), rect(0.0, 6.0, 8.0, 12.0));
        assert_eq!(
            shares(vec![upper, lower, lower]),
            [upper, rect(0.0, 6.0, 8.0, 9.0), rect(0.0, 9.0, 8.0, 12.0)]
        );
        assert_eq!(
            shares(vec![lower, upper, upper]),
            [lower, rect(0.0, 3.0, 8.0, 6.0), rect(0.0, 0.0, 8.0, 3.0)]
        );
    }

    #[test]
    fn a_box_that_is_too_narrow_or_shared_by_too_many_stays_whole() {
        let narrow = rect(0.0, 0.0, 0.3, 8.0);
        assert_eq!(shares(vec![narrow, narrow]), [narrow, narrow]);
        let wide = rect(0.0, 0.0, 90.0, 8.0);
        assert_eq!(shares(vec![wide; 40]), vec![wide; 40]);
        // A space between two does not join them.
        assert_eq!(shares(vec![wide, None, wide]), [wide, None, wide]);
    }
}
