//! Which lines are records, and what each may not say.

use super::*;
use proptest::prelude::*;
use serde_json::json;

fn catalogue() -> Catalogue {
    Catalogue::parse("[field.turnover]\ntype = \"money\"\n[field.note]\ntype = \"text\"\n")
        .unwrap_or_else(|error| unreachable!("{error}"))
}

fn whole() -> Value {
    json!({
        "record_id": "r1", "doc_id": "SOP-114", "doc_sha256": "3f9c", "field": "turnover",
        "value": {"amount": 450_000, "currency": "EUR"}, "status": "present", "confidence": 0.86,
        "provenance": [{"locator": "2.1", "page": 1, "char_start": 0, "char_end": 5, "quote": "hello", "quote_verified": true}],
        "extractor": {"model": "m", "prompt_version": "p1", "run_id": "x"},
        "due_at": "2026-09-14T12:00:00+02:00", "unknown": 1
    })
}

/// The whole record with some keys replaced; null takes a key out.
fn with(changes: Value) -> Value {
    let (Value::Object(mut members), Value::Object(changes)) = (whole(), changes) else {
        return Value::Null;
    };
    for (key, value) in changes {
        if value.is_null() {
            members.remove(&key);
        } else {
            members.insert(key, value);
        }
    }
    Value::Object(members)
}

fn parse(value: &Value) -> Result<FieldRecord, RecordLineError> {
    FieldRecord::parse_line(value.to_string().as_bytes())
}

#[track_caller]
fn record(changes: Value) -> FieldRecord {
    parse(&with(changes)).unwrap_or_else(|error| unreachable!("{error}"))
}

fn codes(record: &FieldRecord) -> Vec<&'static str> {
    violations(record, &catalogue())
        .iter()
        .map(SchemaViolation::code)
        .collect()
}

#[test]
fn a_whole_record_is_read_and_written_back() {
    let record = record(json!({}));
    assert_eq!(record.status, Status::Present);
    assert_eq!(record.confidence, ReportedConfidence::Given(0.86));
    assert_eq!(record.provenance.len(), 1);
    assert_eq!(
        record.due_at.map(|due| due.to_rfc3339()).as_deref(),
        Some("2026-09-14T12:00:00+02:00")
    );
    assert!(codes(&record).is_empty());
    let written = serde_json::to_string(&record).unwrap_or_default();
    assert_eq!(serde_json::from_str::<FieldRecord>(&written).ok(), Some(record));
}

#[test]
fn only_what_is_no_record_at_all_is_refused() {
    let cases = [
        (
            with(json!({"doc_id": null})),
            "key `doc_id` is missing or empty; a record needs it",
        ),
        (
            with(json!({"doc_sha256": " "})),
            "key `doc_sha256` is missing or empty; a record needs it",
        ),
        (
            with(json!({"field": 7})),
            "key `field` has the wrong JSON type; write a string",
        ),
        (
            with(json!({"status": null})),
            "key `status` is missing or empty; a record needs it",
        ),
        (
            with(json!({"status": "maybe"})),
            "key `status` is none of the three; write present, absent or conflicting",
        ),
        (
            with(json!({"extractor": null})),
            "key `extractor` is missing or empty; a record needs it",
        ),
        (
            with(json!({"extractor": "m"})),
            "key `extractor` has the wrong JSON type; write an object with model and prompt_version",
        ),
        (
            with(json!({"extractor": {"prompt_version": "p"}})),
            "key `extractor.model` is missing or empty; a record needs it",
        ),
        (
            with(json!({"extractor": {"model": "m"}})),
            "key `extractor.prompt_version` is missing or empty; a record needs it",
        ),
        (
            with(json!({"provenance": {}})),
            "key `provenance` has the wrong JSON type; write a list of citations",
        ),
        (
            with(json!({"due_at": "2026-09-14"})),
            "key `due_at` is not a time with an offset from UTC; write it as 2026-09-14T12:00:00+02:00, or null",
        ),
        (
            json!([1]),
            "the line is JSON but not an object; write one JSON object a line",
        ),
    ];
    for (value, expected) in cases {
        assert_eq!(
            parse(&value).err().map(|error| error.to_string()).as_deref(),
            Some(expected)
        );
    }
    assert_eq!(
        FieldRecord::parse_line(b"{\"a\": \xff}"),
        Err(RecordLineError::NotUtf8(7))
    );
    for line in [
        "",
        "not json",
        "{\"doc_id\": \"a\"",
        "{\"doc_id\": \"\\ud800\"}",
        "{\"confidence\": nan}",
    ] {
        assert!(
            matches!(
                FieldRecord::parse_line(line.as_bytes()),
                Err(RecordLineError::NotJson { .. })
            ),
            "{line}"
        );
    }
}

