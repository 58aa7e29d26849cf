//! Sweeps: which versions of documents one is done with, and what it found there.
//!
//! Append-only. What a sweep counts is counted from its parts and findings by whoever asks, so that both say the same.
//!
//! Deliberately not here: what a citation's class is (`pincite_core::sweep`), and alarms (`alarms`).

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::sql;
use pincite_core::citation::Citation;
use sqlx::FromRow;

/// Findings written by one statement. A parameter is looked up by its name, so a statement of many costs their square.
const BATCH: usize = 16;

/// A sweep, with its end where it has one.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct SweepRow {
    /// Order of beginning.
    pub number: i64,
    /// Its id.
    pub sweep_id: String,
    /// `baseline` or `after_reindex`.
    pub kind: String,
    /// The day on which the registry was asked, `yyyy-mm-dd`.
    pub valid_at: String,
    /// Who runs it.
    pub who: String,
    /// When it began, milliseconds since 1970 UTC.
    pub recorded_at: i64,
    /// How long its last go took, in milliseconds; `None` of one that has not ended.
    pub milliseconds: Option<i64>,
    /// Sentences of answers that claim something; `None` of one that has not ended.
    pub claims: Option<i64>,
    /// Of these, those without a citation.
    pub uncited: Option<i64>,
}

/// A version of a document that something cites.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, FromRow)]
pub struct CitedVersionRow {
    /// The document.
    pub doc_id: String,
    /// The bytes.
    pub doc_sha256: String,
}

/// A part to keep: a version that the sweep is done with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPart {
    /// The version.
    pub version: CitedVersionRow,
    /// Its family.
    pub family: String,
    /// How many citations it has.
    pub checked: i64,
    /// How many of those without a finding the registry knows nothing of.
    pub unregistered: i64,
    /// What is not simply intact.
    pub findings: Vec<NewFinding>,
}

/// What a sweep says of a citation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFinding {
    /// Whose it is.
    pub citation: StoredName,
    /// Its class.
    pub class: &'static str,
    /// Why it does not resolve.
    pub reason: Option<&'static str>,
    /// Whether it lies in its layer.
    pub in_bounds: Option<bool>,
    /// Whether the quote stands there.
    pub quote_match: Option<bool>,
    /// What the registry says, as far as a sweep cares.
    pub currency: &'static str,
    /// What it says in full.
    pub standing: &'static str,
    /// The cited offsets.
    pub cited: (Option<i64>, Option<i64>),
    /// The layer in which it stands elsewhere, and where.
    pub found: Option<(String, i64, i64)>,
}

/// A finding as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct FindingRow {
    /// Order of writing.
    pub number: i64,
    /// The document.
    pub doc_id: String,
    /// The bytes.
    pub doc_sha256: String,
    /// The citation, by its name.
    pub citation: String,
    /// Its class.
    pub class: String,
    /// Why it does not resolve.
    pub reason: Option<String>,
    /// What the registry says of it.
    pub standing: String,
    /// The cited offsets.
    pub cited_start: Option<i64>,
    /// The code point after the last cited one.
    pub cited_end: Option<i64>,
    /// Where the quote stands instead.
    pub found_start: Option<i64>,
    /// The code point after its last one.
    pub found_end: Option<i64>,
}

/// How many findings of a family are alike; or, without a class, what the parts of the family add up to.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct CountRow {
    /// The family.
    pub family: String,
    /// Their class; `None` of the parts.
    pub class: Option<String>,
    /// Whether they resolve.
    pub resolves: bool,
    /// Whether they lie in their layer.
    pub in_bounds: Option<bool>,
    /// Whether the quote stands there.
    pub quote_match: Option<bool>,
    /// What the registry says.
    pub currency: Option<String>,
    /// Whether whoever asks may see them: findings of a closed answer are counted, so that they can be left out of the parts.
    pub seen: bool,
    /// So many findings; of the parts, citations.
    pub count: i64,
    /// Of the parts: intact citations of which the registry knows nothing.
    pub unregistered: i64,
    /// Of the parts: versions of documents.
    pub versions: i64,
}

/// Whose a citation is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredName {
    /// A record's, by its own id.
    OfRecord(String),
    /// An answer's: the answer, the claim and the place in it, from 1.
    OfAnswer(String, i64, i64),
}

