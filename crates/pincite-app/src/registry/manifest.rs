//! Reading a manifest of revisions: CSV, one a line; or TOML, documents with their revisions.
//!
//! What one line says wrong costs that line and is named with it. A column or key that nobody knows refuses the whole: it would
//! be a fact that silently went missing.
//!
//! Deliberately not here: whether what the lines say fits together (`manifest_check`), files, the store.

use crate::times;
use chrono::NaiveDate;
use std::collections::BTreeMap;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// How a manifest is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A line of names, then a revision a line.
    Csv,
    /// `[[document]]` with `[[document.revision]]`.
    Toml,
}

/// What a manifest says of one revision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Entry {
    /// The line where it begins, from 1.
    pub line: usize,
    /// The document.
    pub doc_id: String,
    /// Its name, as its owner gives it.
    pub revision: String,
    /// Its place in the order; by what it supersedes, or by the order of the lines, where it says none.
    pub seq: Option<i64>,
    /// The file with its bytes, beside the manifest.
    pub file: Option<String>,
    /// The bytes, where they are ingested already: a hash, or the start of one.
    pub doc_sha256: Option<String>,
    /// From which day on it is in force.
    pub effective_date: Option<NaiveDate>,
    /// From when on it was known, milliseconds since 1970 UTC; now, where it says nothing.
    pub recorded_at: Option<i64>,
    /// When it was approved; a draft where it says nothing.
    pub approved_at: Option<i64>,
    /// When it was withdrawn.
    pub withdrawn_at: Option<i64>,
    /// When it was archived.
    pub archived_at: Option<i64>,
    /// What is said to have changed; `None` where nothing is said.
    pub changed_sections: Option<Vec<String>>,
    /// The team that answers for it.
    pub owner: String,
    /// What kind of source it is.
    pub class: String,
    /// The revision that it takes the place of, by its name.
    pub supersedes: Option<String>,
}

/// Something about one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The line, from 1.
    pub line: usize,
    /// Document and revision, as far as the line says them.
    pub name: String,
    /// What is wrong, and what to do.
    pub message: String,
}

/// What was read.
#[derive(Debug, Default)]
pub struct Manifest {
    /// The lines that could be read.
    pub entries: Vec<Entry>,
    /// Those that could not.
    pub refused: Vec<Finding>,
}

/// Every name that a line may use. The first two are wanted.
pub const NAMES: [&str; 15] = [
    "doc_id",
    "revision",
    "seq",
    "file",
    "doc_sha256",
    "effective_date",
    "recorded_at",
    "approved_at",
    "withdrawn_at",
    "archived_at",
    "changed_sections",
    "owner",
    "class",
    "supersedes",
    "note",
];

/// What stands under one name.
#[derive(Debug, Clone)]
enum Said {
    One(String),
    Many(Vec<String>),
}

type Fields = BTreeMap<String, Said>;

/// Reads a manifest.
///
/// # Errors
/// One line: it is no CSV or TOML, or a name in it is none of [`NAMES`].
pub fn read(text: &str, form: Form) -> Result<Manifest, String> {
    let lines = match form {
        Form::Csv => from_csv(text)?,
        Form::Toml => from_toml(text)?,
    };
    let mut manifest = Manifest::default();
    for (line, fields) in lines {
        match entry(line, &fields) {
            Ok(entry) => manifest.entries.push(entry),
            Err(message) => manifest.refused.push(Finding {
                line,
                name: named(&fields),
                message,
            }),
        }
    }
    Ok(manifest)
}

fn unknown(name: &str, line: usize) -> String {
    format!(
        "line {line}: {name:?} is no name of a manifest; they are {}",
        NAMES.join(", ")
    )
}

fn from_csv(text: &str) -> Result<Vec<(usize, Fields)>, String> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let names = reader.headers().map_err(|error| error.to_string())?.clone();
    if let Some(name) = names.iter().find(|name| !NAMES.contains(name)) {
        return Err(unknown(name, 1));
    }
    if let Some(name) = names
        .iter()
        .enumerate()
        .find_map(|(at, name)| names.iter().take(at).any(|before| before == name).then_some(name))
    {
        return Err(format!("line 1: the column {name} stands there twice"));
    }
    let mut lines = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| match error.position() {
            Some(position) => format!("line {}: {error}", position.line()),
            None => error.to_string(),
        })?;
        let line = record.position().map_or(0, |position| position.line());
        let mut fields = Fields::new();
        for (name, value) in names.iter().zip(record.iter()).filter(|(_, value)| !value.is_empty()) {
            let said = if name == "changed_sections" {
                Said::Many(listed(value))
            } else {
                Said::One(value.to_owned())
            };
            let _ = fields.insert(name.to_owned(), said);
        }
        lines.push((usize::try_from(line).unwrap_or(usize::MAX), fields));
    }
    Ok(lines)
}

