//! The database itself: opening it safely, reading from it, and the one way to write to it.
//!
//! A workspace is on SQLite or on PostgreSQL, and everything above this module is written once. What differs stands here, in
//! `sqlite`, `postgres` and `sql`, and beside each other in `leases` (taking the next free item).
//!
//! One write at a time, on both: SQLite has one writer connection in each program and turns
//! between programs (`turns`), PostgreSQL a lock of the transaction's
//! that every write but a lease takes first. So whoever checks and then writes is never overtaken. Leases ([`Store::write_lease`])
//! lock the item's row instead, so that many can claim at once. Audit entries are appended last of all, under a lock of their
//! own: always in the order writer, rows, chain, so that nobody waits in a circle.
//!
//! A write ends with a checked commit, in a task that nobody cancels. Deliberately not here: retrying a commit. A commit that
//! was cut off may have happened; callers find out by their key.

use crate::StoreError;
use crate::audit::PendingEntry;
use crate::blobs::Blobs;
use crate::place::Place;
use crate::turns::{Turn, Turns};
use crate::{postgres, reader, sql, sqlite};
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnection, PgPool};
use sqlx::sqlite::{SqliteConnection, SqlitePool};
use sqlx::{Postgres, SqlSafeStr as _, Sqlite, Transaction};
use std::fmt;
use std::future::Future;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

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
    pub(crate) pools: Pools,
    blobs: Blobs,
    place: Place,
    /// Whose eyes it reads with.
    reader: Arc<str>,
    /// In which role its writes are done, in a team.
    role: Option<Arc<str>>,
    listener: Arc<OnceLock<Box<dyn ChainListener>>>,
}

/// Told of the chain's end whenever a write has appended to it, after its commit.
pub trait ChainListener: fmt::Debug + Send + Sync {
    /// The chain has `entries` entries, the last of which hashes to `head`; it was written at `recorded_at`, in milliseconds
    /// since 1970 UTC.
    fn grown(&self, entries: i64, head: [u8; 32], recorded_at: i64);
}

#[derive(Debug, Clone)]
pub(crate) enum Pools {
    Sqlite {
        writer: SqlitePool,
        readers: SqlitePool,
        turns: Turns,
    },
    Postgres {
        writers: PgPool,
        readers: PgPool,
    },
}

/// One connection, whether it reads or writes, to whichever database.
#[derive(Debug)]
pub struct Connection(Held);

#[derive(Debug)]
enum Held {
    Sqlite(PoolConnection<Sqlite>),
    SqliteWrite(Transaction<'static, Sqlite>, Turn),
    /// For reading one state throughout, or in a database that nobody else has opened.
    SqliteAlone(Transaction<'static, Sqlite>),
    Postgres(PoolConnection<Postgres>),
    PostgresWrite(Transaction<'static, Postgres>),
}

/// Where a connection leads.
#[derive(Debug)]
pub(crate) enum On<'c> {
    Sqlite(&'c mut SqliteConnection),
    Postgres(&'c mut PgConnection),
}

impl Connection {
    pub(crate) fn on(&mut self) -> On<'_> {
        match &mut self.0 {
            Held::Sqlite(connection) => On::Sqlite(connection),
            Held::SqliteWrite(transaction, _) | Held::SqliteAlone(transaction) => On::Sqlite(transaction),
            Held::Postgres(connection) => On::Postgres(connection),
            Held::PostgresWrite(transaction) => On::Postgres(transaction),
        }
    }

    /// In a transaction of its own, for whoever copies a whole workspace (`one_state`, `copy`).
    pub(crate) fn alone_on_sqlite(transaction: Transaction<'static, Sqlite>) -> Self {
        Self(Held::SqliteAlone(transaction))
    }

    /// The same on PostgreSQL.
    pub(crate) fn alone_on_postgres(transaction: Transaction<'static, Postgres>) -> Self {
        Self(Held::PostgresWrite(transaction))
    }

    /// Makes last what one of these two wrote.
    pub(crate) async fn commit_alone(self) -> Result<(), StoreError> {
        match self.0 {
            Held::SqliteAlone(transaction) => Ok(transaction.commit().await?),
            Held::PostgresWrite(transaction) => Ok(transaction.commit().await?),
            Held::Sqlite(_) | Held::Postgres(_) | Held::SqliteWrite(..) => Ok(()),
        }
    }

    pub(crate) fn is_postgres(&self) -> bool {
        matches!(self.0, Held::Postgres(_) | Held::PostgresWrite(_))
    }

    /// The time by the database's clock, in milliseconds since 1970 UTC.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn now(&mut self) -> Result<i64, StoreError> {
        let now = if self.is_postgres() { postgres::NOW } else { sqlite::NOW };
        Ok(sql::query_scalar(now).fetch_one(self).await?)
    }
}

/// A connection for reading. What it sees is one consistent state for each statement.
#[derive(Debug)]
pub struct Reading(Connection);

impl Deref for Reading {
    type Target = Connection;
    fn deref(&self) -> &Connection {
        &self.0
    }
}

impl DerefMut for Reading {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.0
    }
}

/// A write under way. Dropped without [`Writing::commit`], nothing of it remains.
#[derive(Debug)]
pub struct Writing {
    connection: Connection,
    /// The database's time when the write began, in milliseconds since 1970 UTC: the `recorded_at` of all it writes.
    pub now: i64,
    pub(crate) entries: Vec<PendingEntry>,
    reader: Arc<str>,
    role: Option<Arc<str>>,
    listener: Arc<OnceLock<Box<dyn ChainListener>>>,
}

impl Store {
    /// The database file of a workspace in a folder.
    #[must_use]
    pub fn database_file(folder: &Path) -> PathBuf {
        folder.join("pincite.sqlite")
    }

