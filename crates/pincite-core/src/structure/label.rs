//! What the label at the start of a line says: `2.1`, `A.1`, `Article 5`, `§ 21.32`, `a)`, `(iii)`.
//!
//! A label is only a claim of the line. Whether it opens a section is decided by `headings` (how the line looks) and
//! `chain` (whether the numbers follow each other).
//!
//! Deliberately not here: geometry, neighbours, sequences.

use super::locator::{Keyword, Number, Step, StepStyle};
use super::reading::{fold_word, scan_head, scan_keyword};

/// Which numbering a label takes part in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Scheme {
    /// `1`, `2.1`, `2.1.3`
    Decimal,
    /// `A.1` below Appendix A; the letter's place in the alphabet.
    Lettered(u32),
    /// `Article 5`, `Annex II`, `§ 21.32`: one numbering for each family of keywords.
    Worded(Keyword),
}

/// A label that may open a section.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Label {
    pub(super) scheme: Scheme,
    /// The places in the sequence: `2.1` is [2, 1], `Annex II` is [2], `A.1` in Appendix A is [1].
    pub(super) sequence: Vec<u32>,
    pub(super) number: Number,
    /// Characters from the start of the line to the title: the label, its punctuation, the space.
    pub(super) length: usize,
    /// Whether `.`, `:` or a dash stands between label and title.
    pub(super) punctuated: bool,
}

/// Steps of a number deeper than this are no section's: an identifier, an address.
const DEEPEST: usize = 7;
/// A larger step is a year, an identifier, a quantity.
const LARGEST: u32 = 999;

/// The label at the start of a line, if any.
pub(super) fn read(line: &[char]) -> Option<Label> {
    let first = *line.first()?;
    if first.is_ascii_digit() {
        return decimal(line, 0);
    }
    if first.is_ascii_uppercase() && line.get(1) == Some(&'.') && line.get(2).is_some_and(char::is_ascii_digit) {
        return lettered(line);
    }
    if first == '§' || first.is_uppercase() {
        return worded(line);
    }
    None
}

fn decimal(line: &[char], from: usize) -> Option<Label> {
    let (sequence, values, end) = steps(line.get(from..)?)?;
    let end = from + end;
    let (length, punctuated) = after(line, end)?;
    if length == end && length < line.len() {
        // No space: only a deep number may run into its title, and only into a capital.
        let capital = line.get(end).is_some_and(|next| next.is_uppercase());
        if !(capital && sequence.len() > 1) {
            return None;
        }
    }
    Some(Label {
        scheme: Scheme::Decimal,
        sequence,
        number: number(None, &values),
        length,
        punctuated,
    })
}

fn lettered(line: &[char]) -> Option<Label> {
    let letter = *line.first()?;
    let (sequence, mut values, end) = steps(line.get(2..)?)?;
    let (length, punctuated) = after(line, end + 2)?;
    if length == end + 2 && length < line.len() {
        return None;
    }
    values.insert(0, letter.to_string());
    Some(Label {
        scheme: Scheme::Lettered(u32::from(letter) - 64),
        sequence,
        number: number(None, &values),
        length,
        punctuated,
    })
}

fn worded(line: &[char]) -> Option<Label> {
    let (keyword, at) = scan_keyword(line)?;
    if keyword == Keyword::Paragraph {
        let rest = line.get(at..)?;
        let (sequence, values, end) = steps(rest)?;
        let (length, punctuated) = after(line, at + end)?;
        return Some(Label {
            scheme: Scheme::Worded(keyword),
            sequence,
            number: number(Some(keyword), &values),
            length,
            punctuated,
        });
    }
    // Abbreviations are for references, not for headings.
    let word = line.iter().take_while(|character| character.is_alphabetic()).count();
    if word < 4 && keyword.family() != Keyword::Article {
        return None;
    }
    let rest = line.get(at..)?;
    if rest.first().is_some_and(char::is_ascii_digit)
        && matches!(keyword.family(), Keyword::Section | Keyword::Clause | Keyword::Article)
    {
        // "Section 2", "Section 2.1", "Clause 7.1": the number is the label.
        let dotted = steps(rest).filter(|(sequence, ..)| sequence.len() > 1);
        if dotted.is_some() || keyword.family() == Keyword::Section {
            return decimal(line, at);
        }
    }
    let (value, end) = scan_head(rest)?;
    let place = place_of(&value)?;
    let (length, punctuated) = after(line, at + end)?;
    if length == at + end && length < line.len() {
        return None;
    }
    Some(Label {
        scheme: Scheme::Worded(keyword.family()),
        sequence: vec![place],
        number: number(Some(keyword), &[value]),
        length,
        punctuated,
    })
}

