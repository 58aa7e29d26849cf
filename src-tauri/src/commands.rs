//! The window's commands: each calls one use case.
//!
//! Deliberately not here: rules. A refusal crosses as a code and one line.

use crate::desktop::Desktop;
use crate::{corpus, exports, imports, sessions, watching};
use pincite_app::access::Deed;
use pincite_app::calibrate::curve_key;
use pincite_app::thresholds::{self, NewThresholds};
use pincite_app::wire::{
    BinDifferenceView, Claim, CurveView, DecideRequest, DecisionView, DocumentView, EnterRequest, ErrorView,
    EvidenceView, FieldsView, ItemView, QueueChoicesView, QueueFilter, QueueItem, QueueStats, ReadingSegment,
    SelectionView, SignatureRequest, ThresholdView, ValueCheckView, WorkloadView, WorkspaceView,
};
use pincite_app::{
    AppError, calibrate, comparison, documents, enter_first, evidence, fields, items, layers, quarantine, queue,
    reading_times, values,
};
use serde::Deserialize;
use tauri::State;
use tauri::ipc::Response;

pub(crate) type Answer<T> = Result<T, ErrorView>;

pub(crate) fn crossing(error: AppError) -> ErrorView {
    tracing::info!(code = ?error.code, "refused");
    error.view()
}

/// Every command, named once more in `build.rs` and allowed in `capabilities/main.json`.
pub(crate) fn handler() -> impl Fn(tauri::ipc::Invoke) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        sessions::session_view,
        sessions::session_begin,
        sessions::session_end,
        workspace_view,
        reviewer_set,
        page_token,
        queue_list,
        queue_choices,
        queue_stats,
        queue_claim,
        queue_renew,
        queue_release,
        watching::queue_holds,
        watching::queue_hold,
        watching::pace_own,
        item_view,
        value_check,
        item_enter,
        item_decide,
        reading_keep,
        decision_undo,
        decision_recent,
        evidence_view,
        watching::record_evidence,
        document_list,
        document_fields,
        document_whole,
        document_select,
        document_text,
        document_quarantine,
        document_try_again,
        calibration_curves,
        calibration_items,
        threshold_suggest,
        threshold_set,
        workload_view,
        calibration_compare,
        watching::audit_shares,
        watching::audit_shares_set,
        watching::incident_list,
        watching::incident_view,
        watching::incident_resolve,
        watching::watch_view,
        watching::agreement_view,
        watching::watch_behind,
        watching::watch_behind_bin,
        corpus::corpus_view,
        corpus::corpus_timeline,
        corpus::corpus_held,
        corpus::corpus_groups,
        corpus::corpus_confirm,
        corpus::corpus_differences,
        corpus::corpus_settle,
        corpus::corpus_event,
        corpus::corpus_scope,
        corpus::corpus_scope_set,
        corpus::corpus_lag,
        corpus::corpus_rates,
        corpus::answer_list,
        corpus::answer_gate,
        corpus::answer_view,
        corpus::corpus_changes,
        corpus::corpus_compare,
        corpus::replacement_view,
        corpus::queue_standing,
        exports::export_save,
        imports::import_start,
        imports::import_cancel,
    ]
}

#[derive(Debug, Deserialize)]
struct Page {
    limit: u32,
    after: Option<String>,
}

#[derive(Debug, Deserialize)]
struct QueuePage {
    limit: u32,
    after: Option<String>,
    filter: QueueFilter,
}

#[derive(Debug, Deserialize)]
struct Filtered {
    filter: QueueFilter,
}

#[derive(Debug, Deserialize)]
struct TypedText {
    field: String,
    typed: serde_json::Value,
}

#[derive(Debug, Deserialize)]
struct Named {
    name: String,
}

#[derive(Debug, Deserialize)]
struct MaybeItem {
    item: Option<String>,
}

#[derive(Debug, Deserialize)]
struct OneItem {
    item: String,
}

#[derive(Debug, Deserialize)]
struct Lease {
    item: String,
    token: i64,
}

