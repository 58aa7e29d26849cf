//! A disk that fails or is full, at each file call of each command in turn: the command says so in one clear line, or it is
//! done; it neither hangs nor panics, and nothing is half-written.
//!
//! Deliberately not here: which words it says; they are the system's and the store's.

use crate::check::Finding;
use crate::deeds::{Bench, Deed};
use crate::killed::{afterwards, calls_of, is_said};
use crate::shim::{ALL_FILE_CALLS, ALL_OF_THE_DISK, Does, Fault, Run, Shim, WANTING_ROOM};
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
        // Bytes that can't be read are not vouched for: the citation fails, the item goes to a person, and this is said.
        1 if answer.out.contains("\"bytes_corrupt\"") && deed.facts.iter().all(|fact| is_said(fact, run)) => Vec::new(),
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

/// Lets each case's call fail.
fn fail(bench: &Bench, shim: &Shim, cases: &[Case]) {
    let errors = AtomicUsize::new(0);
    let failed = tried(cases, |case| case.tried(bench, shim, &errors));
    let errors = errors.into_inner();
    eprintln!("{} faults, {errors} commands said an error", cases.len());
    none(&failed, cases.len());
    assert!(errors > 0, "no fault was noticed");
}

/// Which kinds of calls fail, and how.
type Way = (&'static str, fn(u64) -> Does);

/// The ways in which a disk fails.
const WAYS: [Way; 4] = [
    (ALL_FILE_CALLS, |at| Does::Fail(at, Fault::Input)),
    (ALL_OF_THE_DISK, |at| Does::Full(at, Fault::Input)),
    (WANTING_ROOM, |at| Does::Full(at, Fault::Full)),
    (WANTING_ROOM, |at| Does::Short(at, Fault::Full)),
];

/// For every command and way the calls that are chosen of so many.
fn fail_at(mut chosen: impl FnMut(u64) -> Vec<u64>) {
    let Some(shim) = Shim::compiled() else { return };
    let bench = Bench::new();
    let mut cases = Vec::new();
    for deed in &bench.deeds {
        for (counted, does) in WAYS {
            let calls = chosen(calls_of(&bench, &shim, deed, counted)).into_iter();
            cases.extend(calls.map(|at| Case {
                deed,
                counted,
                does: does(at),
            }));
        }
    }
    fail(&bench, &shim, &cases);
}

#[test]
fn a_disk_that_fails_is_said_and_nothing_is_half_written() {
    let seed = 31;
    eprintln!("seed {seed}");
    let mut chance = Chance::new(seed);
    fail_at(|calls| (0..2).map(|_| 1 + chance.below(calls)).collect());
}

#[test]
#[ignore = "an error at every file call: make soak"]
fn soak_an_error_at_every_file_call() {
    fail_at(|calls| (1..=calls).collect());
}

/// The commit that was not synced can be found by the next program that opens the database: its bytes must be there.
#[test]
fn an_ingest_that_is_not_synced_leaves_no_name_without_its_bytes() {
    let Some(shim) = Shim::compiled() else { return };
    let bench = Bench::new();
    let deed = bench.deed("ingest");
    let syncs = calls_of(&bench, &shim, deed, "s");
    let case = |at| Case {
        deed,
        counted: "s",
        does: Does::Fail(at, Fault::Input),
    };
    fail(&bench, &shim, &(1..=syncs).map(case).collect::<Vec<_>>());
}
