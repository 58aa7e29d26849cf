//! Rulings as lines with a place and an extent: drawn twice or nearly, they are one.
//!
//! Deliberately not here: what they enclose (`lattice`) and which belong to one table (`regions`).

use crate::text::Rect;

/// Lines no further apart than this (points) are one line.
const SAME: f32 = 1.8;
/// Pieces of one line no further apart than this are one piece.
const GAP: f32 = 2.0;
/// Lines of one direction looked at on a page, the longest first.
const MOST: usize = 5_000;
/// The widest thing that still is a line.
const THICKEST: f32 = 4.5;

/// A level or an upright line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::structure) struct Ruling {
    /// Its height (level) or its distance from the left (upright).
    pub(in crate::structure) at: f32,
    /// Where it begins along itself.
    pub(in crate::structure) from: f32,
    /// Where it ends.
    pub(in crate::structure) to: f32,
}

impl Ruling {
    pub(super) fn length(self) -> f32 {
        self.to - self.from
    }

    /// How much of `from..to` it covers, in points.
    pub(super) fn covers(self, from: f32, to: f32) -> f32 {
        (self.to.min(to) - self.from.max(from)).max(0.0)
    }
}

/// Level and upright lines of a page. What runs along the edge of the paper is left out.
pub(super) fn snapped(rects: &[Rect], width: f32, height: f32) -> (Vec<Ruling>, Vec<Ruling>) {
    let (mut level, mut upright) = (Vec::new(), Vec::new());
    for rect in rects {
        let (wide, high) = (rect.x1 - rect.x0, rect.y1 - rect.y0);
        let (x, y) = rect.centre();
        if high <= THICKEST && wide >= high && y > 2.0 && y < height - 2.0 {
            level.push(Ruling {
                at: y,
                from: rect.x0,
                to: rect.x1,
            });
        } else if wide <= THICKEST && x > 2.0 && x < width - 2.0 {
            upright.push(Ruling {
                at: x,
                from: rect.y0,
                to: rect.y1,
            });
        }
    }
    (merged(level), merged(upright))
}

/// Lines drawn in pieces or several times, made one each; sorted by place, then start.
fn merged(mut rulings: Vec<Ruling>) -> Vec<Ruling> {
    rulings.retain(|ruling| ruling.at.is_finite() && ruling.from.is_finite() && ruling.to.is_finite());
    if rulings.len() > MOST {
        rulings.sort_by(|one, other| other.length().total_cmp(&one.length()));
        rulings.truncate(MOST);
    }
    rulings.sort_by(|one, other| one.at.total_cmp(&other.at));
    let mut merged = Vec::new();
    let mut rest = rulings.as_slice();
    while let Some(first) = rest.first() {
        // A chain of neighbours, but none further than twice the tolerance from the first.
        let mut until = 1;
        while let Some([last, next]) = rest.get(until - 1..=until)
            && next.at - last.at <= SAME
            && next.at - first.at <= 2.0 * SAME
        {
            until += 1;
        }
        let (band, others) = rest.split_at(until);
        rest = others;
        let total: f32 = band.iter().map(|ruling| ruling.length().max(0.1)).sum();
        let at = band
            .iter()
            .map(|ruling| ruling.at * ruling.length().max(0.1))
            .sum::<f32>()
            / total;
        let mut pieces = band.to_vec();
        pieces.sort_by(|one, other| one.from.total_cmp(&other.from));
        let mut current: Option<Ruling> = None;
        for piece in pieces {
            match &mut current {
                Some(line) if piece.from <= line.to + GAP => line.to = line.to.max(piece.to),
                _ => merged.extend(current.replace(Ruling { at, ..piece })),
            }
        }
        merged.extend(current);
    }
    merged
}
