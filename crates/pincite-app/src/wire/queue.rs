//! The queue, an item with its candidate, decisions.
//!
//! Deliberately not here: confidence and model before a decision is made; reviewers are blind to them.

use super::SignatureRequest;
use super::evidence::CitationView;
use super::reading::ReadingSegment;
use super::second_review::AdjudicationView;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// An open item as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueItem {
    /// Its id.
    pub item: String,
    /// Counts its changes.
    pub item_version: i64,
    /// The logical document.
    pub doc_id: String,
    /// The bytes.
    pub doc_sha256: String,
    /// The field.
    pub field: String,
    /// Why: schema_violation, conflicting, unverified_citation, check_value (blind: a second review too), or adjudication.
    pub reason: String,
    /// Whether a wrong value disqualifies.
    pub hard: bool,
    /// When it is due.
    pub due_at: Option<String>,
    /// When it was queued.
    pub created_at: String,
    /// Who holds it.
    pub held_by: Option<String>,
    /// Until when.
    pub held_until: Option<String>,
    /// Who put it off for later; it is nobody's next until somebody claims it by its id.
    pub held_for_later_by: Option<String>,
    /// When.
    pub held_for_later_at: Option<String>,
    /// Why.
    pub hold_note: Option<String>,
    /// The document's title.
    pub title: String,
    /// The locator of its first citation; none while this reviewer has to enter a value before seeing the candidate.
    pub locator: Option<String>,
}

/// What part of the queue is wanted; everything by default.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(default)]
pub struct QueueFilter {
    /// Only what the reviewer holds now.
    pub mine: bool,
    /// Only hard fields.
    pub hard: bool,
    /// Only what is past its due time.
    pub overdue: bool,
    /// Only this field.
    pub field: Option<String>,
    /// Only this logical document.
    pub doc_id: Option<String>,
}

/// How much a filter leaves, and what can be filtered by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueChoicesView {
    /// Open items that the filter leaves.
    pub matching: u32,
    /// Fields of all open items, by name.
    pub fields: Vec<QueueChoice>,
    /// Logical documents of all open items, by name.
    pub documents: Vec<QueueChoice>,
}

/// A field or a document that open items have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueChoice {
    /// Its name.
    pub name: String,
    /// How many open items it has.
    pub items: u32,
}

/// A value as typed, read as the field's type says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ValueCheckView {
    /// The value as it would be kept; null where it is none.
    #[ts(type = "unknown")]
    pub value: Value,
    /// The same in words; empty where it is none.
    pub text: String,
    /// What is wrong and what is wanted, in one line; none where the value holds.
    pub trouble: Option<String>,
}

/// What one passage of a conflict says, where the record tells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PassageValue {
    /// The value.
    #[ts(type = "unknown")]
    pub value: Value,
    /// The value in words.
    pub text: String,
}

/// Counts of the queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct QueueStats {
    /// Open items.
    pub open: u32,
    /// Of these, hard ones.
    pub hard: u32,
    /// Of these, past due.
    pub overdue: u32,
    /// Of these, held now.
    pub held: u32,
    /// Of these, held for later.
    pub held_for_later: u32,
    /// Decided items.
    pub decided: u32,
    /// Decisions that wait for a second review, whoever may do it.
    pub second_reviews: u32,
    /// Items about which two reviewers differ, and which wait for a third.
    pub adjudications: u32,
    /// Of these, those for which no third reviewer is known here.
    pub without_a_third: u32,
    /// When the oldest open one was queued.
    pub oldest_at: Option<String>,
    /// Who holds what until when.
    pub holds: Vec<Hold>,
    /// This reviewer's decisions since local midnight.
    pub decided_today: u32,
    /// Median milliseconds of these, where windows timed them.
    pub median_milliseconds: Option<u32>,
}

/// Somebody holds an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Hold {
    /// The item.
    pub item: String,
    /// Who.
    pub held_by: String,
    /// Until when.
    pub held_until: String,
}

/// A lease.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct Claim {
    /// The item.
    pub item: String,
    /// Its version when claimed.
    pub item_version: i64,
    /// The fencing token.
    pub token: i64,
    /// When the lease runs out.
    pub expires_at: String,
}

/// What kind of value a field has, for its editor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FieldSchemaView {
    /// The field's name.
    pub field: String,
    /// Its title.
    pub title: String,
    /// What a reviewer should mind.
    pub guidance: String,
    /// money, quantity, number, date, enumeration, boolean, text, list; none where the catalogue does not know it.
    pub kind: Option<String>,
    /// The unit, where it has one.
    pub unit: Option<String>,
    /// The values of an enumeration.
    pub values: Vec<String>,
    /// Whether a wrong value disqualifies.
    pub hard: bool,
}

