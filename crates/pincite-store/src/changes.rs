//! Hearing of commits, whoever made them: another window, the command line, this program itself.
//!
//! The operating system says that a file of the database was written; the database says (`PRAGMA data_version`) whether
//! that was a commit. Nothing is asked while nothing is written. A commit becomes visible a moment *after* its last bytes
//! reached the file, since they are forced to the disk in between and the index of the write-ahead log lies in shared
//! memory, of which no file event tells: so the question is put a few times more after each event.
//!
//! PostgreSQL tells by itself: every commit notifies a channel of its workspace. A connection that broke and was made again may
//! have missed some, so that counts as a change too.
//!
//! Deliberately not here: what changed (whoever listens reads again).

use crate::StoreError;
use crate::database::{Pools, Store};
use crate::place::Place;
use crate::postgres;
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use sqlx::postgres::PgListener;
use sqlx::{ConnectOptions as _, SqliteConnection};
use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, channel};

/// After a file event the database is asked at once and after each of these pauses, until it says that something changed.
/// In all two seconds: longer than a disk takes to force a commit of a long import.
const PAUSES: [Duration; 6] = [
    Duration::from_millis(5),
    Duration::from_millis(20),
    Duration::from_millis(75),
    Duration::from_millis(200),
    Duration::from_millis(500),
    Duration::from_millis(1200),
];

/// Listens until it is dropped.
#[derive(Debug)]
pub struct Changes(Listening);

#[derive(Debug)]
enum Listening {
    Sqlite(Box<Watched>),
    Postgres(Box<PgListener>),
}

#[derive(Debug)]
struct Watched {
    written: Receiver<()>,
    /// Its own, and only ever this one: `data_version` counts what others committed as one connection sees it.
    connection: SqliteConnection,
    version: i64,
    _watcher: RecommendedWatcher,
}

impl Store {
    /// Begins to listen: [`Changes::next`] tells of every commit from now on.
    ///
    /// # Errors
    /// [`StoreError::Watch`] where the system can't watch the folder, [`StoreError::Database`].
    pub async fn changes(&self) -> Result<Changes, StoreError> {
        match (&self.pools, self.place()) {
            (Pools::Sqlite { readers, .. }, Place::Folder(folder)) => {
                let connection = readers.connect_options().as_ref().clone().connect().await?;
                Ok(Changes(Listening::Sqlite(Box::new(watch(folder, connection).await?))))
            }
            (Pools::Postgres { readers, .. }, _) => {
                let channel: String = sqlx::query_scalar(postgres::CHANNEL).fetch_one(readers).await?;
                let mut listener = PgListener::connect_with(readers).await?;
                listener.listen(&channel).await?;
                Ok(Changes(Listening::Postgres(Box::new(listener))))
            }
            (Pools::Sqlite { .. }, Place::Team(_)) => {
                Err(StoreError::Damaged("a team's workspace is on SQLite".into()))
            }
        }
    }
}

async fn watch(folder: &Path, mut connection: SqliteConnection) -> Result<Watched, StoreError> {
    let unwatched = |error| StoreError::Watch(folder.to_owned(), error);
    let file = Store::database_file(folder);
    let name = file.file_name().unwrap_or_default().to_owned();
    let log = {
        let mut log = name.clone();
        log.push("-wal");
        log
    };
    // One waiting word is enough: it says that something was written since the last look.
    let (tell, written) = channel(1);
    let mut watcher = notify::recommended_watcher(move |event: Result<Event, notify::Error>| {
        // Where the system lost count of events, anything may have been written.
        if event.map_or(true, |event| concerns(&event, &[&name, &log])) {
            let _ = tell.try_send(());
        }
    })
    .map_err(unwatched)?;
    watcher.watch(folder, RecursiveMode::NonRecursive).map_err(unwatched)?;
    let version = data_version(&mut connection).await?;
    Ok(Watched {
        written,
        connection,
        version,
        _watcher: watcher,
    })
}

