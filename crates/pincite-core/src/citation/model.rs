//! The citation as it travels: a published format, so its keys stay.
//!
//! Deliberately not here: whether the citation holds. An imported `quote_verified` is a claim and is not even read.

use serde::{Deserialize, Serialize};

/// A pointer to one place in one document, as it is given. Nothing in it is trusted before [`super::verify()`] said so:
/// offsets may be absent, negative or past the end.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Citation {
    /// The citation's own id, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The logical document.
    pub doc_id: String,
    /// SHA-256 of the bytes cited, 64 lower-case hexadecimal digits.
    pub doc_sha256: String,
    /// The text layer that the offsets count in; none means the default layer of these bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layer_sha256: Option<String>,
    /// The structure that the locator is of; none means the default structure of the layer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub structure_id: Option<String>,
    /// Where the document itself says that this is, such as `12.1.a`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locator: Option<String>,
    /// Page of `char_start`, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<i64>,
    /// First code point of the quote in the layer, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub char_start: Option<i64>,
    /// The code point after the quote's last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub char_end: Option<i64>,
    /// The text as it was read.
    #[serde(default)]
    pub quote: String,
    /// Text right before the quote, to tell equal quotes apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefix: Option<String>,
    /// Text right after the quote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suffix: Option<String>,
}
