//! How much a line looks like a heading, and how far the heading goes.
//!
//! Evidence in whole points, for and against: the form of the label, the first word of the title, capitals, height of
//! type, indentation, space above, whether the line before it was left unfinished, whether the title runs on as a
//! sentence. What the evidence is worth was set by looking at regulated documents (procedures, drug labels, tenders,
//! NIST publications) and is kept in one place so that it can be measured and moved.
//!
//! Deliberately not here: sequences of numbers. A line that looks like a heading is still only a candidate.

use super::label::{Label, Scheme};
use super::lines::Layout;
use super::locator::Keyword;
use super::references;
use crate::text::Tag;

/// A labelled line that may be a heading.
#[derive(Debug, Clone)]
pub(super) struct Heading {
    /// The line it starts on.
    pub(super) line: usize,
    /// The line after its last.
    pub(super) until: usize,
    pub(super) label: Label,
    pub(super) weight: i32,
    /// Whether the line is the beginning of a sentence that goes on below it.
    pub(super) sentence: bool,
    /// Where it begins on its page; `None` without a box.
    pub(super) left: Option<f32>,
    /// Whether it is set in another type than the text; `None` where nobody said.
    pub(super) stands_out: Option<bool>,
    /// The outline's title and level, where an entry points here.
    pub(super) outline: Option<(String, u32)>,
}

/// What a line that an outline names is worth: more than any appearance.
pub(super) const NAMED_BY_OUTLINE: i32 = 30;

/// Titles longer than this, in characters, are sentences.
const LONGEST_TITLE: usize = 240;

/// What speaks for a labelled line being a heading, less what speaks against it.
pub(super) fn weigh(layout: &Layout<'_>, line: usize, label: &Label) -> i32 {
    let text = layout.text(line);
    // A run-in heading is judged by its bold words, not by the text that goes on behind them.
    let bold = layout
        .lines
        .get(line)
        .and_then(|line| line.face)
        .map(|face| face.bold_start)
        .filter(|end| !layout.body_bold && *end > label.length + 2 && end + 1 < text.len());
    let title = text.get(label.length..bold.unwrap_or(text.len())).unwrap_or_default();
    let form = match label.scheme {
        Scheme::Decimal if label.sequence.len() > 1 => 3,
        Scheme::Decimal => 1,
        Scheme::Lettered(_) => 3,
        Scheme::Worded(Keyword::Paragraph) => references::paragraph(title),
        Scheme::Worded(_) => worded(text, title, label),
        Scheme::Roman | Scheme::Capital => 1,
    };
    let mut weight =
        form + typography(layout, line) + face(layout, line, label) + before(layout, line) + tagged(layout, line);
    weight -= quantity(label);
    weight -= row(layout, line, label);
    if counts_on(title, label) {
        weight -= 6;
    }
    if !matches!(label.scheme, Scheme::Worded(_)) {
        weight += title_words(layout, line, title, bold.is_some());
    }
    weight
}

/// What the face of the line's beginning says.
fn face(layout: &Layout<'_>, line: usize, label: &Label) -> i32 {
    const BOLD: i32 = 3;
    // The label's own characters are enough: some documents set the title of a run-in heading in the text's face.
    if layout.begins_bold(line, label.length.saturating_sub(2)) {
        BOLD
    } else {
        0
    }
}

/// What a tagged PDF says of the line. A list item may be a clause; a cell or a note is no heading.
fn tagged(layout: &Layout<'_>, line: usize) -> i32 {
    match layout.lines.get(line).and_then(|line| line.tag) {
        Some((Tag::Heading(_), _)) => 8,
        Some((Tag::Table, _)) => -6,
        Some((Tag::Note, _)) => -8,
        Some((Tag::ListItem, _)) => -1,
        Some(_) | None => 0,
    }
}

