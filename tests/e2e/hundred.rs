//! A hundred items by keys alone, on a bad afternoon: typing what contains every shortcut, another program in front, a
//! lease lost while typing, decisions taken back over several items. The database holds exactly what was meant.
//!
//! Deliberately not here: how fast it went (`bench`), and what a value may be (the core's own tests).

use crate::bench::tender_with_items;
use crate::window::{Display, Window};
use pincite_tests::{World, database};
use serde_json::Value;
use std::collections::BTreeMap;

const ITEMS: usize = 100;
const ENTER: &str = "\u{e007}";
const ALT: char = '\u{e00a}';
const TAB: char = '\u{e004}';

/// Every key that means something on the review desk, and a few that mean something elsewhere.
const EVERY_SHORTCUT: &str = "axcujkropnfdvse i?+=-0 1234";

/// What is meant for an item.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Meant {
    Accept,
    Correct(String),
    Reject(&'static str),
    Abstain(&'static str),
}

impl Meant {
    fn of(number: usize) -> Self {
        match number % 5 {
            0 | 1 => Self::Accept,
            2 => Self::Correct(format!("{EVERY_SHORTCUT} {number}")),
            3 => Self::Reject("wrong_passage"),
            _ => Self::Abstain("not_applicable"),
        }
    }

    /// Kind, value as JSON and reason, as a decision has them. The records say "x".
    fn told(&self) -> (String, Value, Value) {
        match self {
            Self::Accept => ("accept".into(), "x".into(), Value::Null),
            Self::Correct(value) => ("correct".into(), value.as_str().into(), Value::Null),
            Self::Reject(code) => ("reject".into(), Value::Null, (*code).into()),
            Self::Abstain(code) => ("abstain".into(), Value::Null, (*code).into()),
        }
    }
}

const FIELD: &str = "return document.querySelector('[data-testid=\"item-field\"]')?.dataset.field ?? ''";
const READY: &str = "return document.querySelector('[data-testid=\"evidence\"]')?.getAttribute('aria-busy') === 'false' \
    && document.querySelectorAll('[data-testid=\"quote-rect\"]').length > 0 \
    && (document.querySelector('[data-testid=\"lease\"]')?.textContent ?? '').startsWith('yours')";
const IN_EDITOR: &str = "return document.activeElement?.closest('[data-testid=\"editor\"]') !== null";
const TYPED: &str =
    "return document.querySelector('[data-testid=\"editor\"]')?.querySelector('input, textarea')?.value ?? ''";
const REASONS: &str = "return document.activeElement?.closest('[data-testid=\"reason-panel\"]') !== null";
const LEASE: &str = "return document.querySelector('[data-testid=\"lease\"]')?.textContent ?? ''";

const YES: fn(&Value) -> bool = |answer| answer == &Value::Bool(true);

/// Waits until the item of a field is open, painted and held.
async fn ready(window: &Window, field: &str) {
    window
        .until(&format!("{field} is open"), FIELD, |open| open == field)
        .await;
    window.until(&format!("{field} can be decided"), READY, YES).await;
}

/// Opens the editor and types.
async fn type_value(window: &Window, value: &str) {
    window.press("c").await;
    window.until("the editor has the focus", IN_EDITOR, YES).await;
    window.press(value).await;
}

async fn give_reason(window: &Window, key: &str, number: &str) {
    window.press(key).await;
    window.until("a reason is asked for", REASONS, YES).await;
    window.press(number).await;
    window.press(ENTER).await;
}

async fn decide(window: &Window, meant: &Meant) {
    match meant {
        Meant::Accept => window.press("a").await,
        Meant::Correct(value) => {
            type_value(window, value).await;
            window.press(ENTER).await;
        }
        Meant::Reject(_) => give_reason(window, "x", "2").await,
        Meant::Abstain(_) => give_reason(window, " ", "2").await,
    }
}

/// Another program comes to the front while a value is typed, and goes again.
async fn look_elsewhere(window: &Window, display: &Display, value: &str) {
    let (first, second) = value.split_at(value.len() / 2);
    type_value(window, first).await;
    window.hold(ALT, TAB).await;
    display.focus_elsewhere();
    let focus = "return document.hasFocus()";
    window
        .until("the window is behind", focus, |focus| focus == &Value::Bool(false))
        .await;
    display.focus_window();
    window.until("the window is in front again", focus, YES).await;
    // Where Alt+Tab reached the page, the editor is one Tab away; what was typed is there.
    window.script("document.querySelector('[data-testid=\"editor\"]')?.querySelector('input, textarea')?.focus(); return null", Vec::new()).await;
    window
        .until("what was typed is there", TYPED, |typed| typed == first)
        .await;
    window.press(second).await;
    window.press(ENTER).await;
}

/// The lease runs out while a value is typed, and somebody else takes the item for a moment.
async fn lose_the_lease(window: &Window, world: &World, item: &str, value: &str) {
    type_value(window, value).await;
    database::alter(
        world,
        &format!("UPDATE assignments SET expires_at = 1 WHERE item_id = '{item}' AND ended_at IS NULL"),
    );
    let taken = world.json(["queue", "claim", item, "--as", "bea"]);
    // Two windows, or a window and a command, see each other's claims at once.
    window
        .until("the loss is said", LEASE, |lease| lease == "not yours")
        .await;
    window
        .until("what was typed stays", TYPED, |typed| typed == value)
        .await;
    // Enter asks for it again; it is another's.
    window.press(ENTER).await;
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    window
        .until("it is still another's", LEASE, |lease| lease == "not yours")
        .await;
    let token = taken["token"]
        .as_i64()
        .map(|token| token.to_string())
        .unwrap_or_default();
    let _ = world.json(["queue", "release", item, "--token", &token, "--as", "bea"]);
    window
        .until("it is claimed again", LEASE, |lease| {
            lease.as_str().is_some_and(|lease| lease.starts_with("yours"))
        })
        .await;
    window
        .until("what was typed is there", TYPED, |typed| typed == value)
        .await;
    window.until("the editor has the focus", IN_EDITOR, YES).await;
    window.press(ENTER).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_items_by_keys_alone() {
    let world = tender_with_items(ITEMS);
    let queue = world.json(["queue", "list", "--limit", "1000"]);
    let order: Vec<(String, String)> = queue
        .as_array()
        .expect("a list")
        .iter()
        .map(|item| {
            let text = |key: &str| item[key].as_str().unwrap_or_default().to_owned();
            (text("field"), text("item"))
        })
        .collect();
    assert_eq!(order.len(), ITEMS);
    let mut meant: BTreeMap<String, Meant> = (0..)
        .zip(&order)
        .map(|(number, (field, _))| (field.clone(), Meant::of(number)))
        .collect();

    let display = Display::new(1280, 800);
    let window = Window::open(&display, &world, 1280, 800).await;
    for (number, (field, item)) in order.iter().enumerate() {
        ready(&window, field).await;
        let wanted = meant[field].clone();
        match (&wanted, number) {
            (Meant::Correct(value), 22) => look_elsewhere(&window, &display, value).await,
            (Meant::Correct(value), 42) => lose_the_lease(&window, &world, item, value).await,
            _ => decide(&window, &wanted).await,
        }
        // Three decisions are taken back, each over the next item, and made otherwise.
        if number == 62 {
            let back = [62, 61, 60];
            ready(&window, &order[63].0).await;
            for taken in back {
                window.press("u").await;
                ready(&window, &order[taken].0).await;
            }
            for again in back.into_iter().rev() {
                let field = &order[again].0;
                ready(&window, field).await;
                meant.insert(field.clone(), Meant::Reject("wrong_passage"));
                decide(&window, &Meant::Reject("wrong_passage")).await;
            }
        }
    }
    window
        .until(
            "the queue is empty",
            "return document.querySelectorAll('[data-testid=\"queue-item\"]').length",
            |left| left.as_u64() == Some(0),
        )
        .await;
    window.saved().await;
    window.close().await;

    let decisions = world.lines(0, ["decision", "list", "--limit", "1000"]);
    assert_eq!(decisions.len(), ITEMS + 3 + 3, "each was made once");
    assert!(decisions.iter().all(|decision| decision["reviewer"] == "ada"));
    assert_eq!(
        decisions.iter().filter(|decision| decision["kind"] == "undo").count(),
        3
    );
    let standing: BTreeMap<String, (String, Value, Value)> = decisions
        .iter()
        .filter(|decision| decision["standing"] == true)
        .map(|decision| {
            let text = |key: &str| decision[key].as_str().unwrap_or_default().to_owned();
            (
                text("field"),
                (text("kind"), decision["value"].clone(), decision["reason"].clone()),
            )
        })
        .collect();
    let wanted: BTreeMap<String, (String, Value, Value)> = meant
        .iter()
        .map(|(field, meant)| (field.clone(), meant.told()))
        .collect();
    assert_eq!(standing, wanted);
    // Every decision was seen by a window, and the one that another program interrupted was not active all the time.
    let times = world.lines(0, ["decision", "times"]);
    let milliseconds = |line: &Value, key: &str| line[key].as_u64();
    assert!(times.iter().filter(|line| line["kind"] != "undo").all(|line| {
        milliseconds(line, "wall_milliseconds") > Some(0)
            && milliseconds(line, "active_milliseconds") <= milliseconds(line, "wall_milliseconds")
    }));
    let interrupted = times.iter().find(|line| line["field"] == order[22].0.as_str());
    let interrupted = interrupted.expect("it was decided");
    assert!(
        milliseconds(interrupted, "active_milliseconds") < milliseconds(interrupted, "wall_milliseconds"),
        "{interrupted}"
    );
    assert_eq!(world.json(["audit", "verify"])["fault"], Value::Null);
}
