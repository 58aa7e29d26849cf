//! Alarms of rates that passed their limit, who took note of them, and what was checked as it came in.
//!
//! Append-only. Families of documents are named, documents are not.
//!
//! Deliberately not here: limits (`pincite_core::sweep`).

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::sql;
use sqlx::FromRow;

/// An alarm, with who took note of it.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct AlarmRow {
    /// Order of ringing.
    pub number: i64,
    /// Its id.
    pub alarm_id: String,
    /// `inline`, `after_reindex` or `baseline`.
    pub kind: String,
    /// The family of documents.
    pub family: String,
    /// So many drifted.
    pub drifted: i64,
    /// Of so many.
    pub checked: i64,
    /// The sweep that found it; `None` of what was checked as it came.
    pub sweep_id: Option<String>,
    /// When, milliseconds since 1970 UTC.
    pub recorded_at: i64,
    /// Who took note of it.
    pub acknowledged_by: Option<String>,
    /// Why that is enough, UTF-8.
    pub why: Option<Vec<u8>>,
    /// When.
    pub acknowledged_at: Option<i64>,
}

/// An alarm to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewAlarm<'a> {
    /// Its id.
    pub alarm_id: &'a str,
    /// `inline`, `after_reindex` or `baseline`.
    pub kind: &'a str,
    /// The family of documents.
    pub family: &'a str,
    /// So many drifted.
    pub drifted: i64,
    /// Of so many.
    pub checked: i64,
    /// The sweep that found it.
    pub sweep_id: Option<&'a str>,
}

/// What was checked as it came, of a family.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct InlineRow {
    /// The family.
    pub family: String,
    /// So many.
    pub checked: i64,
    /// Of these, so many drifted.
    pub drifted: i64,
}

const ALARM: &str = "SELECT a.number, a.alarm_id, a.kind, a.family, a.drifted, a.checked, a.sweep_id, a.recorded_at, \
     k.who AS acknowledged_by, k.why, k.recorded_at AS acknowledged_at \
     FROM alarms a LEFT JOIN alarm_acknowledgements k ON k.alarm_id = a.alarm_id ";

/// Alarms before a number, the newest first; those that nobody took note of, or all.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn alarms(
    connection: &mut Connection,
    only_open: bool,
    before: i64,
    limit: i64,
) -> Result<Vec<AlarmRow>, StoreError> {
    let open = if only_open { "AND k.alarm_id IS NULL" } else { "" };
    let text = format!("{ALARM} WHERE a.number < $1 {open} ORDER BY a.number DESC LIMIT $2");
    Ok(sql::query_as(text)
        .bind(before)
        .bind(limit)
        .fetch_all(connection)
        .await?)
}

/// One alarm by its id.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn alarm(connection: &mut Connection, alarm_id: &str) -> Result<Option<AlarmRow>, StoreError> {
    let text = format!("{ALARM} WHERE a.alarm_id = $1");
    Ok(sql::query_as(text).bind(alarm_id).fetch_optional(connection).await?)
}

/// What was checked as it came between two moments (milliseconds since 1970 UTC, both included), by family. A row that counts more drifted ones
/// than checked ones, or fewer than none, was made by no program of ours.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn inline_between(
    connection: &mut Connection,
    (since, until): (i64, i64),
) -> Result<Vec<InlineRow>, StoreError> {
    let text = "SELECT family, CAST(sum(checked) AS BIGINT) AS checked, CAST(sum(drifted) AS BIGINT) AS drifted \
                FROM inline_checks WHERE recorded_at >= $1 AND recorded_at <= $2 AND drifted >= 0 AND drifted <= checked \
                GROUP BY family ORDER BY family";
    Ok(sql::query_as(text)
        .bind(since)
        .bind(until)
        .fetch_all(connection)
        .await?)
}

/// The alarms of a sweep, in the order of ringing.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn of_sweep(connection: &mut Connection, sweep_id: &str) -> Result<Vec<AlarmRow>, StoreError> {
    let text = format!("{ALARM} WHERE a.sweep_id = $1 ORDER BY a.number");
    Ok(sql::query_as(text).bind(sweep_id).fetch_all(connection).await?)
}

/// Whether an alarm of this kind and family rang between two moments (milliseconds since 1970 UTC, both included).
///
/// # Errors
/// [`StoreError::Database`].
pub async fn rang_between(
    connection: &mut Connection,
    kind: &str,
    family: &str,
    (since, until): (i64, i64),
) -> Result<bool, StoreError> {
    let text = "SELECT EXISTS (SELECT 1 FROM alarms WHERE kind = $1 AND family = $2 AND recorded_at >= $3 AND recorded_at <= $4)";
    Ok(sql::query_scalar(text)
        .bind(kind)
        .bind(family)
        .bind(since)
        .bind(until)
        .fetch_one(connection)
        .await?)
}

impl Writing {
    /// Rings an alarm.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_alarm(&mut self, new: &NewAlarm<'_>) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO alarms (alarm_id, kind, family, drifted, checked, sweep_id, recorded_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(new.alarm_id)
        .bind(new.kind)
        .bind(new.family)
        .bind(new.drifted)
        .bind(new.checked)
        .bind(new.sweep_id)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// Says that somebody took note of an alarm, and why that is enough.
    ///
    /// # Errors
    /// [`StoreError::Database`]: also where somebody did before.
    pub async fn acknowledge_alarm(&mut self, alarm_id: &str, why: &str, who: &str) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO alarm_acknowledgements (alarm_id, why, who, recorded_at) VALUES ($1, $2, $3, $4)")
            .bind(alarm_id)
            .bind(why.as_bytes())
            .bind(who)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// Counts what was checked as it came.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_inline_checks(&mut self, family: &str, checked: i64, drifted: i64) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO inline_checks (family, checked, drifted, recorded_at) VALUES ($1, $2, $3, $4)")
            .bind(family)
            .bind(checked)
            .bind(drifted)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(())
    }
}
