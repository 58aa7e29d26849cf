//! Thresholds: what the labels support, what is set, and setting them.
//!
//! Setting writes the curve it was chosen on into the threshold's row and its audit entry, then routes again what the
//! field's records now are.
//!
//! Deliberately not here: the test (`pincite-core::calibration::thresholds`). What is drawn and not decided counts as wrong in it, so
//! that a threshold never rests on what nobody has looked at.

use crate::calibrate::{self, counts};
use crate::error::AppError;
use crate::ports::new_salt;
use crate::routing::{self, Rules};
use crate::signing::{self, Record};
use crate::times;
use crate::wire::{SignatureRequest, ThresholdView};
use crate::workspace::{Workspace, actor};
use pincite_core::calibration::{
    CurveKey, CurveLabels, CurveSubject, LEVEL, default_grid, error_upper_bound, suggest_with_pending,
};
use pincite_core::record::Thresholds;
use pincite_store::settings::ThresholdRow;
use serde_json::json;

/// A day, in milliseconds.
const DAY: i64 = 86_400_000;
/// Over how long back the rate of labels is counted.
const RATE_OVER: i64 = 28 * DAY;

/// The thresholds in force for a curve: its own, or those measured on another extractor, marked stale. `labels` are the
/// curve's, where it has any.
pub(crate) fn in_force(rules: &Rules, key: &CurveKey, labels: Option<&CurveLabels>) -> Option<ThresholdView> {
    let of_field = || rules.thresholds.iter().rev().filter(|row| row.field == key.field);
    let own = of_field().find(|row| row.model == key.model && row.prompt_version == key.prompt_version);
    let row = own.or_else(|| of_field().next())?;
    let error_upper = labels.and_then(|labels| error_upper_bound(&labels.worst_case(), row.tau_show, LEVEL));
    Some(ThresholdView {
        error_upper,
        stale: own.is_none(),
        ..view(row)
    })
}

fn view(row: &ThresholdRow) -> ThresholdView {
    ThresholdView {
        field: row.field.clone(),
        model: row.model.clone(),
        prompt_version: row.prompt_version.clone(),
        tau_show: Some(row.tau_show),
        tau_flag: Some(row.tau_flag),
        error_upper: None,
        level: LEVEL,
        labels_needed: None,
        labels_from: None,
        expected_by: None,
        set_at: Some(times::text(row.recorded_at)),
        set_by: Some(row.who.clone()),
        why: Some(String::from_utf8_lossy(&row.why).into_owned()),
        stale: false,
    }
}

/// The thresholds in use, the last of each field and extractor; of one field where one is named.
///
/// # Errors
/// The store.
pub async fn show(workspace: &Workspace, field: Option<&str>) -> Result<Vec<ThresholdView>, AppError> {
    let mut reading = counts::settled(workspace).await?;
    let labels = counts::labels(&mut reading, field).await?;
    let rules = Rules::read(&mut reading).await?;
    let mut shown: Vec<ThresholdView> = Vec::new();
    for row in rules
        .thresholds
        .iter()
        .rev()
        .filter(|row| field.is_none_or(|field| row.field == field))
    {
        let known = shown.iter().any(|view| {
            view.field == row.field && view.model == row.model && view.prompt_version == row.prompt_version
        });
        if !known {
            let key = key(&row.field, &row.model, &row.prompt_version);
            shown.extend(in_force(&rules, &key, labels.get(&key)));
        }
    }
    shown.sort_by(|one, other| {
        (&one.field, &one.model, &one.prompt_version).cmp(&(&other.field, &other.model, &other.prompt_version))
    });
    Ok(shown)
}

fn key(field: &str, model: &str, prompt_version: &str) -> CurveKey {
    CurveKey {
        field: field.to_owned(),
        model: model.to_owned(),
        prompt_version: prompt_version.to_owned(),
        of: CurveSubject::Present,
    }
}

