//! Words set on lines, and lines cut into segments where a gap is wider than a space.
//!
//! Deliberately not here: which segments stand below each other (`columns`), which lines are one row (`rows`).

use super::paper::Paper;
use crate::text::Rect;

/// A gap wider than this share of the font size ends a segment: the widest space of justified text is narrower.
pub(super) const SEGMENT_GAP: f32 = 0.62;

/// Words of one line with no more than spaces between them.
#[derive(Debug, Clone)]
pub(super) struct Segment {
    pub(super) rect: Rect,
    /// From left to right.
    pub(super) words: Vec<usize>,
    /// Whether all of it is amounts.
    pub(super) amount: bool,
}

/// What stands on one line.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// Middle of the line's type.
    pub(super) centre: f32,
    pub(super) rect: Rect,
    /// From left to right.
    pub(super) segments: Vec<Segment>,
}

/// The lines of some words of a paper, from the top.
pub(super) fn lines(paper: &Paper, words: &[usize]) -> Vec<Line> {
    let mut sorted: Vec<(f32, Rect, usize)> = words
        .iter()
        .filter_map(|index| {
            let word = paper.words.get(*index)?;
            Some((word.rect.centre().1, word.rect, *index))
        })
        .collect();
    sorted.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut bands: Vec<(f32, f32, Vec<usize>)> = Vec::new();
    for (centre, rect, index) in sorted {
        let across = paper.words.get(index).is_some_and(|word| word.across);
        let high = if across { paper.type_size } else { rect.y1 - rect.y0 };
        match bands.last_mut() {
            Some((at, tall, band)) if centre - *at <= 0.42 * tall.max(high).min(paper.type_size * 2.5) => {
                // The taller word says where the line is: a footnote mark stands above it.
                if high > *tall * 1.15 {
                    *at = centre;
                    *tall = high;
                }
                band.push(index);
            }
            _ => bands.push((centre, high, vec![index])),
        }
    }
    bands
        .into_iter()
        .filter_map(|(centre, _, band)| line(paper, centre, band))
        .collect()
}

fn line(paper: &Paper, centre: f32, mut band: Vec<usize>) -> Option<Line> {
    let rect_of = |index: &usize| paper.words.get(*index).map(|word| word.rect);
    let left = |index: &usize| rect_of(index).map_or(0.0, |rect| rect.x0);
    band.sort_by(|one, other| left(one).total_cmp(&left(other)));
    let mut segments: Vec<Segment> = Vec::new();
    for index in band {
        let word = paper.words.get(index)?;
        match segments.last_mut() {
            Some(segment) if word.rect.x0 - segment.rect.x1 <= SEGMENT_GAP * paper.type_size => {
                segment.rect = segment.rect.union(word.rect);
                segment.words.push(index);
                segment.amount &= word.amount;
            }
            _ => segments.push(Segment {
                rect: word.rect,
                words: vec![index],
                amount: word.amount,
            }),
        }
    }
    let rect = segments.iter().map(|segment| segment.rect).reduce(Rect::union)?;
    Some(Line { centre, rect, segments })
}
