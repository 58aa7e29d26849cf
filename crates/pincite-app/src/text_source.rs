//! Documents that are text already, plain or Markdown: what kind of file one is, its layer, its sections.
//!
//! They are read here and not in a worker: turning bytes into code points is nothing that hostile bytes could lead astray.
//! A text has the same layer, offsets, sections and checks as a PDF. What it has not are boxes and pictures of pages.
//!
//! Deliberately not here: the rule that makes the layer (`pincite_core::text::source`), keeping anything, other formats.

use crate::error::AppError;
use crate::extract::Extracted;
use crate::markdown;
use crate::trust::PageRecord;
use pincite_core::structure::{Marks, ParseInput, Structure, parse_marked};
use pincite_core::text::{Layer, LayerBoxes, PAGE_JOIN, TEXT_RULE, read_source};
use std::path::Path;

/// The longest text taken in, in bytes.
pub const LONGEST: u64 = 128 << 20;

/// How much of a file says what it is, in bytes. A PDF's header may stand anywhere in them.
pub const HEAD: usize = 1024;

/// What a version's bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Medium {
    /// A PDF: a worker reads it.
    Pdf,
    /// Plain text.
    Plain,
    /// Markdown.
    Markdown,
}

impl Medium {
    /// As versions keep it.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Pdf => "application/pdf",
            Self::Plain => "text/plain",
            Self::Markdown => "text/markdown",
        }
    }

    /// What a kept version is.
    #[must_use]
    pub fn of(media_type: &str) -> Self {
        [Self::Plain, Self::Markdown]
            .into_iter()
            .find(|medium| medium.media_type() == media_type)
            .unwrap_or(Self::Pdf)
    }

    /// Whether there are pages to look at: a text has none.
    #[must_use]
    pub const fn has_pictures(self) -> bool {
        matches!(self, Self::Pdf)
    }
}

/// The endings of names of texts.
pub const TEXT_ENDINGS: [&str; 4] = ["txt", "text", "md", "markdown"];

const PDF_HEADER: &[u8] = b"%PDF-";

/// What a file is, by how it begins and by its name: a PDF's header wins, then the ending of the name.
///
/// # Errors
/// What it looks like, where it is neither.
pub fn medium(path: &Path, head: &[u8]) -> Result<Medium, String> {
    let ending = path
        .extension()
        .map(|ending| ending.to_string_lossy().to_lowercase())
        .unwrap_or_default();
    let text = match ending.as_str() {
        "txt" | "text" => Some(Medium::Plain),
        "md" | "markdown" => Some(Medium::Markdown),
        _ => None,
    };
    // A text may speak of PDFs: in one that calls itself so only the very first bytes count.
    let header = head.windows(PDF_HEADER.len()).position(|window| window == PDF_HEADER);
    if header == Some(0) || header.is_some() && text.is_none() || ending == "pdf" {
        return Ok(Medium::Pdf);
    }
    match (text, looks_like(head)) {
        (Some(_), Some(other)) => Err(format!(
            "its name says text, and it looks like {other}: save it as plain text in UTF-8"
        )),
        (Some(medium), None) => Ok(medium),
        (None, looks) => {
            let looks = looks.unwrap_or(if head.is_empty() {
                "an empty file"
            } else if is_text(head) {
                "text: then name it .txt or .md"
            } else {
                "no kind of file that is known here"
            });
            Err(format!(
                "Pincite takes PDFs, plain text (.txt, .text) and Markdown (.md, .markdown); this looks like {looks}"
            ))
        }
    }
}

/// Formats of documents that people try, by their first bytes.
fn looks_like(head: &[u8]) -> Option<&'static str> {
    const KNOWN: [(&[u8], &str); 11] = [
        (b"PK\x03\x04", "a ZIP archive or an Office document"),
        (b"\xD0\xCF\x11\xE0", "an old Office document"),
        (b"{\\rtf", "rich text (RTF)"),
        (b"\x89PNG", "a PNG picture"),
        (b"\xFF\xD8\xFF", "a JPEG picture"),
        (b"GIF8", "a GIF picture"),
        (b"II*\0", "a TIFF picture"),
        (b"MM\0*", "a TIFF picture"),
        (b"\x1F\x8B", "a gzip archive"),
        (b"%!PS", "PostScript"),
        (b"\x7FELF", "a program"),
    ];
    KNOWN
        .iter()
        .find(|(first, _)| head.starts_with(first))
        .map(|(_, name)| *name)
}

