//! Taking field records in: each line checked, placed where it asks for a place, verified, routed, kept.
//!
//! Lines are kept in batches, one transaction each; a line is answered only after its batch is committed, so what was
//! answered is there. With `strict`, everything is one transaction, and one bad line undoes it all.
//!
//! Deliberately not here: guessing. A quote with two places is ambiguous, and a person decides.

use crate::calibrate::counts::count_all;
use crate::checks::{Checker, Fetched, kept};
use crate::error::AppError;
use crate::files;
use crate::foreign::{self, Converted};
use crate::formats::{Format, Naming};
use crate::lines::{LINE_LIMIT, Line, Lines};
use crate::ports::{Progress, new_id, new_salt};
use crate::routing::{self, Rules, route};
use crate::wire::{CitationState, ImportCounts, ImportedCitation, ImportedRecord, RecordOutcome};
use crate::workspace::{Workspace, actor, system_user};
use pincite_core::citation::{Citation, Failure, Integrity, Placement};
use pincite_core::locate::Wanted;
use pincite_core::queue::canonical_json;
use pincite_core::record::{FieldRecord, Outcome, ProvenanceEntry, violations};
use pincite_core::text::CharSpan;
use pincite_store::Writing;
use pincite_store::records::NewRecord;
use serde_json::json;
use std::io::BufReader;
use std::path::Path;

/// Lines kept in one transaction.
const BATCH: usize = 100;

/// How records are taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportOptions {
    /// Find places for quotes that have none, or another text's.
    pub place: bool,
    /// Refuse the whole file for one bad line.
    pub strict: bool,
}

/// What is taken in one after the other: lines of ours, or what was made of another format's entries.
enum Feed {
    Lines(Lines<BufReader<std::fs::File>>),
    Entries(std::vec::IntoIter<Converted>, u64),
}

/// A line, or why an entry could not be made into one.
type Taken = Result<Line, String>;

impl Feed {
    /// The next one with its number and where it stands.
    fn next(&mut self, name: &str) -> Result<Option<(u64, String, Taken)>, AppError> {
        match self {
            Self::Lines(lines) => {
                let line = lines.next_line().map_err(|error| {
                    AppError::bad_input(format!("{name}: line {}: it can't be read: {error}", lines.number + 1))
                })?;
                Ok(line.map(|line| (lines.number, format!("line {}", lines.number), Ok(line))))
            }
            Self::Entries(entries, number) => {
                *number += 1;
                Ok(entries
                    .next()
                    .map(|entry| (*number, entry.place, entry.line.map(Line::Text))))
            }
        }
    }

    /// How much of it was taken: bytes, or entries.
    fn done(&self) -> u64 {
        match self {
            Self::Lines(lines) => lines.bytes,
            Self::Entries(_, number) => *number,
        }
    }
}

/// Imports a file of JSON lines. `answer` hears of each line once it is kept or refused.
///
/// # Errors
/// A file that can't be read; the store; cancellation (what was answered stays); with `strict`, the first bad line.
pub async fn import(
    workspace: &Workspace,
    path: &Path,
    options: ImportOptions,
    progress: &dyn Progress,
    answer: impl FnMut(&ImportedRecord),
) -> Result<ImportCounts, AppError> {
    let (file, total) = open_lines_file(path)?;
    let feed = Feed::Lines(Lines::new(BufReader::with_capacity(1 << 16, file)));
    take_in(workspace, path, (feed, total), options, progress, answer).await
}

/// Imports a file of another program's format. Each entry becomes a record and goes the same way as a line of ours; `line`
/// in the answers is the entry's number.
///
/// # Errors
/// As [`import`]; a file that is not JSON; one that speaks of several documents while one is named for all.
pub async fn import_foreign(
    workspace: &Workspace,
    path: &Path,
    (format, naming): (Format, &Naming),
    options: ImportOptions,
    progress: &dyn Progress,
    answer: impl FnMut(&ImportedRecord),
) -> Result<ImportCounts, AppError> {
    let entries = foreign::convert(workspace, path, format, naming).await?;
    let total = entries.len() as u64;
    let feed = Feed::Entries(entries.into_iter(), 0);
    take_in(workspace, path, (feed, total), options, progress, answer).await
}