#[derive(Debug, Deserialize)]
struct Reading {
    item: String,
    segment: ReadingSegment,
}

#[derive(Debug, Deserialize)]
struct Undo {
    decision: String,
    key: String,
}

#[derive(Debug, Deserialize)]
struct Limit {
    limit: u32,
}

#[derive(Debug, Deserialize)]
struct OneCitation {
    citation: String,
}

#[derive(Debug, Deserialize)]
struct Bytes {
    doc_sha256: String,
}

#[derive(Debug, Deserialize)]
struct Version {
    doc_id: String,
    doc_sha256: String,
}

#[derive(Debug, Deserialize)]
struct Drag {
    doc_sha256: String,
    layer_sha256: String,
    page: u32,
    x0: f32,
    y0: f32,
    x1: f32,
    y1: f32,
}

#[derive(Debug, Deserialize)]
struct Layer {
    doc_sha256: String,
    layer_sha256: String,
}

#[derive(Debug, Deserialize)]
struct Extractor {
    field: String,
    model: String,
    prompt_version: String,
}

#[derive(Debug, Deserialize)]
struct Bin {
    field: String,
    model: String,
    prompt_version: String,
    of: String,
    from: f64,
    to: f64,
}

#[derive(Debug, Deserialize)]
struct Workload {
    field: String,
    model: String,
    prompt_version: String,
    asked: Option<f64>,
}

#[derive(Debug, Deserialize)]
struct ExtractorVersion {
    model: String,
    prompt_version: String,
}

#[derive(Debug, Deserialize)]
struct Pair {
    field: String,
    of: String,
    first: ExtractorVersion,
    second: ExtractorVersion,
}

#[derive(Debug, Deserialize)]
struct SetThresholds {
    field: String,
    model: String,
    prompt_version: String,
    tau_show: f64,
    tau_flag: f64,
    why: String,
    signature: Option<SignatureRequest>,
}

#[tauri::command]
async fn workspace_view(desktop: State<'_, Desktop>) -> Answer<WorkspaceView> {
    let workspace = desktop.workspace()?;
    workspace.view(&desktop.reviewer()).await.map_err(crossing)
}

#[tauri::command]
async fn reviewer_set(desktop: State<'_, Desktop>, request: Named) -> Answer<WorkspaceView> {
    let workspace = desktop.allowed(Deed::Review).await?;
    // In a team nobody is anybody else.
    let name = workspace.name(Some(&request.name)).map_err(crossing)?;
    workspace.ensure_reviewer(&name).await.map_err(crossing)?;
    desktop.set_reviewer(&name);
    workspace.view(&name).await.map_err(crossing)
}

#[tauri::command]
async fn page_token(desktop: State<'_, Desktop>) -> Answer<String> {
    Ok(desktop.page_token.to_string())
}

