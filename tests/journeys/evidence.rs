//! Documents: their text, boxes, sections and names, on the fixtures.
//!
//! Deliberately not here: real documents (the corpus), and pixels (e2e).

use crate::{elements, number, text};
use pincite_tests::{Chance, World, tree};
use serde_json::Value;
use std::collections::BTreeMap;

fn documents(world: &World) -> Vec<(String, Value)> {
    let list = world.json(["document", "list"]);
    elements(&list)
        .iter()
        .map(|view| {
            (
                format!("{}@{}", text(view, "doc_id"), text(view, "doc_sha256")),
                view.clone(),
            )
        })
        .collect()
}

#[test]
fn the_layer_is_what_its_name_says() {
    let world = World::with_documents();
    for (document, view) in documents(&world) {
        let layer = world.run(["document", "text", &document]).out;
        assert_eq!(
            pincite_core::sha256_hex(layer.as_bytes()),
            text(&view, "layer_sha256"),
            "{document}"
        );
        assert_eq!(
            layer.chars().count(),
            usize::try_from(number(&view, "chars")).expect("a count"),
            "{document}"
        );
        assert_eq!(
            layer.matches('\u{c}').count() + 1,
            usize::try_from(number(&view, "pages")).expect("a count"),
            "{document}"
        );
        assert!(!layer.contains('\r') && !layer.contains('\u{0}'), "{document}");
        let trust = &view["trust"];
        assert_eq!(
            number(trust, "boxed") + number(trust, "unboxed"),
            number(&view, "chars"),
            "{document}"
        );
        let named = world
            .run(["document", "text", &document, "--layer", text(&view, "layer_sha256")])
            .out;
        assert_eq!(named, layer);
    }
}

/// Words of a layer that stand on one line: first code point, the one after the last.
fn words(layer: &[char]) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut start = None;
    for (index, character) in layer.iter().enumerate() {
        match (start, character.is_alphanumeric()) {
            (None, true) => start = Some(index),
            (Some(from), false) => {
                if index - from >= 5 {
                    words.push((from, index));
                }
                start = None;
            }
            _ => {}
        }
    }
    words
}

#[test]
fn a_word_is_hit_where_its_boxes_are() {
    let world = World::with_documents();
    let mut chance = Chance::new(114);
    for (document, view) in documents(&world) {
        let layer: Vec<char> = world.run(["document", "text", &document]).out.chars().collect();
        let words = words(&layer);
        for _ in 0..8 {
            let at = usize::try_from(chance.below(words.len() as u64)).expect("an index");
            let (start, end) = words[at];
            let boxes = world.json([
                "document",
                "boxes",
                &document,
                "--start",
                &start.to_string(),
                "--end",
                &end.to_string(),
            ]);
            let rects = elements(&boxes["rects"]);
            assert_eq!(
                (rects.len(), number(&boxes, "unboxed")),
                (1, 0),
                "{document} {start}..{end}: a word has one rectangle: {boxes}"
            );
            let rect = &rects[0];
            let page = 1 + layer[..start].iter().filter(|character| **character == '\u{c}').count();
            assert_eq!(number(rect, "page"), i64::try_from(page).expect("a page"));
            let side = |key: &str| rect[key].as_f64().expect("points");
            assert!(
                0.0 <= side("x0")
                    && side("x0") < side("x1")
                    && side("x1") <= 612.0
                    && 0.0 <= side("y0")
                    && side("y0") < side("y1")
                    && side("y1") <= 842.0,
                "{rect}"
            );
            let corners = format!("{},{},{},{}", side("x0"), side("y0"), side("x1"), side("y1"));
            let hit = world.json([
                "document",
                "hit",
                &document,
                "--page",
                &page.to_string(),
                "--rect",
                &corners,
            ]);
            let word: String = layer[start..end].iter().collect();
            assert_eq!(text(&hit, "text"), word, "{document} {start}..{end} at {corners}");
            assert_eq!(
                (number(&hit, "start"), number(&hit, "end")),
                (i64::try_from(start).expect("small"), i64::try_from(end).expect("small"))
            );
            // The other two corners name the same rectangle.
            let turned = format!("{},{},{},{}", side("x1"), side("y1"), side("x0"), side("y0"));
            assert_eq!(
                world.json([
                    "document",
                    "hit",
                    &document,
                    "--page",
                    &page.to_string(),
                    "--rect",
                    &turned
                ]),
                hit
            );
        }
        // The whole layer has a rectangle on every page.
        let whole = world.json([
            "document",
            "boxes",
            &document,
            "--start",
            "0",
            "--end",
            &layer.len().to_string(),
        ]);
        assert_eq!(whole["unboxed"], view["trust"]["unboxed"]);
        let last = elements(&whole["rects"]).iter().map(|rect| number(rect, "page")).max();
        assert_eq!(last, Some(number(&view, "pages")));
    }
}

