//! Saving what the window drew: the person names the file in the system's dialog, and these bytes go there.
//!
//! One command does both, so that the page never names a path: without the dialog nothing can be written. Deliberately not
//! here: what is in the file; the window made it from the core's numbers.

use pincite_app::AppError;
use pincite_app::wire::ErrorView;
use serde::Deserialize;
use tauri::AppHandle;
use tauri_plugin_dialog::DialogExt as _;

/// A file to be saved.
#[derive(Debug, Deserialize)]
pub(crate) struct Export {
    /// The name that the dialog begins with.
    name: String,
    /// Of the file: svg, png or csv.
    extension: String,
    /// What is written.
    bytes: Vec<u8>,
}

/// The path written to; null where the person chose none.
#[tauri::command]
pub(crate) async fn export_save(app: AppHandle, request: Export) -> Result<Option<String>, ErrorView> {
    let written = tauri::async_runtime::spawn_blocking(move || save(&app, &request)).await;
    match written {
        Ok(written) => written.map_err(|error| error.view()),
        Err(error) => Err(AppError::internal(error.to_string()).view()),
    }
}

fn save(app: &AppHandle, export: &Export) -> Result<Option<String>, AppError> {
    let chosen = app
        .dialog()
        .file()
        .set_title("Save the chart")
        .set_file_name(&export.name)
        .add_filter(export.extension.to_uppercase(), &[export.extension.as_str()])
        .blocking_save_file();
    let Some(path) = chosen.and_then(|chosen| chosen.into_path().ok()) else {
        return Ok(None);
    };
    let path = match path.extension() {
        Some(_) => path,
        None => path.with_extension(&export.extension),
    };
    std::fs::write(&path, &export.bytes).map_err(|error| {
        AppError::bad_input(format!(
            "{} can't be written: {error}; choose another folder",
            path.display()
        ))
    })?;
    Ok(Some(path.display().to_string()))
}
