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
        self.in_force_at(valid_at, known_at).map(|(_, revision)| revision)
    }

    pub(super) fn in_force_at(&self, valid_at: NaiveDate, known_at: Option<i64>) -> Option<(usize, &Revision)> {
        self.holding(known_at)
            .rev()
            .find(|(_, revision)| revision.is_effective(valid_at))
    }

    /// What is in force of the section with that key. `None`: no revision that was known by `known_at` has it, drafts
    /// included. Days are those of the document, `known_at` is in milliseconds since 1970 UTC and counts as known.
    ///
    /// Where a revision is in force and lacks the section, the section is removed if a revision that holds had it before;
    /// withdrawn, if only withdrawn ones had; and otherwise not yet there.
    #[must_use]
    pub fn as_of(&self, section_key: &str, valid_at: NaiveDate, known_at: Option<i64>) -> Option<AsOf<'_>> {
        if let Some((index, revision)) = self.in_force_at(valid_at, known_at)
            && let Some(section) = self.section_at(index, section_key)
        {
            return Some(AsOf::InForce { revision, section });
        }
        let has = |index: usize| self.section_at(index, section_key).is_some();
        let known = self
            .revisions()
            .iter()
            .enumerate()
            .any(|(index, revision)| revision.is_known(known_at) && has(index));
        if !known {
            return None;
        }
        let had = self
            .holding(known_at)
            .rev()
            .find(|(index, revision)| revision.is_effective(valid_at) && has(*index));
        if let Some(by) = had.and_then(|(index, _)| self.replaced_by(index, valid_at, known_at)) {
            return Some(AsOf::Removed { by });
        }
        let would_have = self.known(known_at).rev().find(|(index, revision, state)| {
            state.approved && state.withdrawn && revision.is_effective(valid_at) && has(*index)
        });
        if let Some((_, revision, _)) = would_have {
            return Some(AsOf::Withdrawn { revision });
        }
        let next = self
            .holding(known_at)
            .find(|(index, revision)| !revision.is_effective(valid_at) && has(*index))
            .map(|(_, revision)| revision);
        Some(AsOf::NotYet { next })
    }

    /// The revision that took the place of the one at `index`. Of several of one day that is the last, since the others
    /// never were in force.
    pub(super) fn replaced_by(&self, index: usize, valid_at: NaiveDate, known_at: Option<i64>) -> Option<&Revision> {
        let mut after = self
            .holding(known_at)
            .skip_while(|(at, _)| *at != index)
            .skip(1)
            .map(|(_, revision)| revision)
            .filter(|revision| revision.is_effective(valid_at));
        let first = after.next()?;
        Some(
            after
                .take_while(|revision| revision.effective == first.effective)
                .last()
                .unwrap_or(first),
        )
    }

    /// The day from which the revision numbered `seq` is in force no longer: the date of the next revision that is approved
    /// and not withdrawn, not of the newest. For a revision that another of the same day replaces it is its own date.
    /// `None` where no end is known, and for a revision that holds on no day (a draft, a withdrawn, an unknown one).
    #[must_use]
    pub fn effective_to(&self, seq: i64, known_at: Option<i64>) -> Option<NaiveDate> {
        self.holding(known_at)
            .map(|(_, revision)| revision)
            .skip_while(|revision| revision.seq != seq)
            .nth(1)?
            .effective
    }

    /// When the section had which content in force, from its first day on, as known by `known_at`, the future included.
    /// Days on which it was not in force yet, or only in withdrawn revisions, are in no period. A revision in which the
    /// section's change is not settled begins a new one.
    #[must_use]
    pub fn section_history(&self, section_key: &str, known_at: Option<i64>) -> Vec<Period<'_>> {
        let mut holding = self.holding(known_at).peekable();
        let mut periods: Vec<Period<'_>> = Vec::new();
        while let Some((index, revision)) = holding.next() {
            let Some(from) = revision.effective else { continue };
            let to = holding.peek().and_then(|(_, next)| next.effective);
            if to == Some(from) {
                continue;
            }
            let section = self.section_at(index, section_key);
            match periods.last_mut() {
                None if section.is_none() => {}
                Some(last)
                    if content(last.section) == content(section)
                        && !self.differs_between(section_key, last, revision, known_at) =>
                {
                    last.carried_by.push(revision);
                    last.to = to;
                }
                _ => periods.push(Period {
                    from,
                    to,
                    revision,
                    section,
                    carried_by: Vec::new(),
                }),
            }
        }
        periods
    }

    /// Whether a revision after those of `period`, up to `revision`, has the section among those not settled.
    fn differs_between(
        &self,
        section_key: &str,
        period: &Period<'_>,
        revision: &Revision,
        known_at: Option<i64>,
    ) -> bool {
        let last = period.carried_by.last().copied().unwrap_or(period.revision);
        self.holding(known_at)
            .map(|(_, one)| one)
            .skip_while(|one| one.seq != last.seq)
            .skip(1)
            .take_while(|one| (one.effective, one.seq) <= (revision.effective, revision.seq))
            .any(|one| one.differing.contains(section_key))
    }
}

fn content(section: Option<&SectionVersion>) -> Option<&str> {
    section.map(|section| section.content_sha256.as_str())
}
