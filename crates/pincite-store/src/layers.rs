//! The layers of some bytes: which extractions there are, and which speaks for the bytes.
//!
//! Deliberately not here: recording an extraction (`documents`), and which one may be the default.

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::sql;
use sqlx::FromRow;

/// One extraction of some bytes, without its text.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct ExtractionRow {
    /// Whose reading.
    pub extractor: String,
    /// Its layer.
    pub layer_sha256: String,
    /// A name of [`crate::documents::LayerKind`].
    pub kind: String,
    /// Code points in the layer.
    pub chars: i64,
    /// JSON as it was recorded: the pages; of another program's reading, how many it tells of.
    pub pages: Vec<u8>,
    /// Whether it speaks for the bytes where a citation names none.
    pub is_default: bool,
    /// When it was recorded here, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

const EXTRACTIONS: &str = "SELECT e.extractor, e.layer_sha256, e.kind, l.chars, e.pages, \
     e.extractor = (SELECT x.extractor FROM default_extractions x WHERE x.doc_sha256 = e.doc_sha256 \
       ORDER BY x.number DESC LIMIT 1) AS is_default, e.recorded_at \
     FROM extractions e JOIN layers l ON l.layer_sha256 = e.layer_sha256 ";

/// Every extraction of some bytes, in the order recorded.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn extractions(connection: &mut Connection, doc_sha256: &str) -> Result<Vec<ExtractionRow>, StoreError> {
    let sql = format!("{EXTRACTIONS} WHERE e.doc_sha256 = $1 ORDER BY e.recorded_at, e.extractor");
    Ok(sql::query_as(sql).bind(doc_sha256).fetch_all(connection).await?)
}

/// Whose reading a layer of some bytes is, and the pages of those bytes.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct ReadingRow {
    /// The extractor.
    pub extractor: String,
    /// A name of [`crate::documents::LayerKind`].
    pub kind: String,
    /// JSON: the pages of the bytes, as their default extraction has them.
    pub pages: Vec<u8>,
}

/// Whose reading a layer of some bytes is; the first that read this text, where several did.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn reading_of(
    connection: &mut Connection,
    doc_sha256: &str,
    layer_sha256: &str,
) -> Result<Option<ReadingRow>, StoreError> {
    Ok(sql::query_as(
        "SELECT e.extractor, e.kind, d.pages FROM extractions e \
         JOIN extractions d ON d.doc_sha256 = e.doc_sha256 AND d.extractor = \
           (SELECT x.extractor FROM default_extractions x WHERE x.doc_sha256 = e.doc_sha256 ORDER BY x.number DESC LIMIT 1) \
         WHERE e.doc_sha256 = $1 AND e.layer_sha256 = $2 ORDER BY e.kind = 'foreign', e.recorded_at LIMIT 1",
    )
    .bind(doc_sha256)
    .bind(layer_sha256)
    .fetch_optional(connection)
    .await?)
}

impl Writing {
    /// Lets an extraction speak for its bytes from now on.
    ///
    /// # Errors
    /// [`StoreError::Database`], an extraction that is not there among them.
    pub async fn set_default_extraction(&mut self, doc_sha256: &str, extractor: &str) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO default_extractions (doc_sha256, extractor, recorded_at) VALUES ($1, $2, $3)")
            .bind(doc_sha256)
            .bind(extractor)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(())
    }
}
