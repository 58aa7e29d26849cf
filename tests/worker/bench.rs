//! How long a layer with its boxes takes, against the floor under it: the same calls of PDFium in a bare loop in C.
//!
//! Ours is what a user waits for: `Worker::page` for every page, with the pipe between. The floor is `bare_loop.c`, compiled
//! when the measurement runs. Both are timed from the open document to its last page, in turns, and the medians compared.
//!
//! Processor time (ours: worker and client together) stands beside it. On a busy machine only that says something, since
//! a pipe between two processes waits its turn twice; on a quiet one the two ratios are alike.
//!
//! Other readers, taken from PyPI into a folder that passes, read the same documents behind it, each for a while
//! (`bench_others.py`); without a network they are skipped.
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
/// Seconds that each other reader may take over all documents, begun ones not counted.
const FOR_OTHERS: u32 = 60;
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

/// Measures the other readers, in processor time, against the floor and ours of the same documents.
fn others(folder: &TempDir, measured: &[(PathBuf, f64, f64)]) {
    let environment = folder.path().join("python");
    let python = environment.join("bin/python");
    let ran = |command: &mut Command| command.output().is_ok_and(|output| output.status.success());
    if !ran(Command::new("python3").args(["-m", "venv"]).arg(&environment)) {
        eprintln!("other readers: skipped, python3 makes no virtual environment here");
        return;
    }
    for (reader, package) in [
        ("pypdfium2", "pypdfium2"),
        ("pymupdf", "PyMuPDF"),
        ("pdfplumber", "pdfplumber"),
    ] {
        let install = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--retries",
            "1",
            "--timeout",
            "20",
            package,
        ];
        if !ran(Command::new(&python).args(install)) {
            eprintln!("{reader}: skipped, it can't be had from PyPI");
            continue;
        }
        let said = Command::new(&python)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("worker/bench_others.py"))
            .args([reader, &FOR_OTHERS.to_string()])
            .args(measured.iter().map(|(path, ..)| path))
            .output();
        let (mut theirs, mut floor, mut ours, mut documents) = (0.0, 0.0, 0.0, 0);
        for line in String::from_utf8_lossy(&said.map(|said| said.stdout).unwrap_or_default()).lines() {
            let Some((seconds, name)) = line.split_once(' ') else {
                continue;
            };
            let of_file = measured.iter().find(|(path, ..)| path.as_os_str() == name);
            if let (Ok(seconds), Some((_, bare, whole))) = (seconds.parse::<f64>(), of_file) {
                theirs += seconds;
                floor += bare;
                ours += whole;
                documents += 1;
            }
        }
        eprintln!(
            "{reader}: {:.2} of the bare loop's processor time over {documents} documents ({:.0} ms of {:.0} ms); ours is \
             {:.2} of it there",
            theirs / floor,
            1e3 * theirs,
            1e3 * floor,
            ours / floor
        );
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
    let (mut all_ours, mut all_floor, mut measured) = (Took::default(), Took::default(), Vec::new());
    let mut worst = (0.0, PathBuf::new());
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
        let ratio = whole.processor / bare.processor;
        if ratio > worst.0 {
            worst = (ratio, path.clone());
        }
        measured.push((path, bare.processor, whole.processor));
    }
    let documents = measured.len();
    eprintln!(
        "layer with boxes: {:.2} of the bare loop over {documents} documents ({:.0} ms of {:.0} ms), {:.2} of its \
         processor time ({:.0} ms of {:.0} ms); at most {WANTED} is wanted; the most for one \
         document is {:.2} ({})",
        all_ours.wall / all_floor.wall,
        1e3 * all_ours.wall,
        1e3 * all_floor.wall,
        all_ours.processor / all_floor.processor,
        1e3 * all_ours.processor,
        1e3 * all_floor.processor,
        worst.0,
        worst.1.display()
    );
    others(&folder, &measured);
    assert!(documents >= DOCUMENTS, "too few documents: {documents}");
}
