//! What each reader makes of small files of its format, and what is not believed.
//!
//! Deliberately not here: placing, and what becomes of the records (tests/journeys/formats.rs).

#![expect(clippy::expect_used, reason = "a test that can't go on fails")]

use super::*;

const LAYER: &str = "🏦 Policy\n2.1 Up to EUR 75,000 and up to EUR 75,000.";

fn known() -> Known {
    let layer = CountedText::new(LAYER);
    Known {
        doc_id: "policy".to_owned(),
        doc_sha256: "ab".repeat(32),
        layers: vec![layer.sha256().to_owned()],
        layer,
    }
}

fn naming() -> Naming {
    Naming {
        model: Some("m".to_owned()),
        prompt_version: Some("p".to_owned()),
        ..Naming::default()
    }
}

/// Every entry as a record, or the sentence that refuses it.
fn records(format: Format, file: &Value, naming: &Naming) -> Vec<Result<Value, String>> {
    read(format, &file.to_string(), naming)
        .expect("JSON")
        .into_iter()
        .map(|entry| entry.draft.and_then(|draft| record(&draft, naming, &known())))
        .collect()
}

fn task(text: &str, start: usize, end: usize) -> Value {
    json!([{ "data": { "text": text }, "predictions": [{ "model_version": "ner", "score": 0.5, "result": [
        { "id": "a", "type": "labels", "value": { "start": start, "end": end, "text": "EUR 75,000", "labels": ["limit"] } }
    ] }] }])
}

#[test]
fn label_studio_may_count_either_way_and_its_text_tells() {
    for (start, end) in [(19, 29), (20, 30)] {
        let made = records(Format::LabelStudio, &task(LAYER, start, end), &naming());
        let record = made[0].as_ref().expect("a record");
        let citation = &record["provenance"][0];
        assert_eq!(
            (&citation["char_start"], &citation["char_end"]),
            (&json!(19), &json!(29))
        );
        assert_eq!(citation["layer_sha256"], json!(known().layer.sha256()));
        assert_eq!(
            (&record["extractor"]["model"], &record["confidence"]),
            (&json!("ner"), &json!(0.5))
        );
    }
    // Asked to count UTF-16 units, the other reading is not believed; another text's offsets are not either.
    let strict = Naming {
        utf16: true,
        ..naming()
    };
    for (file, naming) in [
        (task(LAYER, 19, 29), &strict),
        (task(LAYER, 3, 13), &naming()),
        (task(&format!("Page 1. {LAYER}"), 27, 37), &naming()),
    ] {
        let made = records(Format::LabelStudio, &file, naming);
        let citation = &made[0].as_ref().expect("a record")["provenance"][0];
        assert_eq!(citation["quote"], json!("EUR 75,000"));
        assert!(
            citation["char_start"].is_null() && citation["layer_sha256"].is_null(),
            "{citation}"
        );
    }
    // What stood around it there tells it from its double here.
    let made = records(
        Format::LabelStudio,
        &task(&format!("Page 1. {LAYER}"), 27, 37),
        &naming(),
    );
    assert_eq!(
        made[0].as_ref().expect("a record")["provenance"][0]["suffix"],
        json!(" and up to EUR 75,000.")
    );
    let boxes = json!([{ "data": {}, "annotations": [{ "result": [{ "type": "rectanglelabels", "value": {} }] }] }]);
    assert!(
        records(Format::LabelStudio, &boxes, &naming())[0]
            .as_ref()
            .is_err_and(|why| why.contains("rectanglelabels"))
    );
}

