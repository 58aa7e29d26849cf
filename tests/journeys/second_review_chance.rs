//! Five people who claim, decide, take back and give back as chance will: whatever the order, nobody reviews themselves, nobody
//! settles what they said, and an item rests on decisions alone.
//!
//! In one process, beside the program, so that hundreds of steps take seconds.
//!
//! Deliberately not here: single stories (`second_review`).

use crate::enter_first::world_with_slips;
use crate::{elements, number};
use pincite_app::wire::{DecideRequest, DecisionView, Verdict};
use pincite_app::{Workspace, queue};
use pincite_tests::chance::Chance;
use pincite_tests::{World, database};
use serde_json::{Value, json};

const PEOPLE: [&str; 5] = ["ada", "bea", "cy", "dee", "eve"];
const STEPS: u64 = 300;

/// What must never be: a query for each that counts how often it is.
const NEVER: [(&str, &str); 7] = [
    (
        "a second review by somebody who had decided on the item by then",
        "SELECT count(*) FROM second_reviews s JOIN second_draws c ON c.decision_id = s.decision_id \
         JOIN decisions d ON d.item_id = s.item_id AND d.number <= c.decision_number AND d.reviewer = s.reviewer",
    ),
    (
        "an adjudication by one of the two who differ",
        "SELECT count(*) FROM adjudications a JOIN decisions d ON d.decision_id = a.decision_id \
         JOIN decisions f ON f.decision_id = a.first_id JOIN second_reviews s ON s.second_id = a.second_id \
         WHERE d.reviewer IN (f.reviewer, s.reviewer)",
    ),
    (
        "two draws of one item at work",
        "SELECT count(*) FROM (SELECT item_id FROM second_draws WHERE state IN ('waiting', 'differ') \
         GROUP BY item_id HAVING count(*) > 1) AS several",
    ),
    (
        "a draw at work, agreed or settled whose decision was taken back",
        "SELECT count(*) FROM second_draws c WHERE c.state <> 'void' AND EXISTS \
         (SELECT 1 FROM decisions u WHERE u.kind = 'undo' AND u.replaces = c.decision_id)",
    ),
    (
        "a draw that waits while its second review stands, or the other way round",
        "SELECT count(*) FROM second_draws c WHERE c.state <> 'void' AND (c.state = 'waiting') = (coalesce((SELECT s.kind \
         FROM second_reviews s WHERE s.decision_id = c.decision_id ORDER BY s.number DESC LIMIT 1), 'undo') <> 'undo')",
    ),
    (
        "an item whose state is not what its last decision says",
        "SELECT count(*) FROM items i WHERE (i.state = 'decided') <> (coalesce((SELECT d.kind FROM decisions d \
         WHERE d.item_id = i.item_id ORDER BY d.number DESC LIMIT 1), 'undo') <> 'undo')",
    ),
    (
        "two leases on one item",
        "SELECT count(*) FROM (SELECT item_id FROM assignments WHERE ended_at IS NULL GROUP BY item_id HAVING count(*) > 1) AS several",
    ),
];

fn verdict(chance: &mut Chance) -> Verdict {
    match chance.below(6) {
        0 => Verdict::Correct { value: json!(9) },
        1 => Verdict::Abstain {
            reason: "not_stated".into(),
        },
        _ => Verdict::Accept,
    }
}

/// A step of one person: take something back, or claim what comes next and decide it, or give it back.
async fn step(
    workspace: &Workspace,
    chance: &mut Chance,
    turn: u64,
    made: &mut Vec<(String, DecisionView)>,
) -> Option<()> {
    let who = PEOPLE[usize::try_from(chance.below(5)).ok()?];
    if chance.below(5) == 0 && !made.is_empty() {
        let at = usize::try_from(chance.below(made.len() as u64)).ok()?;
        let (maker, decision) = made[at].clone();
        // Refused where it no longer stands: that is an answer too.
        if queue::undo(workspace, &decision.decision, &format!("undo {turn}"), &maker)
            .await
            .is_ok()
        {
            made.remove(at);
        }
        return Some(());
    }
    let claim = queue::claim(workspace, None, who).await.expect("an answer")?;
    if chance.below(6) == 0 {
        let _ = queue::release(workspace, &claim.item, claim.token)
            .await
            .expect("given back");
        return Some(());
    }
    let request = DecideRequest {
        key: format!("decide {turn}"),
        item: claim.item,
        item_version: claim.item_version,
        token: claim.token,
        record_id: None,
        verdict: verdict(chance),
        note: None,
        signature: None,
        segments: Vec::new(),
    };
    let decision = queue::decide(workspace, &request, who)
        .await
        .expect("what was claimed can be decided");
    made.push((who.to_owned(), decision));
    Some(())
}

fn asked(world: &World, query: &str) -> i64 {
    database::ask(world, query).parse().expect("a count")
}

#[test]
fn whatever_the_order_nobody_reviews_or_settles_their_own() {
    let world = world_with_slips(0.0, 9);
    let _ = world.json(["settings", "set", "second_review_share", "0.8", "--why", "a test"]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let workspace = Workspace::open(world.place()).await.expect("the workspace");
        let (mut chance, mut made) = (Chance::new(1604), Vec::new());
        for turn in 0..STEPS {
            let _ = step(&workspace, &mut chance, turn, &mut made).await;
        }
    });
    for (what, query) in NEVER {
        assert_eq!(asked(&world, query), 0, "{what}");
    }
    // It went through all of it, or the above says nothing.
    for (what, query) in [
        (
            "a decision taken back with its draw",
            "SELECT count(*) FROM second_draws WHERE state = 'void'",
        ),
        ("an adjudication", "SELECT count(*) FROM adjudications"),
        (
            "a second review taken back",
            "SELECT count(*) FROM second_reviews WHERE kind = 'undo'",
        ),
    ] {
        assert!(asked(&world, query) > 0, "never {what}");
    }
    let log = world.lines(0, ["audit", "log"]);
    for agrees in [true, false] {
        let such = |entry: &&Value| entry["action"] == "queue.second_review" && entry["payload"]["agrees"] == agrees;
        assert!(log.iter().filter(such).count() > 0, "never agrees: {agrees}");
    }

    // One label for each item that rests on a decision which nobody disputes; the others wait.
    let curves = world.json(["calibrate"]);
    let curve = &elements(&curves)[0];
    let disputed = asked(&world, "SELECT count(*) FROM second_draws WHERE state = 'differ'");
    let settled = asked(
        &world,
        "SELECT count(*) FROM items i WHERE i.state = 'decided' AND NOT EXISTS \
         (SELECT 1 FROM second_draws c WHERE c.item_id = i.item_id AND c.state = 'differ')",
    );
    assert_eq!(number(curve, "labels"), settled, "{disputed} disputed");
    assert_eq!(number(curve, "labels") + number(curve, "pending"), 9);
    assert!(world.json(["audit", "verify"])["fault"].is_null());
}
