//! Tables made in code, with their truth and with faults put in on purpose, for this folder's tests.
//!
//! Deliberately not here: what a test expects of them.

use crate::structure::ParseInput;
use crate::text::{Layer, LayerBoxes, PageDetail, PageSize, Rect};

/// How a table is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Ruled,
    Unruled,
    HalfRuled,
    Wrapped,
    WrappedHalfRuled,
    Merged,
    Groups,
    Rotated,
    Continued,
    ContinuedBare,
    /// Names of rows over two lines.
    WrappedNames,
    /// Lists in cells, their bullets written after everything else on the page.
    Bullets,
    /// Rows with one label across the whole width.
    GroupRows,
    /// Notes under it that are written before it.
    Noted,
}

/// What is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    None,
    /// A row is a picture: drawn, and no text.
    Picture,
    /// The line between two rows is missing.
    MissingLine,
    /// The last rows pass the lower edge of the paper.
    Cut,
}

pub(super) const KINDS: [Kind; 14] = [
    Kind::Ruled,
    Kind::Unruled,
    Kind::HalfRuled,
    Kind::Wrapped,
    Kind::WrappedHalfRuled,
    Kind::Merged,
    Kind::Groups,
    Kind::Rotated,
    Kind::Continued,
    Kind::ContinuedBare,
    Kind::WrappedNames,
    Kind::Bullets,
    Kind::GroupRows,
    Kind::Noted,
];

/// A cell as it was meant.
#[derive(Debug, Clone)]
pub(super) struct TrueCell {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) row_span: usize,
    pub(super) column_span: usize,
    pub(super) lines: Vec<String>,
}

/// A document with one table.
pub(super) struct Made {
    pub(super) layer: Layer,
    pub(super) boxes: LayerBoxes,
    pub(super) sizes: Vec<PageSize>,
    pub(super) details: Vec<PageDetail>,
    pub(super) rows: usize,
    pub(super) cells: Vec<TrueCell>,
}

impl Made {
    pub(super) fn input(&self) -> ParseInput<'_> {
        ParseInput {
            layer: &self.layer,
            boxes: &self.boxes,
            page_sizes: &self.sizes,
            details: &self.details,
            outline: &[],
        }
    }
}

/// A small generator of numbers (splitmix64), so that a seed is a table.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) >> 8).unwrap_or(0) % bound.max(1)
    }
}

const WORDS: [&str; 24] = [
    "plasma", "storage", "weekly", "Sample", "annual", "Records", "dose", "Region", "north", "Valley", "review",
    "units", "Supply", "grade", "Office", "river", "signed", "Batch", "control", "Linen", "harbour", "Method",
    "sterile", "Budget",
];
const TYPE: f32 = 9.0;
const LEADING: f32 = 11.0;
const PAGE: (f32, f32) = (600.0, 800.0);

struct Sheet {
    text: String,
    boxes: Vec<Option<Rect>>,
    rulings: Vec<Rect>,
    baseline: f32,
}

impl Sheet {
    const fn new() -> Self {
        Self {
            text: String::new(),
            boxes: Vec::new(),
            rulings: Vec::new(),
            baseline: -1.0,
        }
    }

    fn width(text: &str) -> f32 {
        text.chars()
            .map(|character| if character == ' ' { 0.28 } else { 0.5 } * TYPE)
            .sum()
    }

    fn write(&mut self, x: f32, top: f32, text: &str) {
        if !self.text.is_empty() {
            self.text
                .push(if (top - self.baseline).abs() < 1.0 { ' ' } else { '\n' });
            self.boxes.push(None);
        }
        self.baseline = top;
        let mut at = x;
        for character in text.chars() {
            let step = Self::width(&character.to_string());
            self.text.push(character);
            self.boxes.push((character != ' ').then_some(Rect {
                x0: at + 0.3,
                y0: top,
                x1: at + step - 0.3,
                y1: top + TYPE * 1.15,
            }));
            at += step;
        }
    }

    fn level(&mut self, y: f32, x0: f32, x1: f32) {
        self.rulings.push(Rect {
            x0,
            y0: y - 0.25,
            x1,
            y1: y + 0.25,
        });
    }

