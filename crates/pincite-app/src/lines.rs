//! JSON lines read one at a time, with a limit on each, so that a line of any length costs a fixed amount of memory.
//!
//! Deliberately not here: what a line means.

use std::io::{self, BufRead};

/// The longest line that is read, in bytes.
pub const LINE_LIMIT: usize = 16 << 20;

/// What some programs write at the start of a UTF-8 file. It is no part of the first line.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// One line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// Its bytes, without the line break.
    Text(Vec<u8>),
    /// It is over [`LINE_LIMIT`]; its bytes were skipped.
    TooLong,
}

/// Reads lines and counts them.
#[derive(Debug)]
pub struct Lines<R> {
    source: R,
    /// Number of the last line read, from 1.
    pub number: u64,
    /// Bytes read so far.
    pub bytes: u64,
}

impl<R: BufRead> Lines<R> {
    /// Lines of this source.
    pub const fn new(source: R) -> Self {
        Self {
            source,
            number: 0,
            bytes: 0,
        }
    }

    /// The next line that is not blank; `None` at the end.
    ///
    /// # Errors
    /// What the source says.
    pub fn next_line(&mut self) -> io::Result<Option<Line>> {
        loop {
            let Some(line) = self.any_line()? else { return Ok(None) };
            match &line {
                Line::Text(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => {}
                _ => return Ok(Some(line)),
            }
        }
    }

    fn any_line(&mut self) -> io::Result<Option<Line>> {
        let mut line = Vec::new();
        let mut too_long = false;
        let mut read_any = false;
        let first = self.bytes == 0;
        loop {
            let available = match self.source.fill_buf() {
                Ok(available) => available,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if available.is_empty() {
                break;
            }
            read_any = true;
            let (part, used, ends) = match available.iter().position(|byte| *byte == b'\n') {
                Some(at) => (available.get(..at).unwrap_or_default(), at + 1, true),
                None => (available, available.len(), false),
            };
            if line.len() + part.len() > LINE_LIMIT {
                too_long = true;
                line = Vec::new();
            } else if !too_long {
                line.extend_from_slice(part);
            }
            self.source.consume(used);
            self.bytes += used as u64;
            if ends {
                break;
            }
        }
        if !read_any {
            return Ok(None);
        }
        self.number += 1;
        if too_long {
            return Ok(Some(Line::TooLong));
        }
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        if first && line.starts_with(BYTE_ORDER_MARK) {
            line.drain(..BYTE_ORDER_MARK.len());
        }
        Ok(Some(Line::Text(line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        let text = "\u{feff}{}\n\u{feff}{}\n".as_bytes();
        let mut lines = Lines::new(BufReader::new(text));
        assert_eq!(lines.next_line().ok(), Some(Some(Line::Text(b"{}".to_vec()))));
        assert_eq!(
            lines.next_line().ok(),
            Some(Some(Line::Text("\u{feff}{}".as_bytes().to_vec())))
        );
        let mut lines = Lines::new(BufReader::new("\u{feff}".as_bytes()));
        assert_eq!(lines.next_line().ok(), Some(None));
    }

    #[test]
    fn long_lines_are_skipped_and_the_next_ones_are_read() {
        let mut text = b"{}\r\n\n".to_vec();
        text.extend(std::iter::repeat_n(b'x', LINE_LIMIT + 1));
        text.extend_from_slice(b"\nlast");
        let mut lines = Lines::new(BufReader::new(text.as_slice()));
        assert_eq!(lines.next_line().ok(), Some(Some(Line::Text(b"{}".to_vec()))));
        assert_eq!(lines.next_line().ok(), Some(Some(Line::TooLong)));
        assert_eq!(lines.number, 3);
        assert_eq!(lines.next_line().ok(), Some(Some(Line::Text(b"last".to_vec()))));
        assert_eq!(lines.next_line().ok(), Some(None));
    }
}
