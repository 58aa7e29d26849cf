//! One visit to a page: its code points with their boxes, what can't be trusted, its picture.
//!
//! The text is built from `FPDFText_GetUnicode`, one character at a time, never from `FPDFText_GetText`: the latter drops
//! characters that still have boxes, and text and boxes drift apart.
//!
//! Deliberately not here: reading order, columns, de-duplication. The layer is what the extractor read.

#![expect(unsafe_code, reason = "PDFium is a C library; every call into it is unsafe")]

use crate::pdfium::{Document, Frame, Page, Rectangle};
use pincite_core::text::{LayerBoxes, PageDetail, Rect};
use pincite_pdf::protocol::PageText;
use std::ffi::c_void;

/// The longest side of a picture in pixels, and the most pixels in all.
const LONGEST_SIDE: f32 = 16_384.0;
const MOST_PIXELS: f32 = 64.0 * 1024.0 * 1024.0;
/// `FPDF_ANNOT` (fpdfview.h): annotations are part of what a reader sees.
const DRAW_ANNOTATIONS: i32 = 1;
/// `FPDFBitmap_BGRx`.
const BGRX: i32 = 3;
/// `FPDF_PAGEOBJ_IMAGE` and `FPDF_PAGEOBJ_FORM` (fpdf_edit.h).
const IMAGE: i32 = 3;
const FORM: i32 = 5;

/// A page's text, and its boxes as bytes.
pub(crate) fn read(document: &Document<'_>, index: u32) -> Result<(PageText, Vec<u8>), String> {
    let page = document.page(index)?;
    let bindings = &document.library.bindings;
    // SAFETY: the page handle is alive; the text handle is closed below.
    let text = unsafe { bindings.FPDFText_LoadPage(page.handle.cast()) };
    if text.is_null() {
        return Err(format!("the text of page {} can't be read", index + 1));
    }
    let mut reading = Reading {
        document,
        text: text.cast(),
        frame: page.frame(),
        found: Found::default(),
    };
    reading.run();
    let found = reading.found;
    // SAFETY: alive, and not used again.
    unsafe { bindings.FPDFText_ClosePage(text) };
    let text = PageText {
        size: page.size(),
        text: found.text,
        replaced: found.replaced,
        unmapped: found.unmapped,
        has_image: has_image(&page),
        detail: PageDetail::default(),
    };
    Ok((text, LayerBoxes::new(found.boxes).to_bytes()))
}

#[derive(Default)]
struct Found {
    text: String,
    boxes: Vec<Option<Rect>>,
    replaced: u32,
    unmapped: u32,
}

impl Found {
    fn push(&mut self, character: char, rect: Option<Rect>) {
        self.text.push(character);
        self.boxes.push(rect);
    }
}

struct Reading<'a> {
    document: &'a Document<'a>,
    text: *mut c_void,
    frame: Frame,
    found: Found,
}

impl Reading<'_> {
    fn run(&mut self) {
        let bindings = &self.document.library.bindings;
        // SAFETY: the text handle is alive for the whole of this visit; indices stay below the count.
        let count = unsafe { bindings.FPDFText_CountChars(self.text.cast()) };
        let mut index = 0;
        while index < count {
            index += self.character(index, count);
        }
    }

    fn code(&self, index: i32) -> u32 {
        // SAFETY: as above.
        unsafe {
            self.document
                .library
                .bindings
                .FPDFText_GetUnicode(self.text.cast(), index)
        }
    }

    /// Writes the code point (or two) that PDFium's character at `index` is; answers how many characters it used.
    fn character(&mut self, index: i32, count: i32) -> i32 {
        let bindings = &self.document.library.bindings;
        let code = self.code(index);
        // SAFETY: as above.
        let (generated, hyphen, unmapped) = unsafe {
            (
                bindings.FPDFText_IsGenerated(self.text.cast(), index) == 1,
                bindings.FPDFText_IsHyphen(self.text.cast(), index) == 1,
                bindings.FPDFText_HasUnicodeMapError(self.text.cast(), index) == 1,
            )
        };
        self.found.unmapped += u32::from(unmapped);
        let next = (index + 1 < count).then(|| self.code(index + 1));
        match (code, next) {
            (0x0d, Some(0x0a)) if generated => {
                self.found.push('\n', None);
                return 2;
            }
            (0x0d | 0x0a, _) if generated => self.found.push('\n', None),
            (0x02, next) if hyphen => {
                let rect = self.rect(index, generated);
                self.found.push('\u{ad}', rect);
                if !matches!(next, Some(0x0d | 0x0a)) {
                    self.found.push('\n', None);
                }
            }
            (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => {
                let joined = 0x1_0000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                let rect = self.rect(index, generated).or_else(|| self.rect(index + 1, generated));
                self.push_code(joined, rect);
                return 2;
            }
            _ => {
                let rect = self.rect(index, generated);
                self.push_code(code, rect);
            }
        }
        1
    }

    /// A code point as it is, or U+FFFD where there is none or a control character.
    fn push_code(&mut self, code: u32, rect: Option<Rect>) {
        let character = char::from_u32(code).filter(|character| !character.is_control());
        self.found.replaced += u32::from(character.is_none());
        self.found.push(character.unwrap_or(char::REPLACEMENT_CHARACTER), rect);
    }

    /// The box to show for a character: as wide as its glyph along the line, as high as its line across it.
    fn rect(&self, index: i32, generated: bool) -> Option<Rect> {
        if generated {
            return None;
        }
        let bindings = &self.document.library.bindings;
        let (mut left, mut right, mut bottom, mut top) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
        let mut loose = Rectangle::default();
        // SAFETY: the text handle is alive; the pointers are valid for writing; Rectangle has the layout of FS_RECTF.
        let (has_tight, has_loose, angle) = unsafe {
            (
                bindings.FPDFText_GetCharBox(
                    self.text.cast(),
                    index,
                    &raw mut left,
                    &raw mut right,
                    &raw mut bottom,
                    &raw mut top,
                ) != 0,
                bindings.FPDFText_GetLooseCharBox(self.text.cast(), index, (&raw mut loose).cast()) != 0,
                bindings.FPDFText_GetCharAngle(self.text.cast(), index),
            )
        };
        let sane = [left, right, bottom, top].iter().all(|side| side.is_finite());
        if !has_tight || !sane || right <= left || top <= bottom {
            return None;
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "PDFium computes boxes in f32 and hands them out as f64"
        )]
        let tight = Rectangle {
            left: left as f32,
            right: right as f32,
            bottom: bottom as f32,
            top: top as f32,
        };
        let across_line = |tight: Rectangle, loose: Rectangle| -> Rectangle {
            // Quarter turns of the run: 0 and 2 lie along x, 1 and 3 along y; other angles keep their own box.
            let turns = angle / std::f32::consts::FRAC_PI_2;
            let along = (turns - turns.round()).abs() < 0.02;
            #[expect(clippy::cast_possible_truncation, reason = "a quarter turn is a small whole number")]
            let quarter = turns.round() as i32;
            match (along, quarter.rem_euclid(2)) {
                (true, 0) => Rectangle {
                    bottom: tight.bottom.min(loose.bottom),
                    top: tight.top.max(loose.top),
                    ..tight
                },
                (true, _) => Rectangle {
                    left: tight.left.min(loose.left),
                    right: tight.right.max(loose.right),
                    ..tight
                },
                (false, _) => tight,
            }
        };
        let loose_is_sane = has_loose
            && [loose.left, loose.right, loose.bottom, loose.top]
                .iter()
                .all(|side| side.is_finite())
            && loose.right >= loose.left
            && loose.top >= loose.bottom;
        Some(self.frame.rect(if loose_is_sane {
            across_line(tight, loose)
        } else {
            tight
        }))
    }
}

