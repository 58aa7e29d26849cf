//! The registry's rows: revisions, their events, their sections, where declaration and text differ, and which documents are one.
//!
//! Append-only.
//!
//! Deliberately not here: what is in force (`pincite_core::registry`): it follows from these rows and two dates.

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::sql;
use sqlx::FromRow;

/// A revision.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct RevisionRow {
    /// Its document.
    pub doc_id: String,
    /// Its place in the order, from 1.
    pub seq: i64,
    /// Its name, as the document's owner gives it.
    pub revision: String,
    /// Its bytes.
    pub doc_sha256: String,
    /// The structure in which its sections were found.
    pub structure_id: String,
    /// From which day on it is in force, `yyyy-mm-dd`; `None` of a draft without one.
    pub effective_date: Option<String>,
    /// What is said to have changed, a JSON list; `None` where nothing is said.
    pub declared: Option<Vec<u8>>,
    /// The team that answers for it.
    pub owner: String,
    /// What kind of source it is.
    pub class: String,
    /// Why it was registered.
    pub why: Vec<u8>,
    /// By whom.
    pub who: String,
    /// From when on it was known, milliseconds since 1970 UTC.
    pub recorded_at: i64,
    /// When it came in here.
    pub entered_at: i64,
}

/// Something that happened to a revision.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct RevisionEventRow {
    /// The document.
    pub doc_id: String,
    /// The revision.
    pub seq: i64,
    /// `approved`, `withdrawn` or `archived`.
    pub event: String,
    /// Why.
    pub why: Vec<u8>,
    /// Who said so.
    pub who: String,
    /// From when on it was known, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

/// The sections of a revision, as they were when it was registered.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct RevisionSectionsRow {
    /// The revision.
    pub seq: i64,
    /// A JSON list.
    pub sections: Vec<u8>,
}

/// Where what was declared and what was computed differ.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct DifferenceRow {
    /// The document.
    pub doc_id: String,
    /// The revision.
    pub seq: i64,
    /// Section keys that were declared and are not found changed: a JSON list.
    pub only_declared: Vec<u8>,
    /// Section keys that were found changed and are not declared: a JSON list.
    pub only_computed: Vec<u8>,
    /// Both, with the sections that hold them: a JSON list.
    pub differing: Vec<u8>,
    /// When it was found, milliseconds since 1970 UTC.
    pub recorded_at: i64,
    /// Who settled it, if anybody did.
    pub settled_by: Option<String>,
    /// When, milliseconds since 1970 UTC.
    pub settled_at: Option<i64>,
}

/// What somebody said of a document's identity last.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct IdentityRow {
    /// The document.
    pub doc_id: String,
    /// The document that it is a copy of; itself where it is none.
    pub canonical_id: String,
    /// Who said so.
    pub who: String,
    /// When, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

/// What a document is called: the title of its last version, and how many versions it has.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct TitleRow {
    /// The document.
    pub doc_id: String,
    /// UTF-8.
    pub title: Vec<u8>,
    /// How many versions it has.
    pub versions: i64,
}

/// A name of a registered document.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct NameRow {
    /// The document.
    pub doc_id: String,
    /// UTF-8: a title, or where its bytes were read.
    pub name: Vec<u8>,
    /// A title.
    pub is_title: bool,
}

/// Every document that is here, by its id.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn titles(connection: &mut Connection) -> Result<Vec<TitleRow>, StoreError> {
    let text = "SELECT v.doc_id, v.title, (SELECT count(*) FROM versions c WHERE c.doc_id = v.doc_id) AS versions \
                FROM versions v WHERE v.doc_sha256 = (SELECT l.doc_sha256 FROM versions l WHERE l.doc_id = v.doc_id \
                    ORDER BY l.recorded_at DESC, l.doc_sha256 LIMIT 1) ORDER BY v.doc_id";
    Ok(sql::query_as(text).fetch_all(connection).await?)
}

/// The titles of every version of registered documents, and where their bytes were read.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn names(connection: &mut Connection) -> Result<Vec<NameRow>, StoreError> {
    let text = "SELECT doc_id, title AS name, TRUE AS is_title FROM versions \
                    WHERE doc_id IN (SELECT r.doc_id FROM revisions r) \
                UNION ALL SELECT doc_id, path AS name, FALSE AS is_title FROM sources \
                    WHERE doc_id IN (SELECT r.doc_id FROM revisions r)";
    Ok(sql::query_as(text).fetch_all(connection).await?)
}

/// Registered revisions, by document and order: of one document, or of all where `doc_id` is empty.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn revisions(connection: &mut Connection, doc_id: &str) -> Result<Vec<RevisionRow>, StoreError> {
    let text = "SELECT doc_id, seq, revision, doc_sha256, structure_id, effective_date, declared, owner, class, why, who, \
                recorded_at, entered_at FROM revisions WHERE ($1 = '' OR doc_id = $1) ORDER BY doc_id, seq";
    Ok(sql::query_as(text).bind(doc_id).fetch_all(connection).await?)
}

