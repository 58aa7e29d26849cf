//! Records and citations handed on in the formats of others, where only what holds is a pointer.
//!
//! Every citation is checked again before it is written. An entry of which one citation does not hold is refused,
//! whole: in these formats an offset carries no state, so whoever reads it would believe it. Our own lines say the
//! state of each.
//!
//! Deliberately not here: how a format says it (`formats`).

use crate::checks::{Checker, kept};
use crate::error::AppError;
use crate::fields;
use crate::formats::{CountedText, label_studio, w3c};
use crate::workspace::Workspace;
use pincite_core::citation::{Citation, Integrity};
use pincite_store::{Reading, records};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A format to write in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// Web annotations, one a line.
    W3c,
    /// One list of Label Studio tasks.
    LabelStudio,
}

/// How an export is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExportOptions {
    /// In which format.
    pub format: ExportFormat,
    /// The value decided or shown, one a field of a version, instead of every candidate.
    pub resolved: bool,
    /// Offsets count UTF-16 units instead of code points.
    pub utf16: bool,
}

/// A citation that was checked and holds.
struct Verified {
    citation: Citation,
    text: Arc<CountedText>,
    span: Range<usize>,
}

impl Verified {
    fn held(&self) -> w3c::Held<'_> {
        w3c::Held {
            citation: &self.citation,
            text: &self.text,
            span: &self.span,
        }
    }
}

struct Holding<'a> {
    checker: Checker<'a>,
    texts: HashMap<String, Arc<CountedText>>,
}

impl<'a> Holding<'a> {
    fn new(workspace: &'a Workspace) -> Self {
        Self {
            checker: Checker::new(workspace),
            texts: HashMap::new(),
        }
    }

    /// The citation with its text where it holds now; else why it does not.
    async fn check(
        &mut self,
        reading: &mut Reading,
        mut citation: Citation,
    ) -> Result<Result<Verified, String>, AppError> {
        let fetched = self.checker.fetch(reading, &citation).await?;
        let integrity = Checker::check(&citation, &fetched);
        let (Integrity::Verified(span), Some(loaded)) = (integrity, &fetched.layer) else {
            let reason = kept(integrity).1.unwrap_or("unchecked");
            return Ok(Err(format!(
                "citation {} does not hold ({reason}), and a pointer that does not hold is not handed on; `pincite record show` has it with its state",
                citation.id.as_deref().unwrap_or("without id")
            )));
        };
        citation.layer_sha256.clone_from(&fetched.layer_sha256);
        let text = self
            .texts
            .entry(loaded.layer.sha256().to_owned())
            .or_insert_with(|| Arc::new(CountedText::new(&loaded.layer.text())));
        Ok(Ok(Verified {
            citation,
            text: Arc::clone(text),
            span: span.range(),
        }))
    }
}

/// What a listed record answers, and whether that is what its extractor said; `None` where it answers nothing yet.
fn answer_of(record: &Value, resolved: bool) -> Option<(Value, &'static str, bool)> {
    let status = match record["status"].as_str() {
        Some("absent") => "absent",
        Some("conflicting") => "conflicting",
        _ => "present",
    };
    if !resolved {
        return Some((record["value"].clone(), status, true));
    }
    let value = record["resolved_value"].clone();
    let decision = record["decision"].as_str();
    match record["resolved_outcome"].as_str() {
        Some("in_review") => None,
        Some("decided") if decision == Some("reject") => None,
        _ if value.is_null() => Some((value, "absent", false)),
        _ => Some((value, "present", false)),
    }
}

