//! What each threshold would cost and show, from what arrives, what was measured, and how long decisions take.
//!
//! Deliberately not here: the table itself (`pincite-core::calibration::workload`).

use super::counts;
use crate::error::AppError;
use crate::routing::Rules;
use crate::wire::WorkloadView;
use crate::workspace::Workspace;
use pincite_core::calibration::{
    BinEdges, CurveKey, CurveLabels, CurveSubject, WorkloadBin, bins, cell_start, workload,
};
use pincite_core::queue::Stratum;
use pincite_store::{Connection, curve_counts, records};

/// From how many of the last timed decisions the median is taken.
const LAST_TIMED: i64 = 1_000;
/// How many it takes at least.
const FEWEST_TIMED: usize = 5;

/// What each threshold would cost and show, for one curve or over all records (of a field).
///
/// The share of each bin and the records a day are counted from what was imported; the error of a bin is the measured one,
/// and where nothing was measured it is taken as 1 minus the bin's middle. An item costs the median of the last thousand timed
/// decisions where there are five or more, else the setting `seconds_per_item`. `asked` is one threshold more, from 0 to 1.
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
    let mut reading = counts::settled(workspace).await?;
    let rules = Rules::read(&mut reading).await?;
    let concerns = |key: &CurveKey| {
        key.of == CurveSubject::Present
            && extractor.is_none_or(|(model, prompt)| key.model == model && key.prompt_version == prompt)
    };
    // Everything chosen is counted together, as one curve.
    let mut chosen = CurveLabels::default();
    for (_, labels) in counts::labels(&mut reading, field)
        .await?
        .iter()
        .filter(|(key, _)| concerns(key))
    {
        chosen.add_all(labels);
    }
    let total = chosen.candidates().map(|(_, count)| count).sum::<u64>() as f64;
    if total <= 0.0 {
        return Ok(Vec::new());
    }
    let edges = BinEdges::default();
    let inside = |index: usize| -> u64 {
        let in_bin = |cell: u16| edges.index_of(cell_start(usize::from(cell))) == Some(index);
        chosen
            .candidates()
            .filter(|(cell, _)| in_bin(*cell))
            .map(|(_, count)| count)
            .sum()
    };
    let bins: Vec<WorkloadBin> = bins(&chosen.estimated().decided, &edges)
        .iter()
        .enumerate()
        .map(|(index, bin)| WorkloadBin {
            from: bin.from,
            to: bin.to,
            share: inside(index) as f64 / total,
            error: 1.0 - bin.right.unwrap_or(f64::midpoint(bin.from, bin.to)),
        })
        .collect();
    let first = records::first_recorded(&mut reading, field, extractor)
        .await?
        .unwrap_or(now);
    let days = ((now - first) as f64 / 86_400_000.0).max(1.0);
    let seconds = seconds_per_item(&mut reading, field).await?;
    let mut taus: Vec<f64> = edges.inner().iter().rev().copied().collect();
    let mut in_force = rules.thresholds.iter().rev().filter(|row| {
        field.is_none_or(|field| row.field == field)
            && extractor.is_none_or(|(model, prompt)| row.model == model && row.prompt_version == prompt)
    });
    if field.is_some()
        && let Some(row) = in_force.next()
    {
        taus.push(row.tau_show);
    }
    taus.extend(asked.filter(|tau| (0.0..=1.0).contains(tau)));
    taus.sort_by(|one, other| other.total_cmp(one));
    taus.dedup();
    let rows = workload(&bins, total / days, seconds, rules.shares.of(Stratum::Show), &taus);
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

/// Reviewer seconds that an item costs.
async fn seconds_per_item(connection: &mut Connection, field: Option<&str>) -> Result<f64, AppError> {
    let mut times = curve_counts::last_times(connection, field, LAST_TIMED).await?;
    times.sort_unstable();
    match times.get(times.len() / 2) {
        Some(median) if times.len() >= FEWEST_TIMED => Ok(*median as f64 / 1000.0),
        _ => crate::settings::seconds_per_item(connection).await,
    }
}
