//! SIGKILL at each file call of each command in turn, and in the middle of a write; then the same command again, which may be
//! killed in its turn.
//!
//! Deliberately not here: what an operating system that dies loses (`lost_power`).

use crate::check::{Finding, findings, found_inside, rows};
use crate::deeds::{Again, Bench, Deed, Fact};
use crate::log;
use crate::shim::{CHANGES_AND_ANSWERS, Does, Run, Shim, log_of};
use crate::{Failed, none, tried};
use pincite_tests::{Chance, World};
use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A command, and where it is killed: the first time, and perhaps when it is done again.
#[derive(Debug)]
struct Case<'a> {
    deed: &'a Deed,
    first: Does,
    second: Option<Does>,
}

/// How often a command calls the system, in the kinds that are counted, when nothing disturbs it.
pub(crate) fn calls_of(bench: &Bench, shim: &Shim, deed: &Deed, counted: &str) -> u64 {
    let world = bench.copy();
    let calm = shim.run(&world, &deed.arguments, counted, Does::Nothing, Some(&log_of(&world)));
    assert_eq!(calm.answer.code, 0, "{}: {calm:?}", deed.name);
    let facts: Vec<(&Fact, bool)> = deed.facts.iter().map(|fact| (fact, is_said(fact, &calm))).collect();
    assert!(facts.iter().all(|(_, said)| *said), "{}: {calm:?}", deed.name);
    assert_eq!(findings(&world, &facts), [], "{} undisturbed", deed.name);
    log::counted(&log::read(&log_of(&world)))
}

pub(crate) fn is_said(fact: &Fact, run: &Run) -> bool {
    run.lines().any(|line| line.contains(&fact.said))
}

fn decision_in(run: &Run) -> Option<Value> {
    let line: Value = serde_json::from_str(run.lines().next()?).ok()?;
    line.get("decision").cloned()
}

/// What is wrong after a command was disturbed once or more, whatever it said, and after it was done again in peace.
pub(crate) fn afterwards(world: &World, shim: &Shim, deed: &Deed, disturbed: &[&Run]) -> Vec<Finding> {
    let said = |fact: &Fact| disturbed.iter().any(|run| is_said(fact, run));
    let facts: Vec<(&Fact, bool)> = deed.facts.iter().map(|fact| (fact, said(fact))).collect();
    let mut found = findings(world, &facts);
    if deed.again == Again::Twice {
        return found;
    }
    let before: Vec<i64> = deed.facts.iter().map(|fact| rows(&world.workspace(), fact)).collect();
    let again = shim.run(world, &deed.arguments, "", Does::Nothing, None);
    let done = before.iter().all(|rows| *rows > 0);
    let code = if deed.again == Again::Refused && done { 2 } else { 0 };
    // What an import said of bytes that it could not read stays said.
    let still_fails = again.answer.code == 1 && again.answer.out.contains("\"bytes_corrupt\"");
    if (again.answer.code != code && !still_fails) || again.hung {
        found.push(Finding::Damaged(format!("done again: {again:?}")));
    }
    let facts: Vec<(&Fact, bool)> = deed.facts.iter().map(|fact| (fact, true)).collect();
    found.extend(found_inside(world, &facts));
    for run in disturbed {
        if let (Some(one), Some(other)) = (decision_in(run), decision_in(&again))
            && one != other
        {
            found.push(Finding::Twice(format!("decided as {one} and as {other}")));
        }
    }
    found
}

impl Case<'_> {
    fn tried(&self, bench: &Bench, shim: &Shim, kills: &AtomicUsize) -> Option<Failed> {
        let world = bench.copy();
        let run = |does| {
            let run = shim.run(&world, &self.deed.arguments, CHANGES_AND_ANSWERS, does, None);
            kills.fetch_add(usize::from(run.answer.code == -1), Ordering::Relaxed);
            run
        };
        let first = run(self.first);
        let second = self.second.map(run);
        let disturbed: Vec<&Run> = [Some(&first), second.as_ref()].into_iter().flatten().collect();
        let found = if self.second.is_some() && self.deed.again == Again::Twice {
            // What nothing tells apart is not looked for twice.
            findings(&world, &[])
        } else {
            afterwards(&world, shim, self.deed, &disturbed)
        };
        (!found.is_empty()).then(|| Failed {
            case: format!(
                "{} {:?} {:?}, said {:?}",
                self.deed.name, self.first, self.second, first.answer
            ),
            findings: found,
        })
    }
}

/// Kills every command so often: at each of its calls in turn where that is often enough.
fn kill(seed: u64, kills_of_each: u64) {
    let Some(shim) = Shim::compiled() else { return };
    let bench = Bench::new();
    let mut chance = Chance::new(seed);
    let mut cases = Vec::new();
    for deed in &bench.deeds {
        let calls = calls_of(&bench, &shim, deed, CHANGES_AND_ANSWERS);
        eprintln!("{}: {calls} calls", deed.name);
        for number in 0..kills_of_each {
            // Spread over all calls; where there are more kills than calls, each in turn, then again with a second kill.
            let at = if kills_of_each < calls {
                let step = calls / kills_of_each;
                1 + number * calls / kills_of_each + chance.below(step)
            } else {
                1 + number % calls
            };
            let torn = chance.below(3) == 0;
            let second = (number >= calls).then(|| Does::Kill(1 + chance.below(calls)));
            let first = if torn { Does::Torn(at) } else { Does::Kill(at) };
            cases.push(Case { deed, first, second });
        }
    }
    let kills = AtomicUsize::new(0);
    let failed = tried(&cases, |case| case.tried(&bench, &shim, &kills));
    let kills = kills.into_inner();
    eprintln!("seed {seed}: {} cases, {kills} kills", cases.len());
    none(&failed, cases.len());
    assert!(
        kills * 10 > cases.len() * 8,
        "most cases kill: {kills} of {}",
        cases.len()
    );
}

#[test]
fn killed_at_a_file_call_nothing_that_was_said_is_lost() {
    kill(2026, 9);
}

#[test]
#[ignore = "10,000 kills: make soak"]
fn soak_killed_at_every_file_call() {
    kill(4711, 1_150);
}
