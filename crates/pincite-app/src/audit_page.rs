//! The audit chain as one page to print: plain HTML with nothing to load, every word of it escaped.
//!
//! Deliberately not here: choosing entries, and checking them (`audit`).

use crate::audit::{AuditEntry, ChainReport};
use std::fmt::Write as _;

const STYLE: &str = "body{font:12px/1.5 sans-serif;margin:24px}table{border-collapse:collapse;width:100%}\
    th,td{border-bottom:1px solid #ccc;padding:3px 6px;text-align:left;vertical-align:top;overflow-wrap:anywhere}\
    code{font-size:10px}thead{display:table-header-group}tr{break-inside:avoid}";

/// The page.
#[must_use]
pub fn page(report: &ChainReport, entries: &[AuditEntry]) -> String {
    let state = match &report.fault {
        None => format!("The chain holds: {} entries.", report.entries),
        Some(fault) => format!("The chain does not hold: {fault}."),
    };
    let anchored = match report.anchored {
        0 => "No anchor vouches for it.".to_owned(),
        number => format!("Anchored up to entry {number}, signed with {}.", report.keys.join(", ")),
    };
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Audit chain</title><style>{STYLE}</style>\
         <h1>Audit chain</h1><p>{} {}</p><p>Head <code>{}</code></p>\
         <table><thead><tr><th>Entry<th>When<th>Who<th>Role<th>What<th>To what<th>Content<th>Hash</tr></thead>\n",
        escaped(&state),
        escaped(&anchored),
        escaped(&report.head)
    );
    for entry in entries {
        let content = if entry.payload.is_null() {
            "erased".to_owned()
        } else {
            entry.payload.to_string()
        };
        let _ = writeln!(
            page,
            "<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td><code>{}</code><td><code>{}</code></tr>",
            entry.entry,
            escaped(&entry.recorded_at),
            escaped(&entry.who),
            escaped(&entry.role),
            escaped(&entry.action),
            escaped(&entry.subject),
            escaped(&content),
            escaped(&entry.hash)
        );
    }
    page.push_str("</table></html>\n");
    page
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_wrote_stays_text() {
        let entry = AuditEntry {
            entry: 1,
            recorded_at: "2026-11-30T09:00:00.000+00:00".into(),
            zone: "+00:00".into(),
            who: "<script>alert(1)</script>".into(),
            role: "local".into(),
            action: "queue.decide".into(),
            subject: "a & b".into(),
            payload: serde_json::json!({ "note": "</code><img src=x>" }),
            hash: "00".into(),
            salt: None,
            commitment: "00".into(),
        };
        let report = ChainReport {
            entries: 1,
            head: "00".into(),
            anchored: 0,
            keys: Vec::new(),
            fault: None,
        };
        let page = page(&report, &[entry]);
        assert!(!page.contains("<script>alert") && !page.contains("<img"), "{page}");
        assert!(page.contains("a &amp; b") && page.contains("No anchor vouches for it."));
    }
}
