//! Enter before you see: what a reviewer is shown before the entry, what is kept of it, and that nobody decides without it.
//!
//! Deliberately not here: the draw itself (the core's own tests).

use crate::reading_times::in_workspace;
use crate::{assert_refused, claim, decide_arguments, elements, number, text};
use pincite_app::wire::{EvidenceView, FieldsView};
use pincite_app::{evidence, fields};
use pincite_tests::{World, database};
use serde_json::{Value, json};

const FIELD: &str = "slip.total";

/// Another number and another clause than these would tell: what the candidates say and cite.
const TELLING: [&str; 3] = ["4711", "The total of this slip", "slip-"];

fn catalogue(world: &World, share: f64) {
    let body = format!("[field.\"{FIELD}\"]\ntype = \"number\"\ntitle = \"Total\"\nenter_before_you_see = {share}\n");
    let _ = world.json(["catalogue", "set", &world.file("catalogue.toml", body)]);
}

/// A world whose items are all entered first, at this share: slip by slip one that states a value, and one "not stated".
pub(crate) fn world_with_slips(share: f64, slips: usize) -> World {
    let world = World::empty();
    catalogue(&world, share);
    let (mut ingest, mut records) = (vec!["ingest".to_owned()], String::new());
    for slip in 0..slips {
        let body = format!("The total of this slip is {}.\n", 4711 + slip);
        let record = json!({
            "record_id": format!("r-{slip:03}"), "doc_id": format!("slip-{slip:03}"),
            "doc_sha256": pincite_core::sha256_hex(body.as_bytes()), "field": FIELD, "value": 4711 + slip,
            "status": "present", "confidence": 0.5, "provenance": [{"quote": body.trim()}],
            "extractor": {"model": "m", "prompt_version": "p", "run_id": "r"}, "due_at": null
        });
        records.push_str(&format!("{record}\n"));
        ingest.push(world.file(&format!("slip-{slip:03}.txt"), body));
    }
    let _ = world.lines(0, &ingest);
    let imported = world.lines(
        0,
        ["record", "import", "--place", &world.file("records.jsonl", records)],
    );
    assert!(
        imported.iter().all(|line| line["reason"] == "check_value"),
        "{imported:?}"
    );
    world
}

pub(crate) fn enter_arguments(claim: &Value, who: &str, said: &[&str]) -> Vec<String> {
    let mut arguments = ["queue", "enter", text(claim, "item"), "--as", who, "--token"]
        .map(str::to_owned)
        .to_vec();
    arguments.extend([
        number(claim, "token").to_string(),
        "--item-version".into(),
        number(claim, "item_version").to_string(),
    ]);
    arguments.extend(said.iter().map(|word| (*word).to_owned()));
    arguments
}

