//! Answers as they are shown, and the gate over what they cite.
//!
//! Both ask on the answer's own dates, unless others are named.
//!
//! Deliberately not here: the rules of the gate (`pincite_core::registry`), and what a reviewer says (`labels`).

use super::labels;
use super::page::{self, Whole, damaged};
use crate::checks::{Checker, kept};
use crate::documents::count;
use crate::error::AppError;
use crate::registry::questions::Dates;
use crate::registry::standing::Standings;
use crate::times;
use crate::wire::{
    AnswerCitationView, AnswerClaimView, AnswerGateView, AnswerSummary, AnswerView, GatedClaim, StaleCitation,
    StandingView,
};
use crate::workspace::Workspace;
use pincite_core::registry::Mode;
use pincite_store::answers::{self, AnswerRow, Asked};
use pincite_store::{Connection, Reading};
use serde_json::Value;

/// Dates to ask on in place of an answer's own; each stays the answer's where it is not named.
#[derive(Debug, Clone, Default)]
pub struct OtherDates {
    /// On which day it is to hold.
    pub valid_at: Option<String>,
    /// As known when: a day means its end.
    pub known_at: Option<String>,
}

impl OtherDates {
    fn read(&self) -> Result<(Option<Dates>, Option<Dates>), AppError> {
        let one = |valid_at: Option<&str>, known_at: Option<&str>| Dates::read(valid_at, known_at);
        Ok((
            self.valid_at.as_deref().map(|day| one(Some(day), None)).transpose()?,
            self.known_at.as_deref().map(|day| one(None, Some(day))).transpose()?,
        ))
    }

    fn in_place_of(&self, own: Dates) -> Result<Dates, AppError> {
        let (valid, known) = self.read()?;
        Ok(Dates {
            valid_at: valid.map_or(own.valid_at, |dates| dates.valid_at),
            known_at: known.map_or(own.known_at, |dates| dates.known_at),
        })
    }
}

/// Answers in the order of arrival, after one of them.
///
/// # Errors
/// No such answer to go on after; the store.
pub async fn list(workspace: &Workspace, limit: i64, after: Option<&str>) -> Result<Vec<AnswerSummary>, AppError> {
    let mut reading = workspace.store.read().await?;
    let after = match after {
        Some(answer_id) => page::wanted(&mut reading, answer_id).await?.number,
        None => 0,
    };
    let rows = answers::answers(&mut reading, after, limit, Asked::EVER).await?;
    Ok(rows.into_iter().map(summary).collect())
}

