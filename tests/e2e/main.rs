//! The real window: WebKit under Xvfb, driven through WebKitWebDriver as a person drives it, looked at on its pixels.
//!
//! Deliberately not here: a stand-in for any part. The binary is the one that people get.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a proof that can't go on says so by panicking"
)]

mod accessibility;
mod away;
mod bench;
mod corpus;
mod hundred;
mod journey;
mod pictures;
mod pixels;
mod screens;
mod team;
mod together;
mod window;
