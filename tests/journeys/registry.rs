//! The registry on the command line: revisions come in by a manifest, and what is in force, and was known, on any two dates decides
//! which citations pass.
//!
//! Deliberately not here: the rules case by case (`pincite_core::registry`), the window.

use crate::{assert_refused, elements, number, text};
use pincite_app::intake::take_in;
use pincite_app::{NoProgress, Progress, Workspace};
use pincite_tests::{World, tree};
use serde_json::json;
use std::sync::Arc;

const SOP: &str = "doc_id,revision,file,effective_date,recorded_at,approved_at,changed_sections,owner,class\n\
    sop-114,A,sop-114-rev-a.pdf,2021-03-01,2021-02-15,2021-02-20,,Laboratory,documentation\n\
    sop-114,B,sop-114-rev-b.pdf,2022-09-05,2022-08-20,2022-08-30,2.1; Appendix A,Laboratory,documentation\n\
    sop-114,C,sop-114-rev-c.pdf,2024-04-15,2024-04-01,2024-04-10,6.2,Laboratory,documentation\n\
    sop-114,D,sop-114-rev-d.pdf,2026-02-02,2026-01-10,2026-01-20,5.2; 7.2,Laboratory,documentation\n";

/// A world in which the fixtures' procedure is registered; the manifest's lines may be changed first.
fn registered(change: impl Fn(String) -> String) -> World {
    let world = World::empty();
    for name in ["a", "b", "c", "d"] {
        let file = format!("sop-114-rev-{name}.pdf");
        let bytes = std::fs::read(tree::fixture(&format!("documents/{file}"))).expect("a fixture");
        let _ = world.file(&file, bytes);
    }
    let manifest = world.file("manifest.csv", change(SOP.to_owned()));
    let lines = world.lines(0, ["registry", "import", &manifest, "--why", "a test"]);
    assert!(lines.iter().all(|line| line["outcome"] == "added"), "{lines:?}");
    world
}

fn hash_of(world: &World, revision: &str) -> String {
    let shown = world.json(["registry", "show", "sop-114"]);
    let found = elements(&shown).iter().find(|one| one["revision"] == revision);
    text(found.expect("a revision"), "doc_sha256").to_owned()
}

/// What the gate says of one citation on two dates.
fn gate(world: &World, doc: &str, hash: &str, section: &str, valid_at: &str, known_at: Option<&str>) -> (bool, String) {
    let citation =
        json!({"doc_id": doc, "doc_sha256": hash, "section": section, "valid_at": valid_at, "known_at": known_at});
    let file = world.file("citations.jsonl", citation.to_string());
    let measured = world.lines(0, ["gate", &file]);
    let measured = measured.first().expect("a verdict");
    assert_eq!(measured["decision"], "pass", "nothing is stopped: {measured}");
    let pass = measured["current"].as_bool().expect("a word");
    let stopped = world.lines(i32::from(!pass), ["gate", &file, "--mode", "block"]);
    let stopped = stopped.first().expect("a verdict");
    assert_eq!(stopped["decision"] == "pass", pass, "{stopped}");
    assert_eq!(stopped["reason"].is_null(), pass, "{stopped}");
    (pass, text(stopped, "standing").to_owned())
}

