//! Sums of curves, what each place adds to them, and the places whose part has to be counted anew.
//!
//! The database itself notes a place when anything about it changes (triggers), so that no writer can forget. Whoever counts
//! reads what such places consist of, changes the sums by the difference, and takes the places out, in one transaction.
//!
//! Deliberately not here: what a place adds (its labels are the callers'), and what is inside of the sums.

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::sql;
use sqlx::FromRow;

/// A place that has to be counted anew.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct UncountedPlace {
    /// The field.
    pub field: String,
    /// The logical document.
    pub doc_id: String,
    /// The bytes.
    pub doc_sha256: String,
    /// What is kept of it.
    pub countings: Option<Vec<u8>>,
}

/// An item as far as labels are concerned.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct LabelItem {
    /// Its id.
    pub item_id: String,
    /// The logical document.
    pub doc_id: String,
    /// The bytes.
    pub doc_sha256: String,
    /// The field.
    pub field: String,
    /// The candidate that opened it.
    pub record_id: String,
    /// Why it was queued.
    pub reason: String,
    /// open or decided.
    pub state: String,
    /// Whether two who reviewed it differ and nobody has settled that.
    pub is_disputed: bool,
}

/// What a place adds, to keep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlaceCount {
    /// The field.
    pub field: String,
    /// The logical document.
    pub doc_id: String,
    /// The bytes.
    pub doc_sha256: String,
    /// When the decision that it rests on was made, milliseconds since 1970 UTC.
    pub decided_at: Option<i64>,
    /// How long that took, in milliseconds, where a window saw it.
    pub wall_ms: Option<i64>,
    /// What it adds.
    pub countings: Vec<u8>,
}

/// Which curve a sum belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, FromRow)]
pub struct CurveName {
    /// The field.
    pub field: String,
    /// The extractor's model.
    pub model: String,
    /// Its prompt version.
    pub prompt_version: String,
    /// present or absent.
    pub subject: String,
}

/// A sum that a desk reads: a week in which something waits, or all others together.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct SumRow {
    /// Which curve.
    #[sqlx(flatten)]
    pub curve: CurveName,
    /// The week; `None` for those in which nothing waits.
    pub cohort: Option<i64>,
    /// The sum.
    pub counts: Vec<u8>,
}

/// The first uncounted places in their order; $1 is how many.
const PLACES: &str =
    "SELECT doc_id, doc_sha256, field FROM uncounted_places ORDER BY field, doc_id, doc_sha256 LIMIT $1";

/// Whether a place has to be counted anew.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn any_uncounted(connection: &mut Connection) -> Result<bool, StoreError> {
    Ok(sql::query_scalar("SELECT EXISTS (SELECT 1 FROM uncounted_places)")
        .fetch_one(connection)
        .await?)
}

/// The first places that have to be counted anew.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn uncounted(connection: &mut Connection, limit: i64) -> Result<Vec<UncountedPlace>, StoreError> {
    Ok(sql::query_as(
        "SELECT u.field, u.doc_id, u.doc_sha256, p.countings FROM uncounted_places u LEFT JOIN place_counts p \
         ON p.field = u.field AND p.doc_id = u.doc_id AND p.doc_sha256 = u.doc_sha256 \
         ORDER BY u.field, u.doc_id, u.doc_sha256 LIMIT $1",
    )
    .bind(limit)
    .fetch_all(connection)
    .await?)
}

/// The items of the first uncounted places.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn items_of_uncounted(connection: &mut Connection, limit: i64) -> Result<Vec<LabelItem>, StoreError> {
    let sql = format!("{LABEL_ITEM} WHERE {}", in_uncounted("i"));
    Ok(sql::query_as(sql).bind(limit).fetch_all(connection).await?)
}

const LABEL_ITEM: &str = "SELECT i.item_id, i.doc_id, i.doc_sha256, i.field, i.record_id, i.reason, i.state, \
     EXISTS (SELECT 1 FROM second_draws c WHERE c.item_id = i.item_id AND c.state = 'differ') AS is_disputed FROM items i";

/// Every item, open or decided, as far as labels are concerned; of one field where one is named.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn items_of_field(connection: &mut Connection, field: Option<&str>) -> Result<Vec<LabelItem>, StoreError> {
    let sql = format!("{LABEL_ITEM} WHERE {}", of_field("i.field", field));
    Ok(sql::query_as(sql).bind(field).fetch_all(connection).await?)
}

