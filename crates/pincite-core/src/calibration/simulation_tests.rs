//! Curves and thresholds against a known truth: fields with known error curves through the biased queue, looked at every day.
//!
//! Tau moves and lies on no edge of a bin, the audit share is raised half-way, what is drawn is decided some days later, wrong
//! values later than right ones and a few never, some decisions lie in void incidents. Intervals of what is shown must cover, and
//! the threshold chosen must keep its promise however often it is looked for.

use super::bins::{Bin, BinEdges, bins};
use super::cohorts::{Cohort, Counts, CurveLabels};
use super::curve::{CandidateLabel, Counted, CurveCandidate, CurveKey, CurveSubject};
use super::errors::{SPLIT_MIX_STEP, split_mix};
use super::interval::normal_quantile;
use super::tally::{Label, Tally, tally};
use super::thresholds::{LEVEL, default_grid, suggest};
use crate::record::ReviewReason;
use std::collections::BTreeMap;

/// Numbers that are the same in each run of the tests: SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(SPLIT_MIX_STEP);
        (split_mix(self.0) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A field: how its confidences are spread and how often it is right at each.
#[derive(Clone, Copy)]
struct Field {
    name: &'static str,
    /// From an even number in [0, 1) to a confidence.
    confidence: fn(f64) -> f64,
    /// The share right at a confidence.
    right: fn(f64) -> f64,
}

const FIELDS: [Field; 5] = [
    // Honest.
    Field {
        name: "honest",
        confidence: |u| 0.4 + 0.6 * u.sqrt(),
        right: |c| c,
    },
    // Sure of itself, and wrong.
    Field {
        name: "overconfident",
        confidence: |u| 0.3 + 0.7 * u.sqrt(),
        right: |c| (c - 0.12 * c * c).min(0.9),
    },
    // Nearly always right at the top: where calibration lives.
    Field {
        name: "good",
        confidence: |u| 0.5 + 0.5 * u.powf(0.4),
        right: |c| 1.0 - 0.9 * (1.0 - c),
    },
    // A step: bad below 0.8, good above.
    Field {
        name: "step",
        confidence: |u| 0.3 + 0.7 * u.powf(0.6),
        right: |c| if c < 0.8 { 0.7 } else { 0.992 },
    },
    // Confidence says nothing.
    Field {
        name: "flat",
        confidence: |u| 0.5 + 0.5 * u,
        right: |_| 0.945,
    },
];

#[derive(Clone, Copy)]
struct Record {
    /// When it arrived.
    day: usize,
    confidence: f64,
    right: bool,
    /// What a draw is held against.
    draw: f64,
    /// Days from being drawn to being decided; `NEVER` where nobody gets round to it.
    wait: usize,
    /// Whether the decision lies in a void incident.
    void: bool,
    /// Whether it was ever below the threshold, and the highest share ever applied.
    low: bool,
    share: f64,
    /// When it was drawn, for low confidence or an audit.
    drawn: Option<usize>,
}

const DAYS: usize = 20;
const SHARE: f64 = 0.1;
const RAISED: f64 = 0.3;
const NEVER: usize = usize::MAX / 2;
/// Long after the last record: everything is decided that ever will be.
const LATER: usize = 10 * DAYS;

/// Days until a drawn record is decided: half of a day in the mean for a clear one, a whole one for a wrong one, which has to be
/// looked up.
fn wait(right: bool, numbers: &mut Numbers) -> usize {
    if numbers.unit() < 0.0002 {
        return NEVER;
    }
    let mean = if right { 0.5 } else { 1.0 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some days")]
    let days = (-numbers.unit().max(1e-12).ln() * mean) as usize;
    days
}

/// The queue of one field, day by day: what `look` is shown is the state at the end of each.
fn simulate(field: Field, records: usize, numbers: &mut Numbers, mut look: impl FnMut(usize, &[Record])) {
    let per_day = records / DAYS;
    let mut all: Vec<Record> = Vec::new();
    let mut in_incident = 0_usize;
    for day in 0..DAYS {
        // Moves about and lies on no edge.
        let tau = [0.8713, 0.9127, 0.8391, 0.8862][day % 4];
        let share = if day < DAYS / 2 { SHARE } else { RAISED };
        for _ in 0..per_day {
            let confidence = (field.confidence)(numbers.unit());
            // Every now and then somebody accepts ten without reading.
            if numbers.unit() < 0.004 {
                in_incident = 10;
            }
            in_incident = in_incident.saturating_sub(1);
            let right = numbers.unit() < (field.right)(confidence);
            all.push(Record {
                day,
                confidence,
                right,
                draw: numbers.unit(),
                wait: wait(right, numbers),
                void: in_incident > 0,
                low: false,
                share: 0.0,
                drawn: None,
            });
        }
        // Everything is routed again when tau or the share changes.
        for record in &mut all {
            if record.confidence < tau {
                record.low = true;
            } else {
                record.share = record.share.max(share);
            }
            if record.low || record.draw < record.share {
                record.drawn = record.drawn.or(Some(day));
            }
        }
        look(day, &all);
    }
}

/// What was drawn, as it stands at the end of a day.
fn drawn(records: &[Record], today: usize) -> impl Iterator<Item = CurveCandidate> {
    records.iter().filter_map(move |record| {
        Some(CurveCandidate {
            key: CurveKey {
                field: String::new(),
                model: String::new(),
                prompt_version: String::new(),
                of: CurveSubject::Present,
            },
            cohort: Cohort::of(Cohort(2_900).start() + record.day as i64 * 86_400_000),
            confidence: record.confidence,
            reason: Some(if record.low {
                ReviewReason::LowConfidence
            } else {
                ReviewReason::SampleAudit
            }),
            highest_share: Some(record.share),
            label: match (record.drawn? + record.wait <= today, record.right) {
                (false, _) => CandidateLabel::Pending,
                (true, true) => CandidateLabel::Right,
                (true, false) => CandidateLabel::Wrong,
            },
            derived: false,
            in_incident: record.void,
        })
    })
}

/// The curve as it is kept: week by week.
fn labels(records: &[Record], today: usize) -> CurveLabels {
    let mut cohorts: BTreeMap<Cohort, Counts> = BTreeMap::new();
    for candidate in drawn(records, today) {
        cohorts.entry(candidate.cohort).or_default().add(&candidate.counting());
    }
    let mut labels = CurveLabels::default();
    for (cohort, counts) in &cohorts {
        labels.add_cohort(*cohort, counts);
    }
    labels
}

/// What a threshold is tested on.
fn worst_case(records: &[Record], today: usize) -> Vec<Tally> {
    tally(drawn(records, today).filter_map(|candidate| match candidate.counted() {
        Some(Counted::Decided(label) | Counted::Pending(label)) => Some(label),
        _ => None,
    }))
}

/// The true share right among all of a field's records with a confidence in `from..to`.
fn truth(field: Field, from: f64, to: f64) -> f64 {
    let steps = 20_000;
    let inside: Vec<f64> = (0..steps)
        .map(|step| (field.confidence)((f64::from(step) + 0.5) / f64::from(steps)))
        .filter(|confidence| (from..to).contains(confidence))
        .map(field.right)
        .collect();
    inside.iter().sum::<f64>() / inside.len() as f64
}

#[derive(Default)]
struct Coverage {
    looked: f64,
    covered: f64,
    width: f64,
}

impl Coverage {
    fn add(&mut self, covered: bool, width: f64) {
        self.looked += 1.0;
        self.covered += f64::from(u8::from(covered));
        self.width += width;
    }

    fn percent(&self) -> f64 {
        100.0 * self.covered / self.looked
    }
}

/// A bin's estimate with its interval, and whether that holds the truth.
fn measured(bin: &Bin, truth: f64) -> Option<(f64, f64, bool)> {
    let (low, high) = (bin.low?, bin.high?);
    Some((bin.right?, high - low, low <= truth && truth <= high))
}

#[test]
fn intervals_cover_the_truth_and_the_naive_estimate_does_not() {
    // Five kinds of 400: 2,000 fields.
    let runs = 400;
    let edges = BinEdges::default();
    let whole = BinEdges::new(Vec::new()).unwrap_or_default();
    let mut by_bin: BTreeMap<(&str, usize), Coverage> = BTreeMap::new();
    let mut by_count: BTreeMap<u32, Coverage> = BTreeMap::new();
    let (mut all, mut last_look) = (Coverage::default(), Coverage::default());
    // Where no week is closed yet, and, at every look, of all that happens to be decided.
    let (mut fallback, mut as_decided) = (Coverage::default(), Coverage::default());
    let mut oracle_width = 0.0;
    let (mut naive_covered, mut naive_looked) = (0, 0);
    let mut weeks = (0, 0);
    for field in FIELDS {
        let truths: Vec<f64> = edges
            .ranges()
            .map(|(from, to)| truth(field, from, to.max(from) + if to >= 1.0 { 1.0 } else { 0.0 }))
            .collect();
        let overall = truth(field, 0.0, 2.0);
        // Estimates of each bin over the runs, by how many weeks they rest on, for how wide an interval has to be.
        let mut shares: BTreeMap<(u64, usize), Vec<f64>> = BTreeMap::new();
        for run in 0..runs {
            let mut numbers = Numbers(run * 7_919 + 17);
            simulate(field, 2_000, &mut numbers, |day, records| {
                let last = day + 1 == DAYS;
                if !last && day % 5 != 4 {
                    return;
                }
                let labels = labels(records, day);
                for (index, bin) in bins(&labels.decided(), &edges).iter().enumerate() {
                    if let Some((_, width, covered)) = measured(bin, truths[index]) {
                        as_decided.add(covered, width);
                    }
                }
                let estimate = &labels.estimated().decided;
                for (index, bin) in bins(estimate, &edges).iter().enumerate() {
                    let Some((right, width, covered)) = measured(bin, truths[index]) else {
                        continue;
                    };
                    if !labels.any_closed() {
                        fallback.add(covered, width);
                        continue;
                    }
                    if last {
                        shares.entry((labels.closed.cohorts, index)).or_default().push(right);
                        last_look.add(covered, width);
                    }
                    let size = (1..=10_u32)
                        .rev()
                        .map(|tens| tens * 10)
                        .find(|size| bin.n_effective >= f64::from(*size))
                        .unwrap_or(0);
                    by_bin.entry((field.name, index)).or_default().add(covered, width);
                    by_count.entry(size).or_default().add(covered, width);
                    all.add(covered, width);
                }
                if last {
                    weeks = (weeks.0 + labels.closed.cohorts, weeks.1 + labels.open_cohorts);
                    // What pooling without weights says of the whole, with the interval it would be given.
                    let plain: Vec<Label> = drawn(records, day)
                        .filter_map(|candidate| match candidate.counted() {
                            Some(Counted::Decided(label)) => Some(Label {
                                probability: 1.0,
                                ..label
                            }),
                            _ => None,
                        })
                        .collect();
                    let plain = bins(&tally(plain), &whole);
                    naive_looked += 1;
                    naive_covered += usize::from(plain[0].low <= Some(overall) && Some(overall) <= plain[0].high);
                }
            });
        }
        // An oracle knows how its estimate is spread: 1.96 standard deviations to both sides.
        for shares in shares.values().filter(|shares| shares.len() > 1) {
            let mean = shares.iter().sum::<f64>() / shares.len() as f64;
            let variance = shares.iter().map(|share| (share - mean).powi(2)).sum::<f64>() / (shares.len() - 1) as f64;
            oracle_width += shares.len() as f64 * 2.0 * normal_quantile(0.975) * variance.sqrt();
        }
    }
    for ((field, bin), one) in &by_bin {
        eprintln!("{field} bin {bin}: {:.1} % of {}", one.percent(), one.looked);
    }
    for (size, one) in &by_count {
        eprintln!("effective labels from {size}: {:.1} % of {}", one.percent(), one.looked);
    }
    let relative = last_look.width / oracle_width;
    eprintln!(
        "closed weeks: {:.2} % of {}, width {relative:.3} of an oracle's; at the end {} weeks closed, {} open",
        all.percent(),
        all.looked,
        weeks.0,
        weeks.1
    );
    eprintln!(
        "no week closed yet: {:.2} % of {}; all that is decided, at every look: {:.2} % of {}; naive {naive_covered} of {naive_looked}",
        fallback.percent(),
        fallback.looked,
        as_decided.percent(),
        as_decided.looked
    );
    assert!(all.percent() >= 94.0);
    assert!(
        by_bin
            .values()
            .chain(by_count.values())
            .filter(|one| one.looked >= 200.0)
            .all(|one| one.percent() >= 90.0)
    );
    assert!(relative <= 1.25, "{relative}");
    // Most looks must have a closed week, or nothing was tested.
    assert!(all.looked > fallback.looked);
    // The error is over-represented in what was reviewed: the unweighted share right is too low.
    assert!(naive_covered * 2 < naive_looked);
}

/// The least threshold of the grid whose true error is at most `max_error`.
fn oracle(field: Field, max_error: f64) -> Option<f64> {
    let mut grid = default_grid();
    grid.reverse();
    grid.into_iter().find(|tau| 1.0 - truth(field, *tau, 2.0) <= max_error)
}

#[test]
fn a_threshold_keeps_its_promise_however_often_it_is_looked_for() {
    let grid = default_grid();
    // One whose error crosses `max_error` inside of the grid, and one that is a little worse at every confidence.
    for (field, max_error) in [(FIELDS[0], 0.08), (FIELDS[4], 0.05)] {
        let (runs, best) = (1_000, oracle(field, max_error).unwrap_or(1.1));
        let mut broken = 0;
        for run in 0..runs {
            let mut numbers = Numbers(run * 104_729 + 5);
            let mut bad = false;
            simulate(field, 2_000, &mut numbers, |day, records| {
                let found = suggest(&worst_case(records, day), &grid, max_error, LEVEL);
                bad |= found.tau.is_some_and(|tau| tau < best);
            });
            broken += u64::from(bad);
        }
        eprintln!(
            "{}: oracle {best}; broken at some look in {broken} of {runs} runs",
            field.name
        );
        assert!(broken * 20 <= runs);
    }
}

#[test]
fn with_labels_enough_the_threshold_is_the_oracles() {
    let runs = 20;
    let grid = default_grid();
    // A curve with a step shows it soon; one that rises evenly has an error half a point better one step up, and that takes more.
    for (field, max_error, records) in [(FIELDS[3], 0.02, 60_000), (FIELDS[0], 0.08, 240_000)] {
        let best = oracle(field, max_error).unwrap_or(1.0);
        let (mut near, mut found_at) = (0, Vec::new());
        for run in 0..runs {
            let mut numbers = Numbers(run * 15_485_863 + 3);
            let mut last = None;
            simulate(field, records, &mut numbers, |day, records| {
                if day + 1 == DAYS {
                    last = suggest(&worst_case(records, LATER), &grid, max_error, LEVEL).tau;
                }
            });
            near += u64::from(last.is_some_and(|tau| (tau - best).abs() < 0.0101));
            found_at.extend(last);
        }
        found_at.sort_by(f64::total_cmp);
        eprintln!(
            "{}: oracle {best}, within a step in {near} of {runs} with {records} records; found {found_at:?}",
            field.name
        );
        assert!(near * 5 >= runs * 4, "{near}");
    }
}

/// The order of labels says nothing: a tally is all that a threshold needs.
#[test]
fn thresholds_do_not_depend_on_order() {
    let mut numbers = Numbers(11);
    let mut all: Vec<Label> = (0..3_000)
        .map(|_| {
            let confidence = numbers.unit();
            Label {
                confidence,
                right: numbers.unit() < confidence,
                probability: if confidence < 0.9 { 1.0 } else { 0.2 },
            }
        })
        .collect();
    let forwards = suggest(&tally(all.clone()), &default_grid(), 0.1, LEVEL);
    all.reverse();
    let backwards = suggest(&tally(all), &default_grid(), 0.1, LEVEL);
    assert_eq!(
        (forwards.tau, forwards.labels_needed),
        (backwards.tau, backwards.labels_needed)
    );
}
