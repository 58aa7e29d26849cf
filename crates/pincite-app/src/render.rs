//! Pages as pictures: raw pixels, in memory only.
//!
//! Deliberately not here: coding them for a file or a webview; the faces do that.

use crate::error::AppError;
use crate::quarantine;
use crate::workspace::Workspace;
use pincite_pdf::{Pixels, Worker};
use pincite_store::documents;

/// Draws a page (from 1) of some bytes at `scale` pixels a point. Workers are kept open for the next page.
///
/// # Errors
/// Unknown bytes; bytes in quarantine; a password that is not known any more; no such page; a picture that would be too
/// large; the worker's death, which is recorded.
pub async fn page(workspace: &Workspace, doc_sha256: &str, page: u32, scale: f32) -> Result<Pixels, AppError> {
    is_open(workspace, doc_sha256).await?;
    quarantine::admit(workspace, doc_sha256).await?;
    let drawn = {
        let workspace = workspace.clone();
        let doc_sha256 = doc_sha256.to_owned();
        tokio::task::spawn_blocking(move || {
            workspace.pool().with(
                &doc_sha256,
                || open_worker(&workspace, &doc_sha256),
                |worker| Ok(worker.render(page, scale)?),
            )
        })
        .await?
    };
    quarantine::watch(workspace, doc_sha256, drawn).await
}

/// That whoever asks may see pictures of these bytes: asked for each, wherever the picture itself comes from.
///
/// # Errors
/// Unknown bytes, or bytes of closed documents alone; the store.
pub async fn is_open(workspace: &Workspace, doc_sha256: &str) -> Result<(), AppError> {
    if documents::has_bytes(&mut *workspace.store.read().await?, doc_sha256).await? {
        return Ok(());
    }
    Err(AppError::not_found(format!(
        "there is no document with the bytes {doc_sha256}"
    )))
}

/// Opens a worker on kept bytes.
fn open_worker(workspace: &Workspace, doc_sha256: &str) -> Result<Worker, AppError> {
    let file = workspace.store.blobs().open(doc_sha256)?;
    workspace.open_worker(file, workspace.password(doc_sha256).as_deref())
}
