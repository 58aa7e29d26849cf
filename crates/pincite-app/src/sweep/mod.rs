//! The sweep over every stored citation: running it, what it found, its alarms, and what reading by hand would find.
//!
//! A sweep works through versions of documents, several at a time, and keeps what it found of each in one transaction. Killed or
//! cancelled, it goes on behind the last version that it kept; nothing is counted twice.
//!
//! Deliberately not here: what a class is and when a rate rings (`pincite_core::sweep`), and moving anything.

pub mod alarms;
pub mod coverage;
mod part;
pub mod plan;
pub mod report;
mod run;

pub(crate) use part::family;
pub use run::{Wanted, run};
