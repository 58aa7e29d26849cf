//! What each threshold would cost and show, from what arrives, what was measured, and how long decisions take.
//!
//! Deliberately not here: the table itself (`pincite-core::calibration::workload`).

use super::counts;
use crate::error::AppError;
use crate::routing::Rules;
use crate::wire::WorkloadView;
use crate::workspace::Workspace;
use pincite_core::calibration::{
    BinEdges, CurveKey, CurveLabels, CurveSubject, QueueFlow, WorkloadBin, bins, cell_start, past_due, workload,
};
use pincite_core::queue::Stratum;
use pincite_store::{Connection, curve_counts, queue_counts, records};

/// From how many of the last timed decisions the median is taken.
const LAST_TIMED: i64 = 1_000;
/// How many it takes at least.
const FEWEST_TIMED: usize = 5;
const DAY: i64 = 86_400_000;
/// How many days ahead, and back for the pace, it is asked what will wait past its due time.
const FLOW_DAYS: i64 = 14;
/// How many of the last items say how long before their due time items come in.
const LAST_ITEMS: i64 = 1_000;

/// What each threshold would cost and show, for one curve or over all records (of a field).
///
/// The share of each bin and the records a day are counted from what was imported; the error of a bin is the measured one,
/// and where nothing was measured it is taken as 1 minus the bin's middle. An item costs the median of the last thousand timed
/// decisions where there are five or more, else the setting `seconds_per_item`. `asked` is one threshold more, from 0 to 1.
/// What will wait past its due time takes the queue as it is, the pace of the last fourteen days, and for what comes in the
/// due times of the last thousand items.
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
    let days = ((now - first) as f64 / DAY as f64).max(1.0);
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
    let flow = flow(&mut reading, now, first, field).await?;
    let rows = workload(&bins, total / days, seconds, rules.shares.of(Stratum::Show), &taus);
    Ok(rows
        .into_iter()
        .map(|row| WorkloadView {
            tau: row.tau,
            share: row.share,
            items_per_day: row.items_per_day,
            hours_per_day: row.hours_per_day,
            errors_per_day: row.errors_per_day,
            past_due_in_14_days: flow.as_ref().map(|flow| past_due(flow, row.items_per_day)),
        })
        .collect())
}

/// The queue (of a field) and its pace; none where nothing was decided lately or nothing has a due time.
async fn flow(
    connection: &mut Connection,
    now: i64,
    first: i64,
    field: Option<&str>,
) -> Result<Option<QueueFlow>, AppError> {
    let days = FLOW_DAYS * DAY;
    let decided = curve_counts::decided_number(connection, field, now - days).await?;
    let leads = queue_counts::last_leads(connection, field, LAST_ITEMS).await?;
    if decided == 0 || leads.iter().all(Option::is_none) {
        return Ok(None);
    }
    let in_days = |milliseconds: i64| milliseconds as f64 / DAY as f64;
    Ok(Some(QueueFlow {
        due_within: queue_counts::due_until(connection, field, now + days).await? as f64,
        decided_per_day: decided as f64 / in_days((now - first).clamp(DAY, days)),
        leads: leads.into_iter().map(|lead| lead.map(in_days)).collect(),
        days: in_days(days),
    }))
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
