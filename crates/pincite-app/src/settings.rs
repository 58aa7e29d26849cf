//! The field catalogue and the append-only settings.
//!
//! Deliberately not here: thresholds (`thresholds`), which rest on a curve.

use crate::calibrate::counts;
use crate::error::AppError;
use crate::files;
use crate::floors;
use crate::ports::new_salt;
use crate::registry::{index_lag, scope};
use crate::routing;
use crate::second_review;
use crate::signing;
use crate::wire::AuditSharesView;
use crate::workspace::{Workspace, actor};
use pincite_core::queue::{AuditShares, Stratum};
use pincite_core::record::Catalogue;
use pincite_store::{Connection, settings};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// The largest catalogue that is read, in bytes.
const CATALOGUE_LIMIT: u64 = 16 << 20;

/// The catalogue in use; an empty one where none was set.
///
/// # Errors
/// The store; a kept catalogue that can't be read back.
pub async fn catalogue_in(connection: &mut Connection) -> Result<Catalogue, AppError> {
    match settings::catalogue(connection).await? {
        None => Ok(Catalogue::default()),
        Some(body) => kept_catalogue(body),
    }
}

/// A catalogue as it was kept.
pub(crate) fn kept_catalogue(body: Vec<u8>) -> Result<Catalogue, AppError> {
    let body = String::from_utf8(body)
        .map_err(|_| AppError::internal("the workspace is damaged: the catalogue is not UTF-8"))?;
    Catalogue::parse(&body)
        .map_err(|error| AppError::internal(format!("the kept catalogue can't be read back: {error}")))
}

fn read_catalogue(path: &Path) -> Result<(String, Catalogue), AppError> {
    let named = |cause: String| files::refused(path, &cause);
    let metadata = files::look(path, "a catalogue is one TOML file")?;
    if metadata.len() > CATALOGUE_LIMIT {
        return Err(named(format!(
            "it has {} bytes; a catalogue has at most {CATALOGUE_LIMIT}",
            metadata.len()
        )));
    }
    let bytes = std::fs::read(path).map_err(|error| named(format!("it can't be read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        named(format!(
            "it is not UTF-8 at byte {}; a catalogue is a TOML file",
            error.utf8_error().valid_up_to()
        ))
    })?;
    let catalogue = Catalogue::parse(&text).map_err(|error| named(error.to_string()))?;
    Ok((text, catalogue))
}

/// Reads a catalogue file and says what is in it, without using it.
///
/// # Errors
/// Every mistake in the file, with its line.
pub fn catalogue_check(path: &Path) -> Result<Catalogue, AppError> {
    read_catalogue(path).map(|(_, catalogue)| catalogue)
}

/// Puts a catalogue in use.
///
/// # Errors
/// As [`catalogue_check`]; the store.
pub async fn catalogue_set(workspace: &Workspace, path: &Path, who: &str) -> Result<Catalogue, AppError> {
    let (text, catalogue) = read_catalogue(path)?;
    let hash = pincite_core::sha256_hex(text.as_bytes());
    let mut write = workspace.store.write().await?;
    routing::seen_whole(&mut write).await?;
    let before = catalogue_in(write.connection()).await?;
    let names: BTreeSet<&str> = [&before, &catalogue]
        .into_iter()
        .flat_map(|one| one.fields.keys().map(String::as_str))
        .collect();
    let changed: Vec<&str> = names
        .into_iter()
        .filter(|name| before.get(name) != catalogue.get(name))
        .collect();
    write.set_catalogue(&hash, text.as_bytes(), &changed).await?;
    write.audit(
        &actor(&write, who),
        &new_salt(),
        "catalogue.set",
        &hash,
        &json!({ "fields": catalogue.fields.len() }),
    );
    counts::settle(&mut write, &catalogue).await?;
    write.commit().await?;
    Ok(catalogue)
}

/// The catalogue in use.
///
/// # Errors
/// The store.
pub async fn catalogue_show(workspace: &Workspace) -> Result<Catalogue, AppError> {
    catalogue_in(&mut *workspace.store.read().await?).await
}

/// Makes sure that a field is in the catalogue or that a record speaks of it: a mistyped name must not read as "nothing".
///
/// # Errors
/// A field that nobody knows; the store.
pub async fn known_field(workspace: &Workspace, field: &str) -> Result<(), AppError> {
    let mut reading = workspace.store.read().await?;
    let in_catalogue = catalogue_in(&mut reading).await?.get(field).is_some();
    if in_catalogue || pincite_store::records::has_field(&mut reading, field).await? {
        return Ok(());
    }
    Err(AppError::not_found(format!(
        "the field {field} is not in the catalogue, and no record has it; `pincite catalogue show` names the fields"
    )))
}

/// The audit shares in use.
///
/// # Errors
/// The store; a kept setting that can't be read back.
pub async fn audit_shares(connection: &mut Connection) -> Result<AuditShares, AppError> {
    match settings::setting(connection, "audit_shares").await? {
        None => Ok(AuditShares::default()),
        Some(text) => serde_json::from_str(&text)
            .map_err(|error| AppError::internal(format!("the kept audit shares can't be read back: {error}"))),
    }
}

/// The audit shares in use, as they cross.
///
/// # Errors
/// The store; a kept setting that can't be read back.
pub async fn audit_shares_view(workspace: &Workspace) -> Result<AuditSharesView, AppError> {
    let shares = audit_shares(&mut *workspace.store.read().await?).await?;
    Ok(AuditSharesView {
        show: shares.of(Stratum::Show),
        flag: shares.of(Stratum::Flag),
        abstain: shares.of(Stratum::Abstain),
    })
}

