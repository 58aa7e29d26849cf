//! What holds of every history, whatever was recorded when: against a second reading of the rules, made of plain loops.

use super::*;
use chrono::{Days, NaiveDate};
use proptest::prelude::*;
use std::collections::BTreeSet;

const KEYS: [&str; 3] = ["1", "2", "3"];
/// Days and times run over so few values that revisions often meet.
const SPAN: u64 = 12;

fn day(number: u64) -> NaiveDate {
    NaiveDate::default() + Days::new(number)
}

fn moment() -> impl Strategy<Value = i64> {
    0..12_i64
}

prop_compose! {
    fn revision()(
        effective in proptest::option::weighted(0.9, 0..SPAN),
        recorded_at in moment(),
        events in proptest::collection::vec((0..6_u8, moment()), 0..4),
        texts in proptest::collection::vec(proptest::option::weighted(0.8, 0..3_u8), KEYS.len()),
        differing in proptest::collection::btree_set(proptest::sample::select(&KEYS[..]), 0..2),
        bytes in 0..5_u8,
        settled in proptest::option::of(0..200_000_000_000_i64),
    ) -> Revision {
        let mut events: Vec<Event> = events
            .into_iter()
            .map(|(kind, at)| Event {
                // Mostly approved, or hardly anything would be in force.
                kind: match kind {
                    0 => EventKind::Withdrawn,
                    1 => EventKind::Archived,
                    _ => EventKind::Approved,
                },
                recorded_at: recorded_at.max(at),
            })
            .collect();
        events.sort_by_key(|event| event.recorded_at);
        Revision {
            revision: "label".to_owned(),
            seq: 0,
            doc_sha256: format!("bytes {bytes}"),
            effective: effective.map(day),
            recorded_at,
            events,
            sections: KEYS
                .iter()
                .zip(texts)
                .filter_map(|(key, text)| Some((key, text?)))
                .map(|(key, text)| SectionVersion {
                    section_key: (*key).to_owned(),
                    locator: String::new(),
                    title: String::new(),
                    own_sha256: String::new(),
                    content_sha256: format!("text {text}"),
                })
                .collect(),
            differing: Doubt {
                keys: differing.into_iter().map(str::to_owned).collect(),
                found_at: recorded_at,
                settled_at: settled.map(|after| recorded_at + after),
            },
        }
    }
}

fn revisions() -> impl Strategy<Value = Vec<Revision>> {
    proptest::collection::vec(revision(), 0..7).prop_map(numbered)
}

fn numbered(mut revisions: Vec<Revision>) -> Vec<Revision> {
    for (seq, revision) in (1..).zip(&mut revisions) {
        revision.seq = seq;
    }
    revisions
}

fn history(revisions: Vec<Revision>) -> History {
    History::new(revisions).unwrap_or_else(|fault| unreachable!("{fault}"))
}

fn known_at() -> impl Strategy<Value = Option<i64>> {
    proptest::option::of(-1..13_i64)
}

/// The last word of approval and withdrawal, and whether there ever was an approval.
fn holds(revision: &Revision, known_at: Option<i64>) -> bool {
    let mut events = revision.events.iter().rev();
    let last = events
        .find(|event| event.kind != EventKind::Archived && known_at.is_none_or(|known| event.recorded_at <= known));
    known_at.is_none_or(|known| revision.recorded_at <= known)
        && last.is_some_and(|event| event.kind == EventKind::Approved)
}

/// In force by trying every revision.
fn in_force_by_hand(revisions: &[Revision], valid_at: NaiveDate, known_at: Option<i64>) -> Option<&Revision> {
    let mut found: Option<&Revision> = None;
    for one in revisions {
        let dated = one.effective.is_some_and(|effective| effective <= valid_at);
        if dated
            && holds(one, known_at)
            && found.is_none_or(|found| (one.effective, one.seq) > (found.effective, found.seq))
        {
            found = Some(one);
        }
    }
    found
}

fn text<'a>(revision: &'a Revision, key: &str) -> Option<&'a str> {
    let mut sections = revision.sections.iter();
    Some(
        sections
            .find(|section| section.section_key == key)?
            .content_sha256
            .as_str(),
    )
}

