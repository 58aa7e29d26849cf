//! Candidates with their citations and checks, and the routing log.
//!
//! Deliberately not here: routing. What becomes of a record is decided by `pincite-core` and handed in.

use crate::StoreError;
use crate::curve_counts::{in_uncounted, of_field};
use crate::database::{Connection, Writing};
use crate::sql;
use pincite_core::citation::Citation;
use sqlx::FromRow;

/// A candidate as it is kept, with the last thing the routing log says of it.
#[derive(Debug, Clone, PartialEq, FromRow)]
pub struct RecordRow {
    /// Order of arrival.
    pub number: i64,
    /// Its id.
    pub record_id: String,
    /// Hash of its meaning.
    pub body_sha256: String,
    /// The logical document.
    pub doc_id: String,
    /// The bytes it speaks of.
    pub doc_sha256: String,
    /// The field.
    pub field: String,
    /// present, absent or conflicting.
    pub status: String,
    /// The extractor's model.
    pub model: String,
    /// Its prompt version.
    pub prompt_version: String,
    /// The reported confidence, where it is a number.
    pub confidence: Option<f64>,
    /// Whether it breaks the schema.
    pub violated: bool,
    /// The record as JSON, as it was read.
    pub body: Vec<u8>,
    /// When it was recorded here, milliseconds since 1970 UTC.
    pub recorded_at: i64,
    /// The outcome of its last routing.
    pub outcome: String,
    /// The reason of its last routing, where it was queued.
    pub reason: Option<String>,
    /// What it would be without the draw.
    pub stratum: Option<String>,
    /// Its draw.
    pub draw: Option<f64>,
    /// The highest share that was ever applied to it.
    pub highest_share: Option<f64>,
    /// Whether it was ever queued for low confidence.
    pub ever_low_confidence: bool,
}

/// A candidate to keep.
#[derive(Debug, Clone, Copy)]
pub struct NewRecord<'a> {
    /// Its id.
    pub record_id: &'a str,
    /// Hash of its meaning.
    pub body_sha256: &'a str,
    /// The logical document.
    pub doc_id: &'a str,
    /// The bytes it speaks of.
    pub doc_sha256: &'a str,
    /// The field.
    pub field: &'a str,
    /// present, absent or conflicting.
    pub status: &'a str,
    /// The extractor's model.
    pub model: &'a str,
    /// Its prompt version.
    pub prompt_version: &'a str,
    /// The reported confidence, where it is a number.
    pub confidence: Option<f64>,
    /// Whether it breaks the schema.
    pub violated: bool,
    /// The record as JSON.
    pub body: &'a [u8],
}

/// A line of the routing log.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Routing<'a> {
    /// shown, flagged, queued or abstained.
    pub outcome: &'a str,
    /// Why it was queued.
    pub reason: Option<&'a str>,
    /// What it would be without the draw.
    pub stratum: Option<&'a str>,
    /// The share in force.
    pub share: Option<f64>,
    /// The draw it was held against.
    pub draw: Option<f64>,
}

/// A citation as it is kept, with the last check.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct CitationRow {
    /// Order of arrival.
    pub number: i64,
    /// Its id.
    pub citation_id: String,
    /// The record it belongs to.
    pub record_id: Option<String>,
    /// Place within the record, from 0.
    pub ordinal: i64,
    /// The logical document.
    pub doc_id: String,
    /// The bytes cited.
    pub doc_sha256: String,
    /// The layer its offsets count in.
    pub layer_sha256: Option<String>,
    /// The structure its locator is of.
    pub structure_id: Option<String>,
    /// Its locator, UTF-8.
    pub locator: Option<Vec<u8>>,
    /// Its page, from 1.
    pub page: Option<i64>,
    /// First code point.
    pub char_start: Option<i64>,
    /// The code point after the last.
    pub char_end: Option<i64>,
    /// The quote, UTF-8.
    pub quote: Vec<u8>,
    /// Text before, UTF-8.
    pub prefix: Option<Vec<u8>>,
    /// Text after, UTF-8.
    pub suffix: Option<Vec<u8>>,
    /// Whether Pincite filled the offsets in.
    pub placed: bool,
    /// verified or failed; `None` for unchecked.
    pub state: Option<String>,
    /// Why it failed.
    pub reason: Option<String>,
}