impl StoredName {
    /// As it is printed and kept: an id, or `ANSWER#CLAIM.PLACE`.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::OfRecord(id) => id.clone(),
            Self::OfAnswer(answer, claim, ordinal) => format!("{answer}#{claim}.{ordinal}"),
        }
    }

    fn answer(&self) -> Option<&str> {
        match self {
            Self::OfRecord(_) => None,
            Self::OfAnswer(answer, ..) => Some(answer),
        }
    }
}

#[derive(FromRow)]
struct RecordCitationRow {
    citation_id: String,
    layer_sha256: Option<String>,
    structure_id: Option<String>,
    locator: Option<Vec<u8>>,
    page: Option<i64>,
    char_start: Option<i64>,
    char_end: Option<i64>,
    quote: Vec<u8>,
    prefix: Option<Vec<u8>>,
    suffix: Option<Vec<u8>>,
}

#[derive(FromRow)]
struct AnswerCitationRow {
    answer_id: String,
    claim: i64,
    ordinal: i64,
    citation: Vec<u8>,
}

/// Every version that a record or an answer cites, in order.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn cited_versions(connection: &mut Connection) -> Result<Vec<CitedVersionRow>, StoreError> {
    let text = "SELECT doc_id, doc_sha256 FROM citations UNION SELECT doc_id, doc_sha256 FROM answer_citations \
                ORDER BY doc_id, doc_sha256";
    Ok(sql::query_as(text).fetch_all(connection).await?)
}

/// Every citation of a version: the records', then the answers'.
///
/// # Errors
/// [`StoreError::Database`]; [`StoreError::Damaged`] where one can't be read back.
pub async fn citations_of_version(
    connection: &mut Connection,
    version: &CitedVersionRow,
) -> Result<Vec<(StoredName, Citation)>, StoreError> {
    let text = "SELECT citation_id, layer_sha256, structure_id, locator, page, char_start, char_end, quote, prefix, suffix \
                FROM citations WHERE doc_sha256 = $1 AND doc_id = $2 ORDER BY number";
    let of_records: Vec<RecordCitationRow> = sql::query_as(text)
        .bind(&version.doc_sha256)
        .bind(&version.doc_id)
        .fetch_all(connection)
        .await?;
    let string = |bytes: Vec<u8>| String::from_utf8(bytes).map_err(|error| StoreError::Damaged(error.to_string()));
    let mut found = Vec::with_capacity(of_records.len());
    for row in of_records {
        let citation = Citation {
            id: Some(row.citation_id.clone()),
            doc_id: version.doc_id.clone(),
            doc_sha256: version.doc_sha256.clone(),
            layer_sha256: row.layer_sha256,
            structure_id: row.structure_id,
            locator: row.locator.map(string).transpose()?,
            page: row.page,
            char_start: row.char_start,
            char_end: row.char_end,
            quote: string(row.quote)?,
            prefix: row.prefix.map(string).transpose()?,
            suffix: row.suffix.map(string).transpose()?,
        };
        found.push((StoredName::OfRecord(row.citation_id), citation));
    }
    let text = "SELECT answer_id, claim, ordinal, citation FROM answer_citations \
                WHERE doc_sha256 = $1 AND doc_id = $2 ORDER BY answer_id, claim, ordinal";
    let of_answers: Vec<AnswerCitationRow> = sql::query_as(text)
        .bind(&version.doc_sha256)
        .bind(&version.doc_id)
        .fetch_all(connection)
        .await?;
    for row in of_answers {
        let citation = serde_json::from_slice(&row.citation)
            .map_err(|error| StoreError::Damaged(format!("answer {}: a citation: {error}", row.answer_id)))?;
        found.push((StoredName::OfAnswer(row.answer_id, row.claim, row.ordinal), citation));
    }
    Ok(found)
}

const SWEEP: &str = "SELECT s.number, s.sweep_id, s.kind, s.valid_at, s.who, s.recorded_at, e.milliseconds, e.claims, e.uncited \
     FROM sweeps s LEFT JOIN sweep_ends e ON e.sweep_id = s.sweep_id ";

