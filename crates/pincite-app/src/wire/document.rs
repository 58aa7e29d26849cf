//! Documents, their versions, pages, sections and fields.
//!
//! Deliberately not here: a document's text. It crosses as bytes, never as JSON.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// A rectangle on a page.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RectView {
    /// Page, from 1.
    pub page: u32,
    /// Left edge, points.
    pub x0: f32,
    /// Upper edge, points.
    pub y0: f32,
    /// Right edge, points.
    pub x1: f32,
    /// Lower edge, points.
    pub y1: f32,
}

/// A page's displayed size in points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PageView {
    /// Points.
    pub width: f32,
    /// Points.
    pub height: f32,
    /// A picture and no text: shown, not citable by offset.
    pub scanned: bool,
    /// Its text can't be trusted.
    pub untrusted: bool,
    /// A picture with an unpainted text over it: what another program recognised in a scan.
    pub recognised: bool,
}

/// What can and can't be trusted of a version's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TrustView {
    /// Code points with a box.
    pub boxed: u32,
    /// Code points without one (generated spaces and line breaks, page joins).
    pub unboxed: u32,
    /// Code points that stand as U+FFFD.
    pub replaced: u32,
    /// Characters whose font maps to no Unicode.
    pub unmapped: u32,
    /// Pages with a picture and no text, from 1.
    pub scanned_pages: Vec<u32>,
    /// Pages whose text can't be trusted, from 1.
    pub untrusted_pages: Vec<u32>,
    /// Pages that could not be read at all, from 1.
    pub damaged_pages: Vec<u32>,
    /// Code points of the private use areas: each font means by them what it likes.
    pub private_use: u32,
    /// Code points that are not painted (white space not counted).
    pub invisible: u32,
    /// Pages with a picture whose text is mostly not painted: recognised in a scan by another program; from 1.
    pub recognised_pages: Vec<u32>,
    /// Code points that lie wholly outside the page as displayed (cropped away).
    pub outside: u32,
    /// Code points drawn a second time over the same ones: kept, flagged.
    pub doubled: u32,
    /// Pages with such, from 1.
    pub doubled_pages: Vec<u32>,
    /// Soft hyphens inside a line.
    pub soft_hyphens: u32,
    /// Hyphens at the end of a line, each U+00AD and a line break in the layer.
    pub line_end_hyphens: u32,
    /// Pages that are turned for display, from 1.
    pub rotated_pages: Vec<u32>,
    /// How many sizes the pages have, as displayed.
    pub page_sizes: u32,
    /// Form fields with a value, which is no part of the text.
    pub form_fields: u32,
    /// Annotations with words, which are no part of the text.
    pub annotations: u32,
    /// Pages that the PDF tags with a structure.
    pub tagged_pages: u32,
    /// Fonts whose program is not in the file: what is measured and drawn is a stand-in.
    pub substituted_fonts: Vec<String>,
}

/// One version of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct DocumentView {
    /// The logical document.
    pub doc_id: String,
    /// SHA-256 of the bytes.
    pub doc_sha256: String,
    /// Default layer.
    pub layer_sha256: String,
    /// Default structure.
    pub structure_id: String,
    /// application/pdf, text/plain or text/markdown.
    pub media_type: String,
    /// Title to show.
    pub title: String,
    /// How many pages.
    pub pages: u32,
    /// Code points in the layer.
    pub chars: u32,
    /// What reads the layer.
    pub extractor: String,
    /// When it was taken in.
    pub recorded_at: String,
    /// What can be trusted.
    pub trust: TrustView,
}

/// A section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SectionView {
    /// Its locator, in the document's own labels.
    pub locator: String,
    /// Its heading without the label.
    pub title: String,
    /// Depth, from 1.
    pub level: u32,
    /// Page it begins on, from 1.
    pub page: u32,
    /// First code point.
    pub start: u32,
    /// The code point after the last.
    pub end: u32,
    /// Survives renumbering.
    pub section_key: String,
    /// Hash of its own folded text.
    pub own_sha256: String,
    /// Hash with its descendants.
    pub content_sha256: String,
}

/// Rows counted twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct RowCountsView {
    /// From rulings, gaps and alignment.
    pub layout: u32,
    /// From the text layer alone.
    pub text: u32,
}

