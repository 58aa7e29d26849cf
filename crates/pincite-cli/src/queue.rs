//! `queue` and `decision`.
//!
//! Deliberately not here: the order, leases, what a decision means.

use crate::arguments::{DecideArguments, DecisionCommand, EnterArguments, Options, QueueCommand, VerdictArguments};
use crate::output::{Failure, Findings, Output};
use crate::table::Table;
use crate::users::signature_of;
use crate::workspace;
use pincite_app::value_text::value_text;
use pincite_app::wire::{
    Claim, DecideRequest, DecisionView, EnterRequest, ItemView, QueueFilter, QueueItem, QueueStats, Verdict,
};
use pincite_app::{enter_first, holds, items, queue as desk, reading_times};

fn item_words(item: &QueueItem) -> String {
    let hard = if item.hard { "hard" } else { "" };
    let held = match (&item.held_by, &item.held_until) {
        (Some(who), Some(until)) => format!("  held by {who} until {until}"),
        _ => String::new(),
    };
    let later = match (&item.held_for_later_by, &item.held_for_later_at, &item.hold_note) {
        (Some(who), Some(at), Some(note)) => format!("  held for later by {who} since {at}: {note}"),
        _ => String::new(),
    };
    format!(
        "{}  {hard:<4} {:<19} {:<36} {} {}{}{held}{later}",
        item.item,
        item.reason,
        item.field,
        item.doc_id,
        item.locator.as_deref().unwrap_or_default(),
        item.due_at
            .as_deref()
            .map(|due| format!("  due {due}"))
            .unwrap_or_default(),
    )
}

fn show_words(view: &ItemView) -> String {
    let mut words = format!("{}\n  field      {}", item_words(&view.item), view.schema.title);
    let Some(candidate) = &view.candidate else {
        return format!("{words}\n  says       shown once you have entered the value with `pincite queue enter`");
    };
    if let Some(entry) = &view.entry {
        words.push_str(&format!("\n  you said   {}", entry.text));
    }
    if let Some(sides) = &view.adjudication {
        words.push_str(&format!(
            "\n  one says   {}\n  the other  {}",
            sides.one.text, sides.other.text
        ));
    }
    words.push_str(&format!(
        "\n  says       {}\n  status     {}",
        candidate.value_text, candidate.status
    ));
    for violation in &candidate.violations {
        words.push_str(&format!("\n  violation  {violation}"));
    }
    for citation in &candidate.citations {
        let reason = citation
            .reason
            .as_deref()
            .map(|reason| format!(": {reason}"))
            .unwrap_or_default();
        words.push_str(&format!(
            "\n  cites      {} page {} ({:?}{reason}) {}",
            citation.locator.as_deref().unwrap_or("?"),
            citation.page.unwrap_or_default(),
            citation.state,
            citation.quote
        ));
    }
    words
}

/// The item's own keys on top, as in `queue list`, with the candidate beside them.
fn flat(view: &ItemView) -> Result<serde_json::Value, Failure> {
    let json = |error: serde_json::Error| Failure::internal(error.to_string());
    let mut answer = serde_json::to_value(&view.item).map_err(json)?;
    answer["candidate"] = serde_json::to_value(&view.candidate).map_err(json)?;
    answer["entry"] = serde_json::to_value(&view.entry).map_err(json)?;
    answer["adjudication"] = serde_json::to_value(&view.adjudication).map_err(json)?;
    answer["schema"] = serde_json::to_value(&view.schema).map_err(json)?;
    answer["newer"] = serde_json::to_value(&view.newer).map_err(json)?;
    answer["history"] = serde_json::to_value(&view.history).map_err(json)?;
    Ok(answer)
}

fn stats_words(stats: &QueueStats) -> String {
    let mut words = format!(
        "{} open ({} hard, {} overdue, {} held, {} held for later), {} decided",
        stats.open, stats.hard, stats.overdue, stats.held, stats.held_for_later, stats.decided
    );
    if stats.second_reviews + stats.adjudications > 0 {
        words.push_str(&format!(
            "\n  {} wait for a second reviewer, {} for a third where two differ",
            stats.second_reviews, stats.adjudications
        ));
    }
    if stats.without_a_third > 0 {
        words.push_str(&format!(
            "\n  for {} of these nobody else is known here: let another reviewer claim one",
            stats.without_a_third
        ));
    }
    for hold in &stats.holds {
        words.push_str(&format!(
            "\n  {} is held by {} until {}",
            hold.item, hold.held_by, hold.held_until
        ));
    }
    words
}

fn claim_words(claim: &Claim) -> String {
    format!(
        "{}  version {}  token {}  until {}",
        claim.item, claim.item_version, claim.token, claim.expires_at
    )
}

fn decision_words(decision: &DecisionView) -> String {
    format!(
        "{}  {}  {:<8} {:<12} {:<36} {}",
        decision.decision,
        decision.recorded_at,
        decision.kind,
        decision.reviewer,
        decision.field,
        value_text(&decision.value)
    )
}

/// An empty queue is no error: `null`, and who holds what is left of it.
async fn nothing(opened: &pincite_app::Workspace, output: &Output, who: &str) -> Result<(), Failure> {
    let stats = desk::stats(opened, who).await?;
    output.value(&serde_json::Value::Null, |_| String::new())?;
    eprintln!("nothing is free: {}", stats_words(&stats));
    Ok(())
}

