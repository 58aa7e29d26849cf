//! A workspace that is backed up and restored: as it was at one moment, from a backup of which nothing changed, and nothing looks whole
//! that is not.
//!
//! Deliberately not here: what is told of a team's database alone (`moved`), and a disk whose power goes.

use crate::moved::{backup, copy, decide, done, import, ingest, new_place, restore, run, seen, working_world};
use crate::{assert_refused, elements, number, text};
use pincite_tests::{Chance, World, database, postgres};
use serde_json::Value;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[test]
fn a_backup_is_restored_as_it_was_and_into_no_place_that_is_taken() {
    let world = working_world(World::new());
    let folder = world.path("kept");
    let made = done(backup(&world, &folder));
    crate::contract::assert_keys(&made, "backup database entries head files bytes seconds", "backup");
    let files = pincite_tests::world::files_below(&folder);
    assert_eq!(number(&made, "files") + 2, files.len() as i64);
    let sums = Command::new("sha256sum")
        .args(["-c", "--quiet", "manifest.sha256"])
        .current_dir(&folder)
        .status();
    assert!(sums.expect("sha256sum starts").success());
    let again = new_place();
    let restored = done(restore(&folder, &again));
    crate::contract::assert_keys(
        &restored,
        "workspace database entries head schema files bytes seconds",
        "restore",
    );
    assert_eq!(restored["head"], made["head"]);
    assert_eq!(seen(&world), seen(&again));
    assert_eq!(
        database::ask(&world, "SELECT count(*) FROM place_counts"),
        database::ask(&again, "SELECT count(*) FROM place_counts")
    );
    decide(&again, "three");
    import(&again, 20, 22);
    assert!(again.json(["audit", "verify"])["fault"].is_null());
    assert_refused(&run(&mut restore(&folder, &again)), 2, &["something is here already"]);
    assert_refused(
        &run(&mut backup(&world, &folder)),
        2,
        &["kept", "something is here already"],
    );
    assert_refused(&run(&mut copy(&world, &again)), 2, &["something is here already"]);
    assert_refused(
        &run(&mut restore(&world.path("none"), &new_place())),
        2,
        &["none", "no such folder"],
    );
}

/// Writes a backup's list anew, as somebody could who knows its form.
fn seal(folder: &Path, list: &str) {
    std::fs::write(folder.join("manifest.json"), list).expect("a list");
    let seal = format!("{}  manifest.json\n", pincite_core::sha256_hex(list.as_bytes()));
    std::fs::write(folder.join("manifest.sha256"), seal).expect("a seal");
}

#[test]
fn a_backup_of_which_anything_changed_is_refused() {
    let world = working_world(World::new());
    let folder = world.path("kept");
    let _ = done(backup(&world, &folder));
    let place = new_place();
    let refused = |says: &[&str]| {
        assert_refused(&run(&mut restore(&folder, &place)), 2, says);
        let left = place.database().map_or_else(
            || place.workspace().exists().to_string(),
            |url| {
                postgres::ask(
                    &url,
                    "SELECT count(*) > 0 FROM pg_tables WHERE schemaname = current_schema()",
                )
            },
        );
        assert!(left == "false" || left == "f", "something is there: {left}");
    };
    let files = pincite_tests::world::files_below(&folder);
    assert!(files.len() >= 6, "{files:?}");
    for (path, length) in &files {
        let whole = std::fs::read(path).expect("a file of the backup");
        let mut changed = whole.clone();
        let at = usize::try_from(length / 2).expect("a place in it");
        changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
        std::fs::write(path, &changed).expect("changed");
        refused(&["kept", "not as it was made"]);
        std::fs::remove_file(path).expect("gone");
        let name = path.file_name().and_then(OsStr::to_str).expect("a name");
        refused(&["kept", name, "missing"]);
        std::fs::write(path, &whole).expect("put back");
    }
    for added in ["more.txt", "blobs/00/more", "database.sqlite-wal"] {
        let path = folder.join(added);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(&path, "").expect("added");
        refused(&["kept", added, "was added"]);
        std::fs::remove_file(&path).expect("gone");
    }
    let list = std::fs::read_to_string(folder.join("manifest.json")).expect("a list");
    let schema = format!(
        "\"schema\": {}",
        serde_json::from_str::<Value>(&list).expect("JSON")["schema"]
    );
    seal(&folder, &list.replacen(&schema, "\"schema\": 9999", 1));
    refused(&["the backup", "newer Pincite", "9999"]);
    seal(&folder, &list.replacen("pincite-backup-1", "pincite-backup-2", 1));
    refused(&["pincite-backup-2", "newer one"]);
    // Even who writes the list anew can't say that it holds another chain.
    let head = serde_json::from_str::<Value>(&list).expect("JSON")["head"]
        .as_str()
        .expect("a head")
        .to_owned();
    seal(&folder, &list.replacen(&head, &"0".repeat(64), 1));
    let answer = run(&mut restore(&folder, &place));
    assert_refused(&answer, 2, &["not what was backed up"]);
    seal(&folder, &list);
    let _ = done(restore(&folder, &place));
}

