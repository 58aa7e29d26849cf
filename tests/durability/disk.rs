//! What a disk holds when the power goes: everything that was made durable, and of the rest a part that nobody chooses.
//!
//! The model is the strict reading of POSIX. A file's bytes last once the file was synced; until then any part of what was
//! written since may be there, in parts of 4 KiB or torn ones of 512 bytes, and any change of length or none. A name lasts once
//! its folder was synced: a file that was synced under a name that was not can be gone. A rename is one step, of the folder
//! that gets the name. What is not synced is lost or not for each thing by itself, or in the order of its making.
//!
//! Deliberately not here: bytes that were synced and rot, disks that lie about a sync, and a system that forgets after a sync
//! that failed what it still shows to programs: SQLite would take the log's rest for written, and nothing above it can tell.

use crate::log::Call;
use pincite_tests::Chance;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Node {
    Folder,
    File(usize),
}

/// A change of a file's bytes that may not have reached the disk.
#[derive(Debug, Clone)]
enum Change {
    Wrote { offset: usize, bytes: Vec<u8> },
    Truncated { length: usize },
}

/// A change of names that may not have reached the disk.
#[derive(Debug, Clone)]
enum Naming {
    Made { path: String, node: Node },
    Renamed { from: String, to: String, node: Node },
    Removed { path: String },
}

/// A file's bytes: those that programs see, those that last, and what was done since.
#[derive(Debug, Clone, Default)]
struct Content {
    seen: Vec<u8>,
    lasting: Vec<u8>,
    since: Vec<Change>,
}

type Names = BTreeMap<String, Node>;

/// A folder on a disk, as a program sees it and as it would be found after a crash.
#[derive(Debug, Clone)]
pub(crate) struct Disk {
    files: Vec<Content>,
    inodes: HashMap<u64, usize>,
    seen: Names,
    lasting: Names,
    since: Vec<Naming>,
}

/// The files and folders of a crashed disk: a folder has no bytes.
pub(crate) type Image = BTreeMap<String, Option<Vec<u8>>>;

impl Disk {
    /// A folder whose content lasts.
    pub(crate) fn of(folder: &Path) -> Self {
        let mut disk = Self {
            files: Vec::new(),
            inodes: HashMap::new(),
            seen: Names::new(),
            lasting: Names::new(),
            since: Vec::new(),
        };
        if folder.is_dir() {
            for (path, bytes) in image_of(folder) {
                let node = match bytes {
                    None => Node::Folder,
                    Some(lasting) => {
                        disk.files.push(Content {
                            seen: lasting.clone(),
                            lasting,
                            since: Vec::new(),
                        });
                        Node::File(disk.files.len() - 1)
                    }
                };
                disk.seen.insert(path, node);
            }
        }
        // Of what is around the folder nothing is told: it itself lasts.
        disk.seen.insert(String::new(), Node::Folder);
        disk.lasting = disk.seen.clone();
        disk
    }

    /// What a call did to it.
    pub(crate) fn apply(&mut self, call: &Call) {
        match call {
            Call::Opened { path, inode } => {
                if let Some(Node::File(file)) = self.seen.get(path) {
                    self.inodes.insert(*inode, *file);
                }
            }
            Call::Created { path, inode } => {
                self.files.push(Content::default());
                let file = self.files.len() - 1;
                self.inodes.insert(*inode, file);
                self.name(Naming::Made {
                    path: path.clone(),
                    node: Node::File(file),
                });
            }
            Call::MadeFolder { path } if path.is_empty() => {}
            Call::MadeFolder { path } => self.name(Naming::Made {
                path: path.clone(),
                node: Node::Folder,
            }),
            Call::Renamed { from, to } => {
                let node = self.seen.get(from).copied();
                assert!(
                    node != Some(Node::Folder),
                    "a folder that is renamed is not worked out yet: {from}"
                );
                self.name(Naming::Renamed {
                    from: from.clone(),
                    to: to.clone(),
                    node: node.unwrap_or_else(|| panic!("the log renames {from}, which it never made")),
                });
            }
            Call::Removed { path } => self.name(Naming::Removed { path: path.clone() }),
            Call::Wrote { inode, offset, bytes } => self.file(*inode).change(Change::Wrote {
                offset: *offset,
                bytes: bytes.clone(),
            }),
            Call::Truncated { inode, length } => self.file(*inode).change(Change::Truncated { length: *length }),
            // A folder's own inode number may once have been a file's: its name decides.
            Call::Synced { path, .. } if self.seen.get(path) == Some(&Node::Folder) => self.sync_folder(path),
            Call::Synced { inode, .. } => {
                let file = self.file(*inode);
                for change in std::mem::take(&mut file.since) {
                    change.apply_to(&mut file.lasting);
                }
            }
            Call::Said { .. } => {}
        }
    }

