//! Second reviews: found as any item, kept apart from decisions, settled by a third where two differ; and agreement over them.
//!
//! Deliberately not here: draws and alpha themselves (the core's own tests).

use crate::enter_first::{enter_arguments, world_with_slips};
use crate::{assert_refused, claim, decide_arguments, elements, number, text};
use pincite_app::wire::{DecideRequest, EnterRequest, Verdict};
use pincite_app::{Workspace, enter_first, queue};
use pincite_tests::{World, database};
use serde_json::{Value, json};

const ACCEPT: &[&str] = &["--accept"];

/// Everything that is decided is reviewed twice, or nothing.
fn set_share(world: &World, share: &str) {
    let _ = world.json(["settings", "set", "second_review_share", share, "--why", "a test"]);
}

/// A world of slips that are seen at once, whose decisions are all reviewed twice.
fn world(slips: usize) -> World {
    let world = world_with_slips(0.0, slips);
    set_share(&world, "1");
    world
}

/// Claims what comes next and decides it; answers the decision.
fn decide(world: &World, who: &str, verdict: &[&str]) -> Value {
    let claimed = claim(world, who).unwrap_or_else(|| panic!("nothing is free for {who}"));
    let key = format!("{who} {} {}", text(&claimed, "item"), number(&claimed, "token"));
    world.json(decide_arguments(&claimed, who, &key, verdict))
}

fn listed(world: &World, who: &str) -> Vec<Value> {
    elements(&world.json(["queue", "list", "--as", who])).to_vec()
}

/// Labels of the one curve, how many of them are right (by the error of the bin), and what is pending.
fn labels(world: &World) -> (i64, i64) {
    let curves = world.json(["calibrate"]);
    let [curve] = elements(&curves) else {
        panic!("one curve: {curves}");
    };
    (number(curve, "labels"), number(curve, "pending"))
}

/// Whether an answer names somebody anywhere: as a word, since an id may have any letters from a to f in a row.
fn names(answer: &Value, who: &str) -> bool {
    let answer = answer.to_string();
    let mut words = answer.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| word == who)
}

fn resolved(world: &World) -> Value {
    world.json(["record", "show", "r-000"])["resolved_value"].clone()
}

