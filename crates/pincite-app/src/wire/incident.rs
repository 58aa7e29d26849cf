//! Incidents of hasty accepts, and what keeping or voiding one does to the curves.
//!
//! Deliberately not here: a reviewer's pace as such; it is theirs to see.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What somebody made of an incident.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(rename_all = "snake_case")]
pub enum IncidentState {
    /// Nothing yet: its labels count nowhere.
    Open,
    /// They count again.
    Kept,
    /// They never will.
    Voided,
}

/// A decision in an incident's window.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct IncidentDecision {
    /// Its id.
    pub decision: String,
    /// Its item.
    pub item: String,
    /// The logical document.
    pub doc_id: String,
    /// The field.
    pub field: String,
    /// The candidate that was seen: its citations are the evidence.
    pub record_id: String,
    /// accept, correct, reject, abstain or undo.
    pub kind: String,
    /// Active milliseconds from painted to decided; null where no window saw it.
    pub active_milliseconds: Option<u32>,
    /// The field's floor when it was made; null where it has no time.
    pub floor_milliseconds: Option<u32>,
    /// When.
    pub recorded_at: String,
    /// Whether the item still rests on it.
    pub standing: bool,
}

/// A run of accepts under the floor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct IncidentView {
    /// Its id: that of its first decision.
    pub incident: String,
    /// Who decided.
    pub reviewer: String,
    /// What somebody made of it.
    pub state: IncidentState,
    /// When it was found.
    pub opened_at: String,
    /// How many accepts under the floor it holds.
    pub accepts: u32,
    /// Every decision in its window, in order.
    pub decisions: Vec<IncidentDecision>,
    /// Who resolved it.
    pub resolved_by: Option<String>,
    /// When.
    pub resolved_at: Option<String>,
    /// Why.
    pub why: Option<String>,
}

/// Labels of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabelCount {
    /// How many.
    pub n: u32,
    /// The weighted share that was right; null where there are none.
    pub right: Option<f64>,
}

/// What a resolution does to one curve that the incident's decisions label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CurveEffect {
    /// The field.
    pub field: String,
    /// The extractor's model.
    pub model: String,
    /// Its prompt version.
    pub prompt_version: String,
    /// present or absent.
    pub of: String,
    /// The labels before.
    pub before: LabelCount,
    /// The labels after.
    pub after: LabelCount,
}

/// Where times lie, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SpreadView {
    /// The shortest.
    pub least: u32,
    /// A quarter are at most this.
    pub lower_quartile: u32,
    /// Half are at most this.
    pub median: u32,
    /// Three quarters are at most this.
    pub upper_quartile: u32,
    /// The longest.
    pub greatest: u32,
}

/// How long decisions on a field take: what the times of an incident are held against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FieldTimes {
    /// The field.
    pub field: String,
    /// Its title.
    pub title: String,
    /// Active milliseconds, in the order made.
    pub times: Vec<u32>,
    /// Whether they are the field's baseline, frozen for ever; else what is gathered for it so far.
    pub frozen: bool,
    /// How many times make a baseline.
    pub wanted: u32,
    /// Where they lie; null where there are none.
    pub spread: Option<SpreadView>,
    /// The floor that holds now.
    pub floor_milliseconds: u32,
}

/// An incident with what resolving it would do now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct IncidentDetail {
    /// The incident.
    #[serde(flatten)]
    pub incident: IncidentView,
    /// The curves it touches, if it were kept.
    pub if_kept: Vec<CurveEffect>,
    /// The same, if it were voided.
    pub if_voided: Vec<CurveEffect>,
    /// How long decisions on its fields take, by field.
    pub field_times: Vec<FieldTimes>,
}

/// An incident that was resolved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct IncidentResolved {
    /// The incident.
    #[serde(flatten)]
    pub incident: IncidentView,
    /// The curves it touches, before and after.
    pub effect: Vec<CurveEffect>,
}
