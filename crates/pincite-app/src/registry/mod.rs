//! The registry: which bytes are which revision of a document, what happened to each, and what was in force, and known, on any two
//! dates.
//!
//! Deliberately not here: the rules themselves (`pincite_core::registry`), and who may read a document (the store, under every
//! read).

pub mod changes;
pub mod corpus;
mod histories;
pub mod identities;
pub mod index_lag;
pub mod manifest;
pub mod manifest_check;
pub mod propose;
pub mod questions;
pub mod replacement;
pub mod revisions;
pub mod scope;
mod sides;
pub mod standing;

pub use pincite_core::registry::{EventKind, Mode};