/// `CAPÍTULO II` alone, `Article 5. Scope`, `ANEXO No. 3 Formato`; against: `Article 30 of the Act`.
fn worded(text: &[char], title: &[char], label: &Label) -> i32 {
    let capitals = text.get(1).is_some_and(|second| second.is_uppercase());
    let looks = match title
        .iter()
        .find(|character| !matches!(character, '"' | '“' | '«' | '¿'))
    {
        None => 3,
        Some(_) if label.punctuated => 3,
        Some(first) if first.is_uppercase() => 2,
        Some(_) => -6,
    };
    let sentence = if title.len() > 120 && !label.punctuated { -3 } else { 0 };
    let whole = !title.is_empty() && is_capitals(text);
    looks + sentence + if capitals { 2 } else { 0 } + i32::from(whole)
}

fn typography(layout: &Layout<'_>, line: usize) -> i32 {
    let Some(entry) = layout.lines.get(line) else { return 0 };
    let mut weight = 0;
    if entry.height > 0.0 && layout.body_height > 0.0 {
        let ratio = entry.height / layout.body_height;
        weight += match ratio {
            ratio if ratio > 1.03 => 3,
            ratio if ratio > 1.005 => 1,
            ratio if ratio < 0.92 && entry.height < layout.least_height(entry.page) * 0.92 => -3,
            // A heading set smaller than the text: bold, another face.
            ratio if ratio < 0.985 => 1,
            _ => 0,
        };
    }
    if let Some(frame) = entry.frame {
        let indent = frame.x0 - layout.column(line).0;
        weight += if indent.abs() <= 4.0 {
            1
        } else if indent > 60.0 {
            // Centred headings are labelled by a word; a number far to the right is a table's.
            -2
        } else if indent > 12.0 {
            -1
        } else {
            0
        };
    }
    if let Some(above) = layout.neighbour(line, false)
        && let Some(drop) = layout.drop(above, line)
        && layout.pitch > 0.0
    {
        weight += if drop > layout.pitch * 1.25 { 1 } else { 0 };
    }
    weight
}

/// Against a line whose predecessor breaks off in mid-sentence: a cross reference that came to stand first.
fn before(layout: &Layout<'_>, line: usize) -> i32 {
    let Some(above) = layout.neighbour(line, false) else {
        return 0;
    };
    let Some(last) = layout.text(above).last().copied() else {
        return 0;
    };
    let breaks_off = last.is_alphanumeric() || matches!(last, ',' | '\u{AD}' | '(' | '[' | '-' | '–' | '§');
    let hangs = matches!(last, ',' | '\u{AD}' | '(' | '[' | '§');
    let crosses = layout
        .lines
        .get(above)
        .zip(layout.lines.get(line))
        .is_some_and(|(upper, lower)| upper.page != lower.page);
    let close = layout
        .drop(above, line)
        .is_some_and(|drop| layout.pitch > 0.0 && drop <= layout.pitch * 1.2);
    let same_height = layout.alike(above, line);
    let full = layout.fill(above) > 0.8;
    if !same_height || !breaks_off {
        return 0;
    }
    // Without geometry only what surely hangs counts.
    let unfinished = full && (close || crosses) || hangs && (layout.pitch <= 0.0 || close || crosses);
    if unfinished { -5 } else { 0 }
}

fn title_words(layout: &Layout<'_>, line: usize, title: &[char], run_in: bool) -> i32 {
    let Some(first) = title
        .iter()
        .copied()
        .find(|character| !matches!(character, '"' | '“' | '«' | '(' | '[' | '¿'))
    else {
        // A label alone: the title may stand on the next line.
        return -2;
    };
    let mut weight = 0;
    weight += if first.is_uppercase() {
        1
    } else if first.is_alphabetic() && !first.is_lowercase() {
        // A script without capitals.
        0
    } else {
        -6
    };
    let letters = title.iter().filter(|character| character.is_alphabetic()).count();
    let digits = title.iter().filter(|character| character.is_ascii_digit()).count();
    if letters < 3 || digits * 2 > letters {
        weight -= 4;
    }
    let lower = title.iter().filter(|character| character.is_lowercase()).count();
    if letters > 3 && lower * 5 < letters {
        weight += 2;
    }
    if references::is_month(title) {
        weight -= 8;
    }
    if title.len() > LONGEST_TITLE {
        weight -= 4;
    }
    match title.last() {
        Some(',' | ';') => weight -= 3,
        Some('.') if title.len() > 60 => weight -= 2,
        Some('.') if lower * 5 >= letters => weight -= 1,
        Some(_) | None => {}
    }
    if run_in {
        return weight;
    }
    if runs_on(layout, line) {
        weight -= 3;
    } else if layout.right > 0.0 && layout.fill(line) < 0.75 {
        weight += 1;
    }
    weight
}

