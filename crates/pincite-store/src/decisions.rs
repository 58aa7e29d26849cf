//! Decisions: appended, never edited, made once however often they are sent.
//!
//! Deliberately not here: whether a value is of its field's type; the caller has checked.

use crate::StoreError;
use crate::curve_counts::{in_uncounted, of_field};
use crate::database::{Connection, Writing};
use crate::items::{ItemRow, Round};
use crate::leases::lease_lost;
use crate::sql;
use sqlx::FromRow;

/// A decision as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct DecisionRow {
    /// Order of making.
    pub number: i64,
    /// Its id.
    pub decision_id: String,
    /// The key the caller made.
    pub caller_key: String,
    /// The item decided.
    pub item_id: String,
    /// The item's version that was seen.
    pub item_version: i64,
    /// Who decided.
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
    /// The decision it replaces.
    pub replaces: Option<String>,
    /// Milliseconds from painted to decided, where a window saw it.
    pub wall_ms: Option<i64>,
    /// Of these, active ones.
    pub active_ms: Option<i64>,
    /// When, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

/// A decision with where it belongs.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct PlacedDecision {
    /// The decision.
    #[sqlx(flatten)]
    pub decision: DecisionRow,
    /// The logical document.
    pub doc_id: String,
    /// The bytes.
    pub doc_sha256: String,
    /// The field.
    pub field: String,
    /// Why the item was queued.
    pub item_reason: String,
}

/// A decision to make.
#[derive(Debug, Clone, Copy)]
pub struct NewDecision<'a> {
    /// Its id.
    pub decision_id: &'a str,
    /// The caller's key.
    pub caller_key: &'a str,
    /// The item.
    pub item_id: &'a str,
    /// The item's version that was seen.
    pub item_version: i64,
    /// The lease's token.
    pub token: i64,
    /// Who decides.
    pub reviewer: &'a str,
    /// accept, correct, reject or abstain.
    pub kind: &'a str,
    /// The candidate that was seen.
    pub record_id: &'a str,
    /// The true value as JSON.
    pub value: Option<&'a [u8]>,
    /// Why.
    pub reason_code: Option<&'a str>,
    /// Free text.
    pub note: Option<&'a str>,
    /// Milliseconds from painted to decided.
    pub wall_ms: Option<i64>,
    /// Of these, active ones.
    pub active_ms: Option<i64>,
    /// The field's floor in milliseconds now, for a decision that was timed.
    pub floor_ms: Option<i64>,
    /// Hash of the page picture shown.
    pub shown_sha256: Option<&'a str>,
}

impl NewDecision<'_> {
    /// That it is made under the running lease, on the item as it was looked at.
    ///
    /// # Errors
    /// [`StoreError::Refused`]: `item_moved`, `lease_lost`.
    pub(crate) fn holds(&self, item: &ItemRow) -> Result<(), StoreError> {
        if item.item_version != self.item_version {
            return Err(StoreError::refused(
                "item_moved",
                format!(
                    "item {} is at version {}, not {}: look at it again; nothing was written",
                    self.item_id, item.item_version, self.item_version
                ),
            ));
        }
        if item.token != Some(self.token) || item.held_by.as_deref() != Some(self.reviewer) {
            return Err(lease_lost(self.item_id));
        }
        Ok(())
    }

    /// Whether what was made before under its key is the same decision.
    fn is_said_by(&self, before: &DecisionRow) -> bool {
        before.item_id == self.item_id
            && before.reviewer == self.reviewer
            && before.kind == self.kind
            && before.value.as_deref() == self.value
            && before.reason_code.as_deref() == self.reason_code
    }
}

/// What became of a decision that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decided {
    /// It was made now.
    Now(DecisionRow),
    /// It had been made before, under the same key.
    Before(DecisionRow),
}

impl Decided {
    /// The decision, whenever it was made.
    #[must_use]
    pub fn row(self) -> DecisionRow {
        match self {
            Self::Now(row) | Self::Before(row) => row,
        }
    }
}

