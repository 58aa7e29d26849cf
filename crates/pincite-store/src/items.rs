//! Items of the review queue and the leases on them.
//!
//! A claim is a leased row by the database's time, never an open transaction. Each lease of an item has the next fencing
//! token; a write that carries an older one is refused.
//!
//! Deliberately not here: the order's meaning (`pincite-core::queue`); this index is that order.

use crate::StoreError;
use crate::database::Writing;
use sqlx::{FromRow, SqliteConnection};

/// An item with the lease that runs on it, if one does.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct ItemRow {
    /// Its id.
    pub item_id: String,
    /// The logical document.
    pub doc_id: String,
    /// The bytes.
    pub doc_sha256: String,
    /// The field.
    pub field: String,
    /// The candidate that opened it.
    pub record_id: String,
    /// Why it was queued.
    pub reason: String,
    /// Whether a wrong value disqualifies.
    pub hard: bool,
    /// Due, milliseconds since 1970 UTC.
    pub due_at: Option<i64>,
    /// Queued, milliseconds since 1970 UTC.
    pub created_at: i64,
    /// open or decided.
    pub state: String,
    /// Counts the item's changes.
    pub item_version: i64,
    /// Who holds it now.
    pub held_by: Option<String>,
    /// Until when, milliseconds since 1970 UTC.
    pub held_until: Option<i64>,
    /// The running lease's token.
    pub token: Option<i64>,
    /// The note with which somebody holds it for later, UTF-8. Nobody has a lease on it then.
    pub later_note: Option<Vec<u8>>,
    /// Who does.
    pub later_by: Option<String>,
    /// Since when, milliseconds since 1970 UTC.
    pub later_at: Option<i64>,
}

/// An item to queue.
#[derive(Debug, Clone, Copy)]
pub struct NewItem<'a> {
    /// Its id.
    pub item_id: &'a str,
    /// The logical document.
    pub doc_id: &'a str,
    /// The bytes.
    pub doc_sha256: &'a str,
    /// The field.
    pub field: &'a str,
    /// The candidate.
    pub record_id: &'a str,
    /// Why.
    pub reason: &'a str,
    /// Whether a wrong value disqualifies.
    pub hard: bool,
    /// Due, milliseconds since 1970 UTC.
    pub due_at: Option<i64>,
}

/// $1 is the time now.
const ITEM_COLUMNS: &str = "SELECT i.item_id, i.doc_id, i.doc_sha256, i.field, i.record_id, i.reason, i.hard, i.due_at, i.created_at, i.state, \
     i.item_version, a.reviewer AS held_by, a.expires_at AS held_until, a.token, \
     l.note AS later_note, l.who AS later_by, l.recorded_at AS later_at \
     FROM items i LEFT JOIN assignments a ON a.item_id = i.item_id AND a.ended_at IS NULL AND a.expires_at > $1 \
     LEFT JOIN held_for_later l ON l.event = 'held' \
       AND l.number = (SELECT max(n.number) FROM held_for_later n WHERE n.item_id = i.item_id) ";

const ORDER: &str = " ORDER BY i.hard DESC, i.due_order, i.created_at, i.item_id ";

/// What part of the queue is wanted; everything by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueuePart<'a> {
    /// Only what this reviewer holds now.
    pub held_by: Option<&'a str>,
    /// Only hard fields.
    pub hard: bool,
    /// Only what is past its due time.
    pub overdue: bool,
    /// Only this field.
    pub field: Option<&'a str>,
    /// Only this logical document.
    pub doc_id: Option<&'a str>,
}

/// $1 is the time now, $3 to $7 are a [`QueuePart`].
const OPEN_IN_PART: &str = " i.state = 'open' AND ($3 IS NULL OR a.reviewer = $3) AND ($4 = 0 OR i.hard = 1) \
     AND ($5 = 0 OR i.due_at < $1) AND ($6 IS NULL OR i.field = $6) AND ($7 IS NULL OR i.doc_id = $7) ";

/// What a part of the queue can be chosen by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueChoices {
    /// Open items in the part.
    pub matching: i64,
    /// Fields of all open items, each with how many, by name.
    pub fields: Vec<(String, i64)>,
    /// Logical documents of all open items, each with how many, by name.
    pub documents: Vec<(String, i64)>,
}

/// Where a page of the queue goes on: the sort key of the last item seen.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct QueuePlace {
    hard: bool,
    due_order: i64,
    created_at: i64,
    item_id: String,
}

/// Counts of open items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, FromRow)]
pub struct QueueCounts {
    /// Open items.
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
    /// Decided items.
    pub decided: i64,
}

/// One item by its id.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn item(connection: &mut SqliteConnection, now: i64, item_id: &str) -> Result<Option<ItemRow>, StoreError> {
    let sql = format!("{ITEM_COLUMNS} WHERE i.item_id = $2");
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .bind(now)
        .bind(item_id)
        .fetch_optional(connection)
        .await?)
}

