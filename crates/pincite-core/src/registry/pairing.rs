//! Which section of one revision is which of the next: one to one, whatever was renumbered, moved or changed.
//!
//! Surest first; each step pairs only what no step before has paired:
//!
//! 1. the same locator and the same own words below the same parent;
//! 2. the same own words, where neither side has them twice: moved, renumbered;
//! 3. the same locator and the same title, below the same parent or below one of which nothing is known: changed;
//! 4. the same own words, several times: below the same parent first, then in order;
//! 5. the same title, once on either side, below parents as in 3 or with some of the words;
//! 6. like words: renumbered and changed at once. The likest first;
//! 7. clauses without a title: the same locator below the same parent.
//!
//! What is left was removed, or added. Deliberately not here: what became of a pair (`difference`).

use super::sides::{OwnText, Side, likeness, own_texts, same_words};
use crate::structure::Section;
use std::collections::{BTreeMap, BTreeSet};

/// Texts that share so much are one section, changed. (Dice's coefficient over their words.)
const ALIKE: f64 = 0.6;
/// The same, where the locator agrees too.
const ALIKE_IN_PLACE: f64 = 0.4;
/// The same, where the title agrees.
const ALIKE_UNDER_TITLE: f64 = 0.3;
/// So few words say nothing by being alike.
const FEW_WORDS: usize = 4;
/// A word in more sections than these finds no candidates by itself: "the" would find all.
const COMMON: usize = 40;

/// Sections of two structures, one to one. Indices are those of `Structure::sections`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pairing {
    /// For each section before, the one it is after.
    pub after_of: Vec<Option<usize>>,
    /// For each section after, the one it was before.
    pub before_of: Vec<Option<usize>>,
}

impl Pairing {
    /// The pairs, in the order of the sections before.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.after_of
            .iter()
            .enumerate()
            .filter_map(|(before, after)| Some((before, (*after)?)))
    }
}

/// Pairs the sections of two revisions. Near linear in the text: only texts that share a seldom word are compared.
#[must_use]
pub fn pair(before: &Side<'_>, after: &Side<'_>) -> Pairing {
    let (one, other) = (own_texts(before), own_texts(after));
    pair_texts(before, &one, after, &other)
}

pub(super) fn pair_texts(before: &Side<'_>, one: &[OwnText], after: &Side<'_>, other: &[OwnText]) -> Pairing {
    let mut pairs = Pairs {
        before: &before.structure.sections,
        after: &after.structure.sections,
        one,
        other,
        made: Pairing {
            after_of: vec![None; one.len()],
            before_of: vec![None; other.len()],
        },
    };
    let located = |section: &Section, _: &OwnText| Some(section.locator.to_string());
    let worded = |_: &Section, text: &OwnText| (!text.bag.is_empty()).then(|| text.joined.clone());
    let told = |section: &Section, text: &OwnText| {
        let tells = !text.title.is_empty() || text.bag.len() >= FEW_WORDS;
        worded(section, text).filter(|_| tells)
    };
    let titled = |_: &Section, text: &OwnText| (!text.title.is_empty()).then(|| text.title.clone());
    pairs.once(located, |pairs, before, after| {
        pairs.same_words(before, after) && pairs.below_the_same(before, after)
    });
    pairs.once(told, |_, _, _| true);
    pairs.once(located, |pairs, before, after| {
        pairs.same_title(before, after) && (pairs.below_the_same(before, after) || pairs.below_new(before, after))
    });
    pairs.repeated(worded);
    pairs.once(titled, |pairs, before, after| {
        pairs.below_the_same(before, after)
            || pairs.below_new(before, after)
            || pairs.likeness(before, after) >= ALIKE_UNDER_TITLE
    });
    pairs.alike();
    pairs.once(located, |pairs, before, after| {
        pairs.untitled(before, after) && pairs.below_the_same(before, after)
    });
    pairs.made
}

