//! Reading a value of a field's type, and the typed equality that says when two values are the same fact.
//!
//! A value comes as a string ("450.000,00 €") or as an object (`{"amount": 450000, "currency": "EUR"}`); both are read to
//! one [`TypedValue`]. Amounts are exact decimals; `tolerance` (absolute, inclusive) applies to money, quantities and numbers.
//! Texts are compared under NFC with white space collapsed and letter case kept.
//!
//! What is not surely understood is an error, never a guess: such a value is kept and put before a person.
//!
//! Deliberately not here: conversion between units or currencies, and any leniency in texts beyond white space.

use super::catalogue::{FieldDefinition, FieldType};
use super::currency::{currency_code, has_three_places};
use super::date::{DateError, read_date};
use super::number::{AroundNumber, Decimal, LoneSeparator, NumberError, around_number, is_sign, read_number};
use super::unit::{canonical_unit, is_unit};
use chrono::NaiveDate;
use serde_json::{Map, Value};
use unicode_normalization::UnicodeNormalization as _;

/// A value of a field's type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypedValue {
    /// An amount of a currency.
    Money {
        /// How much.
        amount: Decimal,
        /// ISO 4217 code.
        currency: String,
        /// The object's other keys that are not null; they are part of the value and compared.
        extra: Map<String, Value>,
    },
    /// An amount of a unit.
    Quantity {
        /// How much.
        amount: Decimal,
        /// The name that units are compared by.
        unit: String,
        /// The object's other keys that are not null; they are part of the value and compared.
        extra: Map<String, Value>,
    },
    /// A number.
    Number(Decimal),
    /// A day.
    Date(NaiveDate),
    /// One of the catalogue's values, in the catalogue's spelling.
    Enumeration(String),
    /// Yes or no.
    Boolean(bool),
    /// A text, NFC with white space collapsed.
    Text(String),
    /// The items as given.
    List(Vec<Value>),
}

/// Why a value is not of its field's type. The sentence never repeats the value: sentences are logged, documents are not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// Null, or a string without content.
    #[error("the value is empty; a field without a value has status absent")]
    Empty,
    /// The JSON type can't hold a value of this field's type.
    #[error("a {expected} is not written as a JSON {found}")]
    WrongJsonType {
        /// The field's type.
        expected: &'static str,
        /// The JSON type found.
        found: &'static str,
    },
    /// The object lacks a key.
    #[error("the object has no key `{key}`")]
    MissingKey {
        /// The key.
        key: &'static str,
    },
    /// The object has a key that its type has no use for.
    #[error("the object has the key `{key}`, which a {expected} does not have")]
    UnknownKey {
        /// The field's type.
        expected: &'static str,
        /// The key.
        key: String,
    },
    /// The number can't be read.
    #[error("the number can't be read: {0}")]
    Number(#[from] NumberError),
    /// Money without a currency that can be told.
    #[error("the currency can't be told; write its ISO 4217 code, or give the field a unit")]
    UnknownCurrency,
    /// A quantity without a unit that can be told.
    #[error("the unit can't be told; write it after the number, or give the field a unit")]
    UnknownUnit,
    /// Another currency or unit than the field's.
    #[error("the value is in {found}, the field in {expected}; nothing is converted")]
    OtherUnit {
        /// What the catalogue declares.
        expected: String,
        /// What the value says.
        found: String,
    },
    /// No date.
    #[error("it is no date; write it as 2026-09-14")]
    NotADate,
    /// Day and month could change places, or the year has two digits.
    #[error("it can be read as two different dates; write it as 2026-09-14")]
    AmbiguousDate,
    /// Not one of the listed values.
    #[error("it is none of the field's values: {}", .0.join(", "))]
    NotListed(Vec<String>),
    /// Neither yes nor no.
    #[error("it is neither true nor false")]
    NotABoolean,
    /// It does not meet the field's JSON Schema.
    #[error("it does not meet the field's JSON Schema: {0}")]
    Schema(String),
}

