//! Under which reason an item waits, and what a reviewer may decide.
//!
//! Deliberately not here: the words that hide a reason from a reviewer (`record`, beside the reasons themselves).

use crate::record::ReviewReason;
use serde::{Deserialize, Serialize};

/// What a reviewer decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionKind {
    /// The candidate's value is true.
    Accept,
    /// Another value is true; the decision states it.
    Correct,
    /// The candidate is wrong; the true value is not established.
    Reject,
    /// True is that the document states no value.
    Abstain,
    /// An earlier decision is taken back; no value is stated.
    Undo,
}

impl DecisionKind {
    /// The word used in files and on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accept => "accept",
            Self::Correct => "correct",
            Self::Reject => "reject",
            Self::Abstain => "abstain",
            Self::Undo => "undo",
        }
    }

    /// Whether the decision says what the true value is (that there is none, counted).
    #[must_use]
    pub const fn states_the_truth(self) -> bool {
        matches!(self, Self::Accept | Self::Correct | Self::Abstain)
    }
}

/// The reason of an item to which all of these apply: the first by schema violation, conflicting, unverified citation, low
/// confidence, sample audit. `None` where none applies.
#[must_use]
pub fn first_reason(applying: &[ReviewReason]) -> Option<ReviewReason> {
    applying.iter().min().copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ReviewReason::{Conflicting, LowConfidence, SampleAudit, SchemaViolation, UnverifiedCitation};

    #[test]
    fn the_first_reason_that_applies_wins() {
        let order = [
            SchemaViolation,
            Conflicting,
            UnverifiedCitation,
            LowConfidence,
            SampleAudit,
        ];
        for start in 0..order.len() {
            let mut applying = order[start..].to_vec();
            applying.reverse();
            assert_eq!(first_reason(&applying), Some(order[start]));
        }
        assert_eq!(first_reason(&[]), None);
    }

    #[test]
    fn words_are_stable() {
        assert_eq!(
            serde_json::to_value(DecisionKind::Accept).unwrap_or_default(),
            DecisionKind::Accept.name()
        );
        assert!(!DecisionKind::Reject.states_the_truth() && DecisionKind::Abstain.states_the_truth());
    }
}
