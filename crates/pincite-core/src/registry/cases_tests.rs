//! What is in force, and what may be cited, case by case: one a line.
//!
//! Lines that begin with a capital letter and a colon describe revisions, in the order of their seq; the questions after
//! them are asked of that document until the next description begins.
//!
//! ```text
//! A 01-10: 1=x 2=y            revision A, approved, in force from 10 January 2026, recorded that day; section 1 says x
//! B 02-10 rec 03-01: ...      recorded on 1 March; approved when recorded, unless "ok" says otherwise
//! C 03-10 draft: ...          never approved            ok 04-01: approved on 1 April
//! ... gone 05-01, kept 05-01  withdrawn, archived       back 06-01: approved again
//! ... differs 1,2             sections whose declared change is open, found when recorded; "found", "settled" say other days
//! ... as A                    the same bytes as A       undated: no effective date
//! 2@3=y                       section 2, printed as number 3
//! 2.1=z                       lies in 2, so it is part of the content of 2
//! ```
//! A question: `2 on 03-01`, and `known 02-01` for the end of that day. `A/2 on 03-01` cites section 2 of A's bytes, `A/*` what
//! stands in no section of them.
//! Deliberately not here: properties of all histories (`property_tests`).

use super::*;
use chrono::{NaiveDate, NaiveTime};
use std::collections::BTreeSet;

const CASES: &str = "
# One revision.
A 01-10: 1=x 2=y
1 on 01-09                    | not yet, next A
1 on 01-10                    | in force A=x
1 on 12-31                    | in force A=x
1 on 2030-01-01               | in force A=x
1 on 02-01 known 01-09        | no such section
1 on 02-01 known 01-10        | in force A=x
3 on 02-01                    | no such section
A/1 on 02-01                  | pass in_force
A/1 on 01-09                  | stop not_yet; not yet, next A
A/1 on 02-01 known 01-09      | stop not_known; no such section
A/3 on 02-01                  | stop unknown; no such section
Z/1 on 02-01                  | stop unknown; in force A=x

# The section is unchanged in C and D, changed in B; another section's edits never matter.
A 01-10: 1=x 2=y
B 02-10: 1=x 2=z
C 03-10: 1=x 2=z 5=new
D 04-10: 1=x 2=w 5=newer
1 on 05-01                    | in force D=x
2 on 01-20                    | in force A=y
2 on 02-10                    | in force B=z
2 on 03-20                    | in force C=z
2 on 05-01                    | in force D=w
5 on 02-20                    | not yet, next C
A/1 on 05-01                  | pass carried
B/1 on 05-01                  | pass carried
C/1 on 05-01                  | pass carried
D/1 on 05-01                  | pass in_force
B/2 on 03-20                  | pass carried
B/2 on 05-01                  | stop superseded by D since 04-10; in force D=w
C/2 on 05-01                  | stop superseded by D since 04-10; in force D=w
A/2 on 05-01                  | stop superseded by B since 02-10; in force D=w
A/2 on 02-01                  | pass in_force
B/2 on 02-01                  | stop not_yet; in force A=y
C/5 on 05-01                  | stop superseded by D since 04-10; in force D=newer
A/5 on 05-01                  | stop unknown; in force D=newer

# A change in 2.1.a changes 2.1 and 2, and nothing beside them.
A 01-10: 2=i 2.1=j 2.1.a=k 2.2=l
B 02-10: 2=i 2.1=j 2.1.a=K 2.2=l
A/2 on 03-01                  | stop superseded by B since 02-10; in force B=i/j/K/l
A/2.1 on 03-01                | stop superseded by B since 02-10; in force B=j/K
A/2.1.a on 03-01              | stop superseded by B since 02-10; in force B=K
A/2.2 on 03-01                | pass carried

