//! Curves and calibration errors against other programs' (fixtures/calibration/reference.py made the numbers).

use super::bins::{Bin, BinEdges, bins};
use super::errors::ece;
use super::tally::{Label, tally};
use serde::Deserialize;

#[derive(Deserialize)]
struct Case {
    bins: usize,
    confidence: Vec<f64>,
    right: Vec<u8>,
    /// Of the bins that are not empty.
    share_right: Vec<f64>,
    mean_confidence: Vec<f64>,
    ece: f64,
}

#[test]
fn unweighted_curves_are_those_of_scikit_learn_and_netcal() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("../../../../fixtures/calibration/reference.json"))
        .unwrap_or_else(|error| unreachable!("{error}"));
    assert_eq!(cases.len(), 5);
    for case in cases {
        let edges = (1..case.bins).map(|edge| edge as f64 / case.bins as f64).collect();
        let edges = BinEdges::new(edges).unwrap_or_default();
        assert_eq!(edges.ranges().count(), case.bins);
        let labels = case
            .confidence
            .iter()
            .zip(&case.right)
            .map(|(confidence, right)| Label {
                confidence: *confidence,
                right: *right == 1,
                probability: 1.0,
            });
        let tallies = tally(labels);
        let found: Vec<Bin> = bins(&tallies, &edges).into_iter().filter(|bin| bin.n > 0).collect();
        assert_eq!(found.len(), case.share_right.len());
        for (bin, (share, mean)) in found.iter().zip(case.share_right.iter().zip(&case.mean_confidence)) {
            assert!(bin.right.is_some_and(|right| (right - share).abs() < 1e-12));
            assert!(
                bin.mean_confidence
                    .is_some_and(|confidence| (confidence - mean).abs() < 1e-12)
            );
        }
        assert!(ece(&tallies, &edges).is_some_and(|found| (found.value - case.ece).abs() < 1e-12));
    }
}
