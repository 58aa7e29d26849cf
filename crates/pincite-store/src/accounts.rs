//! Accounts: who may sign in, with which roles, and who is signed in.
//!
//! Passwords never come here. Whoever signs in makes a key of theirs (Argon2id, on their own machine, by the account's salt), and
//! of the key its SHA-256 is kept. On PostgreSQL keys and sessions lie in tables that nobody who works in the workspace can
//! read; functions of the database compare them (migration 0007).
//!
//! Deliberately not here: making keys and tokens, and what a role allows (`pincite_core::access`).

use crate::StoreError;
use crate::database::{Connection, Pools, Store, Writing};
use crate::place::Place;
use crate::{postgres, sql};
use sqlx::{Connection as _, FromRow};

/// What a key is made with.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct MadeWith {
    /// The account's salt.
    pub salt: Vec<u8>,
    /// Argon2id's parameters, as `m=19456,t=2,p=1`.
    pub parameters: String,
}

/// A password, as it is kept.
#[derive(Debug, Clone)]
pub struct NewPassword {
    /// What its key is made with.
    pub made_with: MadeWith,
    /// The SHA-256 of its key.
    pub verifier: [u8; 32],
    /// The public half of the key with which its account signs.
    pub public_key: [u8; 32],
}

/// An account.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct AccountRow {
    /// Its name.
    pub account: String,
    /// `open` or `closed`.
    pub state: String,
    /// When it was made, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

/// What a table's last row about something says.
const STATE: &str = "(SELECT s.state FROM account_states s WHERE s.account = a.account ORDER BY s.number DESC LIMIT 1)";

/// Every account, by name.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn accounts(connection: &mut Connection) -> Result<Vec<AccountRow>, StoreError> {
    let text = format!("SELECT a.account, {STATE} AS state, a.recorded_at FROM accounts a ORDER BY a.account");
    Ok(sql::query_as(text).fetch_all(connection).await?)
}

/// One account; `None` where there is none of this name.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn account(connection: &mut Connection, name: &str) -> Result<Option<AccountRow>, StoreError> {
    let text = format!("SELECT a.account, {STATE} AS state, a.recorded_at FROM accounts a WHERE a.account = $1");
    Ok(sql::query_as(text).bind(name).fetch_optional(connection).await?)
}

/// The names of the roles that an account holds, in order.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn roles(connection: &mut Connection, account: &str) -> Result<Vec<String>, StoreError> {
    let text = "SELECT r.role FROM account_roles r WHERE r.account = $1 AND r.event = 'granted' \
                AND r.number = (SELECT max(l.number) FROM account_roles l WHERE l.account = $1 AND l.role = r.role) \
                ORDER BY r.role";
    Ok(sql::query_scalar(text).bind(account).fetch_all(connection).await?)
}

/// Whether the session in which a team's workspace was opened still runs; alone there is none to end.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn is_signed_in(connection: &mut Connection) -> Result<bool, StoreError> {
    if !connection.is_postgres() {
        return Ok(true);
    }
    Ok(sql::query_scalar("SELECT pincite_reader() IS NOT NULL")
        .fetch_one(connection)
        .await?)
}

impl Writing {
    /// Keeps a new account, open and without a role.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_account(&mut self, name: &str, who: &str, why: &str) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO accounts (account, recorded_at) VALUES ($1, $2)")
            .bind(name)
            .bind(now)
            .execute(self.connection())
            .await?;
        self.set_account_state(name, "open", who, why).await
    }

    /// Opens or closes an account: `state` is `open` or `closed`.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn set_account_state(&mut self, name: &str, state: &str, who: &str, why: &str) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO account_states (account, state, why, who, recorded_at) VALUES ($1, $2, $3, $4, $5)")
            .bind(name)
            .bind(state)
            .bind(why.as_bytes())
            .bind(who)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// Gives a role to an account, or takes it: `event` is `granted` or `withdrawn`.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn set_role(
        &mut self,
        name: &str,
        role: &str,
        event: &str,
        who: &str,
        why: &str,
    ) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO account_roles (account, role, event, why, who, recorded_at) VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(name)
        .bind(role)
        .bind(event)
        .bind(why.as_bytes())
        .bind(who)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// Keeps a password. One's own needs the key of the one before; an administrator sets anybody's. False where neither holds.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn set_password(
        &mut self,
        account: &str,
        old_key: Option<&[u8]>,
        new: &NewPassword,
    ) -> Result<bool, StoreError> {
        let now = self.now;
        let connection = self.connection();
        if connection.is_postgres() {
            let kept: bool = sql::query_scalar("SELECT pincite_set_password($1, $2, $3, $4, $5, $6)")
                .bind(account)
                .bind(old_key.map(<[u8]>::to_vec))
                .bind(&new.made_with.salt)
                .bind(&new.made_with.parameters)
                .bind(new.verifier.as_slice())
                .bind(new.public_key.as_slice())
                .fetch_one(connection)
                .await?;
            return Ok(kept);
        }
        if let Some(key) = old_key
            && self.is_key(account, key).await? != Some(true)
        {
            return Ok(false);
        }
        let connection = self.connection();
        sql::query(
            "INSERT INTO account_passwords (account, salt, parameters, verifier, recorded_at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(account)
        .bind(&new.made_with.salt)
        .bind(&new.made_with.parameters)
        .bind(new.verifier.as_slice())
        .bind(now)
        .execute(connection)
        .await?;
        sql::query("INSERT INTO account_keys (account, public_key, recorded_at) VALUES ($1, $2, $3)")
            .bind(account)
            .bind(new.public_key.as_slice())
            .bind(now)
            .execute(connection)
            .await?;
        Ok(true)
    }

    /// Whether this is the account's key; `None` where too many wrong ones were tried lately. What was tried is kept with this
    /// write, whatever else becomes of it.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn is_key(&mut self, account: &str, key: &[u8]) -> Result<Option<bool>, StoreError> {
        let now = self.now;
        let connection = self.connection();
        if connection.is_postgres() {
            return Ok(sql::query_scalar("SELECT pincite_is_key($1, $2)")
                .bind(account)
                .bind(key)
                .fetch_one(connection)
                .await?);
        }
        let wrong: i64 = sql::query_scalar(
            "SELECT count(*) FROM sign_ins WHERE account = $1 AND NOT succeeded AND recorded_at > $2 - 900000",
        )
        .bind(account)
        .bind(now)
        .fetch_one(connection)
        .await?;
        if wrong >= 10 {
            return Ok(None);
        }
        let verifier: Option<Vec<u8>> =
            sql::query_scalar("SELECT verifier FROM account_passwords WHERE account = $1 ORDER BY number DESC LIMIT 1")
                .bind(account)
                .fetch_optional(connection)
                .await?;
        let open = self::account(connection, account)
            .await?
            .is_some_and(|row| row.state == "open");
        let good = open && verifier.is_some_and(|verifier| verifier == pincite_core::sha256(key));
        sql::query("INSERT INTO sign_ins (account, succeeded, recorded_at) VALUES ($1, $2, $3)")
            .bind(account)
            .bind(good)
            .bind(now)
            .execute(connection)
            .await?;
        Ok(Some(good))
    }
}

