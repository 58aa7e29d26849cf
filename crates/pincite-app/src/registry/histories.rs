//! A document's history out of the store's rows, and a section by whatever name somebody gives it.
//!
//! Deliberately not here: what follows from a history (`pincite_core::registry`).

use crate::error::AppError;
use chrono::NaiveDate;
use pincite_core::registry::{Doubt, Event, EventKind, History, Revision, SectionVersion};
use pincite_core::structure::Locator;
use pincite_store::Connection;
use pincite_store::registry::{self, DifferenceRow, RevisionEventRow, RevisionRow};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A section as it is kept with its revision.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct KeptSection {
    pub(crate) section_key: String,
    pub(crate) locator: String,
    pub(crate) title: String,
    pub(crate) own_sha256: String,
    pub(crate) content_sha256: String,
}

impl KeptSection {
    pub(crate) fn of(version: &SectionVersion) -> Self {
        Self {
            section_key: version.section_key.clone(),
            locator: version.locator.clone(),
            title: version.title.clone(),
            own_sha256: version.own_sha256.clone(),
            content_sha256: version.content_sha256.clone(),
        }
    }
}

/// A document in the registry: what is kept of it, and the history that it makes.
#[derive(Debug)]
pub(crate) struct Registered {
    pub(crate) rows: Vec<RevisionRow>,
    pub(crate) events: Vec<RevisionEventRow>,
    pub(crate) differences: Vec<DifferenceRow>,
    pub(crate) history: History,
}

impl Registered {
    fn new(
        rows: Vec<RevisionRow>,
        events: Vec<RevisionEventRow>,
        differences: Vec<DifferenceRow>,
        sections: &BTreeMap<i64, Arc<[SectionVersion]>>,
    ) -> Result<Self, AppError> {
        let mut revisions = Vec::with_capacity(rows.len());
        for row in &rows {
            // One a revision at most.
            let differing = match differences.iter().find(|one| one.seq == row.seq) {
                None => Doubt::default(),
                Some(found) => Doubt {
                    keys: kept_list(&found.differing)?.into_iter().collect(),
                    found_at: found.recorded_at,
                    settled_at: found.settled_at,
                },
            };
            let effective = row.effective_date.as_deref().map(str::parse::<NaiveDate>).transpose();
            revisions.push(Revision {
                revision: row.revision.clone(),
                seq: row.seq,
                doc_sha256: row.doc_sha256.clone(),
                effective: effective.map_err(|error| damaged(&error.to_string()))?,
                recorded_at: row.recorded_at,
                events: events
                    .iter()
                    .filter(|event| event.seq == row.seq)
                    .filter_map(|event| {
                        Some(Event {
                            kind: EventKind::from_label(&event.event)?,
                            recorded_at: event.recorded_at,
                        })
                    })
                    .collect(),
                sections: sections.get(&row.seq).cloned().unwrap_or_default(),
                differing,
            });
        }
        let history = History::new(revisions).map_err(|fault| damaged(&fault.to_string()))?;
        Ok(Self {
            rows,
            events,
            differences,
            history,
        })
    }

    /// The document.
    pub(crate) fn doc_id(&self) -> String {
        self.rows.first().map(|row| row.doc_id.clone()).unwrap_or_default()
    }

    /// Compliance events that nobody settled yet.
    pub(crate) fn waiting(&self) -> usize {
        self.differences.iter().filter(|one| one.settled_by.is_none()).count()
    }

    /// The row of a revision of the history.
    pub(crate) fn row(&self, seq: i64) -> Option<&RevisionRow> {
        self.rows.iter().find(|row| row.seq == seq)
    }
}

/// A list of texts as it is kept.
pub(crate) fn kept_list(bytes: &[u8]) -> Result<Vec<String>, AppError> {
    serde_json::from_slice(bytes).map_err(|error| damaged(&error.to_string()))
}

fn damaged(what: &str) -> AppError {
    AppError::internal(format!("the workspace is damaged: the registry: {what}"))
}

