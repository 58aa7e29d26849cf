//! What can go wrong with the store, in words for the person in front of it.
//!
//! Deliberately not here: codes and exit codes for programs; `pincite-app` gives them.

use std::path::PathBuf;

/// Why the store could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// No workspace at this place.
    #[error("there is no workspace in {0}: make one with `pincite init`")]
    NoWorkspace(String),
    /// A team's database does not answer.
    #[error("{0} can't be reached: {1}")]
    Away(String, sqlx::Error),
    /// The workspace was written by a newer program.
    #[error("the workspace in {0} was made by a newer Pincite (schema {1}, this one knows {2}): update Pincite")]
    Newer(String, i64, i64),
    /// SQLite on this machine is too old to be trusted with commits.
    #[error("SQLite {0} can lose commits; 3.51.3 or newer is needed")]
    OldSqlite(String),
    /// The database answered with an error.
    #[error("the workspace's database answered: {0}")]
    Database(#[from] sqlx::Error),
    /// A workspace that somebody may have sent is not as Pincite makes them.
    #[error(
        "the workspace in {0} is not as Pincite makes them: {1}. It was altered or damaged; nothing of it was used"
    )]
    Strange(String, String),
    /// A migration failed.
    #[error("the workspace can't be brought to this version: {0}")]
    Migration(#[from] sqlx::migrate::MigrateError),
    /// A file of the workspace can't be read or written.
    #[error("{path}: {cause}")]
    File {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// One of PostgreSQL's programs can't be run, or said no.
    #[error("{0}")]
    Program(String),
    /// The system gives no turn at writing.
    #[error("the workspace can't be locked for writing: {0}")]
    Turn(#[from] std::io::Error),
    /// The system can't tell of writes to the workspace's folder.
    #[error("what others write to {0} can't be followed: {1}")]
    Watch(PathBuf, notify::Error),
    /// Something kept can't be read back: the database was altered or is damaged.
    #[error("the workspace is damaged: {0}")]
    Damaged(String),
    /// The change is refused by a rule; nothing was written.
    #[error("{message}")]
    Refused {
        /// A stable code, such as `lease_lost`.
        code: &'static str,
        /// One line: the thing, the cause, the remedy.
        message: String,
    },
}

impl StoreError {
    /// A refusal with its code and its one line.
    #[must_use]
    pub fn refused(code: &'static str, message: impl Into<String>) -> Self {
        Self::Refused {
            code,
            message: message.into(),
        }
    }
}
