//! Second reviews, what two say who differ, and agreement.
//!
//! Deliberately not here: names beside values that somebody is to settle, and figures about one person.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// What one of two reviewers says of the true value, unnamed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct StatedView {
    /// The value; null where none was stated.
    #[ts(type = "unknown")]
    pub value: Value,
    /// The same in words.
    pub text: String,
    /// Whether a value was stated.
    pub states_a_value: bool,
    /// Whether it was stated that the document has none.
    pub not_stated: bool,
}

/// What two reviewers say who differ, in an order that tells nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AdjudicationView {
    /// One of them.
    pub one: StatedView,
    /// The other.
    pub other: StatedView,
}

/// A second review, for those who look after the labels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct SecondReviewView {
    /// Its id.
    pub second_review: String,
    /// The decision it was drawn for.
    pub decision: String,
    /// The item.
    pub item: String,
    /// The field.
    pub field: String,
    /// accept, correct, reject, abstain or undo.
    pub kind: String,
    /// Who.
    pub reviewer: String,
    /// The value stated, where one was.
    #[ts(type = "unknown")]
    pub value: Value,
    /// Why, of reject and abstain.
    pub reason: Option<String>,
    /// Free text.
    pub note: Option<String>,
    /// agreed, differ or adjudicated; void where it was taken back or its decision was; waiting of an undo.
    pub state: String,
    /// Milliseconds from painted to decided; null where no window saw it.
    pub wall_milliseconds: Option<u32>,
    /// When.
    pub recorded_at: String,
}

/// How far reviewers agree about a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[ts(export)]
pub struct AgreementView {
    /// The field.
    pub field: String,
    /// Its title.
    pub title: String,
    /// Krippendorff's nominal alpha over the values entered before the candidate was seen; null where it rests on too few
    /// pairs, or chance would agree as well.
    pub alpha: Option<f64>,
    /// Pairs of such values of the same item.
    pub pairs: u32,
    /// Of these, pairs that are the same.
    pub pairs_same: u32,
    /// How many pairs more alpha needs; 0 where it is stated.
    pub pairs_short: u32,
    /// Second reviews that stand, whether the candidate was seen first or not.
    pub second_reviews: u32,
    /// Of these, those that say the same as the decision.
    pub agreed: u32,
    /// Their share; null where there is none.
    pub share_agreed: Option<f64>,
    /// Differences that a third settled.
    pub adjudicated: u32,
    /// Differences that wait for a third.
    pub to_adjudicate: u32,
    /// Decisions that wait for a second review.
    pub waiting: u32,
}