async fn take_in(
    workspace: &Workspace,
    path: &Path,
    (mut feed, total): (Feed, u64),
    options: ImportOptions,
    progress: &dyn Progress,
    mut answer: impl FnMut(&ImportedRecord),
) -> Result<ImportCounts, AppError> {
    let name = path.display().to_string();
    let mut counts = ImportCounts::default();
    let mut run = Run {
        checker: Checker::new(workspace),
        options,
    };
    let mut write: Option<(Writing, Rules)> = None;
    let mut waiting: Vec<(String, ImportedRecord)> = Vec::new();
    loop {
        let taken = feed.next(&name)?;
        let stop = progress.cancelled();
        if taken.is_none() || stop || (!options.strict && waiting.len() >= BATCH) {
            if let Some((write, _)) = write.take() {
                if stop && options.strict {
                    return Err(AppError::cancelled());
                }
                write.commit().await?;
            }
            for (place, record) in waiting.drain(..) {
                let unplaced = record
                    .citations
                    .iter()
                    .any(|citation| citation.state == CitationState::Failed && citation.placing.is_none());
                if options.place && record.known && unplaced {
                    progress.finding(&format!(
                        "{name}: {place}: this record is here already; its citations stay as they were first imported"
                    ));
                }
                counts.add(&record);
                if record.outcome == RecordOutcome::Refused {
                    progress.finding(&format!(
                        "{name}: {place}: {}",
                        record.reason.as_deref().unwrap_or("refused")
                    ));
                }
                answer(&record);
            }
            progress.at(&name, feed.done().min(total), total, &counts);
        }
        if stop {
            return Err(AppError::cancelled());
        }
        let Some((number, place, taken)) = taken else {
            // Once for all lines: a sum is written once a curve and not once a batch. Where this is not reached, who looks first
            // counts.
            count_all(workspace).await?;
            return Ok(counts);
        };
        if write.is_none() {
            let mut begun = workspace.store.write().await?;
            let rules = Rules::read(begun.connection()).await?;
            write = Some((begun, rules));
        }
        let Some((write, rules)) = write.as_mut() else { continue };
        let made = match taken {
            Ok(line) => run.line(write, rules, line).await?,
            Err(reason) => Err(reason),
        };
        let record = match made {
            Ok(record) => ImportedRecord { line: number, ..record },
            Err(reason) if options.strict => {
                return Err(AppError::bad_input(format!(
                    "{name}: {place}: {reason}; nothing of the file was kept"
                )));
            }
            Err(reason) => ImportedRecord {
                line: number,
                record_id: None,
                outcome: RecordOutcome::Refused,
                known: false,
                reason: Some(reason),
                item: None,
                citations: Vec::new(),
            },
        };
        waiting.push((place, record));
    }
}

/// Opens a file of lines; answers it with its length.
pub(crate) fn open_lines_file(path: &Path) -> Result<(std::fs::File, u64), AppError> {
    let metadata = files::look(path, "name one file of JSON lines")?;
    Ok((files::open(path)?, metadata.len()))
}

impl ImportCounts {
    fn add(&mut self, record: &ImportedRecord) {
        self.lines += 1;
        match record.outcome {
            RecordOutcome::Queued => self.queued += 1,
            RecordOutcome::Shown => self.shown += 1,
            RecordOutcome::Flagged => self.flagged += 1,
            RecordOutcome::Abstained => self.abstained += 1,
            RecordOutcome::Refused => self.refused_lines += 1,
        }
        for citation in &record.citations {
            match citation.placing.as_deref() {
                Some("placed") => self.placed += 1,
                Some("ambiguous") => self.ambiguous += 1,
                Some("not_found") => self.not_found += 1,
                _ if citation.state == CitationState::Verified => self.verified += 1,
                _ => {}
            }
            if citation.state == CitationState::Failed {
                self.failed += 1;
            }
        }
    }
}

struct Run<'a> {
    checker: Checker<'a>,
    options: ImportOptions,
}

/// A citation made ready: checked, and placed where that was asked and possible.
struct Ready {
    id: String,
    citation: Citation,
    integrity: Integrity,
    placing: Option<&'static str>,
}

