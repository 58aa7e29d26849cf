//! Answers that people were given: each with its claims and what they cite, and what reviewers say of it.
//!
//! Append-only. An answer is closed to whoever may not read every document that it cites (`reader`).
//!
//! Deliberately not here: whether a citation holds and what it is worth. Both are computed, by whoever asks.

use crate::StoreError;
use crate::database::{Connection, Writing};
use crate::sql;
use sqlx::FromRow;

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct AnswerRow {
    /// Order of arrival.
    pub number: i64,
    /// Its id.
    pub answer_id: String,
    /// Hash of its meaning.
    pub body_sha256: String,
    /// What was asked, UTF-8.
    pub question: Vec<u8>,
    /// When, milliseconds since 1970 UTC.
    pub asked_at: i64,
    /// The day that it is about, `yyyy-mm-dd`.
    pub valid_at: String,
    /// As known when, milliseconds since 1970 UTC; `None` without a bound.
    pub known_at: Option<i64>,
    /// What answered, JSON.
    pub index_build: Option<Vec<u8>>,
    /// What kind of question it is.
    pub class: String,
    /// Whether it reached a reader.
    pub delivered: bool,
    /// Who took it in.
    pub who: String,
    /// When, milliseconds since 1970 UTC.
    pub recorded_at: i64,
    /// How many claims it has.
    pub claims: i64,
    /// How many citations these have together.
    pub citations: i64,
}

/// An answer to keep.
#[derive(Debug, Clone, Copy)]
pub struct NewAnswer<'a> {
    /// Its id.
    pub answer_id: &'a str,
    /// Hash of its meaning.
    pub body_sha256: &'a str,
    /// What was asked.
    pub question: &'a str,
    /// When, milliseconds since 1970 UTC.
    pub asked_at: i64,
    /// The day that it is about, `yyyy-mm-dd`.
    pub valid_at: &'a str,
    /// As known when, milliseconds since 1970 UTC.
    pub known_at: Option<i64>,
    /// What answered, JSON.
    pub index_build: Option<&'a [u8]>,
    /// What kind of question it is.
    pub class: &'a str,
    /// Whether it reached a reader.
    pub delivered: bool,
    /// Who takes it in.
    pub who: &'a str,
}

/// A claim of an answer.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct ClaimRow {
    /// The answer.
    pub answer_id: String,
    /// Its place, from 1.
    pub claim: i64,
    /// What it says, UTF-8.
    pub text: Vec<u8>,
}

/// A citation of a claim.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct AnswerCitationRow {
    /// The answer.
    pub answer_id: String,
    /// The claim, from 1.
    pub claim: i64,
    /// Its place in the claim, from 1.
    pub ordinal: i64,
    /// As it was given, JSON.
    pub citation: Vec<u8>,
}

/// What somebody said of an answer last.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct AnswerLabelRow {
    /// The answer.
    pub answer_id: String,
    /// Whether it says what its passages say.
    pub faithful: bool,
    /// Whether that holds.
    pub correct: bool,
    /// Why it does not, where it is faithful.
    pub cause: Option<String>,
    /// Why they say so, UTF-8.
    pub why: Vec<u8>,
    /// Who.
    pub who: String,
    /// When, milliseconds since 1970 UTC.
    pub recorded_at: i64,
}

/// When answers were asked: from a moment on, before another, milliseconds since 1970 UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// The first moment.
    pub from: i64,
    /// The one after the last.
    pub before: i64,
}

impl Asked {
    /// At any time.
    pub const EVER: Self = Self {
        from: i64::MIN,
        before: i64::MAX,
    };
}

const ANSWER: &str = "SELECT a.number, a.answer_id, a.body_sha256, a.question, a.asked_at, a.valid_at, a.known_at, a.index_build, \
     a.class, a.delivered, a.who, a.recorded_at, \
     (SELECT count(*) FROM answer_claims c WHERE c.answer_id = a.answer_id) AS claims, \
     (SELECT count(*) FROM answer_citations c WHERE c.answer_id = a.answer_id) AS citations FROM answers a ";

/// One answer by its id.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn answer(connection: &mut Connection, answer_id: &str) -> Result<Option<AnswerRow>, StoreError> {
    let text = format!("{ANSWER} WHERE a.answer_id = $1");
    Ok(sql::query_as(text).bind(answer_id).fetch_optional(connection).await?)
}

/// Answers after a number, in the order of arrival.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn answers(
    connection: &mut Connection,
    after: i64,
    limit: i64,
    asked: Asked,
) -> Result<Vec<AnswerRow>, StoreError> {
    let text =
        format!("{ANSWER} WHERE a.number > $1 AND a.asked_at >= $3 AND a.asked_at < $4 ORDER BY a.number LIMIT $2");
    Ok(sql::query_as(text)
        .bind(after)
        .bind(limit)
        .bind(asked.from)
        .bind(asked.before)
        .fetch_all(connection)
        .await?)
}

/// The claims of answers from one number to another, both included, in order.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn claims(
    connection: &mut Connection,
    (first, last): (i64, i64),
    asked: Asked,
) -> Result<Vec<ClaimRow>, StoreError> {
    let text = "SELECT c.answer_id, c.claim, c.text FROM answer_claims c JOIN answers a ON a.answer_id = c.answer_id \
                WHERE a.number >= $1 AND a.number <= $2 AND a.asked_at >= $3 AND a.asked_at < $4 ORDER BY a.number, c.claim";
    Ok(sql::query_as(text)
        .bind(first)
        .bind(last)
        .bind(asked.from)
        .bind(asked.before)
        .fetch_all(connection)
        .await?)
}