#[test]
fn a_backup_that_is_made_while_others_write_is_of_one_moment() {
    let world = working_world(World::new());
    let stop = AtomicBool::new(false);
    let written = std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            let mut at = 100;
            while !stop.load(Ordering::Relaxed) {
                ingest(&world, at);
                import(&world, at, at + 2);
                decide(&world, &at.to_string());
                at += 2;
            }
            at
        });
        for round in 0..3 {
            let folder = world.path(&format!("kept-{round}"));
            let _ = done(backup(&world, &folder));
        }
        stop.store(true, Ordering::Relaxed);
        writer.join().expect("a writer")
    });
    assert!(written > 102, "nothing was written meanwhile");
    let log = world.lines(0, ["audit", "log"]);
    let mut lengths = Vec::new();
    for round in 0..3 {
        let place = new_place();
        let _ = done(restore(&world.path(&format!("kept-{round}")), &place));
        let kept = place.lines(0, ["audit", "log"]);
        assert_eq!(kept[..], log[..kept.len()], "an earlier state of it");
        for document in elements(&place.json(["document", "list"])) {
            let layer = place.run(["document", "text", text(document, "doc_id")]);
            assert_eq!(
                pincite_core::sha256_hex(layer.out.as_bytes()),
                text(document, "layer_sha256")
            );
        }
        // A decision is there with its entry and its item, or not at all.
        let decided = kept
            .iter()
            .filter(|entry| text(entry, "action").starts_with("queue.decide"))
            .count();
        assert_eq!(place.lines(0, ["decision", "list"]).len(), decided);
        lengths.push(kept.len());
    }
    assert!(lengths.is_sorted() && lengths[0] < log.len(), "{lengths:?}");
}

