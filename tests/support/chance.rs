//! Numbers that look random and are the same in every run: a failure that was seen once can be seen again.
//!
//! SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators").
//!
//! Deliberately not here: a seed from the clock.

/// A sequence of numbers from a seed.
#[derive(Debug, Clone)]
pub struct Chance {
    state: u64,
}

impl Chance {
    /// The sequence of this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next number, of all 64-bit ones.
    pub const fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// One of these. There has to be one.
    ///
    /// # Panics
    /// Where there is none.
    #[must_use]
    pub fn of<'a, T>(&mut self, these: &'a [T]) -> &'a T {
        let at = usize::try_from(self.below(these.len() as u64)).unwrap_or(0);
        these.get(at).expect("there is one")
    }

    /// The next number below `end` (0 where `end` is 0).
    pub const fn below(&mut self, end: u64) -> u64 {
        if end == 0 { 0 } else { self.number() % end }
    }
}
