//! What may not differ between a quote and the place it is found at, however alike they are: numbers, signs, units and
//! negations, in order.
//!
//! Read generously, since a mistake here is a wrong claim and a difference only sends the place to a person: number words,
//! Roman numerals and single letters (clause b is not clause d) count as numbers; whatever word follows a number counts as
//! its unit; words that compare ("least", "above") count as signs, being ≤ and > spelled out; prefixes that turn a word
//! into its opposite count as negations. A character that could not be read counts as a sign beside a number.
//!
//! The text is folded already: small letters, one dash, one apostrophe.
//!
//! Deliberately not here: what two quantities mean. "1,000" and "1.000" are different sequences, whatever is meant.

use crate::record::unit_names;
use crate::text::match_fold;
use std::collections::HashSet;
use std::sync::LazyLock;

/// A folded character with what stands before it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element {
    pub character: char,
    /// White space stands before it in its own text.
    pub own_break: bool,
    /// White space stands before what it is equal to in the other text.
    pub other_break: bool,
}

/// Whose white space ends words and numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spacing {
    Own,
    Others,
}

/// One thing that may not differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Critical {
    Number(String),
    Sign(char),
    /// A unit, a negation, a number or a comparison in words.
    Word(String),
}

/// Words with a meaning of one of these kinds, folded. The names of units join them ([`CRITICAL_WORDS`]). English, Spanish, French, German, Portuguese, Italian, Dutch.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "above", "acht", "aucun", "aucune", "aucunement", "bajo", "before", "below", "beneath", "beyond", "billion",
    "billions", "bpm", "cannot", "cero", "cien", "ciento", "cinco", "cinq", "cinquante", "cm2", "cm3", "cuatro",
    "deux", "dez", "diez", "dix", "dois", "doppelt", "dos", "double", "douze", "dozen", "drei", "due", "duo",
    "eight", "eighteen", "eighty", "eins", "eleven", "elf", "equal", "exceed", "exceeds", "except", "excepto",
    "excluding", "fewer", "fifteen", "fifty", "first", "five", "forty", "four", "fourteen", "fünf", "geen",
    "greater", "guère", "halb", "half", "higher", "hundert", "hundred", "höchstens", "inferior", "jamais", "jamás",
    "kein", "keine", "keinem", "keinen", "keiner", "keinerlei", "keines", "least", "less", "lower", "mai", "max",
    "maximal", "maximum", "mayor", "mcg", "mehr", "menor", "menos", "meq", "mg", "mil", "mille", "million",
    "millions", "millones", "min", "mindestens", "minimal", "minimum", "mmhg", "mmol", "moins", "mol", "more",
    "most", "más", "máximo", "mínimo", "nada", "nadie", "ne", "neither", "nem", "nenhum", "nenhuma", "neuf", "neun",
    "never", "ni", "nicht", "nichts", "nie", "niemals", "niemand", "niet", "nine", "nineteen", "ninety", "ninguna",
    "ninguno", "ningún", "no", "nobody", "non", "none", "nor", "not", "nothing", "nowhere", "nueve", "nulla",
    "nunca", "não", "né", "ocho", "ohne", "once", "one", "only", "onze", "over", "pas", "percent", "plus", "ppm",
    "quarter", "quatre", "quinze", "rien", "salvo", "sans", "sechs", "second", "sei", "seis", "sem", "senza", "sept",
    "sete", "seven", "seventeen", "seventy", "sieben", "siete", "sin", "six", "sixteen", "sixty", "superior",
    "tampoco", "ten", "third", "thirteen", "thirty", "thousand", "thousands", "three", "tre", "trente", "tres",
    "triple", "trois", "três", "twelve", "twenty", "twice", "two", "under", "unless", "uno", "vier", "vingt",
    "weder", "weniger", "without", "zehn", "zero", "zonder", "zwei", "zwölf",
];

/// All words that may not differ.
static CRITICAL_WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let units = unit_names().map(match_fold).filter(|name| name.chars().count() > 1);
    WORDS.iter().map(|word| (*word).to_owned()).chain(units).collect()
});

/// Prefixes that make a word its opposite: one of them alone put in or left out, the rest of the word the same.
const PREFIXES: &[&str] = &[
    "a", "ab", "an", "anti", "contra", "counter", "de", "des", "dis", "dé", "dés", "gegen", "il", "im", "in", "ir",
    "mal", "mis", "non", "nicht", "un",
];

/// Pairs of these differ in the middle of a word's beginning, so words that begin with them are kept as such.
const STRONG_PREFIXES: &[&str] = &[
    "anti", "contra", "hiper", "hipo", "hyper", "hypo", "non", "over", "under",
];

