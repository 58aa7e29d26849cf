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
    /// `II. Scope`
    Roman,
    /// `B. Scope`
    Capital,
}

impl Scheme {
    /// Of what divides a document: 0 for annexes, then from the widest to the narrowest. `None` for numbers.
    pub(super) const fn rank(self) -> Option<u8> {
        match self {
            Self::Worded(family) => Some(family.rank()),
            Self::Roman => Some(Keyword::Chapter.rank()),
            Self::Capital => Some(Keyword::Section.rank()),
            Self::Decimal | Self::Lettered(_) => None,
        }
    }
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
    /// Whether a word that is no part of the label stands before it: `Section 2`.
    pub(super) worded: bool,
}

impl Label {
    /// Whether it is a letter in the margin, a sign of the publisher's between it and the title: such a heading ranks with
    /// those that have none.
    pub(super) const fn is_marginal(&self) -> bool {
        matches!(self.scheme, Scheme::Capital | Scheme::Roman) && !self.punctuated
    }
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
        return worded(line).or_else(|| bare(line)).or_else(|| ordinal(line));
    }
    None
}

/// `II. Scope`, `B. Scope`: a numeral or a letter alone, a stop, a title.
fn bare(line: &[char]) -> Option<Label> {
    let letters = line
        .iter()
        .take(7)
        .take_while(|letter| letter.is_ascii_uppercase())
        .count();
    let value: String = line.get(..letters)?.iter().collect();
    let roman = value.chars().all(|letter| matches!(letter, 'I' | 'V' | 'X' | 'L'));
    let (scheme, place) = match roman_value(&value).filter(|_| roman) {
        Some(place) => (Scheme::Roman, place),
        None => (Scheme::Capital, letter_place(&value)?),
    };
    let (length, punctuated) = after(line, letters)?;
    let spaced = length > letters && line.get(length - 1).is_some_and(|last| last.is_whitespace());
    let title = line
        .get(length)
        .is_some_and(|first| first.is_alphabetic() || matches!(first, '"' | '“' | '«' | '¿'));
    // "B. J. Smith" is a name, "I. e." an abbreviation.
    let initials = line.get(length + 1) == Some(&'.');
    if punctuated && spaced && title && !initials {
        return Some(Label {
            scheme,
            sequence: vec![place],
            number: number(None, &[value]),
            length,
            punctuated,
            worded: false,
        });
    }
    // A sign of the publisher's own between letter and title.
    let sign = line
        .get(letters + 1)
        .is_some_and(|sign| !sign.is_alphanumeric() && !sign.is_ascii());
    let apart = |at: usize| line.get(at).is_some_and(|space| space.is_whitespace());
    (scheme == Scheme::Capital || letters == 1)
        .then_some(())
        .filter(|()| {
            sign && apart(letters)
                && apart(letters + 2)
                && line.get(letters + 3).is_some_and(|first| first.is_uppercase())
        })
        .map(|()| Label {
            scheme,
            sequence: vec![place],
            number: number(None, &[value]),
            length: letters + 3,
            punctuated: false,
            worded: false,
        })
}

/// `PRIMERA.- Objeto`: a clause by its ordinal word alone.
fn ordinal(line: &[char]) -> Option<Label> {
    let (place, end) = ordinal_word(line)?;
    let shouted = line
        .get(..end)?
        .iter()
        .all(|character| character.is_uppercase() || character.is_whitespace());
    let feminine = matches!(line.get(end.checked_sub(1)?), Some('A' | 'a'));
    let (length, punctuated) = after(line, end)?;
    (shouted && feminine && punctuated && length > end).then(|| Label {
        scheme: Scheme::Worded(Keyword::Clause),
        sequence: vec![place],
        number: number(Some(Keyword::Clausula), &[place.to_string()]),
        length,
        punctuated,
        worded: false,
    })
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
        worded: from > 0,
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
        worded: false,
    })
}

