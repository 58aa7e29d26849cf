//! Moving a workspace from one database to the other and back: nothing is lost on the way, and work goes on where it was.
//!
//! What was moved is compared by Python's own sqlite3 too, and not by our hash alone.
//!
//! Deliberately not here: backups (`moved_by_backup`), upgrades (`upgraded`), a server of another version than pg_dump.

use crate::{Answer, assert_refused, claim, decide_arguments, number, text};
use pincite_tests::world::{TESTER, on_postgres};
use pincite_tests::{World, database, postgres};
use serde_json::{Value, json};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The workspace of a world, entered by the owner of its tables: nobody else sees all of them.
pub(crate) fn by_owner(world: &World) -> OsString {
    world
        .database()
        .map_or_else(|| world.workspace_argument(), OsString::from)
}

/// A world without a workspace, to restore or copy into; on PostgreSQL where the tests are.
pub(crate) fn new_place() -> World {
    if on_postgres() {
        new_team()
    } else {
        World::in_a_folder()
    }
}

pub(crate) fn new_team() -> World {
    World::on(postgres::workspace_url().expect("a PostgreSQL"))
}

/// A command on the workspace of a world.
pub(crate) fn command(world: &World, arguments: &[&OsStr]) -> Command {
    let mut command = world.bare_command();
    command.arg("--workspace").arg(by_owner(world)).args(arguments);
    command.envs(world.session(TESTER).map(|token| ("PINCITE_SESSION", token)));
    command
}

pub(crate) fn run(command: &mut Command) -> Answer {
    Answer::of(command.output().expect("pincite starts"))
}

/// Runs it with `--json` and wants exit code 0.
pub(crate) fn done(mut command: Command) -> Value {
    let answer = run(command.arg("--json"));
    assert_eq!(answer.code, 0, "{command:?}: {}", answer.err);
    serde_json::from_str(&answer.out).expect("JSON")
}

pub(crate) fn backup(world: &World, folder: &Path) -> Command {
    command(world, &["backup".as_ref(), folder.as_os_str()])
}

pub(crate) fn restore(folder: &Path, into: &World) -> Command {
    let mut command = command(into, &["restore".as_ref(), folder.as_os_str()]);
    if into.database().is_some() {
        command.arg("--blobs").arg(into.blobs_argument());
    }
    command
}

pub(crate) fn copy(world: &World, into: &World) -> Command {
    let to = by_owner(into);
    let mut command = command(world, &["workspace".as_ref(), "copy".as_ref(), "--to".as_ref(), &to]);
    if into.database().is_some() {
        command.arg("--blobs").arg(into.blobs_argument());
    }
    command
}

/// A workspace with a few texts, items and decisions.
pub(crate) fn working_world(world: World) -> World {
    let _ = world.json(["init"]);
    let catalogue = world.file("catalogue.toml", "[field.\"some.field\"]\ntype = \"number\"\n");
    let _ = world.json(["catalogue", "set", &catalogue]);
    for at in 0..3 {
        ingest(&world, at);
    }
    import(&world, 0, 8);
    for key in ["one", "two"] {
        decide(&world, key);
    }
    world
}

pub(crate) fn ingest(world: &World, at: usize) {
    let file = world.file(
        &format!("text-{at}.txt"),
        format!("the text of number {at}\n").repeat(900),
    );
    let _ = world.json(["ingest", &file]);
}

pub(crate) fn import(world: &World, from: usize, to: usize) {
    let lines: Vec<String> = (from..to)
        .map(|number| {
            json!({
                "record_id": format!("r-{number}"), "doc_id": format!("d-{number}"), "doc_sha256": pincite_core::sha256_hex(&number.to_le_bytes()),
                "field": "some.field", "value": number, "status": "present", "confidence": 0.1 + 0.2, "provenance": [{"quote": "nothing"}],
                "extractor": {"model": "m", "prompt_version": "p", "run_id": "r"}, "due_at": null
            })
            .to_string()
        })
        .collect();
    let path = world.file("records.jsonl", lines.join("\n"));
    // Exit code 1: their citations do not hold, since no document is here.
    assert_eq!(world.lines(1, ["record", "import", &path]).len(), to - from);
}

