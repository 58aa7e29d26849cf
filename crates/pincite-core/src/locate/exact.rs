//! The places whose key is the quote's.
//!
//! Deliberately not here: anything nearly so.

use super::align::Block;
use super::compare::{Pair, compare};
use super::keyed::{Keyed, Part};
use super::{FoldedLayer, Held, PLACES_CONSIDERED, Place, Search};

/// Finds them, in order. Overlapping places are places.
pub(super) fn places(layer: &FoldedLayer, quote: &Keyed) -> Search {
    let text = &layer.text;
    let edges = Edges::of(quote);
    let mut found = Search {
        places: Vec::new(),
        complete: true,
    };
    let mut judged = 0;
    for start in layer.grams.candidates(&text.key, &quote.key) {
        let end = start + quote.key.len();
        if text.key.get(start..end) != Some(quote.key.as_slice()) {
            continue;
        }
        // So many places cost more than they can tell.
        if judged == PLACES_CONSIDERED {
            found.complete = false;
            break;
        }
        judged += 1;
        let whole = [Block {
            quote: 0,
            text: start,
            length: quote.key.len(),
        }];
        found.places.extend(judge(text, quote, edges, start..end, &whole));
    }
    found
}

/// How many dashes a quote begins and ends with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edges {
    before: usize,
    after: usize,
}

impl Edges {
    pub(super) fn of(quote: &Keyed) -> Self {
        fn dashes(parts: impl Iterator<Item = Part>) -> usize {
            let before_key = parts.take_while(|part| !matches!(part, Part::Key(_)));
            before_key
                .filter(|part| matches!(part, Part::Dash | Part::MaybeDash))
                .count()
        }
        Self {
            before: dashes(quote.parts(0..quote.folded.len())),
            after: dashes(quote.parts(0..quote.folded.len()).rev()),
        }
    }
}

/// The place of a range of the key, where it holds the quote.
pub(super) fn judge(
    text: &Keyed,
    quote: &Keyed,
    edges: Edges,
    key: std::ops::Range<usize>,
    blocks: &[Block],
) -> Option<Held> {
    let units = text.units_with_dashes(key.clone(), edges.before, edges.after);
    let (span, outside) = text.source_of(units.clone())?;
    let likeness = compare(&Pair {
        quote,
        text,
        text_units: units,
        text_key: key.clone(),
        blocks,
        outside,
    })?;
    Some(Held {
        place: Place {
            span,
            score: likeness.score,
            equal: likeness.equal,
        },
        key_start: key.start,
        key_end: key.end,
    })
}
