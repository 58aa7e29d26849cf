//! `init`, `catalogue`, `settings`, `audit`, and finding the workspace.
//!
//! Deliberately not here: making a workspace where a command other than `init` finds none.

use crate::arguments::{AuditCommand, CatalogueCommand, Options, SettingsCommand};
use crate::deeds::deed;
use crate::output::{Failure, Findings, Output};
use crate::users::password;
use pincite_app::access::Deed;
use pincite_app::workspace::Place;
use pincite_app::{
    AppError, Workspace, accounts, anchors, audit as chain, audit_page, demo, first_sight, settings as kept, signing,
};

use serde_json::json;
use std::path::Path;

/// Where the workspace is: as given, else in the user's data folder.
pub(crate) fn place(options: &Options) -> Result<Place, Failure> {
    let Some(given) = &options.workspace else {
        let folder = pincite_app::workspace::data_folder().ok_or_else(|| {
            Failure::input("the user's data folder is not known: name a folder with --workspace or set HOME")
        })?;
        return Ok(Place::Folder(folder));
    };
    parsed(given, "--workspace")
}

/// A place as it was typed behind an option.
pub(crate) fn parsed(given: &Path, option: &str) -> Result<Place, Failure> {
    if given.as_os_str().is_empty() {
        return Err(Failure::input(format!(
            "{option} is empty: name a folder or a team's database"
        )));
    }
    Ok(match given.to_str() {
        Some(text) => Place::parse(text).map_err(AppError::from)?,
        None => Place::Folder(given.to_owned()),
    })
}

/// Anchors what the command will write, and lets it be closed at the end.
async fn anchor(options: &Options, workspace: &Workspace) -> Result<(), Failure> {
    if let Some(folder) = anchors::folder() {
        workspace.anchor_in(folder).await?;
    }
    let _ = options.opened.set(workspace.clone());
    Ok(())
}

/// Opens the workspace for what the command does, read by whoever works: nothing else can be done with it in a team.
pub(crate) async fn open(options: &Options) -> Result<Workspace, Failure> {
    let place = accounts::with_kept_session(place(options)?);
    first_sight::look_over(&place, anchors::folder().as_deref()).await?;
    let workspace = Workspace::open(place).await?;
    let reader = workspace.name(options.who.as_deref())?;
    let workspace = match deed(&options.command) {
        Some(deed) => workspace.read_as(&reader).allowed(deed).await?,
        None => workspace.read_as(&reader).as_oneself().await?,
    };
    anchor(options, &workspace).await?;
    Ok(workspace)
}

/// The place, with where a team's documents go.
pub(crate) fn with_blobs(place: Place, blobs: Option<&str>) -> Result<Place, Failure> {
    match blobs {
        Some(blobs) => place
            .with_blobs(blobs)
            .map_err(|error| Failure::input(error.to_string())),
        None => Ok(place),
    }
}

/// What `init` is told of a team.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Founding<'a> {
    pub(crate) blobs: Option<&'a str>,
    pub(crate) administrator: Option<&'a str>,
    pub(crate) members: Option<&'a str>,
    pub(crate) password_file: Option<&'a Path>,
}

pub(crate) async fn init(
    options: &Options,
    output: &Output,
    with_demo: bool,
    founding: Founding<'_>,
) -> Result<Findings, Failure> {
    let place = with_blobs(place(options)?, founding.blobs)?;
    let of_a_team = [
        ("--administrator", founding.administrator.is_some()),
        ("--members", founding.members.is_some()),
    ];
    if let (Place::Folder(_), Some((name, _))) = (&place, of_a_team.iter().find(|(_, said)| *said)) {
        return Err(Failure::input(format!(
            "{name} is for a team's workspace (postgres://...): a workspace in a folder is one person's"
        )));
    }
    let remembered = anchors::folder();
    first_sight::look_over(&place, remembered.as_deref()).await?;
    if with_demo && Workspace::is_there(&place).await? {
        return Err(Failure::input(format!(
            "{place}: a workspace is here already; the demo goes into an empty folder or database"
        )));
    }
    let workspace = match &place {
        Place::Folder(_) => Some(Workspace::create(place.clone(), with_demo).await?),
        Place::Team(_) => {
            let password = match founding.administrator {
                Some(name) => Some(password(founding.password_file, &format!("Password for {name}: "))?),
                None => None,
            };
            let founder = founding.administrator.zip(password.as_deref());
            accounts::found(place.clone(), with_demo, founder, founding.members).await?
        }
    };
    first_sight::remember(&place, remembered.as_deref());
    let Some(workspace) = workspace else {
        let answer = json!({ "workspace": place.to_string(), "demo": false, "counts": null });
        output.value(&answer, |_| {
            format!("the workspace in {place} was here and is of this version")
        })?;
        return Ok(Findings::None);
    };
    let workspace = workspace.allowed(Deed::ControlDocuments).await?;
    anchor(options, &workspace).await?;
    let counts = if with_demo {
        let fixtures = demo::fixtures()?;
        eprintln!("taking in the example documents and records");
        Some(demo::fill(&workspace, &fixtures).await?)
    } else {
        None
    };
    let answer = json!({ "workspace": place.to_string(), "demo": with_demo, "counts": counts });
    output.value(&answer, |_| match counts {
        Some(counts) => format!(
            "demo workspace in {place}: {} records, {} in the review queue",
            counts.lines, counts.queued
        ),
        None => format!("workspace in {place}"),
    })?;
    Ok(Findings::None)
}

