//! Questions to the registry: which revisions there are, what is in force on two dates, and what citations are worth.
//!
//! A day for `known_at` is the end of that day, where this program runs.
//!
//! Deliberately not here: registering (`revisions`), the rules (`pincite_core::registry`).

use super::histories::{self, Registered, kept_list, section_key};
use super::standing::Standings;
use crate::documents::count;
use crate::error::AppError;
use crate::times;
use crate::wire::{AsOfView, DifferenceView, GateRequest, GateView, PeriodView, RevisionEventView, RevisionView};
use crate::workspace::Workspace;
use chrono::NaiveDate;
use pincite_core::registry::{AsOf, Lifecycle, Mode, Revision, SectionVersion};
use pincite_store::registry::{self, DifferenceRow, RevisionRow};
use std::collections::BTreeSet;

/// The two dates of a question.
#[derive(Debug, Clone, Copy)]
pub struct Dates {
    /// On which day it is to hold.
    pub valid_at: NaiveDate,
    /// As known when, milliseconds since 1970 UTC; `None` for all that is known now.
    pub known_at: Option<i64>,
}

impl Dates {
    /// Today, and all that is known.
    #[must_use]
    pub fn today() -> Self {
        Self {
            valid_at: chrono::Local::now().date_naive(),
            known_at: None,
        }
    }

    /// Reads two dates; today, and all that is known, where nothing is said.
    ///
    /// # Errors
    /// What is no day, or no time.
    pub fn read(valid_at: Option<&str>, known_at: Option<&str>) -> Result<Self, AppError> {
        Self::today().but(valid_at, known_at)
    }

    /// The same, where a single question says otherwise.
    fn but(self, valid_at: Option<&str>, known_at: Option<&str>) -> Result<Self, AppError> {
        Ok(Self {
            valid_at: valid_at.map(day).transpose()?.unwrap_or(self.valid_at),
            known_at: known_at.map(known).transpose()?.or(self.known_at),
        })
    }
}

/// A day that somebody wrote.
///
/// # Errors
/// What is none.
pub fn day(text: &str) -> Result<NaiveDate, AppError> {
    text.parse()
        .map_err(|_| AppError::bad_input(format!("{text} is no day of any calendar: write it as 2026-11-30")))
}

/// The last millisecond of a day, or the moment itself.
fn known(text: &str) -> Result<i64, AppError> {
    let moment = times::moment(text, true)?;
    Ok(if text.parse::<NaiveDate>().is_ok() {
        moment - 1
    } else {
        moment
    })
}

/// Every registered revision, by document and order; of one document, where one is named.
///
/// # Errors
/// No such document in the registry; the store.
pub async fn show(workspace: &Workspace, doc_id: Option<&str>, dates: Dates) -> Result<Vec<RevisionView>, AppError> {
    let mut reading = workspace.store.read().await?;
    if let Some(doc_id) = doc_id {
        return views(&histories::wanted(&mut reading, doc_id).await?, dates);
    }
    let mut names: Vec<String> = registry::revisions(&mut reading, "")
        .await?
        .into_iter()
        .map(|row| row.doc_id)
        .collect();
    names.dedup();
    let mut all = Vec::new();
    for doc_id in names {
        if let Some(registered) = histories::read(&mut reading, &doc_id).await? {
            all.extend(views(&registered, dates)?);
        }
    }
    Ok(all)
}

pub(super) fn views(registered: &Registered, dates: Dates) -> Result<Vec<RevisionView>, AppError> {
    let known = |row: &&RevisionRow| dates.known_at.is_none_or(|at| row.recorded_at <= at);
    registered
        .rows
        .iter()
        .filter(known)
        .map(|row| view(registered, row, dates))
        .collect()
}

