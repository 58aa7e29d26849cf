//! The one walk over what a page draws: whether there is an image, which text stands inside a form, and what is painted.
//!
//! Text inside a form XObject is tagged by the mark around the form on the page. Its own marked content has numbers of
//! its own, which mean nothing among the page's. Paths and pictures inside forms are painted through every matrix around
//! them.
//!
//! Deliberately not here: text and its style (`page`, `style`), what makes a ruling (`rulings`).

#![expect(unsafe_code, reason = "PDFium is a C library; every call into it is unsafe")]

use crate::pdfium::{Library, Matrix, Page};
use crate::rulings::Rulings;
use std::collections::HashMap;
use std::ffi::c_void;

/// `FPDF_PAGEOBJ_TEXT`, `FPDF_PAGEOBJ_PATH`, `FPDF_PAGEOBJ_IMAGE` and `FPDF_PAGEOBJ_FORM` (fpdf_edit.h).
const TEXT: i32 = 1;
const PATH: i32 = 2;
const IMAGE: i32 = 3;
const FORM: i32 = 5;
/// How many objects are looked at, how many of them for what they paint, and how deep forms are followed: enough for any
/// page that a person reads.
const MOST_OBJECTS: u32 = 500_000;
const MOST_PAINTED: u32 = 120_000;
const DEEPEST: u32 = 6;
/// How many text objects are kept to be looked at again, on a page whose text says nothing.
const MOST_TEXTS: usize = 256;

/// What the walk found.
#[derive(Default)]
pub(crate) struct Objects {
    /// Whether the page draws an image, itself or in a form it uses.
    pub(crate) has_image: bool,
    /// Its first text objects.
    pub(crate) texts: Vec<*mut c_void>,
    /// Text objects inside forms, by address, each with the form on the page that holds it.
    pub(crate) inside: HashMap<usize, *mut c_void>,
}

impl Objects {
    /// Walks over a page and tells `rulings` what it paints. `follow_text`: whether text inside forms is wanted.
    pub(crate) fn of(page: &Page<'_>, follow_text: bool, rulings: &mut Rulings<'_>) -> Self {
        let mut walk = Walk {
            library: page.library,
            rulings,
            follow_text,
            seen: 0,
            found: Self::default(),
        };
        let bindings = &page.library.bindings;
        // SAFETY: the page handle is alive; objects belong to it and are only read.
        let count = unsafe { bindings.FPDFPage_CountObjects(page.handle.cast()) };
        for index in 0..count {
            if walk.is_done() {
                break;
            }
            // SAFETY: as above; the index is below the count.
            let object: *mut c_void = unsafe { bindings.FPDFPage_GetObject(page.handle.cast(), index).cast() };
            walk.visit(object, Matrix::SAME, None, 0);
        }
        walk.found
    }
}

/// Whether a text object shows something: glyphs that have a size, or ones of a font that is not in the file, whose size
/// nobody knows. (A space in a font of the file is neither.)
pub(crate) fn shows_glyphs(library: &Library, object: *mut c_void) -> bool {
    let bindings = &library.bindings;
    let (mut left, mut bottom, mut right, mut top) = (0.0_f32, 0.0_f32, 0.0_f32, 0.0_f32);
    // SAFETY: the object is a text object of a page that is alive; the pointers are valid for writing.
    unsafe {
        let font = bindings.FPDFTextObj_GetFont(object.cast());
        if !font.is_null() && bindings.FPDFFont_GetIsEmbedded(font) == 0 {
            return true;
        }
        bindings.FPDFPageObj_GetBounds(
            object.cast(),
            &raw mut left,
            &raw mut bottom,
            &raw mut right,
            &raw mut top,
        );
    }
    right > left && top > bottom
}

struct Walk<'a, 'b> {
    library: &'a Library,
    rulings: &'a mut Rulings<'b>,
    follow_text: bool,
    seen: u32,
    found: Objects,
}

impl Walk<'_, '_> {
    /// Whether nothing that may follow is wanted.
    const fn is_done(&self) -> bool {
        let known = self.found.has_image && !self.follow_text;
        self.seen >= MOST_OBJECTS || (known && self.seen >= MOST_PAINTED)
    }

    fn visit(&mut self, object: *mut c_void, outer: Matrix, holder: Option<*mut c_void>, depth: u32) {
        self.seen += 1;
        if object.is_null() {
            return;
        }
        let library = self.library;
        let bindings = &library.bindings;
        // SAFETY: the object belongs to the page, which is alive.
        let kind = unsafe { bindings.FPDFPageObj_GetType(object.cast()) };
        match kind {
            TEXT => {
                if self.found.texts.len() < MOST_TEXTS {
                    self.found.texts.push(object);
                }
                if let Some(holder) = holder.filter(|_| self.follow_text) {
                    self.found.inside.insert(object.addr(), holder);
                }
            }
            IMAGE => self.found.has_image = true,
            _ => {}
        }
        if !matches!(kind, PATH | IMAGE | FORM) {
            return;
        }
        let mut own = Matrix::SAME;
        // SAFETY: as above; `own` has the layout of FS_MATRIX and is valid for writing.
        if unsafe { bindings.FPDFPageObj_GetMatrix(object.cast(), (&raw mut own).cast()) } == 0 {
            own = Matrix::SAME;
        }
        let matrix = own.then(outer);
        let painted = self.seen < MOST_PAINTED;
        match kind {
            PATH if painted => self.rulings.path(object, matrix),
            IMAGE if painted => self.rulings.picture(matrix),
            FORM if depth < DEEPEST => {
                // SAFETY: as above.
                let count = unsafe { bindings.FPDFFormObj_CountObjects(object.cast()) };
                for index in 0..u32::try_from(count).unwrap_or(0) {
                    if self.is_done() {
                        return;
                    }
                    // SAFETY: as above; the index is below the count.
                    let inner: *mut c_void =
                        unsafe { bindings.FPDFFormObj_GetObject(object.cast(), index.into()).cast() };
                    self.visit(inner, matrix, holder.or(Some(object)), depth + 1);
                }
            }
            _ => {}
        }
    }
}
