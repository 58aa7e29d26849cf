//! What is watched, counted over records, citations, decisions and the queue; and the rows behind each count.
//!
//! Deliberately not here: which counts make a share, and what it should be (`pincite-app::watch`); errors by confidence, which
//! the curves have.

use crate::StoreError;
use crate::database::Connection;
use crate::incidents::NOT_KEPT;
use crate::sql;
use pincite_core::citation::Failure;
use sqlx::FromRow;

/// Citations of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct CitationCounts {
    /// All of them.
    pub citations: i64,
    /// Of these, those whose last check found the bytes, the layer and the span.
    pub resolved: i64,
    /// Of all, those whose first check, when they came in, found nothing wrong.
    pub verified_first: i64,
}

/// Answers of "not stated" that stand decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct AbstentionCounts {
    /// All of them.
    pub decided: i64,
    /// Of these, those that the reviewer agreed with.
    pub agreed: i64,
}

/// Open items of one age and one distance to their due time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct QueueAgeRow {
    /// How long it has been in the queue: 0 under a day, 1 under three, 2 under seven, 3 seven or more.
    pub age: i64,
    /// When it is due: 0 past, 1 within a day, 2 within three, 3 later, 4 never.
    pub due: i64,
    /// How many.
    pub items: i64,
}

/// Something behind a figure that is watched.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct WatchRow {
    /// Whether it speaks against the figure.
    pub failing: bool,
    /// The logical document.
    pub doc_id: String,
    /// The bytes it speaks of.
    pub doc_sha256: String,
    /// The field.
    pub field: String,
    /// The record.
    pub record_id: String,
    /// The citation, where it is one.
    pub citation_id: Option<String>,
    /// The item, where it is one or a decision on one.
    pub item_id: Option<String>,
    /// The decision, where it is one.
    pub decision_id: Option<String>,
    /// verified or failed, or what was decided, or open.
    pub state: Option<String>,
    /// The check that failed.
    pub reason: Option<String>,
    /// When it is due, milliseconds since 1970 UTC.
    pub due_at: Option<i64>,
    /// When it came, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

/// Which check of a citation is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// The last one: does it resolve?
    Last,
    /// The one when it came in: did it hold?
    First,
}

const DAY: i64 = 86_400_000;

/// $1 is the field, or NULL for all.
const CITATIONS: &str = "FROM citations c JOIN records r ON r.record_id = c.record_id LEFT JOIN citation_checks l ON l.number = \
     (SELECT max(n.number) FROM citation_checks n WHERE n.citation_id = c.citation_id) \
     LEFT JOIN citation_checks f ON f.number = \
     (SELECT min(n.number) FROM citation_checks n WHERE n.citation_id = c.citation_id) \
     WHERE ($1 IS NULL OR r.field = $1)";

/// Decisions that stand on valid answers of "not stated", without those that are out of calibration. $1 as above.
const ABSTENTIONS: &str = "FROM decisions d JOIN items i ON i.item_id = d.item_id JOIN records r ON r.record_id = d.record_id \
     WHERE ($1 IS NULL OR r.field = $1) AND r.status = 'absent' AND NOT r.violated AND d.kind <> 'undo' \
     AND d.number = (SELECT max(n.number) FROM decisions n WHERE n.item_id = d.item_id) \
     AND NOT EXISTS (SELECT 1 FROM incident_decisions c WHERE c.decision_id = d.decision_id AND ";

/// An accept of "not stated" and a decision for it say the same.
const AGREED: &str = "d.kind IN ('accept', 'abstain')";

/// Whether the last check says that the citation points somewhere.
fn resolves() -> String {
    let codes: Vec<String> = Failure::UNRESOLVED
        .iter()
        .map(|failure| format!("'{}'", failure.code()))
        .collect();
    format!(
        "coalesce(l.state = 'verified' OR l.reason NOT IN ({}), FALSE)",
        codes.join(", ")
    )
}

/// Counts citations of records, of one field or of all.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn citation_counts(connection: &mut Connection, field: Option<&str>) -> Result<CitationCounts, StoreError> {
    let sql = format!(
        "SELECT count(*) AS citations, count(*) FILTER (WHERE {}) AS resolved, \
         count(*) FILTER (WHERE f.state = 'verified') AS verified_first {CITATIONS}",
        resolves()
    );
    Ok(sql::query_as(sql).bind(field).fetch_one(connection).await?)
}

