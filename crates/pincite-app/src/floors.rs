//! The floor of a field: under which time to decision an accept was no reading.
//!
//! A floor that somebody set holds; else it comes from the field's baseline, which is frozen once the field has times enough,
//! so that a pace that creeps up does not lower its own floor.
//!
//! Deliberately not here: how a floor follows from a baseline (`pincite-core::queue`), and what happens under one (`incidents`).

use crate::error::AppError;
use crate::ports::new_salt;
use crate::workspace::actor;
use pincite_core::queue::{BASELINE_LENGTH, floor};
use pincite_core::record::Catalogue;
use pincite_store::{Connection, Writing, floors, incidents, settings};
use serde_json::json;
use std::collections::BTreeMap;

/// The longest floor that can be set, in milliseconds: ten minutes.
const LONGEST: u64 = 600_000;

/// The floors that somebody set, in milliseconds by field.
pub(crate) async fn set_floors(connection: &mut Connection) -> Result<BTreeMap<String, u64>, AppError> {
    match settings::setting(connection, "floors").await? {
        None => Ok(BTreeMap::new()),
        Some(text) => serde_json::from_str(&text)
            .map_err(|error| AppError::internal(format!("the kept floors can't be read back: {error}"))),
    }
}

/// The floors that follow from frozen baselines, in milliseconds by field.
pub(crate) async fn frozen_floors(connection: &mut Connection) -> Result<BTreeMap<String, u64>, AppError> {
    let mut frozen = BTreeMap::new();
    for (field, times) in floors::baselines(connection).await? {
        let times = read_baseline(&field, &times)?;
        frozen.insert(field, floor(&times));
    }
    Ok(frozen)
}

/// Floors as somebody writes them, in the form in which they are kept.
pub(crate) fn read(text: &str, catalogue: &Catalogue) -> Result<String, String> {
    let floors: BTreeMap<String, u64> = serde_json::from_str(text)
        .map_err(|error| format!("{error}; write whole milliseconds by field: {{\"retention.period\":6000}}"))?;
    for (field, milliseconds) in &floors {
        if catalogue.get(field).is_none() {
            return Err(format!(
                "the field {field} is not in the catalogue; `pincite catalogue show` names the fields"
            ));
        }
        if !(1..=LONGEST).contains(milliseconds) {
            return Err(format!(
                "the floor of {field} is {milliseconds}: write a whole number from 1 to {LONGEST}"
            ));
        }
    }
    Ok(json!(floors).to_string())
}

/// The floor of a field that holds now, in milliseconds.
pub(crate) async fn in_force(connection: &mut Connection, field: &str) -> Result<u64, AppError> {
    if let Some(milliseconds) = set_floors(connection).await?.get(field) {
        return Ok(*milliseconds);
    }
    match floors::baseline(connection, field).await? {
        None => Ok(floor(&[])),
        Some(times) => Ok(floor(&read_baseline(field, &times)?)),
    }
}

/// The times that a field's floor rests on, in milliseconds and in the order made: its frozen baseline (true), or what is
/// gathered for it so far.
pub(crate) async fn times(connection: &mut Connection, field: &str) -> Result<(Vec<u64>, bool), AppError> {
    if let Some(times) = floors::baseline(connection, field).await? {
        return Ok((read_baseline(field, &times)?, true));
    }
    let gathered = floors::gathered(connection, field).await?;
    Ok((
        gathered
            .into_iter()
            .filter_map(|time| u64::try_from(time).ok())
            .collect(),
        false,
    ))
}

fn read_baseline(field: &str, times: &str) -> Result<Vec<u64>, AppError> {
    serde_json::from_str(times)
        .map_err(|error| AppError::internal(format!("the kept baseline of {field} can't be read back: {error}")))
}

/// Gathers a decision's time for its field's baseline, and freezes that once there are enough. Times of a reviewer who has an
/// incident that is open or void are left out; so at most [`BASELINE_LENGTH`] rows a field and reviewer are ever kept.
pub(crate) async fn gather(
    write: &mut Writing,
    decision_id: &str,
    field: &str,
    reviewer: &str,
    active: i64,
) -> Result<(), AppError> {
    if floors::baseline(write.connection(), field).await?.is_some()
        || incidents::is_hasty(write.connection(), reviewer).await?
    {
        return Ok(());
    }
    write.gather_time(decision_id, field, reviewer, active).await?;
    let times = floors::gathered(write.connection(), field).await?;
    if times.len() < BASELINE_LENGTH {
        return Ok(());
    }
    let kept = json!(times).to_string();
    write.freeze_baseline(field, &kept).await?;
    let payload = json!({ "times": times, "floor": floor(&read_baseline(field, &kept)?) });
    write.audit(&actor(write, reviewer), &new_salt(), "floor.freeze", field, &payload);
    Ok(())
}
