//! A folder that gets its name last: what is written into it stands under a passing name until all of it is there and durable.
//!
//! So a folder that has its name is whole, whatever ended the program that made it. What a killed program left is one hidden folder
//! beside it, which the next one of the same name clears away; a lock in it says whether its program still runs.
//!
//! Deliberately not here: what is written.

use crate::error::AppError;
use crate::files::refused;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// The lock's name.
pub(crate) const LOCK: &str = ".in-hand";

/// A folder under its passing name. Dropped without [`Unfinished::finish`], it is gone.
#[derive(Debug)]
pub(crate) struct Unfinished {
    target: PathBuf,
    folder: PathBuf,
    lock: Option<File>,
}

impl Unfinished {
    /// Begins a folder that will be called `target`: it must be new, or empty.
    ///
    /// # Errors
    /// One line with the path: something is there, another program makes it, or what the system says.
    pub(crate) fn begin(target: &Path) -> Result<Self, AppError> {
        let failed = |path: &Path, error: &io::Error| refused(path, &format!("it can't be made: {error}"));
        let named = target.canonicalize().or_else(|_| std::path::absolute(target));
        let target = named.map_err(|error| failed(target, &error))?;
        is_free(&target)?;
        let (Some(parent), Some(name)) = (target.parent(), target.file_name()) else {
            return Err(refused(&target, "name a new or an empty folder"));
        };
        fs::create_dir_all(parent).map_err(|error| failed(parent, &error))?;
        let folder = parent.join(format!(".{}.unfinished", name.to_string_lossy()));
        fs::create_dir_all(&folder).map_err(|error| failed(&folder, &error))?;
        let mut options = OpenOptions::new();
        let lock = options.create(true).truncate(false).write(true).open(folder.join(LOCK));
        let lock = lock.map_err(|error| failed(&folder, &error))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::WouldBlock) => {
                return Err(refused(&target, "another program is making it at this moment"));
            }
            Err(TryLockError::Error(error)) => return Err(failed(&folder, &error)),
        }
        let unfinished = Self {
            target,
            folder,
            lock: Some(lock),
        };
        unfinished.clear().map_err(|error| failed(&unfinished.folder, &error))?;
        Ok(unfinished)
    }

    /// The folder as it is called now.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Removes what an earlier program left.
    fn clear(&self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            if entry.file_name() == LOCK {
                continue;
            }
            if entry.file_type()?.is_dir() {
                fs::remove_dir_all(entry.path())?;
            } else {
                fs::remove_file(entry.path())?;
            }
        }
        Ok(())
    }

    /// Gives it its name. The files in it are durable; this makes their names so.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn finish(mut self) -> Result<(), AppError> {
        let named = || {
            fs::remove_file(self.folder.join(LOCK))?;
            sync_folders(&self.folder)?;
            if self.target.is_dir() {
                fs::remove_dir(&self.target)?;
            }
            fs::rename(&self.folder, &self.target)?;
            File::open(self.target.parent().unwrap_or(&self.target))?.sync_all()
        };
        named().map_err(|error| refused(&self.target, &format!("it can't get its name: {error}")))?;
        self.lock = None;
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if self.lock.take().is_some() {
            // What can't be removed now is cleared away the next time.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// That a folder is not there, or empty.
///
/// # Errors
/// One line with the path.
fn is_free(target: &Path) -> Result<(), AppError> {
    match fs::read_dir(target).map(|mut entries| entries.next().is_some()) {
        Ok(false) => Ok(()),
        Ok(true) => Err(refused(
            target,
            "something is here already: name a new or an empty folder",
        )),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(refused(target, &format!("it can't be made here: {error}"))),
    }
}

fn sync_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_has_its_name_once_it_is_whole_and_remains_of_another_are_cleared_away() -> Result<(), AppError> {
        let cause = |error: io::Error| AppError::internal(error.to_string());
        let said = |begun: Result<Unfinished, AppError>| begun.err().map(|error| error.message).unwrap_or_default();
        let place = tempfile::tempdir().map_err(cause)?;
        let target = place.path().join("kept");
        let first = Unfinished::begin(&target)?;
        fs::write(first.folder().join("half"), "").map_err(cause)?;
        assert!(
            said(Unfinished::begin(&target)).contains("at this moment"),
            "one is at it"
        );
        assert!(!target.exists());
        // Killed: its lock is free, its files are there.
        let left = first.folder().to_owned();
        if let Some(lock) = &first.lock {
            lock.unlock().map_err(cause)?;
        }
        let second = Unfinished::begin(&target)?;
        assert!(!left.join("half").exists());
        fs::write(second.folder().join("all"), "").map_err(cause)?;
        second.finish()?;
        assert!(target.join("all").exists() && !target.join(LOCK).exists());
        assert!(said(Unfinished::begin(&target)).contains("something is here already"));
        drop(first);
        assert!(target.join("all").exists());
        Ok(())
    }
}