pub(crate) fn decide(world: &World, key: &str) -> Value {
    let claimed = claim(world, "ada").expect("an item");
    world.json(decide_arguments(
        &claimed,
        "ada",
        key,
        &["--correct", "7", "--note", "seen"],
    ))
}

/// What a person sees of it: the queue, decisions, settings, the whole chain.
pub(crate) fn seen(world: &World) -> Vec<Value> {
    let mut seen = vec![
        world.json(["queue", "list", "--as", "bea"]),
        world.json(["calibrate"]),
        world.json(["document", "list"]),
    ];
    for list in [&["decision", "list"][..], &["audit", "log"], &["record", "list"]] {
        seen.extend(world.lines(0, list));
    }
    // Whoever looks at a team's workspace has an account there.
    seen.retain(|line| line["action"] != "account.add");
    seen
}

fn anchors(world: &World) -> PathBuf {
    let files = std::fs::read_dir(world.anchors()).expect("anchors").flatten();
    let mut files = files.map(|entry| entry.path());
    files
        .find(|path| path.extension() == Some(OsStr::new("jsonl")))
        .expect("an anchor file")
}

/// Whether two SQLite databases hold the same: every value of every row with its type, every declaration, every next number. By Python.
fn differences(one: &World, other: &World) -> String {
    let program = "import sqlite3, sys\n\
        def held(path):\n\
        \x20   c = sqlite3.connect(path)\n\
        \x20   c.text_factory = bytes\n\
        \x20   found = {b'declared': sorted(map(repr, c.execute(\"SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'\")))}\n\
        \x20   found[b'numbers'] = sorted(map(repr, c.execute(\"SELECT * FROM sqlite_sequence WHERE name <> 'sign_ins'\")))\n\
        \x20   for (t,) in c.execute(\"SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> '_sqlx_migrations'\").fetchall():\n\
        \x20       if t not in (b'sessions', b'sign_ins'): found[t] = sorted(map(repr, c.execute('SELECT * FROM ' + t.decode())))\n\
        \x20   return found\n\
        a, b = held(sys.argv[1]), held(sys.argv[2])\n\
        assert len(a) > 30\n\
        for t in sorted(set(a) | set(b)):\n\
        \x20   if a.get(t) != b.get(t): print(t, [r for r in a.get(t, []) if r not in b.get(t, [])][:3], [r for r in b.get(t, []) if r not in a.get(t, [])][:3])\n";
    let file = |world: &World| world.workspace().join("pincite.sqlite");
    let ended = Command::new("python3")
        .args(["-c", program])
        .arg(file(one))
        .arg(file(other))
        .output();
    let ended = ended.expect("python3 starts");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8_lossy(&ended.stdout).into_owned()
}

