//! The registry in the window: a citation of last year's rule says so, and what replaced it opens beside it; the Corpus desk on
//! two dates.
//!
//! Deliberately not here: the rules (`pincite_core::registry`), and how each screen looks (`pictures`).

use crate::window::{Display, Window};
use pincite_tests::{World, tree};
use serde_json::{Value, json};
use std::fmt::Write as _;

const ESCAPE: &str = "\u{e00c}";
const ENTER: &str = "\u{e007}";
const YES: fn(&Value) -> bool = |answer| answer == &Value::Bool(true);

/// The procedure and the policy with their revisions, and a record of last year's rule from each.
fn registered() -> World {
    let world = World::empty();
    for manifest in ["policies/procedure.csv", "policies/manifest.toml"] {
        let manifest = tree::fixture(manifest).display().to_string();
        let _ = world.lines(0, ["registry", "import", &manifest, "--why", "a test"]);
    }
    let hash = |doc: &str, revision: &str| {
        let shown = world.json(["registry", "show", doc]);
        let found = shown.as_array().and_then(|all| {
            all.iter()
                .find(|one| one["revision"] == revision)
                .and_then(|one| one["doc_sha256"].as_str())
        });
        found.expect("a revision").to_owned()
    };
    let cited = [
        ("retention.period", "sop-114", "C", "are kept for 5 years"),
        ("rate.zurich", "expenses-policy", "2025", "Zurich: CHF 60 a day"),
        (
            "rate.geneva",
            "expenses-policy",
            "2025",
            "The daily rate is reduced by a third",
        ),
    ];
    let (mut catalogue, mut records) = (String::new(), String::new());
    for (number, (field, doc, revision, quote)) in cited.iter().enumerate() {
        let _ = writeln!(
            catalogue,
            "[field.\"{field}\"]\ntitle = \"{field}\"\ntype = \"text\"\nmax_error = 0.1\n"
        );
        let hash = hash(doc, revision);
        let record = json!({
            "record_id": format!("cited-{number}"), "doc_id": doc, "doc_sha256": hash, "field": field,
            "value": quote, "status": "present", "confidence": 0.3,
            "provenance": [{ "doc_id": doc, "doc_sha256": hash, "quote": quote }],
            "extractor": { "model": "proof", "prompt_version": "1", "run_id": "run" },
            "due_at": format!("2027-01-0{}T12:00:00+00:00", number + 1)
        });
        let _ = writeln!(records, "{record}");
    }
    let catalogue = world.file("catalogue.toml", catalogue);
    let records = world.file("records.jsonl", records);
    let _ = world.json(["catalogue", "set", &catalogue]);
    let _ = world.lines(0, ["record", "import", &records, "--place"]);
    world
}

/// The words marked in one of the two panes, where they are text.
async fn marked(window: &Window, pane: &str) -> Value {
    let script = format!(
        "return [...document.querySelectorAll('[data-testid=\"{pane}\"] [data-testid=\"quote-text\"]')].map(mark => mark.textContent)"
    );
    window.script(&script, Vec::new()).await
}

/// Where the first word is marked on a page, as shares of it.
async fn rectangle(window: &Window, pane: &str) -> Vec<f64> {
    let script = format!(
        "const mark = document.querySelector('[data-testid=\"{pane}\"] [data-testid=\"quote-rect\"]'); \
         return [mark.dataset.page, mark.style.left, mark.style.top].map(parseFloat)"
    );
    let sides = window.script(&script, Vec::new()).await;
    let sides = sides.as_array().cloned().unwrap_or_default();
    sides.iter().map(|side| side.as_f64().unwrap_or(f64::NAN)).collect()
}

async fn opened(window: &Window, field: &str) {
    let script = format!("document.querySelector('[data-field=\"{field}\"]').click(); return true");
    let _ = window.script(&script, Vec::new()).await;
    let ready = format!(
        "return document.querySelector('[data-testid=\"evidence\"]')?.getAttribute('aria-busy') === 'false' \
         && document.querySelector('[data-field=\"{field}\"]')?.getAttribute('aria-selected') === 'true' \
         && document.querySelector('[data-testid=\"standing\"]') !== null"
    );
    window.until(&format!("{field} is open"), &ready, YES).await;
}

