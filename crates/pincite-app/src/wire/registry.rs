//! Revisions, what is in force, and what a citation is worth, as they cross.
//!
//! Deliberately not here: changed words inside a section.

use super::document::{RectView, SpanView};
use super::evidence::EvidenceView;
use pincite_core::citation::Citation;
use pincite_core::registry::Mode;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
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
    /// The revision's place in the order.
    #[ts(type = "number")]
    pub seq: i64,
    /// Its name.
    pub revision: String,
    /// The place in the order of the revision that it was compared with.
    #[ts(type = "number | null")]
    pub before: Option<i64>,
    /// Sections that were declared and are not found changed.
    pub only_declared: Vec<String>,
    /// Sections that were found changed and are not declared.
    pub only_computed: Vec<String>,
    /// How these sections are labelled, by key.
    pub names: BTreeMap<String, String>,
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

/// A citation, as the gate takes it: where it stands, as every citation says it, or the name of its section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateRequest {
    /// The citation.
    #[serde(flatten)]
    pub citation: Citation,
    /// The section, by its key or as the cited revision labels it; else the offsets or the locator say it.
    #[serde(default)]
    pub section: Option<String>,
    /// On which day it is to hold; else as the command says.
    #[serde(default)]
    pub valid_at: Option<String>,
    /// As known when; else as the command says.
    #[serde(default)]
    pub known_at: Option<String>,
}

/// What a citation is worth on two dates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StandingView {
    /// `in_force`, carried, superseded, removed, withdrawn, `not_yet`, draft, `not_known` or unknown.
    pub standing: String,
    /// Whether the cited text is what is in force.
    pub current: bool,
    /// The first day on which it was in force no longer.
    pub since: Option<String>,
    /// The revision that replaced it, or left it out.
    pub replaced_by: Option<String>,
    /// What is cited; null where the registry has no revision of these bytes.
    pub cited: Option<CitedRevisionView>,
    /// What is in force in its place; null where the registry knows nothing of the section.
    pub in_force: Option<AsOfView>,
    /// Why it does not pass; null of one that does.
    pub reason: Option<String>,
}

/// What the citations of an item are worth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ItemStandingView {
    /// The item.
    pub item: String,
    /// Of its citations, a stale one if there is any.
    pub standing: StandingView,
}

/// The revision that a citation cites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CitedRevisionView {
    /// The document.
    pub doc_id: String,
    /// The revision, as its owner calls it.
    pub revision: String,
    /// Its place in the order.
    #[ts(type = "number")]
    pub seq: i64,
    /// From which day on it is in force.
    pub effective_date: Option<String>,
    /// The section, under a key that survives renumbering; null where it stands in none.
    pub section_key: Option<String>,
    /// Where the section is in it.
    pub locator: Option<String>,
}

/// What the gate says of a citation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GateView {
    /// As it was given.
    pub id: Option<String>,
    /// pass or block; under `measure` everything passes.
    pub decision: String,
    /// What it is worth.
    #[serde(flatten)]
    pub standing: StandingView,
}

impl GateView {
    /// The decision under a mode.
    #[must_use]
    pub fn new(id: Option<String>, standing: StandingView, mode: Mode) -> Self {
        let stopped = mode == Mode::Block && !standing.current;
        Self {
            id,
            decision: if stopped { "block" } else { "pass" }.to_owned(),
            standing,
        }
    }

    /// Whether it is stopped.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.decision == "block"
    }
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
    /// Words of a changed section that only the version before has; empty unless asked for.
    pub removed: Vec<SpanView>,
    /// Words of it that only the version after has.
    pub added: Vec<SpanView>,
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

/// Every document, with what is in force of it on two dates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CorpusView {
    /// The day it is told for.
    pub valid_at: String,
    /// Registered documents, by name.
    pub documents: Vec<CorpusDocumentView>,
    /// Documents that are here and were never registered.
    pub unregistered: Vec<UnregisteredView>,
    /// The scope in words.
    pub scope: String,
    /// How many registered documents it leaves out.
    pub left_out: u32,
    /// How many proposed groups wait for their owner.
    pub groups_waiting: u32,
    /// How many compliance events wait for somebody.
    pub differences_waiting: u32,
}

/// A registered document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CorpusDocumentView {
    /// The document.
    pub doc_id: String,
    /// Its title.
    pub title: String,
    /// The team that answers for it.
    pub owner: String,
    /// What kind of source it is.
    pub class: String,
    /// How many revisions were known.
    pub revisions: u32,
    /// The revision in force; null where none is.
    pub in_force: Option<String>,
    /// From which day on.
    pub since: Option<String>,
    /// Where that revision is in its life; of a document without one in force, where its last one is.
    pub status: String,
    /// How many of its compliance events wait for somebody.
    pub waiting: u32,
    /// Whether the scope holds it.
    pub in_scope: bool,
}

