//! Sums that were kept by differences against a recount, bit for bit, through random days of a workspace.

#![expect(
    clippy::expect_used,
    clippy::cast_possible_truncation,
    reason = "a test that can't go on says so by panicking, and its numbers are small"
)]

use super::counts::settle;
use super::curve_views;
use crate::routing::{Rules, first_row, newer_candidate, queue as to_queue, record_of, route};
use crate::thresholds::{self, NewThresholds};
use crate::wire::{DecideRequest, QueueFilter, QueueItem, ReadingEvent, ReadingEventKind, ReadingSegment, Verdict};
use crate::{Workspace, incidents, queue, settings};
use pincite_core::record::FieldRecord;
use pincite_store::curve_counts::{SumRow, all_sums, any_uncounted};
use pincite_store::records::NewRecord;
use serde_json::json;

const CATALOGUE: &str = r#"
[field.sum]
title = "Sum"
type = "number"
max_error = 0.05

[field.name]
title = "Name"
type = "text"
"#;

/// The same in every run: SplitMix64.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end
    }
}

struct Desk {
    folder: tempfile::TempDir,
    workspace: Workspace,
    numbers: Numbers,
    /// How often each kind of thing was done.
    done: std::collections::BTreeMap<&'static str, u32>,
    last_decision: Option<(String, &'static str)>,
    /// How often somebody found two who differ.
    disputes: u32,
    keys: u32,
}

impl Desk {
    async fn new(seed: u64) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let workspace = Workspace::create(&folder.path().join("workspace"), false)
            .await
            .expect("a workspace");
        let desk = Self {
            folder,
            workspace,
            numbers: Numbers(seed),
            done: std::collections::BTreeMap::new(),
            last_decision: None,
            disputes: 0,
            keys: 0,
        };
        desk.set_catalogue(CATALOGUE).await;
        settings::set(&desk.workspace, "second_review_share", "0.5", "a test", "ada")
            .await
            .expect("set");
        desk
    }

    async fn set_catalogue(&self, text: &str) {
        let path = self.folder.path().join("catalogue.toml");
        std::fs::write(&path, text).expect("written");
        settings::catalogue_set(&self.workspace, &path, "ada")
            .await
            .expect("a catalogue");
    }

