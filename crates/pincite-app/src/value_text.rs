//! A field's value in words, as a person reads it.
//!
//! Deliberately not here: comparing values (`pincite-core::record`), parsing them.

use serde_json::Value;

/// A value in words: `450 000 EUR`, `7 years`, `60`, `yes`; several items with semicolons; nothing for null.
#[must_use]
pub fn value_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => grouped(&number.to_string()),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(value_text).collect::<Vec<_>>().join("; "),
        Value::Object(members) => {
            let unit = members.get("currency").or_else(|| members.get("unit"));
            let mut words = match (members.get("amount"), unit) {
                (Some(amount), Some(unit)) => format!("{} {}", value_text(amount), value_text(unit)),
                (Some(amount), None) => value_text(amount),
                _ => members.get("value").map(value_text).unwrap_or_default(),
            };
            for (name, value) in members {
                if !matches!(name.as_str(), "amount" | "currency" | "unit" | "value") && !value.is_null() {
                    let separator = if words.is_empty() { "" } else { ", " };
                    words = format!(
                        "{words}{separator}{}: {}",
                        name.replace('_', " "),
                        value_text(value).replace('_', " ")
                    );
                }
            }
            words
        }
    }
}

/// Digits before the decimal point in threes, with a no-break space, from five digits on.
fn grouped(number: &str) -> String {
    let (sign, digits) = number.strip_prefix('-').map_or(("", number), |digits| ("-", digits));
    let (whole, rest) = digits
        .find(['.', 'e', 'E'])
        .map_or((digits, ""), |at| digits.split_at(at));
    if whole.len() < 5 || !whole.bytes().all(|byte| byte.is_ascii_digit()) {
        return number.to_owned();
    }
    let mut grouped = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            grouped.push('\u{a0}');
        }
        grouped.push(digit);
    }
    grouped + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_in_words() {
        for (value, text) in [
            (
                json!({"amount": 450_000, "currency": "EUR", "basis": "best_of_last_3_years"}),
                "450\u{a0}000 EUR, basis: best of last 3 years",
            ),
            (json!({"amount": 7, "unit": "years"}), "7 years"),
            (json!(1234), "1234"),
            (json!(-1_234_567.5), "-1\u{a0}234\u{a0}567.5"),
            (json!(["a", "b"]), "a; b"),
            (json!(null), ""),
            (json!(true), "yes"),
        ] {
            assert_eq!(value_text(&value), text);
        }
    }
}
