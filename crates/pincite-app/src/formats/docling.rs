//! docling: a converted document, `{origin: {filename}, texts: [{label, orig, text, prov: [{page_no, bbox,
//! charspan}]}]}`.
//!
//! Its `charspan` counts within the item's own text, so there are no offsets to read: a quote and a page. `orig` is the
//! text before docling cleaned it, and so the quote. Its labels say how a passage is laid out ("text", "list_item"),
//! not which field it answers: only labels that somebody mapped to a field are taken.
//!
//! Deliberately not here: its tables and its boxes.

use super::{Draft, Entry, Naming, Passage, text_of, within};
use serde_json::Value;

/// Reads one document.
pub fn read(document: &Value, place: &str, naming: &Naming, entries: &mut Vec<Entry>) {
    let mut refuse = |reason: &str| {
        entries.push(Entry {
            place: if place.is_empty() {
                "the file".to_owned()
            } else {
                place.to_owned()
            },
            draft: Err(reason.to_owned()),
        });
    };
    let Some(Value::Array(texts)) = document.get("texts") else {
        refuse("it has no list `texts`; write what docling's save_as_json writes");
        return;
    };
    if naming.fields.is_empty() {
        refuse("docling's labels name no fields; say --map LABEL=FIELD for those to take");
        return;
    }
    let name = document.get("origin").and_then(|origin| text_of(origin, "filename"));
    let name = name.or_else(|| text_of(document, "name"));
    for (number, item) in (0..).zip(texts) {
        let Some(label) = text_of(item, "label").filter(|label| naming.fields.contains_key(label)) else {
            continue;
        };
        let own = text_of(item, "text").filter(|text| !text.is_empty());
        let quote = text_of(item, "orig")
            .filter(|text| !text.is_empty())
            .or_else(|| own.clone());
        let draft = quote.ok_or_else(|| "it has no text".to_owned()).map(|quote| Draft {
            document: name.clone(),
            label,
            value: Value::String(own.unwrap_or_else(|| quote.clone())),
            passages: vec![Passage {
                quote: Some(quote),
                page: item
                    .get("prov")
                    .and_then(|places| places.get(0)?.get("page_no")?.as_i64()),
                ..Passage::default()
            }],
            ..Draft::default()
        });
        let place = within(place, &format!("texts/{number}"));
        entries.push(Entry { place, draft });
    }
}