# Same day: the later seq holds; the earlier one never was in force, and is no draft either.
A 01-10: 1=x
B 02-10: 1=y
C 02-10: 1=z
1 on 02-09                    | in force A=x
1 on 02-10                    | in force C=z
A/1 on 02-10                  | stop superseded by C since 02-10; in force C=z
B/1 on 02-10                  | stop superseded by C since 02-10; in force C=z
C/1 on 02-10                  | pass in_force

# Same day, and the second was recorded later.
A 01-10: 1=x
B 02-10: 1=y
C 02-10 rec 03-05: 1=z
1 on 02-20 known 02-20        | in force B=y
1 on 02-20                    | in force C=z
B/1 on 02-20 known 03-04      | pass in_force
B/1 on 02-20 known 03-05      | stop superseded by C since 02-10; in force C=z

# Recorded late: B holds from February and was known in May. Either clock frozen, and both.
A 01-10: 1=x
B 02-10 rec 05-01: 1=y
1 on 03-15                    | in force B=y
1 on 03-15 known 03-15        | in force A=x
1 on 03-15 known 04-30        | in force A=x
1 on 03-15 known 05-01        | in force B=y
1 on 06-01 known 03-15        | in force A=x
1 on 06-01                    | in force B=y
A/1 on 03-15 known 03-15      | pass in_force
A/1 on 03-15                  | stop superseded by B since 02-10; in force B=y
B/1 on 03-15 known 03-15      | stop not_known; in force A=x
B/1 on 03-15                  | pass in_force
A/1 on 06-01 known 03-15      | pass in_force

# Recorded late for a date before a revision already known: it is superseded from the start.
A 01-10: 1=x
C 03-10: 1=z
B 02-10 rec 04-01: 1=y
1 on 02-20 known 03-20        | in force A=x
1 on 02-20                    | in force B=y
1 on 04-02                    | in force C=z
B/1 on 04-02                  | stop superseded by C since 03-10; in force C=z

# Recorded before it holds; approved later than it is dated.
A 01-10: 1=x
B 04-10 rec 02-01: 1=y
C 05-10 rec 02-01 draft ok 06-01: 1=z
1 on 04-09                    | in force A=x
1 on 04-10 known 02-01        | in force B=y
B/1 on 04-09                  | stop not_yet; in force A=x
C/1 on 04-09                  | stop not_yet; in force A=x
1 on 05-20 known 05-31        | in force B=y
C/1 on 05-20 known 05-31      | stop draft; in force B=y
1 on 05-20                    | in force C=z
B/1 on 05-20                  | stop superseded by C since 05-10; in force C=z

# A draft supersedes nothing, is never in force, and stops even where it says what is in force.
A 01-10: 1=x 2=y
B 02-10 draft: 1=z 2=y 3=only
1 on 03-01                    | in force A=x
2 on 03-01                    | in force A=y
3 on 03-01                    | not yet, nothing dated
B/1 on 03-01                  | stop draft; in force A=x
B/2 on 03-01                  | stop draft; in force A=y
B/3 on 03-01                  | stop draft; not yet, nothing dated
A/1 on 03-01                  | pass in_force

# Only a draft; a revision without a date.
A 01-10 draft: 1=x
B undated: 1=y
1 on 03-01                    | not yet, nothing dated
A/1 on 03-01                  | stop draft; not yet, nothing dated
B/1 on 03-01                  | stop not_yet; not yet, nothing dated

# B is withdrawn: A is in force again, and what was known before stays known.
A 01-10: 1=x 2=y
B 02-10 gone 03-15: 1=z 2=y 3=n
1 on 02-20                    | in force A=x
1 on 02-20 known 03-14        | in force B=z
1 on 02-20 known 03-15        | in force A=x
1 on 04-01                    | in force A=x
3 on 04-01                    | withdrawn B
3 on 04-01 known 03-01        | in force B=n
A/1 on 04-01                  | pass in_force
A/1 on 04-01 known 03-01      | stop superseded by B since 02-10; in force B=z
B/1 on 04-01                  | stop withdrawn; in force A=x
B/2 on 04-01                  | stop withdrawn; in force A=y
B/1 on 02-20 known 03-01      | pass in_force
B/3 on 04-01                  | stop withdrawn; withdrawn B

