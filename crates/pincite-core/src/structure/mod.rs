//! Structure: which section of a document a place belongs to, in the document's own labels.
//!
//! A **structure** is what one version of the parser found in one text layer. A citation names it, so a better parser
//! never turns stored citations red. It is read from the layer and the boxes of its code points, and from the PDF's
//! outline where there is one.
//!
//! The way from a layer to sections, one file a step:
//!
//! | step | file |
//! |---|---|
//! | lines with their geometry, how they are drawn and tagged | `lines`, `drawn` |
//! | running heads, running feet, page numbers, tables of contents: never sections | `furniture`, `contents` |
//! | what a line's own label says | `label` |
//! | how much a line looks like a heading | `headings`, `references` |
//! | where the outline's entries stand in the layer | `outline` |
//! | headings that a source marks itself | `marks` |
//! | which headings make one consistent numbering | `chain`, `schemes` |
//! | where a heading's title ends on its line | `titles` |
//! | clause items `a)`, `(a)`, `(iii)` | `items` |
//! | spans, hashes, keys | `sections`, `assemble`, `keys` |
//! | tables, and their rows counted twice | `tables`, `row_check` |
//!
//! Deliberately not here: matching sections across revisions (the registry's work), reading a PDF.

mod assemble;
mod chain;
mod contents;
mod drawn;
mod furniture;
mod headings;
mod items;
mod keys;
mod label;
mod lines;
pub mod locator;
pub mod marks;
mod outline;
mod reading;
mod references;
pub mod row_check;
mod row_doubts;
mod row_lines;
mod schemes;
pub mod sections;
pub mod tables;
mod titles;

pub use locator::{Locator, LocatorError};
pub use marks::{KnownHeading, Marks};
pub use sections::{
    LeftOut, OutlineEntry, PARSER, ParseInput, Section, Structure, left_out, parse_marked, parse_sections,
};
pub use tables::{Cell, RowCounts, Table};

#[cfg(test)]
mod evidence_tests;
#[cfg(test)]
mod exclusion_tests;
#[cfg(test)]
mod kinds_tests;
#[cfg(test)]
mod locator_tests;
#[cfg(test)]
mod sections_tests;
#[cfg(test)]
mod sheets;
#[cfg(test)]
mod soundness_tests;
