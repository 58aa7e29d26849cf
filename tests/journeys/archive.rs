//! An archive with its truth: documents, revisions of some of them, and citations of which it is known what a sweep has to say.
//!
//! Of the citations 92 in a hundred stand where they are cited, 5 are shifted, 2 differ in typography, 1 has another number than its
//! document. In one of four sources a later revision replaced 71 in a hundred of them. The same seed makes the same archive.
//!
//! Deliberately not here: running a sweep, and judging it.

use pincite_tests::World;
use pincite_tests::chance::Chance;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Citations of each document, three an answer.
pub(crate) const CITED: usize = 90;
/// Sections of each document, and clauses of each section.
const SECTIONS: usize = 15;
const CLAUSES: usize = 8;

const SUBJECTS: [&str; 8] = [
    "the batch's record",
    "a deviation report",
    "the supplier's certificate",
    "each calibration log",
    "the patient's consent form",
    "a claim's receipt",
    "the tender's price sheet",
    "an access request",
];
const DUTIES: [&str; 8] = [
    "is kept by the owner",
    "shall not be destroyed",
    "is reviewed by a second person",
    "is handed to quality assurance",
    "must be signed and dated",
    "is stored below the stated temperature",
    "may be extended once in writing",
    "is never released without approval",
];
const ENDS: [&str; 6] = [
    "unless the head of the unit \"waives\" it in writing",
    "before the end of the next working day",
    "together with the copies that belong to it",
    "as the annex to this section says",
    "whatever the outcome of the inspection was",
    "and no copy of it leaves the site",
];

