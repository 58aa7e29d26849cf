//! Sections and the structure that holds them: the published form, and the way from a layer to it.
//!
//! A section runs from its heading to the next section of the same or a higher level, so that it holds its descendants;
//! its **own** text is what no descendant holds. Clause items may end before their section does: a paragraph that follows
//! a list belongs to the section, not to the last item.
//!
//! Deliberately not here: matching sections of two revisions. The keys are derived from number and title; the registry
//! carries them across renumbering.

use super::assemble::{Titled, assemble};
use super::headings::{
    Heading, NAMED_BY_OUTLINE, doubt_rows, doubt_strangers, heading_end, is_capitals, is_sentence, weigh,
};
use super::label::{self, Scheme};
use super::lines::{Layout, Line, cut, measure_body};
use super::locator::Locator;
use super::marks::{self, Marks};
use super::outline::{Located, locate};
use super::tables::{self, Cell, Table};
use super::{contents, furniture, schemes};
use crate::text::{CharOffset, CharSpan, Layer, LayerBoxes, PageDetail, PageSize, Tag};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The parser's name and version. A change in what it finds in the same layer is a new version.
pub const PARSER: &str = "structure-3";

/// One entry of a PDF's outline (its bookmarks).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutlineEntry {
    /// As the file has it.
    pub title: String,
    /// Depth, from 1.
    pub level: u32,
    /// Page it points to, from 1; `None` where it points nowhere.
    pub page: Option<u32>,
    /// Height on that page in points of the displayed frame (from the top), where it names one.
    pub y: Option<f32>,
}

/// What sections are read from.
#[derive(Debug, Clone, Copy)]
pub struct ParseInput<'a> {
    /// The text.
    pub layer: &'a Layer,
    /// Where its code points stand. May be empty: the text alone is read then.
    pub boxes: &'a LayerBoxes,
    /// Displayed sizes, one a page. May be empty.
    pub page_sizes: &'a [PageSize],
    /// What each page says beside its text, one entry a page. May be empty.
    pub details: &'a [PageDetail],
    /// The PDF's outline, in its order. May be empty.
    pub outline: &'a [OutlineEntry],
}

/// One section, clause or item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Where it is, in the document's own labels. One section a locator.
    pub locator: Locator,
    /// The heading without its label; empty for a clause that has none.
    pub title: String,
    /// Depth in the tree, from 1.
    pub level: u32,
    /// Page of the heading, from 1.
    pub page: u32,
    /// From the heading to the next section of the same or a higher level: with its descendants.
    pub span: CharSpan,
    /// Label and title.
    pub heading: CharSpan,
    /// The parts of `span` that no descendant holds, in order.
    pub own: Vec<CharSpan>,
    /// Index of the section it lies in.
    pub parent: Option<usize>,
    /// One a document: number and title in plain letters, so the same in two revisions where both agree.
    pub section_key: String,
    /// SHA-256 of the folded own text: title and text, without the section's label, without furniture.
    pub own_sha256: String,
    /// The same with the descendants; their numbers are left out too, so that renumbering changes nothing.
    pub content_sha256: String,
}

/// The sections that one version of the parser found in one layer, in the document's order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Structure {
    /// [`PARSER`] when it was made.
    pub parser: String,
    /// Sorted by start; a section comes before its descendants.
    pub sections: Vec<Section>,
    /// In the document's order. Structures made before tables were found have none, and keep their ids.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Table>,
}

impl Structure {
    /// The hash of the structure's content: its name in citations. The content is its JSON, keys in the order of the
    /// fields, no white space.
    #[must_use]
    pub fn id(&self) -> String {
        crate::sha256_hex(&serde_json::to_vec(self).unwrap_or_default())
    }

    fn index_at(&self, offset: CharOffset) -> Option<usize> {
        let mut index = self
            .sections
            .partition_point(|section| section.span.start() <= offset)
            .checked_sub(1)?;
        loop {
            let section = self.sections.get(index)?;
            if section.span.contains(offset) {
                return Some(index);
            }
            // Parents come first, so this ends.
            index = section.parent.filter(|parent| *parent < index)?;
        }
    }

    /// The deepest section at `offset`; `None` before the first section.
    #[must_use]
    pub fn locator_at(&self, offset: CharOffset) -> Option<&Section> {
        self.sections.get(self.index_at(offset)?)
    }