#[test]
fn the_candidate_is_seen_after_the_entry_and_nobody_decides_before() {
    let world = world_with_slips(1.0, 2);
    let claimed = claim(&world, "ada").expect("an item");
    let item = text(&claimed, "item");
    // Neither value nor quote, place or newer sayings; a program that reads JSON finds no more than a person.
    for arguments in [
        &["queue", "show", item][..],
        &["queue", "show", item, "--as", "ada"],
        &["queue", "list"],
        &["queue", "next"],
    ] {
        let shown = world.json(arguments).to_string();
        let shown = shown
            .replace("\"doc_id\":\"slip-000\"", "")
            .replace("\"title\":\"slip-000\"", "");
        let shown = shown
            .replace("\"doc_id\":\"slip-001\"", "")
            .replace("\"title\":\"slip-001\"", "");
        for telling in TELLING {
            assert!(!shown.contains(telling), "{arguments:?} tells {telling}: {shown}");
        }
        let words = world.run(arguments).out;
        assert!(!words.contains("4711") && !words.contains("is 47"), "{words}");
    }
    let shown = world.json(["queue", "show", item, "--as", "ada"]);
    assert!(shown["candidate"].is_null() && shown["entry"].is_null() && shown["locator"].is_null());
    assert_eq!(text(&shown["schema"], "title"), "Total");
    // Calibration owners see everything.
    let unblind = world.json(["queue", "show", item, "--unblind"]);
    assert_eq!(text(&unblind["candidate"], "value_text"), "4711");

    for verdict in [
        &["--accept"][..],
        &["--abstain", "not_stated"],
        &["--correct", "4711"],
        &["--reject", "other"],
    ] {
        let refused = world.run(decide_arguments(&claimed, "ada", "k-0", verdict));
        assert_refused(&refused, 2, &[item, "pincite queue enter", "nothing was written"]);
    }
    // Not of the type, nothing said, or said twice: nothing is kept.
    assert_refused(
        &world.run(enter_arguments(&claimed, "ada", &["--value", "\"many\""])),
        2,
        &[FIELD],
    );
    assert_refused(
        &world.run(enter_arguments(&claimed, "ada", &["--value", "null"])),
        2,
        &["--not-stated"],
    );
    assert_eq!(world.run(enter_arguments(&claimed, "ada", &[])).code, 2);
    assert_eq!(
        world
            .run(enter_arguments(&claimed, "ada", &["--value", "1", "--not-stated"]))
            .code,
        2
    );
    // Only under one's own lease, and on what was open.
    assert_refused(
        &world.run(enter_arguments(&claimed, "bea", &["--value", "1"])),
        2,
        &["lease"],
    );
    let moved = json!({ "item": item, "token": claimed["token"], "item_version": 7 });
    assert_refused(
        &world.run(enter_arguments(&moved, "ada", &["--value", "1"])),
        2,
        &["version 1, not 7"],
    );
    assert_eq!(database::ask(&world, "SELECT count(*) FROM blind_entries"), "0");

    let seen = world.json(enter_arguments(&claimed, "ada", &["--value", "\"4 711\""]));
    assert_eq!(text(&seen["candidate"], "value_text"), "4711");
    assert_eq!(seen["entry"]["equals_candidate"], json!(true), "typed equality: {seen}");
    assert_eq!(seen["item_version"], claimed["item_version"], "an entry moves nothing");
    // The same again is answered; another one would not be blind.
    let again = world.json(enter_arguments(&claimed, "ada", &["--value", "\"4 711\""]));
    assert_eq!(again["entry"], seen["entry"]);
    assert_refused(
        &world.run(enter_arguments(&claimed, "ada", &["--value", "9"])),
        2,
        &["another value", "stays"],
    );
    // Hers alone: to everybody else it is as before.
    assert!(world.json(["queue", "show", item, "--as", "bea"])["candidate"].is_null());
    assert_eq!(
        world.json(["queue", "show", item, "--as", "ada"])["entry"],
        seen["entry"]
    );

    let decided = world.json(decide_arguments(&claimed, "ada", "k-1", &["--accept"]));
    assert_eq!(decided["value"], json!(4711));
    let log = world.lines(0, ["audit", "log"]);
    let entered: Vec<&Value> = log.iter().filter(|entry| entry["action"] == "queue.enter").collect();
    assert_eq!(entered.len(), 1, "kept once: {entered:?}");
    assert!(world.json(["audit", "verify"])["fault"].is_null());
    for statement in ["UPDATE blind_entries SET value = NULL", "DELETE FROM blind_entries"] {
        let refused = database::refusal(&world, statement);
        assert!(refused.contains("never"), "{statement}: {refused:?}");
    }

    // Not stated is an entry too, and none that equals a value.
    let claimed = claim(&world, "ada").expect("an item");
    let seen = world.json(enter_arguments(&claimed, "ada", &["--not-stated"]));
    assert_eq!(
        (text(&seen["entry"], "text"), &seen["entry"]["equals_candidate"]),
        ("not stated", &json!(false))
    );
    let decided = world.json(decide_arguments(&claimed, "ada", "k-2", &["--abstain", "not_stated"]));
    // Taken back, it is hers again with what she entered: she has seen the candidate.
    let undo = [
        "queue",
        "undo",
        text(&decided, "decision"),
        "--as",
        "ada",
        "--key",
        "k-3",
    ];
    let _ = world.json(undo);
    let shown = world.json(["queue", "show", text(&claimed, "item"), "--as", "ada"]);
    assert!(!shown["candidate"].is_null() && !shown["entry"].is_null());
    let _ = world.json(["queue", "claim", text(&claimed, "item"), "--as", "ada"]);
}

#[test]
fn an_entry_outlives_a_lease_and_a_newer_extraction() {
    let world = world_with_slips(1.0, 1);
    let claimed = claim(&world, "ada").expect("an item");
    let item = text(&claimed, "item");
    let _ = world.json(enter_arguments(&claimed, "ada", &["--value", "4711"]));
    let _ = world.json([
        "queue",
        "release",
        item,
        "--token",
        &claimed["token"].to_string(),
        "--as",
        "ada",
    ]);
    // Bea reads for herself; ada need not enter twice, whatever was extracted since.
    let body = "The total of this slip is 4711.\n";
    let newer = json!({
        "record_id": "newer", "doc_id": "slip-000", "doc_sha256": pincite_core::sha256_hex(body.as_bytes()), "field": FIELD,
        "value": 9999, "status": "present", "confidence": 0.5, "provenance": [{"quote": body.trim()}],
        "extractor": {"model": "m", "prompt_version": "q", "run_id": "r"}, "due_at": null
    });
    let _ = world.lines(
        0,
        [
            "record",
            "import",
            "--place",
            &world.file("newer.jsonl", format!("{newer}\n")),
        ],
    );
    let bea = world.json(["queue", "show", item, "--as", "bea"]);
    assert!(bea["candidate"].is_null() && elements(&bea["newer"]).is_empty() && !bea.to_string().contains("9999"));
    let ada = world.json(["queue", "show", item, "--as", "ada"]);
    assert_eq!(text(&elements(&ada["newer"])[0], "value_text"), "9999");
    let claimed = world.json(["queue", "claim", item, "--as", "ada"]);
    assert_eq!(number(&claimed, "item_version"), 2);
    let _ = world.json(decide_arguments(&claimed, "ada", "k", &["--accept"]));
}

