//! Answers with their claims and citations, what reviewers say of them, the rates, and index lag, as they cross.
//!
//! Deliberately not here: what a citation is worth (`registry`), which is the gate's word for all of them.

use super::{AsOfView, StandingView};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// What became of one line of answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ImportedAnswer {
    /// The line, from 1.
    pub line: u32,
    /// The answer; null where the line names none.
    pub answer_id: Option<String>,
    /// added, known or refused.
    pub outcome: String,
    /// Why it is refused; null where it is not.
    pub reason: Option<String>,
    /// How many citations it has.
    pub citations: u32,
    /// How many of these fail their check.
    pub failed: u32,
    /// How many are not current on the answer's own dates.
    pub stale: u32,
}

/// An answer in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AnswerSummary {
    /// The answer.
    pub answer_id: String,
    /// What was asked.
    pub question: String,
    /// When.
    pub asked_at: String,
    /// The day that it is about.
    pub valid_at: String,
    /// As known when; null where the question set no bound.
    pub known_at: Option<String>,
    /// What kind of question it is.
    pub class: String,
    /// Whether it reached a reader.
    pub delivered: bool,
    /// How many claims it has.
    pub claims: u32,
    /// How many citations these have together.
    pub citations: u32,
    /// When it came in.
    pub recorded_at: String,
}

/// An answer with all that it says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AnswerView {
    /// The answer.
    pub answer_id: String,
    /// What was asked.
    pub question: String,
    /// When.
    pub asked_at: String,
    /// The day that it is about.
    pub valid_at: String,
    /// As known when; null where the question set no bound.
    pub known_at: Option<String>,
    /// What answered: a text, or its parts by name; null where nobody said.
    #[ts(type = "unknown")]
    pub index_build: Value,
    /// What kind of question it is.
    pub class: String,
    /// Whether it reached a reader.
    pub delivered: bool,
    /// When it came in.
    pub recorded_at: String,
    /// What it claims, in order.
    pub claims: Vec<AnswerClaimView>,
    /// What each person said of it last, those that may be seen.
    pub labels: Vec<AnswerLabelView>,
    /// How many people's words are kept back until one has said one's own.
    pub labels_hidden: u32,
}

/// A claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AnswerClaimView {
    /// Its place, from 1.
    pub claim: u32,
    /// What it says.
    pub text: String,
    /// What it cites.
    pub citations: Vec<AnswerCitationView>,
}

/// A citation of a claim: whether it holds, and what it is worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AnswerCitationView {
    /// Its own id, where it has one.
    pub id: Option<String>,
    /// The document.
    pub doc_id: String,
    /// The cited bytes.
    pub doc_sha256: String,
    /// The layer that its offsets count in; null for the default one of these bytes.
    pub layer_sha256: Option<String>,
    /// The structure that its locator is of; null for the layer's default one.
    pub structure_id: Option<String>,
    /// Where the document says that it is.
    pub locator: Option<String>,
    /// Page, from 1.
    #[ts(type = "number | null")]
    pub page: Option<i64>,
    /// First code point.
    #[ts(type = "number | null")]
    pub char_start: Option<i64>,
    /// The code point after the last.
    #[ts(type = "number | null")]
    pub char_end: Option<i64>,
    /// The text as it was read.
    pub quote: String,
    /// Text right before it.
    pub prefix: Option<String>,
    /// Text right after it.
    pub suffix: Option<String>,
    /// verified or failed.
    pub state: String,
    /// The first check that failed.
    pub reason: Option<String>,
    /// What it is worth on the dates asked for.
    pub gate: StandingView,
}

/// What somebody says of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AnswerLabelView {
    /// Who.
    pub who: String,
    /// Whether it says what its passages say.
    pub faithful: bool,
    /// Whether that holds.
    pub correct: bool,
    /// superseded, `missed_exception`, `misread_table` or other, where it is faithful and wrong.
    pub cause: Option<String>,
    /// Why they say so.
    pub why: String,
    /// When.
    pub recorded_at: String,
}

/// What the gate says of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AnswerGateView {
    /// The answer.
    pub answer: String,
    /// pass, or block: a stale citation, and the gate is to block.
    pub decision: String,
    /// The day that was asked about.
    pub valid_at: String,
    /// As known when; null for all that is known.
    pub known_at: Option<String>,
    /// Its claims, in order.
    pub claims: Vec<GatedClaim>,
    /// Its stale citations, in order.
    pub stale: Vec<StaleCitation>,
}

/// How much of a claim is stale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct GatedClaim {
    /// Its place, from 1.
    pub claim: u32,
    /// How many citations it has.
    pub citations: u32,
    /// How many of these are stale.
    pub stale: u32,
}

