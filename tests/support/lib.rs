//! What every proof needs: the programs under test, a world of their own to run them in, the source tree, the corpus.
//!
//! A test says what it expects by panicking; that is why this crate may, and the others may not.
//!
//! Deliberately not here: anything that knows what Pincite means. Expectations stand in the tests.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a proof that can't go on says so by panicking"
)]

pub mod bucket;
pub mod chance;
pub mod corpus;
pub mod database;
pub mod postgres;
pub mod programs;
pub mod tree;
pub mod world;

pub use chance::Chance;
pub use world::{Answer, World};
