//! Taking in whatever a person drops on the window: catalogues, manifests of revisions, PDFs, texts, field records, folders of
//! them.
//!
//! Catalogues first, then manifests, which take in the files they name, then other documents, then records, so that records find
//! what they speak of. One file that can't be taken in is a finding; the others are taken in.
//!
//! Deliberately not here: undoing on cancel. A file or a batch of lines is taken in whole or not at all, and what was
//! reported stays.

use crate::error::AppError;
use crate::import::{ImportOptions, import};
use crate::ingest::ingest;
use crate::ports::Progress;
use crate::registry::revisions;
use crate::settings::catalogue_set;
use crate::text_source::TEXT_ENDINGS;
use crate::wire::{ImportCounts, IngestOutcome, ManifestLineView};
use crate::workspace::Workspace;
use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// How an intake ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intake {
    /// What came of it.
    pub counts: ImportCounts,
    /// A file that wants a password, where there is one.
    pub password_for: Option<String>,
    /// The files that are in quarantine.
    pub quarantined: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Catalogue,
    Manifest,
    Document,
    Records,
}

/// What a file is, by its name and else by how it begins.
fn kind(path: &Path) -> Kind {
    let extension = path
        .extension()
        .map(|extension| extension.to_string_lossy().to_lowercase())
        .unwrap_or_default();
    match extension.as_str() {
        "toml" if is_manifest(path) => Kind::Manifest,
        "toml" => Kind::Catalogue,
        "csv" => Kind::Manifest,
        "jsonl" | "ndjson" | "json" => Kind::Records,
        "pdf" => Kind::Document,
        text if TEXT_ENDINGS.contains(&text) => Kind::Document,
        _ => {
            let mut head = [0_u8; 16];
            let read = std::fs::File::open(path)
                .and_then(|mut file| file.read(&mut head))
                .unwrap_or(0);
            let first = head
                .get(..read)
                .unwrap_or_default()
                .iter()
                .find(|byte| !byte.is_ascii_whitespace());
            if first == Some(&b'{') {
                Kind::Records
            } else {
                Kind::Document
            }
        }
    }
}

/// Whether a TOML or CSV file is a manifest of revisions: no catalogue of fields, and no table of anything else.
fn is_manifest(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let names: Vec<&str> = text
        .lines()
        .next()
        .unwrap_or_default()
        .split(',')
        .map(str::trim)
        .collect();
    text.lines().any(|line| line.trim_start().starts_with("[[document"))
        || ["doc_id", "revision"].iter().all(|name| names.contains(name))
}

/// How deep a dropped folder is searched.
const DEEPEST: usize = 8;

/// The files of a folder that say by their names what they are; a file stands for itself.
fn files_of(path: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if !path.is_dir() {
        found.push(path.to_owned());
        return;
    }
    let Ok(entries) = std::fs::read_dir(path) else { return };
    let mut inside: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    inside.sort();
    for path in inside {
        let known = path.extension().is_some_and(|extension| {
            ["pdf", "jsonl", "ndjson", "toml", "csv"]
                .iter()
                .chain(&TEXT_ENDINGS)
                .any(|known| extension.eq_ignore_ascii_case(known))
        });
        if path.is_dir() && depth < DEEPEST {
            files_of(&path, depth + 1, found);
        } else if known && (kind(&path) != Kind::Manifest || is_manifest(&path)) {
            found.push(path);
        }
    }
}

/// The documents of a folder, by path.
///
/// # Errors
/// A folder that is none, or holds no document.
pub(crate) fn documents_of(folder: &Path) -> Result<Vec<PathBuf>, AppError> {
    let refuse = |cause: &str| AppError::bad_input(format!("{}: {cause}", folder.display()));
    if !folder.is_dir() {
        return Err(refuse("this is no folder; name the folder that the documents are in"));
    }
    let mut files = Vec::new();
    files_of(folder, 0, &mut files);
    files.retain(|path| kind(path) == Kind::Document);
    if files.is_empty() {
        return Err(refuse("nothing in it is a PDF or a text (.txt, .md)"));
    }
    Ok(files)
}

/// One progress over all files: bytes of the files done, and of the one at work.
struct Whole {
    outer: Arc<dyn Progress>,
    before: u64,
    total: u64,
    counts: Mutex<ImportCounts>,
}

impl Progress for Whole {
    fn at(&self, file: &str, done: u64, _total: u64, counts: &ImportCounts) {
        let all = self.counts.lock().map(|so_far| so_far.plus(counts)).unwrap_or(*counts);
        self.outer
            .at(file, (self.before + done).min(self.total), self.total, &all);
    }

    fn finding(&self, line: &str) {
        self.outer.finding(line);
    }

    fn cancelled(&self) -> bool {
        self.outer.cancelled()
    }
}

