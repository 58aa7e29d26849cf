//! How one text becomes another: the fewest characters to leave out and put in, found along furthest-reaching diagonals.
//!
//! E. W. Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1 (1986). The number of differences is
//! the Indel distance, which is what similarity is defined on; the cost grows with it and not with the product of the
//! lengths.
//!
//! Deliberately not here: what a difference means, and where to begin.

/// A run of equal characters in two texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    /// Where it begins in the quote.
    pub quote: usize,
    /// Where it begins in the text.
    pub text: usize,
    /// How many characters.
    pub length: usize,
}

/// Which end of the text is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// All of both is spelled.
    Fixed,
    /// All of the quote is spelled by some beginning of the text.
    Free,
}

/// What is left of the work that one search may cost, in steps along diagonals.
pub(super) type Budget = usize;

/// Spells a quote of `quote_length` characters at the beginning of a text of `text_length`, with at most `most`
/// differences: how many it took, and the equal runs in order. `same` compares the quote's character with the text's.
///
/// `None` where it takes more, or the budget ends.
pub(super) fn spell(
    quote_length: usize,
    text_length: usize,
    most: usize,
    end: End,
    budget: &mut Budget,
    same: impl Fn(usize, usize) -> bool,
) -> Option<(usize, Vec<Block>)> {
    // Rows of furthest quote positions, one for each number of differences; row d has diagonals -d to d at d².
    let mut rows: Vec<u32> = Vec::new();
    for cost in 0..=most {
        let row_start = rows.len();
        let mut best: Option<isize> = None;
        for diagonal in -(cost.cast_signed())..=cost.cast_signed() {
            let from = before(&rows, cost, diagonal, quote_length, text_length);
            let reached = from.map(|from| {
                let mut quote = from;
                // `from` lies inside the text on this diagonal, or `before` would not have given it.
                let mut text = quote.checked_add_signed(diagonal).unwrap_or(text_length);
                while quote < quote_length && text < text_length && same(quote, text) {
                    quote += 1;
                    text += 1;
                }
                *budget = budget.saturating_sub(quote - from + 1);
                if quote == quote_length
                    && (end == End::Free || text == text_length)
                    && best.is_none_or(|other| diagonal.unsigned_abs() < other.unsigned_abs())
                {
                    best = Some(diagonal);
                }
                quote
            });
            rows.push(reached.and_then(|quote| u32::try_from(quote).ok()).unwrap_or(u32::MAX));
        }
        debug_assert_eq!(row_start, cost * cost);
        if let Some(diagonal) = best {
            return Some((cost, blocks(&rows, cost, diagonal, quote_length, text_length)));
        }
        if *budget == 0 {
            return None;
        }
    }
    None
}

/// The furthest quote position that `cost` differences and nothing further reach on a diagonal; the last difference
/// leaves a character of the quote out, or puts one of the text in.
fn before(rows: &[u32], cost: usize, diagonal: isize, quote_length: usize, text_length: usize) -> Option<usize> {
    if cost == 0 {
        return Some(0);
    }
    let put_in = reached(rows, cost - 1, diagonal - 1);
    let left_out = reached(rows, cost - 1, diagonal + 1).map(|quote| quote + 1);
    [put_in, left_out]
        .into_iter()
        .flatten()
        .filter(|quote| *quote <= quote_length)
        .filter(|quote| {
            quote
                .checked_add_signed(diagonal)
                .is_some_and(|text| text <= text_length)
        })
        .max()
}

fn reached(rows: &[u32], cost: usize, diagonal: isize) -> Option<usize> {
    if diagonal.unsigned_abs() > cost {
        return None;
    }
    let column = diagonal.checked_add_unsigned(cost)?.unsigned_abs();
    let quote = *rows.get(cost * cost + column)?;
    (quote != u32::MAX).then_some(quote as usize)
}

/// The equal runs on the way to where `cost` differences ended.
fn blocks(rows: &[u32], mut cost: usize, mut diagonal: isize, quote_length: usize, text_length: usize) -> Vec<Block> {
    let mut blocks = Vec::new();
    while let Some(to) = reached(rows, cost, diagonal) {
        let from = before(rows, cost, diagonal, quote_length, text_length).unwrap_or(to);
        if to > from {
            blocks.push(Block {
                quote: from,
                text: from.saturating_add_signed(diagonal),
                length: to - from,
            });
        }
        if cost == 0 {
            break;
        }
        let put_in = reached(rows, cost - 1, diagonal - 1);
        diagonal += if put_in == Some(from) { -1 } else { 1 };
        cost -= 1;
    }
    blocks.reverse();
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn run(quote: &[u8], text: &[u8], most: usize, end: End) -> Option<(usize, Vec<Block>)> {
        let mut budget = usize::MAX;
        spell(quote.len(), text.len(), most, end, &mut budget, |one, other| {
            quote[one] == text[other]
        })
    }

    /// The distance by the plain table.
    fn plain(quote: &[u8], text: &[u8], end: End) -> usize {
        let mut row: Vec<usize> = (0..=text.len()).collect();
        for (index, character) in quote.iter().enumerate() {
            let mut next = vec![index + 1];
            for column in 0..text.len() {
                let cheapest = (row[column + 1] + 1).min(next[column] + 1);
                next.push(if text[column] == *character {
                    cheapest.min(row[column])
                } else {
                    cheapest
                });
            }
            row = next;
        }
        match end {
            End::Fixed => row[text.len()],
            End::Free => row.into_iter().min().unwrap_or(0),
        }
    }

    proptest! {
        #[test]
        fn it_is_the_indel_distance(quote in "[ab]{0,14}", text in "[ab]{0,14}", free: bool) {
            let (quote, text) = (quote.as_bytes(), text.as_bytes());
            let end = if free { End::Free } else { End::Fixed };
            let expected = plain(quote, text, end);
            let got = run(quote, text, 40, end);
            prop_assert_eq!(got.as_ref().map(|(cost, _)| *cost), Some(expected));
            if expected > 0 {
                prop_assert_eq!(run(quote, text, expected - 1, end), None);
            }
            // The blocks are equal runs, in order, and what is outside of them is what it cost.
            let (cost, blocks) = got.unwrap_or_default();
            let (mut quote_at, mut text_at, mut kept) = (0, 0, 0);
            for block in &blocks {
                prop_assert!(block.quote >= quote_at && block.text >= text_at && block.length > 0);
                prop_assert_eq!(&quote[block.quote..block.quote + block.length], &text[block.text..block.text + block.length]);
                (quote_at, text_at) = (block.quote + block.length, block.text + block.length);
                kept += block.length;
            }
            let text_used = if free { quote.len() + cost - 2 * (quote.len() - kept) } else { text.len() };
            prop_assert_eq!(quote.len() + text_used - 2 * kept, cost);
            prop_assert!(text_used >= text_at && text_used <= text.len());
        }
    }
}
