//! The grammar of backing up, restoring and copying a workspace.
//!
//! Deliberately not here: what a command does; what a backup is made of (docs/COMMAND-LINE.md).

use clap::{Args, Subcommand};
use std::path::PathBuf;

pub(crate) const BACKUP: &str = "Others may go on working: the backup is of one moment. The database is copied by SQLite itself (VACUUM INTO) \
or by pg_dump,\nand with it the bytes of every document that it names. DIR gets its name when all of it was read back:\n\n  \
SQLite      every page and every reference of the copy, the whole audit chain in it, and every file's hash\n  \
PostgreSQL  every row of the dump against the state that it was made of, the whole audit chain in that state, and\n              \
every file's hash; not whether a server takes the dump's statements: restoring uses its rows alone\n\n\
Other people's anchors and passwords are not in it. pg_dump is looked for on PATH and where Debian keeps it;\n\
PINCITE_POSTGRES_PROGRAMS names another folder. The role in the address must see every row: it is the one that owns the tables.\n\n\
Examples:\n  pincite backup /media/safe/reviews-2026-11-30\n  \
pincite --workspace postgres://owner@db.example/reviews backup /media/safe/reviews-2026-11-30\n  \
cd /media/safe/reviews-2026-11-30 && sha256sum -c manifest.sha256";

pub(crate) const RESTORE: &str = "Every file is compared with the backup's list before anything is written, and what was restored with what was backed up \
before it is there.\nA backup of a workspace in a folder goes into a new folder, one of a team's into an empty schema. An older one is brought to\n\
this version; a newer one is refused. Anchors taken after the backup go on saying that entries are missing: they are.\n\n\
Examples:\n  pincite --workspace ./again restore /media/safe/reviews-2026-11-30\n  \
pincite --workspace postgres://owner@db.example/again restore /media/safe/reviews-2026-11-30 --blobs /shared/again";

#[derive(Debug, Args)]
pub(crate) struct RestoreArguments {
    /// The folder that `pincite backup` made
    #[arg(value_name = "DIR")]
    pub(crate) backup: PathBuf,
    /// Where a team keeps its documents: a folder that everybody in it reaches, or a bucket (s3://bucket/name)
    #[arg(long, value_name = "DIR|S3")]
    pub(crate) blobs: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum WorkspaceCommand {
    /// Copy it to another place, on the same database or the other one, with identical content
    #[command(
        after_help = "Every row of every table as it is, in one transaction: the audit chain holds in the copy as before, and numbers go on.\nThe copy is read back and compared before it is there. The workspace that it came from stays; work on in one of the two.\n\nExamples:\n  pincite --workspace ./reviews workspace copy --to postgres://owner@db.example/reviews --blobs /shared/reviews\n  pincite --workspace postgres://owner@db.example/reviews workspace copy --to ./reviews"
    )]
    Copy {
        /// A new or empty folder, or a team's database with an empty schema
        #[arg(long, value_name = "PLACE")]
        to: PathBuf,
        /// Where a team keeps its documents: a folder that everybody in it reaches, or a bucket (s3://bucket/name)
        #[arg(long, value_name = "DIR|S3")]
        blobs: Option<String>,
    },
}
