//! Reads a catalogue's TOML key by key, so that every mistake gets its line, its cause and its remedy.
//!
//! A derived reader would stop at the first mistake and speak of types; whoever writes a catalogue wants all of them, in words.
//!
//! Deliberately not here: what the definitions mean (`catalogue`).

use super::catalogue::{CatalogueProblem, FieldDefinition, FieldSchema, FieldType};
use super::currency::currency_code;
use super::number::Decimal;
use super::unit::is_unit;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

type Table<'text> = DeTable<'text>;
type Item<'text> = Spanned<DeValue<'text>>;

/// Every field of a catalogue, and every mistake in it.
pub(super) fn read_catalogue(toml_text: &str) -> (BTreeMap<String, FieldDefinition>, Vec<CatalogueProblem>) {
    let mut reader = Reader {
        text: toml_text,
        problems: Vec::new(),
    };
    let fields = reader.catalogue();
    reader.problems.sort_by_key(|problem| problem.line);
    (fields, reader.problems)
}

struct Reader<'text> {
    text: &'text str,
    problems: Vec<CatalogueProblem>,
}

/// Where a problem is: the bytes of the file, the field, the key.
#[derive(Clone, Copy)]
struct Place<'name> {
    at: Option<usize>,
    field: Option<&'name str>,
    key: Option<&'name str>,
}

