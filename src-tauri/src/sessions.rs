//! Joining a team's workspace, signing in and out.
//!
//! Deliberately not here: keys and where sessions are kept (`pincite_app::accounts`).

use crate::commands::{Answer, crossing};
use crate::desktop::{Desktop, Opened};
use pincite_app::wire::SessionView;
use pincite_app::workspace::Place;
use pincite_app::{AppError, Workspace, accounts, anchors};
use serde::Deserialize;
use tauri::{AppHandle, State};

/// Who signs in, and where.
#[derive(Deserialize)]
pub(crate) struct Begin {
    /// A team's address, to join it; null for the one that the window is open on.
    address: Option<String>,
    account: String,
    password: String,
}

fn view(desktop: &Desktop) -> Result<SessionView, AppError> {
    let (place, workspace) = desktop.opened()?;
    Ok(SessionView {
        place: place.to_string(),
        team: matches!(place, Place::Team(_)),
        account: workspace
            .filter(Workspace::is_team)
            .map(|workspace| workspace.store.reader().to_owned()),
    })
}

/// Where the window is, and who is signed in there.
#[tauri::command]
pub(crate) async fn session_view(desktop: State<'_, Desktop>) -> Answer<SessionView> {
    view(&desktop).map_err(crossing)
}

/// Signs in, to the team that the window is open on or to another one, which is then the one that it opens on.
#[tauri::command]
pub(crate) async fn session_begin(app: AppHandle, desktop: State<'_, Desktop>, request: Begin) -> Answer<SessionView> {
    begin(&app, &desktop, &request).await.map_err(crossing)
}

async fn begin(app: &AppHandle, desktop: &Desktop, request: &Begin) -> Result<SessionView, AppError> {
    let place = match &request.address {
        None => desktop.opened()?.0,
        Some(address) => Place::parse(address.trim())?,
    };
    let signed_in = accounts::sign_in_and_keep(&place, &request.account, &request.password).await?;
    let workspace = Workspace::open(signed_in).await?;
    if let Some(folder) = anchors::folder() {
        workspace.anchor_in(folder).await?;
    }
    if let Some(address) = &request.address {
        accounts::join(address.trim())?;
    }
    desktop.change(app, Opened::Workspace(workspace)).await?;
    view(desktop)
}

/// Signs out of a team's workspace.
#[tauri::command]
pub(crate) async fn session_end(app: AppHandle, desktop: State<'_, Desktop>) -> Answer<SessionView> {
    end(&app, &desktop).await.map_err(crossing)
}

async fn end(app: &AppHandle, desktop: &Desktop) -> Result<SessionView, AppError> {
    let (place, workspace) = desktop.opened()?;
    if let Some(workspace) = workspace.filter(Workspace::is_team) {
        accounts::sign_out(&workspace).await?;
        desktop.change(app, Opened::SignedOut(place)).await?;
    }
    view(desktop)
}
