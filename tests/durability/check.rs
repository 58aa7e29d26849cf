//! What must hold of a workspace whatever happened to it: acknowledged means present, exactly once, with its audit entry;
//! nothing half-written; nothing damaged; and work goes on.
//!
//! The program opens the workspace first and verifies the chain. The rest is asked of the database by other code than the
//! store's own, so that one mistake is not made twice.
//!
//! Deliberately not here: what was acknowledged; the suites know.

use crate::deeds::Fact;
use crate::shim::run;
use pincite_core::audit::{ChainCheck, Entry};
use pincite_tests::World;
use serde_json::Value;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Row as _};
use std::path::Path;

/// Something that must not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Finding {
    /// It was acknowledged and is not there.
    Lost(String),
    /// It is there more than once.
    Twice(String),
    /// It is there without its audit entry, or the entry without it.
    Unaudited(String),
    /// The database, the chain or a blob is not whole, or the program does not go on.
    Damaged(String),
}

/// Each table whose every row has an audit entry of its own, and which.
const AUDITED: [(&str, &str); 9] = [
    ("reviewers", "reviewer.add"),
    ("versions", "document.ingest"),
    ("catalogues", "catalogue.set"),
    ("settings", "settings.set"),
    ("thresholds", "threshold.set"),
    ("records", "record.import"),
    ("assignments", "queue.claim"),
    ("decisions", "queue.decide"),
    ("incident_resolutions", "incident.keep"),
];

/// Everything that is wrong with a world's workspace. Each fact comes with whether it was acknowledged.
pub(crate) fn findings(world: &World, facts: &[(&Fact, bool)]) -> Vec<Finding> {
    if facts.iter().all(|(_, acknowledged)| !acknowledged) && !world.workspace().join("pincite.sqlite").is_file() {
        return Vec::new();
    }
    let verified = run(world.command(["audit", "verify"]).arg("--json"));
    let report: Value = serde_json::from_str(&verified.answer.out).unwrap_or_default();
    let mut findings = found_inside(world, facts);
    if verified.answer.code != 0 || !report["fault"].is_null() || verified.hung {
        findings.push(Finding::Damaged(format!("audit verify: {verified:?}")));
    }
    findings
}

/// The same, without asking the program once more.
pub(crate) fn found_inside(world: &World, facts: &[(&Fact, bool)]) -> Vec<Finding> {
    let found = asked(&world.workspace(), facts);
    found.unwrap_or_else(|error| vec![Finding::Damaged(error.to_string())])
}

/// Runs on a runtime of its own: the suites are plain code.
pub(crate) fn wait_for<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(work)
}

fn asked(workspace: &Path, facts: &[(&Fact, bool)]) -> Result<Vec<Finding>, sqlx::Error> {
    wait_for(async {
        let options = SqliteConnectOptions::new().filename(workspace.join("pincite.sqlite"));
        let mut database = options.connect().await?;
        let mut findings = Vec::new();
        let whole: Vec<String> = sqlx::query_scalar("PRAGMA integrity_check")
            .fetch_all(&mut database)
            .await?;
        if whole != ["ok"] {
            findings.push(Finding::Damaged(format!("integrity_check: {whole:?}")));
        }
        let orphans = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut database).await?;
        if !orphans.is_empty() {
            findings.push(Finding::Damaged(format!(
                "{} rows name what is not there",
                orphans.len()
            )));
        }
        for (table, action) in AUDITED {
            let rows = count(&mut database, &format!("SELECT count(*) FROM {table}")).await?;
            let entries = format!("SELECT count(*) FROM audit_entries WHERE action = '{action}'");
            let entries = count(&mut database, &entries).await?;
            if rows != entries {
                findings.push(Finding::Unaudited(format!(
                    "{rows} rows of {table}, {entries} entries of {action}"
                )));
            }
        }
        for (fact, acknowledged) in facts {
            findings.extend(judged(&mut database, fact, *acknowledged).await?);
        }
        findings.extend(broken_chain(&mut database).await?);
        let blobs: Vec<String> = sqlx::query_scalar("SELECT sha256 FROM blobs")
            .fetch_all(&mut database)
            .await?;
        for sha256 in blobs {
            let path = workspace.join("blobs").join(&sha256[..2]).join(&sha256);
            let bytes = std::fs::read(&path).unwrap_or_default();
            if pincite_core::sha256_hex(&bytes) != sha256 {
                findings.push(Finding::Damaged(format!(
                    "the blob {sha256} is not whole: {} bytes",
                    bytes.len()
                )));
            }
        }
        Ok(findings)
    })
}

async fn judged(database: &mut SqliteConnection, fact: &Fact, acknowledged: bool) -> Result<Vec<Finding>, sqlx::Error> {
    let rows = count(database, &fact.rows).await?;
    let mut findings = Vec::new();
    let named = || format!("{}: {} rows", fact.name, rows);
    match rows {
        0 if acknowledged => findings.push(Finding::Lost(named())),
        0 | 1 => {}
        _ => findings.push(Finding::Twice(named())),
    }
    if let Some(entries) = &fact.entries {
        let entries = count(database, entries).await?;
        if entries != rows {
            findings.push(Finding::Unaudited(format!("{}, {entries} entries", named())));
        }
    }
    Ok(findings)
}

async fn count(database: &mut SqliteConnection, sql: &str) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(AssertSqlSafe(sql.to_owned()))
        .fetch_one(database)
        .await
}

/// The first fault of the audit chain, walked here.
async fn broken_chain(database: &mut SqliteConnection) -> Result<Option<Finding>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT e.seq, e.recorded_at, e.zone, e.who, e.role, e.action, e.subject, e.payload, e.entry_hash, p.salt, p.payload \
         FROM audit_entries e LEFT JOIN audit_payloads p ON p.seq = e.seq ORDER BY e.seq",
    );
    let mut chain = ChainCheck::default();
    for row in rows.fetch_all(database).await? {
        let commitment: Vec<u8> = row.try_get(7)?;
        let entry = Entry {
            seq: row.try_get(0)?,
            recorded_at: row.try_get(1)?,
            zone: row.try_get(2)?,
            who: row.try_get(3)?,
            role: row.try_get(4)?,
            action: row.try_get(5)?,
            subject: row.try_get(6)?,
            payload: commitment.try_into().unwrap_or_default(),
        };
        let (hash, salt, payload): (Vec<u8>, Vec<u8>, Vec<u8>) = (row.try_get(8)?, row.try_get(9)?, row.try_get(10)?);
        if let Err(fault) = chain.next(&entry, &hash, Some((&salt, &payload))) {
            return Ok(Some(Finding::Damaged(fault.to_string())));
        }
    }
    Ok(None)
}

/// How many rows a fact has now.
pub(crate) fn rows(workspace: &Path, fact: &Fact) -> i64 {
    wait_for(async {
        let options = SqliteConnectOptions::new().filename(workspace.join("pincite.sqlite"));
        let mut database = options.connect().await.expect("the database opens");
        count(&mut database, &fact.rows).await.expect("it answers")
    })
}
