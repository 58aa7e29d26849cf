//! Columns of text without upright rulings: where most lines leave a gap, and what stands between the gaps.
//!
//! Deliberately not here: rows. Columns are found from all lines of an area at once, so that one long label or a heading
//! over several columns decides nothing.

use super::lines::{Line, Segment};
use super::paper::Paper;
use crate::text::Rect;

/// A table with more columns is none.
const MOST_COLUMNS: usize = 80;

/// From left to right; no two overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Column {
    pub(super) x0: f32,
    pub(super) x1: f32,
}

impl Column {
    pub(super) fn centre(self) -> f32 {
        f32::midpoint(self.x0, self.x1)
    }

    fn overlap(self, rect: Rect) -> f32 {
        (self.x1.min(rect.x1) - self.x0.max(rect.x0)).max(0.0)
    }
}

/// A part of a line that stands in one column, or over several.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) first: usize,
    pub(super) last: usize,
    pub(super) rect: Rect,
    pub(super) words: Vec<usize>,
    pub(super) amount: bool,
}

impl Entry {
    pub(super) fn spans(&self) -> bool {
        self.last > self.first
    }
}

/// Lines with about as many segments as most have; headings over columns and lone labels have fewer.
fn body(lines: &[Line]) -> Vec<&Line> {
    let mut counts: Vec<usize> = lines.iter().map(|line| line.segments.len()).collect();
    counts.sort_unstable();
    let many = counts.get(counts.len() * 4 / 5).copied().unwrap_or(0).max(2);
    lines
        .iter()
        .filter(|line| line.segments.len() * 2 >= many && line.segments.len() >= 2)
        .collect()
}

/// The columns of some lines.
pub(super) fn columns(paper: &Paper, lines: &[Line]) -> Vec<Column> {
    let body = body(lines);
    let few = body.len();
    let ignored = if few >= 6 {
        (few * 12 / 100).max(1)
    } else {
        usize::from(few >= 4)
    };
    // +1 where a segment begins, -1 where it ends.
    let mut ends: Vec<(f32, i32)> = Vec::new();
    for segment in body.iter().flat_map(|line| &line.segments) {
        ends.extend([(segment.rect.x0, 1), (segment.rect.x1, -1)]);
    }
    ends.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
    let (mut depth, mut open) = (0_i32, None);
    let mut found: Vec<Column> = Vec::new();
    let ignored = i32::try_from(ignored).unwrap_or(0);
    for (x, step) in ends {
        let before = depth;
        depth += step;
        if before <= ignored && depth > ignored {
            open = Some(x);
        } else if before > ignored
            && depth <= ignored
            && let Some(x0) = open.take()
        {
            found.push(Column { x0, x1: x });
        }
    }
    if found.len() > MOST_COLUMNS {
        return Vec::new();
    }
    add_lone(paper, lines, &mut found);
    if found.len() > MOST_COLUMNS {
        return Vec::new();
    }
    join_exclusive(lines, &mut found);
    found
}

/// Segments that stand in no column make columns of their own, where they keep away from the others.
fn add_lone(paper: &Paper, lines: &[Line], found: &mut Vec<Column>) {
    let mut lone: Vec<Column> = Vec::new();
    for segment in lines.iter().flat_map(|line| &line.segments) {
        let away = |column: &Column| column.overlap(segment.rect) <= 0.0;
        if found.iter().all(away) {
            lone.push(Column {
                x0: segment.rect.x0,
                x1: segment.rect.x1,
            });
        }
    }
    lone.sort_by(|one, other| one.x0.total_cmp(&other.x0));
    let mut merged: Vec<Column> = Vec::new();
    for column in lone {
        match merged.last_mut() {
            Some(last) if column.x0 <= last.x1 => last.x1 = last.x1.max(column.x1),
            _ => merged.push(column),
        }
    }
    let room = 0.25 * paper.type_size;
    merged.retain(|column| {
        found
            .iter()
            .all(|other| other.x1 + room <= column.x0 || column.x1 + room <= other.x0)
    });
    found.extend(merged);
    found.sort_by(|one, other| one.x0.total_cmp(&other.x0));
}

/// Neighbours that no line fills both of are one column, differently aligned.
fn join_exclusive(lines: &[Line], found: &mut Vec<Column>) {
    let mut at = 0;
    while let Some([one, other]) = found.get(at..at + 2) {
        let (one, other) = (*one, *other);
        let fills =
            |line: &Line, column: Column| line.segments.iter().any(|segment| column.overlap(segment.rect) > 0.0);
        let both = lines.iter().any(|line| {
            fills(line, one)
                && fills(line, other)
                && !line
                    .segments
                    .iter()
                    .any(|segment| one.overlap(segment.rect) > 0.0 && other.overlap(segment.rect) > 0.0)
        });
        if both {
            at += 1;
        } else {
            found.remove(at + 1);
            if let Some(slot) = found.get_mut(at) {
                slot.x1 = other.x1;
            }
        }
    }
}

