//! `make corpus`: everything that is measured on the corpus, in full, written into docs/CORPUS.md by the run itself.
//!
//! One function a section, in [`SECTIONS`]; each measures, writes its tables and answers what it found wanting. The file is
//! written whatever came out, and the run fails afterwards if anything was wanting. It holds no date, no time, no path of
//! this machine, so that it changes only when what is measured does.
//!
//! Deliberately not here: speeds, which differ from machine to machine (`make bench` prints them).

use crate::corpus_documents::{Corpus, corpus, repository};
use crate::corpus_measure::{self, Effort, Row};
use crate::{Outcome, corpus_order, corpus_tokens};
use std::fmt::Write as _;

/// A section's text, and what was found wanting.
type Section = Result<(String, Outcome), Box<dyn std::error::Error>>;

/// A section's title and what makes it.
type Maker = (&'static str, fn(&Corpus) -> Section);

/// Every section, in order.
const SECTIONS: [Maker; 3] = [
    ("Text, boxes and selection", spans_section),
    ("Words against independent boxes", tokens_section),
    ("Columns", columns_section),
];

/// Spans of a document at most, drawn over all of its pages.
const FULL: Effort = Effort {
    spans: 500,
    pages: usize::MAX,
};

fn share(count: usize, of: usize) -> String {
    if of == 0 {
        return "–".into();
    }
    format!("{:.2} %", 100.0 * count as f64 / of as f64)
}

fn number(row: &Row, key: &str) -> u64 {
    let facts = &row.facts;
    let value = if facts[key].is_null() {
        &facts["trust"][key]
    } else {
        &facts[key]
    };
    value
        .as_u64()
        .or_else(|| value.as_array().map(|list| list.len() as u64))
        .unwrap_or(0)
}

fn spans_section(corpus: &Corpus) -> Section {
    const FACTS: [&str; 9] = [
        "pages",
        "chars",
        "boxed",
        "unboxed",
        "replaced",
        "unmapped",
        "doubled",
        "scanned_pages",
        "untrusted_pages",
    ];
    let rows = corpus_measure::measured(corpus, 1, FULL)?;
    let mut text = String::from(
        "Up to 500 distinct random spans of each document that has text, from a fixed seed; lengths 1 to 400 code points, \
         their logarithm uniform; one in ten laid over the end of a page.\n\n\
         * **ink**: the share of spans, among those whose glyphs have ink, whose rectangles cover it on the page drawn at \
         144 dpi. Ink is what changes when the page's text is switched off; one pixel of tolerance; what lies in a \
         neighbour's own box is the neighbour's. A page of more than 40 million pixels is not drawn.\n\
         * **same**: selecting by each of the span's rectangles gives the span back, where any rectangle can tell its ends \
         from their neighbours (a mark on its letter, text drawn twice at one place can't be told apart). **exact**: with the same start and end.\n\
         * **columns**: pages that are read in another order than the layer's.\n\n\
         | document | pages | code points | boxed | unboxed | replaced | unmapped | doubled | scanned | untrusted | columns \
         | spans | with ink | ink | same | exact |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    let mut line = |name: &str, facts: [u64; 9], row: &Row| {
        let facts: Vec<String> = facts.iter().map(ToString::to_string).collect();
        let _ = writeln!(
            text,
            "| {name} | {} | {} | {} | {} | {} | {} | {} |",
            facts.join(" | "),
            row.columns,
            row.spans,
            row.inked,
            share(row.covered, row.inked),
            share(row.same, row.spans),
            share(row.exact, row.spans)
        );
    };
    let facts = |row: &Row| FACTS.map(|key| number(row, key));
    for row in &rows {
        line(&row.name, facts(row), row);
    }
    let total = rows
        .iter()
        .map(facts)
        .fold([0; 9], |sum, row| std::array::from_fn(|at| sum[at] + row[at]));
    line("**all**", total, &Row::all(&rows));
    for row in &rows {
        row.alike
            .iter()
            .for_each(|alike| eprintln!("not to be told apart: {alike}"));
        row.wrong.iter().for_each(|wrong| eprintln!("wrong: {wrong}"));
    }
    Ok((text, corpus_measure::judge(&rows)))
}

fn tokens_section(corpus: &Corpus) -> Section {
    let all = corpus_tokens::compared(corpus)?;
    let mut text = String::from(
        "Tokens of another program, paired with our words by text and overlap: left and right edges within 1.5 points, and \
         at least 60 % of the token's height inside the word's box.\n\n\
         | document | tokens | paired | edges | overlap |\n|---|--:|--:|--:|--:|\n",
    );
    for one in &all {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} |",
            one.name,
            one.tokens,
            share(one.paired, one.tokens),
            share(one.edges, one.paired),
            share(one.overlapping, one.paired)
        );
    }
    Ok((text, corpus_tokens::judge(&all)))
}

fn columns_section(corpus: &Corpus) -> Section {
    let (drags, right, wrong) = corpus_order::dragged(corpus)?;
    let text = format!(
        "Selections dragged down one column of pages that a person read, from its first words to its last: all of that \
         column is taken and nothing of the other one.\n\n| drags | right |\n|--:|--:|\n| {drags} | {right} |\n"
    );
    let outcome = if wrong.is_empty() {
        Ok(())
    } else {
        Err(wrong.join("; ").into())
    };
    Ok((text, outcome))
}

#[test]
#[ignore = "minutes: `make corpus`"]
fn corpus_is_measured_and_written_down() -> Outcome {
    let Some(corpus) = corpus()? else { return Ok(()) };
    let mut document = String::from(
        "# What was measured on the corpus\n\nWritten by `make corpus`, from the documents that `PINCITE_CORPUS` names; \
         not by hand. docs/TESTING.md says how to run it.\n",
    );
    let mut wanting = Vec::new();
    for (title, section) in SECTIONS {
        let (text, outcome) = section(&corpus)?;
        let _ = write!(document, "\n## {title}\n\n{text}");
        wanting.extend(outcome.err().map(|error| format!("{title}: {error}")));
    }
    std::fs::write(repository().join("docs/CORPUS.md"), document)?;
    if wanting.is_empty() {
        Ok(())
    } else {
        Err(wanting.join("\n").into())
    }
}
