//! What will wait past its due time if reviewers keep their pace: a projection of the queue, worked nearest due time first.
//!
//! Deliberately not here: hard items going first (they are few, and it would change which item is late rather than how many),
//! items without a due time (they come after all that have one and hold none of them up), and chance: arrivals and decisions
//! flow evenly.

/// The queue as it stands and as it moves. Days are counted from now.
#[derive(Debug, Clone, PartialEq)]
pub struct QueueFlow {
    /// Open items that are due within [`QueueFlow::days`], those that are past it now included.
    pub due_within: f64,
    /// Items decided a day.
    pub decided_per_day: f64,
    /// For each of the last items, the days from its arrival to its due time; none for one without a due time.
    pub leads: Vec<Option<f64>>,
    /// How far ahead is looked, in days; over 0.
    pub days: f64,
}

/// Items that wait past their due time [`QueueFlow::days`] from now, when `items_per_day` come in.
///
/// Where the nearest due time goes first, what is due by then is never held up by what is due later. So only that part of the
/// queue is followed: it grows by arrivals that will be due by then (fewer and fewer, since each has some days to go), shrinks
/// by what is decided, and is never less than nothing.
#[must_use]
pub fn past_due(flow: &QueueFlow, items_per_day: f64) -> f64 {
    let rate_of_one = items_per_day / (flow.leads.len().max(1)) as f64;
    let mut last_arrivals: Vec<f64> = flow
        .leads
        .iter()
        .flatten()
        .map(|lead| (flow.days - lead).clamp(0.0, flow.days))
        .collect();
    last_arrivals.sort_by(f64::total_cmp);
    let mut waiting = flow.due_within;
    let mut at = 0.0;
    for (ended, until) in last_arrivals.iter().enumerate() {
        let arriving = rate_of_one * (last_arrivals.len() - ended) as f64;
        waiting = (waiting + (arriving - flow.decided_per_day) * (until - at)).max(0.0);
        at = *until;
    }
    (waiting - flow.decided_per_day * (flow.days - at)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn flow(due_within: f64, decided_per_day: f64, leads: &[Option<f64>]) -> QueueFlow {
        QueueFlow {
            due_within,
            decided_per_day,
            leads: leads.to_vec(),
            days: 14.0,
        }
    }

    fn comes_to(flow: &QueueFlow, items_per_day: f64, expected: f64) {
        let found = past_due(flow, items_per_day);
        assert!(
            (found - expected).abs() < 1e-9,
            "{flow:?} {items_per_day}: {found}, not {expected}"
        );
    }

    #[test]
    fn the_backlog_alone_is_worked_off() {
        comes_to(&flow(100.0, 5.0, &[]), 50.0, 30.0);
        comes_to(&flow(70.0, 5.0, &[]), 50.0, 0.0);
        comes_to(&flow(100.0, 0.0, &[None, None]), 50.0, 100.0);
    }

    #[test]
    fn what_arrives_is_late_when_more_comes_than_is_decided() {
        // Ten a day, due after four days: those of the first ten days are due by then, 100; decided are 14 x 6.
        comes_to(&flow(0.0, 6.0, &[Some(4.0)]), 10.0, 16.0);
        // As many without a due time change nothing but the share.
        comes_to(&flow(0.0, 6.0, &[Some(4.0), None]), 20.0, 16.0);
        // What comes in past its due time is late to the last day.
        comes_to(&flow(0.0, 6.0, &[Some(-1.0)]), 10.0, 56.0);
        // What is due after the horizon is not late in it.
        comes_to(&flow(0.0, 6.0, &[Some(20.0)]), 10.0, 0.0);
    }

    #[test]
    fn idle_days_are_not_made_up() {
        // Two kinds: due at once and after thirteen days. The second stops coming after a day: then 5 come, 8 could be decided.
        comes_to(&flow(0.0, 8.0, &[Some(0.0), Some(13.0)]), 10.0, 0.0);
        comes_to(&flow(0.0, 4.0, &[Some(0.0), Some(13.0)]), 10.0, 6.0 + 13.0);
    }

    /// The same queue item by item: an hour at a time, the nearest due time first.
    fn by_items(flow: &QueueFlow, items_per_day: f64) -> f64 {
        let steps = 24 * 14;
        let per_step = 1.0 / 24.0;
        let mut waiting: Vec<(f64, f64)> = vec![(0.0, flow.due_within)];
        for step in 0..steps {
            let now = f64::from(step) * per_step;
            for lead in flow.leads.iter().flatten() {
                waiting.push((now + lead, items_per_day * per_step / flow.leads.len() as f64));
            }
            waiting.sort_by(|one, other| one.0.total_cmp(&other.0));
            let mut able = flow.decided_per_day * per_step;
            for (_, amount) in &mut waiting {
                let done = amount.min(able);
                *amount -= done;
                able -= done;
            }
            waiting.retain(|(_, amount)| *amount > 0.0);
        }
        waiting
            .iter()
            .filter(|(due, _)| *due <= flow.days)
            .map(|(_, amount)| amount)
            .sum()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn it_is_what_a_queue_worked_by_due_time_comes_to(
            due_within in 0.0..200.0_f64, decided in 0.0..30.0_f64, coming in 0.0..60.0_f64,
            leads in proptest::collection::vec(proptest::option::of(-2.0..20.0_f64), 1..6),
        ) {
            let flow = QueueFlow { due_within, decided_per_day: decided, leads, days: 14.0 };
            let (found, expected) = (past_due(&flow, coming), by_items(&flow, coming));
            // An hour's flow at each end is what the steps blur.
            prop_assert!((found - expected).abs() <= 2.0 * (coming + decided) / 24.0 + 1e-6, "{found} {expected}");
        }

        #[test]
        fn more_coming_never_makes_less_late(
            due_within in 0.0..200.0_f64, decided in 0.0..30.0_f64, coming in 0.0..60.0_f64, more in 0.0..60.0_f64,
            leads in proptest::collection::vec(proptest::option::of(-2.0..20.0_f64), 0..6),
        ) {
            let flow = QueueFlow { due_within, decided_per_day: decided, leads, days: 14.0 };
            prop_assert!(past_due(&flow, coming) <= past_due(&flow, coming + more) + 1e-9);
        }
    }
}
