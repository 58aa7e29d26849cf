//! Lines of type for the row check: runs of words as the layer writes them, set on lines by where they stand, and whether
//! one reads on from another.
//!
//! Deliberately not here: columns. A run ends where the layer breaks the line or leaves a wide gap.

use super::tables::paper::{Paper, Word};
use crate::text::{CharSpan, Rect};
use std::collections::BTreeSet;

/// A gap wider than this (font sizes) ends a run.
const GAP: f32 = 0.8;
/// So many words about one line are asked whether a small one hangs on them.
const MOST_BESIDE: usize = 400;

/// Words that a line may break after.
const OPEN_ENDS: [&str; 14] = [
    "and", "or", "of", "the", "for", "in", "to", "with", "by", "de", "del", "la", "y", "para",
];

/// Words that the layer writes one after the other on one line.
#[derive(Debug, Clone)]
pub(super) struct Run {
    pub(super) rect: Rect,
    pub(super) span: CharSpan,
    /// Whether all of it is amounts.
    pub(super) amount: bool,
    /// Whether it is a year.
    pub(super) year: bool,
}

/// Runs that stand side by side.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) centre: f32,
    pub(super) rect: Rect,
    /// From left to right.
    pub(super) runs: Vec<Run>,
}

/// The lines of some words (in the layer's order), from the top. Marks are left out: bullets, and what hangs on a larger
/// word. Many writers set them all at the end of the page, so that their place in the layer says nothing of rows.
pub(super) fn lines(paper: &Paper, characters: &[char], words: &[usize]) -> Vec<Line> {
    let mut runs: Vec<Run> = Vec::new();
    let hanging = hanging(paper, words);
    let text = |index: usize| {
        let word = paper.words.get(index)?;
        characters.get(word.span.range())
    };
    let (marks, words): (Vec<usize>, Vec<usize>) = words
        .iter()
        .partition(|index| hanging.contains(index) || text(**index).is_none_or(is_mark));
    let marks: Vec<Rect> = marks
        .iter()
        .filter_map(|index| paper.words.get(*index))
        .map(|word| word.rect)
        .collect();
    // A gap is none where a mark stands in it.
    let apart = |left: Rect, right: Rect| {
        let filled = || {
            marks.iter().any(|mark| {
                let (x, y) = mark.centre();
                left.x1 - 1.0 <= x && x <= right.x0 + 1.0 && left.y0 - 2.0 <= y && y <= left.y1 + 2.0
            })
        };
        let gap = right.x0 - left.x1;
        gap > GAP * paper.type_size && (gap > 4.0 * paper.type_size || !filled())
    };
    let goes_on = |run: &Run, word: &Word| {
        let raised = (word.rect.centre().1 - run.rect.centre().1).abs() > 0.4 * paper.type_size;
        let gap = apart(run.rect, word.rect) || apart(word.rect, run.rect);
        let amounts = run.amount && word.amount && word.rect.x0 - run.rect.x1 > 0.35 * paper.type_size;
        !(raised || gap || amounts || broken(characters, run.span, word.span))
    };
    for word in words.iter().filter_map(|index| paper.words.get(*index)) {
        let text = characters.get(word.span.range()).unwrap_or_default();
        let year = text.len() == 4 && text.iter().all(char::is_ascii_digit) && matches!(text.first(), Some('1' | '2'));
        match runs.last_mut() {
            Some(run) if goes_on(run, word) => {
                run.rect = run.rect.union(word.rect);
                run.span = CharSpan::of_indices(run.span.start().index(), word.span.end().index());
                run.amount &= word.amount;
                run.year = false;
            }
            _ => runs.push(Run {
                rect: word.rect,
                span: word.span,
                amount: word.amount,
                year,
            }),
        }
    }
    runs.sort_by(|one, other| one.rect.centre().1.total_cmp(&other.rect.centre().1));
    let mut lines: Vec<Line> = Vec::new();
    for run in runs {
        let centre = run.rect.centre().1;
        let tall = (run.rect.y1 - run.rect.y0).min(1.6 * paper.type_size);
        match lines.last_mut() {
            Some(line) if centre - line.centre <= 0.36 * tall.max(paper.type_size) => {
                line.rect = line.rect.union(run.rect);
                line.runs.push(run);
            }
            _ => lines.push(Line {
                centre,
                rect: run.rect,
                runs: vec![run],
            }),
        }
    }
    for line in &mut lines {
        line.runs.sort_by(|one, other| one.rect.x0.total_cmp(&other.rect.x0));
    }
    lines
}