#[test]
fn a_second_reviewer_finds_an_ordinary_item_and_the_first_never_does() {
    let world = world(2);
    let first = decide(&world, "ada", ACCEPT);
    let item = text(&first, "item");
    let has = |who: &str| listed(&world, who).iter().any(|listed| text(listed, "item") == item);
    assert!(
        !has("ada") && has("bea") && has("cy"),
        "the first reviewer never gets it"
    );
    // In a team a queue is always somebody's.
    if world.database().is_none() {
        let nobodys = world.json(["queue", "list"]);
        assert_eq!(elements(&nobodys).len(), 1, "nobody's queue has none: {nobodys}");
    }

    // Nothing tells that this was decided, by whom, or how.
    let open = listed(&world, "bea");
    let keys = |value: &Value| {
        value
            .as_object()
            .map(|object| object.keys().cloned().collect::<Vec<_>>())
    };
    assert!(
        open.iter()
            .all(|one| keys(one) == keys(&open[0]) && text(one, "reason") == "check_value")
    );
    let shown = world.json(["queue", "show", item, "--as", "bea"]);
    assert!(!names(&shown, "ada") && shown["adjudication"].is_null(), "{shown}");
    assert_eq!(text(&shown["candidate"], "value_text"), "4711");
    let stats = world.json(["queue", "stats", "--as", "bea"]);
    assert_eq!((number(&stats, "open"), number(&stats, "decided")), (2, 0));
    let stats = world.json(["queue", "stats", "--as", "ada"]);
    assert_eq!(
        (
            number(&stats, "open"),
            number(&stats, "decided"),
            number(&stats, "second_reviews")
        ),
        (1, 1, 1)
    );

    assert_refused(
        &world.run(["queue", "claim", item, "--as", "ada"]),
        2,
        &["decided already"],
    );
    let (before, decisions) = (labels(&world), world.lines(0, ["decision", "list"]));
    let claimed = world.json(["queue", "claim", item, "--as", "bea"]);
    let held = world.json(["queue", "stats", "--as", "ada"]);
    assert!(
        elements(&held["holds"]).is_empty(),
        "a hold on it would tell the first reviewer: {held}"
    );
    assert_refused(&world.run(["queue", "claim", item, "--as", "cy"]), 2, &["held by bea"]);
    let arguments = decide_arguments(&claimed, "bea", "k-bea", ACCEPT);
    let second = world.json(&arguments);
    assert_eq!(second, world.json(&arguments), "said twice it is one");
    assert_eq!((&second["standing"], text(&second, "kind")), (&json!(true), "accept"));
    let other = decide_arguments(&claimed, "bea", "k-bea", &["--abstain", "not_stated"]);
    assert_refused(&world.run(other), 2, &["k-bea"]);

    // It is no decision, feeds no curve again, and nobody else is asked.
    assert_eq!(world.lines(0, ["decision", "list"]), decisions);
    assert_eq!(labels(&world), before);
    assert!(!has("bea") && !has("cy") && !has("ada"));
    let reviews = world.lines(0, ["review", "list"]);
    assert_eq!(reviews.len(), 1);
    assert_eq!(
        (text(&reviews[0], "state"), &reviews[0]["decision"]),
        ("agreed", &first["decision"])
    );
    let agreement = world.json(["review", "agreement"]);
    assert_eq!(
        (
            number(&agreement[0], "second_reviews"),
            agreement[0]["share_agreed"].as_f64()
        ),
        (1, Some(1.0))
    );
    assert!(
        agreement[0]["alpha"].is_null() && number(&agreement[0], "pairs") == 0,
        "nothing was entered blind"
    );
    assert!(!names(&agreement, "bea"), "never about a person");
    assert!(world.json(["audit", "verify"])["fault"].is_null());
    for statement in [
        "UPDATE second_reviews SET kind = 'reject'",
        "DELETE FROM second_reviews",
        "UPDATE second_draws SET share = 0",
        "DELETE FROM second_draws",
    ] {
        let refused = database::refusal(&world, statement);
        assert!(refused.contains("never"), "{statement}: {refused:?}");
    }
}

