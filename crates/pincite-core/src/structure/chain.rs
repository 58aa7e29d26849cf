//! Which of many labelled lines make one consistent numbering: the heaviest chain of numbers that follow each other.
//!
//! Every candidate has a number and a weight (how much its line looks like a heading). A chain rises through the numbers
//! in the document's order; the step from 2.1 to 2.2, 2.1.1 or 3 is free, a gap (8.2 to 8.4) or a missing parent costs.
//! So a list item "3. Take" inside section 2 loses to the real section 3, which more sections lead to and follow from.
//!
//! Solved exactly by dynamic programming over the sorted numbers with a tree of maxima: n log n.
//!
//! Deliberately not here: what makes a line look like a heading; restarts (each segment is a chain of its own).

/// A label's place in its sequence, and how much its line looks like a heading.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// `2.1` is [2, 1].
    pub(super) sequence: Vec<u32>,
    /// Positive: looks like a heading.
    pub(super) weight: i32,
}

/// The heaviest chain: indices into the candidates, in order, and its weight less its costs.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Chain {
    pub(super) chosen: Vec<usize>,
    pub(super) score: i32,
}

/// One number left out: 8.2, 8.4.
const GAP_OF_ONE: i32 = 2;
/// Two or three left out.
const SMALL_GAP: i32 = 4;
/// More left out.
const GAP: i32 = 7;
/// 2.1 without a 2.
const NO_PARENT: i32 = 4;
/// 2.3 without a 2.
const NO_PARENT_NOR_FIRST: i32 = 8;

fn start_cost(sequence: &[u32]) -> i32 {
    match sequence {
        [1] => 0,
        [0] => 1,
        [1, 1] => 2,
        [_] => 4,
        _ => 5,
    }
}

/// The heaviest chain that starts anew, or that goes on after the number `after`.
pub(super) fn heaviest(candidates: &[Candidate], after: Option<&[u32]>) -> Chain {
    let mut numbers: Vec<&[u32]> = candidates
        .iter()
        .map(|candidate| candidate.sequence.as_slice())
        .chain(after)
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    let mut maxima = Maxima::new(numbers.len());
    if let Some(after) = after {
        maxima.raise(numbers.partition_point(|number| *number < after), 0, None);
    }
    let mut came_from: Vec<Option<usize>> = vec![None; candidates.len()];
    let mut best: Option<(i32, usize)> = None;
    for (index, candidate) in candidates.iter().enumerate() {
        let sequence = candidate.sequence.as_slice();
        let mut reached = after.is_none().then(|| (-start_cost(sequence), None));
        for (range, cost) in predecessors(sequence, &numbers) {
            if let Some((score, from)) = maxima.over(range) {
                let score = score.saturating_sub(cost);
                if reached.is_none_or(|(known, _)| score > known) {
                    reached = Some((score, from));
                }
            }
        }
        let Some((score, from)) = reached else { continue };
        let score = score.saturating_add(candidate.weight);
        if let Some(slot) = came_from.get_mut(index) {
            *slot = from;
        }
        maxima.raise(numbers.partition_point(|number| *number < sequence), score, Some(index));
        if best.is_none_or(|(known, _)| score > known) {
            best = Some((score, index));
        }
    }
    let Some((score, last)) = best.filter(|(score, _)| *score > 0) else {
        return Chain::default();
    };
    let mut chosen = vec![last];
    let mut at = last;
    while let Some(Some(from)) = came_from.get(at).copied() {
        chosen.push(from);
        at = from;
    }
    chosen.reverse();
    Chain { chosen, score }
}

