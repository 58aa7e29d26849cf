//! Two rates by the day on which answers were asked, each against its own baseline, and never added up.
//!
//! * **Stale-cite rate**: of all citations of that day, those that were not current for whoever asked. The registry is asked as it was
//!   known then: by the question's own `known_at`, else when it was asked. This is what a gate found, or would have.
//! * **Delivered wrong-version rate**: of the answers that reached a reader, those with a citation that is not current on the
//!   question's day by all that is known *now*. So a revision that was recorded late counts here and not there: no gate could have
//!   stopped it. A question that set `known_at` keeps both clocks.
//!
//! Deliberately not here: when a jump is an alarm (`pincite_core::registry::rates`), and what the index lacks (`index_lag`).

use super::page::{self, Whole};
use crate::documents::count;
use crate::error::AppError;
use crate::registry::questions::Dates;
use crate::registry::standing::Standings;
use crate::times;
use crate::wire::{RateDay, RateSeries, RatesView, StandingView};
use crate::workspace::Workspace;
use chrono::NaiveDate;
use pincite_core::registry::{Jump, JumpRule, OutOf, jump};
use pincite_store::Connection;
use pincite_store::answers::Asked;
use std::collections::BTreeMap;

/// A day in milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// What was counted on a day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Counted {
    found: u64,
    of: u64,
    unknown: u64,
}

type Days = BTreeMap<NaiveDate, Counted>;

/// Both series over the last four weeks, with all that is known now.
///
/// # Errors
/// The store.
pub async fn recent(workspace: &Workspace) -> Result<RatesView, AppError> {
    let now = workspace.store.read().await?.now().await?;
    let asked = Asked {
        from: now - 28 * DAY,
        ..Asked::EVER
    };
    rates(workspace, asked, None).await
}

/// Both series over the answers that were asked in a time; `known_at` stands for now, milliseconds since 1970 UTC. The four weeks
/// before it are read for the baseline and not listed.
///
/// # Errors
/// The store.
pub async fn rates(workspace: &Workspace, asked: Asked, known_at: Option<i64>) -> Result<RatesView, AppError> {
    let rule = JumpRule::default();
    let weeks = i64::try_from(rule.periods).unwrap_or(0) * DAY;
    let with_baseline = Asked {
        from: asked.from.saturating_sub(weeks),
        ..asked
    };
    let mut reading = workspace.store.read().await?;
    let mut counting = Counting {
        standings: Standings::new(workspace),
        known_at,
        stale: Days::new(),
        wrong: Days::new(),
    };
    let mut after = 0;
    loop {
        let page = page::next(&mut reading, after, with_baseline).await?;
        let Some(last) = page.last() else { break };
        after = last.row.number;
        for whole in &page {
            counting.add(&mut reading, whole).await?;
        }
    }
    let first = (asked.from > Asked::EVER.from).then(|| times::local_day(asked.from));
    Ok(RatesView {
        stale_cite: series(&counting.stale, first, &rule),
        delivered_wrong_version: series(&counting.wrong, first, &rule),
    })
}

struct Counting<'a> {
    standings: Standings<'a>,
    known_at: Option<i64>,
    stale: Days,
    wrong: Days,
}

/// Whether the registry knew nothing of what is cited.
fn is_unknown(standing: &StandingView) -> bool {
    matches!(standing.standing.as_str(), "unknown" | "not_known")
}

impl Counting<'_> {
    async fn add(&mut self, connection: &mut Connection, whole: &Whole) -> Result<(), AppError> {
        let own = whole.dates()?;
        let by = |known_at: Option<i64>| Dates { known_at, ..own };
        let then = own.known_at.unwrap_or(whole.row.asked_at);
        let then = by(Some(self.known_at.map_or(then, |now| now.min(then))));
        let now = by(own.known_at.or(self.known_at));
        let day = times::local_day(whole.row.asked_at);
        let (mut wrong, mut all_unknown) = (false, true);
        for placed in &whole.citations {
            let counted = self.stale.entry(day).or_default();
            let standing = self.standings.of(connection, &placed.citation, then).await?;
            counted.of += 1;
            counted.found += u64::from(!standing.current);
            counted.unknown += u64::from(!standing.current && is_unknown(&standing));
            if whole.row.delivered {
                let standing = self.standings.of(connection, &placed.citation, now).await?;
                wrong |= !standing.current;
                all_unknown &= standing.current || is_unknown(&standing);
            }
        }
        if whole.row.delivered {
            let counted = self.wrong.entry(day).or_default();
            counted.of += 1;
            counted.found += u64::from(wrong);
            counted.unknown += u64::from(wrong && all_unknown);
        }
        Ok(())
    }
}

