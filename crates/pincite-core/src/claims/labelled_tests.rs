//! The rules against sentences that were labelled without a look at them: fixtures/claims. Answers of odd numbers were used to mend the
//! rules once; those of even numbers never.
//!
//! Deliberately not here: the rules.

use super::{Kind, kind, sentences};

const LABELLED: &str = include_str!("../../../../fixtures/claims/answers.tsv");
const TEXTS: &str = include_str!("../../../../fixtures/claims/answers.txt");

/// Answer, whether it claims, sentence.
fn labelled() -> Vec<(&'static str, bool, &'static str)> {
    LABELLED
        .lines()
        .map(|line| {
            let mut columns = line.split('\t');
            let mut next = || columns.next().unwrap_or_else(|| unreachable!("four columns: {line}"));
            let (answer, _, label, sentence) = (next(), next(), next(), next());
            (answer, label == "claim", sentence)
        })
        .collect()
}

#[test]
#[expect(clippy::print_stdout, reason = "a measurement")]
fn claims_are_found_and_framing_is_left_out() {
    let all = labelled();
    assert!(all.len() >= 200);
    for half in 0..2 {
        let (mut right, mut said, mut there) = (0, 0, 0);
        for (_, claims, sentence) in all
            .iter()
            .filter(|(answer, ..)| answer.parse::<usize>().is_ok_and(|answer| answer % 2 == half))
        {
            let found = kind(sentence) == Kind::Claim;
            right += u32::from(found && *claims);
            said += u32::from(found);
            there += u32::from(*claims);
            if found != *claims {
                println!("{}: {sentence}", if found { "taken for a claim" } else { "missed" });
            }
        }
        let (precision, recall) = (f64::from(right) / f64::from(said), f64::from(right) / f64::from(there));
        let of = if half == 0 { "even answers" } else { "odd answers" };
        println!("{of}: precision {precision:.3} ({right} of {said}), recall {recall:.3} ({right} of {there})");
        // A claim that is missed is a hole that nobody sees; one sentence too many is not.
        assert!(precision > 0.85 && recall > 0.97, "{of}: {precision} {recall}");
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "a measurement")]
fn answers_are_split_into_their_sentences() {
    let all = labelled();
    let (mut right, mut there, mut found) = (0, 0, 0);
    for (number, text) in (1..).zip(TEXTS.split("===\n")) {
        let number: i32 = number;
        let number = number.to_string();
        let wanted: Vec<&str> = all
            .iter()
            .filter(|(answer, ..)| *answer == number)
            .map(|(_, _, sentence)| *sentence)
            .collect();
        let split = sentences(text);
        let matching = split.iter().filter(|sentence| wanted.contains(sentence)).count();
        if split != wanted {
            println!(
                "{number}: {:?}",
                split
                    .iter()
                    .filter(|sentence| !wanted.contains(sentence))
                    .collect::<Vec<_>>()
            );
        }
        right += matching;
        there += wanted.len();
        found += split.len();
    }
    println!("{right} of {there} sentences; {found} found");
    assert!(right * 100 > there * 96, "{right} of {there}");
}
