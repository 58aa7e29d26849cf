//! Writing a file whole or not at all.
//!
//! Deliberately not here: what is in it.

use crate::output::Failure;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// Whether a file can be written there: what stands under its name stays as it is. `what` begins the line where it can't.
pub(crate) fn try_place(path: &Path, what: &str) -> Result<(), Failure> {
    let passing = passing(path, what)?;
    let tried = File::create(&passing).and_then(|_| std::fs::remove_file(&passing));
    tried.map_err(|error| failed(path, what, &error.to_string()))
}

fn failed(path: &Path, what: &str, cause: &str) -> Failure {
    Failure::input(format!("{}: {what} can't be written: {cause}", path.display()))
}

/// The name under which it is written.
fn passing(path: &Path, what: &str) -> Result<PathBuf, Failure> {
    let mut name = path
        .file_name()
        .ok_or_else(|| failed(path, what, "name a file"))?
        .to_owned();
    name.push(".new");
    Ok(path.with_file_name(name))
}

/// Writes a file under another name beside its place and moves it there when it is whole. `what` begins the line where that fails.
pub(crate) fn write(
    path: &Path,
    what: &str,
    content: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let passing = passing(path, what)?;
    let written = File::create(&passing)
        .and_then(|file| {
            let mut file = BufWriter::new(file);
            content(&mut file)?;
            file.flush()
        })
        .and_then(|()| std::fs::rename(&passing, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&passing);
        failed(path, what, &error.to_string())
    })
}
