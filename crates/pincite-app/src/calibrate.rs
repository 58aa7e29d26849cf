//! Curves from the decisions as they stand: every candidate labelled by the true value that a person stated.
//!
//! Deliberately not here: the estimates and which weeks are closed (`pincite-core::calibration`), the summaries that keep a desk
//! fast over millions of decisions: a curve is counted anew each time.

use crate::error::AppError;
use crate::queue;
use crate::routing::{Rules, record_of};
use crate::thresholds;
use crate::times;
use crate::wire::{BinView, CurveState as CurveStateView, CurveView, DecisionView, IntervalView, WorkloadView};
use crate::workspace::Workspace;
use pincite_core::calibration::{
    BinEdges, CandidateLabel, Cohort, Counted, Curve, CurveCandidate, CurveKey, CurveLabels, CurveState, CurveSubject,
    Estimate, LEAST_EFFECTIVE_LABELS, MeasuredOn, WorkloadBin, curve, curve_labels, curves, feeds_curves, workload,
};
use pincite_core::queue::{Stratum, canonical_json};
use pincite_core::record::{Catalogue, FieldRecord, ReviewReason, Status, equal};
use pincite_store::Connection;
use pincite_store::decisions::{self, PlacedDecision};
use pincite_store::incidents;
use pincite_store::items::{self, ItemRow};
use pincite_store::records::{self, RecordRow};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What one extractor says of one place: place, model, prompt version, status, value.
type Saying = (Place, String, String, &'static str, String);

/// Where a field of a version is.
type Place = (String, String, String);

/// What a decision says of the true value.
enum Truth {
    /// It is this one.
    Value(Value),
    /// The document does not state one.
    NotStated,
    /// Only that this candidate is wrong.
    Not { value: Value, absent: bool },
}

/// Everything that curves are counted from.
pub(crate) struct Labelled {
    pub(crate) candidates: Vec<CurveCandidate>,
    /// The candidate at the same index: its record and, where its item is decided, the decision.
    behind: Vec<(RecordRow, Option<PlacedDecision>)>,
    pub(crate) rules: Rules,
}

impl Labelled {
    /// The candidates as they would be if these decisions counted, or did not.
    pub(crate) fn with_decisions(&self, decisions: &HashSet<&str>, counted: bool) -> Vec<CurveCandidate> {
        let among = |placed: &PlacedDecision| decisions.contains(placed.decision.decision_id.as_str());
        self.candidates
            .iter()
            .zip(&self.behind)
            .map(|(candidate, (_, decision))| CurveCandidate {
                in_incident: if decision.as_ref().is_some_and(among) {
                    !counted
                } else {
                    candidate.in_incident
                },
                ..candidate.clone()
            })
            .collect()
    }

    /// When the candidates that feed their curve, and are such, were decided.
    pub(crate) fn decided_at(&self, such: impl Fn(&CurveCandidate) -> bool) -> impl Iterator<Item = i64> {
        let counted = |candidate: &CurveCandidate| matches!(candidate.counted(), Some(Counted::Decided(_)));
        self.candidates
            .iter()
            .zip(&self.behind)
            .filter(move |(candidate, _)| such(candidate) && counted(candidate))
            .filter_map(|(_, (_, decision))| Some(decision.as_ref()?.decision.recorded_at))
    }
}

fn truth(decision: &PlacedDecision, records: &HashMap<&str, &RecordRow>) -> Result<Option<Truth>, AppError> {
    let row = &decision.decision;
    let stated = row
        .value
        .as_deref()
        .and_then(|value| serde_json::from_slice(value).ok());
    Ok(match (row.kind.as_str(), stated) {
        ("accept" | "correct", Some(value)) => Some(Truth::Value(value)),
        ("accept" | "abstain", None) => Some(Truth::NotStated),
        ("reject", _) => match records.get(row.record_id.as_str()) {
            Some(seen) => Some(Truth::Not {
                value: record_of(seen)?.value,
                absent: seen.status == Status::Absent.name(),
            }),
            None => None,
        },
        _ => None,
    })
}

fn same(catalogue: &Catalogue, field: &str, one: &Value, other: &Value) -> bool {
    catalogue
        .get(field)
        .map_or_else(|| one == other, |definition| equal(definition, one, other))
}

fn label(record: &FieldRecord, truth: &Truth, catalogue: &Catalogue) -> CandidateLabel {
    let absent = record.status == Status::Absent;
    let of = |right: bool| {
        if right {
            CandidateLabel::Right
        } else {
            CandidateLabel::Wrong
        }
    };
    match truth {
        Truth::Value(value) => of(!absent && same(catalogue, &record.field, &record.value, value)),
        Truth::NotStated => of(absent),
        Truth::Not {
            value,
            absent: rejected_absent,
        } => {
            let equals = absent == *rejected_absent && (absent || same(catalogue, &record.field, &record.value, value));
            if equals {
                CandidateLabel::Wrong
            } else {
                CandidateLabel::Unknown
            }
        }
    }
}

/// Labels every candidate of a field, or of all.
pub(crate) async fn labelled(connection: &mut Connection, now: i64, field: Option<&str>) -> Result<Labelled, AppError> {
    let rules = Rules::read(connection).await?;
    let rows = records::records_of_field(connection, field).await?;
    let place = |doc_id: &str, doc_sha256: &str, field: &str| -> Place {
        (doc_id.to_owned(), doc_sha256.to_owned(), field.to_owned())
    };
    let items: HashMap<Place, ItemRow> = items::items_of_field(connection, now, field)
        .await?
        .into_iter()
        .map(|item| (place(&item.doc_id, &item.doc_sha256, &item.field), item))
        .collect();
    let standing: HashMap<String, PlacedDecision> = decisions::standing(connection, field)
        .await?
        .into_iter()
        .map(|placed| (placed.decision.item_id.clone(), placed))
        .collect();
    let by_id: HashMap<&str, &RecordRow> = rows.iter().map(|row| (row.record_id.as_str(), row)).collect();
    let mut truths: HashMap<&str, Truth> = HashMap::new();
    for (item_id, placed) in &standing {
        if let Some(truth) = truth(placed, &by_id)? {
            truths.insert(item_id, truth);
        }
    }
    let suspended: HashSet<String> = incidents::out_of_calibration(connection).await?.into_iter().collect();
    let mut candidates = Vec::new();
    let mut behind = Vec::new();
    let mut said: HashMap<Saying, usize> = HashMap::new();
    for row in &rows {
        let record = record_of(row)?;
        let (Some(of), Some(confidence)) = (CurveSubject::of(record.status), row.confidence) else {
            continue;
        };
        let place = place(&row.doc_id, &row.doc_sha256, &row.field);
        let item = items.get(&place);
        let decision = item.and_then(|item| standing.get(&item.item_id));
        // The candidate that was, or will be, looked at.
        let looked_at = decision.map_or_else(
            || item.map(|item| item.record_id.as_str()),
            |decision| Some(decision.decision.record_id.as_str()),
        );
        let is_looked_at = looked_at == Some(row.record_id.as_str());
        let looked_at = looked_at.and_then(|id| by_id.get(id).copied());
        let label = match (item, item.and_then(|item| truths.get(item.item_id.as_str()))) {
            (_, Some(truth)) => label(&record, truth, &rules.catalogue),
            (Some(item), None) if item.state == "open" => CandidateLabel::Pending,
            _ => CandidateLabel::Unknown,
        };
        let candidate = CurveCandidate {
            key: CurveKey {
                field: row.field.clone(),
                model: row.model.clone(),
                prompt_version: row.prompt_version.clone(),
                of,
            },
            cohort: Cohort::of(row.recorded_at),
            confidence,
            reason: own_fault(row).or_else(|| item.and_then(|item| reason(item, looked_at))),
            highest_share: looked_at.and_then(|looked_at| looked_at.highest_share),
            label,
            derived: decision.is_some() && !is_looked_at,
            in_incident: decision.is_some_and(|placed| suspended.contains(&placed.decision.decision_id)),
        };
        // One extractor saying the same again is one saying, as it is one draw, made when it said so first; the one that was
        // looked at stands for it.
        let value = canonical_json(&record.value);
        let saying = (
            place,
            row.model.clone(),
            row.prompt_version.clone(),
            record.status.name(),
            value,
        );
        match said.get(&saying) {
            None => {
                said.insert(saying, candidates.len());
                candidates.push(candidate);
                behind.push((row.clone(), decision.cloned()));
            }
            Some(index) if is_looked_at => {
                candidates[*index] = CurveCandidate {
                    cohort: candidates[*index].cohort,
                    ..candidate
                };
                behind[*index] = (row.clone(), decision.cloned());
            }
            Some(_) => {}
        }
    }
    Ok(Labelled {
        candidates,
        behind,
        rules,
    })
}

/// The fault of its own for which a candidate is reviewed whatever its confidence: its label says nothing about that
/// confidence, also where another candidate opened the item.
fn own_fault(row: &RecordRow) -> Option<ReviewReason> {
    let reason = serde_json::from_value(Value::String(row.reason.clone()?)).ok()?;
    (!feeds_curves(reason)).then_some(reason)
}

/// Why an item is or was reviewed. One that was drawn first and fell below a raised threshold later would have been
/// reviewed anyway: its inclusion is certain.
fn reason(item: &ItemRow, looked_at: Option<&RecordRow>) -> Option<ReviewReason> {
    let reason = serde_json::from_value(Value::String(item.reason.clone())).ok()?;
    match reason {
        ReviewReason::SampleAudit if looked_at.is_some_and(|record| record.ever_low_confidence) => {
            Some(ReviewReason::LowConfidence)
        }
        other => Some(other),
    }
}

fn measured_on(rules: &Rules) -> Vec<MeasuredOn> {
    rules
        .thresholds
        .iter()
        .map(|row| MeasuredOn {
            field: row.field.clone(),
            model: row.model.clone(),
            prompt_version: row.prompt_version.clone(),
        })
        .collect()
}

/// Every curve, or those of one field, sorted by field, model and prompt version.
///
/// # Errors
/// The store.
pub async fn curve_views(workspace: &Workspace, field: Option<&str>) -> Result<Vec<CurveView>, AppError> {
    let now = workspace.store.now().await?;
    let mut reading = workspace.store.read().await?;
    let labelled = labelled(&mut reading, now, field).await?;
    Ok(views(&labelled))
}

pub(crate) fn views(labelled: &Labelled) -> Vec<CurveView> {
    let (measured_on, edges) = (measured_on(&labelled.rules), BinEdges::default());
    curve_labels(&labelled.candidates)
        .iter()
        .map(|(key, labels)| view(&curve(key, labels, &measured_on, &edges), labels, labelled))
        .collect()
}

fn small(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

const fn interval(estimate: Estimate) -> IntervalView {
    IntervalView {
        low: estimate.interval.low,
        high: estimate.interval.high,
    }
}

fn view(curve: &Curve, labels: &CurveLabels, labelled: &Labelled) -> CurveView {
    let definition = labelled.rules.catalogue.get(&curve.key.field);
    let short = (LEAST_EFFECTIVE_LABELS - curve.n_effective).max(0.0).ceil();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and 30"
    )]
    let labels_short = short as u32;
    CurveView {
        field: curve.key.field.clone(),
        title: definition.map_or_else(|| curve.key.field.clone(), |definition| definition.title.clone()),
        hard: definition.is_some_and(|definition| definition.hard),
        model: curve.key.model.clone(),
        prompt_version: curve.key.prompt_version.clone(),
        of: curve.key.of.name().to_owned(),
        state: match curve.state {
            CurveState::Calibrated => CurveStateView::Calibrated,
            CurveState::Stale => CurveStateView::Stale,
            CurveState::NeedsLabels => CurveStateView::NeedsLabels,
        },
        labels: small(curve.n),
        audit_labels: small(curve.audits),
        labels_effective: curve.n_effective,
        labels_short,
        bins: curve
            .bins
            .iter()
            .zip(&curve.worst_case)
            .map(|(bin, worst)| BinView {
                from: bin.from,
                to: bin.to,
                n: small(bin.n),
                n_effective: bin.n_effective,
                right: bin.right,
                mean_confidence: bin.mean_confidence,
                low: bin.low,
                high: bin.high,
                rising: bin.rising,
                worst_right: worst.right,
                worst_low: worst.low,
            })
            .collect(),
        ece: curve.ece.map(|ece| ece.value),
        ece_interval: curve.ece.map(interval),
        brier: curve.brier.map(|brier| brier.value),
        brier_interval: curve.brier.map(interval),
        closed_cohorts: small(curve.closed_cohorts),
        open_cohorts: small(curve.open_cohorts),
        open_since: curve.open_since.map(|cohort| times::date(cohort.start())),
        labels_waiting: small(curve.labels_waiting),
        pending: small(curve.pending),
        derived: small(curve.derived),
        excluded: curve
            .excluded
            .iter()
            .map(|(cause, count)| ((*cause).to_owned(), small(*count)))
            .collect(),
        max_error: definition.and_then(|definition| definition.max_error),
        max_error_flag: definition.and_then(|definition| definition.max_error_flag),
        threshold: (curve.key.of == CurveSubject::Present)
            .then(|| thresholds::in_force(labelled, &curve.key, Some(labels)))
            .flatten(),
    }
}

