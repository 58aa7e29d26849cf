//! SIGKILL at random moments: what was acknowledged is there, once, and the rest can be asked for again.
//!
//! Acknowledged means: the line that the caller read. The moments are drawn from a fixed seed over the time that the work
//! takes on this machine, start-up included, so that kills fall before, within and after the commit.
//!
//! Deliberately not here: fsync. A killed process loses nothing that the system holds; losing power is another test.

use crate::together::world_with_items;
use crate::{decide_arguments, elements, number, text};
use pincite_tests::{Answer, Chance, World, tree};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Delays reach from nothing to at least this.
const LEAST_REACH: Duration = Duration::from_millis(20);

/// Runs the program with `--json` and kills it after a delay; answers the whole lines that it had printed.
fn killed_after(world: &World, delay: Duration, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Vec<Value> {
    let mut command = world.command(arguments);
    let mut child = command
        .arg("--json")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("pincite starts");
    std::thread::sleep(delay);
    child.kill().expect("SIGKILL is sent");
    let output = child.wait_with_output().expect("it ends");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    // A line without its end was not read by anybody.
    let whole = printed
        .rfind('\n')
        .map_or("", |end| printed.get(..end).unwrap_or_default());
    whole
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

fn delay(chance: &mut Chance, reach: Duration) -> Duration {
    Duration::from_micros(chance.below(u64::try_from(reach.as_micros()).unwrap_or(u64::MAX)))
}

/// Works a queue whose deciding process is killed once an item.
fn kill_while_deciding(rounds: usize, seed: u64) {
    const CALM: usize = 5;
    let world = world_with_items(rounds + CALM);
    let list = world.json(["queue", "list"]);
    let items: Vec<&str> = elements(&list).iter().map(|item| text(item, "item")).collect();
    let claim = |item: &str, who: &str| world.json(["queue", "claim", item, "--as", who]);
    let mut acknowledged: BTreeMap<String, String> = BTreeMap::new();

    // How long a decision takes when nobody disturbs it.
    let mut times: Vec<Duration> = Vec::new();
    for item in &items[..CALM] {
        let held = claim(item, "ada");
        let start = Instant::now();
        let decision = world.json(decide_arguments(&held, "ada", &format!("calm {item}"), &["--accept"]));
        times.push(start.elapsed());
        acknowledged.insert((*item).to_owned(), text(&decision, "decision").to_owned());
    }
    times.sort();
    let reach = (times[CALM / 2] * 13 / 10).max(LEAST_REACH);

    let mut chance = Chance::new(seed);
    let (mut read, mut made, mut neither) = (0, 0, 0);
    for (round, item) in items[CALM..].iter().enumerate() {
        let who = if round % 2 == 0 { "ada" } else { "mara" };
        if round % 5 == 0 {
            // A claim that is cut off holds the item or does not; the same reviewer takes it up again.
            let _ = killed_after(&world, delay(&mut chance, reach), ["queue", "claim", item, "--as", who]);
        }
        let held = claim(item, who);
        let key = format!("key {round}");
        let verdict: &[&str] = match round % 3 {
            0 => &["--accept"],
            1 => &["--reject", "wrong_value", "--note", "as the page says"],
            _ => &["--abstain", "not_stated"],
        };
        let arguments = decide_arguments(&held, who, &key, verdict);
        let before = world.lines(0, ["decision", "list"]).len();
        let lines = killed_after(&world, delay(&mut chance, reach), &arguments);
        let kept = world.lines(0, ["decision", "list"]);
        assert!(
            kept.len() == before || kept.len() == before + 1,
            "round {round}: one decision or none"
        );
        // The caller asks again with its key, whatever it read.
        let again = world.json(&arguments);
        assert_eq!(text(&again, "item"), *item);
        if let Some(line) = lines.first() {
            read += 1;
            assert_eq!(
                kept.len(),
                before + 1,
                "round {round}: an acknowledged decision is lost"
            );
            assert_eq!(again["decision"], line["decision"], "round {round}: made twice");
        } else if kept.len() > before {
            made += 1;
            assert_eq!(again["decision"], kept[before]["decision"], "round {round}: made twice");
        } else {
            neither += 1;
        }
        acknowledged.insert((*item).to_owned(), text(&again, "decision").to_owned());
    }
    eprintln!("{rounds} kills within {reach:?}: {read} acknowledged, {made} made and not read, {neither} not made");

    let kept = world.lines(0, ["decision", "list"]);
    assert_eq!(kept.len(), items.len(), "as many decisions as items");
    let kept: BTreeMap<String, String> = kept
        .iter()
        .map(|decision| (text(decision, "item").to_owned(), text(decision, "decision").to_owned()))
        .collect();
    assert_eq!(
        kept, acknowledged,
        "every decision that was acknowledged, once, and no other"
    );
    let stats = world.json(["queue", "stats"]);
    assert_eq!((number(&stats, "open"), number(&stats, "held")), (0, 0), "{stats}");
    let chain = world.json(["audit", "verify"]);
    assert!(chain["fault"].is_null(), "{chain}");
    let decided = world
        .lines(0, ["audit", "log"])
        .iter()
        .filter(|entry| text(entry, "action") == "queue.decide")
        .count();
    assert_eq!(decided, items.len(), "one audit entry a decision");
    // A test that never killed anything in time would prove nothing.
    assert!(
        neither > 0 && read + made > 0,
        "the delays missed the work: {read} {made} {neither}"
    );
}

#[test]
fn no_acknowledged_decision_is_lost_when_the_process_is_killed() {
    kill_while_deciding(50, 2026);
}

#[test]
#[ignore = "500 kills: make soak"]
fn soak_sigkill_while_deciding() {
    kill_while_deciding(500, 4711);
}

fn record_ids(lines: &[Value]) -> BTreeSet<String> {
    lines.iter().map(|line| text(line, "record_id").to_owned()).collect()
}

#[test]
fn an_import_that_is_killed_keeps_what_it_said_and_can_be_done_again() {
    let world = World::with_documents();
    let all: String = ["right", "demo", "no-offsets"]
        .iter()
        .map(|file| tree::fixture_text(&format!("records/{file}.jsonl")))
        .collect();
    let expected: BTreeMap<String, usize> = all
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("these lines are JSON"))
        .map(|record| {
            (
                text(&record, "record_id").to_owned(),
                record["provenance"].as_array().map_or(0, Vec::len),
            )
        })
        .collect();
    let path = world.file("all.jsonl", all);
    let command = ["record", "import", "--place", path.as_str()];
    let start = Instant::now();
    let calm = World::with_documents();
    let ready = start.elapsed();
    let _ = calm.lines(0, command);
    let reach = (start.elapsed() - ready).max(LEAST_REACH);
    let mut chance = Chance::new(7);
    for round in 0..10 {
        let said = killed_after(&world, delay(&mut chance, reach), command);
        let kept = world.lines(0, ["record", "list"]);
        assert!(
            record_ids(&said).is_subset(&record_ids(&kept)),
            "round {round}: an answered line is lost"
        );
        for record in &kept {
            assert_eq!(
                elements(&record["provenance"]).len(),
                expected[text(record, "record_id")],
                "round {round}: a record with all its citations"
            );
        }
        let chain = world.json(["audit", "verify"]);
        assert!(chain["fault"].is_null(), "round {round}: {chain}");
    }
    assert_eq!(world.lines(0, command).len(), expected.len());
    let facts = |world: &World| {
        let lines = world.lines(0, ["record", "list"]);
        let of = |record: &Value| {
            (
                text(record, "record_id").to_owned(),
                text(record, "outcome").to_owned(),
                record["reason"].clone(),
            )
        };
        lines.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(
        facts(&world),
        facts(&calm),
        "done again, it is as if it had never been disturbed"
    );
}

#[test]
fn an_ingest_that_is_killed_leaves_a_whole_document_or_none() {
    let world = World::empty();
    let path = tree::fixture("documents/pliego-2026-014.pdf").display().to_string();
    let command = ["ingest", path.as_str()];
    let calm = World::empty();
    let start = Instant::now();
    let whole = calm.json(command);
    let reach = start.elapsed().max(LEAST_REACH);
    let mut chance = Chance::new(11);
    for round in 0..12 {
        let said = killed_after(&world, delay(&mut chance, reach), command);
        let list = world.json(["document", "list"]);
        let list = elements(&list);
        assert!(
            said.is_empty() || list.len() == 1,
            "round {round}: what was answered is there"
        );
        for view in list {
            assert_eq!(
                (&view["layer_sha256"], &view["structure_id"]),
                (&whole["layer_sha256"], &whole["structure_id"]),
                "round {round}"
            );
            let layer = world.run(["document", "text", "pliego-2026-014"]).out;
            assert_eq!(
                pincite_core::sha256_hex(layer.as_bytes()),
                text(view, "layer_sha256"),
                "round {round}"
            );
        }
        let chain = world.json(["audit", "verify"]);
        assert!(chain["fault"].is_null(), "round {round}: {chain}");
    }
    let answer: Answer = world.run(["ingest", &path]);
    assert_eq!(answer.code, 0, "{answer:?}");
    let boxes = ["document", "boxes", "pliego-2026-014", "--start", "0", "--end", "25992"];
    assert_eq!(world.json(boxes), calm.json(boxes));
}
