//! Integrity: does a citation hold on its own bytes, its own layer, its own structure?
//!
//! The checks run in one order and the first that fails names the reason, so that a reason means the same everywhere.
//!
//! Deliberately not here: fetching the evidence, and any degree of "nearly".

use super::model::Citation;
use crate::structure::{Locator, Structure};
use crate::text::{CharSpan, Layer, VerifyFolded};
use serde::{Deserialize, Serialize};

/// Why a citation does not hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// The cited bytes were erased on purpose.
    Erased,
    /// No version with this hash is here.
    BytesUnknown,
    /// The kept bytes no longer hash to their name.
    BytesCorrupt,
    /// The version has no such layer here.
    LayerUnknown,
    /// The citation carries no offsets.
    NoOffsets,
    /// `0 <= start < end <= length` fails.
    OutOfBounds,
    /// Nothing is left of the quote under VerifyFold.
    EmptyQuote,
    /// The text between the offsets is not the quote under VerifyFold.
    QuoteMismatch,
    /// `page` is not the page of `char_start`.
    PageMismatch,
    /// The citation says a page, and the layer it counts in does not tell its pages.
    PageUnknown,
    /// The citation names a structure that is not here.
    StructureUnknown,
    /// The locator names neither the deepest section at `char_start` nor one that encloses it.
    LocatorMismatch,
}

impl Failure {
    /// The failures after which a citation points nowhere: its bytes, its layer or its span are not to be had. After any other
    /// one the place is there, and does not say what the citation claims.
    pub const UNRESOLVED: [Self; 6] = [
        Self::Erased,
        Self::BytesUnknown,
        Self::BytesCorrupt,
        Self::LayerUnknown,
        Self::NoOffsets,
        Self::OutOfBounds,
    ];

    /// The stable code, as it stands in JSON and in the database.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Erased => "erased",
            Self::BytesUnknown => "bytes_unknown",
            Self::BytesCorrupt => "bytes_corrupt",
            Self::LayerUnknown => "layer_unknown",
            Self::NoOffsets => "no_offsets",
            Self::OutOfBounds => "out_of_bounds",
            Self::EmptyQuote => "empty_quote",
            Self::QuoteMismatch => "quote_mismatch",
            Self::PageMismatch => "page_mismatch",
            Self::PageUnknown => "page_unknown",
            Self::StructureUnknown => "structure_unknown",
            Self::LocatorMismatch => "locator_mismatch",
        }
    }
}

/// The answer of the check. `unchecked` is the absence of this value: slow is not failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Integrity {
    /// Every check passed; the span holds the quote.
    Verified(CharSpan),
    /// The first check that failed.
    Failed(Failure),
}

/// What became of the bytes that a citation names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VersionState {
    /// Here, and hashing to their name.
    Known,
    /// Erased on purpose.
    Erased,
    /// Never seen here (under this document).
    Unknown,
    /// Here, but no longer hashing to their name.
    Corrupt,
}

/// What the check looks at: fetched by the caller, for this citation.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// The state of the cited bytes.
    pub version: VersionState,
    /// The layer the citation names, or the default one; `None` where it is not here.
    pub layer: Option<&'a Layer>,
    /// Whether the pages of that layer are those of the document: another program's reading may not say where they end.
    pub paged: bool,
    /// The structure the citation names, or the default one; `None` where it is not here.
    pub structure: Option<&'a Structure>,
}

/// Runs the checks of a citation in order.
#[must_use]
pub fn verify(citation: &Citation, evidence: &Evidence<'_>) -> Integrity {
    match span_that_holds(citation, evidence) {
        Ok(span) => Integrity::Verified(span),
        Err(failure) => Integrity::Failed(failure),
    }
}

fn span_that_holds(citation: &Citation, evidence: &Evidence<'_>) -> Result<CharSpan, Failure> {
    match evidence.version {
        VersionState::Known => {}
        VersionState::Erased => return Err(Failure::Erased),
        VersionState::Unknown => return Err(Failure::BytesUnknown),
        VersionState::Corrupt => return Err(Failure::BytesCorrupt),
    }
    let layer = evidence.layer.ok_or(Failure::LayerUnknown)?;
    let (start, end) = citation.char_start.zip(citation.char_end).ok_or(Failure::NoOffsets)?;
    let span = span_in(layer, start, end).ok_or(Failure::OutOfBounds)?;
    let slice = layer.get(span).ok_or(Failure::OutOfBounds)?;
    let quote: Vec<char> = citation.quote.chars().collect();
    let quote = VerifyFolded::new(&quote);
    if quote.is_empty() {
        return Err(Failure::EmptyQuote);
    }
    if !VerifyFolded::new(slice).equals(&quote) {
        return Err(Failure::QuoteMismatch);
    }
    if let Some(page) = citation.page {
        // What a citation says and nothing here can check is not verified.
        if !evidence.paged {
            return Err(Failure::PageUnknown);
        }
        if page != i64::from(layer.page_of(span.start())) {
            return Err(Failure::PageMismatch);
        }
    }
    if let Some(locator) = &citation.locator {
        let structure = evidence.structure.ok_or(Failure::StructureUnknown)?;
        if !locator_agrees(locator, structure, span) {
            return Err(Failure::LocatorMismatch);
        }
    } else if citation.structure_id.is_some() && evidence.structure.is_none() {
        return Err(Failure::StructureUnknown);
    }
    Ok(span)
}

