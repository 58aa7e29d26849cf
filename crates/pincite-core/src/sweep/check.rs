//! What a sweep says of one citation.
//!
//! Deliberately not here: fetching what it rests on, and moving anything.

use crate::citation::{Carriage, Citation, Failure, LayerIndex, VersionState, carry, span_in};
use crate::registry::Standing;
use crate::text::{CharSpan, Layer};

/// The checks, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Check {
    /// Its bytes, layer and offsets are to be had.
    Resolves,
    /// `0 <= start < end <= length` of the layer it counts in.
    InBounds,
    /// The default layer holds the quote where it is cited.
    QuoteMatch,
    /// What it cites is what is in force.
    Version,
    /// Its text entails the claim. A model's work, on a sample.
    Entailment,
    /// Every claim has a citation.
    Coverage,
}

impl Check {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Resolves,
        Self::InBounds,
        Self::QuoteMatch,
        Self::Version,
        Self::Entailment,
        Self::Coverage,
    ];

    /// The stable word for it.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Resolves => "resolves",
            Self::InBounds => "in_bounds",
            Self::QuoteMatch => "quote_match",
            Self::Version => "version",
            Self::Entailment => "entailment",
            Self::Coverage => "coverage",
        }
    }
}

/// What the registry says of a citation, as far as a sweep has to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Currency {
    /// The cited revision is in force.
    InForce,
    /// Another one is, and the section says the same in it.
    Carried,
    /// A later revision replaced the section or left it out: pinned to its bytes.
    Replaced,
    /// A draft, a future or a withdrawn revision: nothing replaced it, and it is not in force.
    NotInForce,
    /// The registry knows nothing of it. No failure: what nobody registered is not stale.
    Unknown,
}

impl Currency {
    /// The stable word for it.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::InForce => "in_force",
            Self::Carried => "carried",
            Self::Replaced => "replaced",
            Self::NotInForce => "not_in_force",
            Self::Unknown => "unknown",
        }
    }
}

impl From<&Standing<'_>> for Currency {
    fn from(standing: &Standing<'_>) -> Self {
        match standing {
            Standing::InForce => Self::InForce,
            Standing::Carried => Self::Carried,
            Standing::Superseded { .. } | Standing::Removed { .. } => Self::Replaced,
            Standing::Withdrawn | Standing::NotYet | Standing::Draft => Self::NotInForce,
            Standing::NotKnown | Standing::Unregistered => Self::Unknown,
        }
    }
}

/// The one class of a citation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// The quote stands where it is cited.
    Intact,
    /// So it does, and the citation is of another revision than the one in force, of a section that says the same.
    Carried,
    /// The same bytes, and the quote stands at exactly one other place.
    Drifted {
        /// Where.
        span: CharSpan,
        /// Its start less the cited one, in code points.
        shift: i64,
    },
    /// A later revision replaced what it quotes. It stays as it is, wherever its quote stands.
    Superseded,
    /// The same bytes, and the quote stands at several places that nothing tells apart: for a person.
    Ambiguous,
    /// The same bytes, and the quote stands nowhere in them: for a person.
    Lost,
    /// There is nothing to look at.
    Unresolved(Failure),
}

impl Class {
    /// The stable word for it.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Intact => "intact",
            Self::Carried => "carried",
            Self::Drifted { .. } => "drifted",
            Self::Superseded => "superseded",
            Self::Ambiguous => "ambiguous",
            Self::Lost => "lost",
            Self::Unresolved(_) => "unresolved",
        }
    }
}

/// Where a citation's quote stands, whatever the registry says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Whether its bytes, its layer and its offsets are to be had.
    pub resolves: Result<(), Failure>,
    /// Whether its span lies in its layer; `None` where that could not be looked at.
    pub in_bounds: Option<bool>,
    /// Where its quote stands in the default layer of its bytes, or why there is nothing to look at.
    pub carriage: Result<Carriage, Failure>,
}

