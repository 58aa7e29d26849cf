//! Lives, ends, periods, what is refused, modes of the gate: on documents written as in `cases_tests`.

use super::cases_tests::{date, end_of, in_force_text, revision};
use super::*;

fn history(lines: &[&str]) -> History {
    made(lines).unwrap_or_else(|fault| unreachable!("{fault}"))
}

fn made(lines: &[&str]) -> Result<History, HistoryFault> {
    History::new((1..).zip(lines).map(|(seq, line)| revision(line, seq)).collect())
}

#[test]
fn lives_are_derived() {
    let history = history(&[
        "A 01-10 kept 03-01: 1=x",
        "B 02-10 gone 04-15: 1=y",
        "C 03-10 draft ok 03-20 kept 05-01: 1=z",
        "D 12-10 rec 03-01: 1=w",
        "E 02-01 draft kept 05-01: 1=v",
        "F undated: 1=u",
    ]);
    for (seq, day, known, expected) in [
        (1, "01-09", None, Some(Lifecycle::NotYet)),
        (1, "01-10", Some("01-09"), None),
        (1, "01-20", Some("02-20"), Some(Lifecycle::Effective)),
        (1, "02-20", Some("02-20"), Some(Lifecycle::Superseded)),
        (1, "02-20", Some("03-01"), Some(Lifecycle::Archived)),
        (2, "02-20", Some("02-20"), Some(Lifecycle::Effective)),
        (2, "02-20", None, Some(Lifecycle::Withdrawn)),
        (3, "03-15", Some("03-15"), Some(Lifecycle::Draft)),
        (3, "03-15", Some("03-20"), Some(Lifecycle::Effective)),
        (3, "06-01", None, Some(Lifecycle::Archived)),
        (3, "03-09", None, Some(Lifecycle::NotYet)),
        (4, "06-01", None, Some(Lifecycle::NotYet)),
        (4, "12-10", None, Some(Lifecycle::Effective)),
        (5, "06-01", None, Some(Lifecycle::Draft)),
        (6, "06-01", None, Some(Lifecycle::NotYet)),
        (7, "06-01", None, None),
    ] {
        let found = history.lifecycle(seq, date(day), known.map(end_of));
        assert_eq!(found, expected, "{seq} {day} {known:?}");
    }
}

#[test]
fn a_revision_holds_until_the_next_approved_one() {
    let history = history(&[
        "A 01-10: 1=x",
        "B 02-10 rec 03-01: 1=y",
        "C 03-10 draft: 1=z",
        "D 04-10 gone 05-01: 1=w",
        "E 06-10: 1=v",
        "F 06-10 rec 07-01: 1=u",
    ]);
    let until = |seq, known: Option<&str>| history.effective_to(seq, known.map(end_of)).map(|day| day.to_string());
    let day = |text: &str| Some(date(text).to_string());
    assert_eq!(until(1, None), day("02-10"));
    assert_eq!(until(1, Some("02-20")), None);
    assert_eq!(until(2, Some("04-20")), day("04-10"));
    assert_eq!(until(2, None), day("06-10"));
    assert_eq!(until(3, None), None);
    assert_eq!(until(4, None), None);
    assert_eq!(until(5, None), day("06-10"));
    assert_eq!(until(5, Some("06-20")), None);
    assert_eq!(until(6, None), None);
    assert_eq!(until(9, None), None);
}

#[test]
fn a_section_has_its_periods() {
    let history = history(&[
        "A 01-10: 1=x 2=y",
        "B 02-10: 1=x 2=z",
        "C 03-10: 1=x",
        "D 03-10 rec 03-11: 1=x 2=z",
        "E 04-10 differs 1: 1=x",
        "F 05-10: 1=x 2=z 3=n",
    ]);
    let shown = |key: &str, known: Option<&str>| -> Vec<String> {
        let periods = history.section_history(key, known.map(end_of));
        periods
            .iter()
            .map(|period| {
                let carried: Vec<&str> = period.carried_by.iter().map(|one| one.revision.as_str()).collect();
                let to = period.to.map_or_else(String::new, |to| to.format("%m-%d").to_string());
                let text = period
                    .section
                    .map_or("removed", |section| section.content_sha256.as_str());
                let from = period.from.format("%m-%d");
                format!("{from}..{to} {}={text} {}", period.revision.revision, carried.concat())
            })
            .collect()
    };
    assert_eq!(shown("1", None), ["01-10..04-10 A=x BD", "04-10.. E=x F"]);
    assert_eq!(
        shown("2", None),
        [
            "01-10..02-10 A=y ",
            "02-10..04-10 B=z D",
            "04-10..05-10 E=removed ",
            "05-10.. F=z "
        ]
    );
    assert_eq!(
        shown("2", Some("03-10")),
        ["01-10..02-10 A=y ", "02-10..03-10 B=z ", "03-10.. C=removed "]
    );
    assert_eq!(shown("3", None), ["05-10.. F=n "]);
    assert!(shown("4", None).is_empty());
}

