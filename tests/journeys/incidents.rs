//! Incidents of hasty accepts and items held for later: from the decision that makes one to the curve that loses its labels.
//!
//! Only a window times a decision, so these are made as the window makes them, beside the program.
//!
//! Deliberately not here: what a run is, case by case (the core's own tests).

use crate::contract::assert_keys;
use crate::reading_times::segment;
use crate::{assert_refused, claim, decide_arguments, elements, number, text};
use pincite_app::wire::ReadingEventKind::{Blurred, Decided, Painted};
use pincite_app::wire::{DecideRequest, Verdict};
use pincite_app::{Workspace, pace, queue};
use pincite_tests::{World, database};
use serde_json::{Value, json};

const FIELD: &str = "slip.total";

/// A world with this many items, each of a text of its own whose citation holds: their labels feed a curve.
pub(crate) fn world_with_texts(items: usize) -> World {
    let world = World::empty();
    let catalogue = world.file("catalogue.toml", format!("[field.\"{FIELD}\"]\ntype = \"number\"\n"));
    let _ = world.json(["catalogue", "set", &catalogue]);
    let (mut ingest, mut records) = (vec!["ingest".to_owned()], String::new());
    for item in 0..items {
        let slip = format!("The total of this slip is {item}.\n");
        let record = json!({
            "record_id": format!("r-{item:03}"), "doc_id": format!("slip-{item:03}"),
            "doc_sha256": pincite_core::sha256_hex(slip.as_bytes()), "field": FIELD, "value": item, "status": "present",
            "confidence": 0.5, "provenance": [{"quote": slip.trim()}],
            "extractor": {"model": "m", "prompt_version": "p", "run_id": "r"}, "due_at": null
        });
        records.push_str(&format!("{record}\n"));
        ingest.push(world.file(&format!("slip-{item:03}.txt"), slip));
    }
    let _ = world.lines(0, &ingest);
    let records = world.file("records.jsonl", records);
    let imported = world.lines(0, ["record", "import", "--place", &records]);
    assert!(
        imported.iter().all(|line| line["reason"] == "check_value"),
        "{imported:?}"
    );
    world
}

/// Decides the next items as a window does, each in so many active milliseconds (none: not timed).
fn decide(world: &World, who: &str, steps: &[(Verdict, Option<u32>)]) {
    let steps = steps.iter().map(|(verdict, active)| (None, verdict, *active));
    decide_as_a_window(world, who, steps);
}

/// Decides these items alike, each in so many active milliseconds.
pub(crate) fn decide_items(world: &World, who: &str, items: &[String], verdict: &Verdict, active: u32) {
    let steps = items.iter().map(|item| (Some(item.as_str()), verdict, Some(active)));
    decide_as_a_window(world, who, steps);
}

fn decide_as_a_window<'a>(
    world: &World,
    who: &str,
    steps: impl Iterator<Item = (Option<&'a str>, &'a Verdict, Option<u32>)>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let workspace = Workspace::open(world.place()).await.expect("the workspace");
        for (item, verdict, active) in steps {
            let claim = queue::claim(&workspace, item, who).await.expect("a claim");
            let claim = claim.expect("an item is free");
            let request = DecideRequest {
                key: format!("{who} {} {}", claim.item, claim.token),
                record_id: None,
                verdict: verdict.clone(),
                note: None,
                // A window left open over lunch: wall time makes nobody slow.
                signature: None,
                segments: active.map_or_else(Vec::new, |active| {
                    vec![segment(
                        &format!("{who} {} {}", claim.item, claim.token),
                        &[
                            (0, Painted),
                            (active.into(), Blurred),
                            (u64::from(active) + 3_600_000, Decided),
                        ],
                    )]
                }),
                item_version: claim.item_version,
                token: claim.token,
                item: claim.item,
            };
            let made = queue::decide(&workspace, &request, who).await.expect("a decision");
            // Sent twice it is one decision, and counts once in a run.
            let again = queue::decide(&workspace, &request, who).await.expect("the same");
            assert_eq!(made.decision, again.decision);
        }
    });
}

fn accepts(count: usize, active: u32) -> Vec<(Verdict, Option<u32>)> {
    vec![(Verdict::Accept, Some(active)); count]
}

/// Labels of the one curve, and how many are out because of an incident.
fn labels(world: &World) -> (i64, i64) {
    let curves = world.json(["calibrate"]);
    let [curve] = elements(&curves) else {
        panic!("one curve: {curves}");
    };
    (
        number(curve, "labels"),
        curve["excluded"]["incident"].as_i64().unwrap_or(0),
    )
}

