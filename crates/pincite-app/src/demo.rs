//! The demo: our own fixtures, taken in like anybody's documents.
//!
//! Deliberately not here: decisions. What the demo shows is what was measured on it.

use crate::error::AppError;
use crate::import::{ImportOptions, import};
use crate::ingest::ingest;
use crate::ports::{NoProgress, Progress};
use crate::registry::revisions;
use crate::settings::catalogue_set;
use crate::wire::{ImportCounts, IngestOutcome};
use crate::workspace::{Workspace, system_user};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Documents of the demo: file below `fixtures/documents`, document id.
const DOCUMENTS: [(&str, &str); 6] = [
    ("sop-114-rev-a.pdf", "sop-114"),
    ("sop-114-rev-b.pdf", "sop-114"),
    ("sop-114-rev-c.pdf", "sop-114"),
    ("sop-114-rev-d.pdf", "sop-114"),
    ("drug-label.pdf", "drug-label"),
    ("pliego-2026-014.pdf", "pliego-2026-014"),
];

/// Records of the demo, below `fixtures/records`. The traps come first, so that a new user meets citations that do not
/// hold, conflicts and broken schemas in the queue.
const RECORDS: [&str; 5] = [
    "traps.jsonl",
    "right.jsonl",
    "no-offsets.jsonl",
    "demo.jsonl",
    "slips.jsonl",
];

/// What is registered in the demo, below `fixtures/policies`: the procedure's revisions, a policy with two, and a stale copy of it.
const MANIFESTS: [&str; 2] = ["procedure.csv", "manifest.toml"];

/// Finds the fixtures: `PINCITE_FIXTURES`, `fixtures` here, or those of the source tree.
///
/// # Errors
/// Where there are none.
pub fn fixtures() -> Result<PathBuf, AppError> {
    let source_tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let given = std::env::var_os("PINCITE_FIXTURES").map(PathBuf::from);
    given
        .into_iter()
        .chain([PathBuf::from("fixtures"), source_tree])
        .find(|folder| folder.join("documents").is_dir())
        .ok_or_else(|| {
            AppError::not_found(
                "the demo's documents are not here: set PINCITE_FIXTURES to the folder `fixtures` of the source tree",
            )
        })
}

/// Many small documents of one kind, so that a curve has labels.
fn slips(fixtures: &Path) -> Result<Vec<PathBuf>, AppError> {
    let folder = fixtures.join("documents").join("slips");
    let failed = |error: std::io::Error| AppError::not_found(format!("{}: {error}", folder.display()));
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "pdf") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Fills a workspace with the demo.
///
/// # Errors
/// A fixture that can't be taken in; the store.
pub async fn fill(workspace: &Workspace, fixtures: &Path) -> Result<ImportCounts, AppError> {
    catalogue_set(workspace, &fixtures.join("catalogue.toml"), &system_user()).await?;
    let progress: Arc<dyn Progress> = Arc::new(NoProgress);
    for (file, doc_id) in DOCUMENTS {
        let path = fixtures.join("documents").join(file);
        let taken = ingest(workspace, &path, Some(doc_id), None, &progress).await?;
        if taken.outcome == IngestOutcome::Refused {
            return Err(AppError::internal(
                taken.reason.unwrap_or_else(|| format!("{file} was refused")),
            ));
        }
    }
    for path in slips(fixtures)? {
        let taken = ingest(workspace, &path, None, None, &progress).await?;
        if taken.outcome == IngestOutcome::Refused {
            return Err(AppError::internal(
                taken
                    .reason
                    .unwrap_or_else(|| format!("{} was refused", path.display())),
            ));
        }
    }
    for file in MANIFESTS {
        let manifest = fixtures.join("policies").join(file);
        let lines = revisions::import(workspace, &manifest, "the demo", &system_user(), &progress).await?;
        if let Some(line) = lines.iter().find(|line| line.outcome != "added") {
            let message = line.message.clone().unwrap_or_default();
            return Err(AppError::internal(format!("{file}, line {}: {message}", line.line)));
        }
    }
    let mut all = ImportCounts::default();
    for file in RECORDS {
        let options = ImportOptions {
            place: true,
            strict: false,
        };
        let counts = import(
            workspace,
            &fixtures.join("records").join(file),
            options,
            &NoProgress,
            |_| {},
        )
        .await?;
        all = all.plus(&counts);
    }
    Ok(all)
}
