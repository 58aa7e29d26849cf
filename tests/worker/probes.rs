//! The sandbox: the same attempts before it is put up, where each succeeds, and after, where each is refused or ends the
//! worker.
//!
//! Deliberately not here: systems without Landlock or seccomp; the worker says there what does not hold.

#![cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]

use crate::documents::as_the_client_starts_it;
use pincite_tests::programs::program;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Command, Output};

/// SIGSYS, which nothing sends but the filter of system calls.
const FORBIDDEN_CALL: i32 = 31;

fn probe(attempt: &str, when: &str) -> Output {
    Command::new(program("pincite-pdf-worker"))
        .args(as_the_client_starts_it())
        .args(["--probe", attempt, "--probe-when", when])
        .env_clear()
        .output()
        .expect("the worker starts")
}

fn words(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).trim().to_owned()
}

#[test]
fn the_worker_can_open_nothing_start_nothing_and_reach_nobody() {
    // Looking for a file is refused; everything else ends the worker.
    for attempt in ["open-file", "open-library", "write-file", "list-folder", "look-at-file"] {
        assert_eq!(
            words(&probe(attempt, "before")),
            format!("{attempt} succeeded"),
            "without the sandbox"
        );
        let after = words(&probe(attempt, "after"));
        assert!(
            after.starts_with(&format!("{attempt} failed: Permission denied")),
            "{after}"
        );
    }
    for attempt in [
        "inet-socket",
        "inet6-datagram-socket",
        "unix-socket",
        "connect",
        "fork",
        "trace",
        "signal-parent",
        "signal-thread-of-parent",
        "duplicate",
        "executable-memory",
        "memory-made-executable",
        "other-limit",
        "more-privileges",
    ] {
        let before = probe(attempt, "before");
        assert_eq!(words(&before), format!("{attempt} succeeded"), "without the sandbox");
        let after = probe(attempt, "after");
        assert_eq!(after.status.signal(), Some(FORBIDDEN_CALL), "{attempt}: {after:?}");
        assert_eq!(words(&after), "", "{attempt}");
    }
    // Another program says nothing and ends well.
    let before = probe("execute", "before");
    assert!(before.status.success() && before.stderr.is_empty(), "{before:?}");
    assert_eq!(probe("execute", "after").status.signal(), Some(FORBIDDEN_CALL));
    // And what is allowed goes on: silence proves something.
    assert_eq!(words(&probe("nothing", "after")), "nothing succeeded");
}

#[test]
fn landlock_alone_opens_no_file_and_reaches_no_port() {
    let documents = crate::documents::pdf("", b"", "", &[]);
    let worker = pincite_pdf::Worker::open(
        &crate::documents::real(),
        crate::documents::nameless(&documents),
        None,
        pincite_pdf::Limits::default(),
    )
    .expect("it opens");
    let version = worker.sandbox().landlock;
    if version == 0 {
        eprintln!("skipped: this kernel has no Landlock");
        return;
    }
    let mut attempts = vec!["open-file", "open-library", "write-file", "list-folder", "execute"];
    if version >= 4 {
        attempts.push("connect");
    }
    if version >= 6 {
        attempts.extend(["signal-parent", "signal-thread-of-parent"]);
    }
    for attempt in attempts {
        let output = probe(attempt, "landlock");
        let said = words(&output);
        assert!(
            said.starts_with(&format!("{attempt} failed: ")) && (said.contains("denied") || said.contains("permitted")),
            "Landlock {version}: {said}"
        );
    }
}
