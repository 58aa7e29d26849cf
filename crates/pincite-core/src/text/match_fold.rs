//! MatchFold v1: when two texts say the same, as far as finding a quote again is concerned, with the map back.
//!
//! VerifyFold, and: every dash is one dash, every single quotation mark is one, every double one is one. Nothing more. It
//! is built on VerifyFold's own units, so a line-end hyphen stays a relation (joined or a hyphen, and between two digits
//! never joined), and clusters are folded in one place.
//!
//! The map goes both ways: each folded unit has a non-empty source range, ranges are monotone, and a source span has the
//! folded range of all units that touch it. Spans to skip (glyphs drawn a second time over themselves, running heads) are
//! not folded at all; what stands on both sides of one becomes neighbours, and their sources stay where they were.
//!
//! Deliberately not here: similarity, and searching (`locate`).

use super::fold::{Unit, VerifyFolded};
use super::offset::CharSpan;
use std::ops::Range;

/// Name and version of the fold, kept beside whatever was compared under it.
pub const MATCH_FOLD: &str = "match-fold-1";

/// A text under MatchFold, with the way back: for each unit, the source code points it was made from. It has the units of
/// VerifyFold with other characters in some, and a type of its own, so that the two folds are never compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchFolded(VerifyFolded);

impl MatchFolded {
    /// Folds a text given as code points; offsets in the map count from its first.
    #[must_use]
    pub fn new(source: &[char]) -> Self {
        Self::of(VerifyFolded::new(source))
    }

    /// Folds a text without the code points of some spans, in any order. They may overlap and pass the text's end.
    #[must_use]
    pub fn without(source: &[char], skipped: &[CharSpan]) -> Self {
        let mut skipped: Vec<Range<usize>> = skipped.iter().map(|span| span.range()).collect();
        skipped.sort_unstable_by_key(|range| range.start);
        let mut kept = Vec::with_capacity(source.len());
        let mut positions = Vec::with_capacity(source.len());
        let mut at = 0;
        for range in skipped.into_iter().chain(std::iter::once(source.len()..source.len())) {
            let until = range.start.clamp(at, source.len().max(at));
            if let Some(part) = source.get(at..until) {
                kept.extend_from_slice(part);
                positions.extend(at..until);
            }
            at = at.max(range.end);
        }
        if kept.len() == source.len() {
            return Self::new(source);
        }
        let mut folded = Self::new(&kept);
        for span in &mut folded.0.sources {
            // A unit's source is never empty, so its last code point is there.
            let first = positions.get(span.start().index()).copied().unwrap_or_default();
            let last = positions
                .get(span.end().index().saturating_sub(1))
                .copied()
                .unwrap_or(first);
            *span = CharSpan::of_indices(first, last + 1);
        }
        folded
    }

    /// From VerifyFold's units.
    pub(crate) fn of(mut folded: VerifyFolded) -> Self {
        for unit in &mut folded.units {
            if let Unit::Literal(character) = unit {
                *character = plain(*character);
            }
        }
        Self(folded)
    }

    /// Whether nothing is left: such a quote is no quote.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many folded units.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn units(&self) -> &[Unit] {
        &self.0.units
    }

    /// The source span of a range of units, from the first one's first code point to the last one's last; `None` for an
    /// empty range and for one that passes the end.
    #[must_use]
    pub fn source_of(&self, units: Range<usize>) -> Option<CharSpan> {
        self.0.source_of(units)
    }

    /// The units made from any code point of a source span. Empty, at the place where they would stand, where the span
    /// holds only what the fold drops.
    #[must_use]
    pub fn units_of(&self, span: CharSpan) -> Range<usize> {
        let sources = &self.0.sources;
        let first = sources.partition_point(|source| source.end() <= span.start());
        let after = sources.partition_point(|source| source.start() < span.end());
        first..after.max(first)
    }

    /// Each unit as it reads in [`MatchFolded::joined`]: a character, or nothing for a line-end hyphen between letters.
    pub(crate) fn unit_texts(&self) -> impl Iterator<Item = Option<char>> {
        self.0.units.iter().map(|unit| unit.joined())
    }

    /// As one string, every line-end hyphen read as joined (or as a hyphen between digits).
    #[must_use]
    pub fn joined(&self) -> String {
        self.0.joined()
    }

    /// Whether some reading of this text's line-end hyphens equals some reading of the other's.
    #[must_use]
    pub fn equals(&self, other: &Self) -> bool {
        self.0.equals(&other.0)
    }
}

/// The string form of a text under MatchFold, line-end hyphens joined. Comparing is [`match_fold_equal`].
#[must_use]
pub fn match_fold(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    MatchFolded::new(&characters).joined()
}

/// Whether two texts are equal under MatchFold.
#[must_use]
pub fn match_fold_equal(one: &[char], other: &[char]) -> bool {
    MatchFolded::new(one).equals(&MatchFolded::new(other))
}