/// Which documents are governed: each list that is empty allows everything of its kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ScopeView {
    /// Folders, each with all below it.
    pub folders: Vec<String>,
    /// Owners.
    pub owners: Vec<String>,
    /// Classes.
    pub classes: Vec<String>,
}

/// A document that was never registered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct UnregisteredView {
    /// The document.
    pub doc_id: String,
    /// Its title.
    pub title: String,
    /// How many versions it has.
    pub versions: u32,
}

/// One document on its two axes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TimelineView {
    /// The document.
    pub doc_id: String,
    /// The place in the order of the revision in force; null where none is.
    #[ts(type = "number | null")]
    pub in_force: Option<i64>,
    /// What was known to be in force from when to when, in the order of what was known; the last is what is known now.
    pub known: Vec<KnownStretchesView>,
    /// Its revisions that were known, in order.
    pub revisions: Vec<RevisionView>,
    /// The sections in force, in the document's order.
    pub sections: Vec<InForceSectionView>,
}

/// What was known of a document between two moments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct KnownStretchesView {
    /// From when on it was known.
    pub from: String,
    /// Until when; null where it is known still.
    pub to: Option<String>,
    /// Which revision was in force from which day to which, as far as was known.
    pub stretches: Vec<StretchView>,
}

/// A stretch of days on which a revision is in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StretchView {
    /// The first day.
    pub from: String,
    /// The day after the last; null where no end is known.
    pub to: Option<String>,
    /// The revision, as its owner calls it.
    pub revision: String,
    /// Its place in the order.
    #[ts(type = "number")]
    pub seq: i64,
}

/// A section in force.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct InForceSectionView {
    /// Its key.
    pub section_key: String,
    /// Where it is in the revision in force.
    pub locator: String,
    /// Its heading without the label.
    pub title: String,
    /// The revision that brought what it says.
    pub revision: String,
    /// From which day on it says so.
    pub since: Option<String>,
    /// How many contents it has had, this one included.
    pub contents: u32,
}

/// Held tables of some versions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct HeldTablesView {
    /// The tables.
    pub tables: Vec<HeldTableView>,
    /// After which version to go on; null at the end.
    pub next: Option<String>,
}

/// A table whose rows could not be vouched for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct HeldTableView {
    /// The document.
    pub doc_id: String,
    /// Its bytes.
    pub doc_sha256: String,
    /// Its title.
    pub title: String,
    /// Where the table is.
    pub locator: String,
    /// Its own name.
    pub label: String,
    /// Its first page, from 1.
    pub page: u32,
    /// Why it is held.
    pub reason: String,
    /// Rows found from the layout.
    pub layout_rows: u32,
    /// Rows counted from the text.
    pub text_rows: u32,
    /// Where it stands.
    pub rects: Vec<RectView>,
}

/// A section and what replaced it, side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ReplacementView {
    /// The revision before.
    pub before_revision: String,
    /// The revision in its place; null where none is in force.
    pub after_revision: Option<String>,
    /// From which day on that is in force.
    pub after_since: Option<String>,
    /// Whether the revision in its place has the section no longer.
    pub gone: bool,
    /// How many stretches of words only the first has.
    pub removed: u32,
    /// How many only the second has.
    pub added: u32,
    /// The section before, words that only it has marked.
    pub before: EvidenceView,
    /// The section after; null where nothing is in force.
    pub after: Option<EvidenceView>,
}

/// What a file says of itself: a line of a manifest to be looked over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ProposedRevisionView {
    /// The file, below the folder.
    pub file: String,
    /// A name for the document: the file's, without what tells its version.
    pub doc_id: String,
    /// What the revision may be called; null where nothing says so.
    pub revision: Option<String>,
    /// From which day on it may be in force.
    pub effective_date: Option<String>,
    /// By which words, in a sentence.
    pub note: String,
    /// Everything that is said, the best witness first.
    pub proposals: Vec<ProposalView>,
}

/// One thing that a file says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ProposalView {
    /// revision, `effective_date` or `approved_at`.
    pub about: String,
    /// What it is.
    pub value: String,
    /// furniture (a running head or foot), text or name.
    pub from: String,
    /// The words that say it.
    pub words: String,
    /// On which page, from 1; null of a name.
    pub page: Option<u32>,
}
