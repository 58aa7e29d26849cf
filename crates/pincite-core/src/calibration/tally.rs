//! Labels counted together: what every estimate is computed from.
//!
//! A million decisions fit into some hundred tallies a curve, so that a curve is drawn at once and a summary of it can be kept up
//! to date with each decision. Labels of one tally have the same inclusion probability and lie in one thousandth of
//! confidence, so that bins and thresholds at whole thousandths never cut one.
//!
//! **Exact.** Sums are whole numbers of 2^-60, finer than what an f64 between 1/128 and 1 can tell. Their order does not
//! matter, and what is added and taken away again leaves no trace: a summary kept by differences is a recount, bit for bit.
//!
//! Deliberately not here: which labels count (`curve`), and keeping tallies (the store does).

use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// One decided candidate.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Label {
    /// The reported confidence, 0 to 1. A label outside of it, which no valid record has, is in no tally.
    pub confidence: f64,
    /// Whether the candidate was right: accepted unchanged, or equal to the true value by typed equality.
    pub right: bool,
    /// The probability with which the candidate came to be looked at, over 0 and at most 1. Its weight is one over that.
    pub probability: f64,
}

/// How many tallies the confidences from 0 to 1 fall into, the last one for exactly 1.
pub const CELLS: usize = 1_001;

/// The thousandth of confidence, from 0 to 1000, that a confidence falls into: `k / 1000 <= confidence < (k + 1) / 1000`. `None`
/// outside of 0 to 1.
#[must_use]
pub fn cell_of(confidence: f64) -> Option<usize> {
    if !(0.0..=1.0).contains(&confidence) {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and 1000"
    )]
    let near = (confidence * 1_000.0) as usize;
    // The product may be rounded over a border that the confidence is not over, or not up to one that it is on.
    if confidence < cell_start(near) {
        Some(near - 1)
    } else if near + 1 < CELLS && confidence >= cell_start(near + 1) {
        Some(near + 1)
    } else {
        Some(near)
    }
}

/// The least confidence of a thousandth.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "at most 1000")]
pub fn cell_start(cell: usize) -> f64 {
    cell as f64 / 1_000.0
}

/// 1, in the parts that sums are counted in.
const ONE: f64 = (1_u64 << 60) as f64;

/// A number from 0 to 1 in whole parts.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "between 0 and 2^60"
)]
fn parts(number: f64) -> u128 {
    u128::from((number * ONE) as u64)
}

/// A sum of parts as a number.
#[expect(clippy::cast_precision_loss, reason = "rounded once, when everything is summed")]
fn number(parts: u128) -> f64 {
    parts as f64 / ONE
}

/// Labels of one inclusion probability whose confidences are near each other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// No label's confidence is less, and none lies beyond a border (of a bin, of a threshold's grid) that is over it.
    pub least: f64,
    /// The probability with which each came to be looked at, over 0 and at most 1.
    pub probability: f64,
    /// How many were right.
    pub right: u64,
    /// How many were wrong.
    pub wrong: u64,
    confidence: u128,
    squared: u128,
    fourth: u128,
}

impl Tally {
    /// Nothing counted yet.
    #[must_use]
    pub const fn empty(least: f64, probability: f64) -> Self {
        Self {
            least,
            probability,
            right: 0,
            wrong: 0,
            confidence: 0,
            squared: 0,
            fourth: 0,
        }
    }

    /// One label alone.
    #[must_use]
    pub fn of(label: &Label) -> Self {
        let mut tally = Self::empty(label.confidence, label.probability);
        tally.add(label);
        tally
    }

    /// Counts one more label, whose probability must be this tally's.
    pub fn add(&mut self, label: &Label) {
        let distance = label.confidence - if label.right { 1.0 } else { 0.0 };
        let squared = distance * distance;
        self.right += u64::from(label.right);
        self.wrong += u64::from(!label.right);
        self.confidence += parts(label.confidence);
        self.squared += parts(squared);
        self.fourth += parts(squared * squared);
    }

