//! What a workspace holds, as one hash: the same on both databases, and another one when any value of any row is another.
//!
//! Each row is hashed with its table, columns and kinds of values; a table's rows are summed (modulo 2 to the 256th) and counted, so
//! that their order says nothing: a dump can be read back as it comes. The sum finds every slip of a disk, a program or a hand. It is
//! no seal against somebody who makes rows for it; the audit chain and its anchors are.
//!
//! Where a team keeps its documents is of the place and not of the content, and is left out.
//!
//! Deliberately not here: reading rows (`rows`).

use crate::StoreError;
use crate::database::Connection;
use crate::rows::Rows;
use crate::sql::Value;
use crate::tables::{self, Table};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;

/// What the rows of a workspace come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Content {
    tables: BTreeMap<String, Sum>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Sum {
    columns: String,
    rows: u64,
    /// The lowest part first.
    sum: [u64; 4],
}

impl Content {
    /// Of these tables, without rows yet.
    pub(crate) fn new(tables: &[Table]) -> Self {
        let empty = |table: &Table| {
            let sum = Sum {
                columns: table.column_list(),
                rows: 0,
                sum: [0; 4],
            };
            (table.name.clone(), sum)
        };
        Self {
            tables: tables.iter().map(empty).collect(),
        }
    }

    /// Takes a row in.
    pub(crate) fn add(&mut self, table: &Table, row: &[Value]) {
        let Some(sum) = self
            .tables
            .get_mut(&table.name)
            .filter(|_| !is_of_the_place(table, row))
        else {
            return;
        };
        let mut hash = Sha256::new();
        let mut part = |kind: u8, bytes: &[u8]| {
            hash.update([kind]);
            hash.update((bytes.len() as u64).to_be_bytes());
            hash.update(bytes);
        };
        part(b'r', table.name.as_bytes());
        for value in row {
            match value {
                Value::Integer(Some(number)) => part(b'i', &number.to_be_bytes()),
                Value::Text(Some(text)) => part(b't', text.as_bytes()),
                Value::Bytes(Some(bytes)) => part(b'b', bytes),
                Value::Flag(Some(flag)) => part(b'f', &[u8::from(*flag)]),
                // SQLite keeps no minus at a zero.
                Value::Real(Some(number)) => part(b'd', &(number + 0.0).to_be_bytes()),
                Value::Integer(None)
                | Value::Text(None)
                | Value::Bytes(None)
                | Value::Flag(None)
                | Value::Real(None) => {
                    part(b'n', &[]);
                }
            }
        }
        let digest = hash.finalize();
        let mut carried = false;
        let (words, _) = digest.as_chunks::<8>();
        for (mine, word) in sum.sum.iter_mut().zip(words) {
            let (added, over) = mine.overflowing_add(u64::from_be_bytes(*word));
            let (added, over_again) = added.overflowing_add(u64::from(carried));
            *mine = added;
            carried = over || over_again;
        }
        sum.rows += 1;
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> u64 {
        self.tables.values().map(|sum| sum.rows).sum()
    }

    /// How many tables.
    pub(crate) fn tables(&self) -> u64 {
        self.tables.len() as u64
    }

    /// All of it as one hash, hexadecimal.
    pub(crate) fn hash(&self) -> String {
        let mut hash = Sha256::new();
        for (name, sum) in &self.tables {
            for text in [name, &sum.columns] {
                hash.update((text.len() as u64).to_be_bytes());
                hash.update(text.as_bytes());
            }
            hash.update(sum.rows.to_be_bytes());
            for word in sum.sum {
                hash.update(word.to_be_bytes());
            }
        }
        pincite_core::hex(&hash.finalize())
    }

    /// The first table in which another content differs.
    pub(crate) fn differs(&self, other: &Self) -> Option<&str> {
        let differs = |(name, sum): &(&String, &Sum)| other.tables.get(*name) != Some(*sum);
        let mine = self.tables.iter().find(differs).map(|(name, _)| &**name);
        mine.or_else(|| {
            let mut more = other.tables.keys();
            more.find(|name| !self.tables.contains_key(*name)).map(|_| "of tables")
        })
    }
}

/// Whether a row says where the workspace is, and not what is in it.
pub(crate) fn is_of_the_place(table: &Table, row: &[Value]) -> bool {
    table.name == "workspace" && row.first() == Some(&Value::Text(Some(crate::postgres::BLOBS.into())))
}

/// Of a whole database, read through a connection that sees one state.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Damaged`].
pub(crate) async fn of(connection: &mut Connection, tables: &[Table]) -> Result<Content, StoreError> {
    let mut content = Content::new(tables);
    for table in tables {
        let mut rows = Rows::of(connection.on(), table).await?;
        while let Some(row) = rows.next().await? {
            content.add(table, &row);
        }
    }
    Ok(content)
}

/// The hash of what an open workspace holds at this moment, hexadecimal: equal where all rows of all tables are, whichever the
/// database.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Damaged`]; [`StoreError::Refused`] (`other_tables`, `rows_hidden`).
pub async fn hash(store: &crate::Store) -> Result<String, StoreError> {
    let mut state = store.one_state().await?;
    let tables = tables::of(crate::sqlite::newest()).await?;
    tables::check(state.on(), &tables).await?;
    Ok(of(&mut state, &tables).await?.hash())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite;

    #[tokio::test]
    async fn a_row_counts_by_its_values_and_not_by_its_order() -> Result<(), StoreError> {
        let tables = tables::of(sqlite::newest()).await?;
        let table = |name: &str| tables.iter().find(|table| table.name == name).cloned();
        let (Some(reviewers), Some(workspace)) = (table("reviewers"), table("workspace")) else {
            return Err(StoreError::Damaged("tables are gone".into()));
        };
        let row = |name: &str, at: i64| vec![Value::Text(Some(name.into())), Value::Integer(Some(at))];
        let of = |rows: &[Vec<Value>]| {
            let mut content = Content::new(&tables);
            rows.iter().for_each(|row| content.add(&reviewers, row));
            content
        };
        let all: Vec<Vec<Value>> = (0..50).map(|at| row("ada", at)).collect();
        let mut turned = all.clone();
        turned.reverse();
        assert_eq!(of(&all), of(&turned));
        assert_eq!(of(&all).hash(), of(&turned).hash());
        turned.push(row("ada", 3));
        assert_eq!(of(&all).differs(&of(&turned)), Some("reviewers"));
        assert_ne!(of(&[row("ada", 1)]).hash(), of(&[row("ad", 1)]).hash());
        assert_ne!(
            of(&[row("ada", 1)]).hash(),
            of(&[vec![Value::Text(None), Value::Integer(Some(1))]]).hash()
        );
        let mut content = Content::new(&tables);
        let place = |name: &str| vec![Value::Text(Some(name.into())), Value::Text(Some("here".into()))];
        content.add(&workspace, &place("blobs"));
        assert_eq!(content, Content::new(&tables));
        content.add(&workspace, &place("demo"));
        assert_ne!(content, Content::new(&tables));
        Ok(())
    }
}
