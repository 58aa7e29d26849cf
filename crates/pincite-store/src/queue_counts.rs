//! Counts over the queue, as one person finds it, and who holds what.
//!
//! Deliberately not here: the lists themselves (`items`).

use crate::StoreError;
use crate::curve_counts::of_field;
use crate::database::Connection;
use crate::items::{DRAWN, ITEMS, OPEN, theirs};
use crate::sql;
use sqlx::FromRow;

/// Counts of open items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct QueueCounts {
    /// Items that this person finds open.
    pub open: i64,
    /// Of these, hard ones.
    pub hard: i64,
    /// Of these, past their due time.
    pub overdue: i64,
    /// Of these, held by somebody now.
    pub held: i64,
    /// Of these, held for later.
    pub later: i64,
    /// When the oldest was queued.
    pub oldest: Option<i64>,
    /// Every other item.
    pub decided: i64,
    /// Decisions that wait for a second review, whoever may do it.
    #[sqlx(default)]
    pub second_reviews: i64,
    /// Items about which two reviewers differ, and which wait for a third.
    #[sqlx(default)]
    pub adjudications: i64,
    /// Of these, those for which no third reviewer is known here.
    #[sqlx(default)]
    pub without_a_third: i64,
}

/// An item with a draw for a second review that is not settled.
#[derive(Debug, FromRow)]
struct DrawnRow {
    state: String,
    draw_state: String,
    hard: bool,
    overdue: bool,
    held: bool,
    later: bool,
    created_at: i64,
    theirs: bool,
    somebodys: bool,
}

/// Counts over the queue of one person: what was drawn for a second review stands among the open items of those who may do
/// it, and nobody else's.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn counts(connection: &mut Connection, now: i64, reviewer: &str) -> Result<QueueCounts, StoreError> {
    let mut counts: QueueCounts = sql::query_as(
        "SELECT count(*) FILTER (WHERE i.state = 'open') AS open, \
         count(*) FILTER (WHERE i.state = 'open' AND i.hard) AS hard, \
         count(*) FILTER (WHERE i.state = 'open' AND i.due_at < $1) AS overdue, \
         count(*) FILTER (WHERE i.state = 'open' AND EXISTS (SELECT 1 FROM assignments a \
           WHERE a.item_id = i.item_id AND a.ended_at IS NULL AND a.expires_at > $1)) AS held, \
         (SELECT count(*) FROM held_for_later l JOIN items h ON h.item_id = l.item_id WHERE l.event = 'held' AND h.state = 'open' \
           AND l.number = (SELECT max(n.number) FROM held_for_later n WHERE n.item_id = l.item_id)) AS later, \
         min(i.created_at) FILTER (WHERE i.state = 'open') AS oldest, \
         count(*) FILTER (WHERE i.state = 'decided') AS decided FROM items i",
    )
    .bind(now)
    .fetch_one(&mut *connection)
    .await?;
    for row in drawn(connection, now, reviewer).await? {
        counts.second_reviews += i64::from(row.draw_state == "waiting");
        counts.adjudications += i64::from(row.draw_state == "differ");
        counts.without_a_third += i64::from(row.draw_state == "differ" && !row.somebodys);
        let change = i64::from(row.theirs) - i64::from(row.state == "open");
        counts.open += change;
        counts.decided -= change;
        counts.hard += change * i64::from(row.hard);
        counts.overdue += change * i64::from(row.overdue);
        counts.held += change * i64::from(row.held);
        counts.later += change * i64::from(row.later);
        if row.theirs {
            counts.oldest = Some(
                counts
                    .oldest
                    .map_or(row.created_at, |oldest| oldest.min(row.created_at)),
            );
        }
    }
    Ok(counts)
}

async fn drawn(connection: &mut Connection, now: i64, reviewer: &str) -> Result<Vec<DrawnRow>, StoreError> {
    let sql = format!(
        "SELECT i.state, c.state AS draw_state, i.hard, coalesce(i.due_at < $1, FALSE) AS overdue, \
         EXISTS (SELECT 1 FROM assignments a WHERE a.item_id = i.item_id AND a.ended_at IS NULL AND a.expires_at > $1) AS held, \
         coalesce((SELECT l.event = 'held' FROM held_for_later l WHERE l.item_id = i.item_id ORDER BY l.number DESC LIMIT 1), FALSE) \
           AS later, i.created_at, ({}) AS theirs, EXISTS (SELECT 1 FROM reviewers r WHERE {}) AS somebodys {DRAWN}",
        theirs("$2"),
        theirs("r.name")
    );
    Ok(sql::query_as(sql)
        .bind(now)
        .bind(reviewer)
        .fetch_all(connection)
        .await?)
}

/// $1 is the time now.
const RUNNING: &str = " JOIN assignments a ON a.item_id = i.item_id AND a.ended_at IS NULL AND a.expires_at > $1 ";

/// Leases running now on what this person finds open: item, holder, until when.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn holds(
    connection: &mut Connection,
    now: i64,
    reviewer: &str,
) -> Result<Vec<(String, String, i64)>, StoreError> {
    let sql = format!(
        "SELECT a.item_id, a.reviewer, a.expires_at {ITEMS} {RUNNING} WHERE {OPEN} \
         UNION ALL SELECT a.item_id, a.reviewer, a.expires_at {DRAWN} {RUNNING} WHERE {} ORDER BY expires_at",
        theirs("$2")
    );
    Ok(sql::query_as(sql)
        .bind(now)
        .bind(reviewer)
        .fetch_all(connection)
        .await?)
}

/// How many open items of a field, or of all, are due until a time.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn due_until(connection: &mut Connection, field: Option<&str>, until: i64) -> Result<i64, StoreError> {
    let sql = format!(
        "SELECT count(*) FROM items WHERE {} AND state = 'open' AND due_at <= $2",
        of_field("field", field)
    );
    Ok(sql::query_scalar(sql)
        .bind(field)
        .bind(until)
        .fetch_one(connection)
        .await?)
}

/// For each of the last items of a field, or of all, the milliseconds from its arrival to its due time; none where it has none.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn last_leads(
    connection: &mut Connection,
    field: Option<&str>,
    limit: i64,
) -> Result<Vec<Option<i64>>, StoreError> {
    let sql = format!(
        "SELECT due_at - created_at FROM items WHERE {} ORDER BY created_at DESC LIMIT $2",
        of_field("field", field)
    );
    Ok(sql::query_scalar(sql)
        .bind(field)
        .bind(limit)
        .fetch_all(connection)
        .await?)
}
