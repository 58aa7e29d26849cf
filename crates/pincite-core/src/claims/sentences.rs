//! Splitting an answer into sentences.
//!
//! By rule, over the two languages of the corpus, English and German:
//! 1. A line break ends a sentence where a list item, a heading or a blank line follows, where the line before ended one, or was itself a
//!    heading: short, without a mark at its end, before a capital. Other line breaks are spaces.
//! 2. `.`, `!`, `?` and `…` end a sentence, with the closing quotation marks and brackets behind them, where white space and then
//!    something that can begin a sentence follows: a capital, a digit, an opening mark, a bullet.
//! 3. A full stop does not where it belongs to an abbreviation, to a single letter (an initial, a clause), or to a number that counts
//!    (`No. 4`, German `2. Mai`), unless nothing else can follow.
//! 4. A list item's mark (`-`, `*`, `•`, `1.`, `a)`) is no part of its sentence.
//!
//! Deliberately not here: what a sentence means.

/// Abbreviations that never end a sentence: something always follows.
const NEVER_LAST: &str = "\
    abb|abs|alt|approx|art|bspw|bzgl|ca|cf|ch|d.h|dr|e.g|eq|evtl|exkl|fig|gem|ggf|i.d.r|i.e|incl|inkl|kap|max|min|\
    mind|mio|mr|mrs|ms|mt|no|nos|nr|p|para|pp|prof|resp|rev|s.o|s.u|sec|sect|sog|st|str|tel|u.a|v|vgl|vol|vs|z.b|\
    ziff|zzgl";

/// Abbreviations that may end a sentence: they do where a capital follows.
const MAY_BE_LAST: &str = "\
    a.m|bzw|co|corp|etc|inc|ltd|p.m|u.k|u.s|usw";

/// The longest line that can be a heading, in characters.
const HEADING: usize = 40;

/// The sentences of a text, in order, without white space around them.
#[must_use]
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for block in blocks(text) {
        of_block(block, &mut found);
    }
    found
}

/// Runs of lines that go on with one another.
fn blocks(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let before = text.get(start..at).unwrap_or_default().trim_end();
        let ends = before.ends_with(['.', '!', '?', ':', '…', ';']);
        // A short line without a mark at its end, before one that begins anew, is a heading. What is wrapped is longer.
        let heading = !before.is_empty()
            && before.chars().count() <= HEADING
            && !before.ends_with([',', '-', '–'])
            && line.starts_with(char::is_uppercase);
        if line.trim().is_empty() || ends || heading || item_mark(line.trim_start()).is_some() || line.starts_with('#')
        {
            found.push(before);
            start = at;
        }
        at = end;
    }
    found.push(text.get(start..).unwrap_or_default());
    found.retain(|block| !block.trim().is_empty());
    found
}

/// What follows the mark of a list item or a heading; `None` where a line has none.
fn item_mark(line: &str) -> Option<&str> {
    for mark in ['-', '*', '•', '–', '‣', '#'] {
        if let Some(rest) = line.strip_prefix(mark) {
            let rest = rest.trim_start_matches(mark);
            return rest.starts_with([' ', '\t']).then(|| rest.trim_start());
        }
    }
    let label: &str = line.split([' ', '\t']).next()?;
    let inner = label.strip_suffix([')', '.'])?;
    let inner = inner.strip_prefix('(').unwrap_or(inner);
    let digits = !inner.is_empty() && inner.len() <= 2 && inner.bytes().all(|byte| byte.is_ascii_digit());
    let letter = inner.len() == 1 && inner.bytes().all(|byte| byte.is_ascii_lowercase());
    (digits || letter).then(|| line.get(label.len()..).unwrap_or_default().trim_start())
}

fn of_block<'a>(block: &'a str, found: &mut Vec<&'a str>) {
    let block = block.trim();
    let block = item_mark(block).filter(|rest| !rest.is_empty()).unwrap_or(block);
    let characters: Vec<(usize, char)> = block.char_indices().collect();
    let mut start = 0;
    let mut at = 0;
    while at < characters.len() {
        if let Some(after) = end_at(block, &characters, at) {
            let end = characters.get(after).map_or(block.len(), |(byte, _)| *byte);
            push(block.get(start..end), found);
            start = end;
            at = after;
        } else {
            at += 1;
        }
    }
    push(block.get(start..), found);
}

fn push<'a>(sentence: Option<&'a str>, found: &mut Vec<&'a str>) {
    found.extend(sentence.map(str::trim).filter(|sentence| !sentence.is_empty()));
}

