//! Curves, thresholds, workload: numbers that the core computed, for charts that only draw.
//!
//! Deliberately not here: an estimate, or a default that stands for one; what was not measured is null.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// One bin of confidence, `[from, to)`, the last one closed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct BinView {
    /// From this confidence.
    pub from: f64,
    /// To this one.
    pub to: f64,
    /// Labels.
    pub n: u32,
    /// Labels after weighting.
    pub n_effective: f64,
    /// Share right; null where the bin is empty.
    pub right: Option<f64>,
    /// Mean confidence.
    pub mean_confidence: Option<f64>,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// Share right of the nearest curve that rises with confidence.
    pub rising: Option<f64>,
    /// Share right if everything that was drawn and is not decided turned out wrong.
    pub worst_right: Option<f64>,
    /// Lower end of its 95 % interval.
    pub worst_low: Option<f64>,
}

/// Where a figure lies.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct IntervalView {
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// How much more often the second of two extractors is right in one bin, `[from, to)`, the last one closed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct BinDifferenceView {
    /// From this confidence.
    pub from: f64,
    /// To this one.
    pub to: f64,
    /// Share right of the second minus that of the first, -1 to 1; null where either bin is empty.
    pub difference: Option<f64>,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

/// The share of each kind of outcome that is drawn for an audit, over 0 and at most 1. One setting for every field.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AuditSharesView {
    /// Of what is shown plainly.
    pub show: f64,
    /// Of what is shown with a badge.
    pub flag: f64,
    /// Of what is answered with "not stated".
    pub abstain: f64,
}

/// Whether a curve can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[ts(export)]
#[serde(rename_all = "snake_case")]
pub enum CurveState {
    /// Enough labels.
    Calibrated,
    /// The thresholds in force were measured on another model or prompt.
    Stale,
    /// Not enough labels yet.
    NeedsLabels,
}

/// The curve of one field, model and prompt version, of present or of absent records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct CurveView {
    /// The field.
    pub field: String,
    /// Its title.
    pub title: String,
    /// Whether a wrong value disqualifies.
    pub hard: bool,
    /// The extractor's model.
    pub model: String,
    /// Its prompt version.
    pub prompt_version: String,
    /// present or absent.
    pub of: String,
    /// Whether it can be used.
    pub state: CurveState,
    /// Labels in all bins: those of closed weeks, or, where none is closed yet, all.
    pub labels: u32,
    /// Of these, from audits.
    pub audit_labels: u32,
    /// Labels after weighting.
    pub labels_effective: f64,
    /// How many labels more until it is calibrated.
    pub labels_short: u32,
    /// From the lowest confidence up.
    pub bins: Vec<BinView>,
    /// Expected calibration error.
    pub ece: Option<f64>,
    /// Where it lies.
    pub ece_interval: Option<IntervalView>,
    /// Brier score.
    pub brier: Option<f64>,
    /// Where it lies.
    pub brier_interval: Option<IntervalView>,
    /// How many weeks with labels are closed: everything drawn from what was first routed in them is decided. Where it is 0, the
    /// estimate rests on whatever is decided.
    pub closed_cohorts: u32,
    /// How many weeks have something that waits.
    pub open_cohorts: u32,
    /// The Monday (UTC) on which the oldest of these began, a date.
    pub open_since: Option<String>,
    /// Labels of open weeks that are not in the estimate until these are closed.
    pub labels_waiting: u32,
    /// Drawn or queued and not yet decided.
    pub pending: u32,
    /// Labels that nobody looked at: derived from a decision on another candidate.
    pub derived: u32,
    /// Records that say nothing about confidence, by cause.
    pub excluded: BTreeMap<String, u32>,
    /// The error accepted for showing.
    pub max_error: Option<f64>,
    /// The error accepted for showing with a badge.
    pub max_error_flag: Option<f64>,
    /// The thresholds in force for this curve.
    pub threshold: Option<ThresholdView>,
}

/// Thresholds with what they rest on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct ThresholdView {
    /// The field.
    pub field: String,
    /// The extractor's model.
    pub model: String,
    /// Its prompt version.
    pub prompt_version: String,
    /// Shown without a badge from here; null: nothing is.
    pub tau_show: Option<f64>,
    /// Shown with a badge from here.
    pub tau_flag: Option<f64>,
    /// Upper bound of the error at or above tau_show.
    pub error_upper: Option<f64>,
    /// Level of that bound.
    pub level: f64,
    /// About how many labels more until something passes.
    pub labels_needed: Option<u32>,
    /// At or above which confidence these labels have to be.
    pub labels_from: Option<f64>,
    /// By about when, at the present rate.
    pub expected_by: Option<String>,
    /// When it was set; null for a suggestion.
    pub set_at: Option<String>,
    /// Who set it.
    pub set_by: Option<String>,
    /// Why.
    pub why: Option<String>,
    /// Measured on another model or prompt version than the records now use.
    pub stale: bool,
}

/// What one threshold would cost and show.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct WorkloadView {
    /// The threshold.
    pub tau: f64,
    /// Share of records queued, audits included.
    pub share: f64,
    /// Items a day.
    pub items_per_day: f64,
    /// Reviewer hours a day.
    pub hours_per_day: f64,
    /// Errors shown a day.
    pub errors_per_day: f64,
    /// Items that would wait past their due time in fourteen days, at the pace of the fourteen days before; null where nothing
    /// was decided in them, or no item has a due time.
    pub past_due_in_14_days: Option<f64>,
}
