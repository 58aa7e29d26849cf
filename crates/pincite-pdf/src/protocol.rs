//! What client and worker say to each other. One worker, one document, one request at a time.
//!
//! The first exchange is a handshake over the protocol's version; nothing else is said before it succeeds.
//!
//! Deliberately not here: paths. The document is the descriptor [`DOCUMENT_DESCRIPTOR`], open for reading.

use pincite_core::text::{PageDetail, PageSize};
use serde::{Deserialize, Serialize};

/// Version of this protocol. A worker of another version is refused.
pub const PROTOCOL: u32 = 3;
/// Version of the rule by which the worker writes a layer. Part of the extractor's name: another rule, another layer.
pub const LAYER_RULE: &str = "pincite-layer-2";
/// The descriptor on which the worker finds the document's bytes.
pub const DOCUMENT_DESCRIPTOR: i32 = 3;

/// What the client asks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// The handshake.
    Hello {
        /// [`PROTOCOL`] of the client.
        protocol: u32,
    },
    /// Open the document.
    Open {
        /// The password, where the reader gave one. Kept in memory only.
        password: Option<String>,
    },
    /// Everything of one page but its picture; the frame's block holds four little-endian f32 a code point (displayed
    /// frame, NaN for no box).
    Page {
        /// From 0.
        index: u32,
    },
    /// The document's outline.
    Outline,
    /// One page's picture; the frame's block holds BGRX pixels, rows without padding.
    Render {
        /// From 0.
        index: u32,
        /// Pixels for each point (dpi / 72).
        scale: f32,
    },
}

/// What the worker answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// The handshake's answer.
    Hello {
        /// [`PROTOCOL`] of the worker.
        protocol: u32,
    },
    /// The document is open.
    Opened {
        /// How many pages.
        pages: u32,
        /// The document information's title, where it has one.
        title: Option<String>,
        /// What keeps the worker in.
        sandbox: Sandbox,
    },
    /// The document can't be opened.
    Refused(Refusal),
    /// A page's text.
    Page(Box<PageText>),
    /// The outline, depth first.
    Outline(Vec<OutlineItem>),
    /// A picture.
    Pixels {
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// The request can't be answered; the document stays open.
    Failed(String),
}

/// What keeps a worker in on this system; its limits on memory and processor time hold on every one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sandbox {
    /// The kernel's version of Landlock, under which the worker opens no file; 0 where there is none.
    pub landlock: u32,
    /// Whether a system call that is not on the worker's list ends it.
    pub calls: bool,
}

impl std::fmt::Display for Sandbox {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.landlock {
            0 => formatter.write_str("no Landlock on this system, ")?,
            version => write!(formatter, "Landlock {version}, ")?,
        }
        formatter.write_str(if self.calls {
            "system calls filtered"
        } else {
            "no filter of system calls on this system"
        })
    }
}

/// Why a document can't be opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Refusal {
    /// It is encrypted and no password was given.
    #[error("the PDF is encrypted: give its password")]
    PasswordNeeded,
    /// It is encrypted and the password is not right.
    #[error("the PDF is encrypted and this password does not open it")]
    PasswordWrong,
    /// It is something else.
    #[error("this is not a PDF but {0}")]
    NotPdf(String),
    /// It says it is a PDF and can't be read.
    #[error("the PDF is damaged: {0}")]
    Damaged(String),
    /// It is encrypted in a way that is not supported.
    #[error("the PDF is protected in a way that can't be opened")]
    Security,
    /// There is nothing in it.
    #[error("the PDF has no pages")]
    NoPages,
    /// It does not fit into the worker's memory.
    #[error("the file is too large: {0} bytes")]
    TooLarge(u64),
}

/// One page's code points and what is known of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PageText {
    /// Displayed size in points.
    pub size: PageSize,
    /// The page's part of the layer; holds no form feed.
    pub text: String,
    /// Code points that stand as U+FFFD: no valid code, or a control character.
    pub replaced: u32,
    /// Characters whose font maps to no Unicode, as far as PDFium can tell.
    pub unmapped: u32,
    /// Whether the page draws an image.
    pub has_image: bool,
    /// Whether the page draws text and gives none: its fonts are not in the file, or map to nothing.
    pub silent: bool,
    /// What else the page says of them.
    pub detail: PageDetail,
}

/// One entry of the document's outline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutlineItem {
    /// The entry's words.
    pub title: String,
    /// Depth, from 1.
    pub level: u32,
    /// Page, from 1, where it leads.
    pub page: Option<u32>,
    /// Height on that page in the displayed frame, in points from the top.
    pub y: Option<f32>,
}

/// A page's picture, in memory only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Blue, green, red, unused: four bytes a pixel, rows from the top, no padding.
    pub bgrx: Vec<u8>,
}
