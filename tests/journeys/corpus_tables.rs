//! Tables of real documents against truth: cells of the ICDAR 2013 competition and of tabula's own tests.
//!
//! The measure is the competition's: pairs of neighbouring cells with text (what stands between them empty is passed
//! over), each pair by what both say and by its direction. The truth is read from the corpus; nothing of it is kept here.
//!
//! Deliberately not here: tables made on purpose with faults (the core's own tests).

use crate::Outcome;
use crate::corpus_documents::{Corpus, corpus, pincite_text};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Adjacency F1 over all tables with truth, at least.
const WANTED: f64 = 0.9;

/// A cell: row, column, rows and columns it takes, text.
struct Cell(usize, usize, usize, usize, String);

/// A table that someone described.
struct Truth {
    /// Part of the document's name.
    document: String,
    name: String,
    /// The page that the description is of; `None` for a whole table.
    page: Option<u32>,
    rows: usize,
    cells: Vec<Cell>,
}

/// What a text says without white space, case, and the signs that producers of truth write differently.
fn bare(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization as _;
    text.nfkc()
        .flat_map(char::to_lowercase)
        .filter(|character| character.is_alphanumeric() || "%.,+-()".contains(*character))
        .collect()
}

type Pairs = BTreeMap<(String, String, bool), usize>;

fn pairs(cells: &[Cell]) -> Pairs {
    let mut grid: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (number, Cell(row, column, rows, columns, text)) in cells.iter().enumerate() {
        if bare(text).is_empty() {
            continue;
        }
        for r in *row..row + rows {
            for c in *column..column + columns {
                grid.insert((r, c), number);
            }
        }
    }
    let last = grid.keys().fold((0, 0), |(rows, columns), (row, column)| {
        (rows.max(*row), columns.max(*column))
    });
    let mut seen: BTreeSet<(usize, usize, bool)> = BTreeSet::new();
    for ((row, column), number) in &grid {
        let right = (column + 1..=last.1).find_map(|column| grid.get(&(*row, column)));
        let below = (row + 1..=last.0).find_map(|row| grid.get(&(row, *column)));
        for (other, side) in [(right, true), (below, false)] {
            if let Some(other) = other.filter(|other| *other != number) {
                seen.insert((*number, *other, side));
            }
        }
    }
    let mut pairs = Pairs::new();
    for (one, other, side) in seen {
        let said = |cell: usize| cells.get(cell).map(|cell| bare(&cell.4)).unwrap_or_default();
        *pairs.entry((said(one), said(other), side)).or_default() += 1;
    }
    pairs
}

/// The value of an attribute in an opening tag.
fn attribute(tag: &str, name: &str) -> Option<usize> {
    let after = tag.split(&format!(" {name}=")).nth(1)?;
    let quote = after.chars().next()?;
    after.get(1..)?.split(quote).next()?.parse().ok()
}

/// Tables of a competition's file: `<table>`, `<region>`, `<cell>`, `<content>`.
fn competition(path: &Path) -> Result<Vec<Truth>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let document = stem.trim_end_matches("-str").to_owned();
    let mut tables = Vec::new();
    for (number, table) in text.split("<table ").skip(1).enumerate() {
        let (mut cells, mut rows) = (Vec::new(), 0);
        for region in table.split("<region ").skip(1) {
            let tag = region.split('>').next().unwrap_or_default();
            let tag = format!(" {tag}");
            let (down, across) = (
                attribute(&tag, "row-increment").unwrap_or(0),
                attribute(&tag, "col-increment").unwrap_or(0),
            );
            for cell in region.split("<cell ").skip(1) {
                let tag = format!(" {}", cell.split('>').next().unwrap_or_default());
                let (Some(row), Some(column)) = (attribute(&tag, "start-row"), attribute(&tag, "start-col")) else {
                    continue;
                };
                let (end_row, end_column) = (
                    attribute(&tag, "end-row").unwrap_or(row),
                    attribute(&tag, "end-col").unwrap_or(column),
                );
                let content = cell
                    .split("<content>")
                    .nth(1)
                    .and_then(|rest| rest.split("</content>").next())
                    .unwrap_or_default();
                let content = content
                    .replace("&lt;", "<")
                    .replace("&gt;", ">")
                    .replace("&quot;", "\"")
                    .replace("&apos;", "'")
                    .replace("&amp;", "&");
                rows = rows.max(end_row + down + 1);
                cells.push(Cell(
                    row + down,
                    column + across,
                    end_row - row + 1,
                    end_column - column + 1,
                    content,
                ));
            }
        }
        tables.push(Truth {
            document: document.clone(),
            name: format!("{document} table {}", number + 1),
            page: None,
            rows,
            cells,
        });
    }
    Ok(tables)
}

