//! The queue's use cases: listing, counting, claiming, renewing, releasing, holding for later, deciding, undoing.
//!
//! Deliberately not here: what an item shows (`items`), the order (the store's index, as `pincite-core::queue` has it).

use crate::calibrate::counts;
use crate::documents::count;
use crate::error::AppError;
use crate::floors;
use crate::incidents;
use crate::ports::{new_id, new_salt};
use crate::times;
use crate::wire::{
    Claim, DecideRequest, DecisionView, Hold, QueueChoice, QueueChoicesView, QueueFilter, QueueItem, QueueStats,
    Verdict,
};
use crate::workspace::{Workspace, local_actor};
use pincite_core::record::{Catalogue, FieldRecord, Status, check};
use pincite_store::decisions::{self, NewDecision, PlacedDecision};
use pincite_store::items::{self, ItemRow, QueuePart};
use pincite_store::{Connection, documents, records};
use serde_json::{Value, json};
use std::collections::HashMap;

/// The reason a reviewer sees: low confidence and audits read the same.
#[must_use]
pub fn blind(reason: &str) -> &str {
    match reason {
        "low_confidence" | "sample_audit" => "check_value",
        other => other,
    }
}

/// Titles by version and first locators, looked up once for a list.
#[derive(Debug, Default)]
pub(crate) struct Names {
    titles: HashMap<(String, String), String>,
}

impl Names {
    pub(crate) async fn title(
        &mut self,
        connection: &mut Connection,
        doc_id: &str,
        doc_sha256: &str,
    ) -> Result<String, AppError> {
        let key = (doc_id.to_owned(), doc_sha256.to_owned());
        if let Some(title) = self.titles.get(&key) {
            return Ok(title.clone());
        }
        let row = documents::versions_of(connection, doc_id, doc_sha256)
            .await?
            .into_iter()
            .next();
        let title = row.map_or_else(
            || doc_id.to_owned(),
            |row| String::from_utf8_lossy(&row.title).into_owned(),
        );
        self.titles.insert(key, title.clone());
        Ok(title)
    }

    pub(crate) async fn item(
        &mut self,
        connection: &mut Connection,
        row: &ItemRow,
        unblind: bool,
    ) -> Result<QueueItem, AppError> {
        let citations = records::citations_of(connection, &row.record_id).await?;
        Ok(QueueItem {
            item: row.item_id.clone(),
            item_version: row.item_version,
            doc_id: row.doc_id.clone(),
            doc_sha256: row.doc_sha256.clone(),
            field: row.field.clone(),
            reason: if unblind {
                row.reason.clone()
            } else {
                blind(&row.reason).to_owned()
            },
            hard: row.hard,
            due_at: row.due_at.map(times::text),
            created_at: times::text(row.created_at),
            held_by: row.held_by.clone(),
            held_until: row.held_until.map(times::text),
            held_for_later_by: row.later_by.clone(),
            held_for_later_at: row.later_at.map(times::text),
            hold_note: row
                .later_note
                .as_deref()
                .map(|note| String::from_utf8_lossy(note).into_owned()),
            title: self.title(connection, &row.doc_id, &row.doc_sha256).await?,
            locator: citations.first().and_then(|citation| citation.citation().locator),
        })
    }
}

fn part<'a>(filter: &'a QueueFilter, reviewer: &'a str) -> QueuePart<'a> {
    QueuePart {
        held_by: filter.mine.then_some(reviewer),
        hard: filter.hard,
        overdue: filter.overdue,
        field: filter.field.as_deref(),
        doc_id: filter.doc_id.as_deref(),
    }
}

/// How much a filter leaves of the queue, and what can be filtered by.
///
/// # Errors
/// The store.
pub async fn choices(
    workspace: &Workspace,
    filter: &QueueFilter,
    reviewer: &str,
) -> Result<QueueChoicesView, AppError> {
    let mut reading = workspace.store.read().await?;
    let now = workspace.store.now().await?;
    let choices = items::queue_choices(&mut reading, now, part(filter, reviewer)).await?;
    let named = |counted: Vec<(String, i64)>| {
        let one = |(name, items)| QueueChoice {
            name,
            items: count(items),
        };
        counted.into_iter().map(one).collect()
    };
    Ok(QueueChoicesView {
        matching: count(choices.matching),
        fields: named(choices.fields),
        documents: named(choices.documents),
    })
}

