//! The rows at the top of a table that name its columns: lines joined into labels, labels set above each other.
//!
//! A label that stands over several columns (a group) makes a level; what stands below it is one level deeper. A label
//! with nothing above or below it reaches over all levels, however its lines stand beside the others'.
//!
//! Deliberately not here: where the header ends (`rows`).

use super::columns::{Column, Entry};
use super::draft::DraftCell;
use super::paper::Paper;
use super::rules::Ruling;
use crate::text::Rect;

/// Lines of one label are no further apart than this many font sizes, middle to middle.
const LEADING: f32 = 1.75;

#[derive(Debug, Clone)]
struct Block {
    first: usize,
    last: usize,
    rect: Rect,
    /// Middle of its last line.
    centre: f32,
    words: Vec<usize>,
    level: usize,
}

/// The header's rows and its cells. `lines` are its lines with the middle of each.
pub(super) fn header(
    paper: &Paper,
    lines: &[(f32, Vec<Entry>)],
    columns: &[Column],
    level: &[Ruling],
    area: Rect,
) -> (usize, Vec<DraftCell>) {
    let mut blocks: Vec<Block> = Vec::new();
    for (number, (centre, entries)) in lines.iter().enumerate() {
        let below = lines.get(number + 1..).unwrap_or_default();
        for at in 0..entries.len() {
            let Some(entry) = entries.get(at) else { continue };
            let (first, last) = range(paper, entries, at, below, columns, level, area);
            let joins = blocks.iter().rposition(|block| {
                let alone = block.last > block.first
                    && block.first <= first
                    && last <= block.last
                    && !entries
                        .iter()
                        .enumerate()
                        .any(|(other, entry)| other != at && entry.first <= block.last && block.first <= entry.last)
                    && below.iter().any(|(_, entries)| {
                        entries
                            .iter()
                            .filter(|entry| block.first <= entry.first && entry.last <= block.last)
                            .count()
                            > 1
                    });
                (block.first == first && block.last == last || alone)
                    && centre - block.centre <= LEADING * paper.type_size
                    && !divided(level, block.rect, entry.rect)
            });
            match joins.and_then(|index| blocks.get_mut(index)) {
                Some(block) => {
                    block.rect = block.rect.union(entry.rect);
                    block.centre = *centre;
                    block.words.extend(&entry.words);
                }
                None => blocks.push(Block {
                    first,
                    last,
                    rect: entry.rect,
                    centre: *centre,
                    words: entry.words.clone(),
                    level: 0,
                }),
            }
        }
    }
    stacked(blocks)
}

/// Whether a level line runs between two rectangles, the one above the other.
fn divided(level: &[Ruling], above: Rect, below: Rect) -> bool {
    let (upper, lower) = (above.centre().1.max(above.y1 - 4.0), below.centre().1);
    let (from, to) = (above.x0.min(below.x0), above.x1.max(below.x1));
    level
        .iter()
        .any(|ruling| upper < ruling.at && ruling.at < lower && ruling.covers(from, to) > 0.5 * (to - from))
}

/// The columns that a label stands over: those it overlaps; those of the line drawn below it; those of the labels under a
/// group, shared out between the groups of one line.
fn range(
    paper: &Paper,
    entries: &[Entry],
    at: usize,
    below: &[(f32, Vec<Entry>)],
    columns: &[Column],
    level: &[Ruling],
    area: Rect,
) -> (usize, usize) {
    let Some(entry) = entries.get(at) else { return (0, 0) };
    let (mut first, mut last) = (entry.first, entry.last);
    // Two labels of a line never share a column: the middle decides.
    let neighbour = |index: Option<usize>| index.and_then(|index| entries.get(index));
    if let Some(left) = neighbour(at.checked_sub(1))
        && left.last >= first
        && first < last
    {
        first += 1;
    }
    if let Some(right) = neighbour(Some(at + 1))
        && right.first <= last
        && first < last
    {
        last -= 1;
    }
    let centre = entry.rect.centre().0;
    let width = area.x1 - area.x0;
    let drawn = level.iter().find(|ruling| {
        ruling.at > entry.rect.centre().1
            && ruling.at < entry.rect.y1 + 0.9 * paper.type_size
            && (ruling.length() < 0.92 * width || columns.first().is_some_and(|column| column.x1 < ruling.from + 1.0))
            && ruling.from - 2.0 <= entry.rect.x0
            && entry.rect.x1 <= ruling.to + 2.0
    });
    let inside = |from: f32, to: f32| {
        let holds = |column: &Column| from <= column.centre() && column.centre() <= to;
        columns.iter().position(holds).zip(columns.iter().rposition(holds))
    };
    if let Some(ruling) = drawn {
        if let Some((a, b)) = inside(ruling.from - 1.0, ruling.to + 1.0) {
            return (a.min(first), b.max(last));
        }
        return (first, last);
    }
    let next = below.first().map(|(_, entries)| entries.as_slice()).unwrap_or_default();
    let fuller = next.len() > entries.len() || below.iter().any(|(_, other)| other.len() > entries.len() + 1);
    if !fuller || entry.amount {
        return (first, last);
    }
    let left = neighbour(at.checked_sub(1)).map(|other| f32::midpoint(other.rect.x1, entry.rect.x0));
    let right = neighbour(Some(at + 1)).map(|other| f32::midpoint(entry.rect.x1, other.rect.x0));
    let span = match (left, right) {
        (Some(left), Some(right)) => (centre - left).min(right - centre),
        (Some(left), None) => (centre - left).min(area.x1 - centre),
        (None, Some(right)) => right - centre,
        (None, None) => return (first, last),
    };
    // A label over the first column alone names it; it is no group.
    if let Some((a, b)) = inside(centre - span, centre + span)
        && !(first == last && first == 0)
        && below.iter().any(|(_, entries)| {
            entries
                .iter()
                .filter(|entry| a <= entry.first && entry.last <= b)
                .count()
                > 1
        })
    {
        return (a.max(usize::from(first > 0)).min(first), b.max(last));
    }
    (first, last)
}

/// Sets the labels above each other.
fn stacked(mut blocks: Vec<Block>) -> (usize, Vec<DraftCell>) {
    blocks.sort_by(|one, other| one.rect.y0.total_cmp(&other.rect.y0));
    let meets = |one: &Block, other: &Block| one.first <= other.last && other.first <= one.last;
    for at in 0..blocks.len() {
        let Some(block) = blocks.get(at).cloned() else { continue };
        let above = |other: &&Block| meets(other, &block) && other.centre < block.centre;
        let level = blocks
            .iter()
            .take(at)
            .filter(above)
            .map(|other| other.level + 1)
            .max()
            .unwrap_or(0);
        if let Some(slot) = blocks.get_mut(at) {
            slot.level = level;
        }
    }
    let rows = blocks.iter().map(|block| block.level + 1).max().unwrap_or(0);
    let mut cells = Vec::new();
    for block in &blocks {
        let under = |other: &&Block| meets(other, block) && other.level > block.level;
        let end = blocks
            .iter()
            .filter(under)
            .map(|other| other.level)
            .min()
            .unwrap_or(rows);
        cells.push(DraftCell {
            row: block.level,
            column: block.first,
            row_span: end - block.level,
            column_span: block.last - block.first + 1,
            words: block.words.clone(),
        });
    }
    (rows, cells)
}
