//! The order in which a person reads a page that is set in columns, and what a drag over such a page selects.
//!
//! A layer keeps the extractor's order. Where that runs across a gutter from line to line, a selection dragged down one
//! column would take the other one's lines with it; [`reading_order`] says then in which order to walk. Everything here
//! is proven or left alone: an order is given only where a gutter is clear of ink over several lines, with running text
//! on both sides of it, and the layer really mixes the two. In all other cases the layer's own order stands.
//!
//! The search is a cut into bands and columns (in the manner of Nagy and Seth's XY cut, 1984): lines that cross the gutter
//! part the page into bands, and each band is read column by column. Inside a column the layer's order stands.
//!
//! Deliberately not here: changing a layer; tables (rows that go across are no columns of text); lines and paragraphs.

use super::boxes::{LayerBoxes, Rect};
use super::boxes_selection::on_one_line;
use super::layer::Layer;
use super::offset::Run;
use super::offset::{CharOffset, CharSpan};
use std::ops::Range;

/// A gap along a line, in line heights, that parts two pieces of it. A space is a quarter; a justified one rarely passes
/// a half; a gutter is one line height or more.
const PIECE_GAP: f32 = 0.9;
/// The narrowest gutter, in line heights.
const GUTTER: f32 = 0.7;
/// How many lines each side of a gutter must have.
const LINES: usize = 6;
/// The share of a side's pieces that may stand beside another one of it, for it to be one column.
const BESIDE: f32 = 0.2;
/// Pages of more pieces than this are left alone: no person reads them in columns.
const MOST_PIECES: usize = 4_000;
/// How many code points the middle line of a side must have: what has fewer is a table's cell.
const LINE_LENGTH: usize = 14;
/// The share of letters from which a side is words and not figures.
const LETTERS: f32 = 0.6;
/// How much of its column the middle line of a side must fill.
const FILL: f32 = 0.4;
/// The same where every line has a partner at its height on the other side, as the rows of a table do.
const FILL_OF_ROWS: f32 = 0.8;
/// The share of lines with a partner from which they are rows.
const ROWS: f32 = 0.9;
/// A gap between lines, in line heights, that parts paragraphs or rows.
const ROW_GAP: f32 = 0.45;
/// The share of gaps that stand at one height on both sides from which they part the rows of a table: there all do, and
/// between paragraphs some do by chance.
const SHARED_GAPS: f32 = 0.6;
/// How many lines for each such gap are too many for rows.
const LINES_A_GAP: usize = 10;
/// How many rulings across the gutter make a band a table.
const RULINGS: usize = 2;
/// How deep columns are cut: into eight at the most.
const DEPTH: u32 = 3;

/// A piece of a line: code points of a page that stand side by side, unboxed ones between and after them counted.
#[derive(Debug, Clone)]
struct Piece {
    /// Indices into the page's own code points.
    range: Range<usize>,
    rect: Rect,
    /// Code points with a box, and how many of them are letters.
    boxed: usize,
    letters: usize,
}

/// The order in which a person reads a page: runs that hold each of its code points once, or nothing where the layer's
/// own order is right or no other one can be proven.
///
/// `text` is the page's part of the layer, `boxes` has one entry for each of its code points, and `rulings` are the lines
/// drawn on the page: a gutter that several of them cross belongs to a table.
#[must_use]
pub fn reading_order(text: &[char], boxes: &[Option<Rect>], rulings: &[Rect]) -> Vec<Run> {
    let pieces = pieces(text, boxes);
    let right_to_left = reads_right_to_left(text);
    let mut blocks = vec![0_u32; pieces.len()];
    let mut cut = Cut {
        pieces: &pieces,
        rulings,
        right_to_left,
        blocks: &mut blocks,
        next_block: 0,
        mixed: false,
    };
    if pieces.len() <= MOST_PIECES {
        cut.region((0..pieces.len()).collect(), DEPTH);
    }
    if !cut.mixed {
        return Vec::new();
    }
    let in_order = from_the_top(&pieces, &blocks);
    let mut runs: Vec<Run> = Vec::new();
    for piece in in_order.into_iter().filter_map(|index| pieces.get(index)) {
        let offset = |index: usize| CharOffset::from_index(index).0;
        let (start, end) = (offset(piece.range.start), offset(piece.range.end));
        match runs.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ => runs.push(Run { start, end }),
        }
    }
    if runs.len() < 2 { Vec::new() } else { runs }
}

