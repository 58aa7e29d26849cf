//! Taking a document in: its bytes, its layer, its structure, in one transaction, or nothing of it.
//!
//! Deliberately not here: deciding that two documents are one (their owner does), how a text is read (`text_source`) or a
//! PDF (`extract`, in a worker), writing to the store (`kept_document`).

use crate::documents;
use crate::error::AppError;
use crate::extract;
use crate::files;
use crate::kept_document::{Read, keep};
use crate::ports::{Progress, new_salt};
use crate::quarantine;
use crate::text_source::{self, Medium};
use crate::wire::{ErrorCode, ImportCounts, IngestOutcome, IngestedFile};
use crate::workspace::{Workspace, actor, system_user};
use pincite_core::structure::{PARSER, Structure};
use pincite_store::StoreError;
use pincite_store::blobs::Intake;
use pincite_store::documents::{NewStructure, VersionRow};
use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;

/// Takes one file in. A file that can't be is answered as refused, with the reason; nothing of it is left.
///
/// # Errors
/// What is not the file's fault: the store, a missing worker, cancellation.
pub async fn ingest(
    workspace: &Workspace,
    path: &Path,
    doc_id: Option<&str>,
    password: Option<&str>,
    progress: &Arc<dyn Progress>,
) -> Result<IngestedFile, AppError> {
    match take_in(workspace, path, doc_id, password, progress).await {
        Ok(file) => Ok(file),
        Err(error)
            if matches!(
                error.code,
                ErrorCode::BadInput
                    | ErrorCode::NotFound
                    | ErrorCode::PasswordNeeded
                    | ErrorCode::WorkerDied
                    | ErrorCode::Quarantined
            ) =>
        {
            Ok(refused(path, &error))
        }
        Err(error) => Err(error),
    }
}

/// What a file says, read as when it is taken in; nothing of it is kept.
///
/// # Errors
/// A file that can't be read; a missing worker, cancellation.
pub(crate) async fn looked_at(
    workspace: &Workspace,
    path: &Path,
    progress: &Arc<dyn Progress>,
) -> Result<extract::Extracted, AppError> {
    let intake = {
        let (workspace, path) = (workspace.clone(), path.to_owned());
        tokio::task::spawn_blocking(move || read_in(&workspace, &path)).await??
    };
    let (_, read) = read_document(workspace, path, intake, None, progress).await?;
    Ok(read.extracted)
}

/// Lets a file's bytes be tried again. Answers whether any death counted against them; a file that can't be read has none
/// (taking it in says why).
///
/// # Errors
/// The store.
pub async fn try_again(workspace: &Workspace, path: &Path, who: &str) -> Result<bool, AppError> {
    let read = {
        let (workspace, path) = (workspace.clone(), path.to_owned());
        tokio::task::spawn_blocking(move || read_in(&workspace, &path)).await?
    };
    match read {
        Ok(intake) => quarantine::try_again(workspace, &intake.sha256, who).await,
        Err(error) if matches!(error.code, ErrorCode::BadInput | ErrorCode::NotFound) => Ok(false),
        Err(error) => Err(error),
    }
}

fn refused(path: &Path, error: &AppError) -> IngestedFile {
    IngestedFile {
        path: path.display().to_string(),
        outcome: IngestOutcome::Refused,
        doc_id: None,
        doc_sha256: None,
        layer_sha256: None,
        structure_id: None,
        pages: 0,
        chars: 0,
        boxed: 0,
        scanned_pages: Vec::new(),
        untrusted_pages: Vec::new(),
        reason: Some(error.message.clone()),
        password_needed: error.code == ErrorCode::PasswordNeeded,
        quarantined: error.code == ErrorCode::Quarantined,
    }
}

/// The same error, of this file. A cancellation is of none.
fn named(path: &Path, error: AppError) -> AppError {
    match error.code {
        ErrorCode::Cancelled => error,
        _ => AppError {
            message: format!("{}: {}", path.display(), error.message),
            ..error
        },
    }
}

/// The document's id: the one given, else the file's stem.
fn doc_id_of(path: &Path, given: Option<&str>) -> Result<String, AppError> {
    let stem = || {
        path.file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default()
    };
    let doc_id = given.map_or_else(stem, str::to_owned);
    if doc_id.trim().is_empty() || doc_id.len() > 500 || doc_id.chars().any(char::is_control) {
        return Err(AppError::bad_input(format!(
            "{}: a document needs an id of 1 to 500 bytes on one line: give one with --doc-id",
            path.display()
        )));
    }
    Ok(doc_id)
}

