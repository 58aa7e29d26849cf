//! Citations: the pointer, the question whether it holds on its own bytes, and the placing of a quote that came without
//! a place.
//!
//! Deliberately not here: carriage into another layer and standing on a date; they are different questions, and an
//! answer to one says nothing about the others.

pub mod link;
pub mod model;
pub mod place;
pub mod verify;

pub use link::{Link, LinkError};
pub use model::Citation;
pub use place::{LayerIndex, Placement};
pub use verify::{Evidence, Failure, Integrity, VersionState, span_in, verify};
