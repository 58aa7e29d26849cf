//! What makes a table doubtful beside its rows: panels and forms taken for one table, a gap without text, text that can't
//! be trusted.
//!
//! Deliberately not here: counting rows (`row_check`).

use super::ParseInput;
use super::row_lines::{Line, median, step};
use super::tables::Table;
use crate::text::CharSpan;

/// Whether most rows of a wide grid have far fewer cells than the grid has columns.
pub(super) fn irregular(table: &Table) -> bool {
    let cells = table.cells.iter().filter(|cell| cell.row >= table.header_rows);
    let filled = cells.clone().filter(|cell| !cell.spans.is_empty());
    let reached: u32 = filled.clone().map(|cell| cell.column_span).sum();
    let merged = filled.clone().filter(|cell| cell.column_span > 1).count();
    table.columns >= 4 && merged * 2 > filled.count() && reached > 0
}

/// Whether a row of one cell stands between rows that are cut into different columns, two of them above it, or three such
/// rows stand over rows with columns.
pub(super) fn panels(table: &Table) -> bool {
    let mut cuts: Vec<Vec<(u32, u32)>> = vec![Vec::new(); table.rows as usize];
    for cell in &table.cells {
        if let Some(cut) = cuts.get_mut(cell.row as usize) {
            cut.push((cell.column, cell.column_span));
        }
    }
    (0..cuts.len()).any(|at| {
        let is_whole = |cut: &Vec<(u32, u32)>| cut.as_slice() == [(0, table.columns)];
        let several = |cut: &&Vec<(u32, u32)>| cut.len() > 1;
        let mut above = cuts.iter().take(at).rev().filter(several);
        let below = cuts.iter().skip(at + 1).find(several);
        let nearest = above.next();
        let parts = above.next().is_some() && nearest != below;
        // Three lines over the whole width are rows whose columns were not seen.
        let bare = at >= 2 && cuts.iter().take(at + 1).rev().take(3).all(is_whole);
        cuts.get(at).is_some_and(is_whole) && below.is_some() && (parts || bare)
    })
}

/// Whether over a fiftieth of a table's code points on a page is unknown or has no map to Unicode.
pub(super) fn unknown(input: &ParseInput<'_>, page: u32, own: &[CharSpan]) -> bool {
    let Some(span) = input.layer.page_span(page) else {
        return false;
    };
    let here = own
        .iter()
        .filter(|one| span.start() <= one.start() && one.end() <= span.end());
    let (mut all, mut bad) = (0_usize, 0_usize);
    let index = usize::try_from(page).unwrap_or(0).saturating_sub(1);
    let unmapped = input
        .details
        .get(index)
        .map(|detail| detail.unmapped.as_slice())
        .unwrap_or_default();
    for one in here {
        all += one.len();
        let text = input.layer.get(*one).unwrap_or_default();
        let replaced = text
            .iter()
            .filter(|character| **character == char::REPLACEMENT_CHARACTER)
            .count();
        let overlap = |run: &crate::text::Run| {
            let run = run.in_layer(span.start());
            (run.end().min(one.end()).index()).saturating_sub(run.start().max(one.start()).index())
        };
        // Runs are sorted: those that can't reach the span are skipped.
        let first = unmapped.partition_point(|run| run.in_layer(span.start()).end() <= one.start());
        let nearby = unmapped
            .iter()
            .skip(first)
            .take_while(|run| run.in_layer(span.start()).start() < one.end());
        bad += replaced.max(nearby.map(overlap).sum());
    }
    bad * 50 > all
}

/// Whether one drop between two lines is far larger than every other: a row could stand there.
pub(super) fn lone_gap(lines: &[Line]) -> bool {
    let drops: Vec<f32> = lines.windows(2).map(step).collect();
    let pitch = median(drops.clone());
    let mut sorted = drops.clone();
    sorted.sort_by(f32::total_cmp);
    let [.., second, largest] = sorted.as_slice() else {
        return false;
    };
    let Some(gap) = drops.iter().position(|drop| drop >= largest) else {
        return false;
    };
    // Before the last row stands a sum, after the first a header: air there is style. So is air over a lone label.
    drops.len() >= 5
        && *largest >= 1.7 * second.max(pitch)
        && gap > 0
        && (gap + 1 < drops.len() || *largest >= 1.94 * second)
        && lines.get(gap + 1).is_some_and(|line| line.runs.len() > 1)
}
