//! Sections of documents set in code: every scheme, spans, hashes, keys.

use super::sheets::{BODY, GAP, MORE, head, line, listed, parse, parse_with, set};
use super::{Locator, OutlineEntry, ParseInput, Structure, parse_sections};
use crate::text::{CharOffset, CharSpan, Layer, LayerBoxes};

#[test]
fn decimal_numbers_across_a_page_break_and_list_items_that_are_no_chapters() {
    let first = vec![
        head("1 Purpose"),
        GAP,
        BODY,
        MORE,
        GAP,
        head("2 Scope"),
        GAP,
        head("2.1 Records covered"),
        GAP,
        BODY,
        MORE,
        GAP,
    ];
    let second = vec![
        MORE,
        GAP,
        line("1. Take one tablet and put it into a glass of water that is warm."),
        line("2. Stir the glass until nothing is left of it."),
        line("3. Drink it at once."),
        GAP,
        head("2.2 Records not covered"),
        GAP,
        BODY,
        MORE,
        GAP,
        head("3 Responsibilities"),
        GAP,
        BODY,
        MORE,
    ];
    let (layer, structure) = parse(&[first, second]);
    assert_eq!(
        listed(&structure),
        [
            "1 | Purpose | 1",
            "2 | Scope | 1",
            "2.1 | Records covered | 1",
            "2.2 | Records not covered | 2",
            "3 | Responsibilities | 2"
        ]
    );
    // The page break is inside 2.1, and so is what follows it.
    let join = layer
        .characters()
        .iter()
        .position(|character| *character == '\u{c}')
        .unwrap_or(0);
    let at = |offset: usize| {
        structure
            .locator_at(CharOffset::from_index(offset))
            .map(|section| section.locator.to_string())
    };
    assert_eq!(at(join + 5).as_deref(), Some("2.1"));
    assert_eq!(at(layer.len() - 1).as_deref(), Some("3"));
    assert_eq!(at(layer.len()), None);
    let path: Vec<String> = structure
        .path_at(CharOffset::from_index(join + 5))
        .map(|section| section.locator.to_string())
        .collect();
    assert_eq!(path, ["2.1", "2"]);
    assert_eq!(structure.ancestors(2), [1]);
    let spans: Vec<(u32, u32)> = structure
        .sections
        .iter()
        .map(|section| (section.span.start().0, section.span.end().0))
        .collect();
    assert_eq!(spans[1].1, spans[4].0, "a section holds its descendants");
    assert_eq!(
        layer.slice(structure.sections[2].heading).as_deref(),
        Some("2.1 Records covered")
    );
}

#[test]
fn clause_items_keep_the_documents_style() {
    let page = vec![
        head("1 Scope"),
        GAP,
        BODY,
        MORE,
        GAP,
        head("1.1 Records"),
        GAP,
        line("It covers:"),
        (75.0, 10.0, "(a) batch records, that is to say:"),
        (95.0, 10.0, "(i) the master copy;"),
        (95.0, 10.0, "(ii) the release;"),
        (95.0, 10.0, "(iii) the logs;"),
        (75.0, 10.0, "(b) training records."),
        GAP,
        line("Whatever else there is follows a procedure of its own."),
        GAP,
        head("1.2 Criteria"),
        GAP,
        line("They are:"),
        (75.0, 10.0, "a) Turnover. The mean of the three best years."),
        (75.0, 10.0, "b) Staff"),
        GAP,
        head("2 Lots"),
        GAP,
        line("2.a) Lot one: the paper"),
        line("2.b) Lot two: the rest"),
        GAP,
        head("3 End"),
        GAP,
        BODY,
    ];
    let (layer, structure) = parse(&[page]);
    let locators: Vec<String> = structure
        .sections
        .iter()
        .map(|section| section.locator.to_string())
        .collect();
    assert_eq!(
        locators,
        [
            "1",
            "1.1",
            "1.1(a)",
            "1.1(a)(i)",
            "1.1(a)(ii)",
            "1.1(a)(iii)",
            "1.1(b)",
            "1.2",
            "1.2.a",
            "1.2.b",
            "2",
            "2.a",
            "2.b",
            "3"
        ]
    );
    assert_eq!(structure.sections[8].title, "Turnover");
    // A paragraph that follows the list is the section's, not the last item's.
    let text = layer.text();
    let after = text.find("Whatever else").map_or(0, |at| text[..at].chars().count());
    let deepest = structure
        .locator_at(CharOffset::from_index(after))
        .map(|section| section.locator.to_string());
    assert_eq!(deepest.as_deref(), Some("1.1"));
    let clause = structure
        .clause_at(CharSpan::of_indices(after, after + 8))
        .and_then(|span| layer.slice(span))
        .unwrap_or_default();
    assert!(
        clause.starts_with("Whatever else") && clause.trim_end().ends_with("its own."),
        "{clause}"
    );
}

