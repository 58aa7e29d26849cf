//! The order of the queue: hard fields, then the nearest due date, then the oldest, then the id.
//!
//! Deliberately not here: who holds an item, and whether it is decided; the caller sorts what is free.

use std::cmp::{Ordering, Reverse};

/// What an item is sorted by. The least key is seen first; no two items of one queue have equal keys, because ids differ.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct QueueKey {
    /// Whether a wrong value of the field disqualifies.
    pub hard: bool,
    /// When a decision is due, in milliseconds since 1970 UTC; an item without a due date comes after all that have one.
    pub due_at: Option<i64>,
    /// When the item was made, in milliseconds since 1970 UTC.
    pub created_at: i64,
    /// The item's id.
    pub item_id: String,
}

impl QueueKey {
    fn parts(&self) -> (Reverse<bool>, bool, Option<i64>, i64, &str) {
        (
            Reverse(self.hard),
            self.due_at.is_none(),
            self.due_at,
            self.created_at,
            &self.item_id,
        )
    }
}

impl Ord for QueueKey {
    fn cmp(&self, other: &Self) -> Ordering {
        self.parts().cmp(&other.parts())
    }
}

impl PartialOrd for QueueKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key(hard: bool, due_at: Option<i64>, created_at: i64, item_id: &str) -> QueueKey {
        QueueKey {
            hard,
            due_at,
            created_at,
            item_id: item_id.to_owned(),
        }
    }

    #[test]
    fn hard_then_due_then_oldest_then_id() {
        let expected = [
            key(true, Some(-5), 9, "z"),
            key(true, Some(10), 9, "z"),
            key(true, None, 0, "a"),
            key(false, Some(0), 9, "z"),
            key(false, Some(1), 1, "z"),
            key(false, Some(1), 2, "a"),
            key(false, Some(1), 2, "b"),
            key(false, None, 0, "a"),
            key(false, None, 1, "a"),
        ];
        let mut shuffled = expected.to_vec();
        shuffled.reverse();
        shuffled.swap(0, 4);
        shuffled.sort();
        assert_eq!(shuffled, expected);
    }

    proptest! {
        #[test]
        fn a_soft_item_never_passes_a_hard_one(
            due in proptest::option::of(any::<i64>()), other in proptest::option::of(any::<i64>()),
            created in any::<i64>(), other_created in any::<i64>(),
        ) {
            prop_assert!(key(true, due, created, "z") < key(false, other, other_created, "a"));
            prop_assert!(key(true, Some(other_created), created, "z") < key(true, None, other_created, "a"));
        }
    }
}
