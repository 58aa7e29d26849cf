//! Incidents of hasty accepts, the decisions in their windows, and what somebody made of them. All appended.
//!
//! Deliberately not here: when a run of accepts is an incident (`pincite-core::queue`), what its labels are worth then
//! (`pincite-core::calibration`).

use crate::StoreError;
use crate::curve_counts::in_uncounted;
use crate::database::{Connection, Writing};
use crate::sql;
use sqlx::FromRow;

/// An incident with the resolution that holds.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct IncidentRow {
    /// Its id: that of its first decision.
    pub incident_id: String,
    /// Who decided.
    pub reviewer: String,
    /// When it was found, milliseconds since 1970 UTC.
    pub recorded_at: i64,
    /// keep or void; `None` while it is open.
    pub resolution: Option<String>,
    /// Why, UTF-8.
    pub why: Option<Vec<u8>>,
    /// Who resolved it.
    pub resolved_by: Option<String>,
    /// When, milliseconds since 1970 UTC.
    pub resolved_at: Option<i64>,
}

/// A decision as far as a reviewer's pace is concerned.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct PaceRow {
    /// The decision.
    pub decision_id: String,
    /// Its item.
    pub item_id: String,
    /// The logical document.
    pub doc_id: String,
    /// The field.
    pub field: String,
    /// The candidate that was seen.
    pub record_id: String,
    /// accept, correct, reject, abstain or undo.
    pub kind: String,
    /// Active milliseconds from painted to decided, where a window saw it.
    pub active_ms: Option<i64>,
    /// The field's floor when it was made.
    pub floor_ms: Option<i64>,
    /// When, milliseconds since 1970 UTC.
    pub recorded_at: i64,
    /// The incident it lies in.
    pub incident_id: Option<String>,
    /// Whether that one was ever resolved.
    pub resolved: bool,
    /// Whether the item rests on this decision.
    pub standing: bool,
}

const INCIDENT: &str = "SELECT c.incident_id, c.reviewer, c.recorded_at, r.resolution, r.why, r.who AS resolved_by, r.recorded_at AS resolved_at \
     FROM incidents c JOIN decisions f ON f.decision_id = c.incident_id LEFT JOIN incident_resolutions r \
     ON r.number = (SELECT max(n.number) FROM incident_resolutions n WHERE n.incident_id = c.incident_id)";

const PACE: &str = "SELECT d.decision_id, d.item_id, i.doc_id, i.field, d.record_id, d.kind, d.active_ms, d.floor_ms, d.recorded_at, m.incident_id, \
     EXISTS (SELECT 1 FROM incident_resolutions r WHERE r.incident_id = m.incident_id) AS resolved, \
     d.kind <> 'undo' AND d.number = (SELECT max(n.number) FROM decisions n WHERE n.item_id = d.item_id) AS standing \
     FROM decisions d JOIN items i ON i.item_id = d.item_id";

/// Whether the incident of a row is open or void: its last resolution, if there is one, is not to keep it.
pub(crate) const NOT_KEPT: &str = "coalesce((SELECT r.resolution FROM incident_resolutions r WHERE r.incident_id = c.incident_id \
     ORDER BY r.number DESC LIMIT 1), 'open') <> 'keep'";

/// A reviewer's last decisions, newest first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn pace_of(connection: &mut Connection, reviewer: &str, limit: i64) -> Result<Vec<PaceRow>, StoreError> {
    let sql = format!(
        "{PACE} LEFT JOIN incident_decisions m ON m.decision_id = d.decision_id \
         WHERE d.reviewer = $1 ORDER BY d.number DESC LIMIT $2"
    );
    Ok(sql::query_as(sql)
        .bind(reviewer)
        .bind(limit)
        .fetch_all(connection)
        .await?)
}

/// The decisions in an incident's window, oldest first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn window(connection: &mut Connection, incident_id: &str) -> Result<Vec<PaceRow>, StoreError> {
    let sql = format!(
        "{PACE} JOIN incident_decisions m ON m.decision_id = d.decision_id WHERE m.incident_id = $1 ORDER BY d.number"
    );
    Ok(sql::query_as(sql).bind(incident_id).fetch_all(connection).await?)
}

/// One incident.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn incident(connection: &mut Connection, incident_id: &str) -> Result<Option<IncidentRow>, StoreError> {
    let sql = format!("{INCIDENT} WHERE c.incident_id = $1");
    Ok(sql::query_as(sql).bind(incident_id).fetch_optional(connection).await?)
}

/// Incidents by their first decision, oldest first, after the one named (none: from the start).
///
/// # Errors
/// [`StoreError::Database`]; [`StoreError::Refused`] where the incident named is not there.
pub async fn incidents(
    connection: &mut Connection,
    after: Option<&str>,
    limit: i64,
) -> Result<Vec<IncidentRow>, StoreError> {
    let place: i64 = match after {
        None => 0,
        Some(after) => sql::query_scalar(
            "SELECT f.number FROM incidents c JOIN decisions f ON f.decision_id = c.incident_id WHERE c.incident_id = $1",
        )
        .bind(after)
        .fetch_optional(&mut *connection)
        .await?
        .ok_or_else(|| StoreError::refused("unknown_incident", format!("--after names no incident: {after}")))?,
    };
    let sql = format!("{INCIDENT} WHERE f.number > $1 ORDER BY f.number LIMIT $2");
    Ok(sql::query_as(sql).bind(place).bind(limit).fetch_all(connection).await?)
}

