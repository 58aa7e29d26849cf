//! The text layer on pages made by hand: what is read, and where it stands, against the ink on the page.
//!
//! Deliberately not here: real documents (`corpus`).

use crate::paper::{HELVETICA, Paper};
use crate::{file, real};
use pincite_core::text::{Rect, Run, StyleRun, doubled};
use pincite_pdf::protocol::PageText;
use pincite_pdf::{Limits, Worker};
use std::fmt::Write as _;
use std::time::{Duration, Instant};
use tempfile::TempDir;

fn open(paper: &Paper) -> Worker {
    let folder = TempDir::new().expect("a folder");
    Worker::open(&real(), file(&folder, &paper.bytes()), None, Limits::default()).expect("it opens")
}

pub(crate) fn first(paper: &Paper) -> (PageText, Vec<Option<Rect>>) {
    open(paper).page(1).expect("its page")
}

pub(crate) const fn run(start: u32, end: u32) -> Run {
    Run { start, end }
}

/// Pixels for each point in the pictures that boxes are held against.
const SCALE: f32 = 4.0;

/// The smallest rectangle around the dark pixels of a page, in points, inside an area of it.
fn ink(worker: &mut Worker, page: u32, inside: Rect) -> Option<Rect> {
    let pixels = worker.render(page, SCALE).expect("a picture");
    let mut found: Option<Rect> = None;
    for row in 0..pixels.height {
        for column in 0..pixels.width {
            let blue = pixels.bgrx[((row * pixels.width + column) * 4) as usize];
            let pixel = Rect {
                x0: column as f32 / SCALE,
                y0: row as f32 / SCALE,
                x1: (column + 1) as f32 / SCALE,
                y1: (row + 1) as f32 / SCALE,
            };
            if blue < 128 && pixel.overlaps(inside) {
                found = Some(found.map_or(pixel, |found| found.union(pixel)));
            }
        }
    }
    found
}

/// That each box of a page holds ink, begins and ends with it along the line, and that no ink lies outside of all boxes.
fn assert_on_ink(worker: &mut Worker, page: u32, upright: bool, what: &str) {
    let (text, boxes) = worker.page(page).expect("its page");
    assert!(boxes.iter().flatten().count() > 0, "{what}: {:?}", text.text);
    let whole = Rect {
        x0: -1.0,
        y0: -1.0,
        x1: text.size.width + 1.0,
        y1: text.size.height + 1.0,
    };
    let near = |one: f32, other: f32| (one - other).abs() < 0.6;
    for rect in boxes.iter().flatten() {
        let ink = ink(worker, page, *rect).unwrap_or_else(|| panic!("{what}: no ink in {rect:?}"));
        let along = if upright {
            near(ink.x0, rect.x0) && near(ink.x1, rect.x1)
        } else {
            near(ink.y0, rect.y0) && near(ink.y1, rect.y1)
        };
        assert!(along, "{what}: ink {ink:?} in box {rect:?}");
    }
    let all = boxes.iter().flatten().copied().reduce(Rect::union).expect("boxes");
    let ink = ink(worker, page, whole).expect("ink");
    let holds = all.x0 < ink.x0 + 0.6 && all.y0 < ink.y0 + 0.6 && all.x1 > ink.x1 - 0.6 && all.y1 > ink.y1 - 0.6;
    assert!(holds, "{what}: ink {ink:?} leaves the boxes {all:?}");
}