/// That the schema refuses a statement, since what was appended stays.
fn assert_stays(world: &World, statement: &str) {
    let refused = database::refusal(world, statement);
    assert!(
        ["never", "append-only"].iter().any(|word| refused.contains(word)),
        "{statement}: {refused:?}"
    );
}

fn incidents(world: &World) -> Vec<Value> {
    elements(&world.json(["incident", "list"])).to_vec()
}

#[test]
fn five_fast_accepts_take_their_labels_out_until_somebody_judges() {
    let world = world_with_texts(14);
    decide(
        &world,
        "bea",
        &[
            (Verdict::Accept, Some(20_000)),
            (Verdict::Correct { value: json!(99) }, None),
        ],
    );
    assert_eq!(labels(&world), (2, 0));

    // Four are not five; one that nobody timed lies between them and neither counts nor ends the run.
    decide(&world, "ada", &accepts(2, 900));
    let untimed = claim(&world, "ada").expect("an item");
    let _ = world.json(decide_arguments(&untimed, "ada", "untimed", &["--accept"]));
    decide(&world, "ada", &accepts(2, 900));
    assert_eq!((incidents(&world).len(), labels(&world)), (0, (7, 0)));

    // The fifth takes out all of them, with the one between.
    decide(&world, "ada", &accepts(1, 3_999));
    assert_eq!(labels(&world), (2, 6));
    let found = incidents(&world);
    let [incident] = found.as_slice() else {
        panic!("one incident: {found:?}");
    };
    assert_eq!((text(incident, "reviewer"), text(incident, "state")), ("ada", "open"));
    assert_eq!(
        (number(incident, "accepts"), elements(&incident["decisions"]).len()),
        (5, 6)
    );
    let times = |incident: &Value| {
        let decisions = elements(&incident["decisions"]).iter();
        decisions
            .map(|one| (one["active_milliseconds"].as_i64(), one["floor_milliseconds"].as_i64()))
            .collect::<Vec<_>>()
    };
    let fast = (Some(900), Some(4_000));
    assert_eq!(
        times(incident),
        [fast, fast, (None, None), fast, fast, (Some(3_999), Some(4_000))]
    );
    assert_eq!(incident["incident"], incident["decisions"][0]["decision"]);
    let keys = "incident reviewer state opened_at accepts decisions resolved_by resolved_at why";
    assert_keys(incident, keys, "incident list");
    assert_keys(
        &incident["decisions"][0],
        "decision item field kind active_milliseconds floor_milliseconds recorded_at + doc_id record_id standing",
        "a decision of an incident",
    );
    let id = text(incident, "incident").to_owned();

    // A sixth joins it; one that took its time ends the run and counts.
    decide(&world, "ada", &accepts(1, 100));
    decide(&world, "ada", &accepts(1, 4_000));
    decide(&world, "ada", &accepts(1, 100));
    assert_eq!((incidents(&world).len(), labels(&world)), (1, (4, 7)));

    let shown = world.json(["incident", "show", &id]);
    let effect = |before: i64, after: i64, shown: &Value| {
        let [effect] = elements(shown) else {
            panic!("one curve: {shown}");
        };
        assert_eq!((text(effect, "field"), text(effect, "of")), (FIELD, "present"));
        assert_eq!(
            (number(&effect["before"], "n"), number(&effect["after"], "n")),
            (before, after)
        );
        // Everything but the corrected one was right.
        for (side, n) in [("before", before), ("after", after)] {
            let right = effect[side]["right"].as_f64().expect("a share");
            assert!((right - (n - 1) as f64 / n as f64).abs() < 1e-12, "{effect}");
        }
    };
    effect(4, 11, &shown["if_kept"]);
    effect(4, 4, &shown["if_voided"]);

    assert_keys(
        &shown,
        &format!("{keys} if_kept if_voided + field_times"),
        "incident show",
    );
    assert_keys(
        &shown["field_times"][0],
        "field title times frozen wanted spread floor_milliseconds",
        "times of a field",
    );
    // What its times are held against: nobody's baseline yet, but what is gathered for one without the hasty.
    let [of_field] = elements(&shown["field_times"]) else {
        panic!("one field: {shown}");
    };
    assert_eq!((text(of_field, "field"), &of_field["frozen"]), (FIELD, &json!(false)));
    assert_eq!(
        (
            &of_field["times"],
            number(of_field, "wanted"),
            number(of_field, "floor_milliseconds")
        ),
        (&json!([20_000]), 20, 4_000)
    );
    let first = &shown["decisions"][0];
    assert_eq!((text(first, "doc_id"), text(first, "record_id")), ("slip-002", "r-002"));
    assert_eq!(first["standing"], json!(true));

    assert_refused(&world.run(["incident", "void", &id, "--why", " "]), 2, &[&id, "--why"]);
    assert_refused(
        &world.run(["incident", "keep", "nowhere", "--why", "x"]),
        2,
        &["nowhere", "incident list"],
    );
    let void = [
        "incident",
        "void",
        &id,
        "--why",
        "the pages were not opened",
        "--as",
        "cleo",
    ];
    let voided = world.json(void);
    assert_eq!(
        (text(&voided, "state"), text(&voided, "resolved_by")),
        ("voided", "cleo")
    );
    effect(4, 4, &voided["effect"]);
    assert_eq!(labels(&world), (4, 7));
    assert_refused(&world.run(void), 2, &[&id, "already", "cleo"]);

    // Nobody judges themselves, however they write their name; nothing is written.
    // An account is named in one way.
    let names: &[&str] = if world.database().is_some() {
        &["ada"]
    } else {
        &["ada", " Ada "]
    };
    for own in names.iter().copied() {
        for word in ["keep", "void"] {
            let refused = world.run(["incident", word, &id, "--why", "I read them", "--as", own]);
            assert_refused(&refused, 2, &[&id, "ada's own", "somebody else", "--as"]);
        }
    }
    assert_eq!(text(&world.json(["incident", "show", &id]), "resolved_by"), "cleo");

    // The other word replaces it, and the labels are back.
    let kept = world.json([
        "incident",
        "keep",
        &id,
        "--why",
        "one page, read before",
        "--as",
        "dora",
    ]);
    assert_eq!(
        (text(&kept, "state"), text(&kept, "why")),
        ("kept", "one page, read before")
    );
    effect(4, 11, &kept["effect"]);
    assert_eq!(labels(&world), (11, 0));
    effect(11, 4, &world.json(["incident", "show", &id])["if_voided"]);

    let actions: Vec<String> = world
        .lines(0, ["audit", "log"])
        .iter()
        .map(|entry| text(entry, "action").to_owned())
        .filter(|action| action.starts_with("incident."))
        .collect();
    assert_eq!(
        actions,
        ["incident.open", "incident.extend", "incident.void", "incident.keep"]
    );
    assert!(world.json(["audit", "verify"])["fault"].is_null());
}

