//! Coverage: which sentences of stored answers claim something and cite nothing.
//!
//! A claim of an answer comes with its citations or without; those without are split into sentences, since one that only frames the
//! answer needs no source.
//!
//! Deliberately not here: the rules (`pincite_core::claims`), and whether a citation supports its claim.

use crate::error::AppError;
use crate::wire::UncitedView;
use crate::workspace::Workspace;
use pincite_core::claims::{Kind, kind, sentences};
use pincite_store::answers;

/// Claims read at a time.
const PAGE: i64 = 2_000;

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

/// The sentences of stored answers that claim something and cite nothing, in the order of the answers' ids; how many sentences claim
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
    let mut after = (String::new(), 0);
    loop {
        let claims = answers::cited_claims(&mut reading, (&after.0, after.1), PAGE).await?;
        let Some(last) = claims.last() else { return Ok(()) };
        after = (last.answer_id.clone(), last.claim);
        for claim in claims {
            let text = String::from_utf8_lossy(&claim.text);
            for one in sentences(&text).into_iter().filter(|one| kind(one) == Kind::Claim) {
                let view = UncitedView {
                    answer: claim.answer_id.clone(),
                    claim: crate::documents::count(claim.claim),
                    sentence: one.to_owned(),
                };
                sentence(view, claim.cited);
            }
        }
    }
}
