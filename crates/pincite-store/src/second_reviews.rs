//! Second reviews: decisions drawn for one, what the second reviewers decided, and adjudications of the differences.
//!
//! A draw belongs to a decision and is somebody's work until it is settled; its state is kept as that of an item is. What was
//! reviewed and adjudicated is appended. A second review is never the decision that its item rests on.
//!
//! Deliberately not here: which decisions are drawn and whether two say the same (`pincite-core::queue`), the lists in which
//! this work is found (`items`).

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::decisions::{DecisionRow, NewDecision, key_reused};
use crate::items::Round;
use crate::sql;
use sqlx::FromRow;

/// A second review as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct SecondReviewRow {
    /// Order of making.
    pub number: i64,
    /// Its id.
    pub second_id: String,
    /// The key the caller made.
    pub caller_key: String,
    /// The decision for which it was drawn.
    pub decision_id: String,
    /// The item.
    pub item_id: String,
    /// Who reviewed.
    pub reviewer: String,
    /// accept, correct, reject, abstain or undo.
    pub kind: String,
    /// The candidate that was seen.
    pub record_id: String,
    /// The true value as JSON, of accept and correct.
    pub value: Option<Vec<u8>>,
    /// Why, of reject and abstain.
    pub reason_code: Option<String>,
    /// Free text, UTF-8.
    pub note: Option<Vec<u8>>,
    /// The second review that it replaces.
    pub replaces: Option<String>,
    /// Milliseconds from painted to decided, where a window saw it.
    pub wall_ms: Option<i64>,
    /// When, milliseconds since 1970 UTC.
    pub recorded_at: i64,
    /// The state of its draw: waiting, agreed, differ, adjudicated or void.
    pub draw_state: String,
    /// Whether it is the last of its draw.
    pub last: bool,
    /// The logical document.
    pub doc_id: String,
    /// The bytes.
    pub doc_sha256: String,
    /// The field.
    pub field: String,
}

impl SecondReviewRow {
    /// Whether it still says something of the decision it was drawn for: neither taken back nor that one.
    #[must_use]
    pub fn stands(&self) -> bool {
        self.last && self.kind != "undo" && !matches!(self.draw_state.as_str(), "void" | "waiting")
    }
}

/// What became of a second review that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reviewed {
    /// It was made now.
    Now(SecondReviewRow),
    /// It had been made before, under the same key.
    Before(SecondReviewRow),
}

/// A standing decision that was never drawn.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct UndrawnDecision {
    /// The decision.
    pub decision_id: String,
    /// Its place in the order of making.
    pub number: i64,
    /// Its item.
    pub item_id: String,
    /// Why the item was queued.
    pub reason: String,
    /// The bytes.
    pub doc_sha256: String,
    /// The field.
    pub field: String,
}

const ROWS: &str = "SELECT s.number, s.second_id, s.caller_key, s.decision_id, s.item_id, s.reviewer, s.kind, s.record_id, s.value, \
     s.reason_code, s.note, s.replaces, s.wall_ms, s.recorded_at, c.state AS draw_state, \
     s.number = (SELECT max(n.number) FROM second_reviews n WHERE n.decision_id = s.decision_id) AS last, \
     i.doc_id, i.doc_sha256, i.field \
     FROM second_reviews s JOIN second_draws c ON c.decision_id = s.decision_id JOIN items i ON i.item_id = s.item_id ";

/// The second review made under a caller's key.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn by_key(connection: &mut Connection, key: &str) -> Result<Option<SecondReviewRow>, StoreError> {
    let sql = format!("{ROWS} WHERE s.caller_key = $1");
    Ok(sql::query_as(sql).bind(key).fetch_optional(connection).await?)
}

/// One second review by its id.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn by_id(connection: &mut Connection, second_id: &str) -> Result<Option<SecondReviewRow>, StoreError> {
    let sql = format!("{ROWS} WHERE s.second_id = $1");
    Ok(sql::query_as(sql).bind(second_id).fetch_optional(connection).await?)
}

/// The last second review of a drawn decision, an undo included.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn last_of(connection: &mut Connection, decision_id: &str) -> Result<Option<SecondReviewRow>, StoreError> {
    let sql = format!("{ROWS} WHERE s.decision_id = $1 ORDER BY s.number DESC LIMIT 1");
    Ok(sql::query_as(sql).bind(decision_id).fetch_optional(connection).await?)
}

/// A reviewer's second reviews of an item, oldest first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn of_item_by(
    connection: &mut Connection,
    item_id: &str,
    reviewer: &str,
) -> Result<Vec<SecondReviewRow>, StoreError> {
    let sql = format!("{ROWS} WHERE s.item_id = $1 AND s.reviewer = $2 ORDER BY s.number");
    Ok(sql::query_as(sql)
        .bind(item_id)
        .bind(reviewer)
        .fetch_all(connection)
        .await?)
}

