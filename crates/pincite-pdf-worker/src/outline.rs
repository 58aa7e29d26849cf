//! The document's outline, depth first, guarded against loops.
//!
//! Deliberately not here: believing it. The section parser weighs it against the text.

#![expect(unsafe_code, reason = "PDFium is a C library; every call into it is unsafe")]

use crate::pdfium::{Document, utf16_text};
use pincite_pdf::protocol::OutlineItem;
use std::collections::HashSet;
use std::ffi::c_void;

const DEEPEST: u32 = 32;
const MOST_ITEMS: usize = 20_000;

/// Every entry once, whatever the links between them say.
pub(crate) fn read(document: &Document<'_>) -> Vec<OutlineItem> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    children(document, std::ptr::null_mut(), 1, &mut seen, &mut found);
    found
}

fn children(
    document: &Document<'_>,
    parent: *mut c_void,
    level: u32,
    seen: &mut HashSet<usize>,
    found: &mut Vec<OutlineItem>,
) {
    let bindings = &document.library.bindings;
    // SAFETY: the document is alive; bookmarks belong to it and are only read.
    let mut entry: *mut c_void = unsafe {
        bindings
            .FPDFBookmark_GetFirstChild(document.handle.cast(), parent.cast())
            .cast()
    };
    while !entry.is_null() && level <= DEEPEST && found.len() < MOST_ITEMS && seen.insert(entry.addr()) {
        // SAFETY: as above; the buffer holds as many bytes as the first call asked for.
        let title =
            utf16_text(|buffer, length| unsafe { bindings.FPDFBookmark_GetTitle(entry.cast(), buffer.cast(), length) });
        let (page, y) = place(document, entry);
        found.push(OutlineItem {
            title: title.trim().to_owned(),
            level,
            page,
            y,
        });
        children(document, entry, level + 1, seen, found);
        // SAFETY: as above.
        entry = unsafe {
            bindings
                .FPDFBookmark_GetNextSibling(document.handle.cast(), entry.cast())
                .cast()
        };
    }
}

/// The page (from 1) and height that an entry leads to.
fn place(document: &Document<'_>, entry: *mut c_void) -> (Option<u32>, Option<f32>) {
    let bindings = &document.library.bindings;
    // SAFETY: as above.
    let (index, destination) = unsafe {
        let mut destination = bindings.FPDFBookmark_GetDest(document.handle.cast(), entry.cast());
        if destination.is_null() {
            let action = bindings.FPDFBookmark_GetAction(entry.cast());
            if !action.is_null() {
                destination = bindings.FPDFAction_GetDest(document.handle.cast(), action);
            }
        }
        if destination.is_null() {
            return (None, None);
        }
        (
            bindings.FPDFDest_GetDestPageIndex(document.handle.cast(), destination),
            destination,
        )
    };
    let Ok(index) = u32::try_from(index) else {
        return (None, None);
    };
    let (mut has_x, mut has_y, mut has_zoom) = (0, 0, 0);
    let (mut x, mut y, mut zoom) = (0.0_f32, 0.0_f32, 0.0_f32);
    // SAFETY: as above; the pointers are valid for writing.
    let known = unsafe {
        bindings.FPDFDest_GetLocationInPage(
            destination,
            &raw mut has_x,
            &raw mut has_y,
            &raw mut has_zoom,
            &raw mut x,
            &raw mut y,
            &raw mut zoom,
        )
    };
    let height = (known != 0 && has_y != 0 && y.is_finite())
        .then(|| {
            document
                .page(index)
                .ok()
                .map(|page| page.frame().point(if has_x != 0 { x } else { 0.0 }, y).1)
        })
        .flatten();
    (Some(index + 1), height)
}
