//! What a revision changes against the one before it: computed from both structures, beside what it declares.
//!
//! Deliberately not here: pairing sections (`pincite_core::registry`).

use super::histories::KeptSection;
use pincite_core::registry::Revision;
use pincite_core::structure::{Locator, Structure};
use std::collections::{BTreeMap, BTreeSet};

/// What a revision says of its sections.
#[derive(Debug)]
pub(crate) struct Computed {
    /// In the document's order, under keys that go on from the revision before.
    pub(crate) sections: Vec<KeptSection>,
    /// The keys of those whose own text is another, that are new, or that are gone.
    pub(crate) changed: BTreeSet<String>,
}

/// The sections of a structure, with the keys of the revision before it where they are the same sections.
pub(crate) fn compute(before: Option<&Revision>, structure: &Structure) -> Computed {
    let sections: Vec<KeptSection> = structure
        .sections
        .iter()
        .map(|section| KeptSection {
            section_key: section.section_key.clone(),
            locator: section.locator.to_string(),
            title: section.title.clone(),
            own_sha256: section.own_sha256.clone(),
            content_sha256: section.content_sha256.clone(),
        })
        .collect();
    let Some(before) = before else {
        return Computed {
            sections,
            changed: BTreeSet::new(),
        };
    };
    let own = |key: &str, sections: &BTreeMap<&str, &str>| sections.get(key).map(|own| (*own).to_owned());
    let earlier: BTreeMap<&str, &str> = before
        .sections
        .iter()
        .map(|section| (section.section_key.as_str(), section.own_sha256.as_str()))
        .collect();
    let later: BTreeMap<&str, &str> = sections
        .iter()
        .map(|section| (section.section_key.as_str(), section.own_sha256.as_str()))
        .collect();
    let changed = earlier
        .keys()
        .chain(later.keys())
        .filter(|key| own(key, &earlier) != own(key, &later))
        .map(|key| (*key).to_owned())
        .collect();
    Computed { sections, changed }
}

/// The keys of sections that somebody declares changed: by key, or as this revision, or else the one before, labels them. A name
/// that neither has stays as it is: it is declared and found nowhere.
pub(crate) fn declared_keys(declared: &[String], sections: &[KeptSection], before: Option<&Revision>) -> BTreeSet<String> {
    let known = |name: &String| {
        let by_key = sections.iter().find(|section| section.section_key == *name);
        let locator = Locator::parse(name).ok();
        let labelled = |locator: &Locator| {
            let bare = locator.without_keywords();
            let parsed = |section: &KeptSection| Locator::parse(&section.locator).ok();
            let found = sections.iter().find(|section| parsed(section).as_ref() == Some(locator));
            let loose = sections
                .iter()
                .find(|section| parsed(section).is_some_and(|known| known.without_keywords().same_place(&bare)));
            found.or(loose).map(|section| section.section_key.clone())
        };
        by_key
            .map(|section| section.section_key.clone())
            .or_else(|| locator.as_ref().and_then(labelled))
            .or_else(|| super::histories::labelled(before?, locator.as_ref()?))
            .unwrap_or_else(|| name.clone())
    };
    declared.iter().map(known).collect()
}
