//! Device addresses: the table in which shaders look them up.
//!
//! An address is the number of an entry and an offset, see [`abi::ADDRESS_SHIFT`]; it is never an address
//! of the host. Shaders may hold any number, so an entry must not lead to memory that is gone: the memory
//! of a buffer that is dropped while a submission runs is kept until none runs.

#![expect(unsafe_code, reason = "writes the table that shaders read")]

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, Weak};

use quadrille_jit::abi::{self, Descriptor};
use quadrille_raster::AddressTable;
use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::memory::{Memory, Pages};

/// Buffers with addresses at the same time, and the null entry.
const SLOTS: u32 = 1 << 20;

/// What an address is of; this module does not ask.
pub(crate) type Owner = Weak<dyn Any + Send + Sync>;

#[derive(Default)]
struct State {
    /// Entries that were given back.
    free: Vec<u32>,
    /// Entries taken so far; the first is null.
    taken: u32,
    /// What addresses are of, by entry.
    owners: FxHashMap<u32, Owner>,
    /// Submissions that run.
    running: u32,
    /// What was given back since one began to run.
    dying: Vec<(u32, Memory)>,
}

/// The buffers of a device that have addresses.
#[derive(Default)]
pub(crate) struct Addresses {
    table: OnceLock<Pages>,
    state: Mutex<State>,
}

/// A submission runs.
pub(crate) struct Running<'a>(&'a Addresses);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let gone = {
            let mut state = self.0.lock();
            state.running -= 1;
            if state.running > 0 {
                return;
            }
            let gone = std::mem::take(&mut state.dying);
            state.free.extend(gone.iter().map(|(slot, _)| slot));
            gone
        };
        // Without the lock: freeing memory takes time.
        drop(gone);
    }
}

impl Addresses {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Memory that a shader may reach stays until what this returns is dropped.
    pub fn enter(&self) -> Running<'_> {
        self.lock().running += 1;
        Running(self)
    }

    /// What shaders get.
    pub fn table(&self) -> AddressTable {
        match self.table.get() {
            // SAFETY: the table has so many entries and a null one behind, and lives as long as the device;
            // an entry leads to memory that lives until it is given back and no submission runs.
            Some(map) => unsafe { AddressTable::new(map.as_ptr().cast(), SLOTS) },
            None => AddressTable::default(),
        }
    }

    fn map(&self) -> Result<*mut Descriptor> {
        if self.table.get().is_none() {
            let bytes = (SLOTS as usize + 1) * size_of::<Descriptor>();
            // Whoever comes second takes the table of the first.
            let _ = self.table.set(Pages::map(bytes)?);
        }
        match self.table.get() {
            Some(map) => Ok(map.as_ptr().cast()),
            None => Err(Error::Internal("no table of device addresses".into())),
        }
    }

    /// What the bytes at an address belong to, if that is alive, and how many come before.
    pub fn owner(&self, address: u64) -> Option<(Arc<dyn Any + Send + Sync>, u64)> {
        let slot = (address >> abi::ADDRESS_SHIFT) as u32;
        let owner = self.lock().owners.get(&slot)?.upgrade()?;
        Some((owner, address & ((1 << abi::ADDRESS_SHIFT) - 1)))
    }

    /// Gives `size` bytes at `ptr` an address.
    pub fn register(&self, ptr: u64, size: u64, owner: Owner) -> Result<u64> {
        let table = self.map()?;
        let mut state = self.lock();
        let slot = match state.free.pop() {
            Some(slot) => slot,
            None if state.taken + 1 < SLOTS => {
                state.taken += 1;
                state.taken
            }
            None => return Err(Error::Limit(format!("{} buffers with device addresses", SLOTS - 1))),
        };
        // SAFETY: below the table's end; volatile and in this order because shaders may read the entry.
        unsafe {
            let entry = table.add(slot as usize);
            (&raw mut (*entry).ptr).write_volatile(ptr);
            (&raw mut (*entry).size).write_volatile(size);
        }
        state.owners.insert(slot, owner);
        Ok(u64::from(slot) << abi::ADDRESS_SHIFT)
    }

    /// Takes an address back; `memory` is what is behind it.
    pub fn release(&self, address: u64, memory: &Memory) {
        let slot = (address >> abi::ADDRESS_SHIFT) as u32;
        let Ok(table) = self.map() else { return };
        let mut state = self.lock();
        state.owners.remove(&slot);
        // SAFETY: below the table's end, since `register` gave the number out; the pointer stays, since a
        // shader may have read the size before.
        unsafe { (&raw mut (*table.add(slot as usize)).size).write_volatile(0) };
        if state.running > 0 {
            state.dying.push((slot, memory.clone()));
        } else {
            state.free.push(slot);
        }
    }
}

/// The table that buffers of a device with addresses share.
pub(crate) type Shared = Arc<Addresses>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Heap;

    #[test]
    fn memory_outlives_what_runs() {
        let heap = Arc::new(Heap::new(0, 1000));
        let memory = Memory::allocate(&heap, 100).unwrap();
        let a = Addresses::default();
        let owner = Arc::new(1u32);
        let weak = || Arc::downgrade(&owner) as Owner;
        let first = a.register(memory.as_ptr() as u64, 100, weak()).unwrap();
        let (of, before) = a.owner(first + 7).unwrap();
        assert_eq!((of.downcast_ref(), before), (Some(&1u32), 7));
        assert_eq!(first, 1 << abi::ADDRESS_SHIFT);
        let running = a.enter();
        a.release(first, &memory);
        assert!(a.owner(first).is_none());
        drop(memory);
        assert_eq!(heap.used(), 100);
        assert_ne!(a.register(0, 0, weak()).unwrap(), first);
        drop(running);
        assert_eq!(heap.used(), 0);
        assert_eq!(a.register(0, 0, weak()).unwrap(), first);
        drop((of, owner));
        assert!(a.owner(first).is_none());
    }
}