/// A reviewer's last second reviews, newest first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn recent_of(
    connection: &mut Connection,
    reviewer: &str,
    limit: i64,
) -> Result<Vec<SecondReviewRow>, StoreError> {
    let sql = format!("{ROWS} WHERE s.reviewer = $1 ORDER BY s.number DESC LIMIT $2");
    Ok(sql::query_as(sql)
        .bind(reviewer)
        .bind(limit)
        .fetch_all(connection)
        .await?)
}

/// Second reviews after a number, oldest first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn list(connection: &mut Connection, after: i64, limit: i64) -> Result<Vec<SecondReviewRow>, StoreError> {
    let sql = format!("{ROWS} WHERE s.number > $1 ORDER BY s.number LIMIT $2");
    Ok(sql::query_as(sql).bind(after).bind(limit).fetch_all(connection).await?)
}

/// How many draws of each field are in each state, void ones left out: field, state, count.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn draws_by_state(
    connection: &mut Connection,
    field: Option<&str>,
) -> Result<Vec<(String, String, i64)>, StoreError> {
    Ok(sql::query_as(
        "SELECT i.field, c.state, count(*) FROM second_draws c JOIN items i ON i.item_id = c.item_id \
         WHERE c.state <> 'void' AND ($1 IS NULL OR i.field = $1) GROUP BY i.field, c.state ORDER BY i.field, c.state",
    )
    .bind(field)
    .fetch_all(connection)
    .await?)
}

/// The decision that adjudicated between a first decision and its second review is one of these.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn is_adjudication(connection: &mut Connection, decision_id: &str) -> Result<bool, StoreError> {
    Ok(
        sql::query_scalar("SELECT EXISTS (SELECT 1 FROM adjudications WHERE decision_id = $1)")
            .bind(decision_id)
            .fetch_one(connection)
            .await?,
    )
}

/// Decisions that items rest on and that were never drawn, adjudications left out: after a number, oldest first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn undrawn(connection: &mut Connection, after: i64, limit: i64) -> Result<Vec<UndrawnDecision>, StoreError> {
    Ok(sql::query_as(
        "SELECT d.decision_id, d.number, d.item_id, i.reason, i.doc_sha256, i.field \
         FROM decisions d JOIN items i ON i.item_id = d.item_id WHERE d.number > $1 AND d.kind <> 'undo' \
         AND d.number = (SELECT max(n.number) FROM decisions n WHERE n.item_id = d.item_id) \
         AND NOT EXISTS (SELECT 1 FROM second_draws c WHERE c.decision_id = d.decision_id) \
         AND NOT EXISTS (SELECT 1 FROM adjudications a WHERE a.decision_id = d.decision_id) ORDER BY d.number LIMIT $2",
    )
    .bind(after)
    .bind(limit)
    .fetch_all(connection)
    .await?)
}

