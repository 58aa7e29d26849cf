//! What is drawn twice is found wherever it stands, and what only looks like it is not.

use super::*;
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// A page under construction: letters with boxes of their own width, set one after another.
#[derive(Default)]
struct Page {
    characters: Vec<char>,
    boxes: Vec<Option<Rect>>,
}

/// How far a letter moves the pen and how wide its ink is, as shares of the size: narrow ones as in Helvetica Narrow.
fn widths(letter: char) -> (f32, f32) {
    match letter {
        'l' | 'i' | '.' | '1' | '|' => (0.18, 0.07),
        'm' | 'W' => (0.8, 0.74),
        _ => (0.5, 0.42),
    }
}

impl Page {
    /// Sets a line at a place; a space has no box.
    fn set(&mut self, text: &str, (x, y): (f32, f32), size: f32) {
        let mut pen = x;
        for letter in text.chars() {
            let (advance, ink) = widths(letter);
            let left = pen + size * (advance - ink) / 2.0;
            self.characters.push(letter);
            self.boxes.push((letter != ' ').then_some(Rect {
                x0: left,
                y0: y,
                x1: left + size * ink,
                y1: y + 1.15 * size,
            }));
            pen += size * advance;
        }
        self.characters.push('\n');
        self.boxes.push(None);
    }

    fn doubled(&self) -> Vec<(u32, u32)> {
        doubled(&self.characters, &self.boxes, &[])
            .iter()
            .map(|run| (run.start, run.end))
            .collect()
    }
}

#[test]
fn a_line_drawn_again_is_one_run_with_its_spaces() {
    let mut page = Page::default();
    page.set("Total will", (72.0, 100.0), 12.0);
    page.set("Total will", (72.3, 100.0), 12.0);
    page.set("Total will", (72.0, 130.0), 12.0);
    assert_eq!(page.doubled(), [(11, 21)]);
}

#[test]
fn a_shadow_takes_its_narrow_letters_along() {
    // A twelfth of the size to the right and down: an "l" does not touch its own shadow.
    let mut page = Page::default();
    page.set("We will", (72.0, 100.0), 12.0);
    page.set("We will", (73.0, 101.0), 12.0);
    assert_eq!(page.doubled(), [(8, 15)]);
    // Without a sure letter beside them narrow ones prove nothing.
    let mut page = Page::default();
    page.set("ill", (72.0, 100.0), 12.0);
    page.set("ill", (73.0, 101.0), 12.0);
    assert_eq!(page.doubled(), []);
}

#[test]
fn repeated_letters_rows_of_dots_and_other_sizes_are_not_doubled() {
    let mut page = Page::default();
    page.set("ll 11 .... llll ||| mmm WW 1111 ee", (10.0, 10.0), 12.0);
    page.set("Head", (10.0, 40.0), 12.0);
    page.set("Head", (10.0, 40.5), 18.0);
    page.set("abc", (10.0, 80.0), 12.0);
    page.set("xyz", (10.0, 80.0), 12.0);
    page.set("next line close", (10.0, 100.0), 12.0);
    page.set("next line close", (10.0, 103.0), 12.0);
    assert_eq!(page.doubled(), []);
}

#[test]
fn letters_of_one_glyph_share_a_box_and_are_drawn_once() {
    let one = Rect {
        x0: 10.0,
        y0: 10.0,
        x1: 16.0,
        y1: 22.0,
    };
    let characters: Vec<char> = "ffiffi".chars().collect();
    let boxes = vec![Some(one); 6];
    let shared = [Run { start: 0, end: 3 }, Run { start: 3, end: 6 }];
    assert_eq!(doubled(&characters[..3], &boxes[..3], &shared[..1]), []);
    // No-break spaces may lie on each other.
    assert_eq!(doubled(&['\u{a0}'; 6], &boxes, &[]), []);
    // The whole ligature drawn again is.
    assert_eq!(doubled(&characters, &boxes, &shared), [Run { start: 3, end: 6 }]);
}

#[test]
fn a_hundred_thousand_glyphs_at_one_place_take_no_longer_than_elsewhere() {
    let place = |width: f32| Rect {
        x0: 10.0,
        y0: 10.0,
        x1: 10.0 + width,
        y1: 22.0,
    };
    let characters = vec!['x'; 100_000];
    let began = Instant::now();
    let found = doubled(&characters, &vec![Some(place(6.0)); characters.len()], &[]);
    assert_eq!(found, [Run { start: 1, end: 100_000 }]);
    // Each of another width, so that few are doubles and all are remembered.
    let boxes: Vec<_> = (0_u16..)
        .take(50_000)
        .map(|index| Some(place(0.1 + f32::from(index) / 4200.0)))
        .collect();
    let _ = doubled(&characters[..boxes.len()], &boxes, &[]);
    let taken = began.elapsed();
    assert!(taken < Duration::from_secs(10), "{taken:?}");
}

#[test]
fn boxes_that_are_none_say_nothing() {
    let wild = |x: f32| {
        Some(Rect {
            x0: x,
            y0: 0.0,
            x1: x + 5.0,
            y1: f32::NAN,
        })
    };
    let flat = Some(Rect {
        x0: 1.0,
        y0: 1.0,
        x1: 1.0,
        y1: 1.0,
    });
    let boxes = [
        wild(f32::NAN),
        wild(f32::INFINITY),
        flat,
        flat,
        None,
        None,
        wild(f32::MAX),
    ];
    assert_eq!(doubled(&['a'; 7], &boxes, &[]), []);
    assert_eq!(doubled(&['a'; 3], &boxes[..1], &[]), []);
}

proptest! {
    /// A text set once is never doubled; set again within a twentieth of its size, all of it is, and only the second.
    #[test]
    fn the_second_drawing_is_found_and_nothing_else(
        lines in prop::collection::vec("[a-zA-Z0-9.,|]{1,12}( [a-zA-Z0-9.,|]{1,8}){0,3}", 1..8),
        again in prop::collection::vec(any::<bool>(), 8),
        dx in -0.02_f32..0.02,
        dy in -0.05_f32..0.05,
        size in 4.0_f32..40.0,
    ) {
        let mut page = Page::default();
        let mut expected = 0_usize;
        let mut ranges = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let y = index as f32 * 1.5 * size;
            page.set(line, (50.0, y), size);
            if again[index] {
                ranges.push(page.characters.len()..page.characters.len() + line.chars().count());
                expected += line.chars().filter(|letter| *letter != ' ').count();
                page.set(line, (50.0 + dx * size, y + dy * size), size);
            }
        }
        let found = doubled(&page.characters, &page.boxes, &[]);
        let boxed = |run: &Run| (run.start..run.end).filter(|index| page.boxes[*index as usize].is_some()).count();
        prop_assert_eq!(found.iter().map(boxed).sum::<usize>(), expected);
        for index in found.iter().flat_map(|run| run.start..run.end) {
            let index = index as usize;
            prop_assert!(page.boxes[index].is_none() || ranges.iter().any(|range| range.contains(&index)));
        }
        prop_assert!(found.windows(2).all(|pair| pair[0].end <= pair[1].start));
    }
}
