//! One statement, run on whichever database the connection leads to.
//!
//! The same few words as `sqlx` has (`query`, `query_as`, `query_scalar`, `bind`, `fetch_all`, ...), so that a statement is
//! written once. Parameters are `$1`, `$2`, ... on both. A null has its type, because PostgreSQL wants to know it.
//!
//! Deliberately not here: building SQL from values (there is none), and what differs between the databases (`database`, `leases`).

use crate::database::{Connection, On};
use sqlx::postgres::{PgArguments, PgRow};
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Arguments as _, AssertSqlSafe, FromRow, Postgres, Sqlite};
use std::borrow::Cow;
use std::marker::PhantomData;

/// What a parameter can be; `None` is null of that type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Integer(Option<i64>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
    Flag(Option<bool>),
    Real(Option<f64>),
}

macro_rules! value_from {
    ($($of:ty => $kind:ident, |$value:ident| $owned:expr;)*) => {$(
        impl From<$of> for Value {
            fn from($value: $of) -> Self {
                Self::$kind(Some($owned))
            }
        }
        impl From<Option<$of>> for Value {
            fn from(value: Option<$of>) -> Self {
                Self::$kind(value.map(|$value| $owned))
            }
        }
    )*};
}

value_from! {
    i64 => Integer, |value| value;
    u32 => Integer, |value| i64::from(value);
    &str => Text, |value| value.to_owned();
    String => Text, |value| value;
    &String => Text, |value| value.clone();
    &[u8] => Bytes, |value| value.to_vec();
    Vec<u8> => Bytes, |value| value;
    &Vec<u8> => Bytes, |value| value.clone();
    bool => Flag, |value| value;
    f64 => Real, |value| value;
}

impl From<&Option<String>> for Value {
    fn from(value: &Option<String>) -> Self {
        Self::Text(value.clone())
    }
}

/// A row that either database can give.
pub(crate) trait AnyRow: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}
impl<T> AnyRow for T where T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

/// How a row becomes an answer.
pub(crate) trait Shape {
    type Row: AnyRow;
    type Answer;
    fn answer(row: Self::Row) -> Self::Answer;
}

/// The row as it is.
#[derive(Debug)]
pub(crate) struct Whole<T>(PhantomData<T>);

impl<T: AnyRow> Shape for Whole<T> {
    type Row = T;
    type Answer = T;
    fn answer(row: T) -> T {
        row
    }
}

/// A row's one column.
#[derive(Debug)]
pub(crate) struct Only<T>(PhantomData<T>);

impl<T> Shape for Only<T>
where
    (T,): AnyRow,
{
    type Row = (T,);
    type Answer = T;
    fn answer((value,): (T,)) -> T {
        value
    }
}

/// A statement with its parameters.
#[derive(Debug)]
pub(crate) struct Statement<S> {
    text: Cow<'static, str>,
    values: Vec<Value>,
    shape: PhantomData<S>,
}

/// A statement that answers nothing but how many rows it changed.
pub(crate) fn query(text: impl Into<Cow<'static, str>>) -> Statement<()> {
    Statement::new(text)
}

/// A statement whose rows are read as `T`.
pub(crate) fn query_as<T: AnyRow>(text: impl Into<Cow<'static, str>>) -> Statement<Whole<T>> {
    Statement::new(text)
}

