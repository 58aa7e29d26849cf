//! Finding a quote again: in a layer it was not cut from, by another extractor's reading of it.
//!
//! Exact first: every place whose key (`keyed`) equals the quote's. Where there is none, near ones: a quote of m characters
//! that is similar enough differs in at most d of them, so of d + 1 pieces of it one stands unchanged; each place of a
//! piece is extended to both sides (`near`). Nothing that qualifies is missed, and the text is not read again for a quote.
//! Each place is then judged by one rule (`compare`). Exactly one has to qualify; text before and after may decide
//! between equals; a hint never does.
//!
//! Deliberately not here: choosing the better of two, and what a shift means (`sweep`).

mod align;
mod compare;
mod context;
mod critical;
mod exact;
mod grams;
mod keyed;
mod near;
mod noise;
#[cfg(test)]
mod tests;

pub use compare::{LEAST_SIMILARITY, Likeness, quote_match};

use crate::text::{CharSpan, Layer, MatchFolded, VerifyFolded};
use context::Context;
use grams::Grams;
use keyed::Keyed;
use std::cmp::Ordering;

/// How many places are named when there are more than one.
pub const PLACES_NAMED: usize = 16;

/// How many places are looked at for one quote; with more of them, context decides nothing.
const PLACES_CONSIDERED: usize = 4_096;

/// A layer folded and indexed once, for many quotes. About 30 bytes for each code point.
#[derive(Debug, Clone)]
pub struct FoldedLayer {
    text: Keyed,
    grams: Grams,
}

impl FoldedLayer {
    /// Folds a layer.
    #[must_use]
    pub fn new(layer: &Layer) -> Self {
        Self::of(MatchFolded::new(layer.characters()))
    }

    /// Folds a layer without some spans: glyphs drawn a second time over themselves; or running heads and feet, in which
    /// case a quote that goes on over a page break is whole. Offsets stay those of the layer.
    #[must_use]
    pub fn without(layer: &Layer, skipped: &[CharSpan]) -> Self {
        Self::of(MatchFolded::without(layer.characters(), skipped))
    }

    /// From a fold that is there already, with nothing to skip.
    pub(crate) fn of_verify_fold(folded: VerifyFolded) -> Self {
        Self::of(MatchFolded::of(folded))
    }

    fn of(folded: MatchFolded) -> Self {
        let text = Keyed::new(folded);
        let grams = Grams::new(&text.key);
        Self { text, grams }
    }

    /// The fold with its map.
    #[must_use]
    pub const fn folded(&self) -> &MatchFolded {
        &self.text.folded
    }
}

/// What is looked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Wanted<'a> {
    /// The quote.
    pub quote: &'a str,
    /// What stands directly before it, where that is known.
    pub prefix: Option<&'a str>,
    /// What stands directly after it.
    pub suffix: Option<&'a str>,
    /// Where it began in another layer: it gives the shift, and decides nothing.
    pub hint: Option<i64>,
}

/// A place that holds a quote.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// Where.
    pub span: CharSpan,
    /// 0.98 to 1: how alike they are ([`Likeness::score`]).
    pub score: f64,
    /// Whether they are equal under MatchFold.
    pub equal: bool,
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Located {
    /// Exactly one place qualifies.
    Found {
        /// The place.
        place: Place,
        /// Its start less the hint, where one was given.
        shift: Option<i64>,
    },
    /// More than one does: a person decides.
    Ambiguous {
        /// The first [`PLACES_NAMED`] of them.
        places: Vec<Place>,
        /// How many there are; at least so many, where the search ended before the text.
        count: usize,
    },
    /// None does.
    Lost,
}

/// Finds a quote in a layer.
#[must_use]
pub fn locate(layer: &FoldedLayer, wanted: &Wanted<'_>) -> Located {
    let quote = Keyed::of_text(wanted.quote);
    if quote.key.is_empty() {
        return Located::Lost;
    }
    let exact = exact::places(layer, &quote);
    let search = if exact.places.is_empty() && exact.complete {
        near::places(layer, &quote)
    } else {
        exact
    };
    settle(layer, wanted, &search)
}

/// A place with its characters of the key.
#[derive(Debug, Clone, Copy)]
struct Held {
    place: Place,
    key_start: usize,
    key_end: usize,
}

/// What a search found.
struct Search {
    /// In order of the text, each place once.
    places: Vec<Held>,
    /// Whether the whole text was looked at.
    complete: bool,
}

fn settle(layer: &FoldedLayer, wanted: &Wanted<'_>, search: &Search) -> Located {
    let found = |held: &Held| Located::Found {
        place: held.place,
        shift: wanted
            .hint
            .map(|hint| i64::from(held.place.span.start().0).saturating_sub(hint)),
    };
    match (search.places.as_slice(), search.complete) {
        ([], _) => Located::Lost,
        ([only], true) => found(only),
        (places, complete) => {
            let context = Context::new(wanted);
            let decided = if complete { context.decides(layer, places) } else { None };
            decided.map_or_else(
                || Located::Ambiguous {
                    places: places.iter().take(PLACES_NAMED).map(|held| held.place).collect(),
                    count: places.len(),
                },
                found,
            )
        }
    }
}

/// Places are in order of the text.
fn in_order(one: &Held, other: &Held) -> Ordering {
    (one.place.span.start(), one.place.span.end()).cmp(&(other.place.span.start(), other.place.span.end()))
}
