//! Whether the lines of a manifest fit together and to what is registered; and the order of the revisions that name none.
//!
//! Deliberately not here: reading the lines (`manifest`), the store.

use super::manifest::{Entry, Finding};
use super::scope::Scope;
use std::collections::{BTreeMap, BTreeSet};

/// A revision that is registered already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registered {
    /// Its name.
    pub revision: String,
    /// Its place in the order.
    pub seq: i64,
    /// From when on it was known, milliseconds since 1970 UTC.
    pub recorded_at: i64,
    /// The team that answers for it.
    pub owner: String,
}

/// What becomes of a manifest's lines.
#[derive(Debug, Default)]
pub struct Checked {
    /// To be registered, each with its place in the order, by document and that.
    pub kept: Vec<(i64, Entry)>,
    /// Not to be: they contradict one another, or what is registered.
    pub refused: Vec<Finding>,
    /// Kept, but somebody should look.
    pub flagged: Vec<Finding>,
    /// Of documents that the scope leaves out.
    pub left_out: Vec<Finding>,
}

fn finding(entry: &Entry, message: String) -> Finding {
    Finding {
        line: entry.line,
        name: format!("{} {}", entry.doc_id, entry.revision),
        message,
    }
}

/// Checks the lines of a manifest; `now` is what a line without a time was recorded at.
#[must_use]
pub fn check(entries: Vec<Entry>, known: &BTreeMap<String, Vec<Registered>>, scope: &Scope, now: i64) -> Checked {
    let mut checked = Checked::default();
    let mut documents: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for entry in entries {
        let folder = entry.file.as_deref().unwrap_or_default();
        if scope.holds(folder, &entry.owner, &entry.class) {
            documents.entry(entry.doc_id.clone()).or_default().push(entry);
        } else {
            let left_out = finding(&entry, format!("the scope leaves it out ({})", scope.words()));
            checked.left_out.push(left_out);
        }
    }
    for (doc_id, entries) in documents {
        let registered = known.get(&doc_id).map(Vec::as_slice).unwrap_or_default();
        document(entries, registered, now, &mut checked);
    }
    let by_line = |findings: &mut Vec<Finding>| findings.sort_by_key(|finding| finding.line);
    by_line(&mut checked.refused);
    by_line(&mut checked.flagged);
    by_line(&mut checked.left_out);
    checked
}

fn document(entries: Vec<Entry>, registered: &[Registered], now: i64, checked: &mut Checked) {
    let entries = without_false_links(entries, registered, checked);
    let entries = without_cycles(entries, checked);
    let mut taken: BTreeMap<i64, String> = registered
        .iter()
        .map(|one| (one.seq, format!("the registered revision {}", one.revision)))
        .collect();
    let mut ordered = Vec::new();
    for entry in in_order(entries) {
        let seq = entry
            .seq
            .unwrap_or_else(|| taken.last_key_value().map_or(1, |(last, _)| last + 1));
        if let Some(other) = taken.get(&seq) {
            let refused = finding(&entry, format!("seq {seq} is taken by {other}: give each its own"));
            checked.refused.push(refused);
            continue;
        }
        let _ = taken.insert(seq, format!("the revision {} of line {}", entry.revision, entry.line));
        ordered.push((seq, entry));
    }
    ordered.sort_by_key(|(seq, _)| *seq);
    let mut before: Vec<(i64, String, i64)> = registered
        .iter()
        .map(|one| (one.seq, one.revision.clone(), one.recorded_at))
        .collect();
    let mut owner = registered.last().map(|one| one.owner.clone());
    for (seq, entry) in ordered {
        let recorded_at = entry.recorded_at.unwrap_or(now);
        if recorded_at > now {
            let refused = finding(
                &entry,
                "recorded_at is in the future: nobody can have known it then".into(),
            );
            checked.refused.push(refused);
            continue;
        }
        let earlier = before
            .iter()
            .filter(|(other, ..)| *other < seq)
            .max_by_key(|(other, ..)| *other);
        let later = before
            .iter()
            .filter(|(other, ..)| *other > seq)
            .min_by_key(|(other, ..)| *other);
        if let Some((_, name, _)) = earlier.filter(|(.., at)| *at > recorded_at) {
            let message = format!("it was recorded before its predecessor {name}: look at recorded_at and seq of both");
            checked.refused.push(finding(&entry, message));
            continue;
        }
        if let Some((_, name, _)) = later.filter(|(.., at)| *at < recorded_at) {
            let message = format!("it was recorded after its successor {name}: look at recorded_at and seq of both");
            checked.refused.push(finding(&entry, message));
            continue;
        }
        if let Some(owner) = owner.as_deref().filter(|owner| *owner != entry.owner) {
            let message = format!(
                "it names the owner {:?}, and the revision before it {owner:?}: a document has one owner; it is registered as it says",
                entry.owner
            );
            checked.flagged.push(finding(&entry, message));
        }
        owner = Some(entry.owner.clone());
        before.push((seq, entry.revision.clone(), recorded_at));
        checked.kept.push((seq, entry));
    }
}

/// Leaves out what supersedes a revision that is nowhere.
fn without_false_links(entries: Vec<Entry>, registered: &[Registered], checked: &mut Checked) -> Vec<Entry> {
    let names: BTreeSet<String> = entries
        .iter()
        .map(|entry| entry.revision.clone())
        .chain(registered.iter().map(|one| one.revision.clone()))
        .collect();
    let (good, wrong): (Vec<Entry>, Vec<Entry>) = entries
        .into_iter()
        .partition(|entry| entry.supersedes.as_ref().is_none_or(|name| names.contains(name)));
    checked.refused.extend(wrong.iter().map(|entry| {
        let name = entry.supersedes.as_deref().unwrap_or_default();
        finding(
            entry,
            format!("it supersedes {name:?}, and there is no such revision of this document"),
        )
    }));
    good
}

