//! What a cited section of some cited bytes is worth on two dates.
//!
//! A cited span is current when its section's content is the content in force and the cited revision itself is approved,
//! effective and known. So a section that did not change passes from any revision's copy, a text that a later revision
//! restores makes the earlier copies current again, and a draft stops a citation even where it says what is in force.
//!
//! Where a revision's declared and computed changes of a section differ and nobody has settled it, the section counts as
//! changed there: copies from before are superseded by that revision, whatever the hashes say, until it is settled. That is a
//! matter of what was known, too: a difference counts from when it was found.
//!
//! Deliberately not here: whether the quote still stands in those bytes (`citation`), and what to do about it (`gate`).

use super::as_of::AsOf;
use super::history::{History, Known, Revision};
use chrono::NaiveDate;
use std::cmp::Reverse;

/// What a citation names, as far as the registry cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cited<'a> {
    /// The bytes.
    pub doc_sha256: &'a str,
    /// The section.
    pub section_key: &'a str,
}

/// What a cited section of cited bytes is worth on two dates. From the best to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing<'a> {
    /// The cited revision is the one in force.
    InForce,
    /// Another revision is in force, and the section says the same in it.
    Carried,
    /// The section's content is no longer in force.
    Superseded {
        /// The revision that replaced it.
        by: &'a Revision,
        /// That revision's date: the first day on which the cited content was in force no longer.
        since: NaiveDate,
    },
    /// The document has the section no longer.
    Removed {
        /// The revision that left it out.
        by: &'a Revision,
        /// That revision's date.
        since: NaiveDate,
    },
    /// The cited revision is withdrawn.
    Withdrawn,
    /// The cited revision's date has not come, or it has none.
    NotYet,
    /// The cited revision is not approved.
    Draft,
    /// The registry did not know the cited revision then, and does now.
    NotKnown,
    /// The registry knows no revision of these bytes, or none of that has such a section.
    Unregistered,
}

impl Standing<'_> {
    /// As it is printed: `unknown` is what the registry knows nothing of, on any date.
    #[must_use]
    pub const fn label(&self) -> &'static str {
        match self {
            Self::InForce => "in_force",
            Self::Carried => "carried",
            Self::Superseded { .. } => "superseded",
            Self::Removed { .. } => "removed",
            Self::Withdrawn => "withdrawn",
            Self::NotYet => "not_yet",
            Self::Draft => "draft",
            Self::NotKnown => "not_known",
            Self::Unregistered => "unknown",
        }
    }

    /// Whether the cited text is what is in force. Nothing else passes a gate.
    #[must_use]
    pub const fn is_current(&self) -> bool {
        matches!(self, Self::InForce | Self::Carried)
    }

    /// The first day on which the cited content was in force no longer, where another revision took its place.
    #[must_use]
    pub const fn since(&self) -> Option<NaiveDate> {
        match self {
            Self::Superseded { since, .. } | Self::Removed { since, .. } => Some(*since),
            _ => None,
        }
    }

    /// From 0, the best. Among revisions of the same bytes the best one speaks; of sections that one citation touches, the
    /// worst.
    #[must_use]
    pub const fn rank(&self) -> u8 {
        match self {
            Self::InForce => 0,
            Self::Carried => 1,
            Self::Superseded { .. } => 2,
            Self::Removed { .. } => 3,
            Self::Withdrawn => 4,
            Self::NotYet => 5,
            Self::Draft => 6,
            Self::NotKnown => 7,
            Self::Unregistered => 8,
        }
    }
}

