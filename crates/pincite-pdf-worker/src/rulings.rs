//! The rulings of a page: what is painted along the horizontal and the vertical, in the displayed frame.
//!
//! Strokes, thin fills (many programs draw a line as a filled rectangle, some as a picture), and the edges of larger
//! fills, which are the backgrounds of cells. Collinear pieces are joined, so that a dashed border is one ruling, and a
//! hostile page costs no more than its caps.
//!
//! Deliberately not here: going over the page's objects (`objects`), and what a ruling belongs to. A table, a box around a note and the axis of a chart look alike.

#![expect(unsafe_code, reason = "PDFium is a C library; every call into it is unsafe")]

use crate::pdfium::{Frame, Library, Matrix, Rectangle};
use pincite_core::text::Rect;
use std::ffi::c_void;

/// `FPDF_SEGMENT_LINETO`, `FPDF_SEGMENT_BEZIERTO` and `FPDF_SEGMENT_MOVETO` (fpdf_edit.h).
const LINE_TO: i32 = 0;
const BEZIER_TO: i32 = 1;
const MOVE_TO: i32 = 2;

/// Path segments looked at on one page; what comes after them is left out.
const MOST_SEGMENTS: u32 = 400_000;
/// Rulings kept of one page, the longest first.
const MOST_RULINGS: usize = 5_000;
/// A fill no thicker than this (points) is a line and no area.
const THIN: f32 = 2.6;
/// A ruling shorter than this (points) is dropped once pieces are joined.
const SHORTEST: f32 = 3.0;
/// How far a line may lean, across for its length, and still lie along an axis.
const LEAN: f32 = 0.6;
/// Pieces on one line with a gap of at most this (points) are one ruling.
const GAP: f32 = 2.6;
/// How far apart (points) two lines may lie and still be one.
const APART: f32 = 0.7;
/// Fills whose edges are looked at on one page.
const MOST_FILLS: usize = 4_000;
/// Fills of one colour no further apart than this (points) are seen as one.
const SAME_FILL: f32 = 1.0;
/// A fill whose colours all reach this (of 255) can't be seen on paper.
const WHITE: u32 = 250;

/// The rulings of a page in the making: told of each path and picture, in the order in which they are painted.
pub(crate) struct Rulings<'a> {
    library: &'a Library,
    frame: Frame,
    segments: u32,
    found: Vec<Rect>,
    /// Filled rectangles with their colour.
    fills: Vec<(Rect, u32)>,
}

impl<'a> Rulings<'a> {
    pub(crate) fn new(library: &'a Library, frame: Frame) -> Self {
        Self {
            library,
            frame,
            segments: MOST_SEGMENTS,
            found: Vec::new(),
            fills: Vec::new(),
        }
    }

    /// Each as the rectangle it paints.
    pub(crate) fn finish(mut self) -> Vec<Rect> {
        self.found.extend(edges(&self.fills));
        let size = self.frame.size;
        let paper = Rect {
            x0: -1.0,
            y0: -1.0,
            x1: size.width + 1.0,
            y1: size.height + 1.0,
        };
        joined(self.found.into_iter().filter_map(|rect| clipped(rect, paper)).collect())
    }