const COLUMNS: &str = "d.number, d.decision_id, d.caller_key, d.item_id, d.item_version, d.reviewer, d.kind, d.record_id, d.value, d.reason_code, \
     d.note, d.replaces, d.wall_ms, d.active_ms, d.recorded_at";

impl Writing {
    /// Makes a decision under a running lease; where two reviewers differ, it adjudicates.
    ///
    /// # Errors
    /// [`StoreError::Refused`]: `key_reused` (the key belongs to another decision), `unknown_item`, `already_decided`,
    /// `item_moved` (the item has another version), `lease_lost`.
    pub async fn decide(&mut self, new: &NewDecision<'_>) -> Result<Decided, StoreError> {
        if let Some(before) = by_key(self.connection(), new.caller_key).await? {
            return if new.is_said_by(&before) {
                Ok(Decided::Before(before))
            } else {
                Err(key_reused(new.caller_key))
            };
        }
        let item = self.item_to_change(new.item_id).await?;
        // What is drawn for a second review waits for that one, which is no decision.
        let adjudicated = match item.round() {
            Some(Round::First) => None,
            Some(Round::Adjudication) => item.drawn_decision.clone(),
            _ => {
                return Err(StoreError::refused(
                    "already_decided",
                    format!("item {} is decided already; nothing was written", new.item_id),
                ));
            }
        };
        new.holds(&item)?;
        let replaces = last_of_item(self.connection(), new.item_id)
            .await?
            .map(|row| row.decision_id);
        self.insert_decision(new, new.kind, replaces.as_deref(), Some(new.token))
            .await?;
        if let Some(first) = adjudicated {
            self.settle_draw(&first, new.decision_id).await?;
        }
        self.end_leases(new.item_id, "decided").await?;
        self.change_item(new.item_id, "decided").await?;
        self.read_back(new.caller_key).await.map(Decided::Now)
    }

    /// Takes back the decision that an item rests on; the item is open again.
    ///
    /// # Errors
    /// [`StoreError::Refused`]: `key_reused`, `unknown_decision`, `not_last` (a later decision rests on it),
    /// `not_yours` (another reviewer made it).
    pub async fn undo(
        &mut self,
        undo_id: &str,
        caller_key: &str,
        decision_id: &str,
        reviewer: &str,
    ) -> Result<Decided, StoreError> {
        if let Some(before) = by_key(self.connection(), caller_key).await? {
            let same =
                before.kind == "undo" && before.replaces.as_deref() == Some(decision_id) && before.reviewer == reviewer;
            return if same {
                Ok(Decided::Before(before))
            } else {
                Err(key_reused(caller_key))
            };
        }
        let sql = format!("SELECT {COLUMNS} FROM decisions d WHERE d.decision_id = $1");
        let undone: Option<DecisionRow> = sql::query_as(sql)
            .bind(decision_id)
            .fetch_optional(self.connection())
            .await?;
        let undone = undone.ok_or_else(|| {
            StoreError::refused(
                "unknown_decision",
                format!("there is no decision {decision_id}; `pincite decision list` names them"),
            )
        })?;
        let last = last_of_item(self.connection(), &undone.item_id).await?;
        if undone.kind == "undo" || last.is_none_or(|last| last.decision_id != decision_id) {
            return Err(StoreError::refused(
                "not_last",
                format!("decision {decision_id} is no longer the item's last: nothing to undo"),
            ));
        }
        if undone.reviewer != reviewer {
            return Err(StoreError::refused(
                "not_yours",
                format!(
                    "decision {decision_id} was made by {}, who alone may undo it",
                    undone.reviewer
                ),
            ));
        }
        let new = NewDecision {
            decision_id: undo_id,
            caller_key,
            item_id: &undone.item_id,
            item_version: undone.item_version + 1,
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
        self.insert_decision(&new, "undo", Some(decision_id), None).await?;
        self.undo_in_draws(&undone).await?;
        self.change_item(&undone.item_id, "open").await?;
        self.read_back(caller_key).await.map(Decided::Now)
    }

    async fn insert_decision(
        &mut self,
        new: &NewDecision<'_>,
        kind: &str,
        replaces: Option<&str>,
        token: Option<i64>,
    ) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO decisions (decision_id, caller_key, item_id, item_version, reviewer, kind, record_id, value, reason_code, note, \
             replaces, token, wall_ms, active_ms, floor_ms, shown_sha256, recorded_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)",
        )
        .bind(new.decision_id)
        .bind(new.caller_key)
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
        .bind(new.floor_ms)
        .bind(new.shown_sha256)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    async fn read_back(&mut self, caller_key: &str) -> Result<DecisionRow, StoreError> {
        by_key(self.connection(), caller_key)
            .await?
            .ok_or_else(|| StoreError::Damaged("a decision just written can't be read back".into()))
    }
}

