//! What becomes of a record: asked of the core with the thresholds and shares in force, written to the routing log.
//!
//! The same function routes a record when it is imported, when audit shares are raised and when thresholds are set, so
//! that one rule holds. Routing again only ever adds people's eyes: an open item stays open.
//!
//! Deliberately not here: the rule (`pincite-core::record::decide`) and the draw (`pincite-core::queue`).

use crate::error::AppError;
use crate::ports::new_id;
use crate::settings;
use pincite_core::queue::{AuditShares, Stratum, draw, is_drawn};
use pincite_core::record::{Catalogue, FieldRecord, Outcome, ReviewReason, ThresholdState, Thresholds, decide, equal};
use pincite_store::items::NewItem;
use pincite_store::records::{self, RecordRow, Routing};
use pincite_store::settings::ThresholdRow;
use pincite_store::{Connection, Writing, reader};

/// What routing rests on: read once for many records.
#[derive(Debug, Clone)]
pub struct Rules {
    /// The catalogue in use.
    pub catalogue: Catalogue,
    /// The audit shares in use.
    pub shares: AuditShares,
    /// Every threshold ever set, oldest first.
    pub thresholds: Vec<ThresholdRow>,
}

impl Rules {
    /// The rules in force.
    ///
    /// # Errors
    /// The store.
    pub async fn read(connection: &mut Connection) -> Result<Self, AppError> {
        Ok(Self {
            catalogue: settings::catalogue_in(connection).await?,
            shares: settings::audit_shares(connection).await?,
            thresholds: pincite_store::settings::thresholds(connection).await?,
        })
    }

    /// The thresholds of a field for an extractor: its own, or stale ones measured on another.
    #[must_use]
    pub fn thresholds_of(&self, field: &str, model: &str, prompt_version: &str) -> ThresholdState {
        let of_field = || self.thresholds.iter().rev().filter(|row| row.field == field);
        let taus = |row: &ThresholdRow| Thresholds::new(row.tau_show, row.tau_flag).ok();
        let own = of_field().find(|row| row.model == model && row.prompt_version == prompt_version);
        match (own.and_then(taus), of_field().next().and_then(taus)) {
            (Some(fresh), _) => ThresholdState::Fresh(fresh),
            (None, Some(stale)) => ThresholdState::Stale(stale),
            (None, None) => ThresholdState::None,
        }
    }

    /// Whether a wrong value of this field disqualifies.
    #[must_use]
    pub fn is_hard(&self, field: &str) -> bool {
        self.catalogue.get(field).is_some_and(|definition| definition.hard)
    }
}

/// What becomes of a record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Route {
    /// What may be done with it, audits included.
    pub outcome: Outcome,
    /// What it would be without an audit.
    pub stratum: Option<Stratum>,
    /// The share its draw was held against.
    pub share: Option<f64>,
    /// Its draw.
    pub draw: Option<f64>,
}

impl Route {
    /// The outcome as the routing log and the command line have it.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self.outcome {
            Outcome::Show => "shown",
            Outcome::Flag => "flagged",
            Outcome::Abstain => "abstained",
            Outcome::Review(_) => "queued",
        }
    }

    fn row(&self) -> Routing<'static> {
        Routing {
            outcome: self.name(),
            reason: self.outcome.reason().map(ReviewReason::name),
            stratum: self.stratum.map(stratum_name),
            share: self.share,
            draw: self.draw,
        }
    }
}

const fn stratum_name(stratum: Stratum) -> &'static str {
    match stratum {
        Stratum::Show => "show",
        Stratum::Flag => "flag",
        Stratum::Abstain => "abstain",
    }
}

/// Routes a record under the rules in force.
#[must_use]
pub fn route(record: &FieldRecord, violated: bool, all_verified: bool, rules: &Rules) -> Route {
    let (model, prompt_version) = (&record.extractor.model, &record.extractor.prompt_version);
    let thresholds = rules.thresholds_of(&record.field, model, prompt_version);
    let outcome = decide(
        record,
        violated,
        all_verified,
        rules.is_hard(&record.field),
        &thresholds,
    );
    let Some(stratum) = Stratum::of(outcome) else {
        return Route {
            outcome,
            stratum: None,
            share: None,
            draw: None,
        };
    };
    let share = rules.shares.of(stratum);
    let number = draw(&record.doc_sha256, &record.field, &record.value, model, prompt_version);
    let outcome = if is_drawn(number, share) {
        Outcome::Review(ReviewReason::SampleAudit)
    } else {
        outcome
    };
    Route {
        outcome,
        stratum: Some(stratum),
        share: Some(share),
        draw: Some(number),
    }
}

/// Whether a passage stands in the very bytes that a record speaks of. A passage of another revision may say what this one
/// no longer does: until it can be carried over, a person looks.
pub(crate) fn is_of(record: &FieldRecord, doc_id: &str, doc_sha256: &str) -> bool {
    record.doc_id == doc_id && record.doc_sha256 == doc_sha256
}

