//! Accounts, groups and who works here, as they cross.
//!
//! Deliberately not here: passwords and keys; they never cross.

use serde::{Deserialize, Serialize};
use std::fmt;
use ts_rs::TS;

/// Who works here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PersonView {
    /// The account that is signed in; alone, a name.
    pub name: String,
    /// Whether it is a team's workspace.
    pub team: bool,
    /// Their roles; alone, every one.
    pub roles: Vec<String>,
}

/// Where a window is, and who is signed in there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SessionView {
    /// The workspace's place, without a password.
    pub place: String,
    /// Whether it is a team's.
    pub team: bool,
    /// The account that is signed in; null where nobody is, and alone.
    pub account: Option<String>,
}

/// What somebody says when they sign.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SignatureRequest {
    /// reviewed, approved or responsible.
    pub meaning: String,
    /// Their password, again. Never kept, never logged.
    pub password: String,
}

impl fmt::Debug for SignatureRequest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SignatureRequest")
            .field("meaning", &self.meaning)
            .finish_non_exhaustive()
    }
}

/// A signature with whether it holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SignatureView {
    /// Its number.
    pub signature: i64,
    /// decision, second_review, threshold or incident.
    pub kind: String,
    /// Which one.
    pub subject: String,
    /// Who signed.
    pub account: String,
    /// reviewed, approved or responsible.
    pub meaning: String,
    /// When.
    pub signed_at: String,
    /// The hash of the record's bytes, as they were signed.
    pub record_sha256: String,
    /// Whether the record is as it was signed, and the key was the account's; null where what was signed is closed to whoever asks.
    pub holds: Option<bool>,
    /// Why it does not hold, or is not known to; null where it holds.
    pub fault: Option<String>,
}

/// An account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AccountView {
    /// Its name.
    pub account: String,
    /// Whether it may sign in.
    pub open: bool,
    /// Its roles, by name.
    pub roles: Vec<String>,
    /// When it was made.
    pub created_at: String,
}

/// A group of readers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct GroupView {
    /// Its name.
    pub group: String,
    /// Everybody who belongs to it, will, or did.
    pub members: Vec<MemberView>,
}

/// A membership.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct MemberView {
    /// The account; alone, a name.
    pub member: String,
    /// From when.
    pub starts_at: String,
    /// Until when; null without an end.
    pub ends_at: Option<String>,
    /// Whether it holds now.
    pub now: bool,
}

/// Which groups may read a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DocumentGroupsView {
    /// The document.
    pub doc_id: String,
    /// The groups, by name; none where everybody may who may read documents.
    pub groups: Vec<String>,
}
