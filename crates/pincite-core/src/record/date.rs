//! Dates as documents write them, read only where they can mean one day.
//!
//! "14/09/2026" is one day. "03/09/2026" is two, and refused, as is any year of two digits.
//!
//! Deliberately not here: times, time zones, relative dates ("thirty days after signature").

use chrono::NaiveDate;

/// Why a text is not a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DateError {
    /// There is no date, or more than one.
    NotADate,
    /// Day and month could change places.
    Ambiguous,
}

/// Month names and their usual short forms in English, Spanish, German and French, lower case.
const MONTHS: [&[&str]; 12] = [
    &["january", "jan", "enero", "ene", "januar", "janvier", "janv"],
    &["february", "feb", "febrero", "februar", "février", "févr"],
    &["march", "mar", "marzo", "märz", "mrz", "mars"],
    &["april", "apr", "abril", "abr", "avril", "avr"],
    &["may", "mayo", "mai"],
    &["june", "jun", "junio", "juni", "juin"],
    &["july", "jul", "julio", "juli", "juillet", "juil"],
    &["august", "aug", "agosto", "ago", "août"],
    &["september", "sept", "sep", "septiembre", "setiembre", "septembre"],
    &["october", "oct", "octubre", "oktober", "okt", "octobre"],
    &["november", "nov", "noviembre", "novembre"],
    &[
        "december",
        "dec",
        "diciembre",
        "dic",
        "dezember",
        "dez",
        "décembre",
        "déc",
    ],
];

/// Words that may stand between the parts of a date.
const BETWEEN: &[&str] = &["of", "the", "de", "del", "le", "den"];

/// Reads `2026-09-14`, `14/09/2026`, `14 September 2026`, `September 14, 2026`, `14 de septiembre de 2026` and their like.
pub(crate) fn read_date(text: &str) -> Result<NaiveDate, DateError> {
    let text = text.trim();
    for separator in ['-', '/', '.'] {
        let parts: Vec<&str> = text.split(separator).collect();
        if let [first, second, third] = parts.as_slice()
            && parts.iter().all(|part| is_digits(part))
        {
            return numeric(first, second, third);
        }
    }
    named(text)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn number(text: &str) -> Result<u32, DateError> {
    text.parse().map_err(|_| DateError::NotADate)
}

fn day(year: u32, month: u32, day: u32) -> Result<NaiveDate, DateError> {
    let year = i32::try_from(year).map_err(|_| DateError::NotADate)?;
    NaiveDate::from_ymd_opt(year, month, day).ok_or(DateError::NotADate)
}

fn numeric(first: &str, second: &str, third: &str) -> Result<NaiveDate, DateError> {
    match (first.len(), second.len(), third.len()) {
        (4, 1 | 2, 1 | 2) => day(number(first)?, number(second)?, number(third)?),
        (1 | 2, 1 | 2, 4) => {
            let (left, right, year) = (number(first)?, number(second)?, number(third)?);
            let day_first = day(year, right, left);
            let month_first = day(year, left, right);
            match (day_first, month_first) {
                (Ok(one), Ok(other)) if one != other => Err(DateError::Ambiguous),
                (Ok(date), _) | (_, Ok(date)) => Ok(date),
                (Err(error), Err(_)) => Err(error),
            }
        }
        (1 | 2, 1 | 2, 1 | 2) => Err(DateError::Ambiguous),
        _ => Err(DateError::NotADate),
    }
}

fn named(text: &str) -> Result<NaiveDate, DateError> {
    let lower = text.to_lowercase();
    let (mut month, mut day_of_month, mut year) = (None, None, None);
    for word in lower.split(|character: char| character.is_whitespace() || character == ',') {
        let word = word.trim_end_matches('.');
        if word.is_empty() || BETWEEN.contains(&word) {
            continue;
        }
        let found = MONTHS
            .iter()
            .zip(1_u32..)
            .find(|(names, _)| names.contains(&word))
            .map(|(_, index)| index);
        if let Some(index) = found {
            if month.replace(index).is_some() {
                return Err(DateError::NotADate);
            }
            continue;
        }
        let digits = ["st", "nd", "rd", "th", "er", "º", "°"]
            .iter()
            .find_map(|ending| word.strip_suffix(ending))
            .unwrap_or(word);
        let place = match digits.len() {
            1 | 2 if is_digits(digits) => &mut day_of_month,
            4 if is_digits(digits) && digits == word => &mut year,
            _ => return Err(DateError::NotADate),
        };
        if place.replace(number(digits)?).is_some() {
            return Err(DateError::NotADate);
        }
    }
    match (year, month, day_of_month) {
        (Some(year), Some(month), Some(day_of_month)) => day(year, month, day_of_month),
        _ => Err(DateError::NotADate),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_where_they_mean_one_day() {
        for text in [
            "2026-09-14",
            "2026/9/14",
            "14/09/2026",
            "09/14/2026",
            "14.09.2026",
            "14 September 2026",
            "14th of September, 2026",
            "September 14, 2026",
            "Sept. 14 2026",
            "14 de septiembre de 2026",
            "14. September 2026",
            "14 septembre 2026",
        ] {
            assert_eq!(read_date(text), day(2026, 9, 14), "{text}");
        }
        assert_eq!(read_date("05/05/2026"), day(2026, 5, 5));
        assert_eq!(read_date("1er août 2026"), day(2026, 8, 1));
        for text in ["03/09/2026", "1-2-2026", "14/09/26"] {
            assert_eq!(read_date(text), Err(DateError::Ambiguous), "{text}");
        }
        for text in [
            "",
            "2026",
            "September 2026",
            "31/02/2026",
            "2026-02-30",
            "14 15 September 2026",
            "14 May June 2026",
            "2026-09-14T00:00:00Z",
            "14/9/2026/1",
        ] {
            assert_eq!(read_date(text), Err(DateError::NotADate), "{text}");
        }
    }
}
