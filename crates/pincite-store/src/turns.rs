//! Turns at writing, between programs that share a workspace in a folder.
//!
//! SQLite lets one write at a time, but whoever asks again soonest gets it: of sixteen programs that claim at once, one was
//! seen to get fifty times as much as another. So a writer takes two locks of the system's before it asks SQLite. The first is
//! held by whoever is next, the second by whoever writes; who has just written must first become the next one, and somebody else
//! is that already. A program that is killed leaves no lock behind.
//!
//! Deliberately not here: SQLite's own lock, which alone keeps the database whole, and turns within one program: it has one
//! writer connection, handed out in the order asked.

use crate::StoreError;
use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The two locks of a workspace.
#[derive(Debug, Clone)]
pub(crate) struct Turns {
    next: Arc<File>,
    writes: Arc<File>,
}

/// A turn at writing; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    writes: Arc<File>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        // Closing the file would end it as well.
        let _ = self.writes.unlock();
    }
}

impl Turns {
    /// Of the workspace in this folder.
    pub(crate) fn of(folder: &Path) -> Result<Self, StoreError> {
        let open = |name: &str| {
            let path = folder.join(name);
            let mut options = OpenOptions::new();
            options.create(true).truncate(false).write(true);
            options
                .open(&path)
                .map(Arc::new)
                .map_err(|cause| StoreError::File { path, cause })
        };
        Ok(Self {
            next: open("turn-next.lock")?,
            writes: open("turn-writes.lock")?,
        })
    }

    /// Waits for a turn. Asked by one writer of this program at a time.
    pub(crate) async fn take(&self) -> Result<Turn, StoreError> {
        let turn = Turn {
            writes: self.writes.clone(),
        };
        if is_locked(self.next.try_lock())? {
            let got = is_locked(self.writes.try_lock());
            let left = self.next.unlock();
            if got? {
                left?;
                return Ok(turn);
            }
        }
        let (next, writes) = (self.next.clone(), self.writes.clone());
        let waited = tokio::task::spawn_blocking(move || {
            next.lock()?;
            let got = writes.lock();
            next.unlock()?;
            got
        });
        match waited.await.map_err(io::Error::other).flatten() {
            Ok(()) => Ok(turn),
            Err(error) => unless_unsupported(error).map(|()| turn),
        }
    }
}

fn is_locked(tried: Result<(), TryLockError>) -> Result<bool, StoreError> {
    match tried {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => unless_unsupported(error).map(|()| true),
    }
}

/// A file system without locks gives no turns: SQLite's own lock still lets one write at a time.
fn unless_unsupported(error: io::Error) -> Result<(), StoreError> {
    if error.kind() == io::ErrorKind::Unsupported {
        Ok(())
    } else {
        Err(StoreError::Turn(error))
    }
}
