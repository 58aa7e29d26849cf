//! The sections parser: any text has a structure, sections nest, one locator names one section, and what stands at a
//! section's own text is that section.
//!
//! Deliberately not here: boxes of real pages (tests/journeys/corpus*); here they are made from the bytes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pincite_core::structure::{OutlineEntry, ParseInput, parse_sections};
use pincite_core::text::{Layer, LayerBoxes, PageSize, Rect};
use std::collections::HashSet;

fuzz_target!(|input: (Vec<u8>, String, Vec<(String, u8, u8)>)| {
    let (places, text, outline) = input;
    let Ok(layer) = Layer::new(&text) else { return };
    // A line of the text is a line of the page; the bytes push them about.
    let mut line = 0_u8;
    let mut column = 0.0_f32;
    let boxes: Vec<Option<Rect>> = layer
        .characters()
        .iter()
        .enumerate()
        .map(|(index, character)| {
            if matches!(character, '\n' | '\u{c}') {
                line = line.wrapping_add(1);
                column = 0.0;
                return None;
            }
            let shift = places.get(index % places.len().max(1)).copied().unwrap_or(0);
            column += 5.0;
            (!character.is_whitespace()).then(|| Rect {
                x0: column + f32::from(shift),
                y0: f32::from(line) * 12.0,
                x1: column + 5.0 + f32::from(shift),
                y1: f32::from(line) * 12.0 + f32::from(shift % 32),
            })
        })
        .collect();
    let boxes = LayerBoxes::new(if places.is_empty() { Vec::new() } else { boxes });
    let sizes = vec![PageSize { width: 595.0, height: 842.0 }; layer.page_count()];
    let outline: Vec<OutlineEntry> = outline
        .into_iter()
        .map(|(title, level, page)| OutlineEntry {
            title,
            level: u32::from(level),
            page: (page > 0).then(|| u32::from(page)),
            y: None,
        })
        .collect();
    let structure = parse_sections(&ParseInput {
        layer: &layer,
        boxes: &boxes,
        page_sizes: &sizes,
        details: &[],
        outline: &outline,
    });
    let mut names = HashSet::new();
    for section in &structure.sections {
        assert!(names.insert(section.locator.to_string()), "two sections are called {}", section.locator);
        assert!(section.span.end().index() <= layer.len());
        if let Some(parent) = section.parent.map(|parent| &structure.sections[parent]) {
            assert!(parent.span.start() <= section.span.start() && section.span.end() <= parent.span.end());
        }
        for own in section.own.iter().filter(|own| !own.is_empty()) {
            let there = structure.locator_at(own.start()).expect("own text has a section");
            assert_eq!(there.locator, section.locator);
        }
    }
});
