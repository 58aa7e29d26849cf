//! Whose eyes a connection reads with: what hangs on a document that names groups is left out for whoever belongs to none.
//!
//! On PostgreSQL the database does it (row-level security, migration 0007). SQLite has nothing of that kind, so each connection
//! gets views of its own that stand before the tables of the same names, and every statement reads through them, those of a
//! write too; no function that reads can forget. What a write changes is a table (`sql` says so). As long as no document names
//! groups, none of this is there.
//!
//! Deliberately not here: what a role allows (`pincite_core::access`). A file that somebody can open with another program hides
//! nothing from them: alone, groups are the team's rules on trust.

use crate::StoreError;
use crate::database::Connection;
use crate::sql;
use sqlx::SqlSafeStr as _;
use sqlx::sqlite::SqliteConnection;

/// Every table that hangs on a document, by which of its columns, and what of that column is closed with a document. The same
/// list as in migrations/postgres/0007, 0009 to 0011; a test holds it against the schema.
pub const TABLES: [(&str, &str, &str); 38] = [
    ("documents", "doc_id", "documents"),
    ("versions", "doc_id", "documents"),
    ("sources", "doc_id", "documents"),
    ("records", "doc_id", "documents"),
    ("citations", "doc_id", "documents"),
    ("items", "doc_id", "documents"),
    ("uncounted_places", "doc_id", "documents"),
    ("place_counts", "doc_id", "documents"),
    ("revisions", "doc_id", "documents"),
    ("revision_events", "doc_id", "documents"),
    ("revision_sections", "doc_id", "documents"),
    ("revision_differences", "doc_id", "documents"),
    ("difference_settlements", "doc_id", "documents"),
    ("canonical_identities", "doc_id", "documents"),
    ("index_entries", "doc_id", "documents"),
    ("sweep_parts", "doc_id", "documents"),
    ("sweep_findings", "doc_id", "documents"),
    ("blobs", "sha256", "bytes"),
    ("extractions", "doc_sha256", "bytes"),
    ("extraction_details", "doc_sha256", "bytes"),
    ("default_extractions", "doc_sha256", "bytes"),
    ("structures", "doc_sha256", "bytes"),
    ("quarantine_log", "doc_sha256", "bytes"),
    ("layers", "layer_sha256", "layer"),
    ("assignments", "item_id", "item"),
    ("decisions", "item_id", "item"),
    ("held_for_later", "item_id", "item"),
    ("blind_entries", "item_id", "item"),
    ("second_draws", "item_id", "item"),
    ("second_reviews", "item_id", "item"),
    ("reading_segments", "item_id", "item"),
    ("routing_log", "record_id", "record"),
    ("citation_checks", "citation_id", "citation"),
    ("answers", "answer_id", "answer"),
    ("answer_claims", "answer_id", "answer"),
    ("answer_citations", "answer_id", "answer"),
    ("answer_labels", "answer_id", "answer"),
    ("audit_payloads", "seq", "entry"),
];

/// The views of what is closed, each one column `id`. Bytes and layers are closed where no open document has them, an answer where it
/// cites anything that is.
const CLOSED: [(&str, &str); 9] = [
    (
        "documents",
        "SELECT g.doc_id AS id FROM main.document_groups g \
         WHERE g.number = (SELECT max(l.number) FROM main.document_groups l WHERE l.doc_id = g.doc_id) \
         AND EXISTS (SELECT 1 FROM main.document_group_names n WHERE n.number = g.number) \
         AND NOT EXISTS (SELECT 1 FROM main.document_group_names n JOIN main.group_members m ON m.group_name = n.group_name \
             WHERE n.number = g.number AND m.member = (SELECT name FROM temp.reader) \
             AND m.starts_at <= CAST(unixepoch('subsec') * 1000 AS INTEGER) \
             AND (m.ends_at IS NULL OR m.ends_at > CAST(unixepoch('subsec') * 1000 AS INTEGER)) \
             AND m.number = (SELECT max(o.number) FROM main.group_members o \
                 WHERE o.group_name = m.group_name AND o.member = m.member))",
    ),
    (
        "bytes",
        "SELECT v.doc_sha256 AS id FROM main.versions v GROUP BY v.doc_sha256 \
         HAVING min(v.doc_id IN (SELECT id FROM temp.closed_documents)) = 1",
    ),
    (
        "layer",
        "SELECT e.layer_sha256 AS id FROM main.extractions e JOIN main.versions v ON v.doc_sha256 = e.doc_sha256 \
         GROUP BY e.layer_sha256 HAVING min(v.doc_id IN (SELECT id FROM temp.closed_documents)) = 1",
    ),
    (
        "item",
        "SELECT item_id AS id FROM main.items WHERE doc_id IN (SELECT id FROM temp.closed_documents)",
    ),
    (
        "record",
        "SELECT record_id AS id FROM main.records WHERE doc_id IN (SELECT id FROM temp.closed_documents)",
    ),
    (
        "citation",
        "SELECT citation_id AS id FROM main.citations WHERE doc_id IN (SELECT id FROM temp.closed_documents)",
    ),
    (
        "answer",
        "SELECT answer_id AS id FROM main.answer_citations WHERE doc_id IN (SELECT id FROM temp.closed_documents) \
         OR doc_sha256 IN (SELECT id FROM temp.closed_bytes)",
    ),
    (
        "subject",
        "SELECT id FROM temp.closed_documents UNION ALL SELECT id FROM temp.closed_bytes \
         UNION ALL SELECT id FROM temp.closed_item UNION ALL SELECT id FROM temp.closed_record \
         UNION ALL SELECT id FROM temp.closed_citation \
         UNION ALL SELECT id FROM temp.closed_answer UNION ALL \
         SELECT decision_id FROM main.decisions WHERE item_id IN (SELECT id FROM temp.closed_item)",
    ),
    (
        "entry",
        "SELECT seq AS id FROM main.audit_entries WHERE subject IN (SELECT id FROM temp.closed_subject)",
    ),
];

