//! A copy of a workspace's database in a file, and a workspace out of such a file again.
//!
//! Of SQLite it is a database, made by VACUUM INTO and opened for reading to look it over: every page, every reference, the audit
//! chain. Of PostgreSQL it is a dump, read back row by row and compared with the state that it was made of, in which the audit chain was
//! verified. Which bytes of documents belong to it is asked of the copy, or of that state.
//!
//! Deliberately not here: the bytes themselves, the folder and its list of files (`pincite-app`).

use crate::StoreError;
use crate::blobs::Blobs;
use crate::content::{self, Content};
use crate::copy::{NewTeam, begin_filling, blob_names, end_filling, numbers};
use crate::database::{Connection, Pools, Store};
use crate::place::Place;
use crate::tables::{self, Table};
use crate::{audit, dump, first_sight, settings, sql, sqlite};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqlitePool, SqlitePoolOptions};
use sqlx::{ConnectOptions as _, Connection as _, SqlSafeStr as _, Transaction};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a workspace comes to: equal for two that are the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// The number of the newest migration.
    pub schema: i64,
    /// The workspace's id.
    pub workspace_id: String,
    /// Length of the audit chain, every entry of which was verified.
    pub entries: i64,
    /// Its last hash, hexadecimal.
    pub head: String,
    /// The hash of every row of every table, hexadecimal.
    pub content: String,
    /// The last number that each table gave that numbers its rows.
    pub numbers: BTreeMap<String, i64>,
}

/// Verifies the audit chain and sums up the rest, of one state.
///
/// # Errors
/// [`StoreError::Damaged`] where the chain does not hold; [`StoreError::Database`]; [`StoreError::Refused`] (`other_tables`).
pub(crate) async fn facts(state: &mut Connection, schema: i64) -> Result<Facts, StoreError> {
    let tables = tables::of(schema).await?;
    tables::check(state.on(), &tables).await?;
    let content = content::of(state, &tables).await?;
    facts_of(state, schema, &tables, &content).await
}

/// The same where the content is known.
pub(crate) async fn facts_of(
    state: &mut Connection,
    schema: i64,
    tables: &[Table],
    content: &Content,
) -> Result<Facts, StoreError> {
    let workspace_id = settings::workspace_value(state, "workspace_id").await?;
    let chain = audit::verify_chain(state, &mut |_, _| {}).await?;
    let (entries, head) = chain.map_err(|fault| StoreError::Damaged(format!("{fault}; nothing was copied")))?;
    Ok(Facts {
        schema,
        workspace_id: workspace_id
            .ok_or_else(|| StoreError::Damaged("it has no id: it was not made to the end".into()))?,
        entries,
        head: pincite_core::hex(&head),
        content: content.hash(),
        numbers: numbers(state, tables).await?,
    })
}

/// A copy of a database in a file, verified.
#[derive(Debug)]
pub struct DatabaseCopy {
    /// What it is a copy of.
    pub facts: Facts,
    /// The copy, or the state that it was made of.
    state: Connection,
    opened: Option<SqlitePool>,
}

/// Which database a workspace is on, and what a copy of it is called.
#[must_use]
pub fn kind(place: &Place) -> (&'static str, &'static str) {
    match place {
        Place::Folder(_) => ("sqlite", "database.sqlite"),
        Place::Team(_) => ("postgres", "database.dump"),
    }
}

impl DatabaseCopy {
    /// Copies the database of an open workspace into a file that is not there yet, as it is at one moment, and verifies the copy.
    ///
    /// # Errors
    /// [`StoreError::File`], [`StoreError::Database`], [`StoreError::Program`]; [`StoreError::Damaged`] where the copy, the original
    /// or its audit chain is not whole; [`StoreError::Refused`] (`rows_hidden`, `other_tables`).
    pub async fn make(store: &Store, file: &Path) -> Result<Self, StoreError> {
        match (&store.pools, store.place()) {
            (Pools::Postgres { .. }, Place::Team(team)) => {
                let mut state = store.one_state().await?;
                let facts = facts(&mut state, sqlite::newest()).await?;
                dumped(&team.options, &mut state, file, sqlite::newest(), &facts.content).await?;
                Ok(Self {
                    facts,
                    state,
                    opened: None,
                })
            }
            (Pools::Sqlite { readers, .. }, _) => {
                vacuum_into(&mut *readers.acquire().await?, file).await?;
                let (pool, mut state) = open_whole(file).await?;
                references_hold(&mut state, file).await?;
                Ok(Self {
                    facts: facts(&mut state, sqlite::newest()).await?,
                    state,
                    opened: Some(pool),
                })
            }
            (Pools::Postgres { .. }, Place::Folder(_)) => Err(StoreError::Damaged("a folder is no database".into())),
        }
    }

    /// Names of the documents' bytes that belong to it, in order, those after one; none at the end.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn blobs(&mut self, after: &str) -> Result<Vec<String>, StoreError> {
        blob_names(&mut self.state, after).await
    }

    /// Ends reading.
    pub async fn close(self) {
        drop(self.state);
        if let Some(pool) = self.opened {
            pool.close().await;
        }
    }
}