/// The critical things of a text in order, its words and numbers ended by one of the two spacings.
pub(super) fn sequence(elements: &[Element], spacing: Spacing) -> Vec<Critical> {
    let mut reader = Reader {
        elements,
        spacing,
        at: 0,
        found: Vec::new(),
        after_number: false,
        word: String::new(),
    };
    while reader.at < elements.len() {
        reader.step();
    }
    reader.found
}

/// The numbers alone.
pub(super) fn numbers(elements: &[Element], spacing: Spacing) -> Vec<Critical> {
    let mut found = sequence(elements, spacing);
    found.retain(|critical| matches!(critical, Critical::Number(_)));
    found
}

/// Whether a run that stands in one text only makes a word its opposite: `before` and `after` are its neighbours there.
pub(super) fn negates(before: Option<Element>, run: &[Element], after: Option<Element>) -> bool {
    let (Some(first), Some(after)) = (run.first(), after) else {
        return false;
    };
    let begins_word = first.own_break || before.is_none_or(|before| !before.character.is_alphabetic());
    let goes_on = after.character.is_alphabetic() && !after.own_break;
    let inner_break = run.iter().skip(1).any(|element| element.own_break);
    let text: String = run
        .iter()
        .map(|element| element.character)
        .filter(|character| *character != '-')
        .collect();
    begins_word && goes_on && !inner_break && PREFIXES.contains(&text.as_str())
}

struct Reader<'a> {
    elements: &'a [Element],
    spacing: Spacing,
    at: usize,
    found: Vec<Critical>,
    /// Nothing but white space and dashes has come since a number.
    after_number: bool,
    /// The word being read; kept, so that not every word costs an allocation.
    word: String,
}

impl Reader<'_> {
    fn character(&self, index: usize) -> Option<char> {
        self.elements.get(index).map(|element| element.character)
    }

    /// The character at `index`, where no white space stands before it.
    fn joined(&self, index: usize) -> Option<char> {
        let element = self.elements.get(index)?;
        let breaks = match self.spacing {
            Spacing::Own => element.own_break,
            Spacing::Others => element.other_break,
        };
        (!breaks).then_some(element.character)
    }

    fn step(&mut self) {
        let Some(character) = self.character(self.at) else {
            return;
        };
        let begins_fraction = matches!(character, '.' | ',')
            && self.joined(self.at + 1).is_some_and(char::is_numeric)
            && (self.joined(self.at).is_none()
                || !self
                    .previous()
                    .is_some_and(|previous| previous.is_alphanumeric() || previous == '.'));
        if character.is_numeric() || begins_fraction {
            self.number();
        } else if character.is_alphabetic() {
            self.word();
        } else {
            self.mark(character);
            self.at += 1;
        }
    }

    fn previous(&self) -> Option<char> {
        self.character(self.at.checked_sub(1)?)
    }

    fn number(&mut self) {
        let start = self.at;
        self.at += 1;
        while let Some(next) = self.joined(self.at) {
            let separates = matches!(next, '.' | ',' | '\'' | ':' | '\u{b7}' | '\u{66b}' | '\u{66c}')
                && self.joined(self.at + 1).is_some_and(char::is_numeric);
            if !(next.is_numeric() || separates) {
                break;
            }
            self.at += 1;
        }
        let text = self.text(start);
        self.found.push(Critical::Number(text));
        self.after_number = true;
    }

    fn word(&mut self) {
        let start = self.at;
        let elided = self.joined(start).is_some() && self.previous() == Some('\'');
        self.at += 1;
        while self.joined(self.at).is_some_and(|next| {
            let unread_inside = next == '\u{fffd}' && self.joined(self.at + 1).is_some_and(char::is_alphabetic);
            next.is_alphabetic() || is_mark_of_a_letter(next) || unread_inside
        }) {
            self.at += 1;
        }
        let mut text = std::mem::take(&mut self.word);
        text.clear();
        let elements = self.elements.get(start..self.at).unwrap_or_default();
        text.extend(elements.iter().map(|element| element.character));
        let follows_number = std::mem::take(&mut self.after_number);
        let before_apostrophe = self.joined(self.at) == Some('\'');
        // English "don't", French "n'est".
        let clipped = (elided && text == "t") || (before_apostrophe && text == "n");
        let mut letters = text.chars();
        let label = matches!((letters.next(), letters.next()), (Some(letter), None) if letter.is_ascii_lowercase())
            && !(self.joined(start).is_some()
                && self
                    .elements
                    .get(start.wrapping_sub(1))
                    .is_some_and(|element| element.character == '\u{fffd}'))
            && !matches!(text.as_str(), "a" | "e" | "o" | "y");
        let roman = text.len() > 1 && text.len() < 7 && text.chars().all(|letter| "ivxlc".contains(letter));
        if follows_number || clipped || label || roman || CRITICAL_WORDS.contains(&text) {
            self.found.push(Critical::Word(text.clone()));
        } else if let Some(prefix) = STRONG_PREFIXES.iter().find(|prefix| text.starts_with(**prefix)) {
            self.found.push(Critical::Word(format!("{prefix}-")));
        }
        self.word = text;
    }

    fn mark(&mut self, character: char) {
        let next = self.character(self.at + 1);
        let next_is_number = next.is_some_and(char::is_numeric)
            || (next.is_some_and(|next| matches!(next, '.' | ','))
                && self.joined(self.at + 2).is_some_and(char::is_numeric));
        let previous_is_number = self.previous().is_some_and(char::is_numeric);
        let counts = match character {
            // A sign, or from-to.
            '-' => next_is_number,
            // A negative amount.
            '(' => next_is_number || next.is_some_and(|next| "$€£¥".contains(next)),
            ')' => previous_is_number,
            '\u{fffd}' => next_is_number || previous_is_number,
            '.' | ',' | ';' | ':' | '!' | '?' | '\'' | '"' | '[' | ']' | '{' | '}' | '_' | '|' | '\\' | '*' | '&'
            | '†' | '‡' | '¶' | '©' | '®' | '™' | '¿' | '¡' => false,
            other => !is_mark_of_a_letter(other),
        };
        if counts {
            self.found.push(Critical::Sign(character));
        }
        if !matches!(character, '-' | '/') {
            self.after_number = false;
        }
    }

    fn text(&self, start: usize) -> String {
        let elements = self.elements.get(start..self.at).unwrap_or_default();
        elements.iter().map(|element| element.character).collect()
    }
}

