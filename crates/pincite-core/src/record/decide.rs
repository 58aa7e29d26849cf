//! The abstention rule: what may be shown of a record.
//!
//! The order is the rule. A confident record whose citation does not hold is worse than a hesitant one, so faults come
//! before confidence; and "not stated in the document" is an outcome of its own, never an empty value.
//!
//! Deliberately not here: measuring thresholds (`calibration`), drawing audits (`queue`). What was decided by a person is
//! not decided again here.

use super::validate::{FieldRecord, Status};
use serde::{Deserialize, Serialize};

/// Why a record waits for a person; in order of priority, the first that applies is the item's reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReviewReason {
    /// The record says something it may not say.
    SchemaViolation,
    /// Two passages disagree.
    Conflicting,
    /// A citation is not verified.
    UnverifiedCitation,
    /// The confidence is under the threshold, or there is none that applies.
    LowConfidence,
    /// Drawn from what would be shown, flagged or abstained on.
    SampleAudit,
}

impl ReviewReason {
    /// The word used in files and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::SchemaViolation => "schema_violation",
            Self::Conflicting => "conflicting",
            Self::UnverifiedCitation => "unverified_citation",
            Self::LowConfidence => "low_confidence",
            Self::SampleAudit => "sample_audit",
        }
    }

    /// The word a reviewer sees: low confidence and audits look the same, so that nothing is learned from the label.
    #[must_use]
    pub const fn blind_name(self) -> &'static str {
        match self {
            Self::LowConfidence | Self::SampleAudit => "check_value",
            other => other.name(),
        }
    }
}

/// What may be done with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Value and citation, plainly.
    Show,
    /// Value and citation with a "verify" badge.
    Flag,
    /// Queued for a person; not shown as a fact.
    Review(ReviewReason),
    /// Rendered as "not stated in the document".
    Abstain,
}

impl Outcome {
    /// The outcome without its reason: show, flag, review, abstain.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Show => "show",
            Self::Flag => "flag",
            Self::Review(_) => "review",
            Self::Abstain => "abstain",
        }
    }

    /// Why a person must look; `None` for the other outcomes.
    #[must_use]
    pub const fn reason(self) -> Option<ReviewReason> {
        match self {
            Self::Review(reason) => Some(reason),
            _ => None,
        }
    }
}

/// From which confidence on a field is shown, plainly or with a badge. `0 <= tau_flag <= tau_show <= 1` always holds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedThresholds")]
pub struct Thresholds {
    tau_show: f64,
    tau_flag: f64,
}

#[derive(Deserialize)]
struct UncheckedThresholds {
    tau_show: f64,
    tau_flag: f64,
}

/// Why two numbers are no thresholds.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum ThresholdsError {
    /// A number outside of 0 to 1, or NaN.
    #[error("{key} is {value}; write a number from 0 to 1")]
    OutOfRange {
        /// Which of the two.
        key: &'static str,
        /// What was given.
        value: f64,
    },
    /// The badge would need more confidence than plain showing.
    #[error("tau_flag {tau_flag} is over tau_show {tau_show}; a badge never needs more confidence than plain showing")]
    Swapped {
        /// As given.
        tau_show: f64,
        /// As given.
        tau_flag: f64,
    },
}

impl Thresholds {
    /// Thresholds of these confidences.
    ///
    /// # Errors
    /// [`ThresholdsError`] where one lies outside of 0 to 1 or `tau_flag` over `tau_show`.
    pub fn new(tau_show: f64, tau_flag: f64) -> Result<Self, ThresholdsError> {
        for (key, value) in [("tau_show", tau_show), ("tau_flag", tau_flag)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(ThresholdsError::OutOfRange { key, value });
            }
        }
        if tau_flag > tau_show {
            return Err(ThresholdsError::Swapped { tau_show, tau_flag });
        }
        Ok(Self { tau_show, tau_flag })
    }

    /// The least confidence that is shown plainly.
    #[must_use]
    pub const fn tau_show(self) -> f64 {
        self.tau_show
    }

    /// The least confidence that is shown with a badge.
    #[must_use]
    pub const fn tau_flag(self) -> f64 {
        self.tau_flag
    }
}

impl TryFrom<UncheckedThresholds> for Thresholds {
    type Error = ThresholdsError;

    fn try_from(unchecked: UncheckedThresholds) -> Result<Self, ThresholdsError> {
        Self::new(unchecked.tau_show, unchecked.tau_flag)
    }
}

/// What is known of a field's thresholds for the record's model and prompt version.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ThresholdState {
    /// The field has none.
    None,
    /// Measured on the record's own model and prompt version.
    Fresh(Thresholds),
    /// Measured on another model or prompt version.
    Stale(Thresholds),
}

