//! One worker process with one open document.
//!
//! The worker gets the document as a descriptor and nothing else of ours: an empty environment, no working directory of
//! meaning, pipes for the protocol. Every answer has a deadline; a worker that misses it is killed. What it said last on
//! standard error is kept for the reason. A worker whose client is gone ends by itself, at the end of its requests: a
//! signal at a parent's death would come with the death of the one *thread* that started it, and threads come and go.
//!
//! A worker that ends before it knows its document, at the handshake, has not started: that is this machine's fault, and
//! never told as the document's.
//!
//! Deliberately not here: retrying, and counting deaths. Whoever asks decides whether a second worker is worth a try.

use crate::frame;
use crate::protocol::{
    DOCUMENT_DESCRIPTOR, OutlineItem, PROTOCOL, PageText, Pixels, Refusal, Request, Response, Sandbox,
};
use command_fds::{CommandFdExt as _, FdMapping};
use pincite_core::text::Rect;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Where the worker and PDFium are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerProgram {
    /// The `pincite-pdf-worker` program.
    pub program: PathBuf,
    /// PDFium's shared library.
    pub library: PathBuf,
}

/// What a worker may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Address space in bytes.
    pub memory: u64,
    /// Processor seconds for one request.
    pub processor_seconds: u64,
    /// Processor seconds for all requests of one worker together.
    pub document_seconds: u64,
    /// How long the client waits for one answer.
    pub patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory: 1 << 30,
            processor_seconds: 10,
            document_seconds: 1800,
            patience: Duration::from_secs(60),
        }
    }
}

/// Why a worker gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The document can't be opened.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The worker could not be started.
    #[error("the PDF worker {program} can't be started: {cause}; build it with `make` or set PINCITE_PDF_WORKER")]
    Start {
        /// The program tried.
        program: PathBuf,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The worker speaks another protocol.
    #[error("the PDF worker is of another version (protocol {found}, wanted {PROTOCOL}): build both again")]
    Version {
        /// What it speaks.
        found: u32,
    },
    /// The worker died: out of memory, out of time, or a crash.
    #[error("the PDF worker died on this document ({0})")]
    Died(String),
    /// The worker answered that it can't.
    #[error("{0}")]
    Failed(String),
}

/// How long a worker whose pipe broke may take to end by itself.
const LAST_MOMENT: Duration = Duration::from_millis(250);
/// A PDF's password has at most 127 bytes; more of what somebody called one would fill the pipe.
const PASSWORD_LIMIT: usize = 1024;

/// A running worker with its document open.
#[derive(Debug)]
pub struct Worker {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<std::io::Result<(Response, Vec<u8>)>>,
    complaints: Complaints,
    limits: Limits,
    pages: u32,
    title: Option<String>,
    sandbox: Sandbox,
    dead: bool,
}

impl Worker {
    /// Starts a worker on an open file and opens the document in it.
    ///
    /// # Errors
    /// [`WorkerError::Refused`] where the document can't be opened, else what went wrong with the worker.
    pub fn open(
        program: &WorkerProgram,
        document: File,
        password: Option<&str>,
        limits: Limits,
    ) -> Result<Self, WorkerError> {
        let mut worker = Self::start(program, document, limits)?;
        match worker.ask(&Request::Hello { protocol: PROTOCOL }) {
            Ok((Response::Hello { protocol }, _)) if protocol == PROTOCOL => {}
            Ok((Response::Hello { protocol }, _)) => return Err(WorkerError::Version { found: protocol }),
            Ok(_) => return Err(WorkerError::Version { found: 0 }),
            Err(WorkerError::Died(reason)) => {
                return Err(WorkerError::Start {
                    program: program.program.clone(),
                    cause: std::io::Error::other(reason),
                });
            }
            Err(other) => return Err(other),
        }
        let password = password.and_then(|password| password.get(..password.floor_char_boundary(PASSWORD_LIMIT)));
        match worker.ask(&Request::Open {
            password: password.map(str::to_owned),
        })? {
            (Response::Opened { pages, title, sandbox }, _) => {
                worker.pages = pages;
                worker.title = title;
                worker.sandbox = sandbox;
                Ok(worker)
            }
            (Response::Refused(refusal), _) => Err(refusal.into()),
            (other, _) => Err(unexpected(&other)),
        }
    }

