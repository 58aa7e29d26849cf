//! What candidates add up to, kept: a sum for each curve and week, one for each curve's closed weeks, changed by differences.
//!
//! The database notes each place about which anything changed. [`settle`] looks at those places again and changes the sums by
//! what each adds now and added before. Whoever decides settles before committing, so that the sums are true with each
//! decision; an import counts when its last line is kept; and what nobody counted, the next one who reads does. Sums are whole
//! numbers, so they are those of a recount, bit for bit.
//!
//! Deliberately not here: what a candidate is worth (`labels`), adding (`pincite-core::calibration::cohorts`).

use super::labels::{Facts, Place, label_all};
use crate::error::AppError;
use crate::workspace::Workspace;
use pincite_core::calibration::{Closed, Cohort, Counted, Counting, Counts, CurveKey, CurveLabels, CurveSubject};
use pincite_core::record::Catalogue;
use pincite_store::curve_counts::{self, CurveName, PlaceCount};
use pincite_store::{Connection, Reading, Writing, reader};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// How many places are looked at together: a sum is written once for all of them, and nobody else writes for so long.
const PLACES: i64 = 1_000;

/// What one candidate adds, and to which sum of its field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Placed {
    model: String,
    prompt_version: String,
    of: CurveSubject,
    cohort: Cohort,
    counting: Counting,
}

/// What a place adds.
#[derive(Debug, Default)]
struct Found {
    decided_at: Option<i64>,
    wall_ms: Option<i64>,
    placed: Vec<Placed>,
}

/// What leaves a sum and what comes to it.
#[derive(Debug, Default)]
struct Change {
    less: Counts,
    more: Counts,
}

fn encoded(value: &impl Serialize) -> Result<Vec<u8>, AppError> {
    postcard::to_stdvec(value).map_err(|error| AppError::internal(format!("a sum can't be written: {error}")))
}

fn decoded<Value: DeserializeOwned>(bytes: &[u8]) -> Result<Value, AppError> {
    postcard::from_bytes(bytes).map_err(|error| {
        AppError::internal(format!(
            "the workspace is damaged: a sum of a curve can't be read: {error}"
        ))
    })
}

/// Counts every place anew about which something changed.
pub(crate) async fn settle(write: &mut Writing, catalogue: &Catalogue) -> Result<(), AppError> {
    while count_some(write, catalogue).await? {}
    Ok(())
}

/// A connection for reading, after everything is counted: the places of a workspace that an older Pincite wrote, too.
pub(crate) async fn settled(workspace: &Workspace) -> Result<Reading, AppError> {
    let mut reading = workspace.store.read().await?;
    if !curve_counts::any_uncounted(&mut reading).await? {
        return Ok(reading);
    }
    drop(reading);
    count_all(workspace).await?;
    Ok(workspace.store.read().await?)
}

/// Counts every place that is to be counted, in steps, so that nobody who writes waits for all of them.
pub(crate) async fn count_all(workspace: &Workspace) -> Result<(), AppError> {
    loop {
        let mut write = workspace.store.write().await?;
        let catalogue = crate::settings::catalogue_in(write.connection()).await?;
        let more = count_some(&mut write, &catalogue).await?;
        write.commit().await?;
        if !more {
            return Ok(());
        }
    }
}

/// Counts the first places; answers whether there were any.
async fn count_some(write: &mut Writing, catalogue: &Catalogue) -> Result<bool, AppError> {
    let places = curve_counts::uncounted(write.connection(), PLACES).await?;
    if places.is_empty() {
        return Ok(false);
    }
    let facts = Facts::of_uncounted(write.connection(), PLACES).await?;
    let mut found = found(facts, catalogue)?;
    let mut kept = Vec::with_capacity(places.len());
    let mut changes: BTreeMap<(CurveName, Cohort), Change> = BTreeMap::new();
    for place in &places {
        let now = found
            .remove(&(place.doc_id.clone(), place.doc_sha256.clone(), place.field.clone()))
            .unwrap_or_default();
        let countings = encoded(&now.placed)?;
        if place.countings.as_deref() != Some(&countings) {
            let before: Vec<Placed> = place.countings.as_deref().map_or_else(|| Ok(Vec::new()), decoded)?;
            for one in before {
                let change = changes.entry(sum_of(&place.field, &one)).or_default();
                change.less.add(&one.counting);
            }
            for one in now.placed {
                let change = changes.entry(sum_of(&place.field, &one)).or_default();
                change.more.add(&one.counting);
            }
        }
        kept.push(PlaceCount {
            field: place.field.clone(),
            doc_id: place.doc_id.clone(),
            doc_sha256: place.doc_sha256.clone(),
            decided_at: now.decided_at,
            wall_ms: now.wall_ms,
            countings,
        });
    }
    let mut by_curve: BTreeMap<CurveName, Vec<(Cohort, Change)>> = BTreeMap::new();
    for ((curve, cohort), change) in changes {
        by_curve.entry(curve).or_default().push((cohort, change));
    }
    for (curve, changes) in &by_curve {
        if !change_sums(write, curve, changes).await? {
            // Somebody else wrote into the database. Nothing here is a source, so it is made anew, by whoever sees all of it.
            if reader::is_restricted(write.connection()).await? {
                tracing::warn!("the sums of curves are not those of their places; they wait to be counted anew");
                return Ok(false);
            }
            tracing::warn!("the sums of curves were not those of their places; they are counted anew");
            write.forget_counts().await?;
            return Ok(true);
        }
    }
    write.keep_place_counts(&kept).await?;
    write.counted(PLACES).await?;
    Ok(true)
}

