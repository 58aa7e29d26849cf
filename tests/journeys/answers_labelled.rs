//! What reviewers say of answers: labels, the 2 x 2 that they make, whoever differs, and what is kept back.
//!
//! Deliberately not here: what a label and a cell are (`pincite_core::answers`), the answers themselves (`answers`).

use crate::answers::{answer, bytes_of, cited, import, policies};
use crate::contract::assert_keys;
use crate::{assert_refused, elements, number, text};
use pincite_tests::{World, database, tree};
use serde_json::{Value, json};

const LABEL: &str = "who faithful correct cause why recorded_at";

/// Labels an answer in somebody's name.
pub(crate) fn label(world: &World, answer: &str, who: &str, words: &[&str]) -> Value {
    let command = ["answer", "label", answer, "--why", "read it", "--as", who];
    world.json([&command[..], words].concat())
}

#[test]
fn labels_sort_answers_and_whoever_differs_puts_one_into_no_cell() {
    let world = policies();
    let old = cited(
        &world,
        "expenses-policy",
        &bytes_of(&world, "expenses-policy", 1),
        "CHF 60 a day",
    );
    let new = cited(
        &world,
        "expenses-policy",
        &bytes_of(&world, "expenses-policy", 2),
        "CHF 85 a day",
    );
    let lines: Vec<String> = [
        ("right", &new),
        ("stale", &old),
        ("other", &new),
        ("table", &new),
        ("made-up", &new),
        ("lucky", &new),
        ("disputed", &old),
        ("unread", &new),
    ]
    .iter()
    .map(|(id, citation)| answer(id, "2026-11-30", citation, json!({ "asked_at": "2026-11-02" })))
    .collect();
    let _ = import(&world, &lines);
    let wrong = ["--faithful", "yes", "--correct", "no", "--cause"];
    let superseded = [&wrong[..], &["superseded"]].concat();
    let said = label(&world, "right", "ada", &["--faithful", "yes", "--correct", "yes"]);
    assert_keys(&said, LABEL, "answer label");
    assert_eq!((text(&said, "who"), said["cause"].is_null()), ("ada", true));
    let _ = label(&world, "stale", "ada", &superseded);
    let _ = label(&world, "stale", "bea", &superseded);
    // Superseded, as somebody says, and the gate does not find it.
    let _ = label(&world, "other", "ada", &superseded);
    let _ = label(&world, "table", "ada", &[&wrong[..], &["misread_table"]].concat());
    let _ = label(&world, "made-up", "ada", &["--faithful", "no", "--correct", "no"]);
    let _ = label(&world, "lucky", "ada", &["--faithful", "no", "--correct", "yes"]);
    let _ = label(&world, "disputed", "ada", &superseded);
    let _ = label(&world, "disputed", "bea", &[&wrong[..], &["other"]].concat());

    let bad = |words: &[&str]| world.run([&["answer", "label", "unread", "--why", "x"][..], words].concat());
    assert_refused(
        &bad(&["--faithful", "yes", "--correct", "no"]),
        2,
        &["unread", "has a cause"],
    );
    let much = ["--faithful", "no", "--correct", "no", "--cause", "other"];
    assert_refused(&bad(&much), 2, &["unread", "leave the cause out"]);
    assert_refused(&bad(&[&wrong[..], &["age"]].concat()), 2, &["age is no cause"]);
    let blank = [
        "answer",
        "label",
        "unread",
        "--faithful",
        "yes",
        "--correct",
        "yes",
        "--why",
        " ",
    ];
    assert_refused(&world.run(blank), 2, &["--why is empty"]);
    let nobody = [
        "answer",
        "label",
        "nothing",
        "--faithful",
        "yes",
        "--correct",
        "yes",
        "--why",
        "x",
    ];
    assert_refused(&world.run(nobody), 2, &["there is no answer nothing"]);

    let matrix = || world.json(["answer", "matrix", "--from", "2026-11-02", "--to", "2026-11-02"]);
    let first = matrix();
    assert_keys(
        &first,
        "answers unlabelled disputed faithful unfaithful causes superseded_stale wrong_of_faithful disagreements",
        "answer matrix",
    );
    assert_eq!(
        (
            number(&first, "answers"),
            number(&first, "unlabelled"),
            number(&first, "disputed")
        ),
        (8, 1, 1)
    );
    assert_eq!(first["faithful"], json!({ "correct": 1, "wrong": 3 }));
    assert_eq!(first["unfaithful"], json!({ "correct": 1, "wrong": 1 }));
    assert_eq!(
        first["causes"],
        json!({ "superseded": 2, "missed_exception": 0, "misread_table": 1, "other": 0 })
    );
    assert_eq!(number(&first, "superseded_stale"), 1);
    assert_eq!(first["wrong_of_faithful"], 0.75);
    let disputed = &first["disagreements"][0];
    assert_keys(disputed, "answer labels", "a disagreement");
    let who: Vec<&str> = elements(&disputed["labels"])
        .iter()
        .map(|label| text(label, "who"))
        .collect();
    assert_eq!((text(disputed, "answer"), who), ("disputed", vec!["ada", "bea"]));
    // Of each person the last word counts, and no word is lost.
    let _ = label(&world, "disputed", "bea", &superseded);
    let then = matrix();
    assert_eq!((number(&then, "disputed"), number(&then["faithful"], "wrong")), (0, 4));
    assert_eq!(number(&then, "superseded_stale"), 2);
    assert_eq!(elements(&world.json(["answer", "show", "disputed"])["labels"]).len(), 2);
    assert_eq!(database::ask(&world, "SELECT count(*) FROM answer_labels"), "10");
    let none = world.json(["answer", "matrix", "--to", "2026-11-01"]);
    assert_eq!(
        (number(&none, "answers"), none["wrong_of_faithful"].is_null()),
        (0, true)
    );
    assert!(!database::refusal(&world, "DELETE FROM answer_labels").is_empty());
}

#[test]
fn what_others_said_of_an_answer_is_kept_back_from_a_reviewer_until_they_said_theirs() {
    let Some(world) = crate::people::team() else { return };
    let _ = world.json(["init"]);
    let manifest = tree::fixture("policies/manifest.toml").display().to_string();
    let _ = world.lines(0, ["registry", "import", &manifest, "--why", "the policies"]);
    let bytes = bytes_of(&world, "expenses-policy", 2);
    let citation = cited(&world, "expenses-policy", &bytes, "CHF 85 a day");
    let _ = import(&world, &[answer("one", "2026-11-30", &citation, json!({}))]);
    let right = ["--faithful", "yes", "--correct", "yes"];
    let _ = label(&world, "one", "ada", &right);
    crate::people::account(&world, "cy", &["reviewer"]);
    let shown = |who: &str| {
        let shown = world.json(["answer", "show", "one", "--as", who]);
        (elements(&shown["labels"]).len(), number(&shown, "labels_hidden"))
    };
    assert_eq!(shown("bea"), (1, 0), "who may read what is measured sees all");
    assert_eq!(shown("cy"), (0, 1));
    let _ = label(&world, "one", "cy", &right);
    assert_eq!(shown("cy"), (2, 0));
}
