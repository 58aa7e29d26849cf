//! Accounts in a team: making the workspace with its first account, signing in and out, passwords, roles.
//!
//! A password leaves this program as a key alone: half of what Argon2id makes of it, with the account's salt. What is kept of the
//! key is its SHA-256, so whoever reads the table can't sign in with what is there. The other half is the key with which its
//! account signs records; it never leaves, and of it the public half is kept.
//!
//! Deliberately not here: groups (`groups`), asking for a password (the faces), what a role allows (`pincite_core::access`).

use crate::error::AppError;
use crate::ports::{new_salt, new_secret};
use crate::times;
use crate::wire::{AccountView, PersonView};
use crate::workspace::{Workspace, actor, begin, own_folder};
use argon2::{Algorithm, Argon2, Params, Version};
use pincite_core::access::Role;
use pincite_core::checkpoint::public_key;
use pincite_core::{hex, sha256, sha256_hex};
use pincite_store::accounts::{self, MadeWith, NewPassword};
use pincite_store::{Actor, Place, Store, StoreError, Writing};
use serde_json::json;
use std::path::{Path, PathBuf};

/// How Argon2id is asked to work: 19 MiB, two passes, one lane (RFC 9106 and OWASP's least for a password on a server).
const PARAMETERS: &str = "m=19456,t=2,p=1";

/// How long a session lasts that nobody ends, in milliseconds: a working day.
pub const SESSION_MILLISECONDS: i64 = 12 * 60 * 60 * 1000;

/// The fewest characters that a password has.
const SHORTEST_PASSWORD: usize = 10;

/// What a password makes.
#[derive(Clone, Copy)]
struct Keys {
    /// Proves who somebody is.
    sign_in: [u8; 32],
    /// The private half of an Ed25519 key.
    signing: [u8; 32],
}

fn keys(password: &str, made_with: &MadeWith) -> Result<Keys, AppError> {
    let damaged = || {
        AppError::internal(format!(
            "a password's parameters can't be read: {}",
            made_with.parameters
        ))
    };
    let number = |name: &str| -> Option<u32> {
        made_with
            .parameters
            .split(',')
            .find_map(|part| part.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
    };
    let (Some(memory), Some(passes), Some(lanes)) = (number("m"), number("t"), number("p")) else {
        return Err(damaged());
    };
    let parameters = Params::new(memory, passes, lanes, Some(64)).map_err(|_| damaged())?;
    let mut both = [0; 64];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, parameters)
        .hash_password_into(password.as_bytes(), &made_with.salt, &mut both)
        .map_err(|_| damaged())?;
    let half = |bytes: &[u8]| <[u8; 32]>::try_from(bytes).map_err(|_| damaged());
    let (first, second) = both.split_at(32);
    Ok(Keys {
        sign_in: half(first)?,
        signing: half(second)?,
    })
}

/// A key takes tens of milliseconds: not on a thread that others wait for.
async fn keys_of(password: &str, made_with: MadeWith) -> Result<Keys, AppError> {
    let password = password.to_owned();
    tokio::task::spawn_blocking(move || keys(&password, &made_with)).await?
}

async fn new_password(password: &str) -> Result<NewPassword, AppError> {
    if password.chars().count() < SHORTEST_PASSWORD {
        return Err(AppError::bad_input(format!(
            "a password has at least {SHORTEST_PASSWORD} characters: take a longer one"
        )));
    }
    let made_with = MadeWith {
        salt: new_salt().to_vec(),
        parameters: PARAMETERS.to_owned(),
    };
    let keys = keys_of(password, made_with.clone()).await?;
    Ok(NewPassword {
        made_with,
        verifier: sha256(&keys.sign_in),
        public_key: public_key(&keys.signing),
    })
}

fn name_of_account(name: &str) -> Result<(), AppError> {
    if name.trim() != name || name.is_empty() || name.len() > 200 || name.chars().any(char::is_control) {
        return Err(AppError::bad_input(format!(
            "{name:?} is no account's name: take 1 to 200 bytes on one line, without blanks around them"
        )));
    }
    Ok(())
}

