//! What the decisions say about an extractor: how often it is right at which confidence, from where on it may be shown, and
//! what reviewing the rest costs.
//!
//! Confidence is a self-report; only people's decisions make it mean something. [`weights`] undoes the bias of what was
//! reviewed, [`mod@curve`] groups labels into one curve for each (field, model, prompt version), [`mod@tally`] counts them together,
//! [`cohorts`] keeps apart when they arrived and tells which weeks are closed,
//! [`mod@bins`] and [`errors`] measure one curve, [`monotone`] fits one that rises, [`comparison`] sets two side by side,
//! [`thresholds`] finds where the measured error is low enough, [`mod@workload`] counts items, hours and errors, [`mod@past_due`] what they leave waiting. [`interval`]
//! holds the statistics they share.
//!
//! Deliberately not here: reading decisions from anywhere, and keeping sums.

pub mod bins;
pub mod cohorts;
pub mod comparison;
pub mod curve;
pub mod errors;
pub mod interval;
pub mod monotone;
pub mod past_due;
#[cfg(test)]
mod reference_tests;
#[cfg(test)]
mod simulation_tests;
pub mod tally;
pub mod thresholds;
pub mod weights;
pub mod workload;

pub use bins::{BIN_LEVEL, Bin, BinEdges, BinEdgesError, bins};
pub use cohorts::{Cause, Closed, Cohort, Counting, Counts, CurveLabels};
pub use comparison::{Difference, differences};
pub use curve::{
    CandidateLabel, Counted, Curve, CurveCandidate, CurveKey, CurveState, CurveSubject, EXCLUDED_BY_INCIDENT,
    LEAST_EFFECTIVE_LABELS, MeasuredOn, curve, curve_labels, curves,
};
pub use errors::{Estimate, brier, ece};
pub use interval::{Interval, clopper_pearson, clopper_pearson_upper, normal_quantile};
pub use monotone::rising;
pub use past_due::{QueueFlow, past_due};
pub use tally::{CELLS, Label, Tally, cell_of, cell_start, effective_count, tally};
pub use thresholds::{LEVEL, Suggestion, default_grid, error_upper_bound, suggest, suggest_with_pending};
pub use weights::{feeds_curves, highest_share, inclusion_probability};
pub use workload::{WorkloadBin, WorkloadRow, workload};
