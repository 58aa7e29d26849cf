//! What the registry keeps of a later revision's sections: keys that survive renumbering, hashes that compare, and which
//! sections' declared and computed changes differ.
//!
//! Deliberately not here: finding the changes (`difference`).

use super::difference::{Difference, SectionChange};
use super::history::SectionVersion;
use super::pairing::Pairing;
use super::sides::{Side, own_texts};
use crate::structure::Section;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The keys of a later revision's sections. A paired section keeps its key. A new one gets its structure's key, or that with
/// the first free number where any revision of the document ever had it: a key is never given to another section.
///
/// `before_keys` are the registry's keys of the sections before, in order; `used` all keys that any revision of the document
/// ever had. `came_back` says for an index after which used key it takes up again, where the caller knows that it is that
/// section ([`came_back`]).
#[must_use]
pub fn keys_carried(
    before_keys: &[String],
    pairing: &Pairing,
    after: &[Section],
    used: &BTreeSet<String>,
    came_back: &BTreeMap<usize, String>,
) -> Vec<String> {
    let mut taken: BTreeSet<&str> = used.iter().chain(before_keys).map(String::as_str).collect();
    taken.extend(came_back.values().map(String::as_str));
    let mut taken: BTreeSet<String> = taken.into_iter().map(str::to_owned).collect();
    after
        .iter()
        .enumerate()
        .map(|(index, section)| {
            let kept = pairing
                .before_of
                .get(index)
                .copied()
                .flatten()
                .and_then(|before| before_keys.get(before));
            if let Some(key) = kept.or_else(|| came_back.get(&index)) {
                return key.clone();
            }
            let mut key = section.section_key.clone();
            let mut number = 2_u64;
            while !taken.insert(key.clone()) {
                key = format!("{}-{number}", section.section_key);
                number += 1;
            }
            key
        })
        .collect()
}

/// Sections that an earlier revision had and the one before has no longer, and that are back: the sections after that are
/// new, with content that exactly one lost key had, and no other new section has. `lost` are those versions.
#[must_use]
pub fn came_back(
    difference: &Difference,
    after: &[SectionVersion],
    lost: &[SectionVersion],
) -> BTreeMap<usize, String> {
    let mut known: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for version in lost {
        known
            .entry(&version.content_sha256)
            .or_default()
            .insert(&version.section_key);
    }
    let new = difference
        .pairing
        .before_of
        .iter()
        .enumerate()
        .filter(|(_, before)| before.is_none());
    let new: Vec<(usize, &SectionVersion)> = new.filter_map(|(index, _)| Some((index, after.get(index)?))).collect();
    let mut back: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, version) in &new {
        if let Some(keys) = known.get(version.content_sha256.as_str())
            && let [key] = keys.iter().copied().collect::<Vec<&str>>().as_slice()
        {
            back.entry(key).or_default().push(*index);
        }
    }
    back.into_iter()
        .filter_map(|(key, indices)| match indices.as_slice() {
            [index] => Some((*index, key.to_owned())),
            _ => None,
        })
        .collect()
}

/// The section versions of a document's first revision: hashes of the words that a diff compares, so that what is no change
/// to it is none to the gate. `keys` are the sections' keys, in order.
#[must_use]
pub fn first_versions(side: &Side<'_>, keys: &[String]) -> Arc<[SectionVersion]> {
    let own: Vec<String> = own_texts(side).iter().map(|text| hash(&text.joined)).collect();
    versions(&side.structure.sections, keys, own)
}

/// The section versions of a later revision: an unchanged section keeps the hash it had, so that a line broken elsewhere
/// never makes it another. `before` are the versions of the revision compared with, in order.
#[must_use]
pub fn later_versions(
    side: &Side<'_>,
    keys: &[String],
    difference: &Difference,
    before: &[SectionVersion],
) -> Arc<[SectionVersion]> {
    let kept: BTreeMap<usize, &str> = difference
        .unchanged()
        .filter_map(|(old, new)| Some((new, before.get(old)?.own_sha256.as_str())))
        .collect();
    let own = (0..side.structure.sections.len())
        .map(|index| match kept.get(&index) {
            Some(kept) => (*kept).to_owned(),
            None => hash(difference.own_words(index)),
        })
        .collect();
    versions(&side.structure.sections, keys, own)
}

