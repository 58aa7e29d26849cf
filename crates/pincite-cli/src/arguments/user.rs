//! The grammar of accounts, roles, groups and signing in.
//!
//! Deliberately not here: what a command does.

use clap::{Subcommand, ValueEnum};
use pincite_app::access::Role;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum UserCommand {
    /// Sign in to a team's workspace; your next commands there are yours, for twelve hours
    #[command(name = "sign-in")]
    SignIn {
        name: String,
        /// A file whose first line is the password [default: it is asked for]
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        /// Print the session's token instead of keeping it: for PINCITE_SESSION of a script
        #[arg(long)]
        print_token: bool,
    },
    /// End your session
    #[command(name = "sign-out")]
    SignOut,
    /// Who you are here, and your roles
    #[command(name = "whoami")]
    WhoAmI,
    /// Every account with its roles
    List,
    /// Make an account
    Add {
        name: String,
        /// A role it holds; may be said several times
        #[arg(long = "role", value_name = "ROLE")]
        roles: Vec<RoleName>,
        /// A file whose first line is the password [default: it is asked for]
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        /// Why
        #[arg(long, allow_hyphen_values = true)]
        why: String,
    },
    /// Give an account a role
    Grant {
        name: String,
        role: RoleName,
        /// Why
        #[arg(long, allow_hyphen_values = true)]
        why: String,
    },
    /// Take a role from an account
    Withdraw {
        name: String,
        role: RoleName,
        /// Why
        #[arg(long, allow_hyphen_values = true)]
        why: String,
    },
    /// Close an account: it signs in no more, and its sessions end
    Close {
        name: String,
        /// Why
        #[arg(long, allow_hyphen_values = true)]
        why: String,
    },
    /// Open a closed account again
    Open {
        name: String,
        /// Why
        #[arg(long, allow_hyphen_values = true)]
        why: String,
    },
    /// Set a password: your own, or as an administrator anybody's
    Password {
        /// Whose [default: yours]
        name: Option<String>,
        /// A file whose first line is the new password [default: it is asked for]
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        /// A file whose first line is the password until now [default: it is asked for, where it is yours]
        #[arg(long, value_name = "FILE")]
        old_password_file: Option<PathBuf>,
    },
    /// Groups of readers
    Group {
        #[command(subcommand)]
        command: GroupCommand,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum GroupCommand {
    /// Every group with its members
    List,
    /// Make a group
    Add {
        group: String,
        /// Why
        #[arg(long, allow_hyphen_values = true)]
        why: String,
    },
    /// Let somebody belong to a group, in place of what was said before
    Join {
        group: String,
        member: String,
        /// From when: a date or a time [default: now]
        #[arg(long, value_name = "DATE")]
        from: Option<String>,
        /// Until when, that day included [default: without an end]
        #[arg(long, value_name = "DATE")]
        until: Option<String>,
        /// Why
        #[arg(long, allow_hyphen_values = true)]
        why: String,
    },
    /// End a membership now
    Leave {
        group: String,
        member: String,
        /// Why
        #[arg(long, allow_hyphen_values = true)]
        why: String,
    },
}

/// A role as it is written on the command line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RoleName(pub(crate) Role);

impl ValueEnum for RoleName {
    fn value_variants<'a>() -> &'a [Self] {
        static ALL: std::sync::LazyLock<Vec<RoleName>> = std::sync::LazyLock::new(|| Role::ALL.map(RoleName).to_vec());
        &ALL
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.0.name()))
    }
}
