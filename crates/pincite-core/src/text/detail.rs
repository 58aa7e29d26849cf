//! What a page says of its code points beside what they are and where they stand: how they were drawn, how the PDF tags
//! them, the rulings around them, what stands in its form fields and annotations.
//!
//! It belongs to an extraction (bytes and extractor), never to the layer: two files may read alike and be drawn
//! differently. Offsets here count from the start of the page's own part of the layer, so that a page can be read by
//! itself; [`Run::in_layer`] moves them.
//!
//! Deliberately not here: what any of it means. Sections, tables and the matcher read it; nothing here decides.

use super::boxes::Rect;
use super::offset::Run;
use serde::{Deserialize, Serialize};

/// How a run of code points is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct StyleRun {
    /// Which code points.
    pub run: Run,
    /// Height of the font as displayed, in points (font size under the run's matrix).
    pub size: f32,
    /// 100 to 900; 0 where the file does not say. 400 is regular, 700 bold.
    pub weight: u16,
    /// Whether the font is slanted.
    pub italic: bool,
    /// Index into [`PageDetail::fonts`].
    pub font: u16,
}

/// What a tagged PDF says a run is, as far as structure reading cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tag {
    /// `H` (level 0) or `H1` to `H6`, and beyond.
    Heading(u8),
    /// `P` and what is inside one.
    Paragraph,
    /// `L`, `LI`, `Lbl`, `LBody`.
    ListItem,
    /// `Table` and everything inside one.
    Table,
    /// `TOC`, `TOCI`.
    Contents,
    /// `Note`, `FENote`.
    Note,
    /// Marked as an artifact: running heads, page numbers, watermarks.
    Artifact,
    /// Anything else.
    Other,
}

/// A run with its tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagRun {
    /// Which code points.
    pub run: Run,
    /// What they are said to be.
    pub tag: Tag,
    /// Which element of the page they belong to: neighbours with one number are one element.
    pub element: u32,
}

/// A value in a form field, shown on the page and no part of its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FormField {
    /// The field's full name.
    pub name: String,
    /// Its value as text; a box is "Yes" or "Off" as the file has it.
    pub value: String,
    /// Where it stands.
    pub rect: Rect,
}

/// An annotation with words.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Annotation {
    /// `Text`, `FreeText`, `Highlight`, ...: the subtype.
    pub kind: String,
    /// What it says.
    pub text: String,
    /// Where it stands.
    pub rect: Rect,
}

/// Everything a page says beside its text and boxes. All runs are sorted by start and do not overlap within one list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PageDetail {
    /// How the page is turned for display (/Rotate): 0, 90, 180 or 270 degrees clockwise.
    pub rotation: u16,
    /// Names of the fonts used, without the subset prefix.
    pub fonts: Vec<String>,
    /// Indices into `fonts` of those whose program is not in the file: what is drawn and measured is a stand-in.
    pub substituted: Vec<u16>,
    /// Code points that share one glyph and so one box: the letters of a ligature.
    pub shared: Vec<Run>,
    /// How the code points are drawn; unboxed ones may belong to no run.
    pub styles: Vec<StyleRun>,
    /// Code points drawn a second time over the same ones: kept in the layer, skipped by the matcher only.
    pub doubled: Vec<Run>,
    /// Code points that are not painted (text render mode 3): the text under a scan.
    pub invisible: Vec<Run>,
    /// Code points whose font has no map to Unicode, or a broken one.
    pub unmapped: Vec<Run>,
    /// What a tagged PDF says of them.
    pub tags: Vec<TagRun>,
    /// Horizontal and vertical strokes and thin fills, in the displayed frame, each as the rectangle it paints.
    pub rulings: Vec<Rect>,
    /// The order in which a person reads the page, as runs, where it differs from the extractor's; else empty. Holds each
    /// code point of the page exactly once.
    pub order: Vec<Run>,
    /// Form fields with a value.
    pub fields: Vec<FormField>,
    /// Annotations with words.
    pub annotations: Vec<Annotation>,
}
