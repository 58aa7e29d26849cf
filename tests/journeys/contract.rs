//! The keys of every answer: what docs/COMMAND-LINE.md promises, and no key that nobody wrote down.
//!
//! Deliberately not here: what the values mean.

use crate::{assert_refused, claim, decide_arguments, elements, text};
use pincite_tests::{World, tree};
use serde_json::Value;
use std::collections::BTreeSet;

const DOCUMENT: &str =
    "doc_id doc_sha256 layer_sha256 structure_id title pages chars trust + media_type extractor recorded_at";
const LAYER: &str = "layer_sha256 extractor chars + kind pages default recorded_at";
const ITEM: &str = "item item_version doc_id doc_sha256 field reason hard due_at created_at held_by held_until \
    + held_for_later_by held_for_later_at hold_note title locator";
const LEASE: &str = "item item_version token expires_at";
const DECISION: &str = "decision item recorded_at + kind reviewer doc_id doc_sha256 field value reason note replaces standing adjudication wall_milliseconds \
    confidence model prompt_version";
const RECORD: &str = "record_id doc_id doc_sha256 field value status confidence provenance extractor due_at outcome resolved_value decision \
    + reason item resolved_outcome";
const CITATION: &str =
    "id doc_id doc_sha256 layer_sha256 structure_id locator page char_start char_end quote + state reason placed";
const THRESHOLD: &str = "field model prompt_version tau_show tau_flag error_upper level labels_needed expected_by + labels_from set_at set_by why stale";

/// Keys before the plus are promised; those behind it were added.
pub(crate) fn assert_keys(value: &Value, keys: &str, what: &str) {
    let wanted: BTreeSet<&str> = keys.split_whitespace().filter(|key| *key != "+").collect();
    let object = value
        .as_object()
        .unwrap_or_else(|| panic!("{what}: no object: {value}"));
    let found: BTreeSet<&str> = object.keys().map(String::as_str).collect();
    assert_eq!(found, wanted, "{what}");
}

#[test]
fn every_answer_has_the_keys_that_are_promised() {
    let world = World::demo();
    let drug_label = tree::fixture("documents/drug-label.pdf").display().to_string();
    let right = tree::fixture("records/right.jsonl").display().to_string();
    let catalogue = tree::fixture("catalogue.toml").display().to_string();
    let picture = world.path("page.png").display().to_string();

    assert_keys(
        &world.json(["settings", "show"]),
        "audit_shares floors frozen_floors index_lag_alarm_hours lease_milliseconds scope second_review_share seconds_per_item signatures",
        "settings show",
    );
    for arguments in [
        ["catalogue", "check", &catalogue],
        ["catalogue", "show", &catalogue],
        ["catalogue", "set", &catalogue],
    ] {
        let field = &world.json(arguments)["field"]["retention.period"];
        for key in ["title", "guidance", "type", "unit", "required", "hard"] {
            assert!(!field[key].is_null(), "{arguments:?}: {key}");
        }
    }
    let ingested = world.json(["ingest", &drug_label]);
    assert_keys(
        &ingested,
        "path outcome doc_id doc_sha256 layer_sha256 structure_id pages chars boxed scanned_pages untrusted_pages reason + password_needed quarantined",
        "ingest",
    );
    assert_eq!(text(&ingested, "outcome"), "known");
    assert_keys(
        &elements(&world.json(["document", "list"]))[0],
        DOCUMENT,
        "document list",
    );
    let document = world.json(["document", "show", "drug-label"]);
    assert_keys(&document, DOCUMENT, "document show");
    assert_keys(
        &document["trust"],
        "boxed unboxed replaced unmapped scanned_pages untrusted_pages damaged_pages private_use invisible \
         recognised_pages outside doubled doubled_pages soft_hyphens line_end_hyphens rotated_pages page_sizes \
         form_fields annotations tagged_pages substituted_fonts",
        "trust",
    );
    let layer = world.file("layer.txt", "another program's text");
    let added = world.json(["layer", "add", "drug-label", "--text", &layer, "--name", "another 1"]);
    assert_keys(&added, &format!("{LAYER} outcome reason"), "layer add");
    assert_keys(
        &elements(&world.json(["layer", "list", "drug-label"]))[1],
        LAYER,
        "layer list",
    );
    assert_keys(&world.json(["layer", "default", "drug-label"]), LAYER, "layer default");
    let boxes = world.json(["document", "boxes", "drug-label", "--start", "210", "--end", "260"]);
    assert_keys(&boxes, "rects unboxed", "document boxes");
    assert_keys(&boxes["rects"][0], "page x0 y0 x1 y1", "a rectangle");
    assert_keys(
        &world.json(["document", "hit", "drug-label", "--page", "1", "--rect", "0,0,600,200"]),
        "start end text spans",
        "document hit",
    );
    for outline in [
        &["document", "sections", "drug-label"][..],
        &["document", "sections", "drug-label", "--without-outline"],
    ] {
        assert_keys(
            &elements(&world.json(outline))[0],
            "locator title level page start end section_key own_sha256 content_sha256",
            "document sections",
        );
    }
    let rendered = world.json([
        "document",
        "render",
        "drug-label",
        "--page",
        "1",
        "--dpi",
        "20",
        "--out",
        &picture,
    ]);
    assert_keys(&rendered, "width height", "document render");

    for imported in world.lines(0, ["record", "import", &right]) {
        assert_keys(
            &imported,
            "line record_id known outcome reason item citations",
            "record import",
        );
        for citation in elements(&imported["citations"]) {
            assert_keys(citation, "state reason placed + placing", "record import: a citation");
        }
    }
    for arguments in [
        &["record", "list"][..],
        &["record", "export"],
        &["record", "export", "--resolved"],
    ] {
        for record in world.lines(0, arguments) {
            assert_keys(&record, RECORD, "a record");
            assert_keys(&record["extractor"], "model prompt_version run_id", "an extractor");
            for citation in elements(&record["provenance"]) {
                assert_keys(citation, CITATION, "a record's citation");
            }
        }
    }
    assert_keys(
        &world.json(["record", "show", "trap-no-offsets"]),
        RECORD,
        "record show",
    );
    for verified in world.lines(1, ["verify", "--all"]) {
        assert_keys(&verified, "id state reason carriage shift standing", "verify");
    }
}

