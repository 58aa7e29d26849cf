//! A team's database as a file that pg_dump writes, and back.
//!
//! Written of one state, which is the one that the connection sees: what is read beside the dump belongs to it. Read back as rows,
//! table by table, through pg_restore, so that a dump can be compared with what it was made of, and can be loaded into any schema of
//! any database under whatever name, in one transaction.
//!
//! Deliberately not here: making the tables that rows are loaded into (`copy`), which the migrations do.

use crate::StoreError;
use crate::content::{Content, is_of_the_place};
use crate::copy_text;
use crate::database::{Connection, On};
use crate::postgres_programs::{failed, program, run};
use crate::sql;
use crate::tables::{Column, Table, quoted};
use sqlx::postgres::PgConnectOptions;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::ChildStdout;

/// Rows are sent when they are so long, in bytes.
const LENGTH: usize = 1 << 20;

/// Writes the schema that a connection is in, as it sees it.
///
/// # Errors
/// [`StoreError::Program`], [`StoreError::Database`].
pub(crate) async fn write(options: &PgConnectOptions, state: &mut Connection, file: &Path) -> Result<(), StoreError> {
    let schema: String = sql::query_scalar("SELECT CAST(current_schema() AS TEXT)")
        .fetch_one(state)
        .await?;
    let snapshot: String = sql::query_scalar("SELECT pg_export_snapshot()")
        .fetch_one(state)
        .await?;
    let (schema, snapshot) = (
        format!("--schema={}", quoted(&schema)),
        format!("--snapshot={snapshot}"),
    );
    let arguments: [&OsStr; 7] = [
        "--format=custom".as_ref(),
        // The owner of the tables sees all of them (`one_state` has asked); without this, pg_dump would not even try.
        "--enable-row-security".as_ref(),
        "--no-password".as_ref(),
        schema.as_ref(),
        snapshot.as_ref(),
        "--file".as_ref(),
        file.as_os_str(),
    ];
    run("pg_dump", options, &arguments).await?;
    std::fs::File::open(file)
        .and_then(|file| file.sync_all())
        .map_err(|cause| StoreError::File {
            path: file.to_owned(),
            cause,
        })
}

/// What a dump holds, read from its first to its last row.
///
/// # Errors
/// [`StoreError::Program`]; [`StoreError::Damaged`] where it can't be read or has other tables than these.
pub(crate) async fn content(file: &Path, tables: &[Table]) -> Result<Content, StoreError> {
    read(file, tables, None).await
}

/// Loads a dump into tables that are there and empty; answers what it held.
///
/// # Errors
/// As [`content`]; [`StoreError::Database`].
pub(crate) async fn load(file: &Path, tables: &[Table], target: &mut Connection) -> Result<Content, StoreError> {
    read(file, tables, Some(target)).await
}

async fn read(file: &Path, tables: &[Table], mut target: Option<&mut Connection>) -> Result<Content, StoreError> {
    let order = in_order(file, tables).await?;
    let mut child = program("pg_restore")?
        .args(["--data-only", "--file=-", "--use-list"])
        .arg(order.path())
        .arg(file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed("pg_restore", &error.to_string()))?;
    let (Some(out), Some(mut errors)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(failed("pg_restore", "it has no output"));
    };
    // From beside: a program whose complaints nobody reads stands still.
    let complaint = tokio::spawn(async move {
        let mut words = String::new();
        // What can't be read is not said.
        let _unread = errors.read_to_string(&mut words).await;
        words
    });
    let mut content = Content::new(tables);
    let read = async {
        let mut lines = Lines(BufReader::new(out), Vec::new());
        while let Some((table, columns)) = lines.next_table(tables).await? {
            match &mut target {
                None => lines.rows(table, &columns, &mut content, None).await?,
                Some(target) => lines.rows(table, &columns, &mut content, Some(target.on())).await?,
            }
        }
        Ok::<(), StoreError>(())
    };
    let read = read.await;
    if read.is_err() {
        // Nobody reads on.
        let _gone = child.start_kill();
    }
    let ended = child
        .wait()
        .await
        .map_err(|error| failed("pg_restore", &error.to_string()))?;
    read?;
    if !ended.success() {
        return Err(failed("pg_restore", &complaint.await.unwrap_or_default()));
    }
    Ok(content)
}