impl Run<'_> {
    /// Keeps one line. The inner error is the reason for which the line is refused.
    async fn line(
        &mut self,
        write: &mut Writing,
        rules: &Rules,
        line: Line,
    ) -> Result<Result<ImportedRecord, String>, AppError> {
        let Line::Text(bytes) = line else {
            return Ok(Err(format!(
                "the line is longer than {LINE_LIMIT} bytes; a record is one line of JSON"
            )));
        };
        let record = match FieldRecord::parse_line(&bytes) {
            Ok(record) => record,
            Err(error) => return Ok(Err(error.to_string())),
        };
        drop(bytes);
        let body = serde_json::to_value(&record).map_err(|error| AppError::internal(error.to_string()))?;
        let meaning = pincite_core::sha256_hex(canonical_json(&body).as_bytes());
        let record_id = record
            .record_id
            .clone()
            .unwrap_or_else(|| format!("r-{}", meaning.get(..24).unwrap_or(&meaning)));
        if let Some(known) = pincite_store::records::record(write.connection(), &record_id).await? {
            return if known.body_sha256 == meaning {
                self.known(write, &known.record_id).await.map(Ok)
            } else {
                Ok(Err(format!(
                    "record_id {record_id} is here with another content; a candidate is never overwritten: give this one its own id"
                )))
            };
        }
        let violated = !violations(&record, &rules.catalogue).is_empty();
        let mut ready = Vec::new();
        for entry in &record.provenance {
            ready.push(self.make_ready(write, &record, entry).await?);
        }
        let all_verified = ready.iter().all(|ready| {
            matches!(ready.integrity, Integrity::Verified(_))
                && routing::is_of(&record, &ready.citation.doc_id, &ready.citation.doc_sha256)
        });
        let route = route(&record, violated, all_verified, rules);
        let kept_body = serde_json::to_vec(&body).map_err(|error| AppError::internal(error.to_string()))?;
        let new = NewRecord {
            record_id: &record_id,
            body_sha256: &meaning,
            doc_id: &record.doc_id,
            doc_sha256: &record.doc_sha256,
            field: &record.field,
            status: record.status.name(),
            model: &record.extractor.model,
            prompt_version: &record.extractor.prompt_version,
            confidence: record.confidence.valid(),
            violated,
            body: &kept_body,
        };
        write.add_record(&new, &routing::first_row(&route)).await?;
        let mut citations = Vec::new();
        for (ordinal, ready) in (0..).zip(&ready) {
            let placed = ready.placing == Some("placed");
            write
                .add_citation(
                    &ready.id,
                    Some(&record_id),
                    ordinal,
                    &ready.citation,
                    placed,
                    kept(ready.integrity),
                )
                .await?;
            citations.push(imported(ready));
        }
        let item = routing::queue(write, &record_id, &record, &route, rules).await?;
        routing::newer_candidate(write, &record_id, &record, rules).await?;
        let payload = json!({ "body_sha256": meaning, "outcome": route.name(), "reason": route.outcome.reason().map(|reason| reason.name()) });
        write.audit(
            &actor(write, &system_user()),
            &new_salt(),
            "record.import",
            &record_id,
            &payload,
        );
        Ok(Ok(ImportedRecord {
            line: 0,
            record_id: Some(record_id),
            outcome: outcome_view(route.outcome),
            known: false,
            reason: route.outcome.reason().map(|reason| reason.blind_name().to_owned()),
            item,
            citations,
        }))
    }

    /// A record that is here already, answered as it stands.
    async fn known(&self, write: &mut Writing, record_id: &str) -> Result<ImportedRecord, AppError> {
        let now = write.now;
        let row = pincite_store::records::record(write.connection(), record_id).await?;
        let row = row.ok_or_else(|| AppError::internal("a record vanished"))?;
        let citations = pincite_store::records::citations_of(write.connection(), record_id).await?;
        let item =
            pincite_store::items::item_of(write.connection(), now, &row.doc_id, &row.doc_sha256, &row.field).await?;
        Ok(ImportedRecord {
            line: 0,
            record_id: Some(row.record_id),
            known: true,
            outcome: match row.outcome.as_str() {
                "shown" => RecordOutcome::Shown,
                "flagged" => RecordOutcome::Flagged,
                "abstained" => RecordOutcome::Abstained,
                _ => RecordOutcome::Queued,
            },
            reason: row
                .reason
                .as_deref()
                .map(|reason| crate::listing::blind(reason).to_owned()),
            item: item.map(|item| item.item_id),
            citations: citations
                .iter()
                .map(|citation| ImportedCitation {
                    state: crate::evidence::state(citation.state.as_deref()),
                    reason: citation.reason.clone(),
                    placed: citation.placed,
                    placing: citation.placed.then(|| "placed".to_owned()),
                })
                .collect(),
        })
    }

    async fn make_ready(
        &mut self,
        write: &mut Writing,
        record: &FieldRecord,
        entry: &ProvenanceEntry,
    ) -> Result<Ready, AppError> {
        let given = Citation {
            id: None,
            doc_id: entry.doc_id.clone().unwrap_or_else(|| record.doc_id.clone()),
            doc_sha256: entry.doc_sha256.clone().unwrap_or_else(|| record.doc_sha256.clone()),
            layer_sha256: entry.layer_sha256.clone(),
            structure_id: entry.structure_id.clone(),
            locator: entry.locator.clone(),
            page: entry.page,
            char_start: entry.char_start,
            char_end: entry.char_end,
            quote: entry.quote.clone().unwrap_or_default(),
            prefix: entry.prefix.clone(),
            suffix: entry.suffix.clone(),
        };
        let fetched = self.checker.fetch(write.connection(), &given).await?;
        let mut ready = prepare(given.clone(), &fetched, self.options.place);
        // A layer that is not here is somebody else's text: its offsets mean nothing in ours, the quote does. One that is
        // here and is another program's keeps its citation, unless the quote holds in ours just as well.
        let foreign = fetched.layer.as_ref().is_some_and(|loaded| loaded.foreign.is_some());
        let holds = matches!(
            ready.integrity,
            Integrity::Verified(_) | Integrity::Failed(Failure::PageUnknown | Failure::StructureUnknown)
        );
        let unknown = ready.integrity == Integrity::Failed(Failure::LayerUnknown);
        if self.options.place && (unknown || foreign && holds) {
            let anew = Citation {
                layer_sha256: None,
                structure_id: None,
                char_start: None,
                char_end: None,
                ..given
            };
            let fetched = self.checker.fetch(write.connection(), &anew).await?;
            let placed = prepare(anew, &fetched, true);
            if placed.placing == Some("placed") && (unknown || matches!(placed.integrity, Integrity::Verified(_))) {
                ready = placed;
            } else if placed.placing != Some("placed") {
                ready.placing = placed.placing;
            }
        }
        // An id of the extractor's own is kept where it is free here, so that it can be asked for again.
        ready.id = match &entry.id {
            Some(id)
                if pincite_store::records::citation(write.connection(), id)
                    .await?
                    .is_none() =>
            {
                id.clone()
            }
            _ => new_id(),
        };
        Ok(ready)
    }
}

