//! Finding quotes again, asked from outside: what is found, what is not, and that nothing similar is missed.
//!
//! Deliberately not here: real documents (the corpus of the workspace's tests).

use super::*;
use proptest::prelude::*;

fn layer(text: &str) -> Layer {
    Layer::new(text).unwrap_or_else(|error| unreachable!("{error}"))
}

fn find(text: &str, quote: &str) -> Located {
    locate(
        &FoldedLayer::new(&layer(text)),
        &Wanted {
            quote,
            ..Wanted::default()
        },
    )
}

/// The text that was found; "lost", or "ambiguous N".
fn found(text: &str, quote: &str) -> String {
    said(&layer(text), &find(text, quote))
}

fn said(layer: &Layer, located: &Located) -> String {
    match located {
        Located::Found { place, .. } => layer.slice(place.span).unwrap_or_default(),
        Located::Ambiguous { count, .. } => format!("ambiguous {count}"),
        Located::Lost => "lost".to_owned(),
    }
}

const CLAUSE: &str = "4.2 Retention. Batch records must not be kept for more than 5 years after the expiry date of the \
                      batch, except where the competent authority has asked in writing that they be kept for longer; the \
                      dose of 10 mg in \u{2264} 3 tablets and a temperature of -5 \u{b0}C are recorded in each of them.";

#[test]
fn the_same_words_are_found_however_they_are_set() {
    let text = "The reten\u{ad}\ntion period is 5 years.\u{c}A well\u{ad}\nknown rule: \u{201c}do it\u{201d} \u{2013} or not. \u{2022} The dose is -5 mg, ﬁnally.";
    for (quote, expected) in [
        ("retention  period", "reten\u{ad}\ntion period"),
        ("reten- tion period", "reten\u{ad}\ntion period"),
        ("r e t e n t i o n", "reten\u{ad}\ntion"),
        ("5 years. A WELL-KNOWN", "5 years.\u{c}A well\u{ad}\nknown"),
        ("wellknown rule", "well\u{ad}\nknown rule"),
        ("rule:\"do it\"- or", "rule: \u{201c}do it\u{201d} \u{2013} or"),
        ("or not. \u{fffd} The dose", "or not. \u{2022} The dose"),
        ("\u{2212}5 mg", "-5 mg"),
        ("-5mg,finally", "-5 mg, ﬁnally"),
    ] {
        assert_eq!(found(text, quote), expected, "{quote}");
    }
    for quote in [
        "well known-rule",
        "5 year s. B",
        "",
        " ",
        "-",
        "\u{2022}",
        "5 m",
        "7 years",
    ] {
        let expected = if quote == "5 m" { "5 m" } else { "lost" };
        assert_eq!(found(text, quote), expected, "{quote:?}");
    }
}

#[test]
fn a_long_quote_may_differ_a_little_and_never_in_what_matters() {
    let harmless = [
        ("Batch records", "Batch recods"),
        ("written", "written"),
        ("has asked in", "has asked  in"),
        ("authority", "autority"),
    ];
    for (from, to) in harmless {
        let quote = CLAUSE.replace(from, to);
        assert_eq!(found(CLAUSE, &quote), CLAUSE, "{from} {to}");
    }
    let harmful = [
        ("5 years", "7 years"),
        ("5 years", "15 years"),
        ("5 years", "5 months"),
        ("5 years", "five years"),
        ("must not be", "must be"),
        ("must not be", "must now be"),
        ("except where", "where"),
        ("10 mg", "10 mcg"),
        ("10 mg", "10 g"),
        ("10 mg", "1 0 mg"),
        ("10 mg", "1.0 mg"),
        ("\u{2264} 3", "3"),
        ("\u{2264} 3", "< 3"),
        ("\u{2264} 3", "\u{2265} 3"),
        ("-5", "5"),
        ("-5", "+5"),
        ("4.2", "42"),
        ("4.2", "4,2"),
        ("4.2", "4. 2"),
        ("competent", "incompetent"),
        ("more than", "less than"),
        ("\u{b0}C", "C"),
        ("recorded in", "not recorded in"),
        ("dose", "dese"),
        ("competent", "competent,"),
        ("Retention.", "Retention"),
        ("Retention.", "Retention;"),
        ("has asked", "asked"),
        ("the batch", "that batch"),
        ("tablets", "tablet"),
        ("asked in writing", "asked him in writing"),
        ("writing", "rewriting"),
        ("recorded", "recodred"),
    ];
    for (from, to) in harmful {
        let changed = CLAUSE.replace(from, to);
        assert_ne!(changed, CLAUSE);
        assert_eq!(found(CLAUSE, &changed), "lost", "{from} {to}");
        assert_eq!(found(&changed, CLAUSE), "lost", "{to} {from}");
        // The same where one of the two has lost its spaces, unless all that was changed is a space.
        let squeezed = changed.replace(' ', "");
        if squeezed == CLAUSE.replace(' ', "") {
            continue;
        }
        assert_eq!(found(&squeezed, CLAUSE), "lost", "{to} {from} without spaces");
        // And where there are harmless differences beside.
        let worn = changed.replace("competent", "competnt");
        assert_eq!(found(&worn, CLAUSE), "lost", "{to} {from}, worn");
    }
}

