//! A PostgreSQL of the tests' own, and a fresh workspace's place in it: a schema.
//!
//! `make test` starts one server for all tests and names it in `PINCITE_TEST_POSTGRES`. Where nobody did, the first test of
//! a process that asks starts one through `tools/postgres`, and it ends with the process, however that ends: it reads a pipe
//! that closes then. A test that stops its server or pulls its plug has one to itself, [`Server::durable`].
//!
//! Statements go through PostgreSQL's own `psql`, because only the store names sqlx, and because a tamperer does not use our
//! code either.
//!
//! Deliberately not here: how a server is made (`tools/postgres`), and what a schema holds; the store makes that.

use crate::tree;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Output, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// What `tools/postgres` ends with where no PostgreSQL is installed.
const NONE_INSTALLED: i32 = 3;

/// The URL of a fresh and empty schema on the server that tests share: a role that owns its database and is no superuser,
/// and a `search_path` of that schema alone. Where no PostgreSQL is installed, says so and answers `None`.
///
/// Nothing on that server waits for the disk, so it proves nothing about durability.
///
/// # Panics
/// Where the server does not start, or does not answer.
#[must_use]
pub fn workspace_url() -> Option<String> {
    static SHARED: OnceLock<Option<(String, Option<Server>)>> = OnceLock::new();
    let shared = SHARED.get_or_init(|| {
        let named = std::env::var("PINCITE_TEST_POSTGRES")
            .ok()
            .filter(|url| !url.is_empty());
        match named {
            Some(base) => Some((base, None)),
            None => Server::start_with(&[]).map(|server| (server.base.clone(), Some(server))),
        }
    });
    let Some((base, _)) = shared else {
        say_skipped();
        return None;
    };
    Some(fresh_schema(base))
}

fn say_skipped() {
    eprintln!("skipped: no PostgreSQL (tools/setup packages installs it)");
}

/// A server that one test has to itself. It ends, and its files go, when this is dropped.
#[derive(Debug)]
pub struct Server {
    process: Child,
    /// `None` once it was told to end.
    words: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    base: String,
}

impl Server {
    /// Starts a server that waits for the disk as one in the field does. Takes seconds. Where no PostgreSQL is installed,
    /// says so and answers `None`.
    ///
    /// # Panics
    /// Where it does not start.
    #[must_use]
    pub fn durable() -> Option<Self> {
        let server = Self::start_with(&["--durable"]);
        if server.is_none() {
            say_skipped();
        }
        server
    }

    fn start_with(arguments: &[&str]) -> Option<Self> {
        // Its standard error is a pipe, too: a runner that waits for a test's own to close must not wait for a server.
        let mut process = Command::new(tree::root().join("tools/postgres"))
            .arg("serve")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("tools/postgres starts");
        let words = process.stdin.take();
        let mut answers = BufReader::new(process.stdout.take().expect("standard output is a pipe"));
        let mut base = String::new();
        answers.read_line(&mut base).expect("tools/postgres is read");
        if base.is_empty() {
            let mut complaint = String::new();
            let mut errors = process.stderr.take().expect("standard error is a pipe");
            // What can't be read is not said; that it failed is.
            let _unread = errors.read_to_string(&mut complaint);
            let ended = process.wait().expect("tools/postgres ends");
            assert!(
                ended.code() == Some(NONE_INSTALLED),
                "tools/postgres serve: {ended}\n{complaint}"
            );
            return None;
        }
        Some(Self {
            process,
            words,
            answers,
            base: base.trim_end().to_owned(),
        })
    }

    /// The URL of a fresh and empty schema, as [`workspace_url`] has it.
    ///
    /// # Panics
    /// Where the server does not answer.
    #[must_use]
    pub fn workspace_url(&self) -> String {
        fresh_schema(&self.base)
    }

    /// Ends every process of the server where it stands, as when it is killed: what was not written ahead is gone.
    ///
    /// # Panics
    /// Where it can't be told.
    pub fn crash(&mut self) {
        self.tell("crash");
    }

    /// Stops the server in good order; whoever is connected is cut off.
    ///
    /// # Panics
    /// Where it can't be told.
    pub fn stop(&mut self) {
        self.tell("stop");
    }

    /// Starts the server after [`Self::crash`] or [`Self::stop`], at the same place; returns when it takes connections.
    ///
    /// # Panics
    /// Where it does not start.
    pub fn start(&mut self) {
        self.tell("start");
    }

