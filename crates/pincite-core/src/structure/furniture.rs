//! Running heads, running feet and page numbers: text of the page, not of the document.
//!
//! A line near the upper or lower edge is furniture when it comes back on three pages (or on half of a short document's),
//! its digits masked so that page numbers count as one; a number alone at the very edge is a page number. A line that
//! carries a label of its own is compared unmasked, or `Chapter 1`, `Chapter 2`, `Chapter 3` would be a running head.
//! So is an outermost line whose first or last number counts with the pages, whatever its words: `Chapter 2: Supply 17`.
//! What a tagged PDF marks as an artifact is furniture too.
//!
//! Deliberately not here: removing anything. Furniture stays in the layer and can be cited; it is no section and is left
//! out of the sections' hashes.

use super::lines::Layout;
use super::sections::ParseInput;
use crate::text::Tag;
use std::collections::{BTreeMap, BTreeSet};

/// The share of a page's height, from its upper edge, in which running heads stand.
const HEAD: f32 = 0.17;
/// The same at the lower edge.
const FOOT: f32 = 0.12;
/// Without geometry: so many lines at either end of a page.
const LINES_AT_EDGE: usize = 2;

/// Running heads stand at the same height on every page, give or take so many points.
const SAME_HEIGHT: f32 = 6.0;
/// On so many pages a line is furniture, however long the document.
const ENOUGH_PAGES: usize = 3;

/// Marks the furniture among the lines.
pub(super) fn mark(layout: &mut Layout<'_>, input: &ParseInput<'_>) {
    // What the PDF marks as no part of its text, where it marks its text at all.
    for line in &mut layout.lines {
        line.furniture |= matches!(line.tag, Some((Tag::Artifact, _)));
    }
    let pages = input.layer.page_count();
    if pages < 2 {
        return;
    }
    // Lines that mask alike: height, page, line.
    let mut alike: BTreeMap<String, Vec<(f32, u32, usize)>> = BTreeMap::new();
    let mut furniture = Vec::new();
    for (line, outermost) in edge_lines(layout, input) {
        let text = layout.text(line);
        let labelled = super::label::read(text).is_some();
        let Some(entry) = layout.lines.get(line) else { continue };
        let top = entry.frame.map_or(0.0, |frame| frame.y0);
        alike
            .entry(mask(text, labelled))
            .or_default()
            .push((top, entry.page, line));
        if outermost && is_page_number(text) {
            furniture.push(line);
        }
    }
    for mut group in alike.into_values() {
        let labelled = group
            .first()
            .is_some_and(|(_, _, line)| super::label::read(layout.text(*line)).is_some());
        let wanted = if labelled {
            ENOUGH_PAGES
        } else {
            pages.div_ceil(2).clamp(2, ENOUGH_PAGES)
        };
        group.sort_by(|one, other| one.0.total_cmp(&other.0));
        for (top, _, line) in &group {
            let from = group.partition_point(|(other, ..)| *other < top - SAME_HEIGHT);
            // Bounded, so that a layer of one line a million times stays linear.
            let near = group
                .iter()
                .skip(from)
                .take(64)
                .take_while(|(other, ..)| *other <= top + SAME_HEIGHT);
            if near.map(|(_, number, _)| *number).collect::<BTreeSet<u32>>().len() >= wanted {
                furniture.push(*line);
            }
        }
    }
    furniture.extend(counted(layout, input));
    for line in furniture {
        if let Some(entry) = layout.lines.get_mut(line) {
            entry.furniture = true;
        }
    }
}

/// Running heads whose words change from chapter to chapter (`Chapter 2: Supply 17`): outermost lines that end in a
/// number, or begin with one, which counts with the pages. Beginning with it is also what headings do, where every page
/// opens with one: there the words behind it must come back.
fn counted(layout: &Layout<'_>, input: &ParseInput<'_>) -> Vec<usize> {
    let mut found: BTreeMap<(bool, i64), Vec<Outermost>> = BTreeMap::new();
    for (line, _) in edge_lines(layout, input)
        .into_iter()
        .filter(|(_, outermost)| *outermost)
    {
        let Some(entry) = layout.lines.get(line).filter(|line| line.end - line.start < 160) else {
            continue;
        };
        let text = layout.text(line);
        let top = entry.frame.map_or(0.0, |frame| frame.y0);
        for last in [true, false] {
            let Some((number, words)) = outer_number(text, last) else {
                continue;
            };
            let offset = i64::from(entry.page) - i64::from(number);
            found.entry((last, offset)).or_default().push(Outermost {
                top,
                page: entry.page,
                line,
                words,
            });
        }
    }
    let mut counted = Vec::new();
    for ((last, _), group) in found {
        let pages: BTreeSet<u32> = group.iter().map(|outer| outer.page).collect();
        let words: BTreeSet<&str> = group.iter().map(|outer| outer.words.as_str()).collect();
        if pages.len() < ENOUGH_PAGES || !last && words.len() == group.len() {
            continue;
        }
        // At the height where most of them stand.
        let mut tops: Vec<f32> = group.iter().map(|outer| outer.top).collect();
        tops.sort_by(f32::total_cmp);
        let usual = tops.get(tops.len() / 2).copied().unwrap_or(0.0);
        counted.extend(
            group
                .iter()
                .filter(|outer| (outer.top - usual).abs() <= SAME_HEIGHT)
                .map(|outer| outer.line),
        );
    }
    counted
}