/// Whether a cited copy is current by trying every revision of its bytes, and every revision in between for what is not
/// settled.
fn current_by_hand(revisions: &[Revision], bytes: &str, key: &str, valid_at: NaiveDate, known_at: Option<i64>) -> bool {
    let Some(in_force) = in_force_by_hand(revisions, valid_at, known_at) else {
        return false;
    };
    let place = |revision: &Revision| (revision.effective, revision.seq);
    revisions
        .iter()
        .filter(|one| one.doc_sha256 == bytes && holds(one, known_at))
        .any(|cited| {
            let unsettled = revisions.iter().any(|between| {
                holds(between, known_at)
                    && place(between) > place(cited)
                    && place(between) <= place(in_force)
                    && between.differing.keys.contains(key)
                    && known_at.is_none_or(|known| known >= between.differing.found_at)
                    && between
                        .differing
                        .settled_at
                        .is_none_or(|settled| known_at.is_some_and(|known| known < settled))
            });
            cited.effective.is_some_and(|effective| effective <= valid_at)
                && text(cited, key).is_some()
                && text(cited, key) == text(in_force, key)
                && !unsettled
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn what_is_in_force_is_approved_known_and_due(
        revisions in revisions(), valid in 0..SPAN, known_at in known_at(),
    ) {
        let history = history(revisions.clone());
        let valid_at = day(valid);
        let in_force = history.in_force(valid_at, known_at);
        prop_assert_eq!(in_force, in_force_by_hand(&revisions, valid_at, known_at));
        for key in KEYS {
            let known = revisions.iter().any(|one| one.is_known(known_at) && text(one, key).is_some());
            match history.as_of(key, valid_at, known_at) {
                Some(AsOf::InForce { revision, section }) => {
                    // Never a draft, never one not known: at most one, and it is this one.
                    prop_assert!(holds(revision, known_at) && revision.is_known(known_at));
                    prop_assert_eq!(Some(revision), in_force);
                    prop_assert_eq!(&section.section_key, key);
                    prop_assert_eq!(text(revision, key), Some(section.content_sha256.as_str()));
                }
                Some(AsOf::Removed { by }) => {
                    prop_assert!(holds(by, known_at) && text(by, key).is_none());
                    prop_assert!(in_force.is_some_and(|in_force| text(in_force, key).is_none()));
                }
                Some(AsOf::Withdrawn { revision }) => {
                    prop_assert!(revision.is_known(known_at) && !holds(revision, known_at) && text(revision, key).is_some());
                    prop_assert!(in_force.is_none_or(|in_force| text(in_force, key).is_none()));
                }
                Some(AsOf::NotYet { next }) => {
                    prop_assert!(in_force.is_none_or(|in_force| text(in_force, key).is_none()));
                    prop_assert!(next.is_none_or(|next| next.effective > Some(valid_at) && holds(next, known_at)));
                }
                None => prop_assert!(!known),
            }
            prop_assert!(known || history.as_of(key, valid_at, known_at).is_none());
        }
    }

    #[test]
    fn what_is_learned_later_changes_nothing_that_was_known(
        revisions in revisions(), later in revision(), event in 0..3_u8, which in 0..7_usize,
        valid in 0..SPAN, known in -1..11_i64, bytes in 0..5_u8,
    ) {
        let before = history(revisions.clone());
        let mut more = revisions.clone();
        // A revision, and an event on one that was known.
        more.push(Revision {
            recorded_at: later.recorded_at.max(known + 1),
            events: later.events.iter().map(|event| Event { recorded_at: event.recorded_at.max(known + 1), ..*event }).collect(),
            ..later
        });
        let more_length = more.len();
        if let Some(revision) = more.get_mut(which % more_length) {
            let kind = [EventKind::Approved, EventKind::Withdrawn, EventKind::Archived][usize::from(event)];
            let last = revision.events.last().map_or(revision.recorded_at, |event| event.recorded_at);
            revision.events.push(Event { kind, recorded_at: last.max(known + 1) });
        }
        let after = history(numbered(more));
        let at = Some(known);
        for key in KEYS {
            let shown = |answer: Option<AsOf<'_>>| answer.map(|answer| match answer {
                AsOf::InForce { revision, .. } => (0, Some(revision.seq)),
                AsOf::Removed { by } => (1, Some(by.seq)),
                AsOf::Withdrawn { revision } => (2, Some(revision.seq)),
                AsOf::NotYet { next } => (3, next.map(|next| next.seq)),
            });
            prop_assert_eq!(shown(before.as_of(key, day(valid), at)), shown(after.as_of(key, day(valid), at)));
            let doc_sha256 = format!("bytes {bytes}");
            let cited = Cited { doc_sha256: &doc_sha256, section_key: key };
            let (one, other) = (before.standing(&cited, day(valid), at), after.standing(&cited, day(valid), at));
            // Bytes that nobody knew of may be known later: still nothing that passes.
            let label = |standing: Standing<'_>| match standing {
                Standing::NotKnown | Standing::Unregistered => "neither",
                other => other.label(),
            };
            prop_assert_eq!(label(one), label(other));
            let periods = |history: &History| -> Vec<(NaiveDate, Option<NaiveDate>, i64)> {
                let periods = history.section_history(key, at);
                periods.iter().map(|period| (period.from, period.to, period.revision.seq)).collect()
            };
            prop_assert_eq!(periods(&before), periods(&after));
        }
    }

    #[test]
    fn a_copy_is_current_when_its_text_is_the_text_in_force(
        revisions in revisions(), valid in 0..SPAN, known_at in known_at(), bytes in 0..5_u8,
    ) {
        let history = history(revisions.clone());
        let doc_sha256 = format!("bytes {bytes}");
        for key in KEYS {
            let cited = Cited { doc_sha256: &doc_sha256, section_key: key };
            let verdict = verdict(Some(&history), &cited, day(valid), known_at);
            prop_assert_eq!(
                verdict.passes(),
                current_by_hand(&revisions, &doc_sha256, key, day(valid), known_at),
                "{} {:?}", key, verdict
            );
            if let Standing::Superseded { by, since } = verdict.standing {
                // On the day before, if any, it was current; from then on it is not.
                prop_assert!(holds(by, known_at) && since <= day(valid) && by.effective == Some(since));
                prop_assert!(!current_by_hand(&revisions, &doc_sha256, key, since, known_at));
            }
        }
    }

    #[test]
    fn labels_numbers_and_archiving_say_nothing(
        revisions in revisions(), valid in 0..SPAN, known_at in known_at(), shift in 1..9_i64,
    ) {
        let mut other = revisions.clone();
        for (number, revision) in other.iter_mut().enumerate() {
            revision.revision = format!("{}", other_label(number));
            revision.seq = revision.seq * shift + 3;
            revision.events.retain(|event| event.kind != EventKind::Archived);
        }
        other.reverse();
        let (one, other) = (history(revisions), history(other));
        for key in KEYS {
            let content = |history: &History| match history.as_of(key, day(valid), known_at) {
                Some(AsOf::InForce { section, .. }) => section.content_sha256.clone(),
                answer => format!("{:?}", answer.map(|answer| std::mem::discriminant(&answer))),
            };
            prop_assert_eq!(content(&one), content(&other));
        }
    }

    #[test]
    fn periods_are_in_order_and_say_what_is_in_force(revisions in revisions(), known_at in known_at()) {
        let history = history(revisions);
        for key in KEYS {
            let periods = history.section_history(key, known_at);
            for pair in periods.windows(2) {
                prop_assert!(pair[0].to.is_some_and(|to| to <= pair[1].from && pair[0].from < to));
            }
            for valid in 0..SPAN {
                let valid_at = day(valid);
                let inside: Vec<&Period<'_>> = periods
                    .iter()
                    .filter(|period| period.from <= valid_at && period.to.is_none_or(|to| valid_at < to))
                    .collect();
                prop_assert!(inside.len() <= 1);
                let in_period = inside.first().map(|period| period.section.map(|section| section.content_sha256.clone()));
                let expected = match history.as_of(key, valid_at, known_at) {
                    Some(AsOf::InForce { section, .. }) => Some(Some(section.content_sha256.clone())),
                    Some(AsOf::Removed { .. }) => Some(None),
                    _ => None,
                };
                // A section that only revisions superseded on their own day had was removed without having been in force.
                prop_assert!(in_period == expected || in_period.is_none() && expected == Some(None), "{} {}", key, valid);
            }
        }
    }

    #[test]
    fn each_revision_ends_where_the_next_begins(revisions in revisions(), known_at in known_at()) {
        let history = history(revisions.clone());
        for one in &revisions {
            let days: BTreeSet<u64> = (0..SPAN + 1)
                .filter(|valid| history.in_force(day(*valid), known_at).is_some_and(|in_force| in_force.seq == one.seq))
                .collect();
            if let Some(last) = days.last() {
                let end = history.effective_to(one.seq, known_at);
                prop_assert!(end.map_or(*last == SPAN, |end| end == day(last + 1)));
                prop_assert_eq!(history.lifecycle(one.seq, day(*last), known_at).map(|life| {
                    matches!(life, Lifecycle::Effective | Lifecycle::Archived)
                }), Some(true));
            }
        }
    }
}

/// Labels whose order is not the revisions'.
const fn other_label(number: usize) -> char {
    ['Z', 'b', '1', 'Z', 'A', '-', 'c', 'B'][number % 8]
}
