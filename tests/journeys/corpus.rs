//! Real documents that nobody here wrote, through the real programs: `make test` with a corpus beside the repository.
//!
//! The corpus is the folder that `PINCITE_CORPUS` names, else `../shared/corpus`. It is never copied here, and the tests
//! must hold on documents that were never seen: they compare with independent readings (`independent_layer.py`,
//! `corpus_fold`), never with stored answers. Without a corpus they say "skipped: no corpus" and pass.
//!
//! | what is proven | file |
//! |---|---|
//! | every PDF is taken in or refused in one line; the layer is what a second reader reads | `corpus_ingest` |
//! | a citation made from a span verifies; a changed one fails, for the right reason | `corpus_spans` |
//! | quotes as another extractor writes them are placed where they came from, or called ambiguous | `corpus_placing` |
//! | sections are those of the outline, found without it; every clause of a tender and two procedures, and nothing else | `corpus_sections` |
//! | tables with truth are found; none loses a row without being held | `corpus_tables` |
//! | boxes lie on their page and lead back to their text; odd pages do not bring the renderer down | `corpus_boxes` |
//! | quotes of other extractors are found again, changed and removed ones are not | `corpus_locate` |
//! | rectangles cover the ink of their glyphs, as a second reader draws it, and lead back to their spans | `corpus_measure`, `corpus_ink` |
//! | a selection dragged down one column does not take the other | `corpus_order` |
//! | between two revisions the sections of the answer key changed, and no other; lost pages are no removals | `corpus_revisions` |
//! | words stand where an independent reading found them | `corpus_tokens` |
//! | all of it in full, written down: `make corpus` | `corpus_table` |
//!
//! Deliberately not here: speed (but finding quotes again has its bench here), the window.

mod corpus_boxes;
mod corpus_documents;
mod corpus_fold;
mod corpus_ingest;
mod corpus_ink;
mod corpus_locate;
mod corpus_measure;
mod corpus_order;
mod corpus_placing;
mod corpus_revisions;
mod corpus_sections;
mod corpus_spans;
mod corpus_table;
mod corpus_tables;
mod corpus_tokens;

/// What a journey answers: nothing, or what went wrong on the way.
pub(crate) type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Draws for these tests, from a fixed seed, so that a failure can be repeated.
pub(crate) struct Dice(pincite_tests::Chance);

impl Dice {
    /// Seeded by a number and a name, so that one document's draws do not move when another one joins the corpus.
    pub(crate) fn named(seed: u64, name: &str) -> Self {
        let mixed = |state: u64, byte: u8| pincite_tests::Chance::new(state ^ u64::from(byte)).number();
        Self(pincite_tests::Chance::new(name.bytes().fold(seed, mixed)))
    }

    /// A whole number below `end`; 0 where that is 0. (The bias of the remainder is far below what these tests see.)
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.0.below(end as u64)).unwrap_or(0)
    }

    /// A length from `least` to `most`, its logarithm uniform.
    pub(crate) fn log_uniform(&mut self, least: usize, most: usize) -> usize {
        let share = self.below(1 << 30) as f64 / f64::from(1 << 30);
        let (low, high) = ((least as f64).ln(), (most as f64 + 1.0).ln());
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between least and most"
        )]
        let length = (low + share * (high - low)).exp() as usize;
        length.clamp(least, most)
    }

    /// One of several.
    pub(crate) fn one_of<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices.get(self.below(choices.len())).copied().unwrap_or_default()
    }
}
