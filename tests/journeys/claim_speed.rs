//! How fast the next item is claimed out of a million open ones, and how fast the queue's first page opens; on PostgreSQL beside
//! the bare statements that a claim comes to.
//!
//! Deliberately not here: many claimants at once (`workers`). It prints what it measured and judges nothing.

use pincite_app::Workspace;
use pincite_app::queue;
use pincite_app::wire::QueueFilter;
use pincite_tests::{World, database};
use sqlx::postgres::PgConnection;
use sqlx::{Connection as _, Executor as _};
use std::io::Write as _;
use std::time::{Duration, Instant};

const CLAIMS: usize = 1_000;

/// A million open items: a third without a due time, one in fifty hard.
const FILL: &str = "INSERT INTO items (item_id, doc_id, doc_sha256, field, record_id, reason, hard, due_at, due_order, created_at, state, \
     item_version, leases, recorded_at) \
     WITH RECURSIVE n(i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < 999999) \
     SELECT 'i' || CAST(i AS TEXT), 'd' || CAST(i AS TEXT), 'x', 'field.' || CAST(i % 100 AS TEXT), 'r', 'low_confidence', i % 50 = 0, \
     CASE WHEN i % 3 = 0 THEN NULL ELSE 1800000000000 + (i * 7919) % 1000003 END, \
     CASE WHEN i % 3 = 0 THEN 9223372036854775807 ELSE 1800000000000 + (i * 7919) % 1000003 END, i, 'open', 1, 0, 0 FROM n";

/// What a claim comes to, by hand: the row, its count of leases, the lease, the end of the chain, an entry and its payload.
const BARE: [&str; 4] = [
    "WITH free AS MATERIALIZED (SELECT i.item_id FROM items i LEFT JOIN assignments a ON a.item_id = i.item_id AND a.ended_at IS NULL \
       AND a.expires_at > 1 WHERE i.state = 'open' AND a.item_id IS NULL \
       ORDER BY i.hard DESC, i.due_order, i.created_at, i.item_id LIMIT 1 FOR UPDATE OF i SKIP LOCKED) \
     INSERT INTO assignments (assignment_id, item_id, reviewer, round, token, expires_at, recorded_at) \
     SELECT gen_random_uuid(), item_id, 'ada', 1, 1, 9223372036854775807, 0 FROM free",
    "UPDATE items SET leases = leases + 1 WHERE item_id = (SELECT item_id FROM assignments ORDER BY recorded_at LIMIT 1)",
    "INSERT INTO audit_entries (seq, recorded_at, zone, who, role, action, subject, payload, entry_hash) \
     SELECT max(seq) + 1, 0, 'z', 'ada', 'local', 'queue.claim', 'x', '\\x00', '\\x00' FROM audit_entries",
    "INSERT INTO audit_payloads (seq, salt, payload) SELECT max(seq), '\\x00', '\\x00' FROM audit_entries",
];

fn spread(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    (at(50), at(99))
}

/// How long this disk takes to keep 4 KiB for sure: no commit is sooner.
fn disk(world: &World) -> (Duration, Duration) {
    let path = world.file("disk", "");
    let mut file = std::fs::OpenOptions::new().append(true).open(path).expect("a file");
    let page = [7_u8; 4096];
    let keep = |_| {
        let began = Instant::now();
        file.write_all(&page).expect("written");
        file.sync_data().expect("kept");
        began.elapsed()
    };
    spread((0..CLAIMS).map(keep).collect())
}

async fn measure(world: &World, name: &str) -> Duration {
    let workspace = Workspace::open(world.place()).await.expect("the workspace");
    let _ = queue::claim(&workspace, None, "ada").await.expect("a claim");
    let mut times = Vec::new();
    for _ in 0..CLAIMS {
        let began = Instant::now();
        let claim = queue::claim(&workspace, None, "ada").await.expect("a claim");
        times.push(began.elapsed());
        assert!(claim.is_some());
    }
    let total = times.iter().sum();
    let (median, slow) = spread(times);
    let mut lists = Vec::new();
    for _ in 0..20 {
        let began = Instant::now();
        let listed = queue::list(&workspace, 100, None, &QueueFilter::default(), "ada", false)
            .await
            .expect("a page");
        lists.push(began.elapsed());
        assert_eq!(listed.len(), 100);
    }
    let (list, _) = spread(lists);
    eprintln!(
        "{name}: a claim of a million takes {median:?}, 99 of 100 at most {slow:?}; the queue's first page {list:?}"
    );
    total
}

#[test]
#[ignore = "a measurement: claims out of a million open items, on both databases"]
fn bench_claims() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let here = World::in_a_folder();
        let _ = here.json(["init"]);
        database::tamper(&here, FILL);
        let _ = measure(&here, "SQLite").await;
        let (median, slow) = disk(&here);
        eprintln!("this disk keeps 4 KiB in {median:?}, 99 of 100 times in at most {slow:?}");
        let Some(server) = pincite_tests::postgres::Server::durable() else {
            return;
        };
        let team = World::on(server.workspace_url());
        let _ = team.json(["init"]);
        database::tamper(&team, &format!("{FILL}; ANALYZE"));
        let ours = measure(&team, "PostgreSQL").await;
        let mut connection = PgConnection::connect(&team.database().unwrap_or_default())
            .await
            .expect("a connection");
        let began = Instant::now();
        for _ in 0..CLAIMS {
            let mut transaction = connection.begin().await.expect("begun");
            // As a claim has it: a plan made before anything was leased would read every lease for each item.
            transaction
                .execute("SET LOCAL enable_seqscan = off")
                .await
                .expect("set");
            for statement in BARE {
                transaction.execute(statement).await.expect("a statement");
            }
            transaction.commit().await.expect("committed");
        }
        let bare = began.elapsed();
        let rate = |time: Duration| CLAIMS as f64 / time.as_secs_f64();
        eprintln!(
            "PostgreSQL: {:.0} claims a second, {:.0} by the bare statements: {:.2}",
            rate(ours),
            rate(bare),
            rate(ours) / rate(bare)
        );
    });
}
