//! Incidents: found with the decision that makes one, listed with their evidence, kept or voided with a reason.
//!
//! An incident that is resolved is closed: later fast accepts of the same reviewer are counted from there anew, so that
//! what somebody judged never changes afterwards. A later resolution with the other word is appended and replaces it. Nobody
//! resolves an incident of their own decisions.
//!
//! Deliberately not here: what a run is (`pincite-core::queue`), floors (`floors`), the estimates (`pincite-core::calibration`).

use crate::calibrate::counts;
use crate::calibrate::labels::labelled;
use crate::documents::count;
use crate::error::AppError;
use crate::floors;
use crate::ports::new_salt;
use crate::signing::{self, Record};
use crate::times;
use crate::wire::{
    CurveEffect, FieldTimes, IncidentDecision, IncidentDetail, IncidentResolved, IncidentState, IncidentView,
    LabelCount, SignatureRequest, SpreadView,
};
use crate::workspace::{Workspace, actor};
use pincite_core::calibration::{BinEdges, CurveKey, CurveLabels, bins, curve_labels};
use pincite_core::queue::{BASELINE_LENGTH, DecisionKind, TimedDecision, find_incidents, spread};
use pincite_store::incidents::{self, IncidentRow, PaceRow};
use pincite_store::{Connection, Writing};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashSet};

/// How many of a reviewer's last decisions are looked at with each new one: the cost of a decision does not grow with the
/// years. A run grows beyond it; only one with this many decisions without a time inside would be found in parts.
const LOOK_BACK: i64 = 200;

fn timed(reviewer: &str, row: &PaceRow) -> Result<TimedDecision, AppError> {
    let kind: DecisionKind = serde_json::from_value(Value::String(row.kind.clone()))
        .map_err(|error| AppError::internal(format!("the workspace is damaged: a decision's kind: {error}")))?;
    let milliseconds = |kept: Option<i64>| kept.and_then(|kept| u64::try_from(kept).ok());
    Ok(TimedDecision {
        decision_id: row.decision_id.clone(),
        reviewer: reviewer.to_owned(),
        kind,
        milliseconds: milliseconds(row.active_ms),
        floor: milliseconds(row.floor_ms),
    })
}

/// Looks at a reviewer's last decisions, of which this one was just made: where it ends a run that is an incident, that is
/// opened, or extended if it is open already.
pub(crate) async fn watch(write: &mut Writing, decision_id: &str, reviewer: &str) -> Result<(), AppError> {
    let mut rows = incidents::pace_of(write.connection(), reviewer, LOOK_BACK).await?;
    let unresolved = rows.iter().take_while(|row| !row.resolved).count();
    rows.truncate(unresolved);
    rows.reverse();
    let decisions: Vec<TimedDecision> = rows
        .iter()
        .map(|row| timed(reviewer, row))
        .collect::<Result<_, AppError>>()?;
    let found = find_incidents(&decisions)
        .into_iter()
        .find(|incident| incident.decisions.last().is_some_and(|last| last == decision_id));
    let Some(found) = found else {
        return Ok(());
    };
    let inside: Vec<&PaceRow> = rows
        .iter()
        .filter(|row| found.decisions.contains(&row.decision_id))
        .collect();
    let open = inside.iter().find_map(|row| row.incident_id.as_deref());
    let incident_id = match (open, found.decisions.first()) {
        (Some(open), _) => open,
        (None, Some(first)) => {
            write.open_incident(first, reviewer).await?;
            first
        }
        (None, None) => return Ok(()),
    };
    let mut added = Vec::new();
    for row in inside.iter().filter(|row| row.incident_id.is_none()) {
        write.add_to_incident(incident_id, &row.decision_id).await?;
        added.push(&row.decision_id);
    }
    let action = if open.is_some() {
        "incident.extend"
    } else {
        "incident.open"
    };
    write.audit(
        &actor(write, reviewer),
        &new_salt(),
        action,
        incident_id,
        &json!({ "reviewer": reviewer, "accepts": found.accepts, "decisions": added }),
    );
    Ok(())
}

fn state(row: &IncidentRow) -> IncidentState {
    match row.resolution.as_deref() {
        None => IncidentState::Open,
        Some("keep") => IncidentState::Kept,
        Some(_) => IncidentState::Voided,
    }
}