impl CitationRow {
    /// The citation as it travels.
    #[must_use]
    pub fn citation(&self) -> Citation {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Citation {
            id: Some(self.citation_id.clone()),
            doc_id: self.doc_id.clone(),
            doc_sha256: self.doc_sha256.clone(),
            layer_sha256: self.layer_sha256.clone(),
            structure_id: self.structure_id.clone(),
            locator: self.locator.as_deref().map(text),
            page: self.page,
            char_start: self.char_start,
            char_end: self.char_end,
            quote: text(&self.quote),
            prefix: self.prefix.as_deref().map(text),
            suffix: self.suffix.as_deref().map(text),
        }
    }
}

const RECORD_COLUMNS: &str = "SELECT r.number, r.record_id, r.body_sha256, r.doc_id, r.doc_sha256, r.field, r.status, r.model, r.prompt_version, \
     r.confidence, r.violated, r.body, r.recorded_at, g.outcome, g.reason, g.stratum, g.draw, \
     (SELECT max(s.share) FROM routing_log s WHERE s.record_id = r.record_id) AS highest_share, \
     EXISTS (SELECT 1 FROM routing_log s WHERE s.record_id = r.record_id AND s.reason = 'low_confidence') AS ever_low_confidence \
     FROM records r JOIN routing_log g ON g.number = \
       (SELECT max(n.number) FROM routing_log n WHERE n.record_id = r.record_id) ";

const CITATION_COLUMNS: &str = "SELECT c.number, c.citation_id, c.record_id, c.ordinal, c.doc_id, c.doc_sha256, c.layer_sha256, c.structure_id, \
     c.locator, c.page, c.char_start, c.char_end, c.quote, c.prefix, c.suffix, c.placed, k.state, k.reason \
     FROM citations c LEFT JOIN citation_checks k ON k.number = \
       (SELECT max(n.number) FROM citation_checks n WHERE n.citation_id = c.citation_id) ";

impl Writing {
    /// Keeps a candidate and its first routing.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_record(&mut self, new: &NewRecord<'_>, routing: &Routing<'_>) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO records (record_id, body_sha256, doc_id, doc_sha256, field, status, model, prompt_version, confidence, violated, body, recorded_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        )
        .bind(new.record_id)
        .bind(new.body_sha256)
        .bind(new.doc_id)
        .bind(new.doc_sha256)
        .bind(new.field)
        .bind(new.status)
        .bind(new.model)
        .bind(new.prompt_version)
        .bind(new.confidence)
        .bind(new.violated)
        .bind(new.body)
        .bind(now)
        .execute(self.connection())
        .await?;
        self.add_routing(new.record_id, routing).await
    }

    /// Appends to the routing log.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_routing(&mut self, record_id: &str, routing: &Routing<'_>) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO routing_log (record_id, outcome, reason, stratum, share, draw, recorded_at) VALUES ($1, $2, $3, $4, $5, $6, $7)")
            .bind(record_id)
            .bind(routing.outcome)
            .bind(routing.reason)
            .bind(routing.stratum)
            .bind(routing.share)
            .bind(routing.draw)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// Keeps a citation of a record, with what its check said.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_citation(
        &mut self,
        citation_id: &str,
        record_id: Option<&str>,
        ordinal: i64,
        citation: &Citation,
        placed: bool,
        check: (&str, Option<&str>),
    ) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO citations (citation_id, record_id, ordinal, doc_id, doc_sha256, layer_sha256, structure_id, locator, page, \
             char_start, char_end, quote, prefix, suffix, placed, recorded_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
        )
        .bind(citation_id)
        .bind(record_id)
        .bind(ordinal)
        .bind(&citation.doc_id)
        .bind(&citation.doc_sha256)
        .bind(&citation.layer_sha256)
        .bind(&citation.structure_id)
        .bind(citation.locator.as_deref().map(str::as_bytes))
        .bind(citation.page)
        .bind(citation.char_start)
        .bind(citation.char_end)
        .bind(citation.quote.as_bytes())
        .bind(citation.prefix.as_deref().map(str::as_bytes))
        .bind(citation.suffix.as_deref().map(str::as_bytes))
        .bind(placed)
        .bind(now)
        .execute(self.connection())
        .await?;
        self.add_check(citation_id, check.0, check.1).await
    }

    /// Appends what a check of a citation said.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_check(&mut self, citation_id: &str, state: &str, reason: Option<&str>) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO citation_checks (citation_id, state, reason, recorded_at) VALUES ($1, $2, $3, $4)")
            .bind(citation_id)
            .bind(state)
            .bind(reason)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(())
    }
}

/// One record by its id.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn record(connection: &mut Connection, record_id: &str) -> Result<Option<RecordRow>, StoreError> {
    let sql = format!("{RECORD_COLUMNS} WHERE r.record_id = $1");
    Ok(sql::query_as(sql).bind(record_id).fetch_optional(connection).await?)
}