    /// The sections at `offset`, from the deepest to the outermost.
    pub fn path_at(&self, offset: CharOffset) -> impl Iterator<Item = &Section> {
        let deepest = self.index_at(offset);
        deepest
            .into_iter()
            .chain(deepest.map(|index| self.ancestors(index)).unwrap_or_default())
            .filter_map(|index| self.sections.get(index))
    }

    /// The sections that a span touches: the deepest at its start, and each that begins within it. None for what stands before
    /// the first section alone.
    pub fn sections_in(&self, span: CharSpan) -> impl Iterator<Item = &Section> {
        let at_start = self.index_at(span.start()).and_then(|index| self.sections.get(index));
        let begin_within = self
            .sections
            .iter()
            .filter(move |section| section.span.start() > span.start() && section.span.start() < span.end());
        at_start.into_iter().chain(begin_within)
    }

    /// Indices of the sections that the section at `index` lies in, from its parent to the outermost.
    #[must_use]
    pub fn ancestors(&self, index: usize) -> Vec<usize> {
        let mut ancestors = Vec::new();
        let mut at = index;
        while let Some(parent) = self
            .sections
            .get(at)
            .and_then(|section| section.parent)
            .filter(|parent| *parent < at)
        {
            ancestors.push(parent);
            at = parent;
        }
        ancestors
    }

    /// The section of that name: equal; or else the only one that is equal but for ordinal signs, case and language; or
    /// else the only one that is equal without the words before numbers (`Clause 7` for `7`).
    #[must_use]
    pub fn find(&self, locator: &Locator) -> Option<&Section> {
        let only = |same: &dyn Fn(&Locator) -> bool| {
            let mut found = self.sections.iter().filter(|section| same(&section.locator));
            found.next().filter(|_| found.next().is_none())
        };
        let bare = locator.without_keywords();
        self.sections
            .iter()
            .find(|section| section.locator == *locator)
            .or_else(|| only(&|known| known.same_place(locator)))
            .or_else(|| only(&|known| known.without_keywords().same_place(&bare)))
    }

    /// The table and the cell that own the code point at `offset`.
    #[must_use]
    pub fn cell_at(&self, offset: CharOffset) -> Option<(&Table, &Cell)> {
        self.tables
            .iter()
            .find_map(|table| Some((table, table.cell_at(offset)?)))
    }

    /// Whether a locator names the cell at `offset`, its row, its column or its table; with or without the section.
    #[must_use]
    pub fn names_cell(&self, locator: &Locator, offset: CharOffset) -> bool {
        self.cell_at(offset).is_some_and(|(_, cell)| {
            locator.encloses(&cell.locator) && locator.is_in_table() || locator.encloses(&cell.locator.in_table())
        })
    }

    /// The clause around a quote: of the deepest section at its start, the part of the own text that holds the start.
    #[must_use]
    pub fn clause_at(&self, span: CharSpan) -> Option<CharSpan> {
        let section = self.locator_at(span.start())?;
        section
            .own
            .iter()
            .copied()
            .find(|own| own.contains(span.start()))
            .or(Some(section.span))
    }
}

/// Reads the sections of a layer. Total: any text has a structure, if only an empty one. Near linear in the text.
#[must_use]
pub fn parse_sections(input: &ParseInput<'_>) -> Structure {
    parse_marked(input, &Marks::default())
}

/// The same for a source that marks its own headings: every one of them is a section.
#[must_use]
pub fn parse_marked(input: &ParseInput<'_>, marks: &Marks<'_>) -> Structure {
    let (layout, marked) = lay_out(input, marks);
    let mut located = if marked.is_empty() {
        locate(&layout, input.outline)
    } else {
        marked
    };
    if located.is_empty() {
        located = tagged_headings(&layout);
    }
    // Marks name the headings of a text, and its clauses have none: only an outline is a list of all.
    let mut headings = candidates(&layout, &located, marks.headings.is_empty());
    let mut accepted = schemes::select(&headings);
    if doubt_strangers(&mut headings, accepted.iter().map(|accepted| &accepted.heading)) {
        accepted = schemes::select(&headings);
    }
    let mut titled = named_by_outline(&located, &accepted);
    if located.len() < FEW {
        titled.extend(set_like_headings(&layout, &accepted));
    }
    let mut structure = Structure {
        parser: PARSER.to_owned(),
        sections: assemble(&layout, accepted, titled),
        tables: Vec::new(),
    };
    structure.tables = tables::find(input, &|offset| Some(structure.locator_at(offset)?.locator.clone()));
    structure
}