/// What an account's key is made with. A team's database names something for whoever it does not know, too.
///
/// # Errors
/// [`StoreError::Database`]; [`StoreError::Refused`] (`no_password`) where the account has none.
pub async fn made_with(connection: &mut Connection, account: &str) -> Result<MadeWith, StoreError> {
    let text = if connection.is_postgres() {
        "SELECT salt, parameters FROM pincite_key_made_with($1)"
    } else {
        "SELECT salt, parameters FROM account_passwords WHERE account = $1 ORDER BY number DESC LIMIT 1"
    };
    let known: Option<MadeWith> = sql::query_as(text).bind(account).fetch_optional(connection).await?;
    known.ok_or_else(|| no_password(account))
}

fn no_password(account: &str) -> StoreError {
    StoreError::refused(
        "no_password",
        format!("{account} has no password here: set one with `pincite user password {account}`"),
    )
}

/// Begins a session in a team's workspace, of so many milliseconds at most, for whoever makes the account's key. `make_key` is
/// given what it is made with; `token` is the secret whose SHA-256 is kept. `None` where too many wrong keys were tried lately.
///
/// # Errors
/// As opening the workspace; [`StoreError::Refused`] (`no_accounts`) where it has none yet.
pub async fn sign_in(
    place: &Place,
    account: &str,
    make_key: impl FnOnce(&MadeWith) -> Result<[u8; 32], StoreError>,
    token: &str,
    milliseconds: i64,
) -> Result<Option<bool>, StoreError> {
    let Place::Team(team) = place else {
        return Err(StoreError::refused(
            "no_sessions",
            format!("{place}: nobody signs in to a workspace in a folder; say who works with --as"),
        ));
    };
    let mut connection = postgres::connect_once(&team.as_member(), place).await?;
    postgres::is_of_this_version(&mut connection, place).await?;
    let known: Option<MadeWith> = sqlx::query_as("SELECT salt, parameters FROM pincite_key_made_with($1)")
        .bind(account)
        .fetch_optional(&mut connection)
        .await
        .or_else(|error| match error {
            // Nothing to name where no account was ever made.
            sqlx::Error::ColumnDecode { .. } => Ok(None),
            error => Err(error),
        })?;
    let known = known.ok_or_else(|| {
        StoreError::refused(
            "no_accounts",
            format!(
                "{place}: no account was made yet; its owner makes the first with `pincite init --administrator NAME`"
            ),
        )
    })?;
    let key = make_key(&known)?;
    let good: Option<bool> = sqlx::query_scalar("SELECT pincite_sign_in($1, $2, $3, $4)")
        .bind(account)
        .bind(key.as_slice())
        .bind(pincite_core::sha256(token.as_bytes()).as_slice())
        .bind(milliseconds)
        .fetch_one(&mut connection)
        .await?;
    connection.close().await?;
    Ok(good)
}

impl Store {
    /// Ends the session in which this workspace was opened.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn sign_out(&self) -> Result<(), StoreError> {
        if let Pools::Postgres { writers, .. } = &self.pools {
            let mut transaction = writers.begin().await?;
            sqlx::query("SELECT pincite_sign_out()")
                .execute(&mut *transaction)
                .await?;
            transaction.commit().await?;
        }
        Ok(())
    }

    /// Lets a team work through a role of the database that owns nothing: what it may do is granted, again after each upgrade.
    ///
    /// # Errors
    /// [`StoreError::Database`], where the role is not there or whoever asks does not own the workspace.
    pub async fn admit(&self, role: &str) -> Result<(), StoreError> {
        if let Pools::Postgres { writers, .. } = &self.pools {
            let mut transaction = writers.begin().await?;
            sqlx::query("SELECT pincite_admit($1)")
                .bind(role)
                .execute(&mut *transaction)
                .await?;
            transaction.commit().await?;
        }
        Ok(())
    }
}
