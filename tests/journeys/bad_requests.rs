//! Requests that can't be carried out: unknown ids, lost leases, keys used twice, values of another type.
//!
//! Deliberately not here: bad files (bad_files).

use crate::{assert_refused, claim, counts, decide_arguments, number, text};
use pincite_tests::World;
use serde_json::json;

#[test]
fn what_is_not_here_is_refused_by_name() {
    let world = World::demo();
    let before = counts(&world);
    let out = world.path("out.png").display().to_string();
    let of = ["--model", "m", "--prompt-version", "p"];
    let refused: Vec<Vec<&str>> = vec![
        vec!["document", "show", "nowhere"],
        vec!["document", "text", "nowhere"],
        vec!["document", "sections", "nowhere"],
        vec!["document", "boxes", "nowhere", "--start", "0", "--end", "1"],
        vec!["document", "hit", "nowhere", "--page", "1", "--rect", "0,0,1,1"],
        vec!["document", "render", "nowhere", "--page", "1", "--out", &out],
        vec!["document", "text", "drug-label", "--layer", "nowhere"],
        vec!["record", "show", "nowhere"],
        vec!["record", "list", "--after", "nowhere"],
        vec!["queue", "show", "nowhere"],
        vec!["queue", "list", "--after", "nowhere"],
        vec!["queue", "claim", "nowhere", "--as", "ada"],
        vec!["queue", "release", "nowhere", "--token", "1"],
        vec!["queue", "renew", "nowhere", "--token", "1"],
        vec![
            "queue",
            "decide",
            "nowhere",
            "--as",
            "ada",
            "--token",
            "1",
            "--item-version",
            "1",
            "--key",
            "k",
            "--accept",
        ],
        vec!["queue", "undo", "nowhere", "--as", "ada", "--key", "k"],
        vec!["decision", "list", "--after", "nowhere"],
        vec!["audit", "log", "--after", "nowhere"],
        vec!["calibrate", "--field", "nowhere"],
        vec!["workload", "--field", "nowhere"],
        vec!["threshold", "show", "nowhere"],
        [&["threshold", "suggest", "nowhere"][..], &of].concat(),
        [
            &[
                "threshold",
                "set",
                "nowhere",
                "--tau-show",
                "0.9",
                "--tau-flag",
                "0.8",
                "--why",
                "x",
            ][..],
            &of,
        ]
        .concat(),
        vec!["settings", "set", "nowhere", "1", "--why", "x"],
    ];
    for command in &refused {
        assert_refused(&world.run(command), 2, &["nowhere"]);
    }
    assert_eq!(counts(&world).0, before.0);
    assert_eq!(counts(&world).2, before.2);
    // The reviewer's name was heard for the first time, in a team their account was made; nothing else happened.
    assert!(counts(&world).3 <= before.3 + 1 + i64::from(world.database().is_some()));
}

#[test]
fn places_that_are_not_on_the_page_are_refused() {
    let world = World::demo();
    for (start, end) in [
        ("-1", "5"),
        ("5", "3"),
        ("5", "5"),
        ("0", "7635"),
        ("7634", "7700"),
        ("-9223372036854775808", "9223372036854775807"),
    ] {
        let answer = world.run(["document", "boxes", "drug-label", "--start", start, "--end", end]);
        assert_refused(&answer, 2, &["drug-label", start, end, "offsets run from 0 to 7634"]);
    }
    for page in ["0", "6", "4294967295"] {
        assert_refused(
            &world.run(["document", "hit", "drug-label", "--page", page, "--rect", "0,0,600,700"]),
            2,
            &["drug-label", "page"],
        );
        let out = world.path("out.png").display().to_string();
        assert_refused(
            &world.run(["document", "render", "drug-label", "--page", page, "--out", &out]),
            2,
            &["page"],
        );
    }
    assert_refused(
        &world.run(["document", "hit", "drug-label", "--page", "1", "--rect", "-5,-5,-1,-1"]),
        2,
        &["no text", "page 1"],
    );
    for rect in ["0,0,1", "0,0,1,1,1", "0,0,NaN,1", "0,0,inf,1", "a,b,c,d", "", "0;0;1;1"] {
        let answer = world.run(["document", "hit", "drug-label", "--page", "1", "--rect", rect]);
        assert!(
            answer.code == 2 && answer.out.is_empty() && answer.err.contains("--rect"),
            "{rect}: {answer:?}"
        );
    }
    for dpi in ["0", "nan", "inf", "1e9"] {
        let out = world.path("out.png").display().to_string();
        assert_refused(
            &world.run([
                "document",
                "render",
                "drug-label",
                "--page",
                "1",
                "--dpi",
                dpi,
                "--out",
                &out,
            ]),
            2,
            &["page 1"],
        );
    }
    for out in ["no-folder/out.png", "."] {
        let answer = world.run([
            "document",
            "render",
            "drug-label",
            "--page",
            "1",
            "--dpi",
            "20",
            "--out",
            out,
        ]);
        assert_refused(&answer, 2, &["can't be written"]);
    }
    assert_eq!(
        pincite_tests::world::files_below(&world.path("")),
        [],
        "a picture is written whole or not at all"
    );
}