/// Open items in order, those that a filter leaves; the reviewer is who "mine" means.
///
/// # Errors
/// The store; `after` that names no item.
pub async fn list(
    workspace: &Workspace,
    limit: i64,
    after: Option<&str>,
    filter: &QueueFilter,
    reviewer: &str,
    unblind: bool,
) -> Result<Vec<QueueItem>, AppError> {
    let mut reading = workspace.store.read().await?;
    let now = workspace.store.now().await?;
    let rows = items::open_items(&mut reading, now, part(filter, reviewer), after, limit).await?;
    let mut names = Names::default();
    let mut list = Vec::with_capacity(rows.len());
    for row in &rows {
        list.push(names.item(&mut reading, row, unblind).await?);
    }
    Ok(list)
}

/// The first item that nobody holds, now or for later, without claiming it.
///
/// # Errors
/// The store.
pub async fn next(workspace: &Workspace, unblind: bool) -> Result<Option<QueueItem>, AppError> {
    let now = workspace.store.now().await?;
    let mut reading = workspace.store.read().await?;
    match items::next_free(&mut reading, now).await? {
        None => Ok(None),
        Some(row) => Names::default().item(&mut reading, &row, unblind).await.map(Some),
    }
}

/// Counts of the queue, and of a reviewer's day.
///
/// # Errors
/// The store.
pub async fn stats(workspace: &Workspace, reviewer: &str) -> Result<QueueStats, AppError> {
    let now = workspace.store.now().await?;
    let mut reading = workspace.store.read().await?;
    let counts = items::counts(&mut reading, now).await?;
    let holds = items::holds(&mut reading, now).await?;
    let midnight = times::start_of_day(now);
    let recent = decisions::recent_of(&mut reading, reviewer, 2_000).await?;
    let today: Vec<&PlacedDecision> = recent
        .iter()
        .filter(|placed| placed.decision.recorded_at >= midnight && placed.decision.kind != "undo")
        .collect();
    let mut wall: Vec<i64> = today.iter().filter_map(|placed| placed.decision.wall_ms).collect();
    wall.sort_unstable();
    Ok(QueueStats {
        open: count(counts.open),
        hard: count(counts.hard),
        overdue: count(counts.overdue),
        held: count(counts.held),
        held_for_later: count(counts.later),
        decided: count(counts.decided),
        oldest_at: counts.oldest.map(times::text),
        holds: holds
            .into_iter()
            .map(|(item, held_by, until)| Hold {
                item,
                held_by,
                held_until: times::text(until),
            })
            .collect(),
        decided_today: u32::try_from(today.len()).unwrap_or(u32::MAX),
        median_milliseconds: wall.get(wall.len() / 2).map(|milliseconds| count(*milliseconds)),
    })
}

/// Claims an item, or the next free one. `None` where the queue has nothing free. An item held for later is taken up by a
/// claim of its id, and by no other.
///
/// # Errors
/// No such item, decided already, held by somebody else; the store.
pub async fn claim(workspace: &Workspace, item: Option<&str>, reviewer: &str) -> Result<Option<Claim>, AppError> {
    workspace.ensure_reviewer(reviewer).await?;
    let lease = workspace.lease_milliseconds().await?;
    let mut write = workspace.store.write().await?;
    let now = write.now;
    let item_id = match item {
        Some(item) => item.to_owned(),
        None => match items::next_free(write.connection(), now).await? {
            Some(row) => row.item_id,
            None => return Ok(None),
        },
    };
    let waited = items::item(write.connection(), now, &item_id)
        .await?
        .is_some_and(|row| row.later_by.is_some());
    let row = write.lease(&new_id(), &item_id, reviewer, lease).await?;
    let token = row.token.unwrap_or_default();
    let payload = if waited {
        json!({ "token": token, "held_for_later": false })
    } else {
        json!({ "token": token })
    };
    write
        .audit(&local_actor(reviewer), &new_salt(), "queue.claim", &item_id, &payload)
        .await?;
    write.commit().await?;
    Ok(Some(Claim {
        item: row.item_id,
        item_version: row.item_version,
        token,
        expires_at: times::text(row.held_until.unwrap_or(now + lease)),
    }))
}

