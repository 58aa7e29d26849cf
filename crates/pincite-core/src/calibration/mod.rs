//! What the decisions say about an extractor: how often it is right at which confidence, from where on it may be shown, and
//! what reviewing the rest costs.
//!
//! Confidence is a self-report; only people's decisions make it mean something. [`weights`] undoes the bias of what was
//! reviewed, [`curve`] groups labels into one curve for each (field, model, prompt version), [`mod@bins`] measures one curve,
//! [`thresholds`] finds where the measured error is low enough, [`mod@workload`] counts items, hours and errors. [`interval`]
//! holds the statistics they share.
//!
//! Deliberately not here: closed cohorts (the caller hands in the candidates of the periods it wants), the anytime-valid test
//! (see [`thresholds`]), and reading decisions from anywhere.

pub mod bins;
pub mod curve;
pub mod interval;
pub mod thresholds;
pub mod weights;
pub mod workload;

pub use bins::{BIN_LEVEL, Bin, BinEdges, BinEdgesError, Label, bins, brier, ece, effective_count};
pub use curve::{
    CandidateLabel, Curve, CurveCandidate, CurveKey, CurveState, CurveSubject, EXCLUDED_BY_INCIDENT,
    LEAST_EFFECTIVE_LABELS, MeasuredOn, curves, usable_labels,
};
pub use interval::{Interval, clopper_pearson, clopper_pearson_upper};
pub use thresholds::{LEVEL, Suggestion, default_grid, error_upper_bound, suggest};
pub use weights::{feeds_curves, highest_share, inclusion_probability};
pub use workload::{WorkloadBin, WorkloadRow, workload};
