//! Items of the review queue.
//!
//! Deliberately not here: leases on them (`leases`); the order's meaning (`pincite-core::queue`); this index is that order. Counts (`queue_counts`).

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::sql;
use sqlx::FromRow;

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
    /// The candidate to look at: the one that opened it, or the one that the decision saw which is reviewed again.
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
    /// waiting or differ, where a decision on it was drawn for a second review that is not settled.
    pub draw_state: Option<String>,
    /// That decision.
    pub drawn_decision: Option<String>,
    /// When it was made, milliseconds since 1970 UTC.
    pub drawn_at: Option<i64>,
}

/// What is still to be done on an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Round {
    /// The decision that it rests on.
    First = 1,
    /// A second review of that decision, by another person.
    Second = 2,
    /// The decision between the two, by a third.
    Adjudication = 3,
}

impl ItemRow {
    /// What is to be done on it; `None` where it is decided and nothing waits.
    #[must_use]
    pub fn round(&self) -> Option<Round> {
        match (self.draw_state.as_deref(), self.state.as_str()) {
            (Some("differ"), _) => Some(Round::Adjudication),
            (Some(_), "decided") => Some(Round::Second),
            (None, "open") => Some(Round::First),
            _ => None,
        }
    }

    /// Whether two reviewers differ about it and nobody has settled that.
    #[must_use]
    pub fn is_disputed(&self) -> bool {
        self.round() == Some(Round::Adjudication)
    }
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

const COLUMNS: &str = "SELECT i.item_id AS item_id, i.doc_id, i.doc_sha256, i.field, coalesce(f.record_id, i.record_id) AS record_id, i.reason, \
     i.hard AS hard, i.due_at, i.due_order AS due_order, i.created_at AS created_at, i.state, i.item_version, \
     a.reviewer AS held_by, a.expires_at AS held_until, a.token, l.note AS later_note, l.who AS later_by, l.recorded_at AS later_at, \
     c.state AS draw_state, c.decision_id AS drawn_decision, f.recorded_at AS drawn_at ";

/// Items, each with its draw for a second review that is not settled.
pub(crate) const ITEMS: &str =
    " FROM items i LEFT JOIN second_draws c ON c.item_id = i.item_id AND c.state IN ('waiting', 'differ') ";

/// The same from the few that have such a draw.
pub(crate) const DRAWN: &str =
    " FROM second_draws c JOIN items i ON i.item_id = c.item_id AND c.state IN ('waiting', 'differ') ";

/// $1 is the time now.
pub(crate) const JOINED: &str = " LEFT JOIN decisions f ON f.decision_id = c.decision_id \
     LEFT JOIN assignments a ON a.item_id = i.item_id AND a.ended_at IS NULL AND a.expires_at > $1 \
     LEFT JOIN held_for_later l ON l.event = 'held' \
       AND l.number = (SELECT max(n.number) FROM held_for_later n WHERE n.item_id = i.item_id) ";

/// Open to everybody: no decision stands.
pub(crate) const OPEN: &str = " i.state = 'open' AND c.item_id IS NULL ";

/// Whether the draw `c` of the item `i` is work for the person named by this expression: neither somebody who decided on it up
/// to the decision drawn, nor its second reviewer, nor one who reviewed an earlier decision on it.
pub(crate) fn theirs(who: &str) -> String {
    format!(
        " {who} <> '' AND {who} NOT IN (SELECT e.reviewer FROM decisions e \
           WHERE e.item_id = i.item_id AND e.number <= c.decision_number) \
         AND {who} NOT IN (SELECT s.reviewer FROM second_reviews s WHERE s.item_id = i.item_id \
           AND (c.state = 'differ' OR s.decision_id <> c.decision_id)) "
    )
}

pub(crate) const ORDER: &str = " ORDER BY hard DESC, due_order, created_at, item_id ";

/// Work for one person, $8, in one order: what is open to everybody, and what was drawn for another person than those before.
/// Each half under a condition of its own.
fn work(condition: &str) -> String {
    format!(
        "{COLUMNS} {ITEMS} {JOINED} WHERE {OPEN} {condition} UNION ALL {COLUMNS} {DRAWN} {JOINED} WHERE {} {condition}",
        theirs("$8")
    )
}

/// The first $2 of it. Each half is ordered and cut by itself, along its index: PostgreSQL would work both out whole.
fn first_work(condition: &str) -> String {
    format!(
        "SELECT * FROM ({COLUMNS} {ITEMS} {JOINED} WHERE {OPEN} {condition} {ORDER} LIMIT $2) AS everybody_s \
         UNION ALL SELECT * FROM ({COLUMNS} {DRAWN} {JOINED} WHERE {} {condition} {ORDER} LIMIT $2) AS drawn \
         {ORDER} LIMIT $2",
        theirs("$8")
    )
}

/// What part of the queue is wanted; everything by default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueuePart<'a> {
    /// Whose queue it is: second reviews and adjudications are in it where they are this person's to do. Nobody's has none.
    pub reviewer: &'a str,
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

/// $1 is the time now, $3 to $8 are a [`QueuePart`].
const IN_PART: &str = " AND ($3 IS NULL OR a.reviewer = $3) AND (NOT $4 OR i.hard) \
     AND (NOT $5 OR i.due_at < $1) AND ($6 IS NULL OR i.field = $6) AND ($7 IS NULL OR i.doc_id = $7) ";

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
    pub(crate) hard: bool,
    pub(crate) due_order: i64,
    pub(crate) created_at: i64,
    pub(crate) item_id: String,
}