/// A citation that does not pass the gate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StaleCitation {
    /// The claim, from 1.
    pub claim: u32,
    /// Its place in the claim, from 1.
    pub citation: u32,
    /// Its own id, where it has one.
    pub id: Option<String>,
    /// The document.
    pub doc_id: String,
    /// superseded, removed, withdrawn, `not_yet`, draft, `not_known` or unknown.
    pub standing: String,
    /// The first day on which it was in force no longer.
    pub since: Option<String>,
    /// What is in force in its place; null where the registry knows nothing of the section.
    pub in_force: Option<AsOfView>,
    /// Why it does not pass.
    pub reason: Option<String>,
}

/// Answers in the 2 x 2 of faithful and correct.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MatrixView {
    /// How many answers were asked in the time.
    pub answers: u32,
    /// Of these, how many nobody labelled.
    pub unlabelled: u32,
    /// How many people's labels differ of: these are in no cell.
    pub disputed: u32,
    /// Those that say what their passages say.
    pub faithful: MatrixRow,
    /// Those that do not.
    pub unfaithful: MatrixRow,
    /// Why the faithful ones are wrong.
    pub causes: MatrixCauses,
    /// How many of the superseded ones the gate calls stale, on their own dates.
    pub superseded_stale: u32,
    /// Of the faithful ones, the share that is wrong; null where there are none.
    pub wrong_of_faithful: Option<f64>,
    /// Of which answers people's labels differ.
    pub disagreements: Vec<LabelDisagreement>,
}

/// A row of the 2 x 2.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MatrixRow {
    /// What they say holds.
    pub correct: u32,
    /// It does not.
    pub wrong: u32,
}

/// Answers that are faithful and wrong, by cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MatrixCauses {
    /// The passage was not in force.
    pub superseded: u32,
    /// An exception in another section was missed.
    pub missed_exception: u32,
    /// A table was misread.
    pub misread_table: u32,
    /// Anything else.
    pub other: u32,
}

/// An answer of which people's labels differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LabelDisagreement {
    /// The answer.
    pub answer: String,
    /// What each person said last.
    pub labels: Vec<AnswerLabelView>,
}

/// Two series that are never added up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RatesView {
    /// Of the citations of answers asked that day, those that the gate found stale when they were asked.
    pub stale_cite: RateSeries,
    /// Of the answers that reached a reader, those that cite what is known not to hold on their day.
    pub delivered_wrong_version: RateSeries,
}

/// One of the two.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RateSeries {
    /// Of the whole time.
    pub found: u32,
    /// Of how many.
    pub of: u32,
    /// Null of nothing.
    pub share: Option<f64>,
    /// Days on which anything was counted.
    pub days: Vec<RateDay>,
    /// The newest of these days; null where there is none.
    pub newest: Option<String>,
    /// The share in the four weeks before it; null where too little was counted to say.
    pub baseline: Option<f64>,
    /// Whether the newest day lies above it by more than chance and the usual variation.
    pub alarm: bool,
    /// How likely so many or more are, were all days alike; null without an alarm.
    pub chance: Option<f64>,
}

/// A day of a series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RateDay {
    /// The day, where this program runs.
    pub day: String,
    /// Stale, or wrong.
    pub found: u32,
    /// Of how many.
    pub of: u32,
    /// Null of nothing.
    pub share: Option<f64>,
    /// Of those found, how many the registry knew nothing of.
    pub unknown: u32,
}

/// What became of one line of an index's report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct IndexedLine {
    /// The line, from 1.
    pub line: u32,
    /// The document; null where the line names none.
    pub doc_id: Option<String>,
    /// kept or refused.
    pub outcome: String,
    /// Why it is refused; null where it is not.
    pub reason: Option<String>,
}

/// How far an index lags behind the registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LagView {
    /// The build; null where no index reported anything.
    pub build: Option<String>,
    /// When it reported last.
    pub reported_at: Option<String>,
    /// Registered revisions that it holds as they are.
    pub indexed: u32,
    /// Revisions of which it lacks something.
    pub waiting_revisions: u32,
    /// Documents of which it lacks who may read them.
    pub waiting_access: u32,
    /// Since when the oldest waits.
    pub oldest_recorded_at: Option<String>,
    /// How long that is, in milliseconds.
    #[ts(type = "number | null")]
    pub oldest_age_ms: Option<i64>,
    /// How long something may wait.
    pub alarm_hours: u32,
    /// Whether the oldest waits longer.
    pub alarm: bool,
    /// The revisions, the one that waits longest first.
    pub revisions: Vec<WaitingRevision>,
    /// The documents.
    pub access: Vec<WaitingAccess>,
}

/// A revision of which an index lacks something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WaitingRevision {
    /// The document.
    pub doc_id: String,
    /// Its place in the order.
    #[ts(type = "number")]
    pub seq: i64,
    /// Its name.
    pub revision: String,
    /// When the first thing was recorded that the index lacks.
    pub recorded_at: String,
}

/// A document of which an index lacks who may read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WaitingAccess {
    /// The document.
    pub doc_id: String,
    /// When that was said first.
    pub recorded_at: String,
}
