//! W3C Web Annotation: `{body, target: {source, selector: [TextQuoteSelector, TextPositionSelector]}}`, alone, in a
//! list, in an AnnotationPage (`items`), or as Hypothesis's interface answers them (`rows`, with `tags` and `uri`).
//!
//! The standard counts code points; Hypothesis counts as a browser does, UTF-16 units, which whoever imports has to
//! say. The tag names the field. The value is a body whose purpose is "describing", else the quote: what Hypothesis
//! calls `text` is a remark about the passage. What a record says beyond the standard stands under keys that begin with
//! `pincite:`.
//!
//! Deliberately not here: other selectors. Paths through a page's markup lead nowhere in a layer.

use super::{CONTEXT, CountedText, Draft, Entry, Given, Naming, Passage, Unit, list_of, text_of, value_of, within};
use pincite_core::citation::Citation;
use serde_json::{Map, Value, json};
use std::ops::Range;

/// Reads one annotation, or what holds several.
pub fn read(document: &Value, place: &str, naming: &Naming, entries: &mut Vec<Entry>) {
    let held = ["items", "rows"].iter().find_map(|key| document.get(key));
    let held = held.or_else(|| document.get("first")?.get("items"));
    let annotations = list_of(Some(held.unwrap_or(document)));
    let many = held.is_some() || document.is_array();
    for (number, annotation) in (1..).zip(annotations) {
        let here = if many || place.is_empty() {
            within(place, &format!("annotation {number}"))
        } else {
            place.to_owned()
        };
        entries.push(Entry {
            place: here,
            draft: draft(annotation, naming),
        });
    }
}

/// What the bodies say: their tags, and the value that one of them describes.
fn bodies(annotation: &Value) -> (Vec<String>, Option<Value>) {
    let (mut tags, mut value) = (Vec::new(), None);
    for body in list_of(annotation.get("body")) {
        let Some(text) = text_of(body, "value") else { continue };
        match body.get("purpose").and_then(Value::as_str) {
            Some("tagging" | "classifying") => tags.push(text),
            Some("describing") if body.get("format") == Some(&json!("application/json")) => {
                value = serde_json::from_str(&text).ok().or(Some(Value::String(text)));
            }
            Some("describing") => value = Some(value_of(&text)),
            _ => {}
        }
    }
    for tag in list_of(annotation.get("tags")) {
        tags.extend(tag.as_str().map(str::to_owned));
    }
    (tags, value)
}

fn draft(annotation: &Value, naming: &Naming) -> Result<Draft, String> {
    let (mut tags, value) = bodies(annotation);
    // Where a file is tagged for other ends too, the labels that somebody mapped are the fields.
    if tags.len() > 1 && tags.iter().any(|tag| naming.fields.contains_key(tag)) {
        tags.retain(|tag| naming.fields.contains_key(tag));
    }
    let label = match (tags.pop(), tags.pop()) {
        (Some(label), None) => label,
        (None, _) => return Err("it has no tag; the tag names the field".to_owned()),
        (Some(_), Some(_)) => {
            return Err("it has several tags; say --map TAG=FIELD for the one that names the field".to_owned());
        }
    };
    let own = |key: &str| text_of(annotation, &format!("pincite:{key}"));
    let targets = list_of(annotation.get("target"));
    let mut document = None;
    let mut passages = Vec::new();
    for target in targets {
        let source = target.get("source").unwrap_or(target);
        let named = text_of(source, "pincite:doc_id").map(|doc_id| match text_of(source, "pincite:doc_sha256") {
            Some(sha256) => format!("{doc_id}@{sha256}"),
            None => doc_id,
        });
        let named = named
            .or_else(|| source.as_str().map(str::to_owned))
            .or_else(|| text_of(source, "id"));
        let named = named.or_else(|| text_of(annotation, "uri"));
        if document.is_some() && named != document {
            return Err("its targets are in several documents; write an annotation for each".to_owned());
        }
        document = named;
        if target.get("selector").is_some() {
            passages.push(passage(target, text_of(source, "pincite:layer_sha256"), naming));
        }
    }
    let status = own("status");
    if passages.is_empty() && status.as_deref() != Some("absent") {
        return Err("it has no selector; write a TextQuoteSelector with `exact`".to_owned());
    }
    let generator = annotation.get("generator");
    Ok(Draft {
        document,
        label,
        status: status.or_else(|| value.is_some().then(|| "present".to_owned())),
        value: value.unwrap_or_default(),
        record_id: own("record_id"),
        confidence: annotation.get("pincite:confidence").cloned(),
        model: generator.and_then(|generator| text_of(generator, "name")),
        prompt_version: own("prompt_version"),
        run_id: own("run_id"),
        passages,
    })
}

