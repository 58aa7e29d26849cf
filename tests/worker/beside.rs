//! What a page says beside its text: tags, artifacts, form fields, annotations, scans with recognised text.
//!
//! Deliberately not here: what is made of it.

use crate::layer::{first, run};
use crate::paper::{HELVETICA, Paper};
use pincite_core::text::{Rect, Tag};

/// A widget of a field, with its appearance states where it is a button.
fn widget(rect: &str, entries: &str) -> String {
    format!("<< /Type /Annot /Subtype /Widget /F 4 /Rect [{rect}] {entries} >>")
}

fn near(found: Rect, wanted: [f32; 4]) -> bool {
    [found.x0, found.y0, found.x1, found.y1]
        .iter()
        .zip(wanted)
        .all(|(one, other)| (one - other).abs() < 0.01)
}

#[test]
fn values_of_form_fields_are_beside_the_text_and_never_in_it() {
    let mut paper = Paper::default();
    let state = paper.stream("/Type /XObject /Subtype /Form /BBox [0 0 10 10]", b"");
    let states = |on: &str| format!("/AP << /N << /{on} {state} 0 R /Off {state} 0 R >> >>");
    // A field named "offer" with two kids, so that a full name has two parts and the value may be inherited.
    let parent = paper.next();
    let kids = [parent + 1, parent + 2];
    paper.add(format!("<< /T (offer) /Kids [{} 0 R {} 0 R] >>", kids[0], kids[1]));
    paper.add(widget(
        "20 150 120 170",
        &format!("/Parent {parent} 0 R /FT /Tx /T (total) /V (450.000,00 EUR)"),
    ));
    paper.add(widget(
        "20 120 120 140",
        &format!("/Parent {parent} 0 R /FT /Tx /T (note) /Ff 4096 /V <FEFF0074 0077006F000D 20AC>"),
    ));
    let group = paper.next();
    let buttons = [group + 1, group + 2];
    paper.add(format!(
        "<< /FT /Btn /Ff 49152 /T (lot) /V /second /Kids [{} 0 R {} 0 R] >>",
        buttons[0], buttons[1]
    ));
    paper.add(widget(
        "20 100 30 110",
        &format!("/Parent {group} 0 R /AS /Off {}", states("first")),
    ));
    paper.add(widget(
        "40 100 50 110",
        &format!("/Parent {group} 0 R /AS /second {}", states("second")),
    ));
    let further = [
        widget(
            "60 100 70 110",
            &format!("/FT /Btn /T (sworn) /V /Yes /AS /Yes {}", states("Yes")),
        ),
        widget(
            "80 100 90 110",
            &format!("/FT /Btn /T (open) /V /Off /AS /Off {}", states("Yes")),
        ),
        widget(
            "20 80 120 90",
            "/FT /Ch /Ff 131072 /T (country) /V (co) /Opt [[(ar) (Argentina)] [(co) (Colombia)]]",
        ),
        widget(
            "20 60 120 70",
            "/FT /Ch /Ff 2097152 /T (parts) /V [(a) (c)] /Opt [(a) (b) (c)]",
        ),
        widget("20 40 120 50", "/FT /Tx /T (secret) /Ff 8192 /V (hunter2)"),
        widget("20 30 120 40", "/FT /Tx /T (empty) /V ()"),
        widget("20 20 120 30", "/FT /Btn /Ff 65536 /T (send) /MK << /CA (Send) >>"),
        "<< /Type /Annot /Subtype /Widget /F 2 /Rect [1 1 9 9] /FT /Tx /T (hidden) /V (unseen) >>".to_owned(),
    ]
    .map(|object| paper.add(object));
    let references = |numbers: &[usize]| -> String { numbers.iter().map(|number| format!("{number} 0 R ")).collect() };
    paper.catalog = format!(
        "/AcroForm << /Fields [{parent} 0 R {group} 0 R {}] /DA (/Helv 0 Tf) >>",
        references(&further)
    );
    let annotations = [&kids[..], &buttons, &further].concat();
    paper.page(
        &format!(
            "/MediaBox [0 0 200 200] /CropBox [10 10 190 180] /Resources << {HELVETICA} >> /Annots [{}]",
            references(&annotations)
        ),
        "BT /F1 10 Tf 20 175 Td (Offer) Tj ET",
    );
    let (page, _) = first(&paper);
    assert_eq!(page.text, "Offer");
    let found: Vec<(&str, &str)> = page
        .detail
        .fields
        .iter()
        .map(|field| (field.name.as_str(), field.value.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            ("offer.total", "450.000,00 EUR"),
            ("offer.note", "two\n€"),
            ("lot", "second"),
            ("sworn", "Yes"),
            ("open", "Off"),
            ("country", "Colombia"),
            ("parts", "a\nc"),
        ]
    );
    // The frame is the page as displayed: its upper left corner is (10, 180).
    assert!(
        near(page.detail.fields[0].rect, [10.0, 10.0, 110.0, 30.0]),
        "{:?}",
        page.detail.fields[0]
    );
    assert!(
        near(page.detail.fields[2].rect, [30.0, 70.0, 40.0, 80.0]),
        "{:?}",
        page.detail.fields[2]
    );
    assert_eq!(page.detail.annotations, []);
}

