//! Registering revisions, one or a manifest of them, and saying what happened to them.
//!
//! Whatever comes in is checked against what is there as a line of a manifest is. A revision's sections are kept with it as they
//! were found then, under the keys of the revision before it; what it declares to have changed is held against what was computed,
//! and where they differ a compliance event waits for somebody.
//!
//! Deliberately not here: reading a manifest (`manifest`), what fits together (`manifest_check`), approval by a signature.

use super::changes::compute;
use super::histories::{self, KeptSection};
use super::manifest::{Entry, Finding, Form, Manifest, read};
use super::manifest_check::{Checked, Registered, check};
use super::questions::Dates;
use super::scope;
use super::sides::Compared;
use crate::accounts::reason;
use crate::documents::resolve;
use crate::error::AppError;
use crate::files;
use crate::ingest::ingest;
use crate::ports::{Progress, new_salt};
use crate::wire::{ImportCounts, IngestOutcome, ManifestLineView, RevisionView};
use crate::workspace::{Workspace, actor};
use pincite_core::registry::{Differing, EventKind, Revision};
use pincite_store::documents::VersionRow;
use pincite_store::registry::{self, RevisionEventRow, RevisionRow};
use pincite_store::{Actor, Connection, Writing};
use serde::Serialize;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest manifest that is read, in bytes.
const MANIFEST_LIMIT: u64 = 64 << 20;

/// Registers one revision of a document that is here.
///
/// # Errors
/// What a manifest's line would be refused for, with the reason; no such document; the store.
pub async fn add(workspace: &Workspace, entry: Entry, why: &str, who: &str) -> Result<Vec<RevisionView>, AppError> {
    reason(why)?;
    let mut write = workspace.store.write().await?;
    let acting = actor(&write, who);
    let name = format!("{}@{}", entry.doc_id, entry.doc_sha256.as_deref().unwrap_or_default());
    let version = resolve(write.connection(), name.trim_end_matches('@')).await?;
    let entry = Entry {
        doc_id: version.doc_id.clone(),
        doc_sha256: Some(version.doc_sha256.clone()),
        ..entry
    };
    let known = known(write.connection()).await?;
    let scope = scope::current(write.connection()).await?;
    let checked = check(vec![entry], &known, &scope, write.now);
    if let Some(refused) = checked.refused.iter().chain(&checked.left_out).next() {
        return Err(AppError::bad_input(format!("{}: {}", refused.name, refused.message)));
    }
    for (seq, entry) in checked.kept {
        let revision = Keeping {
            workspace,
            acting: &acting,
            why,
        };
        revision.keep(&mut write, &version, seq, &entry).await?;
    }
    write.commit().await?;
    super::questions::show(workspace, Some(&version.doc_id), Dates::today()).await
}

/// Says that a revision was approved, withdrawn or archived.
///
/// # Errors
/// No such revision; one that is so already; a draft that is to be withdrawn, or has no date; the store.
pub async fn happened(
    workspace: &Workspace,
    doc_id: &str,
    seq: i64,
    event: EventKind,
    why: &str,
    who: &str,
) -> Result<Vec<RevisionView>, AppError> {
    reason(why)?;
    let mut write = workspace.store.write().await?;
    let acting = actor(&write, who);
    let registered = histories::wanted(write.connection(), doc_id).await?;
    let row = registered.row(seq).ok_or_else(|| no_revision(doc_id, seq))?;
    let state = registered
        .events
        .iter()
        .filter(|one| one.seq == seq)
        .map(|one| one.event.as_str());
    let said: Vec<&str> = state.collect();
    let approved = said.iter().rev().find(|one| **one != "archived").copied() == Some("approved");
    let refuse = |cause: &str| AppError::bad_input(format!("{doc_id}, revision {} (seq {seq}): {cause}", row.revision));
    match event {
        EventKind::Approved if approved => return Err(refuse("it is approved already")),
        EventKind::Approved if row.effective_date.is_none() => {
            return Err(refuse(
                "it has no effective date: register it again with one, then approve that",
            ));
        }
        EventKind::Withdrawn if !approved => {
            return Err(refuse("it is a draft, or withdrawn already: nothing is in force by it"));
        }
        EventKind::Archived if said.contains(&"archived") => return Err(refuse("it is archived already")),
        _ => {}
    }
    let now = write.now;
    say(&mut write, &acting, row, event, now, why).await?;
    write.commit().await?;
    super::questions::show(workspace, Some(doc_id), Dates::today()).await
}

