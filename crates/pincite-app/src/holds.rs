//! Who holds what: leases that run, and items held for later with a note.
//!
//! Deliberately not here: claiming, which also takes up an item held for later (`queue`).

use crate::error::AppError;
use crate::listing::Listing;
use crate::ports::new_salt;
use crate::wire::QueueItem;
use crate::workspace::{Workspace, actor};
use pincite_store::items;
use serde_json::json;

/// Open items that somebody holds, in the queue's order, as a reviewer may see them: those with a lease that runs, and those
/// held for later.
///
/// # Errors
/// The store.
pub async fn list(workspace: &Workspace, reviewer: &str) -> Result<Vec<QueueItem>, AppError> {
    let now = workspace.store.now().await?;
    let mut reading = workspace.store.read().await?;
    let mut listing = Listing::of(&mut reading, reviewer, false).await?;
    let mut list = Vec::new();
    for row in items::held_items(&mut reading, now).await? {
        list.push(listing.item(&mut reading, &row).await?);
    }
    Ok(list)
}

/// Holds an item for later: it is nobody's next until somebody claims it by its id. One's own lease on it ends. Holding it
/// again gives it the new note.
///
/// # Errors
/// No note, no such item, decided already, held by somebody else; the store.
pub async fn hold_for_later(
    workspace: &Workspace,
    item: &str,
    note: &str,
    reviewer: &str,
) -> Result<QueueItem, AppError> {
    let note = note.trim();
    if note.is_empty() {
        return Err(AppError::bad_input(format!(
            "item {item}: say with --note why it waits, for whoever takes it up"
        )));
    }
    workspace.ensure_reviewer(reviewer).await?;
    let mut write = workspace.store.write().await?;
    let now = write.now;
    write.hold_for_later(item, note, reviewer).await?;
    write.audit(
        &actor(&write, reviewer),
        &new_salt(),
        "queue.hold",
        item,
        &json!({ "note": note }),
    );
    let row = items::item(write.connection(), now, item).await?;
    let row = row.ok_or_else(|| AppError::internal("an item vanished"))?;
    let mut listing = Listing::of(write.connection(), reviewer, false).await?;
    let held = listing.item(write.connection(), &row).await?;
    write.commit().await?;
    Ok(held)
}
