//! The window's commands for the registry: the corpus on two dates, what waits for document control, what replaced a section.
//!
//! Deliberately not here: rules, as in `commands`.

use crate::commands::{Answer, crossing};
use crate::desktop::Desktop;
use pincite_app::AppError;
use pincite_app::access::Deed;
use pincite_app::answers::rates;
use pincite_app::answers::show::{self, OtherDates};
use pincite_app::registry::questions::{self, Dates};
use pincite_app::registry::scope;
use pincite_app::registry::{
    EventKind, Mode, changes, corpus, identities, index_lag, replacement, revisions, standing,
};
use pincite_app::wire::{
    AnswerGateView, AnswerSummary, AnswerView, CanonicalGroupView, CorpusView, DifferenceView, HeldTablesView,
    ItemStandingView, LagView, RatesView, ReplacementView, ScopeView, SectionChangeView, TimelineView,
};
use serde::Deserialize;
use tauri::State;

/// The two dates of a desk; today, and all that is known, where nothing is said.
#[derive(Debug, Deserialize)]
pub(crate) struct OnDates {
    valid_at: Option<String>,
    known_at: Option<String>,
}

impl OnDates {
    fn read(&self) -> Answer<Dates> {
        Dates::read(self.valid_at.as_deref(), self.known_at.as_deref()).map_err(crossing)
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct DocumentOnDates {
    doc_id: String,
    #[serde(flatten)]
    dates: OnDates,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Confirm {
    canonical_id: String,
    copies: Vec<String>,
    why: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SettledToo {
    settled_too: bool,
}

#[derive(Debug, Deserialize)]
pub(crate) struct OneRevision {
    doc_id: String,
    seq: i64,
    why: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Happened {
    doc_id: String,
    seq: i64,
    event: String,
    why: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct After {
    after: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetScope {
    scope: ScopeView,
    why: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct CitationOnDates {
    citation: String,
    #[serde(flatten)]
    dates: OnDates,
}

#[derive(Debug, Deserialize)]
pub(crate) struct TwoRevisions {
    doc_id: String,
    before: i64,
    after: i64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SectionOfTwo {
    doc_id: String,
    before: i64,
    after: i64,
    section: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct AnswersPage {
    limit: u32,
    after: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Answers {
    answers: Vec<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct OneAnswer {
    answer: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Items {
    items: Vec<String>,
}

#[tauri::command]
pub(crate) async fn corpus_view(desktop: State<'_, Desktop>, request: OnDates) -> Answer<CorpusView> {
    corpus::overview(&desktop.allowed(Deed::ReadDocuments).await?, request.read()?)
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn corpus_timeline(desktop: State<'_, Desktop>, request: DocumentOnDates) -> Answer<TimelineView> {
    let workspace = desktop.allowed(Deed::ReadDocuments).await?;
    corpus::timeline(&workspace, &request.doc_id, request.dates.read()?)
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn corpus_held(desktop: State<'_, Desktop>, request: After) -> Answer<HeldTablesView> {
    corpus::held_tables(&desktop.allowed(Deed::ReadDocuments).await?, &request.after)
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn corpus_groups(desktop: State<'_, Desktop>) -> Answer<Vec<CanonicalGroupView>> {
    identities::groups(&desktop.allowed(Deed::ReadDocuments).await?)
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn corpus_confirm(desktop: State<'_, Desktop>, request: Confirm) -> Answer<Vec<CanonicalGroupView>> {
    let workspace = desktop.allowed(Deed::ControlDocuments).await?;
    let who = desktop.reviewer();
    identities::confirm(&workspace, &request.canonical_id, &request.copies, &request.why, &who)
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn corpus_differences(
    desktop: State<'_, Desktop>,
    request: SettledToo,
) -> Answer<Vec<DifferenceView>> {
    questions::differences(&desktop.allowed(Deed::ReadDocuments).await?, request.settled_too)
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn corpus_settle(desktop: State<'_, Desktop>, request: OneRevision) -> Answer<()> {
    let workspace = desktop.allowed(Deed::ControlDocuments).await?;
    let who = desktop.reviewer();
    revisions::settle(&workspace, &request.doc_id, request.seq, &request.why, &who)
        .await
        .map_err(crossing)
}

/// Says that a revision was approved, withdrawn or archived.
#[tauri::command]
pub(crate) async fn corpus_event(desktop: State<'_, Desktop>, request: Happened) -> Answer<()> {
    let workspace = desktop.allowed(Deed::ControlDocuments).await?;
    let who = desktop.reviewer();
    let event = EventKind::from_label(&request.event)
        .ok_or_else(|| crossing(AppError::bad_input(format!("{} happens to no revision", request.event))))?;
    revisions::happened(&workspace, &request.doc_id, request.seq, event, &request.why, &who)
        .await
        .map(|_| ())
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn corpus_scope(desktop: State<'_, Desktop>) -> Answer<ScopeView> {
    scope::shown(&desktop.allowed(Deed::ReadDocuments).await?)
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn corpus_scope_set(desktop: State<'_, Desktop>, request: SetScope) -> Answer<ScopeView> {
    let workspace = desktop.allowed(Deed::ChangeSettings).await?;
    scope::set(&workspace, request.scope, &request.why, &desktop.reviewer())
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn answer_list(desktop: State<'_, Desktop>, request: AnswersPage) -> Answer<Vec<AnswerSummary>> {
    let workspace = desktop.allowed(Deed::ReadRecords).await?;
    show::list(&workspace, request.limit.into(), request.after.as_deref())
        .await
        .map_err(crossing)
}

/// What the gate says of answers, each on its own dates.
#[tauri::command]
pub(crate) async fn answer_gate(desktop: State<'_, Desktop>, request: Answers) -> Answer<Vec<AnswerGateView>> {
    let workspace = desktop.allowed(Deed::ReadRecords).await?;
    let mut verdicts = Vec::with_capacity(request.answers.len());
    // Where no answer is named, every one is meant.
    if request.answers.is_empty() {
        return Ok(verdicts);
    }
    show::gate(
        &workspace,
        &request.answers,
        &OtherDates::default(),
        Mode::Block,
        |verdict| {
            verdicts.push(verdict.clone());
        },
    )
    .await
    .map_err(crossing)?;
    Ok(verdicts)
}

#[tauri::command]
pub(crate) async fn answer_view(desktop: State<'_, Desktop>, request: OneAnswer) -> Answer<AnswerView> {
    let workspace = desktop.allowed(Deed::ReadRecords).await?;
    show::show(&workspace, &request.answer, &OtherDates::default())
        .await
        .map_err(crossing)
}

/// How far the index that reported last lags behind.
#[tauri::command]
pub(crate) async fn corpus_lag(desktop: State<'_, Desktop>) -> Answer<LagView> {
    index_lag::index_lag(&desktop.allowed(Deed::ReadDocuments).await?, None)
        .await
        .map_err(crossing)
}

/// Both rates over the last four weeks.
#[tauri::command]
pub(crate) async fn corpus_rates(desktop: State<'_, Desktop>) -> Answer<RatesView> {
    rates::recent(&desktop.allowed(Deed::ReadRecords).await?)
        .await
        .map_err(crossing)
}

/// What became of each section between two revisions.
#[tauri::command]
pub(crate) async fn corpus_changes(
    desktop: State<'_, Desktop>,
    request: TwoRevisions,
) -> Answer<Vec<SectionChangeView>> {
    let workspace = desktop.allowed(Deed::ReadDocuments).await?;
    changes::between(&workspace, &request.doc_id, request.before, request.after)
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn corpus_compare(desktop: State<'_, Desktop>, request: SectionOfTwo) -> Answer<ReplacementView> {
    let workspace = desktop.allowed(Deed::ReadDocuments).await?;
    replacement::between(
        &workspace,
        &request.doc_id,
        request.before,
        request.after,
        &request.section,
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn replacement_view(desktop: State<'_, Desktop>, request: CitationOnDates) -> Answer<ReplacementView> {
    let workspace = desktop.allowed(Deed::ReadDocuments).await?;
    replacement::of_citation(&workspace, &request.citation, request.dates.read()?)
        .await
        .map_err(crossing)
}

/// What the citations of items are worth today: of each item the worst.
#[tauri::command]
pub(crate) async fn queue_standing(desktop: State<'_, Desktop>, request: Items) -> Answer<Vec<ItemStandingView>> {
    standing::of_items(&desktop.allowed(Deed::ReadRecords).await?, &request.items)
        .await
        .map_err(crossing)
}
