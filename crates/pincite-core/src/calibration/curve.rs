//! One calibration curve for each (field, model, prompt version), for absent apart from present.
//!
//! A new model or prompt version starts a new curve. Only items queued for low confidence or a sample audit feed it; what was
//! queued for a fault of the record, or decided in an incident that nobody has resolved, is counted apart. The estimate rests on
//! closed cohorts ([`super::cohorts`]); while there is none, on whatever is decided, and the curve says so. What was drawn and is
//! not yet decided is counted too, and a worst case over all cohorts that takes it as wrong stands beside the estimate.
//!
//! **Derived labels.** A decision states the true value, so it also labels candidates that nobody looked at. Such a label came
//! to be known when the item was reviewed, so it takes the reason and the share of the candidate that was: every candidate of
//! the item is then represented as often as the item is.
//!
//! Deliberately not here: typed equality (the caller says right or wrong), cohorts and their closing (`cohorts`), kept decisions.

use super::bins::{Bin, BinEdges, bins};
use super::cohorts::{Cause, Cohort, Counting, Counts, CurveLabels};
use super::errors::{Estimate, brier, ece};
use super::tally::{Label, Tally, effective_count};
use super::weights::{feeds_curves, inclusion_probability};
use crate::record::{ReviewReason, Status};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// From how many effective labels on a curve counts as calibrated. Thirty is where an interval of 95 % around 0.9 is about
/// 0.25 wide: enough to look at, and far from enough for a strict threshold, which has its own test.
pub const LEAST_EFFECTIVE_LABELS: f64 = 30.0;

/// Under which name labels of unresolved incidents are counted among the excluded.
pub const EXCLUDED_BY_INCIDENT: &str = "incident";

/// What a curve is of: candidates that state a value, or candidates that say there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CurveSubject {
    /// Candidates with a value.
    Present,
    /// Candidates that found none.
    Absent,
}

impl CurveSubject {
    /// The subject of a record's status; `None` for a conflicting one, which feeds no curve.
    #[must_use]
    pub const fn of(status: Status) -> Option<Self> {
        match status {
            Status::Present => Some(Self::Present),
            Status::Absent => Some(Self::Absent),
            Status::Conflicting => None,
        }
    }

    /// The word used on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::Absent => "absent",
        }
    }
}

/// Which curve a candidate belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CurveKey {
    /// The field's name.
    pub field: String,
    /// The extractor's model.
    pub model: String,
    /// The extractor's prompt version.
    pub prompt_version: String,
    /// Present or absent.
    pub of: CurveSubject,
}

/// What is known of a candidate's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CandidateLabel {
    /// Accepted unchanged, or equal to the true value.
    Right,
    /// Not the true value, or equal to a rejected one.
    Wrong,
    /// Its item waits for a decision.
    Pending,
    /// Never queued, or decided in a way that says nothing of this candidate.
    Unknown,
}

/// One candidate with what is known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct CurveCandidate {
    /// Which curve it belongs to.
    pub key: CurveKey,
    /// When its extractor said so first.
    pub cohort: Cohort,
    /// Its reported confidence; one outside of 0 to 1 is in no bin.
    pub confidence: f64,
    /// Why its item is or was reviewed; for a derived label, why the candidate that was looked at was queued. `None` where the
    /// item was never queued.
    pub reason: Option<ReviewReason>,
    /// The highest audit share ever applied to the candidate that was looked at, over 0 and at most 1.
    pub highest_share: Option<f64>,
    /// What is known of its value.
    pub label: CandidateLabel,
    /// Whether the label comes from a decision on another candidate of the same item.
    pub derived: bool,
    /// Whether the decision lies in an incident that is not resolved, or is void.
    pub in_incident: bool,
}

/// The model and prompt version on which a field's thresholds were measured.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MeasuredOn {
    /// The field's name.
    pub field: String,
    /// The extractor's model.
    pub model: String,
    /// The extractor's prompt version.
    pub prompt_version: String,
}

/// What a curve is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CurveState {
    /// It has labels enough.
    Calibrated,
    /// It has too few, and the field's thresholds were measured on another model or prompt version.
    Stale,
    /// It has too few.
    NeedsLabels,
}

impl CurveState {
    /// The word used on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Calibrated => "calibrated",
            Self::Stale => "stale",
            Self::NeedsLabels => "needs_labels",
        }
    }
}

