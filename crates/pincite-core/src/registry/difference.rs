//! The section diff: what became of each section from one revision to the next.
//!
//! A section has changed when its **own** words have: a change in 2.1(a) lists 2.1(a), not 2.1. Changes of marks, white space,
//! line breaks and typography are none. A moved or renumbered section is neither removed nor new. Where nothing but running
//! heads, page numbers or print stamps differ, that is said apart. What stood on a page that has no text now is lost, which is
//! a finding about the file, and no removal.
//!
//! Deliberately not here: which sections are paired (`pairing`), which words changed (`words`), the versions and keys that the
//! registry keeps of them (`carrying`).

use super::pairing::{Pairing, pair_texts};
use super::sides::{OwnText, Side, own_texts, same_words};
use super::words::{Piece, edits, section_pieces, sentence, tokens};
use crate::structure::Section;
use crate::text::{CharSpan, match_fold};
use similar::DiffOp;
use std::collections::{BTreeMap, BTreeSet};

/// What became of a section. Of several the first in this order is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Change {
    /// It is there after and was not before.
    Added,
    /// It was there before and is not after.
    Removed,
    /// All or some of it stood where one of the two files has pages without text: nobody can say what became of it.
    TextLost,
    /// Its own words changed.
    Changed,
    /// Its own words are the same, and it stands elsewhere: in another section, or past one of its neighbours. One that is no
    /// section any longer is in the words of the section after, which has changed; the two are no pair.
    Moved,
    /// Its own words and its place are the same, and its locator is another.
    Renumbered,
    /// Nothing but running heads, page numbers or print stamps in it differ.
    Furniture,
}

impl Change {
    /// As it is kept and printed.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::TextLost => "text_lost",
            Self::Changed => "changed",
            Self::Moved => "moved",
            Self::Renumbered => "renumbered",
            Self::Furniture => "furniture",
        }
    }

    /// Whether the section says something else than before, or may.
    #[must_use]
    pub const fn is_of_text(self) -> bool {
        matches!(self, Self::Added | Self::Removed | Self::TextLost | Self::Changed)
    }
}

/// What became of one section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionChange {
    /// Its key as the structure before has it, or the one after where it is new. The registry's own keys go by the indices.
    pub section_key: String,
    /// What.
    pub change: Change,
    /// Its index among the sections before.
    pub before: Option<usize>,
    /// Its index among the sections after.
    pub after: Option<usize>,
    /// Whether it stands elsewhere, whatever else changed.
    pub moved: bool,
    /// Whether its locator is another, whatever else changed.
    pub renumbered: bool,
}

/// Two revisions compared.
#[derive(Debug, Clone)]
pub struct Difference {
    /// Which section is which.
    pub pairing: Pairing,
    /// The sections of which anything changed, in the order of the document after; removed ones where they stood.
    pub changes: Vec<SectionChange>,
    /// Lines of furniture that only one of the two has, page numbers aside, folded; before and after.
    pub furniture: (BTreeSet<String>, BTreeSet<String>),
    /// Whether the words that are in no section (a cover, a text without sections) differ. No change of a section says so.
    pub outside_changed: bool,
    one: Vec<OwnText>,
    other: Vec<OwnText>,
}

/// What became of each section from one revision to the next; unchanged ones are not listed.
#[must_use]
pub fn diff(before: &Side<'_>, after: &Side<'_>) -> Vec<SectionChange> {
    compare(before, after).changes
}

/// Compares two revisions.
#[must_use]
pub fn compare(before: &Side<'_>, after: &Side<'_>) -> Difference {
    let (one, other) = (own_texts(before), own_texts(after));
    let pairing = pair_texts(before, &one, after, &other);
    let mut comparison = Comparison {
        before,
        after,
        moved: BTreeSet::new(),
        one: &one,
        other: &other,
        pairing: &pairing,
    };
    comparison.moved = comparison.find_moved();
    let changes = comparison.changes();
    let furniture = comparison.furniture();
    let outside_changed = !before_sections(before, after);
    Difference {
        pairing,
        changes,
        furniture,
        outside_changed,
        one,
        other,
    }
}

impl Difference {
    /// The pairs whose own words are the same: all that a change of text does not list.
    pub fn unchanged(&self) -> impl Iterator<Item = (usize, usize)> {
        let changed: BTreeSet<usize> = self
            .changes
            .iter()
            .filter(|change| change.change.is_of_text())
            .filter_map(|change| change.before)
            .collect();
        self.pairing
            .pairs()
            .filter(move |(before, _)| !changed.contains(before))
    }

