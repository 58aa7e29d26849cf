//! Numbers that are drawn by hashing: the same on every machine, and redrawable by anybody.
//!
//! Each draw has a label of its own, so that what is drawn for one purpose says nothing about another. Another way of
//! hashing is another label, so that old draws can always be made again.
//!
//! Deliberately not here: a random generator, and what each draw is for.

use sha2::{Digest as _, Sha256};

/// A number in [0, 1) that depends on these parts alone.
///
/// SHA-256 over the label and the parts, each led by its length in bytes as eight bytes, highest first; the first 53 bits
/// of the hash are the number's binary places.
pub(super) fn seeded_number(label: &str, parts: &[&str]) -> f64 {
    let mut hasher = Sha256::new();
    for part in std::iter::once(&label).chain(parts) {
        hasher.update((part.len() as u64).to_be_bytes());
        hasher.update(part.as_bytes());
    }
    let hash = hasher.finalize();
    let mut first = [0_u8; 8];
    first.copy_from_slice(&hash[..8]);
    let bits = u64::from_be_bytes(first) >> 11;
    // 53 bits are exact in an f64, and so is the division by a power of two.
    #[expect(clippy::cast_precision_loss, reason = "53 bits are exact in an f64")]
    let number = bits as f64 / (1_u64 << 53) as f64;
    number
}
