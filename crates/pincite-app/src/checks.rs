//! Checking citations against what is kept here: fetching the evidence, asking the core.
//!
//! Deliberately not here: the checks themselves (`pincite-core::citation`), and standing, which is another question.

use crate::error::AppError;
use crate::loaded::{self, Loaded};
use crate::workspace::Workspace;
use pincite_core::citation::{Carriage, Citation, Evidence, Integrity, VersionState, carry, verify};
use pincite_core::structure::Structure;
use pincite_core::text::CharSpan;
use pincite_store::{Connection, documents};
use std::collections::HashMap;
use std::sync::Arc;

/// What a citation rests on, fetched.
#[derive(Debug, Clone)]
pub struct Fetched {
    /// The cited bytes.
    pub version: VersionState,
    /// The layer that the offsets count in.
    pub layer: Option<Arc<Loaded>>,
    /// The layer's name.
    pub layer_sha256: Option<String>,
    /// The default layer of the cited bytes: the same one, mostly.
    pub default: Option<Arc<Loaded>>,
    /// The structure that the locator is of.
    pub structure: Option<Arc<Structure>>,
    /// The structure's name.
    pub structure_id: Option<String>,
}

impl Fetched {
    /// The one other place of a quote that drifted, with the name of the layer that it is in.
    pub(crate) fn elsewhere(&self, carriage: Option<&Carriage>) -> Option<(CharSpan, &str)> {
        let Some(Carriage::Drifted { span, .. }) = carriage else {
            return None;
        };
        Some((*span, self.default.as_ref()?.layer.sha256()))
    }

    /// What the offsets and the locator of a citation were checked against is part of it from now on.
    pub(crate) fn pin(&self, citation: &mut Citation) {
        if citation.layer_sha256.is_none() {
            citation.layer_sha256.clone_from(&self.layer_sha256);
        }
        if citation.structure_id.is_none() {
            citation.structure_id.clone_from(&self.structure_id);
        }
    }
}

/// Checks citations; hashes each version's bytes once in its life.
#[derive(Debug)]
pub struct Checker<'a> {
    workspace: &'a Workspace,
    whole: HashMap<String, bool>,
}

impl<'a> Checker<'a> {
    /// A checker that has hashed nothing yet.
    #[must_use]
    pub fn new(workspace: &'a Workspace) -> Self {
        Self {
            workspace,
            whole: HashMap::new(),
        }
    }

    async fn is_whole(&mut self, doc_sha256: &str) -> Result<bool, AppError> {
        if let Some(whole) = self.whole.get(doc_sha256) {
            return Ok(*whole);
        }
        let (workspace, hash) = (self.workspace.clone(), doc_sha256.to_owned());
        let looked_at = tokio::task::spawn_blocking(move || {
            let blobs = workspace.store.blobs();
            let stamp = blobs.stamp(&hash);
            let whole = workspace.cache().known_whole(&hash, stamp) || blobs.is_whole(&hash)?;
            Ok::<_, AppError>((stamp, whole))
        });
        let (stamp, whole) = looked_at.await??;
        if whole {
            self.workspace.cache().is_whole(doc_sha256, stamp);
        }
        self.whole.insert(doc_sha256.to_owned(), whole);
        Ok(whole)
    }

    /// Fetches what a citation rests on.
    ///
    /// # Errors
    /// The store.
    pub async fn fetch(&mut self, connection: &mut Connection, citation: &Citation) -> Result<Fetched, AppError> {
        let nothing = |version| Fetched {
            version,
            layer: None,
            layer_sha256: None,
            default: None,
            structure: None,
            structure_id: None,
        };
        let rows = documents::versions_of(connection, &citation.doc_id, &citation.doc_sha256).await?;
        let Some(row) = rows.into_iter().find(|row| row.doc_sha256 == citation.doc_sha256) else {
            return Ok(nothing(VersionState::Unknown));
        };
        if !self.is_whole(&row.doc_sha256).await? {
            return Ok(nothing(VersionState::Corrupt));
        }
        let cache = self.workspace.cache();
        let default = loaded::layer(cache, connection, &row.doc_sha256, &row.layer_sha256).await?;
        let layer_sha256 = citation
            .layer_sha256
            .clone()
            .unwrap_or_else(|| row.layer_sha256.clone());
        let layer = if layer_sha256 == row.layer_sha256 {
            default.clone()
        } else {
            loaded::layer(cache, connection, &row.doc_sha256, &layer_sha256).await?
        };
        let structure = match layer {
            Some(_) => {
                loaded::structure(
                    cache,
                    connection,
                    &row.doc_sha256,
                    &layer_sha256,
                    citation.structure_id.as_deref(),
                )
                .await?
            }
            None => None,
        };
        let (structure_id, structure) = structure.unzip();
        Ok(Fetched {
            version: VersionState::Known,
            layer_sha256: layer.is_some().then_some(layer_sha256),
            layer,
            default,
            structure,
            structure_id,
        })
    }

    /// Checks a citation on what was fetched for it.
    #[must_use]
    pub fn check(citation: &Citation, fetched: &Fetched) -> Integrity {
        let evidence = Evidence {
            version: fetched.version,
            layer: fetched.layer.as_ref().map(|loaded| &loaded.layer),
            paged: fetched.layer.as_ref().is_some_and(|loaded| loaded.paged),
            structure: fetched.structure.as_deref(),
        };
        verify(citation, &evidence)
    }

    /// Where a citation stands in the default layer of its bytes; `None` where these bytes or its offsets are not here.
    #[must_use]
    pub fn carriage(citation: &Citation, fetched: &Fetched) -> Option<Carriage> {
        let default = fetched.default.as_ref()?;
        let cited = fetched.layer.as_ref().map(|loaded| &loaded.layer);
        carry(citation, cited, &default.layer, || default.index())
    }
}

/// The state and reason of a check, as they are kept.
#[must_use]
pub const fn kept(integrity: Integrity) -> (&'static str, Option<&'static str>) {
    match integrity {
        Integrity::Verified(_) => ("verified", None),
        Integrity::Failed(failure) => ("failed", Some(failure.code())),
    }
}