/// The decisions behind a bin of a curve: `[from, to)`, the bin that ends at 1 closed.
///
/// # Errors
/// The store.
pub async fn behind_bin(
    workspace: &Workspace,
    key: &CurveKey,
    from: f64,
    to: f64,
) -> Result<Vec<DecisionView>, AppError> {
    let now = workspace.store.now().await?;
    let mut reading = workspace.store.read().await?;
    let labelled = labelled(&mut reading, now, Some(&key.field)).await?;
    let mut views = Vec::new();
    for (candidate, (_, decision)) in labelled.candidates.iter().zip(&labelled.behind) {
        let inside = candidate.confidence >= from && (candidate.confidence < to || to >= 1.0);
        if candidate.key == *key
            && inside
            && let Some(decision) = decision
        {
            views.push(queue::view(&mut reading, decision).await?);
        }
    }
    Ok(views)
}

/// What each threshold would cost and show, for one curve or over all records (of a field).
///
/// The share of each bin and the records a day are counted from what was imported; the error of a bin is the measured one,
/// and where nothing was measured it is taken as 1 minus the bin's middle. An item costs the median of the timed decisions
/// where there are five or more, else the setting `seconds_per_item`. `asked` is one threshold more, from 0 to 1.
///
/// # Errors
/// The store.
pub async fn workload_views(
    workspace: &Workspace,
    field: Option<&str>,
    extractor: Option<(&str, &str)>,
    asked: Option<f64>,
) -> Result<Vec<WorkloadView>, AppError> {
    let now = workspace.store.now().await?;
    let mut reading = workspace.store.read().await?;
    let labelled = labelled(&mut reading, now, field).await?;
    let concerns = |candidate: &CurveCandidate| {
        candidate.key.of == CurveSubject::Present
            && extractor
                .is_none_or(|(model, prompt)| candidate.key.model == model && candidate.key.prompt_version == prompt)
    };
    let chosen: Vec<(&CurveCandidate, &RecordRow)> = labelled
        .candidates
        .iter()
        .zip(labelled.behind.iter().map(|(row, _)| row))
        .filter(|(candidate, _)| concerns(candidate))
        .collect();
    if chosen.is_empty() {
        return Ok(Vec::new());
    }
    let edges = BinEdges::default();
    // One curve over everything chosen: the key is levelled, so that the core counts them together.
    let levelled: Vec<CurveCandidate> = chosen
        .iter()
        .map(|(candidate, _)| CurveCandidate {
            key: CurveKey {
                field: String::new(),
                model: String::new(),
                prompt_version: String::new(),
                of: CurveSubject::Present,
            },
            ..(*candidate).clone()
        })
        .collect();
    let measured = curves(&levelled, &[], &edges);
    let total = chosen.len() as f64;
    let bins: Vec<WorkloadBin> = edges
        .ranges()
        .enumerate()
        .map(|(index, (from, to))| {
            let inside = chosen
                .iter()
                .filter(|(candidate, _)| edges.index_of(candidate.confidence) == Some(index))
                .count();
            let right = measured
                .first()
                .and_then(|curve| curve.bins.get(index))
                .and_then(|bin| bin.right);
            WorkloadBin {
                from,
                to,
                share: inside as f64 / total,
                error: 1.0 - right.unwrap_or(f64::midpoint(from, to)),
            }
        })
        .collect();
    let times = chosen.iter().map(|(_, row)| row.recorded_at);
    let first = times.min().unwrap_or(now);
    let days = ((now - first) as f64 / 86_400_000.0).max(1.0);
    let mut wall: Vec<i64> = labelled
        .behind
        .iter()
        .filter_map(|(_, decision)| decision.as_ref()?.decision.wall_ms)
        .collect();
    wall.sort_unstable();
    let seconds = match wall.get(wall.len() / 2) {
        Some(median) if wall.len() >= 5 => *median as f64 / 1000.0,
        _ => crate::settings::seconds_per_item(&mut reading).await?,
    };
    let mut taus: Vec<f64> = edges.inner().iter().rev().copied().collect();
    let in_force = labelled.rules.thresholds.iter().rev().filter(|row| {
        field.is_none_or(|field| row.field == field)
            && extractor.is_none_or(|(model, prompt)| row.model == model && row.prompt_version == prompt)
    });
    if field.is_some()
        && let Some(row) = in_force.take(1).next()
    {
        taus.push(row.tau_show);
    }
    taus.extend(asked.filter(|tau| (0.0..=1.0).contains(tau)));
    taus.sort_by(|one, other| other.total_cmp(one));
    taus.dedup();
    let rows = workload(
        &bins,
        total / days,
        seconds,
        labelled.rules.shares.of(Stratum::Show),
        &taus,
    );
    Ok(rows
        .into_iter()
        .map(|row| WorkloadView {
            tau: row.tau,
            share: row.share,
            items_per_day: row.items_per_day,
            hours_per_day: row.hours_per_day,
            errors_per_day: row.errors_per_day,
        })
        .collect())
}

/// Curve states by name, counted: for the command line's summary.
#[must_use]
pub fn summary(views: &[CurveView]) -> BTreeMap<&'static str, usize> {
    views.iter().fold(BTreeMap::new(), |mut counts, view| {
        let name = match view.state {
            CurveStateView::Calibrated => "calibrated",
            CurveStateView::Stale => "stale",
            CurveStateView::NeedsLabels => "needs labels",
        };
        *counts.entry(name).or_insert(0) += 1;
        counts
    })
}

/// The key of a curve from the words that name it.
///
/// # Errors
/// `of` that is neither present nor absent.
pub fn curve_key(field: &str, model: &str, prompt_version: &str, of: &str) -> Result<CurveKey, AppError> {
    let of = [CurveSubject::Present, CurveSubject::Absent]
        .into_iter()
        .find(|subject| subject.name() == of)
        .ok_or_else(|| AppError::bad_input(format!("a curve is of present or of absent, not of {of:?}")))?;
    Ok(CurveKey {
        field: field.to_owned(),
        model: model.to_owned(),
        prompt_version: prompt_version.to_owned(),
        of,
    })
}
