//! Reading a locator's text: liberal in what it takes, for the grammar that [`super::locator`] documents.
//!
//! The scanners of a keyword and of its first value also read the labels at the start of a document's own lines.
//!
//! Deliberately not here: printing and comparing.

use super::label::{ordinal_word, roman_value};
use super::locator::{Keyword, LocatorError, Number, Segment, Step, StepStyle};

/// Spellings that are read, folded to lower case without accents, and the keyword meant.
const KEYWORDS: &[(&str, Keyword)] = &[
    ("article", Keyword::Article),
    ("art", Keyword::Article),
    ("articulo", Keyword::Articulo),
    ("clause", Keyword::Clause),
    ("cl", Keyword::Clause),
    ("clausula", Keyword::Clausula),
    ("section", Keyword::Section),
    ("sec", Keyword::Section),
    ("s", Keyword::Section),
    ("seccion", Keyword::Seccion),
    ("chapter", Keyword::Chapter),
    ("ch", Keyword::Chapter),
    ("capitulo", Keyword::Capitulo),
    ("cap", Keyword::Capitulo),
    ("title", Keyword::Title),
    ("titulo", Keyword::Titulo),
    ("part", Keyword::Part),
    ("parte", Keyword::Parte),
    ("annex", Keyword::Annex),
    ("anexo", Keyword::Anexo),
    ("appendix", Keyword::Appendix),
    ("apendice", Keyword::Apendice),
    ("schedule", Keyword::Schedule),
    ("exhibit", Keyword::Exhibit),
    ("attachment", Keyword::Attachment),
    ("annexe", Keyword::Annexe),
    ("appendice", Keyword::Appendice),
    ("chapitre", Keyword::Chapitre),
    ("titre", Keyword::Titre),
    ("partie", Keyword::Partie),
    ("artikel", Keyword::Artikel),
    ("abschnitt", Keyword::Abschnitt),
    ("kapitel", Keyword::Kapitel),
    ("titel", Keyword::Titel),
    ("teil", Keyword::Teil),
    ("klausel", Keyword::Klausel),
    ("anhang", Keyword::Anhang),
    ("anlage", Keyword::Anlage),
];

/// The longest word in [`KEYWORDS`].
const LONGEST_KEYWORD: usize = 10;

/// Cuts at ` > ` outside quotation marks.
pub(super) fn split_segments(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut quoted, mut escaped) = (0, false, false);
    for (at, character) in text.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '>' if !quoted && text[..at].ends_with(' ') && text[at + 1..].starts_with(' ') => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

pub(super) fn read_segment(text: &str, segments: &mut Vec<Segment>) -> Result<(), LocatorError> {
    let text = collapse(text);
    if text.is_empty() {
        return Err(LocatorError::Empty);
    }
    if let Some((title, rest)) = quoted(&text)
        && rest.is_empty()
    {
        let title = collapse(&title);
        if title.is_empty() {
            return Err(LocatorError::Empty);
        }
        segments.push(Segment::Title(title));
    } else if let Some(table) = read_table(&text) {
        segments.push(table);
    } else if let Some(numbers) = read_number(&text) {
        segments.extend(numbers.into_iter().map(Segment::Number));
    } else {
        segments.push(Segment::Title(text));
    }
    Ok(())
}

