//! Weights of labels, end to end: what was drawn early and what was drawn after the share was raised weigh the same.
//!
//! Deliberately not here: the estimates themselves (the core's own tests).

use crate::{elements, number, text};
use pincite_tests::{World, tree};
use serde_json::json;

fn set_shares(world: &World, share: &str) {
    let shares = format!("{{\"show\":{share},\"flag\":{share},\"abstain\":{share}}}");
    let _ = world.json(["settings", "set", "audit_shares", &shares, "--why", "a test"]);
}

/// Accepts every open item of a field; answers how many.
fn accept_all(world: &World, field: &str) -> usize {
    let queue = world.json(["queue", "list"]);
    let items: Vec<_> = elements(&queue).iter().filter(|item| item["field"] == field).collect();
    for item in &items {
        let id = text(item, "item");
        let claim = world.json(["queue", "claim", id, "--as", "ada"]);
        let (token, version) = (claim["token"].to_string(), claim["item_version"].to_string());
        let lease = ["--as", "ada", "--token", &token, "--item-version", &version];
        let verdict = ["--key", id, "--accept"];
        let _ = world.json([&["queue", "decide", id][..], &lease, &verdict].concat());
    }
    items.len()
}

#[test]
fn a_raised_share_weighs_what_was_drawn_before_it_too() {
    const FIELD: &str = "slip.amount";
    let world = World::empty();
    let catalogue = tree::fixture("catalogue.toml").display().to_string();
    let _ = world.json(["catalogue", "set", &catalogue]);
    let slips = (1..=40).map(|number| {
        tree::fixture(&format!("documents/slips/slip-{number:03}.pdf"))
            .display()
            .to_string()
    });
    let ingest: Vec<String> = std::iter::once("ingest".to_owned()).chain(slips).collect();
    let _ = world.lines(0, &ingest);
    set_shares(&world, "0.3");
    let of = ["--model", "ext-large", "--prompt-version", "ext-3.5"];
    let taus = ["--tau-show", "0", "--tau-flag", "0", "--why", "a test"];
    let _ = world.json([&["threshold", "set", FIELD][..], &of, &taus].concat());
    let records = tree::fixture("records/slips.jsonl").display().to_string();
    let _ = world.lines(0, ["record", "import", &records]);

    let early = accept_all(&world, FIELD);
    set_shares(&world, "0.7");
    let late = accept_all(&world, FIELD);
    assert!(early > 3 && late > 3, "both draws draw: {early}, then {late}");

    let curves = world.json(["calibrate", "--field", FIELD]);
    let curve = &elements(&curves)[0];
    let all = i64::try_from(early + late).expect("a small number");
    assert_eq!((number(curve, "labels"), number(curve, "audit_labels")), (all, all));
    // Equal weights: as many effective labels as labels. Weighed by the share of its own day, an early label would count
    // more than twice a late one.
    let effective = curve["labels_effective"].as_f64().expect("a number");
    assert!((effective - (early + late) as f64).abs() < 1e-9, "{effective} of {all}");

    // Compared with itself, an extractor is as good, as far as its labels can tell.
    let itself = "ext-large/ext-3.5,ext-large/ext-3.5";
    let bins = world.json(["calibrate", "--field", FIELD, "--compare", itself]);
    let known = |bin: &&serde_json::Value| !bin["difference"].is_null();
    assert!(elements(&bins).iter().any(|bin| known(&bin)), "{bins}");
    for (bin, measured) in elements(&bins).iter().zip(elements(&curve["bins"])) {
        assert_eq!(known(&bin), !measured["right"].is_null());
        if known(&bin) {
            assert_eq!(bin["difference"], json!(0.0));
            assert!(
                bin["low"].as_f64() < Some(0.0) && bin["high"].as_f64() >= Some(0.0),
                "{bin}"
            );
        }
    }
    assert_eq!(world.json(["audit", "verify"])["fault"], json!(null));
}
