//! How text objects are drawn: font, displayed size, weight, slant, and whether they are painted at all.
//!
//! PDFium's characters of one text object share all of it, so it is asked for once an object, and of each font once a
//! page.
//!
//! Deliberately not here: which style is a heading's.

#![expect(unsafe_code, reason = "PDFium is a C library; every call into it is unsafe")]

use crate::pdfium::{Library, Matrix};
use std::collections::HashMap;
use std::ffi::{c_char, c_void};

/// `FPDF_TEXTRENDERMODE_FILL_STROKE` and `FPDF_TEXTRENDERMODE_INVISIBLE` (fpdfview.h).
const FILL_AND_STROKE: i32 = 2;
const INVISIBLE: i32 = 3;
/// Font descriptor flags (ISO 32000-1, table 123): italic is bit 7, force bold bit 19.
const ITALIC: i32 = 1 << 6;
const FORCE_BOLD: i32 = 1 << 18;
const REGULAR: u16 = 400;
const BOLD: u16 = 700;
/// Text that is filled and stroked this thickly, as a share of its size, is drawn bold.
const BOLD_STROKE: f32 = 0.015;
/// An upright letter's axes differ from a right angle by less than this cosine (5 degrees).
const UPRIGHT: f32 = 0.087;
/// The longest font name that is kept, in bytes, and the most fonts of a page.
const LONGEST_NAME: usize = 128;
const MOST_FONTS: usize = u16::MAX as usize;

/// What one text object has in common. Two objects drawn alike are equal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Style {
    pub(crate) size: f32,
    pub(crate) weight: u16,
    pub(crate) italic: bool,
    pub(crate) font: u16,
}

/// How an object is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Drawn {
    pub(crate) style: Option<Style>,
    pub(crate) invisible: bool,
}

#[derive(Clone, Copy)]
struct Face {
    index: u16,
    weight: u16,
    italic: bool,
}

/// The fonts of one page.
pub(crate) struct Fonts<'a> {
    library: &'a Library,
    /// Displayed points for each unit of the page's own space, down the page.
    scale: f32,
    faces: HashMap<usize, Face>,
    pub(crate) names: Vec<String>,
    /// Indices of fonts whose program is not in the file.
    pub(crate) substituted: Vec<u16>,
}

impl<'a> Fonts<'a> {
    pub(crate) fn new(library: &'a Library, scale: f32) -> Self {
        Self {
            library,
            scale,
            faces: HashMap::new(),
            names: Vec::new(),
            substituted: Vec::new(),
        }
    }

    /// How a text object is drawn; `index` is one of its characters on the text page `text`.
    pub(crate) fn drawn(&mut self, text: *mut c_void, index: i32, object: *mut c_void) -> Drawn {
        let bindings = &self.library.bindings;
        let mut matrix = Matrix::NOTHING;
        let mut size = 0.0_f32;
        let mut stroke = 0.0_f32;
        // SAFETY: page, text page and object are alive; Matrix has the layout of FS_MATRIX; the rest is valid for writing.
        let (font, mode): (*mut c_void, i32) = unsafe {
            bindings.FPDFTextObj_GetFontSize(object.cast(), &raw mut size);
            bindings.FPDFText_GetMatrix(text.cast(), index, (&raw mut matrix).cast());
            (
                bindings.FPDFTextObj_GetFont(object.cast()).cast(),
                bindings.FPDFTextObj_GetTextRenderMode(object.cast()),
            )
        };
        let invisible = mode == INVISIBLE;
        if font.is_null() {
            return Drawn { style: None, invisible };
        }
        if mode == FILL_AND_STROKE {
            // SAFETY: as above.
            unsafe { bindings.FPDFPageObj_GetStrokeWidth(object.cast(), &raw mut stroke) };
        }
        let size = displayed_size(size, &matrix) * self.scale;
        let face = self.face(font);
        let stroked = size > 0.0 && stroke / size >= BOLD_STROKE;
        Drawn {
            style: Some(Style {
                size,
                weight: if stroked { face.weight.max(BOLD) } else { face.weight },
                italic: face.italic || slanted(&matrix),
                font: face.index,
            }),
            invisible,
        }
    }

    fn face(&mut self, font: *mut c_void) -> Face {
        if let Some(face) = self.faces.get(&font.addr()) {
            return *face;
        }
        let bindings = &self.library.bindings;
        let mut buffer = [0_u8; LONGEST_NAME];
        let mut angle = 0_i32;
        // SAFETY: the font lives as long as the object it was asked from; the pointers are valid for writing.
        let (length, flags, stem_weight, embedded) = unsafe {
            let length =
                bindings.FPDFFont_GetBaseFontName(font.cast(), buffer.as_mut_ptr().cast::<c_char>(), LONGEST_NAME);
            bindings.FPDFFont_GetItalicAngle(font.cast(), &raw mut angle);
            (
                length,
                bindings.FPDFFont_GetFlags(font.cast()),
                bindings.FPDFFont_GetWeight(font.cast()),
                bindings.FPDFFont_GetIsEmbedded(font.cast()),
            )
        };
        // A longer name leaves the buffer as it was.
        let bytes = if length <= LONGEST_NAME {
            length.saturating_sub(1)
        } else {
            0
        };
        let name = String::from_utf8_lossy(buffer.get(..bytes).unwrap_or_default()).into_owned();
        let name = without_subset(&name).to_owned();
        let lower = name.to_lowercase();
        let flags = flags.max(0);
        let weight = match weight_by_name(&lower) {
            Some(weight) => weight,
            None if flags & FORCE_BOLD != 0 => BOLD,
            None => weight_by_stem(stem_weight),
        };
        let face = Face {
            index: u16::try_from(self.names.len().min(MOST_FONTS)).unwrap_or(u16::MAX),
            weight,
            italic: flags & ITALIC != 0 || angle != 0 || ["italic", "oblique"].iter().any(|word| lower.contains(word)),
        };
        self.faces.insert(font.addr(), face);
        if self.names.len() < MOST_FONTS {
            self.names.push(name);
            if embedded == 0 {
                self.substituted.push(face.index);
            }
        }
        face
    }
}

