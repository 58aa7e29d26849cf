//! Taking answers in: a file of JSON lines, one answer each.
//!
//! A line that is refused costs itself alone; all others are kept together at the end, or none. Whoever takes answers in has to be
//! allowed to read what they cite: an answer that cites what is closed to them is refused, since they could not see it either.
//!
//! Deliberately not here: guessing places for quotes. A citation is kept as it was given, with the layer and the structure in which it
//! was read where it names none; its check says whether it holds.

use super::lines::{ReadAnswer, read};
use crate::checks::{Checker, kept};
use crate::error::AppError;
use crate::import::open_lines_file;
use crate::lines::Lines;
use crate::ports::{Progress, new_salt};
use crate::registry::standing::Standings;
use crate::sweep::alarms::Inline;
use crate::sweep::family;
use crate::wire::{ImportCounts, ImportedAnswer};
use crate::workspace::{Workspace, actor};
use pincite_store::answers::{self, NewAnswer};
use pincite_store::{Actor, Connection, Reading, Writing, reader};
use serde_json::json;
use std::io::BufReader;
use std::path::Path;

/// Imports a file of answers; answers the lines, and how many alarms their citations rang.
///
/// # Errors
/// A file that can't be read; the store; cancellation: nothing of the file is kept then.
pub async fn import(
    workspace: &Workspace,
    path: &Path,
    who: &str,
    progress: &dyn Progress,
) -> Result<(Vec<ImportedAnswer>, u64), AppError> {
    let name = path.display().to_string();
    let (file, total) = open_lines_file(path)?;
    let mut lines = Lines::new(BufReader::with_capacity(1 << 16, file));
    let mut looking = Looking {
        checker: Checker::new(workspace),
        standings: Standings::new(workspace),
        reading: workspace.store.read().await?,
        restricted: false,
        inline: Inline::default(),
    };
    looking.restricted = reader::is_restricted(&mut looking.reading).await?;
    let now = looking.reading.now().await?;
    let mut found: Vec<(ImportedAnswer, Option<ReadAnswer>)> = Vec::new();
    loop {
        if progress.cancelled() {
            return Err(AppError::cancelled());
        }
        let number = lines.number + 1;
        let line = lines
            .next_line()
            .map_err(|error| AppError::bad_input(format!("{name}: line {number}: it can't be read: {error}")))?;
        let Some(line) = line else { break };
        let number = u32::try_from(lines.number).unwrap_or(u32::MAX);
        found.push(match read(&line, now) {
            Ok(mut answer) => (looking.at(number, &mut answer).await?, Some(answer)),
            Err((answer_id, reason)) => (refused(number, answer_id, reason), None),
        });
        progress.at(&name, lines.bytes, total, &ImportCounts::default());
    }
    let inline = std::mem::take(&mut looking.inline);
    drop(looking);
    keep(workspace, &mut found, who).await?;
    let done: Vec<ImportedAnswer> = found.into_iter().map(|(line, _)| line).collect();
    for line in done.iter().filter(|line| line.outcome == "refused") {
        let reason = line.reason.as_deref().unwrap_or("refused");
        progress.finding(&format!("{name}: line {}: {reason}", line.line));
    }
    let alarms = inline.keep_or_say(workspace, progress).await;
    Ok((done, alarms))
}

fn refused(line: u32, answer_id: Option<String>, reason: String) -> ImportedAnswer {
    ImportedAnswer {
        line,
        answer_id,
        outcome: "refused".into(),
        reason: Some(reason),
        citations: 0,
        failed: 0,
        stale: 0,
    }
}

/// What is asked of citations before anything is written.
struct Looking<'a> {
    checker: Checker<'a>,
    standings: Standings<'a>,
    reading: Reading,
    /// Whether anything is closed to whoever asks.
    restricted: bool,
    inline: Inline,
}

