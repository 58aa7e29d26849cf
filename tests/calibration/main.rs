//! How fast the calibration desk's figures are: from arrays in memory beside pandas and scikit-learn, and from a workspace that
//! holds a million decisions.
//!
//! Deliberately not here: whether the figures are right (the core's own tests, against a known truth and other programs), and
//! whether kept sums are those of a recount (`pincite-app`'s).

#![expect(clippy::expect_used, reason = "a proof that can't go on says so by panicking")]

mod arrays;
mod desk;