    fn tell(&mut self, word: &str) {
        let words = self.words.as_mut().expect("the server is told to end only once");
        writeln!(words, "{word}").expect("tools/postgres listens");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("tools/postgres is read");
        if answer.trim_end() != word {
            let mut complaint = String::new();
            self.words = None;
            if let Some(mut errors) = self.process.stderr.take() {
                let _unread = errors.read_to_string(&mut complaint);
            }
            panic!("tools/postgres serve: {word} was answered by {answer:?}\n{complaint}");
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.words = None;
        // Whatever it ends with: it is gone, and the test has said what it had to.
        let _ended = self.process.wait();
    }
}

/// The same place, entered by a superuser: to make roles, or to do what the owner of a machine could.
///
/// # Panics
/// Where the URL is of no server that `tools/postgres` made.
#[must_use]
pub fn as_superuser(url: &str) -> String {
    assert!(
        url.contains("user=pincite"),
        "{url}: tests that need a superuser run on a server of tools/postgres only"
    );
    url.replacen("user=pincite", "user=postgres", 1)
}

/// The same place, entered by the role through which a team works, which owns nothing.
///
/// # Panics
/// Where the URL is of no server that `tools/postgres` made.
#[must_use]
pub fn as_team(url: &str) -> String {
    assert!(
        url.contains("user=pincite"),
        "{url}: it is of no server of tools/postgres"
    );
    url.replacen("user=pincite", "user=pincite_team", 1)
}

/// The same place, entered by its owner to see and write all that there is, whoever is signed in.
#[must_use]
pub fn as_owner(url: &str) -> String {
    format!("{url}%20-c%20pincite.inside%3Don")
}

/// The schema that a URL of these leads to.
///
/// # Panics
/// Where it names none.
#[must_use]
pub fn schema(url: &str) -> &str {
    url.split_once("search_path%3D")
        .map(|(_, schema)| schema.split('%').next().unwrap_or_default())
        .unwrap_or_else(|| panic!("{url}: it names no schema"))
}

/// Runs statements, all or none of them.
///
/// # Panics
/// Where PostgreSQL says no.
pub fn alter(url: &str, statements: &str) {
    let ended = psql(url, &["--single-transaction"], statements);
    assert!(
        ended.status.success(),
        "{statements}: {}",
        String::from_utf8_lossy(&ended.stderr)
    );
}

/// What a query answers, a row a line, its columns parted by `|`; empty where there is no row.
///
/// # Panics
/// Where PostgreSQL says no.
#[must_use]
pub fn ask(url: &str, query: &str) -> String {
    let ended = psql(url, &["--tuples-only", "--no-align"], query);
    assert!(
        ended.status.success(),
        "{query}: {}",
        String::from_utf8_lossy(&ended.stderr)
    );
    String::from_utf8_lossy(&ended.stdout).trim_end_matches('\n').to_owned()
}

/// Why a statement is refused, in the database's words; empty where it is not.
///
/// # Panics
/// Where `psql` does not start.
#[must_use]
pub fn refusal(url: &str, statement: &str) -> String {
    let ended = psql(url, &[], statement);
    String::from_utf8_lossy(&ended.stderr)
        .lines()
        .find_map(|line| line.split_once("ERROR:  ").map(|(_, reason)| reason.to_owned()))
        .unwrap_or_default()
}

/// One of PostgreSQL's own programs, such as `pg_dump`, of the version that serves the tests.
///
/// # Panics
/// Where no PostgreSQL is installed.
#[must_use]
pub fn program(name: &str) -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let ended = Command::new(tree::root().join("tools/postgres"))
            .arg("programs")
            .output()
            .expect("tools/postgres starts");
        assert!(ended.status.success(), "no PostgreSQL is installed");
        PathBuf::from(String::from_utf8_lossy(&ended.stdout).trim_end())
    });
    folder.join(name)
}

fn psql(url: &str, arguments: &[&str], statements: &str) -> Output {
    let mut process = Command::new(program("psql"))
        .args(["--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1", "--dbname", url])
        .args(arguments)
        .args(["--file", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("psql starts");
    let mut words = process.stdin.take().expect("standard input is a pipe");
    let statements = statements.to_owned();
    // From beside, since psql answers while it reads. Where it ends early, its complaint is what counts.
    let told = std::thread::spawn(move || {
        let _unheard = words.write_all(statements.as_bytes());
    });
    let ended = process.wait_with_output().expect("psql ends");
    told.join().expect("statements are written");
    ended
}

/// Makes a schema that no other test has, in this process or another.
fn fresh_schema(base: &str) -> String {
    static MADE: AtomicU64 = AtomicU64::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    // A server may serve for longer than the system takes to give a process's number again.
    let moment = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("it is later than 1970")
        .as_nanos();
    let schema = format!("w_{}_{number}_{moment}", std::process::id());
    alter(base, &format!("CREATE SCHEMA {schema};"));
    let joint = if base.contains('?') { '&' } else { '?' };
    format!("{base}{joint}options=-c%20search_path%3D{schema}")
}

#[cfg(test)]
#[path = "postgres_tests.rs"]
mod tests;
