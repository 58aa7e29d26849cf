//! Running PostgreSQL's own pg_dump and pg_restore.
//!
//! They are found on PATH, else where Debian keeps them, version by version; `PINCITE_POSTGRES_PROGRAMS` names another folder and
//! no other then. A pg_dump that is older than the server says so, and the next one is tried. What it takes to reach the database is
//! handed over in the environment of the child alone: arguments can be read by everybody on the machine.
//!
//! Deliberately not here: what is dumped (`dump`).

use crate::StoreError;
use percent_encoding::percent_decode_str;
use sqlx::ConnectOptions as _;
use sqlx::postgres::PgConnectOptions;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::process::Command;

/// The folder of PostgreSQL's programs, where it is neither on PATH nor Debian's.
const FOLDER: &str = "PINCITE_POSTGRES_PROGRAMS";

/// Where Debian keeps them, a folder a version.
const DEBIAN: &str = "/usr/lib/postgresql";

/// Every program of this name, in the order in which they are tried.
fn candidates(name: &str) -> Vec<PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let folders: Vec<PathBuf> = match std::env::var_os(FOLDER).filter(|folder| !folder.is_empty()) {
        Some(folder) => vec![PathBuf::from(folder)],
        None => {
            let path = std::env::var_os("PATH").unwrap_or_default();
            let mut versions: Vec<(u32, PathBuf)> = std::fs::read_dir(DEBIAN)
                .into_iter()
                .flatten()
                .flatten()
                .filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path().join("bin"))))
                .collect();
            versions.sort();
            let newest_first = versions.into_iter().rev().map(|(_, folder)| folder);
            std::env::split_paths(&path).chain(newest_first).collect()
        }
    };
    let programs = folders.into_iter().map(|folder| folder.join(&name));
    programs.filter(|program| program.is_file()).collect()
}

fn absent(name: &str) -> StoreError {
    StoreError::Program(format!(
        "{name} is not installed here, and a team's database is copied by it: install PostgreSQL's client programs \
         (Debian: postgresql-client), or name their folder in {FOLDER}"
    ))
}

/// The first program of this name.
///
/// # Errors
/// [`StoreError::Program`], with the remedy.
pub(crate) fn program(name: &str) -> Result<Command, StoreError> {
    let program = candidates(name).into_iter().next().ok_or_else(|| absent(name))?;
    Ok(quiet(&program))
}

fn quiet(program: &Path) -> Command {
    let mut command = Command::new(program);
    // Its words are read below.
    command.env("LC_ALL", "C").stdin(Stdio::null()).kill_on_drop(true);
    command
}

/// Runs a program that talks to the database, to its end.
///
/// # Errors
/// [`StoreError::Program`], with what it said.
pub(crate) async fn run(name: &str, options: &PgConnectOptions, arguments: &[&OsStr]) -> Result<(), StoreError> {
    let mut said = None;
    for program in candidates(name) {
        let mut command = quiet(&program);
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::piped());
        reach(&mut command, options);
        let ended = command
            .output()
            .await
            .map_err(|error| failed(name, &error.to_string()))?;
        if ended.status.success() {
            return Ok(());
        }
        let words = String::from_utf8_lossy(&ended.stderr).into_owned();
        let is_older = words.contains("server version mismatch");
        said = Some(words);
        if !is_older {
            break;
        }
    }
    Err(said.map_or_else(|| absent(name), |words| failed(name, &words)))
}

/// What a program said, on one line.
pub(crate) fn failed(name: &str, words: &str) -> StoreError {
    let words: Vec<&str> = words
        .lines()
        .map(|line| {
            line.split_once(": ")
                .filter(|(who, _)| who == &name)
                .map_or(line, |(_, what)| what)
        })
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    StoreError::Program(format!("{name} could not do it: {}", words.join("; ")))
}

fn reach(command: &mut Command, options: &PgConnectOptions) {
    let socket = options.get_socket().map(|socket| socket.display().to_string());
    let host = socket.unwrap_or_else(|| options.get_host().to_owned());
    let database = options.get_database().unwrap_or_else(|| options.get_username());
    command
        .env("PGHOST", host)
        .env("PGPORT", options.get_port().to_string())
        .env("PGUSER", options.get_username())
        .env("PGDATABASE", database)
        .env("PGAPPNAME", "pincite")
        .env("PGCONNECT_TIMEOUT", "10")
        .env("PGOPTIONS", "-c bytea_output=hex -c pincite.inside=on");
    let address = options.to_url_lossy();
    if let Some(password) = address.password() {
        command.env("PGPASSWORD", percent_decode_str(password).decode_utf8_lossy().as_ref());
    }
    for (name, value) in address.query_pairs() {
        let variable = match name.as_ref() {
            "sslmode" => "PGSSLMODE",
            "sslrootcert" => "PGSSLROOTCERT",
            "sslcert" => "PGSSLCERT",
            "sslkey" => "PGSSLKEY",
            _ => continue,
        };
        command.env(variable, value.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr as _;

    #[test]
    fn a_password_goes_into_the_environment_and_into_no_argument() -> Result<(), sqlx::Error> {
        let address =
            "postgres://ada:s%2Fe%20c%40r%C3%A9t@db.example:5433/reviews?sslmode=require&options=-c%20search_path%3Dw";
        let options = PgConnectOptions::from_str(address)?;
        let mut command = Command::new("pg_dump");
        reach(&mut command, &options);
        let command = command.as_std();
        assert_eq!(command.get_args().count(), 0);
        let of = |name: &str| {
            let found = command.get_envs().find(|(found, _)| *found == name);
            found.and_then(|(_, value)| value?.to_str())
        };
        assert_eq!(of("PGPASSWORD"), Some("s/e c@rét"));
        assert_eq!((of("PGHOST"), of("PGPORT")), (Some("db.example"), Some("5433")));
        assert_eq!((of("PGUSER"), of("PGDATABASE")), (Some("ada"), Some("reviews")));
        assert_eq!(of("PGSSLMODE"), Some("require"));
        Ok(())
    }

    #[test]
    fn what_a_program_says_is_one_line() {
        let words = "pg_dump: error: connection to server failed\n\npg_dump: hint: look\n";
        assert_eq!(
            failed("pg_dump", words).to_string(),
            "pg_dump could not do it: error: connection to server failed; hint: look"
        );
    }
}