/// The lines of a layer, those that are no text marked, and the headings that the source marks itself.
fn lay_out<'a>(input: &ParseInput<'a>, marks: &Marks<'_>) -> (Layout<'a>, Vec<Located>) {
    let mut layout = cut(input);
    furniture::mark(&mut layout, input);
    measure_body(&mut layout);
    contents::mark(&mut layout);
    measure_body(&mut layout);
    let marked = marks::apply(&mut layout, marks);
    (layout, marked)
}

/// The lines of a layer that are no text of its sections, though they may stand in their spans. Each list in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Running heads, running feet, page numbers.
    pub furniture: Vec<CharSpan>,
    /// Tables of contents.
    pub contents: Vec<CharSpan>,
}

/// What [`parse_marked`] leaves out of the sections' hashes.
#[must_use]
pub fn left_out(input: &ParseInput<'_>, marks: &Marks<'_>) -> LeftOut {
    let (layout, _) = lay_out(input, marks);
    let spans = |wanted: fn(&Line) -> bool| {
        let lines = layout.lines.iter().filter(|line| wanted(line));
        lines.map(|line| CharSpan::of_indices(line.start, line.end)).collect()
    };
    LeftOut {
        furniture: spans(|line| line.furniture),
        contents: spans(|line| line.contents && !line.furniture),
    }
}

/// An outline or tags of so few entries name a cover or a form, not the sections.
const FEW: usize = 3;

/// All lines that a label opens, weighed. `complete` says that what is located are all headings of their depths.
fn candidates(layout: &Layout<'_>, located: &[Located], complete: bool) -> Vec<Heading> {
    let by_line: BTreeMap<usize, &Located> = located.iter().map(|entry| (entry.line, entry)).collect();
    let mut headings = Vec::new();
    let mut deepest: BTreeMap<Scheme, usize> = BTreeMap::new();
    let mut named = 0;
    for line in 0..layout.lines.len() {
        if !layout.lines.get(line).is_some_and(Line::is_text) {
            continue;
        }
        let text = layout.text(line);
        let marks = marks(text);
        let Some(label) = label::read(text.get(marks..).unwrap_or_default()) else {
            continue;
        };
        let label = label::Label {
            length: label.length + marks,
            ..label
        };
        let entry = by_line.get(&line);
        let mut weight = weigh(layout, line, &label);
        let mut until = heading_end(layout, line);
        if let Some(entry) = entry {
            weight = weight.max(0) + NAMED_BY_OUTLINE;
            until = entry.until;
            named += 1;
            let depth = deepest.entry(label.scheme).or_default();
            *depth = (*depth).max(label.sequence.len());
        } else if text.len() <= label.length && title_follows(layout, line, &label.scheme) {
            until = heading_end(layout, line + 1);
            weight += 2;
        }
        let sentence = entry.is_none() && is_sentence(layout, line);
        let stands_out = layout
            .stands_out(line, label.length.saturating_sub(2))
            .map(|stands_out| stands_out || is_capitals(text));
        headings.push(Heading {
            line,
            until,
            label,
            weight,
            sentence,
            left: layout.lines.get(line).and_then(|line| line.frame).map(|frame| frame.x0),
            stands_out,
            outline: entry.map(|entry| (entry.title.clone(), entry.level)),
        });
    }
    doubt_rows(layout, &mut headings);
    if named >= FEW && complete {
        // Where the outline names the numbers of a depth, the others of that depth are doubtful.
        for heading in headings.iter_mut().filter(|heading| heading.outline.is_none()) {
            if deepest
                .get(&heading.label.scheme)
                .is_some_and(|depth| heading.label.sequence.len() <= *depth)
            {
                heading.weight -= 4;
            }
        }
    }
    headings
}

/// Characters of the marks that a plain text puts before a heading: `## `, `**`.
fn marks(text: &[char]) -> usize {
    let signs = text.iter().take_while(|sign| matches!(sign, '#' | '*')).count();
    let spaces = text
        .iter()
        .skip(signs)
        .take_while(|space| space.is_whitespace())
        .count();
    if signs == 0 { 0 } else { signs + spaces }
}

