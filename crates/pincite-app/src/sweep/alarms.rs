//! Alarms: ringing them, listing them, and taking note of one with a reason.
//!
//! What is checked as it comes is counted by family; where its rate of the last fifteen minutes passes the limit and no alarm of that
//! family rang in that time, one rings.
//!
//! Deliberately not here: an audit entry for a count, since checking changes nothing (an alarm has one); limits (`pincite_core::sweep`), and who
//! hears of an alarm: whoever lists them, and a command's exit code.

use crate::error::AppError;
use crate::ports::{Progress, new_id, new_salt};
use crate::times;
use crate::wire::AlarmView;
use crate::workspace::{Workspace, actor};
use pincite_core::citation::Carriage;
use pincite_core::registry::OutOf;
use pincite_core::sweep::{AlarmKind, Currency};
use pincite_store::alarms::{self, AlarmRow, NewAlarm};
use pincite_store::{Actor, Connection, Writing};
use serde_json::json;
use std::collections::BTreeMap;

/// What was checked as it came, by family.
#[derive(Debug, Default)]
pub struct Inline {
    families: BTreeMap<String, OutOf>,
}

impl Inline {
    /// Counts a citation by its carriage, where nothing replaced it and its quote was looked for in the same bytes.
    pub(crate) fn count(&mut self, family: &str, currency: Currency, carriage: Option<&Carriage>) {
        let Some(carriage) = carriage.filter(|_| currency != Currency::Replaced) else {
            return;
        };
        let counted = self.families.entry(family.to_owned()).or_default();
        counted.of += 1;
        counted.found += u64::from(*carriage != Carriage::Same);
    }

    /// The same for a command that has done its work: where the counts can't be kept, that is said, and the work stays done.
    pub(crate) async fn keep_or_say(self, workspace: &Workspace, progress: &dyn Progress) -> u64 {
        match self.keep(workspace, progress).await {
            Ok(rang) => rang,
            Err(error) => {
                progress.finding(&format!(
                    "what was checked is not in the rates of drift: {}",
                    error.message
                ));
                0
            }
        }
    }

    /// Keeps the counts, and rings where the last fifteen minutes passed the limit. Answers how many alarms rang; each is said.
    ///
    /// # Errors
    /// The store.
    async fn keep(self, workspace: &Workspace, progress: &dyn Progress) -> Result<u64, AppError> {
        if self.families.is_empty() {
            return Ok(0);
        }
        let mut write = workspace.store.write().await?;
        let acting = actor(&write, workspace.store.reader());
        for (family, counted) in &self.families {
            write
                .add_inline_checks(family, whole(counted.of), whole(counted.found))
                .await?;
        }
        // A clock that was ahead must not keep an alarm silent.
        let window = (write.now - AlarmKind::WINDOW, write.now);
        let mut rang = Vec::new();
        for row in alarms::inline_between(write.connection(), window).await? {
            let counted = OutOf {
                found: unsigned(row.drifted),
                of: unsigned(row.checked),
            };
            if self.families.contains_key(&row.family)
                && !alarms::rang_between(write.connection(), AlarmKind::Inline.code(), &row.family, window).await?
                && let Some(alarm_id) = ring(&mut write, &acting, AlarmKind::Inline, &row.family, counted, None).await?
            {
                rang.push(format!(
                    "ALARM {alarm_id}: in fifteen minutes {} of {} citations of {} did not stand where they are cited",
                    counted.found, counted.of, row.family
                ));
            }
        }
        write.commit().await?;
        rang.iter().for_each(|line| progress.finding(line));
        Ok(rang.len() as u64)
    }
}

