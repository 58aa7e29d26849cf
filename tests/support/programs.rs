//! Where the programs under test are.
//!
//! `PINCITE_BIN_DIR` (the Makefile sets it), else the folders above the test's own program: cargo puts tests into
//! `target/debug/deps` and programs into `target/debug`.
//!
//! Deliberately not here: building them. `make test` has, before it runs a test.

use std::path::PathBuf;

/// The program of this name, such as `pincite`.
///
/// # Panics
/// Where it is not built.
#[must_use]
pub fn program(name: &str) -> PathBuf {
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    if let Some(folder) = std::env::var_os("PINCITE_BIN_DIR").filter(|folder| !folder.is_empty()) {
        let path = PathBuf::from(folder).join(&file);
        assert!(
            path.is_file(),
            "{} is not there: build it with `make build`",
            path.display()
        );
        return path;
    }
    let own = std::env::current_exe().expect("a test knows its own program");
    let found = own
        .ancestors()
        .skip(1)
        .take(3)
        .map(|folder| folder.join(&file))
        .find(|path| path.is_file());
    found.unwrap_or_else(|| panic!("{file} is not beside {}: build it with `make build`", own.display()))
}
