//! Clause items inside a section: `a)`, `a.`, `(a)`, `(iii)`, `(1.)`, `12.1.a)`, and the lists nested in them.
//!
//! A list starts with its first label (a, i, 1), goes on by one, and has two items or more (one where it is `(1.)`); what only looks like a label
//! stays text. The document's style is kept: `(a)` makes `2.1(a)`, `a)` makes `12.1.a`. A second list with the same
//! labels in one section names nothing, as its labels would not say which is meant.
//!
//! Deliberately not here: `1.` and bullets. A step "1. Take one tablet" is text.

use super::label::{self, ItemLabel, ItemStyle};
use super::lines::Layout;
use super::locator::{Step, StepStyle};

/// An item found in a section.
#[derive(Debug, Clone)]
pub(super) struct Item {
    pub(super) line: usize,
    /// The line after its last, lists nested in it counted.
    pub(super) until: usize,
    pub(super) step: Step,
    /// Characters of the label on its line.
    pub(super) length: usize,
    /// Whether its label can't be anything else.
    pub(super) sure: bool,
    /// The item that it is nested in.
    pub(super) parent: Option<usize>,
    /// Which list it is of.
    list: usize,
}

/// Lists nest at most so deep.
const DEEPEST: usize = 4;

struct Open {
    item: usize,
    list: usize,
    style: ItemStyle,
    kind: Kind,
    place: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Letters,
    Roman,
    Digits,
}

/// The items between two lines. `sequence` is the number of the section they stand in, for labels that repeat it.
pub(super) fn find(layout: &Layout<'_>, from: usize, to: usize, sequence: &[u32]) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    let mut lists = 0;
    for line in from..to {
        if !layout.lines.get(line).is_some_and(super::lines::Line::is_text) {
            continue;
        }
        let text = layout.text(line);
        let Some(found) = label::read_item(text).or_else(|| full(text, sequence)) else {
            close_returned(layout, line, &mut open, &mut items);
            continue;
        };
        // The next of an open list, the innermost first; else the first of a new one.
        let next = (0..open.len()).rev().find_map(|depth| {
            let list = open.get(depth)?;
            let place = place(&found.value, list.kind)?;
            (list.style == found.style && place == list.place + 1).then_some((depth, list.kind, place, list.list))
        });
        let (depth, kind, place, list) = match next {
            Some(next) => next,
            None => match first(&found, open.is_empty()) {
                Some((kind, place)) => {
                    if let Some(same) = open
                        .iter()
                        .position(|list| list.kind == kind && list.style == found.style)
                    {
                        // Another list with the labels of one that is open: the open one has ended.
                        close(&mut open, same, line, &mut items);
                        continue;
                    }
                    if open.len() == DEEPEST {
                        continue;
                    }
                    lists += 1;
                    (open.len(), kind, place, lists)
                }
                None => continue,
            },
        };
        close(&mut open, depth, line, &mut items);
        let parent = open.last().map(|list| list.item);
        open.push(Open {
            item: items.len(),
            list,
            style: found.style,
            kind,
            place,
        });
        items.push(Item {
            line,
            until: to,
            step: step(&found, kind),
            length: found.length,
            sure: found.sure,
            parent,
            list,
        });
    }
    close(&mut open, 0, to, &mut items);
    keep_lists(items)
}

fn close(open: &mut Vec<Open>, depth: usize, line: usize, items: &mut [Item]) {
    for list in open.drain(depth.min(open.len())..) {
        if let Some(item) = items.get_mut(list.item) {
            item.until = line;
        }
    }
}