/// Accents and vowel signs that stand apart from their letter.
pub(super) fn is_mark_of_a_letter(character: char) -> bool {
    unicode_normalization::char::is_combining_mark(character)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<Critical> {
        let mut elements: Vec<Element> = Vec::new();
        let mut breaks = true;
        for character in text.chars() {
            if character == ' ' {
                breaks = true;
            } else {
                elements.push(Element {
                    character,
                    own_break: breaks,
                    other_break: breaks,
                });
                breaks = false;
            }
        }
        sequence(&elements, Spacing::Own)
    }

    #[test]
    fn what_differs_is_seen() {
        for (one, other) in [
            ("5 years", "7 years"),
            ("5 years", "5 months"),
            ("five years", "seven years"),
            ("10 mg daily", "10 mcg daily"),
            ("mg of it", "mcg of it"),
            ("must not exceed", "must exceed"),
            ("no records", "records"),
            ("darf nicht", "darf"),
            ("sin costo", "costo"),
            ("kein anspruch", "ein anspruch"),
            ("ce n'est pas", "c'est"),
            ("you don't", "you do"),
            ("-5 °c", "5 °c"),
            ("- 5 °c", "5 °c"),
            ("±2", "2"),
            ("<5", "≤5"),
            ("≥98", "98"),
            ("98 %", "98"),
            ("1,000", "1.000"),
            ("1,000", "1000"),
            ("1 000", "1000"),
            ("10 20", "1020"),
            ("1.5", "1. 5"),
            (".5", "5"),
            ("10-20", "10 20"),
            ("$5", "€5"),
            ("(5)", "5"),
            ("10⁶", "106"),
            ("½", "1"),
            ("phase ii", "phase iii"),
            ("clause b", "clause d"),
            ("at least 5", "at most 5"),
            ("hyperkalaemia", "hypokalaemia"),
            ("\u{fffd}5", "5"),
            ("and/or", "and or"),
            ("5 µg", "5 mg"),
        ] {
            assert_ne!(of(one), of(other), "{one} {other}");
        }
        for (one, other) in [
            ("5 mg", "5mg"),
            ("records, kept", "records kept"),
            ("the quick fox", "a quick box"),
            ("see 2.1.", "see 2.1"),
            ("well-known", "well known"),
            ("un\u{fffd}t", "unfit"),
        ] {
            assert_eq!(of(one), of(other), "{one} {other}");
        }
    }

    #[test]
    fn every_word_is_folded_and_stands_once() {
        let mut seen = std::collections::BTreeSet::new();
        for word in WORDS {
            assert_eq!(match_fold(word), *word);
            assert!(seen.insert(word), "{word}");
        }
    }
}
