//! Documents of the kinds that are cited: contracts, statutes, regulations, procedures, forms, each in words of our own.

use super::sheets::{BODY, Drawing, Drawn, GAP, MORE, Sheet, bold, head, line, listed, parse, parse_drawn, plain};
use super::{ParseInput, Structure, parse_sections};
use crate::text::{Layer, LayerBoxes};

fn locators(structure: &Structure) -> Vec<String> {
    structure
        .sections
        .iter()
        .map(|section| section.locator.to_string())
        .collect()
}

/// The sections of a text without boxes.
fn of_text(text: &str) -> Structure {
    let layer = Layer::new(text).unwrap_or_else(|error| unreachable!("{error}"));
    parse_sections(&ParseInput {
        layer: &layer,
        boxes: &LayerBoxes::new(Vec::new()),
        page_sizes: &[],
        details: &[],
        outline: &[],
    })
}

#[test]
fn clauses_without_a_title_stand_among_clauses_that_have_one() {
    let titled = |text: &'static str, length: usize| {
        let drawing = Drawing {
            bold: length,
            tag: None,
        };
        (60.0, 10.0, text, drawing)
    };
    let mut page: Drawn<'_> = Vec::new();
    for (heading, clauses) in [
        (
            "1. SUPPLY",
            [
                titled(
                    "1.1 Orders. The buyer orders in writing, and the seller answers every order within ten days of its",
                    11,
                ),
                titled(
                    "1.2 Delivery. The seller delivers at the place that the order names, at the hour that the buyer has",
                    13,
                ),
                titled(
                    "1.3 Title. What is delivered is the buyer's from the moment when it has been paid in full, and not",
                    10,
                ),
            ],
        ),
        (
            "2. PRICE",
            [
                titled(
                    "2.1 Amount. The price is that of the list which was in force on the day of the order, less whatever",
                    11,
                ),
                titled(
                    "2.2 Due date. The price is due on the thirtieth day after the goods came, whatever the bill may say",
                    13,
                ),
                titled(
                    "2.3 Set-off. Nobody sets off what is not agreed on, or found by a court of law in a final judgment",
                    12,
                ),
            ],
        ),
        (
            "3. LAW",
            [
                titled(
                    "3.1 The law of the seller's seat applies, and it applies to what follows from the end of the contract",
                    0,
                ),
                titled(
                    "3.2 The courts at that seat decide, and they alone do, unless both sides agree on another in writing",
                    0,
                ),
                titled(
                    "3.3 This contract is made in two copies, and each of the two sides keeps one of them with its papers",
                    0,
                ),
            ],
        ),
    ] {
        page.extend([plain(GAP), bold(heading), plain(GAP)]);
        for clause in clauses {
            page.extend([clause, plain(MORE), plain(MORE), plain(GAP)]);
        }
    }
    let (_, structure) = parse_drawn(&[page]);
    assert_eq!(
        locators(&structure),
        [
            "1", "1.1", "1.2", "1.3", "2", "2.1", "2.2", "2.3", "3", "3.1", "3.2", "3.3"
        ]
    );
}

#[test]
fn rows_of_a_form_are_no_sections_of_the_article_above_them() {
    let page = vec![
        head("ARTICLE 1. Services"),
        line("1.1 The contractor renders the services that the agency orders."),
        line("1.2 They are rendered where the agency says."),
        GAP,
        head("ARTICLE 2. Payment"),
        line("2.1 The agency pays on the thirtieth day after the bill came."),
        GAP,
        head("9. CONTRACTOR"),
        line("Name of Firm"),
        head("10. CONTRACTING AGENCY"),
        line("Signature"),
        head("11. CERTIFICATION"),
        line("Date"),
    ];
    let (_, structure) = parse(&[page]);
    assert_eq!(locators(&structure), ["Article 1", "1.1", "1.2", "Article 2", "2.1"]);
}

