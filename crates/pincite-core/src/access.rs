//! Roles, and what each may do.
//!
//! Whatever is done is one of a few deeds, and nothing is allowed that no role here allows. Who works alone holds every role.
//!
//! Deliberately not here: who holds which role, who belongs to which group (the store keeps both), and which documents a
//! group may read: a role says what may be done, a group with which documents.

use serde::{Deserialize, Serialize};

/// What somebody is in a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Works the review queue.
    Reviewer,
    /// Says, on measured error, what a system may show by itself.
    CalibrationOwner,
    /// Judges retrieval.
    Grader,
    /// Opens anything, on any two dates, and changes nothing.
    Auditor,
    /// Answers for documents, catalogues and records that come in, and for who may read them.
    DocumentControl,
    /// Answers for accounts, roles, groups and backups; reads no document by that.
    Administrator,
}

/// What is done, as far as it matters who may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Deed {
    /// Seeing who one is, one's roles, the catalogue and the settings; changing one's own password.
    Look,
    /// Reading documents, their text and pictures, citations and their evidence.
    ReadDocuments,
    /// Reading records, answers, the queue, and what was decided.
    ReadRecords,
    /// Claiming, deciding, undoing, holding, labelling answers; one's own pace.
    Review,
    /// Seeing the queue's reasons as they are, confidence included.
    Unblind,
    /// Reading curves, thresholds, workload, what is watched, incidents, how far reviewers agree, times, the 2 x 2 of answers.
    ReadMeasures,
    /// Setting thresholds and shares, keeping or voiding incidents.
    Calibrate,
    /// Taking in documents, layers, records, answers, catalogues, what an index reports; saying which groups may read a document.
    ControlDocuments,
    /// Changing a setting.
    ChangeSettings,
    /// Reading the audit chain.
    Audit,
    /// Accounts, roles, groups, backups, copies.
    Administer,
}

impl Role {
    /// Every role, in the order in which they are listed.
    pub const ALL: [Self; 6] = [
        Self::Reviewer,
        Self::CalibrationOwner,
        Self::Grader,
        Self::Auditor,
        Self::DocumentControl,
        Self::Administrator,
    ];

    /// As it is written in commands, in the store and in the audit chain.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Reviewer => "reviewer",
            Self::CalibrationOwner => "calibration_owner",
            Self::Grader => "grader",
            Self::Auditor => "auditor",
            Self::DocumentControl => "document_control",
            Self::Administrator => "administrator",
        }
    }

    /// The role of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

impl Deed {
    /// Every deed.
    pub const ALL: [Self; 11] = [
        Self::Look,
        Self::ReadDocuments,
        Self::ReadRecords,
        Self::Review,
        Self::Unblind,
        Self::ReadMeasures,
        Self::Calibrate,
        Self::ControlDocuments,
        Self::ChangeSettings,
        Self::Audit,
        Self::Administer,
    ];

    /// The roles that allow it; the first one that somebody holds is the one in which they do it.
    #[must_use]
    pub fn roles(self) -> &'static [Role] {
        use Role::{Administrator, Auditor, CalibrationOwner, DocumentControl, Grader, Reviewer};
        match self {
            Self::Look => &Role::ALL,
            Self::ReadDocuments => &[Reviewer, CalibrationOwner, Grader, Auditor, DocumentControl],
            Self::ReadRecords => &[Reviewer, CalibrationOwner, Auditor, DocumentControl],
            Self::Review => &[Reviewer],
            Self::Unblind | Self::Calibrate => &[CalibrationOwner],
            Self::ReadMeasures => &[CalibrationOwner, Auditor],
            Self::ControlDocuments => &[DocumentControl],
            Self::ChangeSettings => &[CalibrationOwner, Administrator],
            Self::Audit => &[Auditor],
            Self::Administer => &[Administrator],
        }
    }

    /// In words, after "to".
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Look => "look around",
            Self::ReadDocuments => "read documents",
            Self::ReadRecords => "read records and the queue",
            Self::Review => "review",
            Self::Unblind => "see the queue unblinded",
            Self::ReadMeasures => "read what is measured",
            Self::Calibrate => "set thresholds and settle incidents",
            Self::ControlDocuments => "take in documents and records",
            Self::ChangeSettings => "change settings",
            Self::Audit => "read the audit chain",
            Self::Administer => "administer accounts and backups",
        }
    }
}

/// The role in which somebody who holds these roles does this; `None` where none of them allows it.
#[must_use]
pub fn role_for(deed: Deed, held: &[Role]) -> Option<Role> {
    deed.roles().iter().copied().find(|role| held.contains(role))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_role_nothing_is_allowed() {
        assert!(Deed::ALL.into_iter().all(|deed| role_for(deed, &[]).is_none()));
    }

    #[test]
    fn every_deed_is_somebodys_and_every_role_is_for_something() {
        assert!(Deed::ALL.into_iter().all(|deed| !deed.roles().is_empty()));
        for role in Role::ALL {
            assert_eq!(Role::of_name(role.name()), Some(role));
            assert!(
                Deed::ALL
                    .into_iter()
                    .any(|deed| deed != Deed::Look && role_for(deed, &[role]).is_some())
                    || role == Role::Administrator
            );
        }
    }

    #[test]
    fn who_answers_for_accounts_reads_no_document_by_that_and_an_auditor_changes_nothing() {
        let of = |role: Role| -> Vec<Deed> {
            Deed::ALL
                .into_iter()
                .filter(|deed| deed.roles().contains(&role))
                .collect()
        };
        assert_eq!(
            of(Role::Administrator),
            [Deed::Look, Deed::ChangeSettings, Deed::Administer]
        );
        assert_eq!(
            of(Role::Auditor),
            [
                Deed::Look,
                Deed::ReadDocuments,
                Deed::ReadRecords,
                Deed::ReadMeasures,
                Deed::Audit
            ]
        );
    }
}