/// The lowest thresholds whose measured error passes the field's `max_error` and `max_error_flag`; null where none does.
///
/// # Errors
/// A field that the catalogue gives no `max_error`; the store.
pub async fn suggested(
    workspace: &Workspace,
    field: &str,
    model: &str,
    prompt_version: &str,
) -> Result<ThresholdView, AppError> {
    let now = workspace.store.now().await?;
    let mut reading = counts::settled(workspace).await?;
    let catalogue = crate::settings::catalogue_in(&mut reading).await?;
    let definition = catalogue.get(field);
    let definition = definition.ok_or_else(|| {
        AppError::not_found(format!(
            "the field {field} is not in the catalogue; `pincite catalogue show` names the fields"
        ))
    })?;
    let max_error = definition.max_error.ok_or_else(|| {
        AppError::bad_input(format!(
            "the field {field} has no max_error in the catalogue, so no threshold can be measured against it: add one"
        ))
    })?;
    let key = key(field, model, prompt_version);
    let known = counts::labels(&mut reading, Some(field)).await?.remove(&key);
    // Of an extractor that nothing is known of, nobody can say how many labels it takes.
    let is_known = known.is_some();
    let labels = known.unwrap_or_default();
    let (decided, grid) = (labels.decided(), default_grid());
    let allowed = |max_error: f64| suggest_with_pending(&decided, labels.pending(), &grid, max_error, LEVEL);
    let plain = allowed(max_error);
    let badge = allowed(definition.max_error_flag.unwrap_or(max_error));
    // A badge never needs more confidence than plain showing.
    let tau_flag = match (plain.tau, badge.tau) {
        (Some(show), Some(flag)) => Some(flag.min(show)),
        (show, flag) => flag.or(show),
    };
    let labels_needed = plain.labels_needed.filter(|_| is_known);
    let labels_from = plain.labels_from.filter(|_| is_known);
    let expected_by = match labels_needed.zip(labels_from) {
        Some((needed, from)) => {
            let recent = counts::decided_since(&mut reading, &key, from, now - RATE_OVER).await?;
            expected_by(needed, &recent, now)
        }
        None => None,
    };
    Ok(ThresholdView {
        field: field.to_owned(),
        model: model.to_owned(),
        prompt_version: prompt_version.to_owned(),
        tau_show: plain.tau,
        tau_flag,
        error_upper: plain.error_upper,
        level: LEVEL,
        labels_needed: labels_needed.map(|needed| u32::try_from(needed).unwrap_or(u32::MAX)),
        labels_from,
        expected_by,
        set_at: None,
        set_by: None,
        why: None,
        stale: false,
    })
}

/// By when so many labels will be there, if they keep coming as those of the last four weeks did (or since the first one, where
/// that is less, but for a day at least). `None` where none came.
fn expected_by(needed: u64, recent: &[i64], now: i64) -> Option<String> {
    let over = (now - recent.iter().min()?).max(DAY);
    let each = over / i64::try_from(recent.len()).ok()?;
    let wait = i64::try_from(needed).ok()?.checked_mul(each)?;
    Some(times::text(now.checked_add(wait)?))
}

/// What is to be set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewThresholds<'a> {
    /// The field.
    pub field: &'a str,
    /// The extractor's model.
    pub model: &'a str,
    /// Its prompt version.
    pub prompt_version: &'a str,
    /// Shown without a badge from here.
    pub tau_show: f64,
    /// Shown with a badge from here.
    pub tau_flag: f64,
    /// Why.
    pub why: &'a str,
    /// The signature of whoever sets them, where they give one.
    pub signature: Option<&'a SignatureRequest>,
}

/// Sets thresholds and routes the field's records again.
///
/// # Errors
/// Numbers that are no thresholds, no reason given, a field that is not in the catalogue; the store.
pub async fn set(workspace: &Workspace, new: &NewThresholds<'_>, who: &str) -> Result<ThresholdView, AppError> {
    Thresholds::new(new.tau_show, new.tau_flag)
        .map_err(|error| AppError::bad_input(format!("thresholds of {}: {error}", new.field)))?;
    if new.why.trim().is_empty() {
        return Err(AppError::bad_input(format!(
            "thresholds of {}: say why with --why",
            new.field
        )));
    }
    let pen = signing::pen(workspace, who, new.signature).await?;
    let mut write = workspace.store.write().await?;
    let now = write.now;
    let rules = Rules::read(write.connection()).await?;
    if rules.catalogue.get(new.field).is_none() {
        return Err(AppError::not_found(format!(
            "the field {} is not in the catalogue; `pincite catalogue show` names the fields",
            new.field
        )));
    }
    counts::settle(&mut write, &rules.catalogue).await?;
    let labels = counts::labels(write.connection(), Some(new.field)).await?;
    let curve = calibrate::views(&labels, &rules).into_iter().find(|view| {
        view.field == new.field
            && view.model == new.model
            && view.prompt_version == new.prompt_version
            && view.of == CurveSubject::Present.name()
    });
    let curve = serde_json::to_vec(&curve).map_err(|error| AppError::internal(error.to_string()))?;
    let row = ThresholdRow {
        field: new.field.to_owned(),
        model: new.model.to_owned(),
        prompt_version: new.prompt_version.to_owned(),
        tau_show: new.tau_show,
        tau_flag: new.tau_flag,
        curve,
        why: new.why.as_bytes().to_vec(),
        who: who.to_owned(),
        recorded_at: now,
    };
    signing::check(write.connection(), "threshold", pen.as_ref()).await?;
    write.set_threshold(&row).await?;
    let signature = signing::sign(workspace, &mut write, &Record::Threshold(&row), pen.as_ref()).await?;
    let payload = json!({
        "model": new.model, "prompt_version": new.prompt_version, "tau_show": new.tau_show, "tau_flag": new.tau_flag,
        "why": new.why, "curve": String::from_utf8_lossy(&row.curve), "signature": signature
    });
    write.audit(&actor(&write, who), &new_salt(), "threshold.set", new.field, &payload);
    routing::thresholds_changed(&mut write, new.field).await?;
    counts::settle(&mut write, &rules.catalogue).await?;
    write.commit().await?;
    let own = show(workspace, Some(new.field)).await?;
    own.into_iter()
        .find(|view| view.model == new.model && view.prompt_version == new.prompt_version)
        .ok_or_else(|| AppError::internal("a threshold just set can't be read back"))
}