    /// Makes a workspace, or opens the one that is there.
    ///
    /// # Errors
    /// [`StoreError::File`], [`StoreError::Newer`], [`StoreError::OldSqlite`], [`StoreError::Database`];
    /// [`StoreError::Refused`] (`no_blobs`).
    pub async fn create(place: impl Into<Place>) -> Result<Self, StoreError> {
        let place = place.into();
        match &place {
            Place::Folder(folder) => {
                let blobs = Blobs::create(&folder.join("blobs"))?;
                let pools = sqlite::connect(folder, true).await?;
                Ok(Self::of(pools, blobs, place, ""))
            }
            Place::Team(team) => {
                let (pools, found) = postgres::connect(&team.as_owner(), &place, true).await?;
                let blobs = postgres::blobs(&pools, &found, place.blobs()).await?;
                Ok(Self::of(pools, blobs, place, ""))
            }
        }
    }

    /// Opens a workspace.
    ///
    /// # Errors
    /// [`StoreError::NoWorkspace`] where there is none, [`StoreError::Refused`] (`signed_out`) where nobody is signed in to a
    /// team's, else as [`Store::create`].
    pub async fn open(place: impl Into<Place>) -> Result<Self, StoreError> {
        let place = place.into();
        match &place {
            Place::Folder(folder) => {
                if !Self::database_file(folder).is_file() {
                    return Err(StoreError::NoWorkspace(place.to_string()));
                }
                let pools = sqlite::connect(folder, false).await?;
                let blobs = Blobs::of(&folder.join("blobs"));
                Ok(Self::of(pools, blobs, place, ""))
            }
            Place::Team(team) => {
                let (pools, found) = postgres::connect(&team.as_member(), &place, false).await?;
                let reader = postgres::signed_in(&found, &place)?;
                let blobs = postgres::blobs(&pools, &found, None).await?;
                Ok(Self::of(pools, blobs, place, &reader))
            }
        }
    }

    /// Whether there is a workspace at this place, of whatever version.
    ///
    /// # Errors
    /// [`StoreError::Away`], [`StoreError::Database`].
    pub async fn is_there(place: &Place) -> Result<bool, StoreError> {
        match place {
            Place::Folder(folder) => Ok(Self::database_file(folder).is_file()),
            Place::Team(team) => postgres::is_there(&team.as_member(), place).await,
        }
    }

    fn of(pools: Pools, blobs: Blobs, place: Place, reader: &str) -> Self {
        Self {
            pools,
            blobs,
            place,
            reader: reader.into(),
            role: None,
            listener: Arc::default(),
        }
    }

    /// Who reads: in a team whoever is signed in, alone whoever [`Store::read_as`] said; empty where nobody did.
    #[must_use]
    pub fn reader(&self) -> &str {
        &self.reader
    }

    /// The same workspace, read with another person's eyes. A team's workspace is read by whoever is signed in, whatever is
    /// said here.
    #[must_use]
    pub fn read_as(&self, name: &str) -> Self {
        let mut other = self.clone();
        if let Place::Folder(_) = self.place {
            other.reader = name.into();
        }
        other
    }

    /// The same workspace, for what is done in this role of a team.
    #[must_use]
    pub fn acting_in(&self, role: &str) -> Self {
        let mut other = self.clone();
        other.role = Some(role.into());
        other
    }