impl Writing {
    /// Draws a decision for a second review.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn draw_second(
        &mut self,
        decision_id: &str,
        number: i64,
        item_id: &str,
        share: f64,
        draw: f64,
    ) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO second_draws (decision_id, decision_number, item_id, share, draw, state, recorded_at) \
             VALUES ($1, $2, $3, $4, $5, 'waiting', $6)",
        )
        .bind(decision_id)
        .bind(number)
        .bind(item_id)
        .bind(share)
        .bind(draw)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    async fn set_draw(&mut self, decision_id: &str, state: &str) -> Result<(), StoreError> {
        sql::query("UPDATE second_draws SET state = $2 WHERE decision_id = $1")
            .bind(decision_id)
            .bind(state)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// Keeps a second review under a running lease, and whether it `agrees` with the decision it was drawn for.
    ///
    /// # Errors
    /// [`StoreError::Refused`]: `key_reused`, `unknown_item`, `already_decided` (nothing of it waits for a second review),
    /// `item_moved`, `lease_lost`.
    pub async fn review_second(&mut self, new: &NewDecision<'_>, agrees: bool) -> Result<Reviewed, StoreError> {
        if let Some(before) = by_key(self.connection(), new.caller_key).await? {
            let same = before.item_id == new.item_id
                && before.reviewer == new.reviewer
                && before.kind == new.kind
                && before.value.as_deref() == new.value
                && before.reason_code.as_deref() == new.reason_code;
            return if same {
                Ok(Reviewed::Before(before))
            } else {
                Err(key_reused(new.caller_key))
            };
        }
        let item = self.item_to_change(new.item_id).await?;
        let drawn = match (item.round(), item.drawn_decision.as_deref()) {
            (Some(Round::Second), Some(drawn)) => drawn,
            _ => {
                return Err(StoreError::refused(
                    "already_decided",
                    format!("item {} is decided already; nothing was written", new.item_id),
                ));
            }
        };
        new.holds(&item)?;
        let replaces = last_of(self.connection(), drawn).await?.map(|row| row.second_id);
        self.insert_second(new, drawn, new.kind, replaces.as_deref(), Some(new.token))
            .await?;
        self.set_draw(drawn, if agrees { "agreed" } else { "differ" }).await?;
        self.end_leases(new.item_id, "decided").await?;
        self.change_item(new.item_id, &item.state).await?;
        self.second_back(new.caller_key).await.map(Reviewed::Now)
    }

    /// Takes back a second review; its decision waits for one again.
    ///
    /// # Errors
    /// [`StoreError::Refused`]: `key_reused`, `not_last` (taken back already, settled by a third, or its decision no longer stands),
    /// `not_yours`.
    pub async fn undo_second(
        &mut self,
        undo_id: &str,
        caller_key: &str,
        undone: &SecondReviewRow,
        reviewer: &str,
    ) -> Result<Reviewed, StoreError> {
        if let Some(before) = by_key(self.connection(), caller_key).await? {
            let same = before.kind == "undo"
                && before.replaces.as_deref() == Some(undone.second_id.as_str())
                && before.reviewer == reviewer;
            return if same {
                Ok(Reviewed::Before(before))
            } else {
                Err(key_reused(caller_key))
            };
        }
        // Somebody has seen both and said; that it was taken back does not make what they saw unseen.
        let settled_once: bool = sql::query_scalar("SELECT EXISTS (SELECT 1 FROM adjudications WHERE first_id = $1)")
            .bind(&undone.decision_id)
            .fetch_one(self.connection())
            .await?;
        if !undone.stands() || settled_once {
            return Err(StoreError::refused(
                "not_last",
                format!(
                    "decision {} is no longer the item's last: nothing to undo",
                    undone.second_id
                ),
            ));
        }
        if undone.reviewer != reviewer {
            return Err(StoreError::refused(
                "not_yours",
                format!(
                    "decision {} was made by {}, who alone may undo it",
                    undone.second_id, undone.reviewer
                ),
            ));
        }
        let item = self.item_to_change(&undone.item_id).await?;
        let new = NewDecision {
            decision_id: undo_id,
            caller_key,
            item_id: &undone.item_id,
            item_version: item.item_version,
            token: 0,
            reviewer,
            kind: "undo",
            record_id: &undone.record_id,
            value: None,
            reason_code: None,
            note: None,
            wall_ms: None,
            active_ms: None,
            floor_ms: None,
            shown_sha256: None,
        };
        self.insert_second(&new, &undone.decision_id, "undo", Some(&undone.second_id), None)
            .await?;
        self.set_draw(&undone.decision_id, "waiting").await?;
        // Whoever was adjudicating has nothing to adjudicate now.
        self.end_leases(&undone.item_id, "replaced").await?;
        self.change_item(&undone.item_id, &item.state).await?;
        self.second_back(caller_key).await.map(Reviewed::Now)
    }

    /// What follows for the draws where a decision was made that adjudicates.
    pub(crate) async fn settle_draw(&mut self, first_id: &str, decision_id: &str) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO adjudications (decision_id, first_id, second_id, recorded_at) \
             SELECT $1, $2, second_id, $3 FROM second_reviews WHERE decision_id = $2 ORDER BY number DESC LIMIT 1",
        )
        .bind(decision_id)
        .bind(first_id)
        .bind(now)
        .execute(self.connection())
        .await?;
        self.set_draw(first_id, "adjudicated").await
    }

    /// What follows for the draws where a decision was taken back: its own is void, whatever came of it; the one that it
    /// adjudicated is open to a third person again.
    pub(crate) async fn undo_in_draws(&mut self, undone: &DecisionRow) -> Result<(), StoreError> {
        self.end_leases(&undone.item_id, "replaced").await?;
        sql::query("UPDATE second_draws SET state = 'void' WHERE decision_id = $1")
            .bind(&undone.decision_id)
            .execute(self.connection())
            .await?;
        sql::query(
            "UPDATE second_draws SET state = 'differ' WHERE decision_id = (SELECT first_id FROM adjudications WHERE decision_id = $1)",
        )
        .bind(&undone.decision_id)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    async fn insert_second(
        &mut self,
        new: &NewDecision<'_>,
        drawn: &str,
        kind: &str,
        replaces: Option<&str>,
        token: Option<i64>,
    ) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO second_reviews (second_id, caller_key, decision_id, item_id, item_version, reviewer, kind, record_id, value, \
             reason_code, note, replaces, token, wall_ms, active_ms, recorded_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
        )
        .bind(new.decision_id)
        .bind(new.caller_key)
        .bind(drawn)
        .bind(new.item_id)
        .bind(new.item_version)
        .bind(new.reviewer)
        .bind(kind)
        .bind(new.record_id)
        .bind(new.value)
        .bind(new.reason_code)
        .bind(new.note.map(str::as_bytes))
        .bind(replaces)
        .bind(token)
        .bind(new.wall_ms)
        .bind(new.active_ms)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    async fn second_back(&mut self, caller_key: &str) -> Result<SecondReviewRow, StoreError> {
        by_key(self.connection(), caller_key)
            .await?
            .ok_or_else(|| StoreError::Damaged("a second review just written can't be read back".into()))
    }
}
