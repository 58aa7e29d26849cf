//! Files that are not what a command wants: one clear line with the file, and the line in it where it has lines; nothing
//! half written.
//!
//! Deliberately not here: PDFs that are damaged or hostile (the corpus), and bad requests (bad_requests).

use crate::{assert_refused, counts, elements, number, text};
use pincite_tests::{Answer, World, tree};
use serde_json::{Value, json};
use std::io::Write as _;
use std::process::Stdio;
use std::time::Duration;

/// A line may have this many bytes.
const LINE_LIMIT: usize = 16 << 20;
/// What a command may use while it refuses a longer one, in KiB.
const MEMORY_LIMIT: u64 = 200 * 1024;

fn first_right_record() -> Value {
    tree::fixture_text("records/right.jsonl")
        .lines()
        .next()
        .and_then(|line| serde_json::from_str(line).ok())
        .expect("a record")
}

#[test]
fn a_missing_file_or_a_folder_is_refused_by_every_command() {
    let world = World::with_documents();
    let before = counts(&world);
    let folder = world.path("").display().to_string();
    let out = world.path("out.png").display().to_string();
    for (bad, says) in [("no-such-file", "no-such-file"), (folder.as_str(), "folder")] {
        for command in [
            &["record", "import", bad][..],
            &["record", "import", "--strict", bad],
            &["verify", bad],
            &["catalogue", "check", bad],
            &["catalogue", "set", bad],
            &["catalogue", "show", bad],
        ] {
            assert_refused(&world.run(command), 2, &[bad, says]);
        }
        assert_refused(
            &world.run(["ingest", "--password-file", bad, "x.pdf"]),
            2,
            &[bad, "password"],
        );
        assert_refused(
            &world.run([
                "document",
                "render",
                "drug-label",
                "--page",
                "1",
                "--out",
                &out,
                "--password-file",
                bad,
            ]),
            2,
            &[bad, "password"],
        );
        // A file that is refused is a finding, and the others are taken in.
        let answer = world.run(["ingest", "--json", bad]);
        let refused = &answer.lines()[0];
        assert_eq!(
            (answer.code, text(refused, "outcome"), &refused["doc_id"]),
            (1, "refused", &Value::Null)
        );
        assert!(
            text(refused, "reason").contains(bad)
                && text(refused, "reason").contains(if says == "folder" { "folder" } else { "no such file" })
        );
    }
    assert_eq!(counts(&world), before);
}

#[test]
fn what_is_no_pdf_is_refused_and_leaves_nothing() {
    let world = World::with_documents();
    let (before, files) = (counts(&world), world.workspace_files().len());
    let pdf = std::fs::read(tree::fixture("documents/drug-label.pdf")).expect("a fixture");
    let half = pdf.get(..pdf.len() / 2).expect("half of it").to_vec();
    let cases: [(&str, Vec<u8>, &str); 6] = [
        ("empty.pdf", Vec::new(), "empty"),
        (
            "page.pdf",
            b"<!DOCTYPE html><html><body>Not found</body></html>".to_vec(),
            "HTML",
        ),
        (
            "records.pdf",
            tree::fixture_text("records/right.jsonl").into_bytes(),
            "not a PDF",
        ),
        (
            "noise.pdf",
            (0..50_000_u32)
                .map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8)
                .collect(),
            "not a PDF",
        ),
        ("header.pdf", b"%PDF-1.7\n".to_vec(), "header.pdf"),
        ("half.pdf", half, "half.pdf"),
    ];
    for (name, bytes, says) in cases {
        let path = world.file(name, bytes);
        let answer = world.run(["ingest", "--json", &path]);
        let line = &answer.lines()[0];
        // Half a PDF may still be read: its table of objects is rebuilt. Then it is whole, as far as it goes.
        if name == "half.pdf" && text(line, "outcome") == "added" {
            continue;
        }
        assert_eq!((answer.code, text(line, "outcome")), (1, "refused"), "{answer:?}");
        let reason = text(line, "reason");
        assert!(
            reason.contains(&path) && reason.contains(says) && reason.lines().count() == 1,
            "{reason}"
        );
        assert_eq!(
            (counts(&world), world.workspace_files().len()),
            (before, files),
            "{name}: a refused file leaves nothing behind"
        );
    }
}