#[test]
fn a_bare_nan_is_a_confidence_that_is_no_number() {
    for token in [
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999",
        "-1e999",
        "\"NaN\"",
        "\"high\"",
        "true",
    ] {
        let line = with(json!({"value": "\"NaN, say \\ \"NaN\" EUR", "field": "note"}))
            .to_string()
            .replace("0.86", token);
        let record = FieldRecord::parse_line(line.as_bytes()).unwrap_or_else(|error| unreachable!("{token}: {error}"));
        assert_eq!(record.confidence, ReportedConfidence::NotANumber, "{token}");
        assert_eq!(record.value, json!("\"NaN, say \\ \"NaN\" EUR"));
        assert_eq!(codes(&record), ["confidence_not_a_number"]);
        let written = serde_json::to_string(&record).unwrap_or_default();
        assert_eq!(serde_json::from_str::<FieldRecord>(&written).ok(), Some(record));
    }
    let line = whole().to_string().replace("450000", "NaN");
    let record = FieldRecord::parse_line(line.as_bytes()).unwrap_or_else(|error| unreachable!("{error}"));
    assert_eq!(codes(&record), ["value_not_of_type"]);
}

#[test]
fn each_violation_has_its_code() {
    let entry = json!({"char_start": 9, "char_end": -3, "quote": "x"});
    let cases = [
        (json!({"field": "other"}), vec!["unknown_field"]),
        (json!({"confidence": null}), vec!["confidence_missing"]),
        (json!({"confidence": 1.01}), vec!["confidence_out_of_range"]),
        (json!({"confidence": -0.01}), vec!["confidence_out_of_range"]),
        (json!({"confidence": 0}), vec![]),
        (json!({"confidence": 1}), vec![]),
        (json!({"provenance": null}), vec!["present_without_provenance"]),
        (json!({"provenance": [entry]}), vec![]),
        (json!({"value": "soon"}), vec!["value_not_of_type"]),
        (json!({"value": null}), vec!["value_not_of_type"]),
        (json!({"status": "absent", "value": null, "provenance": []}), vec![]),
        (
            json!({"status": "absent"}),
            vec!["absent_with_value", "absent_with_provenance"],
        ),
        (
            json!({"status": "conflicting"}),
            vec!["conflicting_with_fewer_than_two"],
        ),
        (
            json!({"status": "conflicting", "value": null, "provenance": [entry, entry]}),
            vec![],
        ),
        (
            json!({"status": "conflicting", "value": ["5 EUR", "7 EUR"], "provenance": [entry, entry]}),
            vec![],
        ),
        (
            json!({"status": "conflicting", "value": ["5 EUR", "soon"], "provenance": [entry, entry]}),
            vec!["value_not_of_type"],
        ),
        (json!({"provenance": [{"page": "1"}]}), vec!["malformed_provenance"]),
        (json!({"provenance": ["2.1"]}), vec!["malformed_provenance"]),
        (
            json!({"provenance": null, "confidence": 2, "value": 5}),
            vec![
                "confidence_out_of_range",
                "present_without_provenance",
                "value_not_of_type",
            ],
        ),
    ];
    for (changes, expected) in cases {
        assert_eq!(codes(&record(changes.clone())), expected, "{changes}");
    }
}

proptest! {
    #[test]
    fn no_line_breaks_the_reader(line in proptest::collection::vec(any::<u8>(), 0..64)) {
        let _ = FieldRecord::parse_line(&line);
    }

    #[test]
    fn quoting_leaves_strings_alone(text in "[a-zN\\\\\"IfintyaN,: é]{0,40}") {
        let json = Value::String(text).to_string();
        prop_assert_eq!(quote_bare_tokens(&json), json);
    }
}
