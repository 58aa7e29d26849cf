//! The library that stands between a program and its file calls: compiled by the system's C compiler into a temporary
//! folder, preloaded into one command, told by the environment what to do.
//!
//! Deliberately not here: what the library does; `shim.c` says it.

use pincite_tests::{Answer, World, tree};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A command that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(40);

/// The kinds of calls that change what a disk holds, and the answer (see `shim.c`).
pub(crate) const CHANGES_AND_ANSWERS: &str = "cwtsnua";
/// Every kind of call on files.
pub(crate) const ALL_FILE_CALLS: &str = "ocwtsnuxrlim";
/// The same without locks, which stand in memory: where all of them fail, SQLite waits ten seconds before it says so.
pub(crate) const ALL_OF_THE_DISK: &str = "ocwtsnuxrim";
/// The kinds that want room on the disk.
pub(crate) const WANTING_ROOM: &str = "cwtsn";

/// An error that a disk gives, as Linux numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// EIO.
    Input = 5,
    /// ENOSPC.
    Full = 28,
}

/// What is to happen at the n-th counted call (from 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Does {
    /// Nothing: it is written down.
    Nothing,
    /// SIGKILL in its place.
    Kill(u64),
    /// Half of it is written, then SIGKILL.
    Torn(u64),
    /// It fails; the others do not.
    Fail(u64, Fault),
    /// It fails, and every counted call after it.
    Full(u64, Fault),
    /// Half of it is written, and every counted call after it fails.
    Short(u64, Fault),
}

impl Does {
    fn words(self) -> Option<String> {
        match self {
            Self::Nothing => None,
            Self::Kill(at) => Some(format!("kill:{at}")),
            Self::Torn(at) => Some(format!("torn:{at}")),
            Self::Fail(at, fault) => Some(format!("fail:{at}:{}", fault as i32)),
            Self::Full(at, fault) => Some(format!("full:{at}:{}", fault as i32)),
            Self::Short(at, fault) => Some(format!("short:{at}:{}", fault as i32)),
        }
    }
}

/// The compiled library, in a folder of its own.
#[derive(Debug)]
pub(crate) struct Shim {
    folder: TempDir,
}

impl Shim {
    /// Compiles it. `None`, and a word on standard error, where this machine can't.
    pub(crate) fn compiled() -> Option<Self> {
        if !cfg!(target_os = "linux") {
            eprintln!("skipped: file calls are stood between on Linux only");
            return None;
        }
        let folder = TempDir::with_prefix("pincite-shim-").expect("a temporary folder");
        let ended = Command::new("cc")
            .args(["-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-pthread", "-o"])
            .arg(folder.path().join("shim.so"))
            .arg(tree::root().join("tests/durability/shim.c"))
            .output();
        let Ok(ended) = ended else {
            eprintln!("skipped: no C compiler");
            return None;
        };
        assert!(
            ended.status.success(),
            "shim.c: {}",
            String::from_utf8_lossy(&ended.stderr)
        );
        Some(Self { folder })
    }

    /// Makes it stand between a command and its file calls below a folder.
    pub(crate) fn preload(&self, command: &mut Command, folder: &Path, counted: &str, does: Does, log: Option<&Path>) {
        command
            .env("LD_PRELOAD", self.folder.path().join("shim.so"))
            .env("PINCITE_SHIM_FOLDER", folder)
            .env("PINCITE_SHIM_COUNTED", counted);
        if let Some(words) = does.words() {
            command.env("PINCITE_SHIM_DOES", words);
        }
        if let Some(log) = log {
            command.env("PINCITE_SHIM_LOG", log);
        }
    }

    /// Runs `pincite` on a world's workspace with these arguments, as JSON, with the library between.
    pub(crate) fn run(
        &self,
        world: &World,
        arguments: &[String],
        counted: &str,
        does: Does,
        log: Option<&Path>,
    ) -> Run {
        let mut command = world.command(arguments);
        command.arg("--json");
        self.preload(&mut command, &world.workspace(), counted, does, log);
        run(&mut command)
    }
}

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Run {
    /// What it printed, and its exit code.
    pub(crate) answer: Answer,
    /// Whether it was ended because it took too long.
    pub(crate) hung: bool,
}

impl Run {
    /// The whole lines of its standard output: a line without its end was not read by anybody.
    pub(crate) fn lines(&self) -> impl Iterator<Item = &str> {
        whole_lines(&self.answer.out)
    }
}

/// The lines of a text that have an end.
pub(crate) fn whole_lines(text: &str) -> impl Iterator<Item = &str> {
    let end = text.rfind('\n').unwrap_or(0);
    text.get(..end).unwrap_or_default().lines()
}

/// Runs a command to its end, or to the end of patience.
pub(crate) fn run(command: &mut Command) -> Run {
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = child.spawn().expect("the command starts");
    let hung = !ends_in_time(&mut child);
    if hung {
        child.kill().expect("SIGKILL is sent");
    }
    let output = child.wait_with_output().expect("it ends");
    Run {
        answer: Answer::of(output),
        hung,
    }
}

/// Waits, without reading: no command under test prints as much as a pipe holds.
fn ends_in_time(child: &mut Child) -> bool {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if child.try_wait().expect("a child of ours").is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    false
}

/// A path for a log in a world: outside of its workspace.
pub(crate) fn log_of(world: &World) -> PathBuf {
    world.path("calls.log")
}