/// Records after a number, in the order of arrival.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn records(connection: &mut Connection, after: i64, limit: i64) -> Result<Vec<RecordRow>, StoreError> {
    let sql = format!("{RECORD_COLUMNS} WHERE r.number > $1 ORDER BY r.number LIMIT $2");
    Ok(sql::query_as(sql).bind(after).bind(limit).fetch_all(connection).await?)
}

/// All candidates for the fields of one version, in the order of arrival.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn records_of_version(
    connection: &mut Connection,
    doc_id: &str,
    doc_sha256: &str,
) -> Result<Vec<RecordRow>, StoreError> {
    let sql = format!("{RECORD_COLUMNS} WHERE r.doc_id = $1 AND r.doc_sha256 = $2 ORDER BY r.number");
    Ok(sql::query_as(sql)
        .bind(doc_id)
        .bind(doc_sha256)
        .fetch_all(connection)
        .await?)
}

/// All candidates for one field of one version, in the order of arrival.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn candidates(
    connection: &mut Connection,
    doc_id: &str,
    doc_sha256: &str,
    field: &str,
) -> Result<Vec<RecordRow>, StoreError> {
    let sql = format!("{RECORD_COLUMNS} WHERE r.doc_id = $1 AND r.doc_sha256 = $2 AND r.field = $3 ORDER BY r.number");
    Ok(sql::query_as(sql)
        .bind(doc_id)
        .bind(doc_sha256)
        .bind(field)
        .fetch_all(connection)
        .await?)
}

/// All candidates of one field, in the order of arrival; of every field where none is named.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn records_of_field(connection: &mut Connection, field: Option<&str>) -> Result<Vec<RecordRow>, StoreError> {
    let sql = format!(
        "{RECORD_COLUMNS} WHERE {} ORDER BY r.number",
        of_field("r.field", field)
    );
    Ok(sql::query_as(sql).bind(field).fetch_all(connection).await?)
}

/// All candidates of the first so many places that have to be counted anew, in the order of arrival.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn records_of_uncounted(connection: &mut Connection, places: i64) -> Result<Vec<RecordRow>, StoreError> {
    let sql = format!("{RECORD_COLUMNS} WHERE {} ORDER BY r.number", in_uncounted("r"));
    Ok(sql::query_as(sql).bind(places).fetch_all(connection).await?)
}

/// When the first record arrived: of all, of a field, of an extractor. Milliseconds since 1970 UTC.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn first_recorded(
    connection: &mut Connection,
    field: Option<&str>,
    extractor: Option<(&str, &str)>,
) -> Result<Option<i64>, StoreError> {
    let extractor_filter = if extractor.is_some() {
        "model = $2 AND prompt_version = $3"
    } else {
        "$2 IS NULL AND $3 IS NULL"
    };
    let sql = format!(
        "SELECT recorded_at FROM records WHERE number = (SELECT min(number) FROM records WHERE {} AND {extractor_filter})",
        of_field("field", field)
    );
    Ok(sql::query_scalar(sql)
        .bind(field)
        .bind(extractor.map(|(model, _)| model))
        .bind(extractor.map(|(_, prompt_version)| prompt_version))
        .fetch_optional(connection)
        .await?)
}

/// Whether a record speaks of a field.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn has_field(connection: &mut Connection, field: &str) -> Result<bool, StoreError> {
    Ok(
        sql::query_scalar("SELECT EXISTS (SELECT 1 FROM records WHERE field = $1)")
            .bind(field)
            .fetch_one(connection)
            .await?,
    )
}

/// The citations of a record, in order.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn citations_of(connection: &mut Connection, record_id: &str) -> Result<Vec<CitationRow>, StoreError> {
    let sql = format!("{CITATION_COLUMNS} WHERE c.record_id = $1 ORDER BY c.ordinal");
    Ok(sql::query_as(sql).bind(record_id).fetch_all(connection).await?)
}

/// Citations after a number, in the order of arrival.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn citations(connection: &mut Connection, after: i64, limit: i64) -> Result<Vec<CitationRow>, StoreError> {
    let sql = format!("{CITATION_COLUMNS} WHERE c.number > $1 ORDER BY c.number LIMIT $2");
    Ok(sql::query_as(sql).bind(after).bind(limit).fetch_all(connection).await?)
}

/// One citation by its id.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn citation(connection: &mut Connection, citation_id: &str) -> Result<Option<CitationRow>, StoreError> {
    let sql = format!("{CITATION_COLUMNS} WHERE c.citation_id = $1");
    Ok(sql::query_as(sql).bind(citation_id).fetch_optional(connection).await?)
}
