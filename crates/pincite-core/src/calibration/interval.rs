//! Exact bounds for a share that was counted: Clopper and Pearson's interval, and the beta distribution below it.
//!
//! The interval holds at least its level for every true share and every count. That is why it was chosen: at 20 labels and a
//! true share of 0.975, where calibration lives, a nominal 95 % interval by Wilson's formula covers only some 91 %. Its price is
//! width. With weighted labels it is taken on the effective count and is then an approximation.
//!
//! Sources: C. J. Clopper and E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the
//! binomial", Biometrika 26 (1934); the bounds as beta quantiles: NIST Digital Library of Mathematical Functions 8.17.5. The
//! incomplete beta function by its continued fraction, DLMF 8.17.22; the logarithm of gamma by Stirling's series, DLMF 5.11.1.
//!
//! Deliberately not here: bounds that stay valid however often one looks.

/// A two-sided interval of a share; `0 <= low <= high <= 1`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The interval of the true share after `successes` of `trials`; neither need be a whole number. `level` is over 0 and below 1
/// (0.95). `None` without trials or with a level out of range.
#[must_use]
pub fn clopper_pearson(successes: f64, trials: f64, level: f64) -> Option<Interval> {
    let tail = (1.0 - level) / 2.0;
    Some(Interval {
        low: 1.0 - clopper_pearson_upper(trials - successes, trials, 1.0 - tail)?,
        high: clopper_pearson_upper(successes, trials, 1.0 - tail)?,
    })
}

/// The one-sided upper bound of the true share after `successes` of `trials`: the true share is at most this with a
/// probability of at least `level`. `None` without trials or with a level out of range.
#[must_use]
pub fn clopper_pearson_upper(successes: f64, trials: f64, level: f64) -> Option<f64> {
    if !(trials > 0.0 && trials.is_finite() && level > 0.0 && level < 1.0 && successes.is_finite()) {
        return None;
    }
    let successes = successes.clamp(0.0, trials);
    let failures = trials - successes;
    // Sums of weights carry rounding: a count this near to none is none, and its bound is 1.
    if failures <= trials * 1e-12 {
        return Some(1.0);
    }
    Some(beta_quantile(level, successes + 1.0, failures))
}

/// The value below which a standard normal variable lies with this probability (over 0 and below 1), to seven digits: M. J.
/// Wichura, "Algorithm AS 241: The Percentage Points of the Normal Distribution", Applied Statistics 37 (1988), PPND7.
#[must_use]
pub fn normal_quantile(probability: f64) -> f64 {
    let ratio = |r: f64, above: [f64; 4], below: [f64; 4]| -> f64 {
        let polynomial = |terms: [f64; 4]| terms.iter().rev().fold(0.0, |sum, term| sum * r + term);
        polynomial(above) / polynomial(below)
    };
    let from_middle = probability - 0.5;
    if from_middle.abs() <= 0.425 {
        let r = 0.180_625 - from_middle * from_middle;
        return from_middle
            * ratio(
                r,
                [3.387_132_717_9, 50.434_271_938, 159.291_132_02, 59.109_374_720],
                [1.0, 17.895_169_469, 78.757_757_664, 67.187_563_600],
            );
    }
    let tail = probability.min(1.0 - probability);
    let r = (-tail.ln()).sqrt();
    let size = if r <= 5.0 {
        ratio(
            r - 1.6,
            [1.423_437_277_7, 2.756_815_390_0, 1.306_728_481_6, 0.170_238_211_03],
            [1.0, 0.737_001_642_50, 0.120_211_329_75, 0.0],
        )
    } else {
        ratio(
            r - 5.0,
            [6.657_905_115_0, 3.081_226_386_0, 0.428_682_943_37, 0.017_337_203_997],
            [1.0, 0.241_978_942_25, 0.012_258_202_635, 0.0],
        )
    };
    size.copysign(from_middle)
}

