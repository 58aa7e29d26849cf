//! Taking documents and records in.
//!
//! Deliberately not here: a record's content; `record show` answers that.

use super::evidence::CitationState;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(rename_all = "snake_case")]
pub enum IngestOutcome {
    /// New here.
    Added,
    /// These bytes were here under this document.
    Known,
    /// It can't be taken in; nothing of it is left.
    Refused,
}

/// One file taken in or refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct IngestedFile {
    /// Where it was read.
    pub path: String,
    /// What became of it.
    pub outcome: IngestOutcome,
    /// The logical document.
    pub doc_id: Option<String>,
    /// SHA-256 of the bytes.
    pub doc_sha256: Option<String>,
    /// Default layer.
    pub layer_sha256: Option<String>,
    /// Default structure.
    pub structure_id: Option<String>,
    /// How many pages.
    pub pages: u32,
    /// Code points in the layer.
    pub chars: u32,
    /// Code points with a box.
    pub boxed: u32,
    /// Pages with a picture and no text.
    pub scanned_pages: Vec<u32>,
    /// Pages whose text can't be trusted.
    pub untrusted_pages: Vec<u32>,
    /// Why it was refused, or what is to be said of it.
    pub reason: Option<String>,
    /// Whether a password would help.
    pub password_needed: bool,
    /// Whether it is in quarantine: `--try-again` would help.
    pub quarantined: bool,
}

/// What became of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(rename_all = "snake_case")]
pub enum RecordOutcome {
    /// Waits for a person.
    Queued,
    /// May be shown.
    Shown,
    /// May be shown with a badge.
    Flagged,
    /// "Not stated in the document."
    Abstained,
    /// The line is no record at all.
    Refused,
}

/// A citation of an imported record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ImportedCitation {
    /// Whether it holds.
    pub state: CitationState,
    /// Why not.
    pub reason: Option<String>,
    /// Whether Pincite filled the offsets in.
    pub placed: bool,
    /// What came of looking for its place: placed, ambiguous, not_found; none where there was no need.
    pub placing: Option<String>,
}

/// One line of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ImportedRecord {
    /// Line of the file, from 1.
    pub line: u64,
    /// The record's id.
    pub record_id: Option<String>,
    /// What became of it.
    pub outcome: RecordOutcome,
    /// Whether the same record was here before; it stays as it was.
    pub known: bool,
    /// Why it was queued or refused.
    pub reason: Option<String>,
    /// The item it is on.
    pub item: Option<String>,
    /// Its citations.
    pub citations: Vec<ImportedCitation>,
}

/// Counts of an import.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ImportCounts {
    /// Files added.
    pub added: u32,
    /// Files known already.
    pub known: u32,
    /// Files refused.
    pub refused_files: u32,
    /// Lines read.
    pub lines: u32,
    /// Records that wait for a person.
    pub queued: u32,
    /// Records that may be shown.
    pub shown: u32,
    /// Records that may be shown with a badge.
    pub flagged: u32,
    /// Records that say "not stated".
    pub abstained: u32,
    /// Lines that are no record.
    pub refused_lines: u32,
    /// Citations verified as given.
    pub verified: u32,
    /// Citations whose offsets Pincite found.
    pub placed: u32,
    /// Quotes with more than one place.
    pub ambiguous: u32,
    /// Quotes with none.
    pub not_found: u32,
    /// Citations that do not hold, whatever came of placing them.
    pub failed: u32,
    /// Revisions registered.
    pub registered: u32,
}

/// How far an import is. Sent as the event `import-progress`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ImportProgress {
    /// Which import.
    pub import: String,
    /// What is being read.
    pub file: String,
    /// Work done, in `total`'s unit (bytes).
    pub done: u64,
    /// Work in all.
    pub total: u64,
    /// What came of it so far.
    pub counts: ImportCounts,
    /// Lines for a person: files and lines refused, with the reason.
    pub findings: Vec<String>,
    /// Over, and how.
    pub state: ImportState,
    /// The file that wants a password, where the import ended for that.
    pub password_for: Option<String>,
    /// The files in quarantine, which somebody may say to try again.
    pub quarantined: Vec<String>,
}

/// Whether an import still runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(rename_all = "snake_case")]
pub enum ImportState {
    /// At work.
    Running,
    /// Done.
    Done,
    /// Cancelled; what was reported as taken in stays.
    Cancelled,
    /// Ended by an error; the last finding says which.
    Failed,
}