#[test]
fn annotations_with_words_are_beside_the_text() {
    let mut paper = Paper::default();
    let annotation =
        |kind: &str, rect: &str, entries: &str| format!("<< /Type /Annot /Subtype /{kind} /Rect [{rect}] {entries} >>");
    let numbers = [
        annotation("Text", "10 150 30 170", "/Contents (Check\\rthis) /T (Ada)"),
        annotation("Popup", "40 150 90 190", "/Contents (Check this)"),
        annotation(
            "FreeText",
            "10 100 60 120",
            "/Contents <FEFF00A7002000320031> /DA (/Helv 8 Tf)",
        ),
        annotation(
            "Highlight",
            "10 50 60 60",
            "/QuadPoints [10 60 60 60 10 50 60 50] /Contents (Is it so?)",
        ),
        annotation("Highlight", "10 30 60 40", "/QuadPoints [10 40 60 40 10 30 60 30]"),
        annotation(
            "Link",
            "70 30 90 40",
            "/Contents (a link) /A << /S /URI /URI (https://nowhere.invalid) >>",
        ),
        annotation("Text", "10 10 30 20", "/F 2 /Contents (hidden)"),
    ]
    .map(|object| paper.add(object));
    let references: String = numbers.iter().map(|number| format!("{number} 0 R ")).collect();
    paper.page(
        &format!("/MediaBox [0 0 200 200] /Rotate 90 /Resources << {HELVETICA} >> /Annots [{references}]"),
        "BT /F1 10 Tf 20 180 Td (Text) Tj ET",
    );
    let (page, _) = first(&paper);
    assert_eq!(page.text, "Text");
    let found: Vec<(&str, &str)> = page
        .detail
        .annotations
        .iter()
        .map(|note| (note.kind.as_str(), note.text.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            ("Text", "Check\nthis"),
            ("FreeText", "§ 21"),
            ("Highlight", "Is it so?")
        ]
    );
    assert!(
        near(page.detail.annotations[2].rect, [50.0, 10.0, 60.0, 60.0]),
        "{:?}",
        page.detail.annotations[2]
    );
    assert_eq!(page.detail.fields, []);
}

