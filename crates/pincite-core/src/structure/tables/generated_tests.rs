//! Tables made on purpose, with and without faults: found as they were meant, and no row lost silently.

use super::generated::{BULLET, Dice, Fault, KINDS, Kind, Made, made};
use super::{Table, find};
use crate::structure::row_check;
use crate::text::{Layer, LayerBoxes, PageDetail, PageSize, Rect};
use std::collections::BTreeMap;

/// A pair of neighbouring cells with text: what both say, and whether they stand side by side.
type Pair = (String, String, bool);
/// Where cells are: row, column, spans, text.
type Place = (usize, usize, usize, usize, String);

fn pairs(cells: &[Place]) -> BTreeMap<Pair, usize> {
    let bare = |text: &str| text.split_whitespace().collect::<String>().replace(BULLET, "");
    let mut grid: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (number, (row, column, row_span, column_span, text)) in cells.iter().enumerate() {
        for r in *row..row + row_span {
            for c in *column..column + column_span {
                if !bare(text).is_empty() {
                    grid.insert((r, c), number);
                }
            }
        }
    }
    let reach = grid.keys().fold((0, 0), |(rows, columns), (row, column)| {
        (rows.max(*row), columns.max(*column))
    });
    let mut seen: std::collections::BTreeSet<(usize, usize, bool)> = Default::default();
    for ((row, column), number) in &grid {
        let right = (column + 1..=reach.1).find_map(|column| grid.get(&(*row, column)));
        let below = (row + 1..=reach.0).find_map(|row| grid.get(&(row, *column)));
        for (other, side) in [(right, true), (below, false)] {
            if let Some(other) = other.filter(|other| *other != number) {
                seen.insert((*number, *other, side));
            }
        }
    }
    let mut found = BTreeMap::new();
    for (one, other, side) in seen {
        *found
            .entry((bare(&cells[one].4), bare(&cells[other].4), side))
            .or_default() += 1;
    }
    found
}

fn found_cells(made: &Made, table: &Table) -> Vec<Place> {
    let text = |spans: &[crate::text::CharSpan]| {
        spans
            .iter()
            .filter_map(|span| made.layer.slice(*span))
            .collect::<String>()
    };
    let at = |number: u32| number as usize;
    table
        .cells
        .iter()
        .map(|cell| {
            (
                at(cell.row),
                at(cell.column),
                at(cell.row_span),
                at(cell.column_span),
                text(&cell.spans),
            )
        })
        .collect()
}

/// Right pairs, true pairs, found pairs.
fn compare(made: &Made, table: &Table) -> (usize, usize, usize) {
    let truth: Vec<Place> = made
        .cells
        .iter()
        .map(|cell| {
            (
                cell.row,
                cell.column,
                cell.row_span,
                cell.column_span,
                cell.lines.concat(),
            )
        })
        .collect();
    let (truth, found) = (pairs(&truth), pairs(&found_cells(made, table)));
    let right = truth
        .iter()
        .map(|(pair, count)| found.get(pair).map_or(0, |other| *count.min(other)))
        .sum();
    (right, truth.values().sum(), found.values().sum())
}

/// The found table that shares most with the truth.
fn best(made: &Made) -> Option<Table> {
    find(&made.input(), &|_| None)
        .into_iter()
        .max_by_key(|table| compare(made, table).0)
}

#[test]
fn generated_tables_are_found_as_they_were_meant() {
    let (mut right, mut meant, mut found, mut all, mut held, mut wrong) = (0, 0, 0, 0, 0, Vec::new());
    for kind in KINDS {
        for seed in 0..6 {
            let made = made(kind, Fault::None, seed);
            all += 1;
            let Some(table) = best(&made) else {
                wrong.push(format!("{kind:?} {seed}: not found"));
                meant += compare_none(&made);
                continue;
            };
            let (own, truth, ours) = compare(&made, &table);
            right += own;
            meant += truth;
            found += ours;
            let rows_right = table.rows as usize == made.rows;
            if table.held.is_some() && rows_right {
                held += 1;
                wrong.push(format!("{kind:?} {seed}: held though right: {:?}", table.held));
            }
            assert!(
                rows_right || table.held.is_some(),
                "{kind:?} {seed}: {} of {} rows, not held",
                table.rows,
                made.rows
            );
            if own < truth {
                wrong.push(format!(
                    "{kind:?} {seed}: {own} of {truth} pairs ({ours} found), {} rows of {}, {} columns",
                    table.rows, made.rows, table.columns
                ));
            }
        }
    }
    let (precision, recall) = (right as f64 / found as f64, right as f64 / meant as f64);
    let score = 2.0 * precision * recall / (precision + recall);
    eprintln!(
        "{all} tables: adjacency F1 {score:.3}, held though right {held}\n{}",
        wrong.join("\n")
    );
    assert!(score >= 0.9, "adjacency F1 {score:.3}\n{}", wrong.join("\n"));
    assert!(
        held * 10 <= all,
        "{held} of {all} held though right\n{}",
        wrong.join("\n")
    );
}

