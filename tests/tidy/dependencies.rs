//! Rule 2: who may know whom. And the map of the workspace: each member says what it is for.
//!
//! Deliberately not here: the reasons; they stand beside the table in docs/ARCHITECTURE.md.

use crate::no_findings;
use pincite_tests::tree;
use std::collections::{BTreeMap, BTreeSet};

/// A member's name with the names of all it depends on.
type Members = BTreeMap<String, (String, BTreeSet<String>)>;

fn table(path: &str) -> toml::Table {
    let text = std::fs::read_to_string(tree::root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.parse().unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn member_folders() -> Vec<String> {
    let members = table("Cargo.toml");
    let members = members
        .get("workspace")
        .and_then(|workspace| workspace.get("members")?.as_array())
        .expect("members are listed");
    members
        .iter()
        .filter_map(|member| member.as_str().map(str::to_owned))
        .collect()
}

fn names_in(manifest: &toml::Value, found: &mut BTreeSet<String>) {
    let Some(manifest) = manifest.as_table() else { return };
    for (key, value) in manifest {
        if matches!(key.as_str(), "dependencies" | "build-dependencies" | "dev-dependencies") {
            for (name, wanted) in value.as_table().into_iter().flatten() {
                let package = wanted.get("package").and_then(toml::Value::as_str);
                found.insert(package.unwrap_or(name).to_owned());
            }
        } else if key == "target" {
            for platform in value.as_table().into_iter().flat_map(toml::Table::values) {
                names_in(platform, found);
            }
        }
    }
}

fn members() -> Members {
    let folders = member_folders();
    let members = folders.into_iter().map(|folder| {
        let manifest = table(&format!("{folder}/Cargo.toml"));
        let name = manifest
            .get("package")
            .and_then(|package| package.get("name")?.as_str())
            .expect("a member has a name")
            .to_owned();
        let mut names = BTreeSet::new();
        names_in(&toml::Value::Table(manifest), &mut names);
        (name, (folder, names))
    });
    members.collect()
}

/// The fenced block ```edges of docs/ARCHITECTURE.md: `name -> name, name`; a member that depends on no other has nothing
/// after the arrow, or no line.
fn printed_edges() -> BTreeMap<String, BTreeSet<String>> {
    let path = tree::root().join("docs/ARCHITECTURE.md");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("docs/ARCHITECTURE.md: {error}"));
    let block = text.split("```edges").nth(1).and_then(|rest| rest.split("```").next());
    let block = block.expect("docs/ARCHITECTURE.md prints the edges in a block that begins with ```edges");
    let mut edges = BTreeMap::new();
    for line in block
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let (from, to) = line
            .split_once("->")
            .unwrap_or_else(|| panic!("docs/ARCHITECTURE.md: {line:?} is no edge: name -> name, name"));
        let to: BTreeSet<String> = to
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect();
        if !to.is_empty() {
            edges.insert(from.trim().to_owned(), to);
        }
    }
    edges
}

#[test]
fn the_edges_between_crates_are_those_printed() {
    let members = members();
    let mut built: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, (_, dependencies)) in &members {
        let inside: BTreeSet<String> = dependencies
            .iter()
            .filter(|dependency| members.contains_key(*dependency))
            .cloned()
            .collect();
        if !inside.is_empty() {
            built.insert(name.clone(), inside);
        }
    }
    let words = |edges: &BTreeMap<String, BTreeSet<String>>| {
        let lines: Vec<String> = edges
            .iter()
            .map(|(from, to)| format!("{from} -> {}", to.iter().cloned().collect::<Vec<_>>().join(", ")))
            .collect();
        lines.join("\n")
    };
    let printed = printed_edges();
    assert!(
        printed == built,
        "docs/ARCHITECTURE.md prints\n{}\n\nbut the Cargo.toml files say\n{}",
        words(&printed),
        words(&built)
    );
}

#[test]
fn each_outside_part_has_one_crate_that_names_it() {
    // What is named, and the one member that may.
    let owners: [(&str, &str); 9] = [
        ("pdfium-render", "pincite-pdf-worker"),
        ("sqlx", "pincite-store"),
        ("tantivy", "pincite-search"),
        ("ort", "pincite-search"),
        ("tokenizers", "pincite-search"),
        ("ts-rs", "pincite-app"),
        ("clap", "pincite-cli"),
        ("indicatif", "pincite-cli"),
        ("fantoccini", "pincite-tests"),
    ];
    // The durability suite proves that it finds a writer that loses what it acknowledged. The store has none to offer.
    let counterexamples = ("pincite-tests", "sqlx");
    let mut findings = Vec::new();
    for (member, (folder, dependencies)) in members() {
        for name in dependencies {
            if (member.as_str(), name.as_str()) == counterexamples {
                continue;
            }
            let owner = if name.starts_with("tauri") || name == "wry" || name == "tao" {
                Some("pincite-desktop")
            } else {
                owners.iter().find(|(part, _)| *part == name).map(|(_, owner)| *owner)
            };
            if owner.is_some_and(|owner| owner != member) {
                findings.push(format!(
                    "{folder}/Cargo.toml: {name} is for {} alone",
                    owner.unwrap_or_default()
                ));
            }
        }
    }
    no_findings(&findings, "ask the crate that owns it (docs/ARCHITECTURE.md)");
}

#[test]
fn every_member_says_what_it_is_for() {
    let text = std::fs::read_to_string(tree::root().join("Cargo.toml")).expect("the workspace's Cargo.toml");
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let findings: Vec<String> = member_folders()
        .into_iter()
        .filter(|folder| {
            let quoted = format!("\"{folder}\"");
            let at = lines.iter().position(|line| line.starts_with(&quoted));
            let above = at
                .and_then(|at| lines.get(at.checked_sub(1)?))
                .is_some_and(|line| line.starts_with('#'));
            let beside = at.and_then(|at| lines.get(at)).is_some_and(|line| line.contains('#'));
            !above && !beside
        })
        .map(|folder| format!("Cargo.toml: the member {folder}"))
        .collect();
    no_findings(&findings, "write what it is for behind it or above it");
}

#[test]
fn every_member_obeys_the_lints_of_the_workspace() {
    let mut findings = Vec::new();
    for folder in member_folders() {
        let manifest = table(&format!("{folder}/Cargo.toml"));
        let obeys = manifest
            .get("lints")
            .and_then(|lints| lints.get("workspace")?.as_bool())
            == Some(true);
        if !obeys {
            findings.push(format!("{folder}/Cargo.toml: no [lints] workspace = true"));
        }
    }
    let workspace = table("Cargo.toml");
    let lints = workspace.get("workspace").and_then(|workspace| workspace.get("lints"));
    let level = |tool: &str, lint: &str| {
        lints
            .and_then(|lints| lints.get(tool)?.get(lint)?.as_str().map(str::to_owned))
            .unwrap_or_default()
    };
    for (tool, lint) in [
        ("rust", "missing_docs"),
        ("rust", "unsafe_code"),
        ("clippy", "unwrap_used"),
        ("clippy", "print_stdout"),
    ] {
        if !matches!(level(tool, lint).as_str(), "warn" | "deny" | "forbid") {
            findings.push(format!("Cargo.toml: the lint {tool}::{lint} is off"));
        }
    }
    no_findings(
        &findings,
        "[lints] workspace = true in each member; each lint in the root Cargo.toml with its reason",
    );
}