    /// Which words of a pair changed, in the code points of the two layers. Empty for sections that are not there.
    #[must_use]
    pub fn words(&self, before: usize, after: usize) -> Vec<Piece> {
        let texts = self.one.get(before).zip(self.other.get(after));
        texts.map(|(one, other)| section_pieces(one, other)).unwrap_or_default()
    }

    /// The own words of the section at `after`, folded: what its hash is made of.
    pub(super) fn own_words(&self, after: usize) -> &str {
        self.other.get(after).map_or("", |text| text.joined.as_str())
    }
}

/// Whether the words outside of all sections are the same.
fn before_sections(before: &Side<'_>, after: &Side<'_>) -> bool {
    let outside = |side: &Side<'_>| {
        let mut skipped: Vec<CharSpan> = side.structure.sections.iter().map(|section| section.span).collect();
        skipped.extend([side.furniture, side.contents, side.markup].concat());
        crate::text::MatchFolded::without(side.layer.characters(), &skipped)
    };
    outside(before).equals(&outside(after))
}

/// The parents of a pair, before and after.
type Parents = (Option<usize>, Option<usize>);

struct Comparison<'a> {
    before: &'a Side<'a>,
    after: &'a Side<'a>,
    moved: BTreeSet<usize>,
    one: &'a [OwnText],
    other: &'a [OwnText],
    pairing: &'a Pairing,
}