/// Whether the page draws an image, itself or in a form it uses.
fn has_image(page: &Page<'_>) -> bool {
    let bindings = &page.library.bindings;
    // SAFETY: the page handle is alive; objects belong to it and are only read.
    unsafe {
        let count = bindings.FPDFPage_CountObjects(page.handle.cast());
        (0..count.min(10_000)).any(|index| {
            let object: *mut c_void = bindings.FPDFPage_GetObject(page.handle.cast(), index).cast();
            object_has_image(page, object, 0)
        })
    }
}

fn object_has_image(page: &Page<'_>, object: *mut c_void, depth: u32) -> bool {
    if object.is_null() || depth > 4 {
        return false;
    }
    let bindings = &page.library.bindings;
    // SAFETY: as above.
    unsafe {
        match bindings.FPDFPageObj_GetType(object.cast()) {
            IMAGE => true,
            FORM => {
                let count = bindings.FPDFFormObj_CountObjects(object.cast());
                (0..u32::try_from(count).unwrap_or(0).min(1_000)).any(|index| {
                    let inner: *mut c_void = bindings.FPDFFormObj_GetObject(object.cast(), index.into()).cast();
                    object_has_image(page, inner, depth + 1)
                })
            }
            _ => false,
        }
    }
}

/// A page's picture at `scale` pixels a point, BGRX on white.
pub(crate) fn render(document: &Document<'_>, index: u32, scale: f32) -> Result<(u32, u32, Vec<u8>), String> {
    let page = document.page(index)?;
    let size = page.size();
    let (width, height) = (size.width * scale, size.height * scale);
    let possible = scale.is_finite()
        && scale > 0.0
        && width <= LONGEST_SIDE
        && height <= LONGEST_SIDE
        && width * height <= MOST_PIXELS;
    if !possible {
        return Err(format!(
            "page {} ({} by {} points) can't be drawn at {} dpi: the picture would be too large; ask for less",
            index + 1,
            size.width,
            size.height,
            scale * 72.0
        ));
    }
    #[expect(clippy::cast_possible_truncation, reason = "both are at most 16,384")]
    let (columns, rows) = ((width.round() as i32).max(1), (height.round() as i32).max(1));
    let bindings = &document.library.bindings;
    let stride = usize::try_from(columns).unwrap_or(0) * 4;
    let mut pixels = vec![0xff_u8; stride * usize::try_from(rows).unwrap_or(0)];
    // SAFETY: the bitmap draws into `pixels`, which has rows * stride bytes and outlives it.
    unsafe {
        let bitmap = bindings.FPDFBitmap_CreateEx(columns, rows, BGRX, pixels.as_mut_ptr().cast(), columns * 4);
        if bitmap.is_null() {
            return Err(format!(
                "page {} can't be drawn: no bitmap of {columns} by {rows}",
                index + 1
            ));
        }
        bindings.FPDF_RenderPageBitmap(bitmap, page.handle.cast(), 0, 0, columns, rows, 0, DRAW_ANNOTATIONS);
        bindings.FPDFBitmap_Destroy(bitmap);
    }
    Ok((columns.unsigned_abs(), rows.unsigned_abs(), pixels))
}
