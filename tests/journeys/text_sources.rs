//! Documents that are text already: plain and Markdown, in every encoding that says what it is.
//!
//! Deliberately not here: how a text looks in the window (e2e), and other programs' texts of a PDF (layers).

use crate::{assert_refused, claim, counts, decide_arguments, elements, number, text};
use pincite_tests::{World, tree};
use serde_json::{Value, json};

const MARKDOWN: &str = "documents/lending-policy.md";
const PLAIN: &str = "documents/complaints-procedure.txt";

/// Takes one file in; answers its line.
fn ingest(world: &World, path: &str) -> Value {
    world.lines(0, ["ingest", path]).remove(0)
}

fn fixture(path: &str) -> String {
    tree::fixture(path).display().to_string()
}

/// The layer of a document, in code points.
fn layer(world: &World, document: &str) -> Vec<char> {
    world.run(["document", "text", document]).out.chars().collect()
}

/// Where a part stands in a layer: code points, found by a way of the test's own.
fn place(layer: &[char], part: &str) -> (usize, usize) {
    let part: Vec<char> = part.chars().collect();
    let start = layer
        .windows(part.len())
        .position(|window| window == part)
        .unwrap_or_else(|| panic!("{part:?} is not in the layer"));
    (start, start + part.len())
}

/// A citation of a part of a document.
fn citation(taken: &Value, layer: &[char], part: &str) -> Value {
    let (start, end) = place(layer, part);
    json!({
        "doc_id": taken["doc_id"], "doc_sha256": taken["doc_sha256"], "layer_sha256": taken["layer_sha256"],
        "char_start": start, "char_end": end, "quote": part
    })
}

fn with(citation: &Value, key: &str, value: impl Into<Value>) -> Value {
    let mut citation = citation.clone();
    citation[key] = value.into();
    citation
}

/// What the check of each citation says: `verified`, or the reason.
fn verified(world: &World, citations: &[Value]) -> Vec<String> {
    let lines: Vec<String> = citations.iter().map(Value::to_string).collect();
    let path = world.file("citations.jsonl", lines.join("\n"));
    let mut command = world.command(["verify", &path, "--json"]);
    let output = command.output().expect("pincite starts");
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| {
            let answer: Value = serde_json::from_str(line).expect("a line of JSON");
            answer["reason"].as_str().unwrap_or(text(&answer, "state")).to_owned()
        })
        .collect()
}

fn locators(world: &World, document: &str, options: &[&str]) -> Vec<String> {
    let mut arguments = vec!["document", "sections", document];
    arguments.extend(options);
    elements(&world.json(arguments))
        .iter()
        .map(|section| text(section, "locator").to_owned())
        .collect()
}

#[test]
fn a_markdown_policy_is_cited_by_its_own_headings_and_clauses() {
    let world = World::empty();
    let taken = ingest(&world, &fixture(MARKDOWN));
    assert_eq!(
        (
            text(&taken, "outcome"),
            text(&taken, "doc_id"),
            number(&taken, "pages"),
            number(&taken, "boxed")
        ),
        ("added", "lending-policy", 1, 0)
    );
    // Line ends were LF already and there is no mark: the layer is the file.
    assert_eq!(text(&taken, "layer_sha256"), text(&taken, "doc_sha256"));
    let view = world.json(["document", "show", "lending-policy"]);
    assert_eq!(
        (
            text(&view, "media_type"),
            text(&view, "title"),
            text(&view, "extractor")
        ),
        (
            "text/markdown",
            "🏦 Lending policy for small businesses",
            "pincite-text-1; utf-8"
        )
    );
    let found = locators(&world, "lending-policy", &[]);
    let title = "🏦 Lending policy for small businesses";
    assert_eq!(
        found,
        [
            title,
            "1",
            "1.1",
            "1.2",
            "2",
            "2.1",
            "2.1(a)",
            "2.1(b)",
            "2.2",
            "2.3",
            "2.4",
            "3",
            "3.1",
            "3.2",
            "3 > Checklist",
            "4",
            "4.1",
            "4.2",
            &format!("{title} > Exceptions"),
        ],
        "neither the comment, the numbered list, the table nor the comment in the shell's code is a section"
    );
    // Spans are the layer's: each section begins with its heading, and the last ends with the text.
    let characters = layer(&world, "lending-policy");
    let sections = world.json(["document", "sections", "lending-policy"]);
    for section in elements(&sections) {
        let start = usize::try_from(number(section, "start")).expect("an offset");
        let begins: String = characters[start..].iter().take(3).collect();
        let wanted = match text(section, "locator") {
            locator if locator.ends_with("Exceptions") => "Exc",
            locator if locator.starts_with('🏦') => "# 🏦",
            "3 > Checklist" | "2.4" => "###",
            "1" | "2" | "3" | "4" => "## ",
            "2.1(a)" => "(a)",
            "2.1(b)" => "(b)",
            other => other,
        };
        assert_eq!(begins, wanted, "{section}");
    }
    assert_eq!(
        elements(&sections).first().map(|section| number(section, "end")),
        i64::try_from(characters.len()).ok()
    );
    // With the marks withheld the headings have no names, but for the clauses' own numbers.
    let without = locators(&world, "lending-policy", &["--without-outline"]);
    assert!(without.contains(&"2.1(b)".to_owned()) && !without.iter().any(|locator| locator.contains("Checklist")));
    let rating = citation(&taken, &characters, "up to EUR 250,000 against security");
    assert_eq!(
        verified(
            &world,
            &[
                rating.clone(),
                with(&rating, "locator", "2.1(b)"),
                with(&rating, "locator", "2"),
                with(&rating, "page", 1),
                with(&rating, "locator", "2.2"),
                with(&rating, "page", 2),
                with(&rating, "quote", "up to EUR 205,000 against security"),
            ]
        ),
        [
            "verified",
            "verified",
            "verified",
            "verified",
            "locator_mismatch",
            "page_mismatch",
            "quote_mismatch"
        ]
    );
}

