//! What the candidates of a curve add up to, apart for each period in which they arrived, and which periods are closed.
//!
//! **Why periods are closed.** Who decides what first is no accident: a clear right value takes seconds, a doubtful one waits. An
//! estimate over all that happens to be decided is too kind. In a period whose draws are all decided nothing waits, so nothing
//! was picked.
//!
//! **Why a week.** Whether a period is closed must not itself be a pick. A period with one draw is closed when that is decided,
//! which is no better than no period at all; the more draws it has, the less does its closing depend on any of them. A curve
//! with a few records a day has its draws by the week, and a week holds each weekday once, so that no rhythm of senders or
//! reviewers makes one period another kind than the next. Days would close sooner, months not before they are stale. Weeks are
//! those of ISO 8601, from Monday 00:00 UTC: the same everywhere, whoever looks.
//!
//! Counts are whole numbers (see [`super::tally`]), so that a kept sum can be changed by differences for ever.
//!
//! Deliberately not here: the estimates (`curve`), keeping sums (the store), what is known of a candidate (`curve` too).

use super::curve::{Counted, EXCLUDED_BY_INCIDENT};
use super::tally::{Tally, add_label, add_tallies, cell_of, remove_label, remove_tallies};
use crate::record::ReviewReason;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const DAY: i64 = 86_400_000;
/// Monday, 29 December 1969: the first Monday of a week that holds the beginning of 1970.
const FIRST_MONDAY: i64 = -3 * DAY;

/// The week in which a record was first routed: whole weeks since Monday, 29 December 1969, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cohort(pub i64);

impl Cohort {
    /// The week of a time, in milliseconds since 1970 UTC.
    #[must_use]
    pub const fn of(milliseconds: i64) -> Self {
        Self((milliseconds - FIRST_MONDAY).div_euclid(7 * DAY))
    }

    /// When it begins, in milliseconds since 1970 UTC.
    #[must_use]
    pub const fn start(self) -> i64 {
        self.0 * 7 * DAY + FIRST_MONDAY
    }
}

/// Why a label does not feed its curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Cause {
    /// Its item was queued for this reason, which says nothing about confidence.
    Reason(ReviewReason),
    /// The decision lies in an incident that nobody has kept.
    Incident,
}

impl Cause {
    /// The word used on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reason(reason) => reason.name(),
            Self::Incident => EXCLUDED_BY_INCIDENT,
        }
    }
}

/// One candidate as its curve counts it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Counting {
    /// Its reported confidence.
    pub confidence: f64,
    /// How it counts; `None` where nothing is known of it.
    pub counted: Option<Counted>,
    /// Whether its label comes from a decision on another candidate of the same item.
    pub derived: bool,
    /// Whether it was drawn for an audit.
    pub audit: bool,
}

/// What some candidates of a curve add up to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// How many candidates there are in each thousandth of confidence (see [`cell_of`]), looked at or not, in order.
    pub candidates: Vec<(u16, u64)>,
    /// The labels.
    pub decided: Vec<Tally>,
    /// Drawn or queued for a reason that feeds the curve and not decided: as if all were wrong.
    pub pending: Vec<Tally>,
    /// How many of the decided ones are derived.
    pub derived: u64,
    /// How many of the decided ones were drawn for an audit.
    pub audits: u64,
    /// Labels that do not feed the curve.
    pub excluded: BTreeMap<Cause, u64>,
}

impl Counts {
    /// Counts one candidate more. One whose confidence is not from 0 to 1 is left out.
    pub fn add(&mut self, counting: &Counting) {
        let Some(cell) = thousandth(counting.confidence) else {
            return;
        };
        match self.candidates.binary_search_by_key(&cell, |(cell, _)| *cell) {
            Ok(at) => {
                if let Some((_, count)) = self.candidates.get_mut(at) {
                    *count += 1;
                }
            }
            Err(at) => self.candidates.insert(at, (cell, 1)),
        }
        match counting.counted {
            Some(Counted::Decided(label)) => {
                add_label(&mut self.decided, &label);
                self.derived += u64::from(counting.derived);
                self.audits += u64::from(counting.audit);
            }
            Some(Counted::Pending(label)) => add_label(&mut self.pending, &label),
            Some(Counted::Excluded(cause)) => *self.excluded.entry(cause).or_default() += 1,
            None => {}
        }
    }

    /// Takes a candidate away again. `None` where it is not among those counted; what is left then means nothing.
    #[must_use]
    pub fn remove(&mut self, counting: &Counting) -> Option<()> {
        let Some(cell) = thousandth(counting.confidence) else {
            return Some(());
        };
        let at = self.candidates.binary_search_by_key(&cell, |(cell, _)| *cell).ok()?;
        let (_, count) = self.candidates.get_mut(at)?;
        *count -= 1;
        if *count == 0 {
            self.candidates.remove(at);
        }
        match counting.counted {
            Some(Counted::Decided(label)) => {
                self.derived = self.derived.checked_sub(u64::from(counting.derived))?;
                self.audits = self.audits.checked_sub(u64::from(counting.audit))?;
                remove_label(&mut self.decided, &label).then_some(())
            }
            Some(Counted::Pending(label)) => remove_label(&mut self.pending, &label).then_some(()),
            Some(Counted::Excluded(cause)) => less(&mut self.excluded, cause, 1),
            None => Some(()),
        }
    }

