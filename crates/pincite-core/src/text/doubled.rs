//! Text drawn twice: the same letters again at nearly the same place, for a bold look, a shadow, or by mistake.
//!
//! The layer keeps both, as it keeps everything; here the second is found, so that the matcher may skip it. What is
//! found is surely a second drawing: one code point, one size, boxes that cover each other almost wholly. Narrow letters
//! of a shadow (an "l" beside its own shadow) are believed only beside a letter that is sure and moved alike.
//!
//! A real repetition is never nearer than its letter is wide: the two strokes of "ll" don't touch. Letters of one glyph
//! (the two of an "ff" ligature) do have one box; the extractor says which those are.
//!
//! Deliberately not here: skipping anything.

use super::boxes::Rect;
use super::offset::Run;
use std::collections::HashMap;

/// How far a second drawing is moved at most, as a share of its box's longer side (about the height of the line).
const FARTHEST: f32 = 0.1;
/// How much the sides of the two boxes differ at most: as a share of the longer side.
const UNLIKE: f32 = 0.06;
/// The share of the smaller box that both cover, from which a second drawing is sure.
const COVERED: f32 = 0.5;
/// How alike the moves of two neighbours are that vouch for each other, as a share of the longer side.
const MOVED_ALIKE: f32 = 0.03;
/// A cell's side in farthest moves: wide enough that most searches end in one cell.
const CELL: f32 = 4.0;
/// How many first drawings of one code point are remembered in a cell, which is less than two letters wide: more than
/// the narrowest letters need.
const MOST_IN_CELL: usize = 16;

/// What is known of one code point: drawn before, with this move from there.
#[derive(Clone, Copy)]
struct Again {
    sure: bool,
    moved: (f32, f32),
    side: f32,
}

/// Where a box's corner lies: code point, power of two of the longer side, row and column, mixed into one number. Two
/// places may share one; what is found there is compared all the same.
type Cell = u64;

/// The code points of a page that are drawn again over earlier ones, as runs in the page's order. `characters` and
/// `boxes` are the page's, one entry each a code point; `shared` says which share one glyph. Linear in their number.
#[must_use]
pub fn doubled(characters: &[char], boxes: &[Option<Rect>], shared: &[Run]) -> Vec<Run> {
    let mut seen: HashMap<Cell, Vec<u32>> = HashMap::new();
    let mut again: Vec<Option<Again>> = vec![None; characters.len().min(boxes.len())];
    let mut glyphs = shared.iter().peekable();
    let mut any = false;
    for (index, (character, rect)) in characters.iter().zip(boxes).enumerate() {
        let Some(rect) = usable(*character, *rect) else {
            continue;
        };
        let number = u32::try_from(index).unwrap_or(u32::MAX);
        while glyphs.next_if(|run| run.end <= number).is_some() {}
        // Letters of one glyph stand for it together; the first of them is compared for all.
        let own = glyphs.peek().filter(|run| run.start <= number).map(|run| run.start);
        let first = seen_before(&seen, characters, boxes, *character, rect, own);
        match first {
            Some(found) => {
                any |= found.sure;
                again[index] = Some(found);
                // A likely one alone is a first drawing too: something else may lie on it.
                if !found.sure {
                    remember(&mut seen, *character, rect, number);
                }
            }
            None => remember(&mut seen, *character, rect, number),
        }
    }
    if !any {
        return Vec::new();
    }
    vouch(&mut again, characters, boxes);
    runs(&again, characters, boxes)
}

/// The box of a code point that has ink, with sides that can be measured. Spaces may lie on each other anywhere.
fn usable(character: char, rect: Option<Rect>) -> Option<Rect> {
    rect.filter(|_| !character.is_whitespace()).filter(|rect| {
        let side = longer_side(*rect);
        side.is_finite() && side > 0.0 && rect.x0.is_finite() && rect.y0.is_finite()
    })
}

fn longer_side(rect: Rect) -> f32 {
    (rect.x1 - rect.x0).max(rect.y1 - rect.y0)
}

/// Rows or columns from `low` to `high`, at most two, in cells as wide as the class of the box asks for.
#[expect(clippy::cast_possible_truncation, reason = "a float that does not fit saturates")]
fn cells(low: f32, high: f32, class: i32) -> std::ops::RangeInclusive<i64> {
    let width = CELL * FARTHEST * 2.0_f32.powi(class + 1);
    let at = |side: f32| (side / width).floor() as i64;
    let first = at(low);
    first..=at(high).min(first.saturating_add(1))
}

#[expect(clippy::cast_sign_loss, reason = "only the bits matter")]
const fn cell(character: char, class: i32, column: i64, row: i64) -> Cell {
    let place = (column as u64 & 0xf_ffff) | (row as u64 & 0xf_ffff) << 20;
    place ^ (character as u64) << 40 ^ (class as u64) << 58
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "an exponent of a float is a small number"
)]
fn class_of(side: f32) -> i32 {
    side.log2().floor() as i32
}

