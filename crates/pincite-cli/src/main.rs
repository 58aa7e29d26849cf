//! `pincite`: every use case for scripts and terminals.
//!
//! Standard output carries the answer and nothing else; progress and words for people go to standard error. The words,
//! keys and exit codes are a contract (docs/COMMAND-LINE.md): 0 done, nothing found wrong; 1 done, with findings; 2 bad
//! usage or input, nothing done; 3 internal.
//!
//! Deliberately not here: anything that decides. Commands call `pincite-app` and print.

mod answers;
mod arguments;
mod calibration;
mod deeds;
mod documents;
mod exchange;
mod incidents;
mod index_lag;
mod layers;
mod locate;
mod log;
mod moving;
mod output;
mod progress;
mod queue;
mod records;
mod registry;
mod reviews;
mod sweeps;
mod table;
mod trust;
mod users;
mod watch;
mod whole_file;
mod workspace;

use arguments::{Command, Options};
use clap::{CommandFactory as _, Parser as _};
use output::{Failure, Findings, Output};
use std::process::ExitCode;

fn main() -> ExitCode {
    let options = match Options::try_parse() {
        Ok(options) => options,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() {
                ExitCode::from(2)
            } else {
                ExitCode::SUCCESS
            };
        }
    };
    log::start();
    // What is spawned works beside the command: a sweep looks at several documents at a time.
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return report(&Failure::internal(error.to_string())),
    };
    let ended = runtime.block_on(async {
        let ended = run(&options).await;
        // Whatever came of it: what was written is anchored.
        if let Some(workspace) = options.opened.get() {
            workspace.close().await;
        }
        ended
    });
    // Blocking work that was given up (a worker still parsing) must not hold the program.
    runtime.shutdown_background();
    match ended {
        Ok(Findings::None) => ExitCode::SUCCESS,
        Ok(Findings::Some) => ExitCode::from(1),
        Err(failure) => report(&failure),
    }
}

fn report(failure: &Failure) -> ExitCode {
    match failure {
        // Whoever read our output has gone; there is nobody to tell.
        Failure::OutputClosed => ExitCode::SUCCESS,
        Failure::Said { code, message } => {
            eprintln!("pincite: {message}");
            ExitCode::from(*code)
        }
    }
}

async fn run(options: &Options) -> Result<Findings, Failure> {
    let output = Output::new(options.json);
    match &options.command {
        Command::Init {
            demo,
            blobs,
            administrator,
            members,
            password_file,
        } => {
            let founding = workspace::Founding {
                blobs: blobs.as_deref(),
                administrator: administrator.as_deref(),
                members: members.as_deref(),
                password_file: password_file.as_deref(),
            };
            workspace::init(options, &output, *demo, founding).await
        }
        Command::Catalogue { command } => workspace::catalogue(options, &output, command).await,
        Command::Settings { command } => workspace::settings(options, &output, command).await,
        Command::Audit { command } => workspace::audit(options, &output, command).await,
        Command::Ingest(arguments) => documents::ingest(options, &output, arguments).await,
        Command::Document { command } => documents::document(options, &output, command).await,
        Command::Layer { command } => layers::layer(options, &output, command).await,
        Command::Registry { command } => registry::registry(options, &output, command).await,
        Command::Gate(arguments) => registry::gate(options, &output, arguments).await,
        Command::Answer { command } => answers::answer(options, &output, command).await,
        Command::Sweep { command } => sweeps::sweep(options, &output, command).await,
        Command::Alarm { command } => sweeps::alarm(options, &output, command).await,
        Command::Sample { command } => sweeps::sample(options, &output, command).await,
        Command::Record { command } => records::record(options, &output, command).await,
        Command::Citation { command } => exchange::citation(options, &output, command).await,
        Command::Verify(arguments) => records::verify(options, &output, arguments).await,
        Command::Locate(arguments) => locate::locate(&output, arguments),
        Command::Review { command } => reviews::review(options, &output, command).await,
        Command::Queue { command } => queue::queue(options, &output, command).await,
        Command::Decision { command } => queue::decision(options, &output, command).await,
        Command::Incident { command } => incidents::incident(options, &output, command).await,
        Command::Calibrate {
            field, compare: None, ..
        } => calibration::calibrate(options, &output, field.as_deref()).await,
        Command::Calibrate {
            field,
            compare: Some(pair),
            of,
        } => calibration::compare(options, &output, field.as_deref().unwrap_or_default(), pair, of).await,
        Command::Threshold { command } => calibration::threshold(options, &output, command).await,
        Command::Workload { field } => calibration::workload(options, &output, field.as_deref()).await,
        Command::Watch(arguments) => watch::watch(options, &output, arguments).await,
        Command::User { command } => users::user(options, &output, command).await,
        Command::Backup { folder } => moving::backup(options, &output, folder).await,
        Command::Restore(arguments) => moving::restore(options, &output, arguments).await,
        Command::Workspace { command } => moving::workspace(options, &output, command).await,
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Options::command(), "pincite", &mut script);
            output.bytes(&script)?;
            Ok(Findings::None)
        }
    }
}
