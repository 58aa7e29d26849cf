//! The ink of a page's text, from a second reader (`independent_ink.py`), and whether rectangles cover a span's share of it.
//!
//! Ink is a pixel that changes when the page's text is switched off. It is **stray** where it lies in no glyph's own box,
//! one pixel of tolerance added. A piece of stray ink belongs to the code points whose boxes it touches, else to the
//! nearest one. A span is covered when its rectangles, one pixel added, hold all ink inside its own glyphs' boxes that is
//! in no neighbour's, and all stray ink that belongs to it. Glyphs' boxes here are PDFium's tight ones, never ours.
//!
//! Deliberately not here: which spans are tried.

use crate::corpus_documents::{Taken, library, repository};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::process::{Command, Stdio};

/// Pixels an inch.
pub(crate) const DPI: u32 = 144;
/// How much a channel must change, of 255, for a pixel to be ink and not the soft edge of one.
const DARK: u8 = 64;
/// Tolerance in pixels.
const PIXEL: f32 = 1.0;

/// A rectangle in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Area {
    pub(crate) x0: f32,
    pub(crate) y0: f32,
    pub(crate) x1: f32,
    pub(crate) y1: f32,
}

impl Area {
    fn grown(self, by: f32) -> Self {
        Self {
            x0: self.x0 - by,
            y0: self.y0 - by,
            x1: self.x1 + by,
            y1: self.y1 + by,
        }
    }

    /// Whether some of a pixel lies in it.
    fn touches(self, x: usize, y: usize) -> bool {
        let (x, y) = (x as f32, y as f32);
        self.x0 < x + 1.0 && x < self.x1 && self.y0 < y + 1.0 && y < self.y1
    }

    fn holds(self, other: Self) -> bool {
        self.x0 <= other.x0 && self.y0 <= other.y0 && other.x1 <= self.x1 && other.y1 <= self.y1
    }

    /// The pixels it touches, of a picture of this size.
    fn pixels(self, width: usize, height: usize) -> impl Iterator<Item = (usize, usize)> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "cut to the picture before it is converted"
        )]
        let cut = |at: f32, end: usize| at.clamp(0.0, end as f32) as usize;
        let columns = cut(self.x0.floor(), width)..cut(self.x1.ceil(), width);
        (cut(self.y0.floor(), height)..cut(self.y1.ceil(), height))
            .flat_map(move |y| columns.clone().map(move |x| (x, y)))
    }
}

/// A piece of stray ink: its pixels, and the code points that it belongs to.
type Stray = (Vec<(usize, usize)>, BTreeSet<usize>);

/// A page's ink.
pub(crate) struct PageInk {
    width: usize,
    height: usize,
    ink: Vec<bool>,
    /// The own box of each of the page's code points.
    pub(crate) boxes: Vec<Option<Area>>,
    stray: Vec<Stray>,
}

/// How a span fared on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cover {
    /// Its glyphs have no ink here.
    NoInk,
    /// All of it is covered.
    Covered,
    /// So many pixels are not.
    Bare(usize),
}

impl PageInk {
    fn read(pipe: &mut impl Read) -> std::io::Result<(u32, Self)> {
        let mut head = [0_u8; 16];
        pipe.read_exact(&mut head)?;
        let number = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (width, height, count) = (number(4) as usize, number(8) as usize, number(12) as usize);
        let mut sides = vec![0_u8; count * 16];
        pipe.read_exact(&mut sides)?;
        let (mut with, mut without) = (vec![0_u8; width * height * 4], vec![0_u8; width * height * 4]);
        pipe.read_exact(&mut with)?;
        pipe.read_exact(&mut without)?;
        let side = |raw: &[u8], at: usize| f32::from_le_bytes([raw[at], raw[at + 1], raw[at + 2], raw[at + 3]]);
        let boxes = sides
            .chunks_exact(16)
            .map(|raw| {
                let area = Area {
                    x0: side(raw, 0),
                    y0: side(raw, 4),
                    x1: side(raw, 8),
                    y1: side(raw, 12),
                };
                (!area.x0.is_nan()).then_some(area)
            })
            .collect();
        let mut page = Self {
            width,
            height,
            ink: differing(&with, &without),
            boxes,
            stray: Vec::new(),
        };
        page.find_stray();
        Ok((number(0), page))
    }

