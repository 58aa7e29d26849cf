//! Locators: how a document's own labels are written down, read and compared. The one canonical grammar.
//!
//! ```text
//! locator   = segment { " > " segment }
//! segment   = number | table | title
//! number    = [ keyword ] head { step } | "(" letters or digits ")" { step }
//! keyword   = "§ " | ( "Article" | "Artículo" | "Clause" | "Cláusula" | "Section" | "Sección" | "Chapter"
//!             | "Capítulo" | "Title" | "Título" | "Part" | "Parte" | "Annex" | "Anexo" | "Appendix" | "Apéndice"
//!             | "Schedule" | "Exhibit" | "Attachment" | "Annexe" | "Appendice" | "Chapitre" | "Titre" | "Partie"
//!             | "Artikel" | "Abschnitt" | "Kapitel" | "Titel" | "Teil" | "Klausel" | "Anhang" | "Anlage" ) " "
//! head      = digits [ "°" | lower-case letter ] [ " " ( "bis" | "ter" | "quater" | ... ) ]
//!           | roman or letter (after a keyword) | roman or letter in capitals (without one)
//! step      = "." digits | "." lower-case letters | "." upper-case letter | "(" letters or digits ")"
//! table     = "table " label [ ', row "' text '"' ] [ ', column "' text '"' ]
//! title     = text | '"' text with \" and \\ '"'
//! ```
//!
//! `2.1`, `2.1(a)(iii)`, `12.1.a`, `§ 21.32`, `Article 5`, `Cláusula 12`, `Artículo 17°`, `Annex II`, `Annex II > 1.1`
//! (a numbering that restarts is prefixed by its parent), `A.1` (in Appendix A), `4.2 > Storage of samples` (a heading
//! without a number), `2.3 > table 3, row "30 to 40 kg", column "dose"`.
//!
//! Reading is liberal, printing is canonical: `clause 12.1.a`, `12.1 a)`, `s. 2.1`, `Section 2`, `2.1.` are read; a
//! keyword before a dotted number is noise (`Clause 7` keeps its word, `clause 7.1` is `7.1`); ordinal words
//! (`Cláusula Primera`) become digits; a title is quoted only where it would be read as something else. Whatever is
//! no number and no table is a title, so that reading fails only on an empty text or segment.
//!
//! Deliberately not here: which sections a document has. [`Locator::encloses`] compares labels; the tree of a
//! [`super::Structure`] is the authority on what lies in what.

use super::reading::{collapse, read_number, read_segment, read_table, split_segments};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;

/// The word before a number. Languages are kept apart in print and together in comparison ([`Keyword::family`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Keyword {
    Paragraph,
    Article,
    Articulo,
    Clause,
    Clausula,
    Section,
    Seccion,
    Chapter,
    Capitulo,
    Title,
    Titulo,
    Part,
    Parte,
    Annex,
    Anexo,
    Appendix,
    Apendice,
    Schedule,
    Exhibit,
    Attachment,
    Annexe,
    Appendice,
    Chapitre,
    Titre,
    Partie,
    Artikel,
    Abschnitt,
    Kapitel,
    Titel,
    Teil,
    Klausel,
    Anhang,
    Anlage,
}

