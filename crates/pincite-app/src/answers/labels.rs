//! Reviewers' labels of answers, and the 2 x 2 of faithful and correct that they make.
//!
//! Of each person the last label counts. Where two people's labels differ, in the cell or in the cause, the answer is counted in no
//! cell and listed as a disagreement, until one of them says otherwise. What others said is kept back from whoever has not labelled
//! the answer yet, and may not read what is measured.
//!
//! Deliberately not here: what the cells mean (`pincite_core::answers`).

use super::page::{self, Whole};
use super::show::is_stale;
use crate::accounts::reason;
use crate::documents::count;
use crate::error::AppError;
use crate::ports::new_salt;
use crate::registry::standing::Standings;
use crate::times;
use crate::wire::{AnswerLabelView, LabelDisagreement, MatrixCauses, MatrixRow, MatrixView};
use crate::workspace::{Workspace, actor};
use pincite_core::access::{Deed, Role, role_for};
use pincite_core::answers::{Cause, Label, Matrix, Said, said};
use pincite_store::answers::{AnswerLabelRow, Asked};
use serde_json::json;

/// What somebody says of an answer.
#[derive(Debug, Clone, Copy)]
pub struct NewLabel<'a> {
    /// Whether it says what its passages say.
    pub faithful: bool,
    /// Whether that holds.
    pub correct: bool,
    /// Why it does not, where it is faithful: `superseded`, `missed_exception`, `misread_table` or `other`.
    pub cause: Option<&'a str>,
    /// Why they say so.
    pub why: &'a str,
}

/// Labels an answer; what the same person said before counts no longer.
///
/// # Errors
/// No such answer; no reason; a cause that is missing, or that nothing has; the store.
pub async fn label(
    workspace: &Workspace,
    answer_id: &str,
    new: NewLabel<'_>,
    who: &str,
) -> Result<AnswerLabelView, AppError> {
    reason(new.why)?;
    let bad = |cause: String| AppError::bad_input(format!("answer {answer_id}: {cause}"));
    let cause = match new.cause {
        None => None,
        Some(text) => Some(Cause::from_label(text).ok_or_else(|| {
            bad(format!(
                "{text} is no cause: superseded, missed_exception, misread_table and other are"
            ))
        })?),
    };
    let label = Label::new(new.faithful, new.correct, cause).map_err(|fault| bad(fault.to_string()))?;
    let cause = label.cause().map(Cause::label);
    let mut write = workspace.store.write().await?;
    let acting = actor(&write, who);
    let _ = page::wanted(write.connection(), answer_id).await?;
    write
        .add_answer_label(answer_id, (new.faithful, new.correct, cause), new.why, &acting.who)
        .await?;
    let payload = json!({ "faithful": new.faithful, "correct": new.correct, "cause": cause, "why": new.why });
    write.audit(&acting, &new_salt(), "answer.label", answer_id, &payload);
    let recorded_at = times::text(write.now);
    write.commit().await?;
    Ok(AnswerLabelView {
        who: acting.who,
        faithful: new.faithful,
        correct: new.correct,
        cause: cause.map(str::to_owned),
        why: new.why.to_owned(),
        recorded_at,
    })
}

/// The labels that somebody may see, and how many are kept back.
pub(crate) fn seen_by(who: &str, roles: &[Role], labels: Vec<AnswerLabelRow>) -> (Vec<AnswerLabelView>, u32) {
    let all = labels.len();
    let sees_all = labels.iter().any(|label| label.who == who) || role_for(Deed::ReadMeasures, roles).is_some();
    let seen: Vec<AnswerLabelView> = labels.into_iter().filter(|_| sees_all).map(view).collect();
    let hidden = count(i64::try_from(all - seen.len()).unwrap_or(i64::MAX));
    (seen, hidden)
}

fn view(row: AnswerLabelRow) -> AnswerLabelView {
    AnswerLabelView {
        who: row.who,
        faithful: row.faithful,
        correct: row.correct,
        cause: row.cause,
        why: String::from_utf8_lossy(&row.why).into_owned(),
        recorded_at: times::text(row.recorded_at),
    }
}

fn kept(row: &AnswerLabelRow) -> Result<Label, AppError> {
    let cause = row.cause.as_deref();
    let known = cause.map(|text| {
        Cause::from_label(text).ok_or_else(|| page::damaged(&row.answer_id, "a label has a cause that is none"))
    });
    Label::new(row.faithful, row.correct, known.transpose()?)
        .map_err(|fault| page::damaged(&row.answer_id, &format!("a label: {fault}")))
}

/// The 2 x 2 of the answers that were asked in a time.
///
/// # Errors
/// The store.
pub async fn matrix(workspace: &Workspace, asked: Asked) -> Result<MatrixView, AppError> {
    let mut reading = workspace.store.read().await?;
    let mut standings = Standings::new(workspace);
    let mut matrix = Matrix::default();
    let (mut answers, mut superseded_stale) = (0_u32, 0_u32);
    let mut disagreements = Vec::new();
    let mut after = 0;
    loop {
        let page = page::next(&mut reading, after, asked).await?;
        let Some(last) = page.last() else { break };
        after = last.row.number;
        for whole in page {
            answers += 1;
            let labels: Vec<Label> = whole.labels.iter().map(kept).collect::<Result<_, _>>()?;
            let said = said(&labels);
            matrix.add(said);
            match said {
                Said::Agreed(Label::FaithfulButWrong(Cause::Superseded)) => {
                    let dates = whole.dates()?;
                    superseded_stale += u32::from(is_stale(&mut standings, &mut reading, &whole, dates).await?);
                }
                Said::Disputed => disagreements.push(disagreement(whole)),
                Said::Nothing | Said::Agreed(_) => {}
            }
        }
    }
    let number = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
    let cause = |cause: Cause| number(matrix.faithful_wrong.get(&cause).copied().unwrap_or(0));
    Ok(MatrixView {
        answers,
        unlabelled: number(matrix.unlabelled),
        disputed: number(matrix.disputed),
        faithful: MatrixRow {
            correct: number(matrix.faithful_correct),
            wrong: number(matrix.wrong_though_faithful()),
        },
        unfaithful: MatrixRow {
            correct: number(matrix.unfaithful_correct),
            wrong: number(matrix.unfaithful_wrong),
        },
        causes: MatrixCauses {
            superseded: cause(Cause::Superseded),
            missed_exception: cause(Cause::MissedException),
            misread_table: cause(Cause::MisreadTable),
            other: cause(Cause::Other),
        },
        superseded_stale,
        wrong_of_faithful: matrix.share_wrong_of_faithful(),
        disagreements,
    })
}

fn disagreement(whole: Whole) -> LabelDisagreement {
    LabelDisagreement {
        answer: whole.row.answer_id,
        labels: whole.labels.into_iter().map(view).collect(),
    }
}
