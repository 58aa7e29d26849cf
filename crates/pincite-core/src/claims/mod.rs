//! Claims: which sentences of an answer say something that a source has to carry.
//!
//! Every other check goes through the citations that an answer has, so a sentence that cites nothing is in none of them. Coverage
//! looks at sentences instead: split an answer, leave out what frames it, and see what is left without a citation.
//!
//! Deliberately not here: whether a citation supports its claim, and what the quantities of a claim are.

mod framing;
mod sentences;

#[cfg(test)]
mod labelled_tests;

pub use framing::{Kind, kind};
pub use sentences::sentences;
