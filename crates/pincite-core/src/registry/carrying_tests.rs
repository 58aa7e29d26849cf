//! Keys, hashes and unsettled changes of later revisions: on documents written as in `difference_tests`.

use super::difference_tests::{Made, SOP, doc, with};
use super::*;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn a_key_survives_renumbering_and_is_never_another_sections() {
    let first = doc(&SOP);
    let keys: Vec<String> = ["purpose", "records", "paper", "box", "count", "retention"]
        .map(str::to_owned)
        .to_vec();
    let used: BTreeSet<String> = keys.iter().cloned().chain(["key-9-pets".to_owned()]).collect();
    let second = doc(&[
        SOP[0],
        "2 Retention: Records must be retained for 5 years from the date of creation.",
        "9 Pets: Dogs stay outside, always.",
    ]);
    let difference = compare(&first.side(), &second.side());
    let versions = first_versions(&first.side(), &keys);
    let later = keys_carried(
        &keys,
        &difference.pairing,
        &second.structure.sections,
        &used,
        &BTreeMap::new(),
    );
    assert_eq!(later, ["purpose", "retention", "key-9-pets-2"]);
    let later_of = later_versions(&second.side(), &later, &difference, &versions);
    assert_eq!(later_of[1].own_sha256, versions[5].own_sha256);
    assert_eq!(
        (later_of[1].section_key.as_str(), later_of[1].locator.as_str()),
        ("retention", "2")
    );
    // It comes back as it was, under its own key; with other words under another.
    let third = doc(&SOP);
    let again = compare(&second.side(), &third.side());
    let new = first_versions(&third.side(), &[]);
    let lost: Vec<SectionVersion> = versions
        .iter()
        .filter(|version| !later.contains(&version.section_key))
        .cloned()
        .collect();
    let back = came_back(&again, &new, &lost);
    let used: BTreeSet<String> = used.into_iter().chain(later.clone()).collect();
    let keyed = keys_carried(&later, &again.pairing, &third.structure.sections, &used, &back);
    assert_eq!(keyed, keys);
    let all = carried_versions(&third.side(), &again, &later_of, [&versions[..], &later_of[..]]);
    let carried: Vec<&str> = all.iter().map(|version| version.section_key.as_str()).collect();
    assert_eq!(carried, keys);
    let hashes = |versions: &[SectionVersion]| {
        versions
            .iter()
            .map(|one| one.content_sha256.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(hashes(&all), hashes(&versions));
    let reworded = doc(&with(&[(3, "2.1(a) : Each crate bears the month on its back.")]));
    let again = compare(&second.side(), &reworded.side());
    let back = came_back(&again, &first_versions(&reworded.side(), &[]), &lost);
    let keyed = keys_carried(&later, &again.pairing, &reworded.structure.sections, &used, &back);
    assert_eq!(keyed[3], "key-2.1(a)-");
    // What holds it has other content too, so it is no surer.
    assert_eq!(keyed[2], "key-2.1-paper");
    assert_eq!(keyed[4], "count");
}

#[test]
fn a_section_holds_the_content_of_those_in_it() {
    let versions = |lines: &[&str]| first_versions(&doc(lines).side(), &[]);
    let (one, other) = (
        versions(&SOP),
        versions(&with(&[(3, "2.1(a) : Each box bears the month on its front.")])),
    );
    let differ: Vec<bool> = one
        .iter()
        .zip(other.iter())
        .map(|(a, b)| a.content_sha256 != b.content_sha256)
        .collect();
    assert_eq!(differ, [false, true, true, true, false, false]);
    let own: Vec<bool> = one
        .iter()
        .zip(other.iter())
        .map(|(a, b)| a.own_sha256 != b.own_sha256)
        .collect();
    assert_eq!(own, [false, false, false, true, false, false]);
}

#[test]
fn declared_and_computed_changes_are_held_against_each_other() {
    let before = doc(&SOP);
    let after = doc(&with(&[
        (3, "2.1(a) : Each box bears the month on its front."),
        (
            5,
            "3 Retention: Records must be retained for 7 years from the date of creation.",
        ),
    ]));
    let keys = |made: &Made| {
        made.structure
            .sections
            .iter()
            .map(|section| section.locator.to_string())
            .collect::<Vec<String>>()
    };
    let unsettled = |declared: &[&str]| -> Vec<String> {
        let changes = diff(&before.side(), &after.side());
        let declared = declared.iter().map(|key| (*key).to_owned()).collect();
        let sides = (keys(&before), keys(&after));
        let found = differing(
            &declared,
            &changes,
            (&before.structure.sections, &sides.0),
            (&after.structure.sections, &sides.1),
        )
        .all;
        found.into_iter().collect()
    };
    assert!(unsettled(&["2.1(a)", "3"]).is_empty());
    // Said of what holds it.
    assert!(unsettled(&["2", "3"]).is_empty());
    assert_eq!(unsettled(&["2.1(a)"]), ["3"]);
    assert_eq!(unsettled(&["3"]), ["2", "2.1", "2.1(a)"]);
    assert_eq!(unsettled(&["2.1(a)", "3", "1"]), ["1"]);
    assert_eq!(unsettled(&["2.1(a)", "3", "2.1(b)", "7"]), ["2", "2.1", "2.1(b)", "7"]);
    assert_eq!(unsettled(&[]), ["2", "2.1", "2.1(a)", "3"]);
}
