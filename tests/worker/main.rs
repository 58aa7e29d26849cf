//! The PDF worker seen from its client: its death, its slowness, its age and its limits are ordinary errors with reasons.
//!
//! Deliberately not here: what a page says (`corpus` and the journeys), the sandbox.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a proof that can't go on says so by panicking"
)]

use pincite_pdf::frame;
use pincite_pdf::protocol::Response;
use pincite_pdf::{Limits, Refusal, Worker, WorkerError, WorkerProgram};
use pincite_tests::programs::program;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn library() -> PathBuf {
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

fn real() -> WorkerProgram {
    WorkerProgram {
        program: program("pincite-pdf-worker"),
        library: library(),
    }
}

/// A stand-in for the worker: a shell script, which is what a broken installation may look like.
fn stand_in(folder: &TempDir, script: &str) -> WorkerProgram {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.path().join("worker");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a script that runs");
    WorkerProgram {
        program: path,
        library: PathBuf::from("/nowhere"),
    }
}

fn file(folder: &TempDir, bytes: &[u8]) -> File {
    let path = folder.path().join("document");
    std::fs::write(&path, bytes).expect("a document");
    File::open(path).expect("a document")
}

fn error(program: &WorkerProgram, document: File, limits: Limits) -> WorkerError {
    match Worker::open(program, document, None, limits) {
        Ok(_) => panic!("the document opens"),
        Err(error) => error,
    }
}

/// One page whose content is this stream, with these entries in its dictionary and these further objects (from number 5).
fn pdf(stream_entries: &str, stream: &[u8], resources: &str, further: &[(&str, &[u8])]) -> Vec<u8> {
    let mut objects: Vec<Vec<u8>> = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << {resources} >> >>")
            .into_bytes(),
    ];
    for (entries, bytes) in std::iter::once((stream_entries, stream)).chain(further.iter().copied()) {
        let mut object = format!("<< /Length {} {entries} >>\nstream\n", bytes.len()).into_bytes();
        object.extend_from_slice(bytes);
        object.extend_from_slice(b"\nendstream");
        objects.push(object);
    }
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (number, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", file.len());
        file.extend_from_slice(format!("{} 0 obj\n", number + 1).as_bytes());
        file.extend_from_slice(object);
        file.extend_from_slice(b"\nendobj\n");
    }
    let start = file.len();
    file.extend_from_slice(table.as_bytes());
    file.extend_from_slice(
        format!(
            "trailer << /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n",
            objects.len() + 1
        )
        .as_bytes(),
    );
    file
}

#[test]
fn an_ordinary_document_opens_and_its_worker_ends_with_it() {
    let folder = TempDir::new().expect("a folder");
    let bytes = pdf(
        "",
        b"BT /F1 12 Tf 20 100 Td (Plain text) Tj ET",
        "/Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>",
        &[],
    );
    let mut worker = Worker::open(&real(), file(&folder, &bytes), None, Limits::default()).expect("it opens");
    assert_eq!(worker.pages(), 1);
    let (page, boxes) = worker.page(1).expect("its page");
    assert_eq!(page.text, "Plain text");
    assert_eq!(boxes.iter().flatten().count(), 10);
    let pixels = worker.render(1, 1.0).expect("its picture");
    assert_eq!((pixels.width, pixels.height, pixels.bgrx.len()), (200, 200, 160_000));
    // What can't be answered leaves the document open.
    assert!(matches!(worker.page(2), Err(WorkerError::Failed(reason)) if reason.contains("no page 2")));
    assert!(matches!(worker.render(1, 1.0e6), Err(WorkerError::Failed(reason)) if reason.contains("too large")));
    assert!(worker.page(1).is_ok());
}

#[test]
fn a_file_that_is_something_else_is_refused_by_name() {
    let folder = TempDir::new().expect("a folder");
    for (bytes, kind) in [
        (&b""[..], "an empty file"),
        (b"\xef\xbb\xbf  <!DOCTYPE html><html></html>", "an HTML page"),
        (b"PK\x03\x04rest", "a ZIP archive"),
        (b"just words", "no %PDF header"),
    ] {
        let refusal = error(&real(), file(&folder, bytes), Limits::default());
        let WorkerError::Refused(Refusal::NotPdf(found)) = &refusal else {
            panic!("{refusal}")
        };
        assert!(found.contains(kind), "{found}");
    }
    let refusal = error(&real(), file(&folder, b"%PDF-1.7\nnothing more"), Limits::default());
    assert!(
        matches!(refusal, WorkerError::Refused(Refusal::Damaged(_))),
        "{refusal}"
    );
}

