//! The one form in which an error crosses: a stable code and one line for a person.
//!
//! Deliberately not here: causes nested in causes, and exit codes; the command line maps codes to those.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// An error as it crosses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ErrorView {
    /// What happened, for programs.
    pub code: ErrorCode,
    /// What happened, to what, and what to do: one line.
    pub message: String,
}

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The input can't be used; nothing was done.
    BadInput,
    /// What was named is not here.
    NotFound,
    /// The lease has run out or passed on.
    LeaseLost,
    /// Somebody else holds the item.
    Held,
    /// The item is decided already.
    AlreadyDecided,
    /// The item has changed since it was looked at.
    ItemMoved,
    /// The caller's key belongs to another decision.
    KeyReused,
    /// The decision can't be undone.
    NotUndoable,
    /// Nobody is signed in to the team's workspace.
    SignedOut,
    /// No role that the person holds allows it.
    Forbidden,
    /// It wants a signature.
    SignatureNeeded,
    /// The document wants a password.
    PasswordNeeded,
    /// The PDF worker died on the document.
    WorkerDied,
    /// The document is in quarantine: the PDF worker died on it too often.
    Quarantined,
    /// The work was cancelled.
    Cancelled,
    /// The database or a file can't be used now.
    Unavailable,
    /// Pincite itself went wrong.
    Internal,
}
