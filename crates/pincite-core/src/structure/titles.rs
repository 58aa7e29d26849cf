//! What the title of a heading is, and where the heading ends on its line: a clause may begin with a title of its own, or
//! have none and go on at once.
//!
//! Deliberately not here: whether the line is a heading.

use super::headings::{has_run_in_title, has_word_in_another_face, is_capitals};
use super::lines::Layout;
use super::reading::collapse;

/// Whether a space stands between a line and the next.
fn apart(layout: &Layout<'_>, line: usize) -> bool {
    layout
        .drop(line, line + 1)
        .is_some_and(|drop| drop > layout.pitch * 1.3)
}

/// The title of a heading, and where it ends. A clause without a heading of its own has the label alone, or the words
/// before the first stop.
pub(super) fn words(layout: &Layout<'_>, line: usize, until: usize, label: usize) -> Words {
    let Some(entry) = layout.lines.get(line) else {
        return Words {
            title: String::new(),
            end: 0,
            run_in: false,
        };
    };
    let first = layout.text(line).get(label..).unwrap_or_default();
    // Of several lines in bold the last may go on in the text's own type.
    let last = until.max(line + 1) - 1;
    let bold_until = layout
        .lines
        .get(last)
        .filter(|_| last > line && !layout.body_bold)
        .and_then(|entry| Some((entry, entry.face?.bold_start)))
        .filter(|(entry, length)| (1..entry.end - entry.start).contains(length))
        .map(|(entry, length)| (length, entry.start + length));
    let joined = (line..=last)
        .map(|line| {
            let text = layout.text(line);
            let bold = bold_until.filter(|_| line == last);
            bold.and_then(|(length, _)| text.get(..length)).unwrap_or(text)
        })
        .enumerate()
        .fold(String::new(), |mut title, (index, text)| {
            if title.ends_with('\u{AD}') {
                title.pop();
            } else {
                title.push(' ');
            }
            title.extend(text.iter().skip(if index == 0 { label } else { 0 }));
            title
        });
    let title = collapse(&joined);
    let lower = first.iter().filter(|character| character.is_lowercase()).count();
    let one = until <= line + 1;
    let full = layout.fill(line) > 0.8 && layout.text(line + 1).first().is_some_and(|next| next.is_lowercase());
    let all_bold = layout.begins_bold(line, (entry.end - entry.start).saturating_sub(1));
    let stops = !all_bold
        && matches!(first.last(), Some('.' | ';' | ','))
        && first.iter().filter(|character| character.is_whitespace()).count() >= 6;
    let stop = first.iter().take(80).enumerate().position(|(at, character)| {
        matches!(character, '.' | ':')
            && at > 2
            && first.get(at + 1).is_some_and(|next| next.is_whitespace())
            && first.get(at + 2..).is_some_and(|rest| rest.len() > 12)
            && !abbreviates(first, at)
    });
    // A run-in heading in bold ends where the bold does.
    let bold = entry
        .face
        .filter(|_| !layout.body_bold && one && !has_word_in_another_face(layout, line))
        .and_then(|face| face.bold_start.checked_sub(label))
        .filter(|length| (3..=200).contains(length) && length + 2 < first.len());
    if let Some(length) = bold {
        let title = collapse(&first.iter().take(length).collect::<String>());
        return Words {
            title: title.trim_end_matches([':', '.', '-', '–']).trim_end().to_owned(),
            end: (entry.start + label + length).min(entry.end),
            run_in: true,
        };
    }
    let long = layout.fill(line) > 0.8 && !is_capitals(first);
    let plain = layout.stands_out(line, label.max(1)) == Some(false);
    // `3.1 Notices. Notices go to:`
    let introduces = matches!(first.last(), Some(':' | '.' | ';')) && has_run_in_title(layout.text(line));
    let sentence = one
        && (lower * 3 > first.len()
            && (full
                || stops
                || title.chars().count() > 160
                || plain && long && stop.is_none() && !apart(layout, line))
            || stop.is_some() && (full || stops || long || introduces));
    let stop = stop.filter(|at| {
        first
            .iter()
            .take(*at)
            .filter(|character| character.is_whitespace())
            .count()
            < 10
    });
    if !sentence {
        return Words {
            title: title.trim_end_matches([':', '.']).trim_end().to_owned(),
            end: bold_until.map_or_else(|| end_of(layout, line, until), |(_, end)| end),
            run_in: bold_until.is_some(),
        };
    }
    let (title, length) = match stop {
        Some(at) => (collapse(&first.iter().take(at).collect::<String>()), at + 1),
        None => (String::new(), 0),
    };
    Words {
        title,
        end: (entry.words + label + length).min(entry.end),
        run_in: true,
    }
}

pub(super) fn end_of(layout: &Layout<'_>, line: usize, until: usize) -> usize {
    layout
        .lines
        .get(until.max(line + 1) - 1)
        .or(layout.lines.get(line))
        .map_or(0, |entry| entry.end)
}

/// Whether the stop at `at` only shortens a word: `No. 1`, `Art. 5`, `U.S. Code`.
fn abbreviates(text: &[char], at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let letters = before
        .iter()
        .rev()
        .take_while(|character| character.is_alphabetic())
        .count();
    let next = text.get(at + 2);
    letters <= 1 || letters <= 3 && next.is_some_and(|next| next.is_ascii_digit() || next.is_lowercase())
}

/// A heading's title.
pub(super) struct Words {
    pub(super) title: String,
    /// Where the heading ends, in code points of the layer.
    pub(super) end: usize,
    /// Whether text of the section stands on the heading's own line.
    pub(super) run_in: bool,
}
