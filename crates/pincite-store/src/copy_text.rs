//! A row as PostgreSQL's COPY writes it: a line of text, columns parted by tabs, `\N` where there is nothing.
//!
//! One form serves three: what COPY sends, what it takes, and what stands in a dump. Values are exact on the way: whole numbers and
//! bytes by their digits, a double by the shortest digits that read back as the same one.
//!
//! Deliberately not here: sending and receiving (`rows`, `dump`).

use crate::sql::Value;
use crate::tables::{Column, Kind};

/// Appends a row as a line.
///
/// # Errors
/// The number of the column, from 0, whose text PostgreSQL can't keep: it has a U+0000 in it.
pub(crate) fn write(row: &[Value], line: &mut Vec<u8>) -> Result<(), usize> {
    for (at, value) in row.iter().enumerate() {
        if at > 0 {
            line.push(b'\t');
        }
        match value {
            Value::Integer(Some(number)) => line.extend(number.to_string().bytes()),
            Value::Real(Some(number)) => line.extend(real(*number).bytes()),
            Value::Flag(Some(flag)) => line.push(if *flag { b't' } else { b'f' }),
            Value::Bytes(Some(bytes)) => {
                line.extend(b"\\\\x");
                line.extend(pincite_core::hex(bytes).bytes());
            }
            Value::Text(Some(text)) => {
                for byte in text.bytes() {
                    match byte {
                        0 => return Err(at),
                        b'\\' => line.extend(b"\\\\"),
                        b'\n' => line.extend(b"\\n"),
                        b'\r' => line.extend(b"\\r"),
                        b'\t' => line.extend(b"\\t"),
                        other => line.push(other),
                    }
                }
            }
            Value::Integer(None) | Value::Real(None) | Value::Flag(None) | Value::Bytes(None) | Value::Text(None) => {
                line.extend(b"\\N");
            }
        }
    }
    line.push(b'\n');
    Ok(())
}

/// As PostgreSQL reads it; Rust's shortest digits read back as the same number.
fn real(number: f64) -> String {
    if number.is_nan() {
        "NaN".into()
    } else if number.is_infinite() {
        if number > 0.0 { "Infinity" } else { "-Infinity" }.into()
    } else {
        format!("{number:?}")
    }
}

/// Reads a line without its end.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn read(line: &[u8], columns: &[&Column]) -> Result<Vec<Value>, String> {
    let fields: Vec<&[u8]> = line.split(|byte| *byte == b'\t').collect();
    if fields.len() != columns.len() {
        return Err(format!("{} columns where {} should be", fields.len(), columns.len()));
    }
    columns
        .iter()
        .zip(fields)
        .map(|(column, field)| value(field, column.kind).ok_or_else(|| format!("{} can't be read", column.name)))
        .collect()
}

fn value(field: &[u8], kind: Kind) -> Option<Value> {
    if field == b"\\N" {
        return Some(match kind {
            Kind::Integer => Value::Integer(None),
            Kind::Text => Value::Text(None),
            Kind::Bytes => Value::Bytes(None),
            Kind::Flag => Value::Flag(None),
            Kind::Real => Value::Real(None),
        });
    }
    let plain = || std::str::from_utf8(field).ok();
    Some(match kind {
        Kind::Integer => Value::Integer(Some(plain()?.parse().ok()?)),
        Kind::Real => Value::Real(Some(plain()?.parse().ok()?)),
        Kind::Flag => Value::Flag(Some(match field {
            b"t" => true,
            b"f" => false,
            _ => return None,
        })),
        Kind::Bytes => Value::Bytes(Some(bytes(field.strip_prefix(b"\\\\x")?)?)),
        Kind::Text => Value::Text(Some(String::from_utf8(unescaped(field)?).ok()?)),
    })
}

fn bytes(digits: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty().then(|| {
        pairs
            .iter()
            .map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?))
            .collect()
    })?
}

fn unescaped(field: &[u8]) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field.iter();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next()? {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'b' => 8,
                b'f' => 12,
                b'v' => 11,
                b'\\' => b'\\',
                // PostgreSQL writes no others.
                _ => return None,
            },
            other => *other,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(kinds: &[Kind]) -> Vec<Column> {
        kinds
            .iter()
            .map(|kind| Column {
                name: format!("{kind:?}"),
                kind: *kind,
                key: false,
            })
            .collect()
    }

    #[test]
    fn every_value_reads_back_as_it_was() {
        let rows: Vec<Vec<Value>> = vec![
            vec![
                Value::Integer(Some(i64::MIN)),
                Value::Text(Some("a\\b\tc\nd\re \u{b}\u{c}\u{8}ü\\N".into())),
                Value::Bytes(Some((0..=255).collect())),
                Value::Flag(Some(true)),
                Value::Real(Some(0.1 + 0.2)),
            ],
            vec![
                Value::Integer(Some(i64::MAX)),
                Value::Text(Some(String::new())),
                Value::Bytes(Some(Vec::new())),
                Value::Flag(Some(false)),
                Value::Real(Some(f64::MIN_POSITIVE)),
            ],
            vec![
                Value::Integer(None),
                Value::Text(None),
                Value::Bytes(None),
                Value::Flag(None),
                Value::Real(None),
            ],
            vec![
                Value::Integer(Some(0)),
                Value::Text(Some("\\N".into())),
                Value::Bytes(Some(b"\\N".to_vec())),
                Value::Flag(None),
                Value::Real(Some(f64::NEG_INFINITY)),
            ],
        ];
        let columns = columns(&[Kind::Integer, Kind::Text, Kind::Bytes, Kind::Flag, Kind::Real]);
        let columns: Vec<&Column> = columns.iter().collect();
        for row in rows {
            let mut line = Vec::new();
            assert_eq!(write(&row, &mut line), Ok(()));
            assert_eq!(line.pop(), Some(b'\n'));
            assert!(!line.contains(&b'\n'));
            assert_eq!(read(&line, &columns), Ok(row));
        }
        assert_eq!(
            write(
                &[Value::Integer(Some(1)), Value::Text(Some("a\0".into()))],
                &mut Vec::new()
            ),
            Err(1)
        );
        assert!(read(b"1\t2", &columns).is_err());
    }
}
