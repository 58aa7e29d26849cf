//! Documents, versions, sources, extractions with their layers, structures.
//!
//! Deliberately not here: reading a PDF, parsing a structure: both arrive ready.

use crate::StoreError;
use crate::database::{Connection, Reading, Writing};
use crate::sql;
use sqlx::FromRow;

/// A version and what its default extraction found.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct VersionRow {
    /// The logical document.
    pub doc_id: String,
    /// SHA-256 of the bytes.
    pub doc_sha256: String,
    /// Such as `application/pdf`.
    pub media_type: String,
    /// The title these bytes give themselves, UTF-8.
    pub title: Vec<u8>,
    /// Default extractor of these bytes.
    pub extractor: String,
    /// Its layer.
    pub layer_sha256: String,
    /// Code points in the layer.
    pub chars: i64,
    /// Code points with a box.
    pub boxed: i64,
    /// JSON: size and trust figures of each page.
    pub pages: Vec<u8>,
    /// When it was recorded here, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

/// Everything an ingest found.
#[derive(Debug, Clone, Copy)]
pub struct NewVersion<'a> {
    /// The logical document.
    pub doc_id: &'a str,
    /// SHA-256 of the bytes.
    pub doc_sha256: &'a str,
    /// How many bytes.
    pub bytes: i64,
    /// Such as `application/pdf`.
    pub media_type: &'a str,
    /// Title to show.
    pub title: &'a str,
    /// Where it was read from.
    pub path: &'a str,
    /// What was read from it.
    pub extraction: NewExtraction<'a>,
    /// What the parser found.
    pub structure: NewStructure<'a>,
}

/// What one extractor found in some bytes.
#[derive(Debug, Clone, Copy)]
pub struct NewExtraction<'a> {
    /// Name, version, settings and fonts of the extractor.
    pub extractor: &'a str,
    /// Hash of the layer's UTF-8 bytes.
    pub layer_sha256: &'a str,
    /// The layer.
    pub text: &'a [u8],
    /// Code points.
    pub chars: i64,
    /// Boxes as bytes.
    pub boxes: &'a [u8],
    /// How many code points have one.
    pub boxed: i64,
    /// JSON of the pages.
    pub pages: &'a [u8],
    /// What the layer is.
    pub kind: LayerKind,
    /// JSON of what each page says beside its text; empty for none.
    pub details: &'a [u8],
}

/// What a layer of some bytes is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LayerKind {
    /// Their text, as an extractor of ours read it.
    Text,
    /// The values in their form fields.
    Form,
    /// The words of their annotations.
    Annotations,
    /// Another program's reading of them.
    Foreign,
}

impl LayerKind {
    /// As the database has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Form => "form",
            Self::Annotations => "annotations",
            Self::Foreign => "foreign",
        }
    }
}

/// What one parser version found.
#[derive(Debug, Clone, Copy)]
pub struct NewStructure<'a> {
    /// Hash of the content.
    pub structure_id: &'a str,
    /// The parser's version.
    pub parser: &'a str,
    /// JSON of the structure.
    pub content: &'a [u8],
}

const VERSION_COLUMNS: &str = "SELECT v.doc_id, v.doc_sha256, v.media_type, v.title, e.extractor, e.layer_sha256, l.chars, e.boxed, e.pages, v.recorded_at \
     FROM versions v JOIN extractions e ON e.doc_sha256 = v.doc_sha256 AND e.extractor = \
       (SELECT x.extractor FROM default_extractions x WHERE x.doc_sha256 = v.doc_sha256 ORDER BY x.number DESC LIMIT 1) \
     JOIN layers l ON l.layer_sha256 = e.layer_sha256 ";

