//! Questions about documents: which there are, their text, places, sections.
//!
//! Deliberately not here: taking documents in (`ingest`), pictures (`render`).

use crate::error::AppError;
use crate::extract;
use crate::loaded::{self, Loaded};
use crate::render;
use crate::text_source::{self, Medium};
use crate::times;
use crate::trust::{self, PageRecord};
use crate::wire::{
    BoxesView, CellView, DocumentView, PageView, RectView, RowCountsView, SectionView, SelectionView, SpanView,
    TableView,
};
use crate::workspace::Workspace;
use pincite_core::structure::{Cell, Structure, Table};
use pincite_core::text::{CharSpan, PageRect, Rect, dragged};
use pincite_store::Connection;
use pincite_store::documents::{self, VersionRow};
use std::sync::Arc;

/// The shortest hash that names a version.
const SHORTEST_HASH: usize = 4;

/// Finds the version that DOC names: a doc_id, or `ID@HASH` with a full or unique short hash.
///
/// # Errors
/// No such document; several versions and no hash (the list is in the message); a short hash that fits several.
pub async fn resolve(connection: &mut Connection, doc: &str) -> Result<VersionRow, AppError> {
    let whole = documents::versions_of(connection, doc, "").await?;
    if !whole.is_empty() {
        return only(whole, doc);
    }
    let Some((doc_id, hash)) = doc.rsplit_once('@') else {
        return Err(unknown(doc));
    };
    let hash = hash.to_ascii_lowercase();
    if hash.len() < SHORTEST_HASH || !hash.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err(AppError::bad_input(format!(
            "{doc}: after @ stand at least {SHORTEST_HASH} digits of the version's hash"
        )));
    }
    let found = documents::versions_of(connection, doc_id, &hash).await?;
    if found.is_empty() {
        Err(unknown(doc))
    } else {
        only(found, doc)
    }
}

fn unknown(doc: &str) -> AppError {
    AppError::not_found(format!(
        "there is no document {doc}; `pincite document list` names them"
    ))
}

fn only(mut found: Vec<VersionRow>, doc: &str) -> Result<VersionRow, AppError> {
    match found.len() {
        1 => Ok(found.remove(0)),
        _ => {
            let names: Vec<String> = found
                .iter()
                .map(|row| format!("{}@{}", row.doc_id, row.doc_sha256.get(..12).unwrap_or(&row.doc_sha256)))
                .collect();
            Err(AppError::bad_input(format!(
                "{doc} has {} versions: say which of {}",
                names.len(),
                names.join(", ")
            )))
        }
    }
}

/// The pages kept with a version.
///
/// # Errors
/// A damaged workspace.
pub fn pages(row: &VersionRow) -> Result<Vec<PageRecord>, AppError> {
    serde_json::from_slice(&row.pages).map_err(|error| {
        AppError::internal(format!(
            "the workspace is damaged: the pages of {}: {error}",
            row.doc_id
        ))
    })
}

pub(crate) fn page_views(pages: &[PageRecord]) -> Vec<PageView> {
    pages
        .iter()
        .map(|page| PageView {
            width: page.size.width,
            height: page.size.height,
            scanned: page.scanned,
            untrusted: page.untrusted,
            recognised: page.recognised,
        })
        .collect()
}

pub(crate) fn count(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(if number < 0 { 0 } else { u32::MAX })
}

pub(crate) async fn view(connection: &mut Connection, row: &VersionRow) -> Result<DocumentView, AppError> {
    let pages = pages(row)?;
    let structure = documents::default_structure(connection, &row.doc_sha256, &row.layer_sha256).await?;
    Ok(DocumentView {
        doc_id: row.doc_id.clone(),
        doc_sha256: row.doc_sha256.clone(),
        layer_sha256: row.layer_sha256.clone(),
        structure_id: structure.map(|structure| structure.structure_id).unwrap_or_default(),
        media_type: row.media_type.clone(),
        title: String::from_utf8_lossy(&row.title).into_owned(),
        pages: u32::try_from(pages.len()).unwrap_or(u32::MAX),
        chars: count(row.chars),
        extractor: row.extractor.clone(),
        recorded_at: times::text(row.recorded_at),
        trust: trust::view(row, &pages),
    })
}

