//! A copy of a workspace's database before a newer program changes its schema.
//!
//! It is made and read back first, and only then anything is changed; where it can't be made, nothing is. It stands in `backups`, beside
//! a folder's database or in a team's folder of documents, and is called `before-NNNN-TIME`, NNNN being the schema that was upgraded to.
//! Nobody removes it.
//!
//! Deliberately not here: the bytes of documents, which no migration touches, and whether the audit chain holds: what is there is kept
//! as it is.

use crate::StoreError;
use crate::database_copy::{dumped, open_whole, own_folder, vacuum_into};
use crate::place::Place;
use crate::postgres::BLOBS;
use crate::{content, one_state, tables};
use sqlx::postgres::{PgConnectOptions, PgPool};
use sqlx::sqlite::SqlitePool;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Copies the database of a workspace in a folder.
///
/// # Errors
/// [`StoreError::Refused`] (`no_backup`).
pub(crate) async fn copy(writer: &SqlitePool, folder: &Path, found: i64, known: i64) -> Result<(), StoreError> {
    let refused = |error: StoreError| refused(&folder.display().to_string(), found, &error);
    let made = async {
        let now: String = sqlx::query_scalar("SELECT replace(strftime('%Y%m%dT%H%M%fZ', 'now'), '.', '')")
            .fetch_one(writer)
            .await?;
        let kept = Kept::begin(folder, known, &now, "sqlite")?;
        vacuum_into(&mut *writer.acquire().await?, &kept.passing).await?;
        let (pool, state) = open_whole(&kept.passing).await?;
        drop(state);
        pool.close().await;
        kept.finish()
    };
    made.await.map_err(refused)
}

/// Dumps a team's database.
///
/// # Errors
/// [`StoreError::Refused`] (`no_backup`).
pub(crate) async fn dump(
    options: &PgConnectOptions,
    place: &Place,
    writers: &PgPool,
    found: i64,
    known: i64,
) -> Result<(), StoreError> {
    let made = async {
        let blobs: Option<String> = sqlx::query_scalar("SELECT value FROM workspace WHERE name = $1")
            .bind(BLOBS)
            .fetch_optional(writers)
            .await?;
        // One that was never made to the end: nobody could open it, and there is nothing in it.
        let Some(blobs) = blobs else { return Ok(()) };
        let statement = "SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYYMMDD\"T\"HH24MISSMS\"Z\"')";
        let now: String = sqlx::query_scalar(statement).fetch_one(writers).await?;
        let kept = Kept::begin(Path::new(&blobs), known, &now, "dump")?;
        let mut state = one_state::of_postgres(writers).await?;
        let content = content::of(&mut state, &tables::of(found).await?).await?;
        dumped(options, &mut state, &kept.passing, found, &content.hash()).await?;
        drop(state);
        kept.finish()
    };
    made.await.map_err(|error| refused(&place.to_string(), found, &error))
}

fn refused(place: &str, found: i64, error: &StoreError) -> StoreError {
    StoreError::refused(
        "no_backup",
        format!(
            "the workspace in {place} was made by an older Pincite (schema {found}), and no backup of it could be made before \
             bringing it to this version, so nothing was changed: {error}"
        ),
    )
}

/// A copy that is being made, under a passing name.
struct Kept {
    passing: PathBuf,
    path: PathBuf,
}

impl Kept {
    fn begin(of: &Path, known: i64, now: &str, extension: &str) -> Result<Self, StoreError> {
        let folder = own_folder(of);
        let name = format!("before-{known:04}-{now}.{extension}");
        fs::create_dir_all(&folder).map_err(|cause| StoreError::File {
            path: folder.clone(),
            cause,
        })?;
        Ok(Self {
            passing: folder.join(format!(".{name}.{}.unfinished", std::process::id())),
            path: folder.join(name),
        })
    }

    fn finish(self) -> Result<(), StoreError> {
        let named = fs::rename(&self.passing, &self.path).and_then(|()| {
            for folder in self.path.ancestors().skip(1).take(2) {
                File::open(folder)?.sync_all()?;
            }
            Ok(())
        });
        named.map_err(|cause| StoreError::File {
            path: self.path.clone(),
            cause,
        })
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // Where it has its name there is nothing here any more.
        let _ = fs::remove_file(&self.passing);
    }
}