#[test]
fn every_answer_about_the_queue_has_the_keys_that_are_promised() {
    let world = World::demo();
    assert_keys(&elements(&world.json(["queue", "list"]))[0], ITEM, "queue list");
    assert_keys(&world.json(["queue", "next"]), ITEM, "queue next");
    let claim = claim(&world, "ada").expect("the demo has items");
    assert_keys(&claim, LEASE, "queue claim");
    let item = text(&claim, "item");
    let stats = world.json(["queue", "stats"]);
    assert_keys(
        &stats,
        "open hard overdue held held_for_later decided oldest_at holds decided_today median_milliseconds + second_reviews adjudications without_a_third",
        "queue stats",
    );
    assert_keys(&stats["holds"][0], "item held_by held_until", "a hold");
    let token = claim["token"].to_string();
    assert_keys(
        &world.json(["queue", "renew", item, "--token", &token]),
        LEASE,
        "queue renew",
    );
    let shown = world.json(["queue", "show", item]);
    assert_keys(
        &shown,
        &format!("{ITEM} schema candidate entry adjudication newer history"),
        "queue show",
    );
    // Blind: neither confidence nor model nor prompt version before one's own decision.
    assert_keys(
        &shown["candidate"],
        "record_id status value value_text violations citations passage_values recorded_at",
        "queue show: the candidate",
    );
    assert_keys(&world.json(["queue", "holds"])[0], ITEM, "queue holds");
    assert_keys(
        &world.json(["queue", "hold", item, "--as", "ada", "--note", "a test"]),
        ITEM,
        "queue hold",
    );
    let claim = world.json(["queue", "claim", item, "--as", "ada"]);
    let decision = world.json(decide_arguments(&claim, "ada", "key-1", &["--accept"]));
    assert_keys(&decision, DECISION, "queue decide");
    assert!(
        decision["wall_milliseconds"].is_null(),
        "no window saw it, so it has no time, not 0"
    );
    assert_keys(&world.lines(0, ["decision", "list"])[0], DECISION, "decision list");
    assert_keys(
        &world.json([
            "queue",
            "undo",
            text(&decision, "decision"),
            "--as",
            "ada",
            "--key",
            "key-2",
        ]),
        DECISION,
        "queue undo",
    );
    let again = world.json(["queue", "claim", item, "--as", "ada"]);
    assert_keys(
        &world.json([
            "queue",
            "release",
            item,
            "--token",
            &again["token"].to_string(),
            "--as",
            "ada",
        ]),
        LEASE,
        "queue release",
    );
    assert_keys(
        &world.lines(0, ["audit", "log", "--limit", "3"])[0],
        "entry recorded_at zone who role action subject payload hash salt commitment",
        "audit log",
    );
    assert_keys(
        &world.json(["audit", "verify"]),
        "entries head anchored keys fault",
        "audit verify",
    );
}

