//! What reading by hand would find: the arithmetic of a weekly sample, to be held against what a sweep found.
//!
//! Four rates and a number of answers go in, and nothing is measured here. Citations read are answers times citations an answer;
//! affected ones that share of them; flags those that a reader notices; hours what reading takes. That somebody flags something is
//! not yet a finding: the chance that *nobody* flags any is printed beside it.
//!
//! Deliberately not here: choosing the sample.

/// The four rates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SampleRates {
    /// Citations an answer, above 0.
    pub citations: f64,
    /// The share of citations that is affected, 0 to 1.
    pub affected: f64,
    /// The chance that a reader notices an affected one, 0 to 1.
    pub detection: f64,
    /// Minutes for each citation that is read.
    pub minutes: f64,
}

impl Default for SampleRates {
    fn default() -> Self {
        Self {
            citations: 2.6,
            affected: 0.08,
            detection: 0.25,
            minutes: 1.0,
        }
    }
}

/// What reading so many answers would give, on average.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Citations that are read.
    pub read: f64,
    /// Of these, affected ones.
    pub affected: f64,
    /// Of these, noticed ones.
    pub flags: f64,
    /// Hours of reading.
    pub hours: f64,
    /// The chance that none is noticed of as many affected ones, in whole numbers: (1 - detection) ^ floor(affected).
    pub missed_probability: f64,
}

/// The arithmetic of reading `answers` answers.
#[must_use]
pub fn sample(answers: u32, rates: &SampleRates) -> Sample {
    let read = f64::from(answers) * rates.citations;
    let affected = read * rates.affected;
    // A product that is whole in decimals may lie a rounding below it in binary.
    let whole = (affected + 1e-9).floor();
    Sample {
        read,
        affected,
        flags: affected * rates.detection,
        hours: read * rates.minutes / 60.0,
        missed_probability: (1.0 - rates.detection).powf(whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arithmetic_of_three_samples() {
        for (answers, read, affected, flags, hours) in [
            (50, 130.0, 10.4, 2.6, 2.2),
            (250, 650.0, 52.0, 13.0, 10.8),
            (1000, 2600.0, 208.0, 52.0, 43.3),
        ] {
            let sample = sample(answers, &SampleRates::default());
            for (is, should) in [
                (sample.read, read),
                (sample.affected, affected),
                (sample.flags, flags),
                ((sample.hours * 10.0).round() / 10.0, hours),
            ] {
                assert!((is - should).abs() < 1e-9, "{answers}: {is} for {should}");
            }
        }
        let ten = sample(50, &SampleRates::default());
        assert!((ten.missed_probability - 0.75_f64.powi(10)).abs() < 1e-12);
        assert!((ten.missed_probability - 0.056).abs() < 0.001);
    }

    #[test]
    fn nothing_affected_is_surely_missed_and_a_sure_reader_misses_nothing() {
        let rates = SampleRates::default();
        assert!((sample(0, &rates).missed_probability - 1.0).abs() < f64::EPSILON);
        let sure = SampleRates {
            detection: 1.0,
            ..rates
        };
        assert!(sample(50, &sure).missed_probability.abs() < f64::EPSILON);
    }
}