#[test]
fn a_worker_that_is_missing_dies_is_mute_or_of_another_version() {
    let folder = TempDir::new().expect("a folder");
    let document = || file(&folder, b"%PDF-1.7");
    let missing = WorkerProgram {
        program: folder.path().join("nowhere"),
        library: PathBuf::from("/nowhere"),
    };
    assert!(matches!(
        error(&missing, document(), Limits::default()),
        WorkerError::Start { .. }
    ));

    let dies = stand_in(&folder, "echo 'the disk is on fire' >&2; exit 3");
    let death = error(&dies, document(), Limits::default()).to_string();
    assert!(
        death.contains("died") && death.contains("the disk is on fire"),
        "{death}"
    );

    let mute = stand_in(&folder, "exec sleep 60");
    let began = Instant::now();
    let patience = Limits {
        patience: Duration::from_millis(300),
        ..Limits::default()
    };
    let death = error(&mute, document(), patience).to_string();
    assert!(death.contains("no answer in time"), "{death}");
    assert!(
        began.elapsed() < Duration::from_secs(20),
        "a mute worker is not waited for"
    );

    let mut old = Vec::new();
    frame::write(&mut old, &Response::Hello { protocol: 99 }, &[]).expect("a frame");
    let mut answer = File::create(folder.path().join("answer")).expect("a file");
    answer.write_all(&old).expect("a file");
    let script = format!("cat '{}'; exec sleep 60", folder.path().join("answer").display());
    assert!(matches!(
        error(&stand_in(&folder, &script), document(), Limits::default()),
        WorkerError::Version { found: 99 }
    ));

    let babbles = stand_in(&folder, "head -c 100 /dev/zero | tr '\\0' '\\377'; exec sleep 60");
    assert!(matches!(
        error(&babbles, document(), Limits::default()),
        WorkerError::Died(_)
    ));
}

#[test]
fn a_bomb_kills_its_worker_and_the_next_document_opens() {
    let folder = TempDir::new().expect("a folder");
    // Spaces that inflate to 384 MiB, in a worker that may use half of it.
    let mut coder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    let chunk = vec![b' '; 1 << 20];
    for _ in 0..384 {
        coder.write_all(&chunk).expect("it packs");
    }
    let bomb = pdf("/Filter /FlateDecode", &coder.finish().expect("it packs"), "", &[]);
    let limits = Limits {
        memory: 192 << 20,
        ..Limits::default()
    };
    let mut worker = Worker::open(&real(), file(&folder, &bomb), None, limits).expect("it opens: pages are read later");
    let outcome = worker.page(1);
    assert!(matches!(&outcome, Err(WorkerError::Died(_)) | Ok(_)), "{outcome:?}");
    if let Ok((page, _)) = outcome {
        assert!(
            page.text.trim().is_empty(),
            "PDFium gave the stream up; nothing was read from it"
        );
    }

    // A tiling pattern of tiny steps over a page of millions of points never ends; its processor time does.
    let resources = "/Pattern << /P1 5 0 R >>";
    let paint = b"/Pattern cs /P1 scn 0 0 20000000 20000000 re f";
    let tile = (
        "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.0001 /YStep 0.0001 /Resources << >>",
        &b"0 0 1 1 re f"[..],
    );
    let endless = pdf("", paint, resources, &[tile]);
    let limits = Limits {
        processor_seconds: 1,
        patience: Duration::from_secs(30),
        ..Limits::default()
    };
    let mut worker = Worker::open(&real(), file(&folder, &endless), None, limits).expect("it opens");
    let began = Instant::now();
    let outcome = worker.render(1, 2.0);
    assert!(
        began.elapsed() < Duration::from_secs(30),
        "a picture that never ends is given up: {:?}",
        began.elapsed()
    );
    if let Err(error) = outcome {
        assert!(error.to_string().contains("processor time"), "{error}");
    }

    let plain = pdf("", b"", "", &[]);
    let began = Instant::now();
    assert!(Worker::open(&real(), file(&folder, &plain), None, Limits::default()).is_ok());
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "the next document opens at once"
    );
}
