//! Other programs' formats: what the options of an import say of a file, and exports that are not our own lines.
//!
//! Deliberately not here: the formats themselves.

use crate::arguments::{CitationCommand, ImportArguments, Options, Source, Written, WrittenArguments};
use crate::output::{Failure, Findings, Output};
use crate::workspace;
use pincite_app::Workspace;
use pincite_app::export::{ExportFormat, ExportOptions, export_citations, export_records};
use pincite_app::formats::{Format, Naming};

/// What the file does not say itself; `None` for our own lines.
pub(crate) fn naming(arguments: &ImportArguments) -> Result<Option<(Format, Naming)>, Failure> {
    let format = match arguments.from {
        Source::Ours => {
            let said = !arguments.doc.is_empty()
                || !arguments.map.is_empty()
                || arguments.utf16
                || arguments.model.is_some()
                || arguments.prompt_version.is_some();
            return if said {
                Err(Failure::input(
                    "our own lines say document, field, offsets and extractor themselves: leave --doc, --map, --utf16, --model and --prompt-version out, or say --from FORMAT",
                ))
            } else {
                Ok(None)
            };
        }
        Source::LabelStudio => Format::LabelStudio,
        Source::Langextract => Format::Langextract,
        Source::Docling => Format::Docling,
        Source::W3c => Format::W3c,
    };
    let mut naming = Naming {
        utf16: arguments.utf16,
        model: arguments.model.clone(),
        prompt_version: arguments.prompt_version.clone(),
        ..Naming::default()
    };
    if arguments.utf16 && matches!(format, Format::Langextract | Format::Docling) {
        return Err(Failure::input(
            "langextract and docling count code points: leave --utf16 out",
        ));
    }
    for said in &arguments.map {
        let (label, field) = said
            .split_once('=')
            .filter(|(label, field)| !label.is_empty() && !field.is_empty())
            .ok_or_else(|| Failure::input(format!("--map {said}: write LABEL=FIELD")))?;
        naming.fields.insert(label.to_owned(), field.to_owned());
    }
    for said in &arguments.doc {
        match said.rsplit_once('=') {
            Some((name, document)) => {
                naming.documents.insert(name.to_owned(), document.to_owned());
            }
            None if naming.document.is_none() => naming.document = Some(said.clone()),
            None => {
                return Err(Failure::input(
                    "--doc names one document for all; say --doc NAME=DOC for several",
                ));
            }
        }
    }
    Ok(Some((format, naming)))
}

/// Our own lines count code points and nothing else.
pub(crate) fn no_units(written: &WrittenArguments) -> Result<(), Failure> {
    if written.utf16 {
        return Err(Failure::input(
            "our own lines count code points: leave --utf16 out, or say --format",
        ));
    }
    Ok(())
}

pub(crate) async fn records(
    opened: &Workspace,
    output: &Output,
    resolved: bool,
    written: &WrittenArguments,
) -> Result<Findings, Failure> {
    let format = match written.format {
        Written::LabelStudio => ExportFormat::LabelStudio,
        Written::W3c | Written::Ours => ExportFormat::W3c,
    };
    let how = ExportOptions {
        format,
        resolved,
        utf16: written.utf16,
    };
    let mut printed = Ok(());
    let answer = |line: &str| {
        if printed.is_ok() {
            printed = output.text(line);
        }
    };
    let refused = export_records(opened, how, answer, |finding| eprintln!("{finding}")).await?;
    printed?;
    Ok(Findings::when(refused > 0))
}

pub(crate) async fn citation(
    options: &Options,
    output: &Output,
    command: &CitationCommand,
) -> Result<Findings, Failure> {
    let CitationCommand::Export { written } = command;
    let web_annotations = match written.format {
        Written::Ours => {
            no_units(written)?;
            false
        }
        Written::W3c => true,
        Written::LabelStudio => {
            return Err(Failure::input(
                "a citation has no label, and Label Studio knows labelled spans only: say --format w3c, or record export",
            ));
        }
    };
    let opened = workspace::open(options).await?;
    let mut printed = Ok(());
    let answer = |line: &str| {
        if printed.is_ok() {
            printed = output.text(line);
        }
    };
    let refused = export_citations(&opened, web_annotations, written.utf16, answer, |finding| {
        eprintln!("{finding}")
    })
    .await?;
    printed?;
    Ok(Findings::when(refused > 0))
}
