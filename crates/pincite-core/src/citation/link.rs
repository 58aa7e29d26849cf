//! `pincite://` links: one place, or one record, citation or answer, as an address that survives a mail.
//!
//! ```text
//! link    = "pincite://open?" pair *( "&" pair )
//! pair    = key "=" value          ; value percent-encoded UTF-8, "+" stands for itself
//! key     = "doc" | "version" | "layer" | "structure" | "start" | "end" | "page" | "locator"   ; a place
//!         | "record" | "citation" | "answer"                                                    ; a thing by its id
//! ```
//! A place needs `doc`, `version`, `start` and `end`; offsets are code points of `layer` (none: the default layer).
//! Unknown keys are ignored, so that a newer program's link still opens; a key given twice is refused.
//!
//! Deliberately not here: the quote. A link is seen by mail servers; it names a place and never carries the text.

use std::collections::BTreeMap;
use std::fmt;

/// What a link opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Link {
    /// A span of one version.
    Place {
        /// The logical document.
        doc_id: String,
        /// SHA-256 of the bytes.
        doc_sha256: String,
        /// The layer the offsets count in; none means the default one.
        layer_sha256: Option<String>,
        /// The structure the locator is of.
        structure_id: Option<String>,
        /// First code point, from 0.
        start: u32,
        /// The code point after the last.
        end: u32,
        /// Page of `start`, from 1.
        page: Option<u32>,
        /// The document's own name for the place.
        locator: Option<String>,
    },
    /// A field record by its id.
    Record(String),
    /// A stored citation by its id.
    Citation(String),
    /// A stored answer by its id.
    Answer(String),
}

/// Why a text is not a link.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// Another scheme or action.
    #[error("not a pincite link: it must begin with \"pincite://open?\"")]
    Scheme,
    /// A key without a value, twice, or one that can't be read.
    #[error("the link's \"{0}\" can't be read: give it once, with a percent-encoded value")]
    Pair(String),
    /// Something a place needs is missing.
    #[error("the link names no \"{0}\": a place needs doc, version, start and end")]
    Missing(&'static str),
    /// The offsets are not in order.
    #[error("the link's end lies before its start")]
    Order,
}

const HEAD: &str = "pincite://open?";

impl std::str::FromStr for Link {
    type Err = LinkError;

    fn from_str(text: &str) -> Result<Self, LinkError> {
        let query = text.trim().strip_prefix(HEAD).ok_or(LinkError::Scheme)?;
        let mut pairs: BTreeMap<&str, String> = BTreeMap::new();
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let (key, value) = pair.split_once('=').ok_or_else(|| LinkError::Pair(pair.to_owned()))?;
            let value = decode(value).ok_or_else(|| LinkError::Pair(key.to_owned()))?;
            if pairs.insert(key, value).is_some() {
                return Err(LinkError::Pair(key.to_owned()));
            }
        }
        if let Some(id) = pairs.remove("record") {
            return Ok(Self::Record(id));
        }
        if let Some(id) = pairs.remove("citation") {
            return Ok(Self::Citation(id));
        }
        if let Some(id) = pairs.remove("answer") {
            return Ok(Self::Answer(id));
        }
        let number = |pairs: &BTreeMap<&str, String>, key: &'static str| -> Result<Option<u32>, LinkError> {
            pairs
                .get(key)
                .map(|value| value.parse().map_err(|_| LinkError::Pair(key.to_owned())))
                .transpose()
        };
        let start = number(&pairs, "start")?.ok_or(LinkError::Missing("start"))?;
        let end = number(&pairs, "end")?.ok_or(LinkError::Missing("end"))?;
        if end < start {
            return Err(LinkError::Order);
        }
        Ok(Self::Place {
            page: number(&pairs, "page")?,
            doc_id: pairs.remove("doc").ok_or(LinkError::Missing("doc"))?,
            doc_sha256: pairs.remove("version").ok_or(LinkError::Missing("version"))?,
            layer_sha256: pairs.remove("layer"),
            structure_id: pairs.remove("structure"),
            locator: pairs.remove("locator"),
            start,
            end,
        })
    }
}

impl fmt::Display for Link {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(HEAD)?;
        match self {
            Self::Record(id) => write!(formatter, "record={}", encode(id)),
            Self::Citation(id) => write!(formatter, "citation={}", encode(id)),
            Self::Answer(id) => write!(formatter, "answer={}", encode(id)),
            Self::Place {
                doc_id,
                doc_sha256,
                layer_sha256,
                structure_id,
                start,
                end,
                page,
                locator,
            } => {
                write!(formatter, "doc={}&version={}", encode(doc_id), encode(doc_sha256))?;
                for (key, value) in [("layer", layer_sha256), ("structure", structure_id)] {
                    if let Some(value) = value {
                        write!(formatter, "&{key}={}", encode(value))?;
                    }
                }
                write!(formatter, "&start={start}&end={end}")?;
                if let Some(page) = page {
                    write!(formatter, "&page={page}")?;
                }
                if let Some(locator) = locator {
                    write!(formatter, "&locator={}", encode(locator))?;
                }
                Ok(())
            }
        }
    }
}

fn encode(text: &str) -> String {
    use fmt::Write as _;
    text.bytes()
        .fold(String::with_capacity(text.len()), |mut encoded, byte| {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
                encoded.push(char::from(byte));
            } else {
                let _ = write!(encoded, "%{byte:02X}");
            }
            encoded
        })
}

fn decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next()?, rest.next()?];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bad_links_say_what_is_wrong() {
        for (text, error) in [
            ("http://open?doc=a", LinkError::Scheme),
            ("pincite://open?doc=a&version=b&end=4", LinkError::Missing("start")),
            ("pincite://open?version=b&start=0&end=4", LinkError::Missing("doc")),
            ("pincite://open?doc=a&doc=b", LinkError::Pair("doc".into())),
            ("pincite://open?doc=%zz", LinkError::Pair("doc".into())),
            ("pincite://open?doc=a&version=b&start=5&end=4", LinkError::Order),
            (
                "pincite://open?doc=a&version=b&start=-5&end=4",
                LinkError::Pair("start".into()),
            ),
        ] {
            assert_eq!(text.parse::<Link>(), Err(error), "{text}");
        }
        assert_eq!(
            "pincite://open?record=r%201&new=1".parse(),
            Ok(Link::Record("r 1".into()))
        );
    }

    proptest! {
        #[test]
        fn links_come_back_as_they_were(doc in "\\PC{1,12}", locator in proptest::option::of("\\PC{1,20}"), start in 0_u32..9999, length in 0_u32..99, page in proptest::option::of(1_u32..500)) {
            let link = Link::Place { doc_id: doc, doc_sha256: "ab".repeat(32), layer_sha256: None, structure_id: Some("s".into()), start, end: start + length, page, locator };
            prop_assert_eq!(link.to_string().parse::<Link>(), Ok(link));
        }
    }
}
