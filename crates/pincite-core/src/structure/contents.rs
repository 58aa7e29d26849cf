//! Tables of contents: they name the sections and are none.
//!
//! Four signs, each enough: a tag that says so; entries with leaders and a page number; a run of lines that end in page numbers which never
//! fall; a dense run of labelled lines of which most come back elsewhere with a text below them (a table of contents
//! without page numbers, as in drug labels).
//!
//! Deliberately not here: reading entries. What a table of contents says is not used; it may be of another edition.

use super::label;
use super::lines::Layout;
use super::reading::fold_word;
use crate::text::Tag;
use std::collections::HashMap;

/// A run needs so many entries, their numbers rising.
const LEAST_ENTRIES: usize = 4;
/// Between two entries of a run may stand so many other lines: an entry's second line, a running head.
const BETWEEN: usize = 4;

/// Marks the lines of tables of contents.
pub(super) fn mark(layout: &mut Layout<'_>) {
    let mut marked = vec![false; layout.lines.len()];
    leaders(layout, &mut marked);
    numbered(layout, &mut marked);
    recurring(layout, &mut marked);
    for (line, contents) in layout.lines.iter_mut().zip(marked) {
        line.contents = (contents || matches!(line.tag, Some((Tag::Contents, _)))) && !line.furniture;
    }
}

/// Marks from `first` to `last`, both counted, and a heading that says "contents" just before.
fn fill(layout: &Layout<'_>, marked: &mut [bool], first: usize, last: usize) {
    let heading = (first.saturating_sub(3)..first).find(|line| is_contents_title(layout.text(*line)));
    for line in heading.unwrap_or(first)..=last {
        if let Some(slot) = marked.get_mut(line) {
            *slot = true;
        }
    }
}

fn is_contents_title(text: &[char]) -> bool {
    if text.len() > 60 {
        return false;
    }
    let words = fold_word(text.iter().copied());
    [
        "contents",
        "contenido",
        "contenidos",
        "indice",
        "sumario",
        "sommaire",
        "table des matieres",
        "inhalt",
        "verzeichnis",
        "list of figures",
        "list of tables",
    ]
    .iter()
    .any(|title| words.contains(title))
}

/// The page number at the end of an entry, and whether a leader stands before it.
fn entry(text: &[char]) -> Option<(u32, bool)> {
    let digits = text
        .iter()
        .rev()
        .take(5)
        .take_while(|character| character.is_ascii_digit())
        .count();
    let (before, number) = text.split_at_checked(text.len() - digits)?;
    let spaced = before
        .iter()
        .rposition(|character| !character.is_whitespace())
        .map_or(0, |at| at + 1);
    let filled = before.get(..spaced)?;
    let dots = filled
        .iter()
        .rev()
        .take(400)
        .take_while(|character| matches!(character, '.' | '…' | '·' | '_' | ' '))
        .filter(|character| **character != ' ')
        .count();
    let leader = dots >= 4 || dots >= 1 && filled.last() == Some(&'…');
    let letters = filled.iter().any(|character| character.is_alphabetic());
    if digits == 0 {
        let romans = text
            .iter()
            .rev()
            .take_while(|character| matches!(character, 'i' | 'v' | 'x'))
            .count();
        let before = text.get(..text.len() - romans)?;
        let dots = before
            .iter()
            .rev()
            .take(400)
            .take_while(|character| matches!(character, '.' | '…' | ' '))
            .filter(|character| **character != ' ')
            .count();
        return (letters && dots >= 4).then_some((0, true));
    }
    let page = number.iter().collect::<String>().parse().ok()?;
    (letters && (leader || spaced < before.len())).then_some((page, leader))
}

fn leaders(layout: &Layout<'_>, marked: &mut [bool]) {
    let mut run: Option<(usize, usize, usize)> = None;
    for line in 0..layout.lines.len() {
        if !matches!(entry(layout.text(line)), Some((_, true))) {
            continue;
        }
        run = match run {
            Some((first, last, count)) if line - last <= BETWEEN + 1 => Some((first, line, count + 1)),
            done => {
                if let Some((first, last, count)) = done
                    && count >= 2
                {
                    fill(layout, marked, first, last);
                }
                Some((line, line, 1))
            }
        };
        if let Some(slot) = marked.get_mut(line) {
            *slot = true;
        }
    }
    if let Some((first, last, count)) = run
        && count >= 2
    {
        fill(layout, marked, first, last);
    }
}