    fn upright(&mut self, x: f32, y0: f32, y1: f32) {
        self.rulings.push(Rect {
            x0: x - 0.25,
            y0,
            x1: x + 0.25,
            y1,
        });
    }

    fn prose(&mut self, dice: &mut Dice, top: f32, lines: usize) -> f32 {
        for line in 0..lines {
            let mut words = String::from("The");
            while Self::width(&words) < 440.0 {
                words.push(' ');
                words.push_str(WORDS[dice.below(WORDS.len())]);
            }
            self.write(60.0, top + line as f32 * LEADING, &words);
        }
        top + lines as f32 * LEADING
    }
}

fn amount(dice: &mut Dice) -> String {
    match dice.below(4) {
        0 => format!("{}.{}", dice.below(90), dice.below(10)),
        1 => format!("{},{:03}", 1 + dice.below(40), dice.below(1000)),
        2 => format!("{}", 10 + dice.below(900)),
        _ => format!("{}.{}%", dice.below(60), dice.below(10)),
    }
}

fn label(dice: &mut Dice, words: usize) -> String {
    let mut parts: Vec<String> = (0..words)
        .map(|_| WORDS[dice.below(WORDS.len())].to_lowercase())
        .collect();
    if let Some(first) = parts.first_mut() {
        let mut letters = first.chars();
        *first = letters
            .next()
            .map_or(String::new(), |letter| letter.to_uppercase().chain(letters).collect());
    }
    parts.join(" ")
}

/// What opens an item of a list in a cell.
pub(super) const BULLET: char = '•';

/// Whether a row of data is a label across the whole width.
fn is_group(kind: Kind, row: usize) -> bool {
    kind == Kind::GroupRows && row.is_multiple_of(4)
}

/// Rows of cells with their lines: header rows, then data.
fn content(kind: Kind, dice: &mut Dice, rows: usize, columns: usize) -> (usize, Vec<TrueCell>) {
    let mut cells = Vec::new();
    let mut cell = |row, column, row_span, column_span, lines: Vec<String>| {
        cells.push(TrueCell {
            row,
            column,
            row_span,
            column_span,
            lines,
        });
    };
    let groups = matches!(kind, Kind::Groups);
    let header = if groups { 2 } else { 1 };
    cell(0, 0, header, 1, vec![label(dice, 1)]);
    if groups {
        let half = 1 + (columns - 1) / 2;
        cell(0, 1, 1, half - 1, vec![label(dice, 1)]);
        cell(0, half, 1, columns - half, vec![label(dice, 1)]);
    }
    for column in 1..columns {
        let lines = if matches!(kind, Kind::HalfRuled | Kind::Wrapped) && dice.below(3) == 0 {
            vec![label(dice, 1), label(dice, 1).to_lowercase()]
        } else {
            vec![label(dice, 1)]
        };
        cell(header - 1, column, 1, 1, lines);
    }
    let wraps = matches!(kind, Kind::Wrapped | Kind::WrappedHalfRuled);
    for row in 0..rows {
        if is_group(kind, row) {
            cell(header + row, 0, 1, columns, vec![label(dice, 2)]);
            continue;
        }
        let merged = matches!(kind, Kind::Merged);
        if kind == Kind::WrappedNames && dice.below(2) == 0 {
            let lines = vec![label(dice, 2), label(dice, 1).to_lowercase()];
            cell(header + row, 0, 1, 1, lines);
        } else if !merged || row % 2 == 0 {
            let span = if merged && row + 1 < rows { 2 } else { 1 };
            let words = 1 + dice.below(2);
            cell(header + row, 0, span, 1, vec![label(dice, words)]);
        }
        for column in 1..columns {
            let lines = if wraps && column == columns - 2 && dice.below(2) == 0 {
                (0..2 + dice.below(2))
                    .map(|line| {
                        if line == 0 {
                            label(dice, 2)
                        } else {
                            label(dice, 2).to_lowercase()
                        }
                    })
                    .collect()
            } else if kind == Kind::Bullets && column == columns - 2 {
                (0..1 + dice.below(3))
                    .map(|_| format!("{BULLET}{}", label(dice, 2)))
                    .collect()
            } else if wraps && column == columns - 2 {
                vec![label(dice, 2)]
            } else {
                vec![amount(dice)]
            };
            cell(header + row, column, 1, 1, lines);
        }
    }
    (header, cells)
}