/// Sections as one cell of a table names them, `none` for none.
fn listed(value: &str) -> Vec<String> {
    value
        .split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty() && *part != "none")
        .map(str::to_owned)
        .collect()
}

fn from_toml(text: &str) -> Result<Vec<(usize, Fields)>, String> {
    let line_of = |at: usize| text.get(..at).map_or(1, |before| before.matches('\n').count() + 1);
    let document = DeTable::parse(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(span.start));
        format!("line {line}: {}", error.message())
    })?;
    let mut lines = Vec::new();
    for (name, value) in document.get_ref() {
        if name.get_ref() != "document" {
            return Err(unknown(name.get_ref(), line_of(name.span().start)));
        }
        for document in tables(value, "[[document]]", &line_of)? {
            let mut shared = Fields::new();
            let mut revisions = Vec::new();
            for (name, value) in document.get_ref() {
                let line = line_of(name.span().start);
                match name.get_ref().as_ref() {
                    "revision" => revisions = tables(value, "[[document.revision]]", &line_of)?,
                    name => insert(&mut shared, name, value.get_ref(), line)?,
                }
            }
            for revision in revisions {
                let mut fields = shared.clone();
                for (name, value) in revision.get_ref() {
                    insert(&mut fields, name.get_ref(), value.get_ref(), line_of(name.span().start))?;
                }
                lines.push((line_of(revision.span().start), fields));
            }
        }
    }
    Ok(lines)
}

/// A table of the manifest, with where it stands.
struct Table<'a, 'text> {
    table: &'a DeTable<'text>,
    span: std::ops::Range<usize>,
}

impl<'a, 'text> Table<'a, 'text> {
    fn get_ref(&self) -> &'a DeTable<'text> {
        self.table
    }

    fn span(&self) -> std::ops::Range<usize> {
        self.span.clone()
    }
}

fn tables<'a, 'text>(
    value: &'a Spanned<DeValue<'text>>,
    what: &str,
    line_of: &impl Fn(usize) -> usize,
) -> Result<Vec<Table<'a, 'text>>, String> {
    let wrong = |at: usize| format!("line {}: here stand tables, each begun by {what}", line_of(at));
    let DeValue::Array(items) = value.get_ref() else {
        return Err(wrong(value.span().start));
    };
    items
        .iter()
        .map(|item| match item.get_ref() {
            DeValue::Table(table) => Ok(Table {
                table,
                span: item.span(),
            }),
            _ => Err(wrong(item.span().start)),
        })
        .collect()
}

fn insert(fields: &mut Fields, name: &str, value: &DeValue<'_>, line: usize) -> Result<(), String> {
    if !NAMES.contains(&name) {
        return Err(unknown(name, line));
    }
    let said = match value {
        DeValue::Array(items) => Said::Many(items.iter().filter_map(|item| plain(item.get_ref())).collect()),
        other => Said::One(plain(other).ok_or_else(|| format!("line {line}: {name} is a text, a number or a date"))?),
    };
    let _ = fields.insert(name.to_owned(), said);
    Ok(())
}

fn plain(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.trim().to_owned()),
        DeValue::Integer(number) => Some(number.to_string()),
        DeValue::Datetime(time) => Some(time.to_string()),
        DeValue::Float(number) => Some(number.to_string()),
        _ => None,
    }
}

fn named(fields: &Fields) -> String {
    let one = |name: &str| match fields.get(name) {
        Some(Said::One(text)) => text.as_str(),
        _ => "?",
    };
    format!("{} {}", one("doc_id"), one("revision"))
}

fn entry(line: usize, fields: &Fields) -> Result<Entry, String> {
    let one = |name: &str| match fields.get(name) {
        Some(Said::One(text)) if !text.is_empty() => Ok(Some(text.clone())),
        Some(Said::Many(_)) => Err(format!("{name} has one value, not a list")),
        _ => Ok(None),
    };
    let wanted = |name: &str| one(name)?.ok_or_else(|| format!("it has no {name}"));
    let time = |name: &str| {
        one(name)?
            .map(|text| times::moment(&text, false).map_err(|_| no_time(name, &text)))
            .transpose()
    };
    let entry = Entry {
        line,
        doc_id: wanted("doc_id")?,
        revision: wanted("revision")?,
        seq: one("seq")?
            .map(|text| match text.parse::<i64>() {
                Ok(seq) if seq > 0 => Ok(seq),
                _ => Err(format!("seq is {text}, and is a whole number from 1")),
            })
            .transpose()?,
        file: one("file")?,
        doc_sha256: one("doc_sha256")?,
        effective_date: one("effective_date")?
            .map(|text| text.parse::<NaiveDate>().map_err(|_| no_day("effective_date", &text)))
            .transpose()?,
        recorded_at: time("recorded_at")?,
        approved_at: time("approved_at")?,
        withdrawn_at: time("withdrawn_at")?,
        archived_at: time("archived_at")?,
        changed_sections: match fields.get("changed_sections") {
            Some(Said::Many(sections)) => Some(sections.clone()),
            Some(Said::One(text)) => Some(listed(text)),
            None => None,
        },
        owner: one("owner")?.unwrap_or_default(),
        class: one("class")?.unwrap_or_default(),
        supersedes: one("supersedes")?,
    };
    if entry.file.is_some() == entry.doc_sha256.is_some() {
        return Err("it names its bytes by file or by doc_sha256, by one of them".into());
    }
    if entry.withdrawn_at.is_some() && entry.approved_at.is_none() {
        return Err("it is withdrawn and was never approved: say approved_at, or leave withdrawn_at out".into());
    }
    if entry.approved_at.is_some() && entry.effective_date.is_none() {
        return Err("it is approved and has no effective_date".into());
    }
    Ok(entry)
}

