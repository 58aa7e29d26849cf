//! The main job in the window: take a document and its records in, see the highlight on the quoted glyphs, decide by
//! keys, take it back, see the curve change, find everything again after closing.
//!
//! Deliberately not here: every field type and every key; the units of ui/ have those.

use crate::pixels::{Area, is_black_ink, is_red_ink};
use crate::window::{Display, Window};
use pincite_tests::{World, tree};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The coloured sentences of the proof sheet: quote, field, confidence.
const QUOTES: [(&str, &str, f64); 3] = [
    (
        "The cool room is opened at seven in the morning and closed at nine in the evening, on working days only.",
        "storage.hours",
        0.97,
    ),
    (
        "A slip that nobody asks for is kept for seven years from the day on which it was signed.",
        "retention.period",
        0.81,
    ),
    (
        "One sentence that begins on this page is long enough to be continued overleaf, where it ends.",
        "sentence.overleaf",
        0.64,
    ),
];

/// A world whose files are the proof sheet, its catalogue and its records; nothing taken in yet.
fn proof_sheet() -> World {
    let world = World::empty();
    let pdf = std::fs::read(tree::fixture("documents/coloured-quotes.pdf")).expect("the proof sheet");
    let hash = pincite_core::sha256_hex(&pdf);
    world.file("coloured-quotes.pdf", &pdf);
    let mut catalogue = String::new();
    let mut records = String::new();
    for (number, (quote, field, confidence)) in QUOTES.iter().enumerate() {
        let _ = writeln!(
            catalogue,
            "[field.\"{field}\"]\ntitle = \"{field}\"\ntype = \"text\"\nmax_error = 0.1\n"
        );
        let record = json!({
            "record_id": format!("proof-{number}"), "doc_id": "coloured-quotes", "doc_sha256": hash, "field": field,
            "value": format!("value {number}"), "status": "present", "confidence": confidence,
            "provenance": [{ "doc_id": "coloured-quotes", "doc_sha256": hash, "quote": quote }],
            "extractor": { "model": "proof", "prompt_version": "1", "run_id": "run" },
            "due_at": format!("2027-01-0{}T12:00:00+00:00", number + 1)
        });
        let _ = writeln!(records, "{record}");
    }
    world.file("catalogue.toml", catalogue);
    world.file("records.jsonl", records);
    world
}

/// The rectangles of elements with a test id, in CSS pixels of the window, cut to the pane that scrolls them.
async fn areas(window: &Window, id: &str) -> Vec<Area> {
    let script = format!(
        "return [...document.querySelectorAll('[data-testid=\"{id}\"]')].map(e => {{ const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; }})"
    );
    let found = window.script(&script, Vec::new()).await;
    let side = |sides: &Value, at: usize| sides.get(at).and_then(Value::as_f64).unwrap_or(f64::NAN);
    let list = found.as_array().cloned().unwrap_or_default();
    list.iter()
        .map(|sides| Area {
            x0: side(sides, 0),
            y0: side(sides, 1),
            x1: side(sides, 2),
            y1: side(sides, 3),
        })
        .collect()
}

