//! Whether a share has jumped above its own running baseline.
//!
//! Two series are watched with it, and never added: the **stale-cite rate** (what the gate found among cited spans) and the
//! **delivered wrong-version rate** (what reached a reader). A corpus that is revised has stale citations every day, so no
//! absolute level is an alarm; a jump is.
//!
//! The rule compares the newest period with the periods before it, and alarms only if both say so:
//! * **More than chance, were all periods alike:** Fisher's exact test, one-sided. Given how many of all the newest period's
//!   and the baseline's spans are stale, the chance that so many of them or more fall into the newest period is at most
//!   `level`. (R. A. Fisher, *Statistical Methods for Research Workers*, 5th ed. 1934, § 21.02.) It is exact for the few counts of a quiet
//!   corpus, where three sigma limits alarm at one stale span.
//! * **More than this series usually varies:** document control publishes in bursts, so periods differ by more than chance. The
//!   period's distance from the baseline in standard errors exceeds three times the usual step between neighbours in the
//!   baseline (a p' chart: D. B. Laney, *Quality Engineering* 14 (2002), 531–537). The step is the median moving range over
//!   0.954, its value for steady normal variation, which a single spike in the baseline does not move; it counts as at least 1.
//!
//! Deliberately not here: what a period is, and keeping the counts.

/// A count of a count in one period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OutOf {
    /// Stale, or wrong: at most `of`.
    pub found: u64,
    /// Of how many.
    pub of: u64,
}

impl OutOf {
    /// The share; `None` of nothing.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        (self.of > 0).then(|| real(self.found) / real(self.of))
    }
}

/// When a jump is one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JumpRule {
    /// The baseline is the last so many periods before the newest.
    pub periods: usize,
    /// Of which at least so many have counted anything.
    pub least_periods: usize,
    /// The newest period has counted at least so many: one in a few is no alarm.
    pub least_of: u64,
    /// The chance of a false alarm by chance alone, a period.
    pub level: f64,
    /// So many times the usual variation.
    pub sigmas: f64,
}

impl Default for JumpRule {
    /// Four weeks of days, a week at least; 50 spans; the tail of a normal distribution beyond three sigma on one side.
    fn default() -> Self {
        Self {
            periods: 28,
            least_periods: 7,
            least_of: 50,
            level: 0.001_35,
            sigmas: 3.0,
        }
    }
}

/// What the rule says of the newest period.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Jump {
    /// Too few were counted, in the newest period or before: nothing is said.
    TooFew,
    /// No more than usual.
    Usual {
        /// The share in the baseline.
        baseline: f64,
        /// The share in the newest period.
        share: f64,
    },
    /// An alarm.
    Jumped {
        /// The share in the baseline.
        baseline: f64,
        /// The share in the newest period.
        share: f64,
        /// The chance of so many or more, were all periods alike.
        chance: f64,
    },
}

/// Whether the last period of a series lies above those before it. Periods are in order of time; one that counted nothing
/// is passed over, wherever it stands but at the end.
#[must_use]
pub fn jump(series: &[OutOf], rule: &JumpRule) -> Jump {
    let Some((newest, before)) = series.split_last() else {
        return Jump::TooFew;
    };
    let from = before.len().saturating_sub(rule.periods);
    let baseline: Vec<OutOf> = before
        .iter()
        .skip(from)
        .copied()
        .filter(|period| period.of > 0)
        .map(sound)
        .collect();
    let newest = sound(*newest);
    let Some(share) = newest.share().filter(|_| newest.of >= rule.least_of) else {
        return Jump::TooFew;
    };
    if baseline.len() < rule.least_periods.max(1) {
        return Jump::TooFew;
    }
    let pooled = OutOf {
        found: baseline.iter().map(|period| period.found).sum(),
        of: baseline.iter().map(|period| period.of).sum(),
    };
    let Some(usual) = pooled.share() else {
        return Jump::TooFew;
    };
    let chance = upper_tail(newest, pooled);
    if share > usual && chance <= rule.level && stands_out(newest, &baseline, usual, rule.sigmas) {
        Jump::Jumped {
            baseline: usual,
            share,
            chance,
        }
    } else {
        Jump::Usual { baseline: usual, share }
    }
}

