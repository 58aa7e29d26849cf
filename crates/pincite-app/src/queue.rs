//! The queue's use cases: listing, counting, claiming, renewing, releasing, deciding, undoing.
//!
//! Deliberately not here: what an item shows (`listing`, `items`), entering a value before it is seen (`enter_first`), second
//! reviews (`second_review`), who holds what and holding for later (`holds`), the order (the store's index, as
//! `pincite-core::queue` has it).

use crate::calibrate::counts;
use crate::documents::count;
use crate::enter_first;
use crate::error::AppError;
use crate::floors;
use crate::incidents;
use crate::listing::Listing;
use crate::ports::{new_id, new_salt};
use crate::reading_times;
use crate::second_review;
use crate::signing::{self, About, Record};
use crate::times;
use crate::wire::{
    Claim, DecideRequest, DecisionView, Hold, QueueChoice, QueueChoicesView, QueueFilter, QueueItem, QueueStats,
    Verdict,
};
use crate::workspace::{Workspace, actor};
use pincite_core::queue::Spent;
use pincite_core::record::{Catalogue, FieldRecord, Status, check};
use pincite_store::decisions::{self, NewDecision, PlacedDecision};
use pincite_store::items::{self, QueuePart};
use pincite_store::{Connection, StoreError, queue_counts, records, second_reviews};
use serde_json::{Value, json};