#[test]
fn a_text_has_no_places_on_a_page() {
    let world = World::empty();
    let _ = ingest(&world, &fixture(PLAIN));
    let document = "complaints-procedure";
    let boxes = world.json(["document", "boxes", document, "--start", "10", "--end", "35"]);
    assert_eq!((elements(&boxes["rects"]).len(), number(&boxes, "unboxed")), (0, 25));
    let out = world.path("page.png").display().to_string();
    for command in [
        &["document", "hit", document, "--page", "1", "--rect", "0,0,100,100"][..],
        &["document", "render", document, "--page", "1", "--out", &out],
    ] {
        assert_refused(&world.run(command), 2, &[document, "no page picture", "document text"]);
    }
    assert!(!world.path("page.png").exists());
}

#[test]
fn clauses_of_a_plain_text_and_pages_joined_by_form_feeds() {
    let world = World::empty();
    let taken = ingest(&world, &fixture(PLAIN));
    assert_eq!((number(&taken, "pages"), text(&taken, "outcome")), (3, "added"));
    assert_eq!(
        locators(&world, "complaints-procedure", &[]),
        [
            "1", "1.1", "2", "2.1", "2.2", "2.2(a)", "2.2(b)", "2.2(c)", "2.3", "3", "3.1", "3.2", "3.3", "4", "4.1",
            "4.2"
        ]
    );
    let characters = layer(&world, "complaints-procedure");
    assert!(!characters.contains(&'\r'), "CR LF is one line end");
    let kept = citation(
        &taken,
        &characters,
        "The file is kept for 5 years from the day it was closed.",
    );
    let over = citation(
        &taken,
        &characters,
        "at once; 3.1 applies all the same.\n\u{c}4 CLOSING AND KEEPING",
    );
    assert_eq!(
        verified(
            &world,
            &[
                with(&with(&kept, "page", 3), "locator", "4.2"),
                with(&kept, "page", 2),
                // A quote over a page's end is of the page that it begins on.
                with(&over, "page", 2),
                with(&over, "page", 3),
            ]
        ),
        ["verified", "page_mismatch", "verified", "page_mismatch"]
    );
}

fn utf16(content: &str, little: bool) -> Vec<u8> {
    let units = std::iter::once(0xFEFF).chain(content.encode_utf16());
    units
        .flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() })
        .collect()
}