fn no_day(name: &str, text: &str) -> String {
    format!("{name} is {text}, which is no day of any calendar: write it as 2026-11-30")
}

fn no_time(name: &str, text: &str) -> String {
    format!("{name} is {text}, which is no day and no time: write it as 2026-11-30 or 2026-11-30T08:00:00Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(manifest: &Manifest) -> Option<&Entry> {
        manifest.entries.first()
    }

    #[test]
    fn a_line_and_a_table_say_the_same() -> Result<(), String> {
        let csv = "doc_id,revision,file,effective_date,approved_at,changed_sections,owner,class\n\
                   policy,B,b.pdf,2026-02-01,2026-01-20T08:00:00Z,2.1; 4,Travel,documentation\n";
        let toml = "[[document]]\ndoc_id = \"policy\"\nowner = \"Travel\"\nclass = \"documentation\"\n\n\
                    [[document.revision]]\nrevision = \"B\"\nfile = \"b.pdf\"\neffective_date = 2026-02-01\n\
                    approved_at = 2026-01-20T08:00:00Z\nchanged_sections = [\"2.1\", \"4\"]\n";
        let (csv, toml) = (read(csv, Form::Csv)?, read(toml, Form::Toml)?);
        let mut second = only(&toml).cloned().unwrap_or_default();
        assert_eq!(second.line, 6);
        second.line = 2;
        assert_eq!(only(&csv), Some(&second));
        assert_eq!(second.changed_sections, Some(vec!["2.1".into(), "4".into()]));
        assert!(csv.refused.is_empty() && toml.refused.is_empty());
        Ok(())
    }

    #[test]
    fn what_a_line_says_wrong_costs_that_line() -> Result<(), String> {
        let csv = "doc_id,revision,file,effective_date,seq,approved_at,withdrawn_at\n\
                   a,1,a.pdf,2026-02-30,,,\n\
                   a,2,a.pdf,2026-02-28,0,,\n\
                   a,3,,2026-02-28,1,,\n\
                   ,4,a.pdf,2026-02-28,1,,\n\
                   a,5,a.pdf,2026-02-28,1,,2026-03-01\n\
                   a,6,a.pdf,,1,2026-03-01,\n\
                   a,7,a.pdf,2026-02-28,1,,\n";
        let read = read(csv, Form::Csv)?;
        let refused: Vec<(usize, &str)> = read.refused.iter().map(|one| (one.line, one.name.as_str())).collect();
        assert_eq!(
            refused,
            [(2, "a 1"), (3, "a 2"), (4, "a 3"), (5, "? 4"), (6, "a 5"), (7, "a 6")]
        );
        let says = |line: usize, word: &str| {
            let found = read.refused.iter().find(|one| one.line == line);
            assert!(
                found.is_some_and(|one| one.message.contains(word)),
                "{line}: {word}: {found:?}"
            );
        };
        says(2, "2026-02-30");
        says(3, "seq is 0");
        says(4, "file or by doc_sha256");
        says(5, "no doc_id");
        says(6, "never approved");
        says(7, "no effective_date");
        assert_eq!(read.entries.len(), 1);
        Ok(())
    }

    #[test]
    fn a_name_that_nobody_knows_refuses_the_whole() {
        let wrong = [
            (
                "doc_id,revision,effectiv_date\na,1,2026-01-01\n",
                Form::Csv,
                "effectiv_date",
            ),
            ("doc_id,revision,revision\na,1,2\n", Form::Csv, "twice"),
            (
                "[[document]]\ndoc_id = \"a\"\nowners = [\"b\"]\n",
                Form::Toml,
                "line 3: \"owners\"",
            ),
            ("[[documents]]\n", Form::Toml, "line 1: \"documents\""),
            ("[document]\ndoc_id = \"a\"\n", Form::Toml, "[[document]]"),
            ("[[document]]\ndoc_id = \n", Form::Toml, "line 2"),
        ];
        for (text, form, word) in wrong {
            let said = read(text, form).err();
            assert!(
                said.as_ref().is_some_and(|said| said.contains(word)),
                "{text}: {said:?}"
            );
        }
    }
}
