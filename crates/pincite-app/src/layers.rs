//! The layers of a version: our own reading, and what other programs read from the same bytes.
//!
//! A foreign layer is kept exactly as it was handed in, so that the offsets of whoever made it mean something here: a
//! citation that names it is checked on it. It has no boxes and no sections. It never speaks for the bytes.
//!
//! Deliberately not here: carrying a citation from one layer into another, and reading any format but UTF-8.

use crate::documents;
use crate::error::AppError;
use crate::files;
use crate::loaded::pages_told;
use crate::ports::new_salt;
use crate::text_source::LONGEST;
use crate::times;
use crate::wire::{AddedLayer, IngestOutcome, LayerView};
use crate::workspace::{Workspace, actor, system_user};
use pincite_core::text::{CharOffset, Layer};
use pincite_store::Connection;
use pincite_store::documents::{LayerKind, NewExtraction, VersionRow};
use pincite_store::layers::{self, ExtractionRow};
use serde_json::json;
use std::io::Read as _;
use std::path::Path;

/// The names of our own extractors begin so.
const OURS: &str = "pincite-";

/// The shortest part of a hash that names a layer.
const SHORTEST_HASH: usize = 4;

fn view(row: &ExtractionRow, document_pages: usize) -> LayerView {
    let ours = row.kind != LayerKind::Foreign.name();
    let told: Option<usize> = serde_json::from_slice(&row.pages).ok();
    LayerView {
        layer_sha256: row.layer_sha256.clone(),
        extractor: row.extractor.clone(),
        kind: row.kind.clone(),
        chars: documents::count(row.chars),
        pages: (ours || told == Some(document_pages)).then(|| u32::try_from(document_pages).unwrap_or(u32::MAX)),
        default: row.is_default,
        recorded_at: times::text(row.recorded_at),
    }
}

async fn views(connection: &mut Connection, version: &VersionRow) -> Result<Vec<LayerView>, AppError> {
    let pages = documents::pages(version)?.len();
    let rows = layers::extractions(connection, &version.doc_sha256).await?;
    Ok(rows.iter().map(|row| view(row, pages)).collect())
}

/// Every layer of a version, in the order recorded.
///
/// # Errors
/// As [`documents::resolve`].
pub async fn list(workspace: &Workspace, doc: &str) -> Result<Vec<LayerView>, AppError> {
    let mut reading = workspace.store.read().await?;
    let version = documents::resolve(&mut reading, doc).await?;
    views(&mut reading, &version).await
}

/// The layer that speaks for a version where a citation names none.
///
/// # Errors
/// As [`documents::resolve`].
pub async fn default(workspace: &Workspace, doc: &str) -> Result<LayerView, AppError> {
    let found = list(workspace, doc).await?.into_iter().find(|layer| layer.default);
    found.ok_or_else(|| AppError::internal("the workspace is damaged: a version has no default layer"))
}

/// Lets another layer speak for a version: one of our own readings, named by its extractor or its (short) hash.
///
/// # Errors
/// As [`documents::resolve`]; no such layer, or several; a layer that may not be the default.
pub async fn set_default(workspace: &Workspace, doc: &str, layer: &str) -> Result<LayerView, AppError> {
    let mut write = workspace.store.write().await?;
    let version = documents::resolve(write.connection(), doc).await?;
    let known = views(write.connection(), &version).await?;
    let chosen = named(&known, doc, layer)?.clone();
    if chosen.kind != LayerKind::Text.name() {
        let what = match chosen.kind.as_str() {
            "foreign" => "another program's reading: it has no boxes, so nothing of it could be shown on a page",
            _ => "not the document's own text",
        };
        return Err(AppError::bad_input(format!(
            "{doc}: the layer {} can't be the default: it is {what}; a citation may name it all the same",
            chosen.extractor
        )));
    }
    if !chosen.default {
        let before = known.iter().find(|layer| layer.default);
        let payload = json!({
            "doc_sha256": version.doc_sha256, "layer_sha256": chosen.layer_sha256, "extractor": chosen.extractor,
            "before": before.map(|layer| &layer.layer_sha256)
        });
        write
            .set_default_extraction(&version.doc_sha256, &chosen.extractor)
            .await?;
        write.audit(
            &actor(&write, &system_user()),
            &new_salt(),
            "layer.default",
            &version.doc_id,
            &payload,
        );
    }
    write.commit().await?;
    Ok(LayerView {
        default: true,
        ..chosen
    })
}

fn named<'a>(known: &'a [LayerView], doc: &str, layer: &str) -> Result<&'a LayerView, AppError> {
    if let Some(found) = known.iter().find(|known| known.extractor == layer) {
        return Ok(found);
    }
    let hash = layer.to_ascii_lowercase();
    let found: Vec<&LayerView> = known
        .iter()
        .filter(|known| hash.len() >= SHORTEST_HASH && known.layer_sha256.starts_with(&hash))
        .collect();
    match found.as_slice() {
        [one] => Ok(one),
        [] => Err(AppError::not_found(format!(
            "{doc} has no layer {layer}; `pincite layer list {doc}` names them"
        ))),
        several => {
            let names: Vec<&str> = several.iter().map(|layer| layer.extractor.as_str()).collect();
            Err(AppError::bad_input(format!(
                "{doc}: {layer} fits {} layers: name one of {}",
                names.len(),
                names.join(", ")
            )))
        }
    }
}

