//! A page as tables are looked for on it: words and rulings, turned so that its text runs level.
//!
//! A word is what no space, no line break and no wide gap divides. Whether text runs level is read from the way one box
//! follows another, so that a table printed along the long side of a portrait page is read like any other.
//!
//! Deliberately not here: lines and columns; they depend on what part of the page is looked at.

use super::rules::{Ruling, snapped};
use crate::structure::ParseInput;
use crate::text::{CharOffset, CharSpan, Rect};

/// What no space divides.
#[derive(Debug, Clone, Copy)]
pub(in crate::structure) struct Word {
    /// Around its boxes, in the paper's frame.
    pub(in crate::structure) rect: Rect,
    /// Its code points.
    pub(in crate::structure) span: CharSpan,
    /// Whether it runs across the paper's own direction.
    pub(in crate::structure) across: bool,
    /// How much of it counts as an amount: see [`is_amount`].
    pub(in crate::structure) amount: bool,
}

/// A page, turned.
#[derive(Debug, Clone)]
pub(in crate::structure) struct Paper {
    /// From 1.
    pub(in crate::structure) page: u32,
    pub(in crate::structure) width: f32,
    pub(in crate::structure) height: f32,
    pub(in crate::structure) words: Vec<Word>,
    /// Level rulings: `at` is a height.
    pub(in crate::structure) level: Vec<Ruling>,
    /// Upright rulings: `at` is a distance from the left.
    pub(in crate::structure) upright: Vec<Ruling>,
    /// The font size of most of the type, in points; an estimate from heights and widths of boxes. Never 0.
    pub(in crate::structure) type_size: f32,
}

/// How the text of a paper was turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    None,
    /// Text runs down the page.
    Down,
    /// Text runs up the page.
    Up,
}

impl Turn {
    fn rect(self, rect: Rect, width: f32, height: f32) -> Rect {
        match self {
            Self::None => rect,
            Self::Down => Rect {
                x0: rect.y0,
                y0: width - rect.x1,
                x1: rect.y1,
                y1: width - rect.x0,
            },
            Self::Up => Rect {
                x0: height - rect.y1,
                y0: rect.x0,
                x1: height - rect.y0,
                y1: rect.x1,
            },
        }
    }
}

/// A code point and its box.
type Glyph = (usize, Rect);

/// A page with more words is no page that a person reads.
const MOST_WORDS: usize = 40_000;

/// Reads a page (from 1). `None` where it has no boxes, or far too many.
pub(in crate::structure) fn read(input: &ParseInput<'_>, page: u32) -> Option<Paper> {
    let span = input.layer.page_span(page)?;
    let index = usize::try_from(page).ok()?.checked_sub(1)?;
    let characters = input.layer.characters();
    let raw = raw_words(input, characters, span);
    if raw.is_empty() || raw.len() > MOST_WORDS {
        return None;
    }
    let size = input.page_sizes.get(index);
    let (mut right, mut lower) = (0.0_f32, 0.0_f32);
    for (_, rect) in raw.iter().flatten() {
        right = right.max(rect.x1);
        lower = lower.max(rect.y1);
    }
    let (width, height) = size
        .filter(|size| size.width > 0.0 && size.height > 0.0)
        .map_or((right, lower), |size| (size.width, size.height));
    let turn = direction(&raw);
    let rulings = input
        .details
        .get(index)
        .map(|detail| detail.rulings.as_slice())
        .unwrap_or_default();
    let turned: Vec<Rect> = rulings.iter().map(|rect| turn.rect(*rect, width, height)).collect();
    let frame = if turn == Turn::None {
        (width, height)
    } else {
        (height, width)
    };
    let (level, upright) = snapped(&turned, frame.0, frame.1);
    let words: Vec<Word> = raw
        .iter()
        .flat_map(|glyphs| at_rulings(glyphs, characters, &upright, |rect| turn.rect(rect, width, height)))
        .filter_map(|glyphs| word(glyphs, characters, turn, width, height))
        .collect();
    let (width, height) = frame;
    let type_size = type_size(&words);
    Some(Paper {
        page,
        width,
        height,
        words,
        level,
        upright,
        type_size,
    })
}

/// Cuts a page's code points where there is a space or a gap.
fn raw_words(input: &ParseInput<'_>, characters: &[char], span: CharSpan) -> Vec<Vec<Glyph>> {
    let mut words: Vec<Vec<Glyph>> = Vec::new();
    let mut open = false;
    for index in span.range() {
        let sane = |rect: &Rect| [rect.x0, rect.y0, rect.x1, rect.y1].iter().all(|side| side.is_finite());
        let rect = input.boxes.get(CharOffset::from_index(index)).filter(sane);
        let space = characters.get(index).is_none_or(|character| character.is_whitespace());
        let Some(rect) = rect.filter(|_| !space) else {
            open &= !space && characters.get(index).is_some_and(|character| !character.is_control());
            continue;
        };
        match words.last_mut() {
            Some(word) if open && word.last().is_some_and(|(_, last)| follows(*last, rect)) => word.push((index, rect)),
            _ => words.push(vec![(index, rect)]),
        }
        open = true;
    }
    words
}

