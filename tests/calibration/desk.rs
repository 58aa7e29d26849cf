//! The calibration desk opened on a workspace with a million decisions over a hundred fields, and what a decision costs there.
//!
//! The workspace is filled by SQL from outside, as a copy from another database would be: through the use cases it would take
//! hours. Its sums are made by the recount that an older workspace gets.
//!
//! Deliberately not here: the window. What it asks for when the desk is opened is asked for here in the same order.

use pincite_app::wire::{DecideRequest, QueueFilter, Verdict};
use pincite_app::{Workspace, calibrate, queue, settings, thresholds};
use pincite_tests::database;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const FIELDS: u32 = 100;
/// The desk opens in less.
const WANTED: Duration = Duration::from_millis(300);
const OPENINGS: usize = 9;
const DECISIONS: usize = 60;

/// 1,004,000 places over a year, of which 4,000 of the last two weeks are undecided. Confidence is between 0.3 and 1, and below
/// 0.87 always reviewed; a tenth of the rest was drawn. A value is wrong somewhat more often than its confidence says.
const FILL: &str = "
PRAGMA synchronous = OFF;
PRAGMA cache_size = -400000;
BEGIN;
CREATE TEMP TABLE place AS
WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1003999)
SELECT i, printf('field.f%02d', i % 100) AS field, 'd' || (i / 100) AS doc_id, printf('%064d', i / 100) AS doc_sha256,
    0.3 + 0.7 * ((i * 2654435761) % 1000003) / 1000003.0 AS confidence,
    ((i * 40503 + 7) % 100003) / 100003.0 AS chance,
    i >= 964000 AND i % 10 = 0 AS is_open,
    unixepoch() * 1000 - 31449600000 + CAST(i * 31449600.0 / 1004.0 AS INTEGER) AS at
FROM n;
INSERT INTO reviewers (name, recorded_at) VALUES ('ada', 0);
INSERT INTO records (record_id, body_sha256, doc_id, doc_sha256, field, status, model, prompt_version, confidence, violated, body, recorded_at)
SELECT 'r' || i, 'x', doc_id, doc_sha256, field, 'present', 'm', 'p', confidence, 0, CAST(json_object('doc_id', doc_id, 'doc_sha256',
    doc_sha256, 'field', field, 'value', i % 7, 'status', 'present', 'confidence', confidence, 'provenance', json_array(),
    'extractor', json_object('model', 'm', 'prompt_version', 'p', 'run_id', 'r')) AS BLOB), at FROM place;
INSERT INTO routing_log (record_id, outcome, reason, stratum, share, draw, recorded_at)
SELECT 'r' || i, 'queued', iif(confidence < 0.87, 'low_confidence', 'sample_audit'), iif(confidence < 0.87, NULL, 'show'),
    iif(confidence < 0.87, NULL, 0.1), iif(confidence < 0.87, NULL, 0.05), at FROM place;
INSERT INTO items (item_id, doc_id, doc_sha256, field, record_id, reason, hard, due_at, due_order, created_at, state, item_version, leases, recorded_at)
SELECT 'i' || i, doc_id, doc_sha256, field, 'r' || i, iif(confidence < 0.87, 'low_confidence', 'sample_audit'), 0, NULL,
    9223372036854775807, at, iif(is_open, 'open', 'decided'), 2, 1, at FROM place;
INSERT INTO decisions (decision_id, caller_key, item_id, item_version, reviewer, kind, record_id, value, token, wall_ms, active_ms, recorded_at)
SELECT 'e' || i, 'k' || i, 'i' || i, 1, 'ada', iif(chance < confidence - 0.05, 'accept', 'correct'), 'r' || i,
    CAST(iif(chance < confidence - 0.05, i % 7, 9) AS TEXT), 1, 20000 + (i % 977) * 100, NULL, at + 3600000 FROM place WHERE NOT is_open;
COMMIT;
";

const TRIGGERS: [&str; 7] = [
    "records_are_counted",
    "routings_are_counted",
    "items_are_counted",
    "changed_items_are_counted",
    "decisions_are_counted",
    "incidents_are_counted",
    "resolutions_are_counted",
];

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Takes the database's pages out of the system's memory, so that they are read from the disk again.
fn forget_pages(folder: &Path) {
    let program = "import os, sys\n\
                   for name in sys.argv[1:]:\n\
                   \x20   if os.path.exists(name):\n\
                   \x20       file = os.open(name, os.O_RDONLY)\n\
                   \x20       os.fsync(file)\n\
                   \x20       os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)\n";
    let files = ["pincite.sqlite", "pincite.sqlite-wal"].map(|name| folder.join(name));
    let ended = Command::new("python3").args(["-c", program]).args(files).status();
    assert!(ended.is_ok_and(|status| status.success()), "python3 runs");
}

