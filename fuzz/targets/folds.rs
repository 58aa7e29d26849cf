//! The folds: every folded unit comes from somewhere, the map is monotone, folding is a relation that holds between a
//! text and itself, and skipped spans take their text with them and nothing else.
//!
//! Deliberately not here: what is equal to what; the tests beside the folds have the tables.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pincite_core::text::{CharSpan, MatchFolded, VerifyFolded, match_fold_equal, verify_fold_equal};

fuzz_target!(|input: (String, Vec<(u16, u16)>)| {
    let (text, skipped) = input;
    let text: Vec<char> = text.chars().collect();
    let skipped: Vec<CharSpan> = skipped
        .into_iter()
        .map(|(start, length)| CharSpan::of_indices(start.into(), usize::from(start) + usize::from(length)))
        .collect();
    assert!(verify_fold_equal(&text, &text));
    assert!(match_fold_equal(&text, &text));
    let verify = VerifyFolded::new(&text);
    for unit in 0..verify.len() {
        let source = verify.source_of(unit..unit + 1).expect("a unit has a source");
        assert!(!source.is_empty() && source.end().index() <= text.len());
    }
    for folded in [MatchFolded::new(&text), MatchFolded::without(&text, &skipped)] {
        let mut last = CharSpan::of_indices(0, 0);
        for unit in 0..folded.len() {
            let source = folded.source_of(unit..unit + 1).expect("a unit has a source");
            assert!(!source.is_empty() && source.end().index() <= text.len());
            assert!(last.start() <= source.start() && last.end() <= source.end());
            assert!(folded.units_of(source).contains(&unit));
            last = source;
        }
    }
    let without = MatchFolded::without(&text, &skipped);
    for unit in 0..without.len() {
        let source = without.source_of(unit..unit + 1).expect("a unit has a source");
        let gone = |offset| skipped.iter().any(|span| span.contains(offset));
        assert!(!gone(source.start()));
    }
});
