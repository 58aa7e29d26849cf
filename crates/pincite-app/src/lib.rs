//! What Pincite does: one use case, one function. The command line and the window both call these and nothing else.
//!
//! A use case fetches through the edges (`pincite-store`, `pincite-pdf`), asks `pincite-core` what is so, writes in one
//! transaction with its audit entry, and answers in [`wire`] types.
//!
//! Deliberately not here: SQL, PDFium, anything about windows or terminals, and decisions of the domain.

pub mod accounts;
pub mod agreement;
pub mod anchors;
pub mod answers;
pub mod audit;
pub mod audit_page;
pub mod backup;
mod backup_manifest;
mod beside;
pub mod calibrate;
pub mod checks;
pub mod comparison;
pub mod demo;
pub mod documents;
pub mod enter_first;
pub mod error;
pub mod evidence;
pub mod export;
pub mod extract;
pub mod fields;
mod files;
pub mod first_sight;
mod floors;
mod foreign;
pub mod formats;
pub mod groups;
pub mod holds;
pub mod import;
pub mod incidents;
pub mod ingest;
pub mod intake;
pub mod items;
mod kept_document;
pub mod layers;
pub mod lines;
mod listing;
pub mod loaded;
pub mod locate;
pub mod markdown;
pub mod markup;
pub mod moving;
pub mod pace;
pub mod ports;
pub mod quarantine;
pub mod queue;
pub mod reading_times;
pub mod registry;
pub mod render;
pub mod restore;
pub mod routing;
pub mod second_review;
pub mod settings;
pub mod signing;
pub mod sweep;
pub mod text_source;
pub mod thresholds;
pub mod times;
pub mod trust;
mod unfinished;
pub mod value_text;
pub mod values;
pub mod verify;
pub mod watch;
pub mod wire;
pub mod workspace;

pub use error::AppError;
pub use pincite_core::access;
pub use ports::{NoProgress, Progress};
pub use workspace::Workspace;
