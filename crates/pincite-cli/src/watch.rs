//! `watch`.
//!
//! Deliberately not here: what is counted, and whether a figure is good.

use crate::arguments::{Options, WatchArguments};
use crate::output::{Failure, Findings, Output};
use crate::workspace;
use pincite_app::watch as figures;
use pincite_app::wire::{WatchErrors, WatchFigure, WatchLine, WatchQueue, WatchView};

fn figure_words(figure: &WatchFigure) -> String {
    match figure.share {
        Some(share) => format!("{} of {}, {:.1} %", figure.passed, figure.of, share * 100.0),
        None => "none yet".to_owned(),
    }
}

fn queue_words(queue: &WatchQueue) -> String {
    let mut words = format!(
        "{} open, {} of {} with a due time are past it",
        queue.open, queue.past_due, queue.with_due_time
    );
    if let Some(oldest) = &queue.oldest_at {
        words.push_str(&format!(", the oldest from {oldest}"));
    }
    for age in &queue.ages {
        words.push_str(&format!(
            "\n  {:<13} {:>5} past due  {:>5} within 1 day  {:>5} within 3  {:>5} later  {:>5} without",
            age.age.replace('_', " "),
            age.past_due,
            age.within_1_day,
            age.within_3_days,
            age.later,
            age.no_due_time
        ));
    }
    words
}

fn errors_words(errors: &WatchErrors) -> String {
    let mut words = format!(
        "\n  {}  {} {}  {}",
        errors.field, errors.model, errors.prompt_version, errors.of
    );
    for bin in &errors.bins {
        let closed = if bin.to >= 1.0 { ']' } else { ')' };
        let error = bin.error.map_or_else(
            || "none yet".to_owned(),
            |error| format!("{:.1} % wrong of {}", error * 100.0, bin.n),
        );
        words.push_str(&format!("\n    [{:.2}, {:.2}{closed}  {error}", bin.from, bin.to));
    }
    words
}

fn view_words(view: &WatchView) -> String {
    let errors = if view.errors.is_empty() {
        "none yet".to_owned()
    } else {
        view.errors.iter().map(errors_words).collect()
    };
    format!(
        "citations that resolve       {} (all should)\nquotes verified on arrival   {}\nabstentions agreed with      {}\n\
         the queue                    {}\nerrors by confidence         {errors}",
        figure_words(&view.citations_resolving),
        figure_words(&view.quotes_verified),
        figure_words(&view.abstentions_agreed),
        queue_words(&view.queue_age),
    )
}

fn line_words(line: &WatchLine) -> String {
    let mut words = format!(
        "{}  {:<36} {:<24} {}",
        if line.failing { "!" } else { " " },
        line.field,
        line.doc_id,
        line.state.as_deref().unwrap_or("unchecked")
    );
    if let Some(reason) = &line.reason {
        words.push_str(&format!(": {reason}"));
    }
    if let Some(due) = &line.due_at {
        words.push_str(&format!("  due {due}"));
    }
    let named = line.citation.as_ref().or(line.decision.as_ref()).or(line.item.as_ref());
    words.push_str(&format!("  {}", named.unwrap_or(&line.record_id)));
    words
}

pub(crate) async fn watch(options: &Options, output: &Output, arguments: &WatchArguments) -> Result<Findings, Failure> {
    let opened = workspace::open(options).await?;
    let field = arguments.field.as_deref();
    match &arguments.behind {
        None => output.value(&figures::figures(&opened, field).await?, view_words)?,
        Some(figure) => {
            let limit = arguments.limit.map_or(i64::MAX, i64::from);
            output.lines(&figures::behind(&opened, figure, field, limit).await?, line_words)?;
        }
    }
    Ok(Findings::None)
}
