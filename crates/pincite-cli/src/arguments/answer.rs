//! The grammar of answers.
//!
//! Deliberately not here: what a command does.

use super::{DatesArguments, GateMode, ListArguments};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

pub(crate) const ANSWERS: &str = "Examples:
  pincite answer import answers.jsonl
  pincite answer gate --mode block
  pincite answer label a-17 --faithful yes --correct no --cause superseded --why 'the rate of last year'
  pincite answer matrix --from 2026-11-01";

/// Days on which answers were asked.
#[derive(Debug, Clone, Args)]
pub(crate) struct DaysArguments {
    /// Asked from this day on
    #[arg(long, value_name = "DATE")]
    pub(crate) from: Option<String>,
    /// Asked until this day, it included
    #[arg(long, value_name = "DATE")]
    pub(crate) to: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum YesNo {
    Yes,
    No,
}

#[derive(Debug, Args)]
pub(crate) struct LabelArguments {
    /// The answer
    pub(crate) answer: String,
    /// Whether it says what its passages say
    #[arg(long, value_enum)]
    pub(crate) faithful: YesNo,
    /// Whether that holds
    #[arg(long, value_enum)]
    pub(crate) correct: YesNo,
    /// Why a faithful answer is wrong: superseded, missed_exception, misread_table, other
    #[arg(long)]
    pub(crate) cause: Option<String>,
    /// Why
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) why: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AnswerCommand {
    /// Take in answers: JSON lines, one answer each
    #[command(
        after_help = "A line: {\"answer_id\", \"question\", \"valid_at\", \"claims\": [{\"text\", \"citations\": [...]}]}, and if it likes \"asked_at\" (else now),\n\"known_at\", \"index_build\" (a text or an object), \"class\", \"delivered\" (else true). A line that is refused costs itself alone; the\nothers are kept together. Exit code 1 where any was refused.\n\nExample:\n  pincite answer import answers.jsonl"
    )]
    Import { file: PathBuf },
    /// An answer with each citation's check and standing, on its own dates or others; without one a list
    Show {
        /// The answer [default: a list of all]
        answer: Option<String>,
        #[command(flatten)]
        dates: DatesArguments,
        #[command(flatten)]
        list: ListArguments,
    },
    /// Whether answers may be shown: each on its own dates, or on others (JSON lines)
    #[command(
        after_help = "Under measure stale citations are counted and nothing is stopped; under block the exit code is 1 where any answer has one.\n\nExample:\n  pincite answer gate a-17 --mode block"
    )]
    Gate {
        /// The answers [default: all]
        answers: Vec<String>,
        /// Count stale citations, or stop answers that have one
        #[arg(long, value_enum, default_value = "measure")]
        mode: GateMode,
        #[command(flatten)]
        dates: DatesArguments,
    },
    /// Say of an answer whether it is faithful, and whether it is correct; of each person the last word counts
    #[command(
        after_help = "A cause is needed for what is faithful and wrong, and for nothing else. Where people's labels of an answer differ it is counted in\nno cell, and listed.\n\nExample:\n  pincite answer label a-17 --faithful yes --correct no --cause superseded --why 'the rate of last year'"
    )]
    Label(LabelArguments),
    /// The 2 x 2 of faithful and correct, the faithful and wrong ones by cause
    Matrix {
        #[command(flatten)]
        days: DaysArguments,
    },
}
