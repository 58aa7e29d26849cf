//! Revisions, what is in force, and what a citation is worth, as they cross.
//!
//! Deliberately not here: changed words inside a section.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A revision of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RevisionView {
    /// The document.
    pub doc_id: String,
    /// Its place in the order.
    #[ts(type = "number")]
    pub seq: i64,
    /// Its name, as its owner gives it.
    pub revision: String,
    /// Its bytes.
    pub doc_sha256: String,
    /// draft, `not_yet`, effective, superseded, archived or withdrawn, on the two dates asked for.
    pub status: String,
    /// From which day on, `yyyy-mm-dd`; null of a draft without one.
    pub effective_date: Option<String>,
    /// The day on which the next approved revision takes its place; null where none does.
    pub effective_to: Option<String>,
    /// From when on it was known.
    pub recorded_at: String,
    /// The team that answers for it.
    pub owner: String,
    /// What kind of source it is.
    pub class: String,
    /// What is said to have changed; null where nothing is said.
    pub changed_sections: Option<Vec<String>>,
    /// How many sections it has.
    pub sections: u32,
    /// What happened to it, in order.
    pub events: Vec<RevisionEventView>,
    /// Where what is declared and what was computed differ; null where they do not.
    pub difference: Option<DifferenceView>,
}

/// Something that happened to a revision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RevisionEventView {
    /// approved, withdrawn or archived.
    pub event: String,
    /// From when on it was known.
    pub recorded_at: String,
    /// Who said so.
    pub who: String,
    /// Why.
    pub why: String,
}

/// A compliance event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DifferenceView {
    /// The document.
    pub doc_id: String,
    /// The revision.
    #[ts(type = "number")]
    pub seq: i64,
    /// Sections that were declared and are not found changed.
    pub only_declared: Vec<String>,
    /// Sections that were found changed and are not declared.
    pub only_computed: Vec<String>,
    /// When it was found.
    pub recorded_at: String,
    /// Who settled it; null while it waits.
    pub settled_by: Option<String>,
    /// When.
    pub settled_at: Option<String>,
}

/// What is in force of a section on two dates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AsOfView {
    /// `in_force`, removed, withdrawn or `not_yet`.
    pub answer: String,
    /// The document.
    pub doc_id: String,
    /// The section, under a key that survives renumbering.
    pub section_key: String,
    /// Where it is in that revision; null where it is not in force.
    pub locator: Option<String>,
    /// The revision in force; else the one that removed it, was withdrawn, or comes next. Null where none is.
    pub revision: Option<String>,
    /// That revision's place in the order.
    #[ts(type = "number | null")]
    pub seq: Option<i64>,
    /// That revision's bytes.
    pub doc_sha256: Option<String>,
    /// From which day on that revision is in force.
    pub effective_date: Option<String>,
    /// From when on it was known.
    pub recorded_at: Option<String>,
}

/// A stretch of days on which a section had one content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PeriodView {
    /// The first day.
    pub from: String,
    /// The day after the last; null where no end is known.
    pub to: Option<String>,
    /// The revision that brought it, or that left the section out.
    pub revision: String,
    /// That revision's place in the order.
    #[ts(type = "number")]
    pub seq: i64,
    /// Where the section is in it; null where it is removed.
    pub locator: Option<String>,
    /// Later revisions that left it as it was.
    pub carried_by: Vec<String>,
}

/// A citation, as the gate takes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct GateRequest {
    /// A name for the answer, given back.
    #[serde(default)]
    pub id: Option<String>,
    /// The document.
    pub doc_id: String,
    /// The cited bytes.
    pub doc_sha256: String,
    /// The section, by its key or as the cited revision labels it.
    pub section: String,
    /// On which day it is to hold; else as the command says.
    #[serde(default)]
    pub valid_at: Option<String>,
    /// As known when; else as the command says.
    #[serde(default)]
    pub known_at: Option<String>,
}

/// What the gate says of a citation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct GateView {
    /// As it was given.
    pub id: Option<String>,
    /// Whether it passes.
    pub pass: bool,
    /// `in_force`, carried, superseded, removed, withdrawn, `not_yet`, draft, `not_known` or unknown.
    pub standing: String,
    /// The first day on which it was in force no longer.
    pub since: Option<String>,
    /// What is in force in its place; null where the registry knows nothing of the section.
    pub in_force: Option<AsOfView>,
}

/// What became of one line of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ManifestLineView {
    /// The line, from 1.
    pub line: u32,
    /// Document and revision.
    pub name: String,
    /// added, known, refused or `out_of_scope`.
    pub outcome: String,
    /// Its place in the order; null where it was not registered.
    #[ts(type = "number | null")]
    pub seq: Option<i64>,
    /// What somebody should know; null where there is nothing.
    pub message: Option<String>,
}

/// Documents that may be one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CanonicalGroupView {
    /// Why they may be: what they have in common.
    pub keys: Vec<String>,
    /// Whether something was said of each of them.
    pub confirmed: bool,
    /// The documents.
    pub documents: Vec<CanonicalDocumentView>,
}

/// One of documents that may be one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CanonicalDocumentView {
    /// The document.
    pub doc_id: String,
    /// The team that answers for it.
    pub owner: String,
    /// The document that it is a copy of, itself where it is none; null while nobody said.
    pub canonical_id: Option<String>,
    /// Who said so.
    pub said_by: Option<String>,
    /// When.
    pub said_at: Option<String>,
}

/// What became of a section from one version to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SectionChangeView {
    /// Its key: the one before, or the one after where it is new.
    pub section_key: String,
    /// changed, added, removed, moved, renumbered, furniture or `text_lost`.
    pub change: String,
    /// Where it was; null where it is new.
    pub before: Option<SectionPlaceView>,
    /// Where it is; null where it is gone.
    pub after: Option<SectionPlaceView>,
}

/// Where a section is in a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SectionPlaceView {
    /// In the version's own labels.
    pub locator: String,
    /// Its heading without the label.
    pub title: String,
    /// The page of its heading, from 1.
    pub page: u32,
    /// Its first code point in the layer.
    #[ts(type = "number")]
    pub start: u64,
    /// The one after its last.
    #[ts(type = "number")]
    pub end: u64,
}
