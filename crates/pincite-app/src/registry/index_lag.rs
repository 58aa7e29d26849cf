//! What an index outside says that it holds, and how far it lags behind the registry by that.
//!
//! Registry and gate are asked about the same revisions, so they agree whatever the index has. What shows the lag is the gap between
//! two clocks: when a revision, an event or a change of access was recorded, and when the index took the document in. Nobody has to
//! ask a question for it.
//!
//! Deliberately not here: an index of our own, and the rules (`pincite_core::registry::lag`).

use crate::answers::{CLOCKS_DIFFER, object};
use crate::documents::{count, resolve};
use crate::error::AppError;
use crate::import::open_lines_file;
use crate::lines::{LINE_LIMIT, Line, Lines};
use crate::ports::{Progress, new_id, new_salt};
use crate::times;
use crate::wire::{ImportCounts, IndexedLine, LagView, WaitingAccess, WaitingRevision};
use crate::workspace::{Workspace, actor};
use pincite_core::registry::{HeldAccess, access_waits_since, lag};
use pincite_store::index_reports::{self, NewEntry};
use pincite_store::{Connection, groups, registry, settings};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::BufReader;
use std::path::Path;

/// The setting that says how long an index may lag, in hours.
pub(crate) const SETTING: &str = "index_lag_alarm_hours";

/// A day, where nothing is set.
const ALARM_HOURS: u32 = 24;

/// The longest name of a build, in bytes.
const NAME_LIMIT: usize = 200;

/// How many hours something may wait for the index.
///
/// # Errors
/// The store.
pub(crate) async fn alarm_hours(connection: &mut Connection) -> Result<u32, AppError> {
    let setting = settings::setting(connection, SETTING).await?;
    Ok(setting.and_then(|value| value.parse().ok()).unwrap_or(ALARM_HOURS))
}

/// A line of a report.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryLine {
    doc_id: String,
    #[serde(default)]
    doc_sha256: Option<String>,
    #[serde(default)]
    seq: Option<i64>,
    #[serde(default)]
    indexed_at: Option<String>,
    #[serde(default)]
    groups: Option<BTreeSet<String>>,
}

/// Takes in what a build of an index says that it holds. A line that is refused costs itself alone; all others are kept together.
///
/// # Errors
/// A file that can't be read; no name for the build; the store; cancellation: nothing of the file is kept then.
pub async fn report(
    workspace: &Workspace,
    path: &Path,
    build: &str,
    who: &str,
    progress: &dyn Progress,
) -> Result<Vec<IndexedLine>, AppError> {
    if build.trim().is_empty() || build.len() > NAME_LIMIT || build.chars().any(char::is_control) {
        return Err(AppError::bad_input(format!(
            "--build {build:?} is no name of a build: write 1 to {NAME_LIMIT} bytes on one line"
        )));
    }
    let name = path.display().to_string();
    let (file, total) = open_lines_file(path)?;
    let mut lines = Lines::new(BufReader::with_capacity(1 << 16, file));
    let mut reading = workspace.store.read().await?;
    let mut known = Known {
        now: reading.now().await?,
        revisions: registered(&mut reading).await?,
        versions: HashMap::new(),
    };
    let (mut done, mut entries) = (Vec::new(), Vec::new());
    loop {
        if progress.cancelled() {
            return Err(AppError::cancelled());
        }
        let number = lines.number + 1;
        let line = lines
            .next_line()
            .map_err(|error| AppError::bad_input(format!("{name}: line {number}: it can't be read: {error}")))?;
        let Some(line) = line else { break };
        let number = u32::try_from(lines.number).unwrap_or(u32::MAX);
        let (doc_id, reason) = match known.entry(&mut reading, &line).await? {
            Ok(entry) => {
                let doc_id = entry.doc_id.clone();
                entries.push(entry);
                (Some(doc_id), None)
            }
            Err((doc_id, reason)) => {
                progress.finding(&format!("{name}: line {number}: {reason}"));
                (doc_id, Some(reason))
            }
        };
        done.push(IndexedLine {
            line: number,
            doc_id,
            outcome: if reason.is_none() { "kept" } else { "refused" }.to_owned(),
            reason,
        });
        progress.at(&name, lines.bytes, total, &ImportCounts::default());
    }
    drop(reading);
    if entries.is_empty() {
        return Ok(done);
    }
    let mut write = workspace.store.write().await?;
    let acting = actor(&write, who);
    write.add_index_report(&new_id(), build, &acting.who, &entries).await?;
    let payload = json!({ "build": build, "entries": entries.len() });
    write.audit(&acting, &new_salt(), "index.report", build, &payload);
    write.commit().await?;
    Ok(done)
}

