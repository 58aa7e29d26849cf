//! A sweep over an archive of which the truth is known: every verdict right, and how fast.
//!
//! Deliberately not here: the rule by which a quote stands at a place (the core's own tests). The measurement judges no time.

use crate::archive::{self, Archive};
use pincite_core::locate::quote_match;
use pincite_tests::World;
use pincite_tests::chance::Chance;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::Command;
use std::time::Instant;

/// Runs a sweep and holds every finding against the truth; answers what the sweep says.
fn swept(world: &World, archive: &Archive) -> Value {
    let file = world.path("findings.jsonl");
    let ended = world.run(["sweep", "run", "--json", "--findings", &file.display().to_string()]);
    assert_eq!(ended.code, 1, "{}", ended.err);
    let written = std::fs::read_to_string(&file).expect("the findings");
    let mut wrong = Vec::new();
    let mut found: BTreeMap<String, (String, Option<i64>)> = BTreeMap::new();
    for line in written.lines() {
        let finding: Value = serde_json::from_str(line).expect("JSON");
        let id = finding["id"].as_str().unwrap_or_default().to_owned();
        let class = finding["class"].as_str().unwrap_or_default().to_owned();
        let _ = found.insert(id, (class, finding["shift"].as_i64()));
    }
    for (id, (class, shift)) in &archive.truth {
        let said = found.remove(id);
        if said != Some(((*class).to_owned(), *shift)) {
            wrong.push(format!("{id}: {class} {shift:?}, and not {said:?}"));
        }
    }
    wrong.extend(
        found
            .into_iter()
            .map(|(id, said)| format!("{id}: intact, and not {said:?}")),
    );
    assert!(
        wrong.is_empty(),
        "{} wrong: {:?}",
        wrong.len(),
        wrong.first_chunk::<5>().map_or(&wrong[..], |few| &few[..])
    );
    let sweep: Value = serde_json::from_str(&ended.out).expect("JSON");
    assert_eq!(sweep["checked"], archive.citations);
    sweep
}

#[test]
fn every_verdict_on_an_archive_is_right() {
    let world = World::empty();
    let archive = archive::make(&world, 24, 7);
    let sweep = swept(&world, &archive);
    let of = |class: &str| archive.truth.values().filter(|(is, _)| *is == class).count();
    assert_eq!(sweep["superseded"]["n"], of("superseded"));
    assert_eq!(sweep["drifted"]["n"], of("drifted"));
    assert_eq!(sweep["carried"]["n"], of("carried"));
    assert!(
        of("superseded") > 200 && of("drifted") > 50 && of("carried") > 50,
        "the archive has some of each"
    );
}

/// A quote, and what stands at its place.
type Pair = (String, String);

/// Quotes with one thing changed against what stands there: another digit; a negation more or less.
fn changed() -> (Vec<Pair>, Vec<Pair>) {
    let mut chance = Chance::new(11);
    let filler = "and the record of it is kept with the batch that it belongs to, signed and dated by whoever made it, in the archive of the site, together with every copy that was handed out before";
    let (mut digits, mut negations) = (Vec::new(), Vec::new());
    for number in 0..211 {
        let (one, other) = (chance.below(8) + 1, chance.below(8) + 1);
        let other = if one == other { one + 1 } else { other };
        let say = |years: u64| format!("Form {number} stays for {years} years after the last dispatch, {filler}.");
        digits.push((say(one), say(other)));
    }
    for number in 0..320 {
        let (with, without) = *chance.of(&[
            ("shall not be", "shall be"),
            ("is never", "is"),
            ("is not", "is"),
            ("must not be", "must be"),
        ]);
        let say = |verb: &str| format!("Form {number} {verb} destroyed before the end of the term, {filler}.");
        let pair = (say(with), say(without));
        negations.push(if number % 2 == 0 { pair } else { (pair.1, pair.0) });
    }
    (digits, negations)
}

#[test]
fn no_changed_digit_and_no_negation_passes() {
    let (digits, negations) = changed();
    for (quote, text) in digits.iter().chain(&negations) {
        assert!(quote_match(quote, text).is_none(), "{quote}\n{text}");
        assert!(quote_match(quote, quote).is_some(), "{quote}");
    }
}

#[test]
#[ignore = "a measurement: 180,000 citations over 2,000 documents"]
fn bench_sweep() {
    let world = World::in_a_folder();
    let _ = world.json(["init"]);
    let began = Instant::now();
    let archive = archive::make(&world, 2_000, 2_026);
    eprintln!(
        "{} citations of 2,000 documents made in {:?}",
        archive.citations,
        began.elapsed()
    );
    for round in 1..=3 {
        let began = Instant::now();
        let sweep = swept(&world, &archive);
        eprintln!(
            "sweep {round}: every verdict right; {} s by its own clock, {:?} with the program's start and the findings in a file; \
             superseded {}, drifted {}, carried {}",
            sweep["seconds"],
            began.elapsed(),
            sweep["superseded"]["n"],
            sweep["drifted"]["n"],
            sweep["carried"]["n"]
        );
    }
    // The match itself, beside its rival, in one run.
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let began = Instant::now();
        let held = archive
            .pairs
            .iter()
            .filter(|(quote, text)| quote_match(quote, text).is_some())
            .count();
        best = best.min(began.elapsed().as_secs_f64() * 1e6 / archive.pairs.len() as f64);
        assert!(held > archive.pairs.len() / 2);
    }
    eprintln!("the match itself: {best:.3} µs a citation");
    let (digits, negations) = changed();
    let file = world.path("pairs.json");
    let given = json!({ "pairs": archive.pairs, "digits": digits, "negations": negations });
    std::fs::write(&file, given.to_string()).expect("the pairs");
    let folder = world.path("python");
    let python = folder.join("bin/python");
    let ran = |command: &mut Command| command.output().is_ok_and(|ended| ended.status.success());
    if !ran(Command::new("python3").args(["-m", "venv"]).arg(&folder))
        || !ran(Command::new(&python).args(["-m", "pip", "install", "--quiet", "rapidfuzz"]))
    {
        eprintln!("skipped: rapidfuzz can't be installed");
        return;
    }
    let program = pincite_tests::tree::root().join("tests/journeys/sweep_others.py");
    let said = Command::new(&python)
        .arg(program)
        .arg(&file)
        .output()
        .expect("python starts");
    for line in String::from_utf8_lossy(&said.stdout).lines() {
        let parts: Vec<&str> = line.split(' ').collect();
        match parts.as_slice() {
            ["pairs", theirs] => {
                let theirs: f64 = theirs.parse().unwrap_or_default();
                eprintln!(
                    "rapidfuzz's ratio from Python: {theirs:.2} µs a citation, {:.0} times as long",
                    theirs / best
                );
            }
            [kind, passed, of] => eprintln!("changed {kind}: it passes {passed} of {of}, ours 0"),
            _ => {}
        }
    }
}
