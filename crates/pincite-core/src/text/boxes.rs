//! Where each code point stands on its page: rectangles in the displayed frame.
//!
//! The displayed frame is what a reader sees: CropBox clipped to MediaBox, then /Rotate; origin top left, y down, unit
//! point (1/72 inch). A ligature is one glyph and several code points with one box. A code point that the extractor
//! generated (a space, a line break) has none.
//!
//! Deliberately not here: searching a page for text. Highlights are these stored boxes, always.

use super::layer::Layer;
use super::offset::{CharOffset, CharSpan};
use serde::{Deserialize, Serialize};

/// A rectangle in points in a page's displayed frame. `x0 <= x1`, `y0 <= y1`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rect {
    /// Left edge.
    pub x0: f32,
    /// Upper edge.
    pub y0: f32,
    /// Right edge.
    pub x1: f32,
    /// Lower edge.
    pub y1: f32,
}

impl Rect {
    /// The smallest rectangle around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            x0: self.x0.min(other.x0),
            y0: self.y0.min(other.y0),
            x1: self.x1.max(other.x1),
            y1: self.y1.max(other.y1),
        }
    }

    /// Whether the two share some area (touching edges do not count).
    #[must_use]
    pub fn overlaps(self, other: Self) -> bool {
        self.x0 < other.x1 && other.x0 < self.x1 && self.y0 < other.y1 && other.y0 < self.y1
    }

    /// Its centre.
    #[must_use]
    pub fn centre(self) -> (f32, f32) {
        (f32::midpoint(self.x0, self.x1), f32::midpoint(self.y0, self.y1))
    }
}

/// A rectangle and the page (from 1) it stands on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageRect {
    /// Page, counted from 1.
    pub page: u32,
    /// The rectangle in the page's displayed frame.
    pub rect: Rect,
}

/// A page's displayed size in points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PageSize {
    /// Width in points, after cropping and rotation.
    pub width: f32,
    /// Height in points, after cropping and rotation.
    pub height: f32,
}

/// Four 32-bit floats for each code point of a layer, NaN where there is no box.
#[derive(Debug, Clone, PartialEq)]
pub struct LayerBoxes {
    boxes: Vec<Option<Rect>>,
}

impl LayerBoxes {
    /// Boxes of a layer, one entry a code point.
    #[must_use]
    pub const fn new(boxes: Vec<Option<Rect>>) -> Self {
        Self { boxes }
    }

    /// The entries themselves, one a code point.
    #[must_use]
    pub fn into_boxes(self) -> Vec<Option<Rect>> {
        self.boxes
    }

    /// How many code points there are entries for: the layer's length.
    #[must_use]
    pub fn len(&self) -> usize {
        self.boxes.len()
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.boxes.is_empty()
    }

    /// How many code points have a box.
    #[must_use]
    pub fn boxed(&self) -> usize {
        self.boxes.iter().flatten().count()
    }

    /// The box of a code point.
    #[must_use]
    pub fn get(&self, offset: CharOffset) -> Option<Rect> {
        self.boxes.get(offset.index()).copied().flatten()
    }

