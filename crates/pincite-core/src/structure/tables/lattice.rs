//! Grids that rulings draw: lines that touch form a lattice, its boxes are joined where the line between them is
//! missing, and what is left are the cells as drawn.
//!
//! Deliberately not here: whether a lattice is a table. A form, a chart and a framed note are lattices as well.

use super::paper::Paper;
use super::rules::Ruling;
use crate::text::Rect;

/// How far (points) two lines may miss each other and still touch.
const TOUCH: f32 = 3.2;
/// The share of a box's side that must be drawn for the side to be there.
const DRAWN: f32 = 0.6;
/// Boxes of one lattice; a drawing with more is no table.
const MOST_BOXES: usize = 60_000;

/// Lines that touch each other.
#[derive(Debug, Clone)]
pub(super) struct Mesh {
    pub(super) level: Vec<Ruling>,
    pub(super) upright: Vec<Ruling>,
    pub(super) area: Rect,
}

/// A cell as drawn: rows and columns are those of the lattice's lines.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Face {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) row_span: usize,
    pub(super) column_span: usize,
    /// Indices of the words whose centre lies in it.
    pub(super) words: Vec<usize>,
}

/// A lattice cut into cells.
#[derive(Debug, Clone)]
pub(super) struct Lattice {
    pub(super) xs: Vec<f32>,
    pub(super) ys: Vec<f32>,
    pub(super) faces: Vec<Face>,
}

struct Sets(Vec<usize>);

impl Sets {
    fn new(size: usize) -> Self {
        Self((0..size).collect())
    }

    fn root(&mut self, mut at: usize) -> usize {
        while let Some(up) = self.0.get(at).copied()
            && up != at
        {
            let above = self.0.get(up).copied().unwrap_or(up);
            if let Some(slot) = self.0.get_mut(at) {
                *slot = above;
            }
            at = above;
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        let (low, high) = (one.min(other), one.max(other));
        if let Some(slot) = self.0.get_mut(high) {
            *slot = low;
        }
    }
}

/// The meshes of a page: groups of level and upright lines that touch.
pub(super) fn meshes(paper: &Paper) -> Vec<Mesh> {
    let (levels, uprights) = (&paper.level, &paper.upright);
    let mut sets = Sets::new(levels.len() + uprights.len());
    let mut touched = vec![false; levels.len() + uprights.len()];
    for (number, level) in levels.iter().enumerate() {
        let first = uprights.partition_point(|upright| upright.at < level.from - TOUCH);
        for (index, upright) in uprights.iter().enumerate().skip(first) {
            if upright.at > level.to + TOUCH {
                break;
            }
            if upright.from - TOUCH <= level.at && level.at <= upright.to + TOUCH {
                sets.join(number, levels.len() + index);
                for at in [number, levels.len() + index] {
                    if let Some(slot) = touched.get_mut(at) {
                        *slot = true;
                    }
                }
            }
        }
    }
    let mut found: std::collections::BTreeMap<usize, Mesh> = std::collections::BTreeMap::new();
    let mut add = |root: usize, ruling: Ruling, is_level: bool| {
        let rect = if is_level {
            Rect {
                x0: ruling.from,
                y0: ruling.at,
                x1: ruling.to,
                y1: ruling.at,
            }
        } else {
            Rect {
                x0: ruling.at,
                y0: ruling.from,
                x1: ruling.at,
                y1: ruling.to,
            }
        };
        let mesh = found.entry(root).or_insert(Mesh {
            level: Vec::new(),
            upright: Vec::new(),
            area: rect,
        });
        mesh.area = mesh.area.union(rect);
        if is_level {
            mesh.level.push(ruling)
        } else {
            mesh.upright.push(ruling)
        }
    };
    for (number, ruling) in levels.iter().enumerate() {
        if touched.get(number) == Some(&true) {
            add(sets.root(number), *ruling, true);
        }
    }
    for (number, ruling) in uprights.iter().enumerate() {
        let at = levels.len() + number;
        if touched.get(at) == Some(&true) {
            add(sets.root(at), *ruling, false);
        }
    }
    found.into_values().collect()
}

/// Places closer than `apart` made one.
fn places(mut found: Vec<f32>, apart: f32) -> Vec<f32> {
    found.sort_by(f32::total_cmp);
    let mut kept: Vec<(f32, f32, f32)> = Vec::new();
    for place in found {
        match kept.last_mut() {
            Some((first, sum, count)) if place - *first <= apart => {
                *sum += place;
                *count += 1.0;
            }
            _ => kept.push((place, place, 1.0)),
        }
    }
    kept.into_iter().map(|(_, sum, count)| sum / count).collect()
}

/// Cuts a mesh into cells and puts the words among `words` into them. `None` for less than one box, or far too many.
pub(super) fn cut(paper: &Paper, mesh: &Mesh, words: &[usize]) -> Option<Lattice> {
    let apart = (paper.type_size * 0.38).clamp(2.2, 4.0);
    let mut xs: Vec<f32> = mesh.upright.iter().map(|ruling| ruling.at).collect();
    let mut ys: Vec<f32> = mesh.level.iter().map(|ruling| ruling.at).collect();
    // Open sides: the lines across them say where they are.
    xs.extend([mesh.area.x0, mesh.area.x1]);
    ys.extend([mesh.area.y0, mesh.area.y1]);
    let (xs, ys) = (places(xs, apart), places(ys, apart));
    let (columns, rows) = (xs.len().checked_sub(1)?, ys.len().checked_sub(1)?);
    if columns == 0 || rows == 0 || columns.checked_mul(rows)? > MOST_BOXES {
        return None;
    }
    let box_at = |row: usize, column: usize| row * columns + column;
    let mut sets = Sets::new(columns * rows);
    let lines = Drawn::new(mesh, &xs, &ys, apart);
    for row in 0..rows {
        for column in 0..columns {
            if column + 1 < columns && !lines.upright(column + 1, row) {
                sets.join(box_at(row, column), box_at(row, column + 1));
            }
            if row + 1 < rows && !lines.level(row + 1, column) {
                sets.join(box_at(row, column), box_at(row + 1, column));
            }
        }
    }
    let mut members: std::collections::BTreeMap<usize, Vec<(usize, usize)>> = std::collections::BTreeMap::new();
    for row in 0..rows {
        for column in 0..columns {
            members
                .entry(sets.root(box_at(row, column)))
                .or_default()
                .push((row, column));
        }
    }
    let mut owner = vec![0; columns * rows];
    let mut kept: Vec<Face> = Vec::new();
    for boxes in members.into_values() {
        for face in rectangles(&boxes) {
            for row in face.row..face.row + face.row_span {
                for column in face.column..face.column + face.column_span {
                    if let Some(slot) = owner.get_mut(box_at(row, column)) {
                        *slot = kept.len();
                    }
                }
            }
            kept.push(face);
        }
    }
    for index in words {
        let Some(word) = paper.words.get(*index) else { continue };
        let (x, y) = word.rect.centre();
        if let Some(slot) = place_of(&xs, x)
            .zip(place_of(&ys, y))
            .and_then(|(column, row)| owner.get(box_at(row, column)))
            .and_then(|face| kept.get_mut(*face))
        {
            slot.words.push(*index);
        }
    }
    Some(Lattice { xs, ys, faces: kept })
}

/// The interval of sorted places that holds `at`.
pub(super) fn place_of(places: &[f32], at: f32) -> Option<usize> {
    let after = places.partition_point(|place| *place <= at);
    (after > 0 && after < places.len()).then(|| after - 1)
}

/// Joined boxes (row by row) as one cell; where they make no rectangle, as one cell for each run in a row.
fn rectangles(boxes: &[(usize, usize)]) -> Vec<Face> {
    let face = |row, column, row_span, column_span| Face {
        row,
        column,
        row_span,
        column_span,
        words: Vec::new(),
    };
    let rows = boxes.iter().map(|(row, _)| *row);
    let columns = boxes.iter().map(|(_, column)| *column);
    let (Some(top), Some(bottom)) = (rows.clone().min(), rows.max()) else {
        return Vec::new();
    };
    let (Some(left), Some(right)) = (columns.clone().min(), columns.max()) else {
        return Vec::new();
    };
    if (bottom - top + 1) * (right - left + 1) == boxes.len() {
        return vec![face(top, left, bottom - top + 1, right - left + 1)];
    }
    let mut runs: Vec<Face> = Vec::new();
    for (row, column) in boxes.iter().copied() {
        match runs.last_mut() {
            Some(run) if run.row == row && run.column + run.column_span == column => run.column_span += 1,
            _ => runs.push(face(row, column, 1, 1)),
        }
    }
    runs
}

/// Which sides of the boxes are drawn.
struct Drawn {
    columns: usize,
    rows: usize,
    /// By line, then column: level lines.
    level: Vec<bool>,
    /// By line, then row: upright lines.
    upright: Vec<bool>,
}

impl Drawn {
    fn new(mesh: &Mesh, xs: &[f32], ys: &[f32], apart: f32) -> Self {
        Self {
            columns: xs.len().saturating_sub(1),
            rows: ys.len().saturating_sub(1),
            level: drawn(&mesh.level, ys, xs, apart),
            upright: drawn(&mesh.upright, xs, ys, apart),
        }
    }

