//! The command line's grammar. What each command prints is in docs/COMMAND-LINE.md.
//!
//! Deliberately not here: what a command does.

mod answer;
mod exchange;
mod moving;
mod registry;
mod review;
mod sweep;
mod user;

pub(crate) use answer::*;
pub(crate) use exchange::*;
pub(crate) use moving::*;
pub(crate) use registry::*;
pub(crate) use review::*;
pub(crate) use sweep::*;
pub(crate) use user::*;

use crate::output::Failure;
use clap::{Args, Parser, Subcommand};
use pincite_app::Workspace;
use std::path::PathBuf;
use std::sync::OnceLock;

/// Check citations into documents, work the review queue, measure what an extractor's confidence is worth.
#[derive(Debug, Parser)]
#[command(name = "pincite", version, about, after_help = EXAMPLES, max_term_width = 110)]
pub(crate) struct Options {
    /// The workspace's folder, or a team's database as postgres://user@host/database [default: the user's data folder]
    #[arg(
        long,
        global = true,
        env = "PINCITE_WORKSPACE",
        value_name = "PLACE",
        hide_env_values = true
    )]
    pub(crate) workspace: Option<PathBuf>,
    /// Who works, in a workspace in a folder [default: you]; a team's knows who is signed in
    #[arg(long = "as", global = true, value_name = "WHO")]
    pub(crate) who: Option<String>,
    /// Print JSON (one document, or JSON lines where docs/COMMAND-LINE.md says so)
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
    /// The workspace, once a command has opened it.
    #[arg(skip)]
    pub(crate) opened: OnceLock<Workspace>,
}

const EXAMPLES: &str = "Examples:
  pincite init
  pincite catalogue set catalogue.toml
  pincite ingest --doc-id sop-114 sop-114-rev-d.pdf
  pincite record import records.jsonl --place
  pincite queue list
  pincite queue claim --as ada
  pincite calibrate