fn view(registered: &Registered, row: &RevisionRow, dates: Dates) -> Result<RevisionView, AppError> {
    let history = &registered.history;
    let status = history.lifecycle(row.seq, dates.valid_at, dates.known_at);
    let sections = history.revisions().iter().find(|revision| revision.seq == row.seq);
    let difference = registered.differences.iter().find(|one| one.seq == row.seq);
    Ok(RevisionView {
        doc_id: row.doc_id.clone(),
        seq: row.seq,
        revision: row.revision.clone(),
        doc_sha256: row.doc_sha256.clone(),
        status: status.unwrap_or(Lifecycle::Draft).label().to_owned(),
        effective_date: row.effective_date.clone(),
        effective_to: history.effective_to(row.seq, dates.known_at).map(|day| day.to_string()),
        recorded_at: times::text(row.recorded_at),
        owner: row.owner.clone(),
        class: row.class.clone(),
        changed_sections: row.declared.as_deref().map(kept_list).transpose()?,
        sections: sections.map_or(0, |revision| {
            count(i64::try_from(revision.sections.len()).unwrap_or(i64::MAX))
        }),
        events: registered
            .events
            .iter()
            .filter(|event| event.seq == row.seq && dates.known_at.is_none_or(|at| event.recorded_at <= at))
            .map(|event| RevisionEventView {
                event: event.event.clone(),
                recorded_at: times::text(event.recorded_at),
                who: event.who.clone(),
                why: String::from_utf8_lossy(&event.why).into_owned(),
            })
            .collect(),
        difference: difference.map(|row| difference_view(registered, row)).transpose()?,
    })
}

fn difference_view(registered: &Registered, row: &DifferenceRow) -> Result<DifferenceView, AppError> {
    let (only_declared, only_computed) = (kept_list(&row.only_declared)?, kept_list(&row.only_computed)?);
    let revisions = registered.history.revisions();
    let before = revisions.iter().rfind(|revision| revision.seq < row.seq);
    // As this revision labels them; those that it has no longer, as the one before did.
    let label = |key: &String| {
        let at = |revision: &Revision| {
            let section = revision.sections.iter().find(|section| section.section_key == *key);
            section.map(|section| section.locator.clone())
        };
        let here = revisions.iter().find(|revision| revision.seq == row.seq);
        here.and_then(at).or_else(|| before.and_then(at))
    };
    let names = only_declared.iter().chain(&only_computed);
    Ok(DifferenceView {
        doc_id: row.doc_id.clone(),
        seq: row.seq,
        revision: registered
            .row(row.seq)
            .map(|row| row.revision.clone())
            .unwrap_or_default(),
        before: before.map(|revision| revision.seq),
        names: names.filter_map(|key| Some((key.clone(), label(key)?))).collect(),
        only_declared,
        only_computed,
        recorded_at: times::text(row.recorded_at),
        settled_by: row.settled_by.clone(),
        settled_at: row.settled_at.map(times::text),
    })
}

/// Compliance events: those that wait for somebody, or all of them.
///
/// # Errors
/// The store.
pub async fn differences(workspace: &Workspace, settled_too: bool) -> Result<Vec<DifferenceView>, AppError> {
    let mut reading = workspace.store.read().await?;
    let rows = registry::differences(&mut reading, "").await?;
    let mut views = Vec::new();
    for rows in rows.chunk_by(|one, other| one.doc_id == other.doc_id) {
        let wanted: Vec<&DifferenceRow> = rows
            .iter()
            .filter(|row| settled_too || row.settled_by.is_none())
            .collect();
        let Some(first) = wanted.first() else { continue };
        let registered = histories::wanted(&mut reading, &first.doc_id).await?;
        for row in wanted {
            views.push(difference_view(&registered, row)?);
        }
    }
    Ok(views)
}

/// What is in force of a section.
///
/// # Errors
/// No such document or section; the store.
pub async fn as_of(workspace: &Workspace, doc_id: &str, section: &str, dates: Dates) -> Result<AsOfView, AppError> {
    let registered = histories::wanted(&mut *workspace.store.read().await?, doc_id).await?;
    let key = section_key(&registered.history, doc_id, section)?;
    let answer = registered.history.as_of(&key, dates.valid_at, dates.known_at);
    let answer = answer
        .ok_or_else(|| AppError::not_found(format!("of the section {section} of {doc_id} nothing was known then")))?;
    Ok(as_of_view(doc_id, &key, &answer))
}