/// Puts audit shares in use; raised ones draw at once from what was not looked at before.
///
/// # Errors
/// As [`set`].
pub async fn set_audit_shares(
    workspace: &Workspace,
    shares: AuditSharesView,
    why: &str,
    who: &str,
) -> Result<AuditSharesView, AppError> {
    set(workspace, "audit_shares", &json!(shares).to_string(), why, who).await?;
    audit_shares_view(workspace).await
}

/// Every setting with its value in use.
///
/// # Errors
/// The store.
pub async fn show(workspace: &Workspace) -> Result<Map<String, Value>, AppError> {
    let lease = workspace.lease_milliseconds().await?;
    let mut reading = workspace.store.read().await?;
    let shares = audit_shares(&mut reading).await?;
    let mut all = Map::new();
    all.insert("audit_shares".into(), json!(shares));
    all.insert("floors".into(), json!(floors::set_floors(&mut reading).await?));
    all.insert(
        "frozen_floors".into(),
        json!(floors::frozen_floors(&mut reading).await?),
    );
    all.insert(
        index_lag::SETTING.into(),
        json!(index_lag::alarm_hours(&mut reading).await?),
    );
    all.insert("lease_milliseconds".into(), json!(lease));
    all.insert(
        "second_review_share".into(),
        json!(second_review::share(&mut reading).await?),
    );
    all.insert("scope".into(), json!(scope::current(&mut reading).await?));
    all.insert("seconds_per_item".into(), json!(seconds_per_item(&mut reading).await?));
    all.insert(signing::SETTING.into(), json!(signatures_in(&mut reading).await?));
    Ok(all)
}

/// What needs a signature: some of [`signing::KINDS`], in their order.
///
/// # Errors
/// The store; a kept setting that can't be read back.
pub(crate) async fn signatures_in(connection: &mut Connection) -> Result<Vec<String>, AppError> {
    match settings::setting(connection, signing::SETTING).await? {
        None => Ok(Vec::new()),
        Some(text) => serde_json::from_str(&text)
            .map_err(|error| AppError::internal(format!("what needs a signature can't be read back: {error}"))),
    }
}

fn read_signatures(text: &str) -> Result<String, String> {
    let named: Vec<String> = serde_json::from_str(text)
        .map_err(|error| format!("{error}; write it as [\"reject\",\"threshold\"], or [] for nothing"))?;
    if let Some(unknown) = named.iter().find(|name| !signing::KINDS.contains(&name.as_str())) {
        return Err(format!(
            "{unknown} can't need a signature: {} can",
            signing::KINDS.join(", ")
        ));
    }
    let kinds: Vec<&str> = signing::KINDS
        .into_iter()
        .filter(|kind| named.iter().any(|name| name == kind))
        .collect();
    Ok(json!(kinds).to_string())
}

/// Reviewer seconds an item costs where too few were timed.
///
/// # Errors
/// The store.
pub async fn seconds_per_item(connection: &mut Connection) -> Result<f64, AppError> {
    let setting = settings::setting(connection, "seconds_per_item").await?;
    Ok(setting.and_then(|value| value.parse().ok()).unwrap_or(90.0))
}

/// Puts a setting in use. Raised audit shares draw at once from what was shown, flagged and abstained on before; a raised
/// share of second reviews from what was decided.
///
/// # Errors
/// An unknown setting, a value out of its range, no reason given; the store.
pub async fn set(
    workspace: &Workspace,
    name: &str,
    value: &str,
    why: &str,
    who: &str,
) -> Result<Map<String, Value>, AppError> {
    let bad = |cause: String| AppError::bad_input(format!("setting {name}: {cause}"));
    if why.trim().is_empty() {
        return Err(bad("say why with --why".into()));
    }
    let kept = match name {
        "audit_shares" => {
            let value: Value = serde_json::from_str(value).map_err(|error| {
                bad(format!(
                    "{error}; write it as {{\"show\":0.05,\"flag\":0.05,\"abstain\":0.05}}"
                ))
            })?;
            let shares: AuditShares = serde_json::from_value(value).map_err(|error| bad(error.to_string()))?;
            json!(shares).to_string()
        }
        index_lag::SETTING => number_between(value, 0.0, 8_784.0).map_err(bad)?,
        "lease_milliseconds" => number_between(value, 1_000.0, 86_400_000.0).map_err(bad)?,
        "scope" => scope::read(value).map_err(bad)?,
        "second_review_share" => second_review::read_share(value).map_err(bad)?,
        "seconds_per_item" => number_between(value, 1.0, 86_400.0).map_err(bad)?,
        signing::SETTING => read_signatures(value).map_err(bad)?,
        "floors" => floors::read(value, &catalogue_show(workspace).await?).map_err(bad)?,
        _ => {
            return Err(bad(
                "there is no such setting: audit_shares, floors, index_lag_alarm_hours, lease_milliseconds, scope, \
                 second_review_share, seconds_per_item and signatures can be set"
                    .into(),
            ));
        }
    };
    let mut write = workspace.store.write().await?;
    let old = settings::setting(write.connection(), name).await?;
    write.set(name, &kept, why, who).await?;
    write.audit(
        &actor(&write, who),
        &new_salt(),
        "settings.set",
        name,
        &json!({ "old": old, "new": kept, "why": why }),
    );
    if name == "audit_shares" {
        routing::draw_again(&mut write).await?;
        let catalogue = catalogue_in(write.connection()).await?;
        counts::settle(&mut write, &catalogue).await?;
    }
    if name == "second_review_share" {
        second_review::draw_again(&mut write).await?;
    }
    write.commit().await?;
    show(workspace).await
}

fn number_between(text: &str, least: f64, most: f64) -> Result<String, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number >= least && number <= most && (number.fract() == 0.0) => Ok(format!("{number:.0}")),
        _ => Err(format!("write a whole number from {least} to {most}")),
    }
}
