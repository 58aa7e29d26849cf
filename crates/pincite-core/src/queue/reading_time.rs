//! Time to decision, derived from what a window logged while an item was on the screen.
//!
//! A window logs a *segment* for each stretch in which an item stood painted: its events with times of the process's
//! monotonic clock. Wall time is from the first to the last event. Active time is what of it passed while the window had
//! the focus, could be seen, and there had been input within [`IDLE_AFTER`]. Times are derived here and nowhere else, so
//! that the log can be read again under another rule.
//!
//! Deliberately not here: any clock, dates (they jump), which segments count towards which decision (the store keeps it).

/// Without input for so long, in milliseconds, a reader is taken to be away.
pub const IDLE_AFTER: u64 = 60_000;

/// What happened, as far as time is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadingEvent {
    /// The item is on the screen, with its evidence where it has any. The window is taken to be focused and seen and its
    /// reader present, unless the next events of the same time say otherwise.
    Painted,
    /// The window got the focus.
    Focused,
    /// Another window has it.
    Blurred,
    /// The window can be seen.
    Visible,
    /// It can't.
    Hidden,
    /// The last input was [`IDLE_AFTER`] ago.
    Idle,
    /// Input after that.
    Returned,
    /// The item is no longer on the screen; nothing was decided.
    Left,
    /// The decision was made.
    Decided,
}

impl ReadingEvent {
    /// Every event, in the order above.
    pub const ALL: [Self; 9] = [
        Self::Painted,
        Self::Focused,
        Self::Blurred,
        Self::Visible,
        Self::Hidden,
        Self::Idle,
        Self::Returned,
        Self::Left,
        Self::Decided,
    ];

    /// Its name, as kept and exported.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Painted => "painted",
            Self::Focused => "focused",
            Self::Blurred => "blurred",
            Self::Visible => "visible",
            Self::Hidden => "hidden",
            Self::Idle => "idle",
            Self::Returned => "returned",
            Self::Left => "left",
            Self::Decided => "decided",
        }
    }

    /// The event of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == name)
    }

    const fn ends(self) -> bool {
        matches!(self, Self::Left | Self::Decided)
    }
}

/// An event with its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimedEvent {
    /// Milliseconds of the process's monotonic clock, from any beginning.
    pub at: u64,
    /// What happened.
    pub event: ReadingEvent,
}

/// Time spent on one segment, or on several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Milliseconds from painted to the end.
    pub wall: u64,
    /// Of these, active ones.
    pub active: u64,
}

impl std::ops::Add for Spent {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            wall: self.wall.saturating_add(other.wall),
            active: self.active.saturating_add(other.active),
        }
    }
}

/// Why events are no segment.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SegmentError {
    /// The first event is not painted, or there is none.
    #[error("a segment begins with painted")]
    Beginning,
    /// The last event is neither left nor decided.
    #[error("a segment ends with left or decided")]
    End,
    /// An event at this index, from 0, can only begin or end a segment.
    #[error("event {0} can't stand inside a segment")]
    Inside(usize),
    /// An event at this index, from 0, is earlier than the one before it.
    #[error("event {0} is earlier than the one before it")]
    Backwards(usize),
}

/// Wall and active time of one segment.
///
/// # Errors
/// [`SegmentError`] where the events are none.
pub fn spent(events: &[TimedEvent]) -> Result<Spent, SegmentError> {
    let (first, last) = match events {
        [first, .., last] if first.event == ReadingEvent::Painted => (first, last),
        [only] if only.event == ReadingEvent::Painted => return Err(SegmentError::End),
        _ => return Err(SegmentError::Beginning),
    };
    if !last.event.ends() {
        return Err(SegmentError::End);
    }
    let (mut focused, mut visible, mut present) = (true, true, true);
    let (mut active, mut before) = (0, first.at);
    for (index, TimedEvent { at, event }) in events.iter().enumerate() {
        let passed = at.checked_sub(before).ok_or(SegmentError::Backwards(index))?;
        before = *at;
        if focused && visible && present {
            active += passed;
        }
        let is_edge = *event == ReadingEvent::Painted || event.ends();
        if is_edge && index != 0 && index + 1 != events.len() {
            return Err(SegmentError::Inside(index));
        }
        match event {
            ReadingEvent::Focused => focused = true,
            ReadingEvent::Blurred => focused = false,
            ReadingEvent::Visible => visible = true,
            ReadingEvent::Hidden => visible = false,
            ReadingEvent::Idle => present = false,
            ReadingEvent::Returned => present = true,
            ReadingEvent::Painted | ReadingEvent::Left | ReadingEvent::Decided => {}
        }
    }
    Ok(Spent {
        wall: last.at - first.at,
        active,
    })
}

