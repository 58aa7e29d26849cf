//! Keeps everything: documents and what was read from them, records, the queue, decisions, settings, the audit chain.
//!
//! One function a question or a change; no rule of the domain is decided here. Every write runs in an explicit
//! transaction ([`Writing`]) whose commit is checked, and writes its audit entry in the same one. SQL is written once in
//! a form both databases, SQLite and PostgreSQL, understand (`sql`); what differs stands in `sqlite`, `postgres` and `leases`.
//!
//! Deliberately not here: wire types, the meaning of a value.

pub mod accounts;
pub mod alarms;
pub mod answers;
pub mod audit;
mod before_upgrade;
pub mod blind_entries;
pub mod blobs;
mod bucket;
pub mod changes;
pub mod content;
pub mod copy;
mod copy_text;
pub mod curve_counts;
pub mod database;
pub mod database_copy;
pub mod decisions;
pub mod documents;
mod dump;
pub mod error;
pub mod first_sight;
pub mod floors;
pub mod groups;
pub mod held_for_later;
pub mod incidents;
pub mod index_reports;
pub mod items;
pub mod layers;
pub mod leases;
mod one_state;
pub mod place;
mod postgres;
mod postgres_programs;
pub mod quarantine;
pub mod queue_counts;
pub mod reader;
pub mod reading_times;
pub mod records;
pub mod registry;
mod rows;
pub mod second_reviews;
pub mod settings;
pub mod signatures;
mod sql;
mod sqlite;
pub mod sweeps;
mod tables;
mod triggers;
mod turns;
pub mod watch;
mod write_ahead_log;

pub use blobs::Blobs;
pub use changes::Changes;
pub use database::{Actor, ChainListener, Connection, Reading, Store, Writing};
pub use error::StoreError;
pub use place::{Place, Team};
