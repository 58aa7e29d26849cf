//! Times to decision: what a window logs, what follows from it, and that no time is counted twice, whatever is sent again.
//!
//! Deliberately not here: how events become times, case by case (the core's own tests), and when a window logs what (its
//! own tests).

use crate::incidents::world_with_texts;
use crate::text;
use pincite_app::wire::ReadingEventKind::{self, Blurred, Decided, Focused, Idle, Left, Painted, Returned};
use pincite_app::wire::{Claim, DecideRequest, DecisionView, ErrorCode, ReadingEvent, ReadingSegment, Verdict};
use pincite_app::{AppError, Workspace, queue, reading_times};
use pincite_tests::{World, database};
use serde_json::Value;

/// A segment of a window's only process.
pub(crate) fn segment(id: &str, events: &[(u64, ReadingEventKind)]) -> ReadingSegment {
    ReadingSegment {
        segment: id.to_owned(),
        process: "window-1".to_owned(),
        events: events
            .iter()
            .map(|(at, event)| ReadingEvent { at: *at, event: *event })
            .collect(),
    }
}

fn request(claim: &Claim, key: &str, segments: Vec<ReadingSegment>) -> DecideRequest {
    DecideRequest {
        item: claim.item.clone(),
        item_version: claim.item_version,
        token: claim.token,
        key: key.to_owned(),
        record_id: None,
        verdict: Verdict::Accept,
        note: None,
        signature: None,
        segments,
    }
}

/// Works with a world's workspace as the window does.
pub(crate) fn in_workspace<T>(world: &World, work: impl AsyncFnOnce(&Workspace) -> T) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let workspace = Workspace::open(world.place()).await.expect("the workspace");
        let answer = work(&workspace).await;
        workspace.store.close().await;
        answer
    })
}

async fn claimed(workspace: &Workspace, item: Option<&str>, who: &str) -> Claim {
    let claim = queue::claim(workspace, item, who).await.expect("a claim");
    claim.expect("an item is free")
}

fn times(world: &World) -> Vec<(Value, Value, Value)> {
    let lines = world.lines(0, ["decision", "times"]);
    let three = |line: &Value| {
        (
            line["segments"].clone(),
            line["wall_milliseconds"].clone(),
            line["active_milliseconds"].clone(),
        )
    };
    lines.iter().map(three).collect()
}

#[test]
fn stretches_add_up_over_processes_and_nothing_counts_twice() {
    let world = world_with_texts(2);
    let made: DecisionView = in_workspace(&world, async |workspace| {
        let claim = claimed(workspace, None, "bea").await;
        let first = segment("s-1", &[(5_000, Painted), (15_000, Blurred), (45_000, Left)]);
        // Sent again after a lost answer; and the clock of another process begins anywhere.
        for _ in 0..3 {
            reading_times::keep(workspace, &claim.item, &first, "bea")
                .await
                .expect("kept");
        }
        let second = ReadingSegment {
            process: "window-2".to_owned(),
            ..segment(
                "s-2",
                &[(3, Painted), (60_003, Idle), (70_003, Returned), (70_103, Left)],
            )
        };
        reading_times::keep(workspace, &claim.item, &second, "bea")
            .await
            .expect("kept");
        // Somebody else's reading of the same item is nobody's time but theirs.
        let others = segment("s-other", &[(0, Painted), (9_999, Left)]);
        reading_times::keep(workspace, &claim.item, &others, "cleo")
            .await
            .expect("kept");
        let last = segment("s-3", &[(50_000, Painted), (50_500, Decided)]);
        let wanted = request(&claim, "k-1", vec![first, last]);
        let made = queue::decide(workspace, &wanted, "bea").await.expect("a decision");
        let again = queue::decide(workspace, &wanted, "bea").await.expect("the same");
        assert_eq!(again.decision, made.decision);
        made
    });
    // 40,000 + 70,100 + 500, and active 10,000 + 60,000 + 100 + 500.
    assert_eq!(made.wall_milliseconds, Some(110_600));
    assert_eq!(times(&world), [(3.into(), 110_600.into(), 70_600.into())]);
    let events = world.lines(0, ["decision", "events"]);
    assert_eq!(events.len(), 3 + 4 + 2 + 2);
    let of = |segment: &str| {
        events
            .iter()
            .filter(|event| event["segment"] == segment)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        of("s-2")
            .iter()
            .map(|event| (text(event, "event"), event["at_milliseconds"].as_i64()))
            .collect::<Vec<_>>(),
        [
            ("painted", Some(3)),
            ("idle", Some(60_003)),
            ("returned", Some(70_003)),
            ("left", Some(70_103))
        ]
    );
    assert!(
        of("s-2")
            .iter()
            .all(|event| event["decision"] == made.decision && event["process"] == "window-2")
    );
    assert!(of("s-other").iter().all(|event| event["decision"].is_null()));
}

