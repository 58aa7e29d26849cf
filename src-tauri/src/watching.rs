//! The window's commands for what people keep an eye on: incidents and one's own pace, who holds what, the
//! figures watched, how much is audited.
//!
//! Deliberately not here: rules, as in `commands`.

use crate::commands::{Answer, crossing};
use crate::desktop::Desktop;
use pincite_app::access::Deed;
use pincite_app::calibrate::curve_key;
use pincite_app::wire::{
    AgreementView, AuditSharesView, EvidenceView, IncidentDetail, IncidentResolved, IncidentView, PaceView, QueueItem,
    SignatureRequest, WatchLine, WatchView,
};
use pincite_app::{agreement, evidence, holds, incidents, pace, settings, watch};
use serde::Deserialize;
use tauri::State;

#[derive(Debug, Deserialize)]
pub(crate) struct HoldForLater {
    item: String,
    /// The token of one's own lease, which ends with it.
    token: i64,
    note: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct OneIncident {
    incident: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Resolve {
    incident: String,
    keep: bool,
    why: String,
    signature: Option<SignatureRequest>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct OneRecord {
    record: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct OfField {
    field: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Behind {
    figure: String,
    field: Option<String>,
    limit: u32,
}

#[derive(Debug, Deserialize)]
pub(crate) struct SetAuditShares {
    shares: AuditSharesView,
    why: String,
}

#[derive(Debug, Deserialize)]
pub(crate) struct BehindBin {
    field: String,
    model: String,
    prompt_version: String,
    of: String,
    from: f64,
    to: f64,
    limit: u32,
}

#[tauri::command]
pub(crate) async fn queue_holds(desktop: State<'_, Desktop>) -> Answer<Vec<QueueItem>> {
    holds::list(&desktop.allowed(Deed::ReadRecords).await?, &desktop.reviewer())
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn queue_hold(desktop: State<'_, Desktop>, request: HoldForLater) -> Answer<QueueItem> {
    let held = holds::hold_for_later(
        &desktop.allowed(Deed::Review).await?,
        &request.item,
        &request.note,
        &desktop.reviewer(),
    )
    .await
    .map_err(crossing)?;
    desktop.no_longer_holds(&request.item, request.token);
    Ok(held)
}

#[tauri::command]
pub(crate) async fn pace_own(desktop: State<'_, Desktop>) -> Answer<PaceView> {
    pace::own(&desktop.allowed(Deed::Review).await?, &desktop.reviewer())
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn record_evidence(desktop: State<'_, Desktop>, request: OneRecord) -> Answer<Vec<EvidenceView>> {
    evidence::of_record(&desktop.allowed(Deed::ReadRecords).await?, &request.record)
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn incident_list(desktop: State<'_, Desktop>) -> Answer<Vec<IncidentView>> {
    incidents::list(&desktop.allowed(Deed::ReadMeasures).await?, i64::MAX, None)
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn incident_view(desktop: State<'_, Desktop>, request: OneIncident) -> Answer<IncidentDetail> {
    incidents::show(&desktop.allowed(Deed::ReadMeasures).await?, &request.incident)
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn incident_resolve(desktop: State<'_, Desktop>, request: Resolve) -> Answer<IncidentResolved> {
    incidents::resolve(
        &desktop.allowed(Deed::Calibrate).await?,
        &request.incident,
        request.keep,
        &request.why,
        &desktop.reviewer(),
        request.signature.as_ref(),
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn watch_view(desktop: State<'_, Desktop>, request: OfField) -> Answer<WatchView> {
    watch::figures(&desktop.allowed(Deed::ReadMeasures).await?, request.field.as_deref())
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn agreement_view(desktop: State<'_, Desktop>, request: OfField) -> Answer<Vec<AgreementView>> {
    agreement::agreement(&desktop.allowed(Deed::ReadMeasures).await?, request.field.as_deref())
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn watch_behind(desktop: State<'_, Desktop>, request: Behind) -> Answer<Vec<WatchLine>> {
    watch::behind(
        &desktop.allowed(Deed::ReadMeasures).await?,
        &request.figure,
        request.field.as_deref(),
        request.limit.into(),
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn watch_behind_bin(desktop: State<'_, Desktop>, request: BehindBin) -> Answer<Vec<WatchLine>> {
    let key = curve_key(&request.field, &request.model, &request.prompt_version, &request.of).map_err(crossing)?;
    watch::behind_bin(
        &desktop.allowed(Deed::ReadMeasures).await?,
        &key,
        request.from,
        request.to,
        request.limit.into(),
    )
    .await
    .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn audit_shares(desktop: State<'_, Desktop>) -> Answer<AuditSharesView> {
    settings::audit_shares_view(&desktop.allowed(Deed::ReadMeasures).await?)
        .await
        .map_err(crossing)
}

#[tauri::command]
pub(crate) async fn audit_shares_set(desktop: State<'_, Desktop>, request: SetAuditShares) -> Answer<AuditSharesView> {
    settings::set_audit_shares(
        &desktop.allowed(Deed::ChangeSettings).await?,
        request.shares,
        &request.why,
        &desktop.reviewer(),
    )
    .await
    .map_err(crossing)
}
