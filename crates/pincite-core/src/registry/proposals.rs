//! What a document says of its own revision and dates: proposals for somebody who fills in a manifest.
//!
//! Three places speak, and are told apart: running heads and feet ("Rev. 260522"), the text of the first pages ("Edition 2026. In
//! force from 1 February 2026"), and the file's name. A name's version is often the file's and not the document's, so it is said
//! last and never alone made the revision where the pages say something else.
//!
//! Deliberately not here: taking any of it for a fact, and which documents are one.

use crate::record::date::read_date;
use crate::text::{CharOffset, CharSpan, Layer};
use chrono::NaiveDate;
use std::ops::Range;

/// What a proposal is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// The revision is called so.
    Revision(String),
    /// It is in force from this day on.
    Effective(NaiveDate),
    /// It was approved on this day.
    Approved(NaiveDate),
}

/// Where it is said, from the best witness to the worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Witness {
    /// A running head or foot.
    Furniture,
    /// The text of the first pages.
    Text,
    /// The file's name.
    Name,
}

impl Witness {
    /// As it is printed.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Furniture => "furniture",
            Self::Text => "text",
            Self::Name => "name",
        }
    }
}

/// One proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// What.
    pub said: Said,
    /// Where.
    pub witness: Witness,
    /// The words that say it.
    pub words: String,
    /// Where they stand; `None` for a name.
    pub place: Option<CharSpan>,
}

/// Words before a revision's name, lower case: English, Spanish, French, German.
const REVISION_WORDS: [&str; 16] = [
    "rev",
    "revision",
    "revisión",
    "révision",
    "version",
    "versión",
    "vers",
    "edition",
    "edición",
    "édition",
    "issue",
    "ausgabe",
    "fassung",
    "ed",
    "ver",
    "v",
];

/// Words that may stand between such a word and the name.
const NUMBER_WORDS: [&str; 9] = ["no", "nr", "num", "number", "núm", "n.º", "nº", "n°", "numéro"];

/// What comes before the day from which a text holds, lower case.
const EFFECTIVE_WORDS: [&str; 19] = [
    "effective date",
    "effective from",
    "effective as of",
    "effective on",
    "effective",
    "in force from",
    "in force since",
    "comes into force on",
    "valid from",
    "fecha de vigencia",
    "en vigor desde",
    "entra en vigor el",
    "vigente desde",
    "entrée en vigueur",
    "en vigueur depuis le",
    "applicable à partir du",
    "gültig ab",
    "in kraft seit",
    "in kraft ab",
];

/// What comes before the day of an approval, lower case.
const APPROVED_WORDS: [&str; 8] = [
    "approved on",
    "approval date",
    "date of approval",
    "approved",
    "fecha de aprobación",
    "aprobado el",
    "approuvé le",
    "genehmigt am",
];

/// How many pages are read for what the text says.
const PAGES: u32 = 2;
/// A longer line is a sentence about something else that has a version.
const LONGEST_LINE: usize = 14;
/// How many words a date may have.
const DATE_WORDS: usize = 6;

/// What the pages of a document say. `furniture` are its running heads and feet, in order.
#[must_use]
pub fn in_layer(layer: &Layer, furniture: &[CharSpan]) -> Vec<Proposal> {
    let mut found: Vec<Proposal> = Vec::new();
    for span in furniture {
        take(layer, span.range(), Witness::Furniture, &mut found);
    }
    let last = (1..=PAGES).rev().find_map(|page| layer.page_span(page));
    let end = last.map_or(0, |span| span.end().index());
    let beside = |at: usize| furniture.iter().any(|span| span.contains(CharOffset::from_index(at)));
    let mut from = 0;
    let characters = layer.characters();
    while from < end {
        let until = (from..end)
            .find(|at| characters.get(*at).is_some_and(|one| matches!(one, '\n' | '\u{c}')))
            .unwrap_or(end);
        if !beside(from) {
            take(layer, from..until, Witness::Text, &mut found);
        }
        from = until + 1;
    }
    // The same foot stands on every page.
    let mut once: Vec<Proposal> = Vec::new();
    for proposal in found {
        if !once
            .iter()
            .any(|one| one.said == proposal.said && one.witness == proposal.witness)
        {
            once.push(proposal);
        }
    }
    once
}

/// What a file's name says, without its ending.
#[must_use]
pub fn in_name(name: &str) -> Vec<Proposal> {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let spaced: String = stem
        .chars()
        .map(|one| {
            if matches!(one, '_' | '(' | ')' | '[' | ']') {
                ' '
            } else {
                one
            }
        })
        .collect();
    let mut found = Vec::new();
    // "sop-114-rev-b": hyphens part words, unless they part a date.
    let dated = spaced.split_whitespace().find_map(date_within);
    if let Some(date) = dated {
        found.push(of_name(Said::Effective(date), stem));
    }
    let apart = spaced.replace('-', " ");
    if let Some((value, _)) = revision_in(&words_of(&apart)) {
        found.push(of_name(Said::Revision(value), stem));
    }
    found
}

