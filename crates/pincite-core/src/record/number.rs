//! Exact decimals, and the ways in which people write numbers.
//!
//! Two amounts are equal when their digits are, never when two binary floats happen to be near. So a number here is an
//! integer and a count of decimal places.
//!
//! **How one separator followed by exactly three digits is read.** "1.000" is a thousand in Madrid and one in London.
//! Money is never written with three decimal places, so for money it is a thousand (but for the seven currencies that have
//! three decimal places). For any other number it is refused as ambiguous, unless the part before it is empty, starts with
//! a zero or has more than three digits, which no grouping does.
//!
//! Deliberately not here: number words ("two"), multipliers ("1.2 million"), ranges, fractions, powers, Indian grouping.
//! All of them are refused: a value that is not surely understood goes to a person.

use std::cmp::Ordering;
use std::fmt;

/// Most digits before the decimal point. With [`MOST_FRACTION_DIGITS`] any sum of two numbers fits in an `i128`.
pub const MOST_INTEGER_DIGITS: usize = 17;

/// Most digits after the decimal point.
pub const MOST_FRACTION_DIGITS: usize = 20;

/// Why a text is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// There is no number, or something besides one.
    #[error("it is not a number")]
    NotANumber,
    /// One separator before exactly three digits: thousands or decimals.
    #[error(
        "it can be read as thousands or as three decimal places; write it as a JSON number or without the separator"
    )]
    Ambiguous,
    /// Separators that no way of writing numbers uses.
    #[error("its separators do not group thousands; write it as a JSON number")]
    BadGrouping,
    /// More digits than a [`Decimal`] holds.
    #[error("it has more than {MOST_INTEGER_DIGITS} digits before or {MOST_FRACTION_DIGITS} after the decimal point")]
    TooLong,
}

/// An exact decimal number: `mantissa / 10^scale`, without trailing zeros after the point, so that equal numbers are equal
/// in both parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    mantissa: i128,
    scale: u32,
}

impl Decimal {
    /// Zero.
    pub const ZERO: Self = Self { mantissa: 0, scale: 0 };

    /// A number of these digits.
    ///
    /// # Errors
    /// [`NumberError::NotANumber`] where either part holds anything but ASCII digits or both are empty,
    /// [`NumberError::TooLong`].
    pub fn from_digits(negative: bool, integer: &str, fraction: &str) -> Result<Self, NumberError> {
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(integer) || !digits(fraction) || integer.len() + fraction.len() == 0 {
            return Err(NumberError::NotANumber);
        }
        let integer = integer.trim_start_matches('0');
        let fraction = fraction.trim_end_matches('0');
        if integer.len() > MOST_INTEGER_DIGITS || fraction.len() > MOST_FRACTION_DIGITS {
            return Err(NumberError::TooLong);
        }
        let magnitude = integer
            .bytes()
            .chain(fraction.bytes())
            .fold(0_i128, |sum, digit| sum * 10 + i128::from(digit - b'0'));
        let scale = u32::try_from(fraction.len()).map_err(|_| NumberError::TooLong)?;
        Ok(Self {
            mantissa: if negative { -magnitude } else { magnitude },
            scale,
        })
    }

