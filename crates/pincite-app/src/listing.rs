//! Items as a list shows them to one reviewer: the reason blind, and nothing that gives away a candidate which is not to be
//! seen yet.
//!
//! Deliberately not here: which items are listed (the store), the candidate itself (`items`).

use crate::enter_first;
use crate::error::AppError;
use crate::settings;
use crate::times;
use crate::wire::QueueItem;
use pincite_core::record::Catalogue;
use pincite_store::items::ItemRow;
use pincite_store::{Connection, documents, records};
use std::collections::HashMap;

/// The reason a third reviewer sees where two differ.
const ADJUDICATION: &str = "adjudication";

/// The reason a reviewer sees: low confidence and audits read the same.
#[must_use]
pub(crate) fn blind(reason: &str) -> &str {
    match reason {
        "low_confidence" | "sample_audit" => "check_value",
        other => other,
    }
}

/// Lists items for one reviewer; titles are looked up once for a list.
#[derive(Debug)]
pub(crate) struct Listing<'a> {
    reviewer: &'a str,
    unblind: bool,
    catalogue: Catalogue,
    titles: HashMap<(String, String), String>,
}

impl<'a> Listing<'a> {
    /// A list for this reviewer; unblinded, it hides nothing.
    pub(crate) async fn of(connection: &mut Connection, reviewer: &'a str, unblind: bool) -> Result<Self, AppError> {
        Ok(Self {
            reviewer,
            unblind,
            catalogue: settings::catalogue_in(connection).await?,
            titles: HashMap::new(),
        })
    }

    /// Whether the candidate of an item is not to be seen by this reviewer yet.
    pub(crate) async fn hides_candidate(&self, connection: &mut Connection, row: &ItemRow) -> Result<bool, AppError> {
        Ok(!self.unblind && enter_first::is_asked(connection, row, self.reviewer, &self.catalogue).await?)
    }

    async fn title(&mut self, connection: &mut Connection, doc_id: &str, doc_sha256: &str) -> Result<String, AppError> {
        let key = (doc_id.to_owned(), doc_sha256.to_owned());
        if let Some(title) = self.titles.get(&key) {
            return Ok(title.clone());
        }
        let row = documents::versions_of(connection, doc_id, doc_sha256)
            .await?
            .into_iter()
            .next();
        let title = row.map_or_else(
            || doc_id.to_owned(),
            |row| String::from_utf8_lossy(&row.title).into_owned(),
        );
        self.titles.insert(key, title.clone());
        Ok(title)
    }

    pub(crate) async fn item(&mut self, connection: &mut Connection, row: &ItemRow) -> Result<QueueItem, AppError> {
        // Where the extractor found it, and that it found anything, leans on whoever is to read for herself.
        let locator = if self.hides_candidate(connection, row).await? {
            None
        } else {
            let citations = records::citations_of(connection, &row.record_id).await?;
            citations.first().and_then(|citation| citation.citation().locator)
        };
        Ok(QueueItem {
            item: row.item_id.clone(),
            item_version: row.item_version,
            doc_id: row.doc_id.clone(),
            doc_sha256: row.doc_sha256.clone(),
            field: row.field.clone(),
            reason: if row.is_disputed() {
                ADJUDICATION.to_owned()
            } else if self.unblind {
                row.reason.clone()
            } else {
                blind(&row.reason).to_owned()
            },
            hard: row.hard,
            due_at: row.due_at.map(times::text),
            created_at: times::text(row.created_at),
            held_by: row.held_by.clone(),
            held_until: row.held_until.map(times::text),
            held_for_later_by: row.later_by.clone(),
            held_for_later_at: row.later_at.map(times::text),
            hold_note: row
                .later_note
                .as_deref()
                .map(|note| String::from_utf8_lossy(note).into_owned()),
            title: self.title(connection, &row.doc_id, &row.doc_sha256).await?,
            locator,
        })
    }
}
