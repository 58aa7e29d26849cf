//! One answer as a line of JSON says it.
//!
//! A key that nobody knows is refused and not passed over: a mistyped `known_at` would leave a question's clock running. Inside a
//! citation it is passed over, as everywhere.
//!
//! Deliberately not here: what becomes of the answer.

use crate::lines::{LINE_LIMIT, Line};
use crate::registry::questions::Dates;
use crate::times;
use pincite_core::citation::Citation;
use pincite_core::queue::canonical_json;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The longest id or class, in bytes.
const NAME_LIMIT: usize = 200;

/// How far ahead of the database's clock another machine's may be, in milliseconds.
pub(crate) const CLOCKS_DIFFER: i64 = 5 * 60 * 1000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnswerLine {
    answer_id: String,
    question: String,
    #[serde(default)]
    asked_at: Option<String>,
    valid_at: String,
    #[serde(default)]
    known_at: Option<String>,
    #[serde(default)]
    index_build: Option<Value>,
    #[serde(default)]
    class: Option<String>,
    #[serde(default)]
    delivered: Option<bool>,
    claims: Vec<ClaimLine>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClaimLine {
    text: String,
    #[serde(default)]
    citations: Vec<Citation>,
}

/// A claim with what it cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReadClaim {
    pub(crate) text: String,
    pub(crate) citations: Vec<Citation>,
}

/// An answer as it was read.
#[derive(Debug, Clone)]
pub(crate) struct ReadAnswer {
    pub(crate) answer_id: String,
    pub(crate) question: String,
    /// Milliseconds since 1970 UTC, of a day its end, which may still be to come; `None` where the line does not say.
    pub(crate) asked_at: Option<i64>,
    pub(crate) dates: Dates,
    /// JSON: a text, or parts by name.
    pub(crate) index_build: Option<Vec<u8>>,
    pub(crate) class: String,
    pub(crate) delivered: bool,
    pub(crate) claims: Vec<ReadClaim>,
    /// The hash of its meaning.
    pub(crate) body_sha256: String,
}

impl ReadAnswer {
    pub(crate) fn citations(&self) -> impl Iterator<Item = &Citation> {
        self.claims.iter().flat_map(|claim| &claim.citations)
    }
}

/// Reads a line; `now` is the database's time in milliseconds since 1970 UTC. The error is the answer's id, where the line has one,
/// and the reason for which the line is refused.
pub(crate) fn read(line: &Line, now: i64) -> Result<ReadAnswer, (Option<String>, String)> {
    let Line::Text(bytes) = line else {
        return Err((
            None,
            format!("the line is longer than {LINE_LIMIT} bytes; an answer is one line of JSON"),
        ));
    };
    let read: AnswerLine = object(bytes).map_err(|cause| {
        let id = serde_json::from_slice::<Value>(bytes).ok();
        let id = id.and_then(|value| Some(value.get("answer_id")?.as_str()?.to_owned()));
        (id, no_answer(&cause))
    })?;
    let id = read.answer_id.clone();
    checked(read, now).map_err(|reason| (Some(id), reason))
}

/// A line's one object; or what is wrong with it, and where.
pub(crate) fn object<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    // A list of the same values in order would be read as if it had the keys.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err("it is no object".into());
    }
    serde_json::from_slice(bytes).map_err(|error| {
        let cause = error.to_string();
        let cause = cause.split(" at line ").next().unwrap_or_default();
        format!("{cause}, column {}", error.column())
    })
}

fn no_answer(cause: &str) -> String {
    format!(
        "it is no answer ({cause}); a line is {{\"answer_id\", \"question\", \"valid_at\", \"claims\": [{{\"text\", \"citations\": []}}]}}, \
         and may have asked_at, known_at, index_build, class and delivered"
    )
}

/// When somebody asked, milliseconds since 1970 UTC. Of a day its end, as of a day for what was known: whoever asked knew what was
/// recorded that day.
fn asked(text: &str, now: i64) -> Result<i64, String> {
    let begins = times::moment(text, false).map_err(|error| error.message)?;
    if begins > now + CLOCKS_DIFFER {
        return Err(format!(
            "asked_at {} has not come yet: an answer is taken in after it was asked",
            times::text(begins)
        ));
    }
    let dates = Dates::read(None, Some(text)).map_err(|error| error.message)?;
    Ok(dates.known_at.unwrap_or(begins))
}

