//! The field record: reading one line of an import, and what is wrong with what it says.
//!
//! Two kinds of wrong are kept apart. A line that is no record at all (not JSON, no document, no field, no extractor) is
//! refused with one sentence that names the key, the cause and the remedy. A record that says something it may not say
//! ([`SchemaViolation`]) is kept and put before a person: what an extractor got wrong is worth seeing.
//!
//! Deliberately not here: verifying the citations of a record, and deciding what to show of it (`decide`).

use super::catalogue::Catalogue;
use super::provenance::ProvenanceEntry;
use super::value::{ValueError, check};
use chrono::{DateTime, FixedOffset};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// What the extractor found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The document states a value.
    Present,
    /// The extractor looked and the document states none. An answer, not a failure.
    Absent,
    /// Two passages state different values.
    Conflicting,
}

impl Status {
    /// The word the record uses.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Present => "present",
            Self::Absent => "absent",
            Self::Conflicting => "conflicting",
        }
    }
}

/// A confidence as reported. It is a self-report and means nothing before calibration.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum ReportedConfidence {
    /// A number; it may lie outside of 0 to 1.
    Given(f64),
    /// No confidence, or null.
    #[default]
    Missing,
    /// NaN, an infinity, or something that is no number. Written as the string "NaN".
    NotANumber,
}

impl ReportedConfidence {
    /// The confidence where it is a number from 0 to 1.
    #[must_use]
    pub fn valid(self) -> Option<f64> {
        match self {
            Self::Given(confidence) if (0.0..=1.0).contains(&confidence) => Some(confidence),
            _ => None,
        }
    }

    fn from_json(value: Option<&Value>) -> Self {
        match value {
            None | Some(Value::Null) => Self::Missing,
            Some(Value::Number(number)) => number
                .as_f64()
                .filter(|number| number.is_finite())
                .map_or(Self::NotANumber, Self::Given),
            Some(_) => Self::NotANumber,
        }
    }
}

impl Serialize for ReportedConfidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Given(confidence) if confidence.is_finite() => serializer.serialize_f64(*confidence),
            Self::Given(_) | Self::NotANumber => serializer.serialize_str("NaN"),
            Self::Missing => serializer.serialize_none(),
        }
    }
}

impl<'de> Deserialize<'de> for ReportedConfidence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::from_json(Option::<Value>::deserialize(deserializer)?.as_ref()))
    }
}

/// Who made the record. A curve belongs to (field, model, prompt version).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Extractor {
    /// The model's name.
    pub model: String,
    /// The version of the prompt.
    pub prompt_version: String,
    /// The run, where the extractor names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
}

/// What one extractor says of one field of one version.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Value")]
pub struct FieldRecord {
    /// The record's own id, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub record_id: Option<String>,
    /// The document.
    pub doc_id: String,
    /// The version's bytes, as the extractor named them.
    pub doc_sha256: String,
    /// The field's name.
    pub field: String,
    /// The value as extracted; null where there is none.
    pub value: Value,
    /// Whether the document states a value.
    pub status: Status,
    /// What the extractor says of its own certainty.
    pub confidence: ReportedConfidence,
    /// The passages that the value rests on.
    pub provenance: Vec<ProvenanceEntry>,
    /// Who made the record.
    pub extractor: Extractor,
    /// When a decision is due, with its offset from UTC.
    pub due_at: Option<DateTime<FixedOffset>>,
}

/// Why a line is no record. Each sentence names the key, the cause and the remedy, and repeats nothing of the line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordLineError {
    /// Bytes that are not UTF-8.
    #[error("byte {0} of the line can't be read as UTF-8; write the file as UTF-8")]
    NotUtf8(usize),
    /// Not JSON.
    #[error("the line is not JSON at column {column} ({reason}); write one JSON object a line")]
    NotJson {
        /// The column, from 1.
        column: usize,
        /// The parser's word for it.
        reason: String,
    },
    /// JSON, but no object.
    #[error("the line is JSON but not an object; write one JSON object a line")]
    NotAnObject,
    /// A key without which there is no record.
    #[error("key `{0}` is missing or empty; a record needs it")]
    MissingKey(&'static str),
    /// A key of the wrong JSON type.
    #[error("key `{key}` has the wrong JSON type; write {expected}")]
    WrongType {
        /// The key.
        key: &'static str,
        /// What to write.
        expected: &'static str,
    },
    /// A status that is none.
    #[error("key `status` is none of the three; write present, absent or conflicting")]
    UnknownStatus,
    /// A due date that can't be ordered.
    #[error("key `due_at` is not a time with an offset from UTC; write it as 2026-09-14T12:00:00+02:00, or null")]
    BadDueAt,
}