/// A span of given offsets where `0 <= start < end <= length` holds.
#[must_use]
pub fn span_in(layer: &Layer, start: i64, end: i64) -> Option<CharSpan> {
    let start = usize::try_from(start).ok()?;
    let end = usize::try_from(end).ok()?;
    (start < end && end <= layer.len()).then(|| CharSpan::of_indices(start, end))
}

fn locator_agrees(locator: &str, structure: &Structure, span: CharSpan) -> bool {
    let Ok(named) = locator.parse::<Locator>() else {
        return false;
    };
    if named.is_in_table() && structure.names_cell(&named, span.start()) {
        return true;
    }
    let Some(named) = structure.find(&named) else {
        return false;
    };
    structure
        .path_at(span.start())
        .any(|section| section.locator == named.locator)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn citation(start: i64, end: i64, quote: &str) -> Citation {
        Citation {
            char_start: Some(start),
            char_end: Some(end),
            quote: quote.to_owned(),
            page: Some(1),
            ..Citation::default()
        }
    }

    fn check(citation: &Citation, version: VersionState, layer: Option<&Layer>) -> Integrity {
        verify(
            citation,
            &Evidence {
                version,
                layer,
                paged: true,
                structure: None,
            },
        )
    }

    #[test]
    fn a_page_is_verified_only_where_the_layer_tells_its_pages() {
        let layer = Layer::new("Keep for 5 years.").unwrap_or_else(|error| unreachable!("{error}"));
        let evidence = Evidence {
            version: VersionState::Known,
            layer: Some(&layer),
            paged: false,
            structure: None,
        };
        let mut cited = citation(0, 4, "keep");
        assert_eq!(verify(&cited, &evidence), Integrity::Failed(Failure::PageUnknown));
        cited.page = None;
        assert_eq!(
            verify(&cited, &evidence),
            Integrity::Verified(CharSpan::of_indices(0, 4))
        );
    }

    #[test]
    fn the_first_failing_check_names_the_reason() {
        let layer = Layer::new("Keep for 5 years.\u{c}Not before.").unwrap_or_else(|error| unreachable!("{error}"));
        let good = citation(0, 4, "keep");
        let layer = Some(&layer);
        assert_eq!(
            check(&good, VersionState::Known, layer),
            Integrity::Verified(CharSpan::of_indices(0, 4))
        );
        let cases = [
            (check(&good, VersionState::Erased, layer), Failure::Erased),
            (check(&good, VersionState::Unknown, None), Failure::BytesUnknown),
            (check(&good, VersionState::Corrupt, layer), Failure::BytesCorrupt),
            (check(&good, VersionState::Known, None), Failure::LayerUnknown),
            (
                check(
                    &Citation {
                        char_end: None,
                        ..good.clone()
                    },
                    VersionState::Known,
                    layer,
                ),
                Failure::NoOffsets,
            ),
            (
                check(&citation(-1, 4, "keep"), VersionState::Known, layer),
                Failure::OutOfBounds,
            ),
            (
                check(&citation(4, 0, "keep"), VersionState::Known, layer),
                Failure::OutOfBounds,
            ),
            (
                check(&citation(4, 4, ""), VersionState::Known, layer),
                Failure::OutOfBounds,
            ),
            (
                check(&citation(0, 4000, "keep"), VersionState::Known, layer),
                Failure::OutOfBounds,
            ),
            (
                check(&citation(0, i64::MAX, "keep"), VersionState::Known, layer),
                Failure::OutOfBounds,
            ),
            (
                check(&citation(4, 5, " "), VersionState::Known, layer),
                Failure::EmptyQuote,
            ),
            (
                check(&citation(0, 16, "Keep for 7 years"), VersionState::Known, layer),
                Failure::QuoteMismatch,
            ),
            (
                check(&citation(18, 28, "not before"), VersionState::Known, layer),
                Failure::PageMismatch,
            ),
            (
                check(
                    &Citation {
                        locator: Some("2.1".into()),
                        ..good.clone()
                    },
                    VersionState::Known,
                    layer,
                ),
                Failure::StructureUnknown,
            ),
        ];
        for (found, reason) in cases {
            assert_eq!(found, Integrity::Failed(reason));
        }
    }
}