fn checked(read: AnswerLine, now: i64) -> Result<ReadAnswer, String> {
    let words = |error: crate::AppError| error.message;
    for (key, name) in [("answer_id", Some(&read.answer_id)), ("class", read.class.as_ref())] {
        if name.is_some_and(|name| name.len() > NAME_LIMIT || name.chars().any(char::is_control)) {
            return Err(format!(
                "{key} is no name: write at most {NAME_LIMIT} bytes on one line"
            ));
        }
    }
    if read.answer_id.trim().is_empty() {
        return Err("answer_id is empty: an answer has a name by which it is asked for".into());
    }
    if read.question.trim().is_empty() {
        return Err("question is empty: an answer answers one".into());
    }
    let dates = Dates::read(Some(&read.valid_at), read.known_at.as_deref()).map_err(words)?;
    let asked_at = read.asked_at.as_deref().map(|text| asked(text, now)).transpose()?;
    let index_build = match read.index_build {
        None | Some(Value::Null) => None,
        Some(build @ (Value::String(_) | Value::Object(_))) => Some(build),
        Some(_) => return Err("index_build is no build: write a text, or an object of its parts".into()),
    };
    let claims: Vec<ReadClaim> = read
        .claims
        .into_iter()
        .map(|claim| ReadClaim {
            text: claim.text,
            citations: claim.citations,
        })
        .collect();
    for (number, claim) in (1..).zip(&claims) {
        let names = claim.citations.iter().flat_map(|one| [&one.doc_id, &one.doc_sha256]);
        if names.clone().any(|name| name.chars().any(char::is_control)) {
            return Err(format!(
                "claim {number} cites a document whose name has a control character: write doc_id and doc_sha256 on one line"
            ));
        }
    }
    let class = read.class.unwrap_or_default();
    let delivered = read.delivered.unwrap_or(true);
    let meaning = json!({
        "question": read.question, "asked_at": asked_at, "valid_at": dates.valid_at.to_string(), "known_at": dates.known_at,
        "index_build": index_build, "class": class, "delivered": delivered,
        "claims": claims.iter().map(|claim| json!({ "text": claim.text, "citations": claim.citations })).collect::<Vec<Value>>(),
    });
    Ok(ReadAnswer {
        answer_id: read.answer_id,
        question: read.question,
        asked_at,
        dates,
        index_build: index_build.map(|build| build.to_string().into_bytes()),
        class,
        delivered,
        claims,
        body_sha256: pincite_core::sha256_hex(canonical_json(&meaning).as_bytes()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000_000;

    fn line(changes: Value) -> Value {
        let mut line = json!({
            "answer_id": "a-1", "question": "What is the rate?", "valid_at": "2026-03-15",
            "claims": [{ "text": "It is 85.", "citations": [{ "doc_id": "p", "doc_sha256": "00", "quote": "85" }] }]
        });
        if let (Some(line), Value::Object(changes)) = (line.as_object_mut(), changes) {
            for (key, value) in changes {
                let _ = line.insert(key, value);
            }
        }
        line
    }

    fn read_value(value: &Value) -> Result<ReadAnswer, (Option<String>, String)> {
        read(&Line::Text(value.to_string().into_bytes()), NOW)
    }

    fn meaning(changes: Value) -> String {
        read_value(&line(changes))
            .map(|read| read.body_sha256)
            .unwrap_or_default()
    }

    #[test]
    fn the_same_answer_is_the_same_in_whatever_words_its_defaults_are_said() {
        let plain = meaning(json!({}));
        assert!(!plain.is_empty());
        assert_eq!(
            plain,
            meaning(json!({"delivered": true, "class": null, "known_at": null}))
        );
        for other in [
            json!({"delivered": false}),
            json!({"known_at": "2026-03-15"}),
            json!({"asked_at": "2026-03-15"}),
            json!({"valid_at": "2026-03-16"}),
            json!({"index_build": "b-1"}),
            json!({"claims": []}),
        ] {
            assert_ne!(plain, meaning(other.clone()), "{other}");
        }
        let two = [
            json!({"index_build": {"a": 1, "b": 2}}),
            json!({"index_build": {"b": 2, "a": 1}}),
        ];
        assert_eq!(meaning(two[0].clone()), meaning(two[1].clone()));
    }

    #[test]
    fn a_line_that_is_no_answer_says_why() {
        let cases = [
            (json!({"know_at": "2026-03-15"}), "unknown field `know_at`"),
            (json!({"valid_at": "2026-02-30"}), "2026-02-30"),
            (json!({"valid_at": null}), "invalid type: null"),
            (json!({"known_at": "soon"}), "soon"),
            (json!({"asked_at": "2099-01-01"}), "has not come yet"),
            (json!({"answer_id": " "}), "answer_id is empty"),
            (json!({"answer_id": "a\nb"}), "answer_id is no name"),
            (json!({"class": "x".repeat(201)}), "class is no name"),
            (json!({"question": ""}), "question is empty"),
            (json!({"index_build": 7}), "index_build is no build"),
            (json!({"delivered": "yes"}), "expected a boolean"),
            (
                json!({"claims": [{"text": "x", "citation": []}]}),
                "unknown field `citation`",
            ),
            (
                json!({"claims": [{"text": "x", "citations": [{"doc_id": "a\u{0}", "doc_sha256": "0"}]}]}),
                "claim 1 cites a document",
            ),
        ];
        for (changes, wanted) in cases {
            let (id, reason) = read_value(&line(changes.clone())).err().unwrap_or_default();
            assert!(reason.contains(wanted), "{changes}: {reason}");
            assert!(id.is_some(), "{changes}: its id is there");
            assert_eq!(reason.lines().count(), 1);
        }
        assert!(read(&Line::TooLong, NOW).is_err());
        let list =
            Line::Text(br#"["a-1", "What is the rate?", null, "2026-03-15", null, null, null, null, []]"#.to_vec());
        assert!(read(&list, NOW).is_err_and(|(_, reason)| reason.contains("no object")));
    }

    #[test]
    fn a_day_for_what_was_known_is_its_end() {
        let read = read_value(&line(json!({"known_at": "2026-03-15", "asked_at": "2026-03-15"})));
        let (known, asked) = read
            .map(|read| (read.dates.known_at, read.asked_at))
            .unwrap_or_default();
        assert!(known.is_some() && known == asked, "{known:?} {asked:?}");
    }
}
