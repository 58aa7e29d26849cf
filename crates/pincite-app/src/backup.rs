//! Backing a workspace up into a folder: its database as it is at one moment, the bytes of every document that this database names,
//! and a list of it all.
//!
//! Others may go on writing. Bytes are named by their hash and are there before a database names them, so those of the copied
//! database are whole whatever comes in meanwhile. The folder gets its name when all of it was read back.
//!
//! Deliberately not here: how a database is copied and verified (`pincite-store::database_copy`), the list (`backup_manifest`).

use crate::backup_manifest::{Listed, Manifest, hashed};
use crate::error::AppError;
use crate::files::refused;
use crate::times;
use crate::unfinished::Unfinished;
use crate::workspace::Workspace;
use pincite_store::Blobs;
use pincite_store::database_copy::{DatabaseCopy, kind};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;

/// A backup that was made and read back.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BackupReport {
    /// The folder.
    pub backup: String,
    /// `sqlite` or `postgres`.
    pub database: String,
    /// Entries of the audit chain in it, all verified.
    pub entries: i64,
    /// The hash of the last one, hexadecimal.
    pub head: String,
    /// How many files there are beside the list.
    pub files: u64,
    /// How many bytes they have.
    pub bytes: u64,
    /// How long it took.
    pub seconds: f64,
}

/// Makes a backup in a folder, which must be new or empty, and reads it back.
///
/// # Errors
/// One line: the folder is taken or can't be written; bytes of a document are missing or damaged; the audit chain does not hold; on
/// PostgreSQL no pg_dump, or a role from which rows are hidden. Nothing is left then.
pub async fn backup(workspace: &Workspace, folder: &Path) -> Result<BackupReport, AppError> {
    let start = Instant::now();
    let store = &workspace.store;
    let unfinished = Unfinished::begin(folder)?;
    let inside = unfinished.folder().to_owned();
    let (database, name) = kind(store.place());
    let file = inside.join(name);
    let mut copy = DatabaseCopy::make(store, &file).await?;
    let mut files = vec![hashed(&file, name.to_owned())?];
    let to = Blobs::create(&inside.join("blobs"))?;
    let mut after = String::new();
    loop {
        let names = copy.blobs(&after).await?;
        let Some(last) = names.last() else { break };
        after.clone_from(last);
        for sha256 in names {
            files.push(copy_blob(&store.blobs(), &to, sha256).await?);
        }
    }
    let facts = copy.facts.clone();
    copy.close().await;
    to.settle()?;
    // What passed through it has its name now.
    let passing = inside.join("blobs").join("passing");
    std::fs::remove_dir_all(&passing).map_err(|error| refused(&passing, &format!("it can't be removed: {error}")))?;
    let made_at = times::text(store.now().await?);
    Manifest::new(facts.clone(), database, made_at, files).write(&inside)?;
    // As whoever restores it will read it.
    let manifest = tokio::task::spawn_blocking(move || {
        let manifest = Manifest::read(&inside)?;
        manifest.check(&inside)?;
        Ok::<_, AppError>(manifest)
    });
    let manifest = manifest.await??;
    unfinished.finish()?;
    Ok(BackupReport {
        backup: folder.display().to_string(),
        database: database.to_owned(),
        entries: facts.entries,
        head: facts.head,
        files: manifest.files.len() as u64,
        bytes: manifest.files.iter().map(|file| file.bytes).sum(),
        seconds: seconds(start),
    })
}

/// Copies the bytes of a document, and hashes them on the way.
pub(crate) async fn copy_blob(from: &Blobs, to: &Blobs, sha256: String) -> Result<Listed, AppError> {
    let (from, to) = (from.clone(), to.clone());
    let copied = tokio::task::spawn_blocking(move || {
        let bytes = from.copy_to(&to, &sha256)?;
        Ok::<_, AppError>(Listed {
            path: format!("blobs/{}/{sha256}", sha256.get(..2).unwrap_or_default()),
            bytes,
            sha256,
        })
    });
    copied.await?
}

/// Since then, in seconds, to the millisecond.
pub(crate) fn seconds(start: Instant) -> f64 {
    (start.elapsed().as_secs_f64() * 1000.0).round() / 1000.0
}