#[test]
fn boxes_lie_on_the_ink_however_a_page_is_cropped_and_turned() {
    // Letters far apart, so that each box holds one letter's ink.
    let content = "BT /F1 24 Tf 14 Tc 1 0 0 1 90 110 Tm (HEN) Tj ET";
    let mut kinds: Vec<(String, (f32, f32), bool)> = Vec::new();
    for (degrees, turned) in [
        (0, false),
        (90, true),
        (180, false),
        (270, true),
        (-90, true),
        (450, true),
    ] {
        for (boxes, width, height) in [
            ("/MediaBox [0 0 300 200]", 300.0, 200.0),
            ("/MediaBox [20 30 320 230] /CropBox [60 80 260 180]", 200.0, 100.0),
            // The crop box reaches over the media box, is given from the other corner, is empty.
            ("/MediaBox [20 30 320 230] /CropBox [60 0 1000 180]", 260.0, 150.0),
            ("/MediaBox [320 230 20 30] /CropBox [260 180 60 80]", 200.0, 100.0),
            ("/MediaBox [20 30 320 230] /CropBox [0 0 0 0]", 300.0, 200.0),
            (
                "/MediaBox [-100 -50 220.5 200.25] /CropBox [-10 -10 220.5 200.25]",
                230.5,
                210.25,
            ),
        ] {
            let size = if turned { (height, width) } else { (width, height) };
            kinds.push((format!("{boxes} /Rotate {degrees}"), size, turned));
        }
    }
    let mut paper = Paper::default();
    for (entries, _, _) in &kinds {
        paper.page(&format!("/Resources << {HELVETICA} >> {entries}"), content);
    }
    let mut worker = open(&paper);
    for (number, (entries, (width, height), turned)) in (1..).zip(&kinds) {
        let (page, _) = worker.page(number).expect("its page");
        assert_eq!(page.text, "HEN", "{entries}");
        assert!(
            (page.size.width - width).abs() < 0.01 && (page.size.height - height).abs() < 0.01,
            "{entries}: {:?}",
            page.size
        );
        assert_on_ink(&mut worker, number, !turned, entries);
    }
}

#[test]
fn boxes_are_inherited_and_pages_of_one_file_differ() {
    let content = "BT /F1 24 Tf 14 Tc 1 0 0 1 90 110 Tm (HEN) Tj ET";
    let mut paper = Paper {
        tree: format!("/MediaBox [10 10 310 210] /CropBox [50 60 250 190] /Rotate 90 /Resources << {HELVETICA} >>"),
        ..Paper::default()
    };
    paper.page("", content);
    paper.page("/Rotate 0", content);
    paper.page("/CropBox [70 70 240 180]", content);
    let mut worker = open(&paper);
    for (number, size, rotation) in [(1, (130.0, 200.0), 90), (2, (200.0, 130.0), 0), (3, (110.0, 170.0), 90)] {
        let (page, _) = worker.page(number).expect("its page");
        assert_eq!((page.size.width, page.size.height), size);
        assert_eq!(page.detail.rotation, rotation);
        assert_on_ink(&mut worker, number, rotation == 0, &format!("page {number}"));
    }
}

#[test]
fn runs_at_any_angle_have_their_boxes_on_the_ink() {
    for (matrix, upright) in [
        ("1 0 0 1 60 100", true),
        ("0 1 -1 0 100 60", false),
        ("-1 0 0 -1 160 100", true),
        ("0 -1 1 0 100 160", false),
    ] {
        let mut paper = Paper::default();
        paper.page(
            &format!("/MediaBox [0 0 200 200] /Resources << {HELVETICA} >>"),
            &format!("BT /F1 24 Tf 14 Tc {matrix} Tm (HEN) Tj ET"),
        );
        let mut worker = open(&paper);
        let (page, _) = worker.page(1).expect("its page");
        assert_eq!(page.text, "HEN", "{matrix}");
        assert_on_ink(&mut worker, 1, upright, matrix);
    }
    // Thirty degrees: a box is the upright rectangle around its letter.
    let mut paper = Paper::default();
    paper.page(
        &format!("/MediaBox [0 0 200 200] /Resources << {HELVETICA} >>"),
        "BT /F1 24 Tf 20 Tc 0.866 0.5 -0.5 0.866 40 40 Tm (HEN) Tj ET",
    );
    let mut worker = open(&paper);
    let (page, boxes) = worker.page(1).expect("its page");
    assert_eq!(page.text, "HEN");
    for rect in boxes.iter().flatten() {
        assert!(ink(&mut worker, 1, *rect).is_some(), "{rect:?}");
    }
}

#[test]
fn a_page_with_a_unit_of_its_own_is_one_frame() {
    let mut paper = Paper::default();
    paper.page(
        &format!("/MediaBox [0 0 100 100] /UserUnit 2 /Resources << {HELVETICA} >>"),
        "BT /F1 12 Tf 8 Tc 20 50 Td (HEN) Tj ET",
    );
    let mut worker = open(&paper);
    // PDFium does not know UserUnit: text, boxes and pictures are all in the page's own unit.
    let (page, _) = worker.page(1).expect("its page");
    assert_eq!((page.size.width, page.size.height), (100.0, 100.0));
    assert_on_ink(&mut worker, 1, true, "UserUnit 2");
}

