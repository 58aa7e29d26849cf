//! VerifyFold v1: when two texts say the same, as far as a citation's check is concerned.
//!
//! NFKC, except that superscripts, subscripts and fractions stay themselves ("10⁶" is not "106"); white space collapsed
//! and trimmed; full case folding; zero-width characters and soft hyphens dropped. It is a *relation*, not only a form:
//! a line-end hyphen may be read as joined or as a hyphen, on either side. An ellipsis, a dropped "not", a rounded
//! number, another dash stay differences. That is the point.
//!
//! The fold works cluster by cluster (a starter and what composes with it), so every folded unit knows the source code
//! points it came from, and a place found on the fold is a place in the layer.
//!
//! Deliberately not here: MatchFold (dashes and quotation marks: `match_fold`), similarity, approximate search: a verified citation
//! is never nearly right.

use super::offset::CharSpan;
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

/// Name and version of the fold, kept beside whatever was compared under it.
pub const VERIFY_FOLD: &str = "verify-fold-1";

/// Code points that Unicode decomposes as `<super>`, `<sub>` or `<fraction>` (inclusive ranges): the fold leaves them
/// alone. To 14.0 from UnicodeData; later ones are the single letters and digits that `unicode-normalization` 0.1.26
/// (Unicode 18.0) maps to a plain letter and that are no font variants.
const KEPT: [(char, char); 38] = [
    ('\u{aa}', '\u{aa}'),
    ('\u{b2}', '\u{b3}'),
    ('\u{b9}', '\u{ba}'),
    ('\u{bc}', '\u{be}'),
    ('\u{2b0}', '\u{2b8}'),
    ('\u{2e0}', '\u{2e4}'),
    ('\u{558}', '\u{558}'),
    ('\u{58b}', '\u{58c}'),
    ('\u{10fc}', '\u{10fc}'),
    ('\u{1d2c}', '\u{1d2e}'),
    ('\u{1d30}', '\u{1d3a}'),
    ('\u{1d3c}', '\u{1d4d}'),
    ('\u{1d4f}', '\u{1d6a}'),
    ('\u{1d78}', '\u{1d78}'),
    ('\u{1d9b}', '\u{1dbf}'),
    ('\u{2070}', '\u{2071}'),
    ('\u{2074}', '\u{208e}'),
    ('\u{2090}', '\u{209f}'),
    ('\u{2120}', '\u{2120}'),
    ('\u{2122}', '\u{2122}'),
    ('\u{2150}', '\u{215f}'),
    ('\u{2189}', '\u{2189}'),
    ('\u{2c7c}', '\u{2c7d}'),
    ('\u{2d6f}', '\u{2d6f}'),
    ('\u{3192}', '\u{319f}'),
    ('\u{a69c}', '\u{a69d}'),
    ('\u{a770}', '\u{a770}'),
    ('\u{a7f1}', '\u{a7f4}'),
    ('\u{a7f8}', '\u{a7f9}'),
    ('\u{ab5c}', '\u{ab5f}'),
    ('\u{ab69}', '\u{ab69}'),
    ('\u{10781}', '\u{10785}'),
    ('\u{10787}', '\u{107b0}'),
    ('\u{107b2}', '\u{107bf}'),
    ('\u{1df95}', '\u{1df95}'),
    ('\u{1dfcd}', '\u{1dfff}'),
    ('\u{1e030}', '\u{1e06d}'),
    ('\u{1f16a}', '\u{1f16c}'),
];

/// One unit of a folded text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A folded code point.
    Literal(char),
    /// A line-end hyphen between letters: nothing, a hyphen, or a hyphen and the space that the line break was.
    LineEndHyphen,
    /// A line-end hyphen between two digits: as above but never nothing, or "10-20" would verify "1020".
    LineEndHyphenBetweenDigits,
}

impl Unit {
    /// How it reads where every line-end hyphen is read as joined (or as a hyphen between digits).
    pub(crate) const fn joined(self) -> Option<char> {
        match self {
            Self::Literal(character) => Some(character),
            Self::LineEndHyphen => None,
            Self::LineEndHyphenBetweenDigits => Some('-'),
        }
    }
}

/// A text under VerifyFold, with the way back: for each unit, the source code points it was made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyFolded {
    pub(crate) units: Vec<Unit>,
    pub(crate) sources: Vec<CharSpan>,
}

