//! The curve that rises: the nearest one to the bins that never says a more confident candidate is less often right.
//!
//! Pool adjacent violators: M. Ayer, H. D. Brunk, G. M. Ewing, W. T. Reid, E. Silverman, "An Empirical Distribution Function for
//! Sampling with Incomplete Information", Annals of Mathematical Statistics 26 (1955). Least squares, each share counted by
//! its weight.
//!
//! Deliberately not here: replacing the bins. It stands beside them; where the two differ much, confidence does not rank.

/// The rising sequence nearest to `shares`, each with its weight (over 0). As long as `shares`.
#[must_use]
pub fn rising(shares: &[(f64, f64)]) -> Vec<f64> {
    // Blocks of neighbours that share one value: its mean, its weight, how many.
    let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
    for (share, weight) in shares {
        let mut block = (*share, *weight, 1);
        while let Some(last) = blocks.last().copied().filter(|last| last.0 > block.0) {
            blocks.pop();
            let weight = last.1 + block.1;
            block = ((last.0 * last.1 + block.0 * block.1) / weight, weight, last.2 + block.2);
        }
        blocks.push(block);
    }
    blocks
        .into_iter()
        .flat_map(|(mean, _, count)| std::iter::repeat_n(mean, count))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn neighbours_that_fall_are_pooled_by_weight() {
        assert_eq!(rising(&[]), Vec::<f64>::new());
        assert_eq!(
            rising(&[(0.2, 1.0), (0.5, 9.0), (0.5, 1.0), (0.9, 1.0)]),
            [0.2, 0.5, 0.5, 0.9]
        );
        assert_eq!(rising(&[(0.75, 3.0), (0.25, 1.0), (0.9, 1.0)]), [0.625, 0.625, 0.9]);
        // Pooling two may make them fall below the one before.
        assert_eq!(
            rising(&[(0.5, 2.0), (0.625, 1.0), (0.125, 1.0)]),
            [0.4375, 0.4375, 0.4375]
        );
    }

    proptest! {
        #[test]
        fn it_rises_and_keeps_the_weighted_mean(shares in proptest::collection::vec((0.0..=1.0_f64, 0.1..50.0_f64), 1..12)) {
            let fitted = rising(&shares);
            prop_assert_eq!(fitted.len(), shares.len());
            prop_assert!(fitted.windows(2).all(|pair| pair[0] <= pair[1]));
            let mean = |values: &[f64]| -> f64 { values.iter().zip(&shares).map(|(value, (_, weight))| value * weight).sum() };
            let given: Vec<f64> = shares.iter().map(|(share, _)| *share).collect();
            prop_assert!((mean(&fitted) - mean(&given)).abs() < 1e-9);
            // No rising sequence is nearer: a step towards any other pools' mean makes it worse (checked against constants).
            let loss = |values: &[f64]| -> f64 {
                values.iter().zip(&shares).map(|(value, (share, weight))| weight * (value - share) * (value - share)).sum()
            };
            let total: f64 = shares.iter().map(|(_, weight)| weight).sum();
            let flat = vec![mean(&given) / total; shares.len()];
            prop_assert!(loss(&fitted) <= loss(&flat) + 1e-9);
        }
    }
}
