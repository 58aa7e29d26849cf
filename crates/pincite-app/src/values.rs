//! A value as a reviewer types it: what it is read as, or what is wrong with it, while it is being typed.
//!
//! The core reads; here its answer becomes one line for the person at the editor. A decision that states the value is read
//! by the same function, so the editor never says yes to what is refused later.
//!
//! Deliberately not here: reading (`pincite-core::record`), deciding (`queue`).

use crate::error::AppError;
use crate::settings::catalogue_in;
use crate::value_text::value_text;
use crate::wire::ValueCheckView;
use crate::workspace::Workspace;
use pincite_core::record::{FieldDefinition, FieldType, NumberError, ValueError, stated};
use serde_json::Value;

/// Reads a value as typed: a text, or an object of texts (`{"amount": "450.000,00", "currency": "EUR"}`).
///
/// # Errors
/// The store. A value that is none, or a field that the catalogue does not know, is an answer.
pub async fn check_typed(workspace: &Workspace, field: &str, typed: &Value) -> Result<ValueCheckView, AppError> {
    let mut reading = workspace.store.read().await?;
    let catalogue = catalogue_in(&mut reading).await?;
    let Some(definition) = catalogue.get(field) else {
        return Ok(wrong(
            "This field is not in the catalogue, so no value can be stated for it: add it there, or reject.".to_owned(),
        ));
    };
    Ok(match stated(definition, typed) {
        Ok(value) => ValueCheckView {
            text: value_text(&value),
            value,
            trouble: None,
        },
        Err(error) => wrong(line(definition, typed, &error)),
    })
}

const fn wrong(trouble: String) -> ValueCheckView {
    ValueCheckView {
        value: Value::Null,
        text: String::new(),
        trouble: Some(trouble),
    }
}

/// What is wrong and what is wanted. Shown beside what was typed and never logged, so it may name it.
fn line(field: &FieldDefinition, typed: &Value, error: &ValueError) -> String {
    let part = |key: &str| typed.get(key).and_then(Value::as_str).unwrap_or_default().trim();
    match error {
        ValueError::Empty => match field.kind {
            FieldType::List => "Write at least one entry, one a line.".to_owned(),
            FieldType::Enumeration | FieldType::Boolean => "Choose a value.".to_owned(),
            _ => "Write the value.".to_owned(),
        },
        ValueError::Number(_) if typed.get("amount").is_some() && part("amount").is_empty() => {
            "Write the amount.".to_owned()
        }
        ValueError::Number(NumberError::NotANumber) => {
            "This is not one number: write digits, as in 450000 or 450.000,00.".to_owned()
        }
        ValueError::Number(NumberError::Ambiguous) => {
            "This can be read as thousands or as three decimals: leave the separator out, or write a fourth decimal."
                .to_owned()
        }
        ValueError::Number(NumberError::BadGrouping) => {
            "The separators don't part the digits in threes: write the number without them.".to_owned()
        }
        ValueError::Number(NumberError::TooLong) => format!("The number is too long to be kept exactly: {error}."),
        ValueError::UnknownCurrency if part("currency").is_empty() => {
            "Write the currency too: its three letters, as in EUR.".to_owned()
        }
        ValueError::UnknownCurrency => {
            format!(
                "“{}” names no one currency: write its three letters, as in EUR.",
                part("currency")
            )
        }
        ValueError::UnknownUnit if part("unit").is_empty() => "Write the unit too.".to_owned(),
        ValueError::UnknownUnit => format!("“{}” is no unit: write its name or symbol.", part("unit")),
        ValueError::OtherUnit { expected, found } => {
            format!("The field is in {expected} and this is in {found}: nothing is converted; write it in {expected}.")
        }
        ValueError::NotADate => "This is no day of the calendar: write year-month-day, as in 2026-12-04.".to_owned(),
        ValueError::AmbiguousDate => "This can be read as two days: write year-month-day, as in 2026-12-04.".to_owned(),
        ValueError::NotListed(values) => format!("Choose one of the field's values: {}.", values.join(", ")),
        ValueError::NotABoolean => "Choose yes or no.".to_owned(),
        ValueError::Schema(failure) => format!("It breaks the rule that the catalogue sets for this field, {failure}."),
        ValueError::WrongJsonType { .. } | ValueError::MissingKey { .. } | ValueError::UnknownKey { .. } => {
            format!("It can't be read: {error}.")
        }
    }
}

#[cfg(test)]
#[path = "values_tests.rs"]
mod tests;
