//! Lines made rows: which line goes on with the row above it, and where the header ends.
//!
//! Deliberately not here: counting rows a second time (`row_check`), which must not lean on any of this.

use super::columns::Entry;
use super::paper::Paper;
use super::rules::Ruling;
use crate::text::Rect;

/// Lines further apart than this many font sizes (middle to middle) are never one row.
const FARTHEST: f32 = 1.9;

/// Words that nothing ends with.
const OPEN_ENDS: [&str; 24] = [
    "and", "or", "of", "the", "for", "in", "to", "with", "by", "on", "at", "from", "a", "an", "de", "del", "la", "el",
    "y", "e", "o", "para", "con", "en",
];

/// The lines of an area with what rows are made from.
pub(super) struct Rows<'a> {
    pub(super) paper: &'a Paper,
    pub(super) characters: &'a [char],
    /// Middle of each line and what stands on it.
    pub(super) lines: &'a [(f32, Vec<Entry>)],
    pub(super) level: &'a [Ruling],
    pub(super) columns: usize,
    pub(super) area: Rect,
}

impl Rows<'_> {
    fn entries(&self, line: usize) -> &[Entry] {
        self.lines
            .get(line)
            .map(|(_, entries)| entries.as_slice())
            .unwrap_or_default()
    }

    fn centre(&self, line: usize) -> f32 {
        self.lines.get(line).map_or(0.0, |(centre, _)| *centre)
    }

    fn text(&self, entry: &Entry) -> String {
        let word = |index: &usize| {
            let word = self.paper.words.get(*index)?;
            Some(self.characters.get(word.span.range())?.iter().collect::<String>())
        };
        entry.words.iter().filter_map(word).collect::<Vec<_>>().join(" ")
    }

    /// Level lines that run across most of the area, between two heights.
    fn ruled_between(&self, upper: f32, lower: f32) -> bool {
        let width = self.area.x1 - self.area.x0;
        let covered: f32 = self
            .level
            .iter()
            .filter(|ruling| upper < ruling.at && ruling.at < lower)
            .map(|ruling| ruling.covers(self.area.x0, self.area.x1))
            .sum();
        covered >= 0.5 * width
    }

    /// Columns in which amounts stand, not only now and then.
    fn amount_columns(&self) -> Vec<usize> {
        let mut counts = vec![(0_usize, 0_usize); self.columns];
        for entry in self
            .lines
            .iter()
            .flat_map(|(_, entries)| entries)
            .filter(|entry| !entry.spans())
        {
            if let Some((all, amounts)) = counts.get_mut(entry.first) {
                *all += 1;
                *amounts += usize::from(entry.amount);
            }
        }
        let holds = |(all, amounts): &(usize, usize)| *amounts > 0 && amounts * 2 >= *all;
        (0..self.columns)
            .filter(|column| counts.get(*column).is_some_and(holds))
            .collect()
    }

    /// How many lines at the top are header: those above a level line with no data over it, else those above the first
    /// data.
    pub(super) fn header_lines(&self) -> usize {
        let amounts = self.amount_columns();
        let years = |line: usize| {
            let mut found = self.entries(line).iter().filter(|entry| entry.amount).peekable();
            found.peek().is_some() && found.all(|entry| is_year(&self.text(entry)))
        };
        let data = |line: usize| {
            let filled = self
                .entries(line)
                .iter()
                .filter(|entry| entry.amount && amounts.contains(&entry.first))
                .count();
            filled > 0 && filled * 2 >= amounts.iter().filter(|column| **column > 0).count().max(1)
        };
        let first_data = (0..self.lines.len()).find(|line| data(*line) && !(years(*line) && *line < 4));
        let until = first_data.unwrap_or(self.lines.len());
        // The last ruling across the area above the data; not one above everything.
        let ruled = (1..self.lines.len().min(10))
            .filter(|line| *line <= until.saturating_add(1))
            .filter(|line| self.ruled_between(self.centre(line - 1), self.centre(*line)))
            .rfind(|line| (0..*line).all(|above| !data(above) || years(above) || is_numbering(self, above)));
        if let Some(line) = ruled {
            return line;
        }
        if amounts.is_empty() || first_data.is_none() {
            return 1.min(self.lines.len());
        }
        let mut until = until;
        // A lone label over the first rows of data names them, not the column.
        while until > 1 && matches!(self.entries(until - 1), [only] if only.first == 0 && !only.spans()) {
            let above = self.entries(until - 2).len();
            if above < 2 {
                break;
            }
            until -= 1;
        }
        until
    }

    /// The rows below the header, as runs of lines.
    pub(super) fn body(&self, from: usize) -> Vec<std::ops::Range<usize>> {
        let mut rows: Vec<std::ops::Range<usize>> = Vec::new();
        let tight = self.tight_drop(from);
        for line in from..self.lines.len() {
            match rows.last_mut() {
                Some(row) if self.goes_on(row.clone(), line, tight) => row.end = line + 1,
                _ => rows.push(line..line + 1),
            }
        }
        rows
    }

    /// A drop from line to line that is clearly smaller than most, where there is one: lines of one cell.
    fn tight_drop(&self, from: usize) -> Option<f32> {
        let mut drops: Vec<f32> = (from + 1..self.lines.len())
            .map(|line| self.centre(line) - self.centre(line - 1))
            .filter(|drop| *drop > 0.0)
            .collect();
        drops.sort_by(f32::total_cmp);
        let (mut best, mut at) = (0.0_f32, None);
        for pair in drops.windows(2) {
            let [small, large] = pair else { continue };
            let ratio = large / small.max(0.1);
            if *small <= FARTHEST * self.paper.type_size && ratio > best {
                best = ratio;
                at = Some(f32::midpoint(*small, *large));
            }
        }
        at.filter(|_| best >= 1.18)
    }

    /// Whether a line goes on with the row above it.
    fn goes_on(&self, row: std::ops::Range<usize>, line: usize, tight: Option<f32>) -> bool {
        let Some(last) = row.end.checked_sub(1) else {
            return false;
        };
        let drop = self.centre(line) - self.centre(last);
        if drop > FARTHEST * self.paper.type_size || self.ruled_between(self.centre(last), self.centre(line)) {
            return false;
        }
        let close = tight.is_none_or(|tight| drop < tight);
        let new = self.entries(line);
        let above: Vec<&Entry> = row.clone().flat_map(|line| self.entries(line)).collect();
        let filled = |column: usize| above.iter().any(|entry| entry.first <= column && column <= entry.last);
        if new.is_empty() || new.iter().any(Entry::spans) || above.iter().any(|entry| entry.spans()) {
            return false;
        }
        let clash = new
            .iter()
            .any(|entry| entry.amount && above.iter().any(|other| other.amount && other.first == entry.first));
        if clash {
            return false;
        }
        let inside = new.iter().all(|entry| filled(entry.first));
        let key = new.iter().find(|entry| entry.first == 0);
        let key_goes_on = key.is_none_or(|entry| {
            above
                .iter()
                .rfind(|other| other.first == 0)
                .is_some_and(|other| continues(&self.text(other), &self.text(entry)))
        });
        let amounts = new.iter().any(|entry| entry.amount);
        if inside && !amounts && close {
            // Lines of one cell are set tighter than rows; where they are not, the words must say it.
            return key.is_none() || tight.is_some() && new.len() > 1 || key_goes_on;
        }
        // A label of several lines whose amounts stand on its last one.
        key.is_some() && key_goes_on && close && above.iter().all(|entry| entry.first == 0)
    }
}