/// What may be done with a record, in exactly this order: schema violation, conflicting, unverified citation, absent,
/// shown, shown with a badge, low confidence.
///
/// `all_verified` is true where every citation of the record is `verified`, so for a record without any too. `hard` is the
/// catalogue's word for the field. Under stale thresholds nothing is shown plainly: hard fields are reviewed, others get
/// the badge from `tau_flag` on.
#[must_use]
pub fn decide(
    record: &FieldRecord,
    has_violation: bool,
    all_verified: bool,
    hard: bool,
    thresholds: &ThresholdState,
) -> Outcome {
    let confidence = match record.confidence.valid() {
        Some(confidence) if !has_violation => confidence,
        _ => return Outcome::Review(ReviewReason::SchemaViolation),
    };
    if record.status == Status::Conflicting {
        return Outcome::Review(ReviewReason::Conflicting);
    }
    if !all_verified {
        return Outcome::Review(ReviewReason::UnverifiedCitation);
    }
    if record.status == Status::Absent {
        return Outcome::Abstain;
    }
    match *thresholds {
        ThresholdState::Fresh(taus) if confidence >= taus.tau_show => Outcome::Show,
        ThresholdState::Fresh(taus) if confidence >= taus.tau_flag => Outcome::Flag,
        ThresholdState::Stale(taus) if !hard && confidence >= taus.tau_flag => Outcome::Flag,
        _ => Outcome::Review(ReviewReason::LowConfidence),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn record(status: &str, confidence: f64) -> FieldRecord {
        let value = json!({
            "doc_id": "d", "doc_sha256": "h", "field": "f", "status": status, "confidence": confidence,
            "extractor": {"model": "m", "prompt_version": "p"}
        });
        FieldRecord::try_from(value).unwrap_or_else(|error| unreachable!("{error}"))
    }

    fn taus(show: f64, flag: f64) -> Thresholds {
        Thresholds::new(show, flag).unwrap_or_else(|error| unreachable!("{error}"))
    }

    const SCHEMA: Outcome = Outcome::Review(ReviewReason::SchemaViolation);
    const CONFLICT: Outcome = Outcome::Review(ReviewReason::Conflicting);
    const CITATION: Outcome = Outcome::Review(ReviewReason::UnverifiedCitation);
    const LOW: Outcome = Outcome::Review(ReviewReason::LowConfidence);

    #[test]
    fn the_order_is_the_rule() {
        let fresh = ThresholdState::Fresh(taus(0.9, 0.8));
        for (status, confidence, violation, verified, expected) in [
            ("conflicting", 1.0, true, false, SCHEMA),
            ("present", 1.0, true, true, SCHEMA),
            ("absent", 1.0, true, true, SCHEMA),
            ("present", 2.0, false, true, SCHEMA),
            ("conflicting", 1.0, false, false, CONFLICT),
            ("conflicting", 1.0, false, true, CONFLICT),
            ("present", 1.0, false, false, CITATION),
            ("absent", 1.0, false, false, CITATION),
            ("absent", 0.0, false, true, Outcome::Abstain),
            ("present", 0.9, false, true, Outcome::Show),
            ("present", 0.899, false, true, Outcome::Flag),
            ("present", 0.8, false, true, Outcome::Flag),
            ("present", 0.799, false, true, LOW),
        ] {
            for hard in [false, true] {
                let found = decide(&record(status, confidence), violation, verified, hard, &fresh);
                assert_eq!(found, expected, "{status} {confidence} {violation} {verified}");
            }
        }
    }

    #[test]
    fn without_thresholds_everything_present_is_reviewed_and_stale_ones_show_nothing_plainly() {
        let stale = ThresholdState::Stale(taus(0.9, 0.8));
        for (state, hard, confidence, expected) in [
            (ThresholdState::None, false, 1.0, LOW),
            (ThresholdState::None, true, 1.0, LOW),
            (stale, true, 1.0, LOW),
            (stale, false, 1.0, Outcome::Flag),
            (stale, false, 0.8, Outcome::Flag),
            (stale, false, 0.79, LOW),
        ] {
            assert_eq!(
                decide(&record("present", confidence), false, true, hard, &state),
                expected
            );
            assert_eq!(
                decide(&record("absent", confidence), false, true, hard, &state),
                Outcome::Abstain
            );
        }
    }

    #[test]
    fn thresholds_hold_their_order() {
        assert!(Thresholds::new(0.8, 0.8).is_ok());
        assert_eq!(
            Thresholds::new(0.8, 0.9),
            Err(ThresholdsError::Swapped {
                tau_show: 0.8,
                tau_flag: 0.9
            })
        );
        assert!(matches!(
            Thresholds::new(1.1, 0.9),
            Err(ThresholdsError::OutOfRange { key: "tau_show", .. })
        ));
        assert!(matches!(
            Thresholds::new(0.9, f64::NAN),
            Err(ThresholdsError::OutOfRange { key: "tau_flag", .. })
        ));
        assert!(serde_json::from_str::<Thresholds>("{\"tau_show\":0.5,\"tau_flag\":0.6}").is_err());
    }

    #[test]
    fn words_are_stable() {
        assert_eq!(serde_json::to_value(Outcome::Show).unwrap_or_default(), json!("show"));
        assert_eq!(
            serde_json::to_value(LOW).unwrap_or_default(),
            json!({"review": "low_confidence"})
        );
        assert_eq!(LOW.reason().map(ReviewReason::blind_name), Some("check_value"));
        assert_eq!(
            CITATION.reason().map(ReviewReason::blind_name),
            Some("unverified_citation")
        );
        assert_eq!(Outcome::Abstain.name(), "abstain");
    }
}
