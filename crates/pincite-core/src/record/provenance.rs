//! One entry of a record's provenance, as an extractor wrote it: a citation before anyone has verified it.
//!
//! Nothing here is believed. An imported `quote_verified` is a claim and is ignored, and a key of the wrong JSON type is
//! noted instead of refusing the whole line: the record then goes to a person.
//!
//! Deliberately not here: the citation that Pincite keeps and verifies (`citation`).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A pointer into a document, as imported. Offsets are code points of the layer, from 0, end exclusive; they may be negative,
/// swapped or out of bounds here, and fail verification later.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Value")]
pub struct ProvenanceEntry {
    /// The citation's own id, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The document; the record's where missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc_id: Option<String>,
    /// The version's bytes; the record's where missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc_sha256: Option<String>,
    /// The text layer that the offsets count in; the default of these bytes where missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer_sha256: Option<String>,
    /// The structure that the locator is of; the default where missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structure_id: Option<String>,
    /// The section, in the document's own labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locator: Option<String>,
    /// The page of `char_start`, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<i64>,
    /// The first code point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub char_start: Option<i64>,
    /// The code point after the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub char_end: Option<i64>,
    /// The quoted text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// What stands before the quote, where the extractor says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// What stands after the quote, where the extractor says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suffix: Option<String>,
    /// Keys whose JSON type was wrong, in the order above; `provenance` where the entry was no object at all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub malformed: Vec<String>,
}

impl From<Value> for ProvenanceEntry {
    fn from(value: Value) -> Self {
        Self::from_json(&value)
    }
}

impl ProvenanceEntry {
    /// Reads one entry. What has the wrong JSON type is left out and named in [`Self::malformed`]; keys that are not known
    /// are ignored.
    #[must_use]
    pub fn from_json(value: &Value) -> Self {
        let Value::Object(members) = value else {
            return Self {
                malformed: vec!["provenance".to_owned()],
                ..Self::default()
            };
        };
        let mut malformed = match members.get("malformed") {
            Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        Self {
            id: text(members, "id", &mut malformed),
            doc_id: text(members, "doc_id", &mut malformed),
            doc_sha256: text(members, "doc_sha256", &mut malformed),
            layer_sha256: text(members, "layer_sha256", &mut malformed),
            structure_id: text(members, "structure_id", &mut malformed),
            locator: text(members, "locator", &mut malformed),
            page: integer(members, "page", &mut malformed),
            char_start: integer(members, "char_start", &mut malformed),
            char_end: integer(members, "char_end", &mut malformed),
            quote: text(members, "quote", &mut malformed),
            prefix: text(members, "prefix", &mut malformed),
            suffix: text(members, "suffix", &mut malformed),
            malformed,
        }
    }
}

fn text(members: &Map<String, Value>, key: &str, malformed: &mut Vec<String>) -> Option<String> {
    match members.get(key) {
        None | Some(Value::Null) => None,
        Some(Value::String(text)) => Some(text.clone()),
        Some(_) => {
            malformed.push(key.to_owned());
            None
        }
    }
}

/// An integer; one written with a zero fraction (`48211.0`, as data frames write it) is one too.
fn integer(members: &Map<String, Value>, key: &str, malformed: &mut Vec<String>) -> Option<i64> {
    let value = members.get(key).filter(|value| !value.is_null())?;
    let found = value.as_number().and_then(|number| {
        let written = number.to_string();
        written.strip_suffix(".0").unwrap_or(&written).parse().ok()
    });
    if found.is_none() {
        malformed.push(key.to_owned());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_entry_is_read_without_believing_it() {
        let entry = ProvenanceEntry::from_json(&json!({
            "locator": "clause 12.1.a", "page": 23, "char_start": 0, "char_end": -4.0, "quote": "…",
            "quote_verified": true, "colour": "red", "prefix": null
        }));
        assert_eq!(
            (entry.page, entry.char_start, entry.char_end),
            (Some(23), Some(0), Some(-4))
        );
        assert_eq!(entry.locator.as_deref(), Some("clause 12.1.a"));
        assert!(entry.malformed.is_empty());
    }

    #[test]
    fn wrong_types_are_named_and_survive_being_written() {
        let entry = ProvenanceEntry::from_json(&json!({"page": "23", "char_start": 1.5, "quote": 7, "char_end": 1e30}));
        assert_eq!(entry.malformed, ["page", "char_start", "char_end", "quote"]);
        let written = serde_json::to_value(&entry).unwrap_or_default();
        assert_eq!(ProvenanceEntry::from_json(&written), entry);
        assert_eq!(ProvenanceEntry::from_json(&json!("clause 5")).malformed, ["provenance"]);
    }
}
