//! A small world for one test: a temporary folder with a home, a workspace and files, and `pincite` run inside it.
//!
//! Nothing of the person who runs the tests reaches the program: home, XDG folders, names and workspace are the world's.
//!
//! Deliberately not here: judging answers beyond their exit code.

use crate::{postgres, programs, tree};
use pincite_store::Place;
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use tempfile::TempDir;

/// The documents of `fixtures/documents`, and what each is ingested as.
pub const DOCUMENTS: [(&str, &str); 6] = [
    ("sop-114-rev-a.pdf", "sop-114"),
    ("sop-114-rev-b.pdf", "sop-114"),
    ("sop-114-rev-c.pdf", "sop-114"),
    ("sop-114-rev-d.pdf", "sop-114"),
    ("drug-label.pdf", "drug-label"),
    ("pliego-2026-014.pdf", "pliego-2026-014"),
];

/// A folder of its own, gone when dropped; its workspace is in it, or in a PostgreSQL database of the tests' own.
///
/// A database is a team's, where everybody signs in: whoever a command names with `--as` gets an account with every role and a
/// session, and the command is theirs. So one test speaks of both.
#[derive(Debug)]
pub struct World {
    folder: TempDir,
    database: Option<String>,
    sessions: Mutex<BTreeMap<String, String>>,
    /// Whether the team was founded here: it has an account, and its role is let in.
    founded: AtomicBool,
    /// Written once: workers that sign in together must not find it half written.
    password: OnceLock<PathBuf>,
    /// Where a team's documents go, if not into a folder, and what the environment says of it.
    bucket: Option<(String, Vec<(&'static str, String)>)>,
}

/// Who works where a command names nobody.
pub const TESTER: &str = "tester";

/// Everybody's password.
const PASSWORD: &str = "a long enough password";

/// Every role.
const ROLES: [&str; 6] = [
    "reviewer",
    "calibration_owner",
    "grader",
    "auditor",
    "document_control",
    "administrator",
];

/// What a run of the program gave.
#[derive(Debug)]
pub struct Answer {
    /// Its exit code; -1 where a signal ended it.
    pub code: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// A world without a workspace.
    ///
    /// # Panics
    /// Where no temporary folder can be made.
    #[must_use]
    pub fn new() -> Self {
        let database = on_postgres().then(|| postgres::workspace_url().expect("a PostgreSQL to be tried on"));
        Self {
            database,
            ..Self::in_a_folder()
        }
    }

    /// A world whose workspace is in a folder, whatever the tests are run on: for what only files are.
    #[must_use]
    pub fn in_a_folder() -> Self {
        let folder = TempDir::with_prefix("pincite-test-").expect("a temporary folder");
        for name in ["home", "temporary", "files"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder inside it");
        }
        Self {
            folder,
            database: None,
            sessions: Mutex::default(),
            founded: AtomicBool::new(false),
            password: OnceLock::new(),
            bucket: None,
        }
    }

    /// The same, with its documents in this bucket (`s3://bucket/name`), which these variables tell how to reach.
    #[must_use]
    pub fn with_bucket(mut self, address: &str, variables: Vec<(&'static str, String)>) -> Self {
        self.bucket = Some((address.to_owned(), variables));
        self
    }

    /// Where a team's documents go, as `--blobs` takes it.
    #[must_use]
    pub fn blobs_argument(&self) -> OsString {
        match &self.bucket {
            Some((address, _)) => OsString::from(address),
            None => self.workspace().join("blobs").into_os_string(),
        }
    }

    /// A world without a workspace yet, which will be in this database, whatever the tests are run on.
    #[must_use]
    pub fn on(url: String) -> Self {
        Self {
            database: Some(url),
            ..Self::in_a_folder()
        }
    }

    /// A world with an empty workspace.
    #[must_use]
    pub fn empty() -> Self {
        let world = Self::new();
        let _ = world.json(["init"]);
        world
    }

    /// A world with the fixtures' catalogue and documents, and no records.
    #[must_use]
    pub fn with_documents() -> Self {
        let world = Self::empty();
        let _ = world.json([
            OsStr::new("catalogue"),
            OsStr::new("set"),
            tree::fixture("catalogue.toml").as_os_str(),
        ]);
        for (file, doc_id) in DOCUMENTS {
            let path = tree::fixture("documents").join(file);
            let _ = world.json([
                OsStr::new("ingest"),
                OsStr::new("--doc-id"),
                OsStr::new(doc_id),
                path.as_os_str(),
            ]);
        }
        world
    }

    /// A world with the demo in it.
    #[must_use]
    pub fn demo() -> Self {
        let world = Self::new();
        let _ = world.json(["init", "--demo"]);
        world
    }

    /// The world's home folder. No command may write there.
    #[must_use]
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// The folder that the program is given for temporary files.
    #[must_use]
    pub fn temporary(&self) -> PathBuf {
        self.folder.path().join("temporary")
    }

    /// The workspace's folder; of a team's workspace that of its blobs alone.
    #[must_use]
    pub fn workspace(&self) -> PathBuf {
        self.folder.path().join("workspace")
    }

    /// The database as its owner enters it, where it is not in the workspace's folder: all that there is can be read and written.
    #[must_use]
    pub fn database(&self) -> Option<String> {
        self.database.as_deref().map(postgres::as_owner)
    }

    /// Where the workspace is, as `--workspace` takes it.
    #[must_use]
    pub fn workspace_argument(&self) -> OsString {
        match &self.database {
            Some(url) => OsString::from(postgres::as_team(url)),
            None => self.workspace().into_os_string(),
        }
    }

    /// Where the workspace is, for a test that works in it itself, in whoever's name it likes.
    ///
    /// # Panics
    /// Where the database's address can't be read, or nobody can sign in.
    #[must_use]
    pub fn place(&self) -> Place {
        match self.database() {
            Some(url) => {
                let place = Place::parse(&url).expect("an address");
                self.session(TESTER)
                    .into_iter()
                    .fold(place, |place, token| place.with_session(&token))
            }
            None => Place::Folder(self.workspace()),
        }
    }

    /// The token of somebody's session in a team's workspace that was made, who has an account and every role from now on.
    ///
    /// # Panics
    /// Where no account can be made, or nobody can sign in.
    #[must_use]
    pub fn session(&self, name: &str) -> Option<String> {
        let kept = |name: &str| self.sessions.lock().expect("a lock").get(name).cloned();
        if let Some(token) = kept(name) {
            return Some(token);
        }
        let administrator = match kept(TESTER) {
            Some(token) => token,
            // Before the workspace is made nobody has an account.
            None if self.is_made() => {
                // One that was copied or restored.
                if !self.founded.load(Ordering::Relaxed) {
                    let founded = Answer::of(self.command(["init"]).output().expect("pincite starts"));
                    assert_eq!(founded.code, 0, "the team can't be let in: {}", founded.err);
                }
                self.sign_in(TESTER)
            }
            None => return None,
        };
        if name == TESTER {
            return Some(administrator);
        }
        let mut made = self.bare_command();
        made.arg("--workspace")
            .arg(self.workspace_argument())
            .env("PINCITE_SESSION", administrator)
            .args(["user", "add", name, "--why", "a test", "--password-file"])
            .arg(self.password_file());
        for role in ROLES {
            made.args(["--role", role]);
        }
        let answer = Answer::of(made.output().expect("pincite starts"));
        // Somebody else's command may have made it in the meantime.
        assert!(
            answer.code == 0 || answer.err.contains("already"),
            "{name} gets no account: {}",
            answer.err
        );
        Some(self.sign_in(name))
    }

    /// Everybody's password, in a file.
    ///
    /// # Panics
    /// Where it can't be written.
    #[must_use]
    pub fn password_file(&self) -> PathBuf {
        let written = self.password.get_or_init(|| {
            let path = self.folder.path().join("password");
            std::fs::write(&path, PASSWORD).expect("a file of the test's own");
            path
        });
        written.clone()
    }

    fn sign_in(&self, name: &str) -> String {
        let mut command = self.bare_command();
        command
            .arg("--workspace")
            .arg(self.workspace_argument())
            .args(["user", "sign-in", name, "--print-token", "--password-file"])
            .arg(self.password_file());
        let answer = Answer::of(command.output().expect("pincite starts"));
        assert_eq!(answer.code, 0, "{name} can't sign in: {}", answer.err);
        let token = answer.out.trim().to_owned();
        let _ = self
            .sessions
            .lock()
            .expect("a lock")
            .insert(name.to_owned(), token.clone());
        token
    }

    /// Where the program keeps its anchors of the audit chain.
    #[must_use]
    pub fn anchors(&self) -> PathBuf {
        self.folder.path().join("anchors")
    }

    /// A path in the folder for a test's own files. Commands run there.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("files").join(name)
    }

    /// Writes one of the test's own files; answers its path as a command takes it.
    ///
    /// # Panics
    /// Where it can't be written.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, content).expect("a file of the test's own");
        path.display().to_string()
    }

    /// The program, ready to be given arguments, in this world, without a workspace named.
    #[must_use]
    pub fn bare_command(&self) -> Command {
        let mut command = Command::new(programs::program("pincite"));
        let home = self.home();
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            let kept = matches!(
                name.as_str(),
                "PATH" | "LD_LIBRARY_PATH" | "PINCITE_NATIVE" | "PINCITE_PDF_WORKER" | "RUST_BACKTRACE"
            );
            if !kept {
                command.env_remove(name);
            }
        }
        command
            .env("HOME", &home)
            .env("XDG_DATA_HOME", home.join("data"))
            .env("XDG_CONFIG_HOME", home.join("config"))
            .env("XDG_CACHE_HOME", home.join("cache"))
            .env("XDG_STATE_HOME", home.join("state"))
            .env("TMPDIR", self.temporary())
            .env("USER", "tester")
            .env("PINCITE_ANCHORS", self.anchors())
            .env("PINCITE_FIXTURES", tree::fixture(""))
            .envs(self.bucket.iter().flat_map(|(_, variables)| variables.clone()))
            .current_dir(self.folder.path().join("files"))
            .stdin(Stdio::null());
        command
    }

