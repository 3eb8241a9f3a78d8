//! Tables in which shaders look up numbers: memory for the entries, and the numbers in use.
//!
//! Owns the memory, which stays in place as long as the table lives, and the numbers. The numbers at the end are those that
//! callers may choose; no other object gets them. `address` and `handles` decide the contents of entries and the time
//! when a number is released.

use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use rustc_hash::FxHashSet;

use crate::error::{Error, Result};
use crate::memory::Pages;
use crate::reserve;

#[derive(Default)]
struct State {
    /// Released numbers.
    free: Vec<u32>,
    /// Greatest number taken so far.
    given: u32,
    /// Numbers in use that callers may choose.
    chosen: FxHashSet<u32>,
    /// Number of those from which on the next free one is looked for.
    next: u32,
}

/// A table of zero-initialized entries.
pub(crate) struct Slots<E> {
    /// Number of the first entry that callers may choose. Entry 0 is never taken.
    first_chosen: u32,
    /// Number of entries; a null entry follows them.
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
    /// A table of so many entries, and of so many more that callers may choose.
    pub fn new(first_chosen: u32, to_choose: u32) -> Arc<Self> {
        let (memory, state) = (OnceLock::new(), Mutex::default());
        Arc::new(Slots { first_chosen, count: first_chosen + to_choose, memory, state, entry: PhantomData })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Returns the first entry and the number of entries, once an entry has been taken.
    pub fn entries(&self) -> Option<(*mut E, u32)> {
        Some((self.memory.get()?.as_ptr().cast(), self.count))
    }

    /// Prepares the memory of the entries for a call that takes one.
    pub fn reserve(&self) -> Result<()> {
        reserve::granted()?;
        if self.memory.get().is_none() {
            let bytes = (self.count as usize + 1) * size_of::<E>();
            // If two threads get here, the memory of the first is used.
            let _ = self.memory.set(Pages::reserve(bytes)?);
        }
        Ok(())
    }

    /// Takes an entry. `Limit` when none is left; `what` names the kind of object in the error.
    pub fn take(self: &Arc<Self>, what: &str) -> Result<Slot<E>> {
        self.reserve()?;
        let mut state = self.lock();
        let number = match state.free.pop() {
            Some(number) => number,
            None if state.given + 1 < self.first_chosen => {
                state.given += 1;
                state.given
            }
            None => return Err(Error::Limit(format!("{} {what}", self.first_chosen - 1))),
        };
        Ok(Slot { of: self.clone(), number, retired: false })
    }

    /// Takes the entry with this number, or any of those that may be chosen. `None` if it is in use or may not be chosen,
    /// or if all are in use.
    pub fn choose(self: &Arc<Self>, number: Option<u32>) -> Result<Option<Slot<E>>> {
        self.reserve()?;
        let all = self.first_chosen..self.count;
        let mut state = self.lock();
        let number = match number {
            Some(number) => Some(number).filter(|number| all.contains(number)),
            // Numbers come again only after all others, because their entries may be in use for some time.
            None => {
                let from = (all.start + state.next).min(all.end);
                let found = (from..all.end).chain(all.start..from).find(|n| !state.chosen.contains(n));
                state.next = found.map_or(0, |n| n + 1 - all.start);
                found
            }
        };
        let taken = number.filter(|&number| state.chosen.insert(number));
        Ok(taken.map(|number| Slot { of: self.clone(), number, retired: false }))
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
            let mut state = self.of.lock();
            match self.number < self.of.first_chosen {
                true => state.free.push(self.number),
                false => _ = state.chosen.remove(&self.number),
            }
        }
    }
}
