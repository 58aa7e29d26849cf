//! What each type reads and which two values are the same fact.

use super::super::catalogue::Catalogue;
use super::*;
use proptest::prelude::*;
use serde_json::json;

fn field(keys: &str) -> FieldDefinition {
    let text = format!("[field.f]\n{keys}\n");
    let catalogue = Catalogue::parse(&text).unwrap_or_else(|error| unreachable!("{error}"));
    catalogue.get("f").cloned().unwrap_or_else(|| unreachable!("{keys}"))
}

#[track_caller]
fn same(keys: &str, left: Value, right: Value) {
    let field = field(keys);
    assert!(read(&field, &left).is_ok(), "{left}: {:?}", read(&field, &left));
    assert!(read(&field, &right).is_ok(), "{right}: {:?}", read(&field, &right));
    assert!(equal(&field, &left, &right), "{left} should equal {right}");
    assert!(equal(&field, &right, &left), "{right} should equal {left}");
}

#[track_caller]
fn different(keys: &str, left: Value, right: Value) {
    let field = field(keys);
    assert!(!equal(&field, &left, &right), "{left} should differ from {right}");
    assert!(!equal(&field, &right, &left), "{right} should differ from {left}");
}

#[track_caller]
fn refused(keys: &str, value: Value, expected: ValueError) {
    assert_eq!(read(&field(keys), &value), Err(expected), "{value}");
}

#[test]
fn money_is_equal_however_it_is_written() {
    let money = "type = \"money\"";
    for other in [
        json!("450.000,00 €"),
        json!("EUR 450,000.00"),
        json!("450 000 EUR"),
        json!("450\u{202f}000,00\u{a0}€"),
        json!("€450,000"),
        json!("450.000 €"),
        json!("450000 euros"),
        json!({"amount": 450_000, "currency": "EUR"}),
        json!({"amount": 450_000.0, "currency": "eur"}),
        json!({"amount": "450.000", "currency": "€", "basis": null}),
    ] {
        same(money, json!("450000 EUR"), other);
    }
    same(
        "type = \"money\"\nunit = \"EUR\"",
        json!(450_000),
        json!("450.000,00 €"),
    );
    same("type = \"money\"\nunit = \"USD\"", json!("$1,250.50"), json!("1250.5"));
    same(money, json!("-€5"), json!("-5 EUR"));
    let based = json!({"amount": 450_000, "currency": "EUR", "basis": "best of  last 3 years"});
    same(
        money,
        based.clone(),
        json!({"basis": "best of last 3 years", "currency": "EUR", "amount": "450.000,00"}),
    );
    different(money, based, json!("450000 EUR"));
    different(money, json!("450000 EUR"), json!("450000 USD"));
    different(money, json!("450000 EUR"), json!("450000.01 EUR"));
    different(money, json!("450000 EUR"), json!("45000 EUR"));
    different(money, json!("5 EUR"), json!("-5 EUR"));
}

#[test]
fn money_that_is_not_understood_is_refused() {
    let money = "type = \"money\"";
    refused(money, json!("450000"), ValueError::UnknownCurrency);
    refused(money, json!(450_000), ValueError::UnknownCurrency);
    refused(money, json!("$450"), ValueError::UnknownCurrency);
    refused(money, json!("450 mil"), ValueError::UnknownCurrency);
    refused(money, json!("1,2 million €"), ValueError::UnknownCurrency);
    refused(money, json!("€ 450 EUR"), NumberError::NotANumber.into());
    refused(money, json!("a lot"), NumberError::NotANumber.into());
    refused(money, json!("1.250 KWD"), NumberError::Ambiguous.into());
    refused(
        money,
        json!({"currency": "EUR"}),
        ValueError::MissingKey { key: "amount" },
    );
    refused(money, json!({"amount": null, "currency": "EUR"}), ValueError::Empty);
    refused(
        money,
        json!([1]),
        ValueError::WrongJsonType {
            expected: "money",
            found: "array",
        },
    );
    refused(money, json!(null), ValueError::Empty);
    refused(
        "type = \"money\"\nunit = \"EUR\"",
        json!("450 USD"),
        ValueError::OtherUnit {
            expected: "EUR".to_owned(),
            found: "USD".to_owned(),
        },
    );
}

