//! The second review: which decisions another person reviews too, and whether the two say the same.
//!
//! Drawn are decisions on "check value" items, hard fields and others at one share. Items queued for a fault of the record are
//! not: the fault is on the screen, so two people who see it are hardly independent, and their labels feed no curve. The
//! number comes from the version and the field only: a decision that is taken back and made again gets no second chance.
//!
//! Deliberately not here: who the second reviewer is, and what happens where the two differ.

use super::audit_draw::is_drawn;
use super::seeded::seeded_number;
use crate::calibration::feeds_curves;
use crate::record::{FieldDefinition, ReviewReason, equal};
use serde_json::Value;

/// Names the draw's way of hashing.
const LABEL: &str = "pincite second review 1";

/// The share of decisions that are reviewed a second time where nothing else was set.
pub const SECOND_REVIEW_SHARE: f64 = 0.05;

/// The item's own number for this draw, in [0, 1): `version` is the SHA-256 name of the document's bytes. Made like the
/// audit's draw, from the parts `version` and `field` under the label `pincite second review 1`.
#[must_use]
pub fn second_review_draw(version: &str, field: &str) -> f64 {
    seeded_number(LABEL, &[version, field])
}

/// Whether a decision on an item is reviewed a second time at this share (0 to 1).
#[must_use]
pub fn is_reviewed_twice(reason: ReviewReason, version: &str, field: &str, share: f64) -> bool {
    feeds_curves(reason) && is_drawn(second_review_draw(version, field), share)
}

/// What a reviewer says of the true value.
#[derive(Debug, Clone, PartialEq)]
pub enum Stated {
    /// It is this one.
    Value(Value),
    /// The document states none.
    NotStated,
    /// The candidate is wrong; the true value is not established.
    Rejected,
}

/// Whether two reviewers of one candidate say the same: equal values by the field's typed equality (by JSON where no
/// catalogue knows the field), both "not stated", or both that the candidate is wrong. A rejection and a value are not the
/// same, though both may be so: one of them established what is true.
#[must_use]
pub fn says_the_same(field: Option<&FieldDefinition>, one: &Stated, other: &Stated) -> bool {
    match (one, other) {
        (Stated::Value(one), Stated::Value(other)) => {
            field.map_or_else(|| one == other, |field| equal(field, one, other))
        }
        (Stated::NotStated, Stated::NotStated) | (Stated::Rejected, Stated::Rejected) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::enter_first_draw;
    use crate::record::Catalogue;
    use proptest::prelude::*;
    use serde_json::json;

    /// Computed apart from this code, by `hashlib` and `struct` in Python.
    #[test]
    fn draws_are_the_same_for_ever() {
        for (number, expected) in [
            (second_review_draw("3f9c", "turnover"), 0.3127739327855502),
            (second_review_draw("", ""), 0.31700810229835963),
        ] {
            assert!((number - expected).abs() < f64::EPSILON, "{number:.17} {expected:.17}");
        }
    }

    #[test]
    fn faults_are_not_reviewed_twice_and_the_draw_is_one_of_its_own() {
        assert!(!is_reviewed_twice(ReviewReason::Conflicting, "v", "f", 1.0));
        assert!(is_reviewed_twice(ReviewReason::SampleAudit, "v", "f", 1.0));
        let both = (0..2_000)
            .map(|number| format!("field {number}"))
            .filter(|field| {
                is_drawn(enter_first_draw("v", field), 0.5) && is_drawn(second_review_draw("v", field), 0.5)
            })
            .count();
        // A quarter of 2000; five standard deviations are 97.
        assert!((403..=597).contains(&both), "{both}");
    }

    #[test]
    fn two_reviewers_are_held_against_each_other_by_typed_equality() {
        let catalogue = Catalogue::parse("[field.sum]\ntype = \"money\"\nunit = \"EUR\"\n").unwrap_or_default();
        let field = catalogue.get("sum");
        let (written, read) = (
            Stated::Value(json!("450.000,00 €")),
            Stated::Value(json!({"amount": 450_000, "currency": "EUR"})),
        );
        assert!(field.is_some() && says_the_same(field, &written, &read) && !says_the_same(None, &written, &read));
        assert!(says_the_same(field, &Stated::NotStated, &Stated::NotStated));
        assert!(says_the_same(field, &Stated::Rejected, &Stated::Rejected));
        for other in [
            &Stated::NotStated,
            &Stated::Rejected,
            &Stated::Value(json!("450.000,01 €")),
        ] {
            assert!(
                !says_the_same(field, &read, other) && !says_the_same(field, other, &read),
                "{other:?}"
            );
        }
        assert!(!says_the_same(field, &Stated::NotStated, &Stated::Rejected));
    }

    proptest! {
        #[test]
        fn a_raised_share_contains_the_lower_one(field in ".{0,12}", low in 0.0..1.0_f64, more in 0.0..1.0_f64) {
            let at = |share: f64| is_reviewed_twice(ReviewReason::LowConfidence, "v", &field, share);
            prop_assert!(!at(low) || at((low + more).min(1.0)));
            prop_assert!(at(1.0) && !at(0.0));
        }
    }
}
