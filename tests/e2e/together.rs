//! Two windows on one workspace: each sees at once what the other claims and decides, and no item is in both hands.
//!
//! Deliberately not here: how leases are kept (the journeys' `together`).

use crate::bench::tender_with_items;
use crate::window::{Colours, Display, Window};
use serde_json::Value;

const FIELD: &str = "return document.querySelector('[data-testid=\"item-field\"]')?.dataset.field ?? ''";
const YOURS: &str = "return (document.querySelector('[data-testid=\"lease\"]')?.textContent ?? '').startsWith('yours')";

/// What the list says of an item's holder; empty where it says nothing.
fn holder(field: &str) -> String {
    format!(
        "return [...(document.querySelector('[data-testid=\"queue-item\"][data-field=\"{field}\"]')?.querySelectorAll('.states .third') ?? [])] \
         .map(one => one.textContent.trim()).join(' ')"
    )
}

async fn open_field(window: &Window) -> String {
    let field = window.until("an item is open", FIELD, |field| field != "").await;
    window
        .until("it is claimed", YOURS, |yours| yours == &Value::Bool(true))
        .await;
    field.as_str().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_windows_see_each_others_claims_at_once() {
    let world = tender_with_items(6);
    // What one decided is then nobody else's work.
    let _ = world.json(["settings", "set", "second_review_share", "0", "--why", "a test"]);
    let (first_display, second_display) = (Display::new(1280, 800), Display::new(1280, 800));
    let ada = Window::open_for(&first_display, &world, (1280, 800), Colours::Light, "ada").await;
    let adas = open_field(&ada).await;
    let bea = Window::open_for(&second_display, &world, (1280, 800), Colours::Light, "bea").await;
    let beas = open_field(&bea).await;
    assert_ne!(adas, beas, "an item has one owner");
    let with = |who: &'static str| {
        move |said: &Value| {
            said.as_str()
                .is_some_and(|said| said.starts_with(&format!("with {who}")))
        }
    };
    bea.until("bea sees ada's", &holder(&adas), with("ada")).await;
    // Nobody touches this window, and it hears of the other's claim.
    ada.until("ada sees bea's", &holder(&beas), with("bea")).await;

    // Bea goes on: ada sees the one given back and the one claimed.
    bea.press("j").await;
    let next = bea.until("bea's next", FIELD, |field| field != beas.as_str()).await;
    let next = next.as_str().unwrap_or_default().to_owned();
    bea.until("it is claimed", YOURS, |yours| yours == &Value::Bool(true))
        .await;
    ada.until("ada sees bea's next", &holder(&next), with("bea")).await;
    ada.until("and the one given back", &holder(&beas), |said| said == "")
        .await;

    // A decision of one is gone from the other's list.
    bea.until(
        "it can be decided",
        "return document.querySelector('[data-testid=\"evidence\"]')?.getAttribute('aria-busy') === 'false'",
        |ready| ready == &Value::Bool(true),
    )
    .await;
    bea.press("a").await;
    let gone = format!("return document.querySelector('[data-testid=\"queue-item\"][data-field=\"{next}\"]') === null");
    ada.until("ada's list is without it", &gone, |gone| gone == &Value::Bool(true))
        .await;
    bea.saved().await;
    let decisions = world.lines(0, ["decision", "list"]);
    assert_eq!(decisions.len(), 1);
    assert_eq!(decisions[0]["reviewer"], "bea");
    ada.close().await;
    bea.close().await;
}
