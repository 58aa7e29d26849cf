//! A page's picture.
//!
//! Deliberately not here: what stands on it (`page`).

#![expect(unsafe_code, reason = "PDFium is a C library; every call into it is unsafe")]

use crate::pdfium::Document;

/// The longest side of a picture in pixels, and the most pixels in all.
const LONGEST_SIDE: f32 = 16_384.0;
const MOST_PIXELS: f32 = 64.0 * 1024.0 * 1024.0;
/// `FPDF_ANNOT` (fpdfview.h): annotations are part of what a reader sees.
const DRAW_ANNOTATIONS: i32 = 1;
/// `FPDFBitmap_BGRx`.
const BGRX: i32 = 3;

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