#[test]
fn what_was_judged_stays_judged_and_a_run_is_counted_anew_after_it() {
    let world = world_with_texts(11);
    decide(&world, "ada", &accepts(5, 100));
    let id = text(&incidents(&world)[0], "incident").to_owned();
    let _ = world.json(["incident", "keep", &id, "--why", "a test"]);
    decide(&world, "ada", &accepts(4, 100));
    assert_eq!((incidents(&world).len(), labels(&world)), (1, (9, 0)));
    decide(&world, "ada", &accepts(2, 100));
    assert_eq!(labels(&world), (5, 6));
    let found = incidents(&world);
    assert_eq!(found.len(), 2);
    assert_eq!((text(&found[0], "state"), number(&found[0], "accepts")), ("kept", 5));
    assert_eq!((text(&found[1], "state"), number(&found[1], "accepts")), ("open", 6));
    let after = world.json(["incident", "list", "--after", &id, "--limit", "1"]);
    assert_eq!(elements(&after), &found[1..]);

    for table in ["incidents", "incident_decisions", "incident_resolutions", "floor_times"] {
        for statement in [
            format!("DELETE FROM {table}"),
            format!("UPDATE {table} SET recorded_at = 1"),
        ] {
            assert_stays(&world, &statement);
        }
    }
}

