//! `locate`.
//!
//! Deliberately not here: a workspace. The text and the quotes are files.

use crate::arguments::LocateArguments;
use crate::output::{Failure, Findings, Output};
use crate::progress::Bar;
use pincite_app::locate::{self as finding, Answer, Outcome};

pub(crate) fn locate(output: &Output, arguments: &LocateArguments) -> Result<Findings, Failure> {
    let bar = Bar::new();
    let mut printed = Ok(());
    let findings = finding::file(&arguments.text, &arguments.quotes, bar.as_ref(), |answer| {
        if printed.is_ok() {
            printed = output.value(answer, answer_words);
        }
    });
    bar.finish();
    let findings = findings?;
    printed?;
    Ok(Findings::when(findings > 0))
}

fn answer_words(answer: &Answer) -> String {
    let id = answer.id.as_str().map_or_else(|| answer.id.to_string(), str::to_owned);
    match (answer.outcome, answer.start.zip(answer.end)) {
        (Outcome::Found, Some((start, end))) => {
            let score = answer.score.unwrap_or_default();
            let shift = answer
                .shift
                .map(|shift| format!("  shift {shift:+}"))
                .unwrap_or_default();
            format!("found      {id}  {start} to {end}  {score:.4}{shift}")
        }
        (Outcome::Ambiguous, _) => format!("ambiguous  {id}  {} places", answer.count),
        _ => format!("lost       {id}"),
    }
}