#[test]
fn ligatures_pairs_of_surrogates_and_marks_are_code_points_with_boxes() {
    let mut paper = Paper::default();
    // A: x, B: ffi, C: a smiling face, D and E: its halves, F: e, G: an acute accent, H: half a pair.
    let font = paper.blocks(&[
        "0078",
        "006600660069",
        "d83dde00",
        "d83d",
        "de00",
        "0065",
        "0301",
        "d83d",
    ]);
    paper.page(
        &format!("/MediaBox [0 0 200 200] /Resources << /Font << /F1 {font} 0 R >> >>"),
        "BT /F1 10 Tf 20 100 Td (ABACADEAFGAHA) Tj ET",
    );
    let (page, boxes) = first(&paper);
    assert_eq!(page.text, "xffix😀x😀xe\u{301}x\u{fffd}x");
    assert_eq!(page.text.chars().count(), boxes.len());
    assert_eq!(boxes.iter().flatten().count(), boxes.len(), "each has a box: {boxes:?}");
    assert_eq!(
        (boxes[1], boxes[2]),
        (boxes[2], boxes[3]),
        "the letters of a ligature share one"
    );
    assert_eq!(page.detail.shared, [run(1, 4)]);
    assert_eq!(page.replaced, 1);
    assert_eq!(page.detail.unmapped, [run(12, 13)]);
    // Blocks are 0.5 em wide, 0.6 em apart.
    for (position, index) in [(0.0, 0), (1.0, 1), (2.0, 4), (3.0, 5), (8.0, 9)] {
        let rect = boxes[index].expect("a box");
        let left = 20.0 + 6.0 * position;
        assert!(
            (rect.x0 - left).abs() < 0.05 && (rect.x1 - left - 5.0).abs() < 0.05,
            "{index}: {rect:?}"
        );
    }
}

#[test]
fn broken_maps_to_unicode_are_counted_and_marked() {
    let mut paper = Paper::default();
    // A: ordinary, B: U+0000, C: U+FFFD, D: private use, E: not in the map.
    let font = paper.blocks(&["0061", "0000", "fffd", "e042", ""]);
    paper.page(
        &format!("/MediaBox [0 0 200 200] /Resources << /Font << /F1 {font} 0 R >> >>"),
        "BT /F1 10 Tf 20 100 Td (AABACADAEA) Tj ET",
    );
    let (page, boxes) = first(&paper);
    // What the map leaves out stands as its code, which is no letter of the text.
    assert_eq!(page.text, "aa\u{fffd}a\u{fffd}a\u{e042}aEa");
    assert_eq!(page.detail.unmapped, [run(2, 3), run(4, 5), run(6, 7), run(8, 9)]);
    assert_eq!((page.replaced, page.unmapped), (2, 1));
    assert_eq!(boxes.iter().flatten().count(), 10);
}

#[test]
fn hyphens_at_line_ends_and_soft_ones_inside() {
    let mut paper = Paper::default();
    let font = paper.blocks(&["0061", "00ad", "002d"]);
    paper.page(
        &format!("/MediaBox [0 0 200 200] /Resources << /Font << /F1 {font} 0 R >> >>"),
        "BT /F1 10 Tf 20 100 Td 12 TL (AABAA) Tj T* (AAC) Tj T* (AAB) Tj T* (AACA) Tj ET",
    );
    let (page, boxes) = first(&paper);
    assert_eq!(page.text, "aa\u{ad}aa\naa\u{ad}\naa\u{ad}\naa-a");
    let unboxed: Vec<usize> = (0..boxes.len()).filter(|index| boxes[*index].is_none()).collect();
    assert_eq!(unboxed, [5, 9, 13], "line breaks have no box, hyphens have");
}

#[test]
fn text_drawn_twice_is_kept_and_found() {
    let mut paper = Paper::default();
    paper.page(
        &format!("/MediaBox [0 0 200 200] /Resources << {HELVETICA} >>"),
        "BT /F1 12 Tf 20 100 Td (Total amount) Tj ET BT /F1 12 Tf 20.3 100 Td (Tot) Tj (al amount) Tj ET \
         BT /F1 12 Tf 20 50 Td (Total amount) Tj ET",
    );
    let (page, boxes) = first(&paper);
    let characters: Vec<char> = page.text.chars().collect();
    assert_eq!(page.text, "Total amount Total amount\nTotal amount");
    assert_eq!(doubled(&characters, &boxes, &page.detail.shared), [run(13, 25)]);
}

