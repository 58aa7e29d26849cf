//! What is known of each candidate: every one labelled by the true value that a person stated for its place.
//!
//! What a place's candidates are worth is a function of that place alone: its records with their routings, its item, the
//! decision that it rests on, the incident that this lies in, and the catalogue. Whether a curve is counted from all places or
//! one place is counted anew, it is the same function.
//!
//! Deliberately not here: adding up (`counts`), the estimates (`pincite-core::calibration`).

use crate::error::AppError;
use crate::routing::record_of;
use pincite_core::calibration::{
    CandidateLabel, Cohort, Counted, CurveCandidate, CurveKey, CurveSubject, feeds_curves,
};
use pincite_core::queue::canonical_json;
use pincite_core::record::{Catalogue, FieldRecord, ReviewReason, Status, equal};
use pincite_store::Connection;
use pincite_store::curve_counts::{self, LabelItem};
use pincite_store::decisions::{self, PlacedDecision};
use pincite_store::incidents;
use pincite_store::records::{self, RecordRow};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// What one extractor says of one place: place, model, prompt version, status, value.
type Saying = (Place, String, String, &'static str, String);

/// Where a field of a version is: document, bytes, field.
pub(crate) type Place = (String, String, String);

/// What a decision says of the true value.
enum Truth {
    /// It is this one.
    Value(Value),
    /// The document does not state one.
    NotStated,
    /// Only that this candidate is wrong.
    Not { value: Value, absent: bool },
}

/// What labels are made of, of some places.
pub(crate) struct Facts {
    records: Vec<RecordRow>,
    items: Vec<LabelItem>,
    standing: Vec<PlacedDecision>,
    /// Decisions in incidents that nobody has kept.
    suspended: HashSet<String>,
}

impl Facts {
    /// Of every place of a field, or of all.
    pub(crate) async fn of_field(connection: &mut Connection, field: Option<&str>) -> Result<Self, AppError> {
        Ok(Self {
            records: records::records_of_field(connection, field).await?,
            items: curve_counts::items_of_field(connection, field).await?,
            standing: decisions::standing(connection, field).await?,
            suspended: incidents::out_of_calibration(connection).await?.into_iter().collect(),
        })
    }

    /// Of the first so many places that have to be counted anew.
    pub(crate) async fn of_uncounted(connection: &mut Connection, places: i64) -> Result<Self, AppError> {
        Ok(Self {
            records: records::records_of_uncounted(connection, places).await?,
            items: curve_counts::items_of_uncounted(connection, places).await?,
            standing: decisions::standing_of_uncounted(connection, places).await?,
            suspended: incidents::out_of_calibration_of_uncounted(connection, places)
                .await?
                .into_iter()
                .collect(),
        })
    }
}

/// Candidates with what is known of them.
pub(crate) struct Labelled {
    pub(crate) candidates: Vec<CurveCandidate>,
    /// The candidate at the same index: its record and, where its item is decided, the decision.
    pub(crate) behind: Vec<(RecordRow, Option<PlacedDecision>)>,
}

impl Labelled {
    /// The candidates as they would be if these decisions counted, or did not.
    pub(crate) fn with_decisions(&self, decisions: &HashSet<&str>, counted: bool) -> Vec<CurveCandidate> {
        let among = |placed: &PlacedDecision| decisions.contains(placed.decision.decision_id.as_str());
        self.candidates
            .iter()
            .zip(&self.behind)
            .map(|(candidate, (_, decision))| CurveCandidate {
                in_incident: if decision.as_ref().is_some_and(among) {
                    !counted
                } else {
                    candidate.in_incident
                },
                ..candidate.clone()
            })
            .collect()
    }

    /// The candidates whose label feeds their curve, each with its record and the decision that labels it.
    pub(crate) fn counted(&self) -> impl Iterator<Item = (&CurveCandidate, &RecordRow, &PlacedDecision)> {
        self.candidates
            .iter()
            .zip(&self.behind)
            .filter(|(candidate, _)| matches!(candidate.counted(), Some(Counted::Decided(_))))
            .filter_map(|(candidate, (record, placed))| Some((candidate, record, placed.as_ref()?)))
    }
}

fn truth(decision: &PlacedDecision, records: &HashMap<&str, &RecordRow>) -> Result<Option<Truth>, AppError> {
    let row = &decision.decision;
    let stated = row
        .value
        .as_deref()
        .and_then(|value| serde_json::from_slice(value).ok());
    Ok(match (row.kind.as_str(), stated) {
        ("accept" | "correct", Some(value)) => Some(Truth::Value(value)),
        ("accept" | "abstain", None) => Some(Truth::NotStated),
        ("reject", _) => match records.get(row.record_id.as_str()) {
            Some(seen) => Some(Truth::Not {
                value: record_of(seen)?.value,
                absent: seen.status == Status::Absent.name(),
            }),
            None => None,
        },
        _ => None,
    })
}

fn same(catalogue: &Catalogue, field: &str, one: &Value, other: &Value) -> bool {
    catalogue
        .get(field)
        .map_or_else(|| one == other, |definition| equal(definition, one, other))
}

fn label(record: &FieldRecord, truth: &Truth, catalogue: &Catalogue) -> CandidateLabel {
    let absent = record.status == Status::Absent;
    let of = |right: bool| {
        if right {
            CandidateLabel::Right
        } else {
            CandidateLabel::Wrong
        }
    };
    match truth {
        Truth::Value(value) => of(!absent && same(catalogue, &record.field, &record.value, value)),
        Truth::NotStated => of(absent),
        Truth::Not {
            value,
            absent: rejected_absent,
        } => {
            let equals = absent == *rejected_absent && (absent || same(catalogue, &record.field, &record.value, value));
            if equals {
                CandidateLabel::Wrong
            } else {
                CandidateLabel::Unknown
            }
        }
    }
}

/// Labels every candidate of a field, or of all.
pub(crate) async fn labelled(connection: &mut Connection, field: Option<&str>) -> Result<Labelled, AppError> {
    let facts = Facts::of_field(connection, field).await?;
    let catalogue = crate::settings::catalogue_in(connection).await?;
    label_all(facts, &catalogue)
}

/// Labels every candidate that the facts are of.
pub(crate) fn label_all(facts: Facts, catalogue: &Catalogue) -> Result<Labelled, AppError> {
    let Facts {
        records: rows,
        items,
        standing,
        suspended,
    } = facts;
    let place = |doc_id: &str, doc_sha256: &str, field: &str| -> Place {
        (doc_id.to_owned(), doc_sha256.to_owned(), field.to_owned())
    };
    let items: HashMap<Place, LabelItem> = items
        .into_iter()
        .map(|item| (place(&item.doc_id, &item.doc_sha256, &item.field), item))
        .collect();
    let standing: HashMap<String, PlacedDecision> = standing
        .into_iter()
        .map(|placed| (placed.decision.item_id.clone(), placed))
        .collect();
    let by_id: HashMap<&str, &RecordRow> = rows.iter().map(|row| (row.record_id.as_str(), row)).collect();
    let mut truths: HashMap<&str, Truth> = HashMap::new();
    for (item_id, placed) in &standing {
        if let Some(truth) = truth(placed, &by_id)? {
            truths.insert(item_id, truth);
        }
    }
    let mut candidates = Vec::new();
    let mut behind = Vec::new();
    let mut said: HashMap<Saying, usize> = HashMap::new();
    for row in &rows {
        let record = record_of(row)?;
        let (Some(of), Some(confidence)) = (CurveSubject::of(record.status), row.confidence) else {
            continue;
        };
        let place = place(&row.doc_id, &row.doc_sha256, &row.field);
        let item = items.get(&place);
        let decision = item.and_then(|item| standing.get(&item.item_id));
        // The candidate that was, or will be, looked at.
        let looked_at = decision.map_or_else(
            || item.map(|item| item.record_id.as_str()),
            |decision| Some(decision.decision.record_id.as_str()),
        );
        let is_looked_at = looked_at == Some(row.record_id.as_str());
        let looked_at = looked_at.and_then(|id| by_id.get(id).copied());
        let label = match (item, item.and_then(|item| truths.get(item.item_id.as_str()))) {
            // Two who read it differ: not known until a third has said (docs/decisions/0016).
            (Some(item), _) if item.is_disputed => CandidateLabel::Pending,
            (_, Some(truth)) => label(&record, truth, catalogue),
            (Some(item), None) if item.state == "open" => CandidateLabel::Pending,
            _ => CandidateLabel::Unknown,
        };
        let candidate = CurveCandidate {
            key: CurveKey {
                field: row.field.clone(),
                model: row.model.clone(),
                prompt_version: row.prompt_version.clone(),
                of,
            },
            cohort: Cohort::of(row.recorded_at),
            confidence,
            reason: own_fault(row).or_else(|| item.and_then(|item| reason(item, looked_at))),
            highest_share: looked_at.and_then(|looked_at| looked_at.highest_share),
            label,
            derived: decision.is_some() && !is_looked_at,
            in_incident: decision.is_some_and(|placed| suspended.contains(&placed.decision.decision_id)),
        };
        // One extractor saying the same again is one saying, as it is one draw, made when it said so first; the one that was
        // looked at stands for it.
        let value = canonical_json(&record.value);
        let saying = (
            place,
            row.model.clone(),
            row.prompt_version.clone(),
            record.status.name(),
            value,
        );
        match said.get(&saying) {
            None => {
                said.insert(saying, candidates.len());
                candidates.push(candidate);
                behind.push((row.clone(), decision.cloned()));
            }
            Some(index) if is_looked_at => {
                candidates[*index] = CurveCandidate {
                    cohort: candidates[*index].cohort,
                    ..candidate
                };
                behind[*index] = (row.clone(), decision.cloned());
            }
            Some(_) => {}
        }
    }
    Ok(Labelled { candidates, behind })
}

/// The fault of its own for which a candidate is reviewed whatever its confidence: its label says nothing about that
/// confidence, also where another candidate opened the item.
fn own_fault(row: &RecordRow) -> Option<ReviewReason> {
    let reason = serde_json::from_value(Value::String(row.reason.clone()?)).ok()?;
    (!feeds_curves(reason)).then_some(reason)
}

/// Why an item is or was reviewed. One that was drawn first and fell below a raised threshold later would have been
/// reviewed anyway: its inclusion is certain.
fn reason(item: &LabelItem, looked_at: Option<&RecordRow>) -> Option<ReviewReason> {
    let reason = serde_json::from_value(Value::String(item.reason.clone())).ok()?;
    match reason {
        ReviewReason::SampleAudit if looked_at.is_some_and(|record| record.ever_low_confidence) => {
            Some(ReviewReason::LowConfidence)
        }
        other => Some(other),
    }
}