    /// A picture, which fills the unit square of its matrix.
    pub(crate) fn picture(&mut self, matrix: Matrix) {
        let rect = self.around(&[(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|at| matrix.apply(at)));
        if (rect.x1 - rect.x0).min(rect.y1 - rect.y0) <= THIN {
            self.found.push(rect);
        }
    }

    /// The rectangle around points of the page's own space, in the displayed frame.
    fn around(&self, points: &[(f32, f32)]) -> Rect {
        let mut own = Rectangle {
            left: f32::INFINITY,
            top: f32::NEG_INFINITY,
            right: f32::NEG_INFINITY,
            bottom: f32::INFINITY,
        };
        for (x, y) in points {
            own.left = own.left.min(*x);
            own.right = own.right.max(*x);
            own.bottom = own.bottom.min(*y);
            own.top = own.top.max(*y);
        }
        self.frame.rect(own)
    }

    /// A path, which belongs to a page that is alive.
    pub(crate) fn path(&mut self, object: *mut c_void, matrix: Matrix) {
        let bindings = &self.library.bindings;
        let (mut fill, mut stroke, mut width) = (0_i32, 0_i32, 0.0_f32);
        // SAFETY: the object is a path of a page that is alive; the pointers are valid for writing.
        let count = unsafe {
            bindings.FPDFPath_GetDrawMode(object.cast(), &raw mut fill, &raw mut stroke);
            bindings.FPDFPageObj_GetStrokeWidth(object.cast(), &raw mut width);
            bindings.FPDFPath_CountSegments(object.cast())
        };
        let strokes = stroke != 0 && self.seen(object, true).is_some();
        let fills = if fill == 0 { None } else { self.seen(object, false) };
        if !strokes && fills.is_none() {
            return;
        }
        let width = if width.is_finite() {
            (width * matrix.scale()).clamp(0.0, 8.0)
        } else {
            0.0
        };
        let mut subpath: Vec<(f32, f32)> = Vec::new();
        let mut curved = false;
        for index in 0..count {
            if self.segments == 0 {
                break;
            }
            self.segments -= 1;
            let (mut x, mut y) = (0.0_f32, 0.0_f32);
            // SAFETY: as above; the index is below the count.
            let (kind, closes) = unsafe {
                let segment = bindings.FPDFPath_GetPathSegment(object.cast(), index);
                if segment.is_null() {
                    continue;
                }
                bindings.FPDFPathSegment_GetPoint(segment, &raw mut x, &raw mut y);
                (
                    bindings.FPDFPathSegment_GetType(segment),
                    bindings.FPDFPathSegment_GetClose(segment) != 0,
                )
            };
            let point = matrix.apply((x, y));
            if !point.0.is_finite() || !point.1.is_finite() {
                continue;
            }
            if kind == MOVE_TO {
                self.subpath(&subpath, curved, fills);
                subpath.clear();
                curved = false;
            }
            if kind == LINE_TO
                && strokes
                && let Some(last) = subpath.last()
            {
                self.line(*last, point, width);
            }
            curved |= kind == BEZIER_TO;
            subpath.push(point);
            if closes {
                if strokes && let Some(first) = subpath.first() {
                    self.line(point, *first, width);
                }
                self.subpath(&subpath, curved, fills);
                subpath.truncate(1);
                curved = false;
            }
        }
        self.subpath(&subpath, curved, fills);
    }

    /// The colour of a path's stroke or fill, where it shows on white paper.
    fn seen(&self, object: *mut c_void, stroke: bool) -> Option<u32> {
        let bindings = &self.library.bindings;
        let (mut red, mut green, mut blue, mut alpha) = (0_u32, 0_u32, 0_u32, 255_u32);
        // SAFETY: the object belongs to the page, which is alive; the pointers are valid for writing.
        let known = unsafe {
            if stroke {
                bindings.FPDFPageObj_GetStrokeColor(
                    object.cast(),
                    &raw mut red,
                    &raw mut green,
                    &raw mut blue,
                    &raw mut alpha,
                )
            } else {
                bindings.FPDFPageObj_GetFillColor(
                    object.cast(),
                    &raw mut red,
                    &raw mut green,
                    &raw mut blue,
                    &raw mut alpha,
                )
            }
        };
        let shows = known == 0 || alpha > 0 && (red < WHITE || green < WHITE || blue < WHITE);
        shows.then_some((red & 0xff) << 16 | (green & 0xff) << 8 | (blue & 0xff))
    }

    /// A stroke from one point to another, kept where it lies along an axis.
    fn line(&mut self, from: (f32, f32), to: (f32, f32), width: f32) {
        let (across, along) = ((from.0 - to.0).abs(), (from.1 - to.1).abs());
        if across.min(along) > LEAN || across.max(along) <= 0.0 {
            return;
        }
        let half = width / 2.0;
        let (by_x, by_y) = if across >= along { (0.0, half) } else { (half, 0.0) };
        let rect = self.around(&[
            (from.0.min(to.0) - by_x, from.1.min(to.1) - by_y),
            (from.0.max(to.0) + by_x, from.1.max(to.1) + by_y),
        ]);
        self.found.push(rect);
    }

    /// A filled part of a path: a line where it is thin, its four edges where it is a rectangle.
    fn subpath(&mut self, points: &[(f32, f32)], curved: bool, fills: Option<u32>) {
        let Some(colour) = fills else { return };
        if curved || points.len() < 3 {
            return;
        }
        let rect = self.around(points);
        let (wide, high) = (rect.x1 - rect.x0, rect.y1 - rect.y0);
        if wide.min(high) <= THIN {
            self.found.push(rect);
            return;
        }
        let along = points.windows(2).all(|pair| match pair {
            [(xa, ya), (xb, yb)] => (xa - xb).abs() <= LEAN || (ya - yb).abs() <= LEAN,
            _ => true,
        });
        if !along || points.len() > 6 {
            return;
        }
        if self.fills.len() < MOST_FILLS {
            self.fills.push((rect, colour));
        }
    }
}

/// The part of a rectangle that lies on the paper.
fn clipped(rect: Rect, paper: Rect) -> Option<Rect> {
    let part = Rect {
        x0: rect.x0.max(paper.x0),
        y0: rect.y0.max(paper.y0),
        x1: rect.x1.min(paper.x1),
        y1: rect.y1.min(paper.y1),
    };
    (part.x0 <= part.x1 && part.y0 <= part.y1).then_some(part)
}

/// The edges of filled rectangles, but where a rectangle of the same colour goes on: nothing is seen there.
fn edges(fills: &[(Rect, u32)]) -> Vec<Rect> {
    let mut sorted: Vec<(Rect, u32)> = fills.to_vec();
    sorted.sort_by(|one, other| one.0.y0.total_cmp(&other.0.y0));
    let mut found = Vec::new();
    for (number, (rect, colour)) in sorted.iter().enumerate() {
        // Those that begin above its lower edge; sorted, so that the rest can't touch it.
        let until = sorted.partition_point(|(other, _)| other.y0 <= rect.y1 + SAME_FILL);
        let beside =
            sorted.iter().take(until).enumerate().filter(|(index, (other, shade))| {
                *index != number && shade == colour && other.y1 >= rect.y0 - SAME_FILL
            });
        let (mut above, mut below, mut left, mut right) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (_, (other, _)) in beside {
            let (across, down) = ((other.x0, other.x1), (other.y0, other.y1));
            let holds = |from: f32, to: f32, at: f32, outer: f32| {
                from <= outer + SAME_FILL
                    && to >= outer - SAME_FILL
                    && (from - at).abs().max((to - at).abs()) > SAME_FILL
            };
            if holds(other.y0, other.y1, rect.y0, rect.y0) && other.y0 < rect.y0 - SAME_FILL / 2.0 {
                above.push(across);
            }
            if holds(other.y0, other.y1, rect.y1, rect.y1) && other.y1 > rect.y1 + SAME_FILL / 2.0 {
                below.push(across);
            }
            if holds(other.x0, other.x1, rect.x0, rect.x0) && other.x0 < rect.x0 - SAME_FILL / 2.0 {
                left.push(down);
            }
            if holds(other.x0, other.x1, rect.x1, rect.x1) && other.x1 > rect.x1 + SAME_FILL / 2.0 {
                right.push(down);
            }
        }
        let level = |at: f32, parts: Vec<(f32, f32)>| {
            left_over(rect.x0, rect.x1, parts)
                .into_iter()
                .map(move |(from, to)| Rect {
                    x0: from,
                    y0: at,
                    x1: to,
                    y1: at,
                })
        };
        let upright = |at: f32, parts: Vec<(f32, f32)>| {
            left_over(rect.y0, rect.y1, parts)
                .into_iter()
                .map(move |(from, to)| Rect {
                    x0: at,
                    y0: from,
                    x1: at,
                    y1: to,
                })
        };
        found.extend(level(rect.y0, above));
        found.extend(level(rect.y1, below));
        found.extend(upright(rect.x0, left));
        found.extend(upright(rect.x1, right));
    }
    found
}

/// What is left of `from..to` without the parts.
fn left_over(from: f32, to: f32, mut parts: Vec<(f32, f32)>) -> Vec<(f32, f32)> {
    parts.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut left = Vec::new();
    let mut at = from;
    for (start, end) in parts {
        if start - at > SAME_FILL {
            left.push((at, start.min(to)));
        }
        at = at.max(end);
    }
    if to - at > SAME_FILL {
        left.push((at, to));
    }
    left
}

/// Pieces on one line joined, short ones dropped, the longest kept.
fn joined(found: Vec<Rect>) -> Vec<Rect> {
    let (level, upright): (Vec<Rect>, Vec<Rect>) = found
        .into_iter()
        .filter(|rect| [rect.x0, rect.y0, rect.x1, rect.y1].iter().all(|side| side.is_finite()))
        .partition(|rect| rect.x1 - rect.x0 >= rect.y1 - rect.y0);
    let turned = |rect: Rect| Rect {
        x0: rect.y0,
        y0: rect.x0,
        x1: rect.y1,
        y1: rect.x1,
    };
    let mut kept = joined_level(level);
    kept.extend(
        joined_level(upright.into_iter().map(turned).collect())
            .into_iter()
            .map(turned),
    );
    let length = |rect: &Rect| (rect.x1 - rect.x0).max(rect.y1 - rect.y0);
    kept.retain(|rect| length(rect) >= SHORTEST);
    kept.sort_by(|one, other| length(other).total_cmp(&length(one)));
    kept.truncate(MOST_RULINGS);
    kept.sort_by(|one, other| one.y0.total_cmp(&other.y0).then(one.x0.total_cmp(&other.x0)));
    kept
}

/// Level pieces, joined along x where they lie on one line and touch, or nearly.
fn joined_level(mut pieces: Vec<Rect>) -> Vec<Rect> {
    let middle = |rect: &Rect| f32::midpoint(rect.y0, rect.y1);
    pieces.sort_by(|one, other| middle(one).total_cmp(&middle(other)));
    let mut kept = Vec::new();
    let mut rest = pieces.as_mut_slice();
    while let Some(first) = rest.first() {
        let from = middle(first);
        let until = rest.partition_point(|rect| middle(rect) <= from + APART);
        let (band, others) = std::mem::take(&mut rest).split_at_mut(until);
        rest = others;
        band.sort_by(|one, other| one.x0.total_cmp(&other.x0));
        let mut current: Option<Rect> = None;
        for piece in band.iter().copied() {
            match &mut current {
                Some(line) if piece.x0 <= line.x1 + GAP => *line = line.union(piece),
                _ => kept.extend(current.replace(piece)),
            }
        }
        kept.extend(current);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(x0: f32, y0: f32, x1: f32, y1: f32) -> Rect {
        Rect { x0, y0, x1, y1 }
    }

    #[test]
    fn a_dashed_border_is_one_ruling() {
        let dashes = (0_u8..20)
            .map(|at| rect(f32::from(at) * 4.0, 10.0, f32::from(at) * 4.0 + 2.0, 10.5))
            .collect();
        assert_eq!(joined(dashes), [rect(0.0, 10.0, 78.0, 10.5)]);
    }

    #[test]
    fn lines_apart_stay_apart_and_specks_are_dropped() {
        let found = joined(vec![
            rect(0.0, 10.0, 50.0, 10.5),
            rect(60.0, 10.0, 90.0, 10.5),
            rect(0.0, 14.0, 50.0, 14.5),
            rect(5.0, 0.0, 5.5, 40.0),
            rect(7.0, 7.0, 8.0, 8.0),
        ]);
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn matrices_follow_each_other() {
        let turn = Matrix {
            a: 0.0,
            b: 1.0,
            c: -1.0,
            d: 0.0,
            e: 10.0,
            f: 0.0,
        };
        let shift = Matrix {
            e: 5.0,
            f: 7.0,
            ..Matrix::SAME
        };
        assert_eq!(turn.then(shift).apply((1.0, 2.0)), (13.0, 8.0));
    }
}
