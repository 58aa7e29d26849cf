//! A team's database that goes away in the middle of a decision: the window says so, keeps what was typed, and saves it when the
//! database is back. The decision is there once.
//!
//! Deliberately not here: a program that dies (`journeys/killed`), and the disk under SQLite (the durability tests).

use crate::window::{Display, Window};
use pincite_tests::World;
use pincite_tests::postgres::Server;
use serde_json::Value;
use std::time::Duration;

const ENTER: &str = "\u{e007}";
const READY: &str = "return document.querySelector('[data-testid=\"evidence\"]')?.getAttribute('aria-busy') === 'false' \
    && (document.querySelector('[data-testid=\"lease\"]')?.textContent ?? '').startsWith('yours')";
const IN_EDITOR: &str = "return document.activeElement?.closest('[data-testid=\"editor\"]') !== null";
const SAVED: &str = "return document.querySelector('[data-testid=\"save-state\"]')?.dataset.state ?? ''";

const YES: fn(&Value) -> bool = |answer| answer == &Value::Bool(true);

/// Items that want a text, each with a document of its own.
pub(crate) fn world_of_texts(world: &World, items: usize) {
    let _ = world.json(["init"]);
    let catalogue = world.file("catalogue.toml", "[field.\"slip.word\"]\ntype = \"text\"\n");
    let _ = world.json(["catalogue", "set", &catalogue]);
    let (mut ingest, mut lines) = (vec!["ingest".to_owned()], String::new());
    for number in 0..items {
        let body = format!("The word of slip {number} is x.\n");
        let record = serde_json::json!({
            "record_id": format!("r-{number}"), "doc_id": format!("slip-{number}"),
            "doc_sha256": pincite_core::sha256_hex(body.as_bytes()), "field": "slip.word", "value": "x", "status": "present",
            "confidence": 0.5, "provenance": [{"quote": body.trim()}],
            "extractor": {"model": "m", "prompt_version": "p", "run_id": "r"}, "due_at": null
        });
        lines.push_str(&format!("{record}\n"));
        ingest.push(world.file(&format!("slip-{number}.txt"), body));
    }
    let _ = world.lines(0, &ingest);
    let _ = world.lines(0, ["record", "import", "--place", &world.file("records.jsonl", lines)]);
    let _ = world.json(["settings", "set", "second_review_share", "0", "--why", "a test"]);
}

#[tokio::test]
async fn nothing_typed_is_lost_when_the_database_goes_away() {
    let Some(mut server) = Server::durable() else { return };
    let world = World::on(server.workspace_url());
    let rounds: [(&str, Option<u64>); 4] = [
        ("typed before it went away", None),
        ("sent as it went away", Some(0)),
        ("sent just before", Some(15)),
        ("sent and perhaps kept", Some(60)),
    ];
    world_of_texts(&world, rounds.len() + 1);
    let display = Display::new(1280, 800);
    let window = Window::open(&display, &world, 1280, 800).await;
    for (number, (value, pause)) in rounds.iter().enumerate() {
        window.until("an item can be decided", READY, YES).await;
        window.press("c").await;
        window.until("the editor has the focus", IN_EDITOR, YES).await;
        window.press(value).await;
        match pause {
            None => {
                server.crash();
                window.press(ENTER).await;
                let away = |state: &Value| state == "not_saved_yet";
                window.until("it says that it is not saved yet", SAVED, away).await;
                assert!(window.text("save-state").await.contains("not saved yet"));
            }
            Some(milliseconds) => {
                window.press(ENTER).await;
                tokio::time::sleep(Duration::from_millis(*milliseconds)).await;
                server.crash();
            }
        }
        server.start();
        window.until("it is saved", SAVED, |state| state == "saved").await;
        let kept = world.lines(0, ["decision", "list"]);
        let values: Vec<&str> = kept.iter().filter_map(|decision| decision["value"].as_str()).collect();
        let meant: Vec<&str> = rounds.iter().take(number + 1).map(|(value, _)| *value).collect();
        assert_eq!(values, meant, "each is there once");
    }
    assert!(world.json(["audit", "verify"])["fault"].is_null());
    window.close().await;
}