#[test]
fn the_retention_case_is_answered_for_today_and_for_last_march() {
    let world = registered(|manifest| manifest);
    assert_eq!(elements(&world.json(["registry", "differences"])).len(), 0);
    let as_of = |section: &str, valid_at: &str, known_at: &str| {
        world.json([
            "registry",
            "as-of",
            "sop-114",
            section,
            "--valid-at",
            valid_at,
            "--known-at",
            known_at,
        ])
    };
    let today = as_of("7.2", "2026-11-30", "2026-11-30");
    crate::contract::assert_keys(
        &today,
        "answer doc_id section_key locator revision effective_date recorded_at + seq doc_sha256",
        "registry as-of",
    );
    assert_eq!((text(&today, "answer"), text(&today, "revision")), ("in_force", "D"));
    // What was in force last March; the same day as it was known before D was recorded; and after.
    assert_eq!(as_of("7.2", "2025-03-15", "2026-11-30")["revision"], "C");
    assert_eq!(as_of("7.2", "2026-03-01", "2026-01-09")["revision"], "C");
    assert_eq!(as_of("7.2", "2026-03-01", "2026-01-20")["revision"], "D");
    assert_eq!(
        as_of("7.2", "2026-03-01", "2026-01-19")["revision"],
        "C",
        "it was a draft that day"
    );
    assert_eq!(as_of("7.2", "2020-01-01", "2026-11-30")["answer"], "not_yet");
    let appendix = as_of("Appendix A", "2022-01-01", "2026-11-30");
    assert_eq!(
        (&appendix["answer"], &appendix["revision"]),
        (&json!("not_yet"), &json!("B"))
    );

    let (b, c, d) = (hash_of(&world, "B"), hash_of(&world, "C"), hash_of(&world, "D"));
    let said = |hash: &str, section: &str, valid_at: &str, known_at: Option<&str>| {
        gate(&world, "sop-114", hash, section, valid_at, known_at)
    };
    let is = |pass: bool, standing: &str| (pass, standing.to_owned());
    assert_eq!(said(&c, "7.2", "2026-11-30", None), is(false, "superseded"));
    assert_eq!(said(&d, "7.2", "2026-11-30", None), is(true, "in_force"));
    assert_eq!(said(&c, "7.2", "2025-03-15", None), is(true, "in_force"));
    assert_eq!(said(&b, "7.2", "2025-03-15", Some("2025-03-15")), is(true, "carried"));
    assert_eq!(said(&d, "7.2", "2025-03-15", None), is(false, "not_yet"));
    assert_eq!(
        said(&d, "7.2", "2026-03-01", Some("2026-01-05")),
        is(false, "not_known")
    );
    // Unchanged since B: any copy of it passes, and the change of 7.2 stops none of them.
    for hash in [&b, &c] {
        assert_eq!(said(hash, "2.1", "2026-11-30", None), is(true, "carried"));
    }
    assert_eq!(said(&c, "9.9", "2026-11-30", None), is(false, "unknown"));
    let other = pincite_core::sha256_hex(b"other bytes");
    assert_eq!(said(&other, "7.2", "2026-11-30", None), is(false, "unknown"));

    let periods = world.json(["registry", "history", "sop-114", "7.2"]);
    let spans: Vec<(&str, &str)> = elements(&periods)
        .iter()
        .map(|one| (text(one, "from"), text(one, "revision")))
        .collect();
    assert_eq!(spans, [("2021-03-01", "A"), ("2026-02-02", "D")]);
    assert_eq!(
        elements(&periods).first().map(|one| one["carried_by"].clone()),
        Some(json!(["B", "C"]))
    );

    // D is withdrawn: C is in force again, for whoever knows of it.
    let _ = world.json([
        "registry",
        "withdraw",
        "sop-114",
        "--seq",
        "4",
        "--why",
        "a wrong period",
    ]);
    assert_eq!(said(&d, "7.2", "2026-11-30", None), is(false, "withdrawn"));
    assert_eq!(said(&c, "7.2", "2026-11-30", None), is(true, "in_force"));
    assert_eq!(
        said(&c, "7.2", "2026-11-30", Some("2026-06-01")),
        is(false, "superseded")
    );
    assert!(world.json(["audit", "verify"])["fault"].is_null());
}

#[test]
fn what_is_declared_is_held_against_what_changed() {
    let world = registered(|manifest| manifest.replace(",6.2,", ",7.1,"));
    let waiting = world.json(["registry", "differences"]);
    let event = elements(&waiting).first().expect("a compliance event");
    assert_eq!(number(event, "seq"), 3);
    assert_eq!(elements(&event["only_declared"]).len(), 1, "{event}");
    let keys = |name: &str| {
        event[name]
            .as_array()
            .and_then(|list| list.first()?.as_str().map(str::to_owned))
            .unwrap_or_default()
    };
    assert!(
        keys("only_declared").starts_with("7-1-") && keys("only_computed").starts_with("6-2-"),
        "{event}"
    );
    // Whether 7.1 changed is open: no copy from before passes, though its text is the same.
    let b = hash_of(&world, "B");
    assert!(!gate(&world, "sop-114", &b, "7.1", "2026-11-30", None).0);
    assert!(gate(&world, "sop-114", &b, "2.1", "2026-11-30", None).0);
    let left = world.json([
        "registry",
        "settle",
        "sop-114",
        "--seq",
        "3",
        "--why",
        "a slip of the form",
    ]);
    assert_eq!(left, json!([]));
    assert!(gate(&world, "sop-114", &b, "7.1", "2026-11-30", None).0);
    assert_refused(
        &world.run(["registry", "settle", "sop-114", "--seq", "3", "--why", "again"]),
        2,
        &["settled it already"],
    );
    let changes = world.json([
        "registry",
        "diff",
        &format!("sop-114@{b}"),
        &format!("sop-114@{}", hash_of(&world, "D")),
    ]);
    let changed: Vec<&str> = elements(&changes)
        .iter()
        .filter(|one| one["change"] == "changed")
        .map(|one| text(&one["after"], "locator"))
        .collect();
    assert_eq!(changed, ["5.2", "6.2", "7.2"]);
}

