//! The grammar of what comes from other programs and goes to them.
//!
//! Deliberately not here: what a command does; what the formats are (docs/formats).

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    pub(crate) file: PathBuf,
    /// Find the places of quotes that have none, or another text's
    #[arg(long)]
    pub(crate) place: bool,
    /// Refuse the whole file for one bad line or entry
    #[arg(long)]
    pub(crate) strict: bool,
    /// The file's format
    #[arg(long, value_enum, default_value_t = Source::Ours)]
    pub(crate) from: Source,
    /// The document, where the file names none; NAME=DOC for what the file calls NAME
    #[arg(long, value_name = "[NAME=]DOC")]
    pub(crate) doc: Vec<String>,
    /// The field that a label stands for [default: a label names its field]
    #[arg(long, value_name = "LABEL=FIELD")]
    pub(crate) map: Vec<String>,
    /// Offsets count UTF-16 units, as Hypothesis's do
    #[arg(long)]
    pub(crate) utf16: bool,
    /// The model, where the file names none
    #[arg(long)]
    pub(crate) model: Option<String>,
    /// The prompt version, where the file names none
    #[arg(long)]
    pub(crate) prompt_version: Option<String>,
}

/// What an import reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Source {
    Ours,
    LabelStudio,
    Langextract,
    Docling,
    W3c,
}

/// What an export writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Written {
    Ours,
    W3c,
    LabelStudio,
}

#[derive(Debug, Args)]
pub(crate) struct WrittenArguments {
    /// The format
    #[arg(long, value_enum, default_value_t = Written::Ours)]
    pub(crate) format: Written,
    /// Offsets of another format than ours count UTF-16 units instead of code points
    #[arg(long)]
    pub(crate) utf16: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CitationCommand {
    /// Every kept citation that holds (JSON lines)
    Export {
        #[command(flatten)]
        written: WrittenArguments,
    },
}