/// Whether the line is the first of a paragraph that goes on below it, in the same type and without a space between.
fn runs_on(layout: &Layout<'_>, line: usize) -> bool {
    let Some(next) = layout.neighbour(line, true) else {
        return false;
    };
    let text = layout.text(next);
    let small = text.first().is_some_and(|first| first.is_lowercase()) && super::label::read_item(text).is_none();
    let like = layout.alike(line, next);
    let close = layout
        .drop(line, next)
        .is_none_or(|drop| layout.pitch > 0.0 && drop <= layout.pitch * 1.2);
    small && like && close && heading_end(layout, line) == line + 1
}

/// Whether the line begins a numbered paragraph rather than a title: it runs on, or the lines close below it make a
/// paragraph that ends as a sentence does.
pub(super) fn is_sentence(layout: &Layout<'_>, line: usize) -> bool {
    const ENOUGH_LINES: usize = 3;
    let text = layout.text(line);
    if has_run_in_title(text) {
        return false;
    }
    if runs_on(layout, line) {
        return true;
    }
    let text = layout.text(line);
    // Without boxes there are no paragraphs to see; a clause of one line ends as a sentence does.
    let spaces = text.iter().filter(|character| character.is_whitespace()).count();
    if layout.line_length > 0.0 && spaces >= 6 && matches!(text.last(), Some('.' | ';')) {
        return true;
    }
    let (Some(first), false) = (layout.lines.get(line), is_capitals(text)) else {
        return false;
    };
    // A line that was broken because it was full.
    if layout.fill(line) < 0.75 {
        return false;
    }
    let mut last = line;
    while last < line + ENOUGH_LINES {
        let Some(next) = layout
            .lines
            .get(last + 1)
            .filter(|next| next.is_text() && layout.alike(line, last + 1))
        else {
            break;
        };
        let close = layout
            .drop(last, last + 1)
            .is_some_and(|drop| layout.pitch > 0.0 && drop <= layout.pitch * 1.2);
        if !close || next.page != first.page || super::label::read(layout.text(last + 1)).is_some() {
            break;
        }
        last += 1;
    }
    let ends = matches!(layout.text(last).last(), Some('.' | ';' | ','));
    last + 1 - line >= ENOUGH_LINES || last > line && ends
}

/// Whether a paragraph begins with a title of its own: `5. Duties of the Owner. The owner ...`.
pub(super) fn has_run_in_title(text: &[char]) -> bool {
    let length = super::label::read(text).map_or(0, |label| label.length);
    let title = text.get(length..).unwrap_or_default();
    let Some(stop) = title
        .iter()
        .take(80)
        .position(|character| matches!(character, '.' | ':'))
    else {
        return false;
    };
    let (Some(title), Some(after)) = (title.get(..stop), title.get(stop + 1..)) else {
        return false;
    };
    if after.first().is_none_or(|space| !space.is_whitespace()) || after.get(1).is_none_or(|next| next.is_lowercase()) {
        return false;
    }
    let words = title
        .split(|character| !character.is_alphabetic())
        .filter(|word| word.len() > 3);
    let (capital, all) = words.fold((0, 0), |(capital, all), word| {
        (
            capital + usize::from(word.first().is_some_and(|first| first.is_uppercase())),
            all + 1,
        )
    });
    all > 0 && capital * 5 > all * 3
}