fn compare_none(made: &Made) -> usize {
    let truth: Vec<Place> = made
        .cells
        .iter()
        .map(|cell| {
            (
                cell.row,
                cell.column,
                cell.row_span,
                cell.column_span,
                cell.lines.concat(),
            )
        })
        .collect();
    pairs(&truth).values().sum()
}

#[test]
fn no_row_is_lost_silently() {
    let mut silent = Vec::new();
    let mut faulty = 0;
    for fault in [Fault::Picture, Fault::MissingLine, Fault::Cut] {
        for kind in KINDS {
            let unruled = matches!(
                kind,
                Kind::Unruled | Kind::HalfRuled | Kind::WrappedHalfRuled | Kind::Groups
            );
            // Without lines none can be missing; what begins halfway down the next page without a header goes on with nothing.
            if fault == Fault::MissingLine && unruled || fault == Fault::Cut && kind == Kind::ContinuedBare {
                continue;
            }
            for seed in 100..104 {
                let made = made(kind, fault, seed);
                faulty += 1;
                match best(&made) {
                    Some(table) if table.held.is_some() => {}
                    Some(table) if table.rows as usize == made.rows && fault != Fault::Cut => {}
                    Some(table) => silent.push(format!(
                        "{kind:?} {fault:?} {seed}: {} of {} rows, text {}",
                        table.rows, made.rows, table.row_counts.text
                    )),
                    None => silent.push(format!("{kind:?} {fault:?} {seed}: not found")),
                }
            }
        }
    }
    assert!(
        silent.is_empty(),
        "{} of {faulty} lost silently:\n{}",
        silent.len(),
        silent.join("\n")
    );
}

/// Takes a row out of a table, or its end, or the line between two rows.
fn tampered(table: &Table, row: u32, how: usize) -> Table {
    let mut table = table.clone();
    match how {
        0 => {
            table.cells.retain(|cell| cell.row != row || cell.row_span > 1);
            for cell in &mut table.cells {
                if cell.row <= row && row < cell.row + cell.row_span && cell.row_span > 1 {
                    cell.row_span -= 1;
                }
                if cell.row > row {
                    cell.row -= 1;
                }
            }
        }
        1 => {
            let next: Vec<_> = table.cells.iter().filter(|cell| cell.row == row + 1).cloned().collect();
            for cell in table.cells.iter_mut().filter(|cell| cell.row == row) {
                for other in next.iter().filter(|other| other.column == cell.column) {
                    cell.spans.extend(&other.spans);
                }
            }
            table.cells.retain(|cell| cell.row != row + 1);
            for cell in table.cells.iter_mut().filter(|cell| cell.row > row) {
                cell.row -= 1;
            }
        }
        _ => table.cells.retain(|cell| cell.row + 1 < table.rows),
    }
    table.rows -= 1;
    table
}

#[test]
fn a_table_with_a_row_taken_out_is_held() {
    let mut passed = Vec::new();
    let mut tried = 0;
    for kind in KINDS {
        for seed in 0..6 {
            let made = made(kind, Fault::None, seed);
            let Some(table) = best(&made).filter(|table| table.held.is_none()) else {
                continue;
            };
            let mut dice = Dice::new(seed + 77);
            let row = table.header_rows
                + u32::try_from(dice.below((table.rows - table.header_rows - 1) as usize)).unwrap_or(0);
            for how in 0..3 {
                let mut changed = tampered(&table, row, how);
                tried += 1;
                row_check::check(&made.input(), &mut changed);
                if changed.held.is_none() {
                    passed.push(format!(
                        "{kind:?} {seed}, way {how}, row {row}: {:?}",
                        changed.row_counts
                    ));
                }
            }
        }
    }
    assert!(tried >= 100, "only {tried} tried");
    assert!(
        passed.is_empty(),
        "{} of {tried} not noticed:\n{}",
        passed.len(),
        passed.join("\n")
    );
}

#[test]
fn cells_own_disjoint_spans_and_cover_the_grid() {
    for kind in KINDS {
        for seed in 20..24 {
            sound(&made(kind, Fault::None, seed));
        }
    }
}
#[test]
fn a_cell_has_a_locator_and_the_label_of_the_caption() {
    let made = made(Kind::Ruled, Fault::None, 3);
    let tables = find(&made.input(), &|_| None);
    let cell = tables
        .first()
        .and_then(|table| table.cells.iter().find(|cell| cell.row == 2 && cell.column == 1));
    let locator = cell.map(|cell| cell.locator.to_string()).unwrap_or_default();
    assert!(
        locator.starts_with("table 7, row \"") && locator.contains("\", column \""),
        "{locator}"
    );
}

