//! Signing: the password again, a meaning, and the record's bytes.
//!
//! The key is made of the password (Argon2id, the half of its output that is never sent anywhere), signs once, and is gone.
//! A record's bytes are written from its row when it is signed and when the signature is checked, so that a row that was altered
//! breaks its signature.
//!
//! Deliberately not here: who may do what (`pincite_core::access`).

use crate::accounts;
use crate::error::AppError;
use crate::settings;
use crate::times;
use crate::wire::{ErrorCode, SignatureRequest, SignatureView};
use crate::workspace::Workspace;
use pincite_core::checkpoint::public_key;
use pincite_core::signature::{Meaning, Statement};
use pincite_core::{hex, sha256};
use pincite_store::decisions::{DecisionRow, PlacedDecision};
use pincite_store::incidents::ResolutionRow;
use pincite_store::second_reviews::SecondReviewRow;
use pincite_store::settings::ThresholdRow;
use pincite_store::signatures::{self, SignatureRow};
use pincite_store::{Connection, Writing, decisions, incidents, reader, records, second_reviews};
use serde_json::{Value, json};

/// The setting that says what needs a signature.
pub(crate) const SETTING: &str = "signatures";

/// What can be set to need one.
pub(crate) const KINDS: [&str; 4] = ["reject", "correct", "threshold", "incident"];

/// Somebody's key, for one signature.
pub(crate) struct Pen {
    account: String,
    meaning: Meaning,
    secret: [u8; 32],
}

/// Said of a signature where nothing else can be.
const NOT_OPEN: &str = "what was signed is not open to you";

/// What is signed, as its row has it.
#[derive(Debug)]
pub(crate) enum Record<'a> {
    Decision(&'a DecisionRow, About<'a>),
    SecondReview(&'a SecondReviewRow, About<'a>),
    Threshold(&'a ThresholdRow),
    Incident(&'a ResolutionRow),
}

/// What a decision is about: where, and what the candidate said.
#[derive(Debug, Clone, Copy)]
pub(crate) struct About<'a> {
    pub(crate) doc_id: &'a str,
    pub(crate) doc_sha256: &'a str,
    pub(crate) field: &'a str,
    /// The SHA-256 of the candidate's record.
    pub(crate) candidate: &'a str,
}

impl Record<'_> {
    fn kind(&self) -> &'static str {
        match self {
            Self::Decision(..) => "decision",
            Self::SecondReview(..) => "second_review",
            Self::Threshold(_) => "threshold",
            Self::Incident(_) => "incident",
        }
    }

    /// A decision has an id; a threshold and a resolution are named by what they are about and when they were made.
    fn subject(&self) -> String {
        match self {
            Self::Decision(row, _) => row.decision_id.clone(),
            Self::SecondReview(row, _) => row.second_id.clone(),
            Self::Threshold(row) => {
                format!("{} {} {} {}", row.field, row.model, row.prompt_version, row.recorded_at)
            }
            Self::Incident(row) => format!("{} {}", row.incident_id, row.recorded_at),
        }
    }

    /// The record's bytes: JSON, its keys in alphabetical order.
    fn bytes(&self) -> Vec<u8> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let record = match self {
            Self::Decision(row, about) => json!({
                "candidate": about.candidate, "doc_id": about.doc_id, "doc_sha256": about.doc_sha256, "field": about.field,
                "replaces": row.replaces, "decision": row.decision_id, "item": row.item_id, "item_version": row.item_version, "kind": row.kind,
                "note": row.note.as_deref().map(text), "reason": row.reason_code, "record_id": row.record_id,
                "reviewer": row.reviewer, "value": row.value.as_deref().map(text)
            }),
            Self::SecondReview(row, about) => json!({
                "candidate": about.candidate, "doc_id": about.doc_id, "doc_sha256": about.doc_sha256, "field": about.field,
                "replaces": row.replaces,
                "item": row.item_id, "kind": row.kind, "note": row.note.as_deref().map(text), "of": row.decision_id, "reason": row.reason_code,
                "record_id": row.record_id, "reviewer": row.reviewer, "second_review": row.second_id,
                "value": row.value.as_deref().map(text)
            }),
            Self::Threshold(row) => json!({
                "curve": hex(&sha256(&row.curve)), "field": row.field, "model": row.model,
                "prompt_version": row.prompt_version, "tau_flag": row.tau_flag, "tau_show": row.tau_show,
                "who": row.who, "why": text(&row.why)
            }),
            Self::Incident(row) => json!({
                "incident": row.incident_id, "resolution": row.resolution, "who": row.who, "why": text(&row.why)
            }),
        };
        record.to_string().into_bytes()
    }
}

/// What needs a signature here.
///
/// # Errors
/// The store.
pub async fn needed(connection: &mut Connection) -> Result<Vec<String>, AppError> {
    settings::signatures_in(connection).await
}

/// Makes the key of somebody who signs, once they have proven who they are; `None` where they don't sign.
pub(crate) async fn pen(
    workspace: &Workspace,
    account: &str,
    request: Option<&SignatureRequest>,
) -> Result<Option<Pen>, AppError> {
    let Some(request) = request else { return Ok(None) };
    let meaning = Meaning::of_name(&request.meaning).ok_or_else(|| {
        AppError::bad_input(format!(
            "a signature means {}, and not {:?}",
            Meaning::ALL.map(Meaning::name).join(", "),
            request.meaning
        ))
    })?;
    let secret = accounts::prove(workspace, account, &request.password).await?;
    Ok(Some(Pen {
        account: account.to_owned(),
        meaning,
        secret,
    }))
}