/// A list of the dump's tables for pg_restore, those first that others name.
async fn in_order(file: &Path, tables: &[Table]) -> Result<tempfile::NamedTempFile, StoreError> {
    let listed = program("pg_restore")?.arg("--list").arg(file).output().await;
    let listed = listed.map_err(|error| failed("pg_restore", &error.to_string()))?;
    if !listed.status.success() {
        return Err(failed("pg_restore", &String::from_utf8_lossy(&listed.stderr)));
    }
    let list = String::from_utf8_lossy(&listed.stdout).into_owned();
    // 3498; 0 16433 TABLE DATA SCHEMA TABLE OWNER
    let of = |line: &str| {
        let mut words = line.split_once(" TABLE DATA ")?.1.split(' ').skip(1);
        words.find_map(|word| tables.iter().position(|table| table.name == word))
    };
    let mut lines: Vec<(usize, &str)> = list.lines().filter_map(|line| Some((of(line)?, line))).collect();
    lines.sort_by_key(|(at, _)| *at);
    if lines.len() != tables.len() {
        return Err(StoreError::Damaged(format!(
            "{}: the dump has the rows of {} tables where {} should be",
            file.display(),
            lines.len(),
            tables.len()
        )));
    }
    let lines: Vec<&str> = lines.into_iter().map(|(_, line)| line).collect();
    let written = tempfile::NamedTempFile::new().and_then(|list| {
        std::fs::write(list.path(), lines.join("\n"))?;
        Ok(list)
    });
    written.map_err(|cause| StoreError::File {
        path: std::env::temp_dir(),
        cause,
    })
}

/// What pg_restore prints: `COPY schema.table (columns) FROM stdin;`, then rows, then `\.`; other statements between.
struct Lines(BufReader<ChildStdout>, Vec<u8>);

impl Lines {
    async fn next(&mut self) -> Result<Option<&[u8]>, StoreError> {
        self.1.clear();
        let read = self.0.read_until(b'\n', &mut self.1).await;
        match read.map_err(|error| failed("pg_restore", &error.to_string()))? {
            0 => Ok(None),
            _ => Ok(Some(self.1.strip_suffix(b"\n").unwrap_or(&self.1))),
        }
    }

    /// The next table, and its columns in the order in which they come: each by its place in the table.
    async fn next_table<'t>(&mut self, tables: &'t [Table]) -> Result<Option<(&'t Table, Vec<usize>)>, StoreError> {
        let unknown = |what: &str| StoreError::Damaged(format!("the dump has rows of {what}, which nobody knows"));
        while let Some(line) = self.next().await? {
            let line = String::from_utf8_lossy(line);
            let copied = line
                .strip_prefix("COPY ")
                .and_then(|rest| rest.strip_suffix(") FROM stdin;"))
                .and_then(|rest| rest.split_once(" ("));
            let Some((name, columns)) = copied else { continue };
            let plain = |name: &str| {
                name.rsplit_once('.')
                    .map_or(name, |(_, name)| name)
                    .trim_matches('"')
                    .to_owned()
            };
            let name = plain(name);
            let table = tables.iter().find(|table| table.name == name);
            let table = table.ok_or_else(|| unknown(&format!("a table {name}")))?;
            let place = |column: &str| {
                table
                    .columns
                    .iter()
                    .position(|known| known.name == column.trim_matches('"'))
            };
            let places: Option<Vec<usize>> = columns.split(", ").map(place).collect();
            let places = places.filter(|places| places.len() == table.columns.len());
            return match places {
                Some(places) => Ok(Some((table, places))),
                None => Err(unknown(&format!("the table {name} ({columns})"))),
            };
        }
        Ok(None)
    }

    /// Reads the rows of a table to their end, and sends them on.
    async fn rows(
        &mut self,
        table: &Table,
        places: &[usize],
        content: &mut Content,
        target: Option<On<'_>>,
    ) -> Result<(), StoreError> {
        let columns: Vec<&Column> = places.iter().filter_map(|place| table.columns.get(*place)).collect();
        let mut copy = match target {
            Some(On::Postgres(connection)) => {
                let names: Vec<String> = columns.iter().map(|column| quoted(&column.name)).collect();
                let statement = format!("COPY {} ({}) FROM STDIN", quoted(&table.name), names.join(", "));
                Some(connection.copy_in_raw(&statement).await?)
            }
            _ => None,
        };
        let mut waiting: Vec<u8> = Vec::new();
        loop {
            let Some(line) = self.next().await? else {
                return Err(StoreError::Damaged(format!(
                    "the dump ends within the table {}",
                    table.name
                )));
            };
            if line == b"\\." {
                break;
            }
            let mut row: Vec<_> = copy_text::read(line, &columns)
                .map_err(|why| StoreError::Damaged(format!("the dump, in the table {}: {why}", table.name)))?
                .into_iter()
                .zip(places)
                .collect();
            row.sort_by_key(|(_, place)| **place);
            let row: Vec<_> = row.into_iter().map(|(value, _)| value).collect();
            content.add(table, &row);
            if is_of_the_place(table, &row) {
                continue;
            }
            if let Some(copy) = &mut copy {
                waiting.extend(line);
                waiting.push(b'\n');
                if waiting.len() >= LENGTH {
                    copy.send(std::mem::take(&mut waiting)).await?;
                }
            }
        }
        if let Some(mut copy) = copy {
            copy.send(waiting).await?;
            copy.finish().await?;
        }
        Ok(())
    }
}