/// Puts a row that is hard to copy into every table where there is none, whatever tables there are: references lead somewhere, and where
/// the schema lists what may stand in a column, the first of it does. Answers how many tables there are.
fn fill_every_table(world: &World) -> usize {
    let program = "import re, sqlite3, sys\n\
        c = sqlite3.connect(sys.argv[1])\n\
        c.execute('PRAGMA foreign_keys = ON')\n\
        tables = dict(c.execute(\"SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> '_sqlx_migrations'\"))\n\
        value = {'BIGINT': -9007199254740993, 'INTEGER': 41, 'TEXT': 'a\\\\b\\tc\\nd\\re \\u00fc\\U0001f600 \\\\N', 'BLOB': bytes(range(256)), 'BOOLEAN': 1, 'DOUBLE PRECISION': 0.1 + 0.2}\n\
        left = sorted(tables)\n\
        while left:\n\
        \x20   table = left.pop(0)\n\
        \x20   if c.execute('SELECT 1 FROM ' + table).fetchone(): continue\n\
        \x20   row = {}\n\
        \x20   for _, name, kind, *_ in c.execute(f'PRAGMA table_info({table})').fetchall():\n\
        \x20       listed = re.search(rf\"\\b{name}\\b[^,]*?\\bIN\\s*\\(\\s*'([^']+)'\", tables[table])\n\
        \x20       row[name] = listed.group(1) if listed else value[kind]\n\
        \x20   missing = None\n\
        \x20   keys = {}\n\
        \x20   for key, _, parent, mine, theirs, *_ in c.execute(f'PRAGMA foreign_key_list({table})').fetchall():\n\
        \x20       keys.setdefault((key, parent), []).append((mine, theirs))\n\
        \x20   for (_, parent), columns in keys.items():\n\
        \x20       if parent == table:\n\
        \x20           for mine, _ in columns: row[mine] = None\n\
        \x20           continue\n\
        \x20       found = c.execute('SELECT ' + ', '.join(theirs for _, theirs in columns) + ' FROM ' + parent).fetchone()\n\
        \x20       if found is None: missing = parent; break\n\
        \x20       for (mine, _), held in zip(columns, found): row[mine] = held\n\
        \x20   if missing:\n\
        \x20       left.append(table)\n\
        \x20       continue\n\
        \x20   c.execute(f'INSERT INTO {table} (' + ', '.join(row) + ') VALUES (' + ', '.join('?' * len(row)) + ')', list(row.values()))\n\
        c.execute(\"UPDATE sqlite_sequence SET seq = 77 WHERE name = 'citations'\")\n\
        c.commit()\n\
        assert all(c.execute('SELECT 1 FROM ' + table).fetchone() for table in tables)\n\
        print(len(tables), end='')\n";
    let file = world.workspace().join("pincite.sqlite");
    let ended = Command::new("python3")
        .args(["-c", program])
        .arg(file)
        .output()
        .expect("python3 starts");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8_lossy(&ended.stdout).parse().expect("a number")
}

#[test]
fn every_table_is_copied_to_the_other_database_and_back() {
    // Both databases are in it already.
    if on_postgres() {
        return;
    }
    let world = World::in_a_folder();
    let _ = world.json(["init"]);
    // Bytes of a document are a file, and can't be made up; and somebody has to sign in to what is copied into a team.
    ingest(&world, 0);
    let password = world.password_file().display().to_string();
    let _ = world.json([
        "user",
        "add",
        TESTER,
        "--why",
        "a test",
        "--role",
        "administrator",
        "--password-file",
        &password,
    ]);
    let tables = fill_every_table(&world);
    let (team, back, again) = (new_team(), World::in_a_folder(), World::in_a_folder());
    let there = done(copy(&world, &team));
    let keys = "workspace database tables rows entries head content blobs bytes seconds";
    crate::contract::assert_keys(&there, keys, "workspace copy");
    assert_eq!(number(&there, "tables"), tables as i64);
    assert!(number(&there, "rows") >= tables as i64, "{there}");
    let here = done(copy(&team, &back));
    // But for who signed in to copy it.
    assert_eq!(differences(&world, &back), "");
    assert_eq!(done(copy(&back, &again))["content"], here["content"]);
    assert_eq!(differences(&world, &again), "");
    // And a value that is another is found: the proof of the proof.
    database::tamper(&again, "UPDATE records SET confidence = 0.3");
    assert_ne!(differences(&world, &again), "");
    assert_eq!(
        database::ask(&team, "SELECT nextval(pg_get_serial_sequence('citations', 'number'))"),
        "78"
    );
}