#[test]
fn a_line_of_cells_is_a_row() {
    let page = vec![
        head("1 Scope"),
        GAP,
        BODY,
        GAP,
        line("2 Widgets, blue                                                            400"),
        line("3 Widgets, red                                                             300"),
        GAP,
        head("2 Supply"),
        GAP,
        BODY,
        GAP,
        head("3 End"),
        GAP,
        BODY,
    ];
    let (_, structure) = parse(&[page]);
    assert_eq!(listed(&structure), ["1 | Scope | 1", "2 | Supply | 1", "3 | End | 1"]);
}

#[test]
fn running_heads_that_change_with_the_chapter_are_known_by_their_page_numbers() {
    let page = |head_line: &'static str, body: Vec<(f32, f32, &'static str)>| -> Sheet<'static> {
        let mut page = vec![(60.0, 9.0, head_line), GAP, GAP];
        page.extend(body);
        page
    };
    let pages = [
        page("Chapter 1: Supply 7", vec![head("1 Supply"), GAP, BODY, MORE]),
        page("Chapter 2: Price 8", vec![head("2 Price"), GAP, BODY, MORE]),
        page("Chapter 3: Law 9", vec![head("3 Law"), GAP, BODY, MORE]),
        page("Chapter 4: Notices 10", vec![head("4 Notices"), GAP, BODY, MORE]),
    ];
    let (_, structure) = parse(&pages);
    assert_eq!(
        listed(&structure),
        ["1 | Supply | 1", "2 | Price | 2", "3 | Law | 3", "4 | Notices | 4"]
    );
    // A document that opens every page with the next of its chapters has no running heads.
    let chapters = [
        vec![
            head("1 Supply"),
            GAP,
            line("Goods are ordered in writing, by the office that needs them, and not by others."),
        ],
        vec![
            head("2 Price"),
            GAP,
            line("The price is that of the list; whoever asks for another says why in the order."),
        ],
        vec![
            head("3 Law"),
            GAP,
            line("The law of the seller's seat applies, and the courts there decide on every claim."),
        ],
    ];
    let (_, structure) = parse(&chapters);
    assert_eq!(locators(&structure), ["1", "2", "3"]);
}

#[test]
fn a_letter_in_the_margin_ranks_with_the_headings_that_have_none() {
    let large = |text: &'static str| (60.0, 12.0, text, bold(text).3);
    let page = vec![
        plain(BODY),
        plain(MORE),
        plain(MORE),
        plain(MORE),
        plain(MORE),
        plain(MORE),
        plain(MORE),
        plain(MORE),
        plain(MORE),
        plain(MORE),
        plain(GAP),
        large("Procedures"),
        plain(GAP),
        bold("Preparation"),
        plain(GAP),
        plain(line("(1.) Take the vessel out of its case.")),
        plain(line("(2.) Wash it twice.")),
        plain(GAP),
        (35.0, 10.0, "A › Cleaning by hand", bold("A › Cleaning by hand").3),
        plain(GAP),
        plain(line("(1.) Brush it.")),
        plain(line("(2.) Rinse it.")),
        plain(GAP),
        (35.0, 10.0, "B › Cleaning by machine", bold("B › Cleaning by machine").3),
        plain(GAP),
        plain(line("(1.) Start the machine.")),
        plain(GAP),
        bold("Storage"),
        plain(GAP),
        plain(line("(1.) Put it back.")),
        plain(GAP),
        bold("Waste"),
        plain(GAP),
        plain(line("(1.) Throw it out.")),
        plain(GAP),
        large("Analyses"),
        plain(GAP),
        plain(BODY),
        plain(GAP),
        large("Change log"),
        plain(GAP),
        plain(BODY),
    ];
    let (_, structure) = parse_drawn(&[page]);
    assert_eq!(
        locators(&structure),
        [
            "Procedures",
            "Procedures > Preparation",
            "Procedures > Preparation > (1)",
            "Procedures > Preparation > (2)",
            "A",
            "A(1)",
            "A(2)",
            "B",
            "B(1)",
            "Procedures > Storage",
            "Procedures > Storage > (1)",
            "Procedures > Waste",
            "Procedures > Waste > (1)",
            "Analyses",
            "Change log"
        ]
    );
    let margin = structure
        .sections
        .iter()
        .find(|section| section.locator.to_string() == "B");
    assert_eq!(margin.map(|section| section.parent), Some(Some(0)));
}