#[test]
fn a_lease_that_passed_on_decides_nothing() {
    let world = World::demo();
    let first = claim(&world, "ada").expect("an item");
    let item = text(&first, "item").to_owned();
    // Somebody else's item, and a made-up token.
    assert_refused(
        &world.run(["queue", "claim", &item, "--as", "mara"]),
        2,
        &[&item, "is held by ada"],
    );
    assert_refused(
        &world.run(decide_arguments(&first, "mara", "k0", &["--accept"])),
        2,
        &[&item, "nothing was written"],
    );
    let mut bad = first.clone();
    bad["token"] = json!(99);
    assert_refused(
        &world.run(decide_arguments(&bad, "ada", "k1", &["--accept"])),
        2,
        &[&item, "claim it again"],
    );
    bad["token"] = json!(-1);
    let answer = world.run(decide_arguments(&bad, "ada", "k1", &["--accept"]));
    assert!(answer.code == 2 && answer.out.is_empty(), "{answer:?}");
    for command in ["release", "renew"] {
        assert_refused(
            &world.run(["queue", command, &item, "--token", "99"]),
            2,
            &[&item, "claim it again"],
        );
    }
    // Claimed again by the same reviewer: the older token is stale.
    let second = world.json(["queue", "claim", &item, "--as", "ada"]);
    assert_eq!(number(&second, "token"), number(&first, "token") + 1);
    assert_refused(
        &world.run(decide_arguments(&first, "ada", "k2", &["--accept"])),
        2,
        &[&item, "claim it again"],
    );
    assert_refused(
        &world.run(["queue", "renew", &item, "--token", &first["token"].to_string()]),
        2,
        &[&item],
    );
    // Another version of the item.
    let mut moved = second.clone();
    moved["item_version"] = json!(7);
    assert_refused(
        &world.run(decide_arguments(&moved, "ada", "k3", &["--accept"])),
        2,
        &[&item, "look at it again"],
    );
    assert_eq!(counts(&world).2, 0, "nothing was decided");
    // A lease that ran out.
    let _ = world.json(["settings", "set", "lease_milliseconds", "1000", "--why", "a test"]);
    let short = world.json(["queue", "claim", &item, "--as", "ada"]);
    std::thread::sleep(std::time::Duration::from_millis(1_200));
    assert_refused(
        &world.run(decide_arguments(&short, "ada", "k4", &["--accept"])),
        2,
        &[&item, "claim it again"],
    );
    let taken = world.json(["queue", "claim", &item, "--as", "mara"]);
    assert!(
        number(&taken, "token") > number(&short, "token"),
        "free for others, with a newer token"
    );
    // Given back, it decides nothing either.
    let token = taken["token"].to_string();
    let _ = world.json(["queue", "release", &item, "--token", &token, "--as", "mara"]);
    assert_refused(
        &world.run(decide_arguments(&taken, "mara", "k5", &["--accept"])),
        2,
        &[&item],
    );
    assert_eq!(counts(&world).2, 0, "nothing was decided");
}

