//! A workspace from one place to another, on the same database or the other one, with identical content.
//!
//! The one that it came from stays as it is. Anchors go on vouching for both, which have one id; so one of the two is to be left alone.
//!
//! Deliberately not here: how rows are copied (`pincite-store::copy`).

use crate::backup::seconds;
use crate::error::AppError;
use crate::unfinished::Unfinished;
use crate::workspace::Workspace;
use pincite_store::database_copy::kind;
use pincite_store::{Place, copy};
use serde::Serialize;
use std::time::Instant;

/// A workspace that was copied, read back and found equal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CopyReport {
    /// Where the copy is.
    pub workspace: String,
    /// `sqlite` or `postgres`.
    pub database: String,
    /// How many tables it has.
    pub tables: u64,
    /// How many rows.
    pub rows: u64,
    /// Entries of the audit chain, all verified.
    pub entries: i64,
    /// The hash of the last one, hexadecimal.
    pub head: String,
    /// The hash of every row of every table, hexadecimal: the same for both.
    pub content: String,
    /// How many documents' bytes were copied.
    pub blobs: u64,
    /// How many bytes these are.
    pub bytes: u64,
    /// How long it took.
    pub seconds: f64,
}

/// Copies a workspace into a new or empty folder, or into a team's empty schema.
///
/// # Errors
/// One line: a place where something is; bytes of a document that are missing or damaged; an audit chain that does not hold; a row that
/// the other database can't keep; rows that are hidden from the role. Nothing is left then but bytes of documents in a team's folder,
/// which nobody names.
pub async fn copy(workspace: &Workspace, to: &Place) -> Result<CopyReport, AppError> {
    let start = Instant::now();
    let copied = match to {
        Place::Folder(folder) => {
            let unfinished = Unfinished::begin(folder)?;
            let copied = copy::to_folder(&workspace.store, unfinished.folder()).await?;
            unfinished.finish()?;
            copied
        }
        Place::Team(_) => copy::to_team(&workspace.store, to).await?,
    };
    Ok(CopyReport {
        workspace: to.to_string(),
        database: kind(to).0.to_owned(),
        tables: copied.tables,
        rows: copied.rows,
        entries: copied.facts.entries,
        head: copied.facts.head,
        content: copied.facts.content,
        blobs: copied.blobs,
        bytes: copied.bytes,
        seconds: seconds(start),
    })
}