impl Keyword {
    const fn printed(self) -> &'static str {
        match self {
            Self::Paragraph => "§",
            Self::Article => "Article",
            Self::Articulo => "Artículo",
            Self::Clause => "Clause",
            Self::Clausula => "Cláusula",
            Self::Section => "Section",
            Self::Seccion => "Sección",
            Self::Chapter => "Chapter",
            Self::Capitulo => "Capítulo",
            Self::Title => "Title",
            Self::Titulo => "Título",
            Self::Part => "Part",
            Self::Parte => "Parte",
            Self::Annex => "Annex",
            Self::Anexo => "Anexo",
            Self::Appendix => "Appendix",
            Self::Apendice => "Apéndice",
            Self::Schedule => "Schedule",
            Self::Exhibit => "Exhibit",
            Self::Anlage => "Anlage",
            Self::Anhang => "Anhang",
            Self::Klausel => "Klausel",
            Self::Teil => "Teil",
            Self::Titel => "Titel",
            Self::Kapitel => "Kapitel",
            Self::Abschnitt => "Abschnitt",
            Self::Artikel => "Artikel",
            Self::Partie => "Partie",
            Self::Titre => "Titre",
            Self::Chapitre => "Chapitre",
            Self::Appendice => "Appendice",
            Self::Annexe => "Annexe",
            Self::Attachment => "Attachment",
        }
    }

    /// One keyword for all languages.
    pub(super) const fn family(self) -> Self {
        match self {
            Self::Articulo | Self::Artikel => Self::Article,
            Self::Clausula | Self::Klausel => Self::Clause,
            Self::Seccion | Self::Abschnitt => Self::Section,
            Self::Capitulo | Self::Chapitre | Self::Kapitel => Self::Chapter,
            Self::Titulo | Self::Titre | Self::Titel => Self::Title,
            Self::Parte | Self::Partie | Self::Teil => Self::Part,
            Self::Anexo | Self::Annexe | Self::Anhang | Self::Anlage => Self::Annex,
            Self::Apendice | Self::Appendice => Self::Appendix,
            other => other,
        }
    }

    /// 0 for what restarts every numbering (annexes), then from the widest division to the narrowest.
    pub(super) const fn rank(self) -> u8 {
        match self.family() {
            Keyword::Annex | Keyword::Appendix | Keyword::Schedule | Keyword::Exhibit | Keyword::Attachment => 0,
            Keyword::Part => 1,
            Keyword::Title => 2,
            Keyword::Chapter => 3,
            Keyword::Section => 4,
            _ => 5,
        }
    }

    /// Whether it opens a numbering of its own: annexes, appendices, schedules, exhibits.
    pub(super) const fn is_annex(self) -> bool {
        self.rank() == 0
    }
}

/// How a step of a number is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum StepStyle {
    /// The first one, but for an item below a title.
    Head,
    /// `.a`, `.1`
    Dot,
    /// `(a)`
    Parenthesis,
}

/// One step of a number: `2`, `.1`, `(a)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Step {
    pub(super) style: StepStyle,
    /// Digits, letters; `°` may follow digits.
    pub(super) value: String,
}

impl Step {
    pub(super) fn new(style: StepStyle, value: impl Into<String>) -> Self {
        Self {
            style,
            value: value.into(),
        }
    }

    /// The value without its ordinal sign and without regard to case.
    fn bare(&self) -> String {
        self.value.trim_end_matches('°').to_lowercase()
    }

    pub(super) fn digits(&self) -> Option<u64> {
        let end = self.value.find(|character: char| !character.is_ascii_digit());
        self.value.get(..end.unwrap_or(self.value.len()))?.parse().ok()
    }
}

impl PartialOrd for Step {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Digits by value and before letters; letters by code point; equal values by how they are written.
impl Ord for Step {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_value = match (self.digits(), other.digits()) {
            (Some(mine), Some(theirs)) => mine.cmp(&theirs),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => Ordering::Equal,
        };
        by_value
            .then_with(|| self.value.cmp(&other.value))
            .then_with(|| self.style.cmp(&other.style))
    }
}

/// A number: an optional word, a head and steps.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Number {
    pub(super) steps: Vec<Step>,
    pub(super) keyword: Option<Keyword>,
}

/// One level of a locator.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Segment {
    Number(Number),
    Title(String),
    Table {
        label: String,
        row: Option<String>,
        column: Option<String>,
    },
}

/// Where in a document, in the document's own labels. Printed canonically; never empty.
///
/// Its order is a stable one for lists (numbers by value, before titles, before tables); the order of a document is
/// that of its [`super::Structure`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Locator {
    segments: Vec<Segment>,
}

/// Why a text is no locator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LocatorError {
    /// Nothing but white space, or nothing on one side of a ` > `.
    #[error("a locator, and each part between \" > \", needs some text")]
    Empty,
}

impl Locator {
    /// Reads a locator, liberally.
    ///
    /// # Errors
    /// [`LocatorError::Empty`] where the text or one of its segments is blank.
    pub fn parse(text: &str) -> Result<Self, LocatorError> {
        let mut segments = Vec::new();
        for part in split_segments(text) {
            read_segment(part, &mut segments)?;
        }
        if segments.is_empty() {
            Err(LocatorError::Empty)
        } else {
            Ok(Self { segments })
        }
    }