/// Reads what the registry has of a document; `None` where it has nothing, or the document is closed to whoever asks.
pub(crate) async fn read(connection: &mut Connection, doc_id: &str) -> Result<Option<Registered>, AppError> {
    let rows = registry::revisions(connection, doc_id).await?;
    if rows.is_empty() {
        return Ok(None);
    }
    let events = registry::events(connection, doc_id).await?;
    let differences = registry::differences(connection, doc_id).await?;
    let mut sections: BTreeMap<i64, Arc<[SectionVersion]>> = BTreeMap::new();
    for row in registry::sections(connection, doc_id).await? {
        let kept: Vec<KeptSection> =
            serde_json::from_slice(&row.sections).map_err(|error| damaged(&error.to_string()))?;
        let _ = sections.insert(row.seq, kept.into_iter().map(version).collect());
    }
    Ok(Some(Registered::new(rows, events, differences, &sections)?))
}

/// What the registry has of every document, without its sections: enough for whatever only dates decide.
pub(crate) async fn without_sections(connection: &mut Connection) -> Result<Vec<Registered>, AppError> {
    let rows = registry::revisions(connection, "").await?;
    let mut events = registry::events(connection, "").await?.into_iter().peekable();
    let mut differences = registry::differences(connection, "").await?.into_iter().peekable();
    // All three come in the order of their documents.
    let mut all = Vec::new();
    for rows in rows.chunk_by(|one, other| one.doc_id == other.doc_id) {
        let Some(doc_id) = rows.first().map(|row| row.doc_id.clone()) else {
            continue;
        };
        let mut its_events = Vec::new();
        while let Some(event) = events.next_if(|event| event.doc_id <= doc_id) {
            its_events.push(event);
        }
        let mut its_differences = Vec::new();
        while let Some(difference) = differences.next_if(|difference| difference.doc_id <= doc_id) {
            its_differences.push(difference);
        }
        all.push(Registered::new(
            rows.to_vec(),
            its_events,
            its_differences,
            &BTreeMap::new(),
        )?);
    }
    Ok(all)
}

fn version(kept: KeptSection) -> SectionVersion {
    SectionVersion {
        section_key: kept.section_key,
        locator: kept.locator,
        title: kept.title,
        own_sha256: kept.own_sha256,
        content_sha256: kept.content_sha256,
    }
}

/// What the registry has of a document that somebody asks for by name.
///
/// # Errors
/// The registry has no such document; the store.
pub(crate) async fn wanted(connection: &mut Connection, doc_id: &str) -> Result<Registered, AppError> {
    read(connection, doc_id).await?.ok_or_else(|| {
        AppError::not_found(format!(
            "there is no document {doc_id} in the registry: `pincite registry show` names them, `pincite registry add` registers one"
        ))
    })
}

/// The key of the section that somebody names: by its key; or as a revision labels it, the last one that has such a label.
///
/// # Errors
/// No revision has it.
pub(crate) fn section_key(history: &History, doc_id: &str, name: &str) -> Result<String, AppError> {
    if history.section_keys().contains(&name) {
        return Ok(name.to_owned());
    }
    let revisions = history.revisions().iter().rev();
    let found = Locator::parse(name).ok().and_then(|locator| {
        revisions
            .into_iter()
            .find_map(|revision| labelled(&revision.sections, &locator))
    });
    found.ok_or_else(|| {
        AppError::not_found(format!(
            "no registered revision of {doc_id} has a section {name}: `pincite document sections {doc_id}` names them"
        ))
    })
}

/// The key of the section that a revision labels so.
pub(crate) fn labelled(sections: &[SectionVersion], locator: &Locator) -> Option<String> {
    let bare = locator.without_keywords();
    let parsed = |section: &SectionVersion| Locator::parse(&section.locator).ok();
    let exact = sections
        .iter()
        .find(|section| parsed(section).as_ref() == Some(locator));
    let loose = || {
        let mut same = sections
            .iter()
            .filter(|section| parsed(section).is_some_and(|known| known.without_keywords().same_place(&bare)));
        same.next().filter(|_| same.next().is_none())
    };
    exact.or_else(loose).map(|section| section.section_key.clone())
}