#[test]
fn a_word_left_out_at_an_end_is_seen() {
    let text = "The agent may not respond directly to a request of an individual to restrict the use of records, and shall not.";
    for (quote, expected) in [
        // As cheap to leave "may" out of the quote as to put "not" in.
        (
            "may respond directly to a request of an individual to restrict the use of records, and shall",
            "lost",
        ),
        (
            "respond directly to a request of an individual to restrict the use of records, and not",
            "lost",
        ),
        (
            "agent may not respnd directly to a request of an individual to restrict the use of records",
            "agent may not respond directly to a request of an individual to restrict the use of records",
        ),
        (
            "XX may not respond directly to a request of an individual to restrict the use of records",
            "lost",
        ),
    ] {
        assert_eq!(found(text, quote), expected, "{quote}");
    }
    // Where spaces end words one way in one text and another way in the other.
    let text =
        "personas que no se presenten o no concurran en la fecha y hora indicada para la realizacion de las audiencias";
    assert_eq!(found(text, &text.replace("o no concurran", "o concurran")), "lost");
}

#[test]
fn short_quotes_have_to_be_the_same() {
    let text = "Keep the records for 5 years in the archive.";
    for quote in ["the record for 5 years", "the records for 5 yars", "records of 5 years"] {
        assert_eq!(found(text, quote), "lost", "{quote}");
    }
}

#[test]
fn context_decides_between_equals_and_a_hint_never_does() {
    let text = "Row A: 5 mg daily, with food.\nRow B: 5 mg daily, with food.\nRow B: 7 mg daily, never.";
    let layer = layer(text);
    let folded = FoldedLayer::new(&layer);
    let quote = "5 mg daily";
    let at = |prefix, suffix, hint| match locate(
        &folded,
        &Wanted {
            quote,
            prefix,
            suffix,
            hint,
        },
    ) {
        Located::Found { place, shift } => Ok((place.span.start().0, shift)),
        Located::Ambiguous { count, .. } => Err(count),
        Located::Lost => Err(0),
    };
    assert_eq!(at(None, None, None), Err(2));
    assert_eq!(at(None, None, Some(7)), Err(2), "a hint decides nothing");
    assert_eq!(at(Some("Row B: "), None, Some(30)), Ok((37, Some(7))));
    assert_eq!(at(Some("row a:"), None, Some(0)), Ok((7, Some(7))), "0 is a place");
    assert_eq!(at(Some("Row"), Some(", with food."), None), Err(2));
    assert_eq!(at(Some("Row C: "), None, None), Err(2));
    assert_eq!(at(Some("Row A:"), Some(", without"), None), Err(2));
    assert_eq!(at(Some(""), Some(" "), None), Err(2));
}

#[test]
fn over_a_page_break_running_heads_may_be_skipped() {
    let text = "The records of each batch are kept for\nSOP-114 page 3\u{c}Acme Ltd\nfive years after its expiry.";
    let layer = layer(text);
    let quote = "kept for five years after";
    let head = |wanted: &str| {
        let at = text.find(wanted).unwrap_or_default();
        CharSpan::of_indices(at, at + wanted.len())
    };
    assert_eq!(
        said(
            &layer,
            &locate(
                &FoldedLayer::new(&layer),
                &Wanted {
                    quote,
                    ..Wanted::default()
                }
            )
        ),
        "lost"
    );
    let skipping = FoldedLayer::without(&layer, &[head("SOP-114 page 3"), head("Acme Ltd")]);
    let located = locate(
        &skipping,
        &Wanted {
            quote,
            ..Wanted::default()
        },
    );
    assert_eq!(
        said(&layer, &located),
        "kept for\nSOP-114 page 3\u{c}Acme Ltd\nfive years after"
    );
}

