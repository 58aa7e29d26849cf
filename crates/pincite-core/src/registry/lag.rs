//! Index lag: what was recorded and has not reached the index, and since when.
//!
//! The gate can't see it: registry and index are asked about the same revision there. It is a property of two clocks, so it
//! alarms without any question being asked. Changes of access lag like revisions and are counted with them.
//!
//! Deliberately not here: which revisions those are. Whoever keeps both clocks lists them.

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

#[cfg(test)]
mod tests {
    use super::*;

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