/// The headings that the PDF's tags name, as an outline would: what a file without one knows of itself. Nothing where so
/// much is tagged as a heading that the tags mean something else.
fn tagged_headings(layout: &Layout<'_>) -> Vec<Located> {
    const LONGEST: usize = 6;
    let mut found: Vec<(Located, u32)> = Vec::new();
    for (index, line) in layout.lines.iter().enumerate().filter(|(_, line)| line.is_text()) {
        let Some((Tag::Heading(level), element)) = line.tag else {
            continue;
        };
        let text: String = layout.text(index).iter().collect();
        match found.last_mut() {
            Some((open, same)) if open.until == index && *same == element && index - open.line < LONGEST => {
                open.until = index + 1;
                open.title = super::reading::collapse(&format!("{} {text}", open.title));
            }
            _ => found.push((
                Located {
                    line: index,
                    until: index + 1,
                    title: super::reading::collapse(&text),
                    level: u32::from(level).clamp(1, 12),
                },
                element,
            )),
        }
    }
    let lines: usize = found.iter().map(|(heading, _)| heading.until - heading.line).sum();
    let all = layout.lines.iter().filter(|line| line.is_text()).count();
    if lines * 5 > all * 2 && found.len() > 4 {
        return Vec::new();
    }
    found.into_iter().map(|(heading, _)| heading).collect()
}

/// Whether the title of a label that stands alone is the next line.
fn title_follows(layout: &Layout<'_>, line: usize, scheme: &Scheme) -> bool {
    let Some((own, next)) = layout.lines.get(line).zip(layout.lines.get(line + 1)) else {
        return false;
    };
    let text = layout.text(line + 1);
    let starts = text.first().is_some_and(|first| first.is_uppercase())
        && label::read(text).is_none()
        && label::read_item(text).is_none();
    let ends = !matches!(text.last(), Some('.' | ',' | ';' | ':'));
    let alike = next.is_text() && next.page == own.page && (next.height - own.height).abs() < 0.6 && text.len() < 120;
    starts
        && alike
        && (is_capitals(text)
            || ends && matches!(scheme, Scheme::Decimal | Scheme::Lettered(_))
            || ends && layout.fill(line + 1) < 0.7 && (layout.right > 0.0 || layout.line_length > 0.0))
}

/// Entries of the outline whose line has no accepted number.
fn named_by_outline(located: &[Located], accepted: &[schemes::Accepted]) -> Vec<Titled> {
    let numbered: std::collections::BTreeSet<usize> = accepted.iter().map(|accepted| accepted.heading.line).collect();
    let entry = |entry: &Located| Titled {
        line: entry.line,
        until: entry.until,
        title: entry.title.clone(),
        outline_level: Some(entry.level),
        top: false,
    };
    located
        .iter()
        .filter(|entry| !numbered.contains(&entry.line))
        .map(entry)
        .collect()
}

/// Titles of what stands after the last numbered section and belongs to none.
const BACK_MATTER: [&str; 16] = [
    "references",
    "bibliography",
    "acknowledgements",
    "acknowledgments",
    "glossary",
    "index",
    "abbreviations",
    "literature",
    "referencias",
    "bibliografía",
    "bibliografia",
    "glosario",
    "agradecimientos",
    "siglas",
    "abreviaturas",
    "anexos",
];

/// How a heading is set: its height in tenths of a point, bold, slanted.
type Setting = (i64, bool, bool);

fn setting(line: &Line) -> Setting {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a height of type in tenths; casts of floats saturate"
    )]
    let tenths = (line.height * 10.0).round() as i64;
    line.face
        .map_or((tenths, false, false), |face| (tenths, face.bold, face.italic))
}

