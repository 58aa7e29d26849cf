//! What is said of a value while it is typed, and that a filter of the queue leaves what it should.

#![expect(clippy::expect_used, reason = "a test that can't go on fails")]

use super::*;
use crate::import::{ImportOptions, import};
use crate::wire::QueueFilter;
use crate::{NoProgress, queue, settings};
use serde_json::json;

const CATALOGUE: &str = r#"
[field.sum]
title = "Sum"
type = "money"
unit = "EUR"
hard = true
max_error = 0.02
max_error_flag = 0.1

[field.term]
title = "Term"
type = "quantity"

[field.day]
title = "Day"
type = "date"
"#;

async fn desk(folder: &std::path::Path) -> Workspace {
    let workspace = Workspace::create(&folder.join("workspace"), false)
        .await
        .expect("a workspace");
    let catalogue = folder.join("catalogue.toml");
    std::fs::write(&catalogue, CATALOGUE).expect("written");
    settings::catalogue_set(&workspace, &catalogue, "ada")
        .await
        .expect("a catalogue");
    workspace
}

#[tokio::test(flavor = "current_thread")]
async fn a_value_is_read_as_the_core_reads_it_or_told_what_is_wrong() {
    let folder = tempfile::tempdir().expect("a folder");
    let workspace = desk(folder.path()).await;
    let check = async |field: &str, typed: Value| check_typed(&workspace, field, &typed).await.expect("an answer");
    let holds = check("sum", json!({"amount": "450.000,00", "currency": "EUR"})).await;
    assert_eq!(holds.value, json!({"amount": 450_000, "currency": "EUR"}));
    assert_eq!((holds.text.as_str(), holds.trouble), ("450\u{a0}000 EUR", None));
    for (field, typed, part) in [
        (
            "sum",
            json!({"amount": "12 apples", "currency": "EUR"}),
            "not one number",
        ),
        ("sum", json!({"amount": "12", "currency": "USD"}), "The field is in EUR"),
        (
            "sum",
            json!({"amount": "12", "currency": "$"}),
            "“$” names no one currency",
        ),
        ("sum", json!({"amount": ""}), "Write the amount"),
        ("term", json!({"amount": "7"}), "Write the unit too"),
        (
            "term",
            json!({"amount": "1.234", "unit": "mg"}),
            "thousands or as three decimals",
        ),
        ("day", json!("2026-02-30"), "year-month-day"),
        ("day", json!(" "), "Write the value"),
        ("unknown", json!("x"), "not in the catalogue"),
    ] {
        let answer = check(field, typed.clone()).await;
        let trouble = answer.trouble.unwrap_or_default();
        assert!(trouble.contains(part), "{typed}: {trouble}");
        assert!(answer.value.is_null());
    }
    workspace.close().await;
}

#[tokio::test(flavor = "current_thread")]
async fn a_filter_leaves_its_part_page_by_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let workspace = desk(folder.path()).await;
    let records: String = (0..12)
        .map(|number| {
            let record = json!({
                "record_id": format!("r{number}"), "doc_id": if number % 3 == 0 { "one" } else { "two" },
                "doc_sha256": format!("{number:064x}"), "field": if number % 2 == 0 { "sum" } else { "day" },
                "value": null, "status": "present", "confidence": 0.5, "provenance": [],
                "extractor": {"model": "m", "prompt_version": "p"},
                "due_at": if number < 4 { "2020-01-01T00:00:00Z" } else { "2999-01-01T00:00:00Z" },
            });
            format!("{record}\n")
        })
        .collect();
    let path = folder.path().join("records.jsonl");
    std::fs::write(&path, records).expect("written");
    import(&workspace, &path, ImportOptions::default(), &NoProgress, |_| ())
        .await
        .expect("imported");

    let listed = async |filter: &QueueFilter, limit: i64| {
        let mut found: Vec<(String, String, String)> = Vec::new();
        loop {
            let after = found.last().map(|(item, ..)| item.clone());
            let page = queue::list(&workspace, limit, after.as_deref(), filter, "ada", false)
                .await
                .expect("a page");
            if page.is_empty() {
                return found;
            }
            found.extend(page.into_iter().map(|item| (item.item, item.field, item.doc_id)));
        }
    };
    let all = listed(&QueueFilter::default(), 5).await;
    assert_eq!(all.len(), 12);
    let claimed = queue::claim(&workspace, Some(&all[7].0), "ada")
        .await
        .expect("claimed")
        .expect("an item");
    queue::claim(&workspace, Some(&all[8].0), "bob").await.expect("claimed");
    let one = |field: Option<&str>, doc_id: Option<&str>| QueueFilter {
        field: field.map(str::to_owned),
        doc_id: doc_id.map(str::to_owned),
        ..QueueFilter::default()
    };
    for (filter, count) in [
        (
            QueueFilter {
                mine: true,
                ..QueueFilter::default()
            },
            1,
        ),
        (
            QueueFilter {
                hard: true,
                ..QueueFilter::default()
            },
            6,
        ),
        (
            QueueFilter {
                overdue: true,
                ..QueueFilter::default()
            },
            4,
        ),
        (one(Some("day"), None), 6),
        (one(None, Some("one")), 4),
        (one(Some("sum"), Some("one")), 2),
        (
            QueueFilter {
                overdue: true,
                hard: true,
                ..QueueFilter::default()
            },
            2,
        ),
    ] {
        let found = listed(&filter, 2).await;
        assert_eq!(found.len(), count, "{filter:?}");
        // In the queue's own order.
        assert_eq!(
            found,
            all.iter()
                .filter(|item| found.contains(item))
                .cloned()
                .collect::<Vec<_>>()
        );
        let choices = queue::choices(&workspace, &filter, "ada").await.expect("choices");
        assert_eq!(choices.matching as usize, count, "{filter:?}");
        let named: Vec<_> = choices
            .fields
            .iter()
            .map(|choice| (choice.name.as_str(), choice.items))
            .collect();
        assert_eq!(named, [("day", 6), ("sum", 6)]);
        let named: Vec<_> = choices
            .documents
            .iter()
            .map(|choice| (choice.name.as_str(), choice.items))
            .collect();
        assert_eq!(named, [("one", 4), ("two", 8)]);
    }
    let mine = listed(
        &QueueFilter {
            mine: true,
            ..QueueFilter::default()
        },
        2,
    )
    .await;
    assert_eq!(mine[0].0, claimed.item);
    workspace.close().await;
}