#[test]
fn one_text_in_any_encoding_is_one_layer_and_emoji_shift_nothing() {
    let world = World::empty();
    let content = "# 😀 Größe\n\n1.1 Vor 🏦🏦 dem Zins: 4 %\tjährlich.\n\u{c}\n1.2 Nach 𝒳 dem Zins.\n";
    let windows = content.replace('\n', "\r\n");
    let files: [(&str, Vec<u8>, &str); 6] = [
        ("plain", content.as_bytes().to_vec(), "utf-8"),
        ("marked", format!("\u{feff}{content}").into_bytes(), "utf-8"),
        ("windows", windows.clone().into_bytes(), "utf-8"),
        ("old-mac", content.replace('\n', "\r").into_bytes(), "utf-8"),
        ("little", utf16(&windows, true), "utf-16le"),
        ("big", utf16(content, false), "utf-16be"),
    ];
    let wanted = pincite_core::sha256_hex(content.as_bytes());
    for (stem, bytes, encoding) in files {
        let path = world.file(&format!("{stem}.md"), bytes);
        let taken = ingest(&world, &path);
        assert_eq!(text(&taken, "layer_sha256"), wanted, "{stem}");
        let view = world.json(["document", "show", stem]);
        assert_eq!(text(&view, "extractor"), format!("pincite-text-1; {encoding}"));
        assert_eq!(
            number(&view, "chars"),
            i64::try_from(content.chars().count()).expect("a count")
        );
        let characters = layer(&world, stem);
        let cited = citation(&taken, &characters, "dem Zins.");
        assert_eq!(
            verified(
                &world,
                &[
                    with(&with(&cited, "page", 2), "locator", "1.2"),
                    // As a program that counts UTF-16 units would have it: past the four pairs before it.
                    with(
                        &with(&cited, "char_start", number(&cited, "char_start") + 4),
                        "char_end",
                        number(&cited, "char_end") + 4
                    ),
                ]
            ),
            ["verified", "out_of_bounds"],
            "{stem}"
        );
    }
}

#[test]
fn control_characters_are_replaced_and_counted_for_their_page() {
    let world = World::empty();
    let path = world.file("odd.txt", "a\u{0}b\u{1b}[0m\tc\n\u{c}clean and long enough\u{85}");
    let _ = ingest(&world, &path);
    assert_eq!(
        layer(&world, "odd").into_iter().collect::<String>(),
        "a\u{fffd}b\u{fffd}[0m\tc\n\u{c}clean and long enough\u{fffd}"
    );
    let trust = &world.json(["document", "show", "odd"])["trust"];
    assert_eq!(
        (
            number(trust, "replaced"),
            &trust["untrusted_pages"],
            &trust["scanned_pages"]
        ),
        (3, &json!([1, 2]), &json!([]))
    );
}

#[test]
fn what_can_only_be_guessed_at_is_refused_and_leaves_nothing() {
    let world = World::empty();
    let (before, files) = (counts(&world), world.workspace_files().len());
    let mut half = utf16("a policy", true);
    half.pop();
    let mut unpaired = utf16("ab", true);
    unpaired.extend([0x3D, 0xD8, 0x20, 0x00]);
    let cases: [(&str, Vec<u8>, &str); 13] = [
        ("latin.txt", b"Zins f\xFCr alle".to_vec(), "byte 6 is not UTF-8"),
        (
            "cut.md",
            b"\xEF\xBB\xBF# A \xF0\x9F\x98".to_vec(),
            "byte 7 is not UTF-8",
        ),
        ("unpaired.txt", unpaired, "surrogate at byte 6"),
        ("half.txt", half, "half a character at byte 16"),
        (
            "unmarked.txt",
            "a policy".encode_utf16().flat_map(u16::to_le_bytes).collect(),
            "UTF-16 without a byte order mark",
        ),
        ("wide.txt", b"\xFF\xFE\0\0a\0\0\0".to_vec(), "UTF-32"),
        ("empty.md", Vec::new(), "empty"),
        ("mark.txt", b"\xEF\xBB\xBF".to_vec(), "empty"),
        (
            "office.docx",
            b"PK\x03\x04\x14\0\x06\0word/document.xml".to_vec(),
            "ZIP archive or an Office document",
        ),
        (
            "zipped.txt",
            b"PK\x03\x04\x14\0\x06\0policy.txt".to_vec(),
            "ZIP archive",
        ),
        ("rich.txt", b"{\\rtf1\\ansi Policy}".to_vec(), "RTF"),
        ("policy", b"A policy without an ending.".to_vec(), "name it .txt or .md"),
        (
            "noise.bin",
            vec![0, 1, 2, 3, 0xFE, 0xFF],
            "no kind of file that is known",
        ),
    ];
    for (name, bytes, says) in cases {
        let path = world.file(name, bytes);
        let answer = world.run(["ingest", "--json", &path]);
        let line = &answer.lines()[0];
        assert_eq!((answer.code, text(line, "outcome")), (1, "refused"), "{answer:?}");
        let reason = text(line, "reason");
        assert!(
            reason.contains(&path) && reason.contains(says) && reason.lines().count() == 1,
            "{name}: {reason}"
        );
        assert_eq!(
            (counts(&world), world.workspace_files().len()),
            (before, files),
            "{name}"
        );
    }
    // A PDF's header wins over the name.
    let pdf = std::fs::read(tree::fixture("documents/drug-label.pdf")).expect("a fixture");
    let path = world.file("label.txt", pdf);
    assert!(number(&ingest(&world, &path), "boxed") > 0);
    assert_eq!(
        text(&world.json(["document", "show", "label"]), "media_type"),
        "application/pdf"
    );
}

