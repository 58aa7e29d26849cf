//! `registry`: revisions, what is in force on two dates, and whether citations may be shown.
//!
//! Deliberately not here: the rules, and what a manifest may say.

use crate::arguments::{
    DatesArguments, GateArguments, GateMode, Options, RegistryCommand, RevisionArguments, RevisionNamed,
};
use crate::output::{Failure, Findings, Output};
use crate::progress::Bar;
use crate::workspace;
use pincite_app::registry::Mode;
use pincite_app::registry::manifest::Entry;
use pincite_app::registry::questions::{self, Dates};
use pincite_app::registry::{changes, identities, propose, revisions};
use pincite_app::wire::{
    AsOfView, CanonicalGroupView, DifferenceView, GateRequest, GateView, ManifestLineView, PeriodView, RevisionView,
    SectionChangeView,
};
use pincite_app::{Progress, times};
use std::path::Path;
use std::sync::Arc;

fn dates(arguments: &DatesArguments) -> Result<Dates, Failure> {
    Ok(Dates::read(
        arguments.valid_at.as_deref(),
        arguments.known_at.as_deref(),
    )?)
}

fn revision_words(revision: &RevisionView) -> String {
    let until = revision.effective_to.as_deref().map(|day| format!(" to {day}"));
    let from = revision.effective_date.as_deref().unwrap_or("no date");
    let waits = revision
        .difference
        .as_ref()
        .is_some_and(|difference| difference.settled_by.is_none());
    format!(
        "{} {}  {:<12} {:<11} {from}{}  known since {}{}",
        revision.doc_id,
        revision.seq,
        revision.revision,
        revision.status,
        until.unwrap_or_default(),
        revision.recorded_at,
        if waits {
            "  declares other changes than were found"
        } else {
            ""
        }
    )
}

fn as_of_words(answer: &AsOfView) -> String {
    let revision = answer.revision.as_deref().map(|revision| {
        let from = answer.effective_date.as_deref().unwrap_or("no date");
        format!("  revision {revision}, from {from}")
    });
    let place = answer.locator.as_deref().map(|locator| format!("  {locator}"));
    format!(
        "{}  {} {}{}{}",
        answer.answer.replace('_', " "),
        answer.doc_id,
        answer.section_key,
        place.unwrap_or_default(),
        revision.unwrap_or_default()
    )
}

fn period_words(period: &PeriodView) -> String {
    let carried = match period.carried_by.as_slice() {
        [] => String::new(),
        list => format!(", unchanged in {}", list.join(", ")),
    };
    let place = period.locator.as_deref().unwrap_or("removed");
    let to = period.to.as_deref().unwrap_or("");
    format!(
        "{} to {to:<10}  {place}  revision {}{carried}",
        period.from, period.revision
    )
}

fn change_words(change: &SectionChangeView) -> String {
    let before = change.before.as_ref().map(|place| place.locator.as_str());
    let after = change.after.as_ref().map(|place| place.locator.as_str());
    let place = match (before, after) {
        (Some(before), Some(after)) if before != after => format!("{before} to {after}"),
        (before, after) => after.or(before).unwrap_or_default().to_owned(),
    };
    let title = change
        .after
        .as_ref()
        .or(change.before.as_ref())
        .map(|place| place.title.as_str());
    format!(
        "{:<11} {place}  {}",
        change.change.replace('_', " "),
        title.unwrap_or_default()
    )
}

fn gate_words(verdict: &GateView) -> String {
    let standing = &verdict.standing;
    let reason = standing.reason.as_deref().map(|reason| format!(": {reason}"));
    let instead = standing
        .in_force
        .as_ref()
        .filter(|_| !standing.current)
        .map(|answer| format!("; {}", as_of_words(answer)));
    format!(
        "{}  {}{}{}",
        verdict.decision,
        standing.standing.replace('_', " "),
        reason.unwrap_or_default(),
        instead.unwrap_or_default()
    )
}

