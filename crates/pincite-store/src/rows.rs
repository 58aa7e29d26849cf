//! The rows of a table, one after another, out of one database and into the other.
//!
//! Never more than a few are in memory. From and to PostgreSQL they go through COPY, which checks a table's references once it is
//! whole, so that rows of one table may name each other in any order; SQLite is told to wait with that until the commit.
//!
//! Deliberately not here: which tables, and in what order (`copy`).

use crate::StoreError;
use crate::copy_text;
use crate::database::On;
use crate::sql::{self, Value};
use crate::tables::{Column, Kind, Table, quoted};
use futures_util::TryStreamExt as _;
use futures_util::stream::BoxStream;
use sqlx::postgres::{PgConnection, PgCopyIn, PgDatabaseError};
use sqlx::sqlite::{SqliteArguments, SqliteConnection, SqliteRow};
use sqlx::{Arguments as _, AssertSqlSafe, Row as _};

/// A statement's rows are written when there are so many, or
const ROWS: usize = 200;
/// when they are so long, in bytes.
const LENGTH: usize = 1 << 20;

/// Rows that are read.
pub(crate) enum Rows<'c> {
    Sqlite(BoxStream<'c, Result<SqliteRow, sqlx::Error>>, &'c Table),
    Postgres {
        stream: BoxStream<'c, Result<Vec<u8>, sqlx::Error>>,
        /// What came and was not read yet.
        rest: Vec<u8>,
        table: &'c Table,
    },
}

impl<'c> Rows<'c> {
    /// Begins to read a table.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub(crate) async fn of(on: On<'c>, table: &'c Table) -> Result<Self, StoreError> {
        let (columns, name) = (table.column_list(), quoted(&table.name));
        Ok(match on {
            On::Sqlite(connection) => {
                let statement = AssertSqlSafe(format!("SELECT {columns} FROM {name}"));
                Self::Sqlite(sqlx::query(statement).fetch(connection), table)
            }
            On::Postgres(connection) => {
                let statement = format!("COPY {name} ({columns}) TO STDOUT");
                let stream = connection.copy_out_raw(&statement).await?;
                Self::Postgres {
                    stream: Box::pin(stream.map_ok(|bytes| bytes.to_vec())),
                    rest: Vec::new(),
                    table,
                }
            }
        })
    }

    /// The next row; `None` at the end.
    ///
    /// # Errors
    /// [`StoreError::Database`]; [`StoreError::Damaged`] where a value is not of its column's kind.
    pub(crate) async fn next(&mut self) -> Result<Option<Vec<Value>>, StoreError> {
        match self {
            Self::Sqlite(stream, table) => match stream.try_next().await? {
                None => Ok(None),
                Some(row) => of_sqlite(&row, table).map(Some),
            },
            Self::Postgres { stream, rest, table } => loop {
                if let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
                    let line: Vec<u8> = rest.drain(..=end).collect();
                    let columns: Vec<&Column> = table.columns.iter().collect();
                    let line = line.get(..end).unwrap_or_default();
                    let row = copy_text::read(line, &columns);
                    return row.map(Some).map_err(|why| damaged(&table.name, &why));
                }
                match stream.try_next().await? {
                    None => return Ok(None),
                    Some(more) => rest.extend(more),
                }
            },
        }
    }
}

fn damaged(table: &str, why: &str) -> StoreError {
    StoreError::Damaged(format!("a row of the table {table}: {why}"))
}

fn of_sqlite(row: &SqliteRow, table: &Table) -> Result<Vec<Value>, StoreError> {
    let read = |(at, column): (usize, &Column)| {
        let value = match column.kind {
            Kind::Integer => row.try_get(at).map(Value::Integer),
            Kind::Text => row.try_get(at).map(Value::Text),
            Kind::Bytes => row.try_get(at).map(Value::Bytes),
            Kind::Flag => row.try_get(at).map(Value::Flag),
            Kind::Real => row.try_get(at).map(Value::Real),
        };
        value.map_err(|error| damaged(&table.name, &error.to_string()))
    };
    table.columns.iter().enumerate().map(read).collect()
}

/// Where rows are written.
pub(crate) enum Sink<'c> {
    Sqlite {
        connection: &'c mut SqliteConnection,
        table: &'c Table,
        waiting: Vec<Value>,
        length: usize,
    },
    Postgres {
        copy: PgCopyIn<&'c mut PgConnection>,
        table: &'c Table,
        waiting: Vec<u8>,
    },
}