    /// Counts what another tally of the same thousandth and probability has.
    fn add_all(&mut self, other: &Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.confidence += other.confidence;
        self.squared += other.squared;
        self.fourth += other.fourth;
    }

    /// This without what the other has; `None` where it has not all of it.
    fn without(&self, other: &Self) -> Option<Self> {
        Some(Self {
            least: self.least,
            probability: self.probability,
            right: self.right.checked_sub(other.right)?,
            wrong: self.wrong.checked_sub(other.wrong)?,
            confidence: self.confidence.checked_sub(other.confidence)?,
            squared: self.squared.checked_sub(other.squared)?,
            fourth: self.fourth.checked_sub(other.fourth)?,
        })
    }

    /// How many labels.
    #[must_use]
    pub const fn n(&self) -> u64 {
        self.right + self.wrong
    }

    /// The sum of confidences.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        number(self.confidence)
    }

    /// The sum of squared distances of confidence and outcome (1 for right, 0 for wrong).
    #[must_use]
    pub fn squared(&self) -> f64 {
        number(self.squared)
    }

    /// The sum of their fourth powers.
    #[must_use]
    pub fn fourth(&self) -> f64 {
        number(self.fourth)
    }

    /// Least confidence first and, within a thousandth, least probability first.
    fn order(&self, other: &Self) -> Ordering {
        (self.least.total_cmp(&other.least)).then(self.probability.total_cmp(&other.probability))
    }
}

/// The tally that a label alone makes; `None` without a confidence of 0 to 1 or a probability over 0 and at most 1.
fn tally_of(label: &Label) -> Option<Tally> {
    let cell = cell_of(label.confidence).filter(|_| label.probability > 0.0 && label.probability <= 1.0)?;
    let mut tally = Tally::empty(cell_start(cell), label.probability);
    tally.add(label);
    Some(tally)
}

/// Counts one more label among tallies in order, as [`tally`] would have. One that no tally takes is left out.
pub fn add_label(tallies: &mut Vec<Tally>, label: &Label) {
    if let Some(one) = tally_of(label) {
        add_tally(tallies, &one);
    }
}

fn add_tally(tallies: &mut Vec<Tally>, one: &Tally) {
    match tallies.binary_search_by(|tally| tally.order(one)) {
        Ok(at) => {
            if let Some(same) = tallies.get_mut(at) {
                same.add_all(one);
            }
        }
        Err(at) => tallies.insert(at, *one),
    }
}

/// Counts what other tallies in order have too.
pub fn add_tallies(tallies: &mut Vec<Tally>, others: &[Tally]) {
    if tallies.is_empty() {
        tallies.extend_from_slice(others);
        return;
    }
    let mut merged: Vec<Tally> = Vec::with_capacity(tallies.len() + others.len());
    let mut others = others.iter().peekable();
    for mut own in tallies.drain(..) {
        while let Some(other) = others.next_if(|other| other.order(&own) == Ordering::Less) {
            merged.push(*other);
        }
        if let Some(same) = others.next_if(|other| other.order(&own) == Ordering::Equal) {
            own.add_all(same);
        }
        merged.push(own);
    }
    merged.extend(others);
    *tallies = merged;
}

/// Takes a label away again. Answers whether it was there, as far as the sums can tell; where not, nothing changes.
#[must_use]
pub fn remove_label(tallies: &mut Vec<Tally>, label: &Label) -> bool {
    tally_of(label).is_none_or(|one| remove_tallies(tallies, &[one]))
}

/// Takes away what other tallies in order have. Answers whether all of it was there; where not, nothing changes.
#[must_use]
pub fn remove_tallies(tallies: &mut Vec<Tally>, others: &[Tally]) -> bool {
    let mut others = others.iter().peekable();
    let mut left = Vec::with_capacity(tallies.len());
    for own in tallies.iter() {
        let rest = match others.next_if(|other| other.order(own) == Ordering::Equal) {
            Some(other) => own.without(other),
            None => Some(*own),
        };
        match rest {
            Some(rest) => left.extend((rest.n() > 0).then_some(rest)),
            None => return false,
        }
    }
    let all = others.next().is_none();
    if all {
        *tallies = left;
    }
    all
}