    fn file(&mut self, inode: u64) -> &mut Content {
        let file = self.inodes.get(&inode).copied();
        let file = file.unwrap_or_else(|| panic!("the log writes to inode {inode}, which it never opened"));
        &mut self.files[file]
    }

    fn name(&mut self, naming: Naming) {
        naming.apply_to(&mut self.seen);
        self.since.push(naming);
    }

    fn sync_folder(&mut self, folder: &str) {
        for naming in std::mem::take(&mut self.since) {
            if parent(naming.lands_at()) == Some(folder) {
                naming.apply_to(&mut self.lasting);
            } else {
                self.since.push(naming);
            }
        }
    }

    /// Everything as the program sees it: what is found when nothing crashes.
    pub(crate) fn whole(&self) -> Image {
        with_bytes(&self.seen, |file| self.files[file].seen.clone())
    }

    /// What is found after a crash that loses all it can.
    pub(crate) fn durable(&self) -> Image {
        with_bytes(&self.lasting, |file| self.files[file].lasting.clone())
    }

    /// What may be found after a crash.
    pub(crate) fn crashed(&self, chance: &mut Chance) -> Image {
        let odds = Odds::drawn(chance);
        let mut names = self.lasting.clone();
        let in_order = chance.below(2) == 0;
        let end = chance.below(self.since.len() as u64 + 1);
        let mut lost: BTreeSet<&str> = BTreeSet::new();
        for (number, naming) in (0..).zip(&self.since) {
            let kept = match (odds.of_ten, in_order) {
                (0, _) => false,
                (10, _) => true,
                (_, true) => number < end,
                (_, false) => odds.kept(chance),
            };
            // What rests on a change that is lost is lost with it: the next change of the same name, or of what is inside.
            let rests = naming
                .paths()
                .any(|path| ancestors(path).any(|above| lost.contains(above)));
            if kept && !rests {
                naming.apply_to(&mut names);
            } else {
                lost.extend(naming.paths());
            }
        }
        let mut contents: HashMap<usize, Vec<u8>> = HashMap::new();
        for node in names.values() {
            if let Node::File(file) = node {
                contents
                    .entry(*file)
                    .or_insert_with(|| self.files[*file].crashed(odds, chance));
            }
        }
        with_bytes(&names, |file| contents.get(&file).cloned().unwrap_or_default())
    }
}

/// How much of what is not durable is found all the same.
#[derive(Debug, Clone, Copy)]
struct Odds {
    of_ten: u64,
    part: usize,
}

impl Odds {
    fn drawn(chance: &mut Chance) -> Self {
        // Often nothing, because that is what loses most; sometimes everything.
        let of_ten = [0, 0, 0, 10, 1 + chance.below(9), 5, 5, 9][usize::try_from(chance.below(8)).unwrap_or(0)];
        let part = if chance.below(3) == 0 { 512 } else { 4096 };
        Self { of_ten, part }
    }

    fn kept(self, chance: &mut Chance) -> bool {
        chance.below(10) < self.of_ten
    }
}

impl Content {
    fn change(&mut self, change: Change) {
        change.apply_to(&mut self.seen);
        self.since.push(change);
    }

    fn crashed(&self, odds: Odds, chance: &mut Chance) -> Vec<u8> {
        let mut bytes = self.lasting.clone();
        for change in &self.since {
            match change {
                Change::Truncated { .. } => {
                    if odds.kept(chance) {
                        change.apply_to(&mut bytes);
                    }
                }
                Change::Wrote { offset, bytes: written } => {
                    let mut start = 0;
                    while start < written.len() {
                        // Parts are those of the disk: they begin at whole multiples.
                        let end = written.len().min(start + odds.part - (offset + start) % odds.part);
                        if odds.kept(chance) {
                            write(&mut bytes, offset + start, &written[start..end]);
                        }
                        start = end;
                    }
                }
            }
        }
        bytes
    }
}

impl Change {
    fn apply_to(&self, bytes: &mut Vec<u8>) {
        match self {
            Self::Truncated { length } => bytes.resize(*length, 0),
            Self::Wrote { offset, bytes: written } => write(bytes, *offset, written),
        }
    }
}

fn write(bytes: &mut Vec<u8>, offset: usize, written: &[u8]) {
    let end = offset + written.len();
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    bytes[offset..end].copy_from_slice(written);
}

impl Naming {
    /// The name whose folder makes it last.
    fn lands_at(&self) -> &str {
        match self {
            Self::Made { path, .. } | Self::Removed { path } => path,
            Self::Renamed { to, .. } => to,
        }
    }

    fn paths(&self) -> impl Iterator<Item = &str> {
        let from = match self {
            Self::Renamed { from, .. } => Some(from.as_str()),
            Self::Made { .. } | Self::Removed { .. } => None,
        };
        from.into_iter().chain(std::iter::once(self.lands_at()))
    }