#[test]
fn work_goes_on_where_it_was_in_another_place_and_back_again() {
    if on_postgres() {
        return;
    }
    let world = working_world(World::in_a_folder());
    let (team, back) = (new_team(), World::in_a_folder());
    let there = done(copy(&world, &team));
    assert_eq!(text(&there, "database"), "postgres");
    assert_eq!(seen(&world), seen(&team));
    let anchor = anchors(&world);
    let anchor = anchor.to_str().expect("a path");
    let chain = team.json(["audit", "verify", "--anchor", anchor]);
    assert!(chain["fault"].is_null(), "{chain}");
    assert_eq!(number(&chain, "anchored"), number(&there, "entries"));
    let working = |world: &World, key: &str, from: usize| {
        import(world, from, from + 2);
        ingest(world, from);
        decide(world, key);
        let numbers = database::ask(world, "SELECT max(number) FROM decisions");
        assert_eq!(
            numbers,
            database::ask(world, "SELECT count(*) FROM decisions"),
            "no number was left out or given twice"
        );
        let chain = world.json(["audit", "verify", "--anchor", anchor]);
        assert!(chain["fault"].is_null() && number(&chain, "anchored") > 0, "{chain}");
    };
    working(&team, "three", 20);
    let here = done(copy(&team, &back));
    assert_eq!(seen(&team), seen(&back));
    assert!(number(&here, "entries") > number(&there, "entries"));
    working(&back, "four", 30);
    // The one that it came from is as it was.
    assert_eq!(done(copy(&world, &World::in_a_folder()))["content"], there["content"]);
    // What the database refuses it refuses there too.
    for place in [&team, &back] {
        assert_eq!(
            database::refusal(place, "DELETE FROM decisions"),
            "a decision is never deleted"
        );
    }
}

#[test]
fn what_a_team_s_database_can_t_keep_or_show_is_said() {
    // Both databases are in it already.
    if on_postgres() {
        return;
    }
    let world = World::in_a_folder();
    let _ = world.json(["init"]);
    let team = new_team();
    let empty = || {
        let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()";
        assert_eq!(database::ask(&team, tables), "0", "nothing half-written");
    };
    let long = "x".repeat(30);
    for (value, says) in [
        ("'with' || char(0) || 'in'".to_owned(), "U+0000"),
        // 2,704 bytes is the longest that an index of PostgreSQL takes, after it was compressed.
        (format!("'{long}' || hex(randomblob(4000))"), "index"),
    ] {
        database::alter(
            &world,
            &format!("INSERT INTO reviewers VALUES ('ada', 1), ({value}, 2)"),
        );
        assert_refused(
            &run(&mut copy(&world, &team)),
            2,
            &["reviewers", "name ", says, "Nothing was copied"],
        );
        empty();
        database::alter(&world, "DELETE FROM reviewers");
    }
    database::alter(&world, "CREATE TABLE notes (note TEXT)");
    assert_refused(&run(&mut copy(&world, &team)), 2, &["notes", "left behind"]);
    database::alter(&world, "DROP TABLE notes");
    let mut nowhere = command(
        &world,
        &["workspace".as_ref(), "copy".as_ref(), "--to".as_ref(), &by_owner(&team)],
    );
    assert_refused(&run(&mut nowhere), 2, &["--blobs"]);
    let _ = done(copy(&world, &team));
    // Whoever only works in it does not see all of it, whatever their account may do.
    let session = team.session(TESTER).expect("a session");
    let member = team.workspace_argument();
    let kept = world.path("kept");
    for command in [
        ["backup".as_ref(), kept.as_os_str()].to_vec(),
        ["workspace", "copy", "--to", "there"].map(OsStr::new).to_vec(),
    ] {
        let mut refused = world.bare_command();
        refused
            .arg("--workspace")
            .arg(&member)
            .args(command)
            .env("PINCITE_SESSION", &session);
        assert_refused(
            &run(&mut refused),
            2,
            &["row-level security", "role pincite_team", "owns the tables"],
        );
    }
    // And without PostgreSQL's programs, by one who sees everything.
    let mut without = backup(&team, &kept);
    without.env("PINCITE_POSTGRES_PROGRAMS", world.path("nowhere"));
    assert_refused(
        &run(&mut without),
        3,
        &["pg_dump is not installed", "postgresql-client"],
    );
    assert!(!kept.exists());
    let _ = done(backup(&team, &kept));
    assert_refused(
        &run(&mut restore(&kept, &World::in_a_folder())),
        2,
        &["kept", "postgres", "workspace copy"],
    );
}
