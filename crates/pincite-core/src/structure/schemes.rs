//! Every numbering of a document on its own: annexes first, then parts, chapters, articles, then decimal numbers between
//! them.
//!
//! Each accepted heading of a wider division opens a **segment** for the narrower ones. In it a numbering goes on from
//! where it was, or takes up the division's own number (Clause 7, then 7.1), or starts anew; the heaviest wins. Page
//! breaks mean nothing here.
//!
//! Deliberately not here: what a line looks like (`headings`), the choice inside one segment (`chain`).

use super::chain::{Candidate, Chain, heaviest};
use super::headings::Heading;
use super::label::{Scheme, letter_place, roman_value};
use super::locator::Keyword;
use std::collections::{BTreeMap, BTreeSet};

/// A heading that is part of a consistent numbering.
#[derive(Debug, Clone)]
pub(super) struct Accepted {
    pub(super) heading: Heading,
    /// Whether its numbering starts again in the division it stands in, so that the division's label must go before it.
    pub(super) restarts: bool,
}

/// A numbering lighter than this is a list, or chance.
const LEAST_SCORE: i32 = 4;
/// One heading alone must look more like one.
const LEAST_SCORE_ALONE: i32 = 6;
/// What goes on with a numbering of words (Article 4 after Article 3, in the next title) need only not look like a
/// reference.
const LEAST_SCORE_NEXT: i32 = 2;

/// Keeps the headings that make consistent numberings, in the order of their lines.
pub(super) fn select(headings: &[Heading]) -> Vec<Accepted> {
    let mut families: BTreeMap<Scheme, Vec<usize>> = BTreeMap::new();
    for (index, heading) in headings.iter().enumerate() {
        if heading.label.scheme.rank().is_some() {
            families.entry(heading.label.scheme).or_default().push(index);
        }
    }
    let letters = capitals(headings);
    let mut kept: BTreeMap<usize, bool> = BTreeMap::new();
    // (heading, rank) of what divides the document so far, in the order of lines.
    let mut divisions: Vec<(usize, u8)> = Vec::new();
    for rank in 0..=5 {
        let mut found = Vec::new();
        for (scheme, members) in families.iter().filter(|(family, _)| family.rank() == Some(rank)) {
            let members = if *scheme == Scheme::Capital { &letters } else { members };
            let sequences = worded_sequences(headings, members);
            let mut chosen = by_segment(headings, members, &sequences, &divisions);
            chosen.retain(|(index, _)| !kept.contains_key(index));
            if matches!(scheme, Scheme::Roman | Scheme::Capital) && !divides(headings, &chosen, &divisions) {
                continue;
            }
            found.extend(chosen.iter().map(|(index, _)| (*index, rank)));
            kept.extend(chosen);
        }
        divisions.extend(found);
        divisions.sort_unstable();
    }
    kept.extend(numbers(headings, &divisions));
    fill_gaps(headings, &mut kept);
    fill_children(headings, &mut kept);
    kept.into_iter()
        .filter_map(|(index, restarts)| {
            Some(Accepted {
                heading: headings.get(index)?.clone(),
                restarts,
            })
        })
        .collect()
}

/// Takes the one line that has the number missing between two that were kept, where it stands as far left as they do:
/// whatever its looks, the document counts it.
fn fill_gaps(headings: &[Heading], kept: &mut BTreeMap<usize, bool>) {
    const ALIGNED: f32 = 3.0;
    // Labelled lines between the two: more are no gap, and a text of nothing but labels stays linear.
    const FARTHEST: usize = 1_000;
    let mut last: BTreeMap<(Scheme, &[u32]), usize> = BTreeMap::new();
    let mut found = Vec::new();
    for (&index, &restarts) in kept.iter() {
        let Some(heading) = headings.get(index) else { continue };
        let Some((&place, parent)) = heading.label.sequence.split_last() else {
            continue;
        };
        let Some(before) = last.insert((heading.label.scheme, parent), index) else {
            continue;
        };
        let Some(&earlier) = sequence_of(headings, before)
            .last()
            .filter(|_| index - before <= FARTHEST)
        else {
            continue;
        };
        for missing in (earlier + 1..place).take(3) {
            let mut fits = (before + 1..index).filter(|at| {
                headings.get(*at).is_some_and(|candidate| {
                    candidate.label.scheme == heading.label.scheme
                        && candidate.label.sequence.split_last() == Some((&missing, parent))
                        && match (candidate.left, heading.left) {
                            (Some(one), Some(other)) => (one - other).abs() <= ALIGNED,
                            (one, other) => one.is_none() && other.is_none() && candidate.weight > 0,
                        }
                })
            });
            if let (Some(only), None) = (fits.next(), fits.next()) {
                found.push((only, restarts));
            }
        }
    }
    kept.extend(found);
}

