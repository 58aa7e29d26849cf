//! The PDF worker seen from its client: its death, its slowness, its age and its limits are ordinary errors with reasons; what
//! it may not do ends it.
//!
//! Deliberately not here: what a page says (`corpus` and the journeys).

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a proof that can't go on says so by panicking"
)]

mod bench;
mod beside;
mod bombs;
mod documents;
mod layer;
mod mutants;
mod paper;
mod probes;
mod processes;
mod quarantine;

use documents::{error, file, pdf, real, stand_in};
use pincite_pdf::frame;
use pincite_pdf::protocol::Response;
use pincite_pdf::{Limits, Refusal, Worker, WorkerError, WorkerProgram};
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tempfile::TempDir;

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
    let sandbox = worker.sandbox();
    assert!(sandbox.calls || cfg!(not(target_os = "linux")), "{sandbox}");
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
fn drawn_text_that_gives_none_is_said_and_an_empty_page_is_none() {
    let folder = TempDir::new().expect("a folder");
    let descriptor = "<< /Type /FontDescriptor /FontName /Song /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 \
                      /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>";
    // A Japanese font that is not in the file: what its codes mean along the line is known, down the page it is not.
    let japanese = |encoding: &str| {
        format!(
            "/Font << /F1 << /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /{encoding} /DescendantFonts [<< \
             /Type /Font /Subtype /CIDFontType0 /BaseFont /Song /DW 1000 /FontDescriptor {descriptor} \
             /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>] >> >>"
        )
    };
    let shown = &b"BT /F1 20 Tf 50 150 Td <65E5672C8A9E> Tj ET"[..];
    for (content, resources, text, silent) in [
        (shown, japanese("UniJIS-UCS2-V"), "", true),
        (shown, japanese("UniJIS-UCS2-H"), "\u{65e5}\u{672c}\u{8a9e}", false),
        (b"0 0 50 50 re f", japanese("UniJIS-UCS2-V"), "", false),
        (b"", String::new(), "", false),
    ] {
        let bytes = pdf("", content, &resources, &[]);
        let mut worker = Worker::open(&real(), file(&folder, &bytes), None, Limits::default()).expect("it opens");
        let (page, _) = worker.page(1).expect("its page");
        assert_eq!((page.text.as_str(), page.silent), (text, silent), "{resources}");
    }
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
    // Whatever happens before the handshake is this machine's fault and not the document's.
    let death = error(&dies, document(), Limits::default()).to_string();
    assert!(
        death.contains("can't be started") && death.contains("the disk is on fire"),
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
        WorkerError::Start { .. }
    ));
}