fn number(keyword: Option<Keyword>, values: &[String]) -> Number {
    let styled = |(index, value): (usize, &String)| {
        Step::new(if index == 0 { StepStyle::Head } else { StepStyle::Dot }, value.clone())
    };
    Number {
        keyword,
        steps: values.iter().enumerate().map(styled).collect(),
    }
}

/// Dotted numbers at the start: their values, how they are written, where they end (a final dot left over).
fn steps(characters: &[char]) -> Option<(Vec<u32>, Vec<String>, usize)> {
    let (mut sequence, mut values, mut at) = (Vec::new(), Vec::new(), 0);
    loop {
        let digits = characters
            .get(at..)?
            .iter()
            .take_while(|character| character.is_ascii_digit())
            .count();
        let value: String = characters.get(at..at + digits)?.iter().collect();
        let place: u32 = value.parse().ok()?;
        if place > LARGEST || digits > 3 || (digits > 1 && value.starts_with('0')) || sequence.len() == DEEPEST {
            return None;
        }
        sequence.push(place);
        values.push(value);
        at += digits;
        let deeper = characters.get(at) == Some(&'.') && characters.get(at + 1).is_some_and(char::is_ascii_digit);
        if !deeper {
            return Some((sequence, values, at));
        }
        at += 1;
    }
}

/// Skips the punctuation and the space after a label. `None` where the label runs into something else: `10%`, `5-mg`.
fn after(line: &[char], end: usize) -> Option<(usize, bool)> {
    let mut at = end;
    while line
        .get(at)
        .is_some_and(|character| matches!(character, '.' | ':' | '°' | 'º'))
    {
        at += 1;
    }
    let space = line.get(at..).map_or(0, |rest| {
        rest.iter().take_while(|character| character.is_whitespace()).count()
    });
    let dash = line
        .get(at + space)
        .is_some_and(|character| matches!(character, '-' | '–' | '—'));
    if dash && (space > 0 || at > end) {
        let from = at + space + 1;
        let gap = line.get(from..).map_or(0, |rest| {
            rest.iter().take_while(|character| character.is_whitespace()).count()
        });
        return Some((from + gap, true));
    }
    let next = line.get(at);
    let clear =
        next.is_none_or(|next| next.is_whitespace() || next.is_alphabetic() || matches!(next, '"' | '“' | '«' | '¿'));
    clear.then_some((at + space, at > end))
}

/// The place in a sequence of a value after a keyword: digits, Roman numerals, letters.
fn place_of(value: &str) -> Option<u32> {
    let bare = value.trim_end_matches('°');
    if let Ok(place) = bare.parse::<u32>() {
        return (place <= LARGEST).then_some(place);
    }
    roman_value(bare).or_else(|| letter_place(bare))
}

/// A to Z as 1 to 26.
pub(super) fn letter_place(value: &str) -> Option<u32> {
    let mut characters = value.chars();
    let letter = characters.next()?.to_ascii_uppercase();
    (characters.next().is_none() && letter.is_ascii_uppercase()).then(|| u32::from(letter) - 64)
}