async fn view(connection: &mut Connection, row: &IncidentRow) -> Result<IncidentView, AppError> {
    let window = incidents::window(connection, &row.incident_id).await?;
    let mut accepts = 0;
    for decision in &window {
        accepts += u32::from(timed(&row.reviewer, decision)?.hasty() == Some(true));
    }
    Ok(IncidentView {
        incident: row.incident_id.clone(),
        reviewer: row.reviewer.clone(),
        state: state(row),
        opened_at: times::text(row.recorded_at),
        accepts,
        decisions: window
            .into_iter()
            .map(|decision| IncidentDecision {
                decision: decision.decision_id,
                item: decision.item_id,
                doc_id: decision.doc_id,
                field: decision.field,
                record_id: decision.record_id,
                kind: decision.kind,
                active_milliseconds: decision.active_ms.map(count),
                floor_milliseconds: decision.floor_ms.map(count),
                recorded_at: times::text(decision.recorded_at),
                standing: decision.standing,
            })
            .collect(),
        resolved_by: row.resolved_by.clone(),
        resolved_at: row.resolved_at.map(times::text),
        why: row.why.as_deref().map(|why| String::from_utf8_lossy(why).into_owned()),
    })
}

async fn row(connection: &mut Connection, incident_id: &str) -> Result<IncidentRow, AppError> {
    incidents::incident(connection, incident_id).await?.ok_or_else(|| {
        AppError::not_found(format!(
            "there is no incident {incident_id}; `pincite incident list` names them"
        ))
    })
}

/// Incidents, oldest first, after the one named.
///
/// # Errors
/// `after` that names no incident; the store.
pub async fn list(workspace: &Workspace, limit: i64, after: Option<&str>) -> Result<Vec<IncidentView>, AppError> {
    let mut reading = workspace.store.read().await?;
    let mut views = Vec::new();
    for row in incidents::incidents(&mut reading, after, limit).await? {
        views.push(view(&mut reading, &row).await?);
    }
    Ok(views)
}

/// One incident, with what keeping and what voiding it would do to the curves.
///
/// # Errors
/// No such incident; the store.
pub async fn show(workspace: &Workspace, incident_id: &str) -> Result<IncidentDetail, AppError> {
    let mut reading = workspace.store.read().await?;
    let row = row(&mut reading, incident_id).await?;
    let incident = view(&mut reading, &row).await?;
    let counted = incident.state == IncidentState::Kept;
    Ok(IncidentDetail {
        if_kept: effect(&mut reading, &incident, counted, true).await?,
        if_voided: effect(&mut reading, &incident, counted, false).await?,
        field_times: field_times(&mut reading, &incident).await?,
        incident,
    })
}

/// How long decisions on the fields of an incident take.
async fn field_times(connection: &mut Connection, incident: &IncidentView) -> Result<Vec<FieldTimes>, AppError> {
    let catalogue = crate::settings::catalogue_in(connection).await?;
    let fields: BTreeSet<&str> = incident.decisions.iter().map(|one| one.field.as_str()).collect();
    let mut list = Vec::with_capacity(fields.len());
    for field in fields {
        let (times, frozen) = floors::times(connection, field).await?;
        list.push(FieldTimes {
            field: field.to_owned(),
            title: crate::items::schema(&catalogue, field).title,
            frozen,
            wanted: small(BASELINE_LENGTH as u64),
            spread: spread(&times).map(|spread| SpreadView {
                least: small(spread.least),
                lower_quartile: small(spread.lower_quartile),
                median: small(spread.median),
                upper_quartile: small(spread.upper_quartile),
                greatest: small(spread.greatest),
            }),
            floor_milliseconds: small(floors::in_force(connection, field).await?),
            times: times.into_iter().map(small).collect(),
        });
    }
    Ok(list)
}

fn small(milliseconds: u64) -> u32 {
    u32::try_from(milliseconds).unwrap_or(u32::MAX)
}