#[test]
fn a_floor_comes_from_a_frozen_baseline_or_is_set() {
    let world = world_with_texts(44);
    let floors = |world: &World| {
        let all = world.json(["settings", "show"]);
        (all["floors"].clone(), all["frozen_floors"].clone())
    };
    // What a hasty reviewer takes makes no baseline.
    decide(&world, "hasty", &accepts(5, 10));
    decide(&world, "ada", &accepts(19, 50_000));
    decide(&world, "hasty", &accepts(1, 50_000));
    assert_eq!(floors(&world), (json!({}), json!({})));
    decide(&world, "bea", &accepts(1, 90_000));
    assert_eq!(floors(&world), (json!({}), json!({ FIELD: 10_000 })));

    // It stays as it is, however fast people become.
    decide(&world, "cleo", &accepts(5, 9_999));
    assert_eq!(floors(&world).1, json!({ FIELD: 10_000 }));
    let found = incidents(&world);
    assert_eq!((found.len(), text(&found[1], "reviewer")), (2, "cleo"));
    assert_eq!(number(&found[1]["decisions"][0], "floor_milliseconds"), 10_000);
    let shown = world.json(["incident", "show", text(&found[1], "incident")]);
    let of_field = &shown["field_times"][0];
    assert_eq!(
        (&of_field["frozen"], elements(&of_field["times"]).len()),
        (&json!(true), 20)
    );
    assert_eq!(
        of_field["spread"],
        json!({"least": 50_000, "lower_quartile": 50_000, "median": 50_000, "upper_quartile": 50_000, "greatest": 90_000})
    );
    let words = world.run(["incident", "show", text(&found[1], "incident")]);
    assert!(
        words.out.contains("floor 10000 ms, baseline of 20 times"),
        "{}",
        words.out
    );

    // A floor that is set holds from now on, and makes nobody hasty, or less so, in the past.
    let set = |value: &str| world.run(["settings", "set", "floors", value, "--why", "short slips"]);
    assert_refused(&set("{\"slip.totl\": 5000}"), 2, &["slip.totl", "catalogue"]);
    assert_refused(&set("{\"slip.total\": 0}"), 2, &["slip.total", "from 1 to"]);
    assert_refused(&set("5000"), 2, &["floors", "milliseconds by field"]);
    assert_eq!(set("{\"slip.total\": 9999}").code, 0);
    assert_eq!(floors(&world).0, json!({ FIELD: 9_999 }));
    decide(&world, "dora", &accepts(5, 9_999));
    assert_eq!(incidents(&world).len(), 2);
    assert_eq!(set("{\"slip.total\": 60000}").code, 0);
    decide(&world, "dora", &accepts(4, 9_999));
    assert_eq!(
        incidents(&world).len(),
        2,
        "five of these nine were not under the floor of their day"
    );
    decide(&world, "dora", &accepts(1, 9_999));
    assert_eq!(number(&incidents(&world)[2], "accepts"), 5);
    assert!(world.json(["audit", "verify"])["fault"].is_null());
}

#[test]
fn a_reviewer_sees_their_own_pace_and_what_of_theirs_is_set_aside() {
    let world = world_with_texts(35);
    let own = |who: &str| {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(async {
            let workspace = Workspace::open(world.place()).await.expect("the workspace");
            pace::own(&workspace, who).await.expect("a pace")
        })
    };
    decide(&world, "bea", &accepts(4, 30_000));
    // Too few to speak of a pace; and bea sees nothing of ada's.
    assert_eq!((own("bea").today.n, own("bea").today.median_milliseconds), (4, None));
    decide(&world, "ada", &accepts(4, 1_000));
    assert!(own("ada").set_aside.is_empty());
    decide(&world, "ada", &[(Verdict::Accept, Some(3_000))]);
    let ada = own("ada");
    assert_eq!((ada.today.n, ada.today.median_milliseconds), (5, Some(1_000)));
    assert_eq!((ada.usual.n, ada.usual.median_milliseconds), (0, None));
    assert_eq!((ada.fast_accepts, ada.set_aside.len()), (5, 5));
    assert_eq!((own("bea").fast_accepts, own("bea").set_aside.len()), (0, 0));

    // One taken back is looked at again already; once somebody judged, nothing is left to do.
    let undone = ada.set_aside[0].decision.clone();
    let _ = world.json(["queue", "undo", &undone, "--as", "ada", "--key", "again"]);
    assert_eq!(own("ada").set_aside.len(), 4);
    let id = text(&incidents(&world)[0], "incident").to_owned();
    assert_eq!(incidents(&world)[0]["decisions"][0]["standing"], json!(false));
    let _ = world.json(["incident", "keep", &id, "--why", "asked", "--as", "cleo"]);
    assert_eq!((own("ada").fast_accepts, own("ada").set_aside.len()), (0, 0));

    // What is usual is one's own days before this one, once they are enough.
    decide(&world, "dora", &accepts(19, 20_000));
    let earlier = "UPDATE decisions SET recorded_at = recorded_at - 172800000";
    database::tamper(&world, earlier);
    assert_eq!((own("dora").today.n, own("dora").usual.n), (0, 19));
    assert_eq!(own("dora").usual.median_milliseconds, None);
    decide(&world, "dora", &accepts(5, 9_000));
    let pace = own("dora");
    assert_eq!((pace.today.n, pace.today.median_milliseconds), (5, Some(9_000)));
    database::tamper(&world, earlier);
    assert_eq!(
        (own("dora").usual.n, own("dora").usual.median_milliseconds),
        (24, Some(20_000))
    );
}