/// Tables of a file of tabula's tests: rows of `{text}`; one table, or several.
fn tabula(path: &Path) -> Result<Vec<Truth>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    let document = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let listed = if value.is_array() {
        value
    } else {
        Value::Array(vec![value])
    };
    let mut tables = Vec::new();
    for (number, table) in listed.as_array().into_iter().flatten().enumerate() {
        let rows = table["data"].as_array().map(Vec::as_slice).unwrap_or_default();
        let mut cells = Vec::new();
        for (row, entries) in rows.iter().enumerate() {
            let texts: Vec<&str> = entries
                .as_array()
                .into_iter()
                .flatten()
                .map(|entry| entry["text"].as_str().unwrap_or_default())
                .collect();
            // A merged cell is written with nothing but empty ones after it; those have no place of their own.
            let placed = |at: usize| entries[at]["width"].as_f64().is_some_and(|width| width > 0.0);
            let merged = texts.len() > 2
                && !texts.first().is_none_or(|first| first.is_empty())
                && (1..texts.len()).all(|at| !placed(at));
            for (column, text) in texts.iter().enumerate().take(if merged { 1 } else { texts.len() }) {
                cells.push(Cell(
                    row,
                    column,
                    1,
                    if merged { texts.len() } else { 1 },
                    (*text).to_owned(),
                ));
            }
        }
        let page = table["page_number"].as_u64().and_then(|page| u32::try_from(page).ok());
        tables.push(Truth {
            document: document.clone(),
            name: format!("{document} {}", number + 1),
            page,
            rows: rows.len(),
            cells,
        });
    }
    Ok(tables)
}

fn truths(folder: &Path) -> Result<Vec<Truth>, String> {
    let files = |below: &str, end: &str| -> Vec<PathBuf> {
        let listed = std::fs::read_dir(folder.join("datasets").join(below))
            .into_iter()
            .flatten()
            .flatten();
        let mut files: Vec<PathBuf> = listed
            .map(|entry| entry.path())
            .filter(|path| path.to_string_lossy().ends_with(end))
            .collect();
        files.sort();
        files
    };
    let mut found = Vec::new();
    for path in files("icdar2013-table-truth", "-str.xml") {
        found.extend(competition(&path)?);
    }
    for path in files("tabula-expected", ".json")
        .into_iter()
        .filter(|path| !path.to_string_lossy().contains("basic"))
    {
        found.extend(tabula(&path)?);
    }
    Ok(found)
}

