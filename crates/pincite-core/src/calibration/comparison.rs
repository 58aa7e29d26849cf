//! Two extractors compared, bin by bin: how much more often one is right, and whether that may be chance.
//!
//! The interval of a difference is put together from those of its two shares, which are wider on the side where a share is near
//! 0 or 1: R. G. Newcombe, "Interval estimation for the difference between independent proportions", Statistics in Medicine 17
//! (1998), method 10, with the intervals of `bins` in the place of Wilson's.
//!
//! Deliberately not here: pairing. Two extractors may have read the same fields; taken as independent, the interval is at most
//! too wide where both are right on the same ones.

use super::bins::Bin;

/// How much more often the second is right than the first in one bin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Second minus first, -1 to 1.
    pub difference: f64,
    /// Lower end of its interval.
    pub low: f64,
    /// Upper end of its interval.
    pub high: f64,
}

/// The difference in each pair of bins; `None` where either is empty. As long as the shorter one.
#[must_use]
pub fn differences(first: &[Bin], second: &[Bin]) -> Vec<Option<Difference>> {
    first
        .iter()
        .zip(second)
        .map(|(first, second)| difference(first, second))
        .collect()
}

fn difference(first: &Bin, second: &Bin) -> Option<Difference> {
    let (share, low, high) = (first.right?, first.low?, first.high?);
    let (other, other_low, other_high) = (second.right?, second.low?, second.high?);
    let difference = other - share;
    Some(Difference {
        difference,
        low: (difference - (other - other_low).hypot(high - share)).max(-1.0),
        high: (difference + (other_high - other).hypot(share - low)).min(1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::super::bins::{BinEdges, bins};
    use super::super::tally::{Label, tally};
    use super::*;

    fn bin(right: usize, wrong: usize) -> Vec<Bin> {
        let label = |right| Label {
            confidence: 0.97,
            right,
            probability: 1.0,
        };
        let labels = std::iter::repeat_n(label(true), right).chain(std::iter::repeat_n(label(false), wrong));
        bins(&tally(labels), &BinEdges::default())
    }

    #[test]
    fn a_difference_has_its_interval_and_empty_bins_have_none() {
        let found = differences(&bin(80, 20), &bin(95, 5));
        assert_eq!(found.iter().flatten().count(), 1);
        let last = found.last().copied().flatten();
        assert!(last.is_some_and(|last| (last.difference - 0.15).abs() < 1e-12 && last.low > 0.0 && last.high < 0.30));
        // The other way round it is the same with its sign turned.
        let back = differences(&bin(95, 5), &bin(80, 20)).last().copied().flatten();
        assert!(last.zip(back).is_some_and(|(one, other)| {
            (one.low + other.high).abs() < 1e-12 && (one.high + other.low).abs() < 1e-12
        }));
        // Alike is no difference.
        let alike = differences(&bin(9, 1), &bin(9, 1)).last().copied().flatten();
        assert!(alike.is_some_and(|alike| alike.low < 0.0 && alike.high > 0.0 && alike.difference.abs() < 1e-12));
    }
}
