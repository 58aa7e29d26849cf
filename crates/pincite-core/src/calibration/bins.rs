//! One curve measured: for each bin of confidence the share that was right, how many labels say so, and how sure that is.
//!
//! A label counts by its weight, one over the probability with which it came to be looked at, because low confidence is always
//! reviewed and high confidence only when drawn. The interval is taken on the effective count (see [`super::interval`]).
//!
//! Deliberately not here: which labels belong to the curve (`curve`), one figure for all bins (`errors`), and from where on to
//! show (`thresholds`).

use super::interval::{Interval, clopper_pearson};
use super::monotone::rising;
use super::tally::{Sums, Tally};

/// The level of the interval of a bin.
pub const BIN_LEVEL: f64 = 0.95;

/// Where the bins meet: rising, each over 0 and below 1. The first bin starts at 0, the last ends at 1.
#[derive(Debug, Clone, PartialEq)]
pub struct BinEdges(Vec<f64>);

/// Numbers that are no edges.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("bin edge {number} is {edge}; write rising edges, each over 0 and below 1")]
pub struct BinEdgesError {
    /// Which edge, from 1.
    pub number: usize,
    /// As given.
    pub edge: f64,
}

impl BinEdges {
    /// Edges at these confidences.
    ///
    /// # Errors
    /// [`BinEdgesError`] for the first that is out of range or does not rise.
    pub fn new(edges: Vec<f64>) -> Result<Self, BinEdgesError> {
        let mut last = 0.0;
        for (index, edge) in edges.iter().copied().enumerate() {
            if !(edge > last && edge < 1.0) {
                return Err(BinEdgesError {
                    number: index + 1,
                    edge,
                });
            }
            last = edge;
        }
        Ok(Self(edges))
    }

    /// The edges between the bins.
    #[must_use]
    pub fn inner(&self) -> &[f64] {
        &self.0
    }

    /// Each bin's start and end, lowest first.
    pub fn ranges(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let starts = std::iter::once(0.0).chain(self.0.iter().copied());
        let ends = self.0.iter().copied().chain(std::iter::once(1.0));
        starts.zip(ends)
    }

    /// The bin, from 0, of a confidence: `from <= confidence < to`, the last one closed. `None` outside of 0 to 1.
    #[must_use]
    pub fn index_of(&self, confidence: f64) -> Option<usize> {
        (0.0..=1.0)
            .contains(&confidence)
            .then(|| self.0.partition_point(|edge| *edge <= confidence))
    }
}

impl Default for BinEdges {
    fn default() -> Self {
        Self(vec![0.60, 0.75, 0.85, 0.95])
    }
}

/// One bin of a curve. An empty bin has no share and no interval: it is shown as empty, never as right or wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// The least confidence in it.
    pub from: f64,
    /// The confidence that it ends before; the last bin holds 1 too.
    pub to: f64,
    /// How many labels.
    pub n: u64,
    /// How many equally weighted labels would say as much (Kish).
    pub n_effective: f64,
    /// The weighted share that was right.
    pub right: Option<f64>,
    /// The same of the nearest curve that rises with confidence.
    pub rising: Option<f64>,
    /// The weighted mean confidence.
    pub mean_confidence: Option<f64>,
    /// Lower end of the 95 % interval of `right`.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval of `right`.
    pub high: Option<f64>,
}

/// The bins of a curve, lowest first; every bin is there, empty or not.
#[must_use]
pub fn bins(tallies: &[Tally], edges: &BinEdges) -> Vec<Bin> {
    let sums = sums_by_bin(tallies, edges);
    let counted: Vec<(f64, f64)> = sums
        .iter()
        .filter_map(|sums| Some((sums.mean(sums.right)?, sums.weight)))
        .collect();
    let mut fitted = rising(&counted).into_iter();
    edges
        .ranges()
        .zip(&sums)
        .map(|((from, to), sums)| {
            let right = sums.mean(sums.right);
            let interval = share_interval(sums);
            Bin {
                from,
                to,
                n: sums.count,
                n_effective: sums.effective(),
                right,
                rising: right.and_then(|_| fitted.next()),
                mean_confidence: sums.mean(sums.confidence),
                low: interval.map(|interval| interval.low),
                high: interval.map(|interval| interval.high),
            }
        })
        .collect()
}

