//! Leases on items of the queue: who works on what, and for how long.
//!
//! A claim is a leased row by the database's time, never an open transaction. Each lease of an item has the next fencing
//! token; a write that carries an older one is refused.
//!
//! Deliberately not here: what a lease is good for (`decisions`, `second_reviews`); the queue and its order (`items`).

use crate::StoreError;
use crate::database::Writing;
use crate::items::{
    DRAWN, FREE, ITEMS, ItemRow, JOINED, OPEN, ORDER, QueuePlace, Round, is_theirs, item, next_free, theirs,
};
use crate::sql;

/// Locks the row of the first free item of a half of the queue, to the transaction's end, and passes over what others have
/// locked. In a part of its own that is worked out once: as a mere subquery it can lock more rows than one.
fn locked(half: &str, condition: &str) -> String {
    format!(
        "WITH free AS MATERIALIZED (SELECT i.hard, i.due_order, i.created_at, i.item_id {half} {JOINED} \
         WHERE {condition} {FREE} {ORDER} LIMIT 1 FOR UPDATE OF i SKIP LOCKED) \
         SELECT hard, due_order, created_at, item_id FROM free"
    )
}

impl Writing {
    /// The first item of a person's queue that nobody holds. On PostgreSQL, where others claim at the same time, its row is
    /// locked; so it may still turn out to be leased, by somebody whose lease was committed between the look and the lock.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn take_next_free(&mut self, reviewer: &str) -> Result<Option<String>, StoreError> {
        let now = self.now;
        let connection = self.connection();
        if !connection.is_postgres() {
            return Ok(next_free(connection, now, reviewer).await?.map(|row| row.item_id));
        }
        // A plan that is made while nothing is leased yet, and kept, would read all leases for each item that is passed over.
        sql::query("SET LOCAL enable_seqscan = off")
            .execute(&mut *connection)
            .await?;
        let open: Option<QueuePlace> = sql::query_as(locked(ITEMS, OPEN))
            .bind(now)
            .fetch_optional(&mut *connection)
            .await?;
        let drawn: Option<QueuePlace> = sql::query_as(locked(DRAWN, &theirs("$2")))
            .bind(now)
            .bind(reviewer)
            .fetch_optional(connection)
            .await?;
        let in_order = |place: &QueuePlace| (!place.hard, place.due_order, place.created_at, place.item_id.clone());
        let first = open.into_iter().chain(drawn).min_by_key(in_order);
        Ok(first.map(|place| place.item_id))
    }

    /// Leases an item to a reviewer for `milliseconds`. A lease of the same reviewer that still runs ends with it, so that
    /// one token at most is good; an item held for later is taken up. Answers the item with its new lease, and whether it was
    /// held for later.
    ///
    /// # Errors
    /// [`StoreError::Refused`]: no such item, decided already, held by somebody else.
    pub async fn lease(
        &mut self,
        assignment_id: &str,
        item_id: &str,
        reviewer: &str,
        milliseconds: i64,
    ) -> Result<(ItemRow, bool), StoreError> {
        let now = self.now;
        let row = self.item_to_change(item_id).await?;
        let Some(round) = self.round_of(&row, reviewer).await? else {
            return Err(StoreError::refused(
                "already_decided",
                format!("item {item_id} is decided already; reopen it with undo"),
            ));
        };
        not_with_another(&row, reviewer, now)?;
        self.end_leases(item_id, "replaced").await?;
        let waited = row.later_by.is_some();
        if waited {
            self.take_up(item_id, reviewer).await?;
        }
        sql::query("UPDATE items SET leases = leases + 1, recorded_at = $2 WHERE item_id = $1")
            .bind(item_id)
            .bind(now)
            .execute(self.connection())
            .await?;
        sql::query(
            "INSERT INTO assignments (assignment_id, item_id, reviewer, round, token, expires_at, recorded_at) \
             SELECT $1, $2, $3, $6, leases, $4, $5 FROM items WHERE item_id = $2",
        )
        .bind(assignment_id)
        .bind(item_id)
        .bind(reviewer)
        .bind(now + milliseconds)
        .bind(now)
        .bind(round as i64)
        .execute(self.connection())
        .await?;
        Ok((self.item_to_change(item_id).await?, waited))
    }

    /// Lengthens a running lease.
    ///
    /// # Errors
    /// [`StoreError::Refused`] `lease_lost` where this token's lease no longer runs.
    pub async fn renew(&mut self, item_id: &str, token: i64, milliseconds: i64) -> Result<i64, StoreError> {
        let now = self.now;
        let until = now + milliseconds;
        let done = sql::query("UPDATE assignments SET expires_at = $4 WHERE item_id = $1 AND token = $2 AND ended_at IS NULL AND expires_at > $3")
            .bind(item_id)
            .bind(token)
            .bind(now)
            .bind(until)
            .execute(self.connection())
            .await?;
        if done == 1 { Ok(until) } else { Err(lease_lost(item_id)) }
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

    /// What this person may do on an item now.
    pub(crate) async fn round_of(&mut self, row: &ItemRow, reviewer: &str) -> Result<Option<Round>, StoreError> {
        let round = row.round();
        if matches!(round, None | Some(Round::First)) {
            return Ok(round);
        }
        let theirs = is_theirs(self.connection(), row, reviewer).await?;
        Ok(round.filter(|_| theirs))
    }

    /// The item as it is now. On PostgreSQL its row is locked first, so that a lease and a decision never cross.
    pub(crate) async fn item_to_change(&mut self, item_id: &str) -> Result<ItemRow, StoreError> {
        let now = self.now;
        if self.connection().is_postgres() {
            sql::query("SELECT item_id FROM items WHERE item_id = $1 FOR UPDATE")
                .bind(item_id)
                .execute(self.connection())
                .await?;
        }
        item(self.connection(), now, item_id).await?.ok_or_else(|| {
            StoreError::refused(
                "unknown_item",
                format!("there is no item {item_id}; `pincite queue list` names them"),
            )
        })
    }

    pub(crate) async fn end_leases(&mut self, item_id: &str, by: &str) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("UPDATE assignments SET ended_at = $2, ended_by = $3 WHERE item_id = $1 AND ended_at IS NULL")
            .bind(item_id)
            .bind(now)
            .bind(by)
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
