//! What every word of Pincite means, as pure functions over plain types.
//!
//! This crate decides: whether a citation still holds, what a field record may show, which item a reviewer sees next,
//! what the decisions say about an extractor. The document is the truth; everything here is a pointer into it or a
//! claim about what the pointer says.
//!
//! Deliberately not here: input and output, clocks, randomness, async, databases, PDFium. Dates, ids and seeds are
//! arguments. Types that *are* a published format (citation, record, decision) derive serde; nothing else does.

pub mod access;
pub mod agreement;
pub mod answers;
pub mod audit;
pub mod calibration;
pub mod checkpoint;
pub mod citation;
pub mod claims;
pub mod locate;
pub mod queue;
pub mod record;
pub mod registry;
pub mod signature;
pub mod structure;
pub mod sweep;
pub mod text;

/// The SHA-256 of some bytes.
#[must_use]
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    use sha2::Digest as _;
    sha2::Sha256::digest(bytes).into()
}

/// The lower-case hexadecimal SHA-256 of some bytes: the name of a version, a layer, a structure, a catalogue.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex(&sha256(bytes))
}

/// Bytes as lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes
        .iter()
        .fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        })
}