/// One item by its id.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn item(connection: &mut Connection, now: i64, item_id: &str) -> Result<Option<ItemRow>, StoreError> {
    let sql = format!("{COLUMNS} {ITEMS} {JOINED} WHERE i.item_id = $2");
    Ok(sql::query_as(sql)
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
    connection: &mut Connection,
    now: i64,
    doc_id: &str,
    doc_sha256: &str,
    field: &str,
) -> Result<Option<ItemRow>, StoreError> {
    let sql = format!("{COLUMNS} {ITEMS} {JOINED} WHERE i.doc_id = $2 AND i.doc_sha256 = $3 AND i.field = $4");
    Ok(sql::query_as(sql)
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
    connection: &mut Connection,
    now: i64,
    part: QueuePart<'_>,
    after: Option<&str>,
    limit: i64,
) -> Result<Vec<ItemRow>, StoreError> {
    let Some(after) = after else {
        let sql = first_work(IN_PART);
        return Ok(sql::query_as(sql)
            .bind(now)
            .bind(limit)
            .bind(part.held_by)
            .bind(part.hard)
            .bind(part.overdue)
            .bind(part.field)
            .bind(part.doc_id)
            .bind(part.reviewer)
            .fetch_all(connection)
            .await?);
    };
    let place: Option<QueuePlace> =
        sql::query_as("SELECT hard, due_order, created_at, item_id FROM items WHERE item_id = $1")
            .bind(after)
            .fetch_optional(&mut *connection)
            .await?;
    let place = place.ok_or_else(|| StoreError::refused("unknown_item", format!("--after names no item: {after}")))?;
    let behind = format!(
        "{IN_PART} AND (i.hard < $9 OR (i.hard = $9 AND (i.due_order, i.created_at, i.item_id) > ($10, $11, $12)))"
    );
    let sql = first_work(&behind);
    Ok(sql::query_as(sql)
        .bind(now)
        .bind(limit)
        .bind(part.held_by)
        .bind(part.hard)
        .bind(part.overdue)
        .bind(part.field)
        .bind(part.doc_id)
        .bind(part.reviewer)
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
    connection: &mut Connection,
    now: i64,
    part: QueuePart<'_>,
) -> Result<QueueChoices, StoreError> {
    // $2 is a page's length elsewhere; here it is how many items there can be at most.
    let sql = format!("SELECT count(*) FROM ({} LIMIT $2) AS part", work(IN_PART));
    let matching = sql::query_scalar(sql)
        .bind(now)
        .bind(i64::MAX)
        .bind(part.held_by)
        .bind(part.hard)
        .bind(part.overdue)
        .bind(part.field)
        .bind(part.doc_id)
        .bind(part.reviewer)
        .fetch_one(&mut *connection)
        .await?;
    let fields = counted_by(&mut *connection, "field", part.reviewer).await?;
    let documents = counted_by(connection, "doc_id", part.reviewer).await?;
    Ok(QueueChoices {
        matching,
        fields,
        documents,
    })
}

async fn counted_by(
    connection: &mut Connection,
    column: &str,
    reviewer: &str,
) -> Result<Vec<(String, i64)>, StoreError> {
    let sql = format!(
        "SELECT name, count(*) FROM (SELECT i.{column} AS name {ITEMS} WHERE {OPEN} \
         UNION ALL SELECT i.{column} AS name {DRAWN} WHERE {}) AS named GROUP BY name ORDER BY name",
        theirs("$1")
    );
    Ok(sql::query_as(sql).bind(reviewer).fetch_all(connection).await?)
}

/// What nobody holds, now or for later.
pub(crate) const FREE: &str = " AND a.item_id IS NULL AND l.item_id IS NULL ";

/// The first item of a person's queue that nobody holds, now or for later: to look at.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn next_free(connection: &mut Connection, now: i64, reviewer: &str) -> Result<Option<ItemRow>, StoreError> {
    let sql = first_work(FREE);
    let unused = None::<&str>;
    Ok(sql::query_as(sql)
        .bind(now)
        .bind(1_i64)
        .bind(unused)
        .bind(unused)
        .bind(unused)
        .bind(unused)
        .bind(unused)
        .bind(reviewer)
        .fetch_optional(connection)
        .await?)
}

/// Items open to everybody that somebody holds, now or for later, in the queue's order. Who reviews for the second time is told
/// to nobody.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn held_items(connection: &mut Connection, now: i64) -> Result<Vec<ItemRow>, StoreError> {
    // By the few that are held, not by the many that are open (hence not "= 'open'", which has an index): this is read with
    // every look at the queue.
    let sql = format!(
        "{COLUMNS} {ITEMS} {JOINED} WHERE i.item_id IN (SELECT h.item_id FROM assignments h WHERE h.ended_at IS NULL AND h.expires_at > $1 \
         UNION SELECT p.item_id FROM held_for_later p) \
         AND i.state <> 'decided' AND c.item_id IS NULL AND (a.item_id IS NOT NULL OR l.item_id IS NOT NULL) {ORDER}"
    );
    Ok(sql::query_as(sql).bind(now).fetch_all(connection).await?)
}

/// Whether what is drawn of an item is work for this person.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn is_theirs(connection: &mut Connection, row: &ItemRow, reviewer: &str) -> Result<bool, StoreError> {
    let sql = format!(
        "SELECT EXISTS (SELECT 1 {DRAWN} WHERE i.item_id = $1 AND {})",
        theirs("$2")
    );
    Ok(sql::query_scalar(sql)
        .bind(&row.item_id)
        .bind(reviewer)
        .fetch_one(connection)
        .await?)
}

impl Writing {
    /// Queues an item. One that is there already stays as it is; answers whether this one is new.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_item(&mut self, new: &NewItem<'_>) -> Result<bool, StoreError> {
        let now = self.now;
        let done = sql::query(
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
        Ok(done > 0)
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
        sql::query("UPDATE items SET state = $2, item_version = item_version + 1, recorded_at = $3 WHERE item_id = $1")
            .bind(item_id)
            .bind(state)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(())
    }
}
