//! Anchors: signed checkpoints of the audit chain, kept in a file that is not the database.
//!
//! Every [`EVERY`] entries and when a workspace is closed, one line is added to the workspace's anchor file: how long the chain
//! is, its last hash, when, signed with this person's key. Whoever changes the database alone can't change it; whoever changes the
//! file too can't sign. Lines can be copied anywhere, to be checked by `pincite audit verify --anchor FILE`.
//!
//! An anchor that can't be written stops nobody's work: it is logged, and the next one covers what it would have.
//!
//! Deliberately not here: what is signed (`pincite-core::checkpoint`), the chain (`pincite-store::audit`), and taking a file to a
//! place where nobody at this machine can reach it: that is for whoever runs it.

use crate::error::AppError;
use crate::ports::new_secret;
use crate::times;
use crate::workspace::own_folder;
use pincite_core::checkpoint::{Checkpoint, SignedCheckpoint, public_key};
use pincite_core::hex;
use pincite_store::ChainListener;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// After so many entries there is another anchor.
pub const EVERY: i64 = 100;

/// One line of an anchor file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnchorLine {
    /// The workspace's id.
    pub workspace: String,
    /// How many entries the chain had.
    pub entries: i64,
    /// The last one's hash, hexadecimal.
    pub head: String,
    /// When that one was written.
    pub recorded_at: String,
    /// The public half of the key, hexadecimal.
    pub public_key: String,
    /// The signature, hexadecimal.
    pub signature: String,
}

/// Where this person's anchors and their key are kept: `PINCITE_ANCHORS`, else beside the user's other data.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    own_folder("PINCITE_ANCHORS", "anchors")
}

/// This person's anchor file of a workspace.
#[must_use]
pub fn own_file(workspace_id: &str) -> Option<PathBuf> {
    folder().map(|folder| folder.join(format!("{workspace_id}.jsonl")))
}

/// The public half of this person's key, hexadecimal, where they have one.
#[must_use]
pub fn own_key() -> Option<String> {
    let secret: [u8; 32] = fs::read(folder()?.join(KEY)).ok()?.try_into().ok()?;
    Some(hex(&public_key(&secret)))
}

const KEY: &str = "key";

/// What the chain has come to, and how much of that was anchored here.
#[derive(Debug, Default)]
struct State {
    last: Option<(i64, [u8; 32], i64)>,
    anchored: i64,
}

/// Writes the anchors of one open workspace.
#[derive(Debug)]
pub(crate) struct Anchors {
    workspace_id: String,
    folder: PathBuf,
    state: Mutex<State>,
}

impl Anchors {
    pub(crate) fn new(workspace_id: String, folder: PathBuf) -> Self {
        Self {
            workspace_id,
            folder,
            state: Mutex::default(),
        }
    }

