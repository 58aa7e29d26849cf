//! `answer`, and the rates that answers make.
//!
//! Deliberately not here: what an answer's citations are worth.

use crate::arguments::{AnswerCommand, DatesArguments, DaysArguments, GateMode, Options, YesNo};
use crate::output::{Failure, Findings, Output};
use crate::progress::Bar;
use crate::workspace;
use pincite_app::Workspace;
use pincite_app::answers::show::OtherDates;
use pincite_app::answers::{self, import, labels, rates as both, show};
use pincite_app::registry::Mode;
use pincite_app::registry::questions::Dates;
use pincite_app::wire::{
    AnswerGateView, AnswerLabelView, AnswerSummary, AnswerView, ImportedAnswer, MatrixView, RateSeries, RatesView,
};

fn other(arguments: &DatesArguments) -> OtherDates {
    OtherDates {
        valid_at: arguments.valid_at.clone(),
        known_at: arguments.known_at.clone(),
    }
}

fn imported_words(line: &ImportedAnswer) -> String {
    let found = match &line.reason {
        Some(reason) => format!(": {reason}"),
        None => format!(
            "  {} citations, {} fail their check, {} stale",
            line.citations, line.failed, line.stale
        ),
    };
    format!(
        "line {:<5} {:<8} {}{found}",
        line.line,
        line.outcome,
        line.answer_id.as_deref().unwrap_or_default()
    )
}

fn summary_words(answer: &AnswerSummary) -> String {
    format!(
        "{:<24} {}  about {}{}  {} claims, {} citations  {}",
        answer.answer_id,
        answer.asked_at,
        answer.valid_at,
        if answer.delivered { "" } else { "  not delivered" },
        answer.claims,
        answer.citations,
        answer.question
    )
}

fn label_words(label: &AnswerLabelView) -> String {
    let word = |yes: bool, word: &str| if yes { word.to_owned() } else { format!("not {word}") };
    let cause = label
        .cause
        .as_deref()
        .map(|cause| format!(" ({})", cause.replace('_', " ")));
    format!(
        "{}: {}, {}{}: {}",
        label.who,
        word(label.faithful, "faithful"),
        word(label.correct, "correct"),
        cause.unwrap_or_default(),
        label.why
    )
}

fn answer_words(answer: &AnswerView) -> String {
    let known = answer.known_at.as_deref().map(|at| format!(", as known at {at}"));
    let mut words = format!(
        "{}  asked {}, about {}{}\n{}",
        answer.answer_id,
        answer.asked_at,
        answer.valid_at,
        known.unwrap_or_default(),
        answer.question
    );
    for claim in &answer.claims {
        words.push_str(&format!("\n  {}. {}", claim.claim, claim.text));
        for citation in &claim.citations {
            let failed = citation.reason.as_deref().map(|reason| format!(" ({reason})"));
            let stale = citation.gate.reason.as_deref().map(|reason| format!(": {reason}"));
            words.push_str(&format!(
                "\n     {} {}  {}{}  {}{}",
                citation.doc_id,
                citation.locator.as_deref().unwrap_or_default(),
                citation.state,
                failed.unwrap_or_default(),
                citation.gate.standing.replace('_', " "),
                stale.unwrap_or_default()
            ));
        }
    }
    for label in &answer.labels {
        words.push_str(&format!("\n  {}", label_words(label)));
    }
    if answer.labels_hidden > 0 {
        words.push_str(&format!(
            "\n  {} labels are shown once you said yours",
            answer.labels_hidden
        ));
    }
    words
}

fn gate_words(view: &AnswerGateView) -> String {
    let mut words = format!("{}  {}  {} stale", view.decision, view.answer, view.stale.len());
    for stale in &view.stale {
        words.push_str(&format!(
            "\n  claim {}: {}  {}{}",
            stale.claim,
            stale.doc_id,
            stale.standing.replace('_', " "),
            stale
                .reason
                .as_deref()
                .map(|reason| format!(": {reason}"))
                .unwrap_or_default()
        ));
    }
    words
}