# The only revision is withdrawn, then approved again.
A 01-10 gone 02-01 back 03-01: 1=x
1 on 01-05                    | not yet, next A
1 on 01-20 known 01-20        | in force A=x
1 on 01-20 known 02-01        | withdrawn A
1 on 01-20 known 02-28        | withdrawn A
1 on 01-05 known 02-15        | not yet, nothing dated
A/1 on 01-20 known 02-15      | stop withdrawn; withdrawn A
1 on 01-20                    | in force A=x
A/1 on 01-20                  | pass in_force

# Withdrawn before it was approved: a draft that will not come. It would not have been in force.
A 01-10 draft gone 02-01: 1=x
1 on 03-01                    | not yet, nothing dated
A/1 on 03-01                  | stop withdrawn; not yet, nothing dated

# Removed in C. What B's withdrawal takes with it was not removed.
A 01-10: 1=x 2=y
B 02-10: 1=x 2=z
C 03-10: 1=x
D 04-10: 1=w
2 on 02-20                    | in force B=z
2 on 03-10                    | removed by C
2 on 05-01                    | removed by C
B/2 on 05-01                  | stop removed by C since 03-10; removed by C
A/2 on 05-01                  | stop removed by C since 03-10; removed by C
B/2 on 03-09                  | pass in_force
C/2 on 05-01                  | stop unknown; removed by C

# Removed in B, back in C as it was, removed again in D.
A 01-10: 1=x 2=y
B 02-10: 1=x
C 03-10: 1=x 2=y
D 04-10: 1=x
2 on 02-20                    | removed by B
A/2 on 02-20                  | stop removed by B since 02-10; removed by B
A/2 on 03-20                  | pass carried
2 on 04-20                    | removed by D
A/2 on 04-20                  | stop removed by D since 04-10; removed by D

# The removal itself is withdrawn.
A 01-10: 1=x 2=y
B 02-10 gone 03-01: 1=x
2 on 02-20 known 02-20        | removed by B
2 on 02-20                    | in force A=y
A/2 on 02-20                  | pass in_force

# Renumbered in D: the key stays, the number does not, and the content is the same.
A 01-10: 1=x 2=y
D 02-10: 1=x 7@2=new 2@3=y
2 on 03-01                    | in force D=y at 3
A/2 on 03-01                  | pass carried
D/2 on 03-01                  | pass in_force
7 on 01-20                    | not yet, next D
A/7 on 03-01                  | stop unknown; in force D=new at 2

# Renumbered and changed at once.
A 01-10: 1=x 2=y
D 02-10: 1=x 2@3=z
A/2 on 03-01                  | stop superseded by D since 02-10; in force D=z at 3

# D restores B's text: B's copy is current again, C's is not; E changes it once more.
A 01-10: 1=a
B 02-10: 1=b
C 03-10: 1=c
D 04-10: 1=b
E 06-10: 1=e
A/1 on 05-01                  | stop superseded by B since 02-10; in force D=b
B/1 on 03-20                  | stop superseded by C since 03-10; in force C=c
B/1 on 05-01                  | pass carried
C/1 on 05-01                  | stop superseded by D since 04-10; in force D=b
D/1 on 05-01                  | pass in_force
B/1 on 07-01                  | stop superseded by E since 06-10; in force E=e

# Archived: another word for its life, and nothing else.
A 01-10 kept 03-01: 1=x 2=y
B 02-10 kept 03-01: 1=x 2=z
1 on 04-01                    | in force B=x
A/1 on 04-01                  | pass carried
A/2 on 04-01                  | stop superseded by B since 02-10; in force B=z
B/2 on 04-01                  | pass in_force

