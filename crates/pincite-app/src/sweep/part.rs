//! One version of a document in a sweep: everything that cites it, checked on what is kept here.
//!
//! Bytes, layers and structures are fetched once for all citations that rest on them; the history of the document once.
//!
//! Deliberately not here: writing, and the order of versions.

use crate::checks::{Checker, Fetched};
use crate::error::AppError;
use crate::registry::questions::Dates;
use crate::registry::standing::{Brief, Standings};
use crate::workspace::Workspace;
use pincite_core::citation::Citation;
use pincite_core::sweep::{Class, Currency, Outcome, Resting, check, unresolved};
use pincite_store::Connection;
use pincite_store::sweeps::{CitedVersionRow, NewFinding, NewPart, StoredName, citations_of_version};
use std::collections::HashMap;

/// A document that nobody registered.
pub(crate) const UNREGISTERED: &str = "unregistered";

/// Sweeps version after version.
#[derive(Debug)]
pub(crate) struct Sweeper<'a> {
    checker: Checker<'a>,
    standings: Standings<'a>,
    dates: Dates,
}

impl<'a> Sweeper<'a> {
    /// One that asks the registry about a day, with all that is known now.
    pub(crate) fn new(workspace: &'a Workspace, dates: Dates) -> Self {
        Self {
            checker: Checker::new(workspace),
            standings: Standings::new(workspace),
            dates,
        }
    }

    /// What a version comes to.
    ///
    /// # Errors
    /// The store.
    pub(crate) async fn part(
        &mut self,
        connection: &mut Connection,
        version: CitedVersionRow,
    ) -> Result<NewPart, AppError> {
        let citations = citations_of_version(connection, &version).await?;
        let family = family(&mut self.standings, connection, &version.doc_id).await?;
        let mut fetched: HashMap<(Option<String>, Option<String>), Fetched> = HashMap::new();
        let mut resting = Vec::with_capacity(citations.len());
        for (name, citation) in citations {
            let key = (citation.layer_sha256.clone(), citation.structure_id.clone());
            let held = match fetched.get(&key) {
                Some(held) => held.clone(),
                None => {
                    let held = self.checker.fetch(connection, &citation).await?;
                    let _ = fetched.insert(key, held.clone());
                    held
                }
            };
            let brief = self.standings.brief(connection, &citation, self.dates).await?;
            resting.push((name, citation, held, brief));
        }
        let checked = tokio::task::spawn_blocking(move || look(resting)).await?;
        let mut part = NewPart {
            version,
            family,
            checked: checked.len().try_into().unwrap_or(i64::MAX),
            unregistered: 0,
            findings: Vec::new(),
        };
        for (found, brief) in checked {
            match found {
                Some(finding) => part.findings.push(finding),
                None => part.unregistered += i64::from(brief.currency == Currency::Unknown),
            }
        }
        Ok(part)
    }
}

/// The class that the registry gives a document; [`UNREGISTERED`] where it has none.
///
/// # Errors
/// The store.
pub(crate) async fn family(
    standings: &mut Standings<'_>,
    connection: &mut Connection,
    doc_id: &str,
) -> Result<String, AppError> {
    let registered = standings.history(connection, doc_id).await?;
    let last = registered.as_ref().and_then(|registered| registered.rows.last());
    Ok(last.map_or_else(|| UNREGISTERED.to_owned(), |row| row.class.clone()))
}

/// What the core says of a citation on what was fetched for it.
fn outcome(citation: &Citation, fetched: &Fetched, currency: Currency) -> Outcome {
    match &fetched.default {
        None => unresolved(fetched.version, currency),
        Some(default) => {
            let resting = Resting {
                cited: fetched.layer.as_ref().map(|loaded| &loaded.layer),
                default: &default.layer,
                currency,
            };
            check(citation, &resting, || default.index())
        }
    }
}

fn look(resting: Vec<(StoredName, Citation, Fetched, Brief)>) -> Vec<(Option<NewFinding>, Brief)> {
    resting
        .into_iter()
        .map(|(name, citation, fetched, brief)| {
            let outcome = outcome(&citation, &fetched, brief.currency);
            (finding(name, &citation, &fetched, &outcome, brief), brief)
        })
        .collect()
}

/// A finding, unless the citation is intact and what it cites is in force, or unknown to the registry.
fn finding(
    name: StoredName,
    citation: &Citation,
    fetched: &Fetched,
    outcome: &Outcome,
    brief: Brief,
) -> Option<NewFinding> {
    if outcome.class == Class::Intact && outcome.first_failed().is_none() {
        return None;
    }
    let layer = fetched.default.as_ref().map(|loaded| loaded.layer.sha256().to_owned());
    let found = match outcome.class {
        Class::Drifted { span, .. } => layer.map(|layer| (layer, i64::from(span.start().0), i64::from(span.end().0))),
        _ => None,
    };
    Some(NewFinding {
        citation: name,
        class: outcome.class.code(),
        reason: outcome.resolves.err().map(pincite_core::citation::Failure::code),
        in_bounds: outcome.in_bounds,
        quote_match: outcome.quote_match,
        currency: outcome.currency.code(),
        standing: brief.label,
        cited: (citation.char_start, citation.char_end),
        found,
    })
}
