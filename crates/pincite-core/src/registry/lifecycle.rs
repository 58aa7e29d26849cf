//! Where a revision is in its life: derived from events and dates, never typed.
//!
//! draft → (not yet) → effective → superseded → archived, and withdrawn. Deliberately not here: what is in force. An archived
//! revision can be the one in force, and its life says archived all the same.

use super::history::History;
use chrono::NaiveDate;

/// Where a revision is in its life on two dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lifecycle {
    /// Never approved.
    Draft,
    /// Approved, and its date has not come, or it has none.
    NotYet,
    /// In force.
    Effective,
    /// A later one is in force.
    Superseded,
    /// Approved and put away.
    Archived,
    /// Withdrawn, and not approved again since.
    Withdrawn,
}

impl Lifecycle {
    /// As it is printed.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::NotYet => "not_yet",
            Self::Effective => "effective",
            Self::Superseded => "superseded",
            Self::Archived => "archived",
            Self::Withdrawn => "withdrawn",
        }
    }
}

impl History {
    /// Where the revision numbered `seq` is in its life. `None` where no such revision was known by `known_at`.
    ///
    /// What stops a citation is said first: withdrawn, draft, not yet, and only then archived.
    #[must_use]
    pub fn lifecycle(&self, seq: i64, valid_at: NaiveDate, known_at: Option<i64>) -> Option<Lifecycle> {
        let revision = self.revisions().get(self.index_of(seq)?)?;
        if !revision.is_known(known_at) {
            return None;
        }
        let state = revision.state(known_at);
        Some(if state.withdrawn {
            Lifecycle::Withdrawn
        } else if !state.approved {
            Lifecycle::Draft
        } else if !revision.is_effective(valid_at) {
            Lifecycle::NotYet
        } else if state.archived {
            Lifecycle::Archived
        } else if self
            .in_force(valid_at, known_at)
            .is_some_and(|in_force| in_force.seq == seq)
        {
            Lifecycle::Effective
        } else {
            Lifecycle::Superseded
        })
    }
}