# A future revision.
A 01-10: 1=x 2=y
B 12-01 rec 02-01: 1=z 9=n
1 on 06-01                    | in force A=x
9 on 06-01                    | not yet, next B
9 on 06-01 known 01-31        | no such section
1 on 12-01                    | in force B=z
B/1 on 06-01                  | stop not_yet; in force A=x
A/1 on 12-01                  | stop superseded by B since 12-01; in force B=z
2 on 06-01                    | in force A=y
2 on 12-01                    | removed by B

# Declared and computed changes of 1 differ in B: copies from before are stale until somebody settles it.
A 01-10: 1=x 2=y
B 02-10 differs 1: 1=x 2=y
C 03-10: 1=x 2=y
1 on 04-01                    | in force C=x
A/1 on 02-01                  | pass in_force
A/1 on 02-20                  | stop superseded by B since 02-10; in force B=x
A/1 on 04-01                  | stop superseded by B since 02-10; in force C=x
B/1 on 04-01                  | pass carried
C/1 on 04-01                  | pass in_force
A/2 on 04-01                  | pass carried
A/1 on 04-01 known 02-09      | pass in_force

# Not settled in a draft or in a withdrawn revision: neither stops anything.
A 01-10: 1=x
B 02-10 draft differs 1: 1=x
C 03-10 gone 03-20 differs 1: 1=x
D 04-10: 1=x
A/1 on 05-01                  | pass carried
A/1 on 03-15 known 03-15      | stop superseded by C since 03-10; in force C=x

# The same bytes twice: current if either revision is.
A 01-10: 1=x
B 02-10: 1=y
C 03-10 as A: 1=x
A/1 on 02-20                  | stop superseded by B since 02-10; in force B=y
A/1 on 03-20                  | pass in_force
A/1 on 02-20 known 03-20      | stop superseded by B since 02-10; in force B=y

# The same bytes as a withdrawn revision and as one that holds; as a draft and as one that holds.
A 01-10 gone 02-01: 1=x
B 02-10 as A: 1=x
C 03-10 draft as A: 1=x
A/1 on 02-05                  | stop withdrawn; withdrawn A
A/1 on 02-20                  | pass in_force
A/1 on 03-20                  | pass in_force

# Retention: five years until D, seven from then on.
C 2025-03-01: 4=five.years
D 2026-03-01 rec 2026-02-20: 4=seven.years
4 on 2026-05-01                        | in force D=seven.years
C/4 on 2026-05-01                      | stop superseded by D since 2026-03-01; in force D=seven.years
C/4 on 2025-06-15                      | pass in_force
D/4 on 2025-06-15                      | stop not_yet; in force C=five.years
C/4 on 2025-06-15 known 2025-06-15     | pass in_force
D/4 on 2025-06-15 known 2025-06-15     | stop not_known; in force C=five.years

# Whether a section changed is open from when that was found until somebody settled it; an answer from before stays as it was.
A 01-10: 1=x
B 02-10 differs 1 found 03-01 settled 04-01: 1=x
A/1 on 05-01                  | pass carried
A/1 on 05-01 known 02-20      | pass carried
A/1 on 05-01 known 03-01      | stop superseded by B since 02-10; in force B=x
A/1 on 05-01 known 03-31      | stop superseded by B since 02-10; in force B=x
A/1 on 05-01 known 04-01      | pass carried

