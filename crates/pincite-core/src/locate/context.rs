//! What stands before and after: it may decide between places that hold a quote equally.
//!
//! A place agrees when the whole of the given prefix stands directly before it and the whole of the suffix directly after
//! it, compared on the key. Exactly one has to agree. There is no "agrees more": that would be the better of two equals.
//!
//! Deliberately not here: the hint.

use super::keyed::Keyed;
use super::{FoldedLayer, Held, Wanted};

/// Given text around a quote; empty where none was given.
pub(super) struct Context {
    before: Vec<char>,
    after: Vec<char>,
}

impl Context {
    pub(super) fn new(wanted: &Wanted<'_>) -> Self {
        let key = |text: Option<&str>| text.map(|text| Keyed::of_text(text).key).unwrap_or_default();
        Self {
            before: key(wanted.prefix),
            after: key(wanted.suffix),
        }
    }

    /// The one place that agrees.
    pub(super) fn decides<'a>(&self, layer: &FoldedLayer, places: &'a [Held]) -> Option<&'a Held> {
        if self.before.is_empty() && self.after.is_empty() {
            return None;
        }
        let key = &layer.text.key;
        let agrees = |held: &&Held| {
            key.get(..held.key_start)
                .is_some_and(|before| before.ends_with(&self.before))
                && key
                    .get(held.key_end..)
                    .is_some_and(|after| after.starts_with(&self.after))
        };
        let mut agreeing = places.iter().filter(agrees);
        match (agreeing.next(), agreeing.next()) {
            (only, None) => only,
            _ => None,
        }
    }
}