    /// A number as JSON and TOML write it: an optional sign, digits, an optional point with digits, an optional exponent.
    ///
    /// # Errors
    /// [`NumberError::NotANumber`], [`NumberError::TooLong`].
    pub fn from_plain(text: &str) -> Result<Self, NumberError> {
        let (negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (digits, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((digits, exponent)) => (digits, exponent.parse::<i32>().map_err(|_| NumberError::NotANumber)?),
            None => (unsigned, 0),
        };
        let (integer, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        if integer.is_empty() {
            return Err(NumberError::NotANumber);
        }
        if exponent == 0 {
            return Self::from_digits(negative, integer, fraction);
        }
        if exponent.unsigned_abs() > 60 {
            let zero = digits.bytes().all(|byte| byte == b'0' || byte == b'.');
            return if zero {
                Ok(Self::ZERO)
            } else {
                Err(NumberError::TooLong)
            };
        }
        let zeros = "0".repeat(exponent.unsigned_abs() as usize);
        if exponent > 0 {
            let moved = format!("{fraction}{zeros}");
            let (more, rest) = moved.split_at(exponent.unsigned_abs() as usize);
            Self::from_digits(negative, &format!("{integer}{more}"), rest)
        } else {
            let moved = format!("{zeros}{integer}");
            let (rest, more) = moved.split_at(integer.len());
            Self::from_digits(negative, rest, &format!("{more}{fraction}"))
        }
    }

    /// The number of a JSON number. One written with more than 15 significant digits has been rounded by the reader of the
    /// JSON already; such a number should be given as a string.
    ///
    /// # Errors
    /// [`NumberError::TooLong`].
    pub fn from_json(number: &serde_json::Number) -> Result<Self, NumberError> {
        Self::from_plain(&number.to_string())
    }

    /// The number as JSON: a number, or a text of its digits where it has more than fifteen significant ones.
    #[must_use]
    pub fn to_json(self) -> serde_json::Value {
        let text = self.to_string();
        let number = self.mantissa.unsigned_abs() < 10_u128.pow(15);
        match number.then(|| text.parse::<serde_json::Number>()) {
            Some(Ok(number)) => serde_json::Value::Number(number),
            _ => serde_json::Value::String(text),
        }
    }

    /// Whether the two differ by no more than `tolerance`.
    #[must_use]
    pub fn within(self, other: Self, tolerance: Self) -> bool {
        let scale = self.scale.max(other.scale);
        let difference = (self.at_scale(scale) - other.at_scale(scale)).abs();
        // The difference has at most 38 digits and `scale` places; the tolerance is compared as (whole, fraction).
        let parts = |mantissa: i128, scale: u32| {
            let unit = power_of_ten(scale);
            (mantissa / unit, (mantissa % unit) * power_of_ten(MOST_SCALE - scale))
        };
        parts(difference, scale) <= parts(tolerance.mantissa, tolerance.scale)
    }

    /// Whether it is below zero.
    #[must_use]
    pub const fn is_negative(self) -> bool {
        self.mantissa < 0
    }

    /// The same number with the other sign.
    #[must_use]
    pub const fn negated(self) -> Self {
        Self {
            mantissa: -self.mantissa,
            scale: self.scale,
        }
    }

    fn at_scale(self, scale: u32) -> i128 {
        self.mantissa * power_of_ten(scale - self.scale)
    }
}

const MOST_SCALE: u32 = 20;

fn power_of_ten(exponent: u32) -> i128 {
    10_i128.pow(exponent)
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        self.at_scale(scale).cmp(&other.at_scale(scale))
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = power_of_ten(self.scale);
        let sign = if self.mantissa < 0 { "-" } else { "" };
        let magnitude = self.mantissa.abs();
        write!(formatter, "{sign}{}", magnitude / unit)?;
        if self.scale > 0 {
            write!(formatter, ".{:0width$}", magnitude % unit, width = self.scale as usize)?;
        }
        Ok(())
    }
}

/// How one separator before exactly three digits is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoneSeparator {
    /// As thousands: money.
    Thousands,
    /// It is refused: every other number.
    Ambiguous,
}

/// A text cut around the first number in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AroundNumber<'text> {
    /// What stands before it, trimmed.
    pub(crate) before: &'text str,
    /// The number as written, its sign included where it touches the digits.
    pub(crate) number: &'text str,
    /// What stands after it, trimmed.
    pub(crate) after: &'text str,
}

/// Cuts a text around the first number in it: from its sign or first digit on, digits and separators that a digit follows.
pub(crate) fn around_number(text: &str) -> Option<AroundNumber<'_>> {
    let first_digit = text.find(|character: char| character.is_ascii_digit())?;
    let mut start = first_digit;
    let mut ahead = text[..first_digit].char_indices().rev().peekable();
    if let Some((index, '.' | ',')) = ahead.peek().copied()
        && text[..index]
            .chars()
            .next_back()
            .is_none_or(|character| character.is_whitespace() || is_sign(character))
    {
        start = index;
        ahead.next();
    }
    if let Some((index, character)) = ahead.peek().copied()
        && is_sign(character)
    {
        start = index;
    }
    let mut end = first_digit;
    let mut rest = text[first_digit..].char_indices().peekable();
    while let Some((index, character)) = rest.next() {
        let next_is_digit = rest.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        if character.is_ascii_digit() || (Separator::of(character).is_some() && next_is_digit) {
            end = first_digit + index + character.len_utf8();
        } else {
            break;
        }
    }
    Some(AroundNumber {
        before: text[..start].trim(),
        number: &text[start..end],
        after: text[end..].trim(),
    })
}

