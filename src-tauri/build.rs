//! Tells Tauri which commands there are: a command that is not named here and allowed in `capabilities/` can't be called.
//!
//! Deliberately not here: anything else at build time.

fn main() {
    // The pages are inside the program: new ones, new program.
    println!("cargo::rerun-if-changed=../ui/dist");
    let commands = tauri_build::AppManifest::new().commands(&[
        "session_view",
        "session_begin",
        "session_end",
        "workspace_view",
        "reviewer_set",
        "page_token",
        "queue_list",
        "queue_choices",
        "queue_stats",
        "queue_claim",
        "queue_renew",
        "queue_release",
        "queue_holds",
        "queue_hold",
        "pace_own",
        "item_view",
        "value_check",
        "item_enter",
        "item_decide",
        "reading_keep",
        "decision_undo",
        "decision_recent",
        "evidence_view",
        "record_evidence",
        "document_list",
        "document_fields",
        "document_whole",
        "document_select",
        "document_text",
        "document_quarantine",
        "document_try_again",
        "calibration_curves",
        "calibration_items",
        "threshold_suggest",
        "threshold_set",
        "workload_view",
        "calibration_compare",
        "audit_shares",
        "audit_shares_set",
        "incident_list",
        "incident_view",
        "incident_resolve",
        "watch_view",
        "agreement_view",
        "watch_behind",
        "watch_behind_bin",
        "export_save",
        "import_start",
        "import_cancel",
    ]);
    if let Err(error) = tauri_build::try_build(tauri_build::Attributes::new().app_manifest(commands)) {
        println!("cargo::error={error:#}");
    }
}
