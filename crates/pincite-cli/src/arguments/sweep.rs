//! The grammar of sweeps, alarms and samples.
//!
//! Deliberately not here: what a command does.

use super::ListArguments;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

pub(crate) const SWEEPS: &str = "Drifted is of the same bytes and may be repaired; superseded was replaced by a later revision and stays pinned to its bytes; carried
is cited from another revision whose section says the same. They are never added up.

Examples:
  pincite sweep run --findings findings.jsonl
  pincite sweep run --after-reindex
  pincite sweep findings SWEEP --class drifted";

#[derive(Debug, Args)]
pub(crate) struct SweepArguments {
    /// Documents were read anew since the last one: over 1 % drift is an alarm
    #[arg(long)]
    pub(crate) after_reindex: bool,
    /// Begin another one, though your last one was cut short
    #[arg(long)]
    pub(crate) afresh: bool,
    /// Write every finding into this file, JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) findings: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindingClass {
    Drifted,
    Superseded,
    Carried,
    Unresolved,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SweepCommand {
    /// Check every stored citation; goes on with your last sweep where that was cut short
    Run(SweepArguments),
    /// Sweeps, the newest first
    List(ListArguments),
    /// What a sweep found
    Show {
        /// The sweep [default: the last one]
        sweep: Option<String>,
    },
    /// What a sweep says of citations that are not simply intact (JSON lines)
    Findings {
        /// The sweep
        sweep: String,
        /// Only these
        #[arg(long, value_enum)]
        class: Option<FindingClass>,
        #[command(flatten)]
        list: ListArguments,
    },
    /// Sentences of stored answers that claim something and cite nothing (JSON lines)
    Uncited,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AlarmCommand {
    /// Alarms that nobody took note of, the newest first. Exit code 1 where there is one
    List {
        /// Those that somebody took note of, too
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        list: ListArguments,
    },
    /// Take note of an alarm
    Acknowledge {
        /// The alarm
        alarm: String,
        /// What was done about it, or why nothing has to be
        #[arg(long, allow_hyphen_values = true)]
        why: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct SampleArguments {
    /// Answers that are read
    #[arg(long, value_name = "N")]
    pub(crate) answers: u32,
    /// Citations an answer
    #[arg(long, value_name = "NUMBER", default_value_t = 2.6)]
    pub(crate) citations: f64,
    /// The share of citations that is affected
    #[arg(long, value_name = "SHARE", default_value_t = 0.08)]
    pub(crate) affected: f64,
    /// The chance that a reader notices an affected one
    #[arg(long, value_name = "SHARE", default_value_t = 0.25)]
    pub(crate) detection: f64,
    /// Minutes for each citation
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0)]
    pub(crate) minutes: f64,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SampleCommand {
    /// Citations read, affected ones, flags, hours, and the chance that nobody notices any; beside it what the last sweep found
    Plan(SampleArguments),
}
