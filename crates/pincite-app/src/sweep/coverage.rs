//! Coverage: which sentences of stored answers claim something and cite nothing.
//!
//! A claim of an answer comes with its citations or without; those without are split into sentences, since one that only frames the
//! answer needs no source.
//!
//! Deliberately not here: the rules (`pincite_core::claims`), and whether a citation supports its claim.

use crate::answers::page;
use crate::error::AppError;
use crate::wire::UncitedView;
use crate::workspace::Workspace;
use pincite_core::claims::{Kind, kind, sentences};
use pincite_store::answers::{self, Asked};
use std::collections::HashSet;

/// Sentences that claim, and those of them without a citation.
pub(crate) async fn count(workspace: &Workspace) -> Result<(i64, i64), AppError> {
    let (mut claims, mut uncited) = (0, 0);
    each(workspace, |_, cited| {
        claims += 1;
        uncited += i64::from(!cited);
    })
    .await?;
    Ok((claims, uncited))
}

/// The sentences of stored answers that claim something and cite nothing, in the order of the answers; how many sentences claim
/// anything at all.
///
/// # Errors
/// The store.
pub async fn uncited(workspace: &Workspace) -> Result<(u64, Vec<UncitedView>), AppError> {
    let (mut claims, mut found) = (0, Vec::new());
    each(workspace, |view, cited| {
        claims += 1;
        if !cited {
            found.push(view);
        }
    })
    .await?;
    Ok((claims, found))
}

/// Every sentence of a stored answer that claims something, and whether its claim has a citation.
async fn each(workspace: &Workspace, mut sentence: impl FnMut(UncitedView, bool)) -> Result<(), AppError> {
    let mut reading = workspace.store.read().await?;
    let mut after = 0;
    loop {
        let whole = page::next(&mut reading, after, Asked::EVER).await?;
        let (Some(first), Some(last)) = (whole.first(), whole.last()) else {
            return Ok(());
        };
        let numbers = (first.row.number, last.row.number);
        after = last.row.number;
        let cited: HashSet<(&str, u32)> = whole
            .iter()
            .flat_map(|answer| {
                let id = answer.row.answer_id.as_str();
                answer.citations.iter().map(move |placed| (id, placed.claim))
            })
            .collect();
        for claim in answers::claims(&mut reading, numbers, Asked::EVER).await? {
            let number = crate::documents::count(claim.claim);
            let is_cited = cited.contains(&(claim.answer_id.as_str(), number));
            let text = String::from_utf8_lossy(&claim.text).into_owned();
            for one in sentences(&text).into_iter().filter(|one| kind(one) == Kind::Claim) {
                let view = UncitedView {
                    answer: claim.answer_id.clone(),
                    claim: number,
                    sentence: one.to_owned(),
                };
                sentence(view, is_cited);
            }
        }
    }
}
