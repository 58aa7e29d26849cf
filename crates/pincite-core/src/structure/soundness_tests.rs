//! Any text has a sound structure, and a long one has it soon.

use super::sheets::SIZE;
use super::{Locator, OutlineEntry, ParseInput, Structure, parse_sections};
use crate::text::{CharOffset, CharSpan, Layer, LayerBoxes, Rect};
use proptest::prelude::*;

#[test]
fn two_million_code_points_take_seconds() {
    let mut text = String::new();
    for number in 1..=9_000_u32 {
        text.push_str(&format!(
            "{}.{} Section of the long one\n(a) one item; and\n(b) another item.\n",
            number / 90 + 1,
            number % 90
        ));
        text.push_str("Records are kept where they can be found, and they are kept for as long as the period states, no longer than that.\n");
        text.push_str("3. Take the rest.\n2.1 of this and 17 March.\n1.\n§ 2\n");
        if number % 7 == 0 {
            text.push('\u{c}');
        }
    }
    while text.len() < 2_000_000 {
        text.push_str("1 1 1 1.1.1.1. A) (a) Article 1 Annex I\n");
    }
    let layer = Layer::new(&text).unwrap_or_else(|error| unreachable!("{error}"));
    let boxes = LayerBoxes::new(Vec::new());
    let outline: Vec<OutlineEntry> = (0..2000)
        .map(|number| OutlineEntry {
            title: format!("Section of the long one {number}"),
            level: number % 4 + 1,
            page: Some(number + 1),
            y: Some(10.0),
        })
        .collect();
    let started = std::time::Instant::now();
    let structure = parse_sections(&ParseInput {
        layer: &layer,
        boxes: &boxes,
        page_sizes: &[],
        details: &[],
        outline: &outline,
    });
    assert!(structure.sections.len() > 1000);
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
}

fn sound(layer: &Layer, structure: &Structure) -> Result<(), TestCaseError> {
    let mut last = 0;
    let mut keys = std::collections::BTreeSet::new();
    let mut locators = std::collections::BTreeSet::new();
    for section in &structure.sections {
        let (start, end) = (section.span.start().index(), section.span.end().index());
        prop_assert!(start >= last && start < end && end <= layer.len());
        last = start;
        prop_assert!(section.heading.start() == section.span.start() && section.heading.end() <= section.span.end());
        if let Some(parent) = section.parent.and_then(|parent| structure.sections.get(parent)) {
            prop_assert!(parent.span.start() <= section.span.start() && section.span.end() <= parent.span.end());
            prop_assert_eq!(section.level, parent.level + 1);
        }
        prop_assert_eq!(layer.page_of(section.span.start()), section.page);
        prop_assert!(keys.insert(section.section_key.clone()));
        prop_assert!(locators.insert(section.locator.to_string()));
        prop_assert_eq!(
            Locator::parse(&section.locator.to_string()).ok(),
            Some(section.locator.clone())
        );
        let deepest = structure
            .locator_at(section.span.start())
            .map(|found| found.span.start());
        prop_assert_eq!(deepest, Some(section.span.start()));
    }
    Ok(())
}

proptest! {
    #[test]
    fn any_text_has_a_sound_structure(lines in proptest::collection::vec("([1-3](\\.[1-3]){0,2}\\.? |[A-C]\\.[12] |Annex [IVAB]+\\.? |Article [1-4] |§ [1-3] |CAPÍTULO [IV]+|\\([a-ci]{1,3}\\) |[a-c]\\) |)\\PC{0,20}(\\f|\\.{5} [1-9]|)", 0..40), titles in proptest::collection::vec("([1-3]\\.[1-3] )?\\PC{0,8}", 0..6), x in -1e6_f32..1e6) {
        let layer = Layer::new(&lines.join("\n")).unwrap_or_else(|error| unreachable!("{error}"));
        let boxes = LayerBoxes::new((0..layer.len()).map(|index| (index % 5 != 3).then_some(Rect { x0: x, y0: if index % 11 == 0 { f32::NAN } else { x / 3.0 }, x1: x + 5.0, y1: x / 3.0 + 9.0 })).collect());
        let outline: Vec<OutlineEntry> = titles.into_iter().enumerate().map(|(index, title)| OutlineEntry { title, level: u32::try_from(index % 3).unwrap_or(0), page: Some(1), y: Some(x) }).collect();
        let structure = parse_sections(&ParseInput { layer: &layer, boxes: &boxes, page_sizes: &[SIZE], details: &[], outline: &outline });
        sound(&layer, &structure)?;
        for index in 0..=layer.len() {
            let span = CharSpan::of_indices(index, index + 1);
            prop_assert_eq!(structure.clause_at(span).is_some(), structure.locator_at(CharOffset::from_index(index)).is_some());
        }
    }

    #[test]
    fn random_text_never_panics(text in "\\PC{0,300}") {
        let layer = Layer::new(&text).unwrap_or_else(|error| unreachable!("{error}"));
        let structure = parse_sections(&ParseInput { layer: &layer, boxes: &LayerBoxes::new(Vec::new()), page_sizes: &[], details: &[], outline: &[] });
        sound(&layer, &structure)?;
    }
}