impl Found {
    /// Nothing: the bytes of a citation are not to be had, or have no layer here.
    #[must_use]
    pub const fn nothing(version: VersionState) -> Self {
        Self::unresolved(match version {
            VersionState::Known => Failure::LayerUnknown,
            VersionState::Erased => Failure::Erased,
            VersionState::Unknown => Failure::BytesUnknown,
            VersionState::Corrupt => Failure::BytesCorrupt,
        })
    }

    const fn unresolved(failure: Failure) -> Self {
        Self {
            resolves: Err(failure),
            in_bounds: None,
            carriage: Err(failure),
        }
    }

    /// Whether the quote stands where it is cited; `None` where that could not be looked at.
    #[must_use]
    pub fn quote_match(&self) -> Option<bool> {
        self.carriage.as_ref().ok().map(|carriage| *carriage == Carriage::Same)
    }

    /// The one other place of the quote in the default layer. What the registry says of a citation that drifted, it says of the section
    /// that it quotes, and not of the one that its wrong offsets lie in.
    #[must_use]
    pub const fn other_place(&self) -> Option<CharSpan> {
        match &self.carriage {
            Ok(Carriage::Drifted { span, .. }) => Some(*span),
            _ => None,
        }
    }

    /// The class of a citation of which the registry says this.
    #[must_use]
    pub const fn class(&self, currency: Currency) -> Class {
        match (&self.carriage, currency) {
            (Err(failure), _) => Class::Unresolved(*failure),
            (Ok(_), Currency::Replaced) => Class::Superseded,
            (Ok(Carriage::Same), Currency::Carried) => Class::Carried,
            (Ok(Carriage::Same), _) => Class::Intact,
            (Ok(Carriage::Drifted { span, shift }), _) => Class::Drifted {
                span: *span,
                shift: *shift,
            },
            (Ok(Carriage::Ambiguous), _) => Class::Ambiguous,
            (Ok(Carriage::Lost), _) => Class::Lost,
        }
    }

    /// The first check that a citation fails of which the registry says this; `None` where all pass.
    #[must_use]
    pub fn first_failed(&self, currency: Currency) -> Option<Check> {
        if self.resolves.is_err() {
            Some(Check::Resolves)
        } else if self.in_bounds == Some(false) {
            Some(Check::InBounds)
        } else if self.quote_match() == Some(false) {
            Some(Check::QuoteMatch)
        } else if matches!(currency, Currency::Replaced | Currency::NotInForce) {
            Some(Check::Version)
        } else {
            None
        }
    }
}