/// The `x` at which the regularised incomplete beta function reaches `probability`: Newton's steps from the mean, each kept
/// inside what is known to hold the answer, and halved where one would leave it.
fn beta_quantile(probability: f64, a: f64, b: f64) -> f64 {
    /// Newton's steps are some ten. Where they are slow (far out in a tail), halving ends it.
    const NEWTON: u32 = 40;
    let log_beta = ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b);
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    let mut x = a / (a + b);
    for step in 0..200_u32 {
        let excess = incomplete_beta(x, a, b, log_beta) - probability;
        if excess < 0.0 {
            low = x;
        } else {
            high = x;
        }
        let density = ((a - 1.0) * x.ln() + (b - 1.0) * (-x).ln_1p() - log_beta).exp();
        let newton = x - excess / density;
        let next = if step < NEWTON && newton > low && newton < high {
            newton
        } else {
            f64::midpoint(low, high)
        };
        if (next - x).abs() <= 1e-15 * next {
            return next;
        }
        x = next;
    }
    x
}

/// The regularised incomplete beta function I_x(a, b) for `0 <= x <= 1`, `a > 0`, `b > 0`; `log_beta` is the logarithm of the
/// beta function B(a, b).
fn incomplete_beta(x: f64, a: f64, b: f64, log_beta: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges fast below the mean; above it the mirrored one does.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta_below(1.0 - x, b, a, log_beta);
    }
    incomplete_beta_below(x, a, b, log_beta)
}

fn incomplete_beta_below(x: f64, a: f64, b: f64, log_beta: f64) -> f64 {
    let front = a * x.ln() + b * (-x).ln_1p() - log_beta;
    (front.exp() / a) / continued_fraction(x, a, b)
}

/// The denominator 1 + d1 / (1 + d2 / (1 + ...)) of DLMF 8.17.22, forwards (Lentz's method).
fn continued_fraction(x: f64, a: f64, b: f64) -> f64 {
    const NEVER_ZERO: f64 = 1e-300;
    let guarded = |value: f64| if value.abs() < NEVER_ZERO { NEVER_ZERO } else { value };
    let (mut value, mut upper, mut lower) = (1.0_f64, 1.0_f64, 0.0_f64);
    for step in 1..=100_000_u32 {
        let m = f64::from(step / 2);
        let coefficient = if step.is_multiple_of(2) {
            m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m))
        } else {
            -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0))
        };
        lower = 1.0 / guarded(1.0 + coefficient * lower);
        upper = guarded(1.0 + coefficient / upper);
        let change = upper * lower;
        value *= change;
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    value
}

