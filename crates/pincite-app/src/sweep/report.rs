//! What a sweep found, counted from its parts and findings.
//!
//! Deliberately not here: any number that adds drifted and superseded.

use super::alarms::{self, unsigned};
use crate::error::AppError;
use crate::times;
use crate::wire::{AlarmView, CheckCount, Counted, DriftedCount, FamilyDrift, FindingView, SweepChecks, SweepView};
use crate::workspace::Workspace;
use pincite_core::registry::OutOf;
use pincite_store::sweeps::{self, CountRow, FindingRow, SweepRow};
use pincite_store::{Connection, alarms as kept_alarms};
use std::collections::BTreeMap;

/// Sweeps, the newest first: those behind the one named, at most so many.
///
/// # Errors
/// No such sweep; the store.
pub async fn list(workspace: &Workspace, after: Option<&str>, limit: i64) -> Result<Vec<SweepView>, AppError> {
    let mut reading = workspace.store.read().await?;
    let before = match after {
        None => i64::MAX,
        Some(sweep_id) => wanted(&mut reading, sweep_id).await?.number,
    };
    let mut views = Vec::new();
    for row in sweeps::sweeps(&mut reading, before, limit).await? {
        views.push(view(&mut reading, row).await?);
    }
    Ok(views)
}

/// One sweep; the last one where none is named.
///
/// # Errors
/// There is none; the store.
pub async fn shown(workspace: &Workspace, sweep_id: Option<&str>) -> Result<SweepView, AppError> {
    if let Some(sweep_id) = sweep_id {
        return show(workspace, sweep_id).await;
    }
    let last = list(workspace, None, 1).await?.pop();
    last.ok_or_else(|| AppError::not_found("there is no sweep yet: `pincite sweep run` makes one"))
}

/// One sweep.
///
/// # Errors
/// There is none; the store.
pub async fn show(workspace: &Workspace, sweep_id: &str) -> Result<SweepView, AppError> {
    let mut reading = workspace.store.read().await?;
    let row = wanted(&mut reading, sweep_id).await?;
    view(&mut reading, row).await
}

async fn wanted(connection: &mut Connection, sweep_id: &str) -> Result<SweepRow, AppError> {
    sweeps::sweep(connection, sweep_id)
        .await?
        .ok_or_else(|| AppError::not_found(format!("there is no sweep {sweep_id}: `pincite sweep list` names them")))
}

/// The counts of a family, or of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    pub(crate) checked: u64,
    pub(crate) intact: u64,
    pub(crate) carried: u64,
    pub(crate) superseded: u64,
    pub(crate) unresolved: u64,
    /// At one other place of the same bytes.
    pub(crate) moved: u64,
    /// At several places of the same bytes, or nowhere in them.
    pub(crate) for_review: u64,
    versions: u64,
    resolves: CheckCount,
    in_bounds: CheckCount,
    quote_match: CheckCount,
    version: CheckCount,
}

impl Tally {
    /// What failed the quote match on the same bytes.
    pub(crate) const fn drifted(&self) -> u64 {
        self.moved + self.for_review
    }

    /// Those whose quote was looked for in the same bytes.
    const fn of_same_bytes(&self) -> u64 {
        self.checked - self.superseded - self.unresolved
    }

    /// What the alarms look at.
    pub(crate) const fn rate(&self) -> OutOf {
        OutOf {
            found: self.drifted(),
            of: self.of_same_bytes(),
        }
    }

    /// Everything is intact that has no finding; of what has one, `find` says where it belongs.
    const fn without_findings(checked: u64, unregistered: u64) -> Self {
        let all = CheckCount {
            passed: checked,
            failed: 0,
        };
        Self {
            checked,
            intact: checked,
            carried: 0,
            superseded: 0,
            unresolved: 0,
            moved: 0,
            for_review: 0,
            versions: 0,
            resolves: all,
            in_bounds: all,
            quote_match: all,
            version: CheckCount {
                passed: checked - unregistered,
                failed: 0,
            },
        }
    }

