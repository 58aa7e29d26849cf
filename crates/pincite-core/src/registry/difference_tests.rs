//! The section diff: small documents written as lines.

use super::*;
use crate::structure::{LeftOut, Locator, Marks, ParseInput, Section, Structure, left_out, parse_sections};
use crate::text::{CharSpan, Layer, LayerBoxes, match_fold};
use std::collections::BTreeSet;

/// A document as a comparison takes it.
#[derive(Debug, Clone)]
pub(super) struct Made {
    pub(super) layer: Layer,
    pub(super) structure: Structure,
    lost_pages: Vec<u32>,
    furniture: Vec<CharSpan>,
    markup: Vec<CharSpan>,
}

impl Made {
    pub(super) fn side(&self) -> Side<'_> {
        Side {
            layer: &self.layer,
            structure: &self.structure,
            lost_pages: &self.lost_pages,
            furniture: &self.furniture,
            contents: &[],
            markup: &self.markup,
        }
    }
}

/// One section: locator, title, own text. A locator lies in the one that it begins with.
pub(super) type Part = (String, String, String);

/// A document of these sections, laid out with `width` characters a line. Lines that begin with `~` are furniture, a page
/// ends at `|`.
pub(super) fn made(parts: &[Part], width: usize) -> Made {
    let mut text = String::new();
    let mut starts = Vec::new();
    for (locator, title, body) in parts {
        let start = text.chars().count();
        text.push_str(locator);
        text.push(' ');
        text.push_str(title);
        starts.push((start, text.chars().count()));
        let mut column = width;
        for word in body.split(' ').filter(|word| !word.is_empty()) {
            let breaks = word == "|" || word.starts_with('~') || column + word.len() >= width;
            text.push(if breaks { '\n' } else { ' ' });
            column = if breaks { word.len() } else { column + 1 + word.len() };
            if word.starts_with('~') {
                column = width;
            }
            text.push_str(if word == "|" { "\u{c}" } else { word });
        }
        text.push('\n');
    }
    let layer = Layer::new(&text).unwrap_or_else(|error| unreachable!("{error}"));
    let characters = layer.characters();
    let within = |one: &str, other: &str| one.strip_prefix(other).is_some_and(|rest| rest.starts_with(['.', '(']));
    let end_of = |index: usize| {
        let mut after = (index + 1..parts.len()).filter(|other| !within(&parts[*other].0, &parts[index].0));
        after.next().map_or(characters.len(), |next| starts[next].0)
    };
    let furniture: Vec<CharSpan> = lines(characters)
        .filter(|span| characters[span.start().index()] == '~')
        .collect();
    let sections = (0..parts.len())
        .map(|index| {
            let (locator, title, body) = &parts[index];
            let (start, heading_end) = starts[index];
            let span = CharSpan::of_indices(start, end_of(index));
            let next = starts.get(index + 1).map_or(characters.len(), |next| next.0);
            let words: Vec<&str> = body
                .split(' ')
                .filter(|word| !word.starts_with('~') && *word != "|")
                .collect();
            let own_sha256 = crate::sha256_hex(match_fold(&format!("{title} {}", words.join(" "))).as_bytes());
            Section {
                locator: Locator::parse(locator).unwrap_or_else(|error| unreachable!("{locator}: {error}")),
                title: title.clone(),
                level: 1,
                page: layer.page_of(span.start()),
                span,
                heading: CharSpan::of_indices(start, heading_end),
                own: vec![CharSpan::of_indices(start, next)],
                parent: (0..index).rev().find(|above| within(locator, &parts[*above].0)),
                section_key: format!("key-{locator}-{}", title.to_lowercase()),
                own_sha256: own_sha256.clone(),
                content_sha256: own_sha256,
            }
        })
        .collect();
    Made {
        structure: Structure {
            parser: "by hand".to_owned(),
            sections,
            tables: Vec::new(),
        },
        layer,
        lost_pages: Vec::new(),
        furniture,
        markup: Vec::new(),
    }
}

fn lines(characters: &[char]) -> impl Iterator<Item = CharSpan> {
    let mut at = 0;
    characters
        .split(|one| matches!(one, '\n' | '\u{c}'))
        .filter_map(move |line| {
            let start = at;
            at += line.len() + 1;
            (!line.is_empty()).then(|| CharSpan::of_indices(start, start + line.len()))
        })
}

/// Sections from lines `locator Title: text`.
fn parts(lines: &[&str]) -> Vec<Part> {
    lines
        .iter()
        .map(|line| {
            let (head, body) = line.split_once(':').unwrap_or((line, ""));
            let (locator, title) = head.split_once(' ').unwrap_or((head, ""));
            (locator.to_owned(), title.to_owned(), body.trim().to_owned())
        })
        .collect()
}