    /// Counts what others have too.
    pub fn add_all(&mut self, other: &Self) {
        let mut candidates: BTreeMap<u16, u64> = self.candidates.iter().copied().collect();
        for (cell, count) in &other.candidates {
            *candidates.entry(*cell).or_default() += count;
        }
        self.candidates = candidates.into_iter().collect();
        add_tallies(&mut self.decided, &other.decided);
        add_tallies(&mut self.pending, &other.pending);
        self.derived += other.derived;
        self.audits += other.audits;
        for (cause, count) in &other.excluded {
            *self.excluded.entry(*cause).or_default() += count;
        }
    }

    /// Takes away what others have. `None` where not all of it is there; what is left then means nothing.
    #[must_use]
    pub fn remove_all(&mut self, other: &Self) -> Option<()> {
        let mut candidates: BTreeMap<u16, u64> = self.candidates.iter().copied().collect();
        for (cell, count) in &other.candidates {
            less(&mut candidates, *cell, *count)?;
        }
        self.candidates = candidates.into_iter().collect();
        self.derived = self.derived.checked_sub(other.derived)?;
        self.audits = self.audits.checked_sub(other.audits)?;
        for (cause, count) in &other.excluded {
            less(&mut self.excluded, *cause, *count)?;
        }
        (remove_tallies(&mut self.decided, &other.decided) && remove_tallies(&mut self.pending, &other.pending))
            .then_some(())
    }

    /// Whether nothing waits for a decision.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.pending.is_empty()
    }
}

fn thousandth(confidence: f64) -> Option<u16> {
    cell_of(confidence).and_then(|cell| u16::try_from(cell).ok())
}

fn less<Key: Ord>(counts: &mut BTreeMap<Key, u64>, key: Key, by: u64) -> Option<()> {
    let left = counts.get(&key)?.checked_sub(by)?;
    if left == 0 {
        counts.remove(&key);
    } else {
        counts.insert(key, left);
    }
    Some(())
}

/// The closed cohorts of a curve together.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Closed {
    /// What they add up to.
    pub counts: Counts,
    /// How many of them have labels.
    pub cohorts: u64,
}

impl Closed {
    /// Puts a cohort among the closed ones, if it is one. Answers whether it is.
    pub fn put(&mut self, cohort: &Counts) -> bool {
        if cohort.is_closed() {
            self.counts.add_all(cohort);
            self.cohorts += u64::from(!cohort.decided.is_empty());
        }
        cohort.is_closed()
    }

    /// Takes a cohort out again, if it is a closed one. `None` where it was not put in; what is left then means nothing.
    #[must_use]
    pub fn take(&mut self, cohort: &Counts) -> Option<()> {
        if cohort.is_closed() {
            self.counts.remove_all(cohort)?;
            self.cohorts = self.cohorts.checked_sub(u64::from(!cohort.decided.is_empty()))?;
        }
        Some(())
    }
}

/// What one curve is measured from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CurveLabels {
    /// Cohorts in which nothing waits.
    pub closed: Closed,
    /// Cohorts in which something does, together.
    pub open: Counts,
    /// How many of these there are.
    pub open_cohorts: u64,
    /// The oldest of them.
    pub open_since: Option<Cohort>,
}

impl CurveLabels {
    /// Counts a cohort, closed or open. Each is counted once.
    pub fn add_cohort(&mut self, cohort: Cohort, counts: &Counts) {
        if !self.closed.put(counts) {
            self.open.add_all(counts);
            self.open_cohorts += 1;
            self.open_since = Some(self.open_since.map_or(cohort, |known| known.min(cohort)));
        }
    }

    /// The same curve counted with another, as if both were one. Cohorts are counted for each.
    pub fn add_all(&mut self, other: &Self) {
        self.closed.counts.add_all(&other.closed.counts);
        self.closed.cohorts += other.closed.cohorts;
        self.open.add_all(&other.open);
        self.open_cohorts += other.open_cohorts;
        self.open_since = [self.open_since, other.open_since].into_iter().flatten().min();
    }

    /// Whether a cohort with labels is closed, so that the estimate rests on closed ones alone.
    #[must_use]
    pub const fn any_closed(&self) -> bool {
        self.closed.cohorts > 0
    }

    /// What the estimate rests on: closed cohorts; where none has labels yet, whatever is decided.
    #[must_use]
    pub const fn estimated(&self) -> &Counts {
        if self.any_closed() {
            &self.closed.counts
        } else {
            &self.open
        }
    }

    /// Every label, of closed and open cohorts.
    #[must_use]
    pub fn decided(&self) -> Vec<Tally> {
        [&self.closed.counts.decided[..], &self.open.decided].concat()
    }

    /// What waits, as if all were wrong.
    #[must_use]
    pub fn pending(&self) -> &[Tally] {
        &self.open.pending
    }

