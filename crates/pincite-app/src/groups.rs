//! Groups of readers, who belongs to one and when, and which groups may read a document.
//!
//! Deliberately not here: leaving out what somebody may not read. The store does that, under every read.

use crate::accounts::reason;
use crate::documents::resolve;
use crate::error::AppError;
use crate::ports::new_salt;
use crate::times;
use crate::wire::{DocumentGroupsView, GroupView, MemberView};
use crate::workspace::{Workspace, actor};
use pincite_store::documents;
use pincite_store::groups::{self, MemberRow};
use pincite_store::{Connection, Writing};
use serde_json::json;

/// From when until when somebody is to belong to a group: dates or RFC 3339; a date is the whole day, in local time.
#[derive(Debug, Clone, Copy, Default)]
pub struct Period<'a> {
    /// From when; now, where nothing is said.
    pub from: Option<&'a str>,
    /// Until when; without an end, where nothing is said.
    pub until: Option<&'a str>,
}

/// Every group with its members.
///
/// # Errors
/// The store.
pub async fn list(workspace: &Workspace) -> Result<Vec<GroupView>, AppError> {
    views(&mut *workspace.store.read().await?).await
}

async fn views(connection: &mut Connection) -> Result<Vec<GroupView>, AppError> {
    let now = connection.now().await?;
    let members = groups::members(connection).await?;
    let of = |group: &str| {
        members
            .iter()
            .filter(|row| row.group_name == group)
            .map(|row| MemberView {
                member: row.member.clone(),
                starts_at: times::text(row.starts_at),
                ends_at: row.ends_at.map(times::text),
                now: row.starts_at <= now && row.ends_at.is_none_or(|end| end > now),
            })
            .collect()
    };
    Ok(groups::groups(connection)
        .await?
        .into_iter()
        .map(|group| GroupView {
            members: of(&group),
            group,
        })
        .collect())
}

/// Makes a group, without members.
///
/// # Errors
/// A name that is taken or none; the store.
pub async fn add(workspace: &Workspace, name: &str, why: &str, who: &str) -> Result<Vec<GroupView>, AppError> {
    reason(why)?;
    if name.trim() != name || name.is_empty() || name.len() > 200 || name.contains([',', '\n', '\r']) {
        return Err(AppError::bad_input(format!(
            "{name:?} is no group's name: take 1 to 200 bytes on one line, without commas and blanks around them"
        )));
    }
    let mut write = workspace.store.write().await?;
    let acting = actor(&write, who);
    if !write.add_group(name).await? {
        return Err(AppError::bad_input(format!("there is a group {name} already")));
    }
    write.audit(&acting, &new_salt(), "group.add", name, &json!({ "why": why }));
    write.commit().await?;
    list(workspace).await
}

async fn known(write: &mut Writing, group: &str) -> Result<(), AppError> {
    if groups::groups(write.connection())
        .await?
        .iter()
        .any(|known| known == group)
    {
        return Ok(());
    }
    Err(AppError::not_found(format!(
        "there is no group {group}: `pincite user group list` names them"
    )))
}

/// Says from when until when somebody belongs to a group, in place of what was said before. Whoever is to leave now belongs to
/// it until now.
///
/// # Errors
/// No such group; a period that ends before it begins; nobody of that name in a team; the store.
pub async fn set_membership(
    workspace: &Workspace,
    group: &str,
    member: &str,
    period: Period<'_>,
    why: &str,
    who: &str,
) -> Result<Vec<GroupView>, AppError> {
    reason(why)?;
    let mut write = workspace.store.write().await?;
    let acting = actor(&write, who);
    known(&mut write, group).await?;
    if workspace.is_team() {
        let account = pincite_store::accounts::account(write.connection(), member).await?;
        account.ok_or_else(|| {
            AppError::not_found(format!("there is no account {member}: `pincite user list` names them"))
        })?;
    }
    let before = groups::members(write.connection())
        .await?
        .into_iter()
        .find(|row| row.group_name == group && row.member == member);
    let starts_at = match period.from {
        Some(from) => times::moment(from, false)?,
        None => write.now,
    };
    let ends_at = period.until.map(|until| times::moment(until, true)).transpose()?;
    if ends_at.is_some_and(|end| end <= starts_at) {
        return Err(AppError::bad_input(
            "the membership would end before it begins: --until is before --from",
        ));
    }
    let new = MemberRow {
        group_name: group.to_owned(),
        member: member.to_owned(),
        starts_at,
        ends_at,
    };
    say(&mut write, before.as_ref(), &new, &acting, why).await?;
    write.commit().await?;
    list(workspace).await
}

