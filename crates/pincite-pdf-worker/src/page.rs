//! One visit to a page: its code points with their boxes, what can't be trusted, its picture.
//!
//! The text is built from `FPDFText_GetUnicode`, one character at a time, never from `FPDFText_GetText`: the latter drops
//! characters that still have boxes, and text and boxes drift apart.
//!
//! Deliberately not here: reading order, columns, de-duplication. The layer is what the extractor read.

#![expect(unsafe_code, reason = "PDFium is a C library; every call into it is unsafe")]

use crate::fields;
use crate::objects::{Objects, shows_glyphs};
use crate::pdfium::{Document, Frame, Library, Rectangle};
use crate::rulings::Rulings;
use crate::runs::{Runs, bare};
use crate::style::{Drawn, Fonts, Style};
use crate::tags::{Said, Tags};
use pincite_core::text::{LayerBoxes, PageDetail, Rect, Run, StyleRun, TagRun};
use pincite_pdf::protocol::PageText;
use std::ffi::c_void;

/// A page's text, and its boxes as bytes.
pub(crate) fn read(document: &Document<'_>, index: u32) -> Result<(PageText, Vec<u8>), String> {
    let page = document.page(index)?;
    let library = document.library;
    // SAFETY: the page handle is alive; the text handle is closed below.
    let text = unsafe { library.bindings.FPDFText_LoadPage(page.handle.cast()) };
    if text.is_null() {
        return Err(format!("the text of page {} can't be read", index + 1));
    }
    let frame = page.frame();
    let tags = Tags::of(&page);
    let mut rulings = Rulings::new(library, frame);
    let objects = Objects::of(&page, tags.any(), &mut rulings);
    let mut reading = Reading {
        library,
        text: text.cast(),
        frame,
        found: Found::default(),
        last: Last::default(),
        fonts: Fonts::new(library, frame.scale()),
        objects,
        tags,
    };
    reading.run();
    let Reading {
        found, fonts, objects, ..
    } = reading;
    let silent = found.text.chars().all(char::is_whitespace)
        && objects.texts.iter().any(|object| shows_glyphs(library, *object));
    // SAFETY: alive, and not used again.
    unsafe { library.bindings.FPDFText_ClosePage(text) };
    let (fields, annotations) = fields::read(document, &page, &frame);
    let detail = PageDetail {
        rotation: frame.degrees(),
        fonts: fonts.names,
        substituted: fonts.substituted,
        shared: bare(found.shared),
        styles: found.styles.finish().into_iter().map(style_run).collect(),
        invisible: bare(found.invisible),
        unmapped: bare(found.no_unicode),
        tags: found.tags.finish().into_iter().map(tag_run).collect(),
        fields,
        annotations,
        rulings: rulings.finish(),
        ..PageDetail::default()
    };
    let text = PageText {
        size: frame.size,
        text: found.text,
        replaced: found.replaced,
        unmapped: found.unmapped,
        has_image: objects.has_image,
        silent,
        detail,
    };
    Ok((text, LayerBoxes::new(found.boxes).to_bytes()))
}

fn style_run((run, style): (Run, Style)) -> StyleRun {
    StyleRun {
        run,
        size: style.size,
        weight: style.weight,
        italic: style.italic,
        font: style.font,
    }
}

fn tag_run((run, (tag, element)): (Run, Said)) -> TagRun {
    TagRun { run, tag, element }
}

#[derive(Default)]
struct Found {
    text: String,
    boxes: Vec<Option<Rect>>,
    replaced: u32,
    unmapped: u32,
    styles: Runs<Style>,
    tags: Runs<Said>,
    invisible: Runs<()>,
    no_unicode: Runs<()>,
    shared: Runs<()>,
}

impl Found {
    fn push(&mut self, character: char, rect: Option<Rect>) {
        self.text.push(character);
        self.boxes.push(rect);
    }

    /// How many code points there are so far.
    fn count(&self) -> u32 {
        u32::try_from(self.boxes.len()).unwrap_or(u32::MAX)
    }
}

