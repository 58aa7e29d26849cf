//! The corpus in a workspace of its own: finding it, running the programs on it, taking every PDF in once for all tests.
//!
//! Everything is written into one world of its own, which goes when the last test that uses it ends.
//!
//! Deliberately not here: judging what the programs answered.

use pincite_tests::World;
use pincite_tests::world::files_below;
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::time::{Duration, Instant};

/// How long one command may take, generously: nothing hangs.
const PATIENCE: Duration = Duration::from_secs(120);

/// Passwords of files in the corpus, by what their names hold (its README).
const PASSWORDS: [(&str, &str); 3] = [
    ("password-example", "test"),
    ("2206.01062_pg3", "1234"),
    ("encrypted_hello_world_r6", "hôtel"),
];

/// What a program said.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    /// Its exit code; none where a signal or our patience ended it.
    pub(crate) code: Option<i32>,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Said {
    /// Its standard output as one JSON value a line.
    pub(crate) fn lines(&self) -> Result<Vec<Value>, String> {
        let text = std::str::from_utf8(&self.stdout).map_err(|error| error.to_string())?;
        text.lines()
            .map(|line| serde_json::from_str(line).map_err(|error| format!("{error}: {line}")))
            .collect()
    }

    /// The one JSON value it printed.
    pub(crate) fn value(&self) -> Result<Value, String> {
        let mut lines = self.lines()?;
        match lines.pop() {
            Some(value) if lines.is_empty() => Ok(value),
            _ => Err(format!(
                "one line of JSON was expected; exit {:?}, standard error: {}",
                self.code, self.stderr
            )),
        }
    }
}

/// Runs a command to its end, or to the end of our patience.
pub(crate) fn run(command: &mut Command) -> Result<Said, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{program} can't be started ({error}); `make build` builds the programs"))?;
    let (stdout, stderr) = (drained(child.stdout.take()), drained(child.stderr.take()));
    let since = Instant::now();
    let code = loop {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status.code(),
            None if since.elapsed() > PATIENCE => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("{command:?} did not end within {PATIENCE:?}"));
            }
            None => std::thread::sleep(Duration::from_millis(4)),
        }
    };
    let gathered =
        |thread: std::thread::JoinHandle<Vec<u8>>| thread.join().map_err(|_| "a reading thread failed".to_owned());
    Ok(Said {
        code,
        stdout: gathered(stdout)?,
        stderr: String::from_utf8_lossy(&gathered(stderr)?).into_owned(),
    })
}

fn drained(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// The repository's root.
pub(crate) fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// `pincite --workspace FOLDER --json ARGUMENTS` in a world.
pub(crate) fn pincite(world: &World, arguments: &[&OsStr]) -> Result<Said, String> {
    let mut command = world.command(arguments);
    run(command.arg("--json"))
}

/// As [`pincite`], for arguments that are all text.
pub(crate) fn pincite_text(world: &World, arguments: &[&str]) -> Result<Said, String> {
    let arguments: Vec<&OsStr> = arguments.iter().map(OsStr::new).collect();
    pincite(world, &arguments)
}

/// PDFium's library, as the set-up put it.
pub(crate) fn library() -> Result<PathBuf, String> {
    let native = std::env::var_os("PINCITE_NATIVE")
        .filter(|value| !value.is_empty())
        .map_or_else(|| repository().join("native"), PathBuf::from);
    let folder = native.join("pdfium");
    let entries = std::fs::read_dir(&folder)
        .map_err(|error| format!("{}: {error}; `make setup` puts PDFium there", folder.display()))?;
    let mut found: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path().join("libpdfium.so")))
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    found.pop().ok_or_else(|| {
        format!(
            "{}: there is no libpdfium.so; `make setup` puts it there",
            folder.display()
        )
    })
}

/// A PDF of the corpus and what became of it.
pub(crate) struct Taken {
    /// Its path below the corpus, which is also the document's id.
    pub(crate) name: String,
    pub(crate) path: PathBuf,
    /// What `ingest` said without a password.
    pub(crate) plain: Said,
    /// What it said with a wrong one and with the right one, where the corpus knows one.
    pub(crate) with_passwords: Option<(Said, Said)>,
    /// The file that holds the right password.
    pub(crate) password_file: Option<PathBuf>,
    /// What a refusal left behind: nothing, if all is well.
    pub(crate) left_behind: Vec<String>,
}

impl Taken {
    /// The answer that counts: the last one.
    pub(crate) fn answer(&self) -> Result<Value, String> {
        let said = self.with_passwords.as_ref().map_or(&self.plain, |(_, right)| right);
        said.value().map_err(|error| format!("{}: {error}", self.name))
    }
}

