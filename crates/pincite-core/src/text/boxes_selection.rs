//! From a span to its rectangles, and from a place on a page back to code points.
//!
//! The two are made for each other: a rectangle that [`LayerBoxes::rectangles`] gave leads [`LayerBoxes::hits`] back to the
//! code points it was made of, and to no others, wherever a rectangle can tell them apart. The letters of a ligature share
//! one box and get equal shares of it here (`boxes_shares`). A rectangle can't tell where one box lies inside its
//! neighbour's (a combining mark); then both are hit.
//!
//! Deliberately not here: columns and the order of reading (`order`); searching a page for text.

use super::boxes::{LayerBoxes, PageRect, Rect};
use super::layer::Layer;
use super::offset::{CharOffset, CharSpan};

/// How near, in points, the sides of two rectangles are that are one: coordinates travel as decimal text.
const SAME: f32 = 0.02;
/// A gap along a line, in line heights, from which a new rectangle begins: a jump to another column is one.
const WIDE_GAP: f32 = 2.0;

/// Which way a line runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Along {
    /// To the left or right.
    X,
    /// Up or down: vertical writing, and runs turned by a quarter.
    Y,
}

/// A rectangle in the making: code points of one page and one line.
struct Piece {
    page: u32,
    rect: Rect,
    /// The first of its code points and the one after the last.
    start: usize,
    end: usize,
    last: Rect,
    along: Option<Along>,
}

impl Piece {
    const fn new(page: u32, index: usize, rect: Rect) -> Self {
        Self {
            page,
            rect,
            start: index,
            end: index + 1,
            last: rect,
            along: None,
        }
    }

    /// Takes the next code point in, or gives back the piece that begins with it.
    fn take(&mut self, page: u32, index: usize, rect: Rect, after_break: bool) -> Option<Self> {
        let Some(along) = self.goes_on(page, rect, after_break) else {
            return Some(Self::new(page, index, rect));
        };
        // The step to a mark on its letter does not say which way the line runs.
        if !self.last.holds(rect, SAME) && !rect.holds(self.last, SAME) {
            self.along = Some(along);
        }
        self.rect = self.rect.union(rect);
        self.end = index + 1;
        self.last = rect;
        None
    }

    /// Its code points, where its rectangle is this one.
    fn is(&self, area: Rect) -> Option<CharSpan> {
        self.rect
            .holds(area, SAME)
            .then(|| CharSpan::of_indices(self.start, self.end))
    }

    /// Which way the line goes on with the next box, or `None` where it does not.
    fn goes_on(&self, page: u32, next: Rect, after_break: bool) -> Option<Along> {
        if self.page != page {
            return None;
        }
        let found = if on_one_line(self.last, next) {
            Along::X
        } else if !after_break && in_one_pile(self.last, next) {
            Along::Y
        } else {
            return None;
        };
        // A pile of boxes is one line only while it stays one; the same for a row.
        (self.along.is_none() || self.along == Some(found)).then_some(found)
    }
}

impl LayerBoxes {
    /// The rectangles a span owns, in the layer's order: neighbours on one line joined, one or more for each page.
    ///
    /// Two boxes are on one line when their centres across it lie inside each other and the next does not start far away
    /// along it (2 line heights). A rectangle that would hold the centre of a code point outside the span, because the
    /// layer's order is not the one on the page, falls apart into smaller ones.
    #[must_use]
    pub fn rectangles(&self, layer: &Layer, span: CharSpan) -> Vec<PageRect> {
        let mut found = Vec::new();
        for piece in self.pieces(layer, span) {
            self.without_strangers(layer, span, &piece, &mut found);
        }
        found
    }

