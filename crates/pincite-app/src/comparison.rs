//! Two extractors on the same field, side by side: how much more often the second is right, bin by bin, by the estimates that
//! their curves show.
//!
//! Deliberately not here: the difference and its interval (`pincite-core::calibration::comparison`), and which of two is to be
//! used; a person decides that.

use crate::calibrate::counts;
use crate::error::AppError;
use crate::wire::BinDifferenceView;
use crate::workspace::Workspace;
use pincite_core::calibration::{Bin, BinEdges, CurveKey, CurveLabels, bins, differences};
use std::collections::BTreeMap;

/// Second minus first, from the lowest confidence up; null where either bin is empty.
///
/// # Errors
/// Curves of two fields, or of present against absent; a curve that no record belongs to; the store.
pub async fn comparison(
    workspace: &Workspace,
    first: &CurveKey,
    second: &CurveKey,
) -> Result<Vec<BinDifferenceView>, AppError> {
    if first.field != second.field || first.of != second.of {
        return Err(AppError::bad_input(format!(
            "{} ({}) and {} ({}) can't be compared: name two extractors of one field, both of present or both of absent",
            first.field,
            first.of.name(),
            second.field,
            second.of.name()
        )));
    }
    let mut reading = counts::settled(workspace).await?;
    let labels = counts::labels(&mut reading, Some(&first.field)).await?;
    let edges = BinEdges::default();
    let first = counted(&labels, first, &edges)?;
    let second = counted(&labels, second, &edges)?;
    Ok(edges
        .ranges()
        .zip(differences(&first, &second))
        .map(|((from, to), found)| BinDifferenceView {
            from,
            to,
            difference: found.map(|found| found.difference),
            low: found.map(|found| found.low),
            high: found.map(|found| found.high),
        })
        .collect())
}

fn counted(labels: &BTreeMap<CurveKey, CurveLabels>, key: &CurveKey, edges: &BinEdges) -> Result<Vec<Bin>, AppError> {
    let labels = labels.get(key).ok_or_else(|| {
        AppError::not_found(format!(
            "no {} record of {} comes from {} {}; `pincite calibrate --field {}` names the extractors",
            key.of.name(),
            key.field,
            key.model,
            key.prompt_version,
            key.field
        ))
    })?;
    Ok(bins(&labels.estimated().decided, edges))
}