impl Changes {
    /// Waits for a commit that was not told of yet. Several may be told as one. `false` once there is nothing to listen to.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn next(&mut self) -> Result<bool, StoreError> {
        match &mut self.0 {
            Listening::Sqlite(watched) => watched.next().await,
            Listening::Postgres(listener) => {
                // None: the connection broke; it is made again by the next question, and what was said meanwhile is unknown.
                let _ = listener.try_recv().await?;
                Ok(true)
            }
        }
    }
}

impl Watched {
    async fn next(&mut self) -> Result<bool, StoreError> {
        while self.written.recv().await.is_some() {
            if self.committed().await? {
                return Ok(true);
            }
            for pause in PAUSES {
                tokio::time::sleep(pause).await;
                if self.committed().await? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    async fn committed(&mut self) -> Result<bool, StoreError> {
        let version = data_version(&mut self.connection).await?;
        Ok(std::mem::replace(&mut self.version, version) != version)
    }
}

/// Whether an event says that one of these files was written. Reading them is an event too.
fn concerns(event: &Event, names: &[&OsString]) -> bool {
    event.need_rescan()
        || (matches!(
            event.kind,
            EventKind::Any | EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_)
        ) && event.paths.iter().any(|path| {
            path.file_name()
                .is_some_and(|name| names.iter().any(|wanted| *wanted == name))
        }))
}

async fn data_version(connection: &mut SqliteConnection) -> Result<i64, StoreError> {
    Ok(sqlx::query_scalar("PRAGMA data_version").fetch_one(connection).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Actor, sql};

    async fn write(store: &Store, subject: &str) -> Result<(), StoreError> {
        let actor = Actor {
            who: "reviewer-a".into(),
            role: "local".into(),
            zone: "+00:00".into(),
        };
        let mut write = store.write().await?;
        write.audit(&actor, &[7; 16], "test", subject, &serde_json::json!({}));
        write.commit().await
    }

    fn folder() -> Result<tempfile::TempDir, StoreError> {
        tempfile::tempdir().map_err(|cause| StoreError::File {
            path: std::env::temp_dir(),
            cause,
        })
    }

    /// Long enough for a loaded machine: what is asserted is that the word comes, not how soon.
    async fn told(changes: &mut Changes) -> bool {
        tokio::time::timeout(Duration::from_secs(20), changes.next())
            .await
            .is_ok_and(|told| told.is_ok_and(|told| told))
    }

    #[tokio::test]
    async fn a_commit_of_another_connection_is_told_and_a_read_is_not() -> Result<(), StoreError> {
        let folder = folder()?;
        let (here, there) = (Store::create(folder.path()).await?, Store::open(folder.path()).await?);
        let mut changes = here.changes().await?;
        for round in 0..5 {
            write(&there, &format!("there-{round}")).await?;
            assert!(told(&mut changes).await, "round {round}: the other's commit");
            write(&here, &format!("here-{round}")).await?;
            assert!(told(&mut changes).await, "round {round}: one's own commit");
        }
        // Whatever was written is told by now; reading and a write that was given up are no changes.
        while tokio::time::timeout(Duration::from_millis(2_500), changes.next())
            .await
            .is_ok()
        {}
        there.now().await?;
        drop(there.write().await?);
        let nothing = tokio::time::timeout(Duration::from_millis(2_500), changes.next()).await;
        assert!(nothing.is_err(), "nothing was committed");
        Ok(())
    }

    #[tokio::test]
    async fn commits_in_a_row_are_all_told_before_it_falls_silent() -> Result<(), StoreError> {
        let folder = folder()?;
        let (here, there) = (Store::create(folder.path()).await?, Store::open(folder.path()).await?);
        let mut changes = here.changes().await?;
        let last = 40_i64;
        for number in 0..last {
            write(&there, &number.to_string()).await?;
        }
        // Several may be one word; after the last word everything is there to be read.
        let mut seen = 0;
        while seen < last {
            assert!(told(&mut changes).await, "{seen} of {last} were told");
            let mut reading = here.read().await?;
            seen = sql::query_scalar("SELECT count(*) FROM audit_entries WHERE action = 'test'")
                .fetch_one(&mut reading)
                .await?;
        }
        Ok(())
    }
}
