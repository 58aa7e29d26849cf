//! The resolved records of a version: what may be said of each of its fields, and on what it rests. And records as they
//! are listed and exported.
//!
//! The last decision's value where there is one, else the last candidate and its outcome.
//!
//! Deliberately not here: rendering. A value in review is not shown as fact, so it is not in the view.

use crate::documents;
use crate::enter_first;
use crate::error::AppError;
use crate::evidence::citation_view;
use crate::routing::record_of;
use crate::value_text::value_text;
use crate::wire::{FieldOutcome, FieldView, FieldsView};
use crate::workspace::Workspace;
use pincite_store::decisions::{self, DecisionRow};
use pincite_store::items::ItemRow;
use pincite_store::records::{self, RecordRow};
use pincite_store::{Connection, items};
use serde_json::{Value, json};
use std::collections::BTreeMap;

struct Resolved {
    outcome: FieldOutcome,
    value: Value,
    item: Option<ItemRow>,
    decision: Option<DecisionRow>,
}

async fn resolve(connection: &mut Connection, now: i64, row: &RecordRow) -> Result<Resolved, AppError> {
    let item = items::item_of(connection, now, &row.doc_id, &row.doc_sha256, &row.field).await?;
    let decision = match &item {
        Some(item) => decisions::last_of_item(connection, &item.item_id)
            .await?
            .filter(|decision| decision.kind != "undo"),
        None => None,
    };
    let item_open = item.as_ref().is_some_and(|item| item.state == "open");
    let (outcome, value) = match (&decision, row.outcome.as_str()) {
        (Some(decision), _) => {
            let value = decision
                .value
                .as_deref()
                .and_then(|value| serde_json::from_slice(value).ok());
            (FieldOutcome::Decided, value.unwrap_or(Value::Null))
        }
        // Somebody has doubts about this field: nothing is shown as fact until they are settled.
        (None, _) if item_open => (FieldOutcome::InReview, Value::Null),
        (None, "shown") => (FieldOutcome::Shown, record_of(row)?.value),
        (None, "flagged") => (FieldOutcome::Flagged, record_of(row)?.value),
        (None, "abstained") => (FieldOutcome::Abstained, Value::Null),
        (None, _) => (FieldOutcome::InReview, Value::Null),
    };
    Ok(Resolved {
        outcome,
        value,
        item,
        decision,
    })
}

/// Every field of a version, in the order of the catalogue, then fields the catalogue does not know; as a reviewer may see
/// them, who is shown no passage of a candidate before having entered a value for it.
///
/// # Errors
/// No such version; the store.
pub async fn fields(
    workspace: &Workspace,
    doc_id: &str,
    doc_sha256: &str,
    reviewer: &str,
) -> Result<FieldsView, AppError> {
    let now = workspace.store.now().await?;
    let mut reading = workspace.store.read().await?;
    let version = documents::resolve(&mut reading, &format!("{doc_id}@{doc_sha256}")).await?;
    let document = documents::view(&mut reading, &version).await?;
    let catalogue = crate::settings::catalogue_in(&mut reading).await?;
    let mut last: BTreeMap<String, RecordRow> = BTreeMap::new();
    for row in records::records_of_version(&mut reading, doc_id, &version.doc_sha256).await? {
        last.insert(row.field.clone(), row);
    }
    let known = catalogue.fields.keys().cloned();
    let unknown: Vec<String> = last
        .keys()
        .filter(|field| catalogue.get(field).is_none())
        .cloned()
        .collect();
    let mut fields = Vec::new();
    for field in known.chain(unknown) {
        let schema = crate::items::schema(&catalogue, &field);
        let mut view = FieldView {
            field: field.clone(),
            title: schema.title,
            hard: schema.hard,
            outcome: FieldOutcome::Missing,
            value: Value::Null,
            value_text: String::new(),
            record_id: None,
            item: None,
            decision: None,
            decided_by: None,
            citations: Vec::new(),
        };
        if let Some(row) = last.get(&field) {
            let resolved = resolve(&mut reading, now, row).await?;
            let rests_on = resolved
                .decision
                .as_ref()
                .map_or(&row.record_id, |decision| &decision.record_id)
                .clone();
            let is_hidden = match &resolved.item {
                Some(item) => enter_first::is_asked(&mut reading, item, reviewer, &catalogue).await?,
                None => false,
            };
            let citations = if is_hidden {
                Vec::new()
            } else {
                records::citations_of(&mut reading, &rests_on).await?
            };
            view.outcome = resolved.outcome;
            view.value_text = value_text(&resolved.value);
            view.value = resolved.value;
            view.record_id = Some(rests_on);
            view.item = resolved.item.map(|item| item.item_id);
            view.decision = resolved.decision.as_ref().map(|decision| decision.kind.clone());
            view.decided_by = resolved.decision.map(|decision| decision.reviewer);
            view.citations = citations.iter().map(citation_view).collect();
        }
        fields.push(view);
    }
    Ok(FieldsView { document, fields })
}

