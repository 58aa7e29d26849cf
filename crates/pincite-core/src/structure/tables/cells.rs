//! Drafts made tables: spans for words, labels from captions, locators from headers.
//!
//! Deliberately not here: changing what a draft found.

use super::continued::{Joined, Part};
use super::draft::DraftCell;
use super::{Cell, RowCounts, Table};
use crate::structure::{Locator, ParseInput};
use crate::text::{CharOffset, CharSpan};
use std::collections::{BTreeMap, BTreeSet};

/// The longest header text (code points) that a locator carries.
const LONGEST_NAME: usize = 80;
/// How far above a table (font sizes) its caption may begin.
const CAPTION_REACH: f32 = 7.0;

/// Tables with everything but the row check.
pub(super) fn publish(
    input: &ParseInput<'_>,
    joined: &[Joined<'_>],
    section_at: &dyn Fn(CharOffset) -> Option<Locator>,
) -> Vec<Table> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let captions: Vec<Option<String>> = joined.iter().map(|table| caption(input, table)).collect();
    let claimed: BTreeSet<&String> = captions.iter().flatten().collect();
    let mut tables = Vec::new();
    let mut number = 0;
    for (table, caption) in joined.iter().zip(&captions) {
        let label = caption
            .clone()
            .filter(|label| !taken.contains(label))
            .unwrap_or_else(|| {
                loop {
                    number += 1;
                    let label = number.to_string();
                    if !taken.contains(&label) && !claimed.contains(&label) {
                        break label;
                    }
                }
            });
        taken.insert(label.clone());
        tables.push(one(input, table, label, section_at));
    }
    tables
}

