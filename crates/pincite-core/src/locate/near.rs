//! The places that are similar to the quote and not the same.
//!
//! A quote that may differ in d characters is cut into d + 1 pieces. A difference spoils one piece at most, so a place
//! that qualifies has a piece unchanged, on the very diagonal of its best alignment. Each place of a piece is extended to
//! both sides with as few differences as it takes (`align`), which finds that alignment: nothing is missed.
//!
//! A text that repeats itself without end could make this long. The work is bounded; where the bound is met, nothing is
//! ever called the only place.
//!
//! Deliberately not here: the rule (`compare`).

use super::align::{Block, Budget, End, spell};
use super::compare::most_differences;
use super::exact::{Edges, judge};
use super::keyed::Keyed;
use super::{FoldedLayer, Held, PLACES_CONSIDERED, Search, in_order};

/// Steps that one search may take: some tenths of a second.
const WORK: Budget = 1 << 25;

/// How many equal runs are remembered, so that their other pieces need not be extended again.
const RUNS_REMEMBERED: usize = 64;

/// A place with the alignment that it came from.
struct Aligned {
    held: Held,
    blocks: Vec<Block>,
}

/// Finds them, in order.
pub(super) fn places(layer: &FoldedLayer, quote: &Keyed) -> Search {
    let most = most_differences(quote.key.len());
    let mut found: Vec<Aligned> = Vec::new();
    let mut budget = WORK;
    if most == 0 {
        return Search {
            places: Vec::new(),
            complete: true,
        };
    }
    let edges = Edges::of(quote);
    let text = &layer.text;
    let mut pieces: Vec<_> = pieces(quote, most)
        .map(|piece| {
            let candidates = layer.grams.candidates(&text.key, piece_of(quote, &piece));
            (candidates.count_of_all(), piece, candidates)
        })
        .collect();
    // The rarest first: a place that is known need not be found again through a frequent piece.
    pieces.sort_by_key(|(count, ..)| *count);
    let mut judged = 0;
    let mut tried: Vec<Block> = Vec::new();
    'pieces: for (_, piece, candidates) in pieces {
        let needle = piece_of(quote, &piece);
        for at in candidates {
            if budget == 0 || judged == PLACES_CONSIDERED {
                break 'pieces;
            }
            budget = budget.saturating_sub(1 + found.len() + tried.len());
            let has = |block: &Block| holds(block, piece.start, at);
            if text.key.get(at..at + needle.len()) != Some(needle)
                || tried.iter().any(has)
                || found.iter().any(|aligned| aligned.blocks.iter().any(has))
            {
                continue;
            }
            let run = run_around(quote, text, &piece, at);
            // Any piece of a run leads to one alignment: each goes to the run's ends at no cost.
            if run.length > needle.len() + 1 && tried.len() < RUNS_REMEMBERED {
                tried.push(run);
            }
            let Some((key, blocks)) = extend(quote, text, &piece, at, most, &mut budget) else {
                continue;
            };
            judged += 1;
            if let Some(held) = judge(text, quote, edges, key, &blocks) {
                keep(&mut found, Aligned { held, blocks });
            }
        }
    }
    let mut places: Vec<Held> = found
        .into_iter()
        .map(|aligned| aligned.held)
        .filter(|held| holds_by_itself(layer, quote, edges, most, held, &mut budget))
        .collect();
    places.sort_by(in_order);
    Search {
        places,
        complete: budget > 0 && judged < PLACES_CONSIDERED,
    }
}

/// Whether a place also holds the quote when the two are aligned from end to end, as whoever checks it later does. Text that
/// repeats itself has several alignments at the same cost, and a piece may have led to the one that is kinder.
fn holds_by_itself(
    layer: &FoldedLayer,
    quote: &Keyed,
    edges: Edges,
    most: usize,
    held: &Held,
    budget: &mut Budget,
) -> bool {
    let text = &layer.text;
    let key = held.key_start..held.key_end;
    let Some(there) = text.key.get(key.clone()) else {
        return false;
    };
    let aligned = spell(quote.key.len(), there.len(), most, End::Fixed, budget, |one, other| {
        quote.key.get(one) == there.get(other)
    });
    let blocks = aligned.map(|(_, blocks)| {
        let moved = |block: Block| Block {
            text: block.text + key.start,
            ..block
        };
        blocks.into_iter().map(moved).collect::<Vec<Block>>()
    });
    blocks.is_some_and(|blocks| judge(text, quote, edges, key, &blocks).is_some())
}

