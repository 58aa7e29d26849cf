//! Citations: the pointer, the question whether it holds on its own bytes, the placing of a quote that came without a
//! place, and carriage into the default layer of the same bytes.
//!
//! Deliberately not here: standing on a date. These are different questions, and an answer to one says nothing about the
//! others.

pub mod carry;
pub mod link;
pub mod model;
pub mod place;
pub mod verify;

pub use carry::{Carriage, carry};
pub use link::{Link, LinkError};
pub use model::Citation;
pub use place::{LayerIndex, Placement};
pub use verify::{Evidence, Failure, Integrity, VersionState, span_in, verify};
