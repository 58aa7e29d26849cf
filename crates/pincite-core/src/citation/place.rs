//! Placing on import: a quote without offsets, or with offsets of somebody else's text, gets the one place in our layer
//! that holds it by the rule of relocation (`locate`).
//!
//! That rule is wider than the check of a citation (dashes, quotation marks, a worn letter), so a quote may be placed and
//! still fail its check: it points to the right place, and a person sees that the words differ. Where a place passes the
//! check, its span is the one that does.
//!
//! How the latter is found: both texts are projected onto what no reading of a line-end hyphen can change (hyphens and spaces left out), the
//! quote's projection is searched in the layer's, and each hit is confirmed under the real relation, on the fold and then
//! on the layer's own characters. Equal texts have equal projections, so nothing is missed; every hit is confirmed as the
//! check of a citation would, so nothing is invented.
//!
//! Deliberately not here: choosing between two equal places. Two are ambiguous, and a person decides.

use crate::locate::{FoldedLayer, Located, PLACES_NAMED, Wanted, locate};
use crate::text::fold::{Unit, units_equal};
use crate::text::{CharSpan, Layer, VerifyFolded};

/// Where a quote stands in a layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Placement {
    /// Exactly one place.
    Placed(CharSpan),
    /// More than one; the first few of them.
    Ambiguous(Vec<CharSpan>),
    /// None.
    NotFound,
}

/// A layer folded once, for many quotes.
#[derive(Debug, Clone)]
pub struct LayerIndex {
    characters: Vec<char>,
    folded: VerifyFolded,
    /// UTF-8 of the units that no reading changes.
    projection: String,
    /// For each such unit, where it starts in `projection` and which unit it is.
    anchors: Vec<(usize, usize)>,
    /// For the rule of relocation.
    relocation: FoldedLayer,
}

impl LayerIndex {
    /// Folds a layer; the rule of relocation does not see the spans to skip (glyphs drawn twice).
    #[must_use]
    pub fn new(layer: &Layer, skipped: &[CharSpan]) -> Self {
        let folded = VerifyFolded::new(layer.characters());
        let mut projection = String::with_capacity(folded.len());
        let mut anchors = Vec::with_capacity(folded.len());
        for (index, unit) in folded.units.iter().enumerate() {
            if let Some(character) = fixed(*unit) {
                anchors.push((projection.len(), index));
                projection.push(character);
            }
        }
        let relocation = if skipped.is_empty() {
            FoldedLayer::of_verify_fold(folded.clone())
        } else {
            FoldedLayer::without(layer, skipped)
        };
        Self {
            characters: layer.characters().to_vec(),
            folded,
            projection,
            anchors,
            relocation,
        }
    }

    /// The one place of a quote. What stands before and after it may decide between places that are equal.
    #[must_use]
    pub fn place(&self, wanted: &Wanted<'_>) -> Placement {
        let equal = self.equal_places(wanted.quote);
        match locate(&self.relocation, wanted) {
            Located::Ambiguous { places, .. } => Placement::Ambiguous(places.iter().map(|place| place.span).collect()),
            Located::Found { place, .. } => {
                let is_there = |span: &&CharSpan| span.start() < place.span.end() && place.span.start() < span.end();
                Placement::Placed(equal.iter().find(is_there).copied().unwrap_or(place.span))
            }
            // A quote without a letter, or one that stands in more places than were looked at.
            Located::Lost => match equal.as_slice() {
                [] => Placement::NotFound,
                [only] => Placement::Placed(*only),
                _ => Placement::Ambiguous(equal),
            },
        }
    }

    /// The first [`PLACES_NAMED`] places that equal a quote under VerifyFold. Overlapping places count as places.
    fn equal_places(&self, quote: &str) -> Vec<CharSpan> {
        let quote: Vec<char> = quote.chars().collect();
        let quote = VerifyFolded::new(&quote);
        let needle: String = quote.units.iter().filter_map(|unit| fixed(*unit)).collect();
        if needle.is_empty() {
            return Vec::new();
        }
        let first = needle.chars().next().map_or(1, char::len_utf8);
        let mut found: Vec<CharSpan> = Vec::new();
        let mut from = 0;
        while let Some(at) = self.projection.get(from..).and_then(|rest| rest.find(&needle)) {
            let start = from + at;
            from = start + first;
            if let Some(span) = self.confirm(&quote, start, start + needle.len())
                && !found.contains(&span)
            {
                found.push(span);
                if found.len() == PLACES_NAMED {
                    break;
                }
            }
        }
        found
    }

