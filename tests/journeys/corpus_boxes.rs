//! Boxes and pictures: a span's rectangles lie on its page and lead back to it; no page brings the renderer down.
//!
//! Deliberately not here: whether a rectangle covers the glyphs on the pixels (the test in the real window looks at those).

use crate::corpus_documents::{corpus, pincite, pincite_text, run};
use crate::{Dice, Outcome};
use pincite_tests::World;
use serde_json::Value;
use std::ffi::OsStr;

/// Spans tried in each document.
const SPANS: usize = 12;
/// Of the spans of our own fixtures, the share whose rectangle must lead back to them.
const SHARE_BACK: f64 = 0.95;
/// How far a rectangle may pass the page's edge, in points: line boxes are a little taller than ink.
const EDGE: f64 = 2.0;

/// What came of the spans of one document.
#[derive(Default)]
struct Tally {
    spans: usize,
    /// The rectangle's text is the span.
    same: usize,
    /// It is the span and more.
    around: usize,
    outside: Vec<String>,
}

/// The pixels of a page: at 72 dots an inch, its size in points.
fn page_size(world: &World, doc: &str, page: u64) -> Result<(f64, f64), String> {
    let out = world.path("page.png").display().to_string();
    let page = page.to_string();
    let said = pincite_text(
        world,
        &["document", "render", doc, "--page", &page, "--dpi", "72", "--out", &out],
    )?
    .value()?;
    let side = |key: &str| said[key].as_f64().unwrap_or(0.0);
    Ok((side("width"), side("height")))
}

/// Spans of 3 to 40 code points on one line, without white space at their ends.
fn short_spans(layer: &[char], dice: &mut Dice) -> Vec<(usize, usize)> {
    let mut spans = Vec::new();
    for _ in 0..SPANS * 50 {
        let size = dice.log_uniform(3, 40);
        if spans.len() == SPANS || layer.len() <= size {
            break;
        }
        let start = dice.below(layer.len() - size);
        let slice = &layer[start..start + size];
        let inked = |character: Option<&char>| character.is_some_and(|character| character.is_alphanumeric());
        if inked(slice.first())
            && inked(slice.last())
            && !slice
                .iter()
                .any(|character| matches!(character, '\n' | '\u{c}' | '\u{fffd}'))
        {
            spans.push((start, start + size));
        }
    }
    spans
}

fn tally(world: &World, doc: &str) -> Result<Tally, String> {
    let layer: Vec<char> = String::from_utf8_lossy(&pincite_text(world, &["document", "text", doc])?.stdout)
        .chars()
        .collect();
    let mut tally = Tally::default();
    let mut sizes = std::collections::HashMap::new();
    for (start, end) in short_spans(&layer, &mut Dice::named(5, doc)) {
        let (from, to) = (start.to_string(), end.to_string());
        let boxes = pincite_text(world, &["document", "boxes", doc, "--start", &from, "--end", &to])?.value()?;
        // One line that is broken into several rectangles (a wide gap, a table's row) is left to its own parts.
        let [rect] = boxes["rects"].as_array().map(Vec::as_slice).unwrap_or_default() else {
            continue;
        };
        let page = rect["page"].as_u64().unwrap_or(0);
        let side = |key: &str| rect[key].as_f64().unwrap_or(f64::NAN);
        let [x0, y0, x1, y1] = ["x0", "y0", "x1", "y1"].map(side);
        let (width, height) = match sizes.get(&page) {
            Some(size) => *size,
            None => *sizes.entry(page).or_insert(page_size(world, doc, page)?),
        };
        if !(x0 >= -EDGE && y0 >= -EDGE && x0 <= x1 && y0 <= y1 && x1 <= width + EDGE && y1 <= height + EDGE) {
            tally
                .outside
                .push(format!("{doc} {start}-{end}: {rect} on a page of {width} by {height}"));
        }
        let area = format!("{x0},{y0},{x1},{y1}");
        let hit = pincite_text(
            world,
            &["document", "hit", doc, "--page", &page.to_string(), "--rect", &area],
        )?;
        let hit = if hit.code == Some(0) { hit.value()? } else { Value::Null };
        let (start, end) = (start as u64, end as u64);
        tally.spans += 1;
        tally.same += usize::from(hit["start"] == start && hit["end"] == end);
        tally.around += usize::from(
            hit["start"].as_u64().is_some_and(|at| at <= start) && hit["end"].as_u64().is_some_and(|at| end <= at),
        );
    }
    Ok(tally)
}

/// `ID@HASH` of every document of a world.
fn names(world: &World) -> Result<Vec<String>, String> {
    let listed = pincite_text(world, &["document", "list"])?.value()?;
    let name = |view: &Value| Some(format!("{}@{}", view["doc_id"].as_str()?, view["doc_sha256"].as_str()?));
    Ok(listed.as_array().into_iter().flatten().filter_map(name).collect())
}

