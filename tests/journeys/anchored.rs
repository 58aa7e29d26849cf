//! The audit chain against somebody who owns the machine: whatever is done to a copy of the database is found, given the last
//! anchor; and what anchors are, as a person meets them.
//!
//! Deliberately not here: single altered entries as words say them (`tampered`), signatures (the core's own tests).

use crate::{assert_refused, number, text};
use pincite_app::{Workspace, audit};
use pincite_core::audit::{Entry, GENESIS, commitment, entry_hash};
use pincite_tests::{Chance, World, database};
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, Connection as _, Row as _};
use std::path::{Path, PathBuf};

/// How many entries a chain begins with: that the workspace was made, and in a team the first account.
fn first_entries(world: &World) -> i64 {
    1 + i64::from(world.database().is_some())
}

/// A world whose chain has some entries, all of them anchored.
fn anchored_world(settings: usize) -> World {
    let world = World::empty();
    for number in 0..settings {
        let seconds = (30 + number).to_string();
        let _ = world.json(["settings", "set", "seconds_per_item", &seconds, "--why", "a test"]);
    }
    world
}

fn anchor_file(world: &World) -> PathBuf {
    let files = std::fs::read_dir(world.anchors()).expect("a folder of anchors");
    files
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "jsonl"))
        .expect("anchors")
}

#[test]
fn every_command_that_writes_leaves_an_anchor_and_verify_goes_through_them() {
    let world = anchored_world(3);
    let anchors = std::fs::read_to_string(anchor_file(&world)).expect("anchors");
    assert_eq!(anchors.lines().count(), 3, "{anchors}");
    let report = world.json(["audit", "verify"]);
    assert_eq!(number(&report, "anchored"), number(&report, "entries"));
    assert_eq!(crate::elements(&report["keys"]).len(), 1);
    // Reading anchors nothing.
    let _ = world.json(["queue", "list"]);
    assert_eq!(std::fs::read_to_string(anchor_file(&world)).expect("anchors"), anchors);
    // Copied elsewhere, with the key noted: what an auditor has.
    let copy = world.file("safe.jsonl", &anchors);
    let key = report["keys"][0].as_str().expect("a key").to_owned();
    let checked = world.json(["audit", "verify", "--anchor", &copy, "--key", &key]);
    assert_eq!(number(&checked, "anchored"), number(&report, "entries"));
    assert_refused(
        &world.run(["audit", "verify", "--anchor", &copy, "--key", &"0".repeat(64)]),
        2,
        &["safe.jsonl", "line 1", "not the one trusted"],
    );
    let last = format!("\"entries\":{}", number(&report, "entries"));
    let altered = world.file("altered.jsonl", anchors.replacen(&last, "\"entries\":99", 1));
    assert_refused(
        &world.run(["audit", "verify", "--anchor", &altered]),
        2,
        &["altered.jsonl", "the line was altered"],
    );
    assert_refused(
        &world.run(["audit", "verify", "--anchor", &world.path("none").display().to_string()]),
        2,
        &["none", "can't be read"],
    );
}

#[test]
fn an_end_that_is_cut_off_is_found_by_the_anchor_alone() {
    let world = anchored_world(5);
    database::tamper(
        &world,
        "DELETE FROM audit_payloads WHERE seq > 3; DELETE FROM audit_entries WHERE seq > 3",
    );
    let answer = world.run(["audit", "verify"]);
    assert_eq!(answer.code, 1);
    assert!(
        answer.out.contains("ends at entry 3")
            && answer
                .out
                .contains(&format!("{} were anchored", 5 + first_entries(&world))),
        "{}",
        answer.out
    );
    std::fs::remove_file(anchor_file(&world)).expect("the anchors");
    let answer = world.run(["audit", "verify"]);
    assert!(
        answer.code == 0 && answer.out.contains("no anchor vouches for it"),
        "{}",
        answer.out
    );
}