#[test]
fn where_two_differ_a_third_says_and_until_then_the_label_is_not_known() {
    let world = world(1);
    let first = decide(&world, "ada", ACCEPT);
    let item = text(&first, "item");
    assert_eq!(labels(&world), (1, 0));
    let second = decide(&world, "bea", &["--correct", "9"]);
    assert_eq!(
        labels(&world),
        (0, 1),
        "drawn and not known: the worst case takes it as wrong"
    );
    assert_eq!(resolved(&world), json!(4711), "the standing decision stands");

    // Neither of the two may settle it; with nobody else it waits, and that is said.
    for who in ["ada", "bea"] {
        assert!(listed(&world, who).is_empty());
        let answer = world.run(["queue", "claim", "--as", who, "--json"]);
        assert!(answer.code == 0 && answer.out.trim() == "null", "{answer:?}");
        assert!(answer.err.contains("nobody else is known here"), "{}", answer.err);
    }
    let stats = world.json(["queue", "stats", "--as", "ada"]);
    assert_eq!(
        (number(&stats, "adjudications"), number(&stats, "without_a_third")),
        (1, 1)
    );

    let seen = listed(&world, "cy");
    assert_eq!(text(&seen[0], "reason"), "adjudication");
    let shown = world.json(["queue", "show", item, "--as", "cy"]);
    let sides = &shown["adjudication"];
    let mut both = [text(&sides["one"], "text"), text(&sides["other"], "text")];
    both.sort_unstable();
    assert_eq!(both, ["4711", "9"]);
    assert!(!names(&shown, "ada") && !names(&shown, "bea"), "unnamed: {shown}");
    assert!(world.json(["queue", "show", item, "--as", "ada"])["adjudication"].is_null());
    let claimed = claim(&world, "cy").expect("the difference");
    let reject = decide_arguments(&claimed, "cy", "k-0", &["--reject", "other"]);
    assert_refused(&world.run(reject), 2, &["two reviewers differ", "true value"]);
    let settled = world.json(decide_arguments(&claimed, "cy", "k-1", &["--correct", "9"]));
    assert_eq!(
        (&settled["adjudication"], &settled["replaces"]),
        (&json!(true), &first["decision"])
    );
    assert_eq!((resolved(&world), labels(&world)), (json!(9), (1, 0)));
    let bins = world.json(["calibrate"]);
    let right: Vec<f64> = elements(&bins[0]["bins"])
        .iter()
        .filter_map(|bin| bin["right"].as_f64())
        .collect();
    assert_eq!(right, [0.0], "the label follows from what the third said");
    assert!(
        ["ada", "bea", "cy", "dee"]
            .iter()
            .all(|who| listed(&world, who).is_empty())
    );
    let decisions = world.lines(0, ["decision", "list"]);
    assert_eq!(decisions.len(), 2, "the second review is none");

    // Nothing that rests on it can be taken back any more; the adjudication can, and is the third person's again.
    for (who, made) in [("ada", &first), ("bea", &second)] {
        let undo = ["queue", "undo", text(made, "decision"), "--as", who, "--key", who];
        assert_refused(&world.run(undo), 2, &["no longer the item's last"]);
    }
    let _ = world.json([
        "queue",
        "undo",
        text(&settled, "decision"),
        "--as",
        "cy",
        "--key",
        "k-2",
    ]);
    assert_eq!((resolved(&world), labels(&world)), (Value::Null, (0, 1)));
    assert_refused(&world.run(["queue", "claim", item, "--as", "ada"]), 2, &[item]);
    assert!(listed(&world, "bea").is_empty());
    // Both were seen by somebody who settled it once: they stay what they are.
    let undo = ["queue", "undo", text(&second, "decision"), "--as", "bea", "--key", "u"];
    assert_refused(&world.run(undo), 2, &["no longer the item's last"]);
    let settled = decide(&world, "cy", ACCEPT);
    assert_eq!(
        (&settled["adjudication"], resolved(&world)),
        (&json!(true), json!(4711))
    );
    assert_eq!(labels(&world), (1, 0));
    let agreement = world.json(["review", "agreement", "--field", "slip.total"]);
    assert_eq!(
        (
            number(&agreement[0], "adjudicated"),
            agreement[0]["share_agreed"].as_f64()
        ),
        (1, Some(0.0))
    );
}