pub(super) fn doc(lines: &[&str]) -> Made {
    made(&parts(lines), 60)
}

/// `changed 2.1(a)`, `renumbered 2 3`, in order.
fn shown(before: &Made, after: &Made) -> Vec<String> {
    diff(&before.side(), &after.side())
        .iter()
        .map(|change| {
            let name =
                |made: &Made, index: Option<usize>| Some(made.structure.sections.get(index?)?.locator.to_string());
            let names = [name(before, change.before), name(after, change.after)];
            let mut names: Vec<String> = names.into_iter().flatten().collect();
            names.dedup();
            let also = if change.change == Change::Changed && change.moved {
                " moved"
            } else {
                ""
            };
            format!("{} {}{also}", change.change.label(), names.join(" "))
        })
        .collect()
}

pub(super) const SOP: [&str; 6] = [
    "1 Purpose: This procedure says how records are kept.",
    "2 Records: What is kept is listed here.",
    "2.1 Paper: Paper records are kept in the archive room.",
    "2.1(a) : Each box bears the year on its front.",
    "2.1(b) : Boxes are counted every January.",
    "3 Retention: Records must be retained for 5 years from the date of creation.",
];

pub(super) fn with(changes: &[(usize, &'static str)]) -> Vec<&'static str> {
    let mut lines = SOP.to_vec();
    for (index, line) in changes {
        lines[*index] = line;
    }
    lines
}

#[test]
fn own_text_decides() {
    let before = doc(&SOP);
    assert!(shown(&before, &before).is_empty());
    let after = doc(&with(&[(3, "2.1(a) : Each box bears the month on its front.")]));
    assert_eq!(shown(&before, &after), ["changed 2.1(a)"]);
    let after = doc(&with(&[(
        5,
        "3 Retention: Records must be retained for 7 years from the date of creation.",
    )]));
    assert_eq!(shown(&before, &after), ["changed 3"]);
    // A title is text; a clause written anew in its place has changed.
    let after = doc(&with(&[
        (1, "2 Documents: What is kept is listed here."),
        (4, "2.1(b) : Nobody enters without a key."),
    ]));
    assert_eq!(shown(&before, &after), ["changed 2", "changed 2.1(b)"]);
}

#[test]
fn lines_hyphens_dashes_and_marks_are_no_change() {
    let before = doc(&[
        "1 Scope: The so\u{2010}called \u{201c}long\u{201d} rule \u{2013} and no other \u{2013} applies **at once** here.",
    ]);
    for width in [8, 20, 200] {
        let mut after = made(
            &parts(&["1 Scope: The so-called \"long\" rule - and no other - applies at once here."]),
            width,
        );
        assert_eq!(
            shown(&before, &after),
            ["changed 1"],
            "asterisks are text where nobody says that they are marks"
        );
        after.markup = Vec::new();
        let mut marked = before.clone();
        marked.markup = lines_of(&before, "**");
        assert_eq!(marked.markup.len(), 2);
        assert!(shown(&marked, &after).is_empty(), "{width}");
        assert!(shown(&after, &marked).is_empty(), "{width}");
    }
}

/// Where a text stands in a document.
fn lines_of(made: &Made, wanted: &str) -> Vec<CharSpan> {
    let wanted: Vec<char> = wanted.chars().collect();
    let all = made.layer.characters().windows(wanted.len()).enumerate();
    all.filter(|(_, window)| *window == wanted.as_slice())
        .map(|(at, _)| CharSpan::of_indices(at, at + wanted.len()))
        .collect()
}

#[test]
fn inserted_removed_renumbered_moved() {
    let before = doc(&SOP);
    let inserted = doc(&[
        SOP[0],
        "2 Scope: It applies to all three sites of the company.",
        "3 Records: What is kept is listed here.",
        "3.1 Paper: Paper records are kept in the archive room.",
        "3.1(a) : Each box bears the year on its front.",
        "3.1(b) : Boxes are counted every January.",
        "4 Retention: Records must be retained for 7 years from the date of creation.",
    ]);
    assert_eq!(
        shown(&before, &inserted),
        [
            "added 2",
            "renumbered 2 3",
            "renumbered 2.1 3.1",
            "renumbered 2.1(a) 3.1(a)",
            "renumbered 2.1(b) 3.1(b)",
            "changed 3 4"
        ]
    );
    assert_eq!(
        shown(&inserted, &before),
        [
            "removed 2",
            "renumbered 3 2",
            "renumbered 3.1 2.1",
            "renumbered 3.1(a) 2.1(a)",
            "renumbered 3.1(b) 2.1(b)",
            "changed 4 3"
        ]
    );
    let swapped = doc(&[
        SOP[0],
        "2 Retention: Records must be retained for 5 years from the date of creation.",
        "3 Records: What is kept is listed here.",
        "3.1 Paper: Paper records are kept in the archive room.",
        "3.1(a) : Each box bears the year on its front.",
        "3.1(b) : Boxes are counted every January.",
    ]);
    let found = shown(&before, &swapped);
    assert_eq!(found.len(), 5);
    assert_eq!(
        found.iter().filter(|line| line.starts_with("moved")).count(),
        1,
        "{found:?}"
    );
    assert!(
        !found
            .iter()
            .any(|line| line.starts_with("added") || line.starts_with("removed"))
    );
    // Into another section.
    let elsewhere = doc(&[
        SOP[0],
        SOP[1],
        SOP[2],
        SOP[3],
        SOP[5],
        "3(a) : Boxes are counted every January.",
    ]);
    assert_eq!(shown(&before, &elsewhere), ["moved 2.1(b) 3(a)"]);
    // Changed, renumbered and moved at once: a change, and no removal.
    let all = doc(&[
        SOP[0],
        SOP[1],
        SOP[2],
        SOP[3],
        SOP[5],
        "3(a) : Boxes are counted every February.",
    ]);
    assert_eq!(shown(&before, &all), ["changed 2.1(b) 3(a) moved"]);
    // Another section in the same place.
    let other = doc(&with(&[(5, "3 Pets: Dogs stay outside, and so do cats and horses.")]));
    assert_eq!(shown(&before, &other), ["removed 3", "added 3"]);
}

#[test]
fn what_another_section_took_up_is_not_removed() {
    let before = doc(&SOP);
    let merged = doc(&[
        SOP[0],
        "2 Records: What is kept is listed here. Retention Records must be retained for 5 years from the date of creation.",
        SOP[2],
        SOP[3],
        SOP[4],
    ]);
    assert_eq!(shown(&before, &merged), ["changed 2", "moved 3 2"]);
    assert_eq!(compare(&before.side(), &merged.side()).pairing.after_of[5], None);
    let chapter = doc(&[SOP[0], "2 Records: What is kept is listed here.", SOP[5]]);
    assert_eq!(
        shown(&before, &chapter),
        ["removed 2.1", "removed 2.1(a)", "removed 2.1(b)"]
    );
    // Out of a section that is gone: under another number, and not moved.
    let lifted = doc(&[SOP[0], SOP[1], "2(a) : Each box bears the year on its front.", SOP[5]]);
    assert_eq!(
        shown(&before, &lifted),
        ["removed 2.1", "removed 2.1(b)", "moved 2.1(a) 2(a)"]
    );
}

#[test]
fn what_stands_twice_is_paired_below_its_parent() {
    let before = doc(&[
        "1 One: a b c",
        "1.1 General: Reserved.",
        "2 Two: d e f",
        "2.1 General: Reserved.",
        "3 Three: g h i",
    ]);
    let after = doc(&["1 Two: d e f", "1.1 General: Reserved.", "2 Three: g h i"]);
    assert_eq!(
        shown(&before, &after),
        [
            "removed 1",
            "removed 1.1",
            "renumbered 2 1",
            "renumbered 2.1 1.1",
            "renumbered 3 2"
        ]
    );
}

#[test]
fn furniture_is_told_apart_and_page_numbers_are_no_difference() {
    let page = |stamp: &str, number: &str, of: &str, body: &str| {
        let foot = format!("~Printed-{stamp} ~Page-{number}-of-{of} |");
        doc(&[
            "1 Scope: One.",
            &format!("2 Long: It begins here {foot} and ends {body}."),
            "3 End: Last.",
        ])
    };
    let before = page("260514.13", "1", "2", "there");
    assert!(shown(&before, &before).is_empty());
    assert_eq!(shown(&before, &page("251105.09", "1", "2", "there")), ["furniture 2"]);
    assert_eq!(shown(&before, &page("251105.09", "1", "2", "elsewhere")), ["changed 2"]);
    // No page's edge in it: nothing to compare.
    let whole = doc(&[
        "1 Scope: One.",
        "2 Long: It begins here and ends there.",
        "3 End: Last.",
    ]);
    assert!(shown(&before, &whole).is_empty());
    let difference = compare(&before.side(), &page("251105.09", "1", "2", "there").side());
    let only = |line: &str| BTreeSet::from([line.to_owned()]);
    assert_eq!(
        difference.furniture,
        (only("~printed-260514.13"), only("~printed-251105.09"))
    );
    assert!(!difference.outside_changed);
}

#[test]
fn pages_without_text_lose_and_remove_nothing() {
    let whole = doc(&[
        "1 First: It is here. |",
        "2 Second: This one is on the second page.",
        "2.1 Part: And so is its part. |",
        "3 Third: On the third.",
        "4 Fourth: On the third as well.",
    ]);
    let mut blank = doc(&["1 First: It is here. | |", "3 Third: On the third."]);
    assert_eq!(blank.layer.page_count(), 3);
    let found = shown(&whole, &blank);
    assert_eq!(found, ["removed 2", "removed 2.1", "removed 4"]);
    blank.lost_pages = vec![2];
    assert_eq!(shown(&whole, &blank), ["text_lost 2", "text_lost 2.1", "removed 4"]);
    assert_eq!(shown(&blank, &whole), ["text_lost 2", "text_lost 2.1", "added 4"]);
    // A page that was blank before loses nothing.
    let mut cover = doc(&[
        "1 First: It is here. | |",
        "2 Second: This one is on the second page.",
        "3 Third: On the third.",
    ]);
    cover.lost_pages = vec![2];
    assert_eq!(shown(&cover, &blank), ["removed 2"]);
    // A section half of which stood on the page.
    let long = doc(&[
        "1 First: It begins here | and goes on there | and ends.",
        "2 Second: Last.",
    ]);
    let mut torn = doc(&["1 First: It begins here | | and ends.", "2 Second: Last."]);
    assert_eq!(shown(&long, &torn), ["changed 1"]);
    torn.lost_pages = vec![2];
    assert_eq!(shown(&long, &torn), ["text_lost 1"]);
    assert_eq!(shown(&torn, &long), ["text_lost 1"]);
    let mut edited = doc(&["1 First: It starts here | | and ends.", "2 Second: Last."]);
    edited.lost_pages = vec![2];
    assert_eq!(shown(&long, &edited), ["changed 1"]);
}

#[test]
fn words_are_marked_where_they_stand_in_the_layers() {
    let before = doc(&["1 Scope: It holds ~head | for 5 years."]);
    let after = doc(&["1 Scope: It holds for 7 years."]);
    let difference = compare(&before.side(), &after.side());
    let text = |made: &Made, span: CharSpan| made.layer.slice(span).unwrap_or_default();
    let pieces: Vec<String> = difference
        .words(0, 0)
        .into_iter()
        .map(|piece| match piece {
            Piece::Same {
                before: one,
                after: other,
            } => format!("{} = {}", text(&before, one), text(&after, other)),
            Piece::Removed { before: one } => format!("- {}", text(&before, one)),
            Piece::Added { after: other } => format!("+ {}", text(&after, other)),
        })
        .collect();
    assert_eq!(
        pieces,
        [
            "Scope\nIt holds = Scope\nIt holds",
            "for = for",
            "- 5",
            "+ 7",
            "years. = years."
        ]
    );
}

#[test]
fn texts_are_compared_as_the_parser_reads_them() {
    let text = |stamp: &str, years: &str| {
        let page = |body: &str| format!("ACME SOP-114\n{body}\nPrinted {stamp}\n");
        [
            page("1 Purpose\nWhy it is there.\n2 Retention\nIt is kept for"),
            page(&format!("{years} years.\n2.1 Boxes\nThey are brown.")),
            page("3 End\nIt ends here."),
        ]
        .join("\u{c}")
    };
    let read = |text: &str| {
        let layer = Layer::new(text).unwrap_or_else(|error| unreachable!("{error}"));
        let input = ParseInput {
            layer: &layer,
            boxes: &LayerBoxes::new(Vec::new()),
            page_sizes: &[],
            details: &[],
            outline: &[],
        };
        let LeftOut { furniture, .. } = left_out(&input, &Marks::default());
        let structure = parse_sections(&input);
        assert_eq!(structure.sections.len(), 4);
        assert_eq!(furniture.len(), 6);
        Made {
            structure,
            furniture,
            layer,
            lost_pages: Vec::new(),
            markup: Vec::new(),
        }
    };
    let before = read(&text("2026-05-14", "5"));
    let stamped = shown(&before, &read(&text("2026-11-02", "5")));
    assert!(
        !stamped.is_empty() && stamped.iter().all(|line| line.starts_with("furniture")),
        "{stamped:?}"
    );
    assert_eq!(shown(&before, &read(&text("2026-05-14", "7"))), ["changed 2"]);
}
