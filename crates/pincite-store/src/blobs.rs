//! Bytes under their hash, in a folder: beside the database, or where a team reaches it; or in a bucket (`bucket`).
//!
//! In a folder, a blob is written under a passing name, made durable, then moved to its name: whoever finds it there finds it whole.
//! Whoever keeps it waits until the name is durable too, also where another had moved it there.
//! Whoever takes bytes in holds a lock on the passing file, so that one without a lock is nobody's (its program was
//! killed): such files are removed at the next start of an intake. A bucket's passing files are in the system's folder for such.
//!
//! Deliberately not here: deciding whether a blob is still cited.

use crate::StoreError;
use crate::bucket::Bucket;
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::io::{self, Read, Seek as _, Write as _};
use std::path::{Path, PathBuf};

/// Where a workspace keeps bytes.
#[derive(Debug, Clone)]
pub struct Blobs(Kept);

#[derive(Debug, Clone)]
enum Kept {
    Folder(PathBuf),
    Bucket(Bucket),
}

/// How the passing files of a bucket begin, in a folder with those of other programs.
const PASSING: &str = "pincite-passing-";

/// What is to be done where bytes are missing or damaged.
const PUT_BACK: &str = "ingesting that file again puts them back";

/// Bytes taken in but not yet kept. Dropped without [`Intake::keep`], they are gone.
#[derive(Debug)]
pub struct Intake {
    file: tempfile::NamedTempFile,
    /// SHA-256 of the bytes.
    pub sha256: String,
    /// How many bytes.
    pub bytes: u64,
}

impl Intake {
    /// The bytes, open for reading from the start.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(&self) -> io::Result<File> {
        let mut file = self.file.reopen()?;
        file.rewind()?;
        Ok(file)
    }
}

impl Blobs {
    /// Those in a folder that is there.
    #[must_use]
    pub fn of(folder: &Path) -> Self {
        Self(Kept::Folder(folder.to_owned()))
    }

    /// Those in a folder, which is made where it is not there.
    ///
    /// # Errors
    /// [`StoreError::File`].
    pub fn create(folder: &Path) -> Result<Self, StoreError> {
        let passing = folder.join("passing");
        fs::create_dir_all(&passing).map_err(|cause| StoreError::File { path: passing, cause })?;
        Ok(Self::of(folder))
    }

    /// Those at an address that a workspace has: `s3://bucket/name`, or a folder.
    ///
    /// # Errors
    /// [`StoreError::Refused`] (`bad_bucket`).
    pub fn at(address: &str) -> Result<Self, StoreError> {
        Ok(Self(match Bucket::at(address)? {
            Some(bucket) => Kept::Bucket(bucket),
            None => Kept::Folder(PathBuf::from(address)),
        }))
    }

    /// Makes sure that bytes can be kept there.
    ///
    /// # Errors
    /// [`StoreError::File`].
    pub fn make_ready(&self) -> Result<(), StoreError> {
        match &self.0 {
            Kept::Folder(folder) => Self::create(folder).map(drop),
            Kept::Bucket(bucket) => bucket.make_ready(),
        }
    }

    /// The address under which everybody finds them.
    ///
    /// # Errors
    /// [`StoreError::File`]: the folder is not there.
    pub fn address(&self) -> Result<String, StoreError> {
        match &self.0 {
            Kept::Folder(folder) => {
                let path = folder.canonicalize().map_err(|cause| StoreError::File {
                    path: folder.clone(),
                    cause,
                })?;
                Ok(path.display().to_string())
            }
            Kept::Bucket(bucket) => Ok(bucket.address().to_owned()),
        }
    }

    /// Where these bytes are, for whoever reads a message.
    fn shown(&self, sha256: &str) -> PathBuf {
        match &self.0 {
            Kept::Folder(folder) => folder.join(name(sha256)),
            Kept::Bucket(bucket) => bucket.shown(&name(sha256)),
        }
    }