#[test]
fn annexes_and_appendices_restart_the_numbering() {
    let body = vec![
        head("1. Objeto"),
        GAP,
        BODY,
        MORE,
        GAP,
        head("1.1 Lotes"),
        GAP,
        BODY,
        GAP,
        head("2. Plazo"),
        GAP,
        BODY,
    ];
    let annexes = vec![
        head("Anexo I. Modelo de oferta"),
        GAP,
        BODY,
        MORE,
        GAP,
        head("Anexo II. Cálculo"),
        GAP,
        head("1. Ejercicios"),
        GAP,
        BODY,
        GAP,
        head("2. Documentos"),
        GAP,
        BODY,
    ];
    let (_, structure) = parse(&[body, annexes]);
    let locators: Vec<String> = structure
        .sections
        .iter()
        .map(|section| section.locator.to_string())
        .collect();
    assert_eq!(
        locators,
        ["1", "1.1", "2", "Anexo I", "Anexo II", "Anexo II > 1", "Anexo II > 2"]
    );
    assert_eq!(structure.sections[5].level, 2);
    let (_, structure) = parse(&[vec![
        head("1 Scope"),
        GAP,
        BODY,
        GAP,
        head("2 Terms"),
        GAP,
        BODY,
        GAP,
        head("Appendix A Record classes"),
        GAP,
        head("A.1 Classes"),
        GAP,
        BODY,
        GAP,
        head("A.2 Forms"),
        GAP,
        BODY,
        GAP,
        head("Appendix B. Notes"),
        GAP,
        head("B.1 Sources"),
        GAP,
        BODY,
    ]]);
    let locators: Vec<String> = structure
        .sections
        .iter()
        .map(|section| section.locator.to_string())
        .collect();
    assert_eq!(locators, ["1", "2", "Appendix A", "A.1", "A.2", "Appendix B", "B.1"]);
    assert_eq!(structure.sections[4].parent, Some(2));
}

#[test]
fn words_before_numbers_in_two_languages() {
    let decree = vec![
        head("CAPÍTULO I"),
        head("DISPOSICIONES GENERALES"),
        GAP,
        head("Artículo 1°. Objeto"),
        GAP,
        BODY,
        line("Artículo 9 de la ley, en lo que hace al caso, y sin perjuicio de lo demás que se diga."),
        GAP,
        head("Artículo 2°. Ámbito"),
        GAP,
        BODY,
        GAP,
        head("CAPÍTULO II"),
        head("PROCEDIMIENTO"),
        GAP,
        head("Artículo 3°. Plazos"),
        GAP,
        BODY,
    ];
    let (_, structure) = parse(&[decree]);
    assert_eq!(
        listed(&structure),
        [
            "Capítulo I | DISPOSICIONES GENERALES | 1",
            "Artículo 1° | Objeto | 1",
            "Artículo 2° | Ámbito | 1",
            "Capítulo II | PROCEDIMIENTO | 1",
            "Artículo 3° | Plazos | 1"
        ]
    );
    assert_eq!(structure.sections[4].parent, Some(3));
    let named = |text: &str| {
        Locator::parse(text)
            .ok()
            .and_then(|locator| structure.find(&locator))
            .map(|section| section.title.clone())
    };
    assert_eq!(named("art. 2").as_deref(), Some("Ámbito"));
    assert_eq!(named("Artículo 3º").as_deref(), Some("Plazos"));
    assert_eq!(named("Artículo 4"), None);

    let contract = vec![
        head("Clause 1. Definitions"),
        GAP,
        head("1.1 Terms"),
        GAP,
        BODY,
        GAP,
        head("Clause 2. Price"),
        GAP,
        head("2.1 Amount"),
        GAP,
        BODY,
        GAP,
        head("2.2 Payment"),
        GAP,
        BODY,
    ];
    let (_, structure) = parse(&[contract]);
    let locators: Vec<String> = structure
        .sections
        .iter()
        .map(|section| section.locator.to_string())
        .collect();
    assert_eq!(locators, ["Clause 1", "1.1", "Clause 2", "2.1", "2.2"]);
    assert_eq!(structure.sections[3].parent, Some(2));

    let rules = vec![
        head("§ 21.31 General"),
        GAP,
        BODY,
        GAP,
        head("§ 21.32 Types of records"),
        GAP,
        BODY,
        GAP,
        head("§ 21.33 Access"),
        GAP,
        BODY,
    ];
    let (_, structure) = parse(&[rules]);
    assert_eq!(
        listed(&structure),
        [
            "§ 21.31 | General | 1",
            "§ 21.32 | Types of records | 1",
            "§ 21.33 | Access | 1"
        ]
    );

    let parts = vec![
        head("Part 1 General"),
        GAP,
        head("Chapter 1 Aims"),
        GAP,
        BODY,
        GAP,
        head("Chapter 2 Terms"),
        GAP,
        BODY,
        GAP,
        head("Part 2 Duties"),
        GAP,
        head("Chapter 1 Keeping"),
        GAP,
        BODY,
    ];
    let (_, structure) = parse(&[parts]);
    let locators: Vec<String> = structure
        .sections
        .iter()
        .map(|section| section.locator.to_string())
        .collect();
    assert_eq!(
        locators,
        [
            "Part 1",
            "Part 1 > Chapter 1",
            "Part 1 > Chapter 2",
            "Part 2",
            "Part 2 > Chapter 1"
        ]
    );
}

