//! Imports in the background: started, followed by events, cancelled.
//!
//! Deliberately not here: how a file is taken in.

use crate::desktop::Desktop;
use pincite_app::access::Deed;
use pincite_app::intake::{Intake, take_in};
use pincite_app::ports::new_id;
use pincite_app::wire::{ErrorCode, ErrorView, ImportCounts, ImportProgress, ImportState};
use pincite_app::{AppError, Progress, Workspace, ingest};
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tauri::{AppHandle, Emitter as _, State};

/// The event that carries an [`ImportProgress`].
const EVENT: &str = "import-progress";
/// At most one event in this time while an import runs.
const PACE: Duration = Duration::from_millis(100);

#[derive(Debug, Deserialize)]
pub(crate) struct Start {
    paths: Vec<PathBuf>,
    place: bool,
    password: Option<String>,
    /// Files in quarantine are opened once more.
    try_again: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Cancel {
    import: String,
}

struct Follower {
    app: AppHandle,
    cancelled: Arc<AtomicBool>,
    state: Mutex<(ImportProgress, Instant)>,
}

impl Follower {
    fn send(&self, change: impl FnOnce(&mut ImportProgress), at_once: bool) {
        let Ok(mut state) = self.state.lock() else { return };
        change(&mut state.0);
        if at_once || state.1.elapsed() >= PACE {
            state.1 = Instant::now();
            let _ = self.app.emit(EVENT, &state.0);
        }
    }
}

impl Progress for Follower {
    fn at(&self, file: &str, done: u64, total: u64, counts: &ImportCounts) {
        self.send(
            |progress| {
                file.clone_into(&mut progress.file);
                progress.done = done;
                progress.total = total;
                progress.counts = *counts;
            },
            false,
        );
    }

    fn finding(&self, line: &str) {
        self.send(|progress| progress.findings.push(line.to_owned()), false);
    }

    fn cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}

#[tauri::command]
pub(crate) async fn import_start(
    app: AppHandle,
    desktop: State<'_, Desktop>,
    request: Start,
) -> Result<String, ErrorView> {
    let workspace = desktop.allowed(Deed::ControlDocuments).await?;
    let import = new_id();
    let cancelled = Arc::new(AtomicBool::new(false));
    if let Ok(mut imports) = desktop.imports.lock() {
        imports.insert(import.clone(), Arc::clone(&cancelled));
    }
    let progress = ImportProgress {
        import: import.clone(),
        file: String::new(),
        done: 0,
        total: 0,
        counts: ImportCounts::default(),
        findings: Vec::new(),
        state: ImportState::Running,
        password_for: None,
        quarantined: Vec::new(),
    };
    let follower = Arc::new(Follower {
        app: app.clone(),
        cancelled,
        state: Mutex::new((progress, Instant::now())),
    });
    let desktop = desktop.inner().clone();
    let id = import.clone();
    tauri::async_runtime::spawn(async move {
        let ended = work(&workspace, &desktop.reviewer(), &request, follower.clone()).await;
        follower.send(
            |progress| match ended {
                Ok(intake) => {
                    progress.counts = intake.counts;
                    progress.password_for = intake.password_for;
                    progress.quarantined = intake.quarantined;
                    progress.state = ImportState::Done;
                }
                Err(error) if error.code == ErrorCode::Cancelled => progress.state = ImportState::Cancelled,
                Err(error) => {
                    progress.findings.push(error.message);
                    progress.state = ImportState::Failed;
                }
            },
            true,
        );
        if let Ok(mut imports) = desktop.imports.lock() {
            imports.remove(&id);
        }
    });
    Ok(import)
}

async fn work(
    workspace: &Workspace,
    reviewer: &str,
    request: &Start,
    progress: Arc<dyn Progress>,
) -> Result<Intake, AppError> {
    if request.try_again {
        for path in &request.paths {
            ingest::try_again(workspace, path, reviewer).await?;
        }
    }
    let password = request.password.as_deref();
    take_in(workspace, &request.paths, request.place, password, &progress).await
}

#[tauri::command]
pub(crate) async fn import_cancel(desktop: State<'_, Desktop>, request: Cancel) -> Result<(), ErrorView> {
    if let Ok(imports) = desktop.imports.lock()
        && let Some(cancelled) = imports.get(&request.import)
    {
        cancelled.store(true, Ordering::Relaxed);
    }
    Ok(())
}
