//! How fast the calibration desk's figures are: from arrays in memory beside pandas and scikit-learn.
//!
//! Deliberately not here: whether the figures are right (the core's own tests, against a known truth and other programs).

#![expect(clippy::expect_used, reason = "a proof that can't go on says so by panicking")]

mod arrays;