/// Every registered revision's bytes, by document and order.
async fn registered(connection: &mut Connection) -> Result<BTreeMap<String, BTreeMap<i64, String>>, AppError> {
    let mut revisions: BTreeMap<String, BTreeMap<i64, String>> = BTreeMap::new();
    for row in registry::revisions(connection, "").await? {
        let _ = revisions.entry(row.doc_id).or_default().insert(row.seq, row.doc_sha256);
    }
    Ok(revisions)
}

/// What lines are held against.
struct Known {
    now: i64,
    revisions: BTreeMap<String, BTreeMap<i64, String>>,
    /// The whole hash of what a line names by document and hash; or why it is none.
    versions: HashMap<(String, String), Result<String, String>>,
}

/// The document that a line names, where it names one, and why it is refused.
type Refused = (Option<String>, String);

impl Known {
    async fn entry(&mut self, connection: &mut Connection, line: &Line) -> Result<Result<NewEntry, Refused>, AppError> {
        let Line::Text(bytes) = line else {
            return Ok(Err((None, format!("the line is longer than {LINE_LIMIT} bytes"))));
        };
        let read: EntryLine = match object(bytes) {
            Ok(read) => read,
            Err(cause) => {
                let value = serde_json::from_slice::<Value>(bytes).ok();
                let doc_id = value.and_then(|value| Some(value.get("doc_id")?.as_str()?.to_owned()));
                return Ok(Err((doc_id, no_entry(&cause))));
            }
        };
        let doc_id = read.doc_id.clone();
        let checked = self.checked(connection, read).await?;
        Ok(checked.map_err(|reason| (Some(doc_id), reason)))
    }

    async fn checked(
        &mut self,
        connection: &mut Connection,
        read: EntryLine,
    ) -> Result<Result<NewEntry, String>, AppError> {
        let indexed_at = match read.indexed_at.as_deref().map(|text| times::moment(text, false)) {
            None => self.now,
            Some(Err(error)) => return Ok(Err(error.message)),
            Some(Ok(at)) if at > self.now + CLOCKS_DIFFER => {
                return Ok(Err(format!(
                    "indexed_at {} has not come yet: say when the index took it in",
                    times::text(at)
                )));
            }
            Some(Ok(at)) => at.min(self.now),
        };
        let given = read.doc_sha256.as_deref().filter(|hash| !hash.is_empty());
        let doc_sha256 = match (given, read.seq) {
            (None, None) => return Ok(Err("it names no version: say doc_sha256, or a revision's seq".into())),
            (Some(hash), None) => match self.version(connection, &read.doc_id, hash).await? {
                Ok(hash) => hash,
                Err(reason) => return Ok(Err(reason)),
            },
            (given, Some(seq)) => {
                let found = self
                    .revisions
                    .get(&read.doc_id)
                    .and_then(|revisions| revisions.get(&seq));
                let Some(found) = found else {
                    return Ok(Err(format!(
                        "{} has no registered revision of seq {seq}: `pincite registry show` names them",
                        read.doc_id
                    )));
                };
                if given.is_some_and(|given| !found.starts_with(given)) {
                    return Ok(Err(format!(
                        "the revision of seq {seq} of {} has other bytes than doc_sha256 says: leave one of the two out",
                        read.doc_id
                    )));
                }
                found.clone()
            }
        };
        let groups = read.groups.map(|groups| serde_json::to_vec(&groups)).transpose();
        Ok(Ok(NewEntry {
            doc_id: read.doc_id,
            doc_sha256,
            seq: read.seq,
            groups: groups.map_err(|error| AppError::internal(error.to_string()))?,
            indexed_at,
        }))
    }