/// More found than counted is a mistake of whoever counts: as many as counted.
fn sound(period: OutOf) -> OutOf {
    OutOf {
        found: period.found.min(period.of),
        ..period
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of citations stay far below 2^53")]
fn real(count: u64) -> f64 {
    count as f64
}

/// Whether the newest period is further from the baseline than neighbours in it usually are from each other.
fn stands_out(newest: OutOf, baseline: &[OutOf], usual: f64, sigmas: f64) -> bool {
    /// The median of |x - y| for two standard normal numbers: √2 times the third quartile.
    const MEDIAN_RANGE: f64 = 0.953_873;
    // A baseline without any, or with nothing else, has no spread: Fisher's test alone decides.
    let spread = usual * (1.0 - usual);
    if spread <= 0.0 {
        return true;
    }
    let distance = |period: OutOf| (period.share().unwrap_or(usual) - usual) / (spread / real(period.of)).sqrt();
    let distances: Vec<f64> = baseline.iter().map(|period| distance(*period)).collect();
    let mut ranges: Vec<f64> = distances
        .windows(2)
        .filter_map(|pair| match pair {
            [one, other] => Some((one - other).abs()),
            _ => None,
        })
        .collect();
    ranges.sort_by(f64::total_cmp);
    let (lower, upper) = (
        ranges.get(ranges.len().saturating_sub(1) / 2),
        ranges.get(ranges.len() / 2),
    );
    let step = lower.zip(upper).map_or(0.0, |(lower, upper)| (lower + upper) / 2.0) / MEDIAN_RANGE;
    distance(newest) > sigmas * step.max(1.0)
}

/// The chance that `newest.found` or more of all that were found fall into the newest period, were each of all spans as
/// likely: the upper tail of the hypergeometric distribution. Weights are taken relative to that of the mode, so that no
/// factorial is needed; those too small for a number add nothing.
fn upper_tail(newest: OutOf, baseline: OutOf) -> f64 {
    let (drawn, all, marked) = (newest.of, newest.of + baseline.of, newest.found + baseline.found);
    let (least, most) = ((drawn + marked).saturating_sub(all), drawn.min(marked));
    let mode = u128::from(drawn + 1) * u128::from(marked + 1) / u128::from(all + 2);
    let mode = u64::try_from(mode).unwrap_or(most).clamp(least, most);
    // weight(k + 1) / weight(k)
    let step = |k: u64| {
        real(marked - k) * real(drawn - k) / (real(k + 1) * (real(all) - real(marked) - real(drawn) + real(k + 1)))
    };
    let (mut total, mut tail) = (0.0, 0.0);
    let mut add = |k: u64, weight: f64| {
        total += weight;
        if k >= newest.found {
            tail += weight;
        }
        weight > f64::MIN_POSITIVE
    };
    let mut weight = 1.0;
    for k in mode..=most {
        if !add(k, weight) {
            break;
        }
        weight *= if k < most { step(k) } else { 0.0 };
    }
    weight = 1.0;
    for k in (least..mode).rev() {
        weight /= step(k);
        if !add(k, weight) {
            break;
        }
    }
    tail / total
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn counted(found: u64, of: u64) -> OutOf {
        OutOf { found, of }
    }

    fn days(found: &[u64], of: u64) -> Vec<OutOf> {
        found.iter().map(|found| counted(*found, of)).collect()
    }

    fn jumped(series: &[OutOf]) -> bool {
        matches!(jump(series, &JumpRule::default()), Jump::Jumped { .. })
    }

    /// Found apart from this code, with exact fractions of binomial coefficients.
    #[test]
    fn the_tail_has_its_known_values() {
        for (newest, baseline, expected) in [
            (counted(3, 50), counted(6, 1400), 0.00280157089623039),
            (counted(1, 50), counted(4, 1400), 0.1611332661375206),
            (counted(10, 100), counted(0, 700), 6.190052528322155e-10),
            (counted(0, 60), counted(5, 500), 1.0),
            (counted(40, 400), counted(300, 11000), 1.3756148618965173e-11),
            (counted(60, 60), counted(700, 700), 1.0),
        ] {
            let found = upper_tail(newest, baseline);
            assert!(
                (found - expected).abs() <= 1e-9 * expected,
                "{newest:?} {baseline:?}: {found}"
            );
        }
    }

    #[test]
    fn a_jump_above_the_baseline_alarms_and_the_usual_does_not() {
        let usual = [2, 1, 3, 0, 2, 4, 1, 2, 2, 3, 1, 0, 2, 2];
        let with = |newest: OutOf| [days(&usual, 400), vec![newest]].concat();
        assert!(!jumped(&with(counted(2, 400))));
        assert!(!jumped(&with(counted(5, 400))));
        assert!(jumped(&with(counted(28, 400))));
        // Down is no alarm.
        assert!(!jumped(&[days(&[28; 14], 400), vec![counted(2, 400)]].concat()));
        // The second and third day of the same trouble alarm too.
        for length in 1..4 {
            assert!(
                jumped(&[days(&usual, 400), days(&vec![28; length], 400)].concat()),
                "{length}"
            );
        }
        // A level that is high every day is none.
        assert!(!jumped(&days(&[28, 30, 27, 31, 29, 26, 30, 28, 29], 400)));
    }

    #[test]
    fn one_in_fifty_is_no_alarm_and_few_say_nothing() {
        let quiet = days(&[1; 14], 330);
        let with = |newest: OutOf| jump(&[quiet.clone(), vec![newest]].concat(), &JumpRule::default());
        assert!(matches!(with(counted(1, 50)), Jump::Usual { .. }));
        assert_eq!(with(counted(20, 49)), Jump::TooFew);
        assert_eq!(with(counted(0, 0)), Jump::TooFew);
        assert_eq!(jump(&[], &JumpRule::default()), Jump::TooFew);
        // Six periods that counted anything are no baseline; nor are any number that counted nothing.
        assert_eq!(jump(&days(&[1; 7], 330), &JumpRule::default()), Jump::TooFew);
        assert_eq!(
            jump(
                &[vec![counted(0, 0); 20], days(&[1; 7], 330)].concat(),
                &JumpRule::default()
            ),
            Jump::TooFew
        );
        // Where nothing was ever stale, three of a hundred are a jump, and one of a hundred is none.
        let clean = days(&[0; 14], 100);
        assert!(jumped(&[clean.clone(), vec![counted(3, 100)]].concat()));
        assert!(!jumped(&[clean, vec![counted(1, 100)]].concat()));
    }

    #[test]
    fn the_baseline_runs_and_a_series_that_varies_is_given_room() {
        // What was before the last 28 periods is forgotten.
        let old = [days(&[200; 60], 400), days(&[2; 28], 400), vec![counted(28, 400)]].concat();
        assert!(jumped(&old));
        // Bursts of publishing every few days, always as large: no jump by chance's measure alone.
        let bursts: Vec<u64> = (0..28_u64).map(|day| if day % 2 == 0 { 3 } else { 26 }).collect();
        let next = [days(&bursts, 400), vec![counted(30, 400)]].concat();
        assert!(!jumped(&next));
        assert!(upper_tail(counted(30, 400), counted(bursts.iter().sum(), 28 * 400)) < 0.001);
    }

    /// SplitMix64: the same numbers in each run.
    fn unit(state: &mut u64) -> f64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        real((mixed ^ (mixed >> 31)) >> 11) / real(1 << 53)
    }

    #[test]
    fn steady_series_alarm_as_seldom_as_the_level_says() {
        const SERIES: u64 = 2_000;
        for (share, of) in [(0.003, 400), (0.02, 200), (0.07, 100), (0.3, 60)] {
            let mut state = of;
            let mut alarms = 0;
            for _ in 0..SERIES {
                let series: Vec<OutOf> = (0..29)
                    .map(|_| counted((0..of).filter(|_| unit(&mut state) < share).count() as u64, of))
                    .collect();
                alarms += u64::from(jumped(&series));
            }
            // Expected at most 2.7 of 2,000; 9 or more come in one of a thousand such tests.
            assert!(alarms < 9, "{share} of {of}: {alarms} of {SERIES}");
        }
    }
}