    fn is_ink(&self, x: usize, y: usize) -> bool {
        self.ink[y * self.width + x]
    }

    fn find_stray(&mut self) {
        let mut loose = self.ink.clone();
        for area in self.boxes.iter().flatten() {
            for (x, y) in area.grown(PIXEL).pixels(self.width, self.height) {
                loose[y * self.width + x] = false;
            }
        }
        let mut from = 0;
        while let Some(found) = loose[from..].iter().position(|stray| *stray).map(|at| at + from) {
            from = found;
            let mut open = vec![(found % self.width, found / self.width)];
            loose[found] = false;
            let mut pixels = Vec::new();
            while let Some((x, y)) = open.pop() {
                pixels.push((x, y));
                for (x, y) in around(x, y, self.width, self.height) {
                    if std::mem::take(&mut loose[y * self.width + x]) {
                        open.push((x, y));
                    }
                }
            }
            let owners = self.owners(&pixels);
            self.stray.push((pixels, owners));
        }
    }

    fn owners(&self, pixels: &[(usize, usize)]) -> BTreeSet<usize> {
        let distance = |area: &Area| {
            let outside = |from: f32, to: f32, at: f32| (from - at - 1.0).max(at - to).max(0.0);
            pixels
                .iter()
                .map(|(x, y)| outside(area.x0, area.x1, *x as f32).max(outside(area.y0, area.y1, *y as f32)))
                .fold(f32::INFINITY, f32::min)
        };
        let far: Vec<(usize, f32)> = (self.boxes.iter().enumerate())
            .filter_map(|(index, area)| Some((index, distance(area.as_ref()?))))
            .collect();
        let nearest = far.iter().map(|(_, far)| *far).fold(f32::INFINITY, f32::min);
        far.iter()
            .filter(|(_, far)| *far <= nearest.max(PIXEL + 1.0))
            .map(|(index, _)| *index)
            .collect()
    }

    /// How much ink of the code points `span` of this page these rectangles leave bare.
    pub(crate) fn cover(&self, span: std::ops::Range<usize>, rects: &[Area]) -> Cover {
        let rects: Vec<Area> = rects.iter().map(|rect| rect.grown(PIXEL)).collect();
        let mut has_ink = false;
        let mut bare: BTreeSet<(usize, usize)> = BTreeSet::new();
        let own = self.boxes.get(span.clone()).unwrap_or_default();
        for area in own.iter().flatten() {
            has_ink = has_ink || area.pixels(self.width, self.height).any(|(x, y)| self.is_ink(x, y));
            if rects.iter().any(|rect| rect.holds(*area)) {
                continue;
            }
            for (x, y) in area.pixels(self.width, self.height) {
                if self.is_ink(x, y) && !rects.iter().any(|rect| rect.touches(x, y)) {
                    bare.insert((x, y));
                }
            }
        }
        for (pixels, owners) in &self.stray {
            if owners.range(span.clone()).next().is_some() {
                has_ink = true;
                bare.extend(
                    pixels
                        .iter()
                        .filter(|(x, y)| !rects.iter().any(|rect| rect.touches(*x, *y))),
                );
            }
        }
        // What lies in a neighbour's box is the neighbour's.
        if !bare.is_empty() {
            let neighbours = self
                .boxes
                .iter()
                .enumerate()
                .filter(|(index, _)| !span.contains(index))
                .filter_map(|(_, area)| *area);
            for area in neighbours {
                bare.retain(|(x, y)| !area.touches(*x, *y));
            }
        }
        match (has_ink, bare.len()) {
            (false, _) => Cover::NoInk,
            (true, 0) => Cover::Covered,
            (true, pixels) => Cover::Bare(pixels),
        }
    }
}