#[test]
fn letters_written_from_right_to_left_keep_the_boxes_of_their_glyphs() {
    let mut paper = Paper::default();
    // Alef, bet, gimel; set as they stand on the page, gimel at the left.
    let font = paper.blocks(&["05d0", "05d1", "05d2"]);
    paper.page(
        &format!("/MediaBox [0 0 200 200] /Resources << /Font << /F1 {font} 0 R >> >>"),
        "BT /F1 10 Tf 20 100 Td (CBA) Tj ET",
    );
    let (page, boxes) = first(&paper);
    for (letter, left) in [('\u{5d2}', 20.0), ('\u{5d1}', 26.0), ('\u{5d0}', 32.0)] {
        let index = page.text.chars().position(|found| found == letter).expect("the letter");
        let rect = boxes[index].expect("its box");
        assert!((rect.x0 - left).abs() < 0.05, "{letter}: {rect:?}");
    }
    assert_eq!(page.text, "\u{5d0}\u{5d1}\u{5d2}", "as it is read");
}

/// A page of 100,000 text objects, each in a size of its own, and one of two million code points.
#[test]
#[ignore = "takes a minute; `make soak` runs it"]
fn soak_pages_of_very_many_objects_and_letters_are_read_within_the_limits() {
    let mut objects = String::from("BT /F1 10 Tf ");
    for number in 0..100_000_u32 {
        let size = 4.0 + (number % 1000) as f32 / 100.0;
        let _ = write!(
            objects,
            "/F1 {size} Tf 1 0 0 1 {} {} Tm (ab) Tj ",
            number % 550,
            (number / 550) * 40
        );
    }
    objects.push_str("ET");
    let line = format!("({}) Tj T* ", "abcdefghij".repeat(20));
    let letters = format!("BT /F1 1 Tf 1 TL 10 9000 Td {} ET", line.repeat(10_000));
    for (content, least) in [(objects, 200_000), (letters, 2_000_000)] {
        let mut paper = Paper::default();
        paper.page(
            &format!("/MediaBox [0 0 600 10000] /Resources << {HELVETICA} >>"),
            &content,
        );
        let mut worker = open(&paper);
        let began = Instant::now();
        let (page, boxes) = worker.page(1).expect("its page");
        let read = began.elapsed();
        let characters: Vec<char> = page.text.chars().collect();
        let found = doubled(&characters, &boxes, &page.detail.shared);
        eprintln!(
            "{} code points, {} styles, read in {read:?}, doubled in {:?}: {}",
            characters.len(),
            page.detail.styles.len(),
            began.elapsed() - read,
            found.len()
        );
        assert!(characters.len() >= least);
        assert_eq!(characters.len(), boxes.len());
        assert!(began.elapsed() < Duration::from_secs(60));
    }
}

#[test]
fn styles_say_size_weight_and_slant_as_displayed() {
    let mut paper = Paper::default();
    let face = |name: &str| format!("<< /Type /Font /Subtype /Type1 /BaseFont /{name} >>");
    paper.page(
        &format!(
            "/MediaBox [0 0 300 200] /Resources << /Font << /F1 {} /F2 {} /F3 {} >> >>",
            face("Helvetica"),
            face("ABCDEF+Helvetica-Bold"),
            face("Times-Italic")
        ),
        "BT /F1 10 Tf 20 150 Td (plain) Tj ET BT /F2 1 Tf 14 0 0 14 20 120 Tm (bold) Tj ET \
         2 0 0 2 0 0 cm BT /F3 6 Tf 10 45 Td (slanted) Tj ET BT /F1 6 Tf 1 0 0.3 1 10 30 Tm (sheared) Tj ET \
         BT /F1 6 Tf 10 15 Td 3 Tr (unseen) Tj ET",
    );
    let (page, _) = first(&paper);
    assert_eq!(page.text, "plain\nbold\nslanted\nsheared\nunseen");
    let said: Vec<(f32, bool, bool)> = page
        .detail
        .styles
        .iter()
        .map(
            |StyleRun {
                 size, weight, italic, ..
             }| (*size, *weight >= 600, *italic),
        )
        .collect();
    assert_eq!(
        said,
        [
            (10.0, false, false),
            (14.0, true, false),
            (12.0, false, true),
            (12.0, false, true),
            (12.0, false, false)
        ]
    );
    assert_eq!(page.detail.fonts, ["Helvetica", "Helvetica-Bold", "Times-Italic"]);
    assert_eq!(page.detail.substituted, [0, 1, 2]);
    assert_eq!(page.detail.invisible, [run(27, 33)]);
}
