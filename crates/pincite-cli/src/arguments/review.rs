//! The grammar of the queue, of decisions, of incidents and of what is watched.
//!
//! Deliberately not here: what a command does.

use super::ListArguments;
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum QueueCommand {
    /// Open items in order
    List {
        #[command(flatten)]
        list: ListArguments,
        /// Show the true reasons (for calibration owners)
        #[arg(long)]
        unblind: bool,
    },
    /// The first item that nobody holds, now or for later; null where there is none
    Next {
        /// Show the true reason (for calibration owners)
        #[arg(long)]
        unblind: bool,
    },
    /// One item with its candidate; without it where the value is entered before it is seen
    Show {
        item: String,
        /// Show the true reason (for calibration owners)
        #[arg(long)]
        unblind: bool,
    },
    /// Counts, and who holds what until when
    Stats,
    /// Claim an item, or the next free one; null where there is none. An item held for later is claimed by its id
    Claim { item: Option<String> },
    /// Give an item back
    Release {
        item: String,
        #[arg(long)]
        token: i64,
    },
    /// Lengthen a lease
    Renew {
        item: String,
        #[arg(long)]
        token: i64,
    },
    /// Open items that somebody holds: leases that run, and items held for later with their notes
    Holds,
    /// Hold an item for later: nobody's next until somebody claims it by its id
    Hold {
        item: String,
        /// Why it waits
        #[arg(long, allow_hyphen_values = true)]
        note: String,
    },
    /// Enter the value before the candidate is seen, where that is asked; answers as `show` does then
    Enter(EnterArguments),
    /// Decide an item
    Decide(DecideArguments),
    /// Take a decision back; the item is open again
    Undo {
        decision: String,
        /// The caller's key: saying it twice undoes once
        #[arg(long)]
        key: String,
    },
}

#[derive(Debug, Args)]
pub(crate) struct EnterArguments {
    pub(crate) item: String,
    /// The lease's token
    #[arg(long)]
    pub(crate) token: i64,
    /// The item's version that is open
    #[arg(long)]
    pub(crate) item_version: i64,
    /// The value that the document states
    #[arg(
        long,
        value_name = "JSON",
        allow_hyphen_values = true,
        required_unless_present = "not_stated"
    )]
    pub(crate) value: Option<String>,
    /// The document states none
    #[arg(long, conflicts_with = "value")]
    pub(crate) not_stated: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DecideArguments {
    pub(crate) item: String,
    /// The lease's token
    #[arg(long)]
    pub(crate) token: i64,
    /// The item's version that was looked at
    #[arg(long)]
    pub(crate) item_version: i64,
    /// The caller's key: saying it twice decides once
    #[arg(long)]
    pub(crate) key: String,
    #[command(flatten)]
    pub(crate) verdict: VerdictArguments,
    /// Free text
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) note: Option<String>,
    #[command(flatten)]
    pub(crate) signature: SignatureArguments,
}

/// A signature, where one is given.
#[derive(Debug, Args)]
pub(crate) struct SignatureArguments {
    /// Sign it: what your signature means (reviewed, approved or responsible); your password is asked for
    #[arg(long, value_name = "MEANING")]
    pub(crate) sign: Option<String>,
    /// A file whose first line is your password
    #[arg(long, value_name = "FILE", requires = "sign")]
    pub(crate) password_file: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct VerdictArguments {
    /// The candidate is the true value
    #[arg(long)]
    pub(crate) accept: bool,
    /// The true value is this one
    #[arg(long, value_name = "JSON", allow_hyphen_values = true)]
    pub(crate) correct: Option<String>,
    /// The candidate is wrong: wrong_value, wrong_passage, wrong_document, unreadable, other
    #[arg(long, value_name = "CODE")]
    pub(crate) reject: Option<String>,
    /// The document does not state it: not_stated, not_applicable, refers_elsewhere, other
    #[arg(long, value_name = "CODE")]
    pub(crate) abstain: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ReviewCommand {
    /// Second reviews in the order made (JSON lines)
    List(ListArguments),
    /// How far reviewers agree, field by field
    Agreement {
        /// Only this field
        #[arg(long)]
        field: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum DecisionCommand {
    /// Decisions in the order made (JSON lines)
    List(ListArguments),
    /// The time each decision took, as windows logged it: JSON lines, or a table with a head line
    Times(TimesArguments),
    /// What windows logged while items stood on the screen: JSON lines, or a table with a head line
    Events(TimesArguments),
}

#[derive(Debug, Args)]
pub(crate) struct TimesArguments {
    /// Only this field
    #[arg(long)]
    pub(crate) field: Option<String>,
    /// Comma-separated values with a head line in place of JSON lines
    #[arg(long)]
    pub(crate) csv: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum IncidentCommand {
    /// Every incident with its decisions, oldest first
    List(ListArguments),
    /// One incident, with what keeping and what voiding it would do to the curves
    Show { incident: String },
    /// Its labels count again
    Keep(ResolveArguments),
    /// Its labels never count
    Void(ResolveArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ResolveArguments {
    pub(crate) incident: String,
    /// Why
    #[arg(long, allow_hyphen_values = true)]
    pub(crate) why: String,
    #[command(flatten)]
    pub(crate) signature: SignatureArguments,
}

#[derive(Debug, Args)]
pub(crate) struct WatchArguments {
    /// Only this field
    #[arg(long)]
    pub(crate) field: Option<String>,
    /// What a figure was counted from, what speaks against it first: citations_resolving, quotes_verified,
    /// abstentions_agreed, errors, queue_age (JSON lines)
    #[arg(long, value_name = "FIGURE")]
    pub(crate) behind: Option<String>,
    /// At most this many lines [default: all]
    #[arg(long, value_name = "N", requires = "behind", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: Option<u32>,
}
