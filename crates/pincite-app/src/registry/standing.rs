//! What a whole citation is worth on two dates: which sections its span touches, and what the registry says of them.
//!
//! A citation names its section by its offsets, in the structure it was made with; by its locator where it has no offsets or
//! nothing is known of their layer. A span that touches several sections is worth what the worst of them is. Text in no section
//! goes with its whole revision.
//!
//! Deliberately not here: whether the citation holds on its own bytes (`checks`), and the rules (`pincite_core::registry`).

use super::histories::{self, Registered, labelled};
use super::questions::{Dates, as_of_view};
use crate::error::AppError;
use crate::loaded;
use crate::wire::{AsOfView, CitedRevisionView, ItemStandingView, StandingView};
use crate::workspace::Workspace;
use pincite_core::citation::Citation;
use pincite_core::registry::{Cited, History, Revision, Standing, Verdict, verdict};
use pincite_core::structure::{Locator, Structure};
use pincite_core::sweep::Currency;
use pincite_core::text::{CharOffset, CharSpan};
use pincite_store::{Connection, documents, items, records};
use std::collections::HashMap;
use std::sync::Arc;

/// How many structures are kept while citations are asked for.
const STRUCTURES: usize = 256;
/// How many histories: one of a thousand sections in twenty revisions takes some ten megabytes. Whoever asks about many citations
/// asks in the order of their documents.
const HISTORIES: usize = 64;

/// Tells what citations are worth; keeps the histories that it read last.
#[derive(Debug)]
pub struct Standings<'a> {
    workspace: &'a Workspace,
    histories: HashMap<String, Option<Arc<Registered>>>,
    /// The default layer of bytes; `None` where they are not here.
    layers: HashMap<(String, String), Option<String>>,
    structures: HashMap<(String, String, Option<String>), Option<Arc<Structure>>>,
    /// The keys of sections by document, bytes and name. Finding one reads every locator of a revision, and a thousand citations of
    /// a document name the same few sections.
    keys: HashMap<(String, String, String), String>,
}

/// What the registry says of a citation, in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Brief {
    pub(crate) currency: Currency,
    pub(crate) label: &'static str,
}

impl<'a> Standings<'a> {
    /// One that has read nothing yet.
    #[must_use]
    pub fn new(workspace: &'a Workspace) -> Self {
        Self {
            workspace,
            histories: HashMap::new(),
            layers: HashMap::new(),
            structures: HashMap::new(),
            keys: HashMap::new(),
        }
    }

    /// What a citation is worth. A citation of a document that is closed to whoever asks is as unknown as one of none.
    ///
    /// # Errors
    /// The store.
    pub async fn of(
        &mut self,
        connection: &mut Connection,
        citation: &Citation,
        dates: Dates,
    ) -> Result<StandingView, AppError> {
        Ok(match self.history(connection, &citation.doc_id).await? {
            None => unregistered(),
            Some(registered) => {
                let keys = self.touched(connection, &registered, citation).await?;
                standing(&registered.history, citation, &keys, dates)
            }
        })
    }

    /// The same in a word.
    ///
    /// # Errors
    /// The store.
    pub(crate) async fn brief(
        &mut self,
        connection: &mut Connection,
        citation: &Citation,
        dates: Dates,
    ) -> Result<Brief, AppError> {
        Ok(match self.history(connection, &citation.doc_id).await? {
            None => Brief {
                currency: Currency::Unknown,
                label: Standing::Unregistered.label(),
            },
            Some(registered) => {
                let keys = self.touched(connection, &registered, citation).await?;
                let (_, verdict) = worst(&registered.history, citation, &keys, dates);
                Brief {
                    currency: Currency::from(&verdict.standing),
                    label: verdict.standing.label(),
                }
            }
        })
    }

