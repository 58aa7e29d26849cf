//! A few workers kept open, so that the next page of a document just looked at is drawn at once.
//!
//! Deliberately not here: opening. The caller opens a worker where the pool has none, since only it has the bytes and
//! the password.

use crate::client::Worker;
use std::sync::Mutex;

/// Open workers by a key (the version's hash), the most recently used last. At most `most` are kept idle.
#[derive(Debug)]
pub struct Pool {
    idle: Mutex<Vec<(String, Worker)>>,
    most: usize,
}

impl Pool {
    /// A pool that keeps at most this many idle workers.
    #[must_use]
    pub const fn new(most: usize) -> Self {
        Self {
            idle: Mutex::new(Vec::new()),
            most,
        }
    }

    /// Takes an idle worker out, where there is one for this key. One that fails is simply not put back.
    pub fn take(&self, key: &str) -> Option<Worker> {
        let mut idle = self.idle.lock().ok()?;
        let position = idle.iter().rposition(|(held, _)| held == key)?;
        Some(idle.remove(position).1)
    }

    /// Puts a worker back; the least recently used one ends where there are too many.
    pub fn put(&self, key: &str, worker: Worker) {
        let surplus = self.idle.lock().ok().and_then(|mut idle| {
            idle.push((key.to_owned(), worker));
            (idle.len() > self.most).then(|| idle.remove(0))
        });
        // Ended outside the lock: waiting for a process must not hold up the others.
        drop(surplus);
    }
}
