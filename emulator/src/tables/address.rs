//! Device addresses: the table in which shaders look up a device address.
//!
//! A device address consists of a table index and a byte offset, see [`abi::ADDRESS_SHIFT`]; it is never a host
//! address. A shader may use any number as an address, so an entry must never lead to freed memory: the memory of a
//! dropped buffer outlives the submissions that run when the buffer is dropped (`execution::running`). The slots
//! themselves are managed by `slots`; `resource::buffer` decides when a buffer gets an address.

#![expect(unsafe_code, reason = "writes the table that shaders read")]

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard};

use quadrille_jit::abi::{self, Descriptor, entries};
use quadrille_raster::AddressTable;
use rustc_hash::FxHashMap;

use super::slots::{Slot, Slots};
use crate::error::Result;
use crate::execution::running::Running;
use crate::memory::Memory;
use crate::object::Owner;

/// Number of buffers that can have addresses at the same time, plus the null entry.
const SLOTS: u32 = 1 << 20;

/// Table of the buffers of a device that have addresses.
pub(crate) struct Addresses {
    slots: Arc<Slots<Descriptor>>,
    taken: Mutex<FxHashMap<u32, Taken>>,
    running: Arc<Running>,
}

/// An entry in use.
struct Taken {
    slot: Slot<Descriptor>,
    /// The buffer that the addresses belong to.
    owner: Owner,
}

impl Addresses {
    pub fn new(running: &Arc<Running>) -> Arc<Addresses> {
        let (slots, taken) = (Slots::new(SLOTS), Mutex::default());
        Arc::new(Addresses { slots, taken, running: running.clone() })
    }

    fn taken(&self) -> MutexGuard<'_, FxHashMap<u32, Taken>> {
        self.taken.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Returns the table that shaders read.
    pub fn table(&self) -> AddressTable {
        match self.slots.entries() {
            // SAFETY: `Slots::take` reserves `count` entries and a zero entry behind them, which live as long as the
            // device. `release` hands the memory of an entry to `Running::outlive`, so it lives until every submission
            // that may have seen the entry is done.
            Some((first, count)) => unsafe { AddressTable::new(first, count) },
            None => AddressTable::default(),
        }
    }

    /// Returns the object that an address belongs to, if it is alive, and the byte offset of the address in it.
    pub fn owner(&self, address: u64) -> Option<(Arc<dyn Any + Send + Sync>, u64)> {
        let slot = (address >> abi::ADDRESS_SHIFT) as u32;
        let owner = self.taken().get(&slot)?.owner.upgrade()?;
        Some((owner, address & abi::INSIDE))
    }

    /// Assigns an address to the `size` bytes at `ptr`.
    pub fn register(&self, ptr: u64, size: u64, owner: Owner) -> Result<u64> {
        let slot = self.slots.take("buffers with device addresses")?;
        let (entry, number) = (slot.entry(), slot.number());
        // SAFETY: `Slots::take` gave this call alone the slot, and `Slot::entry` lies within the table.
        unsafe { entries::publish_address(entry, ptr, size) };
        self.taken().insert(number, Taken { slot, owner });
        Ok(u64::from(number) << abi::ADDRESS_SHIFT)
    }

    /// Releases an address; `memory` is the memory that the address led to.
    pub fn release(&self, address: u64, memory: &Memory) {
        let number = (address >> abi::ADDRESS_SHIFT) as u32;
        let Some(Taken { slot, .. }) = self.taken().remove(&number) else { return };
        // SAFETY: the slot was removed from `taken`, so this call alone owns it, and `Slot::entry` lies within the
        // table. The pointer stays valid because a shader may have read the size earlier.
        unsafe { (&raw mut (*slot.entry()).size).write_volatile(0) };
        self.running.outlive(Box::new((slot, memory.clone())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Heap;

    #[test]
    fn memory_outlives_what_runs() {
        let heap = Arc::new(Heap::new(0, 1000));
        let memory = Memory::allocate(&heap, 100).unwrap();
        let running = Arc::new(Running::default());
        let a = Addresses::new(&running);
        let owner = Arc::new(1u32);
        let weak = || Arc::downgrade(&owner) as Owner;
        let first = a.register(memory.as_ptr() as u64, 100, weak()).unwrap();
        let (of, before) = a.owner(first + 7).unwrap();
        assert_eq!((of.downcast_ref(), before), (Some(&1u32), 7));
        assert_eq!(first, 1 << abi::ADDRESS_SHIFT);
        let run = running.enter();
        a.release(first, &memory);
        assert!(a.owner(first).is_none());
        drop(memory);
        assert_eq!(heap.used(), 100);
        assert_ne!(a.register(0, 0, weak()).unwrap(), first);
        drop(run);
        assert_eq!(heap.used(), 0);
        assert_eq!(a.register(0, 0, weak()).unwrap(), first);
        drop((of, owner));
        assert!(a.owner(first).is_none());
    }
}
