//! What is watched: whether citations resolve, whether quotes hold when they come in, whether reviewers agree with "not
//! stated", how often each bin of confidence is wrong, and how old the queue is against its due times.
//!
//! Every figure is a count of a count, and what it was counted from can be listed, what speaks against it first. Nothing
//! counted is no figure: null, never 0 or 100 per cent. Deliberately not here: alarms, and checking citations anew (`verify`).

use crate::calibrate::{self, labels::labelled};
use crate::documents::count;
use crate::error::AppError;
use crate::settings::known_field;
use crate::times;
use crate::wire::{QueueAge, WatchBin, WatchErrors, WatchFigure, WatchLine, WatchQueue, WatchView};
use crate::workspace::Workspace;
use pincite_core::calibration::{CandidateLabel, CurveCandidate, CurveKey};
use pincite_store::Connection;
use pincite_store::watch::{self, Check, QueueAgeRow, WatchRow};

/// The figures that can be looked behind, as `--behind` names them.
pub const FIGURES: [&str; 5] = [
    "citations_resolving",
    "quotes_verified",
    "abstentions_agreed",
    "errors",
    "queue_age",
];

const AGES: [&str; 4] = ["under_1_day", "under_3_days", "under_7_days", "from_7_days"];

fn figure(passed: i64, of: i64) -> WatchFigure {
    WatchFigure {
        passed: count(passed),
        of: count(of),
        share: (of > 0).then(|| passed as f64 / of as f64),
    }
}

fn queue_age(rows: &[QueueAgeRow], oldest: Option<i64>) -> WatchQueue {
    let items = |age: Option<usize>, due: &[i64]| {
        let inside = rows.iter().filter(|row| {
            age.is_none_or(|age| usize::try_from(row.age).is_ok_and(|of| of == age)) && due.contains(&row.due)
        });
        count(inside.map(|row| row.items).sum())
    };
    WatchQueue {
        open: items(None, &[0, 1, 2, 3, 4]),
        with_due_time: items(None, &[0, 1, 2, 3]),
        past_due: items(None, &[0]),
        oldest_at: oldest.map(times::text),
        ages: AGES
            .iter()
            .enumerate()
            .map(|(age, name)| QueueAge {
                age: (*name).to_owned(),
                past_due: items(Some(age), &[0]),
                within_1_day: items(Some(age), &[1]),
                within_3_days: items(Some(age), &[2]),
                later: items(Some(age), &[3]),
                no_due_time: items(Some(age), &[4]),
            })
            .collect(),
    }
}

/// Every figure, of one field or of all.
///
/// # Errors
/// A field that nobody knows; the store.
pub async fn figures(workspace: &Workspace, field: Option<&str>) -> Result<WatchView, AppError> {
    if let Some(field) = field {
        known_field(workspace, field).await?;
    }
    let now = workspace.store.now().await?;
    let curves = calibrate::curve_views(workspace, field).await?;
    let mut reading = workspace.store.read().await?;
    let citations = watch::citation_counts(&mut reading, field).await?;
    let abstentions = watch::abstention_counts(&mut reading, field).await?;
    let ages = watch::queue_ages(&mut reading, now, field).await?;
    let oldest = watch::oldest_item(&mut reading, field).await?;
    let errors = curves
        .into_iter()
        .filter(|curve| curve.labels > 0)
        .map(|curve| WatchErrors {
            bins: curve
                .bins
                .iter()
                .map(|bin| WatchBin {
                    from: bin.from,
                    to: bin.to,
                    n: bin.n,
                    error: bin.right.map(|right| 1.0 - right),
                })
                .collect(),
            field: curve.field,
            title: curve.title,
            model: curve.model,
            prompt_version: curve.prompt_version,
            of: curve.of,
        })
        .collect();
    Ok(WatchView {
        field: field.map(str::to_owned),
        fields: watch::fields(&mut reading).await?,
        citations_resolving: figure(citations.resolved, citations.citations),
        quotes_verified: figure(citations.verified_first, citations.citations),
        abstentions_agreed: figure(abstentions.agreed, abstentions.decided),
        errors,
        queue_age: queue_age(&ages, oldest),
    })
}

fn line(row: WatchRow) -> WatchLine {
    WatchLine {
        failing: row.failing,
        doc_id: row.doc_id,
        doc_sha256: row.doc_sha256,
        field: row.field,
        record_id: row.record_id,
        citation: row.citation_id,
        item: row.item_id,
        decision: row.decision_id,
        state: row.state,
        reason: row.reason,
        due_at: row.due_at.map(times::text),
        recorded_at: times::text(row.recorded_at),
    }
}

/// What one of the [`FIGURES`] was counted from, at most so many: what speaks against it first.
///
/// # Errors
/// A figure or a field that nobody knows; the store.
pub async fn behind(
    workspace: &Workspace,
    figure: &str,
    field: Option<&str>,
    limit: i64,
) -> Result<Vec<WatchLine>, AppError> {
    if let Some(field) = field {
        known_field(workspace, field).await?;
    }
    let now = workspace.store.now().await?;
    let mut reading = workspace.store.read().await?;
    let rows = match figure {
        "citations_resolving" => watch::citations(&mut reading, Check::Last, field, limit).await?,
        "quotes_verified" => watch::citations(&mut reading, Check::First, field, limit).await?,
        "abstentions_agreed" => watch::abstentions(&mut reading, field, limit).await?,
        "queue_age" => watch::waiting_items(&mut reading, now, field, limit).await?,
        "errors" => errors(&mut reading, field, |_| true, limit).await?,
        other => {
            return Err(AppError::bad_input(format!(
                "there is no figure {other:?}: say one of {}",
                FIGURES.join(", ")
            )));
        }
    };
    Ok(rows.into_iter().map(line).collect())
}

/// The labels in one bin of a curve, `[from, to)`, the bin that ends at 1 closed: at most so many, the wrong ones first.
///
/// # Errors
/// The store.
pub async fn behind_bin(
    workspace: &Workspace,
    key: &CurveKey,
    from: f64,
    to: f64,
    limit: i64,
) -> Result<Vec<WatchLine>, AppError> {
    let mut reading = workspace.store.read().await?;
    let inside = |candidate: &CurveCandidate| {
        candidate.key == *key && candidate.confidence >= from && (candidate.confidence < to || to >= 1.0)
    };
    let rows = errors(&mut reading, Some(&key.field), inside, limit).await?;
    Ok(rows.into_iter().map(line).collect())
}

/// The labels that the curves are made of, those inside: the wrong ones first, in the order of arrival.
async fn errors(
    connection: &mut Connection,
    field: Option<&str>,
    inside: impl Fn(&CurveCandidate) -> bool,
    limit: i64,
) -> Result<Vec<WatchRow>, AppError> {
    let labelled = labelled(connection, field).await?;
    let mut rows: Vec<WatchRow> = labelled
        .counted()
        .filter(|(candidate, _, _)| inside(candidate))
        .map(|(candidate, record, placed)| WatchRow {
            failing: candidate.label == CandidateLabel::Wrong,
            doc_id: record.doc_id.clone(),
            doc_sha256: record.doc_sha256.clone(),
            field: record.field.clone(),
            record_id: record.record_id.clone(),
            citation_id: None,
            item_id: Some(placed.decision.item_id.clone()),
            decision_id: Some(placed.decision.decision_id.clone()),
            state: Some(placed.decision.kind.clone()),
            reason: placed.decision.reason_code.clone(),
            due_at: None,
            recorded_at: placed.decision.recorded_at,
        })
        .collect();
    rows.sort_by_key(|row| !row.failing);
    rows.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    Ok(rows)
}