Exit codes: 0 done, nothing found wrong; 1 done, with findings; 2 bad usage or input, nothing done; 3 internal.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a workspace
    #[command(
        after_help = "Examples:\n  pincite init\n  pincite --workspace ./demo init --demo\n  pincite --workspace postgres://owner@db.example/reviews init --blobs /shared/reviews \\\n    --administrator ada --members team\n\nA team's database is made by whoever runs it: CREATE ROLE owner LOGIN; CREATE ROLE team LOGIN;\nCREATE DATABASE reviews OWNER owner. Then init makes the workspace in it as the owner, and everybody works at\npostgres://team@db.example/reviews, signed in with `pincite user sign-in`. After an update of Pincite, init brings\nthe workspace to its version."
    )]
    Init {
        /// Fill it with Pincite's own example documents and records
        #[arg(long)]
        demo: bool,
        /// Where a team keeps its documents: a folder that everybody in it reaches, or a bucket (s3://bucket/name)
        #[arg(long, value_name = "DIR|S3")]
        blobs: Option<String>,
        /// A team's first account: it holds every role and lets the others in
        #[arg(long, value_name = "NAME")]
        administrator: Option<String>,
        /// The role of the database through which the team works, which owns nothing
        #[arg(long, value_name = "ROLE")]
        members: Option<String>,
        /// A file whose first line is the first account's password
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
    },
    /// The field catalogue: check a file, put it in use, show the one in use
    #[command(
        after_help = "Examples:\n  pincite catalogue check catalogue.toml\n  pincite catalogue set catalogue.toml"
    )]
    Catalogue {
        #[command(subcommand)]
        command: CatalogueCommand,
    },
    /// Settings that change while people work; each change says why and is kept
    #[command(
        after_help = "Examples:\n  pincite settings show\n  pincite settings set audit_shares '{\"show\":0.1,\"flag\":0.1,\"abstain\":0.1}' --why 'more labels at the top'"
    )]
    Settings {
        #[command(subcommand)]
        command: SettingsCommand,
    },
    /// The audit chain
    #[command(after_help = "Examples:\n  pincite audit verify\n  pincite audit log --limit 20")]
    Audit {
        #[command(subcommand)]
        command: AuditCommand,
    },
    /// Take documents in: PDFs, plain text (.txt) and Markdown (.md)
    #[command(
        after_help = "Examples:\n  pincite ingest label.pdf tender.pdf policy.md\n  pincite ingest --doc-id sop-114 sop-114-rev-d.pdf\n  pincite ingest --password-file secret.txt locked.pdf\n\nA file on which the PDF worker died twice is in quarantine and refused. --try-again opens it\nonce more; the word is kept, with who gave it."
    )]
    Ingest(IngestArguments),
    /// Questions about documents
    #[command(
        after_help = "DOC is a document's id, or ID@HASH with a full or unique short hash.\n\nExamples:\n  pincite document show sop-114@1ea2cda9\n  pincite document text drug-label > layer.txt\n  pincite document render drug-label --page 2 --dpi 144 --out page.png"
    )]
    Document {
        #[command(subcommand)]
        command: DocumentCommand,
    },
    /// Layers of a document: ours, and other programs' readings of the same bytes
    #[command(
        after_help = "DOC is a document's id, or ID@HASH with a full or unique short hash.\n\nExamples:\n  pdftotext label.pdf label.txt\n  pincite layer add drug-label --text label.txt --name 'pdftotext 24.02'\n  pincite layer list drug-label"
    )]
    Layer {
        #[command(subcommand)]
        command: LayerCommand,
    },
    /// Revisions of documents: what was in force, and what was known, on any two dates
    #[command(
        after_help = "Examples:\n  pincite registry add expenses-policy --revision B --effective 2026-02-01 --approved 2026-01-20 --changed 2.1 --why 'new rates'\n  pincite registry as-of expenses-policy 2.1 --valid-at 2026-03-15 --known-at 2026-03-15"
    )]
    Registry {
        #[command(subcommand)]
        command: RegistryCommand,
    },
    /// Whether citations may be shown on two dates: JSON lines in, verdicts out
    #[command(
        after_help = "A line is a citation: doc_id, doc_sha256, and char_start and char_end, or locator, or section (a key, or the cited revision's label);\nit may have valid_at and known_at of its own. Under measure nothing is stopped, and each standing says what it is; under block the\nexit code is 1 where any citation is stale.\n\nExample:\n  pincite gate citations.jsonl --valid-at 2026-03-15 --known-at 2026-03-15 --mode block"
    )]
    Gate(GateArguments),
    /// Answers that people were given: take them in, gate and label them, sort the wrong ones
    #[command(after_help = ANSWERS)]
    Answer {
        #[command(subcommand)]
        command: AnswerCommand,
    },
    /// Sweeps over every stored citation: what still stands where it is cited, what moved, what was replaced
    #[command(after_help = SWEEPS)]
    Sweep {
        #[command(subcommand)]
        command: SweepCommand,
    },
    /// Alarms of rates of drift: list them, take note of one
    #[command(
        after_help = "Examples:\n  pincite alarm list\n  pincite alarm acknowledge ALARM --why 'the new extractor; layers are being looked at'"
    )]
    Alarm {
        #[command(subcommand)]
        command: AlarmCommand,
    },
    /// What reading a sample by hand would find
    #[command(after_help = "Example:\n  pincite sample plan --answers 250")]
    Sample {
        #[command(subcommand)]
        command: SampleCommand,
    },
    /// Field records: import, list, show, export
    #[command(
        after_help = "Examples:\n  pincite record import records.jsonl --place\n  pincite record export --resolved > resolved.jsonl"
    )]
    Record {
        #[command(subcommand)]
        command: RecordCommand,
    },
    /// Citations that are kept: export
    #[command(after_help = "Example:\n  pincite citation export --format w3c > annotations.jsonl")]
    Citation {
        #[command(subcommand)]
        command: CitationCommand,
    },
    /// Check citations: a file of them, or every one that is kept
    #[command(after_help = "Examples:\n  pincite verify citations.jsonl\n  pincite verify --all")]
    Verify(VerifyArguments),
    /// Find quotes again in a text that they were not cut from
    #[command(
        after_help = "A line of the quotes: {\"id\": \"1\", \"quote\": \"...\", \"prefix\": \"...\", \"suffix\": \"...\", \"hint\": 1200}; only the quote is needed.\n\nExample:\n  pincite document text drug-label > layer.txt\n  pincite --json locate --text layer.txt --quotes quotes.jsonl"
    )]
    Locate(LocateArguments),
    /// The review queue
    #[command(
        after_help = "Examples:\n  pincite queue claim --as ada\n  pincite queue decide ITEM --as ada --token 1 --item-version 1 --key k1 --accept\n  pincite queue decide ITEM --as ada --token 1 --item-version 1 --key k2 --correct '{\"amount\":7,\"unit\":\"years\"}'"
    )]
    Queue {
        #[command(subcommand)]
        command: QueueCommand,
    },
    /// Second reviews of what was decided, and how far reviewers agree
    #[command(
        after_help = "Examples:\n  pincite settings set second_review_share 0.1 --why 'alpha rests on too few pairs'\n  pincite review agreement --field retention.period"
    )]
    Review {
        #[command(subcommand)]
        command: ReviewCommand,
    },
    /// Decisions that were made: list, times, events
    #[command(
        after_help = "Examples:\n  pincite decision list --limit 20\n  pincite decision times --csv > times.csv\n  pincite decision events --field retention.period > events.jsonl"
    )]
    Decision {
        #[command(subcommand)]
        command: DecisionCommand,
    },
    /// Incidents: runs of accepts too fast to have been read. Their labels count in no curve until kept
    #[command(
        after_help = "Examples:\n  pincite incident list\n  pincite incident show INCIDENT\n  pincite incident void INCIDENT --why 'asked; the pages were not opened'"
    )]
    Incident {
        #[command(subcommand)]
        command: IncidentCommand,
    },
    /// Calibration curves from the decisions as they stand
    #[command(
        after_help = "Examples:\n  pincite calibrate\n  pincite calibrate --field retention.period --json\n  pincite calibrate --field retention.period --compare ext-large/ext-3.4,ext-large/ext-3.5"
    )]
    Calibrate {
        /// Only this field
        #[arg(long)]
        field: Option<String>,
        /// How much more often the second extractor is right than the first, bin by bin: MODEL/PROMPT,MODEL/PROMPT
        #[arg(long, value_name = "FIRST,SECOND", requires = "field")]
        compare: Option<String>,
        /// Compare on present or on absent records
        #[arg(long, value_name = "present|absent", default_value = "present", requires = "compare")]
        of: String,
    },
    /// Thresholds: those in use, those the labels support, setting them
    #[command(
        after_help = "Examples:\n  pincite threshold suggest retention.period --model ext-large --prompt-version ext-3.4\n  pincite threshold set retention.period --model ext-large --prompt-version ext-3.4 --tau-show 0.95 --tau-flag 0.85 --why 'error at most 3 %'"
    )]
    Threshold {
        #[command(subcommand)]
        command: ThresholdCommand,
    },
    /// What each threshold would cost in review and show in errors
    Workload {
        /// Only this field
        #[arg(long)]
        field: Option<String>,
    },
    /// What to keep an eye on: resolving citations, verified quotes, agreed abstentions, errors by confidence, the queue's age
    #[command(
        after_help = "Examples:\n  pincite watch\n  pincite watch --field retention.period --json\n  pincite watch --behind citations_resolving --limit 20"
    )]
    Watch(WatchArguments),
    /// Accounts, roles and groups; signing in to a team's workspace
    #[command(
        after_help = "Examples:\n  pincite user sign-in ada\n  pincite user add ben --role reviewer --why 'joins the label team'\n  pincite user group join trials ben --until 2027-03-31 --why 'study 114'"
    )]
    User {
        #[command(subcommand)]
        command: UserCommand,
    },
    /// Copy the workspace into a new folder and read it back
    #[command(after_help = BACKUP)]
    Backup {
        /// A new or empty folder
        #[arg(value_name = "DIR")]
        folder: PathBuf,
    },
    /// Make a workspace out of a backup, where there is none
    #[command(after_help = RESTORE)]
    Restore(RestoreArguments),
    /// The workspace as a whole: copy it elsewhere
    #[command(
        after_help = "Example:\n  pincite --workspace ./reviews workspace copy --to postgres://owner@db.example/reviews --blobs /shared/reviews"
    )]
    Workspace {
        #[command(subcommand)]
        command: WorkspaceCommand,
    },
    /// Print a completion script for a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum CatalogueCommand {
    /// Check a file without using it
    Check { file: PathBuf },
    /// Put a file in use
    Set { file: PathBuf },
    /// Show the one in use, or what a file says
    Show { file: Option<PathBuf> },
}

