//! What is seen in SQLite's write-ahead log when a workspace is opened is made durable before anything is said of it.
//!
//! A program that was killed within a commit may leave that commit whole in the log and not synced. SQLite takes it for made:
//! the next program sees the decision, and its answer to a caller who asks again by the key writes nothing, so that nothing
//! would sync it. The power could still take what was acknowledged. And where SQLite makes the log, it does not look at
//! whether its name could be made durable.
//!
//! Deliberately not here: commits of this program's own. SQLite syncs each (synchronous=FULL) before it says so.

use crate::StoreError;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// Makes the log's content and name durable. Called once the workspace is open: from then on nobody else's commit is seen
/// before it was synced, as long as one connection stays.
///
/// # Errors
/// [`StoreError::File`].
pub(crate) async fn make_durable(database: PathBuf) -> Result<(), StoreError> {
    let mut log = database.clone().into_os_string();
    log.push("-wal");
    let log = PathBuf::from(log);
    let folder = database.parent().unwrap_or(Path::new(".")).to_owned();
    let synced = tokio::task::spawn_blocking(move || {
        match sync(&log) {
            // Without a log there is nothing in it.
            Err(StoreError::File { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => {}
            other => other?,
        }
        sync(&folder)
    });
    synced
        .await
        .map_err(|error| StoreError::Database(sqlx::Error::Io(error.into())))?
}

fn sync(path: &Path) -> Result<(), StoreError> {
    File::open(path)
        .and_then(|file| file.sync_all())
        .map_err(|cause| StoreError::File {
            path: path.to_owned(),
            cause,
        })
}
