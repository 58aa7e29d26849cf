//! The exact code points that one extractor read from one version, pages joined by one form feed.
//!
//! Deliberately not here: changing a layer. There is no function that does.

use super::offset::{CharOffset, CharSpan};

/// What stands between two pages of a layer. No page holds one: the extractor writes U+FFFD for every other control
/// character, so the pages of any layer are found by splitting at it.
pub const PAGE_JOIN: char = '\u{000C}';

/// One text layer. Holds code points, not bytes, so that slicing by offset is exact and constant in time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    characters: Vec<char>,
    /// Start of each page; the first is 0. Never empty.
    page_starts: Vec<CharOffset>,
    sha256: String,
}

/// Why a text can't be a layer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayerError {
    /// More code points than an offset can count.
    #[error("the text has {0} code points; a layer holds fewer than 4294967295")]
    TooLong(usize),
    /// The bytes of a stored or handed-in layer are not UTF-8.
    #[error("the text is not UTF-8: byte {0} can't be read")]
    NotUtf8(usize),
}

impl Layer {
    /// A layer of this text.
    ///
    /// # Errors
    /// [`LayerError::TooLong`] for 2³² - 1 code points or more.
    pub fn new(text: &str) -> Result<Self, LayerError> {
        let characters: Vec<char> = text.chars().collect();
        if u32::try_from(characters.len()).is_err() || characters.len() == u32::MAX as usize {
            return Err(LayerError::TooLong(characters.len()));
        }
        let mut page_starts = vec![CharOffset(0)];
        for (index, character) in characters.iter().enumerate() {
            if *character == PAGE_JOIN {
                page_starts.push(CharOffset::from_index(index + 1));
            }
        }
        Ok(Self {
            characters,
            page_starts,
            sha256: crate::sha256_hex(text.as_bytes()),
        })
    }

    /// A layer of these UTF-8 bytes.
    ///
    /// # Errors
    /// [`LayerError::NotUtf8`] with the first bad byte, [`LayerError::TooLong`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LayerError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::new(text),
            Err(error) => Err(LayerError::NotUtf8(error.valid_up_to())),
        }
    }

    /// The hash of the layer's UTF-8 bytes: its name.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// How many code points, page joins counted.
    #[must_use]
    pub fn len(&self) -> usize {
        self.characters.len()
    }

    /// Whether there is no code point at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.characters.is_empty()
    }

    /// All code points, for scanning.
    #[must_use]
    pub fn characters(&self) -> &[char] {
        &self.characters
    }

    /// The code points of a span, or `None` where it passes the layer's end.
    #[must_use]
    pub fn get(&self, span: CharSpan) -> Option<&[char]> {
        self.characters.get(span.range())
    }

    /// The text of a span, or `None` where it passes the layer's end.
    #[must_use]
    pub fn slice(&self, span: CharSpan) -> Option<String> {
        self.get(span).map(|characters| characters.iter().collect())
    }

    /// The whole text, as its hash was made from.
    #[must_use]
    pub fn text(&self) -> String {
        self.characters.iter().collect()
    }

    /// How many pages.
    #[must_use]
    pub fn page_count(&self) -> usize {
        self.page_starts.len()
    }

    /// The page (from 1) of the code point at `offset`. A page join belongs to the page that it ends; an offset past the
    /// end is on the last page.
    #[must_use]
    pub fn page_of(&self, offset: CharOffset) -> u32 {
        u32::try_from(self.page_starts.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX)
    }

    /// The code points of a page (from 1), without the join that ends it. `None` where there is no such page.
    #[must_use]
    pub fn page_span(&self, page: u32) -> Option<CharSpan> {
        let index = (page as usize).checked_sub(1)?;
        let start = *self.page_starts.get(index)?;
        let end = match self.page_starts.get(index + 1) {
            Some(next) => CharOffset(next.0 - 1),
            None => CharOffset::from_index(self.characters.len()),
        };
        CharSpan::new(start, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_split_at_form_feeds_and_offsets_count_code_points() {
        let layer = Layer::new("a😀\u{c}\u{c}é").unwrap_or_else(|error| unreachable!("{error}"));
        assert_eq!(layer.len(), 5);
        assert_eq!(layer.page_count(), 3);
        assert_eq!(layer.page_span(1), Some(CharSpan::of_indices(0, 2)));
        assert_eq!(layer.page_span(2), Some(CharSpan::of_indices(3, 3)));
        assert_eq!(layer.page_span(3), Some(CharSpan::of_indices(4, 5)));
        assert_eq!(layer.page_span(4), None);
        assert_eq!(layer.page_span(0), None);
        let pages: Vec<u32> = (0..5).map(|index| layer.page_of(CharOffset(index))).collect();
        assert_eq!(pages, [1, 1, 1, 2, 3]);
        assert_eq!(layer.slice(CharSpan::of_indices(1, 2)).as_deref(), Some("😀"));
        assert_eq!(layer.slice(CharSpan::of_indices(1, 6)), None);
    }
}
