//! The trust report in words: what is there, then only what a reader should know of it.
//!
//! Deliberately not here: counting.

use pincite_app::wire::TrustView;
use std::fmt::Write as _;

/// The lines under a document: the figures that every document has, then those that are not nought.
pub(crate) fn words(trust: &TrustView) -> String {
    let mut lines = format!(
        "\n  boxes        {} with a box, {} without\n  tagged       {}",
        trust.boxed,
        trust.unboxed,
        match trust.tagged_pages {
            0 => "no".to_owned(),
            pages => format!("{pages} pages"),
        }
    );
    let mut line = |name: &str, words: String| {
        // Writing into a string can't fail.
        let _ = write!(lines, "\n  {name:<12} {words}");
    };
    for (name, pages, meaning) in [
        (
            "scanned",
            &trust.scanned_pages,
            "a picture and no text: shown, not citable by offset",
        ),
        (
            "recognised",
            &trust.recognised_pages,
            "a scan; its text is another program's reading, not painted",
        ),
        (
            "untrusted",
            &trust.untrusted_pages,
            "the text of these can't be trusted",
        ),
        ("damaged", &trust.damaged_pages, "could not be read at all"),
        ("turned", &trust.rotated_pages, "turned for display"),
        ("doubled", &trust.doubled_pages, "hold text that is drawn twice"),
    ] {
        if !pages.is_empty() {
            line(name, format!("pages {}: {meaning}", ranges(pages)));
        }
    }
    for (name, figure, meaning) in [
        ("replaced", trust.replaced, "code points stand as U+FFFD"),
        ("unmapped", trust.unmapped, "characters whose font maps to no Unicode"),
        ("private", trust.private_use, "code points of the private use areas"),
        (
            "doubled",
            trust.doubled,
            "code points are drawn a second time: kept, flagged",
        ),
        ("unpainted", trust.invisible, "code points are not painted"),
        (
            "outside",
            trust.outside,
            "code points lie outside the page as displayed",
        ),
        ("hyphens", trust.line_end_hyphens, "at the end of a line"),
        ("soft hyphens", trust.soft_hyphens, "inside a line"),
        ("form", trust.form_fields, "fields have a value: a layer of their own"),
        ("annotations", trust.annotations, "have words: a layer of their own"),
    ] {
        if figure > 0 {
            line(name, format!("{figure} {meaning}"));
        }
    }
    if trust.page_sizes > 1 {
        line("sizes", format!("the pages have {} sizes", trust.page_sizes));
    }
    if !trust.substituted_fonts.is_empty() {
        let names = trust.substituted_fonts.join(", ");
        line("fonts", format!("not in the file, boxes are a stand-in's: {names}"));
    }
    lines
}

/// Page numbers, neighbours joined: "1-3, 7".
fn ranges(pages: &[u32]) -> String {
    let mut found: Vec<(u32, u32)> = Vec::new();
    for page in pages {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == *page => *last = *page,
            _ => found.push((*page, *page)),
        }
    }
    let words: Vec<String> = found
        .iter()
        .map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}-{last}")
            }
        })
        .collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn neighbouring_pages_are_joined() {
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3, 7, 9-10");
        assert_eq!(ranges(&[4]), "4");
        assert_eq!(ranges(&[]), "");
    }
}
