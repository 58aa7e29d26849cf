//! Tables: found on the pages, cut into cells with spans and locators, joined over page breaks, and checked row by row.
//!
//! | step | file |
//! |---|---|
//! | words and rulings of a page, turned upright | `paper`, `rules` |
//! | lines, and segments with wide gaps between | `lines` |
//! | grids that rulings draw | `lattice`, `ruled` |
//! | columns from gaps, headers, rows from lines | `columns`, `header`, `rows`, `stream` |
//! | where tables are | `regions` |
//! | tables that go on over a page | `continued` |
//! | labels, locators, spans | `cells` |
//! | rows counted a second time, from the text alone | `super::row_check` |
//!
//! A table is numbered as its caption says (`Table 3`), else in the document's order; `find` never gives two tables one
//! label. A cell owns as many spans as it takes to leave out what belongs to its neighbours.
//!
//! Deliberately not here: what a table means, and repairing one. A table whose rows can't be vouched for is **held**,
//! with both counts and the reason.

mod cells;
mod columns;
mod continued;
mod draft;
mod header;
mod lattice;
mod lines;
pub(super) mod paper;
mod regions;
mod rows;
mod ruled;
mod rules;
mod stream;

#[cfg(test)]
mod generated;
#[cfg(test)]
mod generated_tests;

use super::row_check;
use super::{Locator, ParseInput};
use crate::text::{CharOffset, CharSpan};
use draft::Draft;
use paper::Paper;
use serde::{Deserialize, Serialize};

/// One cell, merged ones once. Rows and columns count from 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// The row it begins in.
    pub row: u32,
    /// The column it begins in.
    pub column: u32,
    /// How many rows it takes; at least 1.
    pub row_span: u32,
    /// How many columns it takes; at least 1.
    pub column_span: u32,
    /// Whether it names rows or columns and is no data: in the header rows.
    pub header: bool,
    /// Its code points in the layer's order, without what belongs to other cells; none for an empty cell.
    pub spans: Vec<CharSpan>,
    /// `2.3 > table 3, row "30 to 40 kg", column "dose"`.
    pub locator: Locator,
}

/// Rows counted twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowCounts {
    /// From the layout: rulings, gaps, alignment.
    pub layout: u32,
    /// From the text layer alone.
    pub text: u32,
}

/// A table of a document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// As the caption has it (`3`, `A4-12`), else its number among the tables of the document. One a document.
    pub label: String,
    /// `2.3 > table 3`.
    pub locator: Locator,
    /// The pages it stands on, from 1, in order; never empty.
    pub pages: Vec<u32>,
    /// How many rows, headers included, a header that repeats on a later page counted once.
    pub rows: u32,
    /// How many columns.
    pub columns: u32,
    /// How many rows at the top name columns.
    pub header_rows: u32,
    /// Whether rulings drew its cells; else gaps and alignment did.
    pub ruled: bool,
    /// The header where it stands again on later pages: in no cell.
    pub repeated: Vec<CharSpan>,
    /// Sorted by row, then column. Together they cover the grid, no place twice.
    pub cells: Vec<Cell>,
    /// Rows as both methods count them.
    pub row_counts: RowCounts,
    /// Why the table must not be relied on until a person has looked at it; `None` where both counts agree and nothing
    /// else is wrong.
    pub held: Option<String>,
}

impl Table {
    /// The cell that owns the code point at `offset`.
    #[must_use]
    pub fn cell_at(&self, offset: CharOffset) -> Option<&Cell> {
        self.cells
            .iter()
            .find(|cell| cell.spans.iter().any(|span| span.contains(offset)))
    }

    /// From the first code point of any cell to the last.
    #[must_use]
    pub fn reach(&self) -> Option<CharSpan> {
        let spans = || self.cells.iter().flat_map(|cell| &cell.spans);
        CharSpan::new(
            spans().map(|span| span.start()).min()?,
            spans().map(|span| span.end()).max()?,
        )
    }
}

/// A draft with the paper that its words are on.
struct Placed<'a> {
    paper: &'a Paper,
    draft: Draft,
}

/// The tables of a document, in its order. `section_at` names the section of an offset. Total; near linear.
#[must_use]
pub fn find(input: &ParseInput<'_>, section_at: &dyn Fn(CharOffset) -> Option<Locator>) -> Vec<Table> {
    let characters = input.layer.characters();
    let pages = u32::try_from(input.layer.page_count()).unwrap_or(u32::MAX);
    let papers: Vec<Paper> = (1..=pages).filter_map(|page| paper::read(input, page)).collect();
    let mut placed: Vec<Placed<'_>> = Vec::new();
    for paper in &papers {
        let mut drafts = regions::drafts(stream::Source { paper, characters });
        drafts.sort_by(|one, other| {
            one.area
                .y0
                .total_cmp(&other.area.y0)
                .then(one.area.x0.total_cmp(&other.area.x0))
        });
        placed.extend(drafts.into_iter().map(|draft| Placed { paper, draft }));
    }
    let joined = continued::join(placed, characters);
    let mut tables = cells::publish(input, &joined, section_at);
    // What any table holds, for each to know what is free.
    let mut held: Vec<CharSpan> = tables
        .iter()
        .flat_map(|table| table.cells.iter().flat_map(|cell| &cell.spans).chain(&table.repeated))
        .copied()
        .collect();
    held.sort_by_key(|span| span.start());
    for (table, parts) in tables.iter_mut().zip(&joined) {
        let papers: Vec<&Paper> = parts.parts.iter().map(|part| part.paper).collect();
        row_check::check_on(input, table, &papers, &held);
    }
    tables
}
