//! A reviewer's own pace: today against what is usual for them, and what of theirs is set aside to be looked at again.
//!
//! Deliberately not here: what makes a run of accepts an incident (`incidents`), and any way to ask for all reviewers at once.

use crate::documents::count;
use crate::error::AppError;
use crate::queue;
use crate::times;
use crate::wire::{PaceOf, PaceView};
use crate::workspace::Workspace;
use pincite_core::queue::spread;
use pincite_store::{decisions, incidents};

/// How many decisions make today's pace.
const LEAST_TODAY: usize = 5;
/// How many make a usual one.
const LEAST_USUAL: usize = 20;
/// Of how many the usual pace is the median: some days' work.
const MOST_USUAL: usize = 500;
/// How many of the last decisions are looked at: a day's and those. The cost does not grow with the years.
const LOOK_BACK: i64 = 2_500;

fn pace_of(milliseconds: impl Iterator<Item = i64>, least: usize) -> PaceOf {
    let times: Vec<u64> = milliseconds.filter_map(|time| u64::try_from(time).ok()).collect();
    let median = spread(&times)
        .filter(|_| times.len() >= least)
        .map(|spread| spread.median);
    PaceOf {
        n: u32::try_from(times.len()).unwrap_or(u32::MAX),
        median_milliseconds: median.map(|median| u32::try_from(median).unwrap_or(u32::MAX)),
    }
}

/// The pace of the reviewer who asks.
///
/// # Errors
/// The store.
pub async fn own(workspace: &Workspace, reviewer: &str) -> Result<PaceView, AppError> {
    let now = workspace.store.now().await?;
    let midnight = times::start_of_day(now);
    let mut reading = workspace.store.read().await?;
    let times = incidents::times_of(&mut reading, reviewer, LOOK_BACK).await?;
    let is_today = |(_, at): &&(i64, i64)| *at >= midnight;
    let today = times.iter().filter(is_today).map(|(active, _)| *active);
    let before = times.iter().filter(|timed| !is_today(timed)).map(|(active, _)| *active);
    let usual = before.take(MOST_USUAL);
    let mut fast_accepts = 0;
    let mut set_aside = Vec::new();
    for row in incidents::set_aside(&mut reading, reviewer).await? {
        let under = row
            .active_ms
            .zip(row.floor_ms)
            .is_some_and(|(active, floor)| active < floor);
        fast_accepts += i64::from(row.kind == "accept" && under);
        if row.standing
            && let Some(placed) = decisions::by_id(&mut reading, &row.decision_id).await?
        {
            set_aside.push(queue::view(&mut reading, &placed).await?);
        }
    }
    Ok(PaceView {
        today: pace_of(today, LEAST_TODAY),
        usual: pace_of(usual, LEAST_USUAL),
        fast_accepts: count(fast_accepts),
        set_aside,
    })
}
