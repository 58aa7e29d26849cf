//! Enter before you see: of which items a reviewer states the value before the candidate is shown.
//!
//! A share of each field's "check value" items, low confidence and audits alike: whoever opens one can't tell which it is.
//! Items queued for a fault of the record are never among them, since the fault has to be seen. The number comes from the
//! version and the field only, so that another candidate or another reviewer gives no second chance.
//!
//! Deliberately not here: what the reviewer is shown meanwhile, and what was entered.

use super::audit_draw::is_drawn;
use super::seeded::seeded_number;
use crate::calibration::feeds_curves;
use crate::record::ReviewReason;

/// Names the draw's way of hashing.
const LABEL: &str = "pincite enter before seeing 1";

/// The item's own number for this draw, in [0, 1): `version` is the SHA-256 name of the document's bytes. Made like the
/// audit's draw, from the parts `version` and `field` under the label `pincite enter before seeing 1`.
#[must_use]
pub fn enter_first_draw(version: &str, field: &str) -> f64 {
    seeded_number(LABEL, &[version, field])
}

/// Whether an item's value is entered before its candidate is seen, at this share (0 to 1) of its field.
#[must_use]
pub fn is_entered_first(reason: ReviewReason, version: &str, field: &str, share: f64) -> bool {
    feeds_curves(reason) && is_drawn(enter_first_draw(version, field), share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queue::draw;
    use proptest::prelude::*;
    use serde_json::Value;

    #[test]
    fn draws_are_the_same_for_ever() {
        for (number, expected) in [
            (enter_first_draw("3f9c", "turnover"), 0.36400722357105464),
            (enter_first_draw("", ""), 0.48115008819442895),
        ] {
            assert!((number - expected).abs() < f64::EPSILON, "{number:.17} {expected:.17}");
        }
    }

    #[test]
    fn only_check_value_items_are_entered_first_and_both_kinds_alike() {
        use ReviewReason::{Conflicting, LowConfidence, SampleAudit, SchemaViolation, UnverifiedCitation};
        for reason in [SchemaViolation, Conflicting, UnverifiedCitation] {
            assert!(!is_entered_first(reason, "v", "f", 1.0), "{reason:?}");
        }
        for number in 0..200 {
            let field = format!("field {number}");
            assert_eq!(
                is_entered_first(LowConfidence, "v", &field, 0.3),
                is_entered_first(SampleAudit, "v", &field, 0.3)
            );
        }
    }

    #[test]
    fn it_says_nothing_about_the_audit() {
        // Of what the audit draws at one in two, half is entered first: 500 of about 1000; five standard deviations are 80.
        let field = |number: u32| format!("field {number}");
        let audited = |number: &u32| is_drawn(draw("v", &field(*number), &Value::Null, "", ""), 0.5);
        let both = (0..2_000)
            .filter(audited)
            .filter(|number| is_drawn(enter_first_draw("v", &field(*number)), 0.5))
            .count();
        assert!((420..=580).contains(&both), "{both}");
    }

    proptest! {
        #[test]
        fn a_raised_share_contains_the_lower_one(field in ".{0,12}", low in 0.0..1.0_f64, more in 0.0..1.0_f64) {
            let at = |share: f64| is_entered_first(ReviewReason::SampleAudit, "v", &field, share);
            prop_assert!((0.0..1.0).contains(&enter_first_draw("v", &field)));
            prop_assert!(!at(low) || at((low + more).min(1.0)));
            prop_assert!(at(1.0) && !at(0.0));
        }
    }
}