/// Whether decimal numbers go on from such a number: 7.1 below 7, 4.1 below Article 4.
fn counts_below(scheme: &Scheme) -> bool {
    match scheme {
        Scheme::Decimal => true,
        Scheme::Worded(family) => scheme.rank() != Some(0) && *family != Keyword::Paragraph,
        Scheme::Lettered(_) | Scheme::Roman | Scheme::Capital => false,
    }
}

/// Takes the lines that count on below a kept heading (7.1, 7.2 below 7, up to a kept 7.3 or to the next of its rank),
/// where they stand as far left as other kept headings of their depth do and one line alone has the number: a contract
/// gives titles to some of its clauses and none to others.
fn fill_children(headings: &[Heading], kept: &mut BTreeMap<usize, bool>) {
    // Lighter than any clause without a title: a cross reference that came to stand first.
    const LIGHTEST: i32 = -7;
    const LEAST: usize = 2;
    // In points: how far labels set alike may stand apart.
    const ALIGNED: f32 = 3.0;
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a place on a page; casts of floats saturate"
    )]
    let place_of = |left: f32| (left / ALIGNED).round() as i64;
    // Labels without a box are as far left as each other.
    let place_of = |heading: &Heading| heading.left.map_or(i64::MIN / 2, place_of);
    let mut lefts: BTreeMap<usize, Vec<i64>> = BTreeMap::new();
    let decimal = |index: &usize| {
        headings
            .get(*index)
            .filter(|heading| heading.label.scheme == Scheme::Decimal)
    };
    for heading in kept.keys().filter_map(decimal) {
        let depth = heading.label.sequence.len();
        lefts.entry(depth).or_default().push(place_of(heading));
    }
    lefts.retain(|_, lefts| lefts.len() >= LEAST);
    lefts.values_mut().for_each(|lefts| lefts.sort_unstable());
    let aligned = |heading: &Heading| {
        let usual = lefts.get(&heading.label.sequence.len());
        let left = place_of(heading);
        usual.is_some_and(|usual| {
            usual
                .get(usual.partition_point(|other| *other < left - 1))
                .is_some_and(|other| *other <= left + 1)
        })
    };
    let mut candidates: BTreeMap<&[u32], Vec<usize>> = BTreeMap::new();
    for (index, heading) in (0..headings.len()).filter_map(|index| Some((index, decimal(&index)?))) {
        if heading.weight >= LIGHTEST && aligned(heading) {
            candidates.entry(&heading.label.sequence).or_default().push(index);
        }
    }
    let order: Vec<(usize, bool)> = kept.iter().map(|(index, restarts)| (*index, *restarts)).collect();
    let mut found = Vec::new();
    for (position, (index, restarts)) in order.iter().enumerate() {
        let Some(parent) = headings.get(*index).filter(|parent| counts_below(&parent.label.scheme)) else {
            continue;
        };
        let own = &parent.label.sequence;
        let restarts = *restarts && parent.label.scheme == Scheme::Decimal;
        // The kept children, and the first kept heading that lies not in this one.
        let mut children: BTreeMap<u32, usize> = BTreeMap::new();
        let mut end = headings.len();
        for (below, _) in order.iter().skip(position + 1) {
            let inside = decimal(below).map(|heading| &heading.label.sequence);
            match inside.filter(|sequence| sequence.len() > own.len() && sequence.starts_with(own)) {
                Some(sequence) if sequence.len() == own.len() + 1 => {
                    children.extend(sequence.last().map(|place| (*place, *below)));
                }
                Some(_) => {}
                None => {
                    end = *below;
                    break;
                }
            }
        }
        let mut from = index + 1;
        for place in 1.. {
            if let Some(child) = children.get(&place) {
                from = child + 1;
                continue;
            }
            let to = children.range(place..).next().map_or(end, |(_, child)| *child);
            let mut sequence = own.clone();
            sequence.push(place);
            let fits = candidates.get(sequence.as_slice()).map_or(&[][..], |fits| {
                let first = fits.partition_point(|at| *at < from);
                let last = fits.partition_point(|at| *at < to);
                fits.get(first..last).unwrap_or_default()
            });
            let [only] = fits else { break };
            found.push((*only, restarts));
            from = only + 1;
        }
    }
    kept.extend(found);
}