impl History {
    /// What a citation is worth on `valid_at`, as known by `known_at`. The same bytes may be several revisions: they are
    /// current if any of these is; where none is, the answer that says most of what replaced them is given, and of two such
    /// the one that replaced them last.
    #[must_use]
    pub fn standing(&self, cited: &Cited<'_>, valid_at: NaiveDate, known_at: Option<i64>) -> Standing<'_> {
        let in_force = self.as_of(cited.section_key, valid_at, known_at);
        self.standing_beside(cited, valid_at, known_at, in_force)
    }

    /// The same where what is in force of the section is known already.
    pub(super) fn standing_beside<'a>(
        &'a self,
        cited: &Cited<'_>,
        valid_at: NaiveDate,
        known_at: Option<i64>,
        in_force: Option<AsOf<'a>>,
    ) -> Standing<'a> {
        self.best_of_bytes(cited.doc_sha256, valid_at, known_at, |index| {
            self.holding_standing(index, cited.section_key, valid_at, known_at, in_force)
        })
    }

    /// What a citation is worth of which no section is known: text before the first one, or of a document that has none. The
    /// whole revision speaks for it, so any later one supersedes it, whatever that says.
    #[must_use]
    pub fn standing_of_whole(&self, doc_sha256: &str, valid_at: NaiveDate, known_at: Option<i64>) -> Standing<'_> {
        let in_force = self.in_force_at(valid_at, known_at);
        self.best_of_bytes(doc_sha256, valid_at, known_at, |index| {
            if in_force == Some(index) {
                return Standing::InForce;
            }
            self.superseded_by(self.replaced_by(index, valid_at, known_at))
        })
    }

    fn superseded_by<'a>(&'a self, by: Option<&'a Revision>) -> Standing<'a> {
        by.and_then(|by| {
            Some(Standing::Superseded {
                by,
                since: by.effective?,
            })
        })
        .unwrap_or(Standing::Unregistered)
    }

    /// The best standing of the revisions of these bytes; `holding` tells that of one that is approved, effective and known.
    fn best_of_bytes<'a>(
        &'a self,
        doc_sha256: &str,
        valid_at: NaiveDate,
        known_at: Option<i64>,
        holding: impl Fn(usize) -> Standing<'a>,
    ) -> Standing<'a> {
        self.of_bytes(doc_sha256)
            .map(|(index, revision)| {
                if !revision.is_known(known_at) {
                    return Standing::NotKnown;
                }
                let state = revision.state(known_at);
                if state.withdrawn {
                    Standing::Withdrawn
                } else if !state.approved {
                    Standing::Draft
                } else if !revision.is_effective(valid_at) {
                    Standing::NotYet
                } else {
                    holding(index)
                }
            })
            .min_by_key(|standing| (standing.rank(), Reverse(standing.since())))
            .unwrap_or(Standing::Unregistered)
    }

    /// The standing of a revision that is approved, effective and known: only its text decides.
    fn holding_standing<'a>(
        &'a self,
        index: usize,
        section_key: &str,
        valid_at: NaiveDate,
        known_at: Option<i64>,
        in_force: Option<AsOf<'a>>,
    ) -> Standing<'a> {
        let Some(row) = self.row(section_key).filter(|row| row.is_in(index)) else {
            return Standing::Unregistered;
        };
        let current = match in_force {
            Some(AsOf::InForce { revision, .. }) => revision,
            Some(AsOf::Removed { by }) => {
                return by
                    .effective
                    .map_or(Standing::Unregistered, |since| Standing::Removed { by, since });
            }
            // The cited revision holds and has the section, so it is in force or was removed.
            _ => return Standing::Unregistered,
        };
        let is_current = |index: usize| self.revisions().get(index).is_some_and(|one| one.seq == current.seq);
        if is_current(index) {
            return Standing::InForce;
        }
        // The last revision that still says what was cited, with nothing unsettled on the way.
        let settled = |later: &Known| {
            let revision = self.revisions().get(later.index).filter(|_| later.unsettled);
            revision.is_none_or(|revision| !revision.differing.covers(section_key, known_at))
        };
        let last = self
            .holding(known_at)
            .skip_while(|known| known.index != index)
            .skip(1)
            .take_while(|later| later.effective <= valid_at && settled(later))
            .filter(|later| row.content(later.index) == row.content(index))
            .last()
            .map_or(index, |known| known.index);
        if is_current(last) {
            return Standing::Carried;
        }
        self.superseded_by(self.replaced_by(last, valid_at, known_at))
    }
}