#[test]
fn a_quote_of_the_text_itself_is_not_lost_over_what_could_not_be_read() {
    let (text, quote) = ("-\u{8}--\u{8}-2\n\n:", "\u{8}-2\n\n:");
    assert_ne!(found(text, quote), "lost");
}

#[test]
fn never_the_better_of_two_equals() {
    // Two worn copies of one sentence, each as near as the other, and then one nearer than the other.
    let sentence = "Each laboratory shall establish written procedures for the calibration of instruments in use";
    let once = sentence.replace("written", "writen");
    let other = sentence.replace("calibration", "calibraton");
    assert_eq!(found(&format!("{once}. {other}."), sentence), "ambiguous 2");
    assert_eq!(found(&format!("{once}. And then."), sentence), once);
    // An equal place is none of two equals.
    assert_eq!(found(&format!("{once}. {sentence}."), sentence), sentence);
    assert_eq!(found("aaa", "aa"), "ambiguous 2");
}

#[test]
fn two_texts_compared() {
    assert_eq!(
        quote_match("a \u{2013} b", "A-b"),
        Some(Likeness {
            score: 1.0,
            equal: false
        })
    );
    assert_eq!(
        quote_match("a \u{2013} b", "A - b"),
        Some(Likeness {
            score: 1.0,
            equal: true
        })
    );
    assert_eq!(quote_match("5 years", "7 years"), None);
    assert_eq!(quote_match("", ""), None);
    let worn = CLAUSE.replace("competent", "competnt");
    let likeness = quote_match(CLAUSE, &worn);
    assert!(likeness.is_some_and(|likeness| !likeness.equal && likeness.score > 0.99 && likeness.score < 1.0));
}

#[test]
fn hostile_texts_take_bounded_time() {
    let long = |text: &str| text.repeat(2_000_000 / text.chars().count());
    for text in [
        long("a"),
        long("ab"),
        long("5 years "),
        long("ab12 cd-\n"),
        long(". "),
        long(" "),
    ] {
        let layer = layer(&text);
        let folded = FoldedLayer::new(&layer);
        for quote in [
            "a".repeat(400),
            "ab".repeat(200),
            format!("{}x{}", "ab".repeat(100), "ab".repeat(100)),
            format!("{}7 years {}", "5 years ".repeat(20), "5 years ".repeat(20)),
            ".".repeat(300),
            "1".repeat(40_000),
            format!("{}{}", "ab".repeat(10_000), "c"),
            " ".repeat(400),
            "\u{301}".repeat(400),
        ] {
            let located = locate(
                &folded,
                &Wanted {
                    quote: &quote,
                    ..Wanted::default()
                },
            );
            assert!(!matches!(located, Located::Found { .. }), "{located:?}");
        }
    }
    // A quote longer than the text.
    assert_eq!(found("abc", &"abc".repeat(1000)), "lost");
    assert_eq!(found("", "abc"), "lost");
}

/// The least Indel distance of `quote` to any part of `text`, by the plain table.
fn least_distance(quote: &[char], text: &[char]) -> usize {
    let mut row = vec![0; text.len() + 1];
    for (index, character) in quote.iter().enumerate() {
        let mut next = vec![index + 1];
        for column in 0..text.len() {
            let cheapest = (row[column + 1] + 1).min(next[column] + 1);
            next.push(if text[column] == *character {
                cheapest.min(row[column])
            } else {
                cheapest
            });
        }
        row = next;
    }
    row.into_iter().min().unwrap_or(0)
}