/// Reads a value of a field's type. The field's JSON Schema is not asked; [`check`] does both.
///
/// # Errors
/// Every [`ValueError`] but [`ValueError::Schema`].
pub fn read(field: &FieldDefinition, value: &Value) -> Result<TypedValue, ValueError> {
    if value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty()) {
        return Err(ValueError::Empty);
    }
    match field.kind {
        FieldType::Money => money(field, value),
        FieldType::Quantity => quantity(field, value),
        FieldType::Number => match inner(field, value)? {
            Value::Number(number) => Ok(TypedValue::Number(Decimal::from_json(number)?)),
            Value::String(text) => Ok(TypedValue::Number(read_number(text, LoneSeparator::Ambiguous)?)),
            other => Err(wrong_type(field, other)),
        },
        FieldType::Date => match inner(field, value)? {
            Value::String(text) => match read_date(text) {
                Ok(date) => Ok(TypedValue::Date(date)),
                Err(DateError::NotADate) => Err(ValueError::NotADate),
                Err(DateError::Ambiguous) => Err(ValueError::AmbiguousDate),
            },
            other => Err(wrong_type(field, other)),
        },
        FieldType::Enumeration => match inner(field, value)? {
            Value::String(text) => listed(field, text).map(TypedValue::Enumeration),
            other => Err(wrong_type(field, other)),
        },
        FieldType::Boolean => match inner(field, value)? {
            Value::Bool(boolean) => Ok(TypedValue::Boolean(*boolean)),
            Value::String(text) => boolean(text).map(TypedValue::Boolean).ok_or(ValueError::NotABoolean),
            other => Err(wrong_type(field, other)),
        },
        FieldType::Text => match inner(field, value)? {
            Value::String(text) => Ok(TypedValue::Text(collapsed(text))),
            other => Err(wrong_type(field, other)),
        },
        FieldType::List => list(field, inner(field, value)?),
    }
}

/// Reads a value of a field's type and holds it against the field's JSON Schema.
///
/// # Errors
/// Every [`ValueError`].
pub fn check(field: &FieldDefinition, value: &Value) -> Result<TypedValue, ValueError> {
    let typed = read(field, value)?;
    match field.schema.as_ref().and_then(|schema| schema.failure(value)) {
        Some(failure) => Err(ValueError::Schema(failure)),
        None => Ok(typed),
    }
}

/// A value that a person typed, as it is kept: amounts as numbers, currencies as codes, days as year-month-day, listed values
/// in the catalogue's spelling; a unit stays as it was written. It is the same fact as what was typed.
///
/// An amount of more than fifteen significant digits stays a text: JSON's readers round such numbers.
///
/// # Errors
/// Every [`ValueError`]; the field's JSON Schema is asked about the value as it is kept.
pub fn stated(field: &FieldDefinition, typed: &Value) -> Result<Value, ValueError> {
    let written = |key: &str| typed.get(key).and_then(Value::as_str).map(str::trim);
    let parts = |amount: Decimal, key: &str, unit: String, extra: Map<String, Value>| {
        let mut members = Map::new();
        members.insert("amount".to_owned(), amount.to_json());
        members.insert(key.to_owned(), Value::String(unit));
        members.extend(extra);
        Value::Object(members)
    };
    let value = match read(field, typed)? {
        TypedValue::Money {
            amount,
            currency,
            extra,
        } => parts(amount, "currency", currency, extra),
        TypedValue::Quantity { amount, unit, extra } => {
            let unit = written("unit").or(field.unit.as_deref()).map_or(unit, str::to_owned);
            parts(amount, "unit", unit, extra)
        }
        TypedValue::Number(number) => number.to_json(),
        TypedValue::Date(date) => Value::String(date.format("%Y-%m-%d").to_string()),
        TypedValue::Enumeration(text) | TypedValue::Text(text) => Value::String(text),
        TypedValue::Boolean(boolean) => Value::Bool(boolean),
        TypedValue::List(items) => Value::Array(items),
    };
    check(field, &value)?;
    Ok(value)
}

/// Whether two values of a field are the same fact. Two values that can't be read, or null, are equal when they are the same
/// JSON; one that can be read never equals one that can't.
#[must_use]
pub fn equal(field: &FieldDefinition, left: &Value, right: &Value) -> bool {
    match (read(field, left), read(field, right)) {
        (Ok(left), Ok(right)) => equal_typed(field, &left, &right),
        (Err(_), Err(_)) => canonical(left) == canonical(right),
        _ => false,
    }
}

/// Whether two values that were read for this field are the same fact.
#[must_use]
pub fn equal_typed(field: &FieldDefinition, left: &TypedValue, right: &TypedValue) -> bool {
    let near = |left: Decimal, right: Decimal| left.within(right, field.tolerance.unwrap_or(Decimal::ZERO));
    match (left, right) {
        (
            TypedValue::Money {
                amount,
                currency,
                extra,
            },
            TypedValue::Money {
                amount: other_amount,
                currency: other_currency,
                extra: other_extra,
            },
        ) => currency == other_currency && same_extra(extra, other_extra) && near(*amount, *other_amount),
        (
            TypedValue::Quantity { amount, unit, extra },
            TypedValue::Quantity {
                amount: other_amount,
                unit: other_unit,
                extra: other_extra,
            },
        ) => unit == other_unit && same_extra(extra, other_extra) && near(*amount, *other_amount),
        (TypedValue::Number(left), TypedValue::Number(right)) => near(*left, *right),
        (TypedValue::List(left), TypedValue::List(right)) => {
            let items = |list: &[Value]| {
                let mut items: Vec<String> = list.iter().map(canonical).collect();
                if !field.ordered {
                    items.sort();
                }
                items
            };
            items(left) == items(right)
        }
        _ => left == right,
    }
}

