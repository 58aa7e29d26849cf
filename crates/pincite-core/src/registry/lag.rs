//! Index lag: what was recorded and has not reached the index, and since when.
//!
//! The gate can't see it: registry and index are asked about the same revision there. It is a property of two clocks, so it
//! alarms without any question being asked. Changes of access lag like revisions and are counted with them.
//!
//! Deliberately not here: which revisions those are. Whoever keeps both clocks lists them.

use std::collections::BTreeSet;

/// How far the index lags behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lag {
    /// Revisions and access changes recorded and not indexed.
    pub count: u64,
    /// Age of the oldest, in milliseconds, never negative; `None` where there is none.
    pub oldest_age_ms: Option<i64>,
}

impl Lag {
    /// Whether to alarm: something has waited for longer than an index may take. With a grace of 0, or one that makes no
    /// sense, whatever waits alarms.
    #[must_use]
    pub fn alarms(&self, grace_ms: i64) -> bool {
        self.oldest_age_ms.is_some_and(|age| grace_ms <= 0 || age > grace_ms)
    }
}

/// How far the index lags: `unindexed` are the recorded times of what it lacks, `now` the database's time; all of them
/// milliseconds since 1970 UTC.
#[must_use]
pub fn lag(unindexed: impl IntoIterator<Item = i64>, now: i64) -> Lag {
    unindexed.into_iter().fold(Lag::default(), |lag, recorded_at| Lag {
        count: lag.count + 1,
        oldest_age_ms: lag.oldest_age_ms.max(Some(now.saturating_sub(recorded_at).max(0))),
    })
}

/// How an index holds one version of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldAccess {
    /// When it took the version in last, milliseconds since 1970 UTC.
    pub indexed_at: i64,
    /// The groups that it lets read it; `None` where it does not say.
    pub groups: Option<BTreeSet<String>>,
}

/// Since when a document's access waits for the index, milliseconds since 1970 UTC; `None` where the index has caught up.
///
/// `changes` are the times at which somebody said who may read the document, in order, `groups` what was said last; `held` is every
/// version of it that the index holds. Groups stand with each part of each version there, so that one version that was left as it
/// was keeps the old ones: all of them have to have caught up. What the index says of its groups decides; where it does not say,
/// it has caught up if it took the version in since.
#[must_use]
pub fn access_waits_since(changes: &[i64], groups: &BTreeSet<String>, held: &[HeldAccess]) -> Option<i64> {
    let last = *changes.last()?;
    let behind = |one: &&HeldAccess| match &one.groups {
        Some(told) => told != groups,
        None => one.indexed_at < last,
    };
    if held.is_empty() {
        return changes.first().copied();
    }
    let oldest = held.iter().filter(behind).map(|one| one.indexed_at).min()?;
    Some(changes.iter().copied().find(|change| *change > oldest).unwrap_or(last))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(indexed_at: i64, groups: Option<&[&str]>) -> HeldAccess {
        HeldAccess {
            indexed_at,
            groups: groups.map(names),
        }
    }

    fn names(groups: &[&str]) -> BTreeSet<String> {
        groups.iter().map(|group| (*group).to_owned()).collect()
    }

    #[test]
    fn access_waits_until_every_version_has_the_groups_that_were_said_last() {
        let (closed, open) = (names(&["trials"]), names(&[]));
        let waits =
            |changes: &[i64], now: &BTreeSet<String>, index: &[HeldAccess]| access_waits_since(changes, now, index);
        // Nobody ever said anything: there is nothing to catch up with.
        assert_eq!(waits(&[], &open, &[held(1, None)]), None);
        // The index has no version of it, so it lacks the first change on.
        assert_eq!(waits(&[3, 7], &closed, &[]), Some(3));
        // By its clock, where it does not say.
        assert_eq!(waits(&[3, 7], &closed, &[held(7, None)]), None);
        assert_eq!(waits(&[3, 7], &closed, &[held(6, None)]), Some(7));
        assert_eq!(waits(&[3, 7], &closed, &[held(2, None)]), Some(3));
        // One version that was left as it was keeps the old groups.
        assert_eq!(waits(&[3], &closed, &[held(9, None), held(2, None)]), Some(3));
        // By what it says, where it does, whatever its clock.
        assert_eq!(waits(&[7], &closed, &[held(2, Some(&["trials"]))]), None);
        assert_eq!(waits(&[7], &closed, &[held(9, Some(&[]))]), Some(7));
        assert_eq!(waits(&[3, 7], &open, &[held(5, Some(&["trials"]))]), Some(7));
    }

    #[test]
    fn the_oldest_that_waits_gives_the_age() {
        assert_eq!(
            lag([], 5),
            Lag {
                count: 0,
                oldest_age_ms: None
            }
        );
        assert_eq!(
            lag([7, 3, 9], 10),
            Lag {
                count: 3,
                oldest_age_ms: Some(7)
            }
        );
        // Recorded after the clock was read: just now.
        assert_eq!(
            lag([11], 10),
            Lag {
                count: 1,
                oldest_age_ms: Some(0)
            }
        );
        assert_eq!(lag([i64::MIN], i64::MAX).oldest_age_ms, Some(i64::MAX));
    }

    #[test]
    fn it_alarms_once_the_grace_is_over() {
        assert!(!lag([], 1_000_000).alarms(0));
        assert!(lag([10], 10).alarms(0));
        assert!(lag([10], 10).alarms(-1));
        assert!(!lag([10], 15).alarms(5));
        assert!(lag([10], 16).alarms(5));
    }
}