/// Against a large number without a stop: `100 tablets`, `28 days`.
fn quantity(label: &Label) -> i32 {
    const LARGE: u32 = 25;
    const DOUBT: i32 = 4;
    let large = label.scheme == Scheme::Decimal && matches!(label.sequence[..], [number] if number > LARGE);
    if large && !label.punctuated && !label.worded {
        DOUBT
    } else {
        0
    }
}

/// Against a line of several cells: a row of a table or a form. A label may stand far from its title.
fn row(layout: &Layout<'_>, line: usize, label: &Label) -> i32 {
    const DOUBT: i32 = 4;
    let gap = layout.lines.get(line).and_then(|line| line.gap);
    if gap.is_some_and(|gap| gap > label.length + 1) {
        DOUBT
    } else {
        0
    }
}

/// Whether the next number of the label's own kind stands further along its line: a form's row, an enumeration in a
/// sentence.
fn counts_on(title: &[char], label: &Label) -> bool {
    let Some(next) = label
        .sequence
        .last()
        .filter(|_| label.sequence.len() == 1)
        .map(|last| (last + 1).to_string())
    else {
        return false;
    };
    let next: Vec<char> = next.chars().collect();
    title.windows(next.len() + 3).take(200).any(|window| match window {
        [space, rest @ ..] => {
            *space == ' '
                && rest.starts_with(&next)
                && rest.get(next.len()) == Some(&'.')
                && rest.get(next.len() + 1) == Some(&' ')
        }
        [] => false,
    })
}

/// The line after the last line of a heading that starts on `line`: itself and, where it was too long for one line, what
/// follows in the same type and close to it.
pub(super) fn heading_end(layout: &Layout<'_>, line: usize) -> usize {
    const MOST_LINES: usize = 5;
    let Some(first) = layout.lines.get(line) else {
        return line + 1;
    };
    let distinct = layout
        .stands_out(line, 1)
        .unwrap_or(layout.body_height > 0.0 && (first.height / layout.body_height - 1.0).abs() > 0.015);
    // Where the bold of a run-in heading ends, the heading ends.
    let run_in = |at: usize| {
        layout.lines.get(at).is_some_and(|entry| {
            entry
                .face
                .is_some_and(|face| !face.bold || face.bold_start + 1 < entry.end - entry.start)
        }) && !has_word_in_another_face(layout, at)
    };
    let bold = layout.begins_bold(line, 1);
    if bold && run_in(line) {
        return line + 1;
    }
    let mut end = line + 1;
    while end < line + MOST_LINES {
        let above = layout.text(end - 1);
        if !layout.lines.get(end).is_some_and(super::lines::Line::is_text) {
            break;
        }
        let text = layout.text(end);
        if matches!(above.last(), Some('.' | ':' | ';'))
            || layout.fill(end - 1) < 0.55
            || super::label::read(text).is_some()
            || super::label::read_item(text).is_some()
        {
            break;
        }
        let like = layout.alike(line, end) || bold && layout.begins_bold(end, 3);
        let Some(drop) = layout.drop(end - 1, end) else { break };
        let close = drop <= (layout.pitch * 1.35).max(first.height * 1.3);
        let capitals = is_capitals(above) && is_capitals(text);
        // In the body's own type: only where the next paragraph stands off from it.
        let stands_off = layout.fill(end) < 0.8
            && layout
                .neighbour(end, true)
                .and_then(|after| layout.drop(end, after))
                .is_some_and(|after| after > drop * 1.25 && after > layout.pitch * 1.2);
        if !(like && close && (distinct || capitals || stands_off)) {
            break;
        }
        end += 1;
        if bold && run_in(end - 1) {
            return end;
        }
    }
    // A run of lines in a distinct type that doesn't end is no heading of several lines.
    if end == line + MOST_LINES { line + 1 } else { end }
}

/// Whether a line in larger type than the text begins bold and ends with a word or two that aren't: the name of a file in
/// a title. In the text's own type such a line is a run-in heading.
pub(super) fn has_word_in_another_face(layout: &Layout<'_>, line: usize) -> bool {
    const LONGEST: usize = 36;
    layout.lines.get(line).is_some_and(|entry| {
        let tail = entry
            .face
            .map_or(0, |face| (entry.end - entry.start).saturating_sub(face.bold_start));
        layout.body_height > 0.0
            && entry.height > layout.body_height * 1.03
            && layout.begins_bold(line, 3)
            && (1..=LONGEST).contains(&tail)
            && !matches!(layout.text(line).last(), Some('.' | ';' | ','))
    })
}