/// Writes records. `answer` gets each line; `finding` each entry that is refused or can't be said in the format.
/// Answers how many were refused.
///
/// # Errors
/// The store.
pub async fn export_records(
    workspace: &Workspace,
    options: ExportOptions,
    mut answer: impl FnMut(&str),
    mut finding: impl FnMut(&str),
) -> Result<u64, AppError> {
    let mut listed = Vec::new();
    fields::record_export(workspace, options.resolved, |record| listed.push(record.clone())).await?;
    let mut reading = workspace.store.read().await?;
    let mut holding = Holding::new(workspace);
    let mut refused = 0;
    let mut tasks: Vec<(String, Value)> = Vec::new();
    for record in listed {
        let name = record["record_id"].as_str().unwrap_or_default().to_owned();
        let Some((value, status, candidate)) = answer_of(&record, options.resolved) else {
            continue;
        };
        let mut verified = Vec::new();
        let mut failed = None;
        // What is absent rests on nothing, whatever a candidate pointed at.
        let provenance = record["provenance"].as_array().filter(|_| status != "absent");
        for entry in provenance.into_iter().flatten() {
            let citation =
                serde_json::from_value(entry.clone()).map_err(|error| AppError::internal(error.to_string()))?;
            match holding.check(&mut reading, citation).await? {
                Ok(holds) => verified.push(holds),
                Err(reason) => failed = failed.or(Some(reason)),
            }
        }
        if failed.is_none() && verified.is_empty() && status != "absent" {
            failed = Some("it rests on no citation; an annotation needs a place".to_owned());
        }
        if let Some(reason) = failed {
            refused += 1;
            finding(&format!("record {name}: not written: {reason}"));
            continue;
        }
        match options.format {
            ExportFormat::W3c => {
                let targets = verified
                    .iter()
                    .map(|holds| w3c::target(holds.held(), options.utf16))
                    .collect();
                answer(&w3c::of_record(&record, (&value, status), candidate, targets).to_string());
            }
            ExportFormat::LabelStudio => {
                let texts: Vec<String> = verified.iter().map(task_key).collect();
                let (Some(first), "present", true) = (
                    verified.first(),
                    status,
                    texts.iter().all(|key| texts.first() == Some(key)),
                ) else {
                    finding(&format!(
                        "record {name}: left out: Label Studio has no word for a field that is absent or conflicting, or that rests on several texts; --format w3c has"
                    ));
                    continue;
                };
                let key = task_key(first);
                let at = tasks.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
                    tasks.push((key, label_studio::task(first.held())));
                    tasks.len() - 1
                });
                let held: Vec<w3c::Held<'_>> = verified.iter().map(Verified::held).collect();
                let prediction = label_studio::prediction(&record, &value, candidate, &held, options.utf16);
                if let Some(Value::Array(predictions)) = tasks.get_mut(at).map(|(_, task)| &mut task["predictions"]) {
                    predictions.push(prediction);
                }
            }
        }
    }
    if options.format == ExportFormat::LabelStudio {
        let tasks: Vec<Value> = tasks.into_iter().map(|(_, task)| task).collect();
        answer(&json!(tasks).to_string());
    }
    Ok(refused)
}

/// One task holds what is said of one text of one version.
fn task_key(holds: &Verified) -> String {
    let citation = &holds.citation;
    format!("{} {} {}", citation.doc_id, citation.doc_sha256, holds.text.sha256())
}

/// Writes every citation that is kept and holds, as web annotations or, without a format, as our own lines. Answers how
/// many were refused.
///
/// # Errors
/// The store.
pub async fn export_citations(
    workspace: &Workspace,
    web_annotations: bool,
    utf16: bool,
    mut answer: impl FnMut(&str),
    mut finding: impl FnMut(&str),
) -> Result<u64, AppError> {
    let mut reading = workspace.store.read().await?;
    let mut holding = Holding::new(workspace);
    let (mut refused, mut after) = (0, 0);
    loop {
        let rows = records::citations(&mut reading, after, 500).await?;
        let Some(last) = rows.last() else { return Ok(refused) };
        after = last.number;
        for row in &rows {
            match holding.check(&mut reading, row.citation()).await? {
                Ok(holds) if web_annotations => answer(&w3c::of_citation(holds.held(), utf16).to_string()),
                Ok(holds) => answer(&json!(holds.citation).to_string()),
                Err(reason) => {
                    refused += 1;
                    finding(&format!("not written: {reason}"));
                }
            }
        }
    }
}