fn part<'a>(filter: &'a QueueFilter, reviewer: &'a str) -> QueuePart<'a> {
    QueuePart {
        reviewer,
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
    let now = workspace.store.now().await?;
    let mut reading = workspace.store.read().await?;
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
    let now = workspace.store.now().await?;
    let mut reading = workspace.store.read().await?;
    let rows = items::open_items(&mut reading, now, part(filter, reviewer), after, limit).await?;
    let mut listing = Listing::of(&mut reading, reviewer, unblind).await?;
    let mut list = Vec::with_capacity(rows.len());
    for row in &rows {
        list.push(listing.item(&mut reading, row).await?);
    }
    Ok(list)
}

/// The first item that nobody holds, now or for later, without claiming it, as this reviewer finds it.
///
/// # Errors
/// The store.
pub async fn next(workspace: &Workspace, reviewer: &str, unblind: bool) -> Result<Option<QueueItem>, AppError> {
    let now = workspace.store.now().await?;
    let mut reading = workspace.store.read().await?;
    match items::next_free(&mut reading, now, reviewer).await? {
        None => Ok(None),
        Some(row) => {
            let mut listing = Listing::of(&mut reading, reviewer, unblind).await?;
            listing.item(&mut reading, &row).await.map(Some)
        }
    }
}

/// Counts of the queue, and of a reviewer's day.
///
/// # Errors
/// The store.
pub async fn stats(workspace: &Workspace, reviewer: &str) -> Result<QueueStats, AppError> {
    let now = workspace.store.now().await?;
    let mut reading = workspace.store.read().await?;
    let counts = queue_counts::counts(&mut reading, now, reviewer).await?;
    let holds = queue_counts::holds(&mut reading, now, reviewer).await?;
    let midnight = times::start_of_day(now);
    let recent = decisions::recent_of(&mut reading, reviewer, 2_000).await?;
    let today: Vec<&PlacedDecision> = recent
        .iter()
        .filter(|placed| placed.decision.recorded_at >= midnight && placed.decision.kind != "undo")
        .collect();
    let mut wall: Vec<i64> = today.iter().filter_map(|placed| placed.decision.wall_ms).collect();
    let again = second_reviews::recent_of(&mut reading, reviewer, 2_000).await?;
    let again = again
        .iter()
        .filter(|row| row.recorded_at >= midnight && row.kind != "undo");
    let decided_today = today.len() + again.clone().count();
    wall.extend(again.filter_map(|row| row.wall_ms));
    wall.sort_unstable();
    Ok(QueueStats {
        open: count(counts.open),
        hard: count(counts.hard),
        overdue: count(counts.overdue),
        held: count(counts.held),
        held_for_later: count(counts.later),
        decided: count(counts.decided),
        second_reviews: count(counts.second_reviews),
        adjudications: count(counts.adjudications),
        without_a_third: count(counts.without_a_third),
        oldest_at: counts.oldest.map(times::text),
        holds: holds
            .into_iter()
            .map(|(item, held_by, until)| Hold {
                item,
                held_by,
                held_until: times::text(until),
            })
            .collect(),
        decided_today: u32::try_from(decided_today).unwrap_or(u32::MAX),
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
    loop {
        let mut write = workspace.store.write_lease().await?;
        let now = write.now;
        let item_id = match item {
            Some(item) => item.to_owned(),
            None => match write.take_next_free(reviewer).await? {
                Some(item_id) => item_id,
                None => return Ok(None),
            },
        };
        let (row, waited) = match write.lease(&new_id(), &item_id, reviewer, lease).await {
            // Somebody else leased it between the look and the lock: the next one, then.
            Err(StoreError::Refused {
                code: "held" | "already_decided",
                ..
            }) if item.is_none() => continue,
            leased => leased?,
        };
        let token = row.token.unwrap_or_default();
        let payload = if waited {
            json!({ "token": token, "held_for_later": false })
        } else {
            json!({ "token": token })
        };
        write.audit(&actor(&write, reviewer), &new_salt(), "queue.claim", &item_id, &payload);
        write.commit().await?;
        return Ok(Some(Claim {
            item: row.item_id,
            item_version: row.item_version,
            token,
            expires_at: times::text(row.held_until.unwrap_or(now + lease)),
        }));
    }
}

/// Lengthens a lease that still runs.
///
/// # Errors
/// The lease has run out or passed on; the store.
pub async fn renew(workspace: &Workspace, item: &str, token: i64) -> Result<Claim, AppError> {
    let lease = workspace.lease_milliseconds().await?;
    let mut write = workspace.store.write_lease().await?;
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
    let mut write = workspace.store.write_lease().await?;
    let now = write.now;
    let holder = write.release(item, token).await?;
    if write.acting().is_some_and(|(reader, _)| reader != holder) {
        return Err(AppError::forbidden(format!(
            "item {item} is held by {holder}: nobody else gives it back; nothing was written"
        )));
    }
    write.audit(
        &actor(&write, &holder),
        &new_salt(),
        "queue.release",
        item,
        &json!({ "token": token }),
    );
    let row = items::item(write.connection(), now, item).await?;
    write.commit().await?;
    Ok(Claim {
        item: item.to_owned(),
        item_version: row.map(|row| row.item_version).unwrap_or_default(),
        token,
        expires_at: times::text(now),
    })
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

/// Decides an item; where it waits for a second review, keeps that. The same key again answers what was made.
///
/// # Errors
/// A value that is not of the field's type, an unknown reason, a value that is to be entered first and was not; the lease is
/// lost, the item moved or is decided; the store.
pub async fn decide(workspace: &Workspace, request: &DecideRequest, reviewer: &str) -> Result<DecisionView, AppError> {
    if request.key.trim().is_empty() || request.key.len() > 200 {
        return Err(AppError::bad_input(
            "a decision needs the caller's key, 1 to 200 bytes: --key",
        ));
    }
    workspace.ensure_reviewer(reviewer).await?;
    let pen = signing::pen(workspace, reviewer, request.signature.as_ref()).await?;
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
    let catalogue = crate::settings::catalogue_in(write.connection()).await?;
    let second = second_review::is_meant(write.connection(), &item, &request.key).await?;
    // What was decided before is answered as it was, whatever the catalogue says by now.
    let before = decisions::by_key(write.connection(), &request.key).await?.is_some()
        || second_reviews::by_key(write.connection(), &request.key)
            .await?
            .is_some();
    if !before {
        signing::check(write.connection(), kind, pen.as_ref()).await?;
        states_a_truth(&request.verdict, &record, &catalogue)?;
        if enter_first::is_asked(write.connection(), &item, reviewer, &catalogue).await? {
            return Err(AppError::bad_input(format!(
                "the value of item {} is entered before its candidate is seen: say it with `pincite queue enter`, then \
                 decide; nothing was written",
                request.item
            )));
        }
        let settles = item.is_disputed() && item.held_by.as_deref() == Some(reviewer);
        if settles && kind == "reject" {
            return Err(AppError::bad_input(format!(
                "two reviewers differ about item {}: state the true value, or that there is none, or give the item back",
                request.item
            )));
        }
    }
    let value = value.map(|value| value.to_string().into_bytes());
    reading_times::keep_in(&mut write, &request.item, &request.segments, reviewer).await?;
    let reading = reading_times::uncounted(write.connection(), &request.item, reviewer).await?;
    let milliseconds = |of: fn(&Spent) -> u64| reading.spent.as_ref().and_then(|spent| i64::try_from(of(spent)).ok());
    let (wall, active) = (milliseconds(|spent| spent.wall), milliseconds(|spent| spent.active));
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
        wall_ms: wall,
        active_ms: active,
        floor_ms: floor.and_then(|floor| i64::try_from(floor).ok()),
        shown_sha256: None,
    };
    let about = About {
        doc_id: &item.doc_id,
        doc_sha256: &item.doc_sha256,
        field: &item.field,
        candidate: &row.body_sha256,
    };
    if second {
        let pen = pen.as_ref().map(|pen| (pen, about));
        let second_id = second_review::keep(workspace, &mut write, &new, &item, &catalogue, pen).await?;
        // Not where it had been made before: what was read since belongs to the next one.
        if second_id == decision_id {
            write.count_segments(&second_id, &reading.segments).await?;
        }
        counts::settle(&mut write, &catalogue).await?;
        write.commit().await?;
        return second_review::one(workspace, &second_id).await;
    }
    let decided = write.decide(&new).await?;
    if let decisions::Decided::Now(row) = &decided {
        write.count_segments(&decision_id, &reading.segments).await?;
        second_review::draw(&mut write, &item, row).await?;
        let signature = signing::sign(workspace, &mut write, &Record::Decision(row, about), pen.as_ref()).await?;
        let payload = json!({
            "decision": row.decision_id, "signature": signature, "kind": kind, "record_id": record_id, "replaces": row.replaces,
            "value": value.as_deref().map(String::from_utf8_lossy), "reason": reason, "note": new.note
        });
        write.audit(
            &actor(&write, reviewer),
            &new_salt(),
            "queue.decide",
            &request.item,
            &payload,
        );
        incidents::watch(&mut write, &decision_id, reviewer).await?;
        if let Some(active) = active {
            floors::gather(&mut write, &decision_id, &item.field, reviewer, active).await?;
        }
        counts::settle(&mut write, &catalogue).await?;
    }
    write.commit().await?;
    one(workspace, &decided.row().decision_id).await
}

/// Takes back the decision that an item rests on, or one's own second review.
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
    let undo_id = new_id();
    if let Some(undone) = second_review::undo(&mut write, &undo_id, decision, key, reviewer).await? {
        let catalogue = crate::settings::catalogue_in(write.connection()).await?;
        counts::settle(&mut write, &catalogue).await?;
        write.commit().await?;
        return second_review::one(workspace, &undone).await;
    }
    let decided = write.undo(&undo_id, key, decision, reviewer).await?;
    if let decisions::Decided::Now(row) = &decided {
        write.audit(
            &actor(&write, reviewer),
            &new_salt(),
            "queue.undo",
            &row.item_id,
            &json!({ "decision": row.decision_id, "undone": decision }),
        );
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
        adjudication: second_reviews::is_adjudication(connection, &decision.decision_id).await?,
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

/// A reviewer's last decisions, newest first, second reviews among them, undos left out.
///
/// # Errors
/// The store.
pub async fn recent(workspace: &Workspace, reviewer: &str, limit: i64) -> Result<Vec<DecisionView>, AppError> {
    let mut reading = workspace.store.read().await?;
    let mut views = Vec::new();
    let far = limit.saturating_mul(3);
    for placed in decisions::recent_of(&mut reading, reviewer, far).await? {
        views.push((placed.decision.recorded_at, view(&mut reading, &placed).await?));
    }
    for row in second_reviews::recent_of(&mut reading, reviewer, far).await? {
        views.push((row.recorded_at, second_review::decision_view(&mut reading, &row).await?));
    }
    views.retain(|(_, view)| view.standing);
    views.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    views.truncate(usize::try_from(limit).unwrap_or(0));
    Ok(views.into_iter().map(|(_, view)| view).collect())
}