#[test]
fn an_outline_names_what_has_no_number_and_the_text_adds_what_it_leaves_out() {
    let page = vec![
        head("4 Handling"),
        GAP,
        BODY,
        GAP,
        head("4.1 Receipt"),
        GAP,
        BODY,
        GAP,
        head("4.2 Storage"),
        GAP,
        line("Storage of samples"),
        GAP,
        BODY,
        MORE,
        GAP,
        line("(a) cold"),
        line("(b) dry"),
        GAP,
        line("References"),
        GAP,
        BODY,
    ];
    let entry = |title: &str, level| OutlineEntry {
        title: title.to_owned(),
        level,
        page: Some(1),
        y: None,
    };
    let outline = [
        entry("4 Handling", 1),
        entry("4.2 Storage", 2),
        entry("Storage of samples", 3),
        entry("References", 1),
        entry("Nowhere in the text", 1),
        OutlineEntry {
            page: None,
            ..entry("4.1 Receipt", 2)
        },
    ];
    let (_, structure) = parse_with(std::slice::from_ref(&page), &outline);
    let locators: Vec<String> = structure
        .sections
        .iter()
        .map(|section| section.locator.to_string())
        .collect();
    assert_eq!(
        locators,
        [
            "4",
            "4.1",
            "4.2",
            "4.2 > Storage of samples",
            "4.2 > Storage of samples > (a)",
            "4.2 > Storage of samples > (b)",
            "References"
        ]
    );
    let (_, without) = parse_with(&[page], &[]);
    assert_eq!(
        without
            .sections
            .iter()
            .filter(|section| section.locator.to_string().starts_with("4.2"))
            .count(),
        3,
        "{:?}",
        listed(&without)
    );
}

#[test]
fn hashes_leave_out_the_number_and_follow_the_text() {
    let of = |number: &str, text: &str| {
        let heading = format!("{number} Keeping");
        let page = vec![
            head("1 Purpose"),
            GAP,
            BODY,
            GAP,
            head(&heading),
            GAP,
            line(text),
            GAP,
            head("9 End"),
            GAP,
            BODY,
        ];
        let (layer, boxes, sizes) = set(&[page]);
        let structure = parse_sections(&ParseInput {
            layer: &layer,
            boxes: &boxes,
            page_sizes: &sizes,
            details: &[],
            outline: &[],
        });
        structure
            .sections
            .iter()
            .find(|section| section.title == "Keeping")
            .map(|section| (section.own_sha256.clone(), section.section_key.clone()))
    };
    let base = of("2", "Kept for 5 years.");
    assert!(base.is_some());
    assert_eq!(
        base.as_ref().map(|(own, _)| own),
        of("3", "Kept  for 5 YEARS.").as_ref().map(|(own, _)| own)
    );
    assert_ne!(
        base.as_ref().map(|(own, _)| own),
        of("2", "Kept for 7 years.").as_ref().map(|(own, _)| own)
    );
    assert_eq!(base.map(|(_, key)| key).as_deref(), Some("2-keeping"));
}

#[test]
fn a_structure_without_geometry_and_its_json() {
    let layer = Layer::new("1 Purpose\nSome text.\n2 Scope\n2.1 Records covered\nMore text here.\n2.2 Others\nText.\n")
        .unwrap_or_else(|error| unreachable!("{error}"));
    let boxes = LayerBoxes::new(Vec::new());
    let structure = parse_sections(&ParseInput {
        layer: &layer,
        boxes: &boxes,
        page_sizes: &[],
        details: &[],
        outline: &[],
    });
    assert_eq!(
        listed(&structure),
        [
            "1 | Purpose | 1",
            "2 | Scope | 1",
            "2.1 | Records covered | 1",
            "2.2 | Others | 1"
        ]
    );
    let json = serde_json::to_string(&structure).unwrap_or_default();
    let back: Option<Structure> = serde_json::from_str(&json).ok();
    assert_eq!(back.as_ref().map(Structure::id), Some(structure.id()));
    assert_eq!(back, Some(structure));
    let empty = Layer::new("").unwrap_or_else(|error| unreachable!("{error}"));
    assert!(
        parse_sections(&ParseInput {
            layer: &empty,
            boxes: &boxes,
            page_sizes: &[],
            details: &[],
            outline: &[]
        })
        .sections
        .is_empty()
    );
}
