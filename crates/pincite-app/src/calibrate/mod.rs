//! The calibration desk's curves, from sums that are kept up to date with each decision.
//!
//! [`labels`] says what each candidate is worth, [`counts`] keeps what they add up to, `workload` what thresholds cost. A curve
//! is drawn from sums, so that its cost does not grow with the decisions behind it; only the decisions behind one bin are
//! looked up.
//!
//! Deliberately not here: the estimates and which weeks are closed (`pincite-core::calibration`).

pub(crate) mod counts;
pub(crate) mod labels;
mod workload;

#[cfg(test)]
mod counts_tests;

pub use workload::workload_views;

use crate::error::AppError;
use crate::queue;
use crate::routing::Rules;
use crate::thresholds;
use crate::times;
use crate::wire::{BinView, CurveState as CurveStateView, CurveView, DecisionView, IntervalView};
use crate::workspace::Workspace;
use pincite_core::calibration::{
    BinEdges, Curve, CurveKey, CurveLabels, CurveState, CurveSubject, Estimate, LEAST_EFFECTIVE_LABELS, MeasuredOn,
    curve,
};
use std::collections::BTreeMap;

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
    let mut reading = counts::settled(workspace).await?;
    let labels = counts::labels(&mut reading, field).await?;
    let rules = Rules::read(&mut reading).await?;
    Ok(views(&labels, &rules))
}

pub(crate) fn views(labels: &BTreeMap<CurveKey, CurveLabels>, rules: &Rules) -> Vec<CurveView> {
    let (measured_on, edges) = (measured_on(rules), BinEdges::default());
    labels
        .iter()
        .map(|(key, labels)| view(&curve(key, labels, &measured_on, &edges), labels, rules))
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

fn view(curve: &Curve, labels: &CurveLabels, rules: &Rules) -> CurveView {
    let definition = rules.catalogue.get(&curve.key.field);
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
            .then(|| thresholds::in_force(rules, &curve.key, Some(labels)))
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
    let mut reading = workspace.store.read().await?;
    let labelled = labels::labelled(&mut reading, Some(&key.field)).await?;
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