/// Labels counted by thousandth and probability, least confidence first and, within a thousandth, least probability first.
/// Those without a confidence of 0 to 1 or a probability over 0 and at most 1 are left out.
#[must_use]
pub fn tally(labels: impl IntoIterator<Item = Label>) -> Vec<Tally> {
    // Shares are few (a setting and its earlier values), so a short list is searched faster than a map.
    let mut shares: Vec<(f64, Vec<Option<Tally>>)> = Vec::new();
    for label in labels {
        let Some(cell) = cell_of(label.confidence) else {
            continue;
        };
        if !(label.probability > 0.0 && label.probability <= 1.0) {
            continue;
        }
        let at = match shares
            .iter()
            .position(|(share, _)| share.to_bits() == label.probability.to_bits())
        {
            Some(at) => at,
            None => {
                shares.push((label.probability, vec![None; CELLS]));
                shares.len() - 1
            }
        };
        if let Some(slot) = shares.get_mut(at).and_then(|(_, cells)| cells.get_mut(cell)) {
            slot.get_or_insert_with(|| Tally::empty(cell_start(cell), label.probability))
                .add(&label);
        }
    }
    shares.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    (0..CELLS)
        .flat_map(|cell| {
            shares
                .iter()
                .filter_map(move |(_, cells)| cells.get(cell).copied().flatten())
        })
        .collect()
}

/// Weighted sums over some tallies: a label counts by one over its inclusion probability.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    pub(crate) count: u64,
    /// The sum of weights.
    pub(crate) weight: f64,
    /// The sum of squared weights.
    pub(crate) squares: f64,
    /// The weight of what was right.
    pub(crate) right: f64,
    /// Weighted sums of confidences, squared distances, fourth powers.
    pub(crate) confidence: f64,
    pub(crate) squared: f64,
    /// Sums with squared weights: of distances, squared distances, fourth powers.
    pub(crate) twice_distance: f64,
    pub(crate) twice_squared: f64,
    pub(crate) twice_fourth: f64,
}

impl Sums {
    pub(crate) fn of<'tally>(tallies: impl IntoIterator<Item = &'tally Tally>) -> Self {
        let mut sums = Self::default();
        for tally in tallies {
            sums.add(tally);
        }
        sums
    }

    #[expect(clippy::cast_precision_loss, reason = "a count of labels is far below 2^53")]
    pub(crate) fn add(&mut self, tally: &Tally) {
        let weight = 1.0 / tally.probability;
        let (n, right) = (tally.n() as f64, tally.right as f64);
        self.count += tally.n();
        self.weight += weight * n;
        self.squares += weight * weight * n;
        self.right += weight * right;
        self.confidence += weight * tally.confidence();
        self.squared += weight * tally.squared();
        self.twice_distance += weight * weight * (tally.confidence() - right);
        self.twice_squared += weight * weight * tally.squared();
        self.twice_fourth += weight * weight * tally.fourth();
    }

    /// Kish's effective count, (sum of weights)² / sum of squared weights: L. Kish, "Survey Sampling" (1965), 11.7. 0 without
    /// labels.
    pub(crate) fn effective(&self) -> f64 {
        if self.squares > 0.0 {
            self.weight * self.weight / self.squares
        } else {
            0.0
        }
    }

    pub(crate) fn mean(&self, sum: f64) -> Option<f64> {
        (self.weight > 0.0).then(|| sum / self.weight)
    }
}

