//! How long a layer with its boxes takes, against the floor under it: the same calls of PDFium in a bare loop in C.
//!
//! Ours is what a user waits for: `Worker::page` for every page, with the pipe between. The floor is `bare_loop.c`, compiled
//! when the measurement runs. Both are timed from the open document to its last page, in turns, and the medians compared.
//!
//! Deliberately not here: opening documents and starting processes, which are the same for both.

use crate::documents::{library, real};
use pincite_pdf::{Limits, Worker};
use pincite_tests::world::files_below;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// What ours may take of the floor, over all documents together.
const WANTED: f64 = 1.3;
/// Runs of each document; the median counts.
const RUNS: usize = 5;
/// How long a document must keep the bare loop busy, in seconds, to say anything.
const SHORTEST: f64 = 0.01;
/// How many documents there must be.
const DOCUMENTS: usize = 10;

fn floor_program(folder: &TempDir) -> PathBuf {
    let program = folder.path().join("bare_loop");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("worker/bare_loop.c");
    let compiled = Command::new("cc")
        .args(["-O2", "-o"])
        .arg(&program)
        .arg(source)
        .arg("-ldl")
        .status();
    assert!(
        compiled.is_ok_and(|status| status.success()),
        "the bare loop is compiled with cc"
    );
    program
}

/// Seconds and characters of the bare loop; `None` where it can't open the document.
fn floor(program: &Path, document: &Path) -> Option<(f64, u64)> {
    let output = Command::new(program).arg(library()).arg(document).output().ok()?;
    let text = String::from_utf8(output.stdout)
        .ok()
        .filter(|_| output.status.success())?;
    let mut words = text.split_whitespace();
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

/// Seconds of ours; `None` where the document does not open.
fn ours(document: &Path) -> Option<f64> {
    let limits = Limits {
        patience: Duration::from_secs(300),
        ..Limits::default()
    };
    let mut worker = Worker::open(&real(), File::open(document).ok()?, None, limits).ok()?;
    let began = Instant::now();
    for page in 1..=worker.pages() {
        worker.page(page).ok()?;
    }
    Some(began.elapsed().as_secs_f64())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

#[test]
#[ignore = "a measurement: `make bench`"]
fn bench_layer_against_a_bare_loop() {
    let Some(corpus) = pincite_tests::corpus::folder() else {
        return;
    };
    let folder = TempDir::new().expect("a folder");
    let program = floor_program(&folder);
    let (mut all_ours, mut all_floor, mut documents) = (0.0, 0.0, 0);
    println!(
        "{:>8} {:>9} {:>9} {:>6}  document",
        "chars", "bare ms", "ours ms", "ratio"
    );
    for (path, _) in files_below(&corpus) {
        if path.extension().is_none_or(|extension| extension != "pdf") {
            continue;
        }
        let Some((first, characters)) = floor(&program, &path).filter(|(seconds, _)| *seconds >= SHORTEST) else {
            continue;
        };
        let (mut bare, mut whole) = (vec![first], Vec::new());
        for run in 0..RUNS {
            whole.extend(ours(&path));
            if run > 0 {
                bare.extend(floor(&program, &path).map(|(seconds, _)| seconds));
            }
        }
        if whole.is_empty() {
            continue;
        }
        let (bare, whole) = (median(bare), median(whole));
        documents += 1;
        all_floor += bare;
        all_ours += whole;
        println!(
            "{characters:>8} {:>9.1} {:>9.1} {:>6.2}  {}",
            1e3 * bare,
            1e3 * whole,
            whole / bare,
            path.strip_prefix(&corpus).unwrap_or(&path).display()
        );
    }
    println!(
        "layer with boxes: {:.2} of the bare loop over {documents} documents ({:.0} ms of {:.0} ms); at most {WANTED} is \
         wanted",
        all_ours / all_floor,
        1e3 * all_ours,
        1e3 * all_floor
    );
    assert!(documents >= DOCUMENTS, "too few documents: {documents}");
}