impl ImportCounts {
    /// Both added up.
    #[must_use]
    pub const fn plus(&self, other: &Self) -> Self {
        Self {
            added: self.added + other.added,
            known: self.known + other.known,
            refused_files: self.refused_files + other.refused_files,
            lines: self.lines + other.lines,
            queued: self.queued + other.queued,
            shown: self.shown + other.shown,
            flagged: self.flagged + other.flagged,
            abstained: self.abstained + other.abstained,
            refused_lines: self.refused_lines + other.refused_lines,
            verified: self.verified + other.verified,
            placed: self.placed + other.placed,
            ambiguous: self.ambiguous + other.ambiguous,
            not_found: self.not_found + other.not_found,
            failed: self.failed + other.failed,
            registered: self.registered + other.registered,
        }
    }
}

/// Counts the lines of a manifest, and tells of those that somebody should know something of.
fn tell(lines: &[ManifestLineView], name: &str, counts: &mut ImportCounts, progress: &Arc<dyn Progress>) {
    for line in lines {
        match line.outcome.as_str() {
            "added" => counts.registered += 1,
            "known" => counts.known += 1,
            _ => counts.refused_lines += 1,
        }
        if let Some(message) = &line.message {
            progress.finding(&format!("{name}, line {}, {}: {message}", line.line, line.name));
        }
    }
}

/// Takes in files and folders. What can't be taken in is told to `progress` as a finding.
///
/// # Errors
/// Cancellation; the store.
pub async fn take_in(
    workspace: &Workspace,
    paths: &[PathBuf],
    place: bool,
    password: Option<&str>,
    progress: &Arc<dyn Progress>,
) -> Result<Intake, AppError> {
    let mut files = Vec::new();
    for path in paths {
        files_of(path, 0, &mut files);
    }
    let mut files: Vec<(Kind, PathBuf)> = files.into_iter().map(|path| (kind(&path), path)).collect();
    files.sort_by_key(|(kind, _)| *kind);
    // What a manifest names is taken in under the name it gives, and not a second time under its own.
    let named: BTreeSet<PathBuf> = files
        .iter()
        .filter(|(kind, _)| *kind == Kind::Manifest)
        .flat_map(|(_, path)| revisions::files_named(path))
        .collect();
    files
        .retain(|(kind, path)| *kind != Kind::Document || !path.canonicalize().is_ok_and(|path| named.contains(&path)));
    if files.is_empty() {
        return Err(AppError::bad_input(
            "nothing here is a PDF, a text (.txt, .md), a file of records (.jsonl), a catalogue (.toml) or a manifest of revisions \
             (.csv, .toml)",
        ));
    }
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    let total = files.iter().map(|(_, path)| size(path)).sum::<u64>().max(1);
    let mut intake = Intake {
        counts: ImportCounts::default(),
        password_for: None,
        quarantined: Vec::new(),
    };
    let mut before = 0;
    for (kind, path) in &files {
        let whole = Arc::new(Whole {
            outer: Arc::clone(progress),
            before,
            total,
            counts: Mutex::new(intake.counts),
        });
        whole.at(&path.display().to_string(), 0, total, &ImportCounts::default());
        if progress.cancelled() {
            return Err(AppError::cancelled());
        }
        let refuse = |counts: &mut ImportCounts, line: &str| {
            counts.refused_files += 1;
            progress.finding(line);
        };
        match kind {
            Kind::Catalogue => match catalogue_set(workspace, path, workspace.store.reader()).await {
                Ok(_) => intake.counts.added += 1,
                Err(error) => refuse(&mut intake.counts, &error.message),
            },
            Kind::Manifest => {
                let shared: Arc<dyn Progress> = whole;
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let why = format!("as {name} says");
                match revisions::import(workspace, path, &why, workspace.store.reader(), &shared).await {
                    Ok(lines) => tell(&lines, &name, &mut intake.counts, progress),
                    Err(error) if error.code == crate::wire::ErrorCode::BadInput => {
                        refuse(&mut intake.counts, &error.message)
                    }
                    Err(error) => return Err(error),
                }
            }
            Kind::Document => {
                let shared: Arc<dyn Progress> = whole;
                let file = ingest(workspace, path, None, password, &shared).await?;
                if file.quarantined {
                    intake.quarantined.push(file.path.clone());
                }
                match file.outcome {
                    IngestOutcome::Added => intake.counts.added += 1,
                    IngestOutcome::Known => intake.counts.known += 1,
                    IngestOutcome::Refused => {
                        if file.password_needed {
                            intake.password_for = Some(file.path.clone());
                        }
                        refuse(&mut intake.counts, file.reason.as_deref().unwrap_or("refused"));
                    }
                }
            }
            Kind::Records => {
                let options = ImportOptions { place, strict: false };
                match import(workspace, path, options, whole.as_ref(), |_| {}).await {
                    Ok(counts) => intake.counts = intake.counts.plus(&counts),
                    Err(error) if error.code == crate::wire::ErrorCode::BadInput => {
                        refuse(&mut intake.counts, &error.message)
                    }
                    Err(error) => return Err(error),
                }
            }
        }
        before += size(path);
    }
    progress.at("", total, total, &intake.counts);
    Ok(intake)
}