/// The item of a field of a version.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn item_of(
    connection: &mut SqliteConnection,
    now: i64,
    doc_id: &str,
    doc_sha256: &str,
    field: &str,
) -> Result<Option<ItemRow>, StoreError> {
    let sql = format!("{ITEM_COLUMNS} WHERE i.doc_id = $2 AND i.doc_sha256 = $3 AND i.field = $4");
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .bind(now)
        .bind(doc_id)
        .bind(doc_sha256)
        .bind(field)
        .fetch_optional(connection)
        .await?)
}

/// Open items of a part of the queue, in its order, after the item named (none: from the start).
///
/// # Errors
/// [`StoreError::Database`]; [`StoreError::Refused`] where the item named is not there.
pub async fn open_items(
    connection: &mut SqliteConnection,
    now: i64,
    part: QueuePart<'_>,
    after: Option<&str>,
    limit: i64,
) -> Result<Vec<ItemRow>, StoreError> {
    let Some(after) = after else {
        let sql = format!("{ITEM_COLUMNS} WHERE {OPEN_IN_PART} {ORDER} LIMIT $2");
        return Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql))
            .bind(now)
            .bind(limit)
            .bind(part.held_by)
            .bind(part.hard)
            .bind(part.overdue)
            .bind(part.field)
            .bind(part.doc_id)
            .fetch_all(connection)
            .await?);
    };
    let place: Option<QueuePlace> =
        sqlx::query_as("SELECT hard, due_order, created_at, item_id FROM items WHERE item_id = $1")
            .bind(after)
            .fetch_optional(&mut *connection)
            .await?;
    let place = place.ok_or_else(|| StoreError::refused("unknown_item", format!("--after names no item: {after}")))?;
    let sql = format!(
        "{ITEM_COLUMNS} WHERE {OPEN_IN_PART} AND (i.hard < $8 OR (i.hard = $8 AND \
         (i.due_order, i.created_at, i.item_id) > ($9, $10, $11))) {ORDER} LIMIT $2"
    );
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .bind(now)
        .bind(limit)
        .bind(part.held_by)
        .bind(part.hard)
        .bind(part.overdue)
        .bind(part.field)
        .bind(part.doc_id)
        .bind(place.hard)
        .bind(place.due_order)
        .bind(place.created_at)
        .bind(place.item_id)
        .fetch_all(connection)
        .await?)
}

/// How many open items a part of the queue has, and what parts can be chosen.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn queue_choices(
    connection: &mut SqliteConnection,
    now: i64,
    part: QueuePart<'_>,
) -> Result<QueueChoices, StoreError> {
    // $2 is a page's length elsewhere; here it is how many items there can be at most.
    let sql = format!("SELECT count(*) FROM ({ITEM_COLUMNS} WHERE {OPEN_IN_PART} LIMIT $2)");
    let matching = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
        .bind(now)
        .bind(i64::MAX)
        .bind(part.held_by)
        .bind(part.hard)
        .bind(part.overdue)
        .bind(part.field)
        .bind(part.doc_id)
        .fetch_one(&mut *connection)
        .await?;
    let fields = sqlx::query_as("SELECT field, count(*) FROM items WHERE state = 'open' GROUP BY field ORDER BY field")
        .fetch_all(&mut *connection)
        .await?;
    let documents =
        sqlx::query_as("SELECT doc_id, count(*) FROM items WHERE state = 'open' GROUP BY doc_id ORDER BY doc_id")
            .fetch_all(connection)
            .await?;
    Ok(QueueChoices {
        matching,
        fields,
        documents,
    })
}

/// The first open item that nobody holds, now or for later.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn next_free(connection: &mut SqliteConnection, now: i64) -> Result<Option<ItemRow>, StoreError> {
    let sql =
        format!("{ITEM_COLUMNS} WHERE i.state = 'open' AND a.item_id IS NULL AND l.item_id IS NULL {ORDER} LIMIT 1");
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .bind(now)
        .fetch_optional(connection)
        .await?)
}

/// Counts over the queue.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn counts(connection: &mut SqliteConnection, now: i64) -> Result<QueueCounts, StoreError> {
    Ok(sqlx::query_as(
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
    .fetch_one(connection)
    .await?)
}

/// Leases running now: item, holder, until when.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn holds(connection: &mut SqliteConnection, now: i64) -> Result<Vec<(String, String, i64)>, StoreError> {
    Ok(sqlx::query_as(
        "SELECT a.item_id, a.reviewer, a.expires_at FROM assignments a JOIN items i ON i.item_id = a.item_id \
         WHERE i.state = 'open' AND a.ended_at IS NULL AND a.expires_at > $1 ORDER BY a.expires_at",
    )
    .bind(now)
    .fetch_all(connection)
    .await?)
}

