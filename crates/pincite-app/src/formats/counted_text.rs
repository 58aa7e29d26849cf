//! A text whose offsets may be given in code points or in UTF-16 units, as browsers count. This is the edge where the
//! second kind exists: it comes in and goes out here, and nothing else in Pincite sees it.
//!
//! Deliberately not here: looking for a quote. Offsets are read, and held against what they are said to enclose.

use pincite_core::text::verify_fold_equal;
use std::ops::Range;

/// What a format's offsets count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Unicode code points.
    CodePoints,
    /// UTF-16 units: a character outside of the first plane counts twice.
    Utf16,
    /// One of the two; which one, the quote has to tell.
    Either,
}

/// Offsets as a file gives them, from 0, the end exclusive. They may be anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Given {
    /// Where it starts.
    pub start: i64,
    /// Where it ends.
    pub end: i64,
    /// What these two count.
    pub unit: Unit,
}

/// A text, and where in it the characters are that UTF-16 counts twice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountedText {
    characters: Vec<char>,
    twice: Vec<usize>,
    sha256: String,
}

impl CountedText {
    /// Counts a text.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let characters: Vec<char> = text.chars().collect();
        let twice = (0..)
            .zip(&characters)
            .filter(|(_, character)| character.len_utf16() == 2)
            .map(|(index, _)| index)
            .collect();
        Self {
            characters,
            twice,
            sha256: pincite_core::sha256_hex(text.as_bytes()),
        }
    }

    /// SHA-256 of its UTF-8 bytes: a layer with the same text has the same name.
    #[must_use]
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// How many code points it has.
    #[must_use]
    pub fn length(&self) -> usize {
        self.characters.len()
    }

    /// A stretch of it, in code points; `None` where it is past the end.
    #[must_use]
    pub fn slice(&self, span: &Range<usize>) -> Option<String> {
        self.characters
            .get(span.clone())
            .map(|characters| characters.iter().collect())
    }

    /// Up to so many code points before and after a stretch.
    #[must_use]
    pub fn around(&self, span: &Range<usize>, reach: usize) -> (String, String) {
        let before = span.start.saturating_sub(reach)..span.start;
        let after = span.end..span.end.saturating_add(reach).min(self.length());
        (
            self.slice(&before).unwrap_or_default(),
            self.slice(&after).unwrap_or_default(),
        )
    }

    /// The UTF-16 units before a code point.
    #[must_use]
    pub fn to_utf16(&self, index: usize) -> usize {
        index + self.twice.partition_point(|at| *at < index)
    }

    /// The code point at which so many UTF-16 units have passed; `None` within a character, or past the end.
    #[must_use]
    pub fn from_utf16(&self, units: usize) -> Option<usize> {
        let (mut low, mut high) = (0, self.length());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.to_utf16(middle) < units {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        (self.to_utf16(low) == units).then_some(low)
    }

    fn in_unit(&self, given: Given, utf16: bool) -> Option<Range<usize>> {
        let (start, end) = (usize::try_from(given.start).ok()?, usize::try_from(given.end).ok()?);
        let (start, end) = if utf16 {
            (self.from_utf16(start)?, self.from_utf16(end)?)
        } else {
            (start, end)
        };
        (start < end && end <= self.length()).then_some(start..end)
    }

    /// Every stretch that the offsets may mean, in code points: none, one, or two that differ.
    #[must_use]
    pub fn readings(&self, given: Given) -> Vec<Range<usize>> {
        let units: &[bool] = match given.unit {
            Unit::CodePoints => &[false],
            Unit::Utf16 => &[true],
            Unit::Either => &[false, true],
        };
        let mut found: Vec<Range<usize>> = units.iter().filter_map(|utf16| self.in_unit(given, *utf16)).collect();
        found.dedup();
        found
    }

    /// The one stretch that the offsets may mean and that reads as the quote does, under VerifyFold.
    #[must_use]
    pub fn holding(&self, given: Given, quote: &str) -> Option<Range<usize>> {
        let quote: Vec<char> = quote.chars().collect();
        let mut holding = self.readings(given).into_iter().filter(|span| {
            self.characters
                .get(span.clone())
                .is_some_and(|slice| verify_fold_equal(slice, &quote))
        });
        let first = holding.next()?;
        holding.next().is_none().then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(start: i64, end: i64, unit: Unit) -> Given {
        Given { start, end, unit }
    }

    #[test]
    fn units_are_told_apart_by_the_quote() {
        let text = CountedText::new("🏦🏦 ab ab");
        for index in 0..=text.length() {
            assert_eq!(text.from_utf16(text.to_utf16(index)), Some(index));
        }
        assert_eq!(text.from_utf16(1), None, "within a character");
        assert_eq!(text.from_utf16(99), None);
        assert_eq!(text.holding(given(3, 5, Unit::CodePoints), "ab"), Some(3..5));
        assert_eq!(text.holding(given(5, 7, Unit::Utf16), "ab"), Some(3..5));
        assert_eq!(text.holding(given(5, 7, Unit::CodePoints), "ab"), None);
        assert_eq!(text.holding(given(3, 5, Unit::Either), "ab"), Some(3..5));
        assert_eq!(text.holding(given(8, 10, Unit::Either), "ab"), Some(6..8));
        // Read either way, these hold the quote in two places; neither is taken.
        let twice = CountedText::new("🏦 a a");
        assert_eq!(twice.readings(given(4, 5, Unit::Either)), [4..5, 3..4]);
        let doubtful = CountedText::new("🏦 aa");
        assert_eq!(doubtful.holding(given(3, 4, Unit::Either), "a"), None);
    }

    #[test]
    fn offsets_that_are_none_are_read_as_none() {
        let text = CountedText::new("abc");
        for (start, end) in [(-1, 2), (2, 2), (2, 1), (0, 4), (i64::MAX, i64::MIN)] {
            assert!(text.readings(given(start, end, Unit::Either)).is_empty());
        }
        assert_eq!(text.around(&(1..2), 32), ("a".to_owned(), "c".to_owned()));
    }
}
