//! What stands on a page and is no part of its text: values in form fields, annotations with words.
//!
//! The form is opened once a document, at the first page that has a field, with no callback at all: nothing is filled
//! in, no script runs, and drawing a page is as before.
//!
//! Deliberately not here: the layers that are made of them, links, and anything hidden or secret.

#![expect(unsafe_code, reason = "PDFium is a C library; every call into it is unsafe")]

use crate::pdfium::{Document, Frame, Library, Page, Rectangle, utf16_text};
use pincite_core::text::{Annotation, FormField};
use std::ffi::{c_ulong, c_void};

/// The most annotations of a page that are looked at, and the most bytes that their words and values may have in all.
const MOST_ANNOTATIONS: i32 = 20_000;
const MOST_BYTES: usize = 4 << 20;
/// The most options of a choice that are looked at.
const MOST_OPTIONS: i32 = 2_000;
/// Annotation flags (ISO 32000-1, table 165): hidden is bit 2, no view bit 6.
const NOT_SHOWN: i32 = 1 << 1 | 1 << 5;
/// Field flag of a password (table 228): bit 14.
const PASSWORD: i32 = 1 << 13;
/// `FPDF_ANNOT_WIDGET` (fpdf_annot.h).
const WIDGET: i32 = 20;
/// `FPDF_FORMFIELD_*` (fpdf_formfill.h).
const PUSH_BUTTON: i32 = 1;
const CHECK_BOX: i32 = 2;
const RADIO_BUTTON: i32 = 3;
const COMBO_BOX: i32 = 4;
const LIST_BOX: i32 = 5;
const SIGNATURE: i32 = 7;

/// The document's form, opened for reading values.
pub(crate) struct Form {
    handle: *mut c_void,
    /// `FPDF_FORMFILLINFO`, version 1: no callbacks. PDFium holds a pointer to it.
    _information: Box<[u64; 64]>,
}

impl Form {
    /// Opens the form of the document with this handle. The document must be closed after [`Form::close`].
    pub(crate) fn open(library: &Library, document: *mut c_void) -> Self {
        let mut information = Box::new([0_u64; 64]);
        // The version is a 32-bit number at the front; this machine's bytes begin with the lowest.
        information[0] = u64::from(1_u32.to_le());
        // SAFETY: the document is alive; the structure is longer than PDFium's and outlives the handle.
        let handle = unsafe {
            library
                .bindings
                .FPDFDOC_InitFormFillEnvironment(document.cast(), information.as_mut_ptr().cast())
        };
        Self {
            handle: handle.cast(),
            _information: information,
        }
    }

    /// Closes it, before its document.
    pub(crate) fn close(&self, library: &Library) {
        // SAFETY: the handle was opened here and is not used again; null does nothing.
        unsafe { library.bindings.FPDFDOC_ExitFormFillEnvironment(self.handle.cast()) };
    }
}

/// An annotation's handle, closed when dropped.
struct Note<'a> {
    library: &'a Library,
    handle: *mut c_void,
}

impl Drop for Note<'_> {
    fn drop(&mut self) {
        // SAFETY: alive, and not used again.
        unsafe { self.library.bindings.FPDFPage_CloseAnnot(self.handle.cast()) };
    }
}

/// The fields with a value and the annotations with words, in the page's order.
pub(crate) fn read(document: &Document<'_>, page: &Page<'_>, frame: &Frame) -> (Vec<FormField>, Vec<Annotation>) {
    let library = document.library;
    let bindings = &library.bindings;
    let (mut fields, mut annotations) = (Vec::new(), Vec::new());
    let mut left = MOST_BYTES;
    // SAFETY: the page handle is alive.
    let count = unsafe { bindings.FPDFPage_GetAnnotCount(page.handle.cast()) };
    for index in 0..count.min(MOST_ANNOTATIONS) {
        // SAFETY: as above.
        let handle = unsafe { bindings.FPDFPage_GetAnnot(page.handle.cast(), index) };
        if handle.is_null() {
            continue;
        }
        let note = Note {
            library,
            handle: handle.cast(),
        };
        // SAFETY: the annotation is alive until `note` is dropped.
        let (subtype, flags) = unsafe {
            (
                bindings.FPDFAnnot_GetSubtype(note.handle.cast()),
                bindings.FPDFAnnot_GetFlags(note.handle.cast()),
            )
        };
        if flags & NOT_SHOWN != 0 {
            continue;
        }
        let words = if subtype == WIDGET {
            let field = field(&note, document.form(), frame);
            let bytes = field.as_ref().map_or(0, |field| field.name.len() + field.value.len());
            fields.extend(field);
            bytes
        } else {
            let annotation = kind(subtype).and_then(|kind| annotation(&note, kind, frame));
            let bytes = annotation.as_ref().map_or(0, |annotation| annotation.text.len());
            annotations.extend(annotation);
            bytes
        };
        match left.checked_sub(words) {
            Some(rest) => left = rest,
            None => break,
        }
    }
    (fields, annotations)
}

