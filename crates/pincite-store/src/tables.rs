//! The tables of a workspace, as the schema itself declares them: names, columns, numbers, and an order that references allow.
//!
//! Who copies a workspace asks here and names no table, so that a table of a later migration is copied without a new line of code.
//! What is declared is read from an empty SQLite database in memory; that PostgreSQL declares the same is a test's work (tests/tidy),
//! and that a certain database has these tables and no others is checked before it is read.
//!
//! Deliberately not here: rows (`rows`), what a table means (the migrations).

use crate::StoreError;
use crate::database::On;
use crate::sqlite;
use sqlx::sqlite::SqliteConnection;
use std::collections::BTreeSet;

/// What a column holds, on both databases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Integer,
    Text,
    Bytes,
    Flag,
    Real,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Whether it is of the primary key.
    pub(crate) key: bool,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) name: String,
    pub(crate) columns: Vec<Column>,
    /// The column that the database numbers by itself.
    pub(crate) numbered: Option<String>,
    /// Other tables that its rows name.
    names: BTreeSet<String>,
}

impl Table {
    /// Its columns, as a statement lists them.
    pub(crate) fn column_list(&self) -> String {
        let names: Vec<String> = self.columns.iter().map(|column| quoted(&column.name)).collect();
        names.join(", ")
    }
}

/// A name, as a statement has it.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// What is SQLite's or sqlx's own is no table of a workspace.
const TABLES: &str = "SELECT name, sql LIKE '% AUTOINCREMENT%' FROM sqlite_master WHERE type = 'table' \
     AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> '_sqlx_migrations' ORDER BY name";

/// The tables of a schema, each behind those that its rows name.
///
/// # Errors
/// [`StoreError::Database`]; [`StoreError::Damaged`] where tables name each other in a circle, or a column is of no known kind.
pub(crate) async fn of(schema: i64) -> Result<Vec<Table>, StoreError> {
    let mut memory = sqlite::in_memory(schema).await?;
    let names: Vec<(String, bool)> = sqlx::query_as(TABLES).fetch_all(&mut memory).await?;
    let mut left = Vec::new();
    for (name, numbered) in names {
        left.push(table(&mut memory, name, numbered).await?);
    }
    let mut tables: Vec<Table> = Vec::new();
    while !left.is_empty() {
        let known: BTreeSet<&String> = tables.iter().map(|table| &table.name).collect();
        let (ready, waiting): (Vec<Table>, Vec<Table>) = left
            .into_iter()
            .partition(|table| table.names.iter().all(|name| known.contains(name)));
        if ready.is_empty() {
            return Err(StoreError::Damaged(
                "tables of the schema name each other in a circle".into(),
            ));
        }
        tables.extend(ready);
        left = waiting;
    }
    Ok(tables)
}

async fn table(memory: &mut SqliteConnection, name: String, numbered: bool) -> Result<Table, StoreError> {
    let declared: Vec<(String, String, i64)> =
        sqlx::query_as("SELECT name, type, pk FROM pragma_table_info($1) ORDER BY cid")
            .bind(&name)
            .fetch_all(&mut *memory)
            .await?;
    let mut columns = Vec::new();
    for (column, declared, key) in declared {
        let kind = match declared.as_str() {
            "BIGINT" | "INTEGER" => Kind::Integer,
            "TEXT" => Kind::Text,
            "BLOB" => Kind::Bytes,
            "BOOLEAN" => Kind::Flag,
            "DOUBLE PRECISION" => Kind::Real,
            other => {
                return Err(StoreError::Damaged(format!(
                    "{name}.{column} is declared as {other}, which nobody can copy yet"
                )));
            }
        };
        columns.push(Column {
            name: column,
            kind,
            key: key > 0,
        });
    }
    let named: Vec<String> = sqlx::query_scalar("SELECT DISTINCT \"table\" FROM pragma_foreign_key_list($1)")
        .bind(&name)
        .fetch_all(memory)
        .await?;
    Ok(Table {
        numbered: columns
            .iter()
            .find(|column| numbered && column.key)
            .map(|column| column.name.clone()),
        names: named.into_iter().filter(|other| other != &name).collect(),
        name,
        columns,
    })
}

/// That a database has these tables with these columns and no others: what nobody knows would be left behind.
///
/// # Errors
/// [`StoreError::Refused`] (`other_tables`), [`StoreError::Database`].
pub(crate) async fn check(on: On<'_>, tables: &[Table]) -> Result<(), StoreError> {
    let found: Vec<(String, String)> = match on {
        On::Sqlite(connection) => {
            let statement = "SELECT m.name, i.name FROM sqlite_master m JOIN pragma_table_info(m.name) i \
                 WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND m.name <> '_sqlx_migrations'";
            sqlx::query_as(statement).fetch_all(connection).await?
        }
        On::Postgres(connection) => {
            let statement = "SELECT CAST(c.relname AS TEXT), CAST(a.attname AS TEXT) FROM pg_class c \
                 JOIN pg_namespace n ON n.oid = c.relnamespace \
                 JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped \
                 WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND c.relname <> '_sqlx_migrations'";
            sqlx::query_as(statement).fetch_all(connection).await?
        }
    };
    let found: BTreeSet<(&str, &str)> = found.iter().map(|(table, column)| (&**table, &**column)).collect();
    let known: BTreeSet<(&str, &str)> = tables
        .iter()
        .flat_map(|table| table.columns.iter().map(|column| (&*table.name, &*column.name)))
        .collect();
    let (what, (table, column)) = match (found.difference(&known).next(), known.difference(&found).next()) {
        (None, None) => return Ok(()),
        (Some(place), _) => ("is not one that this Pincite makes, and would be left behind", place),
        (None, Some(place)) => ("is missing", place),
    };
    Err(StoreError::refused(
        "other_tables",
        format!("the column {column} of the table {table} {what}: nothing was copied"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_schema_has_an_order_in_which_nothing_names_what_comes_later() -> Result<(), StoreError> {
        for schema in 1..=sqlite::newest() {
            let tables = of(schema).await?;
            assert!(tables.len() > 15, "schema {schema}: {}", tables.len());
            for (at, table) in tables.iter().enumerate() {
                let before: BTreeSet<&String> = tables.iter().take(at).map(|table| &table.name).collect();
                assert!(table.names.iter().all(|name| before.contains(name)), "{table:?}");
                assert!(!table.columns.is_empty(), "{table:?}");
            }
        }
        let numbered = of(sqlite::newest()).await?;
        let numbered: Vec<&Table> = numbered.iter().filter(|table| table.numbered.is_some()).collect();
        assert!(numbered.iter().any(|table| table.name == "decisions"), "{numbered:?}");
        assert!(numbered.iter().all(|table| table.name != "items"), "{numbered:?}");
        Ok(())
    }
}
