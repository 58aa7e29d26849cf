//! Bytes under their hash, in a folder beside the database.
//!
//! A blob is written under a passing name, made durable, then moved to its name: whoever finds it there finds it whole.
//! Files that lie in the passing folder after a crash are nobody's and are removed at the next start of an intake.
//!
//! Deliberately not here: deciding whether a blob is still cited.

use crate::StoreError;
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::io::{self, Read, Seek as _, Write as _};
use std::path::{Path, PathBuf};

/// The blob folder of a workspace.
#[derive(Debug, Clone)]
pub struct Blobs {
    folder: PathBuf,
}

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
    pub(crate) fn of(workspace: &Path) -> Self {
        Self { folder: workspace.join("blobs") }
    }

    pub(crate) fn create(workspace: &Path) -> Result<(), StoreError> {
        let passing = workspace.join("blobs").join("passing");
        fs::create_dir_all(&passing).map_err(|cause| StoreError::File { path: passing, cause })
    }

    fn path(&self, sha256: &str) -> PathBuf {
        self.folder.join(sha256.get(..2).unwrap_or("__")).join(sha256)
    }

    /// Takes bytes in, hashing them on the way, without ever holding them all in memory.
    ///
    /// # Errors
    /// [`StoreError::File`]: reading the source, or writing here.
    pub fn take_in(&self, source: &mut impl Read) -> Result<Intake, StoreError> {
        let passing = self.folder.join("passing");
        let failed = |cause| StoreError::File { path: passing.clone(), cause };
        let mut file = tempfile::NamedTempFile::new_in(&passing).map_err(failed)?;
        let mut hash = Sha256::new();
        let mut bytes = 0_u64;
        let mut chunk = vec![0_u8; 1 << 16];
        loop {
            let read = match source.read(&mut chunk) {
                Ok(0) => break,
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(failed(error)),
            };
            let part = chunk.get(..read).unwrap_or_default();
            hash.update(part);
            file.write_all(part).map_err(failed)?;
            bytes += read as u64;
        }
        Ok(Intake { file, sha256: pincite_core::hex(&hash.finalize()), bytes })
    }

    /// Keeps bytes under their hash, durably. Bytes already kept are left alone.
    ///
    /// # Errors
    /// [`StoreError::File`].
    pub fn keep(&self, intake: Intake) -> Result<(), StoreError> {
        let path = self.path(&intake.sha256);
        let failed = |cause| StoreError::File { path: path.clone(), cause };
        if path.is_file() {
            return Ok(());
        }
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder).map_err(failed)?;
        intake.file.as_file().sync_all().map_err(failed)?;
        intake.file.persist(&path).map_err(|error| failed(error.error))?;
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed)?;
        File::open(&self.folder).and_then(|folder| folder.sync_all()).map_err(failed)
    }

    /// Removes bytes that no version names (an ingest that could not be recorded).
    pub fn discard(&self, sha256: &str) {
        let _ = fs::remove_file(self.path(sha256));
    }

    /// A kept blob, open for reading.
    ///
    /// # Errors
    /// [`StoreError::File`]; [`io::ErrorKind::NotFound`] inside where it is missing.
    pub fn open(&self, sha256: &str) -> Result<File, StoreError> {
        let path = self.path(sha256);
        File::open(&path).map_err(|cause| StoreError::File { path, cause })
    }

    /// Whether a kept blob still hashes to its name. A missing one does not.
    #[must_use]
    pub fn is_whole(&self, sha256: &str) -> bool {
        let Ok(mut file) = self.open(sha256) else { return false };
        let mut hash = Sha256::new();
        io::copy(&mut file, &mut hash).is_ok() && pincite_core::hex(&hash.finalize()) == sha256
    }
}