/// Settles a compliance event: somebody looked, and what was computed is what changed.
///
/// # Errors
/// No such event, or one that is settled; the store.
pub async fn settle(workspace: &Workspace, doc_id: &str, seq: i64, why: &str, who: &str) -> Result<(), AppError> {
    reason(why)?;
    let mut write = workspace.store.write().await?;
    let acting = actor(&write, who);
    let found = registry::differences(write.connection(), doc_id).await?;
    match found.iter().find(|one| one.seq == seq).map(|one| &one.settled_by) {
        None => {
            return Err(AppError::not_found(format!(
                "{doc_id} has no compliance event at seq {seq}: `pincite registry differences` names them"
            )));
        }
        Some(Some(by)) => {
            return Err(AppError::bad_input(format!(
                "{doc_id}, seq {seq}: {by} settled it already"
            )));
        }
        Some(None) => {}
    }
    write.settle_difference(doc_id, seq, why, &acting.who).await?;
    let payload = json!({ "doc_id": doc_id, "seq": seq, "why": why });
    write.audit(&acting, &new_salt(), "registry.settle", doc_id, &payload);
    write.commit().await?;
    Ok(())
}

fn no_revision(doc_id: &str, seq: i64) -> AppError {
    AppError::not_found(format!(
        "{doc_id} has no registered revision of seq {seq}: `pincite registry show {doc_id}` names them"
    ))
}

/// Registers what a manifest names: files beside it are taken in first. Lines that are refused cost nothing but themselves; all
/// others are registered together, or none.
///
/// # Errors
/// A manifest that can't be read; the store; cancellation.
pub async fn import(
    workspace: &Workspace,
    manifest: &Path,
    why: &str,
    who: &str,
    progress: &Arc<dyn Progress>,
) -> Result<Vec<ManifestLineView>, AppError> {
    reason(why)?;
    let read = manifest_at(manifest)?;
    let folder = manifest.parent().unwrap_or(Path::new(""));
    let mut lines: Vec<ManifestLineView> = read.refused.iter().map(|finding| line(finding, "refused")).collect();
    let (known, scope, now) = {
        let mut reading = workspace.store.read().await?;
        (
            known(&mut reading).await?,
            scope::current(&mut reading).await?,
            reading.now().await?,
        )
    };
    let entries = without_known(workspace, read.entries, folder, &mut lines).await?;
    let checked = check(entries, &known, &scope, now);
    lines.extend(checked.refused.iter().map(|finding| line(finding, "refused")));
    lines.extend(checked.left_out.iter().map(|finding| line(finding, "out_of_scope")));
    let mut versions: Vec<(i64, Entry, VersionRow)> = Vec::new();
    let total = checked.kept.len() as u64;
    for (done, (seq, entry)) in (0..).zip(checked.kept.iter()) {
        if progress.cancelled() {
            return Err(AppError::cancelled());
        }
        progress.at(
            entry.file.as_deref().unwrap_or(&entry.doc_id),
            done,
            total,
            &ImportCounts::default(),
        );
        match taken_in(workspace, entry, folder, progress).await {
            Ok(version) => versions.push((*seq, entry.clone(), version)),
            Err(cause) => lines.push(line(&about(entry, cause), "refused")),
        }
    }
    keep_all(workspace, &versions, &known, why, who).await?;
    lines.extend(versions.iter().map(|(seq, entry, _)| added(&checked, *seq, entry)));
    lines.sort_by_key(|line| line.line);
    Ok(lines)
}

