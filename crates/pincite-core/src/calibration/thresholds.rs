//! From which confidence on the measured error is low enough to show, by a test that holds however often one looks.
//!
//! **The test.** For a threshold tau, a gambler bets against "the error among all records at or above tau is at least
//! `max_error`". A record with inclusion probability pi that was looked at multiplies the stake by
//! `1 + bet * (max_error - error) / pi`, any other by 1: under the hypothesis no bet wins on average, whatever the bias of what
//! was looked at, so that the stake reaches `1 / (1 - level)` with a probability of at most `1 - level`, ever (Ville's
//! inequality). I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by betting", JRSS B 86 (2024).
//!
//! **The bets** are fixed beforehand: a mixture over equal parts of the largest stake that no single error can ruin, which the
//! least share in use sets. Nothing is learnt from outcomes on the way, so the stake is a product in which order does not
//! matter: it can be computed from tallies, an undone decision leaves no trace, and a draw that is not decided yet can be taken as
//! wrong, which only lowers it.
//!
//! **The walks.** The grid is fixed beforehand too. A walk starts at the highest confidence with labels enough, which is decided
//! on counts alone, goes down, and stops at the first that does not pass. Walked so, every step may use all that the walk may
//! err. There are several walks, because one that starts where labels are just enough is ended by the first unlucky error:
//! each later one starts where there are four times as many, and may err half as often as the one before, so that together they
//! err no more than `1 - level`: A. N. Angelopoulos, S. Bates, E. J. Candès, M. I. Jordan, L. Lei, "Learn then Test" (2021), fixed
//! sequences with several starts. The lowest confidence that any walk reaches counts.
//!
//! What the guarantee rests on: draws are independent of outcomes (they are hashes), the error at a confidence does not change
//! while labels are gathered (a new model or prompt version starts anew), and a share that is raised later changes the weight of
//! records that were routed before, which is not covered by the inequality but by the simulation beside this file.
//!
//! Deliberately not here: setting a threshold, and what it costs (`workload`).

use super::tally::Tally;

/// The level at which the guarantee holds where nothing else is said.
pub const LEVEL: f64 = 0.95;

/// How many bets are mixed: at (k - 1/2) / `BETS` of the largest.
const BETS: usize = 24;

/// How many walks there are.
const WALKS: usize = 4;

/// How many times more labels each later walk starts with.
const MORE_LABELS_AT_START: f64 = 4.0;

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
    /// Without a `tau`: about how many more labels at or above the walk's start would give one if errors stay as rare as they are.
    /// `None` with a `tau`, and where the error seen is not below `max_error`, so that more labels of the same would not help.
    pub labels_needed: Option<u64>,
    /// Without a `tau`: the confidence at or above which those labels have to be.
    pub labels_from: Option<f64>,
}

/// The confidences 0.99, 0.98 to 0.50: where a threshold is looked for.
#[must_use]
pub fn default_grid() -> Vec<f64> {
    (50..=99_u32)
        .rev()
        .map(|hundredths| f64::from(hundredths) / 100.0)
        .collect()
}

/// What was looked at from one confidence on, by inclusion probability: how many were right, how many wrong.
#[derive(Debug, Clone, Default)]
struct Reached {
    by_share: Vec<(f64, f64, f64)>,
    labels: f64,
}

impl Reached {
    #[expect(clippy::cast_precision_loss, reason = "a count of labels is far below 2^53")]
    fn add(&mut self, tally: &Tally) {
        let (right, wrong) = (tally.right as f64, tally.wrong as f64);
        self.labels += right + wrong;
        match self
            .by_share
            .iter_mut()
            .find(|(share, ..)| share.to_bits() == tally.probability.to_bits())
        {
            Some(entry) => {
                entry.1 += right;
                entry.2 += wrong;
            }
            None => self.by_share.push((tally.probability, right, wrong)),
        }
    }

