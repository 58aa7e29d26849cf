//! Tables that go on over a page: the header stands again, or the grid goes on with nothing but running heads between.
//!
//! Deliberately not here: two tables of one page. However alike, they stay two.

use super::Placed;
use super::draft::{Draft, DraftCell};
use super::paper::{Paper, Word};

/// How far (points) the edges of two columns may lie apart and be one column.
const SAME_EDGE: f32 = 4.0;
/// Running heads and feet take at most this share of a page, above and below.
const MARGIN: f32 = 0.16;
/// Words above a table that are read for whether it goes on.
const MOST_ABOVE: usize = 300;

/// A table with all its parts.
pub(super) struct Joined<'a> {
    pub(super) parts: Vec<Part<'a>>,
    pub(super) columns: usize,
    pub(super) header_rows: usize,
}

/// What stands on one page.
pub(super) struct Part<'a> {
    pub(super) paper: &'a Paper,
    pub(super) draft: Draft,
    /// Its rows at the top that repeat the header; they are no rows of the table.
    pub(super) repeats: usize,
    /// The table's row that its first own row is.
    pub(super) first_row: usize,
    /// Whether the page break cut a row, so that the first own row goes on with the last one before.
    pub(super) cut: bool,
}

impl Joined<'_> {
    pub(super) fn rows(&self) -> usize {
        self.parts
            .last()
            .map_or(0, |part| part.first_row + part.draft.rows - part.repeats)
    }
}

/// Joins the drafts of consecutive pages. `placed` is sorted by page, then from the top.
pub(super) fn join<'a>(placed: Vec<Placed<'a>>, characters: &[char]) -> Vec<Joined<'a>> {
    let mut joined: Vec<Joined<'a>> = Vec::new();
    let firsts: Vec<bool> = placed
        .iter()
        .enumerate()
        .map(|(at, this)| {
            at == 0
                || placed
                    .get(at - 1)
                    .is_some_and(|before| before.draft.page != this.draft.page)
        })
        .collect();
    for (this, first) in placed.into_iter().zip(firsts) {
        let goes_on = first
            .then(|| joined.last().and_then(|table| repeats(table, &this, characters)))
            .flatten();
        match (goes_on, joined.last_mut()) {
            (Some(repeats), Some(table)) => {
                let cut = repeats == 0
                    && table
                        .parts
                        .last()
                        .is_some_and(|last| one_row((last.paper, &last.draft), (this.paper, &this.draft), characters));
                let first_row = table.rows() - usize::from(cut);
                table.parts.push(Part {
                    paper: this.paper,
                    draft: this.draft,
                    repeats,
                    first_row,
                    cut,
                });
            }
            _ => joined.push(Joined {
                columns: this.draft.columns,
                header_rows: this.draft.header_rows,
                parts: vec![Part {
                    paper: this.paper,
                    draft: this.draft,
                    repeats: 0,
                    first_row: 0,
                    cut: false,
                }],
            }),
        }
    }
    joined
}

