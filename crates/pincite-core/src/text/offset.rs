//! Offsets and spans that carry their unit in their type.
//!
//! The only unit inside Pincite is the code point, of one layer or ([`Run`]) of one page. UTF-8 bytes and UTF-16
//! units exist at the edges alone.
//!
//! Deliberately not here: arithmetic with those.

use serde::{Deserialize, Serialize};

/// A count of code points from the start of one layer, from 0. Zero is a valid offset, never "none".
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CharOffset(pub u32);

impl CharOffset {
    /// The offset as an index into a slice of code points.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The offset of an index into a slice of code points. Layers end below 2³² code points ([`super::Layer::new`]
    /// refuses longer ones), so the conversion of an index into a layer never saturates.
    #[must_use]
    pub fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// A range of code points in one layer: `start` included, `end` not. `start <= end` always holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CharSpan {
    /// The first code point of the span.
    start: CharOffset,
    /// The code point after the last one.
    end: CharOffset,
}

impl CharSpan {
    /// A span, or `None` where `end` lies before `start`.
    #[must_use]
    pub fn new(start: CharOffset, end: CharOffset) -> Option<Self> {
        (start <= end).then_some(Self { start, end })
    }

    /// A span over indices into a slice of code points. The two are put in order.
    #[must_use]
    pub fn of_indices(start: usize, end: usize) -> Self {
        Self {
            start: CharOffset::from_index(start.min(end)),
            end: CharOffset::from_index(start.max(end)),
        }
    }

    /// The first code point.
    #[must_use]
    pub const fn start(self) -> CharOffset {
        self.start
    }

    /// The code point after the last.
    #[must_use]
    pub const fn end(self) -> CharOffset {
        self.end
    }

    /// How many code points the span holds.
    #[must_use]
    pub const fn len(self) -> usize {
        (self.end.0 - self.start.0) as usize
    }

    /// Whether the span holds no code point.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.end.0 == self.start.0
    }

    /// Whether the code point at `offset` lies in the span.
    #[must_use]
    pub const fn contains(self, offset: CharOffset) -> bool {
        self.start.0 <= offset.0 && offset.0 < self.end.0
    }

    /// The span as a range of indices.
    #[must_use]
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start.index()..self.end.index()
    }
}

/// Code points of one page: from `start`, included, to `end`, not. Counted from the page's first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Run {
    /// The first code point.
    pub start: u32,
    /// The code point after the last.
    pub end: u32,
}

impl Run {
    /// The run as a span of a layer in which the page begins at `page_start`.
    #[must_use]
    pub fn in_layer(self, page_start: CharOffset) -> CharSpan {
        CharSpan::of_indices(
            page_start.index() + self.start as usize,
            page_start.index() + self.end as usize,
        )
    }
}
