//! The frame decoder: a worker that was taken over may write anything into its pipe. Whatever arrives is an answer or an
//! error; what was decoded is written and read back the same.
//!
//! Deliberately not here: the pipe itself, deadlines (tests/worker).

#![no_main]

use libfuzzer_sys::fuzz_target;
use pincite_pdf::frame;
use pincite_pdf::protocol::{Request, Response};

fuzz_target!(|bytes: &[u8]| {
    let mut pipe = bytes;
    while let Ok((response, block)) = frame::read::<Response>(&mut pipe) {
        let mut written = Vec::new();
        if frame::write(&mut written, &response, &block).is_ok() {
            let (again, same) = frame::read::<Response>(&mut written.as_slice()).expect("what was written can be read");
            assert_eq!(same, block);
            // By their words: a page's sizes may be NaN, which equals nothing.
            assert_eq!(format!("{again:?}"), format!("{response:?}"));
        }
    }
    let _ = frame::read::<Request>(&mut &bytes[..]);
});
