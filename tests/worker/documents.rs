//! Documents built by a test, and the worker to open them in.
//!
//! Deliberately not here: documents that are files (`fixtures/`, the corpus).

use pincite_pdf::{Limits, Worker, WorkerError, WorkerProgram};
use pincite_tests::programs::program;
use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(crate) fn library() -> PathBuf {
    let native = std::env::var_os("PINCITE_NATIVE").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../native"),
        PathBuf::from,
    );
    let versions = std::fs::read_dir(native.join("pdfium")).expect("PDFium; `make setup` puts it there");
    let mut found: Vec<PathBuf> = versions
        .filter_map(|version| Some(version.ok()?.path().join("libpdfium.so")))
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    found
        .pop()
        .and_then(|path| path.canonicalize().ok())
        .expect("PDFium's library")
}

/// The arguments with which a client starts a worker, for tests that start one by themselves.
pub(crate) fn as_the_client_starts_it() -> [std::ffi::OsString; 8] {
    [
        "--memory".into(),
        "1073741824".into(),
        "--processor-seconds".into(),
        "5".into(),
        "--document-seconds".into(),
        "60".into(),
        "--library".into(),
        library().into(),
    ]
}

pub(crate) fn real() -> WorkerProgram {
    WorkerProgram {
        program: program("pincite-pdf-worker"),
        library: library(),
    }
}

/// A stand-in for the worker: a shell script, which is what a broken installation may look like.
pub(crate) fn stand_in(folder: &TempDir, script: &str) -> WorkerProgram {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.path().join("worker");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a script that runs");
    WorkerProgram {
        program: path,
        library: PathBuf::from("/nowhere"),
    }
}

pub(crate) fn file(folder: &TempDir, bytes: &[u8]) -> File {
    let path = folder.path().join("document");
    std::fs::write(&path, bytes).expect("a document");
    File::open(path).expect("a document")
}

pub(crate) fn error(program: &WorkerProgram, document: File, limits: Limits) -> WorkerError {
    match Worker::open(program, document, None, limits) {
        Ok(_) => panic!("the document opens"),
        Err(error) => error,
    }
}

/// A file without a name that holds these bytes.
pub(crate) fn nameless(bytes: &[u8]) -> File {
    let mut file = tempfile::tempfile().expect("a passing file");
    file.write_all(bytes).expect("a passing file");
    file.rewind().expect("a passing file");
    file
}

/// An object that is a stream with these entries in its dictionary.
pub(crate) fn stream(entries: &str, bytes: &[u8]) -> Vec<u8> {
    let mut object = format!("<< /Length {} {entries} >>\nstream\n", bytes.len()).into_bytes();
    object.extend_from_slice(bytes);
    object.extend_from_slice(b"\nendstream");
    object
}

/// A file of these objects, numbered from 1; the first is the catalogue.
pub(crate) fn file_of(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (number, object) in (1..).zip(objects) {
        table.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.extend_from_slice(format!("{number} 0 obj\n").as_bytes());
        file.extend_from_slice(object);
        file.extend_from_slice(b"\nendobj\n");
    }
    let start = file.len();
    file.extend_from_slice(table.as_bytes());
    let trailer = format!("trailer << /Size {} /Root 1 0 R >>\n", objects.len() + 1);
    file.extend_from_slice(format!("{trailer}startxref\n{start}\n%%EOF\n").as_bytes());
    file
}

/// One page whose content is this stream, with these entries in its dictionary and these further objects (from number 5).
pub(crate) fn pdf(stream_entries: &str, content: &[u8], resources: &str, further: &[(&str, &[u8])]) -> Vec<u8> {
    let page =
        format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << {resources} >> >>");
    let mut objects: Vec<Vec<u8>> = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        page.into_bytes(),
        stream(stream_entries, content),
    ];
    objects.extend(further.iter().map(|(entries, bytes)| stream(entries, bytes)));
    file_of(&objects)
}

/// What looking at a document came to.
#[derive(Debug, Default)]
pub(crate) struct Look {
    /// Whether it opened.
    pub(crate) opened: bool,
    /// What was refused or could not be read, in order.
    pub(crate) failed: Vec<String>,
    /// What the worker died of.
    pub(crate) died: Option<String>,
    /// The most memory that the worker was seen to hold, in KiB.
    pub(crate) peak: u64,
}

impl Look {
    /// Takes note of an error. Answers whether the worker lives.
    fn note(&mut self, error: WorkerError) -> bool {
        match error {
            WorkerError::Refused(refusal) => self.failed.push(refusal.to_string()),
            WorkerError::Failed(reason) => self.failed.push(reason),
            WorkerError::Died(reason) => {
                self.died = Some(reason);
                return false;
            }
            other => panic!("no document is the cause of this: {other}"),
        }
        true
    }
}

/// The most memory that a process held so far, in KiB, where this system says so.
pub(crate) fn peak_of(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok())
        .unwrap_or(0)
}

/// Opens a document, asks for its outline, its first pages and the picture of its first one: whatever comes of it is noted.
pub(crate) fn look(bytes: &[u8], limits: Limits, pages: u32, scale: f32) -> Look {
    let mut look = Look::default();
    let mut worker = match Worker::open(&real(), nameless(bytes), None, limits) {
        Ok(worker) => worker,
        Err(error) => {
            look.note(error);
            return look;
        }
    };
    look.opened = true;
    let process = worker.process();
    let ended = std::sync::atomic::AtomicBool::new(false);
    let relaxed = std::sync::atomic::Ordering::Relaxed;
    std::thread::scope(|scope| {
        let watched = scope.spawn(|| {
            let mut peak = 0;
            while !ended.load(relaxed) {
                peak = peak_of(process).max(peak);
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            peak
        });
        let mut alive = true;
        for page in 1..=worker.pages().min(pages) {
            alive = alive && worker.page(page).map_or_else(|error| look.note(error), |_| true);
        }
        alive = alive && worker.outline().map_or_else(|error| look.note(error), |_| true);
        alive = alive && worker.render(1, scale).map_or_else(|error| look.note(error), |_| true);
        let last = if alive { peak_of(process) } else { 0 };
        ended.store(true, relaxed);
        look.peak = watched.join().expect("the watcher ends").max(last);
    });
    look
}