#[test]
fn what_is_no_json_is_refused_line_by_line() {
    let world = World::with_documents();
    let before = counts(&world);
    let binary = tree::fixture("documents/drug-label.pdf").display().to_string();
    for command in [&["record", "import", &binary][..], &["verify", &binary]] {
        let answer = world.run(command);
        assert_eq!(answer.code, 1);
        assert!(answer.err.contains(&format!("{binary}: line 1: ")), "{}", answer.err);
        assert!(
            answer
                .err
                .lines()
                .all(|line| line.contains(": line ") || line.contains(" lines: ")),
            "one line a finding: {}",
            answer.err
        );
    }
    assert_refused(
        &world.run(["record", "import", "--strict", &binary]),
        2,
        &[&binary, "line 1"],
    );
    assert_refused(&world.run(["catalogue", "set", &binary]), 2, &[&binary, "UTF-8"]);
    let broken = world.file("broken.toml", "[field.\"a.b\"]\ntitle = \"A\"\ntype = \"colour\"\n");
    assert_refused(&world.run(["catalogue", "set", &broken]), 2, &[&broken, "3", "colour"]);
    assert_eq!(counts(&world), before, "nothing half written");
    let kept = world.json(["catalogue", "show"]);
    assert_eq!(
        kept["field"].as_object().map(serde_json::Map::len),
        Some(33),
        "the catalogue in use is still the one that was"
    );
}

#[test]
fn a_truncated_last_line_is_refused_and_the_lines_before_it_are_kept() {
    let world = World::with_documents();
    let right = tree::fixture_text("records/right.jsonl");
    let cut = right.get(..right.len() - 40).expect("it is longer");
    let path = world.file("cut.jsonl", cut);
    let before = counts(&world);
    assert_refused(
        &world.run(["record", "import", "--strict", &path]),
        2,
        &[&path, "line 32", "nothing of the file was kept"],
    );
    assert_eq!(counts(&world), before);
    let answer = world.run(["record", "import", "--json", &path]);
    let lines = answer.lines();
    let last = lines.last().expect("32 answers");
    assert_eq!(
        (answer.code, lines.len(), text(last, "outcome"), number(last, "line")),
        (1, 32, "refused", 32)
    );
    assert!(answer.err.contains(&format!("{path}: line 32: ")), "{}", answer.err);
    assert_eq!(counts(&world).0, 31);
    // A whole last line without a line break is a line.
    let path = world.file("unended.jsonl", right.trim_end());
    assert_eq!(world.lines(0, ["record", "import", &path]).len(), 32);
    assert_eq!(counts(&world).0, 32);
}