#[test]
fn a_share_of_items_is_drawn_and_a_raised_share_reaches_open_items_that_nobody_has_seen() {
    let world = world_with_slips(0.0, 24);
    let hidden = |who: &str| -> Vec<String> {
        let items = world.json(["queue", "list"]);
        let ids = elements(&items).iter().map(|item| text(item, "item").to_owned());
        ids.filter(|id| world.json(["queue", "show", id, "--as", who])["candidate"].is_null())
            .collect()
    };
    assert!(hidden("ada").is_empty(), "none at a share of 0");
    let held = claim(&world, "ada").expect("an item");
    catalogue(&world, 0.4);
    let some = hidden("bea");
    assert!((2..20).contains(&some.len()), "{} of 24 at 0.4", some.len());
    catalogue(&world, 1.0);
    let all = hidden("bea");
    assert!(all.len() == 24 && some.iter().all(|item| all.contains(item)));
    // What ada held while its candidate could be seen is not asked of her: it would not be blind.
    let seen = text(&held, "item").to_owned();
    let ada = hidden("ada");
    assert!(ada.len() == 23 && !ada.contains(&seen));
    assert_refused(
        &world.run(enter_arguments(&held, "ada", &["--value", "1"])),
        2,
        &["decide it"],
    );
    let _ = world.json(decide_arguments(&held, "ada", "k", &["--accept"]));
}

#[test]
fn what_waits_for_a_fault_is_seen_at_once() {
    let world = World::empty();
    catalogue(&world, 1.0);
    let body = "The total of this slip is 4711.\n";
    let _ = world.lines(0, ["ingest", &world.file("slip.txt", body)]);
    let record = |quote: &str| {
        json!({
            "record_id": "r", "doc_id": "slip", "doc_sha256": pincite_core::sha256_hex(body.as_bytes()), "field": FIELD,
            "value": 4711, "status": "present", "confidence": 0.5, "provenance": [{"quote": quote, "char_start": 0, "char_end": 5}],
            "extractor": {"model": "m", "prompt_version": "p", "run_id": "r"}, "due_at": null
        })
    };
    let line = format!("{}\n", record("another quote"));
    let _ = world.lines(1, ["record", "import", &world.file("records.jsonl", line)]);
    let claimed = claim(&world, "ada").expect("an item");
    let shown = world.json(["queue", "show", text(&claimed, "item"), "--as", "ada"]);
    assert_eq!(text(&shown, "reason"), "unverified_citation");
    assert_eq!(text(&shown["candidate"], "value_text"), "4711");
}

/// The document's fields and the document itself, as a window shows them to this reviewer.
fn in_the_window(world: &World, doc_sha256: &str, who: &str) -> (FieldsView, EvidenceView) {
    in_workspace(world, async |workspace| {
        (
            fields::fields(workspace, "slip-000", doc_sha256, who)
                .await
                .expect("fields"),
            evidence::whole(workspace, "slip-000", doc_sha256)
                .await
                .expect("the document"),
        )
    })
}

#[test]
fn the_fields_of_a_document_give_no_candidate_away_and_the_document_opens_with_nothing_marked() {
    let world = world_with_slips(1.0, 1);
    let item = claim(&world, "bea").expect("an item");
    let doc_sha256 = pincite_core::sha256_hex("The total of this slip is 4711.\n".as_bytes());
    let (before, whole) = in_the_window(&world, &doc_sha256, "bea");
    assert!(before.fields[0].citations.is_empty() && before.fields[0].value.is_null());
    assert_eq!((whole.open_page, whole.citation.quote.as_str()), (1, ""));
    assert!(whole.quote_rects.is_empty() && whole.clause_rects.is_empty() && whole.link.is_none());
    let text = whole.in_text.expect("a text is shown as text");
    assert!(text.quote.is_none() && text.clause.is_none());
    let _ = world.json(enter_arguments(&item, "bea", &["--value", "4711"]));
    let (after, _) = in_the_window(&world, &doc_sha256, "bea");
    assert_eq!(after.fields[0].citations.len(), 1);
}
