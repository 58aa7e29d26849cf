//! VerifyFold a second time, written plainly from its definition, to decide what the programs should have said.
//!
//! NFKC, except that superscripts, subscripts and fractions stay themselves; white space collapsed and trimmed; full case
//! folding; zero-width characters and soft hyphens dropped. Each line-end hyphen may be read as joined or as a hyphen, on
//! either side (between two digits as a hyphen only). Which characters are superscripts, subscripts and fractions is
//! asked of Python's own copy of the Unicode data, not of Pincite's table.
//!
//! Why a graph: the readings of a text are the ways through a small graph, and two texts are equal when some way through
//! the one spells the same as some way through the other. Nothing of this is shared with `pincite-core`.
//!
//! Deliberately not here: speed, and a map back into the layer.

use crate::corpus_documents::run;
use std::collections::{HashMap, HashSet};
use std::process::Command;
use unicode_normalization::UnicodeNormalization as _;

const LIST_KEPT: &str = "import unicodedata
tags = ('<super>', '<sub>', '<fraction>')
print(*(code for code in range(0x110000) if unicodedata.decomposition(chr(code)).startswith(tags)))";

/// A piece of a folded text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    Plain(char),
    LineEndHyphen { may_join: bool },
}

/// A folded text.
#[derive(Debug)]
pub(crate) struct Folded(Vec<Piece>);

/// The definition, with what it needs to know of Unicode.
pub(crate) struct Definition {
    kept: HashSet<char>,
}

/// A place in the graph of a text's readings: before a piece, or after a hyphen whose space is still to come.
type Place = (usize, bool);

impl Definition {
    pub(crate) fn new() -> Result<Self, String> {
        let said = run(Command::new("python3").args(["-c", LIST_KEPT]))?;
        let listed = String::from_utf8_lossy(&said.stdout).into_owned();
        let kept: HashSet<char> = listed
            .split_whitespace()
            .filter_map(|code| char::from_u32(code.parse().ok()?))
            .collect();
        if kept.contains(&'²') && kept.contains(&'½') {
            Ok(Self { kept })
        } else {
            Err(format!("python3 does not know Unicode: {}", said.stderr))
        }
    }

    /// Folds a text.
    pub(crate) fn fold(&self, text: &[char]) -> Folded {
        let mut pieces = Vec::new();
        let mut plain = Vec::new();
        let mut at = 0;
        while at < text.len() {
            let character = text[at];
            let space = text[at + 1..].iter().take_while(|next| next.is_whitespace()).count();
            let ends_line = text[at + 1..at + 1 + space]
                .iter()
                .any(|next| "\n\r\u{b}\u{c}\u{85}\u{2028}\u{2029}".contains(*next));
            let before = at.checked_sub(1).map(|index| text[index]);
            let after = text.get(at + 1 + space).copied();
            let inside_word = before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric);
            let hyphen = character == '\u{ad}' || (matches!(character, '-' | '\u{2010}' | '\u{2011}') && inside_word);
            if hyphen && ends_line {
                self.fold_plain(&plain, &mut pieces);
                plain.clear();
                let between_digits = before.is_some_and(char::is_numeric) && after.is_some_and(char::is_numeric);
                pieces.push(Piece::LineEndHyphen {
                    may_join: !between_digits,
                });
                at += 1 + space;
            } else {
                plain.push(character);
                at += 1;
            }
        }
        self.fold_plain(&plain, &mut pieces);
        let is_space = |piece: &Piece| *piece == Piece::Plain(' ');
        pieces.dedup_by(|next, last| is_space(next) && is_space(last));
        if pieces.last().is_some_and(is_space) {
            pieces.pop();
        }
        if pieces.first().is_some_and(is_space) {
            pieces.remove(0);
        }
        Folded(pieces)
    }

    fn fold_plain(&self, text: &[char], pieces: &mut Vec<Piece>) {
        // Of all this, ASCII knows only small and large letters and white space. (For speed; most text is ASCII.)
        if text.iter().all(char::is_ascii) {
            let small = text.iter().map(char::to_ascii_lowercase);
            pieces.extend(small.map(|character| Piece::Plain(if character.is_whitespace() { ' ' } else { character })));
            return;
        }
        let zero_width = ['\u{ad}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}', '\u{feff}'];
        let mut decomposed = String::new();
        for character in text.iter().copied().filter(|character| !zero_width.contains(character)) {
            if self.kept.contains(&character) {
                decomposed.push(character);
            } else {
                decomposed.extend(std::iter::once(character).nfkd());
            }
        }
        let composed: String = decomposed.nfc().collect();
        let folded = caseless::default_case_fold_str(&composed);
        pieces.extend(
            folded
                .nfc()
                .map(|character| Piece::Plain(if character.is_whitespace() { ' ' } else { character })),
        );
    }

    /// Whether two texts are equal under the definition.
    pub(crate) fn equal(&self, one: &[char], other: &[char]) -> bool {
        let (one, other) = (self.fold(one), self.fold(other));
        same(&one.0, (0, false), &other.0, true)
    }
}

