//! Finding quotes again in a text: a file of quotes, an answer a line. No workspace is needed.
//!
//! The text is one that `document text` prints (pages joined by U+000C), or any other; offsets are its code points.
//!
//! Deliberately not here: the rule (`pincite_core::locate`), and keeping an answer.

use crate::error::AppError;
use crate::files;
use crate::import::open_lines_file;
use crate::lines::{LINE_LIMIT, Line, Lines};
use crate::ports::Progress;
use crate::wire::ImportCounts;
use pincite_core::locate::{FoldedLayer, Located, Place, Wanted, locate};
use pincite_core::text::Layer;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{BufReader, Read as _};
use std::path::Path;

/// A quote to find, as a line has it.
#[derive(Debug, Deserialize)]
struct QuoteLine {
    id: Option<Value>,
    quote: String,
    prefix: Option<String>,
    suffix: Option<String>,
    hint: Option<i64>,
}

/// A place that may be meant.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Candidate {
    /// First code point.
    pub start: u32,
    /// The code point after the last.
    pub end: u32,
    /// 0.98 to 1.
    pub score: f64,
}

/// What became of a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Exactly one place holds it.
    Found,
    /// More than one does.
    Ambiguous,
    /// None does.
    Lost,
}

/// The answer for one quote.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The quote's id as it was given; the line's number where it has none.
    pub id: Value,
    /// What became of it.
    pub outcome: Outcome,
    /// First code point, where it was found.
    pub start: Option<u32>,
    /// The code point after the last.
    pub end: Option<u32>,
    /// 0.98 to 1: 1 where they differ in white space at most.
    pub score: Option<f64>,
    /// Whether the place equals the quote under MatchFold.
    pub equal: Option<bool>,
    /// `start` less the hint, where one was given.
    pub shift: Option<i64>,
    /// Where it is ambiguous: the first places.
    pub candidates: Vec<Candidate>,
    /// How many places hold it; at least so many, where it is ambiguous.
    pub count: usize,
}

/// Finds the quotes in a file of JSON lines; answers how many lines were not found in exactly one place. A line that is
/// no quote is said to the person and has no answer.
///
/// # Errors
/// A file that can't be read, a text that is not UTF-8, cancellation.
pub fn file(
    text: &Path,
    quotes: &Path,
    progress: &dyn Progress,
    mut answer: impl FnMut(&Answer),
) -> Result<u64, AppError> {
    let layer = read_layer(text)?;
    let name = quotes.display().to_string();
    let (file, total) = open_lines_file(quotes)?;
    let folded = FoldedLayer::new(&layer);
    let mut lines = Lines::new(BufReader::with_capacity(1 << 16, file));
    let mut findings = 0;
    while let Some(line) = lines
        .next_line()
        .map_err(|error| AppError::bad_input(format!("{name}: line {}: it can't be read: {error}", lines.number + 1)))?
    {
        if progress.cancelled() {
            return Err(AppError::cancelled());
        }
        match read_quote(line) {
            Ok(quote) => {
                let found = answer_of(&folded, quote, lines.number);
                findings += u64::from(found.outcome != Outcome::Found);
                answer(&found);
            }
            Err(reason) => {
                progress.finding(&format!("{name}: line {}: {reason}", lines.number));
                findings += 1;
            }
        }
        progress.at(&name, lines.bytes, total, &ImportCounts::default());
    }
    Ok(findings)
}

fn read_layer(path: &Path) -> Result<Layer, AppError> {
    files::look(path, "name one text file, such as `pincite document text DOC` prints")?;
    let mut bytes = Vec::new();
    files::open(path)?
        .read_to_end(&mut bytes)
        .map_err(|error| files::refused(path, &format!("it can't be read: {error}")))?;
    Layer::from_bytes(&bytes).map_err(|error| {
        files::refused(
            path,
            &format!("{error}; write it as UTF-8, as `pincite document text` does"),
        )
    })
}

fn read_quote(line: Line) -> Result<QuoteLine, String> {
    match line {
        Line::TooLong => Err(format!("the line is longer than {LINE_LIMIT} bytes; a quote is one line of JSON")),
        Line::Text(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
            format!(
                "it is no quote ({error}); write one JSON object a line with id and quote, and prefix, suffix and hint where they are known"
            )
        }),
    }
}

fn answer_of(layer: &FoldedLayer, line: QuoteLine, number: u64) -> Answer {
    let wanted = Wanted {
        quote: &line.quote,
        prefix: line.prefix.as_deref(),
        suffix: line.suffix.as_deref(),
        hint: line.hint,
    };
    let id = line.id.unwrap_or_else(|| Value::String(number.to_string()));
    let nowhere = |outcome| Answer {
        id: id.clone(),
        outcome,
        start: None,
        end: None,
        score: None,
        equal: None,
        shift: None,
        candidates: Vec::new(),
        count: 0,
    };
    match locate(layer, &wanted) {
        Located::Found { place, shift } => Answer {
            start: Some(place.span.start().0),
            end: Some(place.span.end().0),
            score: Some(place.score),
            equal: Some(place.equal),
            shift,
            count: 1,
            ..nowhere(Outcome::Found)
        },
        Located::Ambiguous { places, count } => Answer {
            candidates: places.iter().map(candidate).collect(),
            count,
            ..nowhere(Outcome::Ambiguous)
        },
        Located::Lost => nowhere(Outcome::Lost),
    }
}

const fn candidate(place: &Place) -> Candidate {
    Candidate {
        start: place.span.start().0,
        end: place.span.end().0,
        score: place.score,
    }
}
