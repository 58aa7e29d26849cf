//! Signatures: what needs one is not done without, and one holds for the record as it was signed and for nothing else.
//!
//! Deliberately not here: the window (e2e), and what a signature is made of (the core's own tests).

use crate::{assert_refused, claim, decide_arguments, elements, number, text};
use pincite_tests::{Answer, World, database};
use serde_json::Value;

/// A demo in which ada has a password, wherever it is.
fn demo() -> (World, String) {
    let world = World::demo();
    let password = world.password_file().display().to_string();
    if world.session("ada").is_none() {
        let _ = world.json(["user", "add", "ada", "--why", "a test", "--password-file", &password]);
    }
    let needed = "[\"reject\",\"correct\",\"threshold\"]";
    let set = world.json(["settings", "set", "signatures", needed, "--why", "a test"]);
    assert_eq!(elements(&set["signatures"]).len(), 3);
    (world, password)
}

fn with(arguments: Vec<String>, more: &[&str]) -> Vec<String> {
    [arguments, more.iter().map(|word| (*word).to_owned()).collect()].concat()
}

fn signatures(world: &World, code: i32) -> Vec<Value> {
    world.lines(code, ["audit", "signatures"])
}

#[test]
fn what_needs_a_signature_is_not_done_without_one() {
    let (world, password) = demo();
    let wrong = world.file("wrong", "another password");
    let held = claim(&world, "ada").expect("an item");
    let reject = decide_arguments(&held, "ada", "one", &["--reject", "other", "--note", "unreadable"]);
    let refused = |answer: Answer, says: &str| {
        assert_refused(&answer, 2, &[says]);
        assert_eq!(world.lines(0, ["decision", "list"]).len(), 0);
        assert_eq!(signatures(&world, 0).len(), 0);
    };
    refused(world.run(&reject), "reject needs a signature");
    refused(
        world.run(with(reject.clone(), &["--sign", "reviewed", "--password-file", &wrong])),
        "that is not ada's password; nothing was signed",
    );
    refused(
        world.run(with(reject.clone(), &["--sign", "seen", "--password-file", &password])),
        "reviewed, approved, responsible",
    );
    let signed = with(reject.clone(), &["--sign", "reviewed", "--password-file", &password]);
    let decision = world.json(&signed);
    // Said again, with a signature or without, it is the same decision, signed once.
    for again in [&signed, &reject] {
        assert_eq!(world.json(again)["decision"], decision["decision"]);
    }
    let kept = signatures(&world, 0);
    assert_eq!(kept.len(), 1);
    crate::contract::assert_keys(
        &kept[0],
        "signature kind subject account meaning signed_at record_sha256 holds fault",
        "audit signatures",
    );
    assert_eq!(
        ["kind", "account", "meaning"].map(|key| text(&kept[0], key)),
        ["decision", "ada", "reviewed"]
    );
    assert_eq!(kept[0]["subject"], decision["decision"]);
    let log = world.lines(0, ["audit", "log"]);
    let entry = log
        .iter()
        .find(|entry| text(entry, "action") == "queue.decide")
        .expect("an entry");
    assert_eq!(entry["payload"]["signature"]["record_sha256"], kept[0]["record_sha256"]);
    // What needs none is done without.
    let next = claim(&world, "ada").expect("an item");
    let _ = world.json(decide_arguments(&next, "ada", "two", &["--abstain", "not_stated"]));
    assert_eq!(signatures(&world, 0).len(), 1);
    // A threshold, with the curve that it was chosen on.
    let curves = world.json(["calibrate"]);
    let curve = &elements(&curves)[0];
    let mut set = [
        "threshold",
        "set",
        text(curve, "field"),
        "--model",
        text(curve, "model"),
    ]
    .to_vec();
    set.extend([
        "--prompt-version",
        text(curve, "prompt_version"),
        "--tau-show",
        "0.9",
        "--tau-flag",
        "0.8",
    ]);
    set.extend(["--why", "a test", "--as", "ada"]);
    assert_refused(&world.run(&set), 2, &["threshold needs a signature"]);
    set.extend(["--sign", "approved", "--password-file", &password]);
    let _ = world.json(&set);
    let kept = signatures(&world, 0);
    assert_eq!(
        kept.iter().map(|one| text(one, "kind")).collect::<Vec<_>>(),
        ["decision", "threshold"]
    );
    assert_eq!(number(&kept[1], "signature"), 2);
}

#[test]
fn a_signature_holds_for_what_was_signed_and_for_nothing_else() {
    let (world, password) = demo();
    let held = claim(&world, "ada").expect("an item");
    let sign = [
        "--reject",
        "other",
        "--sign",
        "responsible",
        "--password-file",
        &password,
    ];
    let decision = world.json(decide_arguments(&held, "ada", "one", &sign));
    let id = text(&decision, "decision");
    // A new password makes a new key; what was signed with the old one was signed.
    let new = world.file("new", "quite another password");
    let _ = world.json(["user", "password", "ada", "--password-file", &new]);
    assert_eq!(signatures(&world, 0)[0]["holds"], true);
    let key = database::ask(&world, "SELECT max(number) FROM account_keys");
    for (statement, back, says) in [
        (
            format!("UPDATE decisions SET reason_code = 'wrong_value' WHERE decision_id = '{id}'"),
            format!("UPDATE decisions SET reason_code = 'other' WHERE decision_id = '{id}'"),
            "not as it was signed",
        ),
        (
            "UPDATE signatures SET meaning = 'reviewed'".to_owned(),
            "UPDATE signatures SET meaning = 'responsible'".to_owned(),
            "the key did not sign this",
        ),
        (
            "UPDATE signatures SET recorded_at = recorded_at + 1".to_owned(),
            "UPDATE signatures SET recorded_at = recorded_at - 1".to_owned(),
            "the key did not sign this",
        ),
        (
            "UPDATE signatures SET subject = 'another'".to_owned(),
            format!("UPDATE signatures SET subject = '{id}'"),
            "what was signed is not here",
        ),
        (
            format!("UPDATE signatures SET public_key = (SELECT public_key FROM account_keys WHERE number = {key})"),
            "UPDATE signatures SET public_key = (SELECT public_key FROM account_keys WHERE account = 'ada' \
             ORDER BY number LIMIT 1)"
                .to_owned(),
            "the key was not the account's then",
        ),
    ] {
        database::tamper(&world, &statement);
        let found = signatures(&world, 1);
        assert_eq!(found[0]["holds"], false, "{statement}");
        assert!(text(&found[0], "fault").contains(says), "{statement}: {}", found[0]);
        database::tamper(&world, &back);
        assert_eq!(signatures(&world, 0)[0]["holds"], true, "{back}");
    }
    assert_refused(
        &world.run(["settings", "set", "signatures", "[\"accept\"]", "--why", "a test"]),
        2,
        &["accept can't need a signature"],
    );
}