/// One sweep by its id.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn sweep(connection: &mut Connection, sweep_id: &str) -> Result<Option<SweepRow>, StoreError> {
    let text = format!("{SWEEP} WHERE s.sweep_id = $1");
    Ok(sql::query_as(text).bind(sweep_id).fetch_optional(connection).await?)
}

/// Sweeps before a number, the newest first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn sweeps(connection: &mut Connection, before: i64, limit: i64) -> Result<Vec<SweepRow>, StoreError> {
    let text = format!("{SWEEP} WHERE s.number < $1 ORDER BY s.number DESC LIMIT $2");
    Ok(sql::query_as(text)
        .bind(before)
        .bind(limit)
        .fetch_all(connection)
        .await?)
}

/// The last sweep of a kind that somebody began and that has no end, where it is their last one of that kind.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn unfinished(connection: &mut Connection, kind: &str, who: &str) -> Result<Option<SweepRow>, StoreError> {
    let text = format!(
        "{SWEEP} WHERE e.sweep_id IS NULL AND s.number = \
         (SELECT max(l.number) FROM sweeps l WHERE l.kind = $1 AND l.who = $2)"
    );
    Ok(sql::query_as(text)
        .bind(kind)
        .bind(who)
        .fetch_optional(connection)
        .await?)
}

/// Whether any bytes got another default layer since a moment, milliseconds since 1970 UTC.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn is_reread_since(connection: &mut Connection, since: i64) -> Result<bool, StoreError> {
    let text = "SELECT EXISTS (SELECT 1 FROM default_extractions WHERE recorded_at > $1)";
    Ok(sql::query_scalar(text).bind(since).fetch_one(connection).await?)
}

/// The versions that a sweep is done with.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn versions_done(connection: &mut Connection, sweep_id: &str) -> Result<Vec<CitedVersionRow>, StoreError> {
    let text = "SELECT doc_id, doc_sha256 FROM sweep_parts WHERE sweep_id = $1 ORDER BY doc_id, doc_sha256";
    Ok(sql::query_as(text).bind(sweep_id).fetch_all(connection).await?)
}

/// Findings of an answer that is closed to whoever asks are left out with it.
const OPEN: &str = "(f.answer_id IS NULL OR EXISTS (SELECT 1 FROM answers a WHERE a.answer_id = f.answer_id))";

/// What the parts of a sweep add up to, and how many findings are alike, by family: one statement, so that both are of one state while
/// the sweep goes on.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn counts(connection: &mut Connection, sweep_id: &str) -> Result<Vec<CountRow>, StoreError> {
    let text = format!(
        "SELECT family, NULL AS class, TRUE AS resolves, NULL AS in_bounds, NULL AS quote_match, NULL AS currency, TRUE AS seen, \
         CAST(sum(checked) AS BIGINT) AS count, CAST(sum(unregistered) AS BIGINT) AS unregistered, count(*) AS versions \
         FROM sweep_parts WHERE sweep_id = $1 GROUP BY family \
         UNION ALL SELECT t.family, t.class, t.resolves, t.in_bounds, t.quote_match, t.currency, t.seen, count(*), 0, 0 FROM \
         (SELECT p.family, f.class, f.reason IS NULL AS resolves, f.in_bounds, f.quote_match, f.currency, {OPEN} AS seen \
          FROM sweep_findings f JOIN sweep_parts p \
          ON p.sweep_id = f.sweep_id AND p.doc_id = f.doc_id AND p.doc_sha256 = f.doc_sha256 WHERE f.sweep_id = $1) t \
         GROUP BY t.family, t.class, t.resolves, t.in_bounds, t.quote_match, t.currency, t.seen"
    );
    Ok(sql::query_as(text).bind(sweep_id).fetch_all(connection).await?)
}

/// How far what drifted moved, in code points, and how many moved so far.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn shifts(connection: &mut Connection, sweep_id: &str) -> Result<Vec<(i64, i64)>, StoreError> {
    let text = format!(
        "SELECT f.found_start - f.cited_start AS shift, count(*) AS count FROM sweep_findings f \
         WHERE f.sweep_id = $1 AND f.class = 'drifted' AND {OPEN} GROUP BY f.found_start - f.cited_start ORDER BY 1"
    );
    Ok(sql::query_as(text).bind(sweep_id).fetch_all(connection).await?)
}