/// A quoted text at the start, and what follows it.
fn quoted(text: &str) -> Option<(String, &str)> {
    let inner = text.strip_prefix('"')?;
    let (mut content, mut escaped) = (String::new(), false);
    for (at, character) in inner.char_indices() {
        match character {
            _ if escaped => {
                content.push(character);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' => return Some((content, inner[at + 1..].trim_start())),
            _ => content.push(character),
        }
    }
    None
}

pub(super) fn read_table(text: &str) -> Option<Segment> {
    let (word, rest) = text.split_once(' ')?;
    if !matches!(fold_word(word.chars()).as_str(), "table" | "tabla") {
        return None;
    }
    let end = rest
        .find(|character: char| !(character.is_alphanumeric() || matches!(character, '.' | '-')))
        .unwrap_or(rest.len());
    let (label, mut rest) = rest.split_at(end);
    if label.is_empty() || !label.chars().any(|character| character.is_ascii_digit()) && label.chars().count() > 4 {
        return None;
    }
    let mut part = |word: &str| -> Option<String> {
        let after = rest
            .trim_start()
            .strip_prefix(',')?
            .trim_start()
            .strip_prefix(word)?
            .trim_start();
        let (content, after) = quoted(after)?;
        rest = after;
        Some(collapse(&content))
    };
    let (row, column) = (part("row"), part("column"));
    rest.is_empty().then(|| Segment::Table {
        label: label.to_owned(),
        row,
        column,
    })
}

/// The word before a number at the start, and how many characters it takes with the space after it.
pub(super) fn scan_keyword(characters: &[char]) -> Option<(Keyword, usize)> {
    let mut at = characters.iter().take_while(|character| **character == '§').count();
    if at > 0 {
        at += spaces(&characters[at..]);
        return Some((Keyword::Paragraph, at));
    }
    let length = characters
        .iter()
        .take(LONGEST_KEYWORD + 2)
        .take_while(|character| character.is_alphabetic())
        .count();
    let word = fold_word(characters[..length].iter().copied());
    let keyword = KEYWORDS.iter().find(|(spelling, _)| *spelling == word)?.1;
    at = length + usize::from(characters.get(length) == Some(&'.'));
    let gap = spaces(&characters[at..]);
    at += gap;
    for marker in ["no.", "nº", "n°", "n.º", "num.", "nro.", "no"] {
        let end = at + marker.chars().count();
        if characters
            .get(at..end)
            .is_some_and(|slice| fold_word(slice.iter().copied()) == fold_word(marker.chars()))
            && !characters.get(end).is_some_and(|next| next.is_alphabetic())
        {
            return Some((keyword, end + spaces(&characters[end..])));
        }
    }
    // A word that runs into letters is another word: "Parts" was not matched, "Part" + "A" needs its space.
    (gap > 0 || characters.get(at).is_some_and(char::is_ascii_digit)).then_some((keyword, at))
}

/// The first value after a keyword (`17°`, `II`, `A`, `Primera`), canonical, and how many characters it takes.
pub(super) fn scan_head(characters: &[char]) -> Option<(String, usize)> {
    let digits = characters
        .iter()
        .take_while(|character| character.is_ascii_digit())
        .count();
    if digits > 0 {
        let mut value: String = characters[..digits].iter().collect();
        let mut at = digits;
        let dotted = usize::from(characters.get(at) == Some(&'.'));
        let next = |from: usize| characters.get(from).copied();
        let ends = |from: usize| next(from).is_none_or(|next| !next.is_alphanumeric());
        if matches!(next(at + dotted), Some('°' | 'º' | 'ª')) {
            value.push('°');
            at += dotted + 1;
        } else if next(at) == Some('e') && next(at + 1) == Some('r') && ends(at + 2) {
            value.push('°');
            at += 2;
        } else if next(at).is_some_and(|letter| letter.is_ascii_lowercase()) && ends(at + 1) {
            value.extend(next(at));
            at += 1;
        }
        // "12 bis": inserted behind it.
        let gap = usize::from(next(at) == Some(' '));
        let inserted = super::label::INSERTED.iter().find(|word| {
            let end = at + gap + word.len();
            characters
                .get(at + gap..end)
                .is_some_and(|slice| fold_word(slice.iter().copied()) == **word)
                && ends(end)
        });
        if let Some(word) = inserted {
            value.push(' ');
            value.push_str(word);
            at += gap + word.len();
        }
        return (digits <= 9).then_some((value, at));
    }
    if let Some((value, length)) = ordinal_word(characters).or_else(|| cardinal_word(characters)) {
        return Some((value.to_string(), length));
    }
    let letters = characters
        .iter()
        .take(9)
        .take_while(|character| character.is_alphabetic())
        .count();
    let word: String = characters.get(..letters)?.iter().collect();
    let upper = word.to_uppercase();
    let single = letters == 1 && word.is_ascii();
    let roman = roman_value(&upper).is_some()
        && (word == upper || word.chars().all(|character| matches!(character, 'i' | 'v' | 'x')));
    (single || roman).then_some((upper, letters))
}

/// `One` to `Twenty` after a keyword: `CHAPTER ONE`.
fn cardinal_word(characters: &[char]) -> Option<(u32, usize)> {
    const CARDINALS: [&str; 20] = [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
        "twenty",
    ];
    let length = characters
        .iter()
        .take(12)
        .take_while(|letter| letter.is_alphabetic())
        .count();
    let word = fold_word(characters.get(..length)?.iter().copied());
    let place = CARDINALS.iter().position(|cardinal| *cardinal == word)?;
    Some((u32::try_from(place + 1).ok()?, length))
}

fn spaces(characters: &[char]) -> usize {
    characters
        .iter()
        .take_while(|character| character.is_whitespace())
        .count()
}

pub(super) fn read_number(text: &str) -> Option<Vec<Number>> {
    let characters: Vec<char> = text.chars().collect();
    let (mut keyword, mut at) = scan_keyword(&characters).map_or((None, 0), |(keyword, at)| (Some(keyword), at));
    let rest = characters.get(at..)?;
    if keyword.is_none() && rest.first() == Some(&'(') {
        let (steps, end) = read_steps(rest, Vec::new());
        return (end == rest.len() && !steps.is_empty()).then(|| vec![Number { keyword, steps }]);
    }
    let (head, length) = if keyword.is_some() || rest.first()?.is_ascii_digit() {
        scan_head(rest)?
    } else {
        bare_head(rest)?
    };
    at += length;
    let digits_head = head.starts_with(|character: char| character.is_ascii_digit());
    let (mut steps, length) = read_steps(characters.get(at..)?, vec![Step::new(StepStyle::Head, head)]);
    at += length;
    let tail: String = characters.get(at..)?.iter().collect();
    if !matches!(tail.trim(), "" | "." | ":") {
        return None;
    }
    let dotted = steps
        .get(1)
        .is_some_and(|step| step.style == StepStyle::Dot && step.digits().is_some());
    if let Some(word) = keyword {
        if word.is_annex() && dotted && (digits_head || steps[0].value.len() > 1) {
            let mut below = steps.split_off(1);
            below[0].style = StepStyle::Head;
            return Some(vec![
                Number { keyword, steps },
                Number {
                    keyword: None,
                    steps: below,
                },
            ]);
        }
        // A Roman head needs its word: "II.1" alone would be a title.
        let stands_alone = digits_head || steps[0].value.len() == 1;
        if word != Keyword::Paragraph && (dotted && stands_alone || word.family() == Keyword::Section && digits_head) {
            keyword = None;
        }
    }
    Some(vec![Number { keyword, steps }])
}

/// `A` or `IV` alone, or before a step.
fn bare_head(characters: &[char]) -> Option<(String, usize)> {
    let letters = characters
        .iter()
        .take(8)
        .take_while(|letter| letter.is_ascii_uppercase())
        .count();
    let word: String = characters.get(..letters)?.iter().collect();
    let alone = characters.get(letters).is_none_or(|next| matches!(next, '.' | '('));
    let roman = word.chars().all(|letter| matches!(letter, 'I' | 'V' | 'X' | 'L')) && roman_value(&word).is_some();
    (alone && (letters == 1 || roman)).then_some((word, letters))
}

/// All steps at the start, after those given, and their length.
fn read_steps(characters: &[char], mut steps: Vec<Step>) -> (Vec<Step>, usize) {
    let mut at = 0;
    while let Some((step, length)) = characters.get(at..).and_then(scan_step) {
        steps.push(step);
        at += length;
    }
    (steps, at)
}

/// `.1`, `.a`, ` a)`, `(iii)` at the start, and its length.
fn scan_step(characters: &[char]) -> Option<(Step, usize)> {
    let gap = spaces(characters);
    let rest = characters.get(gap..)?;
    let run = |from: usize, wanted: fn(&char) -> bool| {
        rest.get(from..).map_or(0, |tail| {
            tail.iter().take(10).take_while(|character| wanted(character)).count()
        })
    };
    let text = |from: usize, length: usize| -> String { rest.iter().skip(from).take(length).collect() };
    let ends = |at: usize| rest.get(at).is_none_or(|next| !next.is_alphanumeric());
    match rest.first()? {
        '.' if gap == 0 => {
            let digits = run(1, char::is_ascii_digit);
            if digits > 0 {
                return (digits < 10).then(|| (Step::new(StepStyle::Dot, text(1, digits)), 1 + digits));
            }
            if rest.get(1).is_some_and(char::is_ascii_uppercase) && ends(2) {
                return Some((Step::new(StepStyle::Dot, text(1, 1)), 2));
            }
            let letters = run(1, char::is_ascii_lowercase);
            ((1..=5).contains(&letters) && ends(1 + letters))
                .then(|| (Step::new(StepStyle::Dot, text(1, letters)), 1 + letters))
        }
        '(' => {
            let inside = run(1, char::is_ascii_alphanumeric);
            ((1..=6).contains(&inside) && rest.get(1 + inside) == Some(&')'))
                .then(|| (Step::new(StepStyle::Parenthesis, text(1, inside)), gap + inside + 2))
        }
        // German statutes: `§ 5 Abs. 2`.
        'A' if gap > 0 => {
            let word = ["Absatz ", "Abs. "]
                .into_iter()
                .find(|word| text(0, word.len()) == **word)?;
            let digits = run(word.len(), char::is_ascii_digit);
            ((1..=3).contains(&digits) && ends(word.len() + digits)).then(|| {
                (
                    Step::new(StepStyle::Parenthesis, text(word.len(), digits)),
                    gap + word.len() + digits,
                )
            })
        }
        first if first.is_ascii_lowercase() && gap > 0 => {
            let letters = run(0, char::is_ascii_lowercase);
            (letters <= 5 && rest.get(letters) == Some(&')'))
                .then(|| (Step::new(StepStyle::Dot, text(0, letters)), gap + letters + 1))
        }
        first if first.is_ascii_digit() && gap > 0 => {
            let digits = run(0, char::is_ascii_digit);
            (digits <= 6 && rest.get(digits) == Some(&')'))
                .then(|| (Step::new(StepStyle::Parenthesis, text(0, digits)), gap + digits + 1))
        }
        _ => None,
    }
}

/// Lower case without the accents of Spanish, French and German.
pub(super) fn fold_word(characters: impl Iterator<Item = char>) -> String {
    characters
        .flat_map(char::to_lowercase)
        .map(|character| match character {
            'á' | 'à' | 'â' | 'ä' => 'a',
            'é' | 'è' | 'ê' | 'ë' => 'e',
            'í' | 'î' | 'ï' => 'i',
            'ó' | 'ô' | 'ö' => 'o',
            'ú' | 'ù' | 'û' | 'ü' => 'u',
            other => other,
        })
        .collect()
}

/// White space and control characters as single spaces, trimmed.
pub(super) fn collapse(text: &str) -> String {
    text.split(|character: char| character.is_whitespace() || character.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