/// A listed citation has these keys whether or not there is something to say, so that scripts find one shape.
const CITATION_KEYS: [&str; 7] = [
    "id",
    "layer_sha256",
    "structure_id",
    "locator",
    "page",
    "char_start",
    "char_end",
];

/// A record as it is listed: as it was imported, with its citations as they are kept, its outcome, the resolved value and
/// the decision.
async fn listed(connection: &mut Connection, now: i64, row: &RecordRow) -> Result<Value, AppError> {
    let resolved = resolve(connection, now, row).await?;
    let citations = records::citations_of(connection, &row.record_id).await?;
    let mut record: Value = serde_json::from_slice(&row.body)
        .map_err(|error| AppError::internal(format!("the workspace is damaged: record {}: {error}", row.record_id)))?;
    record["record_id"] = json!(row.record_id);
    let mut provenance = Vec::new();
    for citation in &citations {
        let mut entry =
            serde_json::to_value(citation.citation()).map_err(|error| AppError::internal(error.to_string()))?;
        for name in CITATION_KEYS {
            if entry.get(name).is_none() {
                entry[name] = Value::Null;
            }
        }
        entry["state"] = json!(crate::evidence::state(citation.state.as_deref()));
        entry["reason"] = json!(citation.reason);
        entry["placed"] = json!(citation.placed);
        provenance.push(entry);
    }
    record["provenance"] = json!(provenance);
    record["outcome"] = json!(row.outcome);
    record["reason"] = json!(row.reason.as_deref().map(crate::listing::blind));
    record["item"] = json!(resolved.item.map(|item| item.item_id));
    record["resolved_value"] = resolved.value;
    record["resolved_outcome"] = json!(resolved.outcome);
    record["decision"] = json!(resolved.decision.map(|decision| decision.kind));
    Ok(record)
}

/// Records in the order of arrival, after the one named.
///
/// # Errors
/// `after` that names no record; the store.
pub async fn record_list(workspace: &Workspace, limit: i64, after: Option<&str>) -> Result<Vec<Value>, AppError> {
    let now = workspace.store.now().await?;
    let mut reading = workspace.store.read().await?;
    let after = match after {
        None => 0,
        Some(id) => {
            records::record(&mut reading, id)
                .await?
                .ok_or_else(|| AppError::not_found(format!("--after names no record: {id}")))?
                .number
        }
    };
    let mut list = Vec::new();
    for row in records::records(&mut reading, after, limit).await? {
        list.push(listed(&mut reading, now, &row).await?);
    }
    Ok(list)
}

/// One record.
///
/// # Errors
/// No such record; the store.
pub async fn record_show(workspace: &Workspace, record_id: &str) -> Result<Value, AppError> {
    let now = workspace.store.now().await?;
    let mut reading = workspace.store.read().await?;
    let row = records::record(&mut reading, record_id).await?;
    let row = row.ok_or_else(|| {
        AppError::not_found(format!(
            "there is no record {record_id}; `pincite record list` names them"
        ))
    })?;
    listed(&mut reading, now, &row).await
}

/// Every record, or with `resolved` one a field of a version: the last candidate with the resolved value.
///
/// # Errors
/// The store.
pub async fn record_export(
    workspace: &Workspace,
    resolved: bool,
    mut answer: impl FnMut(&Value),
) -> Result<(), AppError> {
    let now = workspace.store.now().await?;
    let mut reading = workspace.store.read().await?;
    let mut after = 0;
    loop {
        let rows = records::records(&mut reading, after, 500).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.number;
        for row in &rows {
            if resolved {
                let newest = records::candidates(&mut reading, &row.doc_id, &row.doc_sha256, &row.field).await?;
                if newest.last().is_none_or(|newest| newest.record_id != row.record_id) {
                    continue;
                }
            }
            answer(&listed(&mut reading, now, row).await?);
        }
    }
}