fn summary(row: AnswerRow) -> AnswerSummary {
    AnswerSummary {
        question: text(&row.question),
        answer_id: row.answer_id,
        asked_at: times::text(row.asked_at),
        valid_at: row.valid_at,
        known_at: row.known_at.map(times::text),
        class: row.class,
        delivered: row.delivered,
        claims: count(row.claims),
        citations: count(row.citations),
        recorded_at: times::text(row.recorded_at),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// An answer, each of its citations with its check and what it is worth.
///
/// # Errors
/// No such answer; dates that are none; the store.
pub async fn show(workspace: &Workspace, answer_id: &str, other: &OtherDates) -> Result<AnswerView, AppError> {
    let roles = workspace.roles().await?;
    let mut reading = workspace.store.read().await?;
    let Whole { row, citations, labels } = page::whole(&mut reading, answer_id).await?;
    let dates = other.in_place_of(page::dates(&row)?)?;
    let mut claims: Vec<AnswerClaimView> = answers::claims(&mut reading, (row.number, row.number), Asked::EVER)
        .await?
        .into_iter()
        .map(|claim| AnswerClaimView {
            claim: count(claim.claim),
            text: text(&claim.text),
            citations: Vec::new(),
        })
        .collect();
    let (mut checker, mut standings) = (Checker::new(workspace), Standings::new(workspace));
    for placed in citations {
        let fetched = checker.fetch(&mut reading, &placed.citation).await?;
        let (state, reason) = kept(Checker::check(&placed.citation, &fetched));
        let gate = standings.of(&mut reading, &placed.citation, dates).await?;
        let citation = placed.citation;
        let view = AnswerCitationView {
            id: citation.id,
            doc_id: citation.doc_id,
            doc_sha256: citation.doc_sha256,
            layer_sha256: citation.layer_sha256,
            structure_id: citation.structure_id,
            locator: citation.locator,
            page: citation.page,
            char_start: citation.char_start,
            char_end: citation.char_end,
            quote: citation.quote,
            prefix: citation.prefix,
            suffix: citation.suffix,
            state: state.to_owned(),
            reason: reason.map(str::to_owned),
            gate,
        };
        if let Some(claim) = claims.iter_mut().find(|claim| claim.claim == placed.claim) {
            claim.citations.push(view);
        }
    }
    let index_build = match row.index_build.as_deref() {
        None => Value::Null,
        Some(build) => {
            serde_json::from_slice(build).map_err(|error| damaged(&row.answer_id, &format!("its build: {error}")))?
        }
    };
    let (labels, labels_hidden) = labels::seen_by(workspace.store.reader(), &roles, labels);
    Ok(AnswerView {
        question: text(&row.question),
        answer_id: row.answer_id,
        asked_at: times::text(row.asked_at),
        valid_at: row.valid_at,
        known_at: row.known_at.map(times::text),
        index_build,
        class: row.class,
        delivered: row.delivered,
        recorded_at: times::text(row.recorded_at),
        claims,
        labels,
        labels_hidden,
    })
}

/// What the gate says of answers; of every one, in the order of arrival, where none is named. `answer` hears of each.
///
/// # Errors
/// No such answer; dates that are none; the store.
pub async fn gate(
    workspace: &Workspace,
    named: &[String],
    other: &OtherDates,
    mode: Mode,
    mut answer: impl FnMut(&AnswerGateView),
) -> Result<(), AppError> {
    // Dates that are none are refused before anything is answered.
    let _ = other.read()?;
    let mut gating = Gating {
        standings: Standings::new(workspace),
        reading: workspace.store.read().await?,
    };
    // So is a name that is none.
    let mut wholes = Vec::with_capacity(named.len());
    for answer_id in named {
        wholes.push(page::whole(&mut gating.reading, answer_id).await?);
    }
    for whole in &wholes {
        answer(&gating.view(whole, other, mode).await?);
    }
    if !named.is_empty() {
        return Ok(());
    }
    let mut after = 0;
    loop {
        let page = page::next(&mut gating.reading, after, Asked::EVER).await?;
        let Some(last) = page.last() else { return Ok(()) };
        after = last.row.number;
        for whole in &page {
            answer(&gating.view(whole, other, mode).await?);
        }
    }
}

struct Gating<'a> {
    standings: Standings<'a>,
    reading: Reading,
}

impl Gating<'_> {
    async fn view(&mut self, whole: &Whole, other: &OtherDates, mode: Mode) -> Result<AnswerGateView, AppError> {
        let dates = other.in_place_of(whole.dates()?)?;
        let mut claims: Vec<GatedClaim> = (1..=count(whole.row.claims))
            .map(|claim| GatedClaim {
                claim,
                citations: 0,
                stale: 0,
            })
            .collect();
        let mut stale = Vec::new();
        for placed in &whole.citations {
            let standing = self.standings.of(&mut self.reading, &placed.citation, dates).await?;
            if let Some(claim) = claims.iter_mut().find(|claim| claim.claim == placed.claim) {
                claim.citations += 1;
                claim.stale += u32::from(!standing.current);
            }
            if !standing.current {
                stale.push(stale_citation(placed, standing));
            }
        }
        let stopped = mode == Mode::Block && !stale.is_empty();
        Ok(AnswerGateView {
            answer: whole.row.answer_id.clone(),
            decision: if stopped { "block" } else { "pass" }.to_owned(),
            valid_at: dates.valid_at.to_string(),
            known_at: dates.known_at.map(times::text),
            claims,
            stale,
        })
    }
}

fn stale_citation(placed: &page::Placed, standing: StandingView) -> StaleCitation {
    StaleCitation {
        claim: placed.claim,
        citation: placed.ordinal,
        id: placed.citation.id.clone(),
        doc_id: placed.citation.doc_id.clone(),
        standing: standing.standing,
        since: standing.since,
        in_force: standing.in_force,
        reason: standing.reason,
    }
}

/// Whether any citation of an answer is stale on these dates.
pub(crate) async fn is_stale(
    standings: &mut Standings<'_>,
    connection: &mut Connection,
    whole: &Whole,
    dates: Dates,
) -> Result<bool, AppError> {
    for placed in &whole.citations {
        if !standings.of(connection, &placed.citation, dates).await?.current {
            return Ok(true);
        }
    }
    Ok(false)
}