impl VerifyFolded {
    /// Folds a text given as code points; offsets in the map count from its first.
    #[must_use]
    pub fn new(source: &[char]) -> Self {
        let mut folded = Folding {
            units: Vec::with_capacity(source.len()),
            sources: Vec::with_capacity(source.len()),
        };
        let mut index = 0;
        while index < source.len() {
            if let Some((unit, end)) = line_end_hyphen(source, index) {
                folded.push(unit, index, end);
                index = end;
            } else if is_dropped(source[index]) {
                index += 1;
            } else {
                let end = cluster_end(source, index);
                folded.push_cluster(&source[index..end], index, end);
                index = end;
            }
        }
        if folded.units.last() == Some(&Unit::Literal(' ')) {
            folded.units.pop();
            folded.sources.pop();
        }
        Self {
            units: folded.units,
            sources: folded.sources,
        }
    }

    /// Whether nothing is left: such a quote is no quote.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// How many folded units.
    #[must_use]
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// The source span of a range of units: from the first one's first code point to the last one's last.
    #[must_use]
    pub fn source_of(&self, units: std::ops::Range<usize>) -> Option<CharSpan> {
        let sources = self.sources.get(units)?;
        CharSpan::new(sources.first()?.start(), sources.last()?.end())
    }

    /// As one string, every line-end hyphen read as joined (or as a hyphen between digits): for hashing.
    #[must_use]
    pub fn joined(&self) -> String {
        self.units.iter().filter_map(|unit| unit.joined()).collect()
    }

    /// Whether some reading of this text's line-end hyphens equals some reading of the other's.
    #[must_use]
    pub fn equals(&self, other: &Self) -> bool {
        units_equal(&self.units, &other.units)
    }
}

/// The string form of a text under VerifyFold, line-end hyphens joined. For hashes; comparing is [`verify_fold_equal`].
#[must_use]
pub fn verify_fold(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    VerifyFolded::new(&characters).joined()
}

/// Whether two texts are equal under VerifyFold.
#[must_use]
pub fn verify_fold_equal(one: &[char], other: &[char]) -> bool {
    VerifyFolded::new(one).equals(&VerifyFolded::new(other))
}

struct Folding {
    units: Vec<Unit>,
    sources: Vec<CharSpan>,
}

impl Folding {
    fn push(&mut self, unit: Unit, start: usize, end: usize) {
        self.units.push(unit);
        self.sources.push(CharSpan::of_indices(start, end));
    }

    fn push_literal(&mut self, character: char, start: usize, end: usize) {
        let space = character.is_whitespace();
        if space && matches!(self.units.last(), None | Some(Unit::Literal(' '))) {
            return;
        }
        self.push(Unit::Literal(if space { ' ' } else { character }), start, end);
    }

    fn push_cluster(&mut self, cluster: &[char], start: usize, end: usize) {
        if let [single] = cluster
            && single.is_ascii()
        {
            self.push_literal(single.to_ascii_lowercase(), start, end);
            return;
        }
        let whole = folded_cluster(cluster);
        // Marks that compose with nothing keep a source each, so that a text may begin or end between them.
        if cluster.len() > 1 {
            let parts: Vec<Vec<char>> = cluster
                .iter()
                .map(|character| folded_cluster(std::slice::from_ref(character)))
                .collect();
            if parts.concat() == whole {
                for (index, part) in (start..).zip(parts) {
                    part.into_iter()
                        .for_each(|character| self.push_literal(character, index, index + 1));
                }
                return;
            }
        }
        whole
            .into_iter()
            .for_each(|character| self.push_literal(character, start, end));
    }
}

/// A normalisation cluster under the fold.
fn folded_cluster(cluster: &[char]) -> Vec<char> {
    let mut decomposed = String::new();
    for character in cluster.iter().filter(|character| !is_dropped(**character)) {
        if is_kept(*character) {
            decomposed.push(*character);
        } else {
            decompose_compatible(*character, |part| decomposed.push(part));
        }
    }
    let composed: String = decomposed.nfc().collect();
    caseless::default_case_fold_str(&composed)
        .nfc()
        .filter(|character| !is_dropped(*character))
        .collect()
}

fn is_kept(character: char) -> bool {
    KEPT.binary_search_by(|(first, last)| {
        if *last < character {
            std::cmp::Ordering::Less
        } else if character < *first {
            std::cmp::Ordering::Greater
        } else {
            std::cmp::Ordering::Equal
        }
    })
    .is_ok()
}