    /// The same of the section that a citation quotes: the one in which its quote stands, where that is at `elsewhere` in a layer of that
    /// name; and nothing is known where its offsets lie outside its layer and it names no section.
    ///
    /// # Errors
    /// The store.
    pub(crate) async fn brief_of_quoted(
        &mut self,
        connection: &mut Connection,
        citation: &Citation,
        elsewhere: Option<(CharSpan, &str)>,
        in_bounds: Option<bool>,
        dates: Dates,
    ) -> Result<Brief, AppError> {
        let nowhere = elsewhere.is_none() && in_bounds == Some(false);
        if nowhere && citation.locator.is_none() {
            return Ok(Brief {
                currency: Currency::Unknown,
                label: Standing::Unregistered.label(),
            });
        }
        if elsewhere.is_none() && !nowhere {
            return self.brief(connection, citation, dates).await;
        }
        let (span, layer) = elsewhere.unzip();
        let offset = |offset: CharOffset| i64::from(offset.0);
        let quoted = Citation {
            doc_id: citation.doc_id.clone(),
            doc_sha256: citation.doc_sha256.clone(),
            layer_sha256: layer.map(str::to_owned),
            locator: citation.locator.clone(),
            char_start: span.map(|span| offset(span.start())),
            char_end: span.map(|span| offset(span.end())),
            ..Citation::default()
        };
        self.brief(connection, &quoted, dates).await
    }

    /// The keys of the sections that a citation touches.
    async fn touched(
        &mut self,
        connection: &mut Connection,
        registered: &Registered,
        citation: &Citation,
    ) -> Result<Vec<String>, AppError> {
        let mut keys = Vec::new();
        for name in self.sections(connection, citation).await? {
            let asked = (citation.doc_id.clone(), citation.doc_sha256.clone(), name);
            if let Some(known) = self.keys.get(&asked) {
                keys.push(known.clone());
                continue;
            }
            let key = section_key(registered, citation, &asked.2);
            let _ = self.keys.insert(asked, key.clone());
            keys.push(key);
        }
        Ok(keys)
    }

    /// The same; `None` where the registry has no such document, so that nothing is said of one that nobody registered.
    ///
    /// # Errors
    /// The store.
    pub async fn known(
        &mut self,
        connection: &mut Connection,
        citation: &Citation,
        dates: Dates,
    ) -> Result<Option<StandingView>, AppError> {
        if self.history(connection, &citation.doc_id).await?.is_none() {
            return Ok(None);
        }
        Ok(Some(self.of(connection, citation, dates).await?))
    }

    /// The same where the section is named, by its key or as the cited revision labels it.
    ///
    /// # Errors
    /// The store.
    pub async fn of_section(
        &mut self,
        connection: &mut Connection,
        citation: &Citation,
        section: &str,
        dates: Dates,
    ) -> Result<StandingView, AppError> {
        let registered = self.history(connection, &citation.doc_id).await?;
        Ok(registered.map_or_else(unregistered, |registered| {
            let keys = [section_key(&registered, citation, section)];
            standing(&registered.history, citation, &keys, dates)
        }))
    }

    /// What the registry has of a document; `None` where it has nothing.
    ///
    /// # Errors
    /// The store.
    pub(crate) async fn history(
        &mut self,
        connection: &mut Connection,
        doc_id: &str,
    ) -> Result<Option<Arc<Registered>>, AppError> {
        if let Some(known) = self.histories.get(doc_id) {
            return Ok(known.clone());
        }
        let read = histories::read(connection, doc_id).await?.map(Arc::new);
        if self.histories.len() >= HISTORIES {
            self.histories.clear();
            self.keys.clear();
        }
        let _ = self.histories.insert(doc_id.to_owned(), read.clone());
        Ok(read)
    }

    /// What the sections are called that a citation touches; none where it stands in none, or nothing is known of its place.
    async fn sections(&mut self, connection: &mut Connection, citation: &Citation) -> Result<Vec<String>, AppError> {
        if let Some(span) = span_of(citation)
            && let Some(structure) = self.structure(connection, citation).await?
        {
            return Ok(structure
                .sections_in(span)
                .map(|section| section.locator.to_string())
                .collect());
        }
        Ok(citation.locator.iter().cloned().collect())
    }