/// Names of the subtypes that carry words of their own (fpdf_annot.h). A pop-up repeats its parent's; a link has none.
const fn kind(subtype: i32) -> Option<&'static str> {
    Some(match subtype {
        1 => "Text",
        3 => "FreeText",
        4 => "Line",
        5 => "Square",
        6 => "Circle",
        7 => "Polygon",
        8 => "PolyLine",
        9 => "Highlight",
        10 => "Underline",
        11 => "Squiggly",
        12 => "StrikeOut",
        13 => "Stamp",
        14 => "Caret",
        15 => "Ink",
        17 => "FileAttachment",
        28 => "Redact",
        _ => return None,
    })
}

fn annotation(note: &Note<'_>, kind: &str, frame: &Frame) -> Option<Annotation> {
    let text = string(note, "Contents");
    (!text.trim().is_empty()).then_some(())?;
    Some(Annotation {
        kind: kind.to_owned(),
        text,
        rect: rect(note, frame)?,
    })
}

fn rect(note: &Note<'_>, frame: &Frame) -> Option<pincite_core::text::Rect> {
    let mut own = Rectangle::default();
    // SAFETY: the annotation is alive; Rectangle has the layout of FS_RECTF and is valid for writing.
    let known = unsafe {
        note.library
            .bindings
            .FPDFAnnot_GetRect(note.handle.cast(), (&raw mut own).cast())
    };
    let finite = [own.left, own.top, own.right, own.bottom]
        .iter()
        .all(|side| side.is_finite());
    (known != 0 && finite).then(|| frame.rect(own))
}

/// A string of the annotation itself.
fn string(note: &Note<'_>, key: &str) -> String {
    // SAFETY: the annotation is alive; the buffer holds as many bytes as are told.
    words(|buffer, length| unsafe {
        note.library
            .bindings
            .FPDFAnnot_GetStringValue(note.handle.cast(), key, buffer.cast(), length)
    })
}

/// Text with one kind of line break.
fn words(read: impl FnMut(*mut u16, c_ulong) -> c_ulong) -> String {
    utf16_text(read).replace("\r\n", "\n").replace('\r', "\n")
}

fn field(note: &Note<'_>, form: &Form, frame: &Frame) -> Option<FormField> {
    let bindings = &note.library.bindings;
    let (form, handle) = (form.handle, note.handle);
    // SAFETY: form and annotation are alive.
    let (kind, flags) = unsafe {
        (
            bindings.FPDFAnnot_GetFormFieldType(form.cast(), handle.cast()),
            bindings.FPDFAnnot_GetFormFieldFlags(form.cast(), handle.cast()),
        )
    };
    // SAFETY: as above, in each of these; the buffers hold as many bytes as are told.
    let name = || {
        words(|buffer, length| unsafe {
            bindings.FPDFAnnot_GetFormFieldName(form.cast(), handle.cast(), buffer.cast(), length)
        })
    };
    // SAFETY: as above.
    let value = || {
        words(|buffer, length| unsafe {
            bindings.FPDFAnnot_GetFormFieldValue(form.cast(), handle.cast(), buffer.cast(), length)
        })
    };
    // The state that is drawn. PDFium tells it only of pages that are shown in a form of its own.
    let state = || Some(string(note, "AS")).filter(|state| !state.is_empty());
    let (name, value) = match kind {
        PUSH_BUTTON | SIGNATURE => return None,
        CHECK_BOX => (name(), state().unwrap_or_else(value)),
        // Every button of a group has the group's value; it stands where the dot is.
        RADIO_BUTTON => match state() {
            Some(state) if state != "Off" => (name(), Some(value()).filter(|value| !value.is_empty()).unwrap_or(state)),
            _ => return None,
        },
        COMBO_BOX | LIST_BOX => (name(), chosen(note, form).unwrap_or_else(value)),
        // A widget that the form does not know: what it says itself.
        kind if kind < 0 => (string(note, "T"), string(note, "V")),
        _ if flags & PASSWORD != 0 => return None,
        _ => (name(), value()),
    };
    (!value.trim().is_empty()).then_some(())?;
    Some(FormField {
        name,
        value,
        rect: rect(note, frame)?,
    })
}

/// The labels of the options that are chosen, one a line: what the page shows, where an option's value may differ.
fn chosen(note: &Note<'_>, form: *mut c_void) -> Option<String> {
    let bindings = &note.library.bindings;
    let handle = note.handle;
    let mut labels = Vec::new();
    // SAFETY: form and annotation are alive; the buffer holds as many bytes as are told.
    unsafe {
        let count = bindings.FPDFAnnot_GetOptionCount(form.cast(), handle.cast());
        for index in 0..count.min(MOST_OPTIONS) {
            if bindings.FPDFAnnot_IsOptionSelected(form.cast(), handle.cast(), index) == 1 {
                labels.push(words(|buffer, length| {
                    bindings.FPDFAnnot_GetOptionLabel(form.cast(), handle.cast(), index, buffer.cast(), length)
                }));
            }
        }
    }
    (!labels.is_empty()).then(|| labels.join("\n"))
}
