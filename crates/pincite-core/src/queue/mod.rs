//! The review queue's rules: who is seen first, what is drawn for an audit, when accepting has become a reflex.
//!
//! [`order`] sorts the items; [`audit_draw`] draws the sample that anyone can draw again; [`rubber_stamp`] finds runs of
//! instant accepts; [`reason`] says under which reason an item waits.
//!
//! Deliberately not here: leases, tokens and decisions as kept (the store has them), and the clock: times are arguments.

pub mod audit_draw;
pub mod order;
pub mod reason;
pub mod rubber_stamp;

pub use audit_draw::{AuditShares, AuditSharesError, Stratum, canonical_json, draw, is_drawn};
pub use order::QueueKey;
pub use reason::{DecisionKind, first_reason};
pub use rubber_stamp::{
    BASELINE_LENGTH, Incident, LEAST_FLOOR, RUN_LENGTH, Spread, TimedDecision, find_incidents, floor, spread,
};