/// Why a row could not be written.
pub(crate) enum Unwritten {
    /// For a reason that has nothing to do with a row.
    Failed(StoreError),
    /// The row of this number, from 1, of those put in: why.
    Row(u64, String),
}

impl<E: Into<StoreError>> From<E> for Unwritten {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl<'c> Sink<'c> {
    /// Begins to write into a table.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub(crate) async fn into(on: On<'c>, table: &'c Table) -> Result<Self, StoreError> {
        Ok(match on {
            On::Sqlite(connection) => Self::Sqlite {
                connection,
                table,
                waiting: Vec::new(),
                length: 0,
            },
            On::Postgres(connection) => {
                let (columns, name) = (table.column_list(), quoted(&table.name));
                let statement = format!("COPY {name} ({columns}) FROM STDIN");
                Self::Postgres {
                    copy: connection.copy_in_raw(&statement).await?,
                    table,
                    waiting: Vec::new(),
                }
            }
        })
    }

    /// Puts a row in. `number` is how many there are with it.
    ///
    /// # Errors
    /// [`Unwritten`].
    pub(crate) async fn put(&mut self, row: Vec<Value>, number: u64) -> Result<(), Unwritten> {
        match self {
            Self::Sqlite {
                connection,
                table,
                waiting,
                length,
            } => {
                *length += row.iter().map(length_of).sum::<usize>();
                waiting.extend(row);
                if waiting.len() >= ROWS * table.columns.len() || *length >= LENGTH {
                    *length = 0;
                    insert(connection, table, std::mem::take(waiting)).await?;
                }
            }
            Self::Postgres { copy, table, waiting } => {
                copy_text::write(&row, waiting).map_err(|at| {
                    let column = table.columns.get(at).map_or("", |column| &column.name);
                    Unwritten::Row(
                        number,
                        format!("{column} has a U+0000 in it, which PostgreSQL can't keep"),
                    )
                })?;
                if waiting.len() >= LENGTH {
                    copy.send(std::mem::take(waiting)).await?;
                }
            }
        }
        Ok(())
    }

    /// Ends; every row is in the table then.
    ///
    /// # Errors
    /// [`Unwritten`].
    pub(crate) async fn finish(self) -> Result<(), Unwritten> {
        match self {
            Self::Sqlite {
                connection,
                table,
                waiting,
                ..
            } => Ok(insert(connection, table, waiting).await?),
            Self::Postgres { mut copy, waiting, .. } => {
                copy.send(waiting).await?;
                copy.finish().await.map(|_| ()).map_err(refused_row)
            }
        }
    }
}

fn length_of(value: &Value) -> usize {
    match value {
        Value::Text(Some(text)) => text.len(),
        Value::Bytes(Some(bytes)) => bytes.len(),
        _ => 8,
    }
}

/// PostgreSQL says which line of a COPY it refused: `COPY documents, line 3`, and then perhaps what is in it, which is not repeated.
fn refused_row(error: sqlx::Error) -> Unwritten {
    let said = error
        .as_database_error()
        .and_then(|error| error.try_downcast_ref::<PgDatabaseError>())
        .and_then(|error| {
            let line = error.r#where()?.split_once(", line ")?.1;
            let digits: String = line.chars().take_while(char::is_ascii_digit).collect();
            Some((digits.parse().ok()?, error.message().to_owned()))
        });
    match said {
        Some((number, why)) => Unwritten::Row(number, why),
        None => Unwritten::Failed(error.into()),
    }
}

async fn insert(connection: &mut SqliteConnection, table: &Table, values: Vec<Value>) -> Result<(), StoreError> {
    let (columns, name) = (table.column_list(), quoted(&table.name));
    let rows = values.len() / table.columns.len().max(1);
    if rows == 0 {
        return Ok(());
    }
    let statement = format!(
        "INSERT INTO {name} ({columns}) VALUES {}",
        sql::rows_of(rows, table.columns.len())
    );
    let mut arguments = SqliteArguments::default();
    for value in values {
        let bound = match value {
            Value::Integer(value) => arguments.add(value),
            Value::Text(value) => arguments.add(value),
            Value::Bytes(value) => arguments.add(value),
            Value::Flag(value) => arguments.add(value),
            Value::Real(value) => arguments.add(value),
        };
        bound.map_err(sqlx::Error::Encode)?;
    }
    sqlx::query_with(AssertSqlSafe(statement), arguments)
        // One of another length is not asked again.
        .persistent(rows == ROWS)
        .execute(connection)
        .await?;
    Ok(())
}