/// A statement whose rows have one column.
pub(crate) fn query_scalar<T>(text: impl Into<Cow<'static, str>>) -> Statement<Only<T>>
where
    (T,): AnyRow,
{
    Statement::new(text)
}

/// `($1, $2), ($3, $4)`: so many rows of so many parameters.
pub(crate) fn rows_of(rows: usize, columns: usize) -> String {
    let row = |row: usize| {
        let parameters: Vec<String> = (1..=columns)
            .map(|column| format!("${}", row * columns + column))
            .collect();
        format!("({})", parameters.join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// What SQLite writes to is a table, where a view of the same name may stand before it (`reader`).
fn into_tables(text: String) -> String {
    ["INSERT INTO ", "UPDATE ", "DELETE FROM "]
        .iter()
        .find_map(|verb| Some(format!("{verb}main.{}", text.strip_prefix(verb)?)))
        .unwrap_or(text)
}

impl<S> Statement<S> {
    fn new(text: impl Into<Cow<'static, str>>) -> Self {
        Self {
            text: text.into(),
            values: Vec::new(),
            shape: PhantomData,
        }
    }

    /// The next parameter.
    #[must_use]
    pub(crate) fn bind(mut self, value: impl Into<Value>) -> Self {
        self.values.push(value.into());
        self
    }

    fn sqlite(values: Vec<Value>) -> Result<SqliteArguments, sqlx::Error> {
        let mut arguments = SqliteArguments::default();
        for value in values {
            match value {
                Value::Integer(value) => arguments.add(value),
                Value::Text(value) => arguments.add(value),
                Value::Bytes(value) => arguments.add(value),
                Value::Flag(value) => arguments.add(value),
                Value::Real(value) => arguments.add(value),
            }
            .map_err(sqlx::Error::Encode)?;
        }
        Ok(arguments)
    }

    fn postgres(values: Vec<Value>) -> Result<PgArguments, sqlx::Error> {
        let mut arguments = PgArguments::default();
        for value in values {
            match value {
                Value::Integer(value) => arguments.add(value),
                Value::Text(value) => arguments.add(value),
                Value::Bytes(value) => arguments.add(value),
                Value::Flag(value) => arguments.add(value),
                Value::Real(value) => arguments.add(value),
            }
            .map_err(sqlx::Error::Encode)?;
        }
        Ok(arguments)
    }
}

impl Statement<()> {
    /// Runs it; answers how many rows it changed.
    pub(crate) async fn execute(self, connection: &mut Connection) -> Result<u64, sqlx::Error> {
        let text = self.text.into_owned();
        match connection.on() {
            On::Sqlite(connection) => {
                let text = AssertSqlSafe(into_tables(text));
                let query = sqlx::query_with::<Sqlite, _>(text, Self::sqlite(self.values)?);
                Ok(query.execute(connection).await?.rows_affected())
            }
            On::Postgres(connection) => {
                let query = sqlx::query_with::<Postgres, _>(AssertSqlSafe(text), Self::postgres(self.values)?);
                Ok(query.execute(connection).await?.rows_affected())
            }
        }
    }
}

impl<S: Shape> Statement<S> {
    /// Every row.
    pub(crate) async fn fetch_all(self, connection: &mut Connection) -> Result<Vec<S::Answer>, sqlx::Error> {
        let text = AssertSqlSafe(self.text.into_owned());
        let rows: Vec<S::Row> = match connection.on() {
            On::Sqlite(connection) => {
                let query = sqlx::query_as_with::<Sqlite, S::Row, _>(text, Self::sqlite(self.values)?);
                query.fetch_all(connection).await?
            }
            On::Postgres(connection) => {
                let query = sqlx::query_as_with::<Postgres, S::Row, _>(text, Self::postgres(self.values)?);
                query.fetch_all(connection).await?
            }
        };
        Ok(rows.into_iter().map(S::answer).collect())
    }

    /// The first row, if there is one.
    pub(crate) async fn fetch_optional(self, connection: &mut Connection) -> Result<Option<S::Answer>, sqlx::Error> {
        let text = AssertSqlSafe(self.text.into_owned());
        let row: Option<S::Row> = match connection.on() {
            On::Sqlite(connection) => {
                let query = sqlx::query_as_with::<Sqlite, S::Row, _>(text, Self::sqlite(self.values)?);
                query.fetch_optional(connection).await?
            }
            On::Postgres(connection) => {
                let query = sqlx::query_as_with::<Postgres, S::Row, _>(text, Self::postgres(self.values)?);
                query.fetch_optional(connection).await?
            }
        };
        Ok(row.map(S::answer))
    }

    /// The one row that there always is.
    pub(crate) async fn fetch_one(self, connection: &mut Connection) -> Result<S::Answer, sqlx::Error> {
        self.fetch_optional(connection).await?.ok_or(sqlx::Error::RowNotFound)
    }
}