fn line_words(line: &ManifestLineView) -> String {
    let message = line.message.as_deref().map(|message| format!(": {message}"));
    let seq = line.seq.map(|seq| format!(" (seq {seq})"));
    format!(
        "line {}  {:<12} {}{}{}",
        line.line,
        line.outcome.replace('_', " "),
        line.name,
        seq.unwrap_or_default(),
        message.unwrap_or_default()
    )
}

fn difference_words(difference: &DifferenceView) -> String {
    let listed = |what: &str, list: &[String]| match list {
        [] => String::new(),
        list => format!("\n  {what}: {}", list.join(", ")),
    };
    let settled = difference
        .settled_by
        .as_deref()
        .map(|who| format!("  settled by {who}"));
    format!(
        "{} {}{}{}{}",
        difference.doc_id,
        difference.seq,
        settled.unwrap_or_default(),
        listed("declared, not found changed", &difference.only_declared),
        listed("found changed, not declared", &difference.only_computed)
    )
}

fn group_words(group: &CanonicalGroupView) -> String {
    let mut words = group.keys.join("; ");
    for document in &group.documents {
        let said = match &document.canonical_id {
            None => "nobody said yet".to_owned(),
            Some(canonical) if *canonical == document.doc_id => "is no copy".to_owned(),
            Some(canonical) => format!("is a copy of {canonical}"),
        };
        words.push_str(&format!("\n  {:<32} {:<20} {said}", document.doc_id, document.owner));
    }
    words
}

fn entry(arguments: &RevisionArguments) -> Result<Entry, Failure> {
    let (doc_id, doc_sha256) = match arguments.doc.rsplit_once('@') {
        Some((doc_id, hash)) => (doc_id.to_owned(), Some(hash.to_owned())),
        None => (arguments.doc.clone(), None),
    };
    let effective_date = arguments.effective.as_deref().map(questions::day).transpose()?;
    if arguments.approved.is_some() && effective_date.is_none() {
        return Err(Failure::input(
            "an approved revision has a day from which on it is in force: say --effective",
        ));
    }
    let moment = |text: &Option<String>| text.as_deref().map(|text| times::moment(text, false)).transpose();
    Ok(Entry {
        line: 1,
        doc_id,
        revision: arguments.revision.clone(),
        seq: arguments.seq,
        doc_sha256,
        effective_date,
        recorded_at: moment(&arguments.recorded)?,
        approved_at: moment(&arguments.approved)?,
        changed_sections: (!arguments.changed.is_empty()).then(|| {
            arguments
                .changed
                .iter()
                .filter(|name| *name != "none")
                .cloned()
                .collect()
        }),
        owner: arguments.owner.clone(),
        class: arguments.class.clone(),
        ..Entry::default()
    })
}

/// The citations of a file, one JSON object a line.
fn citations(path: &Path) -> Result<Vec<GateRequest>, Failure> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::input(format!("{}: it can't be read: {error}", path.display())))?;
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            serde_json::from_str(line).map_err(|error| {
                Failure::input(format!(
                    "{}, line {number}: {error}; a line is a citation: doc_id, doc_sha256, and char_start and char_end, or section",
                    path.display()
                ))
            })
        })
        .collect()
}

pub(crate) async fn gate(options: &Options, output: &Output, arguments: &GateArguments) -> Result<Findings, Failure> {
    let opened = workspace::open(options).await?;
    let mode = match arguments.mode {
        GateMode::Measure => Mode::Measure,
        GateMode::Block => Mode::Block,
    };
    let requests = citations(&arguments.file)?;
    let mut verdicts = questions::gate(&opened, &requests, dates(&arguments.dates)?, mode).await?;
    let stopped = verdicts.iter().any(GateView::is_stopped);
    if arguments.dedup {
        let seen = questions::dedup(&verdicts);
        let mut index = 0..;
        verdicts.retain(|_| index.next().is_some_and(|index: usize| seen.contains(&index)));
    }
    output.lines(&verdicts, gate_words)?;
    Ok(Findings::when(stopped))
}

