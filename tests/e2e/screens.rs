//! The screens of the window, each with the way to it: what pictures are kept of, and what is checked for everybody.
//!
//! The world is the demo with some decisions made, and due dates as far away as when the pictures were taken.
//!
//! Deliberately not here: what is expected of a screen.

use crate::window::Window;
use pincite_app::wire::{DecideRequest, ReadingEvent, ReadingEventKind, ReadingSegment, Verdict};
use pincite_app::{Workspace, queue};
use pincite_tests::{World, database};
use serde_json::Value;

/// One step on the way to a screen.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    /// Clicks the first element with this test id.
    Click(&'static str),
    /// Presses keys where the focus is.
    Press(&'static str),
    /// Waits until the first element with this test id is there.
    Wait(&'static str),
}

/// A screen, reached from the one before it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Screen {
    pub(crate) name: &'static str,
    pub(crate) steps: &'static [Step],
    /// Whether its picture is kept in docs/pictures.
    pub(crate) is_kept: bool,
}

use Step::{Click, Press, Wait};

const ESCAPE: &str = "\u{e00c}";

const fn screen(name: &'static str, steps: &'static [Step]) -> Screen {
    Screen {
        name,
        steps,
        is_kept: false,
    }
}

const fn kept(name: &'static str, steps: &'static [Step]) -> Screen {
    Screen {
        name,
        steps,
        is_kept: true,
    }
}

/// Every screen, in an order in which each is reached from the one before.
pub(crate) const SCREENS: &[Screen] = &[
    kept("review", &[Click("open-review"), Wait("quote-rect")]),
    screen("review, filtered", &[Press("f"), Wait("filter-row")]),
    screen(
        "review, typing",
        &[Press(ESCAPE), Press("c"), Press("12 axcu"), Wait("editor-message")],
    ),
    screen("review, a reason", &[Press(ESCAPE), Press("x"), Wait("reason-panel")]),
    screen("review, put off", &[Press(ESCAPE), Press("h"), Wait("hold-panel")]),
    screen("review, who holds what", &[Press(ESCAPE), Press("t"), Wait("holds")]),
    screen("keys", &[Press(ESCAPE), Press("?"), Wait("keys-panel")]),
    screen("taking in", &[Press(ESCAPE), Click("open-import"), Wait("import-path")]),
    kept(
        "calibration",
        &[Click("open-import"), Click("open-calibration"), Wait("bin-row")],
    ),
    screen("calibration, a bin's items", &[Press("jo"), Wait("bin-item")]),
    screen("calibration, definitions", &[Press("d"), Wait("definitions")]),
    screen(
        "calibration, audit shares",
        &[Press("d"), Press(ESCAPE), Press("s"), Wait("audit-share")],
    ),
    screen(
        "calibration, saving the chart",
        &[Press(ESCAPE), Press("e"), Wait("export")],
    ),
    kept(
        "incidents",
        &[
            Press(ESCAPE),
            Press("g"),
            Wait("incident-times"),
            Wait("incident-effect"),
        ],
    ),
    kept("watch", &[Press(ESCAPE), Press("w"), Wait("watch-errors")]),
    screen("watch, definitions", &[Press("d"), Wait("definitions")]),
    kept("documents", &[Press("d"), Click("open-documents"), Wait("field-row")]),
    // Its time line ends today, so no picture of it can be kept.
    screen(
        "corpus",
        &[Click("open-corpus"), Wait("document-time"), Wait("in-force-row")],
    ),
    screen("corpus, what changed", &[Click("show-changes"), Wait("changes")]),
    screen("corpus, groups", &[Press("2"), Wait("group")]),
    screen("corpus, differences", &[Press("3"), Wait("differences")]),
    screen("corpus, held tables", &[Press("4"), Wait("no-held-table")]),
    screen("corpus, scope", &[Press("5"), Wait("scope")]),
    screen("corpus, lag", &[Press("6"), Wait("rate-stale")]),
    screen("corpus, answers", &[Press("7"), Wait("no-answers")]),
    kept(
        "beside",
        &[
            Press("1"),
            Click("show-changes"),
            Click("change"),
            Wait("replacement-after"),
            Wait("quote-text"),
        ],
    ),
];

impl Screen {
    /// Goes there from the screen before, and waits until it has come to rest.
    pub(crate) async fn reach(&self, window: &Window) {
        for step in self.steps {
            match step {
                Click(id) => window.click(id).await,
                Press(keys) => window.press(keys).await,
                Wait(id) => window.there(id).await,
            }
        }
        window
            .until(
                &format!("{} is drawn", self.name),
                "return [...document.querySelectorAll('[data-testid=\"page-image\"]')].every(image => image.complete && image.naturalWidth > 0) \
                 && document.querySelector('[aria-busy=\"true\"]') === null \
                 && !(document.querySelector('[data-testid=\"save-state\"]')?.dataset.state ?? '').startsWith('saving')",
                |drawn| drawn == &Value::Bool(true),
            )
            .await;
        tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    }
}

/// The demo, with some slips decided at leisure so that curves have labels, and a run of hasty accepts, so that there is an
/// incident.
pub(crate) async fn decided_demo() -> World {
    let world = World::demo();
    // As far away as on the day on which the fixtures are dated, and half an hour, so that a day's turn changes no word.
    let dated = "(unixepoch('2026-11-30 09:00:00') * 1000 - 1800000)";
    database::alter(
        &world,
        &format!(
            "UPDATE items SET due_at = due_at - {dated} + unixepoch() * 1000, due_order = due_order - {dated} + unixepoch() * 1000 \
             WHERE due_at IS NOT NULL"
        ),
    );
    let queue = world.json(["queue", "list", "--limit", "1000"]);
    let slips = queue.as_array().cloned().unwrap_or_default();
    let slips = slips
        .iter()
        .filter(|item| {
            item["doc_id"].as_str().is_some_and(|id| id.starts_with("slip")) && item["reason"] == "check_value"
        })
        .filter_map(|item| item["item"].as_str());
    let workspace = Workspace::open(world.place()).await.expect("the workspace");
    for (number, item) in (0_u64..).zip(slips.take(42)) {
        let is_hasty = number >= 36;
        decide(&workspace, item, number, is_hasty).await;
    }
    workspace.store.close().await;
    world
}

async fn decide(workspace: &Workspace, item: &str, number: u64, is_hasty: bool) {
    let reviewer = if is_hasty { "bea" } else { "cleo" };
    let claim = queue::claim(workspace, Some(item), reviewer).await.expect("a claim");
    let claim = claim.expect("the item is free");
    let at = |at, event| ReadingEvent { at, event };
    let spent = if is_hasty { 700 } else { 20_000 + number * 900 };
    let request = DecideRequest {
        item: claim.item,
        item_version: claim.item_version,
        token: claim.token,
        key: format!("screens {number}"),
        record_id: None,
        verdict: if !is_hasty && number % 9 == 4 {
            Verdict::Reject {
                reason: "wrong_value".into(),
            }
        } else {
            Verdict::Accept
        },
        note: None,
        signature: None,
        segments: vec![ReadingSegment {
            segment: format!("screens {number}"),
            process: "screens".into(),
            events: vec![at(0, ReadingEventKind::Painted), at(spent, ReadingEventKind::Decided)],
        }],
    };
    let _ = queue::decide(workspace, &request, reviewer).await.expect("a decision");
}