impl FieldRecord {
    /// Reads one line of an import. A byte order mark is skipped. The bare tokens NaN, Infinity and -Infinity, which some
    /// programs write though JSON has none, and numbers too large to hold are read as strings, so that they reach validation.
    ///
    /// # Errors
    /// [`RecordLineError`] where the line is no record at all.
    pub fn parse_line(line: &[u8]) -> Result<Self, RecordLineError> {
        let text = std::str::from_utf8(line).map_err(|error| RecordLineError::NotUtf8(error.valid_up_to() + 1))?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let value: Value = serde_json::from_str(text)
            .or_else(|error| {
                let quoted = quote_bare_tokens(text);
                if quoted == text {
                    Err(error)
                } else {
                    serde_json::from_str(&quoted)
                }
            })
            .map_err(|error| RecordLineError::NotJson {
                column: error.column(),
                reason: error
                    .to_string()
                    .split(" at line ")
                    .next()
                    .unwrap_or_default()
                    .to_owned(),
            })?;
        Self::try_from(value)
    }
}

impl TryFrom<Value> for FieldRecord {
    type Error = RecordLineError;

    fn try_from(value: Value) -> Result<Self, RecordLineError> {
        let Value::Object(mut members) = value else {
            return Err(RecordLineError::NotAnObject);
        };
        let status = match required(&members, "status", "status")?.as_str() {
            "present" => Status::Present,
            "absent" => Status::Absent,
            "conflicting" => Status::Conflicting,
            _ => return Err(RecordLineError::UnknownStatus),
        };
        let extractor = match members.get("extractor") {
            Some(Value::Object(extractor)) => Extractor {
                model: required(extractor, "model", "extractor.model")?,
                prompt_version: required(extractor, "prompt_version", "extractor.prompt_version")?,
                run_id: optional(extractor, "run_id", "extractor.run_id")?,
            },
            None | Some(Value::Null) => return Err(RecordLineError::MissingKey("extractor")),
            Some(_) => {
                return Err(RecordLineError::WrongType {
                    key: "extractor",
                    expected: "an object with model and prompt_version",
                });
            }
        };
        let due_at = match members.get("due_at") {
            None | Some(Value::Null) => None,
            Some(Value::String(text)) => {
                Some(DateTime::parse_from_rfc3339(text.trim()).map_err(|_| RecordLineError::BadDueAt)?)
            }
            Some(_) => return Err(RecordLineError::BadDueAt),
        };
        let provenance = match members.get("provenance") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(entries)) => entries.iter().map(ProvenanceEntry::from_json).collect(),
            Some(_) => {
                return Err(RecordLineError::WrongType {
                    key: "provenance",
                    expected: "a list of citations",
                });
            }
        };
        Ok(Self {
            record_id: optional(&members, "record_id", "record_id")?,
            doc_id: required(&members, "doc_id", "doc_id")?,
            doc_sha256: required(&members, "doc_sha256", "doc_sha256")?,
            field: required(&members, "field", "field")?,
            value: members.remove("value").unwrap_or(Value::Null),
            status,
            confidence: ReportedConfidence::from_json(members.get("confidence")),
            provenance,
            extractor,
            due_at,
        })
    }
}

fn optional(members: &Map<String, Value>, key: &str, path: &'static str) -> Result<Option<String>, RecordLineError> {
    match members.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(RecordLineError::WrongType {
            key: path,
            expected: "a string",
        }),
    }
}

fn required(members: &Map<String, Value>, key: &str, path: &'static str) -> Result<String, RecordLineError> {
    optional(members, key, path)?.ok_or(RecordLineError::MissingKey(path))
}

/// The text with what JSON can't hold put in quotes, outside of strings: NaN, Infinity, -Infinity, and numbers too large for
/// 64 bits of floating point.
fn quote_bare_tokens(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 8);
    let mut rest = text;
    let (mut in_string, mut escaped) = (false, false);
    while let Some(character) = rest.chars().next() {
        let token = if in_string { None } else { bare_token(rest) };
        if let Some((token, fits)) = token {
            let mark = if fits { "" } else { "\"" };
            quoted.push_str(mark);
            quoted.push_str(token);
            quoted.push_str(mark);
            rest = &rest[token.len()..];
            continue;
        }
        (in_string, escaped) = match character {
            _ if escaped => (in_string, false),
            '\\' => (in_string, in_string),
            '"' => (!in_string, false),
            _ => (in_string, false),
        };
        quoted.push(character);
        rest = &rest[character.len_utf8()..];
    }
    quoted
}

/// The number that a text starts with, and whether JSON can hold it.
fn bare_token(text: &str) -> Option<(&str, bool)> {
    if let Some(token) = ["NaN", "-Infinity", "Infinity"]
        .into_iter()
        .find(|token| text.starts_with(token))
    {
        return Some((token, false));
    }
    text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
        .then(|| {
            let end = text
                .find(|one: char| !(one.is_ascii_digit() || "+-.eE".contains(one)))
                .unwrap_or(text.len());
            let number = &text[..end];
            (number, !number.parse::<f64>().is_ok_and(f64::is_infinite))
        })
}