/// A subset's name begins with six capitals and a plus sign (ISO 32000-1, 9.6.4).
fn without_subset(name: &str) -> &str {
    match name.split_once('+') {
        Some((prefix, rest)) if prefix.len() == 6 && prefix.bytes().all(|byte| byte.is_ascii_uppercase()) => rest,
        _ => name,
    }
}

/// The weight that a font's name (in lower case) states, by the scale of CSS and OpenType.
fn weight_by_name(name: &str) -> Option<u16> {
    // Longer words first: "semibold" holds "bold".
    const WORDS: [(&str, u16); 17] = [
        ("extralight", 200),
        ("ultralight", 200),
        ("semilight", 300),
        ("semibold", 600),
        ("demibold", 600),
        ("extrabold", 800),
        ("ultrabold", 800),
        ("hairline", 100),
        ("regular", REGULAR),
        ("medium", 500),
        ("black", 900),
        ("heavy", 900),
        ("light", 300),
        ("thin", 100),
        ("bold", BOLD),
        ("demi", 600),
        ("roman", REGULAR),
    ];
    // Only the part that names the style: "Blackadder" is no weight, and neither is "NewRoman".
    let style = name.rsplit_once(['-', ',']).map_or("", |(_, style)| style);
    let compact: String = style.chars().filter(char::is_ascii_alphabetic).collect();
    let by_style = WORDS
        .iter()
        .find(|(word, _)| compact.contains(word))
        .map(|(_, weight)| *weight);
    by_style.or_else(|| {
        let whole: String = name.chars().filter(char::is_ascii_alphabetic).collect();
        WORDS
            .iter()
            .filter(|(word, _)| word.ends_with("bold"))
            .find(|(word, _)| whole.contains(word))
            .map(|(_, weight)| *weight)
    })
}

/// PDFium derives a weight from the width of the stems (/`StemV`): five times it for thin ones. Writers that don't know
/// it write a constant, so only clearly bold and clearly sane values count; anything else is "not said".
fn weight_by_stem(weight: i32) -> u16 {
    match weight {
        650..=1000 => BOLD,
        350..=500 => REGULAR,
        _ => 0,
    }
}

/// Font size under the run's matrix: how high an em stands on its base line, whatever the letters' slant. Rounded, so
/// that objects drawn alike are equal.
fn displayed_size(size: f32, matrix: &Matrix) -> f32 {
    let along = matrix.a.hypot(matrix.b);
    let across = if along > 0.0 {
        (matrix.a * matrix.d - matrix.b * matrix.c).abs() / along
    } else {
        matrix.c.hypot(matrix.d)
    };
    let displayed = (size * across).abs();
    if displayed.is_finite() && displayed < 1.0e6 {
        (displayed * 100.0).round() / 100.0
    } else {
        0.0
    }
}

/// Whether the matrix shears letters: its axes don't stand at a right angle.
fn slanted(matrix: &Matrix) -> bool {
    let lengths = matrix.a.hypot(matrix.b) * matrix.c.hypot(matrix.d);
    let dot = (matrix.a * matrix.c + matrix.b * matrix.d).abs();
    lengths > 0.0 && dot.is_finite() && dot / lengths > UPRIGHT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_state_weights_and_lose_their_prefix() {
        for (name, weight) in [
            ("arial-boldmt", Some(700)),
            ("arial,bold", Some(700)),
            ("timesnewromanps-bolditalicmt", Some(700)),
            ("timesnewromanpsmt", None),
            ("sourcesans3-semibold", Some(600)),
            ("libertinusserif-regular", Some(400)),
            ("times-roman", Some(400)),
            ("arialbold", Some(700)),
            ("blackadder", None),
            ("helveticaneue-ultralight", Some(200)),
            ("frutiger-black", Some(900)),
        ] {
            assert_eq!(weight_by_name(name), weight, "{name}");
        }
        assert_eq!(without_subset("ABCDEF+Name"), "Name");
        assert_eq!(without_subset("ABCdEF+Name"), "ABCdEF+Name");
        assert_eq!(without_subset("C+Name"), "C+Name");
    }

    #[test]
    fn size_and_slant_come_from_the_matrix() {
        let matrix = |a, b, c, d| Matrix {
            a,
            b,
            c,
            d,
            e: 0.0,
            f: 0.0,
        };
        assert!((displayed_size(1.0, &matrix(12.0, 0.0, 0.0, 12.0)) - 12.0).abs() < f32::EPSILON);
        assert!((displayed_size(10.0, &matrix(0.0, 1.2, -1.2, 0.0)) - 12.0).abs() < 0.01);
        assert!((displayed_size(-10.0, &matrix(1.0, 0.0, 0.0, 1.0)) - 10.0).abs() < f32::EPSILON);
        assert!(displayed_size(f32::NAN, &matrix(1.0, 0.0, 0.0, 1.0)).abs() < f32::EPSILON);
        assert!(!slanted(&matrix(0.0, 1.0, -1.0, 0.0)));
        assert!(slanted(&matrix(1.0, 0.0, 0.2126, 1.0)));
        assert!(!slanted(&matrix(0.0, 0.0, 0.0, 0.0)));
    }
}
