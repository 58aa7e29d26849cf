//! The rule by which a place holds a quote (§12 of the domain): equal under MatchFold; or at least 98 % similar, with the
//! same numbers, signs, units and negations.
//!
//! Similarity is 1 - d / (m + n): d the Indel distance (characters to leave out and to put in), m and n the lengths; the
//! measure that the 98 % were set on (rapidfuzz's `ratio`). It is taken without white space, bullets and what could not
//! be read, because extractors differ in these on every page; so text that differs in white space alone has a score of 1.
//! White space still counts where it carries meaning: numbers may be neither split nor merged.
//!
//! And what differs has to be what extractors do (`noise`): other words and other punctuation are another sentence.
//!
//! Deliberately not here: finding the places to compare.

use super::align::{Block, Budget, End, spell};
use super::critical::{Element, Spacing, negates, numbers, sequence};
use super::keyed::{Keyed, Part, part_of};
use super::noise::{Change, is_noise};
use crate::text::fold::{Unit, units_equal};
use std::ops::Range;

/// How alike a quote and a place have to be, where they are not equal.
pub const LEAST_SIMILARITY: f64 = 0.98;

/// How a place holds a quote.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Likeness {
    /// 0.98 to 1: the similarity. 1 also where only white space differs.
    pub score: f64,
    /// Whether they are equal under MatchFold.
    pub equal: bool,
}

/// The most differences with which a text can still be similar to `length` characters of a quote.
///
/// From d <= 0.02 (m + n) and n <= m + d: d <= 0.04 m / 0.98.
pub(super) const fn most_differences(length: usize) -> usize {
    length * 4 / 98
}

/// The similarity of texts of these lengths with so many differences.
fn similarity(differences: usize, lengths: usize) -> f64 {
    if lengths == 0 {
        0.0
    } else {
        1.0 - differences as f64 / lengths as f64
    }
}

/// A quote and a place in a text, each by its units and its characters of the key, and the equal runs of the two keys.
pub(super) struct Pair<'a> {
    pub quote: &'a Keyed,
    pub text: &'a Keyed,
    /// Units of the text.
    pub text_units: Range<usize>,
    /// Characters of the text's key.
    pub text_key: Range<usize>,
    /// Equal runs, counted in the whole keys.
    pub blocks: &'a [Block],
    /// Units that belong to the place without belonging to the quote (the rest of a ligature).
    pub outside: usize,
}

/// Whether, and how, a place holds a quote.
pub(super) fn compare(pair: &Pair<'_>) -> Option<Likeness> {
    let text_units = pair.text.folded.units().get(pair.text_units.clone())?;
    let beginning = Beginning::of(text_units);
    if beginning == Beginning::HyphenOfTheWordBefore {
        return None;
    }
    if pair.outside == 0 && units_equal(text_units, pair.quote.folded.units()) {
        return Some(Likeness {
            score: 1.0,
            equal: true,
        });
    }
    let sides = Sides::of(pair);
    let kept: usize = pair.blocks.iter().map(|block| block.length).sum();
    let quote_length = pair.quote.key.len();
    let text_length = pair.text_key.len();
    let differences = (quote_length - kept) + (text_length - kept) + sides.dashes_apart + pair.outside;
    let score = similarity(differences, quote_length + text_length + sides.dashes + pair.outside);
    let alike = score >= LEAST_SIMILARITY
        && !sides.negated
        && if differences == 0 {
            let of_quote = Beginning::of(pair.quote.folded.units());
            (of_quote == Beginning::Sign) == (beginning == Beginning::Sign) && sides.numbers_agree()
        } else {
            is_noise(&sides.quote, &sides.text, &sides.changes) && sides.critical_agree()
        };
    alike.then_some(Likeness { score, equal: false })
}

/// Compares a quote with a text that is to hold it and nothing else.
///
/// `None` is a mismatch; so is a text that would take too long to compare.
#[must_use]
pub fn quote_match(quote: &str, text: &str) -> Option<Likeness> {
    // Most quotes stand where they are cited, character for character. A letter or digit at the start is all that the long way asks of
    // such a pair: something to compare, and no hyphen that may belong to a word before.
    if quote == text && quote.chars().next().is_some_and(char::is_alphanumeric) {
        return Some(Likeness {
            score: 1.0,
            equal: true,
        });
    }
    compared(quote, text)
}