#[derive(Debug, Subcommand)]
pub(crate) enum SettingsCommand {
    /// Every setting with its value in use
    Show,
    /// Put a setting in use: audit_shares, floors, index_lag_alarm_hours, lease_milliseconds, scope, second_review_share,
    /// seconds_per_item, signatures
    Set {
        name: String,
        value: String,
        /// Why
        #[arg(long)]
        why: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum AuditCommand {
    /// Entries in order (JSON lines)
    Log(ListArguments),
    /// Check the whole chain, and that it goes through every anchor that was taken of it
    #[command(
        after_help = "Every hundred entries, and when the workspace is closed, a signed line goes into a file that is not the\ndatabase: anchors/WORKSPACE.jsonl in your data folder, or in PINCITE_ANCHORS. Copy it to where nobody who\ncan change the database reaches it. Without --anchor that file is checked.\n\nExamples:\n  pincite audit verify\n  pincite audit verify --anchor /media/safe/anchors.jsonl --key 5f0e..."
    )]
    Verify {
        /// A file of anchors
        #[arg(long, value_name = "FILE")]
        anchor: Option<PathBuf>,
        /// The public key that has to have signed them, hexadecimal
        #[arg(long, value_name = "HEX")]
        key: Option<String>,
    },
    /// Every signature with whether it holds (JSON lines)
    Signatures(ListArguments),
    /// Every entry with what its hash is made of: JSON lines, or a page to print
    #[command(after_help = "Examples:\n  pincite audit export > audit.jsonl\n  pincite audit export --page audit.html")]
    Export {
        /// Write a page to print into this file instead
        #[arg(long, value_name = "FILE")]
        page: Option<PathBuf>,
    },
}

