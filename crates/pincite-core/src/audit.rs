//! The audit chain: what one entry commits to, and how each entry commits to the one before.
//!
//! An entry's hash covers the previous hash and every field, each with its length in front, so that no two different
//! entries write the same bytes. The payload (old and new value, free text) is committed to by a salted hash and stored
//! apart: erasing a payload leaves the chain whole.
//!
//! Deliberately not here: keeping the chain (`pincite-store`), signing its head.

use sha2::{Digest as _, Sha256};

/// The hash that the first entry names as its predecessor.
pub const GENESIS: [u8; 32] = [0; 32];

/// One change, as the chain sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Place in the chain, from 1, without gaps.
    pub seq: i64,
    /// When, in milliseconds since 1970 UTC.
    pub recorded_at: i64,
    /// The offset from UTC where it was done, such as `+01:00`.
    pub zone: String,
    /// Who did it.
    pub who: String,
    /// In what role.
    pub role: String,
    /// What was done, such as `queue.decide`.
    pub action: String,
    /// To what: the id of the thing changed.
    pub subject: String,
    /// [`commitment`] of the payload.
    pub payload: [u8; 32],
}

/// The salted commitment to a payload.
#[must_use]
pub fn commitment(salt: &[u8], payload: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    part(&mut hash, salt);
    part(&mut hash, payload);
    hash.finalize().into()
}

/// The hash of an entry that follows `previous`.
#[must_use]
pub fn entry_hash(previous: &[u8; 32], entry: &Entry) -> [u8; 32] {
    let mut hash = Sha256::new();
    part(&mut hash, b"pincite-audit-1");
    part(&mut hash, previous);
    part(&mut hash, &entry.seq.to_be_bytes());
    part(&mut hash, &entry.recorded_at.to_be_bytes());
    for text in [&entry.zone, &entry.who, &entry.role, &entry.action, &entry.subject] {
        part(&mut hash, text.as_bytes());
    }
    part(&mut hash, &entry.payload);
    hash.finalize().into()
}

/// Parts in a row, every one with its length in front, so that no two lists of parts write the same bytes.
pub(crate) fn parts(parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
        bytes.extend_from_slice(part);
    }
    bytes
}

fn part(hash: &mut Sha256, bytes: &[u8]) {
    hash.update((bytes.len() as u64).to_be_bytes());
    hash.update(bytes);
}

/// What is wrong with a chain.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChainFault {
    /// An entry is missing, doubled or out of order.
    #[error("entry {expected} is missing from the audit chain (found {found} in its place)")]
    Sequence {
        /// The number that had to come.
        expected: i64,
        /// The number that came.
        found: i64,
    },
    /// An entry's fields or predecessor do not hash to what was kept.
    #[error("entry {0} of the audit chain was altered: its hash does not follow from its content and its predecessor")]
    Altered(i64),
    /// A payload that is still there is not the one committed to.
    #[error("the payload of entry {0} of the audit chain was altered")]
    Payload(i64),
}

/// A chain being checked entry by entry, in order.
#[derive(Debug, Clone)]
pub struct ChainCheck {
    next: i64,
    head: [u8; 32],
}

impl Default for ChainCheck {
    fn default() -> Self {
        Self { next: 1, head: GENESIS }
    }
}

impl ChainCheck {
    /// Checks the next entry against its kept hash and, where the payload is still there, its salt and payload.
    ///
    /// # Errors
    /// The first [`ChainFault`] found in it.
    pub fn next(&mut self, entry: &Entry, kept: &[u8], payload: Option<(&[u8], &[u8])>) -> Result<(), ChainFault> {
        if entry.seq != self.next {
            return Err(ChainFault::Sequence {
                expected: self.next,
                found: entry.seq,
            });
        }
        let hash = entry_hash(&self.head, entry);
        if kept != hash {
            return Err(ChainFault::Altered(entry.seq));
        }
        if let Some((salt, payload)) = payload
            && commitment(salt, payload) != entry.payload
        {
            return Err(ChainFault::Payload(entry.seq));
        }
        self.head = hash;
        self.next += 1;
        Ok(())
    }

    /// How many entries passed, and the hash of the last one.
    #[must_use]
    pub const fn head(&self) -> (i64, [u8; 32]) {
        (self.next - 1, self.head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(seq: i64, who: &str, role: &str) -> Entry {
        Entry {
            seq,
            recorded_at: 1_700_000_000_000 + seq,
            zone: "+01:00".into(),
            who: who.into(),
            role: role.into(),
            action: "queue.decide".into(),
            subject: "item-1".into(),
            payload: commitment(b"salt", b"payload"),
        }
    }

    #[test]
    fn every_alteration_is_found() {
        let first = entry(1, "ada", "reviewer");
        let second = entry(2, "ada", "reviewer");
        let first_hash = entry_hash(&GENESIS, &first);
        let second_hash = entry_hash(&first_hash, &second);
        let mut chain = ChainCheck::default();
        assert_eq!(chain.next(&first, &first_hash, Some((b"salt", b"payload"))), Ok(()));
        assert_eq!(
            chain.clone().next(&entry(3, "ada", "reviewer"), &second_hash, None),
            Err(ChainFault::Sequence { expected: 2, found: 3 })
        );
        assert_eq!(
            chain.clone().next(&entry(2, "adar", "eviewer"), &second_hash, None),
            Err(ChainFault::Altered(2))
        );
        assert_eq!(
            chain.clone().next(&second, &second_hash, Some((b"salt", b"other"))),
            Err(ChainFault::Payload(2))
        );
        assert_eq!(chain.next(&second, &second_hash, None), Ok(()));
        assert_eq!(chain.head(), (2, second_hash));
    }
}