/// A claim, and whether it cites anything.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct CitedClaimRow {
    /// The answer.
    pub answer_id: String,
    /// Its place, from 1.
    pub claim: i64,
    /// What it says, UTF-8.
    pub text: Vec<u8>,
    /// Whether it has a citation.
    pub cited: bool,
}

/// Claims of all answers behind one, in the order of answers and places.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn cited_claims(
    connection: &mut Connection,
    (answer_id, claim): (&str, i64),
    limit: i64,
) -> Result<Vec<CitedClaimRow>, StoreError> {
    let text = "SELECT c.answer_id, c.claim, c.text, EXISTS (SELECT 1 FROM answer_citations k \
                WHERE k.answer_id = c.answer_id AND k.claim = c.claim) AS cited FROM answer_claims c \
                WHERE (c.answer_id, c.claim) > ($1, $2) ORDER BY c.answer_id, c.claim LIMIT $3";
    Ok(sql::query_as(text)
        .bind(answer_id)
        .bind(claim)
        .bind(limit)
        .fetch_all(connection)
        .await?)
}

/// What answers from one number to another cite, both included, in order.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn citations(
    connection: &mut Connection,
    (first, last): (i64, i64),
    asked: Asked,
) -> Result<Vec<AnswerCitationRow>, StoreError> {
    let text = "SELECT c.answer_id, c.claim, c.ordinal, c.citation FROM answer_citations c \
                JOIN answers a ON a.answer_id = c.answer_id \
                WHERE a.number >= $1 AND a.number <= $2 AND a.asked_at >= $3 AND a.asked_at < $4 \
                ORDER BY a.number, c.claim, c.ordinal";
    Ok(sql::query_as(text)
        .bind(first)
        .bind(last)
        .bind(asked.from)
        .bind(asked.before)
        .fetch_all(connection)
        .await?)
}

/// What each person said last of answers from one number to another, both included: by answer, in the order in which it was said.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn labels(
    connection: &mut Connection,
    (first, last): (i64, i64),
    asked: Asked,
) -> Result<Vec<AnswerLabelRow>, StoreError> {
    let text = "SELECT l.answer_id, l.faithful, l.correct, l.cause, l.why, l.who, l.recorded_at FROM answer_labels l \
                JOIN answers a ON a.answer_id = l.answer_id \
                WHERE a.number >= $1 AND a.number <= $2 AND a.asked_at >= $3 AND a.asked_at < $4 \
                AND l.number = (SELECT max(n.number) FROM answer_labels n \
                    WHERE n.answer_id = l.answer_id AND n.who = l.who) \
                ORDER BY a.number, l.number";
    Ok(sql::query_as(text)
        .bind(first)
        .bind(last)
        .bind(asked.from)
        .bind(asked.before)
        .fetch_all(connection)
        .await?)
}

impl Writing {
    /// Keeps an answer, without its claims.
    ///
    /// # Errors
    /// [`StoreError::Database`]: also where its id is taken.
    pub async fn add_answer(&mut self, new: &NewAnswer<'_>) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO answers (answer_id, body_sha256, question, asked_at, valid_at, known_at, index_build, class, delivered, \
             who, recorded_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        )
        .bind(new.answer_id)
        .bind(new.body_sha256)
        .bind(new.question.as_bytes())
        .bind(new.asked_at)
        .bind(new.valid_at)
        .bind(new.known_at)
        .bind(new.index_build)
        .bind(new.class)
        .bind(new.delivered)
        .bind(new.who)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// Keeps a claim of an answer.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_claim(&mut self, answer_id: &str, claim: i64, text: &str) -> Result<(), StoreError> {
        sql::query("INSERT INTO answer_claims (answer_id, claim, text) VALUES ($1, $2, $3)")
            .bind(answer_id)
            .bind(claim)
            .bind(text.as_bytes())
            .execute(self.connection())
            .await?;
        Ok(())
    }

    /// Keeps what a claim cites: the document, its bytes, and the citation as it was given, JSON.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_answer_citation(
        &mut self,
        (answer_id, claim, ordinal): (&str, i64, i64),
        (doc_id, doc_sha256): (&str, &str),
        citation: &[u8],
    ) -> Result<(), StoreError> {
        sql::query(
            "INSERT INTO answer_citations (answer_id, claim, ordinal, doc_id, doc_sha256, citation) \
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(answer_id)
        .bind(claim)
        .bind(ordinal)
        .bind(doc_id)
        .bind(doc_sha256)
        .bind(citation)
        .execute(self.connection())
        .await?;
        Ok(())
    }

    /// Says what somebody says of an answer; `cause` is of what is faithful and wrong.
    ///
    /// # Errors
    /// [`StoreError::Database`].
    pub async fn add_answer_label(
        &mut self,
        answer_id: &str,
        (faithful, correct, cause): (bool, bool, Option<&str>),
        why: &str,
        who: &str,
    ) -> Result<(), StoreError> {
        let now = self.now;
        sql::query(
            "INSERT INTO answer_labels (answer_id, faithful, correct, cause, why, who, recorded_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7)",
        )
        .bind(answer_id)
        .bind(faithful)
        .bind(correct)
        .bind(cause)
        .bind(why.as_bytes())
        .bind(who)
        .bind(now)
        .execute(self.connection())
        .await?;
        Ok(())
    }
}
