//! The list in a backup: what it is a backup of, and every file with its length and hash.
//!
//! The list has a hash of its own beside it, in a form that `sha256sum -c` reads too. So a backup of which anything changed is
//! refused. That finds what disks and hands do; somebody who writes the whole list anew is found by the anchors of the audit chain.
//!
//! Deliberately not here: making a backup (`backup`), using it (`restore`).

use crate::error::AppError;
use crate::files::refused;
use crate::unfinished::LOCK;
use pincite_store::database_copy::Facts;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

const LIST: &str = "manifest.json";
const SEAL: &str = "manifest.sha256";

/// The form of a backup.
const FORMAT: &str = "pincite-backup-1";

/// What a backup says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    format: String,
    /// The version of the program that made it.
    pincite: String,
    /// The number of the newest migration.
    pub(crate) schema: i64,
    /// `sqlite` or `postgres`.
    pub(crate) database: String,
    workspace_id: String,
    made_at: String,
    entries: i64,
    head: String,
    content: String,
    numbers: BTreeMap<String, i64>,
    pub(crate) files: Vec<Listed>,
}

/// A file of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Listed {
    /// Below the backup's folder, its parts joined by `/`.
    pub(crate) path: String,
    /// Length.
    pub(crate) bytes: u64,
    /// SHA-256, hexadecimal.
    pub(crate) sha256: String,
}

impl Manifest {
    pub(crate) fn new(facts: Facts, database: &str, made_at: String, files: Vec<Listed>) -> Self {
        Self {
            format: FORMAT.into(),
            pincite: env!("CARGO_PKG_VERSION").into(),
            schema: facts.schema,
            database: database.into(),
            workspace_id: facts.workspace_id,
            made_at,
            entries: facts.entries,
            head: facts.head,
            content: facts.content,
            numbers: facts.numbers,
            files,
        }
    }

    /// What the workspace in it comes to.
    pub(crate) fn facts(&self) -> Facts {
        Facts {
            schema: self.schema,
            workspace_id: self.workspace_id.clone(),
            entries: self.entries,
            head: self.head.clone(),
            content: self.content.clone(),
            numbers: self.numbers.clone(),
        }
    }

    /// Writes it, durably.
    ///
    /// # Errors
    /// What the system says.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), AppError> {
        let failed = |error: io::Error| refused(folder, &format!("its list can't be written: {error}"));
        let mut list = serde_json::to_string_pretty(self).map_err(|error| failed(error.into()))?;
        list.push('\n');
        let seal = format!("{}  {LIST}\n", pincite_core::sha256_hex(list.as_bytes()));
        for (name, text) in [(LIST, list), (SEAL, seal)] {
            let written = File::create(folder.join(name)).and_then(|mut file| {
                file.write_all(text.as_bytes())?;
                file.sync_all()
            });
            written.map_err(failed)?;
        }
        Ok(())
    }

    /// Reads the list of a backup, which its seal must fit.
    ///
    /// # Errors
    /// One line with the path: no backup, a list that was changed, a form that this program does not know.
    pub(crate) fn read(folder: &Path) -> Result<Self, AppError> {
        let text = |name: &str| {
            fs::read_to_string(folder.join(name)).map_err(|error| match error.kind() {
                io::ErrorKind::NotFound if !folder.is_dir() => refused(folder, "there is no such folder"),
                io::ErrorKind::NotFound => refused(
                    folder,
                    &format!("this is no whole backup: {name} is missing. Name a folder that `pincite backup` made"),
                ),
                _ => refused(&folder.join(name), &format!("it can't be read: {error}")),
            })
        };
        let (list, seal) = (text(LIST)?, text(SEAL)?);
        if seal != format!("{}  {LIST}\n", pincite_core::sha256_hex(list.as_bytes())) {
            return Err(changed(
                folder,
                &format!("{LIST} is not the one that {SEAL} was made for"),
            ));
        }
        let unknown = |what: String| refused(&folder.join(LIST), &what);
        let form: Form = serde_json::from_str(&list).map_err(|error| unknown(format!("it is no list: {error}")))?;
        if form.format != FORMAT {
            return Err(unknown(format!(
                "it is of the form {}, and this Pincite knows {FORMAT}: use the one that made it ({}), or a newer one",
                form.format, form.pincite
            )));
        }
        serde_json::from_str(&list).map_err(|error| unknown(format!("it can't be read: {error}")))
    }

    /// Reads every file and compares it with the list: none changed, none missing, none added.
    ///
    /// # Errors
    /// One line with the first that differs.
    pub(crate) fn check(&self, folder: &Path) -> Result<(), AppError> {
        let mut wanted: BTreeMap<&str, &Listed> = self.files.iter().map(|file| (&*file.path, file)).collect();
        for path in files_below(folder, "")? {
            if matches!(path.as_str(), LIST | SEAL | LOCK) {
                continue;
            }
            let Some(listed) = wanted.remove(path.as_str()) else {
                return Err(changed(folder, &format!("{path} was added")));
            };
            let found = hashed(&folder.join(&path), path.clone())?;
            if &found != listed {
                return Err(changed(folder, &format!("{path} was changed")));
            }
        }
        match wanted.keys().next() {
            None => Ok(()),
            Some(path) => Err(changed(folder, &format!("{path} is missing"))),
        }
    }
}

/// What every form of a list has.
#[derive(Debug, Deserialize)]
struct Form {
    format: String,
    pincite: String,
}

fn changed(folder: &Path, what: &str) -> AppError {
    refused(
        folder,
        &format!("the backup is not as it was made: {what}. Nothing of it was used; take another one"),
    )
}

/// A file as a list has it.
///
/// # Errors
/// What the system says.
pub(crate) fn hashed(file: &Path, path: String) -> Result<Listed, AppError> {
    let mut hash = Sha256::new();
    let read = File::open(file).and_then(|mut file| io::copy(&mut file, &mut hash));
    let bytes = read.map_err(|error| refused(file, &format!("it can't be read: {error}")))?;
    Ok(Listed {
        path,
        bytes,
        sha256: pincite_core::hex(&hash.finalize()),
    })
}

/// Every file below a folder. What is neither a file nor a folder is no part of a backup.
fn files_below(folder: &Path, before: &str) -> Result<Vec<String>, AppError> {
    let failed = |error: &io::Error| refused(folder, &format!("it can't be read: {error}"));
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| failed(&error))? {
        let entry = entry.map_err(|error| failed(&error))?;
        let kind = entry.file_type().map_err(|error| failed(&error))?;
        let path = format!("{before}{}", entry.file_name().to_string_lossy());
        if kind.is_dir() {
            found.extend(files_below(&entry.path(), &format!("{path}/"))?);
        } else if kind.is_file() {
            found.push(path);
        } else {
            return Err(changed(folder, &format!("{path} is no file")));
        }
    }
    Ok(found)
}
