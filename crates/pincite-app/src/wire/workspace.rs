//! The workspace and what the window needs to know at its start.
//!
//! Deliberately not here: what else the workspace holds; each desk asks for its own.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The open workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WorkspaceView {
    /// Its folder.
    pub folder: String,
    /// Whether it is a team's, where everybody signs in.
    pub team: bool,
    /// What needs a signature: of reject, correct, threshold and incident.
    pub signatures: Vec<String>,
    /// The roles of whoever works here; alone, every one.
    pub roles: Vec<String>,
    /// Whether it is the demo, made anew each time.
    pub demo: bool,
    /// Who reviews in this window.
    pub reviewer: String,
    /// Everybody who reviewed here.
    pub reviewers: Vec<String>,
    /// How many versions of documents there are.
    pub versions: u32,
    /// How many fields the catalogue has; 0 where none is set.
    pub fields: u32,
    /// Lease length in milliseconds; renew well before.
    pub lease_milliseconds: u32,
    /// Pincite's version.
    pub pincite: String,
}
