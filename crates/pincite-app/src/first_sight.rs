//! A workspace in a folder that this person has not opened before is looked over first: somebody may have sent it.
//!
//! What was looked over is remembered by where it is and which file it is, in a list beside the anchors; a copy, or another file
//! in its place, is looked over again. Without a place to remember, everything is looked over every time.
//!
//! Deliberately not here: the looking (`pincite-store::first_sight`), and a team's database, which its administrator answers for.

use crate::error::AppError;
use pincite_store::{Place, Store, first_sight};
use serde::{Deserialize, Serialize};
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A database file that was looked over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    path: PathBuf,
    device: u64,
    file: u64,
}

fn known(database: &Path) -> Option<Known> {
    let path = database.canonicalize().ok()?;
    #[cfg(unix)]
    let (device, file) = {
        use std::os::unix::fs::MetadataExt as _;
        let metadata = fs::metadata(&path).ok()?;
        (metadata.dev(), metadata.ino())
    };
    #[cfg(not(unix))]
    let (device, file) = (0, 0);
    Some(Known { path, device, file })
}

fn list(remembered: &Path) -> PathBuf {
    remembered.join("looked-over")
}

fn is_remembered(remembered: &Path, this: &Known) -> bool {
    let text = fs::read_to_string(list(remembered)).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str::<Known>(line).ok())
        .any(|known| &known == this)
}

/// Remembers a workspace that was just made or looked over. Where that can't be written it is looked over again the next time.
pub fn remember(place: &Place, remembered: Option<&Path>) {
    let (Place::Folder(folder), Some(remembered)) = (place, remembered) else {
        return;
    };
    let Some(this) = known(&Store::database_file(folder)).filter(|this| !is_remembered(remembered, this)) else {
        return;
    };
    let written = fs::create_dir_all(remembered).and_then(|()| {
        let mut line = serde_json::to_string(&this)?;
        line.push('\n');
        let mut file = OpenOptions::new().create(true).append(true).open(list(remembered))?;
        file.write_all(line.as_bytes())
    });
    if let Err(error) = written {
        tracing::warn!(%error, "what was looked over could not be remembered");
    }
}

/// Looks over a workspace in a folder, where one is there that is not remembered.
///
/// # Errors
/// What is not as Pincite makes them; nothing of it was used.
pub async fn look_over(place: &Place, remembered: Option<&Path>) -> Result<(), AppError> {
    let Place::Folder(folder) = place else {
        return Ok(());
    };
    let database = Store::database_file(folder);
    if !database.is_file() {
        return Ok(());
    }
    if let (Some(remembered), Some(this)) = (remembered, known(&database))
        && is_remembered(remembered, &this)
    {
        return Ok(());
    }
    first_sight::look_over(folder).await?;
    remember(place, remembered);
    Ok(())
}
