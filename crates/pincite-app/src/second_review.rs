//! The second review: another person reviews what was decided, blind as the first was; where the two differ, a third states
//! the true value.
//!
//! A second review is found as any item is, decided as any item is, and kept apart: the item goes on resting on its first
//! decision, and no curve counts it twice. Where both say the same, that is all. Where they differ, the label of the item counts
//! as not known yet (docs/decisions/0016) until somebody who is neither of the two decides, with both values in sight and unnamed.
//! That decision replaces the first one.
//!
//! Deliberately not here: which decisions are drawn and what is the same (`pincite-core::queue`), agreement (`agreement`).

use crate::error::AppError;
use crate::ports::new_salt;
use crate::signing::{self, About, Pen, Record};
use crate::times;
use crate::value_text::value_text;
use crate::wire::{AdjudicationView, DecisionView, SecondReviewView, StatedView};
use crate::workspace::{Workspace, actor};
use pincite_core::queue::{SECOND_REVIEW_SHARE, Stated, is_reviewed_twice, says_the_same, second_review_draw};
use pincite_core::record::{Catalogue, ReviewReason};
use pincite_store::decisions::{self, DecisionRow, NewDecision};
use pincite_store::items::{ItemRow, Round};
use pincite_store::second_reviews::{self, Reviewed, SecondReviewRow};
use pincite_store::{Connection, Writing, records, settings};
use serde_json::{Value, json};

/// How many decisions are looked at in one step where a raised share draws from those that were made before.
const STEP: i64 = 500;

/// The share of decisions that is reviewed a second time.
pub(crate) async fn share(connection: &mut Connection) -> Result<f64, AppError> {
    let setting = settings::setting(connection, "second_review_share").await?;
    Ok(setting
        .and_then(|share| share.parse().ok())
        .unwrap_or(SECOND_REVIEW_SHARE))
}

/// A share as it is kept.
pub(crate) fn read_share(text: &str) -> Result<String, String> {
    match text.trim().parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share.to_string()),
        _ => Err("write a share from 0 (nothing is reviewed twice) to 1".to_owned()),
    }
}

fn reason_of(text: &str) -> Option<ReviewReason> {
    serde_json::from_value(Value::String(text.to_owned())).ok()
}

/// Draws a decision that was just made, where it falls under the share. An adjudication is a third look and not drawn.
pub(crate) async fn draw(write: &mut Writing, item: &ItemRow, decision: &DecisionRow) -> Result<(), AppError> {
    if item.round() != Some(Round::First) {
        return Ok(());
    }
    let share = share(write.connection()).await?;
    let drawn =
        reason_of(&item.reason).is_some_and(|reason| is_reviewed_twice(reason, &item.doc_sha256, &item.field, share));
    if drawn {
        let number = second_review_draw(&item.doc_sha256, &item.field);
        write
            .draw_second(&decision.decision_id, decision.number, &item.item_id, share, number)
            .await?;
    }
    Ok(())
}

/// Holds every standing decision that was never drawn against the share now in force.
pub(crate) async fn draw_again(write: &mut Writing) -> Result<(), AppError> {
    let share = share(write.connection()).await?;
    let mut after = 0;
    loop {
        let rows = second_reviews::undrawn(write.connection(), after, STEP).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.number;
        for row in &rows {
            let drawn = reason_of(&row.reason)
                .is_some_and(|reason| is_reviewed_twice(reason, &row.doc_sha256, &row.field, share));
            if drawn {
                let number = second_review_draw(&row.doc_sha256, &row.field);
                write
                    .draw_second(&row.decision_id, row.number, &row.item_id, share, number)
                    .await?;
            }
        }
    }
}