#[test]
fn quantities_are_equal_by_unit_name_and_never_converted() {
    let quantity = "type = \"quantity\"";
    for other in [
        json!("7 year"),
        json!("7years"),
        json!("7 a"),
        json!("7,0 años"),
        json!({"amount": 7, "unit": "years"}),
    ] {
        same(quantity, json!("7 years"), other);
    }
    same("type = \"quantity\"\nunit = \"years\"", json!(7), json!("7 yr"));
    same(quantity, json!("5 µg"), json!("5 mcg"));
    same(quantity, json!("12,5 %"), json!("12.5 per cent"));
    same(quantity, json!("3 widgets"), json!({"amount": 3, "unit": " widgets "}));
    different(quantity, json!("5 mg"), json!("5 mcg"));
    different(quantity, json!("1 year"), json!("12 months"));
    different(quantity, json!("7 years"), json!("5 years"));
    refused(quantity, json!("7"), ValueError::UnknownUnit);
    refused(quantity, json!("10⁶ cells"), ValueError::UnknownUnit);
    refused(quantity, json!("5-7 years"), ValueError::UnknownUnit);
    refused(quantity, json!("7 years 6 months"), ValueError::UnknownUnit);
    refused(quantity, json!("about 7 years"), NumberError::NotANumber.into());
    refused(quantity, json!("1.250 kg"), NumberError::Ambiguous.into());
    refused(
        "type = \"quantity\"\nunit = \"mg\"",
        json!("5 mcg"),
        ValueError::OtherUnit {
            expected: "mg".to_owned(),
            found: "mcg".to_owned(),
        },
    );
}

#[test]
fn tolerance_is_absolute_and_inclusive() {
    let number = "type = \"number\"\ntolerance = 0.1";
    same(number, json!(0.3), json!(0.2));
    different(number, json!(0.3), json!(0.199));
    same("type = \"money\"\ntolerance = 1", json!("100 EUR"), json!("101,00 €"));
    different("type = \"money\"\ntolerance = 1", json!("100 EUR"), json!("101,01 €"));
    different("type = \"number\"", json!(0.1), json!("0.10000000000000001"));
}

#[test]
fn the_other_types_are_read_and_compared() {
    let list = "type = \"enumeration\"\nvalues = [\"Open procedure\", \"Restricted\"]";
    same(list, json!("open  procedure"), json!({"value": "Open procedure"}));
    refused(
        list,
        json!("closed"),
        ValueError::NotListed(vec!["Open procedure".to_owned(), "Restricted".to_owned()]),
    );
    same("type = \"date\"", json!("14 September 2026"), json!("2026-09-14"));
    same(
        "type = \"date\"",
        json!("14/09/2026"),
        json!("14 de septiembre de 2026"),
    );
    refused("type = \"date\"", json!("03/09/2026"), ValueError::AmbiguousDate);
    refused("type = \"date\"", json!("soon"), ValueError::NotADate);
    refused(
        "type = \"date\"",
        json!(2026),
        ValueError::WrongJsonType {
            expected: "date",
            found: "number",
        },
    );
    same("type = \"boolean\"", json!(true), json!("Yes"));
    refused("type = \"boolean\"", json!("perhaps"), ValueError::NotABoolean);
    same(
        "type = \"text\"",
        json!("caf\u{e9}  au\nlait"),
        json!(" cafe\u{301} au lait "),
    );
    different("type = \"text\"", json!("Not applicable"), json!("not applicable"));
    refused("type = \"text\"", json!("  "), ValueError::Empty);
    refused(
        "type = \"text\"",
        json!(5),
        ValueError::WrongJsonType {
            expected: "text",
            found: "number",
        },
    );
    refused("type = \"number\"", json!("7 %"), NumberError::NotANumber.into());
    refused(
        "type = \"number\"",
        json!({"number": 1}),
        ValueError::MissingKey { key: "value" },
    );
    refused(
        "type = \"number\"",
        json!({"value": 1, "unit": "mg"}),
        ValueError::UnknownKey {
            expected: "number",
            key: "unit".to_owned(),
        },
    );
}

#[test]
fn lists_are_compared_in_order_only_where_the_catalogue_says_so() {
    let (loose, strict) = ("type = \"list\"", "type = \"list\"\nordered = true");
    same(loose, json!(["a", "b", "b"]), json!(["b", "a", "b"]));
    different(loose, json!(["a", "b", "b"]), json!(["a", "a", "b"]));
    different(strict, json!(["a", "b"]), json!(["b", "a"]));
    same(
        strict,
        json!("Annex I; Annex II, part 1"),
        json!(["Annex  I", "Annex II, part 1"]),
    );
    same(loose, json!([{"n": 1, "k": null}, 2]), json!([2.0, {"n": 1.0}]));
    same(
        "type = \"list\"\nvalues = [\"ISO 9001\"]",
        json!(["iso 9001"]),
        json!(["ISO 9001"]),
    );
    refused(
        "type = \"list\"\nvalues = [\"ISO 9001\"]",
        json!(["ISO 9002"]),
        ValueError::NotListed(vec!["ISO 9001".to_owned()]),
    );
    refused(loose, json!([]), ValueError::Empty);
}