/// NFC with white space collapsed and trimmed: how texts are compared.
pub(crate) fn collapsed(text: &str) -> String {
    let composed: String = text.nfc().collect();
    composed.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn same_extra(left: &Map<String, Value>, right: &Map<String, Value>) -> bool {
    canonical(&Value::Object(left.clone())) == canonical(&Value::Object(right.clone()))
}

/// One text for all JSON that means the same: sorted keys, null members left out, exact numbers, collapsed strings.
fn canonical(value: &Value) -> String {
    match value {
        Value::Number(number) => {
            Decimal::from_json(number).map_or_else(|_| number.to_string(), |exact| exact.to_string())
        }
        Value::String(text) => Value::String(collapsed(text)).to_string(),
        Value::Array(items) => format!("[{}]", items.iter().map(canonical).collect::<Vec<_>>().join(",")),
        Value::Object(members) => {
            let mut members: Vec<String> = members
                .iter()
                .filter(|(_, member)| !member.is_null())
                .map(|(key, member)| format!("{}:{}", Value::String(key.clone()), canonical(member)))
                .collect();
            members.sort();
            format!("{{{}}}", members.join(","))
        }
        Value::Null | Value::Bool(_) => value.to_string(),
    }
}

const fn json_type(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn wrong_type(field: &FieldDefinition, value: &Value) -> ValueError {
    ValueError::WrongJsonType {
        expected: field.kind.name(),
        found: json_type(value),
    }
}

/// The value of a type that has no parts: itself, or the `value` of an object that holds nothing else.
fn inner<'value>(field: &FieldDefinition, value: &'value Value) -> Result<&'value Value, ValueError> {
    let Value::Object(members) = value else {
        return Ok(value);
    };
    let found = members.get("value").ok_or(ValueError::MissingKey { key: "value" })?;
    if let Some((key, _)) = members
        .iter()
        .find(|(key, member)| *key != "value" && !member.is_null())
    {
        return Err(ValueError::UnknownKey {
            expected: field.kind.name(),
            key: key.clone(),
        });
    }
    if found.is_null() || found.as_str().is_some_and(|text| text.trim().is_empty()) {
        return Err(ValueError::Empty);
    }
    Ok(found)
}

fn money(field: &FieldDefinition, value: &Value) -> Result<TypedValue, ValueError> {
    let declared = field.unit.as_deref();
    let code = |written: &str| currency_code(written, declared).ok_or(ValueError::UnknownCurrency);
    let (currency, written, extra) = match value {
        Value::Number(_) => (None, value, Map::new()),
        Value::Object(members) => {
            let amount = members.get("amount").ok_or(ValueError::MissingKey { key: "amount" })?;
            let currency = match members.get("currency") {
                None | Some(Value::Null) => None,
                Some(Value::String(text)) => Some(code(text)?),
                Some(_) => return Err(ValueError::UnknownCurrency),
            };
            (currency, amount, others(members, ["amount", "currency"]))
        }
        Value::String(text) => {
            let AroundNumber { before, number, after } = around_number(text).ok_or(NumberError::NotANumber)?;
            let negative = before.starts_with(is_sign) && !number.starts_with(is_sign);
            let minus = negative && !before.starts_with('+');
            let before = if negative {
                before.trim_start_matches(is_sign).trim()
            } else {
                before
            };
            let currency = match (before, after) {
                ("", "") => None,
                ("", written) | (written, "") => Some(code(written)?),
                _ => return Err(NumberError::NotANumber.into()),
            };
            let currency = field_currency(declared, currency)?;
            let amount = read_number(number, lone_separator(&currency))?;
            let amount = if minus { amount.negated() } else { amount };
            return Ok(TypedValue::Money {
                amount,
                currency,
                extra: Map::new(),
            });
        }
        other => return Err(wrong_type(field, other)),
    };
    let currency = field_currency(declared, currency)?;
    let amount = amount(written, lone_separator(&currency))?;
    Ok(TypedValue::Money {
        amount,
        currency,
        extra,
    })
}

fn lone_separator(currency: &str) -> LoneSeparator {
    if has_three_places(currency) {
        LoneSeparator::Ambiguous
    } else {
        LoneSeparator::Thousands
    }
}