#[test]
fn a_record_of_a_text_goes_through_the_queue() {
    let world = World::empty();
    let _ = world.json(["catalogue", "set", &fixture("catalogue.toml")]);
    let taken = ingest(&world, &fixture(PLAIN));
    let characters = layer(&world, "complaints-procedure");
    let quote = "The file is kept for 5 years";
    let mut cited = citation(&taken, &characters, quote);
    // Without offsets: `--place` finds the one place, page and clause with it.
    for key in ["char_start", "char_end", "layer_sha256"] {
        let _ = cited.as_object_mut().and_then(|object| object.remove(key));
    }
    let record = json!({
        "record_id": "text-1", "doc_id": "complaints-procedure", "doc_sha256": taken["doc_sha256"],
        "field": "retention.period", "value": {"amount": 5, "unit": "years"}, "status": "present", "confidence": 0.7,
        "provenance": [cited], "extractor": {"model": "m", "prompt_version": "p", "run_id": "r"}, "due_at": null
    });
    let path = world.file("records.jsonl", record.to_string());
    let imported = world.lines(0, ["record", "import", &path, "--place"]).remove(0);
    assert_eq!(
        (
            text(&imported, "outcome"),
            text(&imported["citations"][0], "placing"),
            text(&imported["citations"][0], "state")
        ),
        ("queued", "placed", "verified")
    );
    let shown = world.json(["queue", "show", text(&imported, "item")]);
    let placed = &shown["candidate"]["citations"][0];
    let (start, end) = place(&characters, quote);
    assert_eq!(
        (
            number(placed, "char_start"),
            number(placed, "char_end"),
            number(placed, "page"),
            text(placed, "locator")
        ),
        (
            i64::try_from(start).expect("small"),
            i64::try_from(end).expect("small"),
            3,
            "4.2"
        )
    );
    let claimed = claim(&world, "ada").expect("one item");
    let _ = world.json(decide_arguments(&claimed, "ada", "k1", &["--accept"]));
    let resolved = world.lines(0, ["record", "export", "--resolved"]);
    assert_eq!(resolved[0]["resolved_value"], json!({"amount": 5, "unit": "years"}));
    assert_eq!(world.lines(0, ["verify", "--all"]).len(), 1);
    // The same bytes again are known; other bytes under the name are not taken for them.
    let again = world.lines(0, ["ingest", &fixture(PLAIN)]).remove(0);
    assert_eq!(text(&again, "outcome"), "known");
}

#[test]
fn a_text_of_thirty_megabytes_is_taken_in_and_cited_at_its_end() {
    let world = World::empty();
    let mut content = String::with_capacity(31 << 20);
    // Clauses, then one line of eight million code points, then the passage.
    for number in 1..=400 {
        content.push_str(&format!("{number} SECTION OF THE LONG POLICY\n\n"));
        for clause in 1..=10 {
            content.push_str(&format!("{number}.{clause} The clause 😀 says what clauses say.\n"));
            content.push_str(&"No line of this paragraph says anything that another does not say.\n".repeat(85));
        }
    }
    content.push_str(&"x y ".repeat(2_000_000));
    content.push_str("\nThe last words are kept for 9 years.\n");
    assert!(content.len() > 30_000_000, "{}", content.len());
    let path = world.file("long.txt", &content);
    let started = std::time::Instant::now();
    let taken = ingest(&world, &path);
    let took = started.elapsed();
    let total = content.chars().count();
    assert_eq!(number(&taken, "chars"), i64::try_from(total).expect("a count"));
    let end = total - 1;
    let quote = "The last words are kept for 9 years.";
    let cited = json!({
        "doc_id": "long", "doc_sha256": taken["doc_sha256"], "char_start": end - quote.len(), "char_end": end,
        "quote": quote, "locator": "400.10"
    });
    assert_eq!(verified(&world, &[cited]), ["verified"]);
    // Far more than a debug build needs here; it fails where something is quadratic.
    assert!(took.as_secs() < 120, "{took:?}");
}