/// Whether a text reads on from another: a small letter after an open end.
fn continues(above: &str, text: &str) -> bool {
    let last_word = above.split_whitespace().next_back().unwrap_or_default();
    let open = above.ends_with(['-', '\u{ad}', ',', '/', '(', '&', '–'])
        || OPEN_ENDS.contains(&last_word.to_lowercase().as_str());
    let small = text
        .chars()
        .next()
        .is_some_and(|first| first.is_lowercase() || matches!(first, '(' | ')' | '/' | '&'));
    let unclosed = above.matches('(').count() > above.matches(')').count();
    !above.ends_with(':') && (open || small || unclosed)
}

/// `2007`, `2007/08`, `2010-2011`.
fn is_year(text: &str) -> bool {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.len() == 4 && matches!(digits.parse(), Ok(1800..=2100)) && text.chars().count() <= 9
}

/// Whether a line numbers the columns: 1, 2, 3, ...
fn is_numbering(rows: &Rows<'_>, line: usize) -> bool {
    let mut wanted = 0_u32;
    let entries = rows.entries(line);
    let steps = entries
        .iter()
        .filter(|entry| {
            let digits: String = rows
                .text(entry)
                .chars()
                .skip_while(|c| *c == '(')
                .take_while(char::is_ascii_digit)
                .collect();
            let value: u32 = digits.parse().unwrap_or(0);
            let follows = value == wanted + 1;
            wanted = if value > 0 { value } else { wanted + 1 };
            follows
        })
        .count();
    entries.len() > 2 && steps * 3 >= entries.len() * 2
}
