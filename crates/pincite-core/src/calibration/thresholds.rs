//! From which confidence on the measured error is low enough to show.
//!
//! The grid is fixed beforehand and walked from the top down: it starts where there are labels enough for any answer, which is
//! decided on counts alone, never on outcomes, and stops at the first confidence whose error can't be shown to be below
//! `max_error`. Walked so, every step may use the whole `1 - level`: a later step is only reached when all before it passed.
//!
//! This is the first, simple version of the test: Clopper and Pearson's upper bound on the effective count. It holds for one
//! look. Deliberately not here yet: the test that stays valid however often one looks (a betting e-process on weighted errors,
//! Waudby-Smith and Ramdas). Until it is there, a threshold should be asked for rarely and not after every decision.

use super::bins::{Label, Sums};
use super::interval::clopper_pearson_upper;

/// The level at which a bound holds where nothing else is said.
pub const LEVEL: f64 = 0.95;

/// Beyond this many labels "more labels" is no answer.
const MOST_LABELS: f64 = 10_000_000.0;

/// What the labels allow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Suggestion {
    /// The least confidence from which the field may be shown; `None` where there is none yet.
    pub tau: Option<f64>,
    /// The upper bound of the error among everything at or above `tau`, or, without one, at the confidence that failed. `None`
    /// where the walk could not start.
    pub error_upper: Option<f64>,
    /// Without a `tau`: about how many more labels at the top would give one if the errors stay as rare as they are. `None` with a
    /// `tau`, and where the error seen is not below `max_error`, so that more labels of the same would not help.
    pub labels_needed: Option<u64>,
}

/// The confidences 0.99, 0.98 to 0.50: where a threshold is looked for.
#[must_use]
pub fn default_grid() -> Vec<f64> {
    (50..=99_u32)
        .rev()
        .map(|hundredths| f64::from(hundredths) / 100.0)
        .collect()
}

/// The upper bound, at `level`, of the error among everything whose confidence is at least `tau`. `None` without labels there.
#[must_use]
pub fn error_upper_bound(labels: &[Label], tau: f64, level: f64) -> Option<f64> {
    bound(&sums_from(labels, tau), level)
}

fn sums_from(labels: &[Label], tau: f64) -> Sums {
    Sums::of(labels.iter().filter(|label| label.confidence >= tau))
}

fn bound(sums: &Sums, level: f64) -> Option<f64> {
    clopper_pearson_upper(error(sums)? * sums.effective(), sums.effective(), level)
}

fn error(sums: &Sums) -> Option<f64> {
    sums.mean(sums.weight - sums.right).map(|error| error.max(0.0))
}

/// The least number of labels, all right, whose bound reaches `max_error`: (1 - max_error)^n = 1 - level.
fn least_count(max_error: f64, level: f64) -> f64 {
    (1.0 - level).ln() / (-max_error).ln_1p()
}

/// The least confidence of `grid` from which the error is below `max_error` at `level`, walking down and stopping at the first
/// that fails. `grid` may be in any order; `max_error` and `level` are over 0 and below 1.
#[must_use]
pub fn suggest(labels: &[Label], grid: &[f64], max_error: f64, level: f64) -> Suggestion {
    let mut grid: Vec<f64> = grid.iter().copied().filter(|tau| (0.0..=1.0).contains(tau)).collect();
    grid.sort_by(|left, right| right.total_cmp(left));
    let needed = least_count(max_error, level);
    let mut passed: Option<(f64, f64)> = None;
    let mut reached = Sums::default();
    for tau in grid {
        let sums = sums_from(labels, tau);
        reached = sums;
        // Equal weights give a whole number but for rounding.
        if passed.is_none() && sums.effective() + 1e-9 < needed {
            continue;
        }
        match bound(&sums, level) {
            Some(upper) if upper <= max_error => passed = Some((tau, upper)),
            failed if passed.is_none() => {
                let labels_needed = error(&sums)
                    .and_then(|error| count_for(error, max_error, level))
                    .map(|count| more_labels(&sums, count));
                return Suggestion {
                    tau: None,
                    error_upper: failed,
                    labels_needed,
                };
            }
            _ => break,
        }
    }
    match passed {
        Some((tau, upper)) => Suggestion {
            tau: Some(tau),
            error_upper: Some(upper),
            labels_needed: None,
        },
        None => {
            let possible = needed.is_finite() && needed <= MOST_LABELS;
            let labels_needed = possible.then(|| more_labels(&reached, needed));
            Suggestion {
                tau: None,
                error_upper: None,
                labels_needed,
            }
        }
    }
}

