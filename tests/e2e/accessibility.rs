//! Every screen for everybody: axe-core finds no violation in light or dark, and WebKit's accessibility tree has a role
//! and a name for every control.
//!
//! Deliberately not here: whether the words help. A person has to say that.

use crate::screens::{SCREENS, decided_demo};
use crate::window::{Colours, Display, Window};
use fantoccini::Locator;
use pincite_tests::tree;
use std::fmt::Write as _;

/// What can have the focus, or says that it is a control.
const CONTROLS: &str = "a[href], button, input, select, textarea, summary, [role], [tabindex]:not([tabindex='-1'])";

/// Roles that hold or say something and need no name of their own.
const NAMELESS: [&str; 22] = [
    "",
    "none",
    "presentation",
    "generic",
    "status",
    "alert",
    "list",
    "listitem",
    "row",
    "cell",
    "rowgroup",
    "rowheader",
    "columnheader",
    "table",
    "paragraph",
    "text",
    "log",
    "marquee",
    "timer",
    "term",
    "definition",
    "image",
];

/// What axe-core finds against WCAG 2.2 AA and its best practices, one line each.
async fn violations(window: &Window) -> Vec<String> {
    let axe = tree::root().join("ui/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(axe).expect("axe-core; `make setup` installs it");
    window
        .script(&format!("if (!window.axe) {{ {axe} }} return null"), Vec::new())
        .await;
    let run = "const done = arguments[arguments.length - 1]; \
               axe.run(document, { resultTypes: ['violations'] }).then(found => done(found.violations.map(one => \
               `${one.id} (${one.impact}): ${one.help}: ` + one.nodes.slice(0, 4).map(node => node.html.slice(0, 160) + ' ' + \
               (node.any[0]?.message ?? '')).join(' | '))), error => done([String(error)]))";
    let found = window.script_later(run).await;
    let lines = found.as_array().cloned().unwrap_or_default();
    lines
        .iter()
        .filter_map(|line| line.as_str().map(str::to_owned))
        .collect()
}

/// Controls without a role or a name in the accessibility tree, one line each.
async fn nameless(window: &Window) -> Vec<String> {
    let mut found = Vec::new();
    for control in window.page.find_all(Locator::Css(CONTROLS)).await.expect("controls") {
        if !control.is_displayed().await.unwrap_or(false) {
            continue;
        }
        let role = window.computed(&control, "computedrole").await;
        let name = window.computed(&control, "computedlabel").await;
        let is_reachable = control
            .prop("tabIndex")
            .await
            .ok()
            .flatten()
            .is_some_and(|index| index != "-1");
        // What the keyboard reaches has a role that says what it is; what has a role says its name.
        let bare = is_reachable && ["", "generic", "none", "presentation"].contains(&role.as_str());
        if bare || (name.trim().is_empty() && !NAMELESS.contains(&role.as_str())) {
            let html = control.html(false).await.unwrap_or_default();
            let html: String = html.chars().take(160).collect();
            found.push(format!("role {role:?}, name {name:?}: {html}"));
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn every_screen_is_for_everybody() {
    let world = decided_demo().await;
    let mut faults = String::new();
    let mut controls = 0;
    for colours in [Colours::Light, Colours::Dark] {
        let display = Display::new(1280, 800);
        let window = Window::open_in(&display, &world, (1280, 800), colours).await;
        for screen in SCREENS {
            screen.reach(&window).await;
            for fault in violations(&window).await {
                let _ = writeln!(faults, "{}, {}: axe: {fault}", screen.name, colours.name());
            }
            // Names do not depend on colours.
            if colours == Colours::Light {
                controls += window
                    .page
                    .find_all(Locator::Css(CONTROLS))
                    .await
                    .map_or(0, |all| all.len());
                for fault in nameless(&window).await {
                    let _ = writeln!(faults, "{}: unnamed: {fault}", screen.name);
                }
            }
        }
        window.close().await;
    }
    assert!(
        controls > 200,
        "the screens have {controls} controls: were they reached?"
    );
    assert!(faults.is_empty(), "{faults}");
}
