//! A workspace in a folder: opening its SQLite database safely.
//!
//! WAL, synchronous=FULL, foreign keys on, one writer connection (the pool hands it out in the order asked), separate readers.
//!
//! Deliberately not here: reading and writing (`database`).

use crate::StoreError;
use crate::before_upgrade;
use crate::database::{Pools, Store};
use crate::turns::Turns;
use crate::write_ahead_log;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{AssertSqlSafe, Connection as _, Row as _};
use std::path::Path;
use std::time::Duration;

/// The schema's migrations, known to this program.
pub(crate) static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../../migrations/sqlite");

/// The time by the database's clock, in milliseconds since 1970 UTC.
pub(crate) const NOW: &str = "SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/// Older ones can lose commits when the write-ahead log is reset.
const OLDEST: (u32, u32, u32) = (3, 51, 3);

pub(crate) async fn connect(folder: &Path, create: bool) -> Result<Pools, StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(Store::database_file(folder))
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
    migrate(&writer, folder).await?;
    write_ahead_log::make_durable(Store::database_file(folder)).await?;
    let readers = pool(4).connect_lazy_with(options.read_only(true));
    Ok(Pools::Sqlite {
        writer,
        readers,
        turns: Turns::of(folder)?,
    })
}

async fn migrate(writer: &SqlitePool, folder: &Path) -> Result<(), StoreError> {
    let known = newest();
    let has_table: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_master WHERE name = '_sqlx_migrations'")
        .fetch_one(writer)
        .await?;
    if has_table > 0 {
        let found: Option<i64> = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations")
            .fetch_one(writer)
            .await?;
        match found {
            Some(found) if found > known => {
                return Err(StoreError::Newer(folder.display().to_string(), found, known));
            }
            Some(found) if found == known => return Ok(()),
            Some(found) => before_upgrade::copy(writer, folder, found, known).await?,
            None => {}
        }
    }
    MIGRATIONS.run(writer).await?;
    Ok(())
}

/// An empty workspace in memory, as the migrations up to this one make it.
pub(crate) async fn in_memory(version: i64) -> Result<SqliteConnection, StoreError> {
    let mut memory = SqliteConnection::connect("sqlite::memory:").await?;
    for migration in MIGRATIONS.iter().filter(|migration| migration.version <= version) {
        sqlx::raw_sql(AssertSqlSafe(migration.sql.as_str().to_owned()))
            .execute(&mut memory)
            .await?;
    }
    Ok(memory)
}

/// The newest schema that this program knows.
pub(crate) fn newest() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0)
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
    if found < OLDEST {
        Err(StoreError::OldSqlite(version))
    } else {
        Ok(())
    }
}