/// Leaves out the revisions that supersede one another in a circle.
fn without_cycles(entries: Vec<Entry>, checked: &mut Checked) -> Vec<Entry> {
    let links: BTreeMap<&str, &str> = entries
        .iter()
        .filter_map(|entry| Some((entry.revision.as_str(), entry.supersedes.as_deref()?)))
        .collect();
    let in_circle = |from: &str| {
        let mut at = from;
        for _ in 0..=links.len() {
            match links.get(at) {
                Some(next) if *next == from => return true,
                Some(next) => at = next,
                None => return false,
            }
        }
        false
    };
    let circle: BTreeSet<String> = links
        .keys()
        .filter(|name| in_circle(name))
        .map(|name| (*name).to_owned())
        .collect();
    let (wrong, good): (Vec<Entry>, Vec<Entry>) =
        entries.into_iter().partition(|entry| circle.contains(&entry.revision));
    checked.refused.extend(wrong.iter().map(|entry| {
        let name = entry.supersedes.as_deref().unwrap_or_default();
        finding(
            entry,
            format!("it supersedes {name}, which supersedes it in turn: a circle has no order"),
        )
    }));
    good
}

/// What is superseded before what supersedes it, else as the lines stand.
fn in_order(entries: Vec<Entry>) -> Vec<Entry> {
    let mut waiting = entries;
    let mut ordered: Vec<Entry> = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let free = waiting.iter().position(|entry| {
            entry
                .supersedes
                .as_ref()
                .is_none_or(|name| !waiting.iter().any(|other| other.revision == *name))
        });
        // Without circles there is always one.
        ordered.push(waiting.remove(free.unwrap_or(0)));
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::manifest::{Form, read};

    const NOW: i64 = 1_800_000_000_000;

    fn checked(lines: &str, known: &[(&str, Registered)], scope: &Scope) -> Checked {
        let csv = format!("doc_id,revision,seq,file,recorded_at,owner,class,supersedes\n{lines}");
        let read = read(&csv, Form::Csv).unwrap_or_default();
        assert!(read.refused.is_empty(), "{:?}", read.refused);
        let mut registered: BTreeMap<String, Vec<Registered>> = BTreeMap::new();
        for (doc_id, one) in known {
            registered.entry((*doc_id).to_owned()).or_default().push(one.clone());
        }
        check(read.entries, &registered, scope, NOW)
    }

    fn kept(checked: &Checked) -> Vec<(i64, &str)> {
        checked
            .kept
            .iter()
            .map(|(seq, entry)| (*seq, entry.revision.as_str()))
            .collect()
    }

    fn lines(findings: &[Finding]) -> Vec<usize> {
        findings.iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn a_circle_is_refused_and_the_rest_is_kept_in_its_order() {
        let checked = checked(
            "a,C,,c,,o,d,B\na,A,,a,,o,d,\na,B,,b,,o,d,A\nb,X,,x,,o,d,Y\nb,Y,,y,,o,d,Z\nb,Z,,z,,o,d,X\nb,W,,w,,o,d,\nb,V,,v,,o,d,N\n",
            &[],
            &Scope::default(),
        );
        assert_eq!(kept(&checked), [(1, "A"), (2, "B"), (3, "C"), (1, "W")]);
        assert_eq!(lines(&checked.refused), [5, 6, 7, 9]);
        assert!(
            checked
                .refused
                .iter()
                .take(3)
                .all(|finding| finding.message.contains("circle"))
        );
    }

    #[test]
    fn an_order_that_is_taken_or_runs_against_time_is_refused() {
        let registered = Registered {
            revision: "A".into(),
            seq: 3,
            recorded_at: 1_700_000_000_000,
            owner: "o".into(),
        };
        let checked = checked(
            "a,B,3,b,,o,d,\na,C,4,c,2020-01-01,o,d,\na,D,5,d,2024-01-01,o,d,\na,E,5,e,2024-02-01,o,d,\na,F,,f,2124-01-01,o,d,\na,G,1,g,2025-01-01,o,d,\n",
            &[("a", registered)],
            &Scope::default(),
        );
        assert_eq!(kept(&checked), [(5, "D")]);
        assert_eq!(lines(&checked.refused), [2, 3, 5, 6, 7]);
        let says = |at: usize, word: &str| {
            assert!(
                checked.refused.get(at).is_some_and(|one| one.message.contains(word)),
                "{word}: {checked:?}"
            );
        };
        says(0, "seq 3 is taken by the registered revision A");
        says(1, "before its predecessor A");
        says(2, "seq 5 is taken by the revision D of line 4");
        says(3, "future");
        says(4, "after its successor A");
    }

    #[test]
    fn two_owners_are_flagged_and_what_is_out_of_scope_is_listed() {
        let scope = Scope {
            classes: vec!["documentation".into()],
            ..Scope::default()
        };
        let checked = checked(
            "a,A,,a,,Travel,documentation,\na,B,,b,,Finance,documentation,\nm,1,,minutes/m.txt,,Travel,minutes,\n",
            &[],
            &scope,
        );
        assert_eq!(kept(&checked), [(1, "A"), (2, "B")]);
        assert_eq!(lines(&checked.flagged), [3]);
        assert_eq!(lines(&checked.left_out), [4]);
        assert!(
            checked
                .left_out
                .iter()
                .all(|one| one.name == "m 1" && one.message.contains("documentation"))
        );
    }
}