/// That what needs a signature has one.
pub(crate) async fn check(connection: &mut Connection, what: &str, pen: Option<&Pen>) -> Result<(), AppError> {
    if pen.is_none() && needed(connection).await?.iter().any(|kind| kind == what) {
        return Err(AppError {
            code: ErrorCode::SignatureNeeded,
            message: format!(
                "{what} needs a signature here: say what yours means and give your password again (--sign reviewed, approved \
                 or responsible); nothing was written"
            ),
        });
    }
    Ok(())
}

/// Signs a record that this write has written; answers what the audit entry says of it.
pub(crate) async fn sign(
    workspace: &Workspace,
    write: &mut Writing,
    record: &Record<'_>,
    pen: Option<&Pen>,
) -> Result<Value, AppError> {
    let Some(pen) = pen else { return Ok(Value::Null) };
    let statement = Statement {
        workspace: workspace.id(write.connection()).await?.unwrap_or_default(),
        kind: record.kind().to_owned(),
        subject: record.subject(),
        record: sha256(&record.bytes()),
        account: pen.account.clone(),
        meaning: pen.meaning,
        signed_at: write.now,
    };
    let row = SignatureRow {
        number: 0,
        kind: statement.kind.clone(),
        subject: statement.subject.clone(),
        account: pen.account.clone(),
        meaning: pen.meaning.name().to_owned(),
        record_sha256: statement.record.to_vec(),
        public_key: public_key(&pen.secret).to_vec(),
        signature: statement.sign(&pen.secret).to_vec(),
        recorded_at: statement.signed_at,
    };
    write.keep_signature(&row).await?;
    Ok(json!({ "meaning": row.meaning, "account": row.account, "record_sha256": hex(&row.record_sha256) }))
}

/// Every signature with whether it holds, in the order made. `after` is the number of the last one seen.
///
/// # Errors
/// The store.
pub async fn list(workspace: &Workspace, limit: i64, after: i64) -> Result<Vec<SignatureView>, AppError> {
    let mut reading = workspace.store.read().await?;
    let id = workspace.id(&mut reading).await?.unwrap_or_default();
    let mut views = Vec::new();
    for row in signatures::signatures(&mut reading, after, limit).await? {
        let fault = fault(&mut reading, &id, &row).await?;
        views.push(SignatureView {
            signature: row.number,
            kind: row.kind,
            subject: row.subject,
            account: row.account,
            meaning: row.meaning,
            signed_at: times::text(row.recorded_at),
            record_sha256: hex(&row.record_sha256),
            holds: match fault.as_deref() {
                None => Some(true),
                Some(NOT_OPEN) => None,
                Some(_) => Some(false),
            },
            fault,
        });
    }
    Ok(views)
}

/// What is wrong with a signature; `None` where it holds.
async fn fault(connection: &mut Connection, workspace: &str, row: &SignatureRow) -> Result<Option<String>, AppError> {
    let found = record_sha256(connection, row).await?;
    let (Ok(record), Ok(key), Ok(signature), Some(meaning)) = (
        <[u8; 32]>::try_from(row.record_sha256.as_slice()),
        <[u8; 32]>::try_from(row.public_key.as_slice()),
        <[u8; 64]>::try_from(row.signature.as_slice()),
        Meaning::of_name(&row.meaning),
    ) else {
        return Ok(Some("it can't be read".to_owned()));
    };
    let statement = Statement {
        workspace: workspace.to_owned(),
        kind: row.kind.clone(),
        subject: row.subject.clone(),
        record,
        account: row.account.clone(),
        meaning,
        signed_at: row.recorded_at,
    };
    let fault = if found.is_none() && reader::is_restricted(connection).await? {
        Some(NOT_OPEN)
    } else if found.is_none() {
        Some("what was signed is not here")
    } else if found != Some(record) {
        Some("what was signed is not as it was signed")
    } else if signatures::key_at(connection, &row.account, row.recorded_at)
        .await?
        .as_deref()
        != Some(&key)
    {
        Some("the key was not the account's then")
    } else if !statement.is_signed(&key, &signature) {
        Some("the key did not sign this")
    } else {
        None
    };
    Ok(fault.map(str::to_owned))
}

async fn candidate(connection: &mut Connection, record_id: &str) -> Result<String, AppError> {
    let row = records::record(connection, record_id).await?;
    Ok(row.map(|row| row.body_sha256).unwrap_or_default())
}

fn about<'a>(placed: &'a PlacedDecision, candidate: &'a str) -> About<'a> {
    About {
        doc_id: &placed.doc_id,
        doc_sha256: &placed.doc_sha256,
        field: &placed.field,
        candidate,
    }
}

async fn record_sha256(connection: &mut Connection, row: &SignatureRow) -> Result<Option<[u8; 32]>, AppError> {
    let of = |record: &Record<'_>| sha256(&record.bytes());
    Ok(match row.kind.as_str() {
        "decision" => match decisions::by_id(connection, &row.subject).await? {
            None => None,
            Some(placed) => {
                let candidate = candidate(connection, &placed.decision.record_id).await?;
                Some(of(&Record::Decision(&placed.decision, about(&placed, &candidate))))
            }
        },
        "second_review" => match second_reviews::by_id(connection, &row.subject).await? {
            None => None,
            Some(second) => {
                let candidate = candidate(connection, &second.record_id).await?;
                let first = decisions::by_id(connection, &second.decision_id).await?;
                first.map(|placed| of(&Record::SecondReview(&second, about(&placed, &candidate))))
            }
        },
        "threshold" => pincite_store::settings::thresholds(connection)
            .await?
            .iter()
            .find(|threshold| Record::Threshold(threshold).subject() == row.subject)
            .map(|threshold| of(&Record::Threshold(threshold))),
        _ => incidents::resolutions(connection)
            .await?
            .iter()
            .find(|resolution| Record::Incident(resolution).subject() == row.subject)
            .map(|resolution| of(&Record::Incident(resolution))),
    })
}