fn matrix_words(view: &MatrixView) -> String {
    let share = view
        .wrong_of_faithful
        .map(|share| format!("; {:.1} % of the faithful ones are wrong", share * 100.0));
    let mut words = format!(
        "                 correct    wrong\nfaithful        {:>8} {:>8}\nnot faithful    {:>8} {:>8}\n\
         {} answers: {} unlabelled, {} disputed{}\n\
         faithful and wrong: {} superseded (the gate stops {} of them), {} missed an exception, {} misread a table, {} other",
        view.faithful.correct,
        view.faithful.wrong,
        view.unfaithful.correct,
        view.unfaithful.wrong,
        view.answers,
        view.unlabelled,
        view.disputed,
        share.unwrap_or_default(),
        view.causes.superseded,
        view.superseded_stale,
        view.causes.missed_exception,
        view.causes.misread_table,
        view.causes.other,
    );
    for disputed in &view.disagreements {
        words.push_str(&format!("\n{}", disputed.answer));
        for label in &disputed.labels {
            words.push_str(&format!("\n  {}", label_words(label)));
        }
    }
    words
}

fn series_words(name: &str, series: &RateSeries) -> String {
    let share =
        |share: Option<f64>| share.map_or_else(|| "none yet".to_owned(), |share| format!("{:.1} %", share * 100.0));
    let mut words = format!("{name}: {} of {}, {}", series.found, series.of, share(series.share));
    if let Some(newest) = &series.newest {
        words.push_str(&match series.baseline {
            Some(baseline) => format!("; the four weeks before {newest} {}", share(Some(baseline))),
            None => format!("; too few before {newest} to compare it with"),
        });
    }
    if series.alarm {
        words.push_str("  ALARM: it jumped");
    }
    for day in &series.days {
        words.push_str(&format!(
            "\n  {}  {:>5} of {:<6} {}",
            day.day,
            day.found,
            day.of,
            share(day.share)
        ));
    }
    words
}

fn rates_words(view: &RatesView) -> String {
    format!(
        "{}\n{}",
        series_words("stale citations", &view.stale_cite),
        series_words("delivered from a wrong version", &view.delivered_wrong_version)
    )
}

pub(crate) async fn answer(options: &Options, output: &Output, command: &AnswerCommand) -> Result<Findings, Failure> {
    let opened = workspace::open(options).await?;
    match command {
        AnswerCommand::Import { file } => {
            let bar = Bar::new();
            let done = import::import(&opened, file, opened.store.reader(), bar.as_ref()).await;
            bar.finish();
            let (done, alarms) = done?;
            output.lines(&done, imported_words)?;
            let refused = done.iter().any(|line| line.outcome == "refused");
            return Ok(Findings::when(refused || alarms > 0));
        }
        AnswerCommand::Show {
            answer: Some(answer),
            dates,
            ..
        } => {
            output.value(&show::show(&opened, answer, &other(dates)).await?, answer_words)?;
        }
        AnswerCommand::Show { answer: None, list, .. } => {
            let answers = show::list(&opened, list.limit(), list.after.as_deref()).await?;
            output.list(&answers, summary_words, "no answers were taken in")?;
        }
        AnswerCommand::Gate { answers, mode, dates } => {
            let mode = match mode {
                GateMode::Measure => Mode::Measure,
                GateMode::Block => Mode::Block,
            };
            let (mut printed, mut stopped) = (Ok(()), false);
            show::gate(&opened, answers, &other(dates), mode, |view| {
                stopped |= view.decision == "block";
                if printed.is_ok() {
                    printed = output.value(view, gate_words);
                }
            })
            .await?;
            printed?;
            return Ok(Findings::when(stopped));
        }
        AnswerCommand::Label(arguments) => {
            let new = labels::NewLabel {
                faithful: arguments.faithful == YesNo::Yes,
                correct: arguments.correct == YesNo::Yes,
                cause: arguments.cause.as_deref(),
                why: &arguments.why,
            };
            let label = labels::label(&opened, &arguments.answer, new, opened.store.reader()).await?;
            output.value(&label, label_words)?;
        }
        AnswerCommand::Matrix { days } => {
            let asked = answers::asked(days.from.as_deref(), days.to.as_deref())?;
            output.value(&labels::matrix(&opened, asked).await?, matrix_words)?;
        }
    }
    Ok(Findings::None)
}

/// `registry rates`.
pub(crate) async fn rates(
    opened: &Workspace,
    output: &Output,
    days: &DaysArguments,
    known_at: Option<&str>,
) -> Result<Findings, Failure> {
    let asked = answers::asked(days.from.as_deref(), days.to.as_deref())?;
    let known_at = Dates::read(None, known_at)?.known_at;
    let view = both::rates(opened, asked, known_at).await?;
    output.value(&view, rates_words)?;
    Ok(Findings::when(
        view.stale_cite.alarm || view.delivered_wrong_version.alarm,
    ))
}
