//! When a rate of drift is an alarm.
//!
//! What is counted is the quote match that failed on the same bytes, out of the citations whose quote was looked for there. Documents
//! that are revised make superseded citations every day, and those are in neither number: one limit over both would ring at every
//! revision, and people would learn to look away.
//!
//! Each limit needs a number of citations before it can ring: three over the limit (the rule of three: of fewer, none at all would not
//! rule that rate out with 95 % confidence), so that one in fifty is no alarm.
//!
//! Deliberately not here: what a window is, which documents are a family, and who hears of it.

use crate::calibration::clopper_pearson;
use crate::registry::OutOf;

/// The baseline that an archive nothing happened to has.
const USUAL: f64 = 0.003;

/// What the rate is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AlarmKind {
    /// Everything that was checked as it came, in fifteen minutes: over 2 %.
    Inline,
    /// A sweep after documents were read anew: over 1 %.
    AfterReindex,
    /// Any other sweep: surely over 0.3 %, which single bad citations make up by themselves.
    Baseline,
}

/// A rate that is too high.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Alarm {
    /// What the rate is of.
    pub kind: AlarmKind,
    /// What was counted.
    pub counted: OutOf,
    /// The share.
    pub share: f64,
    /// The share that it passed.
    pub limit: f64,
}

impl AlarmKind {
    /// How long the inline window is, in milliseconds.
    pub const WINDOW: i64 = 15 * 60 * 1000;

    /// The stable word for it.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Inline => "inline",
            Self::AfterReindex => "after_reindex",
            Self::Baseline => "baseline",
        }
    }

    /// The share over which it rings.
    #[must_use]
    pub const fn limit(self) -> f64 {
        match self {
            Self::Inline => 0.02,
            Self::AfterReindex => 0.01,
            Self::Baseline => USUAL,
        }
    }

    /// Of how many citations at least.
    #[must_use]
    pub const fn least(self) -> u64 {
        match self {
            Self::Inline => 150,
            Self::AfterReindex => 300,
            Self::Baseline => 1000,
        }
    }

    /// Whether the share of `counted` is an alarm. The baseline is an average and no limit, so it rings only where chance alone
    /// would pass it once in a thousand sweeps (the exact lower bound).
    #[must_use]
    pub fn alarm(self, counted: OutOf) -> Option<Alarm> {
        let share = counted.share().filter(|_| counted.of >= self.least())?;
        let over = match self {
            Self::Inline | Self::AfterReindex => share > self.limit(),
            Self::Baseline => lower_bound(counted) > self.limit(),
        };
        over.then_some(Alarm {
            kind: self,
            counted,
            share,
            limit: self.limit(),
        })
    }
}

/// The exact lower bound of a share that chance alone passes once in a thousand.
#[expect(clippy::cast_precision_loss, reason = "counts of citations stay far below 2^53")]
fn lower_bound(counted: OutOf) -> f64 {
    clopper_pearson(counted.found as f64, counted.of as f64, 0.998).map_or(0.0, |interval| interval.low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_rings_above_its_limit_and_not_on_a_few() {
        use AlarmKind::{AfterReindex, Baseline, Inline};
        for (kind, found, of, rings) in [
            (Inline, 1, 50, false),
            (Inline, 50, 50, false),
            (Inline, 3, 150, false),
            (Inline, 4, 150, true),
            (Inline, 0, 0, false),
            (AfterReindex, 10, 1000, false),
            (AfterReindex, 11, 1000, true),
            (AfterReindex, 299, 299, false),
            (Baseline, 3, 1000, false),
            (Baseline, 6, 1000, false),
            (Baseline, 12, 1000, true),
            (Baseline, 540, 180_000, false),
            (Baseline, 700, 180_000, true),
        ] {
            assert_eq!(
                kind.alarm(OutOf { found, of }).is_some(),
                rings,
                "{kind:?} {found} of {of}"
            );
        }
    }
}