/// Citations of records, those that fail this check first, in the order of arrival.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn citations(
    connection: &mut Connection,
    check: Check,
    field: Option<&str>,
    limit: i64,
) -> Result<Vec<WatchRow>, StoreError> {
    let (passes, of) = match check {
        Check::Last => (resolves(), "l"),
        Check::First => ("coalesce(f.state = 'verified', FALSE)".to_owned(), "f"),
    };
    let sql = format!(
        "SELECT NOT ({passes}) AS failing, c.doc_id, c.doc_sha256, r.field, r.record_id, c.citation_id, NULL AS item_id, \
         NULL AS decision_id, {of}.state, {of}.reason, NULL AS due_at, c.recorded_at {CITATIONS} \
         ORDER BY failing DESC, c.number LIMIT $2"
    );
    Ok(sql::query_as(sql).bind(field).bind(limit).fetch_all(connection).await?)
}

/// Every field that a record has, by name.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn fields(connection: &mut Connection) -> Result<Vec<String>, StoreError> {
    Ok(sql::query_scalar("SELECT DISTINCT field FROM records ORDER BY field")
        .fetch_all(connection)
        .await?)
}

/// Counts answers of "not stated" that stand decided, of one field or of all.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn abstention_counts(
    connection: &mut Connection,
    field: Option<&str>,
) -> Result<AbstentionCounts, StoreError> {
    let sql =
        format!("SELECT count(*) AS decided, count(*) FILTER (WHERE {AGREED}) AS agreed {ABSTENTIONS} {NOT_KEPT})");
    Ok(sql::query_as(sql).bind(field).fetch_one(connection).await?)
}

/// Answers of "not stated" that stand decided, those that the reviewer did not agree with first, in the order decided.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn abstentions(
    connection: &mut Connection,
    field: Option<&str>,
    limit: i64,
) -> Result<Vec<WatchRow>, StoreError> {
    let sql = format!(
        "SELECT NOT ({AGREED}) AS failing, i.doc_id, i.doc_sha256, i.field, r.record_id, NULL AS citation_id, i.item_id, \
         d.decision_id, d.kind AS state, d.reason_code AS reason, NULL AS due_at, d.recorded_at {ABSTENTIONS} {NOT_KEPT}) \
         ORDER BY failing DESC, d.number LIMIT $2"
    );
    Ok(sql::query_as(sql).bind(field).bind(limit).fetch_all(connection).await?)
}

/// Open items by age and by their due time, of one field or of all.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn queue_ages(
    connection: &mut Connection,
    now: i64,
    field: Option<&str>,
) -> Result<Vec<QueueAgeRow>, StoreError> {
    let sql = format!(
        "SELECT CAST(CASE WHEN i.created_at > $2 - {DAY} THEN 0 WHEN i.created_at > $2 - 3 * {DAY} THEN 1 \
           WHEN i.created_at > $2 - 7 * {DAY} THEN 2 ELSE 3 END AS BIGINT) AS age, \
         CAST(CASE WHEN i.due_at IS NULL THEN 4 WHEN i.due_at < $2 THEN 0 WHEN i.due_at < $2 + {DAY} THEN 1 \
           WHEN i.due_at < $2 + 3 * {DAY} THEN 2 ELSE 3 END AS BIGINT) AS due, \
         count(*) AS items FROM items i WHERE i.state = 'open' AND ($1 IS NULL OR i.field = $1) GROUP BY age, due ORDER BY age, due"
    );
    Ok(sql::query_as(sql).bind(field).bind(now).fetch_all(connection).await?)
}

/// When the oldest open item was queued, milliseconds since 1970 UTC; of one field or of all.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn oldest_item(connection: &mut Connection, field: Option<&str>) -> Result<Option<i64>, StoreError> {
    Ok(sql::query_scalar(
        "SELECT min(i.created_at) FROM items i WHERE i.state = 'open' AND ($1 IS NULL OR i.field = $1)",
    )
    .bind(field)
    .fetch_one(connection)
    .await?)
}

/// Open items, those past their due time first, then by due time, those without one last.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn waiting_items(
    connection: &mut Connection,
    now: i64,
    field: Option<&str>,
    limit: i64,
) -> Result<Vec<WatchRow>, StoreError> {
    Ok(sql::query_as(
        "SELECT coalesce(i.due_at < $2, FALSE) AS failing, i.doc_id, i.doc_sha256, i.field, i.record_id, NULL AS citation_id, i.item_id, \
         NULL AS decision_id, i.state, NULL AS reason, i.due_at, i.created_at AS recorded_at \
         FROM items i WHERE i.state = 'open' AND ($1 IS NULL OR i.field = $1) ORDER BY i.due_order, i.created_at, i.item_id LIMIT $3",
    )
    .bind(field)
    .bind(now)
    .bind(limit)
    .fetch_all(connection)
    .await?)
}
