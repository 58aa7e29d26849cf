//! What a label stands for: one over the probability with which its candidate came to be looked at.
//!
//! The reviewed sample is biased: everything of low confidence is in it, and of high confidence only what was drawn. A label
//! drawn at a share of 0.05 stands for twenty candidates (D. G. Horvitz, D. J. Thompson, "A Generalization of Sampling Without
//! Replacement From a Finite Universe", JASA 47, 1952).
//!
//! Deliberately not here: keeping the shares that were applied. The routing log has them, and weights are computed when
//! estimating, never stored.

use crate::record::ReviewReason;

/// Whether an item queued for this reason says something about confidence. Items queued for a fault of the record say nothing
/// and are shown apart.
#[must_use]
pub const fn feeds_curves(reason: ReviewReason) -> bool {
    matches!(reason, ReviewReason::LowConfidence | ReviewReason::SampleAudit)
}

/// The highest of the shares ever applied to a candidate. A candidate drawn at any share is drawn at every higher one, so the
/// highest is the probability of having been drawn at all. `None` where no share over 0 and at most 1 was applied.
#[must_use]
pub fn highest_share(applied: &[f64]) -> Option<f64> {
    applied
        .iter()
        .copied()
        .filter(|share| *share > 0.0 && *share <= 1.0)
        .reduce(f64::max)
}

/// The probability that the candidate came to be looked at: 1 for low confidence, the highest share applied for an audit.
/// `None` for reasons that feed no curve and for a share that can't be one.
#[must_use]
pub fn inclusion_probability(reason: ReviewReason, highest_share: Option<f64>) -> Option<f64> {
    match reason {
        ReviewReason::LowConfidence => Some(1.0),
        ReviewReason::SampleAudit => highest_share.filter(|share| *share > 0.0 && *share <= 1.0),
        ReviewReason::SchemaViolation | ReviewReason::Conflicting | ReviewReason::UnverifiedCitation => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_confidence_is_certain_and_an_audit_as_likely_as_its_highest_share() {
        assert_eq!(highest_share(&[0.05, 0.2, 0.1]), Some(0.2));
        assert_eq!(highest_share(&[0.0, f64::NAN, 2.0]), None);
        assert_eq!(inclusion_probability(ReviewReason::LowConfidence, None), Some(1.0));
        assert_eq!(inclusion_probability(ReviewReason::SampleAudit, Some(0.2)), Some(0.2));
        assert_eq!(inclusion_probability(ReviewReason::SampleAudit, None), None);
        assert_eq!(inclusion_probability(ReviewReason::SampleAudit, Some(0.0)), None);
        assert_eq!(inclusion_probability(ReviewReason::Conflicting, Some(0.2)), None);
        assert!(!feeds_curves(ReviewReason::SchemaViolation) && feeds_curves(ReviewReason::SampleAudit));
    }
}
