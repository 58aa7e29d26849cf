//! What fonts and tags say of headings, and labels of other kinds and languages.

use super::sheets::{BODY, Drawing, GAP, MORE, bold, head, line, listed, parse, parse_drawn, plain};
use super::{OutlineEntry, ParseInput, Structure, parse_sections};
use crate::text::{Layer, LayerBoxes, Tag};

fn locators(structure: &Structure) -> Vec<String> {
    structure
        .sections
        .iter()
        .map(|section| section.locator.to_string())
        .collect()
}

#[test]
fn bold_headings_of_the_texts_own_size_and_plain_lists_below_them() {
    let page = vec![
        bold("1 Purpose"),
        plain(BODY),
        plain(MORE),
        plain(GAP),
        plain(line("1. Wash the vessel.")),
        plain(line("2. Fill it to the mark.")),
        plain(line("3. Close it.")),
        plain(GAP),
        bold("2 Scope"),
        plain(BODY),
        plain(MORE),
        plain(GAP),
        bold("3 Records"),
        plain(BODY),
        plain(GAP),
        bold("Forms"),
        plain(BODY),
        plain(GAP),
        bold("4 End"),
        plain(BODY),
    ];
    let (_, structure) = parse_drawn(&[page]);
    assert_eq!(
        listed(&structure),
        [
            "1 | Purpose | 1",
            "2 | Scope | 1",
            "3 | Records | 1",
            "3 > Forms | Forms | 1",
            "4 | End | 1"
        ]
    );
}

#[test]
fn a_bold_run_in_heading_is_the_title() {
    let clause = |text: &'static str, length: usize| {
        let drawing = Drawing {
            bold: length,
            tag: None,
        };
        (60.0, 10.0, text, drawing)
    };
    let page = vec![
        clause(
            "1. Term. This agreement begins when both have signed it and goes on until one of them ends it by a letter.",
            8,
        ),
        plain(MORE),
        clause(
            "2. Fees and costs: The fee is paid within thirty days, and whoever is late with it owes the interest of the law.",
            18,
        ),
        plain(MORE),
        clause(
            "3. Notices. A notice is given in writing, by a letter or by a message that can be kept and shown, or not at all.",
            11,
        ),
        plain(MORE),
    ];
    let (_, structure) = parse_drawn(&[page]);
    assert_eq!(
        listed(&structure),
        ["1 | Term | 1", "2 | Fees and costs | 1", "3 | Notices | 1"]
    );
}

#[test]
fn tags_say_what_is_a_heading_and_what_is_none() {
    let tagged = |text: &'static str, tag: Tag| {
        let drawing = Drawing {
            bold: 0,
            tag: Some(tag),
        };
        (60.0, 10.0, text, drawing)
    };
    let page = vec![
        tagged("5 The procedure at a glance", Tag::Artifact),
        tagged("1 Scope 2", Tag::Contents),
        tagged("2 Terms 3", Tag::Contents),
        plain(GAP),
        tagged("1 Scope", Tag::Heading(1)),
        plain(BODY),
        plain(MORE),
        tagged("2 Ethanol", Tag::Table),
        tagged("3 Water", Tag::Table),
        tagged("2 Terms", Tag::Heading(1)),
        plain(BODY),
        tagged("What they mean", Tag::Heading(2)),
        plain(BODY),
        tagged("3 End", Tag::Heading(1)),
        plain(BODY),
    ];
    let (_, structure) = parse_drawn(&[page]);
    assert_eq!(
        listed(&structure),
        [
            "1 | Scope | 1",
            "2 | Terms | 1",
            "2 > What they mean | What they mean | 1",
            "3 | End | 1"
        ]
    );
}

#[test]
fn numerals_and_letters_alone_divide_a_document() {
    let page = vec![
        head("I. ELIGIBILITY"),
        GAP,
        head("A. Borrowers"),
        GAP,
        BODY,
        MORE,
        GAP,
        head("B. Collateral"),
        GAP,
        BODY,
        GAP,
        head("II. PRICING"),
        GAP,
        head("A. Rates"),
        GAP,
        BODY,
        GAP,
        head("B. Fees"),
        GAP,
        BODY,
        GAP,
        head("III. APPROVAL"),
        GAP,
        BODY,
    ];
    let (_, structure) = parse(&[page]);
    assert_eq!(
        locators(&structure),
        ["I", "I > A", "I > B", "II", "II > A", "II > B", "III"]
    );
}

