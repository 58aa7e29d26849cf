//! Reading and verifying the audit chain.
//!
//! Deliberately not here: anchors, signatures, exports to a printable page; they come with the team's store.

use crate::error::AppError;
use crate::times;
use crate::workspace::Workspace;
use pincite_store::audit;
use serde::Serialize;
use serde_json::Value;

/// One entry as it is listed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditEntry {
    /// Its number in the chain, from 1.
    pub entry: i64,
    /// When.
    pub recorded_at: String,
    /// The offset from UTC where it was done.
    pub zone: String,
    /// Who.
    pub who: String,
    /// In what role.
    pub role: String,
    /// What was done.
    pub action: String,
    /// To what.
    pub subject: String,
    /// What, old, new, why; null where it was erased.
    pub payload: Value,
    /// Its hash, hexadecimal.
    pub hash: String,
}

/// Entries after a number, in order.
///
/// # Errors
/// The store.
pub async fn log(workspace: &Workspace, limit: i64, after: i64) -> Result<Vec<AuditEntry>, AppError> {
    let mut reading = workspace.store.read().await?;
    let kept = audit::entries(&mut reading, after, limit).await?;
    Ok(kept
        .into_iter()
        .map(|kept| AuditEntry {
            entry: kept.entry.seq,
            recorded_at: times::text(kept.entry.recorded_at),
            zone: kept.entry.zone,
            who: kept.entry.who,
            role: kept.entry.role,
            action: kept.entry.action,
            subject: kept.entry.subject,
            payload: kept
                .payload
                .and_then(|(_, body)| serde_json::from_slice(&body).ok())
                .unwrap_or(Value::Null),
            hash: pincite_core::hex(&kept.hash),
        })
        .collect())
}

/// What checking the chain found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChainReport {
    /// Entries that passed.
    pub entries: i64,
    /// Hash of the last one that passed, hexadecimal: note it elsewhere to anchor the chain.
    pub head: String,
    /// The first fault, in words; null where the chain holds.
    pub fault: Option<String>,
}

/// Checks the whole chain.
///
/// # Errors
/// The store.
pub async fn verify(workspace: &Workspace) -> Result<ChainReport, AppError> {
    let mut reading = workspace.store.read().await?;
    Ok(match audit::verify_chain(&mut reading).await? {
        Ok((entries, head)) => ChainReport {
            entries,
            head: pincite_core::hex(&head),
            fault: None,
        },
        Err(fault) => ChainReport {
            entries: 0,
            head: String::new(),
            fault: Some(fault.to_string()),
        },
    })
}