    /// A heading without a number, at the top. `None` for a blank title.
    #[must_use]
    pub fn of_title(title: &str) -> Option<Self> {
        let title = collapse(title);
        (!title.is_empty()).then(|| Self {
            segments: vec![Segment::Title(title)],
        })
    }

    /// A heading without a number below this place. A blank title adds nothing.
    #[must_use]
    pub fn with_title(&self, title: &str) -> Self {
        let mut segments = self.segments.clone();
        segments.extend(Self::of_title(title).into_iter().flat_map(|locator| locator.segments));
        Self { segments }
    }

    /// A table's cell below this place; `row` and `column` are what the row's and the column's header say.
    #[must_use]
    pub fn with_cell(&self, table: &str, row: Option<&str>, column: Option<&str>) -> Self {
        let mut segments = self.segments.clone();
        segments.extend(Self::of_cell(table, row, column).segments);
        Self { segments }
    }

    /// A table's cell that lies in no section.
    #[must_use]
    pub fn of_cell(table: &str, row: Option<&str>, column: Option<&str>) -> Self {
        let label: String = table
            .chars()
            .filter(|character| character.is_alphanumeric() || matches!(character, '.' | '-'))
            .collect();
        let segment = if label.is_empty() {
            Segment::Title(collapse(&format!("table {table}")))
        } else {
            Segment::Table {
                label,
                row: row.map(collapse),
                column: column.map(collapse),
            }
        };
        Self {
            segments: vec![segment],
        }
    }

    /// Whether it names a table or a part of one.
    #[must_use]
    pub fn is_in_table(&self) -> bool {
        matches!(self.segments.last(), Some(Segment::Table { .. }))
    }

    /// The table's part alone, without the section that the table stands in.
    pub(super) fn in_table(&self) -> Self {
        let last = self.segments.last().filter(|_| self.is_in_table());
        Self {
            segments: last.map_or_else(|| self.segments.clone(), |last| vec![last.clone()]),
        }
    }

    pub(super) fn of_number(number: Number) -> Self {
        Self {
            segments: vec![Segment::Number(number)],
        }
    }

    /// Whether it names a place through the one that holds it.
    pub(super) const fn is_below_another(&self) -> bool {
        self.segments.len() > 1
    }

    pub(super) fn with_number(&self, number: Number) -> Self {
        let mut segments = self.segments.clone();
        segments.push(Segment::Number(number));
        Self { segments }
    }

    /// One step deeper in the same number (`2.1` → `2.1(a)`); below a title or a table, a segment of its own (`(a)`).
    pub(super) fn with_step(&self, step: Step) -> Self {
        let mut segments = self.segments.clone();
        if let Some(Segment::Number(number)) = segments.last_mut() {
            number.steps.push(step);
        } else {
            segments.push(Segment::Number(Number {
                keyword: None,
                steps: vec![Step::new(StepStyle::Parenthesis, step.value)],
            }));
        }
        Self { segments }
    }

    /// The place whose label this one's begins with: `2.1(a)` → `2.1`, `4.2 > Storage` → `4.2`; `None` at the top. A
    /// comparison of labels: the parent of `A.1` is `A`, though the document may call it `Appendix A`.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let mut segments = self.segments.clone();
        match segments.last_mut() {
            Some(Segment::Number(number)) if number.steps.len() > 1 => {
                number.steps.pop();
            }
            Some(Segment::Table { row, column, .. }) if column.is_some() || row.is_some() => {
                if column.take().is_none() {
                    *row = None;
                }
            }
            _ => {
                segments.pop();
            }
        }
        (!segments.is_empty()).then_some(Self { segments })
    }

    /// Whether `other` is this place or lies in it, going by the labels: `2.1` encloses `2.1`, `2.1.3`, `2.1(a)` and
    /// `2.1 > Storage`, not `2.10`. `Article 5` encloses `5.1`, `Appendix A` encloses `A.1`. Ordinal signs, the case of
    /// letters and the language of a keyword make no difference.
    #[must_use]
    pub fn encloses(&self, other: &Self) -> bool {
        let Some((last, before)) = self.segments.split_last() else {
            return false;
        };
        if other.segments.len() < self.segments.len() {
            return false;
        }
        let (theirs_before, theirs) = other.segments.split_at(before.len());
        before
            .iter()
            .zip(theirs_before)
            .all(|(mine, their)| same_segment(mine, their))
            && theirs.first().is_some_and(|their| segment_encloses(last, their))
    }

    /// Whether both name one place: equal but for ordinal signs, case and the language of keywords.
    #[must_use]
    pub fn same_place(&self, other: &Self) -> bool {
        self.segments.len() == other.segments.len()
            && self
                .segments
                .iter()
                .zip(&other.segments)
                .all(|(mine, their)| same_segment(mine, their))
    }

    /// The same place without the words before its numbers: `Clause 7` → `7`.
    #[must_use]
    pub fn without_keywords(&self) -> Self {
        let mut segments = self.segments.clone();
        for segment in &mut segments {
            if let Segment::Number(number) = segment {
                number.keyword = None;
            }
        }
        Self { segments }
    }
}