    async fn structure(
        &mut self,
        connection: &mut Connection,
        citation: &Citation,
    ) -> Result<Option<Arc<Structure>>, AppError> {
        let layer = match &citation.layer_sha256 {
            Some(layer) => Some(layer.clone()),
            None => {
                self.default_layer(connection, &citation.doc_id, &citation.doc_sha256)
                    .await?
            }
        };
        let Some(layer) = layer else { return Ok(None) };
        let key = (
            citation.doc_sha256.clone(),
            layer.clone(),
            citation.structure_id.clone(),
        );
        if let Some(known) = self.structures.get(&key) {
            return Ok(known.clone());
        }
        let cache = self.workspace.cache();
        let named = key.2.as_deref();
        let read = loaded::structure(cache, connection, &citation.doc_sha256, &layer, named).await?;
        let read = read.map(|(_, structure)| structure);
        if self.structures.len() >= STRUCTURES {
            self.structures.clear();
        }
        let _ = self.structures.insert(key, read.clone());
        Ok(read)
    }

    async fn default_layer(
        &mut self,
        connection: &mut Connection,
        doc_id: &str,
        doc_sha256: &str,
    ) -> Result<Option<String>, AppError> {
        let key = (doc_id.to_owned(), doc_sha256.to_owned());
        if let Some(known) = self.layers.get(&key) {
            return Ok(known.clone());
        }
        let rows = documents::versions_of(connection, doc_id, doc_sha256).await?;
        let layer = rows
            .into_iter()
            .find(|row| row.doc_sha256 == doc_sha256)
            .map(|row| row.layer_sha256);
        let _ = self.layers.insert(key, layer.clone());
        Ok(layer)
    }
}

/// What the citations of items are worth today: of each item the worst; nothing of an item whose documents are not registered.
///
/// # Errors
/// The store.
pub async fn of_items(workspace: &Workspace, items: &[String]) -> Result<Vec<ItemStandingView>, AppError> {
    let mut reading = workspace.store.read().await?;
    let now = reading.now().await?;
    let mut standings = Standings::new(workspace);
    let mut views = Vec::new();
    for item in items {
        let Some(row) = items::item(&mut reading, now, item).await? else {
            continue;
        };
        let mut worst: Option<StandingView> = None;
        for citation in records::citations_of(&mut reading, &row.record_id).await? {
            let standing = standings
                .known(&mut reading, &citation.citation(), Dates::today())
                .await?;
            // A stale one speaks for the item; of several the first.
            if worst.as_ref().is_none_or(|worst| worst.current) {
                worst = standing.or(worst);
            }
        }
        views.extend(worst.map(|standing| ItemStandingView {
            item: item.clone(),
            standing,
        }));
    }
    Ok(views)
}

/// The span that a citation names, as far as the numbers go.
fn span_of(citation: &Citation) -> Option<CharSpan> {
    let offset = |given: Option<i64>| given.and_then(|given| u32::try_from(given).ok()).map(CharOffset);
    CharSpan::new(offset(citation.char_start)?, offset(citation.char_end)?)
}

/// The key of the section that the cited revision knows under a name, or by this key. A name that it does not know stays as it is, and
/// is worth nothing.
fn section_key(registered: &Registered, citation: &Citation, name: &str) -> String {
    let revisions = registered.history.revisions();
    let mut cited = revisions
        .iter()
        .filter(|revision| revision.doc_sha256 == citation.doc_sha256);
    let locator = Locator::parse(name).ok();
    cited
        .find_map(|revision| {
            let mut sections = revision.sections.iter();
            let by_key = sections.find(|section| section.section_key == name);
            let by_key = by_key.map(|section| section.section_key.clone());
            by_key.or_else(|| labelled(&revision.sections, locator.as_ref()?))
        })
        .unwrap_or_else(|| name.to_owned())
}

fn unregistered() -> StandingView {
    StandingView {
        standing: Standing::Unregistered.label().to_owned(),
        current: false,
        since: None,
        replaced_by: None,
        cited: None,
        in_force: None,
        reason: Some("the registry has no such document".into()),
    }
}

