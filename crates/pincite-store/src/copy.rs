//! A whole workspace into a new place, on the same database or the other one: every row of every table as it is, in one transaction.
//!
//! The source is read as one state. Documents are copied first, then rows, and before the commit the copy is read back and its content
//! compared with what was read. So whatever ends this early, there is no workspace at the new place, or a whole one.
//!
//! Rows keep their numbers, and numbering goes on behind them. Entries of the audit chain are rows like any other: it holds in the
//! copy as it held before, hash for hash, and the anchors taken of it go on vouching for it.
//!
//! Deliberately not here: where a new folder is made, and that it gets its name last (`pincite-app`).

use crate::StoreError;
use crate::blobs::Blobs;
use crate::content::{self, Content, is_of_the_place};
use crate::database::{Connection, On, Pools, Store};
use crate::database_copy::{Facts, facts_of};
use crate::place::Place;
use crate::rows::{Rows, Sink, Unwritten};
use crate::sql::{self, Value};
use crate::tables::{self, Table, quoted};
use crate::{one_state, postgres, sqlite, triggers};
use sqlx::Connection as _;
use sqlx::postgres::{PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, SqlSafeStr as _, Transaction};
use std::collections::BTreeMap;
use std::path::Path;

/// What was copied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Copied {
    /// What the workspace is, here as there.
    pub facts: Facts,
    /// How many tables it has.
    pub tables: u64,
    /// How many rows they have together.
    pub rows: u64,
    /// How many documents' bytes were copied.
    pub blobs: u64,
    /// How many bytes these are.
    pub bytes: u64,
}

/// Copies a workspace into a folder in which there is nothing of one.
///
/// # Errors
/// [`StoreError::Refused`] (`other_tables`, `rows_hidden`, `blob_missing`, `blob_damaged`), [`StoreError::File`],
/// [`StoreError::Database`], [`StoreError::Damaged`].
pub async fn to_folder(source: &Store, folder: &Path) -> Result<Copied, StoreError> {
    let blobs = Blobs::create(&folder.join("blobs"))?;
    let pools = sqlite::connect(folder, true).await?;
    let Pools::Sqlite { writer, readers, .. } = &pools else {
        return Err(StoreError::Damaged("a folder is no database".into()));
    };
    let begun = Transaction::begin(writer.acquire().await?, Some("BEGIN IMMEDIATE".into_sql_str()));
    let mut target = Connection::alone_on_sqlite(begun.await?);
    let copied = fill(source, &mut target, &blobs, None).await?;
    target.commit_alone().await?;
    readers.close().await;
    writer.close().await;
    Ok(copied)
}

/// Copies a workspace into a team's database, into a schema that is empty, its documents into the folder that the place names.
///
/// # Errors
/// As [`to_folder`]; [`StoreError::Refused`] (`place_taken`, `no_blobs`, `unfit`), [`StoreError::Away`].
pub async fn to_team(source: &Store, place: &Place) -> Result<Copied, StoreError> {
    let mut team = NewTeam::begin(place).await?;
    team.make_tables(sqlite::newest()).await?;
    let blobs = team.blobs.clone();
    blobs.make_ready()?;
    let address = blobs.address()?;
    let copied = fill(source, &mut team.connection, &blobs, Some(&address)).await?;
    team.commit().await?;
    Ok(copied)
}

async fn fill(source: &Store, target: &mut Connection, to: &Blobs, team: Option<&str>) -> Result<Copied, StoreError> {
    let tables = tables::of(sqlite::newest()).await?;
    let mut state = source.one_state().await?;
    tables::check(state.on(), &tables).await?;
    let (mut blobs, mut bytes, mut after) = (0, 0, String::new());
    loop {
        let names = blob_names(&mut state, &after).await?;
        let Some(last) = names.last() else { break };
        after.clone_from(last);
        for name in names {
            bytes += copy_blob(&source.blobs(), to, name).await?;
            blobs += 1;
        }
    }
    to.settle()?;
    let away = begin_filling(target, &tables).await?;
    let mut read = Content::new(&tables);
    for table in &tables {
        copy_table(&mut state, target, table, &mut read).await?;
    }
    let numbers = numbers(&mut state, &tables).await?;
    end_filling(target, &tables, away, &numbers, team).await?;
    let written = content::of(target, &tables).await?;
    if let Some(table) = written.differs(&read) {
        return Err(StoreError::Damaged(format!(
            "the copy differs from what was read, in the table {table}"
        )));
    }
    let facts = facts_of(target, sqlite::newest(), &tables, &written).await?;
    Ok(Copied {
        facts,
        tables: read.tables(),
        rows: read.rows(),
        blobs,
        bytes,
    })
}

/// Names of the documents' bytes that a database knows, in order, those after one; none at the end.
pub(crate) async fn blob_names(connection: &mut Connection, after: &str) -> Result<Vec<String>, StoreError> {
    let names = sql::query_scalar("SELECT sha256 FROM blobs WHERE sha256 > $1 ORDER BY sha256 LIMIT 1000");
    Ok(names.bind(after).fetch_all(connection).await?)
}