fn field_currency(declared: Option<&str>, written: Option<String>) -> Result<String, ValueError> {
    match (declared, written) {
        (Some(declared), Some(found)) if declared != found => Err(ValueError::OtherUnit {
            expected: declared.to_owned(),
            found,
        }),
        (_, Some(found)) => Ok(found),
        (Some(declared), None) => Ok(declared.to_owned()),
        (None, None) => Err(ValueError::UnknownCurrency),
    }
}

fn quantity(field: &FieldDefinition, value: &Value) -> Result<TypedValue, ValueError> {
    let (written, number, extra) = match value {
        Value::Number(number) => (None, Decimal::from_json(number)?, Map::new()),
        Value::Object(members) => {
            let written = members.get("amount").ok_or(ValueError::MissingKey { key: "amount" })?;
            let unit = match members.get("unit") {
                None | Some(Value::Null) => None,
                Some(Value::String(text)) => Some(text.trim()),
                Some(_) => return Err(ValueError::UnknownUnit),
            };
            (
                unit,
                amount(written, LoneSeparator::Ambiguous)?,
                others(members, ["amount", "unit"]),
            )
        }
        Value::String(text) => {
            let AroundNumber { before, number, after } = around_number(text).ok_or(NumberError::NotANumber)?;
            if !before.is_empty() {
                return Err(NumberError::NotANumber.into());
            }
            let unit = (!after.is_empty()).then_some(after);
            (unit, read_number(number, LoneSeparator::Ambiguous)?, Map::new())
        }
        other => return Err(wrong_type(field, other)),
    };
    let declared = field.unit.as_deref().map(canonical_unit);
    let unit = match (declared, written) {
        (_, Some(text)) if !is_unit(text) => return Err(ValueError::UnknownUnit),
        (Some(declared), Some(text)) if canonical_unit(text) != declared => {
            return Err(ValueError::OtherUnit {
                expected: declared,
                found: canonical_unit(text),
            });
        }
        (_, Some(text)) => canonical_unit(text),
        (Some(declared), None) => declared,
        (None, None) => return Err(ValueError::UnknownUnit),
    };
    Ok(TypedValue::Quantity {
        amount: number,
        unit,
        extra,
    })
}

fn amount(written: &Value, lone: LoneSeparator) -> Result<Decimal, ValueError> {
    match written {
        Value::Number(number) => Ok(Decimal::from_json(number)?),
        Value::String(text) => Ok(read_number(text, lone)?),
        Value::Null => Err(ValueError::Empty),
        _ => Err(NumberError::NotANumber.into()),
    }
}

fn others(members: &Map<String, Value>, known: [&str; 2]) -> Map<String, Value> {
    members
        .iter()
        .filter(|(key, member)| !known.contains(&key.as_str()) && !member.is_null())
        .map(|(key, member)| (key.clone(), member.clone()))
        .collect()
}

/// The listed value that a text names: the same text, or the same but for letter case.
fn listed(field: &FieldDefinition, text: &str) -> Result<String, ValueError> {
    let folded = collapsed(text).to_lowercase();
    field
        .values
        .iter()
        .find(|value| collapsed(value).to_lowercase() == folded)
        .cloned()
        .ok_or_else(|| ValueError::NotListed(field.values.clone()))
}

fn boolean(text: &str) -> Option<bool> {
    match collapsed(text).to_lowercase().as_str() {
        "true" | "yes" | "sí" | "ja" | "oui" => Some(true),
        "false" | "no" | "nein" | "non" => Some(false),
        _ => None,
    }
}

/// The items of an array, or of a string: its lines, or its parts between semicolons. A comma separates nothing, because
/// names and amounts hold commas.
fn list(field: &FieldDefinition, value: &Value) -> Result<TypedValue, ValueError> {
    let items: Vec<Value> = match value {
        Value::Array(items) => items.clone(),
        Value::String(text) => text
            .split(['\n', ';'])
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .map(|part| Value::String(part.to_owned()))
            .collect(),
        other => return Err(wrong_type(field, other)),
    };
    if items.is_empty() || items.iter().any(Value::is_null) {
        return Err(ValueError::Empty);
    }
    if field.values.is_empty() {
        return Ok(TypedValue::List(items));
    }
    let items: Result<Vec<Value>, ValueError> = items
        .iter()
        .map(|item| match item {
            Value::String(text) => listed(field, text).map(Value::String),
            _ => Err(ValueError::NotListed(field.values.clone())),
        })
        .collect();
    items.map(TypedValue::List)
}

#[cfg(test)]
#[path = "value_tests.rs"]
mod tests;
