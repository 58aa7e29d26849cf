//! The grammar of the registry.
//!
//! Deliberately not here: what a command does.

use super::DaysArguments;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// The two dates of a question.
#[derive(Debug, Clone, Args)]
pub(crate) struct DatesArguments {
    /// On which day it is to hold [default: today]
    #[arg(long, value_name = "DATE")]
    pub(crate) valid_at: Option<String>,
    /// As known when: a day means its end, a time itself [default: all that is known]
    #[arg(long, value_name = "DATE")]
    pub(crate) known_at: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct RevisionArguments {
    /// DOC or DOC@HASH
    pub(crate) doc: String,
    /// Its name, as its owner gives it
    #[arg(long, value_name = "NAME")]
    pub(crate) revision: String,
    /// From which day on it is in force; a draft may have none
    #[arg(long, value_name = "DATE")]
    pub(crate) effective: Option<String>,
    /// Its place in the order [default: the last]
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seq: Option<i64>,
    /// When it was approved [default: it is a draft]
    #[arg(long, value_name = "DATE")]
    pub(crate) approved: Option<String>,
    /// From when on it was known, of a history that is taken over [default: now]
    #[arg(long, value_name = "DATE")]
    pub(crate) recorded: Option<String>,
    /// A section that is said to have changed; may be said several times. `none` says that none did
    #[arg(long, value_name = "SECTION")]
    pub(crate) changed: Vec<String>,
    /// The team that answers for it
    #[arg(long, default_value = "")]
    pub(crate) owner: String,
    /// What kind of source it is
    #[arg(long, default_value = "", value_name = "CLASS")]
    pub(crate) class: String,
    /// Why
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) why: String,
}

#[derive(Debug, Args)]
pub(crate) struct RevisionNamed {
    /// The document
    pub(crate) doc: String,
    /// The revision's place in the order
    #[arg(long, value_name = "NUMBER")]
    pub(crate) seq: i64,
    /// Why
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) why: String,
}

/// What the gate does with stale citations.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum GateMode {
    Measure,
    Block,
}

#[derive(Debug, Args)]
pub(crate) struct GateArguments {
    /// Citations, one JSON object a line
    pub(crate) file: PathBuf,
    /// Count stale citations, or stop them
    #[arg(long, value_enum, default_value = "measure")]
    pub(crate) mode: GateMode,
    /// The lines are ranked, the best first: answer with those that a reader may see, the current ones, of each section the first
    #[arg(long)]
    pub(crate) dedup: bool,
    #[command(flatten)]
    pub(crate) dates: DatesArguments,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RegistryCommand {
    /// Register a revision of a document that is here
    Add(RevisionArguments),
    /// Register the revisions of a manifest (CSV or TOML); files beside it are taken in
    #[command(
        after_help = "A manifest has a revision a line (CSV), or [[document]] with [[document.revision]] (TOML). Names: doc_id, revision, seq, file\nor doc_sha256, effective_date, recorded_at, approved_at, withdrawn_at, archived_at, changed_sections (a;b, or none), owner,\nclass, supersedes, note. A line that is refused costs itself alone; the others are registered together. Exit code 1 where\nany was refused.\n\nExample:\n  pincite registry import policies/manifest.csv --why 'the policies until 2026'"
    )]
    Import {
        manifest: PathBuf,
        /// Why
        #[arg(long, allow_hyphen_values = true)]
        why: String,
    },
    /// What the files of a folder say of their revisions and dates: a manifest to look over; nothing is registered
    #[command(
        after_help = "Running heads and feet, the first pages and the names of the files are read. Each line's note has the words. Look it over,\nfill in what is missing, then import it.\n\nExample:\n  pincite registry propose policies > policies/manifest.csv"
    )]
    Propose { folder: PathBuf },
    /// Registered revisions, as they stand on two dates
    Show {
        /// One document [default: all]
        doc: Option<String>,
        #[command(flatten)]
        dates: DatesArguments,
    },
    /// What is in force of a section on a day, as known on another
    #[command(
        name = "as-of",
        after_help = "Example:\n  pincite registry as-of expenses-policy 2.1 --valid-at 2026-03-15 --known-at 2026-03-15"
    )]
    AsOf {
        doc: String,
        /// A section's key, or its label in a revision
        section: String,
        #[command(flatten)]
        dates: DatesArguments,
    },
    /// When a section had which content in force
    History {
        doc: String,
        /// A section's key, or its label in a revision
        section: String,
        /// As known when
        #[arg(long, value_name = "DATE")]
        known_at: Option<String>,
    },
    /// What became of each section from one version to another
    #[command(
        after_help = "BEFORE and AFTER are ID@HASH with a full or unique short hash; they need not be registered.\n\nExample:\n  pincite registry diff sop-114@3f2a sop-114@91bc"
    )]
    Diff {
        /// DOC or DOC@HASH
        before: String,
        /// DOC or DOC@HASH
        after: String,
        /// Say where the words stand that only one of the two has
        #[arg(long)]
        words: bool,
    },
    /// Say that a revision was approved
    Approve(RevisionNamed),
    /// Say that a revision was withdrawn
    Withdraw(RevisionNamed),
    /// Say that a revision was archived
    Archive(RevisionNamed),
    /// Revisions that declare other changes than were found, and wait for somebody
    Differences {
        /// Those that somebody settled, too
        #[arg(long)]
        all: bool,
    },
    /// Settle one: you looked, and what was found is what changed
    Settle(RevisionNamed),
    /// Documents that may be one, until somebody said of each whether it is
    Groups,
    /// Say that documents are copies of one; alone, that it is no copy
    Confirm {
        /// The one that counts
        doc: String,
        /// Its copies
        copies: Vec<String>,
        /// Why
        #[arg(long, allow_hyphen_values = true)]
        why: String,
    },
    /// Two rates by day, each against its own baseline: stale citations, and answers that reached a reader and cite a wrong version
    #[command(
        after_help = "Days are those on which answers were asked. The stale-cite rate is what the gate found when each was asked; the delivered\nwrong-version rate is by all that is known now. Exit code 1 where the newest day of either jumps above its four weeks before.\n\nExample:\n  pincite registry rates --from 2026-11-01 --to 2026-11-30"
    )]
    Rates {
        #[command(flatten)]
        days: DaysArguments,
        /// What stands for now: a day means its end
        #[arg(long, value_name = "DATE")]
        known_at: Option<String>,
    },
    /// Take in what an index says that it holds (JSON lines)
    #[command(
        after_help = "A line: {\"doc_id\", \"doc_sha256\" or \"seq\"}, and if it likes \"indexed_at\", \"groups\". Reports of one build add up; what counts is\nwhen it took a version in last.\n\nExample:\n  pincite registry indexed manifest.jsonl --build index-2026-11-30"
    )]
    Indexed {
        file: PathBuf,
        /// The build's name
        #[arg(long, value_name = "NAME")]
        build: String,
    },
    /// What was recorded and has not reached an index, and since when; exit code 1 where it waits too long
    Lag {
        /// A build that reported [default: the one that reported last]
        #[arg(long, value_name = "NAME")]
        build: Option<String>,
    },
}