/// Ranges of sorted numbers that may come before `sequence`, each with its cost.
fn predecessors(sequence: &[u32], numbers: &[&[u32]]) -> Vec<(std::ops::Range<usize>, i32)> {
    let Some((&last, parent)) = sequence.split_last() else {
        return Vec::new();
    };
    let below = |number: &[u32]| numbers.partition_point(|known| *known < number);
    let sibling = |place: u32| -> usize {
        let mut number = parent.to_vec();
        number.push(place);
        below(&number)
    };
    let own = below(sequence);
    let parents = below(parent);
    let mut ranges = Vec::new();
    if last <= 1 {
        if !parent.is_empty() {
            ranges.push((
                parents..parents + usize::from(numbers.get(parents).is_some_and(|known| *known == parent)),
                0,
            ));
            ranges.push((0..parents, NO_PARENT));
        }
        if last == 1 {
            ranges.push((sibling(0)..own, 0));
        }
    } else {
        ranges.push((sibling(last - 1)..own, 0));
        ranges.push((if last == 2 { parents } else { sibling(last - 2) }..own, GAP_OF_ONE));
        ranges.push((if last <= 4 { parents } else { sibling(last - 4) }..own, SMALL_GAP));
        ranges.push((parents..own, GAP));
        if !parent.is_empty() {
            ranges.push((0..parents, NO_PARENT_NOR_FIRST));
        }
    }
    ranges
}

/// A tree of maxima over the sorted numbers: the best chain that ends at a number of a range.
struct Maxima {
    size: usize,
    nodes: Vec<Option<(i32, Option<usize>)>>,
}

impl Maxima {
    fn new(length: usize) -> Self {
        let size = length.next_power_of_two().max(1);
        Self {
            size,
            nodes: vec![None; size * 2],
        }
    }

    fn larger(one: Option<(i32, Option<usize>)>, other: Option<(i32, Option<usize>)>) -> Option<(i32, Option<usize>)> {
        match (one, other) {
            (Some(first), Some(second)) => Some(if second.0 > first.0 { second } else { first }),
            (known, None) | (None, known) => known,
        }
    }

    fn raise(&mut self, at: usize, score: i32, from: Option<usize>) {
        let mut node = self.size + at;
        while node > 0 {
            let Some(slot) = self.nodes.get_mut(node) else { return };
            if slot.is_some_and(|(known, _)| known >= score) {
                return;
            }
            *slot = Some((score, from));
            node /= 2;
        }
    }

    fn over(&self, range: std::ops::Range<usize>) -> Option<(i32, Option<usize>)> {
        let (mut from, mut to) = (self.size + range.start, self.size + range.end);
        let mut best = None;
        while from < to {
            if from % 2 == 1 {
                best = Self::larger(best, self.nodes.get(from).copied().flatten());
                from += 1;
            }
            if to % 2 == 1 {
                to -= 1;
                best = Self::larger(best, self.nodes.get(to).copied().flatten());
            }
            from /= 2;
            to /= 2;
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(labels: &[(&str, i32)], after: Option<&[u32]>) -> Vec<String> {
        let candidates: Vec<Candidate> = labels
            .iter()
            .map(|(label, weight)| Candidate {
                sequence: label.split('.').filter_map(|step| step.parse().ok()).collect(),
                weight: *weight,
            })
            .collect();
        heaviest(&candidates, after)
            .chosen
            .into_iter()
            .map(|index| format!("{}@{index}", labels[index].0))
            .collect()
    }

    #[test]
    fn a_chain_takes_the_numbers_that_follow_each_other() {
        let labels = [
            ("1", 5),
            ("1", 1),
            ("2", 1),
            ("3", 1),
            ("2", 5),
            ("2.1", 5),
            ("1", 2),
            ("2", 2),
            ("3", 2),
            ("2.2", 5),
            ("3", 5),
            ("3.1", 5),
        ];
        assert_eq!(
            chosen(&labels, None),
            ["1@0", "2@4", "2.1@5", "2.2@9", "3@10", "3.1@11"]
        );
    }

    #[test]
    fn gaps_and_missing_parents_are_crossed_at_a_cost() {
        assert_eq!(
            chosen(&[("8", 5), ("8.2", 5), ("8.4", 5), ("10", 5), ("16", 8)], None),
            ["8@0", "8.2@1", "8.4@2", "10@3", "16@4"]
        );
        assert_eq!(
            chosen(&[("1", 3), ("1.1", 5), ("2.1", 6), ("2.2", 6)], None),
            ["1@0", "1.1@1", "2.1@2", "2.2@3"]
        );
        assert_eq!(chosen(&[("1", 4), ("97", 3), ("2", 4)], None), ["1@0", "2@2"]);
        assert_eq!(chosen(&[("6", 3), ("1", 1)], Some(&[5])), ["6@0"]);
        assert!(chosen(&[("7.3", 2)], None).is_empty());
    }
}