/// The decisions in incidents that are open or void.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn out_of_calibration(connection: &mut Connection) -> Result<Vec<String>, StoreError> {
    let sql = format!("SELECT c.decision_id FROM incident_decisions c WHERE {NOT_KEPT}");
    Ok(sql::query_scalar(sql).fetch_all(connection).await?)
}

/// The same on items of the first so many places that have to be counted anew.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn out_of_calibration_of_uncounted(
    connection: &mut Connection,
    places: i64,
) -> Result<Vec<String>, StoreError> {
    let sql = format!(
        "SELECT c.decision_id FROM items i JOIN decisions d ON d.item_id = i.item_id \
         JOIN incident_decisions c ON c.decision_id = d.decision_id WHERE {} AND {NOT_KEPT}",
        in_uncounted("i")
    );
    Ok(sql::query_scalar(sql).bind(places).fetch_all(connection).await?)
}

/// Whether a reviewer has an incident that is open or void.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn is_hasty(connection: &mut Connection, reviewer: &str) -> Result<bool, StoreError> {
    let sql = format!("SELECT EXISTS (SELECT 1 FROM incidents c WHERE c.reviewer = $1 AND {NOT_KEPT})");
    Ok(sql::query_scalar(sql).bind(reviewer).fetch_one(connection).await?)
}

/// The decisions in a reviewer's incidents that nobody has resolved, oldest first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn set_aside(connection: &mut Connection, reviewer: &str) -> Result<Vec<PaceRow>, StoreError> {
    let sql = format!(
        "{PACE} JOIN incident_decisions m ON m.decision_id = d.decision_id JOIN incidents c ON c.incident_id = m.incident_id \
         WHERE c.reviewer = $1 AND NOT EXISTS (SELECT 1 FROM incident_resolutions r WHERE r.incident_id = m.incident_id) \
         ORDER BY d.number"
    );
    Ok(sql::query_as(sql).bind(reviewer).fetch_all(connection).await?)
}

/// A reviewer's last timed decisions, newest first: active milliseconds, and when (milliseconds since 1970 UTC).
///
/// # Errors
/// [`StoreError::Database`].
pub async fn times_of(connection: &mut Connection, reviewer: &str, limit: i64) -> Result<Vec<(i64, i64)>, StoreError> {
    Ok(sql::query_as(
        "SELECT active_ms, recorded_at FROM decisions WHERE reviewer = $1 AND kind <> 'undo' AND active_ms IS NOT NULL \
         ORDER BY number DESC LIMIT $2",
    )
    .bind(reviewer)
    .bind(limit)
    .fetch_all(connection)
    .await?)
}

/// How an incident was resolved.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct ResolutionRow {
    /// The incident.
    pub incident_id: String,
    /// `keep` or `void`.
    pub resolution: String,
    /// Why, UTF-8.
    pub why: Vec<u8>,
    /// Who resolved it.
    pub who: String,
    /// When, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

/// Every resolution, in the order made.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn resolutions(connection: &mut Connection) -> Result<Vec<ResolutionRow>, StoreError> {
    let text = "SELECT incident_id, resolution, why, who, recorded_at FROM incident_resolutions ORDER BY number";
    Ok(sql::query_as(text).fetch_all(connection).await?)
}

impl Writing {
    /// Opens an incident, named by its first decision.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn open_incident(&mut self, incident_id: &str, reviewer: &str) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO incidents (incident_id, reviewer, recorded_at) VALUES ($1, $2, $3)")
            .bind(incident_id)
            .bind(reviewer)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// Puts a decision in an incident's window.
    ///
    /// # Errors
    /// [`StoreError::Database`], also where it lies in one.
    pub async fn add_to_incident(&mut self, incident_id: &str, decision_id: &str) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO incident_decisions (decision_id, incident_id, recorded_at) VALUES ($1, $2, $3)")
            .bind(decision_id)
            .bind(incident_id)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// Resolves an incident: `keep` or `void`.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn resolve_incident(
        &mut self,
        incident_id: &str,
        resolution: &str,
        why: &str,
        who: &str,
    ) -> Result<ResolutionRow, StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO incident_resolutions (incident_id, resolution, why, who, recorded_at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(incident_id)
        .bind(resolution)
        .bind(why.as_bytes())
        .bind(who)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(ResolutionRow {
            incident_id: incident_id.to_owned(),
            resolution: resolution.to_owned(),
            why: why.as_bytes().to_vec(),
            who: who.to_owned(),
            recorded_at: now,
        })
    }
}