#[test]
fn a_second_review_belongs_to_the_decision_it_was_drawn_for() {
    let world = world(1);
    let first = decide(&world, "ada", ACCEPT);
    let item = text(&first, "item");
    let claimed = claim(&world, "bea").expect("a second review");
    // A newer extraction is not what the first saw: the second doesn't see it either, and nothing moves.
    let body = "The total of this slip is 4711.\n";
    let newer = json!({
        "record_id": "newer", "doc_id": "slip-000", "doc_sha256": pincite_core::sha256_hex(body.as_bytes()),
        "field": "slip.total", "value": 9999, "status": "present", "confidence": 0.5, "provenance": [{"quote": body.trim()}],
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
    let shown = world.json(["queue", "show", item, "--as", "bea"]);
    assert!(
        elements(&shown["newer"]).is_empty() && !shown.to_string().contains("9999"),
        "{shown}"
    );
    assert_eq!(shown["item_version"], claimed["item_version"]);

    // Taken back meanwhile: what bea says comes too late, is not written, and the item is anybody's again.
    let undo = ["queue", "undo", text(&first, "decision"), "--as", "ada", "--key", "u-1"];
    let _ = world.json(undo);
    let late = world.run(decide_arguments(&claimed, "bea", "k-1", ACCEPT));
    assert_refused(&late, 2, &[item, "nothing was written"]);
    assert!(world.lines(0, ["review", "list"]).is_empty());
    let _ = world.json(undo);

    // Revised, it is drawn anew by the same number, and what is reviewed is the new one.
    let revised = world.json(["queue", "claim", item, "--as", "ada"]);
    let revised = world.json(decide_arguments(&revised, "ada", "k-2", &["--correct", "5"]));
    let second = decide(&world, "bea", ACCEPT);
    let reviews = world.lines(0, ["review", "list"]);
    assert_eq!(
        (&reviews[0]["decision"], text(&reviews[0], "state")),
        (&revised["decision"], "differ")
    );

    // Bea takes hers back: it waits again, for her too. The third has nothing to settle then.
    let settling = claim(&world, "cy").expect("the difference");
    let undone = world.json([
        "queue",
        "undo",
        text(&second, "decision"),
        "--as",
        "bea",
        "--key",
        "u-2",
    ]);
    assert_eq!(
        (text(&undone, "kind"), &undone["replaces"]),
        ("undo", &second["decision"])
    );
    assert_refused(
        &world.run(decide_arguments(&settling, "cy", "k-3", ACCEPT)),
        2,
        &["nothing was written"],
    );
    let again = decide(&world, "bea", &["--correct", "5"]);
    assert_eq!(again["standing"], json!(true));
    assert!(listed(&world, "cy").is_empty(), "agreed");

    // Ada takes hers back after all: the second review says nothing of what follows, and bea is not asked a third time.
    let _ = world.json([
        "queue",
        "undo",
        text(&revised, "decision"),
        "--as",
        "ada",
        "--key",
        "u-3",
    ]);
    let agreement = world.json(["review", "agreement"]);
    assert!(elements(&agreement).is_empty(), "{agreement}");
    let claimed = world.json(["queue", "claim", item, "--as", "ada"]);
    let _ = world.json(decide_arguments(&claimed, "ada", "k-4", ACCEPT));
    assert!(listed(&world, "bea").is_empty() && listed(&world, "cy").len() == 1);
    assert!(world.json(["audit", "verify"])["fault"].is_null());
}

#[test]
fn its_lease_and_its_hold_are_its_own() {
    let world = world(1);
    let first = decide(&world, "ada", ACCEPT);
    let item = text(&first, "item");
    let _ = world.json(["settings", "set", "lease_milliseconds", "1000", "--why", "a test"]);
    let lost = claim(&world, "bea").expect("a second review");
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    let _ = world.json(["settings", "set", "lease_milliseconds", "900000", "--why", "a test"]);
    let claimed = world.json(["queue", "claim", item, "--as", "cy"]);
    assert!(number(&claimed, "token") > number(&lost, "token"));
    assert_refused(
        &world.run(decide_arguments(&lost, "bea", "k-1", ACCEPT)),
        2,
        &["the lease", "nothing was written"],
    );

    // Held for later it is nobody's next, and it stays unknown to the first reviewer.
    let _ = world.json([
        "queue",
        "release",
        item,
        "--token",
        &claimed["token"].to_string(),
        "--as",
        "cy",
    ]);
    let held = world.json(["queue", "hold", item, "--as", "cy", "--note", "asked the buyer"]);
    assert_eq!(text(&held, "held_for_later_by"), "cy");
    assert!(claim(&world, "bea").is_none());
    let counts = |who: &str| {
        let stats = world.json(["queue", "stats", "--as", who]);
        (number(&stats, "open"), number(&stats, "held_for_later"))
    };
    assert_eq!((counts("bea"), counts("ada")), ((1, 1), (0, 0)));
    let refused = world.run(["queue", "hold", item, "--as", "ada", "--note", "mine"]);
    assert_refused(&refused, 2, &["decided already"]);
    let taken = world.json(["queue", "claim", item, "--as", "bea"]);
    let made = world.json(decide_arguments(&taken, "bea", "k-2", ACCEPT));
    assert_eq!(text(&made, "reviewer"), "bea");
}

#[test]
fn a_raised_share_draws_from_what_was_decided_before() {
    let world = world_with_slips(0.0, 12);
    set_share(&world, "0");
    for _ in 0..12 {
        let _ = decide(&world, "ada", ACCEPT);
    }
    assert!(listed(&world, "bea").is_empty());
    let drawn = |share: &str| -> Vec<String> {
        set_share(&world, share);
        listed(&world, "bea")
            .iter()
            .map(|item| text(item, "item").to_owned())
            .collect()
    };
    let some = drawn("0.5");
    assert!((1..12).contains(&some.len()), "{} of 12 at 0.5", some.len());
    let all = drawn("1");
    assert!(all.len() == 12 && some.iter().all(|item| all.contains(item)));
    assert_eq!(drawn("0").len(), 12, "what was drawn stays drawn");
    for bad in ["1.1", "5", "many", "NaN"] {
        let answer = world.run(["settings", "set", "second_review_share", bad, "--why", "a test"]);
        assert_refused(
            &answer,
            2,
            &["second_review_share", "0 (nothing is reviewed twice) to 1"],
        );
    }
}

#[test]
fn where_the_value_is_entered_first_the_second_reviewer_enters_too() {
    let world = world_with_slips(1.0, 1);
    set_share(&world, "1");
    let claimed = claim(&world, "ada").expect("an item");
    let _ = world.json(enter_arguments(&claimed, "ada", &["--value", "4711"]));
    let _ = world.json(decide_arguments(&claimed, "ada", "k-1", ACCEPT));
    let claimed = claim(&world, "bea").expect("a second review");
    let item = text(&claimed, "item");
    assert!(world.json(["queue", "show", item, "--as", "bea"])["candidate"].is_null());
    let refused = world.run(decide_arguments(&claimed, "bea", "k-2", ACCEPT));
    assert_refused(&refused, 2, &["pincite queue enter"]);
    let seen = world.json(enter_arguments(&claimed, "bea", &["--not-stated"]));
    assert_eq!(text(&seen["candidate"], "value_text"), "4711");
    let _ = world.json(decide_arguments(&claimed, "bea", "k-2", ACCEPT));
    // What they decided once they saw it agrees; what they read did not.
    let agreement = world.json(["review", "agreement"]);
    let agreement = &elements(&agreement)[0];
    assert_eq!(agreement["share_agreed"].as_f64(), Some(1.0));
    assert_eq!(
        (
            number(agreement, "pairs"),
            number(agreement, "pairs_same"),
            number(agreement, "pairs_short")
        ),
        (1, 0, 19)
    );
    assert!(agreement["alpha"].is_null(), "too few");
}

#[test]
fn alpha_is_stated_from_twenty_pairs_on() {
    let world = world_with_slips(1.0, 21);
    set_share(&world, "1");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let workspace = Workspace::open(world.place()).await.expect("the workspace");
        for (who, every) in [("ada", 1), ("bea", 4)] {
            for turn in 0..21 {
                let claim = queue::claim(&workspace, None, who).await.expect("a claim");
                let claim = claim.expect("an item is free");
                // Bea reads every fourth as "not stated".
                let value = if turn % every == 0 && who == "bea" {
                    Value::Null
                } else {
                    json!(turn)
                };
                let request = EnterRequest {
                    item: claim.item.clone(),
                    item_version: claim.item_version,
                    token: claim.token,
                    value,
                };
                let seen = enter_first::enter(&workspace, &request, who).await.expect("an entry");
                assert!(seen.candidate.is_some());
                let request = DecideRequest {
                    key: format!("{who} {turn}"),
                    item: claim.item,
                    item_version: claim.item_version,
                    token: claim.token,
                    record_id: None,
                    verdict: Verdict::Accept,
                    note: None,
                    signature: None,
                    segments: Vec::new(),
                };
                let _ = queue::decide(&workspace, &request, who).await.expect("a decision");
            }
        }
    });
    let agreement = world.json(["review", "agreement"]);
    let agreement = &elements(&agreement)[0];
    assert_eq!((number(agreement, "pairs"), number(agreement, "pairs_same")), (21, 15));
    // By hand: 42 values, every number is said twice (15) or once (6), "not stated" six times.
    let same_ordered = 15.0 * 2.0 + 6.0 * 5.0;
    let expected_difference = 1.0 - same_ordered / (42.0 * 41.0);
    let alpha = 1.0 - (6.0 / 21.0) / expected_difference;
    let stated = agreement["alpha"].as_f64().expect("twenty-one pairs are enough");
    assert!((stated - alpha).abs() < 1e-12, "{stated} {alpha}");
}
