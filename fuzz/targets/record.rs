//! Records as they are imported: any line is a record or an error with a reason, and a record that was read can be
//! validated and decided on.
//!
//! Deliberately not here: the store.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pincite_core::record::{Catalogue, FieldRecord, violations};
use std::sync::OnceLock;

const CATALOGUE: &str = include_str!("../../fixtures/catalogue.toml");

fuzz_target!(|line: &[u8]| {
    static KNOWN: OnceLock<Catalogue> = OnceLock::new();
    let catalogue = KNOWN.get_or_init(|| Catalogue::parse(CATALOGUE).expect("our own catalogue"));
    match FieldRecord::parse_line(line) {
        Ok(record) => {
            let _ = violations(&record, catalogue);
            if let Some(field) = catalogue.get(&record.field) {
                // A value equals itself or is no value of its type.
                if pincite_core::record::read(field, &record.value).is_ok() {
                    assert!(pincite_core::record::equal(field, &record.value, &record.value));
                }
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