    fn start(program: &WorkerProgram, document: File, limits: Limits) -> Result<Self, WorkerError> {
        let failed = |cause| WorkerError::Start {
            program: program.program.clone(),
            cause,
        };
        let mut command = Command::new(&program.program);
        command
            .arg("--library")
            .arg(&program.library)
            .args([
                "--memory",
                &limits.memory.to_string(),
                "--processor-seconds",
                &limits.processor_seconds.to_string(),
                "--document-seconds",
                &limits.document_seconds.to_string(),
            ])
            .env_clear()
            .current_dir(Path::new("/"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
            .fd_mappings(vec![FdMapping {
                parent_fd: document.into(),
                child_fd: DOCUMENT_DESCRIPTOR,
            }])
            .map_err(|error| failed(std::io::Error::other(error)))?;
        let mut child = command.spawn().map_err(failed)?;
        let broken = || failed(std::io::Error::other("a pipe is missing"));
        let requests = child.stdin.take().ok_or_else(broken)?;
        let mut stdout = child.stdout.take().ok_or_else(broken)?;
        let errors = child.stderr.take().ok_or_else(broken)?;
        // One answer waits at most: what a worker writes unasked stays in its pipe and not in our memory.
        let (sender, answers) = sync_channel(0);
        std::thread::spawn(move || {
            loop {
                let answer = frame::read::<Response>(&mut stdout);
                let last = answer.is_err();
                if sender.send(answer).is_err() || last {
                    return;
                }
            }
        });
        Ok(Self {
            child,
            requests,
            answers,
            complaints: Complaints::of(errors),
            limits,
            pages: 0,
            title: None,
            sandbox: Sandbox::default(),
            dead: false,
        })
    }

    /// How many pages the document has.
    #[must_use]
    pub const fn pages(&self) -> u32 {
        self.pages
    }

    /// The document information's title.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// What keeps this worker in.
    #[must_use]
    pub const fn sandbox(&self) -> Sandbox {
        self.sandbox
    }

    /// The process that is or was the worker.
    #[must_use]
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Whether it can be asked: it has neither died on a request nor ended between two.
    pub fn is_alive(&mut self) -> bool {
        !self.dead && matches!(self.child.try_wait(), Ok(None))
    }

    /// One page's text and the box of each of its code points. `page` counts from 1.
    ///
    /// # Errors
    /// [`WorkerError::Died`], or [`WorkerError::Failed`] where the page can't be read.
    pub fn page(&mut self, page: u32) -> Result<(PageText, Vec<Option<Rect>>), WorkerError> {
        match self.ask(&Request::Page { index: index_of(page)? })? {
            (Response::Page(text), block) => {
                let boxes = boxes_of(&block).filter(|boxes| boxes.len() == text.text.chars().count());
                let boxes = boxes
                    .ok_or_else(|| WorkerError::Failed("the worker sent boxes that do not fit its text".into()))?;
                Ok((*text, boxes))
            }
            (Response::Failed(reason), _) => Err(WorkerError::Failed(reason)),
            (other, _) => Err(unexpected(&other)),
        }
    }

    /// The document's outline, depth first; empty where it has none.
    ///
    /// # Errors
    /// [`WorkerError::Died`].
    pub fn outline(&mut self) -> Result<Vec<OutlineItem>, WorkerError> {
        match self.ask(&Request::Outline)? {
            (Response::Outline(items), _) => Ok(items),
            (other, _) => Err(unexpected(&other)),
        }
    }

    /// A page's picture at `scale` pixels a point. `page` counts from 1.
    ///
    /// # Errors
    /// [`WorkerError::Failed`] where there is no such page or the picture would be too large.
    pub fn render(&mut self, page: u32, scale: f32) -> Result<Pixels, WorkerError> {
        match self.ask(&Request::Render {
            index: index_of(page)?,
            scale,
        })? {
            (Response::Pixels { width, height }, bgrx) => Ok(Pixels { width, height, bgrx }),
            (Response::Failed(reason), _) => Err(WorkerError::Failed(reason)),
            (other, _) => Err(unexpected(&other)),
        }
    }

    fn ask(&mut self, request: &Request) -> Result<(Response, Vec<u8>), WorkerError> {
        if let Err(error) = frame::write(&mut self.requests, request, &[]) {
            return Err(self.death(&error.to_string()));
        }
        match self.answers.recv_timeout(self.limits.patience) {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(self.death(&error.to_string())),
            Err(RecvTimeoutError::Timeout) => Err(self.death("no answer in time")),
            Err(RecvTimeoutError::Disconnected) => Err(self.death("its pipe is closed")),
        }
    }

    /// Ends the worker and says what is known of why it ended. One that still runs (it is late, or writes what is no
    /// answer) is killed; one that ends by itself is given a moment to, so that its signal is known.
    fn death(&mut self, seen: &str) -> WorkerError {
        self.dead = true;
        let began = Instant::now();
        let ended = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break Some(status),
                Ok(None) if began.elapsed() < LAST_MOMENT => std::thread::sleep(Duration::from_millis(5)),
                _ => break None,
            }
        };
        if ended.is_none() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
        let cause = match ended.and_then(signal) {
            None => seen.to_owned(),
            Some(libc::SIGXCPU) => "it used up its processor time".to_owned(),
            Some(libc::SIGKILL) => "it used up all of its processor time, or was killed from outside".to_owned(),
            Some(libc::SIGSYS) => "it made a system call that its sandbox forbids".to_owned(),
            Some(number @ (libc::SIGSEGV | libc::SIGABRT | libc::SIGTRAP | libc::SIGILL | libc::SIGBUS)) => {
                format!("it ran out of memory or crashed, signal {number}")
            }
            Some(other) => format!("signal {other}"),
        };
        let tail = self.complaints.last();
        WorkerError::Died(if tail.is_empty() {
            cause
        } else {
            format!("{cause}: {tail}")
        })
    }
}

