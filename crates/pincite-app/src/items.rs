//! An item with all a reviewer needs, and nothing that would lean on them: no confidence, no model, no other's decision.
//!
//! Deliberately not here: deciding (`queue`), drawing evidence (`evidence`).

use crate::enter_first;
use crate::error::AppError;
use crate::evidence::citation_view;
use crate::listing::Listing;
use crate::routing::record_of;
use crate::second_review;
use crate::settings;
use crate::times;
use crate::value_text::value_text;
use crate::wire::{CandidateView, FieldSchemaView, HistoryLine, ItemView, PassageValue};
use crate::workspace::Workspace;
use pincite_core::record::{Catalogue, FieldRecord, FieldType, Status, check, violations};
use pincite_store::items::Round;
use pincite_store::records::{self, RecordRow};
use pincite_store::{Connection, decisions, held_for_later, items, second_reviews};

async fn candidate(
    connection: &mut Connection,
    row: &RecordRow,
    catalogue: &Catalogue,
) -> Result<CandidateView, AppError> {
    let record = record_of(row)?;
    let citations = records::citations_of(connection, &row.record_id).await?;
    Ok(CandidateView {
        record_id: row.record_id.clone(),
        status: row.status.clone(),
        value_text: value_text(&record.value),
        passage_values: passage_values(&record, catalogue, citations.len()),
        violations: violations(&record, catalogue).iter().map(ToString::to_string).collect(),
        value: record.value,
        citations: citations.iter().map(citation_view).collect(),
        recorded_at: times::text(row.recorded_at),
    })
}

/// What each citation of a conflict says: known only where the record has one value of the field's type for each of them.
/// A list of texts under a field of lists may be one value, so it tells nothing.
fn passage_values(record: &FieldRecord, catalogue: &Catalogue, citations: usize) -> Vec<PassageValue> {
    let (Status::Conflicting, Some(field), Some(values)) =
        (record.status, catalogue.get(&record.field), record.value.as_array())
    else {
        return Vec::new();
    };
    let fits =
        |value: &serde_json::Value| check(field, value).is_ok() && (field.kind != FieldType::List || value.is_array());
    if values.len() != citations || !values.iter().all(fits) {
        return Vec::new();
    }
    let said = |value: &serde_json::Value| PassageValue {
        value: value.clone(),
        text: value_text(value),
    };
    values.iter().map(said).collect()
}

pub(crate) fn schema(catalogue: &Catalogue, field: &str) -> FieldSchemaView {
    match catalogue.get(field) {
        Some(definition) => FieldSchemaView {
            field: field.to_owned(),
            title: definition.title.clone(),
            guidance: definition.guidance.clone(),
            kind: Some(definition.kind.name().to_owned()),
            unit: definition.unit.clone(),
            values: definition.values.clone(),
            hard: definition.hard,
        },
        None => FieldSchemaView {
            field: field.to_owned(),
            title: field.to_owned(),
            guidance: String::new(),
            kind: None,
            unit: None,
            values: Vec::new(),
            hard: false,
        },
    }
}

/// An item as its reviewer sees it before deciding. Where a value is to be entered first, nothing that tells the candidate is
/// in it, newer ones and their history included.
///
/// # Errors
/// No such item; the store.
pub async fn item(workspace: &Workspace, item_id: &str, reviewer: &str, unblind: bool) -> Result<ItemView, AppError> {
    let now = workspace.store.now().await?;
    let mut reading = workspace.store.read().await?;
    let row = items::item(&mut reading, now, item_id).await?;
    let row =
        row.ok_or_else(|| AppError::not_found(format!("there is no item {item_id}; `pincite queue list` names them")))?;
    let catalogue = settings::catalogue_in(&mut reading).await?;
    let candidates = records::candidates(&mut reading, &row.doc_id, &row.doc_sha256, &row.field).await?;
    let second = row.round() == Some(Round::Second);
    let own = candidates.iter().find(|candidate| candidate.record_id == row.record_id);
    let own = own
        .ok_or_else(|| AppError::internal(format!("the workspace is damaged: record {} is missing", row.record_id)))?;
    let mut listing = Listing::of(&mut reading, reviewer, unblind).await?;
    let hidden = listing.hides_candidate(&mut reading, &row).await?;
    let mut newer = Vec::new();
    // A second reviewer sees what there was for the first, and nothing that came later.
    let seen = |later: &RecordRow| !second || row.drawn_at.is_some_and(|at| later.recorded_at <= at);
    let newer_ones = candidates.iter().filter(|later| !hidden && later.number > own.number);
    for later in newer_ones.filter(|later| seen(later)) {
        newer.push(candidate(&mut reading, later, &catalogue).await?);
    }
    let mut history = vec![HistoryLine {
        at: times::text(own.recorded_at),
        text: "extracted and imported".into(),
    }];
    // Runs that agree are one line: when it was said last, and how often.
    let mut sayings: Vec<(&str, &str, usize)> = Vec::new();
    for later in &newer {
        let says = if later.value_text.is_empty() {
            "not stated"
        } else {
            later.value_text.as_str()
        };
        match sayings.iter_mut().find(|(_, known, _)| *known == says) {
            Some(saying) => *saying = (&later.recorded_at, says, saying.2 + 1),
            None => sayings.push((&later.recorded_at, says, 1)),
        }
    }
    for (at, says, times) in sayings {
        let who = if times == 1 {
            "a newer extraction says".to_owned()
        } else {
            format!("{times} newer extractions say")
        };
        history.push(HistoryLine {
            at: at.to_owned(),
            text: format!("{who} {says}"),
        });
    }
    // Others' decisions stay hidden until one's own is made.
    let mut events = Vec::new();
    for decision in decisions::of_item(&mut reading, item_id).await? {
        if decision.reviewer == reviewer {
            let text = match decision.kind.as_str() {
                "undo" => "you took it back".to_owned(),
                kind => format!("you decided: {kind}"),
            };
            events.push((decision.recorded_at, text));
        }
    }
    for review in second_reviews::of_item_by(&mut reading, item_id, reviewer).await? {
        let text = match review.kind.as_str() {
            "undo" => "you took it back".to_owned(),
            kind => format!("you decided: {kind}"),
        };
        events.push((review.recorded_at, text));
    }
    let held = held_for_later::events(&mut reading, item_id).await?;
    // What others did with it before would tell a second reviewer that this is a second review.
    let known = |at: i64| !second || row.drawn_at.is_some_and(|decided| at > decided);
    for event in held.into_iter().filter(|event| known(event.recorded_at)) {
        let text = match event.note.as_deref().map(String::from_utf8_lossy) {
            Some(note) => format!("{} held it for later: {note}", event.who),
            None => format!("{} took it up", event.who),
        };
        events.push((event.recorded_at, text));
    }
    events.sort_by_key(|(at, _)| *at);
    history.extend(events.into_iter().map(|(at, text)| HistoryLine {
        at: times::text(at),
        text,
    }));
    Ok(ItemView {
        schema: schema(&catalogue, &row.field),
        candidate: if hidden {
            None
        } else {
            Some(candidate(&mut reading, own, &catalogue).await?)
        },
        entry: enter_first::entry(&mut reading, item_id, reviewer, own, &catalogue).await?,
        adjudication: if items::is_theirs(&mut reading, &row, reviewer).await? {
            second_review::sides(&mut reading, &row).await?
        } else {
            None
        },
        item: listing.item(&mut reading, &row).await?,
        newer,
        history,
    })
}

#[cfg(test)]
#[path = "items_tests.rs"]
mod tests;
