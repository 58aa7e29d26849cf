//! Currencies by the names a document uses for them, as ISO 4217 codes.
//!
//! Deliberately not here: exchange rates, and a guess at "$". A sign that several currencies share is read only where the
//! catalogue declares one of those that use it.

/// ISO 4217 codes in circulation (list one, without precious metals, testing and units of account).
const CODES: &[&str] = &[
    "AED", "AFN", "ALL", "AMD", "ANG", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT", "BGN", "BHD", "BIF",
    "BMD", "BND", "BOB", "BRL", "BSD", "BTN", "BWP", "BYN", "BZD", "CAD", "CDF", "CHF", "CLF", "CLP", "CNY", "COP",
    "CRC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD", "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL",
    "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL", "HRK", "HTG", "HUF", "IDR", "ILS", "INR", "IQD", "IRR",
    "ISK", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF", "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR",
    "LRD", "LSL", "LYD", "MAD", "MDL", "MGA", "MKD", "MMK", "MNT", "MOP", "MRU", "MUR", "MVR", "MWK", "MXN", "MYR",
    "MZN", "NAD", "NGN", "NIO", "NOK", "NPR", "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR",
    "RON", "RSD", "RUB", "RWF", "SAR", "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLE", "SOS", "SRD", "SSP", "STN",
    "SVC", "SYP", "SZL", "THB", "TJS", "TMT", "TND", "TOP", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "UYU",
    "UZS", "VED", "VES", "VND", "VUV", "WST", "XAF", "XCD", "XOF", "XPF", "YER", "ZAR", "ZMW", "ZWG",
];

/// Currencies whose amounts have three decimal places (ISO 4217 minor unit 3).
const THREE_PLACES: &[&str] = &["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];

/// Signs that several currencies share, each with those that use it.
const SHARED: &[(&str, &[&str])] = &[
    (
        "$",
        &[
            "ARS", "AUD", "BSD", "CAD", "CLP", "COP", "HKD", "MXN", "NZD", "SGD", "TWD", "USD", "UYU",
        ],
    ),
    ("¥", &["CNY", "JPY"]),
    ("kr", &["DKK", "ISK", "NOK", "SEK"]),
];

/// Names that mean one currency; words in lower case.
const NAMES: &[(&str, &str)] = &[
    ("€", "EUR"),
    ("euro", "EUR"),
    ("euros", "EUR"),
    ("£", "GBP"),
    ("us$", "USD"),
    ("c$", "CAD"),
    ("ca$", "CAD"),
    ("a$", "AUD"),
    ("au$", "AUD"),
    ("r$", "BRL"),
    ("fr.", "CHF"),
    ("sfr.", "CHF"),
    ("₹", "INR"),
    ("₩", "KRW"),
    ("₺", "TRY"),
    ("zł", "PLN"),
    ("kč", "CZK"),
];

/// The ISO 4217 code of a currency as written, or `None` for no currency or for a sign that several share, unless
/// `declared` is one of those.
pub(crate) fn currency_code(text: &str, declared: Option<&str>) -> Option<String> {
    let text = text.trim();
    let upper = text.to_uppercase();
    if CODES.contains(&upper.as_str()) {
        return Some(upper);
    }
    let lower = text.to_lowercase();
    if let Some((_, code)) = NAMES.iter().find(|(name, _)| *name == lower) {
        return Some((*code).to_owned());
    }
    let declared = declared?;
    SHARED
        .iter()
        .any(|(sign, users)| *sign == lower && users.contains(&declared))
        .then(|| declared.to_owned())
}

/// Whether amounts in this currency are written with three decimal places, so that "1.250" says nothing certain.
pub(crate) fn has_three_places(code: &str) -> bool {
    THREE_PLACES.contains(&code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_give_codes_and_shared_signs_only_where_declared() {
        for (text, declared, expected) in [
            ("EUR", None, Some("EUR")),
            ("eur", None, Some("EUR")),
            (" Euros ", None, Some("EUR")),
            ("€", Some("USD"), Some("EUR")),
            ("US$", None, Some("USD")),
            ("$", None, None),
            ("$", Some("MXN"), Some("MXN")),
            ("$", Some("EUR"), None),
            ("mil", None, None),
            ("", Some("EUR"), None),
        ] {
            assert_eq!(currency_code(text, declared).as_deref(), expected, "{text}");
        }
        assert!(CODES.is_sorted());
    }
}