#[test]
fn what_comes_after_an_undo_is_a_new_reading_and_a_command_has_no_time() {
    let world = world_with_texts(1);
    in_workspace(&world, async |workspace| {
        let claim = claimed(workspace, None, "bea").await;
        let read = vec![segment("s-1", &[(0, Painted), (4_000, Decided)])];
        let first = queue::decide(workspace, &request(&claim, "k-1", read), "bea")
            .await
            .expect("made");
        queue::undo(workspace, &first.decision, "u-1", "bea")
            .await
            .expect("undone");
        let claim = claimed(workspace, Some(&claim.item), "bea").await;
        let read = vec![segment("s-2", &[(9_000, Painted), (9_700, Decided)])];
        let second = queue::decide(workspace, &request(&claim, "k-2", read), "bea")
            .await
            .expect("made");
        queue::undo(workspace, &second.decision, "u-2", "bea")
            .await
            .expect("undone");
        let claim = claimed(workspace, Some(&claim.item), "bea").await;
        queue::decide(workspace, &request(&claim, "k-3", Vec::new()), "bea")
            .await
            .expect("made");
    });
    let null = || Value::Null;
    assert_eq!(
        times(&world),
        [
            (1.into(), 4_000.into(), 4_000.into()),
            (0.into(), null(), null()),
            (1.into(), 700.into(), 700.into()),
            (0.into(), null(), null()),
            (0.into(), null(), null()),
        ]
    );
    let table = world.run(["decision", "times", "--csv"]);
    let lines: Vec<&str> = table.out.lines().collect();
    assert_eq!(
        lines[0],
        "decision,item,doc_id,doc_sha256,field,reviewer,kind,recorded_at,segments,wall_milliseconds,active_milliseconds"
    );
    assert_eq!(lines.len(), 6);
    assert!(
        lines[1].ends_with(",1,4000,4000") && lines[2].ends_with(",0,,"),
        "{lines:?}"
    );
    let other = world.lines(0, ["decision", "times", "--field", "another.field"]);
    assert!(other.is_empty());
    assert_eq!(world.run(["decision", "events", "--csv"]).out.lines().count(), 1 + 4);
}

#[test]
fn a_decision_that_is_refused_keeps_no_time_and_what_is_no_segment_is_refused() {
    let world = world_with_texts(2);
    in_workspace(&world, async |workspace| {
        let claim = claimed(workspace, None, "bea").await;
        let read = || vec![segment("s-1", &[(0, Painted), (8_000, Decided)])];
        let refused = |answer: Result<DecisionView, AppError>| answer.expect_err("refused");
        let stale = DecideRequest {
            token: claim.token + 1,
            ..request(&claim, "k-0", read())
        };
        assert_eq!(
            refused(queue::decide(workspace, &stale, "bea").await).code,
            ErrorCode::LeaseLost
        );
        for (events, why) in [
            (vec![(0, Focused), (1, Decided)], "a segment begins with painted"),
            (vec![(0, Painted)], "a segment ends with left or decided"),
            (
                vec![(5, Painted), (4, Decided)],
                "event 1 is earlier than the one before it",
            ),
            (vec![], "a segment begins with painted"),
        ] {
            let bad = request(&claim, "k-0", vec![segment("s-bad", &events)]);
            let error = refused(queue::decide(workspace, &bad, "bea").await);
            assert_eq!(error.code, ErrorCode::BadInput);
            assert_eq!(error.message, format!("reading segment s-bad: {why}"));
        }
        // The same stretch goes with the next attempt, and with no other item.
        let made = queue::decide(workspace, &request(&claim, "k-1", read()), "bea")
            .await
            .expect("made");
        assert_eq!(made.wall_milliseconds, Some(8_000));
        let other = claimed(workspace, None, "bea").await;
        let error = refused(queue::decide(workspace, &request(&other, "k-2", read()), "bea").await);
        assert!(
            error.message.contains("s-1 belongs to another item"),
            "{}",
            error.message
        );
        let nowhere = reading_times::keep(workspace, "no-item", &read()[0], "bea").await;
        assert_eq!(nowhere.expect_err("refused").code, ErrorCode::NotFound);
    });
    for statement in [
        "UPDATE reading_events SET at_ms = 1",
        "DELETE FROM reading_segments",
        "DELETE FROM counted_segments",
        "UPDATE counted_segments SET decision_id = 'x'",
    ] {
        let refused = database::refusal(&world, statement);
        assert!(
            refused.contains("never changes") || refused.contains("counts once"),
            "{statement}: {refused:?}"
        );
    }
}