#[test]
fn a_key_decides_once_and_belongs_to_one_decision() {
    let world = World::demo();
    let first = claim(&world, "ada").expect("an item");
    let arguments = decide_arguments(&first, "ada", "one key", &["--accept"]);
    let decision = world.json(&arguments);
    for _ in 0..3 {
        assert_eq!(world.json(&arguments)["decision"], decision["decision"]);
    }
    assert_eq!(counts(&world).2, 1);
    // The same key with another meaning is no retry.
    let second = claim(&world, "ada").expect("an item");
    for reused in [
        decide_arguments(&second, "ada", "one key", &["--accept"]),
        decide_arguments(&first, "ada", "one key", &["--reject", "other"]),
        decide_arguments(&first, "mara", "one key", &["--accept"]),
    ] {
        assert_refused(
            &world.run(reused),
            2,
            &["one key", "another decision", "nothing was written"],
        );
    }
    // Another key on a decided item.
    assert_refused(
        &world.run(decide_arguments(&first, "ada", "two", &["--accept"])),
        2,
        &[text(&first, "item"), "decided already"],
    );
    assert_refused(
        &world.run(["queue", "claim", text(&first, "item"), "--as", "mara"]),
        2,
        &["decided already"],
    );
    for key in ["", "   ", &"k".repeat(201)] {
        let answer = world.run(decide_arguments(&second, "ada", key, &["--accept"]));
        assert!(
            answer.code == 2 && answer.out.is_empty() && answer.err.contains("--key"),
            "{answer:?}"
        );
    }
    // Undo: once, by the one who decided, only the last.
    let id = text(&decision, "decision");
    assert_refused(
        &world.run(["queue", "undo", id, "--as", "mara", "--key", "u0"]),
        2,
        &[id, "ada"],
    );
    assert_refused(
        &world.run(["queue", "undo", id, "--as", "ada", "--key", "one key"]),
        2,
        &["another decision"],
    );
    let undone = world.json(["queue", "undo", id, "--as", "ada", "--key", "u1"]);
    assert_eq!(
        world.json(["queue", "undo", id, "--as", "ada", "--key", "u1"])["decision"],
        undone["decision"],
        "saying it twice undoes once"
    );
    assert_refused(
        &world.run(["queue", "undo", id, "--as", "ada", "--key", "u2"]),
        2,
        &[id],
    );
    assert_refused(
        &world.run(["queue", "undo", text(&undone, "decision"), "--as", "ada", "--key", "u3"]),
        2,
        &["nothing to undo"],
    );
    // The first key still answers with the decision that it made, which no longer stands.
    let again = world.json(&arguments);
    assert_eq!(
        (&again["decision"], &again["standing"]),
        (&decision["decision"], &json!(false))
    );
    assert_eq!(counts(&world).2, 2);
}

#[test]
fn a_value_of_another_type_states_nothing() {
    let world = World::demo();
    let list = world.json(["queue", "list"]);
    let item_of = |field: &str| {
        crate::elements(&list)
            .iter()
            .find(|item| text(item, "field") == field)
            .map(|item| text(item, "item").to_owned())
            .expect("it is queued")
    };
    let cases: [(&str, &[&str]); 3] = [
        (
            "solvency.min_annual_turnover",
            &[
                "\"much\"",
                "true",
                "[]",
                "null",
                "{\"amount\": \"x\", \"currency\": \"EUR\"}",
                "{\"amount\": 5, \"currency\": \"USD\"}",
                "{}",
                "-5",
            ],
        ),
        ("solvency.turnover_basis", &["\"worst_year\"", "3", "null"]),
        (
            "retention.period",
            &["\"a while\"", "{\"amount\": 7, \"unit\": \"parsecs\"}", "null"],
        ),
    ];
    for (field, values) in cases {
        let held = world.json(["queue", "claim", &item_of(field), "--as", "ada"]);
        for value in values {
            let answer = world.run(decide_arguments(
                &held,
                "ada",
                &format!("{field} {value}"),
                &["--correct", value],
            ));
            assert_refused(&answer, 2, &[field]);
        }
        let answer = world.run(decide_arguments(&held, "ada", "text", &["--correct", "not JSON"]));
        assert_refused(&answer, 2, &["--correct is not JSON"]);
        for (verdict, code) in [("--reject", "because"), ("--abstain", "wrong_value"), ("--reject", "")] {
            assert_refused(
                &world.run(decide_arguments(&held, "ada", "code", &[verdict, code])),
                2,
                &["say one of"],
            );
        }
    }
    // Two passages that disagree can't be accepted; a field that nobody defined can't be corrected.
    let conflicting = crate::elements(&list)
        .iter()
        .find(|item| text(item, "reason") == "conflicting")
        .expect("a trap");
    let held = world.json(["queue", "claim", text(conflicting, "item"), "--as", "ada"]);
    assert_refused(
        &world.run(decide_arguments(&held, "ada", "c", &["--accept"])),
        2,
        &["two passages disagree"],
    );
    let held = world.json(["queue", "claim", &item_of("solvency.bank_reference"), "--as", "ada"]);
    assert_refused(
        &world.run(decide_arguments(&held, "ada", "u", &["--correct", "1"])),
        2,
        &["solvency.bank_reference", "not in the catalogue"],
    );
    assert_eq!(counts(&world).2, 0, "nothing was decided");
}

