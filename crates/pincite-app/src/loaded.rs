//! Layers and structures read from the store once and shared: the evidence that checks and panes look at.
//!
//! Deliberately not here: anything that changes. What is cached is named by its hash and can't go stale.

use crate::error::AppError;
use pincite_core::citation::LayerIndex;
use pincite_core::structure::Structure;
use pincite_core::text::{CharSpan, Layer, LayerBoxes, PAGE_JOIN, PageDetail};
use pincite_store::documents::LayerKind;
use pincite_store::{Connection, documents, layers};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::SystemTime;

/// A layer of some bytes, with its boxes and, once asked for, its fold.
#[derive(Debug)]
pub struct Loaded {
    /// The text.
    pub layer: Layer,
    /// Its boxes.
    pub boxes: LayerBoxes,
    /// What its pages say beside: one entry a page, or none at all.
    pub details: Vec<PageDetail>,
    /// Whose reading it is, where it is another program's.
    pub foreign: Option<String>,
    /// Whether its pages are those of the document. Ours always are; another program may not say where a page ends.
    pub paged: bool,
    index: OnceLock<LayerIndex>,
}

impl Loaded {
    /// The layer folded for placing quotes; made at first use.
    pub fn index(&self) -> &LayerIndex {
        self.index.get_or_init(|| LayerIndex::new(&self.layer, &self.doubled()))
    }

    /// Glyphs drawn a second time over themselves: in the layer, and skipped by whoever finds quotes again.
    fn doubled(&self) -> Vec<CharSpan> {
        let page = |(detail, page): (&PageDetail, u32)| {
            let start = self.layer.page_span(page)?.start();
            Some(
                detail
                    .doubled
                    .iter()
                    .map(|run| run.in_layer(start))
                    .collect::<Vec<CharSpan>>(),
            )
        };
        self.details.iter().zip(1..).filter_map(page).flatten().collect()
    }
}

/// How many layers and how many structures are kept in memory.
const KEPT: usize = 24;

/// The most recently used, oldest first.
type Recent<T> = Mutex<VecDeque<(String, Arc<T>)>>;

/// What was loaded lately.
#[derive(Debug, Default)]
pub struct Cache {
    layers: Recent<Loaded>,
    structures: Recent<Structure>,
    /// Blobs that were hashed and found whole, by their time and length then.
    whole: Mutex<HashMap<String, Stamp>>,
}

/// When a blob was written last, and its length.
type Stamp = (SystemTime, u64);

impl Cache {
    /// Whether a blob was whole when it was hashed last and has not been written since.
    pub(crate) fn known_whole(&self, sha256: &str, stamp: Option<Stamp>) -> bool {
        let known = self.whole.lock().ok().and_then(|whole| whole.get(sha256).copied());
        stamp.is_some() && known == stamp
    }

    /// Remembers that a blob is whole.
    pub(crate) fn is_whole(&self, sha256: &str, stamp: Option<Stamp>) {
        if let (Ok(mut whole), Some(stamp)) = (self.whole.lock(), stamp) {
            whole.insert(sha256.to_owned(), stamp);
        }
    }
}

fn find<T>(recent: &Recent<T>, key: &str) -> Option<Arc<T>> {
    let mut recent = recent.lock().ok()?;
    let position = recent.iter().position(|(held, _)| held == key)?;
    let entry = recent.remove(position)?;
    let found = Arc::clone(&entry.1);
    recent.push_back(entry);
    Some(found)
}

fn keep<T>(recent: &Recent<T>, key: String, value: T) -> Arc<T> {
    let value = Arc::new(value);
    if let Ok(mut recent) = recent.lock() {
        recent.push_back((key, Arc::clone(&value)));
        if recent.len() > KEPT {
            recent.pop_front();
        }
    }
    value
}