#[test]
fn the_chain_is_exported_in_lines_that_can_be_checked_and_as_a_page() {
    let world = anchored_world(2);
    let lines = world.lines(0, ["audit", "export"]);
    let mut previous = GENESIS;
    for line in &lines {
        let bytes = |key: &str| {
            let digits = text(line, key);
            (0..digits.len() / 2)
                .map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).expect("hexadecimal"))
                .collect::<Vec<u8>>()
        };
        let payload = commitment(&bytes("salt"), line["payload"].to_string().as_bytes());
        assert_eq!(
            bytes("commitment"),
            payload,
            "the payload is the one committed to: {line}"
        );
        let recorded_at = chrono_milliseconds(text(line, "recorded_at"));
        let entry = Entry {
            seq: number(line, "entry"),
            recorded_at,
            zone: text(line, "zone").into(),
            who: text(line, "who").into(),
            role: text(line, "role").into(),
            action: text(line, "action").into(),
            subject: text(line, "subject").into(),
            payload,
        };
        previous = entry_hash(&previous, &entry);
        assert_eq!(bytes("hash"), previous, "{line}");
    }
    let page = world.path("audit.html").display().to_string();
    assert_eq!(
        number(&world.json(["audit", "export", "--page", &page]), "entries"),
        lines.len() as i64
    );
    let html = std::fs::read_to_string(&page).expect("a page");
    assert!(
        html.contains(&format!("Anchored up to entry {}", 2 + first_entries(&world)))
            && html.contains("seconds_per_item"),
        "{html}"
    );
}

/// Milliseconds since 1970 UTC of a time as it crosses, by Python: not by our own code.
fn chrono_milliseconds(text: &str) -> i64 {
    let program =
        "import datetime, sys\nprint(round(datetime.datetime.fromisoformat(sys.argv[1]).timestamp() * 1000), end='')";
    let ended = std::process::Command::new("python3")
        .args(["-c", program, text])
        .output();
    let out = ended.expect("python3 starts").stdout;
    String::from_utf8_lossy(&out).parse().expect("a number")
}

/// What somebody who owns the machine does to a copy of the database.
#[derive(Debug, Clone, Copy)]
enum Deed {
    Edit,
    Delete,
    Insert,
    Reorder,
    Truncate,
    Rewrite,
    PutBack,
}

const DEEDS: [Deed; 7] = [
    Deed::Edit,
    Deed::Delete,
    Deed::Insert,
    Deed::Reorder,
    Deed::Truncate,
    Deed::Rewrite,
    Deed::PutBack,
];

/// So many random tamperings, each on a fresh copy.
fn tamperings(count: u64) {
    let world = World::in_a_folder();
    let _ = world.json(["init"]);
    let settings = |from: usize, to: usize| {
        for number in from..to {
            let seconds = (30 + number).to_string();
            let _ = world.json(["settings", "set", "seconds_per_item", &seconds, "--why", "a test"]);
        }
    };
    settings(0, 6);
    let older = world.path("older.sqlite");
    std::fs::copy(world.workspace().join("pincite.sqlite"), &older).expect("an older copy");
    settings(6, 14);
    let anchors = anchor_file(&world);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        for seed in 0..count {
            let mut chance = Chance::new(seed);
            let copy = world.path(&format!("copy-{seed}"));
            std::fs::create_dir_all(copy.join("blobs/passing")).expect("a folder");
            let file = copy.join("pincite.sqlite");
            std::fs::copy(world.workspace().join("pincite.sqlite"), &file).expect("a copy");
            let deed = *chance.of(&DEEDS);
            let what = tamper(deed, &file, &older, &mut chance).await;
            let workspace = Workspace::open(&copy).await.expect("the copy");
            let report = audit::verify(&workspace, Some(&anchors), None).await.expect("a report");
            assert!(report.fault.is_some(), "seed {seed}, {deed:?}: {what}");
            workspace.close().await;
            std::fs::remove_dir_all(&copy).expect("the copy goes");
        }
        // And what nobody touched holds.
        let workspace = Workspace::open(world.place()).await.expect("the workspace");
        let report = audit::verify(&workspace, Some(&anchors), None).await.expect("a report");
        assert_eq!((report.fault, report.anchored), (None, report.entries));
        workspace.close().await;
    });
}