/// The eight neighbours of a pixel.
fn around(x: usize, y: usize, width: usize, height: usize) -> impl Iterator<Item = (usize, usize)> {
    let rows = y.saturating_sub(1)..(y + 2).min(height);
    rows.flat_map(move |row| (x.saturating_sub(1)..(x + 2).min(width)).map(move |column| (column, row)))
}

/// Which pixels of two pictures differ. Most do not: they are passed over a stretch at a time.
fn differing(one: &[u8], other: &[u8]) -> Vec<bool> {
    const STRETCH: usize = 64 * 4;
    let mut found = vec![false; one.len() / 4];
    for (at, (one, other)) in one.chunks(STRETCH).zip(other.chunks(STRETCH)).enumerate() {
        if one == other {
            continue;
        }
        for (pixel, (one, other)) in one.chunks_exact(4).zip(other.chunks_exact(4)).enumerate() {
            found[at * (STRETCH / 4) + pixel] = (0..3).any(|channel| one[channel].abs_diff(other[channel]) >= DARK);
        }
    }
    found
}

/// The ink of these pages of a document, handed on page by page: pictures are too large to be kept together.
pub(crate) fn each_page(
    taken: &Taken,
    pages: &BTreeSet<u32>,
    mut hear: impl FnMut(u32, &PageInk) -> Result<(), String>,
) -> Result<(), String> {
    let mut command = Command::new("python3");
    command
        .arg(repository().join("tests/journeys/independent_ink.py"))
        .arg(library()?)
        .arg(&taken.path);
    match &taken.password_file {
        Some(file) => command.arg(file),
        None => command.arg("-"),
    };
    command.arg(DPI.to_string()).args(pages.iter().map(ToString::to_string));
    let mut child = command
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("python3 can't be started: {error}"))?;
    let mut pipe = child.stdout.take().ok_or("no pipe")?;
    let mut left: BTreeMap<u32, ()> = pages.iter().map(|page| (*page, ())).collect();
    while !left.is_empty() {
        let (number, page) = PageInk::read(&mut pipe)
            .map_err(|error| format!("{}: the second reader ended early: {error}", taken.name))?;
        left.remove(&number);
        hear(number, &page)?;
    }
    let _ = child.wait();
    Ok(())
}

#[test]
fn ink_outside_its_rectangles_is_seen() {
    // A page of 40 by 20 pixels, two glyphs of 10 by 10 with a stroke each that sticks out below the first.
    let area = |x0: f32, y0: f32, x1: f32, y1: f32| Area { x0, y0, x1, y1 };
    let mut page = PageInk {
        width: 40,
        height: 20,
        ink: vec![false; 800],
        boxes: vec![
            Some(area(0.0, 0.0, 10.0, 10.0)),
            None,
            Some(area(20.0, 0.0, 30.0, 10.0)),
        ],
        stray: Vec::new(),
    };
    for y in 2..16 {
        page.ink[y * 40 + 5] = true;
    }
    page.ink[5 * 40 + 25] = true;
    page.find_stray();
    assert_eq!(page.stray.len(), 1);
    assert_eq!(page.cover(0..1, &[area(0.0, 0.0, 10.0, 15.0)]), Cover::Covered);
    assert_eq!(page.cover(0..1, &[area(0.0, 0.0, 10.0, 10.0)]), Cover::Bare(5));
    assert_eq!(page.cover(0..1, &[area(0.0, 0.0, 3.0, 15.0)]), Cover::Bare(13));
    assert_eq!(page.cover(1..2, &[]), Cover::NoInk);
    assert_eq!(page.cover(2..3, &[area(20.0, 0.0, 30.0, 10.0)]), Cover::Covered);
}