pub(crate) async fn catalogue(
    options: &Options,
    output: &Output,
    command: &CatalogueCommand,
) -> Result<Findings, Failure> {
    let (catalogue, verb) = match command {
        CatalogueCommand::Check { file } => (kept::catalogue_check(file)?, "good"),
        CatalogueCommand::Show { file: Some(file) } => (kept::catalogue_check(file)?, "read"),
        CatalogueCommand::Set { file } => (
            {
                let opened = open(options).await?;
                kept::catalogue_set(&opened, file, opened.store.reader()).await?
            },
            "in use",
        ),
        CatalogueCommand::Show { file: None } => (kept::catalogue_show(&open(options).await?).await?, "in use"),
    };
    output.value(&catalogue, |catalogue| {
        let mut words = format!("catalogue {verb}: {} fields", catalogue.fields.len());
        if matches!(command, CatalogueCommand::Show { .. }) {
            for (name, field) in &catalogue.fields {
                let hard = if field.hard { "  hard" } else { "" };
                words.push_str(&format!("\n{name:<40} {:<12} {}{hard}", field.kind.name(), field.title));
            }
        }
        words
    })?;
    Ok(Findings::None)
}

pub(crate) async fn settings(
    options: &Options,
    output: &Output,
    command: &SettingsCommand,
) -> Result<Findings, Failure> {
    let workspace = open(options).await?;
    let all = match command {
        SettingsCommand::Show => kept::show(&workspace).await?,
        SettingsCommand::Set { name, value, why } => {
            kept::set(&workspace, name, value, why, workspace.store.reader()).await?
        }
    };
    output.value(&all, |all| {
        all.iter()
            .map(|(name, value)| format!("{name:<20} {value}"))
            .collect::<Vec<_>>()
            .join("\n")
    })?;
    Ok(Findings::None)
}

pub(crate) async fn audit(options: &Options, output: &Output, command: &AuditCommand) -> Result<Findings, Failure> {
    let workspace = open(options).await?;
    match command {
        AuditCommand::Log(list) => {
            let after = list.after_number("an entry")?;
            let entries = chain::log(&workspace, list.limit(), after).await?;
            output.lines(&entries, |entry| {
                format!(
                    "{:>6}  {}  {:<16} {:<18} {}",
                    entry.entry, entry.recorded_at, entry.who, entry.action, entry.subject
                )
            })?;
            Ok(Findings::None)
        }
        AuditCommand::Verify { anchor, key } => {
            let report = chain::verify(&workspace, anchor.as_deref(), key.as_deref()).await?;
            output.value(&report, |report| match &report.fault {
                None => format!(
                    "the audit chain holds: {} entries, head {}; {}",
                    report.entries,
                    report.head,
                    match report.anchored {
                        0 => "no anchor vouches for it".to_owned(),
                        anchored => format!("anchored up to entry {anchored}"),
                    }
                ),
                Some(fault) => fault.clone(),
            })?;
            Ok(Findings::when(report.fault.is_some()))
        }
        AuditCommand::Signatures(list) => {
            let after = list.after_number("a signature")?;
            let signatures = signing::list(&workspace, list.limit(), after).await?;
            output.lines(&signatures, |signature| {
                format!(
                    "{:>6}  {}  {:<16} {:<12} {:<14} {}  {}",
                    signature.signature,
                    signature.signed_at,
                    signature.account,
                    signature.meaning,
                    signature.kind,
                    signature.subject,
                    signature.fault.as_deref().unwrap_or("holds")
                )
            })?;
            Ok(Findings::when(
                signatures.iter().any(|signature| signature.holds == Some(false)),
            ))
        }
        AuditCommand::Export { page: None } => {
            let entries = chain::log(&workspace, i64::MAX, 0).await?;
            output.lines(&entries, |entry| serde_json::to_string(entry).unwrap_or_default())?;
            Ok(Findings::None)
        }
        AuditCommand::Export { page: Some(page) } => {
            let report = chain::verify(&workspace, None, None).await?;
            let entries = chain::log(&workspace, i64::MAX, 0).await?;
            std::fs::write(page, audit_page::page(&report, &entries))
                .map_err(|error| Failure::input(format!("{}: it can't be written: {error}", page.display())))?;
            let written = json!({ "page": page.display().to_string(), "entries": entries.len() });
            output.value(&written, |_| format!("{} entries in {}", entries.len(), page.display()))?;
            Ok(Findings::None)
        }
    }
}