/// Of the sections that a citation touches the one that is worth least, and what it is worth; the whole revision where it touches
/// none.
fn worst<'k, 'h>(
    history: &'h History,
    citation: &Citation,
    keys: &'k [String],
    dates: Dates,
) -> (Option<&'k str>, Verdict<'h>) {
    let of_key = |key: &str| {
        let cited = Cited {
            doc_sha256: &citation.doc_sha256,
            section_key: key,
        };
        verdict(Some(history), &cited, dates.valid_at, dates.known_at)
    };
    keys.iter()
        .map(|key| (Some(key.as_str()), of_key(key)))
        .max_by_key(|(_, verdict)| verdict.standing.rank())
        .unwrap_or_else(|| {
            let standing = history.standing_of_whole(&citation.doc_sha256, dates.valid_at, dates.known_at);
            (
                None,
                Verdict {
                    standing,
                    in_force: None,
                },
            )
        })
}

fn standing(history: &History, citation: &Citation, keys: &[String], dates: Dates) -> StandingView {
    let (key, verdict) = worst(history, citation, keys, dates);
    // Of revisions of the same bytes the last that was known speaks for its name.
    let known = |revision: &&Revision| dates.known_at.is_none_or(|at| revision.recorded_at <= at);
    let of_bytes = |revision: &&Revision| revision.doc_sha256 == citation.doc_sha256;
    let cited = history.revisions().iter().filter(of_bytes).rfind(known);
    let in_force = match key {
        Some(key) => verdict
            .in_force
            .as_ref()
            .map(|answer| as_of_view(&citation.doc_id, key, answer)),
        None => history
            .in_force(dates.valid_at, dates.known_at)
            .map(|revision| whole_view(&citation.doc_id, revision)),
    };
    let replaced_by = match verdict.standing {
        Standing::Superseded { by, .. } | Standing::Removed { by, .. } => Some(by.revision.clone()),
        _ => None,
    };
    StandingView {
        standing: verdict.standing.label().to_owned(),
        current: verdict.standing.is_current(),
        since: verdict.standing.since().map(|day| day.to_string()),
        reason: reason(&verdict.standing, key, cited),
        replaced_by,
        cited: cited.map(|revision| cited_view(&citation.doc_id, revision, key)),
        in_force,
    }
}

fn cited_view(doc_id: &str, revision: &Revision, key: Option<&str>) -> CitedRevisionView {
    let section = revision
        .sections
        .iter()
        .find(|section| Some(section.section_key.as_str()) == key);
    CitedRevisionView {
        doc_id: doc_id.to_owned(),
        revision: revision.revision.clone(),
        seq: revision.seq,
        effective_date: revision.effective.map(|day| day.to_string()),
        section_key: section.map(|section| section.section_key.clone()),
        locator: section.map(|section| section.locator.clone()),
    }
}

fn whole_view(doc_id: &str, revision: &Revision) -> AsOfView {
    AsOfView {
        answer: "in_force".into(),
        doc_id: doc_id.to_owned(),
        section_key: String::new(),
        locator: None,
        revision: Some(revision.revision.clone()),
        seq: Some(revision.seq),
        doc_sha256: Some(revision.doc_sha256.clone()),
        effective_date: revision.effective.map(|day| day.to_string()),
        recorded_at: Some(crate::times::text(revision.recorded_at)),
    }
}

/// Why a citation does not pass; `None` for one that does.
fn reason(standing: &Standing<'_>, key: Option<&str>, cited: Option<&Revision>) -> Option<String> {
    let revision = cited.map_or("the cited revision", |revision| revision.revision.as_str());
    Some(match standing {
        Standing::InForce | Standing::Carried => return None,
        Standing::Superseded { by, since } => format!("revision {} says it otherwise since {since}", by.revision),
        Standing::Removed { by, since } => format!("revision {} has it no longer, since {since}", by.revision),
        Standing::Withdrawn => format!("revision {revision} is withdrawn"),
        Standing::NotYet => format!("revision {revision} is not in force yet"),
        Standing::Draft => format!("revision {revision} is a draft"),
        Standing::NotKnown => "the cited revision was not known then".into(),
        Standing::Unregistered if cited.is_none() => "the registry has no revision of these bytes".into(),
        Standing::Unregistered => match key {
            Some(key) => format!("revision {revision} has no section {key}"),
            None => format!("nothing is known of revision {revision} on that day"),
        },
    })
}
