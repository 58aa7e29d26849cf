//! Reading a whole workspace as it was at one moment, whatever is written meanwhile.
//!
//! On SQLite that is one read transaction, on PostgreSQL one that is REPEATABLE READ. And nothing may be hidden from whoever copies, or
//! rows would be lost without a word: on SQLite the connection reads past its reader's views, on PostgreSQL its role has to own the
//! tables.
//!
//! Deliberately not here: what is read.

use crate::StoreError;
use crate::database::{Connection, On, Pools, Store};
use crate::place::Place;
use crate::reader;
use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::{SqlSafeStr as _, Transaction};

impl Store {
    /// A connection that sees one state to its end.
    ///
    /// # Errors
    /// [`StoreError::Database`]; [`StoreError::Refused`] (`rows_hidden`).
    pub(crate) async fn one_state(&self) -> Result<Connection, StoreError> {
        match &self.pools {
            Pools::Sqlite { readers, .. } => {
                let mut connection = readers.acquire().await?;
                reader::look_past(&mut connection).await?;
                let begun = Transaction::begin(connection, Some("BEGIN".into_sql_str()));
                let mut connection = Connection::alone_on_sqlite(begun.await?);
                // SQLite takes the state at the first question.
                crate::sql::query_scalar::<i64>("SELECT count(*) FROM workspace")
                    .fetch_one(&mut connection)
                    .await?;
                Ok(connection)
            }
            Pools::Postgres { readers, .. } => {
                let Place::Team(team) = self.place() else {
                    return of_postgres(readers).await;
                };
                // As the owner of the tables, from whom nothing is hidden: whoever is not is told.
                let pool = PgPoolOptions::new().max_connections(1);
                of_postgres(&pool.connect_with(team.as_owner()).await?).await
            }
        }
    }
}

/// The same on PostgreSQL, of a workspace that is not open yet.
pub(crate) async fn of_postgres(pool: &PgPool) -> Result<Connection, StoreError> {
    let how = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY".into_sql_str();
    let begun = Transaction::begin(pool.acquire().await?, Some(how)).await?;
    let mut connection = Connection::alone_on_postgres(begun);
    nothing_hidden(&mut connection).await?;
    exact(&mut connection).await?;
    Ok(connection)
}

/// That row-level security keeps nothing from this role, in either direction.
pub(crate) async fn nothing_hidden(connection: &mut Connection) -> Result<(), StoreError> {
    let On::Postgres(connection) = connection.on() else {
        return Ok(());
    };
    let hidden: Option<(String, String)> = sqlx::query_as(
        "SELECT CAST(c.relname AS TEXT), CAST(current_user AS TEXT) FROM pg_class c \
         JOIN pg_namespace n ON n.oid = c.relnamespace \
         WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND row_security_active(c.oid) \
         AND NOT (coalesce(current_setting('pincite.inside', true), '') = 'on' AND pg_get_userbyid(c.relowner) = current_user) \
         ORDER BY c.relname LIMIT 1",
    )
    .fetch_optional(connection)
    .await?;
    match hidden {
        None => Ok(()),
        Some((table, role)) => Err(StoreError::refused(
            "rows_hidden",
            format!(
                "row-level security may hide rows of {table} from the role {role}, so nothing is copied: name in the address \
                 the role that owns the tables"
            ),
        )),
    }
}

/// Bytes as digits, doubles with all of theirs, and as long as it takes, whatever the server is set to.
pub(crate) async fn exact(connection: &mut Connection) -> Result<(), StoreError> {
    if let On::Postgres(connection) = connection.on() {
        for setting in [
            "SET LOCAL bytea_output = hex",
            "SET LOCAL extra_float_digits = 3",
            "SET LOCAL statement_timeout = 0",
            // Between two questions documents are copied.
            "SET LOCAL idle_in_transaction_session_timeout = 0",
            // Rows in one order: a refused one is found again by its number.
            "SET LOCAL synchronize_seqscans = off",
        ] {
            sqlx::query(setting).execute(&mut *connection).await?;
        }
    }
    Ok(())
}