/// A tagged page: a heading by a role of its own, a paragraph with a span inside, a cell, a running head, and text in a
/// form that is tagged from outside.
#[test]
fn tags_say_what_runs_are_and_artifacts_are_marked() {
    let mut paper = Paper::default();
    let inner = paper.stream(
        &format!("/Type /XObject /Subtype /Form /BBox [0 0 200 200] /Resources << {HELVETICA} >>"),
        b"/P << /MCID 0 >> BDC BT /F1 10 Tf 20 40 Td (inside) Tj ET EMC",
    );
    let root = paper.next();
    let page = root + 8;
    let elements = [
        format!(
            "<< /Type /StructElem /S /Document /P {root} 0 R /K [{} 0 R {} 0 R {} 0 R] >>",
            root + 2,
            root + 3,
            root + 5
        ),
        format!(
            "<< /Type /StructElem /S /Chapter /P {} 0 R /Pg {page} 0 R /K [0] >>",
            root + 1
        ),
        format!(
            "<< /Type /StructElem /S /P /P {} 0 R /Pg {page} 0 R /K [1 {} 0 R 3 4] >>",
            root + 1,
            root + 4
        ),
        format!(
            "<< /Type /StructElem /S /Span /P {} 0 R /Pg {page} 0 R /K [2] >>",
            root + 3
        ),
        format!(
            "<< /Type /StructElem /S /Table /P {} 0 R /K [{} 0 R] >>",
            root + 1,
            root + 6
        ),
        format!(
            "<< /Type /StructElem /S /TD /P {} 0 R /Pg {page} 0 R /K [5] >>",
            root + 5
        ),
    ];
    paper.add(format!(
        "<< /Type /StructTreeRoot /K [{} 0 R] /RoleMap << /Chapter /H2 >> /ParentTree << /Nums [0 [{} 0 R {} 0 R {} 0 R {} 0 R {} 0 R {} 0 R]] >> >>",
        root + 1, root + 2, root + 3, root + 4, root + 3, root + 3, root + 6
    ));
    for element in elements {
        paper.add(element);
    }
    paper.catalog = format!("/MarkInfo << /Marked true >> /StructTreeRoot {root} 0 R");
    let made = paper.page(
        &format!("/MediaBox [0 0 200 200] /StructParents 0 /Resources << {HELVETICA} /XObject << /X {inner} 0 R >> >>"),
        "/Artifact << /Type /Pagination >> BDC BT /F1 8 Tf 20 190 Td (Head) Tj ET EMC \
         /Chapter << /MCID 0 >> BDC BT /F1 14 Tf 20 160 Td (2 Scope) Tj ET EMC \
         /P << /MCID 1 >> BDC BT /F1 10 Tf 20 140 Td (One ) Tj ET EMC \
         /Span << /MCID 2 >> BDC BT /F1 10 Tf 42 140 Td (two ) Tj ET EMC \
         /P << /MCID 3 >> BDC BT /F1 10 Tf 62 140 Td (three) Tj ET EMC \
         /TD << /MCID 5 >> BDC BT /F1 10 Tf 20 100 Td (7) Tj ET EMC \
         /P << /MCID 4 >> BDC /X Do EMC \
         BT /F1 10 Tf 20 20 Td (bare) Tj ET",
    );
    assert_eq!(made, page, "the tree names the page by its number");
    let (page, _) = first(&paper);
    assert_eq!(page.text, "Head\n2 Scope\nOne two three\n7\ninside\nbare");
    let found: Vec<(u32, u32, Tag)> = page
        .detail
        .tags
        .iter()
        .map(|said| (said.run.start, said.run.end, said.tag))
        .collect();
    assert_eq!(
        found,
        [
            (0, 4, Tag::Artifact),
            (5, 12, Tag::Heading(2)),
            (13, 26, Tag::Paragraph),
            (27, 28, Tag::Table),
            (29, 35, Tag::Paragraph),
        ]
    );
    assert_eq!(page.detail.tags[2].element, page.detail.tags[4].element);
    assert_eq!(page.detail.styles.first().map(|style| style.run), Some(run(0, 4)));
}

#[test]
fn a_tree_that_bites_its_tail_ends() {
    let mut paper = Paper::default();
    let root = paper.next();
    let page = root + 4;
    paper.add(format!(
        "<< /Type /StructTreeRoot /K [{} 0 R] /ParentTree << /Nums [0 [{} 0 R]] >> >>",
        root + 1,
        root + 1
    ));
    paper.add(format!(
        "<< /Type /StructElem /S /P /P {} 0 R /Pg {page} 0 R /K [{} 0 R {} 0 R {} 0 R 0] >>",
        root + 2,
        root + 1,
        root + 2,
        root + 2
    ));
    paper.add(format!(
        "<< /Type /StructElem /S /Div /P {} 0 R /Pg {page} 0 R /K [{} 0 R {} 0 R] >>",
        root + 1,
        root + 1,
        root + 1
    ));
    paper.catalog = format!("/StructTreeRoot {root} 0 R");
    assert_eq!(
        paper.page(
            &format!("/MediaBox [0 0 200 200] /StructParents 0 /Resources << {HELVETICA} >>"),
            "/P << /MCID 0 >> BDC BT /F1 10 Tf 20 140 Td (One) Tj ET EMC",
        ),
        page
    );
    let (page, _) = first(&paper);
    assert_eq!(page.text, "One");
}

#[test]
fn a_scan_with_recognised_text_has_an_image_and_unpainted_words() {
    let mut paper = Paper::default();
    let image = paper.stream(
        "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8",
        &[0x80],
    );
    paper.page(
        &format!("/MediaBox [0 0 200 200] /Resources << {HELVETICA} /XObject << /I {image} 0 R >> >>"),
        "q 200 0 0 200 0 0 cm /I Do Q BT 3 Tr /F1 10 Tf 20 140 Td (Read by) Tj 0 -14 Td (a machine) Tj ET",
    );
    let (page, boxes) = first(&paper);
    assert!(page.has_image);
    assert_eq!(page.text, "Read by\na machine");
    assert_eq!(page.detail.invisible, [run(0, 17)]);
    assert_eq!(boxes.iter().flatten().count(), 16);
}
