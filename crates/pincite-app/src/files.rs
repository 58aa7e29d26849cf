//! Opening what a person named: one place for the words when it is missing, a folder, or can't be read.
//!
//! Deliberately not here: what is in the file.

use crate::error::AppError;
use std::fs::{File, Metadata};
use std::path::Path;

/// An error about a file: its path, then the cause.
pub(crate) fn refused(path: &Path, cause: &str) -> AppError {
    AppError::bad_input(format!("{}: {cause}", path.display()))
}

fn unreadable(path: &Path, error: &std::io::Error) -> AppError {
    refused(path, &format!("it can't be read: {error}"))
}

/// Looks at a file without opening it; `wanted` says what to name instead of a folder.
///
/// # Errors
/// One line with the path: no such file, a folder, or what the system says.
pub(crate) fn look(path: &Path, wanted: &str) -> Result<Metadata, AppError> {
    let metadata = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => refused(path, "there is no such file"),
        _ => unreadable(path, &error),
    })?;
    if metadata.is_dir() {
        return Err(refused(path, &format!("this is a folder; {wanted}")));
    }
    Ok(metadata)
}

/// Opens a file for reading.
///
/// # Errors
/// One line with the path and what the system says.
pub(crate) fn open(path: &Path) -> Result<File, AppError> {
    File::open(path).map_err(|error| unreadable(path, &error))
}
