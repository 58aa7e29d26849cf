//! Where each code point stands on its page: rectangles in the displayed frame.
//!
//! The displayed frame is what a reader sees: CropBox clipped to MediaBox, then /Rotate; origin top left, y down, unit
//! point (1/72 inch). A ligature is one glyph and several code points with one box. A code point that the extractor
//! generated (a space, a line break) has none.
//!
//! Deliberately not here: what rectangles a span owns, what lies in one (`boxes_selection`); searching a page for text.

use super::offset::CharOffset;
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

    /// Whether it holds all of the other one, `margin` points added on each side.
    #[must_use]
    pub fn holds(self, other: Self, margin: f32) -> bool {
        self.x0 - margin <= other.x0
            && other.x1 <= self.x1 + margin
            && self.y0 - margin <= other.y0
            && other.y1 <= self.y1 + margin
    }

    /// Whether a point lies in it, its edges included.
    #[must_use]
    pub fn has(self, (x, y): (f32, f32)) -> bool {
        self.x0 <= x && x <= self.x1 && self.y0 <= y && y <= self.y1
    }

    /// Its width in points.
    #[must_use]
    pub fn width(self) -> f32 {
        self.x1 - self.x0
    }

    /// Its height in points.
    #[must_use]
    pub fn height(self) -> f32 {
        self.y1 - self.y0
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_come_back_from_their_bytes() {
        let rect = Rect {
            x0: 1.0,
            y0: 2.0,
            x1: 3.5,
            y1: 4.0,
        };
        let boxes = LayerBoxes::new(vec![Some(rect), None]);
        assert_eq!(boxes.boxed(), 1);
        assert_eq!(LayerBoxes::from_bytes(&boxes.to_bytes()), Some(boxes));
        assert_eq!(LayerBoxes::from_bytes(&[0; 15]), None);
    }
}