/// An outermost line with a number at one end.
struct Outermost {
    top: f32,
    page: u32,
    line: usize,
    /// The letters beside the number.
    words: String,
}

/// The number at a line's end, or at its beginning, set apart by a space, and the words beside it.
fn outer_number(text: &[char], last: bool) -> Option<(u32, String)> {
    let digits = if last {
        text.iter().rev().take_while(|sign| sign.is_ascii_digit()).count()
    } else {
        text.iter().take_while(|sign| sign.is_ascii_digit()).count()
    };
    if !(1..=4).contains(&digits) {
        return None;
    }
    let (number, words) = if last {
        let (words, number) = text.split_at_checked(text.len() - digits)?;
        (number, words.last()?.is_whitespace().then_some(words)?)
    } else {
        let (number, words) = text.split_at_checked(digits)?;
        (number, words.first()?.is_whitespace().then_some(words)?)
    };
    let value = number.iter().collect::<String>().parse().ok()?;
    words
        .iter()
        .any(|letter| letter.is_alphabetic())
        .then(|| (value, words.iter().filter(|sign| sign.is_alphabetic()).collect()))
}

/// Lines near an edge, and whether each is the outermost one there.
fn edge_lines(layout: &Layout<'_>, input: &ParseInput<'_>) -> Vec<(usize, bool)> {
    let mut edges = Vec::new();
    let mut from = 0;
    while let Some(first) = layout.lines.get(from) {
        let to = from
            + layout
                .lines
                .get(from..)
                .map_or(0, |rest| rest.partition_point(|line| line.page <= first.page));
        let size = (first.page as usize)
            .checked_sub(1)
            .and_then(|index| input.page_sizes.get(index))
            .filter(|size| size.height > 1.0);
        let framed = layout
            .lines
            .get(from..to)
            .unwrap_or_default()
            .iter()
            .filter_map(|line| line.frame);
        let (top, bottom) = framed.fold((f32::MAX, f32::MIN), |(top, bottom), frame| {
            (top.min(frame.y0), bottom.max(frame.y1))
        });
        for index in from..to {
            match (layout.lines.get(index).and_then(|line| line.frame), size) {
                (Some(frame), Some(size)) => {
                    let upper = frame.y1 <= size.height * HEAD;
                    let lower = frame.y0 >= size.height * (1.0 - FOOT);
                    if upper || lower {
                        edges.push((
                            index,
                            upper && frame.y0 <= top + 3.0 || lower && frame.y1 >= bottom - 3.0,
                        ));
                    }
                }
                _ if index < from + LINES_AT_EDGE || index + LINES_AT_EDGE >= to => {
                    edges.push((index, index == from || index + 1 == to))
                }
                _ => {}
            }
        }
        from = to.max(from + 1);
    }
    edges
}

/// Lower case, single spaces, every number as one `#` unless the line has a label of its own.
fn mask(text: &[char], labelled: bool) -> String {
    let mut masked = String::new();
    for character in text.iter().take(300).flat_map(|character| character.to_lowercase()) {
        let shown = match character {
            _ if character.is_whitespace() => ' ',
            _ if character.is_ascii_digit() && !labelled => '#',
            _ => character,
        };
        if !(matches!(shown, ' ' | '#') && masked.ends_with(shown)) {
            masked.push(shown);
        }
    }
    masked
}

/// `12`, `- 12 -`, `iv`, `Page 3 of 20`, `pág. 3`.
fn is_page_number(text: &[char]) -> bool {
    if text.len() > 24 {
        return false;
    }
    let words: String = text
        .iter()
        .filter(|character| character.is_alphabetic())
        .flat_map(|character| character.to_lowercase())
        .collect();
    let digits = text.iter().filter(|character| character.is_ascii_digit()).count();
    let named = matches!(
        words.as_str(),
        "page"
            | "pageof"
            | "p"
            | "pg"
            | "pag"
            | "pág"
            | "página"
            | "pagina"
            | "páginade"
            | "paginade"
            | "págde"
            | "of"
            | "de"
            | ""
    );
    let roman = !words.is_empty()
        && words.len() == text.len()
        && super::label::roman_value(&words.to_uppercase()).is_some_and(|value| value < 100);
    roman || named && (1..=8).contains(&digits) && !text.contains(&'.') | words.starts_with('p')
}
