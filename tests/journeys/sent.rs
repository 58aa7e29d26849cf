//! A workspace that somebody sent: looked over before anything in it is used, and refused where it carries what Pincite never
//! makes.
//!
//! Deliberately not here: rows that were altered (`tampered`, `anchored`).

use crate::assert_refused;
use pincite_tests::{World, database};
use std::path::Path;

/// A world with a workspace in a folder, known to nobody: as if it had just been unpacked.
fn sent() -> World {
    let world = World::in_a_folder();
    let _ = world.json(["init", "--demo"]);
    std::fs::remove_dir_all(world.anchors()).expect("what was remembered");
    world
}

fn looked_over(world: &World) -> String {
    std::fs::read_to_string(world.anchors().join("looked-over")).unwrap_or_default()
}

#[test]
fn what_pincite_made_is_looked_over_once_and_a_copy_again() {
    let world = sent();
    let _ = world.json(["queue", "list"]);
    let once = looked_over(&world);
    assert_eq!(once.lines().count(), 1);
    let _ = world.json(["queue", "list"]);
    assert_eq!(looked_over(&world), once);
    // Another file in its place is another workspace.
    let file = world.workspace().join("pincite.sqlite");
    std::fs::copy(&file, world.path("copy")).expect("a copy");
    std::fs::rename(world.path("copy"), &file).expect("in its place");
    let _ = world.json(["queue", "list"]);
    assert_eq!(looked_over(&world).lines().count(), 2);
}

#[test]
fn what_a_workspace_must_not_carry_is_refused_before_it_does_anything() {
    let deeds = [
        (
            "CREATE TRIGGER helpful AFTER INSERT ON decisions BEGIN UPDATE items SET state = 'open'; END",
            "trigger helpful",
        ),
        ("DROP TRIGGER decisions_stay", "trigger decisions_stay"),
        (
            "CREATE VIEW documents_of AS SELECT * FROM documents",
            "view documents_of",
        ),
        (
            "ALTER TABLE reviewers RENAME TO others; CREATE VIEW reviewers AS SELECT 'eve' AS name, 0 AS recorded_at",
            "is not one that Pincite makes",
        ),
        ("CREATE TABLE more (name TEXT)", "table more"),
        ("DROP INDEX items_in_order", "index items_in_order"),
        ("DROP TABLE _sqlx_migrations", "no table of migrations"),
    ];
    for (deed, named) in deeds {
        let world = sent();
        database::alter(&world, deed);
        for command in [&["queue", "list"][..], &["queue", "claim", "--as", "ada"], &["init"]] {
            assert_refused(&world.run(command), 2, &[&world.place().to_string(), named]);
        }
        assert_eq!(looked_over(&world), "", "{deed}: it is not remembered");
    }
}

#[test]
fn damaged_pages_are_refused() {
    let world = sent();
    database::alter(&world, "PRAGMA wal_checkpoint(TRUNCATE)");
    spoil(&world.workspace().join("pincite.sqlite"));
    let answer = world.run(["queue", "list"]);
    assert!(answer.code >= 2 && answer.out.is_empty(), "{answer:?}");
    assert!(
        answer.err.contains("damaged") || answer.err.contains("malformed"),
        "{}",
        answer.err
    );
}

/// Writes nonsense over pages in the middle.
fn spoil(file: &Path) {
    let mut bytes = std::fs::read(file).expect("the database");
    let middle = bytes.len() / 2 / 4096 * 4096;
    for byte in bytes.iter_mut().skip(middle).take(64 * 4096) {
        *byte ^= 0x5a;
    }
    std::fs::write(file, bytes).expect("spoiled");
}
