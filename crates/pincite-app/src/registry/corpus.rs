//! What document control looks at: every document with what is in force of it, one document's revisions and sections on two
//! dates, and the tables that were held.
//!
//! Deliberately not here: a drawing of the time line (the window), and anything that changes the registry (`revisions`,
//! `identities`).

use super::histories::{self, Registered};
use super::identities;
use super::questions::{Dates, views};
use super::scope;
use crate::documents::{count, table_rects};
use crate::error::AppError;
use crate::loaded;
use crate::times;
use crate::wire::{
    CorpusDocumentView, CorpusView, HeldTableView, HeldTablesView, InForceSectionView, KnownStretchesView, StretchView,
    TimelineView, UnregisteredView,
};
use crate::workspace::Workspace;
use pincite_core::registry::Lifecycle;
use pincite_store::documents::{self, VersionRow};
use pincite_store::registry;
use std::collections::{BTreeMap, BTreeSet};

/// How many versions are looked through for held tables at a time.
const VERSIONS: i64 = 200;

/// Every document that is here, with what is in force of it on two dates.
///
/// # Errors
/// The store.
pub async fn overview(workspace: &Workspace, dates: Dates) -> Result<CorpusView, AppError> {
    let mut reading = workspace.store.read().await?;
    let scope = scope::current(&mut reading).await?;
    let mut here: BTreeMap<String, UnregisteredView> = BTreeMap::new();
    for row in registry::titles(&mut reading).await? {
        let title = String::from_utf8_lossy(&row.title).into_owned();
        let _ = here.insert(
            row.doc_id.clone(),
            UnregisteredView {
                doc_id: row.doc_id,
                title,
                versions: count(row.versions),
            },
        );
    }
    let mut documents = Vec::new();
    let mut differences_waiting = 0;
    for registered in histories::without_sections(&mut reading).await? {
        let known = |at: i64| dates.known_at.is_none_or(|known_at| at <= known_at);
        // What nobody knew then is not in the corpus of that day.
        let Some(last) = registered.rows.iter().rfind(|row| known(row.recorded_at)) else {
            let _ = registered.rows.first().and_then(|row| here.remove(&row.doc_id));
            continue;
        };
        let history = &registered.history;
        let in_force = history.in_force(dates.valid_at, dates.known_at);
        let spoken_of = in_force.map_or(last.seq, |revision| revision.seq);
        let status = history.lifecycle(spoken_of, dates.valid_at, dates.known_at);
        let waiting = registered.waiting();
        differences_waiting += waiting;
        let found = here.remove(&last.doc_id);
        documents.push(CorpusDocumentView {
            doc_id: last.doc_id.clone(),
            title: found.map(|found| found.title).unwrap_or_default(),
            owner: last.owner.clone(),
            class: last.class.clone(),
            revisions: count(
                i64::try_from(registered.rows.iter().filter(|row| known(row.recorded_at)).count()).unwrap_or(0),
            ),
            in_force: in_force.map(|revision| revision.revision.clone()),
            since: in_force
                .and_then(|revision| revision.effective)
                .map(|day| day.to_string()),
            status: status.unwrap_or(Lifecycle::Draft).label().to_owned(),
            waiting: u32::try_from(waiting).unwrap_or(u32::MAX),
            in_scope: scope.holds_registered(&last.owner, &last.class),
        });
    }
    let groups = identities::proposed(&mut reading).await?;
    Ok(CorpusView {
        valid_at: dates.valid_at.to_string(),
        left_out: count(i64::try_from(documents.iter().filter(|one| !one.in_scope).count()).unwrap_or(0)),
        scope: scope.words(),
        documents,
        unregistered: here.into_values().collect(),
        groups_waiting: count(i64::try_from(groups.iter().filter(|group| !group.confirmed).count()).unwrap_or(0)),
        differences_waiting: u32::try_from(differences_waiting).unwrap_or(u32::MAX),
    })
}

