//! Times to decision: keeping what windows log, deriving wall and active time from it, exporting both.
//!
//! A stretch in which an item stood painted is kept when the item is left, or with the decision; all that counted towards
//! no decision yet counts towards the next one of the same reviewer on the item. A stretch that a window took with it, say
//! in a crash, is not counted: no time is better than an invented one.
//!
//! Deliberately not here: the rule (`pincite-core::queue::reading_time`), and medians or floors.

use crate::documents::count;
use crate::error::AppError;
use crate::times;
use crate::wire::{DecisionTime, LoggedEvent, ReadingEventKind, ReadingSegment};
use crate::workspace::Workspace;
use pincite_core::queue::{ReadingEvent, Spent, TimedEvent, spent};
use pincite_store::decisions;
use pincite_store::reading_times::{self, EventRow, NewSegment};
use pincite_store::{Connection, Writing};

/// More events than a segment of a whole day has.
const MOST_EVENTS: usize = 20_000;
/// Rows read at a time by an export.
const AT_A_TIME: i64 = 500;

/// What was spent on an item, and on which segments.
pub(crate) struct Uncounted {
    pub(crate) segments: Vec<String>,
    /// None where no window saw the item.
    pub(crate) spent: Option<Spent>,
}

const fn event(kind: ReadingEventKind) -> ReadingEvent {
    match kind {
        ReadingEventKind::Painted => ReadingEvent::Painted,
        ReadingEventKind::Focused => ReadingEvent::Focused,
        ReadingEventKind::Blurred => ReadingEvent::Blurred,
        ReadingEventKind::Visible => ReadingEvent::Visible,
        ReadingEventKind::Hidden => ReadingEvent::Hidden,
        ReadingEventKind::Idle => ReadingEvent::Idle,
        ReadingEventKind::Returned => ReadingEvent::Returned,
        ReadingEventKind::Left => ReadingEvent::Left,
        ReadingEventKind::Decided => ReadingEvent::Decided,
    }
}

/// Keeps a segment of an item that was left undecided.
///
/// # Errors
/// Events that are no segment, an unknown item; the store.
pub async fn keep(workspace: &Workspace, item: &str, segment: &ReadingSegment, reviewer: &str) -> Result<(), AppError> {
    workspace.ensure_reviewer(reviewer).await?;
    let mut write = workspace.store.write().await?;
    let now = write.now;
    if pincite_store::items::item(write.connection(), now, item)
        .await?
        .is_none()
    {
        return Err(AppError::not_found(format!(
            "there is no item {item}; `pincite queue list` names them"
        )));
    }
    keep_in(&mut write, item, std::slice::from_ref(segment), reviewer).await?;
    Ok(write.commit().await?)
}

/// Keeps segments within a write.
pub(crate) async fn keep_in(
    write: &mut Writing,
    item: &str,
    segments: &[ReadingSegment],
    reviewer: &str,
) -> Result<(), AppError> {
    for segment in segments {
        let named = |what: String| AppError::bad_input(format!("reading segment {}: {what}", segment.segment));
        if segment.segment.trim().is_empty() || segment.segment.len() > 200 || segment.process.len() > 200 {
            return Err(named("its id and its process have 1 to 200 bytes".into()));
        }
        if segment.events.len() > MOST_EVENTS {
            return Err(named(format!(
                "it has {} events, at most {MOST_EVENTS}",
                segment.events.len()
            )));
        }
        let timed: Vec<TimedEvent> = segment
            .events
            .iter()
            .map(|one| TimedEvent {
                at: one.at,
                event: event(one.event),
            })
            .collect();
        spent(&timed).map_err(|error| named(error.to_string()))?;
        let rows = timed
            .iter()
            .map(|one| Ok((one.event.name(), i64::try_from(one.at)?)))
            .collect::<Result<Vec<_>, std::num::TryFromIntError>>()
            .map_err(|_| named("its times are beyond any clock".into()))?;
        let new = NewSegment {
            segment_id: &segment.segment,
            process: &segment.process,
            item_id: item,
            reviewer,
            events: &rows,
        };
        write.keep_segment(&new).await?;
    }
    Ok(())
}

