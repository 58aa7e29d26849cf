//! Values that reviewers entered before an item's candidate was shown to them. Appended, one at most of a reviewer for an item.
//!
//! Deliberately not here: of which items a value is entered first (`pincite-core::queue`), whether it is of its field's type.

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::leases::lease_lost;
use crate::sql;
use sqlx::FromRow;

/// What a reviewer entered.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct BlindEntryRow {
    /// The item.
    pub item_id: String,
    /// Who.
    pub reviewer: String,
    /// The item's version that was open.
    pub item_version: i64,
    /// The value as JSON; `None` where the document states none.
    pub value: Option<Vec<u8>>,
    /// When, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

const COLUMNS: &str = "SELECT e.item_id, e.reviewer, e.item_version, e.value, e.recorded_at FROM blind_entries e ";

/// What a reviewer entered for an item.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn of_reviewer(
    connection: &mut Connection,
    item_id: &str,
    reviewer: &str,
) -> Result<Option<BlindEntryRow>, StoreError> {
    let sql = format!("{COLUMNS} WHERE e.item_id = $1 AND e.reviewer = $2");
    Ok(sql::query_as(sql)
        .bind(item_id)
        .bind(reviewer)
        .fetch_optional(connection)
        .await?)
}

/// Every entry, or those of one field: field, item, value.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn of_field(
    connection: &mut Connection,
    field: Option<&str>,
) -> Result<Vec<(String, String, Option<Vec<u8>>)>, StoreError> {
    Ok(sql::query_as(
        "SELECT i.field, e.item_id, e.value FROM blind_entries e JOIN items i ON i.item_id = e.item_id \
         WHERE $1 IS NULL OR i.field = $1 ORDER BY e.number",
    )
    .bind(field)
    .fetch_all(connection)
    .await?)
}

/// The catalogues that were in use since a reviewer first held an item, the one in use then among them; none where the
/// reviewer never held it.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn catalogues_since_first_held(
    connection: &mut Connection,
    item_id: &str,
    reviewer: &str,
) -> Result<Vec<Vec<u8>>, StoreError> {
    let first: Option<i64> =
        sql::query_scalar("SELECT min(recorded_at) FROM assignments WHERE item_id = $1 AND reviewer = $2")
            .bind(item_id)
            .bind(reviewer)
            .fetch_one(&mut *connection)
            .await?;
    let Some(first) = first else { return Ok(Vec::new()) };
    Ok(sql::query_scalar(
        "SELECT body FROM catalogues WHERE number >= \
         coalesce((SELECT max(number) FROM catalogues WHERE recorded_at <= $1), 0) ORDER BY number",
    )
    .bind(first)
    .fetch_all(connection)
    .await?)
}

impl Writing {
    /// Keeps what a reviewer entered, under a running lease. The same value again changes nothing; answers whether this is new.
    ///
    /// # Errors
    /// [`StoreError::Refused`]: `unknown_item`, `entered_already` (another value), `item_moved`, `lease_lost`.
    pub async fn enter_blind(
        &mut self,
        item_id: &str,
        item_version: i64,
        token: i64,
        reviewer: &str,
        value: Option<&[u8]>,
    ) -> Result<bool, StoreError> {
        if let Some(before) = of_reviewer(self.connection(), item_id, reviewer).await? {
            return if before.value.as_deref() == value {
                Ok(false)
            } else {
                Err(StoreError::refused(
                    "entered_already",
                    format!(
                        "{reviewer} entered another value for item {item_id} and has seen the candidate since: that entry \
                         stays; state the true value by deciding"
                    ),
                ))
            };
        }
        let item = self.item_to_change(item_id).await?;
        if item.item_version != item_version {
            return Err(StoreError::refused(
                "item_moved",
                format!(
                    "item {item_id} is at version {}, not {item_version}: look at it again; nothing was written",
                    item.item_version
                ),
            ));
        }
        if item.token != Some(token) || item.held_by.as_deref() != Some(reviewer) {
            return Err(lease_lost(item_id));
        }
        let now = self.now;
        sql::query(
            "INSERT INTO blind_entries (item_id, reviewer, item_version, value, recorded_at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(item_id)
        .bind(reviewer)
        .bind(item_version)
        .bind(value)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(true)
    }
}
