//! One side of a comparison: a revision's layer and structure, and what each section says in words of its own.
//!
//! A section's own words are its title and its own text, without its label, without furniture, without tables of contents and
//! without marks (`**`, `## `). They are compared under MatchFold, so that white space, line breaks, line-end hyphens, dashes
//! and quotation marks change nothing, and each keeps its place in the layer, so that a change can be shown on the page.
//!
//! Deliberately not here: which section is which (`pairing`), reading Markdown (whoever does hands in the spans of its marks).

use super::words::{sentence, tokens};
use crate::structure::{Section, Structure};
use crate::text::{CharOffset, CharSpan, Layer, MatchFolded, match_fold};
use unicode_segmentation::UnicodeSegmentation as _;

/// A revision to be compared.
#[derive(Debug, Clone, Copy)]
pub struct Side<'a> {
    /// Its text.
    pub layer: &'a Layer,
    /// Its sections.
    pub structure: &'a Structure,
    /// Pages (from 1) without text, scanned ones too. In any order.
    pub lost_pages: &'a [u32],
    /// Running heads and feet, page numbers: [`crate::structure::left_out`]. In order.
    pub furniture: &'a [CharSpan],
    /// Tables of contents, from the same function. In order.
    pub contents: &'a [CharSpan],
    /// Code points that are marks and no words: emphasis, heading marks, bullets of a Markdown source. In order; empty for a
    /// PDF.
    pub markup: &'a [CharSpan],
}

/// The own words of one section.
#[derive(Debug, Clone)]
pub(super) struct OwnText {
    /// Title and own text under MatchFold.
    pub(super) folded: MatchFolded,
    /// Where each of its characters stands in the layer; `None` for what was put between two parts.
    pub(super) places: Vec<Option<CharOffset>>,
    /// Its words, signs among them, each between single spaces: equal strings are equal texts.
    pub(super) joined: String,
    /// Hashes of its words, in order of size: how alike two texts are.
    pub(super) bag: Vec<u64>,
    /// Its title under MatchFold.
    pub(super) title: String,
}

/// What a code point of a layer is to a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Beside,
}

/// The own words of every section of a side, in the structure's order.
pub(super) fn own_texts(side: &Side<'_>) -> Vec<OwnText> {
    let mut kinds = vec![Kind::Word; side.layer.len()];
    for span in side.furniture.iter().chain(side.contents).chain(side.markup) {
        if let Some(kinds) = kinds.get_mut(span.range()) {
            kinds.fill(Kind::Beside);
        }
    }
    let sections = side.structure.sections.iter();
    sections.map(|section| own_text(side.layer, section, &kinds)).collect()
}

fn own_text(layer: &Layer, section: &Section, kinds: &[Kind]) -> OwnText {
    let mut text = Gathered {
        layer: layer.characters(),
        kinds,
        characters: Vec::new(),
        places: Vec::new(),
    };
    // The heading without its label: from where its words are those of the title, else the title as it is known.
    text.add(section.heading);
    let title = match_fold(&section.title);
    let heading = MatchFolded::new(&text.characters);
    let title_length = MatchFolded::new(&section.title.chars().collect::<Vec<char>>()).len();
    let from = heading
        .joined()
        .ends_with(&title)
        .then(|| heading.source_of(heading.len().saturating_sub(title_length)..heading.len()))
        .flatten();
    match from {
        Some(words) if !title.is_empty() => {
            text.characters.drain(..words.start().index());
            text.places.drain(..words.start().index());
        }
        _ => {
            text.characters = section.title.chars().collect();
            text.places = vec![None; text.characters.len()];
        }
    }
    let mut after = section.heading.end();
    for part in &section.own {
        after = after.max(part.start());
        if after < part.end() {
            let last = text.places.last().copied().flatten().map(CharOffset::index);
            if last.is_none_or(|last| last + 1 != after.index()) {
                text.characters.push('\n');
                text.places.push(None);
            }
            text.add(CharSpan::of_indices(after.index(), part.end().index()));
        }
    }
    let folded = MatchFolded::new(&text.characters);
    let joined = sentence(&tokens(&folded));
    let mut bag: Vec<u64> = joined.unicode_words().map(word_hash).collect();
    bag.sort_unstable();
    OwnText {
        folded,
        places: text.places,
        joined,
        bag,
        title,
    }
}

struct Gathered<'a> {
    layer: &'a [char],
    kinds: &'a [Kind],
    characters: Vec<char>,
    places: Vec<Option<CharOffset>>,
}

impl Gathered<'_> {
    fn add(&mut self, span: CharSpan) {
        for index in span.range() {
            if let Some(character) = self.layer.get(index)
                && self.kinds.get(index) == Some(&Kind::Word)
            {
                self.characters.push(*character);
                self.places.push(Some(CharOffset::from_index(index)));
            }
        }
    }
}

/// A number for a word, the same on every machine.
fn word_hash(word: &str) -> u64 {
    let hash = crate::sha256(word.as_bytes());
    let mut first = [0_u8; 8];
    first.copy_from_slice(&hash[..8]);
    u64::from_be_bytes(first)
}

/// Whether two texts have the same words, under some reading of their line-end hyphens or but for white space.
pub(super) fn same_words(one: &OwnText, other: &OwnText) -> bool {
    one.joined == other.joined || one.folded.equals(&other.folded)
}

/// How alike two texts are by the words they share, in any order: Dice's coefficient over their words, 0 to 1. Two empty
/// ones are not alike.
pub(super) fn likeness(one: &OwnText, other: &OwnText) -> f64 {
    let (mut left, mut right, mut shared) = (0, 0, 0_usize);
    while let (Some(a), Some(b)) = (one.bag.get(left), other.bag.get(right)) {
        match a.cmp(b) {
            std::cmp::Ordering::Less => left += 1,
            std::cmp::Ordering::Greater => right += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                left += 1;
                right += 1;
            }
        }
    }
    let words = one.bag.len() + other.bag.len();
    if words == 0 {
        0.0
    } else {
        2.0 * shared as f64 / words as f64
    }
}
