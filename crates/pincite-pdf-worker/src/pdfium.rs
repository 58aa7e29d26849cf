//! PDFium's handles, each closed when dropped, and the frame of a page.
//!
//! The rest of the program reads through these; the unsafe calls stand here and in `page` and `outline`, each a plain
//! call of PDFium's C interface with handles that are alive.
//!
//! Deliberately not here: what a page or an outline means (`page`, `outline`), and any document but the one.

#![expect(unsafe_code, reason = "PDFium is a C library; every call into it is unsafe")]

use crate::fields::Form;
use pdfium_render::prelude::{Pdfium, PdfiumLibraryBindings};
use pincite_core::text::{PageSize, Rect};
use pincite_pdf::protocol::{DOCUMENT_DESCRIPTOR, Refusal};
use std::cell::OnceCell;
use std::ffi::c_void;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::fd::FromRawFd as _;

/// The loaded and initialised library.
pub(crate) struct Library {
    pub(crate) bindings: Box<dyn PdfiumLibraryBindings>,
}

/// `FPDF_LIBRARY_CONFIG`, version 2: the part of it that we set.
#[repr(C)]
struct Configuration {
    version: i32,
    user_font_paths: *const *const std::ffi::c_char,
    isolate: *mut c_void,
    v8_slot: u32,
    // Later versions of the structure are longer; zeros there are their defaults.
    rest: [u64; 8],
}

/// `FS_RECTF`.
#[repr(C)]
#[derive(Default, Clone, Copy)]
pub(crate) struct Rectangle {
    pub(crate) left: f32,
    pub(crate) top: f32,
    pub(crate) right: f32,
    pub(crate) bottom: f32,
}

/// `FS_MATRIX`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Matrix {
    pub(crate) a: f32,
    pub(crate) b: f32,
    pub(crate) c: f32,
    pub(crate) d: f32,
    pub(crate) e: f32,
    pub(crate) f: f32,
}

impl Matrix {
    /// The one that leaves everything where it is.
    pub(crate) const SAME: Self = Self {
        a: 1.0,
        b: 0.0,
        c: 0.0,
        d: 1.0,
        e: 0.0,
        f: 0.0,
    };
    /// All zeros.
    pub(crate) const NOTHING: Self = Self {
        a: 0.0,
        d: 0.0,
        ..Self::SAME
    };

    /// First this one, then `outer`.
    pub(crate) fn then(self, outer: Self) -> Self {
        Self {
            a: self.a * outer.a + self.b * outer.c,
            b: self.a * outer.b + self.b * outer.d,
            c: self.c * outer.a + self.d * outer.c,
            d: self.c * outer.b + self.d * outer.d,
            e: self.e * outer.a + self.f * outer.c + outer.e,
            f: self.e * outer.b + self.f * outer.d + outer.f,
        }
    }

    pub(crate) fn apply(self, (x, y): (f32, f32)) -> (f32, f32) {
        (self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f)
    }

    /// How much longer a length becomes, about.
    pub(crate) fn scale(self) -> f32 {
        (self.a * self.d - self.b * self.c).abs().sqrt()
    }
}

impl Library {
    /// Loads PDFium from `path` and initialises it with an empty list of font folders: no system fonts.
    pub(crate) fn load(path: &str) -> Result<Self, String> {
        let bindings = Pdfium::bind_to_library(path)
            .map_err(|error| format!("PDFium can't be loaded from {path}: {error:?}; run `make setup`"))?;
        let no_fonts = [std::ptr::null::<std::ffi::c_char>()];
        let configuration = Configuration {
            version: 2,
            user_font_paths: no_fonts.as_ptr(),
            isolate: std::ptr::null_mut(),
            v8_slot: 0,
            rest: [0; 8],
        };
        // SAFETY: the structure and the list it points to live through the call; PDFium copies what it keeps.
        unsafe { bindings.FPDF_InitLibraryWithConfig((&raw const configuration).cast()) };
        Ok(Self { bindings })
    }
}

/// The open document. Its bytes live as long as it does: PDFium reads from them.
pub(crate) struct Document<'a> {
    pub(crate) library: &'a Library,
    pub(crate) handle: *mut c_void,
    /// Its form, once a page with a field was read.
    form: OnceCell<Form>,
    /// Kept alive for PDFium, which holds a pointer into it.
    _bytes: Vec<u8>,
}