/// The value of a Roman numeral in capitals, written as it should be (`IIII` is none).
pub(super) fn roman_value(text: &str) -> Option<u32> {
    const PAIRS: [(&str, u32); 13] = [
        ("M", 1000),
        ("CM", 900),
        ("D", 500),
        ("CD", 400),
        ("C", 100),
        ("XC", 90),
        ("L", 50),
        ("XL", 40),
        ("X", 10),
        ("IX", 9),
        ("V", 5),
        ("IV", 4),
        ("I", 1),
    ];
    let (mut rest, mut value) = (text, 0);
    for (sign, worth) in PAIRS {
        let mut times = 0;
        while let Some(shorter) = rest.strip_prefix(sign) {
            rest = shorter;
            value += worth;
            times += 1;
            if times
                > if sign.len() == 2 || matches!(sign, "V" | "L" | "D") {
                    1
                } else {
                    3
                }
            {
                return None;
            }
        }
    }
    (rest.is_empty() && value > 0 && value <= 399).then_some(value)
}

/// A Spanish or English ordinal word at the start (`Primera`, `DÉCIMA SEGUNDA`, `First`), and its length.
pub(super) fn ordinal_word(characters: &[char]) -> Option<(u32, usize)> {
    const STEMS: [(&str, u32); 14] = [
        ("primer", 1),
        ("segund", 2),
        ("tercer", 3),
        ("cuart", 4),
        ("quint", 5),
        ("sext", 6),
        ("septim", 7),
        ("setim", 7),
        ("octav", 8),
        ("noven", 9),
        ("decim", 10),
        ("undecim", 11),
        ("duodecim", 12),
        ("vigesim", 20),
    ];
    let word_at = |from: usize| -> Option<(u32, usize)> {
        let rest = characters.get(from..)?;
        let length = rest
            .iter()
            .take(12)
            .take_while(|character| character.is_alphabetic())
            .count();
        let word = fold_word(rest.iter().take(length).copied());
        STEMS
            .iter()
            .find(|(stem, _)| {
                word.strip_prefix(stem)
                    .is_some_and(|ending| matches!(ending, "" | "a" | "o"))
            })
            .map(|(_, value)| (*value, length))
    };
    let (first, length) = word_at(0)?;
    if matches!(first, 10 | 20)
        && characters.get(length).is_some_and(|next| next.is_whitespace())
        && let Some((second, more)) = word_at(length + 1)
        && second < 10
    {
        return Some((first + second, length + 1 + more));
    }
    Some((first, length))
}

/// One label of a list inside a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ItemLabel {
    pub(super) style: ItemStyle,
    /// As written, in lower case.
    pub(super) value: String,
    /// Characters from the start of the line to the text.
    pub(super) length: usize,
}

/// How an item's label is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemStyle {
    /// `(a)`
    Closed,
    /// `a)`
    Open,
}

/// `(a)`, `a)`, `(iii)`, `1)` at the start of a line, followed by some text.
pub(super) fn read_item(line: &[char]) -> Option<ItemLabel> {
    let opened = usize::from(line.first() == Some(&'('));
    let inside = line
        .get(opened..)?
        .iter()
        .take(6)
        .take_while(|character| character.is_ascii_alphanumeric())
        .count();
    let end = opened + inside;
    if inside == 0 || line.get(end) != Some(&')') {
        return None;
    }
    let value: String = line.get(opened..end)?.iter().map(char::to_ascii_lowercase).collect();
    let digits = value.chars().all(|character| character.is_ascii_digit());
    let known = if digits {
        inside <= 2
    } else {
        inside == 1 || roman_value(&value.to_uppercase()).is_some()
    };
    let gap = line
        .get(end + 1..)?
        .iter()
        .take_while(|character| character.is_whitespace())
        .count();
    let text = line
        .get(end + 1 + gap)
        .is_some_and(|next| next.is_alphanumeric() || matches!(next, '"' | '“' | '«' | '[' | '('));
    let style = if opened == 1 {
        ItemStyle::Closed
    } else {
        ItemStyle::Open
    };
    (known && text && gap > 0).then_some(ItemLabel {
        style,
        value,
        length: end + 1 + gap,
    })
}