/// On the pixels: every red pixel that the page shows in its visible part lies in a highlight, and no black ink does.
async fn highlight_covers_the_red_quote(window: &Window, record: usize) {
    let (quote, field, _) = QUOTES[record];
    window
        .until(
            &format!("{field} is painted"),
            "return document.querySelectorAll('[data-testid=\"quote-rect\"]').length",
            |count| count.as_u64() > Some(0),
        )
        .await;
    let drawn = "const image = document.querySelector('[data-testid=\"page-image\"]'); return image !== null && image.complete && image.naturalWidth > 0";
    window
        .until("the page is drawn", drawn, |drawn| drawn == &Value::Bool(true))
        .await;
    // A decoded picture is on the screen a moment later, on a busy machine much later: until then there is no ink at all.
    let began = std::time::Instant::now();
    let (highlights, pages, picture) = loop {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let highlights = areas(window, "quote-rect").await;
        let pages = areas(window, "page-image").await;
        let picture = window.picture().await;
        let is_drawn = |(x, y): &(usize, usize)| pages.iter().any(|page| page.holds(*x, *y, 0.0));
        if picture.pixels(is_red_ink).iter().any(is_drawn) || began.elapsed().as_secs() > 30 {
            break (highlights, pages, picture);
        }
    };
    let on_page = |x: usize, y: usize| pages.iter().any(|page| page.holds(x, y, 0.0));
    // Other quotes of the sheet are red too; they belong to other records, so a band around this one's lines is looked at.
    let in_highlight = |x: usize, y: usize, grown: f64| highlights.iter().any(|area| area.holds(x, y, grown));
    let red: Vec<(usize, usize)> = picture
        .pixels(is_red_ink)
        .into_iter()
        .filter(|(x, y)| on_page(*x, *y))
        .collect();
    let covered = red.iter().filter(|(x, y)| in_highlight(*x, *y, 1.0)).count();
    let black_inside = picture
        .pixels(is_black_ink)
        .into_iter()
        .filter(|(x, y)| on_page(*x, *y) && in_highlight(*x, *y, -1.0))
        .count();
    assert!(
        covered > 400,
        "{quote}: the highlight holds {covered} red pixels of {}, in {highlights:?}",
        red.len()
    );
    // Plain words on the same line stand right beside the quote; a glyph's edge may reach into the last column.
    assert!(
        black_inside * 50 < covered,
        "{quote}: {black_inside} pixels of other words lie in its highlight, beside {covered} of its own"
    );
    // Red ink outside is other quotes': none of it may lie between this quote's rectangles on the same line.
    let near = red
        .iter()
        .filter(|(x, y)| !in_highlight(*x, *y, 1.0) && in_highlight(*x, *y, 6.0))
        .count();
    assert!(
        near * 100 <= covered,
        "{quote}: {near} pixels of it stand just outside its highlight"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_main_job_from_a_typed_path_to_a_changed_curve() {
    let world = proof_sheet();
    let display = Display::new(1280, 800);
    let window = Window::open(&display, &world, 1280, 800).await;

    // Take everything in by a typed path: the folder with the sheet, the catalogue and the records.
    window.click("open-import").await;
    window
        .type_into("import-path", &world.path("").display().to_string())
        .await;
    window.click("import-go").await;
    window
        .until(
            "the import is done",
            "return document.querySelector('[data-testid=\"import-state\"]')?.dataset.state ?? ''",
            |state| state == "done",
        )
        .await;
    let records = world.lines(0, ["record", "list"]);
    assert_eq!(records.len(), 3);
    for record in &records {
        assert_eq!(record["provenance"][0]["state"], "verified", "{record}");
        assert_eq!(record["provenance"][0]["placed"], true);
    }

    // The first item: its highlight lies on the quoted glyphs and on no others.
    window.click("open-review").await;
    for (record, (_, field, _)) in QUOTES.iter().enumerate() {
        let shown = "return document.querySelector('[data-testid=\"item-field\"]')?.dataset.field ?? ''";
        window.until("its item is open", shown, |shown| shown == field).await;
        window
            .until(
                "it is claimed",
                "return document.querySelector('[data-testid=\"lease\"]')?.textContent ?? ''",
                |lease| lease.as_str().is_some_and(|lease| lease.starts_with("yours")),
            )
            .await;
        highlight_covers_the_red_quote(&window, record).await;
        assert!(window.text("citation-state").await.contains("verified"));
        match record {
            // Accept, by its key.
            0 => window.press("a").await,
            // Correct: the value holds every letter that is a key outside of the field.
            1 => {
                window.press("c").await;
                window
                    .until(
                        "the editor has the focus",
                        "return document.activeElement?.closest('[data-testid=\"editor\"]') !== null",
                        |focus| focus == &Value::Bool(true),
                    )
                    .await;
                window.press("axcujknp seven\u{e007}").await;
            }
            _ => {}
        }
        if record < 2 {
            window
                .until(
                    "it is decided",
                    &format!(
                        "return document.querySelectorAll('[data-testid=\"recent-decision\"]').length === {}",
                        record + 1
                    ),
                    |done| done == &Value::Bool(true),
                )
                .await;
            window.saved().await;
        }
    }
    let decisions = world.lines(0, ["decision", "list"]);
    let said: Vec<(&str, &str)> = decisions
        .iter()
        .map(|decision| {
            (
                decision["kind"].as_str().unwrap_or(""),
                decision["value"].as_str().unwrap_or(""),
            )
        })
        .collect();
    assert_eq!(said, [("accept", "value 0"), ("correct", "axcujknp seven")]);
    assert!(
        decisions
            .iter()
            .all(|decision| decision["wall_milliseconds"].as_u64() > Some(0)),
        "a window times its decisions: {decisions:?}"
    );

    // The curve has them.
    window.click("open-calibration").await;
    let labels = "return [...document.querySelectorAll('[data-testid=\"bin-row\"]')].reduce((sum, row) => sum + Number(row.dataset.n), 0)";
    window
        .until("the first field's curve has a label", labels, |sum| {
            sum.as_u64() == Some(1)
        })
        .await;

    // Undo the last one: the item is open again, and says what it said.
    window.click("open-review").await;
    window.there("page-image").await;
    window.press("u").await;
    window
        .until(
            "one decision stands",
            "return document.querySelectorAll('[data-testid=\"recent-decision\"]').length",
            |count| count.as_u64() == Some(1),
        )
        .await;
    assert_eq!(
        world
            .lines(0, ["decision", "list"])
            .last()
            .map(|last| last["kind"].clone()),
        Some(json!("undo"))
    );
    assert_eq!(world.json(["queue", "stats"])["open"], 2);

    // The driver ends the program without a word, as a crash would. Opened again, everything is there, and the item that
    // was held is the same reviewer's at once.
    window.close().await;
    let window = Window::open(&display, &world, 1280, 800).await;
    window.there("page-image").await;
    window
        .until(
            "the decision is remembered",
            "return document.querySelectorAll('[data-testid=\"recent-decision\"]').length",
            |count| count.as_u64() == Some(1),
        )
        .await;
    assert_eq!(window.count("queue-item").await, 2);
    window
        .until(
            "it is claimed again",
            "return document.querySelector('[data-testid=\"lease\"]')?.textContent ?? ''",
            |lease| lease.as_str().is_some_and(|lease| lease.starts_with("yours")),
        )
        .await;
    window.close().await;
    let report = world.json(["audit", "verify"]);
    assert_eq!(report["fault"], Value::Null);
}