#[test]
fn settings_and_thresholds_keep_their_ranges() {
    let world = World::demo();
    let (before, shares) = (counts(&world), world.json(["settings", "show"]));
    let shares_of = |show: &str| format!("{{\"show\":{show},\"flag\":0.1,\"abstain\":0.1}}");
    for bad in [
        shares_of("0"),
        shares_of("-0.1"),
        shares_of("1.1"),
        shares_of("\"much\""),
        "{\"show\":0.1}".into(),
        "[".into(),
        "0.5".into(),
        String::new(),
    ] {
        assert_refused(
            &world.run(["settings", "set", "audit_shares", &bad, "--why", "x"]),
            2,
            &["audit_shares"],
        );
    }
    for (name, value) in [
        ("lease_milliseconds", "999"),
        ("lease_milliseconds", "x"),
        ("lease_milliseconds", "1500.5"),
        ("seconds_per_item", "0"),
        ("seconds_per_item", "NaN"),
    ] {
        assert_refused(&world.run(["settings", "set", name, value, "--why", "x"]), 2, &[name]);
    }
    assert_refused(
        &world.run(["settings", "set", "seconds_per_item", "30", "--why", " "]),
        2,
        &["--why"],
    );
    let set = |show: &str, flag: &str, why: &str| {
        let of = ["--model", "ext-large", "--prompt-version", "ext-3.5"];
        world.run(
            [
                &[
                    "threshold",
                    "set",
                    "retention.period",
                    "--tau-show",
                    show,
                    "--tau-flag",
                    flag,
                    "--why",
                    why,
                ][..],
                &of,
            ]
            .concat(),
        )
    };
    for (show, flag, says) in [
        ("0.5", "0.9", "tau_flag 0.9 is over tau_show 0.5"),
        ("1.01", "0.5", "tau_show"),
        ("NaN", "0.5", "tau_show"),
        ("0.9", "NaN", "tau_flag"),
        ("0.9", "inf", "tau_flag"),
    ] {
        assert_refused(&set(show, flag, "x"), 2, &["retention.period", says]);
    }
    assert_refused(&set("0.9", "0.8", ""), 2, &["--why"]);
    assert_eq!(counts(&world), before, "nothing was written");
    assert_eq!(world.json(["settings", "show"]), shares);
    assert_eq!(world.json(["threshold", "show"]), json!([]));
}

#[test]
fn usage_and_workspaces_that_are_none() {
    let world = World::new();
    let demo = World::demo();
    for arguments in [
        &[][..],
        &["nonsense"],
        &["queue"],
        &["queue", "decide", "x"],
        &["record", "list", "--limit", "0"],
        &["verify"],
        &["ingest"],
    ] {
        let answer = demo.run(arguments);
        assert!(
            answer.code == 2 && answer.out.is_empty() && !answer.err.is_empty(),
            "{arguments:?}: {answer:?}"
        );
    }
    assert_refused(
        &world.run(["queue", "list"]),
        2,
        &["no workspace", "pincite init", &world.place().to_string()],
    );
    assert!(!world.workspace().exists(), "asking makes no workspace");
    let file = world.file("file", "text");
    for command in [
        &["--workspace", file.as_str(), "queue", "list"][..],
        &["--workspace", file.as_str(), "init"],
    ] {
        let mut bare = world.bare_command();
        let answer = pincite_tests::Answer::of(bare.args(command).output().expect("pincite starts"));
        assert_refused(&answer, 2, &[&file]);
    }
    let mut bare = world.bare_command();
    let team = pincite_tests::Answer::of(
        bare.args(["--workspace", "postgres://me:secret@127.0.0.1:1/db", "queue", "list"])
            .output()
            .expect("pincite starts"),
    );
    assert_refused(&team, 3, &["the database db at 127.0.0.1", "can't be reached"]);
    let mut bare = world.bare_command();
    let address = "postgres://me:secret@host:port/db";
    let wrong = bare.args(["--workspace", address, "queue", "list"]).output();
    let wrong = pincite_tests::Answer::of(wrong.expect("pincite starts"));
    assert_refused(&wrong, 2, &["postgres://user@host/database"]);
    assert!(
        !(team.err + &wrong.err).contains("secret"),
        "an address is not repeated with its password"
    );
    assert_refused(
        &World::in_a_folder().run(["init", "--blobs", "here"]),
        2,
        &["--blobs", "team"],
    );
    // A second init opens what is there; a demo never goes into somebody's workspace.
    let before = counts(&demo);
    let _ = demo.json(["init"]);
    assert_refused(&demo.run(["init", "--demo"]), 2, &["a workspace is here already"]);
    assert_eq!(counts(&demo), before);
    // In a team somebody is who is signed in, so nobody of such a name comes.
    let names = ["", "  ", "a\nb", &"x".repeat(201)].map(str::to_owned);
    for name in names.iter().filter(|_| demo.database().is_none()) {
        let answer = demo.run(["queue", "claim", "--as", name]);
        assert!(answer.code == 2 && answer.out.is_empty(), "{name:?}: {answer:?}");
    }
    assert_eq!(number(&demo.json(["queue", "stats"]), "held"), 0);
}
