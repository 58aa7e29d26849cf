//! Locators: every scheme, liberal reading, and that what is printed is read back.

use super::Locator;
use proptest::prelude::*;

fn printed(text: &str) -> String {
    Locator::parse(text).map_or_else(|error| format!("error: {error}"), |locator| locator.to_string())
}

#[test]
fn canonical_locators_are_read_and_printed_as_they_are() {
    for text in [
        "2.1",
        "2.1(a)(iii)",
        "12.1.a",
        "§ 21.32",
        "Article 5",
        "Clause 7",
        "Cláusula 12",
        "Artículo 17°",
        "Annex II",
        "Anexo III",
        "Appendix A",
        "A.1",
        "Part 3",
        "Chapter IV",
        "Capítulo II",
        "Título I",
        "Section IV",
        "4.2 > Storage of samples",
        "table 3, row \"30 to 40 kg\", column \"dose\"",
        "2.3 > table 3, row \"30 to 40 kg\", column \"dose\"",
        "Annex II > 1.1",
        "Article 5(a)",
        "Clause 7.a",
        "References",
        "Annex 3 > 1",
        "§ 4(b)",
        "12",
        "8.1 > Data > Animal Data",
        "\"Article 5\"",
        "\"a > b\"",
        "\"the \\\"cap\\\"\"",
        "4.2 > Storage > (a)(ii)",
        "\"(a)\"",
        "table 2",
        "table A.1, column \"n\"",
        "Article 12 bis",
        "§ 5a(2)",
        "II > A",
        "IV.B",
        "Anhang II > 1.1",
        "Attachment A",
        "Chapitre 1",
        "1.01",
        "3.A",
    ] {
        assert_eq!(printed(text), text);
    }
}

#[test]
fn reading_is_liberal() {
    for (text, canonical) in [
        ("clause 12.1.a", "12.1.a"),
        ("12.1 a)", "12.1.a"),
        ("s. 2.1", "2.1"),
        ("Section 2.1", "2.1"),
        ("sec. 2.1", "2.1"),
        ("section 2", "2"),
        ("cl. 12.1.a", "12.1.a"),
        ("clause 7", "Clause 7"),
        (" 2.1. ", "2.1"),
        ("2.1 (a) (iii)", "2.1(a)(iii)"),
        ("2.1(a) (iii)", "2.1(a)(iii)"),
        ("§21.32", "§ 21.32"),
        ("artículo 17º", "Artículo 17°"),
        ("ARTICULO 17.º", "Artículo 17°"),
        ("art. 5", "Article 5"),
        ("ANEXO No. 3", "Anexo 3"),
        ("anexo iii", "Anexo III"),
        ("appendix a", "Appendix A"),
        ("Appendix A.1", "A.1"),
        ("Annex II.1", "Annex II > 1"),
        ("chapter II.1", "Chapter II.1"),
        ("CLÁUSULA DÉCIMA SEGUNDA", "Cláusula 12"),
        ("CAPÍTULO II", "Capítulo II"),
        ("4.2  >  Storage   of samples", "4.2 > Storage of samples"),
        ("Tabla 3, row \"x\"", "table 3, row \"x\""),
        ("1. Take one tablet", "1. Take one tablet"),
        ("§ 5 Abs. 2", "§ 5(2)"),
        ("Section 3(b)", "3(b)"),
        ("Art. 12 bis", "Article 12 bis"),
        ("article premier", "Article 1"),
        ("Article 1er", "Article 1°"),
        ("CLÁUSULA VIGÉSIMA TERCERA", "Cláusula 23"),
        ("Anlage 2", "Anlage 2"),
        ("Abschnitt 3", "3"),
        ("Part of it", "Part of it"),
        ("Title", "Title"),
        ("", "error: a locator, and each part between \" > \", needs some text"),
        (
            "2.1 > ",
            "error: a locator, and each part between \" > \", needs some text",
        ),
    ] {
        assert_eq!(printed(text), canonical, "{text}");
    }
}

fn locator(text: &str) -> Locator {
    Locator::parse(text).unwrap_or_else(|error| unreachable!("{error}"))
}