/// The pieces block by block. What a block's layer order puts above what came before (a foot that is drawn first) goes to
/// where it stands, if it is clear of the rest.
fn from_the_top(pieces: &[Piece], blocks: &[u32]) -> Vec<usize> {
    let mut in_order: Vec<usize> = (0..pieces.len()).collect();
    in_order.sort_by_key(|index| (blocks.get(*index).copied().unwrap_or(0), *index));
    // A flow goes down the page or along a line; its extent from top to bottom comes with it.
    let mut flows: Vec<(u32, f32, f32, Vec<usize>)> = Vec::new();
    let mut last: Option<Rect> = None;
    for index in in_order {
        let Some((rect, block)) = pieces
            .get(index)
            .map(|piece| piece.rect)
            .zip(blocks.get(index).copied())
        else {
            continue;
        };
        match (flows.last_mut(), last) {
            (Some(flow), Some(last)) if flow.0 == block && rect.y1 > last.y0 => {
                flow.1 = flow.1.min(rect.y0);
                flow.2 = flow.2.max(rect.y1);
                flow.3.push(index);
            }
            _ => flows.push((block, rect.y0, rect.y1, vec![index])),
        }
        last = Some(rect);
    }
    let mut sorted: Vec<usize> = Vec::new();
    for block in flows.chunk_by_mut(|one, other| one.0 == other.0) {
        let mut by_top: Vec<(f32, f32)> = block.iter().map(|flow| (flow.1, flow.2)).collect();
        by_top.sort_by(|one, other| one.0.total_cmp(&other.0));
        // Boxes of neighbouring lines may overlap a little; flows that do so by more are left in the layer's order.
        let clear = by_top
            .windows(2)
            .all(|pair| matches!(pair, [one, next] if one.1 - next.0 < 4.0));
        if clear {
            block.sort_by(|one, other| one.1.total_cmp(&other.1));
        }
        sorted.extend(block.iter().flat_map(|flow| flow.3.iter().copied()));
    }
    sorted
}

/// The pieces of a page's lines. Together their ranges are the page, in order, without a gap.
fn pieces(text: &[char], boxes: &[Option<Rect>]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut last: Option<Rect> = None;
    for (index, (character, rect)) in text.iter().zip(boxes).enumerate() {
        let Some(rect) = *rect else {
            if let Some(piece) = pieces.last_mut() {
                piece.range.end = index + 1;
            }
            continue;
        };
        let letters = usize::from(character.is_alphabetic());
        let near = last.is_some_and(|last| {
            let gap = (rect.x0 - last.x1).max(last.x0 - rect.x1);
            on_one_line(last, rect) && gap < PIECE_GAP * last.height().max(rect.height())
        });
        match pieces.last_mut() {
            Some(piece) if near => {
                piece.range.end = index + 1;
                piece.rect = piece.rect.union(rect);
                piece.boxed += 1;
                piece.letters += letters;
            }
            other => {
                // What stands unboxed before the first box belongs to its piece.
                let start = if other.is_none() { 0 } else { index };
                pieces.push(Piece {
                    range: start..index + 1,
                    rect,
                    boxed: 1,
                    letters,
                });
            }
        }
        last = Some(rect);
    }
    pieces
}

/// Whether most of a page's letters are of a script that runs from right to left.
fn reads_right_to_left(text: &[char]) -> bool {
    // Hebrew, Arabic and their neighbours, and the presentation forms of both.
    let leftward = |character: char| matches!(character, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{feff}');
    let letters = text.iter().filter(|character| character.is_alphabetic()).count();
    let from_right = text
        .iter()
        .filter(|character| character.is_alphabetic() && leftward(**character))
        .count();
    2 * from_right > letters
}

/// The cutting of a page: gives each piece the number of its block, in the order of reading.
struct Cut<'a> {
    pieces: &'a [Piece],
    rulings: &'a [Rect],
    right_to_left: bool,
    blocks: &'a mut Vec<u32>,
    next_block: u32,
    /// Whether the layer mixes two columns anywhere.
    mixed: bool,
}

/// A part of a region between two lines that cross its gutter.
#[derive(Default)]
struct Band {
    left: Vec<usize>,
    right: Vec<usize>,
}

