//! A table from lines of text, whatever rulings there are between them: columns from gaps, rows from lines.
//!
//! Deliberately not here: which part of a page is a table (`regions`).

use super::columns::{Column, Entry, columns, entries};
use super::draft::{Draft, DraftCell};
use super::header::header;
use super::lines::lines;
use super::paper::Paper;
use super::rows::Rows;
use super::rules::Ruling;
use crate::text::Rect;

/// What a stream is read from.
#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) paper: &'a Paper,
    /// The layer's code points.
    pub(super) characters: &'a [char],
}

/// An area cut into columns and lines.
pub(super) struct Cut {
    pub(super) columns: Vec<Column>,
    pub(super) lines: Vec<(f32, Vec<Entry>)>,
    pub(super) area: Rect,
}

/// Cuts some words into columns and lines. `None` for fewer than two columns.
pub(super) fn cut(source: Source<'_>, words: &[usize]) -> Option<Cut> {
    let set = lines(source.paper, words);
    let columns = columns(source.paper, &set);
    if columns.len() < 2 {
        return None;
    }
    let area = set.iter().map(|line| line.rect).reduce(Rect::union)?;
    let lines = set
        .iter()
        .map(|line| (line.centre, entries(source.paper, line, &columns)))
        .collect();
    Some(Cut { columns, lines, area })
}

/// The level rulings of a paper that cross an area.
pub(super) fn within(paper: &Paper, area: Rect) -> Vec<Ruling> {
    paper
        .level
        .iter()
        .filter(|ruling| {
            area.y0 - 1.0 <= ruling.at && ruling.at <= area.y1 + 1.0 && ruling.covers(area.x0, area.x1) > 3.0
        })
        .copied()
        .collect()
}

/// A label set at the middle of several rows, and where.
type Between = (f32, Vec<usize>);

/// Takes out lone labels of the first column that stand between two lines, closer than lines stand: they belong to both.
fn without_between(source: Source<'_>, cut: &Cut, header: usize) -> (Vec<(f32, Vec<Entry>)>, Vec<Between>) {
    let close = 0.82 * source.paper.type_size;
    let beside = |line: Option<&(f32, Vec<Entry>)>, centre: f32| {
        line.is_some_and(|(other, entries)| {
            (other - centre).abs() < close && entries.len() > 1 && entries.iter().all(|entry| entry.first > 0)
        })
    };
    let (mut kept, mut between) = (Vec::new(), Vec::new());
    for (at, (centre, entries)) in cut.lines.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| cut.lines.get(at));
        match entries.as_slice() {
            [only]
                if at > header
                    && only.first == 0
                    && !only.spans()
                    && beside(before, *centre)
                    && beside(cut.lines.get(at + 1), *centre) =>
            {
                between.push((*centre, only.words.clone()));
            }
            _ => kept.push((*centre, entries.clone())),
        }
    }
    (kept, between)
}

/// A table of the lines of an area; `frame` is the area as rulings have it, where they do.
pub(super) fn table(source: Source<'_>, cut: &Cut, frame: Option<Rect>) -> Option<Draft> {
    let area = frame.map_or(cut.area, |frame| frame.union(cut.area));
    let level = within(source.paper, area);
    let rows = |lines| Rows {
        paper: source.paper,
        characters: source.characters,
        lines,
        level: &level,
        columns: cut.columns.len(),
        area,
    };
    let header_lines = rows(&cut.lines).header_lines().min(cut.lines.len());
    let (lines, between) = without_between(source, cut, header_lines);
    let rows = rows(&lines);
    let (header_rows, mut cells) = header(source.paper, lines.get(..header_lines)?, &cut.columns, &level, area);
    let mut count = header_rows;
    for run in rows.body(header_lines) {
        let mut row: Vec<DraftCell> = Vec::new();
        for entry in lines.get(run.clone())?.iter().flat_map(|(_, entries)| entries) {
            let meets =
                |cell: &&mut DraftCell| entry.first < cell.column + cell.column_span && cell.column <= entry.last;
            if let Some(cell) = row.iter_mut().find(meets) {
                let end = (cell.column + cell.column_span).max(entry.last + 1);
                cell.column = cell.column.min(entry.first);
                cell.column_span = end - cell.column;
                cell.words.extend(&entry.words);
            } else {
                row.push(DraftCell {
                    row: count,
                    column: entry.first,
                    row_span: 1,
                    column_span: entry.last - entry.first + 1,
                    words: entry.words.clone(),
                });
            }
        }
        cells.extend(merged(row));
        // A label between this row and the next, which have none of their own.
        let (lower, upper) = (
            lines.get(run.end).map(|line| line.0),
            run.end.checked_sub(1).and_then(|at| lines.get(at)).map(|line| line.0),
        );
        for (centre, words) in &between {
            if upper.is_some_and(|upper| upper < *centre) && lower.is_some_and(|lower| *centre < lower) {
                cells.push(DraftCell {
                    row: count,
                    column: 0,
                    row_span: 2,
                    column_span: 1,
                    words: words.clone(),
                });
            }
        }
        count += 1;
    }
    let mut draft = Draft {
        page: source.paper.page,
        area,
        rows: count,
        columns: cut.columns.len(),
        header_rows,
        cells,
        edges: cut.columns.iter().map(|column| (column.x0, column.x1)).collect(),
        ruled: false,
        open: (false, false),
    };
    draft.shrink(&[]);
    draft.complete();
    // Without a grid, two lines side by side are none.
    (draft.rows >= 3 && draft.columns >= 2).then_some(draft)
}

/// Cells of one row that came to share a column made one.
fn merged(mut row: Vec<DraftCell>) -> Vec<DraftCell> {
    row.sort_by_key(|cell| cell.column);
    let mut kept: Vec<DraftCell> = Vec::new();
    for cell in row {
        match kept.last_mut() {
            Some(last) if cell.column < last.column + last.column_span => {
                let end = (last.column + last.column_span).max(cell.column + cell.column_span);
                last.column_span = end - last.column;
                last.words.extend(cell.words);
            }
            _ => kept.push(cell),
        }
    }
    kept
}
