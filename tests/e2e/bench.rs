//! How long the window takes from a key to the page on the screen.
//!
//! Over 100 items at 1280 by 800, warm: from keydown to the second frame after the page's picture is decoded. The window
//! measures itself (`window.__pincite_timings`); this drives it and prints the distribution.
//!
//! Deliberately not here: a limit. A speed is measured, never asserted.

use crate::window::{Display, Window};
use pincite_tests::{Chance, World, tree};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Items decided and pages turned.
const ITEMS: usize = 100;

/// A workspace with so many items of text fields, each citing another place of the tender; each record says "x".
pub(crate) fn tender_with_items(items: usize) -> World {
    let world = World::empty();
    let pdf = tree::fixture("documents/pliego-2026-014.pdf");
    let ingested = world.lines(0, ["ingest", &pdf.display().to_string()]).remove(0);
    let layer: Vec<char> = world.run(["document", "text", "pliego-2026-014"]).out.chars().collect();
    let mut chance = Chance::new(7);
    let (mut catalogue, mut records) = (String::new(), String::new());
    for number in 0..items {
        let _ = writeln!(catalogue, "[field.\"field-{number:03}\"]\ntype = \"text\"\n");
        let start = usize::try_from(chance.below(layer.len() as u64 - 200)).unwrap_or(0);
        let quote: String = layer[start..start + 120].iter().collect();
        let record = json!({
            "record_id": format!("bench-{number:03}"), "doc_id": "pliego-2026-014", "doc_sha256": ingested["doc_sha256"],
            "field": format!("field-{number:03}"), "value": "x", "status": "present", "confidence": 0.9,
            "provenance": [{ "quote": quote, "char_start": start, "char_end": start + 120 }],
            "extractor": { "model": "bench", "prompt_version": "1", "run_id": "run" }
        });
        let _ = writeln!(records, "{record}");
    }
    let catalogue = world.file("catalogue.toml", catalogue);
    let _ = world.json(["catalogue", "set", &catalogue]);
    let records = world.file("records.jsonl", records);
    let _ = world.lines(0, ["record", "import", &records]);
    world
}

fn distribution(mut milliseconds: Vec<f64>) -> String {
    milliseconds.sort_by(f64::total_cmp);
    let at = |share: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an index into a short list"
        )]
        let index = ((milliseconds.len() as f64 - 1.0) * share).round() as usize;
        milliseconds.get(index).copied().unwrap_or(f64::NAN)
    };
    format!(
        "n {}  least {:.0}  median {:.0}  p95 {:.0}  most {:.0}",
        milliseconds.len(),
        at(0.0),
        at(0.5),
        at(0.95),
        at(1.0)
    )
}

fn of(timings: &Value, what: &str) -> Vec<f64> {
    let list = timings.as_array().cloned().unwrap_or_default();
    list.iter()
        .filter(|timing| timing["what"] == what)
        .filter_map(|timing| timing["milliseconds"].as_f64())
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a measurement: `make bench`"]
#[expect(clippy::print_stdout, reason = "what was measured")]
async fn bench_from_key_to_page() {
    let world = tender_with_items(ITEMS + 20);
    let display = Display::new(1280, 800);
    let window = Window::open(&display, &world, 1280, 800).await;
    window.there("page-image").await;
    let painted = "return document.querySelectorAll('[data-testid=\"quote-rect\"]').length > 0 && (document.querySelector('[data-testid=\"lease\"]')?.textContent ?? '').startsWith('yours')";
    let ready = async |count: usize, what: &str| {
        let script = format!("return window.__pincite_timings.filter(t => t.what === '{what}').length >= {count}");
        window
            .until("the page is there", &script, |done| done == &Value::Bool(true))
            .await;
        window
            .until("the item is ready", painted, |done| done == &Value::Bool(true))
            .await;
    };
    window
        .until("the first item is ready", painted, |done| done == &Value::Bool(true))
        .await;
    // Another item's page with its highlight, by j; then back up, so that pages are warm.
    for turn in 1..=20 {
        window.press(if turn <= 10 { "j" } else { "k" }).await;
        ready(turn, "page").await;
    }
    let _ = window
        .script("window.__pincite_timings.length = 0; return null", Vec::new())
        .await;
    for turn in 1..=ITEMS {
        window.press(if (turn - 1) % 20 < 10 { "j" } else { "k" }).await;
        ready(turn, "page").await;
    }
    for item in 1..=ITEMS {
        window.press("a").await;
        ready(item, "item").await;
        window.saved().await;
    }
    let timings = window.script("return window.__pincite_timings", Vec::new()).await;
    println!(
        "from keydown to the second frame after the page is decoded, milliseconds, {ITEMS} items at 1280x800, warm"
    );
    println!(
        "  a page with its highlight   {}   (aim: median 50)",
        distribution(of(&timings, "page"))
    );
    println!(
        "  the next item               {}   (aim: median 150)",
        distribution(of(&timings, "item"))
    );
    window.close().await;
}