/// Whether a draft goes on with a table, and how many of its rows repeat the header.
fn repeats(table: &Joined<'_>, next: &Placed<'_>, characters: &[char]) -> Option<usize> {
    let last = table.parts.last()?;
    let first = table.parts.first()?;
    let (one, other) = (&last.draft, &next.draft);
    if one.page + 1 != other.page || one.columns != other.columns || one.ruled != other.ruled {
        return None;
    }
    let alike = one.edges.iter().zip(&other.edges).all(|(mine, theirs)| {
        if one.ruled {
            (mine.0 - theirs.0).abs() <= SAME_EDGE && (mine.1 - theirs.1).abs() <= SAME_EDGE
        } else {
            mine.0 < theirs.1 && theirs.0 < mine.1
        }
    });
    let header = table.header_rows;
    let same = header > 0 && header < other.rows && first.draft.header_rows == header && {
        let own = row_texts(first.paper, &first.draft, header, characters);
        let theirs = row_texts(next.paper, other, header, characters);
        own == theirs && own.iter().any(|cell| !cell.is_empty())
    };
    // Nothing but running heads and feet between.
    let below = last.paper.words.iter().filter(|word| {
        let (_, y) = word.rect.centre();
        y > one.area.y1 + 1.0 && y < last.paper.height * (1.0 - MARGIN)
    });
    let above = next.paper.words.iter().filter(|word| {
        let (_, y) = word.rect.centre();
        y < other.area.y0 - 1.0 && y > next.paper.height * MARGIN
    });
    let text = |word: &Word| -> String { characters.get(word.span.range()).unwrap_or_default().iter().collect() };
    // What stands at the same place on the page before is a running head, however low.
    let running = |word: &Word| {
        last.paper.words.iter().any(|other| {
            (other.rect.x0 - word.rect.x0).abs() <= 2.0
                && (other.rect.y0 - word.rect.y0).abs() <= 2.0
                && text(other) == text(word)
        })
    };
    let above: Vec<String> = above.take(MOST_ABOVE).filter(|word| !running(word)).map(text).collect();
    let (below, over) = (below.count(), above.len());
    // Another title over it makes it another table, whatever its header: but `Table 3 (continued)`.
    let goes_on = over == 0 || above.iter().any(|word| word.to_lowercase().contains("cont"));
    let nothing_between = below == 0 && over == 0;
    let at_ends = one.area.y1 > last.paper.height * 0.6 && other.area.y0 < next.paper.height * 0.4;
    match (alike || same && one.ruled, same, nothing_between && at_ends) {
        (true, true, _) if nothing_between || at_ends && goes_on => Some(header),
        (true, false, true) => Some(0),
        _ => None,
    }
}

/// Whether the last row of one draft and the first of the next are one that a page break cuts: no line was drawn under
/// the one or over the other, and both are cut into the same cells.
fn one_row((above, one): (&Paper, &Draft), (below, other): (&Paper, &Draft), characters: &[char]) -> bool {
    let cells = |draft: &Draft, wanted: &dyn Fn(&DraftCell) -> bool| -> Vec<(usize, usize)> {
        let mut cells: Vec<(usize, usize)> = draft
            .cells
            .iter()
            .filter(|cell| wanted(cell))
            .map(|cell| (cell.column, cell.column_span))
            .collect();
        cells.sort_unstable();
        cells
    };
    let last = cells(one, &|cell| cell.row + cell.row_span == one.rows);
    let first = cells(other, &|cell| cell.row == 0 && cell.row_span == 1);
    let nameless = |(paper, draft): (&Paper, &Draft), row: &dyn Fn(&DraftCell) -> bool| {
        draft
            .cells
            .iter()
            .filter(|cell| row(cell) && cell.column == 0)
            .all(|cell| {
                let words = cell.words.iter().filter_map(|word| paper.words.get(*word));
                words
                    .flat_map(|word| characters.get(word.span.range()).unwrap_or_default())
                    .all(|character| !character.is_alphanumeric())
            })
    };
    last == first
        && match (one.open.1, other.open.0) {
            (true, true) => true,
            // A line at one side only: then one of both has no name, too.
            (true, false) | (false, true) => {
                nameless((above, one), &|cell| cell.row + cell.row_span == one.rows)
                    || nameless((below, other), &|cell| cell.row == 0)
            }
            (false, false) => false,
        }
}

fn row_texts(paper: &Paper, draft: &Draft, rows: usize, characters: &[char]) -> Vec<String> {
    let text = |cell: &DraftCell| -> String {
        let words = cell.words.iter().filter_map(|word| paper.words.get(*word));
        words
            .flat_map(|word| characters.get(word.span.range()).unwrap_or_default())
            .collect()
    };
    draft.cells.iter().filter(|cell| cell.row < rows).map(text).collect()
}
