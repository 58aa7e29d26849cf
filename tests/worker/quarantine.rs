//! Two deaths on the same bytes, and nothing opens them until somebody says so; on the command line, with a worker that dies.
//!
//! Deliberately not here: what makes a real worker die (bombs).

use crate::documents::{pdf, stand_in};
use pincite_pdf::frame;
use pincite_pdf::protocol::{PROTOCOL, Request, Response};
use pincite_tests::{Answer, World};
use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;

/// A worker that shakes hands and dies on every document.
fn dying(folder: &TempDir) -> std::path::PathBuf {
    let mut hello = Vec::new();
    frame::write(&mut hello, &Request::Hello { protocol: PROTOCOL }, &[]).expect("a frame");
    let mut answer = Vec::new();
    frame::write(&mut answer, &Response::Hello { protocol: PROTOCOL }, &[]).expect("a frame");
    let path = folder.path().join("answer");
    std::fs::write(&path, answer).expect("a file");
    let script = format!(
        "head -c {} >/dev/null; cat '{}'; head -c 1 >/dev/null; echo 'out of ink' >&2; kill -SEGV $$",
        hello.len(),
        path.display()
    );
    stand_in(folder, &script).program
}

fn run(world: &World, worker: Option<&Path>, arguments: &[&str]) -> (i32, Value, String) {
    let mut command = world.command(arguments);
    if let Some(worker) = worker {
        command.env("PINCITE_PDF_WORKER", worker);
    }
    let answer = Answer::of(command.arg("--json").output().expect("pincite starts"));
    let value = serde_json::from_str(answer.out.trim()).unwrap_or(Value::Null);
    (answer.code, value, answer.err)
}

/// The audit entries of these actions, oldest first: action and who.
fn audited(world: &World) -> Vec<String> {
    let entries = world.lines(0, ["audit", "log"]);
    let actions = entries.iter().filter_map(|entry| entry["action"].as_str());
    actions
        .filter(|action| action.starts_with("quarantine."))
        .map(str::to_owned)
        .collect()
}

#[test]
fn two_deaths_put_bytes_into_quarantine_and_a_word_lets_them_out() {
    let folder = TempDir::new().expect("a folder");
    let worker = dying(&folder);
    let world = World::empty();
    let document = world.file("deadly.pdf", pdf("", b"", "", &[]));
    let reason = |value: &Value| value["reason"].as_str().unwrap_or_default().to_owned();

    // A machine without a worker is no death of the document's.
    for _ in 0..3 {
        let (code, _, error) = run(&world, Some(Path::new("/nowhere/worker")), &["ingest", &document]);
        assert_eq!(code, 3, "{error}");
        assert!(error.contains("can't be started"), "{error}");
    }
    for _ in 0..2 {
        let (code, answer, error) = run(&world, Some(&worker), &["ingest", &document]);
        assert_eq!((code, &answer["outcome"]), (1, &"refused".into()), "{error}");
        assert_eq!(answer["quarantined"], false);
        assert!(
            ["deadly.pdf", "worker died", "signal 11", "out of ink"]
                .iter()
                .all(|part| reason(&answer).contains(part)),
            "{answer}"
        );
    }
    // Now not even a worker that would do is asked, under whatever name the bytes come.
    let copy = world.file("copy.pdf", pdf("", b"", "", &[]));
    for path in [&document, &copy] {
        let (code, answer, _) = run(&world, None, &["ingest", path]);
        assert_eq!(
            (code, &answer["outcome"], &answer["quarantined"]),
            (1, &"refused".into(), &true.into())
        );
        let said = reason(&answer);
        assert!(
            said.contains("quarantine") && said.contains("--try-again") && said.contains("out of ink"),
            "{said}"
        );
    }
    // Other bytes are nobody's business.
    let other = world.file("other.pdf", pdf("", b" ", "", &[]));
    assert_eq!(run(&world, None, &["ingest", &other]).0, 0);
    assert_eq!(audited(&world), ["quarantine.death", "quarantine.death"]);

    // Tried again it may die twice more.
    let (_, answer, _) = run(&world, Some(&worker), &["ingest", "--try-again", &document]);
    assert_eq!(answer["quarantined"], false, "{answer}");
    let (_, answer, _) = run(&world, Some(&worker), &["ingest", &document]);
    assert_eq!(answer["quarantined"], false, "{answer}");
    let (_, answer, _) = run(&world, None, &["ingest", &document]);
    assert_eq!(answer["quarantined"], true, "{answer}");
    let (code, answer, _) = run(&world, None, &["ingest", "--try-again", &document]);
    assert_eq!((code, &answer["outcome"]), (0, &"added".into()), "{answer}");
    let tried = audited(&world)
        .iter()
        .filter(|action| *action == "quarantine.try_again")
        .count();
    assert_eq!(tried, 2);
    let _ = world.json(["audit", "verify"]);
}

#[test]
fn drawing_counts_as_well_and_says_so() {
    let folder = TempDir::new().expect("a folder");
    let worker = dying(&folder);
    let world = World::empty();
    let document = world.file("plain.pdf", pdf("", b"", "", &[]));
    assert_eq!(run(&world, None, &["ingest", &document]).0, 0);
    let out = world.path("page.png").display().to_string();
    let draw = ["document", "render", "plain", "--page", "1", "--out", &out];
    for _ in 0..2 {
        let (code, _, error) = run(&world, Some(&worker), &draw);
        assert!(code == 2 && error.contains("worker died"), "{code}: {error}");
    }
    let (code, _, error) = run(&world, None, &draw);
    assert!(
        code == 2 && error.contains("quarantine") && error.contains("--try-again"),
        "{code}: {error}"
    );
    // What was read from it stays, and taking it in again says how it stands.
    assert_eq!(run(&world, None, &["document", "show", "plain"]).0, 0);
    let (code, answer, _) = run(&world, None, &["ingest", &document]);
    assert_eq!(
        (code, &answer["outcome"], &answer["quarantined"]),
        (0, &"known".into(), &true.into())
    );
    let again: Vec<&str> = draw.iter().copied().chain(["--try-again"]).collect();
    let (code, _, error) = run(&world, None, &again);
    assert_eq!(code, 0, "{error}");
    assert_eq!(run(&world, None, &draw).0, 0);
}