/// Whether a character is a sign: plus, hyphen-minus or U+2212.
pub(crate) const fn is_sign(character: char) -> bool {
    matches!(character, '+' | '-' | '\u{2212}')
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Separator {
    Space,
    Apostrophe,
    Point,
    Comma,
}

impl Separator {
    const fn of(character: char) -> Option<Self> {
        match character {
            ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}' | '\u{2007}' => Some(Self::Space),
            '\'' | '\u{2019}' => Some(Self::Apostrophe),
            '.' => Some(Self::Point),
            ',' => Some(Self::Comma),
            _ => None,
        }
    }

    const fn may_be_decimal(self) -> bool {
        matches!(self, Self::Point | Self::Comma)
    }
}

/// Reads a number in its English, Spanish, German, French or Swiss form; the whole text must be one.
///
/// # Errors
/// Every [`NumberError`].
pub(crate) fn read_number(text: &str, lone: LoneSeparator) -> Result<Decimal, NumberError> {
    let text = text.trim();
    let negative = text.starts_with(['-', '\u{2212}']);
    let body = text.strip_prefix(is_sign).unwrap_or(text);
    let mut groups = vec![String::new()];
    let mut separators = Vec::new();
    for character in body.chars() {
        if character.is_ascii_digit() {
            if let Some(group) = groups.last_mut() {
                group.push(character);
            }
        } else {
            separators.push(Separator::of(character).ok_or(NumberError::NotANumber)?);
            groups.push(String::new());
        }
    }
    let decimal = decimal_separator(&separators, &groups, lone)?;
    let fraction = if decimal { groups.pop() } else { None };
    let empty_first = groups.len() == 1 && groups[0].is_empty() && decimal;
    if groups.iter().any(String::is_empty) && !empty_first {
        return Err(NumberError::NotANumber);
    }
    if groups.len() > 1 {
        let first_fits = groups[0].len() <= 3 && !groups[0].starts_with('0');
        if !first_fits || groups[1..].iter().any(|group| group.len() != 3) {
            return Err(NumberError::BadGrouping);
        }
    }
    let fraction = fraction.unwrap_or_default();
    if decimal && fraction.is_empty() {
        return Err(NumberError::NotANumber);
    }
    Decimal::from_digits(negative, &groups.concat(), &fraction)
}