/// What a column has to be where $1 is a field, or nothing is: written so that an index helps.
pub(crate) fn of_field(column: &str, field: Option<&str>) -> String {
    if field.is_some() {
        format!("{column} = $1")
    } else {
        "$1 IS NULL".to_owned()
    }
}

/// That a row of `r` or `i` lies in one of the first uncounted places; $1 is how many.
pub(crate) fn in_uncounted(table: &str) -> String {
    format!("({table}.doc_id, {table}.doc_sha256, {table}.field) IN ({PLACES})")
}

/// A curve's sum of a week.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn cohort_sum(
    connection: &mut Connection,
    curve: &CurveName,
    cohort: i64,
) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(sql::query_scalar(
        "SELECT counts FROM curve_cohorts WHERE field = $1 AND model = $2 AND prompt_version = $3 AND subject = $4 AND cohort = $5",
    )
    .bind(&curve.field)
    .bind(&curve.model)
    .bind(&curve.prompt_version)
    .bind(&curve.subject)
    .bind(cohort)
    .fetch_optional(connection)
    .await?)
}

/// A curve's sum of the weeks in which nothing waits.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn closed_sum(connection: &mut Connection, curve: &CurveName) -> Result<Option<Vec<u8>>, StoreError> {
    Ok(sql::query_scalar(
        "SELECT closed FROM curve_summaries WHERE field = $1 AND model = $2 AND prompt_version = $3 AND subject = $4",
    )
    .bind(&curve.field)
    .bind(&curve.model)
    .bind(&curve.prompt_version)
    .bind(&curve.subject)
    .fetch_optional(connection)
    .await?)
}

/// Every sum that curves are drawn from, at one moment; of one field where one is named.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn sums(connection: &mut Connection, field: Option<&str>) -> Result<Vec<SumRow>, StoreError> {
    let filter = of_field("field", field);
    let sql = format!(
        "SELECT field, model, prompt_version, subject, NULL AS cohort, closed AS counts FROM curve_summaries WHERE {filter} \
         UNION ALL SELECT field, model, prompt_version, subject, cohort, counts FROM curve_cohorts WHERE is_open AND {filter}"
    );
    Ok(sql::query_as(sql).bind(field).fetch_all(connection).await?)
}

/// Every week's sum and every sum of closed weeks, in order: for comparing with a recount.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn all_sums(connection: &mut Connection) -> Result<Vec<SumRow>, StoreError> {
    Ok(sql::query_as(
        "SELECT field, model, prompt_version, subject, NULL AS cohort, closed AS counts FROM curve_summaries \
         UNION ALL SELECT field, model, prompt_version, subject, cohort, counts FROM curve_cohorts ORDER BY 1, 2, 3, 4, 5",
    )
    .fetch_all(connection)
    .await?)
}

/// What each place of a field, or of all, adds; with its field.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn countings(connection: &mut Connection, field: Option<&str>) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
    let sql = format!(
        "SELECT field, countings FROM place_counts WHERE {}",
        of_field("field", field)
    );
    Ok(sql::query_as(sql).bind(field).fetch_all(connection).await?)
}

/// When the decisions of a field since a time were made, and what their places add.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn decided_since(
    connection: &mut Connection,
    field: &str,
    since: i64,
) -> Result<Vec<(i64, Vec<u8>)>, StoreError> {
    Ok(
        sql::query_as("SELECT decided_at, countings FROM place_counts WHERE field = $1 AND decided_at > $2")
            .bind(field)
            .bind(since)
            .fetch_all(connection)
            .await?,
    )
}

/// How many decisions of a field, or of all, were made since a time.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn decided_number(connection: &mut Connection, field: Option<&str>, since: i64) -> Result<i64, StoreError> {
    let sql = format!(
        "SELECT count(*) FROM place_counts WHERE {} AND decided_at > $2",
        of_field("field", field)
    );
    Ok(sql::query_scalar(sql)
        .bind(field)
        .bind(since)
        .fetch_one(connection)
        .await?)
}

