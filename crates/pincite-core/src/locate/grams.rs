//! Where every five characters of a key stand: an index made once, so that finding does not read the text again.
//!
//! Positions are sorted by the hash of the five characters that begin there (one counting sort, linear in the text). A
//! search takes the rarest five characters that it has to find, and looks at their positions only.
//!
//! Deliberately not here: approximate search, and any meaning of a place.

/// How many characters of a key are looked up together.
pub(super) const GRAM: usize = 5;

/// At how many places of a needle its rarest five characters are looked for.
const TRIED: usize = 48;

/// The index of one key.
#[derive(Debug, Clone)]
pub(super) struct Grams {
    /// Where each hash's positions begin in `positions`; one more than there are hashes.
    starts: Vec<u32>,
    positions: Vec<u32>,
    bits: u32,
}

impl Grams {
    pub(super) fn new(key: &[char]) -> Self {
        // About one hash for each position, between 2⁸ and 2²² of them.
        let bits = (usize::BITS - key.len().leading_zeros()).clamp(8, 22);
        let mut starts = vec![0_u32; (1 << bits) + 1];
        for gram in key.windows(GRAM) {
            if let Some(count) = starts.get_mut(hash(gram, bits) + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut positions = vec![0_u32; sum as usize];
        let mut next = starts.clone();
        for (gram, position) in key.windows(GRAM).zip(0..) {
            if let Some(slot) = next.get_mut(hash(gram, bits)) {
                if let Some(place) = positions.get_mut(*slot as usize) {
                    *place = position;
                }
                *slot += 1;
            }
        }
        Self {
            starts,
            positions,
            bits,
        }
    }

    fn of(&self, gram: &[char]) -> &[u32] {
        let slot = hash(gram, self.bits);
        let (Some(start), Some(end)) = (self.starts.get(slot), self.starts.get(slot + 1)) else {
            return &[];
        };
        self.positions.get(*start as usize..*end as usize).unwrap_or_default()
    }

    /// The places where a needle may begin, in order, each of them to be compared: all those of its rarest five
    /// characters. Needles shorter than that have every place.
    pub(super) fn candidates<'a>(&'a self, key: &'a [char], needle: &[char]) -> Candidates<'a> {
        let windows = needle.len().saturating_sub(GRAM - 1);
        let step = windows.div_ceil(TRIED).max(1);
        let rarest = (0..windows)
            .step_by(step)
            .filter_map(|at| Some((at, self.of(needle.get(at..at + GRAM)?))))
            .min_by_key(|(_, positions)| positions.len());
        match rarest {
            Some((at, positions)) => Candidates {
                positions: Some(positions),
                before: at,
                next: 0,
                end: key.len(),
            },
            None => Candidates {
                positions: None,
                before: 0,
                next: 0,
                end: key.len(),
            },
        }
    }
}

/// An iterator over the places where a needle may begin.
pub(super) struct Candidates<'a> {
    positions: Option<&'a [u32]>,
    /// How many characters of the needle stand before the five that were looked up.
    before: usize,
    next: usize,
    end: usize,
}

impl Candidates<'_> {
    /// How many there are.
    pub(super) const fn count_of_all(&self) -> usize {
        match self.positions {
            Some(positions) => positions.len(),
            None => self.end,
        }
    }
}

impl Iterator for Candidates<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        loop {
            let at = self.next;
            self.next += 1;
            match self.positions {
                None => return (at < self.end).then_some(at),
                Some(positions) => {
                    if let Some(start) = (*positions.get(at)? as usize).checked_sub(self.before) {
                        return Some(start);
                    }
                }
            }
        }
    }
}

/// The upper bits of a multiplicative hash (Knuth, TAOCP 3, 6.4), one step for each character.
fn hash(gram: &[char], bits: u32) -> usize {
    let mixed = gram.iter().fold(0_u64, |mixed, character| {
        (mixed.rotate_left(7) ^ u64::from(u32::from(*character))).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    // At most 22 bits are left.
    usize::try_from(mixed >> (u64::BITS - bits)).unwrap_or(0)
}
