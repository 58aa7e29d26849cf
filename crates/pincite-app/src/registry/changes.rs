//! What a revision changes against the one before it: computed from both texts, beside what it declares.
//!
//! Deliberately not here: pairing and comparing sections (`pincite_core::registry`).

use super::histories::{self, labelled};
use super::replacement::marks;
use super::sides::Compared;
use crate::documents::resolve;
use crate::error::AppError;
use crate::wire::{SectionChangeView, SectionPlaceView, SpanView};
use crate::workspace::Workspace;
use pincite_core::registry::{
    Differing, History, Revision, SectionVersion, carried_versions, compare, differing, first_versions,
};
use pincite_core::structure::{Locator, Section};
use pincite_store::Connection;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a revision says of its sections.
#[derive(Debug)]
pub(crate) struct Computed {
    /// In the document's order, under keys that go on from the revision before.
    pub(crate) sections: Arc<[SectionVersion]>,
    /// Where what it declares and what was computed differ; nowhere for the first revision of a document.
    pub(crate) differing: Differing,
}

/// The sections of the first revision of a document, or of one that follows another; `declared` names those that it says changed.
pub(crate) fn compute(
    before: Option<(&Revision, &Compared)>,
    history: Option<&History>,
    after: &Compared,
    declared: &[String],
) -> Computed {
    let Some((revision, compared)) = before else {
        let keys: Vec<String> = after
            .structure
            .sections
            .iter()
            .map(|section| section.section_key.clone())
            .collect();
        return Computed {
            sections: first_versions(&after.side(), &keys),
            differing: Differing::default(),
        };
    };
    let difference = compare(&compared.side(), &after.side());
    let earlier = history
        .into_iter()
        .flat_map(|history| history.revisions().iter().map(|one| &*one.sections));
    let sections = carried_versions(&after.side(), &difference, &revision.sections, earlier);
    let keys = |sections: &[SectionVersion]| {
        sections
            .iter()
            .map(|one| one.section_key.clone())
            .collect::<Vec<String>>()
    };
    let (keys_before, keys_after) = (keys(&revision.sections), keys(&sections));
    let differing = differing(
        &declared_keys(declared, &sections, revision),
        &difference.changes,
        (&compared.structure.sections, &keys_before),
        (&after.structure.sections, &keys_after),
    );
    Computed { sections, differing }
}

/// The keys of sections that somebody declares changed: by key, or as this revision, or else the one before, labels them. A name
/// that neither has stays as it is: it is declared and found nowhere.
fn declared_keys(declared: &[String], after: &[SectionVersion], before: &Revision) -> BTreeSet<String> {
    let known = |name: &String| {
        let is_key = after.iter().chain(before.sections.iter());
        if is_key.map(|section| &section.section_key).any(|key| key == name) {
            return name.clone();
        }
        let locator = Locator::parse(name).ok();
        let found =
            locator.and_then(|locator| labelled(after, &locator).or_else(|| labelled(&before.sections, &locator)));
        found.unwrap_or_else(|| name.clone())
    };
    declared.iter().map(known).collect()
}

/// What became of each section from one version to another, whether they are registered or not. What did not change is not in
/// it. With `words`, where in each layer the words stand that only it has.
///
/// # Errors
/// No such document; the store.
pub async fn diff(
    workspace: &Workspace,
    before: &str,
    after: &str,
    words: bool,
) -> Result<Vec<SectionChangeView>, AppError> {
    let mut reading = workspace.store.read().await?;
    let one = side(workspace, &mut reading, before).await?;
    let other = side(workspace, &mut reading, after).await?;
    drop(reading);
    let compared = tokio::task::spawn_blocking(move || {
        let difference = compare(&one.side(), &other.side());
        let place = |sections: &[Section], index: Option<usize>| {
            index
                .and_then(|index| sections.get(index))
                .map(|section| SectionPlaceView {
                    locator: section.locator.to_string(),
                    title: section.title.clone(),
                    page: section.page,
                    start: section.span.start().index() as u64,
                    end: section.span.end().index() as u64,
                })
        };
        let changes = difference.changes.iter().map(|change| {
            let both = change.before.zip(change.after).filter(|_| words);
            let pieces = both.map(|(before, after)| difference.words(before, after));
            let (removed, added) = marks(&pieces.unwrap_or_default());
            SectionChangeView {
                section_key: change.section_key.clone(),
                change: change.change.label().to_owned(),
                before: place(&one.structure.sections, change.before),
                after: place(&other.structure.sections, change.after),
                removed: removed.into_iter().map(SpanView::from).collect(),
                added: added.into_iter().map(SpanView::from).collect(),
            }
        });
        changes.collect()
    });
    Ok(compared.await?)
}

/// The same between two registered revisions, with the words.
///
/// # Errors
/// No such document or revision; the store.
pub async fn between(
    workspace: &Workspace,
    doc_id: &str,
    before: i64,
    after: i64,
) -> Result<Vec<SectionChangeView>, AppError> {
    let registered = histories::wanted(&mut *workspace.store.read().await?, doc_id).await?;
    let name = |seq: i64| {
        let row = registered.row(seq);
        row.map(|row| format!("{doc_id}@{}", row.doc_sha256))
            .ok_or_else(|| AppError::not_found(format!("{doc_id} has no registered revision of seq {seq}")))
    };
    diff(workspace, &name(before)?, &name(after)?, true).await
}

async fn side(workspace: &Workspace, connection: &mut Connection, doc: &str) -> Result<Compared, AppError> {
    let version = resolve(connection, doc).await?;
    Compared::of(workspace.cache(), connection, &version, None).await
}
