//! The freshness gate: whether an answer may cite what it cites, on the dates of its question.
//!
//! A question about today gives today and no bound for what is known; a question about the past freezes both. Whatever is
//! not current is stale, also what the registry does not know: nobody can say that it is in force.
//!
//! Deliberately not here: whether the cited text supports the answer. The gate compares documents' sections and no words.

use super::as_of::AsOf;
use super::history::History;
use super::standing::{Cited, Standing};
use chrono::NaiveDate;
use std::collections::BTreeSet;

/// What the gate does with stale citations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mode {
    /// Counts them and lets everything through.
    Measure,
    /// Stops an answer that has one.
    Block,
}

impl Mode {
    /// As it is kept and printed.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Measure => "measure",
            Self::Block => "block",
        }
    }

    /// The mode of that label.
    #[must_use]
    pub fn from_label(label: &str) -> Option<Self> {
        [Self::Measure, Self::Block]
            .into_iter()
            .find(|mode| mode.label() == label)
    }
}

/// What the gate says of one citation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict<'a> {
    /// What the cited copy is worth.
    pub standing: Standing<'a>,
    /// What is in force of the section; `None` where no revision known has it.
    pub in_force: Option<AsOf<'a>>,
}

impl Verdict<'_> {
    /// Whether the citation passes.
    #[must_use]
    pub const fn passes(&self) -> bool {
        self.standing.is_current()
    }
}

/// What the gate says of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate<'a> {
    /// In the order of the citations.
    pub verdicts: Vec<Verdict<'a>>,
    /// Under which mode.
    pub mode: Mode,
}

impl<'a> Gate<'a> {
    /// The stale citations, each with its index among all.
    pub fn stale(&self) -> impl Iterator<Item = (usize, &Verdict<'a>)> {
        self.verdicts
            .iter()
            .enumerate()
            .filter(|(_, verdict)| !verdict.passes())
    }

    /// Whether the answer is stopped: a stale citation, and the gate is to block.
    #[must_use]
    pub fn blocks(&self) -> bool {
        self.mode == Mode::Block && self.stale().next().is_some()
    }
}

/// What the gate says of one citation. `history` is that of the cited document; `None` where the registry has none.
#[must_use]
pub fn verdict<'a>(
    history: Option<&'a History>,
    cited: &Cited<'_>,
    valid_at: NaiveDate,
    known_at: Option<i64>,
) -> Verdict<'a> {
    let in_force = history.and_then(|history| history.as_of(cited.section_key, valid_at, known_at));
    Verdict {
        standing: history.map_or(Standing::Unregistered, |history| {
            history.standing_beside(cited, valid_at, known_at, in_force)
        }),
        in_force,
    }
}

/// What the gate says of all citations of an answer. An answer without citations passes: that it has none is another
/// check's finding.
#[must_use]
pub fn gate<'a, 'c>(
    citations: impl IntoIterator<Item = (Option<&'a History>, Cited<'c>)>,
    valid_at: NaiveDate,
    known_at: Option<i64>,
    mode: Mode,
) -> Gate<'a> {
    Gate {
        verdicts: citations
            .into_iter()
            .map(|(history, cited)| verdict(history, &cited, valid_at, known_at))
            .collect(),
        mode,
    }
}

/// Of retrieved copies, the best first, those that a reader may see: the current ones, of each document's section the first.
/// Indices into what was given. `doc_id` names the document that the history is of.
#[must_use]
pub fn dedup_to_current<'a, 'c>(
    ranked: impl IntoIterator<Item = (&'c str, Option<&'a History>, Cited<'c>)>,
    valid_at: NaiveDate,
    known_at: Option<i64>,
) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    ranked
        .into_iter()
        .enumerate()
        .filter(|(_, (doc_id, history, cited))| {
            verdict(*history, cited, valid_at, known_at).passes() && seen.insert((*doc_id, cited.section_key))
        })
        .map(|(index, _)| index)
        .collect()
}