impl Cut<'_> {
    fn piece(&self, index: usize) -> Option<&Piece> {
        self.pieces.get(index)
    }

    fn rect(&self, index: usize) -> Rect {
        self.piece(index).map_or(
            Rect {
                x0: 0.0,
                y0: 0.0,
                x1: 0.0,
                y1: 0.0,
            },
            |piece| piece.rect,
        )
    }

    /// Numbers the pieces of a region: as one block, or band by band and column by column.
    fn region(&mut self, members: Vec<usize>, depth: u32) {
        let Some(gutter) = self.gutter(&members, depth) else {
            self.block(&members);
            return;
        };
        for part in self.parts(&members, gutter, depth) {
            match part {
                Part::Across(members) => self.block(&members),
                Part::Columns(Band { left, right }) => {
                    let (first, second) = if self.right_to_left {
                        (right, left)
                    } else {
                        (left, right)
                    };
                    // The layer mixes them when it comes back to the first after the second began.
                    self.mixed |= first.iter().max() > second.iter().min();
                    self.region(first, depth - 1);
                    self.region(second, depth - 1);
                }
            }
        }
    }

    fn block(&mut self, members: &[usize]) {
        for member in members {
            if let Some(block) = self.blocks.get_mut(*member) {
                *block = self.next_block;
            }
        }
        self.next_block += 1;
    }

    /// The x at the middle of the gutter that has the most lines beside it, where there is one that proves itself.
    fn gutter(&self, members: &[usize], depth: u32) -> Option<f32> {
        if depth == 0 {
            return None;
        }
        let mut edges: Vec<f32> = members.iter().map(|member| self.rect(*member).x1).collect();
        edges.sort_by(f32::total_cmp);
        edges.dedup_by(|one, other| (*one - *other).abs() < 1.0);
        let height = self.middle_of(members, Rect::height);
        let mut best: Option<(usize, f32)> = None;
        for edge in edges {
            // Right of this edge, up to the nearest left edge of what does not cross it.
            let next = members
                .iter()
                .map(|member| self.rect(*member).x0)
                .filter(|x0| *x0 > edge)
                .fold(f32::INFINITY, f32::min);
            if !next.is_finite() || next - edge < GUTTER * height {
                continue;
            }
            let x = f32::midpoint(edge, next);
            let side =
                |holds: fn(Rect, f32) -> bool| members.iter().filter(|member| holds(self.rect(**member), x)).count();
            let (left, right) = (side(|rect, x| rect.x1 <= x), side(|rect, x| rect.x0 >= x));
            if left.min(right) < LINES || members.len() - left - right > left.min(right) {
                continue;
            }
            // What only sticks out into it is a line of one side, and this is no gutter.
            let sticks_out = |rect: Rect| {
                rect.x0 < x
                    && x < rect.x1
                    && rect.width() > 4.0 * height
                    && (x - rect.x0).min(rect.x1 - x) < 2.0 * height
            };
            if members.iter().any(|member| sticks_out(self.rect(*member))) {
                continue;
            }
            let proven: usize = self
                .parts(members, x, depth)
                .iter()
                .map(|part| match part {
                    Part::Columns(band) => band.left.len() + band.right.len(),
                    Part::Across(_) => 0,
                })
                .sum();
            if proven > 0 && best.is_none_or(|(most, _)| proven > most) {
                best = Some((proven, x));
            }
        }
        best.map(|(_, x)| x)
    }

    /// A region cut at a gutter: what goes across and what stands in proven columns, from the top down.
    fn parts(&self, members: &[usize], x: f32, depth: u32) -> Vec<Part> {
        let mut from_the_top = members.to_vec();
        from_the_top.sort_by(|one, other| self.rect(*one).centre().1.total_cmp(&self.rect(*other).centre().1));
        let mut parts: Vec<Part> = Vec::new();
        let mut band = Band::default();
        for member in from_the_top {
            let rect = self.rect(member);
            if rect.x1 <= x {
                band.left.push(member);
            } else if rect.x0 >= x {
                band.right.push(member);
            } else {
                self.close(std::mem::take(&mut band), depth, &mut parts);
                across(&mut parts, vec![member]);
            }
        }
        self.close(band, depth, &mut parts);
        parts
    }

    fn close(&self, band: Band, depth: u32, parts: &mut Vec<Part>) {
        if self.proves(&band, depth) {
            parts.push(Part::Columns(band));
        } else {
            let mut members = band.left;
            members.extend(band.right);
            across(parts, members);
        }
    }

    fn middle_of(&self, members: &[usize], measure: impl Fn(Rect) -> f32) -> f32 {
        let mut values: Vec<f32> = members.iter().map(|member| measure(self.rect(*member))).collect();
        values.sort_by(f32::total_cmp);
        values.get(values.len() / 2).copied().unwrap_or(0.0)
    }

    fn around(&self, members: &[usize]) -> Option<Rect> {
        members.iter().map(|member| self.rect(*member)).reduce(Rect::union)
    }

    /// Whether a band is two columns of running text, and no table.
    fn proves(&self, band: &Band, depth: u32) -> bool {
        if band.left.len() < LINES || band.right.len() < LINES {
            return false;
        }
        let (Some(left), Some(right)) = (self.around(&band.left), self.around(&band.right)) else {
            return false;
        };
        let height = self
            .middle_of(&band.left, Rect::height)
            .max(self.middle_of(&band.right, Rect::height));
        let beside = left.y1.min(right.y1) - left.y0.max(right.y0);
        if right.x0 - left.x1 < GUTTER * height || beside < LINES as f32 * 0.8 * height {
            return false;
        }
        let crossing = |ruling: &&Rect| {
            ruling.width() > ruling.height()
                && ruling.x0 < left.x1
                && right.x0 < ruling.x1
                && left.y0.min(right.y0) < ruling.y0
                && ruling.y1 < left.y1.max(right.y1)
        };
        if self.rulings.iter().filter(crossing).count() >= RULINGS {
            return false;
        }
        let wanted = if self.are_rows(band, height) {
            FILL_OF_ROWS
        } else {
            FILL
        };
        // A side is one column whose lines fill it, or proves to be several.
        let is_side = |members: &[usize], side: Rect| {
            if self.is_one_column(members, height) {
                self.fill(members, side) >= wanted
            } else {
                self.gutter(members, depth - 1).is_some()
            }
        };
        self.is_words(&band.left)
            && self.is_words(&band.right)
            && !self.has_rows(band, height)
            && is_side(&band.left, left)
            && is_side(&band.right, right)
    }

    /// Whether few pieces of a side stand beside another one of it.
    fn is_one_column(&self, members: &[usize], height: f32) -> bool {
        // The members of a band come from the top down.
        let middle = |member: usize| self.rect(member).centre().1;
        let beside = members
            .windows(2)
            .filter(|pair| matches!(pair, [one, next] if (middle(*one) - middle(*next)).abs() < 0.3 * height))
            .count();
        beside as f32 <= BESIDE * members.len() as f32
    }

    /// How much of its column the middle line fills.
    fn fill(&self, members: &[usize], column: Rect) -> f32 {
        self.middle_of(members, Rect::width) / column.width().max(1.0)
    }

    fn is_words(&self, members: &[usize]) -> bool {
        let mut lengths: Vec<usize> = members
            .iter()
            .filter_map(|member| Some(self.piece(*member)?.boxed))
            .collect();
        lengths.sort_unstable();
        let boxed: usize = lengths.iter().sum();
        let letters: usize = members
            .iter()
            .filter_map(|member| Some(self.piece(*member)?.letters))
            .sum();
        lengths
            .get(lengths.len() / 2)
            .is_some_and(|middle| *middle >= LINE_LENGTH)
            && letters as f32 >= LETTERS * boxed as f32
    }

    /// Whether nearly every line has a partner at its height on the other side.
    fn are_rows(&self, band: &Band, height: f32) -> bool {
        let partners = |one: &[usize], other: &[usize]| {
            one.iter()
                .filter(|member| {
                    let y = self.rect(**member).centre().1;
                    other
                        .iter()
                        .any(|partner| (self.rect(*partner).centre().1 - y).abs() < 0.2 * height)
                })
                .count() as f32
                / one.len().max(1) as f32
        };
        partners(&band.left, &band.right) >= ROWS && partners(&band.right, &band.left) >= ROWS
    }

    /// Whether the gaps between lines stand at one height on both sides, as they do between the rows of a table.
    fn has_rows(&self, band: &Band, height: f32) -> bool {
        let gaps = |members: &[usize]| -> Vec<(f32, f32)> {
            // The members of a band come from the top down.
            let mut lower = f32::NEG_INFINITY;
            let mut found = Vec::new();
            for member in members {
                let rect = self.rect(*member);
                if lower.is_finite() && rect.y0 - lower > ROW_GAP * height {
                    found.push((lower, rect.y0));
                }
                lower = lower.max(rect.y1);
            }
            found
        };
        let (left, right) = (gaps(&band.left), gaps(&band.right));
        let shared = left
            .iter()
            .filter(|one| right.iter().any(|other| one.0.max(other.0) < one.1.min(other.1)))
            .count();
        shared as f32 >= SHARED_GAPS * left.len().max(right.len()) as f32
            && LINES_A_GAP * shared > band.left.len().min(band.right.len())
    }
}