#[test]
fn sections_are_those_a_careful_reader_finds() {
    let world = World::with_documents();
    let expected: BTreeMap<String, Vec<Value>> =
        serde_json::from_str(&tree::fixture_text("sections.json")).expect("expectations are JSON");
    let mut names: BTreeMap<String, String> = BTreeMap::new();
    for (file, doc_id) in pincite_tests::world::DOCUMENTS {
        let bytes = std::fs::read(tree::fixture("documents").join(file)).expect("a fixture");
        names.insert(
            file.trim_end_matches(".pdf").to_owned(),
            format!("{doc_id}@{}", pincite_core::sha256_hex(&bytes)),
        );
    }
    assert_eq!(expected.keys().collect::<Vec<_>>(), names.keys().collect::<Vec<_>>());
    for (file, wanted) in &expected {
        for outline in [&[][..], &["--without-outline"]] {
            let found = world.json([&["document", "sections", &names[file]][..], outline].concat());
            let found = elements(&found);
            // Where an annex numbers its parts from 1 again, our grammar writes "Anexo III > 1" and the reader "Anexo III.1".
            let line = |section: &Value| {
                format!(
                    "{} page {} at {}",
                    text(section, "locator").replace(" > ", "."),
                    section["page"],
                    section["start"]
                )
            };
            let wanted_lines: Vec<String> = wanted.iter().map(line).collect();
            let found_lines: Vec<String> = found.iter().map(line).collect();
            assert_eq!(found_lines, wanted_lines, "{file} {outline:?}");
        }
    }
}

#[test]
fn a_section_that_did_not_change_keeps_its_content_over_revisions() {
    let world = World::with_documents();
    let mut by_revision = Vec::new();
    for letter in ["a", "b", "c", "d"] {
        let bytes = std::fs::read(tree::fixture(&format!("documents/sop-114-rev-{letter}.pdf"))).expect("a fixture");
        let sections = world.json([
            "document",
            "sections",
            &format!("sop-114@{}", pincite_core::sha256_hex(&bytes)),
        ]);
        let contents: BTreeMap<String, (String, String)> = elements(&sections)
            .iter()
            .map(|section| {
                (
                    text(section, "locator").to_owned(),
                    (
                        text(section, "own_sha256").to_owned(),
                        text(section, "content_sha256").to_owned(),
                    ),
                )
            })
            .collect();
        by_revision.push(contents);
    }
    let [first, second, third, fourth] = by_revision.as_slice() else {
        panic!("four revisions")
    };
    assert_ne!(first["2.1"], second["2.1"], "B changed 2.1");
    assert!(
        second["2.1"] == third["2.1"] && third["2.1"] == fourth["2.1"],
        "2.1 is unchanged since B"
    );
    assert_ne!(third["7.2"], fourth["7.2"], "D changed 7.2");
    assert_ne!(second["6.2"], third["6.2"], "C changed 6.2");
    // A change in 2.1(c) changes 2.1's content; a neighbour's is not touched.
    assert!(!first.contains_key("2.1(c)") && second.contains_key("2.1(c)"));
    assert_eq!(third["4.2"], fourth["4.2"]);
    assert_eq!(third["7"].0, fourth["7"].0, "7's own text is its heading");
    assert_ne!(third["7"].1, fourth["7"].1, "its content has its descendants in it");
}

/// A PDF of one page and one word, made different by a comment. Its table is built by the reader, so no offsets are needed.
fn small_pdf(comment: u32) -> Vec<u8> {
    format!(
        "%PDF-1.4\n% {comment}\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n\
         3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>\nendobj\n\
         4 0 obj\n<< /Length 39 >>\nstream\nBT /F1 12 Tf 20 100 Td (Twelve) Tj ET   \nendstream\nendobj\n\
         5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\ntrailer\n<< /Root 1 0 R /Size 6 >>\nstartxref\n0\n%%EOF\n"
    )
    .into_bytes()
}