/// A series from its first day on; what was counted before it is for the baseline.
fn series(days: &Days, first: Option<NaiveDate>, rule: &JumpRule) -> RateSeries {
    let listed = || days.iter().filter(|(day, _)| first.is_none_or(|first| **day >= first));
    let newest = listed().next_back().map(|(day, _)| *day);
    let said = newest.map_or(Jump::TooFew, |newest| {
        jump(&last_days(days, newest, rule.periods), rule)
    });
    let (baseline, chance) = match said {
        Jump::TooFew => (None, None),
        Jump::Usual { baseline, .. } => (Some(baseline), None),
        Jump::Jumped { baseline, chance, .. } => (Some(baseline), Some(chance)),
    };
    let total = listed().fold(OutOf::default(), |total, (_, day)| OutOf {
        found: total.found + day.found,
        of: total.of + day.of,
    });
    RateSeries {
        found: number(total.found),
        of: number(total.of),
        share: total.share(),
        days: listed().map(|(day, counted)| day_view(*day, *counted)).collect(),
        newest: newest.map(|day| day.to_string()),
        baseline,
        alarm: chance.is_some(),
        chance,
    }
}

/// The newest day and so many before it, those on which nothing was counted too: a period is a day, and not a day with answers.
fn last_days(days: &Days, newest: NaiveDate, before: usize) -> Vec<OutOf> {
    let mut last: Vec<OutOf> = newest
        .iter_days()
        .rev()
        .take(before + 1)
        .map(|day| {
            let counted = days.get(&day).copied().unwrap_or_default();
            OutOf {
                found: counted.found,
                of: counted.of,
            }
        })
        .collect();
    last.reverse();
    last
}

fn day_view(day: NaiveDate, counted: Counted) -> RateDay {
    let out_of = OutOf {
        found: counted.found,
        of: counted.of,
    };
    RateDay {
        day: day.to_string(),
        found: number(counted.found),
        of: number(counted.of),
        share: out_of.share(),
        unknown: number(counted.unknown),
    }
}

fn number(counted: u64) -> u32 {
    count(i64::try_from(counted).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(number: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 3, number).unwrap_or_default()
    }

    fn counted(found: u64, of: u64) -> Counted {
        Counted { found, of, unknown: 0 }
    }

    #[test]
    fn a_jump_on_the_newest_day_alarms_against_the_days_before_it_listed_or_not() {
        let rule = JumpRule::default();
        let mut days: Days = (1..=10).map(|number| (day(number), counted(2, 100))).collect();
        let quiet = series(&days, None, &rule);
        assert_eq!(
            (quiet.alarm, quiet.found, quiet.of, quiet.days.len()),
            (false, 20, 1000, 10)
        );
        assert!(quiet.baseline.is_some_and(|baseline| (baseline - 0.02).abs() < 1e-12));
        let _ = days.insert(day(11), counted(30, 100));
        let jumped = series(&days, None, &rule);
        assert!(jumped.alarm && jumped.chance.is_some_and(|chance| chance < rule.level));
        let alone = series(&days, Some(day(11)), &rule);
        assert_eq!(
            (alone.alarm, alone.found, alone.of, alone.days.len()),
            (true, 30, 100, 1)
        );
        assert_eq!(alone.newest.as_deref(), Some("2026-03-11"));
        // Nothing counted is no share, and no alarm.
        let none = series(&Days::new(), None, &rule);
        assert_eq!((none.share, none.newest, none.alarm), (None, None, false));
    }

    #[test]
    fn a_day_without_answers_is_a_day_of_the_four_weeks() {
        let days: Days = [(day(1), counted(1, 50)), (day(31), counted(9, 50))]
            .into_iter()
            .collect();
        let last = last_days(&days, day(31), 28);
        assert_eq!((last.len(), last.iter().map(|day| day.of).sum::<u64>()), (29, 50));
    }
}
