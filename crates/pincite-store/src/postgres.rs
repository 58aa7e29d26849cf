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
use std::path::Path;
use std::time::Duration;

/// The schema's migrations, known to this program.
static MIGRATIONS: sqlx::migrate::Migrator = sqlx::migrate!("../../migrations/postgres");

/// The time by the database's clock, in milliseconds since 1970 UTC; not the transaction's, which stands still.
pub(crate) const NOW: &str = "SELECT CAST(floor(extract(epoch FROM clock_timestamp()) * 1000) AS BIGINT)";

/// Everybody who works in the workspace hears on it. One database can hold several workspaces, each in a schema of its own.
pub(crate) const CHANNEL: &str = "SELECT 'pincite_' || current_schema()";

/// How long a connection is waited for. Whoever waits for longer is told, and keeps what they had.
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// The setting that names the blob folder.
pub(crate) const BLOBS: &str = "blobs";

/// What a transaction may hold alone, in the order in which both may be asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Lock {
    /// Writing at all.
    Writer = 7_103,
    /// The end of the audit chain.
    Chain = 7_104,
}

pub(crate) async fn connect(options: &PgConnectOptions, place: &Place, create: bool) -> Result<Pools, StoreError> {
    let pool = |connections: u32| {
        PgPoolOptions::new()
            .max_connections(connections)
            .idle_timeout(Duration::from_secs(60))
            .acquire_timeout(LONGEST_WAIT)
    };
    reach(options, place).await?;
    let away = |error| StoreError::Away(place.to_string(), error);
    let options = options.clone();
    let writers = pool(2)
        .connect_with(options.clone().options([("lock_timeout", "30s")]))
        .await
        .map_err(away)?;
    let known = MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or(0);
    let is_there: bool = sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL")
        .fetch_one(&writers)
        .await?;
    let found: Option<i64> = if is_there {
        sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations")
            .fetch_one(&writers)
            .await?
    } else if create {
        None
    } else {
        return Err(StoreError::NoWorkspace(place.to_string()));
    };
    match found {
        Some(found) if found > known => return Err(StoreError::Newer(place.to_string(), found, known)),
        Some(found) if found == known => {}
        Some(found) => {
            before_upgrade::dump(&options, place, &writers, found, known).await?;
            MIGRATIONS.run(&writers).await?;
        }
        None => MIGRATIONS.run(&writers).await?,
    }
    let readers = pool(4).connect_lazy_with(options.options([("default_transaction_read_only", "on")]));
    Ok(Pools::Postgres { writers, readers })
}

/// That the database answers.
pub(crate) async fn reach(options: &PgConnectOptions, place: &Place) -> Result<(), StoreError> {
    let away = |error| StoreError::Away(place.to_string(), error);
    // Once, and not through a pool: that would try again for as long as it waits, and hide what is wrong.
    let tried = tokio::time::timeout(LONGEST_WAIT, options.connect()).await;
    tried
        .map_err(|_| away(sqlx::Error::PoolTimedOut))?
        .map_err(away)?
        .close()
        .await
        .map_err(away)
}

/// Makes the tables up to this schema version, within the transaction that the connection is in.
pub(crate) async fn make_tables(connection: &mut Connection, schema: i64) -> Result<(), StoreError> {
    if let On::Postgres(connection) = connection.on() {
        MIGRATIONS.run_to(schema, connection).await?;
    }
    Ok(())
}

/// The blob folder that the workspace names; where it names none yet, the one given.
pub(crate) async fn blobs(pools: &Pools, given: Option<&Path>) -> Result<Blobs, StoreError> {
    let Pools::Postgres { writers, .. } = pools else {
        return Err(StoreError::Damaged("the workspace is not a team's".into()));
    };
    let kept: Option<String> = sqlx::query_scalar("SELECT value FROM workspace WHERE name = $1")
        .bind(BLOBS)
        .fetch_optional(writers)
        .await?;
    match (kept, given) {
        (Some(kept), _) => Ok(Blobs::of(Path::new(&kept))),
        (None, Some(given)) => {
            let blobs = Blobs::create(given)?;
            let path = given.canonicalize().map_err(|cause| StoreError::File {
                path: given.to_owned(),
                cause,
            })?;
            let mut transaction = writers.begin().await?;
            sqlx::query("INSERT INTO workspace (name, value) VALUES ($1, $2)")
                .bind(BLOBS)
                .bind(path.display().to_string())
                .execute(&mut *transaction)
                .await?;
            transaction.commit().await?;
            Ok(blobs)
        }
        (None, None) => Err(StoreError::refused(
            "no_blobs",
            "a team workspace keeps its documents in a folder that everybody reaches: name it with `pincite init --blobs DIR`",
        )),
    }
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