/// Keeps an incident's decisions (`kept`: their labels count again) or voids them (they never do).
///
/// # Errors
/// No reason given, no such incident, one's own, one that is kept or voided already; the store.
pub async fn resolve(
    workspace: &Workspace,
    incident_id: &str,
    kept: bool,
    why: &str,
    who: &str,
    signature: Option<&SignatureRequest>,
) -> Result<IncidentResolved, AppError> {
    if why.trim().is_empty() {
        return Err(AppError::bad_input(format!(
            "incident {incident_id}: say why with --why"
        )));
    }
    let (word, wanted) = if kept {
        ("keep", IncidentState::Kept)
    } else {
        ("void", IncidentState::Voided)
    };
    let pen = signing::pen(workspace, who, signature).await?;
    let mut write = workspace.store.write().await?;
    let old = row(write.connection(), incident_id).await?;
    let before = view(write.connection(), &old).await?;
    if is_same_person(&before.reviewer, who) {
        return Err(AppError::bad_input(format!(
            "incident {incident_id} is about {}'s own decisions, and nobody resolves their own: let somebody else look at them \
             and resolve it under their own name (--as NAME; in the window, the reviewer's name at the top)",
            before.reviewer
        )));
    }
    if before.state == wanted {
        return Err(AppError::bad_input(format!(
            "incident {incident_id} was resolved with {word} already, by {}; only the other word changes anything",
            before.resolved_by.unwrap_or_default()
        )));
    }
    let counted = before.state == IncidentState::Kept;
    let effect = effect(write.connection(), &before, counted, kept).await?;
    signing::check(write.connection(), "incident", pen.as_ref()).await?;
    let resolution = write.resolve_incident(incident_id, word, why, who).await?;
    let signature = signing::sign(workspace, &mut write, &Record::Incident(&resolution), pen.as_ref()).await?;
    write.audit(
        &actor(&write, who),
        &new_salt(),
        &format!("incident.{word}"),
        incident_id,
        &json!({ "old": before.state, "why": why, "effect": effect, "signature": signature }),
    );
    let new = row(write.connection(), incident_id).await?;
    let incident = view(write.connection(), &new).await?;
    let catalogue = crate::settings::catalogue_in(write.connection()).await?;
    counts::settle(&mut write, &catalogue).await?;
    write.commit().await?;
    Ok(IncidentResolved { incident, effect })
}

/// Whether two names mean one person. Nobody proves who they are here, so this catches a slip and no more.
fn is_same_person(one: &str, other: &str) -> bool {
    one.trim().to_lowercase() == other.trim().to_lowercase()
}

/// The curves that the incident's decisions label, with these labels counted or not before and after.
async fn effect(
    connection: &mut Connection,
    incident: &IncidentView,
    before: bool,
    after: bool,
) -> Result<Vec<CurveEffect>, AppError> {
    let inside: HashSet<&str> = incident.decisions.iter().map(|one| one.decision.as_str()).collect();
    let fields: BTreeSet<&str> = incident.decisions.iter().map(|one| one.field.as_str()).collect();
    let mut effects = Vec::new();
    for field in fields {
        let labelled = labelled(connection, Some(field)).await?;
        let with = labelled.with_decisions(&inside, true);
        let without = labelled.with_decisions(&inside, false);
        let touched: BTreeSet<&CurveKey> = with
            .iter()
            .zip(&without)
            .filter(|(counted, not)| counted.counted() != not.counted())
            .map(|(counted, _)| &counted.key)
            .collect();
        let (counted, not) = (curve_labels(&with), curve_labels(&without));
        for key in touched {
            let side = |is_counted: bool| label_count(if is_counted { &counted } else { &not }.get(key));
            effects.push(CurveEffect {
                field: key.field.clone(),
                model: key.model.clone(),
                prompt_version: key.prompt_version.clone(),
                of: key.of.name().to_owned(),
                before: side(before)?,
                after: side(after)?,
            });
        }
    }
    Ok(effects)
}

/// The labels of one curve, all bins together, of closed and open weeks.
fn label_count(labels: Option<&CurveLabels>) -> Result<LabelCount, AppError> {
    let whole = BinEdges::new(Vec::new()).map_err(|error| AppError::internal(error.to_string()))?;
    let measured = labels.map(|labels| bins(&labels.decided(), &whole));
    let bin = measured.as_ref().and_then(|bins| bins.first());
    Ok(LabelCount {
        n: bin.map_or(0, |bin| u32::try_from(bin.n).unwrap_or(u32::MAX)),
        right: bin.and_then(|bin| bin.right),
    })
}
