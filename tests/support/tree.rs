//! The source tree under test: its root, its fixtures, its files as git knows them.
//!
//! Deliberately not here: writing to it. No test does.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The root of the source tree.
///
/// # Panics
/// Where this crate was moved away from `tests/`.
#[must_use]
pub fn root() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().expect("tests/ lies in the source tree").to_owned()
}

/// A file or folder of `fixtures/`.
#[must_use]
pub fn fixture(path: &str) -> PathBuf {
    root().join("fixtures").join(path)
}

/// A fixture's text.
///
/// # Panics
/// Where it can't be read.
#[must_use]
pub fn fixture_text(path: &str) -> String {
    let path = fixture(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A file of the tree.
#[derive(Debug, Clone)]
pub struct Source {
    /// Its path below the root, with `/`.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl Source {
    /// Its name's last part after a dot; empty where it has none.
    #[must_use]
    pub fn extension(&self) -> &str {
        Path::new(&self.path)
            .extension()
            .and_then(|extension| extension.to_str())
            .unwrap_or_default()
    }
}

/// Every text file that is tracked, or would be with the next commit.
///
/// # Panics
/// Where git does not answer.
#[must_use]
pub fn sources() -> Vec<Source> {
    let root = root();
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(&root)
        .output()
        .expect("git lists the tree");
    assert!(
        listed.status.success(),
        "git ls-files: {}",
        String::from_utf8_lossy(&listed.stderr)
    );
    let mut sources: Vec<Source> = listed
        .stdout
        .split(|byte| *byte == 0)
        .filter(|path| !path.is_empty())
        .filter_map(|path| {
            let path = String::from_utf8_lossy(path).into_owned();
            // What was removed and not yet committed is listed and can't be read; pictures and PDFs are no text.
            let text = std::fs::read(root.join(&path))
                .ok()
                .and_then(|bytes| String::from_utf8(bytes).ok())?;
            Some(Source { path, text })
        })
        .collect();
    sources.sort_by(|one, other| one.path.cmp(&other.path));
    sources.dedup_by(|one, other| one.path == other.path);
    assert!(
        sources.len() > 100,
        "only {} files: this is not the source tree",
        sources.len()
    );
    sources
}