impl Reader<'_> {
    fn report(&mut self, place: Place<'_>, cause: impl Into<String>, remedy: impl Into<String>) {
        let line = place
            .at
            .and_then(|at| self.text.get(..at))
            .map(|before| before.matches('\n').count() + 1);
        self.problems.push(CatalogueProblem {
            line,
            field: place.field.map(str::to_owned),
            key: place.key.map(str::to_owned),
            cause: cause.into(),
            remedy: remedy.into(),
        });
    }

    fn catalogue(&mut self) -> BTreeMap<String, FieldDefinition> {
        let mut fields = BTreeMap::new();
        let document = match DeTable::parse(self.text) {
            Ok(document) => document.into_inner(),
            Err(error) => {
                let place = Place {
                    at: error.span().map(|span: Range<usize>| span.start),
                    field: None,
                    key: None,
                };
                let message = error.message().replace('\n', ", ");
                self.report(place, format!("the file is not TOML ({message})"), "correct the line");
                return fields;
            }
        };
        for (key, item) in &document {
            let place = Place {
                at: Some(key.span().start),
                field: None,
                key: Some(key.get_ref().as_ref()),
            };
            match item.get_ref() {
                DeValue::Table(tables) if key.get_ref() == "field" => self.fields(tables, &mut fields),
                _ if key.get_ref() == "field" => {
                    self.report(place, "it is not a table", "write one table a field: [field.\"name\"]");
                }
                _ => self.report(
                    place,
                    "the key is not known",
                    "a catalogue holds only tables [field.\"name\"]",
                ),
            }
        }
        if fields.is_empty() && self.problems.is_empty() {
            let nowhere = Place {
                at: None,
                field: None,
                key: None,
            };
            self.report(
                nowhere,
                "the file defines no field",
                "write one table a field: [field.\"name\"]",
            );
        }
        fields
    }

    fn fields(&mut self, tables: &Table<'_>, fields: &mut BTreeMap<String, FieldDefinition>) {
        for (name, item) in tables {
            let place = Place {
                at: Some(name.span().start),
                field: Some(name.get_ref().as_ref()),
                key: None,
            };
            if name.get_ref().trim().is_empty() {
                self.report(place, "the field has no name", "name it: [field.\"name\"]");
                continue;
            }
            let DeValue::Table(table) = item.get_ref() else {
                self.report(
                    place,
                    "the field is not a table",
                    "write [field.\"name\"] and its keys below",
                );
                continue;
            };
            if let Some(definition) = self.field(place, name.get_ref(), table) {
                fields.insert(definition.name.clone(), definition);
            }
        }
    }

    fn field(&mut self, place: Place<'_>, name: &str, table: &Table<'_>) -> Option<FieldDefinition> {
        let mut keys = Keys::default();
        for (key, item) in table {
            let here = Place {
                at: Some(key.span().start),
                key: Some(key.get_ref().as_ref()),
                ..place
            };
            keys.starts.insert(key.get_ref().to_string(), key.span().start);
            keys.take(self, here, item);
        }
        let Some(kind) = keys.kind else {
            if !table.keys().any(|key| key.get_ref() == "type") && !keys.nested {
                let names = FieldType::NAMES.map(|(name, _)| name).join(", ");
                let here = Place {
                    key: Some("type"),
                    ..place
                };
                self.report(here, "it is missing", format!("write one of {names}"));
            }
            return None;
        };
        let unit = self.unit(place, kind, &keys);
        self.values(place, kind, &keys);
        let numeric = matches!(kind, FieldType::Money | FieldType::Quantity | FieldType::Number);
        if keys.tolerance.is_some() && !numeric {
            let here = keys.place(place, "tolerance");
            self.report(
                here,
                format!("a {} has no tolerance", kind.name()),
                "leave it out; it is for money, quantity and number",
            );
        }
        if keys.ordered.is_some() && kind != FieldType::List {
            let here = keys.place(place, "ordered");
            self.report(
                here,
                format!("a {} has no order", kind.name()),
                "leave it out; it is for lists",
            );
        }
        if let (Some(show), Some(flag)) = (keys.max_error, keys.max_error_flag)
            && show > flag
        {
            let here = keys.place(place, "max_error");
            self.report(
                here,
                format!("{show} is more than max_error_flag, {flag}"),
                "a badge may allow more error than plain showing, never less: lower max_error or raise max_error_flag",
            );
        }
        Some(FieldDefinition {
            name: name.to_owned(),
            title: keys.title.unwrap_or_else(|| name.to_owned()),
            guidance: keys.guidance.unwrap_or_default(),
            kind,
            unit,
            values: keys.values.unwrap_or_default(),
            schema: keys.schema,
            required: keys.required.unwrap_or(false),
            hard: keys.hard.unwrap_or(false),
            max_error: keys.max_error,
            max_error_flag: keys.max_error_flag,
            tolerance: keys.tolerance,
            enter_before_you_see: keys.enter_before_you_see.unwrap_or(0.0),
            ordered: keys.ordered.unwrap_or(false),
        })
    }

    fn unit(&mut self, place: Place<'_>, kind: FieldType, keys: &Keys) -> Option<String> {
        let written = keys.unit.as_deref()?.trim();
        let here = keys.place(place, "unit");
        match kind {
            FieldType::Money => {
                let code = currency_code(written, None);
                if code.is_none() {
                    self.report(
                        here,
                        format!("\"{written}\" is no currency"),
                        "write its ISO 4217 code, such as \"EUR\"",
                    );
                }
                code
            }
            FieldType::Quantity if is_unit(written) => Some(written.to_owned()),
            FieldType::Quantity => {
                self.report(
                    here,
                    format!("\"{written}\" is no unit"),
                    "write a unit's name, such as \"years\" or \"mg\"",
                );
                None
            }
            _ => {
                let remedy = "leave it out, or make the type quantity or money";
                self.report(here, format!("a {} has no unit", kind.name()), remedy);
                None
            }
        }
    }

    fn values(&mut self, place: Place<'_>, kind: FieldType, keys: &Keys) {
        let here = keys.place(place, "values");
        let Some(values) = &keys.values else {
            if kind == FieldType::Enumeration && !keys.values_refused {
                self.report(
                    here,
                    "an enumeration needs them",
                    "list them: values = [\"first\", \"second\"]",
                );
            }
            return;
        };
        if !matches!(kind, FieldType::Enumeration | FieldType::List) {
            let remedy = "leave them out, or make the type enumeration or list";
            self.report(here, format!("a {} has no listed values", kind.name()), remedy);
        }
        let mut seen = BTreeMap::new();
        for value in values {
            let folded = super::value::collapsed(value).to_lowercase();
            if folded.is_empty() {
                self.report(
                    here,
                    "one value is empty",
                    "take it out; \"not stated\" is status absent, never a value",
                );
            } else if let Some(earlier) = seen.insert(folded, value) {
                let cause = format!("\"{earlier}\" and \"{value}\" are the same value");
                self.report(
                    here,
                    cause,
                    "keep one; letter case and white space do not tell values apart",
                );
            }
        }
    }
}