impl Writing {
    /// Records a version with what was read from it. What is already there stays as it is; the source is added.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_version(&mut self, new: &NewVersion<'_>) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO documents (doc_id, recorded_at) VALUES ($1, $2) ON CONFLICT DO NOTHING")
            .bind(new.doc_id)
            .bind(now)
            .execute(self.connection())
            .await?;
        sql::query("INSERT INTO blobs (sha256, bytes, recorded_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING")
            .bind(new.doc_sha256)
            .bind(new.bytes)
            .bind(now)
            .execute(self.connection())
            .await?;
        sql::query("INSERT INTO versions (doc_id, doc_sha256, media_type, title, recorded_at) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING")
            .bind(new.doc_id)
            .bind(new.doc_sha256)
            .bind(new.media_type)
            .bind(new.title.as_bytes())
            .bind(now)
            .execute(self.connection())
            .await?;
        self.add_source(new.doc_id, new.doc_sha256, new.path).await?;
        self.add_extraction(new.doc_sha256, &new.extraction).await?;
        self.add_structure(new.doc_sha256, new.extraction.layer_sha256, &new.structure)
            .await
    }

    /// Records where a version was read from. Answers whether that is new.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_source(&mut self, doc_id: &str, doc_sha256: &str, path: &str) -> Result<bool, StoreError> {
        let now = self.now;
        let done = sql::query("INSERT INTO sources (doc_id, doc_sha256, path, recorded_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING")
            .bind(doc_id)
            .bind(doc_sha256)
            .bind(path.as_bytes())
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(done > 0)
    }

    /// Records an extraction; the first text of some bytes becomes their default.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_extraction(&mut self, doc_sha256: &str, new: &NewExtraction<'_>) -> Result<(), StoreError> {
        let now = self.now;
        sql::query("INSERT INTO layers (layer_sha256, text, chars, recorded_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING")
            .bind(new.layer_sha256)
            .bind(new.text)
            .bind(new.chars)
            .bind(now)
            .execute(self.connection())
            .await?;
        let added = sql::query(
            "INSERT INTO extractions (doc_sha256, extractor, layer_sha256, boxes, pages, boxed, recorded_at, kind) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING",
        )
        .bind(doc_sha256)
        .bind(new.extractor)
        .bind(new.layer_sha256)
        .bind(new.boxes)
        .bind(new.pages)
        .bind(new.boxed)
        .bind(now)
        .bind(new.kind.name())
        .execute(self.connection())
        .await?;
        if added == 0 {
            return Ok(());
        }
        if !new.details.is_empty() {
            sql::query(
                "INSERT INTO extraction_details (doc_sha256, extractor, details, recorded_at) VALUES ($1, $2, $3, $4)",
            )
            .bind(doc_sha256)
            .bind(new.extractor)
            .bind(new.details)
            .bind(now)
            .execute(self.connection())
            .await?;
        }
        if new.kind == LayerKind::Text {
            sql::query(
                "INSERT INTO default_extractions (doc_sha256, extractor, recorded_at) \
                 SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT 1 FROM default_extractions WHERE doc_sha256 = $1)",
            )
            .bind(doc_sha256)
            .bind(new.extractor)
            .bind(now)
            .execute(self.connection())
            .await?;
        }
        Ok(())
    }

    /// Records a structure of a layer of some bytes.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_structure(
        &mut self,
        doc_sha256: &str,
        layer_sha256: &str,
        new: &NewStructure<'_>,
    ) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO structures (structure_id, doc_sha256, layer_sha256, parser, content, recorded_at) \
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
        )
        .bind(new.structure_id)
        .bind(doc_sha256)
        .bind(layer_sha256)
        .bind(new.parser)
        .bind(new.content)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }
}

/// Every version, by document and then in the order recorded.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn versions(reading: &mut Reading, limit: i64, after: &str) -> Result<Vec<VersionRow>, StoreError> {
    let sql = format!(
        "{VERSION_COLUMNS} WHERE v.doc_id || '@' || v.doc_sha256 > $1 ORDER BY v.doc_id || '@' || v.doc_sha256 LIMIT $2"
    );
    Ok(sql::query_as(sql).bind(after).bind(limit).fetch_all(reading).await?)
}

/// The versions of a document whose hash begins with `prefix` (empty: all), in the order recorded.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn versions_of(
    connection: &mut Connection,
    doc_id: &str,
    prefix: &str,
) -> Result<Vec<VersionRow>, StoreError> {
    let sql = format!(
        "{VERSION_COLUMNS} WHERE v.doc_id = $1 AND substr(v.doc_sha256, 1, CAST($2 AS INTEGER)) = $3 ORDER BY v.recorded_at, v.doc_sha256"
    );
    let length = i64::try_from(prefix.len()).unwrap_or(i64::MAX);
    Ok(sql::query_as(sql)
        .bind(doc_id)
        .bind(length)
        .bind(prefix)
        .fetch_all(connection)
        .await?)
}