    /// Takes findings out of what is intact and puts them where they belong.
    fn find(&mut self, class: &str, row: &CountRow) {
        let n = unsigned(row.count);
        if !row.seen {
            self.leave_out(n);
            return;
        }
        // A check that could not be made is in neither count.
        let passed = |count: &mut CheckCount, outcome: Option<bool>| {
            if outcome != Some(true) {
                count.passed -= n;
            }
            if outcome == Some(false) {
                count.failed += n;
            }
        };
        passed(&mut self.resolves, Some(row.resolves));
        passed(&mut self.in_bounds, row.in_bounds);
        passed(&mut self.quote_match, row.quote_match);
        let current = match row.currency.as_deref() {
            Some("in_force" | "carried") => Some(true),
            Some("unknown") | None => None,
            Some(_) => Some(false),
        };
        passed(&mut self.version, current);
        let class = match class {
            "intact" => return,
            "carried" => &mut self.carried,
            "superseded" => &mut self.superseded,
            "drifted" => &mut self.moved,
            "ambiguous" | "lost" => &mut self.for_review,
            _ => &mut self.unresolved,
        };
        *class += n;
        self.intact -= n;
    }

    /// Leaves out citations whose findings whoever asks may not see.
    const fn leave_out(&mut self, n: u64) {
        self.checked -= n;
        self.intact -= n;
        self.resolves.passed -= n;
        self.in_bounds.passed -= n;
        self.quote_match.passed -= n;
        self.version.passed = self.version.passed.saturating_sub(n);
    }

    /// Adds the counts of another family.
    const fn add(&mut self, other: &Self) {
        self.versions += other.versions;
        self.checked += other.checked;
        self.intact += other.intact;
        self.carried += other.carried;
        self.superseded += other.superseded;
        self.unresolved += other.unresolved;
        self.moved += other.moved;
        self.for_review += other.for_review;
        add(&mut self.resolves, other.resolves);
        add(&mut self.in_bounds, other.in_bounds);
        add(&mut self.quote_match, other.quote_match);
        add(&mut self.version, other.version);
    }
}

const fn add(count: &mut CheckCount, other: CheckCount) {
    count.passed += other.passed;
    count.failed += other.failed;
}

/// What each family comes to.
pub(crate) async fn by_family(
    connection: &mut Connection,
    sweep_id: &str,
) -> Result<BTreeMap<String, Tally>, AppError> {
    let rows = sweeps::counts(connection, sweep_id).await?;
    let mut families: BTreeMap<String, Tally> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.class.is_none()) {
        let mut tally = Tally::without_findings(unsigned(row.count), unsigned(row.unregistered));
        tally.versions = unsigned(row.versions);
        let _ = families.insert(row.family.clone(), tally);
    }
    for row in &rows {
        if let Some((class, tally)) = row.class.as_deref().zip(families.get_mut(&row.family)) {
            tally.find(class, row);
        }
    }
    Ok(families)
}

/// All families together.
pub(crate) fn added(families: &BTreeMap<String, Tally>) -> Tally {
    let mut all = Tally::default();
    for tally in families.values() {
        all.add(tally);
    }
    all
}

