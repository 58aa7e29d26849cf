//! The layers beside a PDF's text, kept at ingest: the values in its form fields, the words of its annotations.
//!
//! Each is an extraction of its own, named by its rule and the library that read it, and never a default.
//!
//! Deliberately not here: what these layers hold (`pincite_core::text::beside`).

use crate::error::AppError;
use pincite_core::text::{Beside, Layer, PageDetail, annotation_words, field_values};
use pincite_store::Writing;
use pincite_store::documents::{LayerKind, NewExtraction};

/// The rules by which these layers are made; part of their extractors' names.
const FORM_RULE: &str = "pincite-form-1";
const ANNOTATIONS_RULE: &str = "pincite-annotations-1";

/// Keeps the layers that there are. `extractor` is the text's; `pages` the JSON of its pages.
///
/// # Errors
/// The store; more words than a layer holds.
pub(crate) async fn keep(
    write: &mut Writing,
    doc_sha256: &str,
    extractor: &str,
    details: &[PageDetail],
    pages: &[u8],
) -> Result<(), AppError> {
    let found = [
        (LayerKind::Form, FORM_RULE, field_values(details)),
        (LayerKind::Annotations, ANNOTATIONS_RULE, annotation_words(details)),
    ];
    for (kind, rule, beside) in found {
        let Some(Beside { text, boxes }) = beside else { continue };
        let layer = Layer::new(&text).map_err(|error| AppError::bad_input(error.to_string()))?;
        let length = |length: usize| i64::try_from(length).unwrap_or(i64::MAX);
        let new = NewExtraction {
            extractor: &named(rule, extractor),
            layer_sha256: layer.sha256(),
            text: text.as_bytes(),
            chars: length(layer.len()),
            boxes: &boxes.to_bytes(),
            boxed: length(boxes.boxed()),
            pages,
            kind,
            details: &[],
        };
        write.add_extraction(doc_sha256, &new).await?;
    }
    Ok(())
}

/// The text extractor's name with another rule in the place of its own.
fn named(rule: &str, extractor: &str) -> String {
    match extractor.split_once(';') {
        Some((_, rest)) => format!("{rule};{rest}"),
        None => rule.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layer_beside_the_text_is_named_by_its_rule_and_the_library() {
        assert_eq!(
            named(FORM_RULE, "pincite-layer-2; pdfium sha256:c76dc0f7839644bf; fonts none"),
            "pincite-form-1; pdfium sha256:c76dc0f7839644bf; fonts none"
        );
    }
}