/// How many equally weighted labels would say as much as these (Kish).
#[must_use]
pub fn effective_count(tallies: &[Tally]) -> f64 {
    Sums::of(tallies).effective()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_confidence_written_as_thousandths_starts_its_own_cell() {
        for cell in 0..CELLS {
            // As read from text, which is how confidences arrive.
            let written: f64 = format!("0.{cell:03}").parse().unwrap_or(1.0);
            let written = if cell == 1_000 { 1.0 } else { written };
            assert_eq!(cell_of(written), Some(cell));
            assert_eq!(cell_of(written.next_down()), cell.checked_sub(1));
        }
        for outside in [-0.001, 1.000_001, f64::NAN, f64::INFINITY] {
            assert_eq!(cell_of(outside), None);
        }
    }

    #[test]
    fn labels_of_one_cell_and_share_are_one_tally() {
        let label = |confidence, right, probability| Label {
            confidence,
            right,
            probability,
        };
        let tallies = tally([
            label(0.9501, true, 0.1),
            label(0.9509, false, 0.1),
            label(0.9501, true, 1.0),
            label(0.2, false, 1.0),
            label(0.2, true, 0.0),
            label(f64::NAN, true, 1.0),
        ]);
        let kept: Vec<_> = tallies
            .iter()
            .map(|one| (one.least, one.probability, one.right, one.wrong))
            .collect();
        assert_eq!(kept, [(0.2, 1.0, 0, 1), (0.95, 0.1, 1, 1), (0.95, 1.0, 1, 0)]);
        let drawn = tallies[1];
        assert!((drawn.confidence() - 1.901).abs() < 1e-12);
        assert!((drawn.squared() - (0.0499 * 0.0499 + 0.9509 * 0.9509)).abs() < 1e-12);
    }

    /// Labels at few confidences and shares, so that they meet.
    fn meeting(raw: &[(u32, bool, bool)]) -> Vec<Label> {
        raw.iter()
            .map(|(confidence, right, drawn)| Label {
                confidence: f64::from(*confidence) / 7_000.0,
                right: *right,
                probability: if *drawn { 0.1 } else { 1.0 },
            })
            .collect()
    }

    proptest! {
        #[test]
        fn what_is_added_and_taken_away_leaves_no_trace(
            kept in proptest::collection::vec((0..=40_u32, any::<bool>(), any::<bool>()), 0..40),
            gone in proptest::collection::vec((0..=40_u32, any::<bool>(), any::<bool>()), 0..40),
        ) {
            let (kept, gone) = (meeting(&kept), meeting(&gone));
            let wanted = tally(kept.clone());
            let mut one_by_one = Vec::new();
            kept.iter().chain(&gone).for_each(|label| add_label(&mut one_by_one, label));
            let mut together = tally(gone.clone());
            add_tallies(&mut together, &wanted);
            prop_assert_eq!(&one_by_one, &together);
            prop_assert!(gone.iter().all(|label| remove_label(&mut one_by_one, label)));
            prop_assert_eq!(&one_by_one, &wanted);
            prop_assert!(remove_tallies(&mut together, &tally(gone.clone())));
            prop_assert_eq!(&together, &wanted);
            // What is not there can't be taken, and then nothing is.
            if !gone.is_empty() {
                let mut all = tally(gone.clone());
                add_tallies(&mut all, &wanted);
                add_tallies(&mut all, &tally(gone));
                prop_assert!(!remove_tallies(&mut together, &all));
                prop_assert_eq!(&together, &wanted);
            }
        }

        #[test]
        fn counting_together_loses_nothing(raw in proptest::collection::vec((0.0..=1.0_f64, any::<bool>(), 1..=4_u8), 0..80)) {
            let labels: Vec<Label> = raw
                .iter()
                .map(|(confidence, right, share)| Label { confidence: *confidence, right: *right, probability: f64::from(*share) / 4.0 })
                .collect();
            let (one, each) = (Sums::of(&tally(labels.clone())), Sums::of(&labels.iter().map(Tally::of).collect::<Vec<_>>()));
            prop_assert_eq!(one.count, each.count);
            for (one, each) in [(one.weight, each.weight), (one.right, each.right), (one.squared, each.squared), (one.twice_fourth, each.twice_fourth)] {
                prop_assert!((one - each).abs() <= 1e-9 * each.abs().max(1.0));
            }
        }
    }
}