/// Writes a dump and compares what it holds with the content of the state that it was made of.
pub(crate) async fn dumped(
    options: &sqlx::postgres::PgConnectOptions,
    state: &mut Connection,
    file: &Path,
    schema: i64,
    wanted: &str,
) -> Result<(), StoreError> {
    dump::write(options, state, file).await?;
    let read = dump::content(file, &tables::of(schema).await?).await?;
    if read.hash() == wanted {
        Ok(())
    } else {
        Err(StoreError::Damaged(format!(
            "{}: the dump reads back as something else",
            file.display()
        )))
    }
}

/// A copy of a SQLite database at one moment, durable once this returns.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::File`].
pub(crate) async fn vacuum_into(connection: &mut SqliteConnection, file: &Path) -> Result<(), StoreError> {
    let failed = |cause| StoreError::File {
        path: file.to_owned(),
        cause,
    };
    let name = file
        .to_str()
        .ok_or_else(|| failed(std::io::Error::other("SQLite writes to no path that is not UTF-8")))?;
    let copied = sqlx::query("VACUUM INTO $1").bind(name).execute(connection).await;
    // What SQLite says names no file.
    copied.map_err(|error| match error {
        sqlx::Error::Database(said) => failed(std::io::Error::other(said.message().to_owned())),
        other => other.into(),
    })?;
    std::fs::File::open(file)
        .and_then(|file| file.sync_all())
        .map_err(failed)
}

/// Opens a copy for reading alone, with nothing beside it written, and looks at every page.
pub(crate) async fn open_whole(file: &Path) -> Result<(SqlitePool, Connection), StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .immutable(true)
        .read_only(true)
        .pragma("trusted_schema", "OFF")
        .pragma("cell_size_check", "ON")
        .pragma("mmap_size", "0");
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .connect_with(options)
        .await?;
    let begun = Transaction::begin(pool.acquire().await?, Some("BEGIN".into_sql_str()));
    let mut connection = Connection::alone_on_sqlite(begun.await?);
    let found: String = sql::query_scalar("PRAGMA integrity_check(1)")
        .fetch_one(&mut connection)
        .await?;
    if found == "ok" {
        Ok((pool, connection))
    } else {
        let found = found.replace('\n', " ");
        Err(StoreError::Damaged(format!("{}: {found}", file.display())))
    }
}

/// That no row of a copy names one that is not there.
async fn references_hold(copy: &mut Connection, file: &Path) -> Result<(), StoreError> {
    let broken: Option<String> = sql::query_scalar("SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1")
        .fetch_optional(copy)
        .await?;
    match broken {
        None => Ok(()),
        Some(table) => Err(StoreError::Damaged(format!(
            "{}: a row of {table} names one that is not there",
            file.display()
        ))),
    }
}

/// That a backup is of no newer schema than this program knows. `place` says which backup.
///
/// # Errors
/// [`StoreError::Newer`].
pub fn known(schema: i64, place: &str) -> Result<(), StoreError> {
    if schema > sqlite::newest() {
        Err(StoreError::Newer(place.to_owned(), schema, sqlite::newest()))
    } else {
        Ok(())
    }
}

/// Makes a workspace of a copied database that stands in its folder under the workspace's own name, if it holds what it should,
/// and brings it to this program's schema.
///
/// # Errors
/// [`StoreError::Strange`], [`StoreError::Damaged`], [`StoreError::Database`]; [`StoreError::Refused`] (`not_restored`).
pub async fn take_over(folder: &Path, blobs: &Blobs, wanted: &Facts) -> Result<(), StoreError> {
    first_sight::look_over(folder).await?;
    let file = Store::database_file(folder);
    let (pool, mut state) = open_whole(&file).await?;
    references_hold(&mut state, &file).await?;
    let found = facts(&mut state, wanted.schema).await?;
    differs(wanted, &found)?;
    every_blob_is_there(&mut state, blobs).await?;
    drop(state);
    pool.close().await;
    if wanted.schema < sqlite::newest() {
        let mut connection = SqliteConnectOptions::new()
            .filename(&file)
            .foreign_keys(true)
            .connect()
            .await?;
        sqlite::MIGRATIONS.run(&mut connection).await?;
        connection.close().await?;
    }
    std::fs::File::open(&file)
        .and_then(|file| file.sync_all())
        .map_err(|cause| StoreError::File { path: file, cause })
}

/// Loads a dump into a team's database, into a schema that is empty, if it holds what it should, and brings it to this program's
/// schema. The bytes of its documents are in the folder that the place names.
///
/// # Errors
/// [`StoreError::Refused`] (`place_taken`, `no_blobs`, `rows_hidden`, `not_restored`), [`StoreError::Away`],
/// [`StoreError::Program`], [`StoreError::Damaged`], [`StoreError::Database`].
pub async fn load(file: &Path, place: &Place, wanted: &Facts) -> Result<(), StoreError> {
    let mut team = NewTeam::begin(place).await?;
    team.make_tables(wanted.schema).await?;
    let blobs = team.blobs.clone();
    let address = blobs.address()?;
    let tables = tables::of(wanted.schema).await?;
    let target = &mut team.connection;
    let away = begin_filling(target, &tables).await?;
    dump::load(file, &tables, target).await?;
    end_filling(target, &tables, away, &wanted.numbers, Some(&address)).await?;
    let found = facts(target, wanted.schema).await?;
    differs(wanted, &found)?;
    every_blob_is_there(target, &blobs).await?;
    team.make_tables(sqlite::newest()).await?;
    team.commit().await
}

