//! Pages as pictures: raw pixels, in memory only.
//!
//! Deliberately not here: coding them for a file or a webview; the faces do that.

use crate::error::AppError;
use crate::workspace::Workspace;
use pincite_pdf::{Pixels, Worker};

/// Draws a page (from 1) of some bytes at `scale` pixels a point. Workers are kept open for the next page.
///
/// # Errors
/// Unknown bytes; a password that is not known any more; no such page; a picture that would be too large.
pub async fn page(workspace: &Workspace, doc_sha256: &str, page: u32, scale: f32) -> Result<Pixels, AppError> {
    let workspace = workspace.clone();
    let doc_sha256 = doc_sha256.to_owned();
    tokio::task::spawn_blocking(move || {
        let mut worker = match workspace.pool().take(&doc_sha256) {
            Some(worker) => worker,
            None => open_worker(&workspace, &doc_sha256)?,
        };
        let pixels = worker.render(page, scale);
        // A worker that answered, even with "no such page", is still good.
        if !matches!(pixels, Err(pincite_pdf::WorkerError::Died(_))) {
            workspace.pool().put(&doc_sha256, worker);
        }
        Ok(pixels?)
    })
    .await?
}

/// Opens a worker on kept bytes.
pub(crate) fn open_worker(workspace: &Workspace, doc_sha256: &str) -> Result<Worker, AppError> {
    let file = workspace.store.blobs().open(doc_sha256)?;
    let password = workspace.password(doc_sha256);
    Ok(Worker::open(
        workspace.worker(),
        file,
        password.as_deref(),
        workspace.limits(),
    )?)
}