#[test]
fn steps_whose_heading_was_lost_are_clauses_all_the_same() {
    let page = vec![
        line("(3.) Drain the vessel."),
        line("(4.) Close it."),
        GAP,
        head("1 Records"),
        GAP,
        line("(1.) Write it down."),
        GAP,
        head("2 Storage"),
        GAP,
        BODY,
    ];
    let (_, structure) = parse(&[page]);
    assert_eq!(locators(&structure), ["(3)", "(4)", "1", "1(1)", "2"]);
    // What might be an enumeration in a sentence is no clause of nothing.
    let (_, structure) = parse(&[vec![
        line("(a) one thing"),
        line("(b) and another"),
        GAP,
        head("1 Scope"),
        GAP,
        BODY,
    ]]);
    assert_eq!(locators(&structure), ["1"]);
}

#[test]
fn a_word_in_another_face_belongs_to_the_title() {
    let drawn = |text: &'static str, bold: usize| (60.0, 13.0, text, Drawing { bold, tag: None });
    let page = vec![
        drawn("1 Rules for debian/control", 11),
        plain(GAP),
        plain(BODY),
        plain(MORE),
        plain(GAP),
        drawn("2 Rules for everything else", 27),
        plain(GAP),
        plain(BODY),
    ];
    let (_, structure) = parse_drawn(&[page]);
    assert_eq!(
        listed(&structure),
        ["1 | Rules for debian/control | 1", "2 | Rules for everything else | 1"]
    );
}

#[test]
fn regulations_leave_numbers_out_and_refer_to_each_other() {
    let structure = of_text(
        "§ 21.1 Scope.\n(a) This part applies to records.\n(1) Electronic ones; and\n(2) Paper ones:\n(i) signed;\n\
         (ii) unsigned.\n(b) It does not apply to drafts. See\n§ 21.32 of this part.\n§ 21.3 Definitions.\nAs used here.\n\
         § 21.30 Period.\nSeven years.\n§ 21.32 Access.\nOn request.\n",
    );
    assert_eq!(
        locators(&structure),
        [
            "§ 21.1",
            "§ 21.1(a)",
            "§ 21.1(a)(1)",
            "§ 21.1(a)(2)",
            "§ 21.1(a)(2)(i)",
            "§ 21.1(a)(2)(ii)",
            "§ 21.1(b)",
            "§ 21.3",
            "§ 21.30",
            "§ 21.32"
        ]
    );
}

#[test]
fn german_references_begin_with_a_capital_and_are_references() {
    let structure = of_text(
        "§ 1 Gegenstand\nVersichert sind Sachen nach\n§ 2 Abs. 3 und Kosten nach\n§ 3 VVG sowie\n§ 2 Nr. 4 Satz 1.\n\
         § 2 Gefahren\nVersichert ist der Brand. Im Sinne von\n§ 4 dieser Bedingungen gilt das auch am\n12. März.\n\
         § 3 Obliegenheiten\nDer Schaden ist anzuzeigen.\n§ 4 Ende\nDer Vertrag endet.\n",
    );
    assert_eq!(
        structure
            .sections
            .iter()
            .map(|section| (section.locator.to_string(), section.title.as_str()))
            .collect::<Vec<_>>(),
        [
            ("§ 1".to_owned(), "Gegenstand"),
            ("§ 2".to_owned(), "Gefahren"),
            ("§ 3".to_owned(), "Obliegenheiten"),
            ("§ 4".to_owned(), "Ende")
        ]
    );
}

