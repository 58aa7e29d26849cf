//! Many workers on one queue, some of which stop for longer than their lease, and some of which are killed: nothing is decided
//! twice, nothing late is written, nothing is stuck, and nobody is served much more than another.
//!
//! A worker is a process of its own: this very program, asked for the one test that is no test. Leases run on the database's
//! time, so a worker's own clock plays no part: each lives in another time zone, and on PostgreSQL, where workers are on other
//! machines, half of their clocks are five minutes fast and the others five minutes slow (by libfaketime, where it is installed).
//!
//! Deliberately not here: one claim against another, step by step (`together`), and the disk (the durability tests).

use crate::together::world_with_items;
use crate::{elements, number, text};
use pincite_app::Workspace;
use pincite_app::queue;
use pincite_app::wire::{DecideRequest, ErrorCode, Verdict};
use pincite_store::Place;
use pincite_tests::{Chance, World};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Long enough that whoever waits for a turn among so many is not late for that alone: one write at a time takes some ten
/// milliseconds on PostgreSQL.
const fn lease(workers: usize) -> Duration {
    Duration::from_millis(1_000 + 150 * (workers as u64).saturating_sub(6))
}

/// Where a worker finds the workspace, its name, its seed, and how often in ten thousand it stops or dies.
const PLACE: &str = "PINCITE_WORKER_PLACE";
const NAME: &str = "PINCITE_WORKER_NAME";
const MISHAPS: &str = "PINCITE_WORKER_MISHAPS";
/// A folder in which each says that it is there, and how many have to be before any of them begins.
const READY: &str = "PINCITE_WORKER_READY";
const ALL: &str = "PINCITE_WORKER_ALL";