/// Makes a team's workspace, or brings one to this version, as the owner of its tables. Where no account is there yet, makes the
/// first, which holds every role, and signs it in. `members` is the role of the database through which the team works.
///
/// # Errors
/// `bad_input` where a first account is needed and none is named; the store.
pub async fn found(
    place: Place,
    demo: bool,
    founder: Option<(&str, &str)>,
    members: Option<&str>,
) -> Result<Option<Workspace>, AppError> {
    let store = Store::create(place.clone()).await?;
    let made = first_account(&store, demo, founder).await;
    let admitted = match (&made, members) {
        (Ok(_), Some(role)) => store.admit(role).await.map_err(|error| {
            AppError::bad_input(format!(
                "--members {role}: it can't be let in ({error}); make it with CREATE ROLE first"
            ))
        }),
        _ => Ok(()),
    };
    store.close().await;
    let made = made?;
    admitted?;
    match founder {
        Some((name, password)) if made => {
            let signed_in = sign_in(&place, name, password).await?;
            Ok(Some(Workspace::open(signed_in).await?))
        }
        _ => Ok(None),
    }
}

/// True where the first account was made.
async fn first_account(store: &Store, demo: bool, founder: Option<(&str, &str)>) -> Result<bool, AppError> {
    let mut write = store.write().await?;
    if !accounts::accounts(write.connection()).await?.is_empty() {
        return Ok(false);
    }
    let Some((name, password)) = founder else {
        return Err(AppError::bad_input(
            "a team's workspace begins with an account: name the first with --administrator NAME; nothing can be done there yet",
        ));
    };
    name_of_account(name)?;
    let new = new_password(password).await?;
    let who = Actor {
        who: name.to_owned(),
        role: Role::Administrator.name().to_owned(),
        zone: times::zone(),
    };
    begin(&mut write, demo, &who).await?;
    write.add_account(name, name, "the first account").await?;
    for role in Role::ALL {
        write
            .set_role(name, role.name(), "granted", name, "the first account")
            .await?;
    }
    if !write.set_password(name, None, &new).await? {
        return Err(AppError::forbidden(
            "only the owner of the workspace's tables makes its first account: connect as that role",
        ));
    }
    let payload = json!({ "roles": Role::ALL.map(Role::name), "why": "the first account" });
    write.audit(&who, &new_salt(), "account.add", name, &payload);
    write.commit().await?;
    Ok(true)
}

/// Signs in to a team's workspace: answers the place as whoever has the session.
///
/// # Errors
/// `forbidden` where name and password don't belong together; where the workspace can't be reached.
pub async fn sign_in(place: &Place, account: &str, password: &str) -> Result<Place, AppError> {
    let (signed_in, _) = signed_in(place, account, password).await?;
    Ok(signed_in)
}

async fn signed_in(place: &Place, account: &str, password: &str) -> Result<(Place, String), AppError> {
    let token = hex(&new_secret().map_err(|error| AppError::internal(format!("no randomness: {error}")))?);
    let make_key = |made_with: &MadeWith| {
        keys(password, made_with)
            .map(|keys| keys.sign_in)
            .map_err(|error| StoreError::Damaged(error.message))
    };
    match accounts::sign_in(place, account, make_key, &token, SESSION_MILLISECONDS).await? {
        Some(true) => Ok((place.clone().with_session(&token), token)),
        Some(false) => Err(AppError::forbidden(format!(
            "{account} is not signed in: name and password don't belong together, or the account is closed"
        ))),
        None => Err(too_often(account)),
    }
}

fn too_often(account: &str) -> AppError {
    AppError::forbidden(format!(
        "{account}: ten wrong passwords in a quarter of an hour; wait until they are old, or ask an administrator for a new one"
    ))
}

