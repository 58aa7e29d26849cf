//! What crosses to the window and to scripts: plain data with names that stay.
//!
//! Pages count from 1; offsets are code points, end exclusive; rectangles are points in the displayed page, origin top
//! left; times are RFC 3339 with offset; durations are milliseconds; shares are 0 to 1. The command line prints these as
//! JSON and the window gets them as generated TypeScript, so that there is one shape of each.
//!
//! Deliberately not here: rows of the database, and anything that decides.

pub mod answer;
pub mod calibration;
pub mod document;
pub mod error;
pub mod evidence;
pub mod incident;
pub mod intake;
pub mod layer;
pub mod pace;
pub mod person;
pub mod queue;
pub mod reading;
pub mod registry;
pub mod second_review;
pub mod sweep;
pub mod watch;
pub mod workspace;

pub use answer::*;
pub use calibration::*;
pub use document::*;
pub use error::*;
pub use evidence::*;
pub use incident::*;
pub use intake::*;
pub use layer::*;
pub use pace::*;
pub use person::*;
pub use queue::*;
pub use reading::*;
pub use registry::*;
pub use second_review::*;
pub use sweep::*;
pub use watch::*;
pub use workspace::*;