    fn pieces(&self, layer: &Layer, span: CharSpan) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        let mut page = layer.page_of(span.start());
        let mut after_break = false;
        for index in span.range() {
            let Some(rect) = self.share(index) else {
                after_break |= layer.characters().get(index) == Some(&'\n');
                if layer.characters().get(index) == Some(&super::PAGE_JOIN) {
                    page += 1;
                }
                continue;
            };
            let next = match pieces.last_mut() {
                Some(piece) => piece.take(page, index, rect, after_break),
                None => Some(Piece::new(page, index, rect)),
            };
            pieces.extend(next);
            after_break = false;
        }
        pieces
    }

    /// The piece's rectangle, or, where a stranger stands between its boxes, those of its halves.
    fn without_strangers(&self, layer: &Layer, span: CharSpan, piece: &Piece, found: &mut Vec<PageRect>) {
        let whole = PageRect {
            page: piece.page,
            rect: piece.rect,
        };
        let own: Vec<(usize, Rect)> = (piece.start..piece.end)
            .filter_map(|at| Some((at, self.share(at)?)))
            .collect();
        if own.len() < 2 {
            found.push(whole);
            return;
        }
        let Some(page) = layer.page_span(piece.page) else {
            return;
        };
        // Only one that stands in the gaps can be kept out; one that lies over a box of the span's own can't.
        let is_stranger = |centre: (f32, f32)| piece.rect.has(centre) && own.iter().all(|(_, rect)| !rect.has(centre));
        let stranger = page
            .range()
            .filter(|index| !span.contains(CharOffset::from_index(*index)))
            .filter_map(|index| self.share(index).map(Rect::centre))
            .find(|centre| is_stranger(*centre));
        let Some((x, y)) = stranger else {
            found.push(whole);
            return;
        };
        // Apart where two neighbours leave it on different sides; one step at a time, so that this ends.
        let side = |rect: Rect| match piece.along {
            Some(Along::Y) => rect.centre().1 < y,
            _ => rect.centre().0 < x,
        };
        let at = own
            .windows(2)
            .position(|pair| matches!(pair, [(_, one), (_, next)] if side(*one) != side(*next)))
            .map_or(own.len() / 2, |position| position + 1);
        for half in [own.get(..at), own.get(at..)].into_iter().flatten() {
            let (Some(first), Some(last)) = (half.first(), half.last()) else {
                continue;
            };
            let part = Piece {
                page: piece.page,
                rect: half.iter().fold(first.1, |sum, (_, rect)| sum.union(*rect)),
                start: first.0,
                end: last.0 + 1,
                last: last.1,
                along: piece.along,
            };
            self.without_strangers(layer, span, &part, found);
        }
    }

    /// The code points on `page` that a rectangle holds, in the layer's order, one span for each that has no other boxed
    /// code point between.
    ///
    /// A rectangle that is the one of a span on one line gives that span alone. Any other holds the code points whose
    /// box's centre lies in it.
    #[must_use]
    pub fn hits(&self, layer: &Layer, page: u32, area: Rect) -> Vec<CharSpan> {
        let Some(span) = layer.page_span(page) else {
            return Vec::new();
        };
        let mut runs: Vec<CharSpan> = Vec::new();
        let mut exact: Vec<CharSpan> = Vec::new();
        let mut run: Option<CharSpan> = None;
        let mut inside: Option<Piece> = None;
        let mut after_break = false;
        for index in span.range() {
            let Some(rect) = self.share(index) else {
                after_break |= layer.characters().get(index) == Some(&'\n');
                continue;
            };
            if area.has(rect.centre()) {
                let start = run.map_or(index, |run| run.start().index());
                run = Some(CharSpan::of_indices(start, index + 1));
            } else {
                runs.extend(run.take());
            }
            // The rectangles of a span are those of its pieces, so what may be one's own is a piece too.
            let piece = area.holds(rect, SAME).then(|| match &mut inside {
                Some(piece) => piece.take(page, index, rect, after_break),
                None => Some(Piece::new(page, index, rect)),
            });
            match piece {
                Some(None) => {}
                Some(Some(next)) => exact.extend(inside.replace(next).and_then(|piece| piece.is(area))),
                None => exact.extend(inside.take().and_then(|piece| piece.is(area))),
            }
            after_break = false;
        }
        runs.extend(run);
        exact.extend(inside.and_then(|piece| piece.is(area)));
        // Of several (text drawn twice), the longest, and of those the first.
        let longest = exact.iter().map(|span| span.len()).max();
        match exact.into_iter().find(|span| Some(span.len()) == longest) {
            Some(exact) => vec![exact],
            None => runs,
        }
    }

    /// From the first to the last code point that a rectangle of a page holds, or `None` where it holds none.
    #[must_use]
    pub fn hit(&self, layer: &Layer, page: u32, area: Rect) -> Option<CharSpan> {
        let hits = self.hits(layer, page, area);
        CharSpan::new(hits.first()?.start(), hits.last()?.end())
    }
}

