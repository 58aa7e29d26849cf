//! What a sweep says of one citation.
//!
//! Deliberately not here: fetching what it rests on, and moving anything.

use crate::citation::{Carriage, Citation, Failure, LayerIndex, VersionState, carry, span_in};
use crate::locate::quote_match;
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

/// What a citation rests on whose bytes are here.
#[derive(Debug, Clone, Copy)]
pub struct Resting<'a> {
    /// The layer that its offsets count in; `None` where it is not here.
    pub cited: Option<&'a Layer>,
    /// The default layer of its bytes.
    pub default: &'a Layer,
    /// What the registry says.
    pub currency: Currency,
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
    /// A later revision replaced what it cites. Nobody has looked for the quote anywhere else.
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

    /// Whether the quote was looked for in the default layer of the same bytes: the alarms count drift out of these.
    #[must_use]
    pub const fn is_of_same_bytes(&self) -> bool {
        !matches!(self, Self::Superseded | Self::Unresolved(_))
    }

    /// Whether the quote match failed on the same bytes: what the alarms count. A superseded citation is none of these, whatever
    /// its quote does.
    #[must_use]
    pub const fn is_drift(&self) -> bool {
        matches!(self, Self::Drifted { .. } | Self::Ambiguous | Self::Lost)
    }
}

/// What the first four checks say of a citation. `None`: the check could not be made, because an earlier one failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Whether its bytes, its layer and its offsets are to be had.
    pub resolves: Result<(), Failure>,
    /// Whether its span lies in its layer.
    pub in_bounds: Option<bool>,
    /// Whether the quote stands where it is cited.
    pub quote_match: Option<bool>,
    /// What the registry says.
    pub currency: Currency,
    /// What follows.
    pub class: Class,
}

impl Outcome {
    /// The first check that a citation fails; nothing where all pass.
    #[must_use]
    pub fn first_failed(&self) -> Option<Check> {
        if self.resolves.is_err() {
            Some(Check::Resolves)
        } else if self.in_bounds == Some(false) {
            Some(Check::InBounds)
        } else if self.quote_match == Some(false) {
            Some(Check::QuoteMatch)
        } else if matches!(self.currency, Currency::Replaced | Currency::NotInForce) {
            Some(Check::Version)
        } else {
            None
        }
    }
}

/// What is said of a citation whose bytes are not to be had, or have no layer here.
#[must_use]
pub const fn unresolved(version: VersionState, currency: Currency) -> Outcome {
    nothing_to_look_at(
        match version {
            VersionState::Known => Failure::LayerUnknown,
            VersionState::Erased => Failure::Erased,
            VersionState::Unknown => Failure::BytesUnknown,
            VersionState::Corrupt => Failure::BytesCorrupt,
        },
        currency,
    )
}

const fn nothing_to_look_at(failure: Failure, currency: Currency) -> Outcome {
    Outcome {
        resolves: Err(failure),
        in_bounds: None,
        quote_match: None,
        currency,
        class: Class::Unresolved(failure),
    }
}

/// Checks a citation whose bytes are here. `index` is the fold of the default layer, asked for only where the quote does not stand where
/// it should and nothing replaced it.
#[must_use]
pub fn check<'a>(citation: &Citation, resting: &Resting<'_>, index: impl FnOnce() -> &'a LayerIndex) -> Outcome {
    let Some((start, end)) = citation.char_start.zip(citation.char_end) else {
        return nothing_to_look_at(Failure::NoOffsets, resting.currency);
    };
    let span = resting.cited.map(|layer| span_in(layer, start, end));
    let outcome = |quote_match, class| Outcome {
        resolves: resting.cited.map(|_| ()).ok_or(Failure::LayerUnknown),
        in_bounds: span.map(|span| span.is_some()),
        quote_match: Some(quote_match),
        currency: resting.currency,
        class,
    };
    if resting.currency == Currency::Replaced {
        // Where it was read, and nowhere else.
        let stands = span.flatten().zip(resting.cited).is_some_and(|(span, layer)| {
            layer
                .slice(span)
                .is_some_and(|text| quote_match(&citation.quote, &text).is_some())
        });
        return outcome(stands, Class::Superseded);
    }
    match carry(citation, resting.cited, resting.default, index) {
        Some(Carriage::Same) if resting.currency == Currency::Carried => outcome(true, Class::Carried),
        Some(Carriage::Same) => outcome(true, Class::Intact),
        Some(Carriage::Drifted { span, shift }) => outcome(false, Class::Drifted { span, shift }),
        Some(Carriage::Ambiguous) => outcome(false, Class::Ambiguous),
        Some(Carriage::Lost) | None => outcome(false, Class::Lost),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Head\nKeep for 5 years. Then shred.\nKeep for 7 years. Then burn.\n";

    fn checked(text: &str, quote: &str, start: i64, currency: Currency) -> Outcome {
        let layer = Layer::new(text).unwrap_or_else(|error| unreachable!("{error}"));
        let citation = Citation {
            char_start: Some(start),
            char_end: Some(start + i64::try_from(quote.chars().count()).unwrap_or(i64::MAX)),
            quote: quote.to_owned(),
            ..Citation::default()
        };
        let index = LayerIndex::new(&layer, &[]);
        let resting = Resting {
            cited: Some(&layer),
            default: &layer,
            currency,
        };
        check(&citation, &resting, || &index)
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
            // Nothing that was replaced is looked for, though it could be found.
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
            let outcome = checked(TEXT, quote, start, currency);
            assert_eq!(outcome.class, class, "{quote} at {start}, {currency:?}");
            assert_eq!(outcome.first_failed(), failed, "{quote} at {start}, {currency:?}");
        }
    }

    #[test]
    fn what_is_not_here_is_unresolved_and_no_drift() {
        for (version, failure) in [
            (VersionState::Known, Failure::LayerUnknown),
            (VersionState::Erased, Failure::Erased),
            (VersionState::Unknown, Failure::BytesUnknown),
            (VersionState::Corrupt, Failure::BytesCorrupt),
        ] {
            let outcome = unresolved(version, Currency::InForce);
            assert_eq!(outcome.class, Class::Unresolved(failure));
            assert_eq!(outcome.first_failed(), Some(Check::Resolves));
            assert!(!outcome.class.is_drift());
        }
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
            let outcome = checked(text, &text.replace(from, to), 0, Currency::InForce);
            let class = if stands { Class::Intact } else { Class::Lost };
            assert_eq!(outcome.class, class, "{from} as {to}");
        }
    }
}
