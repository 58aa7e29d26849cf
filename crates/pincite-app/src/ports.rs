//! What the faces hand in: someone to tell about progress and to ask whether to go on. And where ids and salts come from.
//!
//! Deliberately not here: a clock. `recorded_at` and leases run on the database's time.

use crate::wire::ImportCounts;

/// Told how far a long use case is; asked whether to stop.
pub trait Progress: Send + Sync {
    /// `done` of `total` bytes; what is being read; what came of it so far.
    fn at(&self, file: &str, done: u64, total: u64, counts: &ImportCounts);
    /// Something a person should read: a refused file or line, with the reason.
    fn finding(&self, _line: &str) {}
    /// Whether to stop. What was reported as taken in stays.
    fn cancelled(&self) -> bool {
        false
    }
}

/// Nobody to tell.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn at(&self, _file: &str, _done: u64, _total: u64, _counts: &ImportCounts) {}
}

/// A new id: a UUID of version 7, so that ids sort by the time they were made.
#[must_use]
pub fn new_id() -> String {
    uuid::Uuid::now_v7().to_string()
}

/// The private half of a new key.
///
/// # Errors
/// Where the system has no randomness to give.
pub(crate) fn new_secret() -> std::io::Result<[u8; 32]> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).map_err(std::io::Error::other)?;
    Ok(secret)
}

/// A new salt for an audit payload: 122 random bits.
#[must_use]
pub fn new_salt() -> [u8; 16] {
    *uuid::Uuid::new_v4().as_bytes()
}