/// Whether two boxes stand side by side on one line that runs to the left or right.
pub(super) fn on_one_line(last: Rect, next: Rect) -> bool {
    let inside = |y: f32, rect: Rect| rect.y0 <= y && y <= rect.y1;
    let gap = (next.x0 - last.x1).max(last.x0 - next.x1);
    inside(last.centre().1, next) && inside(next.centre().1, last) && gap < WIDE_GAP * last.height().max(next.height())
}

/// Whether two boxes stand on top of each other on one line that runs up or down.
pub(super) fn in_one_pile(last: Rect, next: Rect) -> bool {
    let inside = |x: f32, rect: Rect| rect.x0 <= x && x <= rect.x1;
    let gap = (next.y0 - last.y1).max(last.y0 - next.y1);
    inside(last.centre().0, next) && inside(next.centre().0, last) && gap < WIDE_GAP * last.width().max(next.width())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x0: f32, y0: f32) -> Option<Rect> {
        sized(x0, y0, 5.0, 10.0)
    }

    fn sized(x0: f32, y0: f32, width: f32, height: f32) -> Option<Rect> {
        Some(Rect {
            x0,
            y0,
            x1: x0 + width,
            y1: y0 + height,
        })
    }

    fn layer(text: &str) -> Layer {
        Layer::new(text).unwrap_or_else(|error| unreachable!("{error}"))
    }

    /// Every span's rectangles lead back to it.
    fn leads_back(layer: &Layer, boxes: &LayerBoxes, span: CharSpan) {
        let hits: Vec<CharSpan> = boxes
            .rectangles(layer, span)
            .iter()
            .flat_map(|found| boxes.hits(layer, found.page, found.rect))
            .collect();
        assert_eq!(
            hits.first().map(|hit| hit.start()),
            Some(span.start()),
            "{span:?}: {hits:?}"
        );
        assert_eq!(hits.last().map(|hit| hit.end()), Some(span.end()), "{span:?}: {hits:?}");
        assert!(
            hits.iter()
                .all(|hit| span.start() <= hit.start() && hit.end() <= span.end())
        );
    }

    #[test]
    fn a_span_owns_one_rectangle_a_line_and_page() {
        let layer = layer("ab c\nd\u{c}e");
        let boxes = LayerBoxes::new(vec![
            rect(0.0, 0.0),
            rect(5.0, 0.0),
            None,
            rect(13.0, 0.0),
            None,
            rect(0.0, 12.0),
            None,
            rect(0.0, 0.0),
        ]);
        let whole = CharSpan::of_indices(0, layer.len());
        let rects = boxes.rectangles(&layer, whole);
        assert_eq!(rects.len(), 3);
        assert_eq!(Some(rects[0].rect), sized(0.0, 0.0, 18.0, 10.0));
        assert_eq!((rects[0].page, rects[1].page, rects[2].page), (1, 1, 2));
        leads_back(&layer, &boxes, whole);
        let around = Rect {
            x0: 4.0,
            y0: 0.0,
            x1: 20.0,
            y1: 10.0,
        };
        assert_eq!(boxes.hit(&layer, 1, around), Some(CharSpan::of_indices(1, 4)));
    }

    #[test]
    fn a_line_that_runs_down_is_one_rectangle_and_lines_of_one_letter_are_not() {
        let pile = LayerBoxes::new((0..4_u8).map(|at| rect(0.0, f32::from(at) * 10.0)).collect());
        let down = layer("abcd");
        assert_eq!(pile.rectangles(&down, CharSpan::of_indices(0, 4)).len(), 1);
        leads_back(&down, &pile, CharSpan::of_indices(1, 3));
        let broken = LayerBoxes::new(vec![rect(0.0, 0.0), None, rect(0.0, 10.0)]);
        assert_eq!(broken.rectangles(&layer("1\n2"), CharSpan::of_indices(0, 3)).len(), 2);
    }

    #[test]
    fn what_stands_between_on_the_page_and_not_in_the_layer_is_left_out() {
        // In the layer "ac" and then "b"; on the page a b c.
        let layer = layer("acb");
        let boxes = LayerBoxes::new(vec![rect(0.0, 0.0), rect(12.0, 0.0), rect(6.0, 0.0)]);
        let rects = boxes.rectangles(&layer, CharSpan::of_indices(0, 2));
        assert_eq!(rects.len(), 2);
        leads_back(&layer, &boxes, CharSpan::of_indices(0, 2));
        assert_eq!(boxes.rectangles(&layer, CharSpan::of_indices(0, 3)).len(), 1);
    }

    #[test]
    fn a_neighbour_that_leans_in_is_not_taken() {
        // The second letter's centre lies in the first one's box.
        let layer = layer("ab");
        let boxes = LayerBoxes::new(vec![sized(0.0, 0.0, 9.0, 10.0), sized(5.0, 0.0, 6.0, 10.0)]);
        leads_back(&layer, &boxes, CharSpan::of_indices(0, 1));
        leads_back(&layer, &boxes, CharSpan::of_indices(1, 2));
        // Text drawn twice: the second copy has rectangles of its own as long as it stands a little aside.
        let twice = LayerBoxes::new(vec![rect(0.0, 0.0), rect(0.3, 0.0)]);
        leads_back(&layer, &twice, CharSpan::of_indices(0, 1));
        leads_back(&layer, &twice, CharSpan::of_indices(1, 2));
    }

    #[test]
    fn each_letter_of_a_ligature_has_its_share() {
        let layer = layer("fix");
        let boxes = LayerBoxes::new(vec![rect(0.0, 0.0), rect(0.0, 0.0), rect(5.0, 0.0)]);
        for (start, end) in [(0, 1), (1, 2), (0, 2), (1, 3), (0, 3), (2, 3)] {
            leads_back(&layer, &boxes, CharSpan::of_indices(start, end));
        }
        // Whole, it has the box of its glyph.
        let whole = boxes.rectangles(&layer, CharSpan::of_indices(0, 2));
        assert_eq!(
            whole.iter().map(|found| Some(found.rect)).collect::<Vec<_>>(),
            [rect(0.0, 0.0)]
        );
    }

    #[test]
    fn what_is_drawn_over_a_line_and_read_later_is_not_taken_with_it() {
        // A line, and then a letter where its first one stands: a font that says of one glyph what it is not does that.
        let layer = layer("abbbbbc");
        let mut line: Vec<Option<Rect>> = (0..6_u8).map(|at| rect(f32::from(at) * 6.0, 0.0)).collect();
        line.push(sized(0.5, 1.0, 3.0, 8.0));
        let boxes = LayerBoxes::new(line);
        leads_back(&layer, &boxes, CharSpan::of_indices(0, 6));
        leads_back(&layer, &boxes, CharSpan::of_indices(6, 7));
    }

    #[test]
    fn a_rectangle_over_one_of_two_columns_says_its_parts() {
        // The layer goes from left to right: a1 b1 / a2 b2.
        let layer = layer("a b\na b");
        let boxes = LayerBoxes::new(vec![
            rect(0.0, 0.0),
            None,
            rect(50.0, 0.0),
            None,
            rect(0.0, 12.0),
            None,
            rect(50.0, 12.0),
        ]);
        let left = Rect {
            x0: -1.0,
            y0: -1.0,
            x1: 20.0,
            y1: 30.0,
        };
        let hits = boxes.hits(&layer, 1, left);
        assert_eq!(hits, [CharSpan::of_indices(0, 1), CharSpan::of_indices(4, 5)]);
        assert_eq!(boxes.hit(&layer, 1, left), Some(CharSpan::of_indices(0, 5)));
    }
}
