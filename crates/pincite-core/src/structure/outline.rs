//! Where the entries of a PDF's outline stand in the layer.
//!
//! An outline names titles and pages; its titles may be cut, retyped or set over several lines. An entry is located by
//! its folded title on its page or a neighbouring one, nearest to the height that it points to. Entries that can't be
//! found are dropped, and so are those that point into a table of contents.
//!
//! Deliberately not here: trusting levels. A numbered title's place comes from its number.

use super::lines::Layout;
use super::sections::OutlineEntry;
use std::collections::{BTreeMap, HashMap};

/// An outline's entry and the lines that hold its title.
#[derive(Debug, Clone)]
pub(super) struct Located {
    pub(super) line: usize,
    /// The line after the title's last.
    pub(super) until: usize,
    pub(super) title: String,
    pub(super) level: u32,
}

/// So many folded characters find the lines to look at.
const PROBE: usize = 8;
/// A title runs over at most so many lines.
const MOST_LINES: usize = 6;
/// Deeper levels count as this one: real outlines stop well before, hostile ones don't.
pub(super) const DEEPEST: u32 = 12;
/// So many lines that begin alike are looked at on a page.
const MOST_ALIKE: usize = 64;

/// Locates the entries, in the order of their lines; the first entry keeps a line that several point to.
pub(super) fn locate(layout: &Layout<'_>, outline: &[OutlineEntry]) -> Vec<Located> {
    if outline.is_empty() {
        return Vec::new();
    }
    let mut probes: HashMap<(u32, String), Vec<usize>> = HashMap::new();
    for (index, line) in layout.lines.iter().enumerate().filter(|(_, line)| line.is_text()) {
        let probe: String = squash(layout.text(index).iter().copied()).take(PROBE).collect();
        let found = probes.entry((line.page, probe)).or_default();
        if found.len() < MOST_ALIKE {
            found.push(index);
        }
    }
    let mut located: BTreeMap<usize, Located> = BTreeMap::new();
    for entry in outline {
        let title = super::reading::collapse(&entry.title);
        let wanted: Vec<char> = squash(title.chars()).collect();
        let Some(number) = entry.page.filter(|_| !wanted.is_empty()) else {
            continue;
        };
        let pages = [Some(number), number.checked_add(1), number.checked_sub(1)];
        let found = pages.into_iter().flatten().find_map(|number| {
            let mut best: Option<(f32, usize, usize)> = None;
            for length in (1..=PROBE.min(wanted.len())).rev() {
                let probe: String = wanted.iter().take(length).collect();
                for line in probes
                    .get(&(number, probe))
                    .into_iter()
                    .flatten()
                    .filter(|line| !located.contains_key(line))
                {
                    let Some(until) = matches(layout, *line, &wanted) else {
                        continue;
                    };
                    let distance = match (entry.y, layout.lines.get(*line).and_then(|line| line.frame)) {
                        (Some(y), Some(frame)) if y.is_finite() => (frame.y0 - y).abs(),
                        _ => 0.0,
                    };
                    if best.is_none_or(|(nearest, ..)| distance < nearest) {
                        best = Some((distance, *line, until));
                    }
                }
                if best.is_some() {
                    break;
                }
            }
            best
        });
        if let Some((_, line, until)) = found {
            located.insert(
                line,
                Located {
                    line,
                    until,
                    title,
                    level: entry.level.clamp(1, DEEPEST),
                },
            );
        }
    }
    located.into_values().collect()
}

/// The line after the title's last, where the lines from `line` on hold it.
fn matches(layout: &Layout<'_>, line: usize, wanted: &[char]) -> Option<usize> {
    let mut at = 0;
    for next in line..(line + MOST_LINES).min(layout.lines.len()) {
        let mut whole = true;
        for character in squash(layout.text(next).iter().copied()) {
            match wanted.get(at) {
                Some(expected) if *expected == character => at += 1,
                Some(_) => return None,
                None => {
                    whole = false;
                    break;
                }
            }
        }
        if at == wanted.len() {
            // A title that is the beginning of a longer line is a run-in heading; of a word, none.
            return (whole || wanted.len() >= 4).then_some(next + 1);
        }
    }
    None
}

/// Letters and digits in lower case.
fn squash(characters: impl Iterator<Item = char>) -> impl Iterator<Item = char> {
    characters
        .filter(|character| character.is_alphanumeric())
        .flat_map(char::to_lowercase)
}