/// Zero-width characters and the soft hyphen.
const fn is_dropped(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{200b}' | '\u{200c}' | '\u{200d}' | '\u{2060}' | '\u{feff}'
    )
}

const fn is_line_break(character: char) -> bool {
    matches!(
        character,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// Where the normalisation cluster that starts at `start` ends: after every code point that could compose with it.
fn cluster_end(source: &[char], start: usize) -> usize {
    let mut end = start + 1;
    while let Some(next) = source.get(end) {
        let joins = *next >= '\u{300}'
            && (canonical_combining_class(*next) != 0 || is_nfc_quick(std::iter::once(*next)) == IsNormalized::Maybe);
        if !joins {
            break;
        }
        end += 1;
    }
    end
}

/// A line-end hyphen at `start`: which, and where the white space after it ends.
///
/// A soft hyphen before a line break is one (that is how our extractor writes it). A hyphen-minus or U+2010 before a
/// line break is one when a letter or digit stands on both sides, so that a sign or a bullet is never taken for it.
fn line_end_hyphen(source: &[char], start: usize) -> Option<(Unit, usize)> {
    let hyphen = *source.get(start)?;
    if !matches!(hyphen, '\u{ad}' | '-' | '\u{2010}' | '\u{2011}') {
        return None;
    }
    let mut end = start + 1;
    let mut breaks = false;
    while let Some(next) = source.get(end).filter(|next| next.is_whitespace()) {
        breaks |= is_line_break(*next);
        end += 1;
    }
    if !breaks {
        return None;
    }
    let before = start.checked_sub(1).and_then(|index| source.get(index));
    let after = source.get(end);
    let soft = hyphen == '\u{ad}';
    let is_word = |character: Option<&char>| character.is_some_and(|character| character.is_alphanumeric());
    if !(soft || is_word(before) && is_word(after)) {
        return None;
    }
    let is_digit = |character: Option<&char>| character.is_some_and(|character| character.is_numeric());
    let unit = if is_digit(before) && is_digit(after) {
        Unit::LineEndHyphenBetweenDigits
    } else {
        Unit::LineEndHyphen
    };
    Some((unit, end))
}

/// The readings of one unit, each a few literals.
fn readings(unit: Unit) -> &'static [&'static [char]] {
    match unit {
        Unit::Literal(_) => &[],
        Unit::LineEndHyphen => &[&[], &['-'], &['-', ' '], &['\u{2010}'], &['\u{2010}', ' ']],
        Unit::LineEndHyphenBetweenDigits => &[&['-'], &['-', ' '], &['\u{2010}'], &['\u{2010}', ' ']],
    }
}

/// Equality of two unit sequences under some reading of each hyphen.
///
/// A search over pairs of positions; a hyphen forks it, and forks die at the next unlike literal, so it stays linear on
/// text. Positions already tried are not tried again, so it ends on anything.
pub(crate) fn units_equal(one: &[Unit], other: &[Unit]) -> bool {
    // The common run of literals needs no search.
    let same = one
        .iter()
        .zip(other)
        .take_while(|(a, b)| a == b && matches!(a, Unit::Literal(_)))
        .count();
    let (one, other) = (&one[same..], &other[same..]);
    if one.is_empty() && other.is_empty() {
        return true;
    }
    let mut tried = std::collections::HashSet::new();
    let mut open = vec![(State::at(0), State::at(0))];
    while let Some((left, right)) = open.pop() {
        if !tried.insert((left, right)) {
            continue;
        }
        if left.forks(one) {
            open.extend(left.readings(one).map(|state| (state, right)));
            continue;
        }
        if right.forks(other) {
            open.extend(right.readings(other).map(|state| (left, state)));
            continue;
        }
        match (left.literal(one), right.literal(other)) {
            (None, None) => return true,
            // A hyphen read with its space at the very end of a text: trimmed, like any space there.
            (Some(' '), None) if left.step(one).may_end(one) => return true,
            (None, Some(' ')) if right.step(other).may_end(other) => return true,
            (Some(a), Some(b)) if a == b => open.push((left.step(one), right.step(other))),
            _ => {}
        }
    }
    false
}

/// A place in a sequence of units: at a unit, or inside one reading of a hyphen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    unit: usize,
    /// The reading chosen at `unit` and how much of it is used.
    reading: Option<(usize, usize)>,
}