/// A page of noise: glyphs and lines where chance puts them.
fn noise(seed: u64, glyphs: usize, lines: usize) -> Made {
    let mut dice = Dice::new(seed);
    let mut place = |limit: usize| dice.below(limit) as f32 / 10.0;
    let (mut text, mut boxes, mut rulings) = (String::new(), Vec::new(), Vec::new());
    for number in 0..glyphs {
        let (x, y) = (place(6000), place(8000));
        text.push(['a', '7', ' ', 'M', '\n', '-'][number % 6]);
        boxes.push((number % 6 != 2 && number % 6 != 4).then_some(Rect {
            x0: x,
            y0: y,
            x1: x + 4.0,
            y1: y + 9.0,
        }));
    }
    for number in 0..lines {
        let (x, y, long) = (place(6000), place(8000), place(3000));
        let (wide, high) = if number % 2 == 0 { (long, 0.5) } else { (0.5, long) };
        rulings.push(Rect {
            x0: x,
            y0: y,
            x1: x + wide,
            y1: y + high,
        });
    }
    Made {
        layer: Layer::new(&text).unwrap_or_else(|error| unreachable!("{error}")),
        boxes: LayerBoxes::new(boxes),
        sizes: vec![PageSize {
            width: 600.0,
            height: 800.0,
        }],
        details: vec![PageDetail {
            rulings,
            ..PageDetail::default()
        }],
        rows: 0,
        cells: Vec::new(),
    }
}

fn sound(made: &Made) {
    for table in find(&made.input(), &|_| None) {
        let mut spans: Vec<_> = table.cells.iter().flat_map(|cell| cell.spans.clone()).collect();
        spans.sort_by_key(|span| span.start());
        assert!(
            spans.windows(2).all(|pair| pair[0].end() <= pair[1].start()),
            "two cells own one code point"
        );
        assert!(
            spans
                .iter()
                .all(|span| span.end().index() <= made.layer.len() && !span.is_empty())
        );
        assert!(
            spans
                .iter()
                .all(|span| table.pages.contains(&made.layer.page_of(span.start())))
        );
        let covered: u32 = table.cells.iter().map(|cell| cell.row_span * cell.column_span).sum();
        assert_eq!(
            covered,
            table.rows * table.columns,
            "a place of the grid belongs to no cell or to two"
        );
        assert!(
            table
                .cells
                .iter()
                .all(|cell| cell.row + cell.row_span <= table.rows && cell.column + cell.column_span <= table.columns)
        );
    }
}

#[test]
fn noise_makes_sound_tables_or_none() {
    for (seed, size) in (0..12).zip(0_usize..) {
        sound(&noise(seed, 300 + 200 * size, 20 * size));
    }
}

#[test]
fn a_hostile_page_ends() {
    sound(&noise(1, 100_000, 100_000));
    sound(&noise(2, 30_000, 100_000));
    sound(&noise(3, 55_000, 0));
}

#[test]
#[ignore = "minutes; `make soak`"]
fn soak_generated_tables() {
    let (mut all, mut held, mut silent, mut said) = (0, 0, 0, Vec::new());
    for kind in KINDS {
        for fault in [Fault::None, Fault::Picture, Fault::MissingLine, Fault::Cut] {
            let unruled = matches!(
                kind,
                Kind::Unruled | Kind::HalfRuled | Kind::WrappedHalfRuled | Kind::Groups
            );
            if fault == Fault::MissingLine && unruled || fault == Fault::Cut && kind == Kind::ContinuedBare {
                continue;
            }
            for seed in 1000..1030 {
                let made = made(kind, fault, seed);
                let Some(table) = best(&made) else {
                    silent += 1;
                    said.push(format!("{kind:?} {fault:?} {seed}: not found"));
                    continue;
                };
                let right = table.rows as usize == made.rows;
                all += usize::from(right && fault == Fault::None);
                if fault == Fault::None && right && table.held.is_some() {
                    held += 1;
                    said.push(format!("{kind:?} {seed}: held though right: {:?}", table.held));
                }
                if !right && table.held.is_none() {
                    silent += 1;
                    said.push(format!(
                        "{kind:?} {fault:?} {seed}: {} of {} rows, not held",
                        table.rows, made.rows
                    ));
                }
            }
        }
    }
    assert!(
        silent == 0 && held * 10 <= all,
        "{silent} silent, {held} of {all} held though right\n{}",
        said.join("\n")
    );
}
