//! What replaced a section, beside it: both on their pages, with the words that differ marked on each.
//!
//! Deliberately not here: which words differ (`pincite_core::registry`), and what a citation is worth (`standing`).

use super::histories::{self, Registered};
use super::questions::Dates;
use super::sides::Compared;
use super::standing::Standings;
use crate::documents::{rect_views, resolve};
use crate::error::AppError;
use crate::evidence;
use crate::wire::{EvidenceView, ReplacementView, SpanView, TextEvidence};
use crate::workspace::Workspace;
use pincite_core::registry::{Piece, Revision, compare};
use pincite_core::text::CharSpan;
use pincite_store::{Connection, records};

/// What is in force in place of a kept citation's section, on two dates.
///
/// # Errors
/// No such citation; one that is current, or of which the registry knows nothing; the store.
pub async fn of_citation(workspace: &Workspace, citation_id: &str, dates: Dates) -> Result<ReplacementView, AppError> {
    let mut reading = workspace.store.read().await?;
    let row = records::citation(&mut reading, citation_id).await?;
    let row = row.ok_or_else(|| AppError::not_found(format!("there is no citation {citation_id}")))?;
    let citation = row.citation();
    let mut standings = Standings::new(workspace);
    let standing = standings.of(&mut reading, &citation, dates).await?;
    let registered = standings.history(&mut reading, &citation.doc_id).await?;
    drop(reading);
    let (Some(registered), Some(cited)) = (registered, standing.cited.clone()) else {
        return Err(AppError::not_found(format!(
            "the registry has no revision of what {citation_id} cites: register it, and what replaced it is known"
        )));
    };
    if standing.current {
        return Err(AppError::bad_input(format!(
            "{citation_id} cites what is in force: nothing replaced it"
        )));
    }
    // What is withdrawn, or comes some day, took the place of nothing yet.
    let instead = standing
        .in_force
        .as_ref()
        .filter(|answer| ["in_force", "removed"].contains(&answer.answer.as_str()));
    let after = instead.and_then(|answer| answer.seq);
    beside(workspace, &registered, cited.seq, after, cited.section_key.as_deref()).await
}

/// A section in two revisions of a document, by its key or as a revision labels it.
///
/// # Errors
/// No such document, revision or section; the store.
pub async fn between(
    workspace: &Workspace,
    doc_id: &str,
    before: i64,
    after: i64,
    section: &str,
) -> Result<ReplacementView, AppError> {
    let registered = histories::wanted(&mut *workspace.store.read().await?, doc_id).await?;
    let key = histories::section_key(&registered.history, doc_id, section)?;
    beside(workspace, &registered, before, Some(after), Some(&key)).await
}

async fn beside(
    workspace: &Workspace,
    registered: &Registered,
    before: i64,
    after: Option<i64>,
    key: Option<&str>,
) -> Result<ReplacementView, AppError> {
    let mut reading = workspace.store.read().await?;
    let one = side(workspace, &mut reading, registered, before).await?;
    let other = match after {
        Some(seq) => Some(side(workspace, &mut reading, registered, seq).await?),
        None => None,
    };
    drop(reading);
    let place = |side: &RevisionSide<'_>| key.and_then(|key| side.place(key));
    let (at, instead) = (place(&one), other.as_ref().and_then(place));
    let (one_compared, other_compared) = (one.compared, other.as_ref().map(|other| other.compared.clone()));
    let (removed, added) = match (at, instead, other_compared) {
        (Some(at), Some(instead), Some(compared)) => {
            let compared_before = one_compared.clone();
            let pieces = tokio::task::spawn_blocking(move || {
                compare(&compared_before.side(), &compared.side()).words(at, instead)
            });
            marks(&pieces.await?)
        }
        _ => (Vec::new(), Vec::new()),
    };
    let view = async |revision: &Revision, compared: &Compared, index: Option<usize>, marks: &[CharSpan]| {
        let bare = evidence::whole(workspace, &registered.doc_id(), &revision.doc_sha256).await?;
        Ok::<_, AppError>(marked(bare, compared, index, marks))
    };
    let before = view(one.revision, &one_compared, at, &removed).await?;
    let after = match &other {
        // The revision in force has the section no longer: it is opened where nothing is marked.
        Some(other) => Some(view(other.revision, &other.compared, instead, &added).await?),
        None => None,
    };
    Ok(ReplacementView {
        before_revision: one.revision.revision.clone(),
        after_revision: other.as_ref().map(|other| other.revision.revision.clone()),
        after_since: other
            .as_ref()
            .and_then(|other| other.revision.effective)
            .map(|day| day.to_string()),
        gone: after.is_some() && key.is_some() && instead.is_none(),
        removed: u32::try_from(removed.len()).unwrap_or(u32::MAX),
        added: u32::try_from(added.len()).unwrap_or(u32::MAX),
        before,
        after,
    })
}

