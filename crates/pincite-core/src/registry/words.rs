//! Which words of a section changed, for marking them side by side.
//!
//! Words are those of Unicode (UAX #29), compared under MatchFold, so that a line broken elsewhere, a hyphen at its end or
//! another dash is no change; the shortest script of edits over them is Myers' (crate `similar`, with its bounds, so that it
//! ends soon on anything). Every piece leads back to code points.
//!
//! Deliberately not here: similarity, and whether a difference matters. A changed digit is a piece like any other.

use super::sides::OwnText;
use crate::text::{CharOffset, CharSpan, MatchFolded};
use similar::{Algorithm, DiffOp, capture_diff_slices};
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation as _;

/// A stretch of one or both texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece {
    /// In both.
    Same {
        /// Where it was.
        before: CharSpan,
        /// Where it is.
        after: CharSpan,
    },
    /// Before, and not after.
    Removed {
        /// Where it was.
        before: CharSpan,
    },
    /// After, and not before.
    Added {
        /// Where it is.
        after: CharSpan,
    },
}

/// A word or a sign of a text, under the fold, and the code points it was made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) text: String,
    /// Indices into the text.
    pub(super) source: Range<usize>,
}

/// The words and signs of a folded text, without white space. A sign belongs to its number: "-5" is one word after a space,
/// and in "10-5" there is none.
pub(super) fn tokens(folded: &MatchFolded) -> Vec<Token> {
    // One character a unit, so that an index into the string leads back to a unit. A line-end hyphen is nothing in a word.
    let mut text = String::new();
    let mut units = Vec::new();
    for (unit, character) in folded.unit_texts().enumerate() {
        if let Some(character) = character {
            units.extend(std::iter::repeat_n(unit, character.len_utf8()));
            text.push(character);
        }
    }
    let mut tokens: Vec<Token> = Vec::new();
    let mut sign = false;
    let mut spaced = true;
    for (at, word) in text.split_word_bound_indices() {
        if word.chars().all(char::is_whitespace) {
            (sign, spaced) = (false, true);
            continue;
        }
        let place = units.get(at).zip(units.get(at + word.len() - 1));
        let Some(source) = place.and_then(|(first, last)| folded.source_of(*first..last + 1)) else {
            continue;
        };
        match tokens.last_mut() {
            Some(token) if sign && word.starts_with(char::is_numeric) => {
                token.text.push_str(word);
                token.source.end = source.end().index();
            }
            _ => tokens.push(Token {
                text: word.to_owned(),
                source: source.range(),
            }),
        }
        sign = spaced && word == "-";
        spaced = word.ends_with(['(', '[']);
    }
    tokens
}

/// Words as one string, each once between single spaces: equal strings are equal words.
pub(super) fn sentence(tokens: &[Token]) -> String {
    let words: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
    words.join(" ")
}

/// What changed, in runs of tokens.
pub(super) fn edits(before: &[Token], after: &[Token]) -> Vec<DiffOp> {
    let words = |tokens: &[Token]| tokens.iter().map(|token| token.text.clone()).collect::<Vec<String>>();
    capture_diff_slices(Algorithm::Myers, &words(before), &words(after))
}

/// The pieces of two texts, in order; spans count code points from the start of each. White space between pieces is in none.
#[must_use]
pub fn words(before: &str, after: &str) -> Vec<Piece> {
    let plain = |text: &str| {
        let characters: Vec<char> = text.chars().collect();
        let places = (0..characters.len())
            .map(|index| Some(CharOffset::from_index(index)))
            .collect();
        (MatchFolded::new(&characters), places)
    };
    let ((one, one_places), (other, other_places)) = (plain(before), plain(after));
    pieces(&one, &one_places, &other, &other_places)
}

/// The same for the own words of two sections; spans are those of their layers, so that none holds furniture or another
/// section, and a run of words over a page's end is several pieces.
pub(super) fn section_pieces(before: &OwnText, after: &OwnText) -> Vec<Piece> {
    pieces(&before.folded, &before.places, &after.folded, &after.places)
}

type Places = Vec<Option<CharOffset>>;

fn pieces(before: &MatchFolded, before_places: &Places, after: &MatchFolded, after_places: &Places) -> Vec<Piece> {
    let (one, other) = (tokens(before), tokens(after));
    let mut pieces = Vec::new();
    for edit in edits(&one, &other) {
        let (_, old, new) = edit.as_tag_tuple();
        let (old, new) = (one.get(old).unwrap_or_default(), other.get(new).unwrap_or_default());
        if matches!(edit, DiffOp::Equal { .. }) {
            let both = runs_together(old, before_places, new, after_places);
            pieces.extend(both.into_iter().map(|(before, after)| Piece::Same { before, after }));
        } else {
            pieces.extend(
                runs(old, before_places)
                    .into_iter()
                    .map(|before| Piece::Removed { before }),
            );
            pieces.extend(runs(new, after_places).into_iter().map(|after| Piece::Added { after }));
        }
    }
    pieces
}

/// Where a token stands; `None` for words that stand nowhere (a title known from an outline alone).
fn place(token: &Token, places: &Places) -> Option<CharSpan> {
    let mut known = places.get(token.source.clone())?.iter().flatten();
    let first = *known.next()?;
    let last = known.last().copied().unwrap_or(first);
    CharSpan::new(first, CharOffset::from_index(last.index() + 1))
}