async fn view(connection: &mut Connection, row: SweepRow) -> Result<SweepView, AppError> {
    let families = by_family(connection, &row.sweep_id).await?;
    let all = added(&families);
    let shifts = sweeps::shifts(connection, &row.sweep_id).await?;
    let alarms: Vec<AlarmView> = kept_alarms::of_sweep(connection, &row.sweep_id)
        .await?
        .iter()
        .map(alarms::view)
        .collect();
    let coverage = row.claims.zip(row.uncited).map(|(claims, uncited)| CheckCount {
        passed: unsigned(claims - uncited),
        failed: unsigned(uncited),
    });
    Ok(SweepView {
        sweep_id: row.sweep_id,
        kind: row.kind,
        complete: row.milliseconds.is_some(),
        valid_at: row.valid_at,
        who: row.who,
        started_at: times::text(row.recorded_at),
        versions: all.versions,
        checked: all.checked,
        by_check: SweepChecks {
            resolves: all.resolves,
            in_bounds: all.in_bounds,
            quote_match: all.quote_match,
            version: all.version,
            entailment: None,
            coverage,
        },
        intact: all.intact,
        drifted: DriftedCount {
            n: all.drifted(),
            shifts: shifts
                .into_iter()
                .map(|(shift, count)| (shift, unsigned(count)))
                .collect(),
        },
        superseded: Counted { n: all.superseded },
        carried: Counted { n: all.carried },
        unresolved: Counted { n: all.unresolved },
        for_review: all.for_review,
        families: families
            .iter()
            .map(|(family, tally)| FamilyDrift {
                family: family.clone(),
                checked: tally.checked,
                of_same_bytes: tally.of_same_bytes(),
                drifted: tally.drifted(),
                superseded: tally.superseded,
                carried: tally.carried,
            })
            .collect(),
        alarms,
        #[expect(clippy::cast_precision_loss, reason = "no sweep lasts 2^53 milliseconds")]
        seconds: row.milliseconds.map(|milliseconds| milliseconds as f64 / 1000.0),
    })
}

/// What of a sweep's findings is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Of the same bytes, and not where it is cited.
    Drifted,
    /// Replaced by a later revision.
    Superseded,
    /// Of another revision that says the same.
    Carried,
    /// Not to be had.
    Unresolved,
}

impl Class {
    /// As they are kept.
    const fn kept(self) -> &'static [&'static str] {
        match self {
            Self::Drifted => &["drifted", "ambiguous", "lost"],
            Self::Superseded => &["superseded"],
            Self::Carried => &["carried"],
            Self::Unresolved => &["unresolved"],
        }
    }
}

/// Findings of a sweep after a number, of one class or of all.
///
/// # Errors
/// No such sweep; the store.
pub async fn findings(
    workspace: &Workspace,
    sweep_id: &str,
    class: Option<Class>,
    after: i64,
    limit: i64,
) -> Result<Vec<FindingView>, AppError> {
    let mut reading = workspace.store.read().await?;
    let _ = wanted(&mut reading, sweep_id).await?;
    let classes = class.map_or(&[][..], Class::kept);
    let rows = sweeps::findings(&mut reading, sweep_id, classes, after, limit).await?;
    Ok(rows.into_iter().map(finding).collect())
}

/// Every finding of a sweep, as JSON lines.
///
/// # Errors
/// No such sweep; the store.
pub async fn all_findings(workspace: &Workspace, sweep_id: &str) -> Result<Vec<u8>, AppError> {
    let mut lines = Vec::new();
    for finding in findings(workspace, sweep_id, None, 0, i64::MAX).await? {
        serde_json::to_writer(&mut lines, &finding).map_err(|error| AppError::internal(error.to_string()))?;
        lines.push(b'\n');
    }
    Ok(lines)
}

fn finding(row: FindingRow) -> FindingView {
    let drifted = matches!(row.class.as_str(), "drifted" | "ambiguous" | "lost");
    let (class, reason) = match row.class.as_str() {
        "drifted" => ("drifted", Some("moved".to_owned())),
        "ambiguous" | "lost" => ("drifted", Some(row.class.clone())),
        "superseded" | "intact" => (row.class.as_str(), Some(row.standing.clone())),
        other => (other, row.reason.clone()),
    };
    let (start, end) = if drifted {
        (row.found_start, row.found_end)
    } else {
        (row.cited_start, row.cited_end)
    };
    FindingView {
        number: row.number,
        id: row.citation,
        doc_id: row.doc_id,
        doc_sha256: row.doc_sha256,
        class: class.to_owned(),
        reason,
        standing: row.standing,
        start,
        end,
        shift: row.found_start.zip(row.cited_start).map(|(found, cited)| found - cited),
    }
}