#[tauri::command]
async fn queue_list(desktop: State<'_, Desktop>, request: QueuePage) -> Answer<Vec<QueueItem>> {
    queue::list(
        &desktop.allowed(Deed::ReadRecords).await?,
        request.limit.into(),
        request.after.as_deref(),
        &request.filter,
        &desktop.reviewer(),
        false,
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
async fn queue_choices(desktop: State<'_, Desktop>, request: Filtered) -> Answer<QueueChoicesView> {
    queue::choices(
        &desktop.allowed(Deed::ReadRecords).await?,
        &request.filter,
        &desktop.reviewer(),
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
async fn queue_stats(desktop: State<'_, Desktop>) -> Answer<QueueStats> {
    queue::stats(&desktop.allowed(Deed::ReadRecords).await?, &desktop.reviewer())
        .await
        .map_err(crossing)
}

#[tauri::command]
async fn queue_claim(desktop: State<'_, Desktop>, request: MaybeItem) -> Answer<Option<Claim>> {
    let claim = queue::claim(
        &desktop.allowed(Deed::Review).await?,
        request.item.as_deref(),
        &desktop.reviewer(),
    )
    .await
    .map_err(crossing)?;
    if let Some(claim) = &claim {
        desktop.holds(claim);
    }
    Ok(claim)
}

#[tauri::command]
async fn queue_renew(desktop: State<'_, Desktop>, request: Lease) -> Answer<Claim> {
    queue::renew(&desktop.allowed(Deed::Review).await?, &request.item, request.token)
        .await
        .map_err(crossing)
}

#[tauri::command]
async fn queue_release(desktop: State<'_, Desktop>, request: Lease) -> Answer<()> {
    desktop.no_longer_holds(&request.item, request.token);
    queue::release(&desktop.allowed(Deed::Review).await?, &request.item, request.token)
        .await
        .map(|_| ())
        .map_err(crossing)
}

#[tauri::command]
async fn item_view(desktop: State<'_, Desktop>, request: OneItem) -> Answer<ItemView> {
    items::item(
        &desktop.allowed(Deed::ReadRecords).await?,
        &request.item,
        &desktop.reviewer(),
        false,
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
async fn value_check(desktop: State<'_, Desktop>, request: TypedText) -> Answer<ValueCheckView> {
    values::check_typed(
        &desktop.allowed(Deed::ReadRecords).await?,
        &request.field,
        &request.typed,
    )
    .await
    .map_err(crossing)
}

/// Keeps what the reviewer read before seeing the candidate; the lease goes on. Another window of the same person sees it too.
#[tauri::command]
async fn item_enter(desktop: State<'_, Desktop>, request: EnterRequest) -> Answer<ItemView> {
    enter_first::enter(&desktop.allowed(Deed::Review).await?, &request, &desktop.reviewer())
        .await
        .map_err(crossing)
}

#[tauri::command]
async fn item_decide(desktop: State<'_, Desktop>, request: DecideRequest) -> Answer<DecisionView> {
    let decision = queue::decide(&desktop.allowed(Deed::Review).await?, &request, &desktop.reviewer())
        .await
        .map_err(crossing)?;
    desktop.no_longer_holds(&request.item, request.token);
    Ok(decision)
}

#[tauri::command]
async fn reading_keep(desktop: State<'_, Desktop>, request: Reading) -> Answer<()> {
    reading_times::keep(
        &desktop.allowed(Deed::Review).await?,
        &request.item,
        &request.segment,
        &desktop.reviewer(),
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
async fn decision_undo(desktop: State<'_, Desktop>, request: Undo) -> Answer<DecisionView> {
    queue::undo(
        &desktop.allowed(Deed::Review).await?,
        &request.decision,
        &request.key,
        &desktop.reviewer(),
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
async fn decision_recent(desktop: State<'_, Desktop>, request: Limit) -> Answer<Vec<DecisionView>> {
    queue::recent(
        &desktop.allowed(Deed::ReadRecords).await?,
        &desktop.reviewer(),
        request.limit.into(),
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
async fn evidence_view(desktop: State<'_, Desktop>, request: OneCitation) -> Answer<EvidenceView> {
    evidence::evidence(&desktop.allowed(Deed::ReadDocuments).await?, &request.citation)
        .await
        .map_err(crossing)
}

#[tauri::command]
async fn document_list(desktop: State<'_, Desktop>, request: Page) -> Answer<Vec<DocumentView>> {
    documents::list(
        &desktop.allowed(Deed::ReadDocuments).await?,
        request.limit.into(),
        request.after.as_deref().unwrap_or_default(),
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
async fn document_fields(desktop: State<'_, Desktop>, request: Version) -> Answer<FieldsView> {
    fields::fields(
        &desktop.allowed(Deed::ReadRecords).await?,
        &request.doc_id,
        &request.doc_sha256,
        &desktop.reviewer(),
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
async fn document_whole(desktop: State<'_, Desktop>, request: Version) -> Answer<EvidenceView> {
    evidence::whole(
        &desktop.allowed(Deed::ReadDocuments).await?,
        &request.doc_id,
        &request.doc_sha256,
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
async fn document_select(desktop: State<'_, Desktop>, request: Drag) -> Answer<Option<SelectionView>> {
    let Drag {
        doc_sha256,
        layer_sha256,
        page,
        x0,
        y0,
        x1,
        y1,
    } = request;
    documents::select(
        &desktop.allowed(Deed::ReadDocuments).await?,
        &doc_sha256,
        &layer_sha256,
        page,
        (x0, y0),
        (x1, y1),
    )
    .await
    .map_err(crossing)
}

/// A layer's UTF-8, as bytes: a document's text never crosses as JSON.
#[tauri::command]
async fn document_text(desktop: State<'_, Desktop>, request: Layer) -> Answer<Response> {
    layers::bytes(
        &desktop.allowed(Deed::ReadDocuments).await?,
        &request.doc_sha256,
        &request.layer_sha256,
    )
    .await
    .map(Response::new)
    .map_err(crossing)
}

/// Why some bytes are in quarantine; null where they are not.
#[tauri::command]
async fn document_quarantine(desktop: State<'_, Desktop>, request: Bytes) -> Answer<Option<String>> {
    quarantine::reason(&desktop.allowed(Deed::ReadDocuments).await?, &request.doc_sha256)
        .await
        .map_err(crossing)
}

#[tauri::command]
async fn document_try_again(desktop: State<'_, Desktop>, request: Bytes) -> Answer<bool> {
    quarantine::try_again(
        &desktop.allowed(Deed::ReadDocuments).await?,
        &request.doc_sha256,
        &desktop.reviewer(),
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
async fn calibration_curves(desktop: State<'_, Desktop>) -> Answer<Vec<CurveView>> {
    calibrate::curve_views(&desktop.allowed(Deed::ReadMeasures).await?, None)
        .await
        .map_err(crossing)
}

#[tauri::command]
async fn calibration_items(desktop: State<'_, Desktop>, request: Bin) -> Answer<Vec<DecisionView>> {
    let key = curve_key(&request.field, &request.model, &request.prompt_version, &request.of).map_err(crossing)?;
    calibrate::behind_bin(
        &desktop.allowed(Deed::ReadMeasures).await?,
        &key,
        request.from,
        request.to,
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
async fn threshold_suggest(desktop: State<'_, Desktop>, request: Extractor) -> Answer<ThresholdView> {
    thresholds::suggested(
        &desktop.allowed(Deed::ReadMeasures).await?,
        &request.field,
        &request.model,
        &request.prompt_version,
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
async fn threshold_set(desktop: State<'_, Desktop>, request: SetThresholds) -> Answer<ThresholdView> {
    let new = NewThresholds {
        field: &request.field,
        model: &request.model,
        prompt_version: &request.prompt_version,
        tau_show: request.tau_show,
        tau_flag: request.tau_flag,
        why: &request.why,
        signature: request.signature.as_ref(),
    };
    thresholds::set(&desktop.allowed(Deed::Calibrate).await?, &new, &desktop.reviewer())
        .await
        .map_err(crossing)
}

#[tauri::command]
async fn workload_view(desktop: State<'_, Desktop>, request: Workload) -> Answer<Vec<WorkloadView>> {
    let extractor = Some((request.model.as_str(), request.prompt_version.as_str()));
    calibrate::workload_views(
        &desktop.allowed(Deed::ReadMeasures).await?,
        Some(&request.field),
        extractor,
        request.asked,
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
async fn calibration_compare(desktop: State<'_, Desktop>, request: Pair) -> Answer<Vec<BinDifferenceView>> {
    let key = |version: &ExtractorVersion| {
        curve_key(&request.field, &version.model, &version.prompt_version, &request.of).map_err(crossing)
    };
    comparison::comparison(
        &desktop.allowed(Deed::ReadMeasures).await?,
        &key(&request.first)?,
        &key(&request.second)?,
    )
    .await
    .map_err(crossing)
}
