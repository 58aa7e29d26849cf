//! Items held for later: put off with a note, and taken up again by whoever claims them by name. Events, appended.
//!
//! A lease holds an item for minutes and for one person; this keeps it out of everybody's next until somebody asks for it.
//!
//! Deliberately not here: which item comes next (`items`, whose rows say what is held for later).

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::leases::not_with_another;
use crate::sql;
use sqlx::FromRow;

/// That an item was held for later or taken up.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct LaterEvent {
    /// Why, UTF-8, where it was held; `None` where it was taken up.
    pub note: Option<Vec<u8>>,
    /// Who.
    pub who: String,
    /// When, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

/// What happened to an item in this respect, oldest first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn events(connection: &mut Connection, item_id: &str) -> Result<Vec<LaterEvent>, StoreError> {
    Ok(
        sql::query_as("SELECT note, who, recorded_at FROM held_for_later WHERE item_id = $1 ORDER BY number")
            .bind(item_id)
            .fetch_all(connection)
            .await?,
    )
}

impl Writing {
    /// Holds an open item for later. A lease of the same person ends with it.
    ///
    /// # Errors
    /// [`StoreError::Refused`]: `unknown_item`, `already_decided`, `held` (somebody else has a lease on it).
    pub async fn hold_for_later(&mut self, item_id: &str, note: &str, who: &str) -> Result<(), StoreError> {
        let row = self.item_to_change(item_id).await?;
        if self.round_of(&row, who).await?.is_none() {
            return Err(StoreError::refused(
                "already_decided",
                format!("item {item_id} is decided already: there is nothing to hold for later"),
            ));
        }
        not_with_another(&row, who, self.now)?;
        self.end_leases(item_id, "released").await?;
        self.later_event(item_id, "held", Some(note), who).await
    }

    pub(crate) async fn take_up(&mut self, item_id: &str, who: &str) -> Result<(), StoreError> {
        self.later_event(item_id, "taken_up", None, who).await
    }

    async fn later_event(
        &mut self,
        item_id: &str,
        event: &str,
        note: Option<&str>,
        who: &str,
    ) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO held_for_later (item_id, event, note, who, recorded_at) VALUES ($1, $2, $3, $4, $5)")
            .bind(item_id)
            .bind(event)
            .bind(note.map(str::as_bytes))
            .bind(who)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(())
    }
}