impl<'a> Document<'a> {
    /// Reads the document's descriptor and opens it.
    pub(crate) fn open(library: &'a Library, password: Option<&str>) -> Result<Self, Refusal> {
        let bytes = read_document()?;
        let password = password.filter(|password| !password.contains('\0'));
        // SAFETY: the bytes are moved into the document, whose heap block does not move, and outlive the handle.
        let handle = unsafe { library.bindings.FPDF_LoadMemDocument64(&bytes, password) };
        if handle.is_null() {
            // SAFETY: plain call.
            let code = unsafe { library.bindings.FPDF_GetLastError() };
            return Err(refusal(code, password.is_some(), &bytes));
        }
        let document = Self {
            library,
            handle: handle.cast(),
            form: OnceCell::new(),
            _bytes: bytes,
        };
        if document.pages() == 0 {
            Err(Refusal::NoPages)
        } else {
            Ok(document)
        }
    }

    /// The form, opened when first asked for.
    pub(crate) fn form(&self) -> &Form {
        self.form.get_or_init(|| Form::open(self.library, self.handle))
    }

    /// How many pages.
    pub(crate) fn pages(&self) -> u32 {
        // SAFETY: the handle is alive.
        let pages = unsafe { self.library.bindings.FPDF_GetPageCount(self.handle.cast()) };
        u32::try_from(pages).unwrap_or(0)
    }

    /// The title in the document information, where it says something.
    pub(crate) fn title(&self) -> Option<String> {
        let bindings = &self.library.bindings;
        // SAFETY: the buffer holds as many bytes as the first call asked for.
        let title = utf16_text(|buffer, length| unsafe {
            bindings.FPDF_GetMetaText(self.handle.cast(), "Title", buffer.cast(), length)
        });
        (!title.trim().is_empty()).then(|| title.trim().to_owned())
    }

    /// Loads a page, from 0.
    pub(crate) fn page(&self, index: u32) -> Result<Page<'_>, String> {
        let number = i32::try_from(index).map_err(|_| "there is no such page".to_owned())?;
        if index >= self.pages() {
            return Err(format!(
                "there is no page {}: the document has {}",
                index + 1,
                self.pages()
            ));
        }
        // SAFETY: the handle is alive.
        let handle = unsafe { self.library.bindings.FPDF_LoadPage(self.handle.cast(), number) };
        if handle.is_null() {
            return Err(format!("page {} can't be read: it is damaged", index + 1));
        }
        Ok(Page {
            library: self.library,
            handle: handle.cast(),
        })
    }
}

impl Drop for Document<'_> {
    fn drop(&mut self) {
        if let Some(form) = self.form.get() {
            form.close(self.library);
        }
        // SAFETY: the handle is alive and not used again.
        unsafe { self.library.bindings.FPDF_CloseDocument(self.handle.cast()) };
    }
}

/// A loaded page.
pub(crate) struct Page<'a> {
    pub(crate) library: &'a Library,
    pub(crate) handle: *mut c_void,
}

impl Page<'_> {
    /// Displayed size in points.
    pub(crate) fn size(&self) -> PageSize {
        let bindings = &self.library.bindings;
        // SAFETY: the handle is alive.
        let (width, height) = unsafe {
            (
                bindings.FPDF_GetPageWidthF(self.handle.cast()),
                bindings.FPDF_GetPageHeightF(self.handle.cast()),
            )
        };
        let sane = |side: f32| if side.is_finite() && side > 0.0 { side } else { 0.0 };
        PageSize {
            width: sane(width),
            height: sane(height),
        }
    }

    /// The way from the page's own space into the displayed frame.
    pub(crate) fn frame(&self) -> Frame {
        let bindings = &self.library.bindings;
        let mut area = Rectangle::default();
        // SAFETY: the handle is alive, `area` has the layout of FS_RECTF and is valid for writing.
        let rotation = unsafe {
            bindings.FPDF_GetPageBoundingBox(self.handle.cast(), (&raw mut area).cast());
            bindings.FPDFPage_GetRotation(self.handle.cast())
        };
        Frame::new(area, rotation.rem_euclid(4), self.size())
    }
}

impl Drop for Page<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle is alive and not used again.
        unsafe { self.library.bindings.FPDF_ClosePage(self.handle.cast()) };
    }
}

/// The page's visible area (CropBox clipped to MediaBox, inherited) and its /Rotate in quarter turns clockwise.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    area: Rectangle,
    rotation: i32,
    /// Displayed size in points.
    pub(crate) size: PageSize,
    /// Displayed points for each unit of the page's own space, along and down the page as displayed.
    scale: (f32, f32),
}

impl Frame {
    fn new(area: Rectangle, rotation: i32, size: PageSize) -> Self {
        let (across, up) = (area.right - area.left, area.top - area.bottom);
        // The displayed size is the area's but for a unit of the page's own; follow the size.
        let (width, height) = if rotation % 2 == 0 { (across, up) } else { (up, across) };
        let scale = |displayed: f32, own: f32| {
            if own > 0.0 && displayed > 0.0 {
                displayed / own
            } else {
                1.0
            }
        };
        Self {
            area,
            rotation,
            size,
            scale: (scale(size.width, width), scale(size.height, height)),
        }
    }

