//! Durability: what was acknowledged outlives SIGKILL at every file call, lost power, and a disk that fails or is full.
//!
//! It works on the real program, through a library that stands between it and its file calls (`shim.c`). Acknowledged means:
//! a whole line on standard output. What must hold then is in `check`, the commands under test are in `deeds`. A check that
//! can't fail proves nothing: `counterexamples` has writers that lose what they acknowledged, and the check must say so.
//!
//! Every draw comes from a seed, and a failure names what repeats it.
//!
//! Deliberately not here: PostgreSQL, whose own tests of this kind are its developers'; SIGKILL at random moments of a day's
//! work (`journeys`).

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a proof that can't go on says so by panicking"
)]

mod check;
mod counterexamples;
mod deeds;
mod disk;
mod faults;
mod histories;
mod killed;
mod log;
mod lost_power;
mod shim;

use check::Finding;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A case that went wrong, with the words that repeat it.
#[derive(Debug)]
pub(crate) struct Failed {
    case: String,
    findings: Vec<Finding>,
}

/// Tries every case, as many at once as this machine has cores; answers those that went wrong.
fn tried<T: Sync>(cases: &[T], case: impl Fn(&T) -> Option<Failed> + Sync) -> Vec<Failed> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    let many = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..many {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(one) = cases.get(number) else { break };
                    if number > 0 && number.is_multiple_of(500) {
                        eprintln!("{number} of {} cases", cases.len());
                    }
                    if let Some(found) = case(one) {
                        eprintln!("{}: {:?}", found.case, found.findings);
                        failed.lock().expect("no case panics while it holds this").push(found);
                    }
                }
            });
        }
    });
    failed.into_inner().expect("no case panics while it holds this")
}

/// Fails with every case that went wrong.
fn none(failed: &[Failed], of: usize) {
    let words: Vec<String> = failed
        .iter()
        .take(20)
        .map(|one| format!("{}: {:?}", one.case, one.findings))
        .collect();
    assert!(
        failed.is_empty(),
        "{} of {of} cases went wrong, the first of them:\n  {}",
        failed.len(),
        words.join("\n  ")
    );
}
