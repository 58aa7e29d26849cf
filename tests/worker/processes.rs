//! Workers as processes: what they inherit, what they leave, how soon the next one is there.
//!
//! Deliberately not here: what they may do (probes).

#![cfg(target_os = "linux")]

use crate::documents::{as_the_client_starts_it, nameless, pdf, real};
use pincite_pdf::{Limits, Pool, Worker, WorkerError};
use pincite_tests::programs::program;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The next document opens within this after a worker's death.
const NEXT_OPENS: Duration = Duration::from_secs(1);

fn plain() -> Result<Worker, WorkerError> {
    Worker::open(&real(), nameless(&pdf("", b"", "", &[])), None, Limits::default())
}

fn kill(process: u32) {
    let killed = Command::new("kill").args(["-9", &process.to_string()]).status();
    assert!(killed.is_ok_and(|status| status.success()), "kill -9 {process}");
    // Until it has ended: a Z in its status, since nobody has asked for it yet.
    let status = || std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let began = Instant::now();
    while !status().contains("State:\tZ") {
        assert!(began.elapsed() < Duration::from_secs(20), "{}", status());
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_worker_has_its_own_pipes_and_nothing_else() {
    // A descriptor that is open across programs, as a careless library leaves one.
    let leaky = Command::new("sh")
        .args(["-c", "exec 7</dev/null 9</dev/null; exec \"$0\" \"$@\""])
        .arg(program("pincite-pdf-worker"))
        .args(as_the_client_starts_it())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the worker starts");
    let workers: Vec<Worker> = (0..3).map(|_| plain().expect("it opens")).collect();
    let ids = workers.iter().map(Worker::process).chain([leaky.id()]);
    let mut leaky = leaky;
    for process in ids {
        let began = Instant::now();
        loop {
            let held: Vec<String> = std::fs::read_dir(format!("/proc/{process}/fd"))
                .expect("its descriptors")
                .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
                .collect();
            // The document's is closed once it was read.
            if held.iter().all(|number| matches!(number.as_str(), "0" | "1" | "2")) {
                break;
            }
            assert!(began.elapsed() < Duration::from_secs(20), "{process} holds {held:?}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
    // Its client is gone when its requests end.
    drop(leaky.stdin.take());
    let began = Instant::now();
    loop {
        match leaky.try_wait().expect("it is a child of ours") {
            Some(status) => break assert!(status.success(), "{status}"),
            None => assert!(began.elapsed() < Duration::from_secs(20), "it stays without a client"),
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    // Dropped, they are gone: no process is left, not even a dead one that nobody asked for.
    let ids: Vec<u32> = workers.iter().map(Worker::process).collect();
    drop(workers);
    for process in ids {
        assert!(
            !std::path::Path::new(&format!("/proc/{process}")).exists(),
            "{process} is left"
        );
    }
}

#[test]
fn after_a_death_the_next_document_opens_within_a_second() {
    let mut fastest = Duration::MAX;
    for _ in 0..5 {
        let mut worker = plain().expect("it opens");
        let process = worker.process();
        kill(process);
        let died = worker.page(1);
        assert!(
            matches!(&died, Err(WorkerError::Died(reason)) if reason.contains("killed")),
            "{died:?}"
        );
        assert!(
            !std::path::Path::new(&format!("/proc/{process}")).exists(),
            "{process} is left"
        );
        assert!(matches!(worker.page(1), Err(WorkerError::Died(_))), "it stays dead");
        let began = Instant::now();
        plain().expect("the next one opens").page(1).expect("and is read");
        fastest = fastest.min(began.elapsed());
    }
    eprintln!("the next document opened in {fastest:?} (the fastest of five)");
    assert!(fastest < NEXT_OPENS, "{fastest:?}");
}

#[test]
fn a_pool_replaces_a_worker_that_died_and_keeps_the_others() {
    let pool: Pool = Pool::new(2, Duration::from_secs(60));
    let process = |key: &str| pool.with(key, plain, |worker| worker.page(1).map(|_| worker.process()));
    let (first, other) = (process("a").expect("it opens"), process("b").expect("it opens"));
    assert_eq!(process("a").ok(), Some(first), "kept open");
    kill(first);
    let again = process("a").expect("one that died idle is replaced without a word");
    assert_ne!(again, first);
    let died = pool.with("a", plain, |worker| {
        kill(worker.process());
        worker.page(1)
    });
    assert!(matches!(died, Err(WorkerError::Died(_))), "{died:?}");
    assert_eq!(process("b").ok(), Some(other), "another document's is untouched");
    assert!(process("a").is_ok_and(|process| process != again));
}