/// Lengthens a lease that still runs.
///
/// # Errors
/// The lease has run out or passed on; the store.
pub async fn renew(workspace: &Workspace, item: &str, token: i64) -> Result<Claim, AppError> {
    let lease = workspace.lease_milliseconds().await?;
    let mut write = workspace.store.write().await?;
    let until = write.renew(item, token, lease).await?;
    let now = write.now;
    let row = items::item(write.connection(), now, item).await?;
    write.commit().await?;
    let item_version = row.map(|row| row.item_version).unwrap_or_default();
    Ok(Claim {
        item: item.to_owned(),
        item_version,
        token,
        expires_at: times::text(until),
    })
}

/// Gives an item back.
///
/// # Errors
/// The lease has run out or passed on; the store.
pub async fn release(workspace: &Workspace, item: &str, token: i64) -> Result<Claim, AppError> {
    let mut write = workspace.store.write().await?;
    let now = write.now;
    let holder = write.release(item, token).await?;
    write
        .audit(
            &local_actor(&holder),
            &new_salt(),
            "queue.release",
            item,
            &json!({ "token": token }),
        )
        .await?;
    let row = items::item(write.connection(), now, item).await?;
    write.commit().await?;
    Ok(Claim {
        item: item.to_owned(),
        item_version: row.map(|row| row.item_version).unwrap_or_default(),
        token,
        expires_at: times::text(now),
    })
}

/// Holds an item for later: it is nobody's next until somebody claims it by its id. One's own lease on it ends. Holding it
/// again gives it the new note.
///
/// # Errors
/// No note, no such item, decided already, held by somebody else; the store.
pub async fn hold_for_later(
    workspace: &Workspace,
    item: &str,
    note: &str,
    reviewer: &str,
) -> Result<QueueItem, AppError> {
    let note = note.trim();
    if note.is_empty() {
        return Err(AppError::bad_input(format!(
            "item {item}: say with --note why it waits, for whoever takes it up"
        )));
    }
    workspace.ensure_reviewer(reviewer).await?;
    let mut write = workspace.store.write().await?;
    let now = write.now;
    write.hold_for_later(item, note, reviewer).await?;
    write
        .audit(
            &local_actor(reviewer),
            &new_salt(),
            "queue.hold",
            item,
            &json!({ "note": note }),
        )
        .await?;
    let row = items::item(write.connection(), now, item).await?;
    let row = row.ok_or_else(|| AppError::internal("an item vanished"))?;
    let held = Names::default().item(write.connection(), &row, false).await?;
    write.commit().await?;
    Ok(held)
}

/// Reason codes that a rejection takes.
pub const REJECT_CODES: [&str; 5] = ["wrong_value", "wrong_passage", "wrong_document", "unreadable", "other"];
/// Reason codes that an abstention takes.
pub const ABSTAIN_CODES: [&str; 4] = ["not_stated", "not_applicable", "refers_elsewhere", "other"];