pub(crate) fn key_reused(key: &str) -> StoreError {
    StoreError::refused(
        "key_reused",
        format!("the key {key} belongs to another decision: make a new key; nothing was written"),
    )
}

/// The decision made under a caller's key.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn by_key(connection: &mut Connection, caller_key: &str) -> Result<Option<DecisionRow>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM decisions d WHERE d.caller_key = $1");
    Ok(sql::query_as(sql).bind(caller_key).fetch_optional(connection).await?)
}

/// The last decision on an item, an undo included.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn last_of_item(connection: &mut Connection, item_id: &str) -> Result<Option<DecisionRow>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM decisions d WHERE d.item_id = $1 ORDER BY d.number DESC LIMIT 1");
    Ok(sql::query_as(sql).bind(item_id).fetch_optional(connection).await?)
}

/// Every decision on an item, oldest first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn of_item(connection: &mut Connection, item_id: &str) -> Result<Vec<DecisionRow>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM decisions d WHERE d.item_id = $1 ORDER BY d.number");
    Ok(sql::query_as(sql).bind(item_id).fetch_all(connection).await?)
}

const PLACED: &str =
    "i.doc_id, i.doc_sha256, i.field, i.reason AS item_reason FROM decisions d JOIN items i ON i.item_id = d.item_id";

/// One decision by its id.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn by_id(connection: &mut Connection, decision_id: &str) -> Result<Option<PlacedDecision>, StoreError> {
    let sql = format!("SELECT {COLUMNS}, {PLACED} WHERE d.decision_id = $1");
    Ok(sql::query_as(sql).bind(decision_id).fetch_optional(connection).await?)
}

/// Decisions after a number, oldest first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn decisions(connection: &mut Connection, after: i64, limit: i64) -> Result<Vec<PlacedDecision>, StoreError> {
    let sql = format!("SELECT {COLUMNS}, {PLACED} WHERE d.number > $1 ORDER BY d.number LIMIT $2");
    Ok(sql::query_as(sql).bind(after).bind(limit).fetch_all(connection).await?)
}

/// A reviewer's last decisions, newest first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn recent_of(
    connection: &mut Connection,
    reviewer: &str,
    limit: i64,
) -> Result<Vec<PlacedDecision>, StoreError> {
    let sql = format!("SELECT {COLUMNS}, {PLACED} WHERE d.reviewer = $1 ORDER BY d.number DESC LIMIT $2");
    Ok(sql::query_as(sql)
        .bind(reviewer)
        .bind(limit)
        .fetch_all(connection)
        .await?)
}

/// The decision each item rests on (its last, where that is no undo); of one field where one is named.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn standing(connection: &mut Connection, field: Option<&str>) -> Result<Vec<PlacedDecision>, StoreError> {
    let sql = format!(
        "SELECT {COLUMNS}, {PLACED} WHERE {STANDING} AND {}",
        of_field("i.field", field)
    );
    Ok(sql::query_as(sql).bind(field).fetch_all(connection).await?)
}

const STANDING: &str =
    "d.kind <> 'undo' AND d.number = (SELECT max(n.number) FROM decisions n WHERE n.item_id = i.item_id)";

/// The same for the first so many places that have to be counted anew.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn standing_of_uncounted(
    connection: &mut Connection,
    places: i64,
) -> Result<Vec<PlacedDecision>, StoreError> {
    let sql = format!("SELECT {COLUMNS}, {PLACED} WHERE {STANDING} AND {}", in_uncounted("i"));
    Ok(sql::query_as(sql).bind(places).fetch_all(connection).await?)
}
