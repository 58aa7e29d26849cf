//! The review queue's rules: who is seen first, what is drawn for an audit, when accepting has become a reflex.
//!
//! [`order`] sorts the items; [`audit_draw`] draws the sample that anyone can draw again; [`rubber_stamp`] finds runs of
//! instant accepts; [`reason`] says under which reason an item waits; [`enter_first`] draws the items whose value is entered
//! before it is seen, [`second_review`] the decisions that another person reviews too;
//! [`reading_time`] says how long a decision took.
//!
//! Deliberately not here: leases, tokens and decisions as kept (the store has them), and the clock: times are arguments.

pub mod audit_draw;
pub mod enter_first;
pub mod order;
pub mod reading_time;
pub mod reason;
pub mod rubber_stamp;
pub mod second_review;
mod seeded;

pub use audit_draw::{AuditShares, AuditSharesError, Stratum, canonical_json, draw, is_drawn};
pub use enter_first::{enter_first_draw, is_entered_first};
pub use order::QueueKey;
pub use reading_time::{IDLE_AFTER, ReadingEvent, SegmentError, Spent, TimedEvent, spent};
pub use reason::{DecisionKind, first_reason};
pub use rubber_stamp::{
    BASELINE_LENGTH, Incident, LEAST_FLOOR, RUN_LENGTH, Spread, TimedDecision, find_incidents, floor, spread,
};
pub use second_review::{SECOND_REVIEW_SHARE, Stated, is_reviewed_twice, says_the_same, second_review_draw};
