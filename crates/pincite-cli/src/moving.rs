//! `backup`, `restore`, `workspace copy`.
//!
//! Deliberately not here: what is copied and how it is verified; `pincite-app` does that.

use crate::arguments::{Options, RestoreArguments, WorkspaceCommand};
use crate::output::{Failure, Findings, Output};
use crate::workspace::{open, parsed, place, with_blobs};
use pincite_app::{backup as backups, moving, restore as restores};
use std::path::Path;

pub(crate) async fn backup(options: &Options, output: &Output, folder: &Path) -> Result<Findings, Failure> {
    let workspace = open(options).await?;
    let report = backups::backup(&workspace, folder).await?;
    output.value(&report, |report| {
        format!(
            "backup in {}: {} files, {} bytes, {} entries of the audit chain, head {}; read back and whole",
            report.backup, report.files, report.bytes, report.entries, report.head
        )
    })?;
    Ok(Findings::None)
}

pub(crate) async fn restore(
    options: &Options,
    output: &Output,
    arguments: &RestoreArguments,
) -> Result<Findings, Failure> {
    let place = with_blobs(place(options)?, arguments.blobs.as_deref())?;
    let report = restores::restore(&place, &arguments.backup).await?;
    output.value(&report, |report| {
        format!(
            "workspace in {}: {} files, {} bytes, {} entries of the audit chain, head {}",
            report.workspace, report.files, report.bytes, report.entries, report.head
        )
    })?;
    Ok(Findings::None)
}

pub(crate) async fn workspace(
    options: &Options,
    output: &Output,
    command: &WorkspaceCommand,
) -> Result<Findings, Failure> {
    let WorkspaceCommand::Copy { to, blobs } = command;
    let to = with_blobs(parsed(to, "--to")?, blobs.as_deref())?;
    let workspace = open(options).await?;
    let report = moving::copy(&workspace, &to).await?;
    output.value(&report, |report| {
        format!(
            "copied into {}: {} rows of {} tables, {} documents of {} bytes, {} entries of the audit chain, head {}",
            report.workspace, report.rows, report.tables, report.blobs, report.bytes, report.entries, report.head
        )
    })?;
    Ok(Findings::None)
}