    /// The program on this world's workspace, with these arguments.
    pub fn command(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut command = self.bare_command();
        let arguments: Vec<OsString> = arguments.into_iter().map(|one| one.as_ref().to_owned()).collect();
        let Some(url) = &self.database else {
            command.arg("--workspace").arg(self.workspace()).args(arguments);
            return command;
        };
        // A team is founded by the owner of its tables, who says where its documents are kept and who lets the others in.
        if arguments.first().is_some_and(|first| first == "init") {
            self.founded.store(true, Ordering::Relaxed);
            command
                .arg("--workspace")
                .arg(url)
                .args(arguments)
                .arg("--blobs")
                .arg(self.blobs_argument())
                .args([
                    "--administrator",
                    TESTER,
                    "--members",
                    "pincite_team",
                    "--password-file",
                ])
                .arg(self.password_file());
            return command;
        }
        let (arguments, who) = without_who(arguments);
        if let Some(token) = self.session(who.as_deref().unwrap_or(TESTER)) {
            command.env("PINCITE_SESSION", token);
        }
        command
            .arg("--workspace")
            .arg(self.workspace_argument())
            .args(arguments);
        command
    }

    fn is_made(&self) -> bool {
        let query = "SELECT to_regclass('accounts') IS NOT NULL";
        self.database
            .as_deref()
            .is_some_and(|url| postgres::ask(url, query) == "t")
    }

