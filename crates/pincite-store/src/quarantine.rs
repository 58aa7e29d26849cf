//! The log of deaths that some bytes caused, and of the times somebody said to try them again. Append-only.
//!
//! Deliberately not here: how many deaths are too many (`pincite-app` says), and the bytes, which need not be kept.

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::sql;
use sqlx::FromRow;

/// A worker's death on some bytes.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct DeathRow {
    /// Why it died, UTF-8, as far as is known.
    pub reason: Vec<u8>,
    /// When it was recorded, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

impl Writing {
    /// Records that a worker died on some bytes.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_death(&mut self, doc_sha256: &str, reason: &str, who: &str) -> Result<(), StoreError> {
        self.add_to_quarantine_log(doc_sha256, "death", reason, who).await
    }

    /// Records somebody's word to try some bytes again: deaths before it count no more.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_try_again(&mut self, doc_sha256: &str, reason: &str, who: &str) -> Result<(), StoreError> {
        self.add_to_quarantine_log(doc_sha256, "try_again", reason, who).await
    }

    async fn add_to_quarantine_log(
        &mut self,
        doc_sha256: &str,
        event: &str,
        reason: &str,
        who: &str,
    ) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO quarantine_log (doc_sha256, event, reason, who, recorded_at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(doc_sha256)
        .bind(event)
        .bind(reason.as_bytes())
        .bind(who)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }
}

/// The deaths on some bytes since they were last tried again, oldest first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn deaths(connection: &mut Connection, doc_sha256: &str) -> Result<Vec<DeathRow>, StoreError> {
    Ok(sql::query_as(
        "SELECT reason, recorded_at FROM quarantine_log WHERE doc_sha256 = $1 AND event = 'death' AND number > \
           (SELECT coalesce(max(number), 0) FROM quarantine_log WHERE doc_sha256 = $1 AND event = 'try_again') \
         ORDER BY number",
    )
    .bind(doc_sha256)
    .fetch_all(connection)
    .await?)
}