/// Rings an alarm where a rate passed its limit; answers its id.
pub(crate) async fn ring(
    write: &mut Writing,
    acting: &Actor,
    kind: AlarmKind,
    family: &str,
    counted: OutOf,
    sweep_id: Option<&str>,
) -> Result<Option<String>, AppError> {
    if kind.alarm(counted).is_none() {
        return Ok(None);
    }
    let alarm_id = new_id();
    let new = NewAlarm {
        alarm_id: &alarm_id,
        kind: kind.code(),
        family,
        drifted: whole(counted.found),
        checked: whole(counted.of),
        sweep_id,
    };
    write.add_alarm(&new).await?;
    let payload = json!({
        "kind": kind.code(), "family": family, "drifted": counted.found, "checked": counted.of, "sweep": sweep_id
    });
    write.audit(acting, &new_salt(), "alarm.ring", &alarm_id, &payload);
    Ok(Some(alarm_id))
}

/// Alarms, the newest first: those that nobody took note of, or all; behind the one named, at most so many.
///
/// # Errors
/// No such alarm; the store.
pub async fn list(
    workspace: &Workspace,
    only_open: bool,
    after: Option<&str>,
    limit: i64,
) -> Result<Vec<AlarmView>, AppError> {
    let mut reading = workspace.store.read().await?;
    let before = match after {
        None => i64::MAX,
        Some(alarm_id) => wanted(&mut reading, alarm_id).await?.number,
    };
    let rows = alarms::alarms(&mut reading, only_open, before, limit).await?;
    Ok(rows.iter().map(view).collect())
}

async fn wanted(connection: &mut Connection, alarm_id: &str) -> Result<AlarmRow, AppError> {
    alarms::alarm(connection, alarm_id).await?.ok_or_else(|| {
        AppError::not_found(format!(
            "there is no alarm {alarm_id}: `pincite alarm list --all` names them"
        ))
    })
}

/// Takes note of an alarm, and says why that is enough.
///
/// # Errors
/// There is no such alarm, or somebody took note of it before; no reason; the store.
pub async fn acknowledge(workspace: &Workspace, alarm_id: &str, why: &str, who: &str) -> Result<AlarmView, AppError> {
    if why.trim().is_empty() {
        return Err(AppError::bad_input(
            "--why is empty: say what was done about the alarm, or why nothing has to be",
        ));
    }
    let mut write = workspace.store.write().await?;
    let known = wanted(write.connection(), alarm_id).await?;
    if let Some(by) = known.acknowledged_by {
        return Err(AppError::bad_input(format!(
            "alarm {alarm_id} was acknowledged by {by}, and that stays: `pincite alarm list --all` shows why"
        )));
    }
    let acting = actor(&write, who);
    write.acknowledge_alarm(alarm_id, why, &acting.who).await?;
    let payload = json!({ "why": why });
    write.audit(&acting, &new_salt(), "alarm.acknowledge", alarm_id, &payload);
    write.commit().await?;
    let mut reading = workspace.store.read().await?;
    Ok(view(&wanted(&mut reading, alarm_id).await?))
}

pub(crate) fn view(row: &AlarmRow) -> AlarmView {
    let counted = OutOf {
        found: unsigned(row.drifted),
        of: unsigned(row.checked),
    };
    let kinds = [AlarmKind::Inline, AlarmKind::AfterReindex, AlarmKind::Baseline];
    let kind = kinds.into_iter().find(|kind| kind.code() == row.kind);
    AlarmView {
        alarm_id: row.alarm_id.clone(),
        kind: row.kind.clone(),
        family: row.family.clone(),
        drifted: counted.found,
        checked: counted.of,
        share: counted.share().unwrap_or_default(),
        limit: kind.map_or(0.0, AlarmKind::limit),
        sweep_id: row.sweep_id.clone(),
        recorded_at: times::text(row.recorded_at),
        acknowledged_by: row.acknowledged_by.clone(),
        why: row.why.as_deref().map(|why| String::from_utf8_lossy(why).into_owned()),
        acknowledged_at: row.acknowledged_at.map(times::text),
    }
}

fn whole(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

pub(crate) fn unsigned(count: i64) -> u64 {
    u64::try_from(count).unwrap_or_default()
}