#[test]
fn what_differs_is_what_extractors_do_or_another_sentence() {
    let before = "Each laboratory shall establish procedures for the calibration of all instruments in use, and shall";
    let after = "for as long as the instruments are in use and for the time that the authority has laid down for them.";
    for (one, other, alike) in [
        // Ligatures and glyphs that were lost or not read, bullets, leaders, footnote marks.
        ("keep definitions", "keep de\u{fffd}nitions", true),
        ("keep definitions", "keep denitions", true),
        ("keep records. Sign them", "keep records. o Sign them", true),
        ("keep records ..... sign", "keep records ........ sign", true),
        ("keep records† and", "keep records and", true),
        // Other words, other endings, other punctuation.
        ("keep records", "keep the records", false),
        ("keep records", "keep record", false),
        ("keep records", "keep, records", false),
        ("keep presenten", "keep presentan a", false),
        ("keep untied strings", "keep united strings", false),
        ("keep publico", "keep público", false),
        ("keep some records", "keep \u{fffd} records", false),
        ("keep records o Sign them", "keep records Sign them", false),
        ("keep files where", "keep files were", false),
    ] {
        let (one, other) = (format!("{before} {one} {after}"), format!("{before} {other} {after}"));
        for (quote, text) in [(&one, &other), (&other, &one)] {
            assert_eq!(quote_match(quote, text).is_some(), alike, "{quote}\n{text}");
            assert_eq!(found(text, quote) != "lost", alike, "{quote}\n{text}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    // Letters only, and differences that may be an extractor's (each inside a word of its own), so that the rule is
    // similarity alone: what the plain table finds is found, and nothing else is.
    #[test]
    fn no_similar_place_is_missed(words in prop::collection::vec(Just("bfghjkpqrw".chars().collect::<Vec<char>>()).prop_shuffle(), 15), cut in 0_usize..7, changes in prop::collection::btree_map(1_usize..7, (3_usize..7, 0_usize..3, prop::char::range('s', 'w')), 0..5)) {
        // Each letter once in a word, or a difference might be said in two ways.
        let spaced = words.iter().map(|word| word.iter().collect::<String>()).collect::<Vec<String>>().join(" ");
        let mut changed: Vec<Vec<char>> = words[cut..cut + 8].to_vec();
        for (word, (at, kind, character)) in changes {
            match kind {
                0 => { changed[word].remove(at); }
                1 => changed[word].insert(at, character),
                _ => changed[word][at] = character,
            }
        }
        let quote: Vec<char> = changed.concat();
        let text: Vec<char> = words.concat();
        let distance = least_distance(&quote, &text);
        let spoken: Vec<String> = changed.iter().map(|word| word.iter().collect()).collect();
        let located = find(&spaced, &spoken.join(" "));
        // Similar to the best part, whatever its length is: from the lengths it may have.
        let length = quote.len();
        let surely = distance as f64 <= 0.02 * (2 * length - distance) as f64;
        let surely_not = distance as f64 > 0.02 * (2 * length + distance) as f64;
        match located {
            Located::Found { place, .. } => {
                prop_assert!(!surely_not, "{} differences in {}", distance, length);
                prop_assert!(place.score >= LEAST_SIMILARITY);
                let slice: String = spaced.chars().skip(place.span.start().index()).take(place.span.range().len()).collect();
                let again = quote_match(&spoken.join(" "), &slice);
                prop_assert_eq!(again.map(|likeness| likeness.score), Some(place.score));
            }
            Located::Ambiguous { .. } => prop_assert!(!surely_not),
            Located::Lost => prop_assert!(!surely, "{} differences in {}", distance, length),
        }
    }

    #[test]
    fn what_was_cut_is_found_or_ambiguous(text in "[a-e ,.\n\u{ad}–“é1-3]{1,80}|\\PC{1,60}", start in 0_usize..80, length in 1_usize..80) {
        let characters: Vec<char> = text.chars().collect();
        let start = start % characters.len();
        let end = (start + length).min(characters.len());
        let quote: String = characters[start..end].iter().collect();
        let keyless = Keyed::of_text(&quote).key.is_empty();
        let layer = layer(&text);
        match find(&text, &quote) {
            Located::Found { place, .. } => {
                let slice = layer.get(place.span).unwrap_or_default();
                let slice: String = slice.iter().collect();
                prop_assert!(quote_match(&quote, &slice).is_some() || slice.chars().count() > quote.chars().count(), "{:?} {:?}", quote, slice);
                prop_assert!(place.span.start().index() < end && start < place.span.end().index());
            }
            Located::Ambiguous { count, .. } => prop_assert!(count > 1),
            Located::Lost => prop_assert!(keyless || !text.is_ascii() || text.contains('-') , "{:?} in {:?}", quote, text),
        }
    }

    #[test]
    fn anything_may_be_asked_of_anything(text in "\\PC{0,80}", quote in "\\PC{0,40}", prefix in "\\PC{0,8}", hint: i64) {
        let _ = locate(&FoldedLayer::new(&layer(&text)), &Wanted { quote: &quote, prefix: Some(&prefix), suffix: None, hint: Some(hint) });
    }
}
