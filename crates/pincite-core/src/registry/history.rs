//! The revisions of one document, as the registry has recorded them: append-only, on two clocks.
//!
//! `effective` is the day from which a revision holds, as the document says; `recorded_at` is when the registry learned of
//! it, on the database's clock. What happens to a revision afterwards is an event with a `recorded_at` of its own, so that
//! what was known at any moment can be told again.
//!
//! Deliberately not here: what follows from it (`as_of`, `lifecycle`, `standing`). A history that can't be one is refused
//! whole; which line of which file made it so is for whoever read the file.

use chrono::NaiveDate;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What a document's revision says of one section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionVersion {
    /// One a document: survives renumbering.
    pub section_key: String,
    /// Where it is in this revision, in the revision's own labels.
    pub locator: String,
    /// Its heading in this revision, without the label.
    pub title: String,
    /// SHA-256 of its own folded text.
    pub own_sha256: String,
    /// SHA-256 of its folded text with its descendants: what is compared.
    pub content_sha256: String,
}

/// What can happen to a revision after it was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventKind {
    /// Somebody entitled to approved it. Before that it is a draft. A withdrawn revision is no longer withdrawn.
    Approved,
    /// It holds no longer, and not for the past either, as far as is known since.
    Withdrawn,
    /// It was put away. What is in force does not change.
    Archived,
}

impl EventKind {
    /// As it is kept and printed.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Withdrawn => "withdrawn",
            Self::Archived => "archived",
        }
    }

    /// The kind of that label.
    #[must_use]
    pub fn from_label(label: &str) -> Option<Self> {
        [Self::Approved, Self::Withdrawn, Self::Archived]
            .into_iter()
            .find(|kind| kind.label() == label)
    }
}

/// Something that happened to a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// What.
    pub kind: EventKind,
    /// When the registry learned of it: milliseconds since 1970 UTC, the database's time.
    pub recorded_at: i64,
}

/// One revision of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Revision {
    /// The document's own label for it. Shown, never compared.
    pub revision: String,
    /// One a document; decides between revisions of one day.
    pub seq: i64,
    /// Which bytes it is. The same bytes may be several revisions.
    pub doc_sha256: String,
    /// From which day it holds. Without one it is never in force.
    pub effective: Option<NaiveDate>,
    /// When the registry learned of it: milliseconds since 1970 UTC, the database's time.
    pub recorded_at: i64,
    /// In the order in which they were recorded.
    pub events: Vec<Event>,
    /// In the document's order.
    pub sections: Arc<[SectionVersion]>,
    /// Keys of the sections whose declared and computed change differ, where nobody has settled which is right, and of
    /// those that hold them (`carrying::differing`).
    pub differing: BTreeSet<String>,
}

/// What a revision's events come to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct State {
    /// It was approved at some time: it is no draft.
    pub(super) approved: bool,
    /// It was withdrawn, and not approved again since.
    pub(super) withdrawn: bool,
    /// It was archived. No event takes that back.
    pub(super) archived: bool,
}

impl Revision {
    /// Whether the registry knew of it: a `known_at` of the same millisecond knows.
    #[must_use]
    pub fn is_known(&self, known_at: Option<i64>) -> bool {
        known_at.is_none_or(|known_at| self.recorded_at <= known_at)
    }

    /// Whether its effective date has come. A revision without a date never holds.
    #[must_use]
    pub fn is_effective(&self, valid_at: NaiveDate) -> bool {
        self.effective.is_some_and(|effective| effective <= valid_at)
    }

    /// What the events recorded by `known_at` come to, in the order in which they were recorded.
    pub(super) fn state(&self, known_at: Option<i64>) -> State {
        let mut state = State::default();
        for event in &self.events {
            if known_at.is_some_and(|known_at| event.recorded_at > known_at) {
                break;
            }
            match event.kind {
                EventKind::Approved => (state.approved, state.withdrawn) = (true, false),
                EventKind::Withdrawn => state.withdrawn = true,
                EventKind::Archived => state.archived = true,
            }
        }
        state
    }
}

/// Why some revisions are not the history of a document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HistoryFault {
    /// Two revisions have one number.
    #[error("revisions \"{one}\" and \"{other}\" both have the number {seq}; give each revision of a document its own")]
    DuplicateSeq {
        /// The number.
        seq: i64,
        /// Label of the revision that came first.
        one: String,
        /// Label of the revision that came second.
        other: String,
    },
    /// Two sections of one revision have one key.
    #[error("revision \"{revision}\" has two sections with the key \"{section_key}\"; a key names one section")]
    DuplicateKey {
        /// Label of the revision.
        revision: String,
        /// The key.
        section_key: String,
    },
    /// An event was recorded before the one listed before it, or before its revision.
    #[error(
        "of revision \"{revision}\", event {event} ({kind}) was recorded before what it follows; list events as recorded"
    )]
    EventsOutOfOrder {
        /// Label of the revision.
        revision: String,
        /// Which event of the revision, from 1.
        event: usize,
        /// The event's label.
        kind: &'static str,
    },
}