/// A part of a region.
enum Part {
    /// Read in the layer's order.
    Across(Vec<usize>),
    /// Read column by column.
    Columns(Band),
}

fn across(parts: &mut Vec<Part>, members: Vec<usize>) {
    match parts.last_mut() {
        Some(Part::Across(before)) => before.extend(members),
        _ if members.is_empty() => {}
        _ => parts.push(Part::Across(members)),
    }
}

/// The spans that a drag from one point of a page to another selects, in the order of reading. `order` is the page's
/// ([`reading_order`]); where it is empty the layer's own holds and there is one span. Empty where the page has no box.
#[must_use]
pub fn dragged(
    layer: &Layer,
    boxes: &LayerBoxes,
    order: &[Run],
    page: u32,
    from: (f32, f32),
    to: (f32, f32),
) -> Vec<CharSpan> {
    let Some(span) = layer.page_span(page) else {
        return Vec::new();
    };
    let whole = [Run {
        start: 0,
        end: CharOffset::from_index(span.len()).0,
    }];
    let order = if order.is_empty() { &whole[..] } else { order };
    let columns = columns(boxes, span.start(), order);
    let ends = (
        nearest(boxes, span.start(), &columns, from),
        nearest(boxes, span.start(), &columns, to),
    );
    let (Some(one), Some(other)) = ends else {
        return Vec::new();
    };
    let (first, last) = (one.min(other), one.max(other));
    let mut found: Vec<CharSpan> = Vec::new();
    let mut before = 0_usize;
    for run in order {
        let length = run.end.saturating_sub(run.start) as usize;
        let from = first.saturating_sub(before);
        let to = (last + 1).saturating_sub(before).min(length);
        before += length;
        if from >= to {
            continue;
        }
        let start = span.start().index() + run.start as usize;
        let next = CharSpan::of_indices(start + from, start + to);
        match found.last_mut() {
            Some(last) if last.end() == next.start() => *last = CharSpan::of_indices(last.start().index(), start + to),
            _ => found.push(next),
        }
    }
    found
}