/// A section, as `document sections` prints it.
pub(crate) struct Section {
    pub(crate) locator: String,
    pub(crate) level: u64,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// A document with text in it, read back from the workspace.
pub(crate) struct Document {
    pub(crate) doc_id: String,
    pub(crate) doc_sha256: String,
    pub(crate) layer_sha256: String,
    pub(crate) structure_id: String,
    pub(crate) layer: Vec<char>,
    pub(crate) sections: Vec<Section>,
}

/// The corpus, taken in.
pub(crate) struct Corpus {
    pub(crate) world: World,
    pub(crate) taken: Vec<Taken>,
    documents: OnceLock<Result<Vec<Document>, String>>,
}

static SHARED: Mutex<Weak<Corpus>> = Mutex::new(Weak::new());

/// The corpus in a workspace, made once while any test holds it; `None`, said aloud, where there is no corpus.
pub(crate) fn corpus() -> Result<Option<Arc<Corpus>>, String> {
    let named = std::env::var_os("PINCITE_CORPUS").is_some_and(|value| !value.is_empty());
    let beside = repository().join("../shared/corpus");
    let folder = if named || !beside.is_dir() {
        pincite_tests::corpus::folder()
    } else {
        Some(beside)
    };
    let Some(folder) = folder else { return Ok(None) };
    let mut shared = SHARED
        .lock()
        .map_err(|_| "the corpus could not be taken in by another test".to_owned())?;
    if let Some(corpus) = shared.upgrade() {
        return Ok(Some(corpus));
    }
    let corpus = Arc::new(Corpus::take_in(&folder)?);
    *shared = Arc::downgrade(&corpus);
    Ok(Some(corpus))
}

impl Corpus {
    fn take_in(folder: &Path) -> Result<Self, String> {
        let mut corpus = Self {
            world: World::empty(),
            taken: Vec::new(),
            documents: OnceLock::new(),
        };
        let is_pdf = |path: &PathBuf| {
            path.extension()
                .is_some_and(|extension| extension.eq_ignore_ascii_case("pdf"))
        };
        let mut kept: BTreeSet<String> = BTreeSet::new();
        for path in files_below(folder).into_iter().map(|(path, _)| path).filter(is_pdf) {
            let taken = corpus.take(folder, path, &mut kept)?;
            corpus.taken.push(taken);
        }
        Ok(corpus)
    }

    fn take(&self, folder: &Path, path: PathBuf, kept: &mut BTreeSet<String>) -> Result<Taken, String> {
        let name = path
            .strip_prefix(folder)
            .unwrap_or(&path)
            .to_string_lossy()
            .into_owned();
        let mut left_behind = Vec::new();
        let mut ingest = |password_file: Option<&Path>| -> Result<Said, String> {
            let mut arguments = vec![OsStr::new("ingest"), OsStr::new("--doc-id"), OsStr::new(&name)];
            if let Some(file) = password_file {
                arguments.extend([OsStr::new("--password-file"), file.as_os_str()]);
            }
            arguments.push(path.as_os_str());
            let said = pincite(&self.world, &arguments)?;
            if let Some(hash) = said
                .value()
                .ok()
                .as_ref()
                .and_then(|answer| answer["doc_sha256"].as_str())
            {
                kept.insert(hash.to_owned());
            }
            left_behind.extend(self.strangers(kept));
            Ok(said)
        };
        let plain = ingest(None)?;
        let mut with_passwords = None;
        let mut password_file = None;
        if let Some((_, password)) = PASSWORDS.iter().find(|(part, _)| name.contains(part)) {
            let wrong = self.world.path("wrong-password");
            let right = self.world.path(&format!("password-{}", self.taken.len()));
            for (file, text) in [(&wrong, "not the password"), (&right, *password)] {
                std::fs::write(file, format!("{text}\n")).map_err(|error| error.to_string())?;
            }
            with_passwords = Some((ingest(Some(&wrong))?, ingest(Some(&right))?));
            password_file = Some(right);
        }
        Ok(Taken {
            name,
            path,
            plain,
            with_passwords,
            password_file,
            left_behind,
        })
    }

    /// Files among the blobs that no added document names.
    fn strangers(&self, kept: &BTreeSet<String>) -> Vec<String> {
        let blobs = self.world.workspace().join("blobs");
        let is_known = |path: &Path| {
            path.file_name()
                .and_then(OsStr::to_str)
                .is_some_and(|name| kept.contains(name))
        };
        let files = files_below(&blobs).into_iter().map(|(path, _)| path);
        files
            .filter(|path| !is_known(path))
            .map(|path| path.display().to_string())
            .collect()
    }

    /// Every document with a text layer that is more than page joins.
    pub(crate) fn documents(&self) -> Result<&[Document], String> {
        self.documents
            .get_or_init(|| self.read_back())
            .as_deref()
            .map_err(Clone::clone)
    }

    fn read_back(&self) -> Result<Vec<Document>, String> {
        let mut documents = Vec::new();
        for taken in &self.taken {
            let answer = taken.answer()?;
            if answer["outcome"] != "added" {
                continue;
            }
            let said = pincite_text(&self.world, &["document", "text", &taken.name])?;
            let text = String::from_utf8(said.stdout)
                .map_err(|error| format!("{}: the layer is not UTF-8: {error}", taken.name))?;
            if text.trim().is_empty() {
                continue;
            }
            let sections = pincite_text(&self.world, &["document", "sections", &taken.name])?.value()?;
            let text_of = |key: &str| answer[key].as_str().unwrap_or_default().to_owned();
            documents.push(Document {
                doc_id: taken.name.clone(),
                doc_sha256: text_of("doc_sha256"),
                layer_sha256: text_of("layer_sha256"),
                structure_id: text_of("structure_id"),
                layer: text.chars().collect(),
                sections: sections.as_array().into_iter().flatten().map(Section::of).collect(),
            });
        }
        Ok(documents)
    }
}

impl Section {
    fn of(value: &Value) -> Self {
        let number = |key: &str| value[key].as_u64().unwrap_or(0);
        let offset = |key: &str| usize::try_from(number(key)).unwrap_or(usize::MAX);
        let locator = value["locator"].as_str().unwrap_or_default().to_owned();
        Self {
            locator,
            level: number("level"),
            start: offset("start"),
            end: offset("end"),
        }
    }
}
