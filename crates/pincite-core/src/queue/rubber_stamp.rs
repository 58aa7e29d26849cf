//! Runs of instant accepts: when a reviewer stops reading, the labels are worth nothing.
//!
//! Five accepts in a row by one reviewer, each faster than the field's floor, open an incident. Every decision in its window
//! is out of calibration until someone resolves it.
//!
//! Deliberately not here: resolving an incident, and what its decisions are worth afterwards (`calibration`).

use super::reason::DecisionKind;
use std::collections::BTreeMap;

/// How many accepts in a row make a run.
pub const RUN_LENGTH: usize = 5;

/// The least floor in milliseconds: nobody reads a passage and a value in less.
pub const LEAST_FLOOR: u64 = 4_000;

/// How many times to decision make a field's baseline: enough that a median of them is not one person's morning.
pub const BASELINE_LENGTH: usize = 20;

/// One decision as it was made, in the order of recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedDecision {
    /// The decision's id.
    pub decision_id: String,
    /// Who decided.
    pub reviewer: String,
    /// What was decided.
    pub kind: DecisionKind,
    /// Time to decision in milliseconds; `None` for a decision made without a window. Active time is meant: a window left open
    /// over lunch is no reading.
    pub milliseconds: Option<u64>,
    /// The field's floor in milliseconds when it was made; `None` where none held.
    pub floor: Option<u64>,
}

impl TimedDecision {
    /// Whether it is an accept under its floor. `None` where it says nothing about haste: an undo, or without time or floor.
    #[must_use]
    pub fn hasty(&self) -> Option<bool> {
        let (milliseconds, floor) = (self.milliseconds?, self.floor?);
        (self.kind != DecisionKind::Undo).then_some(self.kind == DecisionKind::Accept && milliseconds < floor)
    }
}

/// A run of accepts under the floor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    /// Who decided.
    pub reviewer: String,
    /// Every decision of this reviewer from the run's first accept to its last, in order, those without a time included. The
    /// first names the incident: it stays the same while the run grows.
    pub decisions: Vec<String>,
    /// How many accepts under the floor the run holds; at least [`RUN_LENGTH`].
    pub accepts: usize,
}

#[derive(Default)]
struct Run {
    /// From the run's first accept on; what follows the last accept is not yet inside of the window.
    decisions: Vec<String>,
    /// How many of `decisions` the window holds: up to the last accept.
    window: usize,
    accepts: usize,
}

/// The incidents in these decisions, which must be in the order of recording; several reviewers may be mixed. A run is found
/// once and as long as it is.
///
/// A decision without a floor or without a time neither counts nor breaks a run. Anything else that is no accept under its
/// floor breaks it; an undo does not, or a run could be hidden with one. The floor is the one that held when the decision was
/// made, so that a later setting makes nobody hasty in the past.
#[must_use]
pub fn find_incidents(decisions: &[TimedDecision]) -> Vec<Incident> {
    let mut runs: BTreeMap<&str, Run> = BTreeMap::new();
    let mut incidents = Vec::new();
    for decision in decisions {
        let run = runs.entry(&decision.reviewer).or_default();
        let under = decision.hasty();
        if under == Some(false) {
            incidents.extend(std::mem::take(run).incident(&decision.reviewer));
            continue;
        }
        if under == Some(true) || run.accepts > 0 {
            run.decisions.push(decision.decision_id.clone());
        }
        if under == Some(true) {
            run.accepts += 1;
            run.window = run.decisions.len();
        }
    }
    incidents.extend(runs.into_iter().filter_map(|(reviewer, run)| run.incident(reviewer)));
    incidents
}

impl Run {
    fn incident(mut self, reviewer: &str) -> Option<Incident> {
        self.decisions.truncate(self.window);
        (self.accepts >= RUN_LENGTH).then(|| Incident {
            reviewer: reviewer.to_owned(),
            decisions: self.decisions,
            accepts: self.accepts,
        })
    }
}

/// Where times to decision lie, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spread {
    /// The shortest.
    pub least: u64,
    /// A quarter are at most this.
    pub lower_quartile: u64,
    /// Half are at most this.
    pub median: u64,
    /// Three quarters are at most this.
    pub upper_quartile: u64,
    /// The longest.
    pub greatest: u64,
}

/// Where times to decision lie; `None` where there are none. Quartiles lie between their neighbours in proportion (Hyndman
/// and Fan's seventh definition), rounded down; the median of an even number of times is the mean of the two middle ones.
#[must_use]
pub fn spread(times: &[u64]) -> Option<Spread> {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let last = sorted.len().checked_sub(1)?;
    let quartile = |quarter: usize| {
        let place = last * quarter;
        let (low, high) = (sorted[place / 4], sorted[last.min(place / 4 + 1)]);
        let rest = u64::try_from(place % 4).unwrap_or_default();
        low + (high - low) / 4 * rest + (high - low) % 4 * rest / 4
    };
    Some(Spread {
        least: quartile(0),
        lower_quartile: quartile(1),
        median: quartile(2),
        upper_quartile: quartile(3),
        greatest: quartile(4),
    })
}

