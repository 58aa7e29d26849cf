//! What can and can't be trusted of a document's text: figures of each page, kept with the extraction, and their sum.
//!
//! Every figure is counted from what the extractor read. A page is called untrusted on a share of code points that
//! surely mean nothing, or where it draws text that gave none; that a wrong but plausible letter stands for another can't
//! be seen from here.
//!
//! Deliberately not here: what to do about it. It is shown; nothing is repaired.

use crate::documents::count;
use crate::wire::TrustView;
use pincite_core::text::{PageSize, Rect, Run, Tag};
use pincite_pdf::PageText;
use pincite_store::documents::VersionRow;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What is kept of each page beside its text. Pages kept before a figure existed have 0 or none of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PageRecord {
    /// Displayed size.
    pub size: PageSize,
    /// Code points that stand as U+FFFD.
    pub replaced: u32,
    /// Characters whose font maps to no Unicode.
    pub unmapped: u32,
    /// A picture and no text.
    pub scanned: bool,
    /// Its text can't be trusted.
    pub untrusted: bool,
    /// It could not be read at all.
    pub damaged: bool,
    /// Code points of the private use areas.
    #[serde(default)]
    pub private_use: u32,
    /// Code points that are not painted, white space not counted.
    #[serde(default)]
    pub invisible: u32,
    /// A picture, and most of the text is not painted.
    #[serde(default)]
    pub recognised: bool,
    /// Code points wholly outside the page as displayed.
    #[serde(default)]
    pub outside: u32,
    /// Code points drawn a second time.
    #[serde(default)]
    pub doubled: u32,
    /// Soft hyphens inside a line.
    #[serde(default)]
    pub soft_hyphens: u32,
    /// Hyphens at the end of a line.
    #[serde(default)]
    pub line_end_hyphens: u32,
    /// How the page is turned for display, degrees clockwise.
    #[serde(default)]
    pub rotation: u16,
    /// Form fields with a value.
    #[serde(default)]
    pub form_fields: u32,
    /// Annotations with words.
    #[serde(default)]
    pub annotations: u32,
    /// Whether the PDF tags it with a structure.
    #[serde(default)]
    pub tagged: bool,
    /// Fonts whose program is not in the file.
    #[serde(default)]
    pub substituted_fonts: Vec<String>,
}

/// A page's text can't be trusted when over this share of its visible characters surely means nothing.
const UNTRUSTED_SHARE: f64 = 0.02;
/// A page with a picture is a scan that was recognised when at least this share of its visible characters is unpainted.
const RECOGNISED_SHARE: f64 = 0.5;

const SOFT_HYPHEN: char = '\u{ad}';

impl PageRecord {
    /// The figures of a page with these code points and boxes.
    #[must_use]
    pub fn of(page: &PageText, characters: &[char], boxes: &[Option<Rect>]) -> Self {
        let detail = &page.detail;
        let visible = characters.iter().filter(|character| !character.is_whitespace()).count();
        let invisible = inked(&detail.invisible, characters);
        let (soft_hyphens, line_end_hyphens) = hyphens(characters, boxes);
        let share = |part: u32, least: f64| f64::from(part) > least * visible as f64;
        let bad = meaningless(&detail.unmapped, characters).max(page.replaced);
        Self {
            size: page.size,
            replaced: page.replaced,
            unmapped: page.unmapped,
            scanned: visible == 0 && page.has_image,
            untrusted: page.silent || share(bad, UNTRUSTED_SHARE),
            damaged: false,
            private_use: number(characters.iter().filter(|character| private(**character)).count()),
            invisible,
            recognised: page.has_image && visible > 0 && !share(number(visible) - invisible, RECOGNISED_SHARE),
            outside: outside(page.size, boxes),
            doubled: detail.doubled.iter().map(|run| run.end - run.start).sum(),
            soft_hyphens,
            line_end_hyphens,
            rotation: detail.rotation,
            form_fields: number(detail.fields.len()),
            annotations: number(detail.annotations.len()),
            tagged: detail.tags.iter().any(|run| run.tag != Tag::Artifact),
            substituted_fonts: detail
                .substituted
                .iter()
                .filter_map(|index| detail.fonts.get(usize::from(*index)).cloned())
                .collect(),
        }
    }

    /// The figures of a page that was text from the start.
    #[must_use]
    pub fn of_text(text: &str, replaced: u32) -> Self {
        let visible = text.chars().filter(|character| !character.is_whitespace()).count();
        Self {
            replaced,
            untrusted: f64::from(replaced) > UNTRUSTED_SHARE * visible as f64,
            ..Self::default()
        }
    }