    /// Every label together with what waits, taken as wrong: what a threshold is tested on.
    #[must_use]
    pub fn worst_case(&self) -> Vec<Tally> {
        let mut all = self.decided();
        all.extend_from_slice(self.pending());
        all
    }

    /// Every candidate, looked at or not, by thousandth; one may come twice.
    pub fn candidates(&self) -> impl Iterator<Item = (u16, u64)> + '_ {
        self.closed
            .counts
            .candidates
            .iter()
            .chain(&self.open.candidates)
            .copied()
    }

    /// Labels that do not feed the curve, by the reason they were queued for or [`EXCLUDED_BY_INCIDENT`].
    #[must_use]
    pub fn excluded(&self) -> BTreeMap<&'static str, u64> {
        let mut by_name = BTreeMap::new();
        for (cause, count) in self.closed.counts.excluded.iter().chain(&self.open.excluded) {
            *by_name.entry(cause.name()).or_default() += count;
        }
        by_name
    }
}

#[cfg(test)]
mod tests {
    use super::super::tally::Label;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_week_begins_on_monday_at_midnight_utc() {
        // 2026-11-30 is a Monday.
        let monday = 1_795_996_800_000;
        let week = Cohort::of(monday);
        assert_eq!((week.start(), Cohort::of(monday - 1)), (monday, Cohort(week.0 - 1)));
        assert_eq!(Cohort::of(monday + 7 * DAY - 1), week);
        assert_eq!(Cohort::of(monday + 7 * DAY), Cohort(week.0 + 1));
        assert_eq!((Cohort::of(0), Cohort::of(FIRST_MONDAY - 1)), (Cohort(0), Cohort(-1)));
    }

    fn counting(confidence: f64, kind: u8) -> Counting {
        let label = |right| Label {
            confidence,
            right,
            probability: if confidence < 0.5 { 1.0 } else { 0.25 },
        };
        Counting {
            confidence,
            counted: match kind {
                0 => Some(Counted::Decided(label(true))),
                1 => Some(Counted::Decided(label(false))),
                2 => Some(Counted::Pending(label(false))),
                3 => Some(Counted::Excluded(Cause::Incident)),
                4 => Some(Counted::Excluded(Cause::Reason(ReviewReason::Conflicting))),
                _ => None,
            },
            derived: kind == 1,
            audit: confidence >= 0.5,
        }
    }

    fn sum(of: &[Counting]) -> Counts {
        let mut counts = Counts::default();
        of.iter().for_each(|one| counts.add(one));
        counts
    }

    #[test]
    fn the_estimate_rests_on_closed_cohorts_where_there_is_one() {
        let mut labels = CurveLabels::default();
        labels.add_cohort(Cohort(7), &sum(&[counting(0.9, 0), counting(0.9, 2)]));
        // Nothing was drawn in this one: it closes nothing.
        labels.add_cohort(Cohort(8), &sum(&[counting(0.9, 5)]));
        assert!(!labels.any_closed() && labels.estimated().decided.len() == 1);
        labels.add_cohort(Cohort(5), &sum(&[counting(0.3, 2)]));
        labels.add_cohort(Cohort(6), &sum(&[counting(0.3, 1), counting(0.3, 3)]));
        assert_eq!(
            (labels.closed.cohorts, labels.open_cohorts, labels.open_since),
            (1, 2, Some(Cohort(5)))
        );
        assert_eq!(labels.estimated().decided.iter().map(Tally::n).sum::<u64>(), 1);
        assert_eq!((labels.decided().len(), labels.worst_case().len()), (2, 4));
        assert_eq!(labels.candidates().map(|(_, count)| count).sum::<u64>(), 6);
        assert_eq!(labels.excluded(), BTreeMap::from([("incident", 1)]));
    }

    proptest! {
        #[test]
        fn differences_end_where_a_recount_does(
            raw in proptest::collection::vec((0..=20_u8, 0..6_u8), 0..30),
            gone in proptest::collection::vec((0..=20_u8, 0..6_u8), 0..30),
        ) {
            let made = |raw: &[(u8, u8)]| -> Vec<Counting> {
                raw.iter().map(|(confidence, kind)| counting(f64::from(*confidence) / 20.0, *kind)).collect()
            };
            let (kept, gone) = (made(&raw), made(&gone));
            let wanted = sum(&kept);
            let mut counts = sum(&gone);
            kept.iter().for_each(|one| counts.add(one));
            let mut together = sum(&gone);
            together.add_all(&wanted);
            prop_assert_eq!(&counts, &together);
            prop_assert!(gone.iter().all(|one| counts.remove(one).is_some()));
            prop_assert_eq!(&counts, &wanted);
            prop_assert!(together.remove_all(&sum(&gone)).is_some());
            prop_assert_eq!(&together, &wanted);
            let mut closed = Closed::default();
            let put = closed.put(&wanted);
            prop_assert_eq!(put, wanted.pending.is_empty());
            prop_assert!(closed.take(&wanted).is_some());
            prop_assert_eq!(closed, Closed::default());
        }
    }
}