/// Against rows and short list items: four or more numbers that follow each other on lines next to each other, in type no
/// larger than the text.
pub(super) fn doubt_rows(layout: &Layout<'_>, headings: &mut [Heading]) {
    const LEAST: usize = 4;
    const DOUBT: i32 = 5;
    let row = |heading: &Heading| {
        let height = layout.lines.get(heading.line).map_or(0.0, |line| line.height);
        heading.label.scheme == Scheme::Decimal
            && heading.label.sequence.len() == 1
            && heading.outline.is_none()
            && height <= layout.body_height * 1.005
    };
    let mut from = 0;
    while from < headings.len() {
        let mut to = from + 1;
        while let (Some(last), Some(next)) = (headings.get(to - 1), headings.get(to)) {
            let follows = next
                .label
                .sequence
                .first()
                .zip(last.label.sequence.first())
                .is_some_and(|(next, last)| *next == last + 1);
            if !(row(last) && row(next) && follows && next.line <= last.line + 3) {
                break;
            }
            to += 1;
        }
        if to - from >= LEAST {
            for heading in headings.iter_mut().take(to).skip(from) {
                heading.weight -= DOUBT;
            }
        }
        from = to;
    }
}

/// Against what is not set as a document's headings of that depth are: sentences where they are titles, the text's own
/// type where they stand out. What was accepted at first teaches the style. Whether anything changed.
pub(super) fn doubt_strangers<'a>(headings: &mut [Heading], accepted: impl Iterator<Item = &'a Heading>) -> bool {
    const LEAST: usize = 4;
    const DOUBT: i32 = 6;
    const OTHER_WORDS: i32 = 10;
    let accepted: Vec<&Heading> = accepted.collect();
    // An annex may be set in a style of its own.
    let annexes: Vec<usize> = accepted
        .iter()
        .filter(|heading| heading.label.scheme.rank() == Some(0))
        .map(|heading| heading.line)
        .collect();
    let kind = |heading: &Heading| {
        let annex = annexes.partition_point(|line| *line <= heading.line);
        (annex, heading.label.scheme, heading.label.sequence.len())
    };
    let mut styles: std::collections::BTreeMap<_, Style> = std::collections::BTreeMap::new();
    for heading in accepted {
        let style = styles.entry(kind(heading)).or_default();
        style.sentences += usize::from(heading.sentence);
        style.plain += usize::from(heading.stands_out == Some(false));
        style.worded += usize::from(heading.label.worded);
        style.all += 1;
    }
    let mut changed = false;
    for heading in headings.iter_mut().filter(|heading| heading.outline.is_none()) {
        let Some(style) = styles.get(&kind(heading)) else {
            continue;
        };
        if style.worded >= 2 && !heading.label.worded {
            heading.weight -= OTHER_WORDS;
            changed = true;
        }
        if style.all < LEAST {
            continue;
        }
        let titles = style.sentences > 0 && style.sentences * 5 <= style.all * 2;
        let distinct = style.plain > 0 && style.plain * 5 <= style.all * 2;
        if titles && heading.sentence || distinct && heading.stands_out == Some(false) {
            heading.weight -= DOUBT;
            changed = true;
        }
    }
    changed
}

/// How the accepted headings of one depth are set.
#[derive(Default)]
struct Style {
    sentences: usize,
    plain: usize,
    /// `Section 2` where others have `2`.
    worded: usize,
    all: usize,
}

pub(super) fn is_capitals(text: &[char]) -> bool {
    let letters = text.iter().filter(|character| character.is_alphabetic()).count();
    let upper = text.iter().filter(|character| character.is_uppercase()).count();
    letters >= 3 && upper * 10 >= letters * 8
}