/// The keys of one field's table, as read.
#[derive(Default)]
struct Keys {
    title: Option<String>,
    guidance: Option<String>,
    kind: Option<FieldType>,
    unit: Option<String>,
    values: Option<Vec<String>>,
    /// `values` is there and was refused already.
    values_refused: bool,
    schema: Option<FieldSchema>,
    required: Option<bool>,
    hard: Option<bool>,
    max_error: Option<f64>,
    max_error_flag: Option<f64>,
    tolerance: Option<Decimal>,
    enter_before_you_see: Option<f64>,
    ordered: Option<bool>,
    /// An unquoted dotted name made tables inside of this one.
    nested: bool,
    /// Where each key that is there stands in the file, in bytes.
    starts: BTreeMap<String, usize>,
}

impl Keys {
    /// The place of a key; the table's where the key is missing.
    fn place<'name>(&self, table: Place<'name>, key: &'name str) -> Place<'name> {
        Place {
            at: self.starts.get(key).copied().or(table.at),
            key: Some(key),
            ..table
        }
    }

    fn take(&mut self, reader: &mut Reader<'_>, here: Place<'_>, item: &Item<'_>) {
        match here.key.unwrap_or_default() {
            "title" => self.title = text(reader, here, item),
            "guidance" => self.guidance = text(reader, here, item),
            "type" => self.kind = kind(reader, here, item),
            "unit" => self.unit = text(reader, here, item),
            "values" => {
                self.values = texts(reader, here, item);
                self.values_refused = self.values.is_none();
            }
            "schema" => self.schema = schema(reader, here, item),
            "required" => self.required = boolean(reader, here, item),
            "hard" => self.hard = boolean(reader, here, item),
            "max_error" => self.max_error = open_share(reader, here, item),
            "max_error_flag" => self.max_error_flag = open_share(reader, here, item),
            "tolerance" => self.tolerance = tolerance(reader, here, item),
            "enter_before_you_see" => self.enter_before_you_see = closed_share(reader, here, item),
            "ordered" => self.ordered = boolean(reader, here, item),
            key if item.get_ref().is_table() => {
                self.nested = true;
                let name = format!("{}.{key}", here.field.unwrap_or_default());
                reader.report(
                    here,
                    "the key is not known",
                    format!("a name with dots needs quotes: [field.\"{name}\"]"),
                );
            }
            _ => reader.report(here, "the key is not known", "correct its spelling or take it out"),
        }
    }
}

fn wrong_kind(reader: &mut Reader<'_>, here: Place<'_>, item: &Item<'_>, remedy: &str) {
    reader.report(
        here,
        format!("it may not be of the TOML type {}", item.get_ref().type_str()),
        remedy,
    );
}

fn text(reader: &mut Reader<'_>, here: Place<'_>, item: &Item<'_>) -> Option<String> {
    match item.get_ref().as_str() {
        Some(text) if !text.trim().is_empty() || here.key == Some("guidance") => Some(text.to_owned()),
        Some(_) => {
            reader.report(here, "it is empty", "write it, or leave the key out");
            None
        }
        None => {
            wrong_kind(reader, here, item, "write a string in quotes");
            None
        }
    }
}

fn texts(reader: &mut Reader<'_>, here: Place<'_>, item: &Item<'_>) -> Option<Vec<String>> {
    let remedy = "write a list of strings: [\"first\", \"second\"]";
    let Some(array) = item.get_ref().as_array() else {
        wrong_kind(reader, here, item, remedy);
        return None;
    };
    let texts: Option<Vec<String>> = array
        .iter()
        .map(|one| one.get_ref().as_str().map(str::to_owned))
        .collect();
    match texts {
        Some(texts) if !texts.is_empty() => Some(texts),
        _ => {
            reader.report(here, "it is not a list of at least one string", remedy);
            None
        }
    }
}

fn boolean(reader: &mut Reader<'_>, here: Place<'_>, item: &Item<'_>) -> Option<bool> {
    let found = item.get_ref().as_bool();
    if found.is_none() {
        wrong_kind(reader, here, item, "write true or false");
    }
    found
}

