//! One figure for a whole curve: the expected calibration error and the Brier score, each with its interval.
//!
//! Deliberately not here: what a bin says by itself (`bins`). Neither figure sets a threshold: a mean over all confidences can be
//! small while the bin that is shown is bad.

use super::bins::{BIN_LEVEL, BinEdges, sums_by_bin};
use super::interval::{Interval, normal_quantile};
use super::tally::{Sums, Tally};
use std::sync::LazyLock;

/// How often the bins are drawn anew for the interval of the calibration error.
const REDRAWS: usize = 2_000;

/// For how many bins the draws are kept: more than a curve has by default, and few enough to cost nothing.
const KEPT_BINS: usize = 16;

/// The standard normal numbers of each bin's draws, one bin after the other. They are the same for every curve, and they were
/// most of the time that a curve took.
static NORMALS: LazyLock<Vec<f64>> = LazyLock::new(|| (0..KEPT_BINS).flat_map(normals_of).collect());

fn normals_of(bin: usize) -> impl Iterator<Item = f64> {
    (0..REDRAWS).map(move |number| normal_quantile(unit((number * 1_024 + bin) as u64)))
}

/// A figure with its interval at [`BIN_LEVEL`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The figure.
    pub value: f64,
    /// Where it lies.
    pub interval: Interval,
}

/// The expected calibration error: over the bins, the mean distance between share right and mean confidence, each bin counted
/// by its weight. M. P. Naeini, G. F. Cooper, M. Hauskrecht, "Obtaining Well Calibrated Probabilities Using Bayesian Binning",
/// AAAI 2015. `None` without labels.
///
/// Its interval: each bin's difference is drawn from a normal distribution with the variance that its weighted labels show, and
/// the distances are averaged again; the middle of those, moved so that its centre is the estimate, since a mean of distances
/// is biased upwards where bins are small. The draws are the same each time.
#[must_use]
pub fn ece(tallies: &[Tally], edges: &BinEdges) -> Option<Estimate> {
    let sums = sums_by_bin(tallies, edges);
    let weight: f64 = sums.iter().map(|bin| bin.weight).sum();
    if weight <= 0.0 {
        return None;
    }
    // A bin's weight times the distance of its two means is the distance of its two sums.
    let value = sums.iter().map(|bin| (bin.right - bin.confidence).abs()).sum::<f64>() / weight;
    let mut drawn = vec![0.0; REDRAWS];
    for (number, bin) in sums.iter().enumerate() {
        let (difference, deviation) = (bin.right - bin.confidence, difference_variance(bin).sqrt());
        let anew: Vec<f64>;
        let normals = match NORMALS.get(number * REDRAWS..(number + 1) * REDRAWS) {
            Some(kept) => kept,
            None => {
                anew = normals_of(number).collect();
                &anew
            }
        };
        for (sum, normal) in drawn.iter_mut().zip(normals) {
            *sum += (difference + deviation * normal).abs() / weight;
        }
    }
    let bias = drawn.iter().sum::<f64>() / drawn.len() as f64 - value;
    let mut at = |share: f64| -> f64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an index into the draws"
        )]
        let index = (share * (drawn.len() - 1) as f64).round() as usize;
        *drawn.select_nth_unstable_by(index, f64::total_cmp).1 - bias
    };
    let tail = (1.0 - BIN_LEVEL) / 2.0;
    Some(Estimate {
        value,
        interval: Interval {
            low: at(tail).clamp(0.0, value),
            high: at(1.0 - tail).clamp(value, 1.0),
        },
    })
}

/// The variance of a bin's weighted sum of (right - confidence), by the labels' own spread around its mean.
fn difference_variance(bin: &Sums) -> f64 {
    let Some(mean) = bin.mean(bin.confidence - bin.right) else {
        return 0.0;
    };
    let count = bin.count as f64;
    // One label has no spread: then nothing is known, and the whole range is allowed for.
    if bin.count < 2 {
        return bin.squares;
    }
    let around = bin.twice_squared - 2.0 * mean * bin.twice_distance + mean * mean * bin.squares;
    around.max(0.0) * count / (count - 1.0)
}