/// What a sweep has to say of a citation: its class, and how far it moved. Intact ones are not here.
pub(crate) type Truth = BTreeMap<String, (&'static str, Option<i64>)>;

/// An archive that is in a world.
pub(crate) struct Archive {
    pub(crate) truth: Truth,
    pub(crate) citations: usize,
    /// Quotes with what stands at their place, as the sweep compares them.
    pub(crate) pairs: Vec<(String, String)>,
}

/// One clause: its text, and where it starts in its document.
struct Clause {
    start: usize,
    text: String,
    section: usize,
}

fn clause(chance: &mut Chance, number: usize) -> String {
    format!(
        "With form F{number}, {} {} for {} months – {}.",
        chance.of(&SUBJECTS),
        chance.of(&DUTIES),
        chance.below(90) + 2,
        chance.of(&ENDS)
    )
}

/// A document as a text, in numbered sections, and its clauses.
fn document(chance: &mut Chance, name: usize) -> (String, Vec<Clause>) {
    let mut text = format!("# Procedure {name}\n\n");
    let mut clauses = Vec::new();
    for section in 0..SECTIONS {
        let _ = write!(text, "## {} Part {}\n\n", section + 1, chance.below(1_000));
        for _ in 0..CLAUSES {
            let number = clauses.len();
            let words = clause(chance, number + 100);
            clauses.push(Clause {
                start: text.chars().count(),
                text: words.clone(),
                section,
            });
            let _ = write!(text, "{words}\n\n");
        }
    }
    (text, clauses)
}

/// Makes an archive of so many documents.
pub(crate) fn make(world: &World, documents: usize, seed: u64) -> Archive {
    let mut chance = Chance::new(seed);
    let mut archive = Archive {
        truth: Truth::new(),
        citations: 0,
        pairs: Vec::new(),
    };
    let mut manifest = String::new();
    let (mut answers, mut layers) = (String::new(), Vec::new());
    for name in 0..documents {
        let (text, clauses) = document(&mut chance, name);
        let replaced = name % 4 == 0;
        let file = format!("procedure-{name:04}-a.md");
        let _ = world.file(&file, &text);
        let class = if replaced { "vendor" } else { "documentation" };
        let _ = write!(
            manifest,
            "[[document]]\ndoc_id = \"procedure-{name:04}\"\nowner = \"o\"\nclass = \"{class}\"\n\n[[document.revision]]\n\
             revision = \"A\"\nfile = \"{file}\"\neffective_date = 2025-01-01\nrecorded_at = 2024-12-01\napproved_at = 2024-12-02\n\n"
        );
        // 71 of a hundred sections say something else in the next revision.
        let changed: Vec<bool> = (0..SECTIONS).map(|_| chance.below(100) < 71).collect();
        if replaced {
            let kept: Vec<String> = clauses
                .iter()
                .map(|clause| {
                    let is_changed = changed.get(clause.section).copied().unwrap_or_default();
                    let text = clause.text.clone();
                    if is_changed {
                        text.replace(" months", " weeks")
                    } else {
                        text
                    }
                })
                .collect();
            let next = text.clone();
            let next = clauses
                .iter()
                .zip(&kept)
                .fold(next, |text, (was, is)| text.replace(&was.text, is));
            let file = format!("procedure-{name:04}-b.md");
            let _ = world.file(&file, next);
            let declared: Vec<String> = (1..)
                .zip(&changed)
                .filter(|(_, changed)| **changed)
                .map(|(section, _)| format!("\"{section}\""))
                .collect();
            let _ = write!(
                manifest,
                "[[document.revision]]\nrevision = \"B\"\nfile = \"{file}\"\neffective_date = 2026-01-01\nrecorded_at = 2025-12-01\n\
                 approved_at = 2025-12-02\nchanged_sections = [{}]\nsupersedes = \"A\"\n\n",
                declared.join(", ")
            );
        }
        layers.push((text, clauses, replaced, changed));
    }
    let manifest = world.file("manifest.toml", manifest);
    let lines = world.lines(0, ["registry", "import", &manifest, "--why", "the archive"]);
    assert!(
        lines.iter().all(|line| line["outcome"] == "added"),
        "{:?}",
        lines.first()
    );

    let versions = hashes(world);
    for (name, (text, clauses, replaced, changed)) in layers.into_iter().enumerate() {
        let doc_id = format!("procedure-{name:04}");
        let text: Vec<char> = text.chars().collect();
        let sha256 = versions.get(&doc_id).cloned().unwrap_or_default();
        let mut citations = Vec::with_capacity(CITED);
        for place in 0..CITED {
            let id = format!("a{name}-{}#1.{}", place / 3, place % 3 + 1);
            let clause = chance.of(&clauses);
            let mut quote = clause.text.clone();
            let mut start = clause.start as i64;
            let (mut class, mut shift) = ("intact", None);
            match chance.below(100) {
                0..92 => {}
                92..97 => {
                    // One cause for most, chance for the rest.
                    let by = if chance.below(5) < 4 {
                        214
                    } else {
                        chance.below(400) as i64 + 10
                    };
                    start += by;
                    (class, shift) = ("drifted", Some(-by));
                }
                97..99 => quote = quote.replace('\'', "\u{2019}").replace('–', "-"),
                _ => {
                    quote = quote.replacen("form F", "form F9", 1);
                    class = "drifted";
                }
            }
            if replaced {
                // The section that it quotes, wherever its offsets lie.
                let is_changed = changed.get(clause.section).copied().unwrap_or_default();
                class = match (is_changed, class) {
                    (true, _) => "superseded",
                    (false, "intact") => "carried",
                    (false, other) => other,
                };
                shift = shift.filter(|_| class == "drifted");
            }
            if class != "intact" {
                let _ = archive.truth.insert(id, (class, shift));
            }
            let end = start + quote.chars().count() as i64;
            let stands: String = text
                .iter()
                .skip(usize::try_from(start).unwrap_or(0))
                .take(quote.chars().count())
                .collect();
            archive.pairs.push((quote.clone(), stands));
            citations.push(json!({
                "doc_id": doc_id, "doc_sha256": sha256, "char_start": start, "char_end": end, "quote": quote
            }));
        }
        archive.citations += citations.len();
        for (number, three) in citations.chunks(3).enumerate() {
            let line = json!({
                "answer_id": format!("a{name}-{number}"), "question": "Which?", "valid_at": "2026-03-15",
                "claims": [{ "text": "It is so.", "citations": three }]
            });
            let _ = writeln!(answers, "{line}");
        }
    }
    let answers = world.file("archive.jsonl", answers);
    let imported = world.run(["answer", "import", &answers, "--json"]);
    assert!(!imported.out.contains("\"refused\""), "{}", imported.err);
    archive
}

/// The bytes of each document's first revision.
fn hashes(world: &World) -> BTreeMap<String, String> {
    let shown = world.json(["registry", "show"]);
    shown
        .as_array()
        .into_iter()
        .flatten()
        .filter(|revision| revision["seq"] == 1)
        .map(|revision| {
            let text = |key: &str| revision[key].as_str().unwrap_or_default().to_owned();
            (text("doc_id"), text("doc_sha256"))
        })
        .collect()
}