    fn apply_to(&self, names: &mut Names) {
        match self {
            Self::Made { path, node } => {
                names.insert(path.clone(), *node);
            }
            Self::Removed { path } => {
                names.remove(path);
            }
            Self::Renamed { from, to, node } => {
                // Even where the old name never reached the disk: a rename that did brings the file with it.
                names.remove(from);
                names.insert(to.clone(), *node);
            }
        }
    }
}

fn parent(path: &str) -> Option<&str> {
    (!path.is_empty()).then(|| path.rsplit_once('/').map_or("", |(folder, _)| folder))
}

/// A path and every folder that it lies in.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| parent(path))
}

/// The names with their bytes; what lies in a folder that is not there is not there either.
fn with_bytes(names: &Names, bytes: impl Fn(usize) -> Vec<u8>) -> Image {
    let found = |path: &str| ancestors(path).all(|above| above.is_empty() || names.contains_key(above));
    let there = names.iter().filter(|(path, _)| !path.is_empty() && found(path));
    there
        .map(|(path, node)| {
            let bytes = match node {
                Node::Folder => None,
                Node::File(file) => Some(bytes(*file)),
            };
            (path.clone(), bytes)
        })
        .collect()
}

/// What a real folder holds, but for shared memory.
pub(crate) fn image_of(folder: &Path) -> Image {
    let mut image = Image::new();
    let mut folders = vec![String::new()];
    while let Some(inside) = folders.pop() {
        for entry in std::fs::read_dir(folder.join(&inside)).expect("a folder that can be read") {
            let entry = entry.expect("an entry");
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = if inside.is_empty() {
                name
            } else {
                format!("{inside}/{name}")
            };
            if entry.path().is_dir() {
                image.insert(path.clone(), None);
                folders.push(path);
            } else if !path.ends_with("-shm") {
                image.insert(
                    path,
                    Some(std::fs::read(entry.path()).expect("a file that can be read")),
                );
            }
        }
    }
    image
}

/// Writes an image into a folder that is not there yet.
pub(crate) fn write_image(image: &Image, folder: &Path) {
    std::fs::create_dir(folder).expect("a folder for the image");
    for (path, bytes) in image {
        let path = folder.join(path);
        match bytes {
            None => std::fs::create_dir(&path),
            Some(bytes) => std::fs::write(&path, bytes),
        }
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

/// A file made under a passing name, written, synced, and moved into a folder that was synced or not.
fn moved(synced: bool) -> Disk {
    let path = |name: &str| name.to_owned();
    let mut disk = Disk {
        files: Vec::new(),
        inodes: HashMap::new(),
        seen: Names::from([
            (path(""), Node::Folder),
            (path("kept"), Node::Folder),
            (path("passing"), Node::Folder),
        ]),
        lasting: Names::new(),
        since: Vec::new(),
    };
    disk.lasting = disk.seen.clone();
    let (from, to) = (path("passing/one"), path("kept/one"));
    let mut calls = vec![
        Call::Created {
            path: from.clone(),
            inode: 7,
        },
        Call::Wrote {
            inode: 7,
            offset: 0,
            bytes: vec![1; 9_000],
        },
        Call::Synced {
            path: from.clone(),
            inode: 7,
        },
        Call::Renamed { from, to },
        Call::Wrote {
            inode: 7,
            offset: 0,
            bytes: vec![2; 9_000],
        },
    ];
    if synced {
        calls.insert(
            4,
            Call::Synced {
                path: path("kept"),
                inode: 8,
            },
        );
    }
    calls.iter().for_each(|call| disk.apply(call));
    disk
}

#[test]
fn what_was_synced_is_always_found_and_what_was_not_is_sometimes_lost() {
    let found = |synced: bool| {
        let disk = moved(synced);
        let images = (0..200).map(|seed| disk.crashed(&mut Chance::new(seed)));
        images
            .map(|image| image.get("kept/one").cloned().flatten())
            .collect::<Vec<_>>()
    };
    let (with, without) = (found(true), found(false));
    assert!(
        with.iter().all(Option::is_some),
        "its folder was synced after the rename"
    );
    let lost = without.iter().filter(|bytes| bytes.is_none()).count();
    assert!(
        (50..200).contains(&lost),
        "a name whose folder was not synced is lost in {lost} of 200"
    );
    for bytes in with.iter().flatten() {
        // What was synced is there wherever what was written later is not, part by part.
        assert_eq!(bytes.len(), 9_000);
        assert!(
            bytes
                .chunks(512)
                .all(|part| part.iter().all(|byte| *byte == part[0] && *byte > 0))
        );
    }
    let mixed = |bytes: &&Vec<u8>| bytes.contains(&1) && bytes.contains(&2);
    assert!(with.iter().flatten().any(|bytes| mixed(&bytes)), "a write can be torn");
    assert_eq!(
        moved(false).whole()["kept/one"],
        Some(vec![2; 9_000]),
        "programs see everything"
    );
}
