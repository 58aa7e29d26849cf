//! The sweep: a pass over every stored citation that asks, today, what each of them still resolves to.
//!
//! Six checks are six questions, and none implies another: does it **resolve**, is it **in bounds**, does the **quote match** in the
//! default layer, is its **version** current, does its text **entail** the claim, and is every claim **covered** by a citation.
//! From the first four each citation has one class, and the classes are kept apart everywhere:
//!
//! * **drifted**: the same bytes, and the quote stands at exactly one other place. It may be repaired.
//! * **superseded**: a later revision replaced the section. It stays pinned to the bytes it was made from and is never
//!   moved. The section is the one that it quotes: where its quote stands, if that is not where it is cited.
//! * **carried**: cited from another revision whose section says the same. No failure.
//!
//! Deliberately not here: reading and writing anything, and the rule by which a place holds a quote (`locate`). Entailment needs a
//! model and is never guessed; coverage is counted from claims (`answers`).

mod alarm;
mod check;
mod planner;

pub use alarm::{Alarm, AlarmKind};
pub use check::{Check, Class, Currency, Found, look};
pub use planner::{Sample, SampleRates, sample};