#[cfg(test)]
mod tests {
    use super::ReadingEvent as E;
    use super::*;
    use proptest::prelude::*;

    fn of(events: &[(u64, E)]) -> Result<Spent, SegmentError> {
        let timed: Vec<TimedEvent> = events
            .iter()
            .map(|(at, event)| TimedEvent { at: *at, event: *event })
            .collect();
        spent(&timed)
    }

    #[test]
    fn both_while_somebody_is_there() {
        let read = of(&[(1_000, E::Painted), (42_000, E::Decided)]);
        assert_eq!(
            read,
            Ok(Spent {
                wall: 41_000,
                active: 41_000
            })
        );
    }

    #[test]
    fn nothing_active_while_away_unfocused_or_hidden() {
        let read = of(&[
            (0, E::Painted),
            (10, E::Blurred),
            (30, E::Hidden),
            (60, E::Focused),
            (100, E::Visible),
            (150, E::Idle),
            (950, E::Returned),
            (960, E::Left),
        ]);
        assert_eq!(
            read,
            Ok(Spent {
                wall: 960,
                active: 10 + 50 + 10
            })
        );
    }

    #[test]
    fn painted_behind_another_window_it_has_no_active_time_until_it_is_in_front() {
        let read = of(&[(5, E::Painted), (5, E::Blurred), (5, E::Hidden), (905, E::Decided)]);
        assert_eq!(read, Ok(Spent { wall: 900, active: 0 }));
    }

    #[test]
    fn what_is_no_segment_says_why() {
        assert_eq!(of(&[]), Err(SegmentError::Beginning));
        assert_eq!(of(&[(0, E::Decided)]), Err(SegmentError::Beginning));
        assert_eq!(of(&[(0, E::Focused), (1, E::Decided)]), Err(SegmentError::Beginning));
        assert_eq!(of(&[(0, E::Painted)]), Err(SegmentError::End));
        assert_eq!(of(&[(0, E::Painted), (9, E::Idle)]), Err(SegmentError::End));
        assert_eq!(
            of(&[(0, E::Painted), (4, E::Left), (9, E::Left)]),
            Err(SegmentError::Inside(1))
        );
        assert_eq!(
            of(&[(0, E::Painted), (4, E::Painted), (9, E::Left)]),
            Err(SegmentError::Inside(1))
        );
        assert_eq!(
            of(&[(7, E::Painted), (4, E::Idle), (9, E::Left)]),
            Err(SegmentError::Backwards(1))
        );
    }

    #[test]
    fn names_lead_back() {
        for event in E::ALL {
            assert_eq!(E::named(event.name()), Some(event));
        }
        assert_eq!(E::named("paint"), None);
    }

    proptest! {
        /// Whatever happens inside, active time is never more than wall time, and shifting the clock changes neither.
        #[test]
        fn active_is_within_wall(inside in proptest::collection::vec((0_u64..100_000, 1_usize..7), 0..30), shift in 0_u64..1_000_000) {
            let mut events = vec![(0, E::Painted)];
            let mut at = 0;
            for (pause, event) in inside {
                at += pause;
                events.push((at, E::ALL[event]));
            }
            events.push((at + 10, E::Decided));
            let read = of(&events).map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert!(read.active <= read.wall);
            prop_assert_eq!(read.wall, at + 10);
            let shifted: Vec<_> = events.iter().map(|(at, event)| (at + shift, *event)).collect();
            prop_assert_eq!(of(&shifted), Ok(read));
        }
    }
}