/// The character before, as far as the next one may share something with it.
#[derive(Default)]
struct Last {
    object: Option<*mut c_void>,
    /// Whether the object is that of the character before.
    same: bool,
    line: Line,
    drawn: Option<(Drawn, Option<Said>)>,
    rect: Option<Rect>,
    start: u32,
}

struct Reading<'a> {
    library: &'a Library,
    text: *mut c_void,
    frame: Frame,
    found: Found,
    last: Last,
    fonts: Fonts<'a>,
    objects: Objects,
    tags: Tags<'a>,
}

impl Reading<'_> {
    fn run(&mut self) {
        let bindings = &self.library.bindings;
        // SAFETY: the text handle is alive for the whole of this visit; indices stay below the count.
        let count = unsafe { bindings.FPDFText_CountChars(self.text.cast()) };
        let mut index = 0;
        while index < count {
            index += self.character(index, count);
        }
    }

    fn code(&self, index: i32) -> u32 {
        // SAFETY: as above.
        unsafe { self.library.bindings.FPDFText_GetUnicode(self.text.cast(), index) }
    }

    /// Writes the code point (or two) that PDFium's character at `index` is; answers how many characters it used.
    ///
    /// A character is generated, a hyphen, without a meaning or none of these, and never two of them.
    fn character(&mut self, index: i32, count: i32) -> i32 {
        let bindings = &self.library.bindings;
        let code = self.code(index);
        // SAFETY: as above.
        let generated = unsafe { bindings.FPDFText_IsGenerated(self.text.cast(), index) == 1 };
        let next = |reading: &Self| (index + 1 < count).then(|| reading.code(index + 1));
        if generated {
            match code {
                0x0d if next(self) == Some(0x0a) => {
                    self.found.push('\n', None);
                    return 2;
                }
                0x0d | 0x0a => self.found.push('\n', None),
                code => self.push_code(code, None),
            }
            return 1;
        }
        // SAFETY: as above.
        let unmapped = unsafe { bindings.FPDFText_HasUnicodeMapError(self.text.cast(), index) == 1 };
        self.found.unmapped += u32::from(unmapped);
        let start = self.found.count();
        self.look(index);
        let used = match code {
            // SAFETY: as above.
            0x02 if unsafe { bindings.FPDFText_IsHyphen(self.text.cast(), index) == 1 } => {
                let rect = self.rect(index);
                self.found.push('\u{ad}', rect);
                if !matches!(next(self), Some(0x0d | 0x0a)) {
                    self.found.push('\n', None);
                }
                1
            }
            0xd800..=0xdbff if let Some(low @ 0xdc00..=0xdfff) = next(self) => {
                let joined = 0x1_0000 + ((code - 0xd800) << 10) + (low - 0xdc00);
                // Halves of one glyph have one box; a pair that comes in two glyphs has both.
                let halves = [index, index + 1].map(|half| self.rect(half));
                let rect = halves.into_iter().flatten().reduce(Rect::union);
                self.push_code(joined, rect);
                2
            }
            _ => {
                let rect = self.rect(index);
                self.push_code(code, rect);
                1
            }
        };
        self.detail(start, unmapped);
        used
    }

    /// Takes note of the text object that draws the character at `index`, and asks what its characters have in common.
    fn look(&mut self, index: i32) {
        let bindings = &self.library.bindings;
        // SAFETY: as above.
        let object: *mut c_void = unsafe { bindings.FPDFText_GetTextObject(self.text.cast(), index).cast() };
        self.last.same = self.last.object == Some(object);
        // Characters without an object have nothing in common.
        if self.last.same && !object.is_null() {
            return;
        }
        self.last.object = Some(object);
        // SAFETY: as above.
        self.last.line = Line::at_angle(unsafe { bindings.FPDFText_GetCharAngle(self.text.cast(), index) });
        self.last.drawn = (!object.is_null()).then(|| {
            (
                self.fonts.drawn(self.text, index, object),
                self.tags.of_object(object, &self.objects),
            )
        });
    }

    /// What else is known of the code point at `start`, which the character just looked at became.
    fn detail(&mut self, start: u32, unmapped: bool) {
        // A hyphen's line break is no part of it.
        let run = Run { start, end: start + 1 };
        let found = &mut self.found;
        let rect = found.boxes.get(start as usize).copied().flatten();
        let broken = unmapped || found.text.chars().next_back().is_some_and(without_meaning);
        found.no_unicode.push(run, broken.then_some(()));
        if let Some((drawn, said)) = self.last.drawn {
            found.styles.push(run, drawn.style);
            found.invisible.push(run, drawn.invisible.then_some(()));
            found.tags.push(run, said);
        }
        if self.last.same && rect.is_some() && rect == self.last.rect {
            let whole = Run {
                start: self.last.start,
                end: run.end,
            };
            found.shared.push(whole, Some(()));
        } else {
            found.shared.close();
            self.last.start = start;
        }
        self.last.rect = rect;
    }

    /// A code point as it is, or U+FFFD where there is none or a control character.
    fn push_code(&mut self, code: u32, rect: Option<Rect>) {
        let character = char::from_u32(code)
            .filter(|character| !character.is_control())
            .unwrap_or(char::REPLACEMENT_CHARACTER);
        self.found.replaced += u32::from(character == char::REPLACEMENT_CHARACTER);
        self.found.push(character, rect);
    }

    /// The box to show for a character that is not generated: as wide as its glyph along the line, as high as its line
    /// across it.
    fn rect(&self, index: i32) -> Option<Rect> {
        let bindings = &self.library.bindings;
        let (mut left, mut right, mut bottom, mut top) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
        // SAFETY: the text handle is alive; the pointers are valid for writing.
        let has_tight = unsafe {
            bindings.FPDFText_GetCharBox(
                self.text.cast(),
                index,
                &raw mut left,
                &raw mut right,
                &raw mut bottom,
                &raw mut top,
            ) != 0
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
        if self.last.line == Line::Elsewhere {
            return Some(self.frame.rect(tight));
        }
        let mut loose = Rectangle::default();
        // SAFETY: as above; Rectangle has the layout of FS_RECTF.
        let has_loose =
            unsafe { bindings.FPDFText_GetLooseCharBox(self.text.cast(), index, (&raw mut loose).cast()) != 0 };
        let loose_is_sane = has_loose
            && [loose.left, loose.right, loose.bottom, loose.top]
                .iter()
                .all(|side| side.is_finite())
            && loose.right >= loose.left
            && loose.top >= loose.bottom;
        let shown = match self.last.line {
            Line::AlongX if loose_is_sane => Rectangle {
                bottom: tight.bottom.min(loose.bottom),
                top: tight.top.max(loose.top),
                ..tight
            },
            Line::AlongY if loose_is_sane => Rectangle {
                left: tight.left.min(loose.left),
                right: tight.right.max(loose.right),
                ..tight
            },
            _ => tight,
        };
        Some(self.frame.rect(shown))
    }
}

/// Where the line of a text object runs in the page's own space.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Line {
    AlongX,
    AlongY,
    /// At another angle: glyphs keep their own boxes.
    #[default]
    Elsewhere,
}

impl Line {
    fn at_angle(radians: f32) -> Self {
        let turns = radians / std::f32::consts::FRAC_PI_2;
        #[expect(clippy::cast_possible_truncation, reason = "a quarter turn is a small whole number")]
        let quarter = turns.round() as i32;
        match ((turns - turns.round()).abs() < 0.02, quarter.rem_euclid(2)) {
            (false, _) => Self::Elsewhere,
            (true, 0) => Self::AlongX,
            (true, _) => Self::AlongY,
        }
    }
}

/// Whether a code point says nothing by itself: a replacement, or one that every font may use as it likes.
fn without_meaning(character: char) -> bool {
    matches!(character, '\u{fffd}' | '\u{e000}'..='\u{f8ff}' | '\u{f_0000}'..='\u{f_fffd}' | '\u{10_0000}'..='\u{10_fffd}')
}