fn read_in(workspace: &Workspace, path: &Path) -> Result<Intake, AppError> {
    let failed = |cause: &str| files::refused(path, cause);
    let metadata = files::look(path, "name the files in it")?;
    if !metadata.is_file() {
        // A device may have no end, and a pipe nobody at the other one.
        return Err(failed(
            "this is a device or a pipe, not a file; write it into a file first",
        ));
    }
    let mut file = files::open(path)?;
    workspace.store.blobs().take_in(&mut file).map_err(|error| match error {
        StoreError::Refused { message, .. } => failed(&message),
        other => other.into(),
    })
}

async fn take_in(
    workspace: &Workspace,
    path: &Path,
    given: Option<&str>,
    password: Option<&str>,
    progress: &Arc<dyn Progress>,
) -> Result<IngestedFile, AppError> {
    let doc_id = doc_id_of(path, given)?;
    let intake = {
        let (workspace, path) = (workspace.clone(), path.to_owned());
        tokio::task::spawn_blocking(move || read_in(&workspace, &path)).await??
    };
    let source = std::path::absolute(path)
        .unwrap_or_else(|_| path.to_owned())
        .display()
        .to_string();
    let known = {
        let mut reading = workspace.store.read().await?;
        pincite_store::documents::versions_of(&mut reading, &doc_id, "").await?
    };
    if let Some(row) = known.iter().find(|row| row.doc_sha256 == intake.sha256) {
        let (intake, newer) = read_again(workspace, path, row, intake, password, progress).await?;
        return already_known(workspace, path, &source, row, password, intake, newer.as_ref()).await;
    }
    if given.is_none() && !known.is_empty() {
        return Err(AppError::bad_input(format!(
            "{}: the document {doc_id} has other bytes here: with --doc-id {doc_id} this becomes a further version of it",
            path.display()
        )));
    }
    quarantine::admit(workspace, &intake.sha256)
        .await
        .map_err(|error| named(path, error))?;
    let sha256 = intake.sha256.clone();
    let read = read_document(workspace, path, intake, password, progress).await;
    let (intake, read) = quarantine::watch(workspace, &sha256, read)
        .await
        .map_err(|error| named(path, error))?;
    if let Some(password) = password {
        workspace.remember_password(&intake.sha256, password);
    }
    keep(workspace, path, &source, &doc_id, intake, &read).await
}

/// The structure that this version of the parser finds in known bytes, where only older ones have read them. It goes beside
/// theirs: stored citations keep the structure they name.
async fn read_again(
    workspace: &Workspace,
    path: &Path,
    row: &VersionRow,
    intake: Intake,
    password: Option<&str>,
    progress: &Arc<dyn Progress>,
) -> Result<(Intake, Option<Structure>), AppError> {
    let parsed = {
        let mut reading = workspace.store.read().await?;
        pincite_store::documents::parsed_by(&mut reading, &row.doc_sha256, &row.layer_sha256, PARSER).await?
    };
    if parsed || quarantine::reason(workspace, &intake.sha256).await?.is_some() {
        return Ok((intake, None));
    }
    let sha256 = intake.sha256.clone();
    let read = read_document(workspace, path, intake, password, progress).await;
    match quarantine::watch(workspace, &sha256, read).await {
        // What another extractor reads is another layer, and no structure of this one.
        Ok((intake, read)) => {
            let same = read.extracted.layer.sha256() == row.layer_sha256;
            Ok((intake, Some(read.structure).filter(|_| same)))
        }
        Err(error) if error.code == ErrorCode::Cancelled => Err(error),
        // The document is known all the same, and its older structure with it.
        Err(_) => {
            let (workspace, path) = (workspace.clone(), path.to_owned());
            let intake = tokio::task::spawn_blocking(move || read_in(&workspace, &path)).await??;
            Ok((intake, None))
        }
    }
}

