//! How fast the registry answers where there is much of it: 100,000 sections, each in 20 revisions.
//!
//! Deliberately not here: the rules alone (`bench_registry` in pincite-core). It prints what it measured and judges nothing.

use pincite_app::Workspace;
use pincite_app::registry::questions::{Dates, gate};
use pincite_app::registry::{Mode, corpus};
use pincite_app::wire::GateRequest;
use pincite_tests::{World, database};
use std::time::{Duration, Instant};

/// A thousand documents, twenty revisions each, a hundred sections each; a section changes every first to fifth revision.
const FILL: [&str; 3] = [
    "INSERT INTO documents (doc_id, recorded_at) WITH RECURSIVE d(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM d WHERE i < 1000) \
     SELECT printf('doc-%04d', i), 0 FROM d",
    "INSERT INTO revisions (doc_id, seq, revision, doc_sha256, structure_id, effective_date, declared, owner, class, why, who, recorded_at, \
     entered_at) WITH RECURSIVE d(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM d WHERE i < 1000), \
     r(j) AS (SELECT 1 UNION ALL SELECT j + 1 FROM r WHERE j < 20) \
     SELECT printf('doc-%04d', i), j, 'R' || j, printf('%064d', i * 100 + j), 's', date('2006-01-01', '+' || j || ' years'), NULL, 'o', 'c', \
     CAST('' AS BLOB), 'w', unixepoch(date('2005-11-01', '+' || j || ' years')) * 1000, 0 FROM d, r",
    "INSERT INTO revision_sections (doc_id, seq, sections, recorded_at) \
     WITH RECURSIVE d(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM d WHERE i < 1000), \
     r(j) AS (SELECT 1 UNION ALL SELECT j + 1 FROM r WHERE j < 20), s(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM s WHERE k < 100) \
     SELECT printf('doc-%04d', i), j, CAST(json_group_array(json_object('section_key', 's' || k, 'locator', '' || k, 'title', \
     'Section ' || k, 'own_sha256', printf('%064d', k * 100 + j / (1 + k % 5)), 'content_sha256', printf('%064d', k * 100 + j / (1 + k % 5)))) \
     AS BLOB), 0 FROM d, r, s GROUP BY i, j",
];

const APPROVED: &str = "INSERT INTO revision_events (doc_id, seq, event, why, who, recorded_at, entered_at) \
    SELECT doc_id, seq, 'approved', CAST('' AS BLOB), 'w', recorded_at, 0 FROM revisions";

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[test]
#[ignore = "a measurement: 100,000 sections in 20 revisions"]
fn bench_corpus_desk() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let world = World::in_a_folder();
        let _ = world.json(["init"]);
        for statement in FILL {
            database::tamper(&world, statement);
        }
        database::tamper(&world, APPROVED);
        let workspace = Workspace::open(world.place()).await.expect("the workspace");
        let mut overviews = Vec::new();
        let mut timelines = Vec::new();
        for number in 1..=21 {
            let began = Instant::now();
            let corpus = corpus::overview(&workspace, Dates::today()).await.expect("the corpus");
            overviews.push(began.elapsed());
            assert_eq!(corpus.documents.len(), 1_000);
            let began = Instant::now();
            let line = corpus::timeline(&workspace, &format!("doc-{:04}", number * 40), Dates::today()).await;
            timelines.push(began.elapsed());
            let line = line.expect("a time line");
            assert_eq!((line.revisions.len(), line.sections.len()), (20, 100));
        }
        let requests: Vec<GateRequest> = (0..10_000_u32)
            .map(|number| {
                let (doc, seq) = (number % 1_000 + 1, number % 20 + 1);
                let line = format!(
                    "{{\"doc_id\": \"doc-{doc:04}\", \"doc_sha256\": \"{:064}\", \"section\": \"s{}\"}}",
                    doc * 100 + seq,
                    number % 100 + 1
                );
                serde_json::from_str(&line).expect("a citation")
            })
            .collect();
        let began = Instant::now();
        let verdicts = gate(&workspace, &requests, Dates::today(), Mode::Measure).await.expect("verdicts");
        let gated = began.elapsed();
        let current = verdicts.iter().filter(|verdict| verdict.standing.current).count();
        assert!(current > 0 && current < verdicts.len(), "{current}");
        eprintln!(
            "1,000 documents with 20 revisions of 100 sections: the corpus desk's list {:?}, a time line {:?}; 10,000 citations over \
             all of them, every history read from the store, {gated:?}",
            median(overviews),
            median(timelines)
        );
    });
}