#[test]
fn every_answer_about_second_reviews_has_the_keys_that_are_promised() {
    let world = crate::enter_first::world_with_slips(1.0, 1);
    let _ = world.json(["settings", "set", "second_review_share", "1", "--why", "a test"]);
    for (who, value) in [("ada", "4711"), ("bea", "9")] {
        let claimed = claim(&world, who).expect("an item");
        let entered = world.json(crate::enter_first::enter_arguments(&claimed, who, &["--value", value]));
        assert_keys(
            &entered,
            &format!("{ITEM} schema candidate entry adjudication newer history"),
            "queue enter",
        );
        assert_keys(&entered["entry"], "value text equals_candidate recorded_at", "an entry");
        let decided = world.json(decide_arguments(&claimed, who, who, &["--correct", value]));
        assert_keys(&decided, DECISION, "a decision, first or second");
    }
    assert_keys(
        &world.lines(0, ["review", "list"])[0],
        "second_review decision item field kind reviewer value reason note state wall_milliseconds recorded_at",
        "review list",
    );
    assert_keys(
        &world.json(["review", "agreement"])[0],
        "field title alpha pairs pairs_same pairs_short second_reviews agreed share_agreed adjudicated to_adjudicate waiting",
        "review agreement",
    );
    let item = claim(&world, "cy").expect("the difference");
    let shown = world.json(["queue", "show", text(&item, "item"), "--as", "cy"]);
    assert_keys(&shown["adjudication"], "one other", "an adjudication");
    assert_keys(
        &shown["adjudication"]["one"],
        "value text states_a_value not_stated",
        "one of two who differ",
    );
}

#[test]
fn every_answer_about_calibration_has_the_keys_that_are_promised() {
    let world = World::demo();
    let curves = world.json(["calibrate"]);
    for curve in elements(&curves) {
        assert_keys(
            curve,
            "field model prompt_version of state bins ece brier pending derived excluded threshold + title hard labels audit_labels \
             labels_effective labels_short max_error max_error_flag ece_interval brier_interval closed_cohorts open_cohorts \
             open_since labels_waiting",
            "calibrate",
        );
        assert_eq!(
            elements(&curve["bins"]).len(),
            5,
            "the five bins of the default edges, empty ones too"
        );
        for bin in elements(&curve["bins"]) {
            assert_keys(
                bin,
                "from to n n_effective right mean_confidence low high + rising worst_right worst_low",
                "a bin",
            );
        }
    }
    let curve = &elements(&curves)[0];
    let extractor = format!("{}/{}", text(curve, "model"), text(curve, "prompt_version"));
    let compare = [
        "calibrate",
        "--field",
        text(curve, "field"),
        "--of",
        text(curve, "of"),
        "--compare",
    ];
    let pair = format!("{extractor},{extractor}");
    let bins = world.json([&compare[..], &[&pair]].concat());
    assert_eq!(elements(&bins).len(), 5);
    for bin in elements(&bins) {
        assert_keys(bin, "from to difference low high", "calibrate --compare");
        assert!(bin["difference"].is_null(), "nothing is decided in the demo: {bin}");
    }
    let unknown = format!("{extractor},nobody/nothing");
    let refused = world.run([&compare[..], &[&unknown]].concat());
    assert_refused(&refused, 2, &["nobody nothing"]);
    let refused = world.run([&compare[..], &["one"]].concat());
    assert_refused(&refused, 2, &["one", "MODEL/PROMPT"]);
    let of = ["--model", "ext-large", "--prompt-version", "ext-3.5"];
    let suggest = [&["threshold", "suggest", "retention.period"][..], &of].concat();
    assert_keys(&world.json(suggest), THRESHOLD, "threshold suggest");
    let set = [
        &[
            "threshold",
            "set",
            "retention.period",
            "--tau-show",
            "0.9",
            "--tau-flag",
            "0.8",
            "--why",
            "a test",
        ][..],
        &of,
    ]
    .concat();
    assert_keys(&world.json(set), THRESHOLD, "threshold set");
    let shown = world.json(["threshold", "show", "retention.period"]);
    assert_eq!(elements(&shown).len(), 1);
    assert_keys(&shown[0], THRESHOLD, "threshold show");
    for row in elements(&world.json(["workload"])) {
        assert_keys(
            row,
            "tau share items_per_day hours_per_day errors_per_day past_due_in_14_days",
            "workload",
        );
    }
}