/// Lines without a label that are set as the numbered headings are, in a type that the text is not set in; in a document
/// without numbered headings, lines in any such type that comes back.
fn set_like_headings(layout: &Layout<'_>, accepted: &[schemes::Accepted]) -> Vec<Titled> {
    const LEAST: usize = 3;
    let mut settings: BTreeMap<Setting, usize> = BTreeMap::new();
    let mut taken = vec![false; layout.lines.len()];
    for accepted in accepted {
        let heading = &accepted.heading;
        for slot in taken.iter_mut().take(heading.until).skip(heading.line) {
            *slot = true;
        }
        if heading.label.scheme.rank().is_none()
            && let Some(line) = layout
                .lines
                .get(heading.line)
                .filter(|_| distinct(layout, heading.line))
        {
            *settings.entry(setting(line)).or_default() += 1;
        }
    }
    settings.retain(|_, count| *count >= LEAST);
    let numbered = accepted
        .iter()
        .filter(|accepted| accepted.heading.label.scheme.rank().is_none())
        .count();
    let first = accepted.first().map_or(0, |accepted| accepted.heading.line);
    let unnumbered = numbered < LEAST;
    let found = (if unnumbered { 0 } else { first }..layout.lines.len())
        .filter(|line| {
            layout.lines.get(*line).is_some_and(|entry| {
                entry.is_text()
                    && (settings.contains_key(&setting(entry))
                        || unnumbered && layout.stands_out(*line, entry.end - entry.start) == Some(true))
            })
        })
        .filter(|line| !taken.get(*line).copied().unwrap_or(true) && is_title(layout, *line));
    let titled = |line: usize| {
        let text = layout.text(line);
        let margin = label::read(text).filter(label::Label::is_marginal);
        let text = text.get(margin.map_or(0, |label| label.length)..).unwrap_or_default();
        let sign = text
            .iter()
            .take_while(|sign| !sign.is_alphanumeric() && !matches!(sign, '"' | '“' | '«' | '(' | '¿'));
        let title = super::reading::collapse(&text.iter().skip(sign.count()).collect::<String>());
        let top = BACK_MATTER.contains(&title.to_lowercase().as_str());
        Titled {
            line,
            until: line + 1,
            title,
            outline_level: None,
            top,
        }
    };
    let found: Vec<usize> = found.collect();
    if unnumbered {
        // One line in a type of its own is a title page, a note; three are a habit.
        let mut habits: BTreeMap<Setting, usize> = BTreeMap::new();
        for line in found.iter().filter_map(|line| layout.lines.get(*line)) {
            *habits.entry(setting(line)).or_default() += 1;
        }
        let habit = |line: &Line| habits.get(&setting(line)).is_some_and(|count| *count >= LEAST);
        return found
            .into_iter()
            .filter(|line| layout.lines.get(*line).is_some_and(habit))
            .map(titled)
            .collect();
    }
    found.into_iter().map(titled).collect()
}

/// Whether a line is set in a type that the text is not set in.
fn distinct(layout: &Layout<'_>, line: usize) -> bool {
    let height = layout.lines.get(line).map_or(0.0, |line| line.height);
    layout
        .stands_out(line, 1)
        .unwrap_or(layout.body_height > 0.0 && (height / layout.body_height - 1.0).abs() > 0.015)
}

/// Whether a line without a label reads and stands like a title: short, capitalised, unfinished, at the left edge, apart
/// from what is above it, with the text's own type below it.
fn is_title(layout: &Layout<'_>, line: usize) -> bool {
    let Some(entry) = layout.lines.get(line) else {
        return false;
    };
    let text = layout.text(line);
    // A publisher's sign may stand before a title.
    let first = text.iter().find(|first| first.is_alphanumeric());
    let plain = first.is_some_and(|first| first.is_uppercase())
        && text.first() != Some(&'(')
        && entry.gap.is_none()
        && !matches!(text.last(), Some('.' | ',' | ';' | ':'))
        && (3..100).contains(&text.len())
        && text.iter().filter(|character| character.is_alphabetic()).count() > 2;
    // At the text's edge or hanging out of it, or the lines of a page that begins there.
    let left = entry
        .frame
        .is_some_and(|frame| (-72.0..=4.0).contains(&(frame.x0 - layout.column(line).0)))
        && layout.fill(line) < 0.8;
    let apart = layout
        .neighbour(line, false)
        .and_then(|above| layout.drop(above, line))
        .is_none_or(|drop| drop > layout.pitch * 1.15);
    let text_follows = layout
        .lines
        .get(line + 1)
        .is_some_and(|next| setting(next) != setting(entry) || next.page != entry.page);
    let tagged = matches!(entry.tag, Some((Tag::Table | Tag::Note | Tag::ListItem, _)));
    plain && left && apart && text_follows && !tagged && label::read_item(text).is_none()
}