#[test]
fn labels_of_statutes_and_contracts_in_four_languages() {
    let body = |headings: &[&'static str]| {
        let mut page = Vec::new();
        for heading in headings {
            page.extend([head(heading), GAP, BODY, MORE, GAP]);
        }
        locators(&parse(&[page]).1)
    };
    assert_eq!(
        body(&[
            "PRIMERA.- OBJETO",
            "SEGUNDA.- PLAZO",
            "TERCERA.- PRECIO",
            "CUARTA.- PAGO"
        ]),
        ["Cláusula 1", "Cláusula 2", "Cláusula 3", "Cláusula 4"]
    );
    assert_eq!(
        body(&[
            "CLÁUSULA DÉCIMA.- Pago",
            "CLÁUSULA DÉCIMA PRIMERA.- Cesión",
            "CLÁUSULA DECIMOSEGUNDA.- Fin"
        ]),
        ["Cláusula 10", "Cláusula 11", "Cláusula 12"]
    );
    assert_eq!(
        body(&[
            "Article 1er. Objet",
            "Article 2. Durée",
            "Article 2 bis. Renouvellement",
            "Article 3. Prix"
        ]),
        ["Article 1°", "Article 2", "Article 2 bis", "Article 3"]
    );
    assert_eq!(
        body(&[
            "ARTÍCULO 1.º.- Objeto",
            "ARTÍCULO 2.º.- Ámbito",
            "ARTÍCULO 3.º.- Plazos"
        ]),
        ["Artículo 1°", "Artículo 2°", "Artículo 3°"]
    );
    assert_eq!(
        body(&["§ 1 Zweck", "§ 2 Begriffe", "§ 2a Register", "§ 3 Pflichten"]),
        ["§ 1", "§ 2", "§ 2a", "§ 3"]
    );
    assert_eq!(
        body(&[
            "Artikel 1 Zweck",
            "Artikel 2 Begriffe",
            "Anhang I Muster",
            "Anhang II Tabellen"
        ]),
        ["Artikel 1", "Artikel 2", "Anhang I", "Anhang II"]
    );
    assert_eq!(
        body(&["SECTION 1.01 Definitions", "SECTION 1.02 Terms", "SECTION 2.01 Loans"]),
        ["1.01", "1.02", "2.01"]
    );
    assert_eq!(
        body(&[
            "CHAPITRE PREMIER Champ",
            "Article 1 Objet",
            "CHAPITRE II Obligations",
            "Article 2 Durée"
        ]),
        ["Chapitre 1", "Article 1", "Chapitre II", "Article 2"]
    );
}

#[test]
fn steps_and_stopped_letters_are_items() {
    let page = vec![
        head("1 Washing"),
        GAP,
        line("(1.) Take the vessel out of its case."),
        line("(2.) Wash it twice with clean water."),
        GAP,
        head("2 Reasons"),
        GAP,
        line("a. The offer came late."),
        line("b. The offer was not signed."),
        GAP,
        head("3 End"),
        GAP,
        BODY,
    ];
    let (_, structure) = parse(&[page]);
    assert_eq!(locators(&structure), ["1", "1(1)", "1(2)", "2", "2.a", "2.b", "3"]);
}

#[test]
fn the_one_line_with_the_missing_number_is_taken_where_it_stands_like_its_neighbours() {
    let page = vec![
        line(
            "1.1 The lender may ask for a statement of the accounts of the last three years, and the borrower gives it on",
        ),
        line("demand and without delay, in the form that the lender states."),
        GAP,
        line(
            "1.2 The borrower keeps its books as the law wants it, and shows them to whoever the lender sends for that, from",
        ),
        line(
            "1.3 On the day of the notice no further sum is drawn, whatever was agreed on before, and what was drawn is due on",
        ),
        line("the day that the notice states."),
        GAP,
        line("1.4 The lender may assign its rights."),
    ];
    let (_, structure) = parse(&[page]);
    assert_eq!(locators(&structure), ["1.1", "1.2", "1.3", "1.4"]);
}

#[test]
fn plain_text_with_an_outline_of_its_own_has_sections() {
    let layer = Layer::new(
        "# Lending policy\n\nText.\n\n## 1. Scope\n\nWho may borrow.\n\n## 2. Limits\n\n(a) one;\n(b) two.\n",
    )
    .unwrap_or_else(|error| unreachable!("{error}"));
    let entry = |title: &str, level| OutlineEntry {
        title: title.to_owned(),
        level,
        page: Some(1),
        y: None,
    };
    let structure = parse_sections(&ParseInput {
        layer: &layer,
        boxes: &LayerBoxes::new(Vec::new()),
        page_sizes: &[],
        details: &[],
        outline: &[entry("Lending policy", 1), entry("1. Scope", 2), entry("2. Limits", 2)],
    });
    let found = locators(&structure);
    assert!(found.contains(&"Lending policy".to_owned()), "{found:?}");
    assert!(found.iter().any(|locator| locator.ends_with("2(a)")), "{found:?}");
}
