//! Carriage: where a citation's quote stands in the default layer of the same bytes.
//!
//! Another question than integrity: a citation into another program's reading may verify there and be carried into ours; one
//! that fails in ours may have drifted. It is answered under the rule of relocation, so exactly one place has to qualify.
//!
//! Deliberately not here: other bytes (that is standing), and moving anything: the old offsets stay.

use super::model::Citation;
use super::place::{LayerIndex, Placement};
use super::verify::span_in;
use crate::locate::{Wanted, quote_match};
use crate::text::{CharSpan, Layer};

/// How many code points before and after a span tell it from its like.
const CONTEXT: usize = 64;

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Carriage {
    /// The quote stands where the citation says.
    Same,
    /// It stands at one other place.
    Drifted {
        /// Where.
        span: CharSpan,
        /// Its start less the cited one, in code points.
        shift: i64,
    },
    /// It stands at more than one place, and nothing tells them apart.
    Ambiguous,
    /// It stands nowhere.
    Lost,
}

/// Carries a citation into the default layer of its bytes. `cited` is the layer that its offsets count in, where that is
/// known; `default` and `index` are the default layer and its fold, which is asked for only where the quote does not stand where
/// it should.
///
/// `None` where there is nothing to carry: no offsets, or no quote.
#[must_use]
pub fn carry<'a>(
    citation: &Citation,
    cited: Option<&Layer>,
    default: &Layer,
    index: impl FnOnce() -> &'a LayerIndex,
) -> Option<Carriage> {
    let start = citation.char_start?;
    let span = cited.and_then(|layer| span_in(layer, start, citation.char_end?));
    let same_layer = cited.is_some_and(|layer| layer.sha256() == default.sha256());
    if let Some(span) = span.filter(|_| same_layer)
        && let Some(text) = default.slice(span)
        && quote_match(&citation.quote, &text).is_some()
    {
        return Some(Carriage::Same);
    }
    // A span of another reading says what stands around it, if the quote really stands there.
    let around = cited.zip(span).filter(|(layer, span)| {
        let text = layer.slice(*span);
        !same_layer && text.is_some_and(|text| quote_match(&citation.quote, &text).is_some())
    });
    let (before, after) = around.map(|(layer, span)| context(layer, span)).unzip();
    let wanted = Wanted {
        quote: &citation.quote,
        prefix: citation.prefix.as_deref().or(before.as_deref()),
        suffix: citation.suffix.as_deref().or(after.as_deref()),
        hint: Some(start),
    };
    Some(match index().place(&wanted) {
        Placement::NotFound => Carriage::Lost,
        Placement::Ambiguous(_) => Carriage::Ambiguous,
        Placement::Placed(found) if Some(found) == span => Carriage::Same,
        Placement::Placed(found) => Carriage::Drifted {
            span: found,
            shift: i64::from(found.start().0).saturating_sub(start),
        },
    })
}

fn context(layer: &Layer, span: CharSpan) -> (String, String) {
    let (start, end) = (span.start().index(), span.end().index());
    let slice = |from: usize, to: usize| layer.slice(CharSpan::of_indices(from, to)).unwrap_or_default();
    (
        slice(start.saturating_sub(CONTEXT), start),
        slice(end, (end + CONTEXT).min(layer.len())),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn carried(cited: &str, default: &str, quote: &str, start: i64) -> Option<Carriage> {
        let layer = |text: &str| Layer::new(text).unwrap_or_else(|error| unreachable!("{error}"));
        let (cited, default) = (layer(cited), layer(default));
        let citation = Citation {
            char_start: Some(start),
            char_end: Some(start + i64::try_from(quote.chars().count()).unwrap_or(i64::MAX)),
            quote: quote.to_owned(),
            ..Citation::default()
        };
        let index = LayerIndex::new(&default, &[]);
        carry(&citation, Some(&cited), &default, || &index)
    }

    #[test]
    fn a_citation_is_carried_to_one_place_or_to_a_person() {
        let ours = "Head\nKeep for 5 years. Then shred.\nKeep for 7 years. Then burn.\n";
        let theirs = "Keep for 5 years. Then shred. Keep for 7 years. Then burn.";
        let drifted = |start: usize, end: usize, shift| {
            Some(Carriage::Drifted {
                span: CharSpan::of_indices(start, end),
                shift,
            })
        };
        assert_eq!(carried(ours, ours, "Keep for 5 years", 5), Some(Carriage::Same));
        assert_eq!(carried(theirs, ours, "Keep for 5 years", 0), drifted(5, 21, 5));
        // The wrong place in our own layer: the quote has drifted.
        assert_eq!(carried(ours, ours, "for 7 years", 10), drifted(40, 51, 30));
        // Twice in ours; what stands around it in theirs decides.
        assert_eq!(carried(theirs, ours, "Then", 18), drifted(23, 27, 5));
        assert_eq!(carried(ours, ours, "Then", 0), Some(Carriage::Ambiguous));
        assert_eq!(carried(theirs, ours, "Keep for 6 years", 0), Some(Carriage::Lost));
    }
}
