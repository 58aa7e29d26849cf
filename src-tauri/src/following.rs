//! Tells the window that somebody wrote to the workspace: this window, another one, or the command line.
//!
//! One word for all of them, from the database itself, so that no command has to remember to say it and two windows see
//! each other's claims at once. Where listening fails it is begun anew, and the window is told to look again, since
//! something may have been missed meanwhile.
//!
//! Deliberately not here: what was written, and how often the window looks (it gathers what comes in a row).

use pincite_app::{AppError, Workspace};
use std::time::Duration;
use tauri::async_runtime::JoinHandle;
use tauri::{AppHandle, Emitter as _};

const EVENT: &str = "workspace-changed";
/// Before listening is begun anew.
const PAUSE: Duration = Duration::from_secs(5);

/// Follows the workspace until the handle is aborted.
pub(crate) fn follow(app: AppHandle, workspace: Workspace) -> JoinHandle<()> {
    tauri::async_runtime::spawn(async move {
        loop {
            let ended = tell(&app, &workspace).await;
            tracing::warn!(why = ?ended.err().map(|error| error.message), "listening for changes begins anew");
            tokio::time::sleep(PAUSE).await;
            let _ = app.emit(EVENT, ());
        }
    })
}

async fn tell(app: &AppHandle, workspace: &Workspace) -> Result<(), AppError> {
    let mut changes = workspace.store.changes().await?;
    while changes.next().await? {
        let _ = app.emit(EVENT, ());
    }
    Ok(())
}