/// The mean squared distance of confidence and outcome. G. W. Brier, "Verification of forecasts expressed in terms of
/// probability", Monthly Weather Review 78 (1950), in its form for two outcomes. `None` without labels. Its interval is that of
/// a weighted mean, by the labels' own spread.
#[must_use]
pub fn brier(tallies: &[Tally]) -> Option<Estimate> {
    let sums = Sums::of(tallies);
    let value = sums.mean(sums.squared)?;
    let count = sums.count as f64;
    let variance = if sums.count < 2 {
        1.0
    } else {
        let around = sums.twice_fourth - 2.0 * value * sums.twice_squared + value * value * sums.squares;
        around.max(0.0) * count / (count - 1.0) / (sums.weight * sums.weight)
    };
    let half = normal_quantile(f64::midpoint(1.0, BIN_LEVEL)) * variance.sqrt();
    Some(Estimate {
        value,
        interval: Interval {
            low: (value - half).max(0.0),
            high: (value + half).min(1.0),
        },
    })
}

/// A number over 0 and below 1 for each `index`, spread evenly, the same each time.
fn unit(index: u64) -> f64 {
    let mixed = split_mix(index.wrapping_add(1).wrapping_mul(SPLIT_MIX_STEP));
    ((mixed >> 12) as f64 + 0.5) / (1_u64 << 52) as f64
}

/// By how much the state of SplitMix64 grows from one number to the next.
pub(super) const SPLIT_MIX_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The number of a state of SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast Splittable Pseudorandom Number Generators",
/// OOPSLA 2014.
pub(super) const fn split_mix(state: u64) -> u64 {
    let mut mixed = state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::super::tally::{Label, tally};
    use super::*;

    fn label(confidence: f64, right: bool, probability: f64) -> Label {
        Label {
            confidence,
            right,
            probability,
        }
    }

    #[test]
    fn errors_have_their_worked_values() {
        let labels = [label(0.9, true, 1.0), label(0.9, false, 1.0), label(0.5, true, 0.5)];
        // Bins: 0.9 twice, half right, distance 0.4, weight 2; 0.5 once, right, distance 0.5, weight 2.
        let tallies = tally(labels);
        let value = |found: Option<Estimate>| found.map_or(f64::NAN, |found| found.value);
        assert!((value(ece(&tallies, &BinEdges::default())) - 0.45).abs() < 1e-12);
        assert!((value(brier(&tallies)) - (0.01 + 0.81 + 2.0 * 0.25) / 4.0).abs() < 1e-12);
        assert_eq!((ece(&[], &BinEdges::default()), brier(&[])), (None, None));
    }

    /// Labels of a curve whose true share is `confidence - 0.1`, at two shares.
    fn drawn(seed: u64, count: u64) -> Vec<Label> {
        (0..count)
            .map(|index| {
                let number = seed * 1_000_003 + index;
                let confidence = 0.5 + 0.5 * unit(number * 3);
                let right = unit(number * 3 + 1) < confidence - 0.1;
                label(confidence, right, if confidence < 0.9 { 1.0 } else { 0.25 })
            })
            .collect()
    }

    #[test]
    fn the_intervals_cover() {
        // The Brier score of this curve: for each part of confidence c with true share p, p (1-c)^2 + (1-p) c^2; weights restore the
        // whole. By integration over c in [0.5, 1].
        let steps = 100_000;
        let truth: f64 = (0..steps)
            .map(|step| 0.5 + 0.5 * (f64::from(step) + 0.5) / f64::from(steps))
            .map(|c| (c - 0.1) * (1.0 - c) * (1.0 - c) + (1.1 - c) * c * c)
            .sum::<f64>()
            / f64::from(steps);
        let (mut brier_covered, mut ece_covered) = (0, 0);
        let runs = 400;
        for seed in 1..=runs {
            // A label of probability 1/4 stands for itself and three that were not looked at.
            let labels = drawn(seed, 1_200)
                .into_iter()
                .zip(0_u64..)
                .filter_map(|(label, index)| (label.probability >= 1.0 || index % 4 == 0).then_some(label));
            let tallies = tally(labels);
            let inside = |found: Option<Estimate>, truth: f64| {
                found.is_some_and(|found| found.interval.low <= truth && truth <= found.interval.high)
            };
            brier_covered += u64::from(inside(brier(&tallies), truth));
            ece_covered += u64::from(inside(ece(&tallies, &BinEdges::default()), 0.1));
        }
        assert!(brier_covered * 100 >= runs * 92, "{brier_covered} of {runs}");
        assert!(ece_covered * 100 >= runs * 92, "{ece_covered} of {runs}");
    }
}