#[test]
fn langextract_counts_code_points_of_its_own_text() {
    let file = |text: &str| {
        json!({ "document_id": "policy", "text": text, "extractions": [
            { "extraction_class": "limit", "extraction_text": "EUR 75,000", "char_interval": { "start_pos": 19, "end_pos": 29 },
              "attributes": { "value": { "amount": 75000, "currency": "EUR" } } },
            { "extraction_class": "limit", "extraction_text": "EUR 75.000", "char_interval": { "start_pos": 19, "end_pos": 29 } },
            { "extraction_class": "limit", "extraction_text": "EUR 75,000", "char_interval": null },
            { "extraction_class": "limit" }
        ] })
    };
    let made = records(Format::Langextract, &file(LAYER), &naming());
    let first = made[0].as_ref().expect("a record");
    assert_eq!(first["provenance"][0]["char_start"], json!(19));
    assert_eq!(first["value"]["amount"], json!(75000));
    for record in &made[1..3] {
        let record = record.as_ref().expect("a record");
        assert!(record["provenance"][0]["char_start"].is_null(), "{record}");
    }
    assert!(made[3].as_ref().is_err_and(|why| why.contains("extraction_text")));
    let made = records(Format::Langextract, &file(&LAYER.replace('\n', " ")), &naming());
    assert!(made[0].as_ref().expect("a record")["provenance"][0]["char_start"].is_null());
    let nameless = records(Format::Langextract, &file(LAYER), &Naming::default());
    assert!(nameless[0].as_ref().is_err_and(|why| why.contains("--model")));
}

#[test]
fn docling_gives_quotes_and_pages_of_mapped_labels() {
    let file = json!({ "origin": { "filename": "policy.pdf" }, "texts": [
        { "label": "text", "orig": "Up to  EUR", "text": "Up to EUR", "prov": [{ "page_no": 1, "charspan": [0, 9] }] },
        { "label": "page_footer", "text": "1", "prov": [] }
    ] });
    let refused = records(Format::Docling, &file, &naming());
    assert!(refused[0].as_ref().is_err_and(|why| why.contains("--map")));
    let mut mapped = naming();
    mapped.fields.insert("text".to_owned(), "limit".to_owned());
    let made = records(Format::Docling, &file, &mapped);
    assert_eq!(made.len(), 1);
    let record = made[0].as_ref().expect("a record");
    assert_eq!(record["field"], json!("limit"));
    assert_eq!(record["provenance"], json!([{ "quote": "Up to  EUR", "page": 1 }]));
}

#[test]
fn w3c_counts_code_points_and_hypothesis_units() {
    let file = |start: i64, end: i64| {
        json!({ "rows": [{ "uri": "https://example.org/policy.pdf", "tags": ["limit"], "text": "a remark", "target": [{
            "source": "https://example.org/policy.pdf", "selector": [
                { "type": "RangeSelector" }, { "type": "TextPositionSelector", "start": start, "end": end },
                { "type": "TextQuoteSelector", "exact": "EUR 75,000", "prefix": "Up to " }
            ] }] }] })
    };
    let utf16 = Naming {
        utf16: true,
        ..naming()
    };
    for (file, naming, start) in [
        (file(19, 29), &naming(), json!(19)),
        (file(20, 30), &utf16, json!(19)),
        // Wrong ones in code points are ours to check; in units that fit nothing, there is nothing to check.
        (file(20, 30), &naming(), json!(20)),
        (file(19, 29), &utf16, Value::Null),
    ] {
        let made = records(Format::W3c, &file, naming);
        let record = made[0].as_ref().expect("a record");
        assert_eq!(record["provenance"][0]["char_start"], start, "{record}");
        assert_eq!(record["value"], json!("EUR 75,000"), "a remark is no value");
        assert_eq!(record["provenance"][0]["prefix"], json!("Up to "));
    }
    for (body, word) in [
        (json!({}), "no tag"),
        (json!({ "tags": ["a", "b"] }), "--map"),
        (json!({ "tags": ["a"] }), "selector"),
    ] {
        assert!(
            records(Format::W3c, &body, &naming())[0]
                .as_ref()
                .is_err_and(|why| why.contains(word)),
            "{body}"
        );
    }
}

#[test]
fn a_file_is_one_document_or_one_a_line() {
    assert!(read(Format::W3c, "no JSON", &naming()).is_err_and(|why| why.contains("line 1")));
    let lines = "{\"text\": \"a\", \"extractions\": []}\nno JSON\n\n{\"text\": \"a\"}\n";
    let entries = read(Format::Langextract, lines, &naming()).expect("lines");
    let places: Vec<&str> = entries.iter().map(|entry| entry.place.as_str()).collect();
    assert_eq!(places, ["line 2", "line 4"]);
    assert!(entries.iter().all(|entry| entry.draft.is_err()));
}