pub(super) fn as_of_view(doc_id: &str, section_key: &str, answer: &AsOf<'_>) -> AsOfView {
    let (word, revision, section): (&str, Option<&Revision>, Option<&SectionVersion>) = match answer {
        AsOf::InForce { revision, section } => ("in_force", Some(revision), Some(section)),
        AsOf::Removed { by } => ("removed", Some(by), None),
        AsOf::Withdrawn { revision } => ("withdrawn", Some(revision), None),
        AsOf::NotYet { next } => ("not_yet", *next, None),
    };
    AsOfView {
        answer: word.to_owned(),
        doc_id: doc_id.to_owned(),
        section_key: section_key.to_owned(),
        locator: section.map(|section| section.locator.clone()),
        revision: revision.map(|revision| revision.revision.clone()),
        seq: revision.map(|revision| revision.seq),
        doc_sha256: revision.map(|revision| revision.doc_sha256.clone()),
        effective_date: revision
            .and_then(|revision| revision.effective)
            .map(|day| day.to_string()),
        recorded_at: revision.map(|revision| times::text(revision.recorded_at)),
    }
}

/// When a section had which content in force.
///
/// # Errors
/// No such document or section; the store.
pub async fn history(
    workspace: &Workspace,
    doc_id: &str,
    section: &str,
    known_at: Option<i64>,
) -> Result<Vec<PeriodView>, AppError> {
    let registered = histories::wanted(&mut *workspace.store.read().await?, doc_id).await?;
    let key = section_key(&registered.history, doc_id, section)?;
    let periods = registered.history.section_history(&key, known_at);
    Ok(periods
        .into_iter()
        .map(|period| PeriodView {
            from: period.from.to_string(),
            to: period.to.map(|day| day.to_string()),
            revision: period.revision.revision.clone(),
            seq: period.revision.seq,
            locator: period.section.map(|section| section.locator.clone()),
            carried_by: period
                .carried_by
                .iter()
                .map(|revision| revision.revision.clone())
                .collect(),
        })
        .collect())
}

/// What the gate says of citations, in their order. Under [`Mode::Measure`] nothing is stopped: a stale citation passes, and its
/// standing says what it is.
///
/// # Errors
/// A date that is none; the store.
pub async fn gate(
    workspace: &Workspace,
    citations: &[GateRequest],
    dates: Dates,
    mode: Mode,
) -> Result<Vec<GateView>, AppError> {
    let mut reading = workspace.store.read().await?;
    let mut standings = Standings::new(workspace);
    // In the order of their documents, so that each history is read once, however many there are.
    let mut order: Vec<(usize, &GateRequest)> = citations.iter().enumerate().collect();
    order.sort_by(|(_, one), (_, other)| one.citation.doc_id.cmp(&other.citation.doc_id));
    let mut views = Vec::with_capacity(citations.len());
    for (index, request) in order {
        let dates = dates.but(request.valid_at.as_deref(), request.known_at.as_deref())?;
        let standing = match &request.section {
            Some(section) => {
                standings
                    .of_section(&mut reading, &request.citation, section, dates)
                    .await?
            }
            None => standings.of(&mut reading, &request.citation, dates).await?,
        };
        views.push((index, GateView::new(request.citation.id.clone(), standing, mode)));
    }
    views.sort_by_key(|(index, _)| *index);
    Ok(views.into_iter().map(|(_, view)| view).collect())
}

/// Of ranked citations, the best first, the indices of those that a reader may see: the current ones, of each document's section
/// the first.
#[must_use]
pub fn dedup(verdicts: &[GateView]) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    verdicts
        .iter()
        .enumerate()
        .filter(|(_, verdict)| {
            let section = verdict.standing.in_force.as_ref();
            let section = section.map(|answer| (&answer.doc_id, &answer.section_key));
            verdict.standing.current && section.is_some_and(|section| seen.insert(section))
        })
        .map(|(index, _)| index)
        .collect()
}
