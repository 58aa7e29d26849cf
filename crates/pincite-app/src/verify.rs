//! Checking citations in bulk: a file of them, or every one that is kept.
//!
//! Whether it holds, whether it moved, and what it is worth today are three answers, and none changes another.
//!
//! Deliberately not here: other dates than today (`registry::questions::gate`). Carriage is answered and moves nothing.

use crate::checks::{Checker, kept};
use crate::error::AppError;
use crate::import::open_lines_file;
use crate::lines::{Line, Lines};
use crate::ports::{Progress, new_salt};
use crate::registry::questions::Dates;
use crate::registry::standing::Standings;
use crate::sweep::alarms::Inline;
use crate::sweep::family;
use crate::wire::ImportCounts;
use crate::workspace::{Workspace, actor, system_user};
use pincite_core::citation::{Carriage, Citation};
use pincite_store::records;
use serde::Serialize;
use serde_json::json;
use std::io::BufReader;
use std::path::Path;

/// The answer for one citation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// The citation's id; the line's number where it has none.
    pub id: String,
    /// verified, failed or unchecked.
    pub state: &'static str,
    /// The first check that failed, or why the line is no citation.
    pub reason: Option<String>,
    /// same, drifted, ambiguous or lost, in the default layer of its bytes; null where these or its offsets are not here.
    pub carriage: Option<&'static str>,
    /// How far it drifted, in code points.
    pub shift: Option<i64>,
    /// What the registry says of its section today; null where the line is no citation.
    pub standing: Option<String>,
}

fn answer_of(
    id: String,
    (state, reason): (&'static str, Option<String>),
    carriage: Option<Carriage>,
    standing: Option<String>,
) -> Verified {
    let (carriage, shift) = match carriage {
        None => (None, None),
        Some(Carriage::Same) => (Some("same"), None),
        Some(Carriage::Drifted { shift, .. }) => (Some("drifted"), Some(shift)),
        Some(Carriage::Ambiguous) => (Some("ambiguous"), None),
        Some(Carriage::Lost) => (Some("lost"), None),
    };
    Verified {
        id,
        state,
        reason,
        carriage,
        shift,
        standing,
    }
}

/// Checks the citations in a file of JSON lines. Answers how many did not hold, and counts an alarm that this rings
/// among them. A line that is no citation is answered as unchecked, with the reason.
///
/// # Errors
/// A file that can't be read; the store; cancellation.
pub async fn file(
    workspace: &Workspace,
    path: &Path,
    progress: &dyn Progress,
    mut answer: impl FnMut(&Verified),
) -> Result<u64, AppError> {
    let name = path.display().to_string();
    let (file, total) = open_lines_file(path)?;
    let mut lines = Lines::new(BufReader::with_capacity(1 << 16, file));
    let mut checker = Checker::new(workspace);
    let mut standings = Standings::new(workspace);
    let mut inline = Inline::default();
    let today = Dates::today();
    let mut reading = workspace.store.read().await?;
    let mut findings = 0;
    while let Some(line) = lines
        .next_line()
        .map_err(|error| AppError::bad_input(format!("{name}: {error}")))?
    {
        if progress.cancelled() {
            return Err(AppError::cancelled());
        }
        let number = lines.number;
        let verified = match read_citation(line) {
            Ok(citation) => {
                let fetched = checker.fetch(&mut reading, &citation).await?;
                let (state, reason) = kept(Checker::check(&citation, &fetched));
                let carriage = Checker::carriage(&citation, &fetched);
                let brief = standings.brief(&mut reading, &citation, today).await?;
                let elsewhere = fetched.elsewhere(carriage.as_ref());
                let quoted = standings
                    .brief_of_quoted(&mut reading, &citation, elsewhere, None, today)
                    .await?;
                let family = family(&mut standings, &mut reading, &citation.doc_id).await?;
                inline.count(&family, quoted.currency, carriage.as_ref());
                let id = citation.id.unwrap_or_else(|| number.to_string());
                answer_of(
                    id,
                    (state, reason.map(str::to_owned)),
                    carriage,
                    Some(brief.label.to_owned()),
                )
            }
            Err(reason) => {
                progress.finding(&format!("{name}: line {number}: {reason}"));
                answer_of(number.to_string(), ("unchecked", Some(reason)), None, None)
            }
        };
        findings += u64::from(verified.state != "verified");
        answer(&verified);
        progress.at(&name, lines.bytes, total, &ImportCounts::default());
    }
    drop(reading);
    Ok(findings + inline.keep_or_say(workspace, progress).await)
}

fn read_citation(line: Line) -> Result<Citation, String> {
    match line {
        Line::TooLong => Err("the line is too long to be a citation".into()),
        Line::Text(bytes) => {
            serde_json::from_slice(&bytes).map_err(|error| format!("it is no citation ({error}); write one JSON object a line with doc_id, doc_sha256, char_start, char_end and quote"))
        }
    }
}

/// Checks every kept citation and keeps what is new in the answer. Answers how many did not hold, and counts an alarm that this rings
/// among them.
///
/// # Errors
/// The store; cancellation.
pub async fn all(
    workspace: &Workspace,
    progress: &dyn Progress,
    mut answer: impl FnMut(&Verified),
) -> Result<u64, AppError> {
    let mut checker = Checker::new(workspace);
    let mut standings = Standings::new(workspace);
    let mut inline = Inline::default();
    let today = Dates::today();
    let mut findings = 0;
    let mut after = 0;
    loop {
        if progress.cancelled() {
            return Err(AppError::cancelled());
        }
        let mut changed = Vec::new();
        let rows = {
            let mut reading = workspace.store.read().await?;
            let rows = records::citations(&mut reading, after, 500).await?;
            for row in &rows {
                let citation = row.citation();
                let fetched = checker.fetch(&mut reading, &citation).await?;
                let (state, reason) = kept(Checker::check(&citation, &fetched));
                findings += u64::from(state != "verified");
                if row.state.as_deref() != Some(state) || row.reason.as_deref() != reason {
                    changed.push((row.citation_id.clone(), state, reason));
                }
                let carriage = Checker::carriage(&citation, &fetched);
                let reason = reason.map(str::to_owned);
                let brief = standings.brief(&mut reading, &citation, today).await?;
                let elsewhere = fetched.elsewhere(carriage.as_ref());
                let quoted = standings
                    .brief_of_quoted(&mut reading, &citation, elsewhere, None, today)
                    .await?;
                let family = family(&mut standings, &mut reading, &citation.doc_id).await?;
                inline.count(&family, quoted.currency, carriage.as_ref());
                answer(&answer_of(
                    row.citation_id.clone(),
                    (state, reason),
                    carriage,
                    Some(brief.label.to_owned()),
                ));
            }
            rows
        };
        if !changed.is_empty() {
            let mut write = workspace.store.write().await?;
            for (id, state, reason) in &changed {
                write.add_check(id, state, *reason).await?;
                let payload = json!({ "state": state, "reason": reason });
                write.audit(
                    &actor(&write, &system_user()),
                    &new_salt(),
                    "citation.check",
                    id,
                    &payload,
                );
            }
            write.commit().await?;
        }
        let Some(last) = rows.last() else {
            return Ok(findings + inline.keep_or_say(workspace, progress).await);
        };
        after = last.number;
    }
}
