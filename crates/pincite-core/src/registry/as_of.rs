//! What is in force of a document and of one section of it, as a function of two dates.
//!
//! Among the revisions that were recorded by `known_at`, and are approved and not withdrawn as far as was known then, the
//! last by (effective date, seq) whose date has come on `valid_at` is in force. So a draft supersedes nothing, a revision
//! that is recorded late holds from its date for whoever knows of it, and where a revision is withdrawn, the one before is in
//! force again.
//!
//! Deliberately not here: what a citation is worth (`standing`). Nothing here reads a revision's label, or whether it is
//! archived.

use super::history::{History, Revision, SectionVersion};
use chrono::NaiveDate;

/// What is known of a section on two dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AsOf<'a> {
    /// It is in force.
    InForce {
        /// The revision in force.
        revision: &'a Revision,
        /// The section in that revision.
        section: &'a SectionVersion,
    },
    /// It was in force, and the revision in force has it no longer.
    Removed {
        /// The revision that left it out.
        by: &'a Revision,
    },
    /// It never was in force as far as is known, because every revision that would have had it in force is withdrawn.
    Withdrawn {
        /// The last of those that has it.
        revision: &'a Revision,
    },
    /// No revision that has it has come into force: there are drafts, revisions without a date or of the future.
    NotYet {
        /// The next approved revision that has it, where there is one with a date.
        next: Option<&'a Revision>,
    },
}

/// A stretch of days on which a revision is in force.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stretch<'a> {
    /// The first day.
    pub from: NaiveDate,
    /// The day after the last; `None` where no end is known.
    pub to: Option<NaiveDate>,
    /// The revision.
    pub revision: &'a Revision,
}

/// A stretch of days on which a section had one content in force, or had been removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Period<'a> {
    /// The first day.
    pub from: NaiveDate,
    /// The day after the last; `None` where no end is known.
    pub to: Option<NaiveDate>,
    /// The revision that brought this content, or left the section out.
    pub revision: &'a Revision,
    /// The section in that revision; `None` where it is removed.
    pub section: Option<&'a SectionVersion>,
    /// Later revisions of this stretch, which left the content as it was.
    pub carried_by: Vec<&'a Revision>,
}

impl History {
    /// The revision in force.
    #[must_use]
    pub fn in_force(&self, valid_at: NaiveDate, known_at: Option<i64>) -> Option<&Revision> {
        self.revisions().get(self.in_force_at(valid_at, known_at)?)
    }