pub(crate) async fn registry(
    options: &Options,
    output: &Output,
    command: &RegistryCommand,
) -> Result<Findings, Failure> {
    use pincite_app::registry::EventKind::{Approved, Archived, Withdrawn};
    let opened = workspace::open(options).await?;
    let who = opened.store.reader();
    let happened = async |named: &RevisionNamed, event| {
        let done = revisions::happened(&opened, &named.doc, named.seq, event, &named.why, who).await?;
        output.list(&done, revision_words, "")
    };
    match command {
        RegistryCommand::Add(arguments) => {
            let done = revisions::add(&opened, entry(arguments)?, &arguments.why, who).await?;
            output.list(&done, revision_words, "")?;
        }
        RegistryCommand::Import { manifest, why } => {
            let bar = Bar::new();
            let progress: Arc<dyn Progress> = bar.clone();
            let done = revisions::import(&opened, manifest, why, who, &progress).await;
            bar.finish();
            let done = done?;
            output.lines(&done, line_words)?;
            return Ok(Findings::when(done.iter().any(|line| line.outcome == "refused")));
        }
        RegistryCommand::Propose { folder } => {
            let bar = Bar::new();
            let progress: Arc<dyn Progress> = bar.clone();
            let proposed = propose::folder(&opened, folder, &progress).await;
            bar.finish();
            let proposed = proposed?;
            if output.json {
                output.list(&proposed, |_| String::new(), "")?;
            } else {
                output.bytes(propose::manifest(&proposed).as_bytes())?;
            }
        }
        RegistryCommand::Show { doc, dates: asked } => {
            let shown = questions::show(&opened, doc.as_deref(), dates(asked)?).await?;
            output.list(&shown, revision_words, "nothing is registered")?;
        }
        RegistryCommand::AsOf {
            doc,
            section,
            dates: asked,
        } => {
            output.value(
                &questions::as_of(&opened, doc, section, dates(asked)?).await?,
                as_of_words,
            )?;
        }
        RegistryCommand::History { doc, section, known_at } => {
            let known_at = Dates::read(None, known_at.as_deref())?.known_at;
            let periods = questions::history(&opened, doc, section, known_at).await?;
            output.list(&periods, period_words, "never in force")?;
        }
        RegistryCommand::Diff { before, after, words } => {
            let changes = changes::diff(&opened, before, after, *words).await?;
            output.list(&changes, change_words, "no section changed")?;
        }
        RegistryCommand::Approve(named) => happened(named, Approved).await?,
        RegistryCommand::Withdraw(named) => happened(named, Withdrawn).await?,
        RegistryCommand::Archive(named) => happened(named, Archived).await?,
        RegistryCommand::Differences { all } => {
            let found = questions::differences(&opened, *all).await?;
            output.list(&found, difference_words, "no revision waits")?;
        }
        RegistryCommand::Settle(named) => {
            revisions::settle(&opened, &named.doc, named.seq, &named.why, who).await?;
            let left = questions::differences(&opened, false).await?;
            output.list(&left, difference_words, "no revision waits")?;
        }
        RegistryCommand::Groups => {
            output.list(
                &identities::groups(&opened).await?,
                group_words,
                "no documents that may be one",
            )?;
        }
        RegistryCommand::Rates { days, known_at } => {
            return crate::answers::rates(&opened, output, days, known_at.as_deref()).await;
        }
        RegistryCommand::Indexed { file, build } => {
            return crate::index_lag::indexed(&opened, output, file, build).await;
        }
        RegistryCommand::Lag { build } => return crate::index_lag::lag(&opened, output, build.as_deref()).await,
        RegistryCommand::Confirm { doc, copies, why } => {
            let groups = identities::confirm(&opened, doc, copies, why, who).await?;
            output.list(&groups, group_words, "no documents that may be one")?;
        }
    }
    Ok(Findings::None)
}
