//! Locating: whatever the text and the quote, the answer keeps the rule. A place that is found holds what was looked for,
//! a quote cut from the text is never lost, and two like places are never one.
//!
//! Deliberately not here: how often a quote of another extractor is found (tests/journeys/corpus_locate).

#![no_main]

use libfuzzer_sys::fuzz_target;
use pincite_core::locate::{FoldedLayer, Located, Wanted, locate, quote_match};
use pincite_core::text::{CharSpan, Layer, match_fold};
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};

fuzz_target!(|input: (String, String, u16, u16)| {
    let (text, quote, start, length) = input;
    let Ok(layer) = Layer::new(&text) else { return };
    let folded = FoldedLayer::new(&layer);
    let wanted = |quote| Wanted { quote, ..Wanted::default() };
    if let Located::Found { place, .. } = locate(&folded, &wanted(&quote)) {
        let there = layer.slice(place.span).expect("a place lies in the text");
        assert!(!place.span.is_empty() && (0.98..=1.0).contains(&place.score));
        assert!(place.equal || quote_match(&quote, &there).is_some());
    }
    // A quote of the text itself.
    let start = usize::from(start) % layer.len().max(1);
    let span = CharSpan::of_indices(start, (start + usize::from(length)).min(layer.len()));
    let own = layer.slice(span).expect("a span of the text");
    // One that begins with a hyphen from a line's end reads as a sign by itself, and one that is cut between a letter and its
    // marks has another letter: a person decides.
    let begins = own.chars().next().and_then(|first| first.nfkd().next());
    let begins = begins.is_some_and(|first| first.is_alphanumeric() && !is_combining_mark(first));
    let after = layer.characters().get(span.end().index());
    let ends = after.is_none_or(|after| !after.nfkd().any(is_combining_mark) || after.is_alphanumeric() && !is_combining_mark(*after));
    if begins && ends && match_fold(&own).chars().any(char::is_alphanumeric) {
        assert!(!matches!(locate(&folded, &wanted(&own)), Located::Lost), "a quote of the text itself is lost: {own:?}");
    }
    // The same text twice: nothing is found once that was there before.
    if let Ok(twice) = Layer::new(&format!("{text}\n\n{text}"))
        && let Located::Found { place, .. } = locate(&FoldedLayer::new(&twice), &wanted(&own))
    {
        // Only where the seam itself makes the quote.
        assert!(place.span.end().index() > layer.len() && place.span.start().index() < layer.len() + 2);
    }
});