/// How much of a list.
#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    /// At most this many [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
    /// Go on after this one (the last id of the page before)
    #[arg(long, value_name = "CURSOR")]
    pub(crate) after: Option<String>,
}

impl ListArguments {
    pub(crate) fn limit(&self) -> i64 {
        self.limit.map_or(i64::MAX, i64::from)
    }

    /// The cursor, where it is the number of something; 0 where none is given.
    pub(crate) fn after_number(&self, of: &str) -> Result<i64, Failure> {
        self.after.as_ref().map_or(Ok(0), |cursor| {
            cursor
                .parse()
                .map_err(|_| Failure::input(format!("--after {cursor}: it is the number of {of}")))
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct IngestArguments {
    /// The files
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    /// The document these bytes are a version of [default: the file's stem]
    #[arg(long, value_name = "ID")]
    pub(crate) doc_id: Option<String>,
    /// A file whose first line is the password
    #[arg(long, value_name = "FILE")]
    pub(crate) password_file: Option<PathBuf>,
    /// Open files once more that are in quarantine because the PDF worker died on them
    #[arg(long)]
    pub(crate) try_again: bool,
}

/// Four finite numbers, written x0,y0,x1,y1.
fn rectangle(text: &str) -> Result<[f32; 4], String> {
    let numbers: Vec<f32> = text
        .split(',')
        .filter_map(|part| part.trim().parse().ok())
        .filter(|number: &f32| number.is_finite())
        .collect();
    match <[f32; 4]>::try_from(numbers) {
        Ok(corners) if text.split(',').count() == 4 => Ok(corners),
        _ => Err("write four numbers: x0,y0,x1,y1".to_owned()),
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum DocumentCommand {
    /// Every version
    List(ListArguments),
    /// One version, with what can be trusted of its text
    Show { doc: String },
    /// The text layer, exactly, as UTF-8
    Text {
        doc: String,
        /// Another layer than the default one
        #[arg(long, value_name = "SHA")]
        layer: Option<String>,
    },
    /// The rectangles of a span of the layer
    Boxes {
        doc: String,
        /// First code point
        #[arg(long, allow_negative_numbers = true)]
        start: i64,
        /// The code point after the last
        #[arg(long, allow_negative_numbers = true)]
        end: i64,
    },
    /// The text in a rectangle of a page
    Hit {
        doc: String,
        /// Page, from 1
        #[arg(long)]
        page: u32,
        /// Two corners in points, origin top left
        #[arg(long, value_parser = rectangle, allow_hyphen_values = true, value_name = "X0,Y0,X1,Y1")]
        rect: [f32; 4],
    },
    /// The sections with their locators
    Sections {
        doc: String,
        /// Parse afresh, without the PDF's outline and tags
        #[arg(long)]
        without_outline: bool,
    },
    /// The tables with their cells; a table whose rows can't be vouched for is held
    Tables { doc: String },
    /// Which groups may read a document, every version of it; with --set or --everybody, from now on
    Groups {
        doc: String,
        /// These, separated by commas
        #[arg(long, value_name = "GROUPS", value_delimiter = ',', requires = "why")]
        set: Vec<String>,
        /// Everybody who may read documents
        #[arg(long, conflicts_with = "set", requires = "why")]
        everybody: bool,
        /// Why
        #[arg(long, allow_hyphen_values = true)]
        why: Option<String>,
    },
    /// A page as a PNG file
    Render {
        doc: String,
        /// Page, from 1
        #[arg(long)]
        page: u32,
        /// Dots per inch
        #[arg(long, default_value_t = 144.0)]
        dpi: f32,
        /// The file to write
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// A file whose first line is the password
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        /// Draw it even if it is in quarantine because the PDF worker died on it
        #[arg(long)]
        try_again: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum LayerCommand {
    /// Keep another program's text of the same bytes, exactly as it is
    Add {
        doc: String,
        /// The text, in UTF-8
        #[arg(long, value_name = "FILE")]
        text: PathBuf,
        /// Which program read it, with its version
        #[arg(long)]
        name: String,
    },
    /// Every layer
    List { doc: String },
    /// The layer that speaks for the document where a citation names none; with LAYER, another one from now on
    Default {
        doc: String,
        /// An extractor's name, or a layer's full or unique short hash
        layer: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum RecordCommand {
    /// Import a file of JSON lines, or of another program's format
    #[command(
        after_help = "Examples:\n  pincite record import records.jsonl --place\n  pincite record import tasks.json --from label-studio --doc sop-114 --model ner --prompt-version 1 --place\n  pincite record import notes.json --from w3c --utf16 --map turnover=solvency.min_annual_turnover --doc pliego"
    )]
    Import(ImportArguments),
    /// Records in the order of arrival (JSON lines)
    List(ListArguments),
    /// One record
    Show { record_id: String },
    /// Every record (JSON lines)
    Export {
        /// One a field of a version, with the resolved value
        #[arg(long)]
        resolved: bool,
        #[command(flatten)]
        written: WrittenArguments,
    },
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct VerifyArguments {
    /// A file of citations, JSON lines
    pub(crate) file: Option<PathBuf>,
    /// Every citation that is kept
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LocateArguments {
    /// The text, UTF-8, as `document text` prints it
    #[arg(long, value_name = "FILE")]
    pub(crate) text: PathBuf,
    /// The quotes, JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) quotes: PathBuf,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ThresholdCommand {
    /// Those in use
    Show { field: Option<String> },
    /// The lowest that the labels support
    Suggest {
        field: String,
        #[arg(long)]
        model: String,
        #[arg(long)]
        prompt_version: String,
    },
    /// Put thresholds in use
    Set {
        field: String,
        #[arg(long)]
        model: String,
        #[arg(long)]
        prompt_version: String,
        /// Shown without a badge from this confidence
        #[arg(long)]
        tau_show: f64,
        /// Shown with a badge from this confidence
        #[arg(long)]
        tau_flag: f64,
        /// Why
        #[arg(long)]
        why: String,
        #[command(flatten)]
        signature: SignatureArguments,
    },
}