/// Checks a citation and, where that is asked, places one whose offsets are missing or foreign.
fn prepare(given: Citation, fetched: &Fetched, place: bool) -> Ready {
    let mut citation = given;
    let own_layer = citation.layer_sha256.is_some();
    let integrity = Checker::check(&citation, fetched);
    let foreign = match integrity {
        Integrity::Failed(Failure::NoOffsets) => true,
        // Offsets that name our layer are ours and wrong; that is a finding, not a reason to look elsewhere.
        Integrity::Failed(Failure::OutOfBounds | Failure::QuoteMismatch) => !own_layer,
        _ => false,
    };
    let mut placing = None;
    let mut integrity = integrity;
    if place
        && foreign
        && let Some(loaded) = &fetched.layer
    {
        let wanted = Wanted {
            quote: &citation.quote,
            prefix: citation.prefix.as_deref(),
            suffix: citation.suffix.as_deref(),
            hint: None,
        };
        placing = Some(match loaded.index().place(&wanted) {
            Placement::Placed(span) => {
                fill(&mut citation, span, fetched);
                integrity = Checker::check(&citation, fetched);
                "placed"
            }
            Placement::Ambiguous(_) => "ambiguous",
            Placement::NotFound => "not_found",
        });
    }
    fetched.pin(&mut citation);
    if let Integrity::Verified(span) = integrity {
        fill(&mut citation, span, fetched);
    }
    Ready {
        id: String::new(),
        citation,
        integrity,
        placing,
    }
}

/// Writes a span into a citation, with page and locator where it has none of its own.
fn fill(citation: &mut Citation, span: CharSpan, fetched: &Fetched) {
    citation.char_start = Some(i64::from(span.start().0));
    citation.char_end = Some(i64::from(span.end().0));
    if citation.page.is_none() {
        citation.page = fetched
            .layer
            .as_ref()
            .filter(|loaded| loaded.paged)
            .map(|loaded| i64::from(loaded.layer.page_of(span.start())));
    }
    if citation.locator.is_none() {
        let section = fetched
            .structure
            .as_ref()
            .and_then(|structure| structure.locator_at(span.start()));
        citation.locator = section.map(|section| section.locator.to_string());
    }
}

fn imported(ready: &Ready) -> ImportedCitation {
    let (state, reason) = kept(ready.integrity);
    ImportedCitation {
        state: crate::evidence::state(Some(state)),
        reason: reason.map(str::to_owned),
        placed: ready.placing == Some("placed"),
        placing: ready.placing.map(str::to_owned),
    }
}

const fn outcome_view(outcome: Outcome) -> RecordOutcome {
    match outcome {
        Outcome::Show => RecordOutcome::Shown,
        Outcome::Flag => RecordOutcome::Flagged,
        Outcome::Abstain => RecordOutcome::Abstained,
        Outcome::Review(_) => RecordOutcome::Queued,
    }
}
