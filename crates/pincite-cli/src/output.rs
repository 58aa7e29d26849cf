//! Standard output, and how a command ends.
//!
//! Deliberately not here: colours. Words say what they mean.

use pincite_app::AppError;
use pincite_app::wire::ErrorCode;
use serde::Serialize;
use std::io::Write as _;

/// How a command that was carried out ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Findings {
    /// Nothing was found wrong.
    None,
    /// Something was: exit code 1.
    Some,
}

impl Findings {
    pub(crate) const fn when(found: bool) -> Self {
        if found { Self::Some } else { Self::None }
    }
}

/// Why a command was not carried out.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The reader of our output has gone.
    OutputClosed,
    /// An exit code and one line.
    Said { code: u8, message: String },
}

impl Failure {
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::Said {
            code: 2,
            message: message.into(),
        }
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::Said {
            code: 3,
            message: message.into(),
        }
    }
}

impl From<AppError> for Failure {
    fn from(error: AppError) -> Self {
        let code = match error.code {
            ErrorCode::Internal | ErrorCode::Unavailable => 3,
            _ => 2,
        };
        Self::Said {
            code,
            message: error.message,
        }
    }
}

/// Where the answer goes: as JSON, or in words.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    pub(crate) json: bool,
}

impl Output {
    pub(crate) const fn new(json: bool) -> Self {
        Self { json }
    }

    /// One line of text, written out at once: what was printed was done.
    #[expect(
        clippy::unused_self,
        reason = "all output goes through here, and reads the same at every call"
    )]
    pub(crate) fn text(self, line: &str) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        match writeln!(out, "{line}").and_then(|()| out.flush()) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(Failure::OutputClosed),
            Err(error) => Err(Failure::internal(format!("standard output can't be written: {error}"))),
        }
    }

    /// Bytes as they are.
    #[expect(clippy::unused_self, reason = "as above")]
    pub(crate) fn bytes(self, bytes: &[u8]) -> Result<(), Failure> {
        let mut out = std::io::stdout().lock();
        match out.write_all(bytes).and_then(|()| out.flush()) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(Failure::OutputClosed),
            Err(error) => Err(Failure::internal(format!("standard output can't be written: {error}"))),
        }
    }

    /// A value: as one line of JSON, or in the words given.
    pub(crate) fn value<T: Serialize>(self, value: &T, words: impl FnOnce(&T) -> String) -> Result<(), Failure> {
        if self.json {
            let line = serde_json::to_string(value).map_err(|error| Failure::internal(error.to_string()))?;
            self.text(&line)
        } else {
            let words = words(value);
            if words.is_empty() { Ok(()) } else { self.text(&words) }
        }
    }

    /// A list: as one JSON array, or a line in words for each.
    pub(crate) fn list<T: Serialize>(
        self,
        list: &[T],
        words: impl Fn(&T) -> String,
        empty: &str,
    ) -> Result<(), Failure> {
        if self.json {
            return self.value(&list, |_| String::new());
        }
        if list.is_empty() {
            eprintln!("{empty}");
        }
        list.iter().try_for_each(|value| self.text(&words(value)))
    }

    /// A list as JSON lines, or a line in words for each.
    pub(crate) fn lines<T: Serialize>(self, list: &[T], words: impl Fn(&T) -> String) -> Result<(), Failure> {
        list.iter().try_for_each(|value| self.value(value, &words))
    }
}
