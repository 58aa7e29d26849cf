//! Rule 5: every module says what it is, why, and what is deliberately not there; no file is long, no name is vague, no
//! word is shortened.
//!
//! Deliberately not here: whether a header is any good. A reader judges that.

use crate::code::code_only;
use crate::no_findings;
use pincite_tests::tree::{self, Source};

/// A longer file is two files.
const LONGEST: usize = 600;

/// Names that say nothing of what is inside.
const VAGUE: [&str; 7] = ["utils", "util", "helpers", "helper", "common", "misc", "stuff"];

/// Words that are cheaper to read whole. (`len`, `min`, `fn` and the like are names that the language itself has.)
const SHORTENED: [&str; 24] = [
    "ctx", "msg", "idx", "tmp", "conn", "btn", "cnt", "evt", "elem", "el", "cb", "txt", "num", "prev", "curr", "param",
    "params", "cmd", "dir", "pos", "repo", "util", "val", "opts",
];

fn written_here(source: &&Source) -> bool {
    !source.path.contains("/generated/") && !source.path.contains("/gen/schemas/")
}

/// The comment at the top of a file: everything before its first code.
fn header(source: &Source) -> String {
    let mut header = String::new();
    let mut inside: Option<&str> = None;
    for line in source.text.lines().map(str::trim) {
        if let Some(end) = inside {
            header.push_str(line);
            header.push('\n');
            if line.contains(end) {
                inside = None;
            }
            continue;
        }
        let block = [("<!--", "-->"), ("/*", "*/")]
            .into_iter()
            .find(|(start, _)| line.starts_with(start));
        // A Svelte module may open its script first; what is said there counts.
        let counts = line.is_empty() || line.starts_with("//") || line.starts_with("<script") || line.starts_with("#!");
        if let Some((_, end)) = block {
            inside = (!line.contains(end)).then_some(end);
        } else if !counts {
            break;
        }
        header.push_str(line);
        header.push('\n');
    }
    header
}

#[test]
fn every_module_opens_with_what_it_is_and_what_is_not_there() {
    let mut findings = Vec::new();
    for source in tree::sources()
        .iter()
        .filter(written_here)
        .filter(|source| matches!(source.extension(), "rs" | "ts" | "svelte"))
    {
        let header = header(source);
        if source.extension() == "rs" && !source.text.starts_with("//!") {
            findings.push(format!("{}: it does not begin with //!", source.path));
        } else if header.trim().is_empty() {
            findings.push(format!("{}: it does not begin with a comment", source.path));
        } else {
            // Tests beside a module are its other half, and its header says it. The sentence may run over a line's end.
            let beside = source.path.ends_with("_tests.rs") || source.path.ends_with(".test.ts");
            let words: String = header
                .replace("//!", " ")
                .replace("//", " ")
                .replace('*', " ")
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ");
            if !beside && !words.to_lowercase().contains("not here") {
                findings.push(format!(
                    "{}: its header does not say what is deliberately not here",
                    source.path
                ));
            }
        }
    }
    no_findings(
        &findings,
        "open with what it is, why, and \"Deliberately not here: ...\"",
    );
}

#[test]
fn no_file_is_longer_than_six_hundred_lines() {
    let written = ["rs", "ts", "svelte", "js", "css", "html", "sql", "py", "sh", "typ"];
    let findings: Vec<String> = tree::sources()
        .iter()
        .filter(written_here)
        .filter(|source| {
            written.contains(&source.extension()) || source.path == "Makefile" || source.path.starts_with("tools/")
        })
        .map(|source| (source, source.text.lines().count()))
        .filter(|(_, lines)| *lines > LONGEST)
        .map(|(source, lines)| format!("{}: {lines} lines", source.path))
        .collect();
    no_findings(&findings, "split it where its header says \"and\"");
}

#[test]
fn no_file_is_called_by_a_name_that_says_nothing() {
    let findings: Vec<String> = tree::sources()
        .iter()
        .filter(|source| {
            source.path.split('/').any(|part| {
                let stem = part.split('.').next().unwrap_or_default().to_lowercase();
                stem.split(['-', '_']).any(|word| VAGUE.contains(&word))
            })
        })
        .map(|source| source.path.clone())
        .collect();
    no_findings(&findings, "name the thing inside");
}

/// The words that names are made of: snake_case and camelCase taken apart.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for character in name.chars() {
        if character == '_' || character.is_uppercase() {
            words.push(String::new());
        }
        if character != '_'
            && let Some(last) = words.last_mut()
        {
            last.extend(character.to_lowercase());
        }
    }
    words
}

#[test]
fn no_word_is_shortened() {
    let mut findings = Vec::new();
    for source in tree::sources()
        .iter()
        .filter(written_here)
        .filter(|source| source.extension() == "rs")
    {
        for (number, line) in (1..).zip(code_only(&source.text).lines()) {
            // Names that are given here, not those that a library has.
            let given = [
                "let ", "let mut ", "fn ", "struct ", "enum ", "const ", "static ", "mod ", "|", "for ",
            ];
            for start in given {
                for (at, _) in line.match_indices(start) {
                    let name: String = line
                        .get(at + start.len()..)
                        .unwrap_or_default()
                        .chars()
                        .take_while(|c| c.is_alphanumeric() || *c == '_')
                        .collect();
                    for word in words(&name).iter().filter(|word| SHORTENED.contains(&word.as_str())) {
                        findings.push(format!("{}:{number}: {name} has {word}", source.path));
                    }
                }
            }
        }
    }
    findings.dedup();
    no_findings(&findings, "write the word");
}
