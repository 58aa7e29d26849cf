//! What the window holds while it is open: the workspace, who reviews, what it has leased, which imports run.
//!
//! A command gets at the workspace for one deed, and only if whoever works may do it.
//!
//! Deliberately not here: anything that must outlive the window.

use crate::commands::{Answer, crossing};
use crate::following::follow;
use pincite_app::access::Deed;
use pincite_app::ports::new_id;
use pincite_app::wire::{Claim, ErrorCode};
use pincite_app::workspace::{Place, system_user};
use pincite_app::{AppError, Workspace};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, RwLock};
use tauri::AppHandle;
use tauri::async_runtime::JoinHandle;

/// What the window is open on.
#[derive(Debug)]
pub(crate) enum Opened {
    /// A workspace: in a folder, or a team's as whoever is signed in.
    Workspace(Workspace),
    /// A team's, to which nobody is signed in.
    SignedOut(Place),
}

/// Shared by all commands. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Desktop {
    opened: Arc<RwLock<Opened>>,
    /// Opens page pictures in this window's session and no other.
    pub(crate) page_token: Arc<str>,
    reviewer: Arc<Mutex<String>>,
    held: Arc<Mutex<HashMap<String, i64>>>,
    pub(crate) imports: Arc<Mutex<HashMap<String, Arc<AtomicBool>>>>,
    pub(crate) pictures: Arc<crate::pages::Pictures>,
    following: Arc<Mutex<Option<JoinHandle<()>>>>,
}

impl Desktop {
    pub(crate) fn new(opened: Opened) -> Self {
        Self {
            opened: Arc::new(RwLock::new(opened)),
            page_token: new_id().into(),
            reviewer: Arc::new(Mutex::new(system_user())),
            held: Arc::default(),
            imports: Arc::default(),
            pictures: Arc::default(),
            following: Arc::default(),
        }
    }

    /// Where the window is, and the workspace there, if it is open.
    pub(crate) fn opened(&self) -> Result<(Place, Option<Workspace>), AppError> {
        let opened = self
            .opened
            .read()
            .map_err(|_| AppError::internal("the window has lost its workspace: open it again"))?;
        Ok(match &*opened {
            Opened::Workspace(workspace) => (workspace.store.place().clone(), Some(workspace.clone())),
            Opened::SignedOut(place) => (place.clone(), None),
        })
    }

    fn open_workspace(&self) -> Result<Workspace, AppError> {
        let (place, workspace) = self.opened()?;
        workspace.ok_or_else(|| AppError {
            code: ErrorCode::SignedOut,
            message: format!("nobody is signed in to {place}: sign in"),
        })
    }

    /// The workspace, for what concerns the person alone.
    pub(crate) fn workspace(&self) -> Answer<Workspace> {
        self.open_workspace().map_err(crossing)
    }

    /// The workspace, for doing this, where whoever works may.
    pub(crate) async fn may(&self, deed: Deed) -> Result<Workspace, AppError> {
        let workspace = self.open_workspace()?;
        workspace.read_as(&self.reviewer()).allowed(deed).await
    }

    /// The same for a command.
    pub(crate) async fn allowed(&self, deed: Deed) -> Answer<Workspace> {
        self.may(deed).await.map_err(crossing)
    }

    /// Who reviews: in a team whoever is signed in.
    pub(crate) fn reviewer(&self) -> String {
        if let Ok(workspace) = self.open_workspace()
            && workspace.is_team()
        {
            return workspace.store.reader().to_owned();
        }
        self.reviewer.lock().map(|name| name.clone()).unwrap_or_default()
    }

    pub(crate) fn set_reviewer(&self, name: &str) {
        if let Ok(mut reviewer) = self.reviewer.lock() {
            name.clone_into(&mut reviewer);
        }
    }

    pub(crate) fn holds(&self, claim: &Claim) {
        if let Ok(mut held) = self.held.lock() {
            held.insert(claim.item.clone(), claim.token);
        }
    }

    /// Forgets a lease; a newer one on the same item stays.
    pub(crate) fn no_longer_holds(&self, item: &str, token: i64) {
        if let Ok(mut held) = self.held.lock()
            && held.get(item) == Some(&token)
        {
            held.remove(item);
        }
    }

    /// Tells the window of what is written to the workspace from now on.
    pub(crate) fn follow(&self, app: &AppHandle) {
        if let (Ok(workspace), Ok(mut following)) = (self.open_workspace(), self.following.lock()) {
            *following = Some(follow(app.clone(), workspace));
        }
    }

    /// Leaves the workspace, properly, for another one or for none.
    pub(crate) async fn change(&self, app: &AppHandle, to: Opened) -> Result<(), AppError> {
        self.close().await;
        let changed = self.opened.write().map(|mut opened| *opened = to);
        changed.map_err(|_| AppError::internal("the window has lost its workspace: open it again"))?;
        self.follow(app);
        Ok(())
    }

    /// Gives back what is leased and closes the store, so that nobody waits for a window that is gone.
    pub(crate) async fn close(&self) {
        // Its connection first: the last one to close folds the write-ahead log into the database.
        let following = self.following.lock().ok().and_then(|mut following| following.take());
        if let Some(following) = following {
            following.abort();
            let _ = following.await;
        }
        let held: Vec<(String, i64)> = self
            .held
            .lock()
            .map(|mut held| held.drain().collect())
            .unwrap_or_default();
        let Ok(workspace) = self.open_workspace() else { return };
        if let Ok(reviewing) = self.may(Deed::Review).await {
            for (item, token) in held {
                // One that was decided or lost meanwhile needs no giving back.
                let _ = pincite_app::queue::release(&reviewing, &item, token).await;
            }
        }
        workspace.close().await;
    }
}