/// One measured curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Which.
    pub key: CurveKey,
    /// What it is good for.
    pub state: CurveState,
    /// The estimate, lowest confidence first.
    pub bins: Vec<Bin>,
    /// The same bins over every cohort, with every pending candidate taken as wrong.
    pub worst_case: Vec<Bin>,
    /// Expected calibration error, weighted.
    pub ece: Option<Estimate>,
    /// Brier score, weighted.
    pub brier: Option<Estimate>,
    /// How many labels the estimate rests on.
    pub n: u64,
    /// How many equally weighted ones would say as much.
    pub n_effective: f64,
    /// Candidates queued or drawn for a reason that feeds the curve, and not yet decided.
    pub pending: u64,
    /// How many of the `n` labels are derived.
    pub derived: u64,
    /// How many of the `n` labels were drawn for an audit.
    pub audits: u64,
    /// Labels that do not feed the curve, by the reason they were queued for or [`EXCLUDED_BY_INCIDENT`].
    pub excluded: BTreeMap<&'static str, u64>,
    /// How many cohorts with labels are closed; the estimate rests on these, or, where it is 0, on all that is decided.
    pub closed_cohorts: u64,
    /// How many cohorts have something that waits.
    pub open_cohorts: u64,
    /// The oldest of these.
    pub open_since: Option<Cohort>,
    /// Labels of open cohorts that are not in the estimate yet.
    pub labels_waiting: u64,
}

/// How one candidate counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Counted {
    /// It feeds the estimate.
    Decided(Label),
    /// It would, once it is decided. As if it were wrong.
    Pending(Label),
    /// It is known and does not feed the estimate.
    Excluded(Cause),
}

impl CurveCandidate {
    /// How this candidate counts; `None` where nothing is known of it.
    #[must_use]
    pub fn counted(&self) -> Option<Counted> {
        let reason = self.reason?;
        let right = match self.label {
            CandidateLabel::Right => Some(true),
            CandidateLabel::Wrong => Some(false),
            CandidateLabel::Pending => None,
            CandidateLabel::Unknown => return None,
        };
        let probability = inclusion_probability(reason, self.highest_share);
        let Some(probability) = probability.filter(|_| feeds_curves(reason)) else {
            return Some(Counted::Excluded(Cause::Reason(reason)));
        };
        if self.in_incident && right.is_some() {
            return Some(Counted::Excluded(Cause::Incident));
        }
        let label = Label {
            confidence: self.confidence,
            right: right.unwrap_or(false),
            probability,
        };
        Some(right.map_or(Counted::Pending(label), |_| Counted::Decided(label)))
    }

    /// The candidate as its curve counts it.
    #[must_use]
    pub fn counting(&self) -> Counting {
        Counting {
            confidence: self.confidence,
            counted: self.counted(),
            derived: self.derived,
            audit: self.reason == Some(ReviewReason::SampleAudit),
        }
    }
}

/// The labels of each curve.
#[must_use]
pub fn curve_labels(candidates: &[CurveCandidate]) -> BTreeMap<CurveKey, CurveLabels> {
    let mut groups: BTreeMap<(&CurveKey, Cohort), Counts> = BTreeMap::new();
    for candidate in candidates {
        let counts = groups.entry((&candidate.key, candidate.cohort)).or_default();
        counts.add(&candidate.counting());
    }
    let mut curves: BTreeMap<CurveKey, CurveLabels> = BTreeMap::new();
    for ((key, cohort), counts) in &groups {
        curves.entry((*key).clone()).or_default().add_cohort(*cohort, counts);
    }
    curves
}

/// Measures one curve. `measured_on` names what the fields' thresholds were measured on.
#[must_use]
pub fn curve(key: &CurveKey, labels: &CurveLabels, measured_on: &[MeasuredOn], edges: &BinEdges) -> Curve {
    let estimated = labels.estimated();
    let n_effective = effective_count(&estimated.decided);
    let count = |tallies: &[Tally]| tallies.iter().map(Tally::n).sum();
    let measured = bins(&estimated.decided, edges);
    Curve {
        key: key.clone(),
        state: state(key, n_effective, measured_on),
        worst_case: if labels.open_cohorts == 0 {
            measured.clone()
        } else {
            bins(&labels.worst_case(), edges)
        },
        bins: measured,
        ece: ece(&estimated.decided, edges),
        brier: brier(&estimated.decided),
        n: count(&estimated.decided),
        n_effective,
        pending: count(labels.pending()),
        derived: estimated.derived,
        audits: estimated.audits,
        excluded: labels.excluded(),
        closed_cohorts: labels.closed.cohorts,
        open_cohorts: labels.open_cohorts,
        open_since: labels.open_since,
        labels_waiting: if labels.any_closed() {
            count(&labels.open.decided)
        } else {
            0
        },
    }
}

/// Every curve of these candidates, sorted by field, model, prompt version, present before absent.
#[must_use]
pub fn curves(candidates: &[CurveCandidate], measured_on: &[MeasuredOn], edges: &BinEdges) -> Vec<Curve> {
    let labels = curve_labels(candidates);
    labels
        .iter()
        .map(|(key, labels)| curve(key, labels, measured_on, edges))
        .collect()
}