/// Labelled lines that end in page numbers which never fall.
fn numbered(layout: &Layout<'_>, marked: &mut [bool]) {
    let mut run: Vec<usize> = Vec::new();
    let mut last_page = 0;
    let mut last_sequence: Vec<u32> = Vec::new();
    let close = |run: &mut Vec<usize>, marked: &mut [bool]| {
        if run.len() >= LEAST_ENTRIES
            && let (Some(first), Some(last)) = (run.first(), run.last())
        {
            fill(layout, marked, *first, *last);
        }
        run.clear();
    };
    let furniture = |line: &usize| layout.lines.get(*line).is_some_and(|line| line.furniture);
    for line in (0..layout.lines.len()).filter(|line| !furniture(line)) {
        let text = layout.text(line);
        let Some(label) = label::read(text).filter(|label| text.len() > label.length + 4) else {
            continue;
        };
        let Some((number, _)) = entry(text) else { continue };
        if run.last().is_none_or(|last| line - last > BETWEEN)
            || number < last_page
            || label.sequence <= last_sequence && matches!(label.scheme, label::Scheme::Decimal)
        {
            close(&mut run, marked);
        }
        last_sequence = label.sequence;
        // A table's rows have labels and end in numbers too, but its numbers fall or pass the last page.
        if number as usize <= layout.lines.last().map_or(0, |line| line.page as usize) + 20 {
            run.push(line);
            last_page = number;
        }
    }
    close(&mut run, marked);
}

/// Dense runs of labelled lines of which most come back elsewhere.
fn recurring(layout: &Layout<'_>, marked: &mut [bool]) {
    let mut runs: Vec<Run> = Vec::new();
    let mut places: HashMap<String, Vec<(usize, usize)>> = HashMap::new();
    let mut keys = Vec::new();
    // The last number of each scheme in the run.
    let mut last: HashMap<label::Scheme, Vec<u32>> = HashMap::new();
    let mut between = 0;
    for line in 0..layout.lines.len() {
        if layout.lines.get(line).is_some_and(|entry| entry.furniture) || marked.get(line).copied().unwrap_or(true) {
            continue;
        }
        let text = layout.text(line);
        let Some((label, key)) = label::read(text).and_then(|label| key(text, label.length).map(|key| (label, key)))
        else {
            between += 1;
            continue;
        };
        // Where the numbers begin again, the table of contents has ended and its first section follows at once.
        if runs.is_empty() || between > 2 || last.get(&label.scheme).is_some_and(|last| label.sequence <= *last) {
            runs.push(Run::default());
            last.clear();
            between = 0;
        }
        last.insert(label.scheme, label.sequence);
        let run = runs.len() - 1;
        places.entry(key.clone()).or_default().push((run, line));
        keys.push((run, line, key));
        if let Some(run) = runs.last_mut() {
            run.members.push(line);
            run.between += std::mem::take(&mut between);
        }
    }
    // How many of a run come back outside it, in a run less dense: a text stands below them there.
    let mut again: HashMap<usize, usize> = HashMap::new();
    for (run, _, key) in &keys {
        let Some(own) = runs.get(*run) else { continue };
        let looser = |other: &Run| {
            other.between * own.members.len() > own.between * other.members.len()
                || other.members.len() * 2 <= own.members.len()
        };
        let elsewhere = places.get(key).is_some_and(|found| {
            found
                .iter()
                .take(64)
                .any(|(other, _)| other != run && runs.get(*other).is_some_and(looser))
        });
        if elsewhere {
            *again.entry(*run).or_default() += 1;
        }
    }
    for (run, count) in again {
        let Some(run) = runs.get(run) else { continue };
        if run.members.len() >= LEAST_ENTRIES
            && run.between <= run.members.len()
            && count * 3 >= run.members.len() * 2
            && let (Some(first), Some(last)) = (run.members.first(), run.members.last())
        {
            fill(layout, marked, *first, *last);
        }
    }
}

/// Labelled lines near each other, their numbers rising.
#[derive(Default)]
struct Run {
    members: Vec<usize>,
    /// Lines without a label between them.
    between: usize,
}

/// Label and beginning of the title, folded: what an entry and its section share. `None` without a title.
fn key(text: &[char], length: usize) -> Option<String> {
    let title = text.get(length..)?;
    if title.iter().filter(|character| character.is_alphabetic()).count() < 3 {
        return None;
    }
    let head = text
        .get(..length)?
        .iter()
        .filter(|character| character.is_alphanumeric());
    Some(fold_word(
        head.chain(title.iter().filter(|character| character.is_alphanumeric()).take(18))
            .copied(),
    ))
}
