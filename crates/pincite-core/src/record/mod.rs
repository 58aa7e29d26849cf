//! Field records: what the catalogue says of a field, what an extractor says of a document, and what may be shown of it.
//!
//! [`catalogue`] reads the one TOML file that gives each field its type; [`value`] reads a value of that type and says when
//! two are equal; [`validate`] reads a record and lists what is wrong with it; [`mod@decide`] says whether it is shown, shown
//! with a badge, reviewed, or answered by "not stated in the document".
//!
//! Deliberately not here: verifying citations (`citation`), finding a quote's place, keeping anything. A record that says
//! something wrong is kept and routed to a person; only a line that is no record at all is an error.

pub mod catalogue;
mod catalogue_reader;
mod currency;
pub(crate) mod date;
pub mod decide;
pub mod number;
mod provenance;
mod unit;
pub mod validate;
pub mod value;

pub use catalogue::{Catalogue, CatalogueError, CatalogueProblem, FieldDefinition, FieldSchema, FieldType};
pub use decide::{Outcome, ReviewReason, ThresholdState, Thresholds, ThresholdsError, decide};
pub use number::{Decimal, NumberError};
pub use provenance::ProvenanceEntry;
pub(crate) use unit::unit_names;
pub use validate::{Extractor, FieldRecord, RecordLineError, ReportedConfidence, SchemaViolation, Status, violations};
pub use value::{TypedValue, ValueError, check, equal, equal_typed, read, stated};