/// Every version, by document. `after` is `ID@HASH` of the last one seen.
///
/// # Errors
/// The store.
pub async fn list(workspace: &Workspace, limit: i64, after: &str) -> Result<Vec<DocumentView>, AppError> {
    let mut reading = workspace.store.read().await?;
    let mut views = Vec::new();
    for row in documents::versions(&mut reading, limit, after).await? {
        views.push(view(&mut reading, &row).await?);
    }
    Ok(views)
}

/// One version.
///
/// # Errors
/// As [`resolve`].
pub async fn show(workspace: &Workspace, doc: &str) -> Result<DocumentView, AppError> {
    let mut reading = workspace.store.read().await?;
    let row = resolve(&mut reading, doc).await?;
    view(&mut reading, &row).await
}

/// A layer's exact bytes: the default one, or the one named.
///
/// # Errors
/// As [`resolve`]; no such layer of this version.
pub async fn text(workspace: &Workspace, doc: &str, layer_sha256: Option<&str>) -> Result<Vec<u8>, AppError> {
    let mut reading = workspace.store.read().await?;
    let row = resolve(&mut reading, doc).await?;
    let layer = layer_sha256.unwrap_or(&row.layer_sha256);
    documents::layer_text(&mut reading, &row.doc_sha256, layer)
        .await?
        .ok_or_else(|| {
            AppError::not_found(format!(
                "{doc} has no layer {layer}; `pincite document show {doc}` names its layer"
            ))
        })
}

async fn loaded(workspace: &Workspace, doc: &str) -> Result<(VersionRow, Arc<Loaded>), AppError> {
    let mut reading = workspace.store.read().await?;
    let row = resolve(&mut reading, doc).await?;
    let layer = loaded::layer(workspace.cache(), &mut reading, &row.doc_sha256, &row.layer_sha256).await?;
    let layer = layer.ok_or_else(|| AppError::internal("the workspace is damaged: a default layer is missing"))?;
    Ok((row, layer))
}

pub(crate) fn rect_views(rects: &[PageRect]) -> Vec<RectView> {
    rects
        .iter()
        .map(|found| RectView {
            page: found.page,
            x0: found.rect.x0,
            y0: found.rect.y0,
            x1: found.rect.x1,
            y1: found.rect.y1,
        })
        .collect()
}

/// Where a span of the default layer stands.
///
/// # Errors
/// As [`resolve`]; offsets that are no span of the layer.
pub async fn boxes(workspace: &Workspace, doc: &str, start: i64, end: i64) -> Result<BoxesView, AppError> {
    let (_, loaded) = loaded(workspace, doc).await?;
    let span = pincite_core::citation::span_in(&loaded.layer, start, end).ok_or_else(|| {
        AppError::bad_input(format!(
            "{start} to {end} is no span of {doc}: offsets run from 0 to {}, start before end",
            loaded.layer.len()
        ))
    })?;
    let unboxed = span
        .range()
        .filter(|index| {
            loaded
                .boxes
                .get(pincite_core::text::CharOffset::from_index(*index))
                .is_none()
        })
        .count();
    Ok(BoxesView {
        rects: rect_views(&loaded.boxes.rectangles(&loaded.layer, span)),
        unboxed: u32::try_from(unboxed).unwrap_or(u32::MAX),
    })
}

/// A selection made of these spans, in this order. `None` where there are none.
fn selection(loaded: &Loaded, spans: &[CharSpan]) -> Option<SelectionView> {
    let start = spans.iter().map(|span| span.start()).min()?;
    let end = spans.iter().map(|span| span.end()).max()?;
    let rects: Vec<PageRect> = spans
        .iter()
        .flat_map(|span| loaded.boxes.rectangles(&loaded.layer, *span))
        .collect();
    Some(SelectionView {
        start: start.0,
        end: end.0,
        text: spans.iter().filter_map(|span| loaded.layer.slice(*span)).collect(),
        rects: rect_views(&rects),
        spans: spans.iter().copied().map(SpanView::from).collect(),
    })
}