/// The natural logarithm of gamma for `x > 0`.
fn ln_gamma(x: f64) -> f64 {
    // Stirling's series is exact to 1e-15 from 12 on; below, gamma(x) = gamma(x + 1) / x leads there.
    let (mut x, mut product) = (x, 1.0_f64);
    while x < 12.0 {
        product *= x;
        x += 1.0;
    }
    let inverse = 1.0 / x;
    let square = inverse * inverse;
    let series = inverse
        * (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0 - square * (1.0 / 1680.0 - square / 1188.0))));
    (x - 0.5) * x.ln() - x + 0.5 * std::f64::consts::TAU.ln() + series - product.ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-10
    }

    fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
        super::incomplete_beta(x, a, b, ln_gamma(a) + ln_gamma(b) - ln_gamma(a + b))
    }

    #[test]
    fn gamma_and_beta_have_their_known_values() {
        assert!(near(ln_gamma(1.0), 0.0));
        assert!(near(ln_gamma(0.5), std::f64::consts::PI.sqrt().ln()));
        assert!(near(ln_gamma(5.0), 24.0_f64.ln()));
        assert!(near(ln_gamma(20.0), 39.339_884_187_199_494));
        // I_x(1, b) = 1 - (1 - x)^b; I_x(a, 1) = x^a; I_x(2, 3) = 6x² - 8x³ + 3x⁴; symmetric at a half.
        assert!(near(incomplete_beta(0.3, 1.0, 4.0), 1.0 - 0.7_f64.powi(4)));
        assert!(near(incomplete_beta(0.3, 4.0, 1.0), 0.3_f64.powi(4)));
        assert!(near(
            incomplete_beta(0.4, 2.0, 3.0),
            6.0 * 0.16 - 8.0 * 0.064 + 3.0 * 0.0256
        ));
        assert!(near(incomplete_beta(0.5, 7.3, 7.3), 0.5));
        assert!(near(incomplete_beta(0.5, 5000.0, 5000.0), 0.5));
        // I_x(1/2, 1/2) = 2/pi asin(sqrt(x)).
        assert!(near(
            incomplete_beta(0.2, 0.5, 0.5),
            2.0 / std::f64::consts::PI * 0.2_f64.sqrt().asin()
        ));
    }

    #[test]
    fn normal_quantiles_have_their_known_values() {
        for (probability, expected) in [
            (0.5, 0.0),
            (0.975, 1.959_963_985),
            (0.025, -1.959_963_985),
            (0.6, 0.253_347_103),
            (0.995, 2.575_829_304),
            (1e-5, -4.264_890_794),
            (1e-12, -7.034_483_825),
        ] {
            assert!((normal_quantile(probability) - expected).abs() < 2e-6, "{probability}");
        }
    }

    /// Found apart from this code, by halving exact binomial sums in forty digits.
    #[test]
    fn the_interval_has_its_known_values() {
        for (successes, trials, low, high) in [
            (0.0, 20.0, 0.0, 0.168_433_470_983_085_5),
            (20.0, 20.0, 0.831_566_529_016_914_5, 1.0),
            (5.0, 10.0, 0.187_086_028_447_399, 0.812_913_971_552_601),
            (19.0, 20.0, 0.751_267_237_227_972, 0.998_734_910_502_050),
            (180.0, 200.0, 0.849_787_212_132_244, 0.937_840_633_745_934),
        ] {
            let found = clopper_pearson(successes, trials, 0.95);
            assert!(
                found.is_some_and(|one| near(one.low, low) && near(one.high, high)),
                "{successes} of {trials}: {found:?}"
            );
        }
        // Without an error the bound solves (1 - p)^n = 1 - level.
        assert!(
            clopper_pearson_upper(0.0, 149.0, 0.95).is_some_and(|bound| near(bound, 1.0 - 0.05_f64.powf(1.0 / 149.0)))
        );
        assert_eq!(clopper_pearson(0.0, 0.0, 0.95), None);
        assert_eq!(clopper_pearson_upper(0.0, 10.0, 1.0), None);
        assert_eq!(clopper_pearson_upper(f64::NAN, 10.0, 0.95), None);
    }

    /// The probability that the interval holds the true share, summed over every count.
    fn coverage(trials: u32, share: f64) -> f64 {
        let mut probability = (1.0 - share).powi(i32::try_from(trials).unwrap_or(0));
        let mut covered = 0.0;
        for successes in 0..=trials {
            let holds = clopper_pearson(f64::from(successes), f64::from(trials), 0.95)
                .is_some_and(|interval| interval.low <= share && share <= interval.high);
            covered += if holds { probability } else { 0.0 };
            probability *= f64::from(trials - successes) / f64::from(successes + 1) * share / (1.0 - share);
        }
        covered
    }

    #[test]
    fn the_interval_holds_where_calibration_lives() {
        for trials in [5, 20, 60] {
            for share in [0.02, 0.3, 0.5, 0.8, 0.9, 0.95, 0.975, 0.99] {
                assert!(
                    coverage(trials, share) >= 0.95,
                    "{trials} {share} {}",
                    coverage(trials, share)
                );
            }
        }
    }

    proptest! {
        #[test]
        fn bounds_are_in_order_and_tighten(trials in 1.0..5000.0_f64, part in 0.0..=1.0_f64) {
            let interval = clopper_pearson(part * trials, trials, 0.95);
            prop_assert!(interval.is_some_and(|one| 0.0 <= one.low && one.low <= part + 1e-9 && part <= one.high + 1e-9 && one.high <= 1.0));
            let more = clopper_pearson(part * trials * 2.0, trials * 2.0, 0.95);
            prop_assert!(more.zip(interval).is_some_and(|(more, one)| more.high - more.low <= one.high - one.low + 1e-9));
        }
    }
}
