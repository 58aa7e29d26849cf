//! The test of the tests: writers that lose what they acknowledged. The check must find it, or it proves nothing of Pincite.
//!
//! One writes with synchronous=OFF; one writes its decision as an autocommit INSERT ... RETURNING and reads it with
//! `fetch_optional`, which swallows what the commit says. Each has a sound twin that differs in that alone and must lose
//! nothing. They run in a process of their own: this test program, started again.
//!
//! Deliberately not here: Pincite's own way of writing. No statement of these may ever be used for anything.

use crate::check::{Finding, findings, wait_for};
use crate::deeds::{Bench, Fact, decision_rows};
use crate::histories::Recording;
use crate::lost_power::{Crash, Moment};
use crate::shim::{Does, Fault, Shim, WANTING_ROOM, run};
use pincite_tests::World;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, Row as _};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Command;

const MANNER: &str = "PINCITE_COUNTEREXAMPLE";
const DATABASE: &str = "PINCITE_COUNTEREXAMPLE_DATABASE";
const ITEMS: &str = "PINCITE_COUNTEREXAMPLE_ITEMS";

/// The writer, where this program was started again to be it; else nothing.
#[test]
#[ignore = "started by the tests of this file"]
fn the_writer() {
    let Ok(manner) = std::env::var(MANNER) else { return };
    let database = PathBuf::from(std::env::var_os(DATABASE).expect("a database"));
    let items = std::env::var(ITEMS).expect("items");
    wait_for(async {
        let synchronous = match manner.as_str() {
            "off" => SqliteSynchronous::Off,
            _ => SqliteSynchronous::Full,
        };
        let options = SqliteConnectOptions::new()
            .filename(database)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(synchronous)
            .foreign_keys(true);
        let mut database = options.connect().await.expect("the database opens");
        for item in items.split(' ') {
            let decided = match manner.as_str() {
                "returning" => returned(&mut database, item).await,
                _ => committed(&mut database, item).await,
            };
            match decided {
                Ok(()) => writeln!(std::io::stdout(), "acknowledged {item}").expect("somebody listens"),
                // A disk that is full stays so.
                Err(error) => eprintln!("{item}: {error}"),
            }
        }
    });
}

const DECISION: &str = "INSERT INTO decisions \
    (decision_id, caller_key, item_id, item_version, reviewer, kind, record_id, token, recorded_at) \
    SELECT 'decision of ' || item_id, 'key of ' || item_id, item_id, item_version, 'bea', 'accept', record_id, 1, \
    unixepoch() * 1000 FROM items WHERE item_id = $1";

/// A transaction whose commit is checked.
async fn committed(database: &mut SqliteConnection, item: &str) -> Result<(), sqlx::Error> {
    let mut transaction = database.begin_with("BEGIN IMMEDIATE").await?;
    sqlx::query(DECISION).bind(item).execute(&mut *transaction).await?;
    transaction.commit().await
}

/// What nobody may do: the row that comes back is no proof that it was written.
async fn returned(database: &mut SqliteConnection, item: &str) -> Result<(), sqlx::Error> {
    let returning = format!("{DECISION} RETURNING decision_id");
    let row = sqlx::query(sqlx::AssertSqlSafe(returning))
        .bind(item)
        .fetch_optional(database)
        .await?;
    let id: String = row.ok_or(sqlx::Error::RowNotFound)?.try_get(0)?;
    assert_eq!(id, format!("decision of {item}"));
    Ok(())
}

/// This program once more, as a writer of this manner.
fn writer(manner: &str, world: &World, items: &[String]) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a test knows its own program"));
    command
        .args(["--exact", "counterexamples::the_writer", "--ignored", "--nocapture"])
        .env(MANNER, manner)
        .env(DATABASE, world.workspace().join("pincite.sqlite"))
        .env(ITEMS, items.join(" "));
    command
}

fn facts(items: &[String]) -> Vec<Fact> {
    let fact = |item: &String| Fact {
        name: format!("the decision of {item}"),
        said: format!("acknowledged {item}"),
        rows: decision_rows(&format!("key of {item}")),
        entries: None,
    };
    items.iter().map(fact).collect()
}

fn lost(findings: &[Finding]) -> usize {
    findings
        .iter()
        .filter(|finding| matches!(finding, Finding::Lost(_)))
        .count()
}

/// How many of so many crash images of a writer's work lack something that it acknowledged.
fn images_with_losses(bench: &Bench, shim: &Shim, manner: &str, images: u64) -> usize {
    let mut recording = Recording::of(shim, bench.copy());
    recording.part(&facts(&bench.held));
    let mut command = writer(manner, &recording.world, &bench.held);
    let log = crate::shim::log_of(&recording.world);
    shim.preload(
        &mut command,
        &recording.world.workspace(),
        "",
        Does::Nothing,
        Some(&log),
    );
    let written = run(&mut command);
    assert_eq!(
        written.lines().filter(|line| line.contains("acknowledged")).count(),
        bench.held.len(),
        "{written:?}"
    );
    let history = recording.history();
    let crash = |seed| Crash {
        history: &history,
        name: manner,
        moment: Moment::Drawn(seed),
    };
    (0..images)
        .filter_map(|seed| crash(seed).tried())
        .filter(|failed| lost(&failed.findings) > 0)
        .count()
}

#[test]
fn a_writer_without_synchronous_is_found_out_by_crash_images() {
    let Some(shim) = Shim::compiled() else { return };
    let bench = Bench::new();
    let off = images_with_losses(&bench, &shim, "off", 12);
    let full = images_with_losses(&bench, &shim, "full", 12);
    eprintln!("images that lost something acknowledged, of 12 each: {off} with synchronous=OFF, {full} with FULL");
    assert!(off > 0, "synchronous=OFF must lose something that it acknowledged");
    assert_eq!(full, 0, "the same writer with synchronous=FULL loses nothing");
}

/// At how many of its calls a full disk makes a writer acknowledge what is not there.
fn calls_with_losses(bench: &Bench, shim: &Shim, manner: &str) -> (usize, u64) {
    let one = &bench.held[..1];
    let facts = facts(one);
    let mut losses = 0;
    for at in 1.. {
        let world = bench.copy();
        let mut command = writer(manner, &world, one);
        shim.preload(
            &mut command,
            &world.workspace(),
            WANTING_ROOM,
            Does::Full(at, Fault::Full),
            None,
        );
        let written = run(&mut command);
        let said = written.lines().any(|line| line.contains(&facts[0].said));
        losses += lost(&findings(&world, &[(&facts[0], said)]));
        // Where the fault comes after all that matters, it is written, and this is the end.
        if said && crate::check::rows(&world.workspace(), &facts[0]) == 1 {
            return (losses, at);
        }
        assert!(
            at < 400,
            "a disk that is full at call {at} still stops the writer: {written:?}"
        );
    }
    unreachable!("the loop ends by itself")
}

#[test]
fn a_decision_read_from_an_autocommit_returning_is_found_out_by_a_full_disk() {
    let Some(shim) = Shim::compiled() else { return };
    let bench = Bench::new();
    let (returning, of) = calls_with_losses(&bench, &shim, "returning");
    let (checked, of_checked) = calls_with_losses(&bench, &shim, "full");
    eprintln!(
        "acknowledged and not there: {returning} of {of} calls with RETURNING, {checked} of {of_checked} with a commit"
    );
    assert!(
        returning > 0,
        "an autocommit RETURNING must acknowledge what is not there"
    );
    assert_eq!(checked, 0, "a checked commit acknowledges nothing that is not there");
}
