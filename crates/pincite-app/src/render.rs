//! Pages as pictures: raw pixels, in memory only.
//!
//! Deliberately not here: coding them for a file or a webview; the faces do that.

use crate::error::AppError;
use crate::quarantine;
use crate::workspace::Workspace;
use pincite_pdf::{Pixels, Worker};

/// Draws a page (from 1) of some bytes at `scale` pixels a point. Workers are kept open for the next page.
///
/// # Errors
/// Unknown bytes; bytes in quarantine; a password that is not known any more; no such page; a picture that would be too
/// large; the worker's death, which is recorded.
pub async fn page(workspace: &Workspace, doc_sha256: &str, page: u32, scale: f32) -> Result<Pixels, AppError> {
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

/// Opens a worker on kept bytes.
fn open_worker(workspace: &Workspace, doc_sha256: &str) -> Result<Worker, AppError> {
    let file = workspace.store.blobs().open(doc_sha256)?;
    workspace.open_worker(file, workspace.password(doc_sha256).as_deref())
}