fn worded(line: &[char]) -> Option<Label> {
    let (keyword, at) = scan_keyword(line)?;
    if keyword == Keyword::Paragraph {
        let rest = line.get(at..)?;
        let (mut sequence, mut values, mut end) = steps(rest)?;
        if sequence.len() == 1
            && let Some((value, length)) = scan_head(rest)
            && let Some(places) = places_of(&value)
        {
            (sequence, values, end) = (places, vec![value], length);
        }
        let (length, punctuated) = after(line, at + end)?;
        return Some(Label {
            scheme: Scheme::Worded(keyword),
            sequence,
            number: number(Some(keyword), &values),
            length,
            punctuated,
            worded: false,
        });
    }
    // Abbreviations are for references, not for headings; but statutes have `SEC. 2.`
    let word = line.iter().take_while(|character| character.is_alphabetic()).count();
    let shouted = line.iter().take(word).all(|character| character.is_uppercase());
    if word < 4 && keyword.family() != Keyword::Article && !(word == 3 && shouted) {
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
    let sequence = places_of(&value)?;
    let (length, punctuated) = after(line, at + end)?;
    if length == at + end && length < line.len() {
        return None;
    }
    Some(Label {
        scheme: Scheme::Worded(keyword.family()),
        sequence,
        number: number(Some(keyword), &[value]),
        length,
        punctuated,
        worded: false,
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
        // `1.01` is a section; `01` alone is none.
        let padded = digits > 1 && value.starts_with('0') && sequence.is_empty();
        if place > LARGEST || digits > 3 || padded || sequence.len() == DEEPEST {
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
    // `TITLE 1—GENERAL PROVISIONS`
    let closed = line.get(at) == Some(&'—') && line.get(at + 1).is_some_and(|first| first.is_uppercase());
    if dash && (space > 0 || at > end || closed) {
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

/// The places in a sequence of a value after a keyword: digits, Roman numerals, letters; `12 bis` and `5a` come after
/// 12 and 5 and before what follows those.
fn places_of(value: &str) -> Option<Vec<u32>> {
    let digits = value.chars().take_while(char::is_ascii_digit).count();
    if digits == 0 {
        return roman_value(value)
            .or_else(|| letter_place(value))
            .map(|place| vec![place]);
    }
    let (number, rest) = value.split_at_checked(digits)?;
    let place: u32 = number.parse().ok().filter(|place| *place <= LARGEST)?;
    let rest = rest.trim_start_matches('°').trim();
    if rest.is_empty() {
        return Some(vec![place]);
    }
    let inserted = INSERTED
        .iter()
        .position(|word| *word == rest)
        .and_then(|at| u32::try_from(at + 1).ok())
        .or_else(|| letter_place(rest))?;
    Some(vec![place, inserted])
}

/// Words after the number of what was inserted behind it, in their order.
pub(super) const INSERTED: [&str; 6] = ["bis", "ter", "quater", "quinquies", "sexies", "septies"];

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

/// An ordinal word at the start (`Primera`, `DÉCIMA SEGUNDA`, `First`, `Première`), and its length.
pub(super) fn ordinal_word(characters: &[char]) -> Option<(u32, usize)> {
    let word_at = |from: usize| -> Option<(u32, usize)> {
        let rest = characters.get(from..)?;
        let length = rest
            .iter()
            .take(20)
            .take_while(|character| character.is_alphabetic())
            .count();
        let word = fold_word(rest.iter().take(length).copied());
        Some((ordinal_value(&word)?, length))
    };
    let (first, length) = word_at(0)?;
    if first >= 10
        && first % 10 == 0
        && characters.get(length).is_some_and(|next| next.is_whitespace())
        && let Some((second, more)) = word_at(length + 1)
        && second < 10
    {
        return Some((first + second, length + 1 + more));
    }
    Some((first, length))
}

/// The value of one folded ordinal word. Spanish ones have a gender and may be joined (`decimoprimera`).
fn ordinal_value(word: &str) -> Option<u32> {
    const WHOLE: [(&str, u32); 28] = [
        ("unico", 1),
        ("unica", 1),
        ("first", 1),
        ("second", 2),
        ("third", 3),
        ("fourth", 4),
        ("fifth", 5),
        ("sixth", 6),
        ("seventh", 7),
        ("eighth", 8),
        ("ninth", 9),
        ("tenth", 10),
        ("premier", 1),
        ("premiere", 1),
        ("deuxieme", 2),
        ("troisieme", 3),
        ("quatrieme", 4),
        ("cinquieme", 5),
        ("sixieme", 6),
        ("septieme", 7),
        ("huitieme", 8),
        ("neuvieme", 9),
        ("dixieme", 10),
        ("erster", 1),
        ("zweiter", 2),
        ("dritter", 3),
        ("vierter", 4),
        ("funfter", 5),
    ];
    const STEMS: [(&str, u32); 12] = [
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
        ("undecim", 11),
        ("duodecim", 12),
    ];
    const TENS: [(&str, u32); 4] = [("decim", 10), ("vigesim", 20), ("trigesim", 30), ("cuadragesim", 40)];
    if let Some((_, value)) = WHOLE.iter().find(|(whole, _)| *whole == word) {
        return Some(*value);
    }
    let unit = |word: &str| {
        let ends = |ending: &str| matches!(ending, "" | "a" | "o");
        STEMS
            .iter()
            .find(|(stem, _)| word.strip_prefix(stem).is_some_and(ends))
            .map(|(_, value)| *value)
    };
    if let Some(value) = unit(word) {
        return Some(value);
    }
    let (tens, rest) = TENS
        .iter()
        .find_map(|(stem, value)| Some((*value, word.strip_prefix(stem)?)))?;
    match rest {
        "a" | "o" => Some(tens),
        _ => rest
            .strip_prefix(['a', 'o'])
            .and_then(unit)
            .filter(|unit| *unit < 10)
            .map(|unit| tens + unit),
    }
}

/// One label of a list inside a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ItemLabel {
    pub(super) style: ItemStyle,
    /// As written, in lower case.
    pub(super) value: String,
    /// Characters from the start of the line to the text.
    pub(super) length: usize,
    /// Written as nothing but a label is: `(1.)`. One of them makes a list.
    pub(super) sure: bool,
}

/// How an item's label is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ItemStyle {
    /// `(a)`
    Closed,
    /// `a)`
    Open,
    /// `a.`, `B.`
    Stopped,
}

/// `(a)`, `a)`, `(iii)`, `1)`, `(1.)`, `a.` at the start of a line, followed by some text.
pub(super) fn read_item(line: &[char]) -> Option<ItemLabel> {
    let opened = usize::from(line.first() == Some(&'('));
    let inside = line
        .get(opened..)?
        .iter()
        .take(6)
        .take_while(|character| character.is_ascii_alphanumeric())
        .count();
    let value: String = line
        .get(opened..opened + inside)?
        .iter()
        .map(char::to_ascii_lowercase)
        .collect();
    let stop = usize::from(line.get(opened + inside) == Some(&'.'));
    let end = opened + inside + if opened == 1 { stop } else { 0 };
    let stopped =
        opened == 0 && stop == 1 && inside == 1 && value.starts_with(|letter: char| letter.is_ascii_alphabetic());
    if inside == 0 || !(line.get(end) == Some(&')') || stopped) {
        return None;
    }
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
    let style = match (opened, stopped) {
        (1, _) => ItemStyle::Closed,
        (_, true) => ItemStyle::Stopped,
        _ => ItemStyle::Open,
    };
    (known && text && gap > 0).then_some(ItemLabel {
        style,
        value,
        length: end + 1 + gap,
        sure: opened == 1 && stop == 1,
    })
}