/// Code points that follow each other in the order of reading without a jump up the page: a column, or what goes across.
struct Column {
    rect: Rect,
    /// Place in the order of reading and index in the page.
    places: Vec<(usize, usize)>,
}

fn columns(boxes: &LayerBoxes, page_start: CharOffset, order: &[Run]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let mut last: Option<Rect> = None;
    let places = order
        .iter()
        .flat_map(|run| run.start as usize..run.end as usize)
        .enumerate();
    for (place, index) in places {
        let Some(rect) = boxes.get(CharOffset::from_index(page_start.index() + index)) else {
            continue;
        };
        // Up the page, and to where the column before does not reach: another one begins.
        let jumps = |last: Rect, column: &Column| {
            rect.y1 <= last.y0 && (rect.x0 >= column.rect.x1 || rect.x1 <= column.rect.x0)
        };
        match (columns.last_mut(), last) {
            (Some(column), Some(last)) if !jumps(last, column) => {
                column.rect = column.rect.union(rect);
                column.places.push((place, index));
            }
            _ => columns.push(Column {
                rect,
                places: vec![(place, index)],
            }),
        }
        last = Some(rect);
    }
    columns
}

/// The place, in the order of reading, of the code point nearest to a point: on the point's own line and in its own column
/// where there is one.
fn nearest(boxes: &LayerBoxes, page_start: CharOffset, columns: &[Column], (x, y): (f32, f32)) -> Option<usize> {
    let mut around = columns.iter().filter(|column| column.rect.has((x, y)));
    let own = match (around.next(), around.next()) {
        (Some(only), None) => std::slice::from_ref(only),
        _ => columns,
    };
    let outside = |from: f32, to: f32, at: f32| (from - at).max(at - to).max(0.0);
    // Leaving the line costs more than walking along it.
    let distance = |rect: Rect| 4.0 * outside(rect.y0, rect.y1, y) + outside(rect.x0, rect.x1, x);
    own.iter()
        .flat_map(|column| &column.places)
        .filter_map(|(place, index)| {
            let rect = boxes.get(CharOffset::from_index(page_start.index() + index))?;
            Some((*place, distance(rect)))
        })
        .min_by(|one, other| one.1.total_cmp(&other.1))
        .map(|(place, _)| place)
}

#[cfg(test)]
#[path = "order_tests.rs"]
mod tests;