/// Headings whose label is a single capital, those that might be Roman numerals counted.
fn capitals(headings: &[Heading]) -> Vec<usize> {
    let single = |heading: &Heading| {
        matches!(heading.label.scheme, Scheme::Roman | Scheme::Capital)
            && heading
                .label
                .number
                .steps
                .first()
                .is_some_and(|step| letter_place(&step.value).is_some())
    };
    (0..headings.len())
        .filter(|index| headings.get(*index).is_some_and(single))
        .collect()
}

/// Whether bare numerals or letters divide the document: two at least, and no number that looks more like a heading runs
/// before the first. Letters below numbers are items of theirs.
fn divides(headings: &[Heading], chosen: &[(usize, bool)], divisions: &[(usize, u8)]) -> bool {
    let (Some((first, _)), true) = (chosen.first(), chosen.len() >= 2) else {
        return false;
    };
    let weight = |index: usize| headings.get(index).map_or(0, |heading| heading.weight);
    let from = divisions
        .iter()
        .rev()
        .map(|(index, _)| *index)
        .find(|index| index < first)
        .unwrap_or(0);
    let before = (from..*first)
        .filter(|index| {
            headings
                .get(*index)
                .is_some_and(|heading| heading.label.scheme == Scheme::Decimal)
        })
        .map(weight)
        .max();
    // Recitals and items have such labels too: what divides a document has titles, set apart where anything is.
    let titled = chosen
        .iter()
        .filter_map(|(index, _)| headings.get(*index))
        .filter(|heading| !heading.sentence && (heading.stands_out != Some(false) || heading.weight >= LEAST_SCORE))
        .count();
    if titled * 3 < chosen.len() * 2 {
        return false;
    }
    let mean = chosen.iter().map(|(index, _)| weight(*index)).sum::<i32>() / i32::try_from(chosen.len()).unwrap_or(1);
    before.is_none_or(|before| before + 2 <= mean)
}

/// Letters that can't be Roman numerals say that all of a family's single letters are letters (Appendix A, B, C).
fn worded_sequences(headings: &[Heading], members: &[usize]) -> Vec<Vec<u32>> {
    let value = |index: &usize| {
        headings
            .get(*index)
            .and_then(|heading| heading.label.number.steps.first())
            .map_or("", |step| step.value.as_str())
    };
    let letters: BTreeSet<&str> = members
        .iter()
        .map(value)
        .filter(|value| letter_place(value).is_some())
        .collect();
    let alphabet = letters.iter().any(|letter| roman_value(letter).is_none());
    members
        .iter()
        .map(|index| match letter_place(value(index)) {
            Some(place) if alphabet => vec![place],
            _ => headings
                .get(*index)
                .map(|heading| heading.label.sequence.clone())
                .unwrap_or_default(),
        })
        .collect()
}

fn candidates(headings: &[Heading], members: &[usize], sequences: &[Vec<u32>]) -> Vec<Candidate> {
    members
        .iter()
        .zip(sequences)
        .map(|(index, sequence)| Candidate {
            sequence: sequence.clone(),
            weight: headings.get(*index).map_or(i32::MIN / 4, |heading| heading.weight),
        })
        .collect()
}

fn heavy_enough(chain: &Chain) -> bool {
    chain.score
        >= if chain.chosen.len() > 1 {
            LEAST_SCORE
        } else {
            LEAST_SCORE_ALONE
        }
}