/// How long the last timed decisions took, in milliseconds, of a field or of all; at most so many.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn last_times(connection: &mut Connection, field: Option<&str>, limit: i64) -> Result<Vec<i64>, StoreError> {
    let sql = format!(
        "SELECT wall_ms FROM place_counts WHERE {} AND decided_at IS NOT NULL AND wall_ms IS NOT NULL ORDER BY decided_at DESC LIMIT $2",
        of_field("field", field)
    );
    Ok(sql::query_scalar(sql)
        .bind(field)
        .bind(limit)
        .fetch_all(connection)
        .await?)
}

impl Writing {
    /// Notes every place of a field as one to be counted anew: for what no trigger sees, such as another catalogue.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn count_field_anew(&mut self, field: &str) -> Result<(), StoreError> {
        sql::query(
            "INSERT INTO uncounted_places (field, doc_id, doc_sha256) \
             SELECT field, doc_id, doc_sha256 FROM records WHERE field = $1 ON CONFLICT DO NOTHING",
        )
        .bind(field)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// Forgets every sum; all places are to be counted anew.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn forget_counts(&mut self) -> Result<(), StoreError> {
        for statement in [
            "DELETE FROM place_counts",
            "DELETE FROM curve_cohorts",
            "DELETE FROM curve_summaries",
            "INSERT INTO uncounted_places (field, doc_id, doc_sha256) SELECT field, doc_id, doc_sha256 FROM records WHERE TRUE ON CONFLICT DO NOTHING",
        ] {
            sql::query(statement).execute(self.connection()).await?;
        }
        Ok(())
    }

    /// Keeps what places add.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn keep_place_counts(&mut self, places: &[PlaceCount]) -> Result<(), StoreError> {
        // Many in one statement: each goes to the database's thread and back.
        for some in places.chunks(200) {
            let mut insert = sql::query(format!(
                "INSERT INTO place_counts (field, doc_id, doc_sha256, decided_at, wall_ms, countings) VALUES {} \
                 ON CONFLICT (field, doc_id, doc_sha256) DO UPDATE \
                 SET decided_at = excluded.decided_at, wall_ms = excluded.wall_ms, countings = excluded.countings",
                sql::rows_of(some.len(), 6)
            ));
            for place in some {
                insert = insert
                    .bind(&place.field)
                    .bind(&place.doc_id)
                    .bind(&place.doc_sha256)
                    .bind(place.decided_at)
                    .bind(place.wall_ms)
                    .bind(&place.countings);
            }
            insert.execute(self.connection()).await?;
        }
        Ok(())
    }

    /// Keeps a curve's sum of a week.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn keep_cohort_sum(
        &mut self,
        curve: &CurveName,
        cohort: i64,
        is_open: bool,
        counts: &[u8],
    ) -> Result<(), StoreError> {
        sql::query(
            "INSERT INTO curve_cohorts (field, model, prompt_version, subject, cohort, is_open, counts) VALUES ($1, $2, $3, $4, $5, $6, $7) \
             ON CONFLICT (field, model, prompt_version, subject, cohort) DO UPDATE SET is_open = $6, counts = $7",
        )
        .bind(&curve.field)
        .bind(&curve.model)
        .bind(&curve.prompt_version)
        .bind(&curve.subject)
        .bind(cohort)
        .bind(is_open)
        .bind(counts)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// Keeps a curve's sum of the weeks in which nothing waits; `None` where something does in each.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn keep_closed_sum(&mut self, curve: &CurveName, closed: Option<&[u8]>) -> Result<(), StoreError> {
        let Some(closed) = closed else {
            sql::query(
                "DELETE FROM curve_summaries WHERE field = $1 AND model = $2 AND prompt_version = $3 AND subject = $4",
            )
            .bind(&curve.field)
            .bind(&curve.model)
            .bind(&curve.prompt_version)
            .bind(&curve.subject)
            .execute(self.connection())
            .await?;
            return Ok(());
        };
        sql::query(
            "INSERT INTO curve_summaries (field, model, prompt_version, subject, closed) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (field, model, prompt_version, subject) DO UPDATE SET closed = $5",
        )
        .bind(&curve.field)
        .bind(&curve.model)
        .bind(&curve.prompt_version)
        .bind(&curve.subject)
        .bind(closed)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// Takes the first so many uncounted places out: they are counted.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn counted(&mut self, limit: i64) -> Result<(), StoreError> {
        let sql = format!("DELETE FROM uncounted_places WHERE (doc_id, doc_sha256, field) IN ({PLACES})");
        sql::query(sql).bind(limit).execute(self.connection()).await?;
        Ok(())
    }
}
