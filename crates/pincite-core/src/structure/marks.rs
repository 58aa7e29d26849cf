//! What a source says of its own structure: the headings that Markdown marks, and where nothing is one.
//!
//! Marks are believed: a marked heading is a section, whatever its line looks like, and its number (where the numbering of
//! the document holds it) gives its place as everywhere else. Places that are quiet (fenced code, HTML, lists) open no
//! section and no item; their text counts as any.
//!
//! Deliberately not here: reading Markdown. Whoever does hands in exact spans of the layer.

use super::lines::Layout;
use super::outline::{DEEPEST, Located};
use crate::text::CharSpan;

/// A heading that the source marks as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownHeading {
    /// All of it, with its marks: `## Scope`, or a title and the line under it.
    pub span: CharSpan,
    /// Its words in the layer, without the marks before and after them. Lies in `span`.
    pub words: CharSpan,
    /// The words as they read: without emphasis, links and the like.
    pub title: String,
    /// Depth, from 1.
    pub level: u32,
}

/// What a source says of its own structure. Both lists are sorted by start, and neither overlaps itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct Marks<'a> {
    /// Its headings.
    pub headings: &'a [KnownHeading],
    /// Where no line is a heading or an item.
    pub quiet: &'a [CharSpan],
}

/// Puts the marks into the lines, and answers the headings with theirs.
pub(super) fn apply(layout: &mut Layout<'_>, marks: &Marks<'_>) -> Vec<Located> {
    for quiet in marks.quiet {
        let from = first_line(layout, *quiet);
        for line in layout.lines.iter_mut().skip(from) {
            if line.start >= quiet.end().index() {
                break;
            }
            line.words = line.end;
        }
    }
    let mut located = Vec::new();
    for heading in marks.headings {
        let from = first_line(layout, heading.words);
        let mut until = from;
        for line in layout.lines.iter_mut().skip(from) {
            if line.start >= heading.span.end().index() {
                break;
            }
            (line.furniture, line.contents) = (false, false);
            if line.start < heading.words.end().index() {
                line.words = line.start.max(heading.words.start().index()).min(line.end);
            } else {
                // The line under a title belongs to the heading and says nothing.
                line.furniture = true;
            }
            until += 1;
        }
        if until > from {
            located.push(Located {
                line: from,
                until,
                title: super::reading::collapse(&heading.title),
                level: heading.level.clamp(1, DEEPEST),
            });
        }
    }
    located
}

/// The first line that reaches into a span.
fn first_line(layout: &Layout<'_>, span: CharSpan) -> usize {
    layout.lines.partition_point(|line| line.end <= span.start().index())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::structure::{ParseInput, parse_marked, parse_sections};
    use crate::text::{Layer, LayerBoxes};

    const TEXT: &str =
        "## 1 Purpose\nWhy.\n```\n2 Not this\n## nor this\n```\nNotes\n=====\n2 Limits\n(a) one\n(b) two\n";

    fn heading(text: &str, all: &str, words: &str, title: &str, level: u32) -> KnownHeading {
        let at = |part: &str| text.find(part).unwrap_or_else(|| unreachable!("{part}"));
        let start = at(all);
        let from = start + all.find(words).unwrap_or_else(|| unreachable!("{words}"));
        KnownHeading {
            span: CharSpan::of_indices(start, start + all.len()),
            words: CharSpan::of_indices(from, from + words.len()),
            title: title.to_owned(),
            level,
        }
    }

    #[test]
    fn marked_headings_are_sections_and_quiet_lines_are_none() {
        let layer = Layer::new(TEXT).unwrap_or_else(|error| unreachable!("{error}"));
        let input = ParseInput {
            layer: &layer,
            boxes: &LayerBoxes::new(Vec::new()),
            page_sizes: &[],
            details: &[],
            outline: &[],
        };
        let headings = [
            heading(TEXT, "## 1 Purpose", "1 Purpose", "1 Purpose", 2),
            heading(TEXT, "Notes\n=====", "Notes", "Notes", 1),
        ];
        let code = TEXT.find("```").unwrap_or(0);
        let quiet = [CharSpan::of_indices(code, TEXT.rfind("```").unwrap_or(0) + 3)];
        let marked = parse_marked(
            &input,
            &Marks {
                headings: &headings,
                quiet: &quiet,
            },
        );
        let found: Vec<(String, &str, usize)> = marked
            .sections
            .iter()
            .map(|section| {
                (
                    section.locator.to_string(),
                    section.title.as_str(),
                    section.span.start().index(),
                )
            })
            .collect();
        let at = |part: &str| TEXT.find(part).unwrap_or(0);
        assert_eq!(
            found,
            [
                ("1".to_owned(), "Purpose", 0),
                ("Notes".to_owned(), "Notes", at("Notes")),
                ("2".to_owned(), "Limits", at("2 Limits")),
                ("2(a)".to_owned(), "", at("(a)")),
                ("2(b)".to_owned(), "", at("(b)")),
            ]
        );
        // Without marks the same text has other sections: the marks did it.
        assert_ne!(parse_sections(&input), marked);
    }
}