#[test]
fn parents_and_what_encloses_what() {
    let parent = |text: &str| locator(text).parent().map(|parent| parent.to_string());
    assert_eq!(parent("2.1(a)(iii)").as_deref(), Some("2.1(a)"));
    assert_eq!(parent("12.1.a").as_deref(), Some("12.1"));
    assert_eq!(parent("Annex II > 1").as_deref(), Some("Annex II"));
    assert_eq!(parent("4.2 > Storage").as_deref(), Some("4.2"));
    assert_eq!(
        parent("table 3, row \"a\", column \"b\"").as_deref(),
        Some("table 3, row \"a\"")
    );
    assert_eq!(parent("7"), None);
    for (outer, inner) in [
        ("2.1", "2.1"),
        ("2.1", "2.1.3"),
        ("2.1", "2.1(a)(iii)"),
        ("2.1", "2.1 > Storage"),
        ("Article 5", "5.1"),
        ("Artículo 5°", "Article 5"),
        ("Appendix A", "A.1"),
        ("Annex II", "Annex II > 1.1"),
        ("2.3", "2.3 > table 3, row \"x\""),
    ] {
        assert!(locator(outer).encloses(&locator(inner)), "{outer} encloses {inner}");
    }
    for (outer, inner) in [
        ("2.1", "2.10"),
        ("2.1", "2"),
        ("1", "Annex II > 1"),
        ("Annex 3", "3.1"),
        ("Clause 7", "Article 7"),
        ("2.1(a)", "2.1(b)"),
    ] {
        assert!(
            !locator(outer).encloses(&locator(inner)),
            "{outer} does not enclose {inner}"
        );
    }
}

#[test]
fn numbers_are_ordered_by_value_and_serialised_as_text() {
    let mut sorted: Vec<Locator> = ["2.10", "2.9", "10", "2", "References", "A.1", "2.1(b)", "2.1(a)"]
        .into_iter()
        .map(locator)
        .collect();
    sorted.sort();
    let sorted: Vec<String> = sorted.iter().map(ToString::to_string).collect();
    assert_eq!(
        sorted,
        ["2", "2.1(a)", "2.1(b)", "2.9", "2.10", "10", "A.1", "References"]
    );
    assert_eq!(
        serde_json::to_string(&locator("Artículo 17°")).ok().as_deref(),
        Some("\"Artículo 17°\"")
    );
    assert_eq!(
        serde_json::from_str::<Locator>("\"12.1 a)\"").ok(),
        Some(locator("12.1.a"))
    );
    assert!(serde_json::from_str::<Locator>("\"\"").is_err());
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back(text in "\\PC{0,40}") {
        if let Ok(read) = Locator::parse(&text) {
            prop_assert_eq!(Locator::parse(&read.to_string()), Ok(read));
        }
    }

    #[test]
    fn label_like_text_is_read_back(text in "(Article |clause |Annex |§ |s\\. |Título |Anhang |table |)[0-9A-CIVa-c]{1,3}( bis| ter|)(\\.[0-9a-cA-C]{1,2}|\\([a-c1-3]{1,3}\\)| [a-c]\\)|°){0,3}( > [A-Za-z0-9\"\\\\ .>]{1,12}){0,2}") {
        if let Ok(read) = Locator::parse(&text) {
            prop_assert_eq!(Locator::parse(&read.to_string()), Ok(read));
        }
    }

    #[test]
    fn titles_are_kept_whole(title in "\\PC{1,30}", number in "[1-9]\\.[1-9]") {
        if let Some(only) = Locator::of_title(&title) {
            prop_assert_eq!(Locator::parse(&only.to_string()), Ok(only));
            let below = locator(&number).with_title(&title);
            prop_assert_eq!(Locator::parse(&below.to_string()), Ok(below.clone()));
            prop_assert!(locator(&number).encloses(&below));
            let cell = below.with_cell("3", Some(&title), None);
            prop_assert_eq!(Locator::parse(&cell.to_string()), Ok(cell));
        }
    }
}
