//! The audit chain as it is kept: appending in the transaction of the change, reading, verifying.
//!
//! Deliberately not here: checkpoints, signatures, exports; they come with the team's store.

use crate::StoreError;
use crate::database::{Actor, Connection, Writing};
use crate::postgres;
use crate::sql;
use pincite_core::audit::{ChainCheck, ChainFault, Entry, GENESIS, commitment, entry_hash};
use sqlx::FromRow;

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

/// An entry that its write will append when it commits.
#[derive(Debug, Clone)]
pub(crate) struct PendingEntry {
    actor: Actor,
    salt: [u8; 16],
    action: String,
    subject: String,
    payload: Vec<u8>,
}

impl Writing {
    /// Appends an entry about this write, when it commits. `payload` is JSON: what, old, new, why.
    pub fn audit(&mut self, actor: &Actor, salt: &[u8; 16], action: &str, subject: &str, payload: &serde_json::Value) {
        self.entries.push(PendingEntry {
            actor: actor.clone(),
            salt: *salt,
            action: action.to_owned(),
            subject: subject.to_owned(),
            payload: payload.to_string().into_bytes(),
        });
    }

    /// Last of all, so that the chain's end is held for as short as can be, and nothing is waited for while it is. Answers how
    /// long the chain is then and its last hash, where anything was appended.
    pub(crate) async fn append_entries(&mut self) -> Result<Option<(i64, [u8; 32])>, StoreError> {
        let entries = std::mem::take(&mut self.entries);
        if entries.is_empty() {
            return Ok(None);
        }
        let now = self.now;
        let connection = self.connection();
        if connection.is_postgres() {
            postgres::lock(connection, postgres::Lock::Chain).await?;
        }
        let last: Option<(i64, Vec<u8>)> =
            sql::query_as("SELECT seq, entry_hash FROM audit_entries ORDER BY seq DESC LIMIT 1")
                .fetch_optional(connection)
                .await?;
        let (mut seq, mut previous) = match last {
            None => (0, GENESIS),
            Some((seq, hash)) => {
                let hash = hash
                    .try_into()
                    .map_err(|_| StoreError::Damaged("the audit chain's last hash has another length".into()))?;
                (seq, hash)
            }
        };
        for pending in entries {
            seq += 1;
            let entry = Entry {
                seq,
                recorded_at: now,
                zone: pending.actor.zone,
                who: pending.actor.who,
                role: pending.actor.role,
                action: pending.action,
                subject: pending.subject,
                payload: commitment(&pending.salt, &pending.payload),
            };
            previous = entry_hash(&previous, &entry);
            sql::query(
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
            .bind(previous.as_slice())
            .execute(connection)
            .await?;
            sql::query("INSERT INTO audit_payloads (seq, salt, payload) VALUES ($1, $2, $3)")
                .bind(seq)
                .bind(pending.salt.as_slice())
                .bind(pending.payload)
                .execute(connection)
                .await?;
        }
        Ok(Some((seq, previous)))
    }
}

/// An entry as its row says it.
#[derive(Debug, FromRow)]
struct EntryRow {
    seq: i64,
    recorded_at: i64,
    zone: String,
    who: String,
    role: String,
    action: String,
    subject: String,
    commitment: Vec<u8>,
    entry_hash: Vec<u8>,
    salt: Option<Vec<u8>>,
    payload: Option<Vec<u8>>,
}

/// Entries after `after`, at most `limit`, in order.
///
/// # Errors
/// [`StoreError::Database`], [`StoreError::Damaged`].
pub async fn entries(connection: &mut Connection, after: i64, limit: i64) -> Result<Vec<KeptEntry>, StoreError> {
    let rows: Vec<EntryRow> = sql::query_as(
        "SELECT e.seq, e.recorded_at, e.zone, e.who, e.role, e.action, e.subject, e.payload AS commitment, e.entry_hash, \
         p.salt, p.payload FROM audit_entries e LEFT JOIN audit_payloads p ON p.seq = e.seq \
         WHERE e.seq > $1 ORDER BY e.seq LIMIT $2",
    )
    .bind(after)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.into_iter()
        .map(|row| {
            Ok(KeptEntry {
                entry: Entry {
                    payload: row
                        .commitment
                        .try_into()
                        .map_err(|_| StoreError::Damaged(format!("audit entry {} commits to no hash", row.seq)))?,
                    seq: row.seq,
                    recorded_at: row.recorded_at,
                    zone: row.zone,
                    who: row.who,
                    role: row.role,
                    action: row.action,
                    subject: row.subject,
                },
                hash: row.entry_hash,
                payload: row.salt.zip(row.payload),
            })
        })
        .collect()
}

/// Checks the whole chain. Ok: how many entries and the last one's hash; inner Err: the first fault. `passed` is told the number
/// and the hash of every entry that holds.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn verify_chain(
    connection: &mut Connection,
    passed: &mut (dyn FnMut(i64, [u8; 32]) + Send),
) -> Result<Result<(i64, [u8; 32]), ChainFault>, StoreError> {
    let mut check = ChainCheck::default();
    loop {
        let batch = entries(connection, check.head().0, 1_000).await?;
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
            let (number, hash) = check.head();
            passed(number, hash);
        }
    }
}
