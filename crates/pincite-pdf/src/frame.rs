//! Frames on a pipe: a postcard header and a block of raw bytes, each with its length in front.
//!
//! ```text
//! frame = header_length:u32le  block_length:u32le  header  block
//! ```
//! Boxes and pixels travel as the raw block, so that megabytes are not walked element by element.
//!
//! Deliberately not here: what the headers mean (see [`crate::protocol`]).

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::{self, Read, Write};

/// How many bytes the two lengths take.
const LENGTHS: usize = 8;
/// How much memory is set aside for a part before any of it arrived.
const AT_ONCE: usize = 64 << 10;
/// The longest header, in bytes: a page's text is the largest.
pub const HEADER_LIMIT: u32 = 64 << 20;
/// The longest raw block, in bytes: a page of pixels (64 Mi of them, four bytes each) with room to spare, or of boxes.
pub const BLOCK_LIMIT: u32 = 320 << 20;

/// Writes one frame and flushes.
///
/// # Errors
/// What the pipe answers; [`io::ErrorKind::InvalidData`] where a part is over its limit.
pub fn write<T: Serialize>(pipe: &mut impl Write, header: &T, block: &[u8]) -> io::Result<()> {
    let invalid = |error| io::Error::new(io::ErrorKind::InvalidData, error);
    // Room for the lengths, which are known once the header stands behind them: one write for all of it.
    let mut front = postcard::to_extend(header, vec![0; LENGTHS]).map_err(invalid)?;
    let length = |bytes: usize, limit: u32| {
        u32::try_from(bytes)
            .ok()
            .filter(|length| *length <= limit)
            .map(u32::to_le_bytes)
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a frame over its limit"))
    };
    let [a, b, c, d] = length(front.len() - LENGTHS, HEADER_LIMIT)?;
    let [e, f, g, h] = length(block.len(), BLOCK_LIMIT)?;
    if let Some(lengths) = front.first_chunk_mut() {
        *lengths = [a, b, c, d, e, f, g, h];
    }
    pipe.write_all(&front)?;
    pipe.write_all(block)?;
    pipe.flush()
}

/// Reads one frame.
///
/// # Errors
/// What the pipe answers, [`io::ErrorKind::UnexpectedEof`] when it ends, [`io::ErrorKind::InvalidData`] for a length over
/// the limit or a header that can't be decoded.
pub fn read<T: DeserializeOwned>(pipe: &mut impl Read) -> io::Result<(T, Vec<u8>)> {
    let mut lengths = [0_u8; LENGTHS];
    pipe.read_exact(&mut lengths)?;
    let [a, b, c, d, e, f, g, h] = lengths;
    let header = part(pipe, u32::from_le_bytes([a, b, c, d]), HEADER_LIMIT)?;
    let block = part(pipe, u32::from_le_bytes([e, f, g, h]), BLOCK_LIMIT)?;
    let header = postcard::from_bytes(&header).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    Ok((header, block))
}

/// Reads a part without trusting its length: memory grows with what really arrives.
fn part(pipe: &mut impl Read, length: u32, limit: u32) -> io::Result<Vec<u8>> {
    if length > limit {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a frame over its limit"));
    }
    let mut bytes = Vec::with_capacity((length as usize).min(AT_ONCE));
    let read = pipe.take(u64::from(length)).read_to_end(&mut bytes)?;
    if read == length as usize {
        Ok(bytes)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_comes_back_and_a_broken_one_is_an_error() {
        let mut pipe = Vec::new();
        assert!(write(&mut pipe, &("header", 7_u32), b"block").is_ok());
        let read_back = read::<(String, u32)>(&mut pipe.as_slice()).ok();
        assert_eq!(read_back, Some((("header".to_owned(), 7), b"block".to_vec())));
        for cut in 0..pipe.len() {
            assert!(read::<(String, u32)>(&mut &pipe[..cut]).is_err(), "cut at {cut}");
        }
        pipe[3] = 0xff;
        assert!(read::<(String, u32)>(&mut pipe.as_slice()).is_err());
    }

    /// A pipe that says it holds much and holds little, and remembers the longest piece that was asked of it.
    struct Promise<'a> {
        rest: &'a [u8],
        longest: usize,
    }

    impl Read for Promise<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.longest = self.longest.max(buffer.len());
            self.rest.read(buffer)
        }
    }

    #[test]
    fn a_length_is_no_reason_to_set_memory_aside() {
        for (header, block) in [(HEADER_LIMIT, 0), (2, BLOCK_LIMIT), (HEADER_LIMIT, BLOCK_LIMIT)] {
            let mut bytes = Vec::new();
            bytes.extend_from_slice(&header.to_le_bytes());
            bytes.extend_from_slice(&block.to_le_bytes());
            bytes.extend_from_slice(&[0; 100]);
            let mut pipe = Promise {
                rest: &bytes,
                longest: 0,
            };
            let outcome = read::<(u8, u8)>(&mut pipe);
            assert!(outcome.is_err_and(|error| error.kind() == io::ErrorKind::UnexpectedEof));
            assert!(pipe.longest <= AT_ONCE, "{} bytes at once for 100", pipe.longest);
        }
        // Nor is a length within the header, or a header that goes on after its end.
        for header in [&[0xff, 0xff, 0xff, 0xff, 0x7f, 1, 2][..], &[0xff; 40], &[]] {
            let mut bytes = u32::try_from(header.len()).unwrap_or(0).to_le_bytes().to_vec();
            bytes.extend_from_slice(&[0; 4]);
            bytes.extend_from_slice(header);
            assert!(read::<Vec<u64>>(&mut bytes.as_slice()).is_err());
            assert!(read::<crate::protocol::Response>(&mut bytes.as_slice()).is_err());
        }
    }
}