/// Signs in and answers the session's token, for a program that keeps it itself.
///
/// # Errors
/// As [`sign_in`].
pub async fn session(place: &Place, account: &str, password: &str) -> Result<String, AppError> {
    let (_, token) = signed_in(place, account, password).await?;
    Ok(token)
}

/// Signs in and keeps the session for this person's next commands, in a file that nobody else reads.
///
/// # Errors
/// As [`sign_in`]; where the file can't be written.
pub async fn sign_in_and_keep(place: &Place, account: &str, password: &str) -> Result<Place, AppError> {
    let (signed_in, token) = signed_in(place, account, password).await?;
    let file = session_file(place).ok_or_else(no_folder)?;
    keep_private(&file, &token)
        .map_err(|error| AppError::bad_input(format!("{}: the session can't be kept: {error}", file.display())))?;
    Ok(signed_in)
}

fn keep_private(file: &Path, token: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    // A file that is there keeps its permissions: it goes first.
    if let Err(error) = std::fs::remove_file(file)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        return Err(error);
    }
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(file)?.write_all(token.as_bytes())
}

/// Where this person's sessions are kept: in `PINCITE_SESSIONS`, else beside their other data.
fn session_folder() -> Option<PathBuf> {
    own_folder("PINCITE_SESSIONS", "sessions")
}

fn session_file(place: &Place) -> Option<PathBuf> {
    let name = sha256_hex(place.identity().as_bytes());
    Some(session_folder()?.join(name.get(..32).unwrap_or(&name)))
}

/// Where the address of the team is kept that this person's window opens on.
fn joined_file() -> Option<PathBuf> {
    session_folder().map(|folder| folder.join("joined"))
}

/// The address of the team that this person joined, if they did.
#[must_use]
pub fn joined() -> Option<String> {
    let address = std::fs::read_to_string(joined_file()?).ok()?;
    Some(address.trim().to_owned()).filter(|address| !address.is_empty())
}

/// Lets this person's window open on a team from now on. The address may hold a password of the database's, so nobody else reads
/// the file.
///
/// # Errors
/// Where the file can't be written.
pub fn join(address: &str) -> Result<(), AppError> {
    let file = joined_file().ok_or_else(no_folder)?;
    keep_private(&file, address)
        .map_err(|error| AppError::bad_input(format!("{}: the team can't be kept: {error}", file.display())))
}

fn no_folder() -> AppError {
    AppError::bad_input("your data folder is not known: set HOME, or PINCITE_SESSIONS to a folder for sessions")
}

/// The place as whoever is signed in on this machine: by `PINCITE_SESSION`, else by the session that was kept.
#[must_use]
pub fn with_kept_session(place: Place) -> Place {
    if let Place::Folder(_) = place {
        return place;
    }
    let said = std::env::var("PINCITE_SESSION").ok().filter(|token| !token.is_empty());
    let token = said.or_else(|| std::fs::read_to_string(session_file(&place)?).ok());
    match token {
        Some(token) => place.with_session(token.trim()),
        None => place,
    }
}

/// Ends the session and forgets it.
///
/// # Errors
/// The store.
pub async fn sign_out(workspace: &Workspace) -> Result<(), AppError> {
    workspace.store.sign_out().await?;
    if let Some(file) = session_file(workspace.store.place()) {
        // One that was never kept needs no forgetting.
        let _ = std::fs::remove_file(file);
    }
    Ok(())
}

/// Who works here, and what they may do.
///
/// # Errors
/// The store.
pub async fn person(workspace: &Workspace) -> Result<PersonView, AppError> {
    let roles = workspace.roles().await?;
    Ok(PersonView {
        name: workspace.store.reader().to_owned(),
        team: workspace.is_team(),
        roles: roles.into_iter().map(|role| role.name().to_owned()).collect(),
    })
}

