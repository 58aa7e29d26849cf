//! Documents damaged by chance: opened, read, drawn; whatever comes of it is an answer.
//!
//! They are made from real documents where this machine has some and else from `fixtures/`, with a seed, so that one that
//! was seen once can be seen again.
//!
//! Deliberately not here: documents made to hurt (bombs), and what a whole reading of a damaged one says.

use crate::documents::{Look, look, peak_of};
use pincite_pdf::Limits;
use pincite_tests::{Chance, corpus, tree};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const LIMITS: Limits = Limits {
    memory: 1 << 30,
    processor_seconds: 5,
    document_seconds: 60,
    patience: Duration::from_secs(120),
};

fn documents() -> Vec<Vec<u8>> {
    fn find(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                find(&path, found);
            } else if path
                .extension()
                .is_some_and(|extension| extension.eq_ignore_ascii_case("pdf"))
            {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    match corpus::folder() {
        Some(folder) => find(&folder, &mut found),
        None => find(&tree::fixture("documents"), &mut found),
    }
    found.sort();
    let documents: Vec<Vec<u8>> = found
        .iter()
        .map(|path| std::fs::read(path).expect("a document"))
        .collect();
    assert!(!documents.is_empty(), "there is nothing to damage");
    documents
}

/// A place in the bytes.
fn place(chance: &mut Chance, bytes: &[u8]) -> usize {
    let length = u64::try_from(bytes.len()).expect("a length");
    usize::try_from(chance.below(length)).expect("a place")
}

fn below(chance: &mut Chance, end: u64) -> usize {
    usize::try_from(chance.below(end)).expect("a small number")
}

/// Changes one thing.
fn damage(chance: &mut Chance, bytes: &mut Vec<u8>, others: &[Vec<u8>]) {
    if bytes.is_empty() {
        return;
    }
    let at = place(chance, bytes);
    let end = (at + 1 + below(chance, 4096)).min(bytes.len());
    match chance.below(14) {
        0..=4 => {
            for _ in 0..=below(chance, 32) {
                let at = place(chance, bytes);
                bytes[at] ^= 1 << chance.below(8);
            }
        }
        5 => bytes.truncate(at),
        6 => {
            let other = &others[below(chance, u64::try_from(others.len()).expect("a count"))];
            let from = place(chance, other);
            let until = (from + 1 + below(chance, 4096)).min(other.len());
            bytes.splice(at..end, other[from..until].iter().copied());
        }
        7 => {
            let again = bytes[at..end].to_vec();
            let to = place(chance, bytes);
            bytes.splice(to..to, again);
        }
        8 => bytes[at..end].fill(0),
        9 => drop(bytes.drain(at..end)),
        _ => number(chance, bytes, at),
    }
}

/// Writes another number where the next one stands.
fn number(chance: &mut Chance, bytes: &mut Vec<u8>, at: usize) {
    const ODD: [&str; 12] = [
        "0",
        "-1",
        "1",
        "255",
        "65536",
        "2147483647",
        "-2147483648",
        "4294967295",
        "99999999999999999999",
        "1e39",
        "0.00001",
        "",
    ];
    let Some(start) = (at..bytes.len()).find(|at| bytes[*at].is_ascii_digit()) else {
        return;
    };
    let end = (start..bytes.len())
        .find(|at| !bytes[*at].is_ascii_digit())
        .unwrap_or(bytes.len());
    let new = ODD[below(chance, 12)];
    bytes.splice(start..end, new.bytes());
}

fn mutant(seed: u64, documents: &[Vec<u8>]) -> Vec<u8> {
    let mut chance = Chance::new(seed);
    let mut bytes = documents[below(&mut chance, u64::try_from(documents.len()).expect("a count"))].clone();
    for _ in 0..=below(&mut chance, 4) {
        damage(&mut chance, &mut bytes, documents);
    }
    bytes
}

/// In few words, so that they can be counted.
fn kind(look: &Look) -> String {
    match (&look.died, look.opened) {
        (Some(reason), _) => format!("died: {}", reason.split(':').next().unwrap_or_default()),
        (None, true) if look.failed.is_empty() => "opened".to_owned(),
        (None, true) => "opened, with pages that can't be read".to_owned(),
        (None, false) => format!("refused: {}", look.failed.join("; ")),
    }
}

fn survive(count: u64, first: u64, threads: usize) {
    let documents = documents();
    let next = AtomicU64::new(0);
    let counts: Mutex<BTreeMap<String, u64>> = Mutex::default();
    let (peak, longest) = (AtomicU64::new(0), AtomicU64::new(0));
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    if number > 0 && number.is_multiple_of(1000) {
                        eprintln!("{number} after {:.0?}", began.elapsed());
                    }
                    let seed = first + number;
                    let bytes = mutant(seed, &documents);
                    let began = Instant::now();
                    let look = look(&bytes, LIMITS, 3, 0.5);
                    let took = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
                    longest.fetch_max(took, Ordering::Relaxed);
                    peak.fetch_max(look.peak, Ordering::Relaxed);
                    if let Some(reason) = &look.died {
                        eprintln!("mutant {seed}: {reason}");
                    }
                    *counts.lock().expect("counts").entry(kind(&look)).or_default() += 1;
                    let said = look.failed.join("; ");
                    let reason = look.died.unwrap_or_default();
                    assert!(
                        !reason.contains("forbids"),
                        "mutant {seed}: the sandbox is too narrow: {reason}"
                    );
                    assert!(!reason.contains("no answer in time"), "mutant {seed}: {reason}");
                    assert!(
                        !said.contains("answered something else") && !said.contains("do not fit"),
                        "mutant {seed}: the worker's answers make no sense: {said}"
                    );
                }
            });
        }
    });
    let counts = counts.into_inner().expect("counts");
    for (kind, count) in &counts {
        eprintln!("{count:>6}  {kind}");
    }
    let (peak, own) = (peak.into_inner(), peak_of(std::process::id()));
    eprintln!(
        "{count} mutants of {} documents in {:.0?}, the longest {} ms; a worker held {} MiB at most, this process {} MiB",
        documents.len(),
        began.elapsed(),
        longest.into_inner(),
        peak >> 10,
        own >> 10
    );
    assert_eq!(counts.values().sum::<u64>(), count);
    assert!(
        counts.keys().any(|kind| kind.starts_with("opened")),
        "none opens: this damages too much"
    );
    assert!(
        counts.keys().any(|kind| kind.starts_with("refused")),
        "all open: this damages too little"
    );
    assert!(peak <= LIMITS.memory >> 10, "a worker held {peak} KiB");
    assert!(own <= LIMITS.memory >> 10, "this process held {own} KiB");
}

#[test]
fn mutants_are_opened_refused_or_end_their_worker() {
    survive(300, 0, 2);
}

#[test]
#[ignore = "minutes: `make soak`"]
fn soak_mutants() {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    survive(10_000, 1_000_000, threads);
}