    /// Runs the program.
    ///
    /// # Panics
    /// Where it does not start.
    pub fn run(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Answer {
        Answer::of(self.command(arguments).output().expect("pincite starts"))
    }

    /// Runs the program with `--json`, for one document, and wants exit code 0.
    ///
    /// # Panics
    /// Where it ends otherwise or the answer is not JSON.
    #[must_use]
    pub fn json(&self, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Value {
        let mut command = self.command(arguments);
        let answer = Answer::of(command.arg("--json").output().expect("pincite starts"));
        assert_eq!(answer.code, 0, "{}: {}", words(&command), answer.err);
        serde_json::from_str(&answer.out).unwrap_or_else(|error| panic!("{}: {error}: {}", words(&command), answer.out))
    }

    /// Runs the program with `--json`, for JSON lines, and wants this exit code.
    ///
    /// # Panics
    /// Where it ends otherwise or a line is not JSON.
    #[must_use]
    pub fn lines(&self, code: i32, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Vec<Value> {
        let mut command = self.command(arguments);
        let answer = Answer::of(command.arg("--json").output().expect("pincite starts"));
        assert_eq!(answer.code, code, "{}: {}", words(&command), answer.err);
        answer.lines()
    }

    /// Everything below the workspace's folder that is a file, with its length.
    #[must_use]
    pub fn workspace_files(&self) -> Vec<(PathBuf, u64)> {
        files_below(&self.workspace())
    }
}

/// Whether the tests are run on PostgreSQL: `PINCITE_TEST_ON=postgres`. Every journey is made on both.
#[must_use]
pub fn on_postgres() -> bool {
    std::env::var_os("PINCITE_TEST_ON").is_some_and(|on| on == "postgres")
}

/// Arguments without `--as WHO`, and who.
fn without_who(mut arguments: Vec<OsString>) -> (Vec<OsString>, Option<String>) {
    let Some(at) = arguments.iter().position(|argument| argument == "--as") else {
        return (arguments, None);
    };
    let said: Vec<OsString> = arguments.drain(at..arguments.len().min(at + 2)).collect();
    let who = said.get(1).map(|who| who.to_string_lossy().into_owned());
    (arguments, who)
}

/// What was asked, without the world around it.
fn words(command: &Command) -> String {
    let arguments: Vec<String> = command
        .get_args()
        .skip(2)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    format!("pincite {}", arguments.join(" "))
}

/// Every file below a folder with its length, in order.
///
/// # Panics
/// Where a folder can't be read.
#[must_use]
pub fn files_below(folder: &Path) -> Vec<(PathBuf, u64)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(&next).expect("a folder that can be read") {
            let entry = entry.expect("an entry");
            let metadata = entry.metadata().expect("its metadata");
            if metadata.is_dir() {
                folders.push(entry.path());
            } else {
                found.push((entry.path(), metadata.len()));
            }
        }
    }
    found.sort();
    found
}

impl Answer {
    /// What a finished process gave.
    #[must_use]
    pub fn of(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Standard output as JSON lines.
    ///
    /// # Panics
    /// Where a line is not JSON.
    #[must_use]
    pub fn lines(&self) -> Vec<Value> {
        self.out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
            .collect()
    }
}
