//! Talks to the PDF worker: the framed protocol, a client for one worker, a small pool of open documents.
//!
//! No PDF is ever parsed in this process, in any language. A document goes to a worker as an open descriptor, never as a
//! path; what comes back is plain data. A worker's death is an ordinary error with a reason.
//!
//! Deliberately not here: PDFium, and any knowledge of what a page means.

pub mod client;
pub mod frame;
pub mod pool;
pub mod protocol;

pub use client::{Limits, Worker, WorkerError, WorkerProgram};
pub use pool::Pool;
pub use protocol::{OutlineItem, PageText, Pixels, Refusal, Sandbox};
