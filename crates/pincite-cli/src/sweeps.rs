//! `sweep`, `alarm` and `sample`.
//!
//! Deliberately not here: what is found, and when a rate is an alarm.

use crate::arguments::{
    AlarmCommand, FindingClass, Options, SampleArguments, SampleCommand, SweepArguments, SweepCommand,
};
use crate::output::{Failure, Findings, Output};
use crate::progress::Bar;
use crate::{whole_file, workspace};
use pincite_app::Workspace;
use pincite_app::sweep::{self as sweeping, Wanted, alarms, coverage, plan, report};
use pincite_app::wire::{AlarmView, CheckCount, FindingView, SampleView, SweepView, UncitedView};
use std::io::Write as _;

/// Shifts shown in words: the most frequent ones.
const SHIFTS: usize = 10;

fn check_words(name: &str, check: CheckCount) -> String {
    let of = check.passed + check.failed;
    format!("\n  {name:<12} {:>9} of {of} passed", check.passed)
}

fn sweep_words(view: &SweepView) -> String {
    let state = match view.seconds {
        Some(seconds) => format!("in {seconds:.1} s"),
        None => "not complete: still running, or cut short".to_owned(),
    };
    let checks = &view.by_check;
    let mut words = format!(
        "{}  {}  {}  {} citations of {} documents, {state}",
        view.sweep_id,
        view.kind.replace('_', " "),
        view.started_at,
        view.checked,
        view.versions
    );
    for (name, check) in [
        ("resolves", checks.resolves),
        ("in bounds", checks.in_bounds),
        ("quote match", checks.quote_match),
        ("version", checks.version),
    ] {
        words.push_str(&check_words(name, check));
    }
    words.push_str("\n  entailment   not run: no model is installed");
    if let Some(coverage) = checks.coverage {
        words.push_str(&check_words("coverage", coverage));
    }
    words.push_str(&format!(
        "\ndrifted {} (for a person: {}), superseded {}, carried {}, unresolved {}",
        view.drifted.n, view.for_review, view.superseded.n, view.carried.n, view.unresolved.n
    ));
    let mut shifts: Vec<(i64, u64)> = view.drifted.shifts.iter().map(|(shift, n)| (*shift, *n)).collect();
    shifts.sort_by_key(|(shift, n)| (std::cmp::Reverse(*n), *shift));
    for (shift, n) in shifts.iter().take(SHIFTS) {
        words.push_str(&format!("\n  moved by {shift:+}: {n}"));
    }
    if shifts.len() > SHIFTS {
        words.push_str(&format!("\n  and {} other distances", shifts.len() - SHIFTS));
    }
    for alarm in &view.alarms {
        words.push_str(&format!("\nALARM {}", alarm_words(alarm)));
    }
    words
}

fn finding_words(finding: &FindingView) -> String {
    let place = match (finding.start, finding.end) {
        (Some(start), Some(end)) => format!("{start}..{end}"),
        _ => "-".to_owned(),
    };
    let shift = finding.shift.map(|shift| format!("  {shift:+}")).unwrap_or_default();
    format!(
        "{:<10} {:<14} {}  {place}{shift}  {}",
        finding.class,
        finding.reason.as_deref().unwrap_or_default(),
        finding.doc_id,
        finding.id
    )
}

fn alarm_words(alarm: &AlarmView) -> String {
    let mut words = format!(
        "{}  {}  {}: {} of {} drifted, {:.2} %, limit {:.1} %  {}",
        alarm.alarm_id,
        alarm.kind.replace('_', " "),
        alarm.family,
        alarm.drifted,
        alarm.checked,
        alarm.share * 100.0,
        alarm.limit * 100.0,
        alarm.recorded_at
    );
    if let (Some(who), Some(why)) = (&alarm.acknowledged_by, &alarm.why) {
        words.push_str(&format!("  {who}: {why}"));
    }
    words
}

fn sample_words(view: &SampleView) -> String {
    let mut words = format!(
        "{:.0} citations read, {:.1} of them affected, {:.1} flags, {:.1} hours; nobody notices any: {:.3}",
        view.read, view.affected, view.flags, view.hours, view.missed_probability
    );
    match &view.last_sweep {
        Some(sweep) => words.push_str(&format!(
            "\nthe last sweep, {}: {} of {} citations drifted, found in {:.1} s",
            sweep.started_at, sweep.drifted, sweep.checked, sweep.seconds
        )),
        None => words.push_str("\nno sweep went through everything yet: `pincite sweep run`"),
    }
    words
}