fn passage(target: &Value, layer_sha256: Option<String>, naming: &Naming) -> Passage {
    let mut passage = Passage {
        layer_sha256,
        ..Passage::default()
    };
    let mut waiting = list_of(target.get("selector"));
    while let Some(selector) = waiting.pop() {
        waiting.extend(list_of(selector.get("refinedBy")));
        match selector.get("type").and_then(Value::as_str) {
            Some("TextQuoteSelector") => {
                passage.quote = text_of(selector, "exact");
                passage.prefix = text_of(selector, "prefix");
                passage.suffix = text_of(selector, "suffix");
            }
            Some("TextPositionSelector") => {
                let number = |key: &str| selector.get(key).and_then(Value::as_i64);
                passage.offsets = number("start").zip(number("end")).map(|(start, end)| Given {
                    start,
                    end,
                    unit: if naming.utf16 { Unit::Utf16 } else { Unit::CodePoints },
                });
            }
            Some("FragmentSelector") => {
                let page = text_of(selector, "value").and_then(|value| value.strip_prefix("page=")?.parse().ok());
                passage.page = page.or(passage.page);
            }
            _ => {}
        }
    }
    passage
}

/// A citation that holds, with its text and where it stands in it.
#[derive(Debug, Clone, Copy)]
pub struct Held<'a> {
    /// The citation.
    pub citation: &'a Citation,
    /// The layer's text.
    pub text: &'a CountedText,
    /// The quote's place, in code points.
    pub span: &'a Range<usize>,
}

/// The target of an annotation: the place of a citation that holds.
#[must_use]
pub fn target(held: Held<'_>, utf16: bool) -> Value {
    let Held { citation, text, span } = held;
    let (prefix, suffix) = text.around(span, CONTEXT);
    let count = |index: usize| if utf16 { text.to_utf16(index) } else { index };
    let mut selectors = vec![
        json!({ "type": "TextQuoteSelector", "exact": text.slice(span), "prefix": prefix, "suffix": suffix }),
        json!({ "type": "TextPositionSelector", "start": count(span.start), "end": count(span.end) }),
    ];
    if let Some(page) = citation.page {
        selectors.push(json!({
            "type": "FragmentSelector", "conformsTo": "http://tools.ietf.org/rfc/rfc3778", "value": format!("page={page}")
        }));
    }
    json!({ "source": source(&citation.doc_id, &citation.doc_sha256, citation.layer_sha256.as_deref()), "selector": selectors })
}

fn source(doc_id: &str, doc_sha256: &str, layer_sha256: Option<&str>) -> Value {
    let mut source = json!({
        "id": format!("urn:sha256:{doc_sha256}"), "pincite:doc_id": doc_id, "pincite:doc_sha256": doc_sha256
    });
    if let Some(layer_sha256) = layer_sha256 {
        source["pincite:layer_sha256"] = json!(layer_sha256);
    }
    source
}

fn annotation(id: &str, motivation: &str) -> Map<String, Value> {
    let annotation = json!({
        "@context": ["http://www.w3.org/ns/anno.jsonld", { "pincite": "urn:pincite:" }],
        "id": format!("urn:pincite:{id}"),
        "type": "Annotation",
        "motivation": motivation,
    });
    annotation.as_object().cloned().unwrap_or_default()
}

/// The annotation of a citation by itself: a place, and no body.
#[must_use]
pub fn of_citation(held: Held<'_>, utf16: bool) -> Value {
    let id = held.citation.id.as_deref().unwrap_or_default();
    let mut annotation = annotation(&format!("citation:{id}"), "highlighting");
    annotation.insert("target".to_owned(), target(held, utf16));
    Value::Object(annotation)
}

/// The annotation of a record as it is listed, whose citations hold at these targets. `answer` is the value and its
/// status; `candidate` says whether that is what the extractor said: if not, the extractor is not named.
#[must_use]
pub fn of_record(record: &Value, answer: (&Value, &str), candidate: bool, targets: Vec<Value>) -> Value {
    let text = |value: &Value, key: &str| text_of(value, key).unwrap_or_default();
    let record_id = text(record, "record_id");
    let mut annotation = annotation(&format!("record:{record_id}"), "tagging");
    let (value, status) = answer;
    let mut body = vec![json!({ "type": "TextualBody", "purpose": "tagging", "value": record["field"] })];
    if !value.is_null() {
        body.push(json!({
            "type": "TextualBody", "purpose": "describing", "format": "application/json", "value": value.to_string()
        }));
    }
    let target = match targets.len() {
        0 => json!({ "source": source(&text(record, "doc_id"), &text(record, "doc_sha256"), None) }),
        1 => targets.into_iter().next().unwrap_or_default(),
        _ => Value::Array(targets),
    };
    let mut insert = |key: &str, value: Value| annotation.insert(key.to_owned(), value);
    insert("body", Value::Array(body));
    insert("target", target);
    insert("pincite:status", json!(status));
    insert("pincite:record_id", json!(record_id));
    if candidate {
        let extractor = &record["extractor"];
        insert("generator", json!({ "type": "Software", "name": extractor["model"] }));
        insert("pincite:prompt_version", extractor["prompt_version"].clone());
        for (key, value) in [
            ("pincite:run_id", &extractor["run_id"]),
            ("pincite:confidence", &record["confidence"]),
        ] {
            if !value.is_null() {
                insert(key, value.clone());
            }
        }
    } else {
        insert("pincite:resolved_outcome", record["resolved_outcome"].clone());
    }
    Value::Object(annotation)
}
