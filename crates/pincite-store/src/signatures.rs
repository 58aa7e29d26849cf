//! Signatures on records, as they are kept.
//!
//! Deliberately not here: what is signed and whether it holds (`pincite_core::signature`).

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::sql;
use sqlx::FromRow;

/// A signature.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct SignatureRow {
    /// Its place in the order made, from 1, with gaps.
    pub number: i64,
    /// `decision`, `threshold` or `incident`.
    pub kind: String,
    /// The record's id.
    pub subject: String,
    /// Who signed.
    pub account: String,
    /// `reviewed`, `approved` or `responsible`.
    pub meaning: String,
    /// The SHA-256 of the record's bytes.
    pub record_sha256: Vec<u8>,
    /// The public half of the key.
    pub public_key: Vec<u8>,
    /// The signature.
    pub signature: Vec<u8>,
    /// When, milliseconds since 1970 UTC: in what is signed.
    pub recorded_at: i64,
}

const COLUMNS: &str =
    "number, kind, subject, account, meaning, record_sha256, public_key, signature, recorded_at FROM signatures";

/// Every signature after a number, in the order made, at most so many.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn signatures(connection: &mut Connection, after: i64, limit: i64) -> Result<Vec<SignatureRow>, StoreError> {
    let text = format!("SELECT {COLUMNS} WHERE number > $1 ORDER BY number LIMIT $2");
    Ok(sql::query_as(text)
        .bind(after)
        .bind(limit)
        .fetch_all(connection)
        .await?)
}

/// The public key with which an account signed at a time; `None` where it had none.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn key_at(connection: &mut Connection, account: &str, at: i64) -> Result<Option<Vec<u8>>, StoreError> {
    let text =
        "SELECT public_key FROM account_keys WHERE account = $1 AND recorded_at <= $2 ORDER BY number DESC LIMIT 1";
    Ok(sql::query_scalar(text)
        .bind(account)
        .bind(at)
        .fetch_optional(connection)
        .await?)
}

impl Writing {
    /// Keeps a signature; its number is given here.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn keep_signature(&mut self, row: &SignatureRow) -> Result<(), StoreError> {
        sql::query(
            "INSERT INTO signatures (kind, subject, account, meaning, record_sha256, public_key, signature, recorded_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(&row.kind)
        .bind(&row.subject)
        .bind(&row.account)
        .bind(&row.meaning)
        .bind(&row.record_sha256)
        .bind(&row.public_key)
        .bind(&row.signature)
        .bind(row.recorded_at)
        .execute(self.connection())
        .await?;
        Ok(())
    }
}
