//! What a catalogue file may say, and the sentence each mistake gets.

use super::*;

const GOOD: &str = r#"
[field."solvency.min_annual_turnover"]
title = "Minimum annual turnover"
guidance = "The figure the clause demands, not the one the bidder has."
type = "money"
unit = "€"
hard = true
required = true
max_error = 0.02
max_error_flag = 0.10
tolerance = 0.01
schema = { type = "object", properties = { amount = { minimum = 0 } } }

[field.retention]
type = "quantity"
unit = "years"
enter_before_you_see = 0.25

[field.procedure]
type = "enumeration"
values = ["Open", "Restricted"]

[field.annexes]
type = "list"
ordered = true
"#;

fn good() -> Catalogue {
    Catalogue::parse(GOOD).unwrap_or_else(|error| unreachable!("{error}"))
}

#[test]
fn a_catalogue_is_read() {
    let catalogue = good();
    assert_eq!(catalogue.fields.len(), 4);
    let turnover = catalogue.get("solvency.min_annual_turnover");
    assert!(turnover.is_some_and(|field| {
        field.kind == FieldType::Money
            && field.unit.as_deref() == Some("EUR")
            && field.hard
            && field.required
            && field.max_error == Some(0.02)
            && field.max_error_flag == Some(0.1)
            && field.tolerance == Decimal::from_plain("0.01").ok()
            && field.schema.is_some()
    }));
    assert!(catalogue.get("retention").is_some_and(|field| {
        field.title == "retention" && !field.hard && !field.required && field.max_error.is_none()
    }));
    assert!(catalogue.get("annexes").is_some_and(|field| field.ordered));
}

#[test]
fn required_fields_without_a_record_are_named() {
    let catalogue = good();
    assert_eq!(
        catalogue.missing_required(["retention"]),
        ["solvency.min_annual_turnover"]
    );
    assert!(catalogue.missing_required(["solvency.min_annual_turnover"]).is_empty());
}

#[test]
fn a_catalogue_is_shown_as_json() {
    let shown = serde_json::to_value(good()).unwrap_or_default();
    assert_eq!(shown["field"]["procedure"]["type"], "enumeration");
    assert_eq!(shown["field"]["solvency.min_annual_turnover"]["tolerance"], "0.01");
    assert_eq!(
        shown["field"]["solvency.min_annual_turnover"]["schema"]["properties"]["amount"]["minimum"],
        0
    );
}

#[test]
fn each_mistake_gets_one_sentence_with_its_place() {
    let cases = [
        (
            "",
            "the file defines no field; write one table a field: [field.\"name\"]",
        ),
        (
            "x = 1",
            "line 1, key `x`: the key is not known; a catalogue holds only tables [field.\"name\"]",
        ),
        (
            "field = 1",
            "line 1, key `field`: it is not a table; write one table a field: [field.\"name\"]",
        ),
        (
            "[field]\na = 1",
            "line 2, field \"a\": the field is not a table; write [field.\"name\"] and its keys below",
        ),
        (
            "[field.a]\ntitle = \"A\"",
            "line 1, field \"a\", key `type`: it is missing; \
             write one of money, quantity, number, date, enumeration, boolean, text, list",
        ),
        (
            "[field.a]\ntype = \"price\"",
            "line 2, field \"a\", key `type`: \"price\" is no type; \
             write one of money, quantity, number, date, enumeration, boolean, text, list",
        ),
        (
            "[field.a]\ntype = \"text\"\nhrad = true",
            "line 3, field \"a\", key `hrad`: the key is not known; correct its spelling or take it out",
        ),
        (
            "[field.a.b]\ntype = \"text\"",
            "line 1, field \"a\", key `b`: the key is not known; a name with dots needs quotes: [field.\"a.b\"]",
        ),
        (
            "[field.a]\ntype = \"enumeration\"",
            "line 1, field \"a\", key `values`: an enumeration needs them; list them: values = [\"first\", \"second\"]",
        ),
        (
            "[field.a]\ntype = \"enumeration\"\nvalues = [\"Yes\", \"yes \"]",
            "line 3, field \"a\", key `values`: \"Yes\" and \"yes \" are the same value; \
             keep one; letter case and white space do not tell values apart",
        ),
        (
            "[field.a]\ntype = \"number\"\nunit = \"mg\"",
            "line 3, field \"a\", key `unit`: a number has no unit; leave it out, or make the type quantity or money",
        ),
        (
            "[field.a]\ntype = \"money\"\nunit = \"$\"",
            "line 3, field \"a\", key `unit`: \"$\" is no currency; write its ISO 4217 code, such as \"EUR\"",
        ),
        (
            "[field.a]\ntype = \"date\"\ntolerance = 1",
            "line 3, field \"a\", key `tolerance`: a date has no tolerance; \
             leave it out; it is for money, quantity and number",
        ),
        (
            "[field.a]\ntype = \"number\"\ntolerance = -1",
            "line 3, field \"a\", key `tolerance`: -1 is no tolerance; write a number of 0 or more, in the field's own unit",
        ),
        (
            "[field.a]\ntype = \"text\"\nmax_error = 1",
            "line 3, field \"a\", key `max_error`: 1 is out of range; write a share over 0 and below 1, such as 0.02",
        ),
        (
            "[field.a]\ntype = \"text\"\nmax_error = nan",
            "line 3, field \"a\", key `max_error`: nan is out of range; write a share over 0 and below 1, such as 0.02",
        ),
        (
            "[field.a]\ntype = \"text\"\nmax_error = 0.2\nmax_error_flag = 0.1",
            "line 3, field \"a\", key `max_error`: 0.2 is more than max_error_flag, 0.1; \
             a badge may allow more error than plain showing, never less: lower max_error or raise max_error_flag",
        ),
        (
            "[field.a]\ntype = \"text\"\nhard = \"yes\"",
            "line 3, field \"a\", key `hard`: it may not be of the TOML type string; write true or false",
        ),
        (
            "[field.a]\ntype = \"text\"\nenter_before_you_see = 1.5",
            "line 3, field \"a\", key `enter_before_you_see`: 1.5 is out of range; write a share from 0 to 1",
        ),
    ];
    for (text, expected) in cases {
        let found = Catalogue::parse(text).err().map(|error| error.to_string());
        assert_eq!(found.as_deref(), Some(expected), "{text}");
    }
}

#[test]
fn every_mistake_is_reported_at_once_in_the_order_of_the_file() {
    let error = Catalogue::parse("[field.b]\ntype = \"text\"\nhard = 1\n\n[field.a]\ntype = \"x\"\nextra = 1\n").err();
    let lines: Vec<Option<usize>> = error
        .iter()
        .flat_map(|error| error.problems.iter().map(|problem| problem.line))
        .collect();
    assert_eq!(lines, [Some(3), Some(6), Some(7)]);
}

#[test]
fn broken_toml_and_broken_schemas_are_refused() {
    for text in [
        "[field.a\n",
        "[field.a]\ntype = \"text\"\ntype = \"text\"",
        "[field.a]\ntype = \"text\"\nschema = \"{\"",
        "[field.a]\ntype = \"text\"\nschema = { type = 7 }",
        "[field.a]\ntype = \"text\"\nschema = { \"$ref\" = \"https://example.org/schema.json\" }",
        "[field.a]\ntype = \"text\"\nschema = 1",
    ] {
        let error = Catalogue::parse(text).err();
        assert!(
            error.is_some_and(|error| error.problems.len() == 1 && error.problems.iter().all(|one| one.line.is_some())),
            "{text}"
        );
    }
}