    /// As bytes to keep: little-endian f32 `x0 y0 x1 y1` a code point, NaN for none.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.boxes.len() * 16);
        for entry in &self.boxes {
            let sides = entry.map_or([f32::NAN; 4], |rect| [rect.x0, rect.y0, rect.x1, rect.y1]);
            for side in sides {
                bytes.extend_from_slice(&side.to_le_bytes());
            }
        }
        bytes
    }

    /// From kept bytes; `None` where their number is no multiple of 16.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        if !bytes.len().is_multiple_of(16) {
            return None;
        }
        let side = |chunk: &[u8], at: usize| -> f32 {
            let mut raw = [0_u8; 4];
            raw.copy_from_slice(&chunk[at..at + 4]);
            f32::from_le_bytes(raw)
        };
        let boxes = bytes
            .chunks_exact(16)
            .map(|chunk| {
                let rect = Rect {
                    x0: side(chunk, 0),
                    y0: side(chunk, 4),
                    x1: side(chunk, 8),
                    y1: side(chunk, 12),
                };
                (!rect.x0.is_nan()).then_some(rect)
            })
            .collect();
        Some(Self { boxes })
    }

    /// The rectangles a span owns, in reading order: neighbours on one line joined, one or more for each page.
    ///
    /// Two boxes are on one line when their vertical centres lie inside each other and the next does not start far to
    /// the left or right (2 line heights), so that a jump to another column starts a new rectangle.
    #[must_use]
    pub fn rectangles(&self, layer: &Layer, span: CharSpan) -> Vec<PageRect> {
        let mut found: Vec<PageRect> = Vec::new();
        let mut last: Option<(u32, Rect)> = None;
        for index in span.range() {
            let offset = CharOffset::from_index(index);
            let Some(rect) = self.get(offset) else { continue };
            let page = layer.page_of(offset);
            let joins = last.is_some_and(|(last_page, last_rect)| last_page == page && on_one_line(last_rect, rect));
            match found.last_mut() {
                Some(current) if joins => current.rect = current.rect.union(rect),
                _ => found.push(PageRect { page, rect }),
            }
            last = Some((page, rect));
        }
        found
    }

    /// The code points on `page` whose box centre lies in `area`: first to last of them, or `None`.
    #[must_use]
    pub fn hit(&self, layer: &Layer, page: u32, area: Rect) -> Option<CharSpan> {
        let span = layer.page_span(page)?;
        let mut first = None;
        let mut last = None;
        for index in span.range() {
            let Some(rect) = self.get(CharOffset::from_index(index)) else {
                continue;
            };
            let (x, y) = rect.centre();
            if area.x0 <= x && x <= area.x1 && area.y0 <= y && y <= area.y1 {
                first.get_or_insert(index);
                last = Some(index);
            }
        }
        Some(CharSpan::of_indices(first?, last? + 1))
    }

    /// The code point on `page` whose box is nearest to a point: on the point's own line where there is one.
    #[must_use]
    pub fn nearest(&self, layer: &Layer, page: u32, point: (f32, f32)) -> Option<CharOffset> {
        let (x, y) = point;
        let outside = |from: f32, to: f32, at: f32| (from - at).max(at - to).max(0.0);
        let distance = |rect: Rect| {
            // Leaving the line costs more than walking along it.
            4.0 * outside(rect.y0, rect.y1, y) + outside(rect.x0, rect.x1, x)
        };
        layer
            .page_span(page)?
            .range()
            .filter_map(|index| {
                Some((
                    CharOffset::from_index(index),
                    distance(self.get(CharOffset::from_index(index))?),
                ))
            })
            .min_by(|one, other| one.1.total_cmp(&other.1))
            .map(|(offset, _)| offset)
    }
}

fn on_one_line(last: Rect, next: Rect) -> bool {
    let inside = |y: f32, rect: Rect| rect.y0 <= y && y <= rect.y1;
    let height = (last.y1 - last.y0).max(next.y1 - next.y0);
    let gap = (next.x0 - last.x1).max(last.x0 - next.x1);
    inside(last.centre().1, next) && inside(next.centre().1, last) && gap < 2.0 * height
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x0: f32, y0: f32) -> Option<Rect> {
        Some(Rect {
            x0,
            y0,
            x1: x0 + 5.0,
            y1: y0 + 10.0,
        })
    }

    #[test]
    fn a_span_owns_one_rectangle_a_line_and_page() {
        let layer = Layer::new("ab c\nd\u{c}e").unwrap_or_else(|error| unreachable!("{error}"));
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
        assert_eq!(
            rects[0],
            PageRect {
                page: 1,
                rect: Rect {
                    x0: 0.0,
                    y0: 0.0,
                    x1: 18.0,
                    y1: 10.0
                }
            }
        );
        assert_eq!((rects[1].page, rects[2].page), (1, 2));
        assert_eq!(boxes.boxed(), 5);
        assert_eq!(LayerBoxes::from_bytes(&boxes.to_bytes()), Some(boxes.clone()));
        assert_eq!(
            boxes.hit(
                &layer,
                1,
                Rect {
                    x0: 4.0,
                    y0: 0.0,
                    x1: 20.0,
                    y1: 10.0
                }
            ),
            Some(CharSpan::of_indices(1, 4))
        );
    }
}
