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
        .filter(|ruling| area.y0 - 1.0 <= ruling.at && ruling.at <= area.y1 + 1.0 && ruling.covers(area.x0, area.x1) > 3.0)
        .copied()
        .collect()
}

/// A table of the lines of an area; `frame` is the area as rulings have it, where they do.
pub(super) fn table(source: Source<'_>, cut: &Cut, frame: Option<Rect>) -> Option<Draft> {
    let area = frame.map_or(cut.area, |frame| frame.union(cut.area));
    let level = within(source.paper, area);
    let rows = Rows {
        paper: source.paper,
        characters: source.characters,
        lines: &cut.lines,
        level: &level,
        columns: cut.columns.len(),
        area,
    };
    let header_lines = rows.header_lines().min(cut.lines.len());
    let (header_rows, mut cells) = header(
        source.paper,
        cut.lines.get(..header_lines)?,
        &cut.columns,
        &level,
        area,
    );
    let mut count = header_rows;
    for run in rows.body(header_lines) {
        let mut row: Vec<DraftCell> = Vec::new();
        for entry in cut.lines.get(run)?.iter().flat_map(|(_, entries)| entries) {
            let meets = |cell: &&mut DraftCell| entry.first < cell.column + cell.column_span && cell.column <= entry.last;
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
    };
    draft.shrink();
    draft.complete();
    (draft.rows >= 2 && draft.columns >= 2).then_some(draft)
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
