//! What reading a sample by hand would find, beside what the last sweep found.
//!
//! Deliberately not here: the arithmetic (`pincite_core::sweep`), and choosing a sample.

use super::report;
use crate::error::AppError;
use crate::wire::{LastSweepView, SampleView};
use crate::workspace::Workspace;
pub use pincite_core::sweep::SampleRates;
use pincite_core::sweep::sample;
use pincite_store::sweeps;

/// Sweeps looked through for a complete one.
const LOOKED_THROUGH: i64 = 100;

/// The arithmetic of reading so many answers.
///
/// # Errors
/// A rate that is out of its range; the store.
pub async fn plan(workspace: &Workspace, answers: u32, rates: SampleRates) -> Result<SampleView, AppError> {
    checked(&rates)?;
    let sample = sample(answers, &rates);
    Ok(SampleView {
        read: sample.read,
        affected: sample.affected,
        flags: sample.flags,
        hours: sample.hours,
        missed_probability: sample.missed_probability,
        last_sweep: last_sweep(workspace).await?,
    })
}

fn checked(rates: &SampleRates) -> Result<(), AppError> {
    let shares = [("--affected", rates.affected), ("--detection", rates.detection)];
    for (name, share) in shares {
        if !(0.0..=1.0).contains(&share) {
            return Err(AppError::bad_input(format!("{name} {share} is no share: write 0 to 1")));
        }
    }
    let above = [("--citations", rates.citations), ("--minutes", rates.minutes)];
    for (name, number) in above {
        if !(number > 0.0 && number <= 1e6) {
            return Err(AppError::bad_input(format!(
                "{name} {number} is out of range: write a number above 0, up to 1000000"
            )));
        }
    }
    Ok(())
}

async fn last_sweep(workspace: &Workspace) -> Result<Option<LastSweepView>, AppError> {
    let row = {
        let mut reading = workspace.store.read().await?;
        let rows = sweeps::sweeps(&mut reading, i64::MAX, LOOKED_THROUGH).await?;
        rows.into_iter().find(|row| row.milliseconds.is_some())
    };
    let Some(row) = row else { return Ok(None) };
    let view = report::show(workspace, &row.sweep_id).await?;
    Ok(view.seconds.map(|seconds| LastSweepView {
        sweep_id: view.sweep_id,
        started_at: view.started_at,
        checked: view.checked,
        drifted: view.drifted.n,
        seconds,
    }))
}
