//! How far people who read the same without seeing each other agree: Krippendorff's alpha for nominal data.
//!
//! Alpha = 1 - D_o / D_e. D_o is how often two values of the same unit differ, D_e how often two values differ that are drawn from
//! all units: 1 is full agreement, 0 what chance would give, below 0 worse. Units with fewer than two values can't be
//! paired and are left out; any number of people, each missing anywhere, can take part.
//!
//! Source: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), and *Content Analysis*, chapter on
//! reliability. With n pairable values, m_u of them in unit u, and a difference that is 0 for the same and 1 otherwise:
//! D_o = 1/n * sum over u of (differing ordered pairs in u) / (m_u - 1); D_e = differing ordered pairs of all n values / (n (n - 1)).
//!
//! The pairs are compared as they are, not sorted into categories first: typed equality with a tolerance is no equivalence.
//!
//! Deliberately not here: ordinal and interval differences, and whose values these are: agreement is a property of a
//! field, never a mark for a person.

/// From how many pairs of values alpha is stated. Under it one pair more or less moves it by more than it could say.
pub const LEAST_PAIRS: u64 = 20;

/// Alpha with what it rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// Krippendorff's nominal alpha; `None` where no two values can be paired, or all values are the same, so that chance
    /// would agree as well.
    pub alpha: Option<f64>,
    /// Units with at least two values.
    pub units: u64,
    /// Unordered pairs of values of the same unit.
    pub pairs: u64,
    /// Of these, pairs that are the same.
    pub same: u64,
}

impl Agreement {
    /// Alpha where it rests on [`LEAST_PAIRS`] pairs at least.
    #[must_use]
    pub fn stated(&self) -> Option<f64> {
        self.alpha.filter(|_| self.pairs >= LEAST_PAIRS)
    }
}

/// Krippendorff's nominal alpha over units, each with the values that people gave it; `same` is symmetric.
///
/// Compares each value with each other once: a few thousand values are meant.
#[must_use]
pub fn nominal_alpha<T>(units: &[Vec<T>], same: impl Fn(&T, &T) -> bool) -> Agreement {
    let pairable: Vec<&Vec<T>> = units.iter().filter(|unit| unit.len() >= 2).collect();
    let (mut pairs, mut differing_inside, mut observed) = (0_u64, 0_u64, 0.0);
    for unit in &pairable {
        let (all, differing) = pairs_of(unit, &same);
        pairs += all;
        differing_inside += differing;
        // Ordered pairs are twice the unordered ones.
        observed += 2.0 * float(differing) / float(unit.len() as u64 - 1);
    }
    let values: Vec<&T> = pairable.iter().flat_map(|unit| unit.iter()).collect();
    let (all, differing) = pairs_of(&values, &|one: &&T, other: &&T| same(one, other));
    let alpha =
        (differing > 0).then(|| 1.0 - (observed / float(values.len() as u64)) / (float(differing) / float(all)));
    Agreement {
        alpha,
        units: pairable.len() as u64,
        pairs,
        same: pairs - differing_inside,
    }
}

/// Unordered pairs, and how many of them differ.
fn pairs_of<T>(values: &[T], same: &impl Fn(&T, &T) -> bool) -> (u64, u64) {
    let (mut all, mut differing) = (0, 0);
    for (index, one) in values.iter().enumerate() {
        for other in values.iter().skip(index + 1) {
            all += 1;
            differing += u64::from(!same(one, other));
        }
    }
    (all, differing)
}

