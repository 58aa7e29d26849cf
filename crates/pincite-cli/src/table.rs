//! Rows for spreadsheets: JSON lines, or comma-separated values with a head line.
//!
//! Deliberately not here: rows with anything nested in them.

use crate::output::{Failure, Output};
use serde::Serialize;

/// Rows of one kind, written as they come.
pub(crate) struct Table {
    output: Output,
    csv: bool,
    has_head: bool,
}

impl Table {
    pub(crate) const fn new(output: &Output, csv: bool) -> Self {
        Self {
            output: *output,
            csv,
            has_head: false,
        }
    }

    /// Writes a row. The head line, of the first row's names, comes before it.
    pub(crate) fn row<T: Serialize>(&mut self, row: &T) -> Result<(), Failure> {
        let unwritable = |error: String| Failure::internal(format!("a row can't be written: {error}"));
        if !self.csv {
            let line = serde_json::to_string(row).map_err(|error| unwritable(error.to_string()))?;
            return self.output.text(&line);
        }
        let mut writer = csv::WriterBuilder::new()
            .has_headers(!self.has_head)
            .from_writer(Vec::new());
        writer.serialize(row).map_err(|error| unwritable(error.to_string()))?;
        self.has_head = true;
        let bytes = writer.into_inner().map_err(|error| unwritable(error.to_string()))?;
        self.output.bytes(&bytes)
    }
}