#[test]
fn versions_are_named_by_id_and_hash() {
    let world = World::with_documents();
    let alone = world.run(["document", "show", "sop-114"]);
    crate::assert_refused(&alone, 2, &["sop-114 has 4 versions", "sop-114@1ea2cda93b10"]);
    let one = world.json(["document", "show", "sop-114@1ea2cda93b10"]);
    for name in [
        "sop-114@1ea2".to_owned(),
        "sop-114@1EA2CDA9".to_owned(),
        format!("sop-114@{}", text(&one, "doc_sha256")),
    ] {
        assert_eq!(world.json(["document", "show", &name]), one, "{name}");
    }
    for (name, says) in [
        ("sop-114@1ea", "at least 4"),
        ("sop-114@", "at least 4"),
        ("sop-114@1eaz", "at least 4"),
        ("sop-114@ffff", "no document"),
        ("sop-11", "no document"),
    ] {
        crate::assert_refused(&world.run(["document", "text", name]), 2, &[name, says]);
    }
    assert_eq!(
        world.json(["document", "show", "drug-label"])["doc_id"],
        "drug-label",
        "one version needs no hash"
    );

    // Two versions of one document whose hashes begin alike.
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut pair = None;
    for comment in 0.. {
        let hash = pincite_core::sha256_hex(&small_pdf(comment));
        let short = hash.get(..4).expect("a hash is long").to_owned();
        if let Some(other) = seen.insert(short.clone(), comment) {
            pair = Some((other, comment, short, hash));
            break;
        }
    }
    let (other, comment, short, hash) = pair.expect("there are only 65,536 beginnings");
    for (name, number) in [("one.pdf", other), ("other.pdf", comment)] {
        let path = world.file(name, small_pdf(number));
        let taken = world.json(["ingest", "--doc-id", "twins@home", &path]);
        assert_eq!(
            (text(&taken, "outcome"), number_of_chars(&taken)),
            ("added", 6),
            "{taken}"
        );
    }
    let ambiguous = world.run(["document", "show", &format!("twins@home@{short}")]);
    crate::assert_refused(
        &ambiguous,
        2,
        &[
            "has 2 versions",
            &format!("twins@home@{}", hash.get(..12).expect("long")),
        ],
    );
    assert_eq!(
        world.json(["document", "show", &format!("twins@home@{hash}")])["doc_sha256"],
        Value::String(hash)
    );
    crate::assert_refused(&world.run(["document", "show", "twins@home"]), 2, &["has 2 versions"]);
}

fn number_of_chars(ingested: &Value) -> i64 {
    number(ingested, "chars")
}

#[test]
fn ingesting_again_is_known_and_other_bytes_need_a_word() {
    let world = World::with_documents();
    let before = crate::counts(&world);
    let files = world.workspace_files().len();
    let label = tree::fixture("documents/drug-label.pdf").display().to_string();
    let again = world.json(["ingest", &label]);
    assert_eq!(
        (text(&again, "outcome"), text(&again, "doc_id")),
        ("known", "drug-label")
    );
    assert_eq!((crate::counts(&world), world.workspace_files().len()), (before, files));
    // The same stem with other bytes: refused, until somebody says that it is a version of the same document.
    let path = world.file("drug-label.pdf", small_pdf(7));
    let answer = world.run(["ingest", "--json", &path]);
    let refused = &answer.lines()[0];
    assert_eq!((answer.code, text(refused, "outcome")), (1, "refused"));
    assert!(text(refused, "reason").contains("--doc-id drug-label"), "{refused}");
    let added = world.json(["ingest", "--doc-id", "drug-label", &path]);
    assert_eq!(text(&added, "outcome"), "added");
    // One file refused does not stop the others.
    let answer = world.run(["ingest", "--json", "missing.pdf", &label]);
    let outcomes: Vec<String> = answer
        .lines()
        .iter()
        .map(|line| text(line, "outcome").to_owned())
        .collect();
    assert_eq!(
        (answer.code, outcomes),
        (1, vec!["refused".to_owned(), "known".to_owned()])
    );
}

#[test]
fn a_page_is_drawn_at_its_size() {
    let world = World::with_documents();
    let out = world.path("page.png").display().to_string();
    let drawn = world.json([
        "document",
        "render",
        "drug-label",
        "--page",
        "2",
        "--dpi",
        "72",
        "--out",
        &out,
    ]);
    let bytes = std::fs::read(&out).expect("the picture");
    let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    let reader = decoder.read_info().expect("a PNG file");
    assert_eq!(
        (i64::from(reader.info().width), i64::from(reader.info().height)),
        (number(&drawn, "width"), number(&drawn, "height"))
    );
    assert_eq!((number(&drawn, "width"), number(&drawn, "height")), (612, 792));
}
