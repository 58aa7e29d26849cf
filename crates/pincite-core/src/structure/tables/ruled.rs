//! A table from a lattice: its cells as drawn; a band between two lines that holds many rows is cut into them.
//!
//! Deliberately not here: areas with level lines only (`regions`).

use super::columns::Entry;
use super::draft::{Draft, DraftCell};
use super::lattice::{Lattice, Mesh, cut, place_of};
use super::lines::lines;
use super::rows::Rows;
use super::stream::Source;
use crate::text::Rect;
use std::collections::BTreeMap;

/// The share of a table's cells that hold text, at least.
const FILLED: f32 = 0.3;

/// The table that a mesh draws around some of `words`. `None` where it draws none.
pub(super) fn table(source: Source<'_>, mesh: &Mesh, words: &[usize]) -> Option<Draft> {
    let lattice = cut(source.paper, mesh, words)?;
    let (rows, columns) = (lattice.ys.len() - 1, lattice.xs.len() - 1);
    if rows < 2 || columns < 2 {
        return None;
    }
    let filled = lattice.faces.iter().filter(|face| !face.words.is_empty()).count();
    let side_by_side = (0..rows).filter(|row| {
        lattice
            .faces
            .iter()
            .filter(|face| face.row == *row && !face.words.is_empty())
            .count()
            >= 2
    });
    if filled < 4 || (filled as f32) < FILLED * lattice.faces.len() as f32 || side_by_side.count() < 2 {
        return None;
    }
    let mut starts = vec![0; rows + 1];
    let mut cells = Vec::new();
    let mut placed: Vec<(usize, usize, usize)> = Vec::new();
    for row in 0..rows {
        let runs = split(source, &lattice, row);
        let start = starts.get(row).copied().unwrap_or(0);
        if let Some(slot) = starts.get_mut(row + 1) {
            *slot = start + runs.len().max(1);
        }
        for (at, run) in runs.into_iter().enumerate() {
            placed.extend(run.into_iter().map(|(face, word)| (face, word, start + at)));
        }
    }
    let mut by_face: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (face, word, row) in placed {
        by_face.entry((face, row)).or_default().push(word);
    }
    let split_faces: std::collections::BTreeSet<usize> = by_face.keys().map(|(face, _)| *face).collect();
    for ((face, row), words) in by_face {
        let face = lattice.faces.get(face)?;
        cells.push(DraftCell {
            row,
            column: face.column,
            row_span: 1,
            column_span: face.column_span,
            words,
        });
    }
    for (number, face) in lattice.faces.iter().enumerate() {
        if split_faces.contains(&number) {
            continue;
        }
        let row = starts.get(face.row).copied()?;
        let end = starts.get(face.row + face.row_span).copied()?;
        cells.push(DraftCell {
            row,
            column: face.column,
            row_span: end - row,
            column_span: face.column_span,
            words: face.words.clone(),
        });
    }
    let ends = |places: &[f32]| places.first().copied().zip(places.last().copied());
    let ((x0, x1), (y0, y1)) = ends(&lattice.xs).zip(ends(&lattice.ys))?;
    let mut draft = Draft {
        page: source.paper.page,
        area: Rect { x0, y0, x1, y1 },
        rows: starts.last().copied()?,
        columns,
        header_rows: 0,
        cells,
        edges: lattice
            .xs
            .windows(2)
            .filter_map(|pair| Some((*pair.first()?, *pair.get(1)?)))
            .collect(),
        ruled: true,
    };
    draft.shrink(&drawn_rows(source, &lattice, &starts));
    draft.complete();
    draft.header_rows = header_rows(source, &draft);
    (draft.rows >= 2 && draft.columns >= 2).then_some(draft)
}

/// Rows that are drawn with cells of their own and have no text: they count, and the row check will ask why.
fn drawn_rows(source: Source<'_>, lattice: &Lattice, starts: &[usize]) -> Vec<usize> {
    let mut rows = Vec::new();
    for (row, ends) in lattice.ys.windows(2).enumerate() {
        let [upper, lower] = ends else { continue };
        let cells = lattice
            .faces
            .iter()
            .filter(|face| face.row == row && face.row_span == 1)
            .count();
        if lower - upper >= 0.9 * source.paper.type_size && cells >= 2 {
            rows.extend(starts.get(row).copied());
        }
    }
    rows
}

