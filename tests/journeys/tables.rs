//! Tables on the command line: a PDF made here, with a grid, a merged row and a header that stands again on page 2.
//!
//! Deliberately not here: how well tables of other people's documents are found (`corpus_tables`).

use crate::{elements, number, text};
use pincite_tests::World;
use serde_json::{Value, json};

/// A one-font PDF of these pages, each the content of its stream.
fn pdf(pages: &[String]) -> Vec<u8> {
    let count = pages.len();
    let kids: Vec<String> = (0..count).map(|page| format!("{} 0 R", 4 + 2 * page)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Count {count} /Kids [{}] >>", kids.join(" ")),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned(),
    ];
    for (page, content) in pages.iter().enumerate() {
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
            5 + 2 * page
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{content}endstream", content.len()));
    }
    let mut file = String::from("%PDF-1.4\n");
    let mut offsets = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        offsets.push(file.len());
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", number + 1));
    }
    let start = file.len();
    file.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    for offset in offsets {
        file.push_str(&format!("{offset:010} 00000 n \n"));
    }
    file.push_str(&format!(
        "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n",
        objects.len() + 1
    ));
    file.into_bytes()
}

/// Rows of a ruled table from `top` (from the paper's lower edge) downwards, 20 points each.
fn grid(top: i32, rows: &[[&str; 3]], left_out: Option<usize>) -> String {
    let xs = [60, 200, 320, 440];
    let mut content = String::from("0.5 w\n");
    let bottom = top - 20 * i32::try_from(rows.len()).expect("few rows");
    for x in xs {
        content.push_str(&format!("{x} {top} m {x} {bottom} l S\n"));
    }
    for line in 0..=rows.len() {
        let y = top - 20 * i32::try_from(line).expect("few rows");
        if left_out != Some(line) {
            content.push_str(&format!("60 {y} m 440 {y} l S\n"));
        }
    }
    for (row, cells) in rows.iter().enumerate() {
        let y = top - 20 * i32::try_from(row).expect("few rows") - 14;
        for (x, cell) in xs.iter().zip(cells) {
            content.push_str(&format!("BT /F1 9 Tf {} {y} Td ({cell}) Tj ET\n", x + 4));
        }
    }
    content
}

fn words(x: i32, y: i32, what: &str) -> String {
    format!("BT /F1 9 Tf {x} {y} Td ({what}) Tj ET\n")
}

const HEADER: [&str; 3] = ["weight", "dose", "interval"];

fn taken(world: &World, name: &str, pages: &[String]) -> Value {
    let path = world.file(&format!("{name}.pdf"), pdf(pages));
    let _ = world.lines(0, ["ingest", &path]);
    world.json(["document", "tables", name])
}

fn cell(table: &Value, row: i64, column: i64) -> &Value {
    elements(&table["cells"])
        .iter()
        .find(|cell| number(cell, "row") == row && number(cell, "column") == column)
        .unwrap_or_else(|| panic!("no cell at {row}, {column}: {table}"))
}

#[test]
fn a_table_over_two_pages_is_one_and_its_cells_can_be_cited() {
    let world = World::empty();
    let first = [
        HEADER,
        ["20 to 30 kg", "100 mg", "8 h"],
        ["30 to 40 kg", "150 mg", "8 h"],
        ["40 to 50 kg", "200 mg", "12 h"],
    ];
    let second = [
        HEADER,
        ["50 to 60 kg", "250 mg", "12 h"],
        ["over 60 kg", "300 mg", "24 h"],
    ];
    let pages = [
        words(60, 760, "Doses of the syrup") + &words(60, 160, "Table 3. Doses by weight") + &grid(140, &first, None),
        grid(740, &second, None) + &words(60, 600, "Not for children below 20 kg."),
    ];
    let tables = taken(&world, "doses", &pages);
    let [table] = elements(&tables) else {
        panic!("one table was expected: {tables}")
    };
    assert_eq!(table["pages"], json!([1, 2]));
    assert_eq!((number(table, "rows"), number(table, "columns")), (6, 3), "{table}");
    assert_eq!(table["row_counts"], json!({ "layout": 6, "text": 6 }));
    assert_eq!(
        (&table["held"], &table["reason"]),
        (&json!(false), &Value::Null),
        "{table}"
    );
    assert_eq!(
        elements(&table["repeated"]).len(),
        3,
        "the second header is no row, and is told"
    );
    let dose = cell(table, 2, 1);
    assert_eq!(text(dose, "text"), "150 mg");
    assert_eq!(text(dose, "locator"), "table 3, row \"30 to 40 kg\", column \"dose\"");
    // Its place holds as a citation: the cell, its row, its table; not another row.
    let shown = world.json(["document", "show", "doses"]);
    let cited = |locator: &str| {
        let record = json!({
            "doc_id": "doses", "doc_sha256": shown["doc_sha256"], "id": locator, "locator": locator, "page": 1, "quote": "150 mg",
            "char_start": dose["start"], "char_end": dose["end"]
        });
        let file = world.file("cited.jsonl", format!("{record}\n"));
        let said = world
            .command(["--json", "verify", &file])
            .output()
            .expect("the program runs");
        let line: Value = serde_json::from_slice(&said.stdout).expect("one line of JSON");
        text(&line, "state").to_owned()
    };
    assert_eq!(cited("table 3, row \"30 to 40 kg\", column \"dose\""), "verified");
    assert_eq!(cited("table 3, row \"30 to 40 kg\""), "verified");
    assert_eq!(cited("table 3"), "verified");
    assert_eq!(cited("table 3, row \"40 to 50 kg\", column \"dose\""), "failed");
    assert_eq!(cited("table 4"), "failed");
}

#[test]
fn a_table_with_a_line_missing_is_held_with_both_counts() {
    let world = World::empty();
    let rows = [
        HEADER,
        ["20 to 30 kg", "100 mg", "8 h"],
        ["30 to 40 kg", "150 mg", "8 h"],
        ["40 to 50 kg", "200 mg", "12 h"],
    ];
    let tables = taken(&world, "missing", &[grid(700, &rows, Some(2))]);
    let [table] = elements(&tables) else {
        panic!("one table was expected: {tables}")
    };
    assert_eq!(table["held"], json!(true), "{table}");
    assert_eq!(table["row_counts"], json!({ "layout": 3, "text": 4 }));
    assert!(
        text(table, "reason").contains("the layout has 3 rows, the text 4"),
        "{table}"
    );
    let said = world
        .command(["document", "tables", "missing"])
        .output()
        .expect("the program runs");
    assert!(String::from_utf8_lossy(&said.stdout).contains("HELD"), "{said:?}");
}

#[test]
fn prose_has_no_tables() {
    let world = World::empty();
    let tables = taken(
        &world,
        "prose",
        &[words(60, 700, "One line of text.") + &words(60, 680, "And another one.")],
    );
    assert_eq!(elements(&tables).len(), 0, "{tables}");
}

#[test]
fn a_running_head_over_a_header_that_stands_again_is_no_row() {
    let world = World::with_documents();
    let tables = world.json(["document", "tables", "drug-label"]);
    let seen: Vec<_> = elements(&tables)
        .iter()
        .map(|table| (&table["pages"], &table["row_counts"], &table["reason"]))
        .collect();
    let (dose, reactions) = (json!({"layout": 8, "text": 8}), json!({"layout": 6, "text": 6}));
    assert_eq!(
        seen,
        [
            (&json!([1, 2]), &dose, &Value::Null),
            (&json!([3]), &reactions, &Value::Null)
        ]
    );
}
