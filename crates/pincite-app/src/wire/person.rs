//! Accounts, groups and who works here, as they cross.
//!
//! Deliberately not here: passwords and keys; they never cross.

use serde::{Deserialize, Serialize};
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
