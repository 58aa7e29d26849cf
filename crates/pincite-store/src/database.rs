//! The database itself: opening it safely, reading from it, and the one way to write to it.
//!
//! SQLite: WAL, synchronous=FULL, foreign keys on, one writer connection behind a fair queue (the pool hands it out in
//! the order asked), separate readers. A write begins with BEGIN IMMEDIATE, because a deferred transaction that turns
//! writer fails at once when another wrote; and it ends with a checked commit, because an autocommit statement's commit
//! error can be swallowed.
//!
//! Deliberately not here: retrying a commit. A commit that was cut off may have happened; callers find out by their key.

use crate::StoreError;
use crate::blobs::Blobs;
use crate::write_ahead_log;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Row as _, Sqlite, SqliteConnection, Transaction};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The schema's migrations, known to this program.
pub(crate) static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../../migrations/sqlite");

/// What differs between the databases: the time by the database's clock, in milliseconds since 1970 UTC.
const NOW: &str = "SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/// Older ones can lose commits when the write-ahead log is reset.
const OLDEST_SQLITE: (u32, u32, u32) = (3, 51, 3);

/// Who does something: for the audit entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// Name.
    pub who: String,
    /// Role in which it is done.
    pub role: String,
    /// Offset from UTC where it is done, such as `+01:00`.
    pub zone: String,
}

/// An open workspace.
#[derive(Debug, Clone)]
pub struct Store {
    writer: SqlitePool,
    readers: SqlitePool,
    folder: PathBuf,
}

/// One connection, whether it reads or writes.
pub type Connection = SqliteConnection;

/// A connection for reading.
pub type Reading = sqlx::pool::PoolConnection<Sqlite>;

/// A write under way. Dropped without [`Writing::commit`], nothing of it remains.
#[derive(Debug)]
pub struct Writing {
    pub(crate) transaction: Transaction<'static, Sqlite>,
    /// The database's time when the write began, in milliseconds since 1970 UTC: the `recorded_at` of all it writes.
    pub now: i64,
}

impl Store {
    /// The database file of a workspace.
    #[must_use]
    pub fn database_file(folder: &Path) -> PathBuf {
        folder.join("pincite.sqlite")
    }

    /// Makes a workspace in a folder (created where it is missing), or opens the one that is there.
    ///
    /// # Errors
    /// [`StoreError::File`], [`StoreError::Newer`], [`StoreError::OldSqlite`], [`StoreError::Database`].
    pub async fn create(folder: &Path) -> Result<Self, StoreError> {
        Blobs::create(folder)?;
        Self::connect(folder, true).await
    }

    /// Opens the workspace in a folder.
    ///
    /// # Errors
    /// [`StoreError::NoWorkspace`] where there is none, else as [`Store::create`].
    pub async fn open(folder: &Path) -> Result<Self, StoreError> {
        if !Self::database_file(folder).is_file() {
            return Err(StoreError::NoWorkspace(folder.to_owned()));
        }
        Self::connect(folder, false).await
    }

    async fn connect(folder: &Path, create: bool) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(Self::database_file(folder))
            .create_if_missing(create)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(30))
            // A workspace may come from somebody else: its schema must not run functions with side effects.
            .pragma("trusted_schema", "OFF")
            .pragma("cell_size_check", "ON");
        let pool = |connections: u32| {
            SqlitePoolOptions::new()
                .max_connections(connections)
                .acquire_timeout(Duration::from_secs(60))
                // A connection stays: else the log would be removed and begun anew behind `make_durable`.
                .idle_timeout(None)
                .max_lifetime(None)
        };
        let writer = pool(1).connect_with(options.clone()).await?;
        check_version(&writer).await?;
        let store = Self {
            writer,
            readers: pool(4).connect_lazy_with(options.read_only(true)),
            folder: folder.to_owned(),
        };
        store.migrate().await?;
        write_ahead_log::make_durable(Self::database_file(folder)).await?;
        Ok(store)
    }

    async fn migrate(&self) -> Result<(), StoreError> {
        let known = MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0);
        let has_table: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_master WHERE name = '_sqlx_migrations'")
            .fetch_one(&self.writer)
            .await?;
        if has_table > 0 {
            let found: Option<i64> = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations")
                .fetch_one(&self.writer)
                .await?;
            match found {
                Some(found) if found > known => return Err(StoreError::Newer(self.folder.clone(), found, known)),
                Some(found) if found == known => return Ok(()),
                _ => {}
            }
        }
        MIGRATIONS.run(&self.writer).await?;
        Ok(())
    }

    /// The workspace's folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The bytes kept beside the database.
    #[must_use]
    pub fn blobs(&self) -> Blobs {
        Blobs::of(&self.folder)
    }

    /// A connection for reading. What it sees is one consistent state for each statement.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn read(&self) -> Result<Reading, StoreError> {
        Ok(self.readers.acquire().await?)
    }

    /// A reading connection that is nobody else's.
    pub(crate) async fn own_reader(&self) -> Result<Connection, StoreError> {
        Ok(self.readers.connect_options().as_ref().clone().connect().await?)
    }

    /// Begins a write. Waits for its turn behind writes already asked for.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn write(&self) -> Result<Writing, StoreError> {
        let mut transaction = self.writer.begin_with("BEGIN IMMEDIATE").await?;
        let now = sqlx::query_scalar(NOW).fetch_one(&mut *transaction).await?;
        Ok(Writing { transaction, now })
    }

    /// The database's time in milliseconds since 1970 UTC.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn now(&self) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(NOW).fetch_one(&mut *self.read().await?).await?)
    }

    /// Closes every connection; the write-ahead log is folded into the database.
    pub async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

impl Writing {
    /// Makes the write last. Only when this says Ok has anything happened.
    ///
    /// # Errors
    /// [`StoreError::Database`]: the write may or may not have happened; ask by the caller's key.
    pub async fn commit(self) -> Result<(), StoreError> {
        Ok(self.transaction.commit().await?)
    }

    /// The connection, for reading what this write has written so far.
    pub fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.transaction
    }
}

async fn check_version(pool: &SqlitePool) -> Result<(), StoreError> {
    let version: String = sqlx::query("SELECT sqlite_version()")
        .fetch_one(pool)
        .await?
        .try_get(0)?;
    let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
    let found = (
        parts.next().unwrap_or(0),
        parts.next().unwrap_or(0),
        parts.next().unwrap_or(0),
    );
    if found < OLDEST_SQLITE {
        Err(StoreError::OldSqlite(version))
    } else {
        Ok(())
    }
}
