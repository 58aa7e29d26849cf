//! What an index outside says that it holds, and what it lacks by that: revisions, and changes of who may read a document.
//!
//! Append-only. A build holds a version of a document when any of its reports says so; what counts is when it took it in last.
//!
//! Deliberately not here: since when somebody's access waits, and when a lag is an alarm (`pincite_core::registry::lag`).

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::sql;
use sqlx::FromRow;

/// Entries written by one statement.
const BATCH: usize = 200;

/// A report.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct ReportRow {
    /// The build that it is of.
    pub build: String,
    /// When it came in, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

/// That a build took in some bytes of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntry {
    /// The document.
    pub doc_id: String,
    /// The bytes.
    pub doc_sha256: String,
    /// The one revision that is meant; `None` for every one of these bytes.
    pub seq: Option<i64>,
    /// The groups that it lets read them, a JSON list; `None` where nothing is said.
    pub groups: Option<Vec<u8>>,
    /// When, milliseconds since 1970 UTC.
    pub indexed_at: i64,
}

/// A revision of which a build lacks something.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct WaitingRow {
    /// The document.
    pub doc_id: String,
    /// The revision's place in the order.
    pub seq: i64,
    /// Its name.
    pub revision: String,
    /// When the first thing was recorded that the build lacks, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

/// A change of the groups that may read a document.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct AccessRow {
    /// The document.
    pub doc_id: String,
    /// When, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

/// How a build holds a version of a document.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct HeldRow {
    /// The document.
    pub doc_id: String,
    /// When it took the version in last, milliseconds since 1970 UTC.
    pub indexed_at: i64,
    /// The groups that it lets read it, a JSON list; `None` where it did not say.
    pub group_names: Option<Vec<u8>>,
}

/// The last report: of this build, or of any where none is named.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn last_report(connection: &mut Connection, build: Option<&str>) -> Result<Option<ReportRow>, StoreError> {
    let text =
        "SELECT build, recorded_at FROM index_reports WHERE ($1 = '' OR build = $1) ORDER BY number DESC LIMIT 1";
    let build = build.unwrap_or_default();
    Ok(sql::query_as(text).bind(build).fetch_optional(connection).await?)
}

/// How many revisions are registered.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn registered(connection: &mut Connection) -> Result<i64, StoreError> {
    Ok(sql::query_scalar("SELECT count(*) FROM revisions")
        .fetch_one(connection)
        .await?)
}

/// Revisions that were recorded, or of which something was recorded, after the build took in their bytes last; all of them where
/// it never did. The one that waits longest first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn waiting_revisions(connection: &mut Connection, build: &str) -> Result<Vec<WaitingRow>, StoreError> {
    let text = "SELECT c.doc_id, c.seq, c.revision, min(c.recorded_at) AS recorded_at FROM ( \
                    SELECT r.doc_id, r.seq, r.revision, r.doc_sha256, r.recorded_at FROM revisions r \
                    UNION ALL SELECT r.doc_id, r.seq, r.revision, r.doc_sha256, e.recorded_at FROM revision_events e \
                        JOIN revisions r ON r.doc_id = e.doc_id AND r.seq = e.seq) c \
                WHERE NOT EXISTS (SELECT 1 FROM index_entries i WHERE i.build = $1 AND i.doc_id = c.doc_id \
                    AND i.doc_sha256 = c.doc_sha256 AND i.indexed_at >= c.recorded_at AND (i.seq IS NULL OR i.seq = c.seq)) \
                GROUP BY c.doc_id, c.seq, c.revision ORDER BY min(c.recorded_at), c.doc_id, c.seq";
    Ok(sql::query_as(text).bind(build).fetch_all(connection).await?)
}

/// Every change of who may read a document that is registered or that the build holds, by document, in order.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn access_changes(connection: &mut Connection, build: &str) -> Result<Vec<AccessRow>, StoreError> {
    let text = "SELECT g.doc_id, g.recorded_at FROM document_groups g JOIN documents d ON d.doc_id = g.doc_id \
                WHERE EXISTS (SELECT 1 FROM revisions r WHERE r.doc_id = g.doc_id) \
                    OR EXISTS (SELECT 1 FROM index_entries i WHERE i.build = $1 AND i.doc_id = g.doc_id) \
                ORDER BY g.doc_id, g.number";
    Ok(sql::query_as(text).bind(build).fetch_all(connection).await?)
}

/// How a build holds each version of the documents of which somebody said who may read them, as it said last.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn held(connection: &mut Connection, build: &str) -> Result<Vec<HeldRow>, StoreError> {
    let text = "SELECT i.doc_id, i.indexed_at, i.group_names FROM index_entries i WHERE i.build = $1 \
                AND i.doc_id IN (SELECT g.doc_id FROM document_groups g) \
                AND i.number = (SELECT l.number FROM index_entries l WHERE l.build = i.build AND l.doc_id = i.doc_id \
                    AND l.doc_sha256 = i.doc_sha256 ORDER BY l.indexed_at DESC, l.number DESC LIMIT 1) \
                ORDER BY i.doc_id, i.number";
    Ok(sql::query_as(text).bind(build).fetch_all(connection).await?)
}

impl Writing {
    /// Keeps what an index says that it holds.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_index_report(
        &mut self,
        report_id: &str,
        build: &str,
        who: &str,
        entries: &[NewEntry],
    ) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO index_reports (report_id, build, who, recorded_at) VALUES ($1, $2, $3, $4)")
            .bind(report_id)
            .bind(build)
            .bind(who)
            .bind(now)
            .execute(self.connection())
            .await?;
        for batch in entries.chunks(BATCH) {
            let mut statement = sql::query(format!(
                "INSERT INTO index_entries (report_id, build, doc_id, doc_sha256, seq, group_names, indexed_at) VALUES {}",
                sql::rows_of(batch.len(), 7)
            ));
            for entry in batch {
                statement = statement
                    .bind(report_id)
                    .bind(build)
                    .bind(&entry.doc_id)
                    .bind(&entry.doc_sha256)
                    .bind(entry.seq)
                    .bind(entry.groups.as_deref())
                    .bind(entry.indexed_at);
            }
            statement.execute(self.connection()).await?;
        }
        Ok(())
    }
}