/// Looks for the quote of a citation whose bytes are here. `cited` is the layer that its offsets count in: where that is not here, they mean
/// nothing. `index` is the fold of the default layer, asked for only where the quote does not stand where it should.
#[must_use]
pub fn look<'a>(
    citation: &Citation,
    cited: Option<&Layer>,
    default: &Layer,
    index: impl FnOnce() -> &'a LayerIndex,
) -> Found {
    let Some(layer) = cited else {
        return Found::unresolved(Failure::LayerUnknown);
    };
    let Some((start, end)) = citation.char_start.zip(citation.char_end) else {
        return Found::unresolved(Failure::NoOffsets);
    };
    Found {
        resolves: Ok(()),
        in_bounds: Some(span_in(layer, start, end).is_some()),
        carriage: carry(citation, cited, default, index).ok_or(Failure::NoOffsets),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Head\nKeep for 5 years. Then shred.\nKeep for 7 years. Then burn.\n";

    fn looked(text: &str, quote: &str, start: i64) -> Found {
        let layer = Layer::new(text).unwrap_or_else(|error| unreachable!("{error}"));
        let citation = Citation {
            char_start: Some(start),
            char_end: Some(start + i64::try_from(quote.chars().count()).unwrap_or(i64::MAX)),
            quote: quote.to_owned(),
            ..Citation::default()
        };
        let index = LayerIndex::new(&layer, &[]);
        look(&citation, Some(&layer), &layer, || &index)
    }

    #[test]
    fn each_citation_has_one_class() {
        use Currency::{Carried, InForce, NotInForce, Replaced, Unknown};
        let at = |start: usize, end: usize, shift| Class::Drifted {
            span: CharSpan::of_indices(start, end),
            shift,
        };
        let cases = [
            ("Keep for 5 years", 5, InForce, Class::Intact, None),
            ("Keep for 5 years", 5, Unknown, Class::Intact, None),
            ("Keep for 5 years", 5, Carried, Class::Carried, None),
            ("Keep for 5 years", 5, Replaced, Class::Superseded, Some(Check::Version)),
            ("Keep for 5 years", 5, NotInForce, Class::Intact, Some(Check::Version)),
            ("for 7 years", 10, InForce, at(40, 51, 30), Some(Check::QuoteMatch)),
            ("for 7 years", 10, Carried, at(40, 51, 30), Some(Check::QuoteMatch)),
            ("for 7 years", 60, InForce, at(40, 51, -20), Some(Check::InBounds)),
            ("for 7 years", 10, Replaced, Class::Superseded, Some(Check::QuoteMatch)),
            ("Then", 1, InForce, Class::Ambiguous, Some(Check::QuoteMatch)),
            ("Keep for 6 years", 5, InForce, Class::Lost, Some(Check::QuoteMatch)),
            (
                "Keep for 6 years",
                5,
                Replaced,
                Class::Superseded,
                Some(Check::QuoteMatch),
            ),
            (" ", 9, InForce, Class::Lost, Some(Check::QuoteMatch)),
        ];
        for (quote, start, currency, class, failed) in cases {
            let found = looked(TEXT, quote, start);
            assert_eq!(found.class(currency), class, "{quote} at {start}, {currency:?}");
            assert_eq!(found.first_failed(currency), failed, "{quote} at {start}, {currency:?}");
        }
        // Whose section the registry is asked about.
        assert_eq!(
            looked(TEXT, "for 7 years", 10).other_place(),
            Some(CharSpan::of_indices(40, 51))
        );
        assert_eq!(looked(TEXT, "Keep for 5 years", 5).other_place(), None);
        assert_eq!(looked(TEXT, "Then", 1).other_place(), None);
    }

    #[test]
    fn what_is_not_here_is_unresolved_and_no_drift() {
        for (version, failure) in [
            (VersionState::Known, Failure::LayerUnknown),
            (VersionState::Erased, Failure::Erased),
            (VersionState::Unknown, Failure::BytesUnknown),
            (VersionState::Corrupt, Failure::BytesCorrupt),
        ] {
            let found = Found::nothing(version);
            assert_eq!(found.class(Currency::InForce), Class::Unresolved(failure));
            assert_eq!(found.class(Currency::Replaced), Class::Unresolved(failure));
            assert_eq!(found.first_failed(Currency::InForce), Some(Check::Resolves));
        }
    }

    #[test]
    fn offsets_of_a_layer_that_is_not_here_mean_nothing() {
        let layer = Layer::new(TEXT).unwrap_or_else(|error| unreachable!("{error}"));
        let citation = Citation {
            char_start: Some(5),
            char_end: Some(21),
            quote: "Keep for 5 years".into(),
            ..Citation::default()
        };
        let index = LayerIndex::new(&layer, &[]);
        let found = look(&citation, None, &layer, || &index);
        assert_eq!(found.class(Currency::InForce), Class::Unresolved(Failure::LayerUnknown));
    }

    #[test]
    fn no_digit_unit_or_negation_may_differ_and_typography_may() {
        let text = "Records shall not be kept longer than 7 years after the batch's last dispatch, unless its owner says so in writing.";
        for (from, to, stands) in [
            ("7", "5", false),
            ("shall not be", "shall now be", false),
            ("years", "weeks", false),
            ("batch's", "batch\u{2019}s", true),
        ] {
            let class = looked(text, &text.replace(from, to), 0).class(Currency::InForce);
            let expected = if stands { Class::Intact } else { Class::Lost };
            assert_eq!(class, expected, "{from} as {to}");
        }
    }
}
