//! `review`: second reviews and agreement.
//!
//! Deliberately not here: doing a second review; it is found and decided in the queue as any item is.

use crate::arguments::{Options, ReviewCommand};
use crate::output::{Failure, Findings, Output};
use crate::workspace;
use pincite_app::value_text::value_text;
use pincite_app::wire::{AgreementView, SecondReviewView};
use pincite_app::{agreement, second_review};

fn review_words(review: &SecondReviewView) -> String {
    format!(
        "{}  {}  {:<8} {:<12} {:<36} {:<11} {}",
        review.second_review,
        review.recorded_at,
        review.kind,
        review.reviewer,
        review.field,
        review.state,
        value_text(&review.value)
    )
}

fn agreement_words(view: &AgreementView) -> String {
    let alpha = match view.alpha {
        Some(alpha) => format!("alpha {alpha:.3} over {} pairs entered blind", view.pairs),
        None if view.pairs_short > 0 => {
            format!("{} pairs entered blind: {} too few", view.pairs, view.pairs_short)
        }
        None => format!(
            "{} pairs entered blind, all the same: chance would agree too",
            view.pairs
        ),
    };
    format!(
        "{:<36} {alpha}; {} of {} second reviews say the same; {} settled by a third, {} to settle, {} waiting",
        view.field, view.agreed, view.second_reviews, view.adjudicated, view.to_adjudicate, view.waiting
    )
}

pub(crate) async fn review(options: &Options, output: &Output, command: &ReviewCommand) -> Result<Findings, Failure> {
    let opened = workspace::open(options).await?;
    match command {
        ReviewCommand::List(list) => {
            let reviews = second_review::list(&opened, list.limit(), list.after.as_deref()).await?;
            output.lines(&reviews, review_words)?;
        }
        ReviewCommand::Agreement { field } => {
            let views = agreement::agreement(&opened, field.as_deref()).await?;
            output.list(
                &views,
                agreement_words,
                "nothing was entered blind or reviewed twice yet",
            )?;
        }
    }
    Ok(Findings::None)
}
