//! The layer of a file that is text already: which encoding, which code points.
//!
//! The rule, [`TEXT_RULE`]: a byte order mark is dropped; CR LF and a lone CR become U+000A; U+000C stays and joins pages;
//! every other control character but tab and line feed becomes U+FFFD and is counted. Nothing else is touched: no
//! normalisation, no trimming. Encodings are not guessed: UTF-16 says so with its mark, and what has no mark is UTF-8 or
//! is refused.
//!
//! Deliberately not here: what kind of file it is (its name has a say in that), and Markdown.

use super::layer::PAGE_JOIN;

/// The name of this rule, part of the extractor's. A change in the layer of any file is a new rule.
pub const TEXT_RULE: &str = "pincite-text-1";

/// A text file, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceText {
    /// The layer's text.
    pub text: String,
    /// `utf-8`, `utf-16le` or `utf-16be`.
    pub encoding: &'static str,
    /// For each page, how many control characters became U+FFFD.
    pub replaced: Vec<u32>,
}

/// Why some bytes are no text that can be read without guessing. Offsets count bytes of the file, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// Bytes that UTF-8 can't have.
    #[error("byte {0} is not UTF-8, and no byte order mark says that the file is anything else; save it as UTF-8")]
    NotUtf8(usize),
    /// Half a surrogate pair.
    #[error("the surrogate at byte {0} has no other half; save the file as UTF-8")]
    Unpaired(usize),
    /// An odd number of bytes.
    #[error("the file says that it is UTF-16 and ends in half a character at byte {0}; save it as UTF-8")]
    HalfUnit(usize),
    /// A mark of UTF-32.
    #[error("the file is UTF-32; save it as UTF-8")]
    Utf32,
    /// Every other byte is 0.
    #[error("the file looks like UTF-16 without a byte order mark; save it as UTF-8")]
    Unmarked16,
    /// Nothing at all, or only a mark.
    #[error("the file is empty: there is nothing to cite")]
    Empty,
}

/// Reads the bytes of a text file.
///
/// # Errors
/// [`SourceError`]: what can't be read exactly is refused.
pub fn read_source(bytes: &[u8]) -> Result<SourceText, SourceError> {
    let read = match bytes {
        [0xFF, 0xFE, 0, 0, ..] | [0, 0, 0xFE, 0xFF, ..] => return Err(SourceError::Utf32),
        [0xFF, 0xFE, units @ ..] => wide(units, "utf-16le", u16::from_le_bytes)?,
        [0xFE, 0xFF, units @ ..] => wide(units, "utf-16be", u16::from_be_bytes)?,
        _ => {
            let marked = if bytes.starts_with(&[0xEF, 0xBB, 0xBF]) { 3 } else { 0 };
            let rest = bytes.get(marked..).unwrap_or_default();
            if marked == 0 && every_other_is_zero(rest) {
                return Err(SourceError::Unmarked16);
            }
            let text = std::str::from_utf8(rest).map_err(|error| SourceError::NotUtf8(marked + error.valid_up_to()))?;
            let mut written = Writer::with_capacity(rest.len());
            text.chars().for_each(|character| written.push(character));
            written.done("utf-8")
        }
    };
    if read.text.is_empty() {
        return Err(SourceError::Empty);
    }
    Ok(read)
}

fn wide(bytes: &[u8], encoding: &'static str, unit: fn([u8; 2]) -> u16) -> Result<SourceText, SourceError> {
    const MARK: usize = 2;
    let (pairs, odd) = bytes.as_chunks::<2>();
    if !odd.is_empty() {
        return Err(SourceError::HalfUnit(MARK + bytes.len() - 1));
    }
    let mut written = Writer::with_capacity(bytes.len());
    let mut at = MARK;
    for character in char::decode_utf16(pairs.iter().map(|pair| unit(*pair))) {
        let character = character.map_err(|_| SourceError::Unpaired(at))?;
        written.push(character);
        at += 2 * character.len_utf16();
    }
    Ok(written.done(encoding))
}

/// Whether the bytes look like UTF-16 of mostly Latin letters: nearly all of the even or of the odd ones are 0.
fn every_other_is_zero(bytes: &[u8]) -> bool {
    const LOOKED_AT: usize = 4096;
    let head = bytes.get(..bytes.len().min(LOOKED_AT)).unwrap_or_default();
    let zeros = |parity: usize| head.iter().skip(parity).step_by(2).filter(|byte| **byte == 0).count();
    head.len() >= 4 && zeros(0).max(zeros(1)) * 10 >= head.len() / 2 * 7
}

