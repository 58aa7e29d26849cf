//! Whether what differs between a quote and a place is what extractors do to one text, or makes it another sentence.
//!
//! Extractors lose a letter inside a word (a ligature without a code point, a glyph without a name), tell two letters for
//! one, set an accent apart from its letter, give up on a glyph, draw a bullet as a letter. They do not put in words,
//! leave them out, inflect them, or punctuate: who finds that has found a sibling of the sentence (a second label, an
//! earlier paragraph), which is not the quote.
//!
//! Deliberately not here: numbers, signs, units and negations (`critical`), dashes and white space (`compare`).

use super::critical::{Element, is_mark_of_a_letter};
use std::ops::Range;
use unicode_normalization::UnicodeNormalization as _;

/// Up to so many letters a word with other letters is another word: HeFH for HoFH, "may" for "can", "were" for "where".
const SHORT_WORD: usize = 5;
/// One glyph holds at most so many letters (ffi).
const LETTERS_OF_A_GLYPH: usize = 3;

/// What stands between two characters that are equal in both texts: its elements in the quote and in the text.
#[derive(Debug, Clone)]
pub(super) struct Change {
    pub quote: Range<usize>,
    pub text: Range<usize>,
}

/// Whether all changes are what extractors do.
pub(super) fn is_noise(quote: &[Element], text: &[Element], changes: &[Change]) -> bool {
    changes.iter().all(|change| {
        let (quote, text) = (Run::new(quote, &change.quote), Run::new(text, &change.text));
        quote.punctuation_is_that_of(&text) && quote.letters_may_be(&text)
    }) && !changes.windows(2).any(|pair| swapped(quote, text, pair))
}

/// A change in one of the texts.
struct Run<'a> {
    elements: &'a [Element],
    range: Range<usize>,
    letters: String,
}

impl<'a> Run<'a> {
    fn new(elements: &'a [Element], range: &Range<usize>) -> Self {
        let within = elements.get(range.clone()).unwrap_or_default().iter();
        Self {
            elements,
            range: range.clone(),
            letters: within.map(|element| element.character).filter(is_letter).collect(),
        }
    }

    fn characters(&self) -> impl Iterator<Item = char> {
        let within = self.elements.get(self.range.clone()).unwrap_or_default();
        within.iter().map(|element| element.character)
    }

    fn beside(&self) -> [Option<char>; 2] {
        let before = self.range.start.checked_sub(1);
        [before, Some(self.range.end)].map(|at| Some(self.elements.get(at?)?.character))
    }

    fn punctuation_is_that_of(&self, other: &Self) -> bool {
        let marks = |run: &Self| run.characters().filter(is_punctuation).collect::<Vec<char>>();
        let (own, others) = (marks(self), marks(other));
        // Leaders are dots as many as fill the line.
        let leaders = || own.iter().chain(&others).all(|mark| *mark == '.') && self.beside().contains(&Some('.'));
        own == others || leaders()
    }

    fn letters_may_be(&self, other: &Self) -> bool {
        if self.letters == other.letters || self.is_bullet() && other.letters.is_empty() {
            return true;
        }
        if other.is_bullet() && self.letters.is_empty() {
            return true;
        }
        // "público" is another word than "publico", unless the accent is there, apart.
        let apart = self.accents_apart() || other.accents_apart();
        let same_bases = bases(&self.letters) == bases(&other.letters);
        if apart || same_bases {
            return apart && same_bases;
        }
        if self.unread_for(other) || other.unread_for(self) {
            return true;
        }
        let (own, others) = (self.word(), other.word());
        let (Some(own), Some(others)) = (own, others) else {
            return false;
        };
        let replaced = !self.letters.is_empty() && !other.letters.is_empty();
        let word = if replaced { own.min(others) } else { own.max(others) };
        word > SHORT_WORD
    }

    /// The letter o at the beginning of an item, as many readers see its bullet; one or more of them.
    fn is_bullet(&self) -> bool {
        let alone = |element: &Element| element.character == 'o' && element.own_break;
        let within = self.elements.get(self.range.clone()).unwrap_or_default();
        let ends_there = self.elements.get(self.range.end).is_none_or(|next| next.own_break);
        let begins_item = self.beside()[0].is_none_or(|before| matches!(before, '.' | ':' | ';'));
        !within.is_empty() && within.iter().all(alone) && ends_there && begins_item
    }

    fn accents_apart(&self) -> bool {
        self.characters().any(is_accent)
    }

    /// Whether glyphs that could not be read stand for the letters of the other, as part of a word.
    fn unread_for(&self, other: &Self) -> bool {
        let unread = self
            .characters()
            .filter(|character| *character == char::REPLACEMENT_CHARACTER);
        let most = unread.count() * LETTERS_OF_A_GLYPH;
        let joined = other.beside().into_iter().flatten().any(|beside| is_letter(&beside));
        self.letters.is_empty() && most > 0 && other.letters.chars().count() <= most && joined
    }

    /// How long the word is that the letters of this change lie strictly inside of; `None` where they do not, or are more
    /// than a glyph has.
    fn word(&self) -> Option<usize> {
        let all_letters = self.characters().all(|character| is_letter(&character));
        let whole = self.elements.get(self.range.start..=self.range.end)?;
        let inside = self
            .beside()
            .iter()
            .all(|beside| beside.as_ref().is_some_and(is_letter))
            && !whole.iter().any(|element| element.own_break || element.other_break);
        (all_letters && inside && self.range.len() <= LETTERS_OF_A_GLYPH).then(|| {
            let goes_on = |element: &&Element| !element.own_break && is_letter(&element.character);
            let after = self.elements.get(self.range.end..).unwrap_or_default();
            let mut before = self.range.start;
            while let Some(element) = before.checked_sub(1).and_then(|at| self.elements.get(at)) {
                if !is_letter(&element.character) {
                    break;
                }
                before -= 1;
                if element.own_break {
                    break;
                }
            }
            self.range.end - before + after.iter().take_while(goes_on).count()
        })
    }
}

/// Whether two changes in one word leave out and put in the same letters: "untied" is another word than "united".
fn swapped(quote: &[Element], text: &[Element], pair: &[Change]) -> bool {
    let [first, second] = pair else { return false };
    let between = quote.get(first.quote.end..second.quote.start).unwrap_or_default();
    let one_word = between
        .iter()
        .all(|element| is_letter(&element.character) && !element.own_break);
    let letters = |elements, ranges: [&Range<usize>; 2]| {
        let mut letters: Vec<char> = ranges
            .into_iter()
            .flat_map(|range| Run::new(elements, range).letters.chars().collect::<Vec<char>>())
            .collect();
        letters.sort_unstable();
        letters
    };
    let of_quote = letters(quote, [&first.quote, &second.quote]);
    one_word && !of_quote.is_empty() && of_quote == letters(text, [&first.text, &second.text])
}

/// Letters without their accents.
fn bases(letters: &str) -> String {
    letters.nfd().filter(|character| !is_accent(*character)).collect()
}

/// An accent that stands by itself: a combining one, or a modifier letter.
fn is_accent(character: char) -> bool {
    matches!(character, '\u{2b9}'..='\u{2df}') || is_mark_of_a_letter(character)
}

fn is_letter(character: &char) -> bool {
    character.is_alphabetic() && !is_accent(*character)
}

/// What ends, parts or encloses. Footnote marks, rules of a form and the like are drawn, moved and lost like bullets.
const fn is_punctuation(character: &char) -> bool {
    matches!(
        character,
        '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '"' | '(' | ')' | '[' | ']' | '&' | '¿' | '¡'
    )
}