#[test]
fn empty_files_line_ends_and_byte_order_marks_are_taken_as_they_come() {
    let world = World::with_documents();
    let empty = world.file("empty.jsonl", "");
    let blank = world.file("blank.jsonl", "\n\r\n   \n");
    for path in [&empty, &blank] {
        for command in [
            &["record", "import", path][..],
            &["record", "import", "--strict", path],
            &["verify", path],
        ] {
            let answer = world.run(command);
            assert_eq!((answer.code, answer.out.as_str()), (0, ""), "{command:?}: {answer:?}");
        }
    }
    assert_refused(&world.run(["catalogue", "set", &empty]), 2, &[&empty, "no field"]);
    let right = tree::fixture_text("records/right.jsonl");
    let windows = world.file("windows.jsonl", format!("\u{feff}{}", right.replace('\n', "\r\n")));
    let imported = world.lines(0, ["record", "import", "--strict", &windows]);
    assert_eq!(imported.len(), 32);
    assert!(
        imported
            .iter()
            .flat_map(|line| elements(&line["citations"]))
            .all(|citation| text(citation, "state") == "verified")
    );
    // The same records as without: known, and none is kept twice.
    let plain = world.lines(
        0,
        [
            "record",
            "import",
            &tree::fixture("records/right.jsonl").display().to_string(),
        ],
    );
    assert_eq!((plain.len(), counts(&world).0), (32, 32));
    let citations: String = world
        .lines(0, ["record", "list"])
        .iter()
        .flat_map(|record| elements(&record["provenance"]))
        .map(|citation| format!("{citation}\r\n"))
        .collect();
    let path = world.file("citations.jsonl", format!("\u{feff}{citations}"));
    assert_eq!(world.lines(0, ["verify", &path]).len(), 30);
    let catalogue = world.file(
        "windows.toml",
        format!("\u{feff}{}", tree::fixture_text("catalogue.toml").replace('\n', "\r\n")),
    );
    assert_eq!(
        world.json(["catalogue", "check", &catalogue])["field"]
            .as_object()
            .map(serde_json::Map::len),
        Some(33)
    );
}