/// The rows inside a band between two level lines, as (face, word); empty where the band is one row.
fn split(source: Source<'_>, lattice: &Lattice, row: usize) -> Vec<Vec<(usize, usize)>> {
    let inside: Vec<(usize, &super::lattice::Face)> = lattice
        .faces
        .iter()
        .enumerate()
        .filter(|(_, face)| face.row == row && face.row_span == 1 && !face.words.is_empty())
        .collect();
    let owner: BTreeMap<usize, usize> = inside
        .iter()
        .flat_map(|(number, face)| face.words.iter().map(|word| (*word, *number)))
        .collect();
    let words: Vec<usize> = owner.keys().copied().collect();
    let set = lines(source.paper, &words);
    if set.len() < 4 || inside.len() < 2 {
        return Vec::new();
    }
    let mut cut: Vec<(f32, Vec<Entry>)> = Vec::new();
    for line in &set {
        let mut entries: BTreeMap<usize, Entry> = BTreeMap::new();
        for word in line.segments.iter().flat_map(|segment| &segment.words) {
            let Some((face, drawn)) = owner.get(word).zip(source.paper.words.get(*word)) else {
                continue;
            };
            let Some(column) = lattice.faces.get(*face).map(|face| face.column) else {
                continue;
            };
            let entry = entries.entry(column).or_insert(Entry {
                first: column,
                last: column,
                rect: drawn.rect,
                words: Vec::new(),
                amount: true,
            });
            entry.rect = entry.rect.union(drawn.rect);
            entry.words.push(*word);
            entry.amount &= drawn.amount;
        }
        cut.push((line.centre, entries.into_values().collect()));
    }
    let count = |column: usize, amounts: bool| {
        cut.iter()
            .filter(|(_, entries)| {
                entries
                    .iter()
                    .any(|entry| entry.first == column && (entry.amount || !amounts))
            })
            .count()
    };
    let columns = lattice.xs.len() - 1;
    let amounts = (0..columns).map(|column| count(column, true)).max().unwrap_or(0);
    let full = (0..columns)
        .filter(|column| count(*column, false) * 2 >= cut.len())
        .count();
    if amounts < 3 || amounts * 2 < cut.len() || full < 2 {
        return Vec::new();
    }
    let (Some(x0), Some(x1)) = (lattice.xs.first(), lattice.xs.last()) else {
        return Vec::new();
    };
    let (Some(y0), Some(y1)) = (lattice.ys.get(row), lattice.ys.get(row + 1)) else {
        return Vec::new();
    };
    let rows = Rows {
        paper: source.paper,
        characters: source.characters,
        lines: &cut,
        level: &[],
        columns,
        area: Rect {
            x0: *x0,
            y0: *y0,
            x1: *x1,
            y1: *y1,
        },
    };
    rows.body(0)
        .into_iter()
        .map(|run| {
            let entries = cut.get(run).unwrap_or_default().iter().flat_map(|(_, entries)| entries);
            entries
                .flat_map(|entry| &entry.words)
                .filter_map(|word| owner.get(word).map(|face| (*face, *word)))
                .collect()
        })
        .collect()
}

/// Rows at the top without amounts, above rows with some; the first row where no row has any. What reaches down from
/// one of them takes the rows it reaches along.
fn header_rows(source: Source<'_>, draft: &Draft) -> usize {
    let amounts = |row: usize| {
        let cells = draft
            .cells
            .iter()
            .filter(|cell| cell.row == row && !cell.words.is_empty());
        cells
            .filter(|cell| {
                cell.words
                    .iter()
                    .all(|word| source.paper.words.get(*word).is_some_and(|word| word.amount))
            })
            .count()
    };
    let first = (0..draft.rows).find(|row| amounts(*row) > 0).unwrap_or(0);
    let mut rows = if first == 0 || first > 6 { 1 } else { first };
    if first > 1 {
        // Headers end where a row has as many cells as the data has, or at the first row of text columns.
        rows = (1..=rows)
            .find(|row| {
                let reaches = draft
                    .cells
                    .iter()
                    .any(|cell| cell.row < *row && cell.row + cell.row_span > *row && !cell.words.is_empty());
                let whole = draft
                    .cells
                    .iter()
                    .any(|cell| cell.row + 1 == *row && cell.column_span == draft.columns);
                !reaches
                    && !whole
                    && draft
                        .cells
                        .iter()
                        .filter(|cell| cell.row + 1 == *row && !cell.words.is_empty())
                        .count()
                        * 2
                        >= draft.columns
            })
            .unwrap_or(rows);
    }
    let reach = |rows: usize| {
        draft
            .cells
            .iter()
            .filter(|cell| cell.row < rows && !cell.words.is_empty())
            .map(|cell| cell.row + cell.row_span)
            .max()
    };
    reach(rows).unwrap_or(rows).min(draft.rows.saturating_sub(1)).max(1)
}

/// Whether the mesh's frame holds a place.
pub(super) fn holds(mesh: &Mesh, at: (f32, f32)) -> bool {
    let (xs, ys) = (
        [mesh.area.x0 - 1.0, mesh.area.x1 + 1.0],
        [mesh.area.y0 - 1.0, mesh.area.y1 + 1.0],
    );
    place_of(&xs, at.0).is_some() && place_of(&ys, at.1).is_some()
}