/// Whether the last separator is the decimal one.
fn decimal_separator(separators: &[Separator], groups: &[String], lone: LoneSeparator) -> Result<bool, NumberError> {
    let Some((last, earlier)) = separators.split_last() else {
        return Ok(false);
    };
    if !last.may_be_decimal() {
        return if earlier.iter().all(|one| one == last) {
            Ok(false)
        } else {
            Err(NumberError::BadGrouping)
        };
    }
    let Some(first) = earlier.first() else {
        let (before, after) = (&groups[0], &groups[1]);
        let could_group = after.len() == 3 && (1..=3).contains(&before.len()) && !before.starts_with('0');
        return match lone {
            _ if !could_group => Ok(true),
            LoneSeparator::Thousands => Ok(false),
            LoneSeparator::Ambiguous => Err(NumberError::Ambiguous),
        };
    };
    if earlier.iter().any(|one| one != first) {
        return Err(NumberError::BadGrouping);
    }
    Ok(first != last)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn plain(text: &str) -> Decimal {
        Decimal::from_plain(text).unwrap_or_else(|error| unreachable!("{text}: {error}"))
    }

    #[test]
    fn numbers_are_read_in_the_forms_people_write() {
        for (text, expected) in [
            ("450000", "450000"),
            ("450.000,00", "450000"),
            ("450,000.00", "450000"),
            ("1.234.567", "1234567"),
            ("1,234,567", "1234567"),
            ("1 234 567,5", "1234567.5"),
            ("1\u{a0}234\u{202f}567", "1234567"),
            ("1'234'567.25", "1234567.25"),
            ("1’000", "1000"),
            ("0.125", "0.125"),
            ("0,125", "0.125"),
            ("1234.567", "1234.567"),
            ("12,5", "12.5"),
            (".5", "0.5"),
            ("-7", "-7"),
            ("\u{2212}7,50", "-7.5"),
            ("007", "7"),
        ] {
            assert_eq!(
                read_number(text, LoneSeparator::Ambiguous),
                Ok(plain(expected)),
                "{text}"
            );
        }
    }

    #[test]
    fn what_is_not_surely_a_number_is_refused() {
        for (text, expected) in [
            ("", NumberError::NotANumber),
            ("-", NumberError::NotANumber),
            ("seven", NumberError::NotANumber),
            ("1.", NumberError::NotANumber),
            ("1,,000", NumberError::NotANumber),
            ("10⁶", NumberError::NotANumber),
            ("٧", NumberError::NotANumber),
            ("1.000", NumberError::Ambiguous),
            ("12,345", NumberError::Ambiguous),
            ("1,00,000", NumberError::BadGrouping),
            ("1234,567,890", NumberError::BadGrouping),
            ("1.234.56", NumberError::BadGrouping),
            ("1.234,567.8", NumberError::BadGrouping),
            ("1 234'567", NumberError::BadGrouping),
            ("12 34", NumberError::BadGrouping),
            ("123456789012345678", NumberError::TooLong),
            ("0.123456789012345678901", NumberError::TooLong),
        ] {
            assert_eq!(read_number(text, LoneSeparator::Ambiguous), Err(expected), "{text}");
        }
        assert_eq!(read_number("1.000", LoneSeparator::Thousands), Ok(plain("1000")));
        assert_eq!(read_number("0.500", LoneSeparator::Thousands), Ok(plain("0.5")));
    }

    #[test]
    fn plain_numbers_take_exponents() {
        for (text, expected) in [
            ("1e3", "1000"),
            ("1.5E2", "150"),
            ("1.25e1", "12.5"),
            ("25e-3", "0.025"),
            ("1e-7", "0.0000001"),
            ("0e999", "0"),
        ] {
            assert_eq!(plain(text).to_string(), expected, "{text}");
        }
        for text in ["1e99", "1e-99"] {
            assert_eq!(Decimal::from_plain(text), Err(NumberError::TooLong));
        }
        for text in ["", ".5", "1e", "abc", "--1", "NaN"] {
            assert_eq!(Decimal::from_plain(text), Err(NumberError::NotANumber), "{text}");
        }
    }

    #[test]
    fn tolerance_is_exact_at_its_edge() {
        assert!(plain("0.3").within(plain("0.2"), plain("0.1")));
        assert!(!plain("0.3").within(plain("0.2"), plain("0.0999999999")));
        assert!(!plain("99999999999999999").within(plain("-99999999999999999"), plain("99999999999999999")));
        assert!(plain("1.00000000000000000001").within(plain("1"), plain("0.00000000000000000001")));
        assert_eq!(plain("-0"), Decimal::ZERO);
    }

    #[test]
    fn the_first_number_is_cut_out() {
        let cut = |text| around_number(text).map(|around| (around.before, around.number, around.after));
        assert_eq!(cut("EUR 450,000.00"), Some(("EUR", "450,000.00", "")));
        assert_eq!(cut("450.000,00 €"), Some(("", "450.000,00", "€")));
        assert_eq!(cut("5 mg/m2"), Some(("", "5", "mg/m2")));
        assert_eq!(cut("7 200 mg"), Some(("", "7 200", "mg")));
        assert_eq!(cut("-€5"), Some(("-€", "5", "")));
        assert_eq!(cut("€ -5,"), Some(("€", "-5", ",")));
        assert_eq!(cut("−.5 mg"), Some(("", "−.5", "mg")));
        assert_eq!(cut("No.5"), Some(("No.", "5", "")));
        assert_eq!(cut("none"), None);
    }

    proptest! {
        #[test]
        fn display_reads_back(mantissa in -10_i64.pow(17)+1..10_i64.pow(17), scale in 0_u32..17) {
            let unit = 10_i64.pow(scale);
            let sign = if mantissa < 0 { "-" } else { "" };
            let (whole, part) = ((mantissa / unit).abs(), (mantissa % unit).abs());
            let text = format!("{sign}{whole}.{part:0width$}", width = scale.max(1) as usize);
            let number = plain(&text);
            prop_assert_eq!(plain(&number.to_string()), number);
        }

        #[test]
        fn grouping_changes_nothing(whole in 1_000_000_u64..10_u64.pow(15), cents in 0_u32..100) {
            let digits = whole.to_string();
            let grouped = |separator: &str| {
                let mut text = String::new();
                for (index, digit) in digits.chars().enumerate() {
                    if index > 0 && (digits.len() - index) % 3 == 0 {
                        text.push_str(separator);
                    }
                    text.push(digit);
                }
                text
            };
            let expected = plain(&format!("{whole}.{cents:02}"));
            for (thousands, decimal) in [(",", "."), (".", ","), ("\u{202f}", ","), ("’", "."), (" ", ",")] {
                let text = format!("{}{decimal}{cents:02}", grouped(thousands));
                prop_assert_eq!(read_number(&text, LoneSeparator::Ambiguous), Ok(expected));
            }
        }
    }
}
