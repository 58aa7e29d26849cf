//! The audit chain as it is kept: appending in the transaction of the change, reading, verifying.
//!
//! Deliberately not here: checkpoints, signatures, exports; they come with the team's store.

use crate::StoreError;
use crate::database::{Actor, Reading, Writing};
use pincite_core::audit::{ChainCheck, ChainFault, Entry, GENESIS, commitment, entry_hash};
use sqlx::Row as _;

/// One entry as it is read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptEntry {
    /// What the chain commits to.
    pub entry: Entry,
    /// Its hash, as kept.
    pub hash: Vec<u8>,
    /// Salt and payload, where they were not erased.
    pub payload: Option<(Vec<u8>, Vec<u8>)>,
}

impl Writing {
    /// Appends an entry about this write. `payload` is JSON: what, old, new, why.
    ///
    /// # Errors
    /// [`StoreError::Database`], [`StoreError::Damaged`] where the last entry's hash is no hash.
    pub async fn audit(
        &mut self,
        actor: &Actor,
        salt: &[u8; 16],
        action: &str,
        subject: &str,
        payload: &serde_json::Value,
    ) -> Result<(), StoreError> {
        let last = sqlx::query("SELECT seq, entry_hash FROM audit_entries ORDER BY seq DESC LIMIT 1")
            .fetch_optional(self.connection())
            .await?;
        let (seq, previous) = match last {
            None => (1, GENESIS),
            Some(row) => {
                let hash: Vec<u8> = row.try_get(1)?;
                let hash = hash
                    .try_into()
                    .map_err(|_| StoreError::Damaged("the audit chain's last hash has another length".into()))?;
                (row.try_get::<i64, _>(0)? + 1, hash)
            }
        };
        let payload = payload.to_string().into_bytes();
        let entry = Entry {
            seq,
            recorded_at: self.now,
            zone: actor.zone.clone(),
            who: actor.who.clone(),
            role: actor.role.clone(),
            action: action.to_owned(),
            subject: subject.to_owned(),
            payload: commitment(salt, &payload),
        };
        let hash = entry_hash(&previous, &entry);
        sqlx::query(
            "INSERT INTO audit_entries (seq, recorded_at, zone, who, role, action, subject, payload, entry_hash) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(entry.seq)
        .bind(entry.recorded_at)
        .bind(&entry.zone)
        .bind(&entry.who)
        .bind(&entry.role)
        .bind(&entry.action)
        .bind(&entry.subject)
        .bind(entry.payload.as_slice())
        .bind(hash.as_slice())
        .execute(self.connection())
        .await?;
        sqlx::query("INSERT INTO audit_payloads (seq, salt, payload) VALUES ($1, $2, $3)")
            .bind(seq)
            .bind(salt.as_slice())
            .bind(payload)
            .execute(self.connection())
            .await?;
        Ok(())
    }
}

/// Entries after `after`, at most `limit`, in order.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Damaged`].
pub async fn entries(reading: &mut Reading, after: i64, limit: i64) -> Result<Vec<KeptEntry>, StoreError> {
    let rows = sqlx::query(
        "SELECT e.seq, e.recorded_at, e.zone, e.who, e.role, e.action, e.subject, e.payload, e.entry_hash, p.salt, p.payload \
         FROM audit_entries e LEFT JOIN audit_payloads p ON p.seq = e.seq WHERE e.seq > $1 ORDER BY e.seq LIMIT $2",
    )
    .bind(after)
    .bind(limit)
    .fetch_all(&mut **reading)
    .await?;
    rows.into_iter()
        .map(|row| {
            let seq: i64 = row.try_get(0)?;
            let payload: Vec<u8> = row.try_get(7)?;
            let salt: Option<Vec<u8>> = row.try_get(9)?;
            let body: Option<Vec<u8>> = row.try_get(10)?;
            Ok(KeptEntry {
                entry: Entry {
                    seq,
                    recorded_at: row.try_get(1)?,
                    zone: row.try_get(2)?,
                    who: row.try_get(3)?,
                    role: row.try_get(4)?,
                    action: row.try_get(5)?,
                    subject: row.try_get(6)?,
                    payload: payload
                        .try_into()
                        .map_err(|_| StoreError::Damaged(format!("audit entry {seq} commits to no hash")))?,
                },
                hash: row.try_get(8)?,
                payload: salt.zip(body),
            })
        })
        .collect()
}

/// Checks the whole chain. Ok: how many entries and the last one's hash; inner Err: the first fault.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn verify_chain(reading: &mut Reading) -> Result<Result<(i64, [u8; 32]), ChainFault>, StoreError> {
    let mut check = ChainCheck::default();
    loop {
        let batch = entries(reading, check.head().0, 1_000).await?;
        if batch.is_empty() {
            return Ok(Ok(check.head()));
        }
        for kept in batch {
            let payload = kept
                .payload
                .as_ref()
                .map(|(salt, body)| (salt.as_slice(), body.as_slice()));
            if let Err(fault) = check.next(&kept.entry, &kept.hash, payload) {
                return Ok(Err(fault));
            }
        }
    }
}
