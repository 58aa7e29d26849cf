//! What the evidence pane draws for a citation: stored boxes of the quote, faintly those of its clause, every check's
//! outcome in words.
//!
//! Deliberately not here: searching the page. A quote that does not hold gets no confident highlight.

use crate::checks::{Checker, Fetched, kept};
use crate::documents::{page_views, pages, rect_views};
use crate::error::AppError;
use crate::registry::questions::Dates;
use crate::registry::standing::Standings;
use crate::wire::{CitationState, CitationView, EvidenceView, SpanView, TextEvidence};
use crate::workspace::Workspace;
use pincite_core::citation::{Citation, Link, span_in};
use pincite_store::records::{self, CitationRow};
use pincite_store::{Connection, documents};

/// A kept state as it crosses.
#[must_use]
pub fn state(kept: Option<&str>) -> CitationState {
    match kept {
        Some("verified") => CitationState::Verified,
        Some(_) => CitationState::Failed,
        None => CitationState::Unchecked,
    }
}

pub(crate) fn citation_view(row: &CitationRow) -> CitationView {
    let citation = row.citation();
    CitationView {
        id: row.citation_id.clone(),
        doc_id: citation.doc_id,
        doc_sha256: citation.doc_sha256,
        layer_sha256: citation.layer_sha256,
        structure_id: citation.structure_id,
        locator: citation.locator,
        page: citation.page,
        char_start: citation.char_start,
        char_end: citation.char_end,
        quote: citation.quote,
        state: state(row.state.as_deref()),
        reason: row.reason.clone(),
        placed: row.placed,
    }
}

/// Everything to draw for a citation. It is checked afresh: what is shown as verified is so now.
///
/// # Errors
/// No such citation; the store.
pub async fn evidence(workspace: &Workspace, citation_id: &str) -> Result<EvidenceView, AppError> {
    let mut reading = workspace.store.read().await?;
    let row = records::citation(&mut reading, citation_id).await?;
    let row = row.ok_or_else(|| AppError::not_found(format!("there is no citation {citation_id}")))?;
    let citation = row.citation();
    let mut checker = Checker::new(workspace);
    let fetched = checker.fetch(&mut reading, &citation).await?;
    let (state_now, reason) = kept(Checker::check(&citation, &fetched));
    let mut view = citation_view(&row);
    view.state = state(Some(state_now));
    view.reason = reason.map(str::to_owned);
    let mut evidence = without_a_place(&mut reading, view, &fetched).await?;
    evidence.standing = Standings::new(workspace)
        .known(&mut reading, &citation, Dates::today())
        .await?;
    let Some(loaded) = &fetched.layer else {
        return Ok(evidence);
    };
    let span = citation
        .char_start
        .zip(citation.char_end)
        .and_then(|(start, end)| span_in(&loaded.layer, start, end));
    let Some(span) = span else { return Ok(evidence) };
    if let Some(text) = &mut evidence.in_text {
        text.quote = Some(SpanView::from(span));
    }
    if loaded.paged {
        evidence.open_page = loaded.layer.page_of(span.start());
    }
    evidence.quote_rects = rect_views(&loaded.boxes.rectangles(&loaded.layer, span));
    if state_now != "verified" {
        evidence.found_text = loaded.layer.slice(span).map(|text| text.chars().take(2_000).collect());
    }
    if let Some(structure) = &fetched.structure {
        if let Some(clause) = structure.clause_at(span) {
            evidence.clause_rects = rect_views(&loaded.boxes.rectangles(&loaded.layer, clause));
            if let Some(text) = &mut evidence.in_text {
                text.clause = Some(SpanView::from(clause));
            }
        }
        if let Some(section) = structure.locator_at(span.start()) {
            evidence.clause_locator = Some(section.locator.to_string());
            evidence.clause_title = Some(section.title.clone());
        }
    }
    evidence.link = Some(
        Link::Place {
            doc_id: row.doc_id.clone(),
            doc_sha256: row.doc_sha256.clone(),
            layer_sha256: fetched.layer_sha256.clone(),
            structure_id: fetched.structure_id.clone(),
            start: span.start().0,
            end: span.end().0,
            page: loaded.paged.then_some(evidence.open_page),
            locator: evidence.clause_locator.clone(),
        }
        .to_string(),
    );
    Ok(evidence)
}