    /// Anchors what was appended since the last anchor, if anything was.
    pub(crate) fn finish(&self) {
        self.write(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn write(&self, state: &mut State) {
        let Some((entries, head, recorded_at)) = state.last else {
            return;
        };
        if entries <= state.anchored {
            return;
        }
        let checkpoint = Checkpoint {
            workspace: self.workspace_id.clone(),
            entries,
            head,
            recorded_at,
        };
        match append(&self.folder, checkpoint) {
            Ok(()) => state.anchored = entries,
            Err(error) => tracing::warn!(%error, "the audit chain could not be anchored"),
        }
    }
}

/// The store's end of it.
#[derive(Debug)]
pub(crate) struct Listener(pub(crate) std::sync::Arc<Anchors>);

impl ChainListener for Listener {
    fn grown(&self, entries: i64, head: [u8; 32], recorded_at: i64) {
        let mut state = self.0.state.lock().unwrap_or_else(PoisonError::into_inner);
        // Writes that end at the same time may be told of in another order.
        if state.last.is_none_or(|(last, ..)| last < entries) {
            state.last = Some((entries, head, recorded_at));
        }
        if entries - state.anchored >= EVERY {
            self.0.write(&mut state);
        }
    }
}

fn append(folder: &Path, checkpoint: Checkpoint) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let path = folder.join(format!("{}.jsonl", checkpoint.workspace));
    let signed = checkpoint.sign(&secret(folder)?);
    let mut line = serde_json::to_string(&AnchorLine::from(&signed))?;
    line.push('\n');
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(line.as_bytes())?;
    file.sync_all()
}

/// This person's key; made where there is none.
fn secret(folder: &Path) -> io::Result<[u8; 32]> {
    let path = folder.join(KEY);
    if !path.exists() {
        make_secret(folder, &path)?;
    }
    fs::read(&path)?.try_into().map_err(|_| {
        io::Error::other(format!(
            "{}: it is no key of 32 bytes; move it away, and another is made",
            path.display()
        ))
    })
}

/// Under a passing name first: nobody ever reads half a key, and of two programs that make one at the same time one wins.
fn make_secret(folder: &Path, path: &Path) -> io::Result<()> {
    let passing = folder.join(format!("{KEY}.{}", std::process::id()));
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    // Nobody else may read it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&passing)?;
    file.write_all(&new_secret()?)?;
    file.sync_all()?;
    let linked = fs::hard_link(&passing, path);
    fs::remove_file(&passing)?;
    File::open(folder)?.sync_all()?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

impl From<&SignedCheckpoint> for AnchorLine {
    fn from(signed: &SignedCheckpoint) -> Self {
        Self {
            workspace: signed.checkpoint.workspace.clone(),
            entries: signed.checkpoint.entries,
            head: hex(&signed.checkpoint.head),
            recorded_at: times::text(signed.checkpoint.recorded_at),
            public_key: hex(&signed.public_key),
            signature: hex(&signed.signature),
        }
    }
}

impl AnchorLine {
    fn signed(&self) -> Option<SignedCheckpoint> {
        Some(SignedCheckpoint {
            checkpoint: Checkpoint {
                workspace: self.workspace.clone(),
                entries: self.entries,
                head: bytes(&self.head)?,
                recorded_at: times::milliseconds(&self.recorded_at)?,
            },
            public_key: bytes(&self.public_key)?,
            signature: bytes(&self.signature)?,
        })
    }
}

fn bytes<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digits: Option<Vec<u8>> = (0..text.len() / 2)
        .map(|at| u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok())
        .collect();
    digits.filter(|_| text.len() == 2 * N)?.try_into().ok()
}

/// Reads the anchors of one workspace. Those of others in the same file are passed over.
///
/// # Errors
/// A file that can't be read; a line that is no anchor, is not signed by the key that it names, or by another than the one that
/// is trusted.
pub(crate) fn read(path: &Path, workspace_id: &str, trusted: Option<&str>) -> Result<Vec<SignedCheckpoint>, AppError> {
    let text = fs::read_to_string(path)
        .map_err(|error| AppError::bad_input(format!("{}: the anchors can't be read: {error}", path.display())))?;
    let mut anchors = Vec::new();
    for (number, line) in (1_usize..).zip(text.lines()) {
        let refused = |why: &str| AppError::bad_input(format!("{}, line {number}: {why}", path.display()));
        let line: AnchorLine =
            serde_json::from_str(line).map_err(|error| refused(&format!("it is no anchor: {error}")))?;
        if line.workspace != workspace_id {
            continue;
        }
        let signed = line.signed().filter(SignedCheckpoint::is_signed);
        let signed = signed.ok_or_else(|| refused("the signature does not fit what it signs: the line was altered"))?;
        if trusted.is_some_and(|trusted| trusted != line.public_key) {
            let key = &line.public_key;
            return Err(refused(&format!(
                "it is signed with the key {key}, which is not the one trusted"
            )));
        }
        anchors.push(signed);
    }
    Ok(anchors)
}