/// What happened to revisions, in the order in which it was said: of one document, or of all where `doc_id` is empty.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn events(connection: &mut Connection, doc_id: &str) -> Result<Vec<RevisionEventRow>, StoreError> {
    let text = "SELECT doc_id, seq, event, why, who, recorded_at FROM revision_events \
                WHERE ($1 = '' OR doc_id = $1) ORDER BY doc_id, seq, recorded_at, number";
    Ok(sql::query_as(text).bind(doc_id).fetch_all(connection).await?)
}

/// The sections of every revision of a document.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn sections(connection: &mut Connection, doc_id: &str) -> Result<Vec<RevisionSectionsRow>, StoreError> {
    let text = "SELECT seq, sections FROM revision_sections WHERE doc_id = $1 ORDER BY seq";
    Ok(sql::query_as(text).bind(doc_id).fetch_all(connection).await?)
}

/// Compliance events, settled ones too: of one document, or of all where `doc_id` is empty.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn differences(connection: &mut Connection, doc_id: &str) -> Result<Vec<DifferenceRow>, StoreError> {
    let text = "SELECT d.doc_id, d.seq, d.only_declared, d.only_computed, d.differing, d.recorded_at, \
                s.who AS settled_by, s.recorded_at AS settled_at FROM revision_differences d \
                LEFT JOIN difference_settlements s ON s.doc_id = d.doc_id AND s.seq = d.seq \
                    AND s.number = (SELECT min(f.number) FROM difference_settlements f \
                        WHERE f.doc_id = d.doc_id AND f.seq = d.seq) \
                WHERE ($1 = '' OR d.doc_id = $1) ORDER BY d.doc_id, d.seq";
    Ok(sql::query_as(text).bind(doc_id).fetch_all(connection).await?)
}

/// What was said last of each document's identity.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn identities(connection: &mut Connection) -> Result<Vec<IdentityRow>, StoreError> {
    let text = "SELECT i.doc_id, i.canonical_id, i.who, i.recorded_at FROM canonical_identities i \
                WHERE i.number = (SELECT max(l.number) FROM canonical_identities l WHERE l.doc_id = i.doc_id) \
                ORDER BY i.doc_id";
    Ok(sql::query_as(text).fetch_all(connection).await?)
}

impl Writing {
    /// Registers a revision with its sections.
    ///
    /// # Errors
    /// [`StoreError::Database`]: also where its place in the order is taken.
    pub async fn add_revision(&mut self, new: &RevisionRow, sections: &[u8]) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO revisions (doc_id, seq, revision, doc_sha256, structure_id, effective_date, declared, owner, class, \
             why, who, recorded_at, entered_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)",
        )
        .bind(&new.doc_id)
        .bind(new.seq)
        .bind(&new.revision)
        .bind(&new.doc_sha256)
        .bind(&new.structure_id)
        .bind(new.effective_date.as_deref())
        .bind(new.declared.as_deref())
        .bind(&new.owner)
        .bind(&new.class)
        .bind(new.why.as_slice())
        .bind(&new.who)
        .bind(new.recorded_at)
        .bind(new.entered_at)
        .execute(self.connection())
        .await?;
        sql::query("INSERT INTO revision_sections (doc_id, seq, sections, recorded_at) VALUES ($1, $2, $3, $4)")
            .bind(&new.doc_id)
            .bind(new.seq)
            .bind(sections)
            .bind(now)
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// Says what happened to a revision.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_revision_event(&mut self, new: &RevisionEventRow) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO revision_events (doc_id, seq, event, why, who, recorded_at, entered_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(&new.doc_id)
        .bind(new.seq)
        .bind(&new.event)
        .bind(new.why.as_slice())
        .bind(&new.who)
        .bind(new.recorded_at)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// Keeps a compliance event: the keys that are only declared, those that are only computed, and both with the sections that
    /// hold them; JSON lists.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_difference(&mut self, doc_id: &str, seq: i64, lists: [&[u8]; 3]) -> Result<(), StoreError> {
        let now = self.now;
        let [only_declared, only_computed, differing] = lists;
        sql::query(
            "INSERT INTO revision_differences (doc_id, seq, only_declared, only_computed, differing, recorded_at) \
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(doc_id)
        .bind(seq)
        .bind(only_declared)
        .bind(only_computed)
        .bind(differing)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// Settles a compliance event: somebody looked, and what was computed holds.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn settle_difference(&mut self, doc_id: &str, seq: i64, why: &str, who: &str) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO difference_settlements (doc_id, seq, why, who, recorded_at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(doc_id)
        .bind(seq)
        .bind(why.as_bytes())
        .bind(who)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// Says which document one is a copy of, itself for none.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn set_identity(
        &mut self,
        doc_id: &str,
        canonical_id: &str,
        why: &str,
        who: &str,
    ) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO canonical_identities (doc_id, canonical_id, why, who, recorded_at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(doc_id)
        .bind(canonical_id)
        .bind(why.as_bytes())
        .bind(who)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }
}