fn read(path: &Path) -> Result<(Vec<u8>, Layer), AppError> {
    let refused = |cause: &str| files::refused(path, cause);
    let metadata = files::look(path, "name the file that holds the text")?;
    if !metadata.is_file() {
        return Err(refused(
            "this is a device or a pipe, not a file; write it into a file first",
        ));
    }
    let mut bytes = Vec::new();
    files::open(path)?
        .take(LONGEST + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| refused(&format!("it can't be read: {error}")))?;
    if bytes.len() as u64 > LONGEST {
        return Err(refused(&format!(
            "the text has more than {LONGEST} bytes, the most that is taken in"
        )));
    }
    if bytes.is_empty() {
        return Err(refused("the file is empty: there is nothing to cite"));
    }
    let layer = Layer::from_bytes(&bytes).map_err(|error| {
        refused(&format!(
            "{error}; a layer is kept exactly as it is, in UTF-8: write the text anew"
        ))
    })?;
    Ok((bytes, layer))
}

/// What a person should know of a text that was handed in: things that shift offsets or hide pages.
fn remarks(layer: &Layer, pages: usize) -> Option<String> {
    let mut remarks = Vec::new();
    if layer.characters().first() == Some(&'\u{FEFF}') {
        remarks.push("it begins with a byte order mark, which is kept and counts as offset 0".to_owned());
    }
    if layer.characters().windows(2).any(|pair| pair == ['\r', '\n']) {
        remarks.push("its lines end in CR LF, which are kept as two code points".to_owned());
    }
    let told = pages_told(layer);
    if told != pages {
        let joins = layer.page_of(CharOffset::from_index(layer.len())) - 1;
        remarks.push(format!(
            "it has {joins} form feeds and the document {pages} pages, so the page of a citation can't be checked on it"
        ));
    }
    (!remarks.is_empty()).then(|| remarks.join("; "))
}

fn checked_name(name: &str) -> Result<(), AppError> {
    if name.trim() != name || name.is_empty() || name.len() > 200 || name.chars().any(char::is_control) {
        return Err(AppError::bad_input(
            "a layer needs a name of 1 to 200 bytes on one line, without spaces at its ends: say with --name which \
             program read the text, and its version",
        ));
    }
    if name.to_ascii_lowercase().starts_with(OURS) {
        return Err(AppError::bad_input(format!(
            "{name}: names that begin with {OURS} are Pincite's own extractors; name the program that read the text"
        )));
    }
    Ok(())
}

/// Keeps another program's text of a version's bytes, exactly as it is in the file.
///
/// # Errors
/// As [`documents::resolve`]; a file that is no UTF-8, empty or too long; a name that another text of these bytes has.
pub async fn add(workspace: &Workspace, doc: &str, path: &Path, name: &str) -> Result<AddedLayer, AppError> {
    checked_name(name)?;
    let (text, layer) = {
        let path = path.to_owned();
        tokio::task::spawn_blocking(move || read(&path)).await??
    };
    let mut write = workspace.store.write().await?;
    let version = documents::resolve(write.connection(), doc).await?;
    let pages = documents::pages(&version)?.len();
    let known = layers::extractions(write.connection(), &version.doc_sha256).await?;
    let same_name = known.iter().find(|row| row.extractor == name);
    if let Some(row) = same_name {
        if row.layer_sha256 != layer.sha256() {
            return Err(AppError::bad_input(format!(
                "{doc}: there is another text named {name}; a layer never changes: give this one its own name, such as \
                 the program's version"
            )));
        }
        return Ok(AddedLayer {
            layer: view(row, pages),
            outcome: IngestOutcome::Known,
            reason: remarks(&layer, pages),
        });
    }
    write
        .add_extraction(
            &version.doc_sha256,
            &NewExtraction {
                extractor: name,
                layer_sha256: layer.sha256(),
                text: &text,
                chars: i64::try_from(layer.len()).unwrap_or(i64::MAX),
                boxes: &[],
                boxed: 0,
                pages: pages_told(&layer).to_string().as_bytes(),
                kind: LayerKind::Foreign,
                details: &[],
            },
        )
        .await?;
    let payload = json!({
        "doc_sha256": version.doc_sha256, "layer_sha256": layer.sha256(), "extractor": name,
        "path": path.display().to_string()
    });
    write.audit(
        &actor(&write, &system_user()),
        &new_salt(),
        "layer.add",
        &version.doc_id,
        &payload,
    );
    let rows = layers::extractions(write.connection(), &version.doc_sha256).await?;
    write.commit().await?;
    let row = rows
        .iter()
        .find(|row| row.extractor == name)
        .ok_or_else(|| AppError::internal("a layer vanished"))?;
    Ok(AddedLayer {
        layer: view(row, pages),
        outcome: IngestOutcome::Added,
        reason: remarks(&layer, pages),
    })
}

/// A layer's exact bytes, by the bytes that it was read from.
///
/// # Errors
/// No such layer of these bytes; the store.
pub async fn bytes(workspace: &Workspace, doc_sha256: &str, layer_sha256: &str) -> Result<Vec<u8>, AppError> {
    let mut reading = workspace.store.read().await?;
    pincite_store::documents::layer_text(&mut reading, doc_sha256, layer_sha256)
        .await?
        .ok_or_else(|| AppError::not_found("these bytes have no such layer"))
}