/// Ends the items that `line` has left: a new paragraph that stands as far left as their labels.
fn close_returned(layout: &Layout<'_>, line: usize, open: &mut Vec<Open>, items: &mut [Item]) {
    let Some(frame) = layout.lines.get(line).and_then(|line| line.frame) else {
        return;
    };
    let Some(above) = layout.neighbour(line, false) else {
        return;
    };
    let paragraph = layout.text(line).first().is_some_and(|first| first.is_uppercase())
        && matches!(layout.text(above).last(), Some('.' | ';' | ':' | ')'))
        && layout
            .drop(above, line)
            .is_none_or(|drop| layout.pitch > 0.0 && drop > layout.pitch * 1.2);
    let left = |list: &Open| -> Option<f32> { Some(layout.lines.get(items.get(list.item)?.line)?.frame?.x0) };
    let depth = open
        .iter()
        .position(|list| left(list).is_some_and(|left| frame.x0 <= left + 2.0));
    // Over a page break there is no space to see: only a list that hangs can have been left.
    let crosses = layout.drop(above, line).is_none();
    let Some(depth) = depth.filter(|_| paragraph) else {
        return;
    };
    let hanging = open.get(depth).and_then(|list| hangs(layout, items.get(list.item)?));
    if !crosses || hanging == Some(true) {
        close(open, depth, line, items);
    }
}

/// Whether an item's second line stands right of its label; `None` where it has no second line.
fn hangs(layout: &Layout<'_>, item: &Item) -> Option<bool> {
    let first = layout.lines.get(item.line)?;
    let second = layout
        .lines
        .get(item.line + 1)
        .filter(|second| second.page == first.page)?;
    Some(second.frame?.x0 > first.frame?.x0 + 4.0)
}

/// `9.2.a)` in section 9.2.
fn full(text: &[char], sequence: &[u32]) -> Option<ItemLabel> {
    if sequence.is_empty() || !text.first()?.is_ascii_digit() {
        return None;
    }
    let digits = text
        .iter()
        .take(40)
        .take_while(|character| character.is_ascii_digit() || **character == '.')
        .count();
    let head: String = text.get(..digits)?.iter().collect();
    let number = head
        .trim_end_matches('.')
        .split('.')
        .map(|step| step.parse().ok())
        .collect::<Option<Vec<u32>>>()?;
    let gap = text
        .get(digits..)?
        .iter()
        .take_while(|character| character.is_whitespace())
        .count();
    let found = label::read_item(text.get(digits + gap..)?)?;
    (number == sequence).then_some(ItemLabel {
        length: found.length + digits + gap,
        ..found
    })
}

/// The kind of list that an item can begin, and its place. Steps like `(3.)` begin one of their own with any number
/// where no list is open: the page before may have been lost.
fn first(label: &ItemLabel, alone: bool) -> Option<(Kind, u32)> {
    match label.value.as_str() {
        "a" => Some((Kind::Letters, 1)),
        "i" => Some((Kind::Roman, 1)),
        "1" => Some((Kind::Digits, 1)),
        value if label.sure && alone => Some((Kind::Digits, place(value, Kind::Digits)?)),
        _ => None,
    }
}

fn place(value: &str, kind: Kind) -> Option<u32> {
    match kind {
        Kind::Digits => value.parse().ok(),
        Kind::Roman => label::roman_value(&value.to_uppercase()),
        Kind::Letters => label::letter_place(value),
    }
}

fn step(label: &ItemLabel, kind: Kind) -> Step {
    // `1)` would read as the section 12.1.1.
    let style = match label.style {
        ItemStyle::Open | ItemStyle::Stopped if kind != Kind::Digits => StepStyle::Dot,
        _ => StepStyle::Parenthesis,
    };
    Step::new(style, label.value.clone())
}

/// Drops lists of one item, and what was nested in them.
fn keep_lists(items: Vec<Item>) -> Vec<Item> {
    let mut siblings: std::collections::BTreeMap<usize, usize> = std::collections::BTreeMap::new();
    for item in &items {
        *siblings.entry(item.list).or_default() += 1;
    }
    let mut kept: Vec<Item> = Vec::new();
    let mut new_index: Vec<Option<usize>> = Vec::with_capacity(items.len());
    for item in items {
        let parent = item.parent.map(|parent| new_index.get(parent).copied().flatten());
        let alone = !item.sure && siblings.get(&item.list).is_none_or(|count| *count < 2);
        // A list inside something that was no item moves up to what that stood in.
        if alone || parent == Some(None) {
            new_index.push(None);
            continue;
        }
        new_index.push(Some(kept.len()));
        kept.push(Item {
            parent: parent.flatten(),
            ..item
        });
    }
    kept
}