/// A document with a table of this kind and fault. The seed says the rest.
pub(super) fn made(kind: Kind, fault: Fault, seed: u64) -> Made {
    let mut dice = Dice::new(seed);
    // Groups of one column are no groups.
    let columns = if kind == Kind::Groups { 5 } else { 3 } + dice.below(4);
    let rows = 6 + dice.below(10);
    let (header, cells) = content(kind, &mut dice, rows, columns);
    let count = header + rows;
    let ruled = !matches!(
        kind,
        Kind::Unruled | Kind::HalfRuled | Kind::WrappedHalfRuled | Kind::Groups
    );
    let (left, first) = (60.0, 110.0);
    let width = (480.0 - first) / (columns - 1) as f32;
    let xs: Vec<f32> = (0..=columns)
        .map(|column| {
            if column == 0 {
                left
            } else {
                left + first + (column - 1) as f32 * width
            }
        })
        .collect();
    let pad = if ruled { 3.0 } else { 1.5 };
    let high = |row: usize| -> f32 {
        let lines = cells
            .iter()
            .filter(|cell| cell.row == row && cell.row_span == 1)
            .map(|cell| cell.lines.len())
            .max()
            .unwrap_or(1);
        lines as f32 * LEADING + 2.0 * pad
    };
    let continued = matches!(kind, Kind::Continued | Kind::ContinuedBare);
    let break_at = if continued { header + rows / 2 } else { count };
    let total: f32 = (0..count).map(high).sum();
    let mut sheets = vec![Sheet::new()];
    let mut top = if let Some(sheet) = sheets.last_mut() {
        sheet.write(60.0, 30.0, "Quarterly review of supplies");
        let lines = 3 + dice.below(3);
        let below = sheet.prose(&mut dice, 60.0, lines);
        sheet.write(60.0, below + 14.0, "Table 7. Supplies and doses by region");
        below + 34.0
    } else {
        0.0
    };
    if fault == Fault::Cut && !continued {
        // So far down that the last row and a half fall off the paper.
        top = PAGE.1 - total + 1.5 * high(count - 1);
    } else if continued {
        top = PAGE.1 - 60.0 - (0..break_at).map(high).sum::<f32>();
    }
    let victim = header + 1 + dice.below(rows - 2);
    let mut parts: Vec<(usize, Vec<usize>)> = vec![(0, (0..break_at).collect())];
    if continued {
        let again = if kind == Kind::Continued { 0..header } else { 0..0 };
        parts.push((1, again.chain(break_at..count).collect()));
    }
    for (page, shown) in &parts {
        if *page > 0 {
            sheets.push(Sheet::new());
            top = 60.0;
            if fault == Fault::Cut {
                top = PAGE.1 - shown.iter().map(|row| high(*row)).sum::<f32>() + 1.5 * high(count - 1);
            }
            if let Some(sheet) = sheets.last_mut() {
                sheet.write(60.0, 30.0, "Quarterly review of supplies");
            }
        }
        let Some(sheet) = sheets.last_mut() else { continue };
        let mut tops: Vec<(usize, f32)> = Vec::new();
        let mut y = top;
        for row in shown {
            tops.push((*row, y));
            y += high(*row);
        }
        let bottom = y;
        let mut bullets: Vec<(f32, f32)> = Vec::new();
        if kind == Kind::Noted {
            sheet.write(
                60.0,
                bottom + 6.0,
                "* Counted at the end of the year, both offices together.",
            );
            sheet.write(60.0, bottom + 6.0 + LEADING, "Amounts in parentheses are estimates.");
        }
        for (row, y) in &tops {
            for cell in cells.iter().filter(|cell| cell.row == *row) {
                let (x0, x1) = (xs[cell.column], xs[cell.column + cell.column_span]);
                let room: f32 = (cell.row..cell.row + cell.row_span).map(high).sum();
                let hidden = fault == Fault::Picture && *row == victim && cell.row_span == 1 && cell.column > 0
                    || fault == Fault::Picture && *row == victim && cell.column == 0;
                if hidden {
                    continue;
                }
                let start = y
                    + pad
                    + if cell.row_span > 1 {
                        (room - 2.0 * pad - LEADING) / 2.0
                    } else {
                        0.0
                    };
                for (line, text) in cell.lines.iter().enumerate() {
                    let long = Sheet::width(text);
                    let x = if cell.column == 0
                        || text.chars().next().is_some_and(char::is_alphabetic) && cell.row >= header
                    {
                        x0 + 3.0
                    } else if cell.row < header {
                        f32::midpoint(x0, x1) - long / 2.0
                    } else {
                        x1 - 4.0 - long
                    };
                    let y = start + line as f32 * LEADING;
                    if let Some(item) = text.strip_prefix(BULLET) {
                        bullets.push((x, y));
                        sheet.write(x + 8.0, y, item);
                    } else {
                        sheet.write(x, y, text);
                    }
                }
            }
        }
        for (x, y) in bullets {
            sheet.write(x, y, &BULLET.to_string());
        }
        if ruled {
            for (row, y) in &tops {
                for (at, x) in xs.iter().enumerate() {
                    if at == 0 || at == columns || !(*row >= header && is_group(kind, row - header)) {
                        sheet.upright(*x, *y, y + high(*row));
                    }
                }
            }
            let ends = tops.iter().map(|(row, y)| (*row, *y)).chain([(usize::MAX, bottom)]);
            for (at, (row, y)) in ends.enumerate() {
                if fault == Fault::MissingLine && row == victim && at > 0 {
                    continue;
                }
                let inside = cells
                    .iter()
                    .any(|cell| cell.column == 0 && cell.row < row && row < cell.row + cell.row_span);
                sheet.level(y, if inside { xs[1] } else { xs[0] }, xs[columns]);
            }
        } else if kind != Kind::Unruled {
            sheet.level(top, xs[0], xs[columns]);
            let under = tops.iter().find(|(row, _)| *row == header).map_or(bottom, |(_, y)| *y);
            sheet.level(under, xs[0], xs[columns]);
            sheet.level(bottom, xs[0], xs[columns]);
            for cell in cells.iter().filter(|cell| cell.column_span > 1) {
                sheet.level(
                    top + high(0),
                    xs[cell.column] + 4.0,
                    xs[cell.column + cell.column_span] - 4.0,
                );
            }
        }
        top = bottom;
    }
    if fault != Fault::Cut
        && let Some(sheet) = sheets.last_mut()
    {
        sheet.prose(&mut dice, top + 40.0, 2);
    }
    assembled(sheets, kind == Kind::Rotated, count, cells)
}