/// A layer of these bytes with its boxes; `None` where these bytes have no such layer.
///
/// # Errors
/// The store; a layer that can't be read back.
pub async fn layer(
    cache: &Cache,
    connection: &mut Connection,
    doc_sha256: &str,
    layer_sha256: &str,
) -> Result<Option<Arc<Loaded>>, AppError> {
    let key = format!("{doc_sha256} {layer_sha256}");
    if let Some(found) = find(&cache.layers, &key) {
        return Ok(Some(found));
    }
    let Some(text) = documents::layer_text(connection, doc_sha256, layer_sha256).await? else {
        return Ok(None);
    };
    let boxes = documents::layer_boxes(connection, doc_sha256, layer_sha256)
        .await?
        .unwrap_or_default();
    let damaged = |what: &str| {
        AppError::internal(format!(
            "the workspace is damaged: {what} of layer {layer_sha256} can't be read back"
        ))
    };
    let layer = Layer::from_bytes(&text).map_err(|_| damaged("the text"))?;
    if layer.sha256() != layer_sha256 {
        return Err(damaged("the text"));
    }
    // No bytes at all: a layer without boxes. A text's is one, and every foreign one.
    let boxes = LayerBoxes::from_bytes(&boxes)
        .filter(|boxes| boxes.is_empty() || boxes.len() == layer.len())
        .ok_or_else(|| damaged("the boxes"))?;
    let details: Vec<PageDetail> = match documents::layer_details(connection, doc_sha256, layer_sha256).await? {
        None => Vec::new(),
        Some(details) => serde_json::from_slice(&details).map_err(|_| damaged("what the pages say"))?,
    };
    let reading = layers::reading_of(connection, doc_sha256, layer_sha256).await?;
    let foreign = reading.filter(|reading| reading.kind == LayerKind::Foreign.name());
    let paged = match &foreign {
        None => true,
        Some(reading) => {
            let pages: Vec<serde::de::IgnoredAny> =
                serde_json::from_slice(&reading.pages).map_err(|_| damaged("the pages"))?;
            pages_told(&layer) == pages.len()
        }
    };
    Ok(Some(keep(
        &cache.layers,
        key,
        Loaded {
            layer,
            boxes,
            details,
            foreign: foreign.map(|reading| reading.extractor),
            paged,
            index: OnceLock::new(),
        },
    )))
}

/// How many pages another program's text tells of: form feeds join them, or end each as pdftotext has it.
pub(crate) fn pages_told(layer: &Layer) -> usize {
    let ended = layer.characters().last() == Some(&PAGE_JOIN);
    layer.page_count() - usize::from(ended)
}

/// A structure with its id: the one named, or the one in use for this layer. `None` where it is not here.
///
/// # Errors
/// The store; a structure that can't be read back.
pub async fn structure(
    cache: &Cache,
    connection: &mut Connection,
    doc_sha256: &str,
    layer_sha256: &str,
    structure_id: Option<&str>,
) -> Result<Option<(String, Arc<Structure>)>, AppError> {
    let row = match structure_id {
        Some(id) => {
            if let Some(found) = find(&cache.structures, &format!("{doc_sha256} {layer_sha256} {id}")) {
                return Ok(Some((id.to_owned(), found)));
            }
            documents::structure(connection, doc_sha256, id)
                .await?
                .filter(|row| row.layer_sha256 == layer_sha256)
        }
        None => documents::default_structure(connection, doc_sha256, layer_sha256).await?,
    };
    let Some(row) = row else { return Ok(None) };
    // The layer is part of the name: a structure says nothing about another layer of the same bytes.
    let key = format!("{doc_sha256} {layer_sha256} {}", row.structure_id);
    if let Some(found) = find(&cache.structures, &key) {
        return Ok(Some((row.structure_id, found)));
    }
    let structure: Structure = serde_json::from_slice(&row.content).map_err(|error| {
        AppError::internal(format!(
            "the workspace is damaged: structure {} can't be read back: {error}",
            row.structure_id
        ))
    })?;
    Ok(Some((row.structure_id, keep(&cache.structures, key, structure))))
}