async fn already_known(
    workspace: &Workspace,
    path: &Path,
    source: &str,
    row: &VersionRow,
    password: Option<&str>,
    intake: Intake,
    newer: Option<&Structure>,
) -> Result<IngestedFile, AppError> {
    if let Some(password) = password {
        workspace.remember_password(&row.doc_sha256, password);
    }
    let mut write = workspace.store.write().await?;
    let blobs = workspace.store.blobs();
    let restored = tokio::task::spawn_blocking(move || {
        let damaged = !blobs.is_whole(&intake.sha256)?;
        if damaged {
            blobs.keep(intake).map(|()| true)
        } else {
            Ok(false)
        }
    })
    .await??;
    if restored {
        let payload = serde_json::json!({ "doc_sha256": row.doc_sha256, "path": source });
        let who = actor(&write, &system_user());
        write.audit(&who, &new_salt(), "blob.restore", &row.doc_id, &payload);
    }
    if let Some(structure) = newer {
        let structure_id = structure.id();
        let content = serde_json::to_vec(structure).map_err(|error| AppError::internal(error.to_string()))?;
        let new = NewStructure {
            structure_id: &structure_id,
            parser: PARSER,
            content: &content,
        };
        write.add_structure(&row.doc_sha256, &row.layer_sha256, &new).await?;
        let payload = serde_json::json!({
            "doc_sha256": row.doc_sha256, "layer_sha256": row.layer_sha256, "structure_id": structure_id, "parser": PARSER
        });
        let who = actor(&write, &system_user());
        write.audit(&who, &new_salt(), "structure.add", &row.doc_id, &payload);
    }
    if write.add_source(&row.doc_id, &row.doc_sha256, source).await? {
        let payload = serde_json::json!({ "doc_sha256": row.doc_sha256, "path": source });
        write.audit(
            &actor(&write, &system_user()),
            &new_salt(),
            "source.add",
            &row.doc_id,
            &payload,
        );
    }
    write.commit().await?;
    let quarantine = quarantine::reason(workspace, &row.doc_sha256).await?;
    let mut reading = workspace.store.read().await?;
    let view = documents::view(&mut reading, row).await?;
    Ok(IngestedFile {
        path: path.display().to_string(),
        outcome: IngestOutcome::Known,
        doc_id: Some(view.doc_id),
        doc_sha256: Some(view.doc_sha256),
        layer_sha256: Some(view.layer_sha256),
        structure_id: Some(view.structure_id),
        pages: view.pages,
        chars: view.chars,
        boxed: view.trust.boxed,
        scanned_pages: view.trust.scanned_pages,
        untrusted_pages: view.trust.untrusted_pages,
        quarantined: quarantine.is_some(),
        reason: restored
            .then(|| "the kept bytes were damaged or missing and are restored".to_owned())
            .or_else(|| quarantine.map(|reason| format!("its pages are {reason}"))),
        password_needed: false,
    })
}

/// Reads the document and parses its structure, off the async threads.
async fn read_document(
    workspace: &Workspace,
    path: &Path,
    intake: Intake,
    password: Option<&str>,
    progress: &Arc<dyn Progress>,
) -> Result<(Intake, Read), AppError> {
    let (workspace, progress) = (workspace.clone(), Arc::clone(progress));
    let (path, password) = (path.to_owned(), password.map(str::to_owned));
    tokio::task::spawn_blocking(move || {
        let head = beginning(&intake, text_source::HEAD as u64)?;
        let medium = text_source::medium(&path, &head).map_err(AppError::bad_input)?;
        let read = match medium {
            Medium::Pdf => {
                let name = path.display().to_string();
                read_pdf(&workspace, &name, &intake, password.as_deref(), progress.as_ref())
            }
            Medium::Plain | Medium::Markdown => read_text(&intake, medium),
        }?;
        Ok((intake, read))
    })
    .await?
}

/// So many of the first bytes.
fn beginning(intake: &Intake, bytes: u64) -> Result<Vec<u8>, AppError> {
    let mut head = Vec::new();
    intake
        .open()
        .and_then(|file| file.take(bytes).read_to_end(&mut head))
        .map_err(|error| AppError::internal(error.to_string()))?;
    Ok(head)
}

fn read_text(intake: &Intake, medium: Medium) -> Result<Read, AppError> {
    if intake.bytes > text_source::LONGEST {
        return Err(AppError::bad_input(format!(
            "the text has {} bytes, more than the {} that are taken in; split it",
            intake.bytes,
            text_source::LONGEST
        )));
    }
    let bytes = beginning(intake, text_source::LONGEST)?;
    let (extracted, extractor) = text_source::read(&bytes, medium)?;
    drop(bytes);
    let structure = text_source::sections(&extracted.layer, medium, true);
    Ok(Read {
        media_type: medium.media_type(),
        extractor,
        extracted,
        structure,
    })
}

fn read_pdf(
    workspace: &Workspace,
    name: &str,
    intake: &Intake,
    password: Option<&str>,
    progress: &dyn Progress,
) -> Result<Read, AppError> {
    let file = intake.open().map_err(|error| AppError::internal(error.to_string()))?;
    let mut worker = workspace.open_worker(file, password)?;
    let bytes = intake.bytes;
    let mut visit = |done: u32, all: u32| {
        progress.at(
            name,
            bytes * u64::from(done) / u64::from(all.max(1)),
            bytes,
            &ImportCounts::default(),
        );
        !progress.cancelled()
    };
    let extracted = extract::extract(&mut worker, &mut visit)?;
    let structure = extract::sections(
        &extracted.layer,
        &extracted.boxes,
        &extracted.pages,
        &extracted.details,
        &extracted.outline,
    );
    Ok(Read {
        media_type: Medium::Pdf.media_type(),
        extractor: workspace.extractor()?,
        extracted,
        structure,
    })
}
