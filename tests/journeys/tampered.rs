//! Workspaces that somebody changed from outside: said in a clear word, never worked on as if nothing were.
//!
//! Deliberately not here: a disk that lies about syncing, and injected I/O errors.

use crate::{assert_refused, claim, decide_arguments, text};
use pincite_tests::{World, database, tree};
use std::path::PathBuf;

#[test]
fn a_workspace_of_a_newer_program_is_refused() {
    let world = World::demo();
    // Whoever is signed in when the workspace is brought to a newer version.
    let _ = (world.session("tester"), world.session("ada"));
    database::alter(
        &world,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) VALUES (9999, 'from the future', TRUE, '', 1)",
    );
    let before = world.workspace_files();
    let right = tree::fixture("records/right.jsonl").display().to_string();
    for command in [
        &["queue", "list"][..],
        &["queue", "claim", "--as", "ada"],
        &["record", "import", &right],
        &["init"],
        &["audit", "verify"],
    ] {
        assert_refused(
            &world.run(command),
            2,
            &[&world.place().to_string(), "newer Pincite", "9999", "update Pincite"],
        );
    }
    let lengths = |files: &[(PathBuf, u64)]| {
        files
            .iter()
            .filter(|(path, _)| path.ends_with("pincite.sqlite"))
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(
        lengths(&world.workspace_files()),
        lengths(&before),
        "nothing was written into it"
    );
}

#[test]
fn a_file_that_is_no_database_is_refused() {
    let world = World::in_a_folder();
    std::fs::create_dir_all(world.workspace()).expect("a folder");
    std::fs::write(
        world.workspace().join("pincite.sqlite"),
        "this is a shopping list, and no database at all\n".repeat(100),
    )
    .expect("a file");
    let answer = world.run(["queue", "list"]);
    assert_refused(&answer, 3, &["not a database"]);
    let kept = std::fs::read_to_string(world.workspace().join("pincite.sqlite")).expect("the file");
    assert!(kept.starts_with("this is a shopping list"), "it is left as it was");
}

#[test]
fn a_flipped_byte_of_a_document_fails_its_citations() {
    let world = World::demo();
    let sound = world.lines(1, ["verify", "--all"]);
    let bytes = std::fs::read(tree::fixture("documents/drug-label.pdf")).expect("a fixture");
    let hash = pincite_core::sha256_hex(&bytes);
    let blob = world
        .workspace_files()
        .into_iter()
        .map(|(path, _)| path)
        .find(|path| path.ends_with(&hash))
        .expect("the bytes are kept");
    let mut flipped = bytes.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    std::fs::write(&blob, &flipped).expect("a tamperer can write");
    let listed = world.lines(0, ["record", "list"]);
    let of_label: Vec<String> = listed
        .iter()
        .flat_map(|record| crate::elements(&record["provenance"]))
        .filter(|citation| text(citation, "doc_sha256") == hash)
        .map(|citation| text(citation, "id").to_owned())
        .collect();
    assert!(of_label.len() > 20);
    let answers = world.lines(1, ["verify", "--all"]);
    for (answer, before) in answers.iter().zip(&sound) {
        if of_label.iter().any(|id| id == text(answer, "id")) {
            assert_eq!(
                (text(answer, "state"), text(answer, "reason")),
                ("failed", "bytes_corrupt"),
                "{answer}"
            );
        } else {
            assert_eq!(answer, before, "other documents are not touched");
        }
    }
    // A file of citations is told the same, and so is an import: nothing of this document is shown as fact.
    let one = listed
        .iter()
        .flat_map(|record| crate::elements(&record["provenance"]))
        .find(|citation| text(citation, "doc_sha256") == hash)
        .expect("one");
    let path = world.file("one.jsonl", one.to_string());
    assert_eq!(text(&world.lines(1, ["verify", &path])[0], "reason"), "bytes_corrupt");
    // Gone altogether is no better; put back, all is as it was.
    std::fs::remove_file(&blob).expect("a tamperer can remove");
    assert_eq!(text(&world.lines(1, ["verify", &path])[0], "reason"), "bytes_corrupt");
    std::fs::write(&blob, &bytes).expect("put back");
    assert_eq!(world.lines(1, ["verify", "--all"]), sound);
}

#[test]
fn a_changed_audit_entry_is_found() {
    // What a tamperer does, and what the report must name.
    let deeds = [
        ("UPDATE audit_entries SET who = 'nobody' WHERE seq = 20", "20"),
        (
            "UPDATE audit_entries SET recorded_at = recorded_at + 1 WHERE seq = 1",
            "1",
        ),
        ("UPDATE audit_payloads SET payload = '{}' WHERE seq = 30", "30"),
        (
            "DELETE FROM audit_payloads WHERE seq = 40; DELETE FROM audit_entries WHERE seq = 40",
            "4",
        ),
        (
            "UPDATE audit_entries SET seq = 9000 WHERE seq = 50; UPDATE audit_entries SET seq = 50 WHERE seq = 51",
            "5",
        ),
    ];
    for (deed, number) in deeds {
        let world = World::demo();
        let held = claim(&world, "ada").expect("an item");
        let _ = world.json(decide_arguments(&held, "ada", "k", &["--accept"]));
        assert!(world.json(["audit", "verify"])["fault"].is_null());
        database::tamper(&world, deed);
        let answer = world.run(["audit", "verify", "--json"]);
        assert_eq!(answer.code, 1, "{deed}: {answer:?}");
        assert!(
            text(&answer.lines()[0], "fault").contains(number),
            "{deed}: {}",
            answer.out
        );
        let words = world.run(["audit", "verify"]);
        assert!(words.code == 1 && !words.out.contains("holds"), "{}", words.out);
    }
}

#[test]
fn an_erased_payload_leaves_the_chain_whole() {
    let world = World::demo();
    database::alter(&world, "DELETE FROM audit_payloads WHERE seq = 20");
    assert!(world.json(["audit", "verify"])["fault"].is_null());
    let entry = &world.lines(0, ["audit", "log", "--after", "19", "--limit", "1"])[0];
    assert!(
        entry["payload"].is_null() && crate::number(entry, "entry") == 20,
        "{entry}"
    );
}

#[test]
fn what_is_append_only_stays_as_it_is() {
    let world = World::demo();
    let held = claim(&world, "ada").expect("an item");
    let _ = world.json(decide_arguments(&held, "ada", "k", &["--accept"]));
    for statement in [
        "UPDATE decisions SET kind = 'reject'",
        "DELETE FROM decisions",
        "UPDATE records SET field = 'x'",
        "UPDATE citations SET quote = 'x'",
        "UPDATE layers SET text = 'x'",
        "UPDATE audit_entries SET who = 'x'",
        "DELETE FROM audit_entries",
        "UPDATE routing_log SET outcome = 'shown'",
        "DELETE FROM routing_log",
        "UPDATE settings SET value = '1'",
        "DELETE FROM thresholds",
    ] {
        let table = statement
            .split_whitespace()
            .find(|word| word.chars().all(|letter| letter.is_lowercase() || letter == '_'))
            .unwrap_or_default();
        if database::ask(&world, &format!("SELECT count(*) FROM {table}")) == "0" {
            continue;
        }
        let refused = database::refusal(&world, statement);
        assert!(
            ["never", "append-only"].iter().any(|word| refused.contains(word)),
            "{statement}: {refused:?}"
        );
    }
}