fn piece_of<'a>(quote: &'a Keyed, piece: &std::ops::Range<usize>) -> &'a [char] {
    quote.key.get(piece.clone()).unwrap_or_default()
}

/// One piece more than there may be differences, of about one length.
fn pieces(quote: &Keyed, most: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    let length = quote.key.len();
    let count = most + 1;
    (0..count).map(move |number| length * number / count..length * (number + 1) / count)
}

/// Whether a run has this character of the quote at this character of the text.
fn holds(run: &Block, quote: usize, text: usize) -> bool {
    quote
        .checked_sub(run.quote)
        .is_some_and(|step| step < run.length && run.text + step == text)
}

/// The longest equal run that holds a piece at `at`.
fn run_around(quote: &Keyed, text: &Keyed, piece: &std::ops::Range<usize>, at: usize) -> Block {
    fn alike<'a>(one: impl Iterator<Item = &'a char>, other: impl Iterator<Item = &'a char>) -> usize {
        one.zip(other).take_while(|(one, other)| one == other).count()
    }
    let end = at + piece.len();
    let before = match (quote.key.get(..piece.start), text.key.get(..at)) {
        (Some(quote), Some(text)) => alike(quote.iter().rev(), text.iter().rev()),
        _ => 0,
    };
    let after = match (quote.key.get(piece.end..), text.key.get(end..)) {
        (Some(quote), Some(text)) => alike(quote.iter(), text.iter()),
        _ => 0,
    };
    Block {
        quote: piece.start - before,
        text: at - before,
        length: before + piece.len() + after,
    }
}

/// From a piece at `at` to the whole quote: the range of the text's key, and the equal runs.
fn extend(
    quote: &Keyed,
    text: &Keyed,
    piece: &std::ops::Range<usize>,
    at: usize,
    most: usize,
    budget: &mut Budget,
) -> Option<(std::ops::Range<usize>, Vec<Block>)> {
    let end = at + piece.len();
    let (quote_after, text_after) = (quote.key.get(piece.end..)?, text.key.get(end..)?);
    let (after_cost, after) = spell(
        quote_after.len(),
        text_after.len(),
        most,
        End::Free,
        budget,
        |one, other| quote_after.get(one) == text_after.get(other),
    )?;
    let (quote_before, text_before) = (quote.key.get(..piece.start)?, text.key.get(..at)?);
    let left = most - after_cost;
    let (_, before) = spell(
        quote_before.len(),
        text_before.len(),
        left,
        End::Free,
        budget,
        |one, other| quote_before.iter().nth_back(one) == text_before.iter().nth_back(other),
    )?;
    let mut blocks: Vec<Block> = before
        .iter()
        .rev()
        .map(|block| Block {
            quote: piece.start - block.quote - block.length,
            text: at - block.text - block.length,
            length: block.length,
        })
        .collect();
    push(
        &mut blocks,
        Block {
            quote: piece.start,
            text: at,
            length: piece.len(),
        },
    );
    for block in after {
        push(
            &mut blocks,
            Block {
                quote: piece.end + block.quote,
                text: end + block.text,
                length: block.length,
            },
        );
    }
    // A quote whose first or last character is not there may hide a word there that the text has and the quote has not.
    let (first, last) = (*blocks.first()?, *blocks.last()?);
    let whole = first.quote == 0 && last.quote + last.length == quote.key.len();
    whole.then_some((first.text..last.text + last.length, blocks))
}

/// Adds a run, joined to the last one where it goes on from it.
fn push(blocks: &mut Vec<Block>, block: Block) {
    match blocks.last_mut() {
        Some(last) if last.quote + last.length == block.quote && last.text + last.length == block.text => {
            last.length += block.length;
        }
        _ => blocks.push(block),
    }
}

/// Adds a place, unless it is one that is there: two alignments with an equal character in common are one place, and the
/// better alignment stands for it.
fn keep(found: &mut Vec<Aligned>, new: Aligned) {
    let same = found.iter_mut().find(|old| {
        new.blocks.iter().any(|block| {
            old.blocks.iter().any(|other| {
                let diagonal = |block: &Block| block.text.cast_signed() - block.quote.cast_signed();
                diagonal(block) == diagonal(other)
                    && block.quote < other.quote + other.length
                    && other.quote < block.quote + block.length
            })
        })
    });
    match same {
        Some(old) => {
            if new.held.place.score > old.held.place.score {
                *old = new;
            }
        }
        None => found.push(new),
    }
}
