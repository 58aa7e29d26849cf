//! The sample audit's draw: a number in [0, 1) that depends on what was extracted and by whom, and on nothing else.
//!
//! A record is drawn when its number is below its stratum's share. The number comes from a hash of the version, field, value,
//! model and prompt version, never of the run or the clock. So anyone can draw again, extracting twice gives no second
//! chance, and a raised share contains the lower one.
//!
//! Deliberately not here: a random generator.

use super::seeded::seeded_number;
use crate::record::Outcome;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Names the draw's way of hashing. Another way is another label, so that old draws can always be made again.
const LABEL: &str = "pincite audit draw 1";

/// The record's own number, in [0, 1), the same on every machine.
///
/// The seeded number of the parts `version`, `field`, value as canonical JSON, `model`, `prompt_version` under the label
/// above: SHA-256 over the label and the parts, each led by its length in bytes as eight bytes, highest first, of which the
/// first 53 bits are the number's binary places. `version` is the SHA-256 name of the document's bytes.
#[must_use]
pub fn draw(version: &str, field: &str, candidate_value: &Value, model: &str, prompt_version: &str) -> f64 {
    let value = canonical_json(candidate_value);
    seeded_number(LABEL, &[version, field, &value, model, prompt_version])
}

/// Whether a record with this number is drawn at this share (0 to 1).
#[must_use]
pub fn is_drawn(number: f64, share: f64) -> bool {
    number < share
}

/// JSON without white space, members sorted by key (by code point), numbers and strings as `serde_json` writes them: one text
/// for each JSON value, whatever the order it was written in.
#[must_use]
pub fn canonical_json(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(canonical_json).collect::<Vec<_>>().join(",")),
        Value::Object(members) => {
            let mut members: Vec<(&String, &Value)> = members.iter().collect();
            members.sort_by_key(|(key, _)| *key);
            let members: Vec<String> = members
                .into_iter()
                .map(|(key, member)| format!("{}:{}", Value::String(key.clone()), canonical_json(member)))
                .collect();
            format!("{{{}}}", members.join(","))
        }
        other => other.to_string(),
    }
}

/// What a record would be without an audit; each is sampled at its own share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stratum {
    /// It would be shown plainly.
    Show,
    /// It would be shown with a badge.
    Flag,
    /// It would read "not stated in the document".
    Abstain,
}

impl Stratum {
    /// The stratum of an outcome; `None` for one that a person sees anyway.
    #[must_use]
    pub const fn of(outcome: Outcome) -> Option<Self> {
        match outcome {
            Outcome::Show => Some(Self::Show),
            Outcome::Flag => Some(Self::Flag),
            Outcome::Abstain => Some(Self::Abstain),
            Outcome::Review(_) => None,
        }
    }
}

/// The share of each stratum that is drawn. Each is over 0 and at most 1: what is never looked at is never measured.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedShares")]
pub struct AuditShares {
    show: f64,
    flag: f64,
    abstain: f64,
}

#[derive(Deserialize)]
struct UncheckedShares {
    show: f64,
    flag: f64,
    abstain: f64,
}

/// A share that can't be drawn at.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("the audit share `{stratum}` is {share}; write a share over 0 and at most 1")]
pub struct AuditSharesError {
    /// Which share: show, flag or abstain.
    pub stratum: &'static str,
    /// As given.
    pub share: f64,
}

impl AuditShares {
    /// Shares of what would be shown, flagged and abstained on.
    ///
    /// # Errors
    /// [`AuditSharesError`] for the first that is not over 0 and at most 1.
    pub fn new(show: f64, flag: f64, abstain: f64) -> Result<Self, AuditSharesError> {
        for (stratum, share) in [("show", show), ("flag", flag), ("abstain", abstain)] {
            if !(share > 0.0 && share <= 1.0) {
                return Err(AuditSharesError { stratum, share });
            }
        }
        Ok(Self { show, flag, abstain })
    }

    /// The share of a stratum.
    #[must_use]
    pub const fn of(&self, stratum: Stratum) -> f64 {
        match stratum {
            Stratum::Show => self.show,
            Stratum::Flag => self.flag,
            Stratum::Abstain => self.abstain,
        }
    }
}

