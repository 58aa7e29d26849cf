//! Catalogues as people write them: any text is a catalogue or a list of what is wrong with it, never silence.
//!
//! Deliberately not here: JSON Schema's own correctness.

#![no_main]

use libfuzzer_sys::fuzz_target;
use pincite_core::record::{Catalogue, read};

fuzz_target!(|input: (&str, &str)| {
    let (toml, value) = input;
    match Catalogue::parse(toml) {
        Ok(catalogue) => {
            let value = serde_json_value(value);
            for name in catalogue.missing_required([]) {
                let field = catalogue.get(name).expect("a required field is in the catalogue");
                let _ = read(field, &value);
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});

fn serde_json_value(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_else(|_| serde_json::Value::String(text.to_owned()))
}