fn code_of(code: &str, known: &[&'static str]) -> Result<String, AppError> {
    if known.contains(&code) {
        Ok(code.to_owned())
    } else {
        Err(AppError::bad_input(format!(
            "the reason {code:?} is unknown: say one of {}",
            known.join(", ")
        )))
    }
}

/// Whether the value that a decision states can be true of its field: it is of the field's type, or there is none.
fn states_a_truth(verdict: &Verdict, record: &FieldRecord, catalogue: &Catalogue) -> Result<(), AppError> {
    let value = match (verdict, record.status) {
        (Verdict::Accept, Status::Conflicting) => {
            return Err(AppError::bad_input(
                "two passages disagree: state the true value with correct, or reject",
            ));
        }
        (Verdict::Accept, Status::Absent) if !record.value.is_null() => {
            return Err(AppError::bad_input(
                "the record says absent and has a value: state the true value with correct, or abstain",
            ));
        }
        (Verdict::Accept, Status::Present) => &record.value,
        (Verdict::Correct { value }, _) => value,
        _ => return Ok(()),
    };
    let field = catalogue.get(&record.field).ok_or_else(|| {
        AppError::bad_input(format!(
            "the field {} is not in the catalogue, so no value can be stated for it: add it, or reject",
            record.field
        ))
    })?;
    let remedy = if matches!(verdict, Verdict::Accept) {
        "; state the true value with correct, or reject"
    } else {
        ""
    };
    check(field, value)
        .map(|_| ())
        .map_err(|error| AppError::bad_input(format!("the value for {}: {error}{remedy}", record.field)))
}

/// Decides an item. The same key again answers the decision that was made.
///
/// # Errors
/// A value that is not of the field's type, an unknown reason; the lease is lost, the item moved or is decided; the store.
pub async fn decide(workspace: &Workspace, request: &DecideRequest, reviewer: &str) -> Result<DecisionView, AppError> {
    if request.key.trim().is_empty() || request.key.len() > 200 {
        return Err(AppError::bad_input(
            "a decision needs the caller's key, 1 to 200 bytes: --key",
        ));
    }
    workspace.ensure_reviewer(reviewer).await?;
    let mut write = workspace.store.write().await?;
    let now = write.now;
    let item = items::item(write.connection(), now, &request.item).await?;
    let item = item.ok_or_else(|| {
        AppError::not_found(format!(
            "there is no item {}; `pincite queue list` names them",
            request.item
        ))
    })?;
    let record_id = request.record_id.clone().unwrap_or_else(|| item.record_id.clone());
    let row = records::record(write.connection(), &record_id).await?;
    let row =
        row.filter(|row| row.doc_id == item.doc_id && row.doc_sha256 == item.doc_sha256 && row.field == item.field);
    let row =
        row.ok_or_else(|| AppError::bad_input(format!("record {record_id} is no candidate of item {}", request.item)))?;
    let record = crate::routing::record_of(&row)?;
    let (kind, value, reason) = match &request.verdict {
        Verdict::Accept => (
            "accept",
            (record.status == Status::Present).then(|| record.value.clone()),
            None,
        ),
        Verdict::Correct { value } => ("correct", Some(value.clone()), None),
        Verdict::Reject { reason } => ("reject", None, Some(code_of(reason, &REJECT_CODES)?)),
        Verdict::Abstain { reason } => ("abstain", None, Some(code_of(reason, &ABSTAIN_CODES)?)),
    };
    // What was decided before is answered as it was, whatever the catalogue says by now.
    let catalogue = crate::settings::catalogue_in(write.connection()).await?;
    if decisions::by_key(write.connection(), &request.key).await?.is_none() {
        states_a_truth(&request.verdict, &record, &catalogue)?;
    }
    let value = value.map(|value| value.to_string().into_bytes());
    let active = request.active_milliseconds.map(i64::from);
    let floor = match active {
        Some(_) => Some(floors::in_force(write.connection(), &item.field).await?),
        None => None,
    };
    let decision_id = new_id();
    let new = NewDecision {
        decision_id: &decision_id,
        caller_key: &request.key,
        item_id: &request.item,
        item_version: request.item_version,
        token: request.token,
        reviewer,
        kind,
        record_id: &record_id,
        value: value.as_deref(),
        reason_code: reason.as_deref(),
        note: request.note.as_deref().filter(|note| !note.trim().is_empty()),
        wall_ms: request.wall_milliseconds.map(i64::from),
        active_ms: active,
        floor_ms: floor.and_then(|floor| i64::try_from(floor).ok()),
        shown_sha256: None,
    };
    let decided = write.decide(&new).await?;
    if let decisions::Decided::Now(row) = &decided {
        let payload = json!({
            "decision": row.decision_id, "kind": kind, "record_id": record_id, "replaces": row.replaces,
            "value": value.as_deref().map(String::from_utf8_lossy), "reason": reason, "note": new.note
        });
        write
            .audit(
                &local_actor(reviewer),
                &new_salt(),
                "queue.decide",
                &request.item,
                &payload,
            )
            .await?;
        incidents::watch(&mut write, &decision_id, reviewer).await?;
        if let Some(active) = active {
            floors::gather(&mut write, &decision_id, &item.field, reviewer, active).await?;
        }
        counts::settle(&mut write, &catalogue).await?;
    }
    write.commit().await?;
    one(workspace, &decided.row().decision_id).await
}

/// Takes back the decision that an item rests on.
///
/// # Errors
/// It is not the item's last, or another's; the store.
pub async fn undo(workspace: &Workspace, decision: &str, key: &str, reviewer: &str) -> Result<DecisionView, AppError> {
    if key.trim().is_empty() || key.len() > 200 {
        return Err(AppError::bad_input(
            "an undo needs the caller's key, 1 to 200 bytes: --key",
        ));
    }
    workspace.ensure_reviewer(reviewer).await?;
    let mut write = workspace.store.write().await?;
    let decided = write.undo(&new_id(), key, decision, reviewer).await?;
    if let decisions::Decided::Now(row) = &decided {
        write
            .audit(
                &local_actor(reviewer),
                &new_salt(),
                "queue.undo",
                &row.item_id,
                &json!({ "decision": row.decision_id, "undone": decision }),
            )
            .await?;
        let catalogue = crate::settings::catalogue_in(write.connection()).await?;
        counts::settle(&mut write, &catalogue).await?;
    }
    write.commit().await?;
    one(workspace, &decided.row().decision_id).await
}

async fn one(workspace: &Workspace, decision_id: &str) -> Result<DecisionView, AppError> {
    let mut reading = workspace.store.read().await?;
    let placed = decisions::by_id(&mut reading, decision_id)
        .await?
        .ok_or_else(|| AppError::internal("a decision vanished"))?;
    view(&mut reading, &placed).await
}

pub(crate) async fn view(connection: &mut Connection, placed: &PlacedDecision) -> Result<DecisionView, AppError> {
    let decision = &placed.decision;
    let record = records::record(connection, &decision.record_id).await?;
    let record = record.ok_or_else(|| {
        AppError::internal(format!(
            "the workspace is damaged: record {} is missing",
            decision.record_id
        ))
    })?;
    let last = decisions::last_of_item(connection, &decision.item_id).await?;
    let value = decision
        .value
        .as_deref()
        .and_then(|value| serde_json::from_slice(value).ok())
        .unwrap_or(Value::Null);
    Ok(DecisionView {
        decision: decision.decision_id.clone(),
        item: decision.item_id.clone(),
        recorded_at: times::text(decision.recorded_at),
        kind: decision.kind.clone(),
        reviewer: decision.reviewer.clone(),
        doc_id: placed.doc_id.clone(),
        doc_sha256: placed.doc_sha256.clone(),
        field: placed.field.clone(),
        value,
        reason: decision.reason_code.clone(),
        note: decision
            .note
            .as_deref()
            .map(|note| String::from_utf8_lossy(note).into_owned()),
        replaces: decision.replaces.clone(),
        standing: decision.kind != "undo" && last.is_some_and(|last| last.decision_id == decision.decision_id),
        wall_milliseconds: decision.wall_ms.map(count),
        confidence: record.confidence,
        model: record.model,
        prompt_version: record.prompt_version,
    })
}

/// Decisions in the order made, after the one named.
///
/// # Errors
/// `after` that names no decision; the store.
pub async fn decision_list(
    workspace: &Workspace,
    limit: i64,
    after: Option<&str>,
) -> Result<Vec<DecisionView>, AppError> {
    let mut reading = workspace.store.read().await?;
    let after = match after {
        None => 0,
        Some(id) => {
            let placed = decisions::by_id(&mut reading, id).await?;
            placed
                .ok_or_else(|| AppError::not_found(format!("--after names no decision: {id}")))?
                .decision
                .number
        }
    };
    let mut views = Vec::new();
    for placed in decisions::decisions(&mut reading, after, limit).await? {
        views.push(view(&mut reading, &placed).await?);
    }
    Ok(views)
}

/// A reviewer's last decisions, newest first, undos left out.
///
/// # Errors
/// The store.
pub async fn recent(workspace: &Workspace, reviewer: &str, limit: i64) -> Result<Vec<DecisionView>, AppError> {
    let mut reading = workspace.store.read().await?;
    let mut views = Vec::new();
    for placed in decisions::recent_of(&mut reading, reviewer, limit.saturating_mul(3)).await? {
        let view = view(&mut reading, &placed).await?;
        if view.standing && i64::try_from(views.len()).unwrap_or(i64::MAX) < limit {
            views.push(view);
        }
    }
    Ok(views)
}