async fn tamper(deed: Deed, file: &Path, older: &Path, chance: &mut Chance) -> String {
    if matches!(deed, Deed::PutBack) {
        std::fs::copy(older, file).expect("put back");
        return "an older file".into();
    }
    let options = SqliteConnectOptions::new().filename(file).foreign_keys(false);
    let mut connection = SqliteConnection::connect_with(&options).await.expect("the copy");
    let triggers = sqlx::query("SELECT name FROM sqlite_master WHERE type = 'trigger'");
    for row in triggers.fetch_all(&mut connection).await.expect("triggers") {
        let name: String = row.get(0);
        run(&mut connection, &format!("DROP TRIGGER {name}")).await;
    }
    let entries: i64 = sqlx::query_scalar("SELECT max(seq) FROM audit_entries")
        .fetch_one(&mut connection)
        .await
        .expect("entries");
    let any = |chance: &mut Chance| 1 + chance.below(entries as u64) as i64;
    let seq = any(chance);
    let statements: Vec<String> = match deed {
        Deed::Edit => {
            let edits = [
                "UPDATE audit_entries SET who = who || 'x'",
                "UPDATE audit_entries SET role = role || 'x'",
                "UPDATE audit_entries SET action = 'queue.undo'",
                "UPDATE audit_entries SET subject = subject || 'x'",
                "UPDATE audit_entries SET zone = '+13:00'",
                "UPDATE audit_entries SET recorded_at = recorded_at - 1",
                "UPDATE audit_entries SET payload = zeroblob(32)",
                "UPDATE audit_entries SET entry_hash = zeroblob(32)",
                "UPDATE audit_payloads SET payload = CAST('{}' AS BLOB)",
                "UPDATE audit_payloads SET salt = zeroblob(16)",
            ];
            let edit = chance.of(&edits);
            vec![format!("{edit} WHERE seq = {seq}")]
        }
        Deed::Delete => vec![
            format!("DELETE FROM audit_payloads WHERE seq = {seq}"),
            format!("DELETE FROM audit_entries WHERE seq = {seq}"),
        ],
        Deed::Truncate => vec![
            format!("DELETE FROM audit_payloads WHERE seq >= {seq}"),
            format!("DELETE FROM audit_entries WHERE seq >= {seq}"),
        ],
        Deed::Reorder => {
            let other = 1 + (seq - 1 + 1 + chance.below(entries as u64 - 1) as i64) % entries;
            vec![
                format!("UPDATE audit_entries SET seq = -1 WHERE seq = {seq}"),
                format!("UPDATE audit_entries SET seq = {seq} WHERE seq = {other}"),
                format!("UPDATE audit_entries SET seq = {other} WHERE seq = -1"),
            ]
        }
        // One more in the middle, with everything after it hashed anew; or all of it, with one word changed.
        Deed::Insert | Deed::Rewrite => {
            if matches!(deed, Deed::Insert) {
                run(
                    &mut connection,
                    &format!("UPDATE audit_entries SET seq = -seq - 1 WHERE seq >= {seq}"),
                )
                .await;
                run(&mut connection, "UPDATE audit_entries SET seq = -seq WHERE seq < 0").await;
                run(
                    &mut connection,
                    &format!(
                        "INSERT INTO audit_entries (seq, recorded_at, zone, who, role, action, subject, payload, entry_hash) \
                         SELECT {seq}, recorded_at, zone, 'ada', role, action, subject, payload, entry_hash FROM audit_entries LIMIT 1"
                    ),
                )
                .await;
                run(&mut connection, "DELETE FROM audit_payloads").await;
            } else {
                run(
                    &mut connection,
                    &format!("UPDATE audit_entries SET who = 'ada' WHERE seq = {seq}"),
                )
                .await;
            }
            hash_anew(&mut connection).await;
            Vec::new()
        }
        Deed::PutBack => Vec::new(),
    };
    for statement in &statements {
        run(&mut connection, statement).await;
    }
    connection.close().await.expect("closed");
    format!("entry {seq}: {statements:?}")
}

async fn run(connection: &mut SqliteConnection, statement: &str) {
    sqlx::query(AssertSqlSafe(statement.to_owned()))
        .execute(connection)
        .await
        .unwrap_or_else(|error| panic!("{statement}: {error}"));
}

/// Makes every entry follow from the one before: the chain alone then holds.
async fn hash_anew(connection: &mut SqliteConnection) {
    let sql = "SELECT seq, recorded_at, zone, who, role, action, subject, payload FROM audit_entries ORDER BY seq";
    let rows = sqlx::query(sql).fetch_all(&mut *connection).await.expect("entries");
    let mut previous = GENESIS;
    for row in rows {
        let payload: Vec<u8> = row.get(7);
        let entry = Entry {
            seq: row.get(0),
            recorded_at: row.get(1),
            zone: row.get(2),
            who: row.get(3),
            role: row.get(4),
            action: row.get(5),
            subject: row.get(6),
            payload: payload.try_into().expect("a hash"),
        };
        previous = entry_hash(&previous, &entry);
        sqlx::query("UPDATE audit_entries SET entry_hash = $1 WHERE seq = $2")
            .bind(previous.as_slice())
            .bind(entry.seq)
            .execute(&mut *connection)
            .await
            .expect("written anew");
    }
}

#[test]
fn a_hundred_random_tamperings_are_all_found() {
    tamperings(100);
}

#[test]
#[ignore = "long: a thousand random tamperings"]
fn soak_a_thousand_tamperings() {
    tamperings(1_000);
}