    fn of<'tally>(tallies: impl IntoIterator<Item = &'tally Tally>) -> Self {
        let mut reached = Self::default();
        tallies.into_iter().for_each(|tally| reached.add(tally));
        reached
    }

    /// The logarithm of the stake with one bet, given as a part (over 0, below 1) of the largest.
    fn logarithm(&self, part: f64, max_error: f64, least_share: f64) -> f64 {
        let bet = part * least_share / (1.0 - max_error);
        self.by_share
            .iter()
            .map(|(share, right, wrong)| {
                right * (bet * max_error / share).ln_1p() + wrong * (-bet * (1.0 - max_error) / share).ln_1p()
            })
            .sum()
    }

    /// The logarithm of the mixed stake.
    fn stake(&self, max_error: f64, least_share: f64) -> f64 {
        let each: Vec<f64> = parts()
            .map(|part| self.logarithm(part, max_error, least_share))
            .collect();
        let most = each.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        #[expect(clippy::cast_precision_loss, reason = "a constant of two digits")]
        let mean = each.iter().map(|one| (one - most).exp()).sum::<f64>() / BETS as f64;
        most + mean.ln()
    }

    /// So many times as many labels of the same kind; without any, so many right ones at the least share.
    fn times(&self, times: f64, least_share: f64) -> Self {
        if self.labels <= 0.0 {
            return Self {
                by_share: vec![(least_share, times, 0.0)],
                labels: times,
            };
        }
        let scaled = |(share, right, wrong): &(f64, f64, f64)| (*share, right * times, wrong * times);
        Self {
            by_share: self.by_share.iter().map(scaled).collect(),
            labels: self.labels * times,
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a constant of two digits")]
fn parts() -> impl Iterator<Item = f64> {
    (0..BETS).map(|number| (number as f64 + 0.5) / BETS as f64)
}

/// The logarithm that a stake must reach so as to err in no more than `1 - level`.
fn wanted(level: f64) -> f64 {
    -(-level).ln_1p()
}

/// The walks: how often each may err, as the logarithm that its stakes must reach, and how many times the least number of labels
/// it starts with.
fn walks(level: f64) -> impl Iterator<Item = (f64, f64)> {
    (0..WALKS).scan((2.0_f64.ln(), 1.0), move |(halvings, times), number| {
        let walk = (wanted(level) + *halvings, *times);
        // The last two err equally often, so that the sum is the whole.
        *halvings += if number + 2 < WALKS { 2.0_f64.ln() } else { 0.0 };
        *times *= MORE_LABELS_AT_START;
        Some(walk)
    })
}

fn least_share(tallies: &[Tally]) -> f64 {
    tallies.iter().map(|tally| tally.probability).fold(1.0, f64::min)
}

/// The upper bound, at `level`, of the error among everything whose confidence is at least `tau`, one that holds however often
/// one looks: the largest error that the test does not reject. `None` without labels there.
#[must_use]
pub fn error_upper_bound(tallies: &[Tally], tau: f64, level: f64) -> Option<f64> {
    let reached = Reached::of(tallies.iter().filter(|tally| tally.least >= tau));
    bound(&reached, least_share(tallies), wanted(level))
}

/// Rejected are all errors above the bound: the larger the error in question, the more a right label wins.
fn bound(reached: &Reached, least_share: f64, wanted: f64) -> Option<f64> {
    if reached.labels <= 0.0 {
        return None;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        if reached.stake(middle, least_share) >= wanted {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

/// The least confidence of `grid` from which the error is below `max_error` at `level`, as the walks find it. `grid` may be in any
/// order; `max_error` and `level` are over 0 and below 1.
///
/// Draws that nobody will decide (of a void incident) are left out.
#[must_use]
pub fn suggest(tallies: &[Tally], grid: &[f64], max_error: f64, level: f64) -> Suggestion {
    let mut grid: Vec<f64> = grid.iter().copied().filter(|tau| (0.0..=1.0).contains(tau)).collect();
    grid.sort_by(|left, right| right.total_cmp(left));
    let mut from_top: Vec<&Tally> = tallies.iter().collect();
    from_top.sort_by(|one, other| other.least.total_cmp(&one.least));
    let mut from_top = from_top.into_iter().peekable();
    let mut so_far = Reached::default();
    let steps: Vec<(f64, Reached)> = grid
        .into_iter()
        .map(|tau| {
            while let Some(tally) = from_top.next_if(|tally| tally.least >= tau) {
                so_far.add(tally);
            }
            (tau, so_far.clone())
        })
        .collect();
    let test = Test {
        max_error,
        least_share: least_share(tallies),
    };
    let ends: Vec<WalkEnd<'_>> = walks(level)
        .map(|(wanted, times)| test.walk(&steps, wanted, times))
        .collect();
    let passed = ends.iter().filter_map(|end| match end {
        WalkEnd::Passed(tau, reached, wanted) => Some((*tau, *reached, *wanted)),
        WalkEnd::Failed { .. } => None,
    });
    if let Some((tau, reached, wanted)) = passed.min_by(|one, other| one.0.total_cmp(&other.0)) {
        return Suggestion {
            tau: Some(tau),
            error_upper: bound(reached, test.least_share, wanted),
            labels_needed: None,
            labels_from: None,
        };
    }
    // The walk that needs the fewest labels more says how many; without hope, the first says where it failed.
    let failed = ends.iter().filter_map(|end| match end {
        WalkEnd::Failed {
            at: (tau, reached),
            wanted,
            more,
        } => Some((*tau, reached, *wanted, *more)),
        WalkEnd::Passed(..) => None,
    });
    let nearest = failed.min_by_key(|(.., more)| more.unwrap_or(u64::MAX));
    Suggestion {
        tau: None,
        error_upper: nearest.and_then(|(_, reached, wanted, _)| bound(reached, test.least_share, wanted)),
        labels_needed: nearest.and_then(|(.., more)| more),
        labels_from: nearest.map(|(tau, ..)| tau),
    }
}

/// The same where some draws are not decided: they are taken as wrong in the test, so that a threshold never rests on what
/// nobody has looked at. How many labels more it takes is told as if they turned out like those that are decided; where
/// that alone would give a threshold, it is those that wait above it.
#[must_use]
pub fn suggest_with_pending(
    decided: &[Tally],
    pending: &[Tally],
    grid: &[f64],
    max_error: f64,
    level: f64,
) -> Suggestion {
    let all: Vec<Tally> = decided.iter().chain(pending).copied().collect();
    let found = suggest(&all, grid, max_error, level);
    if found.tau.is_some() || pending.is_empty() {
        return found;
    }
    let if_alike = suggest(decided, grid, max_error, level);
    let waiting = |tau: f64| pending.iter().filter(|tally| tally.least >= tau).map(Tally::n).sum();
    Suggestion {
        tau: None,
        error_upper: found.error_upper,
        labels_needed: if_alike.tau.map(waiting).or(if_alike.labels_needed),
        labels_from: if_alike.tau.or(if_alike.labels_from),
    }
}

/// Where a walk ended: at the last confidence that passed, with what its stakes had to reach, or without one.
enum WalkEnd<'steps> {
    Passed(f64, &'steps Reached, f64),
    Failed {
        at: (f64, &'steps Reached),
        wanted: f64,
        more: Option<u64>,
    },
}

/// What is tested.
#[derive(Clone, Copy)]
struct Test {
    max_error: f64,
    least_share: f64,
}

impl Test {
    fn walk<'steps>(&self, steps: &'steps [(f64, Reached)], wanted: f64, times: f64) -> WalkEnd<'steps> {
        let passes = |reached: &Reached| reached.stake(self.max_error, self.least_share) >= wanted;
        let start = steps
            .iter()
            .position(|(_, reached)| self.enough(reached, wanted, times));
        let walked = steps.get(start.unwrap_or(steps.len())..).unwrap_or_default();
        match walked.iter().take_while(|(_, reached)| passes(reached)).last() {
            Some((tau, reached)) => WalkEnd::Passed(*tau, reached, wanted),
            None => {
                // It failed at its start or, never started, still lacks labels where there are most.
                let at = walked.first().or_else(|| steps.last());
                let at = at.map_or((1.0, &NOTHING), |(tau, reached)| (*tau, reached));
                WalkEnd::Failed {
                    at,
                    wanted,
                    more: self.more_labels(at.1, wanted),
                }
            }
        }
    }

    /// Whether a walk may start with these labels: one in `times` of them would be enough if all were right.
    fn enough(&self, reached: &Reached, wanted: f64, times: f64) -> bool {
        let all_right = Reached {
            by_share: reached
                .by_share
                .iter()
                .map(|(share, right, wrong)| (*share, (right + wrong) / times, 0.0))
                .collect(),
            labels: reached.labels / times,
        };
        all_right.stake(self.max_error, self.least_share) >= wanted
    }

    /// How many labels more of the same kind raise the stake to what is wanted. At least 1; `None` where no number does.
    fn more_labels(&self, reached: &Reached, wanted: f64) -> Option<u64> {
        let enough = |times: f64| {
            let more = reached.times(times, self.least_share);
            more.stake(self.max_error, self.least_share) >= wanted
        };
        let (mut low, mut high) = (1.0, 2.0);
        while !enough(high) {
            low = high;
            high *= 2.0;
            if reached.labels.max(1.0) * high > MOST_LABELS {
                return None;
            }
        }
        for _ in 0..30 {
            let middle = f64::midpoint(low, high);
            if enough(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        let all = reached.times(high, self.least_share).labels;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 1 and MOST_LABELS"
        )]
        let more = (all - reached.labels).ceil().max(1.0) as u64;
        Some(more)
    }
}

/// Where nothing was looked at.
static NOTHING: Reached = Reached {
    by_share: Vec::new(),
    labels: 0.0,
};

#[cfg(test)]
mod tests {
    use super::super::bins::{BinEdges, bins};
    use super::super::tally::{Label, tally};
    use super::*;
    use proptest::prelude::*;

    fn labels(confidence: f64, right: usize, wrong: usize, weight: f64) -> Vec<Label> {
        let label = |right| Label {
            confidence,
            right,
            probability: 1.0 / weight,
        };
        let mut labels = vec![label(true); right];
        labels.extend(vec![label(false); wrong]);
        labels
    }

    #[test]
    fn a_stake_is_the_mean_of_its_bets() {
        // Two right, one wrong, all looked at, against an error of 0.2: with the largest bet 1 / 0.8 a right label wins 1/4 of the
        // part that is bet, a wrong one loses all of it.
        let reached = Reached::of(&tally(labels(0.9, 2, 1, 1.0)));
        let by_hand: f64 = parts()
            .map(|part| (1.0 + part / 4.0).powi(2) * (1.0 - part))
            .sum::<f64>()
            / 24.0;
        assert!((reached.stake(0.2, 1.0).exp() - by_hand).abs() < 1e-12);
        // Drawn at a tenth and at one, the least share bounds the bet: what was certain to be looked at weighs a tenth.
        let mut mixed = labels(0.9, 1, 0, 10.0);
        mixed.extend(labels(0.9, 1, 0, 1.0));
        let by_hand: f64 = parts()
            .map(|part| (1.0 + part / 4.0) * (1.0 + part / 40.0))
            .sum::<f64>()
            / 24.0;
        assert!((Reached::of(&tally(mixed)).stake(0.2, 0.1).exp() - by_hand).abs() < 1e-12);
    }

    #[test]
    fn the_bound_is_where_the_test_stops_rejecting() {
        let tallies = tally(labels(0.97, 195, 5, 20.0));
        let upper = error_upper_bound(&tallies, 0.9, LEVEL).unwrap_or(0.0);
        // Wider than Clopper and Pearson's 0.0517 of one look, and not by much.
        assert!((0.0517..0.075).contains(&upper), "{upper}");
        // A walk may err half as often, so that a threshold takes a little more than the bound of one confidence.
        let found = suggest(&tallies, &[0.9], upper + 0.01, LEVEL);
        assert!(
            found.tau == Some(0.9)
                && found
                    .error_upper
                    .is_some_and(|walked| walked > upper && walked <= upper + 0.01)
        );
        assert_eq!(suggest(&tallies, &[0.9], upper, LEVEL).tau, None);
        assert_eq!(error_upper_bound(&tallies, 0.98, LEVEL), None);
        let right = bins(&tallies, &BinEdges::default()).last().and_then(|bin| bin.right);
        assert!(right.is_some_and(|right| (1.0 - right - 0.025).abs() < 1e-12));
    }

    #[test]
    fn the_walk_goes_down_and_stops_at_the_first_failure() {
        let grid = [0.95, 0.90, 0.80, 0.70];
        let mut all = labels(0.96, 400, 0, 1.0);
        all.extend(labels(0.91, 200, 1, 1.0));
        all.extend(labels(0.85, 60, 40, 1.0));
        // Far down all is right again: the walk has stopped before.
        all.extend(labels(0.72, 100_000, 0, 1.0));
        let tallies = tally(all);
        let steps: Vec<(f64, Reached)> = grid
            .iter()
            .map(|tau| (*tau, Reached::of(tallies.iter().filter(|tally| tally.least >= *tau))))
            .collect();
        let test = Test {
            max_error: 0.02,
            least_share: 1.0,
        };
        let first = walks(LEVEL)
            .next()
            .map(|(wanted, times)| test.walk(&steps, wanted, times));
        assert!(matches!(first, Some(WalkEnd::Passed(0.90, ..))));
        // Without what is far down it is the answer too, with a bound that keeps the promise.
        let upper: Vec<Tally> = tallies.into_iter().filter(|tally| tally.least >= 0.80).collect();
        let found = suggest(&upper, &grid, 0.02, LEVEL);
        assert_eq!(
            (found.tau, found.labels_needed, found.labels_from),
            (Some(0.90), None, None)
        );
        assert!(
            found
                .error_upper
                .is_some_and(|upper| upper <= 0.02 && upper > 1.0 / 601.0)
        );
        // An unlucky error at the top ends one walk and not those that start where there are more labels.
        let mut unlucky = labels(0.96, 250, 6, 1.0);
        unlucky.extend(labels(0.91, 6_000, 10, 1.0));
        assert_eq!(suggest(&tally(unlucky), &grid, 0.02, LEVEL).tau, Some(0.70));
        // The start is passed over where there are too few labels, whatever they say.
        let mut few_at_top = labels(0.96, 5, 5, 1.0);
        few_at_top.extend(labels(0.91, 4_000, 0, 1.0));
        assert_eq!(suggest(&tally(few_at_top), &grid, 0.02, LEVEL).tau, Some(0.70));
    }

    #[test]
    fn none_yet_says_how_many_more() {
        let needed = |labels: Vec<Label>| suggest(&tally(labels), &default_grid(), 0.02, LEVEL);
        let none = needed(Vec::new());
        // One look without an error needs 149; looking for ever costs more.
        assert_eq!(
            (none.tau, none.error_upper, none.labels_needed),
            (None, None, Some(266))
        );
        let almost = needed(labels(0.97, 150, 0, 20.0));
        assert_eq!((almost.tau, almost.labels_needed), (None, Some(116)));
        // As many more as were said are enough, and one fewer is not.
        assert!(needed(labels(0.97, 266, 0, 20.0)).tau.is_some());
        assert!(needed(labels(0.97, 265, 0, 20.0)).tau.is_none());
        let one_wrong = needed(labels(0.97, 199, 1, 20.0));
        assert!(
            one_wrong.labels_needed.is_some_and(|more| (200..2_000).contains(&more)),
            "{one_wrong:?}"
        );
        let hopeless = needed(labels(0.97, 150, 50, 1.0));
        assert_eq!((hopeless.tau, hopeless.labels_needed), (None, None));
    }

    #[test]
    fn an_undecided_draw_is_taken_as_wrong_and_foretold_like_the_others() {
        let grid = default_grid();
        let decided = tally(labels(0.97, 400, 0, 20.0));
        let waiting = tally(labels(0.97, 0, 8, 20.0));
        assert!(suggest(&decided, &grid, 0.02, LEVEL).tau.is_some());
        let found = suggest_with_pending(&decided, &waiting, &grid, 0.02, LEVEL);
        assert_eq!(
            (found.tau, found.labels_needed, found.labels_from),
            (None, Some(8), Some(0.50))
        );
        // Few labels, all right, and more that wait: it is not hopeless.
        let found = suggest_with_pending(&tally(labels(0.97, 4, 0, 20.0)), &waiting, &grid, 0.02, LEVEL);
        assert_eq!((found.tau, found.labels_needed), (None, Some(262)));
        // One pending among very many changes nothing.
        let many = tally(labels(0.97, 4_000, 0, 20.0));
        assert!(suggest_with_pending(&many, &waiting, &grid, 0.02, LEVEL).tau.is_some());
    }

    #[test]
    fn the_walks_err_together_no_more_than_one_may() {
        let sum: f64 = walks(0.95).map(|(wanted, _)| (-wanted).exp()).sum();
        assert!((sum - 0.05).abs() < 1e-12);
        assert_eq!(
            walks(0.95).map(|(_, times)| times).collect::<Vec<_>>(),
            [1.0, 4.0, 16.0, 64.0]
        );
    }

    #[test]
    fn the_grid_is_fixed() {
        let grid = default_grid();
        assert_eq!((grid.len(), grid.first(), grid.last()), (50, Some(&0.99), Some(&0.50)));
    }

    proptest! {
        #[test]
        fn what_is_suggested_keeps_its_promise(top in 0_usize..600, wrong in 0_usize..20, middle in 0_usize..600, more_wrong in 0_usize..60) {
            let mut all = labels(0.97, top, wrong, 20.0);
            all.extend(labels(0.8, middle, more_wrong, 1.0));
            let tallies = tally(all);
            let found = suggest(&tallies, &default_grid(), 0.05, LEVEL);
            if let Some(tau) = found.tau {
                prop_assert!(error_upper_bound(&tallies, tau, LEVEL) <= found.error_upper);
                prop_assert!(found.error_upper.is_some_and(|upper| upper <= 0.05 + 1e-9));
            }
        }
    }
}