    /// A page that could not be read at all.
    #[must_use]
    pub fn damaged() -> Self {
        Self {
            damaged: true,
            ..Self::default()
        }
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The private use areas (Unicode 16, chapter 23.5).
const fn private(character: char) -> bool {
    matches!(character, '\u{e000}'..='\u{f8ff}' | '\u{f_0000}'..='\u{f_fffd}' | '\u{10_0000}'..='\u{10_fffd}')
}

fn slice(run: Run, characters: &[char]) -> &[char] {
    characters.get(run.start as usize..run.end as usize).unwrap_or_default()
}

/// Code points of some runs that are not white space.
fn inked(runs: &[Run], characters: &[char]) -> u32 {
    let count = |run: &Run| {
        slice(*run, characters)
            .iter()
            .filter(|character| !character.is_whitespace())
            .count()
    };
    number(runs.iter().map(count).sum())
}

/// Code points without a meaning. One of a private use area that stands alone, white space on both sides, is a symbol (a
/// bullet, a tick) and leaves the words readable: it does not count.
fn meaningless(runs: &[Run], characters: &[char]) -> u32 {
    let blank = |index: Option<usize>| {
        index
            .and_then(|index| characters.get(index))
            .is_none_or(|character| character.is_whitespace())
    };
    let counts = |index: usize, character: char| {
        let alone = blank(index.checked_sub(1)) && blank(index.checked_add(1));
        !(character.is_whitespace() || private(character) && alone)
    };
    let of_run = |run: &Run| {
        let start = run.start as usize;
        (start..)
            .zip(slice(*run, characters))
            .filter(|(index, character)| counts(*index, **character))
            .count()
    };
    number(runs.iter().map(of_run).sum())
}

/// Soft hyphens inside lines, and those that end one (an unboxed line break follows).
fn hyphens(characters: &[char], boxes: &[Option<Rect>]) -> (u32, u32) {
    let (mut inside, mut ending) = (0, 0);
    for (index, character) in characters.iter().enumerate() {
        if *character != SOFT_HYPHEN {
            continue;
        }
        let breaks = characters.get(index + 1) == Some(&'\n') && boxes.get(index + 1).copied().flatten().is_none();
        if breaks { ending += 1 } else { inside += 1 }
    }
    (inside, ending)
}

/// Code points whose box does not reach into the page.
fn outside(size: PageSize, boxes: &[Option<Rect>]) -> u32 {
    let page = Rect {
        x0: 0.0,
        y0: 0.0,
        x1: size.width,
        y1: size.height,
    };
    number(boxes.iter().flatten().filter(|rect| !rect.overlaps(page)).count())
}

/// The numbers of the pages (from 1) of which something holds.
pub(crate) fn numbers_where(pages: &[PageRecord], holds: impl Fn(&PageRecord) -> bool) -> Vec<u32> {
    (1..)
        .zip(pages)
        .filter(|(_, page)| holds(page))
        .map(|(number, _)| number)
        .collect()
}

/// The report on a version.
pub(crate) fn view(row: &VersionRow, pages: &[PageRecord]) -> TrustView {
    let sum = |figure: fn(&PageRecord) -> u32| pages.iter().map(figure).fold(0, u32::saturating_add);
    // Sizes that differ by less than half a point are one to a reader.
    let sizes: BTreeSet<(u32, u32)> = pages
        .iter()
        .filter(|page| !page.damaged)
        .map(|page| (whole(page.size.width), whole(page.size.height)))
        .collect();
    let fonts: BTreeSet<&String> = pages.iter().flat_map(|page| &page.substituted_fonts).collect();
    TrustView {
        boxed: count(row.boxed),
        unboxed: count(row.chars - row.boxed),
        replaced: sum(|page| page.replaced),
        unmapped: sum(|page| page.unmapped),
        scanned_pages: numbers_where(pages, |page| page.scanned),
        untrusted_pages: numbers_where(pages, |page| page.untrusted),
        damaged_pages: numbers_where(pages, |page| page.damaged),
        private_use: sum(|page| page.private_use),
        invisible: sum(|page| page.invisible),
        recognised_pages: numbers_where(pages, |page| page.recognised),
        outside: sum(|page| page.outside),
        doubled: sum(|page| page.doubled),
        doubled_pages: numbers_where(pages, |page| page.doubled > 0),
        soft_hyphens: sum(|page| page.soft_hyphens),
        line_end_hyphens: sum(|page| page.line_end_hyphens),
        rotated_pages: numbers_where(pages, |page| page.rotation != 0),
        page_sizes: number(sizes.len()),
        form_fields: sum(|page| page.form_fields),
        annotations: sum(|page| page.annotations),
        tagged_pages: number(pages.iter().filter(|page| page.tagged).count()),
        substituted_fonts: fonts.into_iter().cloned().collect(),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a page's side is a small positive number; another one saturates"
)]
fn whole(side: f32) -> u32 {
    side.round() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use pincite_core::text::PageDetail;

    fn page(text: &str, has_image: bool, detail: PageDetail) -> PageRecord {
        let characters: Vec<char> = text.chars().collect();
        let boxes: Vec<Option<Rect>> = (0_u16..)
            .zip(&characters)
            .map(|(index, character)| {
                (!character.is_whitespace()).then(|| Rect {
                    x0: f32::from(index) * 5.0,
                    y0: 0.0,
                    x1: f32::from(index) * 5.0 + 4.0,
                    y1: 10.0,
                })
            })
            .collect();
        PageRecord::of(&read(text, has_image, detail), &characters, &boxes)
    }

    fn read(text: &str, has_image: bool, detail: PageDetail) -> PageText {
        PageText {
            size: PageSize {
                width: 100.0,
                height: 50.0,
            },
            text: text.to_owned(),
            replaced: number(text.chars().filter(|character| *character == '\u{fffd}').count()),
            unmapped: 0,
            has_image,
            silent: false,
            detail,
        }
    }

    const fn run(start: u32, end: u32) -> Run {
        Run { start, end }
    }

    #[test]
    fn a_picture_without_text_is_a_scan_and_one_under_unpainted_text_was_recognised() {
        assert!(page(" \n", true, PageDetail::default()).scanned);
        assert!(!page("", false, PageDetail::default()).scanned);
        let unpainted = |invisible| PageDetail {
            invisible,
            ..PageDetail::default()
        };
        let whole = page("read by a machine", true, unpainted(vec![run(0, 17)]));
        assert_eq!((whole.recognised, whole.scanned, whole.invisible), (true, false, 14));
        assert!(!page("read by a machine", false, unpainted(vec![run(0, 17)])).recognised);
        assert!(!page("read by a machine", true, unpainted(vec![run(0, 4)])).recognised);
    }

    #[test]
    fn words_of_private_letters_are_not_trusted_and_bullets_are() {
        let marked = |unmapped| PageDetail {
            unmapped,
            ..PageDetail::default()
        };
        let bullets = page("\u{f0b7} one\n\u{f0b7} two", false, marked(vec![run(0, 1), run(6, 7)]));
        assert_eq!((bullets.untrusted, bullets.private_use), (false, 2));
        assert!(page("\u{f041}\u{f042} one", false, marked(vec![run(0, 2)])).untrusted);
        assert!(page("a \u{fffd} b", false, marked(vec![run(2, 3)])).untrusted);
        assert!(page("abc", false, marked(vec![run(0, 3)])).untrusted);
        assert!(!page("abc", false, PageDetail::default()).untrusted);
    }

    #[test]
    fn text_that_gave_none_is_not_trusted_and_an_empty_page_is() {
        let of = |silent| {
            let page = PageText {
                silent,
                ..read("", false, PageDetail::default())
            };
            PageRecord::of(&page, &[], &[]).untrusted
        };
        assert_eq!((of(true), of(false)), (true, false));
    }

    #[test]
    fn hyphens_and_what_lies_outside_the_page_are_counted() {
        let found = page(
            "co\u{ad}op\u{ad}\nera te and more than fits",
            false,
            PageDetail::default(),
        );
        assert_eq!((found.soft_hyphens, found.line_end_hyphens), (1, 1));
        // A hundred points hold twenty code points of five.
        assert_eq!(found.outside, 10);
    }

    #[test]
    fn pages_kept_before_a_figure_existed_are_read() {
        let old = r#"{"size":{"width":1.0,"height":2.0},"replaced":0,"unmapped":3,"scanned":false,"untrusted":true,"damaged":false}"#;
        let read: Result<PageRecord, _> = serde_json::from_str(old);
        assert_eq!(read.map(|page| (page.unmapped, page.doubled)).ok(), Some((3, 0)));
    }
}