# What stands in no section goes with its revision, whatever a later one says.
A 01-10: 1=x
B 02-10: 1=x
C 03-10 gone 04-01: 1=x
D 05-10 draft: 1=x
A/* on 01-20                  | pass in_force
A/* on 02-20                  | stop superseded by B since 02-10
A/* on 02-20 known 02-09      | pass in_force
B/* on 02-20                  | pass in_force
B/* on 02-01                  | stop not_yet
B/* on 03-20                  | pass in_force
B/* on 03-20 known 03-31      | stop superseded by C since 03-10
C/* on 03-20                  | stop withdrawn
D/* on 06-01                  | stop draft
D/* on 06-01 known 05-01      | stop not_known
Z/* on 02-01                  | stop unknown
";

pub(super) fn date(text: &str) -> NaiveDate {
    let whole = if text.len() == 5 {
        format!("2026-{text}")
    } else {
        text.to_owned()
    };
    whole.parse().unwrap_or_else(|error| unreachable!("{text}: {error}"))
}

/// Noon of a day: when things are recorded.
fn noon(text: &str) -> i64 {
    date(text)
        .and_time(NaiveTime::from_hms_opt(12, 0, 0).unwrap_or_default())
        .and_utc()
        .timestamp_millis()
}

/// The last millisecond of a day.
pub(super) fn end_of(text: &str) -> i64 {
    noon(text) + 12 * 3_600_000 - 1
}

/// A revision as a line describes it.
pub(super) fn revision(line: &str, seq: i64) -> Revision {
    let (about, sections) = line.split_once(": ").unwrap_or_else(|| unreachable!("{line}"));
    let mut words = about.split(' ');
    let name = words.next().unwrap_or_default();
    let dated = words.next().unwrap_or_default();
    let effective = (dated != "undated").then(|| date(dated));
    let mut recorded_at = if effective.is_some() {
        noon(dated)
    } else {
        noon("01-01")
    };
    let (mut approved, mut later, mut keys, mut bytes) = (true, Vec::new(), BTreeSet::new(), name);
    let (mut found_at, mut settled_at) = (None, None);
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap_or_default();
        match word {
            "draft" => approved = false,
            "rec" => recorded_at = noon(value()),
            "as" => bytes = value(),
            "differs" => keys.extend(value().split(',').map(str::to_owned)),
            "found" => found_at = Some(noon(value())),
            "settled" => settled_at = Some(noon(value())),
            "ok" | "back" => later.push((EventKind::Approved, noon(value()))),
            "gone" => later.push((EventKind::Withdrawn, noon(value()))),
            "kept" => later.push((EventKind::Archived, noon(value()))),
            other => unreachable!("{other} in {line}"),
        }
    }
    let parts: Vec<(&str, &str, &str)> = sections
        .split(' ')
        .map(|part| {
            let (place, text) = part.split_once('=').unwrap_or_else(|| unreachable!("{part}"));
            let (key, locator) = place.split_once('@').unwrap_or((place, place));
            (key, locator, text)
        })
        .collect();
    let content = |key: &str| {
        let within = |other: &str| other == key || other.strip_prefix(key).is_some_and(|rest| rest.starts_with('.'));
        let texts: Vec<&str> = parts
            .iter()
            .filter(|(other, ..)| within(other))
            .map(|(_, _, text)| *text)
            .collect();
        texts.join("/")
    };
    Revision {
        revision: name.to_owned(),
        seq,
        doc_sha256: format!("bytes of {bytes}"),
        effective,
        recorded_at,
        events: approved
            .then_some((EventKind::Approved, recorded_at))
            .into_iter()
            .chain(later)
            .map(|(kind, recorded_at)| Event { kind, recorded_at })
            .collect(),
        sections: parts
            .iter()
            .map(|(key, locator, text)| SectionVersion {
                section_key: (*key).to_owned(),
                locator: (*locator).to_owned(),
                title: String::new(),
                own_sha256: (*text).to_owned(),
                content_sha256: content(key),
            })
            .collect(),
        differing: Doubt {
            keys,
            found_at: found_at.unwrap_or(recorded_at),
            settled_at,
        },
    }
}

pub(super) fn in_force_text(answer: Option<AsOf<'_>>) -> String {
    match answer {
        None => "no such section".to_owned(),
        Some(AsOf::InForce { revision, section }) => {
            let renumbered = (section.locator != section.section_key).then(|| format!(" at {}", section.locator));
            format!(
                "in force {}={}{}",
                revision.revision,
                section.content_sha256,
                renumbered.unwrap_or_default()
            )
        }
        Some(AsOf::Removed { by }) => format!("removed by {}", by.revision),
        Some(AsOf::Withdrawn { revision }) => format!("withdrawn {}", revision.revision),
        Some(AsOf::NotYet { next: Some(next) }) => format!("not yet, next {}", next.revision),
        Some(AsOf::NotYet { next: None }) => "not yet, nothing dated".to_owned(),
    }
}

/// The answer to a question as the table writes it; dates in the question's own short or long form.
fn answer(history: &History, question: &str) -> String {
    let mut words = question.split(' ');
    let what = words.next().unwrap_or_default();
    assert_eq!(words.next(), Some("on"), "{question}");
    let day = words.next().unwrap_or_default();
    let known_at = words.next().map(|known| {
        assert_eq!(known, "known", "{question}");
        end_of(words.next().unwrap_or_default())
    });
    let valid_at = date(day);
    let Some((cited, section_key)) = what.split_once('/') else {
        return in_force_text(history.as_of(what, valid_at, known_at));
    };
    let doc_sha256 = format!("bytes of {cited}");
    if section_key == "*" {
        let standing = history.standing_of_whole(&doc_sha256, valid_at, known_at);
        let word = if standing.is_current() { "pass" } else { "stop" };
        return format!("{word} {}{}", standing.label(), replaced_text(&standing, day));
    }
    let cited = Cited {
        doc_sha256: &doc_sha256,
        section_key,
    };
    let gated = gate([(Some(history), cited)], valid_at, known_at, Mode::Block);
    let verdict = gated.verdicts[0];
    assert_eq!(gated.blocks(), !verdict.passes());
    let label = verdict.standing.label();
    if verdict.passes() {
        assert!(matches!(verdict.in_force, Some(AsOf::InForce { .. })), "{question}");
        return format!("pass {label}");
    }
    let reason = replaced_text(&verdict.standing, day);
    format!("stop {label}{reason}; {}", in_force_text(verdict.in_force))
}

/// Every question of the table with its document and the answer that is expected.
fn cases() -> Vec<(History, &'static str, &'static str)> {
    let mut cases = Vec::new();
    let mut revisions: Vec<Revision> = Vec::new();
    let mut asked = false;
    for line in CASES
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        match line.split_once('|') {
            None => {
                if std::mem::take(&mut asked) {
                    revisions.clear();
                }
                let seq = i64::try_from(revisions.len()).unwrap_or_default() * 10 + 10;
                revisions.push(revision(line, seq));
            }
            Some((question, expected)) => {
                asked = true;
                let history = History::new(revisions.clone()).unwrap_or_else(|fault| unreachable!("{fault}"));
                cases.push((history, question.trim(), expected.trim()));
            }
        }
    }
    cases
}

#[test]
fn each_case_is_answered_as_written() {
    let cases = cases();
    assert!(cases.len() >= 60);
    let wrong: Vec<String> = cases
        .iter()
        .map(|(history, question, expected)| (answer(history, question), history, question, expected))
        .filter(|(found, _, _, expected)| found != *expected)
        .map(|(found, history, question, expected)| {
            let names: Vec<&str> = history
                .revisions()
                .iter()
                .map(|revision| revision.revision.as_str())
                .collect();
            format!("of {names:?}: {question}\n  expected {expected}\n  found    {found}")
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        cases.len(),
        wrong.join("\n")
    );
}

/// By which revision and since when, as the cases write it.
fn replaced_text(standing: &Standing<'_>, day: &str) -> String {
    match standing {
        Standing::Superseded { by, since } | Standing::Removed { by, since } => {
            let since = since.to_string();
            let short = if day.len() == 5 {
                since.trim_start_matches("2026-")
            } else {
                &since
            };
            format!(" by {} since {short}", by.revision)
        }
        _ => String::new(),
    }
}
