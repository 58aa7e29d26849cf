//! How long a layer with its boxes takes, against the floor under it: the same calls of PDFium in a bare loop in C.
//!
//! Ours is what a user waits for: `Worker::page` for every page, with the pipe between. The floor is `bare_loop.c`, compiled
//! when the measurement runs. Both are timed from the open document to its last page, in turns, and the medians compared.
//!
//! Processor time (ours: worker and client together) stands beside it. On a busy machine only that says something, since
//! a pipe between two processes waits its turn twice; on a quiet one the two ratios are alike.
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

/// How long something took, in seconds.
#[derive(Debug, Clone, Copy, Default)]
struct Took {
    wall: f64,
    processor: f64,
}

/// The bare loop's time and number of characters; `None` where it can't open the document.
fn floor(program: &Path, document: &Path) -> Option<(Took, u64)> {
    let output = Command::new(program).arg(library()).arg(document).output().ok()?;
    let text = String::from_utf8(output.stdout)
        .ok()
        .filter(|_| output.status.success())?;
    let mut words = text.split_whitespace();
    let took = Took {
        wall: words.next()?.parse().ok()?,
        processor: words.next()?.parse().ok()?,
    };
    Some((took, words.next()?.parse().ok()?))
}

/// Seconds that a process' threads have run so far (`schedstat`, proc(5)); 0 where the system does not say.
fn worked(process: &str) -> f64 {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task"))
        .into_iter()
        .flatten()
        .flatten();
    tasks
        .filter_map(|task| std::fs::read_to_string(task.path().join("schedstat")).ok())
        .filter_map(|line| line.split_whitespace().next()?.parse::<f64>().ok())
        .sum::<f64>()
        / 1e9
}

/// The worker that this process started, by its number.
fn own_worker() -> Option<String> {
    let own = std::process::id().to_string();
    let processes = std::fs::read_dir("/proc").ok()?.flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().into_string().ok());
    numbers
        .filter(|number| number.bytes().all(|byte| byte.is_ascii_digit()))
        .find(|number| {
            let status = std::fs::read_to_string(format!("/proc/{number}/status")).unwrap_or_default();
            let says =
                |line: &str, key: &str, value: &str| line.strip_prefix(key).is_some_and(|rest| rest.trim() == value);
            status.lines().any(|line| says(line, "PPid:", &own)) && status.contains("pincite-pdf-wor")
        })
}

/// Ours; `None` where the document does not open.
fn ours(document: &Path) -> Option<Took> {
    let limits = Limits {
        patience: Duration::from_secs(300),
        processor_seconds: 300,
        ..Limits::default()
    };
    let mut worker = Worker::open(&real(), File::open(document).ok()?, None, limits).ok()?;
    let number = own_worker().unwrap_or_default();
    let so_far = || worked("self") + worked(&number);
    let (began, before) = (Instant::now(), so_far());
    for page in 1..=worker.pages() {
        worker.page(page).ok()?;
    }
    Some(Took {
        wall: began.elapsed().as_secs_f64(),
        processor: so_far() - before,
    })
}

fn median(runs: &[Took]) -> Took {
    let middle = |of: fn(&Took) -> f64| {
        let mut values: Vec<f64> = runs.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
    };
    Took {
        wall: middle(|took| took.wall),
        processor: middle(|took| took.processor),
    }
}

#[test]
#[ignore = "a measurement: `make bench`"]
fn bench_layer_against_a_bare_loop() {
    let Some(corpus) = pincite_tests::corpus::folder() else {
        return;
    };
    let folder = TempDir::new().expect("a folder");
    let program = floor_program(&folder);
    let (mut all_ours, mut all_floor, mut documents) = (Took::default(), Took::default(), 0);
    eprintln!("   chars   bare ms   ours ms  ratio  of the processor's time  document");
    for (path, _) in files_below(&corpus) {
        if path.extension().is_none_or(|extension| extension != "pdf") {
            continue;
        }
        let first = floor(&program, &path).filter(|(took, _)| took.processor >= SHORTEST);
        let Some((first, characters)) = first else { continue };
        let (mut bare, mut whole) = (vec![first], Vec::new());
        for run in 0..RUNS {
            whole.extend(ours(&path));
            if run > 0 {
                bare.extend(floor(&program, &path).map(|(took, _)| took));
            }
        }
        if whole.is_empty() {
            continue;
        }
        let (bare, whole) = (median(&bare), median(&whole));
        documents += 1;
        for (sum, one) in [(&mut all_floor, bare), (&mut all_ours, whole)] {
            sum.wall += one.wall;
            sum.processor += one.processor;
        }
        eprintln!(
            "{characters:>8} {:>9.1} {:>9.1} {:>6.2} {:>24.2}  {}",
            1e3 * bare.wall,
            1e3 * whole.wall,
            whole.wall / bare.wall,
            whole.processor / bare.processor,
            path.strip_prefix(&corpus).unwrap_or(&path).display()
        );
    }
    eprintln!(
        "layer with boxes: {:.2} of the bare loop over {documents} documents ({:.0} ms of {:.0} ms), {:.2} of its \
         processor time ({:.0} ms of {:.0} ms); at most {WANTED} is wanted",
        all_ours.wall / all_floor.wall,
        1e3 * all_ours.wall,
        1e3 * all_floor.wall,
        all_ours.processor / all_floor.processor,
        1e3 * all_ours.processor,
        1e3 * all_floor.processor
    );
    assert!(documents >= DOCUMENTS, "too few documents: {documents}");
}
