//! Reading and verifying the audit chain.
//!
//! Deliberately not here: making anchors (`anchors`), the printable page (`audit_page`).

use crate::anchors;
use crate::error::AppError;
use crate::times;
use crate::workspace::Workspace;
use pincite_core::audit::GENESIS;
use pincite_core::checkpoint::SignedCheckpoint;
use pincite_store::audit;
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

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
    /// The salt of the payload's commitment, hexadecimal; null where the payload was erased.
    pub salt: Option<String>,
    /// The salted hash of the payload that the chain commits to, hexadecimal.
    pub commitment: String,
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
        .map(|kept| {
            let (salt, payload) = kept.payload.unzip();
            AuditEntry {
                entry: kept.entry.seq,
                recorded_at: times::text(kept.entry.recorded_at),
                zone: kept.entry.zone,
                who: kept.entry.who,
                role: kept.entry.role,
                action: kept.entry.action,
                subject: kept.entry.subject,
                payload: payload
                    .and_then(|body| serde_json::from_slice(&body).ok())
                    .unwrap_or(Value::Null),
                hash: pincite_core::hex(&kept.hash),
                salt: salt.map(|salt| pincite_core::hex(&salt)),
                commitment: pincite_core::hex(&kept.entry.payload),
            }
        })
        .collect())
}

/// What checking the chain found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChainReport {
    /// Entries that passed.
    pub entries: i64,
    /// Hash of the last one that passed, hexadecimal.
    pub head: String,
    /// How many entries the anchors vouch for: the chain up to there is the one that was signed. 0 without an anchor.
    pub anchored: i64,
    /// The public halves of the keys that signed them, hexadecimal.
    pub keys: Vec<String>,
    /// The first fault, in words; null where the chain holds.
    pub fault: Option<String>,
}

/// Checks the whole chain, and that it goes through every anchor: of a file that is named, else of this person's own.
/// `trusted` is the public half of the key that has to have signed, hexadecimal; for one's own file it is one's own.
///
/// # Errors
/// Anchors that can't be read or are not signed as they should be; the store.
pub async fn verify(
    workspace: &Workspace,
    anchor: Option<&Path>,
    trusted: Option<&str>,
) -> Result<ChainReport, AppError> {
    let mut reading = workspace.store.read().await?;
    let id = workspace.id(&mut reading).await?.unwrap_or_default();
    let anchors = match anchor {
        Some(path) => anchors::read(path, &id, trusted)?,
        None => match anchors::own_file(&id).filter(|path| path.exists()) {
            Some(path) => anchors::read(&path, &id, trusted.or(anchors::own_key().as_deref()))?,
            None => Vec::new(),
        },
    };
    let mut wanted: BTreeMap<i64, Vec<&SignedCheckpoint>> = BTreeMap::new();
    for signed in &anchors {
        wanted.entry(signed.checkpoint.entries).or_default().push(signed);
    }
    let (mut last, mut rewritten, mut anchored) = ((0, GENESIS), None, 0);
    let mut passed = |number: i64, hash: [u8; 32]| {
        last = (number, hash);
        for signed in wanted.get(&number).into_iter().flatten() {
            if signed.checkpoint.head == hash && rewritten.is_none() {
                anchored = number;
            } else if rewritten.is_none() {
                rewritten = Some(format!(
                    "entry {number} of the audit chain is not the one anchored at {}: the chain was written anew",
                    times::text(signed.checkpoint.recorded_at)
                ));
            }
        }
    };
    let fault = match audit::verify_chain(&mut reading, &mut passed).await? {
        Ok(_) => None,
        Err(fault) => Some(fault.to_string()),
    };
    let cut = wanted.last_key_value().filter(|(entries, _)| **entries > last.0).map(|(entries, _)| {
        format!(
            "the audit chain ends at entry {}, but {entries} were anchored: its end was cut off, or an older copy was put back",
            last.0
        )
    });
    let keys: BTreeSet<String> = anchors
        .iter()
        .map(|signed| pincite_core::hex(&signed.public_key))
        .collect();
    Ok(ChainReport {
        entries: last.0,
        head: pincite_core::hex(&last.1),
        anchored,
        keys: keys.into_iter().collect(),
        fault: rewritten.or(fault).or(cut),
    })
}