#[expect(clippy::cast_precision_loss, reason = "counts of pairs, far below 2^53")]
const fn float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Rows are people, columns units; a dot is missing.
    fn units(rows: &[&str]) -> Vec<Vec<char>> {
        let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
        (0..width)
            .map(|unit| {
                let column = rows.iter().filter_map(|row| row.chars().nth(unit));
                column.filter(|value| *value != '.').collect()
            })
            .collect()
    }

    fn alpha(rows: &[&str]) -> f64 {
        nominal_alpha(&units(rows), |one, other| one == other)
            .alpha
            .unwrap_or(f64::NAN)
    }

    #[test]
    fn published_examples_come_out_as_published() {
        // Krippendorff 2011, A: two observers, ten units of 0 and 1.
        assert!((alpha(&["0100000010", "1110010000"]) - 0.095).abs() < 0.0005);
        // B: two observers, twelve units, five values.
        assert!((alpha(&["aabbdcccedda", "babbbccceddd"]) - 0.692).abs() < 0.0005);
        // C: four observers, twelve units, values missing; the last unit has one value and can't be paired.
        let missing = ["123321412...", "1233224125.3", ".3332342251.", "12332441251."];
        assert!((alpha(&missing) - 0.743).abs() < 0.0005, "{}", alpha(&missing));
        // Three observers, fifteen units, most of them missing somewhere (the worked example of Wikipedia's article on alpha).
        let three = [".....34121133.3", "1.213343.......", "..21344.21133.4"];
        assert!((alpha(&three) - 0.691).abs() < 0.0005, "{}", alpha(&three));
    }

    #[test]
    fn what_alpha_rests_on_is_counted() {
        let counted = nominal_alpha(&units(&["aab.", "aacd", "a..."]), |one, other| one == other);
        // Unit 1 has three pairs, 2 and 3 one each, 4 none.
        assert_eq!((counted.units, counted.pairs, counted.same), (3, 5, 4));
        assert_eq!(counted.stated(), None, "five pairs are too few");
        let none = nominal_alpha(&units(&["aaaa", "aaaa"]), |one, other| one == other);
        assert_eq!(
            (none.alpha, none.pairs, none.same),
            (None, 4, 4),
            "chance would agree too"
        );
        let nothing = nominal_alpha::<char>(&[], |one, other| one == other);
        assert_eq!((nothing.alpha, nothing.pairs), (None, 0));
    }

    #[test]
    fn enough_pairs_state_an_alpha() {
        let unit = |value: u64| vec![value, value];
        let counted = nominal_alpha(&(0..LEAST_PAIRS).map(unit).collect::<Vec<_>>(), |one, other| {
            one == other
        });
        assert_eq!(counted.stated(), Some(1.0));
        let counted = nominal_alpha(&(1..LEAST_PAIRS).map(unit).collect::<Vec<_>>(), |one, other| {
            one == other
        });
        assert_eq!((counted.alpha, counted.stated()), (Some(1.0), None));
    }

    proptest! {
        /// By the coincidence matrix, as Krippendorff's text computes it by hand.
        #[test]
        fn pairs_give_what_the_coincidence_matrix_gives(units in prop::collection::vec(prop::collection::vec(0_usize..4, 0..5), 0..12)) {
            let mut coincidences = [[0.0_f64; 4]; 4];
            for unit in units.iter().filter(|unit| unit.len() >= 2) {
                for (i, one) in unit.iter().enumerate() {
                    for (j, other) in unit.iter().enumerate() {
                        if i != j {
                            coincidences[*one][*other] += 1.0 / float(unit.len() as u64 - 1);
                        }
                    }
                }
            }
            let totals: Vec<f64> = coincidences.iter().map(|row| row.iter().sum()).collect();
            let n: f64 = totals.iter().sum();
            let expected: f64 = totals.iter().map(|total| total * (total - 1.0)).sum();
            let observed: f64 = (0..4).map(|value| coincidences[value][value]).sum();
            let counted = nominal_alpha(&units, |one, other| one == other);
            match counted.alpha {
                None => prop_assert!(n < 2.0 || (n * (n - 1.0) - expected).abs() < 1e-9),
                Some(alpha) => {
                    let by_matrix = ((n - 1.0) * observed - expected) / (n * (n - 1.0) - expected);
                    prop_assert!((alpha - by_matrix).abs() < 1e-9, "{alpha} {by_matrix}");
                    prop_assert!(alpha <= 1.0 + 1e-12);
                }
            }
        }

        #[test]
        fn order_of_units_and_people_does_not_count(mut units in prop::collection::vec(prop::collection::vec(0_u8..3, 0..4), 0..9)) {
            let before = nominal_alpha(&units, |one, other| one == other);
            units.reverse();
            for unit in &mut units {
                unit.reverse();
            }
            let after = nominal_alpha(&units, |one, other| one == other);
            prop_assert_eq!((before.units, before.pairs, before.same), (after.units, after.pairs, after.same));
            prop_assert!((before.alpha.unwrap_or(2.0) - after.alpha.unwrap_or(2.0)).abs() < 1e-9);
        }
    }
}