/// Cuts a word where an upright line runs through it and what stands on both sides differs: two cells that touch.
fn at_rulings<'a>(
    glyphs: &'a [Glyph],
    characters: &[char],
    upright: &[Ruling],
    turned: impl Fn(Rect) -> Rect,
) -> Vec<&'a [Glyph]> {
    let Some(whole) = glyphs.iter().map(|(_, rect)| turned(*rect)).reduce(Rect::union) else {
        return Vec::new();
    };
    let kind = |glyph: &Glyph| {
        characters.get(glyph.0).map(|character| {
            (
                character.is_numeric(),
                character.is_uppercase(),
                character.is_alphabetic(),
            )
        })
    };
    let first = upright.partition_point(|ruling| ruling.at <= whole.x0 + 1.5);
    let crossing = upright
        .iter()
        .skip(first)
        .take_while(|ruling| ruling.at < whole.x1 - 1.5);
    let (mut parts, mut rest) = (Vec::new(), glyphs);
    for ruling in crossing {
        if !(ruling.from <= whole.centre().1 && whole.centre().1 <= ruling.to) {
            continue;
        }
        let left = |glyph: &Glyph| turned(glyph.1).centre().0 < ruling.at;
        let at = rest.iter().take_while(|glyph| left(glyph)).count();
        let (before, after) = rest.split_at(at);
        let differs = before.last().map(kind) != after.first().map(kind);
        if !before.is_empty() && !after.is_empty() && differs && !after.iter().any(left) {
            parts.push(before);
            rest = after;
        }
    }
    parts.push(rest);
    parts
}

/// Whether two boxes stand side by side, as letters of one word do.
fn follows(last: Rect, next: Rect) -> bool {
    let size = (last.y1 - last.y0).min(last.x1 - last.x0 + last.y1 - last.y0).max(1.0);
    let apart = |a0: f32, a1: f32, b0: f32, b1: f32| (b0 - a1).max(a0 - b1);
    let (across, along) = (
        apart(last.x0, last.x1, next.x0, next.x1),
        apart(last.y0, last.y1, next.y0, next.y1),
    );
    across.max(along) <= 0.5 * size && across.min(along) <= 0.0
}

/// The way most of the text runs.
fn direction(words: &[Vec<Glyph>]) -> Turn {
    let (mut level, mut down, mut up) = (0_usize, 0_usize, 0_usize);
    for word in words {
        let Some(((_, first), (_, last))) = word.first().zip(word.last()).filter(|_| word.len() > 1) else {
            continue;
        };
        let (ax, ay) = first.centre();
        let (bx, by) = last.centre();
        if (bx - ax).abs() >= (by - ay).abs() {
            level += word.len();
        } else if by > ay {
            down += word.len();
        } else {
            up += word.len();
        }
    }
    if level >= down.max(up) {
        Turn::None
    } else if down > up {
        Turn::Down
    } else {
        Turn::Up
    }
}

fn word(glyphs: &[Glyph], characters: &[char], turn: Turn, width: f32, height: f32) -> Option<Word> {
    let (first, last) = (glyphs.first()?, glyphs.last()?);
    let rect = glyphs.iter().map(|(_, rect)| *rect).reduce(Rect::union)?;
    let (ax, ay) = first.1.centre();
    let (bx, by) = last.1.centre();
    let stands = glyphs.len() > 1 && (by - ay).abs() > (bx - ax).abs();
    let text = characters.get(first.0..=last.0)?;
    Some(Word {
        rect: turn.rect(rect, width, height),
        span: CharSpan::of_indices(first.0, last.0 + 1),
        across: glyphs.len() > 1 && stands != (turn != Turn::None),
        amount: is_amount(text),
    })
}

/// Whether a word is an amount or stands for one: digits are half of it, or it is a dash or the like.
pub(in crate::structure) fn is_amount(text: &[char]) -> bool {
    let digits = text.iter().filter(|character| character.is_numeric()).count();
    let letters = text.iter().filter(|character| character.is_alphabetic()).count();
    digits > letters
        || letters == 0
            && !text.is_empty()
            && text.iter().all(|character| {
                matches!(
                    character,
                    '-' | '–' | '—' | '−' | '.' | '…' | '*' | '%' | '$' | '€' | '£'
                )
            })
}

fn type_size(words: &[Word]) -> f32 {
    let mut heights: Vec<f32> = Vec::new();
    let mut widths: Vec<f32> = Vec::new();
    for word in words.iter().filter(|word| !word.across) {
        let length = word.span.len().max(1);
        for _ in 0..length.min(20) {
            heights.push(word.rect.y1 - word.rect.y0);
        }
        if length > 2 {
            widths.push((word.rect.x1 - word.rect.x0) / length as f32);
        }
    }
    let median = |values: &mut Vec<f32>| {
        let middle = values.len() / 2;
        (!values.is_empty()).then(|| *values.select_nth_unstable_by(middle, f32::total_cmp).1)
    };
    let by_height = median(&mut heights).map_or(10.0, |height| height / 1.15);
    let by_width = median(&mut widths).map_or(by_height, |width| width * 2.4);
    by_height.min(by_width).clamp(1.0, 200.0)
}
