//! Writing a file whole or not at all.
//!
//! Deliberately not here: what is in it.

use crate::output::Failure;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

/// Writes a file under another name beside its place and moves it there when it is whole. `what` begins the line where that fails.
pub(crate) fn write(
    path: &Path,
    what: &str,
    content: impl FnOnce(&mut BufWriter<File>) -> std::io::Result<()>,
) -> Result<(), Failure> {
    let failed = |cause: &str| Failure::input(format!("{}: {what} can't be written: {cause}", path.display()));
    let mut name = path.file_name().ok_or_else(|| failed("name a file"))?.to_owned();
    name.push(".new");
    let passing = path.with_file_name(name);
    let written = File::create(&passing)
        .and_then(|file| {
            let mut file = BufWriter::new(file);
            content(&mut file)?;
            file.flush()
        })
        .and_then(|()| std::fs::rename(&passing, path));
    written.map_err(|error| {
        let _ = std::fs::remove_file(&passing);
        failed(&error.to_string())
    })
}
