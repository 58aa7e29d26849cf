//! `user`: accounts, roles, groups, signing in and out.
//!
//! A password comes from a file or is asked for at the terminal; it is no argument, where every program could read it.
//!
//! Deliberately not here: keys, sessions, what a role allows.

use crate::arguments::{GroupCommand, Options, SignatureArguments, UserCommand};
use crate::documents::password_in;
use crate::output::{Failure, Findings, Output};
use crate::workspace;
use pincite_app::wire::{AccountView, GroupView, PersonView, SignatureRequest};
use pincite_app::{accounts, groups};
use serde_json::json;
use std::io::IsTerminal as _;
use std::path::Path;

/// A password: the file's first line, else what is typed.
pub(crate) fn password(file: Option<&Path>, prompt: &str) -> Result<String, Failure> {
    match file {
        Some(file) => password_in(file),
        None if std::io::stdin().is_terminal() => rpassword::prompt_password(prompt)
            .map_err(|error| Failure::input(format!("the password can't be read: {error}"))),
        None => Err(Failure::input(
            "there is no terminal to ask for the password at: name a file with --password-file",
        )),
    }
}

/// A signature, where one is given: the password again.
pub(crate) fn signature_of(arguments: &SignatureArguments, who: &str) -> Result<Option<SignatureRequest>, Failure> {
    let Some(meaning) = &arguments.sign else {
        return Ok(None);
    };
    Ok(Some(SignatureRequest {
        meaning: meaning.clone(),
        password: password(
            arguments.password_file.as_deref(),
            &format!("Password of {who}, to sign: "),
        )?,
    }))
}

fn person_words(person: &PersonView) -> String {
    match person.roles.as_slice() {
        [] => format!("{}  no role yet: an administrator grants them", person.name),
        roles => format!("{}  {}", person.name, roles.join(", ")),
    }
}

fn account_words(account: &AccountView) -> String {
    let state = if account.open { "" } else { "  closed" };
    format!("{:<24} {}{state}", account.account, account.roles.join(", "))
}

fn group_words(group: &GroupView) -> String {
    let mut words = group.group.clone();
    for member in &group.members {
        let until = member.ends_at.as_deref().map(|end| format!(" until {end}"));
        let now = if member.now { "" } else { "  not now" };
        words.push_str(&format!(
            "\n  {:<22} from {}{}{now}",
            member.member,
            member.starts_at,
            until.unwrap_or_default()
        ));
    }
    words
}

pub(crate) async fn user(options: &Options, output: &Output, command: &UserCommand) -> Result<Findings, Failure> {
    if let UserCommand::SignIn {
        name,
        password_file,
        print_token,
    } = command
    {
        let place = workspace::place(options)?;
        let password = password(password_file.as_deref(), &format!("Password of {name}: "))?;
        if *print_token {
            let token = accounts::session(&place, name, &password).await?;
            output.value(&json!({ "token": token }), |_| token.clone())?;
        } else {
            accounts::sign_in_and_keep(&place, name, &password).await?;
            output.value(&json!({ "name": name }), |_| format!("{name} is signed in to {place}"))?;
        }
        return Ok(Findings::None);
    }
    let opened = workspace::open(options).await?;
    let who = opened.store.reader();
    match command {
        // Answered above: it is what opening needs.
        UserCommand::SignIn { .. } => {}
        UserCommand::SignOut => {
            accounts::sign_out(&opened).await?;
            output.value(&json!({ "name": who }), |_| format!("{who} is signed out"))?;
        }
        UserCommand::WhoAmI => output.value(&accounts::person(&opened).await?, person_words)?,
        UserCommand::List => output.list(&accounts::list(&opened).await?, account_words, "no accounts")?,
        UserCommand::Add {
            name,
            roles,
            password_file,
            why,
        } => {
            let password = password(password_file.as_deref(), &format!("Password for {name}: "))?;
            let roles: Vec<_> = roles.iter().map(|role| role.0).collect();
            let all = accounts::add(&opened, name, &password, &roles, why, who).await?;
            output.list(&all, account_words, "no accounts")?;
        }
        UserCommand::Grant { name, role, why } => {
            let all = accounts::set_role(&opened, name, role.0, true, why, who).await?;
            output.list(&all, account_words, "no accounts")?;
        }
        UserCommand::Withdraw { name, role, why } => {
            let all = accounts::set_role(&opened, name, role.0, false, why, who).await?;
            output.list(&all, account_words, "no accounts")?;
        }
        UserCommand::Close { name, why } => {
            let all = accounts::set_open(&opened, name, false, why, who).await?;
            output.list(&all, account_words, "no accounts")?;
        }
        UserCommand::Open { name, why } => {
            let all = accounts::set_open(&opened, name, true, why, who).await?;
            output.list(&all, account_words, "no accounts")?;
        }
        UserCommand::Password {
            name,
            password_file,
            old_password_file,
        } => {
            let name = name.as_deref().unwrap_or(who);
            let old = if name == who && (opened.is_team() || old_password_file.is_some()) {
                Some(password(
                    old_password_file.as_deref(),
                    &format!("Password of {name} until now: "),
                )?)
            } else {
                None
            };
            let new = password(password_file.as_deref(), &format!("New password for {name}: "))?;
            accounts::set_password(&opened, name, old.as_deref(), &new, who).await?;
            output.value(&json!({ "name": name }), |_| format!("{name} has a new password"))?;
        }
        UserCommand::Group { command } => {
            let all = match command {
                GroupCommand::List => groups::list(&opened).await?,
                GroupCommand::Add { group, why } => groups::add(&opened, group, why, who).await?,
                GroupCommand::Join {
                    group,
                    member,
                    from,
                    until,
                    why,
                } => {
                    let period = groups::Period {
                        from: from.as_deref(),
                        until: until.as_deref(),
                    };
                    groups::set_membership(&opened, group, member, period, why, who).await?
                }
                GroupCommand::Leave { group, member, why } => groups::leave(&opened, group, member, why, who).await?,
            };
            output.list(&all, group_words, "no groups")?;
        }
    }
    Ok(Findings::None)
}