/// Chains of one family of keywords between wider divisions.
fn by_segment(
    headings: &[Heading],
    members: &[usize],
    sequences: &[Vec<u32>],
    divisions: &[(usize, u8)],
) -> Vec<(usize, bool)> {
    let mut chosen = Vec::new();
    let mut last: Option<Vec<u32>> = None;
    let mut restarted = false;
    let mut from = 0;
    for boundary in divisions.iter().map(|(index, _)| *index).chain([usize::MAX]) {
        let to = from
            + members
                .get(from..)
                .map_or(0, |rest| rest.partition_point(|index| *index < boundary));
        let segment = candidates(
            headings,
            members.get(from..to).unwrap_or_default(),
            sequences.get(from..to).unwrap_or_default(),
        );
        let anew = heaviest(&segment, None);
        let on = last
            .as_deref()
            .map(|after| heaviest(&segment, Some(after)))
            .unwrap_or_default();
        let restarts = last.is_some() && anew.score > on.score;
        let chain = if last.is_none() || restarts { anew } else { on };
        // An annex may be the only one that the document holds.
        let only = last.is_none()
            && chain
                .chosen
                .first()
                .and_then(|at| members.get(from + at))
                .is_some_and(|first| {
                    headings.get(*first).is_some_and(|heading| {
                        heading.label.scheme.rank() == Some(0)
                            && heading.weight >= LEAST_SCORE_ALONE
                            && chain.chosen.len() == 1
                    })
                });
        let goes_on = last.is_some() && !restarts && chain.score >= LEAST_SCORE_NEXT;
        if only || goes_on || heavy_enough(&chain) {
            restarted |= restarts;
            for at in &chain.chosen {
                chosen.extend(members.get(from + at).map(|index| (*index, false)));
                last = sequences.get(from + at).cloned();
            }
        }
        from = to;
    }
    if restarted {
        for (_, restarts) in &mut chosen {
            *restarts = true;
        }
    }
    chosen
}

/// Chains of decimal and lettered numbers between all other divisions.
fn numbers(headings: &[Heading], divisions: &[(usize, u8)]) -> Vec<(usize, bool)> {
    let members: Vec<usize> = (0..headings.len())
        .filter(|index| {
            headings
                .get(*index)
                .is_some_and(|heading| heading.label.scheme.rank().is_none())
        })
        .collect();
    let mut chosen: Vec<(usize, bool)> = Vec::new();
    // Numbers that stand alone as locators, and the headings of each division that have them.
    let mut known: BTreeSet<Vec<u32>> = BTreeSet::new();
    // Chosen in a division that is no annex, by starting anew: prefixed only if that happens again.
    let mut anew_in_divisions: Vec<usize> = Vec::new();
    let mut restarts_in_divisions = false;
    let mut last: Option<Vec<u32>> = None;
    let mut from = 0;
    let mut division: Option<(usize, u8)> = None;
    for next in divisions.iter().copied().map(Some).chain([None]) {
        let boundary = next.map_or(usize::MAX, |(index, _)| index);
        let to = from
            + members
                .get(from..)
                .map_or(0, |rest| rest.partition_point(|index| *index < boundary));
        let segment = members.get(from..to).unwrap_or_default();
        from = to;
        let own = division.and_then(|(index, _)| headings.get(index));
        let annex = division.is_some_and(|(_, rank)| rank == 0);
        division = next;
        let letter = own.and_then(|heading| letter_place(&heading.label.number.steps.first()?.value));
        if let Some(place) = letter {
            let lettered: Vec<usize> = segment
                .iter()
                .copied()
                .filter(|index| {
                    headings
                        .get(*index)
                        .is_some_and(|heading| heading.label.scheme == Scheme::Lettered(place))
                })
                .collect();
            let chain = heaviest(&plain(headings, &lettered), None);
            if heavy_enough(&chain) {
                chosen.extend(
                    chain
                        .chosen
                        .iter()
                        .filter_map(|at| lettered.get(*at))
                        .map(|index| (*index, false)),
                );
                continue;
            }
        }
        let decimal: Vec<usize> = segment
            .iter()
            .copied()
            .filter(|index| {
                headings
                    .get(*index)
                    .is_some_and(|heading| heading.label.scheme == Scheme::Decimal)
            })
            .collect();
        if decimal.is_empty() {
            continue;
        }
        let decimal = own
            .filter(|_| !annex)
            .map_or_else(|| decimal.clone(), |own| without_rows(headings, own, &decimal));
        let options = plain(headings, &decimal);
        let on = last
            .as_deref()
            .map(|after| heaviest(&options, Some(after)))
            .unwrap_or_default();
        // In an annex only what has the annex's own number goes on from it: 2.1 in Appendix 2.
        let within = own
            .filter(|own| {
                !annex
                    || own
                        .label
                        .number
                        .steps
                        .first()
                        .is_some_and(|step| step.digits().is_some())
            })
            .map(|own| {
                let inside: Vec<Candidate> = options
                    .iter()
                    .map(|option| Candidate {
                        sequence: option.sequence.clone(),
                        weight: if annex
                            && (option.sequence.len() == 1 || !option.sequence.starts_with(&own.label.sequence))
                        {
                            i32::MIN / 4
                        } else {
                            option.weight
                        },
                    })
                    .collect();
                heaviest(&inside, Some(&own.label.sequence))
            })
            .unwrap_or_default();
        let anew = heaviest(&options, None);
        let starts = anew.score > on.score && anew.score > within.score;
        let chain = if starts {
            anew
        } else if within.score > on.score {
            within
        } else {
            on
        };
        if !heavy_enough(&chain) || own.is_some_and(|own| is_list(headings, own, &decimal, &chain)) {
            continue;
        }
        let mut kept: Vec<usize> = chain.chosen.iter().filter_map(|at| decimal.get(*at)).copied().collect();
        if own.is_some() && starts {
            // The division's own first number may go on from the last division's, and what lies in it starts anew.
            let first = chain.chosen.first().copied().unwrap_or(0);
            let ahead = last
                .as_deref()
                .map(|after| heaviest(options.get(..first).unwrap_or_default(), Some(after)))
                .unwrap_or_default();
            if ahead.score >= LEAST_SCORE_ALONE {
                kept.splice(0..0, ahead.chosen.iter().filter_map(|at| decimal.get(*at)).copied());
            }
        }
        let sequences = || {
            kept.iter()
                .filter_map(|index| headings.get(*index))
                .map(|heading| heading.label.sequence.clone())
        };
        // A division whose numbers another has had, or itself, takes its own label before all of them.
        let rising = kept.windows(2).all(|pair| match pair {
            [one, other] => sequence_of(headings, *one) < sequence_of(headings, *other),
            _ => true,
        });
        let again = own.is_some() && (!rising || sequences().any(|sequence| known.contains(&sequence)));
        if !(again || starts && annex) {
            known.extend(sequences());
        }
        chosen.extend(kept.iter().map(|index| (*index, again || starts && annex)));
        if starts && own.is_some() && !annex {
            restarts_in_divisions |= last.is_some();
            anew_in_divisions.extend(&kept);
        }
        if !(starts && annex) {
            last = kept
                .last()
                .and_then(|index| headings.get(*index))
                .map(|heading| heading.label.sequence.clone());
        }
    }
    if restarts_in_divisions {
        let again: BTreeSet<usize> = anew_in_divisions.into_iter().collect();
        for (index, restarts) in &mut chosen {
            *restarts |= again.contains(index);
        }
    }
    chosen
}

