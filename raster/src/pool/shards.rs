//! A lock for values that all threads read all the time and that seldom change. Readers of a single lock would take its
//! cache line from each other at each read; here each reads a copy, which few other threads read.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use super::padded::Padded;

/// Number of copies.
const COPIES: usize = 8;

/// A value in several equal copies.
#[derive(Debug, Default)]
pub(crate) struct Shards<T> {
    copies: [Padded<RwLock<T>>; COPIES],
}

impl<T> Shards<T> {
    /// The copy of the calling thread.
    #[inline]
    pub fn read(&self) -> RwLockReadGuard<'_, T> {
        self.copies[own()].read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes all copies; no reader sees the value in between.
    pub fn write(&self, change: impl Fn(&mut T)) {
        // In order, so that writers do not wait for each other in a circle.
        let mut copies =
            self.copies.each_ref().map(|copy| copy.write().unwrap_or_else(PoisonError::into_inner));
        copies.iter_mut().for_each(|copy| change(copy));
    }
}

/// Index of the copy of the calling thread.
#[inline]
fn own() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local! {
        static OWN: Cell<usize> = const { Cell::new(usize::MAX) };
    }
    match OWN.get() {
        usize::MAX => {
            OWN.set(NEXT.fetch_add(1, Ordering::Relaxed) % COPIES);
            OWN.get()
        }
        own => own % COPIES,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_threads_read_what_was_written_last() {
        let shards = Shards::<Vec<usize>>::default();
        for round in 0..3 {
            std::thread::scope(|s| {
                for writer in 0..4 {
                    let shards = &shards;
                    s.spawn(move || shards.write(|list| list.push(writer + 4 * round)));
                }
            });
            // Concurrent writers came in the same order everywhere.
            let first = shards.read().clone();
            assert_eq!(first.len(), 4 * (round + 1));
            std::thread::scope(|s| {
                (0..2 * COPIES).for_each(|_| drop(s.spawn(|| assert_eq!(*shards.read(), first))));
            });
        }
    }
}