/// What the window asks for when the desk is opened: every curve, and for the one it begins with the workload and the
/// suggestion. Answers how many curves there are.
async fn open_desk(workspace: &Workspace) -> usize {
    let curves = calibrate::curve_views(workspace, None).await.expect("curves");
    let first = curves.first().expect("a curve");
    let extractor = Some((first.model.as_str(), first.prompt_version.as_str()));
    let rows = calibrate::workload_views(workspace, Some(&first.field), extractor, Some(0.9))
        .await
        .expect("a workload");
    assert!(
        rows.iter()
            .all(|row| row.items_per_day > 0.0 && row.hours_per_day > 0.0)
    );
    let suggested = thresholds::suggested(workspace, &first.field, &first.model, &first.prompt_version)
        .await
        .expect("a suggestion");
    assert!(suggested.tau_show.is_some() || suggested.labels_needed.is_some());
    assert!(
        curves
            .iter()
            .all(|curve| curve.closed_cohorts > 40 && curve.ece.is_some())
    );
    curves.len()
}

/// Claims and accepts open items; answers the times of the decisions alone.
async fn decide(workspace: &Workspace, after: &str) -> Vec<Duration> {
    let limit = i64::try_from(DECISIONS).expect("a small number");
    let items = queue::list(workspace, limit, Some(after), &QueueFilter::default(), "ada", false)
        .await
        .expect("items");
    let mut times = Vec::new();
    for item in &items {
        let claim = queue::claim(workspace, Some(&item.item), "ada").await.expect("free");
        let claim = claim.expect("a claim");
        let request = DecideRequest {
            item: claim.item,
            item_version: claim.item_version,
            token: claim.token,
            key: format!("key {}", item.item),
            record_id: None,
            verdict: Verdict::Accept,
            note: None,
            signature: None,
            segments: Vec::new(),
        };
        let began = Instant::now();
        queue::decide(workspace, &request, "ada").await.expect("decided");
        times.push(began.elapsed());
    }
    times
}

#[tokio::test]
#[ignore = "a measurement: `make bench`"]
async fn bench_calibration_desk() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let home = folder.path().join("workspace");
    let workspace = Workspace::create(&home, false).await.expect("a workspace");
    let catalogue = folder.path().join("catalogue.toml");
    let mut text = String::new();
    for field in 0..FIELDS {
        let _ = writeln!(
            text,
            "[field.\"field.f{field:02}\"]\ntitle = \"Field {field}\"\ntype = \"number\"\nmax_error = 0.15"
        );
    }
    std::fs::write(&catalogue, text).expect("written");
    settings::catalogue_set(&workspace, &catalogue, "ada")
        .await
        .expect("a catalogue");
    workspace.store.close().await;
    let began = Instant::now();
    database::alter_file(&home, FILL);
    let decisions = database::ask_file(&home, "SELECT count(*) FROM decisions");
    eprintln!(
        "{decisions} decisions over {FIELDS} fields, filled in {:.0} s",
        began.elapsed().as_secs_f64()
    );
    assert_eq!(decisions, "1000000");

    let workspace = Workspace::open(&home).await.expect("opened");
    let began = Instant::now();
    assert_eq!(open_desk(&workspace).await, FIELDS as usize);
    eprintln!(
        "all places counted anew, and the desk opened, in {:.1} s",
        began.elapsed().as_secs_f64()
    );
    let mut warm = Vec::new();
    for _ in 0..OPENINGS {
        let began = Instant::now();
        open_desk(&workspace).await;
        warm.push(began.elapsed());
    }
    workspace.store.close().await;
    let mut cold = Vec::new();
    for _ in 0..3 {
        forget_pages(&home);
        let workspace = Workspace::open(&home).await.expect("opened");
        let began = Instant::now();
        open_desk(&workspace).await;
        cold.push(began.elapsed());
        workspace.store.close().await;
    }
    let (warm, cold) = (median(warm), median(cold));
    eprintln!(
        "the desk opens in {warm:.1?}, with nothing of the database in memory in {cold:.1?} (wanted: {WANTED:?})"
    );

    let workspace = Workspace::open(&home).await.expect("opened");
    let with = median(decide(&workspace, "i964000").await);
    workspace.store.close().await;
    let drop: String = TRIGGERS.iter().map(|name| format!("DROP TRIGGER {name};")).collect();
    database::alter_file(&home, &drop);
    let workspace = Workspace::open(&home).await.expect("opened");
    let without = median(decide(&workspace, "i965000").await);
    eprintln!("a decision is written in {with:.2?}; where no sum is kept in {without:.2?}");
    assert!(warm < WANTED, "{warm:?}");
}
