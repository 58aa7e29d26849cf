//! The revisions of one document, as the registry has recorded them: append-only, on two clocks.
//!
//! `effective` is the day from which a revision holds, as the document says; `recorded_at` is when the registry learned of
//! it, on the database's clock. What happens to a revision afterwards is an event with a `recorded_at` of its own, so that
//! what was known at any moment can be told again.
//!
//! Deliberately not here: what follows from it (`as_of`, `lifecycle`, `standing`). A history that can't be one is refused
//! whole; which line of which file made it so is for whoever read the file.

use chrono::NaiveDate;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
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
    /// The sections of which it is open whether they changed.
    pub differing: Doubt,
}

/// Sections whose declared and computed change differ, until somebody settles which is right.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Doubt {
    /// Their keys, and those of the sections that hold them (`carrying::differing`).
    pub keys: BTreeSet<String>,
    /// When it was found: milliseconds since 1970 UTC, the database's time. Before that nobody knew of it.
    pub found_at: i64,
    /// When somebody settled it; `None` while it waits.
    pub settled_at: Option<i64>,
}

impl Doubt {
    /// Whether it was open, as known by `known_at`, whether the section changed.
    #[must_use]
    pub fn covers(&self, section_key: &str, known_at: Option<i64>) -> bool {
        let open = match known_at {
            None => self.settled_at.is_none(),
            Some(known) => self.found_at <= known && self.settled_at.is_none_or(|settled| settled > known),
        };
        open && self.keys.contains(section_key)
    }
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

impl State {
    fn follow(&mut self, kind: EventKind) {
        match kind {
            EventKind::Approved => (self.approved, self.withdrawn) = (true, false),
            EventKind::Withdrawn => self.withdrawn = true,
            EventKind::Archived => self.archived = true,
        }
    }
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
            state.follow(event.kind);
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
#[derive(Debug, Clone)]
pub struct History {
    /// By seq.
    revisions: Vec<Revision>,
    /// The revisions that have a date, by (effective, seq): the later one holds. What is asked most stands side by side, so that
    /// a question touches little memory.
    dated: Vec<Dated>,
    /// What the events of the dated ones come to, after each: when it was recorded, and the state from then on.
    states: Vec<(i64, State)>,
    /// For each key its row in `places`.
    rows: HashMap<String, usize>,
    /// For each key a row with a place for each revision, in their order.
    places: Vec<Option<Place>>,
    /// For each version of the bytes the indices of its revisions.
    bytes: HashMap<String, Vec<usize>>,
}

#[derive(Debug, Clone)]
struct Dated {
    effective: NaiveDate,
    recorded_at: i64,
    index: usize,
    states: Range<usize>,
    unsettled: bool,
}

/// A section in a revision.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// Its index among the revision's sections.
    section: u32,
    /// Which content it has: the same number for the same content in one history.
    content: u32,
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
        let mut rows: HashMap<String, usize> = HashMap::new();
        let mut places: Vec<Option<Place>> = Vec::new();
        let mut bytes: HashMap<String, Vec<usize>> = HashMap::new();
        let mut contents: HashMap<&str, u32> = HashMap::new();
        for (index, revision) in revisions.iter().enumerate() {
            events_in_order(revision)?;
            bytes.entry(revision.doc_sha256.clone()).or_default().push(index);
            for (section, version) in (0_u32..).zip(revision.sections.iter()) {
                let row = match rows.get(&version.section_key) {
                    Some(row) => *row,
                    None => {
                        let row = rows.len();
                        rows.insert(version.section_key.clone(), row);
                        places.resize(places.len() + revisions.len(), None);
                        row
                    }
                };
                let next = u32::try_from(contents.len()).unwrap_or(u32::MAX);
                let content = *contents.entry(&version.content_sha256).or_insert(next);
                let slot = places.get_mut(row * revisions.len() + index);
                if slot.and_then(|slot| slot.replace(Place { section, content })).is_some() {
                    return Err(HistoryFault::DuplicateKey {
                        revision: revision.revision.clone(),
                        section_key: version.section_key.clone(),
                    });
                }
            }
        }
        let mut order: Vec<(NaiveDate, i64, usize)> = revisions
            .iter()
            .enumerate()
            .filter_map(|(index, revision)| Some((revision.effective?, revision.seq, index)))
            .collect();
        order.sort_unstable();
        let mut states = Vec::new();
        let mut dated = Vec::with_capacity(order.len());
        for (effective, _, index) in order {
            let Some(revision) = revisions.get(index) else { continue };
            let from = states.len();
            let mut state = State::default();
            for event in &revision.events {
                state.follow(event.kind);
                states.push((event.recorded_at, state));
            }
            dated.push(Dated {
                effective,
                recorded_at: revision.recorded_at,
                index,
                states: from..states.len(),
                unsettled: !revision.differing.keys.is_empty(),
            });
        }
        Ok(Self {
            revisions,
            dated,
            states,
            rows,
            places,
            bytes,
        })
    }