#[test]
fn whatever_kills_it_nothing_is_left_that_looks_whole() {
    let world = working_world(World::new());
    let kept = world.path("kept");
    let calm = Instant::now();
    let _ = done(backup(&world, &kept));
    let reach = calm.elapsed().as_micros();
    let mut chance = Chance::new(5);
    let there = |place: &World| {
        let url = place.database();
        url.map_or_else(
            || place.workspace().exists(),
            |url| {
                postgres::ask(
                    &url,
                    "SELECT count(*) > 0 FROM pg_tables WHERE schemaname = current_schema()",
                ) == "t"
            },
        )
    };
    let mut killed = |mut command: Command| {
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("pincite starts");
        std::thread::sleep(Duration::from_micros(
            chance.below(u64::try_from(reach).expect("a time")),
        ));
        child.kill().expect("SIGKILL is sent");
        let _ = child.wait().expect("it ends");
    };
    let (mut whole, wanted) = (0, seen(&world));
    for round in 0..4 {
        let (folder, restored, copied) = (world.path(&format!("again-{round}")), new_place(), new_place());
        killed(backup(&world, &folder));
        if folder.exists() {
            whole += 1;
            let _ = done(restore(&folder, &new_place()));
        }
        killed(restore(&kept, &restored));
        killed(copy(&world, &copied));
        for place in [&restored, &copied] {
            if there(place) {
                whole += 1;
                assert_eq!(seen(place), wanted, "round {round}");
            }
        }
        // And what was left is in nobody's way.
        if round == 3 {
            if !folder.exists() {
                let _ = done(backup(&world, &folder));
            }
            let again = [restore(&kept, &restored), copy(&world, &copied)];
            for (place, command) in [&restored, &copied].into_iter().zip(again) {
                if !there(place) {
                    let _ = done(command);
                }
                assert_eq!(seen(place), wanted);
            }
            let beside = restored.workspace().with_file_name(".workspace.unfinished");
            assert!(!beside.exists(), "the remains are cleared away");
        }
    }
    assert!(whole < 12, "nothing was killed in the middle");
}

#[test]
fn what_goes_wrong_is_one_line_and_leaves_nothing() {
    let world = working_world(World::new());
    let _ = world.file("a-file", "");
    let on_a_file = world.path("a-file").join("kept");
    assert_refused(&run(&mut backup(&world, &on_a_file)), 2, &["a-file"]);
    assert_refused(
        &run(&mut backup(&world, &world.path("a-file"))),
        2,
        &["a-file", "can't be made"],
    );
    let nothing_at = |path: &Path| {
        let left = std::fs::read_dir(path.parent().expect("a folder"))
            .expect("a folder")
            .flatten();
        let left: Vec<_> = left
            .map(|entry| entry.file_name())
            .filter(|name| name.to_string_lossy().contains("kept"))
            .collect();
        assert!(left.is_empty(), "{left:?}");
    };
    // A disk that takes no more than 16 KiB of a file.
    let full = world.path("kept");
    let command = backup(&world, &full);
    let mut limited = Command::new("bash");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 16; exec \"$@\"", "limited"])
        .arg(command.get_program())
        .args(command.get_args());
    limited
        .env_clear()
        .envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    limited
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .current_dir(world.path("."));
    let answer = run(&mut limited);
    assert!(answer.code == 2 || answer.code == 3, "{answer:?}");
    assert_refused(&answer, answer.code, &[]);
    nothing_at(&full);
    // Bytes of a document that are gone, and that come back when its file is taken in again.
    let blobs = world.workspace().join("blobs");
    let (blob, _) = pincite_tests::world::files_below(&blobs)
        .into_iter()
        .next()
        .expect("a document's bytes");
    let name = blob.file_name().and_then(OsStr::to_str).expect("a name").to_owned();
    let bytes = std::fs::read(&blob).expect("bytes");
    for damage in [None, Some(b"another".to_vec())] {
        match damage {
            None => std::fs::remove_file(&blob).expect("gone"),
            Some(other) => std::fs::write(&blob, other).expect("changed"),
        }
        assert_refused(
            &run(&mut backup(&world, &full)),
            2,
            &[&name, "ingesting that file again"],
        );
        assert_refused(
            &run(&mut copy(&world, &new_place())),
            2,
            &[&name, "ingesting that file again"],
        );
        nothing_at(&full);
        let at = (0..3).find(|at| std::fs::read(world.path(&format!("text-{at}.txt"))).ok().as_ref() == Some(&bytes));
        ingest(&world, at.expect("the file that it came from"));
    }
    let _ = done(backup(&world, &full));
    // A chain that somebody changed.
    database::tamper(&world, "UPDATE audit_entries SET who = 'mallory' WHERE seq = 2");
    assert_refused(&run(&mut backup(&world, &world.path("other-kept"))), 3, &["entry 2"]);
}
