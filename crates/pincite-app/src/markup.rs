//! Which code points of a Markdown text are marks and no words: what a comparison leaves out.
//!
//! Emphasis, code and strike-out marks, heading marks, bullets, quotation marks of blocks, escapes, and the row of a table that
//! draws its line. A link's address, an ordered list's number, a table's bars are words: who changes one changes what is said.
//!
//! Deliberately not here: headings and their places (`markdown`).

use pincite_core::text::{CharSpan, PAGE_JOIN};
use pulldown_cmark::{Event, Options, Parser, Tag};
use std::ops::Range;

/// The marks of a layer's text, in order, none inside another.
#[must_use]
pub fn markup(text: &str) -> Vec<CharSpan> {
    // As in `markdown`: to CommonMark a form feed is a space. One byte for one.
    let lines = text.replace(PAGE_JOIN, "\n");
    let options = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
        | Options::ENABLE_HEADING_ATTRIBUTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TABLES;
    let mut marks: Vec<Range<usize>> = Vec::new();
    for (event, at) in Parser::new_ext(&lines, options).into_offset_iter() {
        let inside = lines.get(at.clone()).unwrap_or_default();
        match event {
            Event::Start(Tag::Emphasis) => around(&mut marks, &at, 1),
            Event::Start(Tag::Strong) => around(&mut marks, &at, 2),
            Event::Start(Tag::Strikethrough) => around(&mut marks, &at, run(inside, '~')),
            Event::Code(_) => around(&mut marks, &at, run(inside, '`')),
            Event::Start(Tag::Heading { .. }) => {
                marks.push(at.start..at.start + run(inside, '#'));
                let closed = inside.trim_end();
                let words = closed.trim_end_matches('#');
                if words.ends_with(' ') && words.len() < closed.len() {
                    marks.push(at.start + words.len()..at.start + closed.len());
                }
            }
            Event::Start(Tag::Item) if inside.starts_with(['-', '*', '+']) => marks.push(at.start..at.start + 1),
            Event::Start(Tag::BlockQuote(_)) => marks.extend(led_by(inside, at.start, '>')),
            Event::Start(Tag::Table(_)) => marks.extend(ruled(inside, at.start)),
            Event::Start(Tag::CodeBlock(_)) => marks.extend(fences(inside, at.start)),
            Event::Text(_)
                if lines.get(..at.start).is_some_and(|before| before.ends_with('\\'))
                    && inside.starts_with(|sign: char| sign.is_ascii_punctuation()) =>
            {
                marks.push(at.start - 1..at.start);
            }
            Event::HardBreak if inside.starts_with('\\') => marks.push(at.start..at.start + 1),
            _ => {}
        }
    }
    in_code_points(text, marks)
}

fn run(text: &str, sign: char) -> usize {
    text.len() - text.trim_start_matches(sign).len()
}

fn around(marks: &mut Vec<Range<usize>>, at: &Range<usize>, length: usize) {
    if 2 * length <= at.len() {
        marks.push(at.start..at.start + length);
        marks.push(at.end - length..at.end);
    }
}

/// The sign at the start of each line.
fn led_by(text: &str, start: usize, sign: char) -> Vec<Range<usize>> {
    let lines = text.split_inclusive('\n').scan(start, |at, line| {
        let from = *at + line.len() - line.trim_start().len();
        *at += line.len();
        Some((from, line.trim_start().starts_with(sign)))
    });
    lines
        .filter(|(_, led)| *led)
        .map(|(from, _)| from..from + sign.len_utf8())
        .collect()
}

/// The second line of a table.
fn ruled(text: &str, start: usize) -> Option<Range<usize>> {
    let mut lines = text.split_inclusive('\n');
    let from = start + lines.next()?.len();
    Some(from..from + lines.next()?.trim_end().len())
}

/// The first and the last line of fenced code, without what the first says besides.
fn fences(text: &str, start: usize) -> Vec<Range<usize>> {
    let sign = if text.starts_with("~~~") { '~' } else { '`' };
    let opening = run(text, sign);
    if opening < 3 {
        return Vec::new();
    }
    let opened = start..start + opening;
    let mut marks = Vec::from([opened]);
    let closed = text.trim_end();
    let last = closed.rfind('\n').map_or(closed.len(), |at| at + 1);
    if closed
        .get(last..)
        .is_some_and(|line| line.trim_start().starts_with(sign))
    {
        marks.push(start + last..start + closed.len());
    }
    marks
}

/// Bytes to code points, in one walk.
fn in_code_points(text: &str, mut marks: Vec<Range<usize>>) -> Vec<CharSpan> {
    marks.sort_by_key(|mark| (mark.start, mark.end));
    let (mut bytes, mut characters) = (0, 0);
    let mut to = |byte: usize| {
        characters += text.get(bytes..byte).map_or(0, |passed| passed.chars().count());
        bytes = bytes.max(byte);
        characters
    };
    let mut spans = Vec::new();
    let mut reached = 0;
    for mark in marks {
        let start = mark.start.max(reached);
        if start < mark.end {
            reached = mark.end;
            spans.push(CharSpan::of_indices(to(start), to(mark.end)));
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with its marks left out.
    fn words(text: &str) -> String {
        let marks = markup(text);
        let kept = |index: usize| !marks.iter().any(|mark| mark.range().contains(&index));
        text.chars()
            .enumerate()
            .filter(|(index, _)| kept(*index))
            .map(|(_, one)| one)
            .collect()
    }

    #[test]
    fn marks_are_left_out_and_words_are_not() {
        for (text, expected) in [
            (
                "The ***Product*** 😀 **lead** _must_ `run` ~~not~~ it.",
                "The Product 😀 lead must run not it.",
            ),
            ("## 2. Terms ##\n\ntext # no\n", " 2. Terms \n\ntext # no\n"),
            ("- one\n* two\n\n1. three\n", " one\n two\n\n1. three\n"),
            ("> said\n> so\n", " said\n so\n"),
            ("2*3 is 6, 2 * 3 too, snake_case", "2*3 is 6, 2 * 3 too, snake_case"),
            ("a \\* b \\d", "a * b \\d"),
            ("[a *b*](#c_d_e)", "[a b](#c_d_e)"),
            ("| a | b |\n|---|:-:|\n| 1 | 2 |\n", "| a | b |\n\n| 1 | 2 |\n"),
            ("```sh\n**code**\n```\n", "sh\n**code**\n\n"),
            ("one\u{c}**two**", "one\u{c}two"),
        ] {
            assert_eq!(words(text), expected, "{text:?}");
        }
    }
}
