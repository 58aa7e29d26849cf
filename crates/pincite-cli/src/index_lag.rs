//! `registry indexed` and `registry lag`.
//!
//! Deliberately not here: what lags, and when that is an alarm.

use crate::output::{Failure, Findings, Output};
use crate::progress::Bar;
use pincite_app::Workspace;
use pincite_app::registry::index_lag;
use pincite_app::wire::{IndexedLine, LagView};
use std::path::Path;

fn line_words(line: &IndexedLine) -> String {
    let reason = line.reason.as_deref().map(|reason| format!(": {reason}"));
    format!(
        "line {:<5} {:<8} {}{}",
        line.line,
        line.outcome,
        line.doc_id.as_deref().unwrap_or_default(),
        reason.unwrap_or_default()
    )
}

fn lag_words(view: &LagView) -> String {
    let of = match (&view.build, &view.reported_at) {
        (Some(build), Some(at)) => format!("{build}, reported {at}"),
        _ => "no index reported anything".to_owned(),
    };
    let oldest = match (&view.oldest_recorded_at, view.oldest_age_ms) {
        (Some(since), Some(age)) => format!("; the oldest since {since}, {} hours", age / 3_600_000),
        _ => String::new(),
    };
    let mut words = format!(
        "{of}: {} revisions indexed, {} waiting, access of {} documents waiting{oldest}",
        view.indexed, view.waiting_revisions, view.waiting_access
    );
    if view.alarm {
        words.push_str(&format!(
            "\nALARM: something waits for more than {} hours",
            view.alarm_hours
        ));
    }
    for waiting in &view.revisions {
        words.push_str(&format!(
            "\n  {} {}  {}  since {}",
            waiting.doc_id, waiting.seq, waiting.revision, waiting.recorded_at
        ));
    }
    for waiting in &view.access {
        words.push_str(&format!(
            "\n  {}  who may read it  since {}",
            waiting.doc_id, waiting.recorded_at
        ));
    }
    words
}

/// Takes in a report.
pub(crate) async fn indexed(
    opened: &Workspace,
    output: &Output,
    file: &Path,
    build: &str,
) -> Result<Findings, Failure> {
    let bar = Bar::new();
    let done = index_lag::report(opened, file, build, opened.store.reader(), bar.as_ref()).await;
    bar.finish();
    let done = done?;
    output.lines(&done, line_words)?;
    Ok(Findings::when(done.iter().any(|line| line.outcome == "refused")))
}

/// How far a build lags.
pub(crate) async fn lag(opened: &Workspace, output: &Output, build: Option<&str>) -> Result<Findings, Failure> {
    let view = index_lag::index_lag(opened, build).await?;
    output.value(&view, lag_words)?;
    Ok(Findings::when(view.alarm))
}