/// That a team's workspace can be made at a place: it is empty, and a folder for documents is named.
///
/// # Errors
/// [`StoreError::Refused`] (`place_taken`, `no_blobs`), [`StoreError::Away`], [`StoreError::Database`].
pub async fn is_free(place: &Place) -> Result<Blobs, StoreError> {
    let team = NewTeam::begin(place).await?;
    team.blobs.make_ready()?;
    Ok(team.blobs)
}

/// That the bytes of every document are there; whoever copied them looked at their hashes.
async fn every_blob_is_there(state: &mut Connection, blobs: &Blobs) -> Result<(), StoreError> {
    let mut after = String::new();
    loop {
        let names = blob_names(state, &after).await?;
        let Some(last) = names.last() else { return Ok(()) };
        after.clone_from(last);
        for missing in names {
            if blobs.is_there(&missing)? {
                continue;
            }
            return Err(StoreError::refused(
                "not_restored",
                format!("the bytes {missing} of a document are not in the backup, though its database names them"),
            ));
        }
    }
}

fn differs(wanted: &Facts, found: &Facts) -> Result<(), StoreError> {
    if wanted == found {
        return Ok(());
    }
    Err(StoreError::refused(
        "not_restored",
        format!(
            "what was restored is not what was backed up: {} entries with the head {} and the content {}, where {}, {} and {} \
             should be; nothing of it was kept",
            found.entries, found.head, found.content, wanted.entries, wanted.head, wanted.content
        ),
    ))
}

/// Where a workspace's own copies are kept: beside its database, or in a team's folder of documents.
pub(crate) fn own_folder(of: &Path) -> PathBuf {
    of.join("backups")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::tempdir;

    fn file_error(cause: std::io::Error) -> StoreError {
        StoreError::File {
            path: PathBuf::new(),
            cause,
        }
    }

    #[tokio::test]
    async fn a_copy_of_an_older_schema_is_upgraded_once_it_is_what_it_should_be() -> Result<(), StoreError> {
        let folder = tempdir().map_err(file_error)?;
        let file = Store::database_file(folder.path());
        let options = SqliteConnectOptions::new().filename(&file).create_if_missing(true);
        let mut older = options.connect().await?;
        sqlite::MIGRATIONS.run_to(4, &mut older).await?;
        sqlx::raw_sql(
            "INSERT INTO workspace VALUES ('workspace_id', 'an-older-one'); INSERT INTO reviewers VALUES ('ada', 1)",
        )
        .execute(&mut older)
        .await?;
        older.close().await?;
        let (pool, mut state) = open_whole(&file).await?;
        let wanted = facts(&mut state, 4).await?;
        drop(state);
        pool.close().await;
        let blobs = Blobs::create(&folder.path().join("blobs"))?;
        let other = Facts {
            content: "another".into(),
            ..wanted.clone()
        };
        let refused = take_over(folder.path(), &blobs, &other).await;
        assert!(
            matches!(
                refused,
                Err(StoreError::Refused {
                    code: "not_restored",
                    ..
                })
            ),
            "{refused:?}"
        );
        take_over(folder.path(), &blobs, &wanted).await?;
        let (pool, mut state) = open_whole(&file).await?;
        let found = facts(&mut state, sqlite::newest()).await?;
        assert_eq!((found.workspace_id, found.entries), (wanted.workspace_id, 0));
        let who: String = sql::query_scalar("SELECT name FROM reviewers")
            .fetch_one(&mut state)
            .await?;
        assert_eq!(who, "ada");
        drop(state);
        pool.close().await;
        // Bytes that the database names and nobody copied.
        let folder = tempdir().map_err(file_error)?;
        let file = Store::database_file(folder.path());
        let mut named = SqliteConnectOptions::new()
            .filename(&file)
            .create_if_missing(true)
            .connect()
            .await?;
        sqlite::MIGRATIONS.run(&mut named).await?;
        let rows = "INSERT INTO workspace VALUES ('workspace_id', 'one'); INSERT INTO blobs VALUES ('abc', 3, 1)";
        sqlx::raw_sql(rows).execute(&mut named).await?;
        named.close().await?;
        let (pool, mut state) = open_whole(&file).await?;
        let wanted = facts(&mut state, sqlite::newest()).await?;
        drop(state);
        pool.close().await;
        let refused = take_over(folder.path(), &blobs, &wanted).await;
        assert!(refused.is_err_and(|error| error.to_string().contains("abc")));
        Ok(())
    }
}