#[test]
fn the_zurich_rate_of_last_year_is_stopped_today_and_its_copy_is_proposed_as_one() {
    let world = World::empty();
    let manifest = tree::fixture("policies/manifest.toml").display().to_string();
    let lines = world.lines(0, ["registry", "import", &manifest, "--why", "the policies"]);
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert_eq!(world.json(["registry", "differences"]), json!([]));
    let shown = world.json(["registry", "show"]);
    let hash = |doc: &str, seq: i64| {
        let found = elements(&shown)
            .iter()
            .find(|one| one["doc_id"] == doc && one["seq"] == seq);
        text(found.expect("a revision"), "doc_sha256").to_owned()
    };
    let old = hash("expenses-policy", 1);
    assert_eq!(
        gate(&world, "expenses-policy", &old, "2.1", "2026-11-30", None),
        (false, "superseded".into())
    );
    assert_eq!(
        gate(&world, "expenses-policy", &old, "2.1", "2025-03-15", None),
        (true, "in_force".into())
    );
    assert_eq!(
        gate(&world, "expenses-policy", &old, "2.2", "2026-11-30", None),
        (true, "carried".into())
    );
    // The copy in another folder has the old rate, and nobody said yet that it is one.
    let groups = world.json(["registry", "groups"]);
    let group = elements(&groups).first().expect("a proposal");
    assert_eq!(
        (group["confirmed"].as_bool(), elements(&group["documents"]).len()),
        (Some(false), 2)
    );
    let copy = "expenses-policy-on-the-shared-drive";
    let said = world.json([
        "registry",
        "confirm",
        "expenses-policy",
        copy,
        "--why",
        "somebody's copy",
    ]);
    let group = elements(&said).first().expect("a group");
    assert_eq!(group["confirmed"], true);
    assert!(
        elements(&group["documents"])
            .iter()
            .all(|one| one["canonical_id"] == "expenses-policy")
    );
    // Said again, it is known; and nothing is registered twice.
    let again = world.lines(0, ["registry", "import", &manifest, "--why", "the policies"]);
    assert!(again.iter().all(|line| line["outcome"] == "known"), "{again:?}");
}

#[test]
fn a_manifest_with_faults_names_each_line_and_keeps_the_rest() {
    let world = World::empty();
    for name in ["one", "two", "three"] {
        let _ = world.file(&format!("{name}.txt"), format!("1 Scope\n\nWhat {name} is for.\n"));
    }
    let _ = world.json([
        "settings",
        "set",
        "scope",
        "{\"classes\":[\"documentation\"]}",
        "--why",
        "a test",
    ]);
    let manifest = world.file(
        "manifest.csv",
        "doc_id,revision,seq,file,effective_date,recorded_at,approved_at,owner,class,supersedes\n\
         p,1,1,one.txt,2025-01-01,2025-01-01,2025-01-01,Travel,documentation,\n\
         p,2,1,two.txt,2026-01-01,2026-01-01,2026-01-01,Travel,documentation,\n\
         p,3,2,two.txt,2026-02-30,2026-01-01,2026-01-01,Travel,documentation,\n\
         p,4,3,three.txt,2026-03-01,2024-01-01,2024-01-01,Travel,documentation,\n\
         p,5,4,three.txt,2026-04-01,2026-03-01,2026-03-01,Finance,documentation,\n\
         q,A,,one.txt,2026-01-01,2026-01-01,2026-01-01,Travel,documentation,B\n\
         q,B,,two.txt,2026-01-01,2026-01-01,2026-01-01,Travel,documentation,A\n\
         m,1,,three.txt,2026-01-01,2026-01-01,2026-01-01,Travel,minutes,\n\
         n,1,,missing.txt,2026-01-01,2026-01-01,2026-01-01,Travel,documentation,\n",
    );
    let lines = world.lines(1, ["registry", "import", &manifest, "--why", "a test"]);
    let outcome = |number: usize| {
        let line = lines
            .iter()
            .find(|line| line["line"] == number)
            .expect("each line is answered");
        (
            text(line, "outcome").to_owned(),
            line["message"].as_str().unwrap_or_default().to_owned(),
        )
    };
    let expected = [
        (2, "added", ""),
        (3, "refused", "seq 1 is taken"),
        (4, "refused", "2026-02-30"),
        (5, "refused", "before its predecessor"),
        (6, "added", "one owner"),
        (7, "refused", "circle"),
        (8, "refused", "circle"),
        (9, "out_of_scope", "documentation"),
        (10, "refused", "missing.txt"),
    ];
    assert_eq!(lines.len(), expected.len(), "{lines:?}");
    for (line, wanted, word) in expected {
        let (found, message) = outcome(line);
        assert!(found == wanted && message.contains(word), "{line}: {found}: {message}");
    }
    let shown = world.json(["registry", "show"]);
    let kept: Vec<(&str, i64)> = elements(&shown)
        .iter()
        .map(|one| (text(one, "revision"), number(one, "seq")))
        .collect();
    assert_eq!(kept, [("1", 1), ("5", 4)]);
    let unknown = world.file("other.csv", "doc_id,revison\np,1\n");
    assert_refused(
        &world.run(["registry", "import", &unknown, "--why", "a test"]),
        2,
        &["other.csv", "\"revison\"", "doc_id, revision"],
    );
    assert!(world.json(["audit", "verify"])["fault"].is_null());
}

