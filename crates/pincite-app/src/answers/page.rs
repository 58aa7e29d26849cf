//! Answers read in pages, each with its claims, citations and labels, so that many cost few questions to the store.
//!
//! Deliberately not here: what they are worth.

use crate::error::AppError;
use crate::registry::questions::{Dates, day};
use pincite_core::citation::Citation;
use pincite_store::Connection;
use pincite_store::answers::{self, AnswerLabelRow, AnswerRow, Asked};
use std::collections::HashMap;

/// Answers in one page.
const PAGE: i64 = 500;

/// A citation as it was kept, with its place: the claim and the place in it, from 1.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub(crate) claim: u32,
    pub(crate) ordinal: u32,
    pub(crate) citation: Citation,
}

/// An answer with what hangs on it.
#[derive(Debug, Clone)]
pub(crate) struct Whole {
    pub(crate) row: AnswerRow,
    pub(crate) citations: Vec<Placed>,
    pub(crate) labels: Vec<AnswerLabelRow>,
}

impl Whole {
    /// The two dates of its question.
    pub(crate) fn dates(&self) -> Result<Dates, AppError> {
        dates(&self.row)
    }
}

/// The two dates of an answer's question.
pub(crate) fn dates(row: &AnswerRow) -> Result<Dates, AppError> {
    Ok(Dates {
        valid_at: day(&row.valid_at).map_err(|error| damaged(&row.answer_id, &error.message))?,
        known_at: row.known_at,
    })
}

/// An answer of this id.
///
/// # Errors
/// There is none, or it is closed to whoever asks; the store.
pub(crate) async fn wanted(connection: &mut Connection, answer_id: &str) -> Result<AnswerRow, AppError> {
    answers::answer(connection, answer_id).await?.ok_or_else(|| {
        AppError::not_found(format!(
            "there is no answer {answer_id}: `pincite answer show` names them"
        ))
    })
}

/// One answer with what hangs on it.
///
/// # Errors
/// As [`wanted`].
pub(crate) async fn whole(connection: &mut Connection, answer_id: &str) -> Result<Whole, AppError> {
    let row = wanted(connection, answer_id).await?;
    let mut page = with(connection, vec![row], Asked::EVER).await?;
    page.pop().ok_or_else(|| AppError::internal("an answer vanished"))
}

/// The next answers after a number, with what hangs on them; none at the end.
///
/// # Errors
/// The store.
pub(crate) async fn next(connection: &mut Connection, after: i64, asked: Asked) -> Result<Vec<Whole>, AppError> {
    let rows = answers::answers(connection, after, PAGE, asked).await?;
    with(connection, rows, asked).await
}

async fn with(connection: &mut Connection, rows: Vec<AnswerRow>, asked: Asked) -> Result<Vec<Whole>, AppError> {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return Ok(Vec::new());
    };
    let numbers = (first.number, last.number);
    let mut citations: HashMap<String, Vec<Placed>> = HashMap::new();
    for row in answers::citations(connection, numbers, asked).await? {
        let citation = serde_json::from_slice(&row.citation)
            .map_err(|error| damaged(&row.answer_id, &format!("a citation: {error}")))?;
        citations.entry(row.answer_id).or_default().push(Placed {
            claim: crate::documents::count(row.claim),
            ordinal: crate::documents::count(row.ordinal),
            citation,
        });
    }
    let mut labels: HashMap<String, Vec<AnswerLabelRow>> = HashMap::new();
    for row in answers::labels(connection, numbers, asked).await? {
        labels.entry(row.answer_id.clone()).or_default().push(row);
    }
    Ok(rows
        .into_iter()
        .map(|row| Whole {
            citations: citations.remove(&row.answer_id).unwrap_or_default(),
            labels: labels.remove(&row.answer_id).unwrap_or_default(),
            row,
        })
        .collect())
}

pub(crate) fn damaged(answer_id: &str, what: &str) -> AppError {
    AppError::internal(format!("the workspace is damaged: answer {answer_id}: {what}"))
}