/// Whether a document has these bytes.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn has_bytes(connection: &mut Connection, doc_sha256: &str) -> Result<bool, StoreError> {
    let found: Option<String> = sql::query_scalar("SELECT doc_id FROM versions WHERE doc_sha256 = $1 LIMIT 1")
        .bind(doc_sha256)
        .fetch_optional(connection)
        .await?;
    Ok(found.is_some())
}

/// A layer's bytes, where it was read from these bytes.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn layer_text(
    connection: &mut Connection,
    doc_sha256: &str,
    layer_sha256: &str,
) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(sql::query_scalar(
        "SELECT l.text FROM layers l WHERE l.layer_sha256 = $2 \
         AND EXISTS (SELECT 1 FROM extractions e WHERE e.doc_sha256 = $1 AND e.layer_sha256 = $2)",
    )
    .bind(doc_sha256)
    .bind(layer_sha256)
    .fetch_optional(connection)
    .await?)
}

/// The boxes that belong to a layer of these bytes.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn layer_boxes(
    connection: &mut Connection,
    doc_sha256: &str,
    layer_sha256: &str,
) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(sql::query_scalar(
        "SELECT boxes FROM extractions WHERE doc_sha256 = $1 AND layer_sha256 = $2 ORDER BY recorded_at LIMIT 1",
    )
    .bind(doc_sha256)
    .bind(layer_sha256)
    .fetch_optional(connection)
    .await?)
}

/// What the pages of a layer of these bytes say beside its text, as JSON; `None` where nothing is kept.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn layer_details(
    connection: &mut Connection,
    doc_sha256: &str,
    layer_sha256: &str,
) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(sql::query_scalar(
        "SELECT d.details FROM extraction_details d \
         JOIN extractions e ON e.doc_sha256 = d.doc_sha256 AND e.extractor = d.extractor \
         WHERE e.doc_sha256 = $1 AND e.layer_sha256 = $2 ORDER BY e.recorded_at LIMIT 1",
    )
    .bind(doc_sha256)
    .bind(layer_sha256)
    .fetch_optional(connection)
    .await?)
}

/// A structure as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct StructureRow {
    /// Hash of the content.
    pub structure_id: String,
    /// The layer it is of.
    pub layer_sha256: String,
    /// JSON of the structure.
    pub content: Vec<u8>,
}

/// A structure of these bytes by its id.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn structure(
    connection: &mut Connection,
    doc_sha256: &str,
    structure_id: &str,
) -> Result<Option<StructureRow>, StoreError> {
    Ok(sql::query_as(
        "SELECT structure_id, layer_sha256, content FROM structures WHERE doc_sha256 = $1 AND structure_id = $2",
    )
    .bind(doc_sha256)
    .bind(structure_id)
    .fetch_optional(connection)
    .await?)
}

/// Whether this version of the parser has read this layer of these bytes.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn parsed_by(
    connection: &mut Connection,
    doc_sha256: &str,
    layer_sha256: &str,
    parser: &str,
) -> Result<bool, StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM structures WHERE doc_sha256 = $1 AND layer_sha256 = $2 AND parser = $3)";
    Ok(sql::query_scalar(sql)
        .bind(doc_sha256)
        .bind(layer_sha256)
        .bind(parser)
        .fetch_one(connection)
        .await?)
}

/// Where a document's bytes were read, in order of their letters.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn source_paths(connection: &mut Connection, doc_id: &str) -> Result<Vec<String>, StoreError> {
    let text = "SELECT DISTINCT path FROM sources WHERE doc_id = $1 ORDER BY path";
    let paths: Vec<Vec<u8>> = sql::query_scalar(text).bind(doc_id).fetch_all(connection).await?;
    Ok(paths
        .iter()
        .map(|path| String::from_utf8_lossy(path).into_owned())
        .collect())
}

/// The structure in use for a layer of these bytes: the last one recorded.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn default_structure(
    connection: &mut Connection,
    doc_sha256: &str,
    layer_sha256: &str,
) -> Result<Option<StructureRow>, StoreError> {
    Ok(sql::query_as(
        "SELECT structure_id, layer_sha256, content FROM structures WHERE doc_sha256 = $1 AND layer_sha256 = $2 \
         ORDER BY recorded_at DESC, structure_id LIMIT 1",
    )
    .bind(doc_sha256)
    .bind(layer_sha256)
    .fetch_optional(connection)
    .await?)
}
