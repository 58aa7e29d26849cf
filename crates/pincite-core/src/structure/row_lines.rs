//! Lines of type for the row check: runs of words as the layer writes them, set on lines by where they stand.
//!
//! Deliberately not here: columns. A run ends where the layer breaks the line or leaves a wide gap.

use super::tables::paper::Paper;
use crate::text::{CharSpan, Rect};

/// A gap wider than this (font sizes) ends a run.
const GAP: f32 = 0.8;

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

/// The lines of some words (in the layer's order), from the top.
pub(super) fn lines(paper: &Paper, characters: &[char], words: &[usize]) -> Vec<Line> {
    let mut runs: Vec<Run> = Vec::new();
    for word in words.iter().filter_map(|index| paper.words.get(*index)) {
        let text = characters.get(word.span.range()).unwrap_or_default();
        let year = text.len() == 4 && text.iter().all(char::is_ascii_digit) && matches!(text.first(), Some('1' | '2'));
        match runs.last_mut() {
            Some(run)
                if (word.rect.centre().1 - run.rect.centre().1).abs() <= 0.4 * paper.type_size
                    && word.rect.x0 - run.rect.x1 <= GAP * paper.type_size
                    && run.rect.x0 - word.rect.x1 <= GAP * paper.type_size
                    && !broken(characters, run.span, word.span)
                    && !(run.amount && word.amount && word.rect.x0 - run.rect.x1 > 0.35 * paper.type_size) =>
            {
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

/// Whether the layer breaks the line between two spans, or writes something else between them.
fn broken(characters: &[char], one: CharSpan, other: CharSpan) -> bool {
    let between = characters.get(one.end().index()..other.start().index());
    between.is_none_or(|between| {
        between.len() > 40
            || between
                .iter()
                .any(|character| *character == '\n' || !character.is_whitespace())
    })
}
