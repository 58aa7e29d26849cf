//! A workspace out of a backup, in a place where there is none.
//!
//! Every file is read and compared with the backup's list before anything is written. What is restored is then looked over as a
//! workspace that somebody sent, and compared with what was backed up, before it gets its name or is committed.
//!
//! Deliberately not here: putting a backup over a workspace that is there. Whoever wants that moves it away first.

use crate::backup::{copy_blob, seconds};
use crate::backup_manifest::Manifest;
use crate::error::AppError;
use crate::files::refused;
use crate::unfinished::Unfinished;
use pincite_store::database_copy::{is_free, kind, known, load, take_over};
use pincite_store::{Blobs, Place, Store};
use serde::Serialize;
use std::fs::File;
use std::path::Path;
use std::time::Instant;

/// A workspace that was restored.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RestoreReport {
    /// Where it is.
    pub workspace: String,
    /// `sqlite` or `postgres`.
    pub database: String,
    /// Entries of the audit chain in it, all verified.
    pub entries: i64,
    /// The hash of the last one, hexadecimal.
    pub head: String,
    /// The schema that the backup had; the workspace has this program's.
    pub schema: i64,
    /// How many files were restored.
    pub files: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// How long it took.
    pub seconds: f64,
}

/// Restores a backup into a new or empty folder, or into a team's empty schema.
///
/// # Errors
/// One line: no whole backup, one that was changed, one of a newer program; a place where something is. Nothing is left then but bytes
/// of documents in a team's folder, which nobody names.
pub async fn restore(place: &Place, backup: &Path) -> Result<RestoreReport, AppError> {
    let start = Instant::now();
    let manifest = Manifest::read(backup)?;
    known(manifest.schema, &format!("the backup {}", backup.display()))?;
    let (database, name) = kind(place);
    if manifest.database != database {
        let remedy = match place {
            Place::Folder(_) => "restore it into an empty team schema (--workspace postgres://... --blobs DIR)",
            Place::Team(_) => "restore it into a new folder",
        };
        return Err(refused(
            backup,
            &format!(
                "it is the backup of a workspace on {}: {remedy}, and then take it on by `pincite workspace copy`",
                manifest.database
            ),
        ));
    }
    let unfinished = match place {
        Place::Folder(folder) => Some(Unfinished::begin(folder)?),
        Place::Team(_) => None,
    };
    let team = match place {
        Place::Team(_) => Some(is_free(place).await?),
        Place::Folder(_) => None,
    };
    let (checked, folder) = (manifest.clone(), backup.to_owned());
    tokio::task::spawn_blocking(move || checked.check(&folder)).await??;
    let to = match (&unfinished, team) {
        (Some(unfinished), _) => Blobs::create(&unfinished.folder().join("blobs"))?,
        (None, Some(blobs)) => blobs,
        (None, None) => return Err(AppError::internal("a workspace is in a folder or a team's")),
    };
    let from = Blobs::of(&backup.join("blobs"));
    for file in manifest.files.iter().filter(|file| file.path.starts_with("blobs/")) {
        let _ = copy_blob(&from, &to, file.sha256.clone()).await?;
    }
    to.settle()?;
    let facts = manifest.facts();
    let copied = backup.join(name);
    match unfinished {
        Some(unfinished) => {
            let file = Store::database_file(unfinished.folder());
            let written = std::fs::copy(&copied, &file).and_then(|_| File::open(&file)?.sync_all());
            written.map_err(|error| refused(&file, &format!("it can't be written: {error}")))?;
            take_over(unfinished.folder(), &to, &facts).await?;
            unfinished.finish()?;
        }
        None => load(&copied, place, &facts).await?,
    }
    Ok(RestoreReport {
        workspace: place.to_string(),
        database: database.to_owned(),
        entries: facts.entries,
        head: facts.head,
        schema: facts.schema,
        files: manifest.files.len() as u64,
        bytes: manifest.files.iter().map(|file| file.bytes).sum(),
        seconds: seconds(start),
    })
}
