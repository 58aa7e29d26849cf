//! The field catalogue: one TOML file, one table a field, that says what each field is and what a wrong value costs.
//!
//! ```toml
//! [field."solvency.min_annual_turnover"]
//! title = "Minimum annual turnover"
//! type = "money"
//! unit = "EUR"
//! hard = true
//! max_error = 0.02
//! max_error_flag = 0.10
//! ```
//!
//! Every mistake in the file is reported at once, each with its line, field, key, cause and remedy. A key that is not known is
//! a mistake: a misspelt `hard` must not turn a disqualifying field into a soft one.
//!
//! Deliberately not here: what changes while people work (audit shares, floors, thresholds). Those are settings with a
//! history, not this file.

use super::catalogue_reader::read_catalogue;
use super::number::Decimal;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// What kind of value a field has. Each brings its own reading and its own equality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldType {
    /// An exact amount of one currency.
    Money,
    /// An exact amount of one unit.
    Quantity,
    /// An exact number.
    Number,
    /// A day.
    Date,
    /// One of the field's `values`.
    Enumeration,
    /// Yes or no.
    Boolean,
    /// A text, compared with white space collapsed.
    Text,
    /// Several items, in order or not.
    List,
}

impl FieldType {
    /// Every type with the name the catalogue gives it.
    pub const NAMES: [(&'static str, Self); 8] = [
        ("money", Self::Money),
        ("quantity", Self::Quantity),
        ("number", Self::Number),
        ("date", Self::Date),
        ("enumeration", Self::Enumeration),
        ("boolean", Self::Boolean),
        ("text", Self::Text),
        ("list", Self::List),
    ];

    /// The name the catalogue gives the type.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES
            .iter()
            .find(|(_, kind)| *kind == self)
            .map_or("", |(name, _)| name)
    }
}

/// A JSON Schema that a value must also meet, compiled once.
#[derive(Clone)]
pub struct FieldSchema {
    document: serde_json::Value,
    validator: Arc<jsonschema::Validator>,
}

impl FieldSchema {
    /// A schema of this document. Nothing outside of it is ever fetched.
    ///
    /// # Errors
    /// A sentence that says what is wrong with the schema.
    pub fn new(document: serde_json::Value) -> Result<Self, String> {
        match jsonschema::validator_for(&document) {
            Ok(validator) => Ok(Self {
                document,
                validator: Arc::new(validator),
            }),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The schema as written.
    #[must_use]
    pub const fn document(&self) -> &serde_json::Value {
        &self.document
    }

    /// Where and by which rule a value fails: `/amount: minimum`. `None` where it meets the schema. The value itself is not
    /// in the sentence, because sentences are logged and documents are not.
    #[must_use]
    pub fn failure(&self, value: &serde_json::Value) -> Option<String> {
        let error = self.validator.validate(value).err()?;
        let place = error.instance_path().as_str();
        let place = if place.is_empty() { "/" } else { place };
        Some(format!("at {place}, the rule {}", error.schema_path().as_str()))
    }
}

impl fmt::Debug for FieldSchema {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("FieldSchema").field(&self.document).finish()
    }
}

impl PartialEq for FieldSchema {
    fn eq(&self, other: &Self) -> bool {
        self.document == other.document
    }
}

impl Serialize for FieldSchema {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.document.serialize(serializer)
    }
}

/// What the catalogue says of one field.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FieldDefinition {
    /// The field's name, as records give it.
    pub name: String,
    /// What people read above the value; the name where the file gives none.
    pub title: String,
    /// How to decide the field's value; may be empty.
    pub guidance: String,
    /// What kind of value it has.
    #[serde(rename = "type")]
    pub kind: FieldType,
    /// Money: the currency (ISO 4217). Quantity: the unit as written. It is assumed where a value gives none, and a value
    /// that gives another one is not of the field's type.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Enumeration: what the value may be. List: what each item may be, anything where empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// A JSON Schema that the value, as given, must also meet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<FieldSchema>,
    /// Whether every extraction must hold a record of the field. It never means that the value must be there.
    pub required: bool,
    /// Whether a wrong value disqualifies: hard fields are reviewed first and never shown on stale thresholds.
    pub hard: bool,
    /// The largest error, as a share over 0 and below 1, at which the field may be shown plainly.
    pub max_error: Option<f64>,
    /// The largest error at which it may be shown with a "verify" badge; at least `max_error`.
    pub max_error_flag: Option<f64>,
    /// Number, money, quantity: two values that differ by no more are equal; in the field's own unit.
    #[serde(serialize_with = "as_text", skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Decimal>,
    /// The share (0 to 1) of check-value items whose reviewer enters a value before the candidate is seen.
    pub enter_before_you_see: f64,
    /// List: whether two lists with the same items in another order differ.
    pub ordered: bool,
}

fn as_text<S: serde::Serializer>(tolerance: &Option<Decimal>, serializer: S) -> Result<S::Ok, S::Error> {
    match tolerance {
        Some(number) => serializer.collect_str(number),
        None => serializer.serialize_none(),
    }
}

/// One mistake in a catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CatalogueProblem {
    /// The line of the file, from 1.
    pub line: Option<usize>,
    /// The field whose table holds it.
    pub field: Option<String>,
    /// The key that is wrong or missing.
    pub key: Option<String>,
    /// What is wrong.
    pub cause: String,
    /// What to do.
    pub remedy: String,
}

impl fmt::Display for CatalogueProblem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut place = Vec::new();
        place.extend(self.line.map(|line| format!("line {line}")));
        place.extend(self.field.as_ref().map(|field| format!("field \"{field}\"")));
        place.extend(self.key.as_ref().map(|key| format!("key `{key}`")));
        if !place.is_empty() {
            write!(formatter, "{}: ", place.join(", "))?;
        }
        write!(formatter, "{}; {}", self.cause, self.remedy)
    }
}

/// Why a text is not a catalogue: at least one problem, in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueError {
    /// All mistakes found.
    pub problems: Vec<CatalogueProblem>,
}

impl fmt::Display for CatalogueError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                formatter.write_str("\n")?;
            }
            write!(formatter, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for CatalogueError {}

/// Every field that records may speak of.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Catalogue {
    /// Definitions by field name.
    #[serde(rename = "field")]
    pub fields: BTreeMap<String, FieldDefinition>,
}

impl Catalogue {
    /// Reads a catalogue.
    ///
    /// # Errors
    /// [`CatalogueError`] with every mistake in the file: no TOML, no field, an unknown key, a key that the type has no use
    /// for, a share out of its range, `max_error` over `max_error_flag`, a schema that is none.
    pub fn parse(toml_text: &str) -> Result<Self, CatalogueError> {
        let (fields, problems) = read_catalogue(toml_text);
        if problems.is_empty() {
            Ok(Self { fields })
        } else {
            Err(CatalogueError { problems })
        }
    }

    /// What the catalogue says of a field.
    #[must_use]
    pub fn get(&self, field: &str) -> Option<&FieldDefinition> {
        self.fields.get(field)
    }

    /// The required fields that an extraction with records of these fields says nothing of, sorted. A field that is absent
    /// from the document has a record that says so; one without a record was never asked for.
    #[must_use]
    pub fn missing_required<'name>(&self, recorded: impl IntoIterator<Item = &'name str>) -> Vec<&str> {
        let recorded: BTreeSet<&str> = recorded.into_iter().collect();
        self.fields
            .values()
            .filter(|field| field.required && !recorded.contains(field.name.as_str()))
            .map(|field| field.name.as_str())
            .collect()
    }
}

#[cfg(test)]
#[path = "catalogue_tests.rs"]
mod tests;
