//! Checkpoints of the audit chain: how long it was and what its last entry hashed to, signed, to be kept where whoever changes
//! the database can't reach.
//!
//! The chain alone shows that an entry was changed. It can't show that its end was cut off, that all of it was written anew, or
//! that an older copy of the database was put back: a checkpoint does. Signed with Ed25519 (RFC 8032), so that whoever finds the
//! file with checkpoints can't make one either.
//!
//! Deliberately not here: making and keeping keys and files (`pincite-app`).

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

/// How far a chain was at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    /// The id of the workspace whose chain it is.
    pub workspace: String,
    /// How many entries it had; over 0.
    pub entries: i64,
    /// The hash of the last of them.
    pub head: [u8; 32],
    /// When that was written, in milliseconds since 1970 UTC, by the database's clock.
    pub recorded_at: i64,
}

/// A checkpoint with its signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedCheckpoint {
    /// What is signed.
    pub checkpoint: Checkpoint,
    /// The public half of the key.
    pub public_key: [u8; 32],
    /// Over [`Checkpoint::bytes`].
    pub signature: [u8; 64],
}

impl Checkpoint {
    /// What is signed: every part with its length in front, so that no two checkpoints write the same bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        crate::audit::parts(&[
            b"pincite-checkpoint-1",
            self.workspace.as_bytes(),
            &self.entries.to_be_bytes(),
            &self.head,
            &self.recorded_at.to_be_bytes(),
        ])
    }

    /// Signs it. `secret` is the private half of an Ed25519 key, 32 random bytes.
    #[must_use]
    pub fn sign(self, secret: &[u8; 32]) -> SignedCheckpoint {
        let key = SigningKey::from_bytes(secret);
        let signature = key.sign(&self.bytes()).to_bytes();
        SignedCheckpoint {
            checkpoint: self,
            public_key: key.verifying_key().to_bytes(),
            signature,
        }
    }
}

impl SignedCheckpoint {
    /// Whether the key that it names signed exactly this. Whether that key is to be trusted is another question.
    #[must_use]
    pub fn is_signed(&self) -> bool {
        VerifyingKey::from_bytes(&self.public_key).is_ok_and(|key| {
            key.verify_strict(&self.checkpoint.bytes(), &Signature::from_bytes(&self.signature))
                .is_ok()
        })
    }
}

/// The public half of a key.
#[must_use]
pub fn public_key(secret: &[u8; 32]) -> [u8; 32] {
    SigningKey::from_bytes(secret).verifying_key().to_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        Checkpoint {
            workspace: "w".into(),
            entries: 12,
            head: [3; 32],
            recorded_at: 1_700_000_000_000,
        }
    }

    #[test]
    fn what_was_signed_holds_and_nothing_else() {
        let signed = checkpoint().sign(&[7; 32]);
        assert!(signed.is_signed());
        assert_eq!(signed.public_key, public_key(&[7; 32]));
        let mut others = vec![signed.clone(); 6];
        others[0].checkpoint.workspace = "v".into();
        others[1].checkpoint.entries = 13;
        others[2].checkpoint.head[31] ^= 1;
        others[3].checkpoint.recorded_at += 1;
        others[4].public_key = public_key(&[8; 32]);
        others[5].signature[0] ^= 1;
        for other in others {
            assert!(!other.is_signed(), "{other:?}");
        }
    }

    #[test]
    fn the_signature_is_that_of_the_standard() {
        // RFC 8032, section 7.1, test 1: the secret key and its public half.
        let secret = hex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60");
        let public = hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
        assert_eq!(public_key(&secret), public);
    }

    fn hex(text: &str) -> [u8; 32] {
        std::array::from_fn(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap_or_default())
    }
}