/// Moves an open item to its next version where a new candidate says another thing than the one that opened it, so that
/// nobody decides without having seen it.
pub(crate) async fn newer_candidate(
    write: &mut Writing,
    record_id: &str,
    record: &FieldRecord,
    rules: &Rules,
) -> Result<(), AppError> {
    let now = write.now;
    let (doc_id, doc_sha256, field) = (&record.doc_id, &record.doc_sha256, &record.field);
    let item = pincite_store::items::item_of(write.connection(), now, doc_id, doc_sha256, field).await?;
    let Some(item) = item.filter(|item| item.state == "open" && item.record_id != record_id) else {
        return Ok(());
    };
    let Some(opening) = records::record(write.connection(), &item.record_id).await? else {
        return Ok(());
    };
    let opening = record_of(&opening)?;
    let same = opening.status == record.status
        && match rules.catalogue.get(field) {
            Some(definition) => equal(definition, &opening.value, &record.value),
            None => opening.value == record.value,
        };
    if !same {
        write.move_item(&item.item_id).await?;
    }
    Ok(())
}

/// Queues the item of a routed record where it wants a person; answers the item of its field, where there is one.
pub(crate) async fn queue(
    write: &mut Writing,
    record_id: &str,
    record: &FieldRecord,
    route: &Route,
    rules: &Rules,
) -> Result<Option<String>, AppError> {
    if let Some(reason) = route.outcome.reason() {
        let item_id = new_id();
        let new = NewItem {
            item_id: &item_id,
            doc_id: &record.doc_id,
            doc_sha256: &record.doc_sha256,
            field: &record.field,
            record_id,
            reason: reason.name(),
            hard: rules.is_hard(&record.field),
            due_at: record.due_at.map(|due| due.timestamp_millis()),
        };
        write.add_item(&new).await?;
    }
    let now = write.now;
    let item = pincite_store::items::item_of(
        write.connection(),
        now,
        &record.doc_id,
        &record.doc_sha256,
        &record.field,
    )
    .await?;
    Ok(item.map(|item| item.item_id))
}

/// The routing row of a record that is new.
pub(crate) fn first_row(route: &Route) -> Routing<'static> {
    route.row()
}

/// Holds every record that was shown, flagged or abstained on against the shares now in force. Those that were drawn
/// before are held against them too: what is included at the raised share weighs by it, whenever it was drawn.
pub(crate) async fn draw_again(write: &mut Writing) -> Result<(), AppError> {
    route_again(write, |row| {
        row.outcome != "queued" || row.reason.as_deref() == Some(ReviewReason::SampleAudit.name())
    })
    .await
}

/// Routes again what the thresholds of a field now speak about.
pub(crate) async fn thresholds_changed(write: &mut Writing, field: &str) -> Result<(), AppError> {
    let field = field.to_owned();
    route_again(write, move |row| row.field == field).await
}

/// Of every record: somebody who may not read them all would leave some as they were routed before.
async fn route_again(write: &mut Writing, concerns: impl Fn(&RecordRow) -> bool) -> Result<(), AppError> {
    seen_whole(write).await?;
    let rules = Rules::read(write.connection()).await?;
    let mut after = 0;
    loop {
        let rows = records::records(write.connection(), after, 500).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.number;
        for row in rows.iter().filter(|row| concerns(row)) {
            let record = record_of(row)?;
            let citations = records::citations_of(write.connection(), &row.record_id).await?;
            let all_verified = citations.iter().all(|citation| {
                citation.state.as_deref() == Some("verified") && is_of(&record, &citation.doc_id, &citation.doc_sha256)
            });
            let route = route(&record, row.violated, all_verified, &rules);
            let routing = route.row();
            // Appended where the outcome or the share applied is another one, so that the highest share is known.
            let same_share = routing
                .share
                .is_none_or(|share| row.highest_share.is_some_and(|highest| highest >= share));
            if routing.outcome == row.outcome && routing.reason == row.reason.as_deref() && same_share {
                continue;
            }
            write.add_routing(&row.record_id, &routing).await?;
            queue(write, &row.record_id, &record, &route, &rules).await?;
        }
    }
}

/// That nothing is closed to whoever changes what speaks about every document.
///
/// # Errors
/// `forbidden`; the store.
pub(crate) async fn seen_whole(write: &mut Writing) -> Result<(), AppError> {
    if reader::is_restricted(write.connection()).await? {
        return Err(AppError::forbidden(
            "this is about every document, and some are closed to you: somebody who may read all of them does it; nothing was \
             written",
        ));
    }
    Ok(())
}

/// A kept record, read back.
pub(crate) fn record_of(row: &RecordRow) -> Result<FieldRecord, AppError> {
    FieldRecord::parse_line(&row.body)
        .map_err(|error| AppError::internal(format!("the workspace is damaged: record {}: {error}", row.record_id)))
}