/// Where the next sentence begins, if one ends with the character at `at`.
fn end_at(block: &str, characters: &[(usize, char)], at: usize) -> Option<usize> {
    let (byte, mark) = *characters.get(at)?;
    if !matches!(mark, '.' | '!' | '?' | '…') {
        return None;
    }
    let character = |index: usize| characters.get(index).map(|(_, character)| *character);
    let mut after = at + 1;
    while character(after).is_some_and(|next| matches!(next, '.' | '!' | '?' | '…')) {
        after += 1;
    }
    while character(after).is_some_and(|next| matches!(next, '"' | '\'' | '”' | '’' | '»' | '“' | ')' | ']')) {
        after += 1;
    }
    let spaces = characters
        .get(after..)?
        .iter()
        .take_while(|(_, next)| next.is_whitespace())
        .count();
    let Some(next) = character(after + spaces) else {
        return Some(after);
    };
    if spaces == 0 {
        return None;
    }
    let begins = next.is_uppercase()
        || next.is_numeric()
        || matches!(next, '"' | '\'' | '“' | '„' | '«' | '(' | '[' | '§' | '-' | '•' | '*');
    if !begins {
        return None;
    }
    if mark == '.' && after == at + 1 && !stop_ends(block.get(..byte)?, next) {
        return None;
    }
    Some(after)
}

/// Whether a full stop behind this text ends a sentence, where `next` comes after it.
fn stop_ends(before: &str, next: char) -> bool {
    let word = before
        .rsplit(|character: char| character.is_whitespace() || matches!(character, '(' | '[' | '"' | '„' | '“'))
        .next()
        .unwrap_or_default();
    let lower = word.to_lowercase();
    if NEVER_LAST.split('|').any(|word| word == lower) {
        // "No." by itself is an answer.
        return lower == "no" && before.trim() == word && !next.is_numeric();
    }
    if MAY_BE_LAST.split('|').any(|word| word == lower) {
        return next.is_uppercase();
    }
    let mut letters = word.chars();
    let single = letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none();
    if single {
        // A unit behind its number: "200 g. If it is less".
        let before_it = before.trim_end_matches(word).trim_end();
        return before_it.ends_with(|character: char| character.is_ascii_digit());
    }
    // German dates and ordinals: "am 2. Mai", "der 3. Abschnitt".
    let ordinal = (1..=2).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_digit());
    if ordinal {
        let previous = before.get(..before.len() - word.len()).unwrap_or_default().trim_end();
        let article = previous
            .rsplit(char::is_whitespace)
            .next()
            .unwrap_or_default()
            .to_lowercase();
        return !matches!(
            article.as_str(),
            "am" | "zum"
                | "vom"
                | "bis"
                | "der"
                | "die"
                | "das"
                | "dem"
                | "den"
                | "des"
                | "im"
                | "ab"
                | "seit"
                | "jeder"
                | "jedes"
        );
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_full_stop_is_not_always_an_end() {
        for (text, expected) in [
            (
                "Keep it 5 years. Then shred it.",
                vec!["Keep it 5 years.", "Then shred it."],
            ),
            (
                "Meals, e.g. Lunch, cost approx. 25 EUR. That is all.",
                vec!["Meals, e.g. Lunch, cost approx. 25 EUR.", "That is all."],
            ),
            (
                "See No. 4 and Sec. 3.2. It says 1.5 mg.",
                vec!["See No. 4 and Sec. 3.2.", "It says 1.5 mg."],
            ),
            ("No. It is not.", vec!["No.", "It is not."]),
            (
                "Gilt ab dem 2. Mai nach Abs. 2. Danach nicht.",
                vec!["Gilt ab dem 2. Mai nach Abs. 2.", "Danach nicht."],
            ),
            (
                "He said \"Stop.\" Then he left.",
                vec!["He said \"Stop.\"", "Then he left."],
            ),
            (
                "Made in the U.S. It is sold here.",
                vec!["Made in the U.S.", "It is sold here."],
            ),
            (
                "Limits:\n- Meals: 60 CHF\n- Hotels: 200 CHF\nThat is all",
                vec!["Limits:", "Meals: 60 CHF", "Hotels: 200 CHF", "That is all"],
            ),
            ("One line\ngoes on here. End.", vec!["One line\ngoes on here.", "End."]),
            ("1. First\n2. Second", vec!["First", "Second"]),
            ("", vec![]),
        ] {
            assert_eq!(sentences(text), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_lost_but_white_space_and_marks_of_lists(text in "[a-zA-Z0-9 .!?()\"\n-]{0,80}") {
            let letters = |text: &str| text.chars().filter(|character| character.is_alphabetic()).count();
            let kept: usize = sentences(&text).iter().map(|sentence| letters(sentence)).sum();
            // A list item's letter is the only letter that may go.
            let marks = text.split('\n').filter(|line| item_mark(line.trim_start()).is_some()).count();
            prop_assert!(kept <= letters(&text) && kept + marks >= letters(&text), "{:?}", text);
        }
    }
}
