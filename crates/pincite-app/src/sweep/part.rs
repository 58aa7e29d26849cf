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
use pincite_core::citation::{Citation, Failure};
use pincite_core::sweep::{Class, Currency, Found, look};
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
            resting.push((name, citation, held));
        }
        let looked = tokio::task::spawn_blocking(move || look_for_all(resting)).await?;
        let mut part = NewPart {
            version,
            family,
            checked: looked.len().try_into().unwrap_or(i64::MAX),
            unregistered: 0,
            findings: Vec::new(),
        };
        for (name, citation, found, default) in looked {
            let elsewhere = found.other_place().zip(default.as_deref());
            let standings = &mut self.standings;
            let brief = standings
                .brief_of_quoted(connection, &citation, elsewhere, found.in_bounds, self.dates)
                .await?;
            match finding(name, &citation, &found, default, brief) {
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

type Looked = (StoredName, Citation, Found, Option<String>);

/// Looks for every quote; the default layer's name goes along.
fn look_for_all(resting: Vec<(StoredName, Citation, Fetched)>) -> Vec<Looked> {
    let each = |(name, citation, fetched): (StoredName, Citation, Fetched)| match &fetched.default {
        None => (name, citation, Found::nothing(fetched.version), None),
        Some(default) => {
            let cited = fetched.layer.as_ref().map(|loaded| &loaded.layer);
            let found = look(&citation, cited, &default.layer, || default.index());
            (name, citation, found, Some(default.layer.sha256().to_owned()))
        }
    };
    resting.into_iter().map(each).collect()
}

/// A finding, unless the citation is intact and what it cites is in force, or unknown to the registry.
fn finding(
    name: StoredName,
    citation: &Citation,
    found: &Found,
    default: Option<String>,
    brief: Brief,
) -> Option<NewFinding> {
    let class = found.class(brief.currency);
    if class == Class::Intact && found.first_failed(brief.currency).is_none() {
        return None;
    }
    let elsewhere = match class {
        Class::Drifted { span, .. } => default.map(|layer| (layer, i64::from(span.start().0), i64::from(span.end().0))),
        _ => None,
    };
    Some(NewFinding {
        citation: name,
        class: class.code(),
        reason: found.resolves.err().map(Failure::code),
        in_bounds: found.in_bounds,
        quote_match: found.quote_match(),
        currency: brief.currency.code(),
        standing: brief.label,
        cited: (citation.char_start, citation.char_end),
        found: elsewhere,
    })
}