fn assembled(sheets: Vec<Sheet>, rotated: bool, rows: usize, cells: Vec<TrueCell>) -> Made {
    let turn = |rect: Rect| {
        if rotated {
            // Text runs up the page.
            Rect {
                x0: rect.y0,
                y0: PAGE.0 - rect.x1,
                x1: rect.y1,
                y1: PAGE.0 - rect.x0,
            }
        } else {
            rect
        }
    };
    let (mut text, mut boxes, mut details) = (String::new(), Vec::new(), Vec::new());
    let pages = sheets.len();
    for (number, sheet) in sheets.into_iter().enumerate() {
        if number > 0 {
            text.push('\u{c}');
            boxes.push(None);
        }
        text.push_str(&sheet.text);
        boxes.extend(sheet.boxes.into_iter().map(|rect| rect.map(turn)));
        details.push(PageDetail {
            rulings: sheet.rulings.into_iter().map(turn).collect(),
            ..PageDetail::default()
        });
    }
    let size = if rotated {
        PageSize {
            width: PAGE.1,
            height: PAGE.0,
        }
    } else {
        PageSize {
            width: PAGE.0,
            height: PAGE.1,
        }
    };
    Made {
        layer: Layer::new(&text).unwrap_or_else(|error| unreachable!("{error}")),
        boxes: LayerBoxes::new(boxes),
        sizes: vec![size; pages],
        details,
        rows,
        cells,
    }
}
