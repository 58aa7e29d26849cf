//! What the window holds while it is open: the workspace, who reviews, what it has leased, which imports run.
//!
//! Deliberately not here: anything that must outlive the window.

use pincite_app::Workspace;
use pincite_app::ports::new_id;
use pincite_app::wire::Claim;
use pincite_app::workspace::system_user;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

/// Shared by all commands. Cheap to clone.
#[derive(Debug, Clone)]
pub(crate) struct Desktop {
    pub(crate) workspace: Workspace,
    /// Opens page pictures in this window's session and no other.
    pub(crate) page_token: Arc<str>,
    reviewer: Arc<Mutex<String>>,
    held: Arc<Mutex<HashMap<String, i64>>>,
    pub(crate) imports: Arc<Mutex<HashMap<String, Arc<AtomicBool>>>>,
    pub(crate) pictures: Arc<crate::pages::Pictures>,
}

impl Desktop {
    pub(crate) fn new(workspace: Workspace) -> Self {
        Self {
            workspace,
            page_token: new_id().into(),
            reviewer: Arc::new(Mutex::new(system_user())),
            held: Arc::default(),
            imports: Arc::default(),
            pictures: Arc::default(),
        }
    }

    pub(crate) fn reviewer(&self) -> String {
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

    /// Gives back what is leased and closes the store, so that nobody waits for a window that is gone.
    pub(crate) async fn close(&self) {
        let held: Vec<(String, i64)> = self
            .held
            .lock()
            .map(|mut held| held.drain().collect())
            .unwrap_or_default();
        for (item, token) in held {
            // One that was decided or lost meanwhile needs no giving back.
            let _ = pincite_app::queue::release(&self.workspace, &item, token).await;
        }
        self.workspace.close().await;
    }
}