/// A field's floor in milliseconds from a frozen baseline of times to decision: the larger of [`LEAST_FLOOR`] and a fifth of
/// their median (of two middle ones, their mean; rounded down).
#[must_use]
pub fn floor(baseline: &[u64]) -> u64 {
    LEAST_FLOOR.max(spread(baseline).map_or(0, |spread| spread.median) / 5)
}

#[cfg(test)]
mod tests {
    use super::*;
    use DecisionKind::{Abstain, Accept, Reject, Undo};

    /// Decisions of one reviewer: kind and milliseconds; ids count from 0.
    fn decisions(reviewer: &str, steps: &[(DecisionKind, Option<u64>)]) -> Vec<TimedDecision> {
        steps
            .iter()
            .enumerate()
            .map(|(index, (kind, milliseconds))| TimedDecision {
                decision_id: format!("{reviewer}{index}"),
                reviewer: reviewer.to_owned(),
                kind: *kind,
                milliseconds: *milliseconds,
                floor: Some(4_000),
            })
            .collect()
    }

    fn found(steps: &[(DecisionKind, Option<u64>)]) -> Vec<(usize, Vec<String>)> {
        find_incidents(&decisions("r", steps))
            .into_iter()
            .map(|incident| (incident.accepts, incident.decisions))
            .collect()
    }

    const FAST: (DecisionKind, Option<u64>) = (Accept, Some(3_999));

    fn ids(range: std::ops::Range<usize>) -> Vec<String> {
        range.map(|index| format!("r{index}")).collect()
    }

    #[test]
    fn five_fast_accepts_in_a_row_are_an_incident() {
        assert_eq!(found(&[FAST; 4]), []);
        assert_eq!(found(&[FAST; 5]), [(5, ids(0..5))]);
        assert_eq!(found(&[FAST; 7]), [(7, ids(0..7))]);
        assert_eq!(found(&[FAST, FAST, FAST, FAST, (Accept, Some(4_000)), FAST]), []);
        assert_eq!(found(&[FAST, FAST, FAST, FAST, (Reject, Some(100)), FAST]), []);
        let mut two = vec![FAST; 5];
        two.push((Abstain, Some(9_000)));
        two.extend([FAST; 6]);
        assert_eq!(found(&two), [(5, ids(0..5)), (6, ids(6..12))]);
    }

    #[test]
    fn what_has_no_time_breaks_nothing_and_lies_in_the_window() {
        let none = (Accept, None);
        assert_eq!(
            found(&[
                none,
                FAST,
                FAST,
                (Reject, None),
                FAST,
                (Undo, Some(5)),
                FAST,
                FAST,
                none
            ]),
            [(5, ids(1..8))]
        );
        assert_eq!(found(&[none; 9]), []);
    }

    #[test]
    fn reviewers_and_floors_are_kept_apart() {
        let one = decisions("a", &[FAST; 5]);
        let other = decisions("b", &[FAST; 4]);
        let mixed: Vec<TimedDecision> = one
            .iter()
            .zip(&other)
            .flat_map(|(one, other)| [one.clone(), other.clone()])
            .chain(one.last().cloned())
            .collect();
        let reviewers: Vec<String> = find_incidents(&mixed)
            .into_iter()
            .map(|incident| incident.reviewer)
            .collect();
        assert_eq!(reviewers, ["a"]);
        for floor in [Some(3_999), None] {
            let of_floor = |decision: &TimedDecision| TimedDecision {
                floor,
                ..decision.clone()
            };
            assert_eq!(find_incidents(&mixed.iter().map(of_floor).collect::<Vec<_>>()), []);
        }
    }

    #[test]
    fn a_spread_has_its_quartiles_between_neighbours() {
        let of = |times: &[u64]| {
            spread(times).map(|spread| {
                [
                    spread.least,
                    spread.lower_quartile,
                    spread.median,
                    spread.upper_quartile,
                    spread.greatest,
                ]
            })
        };
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[7]), Some([7; 5]));
        assert_eq!(of(&[9, 1, 5, 3, 7]), Some([1, 3, 5, 7, 9]));
        // numpy.percentile([10, 20, 40, 80], [0, 25, 50, 75, 100]) is 10, 17.5, 30, 50, 80.
        assert_eq!(of(&[80, 10, 40, 20]), Some([10, 17, 30, 50, 80]));
        let (most, quarter) = (u64::MAX, u64::MAX / 4);
        assert_eq!(of(&[0, most]), Some([0, quarter, most / 2, quarter * 3 + 2, most]));
    }

    #[test]
    fn the_floor_is_a_fifth_of_the_median_but_four_seconds_at_least() {
        for (baseline, expected) in [
            (vec![], 4_000),
            (vec![1_000], 4_000),
            (vec![20_000], 4_000),
            (vec![90_000, 10_000, 50_000], 10_000),
            (vec![30_000, 40_000, 1_000_000, 10], 7_000),
            (vec![u64::MAX, u64::MAX], u64::MAX / 5),
        ] {
            assert_eq!(floor(&baseline), expected, "{baseline:?}");
        }
    }
}
