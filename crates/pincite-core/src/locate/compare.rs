//! The rule by which a place holds a quote (§12 of the domain): equal under MatchFold; or at least 98 % similar, with the
//! same numbers, signs, units and negations.
//!
//! Similarity is 1 - d / (m + n): d the Indel distance (characters to leave out and to put in), m and n the lengths; the
//! measure that the 98 % were set on (rapidfuzz's `ratio`). It is taken without white space, bullets and what could not
//! be read, because extractors differ in these on every page; so text that differs in white space alone has a score of 1.
//! White space still counts where it carries meaning: numbers may be neither split nor merged.
//!
//! Deliberately not here: finding the places to compare.

use super::align::{Block, Budget, End, spell};
use super::critical::{Element, Spacing, negates, numbers, sequence};
use super::keyed::{Keyed, Part};
use crate::text::fold::{Unit, units_equal};
use std::ops::Range;

/// How alike a quote and a place have to be, where they are not equal.
pub const LEAST_SIMILARITY: f64 = 0.98;

/// Up to so many letters a word with other letters is another word.
const SHORT_WORD: usize = 5;

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
    if let [first, Unit::Literal(number), ..] = text_units
        && !matches!(first, Unit::Literal(_))
        && number.is_numeric()
    {
        // The hyphen belongs to the word before it: read alone it would be a sign.
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
        && !sides.short_word_replaced()
        && sides.critical_agree(differences > 0);
    alike.then_some(Likeness { score, equal: false })
}

/// Compares a quote with a text that is to hold it and nothing else.
///
/// `None` is a mismatch; so is a text that would take too long to compare.
#[must_use]
pub fn quote_match(quote: &str, text: &str) -> Option<Likeness> {
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

/// Whether the first character that could be read is the sign of a number.
fn begins_with_sign(elements: &[Element]) -> bool {
    let unread = elements
        .iter()
        .take_while(|element| element.character == char::REPLACEMENT_CHARACTER)
        .count();
    matches!(elements.get(unread..).unwrap_or_default(), [dash, number, ..] if dash.character == '-' && number.character.is_numeric() && !number.own_break)
}

/// How long the word is that holds a run of its letters.
fn word_around(elements: &[Element], run: &Range<usize>) -> usize {
    let (before, after) = (elements.get(..run.start), elements.get(run.end..));
    let mut breaks = elements.get(run.start).is_some_and(|element| element.own_break);
    let left =
        before.unwrap_or_default().iter().rev().take_while(|element| {
            !std::mem::replace(&mut breaks, element.own_break) && element.character.is_alphabetic()
        });
    let right = after.unwrap_or_default().iter();
    let right = right.take_while(|element| !element.own_break && element.character.is_alphabetic());
    left.count() + run.len() + right.count()
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
    /// Where letters of one stand for other letters of the other: their elements in the quote and in the text.
    replaced: Vec<(Range<usize>, Range<usize>)>,
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
        let mut sides = Self::default();
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
        let letters = |elements: &[Element], range: Range<usize>| {
            elements
                .get(range)
                .is_some_and(|run| run.iter().any(|element| element.character.is_alphabetic()))
        };
        if letters(&self.quote, quote_start..quote_end) && letters(&self.text, text_start..text_end) {
            self.replaced.push((quote_start..quote_end, text_start..text_end));
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

    /// Whether a word as short as an abbreviation has other letters in the other text. Extractors lose letters and double
    /// them; HeFH for HoFH, "may" for "can" is another word.
    fn short_word_replaced(&self) -> bool {
        let short = |elements: &[Element], run: &Range<usize>| word_around(elements, run) <= SHORT_WORD;
        let mut replaced = self.replaced.iter();
        replaced.any(|(quote, text)| short(&self.quote, quote) || short(&self.text, text))
    }

    /// Whether numbers, signs, units and negations are the same in the same order: where white space alone differs, that
    /// numbers are neither split nor merged, and that no hyphen at a line's end becomes the sign of a quote's first number. Elsewhere also under each other's white space, so that a word that was put in
    /// is seen where one of the texts has lost its spaces.
    fn critical_agree(&self, differ: bool) -> bool {
        if !differ {
            return numbers(&self.quote, Spacing::Own) == numbers(&self.text, Spacing::Own)
                && begins_with_sign(&self.quote) == begins_with_sign(&self.text);
        }
        let quote = sequence(&self.quote, Spacing::Own);
        let text = sequence(&self.text, Spacing::Own);
        quote == text
            && quote == sequence(&self.text, Spacing::Others)
            && text == sequence(&self.quote, Spacing::Others)
    }
}