#[tokio::test]
async fn last_years_rule_says_so_and_one_key_opens_what_replaced_it() {
    let world = registered();
    let display = Display::new(1280, 800);
    let window = Window::open(&display, &world, 1280, 800).await;
    window.there("queue-item").await;

    // The retention case: a page on each side, the years marked where they stand.
    opened(&window, "retention.period").await;
    assert!(
        window
            .text("standing")
            .await
            .contains("superseded by D since 2026-02-02"),
        "{}",
        window.text("standing").await
    );
    let listed = "return document.querySelector('[data-field=\"retention.period\"] [data-testid=\"item-standing\"]')?.textContent.trim() ?? ''";
    window
        .until("the queue says so, too", listed, |word| {
            word.as_str().is_some_and(|word| word.ends_with("superseded"))
        })
        .await;
    window.press("b").await;
    let drawn = "return ['replacement-before', 'replacement-after'].every(pane => \
        document.querySelectorAll(`[data-testid=\"${pane}\"] [data-testid=\"quote-rect\"]`).length === 1)";
    window.until("both are drawn", drawn, YES).await;
    assert!(
        window
            .text("replacement-after")
            .await
            .contains("D, in force since 2026-02-02")
    );
    let changes = changes(&world);
    for (pane, side) in [("replacement-before", "before"), ("replacement-after", "after")] {
        let seen = rectangle(&window, pane).await;
        let (page, left, top) = changes[side];
        assert!(
            seen.first() == Some(&page)
                && seen.get(1).is_some_and(|seen| (seen - left).abs() < 0.2)
                && seen.get(2).is_some_and(|seen| (seen - top).abs() < 0.8),
            "{pane}: {seen:?}, and the word stands at {:?}",
            changes[side]
        );
    }
    // No key of the desk fires under it.
    window.press("a").await;
    window.press(ESCAPE).await;
    window
        .until(
            "it is closed",
            "return document.querySelector('[data-testid=\"replacement\"]') === null",
            YES,
        )
        .await;
    assert_eq!(world.lines(0, ["decision", "list"]).len(), 0);

    // The Zurich case: two texts, the rate marked in each.
    opened(&window, "rate.zurich").await;
    assert!(
        window
            .text("standing")
            .await
            .contains("superseded by 2026 since 2026-02-01")
    );
    window.press("b").await;
    let there = "return ['replacement-before', 'replacement-after'].every(pane => \
        document.querySelector(`[data-testid=\"${pane}\"] [data-testid=\"quote-text\"]`) !== null)";
    window.until("both are there", there, YES).await;
    assert_eq!(marked(&window, "replacement-before").await, json!(["60"]));
    assert_eq!(marked(&window, "replacement-after").await, json!(["85"]));
    window.press(ESCAPE).await;

    // What a later revision left as it was is carried, and nothing opens beside it.
    opened(&window, "rate.geneva").await;
    assert!(window.text("standing").await.contains("carried: 2026 says the same"));
    assert_eq!(window.count("open-replacement").await, 0);
    window.press("b").await;
    assert_eq!(window.count("replacement").await, 0);
    window.close().await;
}

/// Where the words that 7.2 changed from C to D stand: page, and left and top in per cent of it.
fn changes(world: &World) -> std::collections::BTreeMap<&'static str, (f64, f64, f64)> {
    let shown = world.json(["registry", "show", "sop-114"]);
    let name = |revision: &str| {
        let all = shown.as_array().cloned().unwrap_or_default();
        let one = all
            .into_iter()
            .find(|one| one["revision"] == revision)
            .expect("a revision");
        format!("sop-114@{}", one["doc_sha256"].as_str().unwrap_or_default())
    };
    let (before, after) = (name("C"), name("D"));
    let changed = world.json(["registry", "diff", &before, &after, "--words"]);
    let all = changed.as_array().cloned().unwrap_or_default();
    let one = all
        .iter()
        .find(|one| one["after"]["locator"] == "7.2")
        .expect("a change");
    let place = |doc: &str, words: &Value| {
        let number = |key: &str| words[0][key].to_string();
        let boxes = world.json([
            "document",
            "boxes",
            doc,
            "--start",
            &number("start"),
            "--end",
            &number("end"),
        ]);
        let rect = &boxes["rects"][0];
        let at = |key: &str| rect[key].as_f64().unwrap_or(f64::NAN);
        (at("page"), at("x0") / 595.276 * 100.0, at("y0") / 841.89 * 100.0)
    };
    [
        ("before", place(&before, &one["removed"])),
        ("after", place(&after, &one["added"])),
    ]
    .into()
}

async fn asks(window: &Window, id: &str, day: &str) {
    window.type_into(id, day).await;
    window.press(ENTER).await;
}

