//! A few workers kept open, so that the next page of a document just looked at is drawn at once.
//!
//! Whoever wants a document's worker is lent it, or waits: a document has one worker, and all workers together are bounded,
//! idle ones included. Those who wait are served in the order they came; one that waits for a busy document holds up
//! nobody who waits for another. Where there is no place left, the worker that was idle longest ends, and one that was idle
//! for a while ends by itself. One that died is not lent again.
//!
//! Deliberately not here: opening (the caller has the bytes and the password), and retrying.

use crate::client::Worker;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// What a pool lends.
pub trait Lendable: Send + 'static {
    /// Whether it can be used once more. Asked when it comes back and when it goes out.
    fn is_usable(&mut self) -> bool;
}

impl Lendable for Worker {
    fn is_usable(&mut self) -> bool {
        self.is_alive()
    }
}

/// Open workers by a key (the version's hash).
#[derive(Debug)]
pub struct Pool<W: Lendable = Worker> {
    inside: Arc<Inside<W>>,
}

#[derive(Debug)]
struct Inside<W> {
    state: Mutex<State<W>>,
    changed: Condvar,
    most: usize,
    idle_for: Duration,
}

#[derive(Debug)]
struct State<W> {
    /// The one idle longest first.
    idle: Vec<Idle<W>>,
    /// The keys of those that are lent.
    lent: Vec<String>,
    /// Who waits, in the order they came: a number and a key.
    waiting: VecDeque<(u64, String)>,
    next: u64,
    /// Whether a thread looks after the idle ones.
    tended: bool,
}

#[derive(Debug)]
struct Idle<W> {
    key: String,
    worker: W,
    since: Instant,
}

impl<W> Inside<W> {
    /// What is inside holds whatever happened to a thread that looked at it: no change of it is left half made.
    fn state(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W> State<W> {
    /// Whether this one's turn has come: it is the first of those that could be served.
    fn is_turn(&self, number: u64, most: usize) -> bool {
        if self.lent.len() >= most {
            return false;
        }
        let served = self.waiting.iter().find(|(_, key)| !self.lent.contains(key));
        served.is_some_and(|(first, _)| *first == number)
    }
}

/// A place that was taken. However its holder ends, the place is free again.
struct Lent<'a, W: Lendable> {
    pool: &'a Pool<W>,
    key: &'a str,
    worker: Option<W>,
}

impl<W: Lendable> Drop for Lent<'_, W> {
    fn drop(&mut self) {
        let back = self
            .worker
            .take()
            .and_then(|mut worker| worker.is_usable().then_some(worker));
        let mut state = self.pool.inside.state();
        if let Some(position) = state.lent.iter().position(|lent| lent == self.key) {
            state.lent.swap_remove(position);
        }
        if let Some(worker) = back {
            state.idle.push(Idle {
                key: self.key.to_owned(),
                worker,
                since: Instant::now(),
            });
            if !state.tended {
                state.tended = true;
                tend(Arc::downgrade(&self.pool.inside), self.pool.inside.idle_for);
            }
        }
        drop(state);
        self.pool.inside.changed.notify_all();
    }
}

impl<W: Lendable> Pool<W> {
    /// A pool of at most `most` workers (at least one), lent and idle together; one that nobody wanted for `idle_for` ends.
    #[must_use]
    pub fn new(most: usize, idle_for: Duration) -> Self {
        let state = State {
            idle: Vec::new(),
            lent: Vec::new(),
            waiting: VecDeque::new(),
            next: 0,
            tended: false,
        };
        Self {
            inside: Arc::new(Inside {
                state: Mutex::new(state),
                changed: Condvar::new(),
                most: most.max(1),
                idle_for,
            }),
        }
    }

    /// Works with the document's worker, opened first where there is none. Waits until it is free.
    ///
    /// # Errors
    /// What `open` and `work` answer; neither is tried a second time.
    pub fn with<T, E>(
        &self,
        key: &str,
        open: impl FnOnce() -> Result<W, E>,
        work: impl FnOnce(&mut W) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut lent = self.lend(key);
        let worker = match lent.worker.take() {
            Some(worker) => worker,
            None => open()?,
        };
        work(lent.worker.insert(worker))
    }

    /// How many are idle: open, and nobody's.
    #[must_use]
    pub fn idle(&self) -> usize {
        self.inside.state().idle.len()
    }

    fn lend<'a>(&'a self, key: &'a str) -> Lent<'a, W> {
        let most = self.inside.most;
        let mut state = self.inside.state();
        let number = state.next;
        state.next += 1;
        state.waiting.push_back((number, key.to_owned()));
        while !state.is_turn(number, most) {
            state = self.inside.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting.retain(|(waiting, _)| *waiting != number);
        state.lent.push(key.to_owned());
        let kept = state.idle.iter().rposition(|idle| idle.key == key);
        let kept = kept.map(|position| state.idle.remove(position).worker);
        let surplus = (state.lent.len() + state.idle.len()).saturating_sub(most);
        let surplus: Vec<Idle<W>> = state.idle.drain(..surplus).collect();
        drop(state);
        // The next one that waits may be able to go as well.
        self.inside.changed.notify_all();
        // Ended outside the lock: waiting for a process must not hold up the others.
        drop(surplus);
        let worker = kept.and_then(|mut worker| worker.is_usable().then_some(worker));
        Lent {
            pool: self,
            key,
            worker,
        }
    }
}

/// Ends what was idle for too long, in a thread that is there only while something is idle, and keeps no pool alive.
fn tend<W: Lendable>(pool: Weak<Inside<W>>, idle_for: Duration) {
    std::thread::spawn(move || {
        let mut pause = idle_for;
        loop {
            std::thread::sleep(pause);
            let Some(inside) = pool.upgrade() else { return };
            let mut state = inside.state();
            let now = Instant::now();
            let age = |idle: &Idle<W>| now.saturating_duration_since(idle.since);
            let old = state.idle.iter().take_while(|idle| age(idle) >= idle_for).count();
            let ended: Vec<Idle<W>> = state.idle.drain(..old).collect();
            state.tended = !state.idle.is_empty();
            let next = state.idle.first().map(|idle| idle_for.saturating_sub(age(idle)));
            drop(state);
            drop(ended);
            match next {
                Some(rest) => pause = rest,
                None => return,
            }
        }
    });
}

#[cfg(test)]
#[path = "pool_tests.rs"]
mod tests;