fn remember(seen: &mut HashMap<Cell, Vec<u32>>, character: char, rect: Rect, number: u32) {
    let class = class_of(longer_side(rect));
    let (column, row) = (cells(rect.x0, rect.x0, class), cells(rect.y0, rect.y0, class));
    let held = seen
        .entry(cell(character, class, *column.start(), *row.start()))
        .or_default();
    if held.len() < MOST_IN_CELL {
        held.push(number);
    }
}

/// The best earlier drawing: a sure one, else a likely one. `own` is where the glyph of this code point begins, if it
/// shares one: its fellows are no earlier drawing.
fn seen_before(
    seen: &HashMap<Cell, Vec<u32>>,
    characters: &[char],
    boxes: &[Option<Rect>],
    character: char,
    rect: Rect,
    own: Option<u32>,
) -> Option<Again> {
    let side = longer_side(rect);
    let mut likely = None;
    let reach = FARTHEST * side;
    // A box of nearly the same size may fall into the next class.
    for class in class_of(side * (1.0 - UNLIKE))..=class_of(side * (1.0 + UNLIKE)) {
        for column in cells(rect.x0 - reach, rect.x0 + reach, class) {
            for row in cells(rect.y0 - reach, rect.y0 + reach, class) {
                for number in seen.get(&cell(character, class, column, row)).into_iter().flatten() {
                    let index = *number as usize;
                    if own.is_some_and(|start| start <= *number) || characters.get(index) != Some(&character) {
                        continue;
                    }
                    let earlier = boxes.get(index).copied().flatten();
                    match earlier.and_then(|earlier| compare(earlier, rect)) {
                        Some(found) if found.sure => return Some(found),
                        Some(found) => likely = likely.or(Some(found)),
                        None => {}
                    }
                }
            }
        }
    }
    likely
}

/// Whether `later` may be `earlier` drawn again.
fn compare(earlier: Rect, later: Rect) -> Option<Again> {
    let side = longer_side(later);
    let moved = (later.x0 - earlier.x0, later.y0 - earlier.y0);
    let near = |difference: f32, share: f32| difference.abs() <= share * side;
    let width = |rect: Rect| rect.x1 - rect.x0;
    let height = |rect: Rect| rect.y1 - rect.y0;
    let alike = near(moved.0, FARTHEST)
        && near(moved.1, FARTHEST)
        && near(width(later) - width(earlier), UNLIKE)
        && near(height(later) - height(earlier), UNLIKE);
    if !alike {
        return None;
    }
    let both = (later.x1.min(earlier.x1) - later.x0.max(earlier.x0)).max(0.0)
        * (later.y1.min(earlier.y1) - later.y0.max(earlier.y0)).max(0.0);
    let smaller = (width(later) * height(later)).min(width(earlier) * height(earlier));
    Some(Again {
        sure: both > 0.0 && both >= COVERED * smaller,
        moved,
        side,
    })
}

/// A likely second drawing beside a sure one that moved alike is sure. Walks once in each direction.
fn vouch(again: &mut [Option<Again>], characters: &[char], boxes: &[Option<Rect>]) {
    let boxed: Vec<usize> = (0..again.len())
        .filter(|index| usable(characters[*index], boxes[*index]).is_some())
        .collect();
    let mut pass = |order: &mut dyn Iterator<Item = usize>| {
        let mut neighbour: Option<Again> = None;
        for index in order {
            if let (Some(here), Some(beside)) = (again[index].as_mut(), neighbour) {
                let alike = |one: f32, other: f32| (one - other).abs() <= MOVED_ALIKE * here.side.min(beside.side);
                here.sure |= beside.sure && alike(here.moved.0, beside.moved.0) && alike(here.moved.1, beside.moved.1);
            }
            neighbour = again[index];
        }
    };
    pass(&mut boxed.iter().copied());
    pass(&mut boxed.iter().rev().copied());
}

/// The sure ones as runs; white space and what has no box between two of them goes with them.
fn runs(again: &[Option<Again>], characters: &[char], boxes: &[Option<Rect>]) -> Vec<Run> {
    let mut found: Vec<Run> = Vec::new();
    let mut goes_on = false;
    for (index, entry) in again.iter().enumerate() {
        let number = u32::try_from(index).unwrap_or(u32::MAX);
        if entry.is_some_and(|entry| entry.sure) {
            match found.last_mut() {
                Some(run) if goes_on => run.end = number + 1,
                _ => found.push(Run {
                    start: number,
                    end: number + 1,
                }),
            }
            goes_on = true;
        } else if usable(characters[index], boxes[index]).is_some() {
            goes_on = false;
        }
    }
    found
}

#[cfg(test)]
#[path = "doubled_tests.rs"]
mod tests;