/// Ends a membership now.
///
/// # Errors
/// No such group; somebody who does not belong to it; the store.
pub async fn leave(
    workspace: &Workspace,
    group: &str,
    member: &str,
    why: &str,
    who: &str,
) -> Result<Vec<GroupView>, AppError> {
    reason(why)?;
    let mut write = workspace.store.write().await?;
    let (acting, now) = (actor(&write, who), write.now);
    known(&mut write, group).await?;
    let before = groups::members(write.connection())
        .await?
        .into_iter()
        .find(|row| row.group_name == group && row.member == member && row.ends_at.is_none_or(|end| end > now));
    let Some(before) = before else {
        return Err(AppError::not_found(format!(
            "{member} does not belong to the group {group}"
        )));
    };
    let new = MemberRow {
        starts_at: before.starts_at.min(now),
        ends_at: Some(now),
        ..before.clone()
    };
    say(&mut write, Some(&before), &new, &acting, why).await?;
    write.commit().await?;
    list(workspace).await
}

async fn say(
    write: &mut Writing,
    before: Option<&MemberRow>,
    new: &MemberRow,
    acting: &pincite_store::Actor,
    why: &str,
) -> Result<(), AppError> {
    let told = |row: &MemberRow| json!({ "from": times::text(row.starts_at), "until": row.ends_at.map(times::text) });
    write.set_membership(new, &acting.who, why).await?;
    let payload = json!({
        "group": new.group_name, "member": new.member, "old": before.map(told), "new": told(new), "why": why
    });
    write.audit(acting, &new_salt(), "group.member", &new.group_name, &payload);
    Ok(())
}

/// Which groups may read the document that DOC names.
///
/// # Errors
/// No such document; the store.
pub async fn of_document(workspace: &Workspace, doc: &str) -> Result<DocumentGroupsView, AppError> {
    let mut reading = workspace.store.read().await?;
    let doc_id = document(&mut reading, doc).await?;
    Ok(DocumentGroupsView {
        groups: groups::of_document(&mut reading, &doc_id).await?,
        doc_id,
    })
}

/// All versions of a document are open to the same groups, so a document with several is named by its id alone.
async fn document(connection: &mut Connection, doc: &str) -> Result<String, AppError> {
    if documents::versions_of(connection, doc, "").await?.is_empty() {
        return Ok(resolve(connection, doc).await?.doc_id);
    }
    Ok(doc.to_owned())
}

/// Says which groups may read a document and every version of it, now and later; none lets everybody. Answers what was said, which
/// whoever said it may not be able to read any more.
///
/// # Errors
/// No such document or group; the store.
pub async fn set_of_document(
    workspace: &Workspace,
    doc: &str,
    groups_said: &[String],
    why: &str,
    who: &str,
) -> Result<DocumentGroupsView, AppError> {
    reason(why)?;
    let mut write = workspace.store.write().await?;
    let acting = actor(&write, who);
    let doc_id = document(write.connection(), doc).await?;
    let mut new = groups_said.to_vec();
    new.sort();
    new.dedup();
    for group in &new {
        known(&mut write, group).await?;
    }
    let old = groups::of_document(write.connection(), &doc_id).await?;
    let payload = json!({ "old": old, "new": new, "why": why });
    write.audit(&acting, &new_salt(), "document.groups", &doc_id, &payload);
    write.set_document_groups(&doc_id, &new, &acting.who, why).await?;
    write.commit().await?;
    Ok(DocumentGroupsView { doc_id, groups: new })
}