impl Comparison<'_> {
    fn section_before(&self, index: usize) -> Option<&Section> {
        self.before.structure.sections.get(index)
    }

    fn section_after(&self, index: usize) -> Option<&Section> {
        self.after.structure.sections.get(index)
    }

    /// Indices after of the sections that stand elsewhere: below another parent, or out of the longest run of their siblings
    /// that kept its order. A parent that was lost, is new, or was replaced by another moves nobody.
    fn find_moved(&self) -> BTreeSet<usize> {
        let mut moved = BTreeSet::new();
        let mut siblings: BTreeMap<Parents, Vec<(usize, usize)>> = BTreeMap::new();
        for (before, after) in self.pairing.pairs() {
            let Some((one, other)) = self.section_before(before).zip(self.section_after(after)) else {
                continue;
            };
            let paired = |parent: usize| self.pairing.after_of.get(parent).copied().flatten();
            let known = |parent: usize| self.pairing.before_of.get(parent).copied().flatten();
            let stays = match (one.parent, other.parent) {
                (None, None) => true,
                (None, Some(now)) => known(now).is_none(),
                (Some(above), None) => paired(above).is_none(),
                (Some(above), Some(now)) => {
                    paired(above) == Some(now) || paired(above).is_none() && known(now).is_none()
                }
            };
            if stays {
                siblings
                    .entry((one.parent, other.parent))
                    .or_default()
                    .push((after, before));
            } else {
                moved.insert(after);
            }
        }
        for mut group in siblings.into_values() {
            group.sort_unstable();
            let order: Vec<usize> = group.iter().map(|(_, before)| *before).collect();
            let kept = longest_rising(&order);
            moved.extend(
                group
                    .iter()
                    .map(|(after, _)| *after)
                    .enumerate()
                    .filter(|(at, _)| !kept.contains(at))
                    .map(|(_, after)| after),
            );
        }
        moved
    }

    fn changes(&self) -> Vec<SectionChange> {
        let furniture = (
            section_furniture(self.before, &self.before.structure.sections),
            section_furniture(self.after, &self.after.structure.sections),
        );
        let mut changes: Vec<(usize, bool, SectionChange)> = Vec::new();
        let mut lost_words = String::new();
        let rewritten: Vec<usize> = (0..self.other.len())
            .filter(|after| {
                let before = self.pairing.before_of.get(*after).copied().flatten();
                before.is_none_or(|before| !self.same_words(before, *after))
            })
            .collect();
        for (before, section) in self.before.structure.sections.iter().enumerate() {
            if self.pairing.after_of.get(before) != Some(&None) {
                continue;
            }
            let (place, lost) = self.gap(before, true);
            if lost && let Some(text) = self.one.get(before) {
                lost_words.push_str(&format!(" {} ", text.joined));
            }
            let host = if lost { None } else { self.taken_up(before, &rewritten) };
            let change = match host {
                _ if lost => Change::TextLost,
                Some(_) => Change::Moved,
                None => Change::Removed,
            };
            let change = SectionChange {
                after: host,
                moved: host.is_some(),
                ..self.change(section, change, Some(before), None)
            };
            changes.push((place, false, change));
        }
        for (after, section) in self.after.structure.sections.iter().enumerate() {
            let Some(before) = self.pairing.before_of.get(after).copied().flatten() else {
                let lost = self.gap(after, false).1;
                let change = if lost { Change::TextLost } else { Change::Added };
                changes.push((after, true, self.change(section, change, None, Some(after))));
                continue;
            };
            let Some(was) = self.section_before(before) else {
                continue;
            };
            let change = if !self.same_words(before, after) {
                if self.words_lost(before, after, &lost_words) {
                    Change::TextLost
                } else {
                    Change::Changed
                }
            } else if self.moved.contains(&after) {
                Change::Moved
            } else if was.locator != section.locator {
                Change::Renumbered
            } else if differs(furniture.0.get(&before), furniture.1.get(&after)) {
                Change::Furniture
            } else {
                continue;
            };
            changes.push((after, true, self.change(was, change, Some(before), Some(after))));
        }
        changes.sort_by_key(|(place, there, change)| (*place, *there, change.before));
        changes.into_iter().map(|(.., change)| change).collect()
    }

    fn change(&self, section: &Section, change: Change, before: Option<usize>, after: Option<usize>) -> SectionChange {
        let both = before
            .and_then(|index| self.section_before(index))
            .zip(after.and_then(|index| self.section_after(index)));
        SectionChange {
            section_key: section.section_key.clone(),
            change,
            before,
            after,
            moved: after.is_some_and(|after| self.moved.contains(&after)),
            renumbered: both.is_some_and(|(one, other)| one.locator != other.locator),
        }
    }

    /// The section that took up all the words of one that is a section no longer, as one run.
    fn taken_up(&self, before: usize, rewritten: &[usize]) -> Option<usize> {
        /// Fewer words stand anywhere.
        const TELLING: usize = 8;
        let text = self.one.get(before).filter(|text| text.bag.len() >= TELLING)?;
        let words = format!(" {} ", text.joined);
        let holds = |after: &usize| {
            let other = self.other.get(*after);
            other.is_some_and(|other| format!(" {} ", other.joined).contains(&words))
        };
        rewritten.iter().copied().find(holds)
    }

    fn same_words(&self, before: usize, after: usize) -> bool {
        let hashed = self.section_before(before).zip(self.section_after(after));
        let texts = self.one.get(before).zip(self.other.get(after));
        hashed.is_some_and(|(one, other)| one.own_sha256 == other.own_sha256)
            || texts.is_some_and(|(one, other)| same_words(one, other))
    }

    /// For a section that only one side has: the index after at which it stood, and whether the other side has more
    /// pages without text than its own between its neighbours, which are the nearest sections that both sides have and that
    /// did not move.
    fn gap(&self, index: usize, gone: bool) -> (usize, bool) {
        let partner = |at: usize| {
            let (before, after) = if gone {
                (at, self.pairing.after_of.get(at).copied().flatten()?)
            } else {
                (self.pairing.before_of.get(at).copied().flatten()?, at)
            };
            (!self.moved.contains(&after)).then_some((before, after))
        };
        let count = if gone { self.one.len() } else { self.other.len() };
        let above = (0..index).rev().find_map(partner);
        let below = (index + 1..count).find_map(partner);
        let pages = |side: &Side<'_>, above: Option<usize>, below: Option<usize>| {
            let page = |index: usize| side.structure.sections.get(index).map(|section| section.page);
            let from = above.and_then(page).unwrap_or(1);
            let to = below.and_then(page).unwrap_or(u32::MAX);
            side.lost_pages
                .iter()
                .filter(|lost| from <= **lost && **lost <= to)
                .count()
        };
        let of_before = pages(
            self.before,
            above.map(|(before, _)| before),
            below.map(|(before, _)| before),
        );
        let of_after = pages(self.after, above.map(|(_, after)| after), below.map(|(_, after)| after));
        let lost = if gone {
            of_after > of_before
        } else {
            of_before > of_after
        };
        (above.map_or(0, |(_, after)| after + 1), lost)
    }

    /// Whether the words of a pair differ only by what stood on pages without text: on one side words are missing where that
    /// side has more such pages in the section than the other, and what it has besides is lost from elsewhere.
    fn words_lost(&self, before: usize, after: usize, lost_words: &str) -> bool {
        let pages = |side: &Side<'_>, section: Option<&Section>| {
            section.map_or(0, |section| {
                let last = side.layer.page_of(section.span.end());
                side.lost_pages
                    .iter()
                    .filter(|page| (section.page..=last).contains(page))
                    .count()
            })
        };
        let of_before = pages(self.before, self.section_before(before));
        let of_after = pages(self.after, self.section_after(after));
        if of_before == of_after {
            return false;
        }
        let Some((one, other)) = self.one.get(before).zip(self.other.get(after)) else {
            return false;
        };
        let (one, other) = (tokens(&one.folded), tokens(&other.folded));
        edits(&one, &other)
            .iter()
            .filter(|edit| !matches!(edit, DiffOp::Equal { .. }))
            .all(|edit| {
                let (_, old, new) = edit.as_tag_tuple();
                if of_after > of_before {
                    lost_words.contains(&sentence(other.get(new).unwrap_or_default()))
                } else {
                    old.is_empty()
                }
            })
    }

    /// Lines of furniture that only one side has.
    fn furniture(&self) -> (BTreeSet<String>, BTreeSet<String>) {
        let lines = |side: &Side<'_>| -> BTreeSet<String> {
            side.furniture
                .iter()
                .map(|span| furniture_line(side, *span))
                .filter(|line| !line.is_empty())
                .collect()
        };
        let (one, other) = (lines(self.before), lines(self.after));
        (
            one.difference(&other).cloned().collect(),
            other.difference(&one).cloned().collect(),
        )
    }
}