/// A date written with hyphens inside a word: `rfp_2025-05-23`.
fn date_within(word: &str) -> Option<NaiveDate> {
    let characters: Vec<char> = word.chars().collect();
    characters.windows(10).find_map(|window| {
        let text: String = window.iter().collect();
        let is_plain = text.as_bytes().get(4) == Some(&b'-') && text.as_bytes().get(7) == Some(&b'-');
        read_date(&text).ok().filter(|_| is_plain)
    })
}

fn of_name(said: Said, stem: &str) -> Proposal {
    Proposal {
        said,
        witness: Witness::Name,
        words: stem.to_owned(),
        place: None,
    }
}

/// A word of a line with its place, in characters of the line.
type Word = (Range<usize>, String);

fn words_of(line: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for (at, one) in line.chars().enumerate() {
        if one.is_whitespace() {
            continue;
        }
        match words.last_mut() {
            Some((range, word)) if range.end == at => {
                word.push(one);
                range.end = at + 1;
            }
            _ => words.push((at..at + 1, one.to_string())),
        }
    }
    words
}

fn take(layer: &Layer, range: Range<usize>, witness: Witness, found: &mut Vec<Proposal>) {
    let Some(characters) = layer.characters().get(range.clone()) else {
        return;
    };
    let line: String = characters.iter().collect();
    let words = words_of(&line);
    let said_there = |said: Said, within: Range<usize>| Proposal {
        said,
        witness,
        words: line.chars().skip(within.start).take(within.len()).collect(),
        place: Some(CharSpan::of_indices(
            range.start + within.start,
            range.start + within.end,
        )),
    };
    if (witness == Witness::Furniture || words.len() <= LONGEST_LINE)
        && let Some((value, within)) = revision_in(&words)
    {
        found.push(said_there(Said::Revision(value), within));
    }
    for (phrases, is_effective) in [(&EFFECTIVE_WORDS[..], true), (&APPROVED_WORDS[..], false)] {
        if let Some((date, within)) = date_after(&words, phrases) {
            let said = if is_effective {
                Said::Effective(date)
            } else {
                Said::Approved(date)
            };
            found.push(said_there(said, within));
        }
    }
}

/// The first revision that a line names, and where.
fn revision_in(words: &[Word]) -> Option<(String, Range<usize>)> {
    for (index, (range, word)) in words.iter().enumerate() {
        let lower = word.to_lowercase();
        let bare = lower.trim_matches(|one: char| !one.is_alphanumeric());
        if REVISION_WORDS.contains(&bare) && bare != "v" {
            let next = words.iter().skip(index + 1).find(|(_, next)| {
                let next = next.to_lowercase();
                let next = next.trim_end_matches(['.', ':']);
                !next.is_empty() && next != "#" && !NUMBER_WORDS.contains(&next)
            });
            if let Some((at, value)) = next.filter(|(at, _)| at.start <= range.end + 8)
                && let Some(value) = revision_name(value)
            {
                return Some((value, range.start..at.end));
            }
        }
        // "Rev.260522", "v2.1": the name is part of the word.
        let glued = REVISION_WORDS
            .iter()
            .filter_map(|prefix| lower.strip_prefix(prefix))
            .filter(|rest| {
                let rest = rest.trim_start_matches(['.', ':']);
                let is_letter = lower.starts_with("rev") && rest.chars().count() == 1;
                is_letter || rest.starts_with(|one: char| one.is_ascii_digit())
            })
            .min_by_key(|rest| rest.len());
        if let Some(rest) = glued {
            let value: String = word.chars().skip(word.chars().count() - rest.chars().count()).collect();
            if let Some(value) = revision_name(value.trim_start_matches(['.', ':'])) {
                return Some((value, range.clone()));
            }
        }
    }
    None
}

/// A name that a revision can have: with a digit, or one capital letter.
fn revision_name(word: &str) -> Option<String> {
    let bare = word.trim_matches(|one: char| !one.is_alphanumeric());
    let plain = bare
        .chars()
        .all(|one| one.is_alphanumeric() || matches!(one, '.' | '-' | '/'));
    let is_letter = bare.chars().count() == 1 && bare.chars().all(char::is_alphabetic);
    let counts = bare.chars().count() <= 16 && (bare.chars().any(|one| one.is_ascii_digit()) || is_letter);
    (plain && counts).then(|| {
        if is_letter {
            bare.to_uppercase()
        } else {
            bare.to_owned()
        }
    })
}

