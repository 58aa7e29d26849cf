//! Running a sweep: versions in parallel, kept as they are done.
//!
//! Several workers each take the next version and say what it comes to; one place writes, many versions in a transaction. What was
//! written is done with. So a sweep that is killed goes on behind it, and one that is cancelled loses nothing.
//!
//! Deliberately not here: what a version comes to (`part`).

use super::part::Sweeper;
use super::{alarms, coverage, report};
use crate::error::AppError;
use crate::ports::{Progress, new_id, new_salt};
use crate::registry::questions::{Dates, day};
use crate::wire::{ImportCounts, SweepView};
use crate::workspace::{Workspace, actor};
use pincite_core::sweep::AlarmKind;
use pincite_store::sweeps::{self, CitedVersionRow, NewPart, SweepRow};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;
use tokio::sync::mpsc;
use tokio::task::JoinSet;

/// Versions in one transaction, at most.
const TOGETHER: usize = 256;
/// Workers, at most: each holds a connection, of which there are four for reading, and the documents that it looks at.
const WORKERS: usize = 3;

/// What is asked of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// Whether documents were read anew since the last one: the limit of drift is another.
    pub after_reindex: bool,
    /// Whether one that was cut short is left as it is, and another one begun.
    pub afresh: bool,
}

impl Wanted {
    const fn kind(self) -> AlarmKind {
        if self.after_reindex {
            AlarmKind::AfterReindex
        } else {
            AlarmKind::Baseline
        }
    }
}

/// Sweeps everything that whoever asks may read; goes on with their last sweep of that kind where it was cut short.
///
/// # Errors
/// The store; cancellation: what was swept stays, and the next sweep goes on behind it.
pub async fn run(
    workspace: &Workspace,
    wanted: Wanted,
    who: &str,
    progress: &dyn Progress,
) -> Result<SweepView, AppError> {
    let began = Instant::now();
    let sweep = begin(workspace, wanted, who, progress).await?;
    let dates = Dates {
        valid_at: day(&sweep.valid_at)?,
        known_at: None,
    };
    let left = versions_left(workspace, &sweep).await?;
    work(workspace, &sweep, dates, left, who, progress).await?;
    let claims = coverage::count(workspace).await?;
    end(workspace, &sweep, wanted, began, claims, who).await?;
    report::show(workspace, &sweep.sweep_id).await
}

/// The sweep to go on with, or a new one.
async fn begin(
    workspace: &Workspace,
    wanted: Wanted,
    who: &str,
    progress: &dyn Progress,
) -> Result<SweepRow, AppError> {
    let kind = wanted.kind().code();
    if !wanted.afresh {
        let mut reading = workspace.store.read().await?;
        if let Some(sweep) = sweeps::unfinished(&mut reading, kind, who).await? {
            // What is done with was looked at on that day, in the layers of that time.
            let of_today = sweep.valid_at == Dates::today().valid_at.to_string();
            if of_today && !sweeps::is_reread_since(&mut reading, sweep.recorded_at).await? {
                progress.finding(&format!("going on with sweep {}, which was cut short", sweep.sweep_id));
                return Ok(sweep);
            }
            progress.finding(&format!(
                "sweep {} was cut short and is too old to go on with: this is another one",
                sweep.sweep_id
            ));
        }
    }
    let sweep_id = new_id();
    let valid_at = Dates::today().valid_at.to_string();
    let mut write = workspace.store.write().await?;
    write.add_sweep(&sweep_id, kind, &valid_at, who).await?;
    let payload = json!({ "kind": kind, "valid_at": valid_at });
    write.audit(&actor(&write, who), &new_salt(), "sweep.begin", &sweep_id, &payload);
    write.commit().await?;
    let mut reading = workspace.store.read().await?;
    sweeps::sweep(&mut reading, &sweep_id)
        .await?
        .ok_or_else(|| AppError::internal("a sweep vanished"))
}

async fn versions_left(workspace: &Workspace, sweep: &SweepRow) -> Result<Vec<CitedVersionRow>, AppError> {
    let mut reading = workspace.store.read().await?;
    let done: BTreeSet<CitedVersionRow> = sweeps::versions_done(&mut reading, &sweep.sweep_id)
        .await?
        .into_iter()
        .collect();
    let all = sweeps::cited_versions(&mut reading).await?;
    Ok(all.into_iter().filter(|version| !done.contains(version)).collect())
}