fn state(key: &CurveKey, n_effective: f64, measured_on: &[MeasuredOn]) -> CurveState {
    // Equal weights give a whole number but for rounding.
    if n_effective >= LEAST_EFFECTIVE_LABELS - 1e-9 {
        return CurveState::Calibrated;
    }
    let own = |one: &&MeasuredOn| one.model == key.model && one.prompt_version == key.prompt_version;
    let of_field: Vec<&MeasuredOn> = measured_on.iter().filter(|one| one.field == key.field).collect();
    if key.of == CurveSubject::Present && !of_field.is_empty() && !of_field.iter().any(own) {
        CurveState::Stale
    } else {
        CurveState::NeedsLabels
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ReviewReason::{Conflicting, LowConfidence, SampleAudit, SchemaViolation};

    fn key(model: &str, of: CurveSubject) -> CurveKey {
        CurveKey {
            field: "f".to_owned(),
            model: model.to_owned(),
            prompt_version: "p".to_owned(),
            of,
        }
    }

    fn candidate(reason: Option<ReviewReason>, confidence: f64, label: CandidateLabel) -> CurveCandidate {
        CurveCandidate {
            key: key("m", CurveSubject::Present),
            cohort: Cohort(2_900),
            confidence,
            reason,
            highest_share: Some(0.1),
            label,
            derived: false,
            in_incident: false,
        }
    }

    fn only(candidates: &[CurveCandidate], measured_on: &[MeasuredOn]) -> Curve {
        let mut found = curves(candidates, measured_on, &BinEdges::default());
        assert_eq!(found.len(), 1);
        found.pop().unwrap_or_else(|| unreachable!("one curve"))
    }

    #[test]
    fn each_candidate_is_counted_once_and_where_it_belongs() {
        let mut derived = candidate(Some(SampleAudit), 0.97, CandidateLabel::Right);
        derived.derived = true;
        let mut incident = candidate(Some(LowConfidence), 0.3, CandidateLabel::Right);
        incident.in_incident = true;
        let curve = only(
            &[
                candidate(Some(LowConfidence), 0.3, CandidateLabel::Right),
                candidate(Some(SampleAudit), 0.96, CandidateLabel::Wrong),
                derived,
                candidate(Some(SampleAudit), 0.99, CandidateLabel::Pending),
                candidate(Some(SchemaViolation), 0.9, CandidateLabel::Right),
                candidate(Some(Conflicting), 0.9, CandidateLabel::Pending),
                candidate(Some(Conflicting), 0.9, CandidateLabel::Unknown),
                candidate(None, 0.99, CandidateLabel::Unknown),
                incident,
            ],
            &[],
        );
        assert_eq!((curve.n, curve.pending, curve.derived), (3, 1, 1));
        assert_eq!(
            curve.excluded,
            BTreeMap::from([("conflicting", 1), ("incident", 1), ("schema_violation", 1)])
        );
        assert_eq!(curve.state, CurveState::NeedsLabels);
        let (top, worst) = (curve.bins[4], curve.worst_case[4]);
        assert_eq!((top.n, worst.n), (2, 3));
        assert!(top.right.is_some_and(|right| (right - 0.5).abs() < 1e-12));
        assert!(worst.right.is_some_and(|right| (right - 1.0 / 3.0).abs() < 1e-12));
        assert!((curve.n_effective - 21.0 * 21.0 / 201.0).abs() < 1e-12);
    }

    #[test]
    fn models_and_subjects_have_their_own_curves() {
        let mut other = candidate(Some(LowConfidence), 0.3, CandidateLabel::Right);
        other.key = key("n", CurveSubject::Present);
        let mut absent = candidate(Some(SampleAudit), 0.3, CandidateLabel::Right);
        absent.key = key("m", CurveSubject::Absent);
        let candidates = [
            other,
            absent,
            candidate(Some(LowConfidence), 0.3, CandidateLabel::Right),
        ];
        let found = curves(&candidates, &[], &BinEdges::default());
        let keys: Vec<(&str, &str)> = found
            .iter()
            .map(|curve| (curve.key.model.as_str(), curve.key.of.name()))
            .collect();
        assert_eq!(keys, [("m", "present"), ("m", "absent"), ("n", "present")]);
        assert_eq!(curve_labels(&candidates).len(), 3);
        assert_eq!(CurveSubject::of(Status::Conflicting), None);
    }

    #[test]
    fn the_state_says_what_the_curve_is_good_for() {
        let few = [candidate(Some(LowConfidence), 0.3, CandidateLabel::Right)];
        let many = vec![few[0].clone(); 30];
        let on = |model: &str| {
            [MeasuredOn {
                field: "f".to_owned(),
                model: model.to_owned(),
                prompt_version: "p".to_owned(),
            }]
        };
        assert_eq!(only(&few, &on("other")).state, CurveState::Stale);
        assert_eq!(only(&few, &on("m")).state, CurveState::NeedsLabels);
        assert_eq!(only(&many, &on("other")).state, CurveState::Calibrated);
        assert_eq!(only(&many[..29], &[]).state, CurveState::NeedsLabels);
        let drawn = vec![candidate(Some(SampleAudit), 0.97, CandidateLabel::Right); 30];
        assert_eq!(only(&drawn, &[]).state, CurveState::Calibrated);
    }
}