fn compared(quote: &str, text: &str) -> Option<Likeness> {
    let (quote, text) = (Keyed::of_text(quote), Keyed::of_text(text));
    if quote.key.is_empty() {
        return None;
    }
    let mut budget: Budget = 1 << 26;
    let most = most_differences(quote.key.len());
    let (_, blocks) = spell(
        quote.key.len(),
        text.key.len(),
        most,
        End::Fixed,
        &mut budget,
        |one, other| quote.key.get(one) == text.key.get(other),
    )?;
    compare(&Pair {
        quote: &quote,
        text: &text,
        text_units: 0..text.folded.len(),
        text_key: 0..text.key.len(),
        blocks: &blocks,
        outside: 0,
    })
}

/// Whose the dash is that a text may begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beginning {
    /// It is the sign of a first number.
    Sign,
    /// It stands at a line's end before the number: it belongs to the word before, and read alone it would be a sign.
    HyphenOfTheWordBefore,
    /// There is none, or no number after it.
    Other,
}

impl Beginning {
    /// What could not be read before a sign is no word about the sign.
    fn of(units: &[Unit]) -> Self {
        let says_nothing = |part: &Part| matches!(part, Part::Unread | Part::Nothing | Part::Space);
        let skipped = units.iter().take_while(|unit| says_nothing(&part_of(**unit))).count();
        let mut rest = units.get(skipped..).unwrap_or_default().iter();
        let dash = rest.next();
        let number = rest.map(|unit| part_of(*unit)).find(|part| *part != Part::Nothing);
        match (dash, number) {
            (Some(dash), Some(Part::Key(number))) if number.is_numeric() => match (dash, part_of(*dash)) {
                (Unit::Literal(_), Part::Dash) => Self::Sign,
                (Unit::Literal(_), _) => Self::Other,
                _ => Self::HyphenOfTheWordBefore,
            },
            _ => Self::Other,
        }
    }
}

/// Both texts, character by character, each with its own white space and the other's.
#[derive(Default)]
struct Sides {
    quote: Vec<Element>,
    text: Vec<Element>,
    /// Dashes of both.
    dashes: usize,
    /// Dashes that one has and the other has not.
    dashes_apart: usize,
    /// A word was made its opposite.
    negated: bool,
    /// What stands in one of them only, or in each of them something else.
    changes: Vec<Change>,
}

/// What stands between two characters that are equal in both texts.
struct Gap {
    parts: Vec<Part>,
    spaced: bool,
}

impl Gap {
    fn of(keyed: &Keyed, units: Range<usize>) -> Self {
        let parts: Vec<Part> = keyed.parts(units).collect();
        Self {
            spaced: parts.contains(&Part::Space),
            parts,
        }
    }

    fn count(&self, wanted: Part) -> usize {
        self.parts.iter().filter(|part| **part == wanted).count()
    }

    /// The characters of the gap, `maybe` of its line-end hyphens read as dashes; and whether white space ends it.
    fn elements(&self, mut maybe: usize, others_spaced: bool, into: &mut Vec<Element>) -> bool {
        let mut spaced = false;
        for part in &self.parts {
            let character = match part {
                Part::Key(character) => *character,
                Part::Dash => '-',
                Part::MaybeDash if maybe > 0 => {
                    maybe -= 1;
                    '-'
                }
                Part::MaybeDash | Part::Nothing => continue,
                Part::Space => {
                    spaced = true;
                    continue;
                }
                Part::Unread => '\u{fffd}',
            };
            into.push(Element {
                character,
                own_break: std::mem::take(&mut spaced),
                other_break: others_spaced,
            });
        }
        spaced
    }
}

impl Sides {
    fn of(pair: &Pair<'_>) -> Self {
        let length = pair.quote.key.len();
        let mut sides = Self {
            quote: Vec::with_capacity(length + length / 8),
            text: Vec::with_capacity(length + length / 8),
            ..Self::default()
        };
        let (mut quote_unit, mut text_unit) = (0, pair.text_units.start);
        for block in pair.blocks {
            for step in 0..block.length {
                let quote_next = pair.quote.unit_of(block.quote + step);
                let text_next = pair.text.unit_of(block.text + step);
                let character = pair.quote.key.get(block.quote + step).copied();
                sides.gap(pair, quote_unit..quote_next, text_unit..text_next, character);
                (quote_unit, text_unit) = (quote_next + 1, text_next + 1);
            }
        }
        sides.gap(
            pair,
            quote_unit..pair.quote.folded.len(),
            text_unit..pair.text_units.end,
            None,
        );
        sides
    }

