//! A folded text and its key: the characters that every extractor gives alike.
//!
//! White space, dashes and line-end hyphens are left out of the key, and so is what says nothing by itself: bullets, marks
//! of direction, and what an extractor could not read. What is left out is looked at again when a place is judged.
//!
//! Deliberately not here: searching in it.

use crate::text::fold::Unit;
use crate::text::{CharSpan, MatchFolded};
use std::ops::Range;

/// A text under MatchFold with its key.
#[derive(Debug, Clone)]
pub(super) struct Keyed {
    pub folded: MatchFolded,
    pub key: Vec<char>,
    /// The folded unit of each character of the key.
    key_units: Vec<u32>,
}

/// What a folded unit is to a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// A character of the key.
    Key(char),
    /// A dash, or a hyphen between two digits at a line's end.
    Dash,
    /// A line-end hyphen that may be a dash or nothing.
    MaybeDash,
    /// White space.
    Space,
    /// Something that could not be read: it may have been anything.
    Unread,
    /// A bullet or a mark of direction: it says nothing.
    Nothing,
}

pub(super) const fn part_of(unit: Unit) -> Part {
    match unit {
        Unit::LineEndHyphen => Part::MaybeDash,
        Unit::LineEndHyphenBetweenDigits => Part::Dash,
        Unit::Literal(character) => match character {
            ' ' => Part::Space,
            '-' => Part::Dash,
            '\u{fffd}' | '\u{e000}'..='\u{f8ff}' | '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => Part::Unread,
            '\u{2022}'
            | '\u{2023}'
            | '\u{25aa}'
            | '\u{25ab}'
            | '\u{25ba}'
            | '\u{25b8}'
            | '\u{25c6}'
            | '\u{25cf}'
            | '\u{25e6}'
            | '\u{2666}'
            | '\u{27a2}'
            | '\u{27a4}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' => Part::Nothing,
            other => Part::Key(other),
        },
    }
}

impl Keyed {
    pub(super) fn new(folded: MatchFolded) -> Self {
        let mut key = Vec::with_capacity(folded.len());
        let mut key_units = Vec::with_capacity(folded.len());
        for (unit, index) in folded.units().iter().zip(0..) {
            if let Part::Key(character) = part_of(*unit) {
                key.push(character);
                key_units.push(index);
            }
        }
        Self { folded, key, key_units }
    }

    pub(super) fn of_text(text: &str) -> Self {
        let characters: Vec<char> = text.chars().collect();
        Self::new(MatchFolded::new(&characters))
    }

    /// The unit of a character of the key; past the key's end, the units' end.
    pub(super) fn unit_of(&self, index: usize) -> usize {
        self.key_units
            .get(index)
            .map_or(self.folded.len(), |unit| *unit as usize)
    }

    /// The parts of a range of units.
    pub(super) fn parts(&self, units: Range<usize>) -> impl DoubleEndedIterator<Item = Part> {
        let units = self.folded.units().get(units).unwrap_or_default();
        units.iter().map(|unit| part_of(*unit))
    }

    /// The units of a range of the key, with so many of the dashes that stand directly before and after it.
    pub(super) fn units_with_dashes(&self, key: Range<usize>, before: usize, after: usize) -> Range<usize> {
        let first = self.unit_of(key.start);
        let last = self.unit_of(key.end.saturating_sub(1)) + 1;
        let floor = key
            .start
            .checked_sub(1)
            .map_or(0, |previous| self.unit_of(previous) + 1);
        let ceiling = self.unit_of(key.end);
        let start = first - reach(self.parts(floor..first).rev(), before);
        let end = last + reach(self.parts(last..ceiling), after);
        start..end
    }

    /// The source of a range of units, and how many units of clusters that the range only touches lie outside of it: a
    /// quote can't own half of a ligature.
    pub(super) fn source_of(&self, units: Range<usize>) -> Option<(CharSpan, usize)> {
        let span = self.folded.source_of(units.clone())?;
        let whole = self.folded.units_of(span);
        let outside = units.start.saturating_sub(whole.start) + whole.end.saturating_sub(units.end);
        Some((span, outside))
    }
}

/// How many parts to go to own `wanted` dashes.
fn reach(parts: impl Iterator<Item = Part>, wanted: usize) -> usize {
    parts
        .zip(1..)
        .filter(|(part, _)| matches!(part, Part::Dash | Part::MaybeDash))
        .take(wanted)
        .map(|(_, steps)| steps)
        .last()
        .unwrap_or(0)
}
