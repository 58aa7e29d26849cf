//! Layers of a version, and where a citation points in one that has no boxes.
//!
//! Deliberately not here: a layer's text. It crosses as bytes, never as JSON.

use super::document::SpanView;
use super::intake::IngestOutcome;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// One layer of a version.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct LayerView {
    /// Its name: the hash of its bytes.
    pub layer_sha256: String,
    /// Who read it.
    pub extractor: String,
    /// text, form, annotations (ours) or foreign (another program's).
    pub kind: String,
    /// How many code points.
    pub chars: u32,
    /// How many pages it tells; null where they are not the document's.
    pub pages: Option<u32>,
    /// Whether it speaks for the version where a citation names none.
    pub default: bool,
    /// When it was taken in.
    pub recorded_at: String,
}

/// A layer that was handed in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AddedLayer {
    /// The layer.
    #[serde(flatten)]
    pub layer: LayerView,
    /// added, or known where the same text was here under this name.
    pub outcome: IngestOutcome,
    /// What is to be said of it.
    pub reason: Option<String>,
}

/// Evidence in a layer without boxes: it is shown as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct TextEvidence {
    /// The layer.
    pub layer_sha256: String,
    /// How many code points it has.
    pub chars: u32,
    /// Which program read it, where the document itself is no text.
    pub read_by: Option<String>,
    /// Whether its form feeds part the document's pages.
    pub paged: bool,
    /// Where the citation points; null where it points nowhere.
    pub quote: Option<SpanView>,
    /// More that is marked as a quote is.
    pub marks: Vec<SpanView>,
    /// The clause around it.
    pub clause: Option<SpanView>,
}