/// The interval, at [`BIN_LEVEL`], of the share that was right. `None` without labels.
fn share_interval(sums: &Sums) -> Option<Interval> {
    let effective = sums.effective();
    clopper_pearson(sums.mean(sums.right)? * effective, effective, BIN_LEVEL)
}

/// The weighted sums of each bin.
pub(super) fn sums_by_bin(tallies: &[Tally], edges: &BinEdges) -> Vec<Sums> {
    let mut sums = vec![Sums::default(); edges.inner().len() + 1];
    for tally in tallies {
        if let Some(bin) = edges.index_of(tally.least).and_then(|index| sums.get_mut(index)) {
            bin.add(tally);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::super::tally::{Label, tally};
    use super::*;
    use proptest::prelude::*;

    fn label(confidence: f64, right: bool, weight: f64) -> Label {
        Label {
            confidence,
            right,
            probability: 1.0 / weight,
        }
    }

    fn near(found: Option<f64>, expected: f64) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 1e-12)
    }

    #[test]
    fn edges_are_half_open_and_the_last_bin_closed() {
        let edges = BinEdges::default();
        for (confidence, expected) in [
            (0.0, Some(0)),
            (0.5999, Some(0)),
            (0.60, Some(1)),
            (0.75, Some(2)),
            (0.85, Some(3)),
            (0.9499, Some(3)),
            (0.95, Some(4)),
            (1.0, Some(4)),
            (1.01, None),
            (-0.01, None),
            (f64::NAN, None),
        ] {
            assert_eq!(edges.index_of(confidence), expected, "{confidence}");
        }
        assert_eq!(
            edges.ranges().collect::<Vec<_>>(),
            [(0.0, 0.60), (0.60, 0.75), (0.75, 0.85), (0.85, 0.95), (0.95, 1.0)]
        );
        for edges in [vec![0.0], vec![1.0], vec![0.5, 0.5], vec![0.5, 0.4], vec![f64::NAN]] {
            assert!(BinEdges::new(edges).is_err());
        }
        assert!(BinEdges::new(vec![]).is_ok_and(|edges| edges.ranges().count() == 1));
    }

    #[test]
    fn bins_are_weighted_and_empty_ones_say_nothing() {
        let labels = [
            label(0.96, true, 20.0),
            label(0.98, false, 20.0),
            label(0.2, true, 1.0),
            label(0.4, false, 1.0),
            label(0.4, false, 2.0),
        ];
        let bins = bins(&tally(labels), &BinEdges::default());
        assert_eq!(bins.len(), 5);
        assert_eq!((bins[0].n, bins[4].n), (3, 2));
        assert!(near(bins[0].right, 0.25) && near(bins[0].mean_confidence, 0.35));
        assert!(near(Some(bins[0].n_effective), 16.0 / 6.0));
        assert!(
            near(bins[4].right, 0.5) && near(bins[4].mean_confidence, 0.97) && near(Some(bins[4].n_effective), 2.0)
        );
        for empty in &bins[1..4] {
            assert_eq!(
                (empty.n, empty.right, empty.mean_confidence, empty.low, empty.high),
                (0, None, None, None, None)
            );
        }
    }

    #[test]
    fn twenty_equal_labels_have_the_known_interval() {
        let mut labels = vec![label(0.97, true, 20.0); 19];
        labels.push(label(0.97, false, 20.0));
        let last = bins(&tally(labels), &BinEdges::default()).pop();
        assert!(last.is_some_and(|bin| {
            bin.low.is_some_and(|low| (low - 0.751_267_237_227_972).abs() < 1e-9)
                && bin.high.is_some_and(|high| (high - 0.998_734_910_502_050).abs() < 1e-9)
        }));
    }

    proptest! {
        #[test]
        fn every_label_is_in_one_bin(raw in proptest::collection::vec((0.0..=1.0_f64, any::<bool>(), 1.0..50.0_f64), 0..60)) {
            let labels: Vec<Label> = raw.iter().map(|(confidence, right, weight)| label(*confidence, *right, *weight)).collect();
            let count = labels.len() as u64;
            let bins = bins(&tally(labels), &BinEdges::default());
            prop_assert_eq!(bins.iter().map(|bin| bin.n).sum::<u64>(), count);
            for bin in bins.iter().filter(|bin| bin.n > 0) {
                prop_assert!(bin.n_effective <= bin.n as f64 + 1e-9);
                prop_assert!(bin.low <= bin.right.map(|right| right + 1e-9) && bin.right <= bin.high.map(|high| high + 1e-9));
            }
        }
    }
}
