//! Where a workspace is: a folder for one person, a PostgreSQL database for a team.
//!
//! Deliberately not here: opening it (`database`).

use crate::StoreError;
use crate::blobs::Blobs;
use sqlx::postgres::PgConnectOptions;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

/// Where a workspace is.
#[derive(Debug, Clone)]
pub enum Place {
    /// A folder with a SQLite database and its blobs.
    Folder(PathBuf),
    /// A team's database.
    Team(Box<Team>),
}

/// A team's workspace: a PostgreSQL database, and a folder or a bucket for documents that everybody in the team reaches.
#[derive(Clone)]
pub struct Team {
    pub(crate) options: PgConnectOptions,
    /// Where documents go, for a workspace that is being made; later the database knows it.
    pub(crate) blobs: Option<Blobs>,
    /// The token of whoever is signed in.
    session: Option<String>,
}

impl Team {
    /// To work in it: as whoever is signed in.
    pub(crate) fn as_member(&self) -> PgConnectOptions {
        match &self.session {
            Some(token) => self.options.clone().options([("pincite.session", token)]),
            None => self.options.clone(),
        }
    }

    /// To make it, or bring it to this version: as the owner of its tables, who is asked for no account. Anybody else has nothing
    /// by it.
    pub(crate) fn as_owner(&self) -> PgConnectOptions {
        self.as_member().options([("pincite.inside", "on")])
    }
}

/// What it needs to be reached may contain a password, so it is not shown.
impl fmt::Debug for Team {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Team")
            .field("host", &self.options.get_host())
            .finish_non_exhaustive()
    }
}

impl Place {
    /// Reads `postgres://...` (or `postgresql://...`) as a team's database, anything else as a folder.
    ///
    /// # Errors
    /// [`StoreError::Refused`] (`bad_address`) where the address of a database can't be read.
    pub fn parse(text: &str) -> Result<Self, StoreError> {
        if !text.starts_with("postgres://") && !text.starts_with("postgresql://") {
            return Ok(Self::Folder(PathBuf::from(text)));
        }
        // What the library says of a bad address may repeat it, password and all.
        let options = PgConnectOptions::from_str(text).map_err(|_| {
            StoreError::refused(
                "bad_address",
                "the address of the team workspace can't be read: write it as postgres://user@host/database",
            )
        })?;
        Ok(Self::Team(Box::new(Team {
            options: options.application_name("pincite"),
            blobs: None,
            session: None,
        })))
    }

    /// Names the folder, or the bucket, in which a team that is being made will keep its documents.
    ///
    /// # Errors
    /// [`StoreError::Refused`] (`not_a_team`): a folder's documents are beside its database. (`bad_bucket`)
    pub fn with_blobs(self, address: &str) -> Result<Self, StoreError> {
        match self {
            Self::Team(team) => Ok(Self::Team(Box::new(Team {
                blobs: Some(Blobs::at(address)?),
                ..*team
            }))),
            Self::Folder(_) => Err(StoreError::refused(
                "not_a_team",
                "--blobs is for a team's workspace (postgres://...): a workspace in a folder keeps its documents there",
            )),
        }
    }

    /// Where the documents of a team that is being made will go.
    pub(crate) fn blobs(&self) -> Option<&Blobs> {
        match self {
            Self::Team(team) => team.blobs.as_ref(),
            Self::Folder(_) => None,
        }
    }

    /// As whoever has this token of a session (`accounts::sign_in`). A folder knows no sessions.
    #[must_use]
    pub fn with_session(self, token: &str) -> Self {
        match self {
            Self::Team(team) => Self::Team(Box::new(Team {
                session: Some(token.to_owned()),
                ..*team
            })),
            Self::Folder(_) => self,
        }
    }

    /// What tells this place from every other: of a database its host, port, name and settings, and nothing of who connects.
    #[must_use]
    pub fn identity(&self) -> String {
        match self {
            Self::Folder(folder) => format!("folder {}", folder.display()),
            Self::Team(team) => format!(
                "database {} {} {} {}",
                team.options.get_host(),
                team.options.get_port(),
                team.options
                    .get_database()
                    .unwrap_or_else(|| team.options.get_username()),
                team.options.get_options().unwrap_or_default(),
            ),
        }
    }
}

impl From<&Path> for Place {
    fn from(folder: &Path) -> Self {
        Self::Folder(folder.to_owned())
    }
}

impl From<&PathBuf> for Place {
    fn from(folder: &PathBuf) -> Self {
        Self::Folder(folder.clone())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(folder) => write!(formatter, "{}", folder.display()),
            Self::Team(team) => {
                let options = &team.options;
                let database = options.get_database().unwrap_or_else(|| options.get_username());
                write!(formatter, "the database {database} at {}", options.get_host())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_is_shown_without_its_password() -> Result<(), StoreError> {
        let place = Place::parse("postgres://ada:secret@db.example:5433/reviews")?;
        assert_eq!(place.to_string(), "the database reviews at db.example");
        let wrong = Place::parse("postgres://ada:secret@db.example:port/reviews");
        assert!(wrong.is_err_and(|error| !error.to_string().contains("secret")));
        assert!(matches!(Place::parse("/data/postgres")?, Place::Folder(_)));
        Ok(())
    }
}