/// The date after one of these phrases, the longest phrase first, and where both stand.
fn date_after(words: &[Word], phrases: &[&str]) -> Option<(NaiveDate, Range<usize>)> {
    let lower: Vec<String> = words
        .iter()
        .map(|(_, word)| {
            word.to_lowercase()
                .trim_matches(|one: char| !one.is_alphanumeric())
                .to_owned()
        })
        .collect();
    for (index, (range, _)) in words.iter().enumerate() {
        let length = phrases
            .iter()
            .map(|phrase| phrase.split(' ').collect::<Vec<&str>>())
            .filter(|phrase| {
                let here = lower.get(index..index + phrase.len()).unwrap_or_default();
                here.iter().map(String::as_str).eq(phrase.iter().copied())
            })
            .map(|phrase| phrase.len())
            .max();
        let Some(length) = length else { continue };
        for skipped in 0..2 {
            let from = index + length + skipped;
            for count in (1..=DATE_WORDS).rev() {
                let Some(part) = words.get(from..from + count) else {
                    continue;
                };
                let text: Vec<&str> = part.iter().map(|(_, word)| word.as_str()).collect();
                let text = text.join(" ");
                let text = text.trim_matches(|one: char| !one.is_alphanumeric());
                if let (Ok(date), Some((last, _))) = (read_date(text), part.last()) {
                    return Some((date, range.start..last.end));
                }
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap_or_else(|_| unreachable!("{text} is a day"))
    }

    fn lines(text: &str) -> Vec<Said> {
        let layer = Layer::new(text).unwrap_or_else(|_| unreachable!("{text} is a text"));
        in_layer(&layer, &[]).into_iter().map(|one| one.said).collect()
    }

    #[test]
    fn what_pages_say_of_their_revision_is_proposed() {
        let revision = |name: &str| Said::Revision(name.to_owned());
        for (line, expected) in [
            ("SOP-114 rev C", vec![revision("C")]),
            ("Rev. 260522", vec![revision("260522")]),
            ("Rev.260522", vec![revision("260522")]),
            ("Revision No. 4", vec![revision("4")]),
            ("Versión 2.1", vec![revision("2.1")]),
            ("Fassung 2026-03", vec![revision("2026-03")]),
            ("v1.2", vec![revision("1.2")]),
            (
                "Edition 2026. In force from 1 February 2026.",
                vec![revision("2026"), Said::Effective(day("2026-02-01"))],
            ),
            ("Effective 15 April 2024", vec![Said::Effective(day("2024-04-15"))]),
            (
                "Effective date: April 15, 2024",
                vec![Said::Effective(day("2024-04-15"))],
            ),
            (
                "En vigor desde el 14 de septiembre de 2026",
                vec![Said::Effective(day("2026-09-14"))],
            ),
            (
                "Gültig ab 14.09.2026, genehmigt am 01.09.2026",
                vec![Said::Effective(day("2026-09-14"))],
            ),
            ("Approved on 2026-01-20", vec![Said::Approved(day("2026-01-20"))]),
        ] {
            assert_eq!(lines(line), expected, "{line}");
        }
    }

    #[test]
    fn what_is_no_revision_is_not_proposed() {
        for line in [
            "This revision replaces all others",
            "the version of the customer",
            "Effective 03/09/2026",
            "Effective February 30, 2026",
            "reviewed every 24 months",
            "The laboratory runs version 4.1 of the software on each of the seven instruments in the room",
            "vial 5",
        ] {
            assert_eq!(lines(line), [], "{line}");
        }
    }

    #[test]
    fn a_name_says_its_version_and_its_date() {
        let said = |name: &str| in_name(name).into_iter().map(|one| one.said).collect::<Vec<_>>();
        let revision = |name: &str| Said::Revision(name.to_owned());
        assert_eq!(said("sop-114-rev-b.pdf"), [revision("B")]);
        assert_eq!(said("sop_0001-v2-isolation.pdf"), [revision("2")]);
        assert_eq!(
            said("rfp_revA_2025-03-24.md"),
            [Said::Effective(day("2025-03-24")), revision("A")]
        );
        assert_eq!(said("Travel Policy (v2.1).pdf"), [revision("2.1")]);
        assert_eq!(said("travel-policy.pdf"), []);
    }

    #[test]
    fn a_foot_is_said_once_with_its_place() {
        let text = "Title\nSOP rev C\u{c}Text\nSOP rev C";
        let layer = Layer::new(text).unwrap_or_else(|_| unreachable!("{text} is a text"));
        let feet = [CharSpan::of_indices(6, 15), CharSpan::of_indices(21, 30)];
        let found = in_layer(&layer, &feet);
        assert_eq!(found.len(), 1, "{found:?}");
        let said = found.first().map(|one| (one.witness, one.words.as_str(), one.place));
        let place = Some(CharSpan::of_indices(10, 15));
        assert_eq!(said, Some((Witness::Furniture, "rev C", place)));
    }
}
