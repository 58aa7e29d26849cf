//! The names of units that mean the same: "7 years" and "7 a", "5 µg" and "5 mcg".
//!
//! Only names are made equal. Deliberately not here: conversion. 12 months are not 1 year, 1000 mcg are not 1 mg: whoever
//! checks a citation wants to see what the document says.

use unicode_normalization::UnicodeNormalization as _;

/// One unit: the name it is compared by, the symbols (case matters: `Mg` is not `mg`), the words (case does not).
struct Unit {
    name: &'static str,
    symbols: &'static [&'static str],
    words: &'static [&'static str],
}

const UNITS: &[Unit] = &[
    Unit {
        name: "year",
        symbols: &["a", "y"],
        words: &[
            "year", "years", "yr", "yrs", "annum", "año", "años", "jahr", "jahre", "jahren", "an", "ans", "année",
            "années",
        ],
    },
    Unit {
        name: "month",
        symbols: &["mo"],
        words: &[
            "month", "months", "mth", "mths", "mes", "meses", "monat", "monate", "monaten", "mois",
        ],
    },
    Unit {
        name: "week",
        symbols: &["wk", "w"],
        words: &[
            "week", "weeks", "wks", "semana", "semanas", "woche", "wochen", "semaine", "semaines",
        ],
    },
    Unit {
        name: "day",
        symbols: &["d"],
        words: &[
            "day", "days", "día", "días", "dia", "dias", "tag", "tage", "tagen", "jour", "jours",
        ],
    },
    Unit {
        name: "hour",
        symbols: &["h"],
        words: &[
            "hour", "hours", "hr", "hrs", "hora", "horas", "stunde", "stunden", "heure", "heures",
        ],
    },
    Unit {
        name: "minute",
        symbols: &["min"],
        words: &["minute", "minutes", "mins", "minuto", "minutos", "minuten"],
    },
    Unit {
        name: "second",
        symbols: &["s"],
        words: &[
            "second", "seconds", "sec", "secs", "segundo", "segundos", "sekunde", "sekunden", "seconde", "secondes",
        ],
    },
    Unit {
        name: "kg",
        symbols: &["kg", "Kg", "KG"],
        words: &[
            "kilogram",
            "kilograms",
            "kilogramme",
            "kilogrammes",
            "kilo",
            "kilos",
            "kilogramo",
            "kilogramos",
        ],
    },
    Unit {
        name: "g",
        symbols: &["g"],
        words: &["gram", "grams", "gramme", "grammes", "gramo", "gramos", "gramm"],
    },
    Unit {
        name: "mg",
        symbols: &["mg"],
        words: &[
            "milligram",
            "milligrams",
            "milligramme",
            "milligrammes",
            "miligramo",
            "miligramos",
            "milligramm",
        ],
    },
    Unit {
        name: "mcg",
        // U+00B5 MICRO SIGN and U+03BC GREEK SMALL LETTER MU are both in use.
        symbols: &["mcg", "\u{b5}g", "\u{3bc}g", "ug"],
        words: &[
            "microgram",
            "micrograms",
            "microgramme",
            "microgrammes",
            "microgramo",
            "microgramos",
            "mikrogramm",
        ],
    },
    Unit {
        name: "ml",
        symbols: &["ml", "mL"],
        words: &[
            "millilitre",
            "millilitres",
            "milliliter",
            "milliliters",
            "mililitro",
            "mililitros",
        ],
    },
    Unit {
        name: "l",
        symbols: &["l", "L"],
        words: &["litre", "litres", "liter", "liters", "litro", "litros"],
    },
    Unit {
        name: "mm",
        symbols: &["mm"],
        words: &["millimetre", "millimetres", "millimeter", "millimeters"],
    },
    Unit {
        name: "cm",
        symbols: &["cm"],
        words: &["centimetre", "centimetres", "centimeter", "centimeters"],
    },
    Unit {
        name: "m",
        symbols: &["m"],
        words: &[
            "metre", "metres", "meter", "meters", "metro", "metros", "mètre", "mètres",
        ],
    },
    Unit {
        name: "km",
        symbols: &["km"],
        words: &["kilometre", "kilometres", "kilometer", "kilometers"],
    },
    Unit {
        name: "%",
        symbols: &["%"],
        words: &["percent", "per cent", "pct", "por ciento", "prozent", "pour cent"],
    },
    Unit {
        name: "EUR",
        symbols: &["€"],
        words: &["eur", "euro", "euros"],
    },
];

/// The name a unit is compared by. A unit that is in no table stays itself (NFC, white space collapsed, case kept).
pub(crate) fn canonical_unit(text: &str) -> String {
    let composed: String = text.nfc().collect();
    let collapsed = composed.split_whitespace().collect::<Vec<_>>().join(" ");
    let lower = collapsed.to_lowercase();
    UNITS
        .iter()
        .find(|unit| unit.symbols.contains(&collapsed.as_str()))
        .or_else(|| UNITS.iter().find(|unit| unit.words.contains(&lower.as_str())))
        .map_or(collapsed, |unit| unit.name.to_owned())
}

/// Every name and symbol of every unit.
pub(crate) fn unit_names() -> impl Iterator<Item = &'static str> {
    UNITS
        .iter()
        .flat_map(|unit| unit.symbols.iter().chain(unit.words))
        .copied()
}

/// Whether a text can be a unit: it starts with a letter, a per cent, degree or currency sign, and no number stands in it on
/// its own. So "⁶ cells", "½ hours", "e6 mg" and "to 7 years" are none, and "m2" is one.
pub(crate) fn is_unit(text: &str) -> bool {
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return false };
    let starts_well = first.is_alphabetic() || "%‰°€£$¥".contains(first);
    let exponent = matches!(first, 'e' | 'E')
        && characters
            .next()
            .is_some_and(|second| second.is_ascii_digit() || second == '-' || second == '+');
    let holds_number = text
        .split_whitespace()
        .skip(1)
        .any(|word| word.starts_with(char::is_numeric));
    starts_well && !exponent && !holds_number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_one_unit_are_equal_and_those_of_two_are_not() {
        for (left, right) in [
            ("years", "year"),
            ("Years", "a"),
            ("años", "an\u{303}o"),
            ("hours", "h"),
            ("µg", "mcg"),
            ("μg", "µg"),
            ("mL", "ml"),
            ("per  cent", "%"),
            ("€", "EUR"),
            ("employees", "employees"),
        ] {
            assert_eq!(canonical_unit(left), canonical_unit(right), "{left} {right}");
        }
        for (left, right) in [
            ("mg", "mcg"),
            ("mg", "Mg"),
            ("mg", "MG"),
            ("m", "month"),
            ("min", "m"),
            ("day", "year"),
            ("g", "kg"),
            ("M", "m"),
        ] {
            assert_ne!(canonical_unit(left), canonical_unit(right), "{left} {right}");
        }
    }

    #[test]
    fn no_alias_names_two_units() {
        let mut seen = std::collections::BTreeMap::new();
        for unit in UNITS {
            for alias in unit.symbols.iter().chain(unit.words) {
                assert_eq!(*seen.entry(*alias).or_insert(unit.name), unit.name, "{alias}");
            }
        }
    }

    #[test]
    fn a_second_number_is_no_unit() {
        for text in ["years", "m2", "%", "°C", "mg/kg/day"] {
            assert!(is_unit(text), "{text}");
        }
        for text in [
            "",
            "⁶ cells",
            "½ hours",
            "e6 mg",
            "to 7 years",
            "years 6 months",
            "- 7 years",
            "× 10",
        ] {
            assert!(!is_unit(text), "{text}");
        }
    }
}