async fn copy_blob(from: &Blobs, to: &Blobs, name: String) -> Result<u64, StoreError> {
    let (from, to) = (from.clone(), to.clone());
    let copied = tokio::task::spawn_blocking(move || from.copy_to(&to, &name));
    copied.await.map_err(std::io::Error::other)?
}

/// Makes a new workspace ready to be filled: what its migrations put into it is removed, nothing acts by itself.
pub(crate) async fn begin_filling(target: &mut Connection, tables: &[Table]) -> Result<triggers::Away, StoreError> {
    if let On::Sqlite(connection) = target.on() {
        sqlx::query("PRAGMA defer_foreign_keys = ON")
            .execute(connection)
            .await?;
    }
    let away = triggers::put_away(target).await?;
    for table in tables.iter().rev() {
        let statement = format!("DELETE FROM {}", quoted(&table.name));
        sql::query(statement).execute(target).await?;
    }
    Ok(away)
}

/// Makes it a workspace that goes on.
pub(crate) async fn end_filling(
    target: &mut Connection,
    tables: &[Table],
    away: triggers::Away,
    numbers: &BTreeMap<String, i64>,
    team: Option<&str>,
) -> Result<(), StoreError> {
    go_on(target, tables, numbers).await?;
    if let Some(folder) = team {
        sql::query("INSERT INTO workspace (name, value) VALUES ($1, $2)")
            .bind(postgres::BLOBS)
            .bind(folder)
            .execute(target)
            .await?;
    }
    away.put_back(target).await?;
    if let On::Postgres(connection) = target.on() {
        // Without it the first questions to big tables would be answered as if they were empty.
        for table in tables {
            let statement = AssertSqlSafe(format!("ANALYZE {}", quoted(&table.name)));
            sqlx::query(statement).execute(&mut *connection).await?;
        }
    }
    Ok(())
}

async fn copy_table(
    source: &mut Connection,
    target: &mut Connection,
    table: &Table,
    content: &mut Content,
) -> Result<(), StoreError> {
    match pour(source.on(), target.on(), table, content).await {
        Ok(()) => Ok(()),
        Err(Unwritten::Failed(error)) => Err(error),
        Err(Unwritten::Row(number, why)) => {
            let row = nth(source.on(), table, number).await?;
            Err(StoreError::refused(
                "unfit",
                format!(
                    "the row of {} with {row} does not fit: {why}. Nothing was copied",
                    table.name
                ),
            ))
        }
    }
}

async fn pour(from: On<'_>, into: On<'_>, table: &Table, content: &mut Content) -> Result<(), Unwritten> {
    let mut rows = Rows::of(from, table).await?;
    let mut sink = Sink::into(into, table).await?;
    let mut number = 0;
    while let Some(row) = rows.next().await? {
        if is_of_the_place(table, &row) {
            continue;
        }
        content.add(table, &row);
        number += 1;
        sink.put(row, number).await?;
    }
    sink.finish().await
}

/// What names the row of this number: its key, or where it has none its first column.
async fn nth(from: On<'_>, table: &Table, number: u64) -> Result<String, StoreError> {
    let mut rows = Rows::of(from, table).await?;
    let mut left = number;
    while let Some(row) = rows.next().await? {
        if is_of_the_place(table, &row) {
            continue;
        }
        left -= 1;
        if left > 0 {
            continue;
        }
        let named = |(at, column): (usize, &tables::Column)| {
            (column.key || at == 0 && !table.columns.iter().any(|column| column.key))
                .then(|| format!("{} {}", column.name, row.get(at).map_or_else(String::new, shown)))
        };
        let names: Vec<String> = table.columns.iter().enumerate().filter_map(named).collect();
        return Ok(names.join(", "));
    }
    Ok(format!("the number {number}"))
}

/// A value in words, on one line and not for long.
fn shown(value: &Value) -> String {
    match value {
        Value::Text(Some(text)) if text.chars().count() > 40 => {
            let start: String = text.chars().take(40).collect();
            format!("{start:?} and so on")
        }
        Value::Text(Some(text)) => format!("{text:?}"),
        Value::Integer(Some(number)) => number.to_string(),
        Value::Bytes(Some(bytes)) => format!("of {} bytes", bytes.len()),
        _ => "none".into(),
    }
}

/// The last number that each table gave, where a table numbers its rows.
pub(crate) async fn numbers(
    connection: &mut Connection,
    tables: &[Table],
) -> Result<BTreeMap<String, i64>, StoreError> {
    let mut numbers = BTreeMap::new();
    for table in tables {
        let Some(column) = &table.numbered else { continue };
        let (name, largest) = (
            &table.name,
            format!("SELECT max({}) FROM {}", quoted(column), quoted(&table.name)),
        );
        let given: Option<Option<i64>> = match connection.on() {
            On::Sqlite(connection) => {
                sqlx::query_scalar("SELECT seq FROM sqlite_sequence WHERE name = $1")
                    .bind(name)
                    .fetch_optional(connection)
                    .await?
            }
            On::Postgres(connection) => {
                sqlx::query_scalar(
                    "SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(quote_ident($1), $2) AS regclass))",
                )
                .bind(name)
                .bind(column)
                .fetch_optional(connection)
                .await?
            }
        };
        let largest: Option<i64> = sql::query_scalar(largest).fetch_one(connection).await?;
        numbers.insert(name.clone(), given.flatten().max(largest).unwrap_or(0));
    }
    Ok(numbers)
}

