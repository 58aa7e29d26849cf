//! The figures that are watched, each with what it is counted from, and what stands behind one.
//!
//! Deliberately not here: a share where nothing was counted. Nothing is null, never 0 or 1.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// So many of so many.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WatchFigure {
    /// How many passed.
    pub passed: u32,
    /// Of how many.
    pub of: u32,
    /// The share that passed; null where there is nothing to pass.
    pub share: Option<f64>,
}

/// The error in one bin of confidence, `[from, to)`, the last one closed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WatchBin {
    /// From this confidence.
    pub from: f64,
    /// To this one.
    pub to: f64,
    /// Labels.
    pub n: u32,
    /// The weighted share that was wrong; null where the bin is empty.
    pub error: Option<f64>,
}

/// The errors of one curve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WatchErrors {
    /// The field.
    pub field: String,
    /// Its title.
    pub title: String,
    /// The extractor's model.
    pub model: String,
    /// Its prompt version.
    pub prompt_version: String,
    /// present or absent.
    pub of: String,
    /// From the lowest confidence up.
    pub bins: Vec<WatchBin>,
}

/// Open items of one age, by when they are due.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueAge {
    /// How long they have been in the queue: under_1_day, under_3_days, under_7_days or from_7_days.
    pub age: String,
    /// Past their due time.
    pub past_due: u32,
    /// Due within a day.
    pub within_1_day: u32,
    /// Due within three, not within one.
    pub within_3_days: u32,
    /// Due later.
    pub later: u32,
    /// Without a due time.
    pub no_due_time: u32,
}

/// The queue against its due times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WatchQueue {
    /// Open items.
    pub open: u32,
    /// Of these, with a due time.
    pub with_due_time: u32,
    /// Of these, past it.
    pub past_due: u32,
    /// When the oldest open one was queued.
    pub oldest_at: Option<String>,
    /// By age, the youngest first; always the same four.
    pub ages: Vec<QueueAge>,
}

/// Everything that is watched.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WatchView {
    /// Of this field; null for all.
    pub field: Option<String>,
    /// Every field that a record has, by name.
    pub fields: Vec<String>,
    /// Citations of records whose bytes, layer and span are here, by the last check. All of them should be.
    pub citations_resolving: WatchFigure,
    /// Citations of records that passed every check when they came in, before anybody reviewed.
    pub quotes_verified: WatchFigure,
    /// Answers of "not stated" that the reviewer agreed with, of those decided.
    pub abstentions_agreed: WatchFigure,
    /// By curve, those that have a label.
    pub errors: Vec<WatchErrors>,
    /// The queue's age against due times.
    pub queue_age: WatchQueue,
}

/// Something behind a figure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WatchLine {
    /// Whether it speaks against the figure; those that do come first.
    pub failing: bool,
    /// The logical document.
    pub doc_id: String,
    /// The bytes it speaks of.
    pub doc_sha256: String,
    /// The field.
    pub field: String,
    /// The record: its citations are the evidence.
    pub record_id: String,
    /// The citation, where it is one.
    pub citation: Option<String>,
    /// The item, where it is one or a decision on one.
    pub item: Option<String>,
    /// The decision, where it is one.
    pub decision: Option<String>,
    /// verified or failed; what was decided; or open.
    pub state: Option<String>,
    /// The check that failed, or the reason of the decision.
    pub reason: Option<String>,
    /// When it is due.
    pub due_at: Option<String>,
    /// When it came: was imported, decided or queued.
    pub recorded_at: String,
}