impl Writing {
    /// Queues an item. One that is there already stays as it is; answers whether this one is new.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_item(&mut self, new: &NewItem<'_>) -> Result<bool, StoreError> {
        let now = self.now;
        let done = sqlx::query(
            "INSERT INTO items (item_id, doc_id, doc_sha256, field, record_id, reason, hard, due_at, due_order, created_at, state, \
             item_version, leases, recorded_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'open', 1, 0, $10) ON CONFLICT DO NOTHING",
        )
        .bind(new.item_id)
        .bind(new.doc_id)
        .bind(new.doc_sha256)
        .bind(new.field)
        .bind(new.record_id)
        .bind(new.reason)
        .bind(new.hard)
        .bind(new.due_at)
        .bind(new.due_at.unwrap_or(i64::MAX))
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(done.rows_affected() > 0)
    }

    /// Leases an item to a reviewer for `milliseconds`. A lease of the same reviewer that still runs ends with it, so that
    /// one token at most is good; an item held for later is taken up. Answers the item with its new lease.
    ///
    /// # Errors
    /// [`StoreError::Refused`]: no such item, decided already, held by somebody else.
    pub async fn lease(
        &mut self,
        assignment_id: &str,
        item_id: &str,
        reviewer: &str,
        milliseconds: i64,
    ) -> Result<ItemRow, StoreError> {
        let now = self.now;
        let row = self.item_to_change(item_id).await?;
        if row.state != "open" {
            return Err(StoreError::refused(
                "already_decided",
                format!("item {item_id} is decided already; reopen it with undo"),
            ));
        }
        not_with_another(&row, reviewer, now)?;
        self.end_leases(item_id, "replaced").await?;
        if row.later_by.is_some() {
            self.take_up(item_id, reviewer).await?;
        }
        sqlx::query("UPDATE items SET leases = leases + 1, recorded_at = $2 WHERE item_id = $1")
            .bind(item_id)
            .bind(now)
            .execute(self.connection())
            .await?;
        sqlx::query(
            "INSERT INTO assignments (assignment_id, item_id, reviewer, round, token, expires_at, recorded_at) \
             SELECT $1, $2, $3, 1, leases, $4, $5 FROM items WHERE item_id = $2",
        )
        .bind(assignment_id)
        .bind(item_id)
        .bind(reviewer)
        .bind(now + milliseconds)
        .bind(now)
        .execute(self.connection())
        .await?;
        self.item_to_change(item_id).await
    }

    /// Lengthens a running lease.
    ///
    /// # Errors
    /// [`StoreError::Refused`] `lease_lost` where this token's lease no longer runs.
    pub async fn renew(&mut self, item_id: &str, token: i64, milliseconds: i64) -> Result<i64, StoreError> {
        let now = self.now;
        let until = now + milliseconds;
        let done = sqlx::query("UPDATE assignments SET expires_at = $4 WHERE item_id = $1 AND token = $2 AND ended_at IS NULL AND expires_at > $3")
            .bind(item_id)
            .bind(token)
            .bind(now)
            .bind(until)
            .execute(self.connection())
            .await?;
        if done.rows_affected() == 1 {
            Ok(until)
        } else {
            Err(lease_lost(item_id))
        }
    }

    /// Gives an item back.
    ///
    /// # Errors
    /// [`StoreError::Refused`] `lease_lost` where this token's lease no longer runs.
    pub async fn release(&mut self, item_id: &str, token: i64) -> Result<String, StoreError> {
        let row = self.item_to_change(item_id).await?;
        match (row.token, row.held_by) {
            (Some(running), Some(holder)) if running == token => {
                self.end_leases(item_id, "released").await?;
                Ok(holder)
            }
            _ => Err(lease_lost(item_id)),
        }
    }

    pub(crate) async fn item_to_change(&mut self, item_id: &str) -> Result<ItemRow, StoreError> {
        let now = self.now;
        item(self.connection(), now, item_id).await?.ok_or_else(|| {
            StoreError::refused(
                "unknown_item",
                format!("there is no item {item_id}; `pincite queue list` names them"),
            )
        })
    }

    pub(crate) async fn end_leases(&mut self, item_id: &str, by: &str) -> Result<(), StoreError> {
        let now = self.now;
        sqlx::query("UPDATE assignments SET ended_at = $2, ended_by = $3 WHERE item_id = $1 AND ended_at IS NULL")
            .bind(item_id)
            .bind(now)
            .bind(by)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// Moves an item to its next version: something about it is new that a reviewer must see before deciding.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn move_item(&mut self, item_id: &str) -> Result<(), StoreError> {
        self.change_item(item_id, "open").await
    }

    pub(crate) async fn change_item(&mut self, item_id: &str, state: &str) -> Result<(), StoreError> {
        let now = self.now;
        sqlx::query(
            "UPDATE items SET state = $2, item_version = item_version + 1, recorded_at = $3 WHERE item_id = $1",
        )
        .bind(item_id)
        .bind(state)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }
}

/// That nobody but this reviewer has a lease on the item.
pub(crate) fn not_with_another(row: &ItemRow, reviewer: &str, now: i64) -> Result<(), StoreError> {
    match (&row.held_by, row.held_until) {
        (Some(holder), Some(until)) if holder != reviewer => Err(StoreError::refused(
            "held",
            format!(
                "item {} is held by {holder} for another {} s",
                row.item_id,
                (until - now) / 1000
            ),
        )),
        _ => Ok(()),
    }
}

pub(crate) fn lease_lost(item_id: &str) -> StoreError {
    StoreError::refused(
        "lease_lost",
        format!("the lease on item {item_id} has run out or passed on: claim it again; nothing was written"),
    )
}