    /// Tells this listener of the audit chain's growth from now on; the first one that is set stays.
    pub fn listen(&self, listener: Box<dyn ChainListener>) {
        let _ = self.listener.set(listener);
    }

    /// Where it is.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The bytes kept beside the database.
    #[must_use]
    pub fn blobs(&self) -> Blobs {
        self.blobs.clone()
    }

    /// A connection for reading.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn read(&self) -> Result<Reading, StoreError> {
        let held = match &self.pools {
            Pools::Sqlite { readers, .. } => {
                let mut connection = readers.acquire().await?;
                reader::look_through(&mut connection, &self.reader).await?;
                Held::Sqlite(connection)
            }
            Pools::Postgres { readers, .. } => Held::Postgres(readers.acquire().await?),
        };
        Ok(Reading(Connection(held)))
    }

    /// Begins a write. Waits for its turn behind writes already asked for.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn write(&self) -> Result<Writing, StoreError> {
        self.begin(true).await
    }

    /// Begins a write that touches one item's lease and nothing else, and locks that item before it reads it. On PostgreSQL
    /// many of these run at once.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn write_lease(&self) -> Result<Writing, StoreError> {
        self.begin(false).await
    }

    /// In a task of its own: a beginning that is cancelled half-way would leave the connection inside a transaction.
    async fn begin(&self, alone: bool) -> Result<Writing, StoreError> {
        let Self {
            pools,
            listener,
            reader,
            role,
            ..
        } = self.clone();
        uncancelled(async move {
            let held = match &pools {
                Pools::Sqlite { writer, turns, .. } => {
                    let connection = writer.acquire().await?;
                    let turn = turns.take().await?;
                    // At once for writing: a deferred transaction that turns writer fails when another wrote.
                    let begun = Transaction::begin(connection, Some("BEGIN IMMEDIATE".into_sql_str()));
                    let mut transaction = begun.await?;
                    reader::look_through(&mut transaction, &reader).await?;
                    Held::SqliteWrite(transaction, turn)
                }
                Pools::Postgres { writers, .. } => Held::PostgresWrite(writers.begin().await?),
            };
            let mut connection = Connection(held);
            if alone && connection.is_postgres() {
                postgres::lock(&mut connection, postgres::Lock::Writer).await?;
            }
            let now = connection.now().await?;
            Ok(Writing {
                connection,
                now,
                entries: Vec::new(),
                reader,
                role,
                listener,
            })
        })
        .await
    }

    /// The database's time in milliseconds since 1970 UTC.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn now(&self) -> Result<i64, StoreError> {
        self.read().await?.now().await
    }

    /// Closes every connection; the write-ahead log is folded into the database.
    pub async fn close(&self) {
        match &self.pools {
            Pools::Sqlite { writer, readers, .. } => {
                readers.close().await;
                writer.close().await;
            }
            Pools::Postgres { writers, readers } => {
                readers.close().await;
                writers.close().await;
            }
        }
    }
}

impl Writing {
    /// Makes the write last, its audit entries with it. Only when this says Ok has anything happened.
    ///
    /// # Errors
    /// [`StoreError::Database`]: the write may or may not have happened; ask by the caller's key.
    pub async fn commit(mut self) -> Result<(), StoreError> {
        uncancelled(async move {
            let grown = self.append_entries().await?;
            let (now, listener) = (self.now, self.listener);
            match self.connection.0 {
                Held::SqliteWrite(transaction, turn) => {
                    transaction.commit().await?;
                    drop(turn);
                }
                Held::PostgresWrite(mut transaction) => {
                    postgres::tell(&mut transaction).await?;
                    transaction.commit().await?;
                }
                // A write is only ever begun as one of the two.
                Held::Sqlite(_) | Held::Postgres(_) | Held::SqliteAlone(_) => {}
            }
            if let (Some((entries, head)), Some(listener)) = (grown, listener.get()) {
                listener.grown(entries, head, now);
            }
            Ok(())
        })
        .await
    }

    /// Who writes in a team, and in which role; `None` where somebody works alone.
    #[must_use]
    pub fn acting(&self) -> Option<(&str, &str)> {
        self.role.as_deref().map(|role| (self.reader.as_ref(), role))
    }

    /// The connection, for reading what this write has written so far.
    pub fn connection(&mut self) -> &mut Connection {
        &mut self.connection
    }
}

/// Runs to its end even where whoever asked has gone.
async fn uncancelled<T: Send + 'static>(
    work: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Result<T, StoreError> {
    match tokio::spawn(work).await {
        Ok(done) => done,
        Err(error) => Err(StoreError::Damaged(format!("a write broke off: {error}"))),
    }
}
