//! How long the registry takes over 100,000 sections of 20 revisions: 1,000 documents of 100 sections each.
//!
//! Ignored; `cargo test --release -p pincite-core bench_registry -- --ignored --nocapture`.

use super::difference_tests::{Part, made};
use super::*;
use chrono::{Days, NaiveDate};
use std::hint::black_box;
use std::time::Instant;

const DOCUMENTS: usize = 1_000;
const SECTIONS: usize = 100;
const REVISIONS: usize = 20;

fn day(number: usize) -> NaiveDate {
    NaiveDate::default() + Days::new(number as u64)
}

/// Each revision changes every tenth section, another tenth each time.
fn document(number: usize) -> History {
    let hash = |text: String| crate::sha256_hex(text.as_bytes());
    let revisions = (0..REVISIONS)
        .map(|revision| Revision {
            revision: format!("rev {revision}"),
            seq: revision as i64,
            doc_sha256: hash(format!("{number} {revision}")),
            effective: Some(day(revision * 30)),
            recorded_at: revision as i64 * 30 * 86_400_000,
            events: vec![Event {
                kind: EventKind::Approved,
                recorded_at: revision as i64 * 30 * 86_400_000,
            }],
            sections: (0..SECTIONS)
                .map(|section| {
                    let changed = (0..=revision).rev().find(|at| (section + at) % 10 == 0).unwrap_or(0);
                    SectionVersion {
                        section_key: format!("section-{section}-of-this-document"),
                        locator: format!("{}.{}", section / 10, section % 10),
                        title: format!("Title of section {section}"),
                        own_sha256: hash(format!("{number} {section} {changed}")),
                        content_sha256: hash(format!("{number} {section} {changed}")),
                    }
                })
                .collect(),
            differing: Doubt::default(),
        })
        .collect();
    History::new(revisions).unwrap_or_else(|fault| unreachable!("{fault}"))
}

#[test]
#[ignore = "a measurement: make bench says how"]
fn bench_registry() {
    let documents: Vec<History> = (0..DOCUMENTS).map(document).collect();
    let keys: Vec<String> = (0..SECTIONS)
        .map(|section| format!("section-{section}-of-this-document"))
        .collect();
    // Places and dates in an order that no cache knows.
    let asked: Vec<(usize, usize, usize)> = (0..200_000_usize)
        .map(|number| {
            (
                number * 7_919 % DOCUMENTS,
                number * 104_729 % SECTIONS,
                number * 15_485_863 % 700,
            )
        })
        .collect();

    let clock = Instant::now();
    let mut in_force = 0_usize;
    for (document, section, valid) in &asked {
        let answer = documents[*document].as_of(&keys[*section], day(*valid), Some(*valid as i64 * 86_400_000));
        in_force += usize::from(matches!(black_box(answer), Some(AsOf::InForce { .. })));
    }
    let each = clock.elapsed().as_secs_f64() * 1e6 / asked.len() as f64;
    assert_eq!(in_force, asked.len());
    #[expect(clippy::print_stdout, reason = "a measurement")]
    let () = println!("as_of: {each:.2} µs each, of {} asked", asked.len());

    let cited: Vec<(usize, String, usize)> = asked
        .iter()
        .take(10_000)
        .map(|(document, section, valid)| {
            let revision = &documents[*document].revisions()[valid % REVISIONS];
            (*document, revision.doc_sha256.clone(), *section)
        })
        .collect();
    let citations = || {
        cited.iter().map(|(document, doc_sha256, section)| {
            let section_key = keys[*section].as_str();
            (
                Some(&documents[*document]),
                Cited {
                    doc_sha256,
                    section_key,
                },
            )
        })
    };
    let mut passes = Vec::new();
    let mut stale = 0;
    for _ in 0..5 {
        let clock = Instant::now();
        let gated = gate(citations(), day(700), None, Mode::Block);
        passes.push(clock.elapsed().as_secs_f64() * 1e3);
        stale = gated.stale().count();
        assert!(gated.blocks() && 0 < stale && stale < cited.len());
    }
    passes.sort_by(f64::total_cmp);
    let took = passes[2];
    #[expect(clippy::print_stdout, reason = "a measurement")]
    let () = println!(
        "gate: {took:.1} ms for {} citations, {stale} stale (median of {passes:.1?})",
        cited.len()
    );

    let recorded: Vec<i64> = (0..50_000).map(|number| number * 7_919 % 1_000_003).collect();
    let clock = Instant::now();
    let lag = lag(black_box(&recorded).iter().copied(), 2_000_000);
    let lagged = clock.elapsed().as_secs_f64() * 1e3;
    assert_eq!(lag.count, 50_000);
    #[expect(clippy::print_stdout, reason = "a measurement")]
    let () = println!("lag: {lagged:.3} ms for {} revisions", lag.count);

    let clock = Instant::now();
    let periods: usize = keys
        .iter()
        .map(|key| documents[0].section_history(key, None).len())
        .sum();
    let history = clock.elapsed().as_secs_f64() * 1e3;
    #[expect(clippy::print_stdout, reason = "a measurement")]
    let () = println!(
        "section_history: {history:.2} ms for the {} sections of one document, {periods} periods",
        keys.len()
    );

    assert!(each < 5.0 && took < 100.0 && lagged < 50.0);
}

/// Two long revisions: 2,000 sections of 60 words, a tenth of them changed, one chapter put in, so that all are renumbered.
#[test]
#[ignore = "a measurement: make bench says how"]
fn bench_section_diff() {
    let body = |seed: usize| {
        let words: Vec<String> = (0..60)
            .map(|word| format!("word{}", (seed * 60 + word) * 7_919 % 5_003))
            .collect();
        words.join(" ")
    };
    let parts = |shift: usize, changed: usize| -> Vec<Part> {
        let own = (0..2_000).map(|number| {
            let seed = if number % 10 == 3 { number + changed } else { number };
            let locator = format!("{}.{}", number / 20 + 1 + shift, number % 20 + 1);
            (locator, format!("Title {number}"), body(seed))
        });
        own.collect()
    };
    let (before, after) = (made(&parts(0, 0), 80), made(&parts(1, 17), 80));
    let clock = Instant::now();
    let changes = diff(&before.side(), &after.side());
    let took = clock.elapsed().as_secs_f64() * 1e3;
    assert_eq!(changes.len(), 2_000);
    #[expect(clippy::print_stdout, reason = "a measurement")]
    let () = println!(
        "diff: {took:.0} ms for 2,000 sections a side, {} characters each",
        before.layer.len()
    );
}
