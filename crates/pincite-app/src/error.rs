//! One error for both faces: a code for programs, one line for a person.
//!
//! Deliberately not here: exit codes and colours.

use crate::wire::{ErrorCode, ErrorView};
use pincite_pdf::WorkerError;
use pincite_pdf::protocol::Refusal;
use pincite_store::StoreError;
use std::fmt;

/// Why a use case did not do what was asked. Nothing was half done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppError {
    /// For programs.
    pub code: ErrorCode,
    /// One line: the thing, the cause, the remedy.
    pub message: String,
}

impl AppError {
    /// Bad input: nothing was done.
    #[must_use]
    pub fn bad_input(message: impl Into<String>) -> Self {
        Self {
            code: ErrorCode::BadInput,
            message: message.into(),
        }
    }

    /// What was named is not here.
    #[must_use]
    pub fn not_found(message: impl Into<String>) -> Self {
        Self {
            code: ErrorCode::NotFound,
            message: message.into(),
        }
    }

    /// Pincite itself went wrong.
    #[must_use]
    pub fn internal(message: impl Into<String>) -> Self {
        Self {
            code: ErrorCode::Internal,
            message: message.into(),
        }
    }

    /// No role that this person holds allows it.
    #[must_use]
    pub fn forbidden(message: impl Into<String>) -> Self {
        Self {
            code: ErrorCode::Forbidden,
            message: message.into(),
        }
    }

    /// The work was cancelled.
    #[must_use]
    pub fn cancelled() -> Self {
        Self {
            code: ErrorCode::Cancelled,
            message: "cancelled".into(),
        }
    }

    /// Whether what was asked is at fault, and not the store.
    #[must_use]
    pub(crate) fn is_about_what_was_asked(&self) -> bool {
        matches!(self.code, ErrorCode::BadInput | ErrorCode::NotFound)
    }

    /// As it crosses.
    #[must_use]
    pub fn view(&self) -> ErrorView {
        ErrorView {
            code: self.code,
            message: self.message.clone(),
        }
    }
}

impl fmt::Display for AppError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for AppError {}

impl From<StoreError> for AppError {
    fn from(error: StoreError) -> Self {
        let code = match &error {
            StoreError::Refused { code, .. } => match *code {
                "lease_lost" => ErrorCode::LeaseLost,
                "held" => ErrorCode::Held,
                "already_decided" => ErrorCode::AlreadyDecided,
                "item_moved" => ErrorCode::ItemMoved,
                "key_reused" => ErrorCode::KeyReused,
                "not_last" | "not_yours" => ErrorCode::NotUndoable,
                "unknown_item" | "unknown_decision" => ErrorCode::NotFound,
                "signed_out" => ErrorCode::SignedOut,
                _ => ErrorCode::BadInput,
            },
            StoreError::NoWorkspace(_) => ErrorCode::NotFound,
            StoreError::Newer(..) | StoreError::OldSqlite(_) | StoreError::Strange(..) => ErrorCode::BadInput,
            StoreError::Damaged(_) => ErrorCode::Internal,
            StoreError::Turn(_)
            | StoreError::Away(..)
            | StoreError::Database(_)
            | StoreError::Migration(_)
            | StoreError::Watch(..)
            | StoreError::Program(_)
            | StoreError::File { .. } => ErrorCode::Unavailable,
        };
        Self {
            code,
            message: error.to_string(),
        }
    }
}

impl From<WorkerError> for AppError {
    fn from(error: WorkerError) -> Self {
        let code = match &error {
            WorkerError::Refused(Refusal::PasswordNeeded | Refusal::PasswordWrong) => ErrorCode::PasswordNeeded,
            WorkerError::Refused(_) | WorkerError::Failed(_) => ErrorCode::BadInput,
            WorkerError::Died(_) => ErrorCode::WorkerDied,
            WorkerError::Start { .. } | WorkerError::Version { .. } => ErrorCode::Internal,
        };
        Self {
            code,
            message: error.to_string(),
        }
    }
}

impl From<tokio::task::JoinError> for AppError {
    fn from(error: tokio::task::JoinError) -> Self {
        Self::internal(format!("a task ended early: {error}"))
    }
}
