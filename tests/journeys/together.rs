//! Many at once: a lease has one owner, whoever asks at the same moment.
//!
//! Deliberately not here: fairness. The store's writer is a queue, and its own tests say so.

use crate::{counts, decide_arguments, number, text};
use pincite_app::Workspace;
use pincite_tests::{Answer, World};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::thread;
use std::time::Duration;

/// How many ask at once.
const AT_ONCE: usize = 8;

/// A workspace with this many items, each of a document of its own, and no document in it: quick to make.
pub(crate) fn world_with_items(items: usize) -> World {
    let world = World::empty();
    let mut lines = String::new();
    for number in 0..items {
        let record = json!({
            "record_id": format!("r-{number:04}"), "doc_id": format!("d-{number:04}"), "doc_sha256": pincite_core::sha256_hex(&number.to_le_bytes()),
            "field": "some.field", "value": number, "status": "present", "confidence": 0.5,
            "provenance": [{"quote": "nothing"}], "extractor": {"model": "m", "prompt_version": "p", "run_id": "r"}, "due_at": null
        });
        lines.push_str(&format!("{record}\n"));
    }
    let catalogue = world.file("catalogue.toml", "[field.\"some.field\"]\ntype = \"number\"\n");
    let _ = world.json(["catalogue", "set", &catalogue]);
    let path = world.file("items.jsonl", lines);
    // Exit code 1: their citations do not hold, since no document is here.
    let imported = world.lines(1, ["record", "import", &path]);
    assert_eq!(
        imported.iter().filter(|line| text(line, "outcome") == "queued").count(),
        items
    );
    world
}

#[test]
fn eight_processes_that_claim_at_once_never_get_the_same_item() {
    let world = world_with_items(40);
    let claimed: Vec<(String, Value)> = thread::scope(|scope| {
        let takers: Vec<_> = (0..AT_ONCE)
            .map(|taker| {
                let world = &world;
                scope.spawn(move || {
                    let who = format!("reviewer-{taker}");
                    let mut claimed = Vec::new();
                    while let Some(claim) = crate::claim(world, &who) {
                        claimed.push((who.clone(), claim));
                    }
                    claimed
                })
            })
            .collect();
        takers
            .into_iter()
            .flat_map(|taker| taker.join().expect("a taker"))
            .collect()
    });
    let items: BTreeSet<&str> = claimed.iter().map(|(_, claim)| text(claim, "item")).collect();
    assert_eq!((items.len(), claimed.len()), (40, 40), "each item was leased once");
    assert!(claimed.iter().all(|(_, claim)| number(claim, "token") == 1));
    let stats = world.json(["queue", "stats"]);
    assert_eq!(number(&stats, "held"), 40);
    let holders: BTreeMap<&str, &str> = claimed
        .iter()
        .map(|(who, claim)| (text(claim, "item"), who.as_str()))
        .collect();
    for hold in crate::elements(&stats["holds"]) {
        assert_eq!(holders[text(hold, "item")], text(hold, "held_by"));
    }
    // "No more items" while all are held says who holds them.
    let empty = world.run(["queue", "claim", "--as", "late", "--json"]);
    assert_eq!((empty.code, empty.out.trim()), (0, "null"));
    assert!(
        empty.err.contains("40 held") && empty.err.contains("is held by reviewer-"),
        "{}",
        empty.err
    );
    assert_eq!(counts(&world).2, 0);
}

#[test]
fn one_of_eight_gets_the_item_that_all_want() {
    let world = world_with_items(6);
    let items: Vec<String> = crate::elements(&world.json(["queue", "list"]))
        .iter()
        .map(|item| text(item, "item").to_owned())
        .collect();
    for item in &items {
        let answers: Vec<Answer> = thread::scope(|scope| {
            let takers: Vec<_> = (0..AT_ONCE)
                .map(|taker| {
                    let world = &world;
                    scope.spawn(move || {
                        world.run(["queue", "claim", item, "--as", &format!("reviewer-{taker}"), "--json"])
                    })
                })
                .collect();
            takers.into_iter().map(|taker| taker.join().expect("a taker")).collect()
        });
        let (got, refused): (Vec<&Answer>, Vec<&Answer>) = answers.iter().partition(|answer| answer.code == 0);
        assert_eq!((got.len(), refused.len()), (1, AT_ONCE - 1));
        for answer in refused {
            crate::assert_refused(answer, 2, &[item, "is held by reviewer-"]);
        }
    }
}

#[test]
fn eight_reviewers_at_once_decide_each_item_once() {
    let world = world_with_items(32);
    // The shortest leases there are: some run out under the load, and what comes late is refused, not written.
    let _ = world.json(["settings", "set", "lease_milliseconds", "1000", "--why", "a test"]);
    let acknowledged: Vec<Value> = thread::scope(|scope| {
        let reviewers: Vec<_> = (0..AT_ONCE)
            .map(|reviewer| {
                let world = &world;
                scope.spawn(move || {
                    let who = format!("reviewer-{reviewer}");
                    let mut acknowledged = Vec::new();
                    while let Some(claim) = crate::claim(world, &who) {
                        let key = format!("{who} {} {}", text(&claim, "item"), claim["token"]);
                        let answer = world.run(decide_arguments(&claim, &who, &key, &["--accept", "--json"]));
                        match answer.code {
                            0 => acknowledged.extend(answer.lines()),
                            _ => crate::assert_refused(&answer, 2, &["nothing was written"]),
                        }
                    }
                    acknowledged
                })
            })
            .collect();
        reviewers
            .into_iter()
            .flat_map(|reviewer| reviewer.join().expect("a reviewer"))
            .collect()
    });
    // Whoever still held something when the others stopped has decided it by now; what ran out is free again.
    let kept = world.lines(0, ["decision", "list"]);
    let ids = |decisions: &[Value]| {
        decisions
            .iter()
            .map(|decision| text(decision, "decision").to_owned())
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(
        ids(&kept),
        ids(&acknowledged),
        "what was acknowledged is there, and nothing else"
    );
    let items: BTreeSet<&str> = kept.iter().map(|decision| text(decision, "item")).collect();
    assert_eq!(items.len(), kept.len(), "no item was decided twice");
    assert!(kept.len() >= 24, "{} of 32 decided", kept.len());
    assert!(world.json(["audit", "verify"])["fault"].is_null());
}

#[test]
fn what_another_program_commits_is_heard_of_at_once() {
    let world = world_with_items(2);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let workspace = Workspace::open(world.place()).await.expect("the workspace");
        let mut changes = workspace.store.changes().await.expect("listening");
        let quiet = tokio::time::timeout(Duration::from_millis(500), changes.next()).await;
        assert!(quiet.is_err(), "nothing was written");
        for who in ["ada", "bea"] {
            assert!(crate::claim(&world, who).is_some());
            let heard = tokio::time::timeout(Duration::from_secs(20), changes.next()).await;
            assert!(heard.expect("a word in time").expect("a word"), "{who}'s claim");
            // Several words for one commit are allowed; silence comes after them.
            while tokio::time::timeout(Duration::from_millis(2_500), changes.next())
                .await
                .is_ok()
            {}
        }
    });
}
