//! Where every few characters of a key stand: an index made once, so that finding does not read the text again.
//!
//! Positions are sorted by the hash of the characters that begin there (one counting sort, linear in the text). There are
//! two: of five characters at every position, for short needles; and of eight characters at every fourth position, for
//! the others. Eight are rare, a fourth of the positions is little memory, and of four neighbours in the needle one meets
//! each place of it.
//!
//! Deliberately not here: approximate search, and any meaning of a place.

/// How many characters are looked up together at every position.
const SHORT: usize = 5;
/// How many are looked up together at every [`STEP`]th.
const LONG: usize = 8;
/// Of how many positions one is in the index of long ones.
const STEP: usize = 4;
/// From this length a needle has long ones at each remainder of the position.
const LONG_NEEDLE: usize = LONG + STEP - 1;

/// In how many places of a needle its rarest characters are looked for.
const TRIED: usize = 12;
/// So few candidates are few enough: nothing rarer is looked for.
const FEW: usize = 4;

/// The index of one key.
#[derive(Debug, Clone)]
pub(super) struct Grams {
    short: Index<SHORT, 1>,
    long: Index<LONG, STEP>,
}

impl Grams {
    pub(super) fn new(key: &[char]) -> Self {
        Self {
            short: Index::new(key),
            long: Index::new(key),
        }
    }

    /// The places where a needle may begin, in order, each of them to be compared. Needles shorter than five characters
    /// have every place.
    pub(super) fn candidates(&self, key: &[char], needle: &[char]) -> Candidates<'_> {
        let (width, together) = if needle.len() >= LONG_NEEDLE {
            (LONG_NEEDLE, STEP)
        } else {
            (SHORT, 1)
        };
        let Some(last) = needle.len().checked_sub(width) else {
            return Candidates::every(key.len());
        };
        let mut rarest: Option<Candidates<'_>> = None;
        for at in (0..=last).step_by((last + 1).div_ceil(TRIED)) {
            let lists = std::array::from_fn(|offset| {
                let positions = match (together, offset) {
                    (1, 0) => self.short.of(needle, at),
                    (1, _) => &[],
                    _ => self.long.of(needle, at + offset),
                };
                List {
                    positions,
                    before: at + offset,
                }
            });
            let found = Candidates { lists, every: 0..0 };
            if rarest
                .as_ref()
                .is_none_or(|rarest| found.count_of_all() < rarest.count_of_all())
            {
                let few = found.count_of_all() <= FEW;
                rarest = Some(found);
                if few {
                    break;
                }
            }
        }
        rarest.unwrap_or_else(|| Candidates::every(key.len()))
    }
}

/// Where each `WIDTH` characters stand, of every `EACH`th position.
#[derive(Debug, Clone)]
struct Index<const WIDTH: usize, const EACH: usize> {
    /// Where each hash's positions begin in `positions`; one more than there are hashes.
    starts: Vec<u32>,
    positions: Vec<u32>,
    bits: u32,
}

impl<const WIDTH: usize, const EACH: usize> Index<WIDTH, EACH> {
    fn new(key: &[char]) -> Self {
        // About one hash for each position, between 2⁸ and 2²² of them.
        let count = key.len() / EACH;
        let bits = (usize::BITS - count.leading_zeros()).clamp(8, 22);
        let slots = || key.windows(WIDTH).step_by(EACH).map(|gram| hash(gram, bits));
        let mut starts = vec![0_u32; (1 << bits) + 1];
        for slot in slots() {
            if let Some(count) = starts.get_mut(slot + 1) {
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
        for (slot, position) in slots().zip((0..).step_by(EACH)) {
            if let Some(next) = next.get_mut(slot) {
                if let Some(place) = positions.get_mut(*next as usize) {
                    *place = position;
                }
                *next += 1;
            }
        }
        Self {
            starts,
            positions,
            bits,
        }
    }

    /// Where the characters at this place of a needle may stand.
    fn of(&self, needle: &[char], at: usize) -> &[u32] {
        let found = needle.get(at..at + WIDTH).and_then(|gram| {
            let slot = hash(gram, self.bits);
            let (start, end) = (self.starts.get(slot)?, self.starts.get(slot + 1)?);
            self.positions.get(*start as usize..*end as usize)
        });
        found.unwrap_or_default()
    }
}

/// Positions of some characters of a needle, and how many characters of the needle stand before these.
#[derive(Debug, Clone, Copy)]
struct List<'a> {
    positions: &'a [u32],
    before: usize,
}

/// An iterator over the places where a needle may begin, in order.
pub(super) struct Candidates<'a> {
    lists: [List<'a>; STEP],
    every: std::ops::Range<usize>,
}

impl Candidates<'_> {
    fn every(length: usize) -> Self {
        let none = List {
            positions: &[],
            before: 0,
        };
        Self {
            lists: [none; STEP],
            every: 0..length,
        }
    }

    /// How many there are.
    pub(super) fn count_of_all(&self) -> usize {
        self.every.len() + self.lists.iter().map(|list| list.positions.len()).sum::<usize>()
    }
}

impl Iterator for Candidates<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if !self.every.is_empty() {
            return self.every.next();
        }
        // No two lists have a place in common: their positions have one remainder, and are counted from different ones.
        let first = |list: &mut List<'_>| loop {
            let position = *list.positions.first()? as usize;
            match position.checked_sub(list.before) {
                Some(start) => return Some(start),
                None => list.positions = list.positions.get(1..)?,
            }
        };
        let mut lists = self.lists.iter_mut();
        let (start, list) = lists
            .by_ref()
            .filter_map(|list| Some((first(list)?, list)))
            .min_by_key(|(start, _)| *start)?;
        list.positions = list.positions.get(1..)?;
        Some(start)
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
