//! Sweeps, alarms and the arithmetic of sampling, as they cross.
//!
//! Drifted, superseded and carried are three numbers, and no key adds them up.
//!
//! Deliberately not here: what a class means (`pincite_core::sweep`).

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// A sweep: what it found so far, or at its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SweepView {
    /// Its id.
    pub sweep_id: String,
    /// baseline, or `after_reindex`.
    pub kind: String,
    /// Whether it went through everything. One that did not goes on where it stopped.
    pub complete: bool,
    /// The day on which the registry was asked.
    pub valid_at: String,
    /// Who runs it.
    pub who: String,
    /// When it began.
    pub started_at: String,
    /// Versions of documents.
    pub versions: u64,
    /// Citations.
    pub checked: u64,
    /// The six checks.
    pub by_check: SweepChecks,
    /// Citations whose quote stands where it is cited, and that nothing replaced.
    pub intact: u64,
    /// Of the same bytes, and not where they are cited.
    pub drifted: DriftedCount,
    /// Replaced by a later revision; pinned to the bytes they were made from.
    pub superseded: Counted,
    /// Of another revision whose section says the same.
    pub carried: Counted,
    /// Bytes, layer or offsets are not to be had.
    pub unresolved: Counted,
    /// How many of the drifted ones only a person can place: they stand at several places, or nowhere.
    pub for_review: u64,
    /// The same by family of documents.
    pub families: Vec<FamilyDrift>,
    /// Alarms that it rang.
    pub alarms: Vec<AlarmView>,
    /// How long its last go took; null of one that is not complete.
    pub seconds: Option<f64>,
}

/// A count by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Counted {
    /// So many.
    pub n: u64,
}

/// What drifted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DriftedCount {
    /// So many: those that stand at one other place, at several, or nowhere.
    pub n: u64,
    /// Those that stand at one other place, by how far they moved in code points.
    pub shifts: BTreeMap<i64, u64>,
}

/// How many passed a check, of those for which it could be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CheckCount {
    /// So many passed.
    pub passed: u64,
    /// So many failed.
    pub failed: u64,
}

/// The six checks of a sweep.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SweepChecks {
    /// Bytes, layer and offsets are to be had.
    pub resolves: CheckCount,
    /// The span lies in its layer.
    pub in_bounds: CheckCount,
    /// The default layer holds the quote where it is cited.
    pub quote_match: CheckCount,
    /// What is cited is in force; what nobody registered is in neither count.
    pub version: CheckCount,
    /// Always null: no model is installed, so entailment was not run.
    pub entailment: Option<CheckCount>,
    /// Sentences of answers that claim something, with and without a citation; null of a sweep that is not complete.
    pub coverage: Option<CheckCount>,
}

/// How a family of documents fares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FamilyDrift {
    /// The class that the registry gives; unregistered where it has none.
    pub family: String,
    /// Citations.
    pub checked: u64,
    /// Of these, those whose quote was looked for in the same bytes.
    pub of_same_bytes: u64,
    /// And not found where it should be.
    pub drifted: u64,
    /// Replaced by a later revision.
    pub superseded: u64,
    /// Of another revision that says the same.
    pub carried: u64,
}

/// What a sweep says of a citation that is not simply intact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FindingView {
    /// Where it stands in the list.
    #[ts(type = "number")]
    pub number: i64,
    /// The citation: a record's by its id, an answer's as `ANSWER#CLAIM.PLACE`.
    pub id: String,
    /// The document.
    pub doc_id: String,
    /// The bytes.
    pub doc_sha256: String,
    /// drifted, superseded, carried, unresolved; or intact, of a revision that is not in force.
    pub class: String,
    /// What became of a drifted quote: moved, ambiguous or lost. Else why: superseded, removed, draft, or what does not resolve.
    pub reason: Option<String>,
    /// What the registry says.
    pub standing: String,
    /// First code point: where the quote stands now if it moved, else as it is cited; null where it stands at no one place.
    #[ts(type = "number | null")]
    pub start: Option<i64>,
    /// The code point after the last one.
    #[ts(type = "number | null")]
    pub end: Option<i64>,
    /// How far it moved, in code points.
    #[ts(type = "number | null")]
    pub shift: Option<i64>,
}

/// A sentence of an answer that claims something and cites nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct UncitedView {
    /// The answer.
    pub answer: String,
    /// The claim, from 1.
    pub claim: u32,
    /// What it says.
    pub sentence: String,
}

/// A rate that passed its limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AlarmView {
    /// Its id.
    pub alarm_id: String,
    /// inline, `after_reindex` or baseline.
    pub kind: String,
    /// The family of documents.
    pub family: String,
    /// So many drifted.
    pub drifted: u64,
    /// Of so many.
    pub checked: u64,
    /// The share.
    pub share: f64,
    /// The share that it passed.
    pub limit: f64,
    /// The sweep that found it; null of what was checked as it came.
    pub sweep_id: Option<String>,
    /// When it rang.
    pub recorded_at: String,
    /// Who took note of it; null while nobody did.
    pub acknowledged_by: Option<String>,
    /// Why that is enough.
    pub why: Option<String>,
    /// When.
    pub acknowledged_at: Option<String>,
}

/// What reading a sample by hand would find, and what the last sweep found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SampleView {
    /// Citations that are read.
    pub read: f64,
    /// Of these, affected ones.
    pub affected: f64,
    /// Of these, noticed ones.
    pub flags: f64,
    /// Hours of reading.
    pub hours: f64,
    /// The chance that nobody notices any of the affected ones.
    pub missed_probability: f64,
    /// The last sweep that went through everything; null where there is none.
    pub last_sweep: Option<LastSweepView>,
}

/// What a sweep found, for comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LastSweepView {
    /// Its id.
    pub sweep_id: String,
    /// When it began.
    pub started_at: String,
    /// Citations that it checked: all.
    pub checked: u64,
    /// Those that drifted.
    pub drifted: u64,
    /// How long it worked.
    pub seconds: f64,
}