pub(crate) async fn queue(options: &Options, output: &Output, command: &QueueCommand) -> Result<Findings, Failure> {
    let opened = workspace::open(options).await?;
    let who = opened.store.reader();
    // Alone, a queue is nobody's unless somebody is said; in a team it is always the reader's.
    let whose = if opened.is_team() {
        who
    } else {
        options.who.as_deref().unwrap_or_default()
    };
    match command {
        QueueCommand::List { list, unblind } => {
            let all = QueueFilter::default();
            let items = desk::list(&opened, list.limit(), list.after.as_deref(), &all, whose, *unblind).await?;
            output.list(&items, item_words, "the queue is empty")?;
        }
        QueueCommand::Next { unblind } => match desk::next(&opened, whose, *unblind).await? {
            Some(item) => output.value(&item, item_words)?,
            None => nothing(&opened, output, whose).await?,
        },
        QueueCommand::Show { item, unblind } => {
            shown(output, &items::item(&opened, item, whose, *unblind).await?)?;
        }
        QueueCommand::Stats => output.value(&desk::stats(&opened, who).await?, stats_words)?,
        QueueCommand::Holds => {
            let held = holds::list(&opened, whose).await?;
            output.list(&held, item_words, "nobody holds anything")?;
        }
        QueueCommand::Claim { item } => match desk::claim(&opened, item.as_deref(), who).await? {
            Some(claim) => output.value(&claim, claim_words)?,
            None => nothing(&opened, output, who).await?,
        },
        QueueCommand::Release { item, token } => {
            output.value(&desk::release(&opened, item, *token).await?, |_| "given back".into())?
        }
        QueueCommand::Renew { item, token } => output.value(&desk::renew(&opened, item, *token).await?, claim_words)?,
        QueueCommand::Hold { item, note } => {
            output.value(&holds::hold_for_later(&opened, item, note, who).await?, item_words)?;
        }
        QueueCommand::Enter(arguments) => {
            let request = enter_request(arguments)?;
            shown(output, &enter_first::enter(&opened, &request, who).await?)?;
        }
        QueueCommand::Decide(arguments) => {
            let request = decide_request(arguments, who)?;
            output.value(&desk::decide(&opened, &request, who).await?, decision_words)?;
        }
        QueueCommand::Undo { decision, key } => {
            output.value(&desk::undo(&opened, decision, key, who).await?, decision_words)?
        }
    }
    Ok(Findings::None)
}

fn shown(output: &Output, view: &ItemView) -> Result<(), Failure> {
    if output.json {
        output.value(&flat(view)?, |_| String::new())
    } else {
        output.text(&show_words(view))
    }
}

fn enter_request(arguments: &EnterArguments) -> Result<EnterRequest, Failure> {
    let value = match &arguments.value {
        None => serde_json::Value::Null,
        Some(json) => serde_json::from_str(json)
            .map_err(|error| Failure::input(format!("--value is not JSON ({error}): write a text as '\"text\"'")))?,
    };
    if value.is_null() && !arguments.not_stated {
        return Err(Failure::input(
            "--value is null: say --not-stated where the document states none",
        ));
    }
    Ok(EnterRequest {
        item: arguments.item.clone(),
        item_version: arguments.item_version,
        token: arguments.token,
        value,
    })
}

fn decide_request(arguments: &DecideArguments, who: &str) -> Result<DecideRequest, Failure> {
    Ok(DecideRequest {
        item: arguments.item.clone(),
        item_version: arguments.item_version,
        token: arguments.token,
        key: arguments.key.clone(),
        record_id: None,
        verdict: verdict(&arguments.verdict)?,
        note: arguments.note.clone(),
        segments: Vec::new(),
        signature: signature_of(&arguments.signature, who)?,
    })
}

fn verdict(given: &VerdictArguments) -> Result<Verdict, Failure> {
    if let Some(json) = &given.correct {
        let value = serde_json::from_str(json)
            .map_err(|error| Failure::input(format!("--correct is not JSON ({error}): write a text as '\"text\"'")))?;
        return Ok(Verdict::Correct { value });
    }
    if let Some(reason) = &given.reject {
        return Ok(Verdict::Reject { reason: reason.clone() });
    }
    if let Some(reason) = &given.abstain {
        return Ok(Verdict::Abstain { reason: reason.clone() });
    }
    Ok(Verdict::Accept)
}

pub(crate) async fn decision(
    options: &Options,
    output: &Output,
    command: &DecisionCommand,
) -> Result<Findings, Failure> {
    let opened = workspace::open(options).await?;
    match command {
        DecisionCommand::List(list) => {
            let decisions = desk::decision_list(&opened, list.limit(), list.after.as_deref()).await?;
            output.lines(&decisions, decision_words)?;
        }
        DecisionCommand::Times(how) => {
            let mut table = Table::new(output, how.csv);
            reading_times::decision_times(&opened, how.field.as_deref(), |time| table.row(&time)).await?;
        }
        DecisionCommand::Events(how) => {
            let mut table = Table::new(output, how.csv);
            reading_times::logged_events(&opened, how.field.as_deref(), |event| table.row(&event)).await?;
        }
    }
    Ok(Findings::None)
}
