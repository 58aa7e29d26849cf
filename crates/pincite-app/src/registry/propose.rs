//! What the files of a folder say of themselves, as lines of a manifest that somebody looks over.
//!
//! Files are read as they are when they are taken in, and nothing is kept of them: no document, no revision. What a line proposes
//! and by which words is in its note.
//!
//! Deliberately not here: what counts as saying it (`pincite_core::registry::proposals`), and registering (`revisions`).

use super::identities::stable_name;
use crate::error::AppError;
use crate::ingest;
use crate::intake;
use crate::ports::Progress;
use crate::wire::{ImportCounts, ProposalView, ProposedRevisionView};
use crate::workspace::Workspace;
use chrono::NaiveDate;
use pincite_core::registry::proposals::{Proposal, Said, Witness, in_layer, in_name};
use pincite_core::structure::{Marks, ParseInput, left_out};
use pincite_core::text::{Layer, PageSize};
use std::path::Path;
use std::sync::Arc;

/// What each document of a folder says of its revision and its dates, by path.
///
/// # Errors
/// A folder that is none, or holds no document; cancellation.
pub async fn folder(
    workspace: &Workspace,
    folder: &Path,
    progress: &Arc<dyn Progress>,
) -> Result<Vec<ProposedRevisionView>, AppError> {
    let files = intake::documents_of(folder)?;
    let total = files.len() as u64;
    let mut proposed = Vec::new();
    for (done, path) in (0..).zip(&files) {
        if progress.cancelled() {
            return Err(AppError::cancelled());
        }
        progress.at(&path.display().to_string(), done, total, &ImportCounts::default());
        let file = path.strip_prefix(folder).unwrap_or(path).display().to_string();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut all: Vec<Seen> = in_name(&name).into_iter().map(|one| (None, one)).collect();
        let problem = match ingest::looked_at(workspace, path, progress).await {
            Ok(read) => {
                let of_pages = in_layer(&read.layer, &furniture(&read));
                all.extend(of_pages.into_iter().map(|one| (page(&read.layer, &one), one)));
                None
            }
            Err(error) => Some(error.message),
        };
        proposed.push(line(file, all, problem));
    }
    Ok(proposed)
}

/// Something that is said, and on which page.
type Seen = (Option<u32>, Proposal);

/// The running heads and feet of what was read.
fn furniture(read: &crate::extract::Extracted) -> Vec<pincite_core::text::CharSpan> {
    let sizes: Vec<PageSize> = read.pages.iter().map(|page| page.size).collect();
    let input = ParseInput {
        layer: &read.layer,
        boxes: &read.boxes,
        page_sizes: &sizes,
        details: &read.details,
        outline: &[],
    };
    left_out(&input, &Marks::default()).furniture
}

fn page(layer: &Layer, proposal: &Proposal) -> Option<u32> {
    Some(layer.page_of(proposal.place?.start()))
}

fn line(file: String, mut all: Vec<Seen>, problem: Option<String>) -> ProposedRevisionView {
    all.sort_by_key(|(_, one)| one.witness);
    let revision = all.iter().find_map(|(_, one)| match &one.said {
        Said::Revision(name) => Some((name.clone(), one.witness)),
        _ => None,
    });
    let day = |wanted: fn(&Said) -> Option<NaiveDate>| all.iter().find_map(|(_, one)| wanted(&one.said));
    let effective = day(|said| match said {
        Said::Effective(day) => Some(*day),
        _ => None,
    });
    let mut notes: Vec<String> = all
        .iter()
        .map(|(page, one)| match page {
            Some(page) => format!("page {page} says \"{}\"", one.words.trim()),
            None => format!("the name says \"{}\"", one.words),
        })
        .collect();
    notes.dedup();
    if revision.as_ref().is_some_and(|(_, witness)| *witness == Witness::Name) {
        notes.push("only the name tells a version: it may be the file's".into());
    }
    notes.extend(problem.map(|problem| format!("not read: {problem}")));
    ProposedRevisionView {
        doc_id: stable_name(&file).replace(' ', "-"),
        file,
        revision: revision.map(|(name, _)| name),
        effective_date: effective.map(|day| day.to_string()),
        note: notes.join("; "),
        proposals: all
            .into_iter()
            .map(|(page, one)| {
                let (about, value) = match one.said {
                    Said::Revision(name) => ("revision", name),
                    Said::Effective(day) => ("effective_date", day.to_string()),
                    Said::Approved(day) => ("approved_at", day.to_string()),
                };
                ProposalView {
                    about: about.to_owned(),
                    value,
                    from: one.witness.label().to_owned(),
                    words: one.words,
                    page,
                }
            })
            .collect(),
    }
}

/// The lines as a manifest. What nobody said is empty, and such a line is refused until somebody fills it in.
#[must_use]
pub fn manifest(lines: &[ProposedRevisionView]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let _ = writer.write_record(["doc_id", "revision", "file", "effective_date", "note"]);
    for line in lines {
        let empty = String::new();
        let _ = writer.write_record([
            &line.doc_id,
            line.revision.as_ref().unwrap_or(&empty),
            &line.file,
            line.effective_date.as_ref().unwrap_or(&empty),
            &line.note,
        ]);
    }
    String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
}