/// Sweeps versions and keeps what they come to.
async fn work(
    workspace: &Workspace,
    sweep: &SweepRow,
    dates: Dates,
    left: Vec<CitedVersionRow>,
    who: &str,
    progress: &dyn Progress,
) -> Result<(), AppError> {
    let total = left.len() as u64;
    let (left, next) = (Arc::new(left), Arc::new(AtomicUsize::new(0)));
    let stop = Arc::new(AtomicBool::new(false));
    let (done, mut parts) = mpsc::channel::<NewPart>(TOGETHER);
    let mut workers = JoinSet::new();
    for _ in 0..std::thread::available_parallelism().map_or(1, usize::from).min(WORKERS) {
        let (workspace, left, next) = (workspace.clone(), Arc::clone(&left), Arc::clone(&next));
        let (stop, done) = (Arc::clone(&stop), done.clone());
        let _ = workers.spawn(async move { worker(&workspace, dates, &left, &next, &stop, &done).await });
    }
    drop(done);
    let mut kept = 0;
    loop {
        let mut received = Vec::with_capacity(TOGETHER);
        if parts.recv_many(&mut received, TOGETHER).await == 0 {
            break;
        }
        let mut write = workspace.store.write().await?;
        let (mut versions, mut checked) = (0, 0);
        for part in &received {
            // Somebody else at the same sweep may have been quicker.
            if write.add_sweep_part(&sweep.sweep_id, part).await? {
                versions += 1;
                checked += part.checked;
            }
        }
        let payload = json!({ "versions": versions, "checked": checked });
        write.audit(
            &actor(&write, who),
            &new_salt(),
            "sweep.part",
            &sweep.sweep_id,
            &payload,
        );
        write.commit().await?;
        kept += received.len() as u64;
        progress.at("sweep", kept, total, &ImportCounts::default());
        if progress.cancelled() {
            // What is on its way is kept, too.
            stop.store(true, Ordering::Relaxed);
        }
    }
    while let Some(ended) = workers.join_next().await {
        ended??;
    }
    if stop.load(Ordering::Relaxed) {
        return Err(AppError::cancelled());
    }
    Ok(())
}

async fn worker(
    workspace: &Workspace,
    dates: Dates,
    left: &[CitedVersionRow],
    next: &AtomicUsize,
    stop: &AtomicBool,
    done: &mpsc::Sender<NewPart>,
) -> Result<(), AppError> {
    let mut sweeper = Sweeper::new(workspace, dates);
    let mut reading = workspace.store.read().await?;
    while !stop.load(Ordering::Relaxed)
        && let Some(version) = left.get(next.fetch_add(1, Ordering::Relaxed))
    {
        let part = sweeper.part(&mut reading, version.clone()).await?;
        // Nobody listens where the writing failed.
        if done.send(part).await.is_err() {
            break;
        }
    }
    Ok(())
}

/// Keeps the end of a sweep with the alarms that it rings, in one transaction.
async fn end(
    workspace: &Workspace,
    sweep: &SweepRow,
    wanted: Wanted,
    began: Instant,
    (claims, uncited): (i64, i64),
    who: &str,
) -> Result<(), AppError> {
    let counted = {
        let mut reading = workspace.store.read().await?;
        report::by_family(&mut reading, &sweep.sweep_id).await?
    };
    let milliseconds = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
    let mut write = workspace.store.write().await?;
    let acting = actor(&write, who);
    if !write
        .end_sweep(&sweep.sweep_id, milliseconds, (claims, uncited))
        .await?
    {
        return Ok(());
    }
    for (family, tally) in &counted {
        alarms::ring(
            &mut write,
            &acting,
            wanted.kind(),
            family,
            tally.rate(),
            Some(&sweep.sweep_id),
        )
        .await?;
    }
    let totals = report::added(&counted);
    let payload = json!({
        "checked": totals.checked, "drifted": totals.drifted(), "superseded": totals.superseded,
        "carried": totals.carried, "unresolved": totals.unresolved, "claims": claims, "uncited": uncited
    });
    write.audit(&acting, &new_salt(), "sweep.end", &sweep.sweep_id, &payload);
    write.commit().await?;
    Ok(())
}