impl Default for AuditShares {
    /// One in twenty of each.
    fn default() -> Self {
        Self {
            show: 0.05,
            flag: 0.05,
            abstain: 0.05,
        }
    }
}

impl TryFrom<UncheckedShares> for AuditShares {
    type Error = AuditSharesError;

    fn try_from(unchecked: UncheckedShares) -> Result<Self, AuditSharesError> {
        Self::new(unchecked.show, unchecked.flag, unchecked.abstain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::ReviewReason;
    use proptest::prelude::*;
    use serde_json::json;

    /// Computed apart from this code, by `hashlib` and `struct` in Python.
    #[test]
    fn draws_are_the_same_for_ever() {
        let value = json!({"currency": "EUR", "amount": 450_000});
        for (number, expected) in [
            (
                draw("3f9c", "turnover", &value, "model-a", "ext-3.4"),
                0.4011524349569143,
            ),
            (
                draw("3f9c", "turnover", &json!("450.000,00 €"), "model-a", "ext-3.4"),
                0.3166266793637037,
            ),
            (draw("", "", &Value::Null, "", ""), 0.8078834089604946),
        ] {
            assert!((number - expected).abs() < f64::EPSILON, "{number:.17} {expected:.17}");
        }
    }

    #[test]
    fn each_part_counts_and_parts_do_not_run_together() {
        let base = draw("ab", "c", &json!(1), "m", "p");
        for other in [
            draw("a", "bc", &json!(1), "m", "p"),
            draw("ab", "c", &json!(2), "m", "p"),
            draw("ab", "c", &json!("1"), "m", "p"),
            draw("ab", "c", &json!(1), "mp", ""),
        ] {
            assert!((base - other).abs() > f64::EPSILON);
        }
    }

    #[test]
    fn key_order_and_white_space_do_not_count() {
        let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
        let one = parse("{\"b\": [1, {\"y\": 1, \"x\": null}], \"a\": \"é\\n\"}");
        let other = parse("{\"a\":\"é\\n\",\"b\":[1,{\"x\":null,\"y\":1}]}");
        assert_eq!(canonical_json(&one), canonical_json(&other));
        assert_eq!(canonical_json(&one), "{\"a\":\"é\\n\",\"b\":[1,{\"x\":null,\"y\":1}]}");
    }

    #[test]
    fn shares_are_over_zero() {
        for (show, flag, abstain) in [(0.0, 0.5, 0.5), (0.5, 1.1, 0.5), (0.5, 0.5, f64::NAN), (0.5, 0.5, -0.1)] {
            assert!(AuditShares::new(show, flag, abstain).is_err());
        }
        let shares = AuditShares::new(1.0, 0.5, 0.25).unwrap_or_default();
        assert!((shares.of(Stratum::Abstain) - 0.25).abs() < f64::EPSILON);
        assert_eq!(Stratum::of(Outcome::Review(ReviewReason::LowConfidence)), None);
        assert_eq!(Stratum::of(Outcome::Flag), Some(Stratum::Flag));
        assert!(serde_json::from_str::<AuditShares>("{\"show\":0,\"flag\":0.1,\"abstain\":0.1}").is_err());
    }

    #[test]
    fn draws_are_spread_evenly() {
        let drawn = (0..20_000)
            .filter(|index| is_drawn(draw("v", "f", &json!(index), "m", "p"), 0.05))
            .count();
        // 1000 expected; five standard deviations are 154.
        assert!((846..=1154).contains(&drawn), "{drawn}");
    }

    proptest! {
        #[test]
        fn a_raised_share_contains_the_lower_one(field in ".{0,12}", value in any::<i64>(), low in 0.0..1.0_f64, more in 0.0..1.0_f64) {
            let number = draw("v", &field, &json!(value), "m", "p");
            prop_assert!((0.0..1.0).contains(&number));
            prop_assert!(!is_drawn(number, low) || is_drawn(number, (low + more).min(1.0)));
            prop_assert!(is_drawn(number, 1.0) && !is_drawn(number, 0.0));
        }
    }
}