/// All of it at once: the versions of a revision's sections, given those of the revision it was compared with and of all
/// earlier ones, in order of their seq (that one may be among them). Paired sections keep their keys, unchanged ones their
/// hashes, and what comes back word for word after a time takes up its key again.
#[must_use]
pub fn carried_versions<'a>(
    side: &Side<'_>,
    difference: &Difference,
    before: &'a [SectionVersion],
    earlier: impl IntoIterator<Item = &'a [SectionVersion]>,
) -> Arc<[SectionVersion]> {
    let mut last: BTreeMap<String, SectionVersion> = BTreeMap::new();
    for version in earlier.into_iter().flatten().chain(before) {
        last.insert(version.section_key.clone(), version.clone());
    }
    let used: BTreeSet<String> = last.keys().cloned().collect();
    for version in before {
        last.remove(&version.section_key);
    }
    let lost: Vec<SectionVersion> = last.into_values().collect();
    let before_keys: Vec<String> = before.iter().map(|version| version.section_key.clone()).collect();
    let back = came_back(difference, &later_versions(side, &[], difference, before), &lost);
    let sections = &side.structure.sections;
    let keys = keys_carried(&before_keys, &difference.pairing, sections, &used, &back);
    later_versions(side, &keys, difference, before)
}

fn hash(words: &str) -> String {
    crate::sha256_hex(words.as_bytes())
}

/// A section's content is its own hash and the contents of those in it, in order.
fn versions(sections: &[Section], keys: &[String], own: Vec<String>) -> Arc<[SectionVersion]> {
    let mut below: Vec<Vec<String>> = vec![Vec::new(); sections.len()];
    let mut contents = vec![String::new(); sections.len()];
    // A section comes before its descendants, so from the end each one's are there.
    for (index, section) in sections.iter().enumerate().rev() {
        let mut parts = below.get_mut(index).map(std::mem::take).unwrap_or_default();
        let mut content = own.get(index).cloned().unwrap_or_default();
        if !parts.is_empty() {
            parts.push(content);
            parts.reverse();
            content = hash(&parts.join("\n"));
        }
        if let Some(above) = section.parent.and_then(|parent| below.get_mut(parent)) {
            above.push(content.clone());
        }
        if let Some(slot) = contents.get_mut(index) {
            *slot = content;
        }
    }
    sections
        .iter()
        .zip(own)
        .zip(contents)
        .enumerate()
        .map(|(index, ((section, own_sha256), content_sha256))| SectionVersion {
            section_key: keys.get(index).unwrap_or(&section.section_key).clone(),
            locator: section.locator.to_string(),
            title: section.title.clone(),
            own_sha256,
            content_sha256,
        })
        .collect()
}

/// Where what a revision declares and what was computed differ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Differing {
    /// Keys that are declared, where nothing was found changed.
    pub only_declared: BTreeSet<String>,
    /// Keys of the sections that were found changed, and that no declaration covers.
    pub only_computed: BTreeSet<String>,
    /// All of them with the sections that hold them: what the gate treats as changed until somebody settles it.
    pub all: BTreeSet<String>,
}

/// The sections whose declared and computed changes differ.
///
/// `declared` are the keys that the revision says it changed; `before_keys` and `after_keys` the registry's keys, in order. A
/// section in a declared one counts as declared, and one that holds a changed section as changed; moving and renumbering need
/// no declaration.
#[must_use]
pub fn differing(
    declared: &BTreeSet<String>,
    changes: &[SectionChange],
    before: (&[Section], &[String]),
    after: (&[Section], &[String]),
) -> Differing {
    let line = |side: (&[Section], &[String]), index: usize| -> Vec<String> {
        let mut line = Vec::new();
        let mut at = Some(index);
        while let Some(index) = at {
            line.extend(side.1.get(index).cloned());
            at = side
                .0
                .get(index)
                .and_then(|section| section.parent)
                .filter(|parent| *parent < index);
        }
        line
    };
    let lines = |change: &SectionChange| {
        let mut lines = change.before.map(|index| line(before, index)).unwrap_or_default();
        lines.extend(change.after.map(|index| line(after, index)).unwrap_or_default());
        lines
    };
    let mut differing = Differing::default();
    let mut changed = BTreeSet::new();
    for change in changes {
        let lines = lines(change);
        if change.change.is_of_text() && !lines.iter().any(|key| declared.contains(key)) {
            let own = |side: (&[Section], &[String]), index: Option<usize>| side.1.get(index?).cloned();
            differing
                .only_computed
                .extend(own(after, change.after).or_else(|| own(before, change.before)));
            differing.all.extend(lines.iter().cloned());
        }
        if change.change.is_of_text() {
            changed.extend(lines);
        } else {
            // Said to have changed, and it moved: no contradiction.
            changed.extend(lines.into_iter().next());
        }
    }
    for key in declared.difference(&changed) {
        differing.only_declared.insert(key.clone());
        differing.all.insert(key.clone());
        let index = after.1.iter().position(|one| one == key);
        differing
            .all
            .extend(index.map(|index| line(after, index)).unwrap_or_default());
    }
    differing
}