#[test]
fn a_schema_is_asked_by_check_alone() {
    let field = field("type = \"money\"\nschema = { properties = { amount = { minimum = 0 } } }");
    let value = json!({"amount": -5, "currency": "EUR"});
    assert!(read(&field, &value).is_ok());
    let error = check(&field, &value).err();
    assert!(
        error
            .as_ref()
            .is_some_and(|error| matches!(error, ValueError::Schema(_)))
    );
    assert_eq!(
        error.map(|error| error.to_string()).as_deref(),
        Some("it does not meet the field's JSON Schema: at /amount, the rule /properties/amount/minimum")
    );
    assert!(check(&field, &json!({"amount": 5, "currency": "EUR"})).is_ok());
}

#[test]
fn values_that_can_not_be_read_equal_only_themselves() {
    let number = "type = \"number\"";
    let field = field(number);
    assert!(equal(&field, &Value::Null, &Value::Null));
    assert!(equal(&field, &json!("soon"), &json!("soon ")));
    different(number, json!("soon"), json!("later"));
    different(number, json!(null), json!(0));
}

proptest! {
    #[test]
    fn equality_is_reflexive_and_symmetric(left in -1_000_000_i64..1_000_000, right in -1_000_000_i64..1_000_000, kind in 0..3_usize) {
        let field = field(["type = \"number\"", "type = \"money\"\nunit = \"EUR\"", "type = \"quantity\"\nunit = \"mg\""][kind]);
        let (one, other) = (json!(left), json!(right));
        prop_assert!(equal(&field, &one, &one));
        prop_assert_eq!(equal(&field, &one, &other), equal(&field, &other, &one));
        prop_assert_eq!(equal(&field, &one, &other), left == right);
    }

    #[test]
    fn no_text_makes_reading_fail_badly(text in "[-+0-9., '€$a-zA-Z²½µ]{0,24}", kind in 0..5_usize) {
        let field = field(["type = \"number\"", "type = \"money\"", "type = \"quantity\"", "type = \"date\"", "type = \"list\""][kind]);
        let value = Value::String(text);
        prop_assert!(equal(&field, &value, &value));
    }
}

#[test]
fn what_is_typed_is_kept_in_one_form() {
    for (keys, typed, kept) in [
        (
            "type = \"money\"\nunit = \"EUR\"",
            json!({"amount": "450.000,00", "currency": "€"}),
            json!({"amount": 450_000, "currency": "EUR"}),
        ),
        (
            "type = \"money\"",
            json!({"amount": "450.000", "currency": "eur", "basis": "last_year"}),
            json!({"amount": 450_000, "currency": "EUR", "basis": "last_year"}),
        ),
        (
            "type = \"quantity\"\nunit = \"years\"",
            json!({"amount": "7"}),
            json!({"amount": 7, "unit": "years"}),
        ),
        (
            "type = \"quantity\"",
            json!({"amount": "0,5", "unit": " mg "}),
            json!({"amount": 0.5, "unit": "mg"}),
        ),
        ("type = \"number\"", json!("47,3"), json!(47.3)),
        (
            "type = \"number\"",
            json!("12345678901234567,5"),
            json!("12345678901234567.5"),
        ),
        ("type = \"date\"", json!(" 2026-12-04 "), json!("2026-12-04")),
        ("type = \"boolean\"", json!("Yes"), json!(true)),
        (
            "type = \"enumeration\"\nvalues = [\"Last year\"]",
            json!("last  YEAR"),
            json!("Last year"),
        ),
        (
            "type = \"text\"",
            json!(" the  quality\tunit "),
            json!("the quality unit"),
        ),
        (
            "type = \"list\"",
            json!("ISO 9001\n\n ISO 14001 "),
            json!(["ISO 9001", "ISO 14001"]),
        ),
    ] {
        let field = field(keys);
        assert_eq!(stated(&field, &typed), Ok(kept.clone()), "{typed}");
        assert!(equal(&field, &typed, &kept), "{typed} is the same fact as {kept}");
    }
    let schema = "type = \"money\"\nunit = \"EUR\"\nschema = '{\"properties\": {\"amount\": {\"type\": \"number\", \"exclusiveMinimum\": 0}}}'";
    assert!(stated(&field(schema), &json!({"amount": "5"})).is_ok());
    assert!(matches!(
        stated(&field(schema), &json!({"amount": "-5"})),
        Err(ValueError::Schema(_))
    ));
}

proptest! {
    #[test]
    fn what_is_kept_is_what_was_typed_and_is_kept_again_as_it_is(text in "[0-9 .,+-]{1,24}", unit in "(EUR|KWD|%|mg|)") {
        for (kind, key) in [("money", "currency"), ("quantity", "unit")] {
            let field = field(&format!("type = \"{kind}\""));
            let typed = json!({"amount": text, key: unit});
            match (read(&field, &typed), stated(&field, &typed)) {
                (Ok(_), Ok(kept)) => {
                    prop_assert!(equal(&field, &typed, &kept), "{typed} {kept}");
                    prop_assert_eq!(stated(&field, &kept), Ok(kept.clone()));
                }
                (read, stated) => prop_assert_eq!(read.err(), stated.err()),
            }
        }
    }
}