/// A candidate, blind: neither confidence nor model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CandidateView {
    /// The record.
    pub record_id: String,
    /// present, absent or conflicting.
    pub status: String,
    /// The value as extracted.
    #[ts(type = "unknown")]
    pub value: Value,
    /// The value in words.
    pub value_text: String,
    /// What breaks the schema, in sentences.
    pub violations: Vec<String>,
    /// Its citations, in order.
    pub citations: Vec<CitationView>,
    /// Of a conflict, what each citation says, in the same order; empty where the record doesn't tell them apart.
    pub passage_values: Vec<PassageValue>,
    /// When it was imported.
    pub recorded_at: String,
}

/// Something that happened to an item, in words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct HistoryLine {
    /// When.
    pub at: String,
    /// What.
    pub text: String,
}

/// An item with all a reviewer needs to decide.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ItemView {
    /// The item.
    pub item: QueueItem,
    /// The field.
    pub schema: FieldSchemaView,
    /// The candidate to decide on; none while this reviewer has to enter a value before seeing it.
    pub candidate: Option<CandidateView>,
    /// What this reviewer entered before seeing it.
    pub entry: Option<BlindEntryView>,
    /// What two others say who differ, where this reviewer settles it.
    pub adjudication: Option<AdjudicationView>,
    /// Later candidates for the same field: "a newer extraction says ...".
    pub newer: Vec<CandidateView>,
    /// The item's history; decisions of others are not in it before one's own.
    pub history: Vec<HistoryLine>,
}

/// A value that was entered before the candidate was seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct BlindEntryView {
    /// The value; null where the document states none.
    #[ts(type = "unknown")]
    pub value: Value,
    /// The same in words.
    pub text: String,
    /// Whether it is the same fact as what the candidate says.
    pub equals_candidate: bool,
    /// When.
    pub recorded_at: String,
}

/// A value to enter before the candidate is seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EnterRequest {
    /// The item.
    pub item: String,
    /// The item's version that is open.
    pub item_version: i64,
    /// The lease's token.
    pub token: i64,
    /// The value; null where the document states none.
    #[ts(type = "unknown")]
    pub value: Value,
}

/// What a reviewer says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Verdict {
    /// The candidate is the true value.
    Accept,
    /// The true value is another.
    Correct {
        /// The true value.
        #[ts(type = "unknown")]
        value: Value,
    },
    /// The candidate is wrong; the true value is not established.
    Reject {
        /// Why.
        reason: String,
    },
    /// The true value is "not stated".
    Abstain {
        /// Why.
        reason: String,
    },
}

/// A decision to make.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DecideRequest {
    /// The item.
    pub item: String,
    /// The item's version that was looked at.
    pub item_version: i64,
    /// The lease's token.
    pub token: i64,
    /// Made by the caller, one for each decision: saying it twice decides once.
    pub key: String,
    /// The record that was looked at; none: the item's own.
    pub record_id: Option<String>,
    /// What is decided.
    pub verdict: Verdict,
    /// Free text.
    pub note: Option<String>,
    /// What the window logged while the item stood on its screen and was not kept yet; empty where no window saw it.
    #[serde(default)]
    pub segments: Vec<ReadingSegment>,
    /// The reviewer's signature, where they give one.
    #[serde(default)]
    pub signature: Option<SignatureRequest>,
}

/// A decision that was made. What was blind is shown now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DecisionView {
    /// Its id.
    pub decision: String,
    /// The item.
    pub item: String,
    /// When.
    pub recorded_at: String,
    /// accept, correct, reject, abstain or undo.
    pub kind: String,
    /// Who.
    pub reviewer: String,
    /// The logical document.
    pub doc_id: String,
    /// The bytes.
    pub doc_sha256: String,
    /// The field.
    pub field: String,
    /// The true value stated, where one was.
    #[ts(type = "unknown")]
    pub value: Value,
    /// Why, of reject and abstain.
    pub reason: Option<String>,
    /// Free text.
    pub note: Option<String>,
    /// The decision it replaces.
    pub replaces: Option<String>,
    /// Whether it holds: the item rests on it, or it is a second review that was not taken back.
    pub standing: bool,
    /// Whether it settled what two other reviewers differed about.
    pub adjudication: bool,
    /// Milliseconds from painted to decided; null where no window saw it.
    pub wall_milliseconds: Option<u32>,
    /// The candidate's confidence.
    pub confidence: Option<f64>,
    /// The candidate's model.
    pub model: String,
    /// Its prompt version.
    pub prompt_version: String,
}