struct Writer {
    text: String,
    replaced: Vec<u32>,
    after_return: bool,
}

impl Writer {
    fn with_capacity(bytes: usize) -> Self {
        Self {
            text: String::with_capacity(bytes),
            replaced: vec![0],
            after_return: false,
        }
    }

    fn push(&mut self, character: char) {
        let second = self.after_return && character == '\n';
        self.after_return = character == '\r';
        match character {
            '\n' if second => {}
            '\r' => self.text.push('\n'),
            '\n' | '\t' => self.text.push(character),
            PAGE_JOIN => {
                self.text.push(character);
                self.replaced.push(0);
            }
            control if control.is_control() => {
                self.text.push(char::REPLACEMENT_CHARACTER);
                if let Some(count) = self.replaced.last_mut() {
                    *count = count.saturating_add(1);
                }
            }
            other => self.text.push(other),
        }
    }

    fn done(self, encoding: &'static str) -> SourceText {
        SourceText {
            text: self.text,
            encoding,
            replaced: self.replaced,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn utf16(text: &str, little: bool) -> Vec<u8> {
        "\u{FEFF}"
            .encode_utf16()
            .chain(text.encode_utf16())
            .flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() })
            .collect()
    }

    #[test]
    fn the_same_text_in_four_encodings_is_one_layer() {
        let text = "Zins 4 %\r\n😀\u{c}a\u{0}\rb\tc\r\r\n";
        let wanted = "Zins 4 %\n😀\u{c}a\u{FFFD}\nb\tc\n\n";
        for (bytes, encoding) in [
            (text.as_bytes().to_vec(), "utf-8"),
            ([b"\xEF\xBB\xBF", text.as_bytes()].concat(), "utf-8"),
            (utf16(text, true), "utf-16le"),
            (utf16(text, false), "utf-16be"),
        ] {
            let read = read_source(&bytes);
            assert_eq!(
                read,
                Ok(SourceText {
                    text: wanted.to_owned(),
                    encoding,
                    replaced: vec![0, 1]
                })
            );
        }
        // Only the first mark is one; another is a character of the text.
        assert_eq!(
            read_source("\u{FEFF}\u{FEFF}a".as_bytes()).map(|read| read.text),
            Ok("\u{FEFF}a".to_owned())
        );
    }

    #[test]
    fn what_would_have_to_be_guessed_is_refused_with_its_byte() {
        let mut unpaired = utf16("ab", true);
        unpaired.extend([0x3D, 0xD8, b'c', 0]);
        for (bytes, wanted) in [
            (b"caf\xE9 au lait".to_vec(), SourceError::NotUtf8(3)),
            (b"\xEF\xBB\xBFab\xFF".to_vec(), SourceError::NotUtf8(5)),
            (unpaired, SourceError::Unpaired(6)),
            (b"\xFF\xFEa\0b".to_vec(), SourceError::HalfUnit(4)),
            (b"\xFF\xFE\0\0a\0\0\0".to_vec(), SourceError::Utf32),
            (
                "no mark".encode_utf16().flat_map(u16::to_le_bytes).collect(),
                SourceError::Unmarked16,
            ),
            (Vec::new(), SourceError::Empty),
            (b"\xEF\xBB\xBF".to_vec(), SourceError::Empty),
            (b"\xFE\xFF".to_vec(), SourceError::Empty),
        ] {
            assert_eq!(read_source(&bytes), Err(wanted), "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn the_layer_has_no_control_characters_but_three_and_keeps_all_else(text in ".{1,80}", little: bool) {
            for bytes in [text.clone().into_bytes(), utf16(&text, little)] {
                let Ok(read) = read_source(&bytes) else { continue };
                prop_assert!(!read.text.chars().any(|character| character.is_control()
                    && !matches!(character, '\n' | '\t' | PAGE_JOIN)));
                prop_assert_eq!(read.text.split(PAGE_JOIN).count(), read.replaced.len());
                let plain = |text: &str| text.chars().filter(|character| !character.is_control()
                    && *character != char::REPLACEMENT_CHARACTER && *character != '\u{FEFF}').collect::<String>();
                prop_assert_eq!(plain(&read.text), plain(&text));
            }
        }
    }
}
