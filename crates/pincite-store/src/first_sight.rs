//! Looking over a workspace in a folder that somebody may have sent, before anything in it is used.
//!
//! A database can carry more than rows: a trigger that changes a decision while it is written, a view in place of a table, pages
//! made to lead a reader astray. So it is opened for reading alone, with nothing trusted; every page is checked; and what it
//! declares has to be what Pincite declares, word for word, up to its own migration.
//!
//! Deliberately not here: whether the rows are true (the audit chain says that), and which workspaces are known (`pincite-app`).

use crate::StoreError;
use crate::database::Store;
use crate::sqlite::{self, MIGRATIONS};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, Connection as _};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// What a database declares: kind, name, table, and the words.
type Declared = BTreeSet<(String, String, String, String)>;

/// `sqlite_` is what SQLite makes itself; the table of migrations is sqlx's, and only its rows are read.
const DECLARED: &str = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master \
     WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name <> '_sqlx_migrations'";

/// Looks it over. A workspace that a newer program made passes: opening it says so.
///
/// # Errors
/// [`StoreError::Strange`] where it is not as Pincite makes them; [`StoreError::Database`] where it is no database.
pub async fn look_over(folder: &Path) -> Result<(), StoreError> {
    let strange = |what: String| StoreError::Strange(folder.display().to_string(), what);
    let mut connection = SqliteConnectOptions::new()
        .filename(Store::database_file(folder))
        .read_only(true)
        .pragma("trusted_schema", "OFF")
        .pragma("cell_size_check", "ON")
        .pragma("mmap_size", "0")
        .connect()
        .await?;
    let found: String = sqlx::query_scalar("PRAGMA quick_check(1)")
        .fetch_one(&mut connection)
        .await?;
    if found != "ok" {
        let said: Vec<&str> = found.lines().filter(|line| !line.starts_with("***")).collect();
        let said = said.join("; ");
        return Err(if is_of_the_disk(&said) {
            StoreError::File {
                path: Store::database_file(folder),
                cause: io::Error::other(said),
            }
        } else {
            strange(format!("its pages are damaged ({said})"))
        });
    }
    let kind: Option<String> = sqlx::query_scalar("SELECT type FROM sqlite_master WHERE name = '_sqlx_migrations'")
        .fetch_optional(&mut connection)
        .await?;
    let declared = declared(&mut connection).await?;
    if kind.is_none() && declared.is_empty() {
        // One that was being made when the power went: there is nothing in it yet, and opening it goes on with making it.
        return Ok(());
    }
    if kind.as_deref() != Some("table") {
        return Err(strange("it has no table of migrations".into()));
    }
    let version: Option<i64> = sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations")
        .fetch_one(&mut connection)
        .await?;
    let version = version.unwrap_or(0);
    if MIGRATIONS.iter().all(|migration| migration.version < version) {
        return Ok(());
    }
    let expected = expected(version).await?;
    if let Some((kind, name, ..)) = declared.difference(&expected).next() {
        return Err(strange(format!("the {kind} {name} is not one that Pincite makes")));
    }
    if let Some((kind, name, ..)) = expected.difference(&declared).next() {
        return Err(strange(format!("the {kind} {name} is missing or another")));
    }
    connection.close().await?;
    Ok(())
}

/// Whether a page could not be read, which says nothing of what is in it: SQLite's own code for an error of input or output is 10,
/// whatever stands above the last byte.
fn is_of_the_disk(said: &str) -> bool {
    said.rsplit_once("error code=")
        .and_then(|(_, code)| code.trim().parse::<u32>().ok())
        .is_some_and(|code| code & 0xff == 10)
}

async fn declared(connection: &mut SqliteConnection) -> Result<Declared, StoreError> {
    let rows: Vec<(String, String, String, String)> = sqlx::query_as(DECLARED).fetch_all(connection).await?;
    Ok(rows.into_iter().collect())
}

/// What the migrations up to this one declare.
async fn expected(version: i64) -> Result<Declared, StoreError> {
    declared(&mut sqlite::in_memory(version).await?).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_could_not_be_read_is_no_page_that_is_wrong() {
        assert!(is_of_the_disk(
            "Tree 31 page 31: unable to get the page. error code=8458"
        ));
        assert!(!is_of_the_disk(
            "Tree 31 page 31: unable to get the page. error code=11"
        ));
        assert!(!is_of_the_disk("Tree 3 page 3 cell 0: Rowid 4 out of order"));
    }
}