impl State {
    /// Whether the text may be over here: at its end, or with nothing left but hyphens that may be read as nothing.
    fn may_end(self, units: &[Unit]) -> bool {
        self.reading.is_none()
            && units
                .get(self.unit..)
                .is_some_and(|rest| rest.iter().all(|unit| *unit == Unit::LineEndHyphen))
    }

    const fn at(unit: usize) -> Self {
        Self { unit, reading: None }
    }

    fn forks(self, units: &[Unit]) -> bool {
        self.reading.is_none() && matches!(units.get(self.unit), Some(unit) if !matches!(unit, Unit::Literal(_)))
    }

    fn readings(self, units: &[Unit]) -> impl Iterator<Item = Self> {
        let choices = units.get(self.unit).map_or(&[][..], |unit| readings(*unit));
        choices.iter().enumerate().map(move |(choice, literals)| {
            if literals.is_empty() {
                Self::at(self.unit + 1)
            } else {
                Self {
                    unit: self.unit,
                    reading: Some((choice, 0)),
                }
            }
        })
    }

    fn literal(self, units: &[Unit]) -> Option<char> {
        match (units.get(self.unit)?, self.reading) {
            (Unit::Literal(character), _) => Some(*character),
            (unit, Some((choice, used))) => readings(*unit).get(choice)?.get(used).copied(),
            (_, None) => None,
        }
    }