#[test]
#[ignore = "a worker: started by the tests below"]
fn a_worker() {
    let variable = |name: &str| std::env::var(name).ok();
    let (Some(place), Some(name)) = (variable(PLACE), variable(NAME)) else {
        return;
    };
    let mishaps = variable(MISHAPS).and_then(|text| text.parse().ok()).unwrap_or(0);
    let (ready, all) = (
        variable(READY).expect("a folder"),
        variable(ALL).and_then(|text| text.parse().ok()),
    );
    std::fs::write(Path::new(&ready).join(&name), "").expect("said");
    while all.is_some_and(|all: usize| std::fs::read_dir(&ready).expect("the folder").count() < all) {
        thread::sleep(Duration::from_millis(5));
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(work(
        &place,
        &name,
        mishaps,
        (std::process::id(), lease(all.unwrap_or(1))),
    ));
}

/// Claims and decides until nothing is open any more.
async fn work(place: &str, name: &str, mishaps: u64, (seed, lease): (u32, Duration)) {
    let place = pincite_app::accounts::with_kept_session(Place::parse(place).expect("a place"));
    let workspace = Workspace::open(place).await.expect("the workspace");
    let mut chance = Chance::new(u64::from(seed));
    loop {
        let Some(claim) = queue::claim(&workspace, None, name).await.expect("a claim") else {
            let stats = queue::stats(&workspace, name).await.expect("counts");
            if stats.open == 0 {
                return;
            }
            // What is left is leased: by somebody at work, or by somebody who is gone.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        match chance.below(10_000) {
            dies if dies < mishaps => std::process::abort(),
            stops if stops < 2 * mishaps => tokio::time::sleep(lease * 2).await,
            _ => {}
        }
        let request = DecideRequest {
            key: format!("{name} {} {} {}", claim.item, claim.token, std::process::id()),
            item: claim.item.clone(),
            item_version: claim.item_version,
            token: claim.token,
            record_id: None,
            verdict: Verdict::Accept,
            note: None,
            signature: None,
            segments: Vec::new(),
        };
        match queue::decide(&workspace, &request, name).await {
            Ok(_) => eprintln!("decided {}", claim.item),
            Err(error)
                if matches!(
                    error.code,
                    ErrorCode::LeaseLost | ErrorCode::AlreadyDecided | ErrorCode::ItemMoved
                ) =>
            {
                eprintln!("late {}", claim.item);
            }
            Err(error) => panic!("{name}: {error}"),
        }
    }
}

fn start(world: &World, name: &str, mishaps: u64, workers: usize) -> Child {
    let is_even = name.ends_with(['0', '2', '4', '6', '8']);
    Command::new(std::env::current_exe().expect("this program"))
        .envs(wrong_clock(world, is_even))
        .args(["workers::a_worker", "--exact", "--ignored", "--nocapture"])
        .env(PLACE, world.workspace_argument())
        .env(NAME, name)
        .envs(world.session(name).map(|token| ("PINCITE_SESSION", token)))
        .env(MISHAPS, mishaps.to_string())
        .env(READY, world.path("ready"))
        .env(ALL, workers.to_string())
        .env("TZ", if is_even { "Asia/Kathmandu" } else { "America/Lima" })
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a worker starts")
}

/// A clock that is five minutes wrong. Alone, everybody has the machine's clock, and so has the database.
fn wrong_clock(world: &World, is_fast: bool) -> Vec<(&'static str, String)> {
    let libraries = ["x86_64-linux-gnu", "aarch64-linux-gnu"]
        .map(|machine| format!("/usr/lib/{machine}/faketime/libfaketimeMT.so.1"));
    let Some(library) = libraries.into_iter().find(|path| Path::new(path).exists()) else {
        eprintln!("skipped: wrong clocks (tools/setup packages installs libfaketime)");
        return Vec::new();
    };
    if world.database().is_none() {
        return Vec::new();
    }
    vec![
        ("LD_PRELOAD", library),
        ("FAKETIME", if is_fast { "+300s" } else { "-300s" }.into()),
        // A wrong clock goes as fast as a right one.
        ("FAKETIME_DONT_FAKE_MONOTONIC", "1".into()),
    ]
}

/// What one worker and those who followed it under its name said.
struct Life {
    name: String,
    decided: Vec<String>,
    late: usize,
    deaths: usize,
}

/// Starts a worker, and another of its name whenever it dies, until nothing is open any more.
fn live(world: &World, name: &str, mishaps: u64, workers: usize, end: Instant) -> Life {
    let mut life = Life {
        name: name.to_owned(),
        decided: Vec::new(),
        late: 0,
        deaths: 0,
    };
    loop {
        let ended = start(world, name, mishaps, workers)
            .wait_with_output()
            .expect("a worker ends");
        let words = String::from_utf8_lossy(&ended.stderr).into_owned();
        let said = |what: &str| {
            words
                .lines()
                .filter_map(|line| line.strip_prefix(what).map(str::to_owned))
                .collect()
        };
        let late: Vec<String> = said("late ");
        life.late += late.len();
        life.decided.extend::<Vec<String>>(said("decided "));
        assert!(
            Instant::now() < end,
            "an item is stuck: {}",
            world.json(["queue", "stats"])
        );
        if ended.status.success() {
            return life;
        }
        assert!(!words.contains("panicked"), "{name}: {words}");
        life.deaths += 1;
    }
}

/// So many workers on so many items; a worker that dies is followed by another of its name.
fn many(workers: usize, items: usize, mishaps: u64, limit: Duration) {
    let world = world_with_items(items);
    let lease = lease(workers).as_millis().to_string();
    let _ = world.json(["settings", "set", "lease_milliseconds", &lease, "--why", "a test"]);
    let _ = world.json(["settings", "set", "second_review_share", "0", "--why", "a test"]);
    std::fs::create_dir(world.path("ready")).expect("a folder");
    let began = Instant::now();
    let lives: Vec<Life> = thread::scope(|scope| {
        let lives: Vec<_> = (0..workers)
            .map(|worker| {
                let world = &world;
                scope.spawn(move || live(world, &format!("reviewer-{worker}"), mishaps, workers, began + limit))
            })
            .collect();
        lives.into_iter().map(|life| life.join().expect("a worker")).collect()
    });
    let (deaths, late): (usize, usize) = (
        lives.iter().map(|life| life.deaths).sum(),
        lives.iter().map(|life| life.late).sum(),
    );
    let kept = world.lines(0, ["decision", "list"]);
    let decided: BTreeSet<&str> = kept.iter().map(|decision| text(decision, "item")).collect();
    assert_eq!((kept.len(), decided.len()), (items, items), "each item is decided once");
    // Whoever was told that a decision is kept is the one whose decision it is. One who died after it may not have said so.
    let by: BTreeMap<&str, &str> = kept
        .iter()
        .map(|decision| (text(decision, "item"), text(decision, "reviewer")))
        .collect();
    for (name, item) in lives
        .iter()
        .flat_map(|life| life.decided.iter().map(|item| (&life.name, item)))
    {
        assert_eq!(
            by.get(item.as_str()),
            Some(&name.as_str()),
            "{item} was acknowledged to {name}"
        );
    }
    // The log of claims: whenever an item passed from one to another, the lease before had run out or was given back.
    let mut claims: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for entry in world.lines(0, ["audit", "log"]) {
        if text(&entry, "action") == "queue.claim" {
            let token = number(&entry["payload"], "token");
            claims
                .entry(text(&entry, "subject").to_owned())
                .or_default()
                .push(token);
        }
    }
    for (item, tokens) in &claims {
        let expected: Vec<i64> = (1..=tokens.len() as i64).collect();
        assert_eq!(tokens, &expected, "{item}: every lease has the next token");
    }
    assert!(world.json(["audit", "verify"])["fault"].is_null());
    let mut served: BTreeMap<&str, usize> = BTreeMap::new();
    for reviewer in by.values() {
        *served.entry(reviewer).or_default() += 1;
    }
    let (most, least) = (served.values().max().copied(), served.values().min().copied());
    eprintln!(
        "{deaths} died, {late} were late, {most:?} to {least:?} items each, {:?}",
        began.elapsed()
    );
    // Who slept or died in a short run was served less for that; in a long one everybody does as often.
    if mishaps == 0 || items >= workers * 1_000 {
        let fair = served.len() == workers && most <= least.map(|least| least * 2);
        assert!(fair, "{served:?}");
    }
    let counts: Value = world.json(["queue", "stats"]);
    assert!(
        number(&counts, "open") == 0 && elements(&counts["holds"]).is_empty(),
        "{counts}"
    );
}

#[test]
fn nothing_is_decided_twice_or_stuck_by_workers_that_stop_and_die() {
    many(6, 150, 150, Duration::from_secs(240));
}

#[test]
fn nobody_is_served_more_than_twice_as_much_as_another() {
    many(6, 240, 0, Duration::from_secs(240));
}

#[test]
#[ignore = "long: 64 workers on 100,000 items, one in a hundred claims stopped, one killed"]
fn soak_sixty_four_workers() {
    many(64, 100_000, 100, Duration::from_secs(6 * 3_600));
}