/// What a reviewer spent on an item since the last decision that time was counted towards.
pub(crate) async fn uncounted(connection: &mut Connection, item: &str, reviewer: &str) -> Result<Uncounted, AppError> {
    let rows = reading_times::uncounted(connection, item, reviewer).await?;
    let mut segments = Vec::new();
    let mut sum: Option<Spent> = None;
    for segment in rows.chunk_by(|one, other| one.number == other.number) {
        segments.extend(segment.first().map(|row| row.segment_id.clone()));
        sum = Some(sum.unwrap_or_default() + spent_on(segment)?);
    }
    Ok(Uncounted { segments, spent: sum })
}

fn spent_on(segment: &[EventRow]) -> Result<Spent, AppError> {
    let damaged = |row: &EventRow| AppError::internal(format!("the workspace is damaged: segment {}", row.segment_id));
    let events = segment
        .iter()
        .map(|row| {
            let at = u64::try_from(row.at_ms).map_err(|_| damaged(row))?;
            let event = ReadingEvent::named(&row.event).ok_or_else(|| damaged(row))?;
            Ok(TimedEvent { at, event })
        })
        .collect::<Result<Vec<_>, AppError>>()?;
    spent(&events).map_err(|error| AppError::internal(format!("the workspace is damaged: {error}")))
}

/// The time of every decision, in the order made; of one field where one is named. Each is handed on as it is read.
///
/// # Errors
/// The store; what `each` answers.
pub async fn decision_times<E: From<AppError>>(
    workspace: &Workspace,
    field: Option<&str>,
    mut each: impl FnMut(DecisionTime) -> Result<(), E>,
) -> Result<(), E> {
    let mut reading = workspace.store.read().await.map_err(AppError::from)?;
    let mut after = 0;
    loop {
        let rows = decisions::decisions(&mut reading, after, AT_A_TIME)
            .await
            .map_err(AppError::from)?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.decision.number;
        for placed in rows
            .iter()
            .filter(|placed| field.is_none_or(|field| placed.field == field))
        {
            let decision = &placed.decision;
            let segments = reading_times::counted(&mut reading, &decision.decision_id)
                .await
                .map_err(AppError::from)?;
            each(DecisionTime {
                decision: decision.decision_id.clone(),
                item: decision.item_id.clone(),
                doc_id: placed.doc_id.clone(),
                doc_sha256: placed.doc_sha256.clone(),
                field: placed.field.clone(),
                reviewer: decision.reviewer.clone(),
                kind: decision.kind.clone(),
                recorded_at: times::text(decision.recorded_at),
                segments: count(segments),
                wall_milliseconds: decision.wall_ms.map(count),
                active_milliseconds: decision.active_ms.map(count),
            })?;
        }
    }
}

/// Every logged event, segment after segment in the order kept; of one field where one is named.
///
/// # Errors
/// The store; what `each` answers.
pub async fn logged_events<E: From<AppError>>(
    workspace: &Workspace,
    field: Option<&str>,
    mut each: impl FnMut(LoggedEvent) -> Result<(), E>,
) -> Result<(), E> {
    let mut reading = workspace.store.read().await.map_err(AppError::from)?;
    let mut after = 0;
    loop {
        let rows = reading_times::events(&mut reading, field, after, AT_A_TIME)
            .await
            .map_err(AppError::from)?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.number;
        for row in rows {
            each(LoggedEvent {
                segment: row.segment_id,
                ordinal: count(row.ordinal),
                event: row.event,
                at_milliseconds: row.at_ms,
                process: row.process,
                item: row.item_id,
                field: row.field,
                reviewer: row.reviewer,
                decision: row.decision_id,
                recorded_at: times::text(row.recorded_at),
            })?;
        }
    }
}
