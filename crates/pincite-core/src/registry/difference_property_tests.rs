//! The section diff: what holds of any two documents.

use super::difference_tests::{Part, made};
use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const WORDS: [&str; 12] = [
    "keep", "records", "must", "not", "5", "7", "years", "site", "audit", "box", "name", "(see",
];

prop_compose! {
    /// Sections with titles of their own, some in others, each of some words.
    fn sections()(
        bodies in proptest::collection::vec((0..4_u8, proptest::collection::vec(0..WORDS.len(), 0..14)), 1..9),
    ) -> Vec<Part> {
        let (mut chapter, mut clause) = (0, 0);
        bodies.into_iter().enumerate().map(|(number, (depth, words))| {
            let locator = if depth == 0 && chapter > 0 {
                clause += 1;
                format!("{chapter}.{clause}")
            } else {
                (chapter, clause) = (chapter + 1, 0);
                chapter.to_string()
            };
            let body: Vec<&str> = words.into_iter().map(|word| WORDS[word]).collect();
            (locator, format!("Title{}", ["A", "B", "C", "D", "E", "F", "G", "H"][number % 8]), body.join(" "))
        }).collect()
    }
}

fn count(found: &[SectionChange], wanted: Change) -> usize {
    found.iter().filter(|change| change.change == wanted).count()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn nothing_differs_from_itself_however_it_is_laid_out(parts in sections(), width in 5..80_usize) {
        let (one, other) = (made(&parts, 60), made(&parts, width));
        prop_assert!(diff(&one.side(), &one.side()).is_empty());
        prop_assert!(diff(&one.side(), &other.side()).is_empty());
        let same = compare(&one.side(), &other.side());
        prop_assert_eq!(same.unchanged().collect::<Vec<_>>(), (0..parts.len()).map(|at| (at, at)).collect::<Vec<_>>());
    }

    #[test]
    fn a_pairing_is_one_to_one_and_every_section_is_accounted_for(one in sections(), other in sections()) {
        let (before, after) = (made(&one, 60), made(&other, 60));
        let difference = compare(&before.side(), &after.side());
        let pairing = &difference.pairing;
        let there: Vec<(usize, usize)> = pairing.pairs().collect();
        let back: BTreeSet<(usize, usize)> =
            pairing.before_of.iter().enumerate().filter_map(|(after, before)| Some(((*before)?, after))).collect();
        prop_assert_eq!(there.iter().copied().collect::<BTreeSet<_>>(), back);
        let removed = count(&difference.changes, Change::Removed);
        let added = count(&difference.changes, Change::Added);
        prop_assert_eq!(removed + there.len(), one.len());
        prop_assert_eq!(added + there.len(), other.len());
        for change in &difference.changes {
            prop_assert_eq!(change.change == Change::Removed, change.after.is_none());
            prop_assert_eq!(change.change == Change::Added, change.before.is_none());
            // What is called unchanged says the same, and what is called changed does not.
            if let Some((before, after)) = change.before.zip(change.after) {
                let text = |part: &Part| (part.1.clone(), part.2.clone());
                prop_assert_eq!(change.change == Change::Changed, text(&one[before]) != text(&other[after]));
            }
        }
        let keys: Vec<String> = (0..one.len()).map(|number| format!("key {number}")).collect();
        let carried = keys_carried(&keys, pairing, &after.structure.sections, &BTreeSet::new(), &BTreeMap::new());
        prop_assert_eq!(carried.iter().collect::<BTreeSet<_>>().len(), carried.len());
        for (before, after) in there {
            prop_assert_eq!(&carried[after], &keys[before]);
        }
    }

    #[test]
    fn numbers_alone_renumber(parts in sections()) {
        let after: Vec<Part> = parts.iter().map(|(locator, title, body)| {
            let (chapter, rest) = locator.split_once('.').map_or((locator.as_str(), None), |(a, b)| (a, Some(b)));
            let chapter: usize = chapter.parse().unwrap_or_default();
            let rest = rest.map(|rest| format!(".{rest}")).unwrap_or_default();
            (format!("{}{rest}", chapter + 3), title.clone(), body.clone())
        }).collect();
        let found = diff(&made(&parts, 60).side(), &made(&after, 60).side());
        prop_assert_eq!(count(&found, Change::Renumbered), parts.len());
        prop_assert_eq!(found.len(), parts.len());
    }

    #[test]
    fn an_inserted_chapter_is_added_and_renumbers_the_rest(parts in sections(), at in 0..9_usize) {
        let chapters: Vec<usize> = (0..parts.len()).filter(|index| !parts[*index].0.contains('.')).collect();
        let at = chapters[at % chapters.len()];
        let mut after = parts[..at].to_vec();
        let number: usize = parts[at].0.parse().unwrap_or_default();
        after.push((number.to_string(), "Brandnew".to_owned(), "words that nobody wrote before".to_owned()));
        after.extend(parts[at..].iter().map(|(locator, title, body)| {
            let (chapter, rest) = locator.split_once('.').map_or((locator.as_str(), None), |(a, b)| (a, Some(b)));
            let chapter: usize = chapter.parse().unwrap_or_default();
            let rest = rest.map(|rest| format!(".{rest}")).unwrap_or_default();
            (format!("{}{rest}", chapter + 1), title.clone(), body.clone())
        }));
        let found = diff(&made(&parts, 60).side(), &made(&after, 60).side());
        prop_assert_eq!(count(&found, Change::Added), 1);
        prop_assert_eq!(count(&found, Change::Renumbered), parts.len() - at);
        prop_assert_eq!(found.len(), parts.len() - at + 1);
        let back = diff(&made(&after, 60).side(), &made(&parts, 60).side());
        prop_assert_eq!(count(&back, Change::Removed), 1);
        prop_assert_eq!(back.len(), parts.len() - at + 1);
    }

    #[test]
    fn texts_in_another_order_have_moved(parts in sections(), turn in 1..8_usize) {
        // Chapters only, under the numbers that were there.
        let parts: Vec<Part> = (1..).zip(&parts).map(|(number, part): (usize, &Part)| (number.to_string(), part.1.clone(), part.2.clone())).collect();
        let mut texts = parts.clone();
        texts.rotate_left(turn % parts.len());
        let after: Vec<Part> = parts.iter().zip(&texts).map(|(old, new)| (old.0.clone(), new.1.clone(), new.2.clone())).collect();
        let found = diff(&made(&parts, 60).side(), &made(&after, 60).side());
        let turned = turn % parts.len();
        prop_assert_eq!(count(&found, Change::Moved), turned.min(parts.len() - turned));
        prop_assert_eq!(count(&found, Change::Moved) + count(&found, Change::Renumbered), found.len());
        prop_assert_eq!(found.len(), if turned == 0 { 0 } else { parts.len() });
    }

    #[test]
    fn one_word_changes_one_section(parts in sections(), at in 0..8_usize, word in 0..14_usize) {
        let at = at % parts.len();
        let mut after = parts.clone();
        let mut words: Vec<&str> = parts[at].2.split(' ').filter(|word| !word.is_empty()).collect();
        words.insert(word.min(words.len()), "inserted");
        after[at].2 = words.join(" ");
        let (before, after) = (made(&parts, 60), made(&after, 30));
        let difference = compare(&before.side(), &after.side());
        prop_assert_eq!(difference.changes.len(), 1);
        prop_assert_eq!((difference.changes[0].change, difference.changes[0].after), (Change::Changed, Some(at)));
        let marked: Vec<Piece> = difference.words(at, at).into_iter().filter(|piece| !matches!(piece, Piece::Same { .. })).collect();
        prop_assert_eq!(marked.len(), 1);
        let Piece::Added { after: span } = marked[0] else { return Err(TestCaseError::fail("nothing was removed")) };
        prop_assert_eq!(after.layer.slice(span).unwrap_or_default(), "inserted");
    }
}
