//! Revisions of documents that nobody here wrote, compared: what an answer key says changed is found, and nothing else; what is only
//! printed anew is furniture; what a broken file lost is lost, and not removed.
//!
//! Deliberately not here: the rules of the comparison (`pincite_core::registry`), what is in force.

use crate::Outcome;
use pincite_tests::{World, corpus};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// Takes two files in as versions of one document; answers what became of each section.
fn compared(world: &World, before: &Path, after: &Path) -> Result<Vec<Value>, Box<dyn std::error::Error>> {
    let mut names = Vec::new();
    for file in [before, after] {
        let taken = world.json(["ingest", "--doc-id", "compared", &file.display().to_string()]);
        names.push(format!("compared@{}", taken["doc_sha256"].as_str().ok_or("a hash")?));
    }
    let changes = world.json(["registry", "diff", &names[0], &names[1]]);
    Ok(changes.as_array().cloned().ok_or("a list")?)
}

/// The locators of the sections of which this became, by the side that has them.
fn of(changes: &[Value], change: &str) -> BTreeSet<String> {
    changes
        .iter()
        .filter(|one| one["change"] == change)
        .filter_map(|one| one["after"]["locator"].as_str().or(one["before"]["locator"].as_str()))
        .map(str::to_owned)
        .collect()
}

#[test]
fn an_amendment_changes_the_sections_of_its_answer_key_and_no_other() -> Outcome {
    let Some(folder) = corpus::folder().map(|folder| folder.join("revisions/alaska-rfp-ies-milestone2")) else {
        eprintln!("skipped: no corpus");
        return Ok(());
    };
    let key: Value = serde_json::from_str(&std::fs::read_to_string(folder.join("ANSWER_KEY.json"))?)?;
    let name = |at: usize| key["pair"][at].as_str().map(|name| folder.join(name)).ok_or("a pair");
    let changes = compared(&World::empty(), &name(0)?, &name(1)?)?;
    let wanted: BTreeSet<String> = key["changed_sections"]
        .as_array()
        .ok_or("a list")?
        .iter()
        .filter_map(|section| section.as_str().map(str::to_owned))
        .collect();
    // Its headings read "Sec. 1.03 Deadline for Receipt of Proposals".
    let number = |locator: &String| {
        let heading = locator.rsplit(" > ").next().unwrap_or(locator);
        let number = heading
            .split(' ')
            .find(|word| word.starts_with(|letter: char| letter.is_ascii_digit()));
        number.unwrap_or(locator).to_owned()
    };
    let found: BTreeSet<String> = of(&changes, "changed").iter().map(number).collect();
    assert_eq!(found, wanted, "{changes:?}");
    for change in ["added", "removed", "moved", "text_lost"] {
        assert!(of(&changes, change).is_empty(), "{change}: {changes:?}");
    }
    Ok(())
}

#[test]
fn a_reprint_that_says_the_same_revision_and_adds_sentences_is_found_out() -> Outcome {
    let Some(folder) = corpus::folder().map(|folder| folder.join("revisions/sop-buchmuller-pdf")) else {
        eprintln!("skipped: no corpus");
        return Ok(());
    };
    let file = |start: &str| {
        let found = std::fs::read_dir(&folder)?.flatten().map(|entry| entry.path());
        let mut found = found.filter(|path| {
            path.file_name()
                .is_some_and(|name| name.to_string_lossy().starts_with(start))
        });
        found
            .next()
            .ok_or_else(|| std::io::Error::other(format!("{start} is not in the corpus")))
    };
    let first = file("sop_0001-v1-isolation_nuclei__2025-11-05")?;
    let again = file("sop_0001-v1-isolation_nuclei__2026-05-14")?;
    let world = World::empty();
    let changes = compared(&world, &first, &again)?;
    // Section by section: sentences were added to two recipes, a word or a letter was mended in four others.
    let expected = BTreeSet::from([
        "Analyses",
        "B(2)",
        "Change log",
        "Recipes > Inhibitor cocktail, 100 ×",
        "Recipes > Sucrose buffer, pH 7.4",
        "Troubleshooting > Isolation of nuclei in isosmotic sucrose",
    ]);
    let changed = of(&changes, "changed");
    assert_eq!(
        changed.iter().map(String::as_str).collect::<BTreeSet<&str>>(),
        expected,
        "{changes:?}"
    );
    // The stamp that says when it was printed, and running heads, are all that changed of two more.
    assert_eq!(of(&changes, "furniture").len(), 2, "{changes:?}");
    for change in ["removed", "text_lost"] {
        assert!(of(&changes, change).is_empty(), "{change}: {changes:?}");
    }
    // Nothing was declared, so that it waits for somebody.
    let versions = world.json(["document", "list"]);
    for (seq, version) in (1..).zip(versions.as_array().ok_or("a list")?) {
        let doc = format!("compared@{}", version["doc_sha256"].as_str().ok_or("a hash")?);
        let (effective, seq) = (format!("2025-11-0{seq}"), seq.to_string());
        let _ = world.json([
            "registry",
            "add",
            &doc,
            "--revision",
            "250222",
            "--effective",
            &effective,
            "--seq",
            &seq,
            "--approved",
            "2025-11-05",
            "--why",
            "a test",
        ]);
    }
    let waiting = world.json(["registry", "differences"]);
    assert_eq!(waiting.as_array().map(Vec::len), Some(1), "{waiting}");

    // A build whose first pages are blank lost them; it removed nothing that stood there.
    let whole = file("sop_0101-v2-github__2026-05-14__5459d7")?;
    let blank = file("sop_0101-v2-github__2026-05-14__8f2a9d")?;
    let changes = compared(&World::empty(), &whole, &blank)?;
    let lost = changes.iter().filter(|one| one["change"] == "text_lost");
    let pages: BTreeSet<u64> = lost.filter_map(|one| one["before"]["page"].as_u64()).collect();
    assert!(pages.contains(&1) && pages.contains(&3), "{changes:?}");
    let removed = changes.iter().filter(|one| one["change"] == "removed");
    let early: Vec<&Value> = removed.filter(|one| one["before"]["page"].as_u64() < Some(4)).collect();
    assert!(early.is_empty(), "{early:?}");
    Ok(())
}