/// Whether a word is nothing but signs, and none that stands for an amount.
fn is_mark(text: &[char]) -> bool {
    text.iter()
        .all(|character| !character.is_alphanumeric() && !"-–—−.…%$€£".contains(*character))
}

/// Words of up to three code points, clearly smaller than a word that they touch: raised and lowered ones.
fn hanging(paper: &Paper, words: &[usize]) -> BTreeSet<usize> {
    let high = |rect: Rect| rect.y1 - rect.y0;
    let mut placed: Vec<(f32, usize, Rect)> = words
        .iter()
        .filter_map(|index| {
            paper
                .words
                .get(*index)
                .map(|word| (word.rect.centre().1, *index, word.rect))
        })
        .collect();
    placed.sort_by(|one, other| one.0.total_cmp(&other.0));
    let touch = paper.type_size;
    let hangs = |(centre, index, rect): &(f32, usize, Rect)| {
        let short = paper.words.get(*index).is_some_and(|word| word.span.len() <= 3);
        let first = placed.partition_point(|(other, _, _)| *other < centre - paper.type_size);
        short
            && placed
                .iter()
                .skip(first)
                .take(MOST_BESIDE)
                .take_while(|(other, _, _)| *other <= centre + paper.type_size)
                .any(|(_, _, other)| {
                    let raised = other.y1 - rect.y1 > 0.3 * high(*other);
                    let lowered = rect.y0 - other.y0 > 0.3 * high(*other) && rect.y1 - other.y1 > 0.05 * high(*other);
                    high(*rect) < 0.82 * high(*other)
                        && (raised || lowered)
                        && rect.y0 < other.y1
                        && other.y0 < rect.y1
                        && rect.x0 < other.x1 + touch
                        && other.x0 < rect.x1 + touch
                })
    };
    placed
        .iter()
        .filter(|word| hangs(word))
        .map(|(_, index, _)| *index)
        .collect()
}

/// Whether the layer breaks the line between two spans, or writes something else between them.
fn broken(characters: &[char], one: CharSpan, other: CharSpan) -> bool {
    let between = characters.get(one.end().index()..other.start().index());
    between.is_none_or(|between| {
        between.len() > 40
            || between
                .iter()
                .any(|character| *character == '\n' || character.is_alphanumeric())
    })
}

/// Whether a text reads on from another: a small letter, or after an open end.
pub(super) fn continues(characters: &[char], above: CharSpan, below: CharSpan) -> bool {
    let text = |span: CharSpan| characters.get(span.range()).unwrap_or_default();
    let before: String = text(above).iter().collect();
    let last = before.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    let first = text(below).iter().find(|character| !character.is_whitespace());
    let unclosed = before.matches('(').count() > before.matches(')').count();
    let open = unclosed
        || before.trim_end().ends_with(['-', '\u{ad}', ',', '/', '(', '&'])
        || OPEN_ENDS.contains(&last.as_str());
    !before.trim_end().ends_with(':') && (open || first.is_some_and(|first| first.is_lowercase() || *first == '('))
}

/// Whether a parenthesis of a text is not closed in it.
pub(super) fn is_open(characters: &[char], span: CharSpan) -> bool {
    let text = characters.get(span.range()).unwrap_or_default();
    let count = |wanted: char| text.iter().filter(|character| **character == wanted).count();
    count('(') > count(')')
}

pub(super) fn median(mut values: Vec<f32>) -> f32 {
    let middle = values.len() / 2;
    if values.is_empty() {
        0.0
    } else {
        *values.select_nth_unstable_by(middle, f32::total_cmp).1
    }
}

pub(super) fn step(pair: &[Line]) -> f32 {
    match pair {
        [one, other] => other.centre - one.centre,
        _ => 0.0,
    }
}