/// Every account, by name.
///
/// # Errors
/// The store.
pub async fn list(workspace: &Workspace) -> Result<Vec<AccountView>, AppError> {
    let mut reading = workspace.store.read().await?;
    let mut views = Vec::new();
    for row in accounts::accounts(&mut reading).await? {
        views.push(AccountView {
            roles: accounts::roles(&mut reading, &row.account).await?,
            account: row.account,
            open: row.state == "open",
            created_at: times::text(row.recorded_at),
        });
    }
    Ok(views)
}

async fn known(write: &mut Writing, name: &str) -> Result<bool, AppError> {
    let row = accounts::account(write.connection(), name).await?;
    row.map(|row| row.state == "open")
        .ok_or_else(|| AppError::not_found(format!("there is no account {name}: `pincite user list` names them")))
}

/// That somebody said why.
///
/// # Errors
/// `bad_input` where nothing is said.
pub(crate) fn reason(why: &str) -> Result<(), AppError> {
    if why.trim().is_empty() {
        return Err(AppError::bad_input("--why is empty: say why"));
    }
    Ok(())
}

/// Makes an account with a password and roles.
///
/// # Errors
/// A name that is taken or none; a short password; the store.
pub async fn add(
    workspace: &Workspace,
    name: &str,
    password: &str,
    roles: &[Role],
    why: &str,
    who: &str,
) -> Result<Vec<AccountView>, AppError> {
    name_of_account(name)?;
    reason(why)?;
    let new = new_password(password).await?;
    let mut write = workspace.store.write().await?;
    if accounts::account(write.connection(), name).await?.is_some() {
        return Err(AppError::bad_input(format!(
            "there is an account {name} already: take another name"
        )));
    }
    let acting = actor(&write, who);
    write.add_account(name, &acting.who, why).await?;
    for role in roles {
        write.set_role(name, role.name(), "granted", &acting.who, why).await?;
    }
    if !write.set_password(name, None, &new).await? {
        return Err(AppError::forbidden(format!("{who} may not set {name}'s password")));
    }
    let held: Vec<&str> = roles.iter().map(|role| role.name()).collect();
    let payload = json!({ "roles": held, "why": why });
    write.audit(&acting, &new_salt(), "account.add", name, &payload);
    write.commit().await?;
    list(workspace).await
}

/// Opens or closes an account. A closed one signs nothing in, and its sessions end at once.
///
/// # Errors
/// No such account; it is as asked already; one's own; the store.
pub async fn set_open(
    workspace: &Workspace,
    name: &str,
    open: bool,
    why: &str,
    who: &str,
) -> Result<Vec<AccountView>, AppError> {
    reason(why)?;
    let mut write = workspace.store.write().await?;
    let acting = actor(&write, who);
    let state = if open { "open" } else { "closed" };
    if known(&mut write, name).await? == open {
        return Err(AppError::bad_input(format!("the account {name} is {state} already")));
    }
    if acting.who == name {
        return Err(AppError::bad_input(
            "nobody closes their own account: another administrator does",
        ));
    }
    write.set_account_state(name, state, &acting.who, why).await?;
    let payload = json!({ "old": if open { "closed" } else { "open" }, "new": state, "why": why });
    write.audit(&acting, &new_salt(), "account.state", name, &payload);
    write.commit().await?;
    list(workspace).await
}

/// Gives a role to an account, or takes it.
///
/// # Errors
/// No such account; it holds the role, or does not, already; an administrator's own last word; the store.
pub async fn set_role(
    workspace: &Workspace,
    name: &str,
    role: Role,
    holds: bool,
    why: &str,
    who: &str,
) -> Result<Vec<AccountView>, AppError> {
    reason(why)?;
    let mut write = workspace.store.write().await?;
    let acting = actor(&write, who);
    known(&mut write, name).await?;
    let held = accounts::roles(write.connection(), name).await?;
    if held.iter().any(|held| held == role.name()) == holds {
        let word = if holds { "holds" } else { "does not hold" };
        return Err(AppError::bad_input(format!(
            "{name} {word} the role {} already",
            role.name()
        )));
    }
    if !holds && role == Role::Administrator && acting.who == name {
        return Err(AppError::bad_input(
            "nobody withdraws their own role of administrator: another administrator does",
        ));
    }
    let event = if holds { "granted" } else { "withdrawn" };
    write.set_role(name, role.name(), event, &acting.who, why).await?;
    let payload = json!({ "role": role.name(), "event": event, "why": why });
    write.audit(&acting, &new_salt(), "account.role", name, &payload);
    write.commit().await?;
    list(workspace).await
}

