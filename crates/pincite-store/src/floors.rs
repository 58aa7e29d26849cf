//! Baselines of the floors: times to decision gathered for a field, then frozen once.
//!
//! Deliberately not here: what the floor is, and how many times a baseline wants (`pincite-core::queue`); floors that
//! somebody set (`settings`).

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::sql;

/// The frozen baseline of a field, a JSON array of milliseconds; `None` where it has none yet.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn baseline(connection: &mut Connection, field: &str) -> Result<Option<String>, StoreError> {
    Ok(sql::query_scalar("SELECT times FROM floor_baselines WHERE field = $1")
        .bind(field)
        .fetch_optional(connection)
        .await?)
}

/// Every frozen baseline with its field.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn baselines(connection: &mut Connection) -> Result<Vec<(String, String)>, StoreError> {
    Ok(sql::query_as("SELECT field, times FROM floor_baselines ORDER BY field")
        .fetch_all(connection)
        .await?)
}

/// The times gathered for a field, in milliseconds and in order, without those of reviewers who have an incident that is
/// open or void.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn gathered(connection: &mut Connection, field: &str) -> Result<Vec<i64>, StoreError> {
    Ok(sql::query_scalar(
        "SELECT t.active_ms FROM floor_times t JOIN decisions d ON d.decision_id = t.decision_id WHERE t.field = $1 \
         AND NOT EXISTS (SELECT 1 FROM incidents c WHERE c.reviewer = t.reviewer AND coalesce((SELECT r.resolution \
           FROM incident_resolutions r WHERE r.incident_id = c.incident_id ORDER BY r.number DESC LIMIT 1), 'open') <> 'keep') \
         ORDER BY d.number",
    )
    .bind(field)
    .fetch_all(connection)
    .await?)
}

impl Writing {
    /// Gathers the time of a decision.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn gather_time(
        &mut self,
        decision_id: &str,
        field: &str,
        reviewer: &str,
        active_ms: i64,
    ) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO floor_times (decision_id, field, reviewer, active_ms, recorded_at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(decision_id)
        .bind(field)
        .bind(reviewer)
        .bind(active_ms)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// Freezes a field's baseline: a JSON array of milliseconds.
    ///
    /// # Errors
    /// [`StoreError::Database`], also where it has one.
    pub async fn freeze_baseline(&mut self, field: &str, times: &str) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO floor_baselines (field, times, recorded_at) VALUES ($1, $2, $3)")
            .bind(field)
            .bind(times)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(())
    }
}
