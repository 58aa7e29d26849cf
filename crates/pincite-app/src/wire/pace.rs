//! A reviewer's own pace, for that reviewer alone.
//!
//! Deliberately not here: anybody else's pace, a target, a rank. A number that people are compared by rewards haste.

use super::queue::DecisionView;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How long somebody's decisions took.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PaceOf {
    /// How many were timed.
    pub n: u32,
    /// The median of their active milliseconds; null where they are too few to say.
    pub median_milliseconds: Option<u32>,
}

/// A reviewer's own pace, and the decisions of theirs that are set aside.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct PaceView {
    /// Decisions since local midnight.
    pub today: PaceOf,
    /// The last ones before that.
    pub usual: PaceOf,
    /// Accepts under the floor in incidents of theirs that nobody has resolved.
    pub fast_accepts: u32,
    /// Every decision that is set aside with them, in the order made, as far as the item still rests on it.
    pub set_aside: Vec<DecisionView>,
}