/// Sets a password: one's own with the one before, anybody's as an administrator.
///
/// # Errors
/// `forbidden` where neither holds; a short one; no such account; the store.
pub async fn set_password(
    workspace: &Workspace,
    name: &str,
    old: Option<&str>,
    password: &str,
    who: &str,
) -> Result<(), AppError> {
    let new = new_password(password).await?;
    let old_key = match old {
        None => None,
        Some(old) => {
            let made_with = accounts::made_with(&mut *workspace.store.read().await?, name).await?;
            Some(keys_of(old, made_with).await?.sign_in)
        }
    };
    let mut write = workspace.store.write().await?;
    known(&mut write, name).await?;
    let acting = actor(&write, who);
    if !write
        .set_password(name, old_key.as_ref().map(<[u8; 32]>::as_slice), &new)
        .await?
    {
        // What was tried is kept, so that guessing is seen.
        write.commit().await?;
        return Err(AppError::forbidden(format!(
            "{name}'s password stays as it is: the old one is not right, and only an administrator needs none"
        )));
    }
    write.audit(&acting, &new_salt(), "account.password", name, &json!({}));
    write.commit().await?;
    Ok(())
}

/// That somebody is who they say: their password again. Answers the key with which they sign. Tries are kept, and ten wrong
/// ones are too many.
///
/// # Errors
/// `forbidden` where it is not theirs; `bad_input` where they have none; the store.
pub(crate) async fn prove(workspace: &Workspace, name: &str, password: &str) -> Result<[u8; 32], AppError> {
    let made_with = accounts::made_with(&mut *workspace.store.read().await?, name).await?;
    let keys = keys_of(password, made_with).await?;
    // Not the one writer's turn: a wrong password takes its time.
    let mut write = workspace.store.write_lease().await?;
    let good = write.is_key(name, &keys.sign_in).await?;
    write.commit().await?;
    match good {
        Some(true) => Ok(keys.signing),
        Some(false) => Err(AppError::forbidden(format!(
            "that is not {name}'s password; nothing was signed"
        ))),
        None => Err(too_often(name)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFERENCE: &str = "fa394d9dda33e75d9b65e5893cc76ee06fbcbf618374fc873370b134683adddd\
                             508b2aaf9c479c6b70df7a7eda5f2e5bf134a66ca4d94f12e7e26ede1fc0797d";

    /// By the reference implementation of Argon2, as its Python binding (argon2-cffi 25.1.0) calls it.
    #[test]
    fn a_key_is_what_the_reference_makes_of_it() -> Result<(), AppError> {
        let made_with = MadeWith {
            salt: b"0123456789abcdef".to_vec(),
            parameters: PARAMETERS.to_owned(),
        };
        let keys = keys("correct horse battery", &made_with)?;
        assert_eq!(format!("{}{}", hex(&keys.sign_in), hex(&keys.signing)), REFERENCE);
        Ok(())
    }

    #[tokio::test]
    async fn a_short_password_is_refused_and_two_of_the_same_differ() -> Result<(), AppError> {
        assert!(
            new_password("123456789")
                .await
                .is_err_and(|error| !error.message.contains("123456789"))
        );
        let (one, other) = (new_password("0123456789").await?, new_password("0123456789").await?);
        assert_ne!(one.verifier, other.verifier);
        Ok(())
    }
}
