//! Other programs' formats, in and out: Label Studio, langextract, docling, W3C Web Annotation.
//!
//! Each reader makes drafts of a JSON value; [`record`] makes our record of a draft, once it is known which document it
//! speaks of. Nothing is believed on the way: offsets that count in another text are left out (the quote, with what
//! stands around it there, is kept for placing), offsets that do not hold their own quote are left out too, and what
//! becomes of the record is decided by the same import as for our own lines.
//!
//! Deliberately not here: files, the store, and placing.

mod counted_text;
pub mod docling;
pub mod label_studio;
pub mod langextract;
pub mod w3c;

pub use counted_text::{CountedText, Given, Unit};

use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How much of a text around a quote goes along with it, in code points.
pub const CONTEXT: usize = 32;

/// A format that is not ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Tasks as Label Studio exports and imports them.
    LabelStudio,
    /// Annotated documents as langextract saves them.
    Langextract,
    /// A document as docling exports it.
    Docling,
    /// Web annotations, Hypothesis's among them.
    W3c,
}

/// What a file of another format does not say, said by whoever imports it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Naming {
    /// The document of every entry that names none, or of a file that names one at most.
    pub document: Option<String>,
    /// The document that a name in the file stands for.
    pub documents: BTreeMap<String, String>,
    /// The field that a label stands for; a label that is not here names its field itself.
    pub fields: BTreeMap<String, String>,
    /// Whether offsets count UTF-16 units.
    pub utf16: bool,
    /// The model, where the file names none.
    pub model: Option<String>,
    /// The prompt version, where the file names none.
    pub prompt_version: Option<String>,
}

/// A passage that a draft rests on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Passage {
    /// The quote; none where the file has offsets alone.
    pub quote: Option<String>,
    /// The text before it.
    pub prefix: Option<String>,
    /// The text after it.
    pub suffix: Option<String>,
    /// Its page, from 1.
    pub page: Option<i64>,
    /// Its offsets.
    pub offsets: Option<Given>,
    /// The text that the offsets count in, where the file has it.
    pub text: Option<Arc<CountedText>>,
    /// The layer that the offsets count in, where the file names one.
    pub layer_sha256: Option<String>,
}

/// A record in the making: what the file says, and nothing else.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Draft {
    /// What the file calls the document.
    pub document: Option<String>,
    /// The label.
    pub label: String,
    /// The value.
    pub value: Value,
    /// present, absent or conflicting; present where the format has no such word.
    pub status: Option<String>,
    /// The record's own id.
    pub record_id: Option<String>,
    /// The confidence, as it stands there.
    pub confidence: Option<Value>,
    /// The model.
    pub model: Option<String>,
    /// The prompt version.
    pub prompt_version: Option<String>,
    /// The run.
    pub run_id: Option<String>,
    /// The passages.
    pub passages: Vec<Passage>,
}

/// One entry of a file: where it stands there, and what it says, or why it is no record.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Such as "task 2, region 5".
    pub place: String,
    /// What it says.
    pub draft: Result<Draft, String>,
}

/// A version that is here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The logical document.
    pub doc_id: String,
    /// Its bytes.
    pub doc_sha256: String,
    /// Its default layer.
    pub layer: CountedText,
    /// Every layer of these bytes.
    pub layers: Vec<String>,
}

/// Reads a file of another format: one JSON document, or one a line.
///
/// # Errors
/// One sentence, where the file is neither.
pub fn read(format: Format, text: &str, naming: &Naming) -> Result<Vec<Entry>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut entries = Vec::new();
    let whole = match serde_json::from_str::<Value>(text) {
        Ok(document) => {
            read_one(format, &document, "", naming, &mut entries);
            return Ok(entries);
        }
        Err(error) => error,
    };
    let lines: Vec<(usize, Result<Value, serde_json::Error>)> = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, line)| (number, serde_json::from_str(line)))
        .collect();
    if !lines.iter().any(|(_, line)| line.as_ref().is_ok_and(Value::is_object)) {
        return Err(format!(
            "it is neither one JSON document nor JSON lines (line {}, column {}); write it as UTF-8 JSON",
            whole.line(),
            whole.column()
        ));
    }
    for (number, line) in lines {
        let place = format!("line {number}");
        match line {
            Ok(document) => read_one(format, &document, &place, naming, &mut entries),
            Err(error) => entries.push(Entry {
                place,
                draft: Err(format!(
                    "it is not JSON at column {}; write one JSON object a line",
                    error.column()
                )),
            }),
        }
    }
    Ok(entries)
}

fn read_one(format: Format, document: &Value, place: &str, naming: &Naming, entries: &mut Vec<Entry>) {
    match format {
        Format::LabelStudio => label_studio::read(document, place, naming, entries),
        Format::Langextract => langextract::read(document, place, entries),
        Format::Docling => docling::read(document, place, naming, entries),
        Format::W3c => w3c::read(document, place, naming, entries),
    }
}

