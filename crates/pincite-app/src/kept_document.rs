//! Keeping a document that was read: its bytes, layer, boxes and structure, in one transaction, or nothing of it.
//!
//! Deliberately not here: reading it.

use crate::beside;
use crate::error::AppError;
use crate::extract::Extracted;
use crate::ports::new_salt;
use crate::trust::numbers_where;
use crate::wire::{IngestOutcome, IngestedFile};
use crate::workspace::{Workspace, actor, system_user};
use pincite_core::structure::{PARSER, Structure};
use pincite_store::blobs::Intake;
use pincite_store::documents::{LayerKind, NewExtraction, NewStructure, NewVersion};
use pincite_store::reader;
use std::path::Path;

/// Everything that was read of a document.
#[derive(Debug)]
pub(crate) struct Read {
    /// What its bytes are.
    pub(crate) media_type: &'static str,
    /// What read them: name, settings, fonts.
    pub(crate) extractor: String,
    /// Layer, boxes, pages.
    pub(crate) extracted: Extracted,
    /// Sections.
    pub(crate) structure: Structure,
}

/// Keeps it under a document's id.
///
/// # Errors
/// The store; nothing is kept then.
pub(crate) async fn keep(
    workspace: &Workspace,
    path: &Path,
    source: &str,
    doc_id: &str,
    intake: Intake,
    read: &Read,
) -> Result<IngestedFile, AppError> {
    let Read {
        media_type,
        extractor,
        extracted,
        structure,
    } = read;
    let doc_sha256 = intake.sha256.clone();
    let structure_id = structure.id();
    let json = |error: serde_json::Error| AppError::internal(error.to_string());
    let content = serde_json::to_vec(structure).map_err(json)?;
    let pages = serde_json::to_vec(&extracted.pages).map_err(json)?;
    let details = match extracted.details.as_slice() {
        [] => Vec::new(),
        details => serde_json::to_vec(details).map_err(json)?,
    };
    let boxes = extracted.boxes.to_bytes();
    let text = extracted.layer.text().into_bytes();
    let length = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
    let title = extracted
        .title
        .clone()
        .filter(|title| title.chars().any(char::is_alphanumeric))
        .unwrap_or_else(|| doc_id.to_owned());
    let new = NewVersion {
        doc_id,
        doc_sha256: &doc_sha256,
        bytes: i64::try_from(intake.bytes).unwrap_or(i64::MAX),
        media_type,
        title: &title,
        path: source,
        extraction: NewExtraction {
            extractor,
            layer_sha256: extracted.layer.sha256(),
            text: &text,
            chars: length(extracted.layer.len()),
            boxes: &boxes,
            boxed: length(extracted.boxes.boxed()),
            pages: &pages,
            kind: LayerKind::Text,
            details: &details,
        },
        structure: NewStructure {
            structure_id: &structure_id,
            parser: PARSER,
            content: &content,
        },
    };
    let blobs = workspace.store.blobs();
    let mut write = workspace.store.write().await?;
    if reader::is_closed(write.connection(), doc_id, &doc_sha256).await? {
        return Err(AppError::forbidden(format!(
            "{}: a document {doc_id}, or one with these bytes, is closed to you: somebody of its groups takes it in",
            path.display()
        )));
    }
    // Asked of what is kept and not of the rows, of which some may be hidden: nobody discards what was there before.
    let bytes_known = {
        let blobs = blobs.clone();
        let kept = tokio::task::spawn_blocking(move || {
            let bytes_known = blobs.is_there(&intake.sha256)?;
            blobs.keep(intake)?;
            Ok::<_, AppError>(bytes_known)
        });
        kept.await??
    };
    let mut nothing_was_committed = true;
    let recorded = async {
        write.add_version(&new).await?;
        beside::keep(&mut write, &doc_sha256, extractor, &extracted.details, &pages).await?;
        let payload = serde_json::json!({
            "doc_sha256": doc_sha256, "layer_sha256": new.extraction.layer_sha256, "structure_id": structure_id,
            "extractor": extractor, "path": source
        });
        write.audit(
            &actor(&write, &system_user()),
            &new_salt(),
            "document.ingest",
            doc_id,
            &payload,
        );
        nothing_was_committed = false;
        write.commit().await?;
        Ok::<(), AppError>(())
    }
    .await;
    if let Err(error) = recorded {
        // A commit that failed may have happened all the same, and be seen only by whoever opens the database next. So the
        // bytes go only where none was tried: bytes that nothing names do no harm, a name without bytes does.
        if !bytes_known && nothing_was_committed {
            blobs.discard(&doc_sha256);
        }
        return Err(error);
    }
    let scanned_pages = numbers_where(&extracted.pages, |page| page.scanned);
    let untrusted_pages = numbers_where(&extracted.pages, |page| page.untrusted);
    Ok(IngestedFile {
        path: path.display().to_string(),
        outcome: IngestOutcome::Added,
        doc_id: Some(doc_id.to_owned()),
        doc_sha256: Some(doc_sha256.clone()),
        layer_sha256: Some(extracted.layer.sha256().to_owned()),
        structure_id: Some(structure_id.clone()),
        pages: u32::try_from(extracted.pages.len()).unwrap_or(u32::MAX),
        chars: u32::try_from(extracted.layer.len()).unwrap_or(u32::MAX),
        boxed: u32::try_from(extracted.boxes.boxed()).unwrap_or(u32::MAX),
        reason: (!scanned_pages.is_empty()).then(|| {
            format!(
                "{} of {} pages are pictures without text: shown, not citable by offset",
                scanned_pages.len(),
                extracted.pages.len()
            )
        }),
        scanned_pages,
        untrusted_pages,
        password_needed: false,
        quarantined: false,
    })
}