/// The next row of each table gets the number behind the last one given.
async fn go_on(
    connection: &mut Connection,
    tables: &[Table],
    numbers: &BTreeMap<String, i64>,
) -> Result<(), StoreError> {
    for table in tables {
        let Some(column) = &table.numbered else { continue };
        let largest = format!("SELECT max({}) FROM {}", quoted(column), quoted(&table.name));
        let largest: Option<i64> = sql::query_scalar(largest).fetch_one(connection).await?;
        let last = largest.max(numbers.get(&table.name).copied()).unwrap_or(0);
        if last <= 0 {
            continue;
        }
        match connection.on() {
            On::Sqlite(connection) => {
                sqlx::query("DELETE FROM sqlite_sequence WHERE name = $1")
                    .bind(&table.name)
                    .execute(&mut *connection)
                    .await?;
                sqlx::query("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)")
                    .bind(&table.name)
                    .bind(last)
                    .execute(connection)
                    .await?;
            }
            On::Postgres(connection) => {
                sqlx::query("SELECT setval(pg_get_serial_sequence(quote_ident($1), $2), $3)")
                    .bind(&table.name)
                    .bind(column)
                    .bind(last)
                    .execute(connection)
                    .await?;
            }
        }
    }
    Ok(())
}

/// A team's workspace that is being made in one transaction, its tables too.
pub(crate) struct NewTeam {
    pub(crate) connection: Connection,
    /// Where its documents will be.
    pub(crate) blobs: Blobs,
    writers: PgPool,
}

impl NewTeam {
    /// Begins in a schema where there is nothing.
    ///
    /// # Errors
    /// [`StoreError::Refused`] (`place_taken`, `no_blobs`), [`StoreError::Away`], [`StoreError::Database`].
    pub(crate) async fn begin(place: &Place) -> Result<Self, StoreError> {
        let Place::Team(team) = place else {
            return Err(StoreError::Damaged("a folder is no team's database".into()));
        };
        let blobs = team.blobs.clone().ok_or_else(postgres::no_blobs)?;
        let options = team.as_owner();
        let away = |error| StoreError::Away(place.to_string(), error);
        let once = postgres::connect_once(&options, place).await?;
        once.close().await.map_err(away)?;
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None);
        let writers = pool.connect_with(options).await.map_err(away)?;
        let mut connection = Connection::alone_on_postgres(writers.begin().await?);
        // Two who make one at the same place: one after the other, and the second finds it taken.
        postgres::lock(&mut connection, postgres::Lock::Writer).await?;
        let taken: Option<String> = sql::query_scalar(
            "SELECT CAST(c.relname AS TEXT) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
             WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') ORDER BY c.relname LIMIT 1",
        )
        .fetch_optional(&mut connection)
        .await?;
        if let Some(table) = taken {
            return Err(StoreError::refused(
                "place_taken",
                format!("{place}: something is here already (the table {table}): name an empty schema or database"),
            ));
        }
        one_state::exact(&mut connection).await?;
        Ok(Self {
            connection,
            blobs,
            writers,
        })
    }

    /// Makes the tables of this schema version.
    ///
    /// # Errors
    /// [`StoreError::Refused`] (`rows_hidden`), [`StoreError::Migration`], [`StoreError::Database`].
    pub(crate) async fn make_tables(&mut self, schema: i64) -> Result<(), StoreError> {
        postgres::make_tables(&mut self.connection, schema).await?;
        // Nobody else sees these tables yet, and what row-level security watches can't be filled by COPY.
        self.row_security("NO FORCE").await?;
        one_state::nothing_hidden(&mut self.connection).await
    }

    /// Whether row-level security holds for the owner of the tables, too: `FORCE`, as it is, or `NO FORCE`.
    async fn row_security(&mut self, how: &str) -> Result<(), StoreError> {
        let secured: Vec<String> = sql::query_scalar(
            "SELECT quote_ident(c.relname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
             WHERE n.nspname = current_schema() AND c.relrowsecurity ORDER BY c.relname",
        )
        .fetch_all(&mut self.connection)
        .await?;
        for table in secured {
            sql::query(format!("ALTER TABLE {table} {how} ROW LEVEL SECURITY"))
                .execute(&mut self.connection)
                .await?;
        }
        Ok(())
    }

    /// Makes it last.
    pub(crate) async fn commit(mut self) -> Result<(), StoreError> {
        self.row_security("FORCE").await?;
        self.connection.commit_alone().await?;
        self.writers.close().await;
        Ok(())
    }
}
