//! Times as they cross: RFC 3339 with the offset of where this program runs.
//!
//! Deliberately not here: the clock. The database says what time it is.

use crate::error::AppError;
use chrono::{DateTime, Local, SecondsFormat, TimeZone as _, Utc};

/// Milliseconds since 1970 UTC as RFC 3339, with the local offset at that time.
#[must_use]
pub fn text(milliseconds: i64) -> String {
    let time = Utc
        .timestamp_millis_opt(milliseconds)
        .single()
        .unwrap_or(DateTime::<Utc>::UNIX_EPOCH);
    time.with_timezone(&Local).to_rfc3339_opts(SecondsFormat::Millis, false)
}

/// RFC 3339 back to milliseconds since 1970 UTC.
pub(crate) fn milliseconds(text: &str) -> Option<i64> {
    DateTime::parse_from_rfc3339(text)
        .ok()
        .map(|time| time.timestamp_millis())
}

/// The date at a time in milliseconds since 1970 UTC, in UTC: `2026-11-30`.
#[must_use]
pub fn date(milliseconds: i64) -> String {
    let time = Utc.timestamp_millis_opt(milliseconds).single();
    time.unwrap_or(DateTime::<Utc>::UNIX_EPOCH).date_naive().to_string()
}

/// The day at a time in milliseconds since 1970 UTC, where this program runs.
#[must_use]
pub fn local_day(milliseconds: i64) -> chrono::NaiveDate {
    let time = Utc.timestamp_millis_opt(milliseconds).single();
    time.unwrap_or(DateTime::<Utc>::UNIX_EPOCH)
        .with_timezone(&Local)
        .date_naive()
}

/// The local offset from UTC now, such as `+01:00`.
#[must_use]
pub fn zone() -> String {
    Local::now().offset().to_string()
}

/// The start of the local day that holds a time, in milliseconds since 1970 UTC.
#[must_use]
pub fn start_of_day(milliseconds: i64) -> i64 {
    let time = Utc
        .timestamp_millis_opt(milliseconds)
        .single()
        .unwrap_or(DateTime::<Utc>::UNIX_EPOCH)
        .with_timezone(&Local);
    let midnight = time.date_naive().and_time(chrono::NaiveTime::MIN);
    Local
        .from_local_datetime(&midnight)
        .earliest()
        .map_or(milliseconds, |start| start.timestamp_millis())
}

/// A moment that a person wrote, in milliseconds since 1970 UTC: RFC 3339, or a date, which is the start of that local day, or
/// its end.
///
/// # Errors
/// `bad_input` where it is neither.
pub fn moment(text: &str, end_of_day: bool) -> Result<i64, AppError> {
    if let Some(moment) = milliseconds(text) {
        return Ok(moment);
    }
    let date = text.parse::<chrono::NaiveDate>().ok();
    let day = if end_of_day {
        date.and_then(|date| date.succ_opt())
    } else {
        date
    };
    day.and_then(|day| {
        Local
            .from_local_datetime(&day.and_time(chrono::NaiveTime::MIN))
            .earliest()
    })
    .map(|start| start.timestamp_millis())
    .ok_or_else(|| {
        AppError::bad_input(format!(
            "{text}: write a date as 2026-11-30, or a time as 2026-11-30T08:00:00Z"
        ))
    })
}