/// The furniture that stands inside each section's own text, page numbers aside.
fn section_furniture(side: &Side<'_>, sections: &[Section]) -> BTreeMap<usize, BTreeSet<String>> {
    let mut own: Vec<(CharSpan, usize)> = sections
        .iter()
        .enumerate()
        .flat_map(|(index, section)| section.own.iter().map(move |span| (*span, index)))
        .collect();
    own.sort_unstable();
    let mut found: BTreeMap<usize, BTreeSet<String>> = BTreeMap::new();
    for span in side.furniture {
        let at = own.partition_point(|(own, _)| own.start() <= span.start());
        let holder = at
            .checked_sub(1)
            .and_then(|at| own.get(at))
            .filter(|(own, _)| own.contains(span.start()));
        let line = furniture_line(side, *span);
        if let Some((_, index)) = holder
            && !line.is_empty()
        {
            found.entry(*index).or_default().insert(line);
        }
    }
    found
}

/// A line of furniture, folded, with its page's number and the count of pages masked: they change by themselves.
fn furniture_line(side: &Side<'_>, span: CharSpan) -> String {
    let page = side.layer.page_of(span.start()).to_string();
    let count = side.layer.page_count().to_string();
    let folded = match_fold(&side.layer.slice(span).unwrap_or_default());
    let words: Vec<&str> = folded
        .split(' ')
        .map(|word| {
            let bare = word.trim_matches(|sign: char| !sign.is_alphanumeric());
            if bare == page || bare == count { "#" } else { word }
        })
        .collect();
    let line = words.join(" ");
    if line.chars().any(char::is_alphabetic) {
        line
    } else {
        String::new()
    }
}

/// Whether a section's furniture differs. Where a section crosses no page's edge on one side, nothing can be said.
fn differs(one: Option<&BTreeSet<String>>, other: Option<&BTreeSet<String>>) -> bool {
    one.zip(other).is_some_and(|(one, other)| one != other)
}

/// Positions of a longest rising run in a list of different numbers (patience sorting).
fn longest_rising(numbers: &[usize]) -> BTreeSet<usize> {
    let at = |position: usize| numbers.get(position).copied().unwrap_or(usize::MAX);
    // The position of the least end of a run of each length, and what comes before each in its run.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(numbers.len());
    for (position, number) in numbers.iter().enumerate() {
        let length = ends.partition_point(|end| at(*end) < *number);
        before.push(length.checked_sub(1).and_then(|length| ends.get(length)).copied());
        match ends.get_mut(length) {
            Some(end) => *end = position,
            None => ends.push(position),
        }
    }
    let mut kept = BTreeSet::new();
    let mut position = ends.last().copied();
    while let Some(current) = position {
        kept.insert(current);
        position = before.get(current).copied().flatten();
    }
    kept
}