fn kind(reader: &mut Reader<'_>, here: Place<'_>, item: &Item<'_>) -> Option<FieldType> {
    let written = text(reader, here, item)?;
    let found = FieldType::NAMES
        .iter()
        .find(|(name, _)| *name == written)
        .map(|(_, kind)| *kind);
    if found.is_none() {
        let names = FieldType::NAMES.map(|(name, _)| name).join(", ");
        reader.report(
            here,
            format!("\"{written}\" is no type"),
            format!("write one of {names}"),
        );
    }
    found
}

/// The number as the file writes it.
fn plain_number(item: &Item<'_>) -> Option<String> {
    match item.get_ref() {
        DeValue::Integer(integer) if integer.radix() == 10 => Some(integer.as_str().to_owned()),
        DeValue::Float(float) => Some(float.as_str().to_owned()),
        _ => None,
    }
}

fn open_share(reader: &mut Reader<'_>, here: Place<'_>, item: &Item<'_>) -> Option<f64> {
    share(
        reader,
        here,
        item,
        "write a share over 0 and below 1, such as 0.02",
        |share| share > 0.0 && share < 1.0,
    )
}

fn closed_share(reader: &mut Reader<'_>, here: Place<'_>, item: &Item<'_>) -> Option<f64> {
    share(reader, here, item, "write a share from 0 to 1", |share| {
        (0.0..=1.0).contains(&share)
    })
}

fn share(
    reader: &mut Reader<'_>,
    here: Place<'_>,
    item: &Item<'_>,
    remedy: &str,
    fits: impl Fn(f64) -> bool,
) -> Option<f64> {
    let Some(written) = plain_number(item) else {
        wrong_kind(reader, here, item, remedy);
        return None;
    };
    let found = written.parse::<f64>().ok().filter(|share| fits(*share));
    if found.is_none() {
        reader.report(here, format!("{written} is out of range"), remedy);
    }
    found
}

fn tolerance(reader: &mut Reader<'_>, here: Place<'_>, item: &Item<'_>) -> Option<Decimal> {
    let remedy = "write a number of 0 or more, in the field's own unit";
    let written = plain_number(item).or_else(|| item.get_ref().as_str().map(str::to_owned));
    let Some(written) = written else {
        wrong_kind(reader, here, item, remedy);
        return None;
    };
    let found = Decimal::from_plain(&written)
        .ok()
        .filter(|number| !number.is_negative());
    if found.is_none() {
        reader.report(here, format!("{written} is no tolerance"), remedy);
    }
    found
}

fn schema(reader: &mut Reader<'_>, here: Place<'_>, item: &Item<'_>) -> Option<FieldSchema> {
    let document = match item.get_ref() {
        DeValue::String(json) => serde_json::from_str(json).map_err(|error| format!("it is not JSON ({error})")),
        DeValue::Table(_) => json(item.get_ref()),
        _ => Err("it is neither a table nor JSON in a string".to_owned()),
    };
    match document
        .and_then(|document| FieldSchema::new(document).map_err(|error| format!("it is no JSON Schema ({error})")))
    {
        Ok(schema) => Some(schema),
        Err(cause) => {
            reader.report(
                here,
                cause,
                "write a JSON Schema as a table or as JSON in a string, with no outside references",
            );
            None
        }
    }
}

fn json(value: &DeValue<'_>) -> Result<serde_json::Value, String> {
    let number = |text: &str| {
        serde_json::from_str::<serde_json::Number>(text)
            .map(serde_json::Value::Number)
            .map_err(|_| format!("the number {text} has no JSON form"))
    };
    match value {
        DeValue::String(text) => Ok(serde_json::Value::String(text.to_string())),
        DeValue::Integer(integer) if integer.radix() == 10 => number(integer.as_str()),
        DeValue::Integer(integer) => Err(format!("the number {integer} has no JSON form")),
        DeValue::Float(float) => number(float.as_str()),
        DeValue::Boolean(boolean) => Ok(serde_json::Value::Bool(*boolean)),
        DeValue::Datetime(datetime) => Err(format!("the date {datetime} has no JSON form; put it in quotes")),
        DeValue::Array(array) => array.iter().map(|one| json(one.get_ref())).collect(),
        DeValue::Table(table) => table
            .iter()
            .map(|(key, one)| Ok((key.get_ref().to_string(), json(one.get_ref())?)))
            .collect(),
    }
}
