//! A file of another program's format, made into lines as our own import reads them: whose document each entry speaks
//! of is looked up here, and what is made of it goes the way of every record.
//!
//! Deliberately not here: what a format says (`formats`), and what becomes of a record (`import`).

use crate::documents;
use crate::error::AppError;
use crate::files;
use crate::formats::{self, CountedText, Format, Known, Naming};
use crate::loaded;
use crate::wire::ErrorCode;
use crate::workspace::Workspace;
use std::collections::{BTreeSet, HashMap};
use std::io::Read as _;
use std::path::Path;

/// The longest file that is read, in bytes: it is held in memory whole.
const FILE_LIMIT: u64 = 256 << 20;

/// One entry: where it stands in the file, and the line that is made of it, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Converted {
    pub(crate) place: String,
    pub(crate) line: Result<Vec<u8>, String>,
}

/// Makes lines of a file's entries.
///
/// # Errors
/// A file that can't be read or is not JSON; one that speaks of several documents while one is named for all; the store.
pub(crate) async fn convert(
    workspace: &Workspace,
    path: &Path,
    format: Format,
    naming: &Naming,
) -> Result<Vec<Converted>, AppError> {
    let metadata = files::look(path, "name one file")?;
    if metadata.len() > FILE_LIMIT {
        return Err(files::refused(path, "it is over 256 MiB; split it"));
    }
    let mut text = String::new();
    files::open(path)?
        .read_to_string(&mut text)
        .map_err(|error| files::refused(path, &format!("it can't be read as UTF-8: {error}")))?;
    let entries = formats::read(format, &text, naming).map_err(|why| files::refused(path, &why))?;
    let names: BTreeSet<&String> = entries
        .iter()
        .filter_map(|entry| entry.draft.as_ref().ok()?.document.as_ref())
        .filter(|name| !naming.documents.contains_key(*name))
        .collect();
    if naming.document.is_some() && names.len() > 1 {
        return Err(files::refused(
            path,
            &format!(
                "it speaks of {} documents, so one can't stand for all; say --doc NAME=DOC for each",
                names.len()
            ),
        ));
    }
    let mut reading = workspace.store.read().await?;
    let wanted: BTreeSet<String> = entries
        .iter()
        .filter_map(|entry| named(entry.draft.as_ref().ok()?.document.as_deref(), naming))
        .collect();
    let mut known: HashMap<String, Result<Known, String>> = HashMap::new();
    for document in wanted {
        let found = find(workspace, &mut reading, &document).await?;
        known.insert(document, found);
    }
    let converted = entries
        .into_iter()
        .map(|entry| Converted {
            place: entry.place,
            line: entry.draft.and_then(|draft| {
                let document = named(draft.document.as_deref(), naming);
                match document.as_ref().and_then(|document| known.get(document)) {
                    None => Err("it names no document; say --doc DOC".to_owned()),
                    Some(Err(reason)) => Err(reason.clone()),
                    Some(Ok(known)) => {
                        formats::record(&draft, naming, known).map(|record| record.to_string().into_bytes())
                    }
                }
            }),
        })
        .collect();
    Ok(converted)
}

/// What stands for the document that an entry names.
fn named(name: Option<&str>, naming: &Naming) -> Option<String> {
    let mapped = name.and_then(|name| naming.documents.get(name));
    mapped
        .or(naming.document.as_ref())
        .cloned()
        .or_else(|| name.map(str::to_owned))
}

/// The version that a name means: a document's id, or the file name at the end of an address.
async fn find(
    workspace: &Workspace,
    reading: &mut pincite_store::Reading,
    name: &str,
) -> Result<Result<Known, String>, AppError> {
    let stem = Path::new(name.rsplit('/').next().unwrap_or(name)).file_stem();
    let stem = stem.map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut row = documents::resolve(reading, name).await;
    if row.as_ref().is_err_and(|error| error.code == ErrorCode::NotFound) && !stem.is_empty() {
        row = documents::resolve(reading, &stem).await;
    }
    let row = match row {
        Ok(row) => row,
        Err(error) if matches!(error.code, ErrorCode::NotFound | ErrorCode::BadInput) => {
            return Ok(Err(format!(
                "{}; or say --doc DOC for the one that is meant",
                error.message
            )));
        }
        Err(error) => return Err(error),
    };
    let layer = loaded::layer(workspace.cache(), reading, &row.doc_sha256, &row.layer_sha256).await?;
    let layer = layer.ok_or_else(|| AppError::internal("the workspace is damaged: a version has lost its layer"))?;
    let layers = pincite_store::layers::extractions(reading, &row.doc_sha256).await?;
    Ok(Ok(Known {
        doc_id: row.doc_id,
        doc_sha256: row.doc_sha256,
        layer: CountedText::new(&layer.layer.text()),
        layers: layers.into_iter().map(|layer| layer.layer_sha256).collect(),
    }))
}