fn manifest_at(path: &Path) -> Result<Manifest, AppError> {
    let text = manifest_text(path)?;
    let form = match path.extension().and_then(|extension| extension.to_str()) {
        Some("toml") => Form::Toml,
        _ => Form::Csv,
    };
    read(&text, form).map_err(|cause| files::refused(path, &cause))
}

/// The files that a manifest names, as far as they are there; none of one that can't be read.
pub(crate) fn files_named(manifest: &Path) -> Vec<PathBuf> {
    let folder = manifest.parent().unwrap_or(Path::new(""));
    let entries = manifest_at(manifest).map(|read| read.entries).unwrap_or_default();
    let files = entries.iter().filter_map(|entry| entry.file.as_deref());
    files.filter_map(|file| folder.join(file).canonicalize().ok()).collect()
}

fn about(entry: &Entry, message: String) -> Finding {
    Finding {
        line: entry.line,
        name: format!("{} {}", entry.doc_id, entry.revision),
        message,
    }
}

fn line(finding: &Finding, outcome: &str) -> ManifestLineView {
    ManifestLineView {
        line: u32::try_from(finding.line).unwrap_or(u32::MAX),
        name: finding.name.clone(),
        outcome: outcome.to_owned(),
        seq: None,
        message: Some(finding.message.clone()),
    }
}

fn added(checked: &Checked, seq: i64, entry: &Entry) -> ManifestLineView {
    let flagged = checked.flagged.iter().find(|finding| finding.line == entry.line);
    ManifestLineView {
        seq: Some(seq),
        message: flagged.map(|finding| finding.message.clone()),
        ..line(&about(entry, String::new()), "added")
    }
}

fn manifest_text(path: &Path) -> Result<String, AppError> {
    let metadata = files::look(path, "a manifest is one file, CSV or TOML")?;
    if metadata.len() > MANIFEST_LIMIT {
        return Err(files::refused(
            path,
            &format!(
                "it has {} bytes; a manifest has at most {MANIFEST_LIMIT}",
                metadata.len()
            ),
        ));
    }
    let bytes = std::fs::read(path).map_err(|error| files::refused(path, &format!("it can't be read: {error}")))?;
    String::from_utf8(bytes).map_err(|error| {
        files::refused(
            path,
            &format!("it is not UTF-8 at byte {}", error.utf8_error().valid_up_to()),
        )
    })
}

/// The file that a line names, and what its bytes hash to.
fn file_of(entry: &Entry, folder: &Path) -> Option<(PathBuf, Option<String>)> {
    let path = folder.join(entry.file.as_deref()?);
    let hash = files::open(&path).ok().and_then(|mut file| {
        let mut hash = Sha256::new();
        io::copy(&mut file, &mut hash).ok()?;
        Some(pincite_core::hex(&hash.finalize()))
    });
    Some((path, hash))
}

/// Leaves out the lines of revisions that are registered as they say.
async fn without_known(
    workspace: &Workspace,
    entries: Vec<Entry>,
    folder: &Path,
    lines: &mut Vec<ManifestLineView>,
) -> Result<Vec<Entry>, AppError> {
    let rows = registry::revisions(&mut *workspace.store.read().await?, "").await?;
    let mut new = Vec::new();
    for entry in entries {
        let hash = match &entry.doc_sha256 {
            Some(hash) => Some(hash.clone()),
            None => file_of(&entry, folder).and_then(|(_, hash)| hash),
        };
        let effective = entry.effective_date.map(|day| day.to_string());
        let same = rows.iter().find(|row| {
            row.doc_id == entry.doc_id
                && row.revision == entry.revision
                && entry.seq.is_none_or(|seq| seq == row.seq)
                && row.effective_date == effective
                && hash
                    .as_ref()
                    .is_some_and(|hash| row.doc_sha256.starts_with(hash.as_str()))
        });
        match same {
            Some(row) => lines.push(ManifestLineView {
                seq: Some(row.seq),
                message: None,
                ..line(&about(&entry, String::new()), "known")
            }),
            None => new.push(entry),
        }
    }
    Ok(new)
}

