//! Opening the workspace and the one window on it, and closing both properly.
//!
//! The window is built here and not in the configuration, so that navigation can be guarded: it shows Pincite's own
//! pages and nothing else, and opens no other window.
//!
//! Deliberately not here: commands.

use crate::desktop::{Desktop, Opened};
use crate::{commands, pages};
use pincite_app::wire::ErrorCode;
use pincite_app::workspace::{Place, data_folder};
use pincite_app::{AppError, Workspace, accounts, anchors, first_sight};
use std::path::{Path, PathBuf};
use tauri::{Manager as _, RunEvent, WebviewUrl, WebviewWindowBuilder};

/// The label of the only window.
pub(crate) const MAIN: &str = "main";

/// How many daily log files are kept.
const LOGS_KEPT: usize = 14;

/// WebKitGTK's DMA-BUF renderer shows a blank window on many graphics set-ups. It is turned off unless the person has said
/// otherwise, before anything starts: other threads read the environment later.
pub(crate) fn choose_renderer() {
    const RENDERER: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";
    if cfg!(target_os = "linux") && std::env::var_os(RENDERER).is_none() {
        #[expect(
            unsafe_code,
            reason = "the first thing the program does: no other thread is there yet"
        )]
        // SAFETY: called first in main, while the program has one thread.
        unsafe {
            std::env::set_var(RENDERER, "1");
        }
    }
}

/// Where the workspace is: `--workspace PLACE`, `PINCITE_WORKSPACE`, the team that was joined, or the user's data folder.
fn place() -> Result<Place, String> {
    let named = named_place()?;
    match named.to_str() {
        Some(text) => Place::parse(text).map_err(|error| error.to_string()),
        None => Ok(Place::Folder(named)),
    }
}

fn named_place() -> Result<PathBuf, String> {
    let mut arguments = std::env::args_os().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--workspace" {
            return arguments
                .next()
                .map(PathBuf::from)
                .ok_or_else(|| "--workspace wants a folder or a team's database".to_owned());
        }
    }
    match std::env::var_os("PINCITE_WORKSPACE").filter(|value| !value.is_empty()) {
        Some(folder) => Ok(PathBuf::from(folder)),
        None => accounts::joined()
            .map(PathBuf::from)
            .or_else(data_folder)
            .ok_or_else(|| "the user's data folder is not known: name a folder with --workspace".to_owned()),
    }
}

/// Daily log files beside the workspace's data, the oldest pruned. Never document text.
fn log_to(folder: &Path) {
    let appender = tracing_appender::rolling::Builder::new()
        .rotation(tracing_appender::rolling::Rotation::DAILY)
        .filename_prefix("window")
        .filename_suffix("log")
        .max_log_files(LOGS_KEPT)
        .build(folder.join("logs"));
    if let Ok(appender) = appender {
        let filter = tracing_subscriber::EnvFilter::try_from_env("PINCITE_LOG").unwrap_or_else(|_| "info".into());
        let _ = tracing_subscriber::fmt()
            .with_env_filter(filter)
            .with_ansi(false)
            .with_writer(std::sync::Mutex::new(appender))
            .try_init();
    }
}

/// Opens the workspace: a team's as whoever is signed in on this machine. Where nobody is, the window asks.
async fn open(place: Place) -> Result<Opened, AppError> {
    let remembered = anchors::folder();
    first_sight::look_over(&place, remembered.as_deref()).await?;
    let workspace = match accounts::with_kept_session(place.clone()) {
        // A team's workspace is made by whoever runs its database; a folder's when somebody first looks into it.
        signed_in @ Place::Team(_) => match Workspace::open(signed_in).await {
            Err(error) if error.code == ErrorCode::SignedOut => return Ok(Opened::SignedOut(place)),
            opened => opened?,
        },
        Place::Folder(_) => {
            let workspace = Workspace::create(place.clone(), false).await?;
            first_sight::remember(&place, remembered.as_deref());
            workspace
        }
    };
    if let Some(folder) = remembered {
        workspace.anchor_in(folder).await?;
    }
    Ok(Opened::Workspace(workspace))
}

/// Runs the window until it is closed.
pub(crate) fn run() -> Result<(), String> {
    let place = place()?;
    match &place {
        Place::Folder(folder) => log_to(folder),
        Place::Team(_) => data_folder().iter().for_each(|folder| log_to(folder)),
    }
    let opened = tauri::async_runtime::block_on(open(place)).map_err(|error| error.message)?;
    let desktop = Desktop::new(opened);
    let app = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .manage(desktop)
        .register_asynchronous_uri_scheme_protocol(pages::SCHEME, pages::answer)
        .invoke_handler(commands::handler())
        .setup(|app| {
            let window = WebviewWindowBuilder::new(app, MAIN, WebviewUrl::App("index.html".into()))
                .title("Pincite")
                .inner_size(1280.0, 800.0)
                .min_inner_size(900.0, 600.0)
                .on_navigation(|address| {
                    matches!(address.scheme(), "tauri") || address.host_str() == Some("tauri.localhost")
                })
                .on_new_window(|_, _| tauri::webview::NewWindowResponse::Deny);
            window.build()?;
            Ok(())
        })
        .build(tauri::generate_context!())
        .map_err(|error| format!("the window can't be opened: {error}"))?;
    app.run(|handle, event| match event {
        RunEvent::Ready => handle.state::<Desktop>().follow(handle),
        RunEvent::Exit => {
            let desktop = handle.state::<Desktop>().inner().clone();
            tauri::async_runtime::block_on(desktop.close());
        }
        _ => {}
    });
    Ok(())
}