/// One dash for all dashes, one mark for all single quotation marks, one for all double ones. Primes are no quotation
/// marks: 5′ is a length or an angle.
const fn plain(character: char) -> char {
    match character {
        // U+2011 and the small and full-width forms come here as what NFKC made of them.
        '\u{58a}'
        | '\u{5be}'
        | '\u{1400}'
        | '\u{1806}'
        | '\u{2010}'..='\u{2015}'
        | '\u{2043}'
        | '\u{2212}'
        | '\u{2796}'
        | '\u{2e3a}'
        | '\u{2e3b}'
        | '\u{2d7}' => '-',
        '\u{2018}'..='\u{201b}' | '\u{2039}' | '\u{203a}' | '\u{2bb}' | '\u{2bc}' | '\u{275b}' | '\u{275c}' | '`' => {
            '\''
        }
        '\u{201c}'..='\u{201f}'
        | '\u{ab}'
        | '\u{bb}'
        | '\u{2e42}'
        | '\u{301d}'..='\u{301f}'
        | '\u{275d}'
        | '\u{275e}' => '"',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::verify_fold_equal;
    use proptest::prelude::*;

    fn characters(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    #[test]
    fn dashes_and_quotation_marks_and_nothing_more() {
        for (one, other) in [
            ("2–3", "2-3"),
            ("−5 mg", "-5 mg"),
            ("“quoted”", "\"quoted\""),
            ("«cité»", "„cité‟"),
            ("patient’s", "patient's"),
            ("well\u{ad}\nknown", "well–known"),
            ("well\u{ad}\nknown", "wellknown"),
            ("10\u{ad}\n20", "10—20"),
        ] {
            assert!(
                match_fold_equal(&characters(one), &characters(other)),
                "{one:?} {other:?}"
            );
            assert!(
                match_fold_equal(&characters(other), &characters(one)),
                "{other:?} {one:?}"
            );
        }
        for (one, other) in [
            ("10\u{ad}\n20", "1020"),
            ("-5 mg", "5 mg"),
            ("'quoted'", "\"quoted\""),
            ("5′", "5'"),
            ("a b", "ab"),
            ("must not", "must"),
            ("…", "--"),
            ("10⁶", "106"),
        ] {
            assert!(
                !match_fold_equal(&characters(one), &characters(other)),
                "{one:?} {other:?}"
            );
        }
    }

    #[test]
    fn what_is_skipped_is_not_folded_and_the_map_still_leads_back() {
        let source = characters("TThhee dose");
        let doubled: Vec<CharSpan> = [5, 1, 3].map(|at| CharSpan::of_indices(at, at + 1)).to_vec();
        let folded = MatchFolded::without(&source, &doubled);
        assert_eq!(folded.joined(), "the dose");
        assert_eq!(folded.source_of(0..1), Some(CharSpan::of_indices(0, 1)));
        assert_eq!(folded.source_of(0..3), Some(CharSpan::of_indices(0, 5)));
        assert_eq!(folded.source_of(3..8), Some(CharSpan::of_indices(6, 11)));
        assert_eq!(folded.units_of(CharSpan::of_indices(5, 7)), 3..4);
        // All of it, and spans past the end.
        assert!(MatchFolded::without(&source, &[CharSpan::of_indices(0, 99)]).is_empty());
        assert_eq!(
            MatchFolded::without(&source, &[CharSpan::of_indices(50, 99)]).joined(),
            "tthhee dose"
        );
        // A space on each side of what is skipped is one space.
        let source = characters("to the FOOT next page");
        assert_eq!(
            MatchFolded::without(&source, &[CharSpan::of_indices(7, 11)]).joined(),
            "to the next page"
        );
    }

    proptest! {
        #[test]
        fn the_map_goes_both_ways(text in "[a-cßﬁ é²\u{301}\u{ad}\u{200b}\n–“'1-]{0,40}|\\PC{0,40}", skips in prop::collection::vec((0_usize..44, 0_usize..4), 0..4)) {
            let source = characters(&text);
            let skipped: Vec<CharSpan> = skips.iter().map(|(at, length)| CharSpan::of_indices(*at, at + length)).collect();
            let folded = MatchFolded::without(&source, &skipped);
            let mut last = CharSpan::of_indices(0, 0);
            for unit in 0..folded.len() {
                let span = folded.source_of(unit..unit + 1);
                prop_assert!(span.is_some_and(|span| !span.is_empty() && span.end().index() <= source.len()));
                let span = span.unwrap_or(last);
                prop_assert!(last.start() <= span.start() && last.end() <= span.end(), "ranges are monotone");
                // There and back: the units of a unit's source hold the unit.
                prop_assert!(folded.units_of(span).contains(&unit));
                // No unit begins or ends in what was skipped.
                prop_assert!(!skipped.iter().any(|skip| skip.contains(span.start())));
                last = span;
            }
            prop_assert_eq!(folded.units_of(CharSpan::of_indices(0, source.len())), 0..folded.len());
            // Every span's units have sources that touch it, and no other unit's does.
            for start in 0..source.len() {
                let span = CharSpan::of_indices(start, (start + 3).min(source.len()));
                let units = folded.units_of(span);
                for unit in 0..folded.len() {
                    let touches = folded.source_of(unit..unit + 1).is_some_and(|own| own.start() < span.end() && span.start() < own.end());
                    prop_assert_eq!(touches, units.contains(&unit));
                }
            }
        }

        #[test]
        fn it_forgives_all_that_verify_fold_does(one in "[ab \u{ad}\n1-]{0,9}", other in "[ab \u{ad}\n1-]{0,9}") {
            let (one, other) = (characters(&one), characters(&other));
            prop_assert_eq!(match_fold_equal(&one, &other), verify_fold_equal(&one, &other), "without dashes and marks they are one");
        }

        #[test]
        fn skipping_nothing_is_folding(text in "\\PC{0,40}") {
            let source = characters(&text);
            prop_assert_eq!(MatchFolded::without(&source, &[]), MatchFolded::new(&source));
        }
    }
}
