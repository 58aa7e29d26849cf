//! A disk that fails or is full, at each file call of each command in turn: the command says so in one clear line, or it is
//! done; it neither hangs nor panics, and nothing is half-written.
//!
//! Deliberately not here: which words it says; they are the system's and the store's.

use crate::check::Finding;
use crate::deeds::{Bench, Deed};
use crate::killed::{afterwards, calls_of, is_said};
use crate::shim::{ALL_FILE_CALLS, Does, Fault, Run, Shim, WANTING_ROOM};
use crate::{Failed, none, tried};
use pincite_tests::Chance;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(Debug)]
struct Case<'a> {
    deed: &'a Deed,
    counted: &'static str,
    does: Does,
}

/// What is wrong with how a command ended.
fn manners(deed: &Deed, run: &Run) -> Vec<Finding> {
    let wrong = |what: &str| vec![Finding::Damaged(format!("{what}: {run:?}"))];
    let answer = &run.answer;
    if run.hung {
        return wrong("it hangs");
    }
    if answer.err.contains("panicked") {
        return wrong("it panics");
    }
    match answer.code {
        0 if deed.facts.iter().all(|fact| is_said(fact, run)) => Vec::new(),
        0 => wrong("it says that it is done, and does not say what"),
        3 if answer.err.lines().count() == 1 && answer.err.starts_with("pincite: ") => Vec::new(),
        3 => wrong("an error is one line"),
        _ => wrong("an error of the disk is exit code 3"),
    }
}

impl Case<'_> {
    fn tried(&self, bench: &Bench, shim: &Shim, errors: &AtomicUsize) -> Option<Failed> {
        let world = bench.copy();
        let run = shim.run(&world, &self.deed.arguments, self.counted, self.does, None);
        errors.fetch_add(usize::from(run.answer.code != 0), Ordering::Relaxed);
        let mut found = manners(self.deed, &run);
        found.extend(afterwards(&world, shim, self.deed, &[&run]));
        (!found.is_empty()).then(|| Failed {
            case: format!(
                "{} {:?} of {}, said {:?}",
                self.deed.name, self.does, self.counted, run.answer
            ),
            findings: found,
        })
    }
}

/// Lets calls fail: each in turn, or so many of each kind for each command, drawn.
fn fail(seed: u64, of_each: Option<u64>) {
    let Some(shim) = Shim::compiled() else { return };
    let bench = Bench::new();
    let mut chance = Chance::new(seed);
    let mut cases = Vec::new();
    let kinds: [(&'static str, fn(u64) -> Does); 4] = [
        (ALL_FILE_CALLS, |at| Does::Fail(at, Fault::Input)),
        (ALL_FILE_CALLS, |at| Does::Full(at, Fault::Input)),
        (WANTING_ROOM, |at| Does::Full(at, Fault::Full)),
        (WANTING_ROOM, |at| Does::Short(at, Fault::Full)),
    ];
    for deed in &bench.deeds {
        for (counted, does) in kinds {
            let calls = calls_of(&bench, &shim, deed, counted);
            let chosen: Vec<u64> = match of_each {
                None => (1..=calls).collect(),
                Some(few) => (0..few).map(|_| 1 + chance.below(calls)).collect(),
            };
            cases.extend(chosen.into_iter().map(|at| Case {
                deed,
                counted,
                does: does(at),
            }));
        }
    }
    let errors = AtomicUsize::new(0);
    let failed = tried(&cases, |case| case.tried(&bench, &shim, &errors));
    let errors = errors.into_inner();
    eprintln!("seed {seed}: {} faults, {errors} commands said an error", cases.len());
    none(&failed, cases.len());
    assert!(errors > 0, "no fault was noticed");
}

#[test]
fn a_disk_that_fails_is_said_and_nothing_is_half_written() {
    fail(31, Some(2));
}

#[test]
#[ignore = "an error at every file call: make soak"]
fn soak_an_error_at_every_file_call() {
    fail(32, None);
}