    /// Takes bytes in, hashing them on the way, without ever holding them all in memory.
    ///
    /// # Errors
    /// [`StoreError::File`]: writing here. [`StoreError::Refused`] (`source_unreadable`): reading the source.
    pub fn take_in(&self, source: &mut impl Read) -> Result<Intake, StoreError> {
        let (passing, beginning) = match &self.0 {
            Kept::Folder(folder) => (folder.join("passing"), ""),
            Kept::Bucket(_) => (std::env::temp_dir(), PASSING),
        };
        let failed = |cause| StoreError::File {
            path: passing.clone(),
            cause,
        };
        // A folder that was made and never synced may be gone after a crash.
        fs::create_dir_all(&passing).map_err(failed)?;
        sweep(&passing, beginning);
        let mut file = locked_file_in(&passing, beginning).map_err(failed)?;
        let mut hash = Sha256::new();
        let mut bytes = 0_u64;
        let mut chunk = vec![0_u8; 1 << 16];
        loop {
            let read = match source.read(&mut chunk) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    return Err(StoreError::refused(
                        "source_unreadable",
                        format!("it can't be read: {error}"),
                    ));
                }
            };
            let part = chunk.get(..read).unwrap_or_default();
            hash.update(part);
            file.write_all(part).map_err(failed)?;
            bytes += read as u64;
        }
        Ok(Intake {
            file,
            sha256: pincite_core::hex(&hash.finalize()),
            bytes,
        })
    }

    /// Keeps bytes under their hash, durably. Whole bytes already kept are left alone; damaged ones are replaced.
    ///
    /// # Errors
    /// [`StoreError::File`].
    pub fn keep(&self, intake: Intake) -> Result<(), StoreError> {
        let name = name(&intake.sha256);
        self.put_in_place(intake)?;
        // Also where they were there: who named them may have been killed before their name was durable.
        if let Kept::Folder(folder) = &self.0 {
            sync(folder.join(name).parent().unwrap_or(folder))?;
            sync(folder)?;
        }
        Ok(())
    }

    /// Gives bytes their name, which in a folder is not durable yet.
    fn put_in_place(&self, intake: Intake) -> Result<(), StoreError> {
        // What is there but damaged is replaced: these are the bytes that its name promises.
        if self.is_whole(&intake.sha256)? {
            return Ok(());
        }
        let folder = match &self.0 {
            Kept::Folder(folder) => folder,
            Kept::Bucket(bucket) => {
                let name = name(&intake.sha256);
                let file = intake.open().map_err(|cause| StoreError::File {
                    path: bucket.shown(&name),
                    cause,
                })?;
                return bucket.put(&name, file);
            }
        };
        let path = folder.join(name(&intake.sha256));
        let failed = |cause| StoreError::File {
            path: path.clone(),
            cause,
        };
        fs::create_dir_all(path.parent().unwrap_or(folder)).map_err(failed)?;
        intake.file.as_file().sync_all().map_err(failed)?;
        // Held open until it has its name: its lock keeps it from being swept.
        let (_held, passing) = intake.file.keep().map_err(|error| failed(error.error))?;
        fs::rename(passing, &path).map_err(failed)
    }

    /// Makes every name durable, after many were copied in.
    ///
    /// # Errors
    /// [`StoreError::File`].
    pub fn settle(&self) -> Result<(), StoreError> {
        let Kept::Folder(folder) = &self.0 else { return Ok(()) };
        let failed = |cause| StoreError::File {
            path: folder.clone(),
            cause,
        };
        for entry in fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if entry.file_type().map_err(failed)?.is_dir() {
                sync(&entry.path())?;
            }
        }
        sync(folder)
    }

    /// When a kept blob was written last and how long it is: unchanged, it need not be hashed again. `None` where it is
    /// missing, or can't be asked for.
    #[must_use]
    pub fn stamp(&self, sha256: &str) -> Option<(std::time::SystemTime, u64)> {
        match &self.0 {
            Kept::Folder(folder) => {
                let metadata = fs::metadata(folder.join(name(sha256))).ok()?;
                Some((metadata.modified().ok()?, metadata.len()))
            }
            Kept::Bucket(bucket) => bucket.stamp(&name(sha256)).ok().flatten(),
        }
    }

    /// Removes bytes that no version names (an ingest that could not be recorded).
    pub fn discard(&self, sha256: &str) {
        match &self.0 {
            Kept::Folder(folder) => {
                let _ = fs::remove_file(folder.join(name(sha256)));
            }
            Kept::Bucket(bucket) => bucket.remove(&name(sha256)),
        }
    }

    /// A kept blob, open for reading. What comes out of a bucket is hashed on the way, what is in a folder is not.
    ///
    /// # Errors
    /// [`StoreError::File`]; [`io::ErrorKind::NotFound`] inside where it is missing. [`StoreError::Refused`] (`blob_damaged`).
    pub fn open(&self, sha256: &str) -> Result<File, StoreError> {
        match &self.0 {
            Kept::Folder(folder) => {
                let path = folder.join(name(sha256));
                File::open(&path).map_err(|cause| StoreError::File { path, cause })
            }
            Kept::Bucket(bucket) => match bucket.fetch(&name(sha256))? {
                (file, found) if found == sha256 => Ok(file),
                _ => Err(self.damaged(sha256)),
            },
        }
    }

    fn damaged(&self, sha256: &str) -> StoreError {
        StoreError::refused(
            "blob_damaged",
            format!(
                "{}: these bytes of a document are damaged; {PUT_BACK}",
                self.shown(sha256).display()
            ),
        )
    }

    /// Copies a kept blob into another folder, where its name is durable after [`Blobs::settle`]; answers its length in bytes.
    ///
    /// # Errors
    /// [`StoreError::Refused`] (`blob_missing`, `blob_damaged`) where it is not whole here; [`StoreError::File`].
    pub fn copy_to(&self, other: &Self, sha256: &str) -> Result<u64, StoreError> {
        if sha256.len() != 64 || !sha256.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(StoreError::Damaged(format!(
                "{sha256:?} stands where the hash of a document's bytes should"
            )));
        }
        let mut file = self.open(sha256).map_err(|error| match error {
            StoreError::File { path, cause } if cause.kind() == io::ErrorKind::NotFound => StoreError::refused(
                "blob_missing",
                format!("{}: these bytes of a document are missing; {PUT_BACK}", path.display()),
            ),
            other => other,
        })?;
        let intake = other.take_in(&mut file)?;
        if intake.sha256 != sha256 {
            return Err(self.damaged(sha256));
        }
        let bytes = intake.bytes;
        other.put_in_place(intake)?;
        Ok(bytes)
    }

    /// Whether a kept blob still hashes to its name. A missing one does not.
    ///
    /// # Errors
    /// [`StoreError::File`]: nobody can tell, because the place is away or may not be read.
    pub fn is_whole(&self, sha256: &str) -> Result<bool, StoreError> {
        let mut file = match self.open(sha256) {
            Ok(file) => file,
            Err(StoreError::File { cause, .. }) if cause.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(StoreError::Refused { .. }) => return Ok(false),
            Err(error) => return Err(error),
        };
        let mut hash = Sha256::new();
        Ok(io::copy(&mut file, &mut hash).is_ok() && pincite_core::hex(&hash.finalize()) == sha256)
    }

    /// Whether there is anything under this name, whole or not.
    ///
    /// # Errors
    /// [`StoreError::File`]: nobody can tell.
    pub fn is_there(&self, sha256: &str) -> Result<bool, StoreError> {
        match &self.0 {
            Kept::Folder(folder) => {
                let path = folder.join(name(sha256));
                let found = path.try_exists();
                found.map_err(|cause| StoreError::File { path, cause })
            }
            Kept::Bucket(bucket) => Ok(bucket.stamp(&name(sha256))?.is_some()),
        }
    }
}