#[test]
fn an_item_held_for_later_is_nobodys_next_until_it_is_asked_for() {
    let world = crate::together::world_with_items(2);
    let listed = world.json(["queue", "list"]);
    let (first, second) = (text(&listed[0], "item"), text(&listed[1], "item"));
    let hold = |item: &str, who: &str, note: &str| world.run(["queue", "hold", item, "--as", who, "--note", note]);
    assert_refused(&hold(first, "ada", "  "), 2, &[first, "--note"]);
    assert_refused(&hold("nowhere", "ada", "x"), 2, &["nowhere", "queue list"]);

    // One's own lease ends with it; somebody else's is in the way.
    let own = world.json(["queue", "claim", first, "--as", "ada"]);
    assert_refused(&hold(first, "bea", "x"), 2, &[first, "held by ada"]);
    let holds = |world: &World| elements(&world.json(["queue", "holds"])).to_vec();
    assert_eq!(holds(&world).len(), 1);
    assert_eq!(
        (text(&holds(&world)[0], "item"), text(&holds(&world)[0], "held_by")),
        (first, "ada")
    );
    let held = world.json(["queue", "hold", first, "--as", "ada", "--note", "the annex is missing"]);
    for shown in [
        &held,
        &world.json(["queue", "list"])[0],
        &world.json(["queue", "show", first]),
    ] {
        assert_eq!((text(shown, "item"), text(shown, "held_for_later_by")), (first, "ada"));
        assert_eq!(text(shown, "hold_note"), "the annex is missing");
        assert!(shown["held_for_later_at"].is_string() && shown["held_by"].is_null());
    }
    assert_refused(
        &world.run(decide_arguments(&own, "ada", "late", &["--accept"])),
        2,
        &["nothing was written"],
    );
    let stats = world.json(["queue", "stats"]);
    assert_eq!(
        (
            number(&stats, "open"),
            number(&stats, "held"),
            number(&stats, "held_for_later")
        ),
        (2, 0, 1)
    );

    assert_eq!(holds(&world), std::slice::from_ref(&held));

    // Nobody's next, whoever held it.
    assert_eq!(text(&world.json(["queue", "next"]), "item"), second);
    assert_eq!(text(&claim(&world, "ada").expect("the other"), "item"), second);
    assert_eq!(holds(&world).len(), 2);
    assert!(claim(&world, "bea").is_none());
    let words = world.run(["queue", "claim", "--as", "bea"]);
    assert!(words.err.contains("1 held for later"), "{}", words.err);

    // Asked for by name it is taken up, by anybody; what it waited for stays in its history.
    let taken = world.json(["queue", "claim", first, "--as", "bea"]);
    let shown = world.json(["queue", "show", first]);
    assert!(shown["hold_note"].is_null() && text(&shown, "held_by") == "bea");
    let history: Vec<&str> = elements(&shown["history"])
        .iter()
        .map(|line| text(line, "text"))
        .collect();
    assert_eq!(
        history[1..],
        ["ada held it for later: the annex is missing", "bea took it up"]
    );
    let decision = world.json(decide_arguments(&taken, "bea", "one", &["--reject", "other"]));
    assert_refused(&hold(first, "ada", "x"), 2, &[first, "decided already"]);
    let undo = [
        "queue",
        "undo",
        text(&decision, "decision"),
        "--as",
        "bea",
        "--key",
        "two",
    ];
    let _ = world.json(undo);
    assert_eq!(text(&world.json(["queue", "next"]), "item"), first);

    // Held again it has the new note.
    let _ = world.json(["queue", "hold", first, "--as", "ada", "--note", "a"]);
    let again = world.json(["queue", "hold", first, "--as", "bea", "--note", "b"]);
    assert_eq!(
        (text(&again, "held_for_later_by"), text(&again, "hold_note")),
        ("bea", "b")
    );
    assert_eq!(number(&world.json(["queue", "stats"]), "held_for_later"), 1);
    for statement in ["DELETE FROM held_for_later", "UPDATE held_for_later SET who = 'x'"] {
        assert_stays(&world, statement);
    }
    assert!(world.json(["audit", "verify"])["fault"].is_null());
}