/// Runs the program and watches how much memory it ever holds, in KiB.
fn watched(world: &World, arguments: &[&str]) -> (Answer, u64) {
    let mut command = world.command(arguments);
    // Files, not pipes: nobody reads while we watch.
    let (out, err) = (world.path("watched.out"), world.path("watched.err"));
    let file = |path: &std::path::Path| Stdio::from(std::fs::File::create(path).expect("a file"));
    let mut child = command
        .stdout(file(&out))
        .stderr(file(&err))
        .spawn()
        .expect("pincite starts");
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    let code = loop {
        let held = std::fs::read_to_string(&status).unwrap_or_default();
        let line = held.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        most = most.max(
            line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse().ok())
                .unwrap_or(0),
        );
        if let Some(ended) = child.try_wait().expect("it can be asked") {
            break ended.code().unwrap_or(-1);
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let read = |path: &std::path::Path| String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned();
    (
        Answer {
            code,
            out: read(&out),
            err: read(&err),
        },
        most,
    )
}

#[test]
fn a_line_over_sixteen_mebibytes_is_refused_in_little_memory() {
    let world = World::with_documents();
    let record = first_right_record().to_string();
    let path = world.file("long.jsonl", "");
    let mut file = std::fs::File::create(&path).expect("a file");
    // A good line, one of 80 MiB that would be a record if anybody read it, and a good line again.
    let longest = record.replacen("{", &format!("{{\"note\": \"{}\", ", "x".repeat(5 * LINE_LIMIT)), 1);
    writeln!(file, "{record}\n{longest}\n{}", record.replace("right-", "other-")).expect("written");
    drop((file, longest));
    let before = counts(&world);
    let (answer, memory) = watched(&world, &["record", "import", "--strict", &path]);
    assert_refused(&answer, 2, &[&path, "line 2", "longer than"]);
    assert_eq!(counts(&world), before);
    assert!(memory > 1024 && memory < MEMORY_LIMIT, "{memory} KiB");
    let (answer, memory) = watched(&world, &["record", "import", "--json", &path]);
    let outcomes: Vec<String> = answer
        .lines()
        .iter()
        .map(|line| text(line, "outcome").to_owned())
        .collect();
    assert_eq!(
        (answer.code, outcomes),
        (1, ["queued", "refused", "queued"].map(str::to_owned).to_vec())
    );
    assert!(answer.err.contains(&format!("{path}: line 2: ")), "{}", answer.err);
    assert!(memory < MEMORY_LIMIT, "{memory} KiB");
    let (answer, memory) = watched(&world, &["verify", &path]);
    assert!(
        answer.code == 1 && answer.err.contains(&format!("{path}: line 2: ")),
        "{}",
        answer.err
    );
    assert!(memory < MEMORY_LIMIT, "{memory} KiB");
    assert_eq!(counts(&world).0, 2);
}

#[test]
fn a_line_below_the_limit_that_is_no_record_does_not_bring_the_program_down() {
    let world = World::with_documents();
    let before = counts(&world);
    let nested = "[".repeat(1 << 20);
    let deep = format!("{{\"record_id\": \"deep\", \"value\": {}", "[".repeat(100_000));
    let closed = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    let path = world.file(
        "nested.jsonl",
        format!("{nested}\n{deep}\n{closed}\n{{\"value\": {closed}}}\n"),
    );
    let (answer, memory) = watched(&world, &["record", "import", "--json", &path]);
    assert_eq!(answer.code, 1, "{answer:?}");
    assert!(answer.lines().iter().all(|line| text(line, "outcome") == "refused") && answer.lines().len() == 4);
    assert!(memory < MEMORY_LIMIT, "{memory} KiB");
    assert_eq!(counts(&world), before);
}

#[test]
fn offsets_that_point_nowhere_are_findings_that_name_the_cause() {
    let world = World::with_documents();
    let right = first_right_record();
    let entry = &right["provenance"][0];
    let spoiled = |start: Value, end: Value| {
        let mut entry = entry.clone();
        entry["char_start"] = start;
        entry["char_end"] = end;
        entry
    };
    let length = number(&world.json(["document", "show", "pliego-2026-014"]), "chars");
    let cases = [
        (spoiled(json!(-1), json!(5)), "out_of_bounds"),
        (spoiled(json!(-5), json!(-1)), "out_of_bounds"),
        (spoiled(json!(90), json!(10)), "out_of_bounds"),
        (spoiled(json!(10), json!(10)), "out_of_bounds"),
        (spoiled(json!(length - 1), json!(length + 1)), "out_of_bounds"),
        (spoiled(json!(length), json!(length + 5)), "out_of_bounds"),
        (spoiled(json!(i64::MAX - 1), json!(i64::MAX)), "out_of_bounds"),
        (spoiled(json!(i64::MIN), json!(i64::MAX)), "out_of_bounds"),
        (spoiled(json!(0), json!(5)), "quote_mismatch"),
        (spoiled(Value::Null, Value::Null), "no_offsets"),
        (spoiled(json!(12_570), Value::Null), "no_offsets"),
    ];
    let mut citations = String::new();
    let mut records = String::new();
    for (number, (entry, _)) in cases.iter().enumerate() {
        let mut record = right.clone();
        record["record_id"] = json!(format!("case-{number}"));
        record["provenance"] = json!([entry]);
        records.push_str(&format!("{record}\n"));
        citations.push_str(&format!("{entry}\n"));
    }
    let path = world.file("citations.jsonl", citations);
    let answers = world.lines(1, ["verify", &path]);
    let imported = world.lines(1, ["record", "import", &world.file("records.jsonl", records)]);
    assert_eq!((answers.len(), imported.len()), (cases.len(), cases.len()));
    for (((entry, reason), answer), line) in cases.iter().zip(&answers).zip(&imported) {
        assert_eq!(
            (text(answer, "state"), text(answer, "reason")),
            ("failed", *reason),
            "{entry}"
        );
        assert_eq!(
            (text(line, "outcome"), text(line, "reason")),
            ("queued", "unverified_citation"),
            "{entry}"
        );
        assert_eq!(text(&line["citations"][0], "reason"), *reason, "{entry}");
    }
    // Numbers that are none, or no whole ones, and texts where numbers belong.
    for (start, end) in [
        (json!("12"), json!(20)),
        (json!(1.5), json!(20)),
        (json!(1e300), json!(20)),
        (json!(true), json!([])),
    ] {
        let path = world.file("odd.jsonl", spoiled(start.clone(), end).to_string());
        let answer = world.run(["verify", "--json", &path]);
        assert_eq!(answer.code, 1, "{start}");
        assert_ne!(text(&answer.lines()[0], "state"), "verified", "{start}");
    }
}