    fn one_of(&mut self, words: &[&'static str]) -> &'static str {
        words[self.numbers.below(words.len() as u64) as usize]
    }

    fn key(&mut self) -> String {
        self.keys += 1;
        format!("key {}", self.keys)
    }

    /// A record as an import keeps it, with every citation verified.
    async fn import(&mut self) {
        let (field, value) = match self.numbers.below(3) {
            0 => ("name", self.one_of(&["Ada", "ada", "Grace"]).into()),
            _ => ("sum", json!(self.numbers.below(3))),
        };
        let status = self.one_of(&["present", "present", "present", "absent", "conflicting"]);
        let model = self.one_of(&["m", "n"]);
        let value = if status == "absent" { json!(null) } else { value };
        let line = json!({
            "doc_id": format!("d{}", self.numbers.below(12)), "doc_sha256": "a".repeat(64), "field": field, "value": value,
            "status": status, "confidence": self.numbers.below(1_001) as f64 / 1_000.0, "provenance": [],
            "extractor": { "model": model, "prompt_version": "p", "run_id": "r" },
        });
        let record = FieldRecord::parse_line(line.to_string().as_bytes()).expect("a record");
        let mut write = self.workspace.store.write().await.expect("a write");
        let rules = Rules::read(write.connection()).await.expect("rules");
        let violated = self.numbers.below(12) == 0;
        let route = route(&record, violated, true, &rules);
        let record_id = self.key();
        let body = serde_json::to_vec(&record).expect("bytes");
        let new = NewRecord {
            record_id: &record_id,
            body_sha256: &record_id,
            doc_id: &record.doc_id,
            doc_sha256: &record.doc_sha256,
            field: &record.field,
            status: record.status.name(),
            model: &record.extractor.model,
            prompt_version: &record.extractor.prompt_version,
            confidence: record.confidence.valid(),
            violated,
            body: &body,
        };
        // Weeks differ, as if the record had come earlier.
        write.now -= self.numbers.below(4) as i64 * 7 * 86_400_000;
        write.add_record(&new, &first_row(&route)).await.expect("kept");
        to_queue(&mut write, &record_id, &record, &route, &rules)
            .await
            .expect("queued");
        newer_candidate(&mut write, &record_id, &record, &rules)
            .await
            .expect("moved");
        settle(&mut write, &rules.catalogue).await.expect("settled");
        write.commit().await.expect("committed");
    }

    async fn list(&self, reviewer: &str) -> Vec<QueueItem> {
        queue::list(&self.workspace, 50, None, &QueueFilter::default(), reviewer, true)
            .await
            .expect("a list")
    }

    async fn decide(&mut self) {
        // For a while somebody accepts whatever comes, so that incidents open.
        let hasty = self.keys / 30 % 2 == 1;
        let reviewer = if hasty {
            "grace"
        } else {
            self.one_of(&["ada", "grace", "cleo"])
        };
        let list = self.list(reviewer).await;
        if list.is_empty() {
            return;
        }
        self.disputes += u32::from(list.iter().any(|item| item.reason == "adjudication"));
        let item = &list[self.numbers.below(list.len() as u64) as usize].item;
        let Ok(Some(claim)) = queue::claim(&self.workspace, Some(item), reviewer).await else {
            return;
        };
        let mut reading = self.workspace.store.read().await.expect("a connection");
        let row = pincite_store::items::item(&mut reading, 0, item).await.expect("read");
        let row = row.expect("an item");
        let candidates = pincite_store::records::candidates(&mut reading, &row.doc_id, &row.doc_sha256, &row.field)
            .await
            .expect("candidates");
        drop(reading);
        let seen = &candidates[self.numbers.below(candidates.len() as u64) as usize];
        let value = record_of(seen).expect("a record").value;
        let verdict = match self.numbers.below(6) {
            _ if hasty => Verdict::Accept,
            0 => Verdict::Reject {
                reason: "wrong_value".into(),
            },
            1 => Verdict::Abstain {
                reason: "not_stated".into(),
            },
            2 => Verdict::Correct {
                value: if row.field == "sum" { json!(7) } else { json!("Ada") },
            },
            _ if value.is_null() || seen.status == "conflicting" => Verdict::Abstain { reason: "other".into() },
            _ => Verdict::Accept,
        };
        let at = |at, event| ReadingEvent { at, event };
        let segment = ReadingSegment {
            segment: self.key(),
            process: "window".into(),
            events: vec![
                at(0, ReadingEventKind::Painted),
                at(if hasty { 900 } else { 20_000 }, ReadingEventKind::Decided),
            ],
        };
        let request = DecideRequest {
            item: item.clone(),
            item_version: claim.item_version,
            token: claim.token,
            key: self.key(),
            record_id: Some(seen.record_id.clone()),
            verdict,
            note: None,
            signature: None,
            segments: vec![segment],
        };
        if let Ok(view) = queue::decide(&self.workspace, &request, reviewer).await {
            self.last_decision = Some((view.decision, reviewer));
        }
    }

    async fn resolve(&mut self) {
        let open = incidents::list(&self.workspace, 50, None).await.expect("a list");
        if !open.is_empty() {
            let one = &open[self.numbers.below(open.len() as u64) as usize].incident;
            let kept = self.numbers.below(2) == 0;
            let _ = incidents::resolve(&self.workspace, one, kept, "looked at", "owner", None).await;
        }
    }

    /// Does one of everything that writes about places, at random.
    async fn step(&mut self) {
        let what = match self.numbers.below(40) {
            0..=15 => "import",
            16..=31 => "decide",
            32..=34 => "undo",
            35..=36 => "resolve",
            37 => "shares",
            38 => "thresholds",
            _ => "catalogue",
        };
        *self.done.entry(what).or_default() += 1;
        match what {
            "import" => self.import().await,
            "decide" => self.decide().await,
            "undo" => {
                if let Some((decision, reviewer)) = self.last_decision.take() {
                    let key = self.key();
                    let _ = queue::undo(&self.workspace, &decision, &key, reviewer).await;
                }
            }
            "resolve" => self.resolve().await,
            "shares" => {
                let share = (1 + self.numbers.below(10)) as f64 / 10.0;
                let shares = json!({ "show": share, "flag": share, "abstain": share }).to_string();
                settings::set(&self.workspace, "audit_shares", &shares, "a test", "ada")
                    .await
                    .expect("set");
            }
            "thresholds" => {
                let new = NewThresholds {
                    field: self.one_of(&["sum", "name"]),
                    model: "m",
                    prompt_version: "p",
                    tau_show: 0.5 + self.numbers.below(5) as f64 / 10.0,
                    tau_flag: 0.4,
                    why: "a test",
                    signature: None,
                };
                thresholds::set(&self.workspace, &new, "ada").await.expect("set");
            }
            _ => {
                let other = CATALOGUE.replace(
                    "type = \"text\"",
                    "type = \"enumeration\"\nvalues = [\"Ada\", \"Grace\"]",
                );
                let text = if self.numbers.below(2) == 0 { CATALOGUE } else { &other };
                self.set_catalogue(text).await;
            }
        }
    }

    /// The sums as they are kept, and as a recount makes them.
    async fn both(&self) -> (Vec<SumRow>, Vec<SumRow>) {
        let mut write = self.workspace.store.write().await.expect("a write");
        assert!(
            !any_uncounted(write.connection()).await.expect("asked"),
            "everything is counted when a write has ended"
        );
        let kept = all_sums(write.connection()).await.expect("sums");
        let rules = Rules::read(write.connection()).await.expect("rules");
        write.forget_counts().await.expect("forgotten");
        settle(&mut write, &rules.catalogue).await.expect("settled");
        (kept, all_sums(write.connection()).await.expect("sums"))
        // Dropped without a commit: nothing of the recount remains.
    }
}

#[tokio::test(flavor = "current_thread")]
async fn sums_kept_by_differences_are_those_of_a_recount() {
    // What was seen at some step: labels beside open weeks, closed weeks beside open ones, labels out by an incident, two who differ.
    let mut seen = [0; 4];
    let mut sums = 0;
    for seed in 1..=3 {
        let mut desk = Desk::new(seed).await;
        for step in 0..120 {
            desk.step().await;
            let (kept, recount) = desk.both().await;
            assert_eq!(kept, recount, "seed {seed}, step {step}: {:?}", desk.done);
            sums = sums.max(kept.len());
            let views = curve_views(&desk.workspace, None).await.expect("curves");
            seen[0] += u32::from(views.iter().any(|view| view.labels > 0 && view.open_cohorts > 0));
            seen[1] += u32::from(
                views
                    .iter()
                    .any(|view| view.closed_cohorts > 0 && view.open_cohorts > 0),
            );
            seen[2] += u32::from(views.iter().any(|view| view.excluded.contains_key("incident")));
        }
        seen[3] += desk.disputes;
        assert_eq!(desk.done.len(), 7, "everything was done: {:?}", desk.done);
    }
    assert!(sums > 6, "{sums}");
    assert!(seen.iter().all(|steps| *steps > 10), "{seen:?}");
}

#[tokio::test(flavor = "current_thread")]
async fn what_a_writer_did_not_settle_is_counted_when_somebody_looks_and_damage_is_mended() {
    let mut desk = Desk::new(9).await;
    for _ in 0..30 {
        desk.import().await;
    }
    let before = curve_views(&desk.workspace, None).await.expect("curves");
    // As a workspace of an older Pincite is: nothing is counted.
    let mut write = desk.workspace.store.write().await.expect("a write");
    write.forget_counts().await.expect("forgotten");
    write.commit().await.expect("committed");
    let after = curve_views(&desk.workspace, None).await.expect("curves");
    let text = |views| serde_json::to_string(views).expect("text");
    assert_eq!(text(&before), text(&after));
    assert!(!before.is_empty());
    // A place that says it added what no sum has.
    let mut write = desk.workspace.store.write().await.expect("a write");
    let sums = all_sums(write.connection()).await.expect("sums");
    let one = sums.iter().find(|row| row.cohort.is_some()).expect("a week");
    let nothing = postcard::to_stdvec(&pincite_core::calibration::Counts::default()).expect("bytes");
    write
        .keep_cohort_sum(&one.curve, one.cohort.unwrap_or_default(), false, &nothing)
        .await
        .expect("kept");
    write.count_field_anew(&one.curve.field).await.expect("noted");
    // The places are the same, so that only a change finds the damage.
    write.commit().await.expect("committed");
    for _ in 0..40 {
        desk.decide().await;
    }
    let (kept, recount) = desk.both().await;
    assert_eq!(kept, recount);
}