#[test]
fn divisions_by_dash_by_word_and_alone() {
    let structure = of_text(
        "TITLE 1—GENERAL PROVISIONS\nCHAPTER ONE—TERMS\n§1. Words\nThey mean this.\n§2. Signs\nThey mean that.\n\
         CHAPTER TWO—FINES\n§3. Amount\nIt is small.\n",
    );
    assert_eq!(
        listed(&structure),
        [
            "Title 1 | GENERAL PROVISIONS | 1",
            "Chapter 1 | TERMS | 1",
            "§ 1 | Words | 1",
            "§ 2 | Signs | 1",
            "Chapter 2 | FINES | 1",
            "§ 3 | Amount | 1"
        ]
    );
    let structure = of_text(
        "TÍTULO PRIMERO\nDISPOSICIONES GENERALES\nArtículo 1°. Objeto. Esta ley regula los contratos.\n\
         Artículo 2°. Ámbito. Se aplica a todos.\nTÍTULO SEGUNDO\nDISPOSICIONES FINALES\nCAPÍTULO ÚNICO\nDE LA VIGENCIA\n\
         Artículo 3°. Vigencia. Rige desde ahora.\n",
    );
    assert_eq!(
        locators(&structure),
        [
            "Título 1",
            "Artículo 1°",
            "Artículo 2°",
            "Título 2",
            "Capítulo 1",
            "Artículo 3°"
        ]
    );
}

#[test]
fn what_an_annex_holds_has_the_annex_in_its_name() {
    let structure = of_text(
        "ARTICLE I\nTERMS\n\nSection 1.01 Words. They mean this.\n\nSection 1.02 Signs. They mean that.\n\n\
         ANNEX II\nTECHNICAL REQUIREMENTS\n\n1 General\nWhat is written here applies.\n1.1 Standards\nThose in force.\n\
         2 Tests\nThey are made.\n",
    );
    assert_eq!(
        locators(&structure),
        [
            "Article I",
            "1.01",
            "1.02",
            "Annex II",
            "Annex II > 1",
            "Annex II > 1.1",
            "Annex II > 2"
        ]
    );
}

#[test]
fn what_is_numbered_one_point_nought_holds_one_point_one() {
    let structure = of_text(
        "1.0 PURPOSE\nTo clean.\n2.0 DUTIES\n2.1 Operators clean.\n2.2 Supervisors check.\n3.0 STEPS\n3.1 Preparation\n\
         Take it out.\n3.1.1 By hand\nUse a brush.\n",
    );
    let parents: Vec<(String, Option<String>)> = structure
        .sections
        .iter()
        .map(|section| {
            let parent = section.parent.and_then(|parent| structure.sections.get(parent));
            (
                section.locator.to_string(),
                parent.map(|parent| parent.locator.to_string()),
            )
        })
        .collect();
    let pair = |own: &str, above: Option<&str>| (own.to_owned(), above.map(str::to_owned));
    assert_eq!(
        parents,
        [
            pair("1.0", None),
            pair("2.0", None),
            pair("2.1", Some("2.0")),
            pair("2.2", Some("2.0")),
            pair("3.0", None),
            pair("3.1", Some("3.0")),
            pair("3.1.1", Some("3.1"))
        ]
    );
}

#[test]
fn a_text_without_boxes_counts_its_clauses_too() {
    let structure = of_text(
        "1 Scope\n1.1 This policy sets the rules for loans.\n1.2 It applies to all branches.\n2 Applicants\n2.1 Age\n\
         They are at least\n18 years old on the day.\n2.2 Income\nThe ratio is at most\n40 % of it.\n2.3 Exceptions\n\
         The head may allow some.\n3 Security\n3.1 Land\nFour fifths.\n3.2 Vehicles\nThree fifths.\n\
         Appendix 1: Definitions\nAppendix 2: Forms\n2.1 Application form\n2.2 Statement of income\n",
    );
    assert_eq!(
        locators(&structure),
        [
            "1",
            "1.1",
            "1.2",
            "2",
            "2.1",
            "2.2",
            "2.3",
            "3",
            "3.1",
            "3.2",
            "Appendix 1",
            "Appendix 2",
            "Appendix 2 > 2.1",
            "Appendix 2 > 2.2"
        ]
    );
}
