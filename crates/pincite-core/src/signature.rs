//! Signatures on records: who signed what, with which meaning, bound to the record's bytes.
//!
//! Signed with Ed25519 (RFC 8032) by a key that is made of the person's password and is never kept, so that nobody who can write
//! to the database, or read all of it, can sign in another's name; and whoever changes a record afterwards breaks its signature.
//!
//! Deliberately not here: making keys of passwords and keeping signatures (`pincite-app`), and which records need one.

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

/// What a signature means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// I read it against the document.
    Reviewed,
    /// I agree that it takes effect.
    Approved,
    /// I answer for it.
    Responsible,
}

impl Meaning {
    /// Every meaning.
    pub const ALL: [Self; 3] = [Self::Reviewed, Self::Approved, Self::Responsible];

    /// As it is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Reviewed => "reviewed",
            Self::Approved => "approved",
            Self::Responsible => "responsible",
        }
    }

    /// The meaning of this name.
    #[must_use]
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|meaning| meaning.name() == name)
    }
}

/// What somebody signs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The workspace's id.
    pub workspace: String,
    /// What kind of record, such as `decision`.
    pub kind: String,
    /// The record's id.
    pub subject: String,
    /// The SHA-256 of the record's bytes.
    pub record: [u8; 32],
    /// Whose signature it is.
    pub account: String,
    /// What it means.
    pub meaning: Meaning,
    /// When, in milliseconds since 1970 UTC, by the database's clock.
    pub signed_at: i64,
}

impl Statement {
    /// What is signed: every part with its length in front, so that no two statements write the same bytes.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        crate::audit::parts(&[
            b"pincite-signature-1",
            self.workspace.as_bytes(),
            self.kind.as_bytes(),
            self.subject.as_bytes(),
            &self.record,
            self.account.as_bytes(),
            self.meaning.name().as_bytes(),
            &self.signed_at.to_be_bytes(),
        ])
    }

    /// Signs it. `secret` is the private half of an Ed25519 key.
    #[must_use]
    pub fn sign(&self, secret: &[u8; 32]) -> [u8; 64] {
        SigningKey::from_bytes(secret).sign(&self.bytes()).to_bytes()
    }

    /// Whether this key signed exactly this. Whether the key is the account's is another question.
    #[must_use]
    pub fn is_signed(&self, public_key: &[u8; 32], signature: &[u8; 64]) -> bool {
        VerifyingKey::from_bytes(public_key).is_ok_and(|key| {
            key.verify_strict(&self.bytes(), &Signature::from_bytes(signature))
                .is_ok()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::public_key;

    fn statement() -> Statement {
        Statement {
            workspace: "w".into(),
            kind: "decision".into(),
            subject: "d".into(),
            record: [3; 32],
            account: "ada".into(),
            meaning: Meaning::Reviewed,
            signed_at: 1_700_000_000_000,
        }
    }

    #[test]
    fn a_signature_holds_for_its_statement_and_for_nothing_else() {
        let (one, secret) = (statement(), [7; 32]);
        let (key, signature) = (public_key(&secret), one.sign(&secret));
        assert!(one.is_signed(&key, &signature));
        let others = [
            Statement {
                workspace: "v".into(),
                ..statement()
            },
            Statement {
                kind: "threshold".into(),
                ..statement()
            },
            Statement {
                subject: "e".into(),
                ..statement()
            },
            Statement {
                record: [4; 32],
                ..statement()
            },
            Statement {
                account: "bea".into(),
                ..statement()
            },
            Statement {
                meaning: Meaning::Approved,
                ..statement()
            },
            Statement {
                signed_at: 1,
                ..statement()
            },
            // The same bytes in a row, cut elsewhere.
            Statement {
                kind: "decisiond".into(),
                subject: String::new(),
                ..statement()
            },
        ];
        for other in others {
            assert!(!other.is_signed(&key, &signature), "{other:?}");
        }
        assert!(!one.is_signed(&public_key(&[8; 32]), &signature));
        assert!(
            Meaning::ALL
                .into_iter()
                .all(|meaning| Meaning::of_name(meaning.name()) == Some(meaning))
        );
    }
}
