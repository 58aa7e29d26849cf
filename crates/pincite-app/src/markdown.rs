//! What Markdown says of a layer's structure: its headings with their exact spans, and where nothing is one.
//!
//! The layer stays the file's own text, marks and all; this only says where they stand. CommonMark decides what a heading
//! is, so a `#` in fenced code, in a comment or in front matter is none. Headings inside quotations and lists are not the
//! document's own. Where there are headings, numbered lists are lists, and their numbers name no section.
//!
//! Deliberately not here: showing Markdown as anything but text. A span of a picture of the text would be somebody's guess.

use pincite_core::structure::KnownHeading;
use pincite_core::text::{CharSpan, PAGE_JOIN};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// Headings and quiet places of a layer, as `pincite_core::structure::Marks` takes them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct MarkdownMarks {
    /// Sorted by start.
    pub headings: Vec<KnownHeading>,
    /// Sorted by start, none inside another.
    pub quiet: Vec<CharSpan>,
}

impl MarkdownMarks {
    /// The first heading of the first depth: what the text calls itself.
    #[must_use]
    pub fn title(&self) -> Option<&str> {
        let first = self.headings.iter().find(|heading| heading.level == 1);
        first.map(|heading| heading.title.as_str())
    }
}

/// A heading on its way, in bytes of the text.
struct Heading {
    all: Range<usize>,
    words: Option<Range<usize>>,
    title: String,
    level: u32,
}

/// Reads the marks of a layer's text.
#[must_use]
pub fn marks(text: &str) -> MarkdownMarks {
    // To CommonMark a form feed is a space; to a layer it ends a page, and so a line. One byte for one.
    let lines = text.replace(PAGE_JOIN, "\n");
    let options = Options::ENABLE_YAML_STYLE_METADATA_BLOCKS | Options::ENABLE_HEADING_ATTRIBUTES;
    let mut headings: Vec<Heading> = Vec::new();
    let mut quiet: Vec<Range<usize>> = Vec::new();
    let mut lists: Vec<Range<usize>> = Vec::new();
    let mut open: Option<Heading> = None;
    let mut containers = 0_usize;
    for (event, at) in Parser::new_ext(&lines, options).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) if containers == 0 => {
                open = Some(Heading {
                    all: at,
                    words: None,
                    title: String::new(),
                    level: level as u32,
                });
            }
            Event::End(TagEnd::Heading(_)) => headings.extend(open.take()),
            Event::Start(Tag::BlockQuote(_)) => containers += 1,
            Event::End(TagEnd::BlockQuote(_)) => containers -= 1,
            Event::Start(Tag::List(first)) => {
                if containers == 0 && first.is_some() {
                    lists.push(at);
                }
                containers += 1;
            }
            Event::End(TagEnd::List(_)) => containers -= 1,
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)) | Tag::HtmlBlock | Tag::MetadataBlock(_)) => {
                quiet.push(at);
            }
            other => {
                let Some(heading) = &mut open else { continue };
                heading.words = Some(match heading.words.take() {
                    Some(words) => words.start..words.end.max(at.end),
                    None => at,
                });
                match other {
                    Event::Text(words) | Event::Code(words) => heading.title.push_str(&words),
                    Event::SoftBreak | Event::HardBreak => heading.title.push(' '),
                    _ => {}
                }
            }
        }
    }
    if !headings.is_empty() {
        quiet.extend(lists);
        quiet.sort_by_key(|range| (range.start, usize::MAX - range.end));
    }
    in_code_points(text, headings, quiet)
}

/// Bytes to code points, in one walk over the text for each list.
fn in_code_points(text: &str, headings: Vec<Heading>, quiet: Vec<Range<usize>>) -> MarkdownMarks {
    let mut found = MarkdownMarks::default();
    let mut walk = Walk::new(text);
    for heading in headings {
        // A heading of no words names nothing.
        let Some(words) = heading.words else { continue };
        let start = walk.to(heading.all.start);
        let from = walk.to(words.start);
        let until = walk.to(words.end);
        let end = walk.to(heading.all.end);
        found.headings.push(KnownHeading {
            span: CharSpan::of_indices(start, end),
            words: CharSpan::of_indices(from, until),
            title: heading.title,
            level: heading.level,
        });
    }
    let mut walk = Walk::new(text);
    let mut reached = 0;
    for range in quiet {
        if range.start < reached {
            continue;
        }
        reached = range.end;
        let start = walk.to(range.start);
        found.quiet.push(CharSpan::of_indices(start, walk.to(range.end)));
    }
    found
}

struct Walk<'a> {
    text: &'a str,
    bytes: usize,
    characters: usize,
}

impl<'a> Walk<'a> {
    const fn new(text: &'a str) -> Self {
        Self {
            text,
            bytes: 0,
            characters: 0,
        }
    }

    /// How many code points stand before a byte at or after the last one asked for.
    fn to(&mut self, byte: usize) -> usize {
        if let Some(passed) = self.text.get(self.bytes..byte) {
            self.characters += passed.chars().count();
            self.bytes = byte;
        }
        self.characters
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "---\ntitle: Front\n---\n# Lending *policy* 😀\n\n<!--\n# not this\n-->\n## 2. `Terms` {#terms}\n\n1. Take\n2. Give\n\n> ## quoted\n\n```sh\n# nor this\n```\nAppetite\nfor risk\n---\n\u{c}### Über ###\n#\n    # indented code\n\\# escaped\n";

    #[test]
    fn headings_are_those_of_commonmark_with_exact_spans() {
        let marks = marks(TEXT);
        let characters: Vec<char> = TEXT.chars().collect();
        let slice = |span: CharSpan| characters[span.range()].iter().collect::<String>();
        let found: Vec<(u32, &str, String, String)> = marks
            .headings
            .iter()
            .map(|heading| {
                (
                    heading.level,
                    heading.title.as_str(),
                    slice(heading.words),
                    slice(heading.span).trim_end().to_owned(),
                )
            })
            .collect();
        let wanted = [
            (1, "Lending policy 😀", "Lending *policy* 😀", "# Lending *policy* 😀"),
            (2, "2. Terms", "2. `Terms`", "## 2. `Terms` {#terms}"),
            (2, "Appetite for risk", "Appetite\nfor risk", "Appetite\nfor risk\n---"),
            (3, "Über", "Über", "### Über ###"),
        ];
        let wanted: Vec<(u32, &str, String, String)> = wanted
            .map(|(level, title, words, all)| (level, title, words.to_owned(), all.to_owned()))
            .to_vec();
        assert_eq!(found, wanted);
        assert_eq!(marks.title(), Some("Lending policy 😀"));
        let quiet: Vec<String> = marks
            .quiet
            .iter()
            .map(|span| slice(*span).trim_end().to_owned())
            .collect();
        assert_eq!(
            quiet,
            [
                "---\ntitle: Front\n---",
                "<!--\n# not this\n-->",
                "1. Take\n2. Give",
                "```sh\n# nor this\n```"
            ]
        );
    }

    #[test]
    fn without_headings_a_numbered_list_may_be_clauses() {
        assert_eq!(marks("1. Scope\n2. Terms\n"), MarkdownMarks::default());
    }
}
