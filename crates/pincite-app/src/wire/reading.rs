//! What a window logs while an item stands on its screen, and the times that follow from it.
//!
//! Deliberately not here: dates within a segment; they jump, a process's own clock does not.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What happened, as far as time is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(rename_all = "snake_case")]
pub enum ReadingEventKind {
    /// The item is on the screen; the window is focused and seen, its reader present, unless the next events of the same
    /// time say otherwise.
    Painted,
    /// The window got the focus.
    Focused,
    /// Another window has it.
    Blurred,
    /// The window can be seen.
    Visible,
    /// It can't.
    Hidden,
    /// The last input was sixty seconds ago.
    Idle,
    /// Input after that.
    Returned,
    /// The item is no longer on the screen; nothing was decided.
    Left,
    /// The decision was made.
    Decided,
}

/// An event with its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReadingEvent {
    /// Milliseconds of the window's monotonic clock.
    #[ts(type = "number")]
    pub at: u64,
    /// What happened.
    pub event: ReadingEventKind,
}

/// A stretch in which an item stood painted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReadingSegment {
    /// Made by the window, one for each stretch: sending it twice keeps it once.
    pub segment: String,
    /// The window's process.
    pub process: String,
    /// Painted first, left or decided last.
    pub events: Vec<ReadingEvent>,
}

/// The time that a decision took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionTime {
    /// The decision.
    pub decision: String,
    /// The item.
    pub item: String,
    /// The logical document.
    pub doc_id: String,
    /// The bytes.
    pub doc_sha256: String,
    /// The field.
    pub field: String,
    /// Who decided.
    pub reviewer: String,
    /// accept, correct, reject, abstain or undo.
    pub kind: String,
    /// When.
    pub recorded_at: String,
    /// Stretches in which the item stood painted before it.
    pub segments: u32,
    /// Milliseconds of all of them; null where no window saw it, never 0.
    pub wall_milliseconds: Option<u32>,
    /// Of these, active ones.
    pub active_milliseconds: Option<u32>,
}

/// A logged event with where it belongs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedEvent {
    /// The segment.
    pub segment: String,
    /// From 0 within the segment.
    pub ordinal: u32,
    /// What happened.
    pub event: String,
    /// Milliseconds of the process's monotonic clock.
    pub at_milliseconds: i64,
    /// The window's process.
    pub process: String,
    /// The item.
    pub item: String,
    /// The field.
    pub field: String,
    /// Who sat there.
    pub reviewer: String,
    /// The decision that the segment counted towards; null where none did yet.
    pub decision: Option<String>,
    /// When the segment was kept.
    pub recorded_at: String,
}