#[test]
fn a_folder_proposes_a_manifest_and_registers_nothing() {
    let world = World::empty();
    std::fs::create_dir_all(world.path("policies/travel")).expect("a folder");
    for name in ["b", "d"] {
        let bytes = std::fs::read(tree::fixture(&format!("documents/sop-114-rev-{name}.pdf"))).expect("a fixture");
        let _ = world.file(&format!("policies/sop-114-rev-{name}.pdf"), bytes);
    }
    let policy = std::fs::read(tree::fixture("policies/expenses-policy-2026.md")).expect("a fixture");
    let _ = world.file("policies/travel/expenses-policy_v7.md", policy);
    let _ = world.file("policies/note.txt", "Nothing of a revision here.\n");
    let folder = world.path("policies").display().to_string();
    let proposed = world.json(["registry", "propose", &folder]);
    let line = |file: &str| {
        let found = elements(&proposed).iter().find(|one| one["file"] == file);
        found.unwrap_or_else(|| panic!("{file}: {proposed}")).clone()
    };
    // The foot of its pages speaks, and so does the head.
    let last = line("sop-114-rev-d.pdf");
    assert_eq!(
        ["doc_id", "revision", "effective_date"].map(|key| last[key].clone()),
        ["sop-114", "D", "2026-02-02"].map(|word| json!(word))
    );
    assert!(text(&last, "note").contains("rev D"), "{last}");
    // The pages are believed, and what the name says is said beside it.
    let policy = line("travel/expenses-policy_v7.md");
    assert_eq!(
        ["doc_id", "revision", "effective_date"].map(|key| policy[key].clone()),
        ["expenses-policy", "2026", "2026-02-01"].map(|word| json!(word))
    );
    assert!(
        elements(&policy["proposals"])
            .iter()
            .any(|one| one["from"] == "name" && one["value"] == "7"),
        "{policy}"
    );
    assert_eq!(line("note.txt")["revision"], json!(null));
    // Nothing is here of it; and the manifest, looked over, is what is imported.
    assert_eq!(world.json(["document", "list"]), json!([]));
    let printed = world.run(["registry", "propose", &folder]).out;
    let manifest = world.file("policies/manifest.csv", printed);
    let lines = world.lines(1, ["registry", "import", &manifest, "--why", "looked over"]);
    let outcome = |name: &str| lines.iter().filter(|one| one["outcome"] == name).count();
    assert_eq!((outcome("added"), outcome("refused")), (3, 1), "{lines:?}");
    assert_refused(
        &world.run(["registry", "import", &folder, "--why", "x"]),
        2,
        &["registry propose"],
    );
}

#[tokio::test]
async fn a_dropped_folder_is_taken_in_under_the_names_that_its_manifest_gives() {
    let world = World::in_a_folder();
    let _ = world.json(["init"]);
    std::fs::create_dir_all(world.path("dropped")).expect("a folder");
    let _ = world.file("dropped/one.txt", "1 Scope\n\nWhat it is for.\n");
    let _ = world.file("dropped/two.txt", "1 Scope\n\nAnother one.\n");
    let _ = world.file("dropped/prices.csv", "name,price\npen,2\n");
    let manifest = "doc_id,revision,file,effective_date,approved_at\npolicy,A,one.txt,2026-01-01,2026-01-01\npolicy,B,gone.txt,2026-02-01,\n";
    let _ = world.file("dropped/manifest.csv", manifest);
    let workspace = Workspace::open(world.place()).await.expect("the workspace");
    let progress: Arc<dyn Progress> = Arc::new(NoProgress);
    let taken = take_in(&workspace, &[world.path("dropped")], false, None, &progress).await;
    let counts = taken.expect("an intake").counts;
    assert_eq!(
        (counts.registered, counts.refused_lines, counts.added),
        (1, 1, 1),
        "{counts:?}"
    );
    workspace.store.close().await;
    let names: Vec<String> = elements(&world.json(["document", "list"]))
        .iter()
        .map(|one| text(one, "doc_id").to_owned())
        .collect();
    assert_eq!(names, ["policy", "two"]);
}