#[test]
fn lists_go_on_where_they_stopped() {
    let world = World::demo();
    let first = claim(&world, "ada").expect("an item");
    let _ = world.json(decide_arguments(&first, "ada", "one", &["--accept"]));
    let second = claim(&world, "ada").expect("an item");
    let _ = world.json(decide_arguments(&second, "ada", "two", &["--accept"]));
    let document = |value: &Value| format!("{}@{}", text(value, "doc_id"), text(value, "doc_sha256"));
    let named = |key: &'static str| {
        move |value: &Value| {
            value[key]
                .as_str()
                .map_or_else(|| value[key].to_string(), str::to_owned)
        }
    };
    type Cursor = Box<dyn Fn(&Value) -> String>;
    let lists: [(&[&str], bool, Cursor); 5] = [
        (&["document", "list"], false, Box::new(document)),
        (&["queue", "list"], false, Box::new(named("item"))),
        (&["record", "list"], true, Box::new(named("record_id"))),
        (&["decision", "list"], true, Box::new(named("decision"))),
        (&["audit", "log"], true, Box::new(named("entry"))),
    ];
    for (command, in_lines, cursor) in lists {
        let read = |more: &[&str]| {
            let arguments = [command, more].concat();
            if in_lines {
                world.lines(0, arguments)
            } else {
                elements(&world.json(arguments)).to_vec()
            }
        };
        let whole = read(&[]);
        assert!(whole.len() >= 2, "{command:?}");
        let step = (whole.len() / 2).to_string();
        let mut pages = read(&["--limit", &step]);
        while let Some(last) = pages.last().map(&cursor) {
            let page = read(&["--limit", &step, "--after", &last]);
            if page.is_empty() {
                break;
            }
            pages.extend(page);
        }
        assert_eq!(pages, whole, "{command:?}");
    }
}

#[test]
fn without_json_there_are_words_and_the_layer_is_never_json() {
    let world = World::demo();
    let words = world.run(["queue", "list"]);
    assert_eq!(words.code, 0);
    assert!(
        words.out.lines().count() > 40 && !words.out.contains("{\""),
        "{}",
        words.out
    );
    assert!(words.out.contains("check_value"), "blind by default");
    assert!(
        !words.out.contains("low_confidence") && !words.out.contains("sample_audit"),
        "blind by default"
    );
    assert!(world.run(["queue", "list", "--unblind"]).out.contains("low_confidence"));
    let plain = world.run(["document", "text", "drug-label"]);
    let json = world.run(["document", "text", "drug-label", "--json"]);
    assert_eq!(plain.out, json.out);
    let document = world.json(["document", "show", "drug-label"]);
    assert_eq!(
        pincite_core::sha256_hex(plain.out.as_bytes()),
        text(&document, "layer_sha256")
    );
    for shell in ["bash", "zsh", "fish"] {
        let script = world.run(["completions", shell]);
        assert!(script.code == 0 && script.out.contains("pincite"), "{shell}");
    }
    for command in [
        "init",
        "catalogue",
        "settings",
        "audit",
        "ingest",
        "document",
        "record",
        "verify",
        "queue",
        "answer",
        "gate",
        "registry",
        "calibrate",
        "threshold",
        "backup",
        "restore",
        "workspace",
    ] {
        let help = world.run([command, "--help"]);
        assert!(
            help.code == 0 && help.out.contains("Example"),
            "{command} --help has no examples"
        );
    }
}
