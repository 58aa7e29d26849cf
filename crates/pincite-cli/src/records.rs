//! `record` and `verify`.
//!
//! Deliberately not here: what becomes of a record.

use crate::arguments::{Options, RecordCommand, VerifyArguments, Written};
use crate::exchange;
use crate::output::{Failure, Findings, Output};
use crate::progress::Bar;
use crate::workspace;
use pincite_app::import::{ImportOptions, import, import_foreign};
use pincite_app::verify::{self as checking, Verified};
use pincite_app::wire::{CitationState, ImportCounts, ImportedRecord, RecordOutcome};
use pincite_app::{fields, value_text};
use serde_json::Value;

pub(crate) async fn record(options: &Options, output: &Output, command: &RecordCommand) -> Result<Findings, Failure> {
    let opened = workspace::open(options).await?;
    match command {
        RecordCommand::Import(arguments) => {
            let naming = exchange::naming(arguments)?;
            let bar = Bar::new();
            let how = ImportOptions {
                place: arguments.place,
                strict: arguments.strict,
            };
            let mut printed = Ok(());
            let answer = |record: &ImportedRecord| {
                if printed.is_ok() && (output.json || record.outcome != RecordOutcome::Refused) {
                    printed = output.value(record, imported_words);
                }
            };
            let file = &arguments.file;
            let counts = match &naming {
                None => import(&opened, file, how, bar.as_ref(), answer).await,
                Some((format, naming)) => {
                    import_foreign(&opened, file, (*format, naming), how, bar.as_ref(), answer).await
                }
            };
            bar.finish();
            let counts = counts?;
            printed?;
            eprintln!("{}", counts_words(&counts));
            return Ok(Findings::when(counts.refused_lines > 0 || counts.failed > 0));
        }
        RecordCommand::List(list) => {
            let records = fields::record_list(&opened, list.limit(), list.after.as_deref()).await?;
            output.lines(&records, record_words)?;
        }
        RecordCommand::Show { record_id } => output
            .value(&fields::record_show(&opened, record_id).await?, |record| {
                format!("{record:#}")
            })?,
        RecordCommand::Export { resolved, written } if written.format != Written::Ours => {
            return exchange::records(&opened, output, *resolved, written).await;
        }
        RecordCommand::Export { resolved, written } => {
            exchange::no_units(written)?;
            let mut printed = Ok(());
            // An export is for programs: JSON lines with and without --json.
            fields::record_export(&opened, *resolved, |record| {
                if printed.is_ok() {
                    printed = output.text(&record.to_string());
                }
            })
            .await?;
            printed?;
        }
    }
    Ok(Findings::None)
}

fn imported_words(record: &ImportedRecord) -> String {
    let mut words = format!(
        "line {:<5} {:<10} {}",
        record.line,
        outcome_word(record.outcome),
        record.record_id.as_deref().unwrap_or_default()
    );
    if let Some(reason) = &record.reason {
        words.push_str(&format!("  {reason}"));
    }
    for citation in &record.citations {
        if let (CitationState::Failed, Some(reason)) = (citation.state, &citation.reason) {
            words.push_str(&format!(
                "  [{reason}{}]",
                citation
                    .placing
                    .as_deref()
                    .map(|placing| format!(", {placing}"))
                    .unwrap_or_default()
            ));
        } else if citation.placed {
            words.push_str("  [placed]");
        }
    }
    words
}

const fn outcome_word(outcome: RecordOutcome) -> &'static str {
    match outcome {
        RecordOutcome::Queued => "queued",
        RecordOutcome::Shown => "shown",
        RecordOutcome::Flagged => "flagged",
        RecordOutcome::Abstained => "abstained",
        RecordOutcome::Refused => "refused",
    }
}

pub(crate) fn counts_words(counts: &ImportCounts) -> String {
    format!(
        "{} lines: {} queued, {} shown, {} flagged, {} abstained, {} refused; citations: {} verified as given, {} placed, {} ambiguous, {} not found, {} failed",
        counts.lines,
        counts.queued,
        counts.shown,
        counts.flagged,
        counts.abstained,
        counts.refused_lines,
        counts.verified,
        counts.placed,
        counts.ambiguous,
        counts.not_found,
        counts.failed
    )
}

fn record_words(record: &Value) -> String {
    let text = |key: &str| record.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let value = value_text::value_text(record.get("value").unwrap_or(&Value::Null));
    format!(
        "{:<28} {:<10} {:<36} {value}",
        text("record_id"),
        text("outcome"),
        text("field")
    )
}

fn verified_words(verified: &Verified) -> String {
    match &verified.reason {
        Some(reason) => format!("{:<10} {}  {reason}", verified.state, verified.id),
        None => format!("{:<10} {}", verified.state, verified.id),
    }
}

pub(crate) async fn verify(
    options: &Options,
    output: &Output,
    arguments: &VerifyArguments,
) -> Result<Findings, Failure> {
    let opened = workspace::open(options).await?;
    let bar = Bar::new();
    let mut printed = Ok(());
    let answer = |verified: &Verified| {
        if printed.is_ok() {
            printed = output.value(verified, verified_words);
        }
    };
    let findings = match &arguments.file {
        Some(file) => checking::file(&opened, file, bar.as_ref(), answer).await,
        None => checking::all(&opened, bar.as_ref(), answer).await,
    };
    bar.finish();
    let findings = findings?;
    printed?;
    Ok(Findings::when(findings > 0))
}