/// The numbers of a division without what can't be its own: where the division's number goes on (Article 4, then 4.1),
/// the plain numbers behind it are rows of a form.
fn without_rows(headings: &[Heading], division: &Heading, members: &[usize]) -> Vec<usize> {
    let inside = |index: &usize| {
        let sequence = sequence_of(headings, *index);
        sequence.len() > 1 && sequence.starts_with(&division.label.sequence)
    };
    let first = members.iter().position(inside).unwrap_or(members.len());
    members
        .iter()
        .enumerate()
        .filter(|(at, index)| {
            let named = headings.get(**index).is_some_and(|heading| heading.outline.is_some());
            *at <= first || named || sequence_of(headings, **index).len() > 1
        })
        .map(|(_, index)| *index)
        .collect()
}

/// Whether a chain of plain numbers in a division is a list in its text: not set apart, and not from its first line on
/// as the numbered paragraphs of an article are.
fn is_list(headings: &[Heading], division: &Heading, members: &[usize], chain: &Chain) -> bool {
    let mut chosen = chain
        .chosen
        .iter()
        .filter_map(|at| headings.get(*members.get(*at)?))
        .peekable();
    let begins = chosen.peek().is_some_and(|first| first.line <= division.until + 1);
    !begins
        && chosen.all(|heading| {
            heading.label.sequence.len() == 1
                && heading.stands_out == Some(false)
                && heading.outline.is_none()
                && !heading.label.worded
        })
}

fn sequence_of(headings: &[Heading], index: usize) -> &[u32] {
    headings
        .get(index)
        .map_or(&[], |heading| heading.label.sequence.as_slice())
}

fn plain(headings: &[Heading], members: &[usize]) -> Vec<Candidate> {
    let sequences: Vec<Vec<u32>> = members
        .iter()
        .map(|index| {
            headings
                .get(*index)
                .map(|heading| heading.label.sequence.clone())
                .unwrap_or_default()
        })
        .collect();
    candidates(headings, members, &sequences)
}