/// The cells of a table as the program tells them; of one page only where one is named.
fn told(corpus: &Corpus, doc: &str, table: &Value, page: Option<u32>) -> Result<Vec<Cell>, String> {
    let several = table["pages"].as_array().map_or(0, Vec::len) > 1;
    let mut starts = Vec::new();
    if page.is_some() && several {
        let layer = pincite_text(&corpus.world, &["document", "text", doc])?.stdout;
        let layer = String::from_utf8_lossy(&layer).into_owned();
        starts = layer
            .chars()
            .enumerate()
            .filter(|(_, character)| *character == '\u{c}')
            .map(|(at, _)| at as u64)
            .collect();
    }
    let on_page = |start: Option<u64>| {
        page.is_none_or(|page| {
            !several
                || start.is_some_and(|start| starts.partition_point(|end| *end < start) as u64 + 1 == u64::from(page))
        })
    };
    let at = |cell: &Value, key: &str| usize::try_from(cell[key].as_u64().unwrap_or(0)).unwrap_or(0);
    let cells = table["cells"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|cell| on_page(cell["start"].as_u64()));
    Ok(cells
        .map(|cell| {
            let text = cell["text"].as_str().unwrap_or_default().to_owned();
            Cell(
                at(cell, "row"),
                at(cell, "column"),
                at(cell, "row_span"),
                at(cell, "column_span"),
                text,
            )
        })
        .collect())
}

#[test]
fn tables_with_truth_are_found_and_none_loses_a_row_silently() -> Outcome {
    let Some(corpus) = corpus()? else { return Ok(()) };
    let Some(folder) = pincite_tests::corpus::folder() else {
        return Ok(());
    };
    let (mut right, mut meant, mut found) = (0, 0, 0);
    let (mut judged, mut held_though_right, mut silent) = (0, 0, Vec::new());
    for truth in truths(&folder)? {
        let named = |name: &&str| name.ends_with(&format!("{}.pdf", truth.document));
        let Some(doc) = corpus.taken.iter().map(|taken| taken.name.as_str()).find(named) else {
            continue;
        };
        let wanted = pairs(&truth.cells);
        meant += wanted.values().sum::<usize>();
        let tables = pincite_text(&corpus.world, &["document", "tables", doc])?.value()?;
        let mut best: Option<(usize, usize, &Value)> = None;
        for table in tables.as_array().into_iter().flatten() {
            let own = pairs(&told(&corpus, doc, table, truth.page)?);
            let same = wanted
                .iter()
                .map(|(pair, count)| own.get(pair).map_or(0, |other| *count.min(other)))
                .sum();
            if best.is_none_or(|(most, _, _)| same > most) {
                best = Some((same, own.values().sum(), table));
            }
        }
        let Some((same, own, table)) = best.filter(|(same, _, _)| *same > 0) else {
            silent.push(format!("{}: not found", truth.name));
            continue;
        };
        right += same;
        found += own;
        judged += 1;
        let held = table["held"] == Value::Bool(true);
        let whole = truth.page.is_none() || table["pages"].as_array().map_or(0, Vec::len) == 1;
        let rows_right = !whole || table["rows"].as_u64() == u64::try_from(truth.rows).ok();
        eprintln!(
            "{}: {same} of {} pairs ({own} found), {} rows of {}, counts {}, held {}",
            truth.name,
            wanted.values().sum::<usize>(),
            table["rows"],
            truth.rows,
            table["row_counts"],
            table["reason"]
        );
        held_though_right += usize::from(rows_right && held);
        if !rows_right && !held {
            silent.push(format!("{}: {} rows of {}", truth.name, table["rows"], truth.rows));
        }
    }
    if judged == 0 {
        eprintln!("skipped: no truth of tables in the corpus");
        return Ok(());
    }
    let (precision, recall) = (right as f64 / found.max(1) as f64, right as f64 / meant.max(1) as f64);
    let score = 2.0 * precision * recall / (precision + recall).max(f64::MIN_POSITIVE);
    eprintln!(
        "{judged} tables: precision {precision:.3}, recall {recall:.3}, adjacency F1 {score:.3}; held though right {held_though_right}"
    );
    assert!(silent.is_empty(), "rows lost silently: {}", silent.join("; "));
    assert!(
        held_though_right * 10 <= judged,
        "{held_though_right} of {judged} held though right"
    );
    assert!(score >= WANTED, "adjacency F1 {score:.3}");
    Ok(())
}