    /// All revisions, by seq.
    #[must_use]
    pub fn revisions(&self) -> &[Revision] {
        &self.revisions
    }

    /// The keys that any revision has, in order of their letters.
    #[must_use]
    pub fn section_keys(&self) -> Vec<&str> {
        let mut keys: Vec<&str> = self.rows.keys().map(String::as_str).collect();
        keys.sort_unstable();
        keys
    }

    /// The section of that key in the revision numbered `seq`.
    #[must_use]
    pub fn section(&self, seq: i64, section_key: &str) -> Option<&SectionVersion> {
        self.row(section_key)?.section(self.index_of(seq)?)
    }

    pub(super) fn index_of(&self, seq: i64) -> Option<usize> {
        self.revisions.binary_search_by_key(&seq, |revision| revision.seq).ok()
    }

    /// The revisions of these bytes, each with its index.
    pub(super) fn of_bytes(&self, doc_sha256: &str) -> impl Iterator<Item = (usize, &Revision)> {
        let indices = self.bytes.get(doc_sha256).into_iter().flatten();
        indices.filter_map(|index| Some((*index, self.revisions.get(*index)?)))
    }

    /// What all revisions say of a section; `None` for a key that none has.
    pub(super) fn row(&self, section_key: &str) -> Option<Row<'_>> {
        let from = self.rows.get(section_key)? * self.revisions.len();
        Some(Row {
            history: self,
            places: self.places.get(from..from + self.revisions.len())?,
        })
    }

    /// The revisions that have a date, by (effective, seq); those known by `known_at`.
    pub(super) fn known(&self, known_at: Option<i64>) -> impl DoubleEndedIterator<Item = Known> + Clone {
        let known = move |recorded_at: i64| known_at.is_none_or(|known_at| recorded_at <= known_at);
        self.dated
            .iter()
            .filter(move |dated| known(dated.recorded_at))
            .map(move |dated| {
                let states = self.states.get(dated.states.clone()).unwrap_or_default();
                let last = states
                    .partition_point(|(recorded_at, _)| known(*recorded_at))
                    .checked_sub(1);
                Known {
                    index: dated.index,
                    effective: dated.effective,
                    unsettled: dated.unsettled,
                    state: last
                        .and_then(|last| states.get(last))
                        .map_or_else(State::default, |(_, state)| *state),
                }
            })
    }

    /// Of those the ones that hold on their day: approved and not withdrawn.
    pub(super) fn holding(&self, known_at: Option<i64>) -> impl DoubleEndedIterator<Item = Known> + Clone {
        self.known(known_at)
            .filter(|known| known.state.approved && !known.state.withdrawn)
    }
}

/// A dated revision as it was known at some moment.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// Its index among all revisions.
    pub(super) index: usize,
    pub(super) effective: NaiveDate,
    /// Whether any section's change is not settled in it.
    pub(super) unsettled: bool,
    pub(super) state: State,
}

/// What all revisions of a history say of one section.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    history: &'a History,
    places: &'a [Option<Place>],
}

impl<'a> Row<'a> {
    fn place(&self, index: usize) -> Option<Place> {
        self.places.get(index).copied().flatten()
    }

    /// The section in the revision at `index`.
    pub(super) fn section(&self, index: usize) -> Option<&'a SectionVersion> {
        self.history
            .revisions
            .get(index)?
            .sections
            .get(self.place(index)?.section as usize)
    }

    /// Whether the revision at `index` has the section.
    pub(super) fn is_in(&self, index: usize) -> bool {
        self.place(index).is_some()
    }

    /// The number of the section's content in the revision at `index`: the same for the same content.
    pub(super) fn content(&self, index: usize) -> Option<u32> {
        Some(self.place(index)?.content)
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
