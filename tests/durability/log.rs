//! The log that `shim.c` writes: every call that changed the disk, and every answer, in order.
//!
//! Deliberately not here: what a crash leaves of them (`disk`).

use std::path::Path;

/// One call that succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Call {
    /// A file or folder that was there was opened: this inode is that path.
    Opened { path: String, inode: u64 },
    /// A file was made.
    Created { path: String, inode: u64 },
    /// Bytes were written into a file.
    Wrote { inode: u64, offset: usize, bytes: Vec<u8> },
    /// A file was cut or lengthened to this many bytes.
    Truncated { inode: u64, length: usize },
    /// A file or a folder was made durable.
    Synced { path: String, inode: u64 },
    /// A folder was made.
    MadeFolder { path: String },
    /// A file got another name, and what had that name is gone.
    Renamed { from: String, to: String },
    /// A file or an empty folder was removed.
    Removed { path: String },
    /// The program answered.
    Said { text: String },
}

/// A line of the log.
#[derive(Debug, Clone)]
pub(crate) struct Noted {
    /// Where the line begins in the log's file.
    pub(crate) at: usize,
    /// Which counted call it was, from 1; 0 where it was not counted.
    pub(crate) number: u64,
    /// Its kind, as `shim.c` writes it.
    pub(crate) kind: char,
    /// What it did; `None` where it failed or changed nothing.
    pub(crate) call: Option<Call>,
}

/// Reads a log. What a killed program wrote last may be half a line: it ends there.
pub(crate) fn read(path: &Path) -> Vec<Noted> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut calls = Vec::new();
    let mut at = 0;
    while let Some(length) = bytes[at..].iter().position(|byte| *byte == b'\n') {
        let line = std::str::from_utf8(&bytes[at..at + length]).expect("a line of the log is text");
        let mut words = line.splitn(7, ' ');
        let mut word = || words.next().unwrap_or_else(|| panic!("no line of a log: {line}"));
        let kind = word().chars().next().unwrap_or('!');
        let mut number = || {
            word()
                .parse::<i64>()
                .unwrap_or_else(|_| panic!("no line of a log: {line}"))
        };
        let (count, error, inode, offset, length_of_bytes) = (number(), number(), number(), number(), number());
        let path = word().to_owned();
        let whole = |number: i64| usize::try_from(number).unwrap_or(0);
        let start = at + length + 1;
        // Only what is written and said is followed by its bytes.
        let end = start + whole(length_of_bytes);
        let Some(body) = bytes.get(start..end) else { break };
        let inode = u64::try_from(inode).unwrap_or(0);
        assert!(kind != '!', "a call that no crash can be worked out of: {path}");
        let two = || path.split_once('\t').map(|(from, to)| (from.to_owned(), to.to_owned()));
        let call = match kind {
            // Shared memory lasts no longer than the programs that share it.
            _ if error != 0 || path.ends_with("-shm") => None,
            'o' => Some(Call::Opened { path, inode }),
            'c' => Some(Call::Created { path, inode }),
            'w' => Some(Call::Wrote {
                inode,
                offset: whole(offset),
                bytes: body.to_vec(),
            }),
            't' => Some(Call::Truncated {
                inode,
                length: whole(offset),
            }),
            's' => Some(Call::Synced { path, inode }),
            'n' => Some(Call::MadeFolder { path }),
            'R' => two().map(|(from, to)| Call::Renamed { from, to }),
            'L' => panic!("a link is not worked out yet: {path}"),
            'u' => Some(Call::Removed { path }),
            'a' => Some(Call::Said {
                text: String::from_utf8_lossy(body).into_owned(),
            }),
            _ => None,
        };
        calls.push(Noted {
            at,
            number: u64::try_from(count).unwrap_or(0),
            kind,
            call,
        });
        at = end;
    }
    calls
}

/// How many calls were counted.
pub(crate) fn counted(calls: &[Noted]) -> u64 {
    calls.iter().map(|noted| noted.number).max().unwrap_or(0)
}
