//! langextract: an annotated document a line, `{document_id, text, extractions: [{extraction_class, extraction_text,
//! char_interval: {start_pos, end_pos}, attributes}]}`. Its offsets are Python's: code points of the line's own `text`.
//!
//! The quote is what was extracted, also where langextract aligned it with something else ("match_fuzzy",
//! "match_lesser"): then its offsets do not hold it, and are left out. The value is `attributes.value` where there is
//! one, else the quote.
//!
//! Deliberately not here: its other attributes. Which of them is the value, only their author knows.

use super::{CountedText, Draft, Entry, Given, Passage, Unit, list_of, text_of, within};
use serde_json::Value;
use std::sync::Arc;

/// Reads one document, or a list of them.
pub fn read(document: &Value, place: &str, entries: &mut Vec<Entry>) {
    for (number, annotated) in (1..).zip(list_of(Some(document))) {
        let here = if document.is_array() {
            within(place, &format!("document {number}"))
        } else {
            place.to_owned()
        };
        let Some(Value::Array(extractions)) = annotated.get("extractions") else {
            entries.push(Entry {
                place: if here.is_empty() { "the file".to_owned() } else { here },
                draft: Err(
                    "it has no list `extractions`; write what langextract's save_annotated_documents writes".to_owned(),
                ),
            });
            continue;
        };
        let text = annotated
            .get("text")
            .and_then(Value::as_str)
            .map(|text| Arc::new(CountedText::new(text)));
        for (number, extraction) in (1..).zip(extractions) {
            entries.push(Entry {
                place: within(&here, &format!("extraction {number}")),
                draft: draft(extraction, annotated, text.as_ref()),
            });
        }
    }
}

fn draft(extraction: &Value, annotated: &Value, text: Option<&Arc<CountedText>>) -> Result<Draft, String> {
    let label = text_of(extraction, "extraction_class").filter(|label| !label.is_empty());
    let label = label.ok_or("`extraction_class` is missing; it names the field")?;
    let quote = text_of(extraction, "extraction_text").filter(|quote| !quote.is_empty());
    let quote = quote.ok_or("`extraction_text` is missing or empty; a passage is what it quotes")?;
    let interval = |key: &str| extraction.get("char_interval")?.get(key)?.as_i64();
    let offsets = interval("start_pos")
        .zip(interval("end_pos"))
        .map(|(start, end)| Given {
            start,
            end,
            unit: Unit::CodePoints,
        });
    let value = extraction
        .get("attributes")
        .and_then(|attributes| attributes.get("value"))
        .filter(|value| !value.is_null())
        .cloned()
        .unwrap_or_else(|| Value::String(quote.clone()));
    Ok(Draft {
        document: text_of(annotated, "document_id"),
        label,
        value,
        passages: vec![Passage {
            quote: Some(quote),
            offsets,
            text: text.cloned(),
            ..Passage::default()
        }],
        ..Draft::default()
    })
}
