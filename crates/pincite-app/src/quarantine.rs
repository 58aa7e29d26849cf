//! Bytes on which workers died are left alone until somebody says to try them again.
//!
//! Each death is recorded, wherever it happened: taking in or drawing. Two since the bytes were last tried again, and
//! nothing opens them by itself any more; otherwise one file could make every start a crash. A worker that can't be
//! started, a document that is refused and work that was cancelled are no deaths.
//!
//! Deliberately not here: the worker, and trying a second time after one death; whoever asked may ask again.

use crate::error::AppError;
use crate::ports::new_salt;
use crate::times;
use crate::wire::ErrorCode;
use crate::workspace::{Workspace, actor, system_user};
use pincite_store::quarantine::{DeathRow, deaths};

/// So many deaths since the bytes were last tried again put them into quarantine.
pub const DEATHS: usize = 2;

/// Refuses bytes that are in quarantine; the remedy is said by who knows what the person can do.
///
/// # Errors
/// [`ErrorCode::Quarantined`]; the store.
pub async fn admit(workspace: &Workspace, doc_sha256: &str) -> Result<(), AppError> {
    match last_of_too_many(workspace, doc_sha256).await? {
        None => Ok(()),
        Some(last) => Err(AppError {
            code: ErrorCode::Quarantined,
            message: sentence(&last),
        }),
    }
}

/// What is said of bytes in quarantine, where these are.
///
/// # Errors
/// The store.
pub async fn reason(workspace: &Workspace, doc_sha256: &str) -> Result<Option<String>, AppError> {
    Ok(last_of_too_many(workspace, doc_sha256).await?.as_ref().map(sentence))
}

async fn last_of_too_many(workspace: &Workspace, doc_sha256: &str) -> Result<Option<DeathRow>, AppError> {
    let deaths = deaths(&mut *workspace.store.read().await?, doc_sha256).await?;
    Ok(deaths
        .len()
        .checked_sub(DEATHS)
        .and_then(|_| deaths.into_iter().next_back()))
}

fn sentence(last: &DeathRow) -> String {
    format!(
        "in quarantine: the PDF worker died on it {DEATHS} times or more, last at {} ({}); --try-again on the command line, \
         or Try again in the window, opens it once more",
        times::text(last.recorded_at),
        String::from_utf8_lossy(&last.reason)
    )
}

/// Passes on what a worker's work on some bytes came to, and records its death where it died.
///
/// # Errors
/// What `outcome` says; the store, where a death can't be recorded.
pub async fn watch<T>(workspace: &Workspace, doc_sha256: &str, outcome: Result<T, AppError>) -> Result<T, AppError> {
    if let Err(error) = &outcome
        && error.code == ErrorCode::WorkerDied
    {
        let who = system_user();
        let mut write = workspace.store.write().await?;
        write.add_death(doc_sha256, &error.message, &who).await?;
        let payload = serde_json::json!({ "reason": error.message });
        write.audit(
            &actor(&write, &who),
            &new_salt(),
            "quarantine.death",
            doc_sha256,
            &payload,
        );
        write.commit().await?;
    }
    outcome
}

/// Lets some bytes be tried again. Answers whether any death counted against them; where none did, nothing is written.
///
/// # Errors
/// The store.
pub async fn try_again(workspace: &Workspace, doc_sha256: &str, who: &str) -> Result<bool, AppError> {
    let mut write = workspace.store.write().await?;
    let counted = deaths(write.connection(), doc_sha256).await?.len();
    if counted == 0 {
        return Ok(false);
    }
    write.add_try_again(doc_sha256, "", who).await?;
    let payload = serde_json::json!({ "deaths": counted });
    write.audit(
        &actor(&write, who),
        &new_salt(),
        "quarantine.try_again",
        doc_sha256,
        &payload,
    );
    write.commit().await?;
    Ok(true)
}
