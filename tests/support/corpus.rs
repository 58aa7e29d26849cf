//! Real documents, where this machine has them.
//!
//! Deliberately not here: fetching any. A test that needs them says that it was skipped.

use std::path::PathBuf;

/// The folder of real documents (`PINCITE_CORPUS`). Where there is none, says so and answers `None`.
///
/// # Panics
/// Where `PINCITE_CORPUS` names something that is no folder: a typing mistake must not look like a pass.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("PINCITE_CORPUS")
        .filter(|folder| !folder.is_empty())
        .map(PathBuf::from)
    else {
        eprintln!("skipped: no corpus (PINCITE_CORPUS names a folder of real documents)");
        return None;
    };
    assert!(
        folder.is_dir(),
        "PINCITE_CORPUS={}: this is no folder",
        folder.display()
    );
    Some(folder)
}
