//! Tampering with a workspace's database from outside, as somebody with another program would.
//!
//! Through Python's own sqlite3, or PostgreSQL's psql, because only the store names sqlx, and because a tamperer does not use our code either.
//!
//! Deliberately not here: reading what a command can be asked for.

use crate::World;
use crate::postgres;
use std::path::Path;
use std::process::Command;

/// Runs statements on a workspace's database.
///
/// # Panics
/// Where Python or SQLite says no.
pub fn alter(world: &World, statements: &str) {
    match world.database() {
        Some(url) => postgres::alter(&url, statements),
        None => alter_file(&world.workspace(), statements),
    }
}

/// The same on the SQLite database in a folder.
///
/// # Panics
/// Where Python or SQLite says no.
pub fn alter_file(workspace: &Path, statements: &str) {
    let program = "import sqlite3, sys\n\
                   connection = sqlite3.connect(sys.argv[1], timeout=30)\n\
                   connection.executescript(sys.argv[2])\n\
                   connection.commit()\n";
    let ended = Command::new("python3")
        .args(["-c", program])
        .arg(workspace.join("pincite.sqlite"))
        .arg(statements)
        .output()
        .expect("python3 starts");
    assert!(
        ended.status.success(),
        "{statements}: {}",
        String::from_utf8_lossy(&ended.stderr)
    );
}

/// The first column of a query's first row, as text; empty where there is none.
///
/// # Panics
/// Where Python or SQLite says no.
#[must_use]
pub fn ask(world: &World, query: &str) -> String {
    match world.database() {
        Some(url) => postgres::ask(&url, query),
        None => ask_file(&world.workspace(), query),
    }
}

/// The same on the SQLite database in a folder.
///
/// # Panics
/// Where Python or SQLite says no.
#[must_use]
pub fn ask_file(workspace: &Path, query: &str) -> String {
    let program = "import sqlite3, sys\n\
                   row = sqlite3.connect(sys.argv[1], timeout=30).execute(sys.argv[2]).fetchone()\n\
                   print('' if row is None else row[0], end='')\n";
    let ended = Command::new("python3")
        .args(["-c", program])
        .arg(workspace.join("pincite.sqlite"))
        .arg(query)
        .output()
        .expect("python3 starts");
    assert!(
        ended.status.success(),
        "{query}: {}",
        String::from_utf8_lossy(&ended.stderr)
    );
    String::from_utf8_lossy(&ended.stdout).into_owned()
}

/// Runs statements with every guard of the database out of the way, as somebody could who owns the machine: no trigger
/// refuses, no reference is checked.
///
/// # Panics
/// Where the database says no.
pub fn tamper(world: &World, statements: &str) {
    match world.database() {
        Some(url) => postgres::alter(
            &postgres::as_superuser(&url),
            &format!("SET session_replication_role = replica; {statements}"),
        ),
        None => {
            let triggers = "SELECT coalesce(group_concat('DROP TRIGGER ' || name, '; '), '') FROM sqlite_master WHERE type = 'trigger'";
            let drop = ask(world, triggers);
            alter(world, &format!("PRAGMA foreign_keys = OFF; {drop}; {statements}"));
        }
    }
}

/// Why a statement is refused, in the database's words; empty where it is not.
///
/// # Panics
/// Where Python does not start.
#[must_use]
pub fn refusal(world: &World, statement: &str) -> String {
    if let Some(url) = world.database() {
        return postgres::refusal(&url, statement);
    }
    let program = "import sqlite3, sys\n\
                   connection = sqlite3.connect(sys.argv[1], timeout=30)\n\
                   try:\n    connection.execute(sys.argv[2])\n\
                   except sqlite3.Error as error:\n    print(error, end='')\n";
    let ended = Command::new("python3")
        .args(["-c", program])
        .arg(world.workspace().join("pincite.sqlite"))
        .arg(statement)
        .output()
        .expect("python3 starts");
    String::from_utf8_lossy(&ended.stdout).into_owned()
}