/// All recorded revisions of one document, those of drafts and of the future too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct History {
    /// By seq.
    revisions: Vec<Revision>,
    /// Indices of the revisions that have a date, by (effective, seq): the later one holds.
    order: Vec<usize>,
    /// For each key, its index among the sections of each revision, in the order of `revisions`.
    places: BTreeMap<String, Vec<Option<u32>>>,
}

impl History {
    /// The history that these revisions make, in any order.
    ///
    /// # Errors
    /// [`HistoryFault`]: two revisions of one `seq`, two sections of one key in a revision, events that are not in the order
    /// in which they were recorded or were recorded before their revision.
    pub fn new(mut revisions: Vec<Revision>) -> Result<Self, HistoryFault> {
        revisions.sort_by_key(|revision| revision.seq);
        for pair in revisions.windows(2) {
            if let [one, other] = pair
                && one.seq == other.seq
            {
                return Err(HistoryFault::DuplicateSeq {
                    seq: one.seq,
                    one: one.revision.clone(),
                    other: other.revision.clone(),
                });
            }
        }
        let mut places: BTreeMap<String, Vec<Option<u32>>> = BTreeMap::new();
        for (index, revision) in revisions.iter().enumerate() {
            events_in_order(revision)?;
            for (place, section) in (0_u32..).zip(revision.sections.iter()) {
                if !places.contains_key(&section.section_key) {
                    places.insert(section.section_key.clone(), vec![None; revisions.len()]);
                }
                let slot = places
                    .get_mut(&section.section_key)
                    .and_then(|places| places.get_mut(index));
                if slot.and_then(|slot| slot.replace(place)).is_some() {
                    return Err(HistoryFault::DuplicateKey {
                        revision: revision.revision.clone(),
                        section_key: section.section_key.clone(),
                    });
                }
            }
        }
        let mut order: Vec<usize> = (0..revisions.len())
            .filter(|index| {
                revisions
                    .get(*index)
                    .is_some_and(|revision| revision.effective.is_some())
            })
            .collect();
        order.sort_by_key(|index| revisions.get(*index).map(|revision| (revision.effective, revision.seq)));
        Ok(Self {
            revisions,
            order,
            places,
        })
    }

    /// All revisions, by seq.
    #[must_use]
    pub fn revisions(&self) -> &[Revision] {
        &self.revisions
    }

    /// The keys that any revision has, in order of their letters.
    pub fn section_keys(&self) -> impl Iterator<Item = &str> {
        self.places.keys().map(String::as_str)
    }

    /// The section of that key in the revision numbered `seq`.
    #[must_use]
    pub fn section(&self, seq: i64, section_key: &str) -> Option<&SectionVersion> {
        self.section_at(self.index_of(seq)?, section_key)
    }

    pub(super) fn index_of(&self, seq: i64) -> Option<usize> {
        self.revisions.binary_search_by_key(&seq, |revision| revision.seq).ok()
    }

    /// The section of that key in the revision at `index`.
    pub(super) fn section_at(&self, index: usize, section_key: &str) -> Option<&SectionVersion> {
        let place = self.places.get(section_key)?.get(index).copied().flatten()?;
        self.revisions.get(index)?.sections.get(place as usize)
    }

    /// The revisions that have a date, by (effective, seq), with their index and what their events come to; those known by
    /// `known_at`.
    pub(super) fn known(
        &self,
        known_at: Option<i64>,
    ) -> impl DoubleEndedIterator<Item = (usize, &Revision, State)> + Clone {
        self.order.iter().filter_map(move |index| {
            let revision = self.revisions.get(*index)?;
            revision
                .is_known(known_at)
                .then(|| (*index, revision, revision.state(known_at)))
        })
    }

    /// Of those the ones that hold on their day: approved and not withdrawn.
    pub(super) fn holding(&self, known_at: Option<i64>) -> impl DoubleEndedIterator<Item = (usize, &Revision)> + Clone {
        self.known(known_at)
            .filter(|(_, _, state)| state.approved && !state.withdrawn)
            .map(|(index, revision, _)| (index, revision))
    }
}

fn events_in_order(revision: &Revision) -> Result<(), HistoryFault> {
    let mut before = revision.recorded_at;
    for (number, event) in (1..).zip(&revision.events) {
        if event.recorded_at < before {
            return Err(HistoryFault::EventsOutOfOrder {
                revision: revision.revision.clone(),
                event: number,
                kind: event.kind.label(),
            });
        }
        before = event.recorded_at;
    }
    Ok(())
}
