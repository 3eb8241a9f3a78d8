//! Tables in which shaders look up numbers: memory for the entries, and the numbers in use.
//!
//! Owns the memory, which stays in place as long as the table lives, and the numbers. `address` and `handles` decide
//! the contents of entries and the time when a number is released.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use crate::error::{Error, Result};
use crate::memory::Pages;

#[derive(Default)]
struct State {
    /// Released numbers.
    free: Vec<u32>,
    /// Greatest number taken so far.
    given: u32,
}

/// A table of zero-initialized entries.
pub(crate) struct Slots<E> {
    /// Number of entries; a null entry follows them, and entry 0 is never taken.
    count: u32,
    memory: OnceLock<Pages>,
    state: Mutex<State>,
    entry: PhantomData<fn() -> E>,
}

/// An entry in use. Dropping it releases the number.
pub(crate) struct Slot<E> {
    of: Arc<Slots<E>>,
    number: u32,
    /// `true` if the number is never to be reused.
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

    /// Returns the first entry and the number of entries, once an entry has been taken.
    pub fn entries(&self) -> Option<(*mut E, u32)> {
        Some((self.memory.get()?.as_ptr().cast(), self.count))
    }

    /// Takes an entry. `Limit` when none is left; `what` names the kind of object in the error.
    pub fn take(self: &Arc<Self>, what: &str) -> Result<Slot<E>> {
        if self.memory.get().is_none() {
            let bytes = (self.count as usize + 1) * size_of::<E>();
            // If two threads get here, the memory of the first is used.
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

    /// Address of the entry, which lies within the table's memory.
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