/// A cell of a table; merged ones stand once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CellView {
    /// The row it begins in, from 0.
    pub row: u32,
    /// The column it begins in, from 0.
    pub column: u32,
    /// How many rows it takes.
    pub row_span: u32,
    /// How many columns it takes.
    pub column_span: u32,
    /// Whether it names columns.
    pub header: bool,
    /// Its first code point; null for an empty cell.
    pub start: Option<u32>,
    /// The code point after its last. What lies between may belong to other cells too: `spans` says what is its own.
    pub end: Option<u32>,
    /// Start and end of each stretch that is its own.
    pub spans: Vec<(u32, u32)>,
    /// What those stretches say, joined by spaces.
    pub text: String,
    /// Its locator.
    pub locator: String,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TableView {
    /// As its caption has it, or its number in the document.
    pub label: String,
    /// Its locator.
    pub locator: String,
    /// The page it begins on, from 1.
    pub page: u32,
    /// All pages it stands on.
    pub pages: Vec<u32>,
    /// How many rows; a header that repeats counts once.
    pub rows: u32,
    /// How many columns.
    pub columns: u32,
    /// How many rows at the top name columns.
    pub header_rows: u32,
    /// Whether a person must look at it before anything rests on it.
    pub held: bool,
    /// Why it is held.
    pub reason: Option<String>,
    /// Rows as both methods count them.
    pub row_counts: RowCountsView,
    /// Start and end of each stretch of a header that stands again on a later page.
    pub repeated: Vec<(u32, u32)>,
    /// By row, then column.
    pub cells: Vec<CellView>,
}

/// Where a span stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct BoxesView {
    /// Its rectangles, in reading order.
    pub rects: Vec<RectView>,
    /// Code points of it without a box.
    pub unboxed: u32,
}

/// Code points of a layer: from `start`, included, to `end`, not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SpanView {
    /// First code point.
    pub start: u32,
    /// The code point after the last.
    pub end: u32,
}

impl From<pincite_core::text::CharSpan> for SpanView {
    fn from(span: pincite_core::text::CharSpan) -> Self {
        Self {
            start: span.start().0,
            end: span.end().0,
        }
    }
}

/// A selection on a page, in code points of the layer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SelectionView {
    /// First code point.
    pub start: u32,
    /// The code point after the last.
    pub end: u32,
    /// The layer's text of what was selected, exactly: of a drag, that of `spans`, one after the other.
    pub text: String,
    /// Its rectangles.
    pub rects: Vec<RectView>,
    /// What was selected, in the order of reading. More than one where the layer has other text between, such as the
    /// lines of the next column; a citation is one span, so such a selection can be copied and not cited.
    pub spans: Vec<SpanView>,
}

/// What may be said of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(rename_all = "snake_case")]
pub enum FieldOutcome {
    /// Value and citation, no caveat.
    Shown,
    /// Value and citation with a "verify" badge.
    Flagged,
    /// Not stated in the document.
    Abstained,
    /// Waits for a person; not shown as fact.
    InReview,
    /// A person decided.
    Decided,
    /// No record speaks of it.
    Missing,
}

/// One field of a version, resolved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FieldView {
    /// Its name in the catalogue.
    pub field: String,
    /// Its title.
    pub title: String,
    /// Whether a wrong value disqualifies.
    pub hard: bool,
    /// What may be said of it.
    pub outcome: FieldOutcome,
    /// The resolved value, where one may be shown: null for "not stated" and while in review.
    #[ts(type = "unknown")]
    pub value: Value,
    /// The value in words.
    pub value_text: String,
    /// The record it rests on.
    pub record_id: Option<String>,
    /// The item, where there is one.
    pub item: Option<String>,
    /// accept, correct, reject or abstain, where a person decided.
    pub decision: Option<String>,
    /// Who decided.
    pub decided_by: Option<String>,
    /// Its citations.
    pub citations: Vec<super::evidence::CitationView>,
}

/// Every field of a version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct FieldsView {
    /// The version.
    pub document: DocumentView,
    /// In the order of the catalogue.
    pub fields: Vec<FieldView>,
}
