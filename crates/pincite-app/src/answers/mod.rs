//! Answers that people were given: taking them in, the gate over what they cite, reviewers' labels and the 2 x 2, the two rates.
//!
//! An answer's dates are those of its question and are frozen with it. Where it sets no `known_at` it set no bound: it is held against
//! all that is known. What it was worth when it was asked is another question, which the stale-cite rate asks (`rates`).
//!
//! Deliberately not here: making answers, and whether a claim follows from what it cites.

pub mod import;
pub mod labels;
mod lines;
mod page;
pub mod rates;
pub mod show;

pub(crate) use lines::{CLOCKS_DIFFER, object};

use crate::error::AppError;
use crate::times;
use pincite_store::answers::Asked;

/// The answers asked from one day to another, both included, where this program runs; any day where none is said.
///
/// # Errors
/// What is no day; a last day before the first.
pub fn asked(from: Option<&str>, to: Option<&str>) -> Result<Asked, AppError> {
    let asked = Asked {
        from: from
            .map(|day| times::moment(day, false))
            .transpose()?
            .unwrap_or(Asked::EVER.from),
        before: to
            .map(|day| times::moment(day, true))
            .transpose()?
            .unwrap_or(Asked::EVER.before),
    };
    match (from, to) {
        (Some(from), Some(to)) if asked.from >= asked.before => Err(AppError::bad_input(format!(
            "--to {to} lies before --from {from}: no answer was asked in between"
        ))),
        _ => Ok(asked),
    }
}