#[tokio::test]
async fn the_corpus_desk_answers_on_two_dates() {
    let world = registered();
    let display = Display::new(1280, 800);
    let window = Window::open(&display, &world, 1280, 800).await;
    window.click("open-corpus").await;
    window.there("document-time").await;
    let choose =
        "document.querySelector('[data-document=\"sop-114\"][data-testid=\"corpus-row\"]').click(); return true";
    let _ = window.script(choose, Vec::new()).await;
    let brought = "return document.querySelector('[data-testid=\"document-time\"]')?.dataset.document === 'sop-114' \
        ? document.querySelector('[data-testid=\"in-force-row\"][data-locator=\"7.2\"]')?.dataset.revision ?? 'none' : ''";
    let is = |revision: &'static str| move |said: &Value| said == revision;
    window.until("D says how long, today", brought, is("D")).await;

    // On the first of March as it was known before D was recorded, it was C's text, which A brought; as known later, D's.
    asks(&window, "valid-at", "2026-03-01").await;
    asks(&window, "known-at", "2026-01-09").await;
    window.until("it was A's words then", brought, is("A")).await;
    let status = "return [...document.querySelectorAll('[data-testid=\"revision-row\"]')].map(row => row.dataset.status).join(' ')";
    let as_known = |said: &Value| said == "effective superseded superseded";
    window.until("D was not known", status, as_known).await;
    window.click("dates-today").await;
    window.until("today again", brought, is("D")).await;
    asks(&window, "valid-at", "2020-01-01").await;
    window.there("nothing-in-force").await;
    window.click("dates-today").await;
    window.until("today again", brought, is("D")).await;

    // A day that is none is refused in words, and nothing else is lost.
    asks(&window, "valid-at", "2026-02-30").await;
    let said = "return document.querySelector('[data-testid=\"desk-corpus\"] [role=alert]')?.textContent ?? ''";
    let named = |said: &Value| said.as_str().is_some_and(|said| said.contains("2026-02-30"));
    window.until("it says that the day is none", said, named).await;
    window.click("dates-today").await;
    window.until("today again", brought, is("D")).await;

    // D is withdrawn with a reason; C is in force again.
    window.click("deed-withdrawn").await;
    window.press("the period is wrong").await;
    window.press(ENTER).await;
    window.until("C's words hold again", brought, is("A")).await;
    let shown = world.json(["registry", "show", "sop-114"]);
    let last = shown.as_array().and_then(|all| all.last().cloned()).unwrap_or_default();
    assert_eq!(last["status"], "withdrawn");
    let why = last["events"]
        .as_array()
        .and_then(|all| all.last().cloned())
        .unwrap_or_default();
    assert_eq!(why["why"], "the period is wrong");

    // The copy in another folder is said to be one.
    window.press("2").await;
    window.there("group").await;
    window.press(ENTER).await;
    window.there("why-panel").await;
    window.press("somebody's copy").await;
    window.press(ENTER).await;
    let confirmed =
        "return document.querySelector('[data-testid=\"group\"]')?.textContent.includes('confirmed') ?? false";
    window.until("it is confirmed", confirmed, YES).await;
    assert!(world.json(["audit", "verify"])["fault"].is_null());
    window.close().await;
}

#[tokio::test]
async fn an_answer_is_stopped_today_and_last_marchs_is_not() {
    let world = registered();
    let hash = |seq: i64| {
        let shown = world.json(["registry", "show", "expenses-policy"]);
        let all = shown.as_array().cloned().unwrap_or_default();
        let one = all.into_iter().find(|one| one["seq"] == seq).expect("a revision");
        one["doc_sha256"].as_str().unwrap_or_default().to_owned()
    };
    let rate = |hash: &str, quote: &str| {
        let layer = world.run(["document", "text", &format!("expenses-policy@{hash}")]).out;
        let at = layer.find(quote).expect("it stands there");
        let start = layer.get(..at).unwrap_or_default().chars().count();
        json!([{ "doc_id": "expenses-policy", "doc_sha256": hash, "quote": quote, "char_start": start,
            "char_end": start + quote.chars().count() }])
    };
    let (old, new) = (
        rate(&hash(1), "Zurich: CHF 60 a day"),
        rate(&hash(2), "Zurich: CHF 85 a day"),
    );
    let line = |id: &str, valid_at: &str, known_at: Option<&str>, citations: &Value| {
        let question = json!("What is the daily rate in Zurich?");
        let claims = json!([{ "text": "It is in the daily rates.", "citations": citations }]);
        let mut line = json!({ "answer_id": id, "question": question, "valid_at": valid_at, "claims": claims });
        if let (Some(known_at), Some(line)) = (known_at, line.as_object_mut()) {
            let _ = line.insert("known_at".into(), known_at.into());
        }
        line.to_string()
    };
    let answers = [
        line("today-60", "2026-11-30", None, &old),
        line("today-85", "2026-11-30", None, &new),
        line("last-march-60", "2025-03-15", Some("2025-03-15"), &old),
        line("march-before-it-was-known-60", "2026-02-15", Some("2026-01-10"), &old),
    ];
    let file = world.file("answers.jsonl", answers.join("\n"));
    let _ = world.lines(0, ["answer", "import", &file]);
    let display = Display::new(1280, 800);
    let window = Window::open(&display, &world, 1280, 800).await;
    window.click("open-corpus").await;
    window.there("document-time").await;
    window.press("7").await;
    let decided =
        "return [...document.querySelectorAll('[data-testid=\"answer\"]')].map(one => one.dataset.decision).join(' ')";
    let expected = |said: &Value| said == "block pass pass pass";
    window.until("only today's 60 is stopped", decided, expected).await;
    let shown = "return document.querySelector('[data-testid=\"answer-shown\"]')?.dataset.answer === 'today-60'";
    window.until("it is shown", shown, YES).await;
    assert!(
        window
            .text("answer-citation")
            .await
            .contains("superseded by 2026 since 2026-02-01")
    );
    // Beside what is in force, by one key.
    window.press("o").await;
    let there = "return ['replacement-before', 'replacement-after'].every(pane => \
        document.querySelector(`[data-testid=\"${pane}\"] [data-testid=\"quote-text\"]`) !== null)";
    window.until("both are there", there, YES).await;
    assert_eq!(marked(&window, "replacement-after").await, json!(["85"]));
    window.close().await;
}
