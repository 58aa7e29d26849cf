//! The kept pictures of the screens: at 1280x800 and 2560x1440, in light and dark, each as docs/pictures has it.
//!
//! What tells a time of day or a date is left out of the comparison. `make pictures` keeps new ones, to be looked at and
//! committed.
//!
//! Deliberately not here: a judgement. A picture that differs is shown to a person.

use crate::pixels::{Area, Picture};
use crate::screens::{SCREENS, decided_demo};
use crate::window::{Colours, Display, Window};
use pincite_tests::tree;
use serde_json::Value;
use std::fmt::Write as _;

/// A pixel is another one where a channel differs by more than this, of 255: smoothing of letters stays below.
const CHANNEL: u8 = 40;
/// The share of pixels that may be others: a word or two, no panel.
const TOLERANCE: f64 = 0.002;

/// Rectangles of texts that tell a time, in CSS pixels.
const TIMES: &str = r"
    const tells = /\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2}|\b\d+(\.\d+)? ?(ms|s|m|h|d|days?|hours?|minutes?|seconds?)\b|\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b/;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
        if (!tells.test(walker.currentNode.data)) continue;
        const element = walker.currentNode.parentElement;
        if (element.closest('svg, .page, [data-testid=\'text-layer\']')) continue;
        const box = element.getBoundingClientRect();
        if (box.width > 0 && box.height > 0) found.push([box.left, box.top, box.right, box.bottom]);
    }
    return found";

async fn times(window: &Window) -> Vec<Area> {
    let found = window.script(TIMES, Vec::new()).await;
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

#[tokio::test(flavor = "multi_thread")]
async fn every_desk_looks_as_its_kept_picture() {
    let keeps = std::env::var_os("PINCITE_PICTURES").is_some_and(|word| word == "keep");
    let folder = tree::root().join("docs/pictures");
    let world = decided_demo().await;
    let mut differing = String::new();
    for (width, height) in [(1280, 800), (2560, 1440)] {
        for colours in [Colours::Light, Colours::Dark] {
            let display = Display::new(width, height);
            let window = Window::open_in(&display, &world, (width, height), colours).await;
            for screen in SCREENS {
                screen.reach(&window).await;
                if !screen.is_kept {
                    continue;
                }
                let masks = times(&window).await;
                let coded = window.coded_picture().await;
                let picture = Picture::read(&coded);
                let name = format!("{}-{width}-{}.png", screen.name, colours.name());
                let path = folder.join(&name);
                if keeps {
                    std::fs::write(&path, &coded).expect("the picture is kept");
                    continue;
                }
                let kept = std::fs::read(&path)
                    .unwrap_or_else(|error| panic!("docs/pictures/{name}: {error}; `make pictures` keeps it"));
                let share = picture.difference(&Picture::read(&kept), CHANNEL, &masks);
                if share.is_none_or(|share| share > TOLERANCE) {
                    let seen = std::env::temp_dir().join(format!("pincite-{name}"));
                    let _ = std::fs::write(&seen, &coded);
                    let _ = writeln!(
                        differing,
                        "docs/pictures/{name}: {} of the pixels are others (at most {TOLERANCE}); what was seen is {}",
                        share.map_or_else(|| "the size and all".to_owned(), |share| format!("{share:.4}")),
                        seen.display()
                    );
                }
            }
            window.close().await;
        }
    }
    assert!(
        differing.is_empty(),
        "{differing}Where this is meant: `make pictures`, look at them, commit them"
    );
}