fn uncited_words(view: &UncitedView) -> String {
    format!("{} claim {}: {}", view.answer, view.claim, view.sentence)
}

/// Runs `sweep`.
pub(crate) async fn sweep(options: &Options, output: &Output, command: &SweepCommand) -> Result<Findings, Failure> {
    let opened = workspace::open(options).await?;
    match command {
        SweepCommand::Run(arguments) => run(&opened, output, arguments).await,
        SweepCommand::List(list) => {
            let views = report::list(&opened, list.after.as_deref(), list.limit()).await?;
            output.list(&views, sweep_words, "no sweep yet: `pincite sweep run` makes one")?;
            Ok(Findings::None)
        }
        SweepCommand::Show { sweep } => {
            let view = report::shown(&opened, sweep.as_deref()).await?;
            output.value(&view, sweep_words)?;
            Ok(found_in(&view))
        }
        SweepCommand::Findings { sweep, class, list } => {
            let class = class.map(|class| match class {
                FindingClass::Drifted => report::Class::Drifted,
                FindingClass::Superseded => report::Class::Superseded,
                FindingClass::Carried => report::Class::Carried,
                FindingClass::Unresolved => report::Class::Unresolved,
            });
            let after = list.after_number("a finding")?;
            let findings = report::findings(&opened, sweep, class, after, list.limit()).await?;
            output.lines(&findings, finding_words)?;
            Ok(Findings::None)
        }
        SweepCommand::Uncited => {
            let (claims, uncited) = coverage::uncited(&opened).await?;
            output.lines(&uncited, uncited_words)?;
            eprintln!(
                "{} of {claims} sentences that claim something cite nothing",
                uncited.len()
            );
            Ok(Findings::when(!uncited.is_empty()))
        }
    }
}

async fn run(opened: &Workspace, output: &Output, arguments: &SweepArguments) -> Result<Findings, Failure> {
    let wanted = Wanted {
        after_reindex: arguments.after_reindex,
        afresh: arguments.afresh,
    };
    if let Some(path) = &arguments.findings {
        // A place that can't be written to is said before the work, not after it.
        whole_file::try_place(path, "the findings")?;
    }
    let bar = Bar::of_documents();
    let swept = sweeping::run(opened, wanted, opened.store.reader(), bar.as_ref()).await;
    bar.finish();
    let view = swept?;
    if let Some(path) = &arguments.findings {
        let lines = report::all_findings(opened, &view.sweep_id).await?;
        whole_file::write(path, "the findings", |file| file.write_all(&lines))?;
    }
    output.value(&view, sweep_words)?;
    Ok(found_in(&view))
}

/// What drifted or does not resolve, and alarms, are findings. What was replaced by a later revision is history.
fn found_in(view: &SweepView) -> Findings {
    Findings::when(view.drifted.n > 0 || view.unresolved.n > 0 || !view.alarms.is_empty())
}

/// Runs `alarm`.
pub(crate) async fn alarm(options: &Options, output: &Output, command: &AlarmCommand) -> Result<Findings, Failure> {
    let opened = workspace::open(options).await?;
    match command {
        AlarmCommand::List { all, list } => {
            let views = alarms::list(&opened, !all, list.after.as_deref(), list.limit()).await?;
            output.list(&views, alarm_words, "no alarm that nobody took note of")?;
            Ok(Findings::when(
                views.iter().any(|alarm| alarm.acknowledged_by.is_none()),
            ))
        }
        AlarmCommand::Acknowledge { alarm, why } => {
            let view = alarms::acknowledge(&opened, alarm, why, opened.store.reader()).await?;
            output.value(&view, alarm_words)?;
            Ok(Findings::None)
        }
    }
}

/// Runs `sample`.
pub(crate) async fn sample(options: &Options, output: &Output, command: &SampleCommand) -> Result<Findings, Failure> {
    let SampleCommand::Plan(SampleArguments {
        answers,
        citations,
        affected,
        detection,
        minutes,
    }) = command;
    let opened = workspace::open(options).await?;
    let rates = plan::SampleRates {
        citations: *citations,
        affected: *affected,
        detection: *detection,
        minutes: *minutes,
    };
    let view = plan::plan(&opened, *answers, rates).await?;
    output.value(&view, sample_words)?;
    Ok(Findings::None)
}