    fn step(self, units: &[Unit]) -> Self {
        let Some((choice, used)) = self.reading else {
            return Self::at(self.unit + 1);
        };
        let length = units
            .get(self.unit)
            .and_then(|unit| readings(*unit).get(choice))
            .map_or(0, |literals| literals.len());
        if used + 1 < length {
            Self {
                unit: self.unit,
                reading: Some((choice, used + 1)),
            }
        } else {
            Self::at(self.unit + 1)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn equal(one: &str, other: &str) -> bool {
        let one: Vec<char> = one.chars().collect();
        let other: Vec<char> = other.chars().collect();
        let forward = verify_fold_equal(&one, &other);
        assert_eq!(forward, verify_fold_equal(&other, &one), "the relation is symmetric");
        forward
    }

    #[test]
    fn what_is_the_same() {
        for (one, other) in [
            ("Records  must\nbe kept", " records must be kept\u{a0}"),
            ("re\u{ad}tention", "retention"),
            ("reten\u{ad}\ntion", "retention"),
            ("well\u{ad}\nknown", "well-known"),
            ("well\u{ad}\nknown", "well-\nknown"),
            ("well\u{ad}\nknown", "well- known"),
            ("reten-\n  tion", "retention"),
            ("COVID-\n19", "COVID-19"),
            ("10-\n20 mg", "10-20 mg"),
            ("reten\u{ad}\n", "reten"),
            ("reten\u{ad}\n", "reten-"),
            ("\u{ad}\ntion", "tion"),
            ("ﬁnal", "FINAL"),
            ("Straße", "STRASSE"),
            ("e\u{301}", "é"),
            ("각", "\u{1100}\u{1161}\u{11a8}"),
            ("zero\u{200b}width\u{feff}", "zerowidth"),
            ("ＦＵＬＬ", "full"),
            ("a\u{ad}\nb\u{ad}\nc", "a-bc"),
            ("reten \u{ad}\n", "reten"),
        ] {
            assert!(equal(one, other), "{one:?} and {other:?} say the same");
        }
    }

    #[test]
    fn what_is_not() {
        for (one, other) in [
            ("must not exceed", "must exceed"),
            ("10⁶", "106"),
            ("H₂O", "H2O"),
            ("½ tablet", "1/2 tablet"),
            ("x\u{209d}", "xw"),
            ("\u{1e030}", "а"),
            ("5 years", "7 years"),
            ("one … two", "one ... three two"),
            ("one … two", "one two"),
            ("2–3", "2-3"),
            ("10-\n20 mg", "1020 mg"),
            ("range -\n5", "range 5"),
            ("450.000 €", "450000 €"),
            ("well-known", "wellknown"),
            ("a b", "ab"),
            ("“quoted”", "\"quoted\""),
            ("", "a"),
            ("safe \u{ad}\nat 900 mg", "safe"),
            ("safe\u{ad}\nat 900 mg", "safe"),
            ("safe - at 900 mg", "safe"),
        ] {
            assert!(!equal(one, other), "{one:?} and {other:?} differ");
        }
    }

    #[test]
    fn every_character_that_is_kept_would_be_changed_otherwise() {
        assert!(
            KEPT.is_sorted_by(|one, next| one.1 < next.0),
            "the table is searched in halves"
        );
        for character in KEPT.iter().flat_map(|(first, last)| *first..=*last) {
            let mut decomposed = String::new();
            decompose_compatible(character, |part| decomposed.push(part));
            assert_ne!(decomposed, character.to_string(), "U+{:04X}", u32::from(character));
        }
    }

    #[test]
    fn a_mark_that_composes_with_nothing_has_a_source_of_its_own() {
        // Arabic beh, fatha, and a letter that composes with its mark.
        let source: Vec<char> = "\u{628}\u{64e}e\u{301}".chars().collect();
        let folded = VerifyFolded::new(&source);
        let sources: Vec<_> = (0..folded.len())
            .filter_map(|unit| folded.source_of(unit..unit + 1))
            .collect();
        assert_eq!(
            sources,
            [
                CharSpan::of_indices(0, 1),
                CharSpan::of_indices(1, 2),
                CharSpan::of_indices(2, 4)
            ]
        );
    }

    #[test]
    fn the_map_leads_back() {
        let source: Vec<char> = "  Aﬁ\u{301} reten\u{ad}\n tion ".chars().collect();
        let folded = VerifyFolded::new(&source);
        assert_eq!(folded.joined(), "afí retention");
        assert_eq!(folded.source_of(0..1), Some(CharSpan::of_indices(2, 3)));
        assert_eq!(folded.source_of(1..3), Some(CharSpan::of_indices(3, 5)));
        assert_eq!(
            folded.source_of(0..folded.len()),
            Some(CharSpan::of_indices(2, source.len() - 1))
        );
    }

    proptest! {
        #[test]
        fn clusters_fold_as_the_whole_does(text in "[ -~\u{a0}-\u{17f}\u{300}-\u{310}\u{1100}-\u{1112}\u{1161}-\u{1175}\u{11a8}-\u{11c2}ﬁ²½\u{200b}]{0,40}") {
            // The same definition, applied to the whole text at once.
            let mut decomposed = String::new();
            for character in text.chars().filter(|character| !is_dropped(*character)) {
                if is_kept(character) { decomposed.push(character) } else { decompose_compatible(character, |part| decomposed.push(part)) }
            }
            let composed: String = decomposed.nfc().collect();
            let whole: String = caseless::default_case_fold_str(&composed).nfc().collect();
            let expected = whole.split_whitespace().collect::<Vec<_>>().join(" ");
            // Dropping inside a cluster may join what stood apart, so only texts without dropped characters are compared.
            if !text.chars().any(is_dropped) {
                prop_assert_eq!(verify_fold(&text), expected);
            }
        }

        #[test]
        fn the_relation_is_that_of_the_readings(one in "[ab \u{ad}\n-]{0,9}", other in "[ab \u{ad}\n-]{0,9}") {
            // Every reading of every hyphen written out, white space collapsed: equal where some two are.
            fn readings_of(text: &str) -> Vec<String> {
                let source: Vec<char> = text.chars().collect();
                let mut all = vec![String::new()];
                for unit in VerifyFolded::new(&source).units {
                    let choices: Vec<String> = match unit {
                        Unit::Literal(character) => vec![character.to_string()],
                        hyphen => readings(hyphen).iter().map(|literals| literals.iter().collect()).collect(),
                    };
                    all = all.iter().flat_map(|before| choices.iter().map(move |choice| format!("{before}{choice}"))).collect();
                }
                all.iter().map(|reading| reading.trim_end().to_owned()).collect()
            }
            let others = readings_of(&other);
            let expected = readings_of(&one).iter().any(|reading| others.contains(reading));
            prop_assert_eq!(equal(&one, &other), expected, "{:?} {:?}", one, other);
        }

        #[test]
        fn every_unit_has_a_source_and_sources_are_monotone(text in "\\PC{0,60}") {
            let source: Vec<char> = text.chars().collect();
            let folded = VerifyFolded::new(&source);
            let mut last = 0;
            for span in &folded.sources {
                prop_assert!(!span.is_empty());
                prop_assert!(span.start().index() >= last);
                prop_assert!(span.end().index() <= source.len());
                last = span.start().index();
            }
            prop_assert!(folded.equals(&folded));
        }
    }
}