struct Pairs<'a> {
    before: &'a [Section],
    after: &'a [Section],
    one: &'a [OwnText],
    other: &'a [OwnText],
    made: Pairing,
}

impl Pairs<'_> {
    fn make(&mut self, before: usize, after: usize) {
        if let (Some(slot @ None), Some(back @ None)) =
            (self.made.after_of.get_mut(before), self.made.before_of.get_mut(after))
        {
            *slot = Some(after);
            *back = Some(before);
        }
    }

    fn free_before(&self) -> Vec<usize> {
        let free = self.made.after_of.iter().enumerate();
        free.filter(|(_, after)| after.is_none())
            .map(|(index, _)| index)
            .collect()
    }

    fn free_after(&self) -> Vec<usize> {
        let free = self.made.before_of.iter().enumerate();
        free.filter(|(_, before)| before.is_none())
            .map(|(index, _)| index)
            .collect()
    }

    /// Free sections of either side by what `key` makes of them, for what both have.
    fn by_key(&self, key: impl Fn(&Section, &OwnText) -> Option<String>) -> BTreeMap<String, (Vec<usize>, Vec<usize>)> {
        let mut found: BTreeMap<String, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
        for index in self.free_before() {
            let key = self
                .before
                .get(index)
                .zip(self.one.get(index))
                .and_then(|(section, text)| key(section, text));
            if let Some(key) = key {
                found.entry(key).or_default().0.push(index);
            }
        }
        for index in self.free_after() {
            let key = self
                .after
                .get(index)
                .zip(self.other.get(index))
                .and_then(|(section, text)| key(section, text));
            if let Some(both) = key.and_then(|key| found.get_mut(&key)) {
                both.1.push(index);
            }
        }
        found
    }

    /// Pairs what has one key on both sides, once on either, in the order of the document, where `fits` says so. Parents are
    /// paired before their sections are looked at.
    fn once(&mut self, key: impl Fn(&Section, &OwnText) -> Option<String>, fits: impl Fn(&Self, usize, usize) -> bool) {
        let mut found: Vec<(usize, usize)> = self
            .by_key(key)
            .into_values()
            .filter_map(|both| match (both.0.as_slice(), both.1.as_slice()) {
                ([before], [after]) => Some((*before, *after)),
                _ => None,
            })
            .collect();
        found.sort_unstable();
        for (before, after) in found {
            if fits(self, before, after) {
                self.make(before, after);
            }
        }
    }

    /// Pairs what has one key several times: below one parent first, then in order.
    fn repeated(&mut self, key: impl Fn(&Section, &OwnText) -> Option<String>) {
        let mut groups: Vec<(Vec<usize>, Vec<usize>)> = self
            .by_key(key)
            .into_values()
            .filter(|(_, after)| !after.is_empty())
            .collect();
        groups.sort_unstable();
        for (before, after) in groups {
            // By the parent that a section before has after, and by the one it has after.
            let mut below: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
            for index in after.iter().rev() {
                let parent = self.after.get(*index).and_then(|section| section.parent);
                below.entry(parent).or_default().push(*index);
            }
            for index in &before {
                let parent = self.before.get(*index).and_then(|section| section.parent);
                let Some(parent) = self.parent_after(parent) else {
                    continue;
                };
                if let Some(after) = below.get_mut(&parent).and_then(Vec::pop) {
                    self.make(*index, after);
                }
            }
            let rest = |indices: &[usize], made: &[Option<usize>]| -> Vec<usize> {
                let free = indices.iter().copied();
                free.filter(|index| made.get(*index) == Some(&None)).collect()
            };
            let (before, after) = (rest(&before, &self.made.after_of), rest(&after, &self.made.before_of));
            for (before, after) in before.into_iter().zip(after) {
                self.make(before, after);
            }
        }
    }

    /// What a parent before is after: `None` where it is nothing.
    fn parent_after(&self, parent: Option<usize>) -> Option<Option<usize>> {
        match parent {
            None => Some(None),
            Some(parent) => self.made.after_of.get(parent).copied().flatten().map(Some),
        }
    }

    /// Pairs texts with like words, the likest first.
    fn alike(&mut self) {
        let mut with_word: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for index in self.free_after() {
            let mut words = self.other.get(index).map(|text| text.bag.clone()).unwrap_or_default();
            words.dedup();
            for word in words {
                with_word.entry(word).or_default().push(index);
            }
        }
        let mut candidates: Vec<(f64, bool, usize, usize, usize)> = Vec::new();
        for before in self.free_before() {
            let words = self.one.get(before).map(|text| text.bag.as_slice()).unwrap_or_default();
            let near: BTreeSet<usize> = words
                .iter()
                .filter_map(|word| with_word.get(word))
                .filter(|sections| sections.len() <= COMMON)
                .flatten()
                .copied()
                .collect();
            for after in near {
                let likeness = self.likeness(before, after);
                let in_place = self.same_place(before, after);
                if likeness >= if in_place { ALIKE_IN_PLACE } else { ALIKE }
                    && self.tell_enough(before, after, in_place)
                {
                    candidates.push((likeness, in_place, before.abs_diff(after), before, after));
                }
            }
        }
        candidates.sort_by(|one, other| {
            let worse = other.0.total_cmp(&one.0).then(other.1.cmp(&one.1));
            worse.then((one.2, one.3, one.4).cmp(&(other.2, other.3, other.4)))
        });
        for (_, _, _, before, after) in candidates {
            self.make(before, after);
        }
    }

    fn tell_enough(&self, before: usize, after: usize, in_place: bool) -> bool {
        let words = |texts: &[OwnText], index: usize| texts.get(index).map_or(0, |text| text.bag.len());
        in_place || words(self.one, before).min(words(self.other, after)) >= FEW_WORDS
    }

    fn texts(&self, before: usize, after: usize) -> Option<(&OwnText, &OwnText)> {
        self.one.get(before).zip(self.other.get(after))
    }

    fn likeness(&self, before: usize, after: usize) -> f64 {
        self.texts(before, after)
            .map_or(0.0, |(one, other)| likeness(one, other))
    }

    fn same_words(&self, before: usize, after: usize) -> bool {
        self.texts(before, after)
            .is_some_and(|(one, other)| same_words(one, other))
    }

    fn same_title(&self, before: usize, after: usize) -> bool {
        self.texts(before, after)
            .is_some_and(|(one, other)| !one.title.is_empty() && one.title == other.title)
    }

    fn untitled(&self, before: usize, after: usize) -> bool {
        self.texts(before, after)
            .is_some_and(|(one, other)| one.title.is_empty() && other.title.is_empty())
    }

    fn same_place(&self, before: usize, after: usize) -> bool {
        let sections = self.before.get(before).zip(self.after.get(after));
        sections.is_some_and(|(one, other)| one.locator == other.locator)
    }

    /// Whether nothing contradicts that the parent of one took the place of the other's: each is at the top, or below a section
    /// that is not paired; but not both at the top.
    fn below_new(&self, before: usize, after: usize) -> bool {
        let unknown =
            |parent: Option<usize>, made: &[Option<usize>]| parent.is_none_or(|parent| made.get(parent) == Some(&None));
        let sections = self.before.get(before).zip(self.after.get(after));
        sections.is_some_and(|(one, other)| {
            (one.parent.is_some() || other.parent.is_some())
                && unknown(one.parent, &self.made.after_of)
                && unknown(other.parent, &self.made.before_of)
        })
    }

    fn below_the_same(&self, before: usize, after: usize) -> bool {
        let sections = self.before.get(before).zip(self.after.get(after));
        sections.is_some_and(|(one, other)| self.parent_after(one.parent) == Some(other.parent))
    }
}