/// The revisions of a document and the sections in force, on two dates.
///
/// # Errors
/// No such document in the registry; the store.
pub async fn timeline(workspace: &Workspace, doc_id: &str, dates: Dates) -> Result<TimelineView, AppError> {
    let mut reading = workspace.store.read().await?;
    let registered = histories::wanted(&mut reading, doc_id).await?;
    drop(reading);
    let history = &registered.history;
    let in_force = history.in_force(dates.valid_at, dates.known_at);
    let sections = in_force.map(|revision| revision.sections.clone()).unwrap_or_default();
    let sections = sections.iter().map(|section| {
        let periods = history.section_history(&section.section_key, dates.known_at);
        let now = periods.iter().rfind(|period| period.from <= dates.valid_at);
        InForceSectionView {
            section_key: section.section_key.clone(),
            locator: section.locator.clone(),
            title: section.title.clone(),
            revision: now.map(|period| period.revision.revision.clone()).unwrap_or_default(),
            since: now.map(|period| period.from.to_string()),
            contents: u32::try_from(periods.iter().filter(|period| period.section.is_some()).count())
                .unwrap_or(u32::MAX),
        }
    });
    Ok(TimelineView {
        doc_id: doc_id.to_owned(),
        in_force: in_force.map(|revision| revision.seq),
        sections: sections.collect(),
        known: known_stretches(&registered),
        revisions: views(&registered, dates)?,
    })
}

/// What was known to be in force, from each moment on at which anything was learned that changed it.
fn known_stretches(registered: &Registered) -> Vec<KnownStretchesView> {
    let recorded = registered.rows.iter().map(|row| row.recorded_at);
    let happened = registered.events.iter().map(|event| event.recorded_at);
    let moments: BTreeSet<i64> = recorded.chain(happened).collect();
    let mut all: Vec<KnownStretchesView> = Vec::new();
    for moment in moments {
        let stretches = registered.history.in_force_stretches(Some(moment));
        let stretches: Vec<StretchView> = stretches
            .iter()
            .map(|stretch| StretchView {
                from: stretch.from.to_string(),
                to: stretch.to.map(|day| day.to_string()),
                revision: stretch.revision.revision.clone(),
                seq: stretch.revision.seq,
            })
            .collect();
        if all
            .last()
            .map_or(stretches.is_empty(), |last| last.stretches == stretches)
        {
            continue;
        }
        let from = times::text(moment);
        if let Some(last) = all.last_mut() {
            last.to = Some(from.clone());
        }
        all.push(KnownStretchesView {
            from,
            to: None,
            stretches,
        });
    }
    all
}

/// Tables that were held because their rows could not be vouched for, of some versions after `after`; the answer says after which
/// to go on. A version that another revision replaced is among them: its citations are still opened.
///
/// # Errors
/// The store; a structure that can't be read back.
pub async fn held_tables(workspace: &Workspace, after: &str) -> Result<HeldTablesView, AppError> {
    let mut reading = workspace.store.read().await?;
    let rows = documents::versions(&mut reading, VERSIONS, after).await?;
    let mut tables = Vec::new();
    for row in &rows {
        let cache = workspace.cache();
        let structure = loaded::structure(cache, &mut reading, &row.doc_sha256, &row.layer_sha256, None).await?;
        let Some((_, structure)) = structure else { continue };
        let held: Vec<_> = structure.tables.iter().filter(|table| table.held.is_some()).collect();
        if held.is_empty() {
            continue;
        }
        let loaded = loaded::layer(cache, &mut reading, &row.doc_sha256, &row.layer_sha256).await?;
        tables.extend(held.into_iter().map(|table| {
            HeldTableView {
                doc_id: row.doc_id.clone(),
                doc_sha256: row.doc_sha256.clone(),
                title: title(row),
                locator: table.locator.to_string(),
                label: table.label.clone(),
                page: table.pages.first().copied().unwrap_or(1),
                reason: table.held.clone().unwrap_or_default(),
                layout_rows: table.row_counts.layout,
                text_rows: table.row_counts.text,
                rects: loaded
                    .as_ref()
                    .map(|loaded| table_rects(loaded, table))
                    .unwrap_or_default(),
            }
        }));
    }
    let full = i64::try_from(rows.len()).is_ok_and(|length| length == VERSIONS);
    Ok(HeldTablesView {
        tables,
        next: rows
            .last()
            .filter(|_| full)
            .map(|row| format!("{}@{}", row.doc_id, row.doc_sha256)),
    })
}

fn title(row: &VersionRow) -> String {
    String::from_utf8_lossy(&row.title).into_owned()
}
