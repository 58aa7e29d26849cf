//! Which documents are one: proposed from a stable key, confirmed by whoever answers for them.
//!
//! Two documents are proposed as one where their files have one name but for a version's suffix, or where they have one title and
//! one owner. A proposal is listed until something was said of each of its documents, and nothing rests on it before.
//!
//! Deliberately not here: comparing texts. A stale copy says something else by then.

use crate::accounts::reason;
use crate::error::AppError;
use crate::ports::new_salt;
use crate::times;
use crate::wire::{CanonicalDocumentView, CanonicalGroupView};
use crate::workspace::{Workspace, actor};
use pincite_store::{Connection, registry};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Words that say which version a file is, and not which document.
const VERSION_WORDS: [&str; 12] = [
    "rev", "revision", "v", "ver", "version", "draft", "final", "copy", "kopie", "copia", "old", "new",
];

/// The name of a file without what tells its version: `Travel Policy_v2.1 (copy).pdf` and `travel-policy.pdf` are one.
#[must_use]
pub fn stable_name(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let lower = stem.to_lowercase();
    let mut words: Vec<&str> = lower
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    while words.len() > 1 {
        let last = words.last().copied().unwrap_or_default();
        let before = words.iter().rev().nth(1).copied().unwrap_or_default();
        let numbered = last.trim_start_matches(|letter: char| letter.is_ascii_alphabetic());
        let letters = last.len() - numbered.len();
        let is_number = !numbered.is_empty() && numbered.bytes().all(|byte| byte.is_ascii_digit());
        let is_version = is_number
            && (letters == 0
                || VERSION_WORDS.contains(&last.get(..letters).unwrap_or_default())
                || letters == 1 && last.starts_with('r'));
        let is_letter = last.chars().count() == 1 && VERSION_WORDS.contains(&before);
        // A number that belongs to the name stays: "sop 114" is not "sop".
        let is_name = is_number && letters == 0 && words.len() == 2 && !VERSION_WORDS.contains(&before);
        if is_name || !(is_version || is_letter || VERSION_WORDS.contains(&last)) {
            break;
        }
        let _ = words.pop();
    }
    words.join(" ")
}

/// What a proposal is made of.
struct Known {
    owner: String,
    titles: BTreeSet<String>,
    names: BTreeSet<String>,
}

/// Groups of documents that may be one, those that nobody has said everything about first.
///
/// # Errors
/// The store.
pub async fn groups(workspace: &Workspace) -> Result<Vec<CanonicalGroupView>, AppError> {
    proposed(&mut *workspace.store.read().await?).await
}

/// The same, while something else is read.
pub(super) async fn proposed(reading: &mut Connection) -> Result<Vec<CanonicalGroupView>, AppError> {
    let mut known: BTreeMap<String, Known> = BTreeMap::new();
    for row in registry::revisions(reading, "").await? {
        let one = known.entry(row.doc_id).or_insert_with(|| Known {
            owner: String::new(),
            titles: BTreeSet::new(),
            names: BTreeSet::new(),
        });
        one.owner = row.owner;
    }
    for row in registry::names(reading).await? {
        let Some(one) = known.get_mut(&row.doc_id) else {
            continue;
        };
        let text = String::from_utf8_lossy(&row.name);
        let name = text.trim();
        match row.is_title {
            true if !name.is_empty() => {
                let _ = one.titles.insert(name.to_lowercase());
            }
            true => {}
            false => {
                let _ = one.names.insert(stable_name(name));
            }
        }
    }
    let mut keys: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (doc_id, one) in &known {
        for name in &one.names {
            let _ = keys.entry(format!("file {name}")).or_default().insert(doc_id);
        }
        for title in &one.titles {
            let _ = keys
                .entry(format!("title {title} of {}", one.owner))
                .or_default()
                .insert(doc_id);
        }
    }
    let said: BTreeMap<String, registry::IdentityRow> = registry::identities(reading)
        .await?
        .into_iter()
        .map(|row| (row.doc_id.clone(), row))
        .collect();
    // What has one key is one proposal, and so is what another key joins.
    let mut proposals: Vec<(BTreeSet<String>, BTreeSet<&str>)> = Vec::new();
    for (key, documents) in keys.into_iter().filter(|(_, documents)| documents.len() > 1) {
        let (joined, rest): (Vec<_>, Vec<_>) = proposals
            .into_iter()
            .partition(|(_, known)| known.iter().any(|one| documents.contains(one)));
        let mut whole = (BTreeSet::from([key]), documents);
        for (keys, known) in joined {
            whole.0.extend(keys);
            whole.1.extend(known);
        }
        proposals = rest;
        proposals.push(whole);
    }
    let mut views: Vec<CanonicalGroupView> = proposals
        .into_iter()
        .map(|(keys, documents)| view(keys, &documents, &known, &said))
        .collect();
    views.sort_by(|one, other| {
        (one.confirmed, &one.documents.first().map(|document| &document.doc_id)).cmp(&(
            other.confirmed,
            &other.documents.first().map(|document| &document.doc_id),
        ))
    });
    Ok(views)
}

