//! What each passage of a conflict says: told only where the record tells it without doubt.

#![expect(clippy::expect_used, reason = "a test that can't go on fails")]

use super::*;
use serde_json::{Value, json};

fn said(field: &str, status: &str, value: Value, citations: usize) -> Vec<String> {
    let catalogue = Catalogue::parse(
        "[field.term]\ntitle = \"Term\"\ntype = \"quantity\"\nunit = \"months\"\n\
         [field.names]\ntitle = \"Names\"\ntype = \"list\"\n",
    )
    .expect("a catalogue");
    let line = json!({
        "doc_id": "one", "doc_sha256": "00", "field": field, "value": value, "status": status, "confidence": 0.5,
        "extractor": {"model": "m", "prompt_version": "p"}
    });
    let record = FieldRecord::parse_line(line.to_string().as_bytes()).expect("a record");
    let values = passage_values(&record, &catalogue, citations);
    values.into_iter().map(|value| value.text).collect()
}

#[test]
fn passages_have_values_only_where_each_has_one() {
    let months = json!([{"amount": 12, "unit": "months"}, {"amount": 18, "unit": "months"}]);
    assert_eq!(
        said("term", "conflicting", months.clone(), 2),
        ["12 months", "18 months"]
    );
    assert_eq!(
        said("term", "conflicting", json!(["12 months", "18 months"]), 2),
        ["12 months", "18 months"]
    );
    for (field, status, value, citations) in [
        ("term", "present", months.clone(), 2),
        ("term", "conflicting", months.clone(), 3),
        ("term", "conflicting", json!(null), 2),
        ("term", "conflicting", json!(["12 months", "18 apples"]), 2),
        ("unknown", "conflicting", months, 2),
        // One list of two names, or two lists: it can't be told.
        ("names", "conflicting", json!(["Ada", "Bob"]), 2),
    ] {
        assert!(
            said(field, status, value.clone(), citations).is_empty(),
            "{field} {status} {value}"
        );
    }
    assert_eq!(
        said("names", "conflicting", json!([["Ada"], ["Bob", "Cy"]]), 2),
        ["Ada", "Bob; Cy"]
    );
}