/// What a decision says of the true value: its kind, and the value where it states one.
fn stated(kind: &str, value: Option<&[u8]>) -> Result<Stated, AppError> {
    let value = value
        .map(serde_json::from_slice)
        .transpose()
        .map_err(|error| AppError::internal(format!("the workspace is damaged: a decision's value: {error}")))?;
    Ok(match (kind, value) {
        ("reject", _) => Stated::Rejected,
        (_, Some(value)) => Stated::Value(value),
        (_, None) => Stated::NotStated,
    })
}

/// Whether a request belongs to a second review: it was kept as one before, or the item waits for one.
pub(crate) async fn is_meant(connection: &mut Connection, item: &ItemRow, key: &str) -> Result<bool, AppError> {
    if second_reviews::by_key(connection, key).await?.is_some() {
        return Ok(true);
    }
    Ok(item.round() == Some(Round::Second) && decisions::by_key(connection, key).await?.is_none())
}

/// Keeps a second review, and with it whether it says the same as the decision that it was drawn for.
pub(crate) async fn keep(
    workspace: &Workspace,
    write: &mut Writing,
    new: &NewDecision<'_>,
    item: &ItemRow,
    catalogue: &Catalogue,
    pen: Option<(&Pen, About<'_>)>,
) -> Result<String, AppError> {
    let first = match &item.drawn_decision {
        Some(first) => decisions::by_id(write.connection(), first).await?,
        None => None,
    };
    let agrees = match &first {
        Some(first) => {
            let first = stated(&first.decision.kind, first.decision.value.as_deref())?;
            says_the_same(catalogue.get(&item.field), &first, &stated(new.kind, new.value)?)
        }
        None => false,
    };
    let row = match write.review_second(new, agrees).await? {
        Reviewed::Before(row) => return Ok(row.second_id),
        Reviewed::Now(row) => row,
    };
    let signature = match pen {
        Some((pen, about)) => signing::sign(workspace, write, &Record::SecondReview(&row, about), Some(pen)).await?,
        None => Value::Null,
    };
    let payload = json!({
        "second_review": row.second_id, "signature": signature, "of": row.decision_id, "kind": new.kind, "record_id": new.record_id,
        "value": new.value.map(String::from_utf8_lossy), "reason": new.reason_code, "note": new.note, "agrees": agrees
    });
    write.audit(
        &actor(write, new.reviewer),
        &new_salt(),
        "queue.second_review",
        new.item_id,
        &payload,
    );
    Ok(row.second_id)
}

/// Takes back a second review, where the id is one of those.
pub(crate) async fn undo(
    write: &mut Writing,
    undo_id: &str,
    second_id: &str,
    key: &str,
    reviewer: &str,
) -> Result<Option<String>, AppError> {
    let Some(undone) = second_reviews::by_id(write.connection(), second_id).await? else {
        return Ok(None);
    };
    let row = match write.undo_second(undo_id, key, &undone, reviewer).await? {
        Reviewed::Before(row) => return Ok(Some(row.second_id)),
        Reviewed::Now(row) => row,
    };
    write.audit(
        &actor(write, reviewer),
        &new_salt(),
        "queue.undo",
        &row.item_id,
        &json!({ "second_review": row.second_id, "undone": second_id }),
    );
    Ok(Some(row.second_id))
}

/// A second review as its reviewer sees it: as a decision.
pub(crate) async fn decision_view(
    connection: &mut Connection,
    row: &SecondReviewRow,
) -> Result<DecisionView, AppError> {
    let record = records::record(connection, &row.record_id).await?;
    let record = record
        .ok_or_else(|| AppError::internal(format!("the workspace is damaged: record {} is missing", row.record_id)))?;
    Ok(DecisionView {
        decision: row.second_id.clone(),
        item: row.item_id.clone(),
        recorded_at: times::text(row.recorded_at),
        kind: row.kind.clone(),
        reviewer: row.reviewer.clone(),
        doc_id: row.doc_id.clone(),
        doc_sha256: row.doc_sha256.clone(),
        field: row.field.clone(),
        value: value_of(row.value.as_deref()),
        reason: row.reason_code.clone(),
        note: row
            .note
            .as_deref()
            .map(|note| String::from_utf8_lossy(note).into_owned()),
        replaces: row.replaces.clone(),
        standing: row.stands(),
        adjudication: false,
        wall_milliseconds: row.wall_ms.map(crate::documents::count),
        confidence: record.confidence,
        model: record.model,
        prompt_version: record.prompt_version,
    })
}

/// A second review as its reviewer sees it, by its id.
pub(crate) async fn one(workspace: &Workspace, second_id: &str) -> Result<DecisionView, AppError> {
    let mut reading = workspace.store.read().await?;
    let row = second_reviews::by_id(&mut reading, second_id).await?;
    let row = row.ok_or_else(|| AppError::internal("a second review vanished"))?;
    decision_view(&mut reading, &row).await
}

fn value_of(kept: Option<&[u8]>) -> Value {
    kept.and_then(|value| serde_json::from_slice(value).ok())
        .unwrap_or(Value::Null)
}

fn stated_view(kind: &str, value: Option<&[u8]>) -> Result<StatedView, AppError> {
    let text = match stated(kind, value)? {
        Stated::Value(value) => value_text(&value),
        Stated::NotStated => "not stated".to_owned(),
        Stated::Rejected => "no value: what the record says is wrong".to_owned(),
    };
    Ok(StatedView {
        value: value_of(value),
        states_a_value: value.is_some(),
        not_stated: value.is_none() && kind != "reject",
        text,
    })
}

/// What the two say who differ, for whoever settles it: unnamed, and in an order that says nothing about who was first.
pub(crate) async fn sides(connection: &mut Connection, item: &ItemRow) -> Result<Option<AdjudicationView>, AppError> {
    let (Some(Round::Adjudication), Some(first_id)) = (item.round(), &item.drawn_decision) else {
        return Ok(None);
    };
    let first = decisions::by_id(connection, first_id).await?;
    let second = second_reviews::last_of(connection, first_id).await?;
    let (Some(first), Some(second)) = (first, second) else {
        return Err(AppError::internal(
            "the workspace is damaged: one of two who differ is missing",
        ));
    };
    let mut sides = [
        stated_view(&first.decision.kind, first.decision.value.as_deref())?,
        stated_view(&second.kind, second.value.as_deref())?,
    ];
    // Ids sort by time; their hashes do not.
    let hash = |id: &str| pincite_core::sha256_hex(id.as_bytes());
    if hash(&second.second_id) < hash(first_id) {
        sides.swap(0, 1);
    }
    let [one, other] = sides;
    Ok(Some(AdjudicationView { one, other }))
}

/// Second reviews in the order made, after the one named, for those who look after the labels.
///
/// # Errors
/// `after` that names none; the store.
pub async fn list(workspace: &Workspace, limit: i64, after: Option<&str>) -> Result<Vec<SecondReviewView>, AppError> {
    let mut reading = workspace.store.read().await?;
    let after = match after {
        None => 0,
        Some(id) => {
            let row = second_reviews::by_id(&mut reading, id).await?;
            row.ok_or_else(|| AppError::not_found(format!("--after names no second review: {id}")))?
                .number
        }
    };
    let rows = second_reviews::list(&mut reading, after, limit).await?;
    Ok(rows
        .into_iter()
        .map(|row| SecondReviewView {
            value: value_of(row.value.as_deref()),
            state: if row.last {
                row.draw_state.clone()
            } else {
                "void".to_owned()
            },
            second_review: row.second_id,
            decision: row.decision_id,
            item: row.item_id,
            field: row.field,
            kind: row.kind,
            reviewer: row.reviewer,
            reason: row.reason_code,
            note: row
                .note
                .as_deref()
                .map(|note| String::from_utf8_lossy(note).into_owned()),
            wall_milliseconds: row.wall_ms.map(crate::documents::count),
            recorded_at: times::text(row.recorded_at),
        })
        .collect())
}