fn view(
    keys: BTreeSet<String>,
    documents: &BTreeSet<&str>,
    known: &BTreeMap<String, Known>,
    said: &BTreeMap<String, registry::IdentityRow>,
) -> CanonicalGroupView {
    let documents: Vec<CanonicalDocumentView> = documents
        .iter()
        .map(|doc_id| {
            let said = said.get(*doc_id);
            CanonicalDocumentView {
                doc_id: (*doc_id).to_owned(),
                owner: known.get(*doc_id).map(|one| one.owner.clone()).unwrap_or_default(),
                canonical_id: said.map(|row| row.canonical_id.clone()),
                said_by: said.map(|row| row.who.clone()),
                said_at: said.map(|row| times::text(row.recorded_at)),
            }
        })
        .collect();
    CanonicalGroupView {
        keys: keys.into_iter().collect(),
        confirmed: documents.iter().all(|document| document.canonical_id.is_some()),
        documents,
    }
}

/// Says that documents are copies of one; one alone, named as its own, is said to be no copy.
///
/// # Errors
/// A document that is not registered; a copy that others are copies of; the store.
pub async fn confirm(
    workspace: &Workspace,
    canonical_id: &str,
    copies: &[String],
    why: &str,
    who: &str,
) -> Result<Vec<CanonicalGroupView>, AppError> {
    reason(why)?;
    let mut write = workspace.store.write().await?;
    let acting = actor(&write, who);
    let mut all: Vec<&str> = vec![canonical_id];
    all.extend(copies.iter().map(String::as_str).filter(|copy| *copy != canonical_id));
    for doc_id in &all {
        if registry::revisions(write.connection(), doc_id).await?.is_empty() {
            return Err(AppError::not_found(format!(
                "{doc_id} is not in the registry: `pincite registry show` names what is"
            )));
        }
    }
    let said = registry::identities(write.connection()).await?;
    for doc_id in all.iter().skip(1) {
        if let Some(row) = said
            .iter()
            .find(|row| row.canonical_id == *doc_id && row.doc_id != *doc_id)
        {
            return Err(AppError::bad_input(format!(
                "{} is said to be a copy of {doc_id}: name the one that both are copies of first",
                row.doc_id
            )));
        }
    }
    for doc_id in &all {
        write.set_identity(doc_id, canonical_id, why, &acting.who).await?;
        let payload = json!({ "doc_id": doc_id, "canonical_id": canonical_id, "why": why });
        write.audit(&acting, &new_salt(), "registry.confirm", doc_id, &payload);
    }
    write.commit().await?;
    groups(workspace).await
}

#[cfg(test)]
mod tests {
    use super::stable_name;

    #[test]
    fn a_version_is_no_part_of_a_document_s_name() {
        let same = [
            ("policies/Travel Policy_v2.1 (copy).pdf", "travel policy"),
            ("archive/travel-policy.pdf", "travel policy"),
            ("travel_policy_rev_C.pdf", "travel policy"),
            ("travel-policy-2026-05-14.pdf", "travel policy"),
            ("Travel Policy FINAL draft 3.docx", "travel policy"),
            ("sop-114-rev-b.pdf", "sop 114"),
            ("sop_114.pdf", "sop 114"),
            ("sop_0101-v2-github.pdf", "sop 0101 v2 github"),
            ("2026.pdf", "2026"),
        ];
        for (path, name) in same {
            assert_eq!(stable_name(path), name, "{path}");
        }
    }
}