fn same_steps(mine: &[Step], theirs: &[Step]) -> bool {
    mine.iter().zip(theirs).all(|(one, other)| one.bare() == other.bare())
}

fn same_family(mine: Option<Keyword>, theirs: Option<Keyword>) -> bool {
    mine.map(Keyword::family) == theirs.map(Keyword::family)
}

fn same_segment(mine: &Segment, theirs: &Segment) -> bool {
    match (mine, theirs) {
        (Segment::Number(one), Segment::Number(other)) => {
            same_family(one.keyword, other.keyword)
                && one.steps.len() == other.steps.len()
                && same_steps(&one.steps, &other.steps)
        }
        (Segment::Title(one), Segment::Title(other)) => one.to_lowercase() == other.to_lowercase(),
        _ => mine == theirs,
    }
}

fn segment_encloses(mine: &Segment, theirs: &Segment) -> bool {
    match (mine, theirs) {
        (Segment::Number(one), Segment::Number(other)) => {
            let begins = one.steps.len() <= other.steps.len() && same_steps(&one.steps, &other.steps);
            let worded =
                one.keyword.is_some() && other.keyword.is_none() && one.steps.len() == 1 && other.steps.len() > 1;
            let worded = worded
                && !(one.keyword.is_some_and(Keyword::is_annex)
                    && one.steps.iter().any(|step| step.digits().is_some()));
            begins && (same_family(one.keyword, other.keyword) || worded)
        }
        (
            Segment::Table { label, row, column },
            Segment::Table {
                label: their_label,
                row: their_row,
                column: their_column,
            },
        ) => {
            let fits = |one: &Option<String>, other: &Option<String>| one.is_none() || one == other;
            label == their_label && fits(row, their_row) && fits(column, their_column)
        }
        _ => same_segment(mine, theirs),
    }
}

fn write_quoted(formatter: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    write!(formatter, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(keyword) = self.keyword {
            write!(formatter, "{} ", keyword.printed())?;
        }
        for step in &self.steps {
            match step.style {
                StepStyle::Head => write!(formatter, "{}", step.value)?,
                StepStyle::Dot => write!(formatter, ".{}", step.value)?,
                StepStyle::Parenthesis => write!(formatter, "({})", step.value)?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(formatter),
            Self::Title(title)
                if title.contains(['"', '>']) || read_table(title).is_some() || read_number(title).is_some() =>
            {
                write_quoted(formatter, title)
            }
            Self::Title(title) => formatter.write_str(title),
            Self::Table { label, row, column } => {
                write!(formatter, "table {label}")?;
                for (word, part) in [("row", row), ("column", column)] {
                    if let Some(part) = part {
                        write!(formatter, ", {word} ")?;
                        write_quoted(formatter, part)?;
                    }
                }
                Ok(())
            }
        }
    }
}

impl fmt::Display for Locator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, segment) in self.segments.iter().enumerate() {
            if index > 0 {
                formatter.write_str(" > ")?;
            }
            segment.fmt(formatter)?;
        }
        Ok(())
    }
}

impl std::str::FromStr for Locator {
    type Err = LocatorError;

    fn from_str(text: &str) -> Result<Self, LocatorError> {
        Self::parse(text)
    }
}

impl From<Locator> for String {
    fn from(locator: Locator) -> Self {
        locator.to_string()
    }
}

impl TryFrom<String> for Locator {
    type Error = LocatorError;

    fn try_from(text: String) -> Result<Self, LocatorError> {
        Self::parse(&text)
    }
}
