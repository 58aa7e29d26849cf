//! Label Studio: tasks, `{data: {text, ...}, annotations: [{result: [...]}], predictions: [{model_version, score,
//! result}]}`. A region is `{id, type: "labels", value: {start, end, text, labels}}`; a `textarea` of the same `id` is
//! its value.
//!
//! What its offsets count changed: UTF-16 units at first (label-studio issue 1347), code points since its editor was
//! mended (label-studio-frontend pull request 308). A file doesn't say which, so the region's own text tells; where the
//! task has no text, the layer's. Written are code points, or UTF-16 units where somebody asks for them.
//!
//! Deliberately not here: regions that are no spans of a text, and the project's labelling configuration.

use super::w3c::Held;
use super::{CountedText, Draft, Entry, Given, Naming, Passage, Unit, list_of, text_of, value_of, within};
use serde_json::{Value, json};
use std::sync::Arc;

/// Reads one task, or a list of them.
pub fn read(document: &Value, place: &str, naming: &Naming, entries: &mut Vec<Entry>) {
    for (number, task) in (1..).zip(list_of(Some(document))) {
        let here = if document.is_array() || place.is_empty() {
            within(place, &format!("task {number}"))
        } else {
            place.to_owned()
        };
        let Some(data) = task.get("data").filter(|data| data.is_object()) else {
            entries.push(Entry {
                place: here,
                draft: Err("it has no `data`; export the tasks as JSON (not JSON-MIN)".to_owned()),
            });
            continue;
        };
        let text = data.get("text").and_then(Value::as_str);
        let text = text.map(|text| Arc::new(CountedText::new(text)));
        for kind in ["annotations", "completions", "predictions"] {
            for (number, layer) in (1..).zip(list_of(task.get(kind))) {
                if layer.get("was_cancelled") == Some(&json!(true)) {
                    continue;
                }
                let here = within(&here, &format!("{} {number}", kind.trim_end_matches('s')));
                regions(layer, data, text.as_ref(), &here, naming, entries);
            }
        }
    }
}

/// The regions of one annotation. Regions with one label and one value are passages of one record.
fn regions(
    annotation: &Value,
    data: &Value,
    text: Option<&Arc<CountedText>>,
    place: &str,
    naming: &Naming,
    entries: &mut Vec<Entry>,
) {
    let results = list_of(annotation.get("result"));
    let first = entries.len();
    for (number, result) in (1..).zip(&results) {
        let here = within(place, &format!("region {number}"));
        let kind = text_of(result, "type").unwrap_or_default();
        let is_text = |other: &Value, id: &str| {
            text_of(other, "type").as_deref() == Some("textarea") && text_of(other, "id").as_deref() == Some(id)
        };
        let id = text_of(result, "id").unwrap_or_default();
        if kind == "textarea" || kind == "relation" {
            continue;
        }
        let value = &result["value"];
        let labels: Vec<String> = ["labels", "hypertextlabels"]
            .iter()
            .flat_map(|key| list_of(value.get(key)))
            .filter_map(|label| label.as_str().map(str::to_owned))
            .collect();
        let offsets = value["start"].as_i64().zip(value["end"].as_i64());
        let Some((start, end)) = offsets.filter(|_| !labels.is_empty()) else {
            entries.push(Entry {
                place: here,
                draft: Err(format!(
                    "it is no labelled span of a text (type {kind:?}); only these can be read"
                )),
            });
            continue;
        };
        let passage = Passage {
            quote: text_of(value, "text"),
            offsets: Some(Given {
                start,
                end,
                unit: if naming.utf16 { Unit::Utf16 } else { Unit::Either },
            }),
            text: text.cloned(),
            ..Passage::default()
        };
        let typed = results.iter().find(|other| !id.is_empty() && is_text(other, &id));
        let typed = typed.and_then(|other| list_of(other["value"].get("text")).first()?.as_str().map(value_of));
        let stated = typed
            .or_else(|| passage.quote.clone().map(Value::String))
            .unwrap_or_default();
        for label in labels {
            let same = |entry: &&mut Entry| {
                entry
                    .draft
                    .as_ref()
                    .is_ok_and(|draft| draft.label == label && draft.value == stated && !stated.is_null())
            };
            let known = entries.get_mut(first..).unwrap_or_default().iter_mut().find(same);
            if let Some(Entry { draft: Ok(draft), .. }) = known {
                draft.passages.push(passage.clone());
                continue;
            }
            let document = text_of(data, "doc_id").map(|doc_id| match text_of(data, "doc_sha256") {
                Some(sha256) => format!("{doc_id}@{sha256}"),
                None => doc_id,
            });
            entries.push(Entry {
                place: here.clone(),
                draft: Ok(Draft {
                    document,
                    label,
                    value: stated.clone(),
                    confidence: annotation.get("score").filter(|score| !score.is_null()).cloned(),
                    model: text_of(annotation, "model_version"),
                    prompt_version: text_of(annotation, "prompt_version"),
                    passages: vec![passage.clone()],
                    ..Draft::default()
                }),
            });
        }
    }
}

/// The task of one text, without predictions.
#[must_use]
pub fn task(held: Held<'_>) -> Value {
    json!({
        "data": {
            "text": held.text.slice(&(0..held.text.length())),
            "doc_id": held.citation.doc_id, "doc_sha256": held.citation.doc_sha256,
            "layer_sha256": held.text.sha256()
        },
        "predictions": []
    })
}

/// The prediction of a record as it is listed: a region for each citation that holds, its value beside it.
#[must_use]
pub fn prediction(record: &Value, value: &Value, candidate: bool, citations: &[Held<'_>], utf16: bool) -> Value {
    let stated = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut result = Vec::new();
    for held in citations {
        let count = |index: usize| if utf16 { held.text.to_utf16(index) } else { index };
        let id = held.citation.id.as_deref().unwrap_or_default();
        let (start, end, text) = (count(held.span.start), count(held.span.end), held.text.slice(held.span));
        result.push(json!({
            "id": id, "from_name": "label", "to_name": "text", "type": "labels",
            "value": { "start": start, "end": end, "text": text, "labels": [record["field"]] }
        }));
        result.push(json!({
            "id": id, "from_name": "value", "to_name": "text", "type": "textarea",
            "value": { "start": start, "end": end, "text": [stated] }
        }));
    }
    let mut prediction = json!({ "result": result });
    if candidate {
        prediction["model_version"] = record["extractor"]["model"].clone();
        prediction["prompt_version"] = record["extractor"]["prompt_version"].clone();
        if record["confidence"].is_number() {
            prediction["score"] = record["confidence"].clone();
        }
    }
    prediction
}