fn sum_of(field: &str, placed: &Placed) -> (CurveName, Cohort) {
    let curve = CurveName {
        field: field.to_owned(),
        model: placed.model.clone(),
        prompt_version: placed.prompt_version.clone(),
        subject: placed.of.name().to_owned(),
    };
    (curve, placed.cohort)
}

fn found(facts: Facts, catalogue: &Catalogue) -> Result<HashMap<Place, Found>, AppError> {
    let labelled = label_all(facts, catalogue)?;
    let mut found: HashMap<Place, Found> = HashMap::new();
    for (candidate, (record, decision)) in labelled.candidates.iter().zip(&labelled.behind) {
        let place = (record.doc_id.clone(), record.doc_sha256.clone(), record.field.clone());
        let found = found.entry(place).or_default();
        if let Some(placed) = decision {
            found.decided_at = Some(placed.decision.recorded_at);
            found.wall_ms = placed.decision.wall_ms;
        }
        found.placed.push(Placed {
            model: candidate.key.model.clone(),
            prompt_version: candidate.key.prompt_version.clone(),
            of: candidate.key.of,
            cohort: candidate.cohort,
            counting: candidate.counting(),
        });
    }
    Ok(found)
}

/// Changes a curve's sums. Answers false where they are not what the places made them.
async fn change_sums(write: &mut Writing, curve: &CurveName, changes: &[(Cohort, Change)]) -> Result<bool, AppError> {
    let mut closed: Option<Closed> = None;
    for (cohort, change) in changes {
        let kept = curve_counts::cohort_sum(write.connection(), curve, cohort.0).await?;
        let old: Counts = kept.as_deref().map_or_else(|| Ok(Counts::default()), decoded)?;
        let mut new = old.clone();
        if new.remove_all(&change.less).is_none() {
            return Ok(false);
        }
        new.add_all(&change.more);
        if closed.is_none() && (old.is_closed() && kept.is_some() || new.is_closed()) {
            let kept = curve_counts::closed_sum(write.connection(), curve).await?;
            closed = Some(kept.as_deref().map_or_else(|| Ok(Closed::default()), decoded)?);
        }
        if let Some(closed) = &mut closed {
            if closed.take(&old).is_none() {
                return Ok(false);
            }
            closed.put(&new);
        }
        write
            .keep_cohort_sum(curve, cohort.0, !new.is_closed(), &encoded(&new)?)
            .await?;
    }
    if let Some(closed) = closed {
        let kept = if closed == Closed::default() {
            None
        } else {
            Some(encoded(&closed)?)
        };
        write.keep_closed_sum(curve, kept.as_deref()).await?;
    }
    Ok(true)
}

/// What every curve, or those of a field, is measured from. Everything must be counted.
pub(crate) async fn labels(
    connection: &mut Connection,
    field: Option<&str>,
) -> Result<BTreeMap<CurveKey, CurveLabels>, AppError> {
    if reader::is_restricted(connection).await? {
        return labels_of_places(connection, field).await;
    }
    let mut curves: BTreeMap<CurveKey, CurveLabels> = BTreeMap::new();
    for row in curve_counts::sums(connection, field).await? {
        let key = super::curve_key(
            &row.curve.field,
            &row.curve.model,
            &row.curve.prompt_version,
            &row.curve.subject,
        )?;
        let labels = curves.entry(key).or_default();
        match row.cohort {
            None => labels.closed = decoded(&row.counts)?,
            Some(cohort) => labels.add_cohort(Cohort(cohort), &decoded(&row.counts)?),
        }
    }
    Ok(curves)
}

/// The same, added up place by place: for whoever may not read every document, whose curves are those of the ones they may.
async fn labels_of_places(
    connection: &mut Connection,
    field: Option<&str>,
) -> Result<BTreeMap<CurveKey, CurveLabels>, AppError> {
    let mut sums: BTreeMap<(CurveName, Cohort), Counts> = BTreeMap::new();
    for (field, countings) in curve_counts::countings(connection, field).await? {
        let placed: Vec<Placed> = decoded(&countings)?;
        for one in placed {
            sums.entry(sum_of(&field, &one)).or_default().add(&one.counting);
        }
    }
    let mut curves: BTreeMap<CurveKey, CurveLabels> = BTreeMap::new();
    for ((curve, cohort), counts) in sums {
        let key = super::curve_key(&curve.field, &curve.model, &curve.prompt_version, &curve.subject)?;
        curves.entry(key).or_default().add_cohort(cohort, &counts);
    }
    Ok(curves)
}

/// When the labels of a curve at or above a confidence were decided, those since a time.
pub(crate) async fn decided_since(
    connection: &mut Connection,
    key: &CurveKey,
    from: f64,
    since: i64,
) -> Result<Vec<i64>, AppError> {
    let mut times = Vec::new();
    for (decided_at, countings) in curve_counts::decided_since(connection, &key.field, since).await? {
        let placed: Vec<Placed> = decoded(&countings)?;
        let of_curve = placed.iter().filter(|one| {
            one.model == key.model
                && one.prompt_version == key.prompt_version
                && one.of == key.of
                && matches!(one.counting.counted, Some(Counted::Decided(label)) if label.confidence >= from)
        });
        times.extend(of_curve.map(|_| decided_at));
    }
    Ok(times)
}
