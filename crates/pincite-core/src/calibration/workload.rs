//! What a threshold costs: items and reviewer hours a day on one side, errors shown a day on the other.
//!
//! Deliberately not here: where the shares and errors come from (the routing log and the curves), and which threshold to take:
//! that is for whoever answers for the errors.

/// One bin of what arrives.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorkloadBin {
    /// The least confidence in it.
    pub from: f64,
    /// The confidence it ends before; over `from`.
    pub to: f64,
    /// The share (0 to 1) of a day's fields that fall into it.
    pub share: f64,
    /// The share of those that are wrong.
    pub error: f64,
}

/// What one threshold costs a day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorkloadRow {
    /// The threshold.
    pub tau: f64,
    /// The share of fields that is queued, audits included.
    pub share: f64,
    /// Items a day.
    pub items_per_day: f64,
    /// Reviewer hours a day.
    pub hours_per_day: f64,
    /// Wrong values shown a day. An error that an audit finds was shown until then, and is counted.
    pub errors_per_day: f64,
}

/// The workload at each of `taus`, in their order. Everything below the threshold is queued, and of the rest the share that is
/// drawn for an audit (`audit_share`, 0 to 1). Within a bin that a threshold cuts, fields are taken as spread evenly.
#[must_use]
pub fn workload(
    bins: &[WorkloadBin],
    fields_per_day: f64,
    seconds_per_item: f64,
    audit_share: f64,
    taus: &[f64],
) -> Vec<WorkloadRow> {
    taus.iter()
        .map(|tau| {
            let below: f64 = bins.iter().map(|bin| bin.share * part_below(bin, *tau)).sum();
            let above: f64 = bins.iter().map(|bin| bin.share * (1.0 - part_below(bin, *tau))).sum();
            let wrong: f64 = bins
                .iter()
                .map(|bin| bin.share * (1.0 - part_below(bin, *tau)) * bin.error)
                .sum();
            let share = below + audit_share * above;
            let items_per_day = share * fields_per_day;
            WorkloadRow {
                tau: *tau,
                share,
                items_per_day,
                hours_per_day: items_per_day * seconds_per_item / 3_600.0,
                errors_per_day: wrong * fields_per_day,
            }
        })
        .collect()
}

/// The part of a bin that lies below the threshold, 0 to 1.
fn part_below(bin: &WorkloadBin, tau: f64) -> f64 {
    if tau <= bin.from {
        0.0
    } else if tau >= bin.to {
        1.0
    } else {
        (tau - bin.from) / (bin.to - bin.from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worked() -> Vec<WorkloadBin> {
        let bin = |from, to, share, error| WorkloadBin { from, to, share, error };
        vec![
            bin(0.95, 1.0, 0.55, 1.0 - 0.975),
            bin(0.85, 0.95, 0.20, 1.0 - 0.90),
            bin(0.75, 0.85, 0.12, 1.0 - 0.80),
            bin(0.60, 0.75, 0.07, 1.0 - 0.675),
            bin(0.0, 0.60, 0.06, 1.0 - 0.30),
        ]
    }

    fn near(found: f64, expected: f64) -> bool {
        (found - expected).abs() < 1e-9
    }

    #[test]
    fn the_worked_check_comes_out() {
        let rows = workload(&worked(), 3_600.0, 90.0, 0.0, &[0.95, 0.85, 0.75, 0.60]);
        let expected = [
            (0.45, 1_620.0, 40.5, 49.5),
            (0.25, 900.0, 22.5, 121.5),
            (0.13, 468.0, 11.7, 207.9),
            (0.06, 216.0, 5.4, 289.8),
        ];
        assert_eq!(rows.len(), expected.len());
        for (row, (share, items, hours, errors)) in rows.iter().zip(expected) {
            assert!(near(row.share, share) && near(row.items_per_day, items), "{row:?}");
            assert!(
                near(row.hours_per_day, hours) && near(row.errors_per_day, errors),
                "{row:?}"
            );
        }
    }

    #[test]
    fn audits_are_items_and_change_no_error_shown() {
        let rows = workload(&worked(), 3_600.0, 90.0, 0.05, &[0.95]);
        assert!(near(rows[0].share, 0.45 + 0.05 * 0.55));
        assert!(near(rows[0].items_per_day, 1_620.0 + 99.0) && near(rows[0].errors_per_day, 49.5));
    }

    #[test]
    fn the_ends_and_the_middle_of_a_bin() {
        let rows = workload(&worked(), 100.0, 3_600.0, 0.0, &[0.0, 0.90, 1.0]);
        assert!(
            near(rows[0].items_per_day, 0.0) && near(rows[1].items_per_day, 35.0) && near(rows[2].items_per_day, 100.0)
        );
        assert!(near(rows[2].errors_per_day, 0.0) && near(rows[2].hours_per_day, 100.0));
    }
}
