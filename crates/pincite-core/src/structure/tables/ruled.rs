//! A table from a lattice: its cells as drawn; a band between two lines that holds many rows is cut into them.
//!
//! Deliberately not here: areas with level lines only (`regions`).

use super::columns::Entry;
use super::draft::{Draft, DraftCell};
use super::lattice::{Face, Lattice, Mesh, cut, place_of};
use super::lines::lines;
use super::rows::Rows;
use super::rules::Ruling;
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
    let of_row = |row: usize| lattice.faces.iter().filter(move |face| face.row == row);
    let side_by_side = (0..rows).filter(|row| of_row(*row).filter(|face| !face.words.is_empty()).count() >= 2);
    let side_by_side: Vec<usize> = side_by_side.collect();
    // Columns that nobody has written into yet are columns, where a header names them.
    let cut_of = |row: usize| {
        of_row(row)
            .map(|face| (face.column, face.column_span))
            .collect::<Vec<_>>()
    };
    let under = side_by_side.first().map_or(0, |header| {
        let rows = (header + 1..rows).filter(|row| cut_of(*row) == cut_of(*header));
        rows.filter(|row| of_row(*row).next().is_some_and(|face| !face.words.is_empty()))
            .count()
    });
    if filled < 4
        || (filled as f32) < FILLED * lattice.faces.len() as f32
        || side_by_side.is_empty()
        || side_by_side.len() < 2 && under < 2
    {
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
        open: open_ends(mesh, &lattice),
    };
    draft.shrink(&drawn_rows(source, &lattice, &starts));
    draft.complete();
    draft.header_rows = header_rows(source, &draft);
    (draft.rows >= 2 && draft.columns >= 2).then_some(draft)
}

/// Whether the first and the last row have text and no line above or below.
fn open_ends(mesh: &Mesh, lattice: &Lattice) -> (bool, bool) {
    let wide = mesh.area.x1 - mesh.area.x0;
    let closed = |end: f32| {
        let at_end = mesh.level.iter().filter(|ruling| (ruling.at - end).abs() <= 3.2);
        at_end.map(|ruling| ruling.length()).sum::<f32>() >= 0.5 * wide
    };
    let rows = lattice.ys.len() - 1;
    let told = |row: usize| {
        let mut faces = lattice.faces.iter();
        faces.any(|face| face.row <= row && row < face.row + face.row_span && !face.words.is_empty())
    };
    (
        !closed(mesh.area.y0) && told(0),
        !closed(mesh.area.y1) && told(rows.saturating_sub(1)),
    )
}

/// Whether it is a form: hardly two rows are cut alike, and most leave room under their labels to write into.
pub(super) fn is_form(source: Source<'_>, mesh: &Mesh, words: &[usize]) -> bool {
    let Some(lattice) = cut(source.paper, mesh, words) else {
        return false;
    };
    let size = source.paper.type_size;
    let room = |face: &Face| -> Option<(f32, f32)> {
        let rects = face.words.iter().filter_map(|word| source.paper.words.get(*word));
        let text = rects.map(|word| word.rect).reduce(Rect::union)?;
        let (top, end) = (lattice.ys.get(face.row)?, lattice.ys.get(face.row + face.row_span)?);
        Some((text.y0 - top, end - text.y1))
    };
    let rows: Vec<Vec<&Face>> = (0..lattice.ys.len() - 1)
        .map(|row| lattice.faces.iter().filter(|face| face.row == row).collect())
        .collect();
    let several = rows.iter().filter(|faces| faces.len() >= 2);
    let roomy = several.clone().filter(|faces| {
        let mut rooms = faces.iter().filter_map(|face| room(face)).peekable();
        rooms.peek().is_some() && rooms.all(|(above, below)| below >= 0.5 * size && below >= above + 0.4 * size)
    });
    let cuts = |faces: &Vec<&Face>| -> Vec<(usize, usize)> {
        faces.iter().map(|face| (face.column, face.column_span)).collect()
    };
    let alike = rows
        .windows(2)
        .filter(|pair| matches!(pair, [one, other] if one.len() >= 2 && cuts(one) == cuts(other)));
    let roomy = roomy.count();
    roomy >= 2 && roomy * 3 >= several.count() * 2 && alike.count() * 4 <= rows.len()
}

