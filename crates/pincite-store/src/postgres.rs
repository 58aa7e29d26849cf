//! A team's workspace: opening its PostgreSQL database, its locks, telling others of a commit.
//!
//! Deliberately not here: making the database and its roles (an administrator's work), reading and writing (`database`).

use crate::StoreError;
use crate::before_upgrade;
use crate::blobs::Blobs;
use crate::database::{Connection, On, Pools};
use crate::place::Place;
use crate::sql;
use sqlx::postgres::{PgConnectOptions, PgConnection, PgPoolOptions};
use sqlx::{ConnectOptions as _, Connection as _};
use std::time::Duration;

/// The schema's migrations, known to this program.
static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../../migrations/postgres");

/// The time by the database's clock, in milliseconds since 1970 UTC; not the transaction's, which stands still.
pub(crate) const NOW: &str = "SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)";

/// Everybody who works in the workspace hears on it. One database can hold several workspaces, each in a schema of its own.
pub(crate) const CHANNEL: &str = "SELECT 'pincite_' || current_schema()";

/// How long a connection is waited for. Whoever waits for longer is told, and keeps what they had.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// The setting that names the place of the documents.
pub(crate) const BLOBS: &str = "blobs";

/// What a transaction may hold alone, in the order in which both may be asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Lock {
    /// Writing at all.
    Writer = 7_103,
    /// The end of the audit chain.
    Chain = 7_104,
}

/// What was found when a workspace was opened.
#[derive(Debug)]
pub(crate) struct Found {
    /// Whose session it is.
    pub(crate) reader: Option<String>,
    /// The place of the documents that the workspace names.
    blobs: Option<String>,
}

pub(crate) async fn connect(
    options: &PgConnectOptions,
    place: &Place,
    create: bool,
) -> Result<(Pools, Found), StoreError> {
    let pool = |connections: u32| {
        PgPoolOptions::new()
            .max_connections(connections)
            .idle_timeout(Duration::from_secs(60))
            .acquire_timeout(LONGEST_WAIT)
    };
    let away = |error| StoreError::Away(place.to_string(), error);
    // Once, and not through a pool: that would try again for as long as it waits, and hide what is wrong.
    let mut once = connect_once(options, place).await?;
    let found = version(&mut once, place).await?;
    if found.is_none() {
        if !create {
            return Err(StoreError::NoWorkspace(place.to_string()));
        }
        // Before there is anything of it.
        place.blobs().ok_or_else(no_blobs)?.make_ready()?;
    }
    let is_current = found == Some(newest());
    if !is_current && !create {
        return Err(older(place));
    }
    let options = options.clone();
    let writers = pool(2).connect_lazy_with(options.clone().options([("lock_timeout", "30s")]));
    if let Some(found) = found
        && !is_current
    {
        before_upgrade::dump(&options, place, &writers, found, newest()).await?;
    }
    if !is_current {
        MIGRATIONS.run(&writers).await?;
    }
    let (reader, blobs) = sqlx::query_as("SELECT pincite_reader(), (SELECT value FROM workspace WHERE name = $1)")
        .bind(BLOBS)
        .fetch_one(&mut once)
        .await?;
    once.close().await.map_err(away)?;
    let readers = pool(4).connect_lazy_with(options.options([("default_transaction_read_only", "on")]));
    Ok((Pools::Postgres { writers, readers }, Found { reader, blobs }))
}

fn newest() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// One connection, and not from a pool.
pub(crate) async fn connect_once(options: &PgConnectOptions, place: &Place) -> Result<PgConnection, StoreError> {
    let away = |error| StoreError::Away(place.to_string(), error);
    let tried = tokio::time::timeout(LONGEST_WAIT, options.connect()).await;
    tried.map_err(|_| away(sqlx::Error::PoolTimedOut))?.map_err(away)
}

/// The version of the workspace's schema; `None` where there is no workspace.
async fn version(connection: &mut PgConnection, place: &Place) -> Result<Option<i64>, StoreError> {
    let is_there: bool = sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL")
        .fetch_one(&mut *connection)
        .await?;
    if !is_there {
        return Ok(None);
    }
    let found: Option<i64> = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations")
        .fetch_one(connection)
        .await?;
    match found {
        Some(found) if found > newest() => Err(StoreError::Newer(place.to_string(), found, newest())),
        found => Ok(found),
    }
}

/// Whether there is a workspace.
pub(crate) async fn is_there(options: &PgConnectOptions, place: &Place) -> Result<bool, StoreError> {
    let mut connection = connect_once(options, place).await?;
    let found = version(&mut connection, place).await?.is_some();
    connection.close().await?;
    Ok(found)
}

/// That there is a workspace, of the version that this program knows.
pub(crate) async fn is_of_this_version(connection: &mut PgConnection, place: &Place) -> Result<(), StoreError> {
    match version(connection, place).await? {
        None => Err(StoreError::NoWorkspace(place.to_string())),
        Some(found) if found == newest() => Ok(()),
        Some(_) => Err(older(place)),
    }
}

fn older(place: &Place) -> StoreError {
    StoreError::refused(
        "older_schema",
        format!(
            "the workspace in {place} is of an older Pincite: its owner brings it to this version with `pincite init`"
        ),
    )
}

/// Makes the tables up to this schema version, within the transaction that the connection is in.
pub(crate) async fn make_tables(connection: &mut Connection, schema: i64) -> Result<(), StoreError> {
    if let On::Postgres(connection) = connection.on() {
        MIGRATIONS.run_to(schema, connection).await?;
    }
    Ok(())
}

/// Where the workspace keeps documents; where it names no place yet, the one given.
pub(crate) async fn blobs(pools: &Pools, found: &Found, given: Option<&Blobs>) -> Result<Blobs, StoreError> {
    let Pools::Postgres { writers, .. } = pools else {
        return Err(StoreError::Damaged("the workspace is not a team's".into()));
    };
    if let Some(kept) = &found.blobs {
        return Blobs::at(kept);
    }
    let given = given.ok_or_else(no_blobs)?;
    let mut transaction = writers.begin().await?;
    sqlx::query("INSERT INTO workspace (name, value) VALUES ($1, $2)")
        .bind(BLOBS)
        .bind(given.address()?)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(given.clone())
}

/// A team's workspace that is to be made, and nobody said where its documents go.
pub(crate) fn no_blobs() -> StoreError {
    StoreError::refused(
        "no_blobs",
        "a team workspace keeps its documents where everybody reaches them: name a folder, or s3://bucket/name, with --blobs",
    )
}

/// That somebody is signed in.
pub(crate) fn signed_in(found: &Found, place: &Place) -> Result<String, StoreError> {
    found.reader.clone().ok_or_else(|| {
        StoreError::refused(
            "signed_out",
            format!("nobody is signed in to {place}: sign in with `pincite user sign-in NAME`"),
        )
    })
}

/// Waits for a lock that the transaction holds to its end.
pub(crate) async fn lock(connection: &mut Connection, lock: Lock) -> Result<(), StoreError> {
    sql::query("SELECT pg_advisory_xact_lock(CAST($1 AS INTEGER), hashtext(current_schema()))")
        .bind(lock as i64)
        .execute(connection)
        .await?;
    Ok(())
}

/// Tells everybody who listens that something was written: heard once the transaction is committed, and only then.
pub(crate) async fn tell(connection: &mut PgConnection) -> Result<(), StoreError> {
    sqlx::query("SELECT pg_notify('pincite_' || current_schema(), '')")
        .execute(connection)
        .await?;
    Ok(())
}