fn one(
    input: &ParseInput<'_>,
    table: &Joined<'_>,
    label: String,
    section_at: &dyn Fn(CharOffset) -> Option<Locator>,
) -> Table {
    let mut cells: Vec<(DraftCell, Vec<CharSpan>)> = Vec::new();
    let mut repeated: Vec<CharSpan> = Vec::new();
    for part in &table.parts {
        for cell in &part.draft.cells {
            let spans = spans(input, part, &cell.words);
            if cell.row < part.repeats {
                repeated.extend(spans);
                continue;
            }
            let mut cell = cell.clone();
            cell.row = cell.row - part.repeats + part.first_row;
            let above = cells.iter_mut().find(|(other, _)| {
                part.cut
                    && cell.row == part.first_row
                    && other.row + other.row_span == cell.row + 1
                    && other.column == cell.column
            });
            match above {
                Some((_, own)) => own.extend(spans),
                None => cells.push((cell, spans)),
            }
        }
    }
    repeated.sort_by_key(|span| span.start());
    let start = cells
        .iter()
        .flat_map(|(_, spans)| spans)
        .map(|span| span.start())
        .min()
        .unwrap_or(CharOffset(0));
    let section = section_at(start);
    let locate = |row: Option<&str>, column: Option<&str>| match &section {
        Some(section) => section.with_cell(&label, row, column),
        None => Locator::of_cell(&label, row, column),
    };
    let text = |spans: &[CharSpan]| -> String {
        let parts: Vec<String> = spans.iter().filter_map(|span| input.layer.slice(*span)).collect();
        let whole = parts.join(" ");
        let words: Vec<&str> = whole.split_whitespace().collect();
        words.join(" ").chars().take(LONGEST_NAME).collect()
    };
    let (mut row_names, mut column_names): (BTreeMap<usize, String>, BTreeMap<usize, String>) = Default::default();
    for (cell, spans) in &cells {
        let name = text(spans);
        if name.is_empty() {
            continue;
        }
        if cell.row < table.header_rows {
            for column in cell.column..cell.column + cell.column_span {
                let names = column_names.entry(column).or_default();
                if !names.is_empty() {
                    names.push_str(" / ");
                }
                names.push_str(&name);
            }
        } else if cell.column == 0 {
            for row in cell.row..cell.row + cell.row_span {
                row_names.entry(row).or_insert_with(|| name.clone());
            }
        }
    }
    let rows = table.rows();
    let published = cells.iter().map(|(cell, spans)| {
        let header = cell.row < table.header_rows;
        let row_name = (!header).then(|| {
            row_names
                .get(&cell.row)
                .cloned()
                .unwrap_or_else(|| (cell.row + 1).to_string())
        });
        let column_name = column_names
            .get(&cell.column)
            .cloned()
            .unwrap_or_else(|| (cell.column + 1).to_string());
        Cell {
            row: small(cell.row),
            column: small(cell.column),
            row_span: small(cell.row_span),
            column_span: small(cell.column_span),
            header,
            spans: spans.clone(),
            locator: locate(row_name.as_deref(), Some(&column_name)),
        }
    });
    Table {
        locator: locate(None, None),
        pages: table.parts.iter().map(|part| part.paper.page).collect(),
        rows: small(rows),
        columns: small(table.columns),
        header_rows: small(table.header_rows),
        ruled: table.parts.iter().all(|part| part.draft.ruled),
        repeated,
        cells: published.collect(),
        row_counts: RowCounts {
            layout: small(rows),
            text: 0,
        },
        held: None,
        label,
    }
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Words as spans in the layer's order; neighbours with nothing but spaces between are one.
fn spans(input: &ParseInput<'_>, part: &Part<'_>, words: &[usize]) -> Vec<CharSpan> {
    let mut found: Vec<CharSpan> = words
        .iter()
        .filter_map(|word| part.paper.words.get(*word))
        .map(|word| word.span)
        .collect();
    found.sort_by_key(|span| span.start());
    let mut joined: Vec<CharSpan> = Vec::new();
    for span in found {
        match joined.last_mut() {
            Some(last)
                if input
                    .layer
                    .characters()
                    .get(last.end().index()..span.start().index())
                    .is_some_and(|between| {
                        between.len() < 40
                            && between
                                .iter()
                                .all(|character| character.is_whitespace() && *character != crate::text::PAGE_JOIN)
                    }) =>
            {
                *last = CharSpan::of_indices(last.start().index(), span.end().index());
            }
            _ => joined.push(span),
        }
    }
    joined
}

/// The label of the caption above a table (or right below it): `Table 3`, `TABLE A4-12.`, `Tabla 2:`, `Cuadro 7`.
fn caption(input: &ParseInput<'_>, table: &Joined<'_>) -> Option<String> {
    let part = table.parts.first()?;
    let (paper, area) = (part.paper, part.draft.area);
    let reach = CAPTION_REACH * paper.type_size;
    let mut best: Option<(f32, String)> = None;
    for (at, word) in paper.words.iter().enumerate() {
        let (_, y) = word.rect.centre();
        let beside = word.rect.x0 < area.x1 && word.rect.x1 > area.x0;
        let above = area.y0 - y;
        let below = y - area.y1;
        // Above wins over below: what stands below may be the next table's.
        let far = if above > -2.0 * paper.type_size {
            above.abs()
        } else {
            below + 100.0
        };
        if !beside || above > reach || below > 2.5 * paper.type_size || above < -2.0 * paper.type_size && below < 0.0 {
            continue;
        }
        let text: String = input.layer.get(word.span)?.iter().collect::<String>().to_lowercase();
        if !matches!(
            text.as_str(),
            "table" | "tabla" | "tableau" | "tabelle" | "cuadro" | "tabela"
        ) {
            continue;
        }
        let Some(next) = paper.words.get(at + 1) else { continue };
        let label: String = input
            .layer
            .get(next.span)?
            .iter()
            .collect::<String>()
            .trim_end_matches(['.', ':', ',', ';', '–', '-', ')'])
            .chars()
            .filter(|character| character.is_alphanumeric() || matches!(character, '.' | '-'))
            .collect();
        let numbered = label.chars().any(|character| character.is_ascii_digit())
            || label.len() <= 4 && label.chars().all(|c| matches!(c, 'I' | 'V' | 'X'));
        if !numbered || label.is_empty() || label.len() > 12 {
            continue;
        }
        if best.as_ref().is_none_or(|(closest, _)| far < *closest) {
            best = Some((far, label));
        }
    }
    best.map(|(_, label)| label)
}