/// Whether nothing but white space that belongs to the text stands between two tokens: their places follow each other as
/// their sources do.
fn follow(one: &Token, other: &Token, places: &Places) -> bool {
    place(one, places)
        .zip(place(other, places))
        .is_some_and(|(first, second)| {
            let gap = other.source.start.checked_sub(one.source.end);
            second.start().index().checked_sub(first.end().index()) == gap
        })
}

fn runs(tokens: &[Token], places: &Places) -> Vec<CharSpan> {
    let mut runs: Vec<CharSpan> = Vec::new();
    let mut last: Option<&Token> = None;
    for token in tokens {
        let Some(span) = place(token, places) else { continue };
        match runs.last_mut() {
            Some(run) if last.is_some_and(|last| follow(last, token, places)) => {
                *run = CharSpan::of_indices(run.start().index(), span.end().index());
            }
            _ => runs.push(span),
        }
        last = Some(token);
    }
    runs
}

fn runs_together(old: &[Token], old_places: &Places, new: &[Token], new_places: &Places) -> Vec<(CharSpan, CharSpan)> {
    let mut runs: Vec<(CharSpan, CharSpan)> = Vec::new();
    let mut last: Option<(&Token, &Token)> = None;
    for (one, other) in old.iter().zip(new) {
        let (Some(before), Some(after)) = (place(one, old_places), place(other, new_places)) else {
            continue;
        };
        let joins = last.is_some_and(|last| follow(last.0, one, old_places) && follow(last.1, other, new_places));
        match runs.last_mut() {
            Some(run) if joins => {
                run.0 = CharSpan::of_indices(run.0.start().index(), before.end().index());
                run.1 = CharSpan::of_indices(run.1.start().index(), after.end().index());
            }
            _ => runs.push((before, after)),
        }
        last = Some((one, other));
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(before: &str, after: &str) -> String {
        let slice = |text: &str, span: CharSpan| {
            text.chars()
                .skip(span.start().index())
                .take(span.len())
                .collect::<String>()
        };
        words(before, after)
            .into_iter()
            .map(|piece| match piece {
                Piece::Same { before: span, .. } => slice(before, span),
                Piece::Removed { before: span } => format!("-[{}]", slice(before, span)),
                Piece::Added { after: span } => format!("+[{}]", slice(after, span)),
            })
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn changed_words_are_marked_and_no_others() {
        assert_eq!(
            shown("kept for 5 years.", "kept for 7 years."),
            "kept for -[5] +[7] years."
        );
        assert_eq!(
            shown("It must be kept.", "It must not be kept."),
            "It must +[not] be kept."
        );
        assert_eq!(shown("1,000.50 €", "1,000.00 €"), "-[1,000.50] +[1,000.00] €");
        assert_eq!(shown("😀 a b", "😀 a c"), "😀 a -[b] +[c]");
        assert_eq!(shown("", "all new"), "+[all new]");
        assert_eq!(shown("all gone", " "), "-[all gone]");
        assert_eq!(shown("", ""), "");
    }

    #[test]
    fn breaks_hyphens_at_line_ends_and_dashes_are_no_words() {
        assert_eq!(
            shown("the docu-\nment\u{2014}here", "the document-here"),
            "the docu-\nment\u{2014}here"
        );
        assert_eq!(shown("a  b\u{c}c", "a b\nc"), "a  b\u{c}c");
        assert_eq!(shown("1\u{d7} (a)", "1 \u{d7} ( a )"), "1\u{d7} (a)");
        // A sign is none of these.
        assert_eq!(shown("at - 5", "at -5"), "at -[- 5] +[-5]");
        assert_eq!(shown("5-10", "5 -10"), "5 -[-10] +[-10]");
        assert_eq!(shown("\u{201c}so\u{201d}", "\"so\""), "\u{201c}so\u{201d}");
    }

    proptest! {
        #[test]
        fn pieces_cover_every_word_once_and_in_order(
            before in "[ab1 .\n-]{0,40}", after in "[ab1 .\n-]{0,40}",
        ) {
            let (mut old, mut new) = (0, 0);
            let same: Vec<(String, String)> = words(&before, &after).into_iter().filter_map(|piece| {
                let step = |span: CharSpan, reached: &mut usize, text: &str| {
                    assert!(*reached <= span.start().index() && !span.is_empty());
                    let between: String = text.chars().skip(*reached).take(span.start().index() - *reached).collect();
                    assert!(between.trim().is_empty(), "{between:?}");
                    *reached = span.end().index();
                    text.chars().skip(span.start().index()).take(span.len()).collect::<String>()
                };
                match piece {
                    Piece::Same { before: one, after: other } => {
                        Some((step(one, &mut old, &before), step(other, &mut new, &after)))
                    }
                    Piece::Removed { before: one } => { step(one, &mut old, &before); None }
                    Piece::Added { after: other } => { step(other, &mut new, &after); None }
                }
            }).collect();
            prop_assert!(before.chars().skip(old).all(|rest| rest.is_whitespace() || rest == '-'));
            prop_assert!(after.chars().skip(new).all(|rest| rest.is_whitespace() || rest == '-'));
            let plain = |text: &str| text.chars().filter(|one| one.is_alphanumeric()).collect::<String>();
            for (one, other) in same {
                prop_assert_eq!(plain(&one), plain(&other));
            }
            let changed = words(&before, &before).iter().any(|piece| !matches!(piece, Piece::Same { .. }));
            prop_assert!(!changed);
        }
    }
}
