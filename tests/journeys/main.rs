//! Journeys on the command line: the real program, in a world of its own, as a person or a script would use it.
//!
//! What is tested is the contract of docs/COMMAND-LINE.md: words, keys, exit codes, and that nothing which was acknowledged
//! is ever lost.
//!
//! Deliberately not here: the window (e2e), and what a pure function can be asked directly (the crates' own tests).

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a proof that can't go on says so by panicking"
)]

mod anchored;
mod answers;
mod answers_labelled;
mod archive;
mod bad_files;
mod bad_requests;
mod bucket;
mod claim_speed;
mod contract;
mod demo;
mod enter_first;
mod evidence;
mod formats;
mod incidents;
mod index_lag;
mod killed;
mod layers;
mod locate;
mod moved;
mod moved_by_backup;
mod parser_version;
mod people;
mod readers;
mod reading_times;
mod records;
mod registry;
mod registry_speed;
mod routing;
mod second_review;
mod second_review_chance;
mod sent;
mod signed;
mod sweep_speed;
mod sweeps;
mod tables;
mod tampered;
mod text_sources;
mod together;
mod upgraded;
mod watch;
mod weights;
mod workers;

use pincite_tests::{Answer, World};
use serde_json::Value;

/// A text of a JSON object.
fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key]
        .as_str()
        .unwrap_or_else(|| panic!("{key} is no text in {value}"))
}

/// A whole number of a JSON object.
fn number(value: &Value, key: &str) -> i64 {
    value[key]
        .as_i64()
        .unwrap_or_else(|| panic!("{key} is no whole number in {value}"))
}

/// The elements of a JSON array.
fn elements(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("no array: {value}"))
}

/// Claims the next item; `None` where nothing is free.
fn claim(world: &World, who: &str) -> Option<Value> {
    Some(world.json(["queue", "claim", "--as", who])).filter(|claim| !claim.is_null())
}

/// The arguments that decide what was claimed.
fn decide_arguments(claim: &Value, who: &str, key: &str, verdict: &[&str]) -> Vec<String> {
    let mut arguments: Vec<String> = [
        "queue",
        "decide",
        text(claim, "item"),
        "--as",
        who,
        "--key",
        key,
        "--token",
    ]
    .map(str::to_owned)
    .to_vec();
    arguments.extend([
        number(claim, "token").to_string(),
        "--item-version".into(),
        number(claim, "item_version").to_string(),
    ]);
    arguments.extend(verdict.iter().map(|word| (*word).to_owned()));
    arguments
}

/// How many of everything that is kept there are: records, items, decisions, audit entries. The chain must hold.
fn counts(world: &World) -> (usize, i64, usize, i64) {
    let stats = world.json(["queue", "stats"]);
    let chain = world.json(["audit", "verify"]);
    assert!(chain["fault"].is_null(), "{chain}");
    (
        world.lines(0, ["record", "list"]).len(),
        number(&stats, "open") + number(&stats, "decided"),
        world.lines(0, ["decision", "list"]).len(),
        number(&chain, "entries"),
    )
}

/// That a command was refused: this exit code, nothing on standard output, and one line that says each of these.
fn assert_refused(answer: &Answer, code: i32, says: &[&str]) {
    assert_eq!(answer.code, code, "{answer:?}");
    assert_eq!(answer.out, "", "{answer:?}");
    assert_eq!(answer.err.lines().count(), 1, "one line: {}", answer.err);
    for word in says {
        assert!(answer.err.contains(word), "{word:?} is not in {}", answer.err);
    }
}
