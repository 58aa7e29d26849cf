//! A citation with its check, and everything the evidence pane draws.
//!
//! Deliberately not here: pictures of pages. They cross by the page protocol.

use super::document::{PageView, RectView};
use super::layer::TextEvidence;
use super::registry::StandingView;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whether a citation holds on its own bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(rename_all = "snake_case")]
pub enum CitationState {
    /// Every check passed.
    Verified,
    /// One did not; the reason says which.
    Failed,
    /// Not checked yet.
    Unchecked,
}

/// A citation as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CitationView {
    /// Its id.
    pub id: String,
    /// The logical document.
    pub doc_id: String,
    /// The bytes cited.
    pub doc_sha256: String,
    /// The layer its offsets count in.
    pub layer_sha256: Option<String>,
    /// The structure its locator is of.
    pub structure_id: Option<String>,
    /// The document's own name for the place.
    pub locator: Option<String>,
    /// Page, from 1.
    pub page: Option<i64>,
    /// First code point, as given.
    pub char_start: Option<i64>,
    /// The code point after the last, as given.
    pub char_end: Option<i64>,
    /// The quote.
    pub quote: String,
    /// Whether it holds.
    pub state: CitationState,
    /// The first check that failed: bytes_unknown, quote_mismatch, ...
    pub reason: Option<String>,
    /// Whether Pincite filled the offsets in.
    pub placed: bool,
}

/// What the evidence pane draws for one citation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct EvidenceView {
    /// The citation with its check.
    pub citation: CitationView,
    /// The document's title.
    pub title: String,
    /// Every page's size; empty where the bytes are not here.
    pub pages: Vec<PageView>,
    /// The page to open, from 1.
    pub open_page: u32,
    /// The quote's rectangles: stored boxes. Empty where the citation's offsets point nowhere.
    pub quote_rects: Vec<RectView>,
    /// The rectangles of the clause around it.
    pub clause_rects: Vec<RectView>,
    /// The locator of that clause.
    pub clause_locator: Option<String>,
    /// The clause's title.
    pub clause_title: Option<String>,
    /// Set where the cited layer has no boxes: the text itself is the evidence, and there are no rectangles.
    pub in_text: Option<TextEvidence>,
    /// The layer's text where the citation points, when the quote is not there: what stands in its place.
    pub found_text: Option<String>,
    /// What the registry says of its section today; null where it has no such document.
    pub standing: Option<StandingView>,
    /// A link to this place.
    pub link: Option<String>,
}