#[test]
fn a_history_that_can_not_be_is_refused_by_name() {
    let mut two = vec![revision("A 01-10: 1=x", 4), revision("B 02-10: 1=y", 4)];
    let refused = |revisions: &[Revision]| {
        History::new(revisions.to_vec())
            .map_err(|fault| fault.to_string())
            .err()
    };
    let duplicate = "revisions \"A\" and \"B\" both have the number 4; give each revision of a document its own";
    assert_eq!(refused(&two).as_deref(), Some(duplicate));
    two[1].seq = 5;
    assert_eq!(refused(&two), None);
    let earlier = two[1].recorded_at - 1;
    two[1].events.push(Event {
        kind: EventKind::Withdrawn,
        recorded_at: earlier,
    });
    assert!(refused(&two).is_some_and(|why| why.contains("\"B\", event 2 (withdrawn)")));
    two[1].events.remove(0);
    assert!(refused(&two).is_some_and(|why| why.contains("\"B\", event 1 (withdrawn)")));
    assert!(matches!(
        made(&["A 01-10: 1=x 2=y 1=z"]),
        Err(HistoryFault::DuplicateKey { section_key, .. }) if section_key == "1"
    ));
    assert!(History::new(Vec::new()).is_ok_and(|none| none.in_force(date("01-01"), None).is_none()));
}

#[test]
fn measuring_never_blocks_and_an_answer_is_stopped_by_one_of_many() {
    let history = history(&["A 01-10: 1=x 2=y", "B 02-10: 1=x 2=z"]);
    let cited = |section_key| {
        (
            Some(&history),
            Cited {
                doc_sha256: "bytes of A",
                section_key,
            },
        )
    };
    let nowhere = (
        None,
        Cited {
            doc_sha256: "bytes of A",
            section_key: "1",
        },
    );
    let gated = |citations: &[_], mode| gate(citations.iter().copied(), date("03-01"), None, mode);
    let both = gated(&[cited("1"), cited("2"), nowhere], Mode::Block);
    assert!(both.blocks());
    assert_eq!(both.stale().map(|(index, _)| index).collect::<Vec<_>>(), [1, 2]);
    let measured = gated(&[cited("1"), cited("2"), nowhere], Mode::Measure);
    assert!(!measured.blocks());
    assert_eq!(measured.verdicts, both.verdicts);
    assert!(!gated(&[cited("1")], Mode::Block).blocks());
    assert!(!gated(&[], Mode::Block).blocks());
    assert_eq!(nowhere_verdict(&nowhere), ("unknown", None));
}

fn nowhere_verdict(citation: &(Option<&History>, Cited<'_>)) -> (&'static str, Option<String>) {
    let verdict = verdict(citation.0, &citation.1, date("03-01"), None);
    (
        verdict.standing.label(),
        verdict.in_force.map(|answer| in_force_text(Some(answer))),
    )
}

#[test]
fn one_current_copy_of_each_section_is_left_and_it_is_the_best_ranked() {
    let history = history(&["A 01-10: 1=x 2=y", "B 02-10: 1=x 2=z", "C 03-10 draft: 1=x 2=z"]);
    let ranked: Vec<(String, &str, &str)> = ["C/1", "A/2", "A/1", "B/1", "B/2"]
        .iter()
        .filter_map(|copy| copy.split_once('/'))
        .flat_map(|(name, key)| [("one", name, key), ("other", name, key)])
        .map(|(doc_id, name, key)| (format!("bytes of {name}"), doc_id, key))
        .collect();
    let given = ranked.iter().map(|(doc_sha256, doc_id, section_key)| {
        (
            *doc_id,
            Some(&history),
            Cited {
                doc_sha256,
                section_key,
            },
        )
    });
    assert_eq!(dedup_to_current(given, date("03-20"), None), [4, 5, 8, 9]);
}

#[test]
fn labels_lead_back() {
    for kind in [EventKind::Approved, EventKind::Withdrawn, EventKind::Archived] {
        assert_eq!(EventKind::from_label(kind.label()), Some(kind));
    }
    for mode in [Mode::Measure, Mode::Block] {
        assert_eq!(Mode::from_label(mode.label()), Some(mode));
    }
    assert_eq!(EventKind::from_label("Approved"), None);
}