    /// The whole hash of a version that is here.
    async fn version(
        &mut self,
        connection: &mut Connection,
        doc_id: &str,
        hash: &str,
    ) -> Result<Result<String, String>, AppError> {
        let registered = self.revisions.get(doc_id);
        if registered.is_some_and(|revisions| revisions.values().any(|known| known == hash)) {
            return Ok(Ok(hash.to_owned()));
        }
        let key = (doc_id.to_owned(), hash.to_owned());
        if let Some(known) = self.versions.get(&key) {
            return Ok(known.clone());
        }
        let found = match resolve(connection, &format!("{doc_id}@{hash}")).await {
            Ok(row) => Ok(row.doc_sha256),
            Err(error) if error.is_about_what_was_asked() => Err(error.message),
            Err(error) => return Err(error),
        };
        let _ = self.versions.insert(key, found.clone());
        Ok(found)
    }
}

fn no_entry(cause: &str) -> String {
    format!(
        "it is no entry ({cause}); a line is {{\"doc_id\", \"doc_sha256\" or \"seq\"}}, and may have indexed_at and groups"
    )
}

/// How far a build lags behind the registry: the one named, else the one that reported last. Where no index ever reported,
/// everything that is registered waits.
///
/// # Errors
/// No report of such a build; the store.
pub async fn index_lag(workspace: &Workspace, build: Option<&str>) -> Result<LagView, AppError> {
    let mut reading = workspace.store.read().await?;
    let report = index_reports::last_report(&mut reading, build).await?;
    if let (Some(build), None) = (build, &report) {
        return Err(AppError::not_found(format!(
            "no index reported a build {build}: `pincite registry indexed FILE --build {build}` takes a report in"
        )));
    }
    let name = report.as_ref().map_or("", |report| report.build.as_str());
    let revisions = index_reports::waiting_revisions(&mut reading, name).await?;
    let access = waiting_access(&mut reading, name).await?;
    let registered = index_reports::registered(&mut reading).await?;
    let hours = alarm_hours(&mut reading).await?;
    let now = reading.now().await?;
    let waiting = || {
        let revisions = revisions.iter().map(|row| row.recorded_at);
        revisions.chain(access.iter().map(|(_, since)| *since))
    };
    let lag = lag(waiting(), now);
    let number = |length: usize| count(i64::try_from(length).unwrap_or(i64::MAX));
    Ok(LagView {
        reported_at: report.as_ref().map(|report| times::text(report.recorded_at)),
        indexed: count(registered).saturating_sub(number(revisions.len())),
        waiting_revisions: number(revisions.len()),
        waiting_access: number(access.len()),
        oldest_recorded_at: waiting().min().map(times::text),
        oldest_age_ms: lag.oldest_age_ms,
        alarm_hours: hours,
        alarm: lag.alarms(i64::from(hours) * 60 * 60 * 1000),
        revisions: revisions
            .iter()
            .map(|row| WaitingRevision {
                doc_id: row.doc_id.clone(),
                seq: row.seq,
                revision: row.revision.clone(),
                recorded_at: times::text(row.recorded_at),
            })
            .collect(),
        access: access
            .iter()
            .map(|(doc_id, since)| WaitingAccess {
                doc_id: doc_id.clone(),
                recorded_at: times::text(*since),
            })
            .collect(),
        build: report.map(|report| report.build),
    })
}

/// Documents whose access the build has not caught up with, and since when.
async fn waiting_access(connection: &mut Connection, build: &str) -> Result<Vec<(String, i64)>, AppError> {
    let mut changes: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for row in index_reports::access_changes(connection, build).await? {
        changes.entry(row.doc_id).or_default().push(row.recorded_at);
    }
    if changes.is_empty() {
        return Ok(Vec::new());
    }
    let mut held: HashMap<String, Vec<HeldAccess>> = HashMap::new();
    for row in index_reports::held(connection, build).await? {
        let groups = row.group_names.as_deref().map(serde_json::from_slice).transpose();
        held.entry(row.doc_id).or_default().push(HeldAccess {
            indexed_at: row.indexed_at,
            groups: groups
                .map_err(|error| AppError::internal(format!("the workspace is damaged: an index's groups: {error}")))?,
        });
    }
    let mut waiting = Vec::new();
    for (doc_id, changes) in changes {
        let groups = groups::of_document(connection, &doc_id).await?.into_iter().collect();
        let held = held.get(&doc_id).map(Vec::as_slice).unwrap_or_default();
        if let Some(since) = access_waits_since(&changes, &groups, held) {
            waiting.push((doc_id, since));
        }
    }
    Ok(waiting)
}
