//! A team's workspace in the window: signing in, what needs a signature, signing out; and a session that ends while one works.
//!
//! Deliberately not here: what each role and group allows (`journeys/people`).

use crate::away::world_of_texts;
use crate::window::{Colours, Display, Window};
use pincite_tests::{World, postgres};
use serde_json::Value;

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const READY: &str = "return document.querySelector('[data-testid=\"evidence\"]')?.getAttribute('aria-busy') === 'false' \
    && (document.querySelector('[data-testid=\"lease\"]')?.textContent ?? '').startsWith('yours')";
const REASONS: &str = "return document.activeElement?.closest('[data-testid=\"reason-panel\"]') !== null";
const SAVED: &str = "return document.querySelector('[data-testid=\"save-state\"]')?.dataset.state ?? ''";
const GONE: &str = "return document.querySelector('[data-testid=\"signature\"], [data-testid=\"sign-in\"]') === null";
const SIGNING: &str = "return document.activeElement?.dataset.testid === 'signature-password'";

const YES: fn(&Value) -> bool = |answer| answer == &Value::Bool(true);

async fn reject(window: &Window) {
    window.until("an item can be decided", READY, YES).await;
    window.press("x").await;
    window.until("a reason is asked for", REASONS, YES).await;
    window.press("1").await;
    window.press(ENTER).await;
}

#[tokio::test]
async fn somebody_signs_in_signs_a_decision_and_signs_out() {
    let Some(url) = postgres::workspace_url() else { return };
    let world = World::on(url);
    world_of_texts(&world, 3);
    let _ = world.session("ada");
    let _ = world.json(["settings", "set", "signatures", "[\"reject\"]", "--why", "a test"]);
    let password = std::fs::read_to_string(world.password_file()).expect("the password");
    let display = Display::new(1280, 800);
    let window = Window::open_with(&display, &world, (1280, 800), Colours::Light, ("nobody", None)).await;
    window.there("sign-in").await;
    window.type_into("sign-in-account", "ada").await;
    window.type_into("sign-in-password", "not her password").await;
    window.press(ENTER).await;
    let said = "return document.querySelector('[data-testid=\"sign-in\"] [role=alert]')?.textContent ?? ''";
    let wrong = |said: &Value| said.as_str().is_some_and(|said| said.contains("don't belong together"));
    window.until("it is refused", said, wrong).await;
    window.type_into("sign-in-password", &password).await;
    window.press(ENTER).await;
    window.until("she is signed in", GONE, YES).await;
    assert_eq!(window.text("account").await, "ada");

    // A rejection wants a signature. Left alone, nothing is decided and the reason stays.
    reject(&window).await;
    window.until("a signature is asked for", SIGNING, YES).await;
    window.press(ESCAPE).await;
    window.until("it is left", GONE, YES).await;
    assert_eq!(world.lines(0, ["decision", "list"]).len(), 0);
    window.press(ENTER).await;
    window.until("a signature is asked for again", SIGNING, YES).await;
    window.press(&password).await;
    window.press(ENTER).await;
    window.until("it is saved", SAVED, |state| state == "saved").await;
    window.until("the next item is there", READY, YES).await;
    let decisions = world.lines(0, ["decision", "list"]);
    assert_eq!(decisions.len(), 1);
    let signatures = world.lines(0, ["audit", "signatures"]);
    assert_eq!(signatures.len(), 1);
    assert_eq!(
        ["kind", "subject", "account", "meaning"].map(|key| signatures[0][key].clone()),
        [
            Value::from("decision"),
            decisions[0]["decision"].clone(),
            "ada".into(),
            "reviewed".into()
        ]
    );

    // The session ends while she works: what she decides waits, and is saved once she has signed in again.
    let _ = world.json(["settings", "set", "signatures", "[]", "--why", "a test"]);
    pincite_tests::database::alter(&world, "UPDATE sessions SET ends_at = 1 WHERE account = 'ada'");
    window.until("an item can be decided", READY, YES).await;
    window.press("a").await;
    window.there("sign-in").await;
    let waiting = |state: &Value| state == "not_saved_yet";
    window.until("it is not saved yet", SAVED, waiting).await;
    window.type_into("sign-in-account", "ada").await;
    window.type_into("sign-in-password", &password).await;
    window.press(ENTER).await;
    window.until("she is signed in again", GONE, YES).await;
    window.until("it is saved", SAVED, |state| state == "saved").await;
    assert_eq!(world.lines(0, ["decision", "list"]).len(), 2);
    window.until("the last item is there", READY, YES).await;
    window.click("sign-out").await;
    window.there("sign-in").await;
    window.close().await;
}