    /// Adds a gap and the equal character after it.
    fn gap(&mut self, pair: &Pair<'_>, quote: Range<usize>, text: Range<usize>, equal: Option<char>) {
        let add = |elements: &mut Vec<Element>, own_break, other_break| {
            elements.extend(equal.map(|character| Element {
                character,
                own_break,
                other_break,
            }));
        };
        if quote.is_empty() && text.is_empty() {
            add(&mut self.quote, false, false);
            add(&mut self.text, false, false);
            return;
        }
        // A space in both, as between most words.
        let space = [Unit::Literal(' ')];
        if pair.quote.folded.units().get(quote.clone()) == Some(&space)
            && pair.text.folded.units().get(text.clone()) == Some(&space)
        {
            add(&mut self.quote, true, true);
            add(&mut self.text, true, true);
            return;
        }
        let quote = Gap::of(pair.quote, quote);
        let text = Gap::of(pair.text, text);
        let (quote_dashes, text_dashes) = (quote.count(Part::Dash), text.count(Part::Dash));
        let quote_maybe = text_dashes
            .saturating_sub(quote_dashes)
            .min(quote.count(Part::MaybeDash));
        let text_maybe = quote_dashes
            .saturating_sub(text_dashes)
            .min(text.count(Part::MaybeDash));
        self.dashes += quote_dashes + quote_maybe + text_dashes + text_maybe;
        self.dashes_apart += (quote_dashes + quote_maybe).abs_diff(text_dashes + text_maybe);
        let (quote_start, text_start) = (self.quote.len(), self.text.len());
        let quote_spaced = quote.elements(quote_maybe, text.spaced, &mut self.quote);
        let text_spaced = text.elements(text_maybe, quote.spaced, &mut self.text);
        let (quote_end, text_end) = (self.quote.len(), self.text.len());
        add(&mut self.quote, quote_spaced, text.spaced);
        add(&mut self.text, text_spaced, quote.spaced);
        if quote_start < quote_end || text_start < text_end {
            self.changes.push(Change {
                quote: quote_start..quote_end,
                text: text_start..text_end,
            });
        }
        for (elements, start, end) in [
            (&self.quote, quote_start, quote_end),
            (&self.text, text_start, text_end),
        ] {
            let before = start.checked_sub(1).and_then(|index| elements.get(index)).copied();
            let run = elements.get(start..end).unwrap_or_default();
            self.negated |= negates(before, run, elements.get(end).copied());
        }
    }

    /// Whether numbers are the same in the same order, where white space alone differs: neither split nor merged.
    fn numbers_agree(&self) -> bool {
        numbers(&self.quote, Spacing::Own) == numbers(&self.text, Spacing::Own)
    }

    /// Whether numbers, signs, units and negations are the same in the same order; also under each other's white space,
    /// so that a word that was put in is seen where one of the texts has lost its spaces.
    fn critical_agree(&self) -> bool {
        let quote = sequence(&self.quote, Spacing::Own);
        let as_others = |elements: &[Element]| {
            let one_spacing = elements.iter().all(|element| element.own_break == element.other_break);
            one_spacing || quote == sequence(elements, Spacing::Others)
        };
        // What a text's own spacing says is what the quote's own says, so each is held against the one.
        quote == sequence(&self.text, Spacing::Own) && as_others(&self.quote) && as_others(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_equal_character_for_character_is_equal_the_long_way(text in "[\\pL\\pN][\\PC\n\u{ad}\u{2}]{0,80}") {
            prop_assume!(text.chars().next().is_some_and(char::is_alphanumeric));
            let long = compared(&text, &text);
            prop_assert_eq!(long, quote_match(&text, &text), "{:?}", text);
            prop_assert!(long.is_some_and(|likeness| likeness.equal));
        }
    }
}
