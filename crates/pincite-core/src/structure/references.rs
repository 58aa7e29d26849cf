//! What only looks like a numbered title: a date ("12 March"), a reference to a part of a statute ("§ 12 Abs. 3").
//!
//! Deliberately not here: what is weighed against a heading by its place on the page (`headings`).

use super::headings::is_capitals;

/// Month names after a day, in English, Spanish, German and French; those that are written alike once.
const MONTHS: [&str; 43] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "diciembre",
    "januar",
    "februar",
    "märz",
    "mai",
    "juni",
    "juli",
    "oktober",
    "dezember",
    "janvier",
    "février",
    "mars",
    "avril",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
];

/// Whether a month follows the number: `12 March`, `1 Enero`, `12. März`.
pub(super) fn is_month(title: &[char]) -> bool {
    MONTHS.contains(&lower(&first_word(title)).as_str())
}

fn first_word(title: &[char]) -> Vec<char> {
    title
        .iter()
        .copied()
        .take_while(|letter| letter.is_alphabetic())
        .collect()
}

fn lower(word: &[char]) -> String {
    word.iter().flat_map(|letter| letter.to_lowercase()).collect()
}

/// `§ 21.32 Access`, `§ 5` alone; against: `§ 12 of this part`, `§ 12 Abs. 3`, `§ 12 VVG`.
pub(super) fn paragraph(title: &[char]) -> i32 {
    const PARTS: [&str; 12] = [
        "absatz",
        "abs",
        "absätze",
        "nr",
        "nummer",
        "ziffer",
        "ziff",
        "satz",
        "sätze",
        "halbsatz",
        "buchstabe",
        "buchst",
    ];
    let word = first_word(title);
    let Some(first) = title
        .iter()
        .find(|character| !matches!(character, '"' | '“' | '„' | '«' | '¿' | '[' | '('))
    else {
        return 5;
    };
    let lower = lower(&word);
    // A statute's short name, where it isn't the first of a title in capitals.
    let statute = (2..=5).contains(&word.len())
        && word.iter().filter(|letter| letter.is_uppercase()).count() * 5 > word.len() * 3
        && !is_capitals(title.get(word.len()..).unwrap_or_default());
    if PARTS.contains(&lower.as_str()) || statute || first.is_lowercase() {
        -4
    } else {
        6
    }
}