/// A rectangle of a page, whichever corners were given.
#[must_use]
pub const fn area(x0: f32, y0: f32, x1: f32, y1: f32) -> Rect {
    Rect {
        x0: x0.min(x1),
        y0: y0.min(y1),
        x1: x0.max(x1),
        y1: y0.max(y1),
    }
}

/// Refuses a version that is text: nothing stands anywhere on a page of it.
fn with_pictures(row: &VersionRow, doc: &str) -> Result<(), AppError> {
    if Medium::of(&row.media_type).has_pictures() {
        return Ok(());
    }
    Err(AppError::bad_input(format!(
        "{doc} is a text: it has no page picture and no places on one; `pincite document text {doc}` prints it"
    )))
}

/// One version that has pictures of its pages.
///
/// # Errors
/// As [`resolve`]; a version that is text.
pub async fn pictured(workspace: &Workspace, doc: &str) -> Result<DocumentView, AppError> {
    let mut reading = workspace.store.read().await?;
    let row = resolve(&mut reading, doc).await?;
    with_pictures(&row, doc)?;
    view(&mut reading, &row).await
}

/// The code points whose boxes lie in a rectangle of a page: from the first to the last of them, the layer's text between,
/// and, in `spans`, the code points that really lie in it.
///
/// # Errors
/// As [`pictured`]; a page that is not there; a rectangle with nothing in it is `NotFound`.
pub async fn hit(workspace: &Workspace, doc: &str, page: u32, area: Rect) -> Result<SelectionView, AppError> {
    let (row, loaded) = loaded(workspace, doc).await?;
    with_pictures(&row, doc)?;
    if loaded.layer.page_span(page).is_none() {
        return Err(AppError::bad_input(format!(
            "{doc} has no page {page}: it has {}",
            loaded.layer.page_count()
        )));
    }
    let spans = loaded.boxes.hits(&loaded.layer, page, area);
    let mut selected = selection(&loaded, &spans)
        .ok_or_else(|| AppError::not_found(format!("no text lies in that rectangle of page {page} of {doc}")))?;
    let whole = CharSpan::of_indices(selected.start as usize, selected.end as usize);
    selected.text = loaded.layer.slice(whole).unwrap_or_default();
    Ok(selected)
}

/// The code points that a drag from one point to another selects on a page, in the order of reading: where that is not
/// the layer's, several spans. `None` where there are none.
///
/// # Errors
/// The store; no such layer.
pub async fn select(
    workspace: &Workspace,
    doc_sha256: &str,
    layer_sha256: &str,
    page: u32,
    from: (f32, f32),
    to: (f32, f32),
) -> Result<Option<SelectionView>, AppError> {
    // What was loaded lately is not read again: whoever asks now is.
    render::is_open(workspace, doc_sha256).await?;
    let mut reading = workspace.store.read().await?;
    let loaded = loaded::layer(workspace.cache(), &mut reading, doc_sha256, layer_sha256).await?;
    let loaded = loaded.ok_or_else(|| AppError::not_found("these bytes have no such layer"))?;
    let detail = (page as usize)
        .checked_sub(1)
        .and_then(|index| loaded.details.get(index));
    let order = detail.map_or(&[][..], |detail| &detail.order);
    let spans = dragged(&loaded.layer, &loaded.boxes, order, page, from, to);
    Ok(selection(&loaded, &spans))
}

pub(crate) fn section_views(structure: &Structure) -> Vec<SectionView> {
    structure
        .sections
        .iter()
        .map(|section| SectionView {
            locator: section.locator.to_string(),
            title: section.title.clone(),
            level: section.level,
            page: section.page,
            start: section.span.start().0,
            end: section.span.end().0,
            section_key: section.section_key.clone(),
            own_sha256: section.own_sha256.clone(),
            content_sha256: section.content_sha256.clone(),
        })
        .collect()
}