/// Where an empty band reaches across all of it, a mesh is several: panels in one frame.
pub(super) fn parted(source: Source<'_>, mesh: &Mesh, words: &[usize]) -> Vec<Mesh> {
    let Some(lattice) = cut(source.paper, mesh, words) else {
        return vec![mesh.clone()];
    };
    let columns = lattice.xs.len() - 1;
    // Where the rows on both sides are cut alike, they are one table.
    let rows = lattice.ys.len() - 1;
    let cut_at = |row: usize| {
        let faces = lattice.faces.iter().filter(|face| face.row == row);
        faces.map(|face| (face.column, face.column_span)).collect::<Vec<_>>()
    };
    let several = |row: &usize| cut_at(*row).len() >= 2;
    let parts = |face: &&Face| {
        let mut above = (0..face.row).rev().filter(several);
        let nearest = above.next().map(cut_at);
        let below = (face.row + face.row_span..rows).find(several).map(cut_at);
        // A title opens a new panel under two rows that are cut alike; one alone may be a header of merged cells.
        let told = !face.words.is_empty();
        nearest != below && (!told || nearest.is_some() && below.is_some() && above.next().map(cut_at) == nearest)
    };
    let mut bands: Vec<(f32, f32)> = lattice
        .faces
        .iter()
        .filter(|face| {
            let ends = lattice
                .xs
                .get(face.column)
                .zip(lattice.xs.get(face.column + face.column_span));
            ends.is_some_and(|(from, to)| to - from >= 0.9 * (mesh.area.x1 - mesh.area.x0))
        })
        .filter(parts)
        .filter_map(|face| {
            let (top, end) = (*lattice.ys.get(face.row)?, *lattice.ys.get(face.row + face.row_span)?);
            let told = !face.words.is_empty();
            (end - top >= 1.2 * source.paper.type_size).then_some((top, if told { top } else { end }))
        })
        .collect();
    if bands.is_empty() || columns < 2 {
        return vec![mesh.clone()];
    }
    bands.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut parts = Vec::new();
    let mut top = mesh.area.y0;
    for (upper, lower) in bands.into_iter().chain([(mesh.area.y1, mesh.area.y1)]) {
        parts.extend(between(mesh, top, upper));
        top = lower;
    }
    parts
}

/// What of a mesh stands between two heights, as far as its level lines reach.
fn between(mesh: &Mesh, top: f32, end: f32) -> Option<Mesh> {
    let level: Vec<Ruling> = mesh
        .level
        .iter()
        .filter(|ruling| top - 2.0 <= ruling.at && ruling.at <= end + 2.0)
        .copied()
        .collect();
    let from = level.iter().map(|ruling| ruling.from).fold(f32::INFINITY, f32::min);
    let to = level.iter().map(|ruling| ruling.to).fold(f32::NEG_INFINITY, f32::max);
    let upright: Vec<Ruling> = mesh
        .upright
        .iter()
        .filter(|ruling| from - 3.2 <= ruling.at && ruling.at <= to + 3.2 && ruling.covers(top, end) > 3.0)
        .map(|ruling| Ruling {
            from: ruling.from.max(top),
            to: ruling.to.min(end),
            ..*ruling
        })
        .collect();
    (level.len() >= 2 && end - top > 3.0).then_some(Mesh {
        level,
        upright,
        area: Rect {
            x0: from,
            y0: top,
            x1: to,
            y1: end,
        },
    })
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
        let whole = |face: &Face| face.row == row && face.column_span + 1 == lattice.xs.len();
        let drawn = cells >= 2 || lattice.faces.iter().any(whole);
        if lower - upper >= 0.9 * source.paper.type_size && drawn {
            rows.extend(starts.get(row).copied());
        }
    }
    rows
}

/// The rows inside a band between two level lines, as (face, word); empty where the band is one row.
fn split(source: Source<'_>, lattice: &Lattice, row: usize) -> Vec<Vec<(usize, usize)>> {
    let inside: Vec<(usize, &Face)> = lattice
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