    fn level(&self, line: usize, column: usize) -> bool {
        self.level.get(line * self.columns + column).copied().unwrap_or(false)
    }

    fn upright(&self, line: usize, row: usize) -> bool {
        self.upright.get(line * self.rows + row).copied().unwrap_or(false)
    }
}

/// For each place across and each interval along, whether lines there cover most of the interval.
fn drawn(rulings: &[Ruling], across: &[f32], along: &[f32], apart: f32) -> Vec<bool> {
    let intervals = along.len().saturating_sub(1);
    let mut covered = vec![0.0_f32; across.len() * intervals];
    for ruling in rulings {
        let nearest = across.partition_point(|place| *place < ruling.at - apart);
        let line = (nearest..across.len().min(nearest + 3))
            .min_by(|one, other| distance(across, *one, ruling.at).total_cmp(&distance(across, *other, ruling.at)));
        let Some(line) = line else { continue };
        let first = along.partition_point(|place| *place <= ruling.from).saturating_sub(1);
        for (interval, ends) in along.windows(2).enumerate().skip(first) {
            let [from, to] = ends else { break };
            if *from > ruling.to {
                break;
            }
            if let Some(slot) = covered.get_mut(line * intervals + interval) {
                *slot += ruling.covers(*from, *to);
            }
        }
    }
    let long: Vec<f32> = along
        .windows(2)
        .map(|ends| match ends {
            [from, to] => to - from,
            _ => 0.0,
        })
        .collect();
    covered
        .iter()
        .enumerate()
        .map(|(at, covered)| *covered >= DRAWN * long.get(at % intervals.max(1)).copied().unwrap_or(0.0))
        .collect()
}

fn distance(places: &[f32], index: usize, at: f32) -> f32 {
    places.get(index).map_or(f32::INFINITY, |place| (place - at).abs())
}