/// The name of bytes, below where all are.
fn name(sha256: &str) -> String {
    format!("{}/{sha256}", sha256.get(..2).unwrap_or("__"))
}

fn sync(folder: &Path) -> Result<(), StoreError> {
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(|cause| StoreError::File {
            path: folder.to_owned(),
            cause,
        })
}

/// Removes the passing files that nobody holds, of those that begin so. What can't be removed now can be the next time.
fn sweep(passing: &Path, beginning: &str) {
    let is_ours = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(beginning);
    for entry in fs::read_dir(passing).into_iter().flatten().flatten().filter(is_ours) {
        let path = entry.path();
        if File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(path);
        }
    }
}

/// A passing file, locked for as long as it is open.
fn locked_file_in(passing: &Path, beginning: &str) -> io::Result<tempfile::NamedTempFile> {
    loop {
        let file = tempfile::NamedTempFile::with_prefix_in(beginning, passing)?;
        file.as_file().lock()?;
        // Another intake's sweep may have come between the two lines above.
        if file.path().exists() {
            return Ok(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_intake_left_is_removed_and_what_is_in_hand_is_not() -> Result<(), StoreError> {
        let cause = |cause| StoreError::File {
            path: PathBuf::new(),
            cause,
        };
        let workspace = tempfile::tempdir().map_err(cause)?;
        let blobs = Blobs::create(workspace.path())?;
        let passing = workspace.path().join("passing");
        let names = || fs::read_dir(&passing).into_iter().flatten().flatten().count();
        fs::write(passing.join("left"), "by a killed program").map_err(cause)?;
        let one = blobs.take_in(&mut "one".as_bytes())?;
        assert!(!passing.join("left").exists());
        let two = blobs.take_in(&mut "two".as_bytes())?;
        assert_eq!(names(), 2, "the first one is still in hand");
        let (name, mut text) = (one.sha256.clone(), String::new());
        blobs.keep(one)?;
        drop(two);
        assert_eq!(names(), 0);
        blobs.open(&name)?.read_to_string(&mut text).map_err(cause)?;
        assert_eq!(text, "one");
        assert!(blobs.is_whole(&name)?);
        Ok(())
    }

    #[test]
    fn a_source_that_breaks_is_not_a_fault_of_the_workspace() -> Result<(), StoreError> {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk is gone"))
            }
        }
        let workspace = tempfile::tempdir().map_err(|cause| StoreError::File {
            path: PathBuf::new(),
            cause,
        })?;
        let error = Blobs::create(workspace.path())?
            .take_in(&mut Broken)
            .err()
            .map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some("it can't be read: the disk is gone"));
        Ok(())
    }
}
