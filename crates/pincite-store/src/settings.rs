//! Append-only settings, the field catalogue, thresholds, reviewers, and the workspace's own names.
//!
//! Deliberately not here: what a value means or whether it is allowed.

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::sql;
use sqlx::FromRow;

/// A threshold that was set.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct ThresholdRow {
    /// The field.
    pub field: String,
    /// The extractor's model.
    pub model: String,
    /// Its prompt version.
    pub prompt_version: String,
    /// Shown without a badge from here.
    pub tau_show: f64,
    /// Shown with a badge from here.
    pub tau_flag: f64,
    /// JSON of the curve it was chosen on.
    pub curve: Vec<u8>,
    /// Why, UTF-8.
    pub why: Vec<u8>,
    /// Who set it.
    pub who: String,
    /// When, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

/// The value in use of a setting; `None` where it was never set.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn setting(connection: &mut Connection, name: &str) -> Result<Option<String>, StoreError> {
    Ok(
        sql::query_scalar("SELECT value FROM settings WHERE name = $1 ORDER BY number DESC LIMIT 1")
            .bind(name)
            .fetch_optional(connection)
            .await?,
    )
}

/// The catalogue in use.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn catalogue(connection: &mut Connection) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(
        sql::query_scalar("SELECT body FROM catalogues ORDER BY number DESC LIMIT 1")
            .fetch_optional(connection)
            .await?,
    )
}

/// Every threshold ever set, oldest first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn thresholds(connection: &mut Connection) -> Result<Vec<ThresholdRow>, StoreError> {
    Ok(sql::query_as("SELECT field, model, prompt_version, tau_show, tau_flag, curve, why, who, recorded_at FROM thresholds ORDER BY number")
        .fetch_all(connection)
        .await?)
}

/// A name the workspace keeps about itself.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn workspace_value(connection: &mut Connection, name: &str) -> Result<Option<String>, StoreError> {
    Ok(sql::query_scalar("SELECT value FROM workspace WHERE name = $1")
        .bind(name)
        .fetch_optional(connection)
        .await?)
}

/// The reviewers known here.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn reviewers(connection: &mut Connection) -> Result<Vec<String>, StoreError> {
    Ok(sql::query_scalar("SELECT name FROM reviewers ORDER BY name")
        .fetch_all(connection)
        .await?)
}

impl Writing {
    /// Puts a setting in use.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn set(&mut self, name: &str, value: &str, why: &str, who: &str) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO settings (name, value, why, who, recorded_at) VALUES ($1, $2, $3, $4, $5)")
            .bind(name)
            .bind(value)
            .bind(why.as_bytes())
            .bind(who)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// Puts a catalogue in use. `changed` are the fields that it defines otherwise than the one before: their labels rest on
    /// another equality now, so their curves are to be counted anew.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn set_catalogue(&mut self, sha256: &str, body: &[u8], changed: &[&str]) -> Result<(), StoreError> {
        let now = self.now;
        for field in changed {
            self.count_field_anew(field).await?;
        }
        sql::query("INSERT INTO catalogues (catalogue_sha256, body, recorded_at) VALUES ($1, $2, $3)")
            .bind(sha256)
            .bind(body)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// Sets thresholds.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn set_threshold(&mut self, row: &ThresholdRow) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO thresholds (field, model, prompt_version, tau_show, tau_flag, curve, why, who, recorded_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(&row.field)
        .bind(&row.model)
        .bind(&row.prompt_version)
        .bind(row.tau_show)
        .bind(row.tau_flag)
        .bind(&row.curve)
        .bind(&row.why)
        .bind(&row.who)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// Keeps a name the workspace has about itself; one that is there stays.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn keep_workspace_value(&mut self, name: &str, value: &str) -> Result<(), StoreError> {
        sql::query("INSERT INTO workspace (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind(name)
            .bind(value)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// Adds a reviewer; answers whether the name is new.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_reviewer(&mut self, name: &str) -> Result<bool, StoreError> {
        let now = self.now;
        let done = sql::query("INSERT INTO reviewers (name, recorded_at) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind(name)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(done > 0)
    }
}
