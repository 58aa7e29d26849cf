//! One walk over what a page draws: whether there is an image, and which text stands inside a form it uses.
//!
//! Text inside a form XObject is tagged by the mark around the form on the page. Its own marked content has numbers of
//! its own, which mean nothing among the page's.
//!
//! Deliberately not here: text and its style (`page`, `style`), strokes and fills (`rulings`).

#![expect(unsafe_code, reason = "PDFium is a C library; every call into it is unsafe")]

use crate::pdfium::Page;
use std::collections::HashMap;
use std::ffi::c_void;

/// `FPDF_PAGEOBJ_TEXT`, `FPDF_PAGEOBJ_IMAGE` and `FPDF_PAGEOBJ_FORM` (fpdf_edit.h).
const TEXT: i32 = 1;
const IMAGE: i32 = 3;
const FORM: i32 = 5;
/// How many objects are looked at, and how deep forms are followed: enough for any page that a person reads.
const MOST_OBJECTS: usize = 500_000;
const DEEPEST: u32 = 6;

/// What the walk found.
#[derive(Default)]
pub(crate) struct Objects {
    /// Whether the page draws an image, itself or in a form it uses.
    pub(crate) has_image: bool,
    /// Text objects inside forms, by address, each with the form on the page that holds it.
    pub(crate) inside: HashMap<usize, *mut c_void>,
}

impl Objects {
    /// Walks over a page. `follow_text`: whether text inside forms is wanted.
    pub(crate) fn of(page: &Page<'_>, follow_text: bool) -> Self {
        let mut found = Self::default();
        let bindings = &page.library.bindings;
        // SAFETY: the page handle is alive; objects belong to it and are only read.
        let count = unsafe { bindings.FPDFPage_CountObjects(page.handle.cast()) };
        let mut left = MOST_OBJECTS;
        for index in 0..count {
            if left == 0 || (found.has_image && !follow_text) {
                break;
            }
            // SAFETY: as above.
            let object: *mut c_void = unsafe { bindings.FPDFPage_GetObject(page.handle.cast(), index).cast() };
            found.visit(page, object, None, 0, follow_text, &mut left);
        }
        found
    }

    fn visit(
        &mut self,
        page: &Page<'_>,
        object: *mut c_void,
        holder: Option<*mut c_void>,
        depth: u32,
        follow_text: bool,
        left: &mut usize,
    ) {
        if object.is_null() || *left == 0 {
            return;
        }
        *left -= 1;
        let bindings = &page.library.bindings;
        // SAFETY: as above.
        match unsafe { bindings.FPDFPageObj_GetType(object.cast()) } {
            IMAGE => self.has_image = true,
            TEXT => {
                if let Some(holder) = holder {
                    self.inside.insert(object.addr(), holder);
                }
            }
            FORM if depth < DEEPEST => {
                // SAFETY: as above.
                let count = unsafe { bindings.FPDFFormObj_CountObjects(object.cast()) };
                for index in 0..u32::try_from(count).unwrap_or(0) {
                    if *left == 0 || (self.has_image && !follow_text) {
                        return;
                    }
                    // SAFETY: as above.
                    let inner: *mut c_void =
                        unsafe { bindings.FPDFFormObj_GetObject(object.cast(), index.into()).cast() };
                    self.visit(page, inner, holder.or(Some(object)), depth + 1, follow_text, left);
                }
            }
            _ => {}
        }
    }
}
