//! A table while it is being found: on one page, cells as groups of words.
//!
//! Deliberately not here: locators, spans, what stands on other pages.

use crate::text::Rect;

/// A cell of a draft; rows and columns count from 0.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DraftCell {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) row_span: usize,
    pub(super) column_span: usize,
    /// Indices into the paper's words; may be empty.
    pub(super) words: Vec<usize>,
}

/// A table on one page.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) page: u32,
    pub(super) area: Rect,
    pub(super) rows: usize,
    pub(super) columns: usize,
    /// Rows at the top that name columns.
    pub(super) header_rows: usize,
    /// Sorted by row, then column; together they cover the grid.
    pub(super) cells: Vec<DraftCell>,
    /// Where columns begin and end, from left to right.
    pub(super) edges: Vec<(f32, f32)>,
    /// Whether rulings drew the grid.
    pub(super) ruled: bool,
    /// Whether the drawn grid has no line above its first row, and none under its last: a page break cuts that row.
    pub(super) open: (bool, bool),
}

impl Draft {
    /// Adds empty cells where the grid has none, and sorts.
    pub(super) fn complete(&mut self) {
        let mut taken = vec![false; self.rows * self.columns];
        for cell in &self.cells {
            for row in cell.row..cell.row + cell.row_span {
                for column in cell.column..cell.column + cell.column_span {
                    if let Some(slot) = taken.get_mut(row * self.columns + column) {
                        *slot = true;
                    }
                }
            }
        }
        for (at, taken) in taken.into_iter().enumerate() {
            if !taken {
                self.cells.push(DraftCell {
                    row: at / self.columns,
                    column: at % self.columns,
                    row_span: 1,
                    column_span: 1,
                    words: Vec::new(),
                });
            }
        }
        self.cells.sort_by_key(|cell| (cell.row, cell.column));
    }

    /// Takes out columns, and rows but those `kept`, in which nothing stands but what reaches over them.
    pub(super) fn shrink(&mut self, kept: &[usize]) {
        let used = |count: usize, kept: &[usize], of: &dyn Fn(&DraftCell) -> (usize, usize)| -> Vec<usize> {
            let mut used: Vec<bool> = (0..count).map(|at| kept.contains(&at)).collect();
            for cell in self.cells.iter().filter(|cell| !cell.words.is_empty()) {
                // What reaches over several lines of the grid makes none of them needed but the first.
                if let Some(slot) = used.get_mut(of(cell).0) {
                    *slot = true;
                }
            }
            let mut kept = 0;
            used.iter()
                .map(|used| {
                    let at = kept;
                    kept += usize::from(*used);
                    if *used { at } else { usize::MAX }
                })
                .collect()
        };
        let rows = used(self.rows, kept, &|cell| (cell.row, cell.row_span));
        let columns = used(self.columns, &[], &|cell| (cell.column, cell.column_span));
        let shrunk = |map: &[usize], from: usize, span: usize| -> Option<(usize, usize)> {
            let kept: Vec<usize> = map
                .iter()
                .skip(from)
                .take(span)
                .copied()
                .filter(|at| *at != usize::MAX)
                .collect();
            kept.first().map(|first| (*first, kept.len()))
        };
        self.cells = self
            .cells
            .iter()
            .filter_map(|cell| {
                let (row, row_span) = shrunk(&rows, cell.row, cell.row_span)?;
                let (column, column_span) = shrunk(&columns, cell.column, cell.column_span)?;
                Some(DraftCell {
                    row,
                    column,
                    row_span,
                    column_span,
                    words: cell.words.clone(),
                })
            })
            .collect();
        let mut edges = Vec::new();
        for (at, edge) in self.edges.iter().enumerate() {
            if columns.get(at).is_some_and(|kept| *kept != usize::MAX) {
                edges.push(*edge);
            }
        }
        self.edges = edges;
        self.header_rows = rows
            .iter()
            .take(self.header_rows)
            .filter(|at| **at != usize::MAX)
            .count();
        self.rows = rows.iter().filter(|at| **at != usize::MAX).count();
        self.columns = columns.iter().filter(|at| **at != usize::MAX).count();
    }
}