    /// Which revision is in force from which day to which, as known by `known_at`, the future included: one stretch after the
    /// other, the last without an end. What another of the same day replaces is in none.
    #[must_use]
    pub fn in_force_stretches(&self, known_at: Option<i64>) -> Vec<Stretch<'_>> {
        let mut holding = self.holding(known_at).peekable();
        let mut stretches = Vec::new();
        while let Some(known) = holding.next() {
            let to = holding.peek().map(|next| next.effective);
            if to == Some(known.effective) {
                continue;
            }
            stretches.extend(self.revisions().get(known.index).map(|revision| Stretch {
                from: known.effective,
                to,
                revision,
            }));
        }
        stretches
    }

    /// The index of the revision in force.
    pub(super) fn in_force_at(&self, valid_at: NaiveDate, known_at: Option<i64>) -> Option<usize> {
        let mut holding = self.holding(known_at).rev();
        Some(holding.find(|known| known.effective <= valid_at)?.index)
    }

    /// What is in force of the section with that key. `None`: no revision that was known by `known_at` has it, drafts
    /// included. Days are those of the document, `known_at` is in milliseconds since 1970 UTC and counts as known.
    ///
    /// Where a revision is in force and lacks the section, the section is removed if a revision that holds had it before;
    /// withdrawn, if only withdrawn ones had; and otherwise not yet there.
    #[must_use]
    pub fn as_of(&self, section_key: &str, valid_at: NaiveDate, known_at: Option<i64>) -> Option<AsOf<'_>> {
        let row = self.row(section_key)?;
        if let Some(index) = self.in_force_at(valid_at, known_at)
            && let Some(section) = row.section(index)
        {
            let revision = self.revisions().get(index)?;
            return Some(AsOf::InForce { revision, section });
        }
        let known = self
            .revisions()
            .iter()
            .enumerate()
            .any(|(index, revision)| revision.is_known(known_at) && row.is_in(index));
        if !known {
            return None;
        }
        let had = self
            .holding(known_at)
            .rev()
            .find(|known| known.effective <= valid_at && row.is_in(known.index));
        if let Some(by) = had.and_then(|had| self.replaced_by(had.index, valid_at, known_at)) {
            return Some(AsOf::Removed { by });
        }
        let would_have = self.known(known_at).rev().find(|known| {
            known.state.approved && known.state.withdrawn && known.effective <= valid_at && row.is_in(known.index)
        });
        if let Some(revision) = would_have.and_then(|known| self.revisions().get(known.index)) {
            return Some(AsOf::Withdrawn { revision });
        }
        let next = self
            .holding(known_at)
            .find(|known| known.effective > valid_at && row.is_in(known.index))
            .and_then(|known| self.revisions().get(known.index));
        Some(AsOf::NotYet { next })
    }

    /// The revision that took the place of the one at `index`. Of several of one day that is the last, since the others
    /// never were in force.
    pub(super) fn replaced_by(&self, index: usize, valid_at: NaiveDate, known_at: Option<i64>) -> Option<&Revision> {
        let mut after = self
            .holding(known_at)
            .skip_while(|known| known.index != index)
            .skip(1)
            .filter(|known| known.effective <= valid_at);
        let first = after.next()?;
        let of_that_day = after.take_while(|known| known.effective == first.effective);
        self.revisions().get(of_that_day.last().unwrap_or(first).index)
    }

    /// The day from which the revision numbered `seq` is in force no longer: the date of the next revision that is approved
    /// and not withdrawn, not of the newest. For a revision that another of the same day replaces it is its own date.
    /// `None` where no end is known, and for a revision that holds on no day (a draft, a withdrawn, an unknown one).
    #[must_use]
    pub fn effective_to(&self, seq: i64, known_at: Option<i64>) -> Option<NaiveDate> {
        let index = self.index_of(seq)?;
        let mut from = self.holding(known_at).skip_while(|known| known.index != index);
        Some(from.nth(1)?.effective)
    }

    /// When the section had which content in force, from its first day on, as known by `known_at`, the future included.
    /// Days on which it was not in force yet, or only in withdrawn revisions, are in no period. A revision in which the
    /// section's change is not settled begins a new one.
    #[must_use]
    pub fn section_history(&self, section_key: &str, known_at: Option<i64>) -> Vec<Period<'_>> {
        let Some(row) = self.row(section_key) else {
            return Vec::new();
        };
        let mut holding = self.holding(known_at).peekable();
        let mut periods: Vec<Period<'_>> = Vec::new();
        let mut content = None;
        let mut differs = false;
        while let Some(known) = holding.next() {
            let Some(revision) = self.revisions().get(known.index) else {
                continue;
            };
            differs |= revision.differing.covers(section_key, known_at);
            let to = holding.peek().map(|next| next.effective);
            if to == Some(known.effective) {
                continue;
            }
            let section = row.section(known.index);
            match periods.last_mut() {
                None if section.is_none() => {}
                Some(last) if content == row.content(known.index) && !differs => {
                    last.carried_by.push(revision);
                    last.to = to;
                }
                _ => periods.push(Period {
                    from: known.effective,
                    to,
                    revision,
                    section,
                    carried_by: Vec::new(),
                }),
            }
            content = row.content(known.index);
            differs = false;
        }
        periods
    }
}