impl Folded {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The steps from a place: what each spells (nothing for a hyphen read as joined), and where it leads.
fn steps(pieces: &[Piece], (at, space_due): Place) -> Vec<(Option<char>, Place)> {
    match pieces.get(at) {
        None => Vec::new(),
        Some(_) if space_due => vec![(Some(' '), (at + 1, false))],
        Some(Piece::Plain(character)) => vec![(Some(*character), (at + 1, false))],
        Some(Piece::LineEndHyphen { may_join }) => {
            let mut steps: Vec<(Option<char>, Place)> = ['-', '\u{2010}']
                .into_iter()
                .flat_map(|hyphen| [(Some(hyphen), (at + 1, false)), (Some(hyphen), (at, true))])
                .collect();
            if *may_join {
                steps.push((None, (at + 1, false)));
            }
            steps
        }
    }
}

/// Whether some way through `text` from `start` spells the whole of `quote`: to the end of `text` where `to_the_end`.
/// Elsewhere the first step of `text` must spell something, so that a place has one beginning.
fn same(text: &[Piece], start: Place, quote: &[Piece], to_the_end: bool) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![(start, (0, false))];
    while let Some((left, right)) = open.pop() {
        if right == (quote.len(), false) && (!to_the_end || left == (text.len(), false)) {
            return true;
        }
        if !seen.insert((left, right)) {
            continue;
        }
        let right_steps = steps(quote, right);
        open.extend(
            right_steps
                .iter()
                .filter(|step| step.0.is_none())
                .map(|step| (left, step.1)),
        );
        for (spelled, next) in steps(text, left) {
            match spelled {
                None if to_the_end || left != start => open.push((next, right)),
                None => {}
                Some(_) => open.extend(
                    right_steps
                        .iter()
                        .filter(|step| step.0 == spelled)
                        .map(|step| (next, step.1)),
                ),
            }
        }
    }
    false
}

/// A folded layer in which quotes are counted.
pub(crate) struct Countable {
    pieces: Vec<Piece>,
    by_first: HashMap<char, Vec<usize>>,
    hyphens: Vec<usize>,
}

impl Countable {
    pub(crate) fn new(folded: Folded) -> Self {
        let mut by_first: HashMap<char, Vec<usize>> = HashMap::new();
        let mut hyphens = Vec::new();
        for (index, piece) in folded.0.iter().enumerate() {
            match piece {
                Piece::Plain(' ') => {}
                Piece::Plain(character) => by_first.entry(*character).or_default().push(index),
                Piece::LineEndHyphen { .. } => hyphens.push(index),
            }
        }
        Self {
            pieces: folded.0,
            by_first,
            hyphens,
        }
    }

    /// In how many places of the layer the quote stands. Overlapping places are places.
    pub(crate) fn occurrences(&self, quote: &Folded) -> usize {
        let quote = &quote.0;
        let mut firsts = HashSet::new();
        for (index, piece) in quote.iter().enumerate() {
            firsts.extend(steps(quote, (index, false)).into_iter().filter_map(|step| step.0));
            if !matches!(piece, Piece::LineEndHyphen { may_join: true }) {
                break;
            }
        }
        let mut starts: Vec<usize> = firsts
            .iter()
            .filter_map(|first| self.by_first.get(first))
            .flatten()
            .copied()
            .collect();
        if firsts.contains(&'-') || firsts.contains(&'\u{2010}') {
            starts.extend(&self.hyphens);
        }
        starts.sort_unstable();
        starts.retain(|start| self.stands_at(*start, quote));
        // A beginning before a line-end hyphen and the one behind it are one place.
        let between = |one: usize, other: usize| {
            self.pieces[one..other]
                .iter()
                .all(|piece| matches!(piece, Piece::LineEndHyphen { .. }))
        };
        starts.dedup_by(|next, last| between(*last, *next));
        starts.len()
    }

    fn stands_at(&self, start: usize, quote: &[Piece]) -> bool {
        // Plain against plain needs no search; most starts end here at once.
        let mut length = 0;
        while let (Some(Piece::Plain(quoted)), Some(Piece::Plain(here))) =
            (quote.get(length), self.pieces.get(start + length))
        {
            if quoted != here {
                return false;
            }
            length += 1;
        }
        length == quote.len()
            || (start + length < self.pieces.len() && same(&self.pieces, (start, false), quote, false))
    }
}

#[test]
fn the_definition_says_what_the_words_say() -> crate::Outcome {
    let definition = Definition::new()?;
    let characters = |text: &str| text.chars().collect::<Vec<char>>();
    for (one, other, equal) in [
        ("Records  must\nbe kept ", "records must be\u{a0}kept", true),
        ("reten\u{ad}\ntion", "retention", true),
        ("reten\u{ad}\ntion", "reten- tion", true),
        ("reten\u{ad}\ntion", "reten tion", false),
        ("10\u{ad}\n20", "1020", false),
        ("10⁶ ½", "106 1/2", false),
        ("Straße ﬁx", "STRASSE FIX", true),
        ("must not exceed", "must exceed", false),
    ] {
        assert_eq!(
            definition.equal(&characters(one), &characters(other)),
            equal,
            "{one:?} {other:?}"
        );
        assert_eq!(
            definition.equal(&characters(other), &characters(one)),
            equal,
            "{other:?} {one:?}"
        );
    }
    let layer = Countable::new(definition.fold(&characters("aaa reten\u{ad}\ntion. Retention, tion")));
    for (quote, places) in [
        ("aa", 2),
        ("retention", 2),
        ("tion", 3),
        ("\u{ad}\ntion", 3),
        ("reten-tion", 1),
        ("b", 0),
    ] {
        assert_eq!(
            layer.occurrences(&definition.fold(&characters(quote))),
            places,
            "{quote:?}"
        );
    }
    Ok(())
}
