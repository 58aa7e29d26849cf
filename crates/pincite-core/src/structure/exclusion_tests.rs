//! What must not become a section: furniture, tables of contents, references, dates, quantities.

use super::Structure;
use super::sheets::{BODY, GAP, MORE, Sheet, head, line, listed, parse};

#[test]
fn running_heads_page_numbers_and_tables_of_contents_are_no_sections() {
    let page = |number: usize, body: Vec<(f32, f32, &'static str)>| -> Sheet<'static> {
        let foot = [
            "foot:Page 1 of 4",
            "foot:Page 2 of 4",
            "foot:Page 3 of 4",
            "foot:Page 4 of 4",
        ][number];
        let mut page = vec![(60.0, 9.0, "7 Standard procedure for records"), GAP, GAP];
        page.extend(body);
        page.push((60.0, 9.0, foot));
        page
    };
    let contents = vec![
        head("Contents"),
        GAP,
        line("1 Purpose . . . . . . . . . . . . . . 2"),
        line("2 Scope . . . . . . . . . . . . . . . 3"),
        line("2.1 Records covered . . . . . . . . . 3"),
        line("3 Responsibilities . . . . . . . . . . 4"),
    ];
    let bodies = [
        vec![head("1 Purpose"), GAP, BODY, MORE, MORE],
        vec![
            MORE,
            GAP,
            head("2 Scope"),
            GAP,
            head("2.1 Records covered"),
            GAP,
            BODY,
            MORE,
        ],
        vec![
            head("3 Responsibilities"),
            GAP,
            line("The head of the department answers for them."),
        ],
    ];
    let [one, two, three] = bodies;
    let (layer, structure) = parse(&[page(0, contents), page(1, one), page(2, two), page(3, three)]);
    assert_eq!(
        listed(&structure),
        [
            "1 | Purpose | 2",
            "2 | Scope | 3",
            "2.1 | Records covered | 3",
            "3 | Responsibilities | 4"
        ]
    );
    // Neither counts in the hashes: the same section on another page, with other running heads, is the same.
    let (_, plain) = parse(&[vec![
        head("1 Purpose"),
        GAP,
        BODY,
        MORE,
        MORE,
        MORE,
        GAP,
        head("2 Scope"),
        GAP,
        head("2.1 Records covered"),
        GAP,
        BODY,
        MORE,
        GAP,
        head("3 Responsibilities"),
        GAP,
        line("The head of the department answers for them."),
    ]]);
    let hashes = |structure: &Structure| -> Vec<(String, String, String)> {
        structure
            .sections
            .iter()
            .map(|section| {
                (
                    section.section_key.clone(),
                    section.own_sha256.clone(),
                    section.content_sha256.clone(),
                )
            })
            .collect()
    };
    assert_eq!(hashes(&structure), hashes(&plain));
    assert_ne!(structure.id(), plain.id());
    assert!(layer.len() > 100);
}

#[test]
fn a_table_of_contents_without_page_numbers_is_known_by_what_comes_back() {
    let contents = vec![
        head("FULL INFORMATION: CONTENTS"),
        head("1 INDICATIONS AND USAGE"),
        head("2 DOSAGE AND ADMINISTRATION"),
        head("2.1 Adults"),
        head("2.2 Children"),
        head("4 CONTRAINDICATIONS"),
        GAP,
        head("1 INDICATIONS AND USAGE"),
        GAP,
        BODY,
        MORE,
    ];
    let rest = vec![
        head("2 DOSAGE AND ADMINISTRATION"),
        GAP,
        head("2.1 Adults"),
        GAP,
        BODY,
        MORE,
        GAP,
        head("2.2 Children"),
        GAP,
        BODY,
        MORE,
        GAP,
        head("4 CONTRAINDICATIONS"),
        GAP,
        BODY,
    ];
    let (_, structure) = parse(&[contents, rest]);
    assert_eq!(
        listed(&structure),
        [
            "1 | INDICATIONS AND USAGE | 1",
            "2 | DOSAGE AND ADMINISTRATION | 2",
            "2.1 | Adults | 2",
            "2.2 | Children | 2",
            "4 | CONTRAINDICATIONS | 2"
        ]
    );
    let (before, after) = (structure.sections[0].span.start(), structure.sections[1].span.start());
    assert!(before < after);
}

#[test]
fn cross_references_dates_and_quantities_at_the_start_of_a_line_are_text() {
    let page = vec![
        head("1 Dose"),
        GAP,
        line(
            "The dose of an adult is stated in section 2 and the dose of a child is the one that is stated in paragraph",
        ),
        line(
            "2.1 Of this leaflet, which holds for whoever weighs more than 40 kg and has taken no other medicine today,",
        ),
        line("3 mg more than before, on"),
        line("12 March 2024 and on no other day, in no more than"),
        line("4.5 mL of water."),
        GAP,
        head("2 Storage"),
        GAP,
        BODY,
        MORE,
        GAP,
        head("2.1 Temperature"),
        GAP,
        BODY,
        GAP,
        head("3 Disposal"),
        GAP,
        BODY,
    ];
    let (_, structure) = parse(&[page]);
    assert_eq!(
        listed(&structure),
        [
            "1 | Dose | 1",
            "2 | Storage | 1",
            "2.1 | Temperature | 1",
            "3 | Disposal | 1"
        ]
    );
}
