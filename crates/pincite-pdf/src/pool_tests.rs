//! The pool, with workers that are numbers.

use super::{Lendable, Pool};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(600);

#[derive(Debug)]
struct Stand {
    number: usize,
    usable: Arc<AtomicBool>,
    alive: Arc<AtomicUsize>,
}

impl Lendable for Stand {
    fn is_usable(&mut self) -> bool {
        self.usable.load(Ordering::SeqCst)
    }
}

impl Drop for Stand {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Makes workers and counts them.
#[derive(Default, Clone)]
struct Maker {
    made: Arc<AtomicUsize>,
    alive: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl Maker {
    fn make(&self) -> Result<Stand, String> {
        let alive = self.alive.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(alive, Ordering::SeqCst);
        Ok(Stand {
            number: self.made.fetch_add(1, Ordering::SeqCst),
            usable: Arc::new(AtomicBool::new(true)),
            alive: Arc::clone(&self.alive),
        })
    }

    fn number(&self, pool: &Pool<Stand>, key: &str) -> usize {
        pool.with(key, || self.make(), |worker| Ok(worker.number))
            .unwrap_or(usize::MAX)
    }
}

#[test]
fn a_document_keeps_its_worker_and_the_one_idle_longest_ends_for_a_new_one() {
    let (pool, maker) = (Pool::new(2, LONG), Maker::default());
    assert_eq!(maker.number(&pool, "a"), 0);
    assert_eq!(maker.number(&pool, "b"), 1);
    assert_eq!(maker.number(&pool, "a"), 0, "the same worker again");
    assert_eq!(maker.number(&pool, "c"), 2, "b was idle longest and ends");
    assert_eq!(maker.number(&pool, "a"), 0);
    assert_eq!(maker.number(&pool, "b"), 3);
    assert_eq!(maker.most.load(Ordering::SeqCst), 2, "never more than the pool allows");
    drop(pool);
    assert_eq!(maker.alive.load(Ordering::SeqCst), 0, "they end with the pool");
}

#[test]
fn a_dead_worker_is_replaced_whether_it_died_at_work_or_idle() {
    let (pool, maker) = (Pool::new(2, LONG), Maker::default());
    let died: Result<(), String> = pool.with(
        "a",
        || maker.make(),
        |worker| {
            worker.usable.store(false, Ordering::SeqCst);
            Err("died".into())
        },
    );
    assert_eq!(died, Err("died".to_owned()));
    assert_eq!(pool.idle(), 0);
    let later = pool.with(
        "a",
        || maker.make(),
        |worker| Ok::<_, String>(Arc::clone(&worker.usable)),
    );
    assert_eq!((pool.idle(), maker.made.load(Ordering::SeqCst)), (1, 2));
    if let Ok(usable) = later {
        usable.store(false, Ordering::SeqCst);
    }
    assert_eq!(
        maker.number(&pool, "a"),
        2,
        "it ended while idle: another one, and no error"
    );
}

#[test]
fn what_goes_wrong_frees_the_place() {
    let (pool, maker) = (Pool::new(1, LONG), Maker::default());
    let refused: Result<(), String> = pool.with("a", || Err("can't open".into()), |_| Ok(()));
    assert_eq!(refused, Err("can't open".to_owned()));
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _: Result<(), String> = pool.with("a", || maker.make(), |_| std::panic::resume_unwind(Box::new("at work")));
    }));
    assert!(panicked.is_err());
    assert!(maker.number(&pool, "b") < 2, "nobody waits for ever");
}

#[test]
fn one_at_a_time_for_a_document_and_few_in_all() {
    let pool = Arc::new(Pool::new(3, LONG));
    let maker = Maker::default();
    let at_work: Arc<Mutex<Vec<String>>> = Arc::default();
    let threads: Vec<_> = (0..24)
        .map(|number| {
            let (pool, maker, at_work) = (Arc::clone(&pool), maker.clone(), Arc::clone(&at_work));
            std::thread::spawn(move || {
                let key = format!("document {}", number % 5);
                let done: Result<bool, String> = pool.with(
                    &key,
                    || maker.make(),
                    |_| {
                        let alone = at_work.lock().is_ok_and(|mut keys| {
                            let alone = !keys.contains(&key) && keys.len() < 3;
                            keys.push(key.clone());
                            alone
                        });
                        std::thread::sleep(Duration::from_millis(3));
                        if let Ok(mut keys) = at_work.lock() {
                            keys.retain(|held| *held != key);
                        }
                        Ok(alone)
                    },
                );
                done
            })
        })
        .collect();
    for thread in threads {
        assert_eq!(thread.join().ok(), Some(Ok(true)));
    }
    assert!(maker.most.load(Ordering::SeqCst) <= 3);
}

#[test]
fn those_who_wait_are_served_in_turn_and_a_busy_document_holds_up_no_other() {
    let pool = Arc::new(Pool::new(2, LONG));
    let maker = Maker::default();
    let order: Arc<Mutex<Vec<&str>>> = Arc::default();
    let (begun, finish) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
    let held = {
        let (pool, maker, begun, finish) = (
            Arc::clone(&pool),
            maker.clone(),
            Arc::clone(&begun),
            Arc::clone(&finish),
        );
        std::thread::spawn(move || {
            let _ = pool.with(
                "busy",
                || maker.make(),
                |_| {
                    begun.wait();
                    finish.wait();
                    Ok::<_, String>(())
                },
            );
        })
    };
    begun.wait();
    let mut waiting = Vec::new();
    for name in ["first", "second", "third"] {
        let (pool, maker, order) = (Arc::clone(&pool), maker.clone(), Arc::clone(&order));
        let before = pool.inside.state().next;
        let waiter = Arc::clone(&pool);
        waiting.push(std::thread::spawn(move || {
            let _ = pool.with(
                "busy",
                || maker.make(),
                |_| {
                    if let Ok(mut order) = order.lock() {
                        order.push(name);
                    }
                    Ok::<_, String>(())
                },
            );
        }));
        while waiter.inside.state().next == before {
            std::thread::yield_now();
        }
    }
    assert_eq!(
        maker.number(&pool, "another"),
        1,
        "there is a place for another document"
    );
    finish.wait();
    for thread in waiting {
        assert!(thread.join().is_ok());
    }
    assert!(held.join().is_ok());
    assert_eq!(
        order.lock().ok().map(|order| order.clone()),
        Some(vec!["first", "second", "third"])
    );
}

#[test]
fn idle_ones_end_after_a_while() {
    let pool = Pool::new(3, Duration::from_millis(40));
    let maker = Maker::default();
    for round in 0..2 {
        maker.number(&pool, "a");
        maker.number(&pool, "b");
        assert_eq!(maker.alive.load(Ordering::SeqCst), 2, "round {round}");
        let began = Instant::now();
        while maker.alive.load(Ordering::SeqCst) > 0 && began.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(
            (maker.alive.load(Ordering::SeqCst), pool.idle()),
            (0, 0),
            "round {round}"
        );
    }
}