/// The parts of a line, each in its column or over several.
pub(super) fn entries(paper: &Paper, line: &Line, columns: &[Column]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for segment in &line.segments {
        for part in parts(paper, segment, columns) {
            let Some((first, last)) = reach(paper, part.rect, columns) else {
                continue;
            };
            match entries.last_mut() {
                // Two parts of one cell with a wide gap between them.
                Some(entry) if entry.last >= first => {
                    entry.last = entry.last.max(last);
                    entry.rect = entry.rect.union(part.rect);
                    entry.words.extend(part.words);
                    entry.amount &= part.amount;
                }
                _ => entries.push(Entry {
                    first,
                    last,
                    rect: part.rect,
                    words: part.words,
                    amount: part.amount,
                }),
            }
        }
    }
    entries
}

/// First and last column that a rectangle stands in; the nearest where it stands in none.
pub(super) fn reach(paper: &Paper, rect: Rect, columns: &[Column]) -> Option<(usize, usize)> {
    let width = (rect.x1 - rect.x0).max(0.1);
    let stands = |column: &Column| {
        let overlap = column.overlap(rect);
        overlap > 0.45 * paper.type_size || overlap > 0.5 * width || overlap > 0.5 * (column.x1 - column.x0).max(0.1)
    };
    let first = columns.iter().position(stands);
    let last = columns.iter().rposition(stands);
    first.zip(last).or_else(|| {
        let centre = f32::midpoint(rect.x0, rect.x1);
        let far = |column: &Column| (column.x0 - centre).max(centre - column.x1);
        let nearest = (0..columns.len()).min_by(|one, other| {
            let at = |index: &usize| columns.get(*index).map_or(f32::INFINITY, &far);
            at(one).total_cmp(&at(other))
        })?;
        Some((nearest, nearest))
    })
}

/// A segment cut at the spaces that lie between two columns, where an amount stands on a side of the space or the space
/// is the widest one.
fn parts(paper: &Paper, segment: &Segment, columns: &[Column]) -> Vec<Segment> {
    let whole = || vec![segment.clone()];
    let Some((first, last)) = reach(paper, segment.rect, columns).filter(|(first, last)| last > first) else {
        return whole();
    };
    let word = |index: usize| segment.words.get(index).and_then(|word| paper.words.get(*word));
    let gap = |index: usize| {
        word(index)
            .zip(word(index + 1))
            .map_or(0.0, |(one, other)| other.rect.x0 - one.rect.x1)
    };
    let widest = (0..segment.words.len().saturating_sub(1)).map(gap).fold(0.0, f32::max);
    let mut cuts: Vec<usize> = Vec::new();
    for pair in columns.get(first..=last).unwrap_or_default().windows(2) {
        let [left, right] = pair else { continue };
        let slack = 0.35 * paper.type_size;
        let best = (0..segment.words.len().saturating_sub(1))
            .filter(|at| {
                let Some((one, other)) = word(*at).zip(word(*at + 1)) else {
                    return false;
                };
                one.rect.x1 <= right.x0 + slack
                    && other.rect.x0 >= left.x1 - slack
                    && one.rect.x1 - slack <= other.rect.x0
            })
            .filter(|at| {
                let Some((one, other)) = word(*at).zip(word(*at + 1)) else {
                    return false;
                };
                let space = gap(*at);
                (one.amount || other.amount) && space >= 0.1 * paper.type_size
                    || space >= 0.4 * paper.type_size && space >= widest * 0.95 && segment.words.len() > 2
            })
            .max_by(|one, other| gap(*one).total_cmp(&gap(*other)));
        cuts.extend(best);
    }
    cuts.sort_unstable();
    cuts.dedup();
    let mut made = Vec::new();
    let mut from = 0;
    for until in cuts.into_iter().map(|cut| cut + 1).chain([segment.words.len()]) {
        let words: Vec<usize> = segment.words.get(from..until).unwrap_or_default().to_vec();
        from = until;
        let of = |index: &usize| paper.words.get(*index);
        if let Some(rect) = words
            .iter()
            .filter_map(|index| of(index).map(|word| word.rect))
            .reduce(Rect::union)
        {
            let amount = words.iter().all(|index| of(index).is_some_and(|word| word.amount));
            made.push(Segment { rect, words, amount });
        }
    }
    made
}