/// A revision with what its sections rest on.
struct RevisionSide<'a> {
    revision: &'a Revision,
    compared: std::sync::Arc<Compared>,
}

impl RevisionSide<'_> {
    /// The section of that key among those of the structure: where the registry has it, or else the one of its name.
    fn place(&self, key: &str) -> Option<usize> {
        let sections = &self.compared.structure.sections;
        let index = self
            .revision
            .sections
            .iter()
            .position(|section| section.section_key == key)?;
        let name = &self.revision.sections.get(index)?.locator;
        let is_it = |index: &usize| {
            sections
                .get(*index)
                .is_some_and(|section| section.locator.to_string() == *name)
        };
        Some(index).filter(is_it).or_else(|| (0..sections.len()).find(is_it))
    }
}

async fn side<'a>(
    workspace: &Workspace,
    connection: &mut Connection,
    registered: &'a Registered,
    seq: i64,
) -> Result<RevisionSide<'a>, AppError> {
    let revisions = registered.history.revisions();
    let found = revisions.iter().find(|revision| revision.seq == seq);
    let (Some(revision), Some(row)) = (found, registered.row(seq)) else {
        return Err(AppError::not_found(format!(
            "{} has no registered revision of seq {seq}",
            registered.doc_id()
        )));
    };
    let version = resolve(connection, &format!("{}@{}", row.doc_id, row.doc_sha256)).await?;
    let compared = Compared::of(workspace.cache(), connection, &version, Some(&row.structure_id)).await?;
    Ok(RevisionSide {
        revision,
        compared: std::sync::Arc::new(compared),
    })
}

/// What only one of two texts has: removed words, added words.
pub(super) fn marks(pieces: &[Piece]) -> (Vec<CharSpan>, Vec<CharSpan>) {
    let removed = pieces.iter().filter_map(|piece| match piece {
        Piece::Removed { before } => Some(*before),
        _ => None,
    });
    let added = pieces.iter().filter_map(|piece| match piece {
        Piece::Added { after } => Some(*after),
        _ => None,
    });
    (removed.collect(), added.collect())
}

/// A version opened at a section of it, with these spans marked as a quote is.
fn marked(bare: EvidenceView, compared: &Compared, index: Option<usize>, marks: &[CharSpan]) -> EvidenceView {
    let section = index.and_then(|index| compared.structure.sections.get(index));
    let Some(section) = section else { return bare };
    let (layer, boxes) = compared.layer_and_boxes();
    let rects = |spans: &[CharSpan]| {
        spans
            .iter()
            .flat_map(|span| rect_views(&boxes.rectangles(layer, *span)))
            .collect::<Vec<_>>()
    };
    // A section's own words: what lies in its parts is theirs.
    let marked = section
        .own
        .iter()
        .find(|own| marks.first().is_some_and(|mark| own.contains(mark.start())));
    let own = marked.or(section.own.first()).copied();
    let first = marks.first().map_or(section.span.start(), |mark| mark.start());
    EvidenceView {
        open_page: if bare.pages.is_empty() {
            bare.open_page
        } else {
            layer.page_of(first)
        },
        quote_rects: rects(marks),
        clause_rects: rects(&compared.without_furniture(&section.own)),
        clause_locator: Some(section.locator.to_string()),
        clause_title: Some(section.title.clone()),
        in_text: bare.in_text.map(|text| TextEvidence {
            quote: marks.first().copied().map(SpanView::from),
            marks: marks.iter().copied().map(SpanView::from).collect(),
            clause: own.map(SpanView::from),
            ..text
        }),
        ..bare
    }
}