    /// A point of the page's own space in the displayed frame: origin top left, y down.
    pub(crate) fn point(&self, x: f32, y: f32) -> (f32, f32) {
        let Rectangle {
            left,
            top,
            right,
            bottom,
        } = self.area;
        let (across, down) = match self.rotation {
            0 => (x - left, top - y),
            1 => (y - bottom, x - left),
            2 => (right - x, y - bottom),
            _ => (top - y, right - x),
        };
        (across * self.scale.0, down * self.scale.1)
    }

    /// How the page is turned for display, in degrees clockwise.
    pub(crate) fn degrees(&self) -> u16 {
        90 * u16::try_from(self.rotation).unwrap_or(0)
    }

    /// Displayed points for each unit of the page's own space, down the page.
    pub(crate) fn scale(&self) -> f32 {
        self.scale.1
    }

    /// A rectangle of the page's own space in the displayed frame.
    pub(crate) fn rect(&self, own: Rectangle) -> Rect {
        let (xa, ya) = self.point(own.left, own.top);
        let (xb, yb) = self.point(own.right, own.bottom);
        Rect {
            x0: xa.min(xb),
            y0: ya.min(yb),
            x1: xa.max(xb),
            y1: ya.max(yb),
        }
    }
}

/// Text that PDFium writes as UTF-16LE with a closing zero, asked for twice: its length, then itself.
pub(crate) fn utf16_text(mut read: impl FnMut(*mut u16, std::ffi::c_ulong) -> std::ffi::c_ulong) -> String {
    let bytes = read(std::ptr::null_mut(), 0);
    let units = usize::try_from(bytes / 2).unwrap_or(0).min(1 << 20);
    let mut buffer = vec![0_u16; units];
    if units > 0 {
        read(buffer.as_mut_ptr(), (units as std::ffi::c_ulong) * 2);
    }
    let text = String::from_utf16_lossy(&buffer);
    text.trim_end_matches('\0').to_owned()
}

fn read_document() -> Result<Vec<u8>, Refusal> {
    // SAFETY: the client opened this descriptor for us; nothing else in this process owns it.
    let mut file = unsafe { File::from_raw_fd(DOCUMENT_DESCRIPTOR) };
    // Its end is asked for, not its metadata: that call also takes paths, and the sandbox has none of it.
    let length = file.seek(SeekFrom::End(0)).unwrap_or(0);
    let unreadable = |error| Refusal::Damaged(format!("it can't be read: {error}"));
    file.rewind().map_err(unreadable)?;
    let mut bytes = Vec::new();
    // Two copies would not fit into the memory limit anyway; refuse before the allocator does.
    if bytes
        .try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))
        .is_err()
    {
        return Err(Refusal::TooLarge(length));
    }
    file.take(length).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

/// PDFium's error numbers (fpdfview.h): 2 file, 3 format, 4 password, 5 security, 6 page. A failed load can leave 0.
fn refusal(code: std::ffi::c_ulong, had_password: bool, bytes: &[u8]) -> Refusal {
    match code {
        4 if had_password => Refusal::PasswordWrong,
        4 => Refusal::PasswordNeeded,
        5 => Refusal::Security,
        _ => match something_else(bytes) {
            Some(kind) => Refusal::NotPdf(kind.to_owned()),
            None if code == 3 => Refusal::Damaged("its structure can't be read".into()),
            None => Refusal::Damaged("it can't be opened".into()),
        },
    }
}

/// What bytes without a PDF header (in the first 1,024 bytes, as readers look for it) are, in words.
fn something_else(bytes: &[u8]) -> Option<&'static str> {
    let head = bytes.get(..1024).unwrap_or(bytes);
    if head.windows(5).any(|window| window == b"%PDF-") {
        return None;
    }
    let text = String::from_utf8_lossy(head).to_lowercase();
    let text = text.trim_start_matches('\u{feff}').trim_start();
    Some(if bytes.is_empty() {
        "an empty file"
    } else if text.starts_with("<!doctype html") || text.contains("<html") {
        "an HTML page"
    } else if text.starts_with("<?xml") {
        "an XML file"
    } else if head.starts_with(b"PK\x03\x04") {
        "a ZIP archive (such as a Word or LibreOffice file)"
    } else if head.starts_with(&[0xd0, 0xcf, 0x11, 0xe0]) {
        "an old Microsoft Office file"
    } else if head.starts_with(b"\x89PNG") || head.starts_with(&[0xff, 0xd8, 0xff]) {
        "a picture"
    } else {
        "something else: it has no %PDF header"
    })
}