#[test]
fn cells_of_any_document_are_their_spans_and_share_no_code_point() -> Outcome {
    let Some(corpus) = corpus()? else { return Ok(()) };
    let mut tables_seen = 0;
    for document in corpus.documents()? {
        let tables = pincite_text(&corpus.world, &["document", "tables", &document.doc_id])?.value()?;
        for table in tables.as_array().into_iter().flatten() {
            tables_seen += 1;
            let mut spans: Vec<(u64, u64)> = Vec::new();
            for cell in table["cells"].as_array().into_iter().flatten() {
                for span in cell["spans"].as_array().into_iter().flatten() {
                    spans.push((span[0].as_u64().unwrap_or(0), span[1].as_u64().unwrap_or(0)));
                }
            }
            spans.sort_unstable();
            let apart = spans
                .windows(2)
                .all(|pair| matches!(pair, [one, other] if one.1 <= other.0));
            let inside = spans
                .iter()
                .all(|(start, end)| start < end && *end <= document.layer.len() as u64);
            assert!(apart && inside, "{}: {}", document.doc_id, table["locator"]);
        }
    }
    eprintln!("{tables_seen} tables in the corpus");
    Ok(())
}

/// Rows as a reader counts them, page before eye; `none` where what is found is no table. By document, first page and the
/// beginning of the first cell with text.
const COUNTED: &str = include_str!("corpus_table_rows.tsv");

/// A judged table: document, first page, how its first cell with text begins, rows; `None` for no table.
type Counted<'a> = (&'a str, u64, &'a str, Option<u64>);

fn counted() -> Result<Vec<Counted<'static>>, String> {
    let lines = COUNTED.lines().skip(1);
    lines
        .map(|line| match line.split('\t').collect::<Vec<_>>().as_slice() {
            [document, page, first, rows] => Ok((
                *document,
                page.parse::<u64>().map_err(|error| format!("{line}: {error}"))?,
                *first,
                if *rows == "none" {
                    None
                } else {
                    Some(rows.parse::<u64>().map_err(|error| format!("{line}: {error}"))?)
                },
            )),
            _ => Err(format!("{line}: four columns were expected")),
        })
        .collect()
}

#[test]
fn no_table_with_a_wrong_row_count_is_vouched_for() -> Outcome {
    let Some(corpus) = corpus()? else { return Ok(()) };
    let judged = counted()?;
    let (mut right, mut held, mut said, mut silent, mut unjudged) = (0, 0, Vec::new(), Vec::new(), 0);
    for document in corpus.documents()? {
        let tables = pincite_text(&corpus.world, &["document", "tables", &document.doc_id])?.value()?;
        for table in tables.as_array().into_iter().flatten() {
            let texts = table["cells"].as_array().into_iter().flatten();
            let first = texts
                .filter_map(|cell| cell["text"].as_str())
                .map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "))
                .find(|text| !text.is_empty())
                .unwrap_or_default();
            let page = table["pages"][0].as_u64().unwrap_or(0);
            let this = |(name, at, begins, _): &&Counted<'_>| {
                *name == document.doc_id && *at == page && first.starts_with(*begins)
            };
            let Some((_, _, _, wanted)) = judged.iter().find(this) else {
                unjudged += 1;
                continue;
            };
            let is_held = table["held"] == Value::Bool(true);
            let is_right = wanted.is_some() && *wanted == table["rows"].as_u64();
            let line = format!(
                "{} page {page}, {first:.30}: {} rows of {wanted:?}, {}",
                document.doc_id, table["rows"], table["reason"]
            );
            right += usize::from(is_right);
            held += usize::from(is_right && is_held);
            if is_right && is_held {
                said.push(line);
            } else if !is_right && !is_held {
                silent.push(line);
            }
        }
    }
    eprintln!(
        "{right} tables counted right, {held} of them held; {unjudged} found and not judged\n{}",
        said.join("\n")
    );
    assert!(silent.is_empty(), "vouched for and wrong:\n{}", silent.join("\n"));
    assert!(held * 10 <= right, "{held} of {right} held though right");
    Ok(())
}
