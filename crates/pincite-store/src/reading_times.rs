//! What windows logged while items stood on the screen: segments, their events, and the decision each counted towards.
//!
//! A segment is kept once however often it is sent, and counts towards one decision only: resuming an item never adds the
//! same time twice.
//!
//! Deliberately not here: how times follow from events (`pincite-core::queue::reading_time`).

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::sql;
use sqlx::FromRow;

/// A stretch in which an item was painted.
#[derive(Debug, Clone, Copy)]
pub struct NewSegment<'a> {
    /// Its id, made by the window.
    pub segment_id: &'a str,
    /// The window's process.
    pub process: &'a str,
    /// The item.
    pub item_id: &'a str,
    /// Who sat there.
    pub reviewer: &'a str,
    /// Names of events with milliseconds of the process's monotonic clock, in order.
    pub events: &'a [(&'static str, i64)],
}

/// An event as it is kept, with where it belongs.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct EventRow {
    /// Order of keeping, of the segment.
    pub number: i64,
    /// The segment.
    pub segment_id: String,
    /// The window's process.
    pub process: String,
    /// The item.
    pub item_id: String,
    /// Its field.
    pub field: String,
    /// Who sat there.
    pub reviewer: String,
    /// From 0 within the segment.
    pub ordinal: i64,
    /// Its name.
    pub event: String,
    /// Milliseconds of the process's monotonic clock.
    pub at_ms: i64,
    /// The decision that the segment counted towards.
    pub decision_id: Option<String>,
    /// When the segment was kept, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

const EVENTS: &str = "SELECT s.number, s.segment_id, s.process, s.item_id, i.field, s.reviewer, e.ordinal, e.event, e.at_ms, c.decision_id, s.recorded_at \
     FROM reading_segments s JOIN reading_events e ON e.segment_id = s.segment_id JOIN items i ON i.item_id = s.item_id \
     LEFT JOIN counted_segments c ON c.segment_id = s.segment_id";

impl Writing {
    /// Keeps a segment; one that is kept already stays as it is.
    ///
    /// # Errors
    /// [`StoreError::Refused`] `segment_reused`: the id belongs to another item, or to somebody else.
    pub async fn keep_segment(&mut self, new: &NewSegment<'_>) -> Result<(), StoreError> {
        let kept: Option<(String, String)> =
            sql::query_as("SELECT item_id, reviewer FROM reading_segments WHERE segment_id = $1")
                .bind(new.segment_id)
                .fetch_optional(self.connection())
                .await?;
        if let Some((item, reviewer)) = kept {
            return if item == new.item_id && reviewer == new.reviewer {
                Ok(())
            } else {
                Err(StoreError::refused(
                    "segment_reused",
                    format!(
                        "the segment {} belongs to another item or reviewer: make a new id; nothing was written",
                        new.segment_id
                    ),
                ))
            };
        }
        let now = self.now;
        sql::query(
            "INSERT INTO reading_segments (segment_id, process, item_id, reviewer, recorded_at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(new.segment_id)
        .bind(new.process)
        .bind(new.item_id)
        .bind(new.reviewer)
        .bind(now)
        .execute(self.connection())
        .await?;
        for (ordinal, (event, at)) in (0_i64..).zip(new.events) {
            sql::query("INSERT INTO reading_events (segment_id, ordinal, event, at_ms) VALUES ($1, $2, $3, $4)")
                .bind(new.segment_id)
                .bind(ordinal)
                .bind(*event)
                .bind(*at)
                .execute(self.connection())
                .await?;
        }
        Ok(())
    }

    /// Counts segments towards a decision.
    ///
    /// # Errors
    /// [`StoreError::Database`], also where one of them counted already.
    pub async fn count_segments(&mut self, decision_id: &str, segments: &[String]) -> Result<(), StoreError> {
        let now = self.now;
        for segment in segments {
            sql::query("INSERT INTO counted_segments (segment_id, decision_id, recorded_at) VALUES ($1, $2, $3)")
                .bind(segment)
                .bind(decision_id)
                .bind(now)
                .execute(self.connection())
                .await?;
        }
        Ok(())
    }
}

/// The events of a reviewer's segments on an item that counted towards no decision yet, segment after segment.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn uncounted(
    connection: &mut Connection,
    item_id: &str,
    reviewer: &str,
) -> Result<Vec<EventRow>, StoreError> {
    let sql = format!(
        "{EVENTS} WHERE s.item_id = $1 AND s.reviewer = $2 AND c.decision_id IS NULL ORDER BY s.number, e.ordinal"
    );
    Ok(sql::query_as(sql)
        .bind(item_id)
        .bind(reviewer)
        .fetch_all(connection)
        .await?)
}

/// Every event of the segments after a number, up to so many segments; of one field where one is named.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn events(
    connection: &mut Connection,
    field: Option<&str>,
    after: i64,
    segments: i64,
) -> Result<Vec<EventRow>, StoreError> {
    let sql = format!(
        "{EVENTS} WHERE s.number IN (SELECT n.number FROM reading_segments n JOIN items m ON m.item_id = n.item_id \
         WHERE n.number > $1 AND ($2 IS NULL OR m.field = $2) ORDER BY n.number LIMIT $3) ORDER BY s.number, e.ordinal"
    );
    Ok(sql::query_as(sql)
        .bind(after)
        .bind(field)
        .bind(segments)
        .fetch_all(connection)
        .await?)
}

/// How many segments counted towards a decision.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn counted(connection: &mut Connection, decision_id: &str) -> Result<i64, StoreError> {
    Ok(
        sql::query_scalar("SELECT count(*) FROM counted_segments WHERE decision_id = $1")
            .bind(decision_id)
            .fetch_one(connection)
            .await?,
    )
}