/// The sections of the default structure; `without_outline` parses afresh, with the PDF's outline and tags withheld, or
/// the headings that Markdown marks.
///
/// # Errors
/// As [`resolve`].
pub async fn sections(workspace: &Workspace, doc: &str, without_outline: bool) -> Result<Vec<SectionView>, AppError> {
    let (row, loaded) = loaded(workspace, doc).await?;
    if without_outline {
        let pages = pages(&row)?;
        let medium = Medium::of(&row.media_type);
        let structure = tokio::task::spawn_blocking(move || {
            if !medium.has_pictures() {
                return text_source::sections(&loaded.layer, medium, false);
            }
            let mut details = loaded.details.clone();
            details.iter_mut().for_each(|page| page.tags.clear());
            extract::sections(&loaded.layer, &loaded.boxes, &pages, &details, &[])
        })
        .await?;
        return Ok(section_views(&structure));
    }
    let structure = default_structure(workspace, &row).await?;
    Ok(structure.map(|structure| section_views(&structure)).unwrap_or_default())
}

/// The structure in use for a version's default layer.
async fn default_structure(workspace: &Workspace, row: &VersionRow) -> Result<Option<Arc<Structure>>, AppError> {
    let mut reading = workspace.store.read().await?;
    let (hash, layer) = (&row.doc_sha256, &row.layer_sha256);
    let found = loaded::structure(workspace.cache(), &mut reading, hash, layer, None).await?;
    Ok(found.map(|(_, structure)| structure))
}

/// The tables of the default structure.
///
/// # Errors
/// As [`resolve`].
pub async fn tables(workspace: &Workspace, doc: &str) -> Result<Vec<TableView>, AppError> {
    let (row, loaded) = loaded(workspace, doc).await?;
    let structure = default_structure(workspace, &row).await?;
    Ok(structure
        .map(|structure| {
            structure
                .tables
                .iter()
                .map(|table| table_view(&loaded, table))
                .collect()
        })
        .unwrap_or_default())
}

fn pairs(spans: &[CharSpan]) -> Vec<(u32, u32)> {
    spans.iter().map(|span| (span.start().0, span.end().0)).collect()
}

fn table_view(loaded: &Loaded, table: &Table) -> TableView {
    TableView {
        label: table.label.clone(),
        locator: table.locator.to_string(),
        page: table.pages.first().copied().unwrap_or(1),
        pages: table.pages.clone(),
        rows: table.rows,
        columns: table.columns,
        header_rows: table.header_rows,
        held: table.held.is_some(),
        reason: table.held.clone(),
        row_counts: RowCountsView {
            layout: table.row_counts.layout,
            text: table.row_counts.text,
        },
        repeated: pairs(&table.repeated),
        cells: table.cells.iter().map(|cell| cell_view(loaded, cell)).collect(),
    }
}

/// Where a table stands on its pages.
pub(crate) fn table_rects(loaded: &Loaded, table: &Table) -> Vec<RectView> {
    let spans = table.cells.iter().flat_map(|cell| &cell.spans);
    spans
        .flat_map(|span| rect_views(&loaded.boxes.rectangles(&loaded.layer, *span)))
        .collect()
}

fn cell_view(loaded: &Loaded, cell: &Cell) -> CellView {
    let texts: Vec<String> = cell.spans.iter().filter_map(|span| loaded.layer.slice(*span)).collect();
    CellView {
        row: cell.row,
        column: cell.column,
        row_span: cell.row_span,
        column_span: cell.column_span,
        header: cell.header,
        start: cell.spans.first().map(|span| span.start().0),
        end: cell.spans.last().map(|span| span.end().0),
        spans: pairs(&cell.spans),
        text: texts.join(" "),
        locator: cell.locator.to_string(),
    }
}