/// Whether the beginning of a file is UTF-8 without control characters; a character may be cut at its end.
fn is_text(head: &[u8]) -> bool {
    let (text, whole) = match std::str::from_utf8(head) {
        Ok(text) => (text, true),
        Err(error) => (
            head.get(..error.valid_up_to())
                .and_then(|valid| std::str::from_utf8(valid).ok())
                .unwrap_or_default(),
            error.error_len().is_none(),
        ),
    };
    whole
        && !text.is_empty()
        && !text
            .chars()
            .any(|character| character.is_control() && !character.is_whitespace())
}

/// Reads a text's layer. Answers it with its extractor's name: the rule and the encoding.
///
/// # Errors
/// A file that can't be read exactly: the cause and the remedy.
pub fn read(bytes: &[u8], medium: Medium) -> Result<(Extracted, String), AppError> {
    let source = read_source(bytes).map_err(|error| AppError::bad_input(error.to_string()))?;
    let layer = Layer::new(&source.text).map_err(|error| AppError::bad_input(error.to_string()))?;
    let pages = source
        .text
        .split(PAGE_JOIN)
        .zip(&source.replaced)
        .map(|(text, replaced)| PageRecord::of_text(text, *replaced))
        .collect();
    let title = match medium {
        Medium::Markdown => markdown::marks(&source.text).title().map(str::to_owned),
        Medium::Plain | Medium::Pdf => None,
    };
    let extracted = Extracted {
        layer,
        boxes: LayerBoxes::new(Vec::new()),
        pages,
        details: Vec::new(),
        outline: Vec::new(),
        title,
    };
    Ok((extracted, format!("{TEXT_RULE}; {}", source.encoding)))
}

/// The sections of a text; `believed` says whether the headings that Markdown marks count.
#[must_use]
pub fn sections(layer: &Layer, medium: Medium, believed: bool) -> Structure {
    let marks = match medium {
        Medium::Markdown if believed => markdown::marks(&layer.text()),
        Medium::Markdown | Medium::Plain | Medium::Pdf => markdown::MarkdownMarks::default(),
    };
    let input = ParseInput {
        layer,
        boxes: &LayerBoxes::new(Vec::new()),
        page_sizes: &[],
        details: &[],
        outline: &[],
    };
    let marks = Marks {
        headings: &marks.headings,
        quiet: &marks.quiet,
    };
    parse_marked(&input, &marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_and_name_say_what_a_file_is() {
        let of = |name: &str, head: &[u8]| medium(Path::new(name), head);
        assert_eq!(of("a.txt", b"%PDF-1.7"), Ok(Medium::Pdf));
        assert_eq!(of("a", b"\n%PDF-1.7"), Ok(Medium::Pdf));
        assert_eq!(
            of("a.pdf", b"<html>"),
            Ok(Medium::Pdf),
            "the worker says what is wrong with it"
        );
        assert_eq!(
            of("a.md", b"A file begins with %PDF- where it is one."),
            Ok(Medium::Markdown)
        );
        assert_eq!(of("a.MarkDown", b"# A"), Ok(Medium::Markdown));
        assert_eq!(of("a.TXT", b""), Ok(Medium::Plain));
        for (name, head, says) in [
            ("a.txt", &b"PK\x03\x04.."[..], "ZIP archive"),
            ("a.docx", b"PK\x03\x04..", "ZIP archive"),
            ("a.md", b"{\\rtf1", "RTF"),
            ("a", "Poli\u{e7}y".as_bytes(), "name it .txt or .md"),
            ("a.log", b"one\ttwo\n\xC3", "name it .txt or .md"),
            ("a.bin", b"\0\x01\x02", "no kind of file"),
            ("a.csv", b"", "an empty file"),
        ] {
            let refused = of(name, head);
            assert!(
                refused.as_ref().is_err_and(|reason| reason.contains(says)),
                "{name}: {refused:?}"
            );
        }
    }
}