/// Findings of a sweep after a number, of these classes or of all where none is named, in the order of writing.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn findings(
    connection: &mut Connection,
    sweep_id: &str,
    classes: &[&str],
    after: i64,
    limit: i64,
) -> Result<Vec<FindingRow>, StoreError> {
    let of_class = if classes.is_empty() {
        String::new()
    } else {
        let parameters: Vec<String> = (4..).take(classes.len()).map(|number| format!("${number}")).collect();
        format!("AND f.class IN ({})", parameters.join(", "))
    };
    let text = format!(
        "SELECT f.number, f.doc_id, f.doc_sha256, f.citation, f.class, f.reason, f.standing, f.cited_start, f.cited_end, \
         f.found_start, f.found_end FROM sweep_findings f \
         WHERE f.sweep_id = $1 AND f.number > $2 {of_class} AND {OPEN} ORDER BY f.number LIMIT $3"
    );
    let mut statement = sql::query_as(text).bind(sweep_id).bind(after).bind(limit);
    for class in classes {
        statement = statement.bind(*class);
    }
    Ok(statement.fetch_all(connection).await?)
}

impl Writing {
    /// Begins a sweep.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_sweep(&mut self, sweep_id: &str, kind: &str, valid_at: &str, who: &str) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO sweeps (sweep_id, kind, valid_at, who, recorded_at) VALUES ($1, $2, $3, $4, $5)")
            .bind(sweep_id)
            .bind(kind)
            .bind(valid_at)
            .bind(who)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// Keeps that a sweep is done with a version, and what it found there; nothing where it was done with that version before, and
    /// then the answer is `false`.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_sweep_part(&mut self, sweep_id: &str, part: &NewPart) -> Result<bool, StoreError> {
        let now = self.now;
        let kept = sql::query(
            "INSERT INTO sweep_parts (sweep_id, doc_id, doc_sha256, family, checked, unregistered, recorded_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (sweep_id, doc_id, doc_sha256) DO NOTHING",
        )
        .bind(sweep_id)
        .bind(&part.version.doc_id)
        .bind(&part.version.doc_sha256)
        .bind(&part.family)
        .bind(part.checked)
        .bind(part.unregistered)
        .bind(now)
        .execute(self.connection())
        .await?;
        if kept == 0 {
            return Ok(false);
        }
        for batch in part.findings.chunks(BATCH) {
            let mut statement = sql::query(format!(
                "INSERT INTO sweep_findings (sweep_id, doc_id, doc_sha256, citation, answer_id, class, reason, in_bounds, \
                 quote_match, currency, standing, cited_start, cited_end, found_layer, found_start, found_end) VALUES {}",
                sql::rows_of(batch.len(), 16)
            ));
            for finding in batch {
                let (found_layer, found_start, found_end) = match &finding.found {
                    None => (None, None, None),
                    Some((layer, start, end)) => (Some(layer.as_str()), Some(*start), Some(*end)),
                };
                statement = statement
                    .bind(sweep_id)
                    .bind(&part.version.doc_id)
                    .bind(&part.version.doc_sha256)
                    .bind(finding.citation.text())
                    .bind(finding.citation.answer())
                    .bind(finding.class)
                    .bind(finding.reason)
                    .bind(finding.in_bounds)
                    .bind(finding.quote_match)
                    .bind(finding.currency)
                    .bind(finding.standing)
                    .bind(finding.cited.0)
                    .bind(finding.cited.1)
                    .bind(found_layer)
                    .bind(found_start)
                    .bind(found_end);
            }
            statement.execute(self.connection()).await?;
        }
        Ok(true)
    }

    /// Ends a sweep: how long its last go took, and the claims of answers with those that cite nothing. Nothing where it has an end, and then
    /// the answer is `false`.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn end_sweep(
        &mut self,
        sweep_id: &str,
        milliseconds: i64,
        (claims, uncited): (i64, i64),
    ) -> Result<bool, StoreError> {
        let now = self.now;
        let kept = sql::query(
            "INSERT INTO sweep_ends (sweep_id, milliseconds, claims, uncited, recorded_at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (sweep_id) DO NOTHING",
        )
        .bind(sweep_id)
        .bind(milliseconds)
        .bind(claims)
        .bind(uncited)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(kept > 0)
    }
}