/// The version that a line means; its file is taken in where it is not here.
async fn taken_in(
    workspace: &Workspace,
    entry: &Entry,
    folder: &Path,
    progress: &Arc<dyn Progress>,
) -> Result<VersionRow, String> {
    let hash = match (&entry.doc_sha256, file_of(entry, folder)) {
        (Some(hash), _) => hash.clone(),
        (None, Some((path, _))) => {
            let taken = ingest(workspace, &path, Some(&entry.doc_id), None, progress).await;
            let taken = taken.map_err(|error| error.to_string())?;
            match (taken.outcome, taken.doc_sha256) {
                (IngestOutcome::Refused, _) | (_, None) => {
                    return Err(taken
                        .reason
                        .unwrap_or_else(|| format!("{} can't be taken in", path.display())));
                }
                (_, Some(hash)) => hash,
            }
        }
        (None, None) => return Err("it names no bytes".into()),
    };
    let mut reading = workspace.store.read().await.map_err(|error| error.to_string())?;
    resolve(&mut reading, &format!("{}@{hash}", entry.doc_id))
        .await
        .map_err(|error| error.to_string())
}

async fn keep_all(
    workspace: &Workspace,
    versions: &[(i64, Entry, VersionRow)],
    known: &BTreeMap<String, Vec<Registered>>,
    why: &str,
    who: &str,
) -> Result<(), AppError> {
    if versions.is_empty() {
        return Ok(());
    }
    let mut write = workspace.store.write().await?;
    let acting = actor(&write, who);
    // What was checked is what is written to: somebody else may have registered something meanwhile.
    if self::known(write.connection()).await? != *known {
        return Err(AppError::bad_input(
            "somebody else registered a revision meanwhile: nothing was registered; import the manifest again",
        ));
    }
    let keeping = Keeping {
        workspace,
        acting: &acting,
        why,
    };
    for (seq, entry, version) in versions {
        keeping.keep(&mut write, version, *seq, entry).await?;
    }
    write.commit().await?;
    Ok(())
}

/// Every registered revision, by document and order.
async fn known(connection: &mut Connection) -> Result<BTreeMap<String, Vec<Registered>>, AppError> {
    let mut known: BTreeMap<String, Vec<Registered>> = BTreeMap::new();
    for row in registry::revisions(connection, "").await? {
        known.entry(row.doc_id).or_default().push(Registered {
            revision: row.revision,
            seq: row.seq,
            recorded_at: row.recorded_at,
            owner: row.owner,
        });
    }
    Ok(known)
}

/// Writing revisions down, in somebody's name.
struct Keeping<'a> {
    workspace: &'a Workspace,
    acting: &'a Actor,
    why: &'a str,
}

