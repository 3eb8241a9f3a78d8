//! Tables that shaders look numbers up in: memory for the entries, and which of them are taken.
//!
//! Owns the memory, which stays where it is as long as the table lives, and the numbers. What entries hold, and when a
//! number may be given back, is left to `address` and `handles`.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use crate::error::{Error, Result};
use crate::memory::Pages;

#[derive(Default)]
struct State {
    /// Numbers that were given back.
    free: Vec<u32>,
    /// Numbers given out so far.
    given: u32,
}

/// A table of entries that begin as zeros.
pub(crate) struct Slots<E> {
    /// Entries; a null one lies behind them, and the first is never given out.
    count: u32,
    memory: OnceLock<Pages>,
    state: Mutex<State>,
    entry: PhantomData<fn() -> E>,
}

/// An entry that is taken. Dropping it gives the number back.
pub(crate) struct Slot<E> {
    of: Arc<Slots<E>>,
    number: u32,
    /// The number is not given out again.
    pub retired: bool,
}

impl<E> Slots<E> {
    pub fn new(count: u32) -> Arc<Self> {
        let (memory, state) = (OnceLock::new(), Mutex::default());
        Arc::new(Slots { count, memory, state, entry: PhantomData })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// The first entry and the number of entries, once an entry has been taken.
    pub fn entries(&self) -> Option<(*mut E, u32)> {
        Some((self.memory.get()?.as_ptr().cast(), self.count))
    }

    /// Takes an entry. `Limit` when there is none left; `what` says of what.
    pub fn take(self: &Arc<Self>, what: &str) -> Result<Slot<E>> {
        if self.memory.get().is_none() {
            let bytes = (self.count as usize + 1) * size_of::<E>();
            // Whoever comes second takes the memory of the first.
            let _ = self.memory.set(Pages::reserve(bytes)?);
        }
        let mut state = self.lock();
        let number = match state.free.pop() {
            Some(number) => number,
            None if state.given + 1 < self.count => {
                state.given += 1;
                state.given
            }
            None => return Err(Error::Limit(format!("{} {what}", self.count - 1))),
        };
        Ok(Slot { of: self.clone(), number, retired: false })
    }
}

impl<E> Slot<E> {
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The entry, which lies within the table's memory.
    pub fn entry(&self) -> *mut E {
        let first = self.of.entries().map_or(std::ptr::null_mut(), |(first, _)| first);
        first.wrapping_add(self.number as usize)
    }
}

impl<E> Drop for Slot<E> {
    fn drop(&mut self) {
        if !self.retired {
            self.of.lock().free.push(self.number);
        }
    }
}