impl Looking<'_> {
    /// What a line's citations come to, each pinned to the layer that it was checked in; a document that is closed refuses it.
    async fn at(&mut self, line: u32, answer: &mut ReadAnswer) -> Result<ImportedAnswer, AppError> {
        let mut looked_at = ImportedAnswer {
            line,
            answer_id: Some(answer.answer_id.clone()),
            outcome: "added".into(),
            reason: None,
            citations: 0,
            failed: 0,
            stale: 0,
        };
        for citation in answer.claims.iter_mut().flat_map(|claim| &mut claim.citations) {
            if self.restricted && reader::is_closed(&mut self.reading, &citation.doc_id, &citation.doc_sha256).await? {
                let reason = closed(&citation.doc_id);
                return Ok(refused(line, Some(answer.answer_id.clone()), reason));
            }
            let fetched = self.checker.fetch(&mut self.reading, citation).await?;
            let (state, _) = kept(Checker::check(citation, &fetched));
            fetched.pin(citation);
            let carriage = Checker::carriage(citation, &fetched);
            let standing = self.standings.of(&mut self.reading, citation, answer.dates).await?;
            looked_at.citations += 1;
            looked_at.failed += u32::from(state != "verified");
            looked_at.stale += u32::from(!standing.current);
            let elsewhere = fetched.elsewhere(carriage.as_ref());
            let currency = self
                .standings
                .brief_of_quoted(&mut self.reading, citation, elsewhere, None, answer.dates)
                .await?
                .currency;
            let family = family(&mut self.standings, &mut self.reading, &citation.doc_id).await?;
            self.inline.count(&family, currency, carriage.as_ref());
        }
        Ok(looked_at)
    }
}

fn closed(doc_id: &str) -> String {
    format!("it cites {doc_id}, which is closed to you: somebody who may read it takes this answer in")
}

/// Writes what was not refused, in one transaction.
async fn keep(
    workspace: &Workspace,
    found: &mut [(ImportedAnswer, Option<ReadAnswer>)],
    who: &str,
) -> Result<(), AppError> {
    if found.iter().all(|(line, _)| line.outcome == "refused") {
        return Ok(());
    }
    let mut write = workspace.store.write().await?;
    let acting = actor(&write, who);
    let mut any = false;
    for (line, answer) in found.iter_mut() {
        let Some(answer) = answer.as_ref().filter(|_| line.outcome != "refused") else {
            continue;
        };
        match keep_one(&mut write, &acting, answer).await? {
            Kept::Added => any = true,
            Kept::Known => line.outcome = "known".into(),
            Kept::Refused(reason) => *line = refused(line.line, line.answer_id.clone(), reason),
        }
    }
    if any {
        write.commit().await?;
    }
    Ok(())
}

enum Kept {
    Added,
    Known,
    Refused(String),
}

async fn keep_one(write: &mut Writing, acting: &Actor, answer: &ReadAnswer) -> Result<Kept, AppError> {
    let id = &answer.answer_id;
    if let Some(known) = answers::answer(write.connection(), id).await? {
        return Ok(if known.body_sha256 == answer.body_sha256 {
            Kept::Known
        } else {
            Kept::Refused(format!(
                "answer_id {id} is here with another content; an answer is never overwritten: give this one its own id"
            ))
        });
    }
    if reader::is_closed_answer(write.connection(), id).await? {
        return Ok(Kept::Refused(format!(
            "answer_id {id} is taken by an answer that is closed to you: give this one another id"
        )));
    }
    // Somebody may have closed a document since the citations were looked at.
    if let Some(doc_id) = closed_one(write.connection(), answer).await? {
        return Ok(Kept::Refused(closed(&doc_id)));
    }
    let valid_at = answer.dates.valid_at.to_string();
    let new = NewAnswer {
        answer_id: id,
        body_sha256: &answer.body_sha256,
        question: &answer.question,
        asked_at: answer.asked_at.map_or(write.now, |asked_at| asked_at.min(write.now)),
        valid_at: &valid_at,
        known_at: answer.dates.known_at,
        index_build: answer.index_build.as_deref(),
        class: &answer.class,
        delivered: answer.delivered,
        who: &acting.who,
    };
    write.add_answer(&new).await?;
    for (claim, one) in (1..).zip(&answer.claims) {
        write.add_claim(id, claim, &one.text).await?;
        for (ordinal, citation) in (1..).zip(&one.citations) {
            let body = serde_json::to_vec(citation).map_err(|error| AppError::internal(error.to_string()))?;
            write
                .add_answer_citation((id, claim, ordinal), (&citation.doc_id, &citation.doc_sha256), &body)
                .await?;
        }
    }
    let payload = json!({
        "body_sha256": answer.body_sha256, "valid_at": valid_at, "known_at": answer.dates.known_at,
        "delivered": answer.delivered, "claims": answer.claims.len(), "citations": answer.citations().count()
    });
    write.audit(acting, &new_salt(), "answer.import", id, &payload);
    Ok(Kept::Added)
}

async fn closed_one(connection: &mut Connection, answer: &ReadAnswer) -> Result<Option<String>, AppError> {
    if !reader::is_restricted(connection).await? {
        return Ok(None);
    }
    for citation in answer.citations() {
        if reader::is_closed(connection, &citation.doc_id, &citation.doc_sha256).await? {
            return Ok(Some(citation.doc_id.clone()));
        }
    }
    Ok(None)
}
