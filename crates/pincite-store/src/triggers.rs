//! Triggers out of the way while a whole workspace is copied in: what they would write is copied, and what they refuse is refused to
//! those who change a workspace.
//!
//! In the transaction that copies, so that nobody ever sees a workspace without them.
//!
//! Deliberately not here: references, which are checked as ever.

use crate::StoreError;
use crate::database::{Connection, On};
use crate::tables::quoted;
use sqlx::AssertSqlSafe;

/// Statements that put everything back as it was.
#[derive(Debug)]
#[must_use]
pub(crate) struct Away(Vec<String>);

/// Puts the triggers away.
///
/// # Errors
/// [`StoreError::Database`].
pub(crate) async fn put_away(connection: &mut Connection) -> Result<Away, StoreError> {
    let (away, back): (Vec<String>, Vec<String>) = match connection.on() {
        On::Sqlite(connection) => {
            let found: Vec<(String, String)> =
                sqlx::query_as("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid")
                    .fetch_all(connection)
                    .await?;
            let away = |(name, sql): (String, String)| (format!("DROP TRIGGER {}", quoted(&name)), sql);
            found.into_iter().map(away).unzip()
        }
        On::Postgres(connection) => {
            let found: Vec<(String, String, String)> = sqlx::query_as(
                "SELECT CAST(c.relname AS TEXT), CAST(t.tgname AS TEXT), CAST(t.tgenabled AS TEXT) FROM pg_trigger t \
                 JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace \
                 WHERE n.nspname = current_schema() AND NOT t.tgisinternal AND t.tgenabled <> 'D' ORDER BY 1, 2",
            )
            .fetch_all(connection)
            .await?;
            let away = |(table, trigger, when): (String, String, String)| {
                let (table, trigger) = (quoted(&table), quoted(&trigger));
                let how = match when.as_str() {
                    "A" => "ENABLE ALWAYS",
                    "R" => "ENABLE REPLICA",
                    _ => "ENABLE",
                };
                (
                    format!("ALTER TABLE {table} DISABLE TRIGGER {trigger}"),
                    format!("ALTER TABLE {table} {how} TRIGGER {trigger}"),
                )
            };
            found.into_iter().map(away).unzip()
        }
    };
    run(connection, away).await?;
    Ok(Away(back))
}

impl Away {
    /// Puts them back.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub(crate) async fn put_back(self, connection: &mut Connection) -> Result<(), StoreError> {
        run(connection, self.0).await
    }
}

async fn run(connection: &mut Connection, statements: Vec<String>) -> Result<(), StoreError> {
    for statement in statements {
        let statement = sqlx::raw_sql(AssertSqlSafe(statement));
        match connection.on() {
            On::Sqlite(connection) => statement.execute(connection).await.map(|_| ())?,
            On::Postgres(connection) => statement.execute(connection).await.map(|_| ())?,
        }
    }
    Ok(())
}