/// Something that a record may not say. The record is kept and reviewed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SchemaViolation {
    /// The catalogue has no such field.
    #[error("the field \"{0}\" is not in the catalogue")]
    UnknownField(String),
    /// No confidence.
    #[error("the confidence is missing")]
    ConfidenceMissing,
    /// NaN, an infinity or no number.
    #[error("the confidence is not a number")]
    ConfidenceNotANumber,
    /// Below 0 or over 1.
    #[error("the confidence {0} is outside of 0 to 1")]
    ConfidenceOutOfRange(f64),
    /// A value that rests on nothing.
    #[error("status is present, but there is no provenance")]
    PresentWithoutProvenance,
    /// Absent, and yet a value.
    #[error("status is absent, but there is a value")]
    AbsentWithValue,
    /// Absent, and yet a passage.
    #[error("status is absent, but there is provenance")]
    AbsentWithProvenance,
    /// A conflict needs two passages.
    #[error("status is conflicting, but there are fewer than two citations ({0})")]
    ConflictingWithFewerThanTwo(usize),
    /// The value is not of the field's type, or does not meet its schema.
    #[error("the value is not of the field's type: {0}")]
    ValueNotOfType(ValueError),
    /// A citation's key has the wrong JSON type.
    #[error("key `{key}` of citation {number} has the wrong JSON type")]
    MalformedProvenance {
        /// Which citation, from 1.
        number: usize,
        /// The key.
        key: String,
    },
}

impl SchemaViolation {
    /// The violation's stable code.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::UnknownField(_) => "unknown_field",
            Self::ConfidenceMissing => "confidence_missing",
            Self::ConfidenceNotANumber => "confidence_not_a_number",
            Self::ConfidenceOutOfRange(_) => "confidence_out_of_range",
            Self::PresentWithoutProvenance => "present_without_provenance",
            Self::AbsentWithValue => "absent_with_value",
            Self::AbsentWithProvenance => "absent_with_provenance",
            Self::ConflictingWithFewerThanTwo(_) => "conflicting_with_fewer_than_two",
            Self::ValueNotOfType(_) => "value_not_of_type",
            Self::MalformedProvenance { .. } => "malformed_provenance",
        }
    }
}

/// Everything that a record may not say, in a fixed order; empty for a valid record.
///
/// A conflicting record may have no value, one of the field's type, or a list of such values.
#[must_use]
pub fn violations(record: &FieldRecord, catalogue: &Catalogue) -> Vec<SchemaViolation> {
    let mut found = Vec::new();
    let field = catalogue.get(&record.field);
    if field.is_none() {
        found.push(SchemaViolation::UnknownField(record.field.clone()));
    }
    match record.confidence {
        ReportedConfidence::Missing => found.push(SchemaViolation::ConfidenceMissing),
        ReportedConfidence::NotANumber => found.push(SchemaViolation::ConfidenceNotANumber),
        ReportedConfidence::Given(confidence) if confidence.is_nan() => {
            found.push(SchemaViolation::ConfidenceNotANumber);
        }
        ReportedConfidence::Given(confidence) if record.confidence.valid().is_none() => {
            found.push(SchemaViolation::ConfidenceOutOfRange(confidence));
        }
        ReportedConfidence::Given(_) => {}
    }
    match record.status {
        Status::Present => {
            if record.provenance.is_empty() {
                found.push(SchemaViolation::PresentWithoutProvenance);
            }
            found.extend(
                field
                    .and_then(|field| check(field, &record.value).err())
                    .map(SchemaViolation::ValueNotOfType),
            );
        }
        Status::Absent => {
            if !record.value.is_null() {
                found.push(SchemaViolation::AbsentWithValue);
            }
            if !record.provenance.is_empty() {
                found.push(SchemaViolation::AbsentWithProvenance);
            }
        }
        Status::Conflicting => {
            if record.provenance.len() < 2 {
                found.push(SchemaViolation::ConflictingWithFewerThanTwo(record.provenance.len()));
            }
            if let Some(field) = field.filter(|_| !record.value.is_null()) {
                let one = check(field, &record.value);
                let several = record
                    .value
                    .as_array()
                    .is_some_and(|values| !values.is_empty() && values.iter().all(|value| check(field, value).is_ok()));
                found.extend(one.err().filter(|_| !several).map(SchemaViolation::ValueNotOfType));
            }
        }
    }
    for (index, entry) in record.provenance.iter().enumerate() {
        for key in &entry.malformed {
            found.push(SchemaViolation::MalformedProvenance {
                number: index + 1,
                key: key.clone(),
            });
        }
    }
    found
}

#[cfg(test)]
#[path = "validate_tests.rs"]
mod tests;