#[test]
fn rectangles_of_our_fixtures_lie_on_their_page_and_lead_back() -> Outcome {
    let world = World::with_documents();
    let mut all = Tally::default();
    for name in names(&world)? {
        let one = tally(&world, &name)?;
        all = Tally {
            spans: all.spans + one.spans,
            same: all.same + one.same,
            around: all.around + one.around,
            outside: [all.outside, one.outside].concat(),
        };
    }
    eprintln!(
        "fixtures: {} spans, {} lead back exactly, {} to the span or more",
        all.spans, all.same, all.around
    );
    assert!(all.spans >= 40, "too few spans: {}", all.spans);
    assert!(all.outside.is_empty(), "outside their page: {}", all.outside.join("; "));
    assert!(
        all.around as f64 >= SHARE_BACK * all.spans as f64,
        "{} of {} lead back",
        all.around,
        all.spans
    );
    Ok(())
}

#[test]
fn rectangles_of_real_documents_are_told() -> Outcome {
    let Some(corpus) = corpus()? else { return Ok(()) };
    let mut all = Tally::default();
    // Every fourth, so that all kinds are seen and the test stays short.
    for document in corpus.documents()?.iter().step_by(4) {
        // The page's size is asked of the renderer, which would want the password again.
        if corpus
            .taken
            .iter()
            .any(|taken| taken.name == document.doc_id && taken.password_file.is_some())
        {
            continue;
        }
        let one = tally(&corpus.world, &document.doc_id)?;
        if one.around < one.spans {
            eprintln!(
                "{}: {} of {} rectangles lead back",
                document.doc_id, one.around, one.spans
            );
        }
        all = Tally {
            spans: all.spans + one.spans,
            same: all.same + one.same,
            around: all.around + one.around,
            outside: [all.outside, one.outside].concat(),
        };
    }
    eprintln!(
        "corpus: {} spans, {} lead back exactly, {} to the span or more; outside their page: {:?}",
        all.spans, all.same, all.around, all.outside
    );
    Ok(())
}

/// A picture was written and is one, or one line says why not.
fn drawn(world: &World, arguments: &[&OsStr]) -> Result<(), String> {
    let out = world.path("drawn.png");
    let _ = std::fs::remove_file(&out);
    let mut command = world.command([OsStr::new("document"), OsStr::new("render")]);
    command.args(arguments).arg("--out").arg(&out).arg("--json");
    let said = run(&mut command)?;
    match said.code {
        Some(0) => {
            let file = std::fs::File::open(&out).map_err(|error| format!("{arguments:?}: no picture: {error}"))?;
            let picture = png::Decoder::new(std::io::BufReader::new(file))
                .read_info()
                .map_err(|error| format!("{arguments:?}: {error}"))?;
            let (width, height) = picture.info().size();
            let answer = said.value()?;
            if answer["width"] == width && answer["height"] == height {
                Ok(())
            } else {
                Err(format!("{arguments:?}: {width} by {height} is not {answer}"))
            }
        }
        Some(2) if said.stderr.trim().lines().count() == 1 && !out.exists() => Ok(()),
        code => Err(format!("{arguments:?}: exit {code:?}: {}", said.stderr)),
    }
}

#[test]
fn odd_pages_are_drawn_or_refused_in_one_line() -> Outcome {
    let Some(corpus) = corpus()? else { return Ok(()) };
    let mut wrong = Vec::new();
    let mut asked = 0;
    for taken in &corpus.taken {
        let answer = taken.answer()?;
        if answer["outcome"] != "added" {
            continue;
        }
        let last = answer["pages"].to_string();
        // Small and plain for all; the sizes that no screen has for those whose page is odd.
        let odd = taken.name.contains("/layout/");
        let sizes: &[(&str, &str)] = if odd {
            &[
                ("1", "72"),
                (&last, "600"),
                ("1", "0.01"),
                ("1", "1e30"),
                ("1", "nan"),
                ("9999", "72"),
            ]
        } else {
            &[(&last, "40")]
        };
        for (page, dpi) in sizes {
            let mut arguments: Vec<&OsStr> = [taken.name.as_str(), "--page", page, "--dpi", dpi]
                .map(OsStr::new)
                .to_vec();
            if let Some(file) = &taken.password_file {
                arguments.extend([OsStr::new("--password-file"), file.as_os_str()]);
            }
            asked += 1;
            wrong.extend(drawn(&corpus.world, &arguments).err());
        }
        if taken.password_file.is_some() {
            let without = pincite(
                &corpus.world,
                &["document", "render", &taken.name, "--page", "1", "--out", "never.png"].map(OsStr::new),
            )?;
            if without.code != Some(2) || !without.stderr.contains("password") {
                wrong.push(format!(
                    "{}: drawn without its password: {:?} {}",
                    taken.name, without.code, without.stderr
                ));
            }
        }
    }
    eprintln!("pictures: {asked} asked for, {} wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    Ok(())
}