    /// The span of a hit on the projection, where the relation really holds. A quote that begins or ends with a hyphen
    /// may own hyphens beside the hit, so the nearest few neighbours are tried too.
    fn confirm(&self, quote: &VerifyFolded, start: usize, end: usize) -> Option<CharSpan> {
        let anchor = |byte: usize| self.anchors.binary_search_by_key(&byte, |(at, _)| *at);
        let first_anchor = anchor(start).ok()?;
        let last_anchor = match anchor(end) {
            Ok(next) => next - 1,
            Err(_) => self.anchors.len() - 1,
        };
        let first = self.anchors.get(first_anchor)?.1;
        let last = self.anchors.get(last_anchor)?.1;
        let edge = |units: &mut dyn Iterator<Item = &Unit>| units.take_while(|unit| fixed(**unit).is_none()).count();
        let leading = edge(&mut quote.units.iter());
        let trailing = edge(&mut quote.units.iter().rev());
        let room_before = edge(&mut self.folded.units[..first].iter().rev()).min(leading * 2);
        let room_after = edge(&mut self.folded.units[last + 1..].iter()).min(trailing * 2);
        for before in 0..=room_before {
            for after in 0..=room_after {
                let units = first - before..last + 1 + after;
                if units_equal(&self.folded.units[units.clone()], &quote.units)
                    && let Some(span) = self.folded.source_of(units).filter(|span| self.holds(*span, quote))
                {
                    return Some(span);
                }
            }
        }
        None
    }

    /// Whether the span by itself says what the quote says. It may not where the fold of the whole layer sees more than
    /// the span does: a ligature of which the quote has one letter, a hyphen whose line the quote does not begin.
    fn holds(&self, span: CharSpan, quote: &VerifyFolded) -> bool {
        self.characters
            .get(span.range())
            .is_some_and(|characters| VerifyFolded::new(characters).equals(quote))
    }
}

/// What a unit is whatever the reading: nothing for hyphens and spaces.
const fn fixed(unit: Unit) -> Option<char> {
    match unit {
        Unit::Literal('-' | '\u{2010}' | ' ') | Unit::LineEndHyphen | Unit::LineEndHyphenBetweenDigits => None,
        Unit::Literal(character) => Some(character),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(layer: &str, quote: &str) -> Placement {
        let layer = Layer::new(layer).unwrap_or_else(|error| unreachable!("{error}"));
        let wanted = Wanted {
            quote,
            ..Wanted::default()
        };
        LayerIndex::new(&layer, &[]).place(&wanted)
    }

    #[test]
    fn exactly_one_place_or_none_at_all() {
        let text = "The reten\u{ad}\ntion period is 5 years.\u{c}A well\u{ad}\nknown rule. The dose is -5 mg, or 5 mg.";
        for (quote, start, end) in [
            ("retention  period", 4, 22),
            ("reten- tion period", 4, 22),
            ("WELL-KNOWN", 37, 48),
            ("wellknown rule", 37, 53),
            ("-5 mg", 67, 72),
            ("the dose is", 55, 66),
        ] {
            assert_eq!(
                place(text, quote),
                Placement::Placed(CharSpan::of_indices(start, end)),
                "{quote}"
            );
        }
        assert_eq!(
            place(text, "5 mg"),
            Placement::Ambiguous(vec![CharSpan::of_indices(68, 72), CharSpan::of_indices(77, 81)])
        );
        for quote in ["retention period is 7 years", "", " ", "-", "well-known-rule", "…"] {
            assert_eq!(place(text, quote), Placement::NotFound, "{quote:?}");
        }
        // Alike by the rule of relocation, and still no citation that holds.
        assert_eq!(
            place(text, "re tention period"),
            Placement::Placed(CharSpan::of_indices(4, 22))
        );
        // A letter of a ligature is no code point of the layer, and a sign before a line break is no line-end hyphen.
        assert_eq!(place("The \u{fb01}nal text.", "inal text"), Placement::NotFound);
        assert_eq!(
            place("The \u{fb01}nal text.", "final text"),
            Placement::Placed(CharSpan::of_indices(4, 13))
        );
        assert_eq!(
            place("\u{628}\u{64e}\u{628}", "\u{64e}\u{628}"),
            Placement::Placed(CharSpan::of_indices(1, 3))
        );
        assert_eq!(place("from x-\n5 on", "-5 on"), Placement::NotFound);
        assert_eq!(
            place("aaa", "aa"),
            Placement::Ambiguous(vec![CharSpan::of_indices(0, 2), CharSpan::of_indices(1, 3)])
        );
    }
}
