//! Which documents are governed: an allow-list of folders, owners or classes.
//!
//! Deliberately not here: listing what it leaves out; whoever asks counts that beside what is in.

use crate::error::AppError;
use crate::settings;
use crate::wire::ScopeView;
use crate::workspace::Workspace;
use pincite_store::Connection;
use serde::{Deserialize, Serialize};

/// An allow-list. Each list that is empty allows everything of its kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Scope {
    /// Folders, each with all below it.
    pub folders: Vec<String>,
    /// Owners.
    pub owners: Vec<String>,
    /// Classes, such as `documentation`, `minutes`, `other`.
    pub classes: Vec<String>,
}

/// The scope in use; everything, where none was set.
///
/// # Errors
/// The store; a kept setting that can't be read back.
pub async fn current(connection: &mut Connection) -> Result<Scope, AppError> {
    match pincite_store::settings::setting(connection, "scope").await? {
        None => Ok(Scope::default()),
        Some(text) => serde_json::from_str(&text)
            .map_err(|error| AppError::internal(format!("the kept scope can't be read back: {error}"))),
    }
}

/// The scope in use, for whoever looks at it.
///
/// # Errors
/// As [`current`].
pub async fn shown(workspace: &Workspace) -> Result<ScopeView, AppError> {
    let scope = current(&mut *workspace.store.read().await?).await?;
    Ok(ScopeView {
        folders: scope.folders,
        owners: scope.owners,
        classes: scope.classes,
    })
}

/// Sets it.
///
/// # Errors
/// No reason; the store.
pub async fn set(workspace: &Workspace, scope: ScopeView, why: &str, who: &str) -> Result<ScopeView, AppError> {
    let scope = Scope {
        folders: scope.folders,
        owners: scope.owners,
        classes: scope.classes,
    };
    let text = serde_json::to_string(&scope).map_err(|error| AppError::internal(error.to_string()))?;
    settings::set(workspace, "scope", &text, why, who).await?;
    shown(workspace).await
}

/// A scope as somebody writes it, as it is kept.
pub(crate) fn read(text: &str) -> Result<String, String> {
    let scope: Scope = serde_json::from_str(text).map_err(|error| {
        format!("{error}; write it as {{\"folders\":[],\"owners\":[],\"classes\":[\"documentation\"]}}, where an empty list allows all")
    })?;
    serde_json::to_string(&scope).map_err(|error| error.to_string())
}

impl Scope {
    /// Whether a document is in it, by its path, its owner and its class.
    #[must_use]
    pub fn holds(&self, path: &str, owner: &str, class: &str) -> bool {
        let among = |list: &[String], value: &str| list.is_empty() || list.iter().any(|one| one == value);
        let below = |folder: &String| {
            let folder = folder.trim_end_matches('/');
            path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
        };
        (self.folders.is_empty() || self.folders.iter().any(below))
            && among(&self.owners, owner)
            && among(&self.classes, class)
    }

    /// The same of a document that is registered: its folder decided when it was.
    #[must_use]
    pub fn holds_registered(&self, owner: &str, class: &str) -> bool {
        Self {
            folders: Vec::new(),
            ..self.clone()
        }
        .holds("", owner, class)
    }

    /// What it allows, for whoever reads why something is left out.
    #[must_use]
    pub fn words(&self) -> String {
        let kinds = [
            ("folders", &self.folders),
            ("owners", &self.owners),
            ("classes", &self.classes),
        ];
        let said: Vec<String> = kinds
            .iter()
            .filter(|(_, list)| !list.is_empty())
            .map(|(kind, list)| format!("{kind}: {}", list.join(", ")))
            .collect();
        if said.is_empty() {
            "everything".into()
        } else {
            said.join("; ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_list_allows_what_it_names_and_an_empty_one_everything() {
        let everything = Scope::default();
        assert!(everything.holds("any/where.pdf", "", ""));
        assert_eq!(everything.words(), "everything");
        let narrow = Scope {
            folders: vec!["policies/".into()],
            owners: vec!["Travel".into(), "Finance".into()],
            classes: Vec::new(),
        };
        assert!(narrow.holds("policies/travel/a.pdf", "Travel", "minutes"));
        assert!(!narrow.holds("policies-old/a.pdf", "Travel", "minutes"));
        assert!(!narrow.holds("policies/a.pdf", "Sales", "minutes"));
        assert_eq!(narrow.words(), "folders: policies/; owners: Travel, Finance");
    }
}