/// The whole of a version from its first page, with no place marked: what somebody reads who is to find the place alone.
///
/// # Errors
/// No such version; the store.
pub async fn whole(workspace: &Workspace, doc_id: &str, doc_sha256: &str) -> Result<EvidenceView, AppError> {
    let mut reading = workspace.store.read().await?;
    let version = crate::documents::resolve(&mut reading, &format!("{doc_id}@{doc_sha256}")).await?;
    let nowhere = Citation {
        id: None,
        doc_id: doc_id.to_owned(),
        doc_sha256: version.doc_sha256,
        layer_sha256: None,
        structure_id: None,
        locator: None,
        page: None,
        char_start: None,
        char_end: None,
        quote: String::new(),
        prefix: None,
        suffix: None,
    };
    let fetched = Checker::new(workspace).fetch(&mut reading, &nowhere).await?;
    let view = CitationView {
        id: format!("whole {}", nowhere.doc_sha256),
        doc_id: nowhere.doc_id,
        doc_sha256: nowhere.doc_sha256,
        layer_sha256: None,
        structure_id: None,
        locator: None,
        page: None,
        char_start: None,
        char_end: None,
        quote: String::new(),
        state: CitationState::Unchecked,
        reason: None,
        placed: false,
    };
    without_a_place(&mut reading, view, &fetched).await
}

/// The document of a citation, opened at the page it names, with nothing marked.
async fn without_a_place(
    connection: &mut Connection,
    citation: CitationView,
    fetched: &Fetched,
) -> Result<EvidenceView, AppError> {
    let version = documents::versions_of(connection, &citation.doc_id, &citation.doc_sha256)
        .await?
        .into_iter()
        .next();
    let (title, pages) = match &version {
        Some(version) => (
            String::from_utf8_lossy(&version.title).into_owned(),
            page_views(&pages(version)?),
        ),
        None => (citation.doc_id.clone(), Vec::new()),
    };
    // A layer without boxes is shown as what it is. Its pages may not be the document's, so none is named then.
    let in_text = fetched
        .layer
        .as_ref()
        .filter(|loaded| loaded.boxes.is_empty() && !loaded.layer.is_empty())
        .map(|loaded| TextEvidence {
            layer_sha256: loaded.layer.sha256().to_owned(),
            chars: u32::try_from(loaded.layer.len()).unwrap_or(u32::MAX),
            read_by: loaded.foreign.clone(),
            paged: loaded.paged,
            quote: None,
            marks: Vec::new(),
            clause: None,
        });
    Ok(EvidenceView {
        open_page: page_in(citation.page, pages.len()),
        citation,
        title,
        pages,
        quote_rects: Vec::new(),
        clause_rects: Vec::new(),
        clause_locator: None,
        clause_title: None,
        in_text,
        found_text: None,
        standing: None,
        link: None,
    })
}

/// Everything to draw for each citation of a record, in order; empty where it cites nothing.
///
/// # Errors
/// No such record; the store.
pub async fn of_record(workspace: &Workspace, record_id: &str) -> Result<Vec<EvidenceView>, AppError> {
    let citations = {
        let mut reading = workspace.store.read().await?;
        if records::record(&mut reading, record_id).await?.is_none() {
            return Err(AppError::not_found(format!("there is no record {record_id}")));
        }
        records::citations_of(&mut reading, record_id).await?
    };
    let mut views = Vec::with_capacity(citations.len());
    for citation in citations {
        views.push(evidence(workspace, &citation.citation_id).await?);
    }
    Ok(views)
}

fn page_in(page: Option<i64>, pages: usize) -> u32 {
    page.and_then(|page| u32::try_from(page).ok())
        .filter(|page| (1..=pages).contains(&(*page as usize)))
        .unwrap_or(1)
}