/// How many effective labels with this share of errors have a bound of at most `max_error`; `None` where no number has.
fn count_for(error: f64, max_error: f64, level: f64) -> Option<f64> {
    let enough =
        |count: f64| clopper_pearson_upper(error * count, count, level).is_some_and(|upper| upper <= max_error);
    if error >= max_error {
        return None;
    }
    let mut high = 1.0;
    while !enough(high) {
        high *= 2.0;
        if high > MOST_LABELS {
            return None;
        }
    }
    let mut low = high / 2.0;
    while high - low > 0.5 {
        let middle = f64::midpoint(low, high);
        if enough(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

/// How many labels more make this effective count, each worth what those so far are worth. At least 1.
fn more_labels(sums: &Sums, count: f64) -> u64 {
    let missing = count - sums.effective();
    #[expect(clippy::cast_precision_loss, reason = "a count of labels is far below 2^53")]
    let worth = if sums.count > 0 {
        sums.count as f64 / sums.effective()
    } else {
        1.0
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 1 and a bounded count"
    )]
    let more = (missing * worth - 1e-6).ceil().clamp(1.0, 1e15) as u64;
    more
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn labels(confidence: f64, right: usize, wrong: usize, weight: f64) -> Vec<Label> {
        let label = |right| Label {
            confidence,
            right,
            weight,
        };
        let mut labels = vec![label(true); right];
        labels.extend(vec![label(false); wrong]);
        labels
    }

    fn near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-9)
    }

    #[test]
    fn the_bound_has_its_known_values() {
        // Without an error 1 - 0.05^(1/n); 1 of 20 by halving exact binomial sums.
        assert!(near(
            error_upper_bound(&labels(0.97, 100, 0, 1.0), 0.9, 0.95),
            1.0 - 0.05_f64.powf(0.01)
        ));
        assert!(near(
            error_upper_bound(&labels(0.97, 19, 1, 20.0), 0.9, 0.95),
            0.216_106_164_206_847
        ));
        assert_eq!(error_upper_bound(&labels(0.5, 100, 0, 1.0), 0.9, 0.95), None);
        assert!(near(error_upper_bound(&labels(0.97, 0, 5, 1.0), 0.9, 0.95), 1.0));
    }

    #[test]
    fn the_walk_goes_down_and_stops_at_the_first_failure() {
        let grid = [0.95, 0.90, 0.80, 0.70];
        let mut all = labels(0.96, 200, 0, 1.0);
        all.extend(labels(0.91, 100, 1, 1.0));
        all.extend(labels(0.85, 60, 40, 1.0));
        // Far down all is right again: the walk has stopped before.
        all.extend(labels(0.72, 100_000, 0, 1.0));
        let found = suggest(&all, &grid, 0.02, 0.95);
        assert_eq!((found.tau, found.labels_needed), (Some(0.90), None));
        assert!(
            found
                .error_upper
                .is_some_and(|upper| upper <= 0.02 && upper > 1.0 / 301.0)
        );
        // The start is passed over where there are too few labels, whatever they say.
        let mut few_at_top = labels(0.96, 5, 5, 1.0);
        few_at_top.extend(labels(0.91, 2_000, 0, 1.0));
        assert_eq!(suggest(&few_at_top, &grid, 0.02, 0.95).tau, Some(0.70));
    }

    #[test]
    fn none_yet_says_how_many_more() {
        let grid = default_grid();
        // 0.98^n = 0.05 at n = 148.3.
        assert_eq!(
            suggest(&[], &grid, 0.02, 0.95),
            Suggestion {
                tau: None,
                error_upper: None,
                labels_needed: Some(149)
            }
        );
        assert_eq!(
            suggest(&labels(0.97, 100, 0, 20.0), &grid, 0.02, 0.95).labels_needed,
            Some(49)
        );
        let almost = suggest(&labels(0.97, 199, 1, 1.0), &grid, 0.02, 0.95);
        assert_eq!(almost.tau, None);
        assert!(almost.error_upper.is_some_and(|upper| upper > 0.02));
        let needed = almost.labels_needed.unwrap_or(0);
        assert!((20..200).contains(&needed), "{needed}");
        let hopeless = suggest(&labels(0.97, 150, 50, 1.0), &grid, 0.02, 0.95);
        assert_eq!((hopeless.tau, hopeless.labels_needed), (None, None));
        assert!(suggest(&labels(0.97, 149, 0, 1.0), &grid, 0.02, 0.95).tau.is_some());
    }

    #[test]
    fn the_grid_is_fixed() {
        let grid = default_grid();
        assert_eq!((grid.len(), grid.first(), grid.last()), (50, Some(&0.99), Some(&0.50)));
    }

    proptest! {
        #[test]
        fn what_is_suggested_keeps_its_promise(top in 0_usize..400, wrong in 0_usize..20, middle in 0_usize..400, more_wrong in 0_usize..60) {
            let mut all = labels(0.97, top, wrong, 20.0);
            all.extend(labels(0.8, middle, more_wrong, 1.0));
            let found = suggest(&all, &default_grid(), 0.05, 0.95);
            if let Some(tau) = found.tau {
                prop_assert_eq!(error_upper_bound(&all, tau, 0.95), found.error_upper);
                prop_assert!(found.error_upper.is_some_and(|upper| upper <= 0.05));
            }
        }
    }
}