impl Keeping<'_> {
    async fn keep(&self, write: &mut Writing, version: &VersionRow, seq: i64, entry: &Entry) -> Result<(), AppError> {
        let cache = self.workspace.cache();
        let after = Compared::of(cache, write.connection(), version, None).await?;
        let registered = histories::read(write.connection(), &version.doc_id).await?;
        let history = registered.as_ref().map(|one| &one.history);
        let before = history.and_then(|history| history.revisions().iter().rev().find(|revision| revision.seq < seq));
        let compared = match before {
            Some(revision) => Some(
                self.before(write.connection(), &version.doc_id, revision, registered.as_ref())
                    .await?,
            ),
            None => None,
        };
        let declared = entry.changed_sections.as_deref();
        let computed = compute(
            before.zip(compared.as_ref()),
            history,
            &after,
            declared.unwrap_or_default(),
        );
        let row = RevisionRow {
            doc_id: version.doc_id.clone(),
            seq,
            revision: entry.revision.clone(),
            doc_sha256: version.doc_sha256.clone(),
            structure_id: after.structure_id.clone(),
            effective_date: entry.effective_date.map(|day| day.to_string()),
            declared: declared.map(|names| bytes(&names)),
            owner: entry.owner.clone(),
            class: entry.class.clone(),
            why: self.why.as_bytes().to_vec(),
            who: self.acting.who.clone(),
            recorded_at: entry.recorded_at.unwrap_or(write.now),
            entered_at: write.now,
        };
        let kept: Vec<KeptSection> = computed.sections.iter().map(KeptSection::of).collect();
        let sections = serde_json::to_vec(&kept).map_err(|error| AppError::internal(error.to_string()))?;
        write.add_revision(&row, &sections).await?;
        let payload = json!({
            "doc_id": row.doc_id, "seq": seq, "revision": row.revision, "doc_sha256": row.doc_sha256,
            "effective_date": row.effective_date, "recorded_at": row.recorded_at, "owner": row.owner, "class": row.class,
            "changed_sections": declared, "why": self.why
        });
        write.audit(self.acting, &new_salt(), "registry.add", &row.doc_id, &payload);
        self.say_where_they_differ(write, &row, &computed.differing).await?;
        for (event, at) in [
            (EventKind::Approved, entry.approved_at),
            (EventKind::Withdrawn, entry.withdrawn_at),
            (EventKind::Archived, entry.archived_at),
        ] {
            if let Some(at) = at {
                // Nobody who did not know the revision knew what became of it.
                let at = at.clamp(row.recorded_at, write.now.max(row.recorded_at));
                say(write, self.acting, &row, event, at, self.why).await?;
            }
        }
        Ok(())
    }

    /// The revision before, as its sections were found when it was registered.
    async fn before(
        &self,
        connection: &mut Connection,
        doc_id: &str,
        revision: &Revision,
        registered: Option<&histories::Registered>,
    ) -> Result<Compared, AppError> {
        let version = resolve(connection, &format!("{doc_id}@{}", revision.doc_sha256)).await?;
        let structure_id = registered
            .and_then(|one| one.row(revision.seq))
            .map(|row| row.structure_id.as_str());
        Compared::of(self.workspace.cache(), connection, &version, structure_id).await
    }

    async fn say_where_they_differ(
        &self,
        write: &mut Writing,
        row: &RevisionRow,
        differing: &Differing,
    ) -> Result<(), AppError> {
        if differing.all.is_empty() {
            return Ok(());
        }
        let [declared, computed, all] = [&differing.only_declared, &differing.only_computed, &differing.all].map(bytes);
        write
            .add_difference(&row.doc_id, row.seq, [&declared, &computed, &all])
            .await?;
        let payload = json!({
            "doc_id": row.doc_id, "seq": row.seq, "only_declared": differing.only_declared,
            "only_computed": differing.only_computed
        });
        write.audit(self.acting, &new_salt(), "registry.difference", &row.doc_id, &payload);
        Ok(())
    }
}

async fn say(
    write: &mut Writing,
    acting: &Actor,
    row: &RevisionRow,
    event: EventKind,
    recorded_at: i64,
    why: &str,
) -> Result<(), AppError> {
    let new = RevisionEventRow {
        doc_id: row.doc_id.clone(),
        seq: row.seq,
        event: event.label().to_owned(),
        why: why.as_bytes().to_vec(),
        who: acting.who.clone(),
        recorded_at,
    };
    write.add_revision_event(&new).await?;
    let payload = json!({ "doc_id": row.doc_id, "seq": row.seq, "revision": row.revision, "recorded_at": recorded_at, "why": why });
    write.audit(
        acting,
        &new_salt(),
        &format!("registry.{}", event.label()),
        &row.doc_id,
        &payload,
    );
    Ok(())
}

fn bytes<T: Serialize>(list: &T) -> Vec<u8> {
    serde_json::to_vec(list).unwrap_or_default()
}