/// What a worker says on standard error, the last 4 KiB of it.
#[derive(Debug)]
struct Complaints {
    tail: Arc<Mutex<Vec<u8>>>,
    /// Disconnected once everything was read.
    read: Receiver<()>,
}

impl Complaints {
    fn of(mut errors: ChildStderr) -> Self {
        let tail = Arc::new(Mutex::new(Vec::new()));
        let (reading, read) = channel();
        let kept = Arc::clone(&tail);
        std::thread::spawn(move || {
            let _reading = reading;
            let mut chunk = [0_u8; 1024];
            while let Ok(read @ 1..) = errors.read(&mut chunk) {
                if let Ok(mut kept) = kept.lock() {
                    kept.extend_from_slice(&chunk[..read]);
                    let surplus = kept.len().saturating_sub(4096);
                    kept.drain(..surplus);
                }
            }
        });
        Self { tail, read }
    }

    /// What was said last, on one line. Of a worker that has ended: its end does not mean that its words were read yet,
    /// so they are waited for, and not for ever, since a child of the worker's may hold the pipe open.
    fn last(&self) -> String {
        let _ = self.read.recv_timeout(LAST_MOMENT);
        self.tail
            .lock()
            .map(|tail| String::from_utf8_lossy(&tail).trim().replace('\n', "; "))
            .unwrap_or_default()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
fn signal(status: std::process::ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

/// Pages count from 1 everywhere but on the wire.
fn index_of(page: u32) -> Result<u32, WorkerError> {
    page.checked_sub(1)
        .ok_or_else(|| WorkerError::Failed("there is no page 0: pages count from 1".to_owned()))
}

fn unexpected(response: &Response) -> WorkerError {
    let name = format!("{response:?}");
    WorkerError::Failed(format!(
        "the worker answered something else: {}",
        name.chars().take(80).collect::<String>()
    ))
}

fn boxes_of(block: &[u8]) -> Option<Vec<Option<Rect>>> {
    pincite_core::text::LayerBoxes::from_bytes(block).map(pincite_core::text::LayerBoxes::into_boxes)
}