/// Lets a connection to SQLite read with this person's eyes.
pub(crate) async fn look_through(connection: &mut SqliteConnection, reader: &str) -> Result<(), StoreError> {
    let any: i64 = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM main.document_groups)")
        .fetch_one(&mut *connection)
        .await?;
    if any == 0 {
        return Ok(());
    }
    let made: i64 = sqlx::query_scalar("SELECT count(*) FROM temp.sqlite_master WHERE name = 'reader'")
        .fetch_one(&mut *connection)
        .await?;
    if made == 0 {
        let mut made: Vec<String> = CLOSED
            .map(|(kind, what)| format!("CREATE TEMP VIEW IF NOT EXISTS closed_{kind} AS {what}"))
            .to_vec();
        made.extend(TABLES.map(|(table, key, kind)| {
            format!(
                "CREATE TEMP VIEW IF NOT EXISTS {table} AS SELECT * FROM main.{table} \
                 WHERE {key} NOT IN (SELECT id FROM temp.closed_{kind})"
            )
        }));
        // The table that they name last: where it is, all of them are.
        made.push("CREATE TEMP TABLE reader AS SELECT '' AS name".to_owned());
        sqlx::raw_sql(sqlx::AssertSqlSafe(made.join(";\n")).into_sql_str())
            .execute(&mut *connection)
            .await?;
    }
    sqlx::query("UPDATE temp.reader SET name = $1 WHERE name <> $1")
        .bind(reader)
        .execute(connection)
        .await?;
    Ok(())
}

/// Lets a connection to SQLite see everything again: for whoever copies the whole workspace.
pub(crate) async fn look_past(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let views: Vec<String> = sqlx::query_scalar("SELECT name FROM temp.sqlite_master WHERE type = 'view'")
        .fetch_all(&mut *connection)
        .await?;
    for view in views {
        sqlx::raw_sql(sqlx::AssertSqlSafe(format!("DROP VIEW temp.\"{view}\"")).into_sql_str())
            .execute(&mut *connection)
            .await?;
    }
    sqlx::raw_sql("DROP TABLE IF EXISTS temp.reader")
        .execute(connection)
        .await?;
    Ok(())
}

/// Whether a document of this id, or one with these bytes and no open one, is there and closed to whoever asks.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn is_closed(connection: &mut Connection, doc_id: &str, doc_sha256: &str) -> Result<bool, StoreError> {
    if !is_restricted(connection).await? {
        return Ok(false);
    }
    let text = if connection.is_postgres() {
        "SELECT $1 IN (SELECT pincite_closed_documents()) OR $2 IN (SELECT pincite_closed('bytes'))"
    } else {
        "SELECT $1 IN (SELECT id FROM temp.closed_documents) OR $2 IN (SELECT id FROM temp.closed_bytes)"
    };
    Ok(sql::query_scalar(text)
        .bind(doc_id)
        .bind(doc_sha256)
        .fetch_one(connection)
        .await?)
}

/// Whether an answer of this id is there and closed to whoever asks: it cites what they may not read.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn is_closed_answer(connection: &mut Connection, answer_id: &str) -> Result<bool, StoreError> {
    if !is_restricted(connection).await? {
        return Ok(false);
    }
    let text = if connection.is_postgres() {
        "SELECT $1 IN (SELECT pincite_closed('answer'))"
    } else {
        "SELECT $1 IN (SELECT id FROM temp.closed_answer)"
    };
    Ok(sql::query_scalar(text).bind(answer_id).fetch_one(connection).await?)
}

/// Whether anything is left out for whoever reads here.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn is_restricted(connection: &mut Connection) -> Result<bool, StoreError> {
    if connection.is_postgres() {
        return Ok(sql::query_scalar("SELECT NOT pincite_sees_all()")
            .fetch_one(connection)
            .await?);
    }
    let views: i64 = sql::query_scalar("SELECT count(*) FROM temp.sqlite_master WHERE name = 'reader'")
        .fetch_one(connection)
        .await?;
    if views == 0 {
        return Ok(false);
    }
    let closed: i64 = sql::query_scalar("SELECT EXISTS (SELECT 1 FROM temp.closed_documents)")
        .fetch_one(connection)
        .await?;
    Ok(closed > 0)
}
