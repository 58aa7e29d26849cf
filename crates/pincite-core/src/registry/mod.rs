//! The registry: what was in force of a document, and what was known of it, on any two dates.
//!
//! A [`History`] holds the revisions of one document with their sections and events. Everything asked of it is a function
//! of two dates: the day that the question is about (`valid_at`) and the moment whose knowledge answers it (`known_at`, no
//! bound where none is given). Nothing is in force by a flag, and no label of a revision is ever compared: content decides.
//!
//! | question | file |
//! |---|---|
//! | what a revision is, and which histories are refused | `history` |
//! | what is in force of a section, since when and until when | `as_of` |
//! | where a revision is in its life | `lifecycle` |
//! | what a cited section of cited bytes is worth | `standing` |
//! | whether an answer may cite it | `gate` |
//! | what the index has not caught up with | `lag` |
//! | whether a share of stale citations has jumped | `rates` |
//! | which section of one revision is which of the next | `sides`, `pairing` |
//! | what became of each | `difference`, `words` |
//! | keys, hashes and unsettled changes of a later revision | `carrying` |
//! | what a document says of its own revision | `proposals` |
//!
//! Deliberately not here: keeping any of it, the clock and the time zone (a day given for `known_at` is turned into its
//! last millisecond by whoever knows the zone), manifests, owners, groups, scope.

pub mod as_of;
pub mod carrying;
pub mod difference;
pub mod gate;
pub mod history;
pub mod lag;
pub mod lifecycle;
pub mod pairing;
pub mod proposals;
pub mod rates;
pub mod sides;
pub mod standing;
pub mod words;

pub use as_of::{AsOf, Period, Stretch};
pub use carrying::{Differing, came_back, carried_versions, differing, first_versions, keys_carried, later_versions};
pub use difference::{Change, Difference, SectionChange, compare, diff};
pub use gate::{Gate, Mode, Verdict, dedup_to_current, gate, verdict};
pub use history::{Doubt, Event, EventKind, History, HistoryFault, Revision, SectionVersion};
pub use lag::{HeldAccess, Lag, access_waits_since, lag};
pub use lifecycle::Lifecycle;
pub use pairing::{Pairing, pair};
pub use rates::{Jump, JumpRule, OutOf, jump};
pub use sides::Side;
pub use standing::{Cited, Standing};
pub use words::{Piece, words};

#[cfg(test)]
mod carrying_tests;
#[cfg(test)]
mod cases_tests;
#[cfg(test)]
mod difference_property_tests;
#[cfg(test)]
mod difference_tests;
#[cfg(test)]
mod history_tests;
#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod speed_tests;