/// Our record of a draft, as a line of an import holds it.
///
/// # Errors
/// One sentence: no model, no prompt version, no quote.
pub fn record(draft: &Draft, naming: &Naming, known: &Known) -> Result<Value, String> {
    let said = |own: &Option<String>, given: &Option<String>, what: &str, option: &str| {
        own.clone()
            .or_else(|| given.clone())
            .filter(|name| !name.is_empty())
            .ok_or_else(|| format!("it names no {what}; say {option}"))
    };
    let model = said(&draft.model, &naming.model, "model", "--model NAME")?;
    let prompt_version = said(
        &draft.prompt_version,
        &naming.prompt_version,
        "prompt version",
        "--prompt-version NAME",
    )?;
    let provenance = draft
        .passages
        .iter()
        .map(|passage| citation(passage, known))
        .collect::<Result<Vec<Value>, String>>()?;
    // A region that has no text of its own says what it encloses.
    let value = match (&draft.value, provenance.first()) {
        (Value::Null, Some(first)) if draft.status.is_none() => first["quote"].clone(),
        (value, _) => value.clone(),
    };
    let mut record = json!({
        "doc_id": known.doc_id, "doc_sha256": known.doc_sha256,
        "field": naming.fields.get(&draft.label).unwrap_or(&draft.label),
        "value": value,
        "status": draft.status.as_deref().unwrap_or("present"),
        "provenance": provenance,
        "extractor": { "model": model, "prompt_version": prompt_version },
    });
    if let Some(confidence) = &draft.confidence {
        record["confidence"] = confidence.clone();
    }
    if let Some(record_id) = &draft.record_id {
        record["record_id"] = json!(record_id);
    }
    if let Some(run_id) = &draft.run_id {
        record["extractor"]["run_id"] = json!(run_id);
    }
    Ok(record)
}

fn citation(passage: &Passage, known: &Known) -> Result<Value, String> {
    let mut entry = Map::new();
    let mut quote = passage.quote.clone().filter(|quote| !quote.is_empty());
    let counted = passage.text.as_deref().unwrap_or(&known.layer);
    if quote.is_none()
        && let Some(given) = passage.offsets
    {
        let readings = counted.readings(given);
        if readings.len() > 1 {
            return Err("it has no quote, and its offsets mean one place in code points and another in UTF-16 units; export it with its text".to_owned());
        }
        quote = readings.first().and_then(|span| counted.slice(span));
    }
    let Some(quote) = quote else {
        return Err("it has no quote, and no offsets that give one; a passage is what it quotes".to_owned());
    };
    let mut around = (passage.prefix.clone(), passage.suffix.clone());
    if let Some(given) = passage.offsets {
        let held = counted.holding(given, &quote);
        let named = passage.layer_sha256.as_deref();
        let offsets = match (&passage.text, held) {
            // They count in the file's own text. If that is a layer of these bytes, they are that layer's.
            (Some(text), Some(span)) if known.layers.iter().any(|layer| layer == text.sha256()) => {
                Some((Some(text.sha256()), json!(span.start), json!(span.end)))
            }
            // Else they mean nothing here. What stands around the quote there may tell its place from another.
            (Some(text), Some(span)) if around == (None, None) => {
                let (before, after) = text.around(&span, CONTEXT);
                around = (Some(before), Some(after));
                None
            }
            (Some(_), _) => None,
            (None, Some(span)) if named.is_none_or(|named| named == known.layer.sha256()) => {
                Some((named, json!(span.start), json!(span.end)))
            }
            // Code points of a text that the file does not have: the check will say whether they are ours.
            (None, _) => (given.unit == Unit::CodePoints).then(|| (named, json!(given.start), json!(given.end))),
        };
        if let Some((layer, start, end)) = offsets {
            if let Some(layer) = layer {
                entry.insert("layer_sha256".to_owned(), json!(layer));
            }
            entry.insert("char_start".to_owned(), start);
            entry.insert("char_end".to_owned(), end);
        }
    }
    entry.insert("quote".to_owned(), json!(quote));
    for (key, text) in [("prefix", around.0), ("suffix", around.1)] {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            entry.insert(key.to_owned(), json!(text));
        }
    }
    if let Some(page) = passage.page {
        entry.insert("page".to_owned(), json!(page));
    }
    Ok(Value::Object(entry))
}

/// A value that is written as a text: JSON where it is an object or a list, else the text itself.
fn value_of(text: &str) -> Value {
    serde_json::from_str(text)
        .ok()
        .filter(|value: &Value| value.is_object() || value.is_array())
        .unwrap_or_else(|| json!(text))
}

fn text_of(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(Value::as_str).map(str::to_owned)
}

/// A list, or one thing without a list around it.
fn list_of(value: Option<&Value>) -> Vec<&Value> {
    match value {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Array(list)) => list.iter().collect(),
        Some(one) => vec![one],
    }
}

/// The place of a thing within a place.
fn within(place: &str, what: &str) -> String {
    if place.is_empty() {
        what.to_owned()
    } else {
        format!("{place}, {what}")
    }
}

#[cfg(test)]
mod tests;
