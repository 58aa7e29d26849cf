//! Enter before you see: on a share of each field's "check value" items the reviewer states the value before the candidate is
//! shown.
//!
//! Until then the reviewer is shown the field with its guidance and the whole document from its first page. Not the clause
//! that the candidate cites, though finding it takes longer: a quote is most often the value itself; a reviewer who is led
//! to the wrong clause repeats the extractor's error and would be counted as agreeing with it; and a document that opens
//! nowhere in particular would say that the candidate is "absent". Only what is entered without all that is worth calling
//! a second reading, and agreement is measured on it.
//!
//! What was entered is kept as it was, one at most of a reviewer for an item, and is no decision: the reviewer sees the
//! candidate beside it and decides as on any other item.
//!
//! Deliberately not here: which items are drawn (`pincite-core::queue`).

use crate::error::AppError;
use crate::items;
use crate::ports::new_salt;
use crate::routing::record_of;
use crate::settings::{catalogue_in, kept_catalogue};
use crate::times;
use crate::value_text::value_text;
use crate::wire::{BlindEntryView, EnterRequest, ItemView};
use crate::workspace::{Workspace, actor};
use pincite_core::queue::is_entered_first;
use pincite_core::record::{Catalogue, ReviewReason, Status, check, equal};
use pincite_store::items::{ItemRow, Round};
use pincite_store::records::RecordRow;
use pincite_store::{Connection, blind_entries};
use serde_json::{Value, json};

/// Whether an item is one whose value is entered first, under this catalogue.
fn is_drawn(row: &ItemRow, catalogue: &Catalogue) -> bool {
    let reason: Option<ReviewReason> = serde_json::from_value(Value::String(row.reason.clone())).ok();
    let share = catalogue.get(&row.field).map(|field| field.enter_before_you_see);
    reason
        .zip(share)
        .is_some_and(|(reason, share)| is_entered_first(reason, &row.doc_sha256, &row.field, share))
}

/// Whether this reviewer has to enter a value before seeing the item's candidate.
///
/// Whoever held the item when another catalogue let its candidate be seen is not asked: the entry would not be blind.
pub(crate) async fn is_asked(
    connection: &mut Connection,
    row: &ItemRow,
    reviewer: &str,
    catalogue: &Catalogue,
) -> Result<bool, AppError> {
    // Whoever settles a difference has both values in sight.
    if !matches!(row.round(), Some(Round::First | Round::Second)) || !is_drawn(row, catalogue) {
        return Ok(false);
    }
    if blind_entries::of_reviewer(connection, &row.item_id, reviewer)
        .await?
        .is_some()
    {
        return Ok(false);
    }
    for body in blind_entries::catalogues_since_first_held(connection, &row.item_id, reviewer).await? {
        if !is_drawn(row, &kept_catalogue(body)?) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What a reviewer entered for an item, beside its candidate.
pub(crate) async fn entry(
    connection: &mut Connection,
    item_id: &str,
    reviewer: &str,
    candidate: &RecordRow,
    catalogue: &Catalogue,
) -> Result<Option<BlindEntryView>, AppError> {
    let Some(row) = blind_entries::of_reviewer(connection, item_id, reviewer).await? else {
        return Ok(None);
    };
    let value = read_back(row.value.as_deref())?;
    let record = record_of(candidate)?;
    let equals_candidate = match (&value, record.status) {
        (None, status) => status == Status::Absent,
        (Some(value), Status::Present) => catalogue
            .get(&record.field)
            .is_some_and(|field| equal(field, value, &record.value)),
        _ => false,
    };
    let value = value.unwrap_or(Value::Null);
    Ok(Some(BlindEntryView {
        text: if value.is_null() {
            "not stated".to_owned()
        } else {
            value_text(&value)
        },
        value,
        equals_candidate,
        recorded_at: times::text(row.recorded_at),
    }))
}

/// A kept entry: `None` where the document states none.
pub(crate) fn read_back(kept: Option<&[u8]>) -> Result<Option<Value>, AppError> {
    kept.map(serde_json::from_slice)
        .transpose()
        .map_err(|error| AppError::internal(format!("the workspace is damaged: a blind entry: {error}")))
}

/// Keeps the value that a reviewer enters before seeing the candidate, and answers with the item as it is seen then. The same
/// value again is answered in the same way.
///
/// # Errors
/// An item whose value is not entered first, a value that is not of the field's type, another one than was entered before; the
/// lease is lost, the item moved; the store.
pub async fn enter(workspace: &Workspace, request: &EnterRequest, reviewer: &str) -> Result<ItemView, AppError> {
    workspace.ensure_reviewer(reviewer).await?;
    let mut write = workspace.store.write().await?;
    let now = write.now;
    let item = pincite_store::items::item(write.connection(), now, &request.item).await?;
    let item = item.ok_or_else(|| {
        AppError::not_found(format!(
            "there is no item {}; `pincite queue list` names them",
            request.item
        ))
    })?;
    let catalogue = catalogue_in(write.connection()).await?;
    let before = blind_entries::of_reviewer(write.connection(), &request.item, reviewer).await?;
    if before.is_none() && !is_asked(write.connection(), &item, reviewer, &catalogue).await? {
        return Err(AppError::bad_input(format!(
            "nothing is to be entered for item {} before its candidate is seen: decide it",
            request.item
        )));
    }
    let value = match &request.value {
        Value::Null => None,
        value => {
            if let Some(field) = catalogue.get(&item.field) {
                check(field, value)
                    .map_err(|error| AppError::bad_input(format!("the value for {}: {error}", item.field)))?;
            }
            Some(value.to_string().into_bytes())
        }
    };
    let new = write
        .enter_blind(
            &request.item,
            request.item_version,
            request.token,
            reviewer,
            value.as_deref(),
        )
        .await?;
    if new {
        let payload =
            json!({ "item_version": request.item_version, "value": value.as_deref().map(String::from_utf8_lossy) });
        write.audit(
            &actor(&write, reviewer),
            &new_salt(),
            "queue.enter",
            &request.item,
            &payload,
        );
    }
    write.commit().await?;
    items::item(workspace, &request.item, reviewer, false).await
}
